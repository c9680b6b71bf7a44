/*
 * replay_main.c - runs a fuzz target over given files, without a fuzzer.
 *
 * Arguments are files and directories, whose files are taken in order of their names. The name of
 * each input goes to stderr before it runs, so that the last one is the one that failed.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz.h"

/* Gives the target a block of exactly the right size: the sanitizer sees any step beyond it. */
static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    struct stat info;
    bool done = false;
    if (fstat(fileno(file), &info) == 0) {
        size_t size = (size_t)info.st_size;
        uint8_t *data = malloc(size ? size : 1);
        done = data && fread(data, 1, size, file) == size;
        if (done) {
            fprintf(stderr, "%s\n", path);
            LLVMFuzzerTestOneInput(data, size);
        }
        free(data);
    }
    fclose(file);
    if (!done)
        fprintf(stderr, "%s: cannot read\n", path);
    return done;
}

/* How many inputs ran, or -1. */
static long replay_directory(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    long done = count < 0 ? -1 : 0;
    for (int i = 0; i < count; i++) {
        char name[4096];
        int length = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        struct stat info;
        bool is_file = length < (int)sizeof name && stat(name, &info) == 0 && S_ISREG(info.st_mode);
        if (is_file && done >= 0)
            done = replay_file(name) ? done + 1 : -1;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return done;
}

int main(int argc, char **argv)
{
    long inputs = 0;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        bool is_directory = stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode);
        long done = is_directory ? replay_directory(argv[i]) : replay_file(argv[i]) ? 1 : -1;
        if (done < 0)
            return 1;
        inputs += done;
    }
    printf("%ld runs\n", inputs);
    /* A corpus that got lost must not look like a success. */
    return inputs > 0 ? 0 : 1;
}
