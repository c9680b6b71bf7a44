/*
 * test_recompress.c - the law of `recompress` without a level, over all samples of all formats: it
 * is for archives, so the result is never larger than the file was, and the same replay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_command.h"
#include "samples.h"

/* What is large costs minutes with sanitizers and tells nothing that the others do not. */
enum { SECONDS_MAX = 60, SIZE_MAX_TRIED = 150000, DONE = 0, WARNED = 3 };

static char result[] = "/tmp/reprise-recompress-XXXXXX";
static size_t tried, smaller, kept;

static size_t size_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (size_t)about.st_size;
}

static bool is_unchanged(const sample *s)
{
    sample now = load_sample(result);
    bool same = now.size == s->size && memcmp(now.data, s->data, s->size) == 0;
    free(now.data);
    return same;
}

static void check_sample(const sample *s)
{
    if (s->size > SIZE_MAX_TRIED)
        return;
    const char *argv[] = {"recompress", s->path, result, "--force", NULL};
    command_result r = command_run(argv, SECONDS_MAX);
    if (r.code != DONE && r.code != WARNED) {
        command_free(&r);
        return;
    }
    tried++;
    size_t size = size_of(result);
    smaller += size < s->size;
    if (size > s->size)
        fail_msg("%s: %zu bytes become %zu", s->path, s->size, size);
    if (strstr(r.err, "kept as it was")) {
        kept++;
        assert_true(is_unchanged(s));
    }
    command_free(&r);
}

static void recompress__without_a_level_no_sample_becomes_larger(void **state)
{
    (void)state;
    int fd = mkstemp(result);
    assert_true(fd >= 0);
    close(fd);
    walk_samples("tests/data", check_sample);
    unlink(result);
    assert_true(tried > 80);
    assert_true(smaller > 40);
    assert_true(kept > 0); /* some were written by the best compressor there is */
}

static void recompress__with_a_level_that_level_is_what_one_gets(void **state)
{
    (void)state;
    const char *file = "tests/data/rumble/z6_match_like_1.2.4.replay";
    const char *argv[] = {"recompress", "--level", "fastest", file, result, NULL};
    command_result r = command_run(argv, SECONDS_MAX);
    assert_int_equal(r.code, DONE);
    assert_true(size_of(result) > size_of(file));
    assert_non_null(strstr(r.err, "larger than the original"));
    command_free(&r);
    unlink(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recompress__without_a_level_no_sample_becomes_larger),
        cmocka_unit_test(recompress__with_a_level_that_level_is_what_one_gets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
