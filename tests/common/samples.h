/*
 * samples.h - walks the sample replays under tests/data, those in bad/ included. A directory
 * without samples fails: what was lost must not look like a success.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct sample {
    char path[512];
    unsigned char *data;
    size_t size;
} sample;

static inline int is_sample(const char *name)
{
    static const char *const others[] = {".json", ".tsv", ".md", ".oramap"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t n = strlen(name), k = strlen(others[i]);
        if (n >= k && strcmp(name + n - k, others[i]) == 0)
            return 0;
    }
    return name[0] != '.';
}

static inline sample load_sample(const char *path)
{
    sample s = {.data = NULL};
    snprintf(s.path, sizeof s.path, "%s", path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    s.size = (size_t)ftell(file);
    rewind(file);
    s.data = malloc(s.size ? s.size : 1);
    assert_non_null(s.data);
    assert_int_equal(fread(s.data, 1, s.size, file), s.size);
    fclose(file);
    return s;
}

/* Returns how many there were. */
static inline size_t visit_samples(const char *directory, void (*visit)(const sample *sample))
{
    size_t visited = 0;
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    assert_true(count >= 0);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        struct stat about;
        if (is_sample(entries[i]->d_name) && stat(path, &about) == 0) {
            if (S_ISDIR(about.st_mode)) {
                visited += visit_samples(path, visit);
            } else {
                sample s = load_sample(path);
                visit(&s);
                visited++;
                free(s.data);
            }
        }
        free(entries[i]);
    }
    free(entries);
    return visited;
}

static inline void walk_samples(const char *directory, void (*visit)(const sample *sample))
{
    if (!visit_samples(directory, visit))
        fail_msg("%s has no samples", directory);
}

#endif
