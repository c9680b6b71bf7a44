/*
 * test_other_files.c - no format may claim what is not a replay. Three formats have no magic, so
 * this is tried on what every system has plenty of: the files under /usr, spread evenly over all of
 * them.
 */
#define _DEFAULT_SOURCE /* directories that tell what their entries are: no question per file */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format.h"
#include "samples.h"

enum { FILES_TRIED = 10000, FILES_MAX = 1 << 18, DEPTH_MAX = 32 };

typedef struct list {
    char **paths;
    size_t count;
} list;

enum { FILE_ENTRY, DIRECTORY_ENTRY, OTHER_ENTRY };

static int kind_of(const struct dirent *entry, const char *path)
{
    struct stat about;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_REG   ? FILE_ENTRY
               : entry->d_type == DT_DIR ? DIRECTORY_ENTRY
                                         : OTHER_ENTRY;
    if (lstat(path, &about) != 0)
        return OTHER_ENTRY;
    return S_ISREG(about.st_mode)   ? FILE_ENTRY
           : S_ISDIR(about.st_mode) ? DIRECTORY_ENTRY
                                    : OTHER_ENTRY;
}

static void add_tree(list *to, const char *directory, unsigned depth)
{
    DIR *open = opendir(directory);
    struct dirent *entry;
    while (open && to->count < FILES_MAX && (entry = readdir(open))) {
        char path[1024];
        int length = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] == '.' || (size_t)length >= sizeof path)
            continue;
        int kind = kind_of(entry, path);
        if (kind == DIRECTORY_ENTRY && depth < DEPTH_MAX) {
            add_tree(to, path, depth + 1);
        } else if (kind == FILE_ENTRY) {
            to->paths[to->count] = strdup(path);
            assert_non_null(to->paths[to->count++]);
        }
    }
    if (open)
        closedir(open);
}

/* Whose it is, or NULL. Archives that cannot be read and files that cannot be opened have none.
 */
static const char *claimed(rp_context *context, rp_source *source)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const rp_format *format = NULL;
    reprise_status status = rp_recognise(context, source, &format, &error);
    rp_source_close(source);
    if (status == REPRISE_E_AMBIGUOUS)
        return "several formats";
    return status == REPRISE_OK ? format->name : NULL;
}

static const char *claimed_by(const char *path)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    if (rp_source_open_file(&context, path, &source, &error) != REPRISE_OK)
        return NULL;
    return claimed(&context, source);
}

/* Blocks of zeros with few other bytes: archives, tables and images have many of these. */
static void other_files__nobody_claims_nearly_nothing(void **state)
{
    (void)state;
    uint32_t random = 12345;
    size_t found = 0;
    for (unsigned i = 0; i < 4000; i++) {
        static uint8_t data[4096];
        static const size_t sizes[] = {64, 512, 1000, 1024, 4096};
        size_t size = sizes[i % 5];
        memset(data, 0, sizeof data);
        for (unsigned k = 0; k < i % 12; k++) {
            random = random * 1664525u + 1013904223u;
            data[(random >> 8) % size] = (uint8_t)(random >> 24);
        }
        rp_context context;
        rp_context_init(&context, NULL);
        reprise_error error = REPRISE_ERROR_INIT;
        rp_source *source = NULL;
        assert_int_equal(rp_source_open_memory(&context, data, size, &source, &error), REPRISE_OK);
        const char *name = claimed(&context, source);
        if (name)
            print_message("# %s claims file %u\n", name, i);
        found += name != NULL;
    }
    assert_int_equal(found, 0);
}

static void other_files__nobody_claims_files_under_usr(void **state)
{
    (void)state;
    list files = {.paths = calloc(FILES_MAX, sizeof *files.paths)};
    assert_non_null(files.paths);
    add_tree(&files, "/usr", 0);
    size_t tried = files.count < FILES_TRIED ? files.count : FILES_TRIED, found = 0;
    for (size_t i = 0; i < tried; i++) {
        const char *path = files.paths[i * files.count / tried];
        const char *name = claimed_by(path);
        if (name)
            print_message("# %s claims %s\n", name, path);
        found += name != NULL;
    }
    print_message("# %zu of the %zu files under /usr tried%s\n", tried, files.count,
                  tried < FILES_TRIED ? ", fewer than this test wants" : "");
    for (size_t i = 0; i < files.count; i++)
        free(files.paths[i]);
    free(files.paths);
    assert_int_equal(found, 0);
    if (!tried)
        skip();
}

/* The other side: what would make the test above pass for ever. */
static size_t samples_claimed;

static void expect_claim(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    if (!claimed_by(s->path))
        fail_msg("no format claims %s", s->path);
    samples_claimed++;
}

static void other_files__every_good_sample_is_claimed(void **state)
{
    (void)state;
    walk_samples("tests/data", expect_claim);
    assert_true(samples_claimed >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files__nobody_claims_nearly_nothing),
        cmocka_unit_test(other_files__nobody_claims_files_under_usr),
        cmocka_unit_test(other_files__every_good_sample_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
