/*
 * test_sources.c - the way bytes arrive must not matter: a file that is mapped or read in pieces,
 * memory, and callbacks that hand out 1, 7 or 31 bytes at a time all show the same replay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exercise.h"
#include "options.h"
#include "samples.h"
#include "share.h"

typedef struct dripping {
    const sample *from;
    size_t step;
    int closed;
} dripping;

static int64_t drip(void *ctx, uint64_t offset, void *to, size_t size)
{
    const dripping *source = ctx;
    size_t left = offset < source->from->size ? source->from->size - (size_t)offset : 0;
    size_t n = size < source->step ? size : source->step;
    n = n < left ? n : left;
    memcpy(to, source->from->data + offset, n);
    return (int64_t)n;
}

static void count_close(void *ctx)
{
    ((dripping *)ctx)->closed++;
}

static void same_by_callbacks(const sample *s, const exercise *expected, size_t step)
{
    dripping state = {.from = s, .step = step};
    reprise_source source = {.ctx = &state, .size = s->size, .read = drip, .close = count_close};
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    e.opened = reprise_open_source(&source, NULL, &replay, &error);
    if (e.opened == REPRISE_OK)
        exercise_replay(&e, replay);
    reprise_close(replay);
    if (e.digest != expected->digest || e.opened != expected->opened || state.closed != 1)
        fail_msg("%s differs when read %zu bytes at a time", s->path, step);
}

static void same_by_file(const sample *s, const exercise *expected, bool maps)
{
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    TEST_OPTIONS(options);
    assert_int_equal(reprise_options_set_mapping(options, maps, NULL), REPRISE_OK);
    e.opened = reprise_open_file(s->path, options, &replay, &error);
    if (e.opened == REPRISE_OK)
        exercise_replay(&e, replay);
    reprise_close(replay);
    if (e.digest != expected->digest || e.opened != expected->opened)
        fail_msg("%s differs when read from a file%s", s->path, maps ? "" : " that is not mapped");
}

/* One byte at a time is slow: larger samples do the same things more often. */
enum { SAMPLE_SIZE_MAX = 50000 };

static void check_sample(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    static const size_t steps[] = {1, 7, 31};
    exercise expected = exercise_memory(s->data, s->size, NULL);
    same_by_file(s, &expected, true);
    same_by_file(s, &expected, false);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (case_runs(s->size + i, sizeof steps / sizeof steps[0]))
            same_by_callbacks(s, &expected, steps[i]);
    }
}

static void sources__all_give_the_same(void **state)
{
    (void)state;
    walk_samples("tests/data", check_sample);
}

static size_t torn_samples;

/* What a sample that is sound may lack: its end, of which verify warns. */
static void note_torn_end(void *ctx, const reprise_finding *finding)
{
    reprise_status *end = ctx;
    assert_int_not_equal(finding->severity, REPRISE_FAULT);
    if (finding->status == REPRISE_E_TRUNCATED && finding->severity == REPRISE_WARNING)
        *end = REPRISE_E_TRUNCATED;
}

static reprise_status end_by_verify(const sample *s)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary;
    reprise_status end = REPRISE_END;
    assert_int_equal(reprise_open_memory(s->data, s->size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_verify(replay, note_torn_end, &end, &summary, &error), REPRISE_OK);
    reprise_close(replay);
    return end;
}

/* Rows end with the status of a torn end exactly where verify warns of one. */
static void check_good(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    exercise e = exercise_memory(s->data, s->size, NULL);
    reprise_status end = end_by_verify(s);
    torn_samples += end != REPRISE_END;
    if (e.opened != REPRISE_OK || e.read != end)
        fail_msg("%s: opened %d, read %d, expected %d", s->path, e.opened, e.read, end);
}

static void sources__good_samples_read_to_their_end(void **state)
{
    (void)state;
    walk_samples("tests/data", check_good);
    assert_int_equal(torn_samples, 1); /* one recorder was killed while it wrote a record */
}

/* ---- sources that change ---- */

/* Gives other bytes when it is asked again: every few reads one of them is another. */
typedef struct changing {
    const unsigned char *data;
    size_t size;
    uint32_t state;
    unsigned every; /* reads */
} changing;

static uint32_t roll(changing *c)
{
    c->state = c->state * 1664525u + 1013904223u;
    return c->state >> 8;
}

static int64_t read_changing(void *ctx, uint64_t offset, void *to, size_t size)
{
    changing *c = ctx;
    size_t left = offset < c->size ? c->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    memcpy(to, c->data + offset, n);
    if (n && roll(c) % c->every == 0)
        ((unsigned char *)to)[roll(c) % n] ^= (unsigned char)(1u << roll(c) % 8);
    return (int64_t)n;
}

static void read_while_changing(const sample *s, size_t size, uint32_t seed, bool salvage)
{
    changing state = {.data = s->data, .size = size, .state = seed, .every = 1 + seed % 12};
    reprise_source source = {.ctx = &state, .size = size, .read = read_changing};
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, salvage, NULL);
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    if (reprise_open_source(&source, options, &replay, &error) == REPRISE_OK)
        exercise_replay(&e, replay);
    reprise_close(replay);
}

/* Whole, and without its end, where archives have their directory. Nothing is asked but survival.
 */
static void check_changing(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    for (uint32_t seed = 1; seed <= 4; seed++) {
        if (!case_runs(s->size + seed, 4))
            continue;
        read_while_changing(s, s->size, seed, seed % 2);
        read_while_changing(s, s->size - s->size / 5, 100 + seed, true);
    }
}

static void sources__bytes_that_change_between_reads_break_nothing(void **state)
{
    (void)state;
    walk_samples("tests/data", check_changing);
}

/* Local headers without a directory that are there when counted and gone when read. */
typedef struct vanishing {
    const sample *from;
    unsigned reads, until;
} vanishing;

static int64_t read_vanishing(void *ctx, uint64_t offset, void *to, size_t size)
{
    vanishing *v = ctx;
    size_t left = offset < v->from->size ? v->from->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    memcpy(to, v->from->data + offset, n);
    if (v->reads++ >= v->until)
        memset(to, 0, n);
    return (int64_t)n;
}

static void sources__archive_without_directory_may_lose_its_headers(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    s.size -= s.size / 5;
    for (unsigned until = 0; until < 200; until++) {
        vanishing v = {.from = &s, .until = until};
        reprise_source source = {.ctx = &v, .size = s.size, .read = read_vanishing};
        TEST_OPTIONS(options);
        reprise_options_set_salvage(options, true, NULL);
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = NULL;
        if (reprise_open_source(&source, options, &replay, &error) != REPRISE_OK)
            assert_int_not_equal(error.status, REPRISE_OK);
        reprise_close(replay);
    }
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources__good_samples_read_to_their_end),
        cmocka_unit_test(sources__all_give_the_same),
        cmocka_unit_test(sources__bytes_that_change_between_reads_break_nothing),
        cmocka_unit_test(sources__archive_without_directory_may_lose_its_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
