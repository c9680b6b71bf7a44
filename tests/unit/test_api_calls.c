/*
 * test_api_calls.c - programs that were compiled with earlier or later versions of the headers:
 * struct_size says what they know.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options.h"
#include "recording.h"
#include "reprise/reprise.h"

#define SAMPLE "tests/data/ironcurtain/basic.icrep"

/* ---- other versions ---- */

static uint64_t count_rows(const reprise_rows_options *options)
{
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    uint64_t count = 0;
    assert_int_equal(reprise_open_file(SAMPLE, NULL, &replay, NULL), REPRISE_OK);
    assert_int_equal(reprise_rows_open(replay, options, &rows, NULL), REPRISE_OK);
    while (reprise_rows_next(rows, NULL) == REPRISE_OK)
        count++;
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

static void api_calls__members_after_struct_size_are_not_read(void **state)
{
    (void)state;
    reprise_rows_options all = REPRISE_ROWS_INIT, some = REPRISE_ROWS_INIT, none;
    some.index_to = 10;
    uint64_t wanted = count_rows(&all), fewer = count_rows(&some);
    assert_true(fewer > 0 && fewer < wanted);
    memset(&none, 0xA5, sizeof none);
    none.struct_size = offsetof(reprise_rows_options, tracks);
    assert_int_equal(count_rows(&none), wanted);
    /* A program that knows the bounds of time and no later member. */
    some.struct_size = offsetof(reprise_rows_options, index_to);
    assert_int_equal(count_rows(&some), wanted);
    some.struct_size = offsetof(reprise_rows_options, every_frame);
    assert_int_equal(count_rows(&some), fewer);
}

static void api_calls__members_of_later_versions_are_ignored(void **state)
{
    (void)state;
    struct {
        reprise_rows_options known;
        uint8_t later[64];
    } newer = {.known = REPRISE_ROWS_INIT};
    reprise_rows_options all = REPRISE_ROWS_INIT;
    memset(newer.later, 0xA5, sizeof newer.later);
    newer.known.struct_size = sizeof newer;
    assert_int_equal(count_rows(&newer.known), count_rows(&all));
}

/* What is given back fills the room that there is, and no more. */
static void api_calls__results_fit_any_room(void **state)
{
    (void)state;
    disk live = {0}, whole = {0};
    reprise_storage storage = {.ctx = &live, .write = disk_write, .read = disk_read};
    reprise_sink sink = {.ctx = &whole, .write = disk_keep};
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.storage = &storage;
    options.finished = &sink;
    match m;
    match_begin(&m, &options, 2);
    match_run(&m, 5);
    struct {
        reprise_ic_recorder_stats stats;
        uint8_t more[32];
    } room;
    const size_t sizes[] = {offsetof(reprise_ic_recorder_stats, keyframes),
                            sizeof(reprise_ic_recorder_stats), sizeof room};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(&room, 0xA5, sizeof room);
        room.stats.struct_size = sizes[i];
        assert_int_equal(reprise_ic_recorder_get_stats(m.recorder, &room.stats, NULL), REPRISE_OK);
        assert_int_equal(room.stats.struct_size, sizes[i]);
        assert_int_equal(room.stats.frames, 5);
        const uint8_t *bytes = (const uint8_t *)&room;
        size_t filled = sizes[i] < sizeof room.stats ? sizes[i] : sizeof room.stats;
        for (size_t k = filled; k < sizeof room; k++)
            assert_int_equal(bytes[k], 0xA5);
    }
    match_end(&m);
    match_free(&m);
    free(live.data);
    free(whole.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(api_calls__members_after_struct_size_are_not_read),
        cmocka_unit_test(api_calls__members_of_later_versions_are_ignored),
        cmocka_unit_test(api_calls__results_fit_any_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
