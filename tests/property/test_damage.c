/*
 * test_damage.c - every prefix of a sample, and samples with flipped bits: reading them may fail,
 * but only cleanly, and a prefix never shows a row that the whole does not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exercise.h"
#include "options.h"
#include "samples.h"

/*
 * Small samples are cut at every byte, larger ones at about this many places. Of the bad ones,
 * which are mostly good ones with one thing changed, only the smallest count as small.
 */
enum { CUTS = 40, SMALL_MAX = 5000, SMALL_BAD_MAX = 1000 };
enum { FLIPS = 60, FLIPS_LEAST = 2, SAMPLE_SIZE_MAX = 50000 };

/* Samples of many rows get fewer flips, so that none takes more than its share of the time. */
enum { ROWS_READ_MAX = 100000 };

static uint64_t runs; /* damaged copies that were read */

/* On a copy of exactly that size, so that one byte too many is caught. */
static exercise exercise_copy(const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    exercise e = exercise_memory(copy, size, NULL);
    runs++;
    free(copy);
    return e;
}

/*
 * The most rows that a part of a sample may have: those of the complete file, and if that is
 * damaged, those that recovery finds in it. What tells that a file is damaged may be in the part
 * that was cut off: the directory of an archive, a keyframe, an embedded resource.
 */
static uint64_t most_rows(const sample *s)
{
    exercise whole = exercise_copy(s->data, s->size);
    if (whole.opened == REPRISE_OK && whole.read == REPRISE_END)
        return whole.rows;
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, true, NULL);
    exercise recovered = exercise_memory(s->data, s->size, options);
    return recovered.rows > whole.rows ? recovered.rows : whole.rows;
}

static void cut_everywhere(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    uint64_t most = most_rows(s);
    bool bad = strstr(s->path, "/bad/") != NULL;
    bool small = s->size <= (size_t)(bad ? SMALL_BAD_MAX : SMALL_MAX);
    size_t step = small ? 1 : s->size / CUTS;
    for (size_t size = 0; size < s->size; size += step) {
        exercise e = exercise_copy(s->data, size);
        if (e.rows > most)
            fail_msg("%s cut at %zu has more rows than the complete file", s->path, size);
    }
}

static void damage__every_prefix_fails_cleanly(void **state)
{
    (void)state;
    walk_samples("tests/data", cut_everywhere);
}

/* Damage that precedes a cut: rows end there, with or without the cut. */
static void damage__rows_of_a_cut_file_end_at_earlier_damage(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "tests/data/ironcurtain/bad/block-crc.icrep",
        "tests/data/ironcurtain/bad/tick-order.icrep",
        "tests/data/rumble/bad/zip_frame_size_negative.replay",
        "tests/data/rumble/bad/zip_index_out_of_range.replay",
        "tests/data/rumble/bad/zip_rotation_component.replay",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        sample s = load_sample(paths[i]);
        exercise whole = exercise_copy(s.data, s.size), cut = exercise_copy(s.data, s.size - 1);
        if (cut.opened != REPRISE_OK || cut.read != whole.read || cut.rows > whole.rows)
            fail_msg(
                "%s without its last byte: opened %d, %llu rows end with %d; complete: %llu, %d",
                s.path, cut.opened, (unsigned long long)cut.rows, cut.read,
                (unsigned long long)whole.rows, whole.read);
        free(s.data);
    }
}

/* A fixed sequence: a failure must come back. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void flip_bits(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    uint32_t seed = 20251209;
    unsigned char *copy = malloc(s->size ? s->size : 1);
    assert_non_null(copy);
    uint64_t share = ROWS_READ_MAX / (exercise_copy(s->data, s->size).rows + 1);
    size_t times = share < FLIPS_LEAST ? FLIPS_LEAST : share < FLIPS ? (size_t)share : FLIPS;
    for (size_t i = 0; s->size && i < times; i++) {
        memcpy(copy, s->data, s->size);
        size_t flips = 1 + next_random(&seed) % 3;
        while (flips--)
            copy[next_random(&seed) % s->size] ^= (unsigned char)(1u << next_random(&seed) % 8);
        exercise_memory(copy, s->size, NULL);
        runs++;
    }
    free(copy);
}

static void damage__flipped_bits_fail_cleanly(void **state)
{
    (void)state;
    walk_samples("tests/data", flip_bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage__every_prefix_fails_cleanly),
        cmocka_unit_test(damage__rows_of_a_cut_file_end_at_earlier_damage),
        cmocka_unit_test(damage__flipped_bits_fail_cleanly),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("# %llu runs\n", (unsigned long long)runs);
    return failed;
}
