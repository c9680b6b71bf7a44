/*
 * test_cs2kz_edit.c - what is done to CS2KZ recordings: finding the run, cutting it out, seeking,
 * and rewriting in all layouts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kz_files.h"
#include "reprise/write.h"

/* ---- runs ---- */

enum { START, END, STOP, PAUSE, RESUME };

static void put_timer(bytes *events, uint32_t tick, uint32_t kind, float run_time)
{
    put_number(events, 0, 4);
    put_number(events, tick, 4);
    put_number(events, kind, 4);
    put_number(events, 1, 4);
    put_float(events, run_time);
    put_zeros(events, 172 - 20);
}

/* Ten seconds with an attempt that was given up, then a run of three with a pause of one. */
static bytes paused_run(void)
{
    bytes file = blank_file(5), ticks = {0}, events = {0};
    put_zeros(&ticks, 640 * 8); /* nothing changes but the tick */
    replace_ticks(&file, &ticks, 640, 36);
    replace_commands(&file, &ticks, 640, 36);
    put_timer(&events, 16, START, 0);
    put_timer(&events, 64, START, 0);
    put_timer(&events, 128, PAUSE, 1);
    put_timer(&events, 192, RESUME, 1);
    put_timer(&events, 320, END, 3);
    replace_section(&file, "events", &events, 5);
    bytes_free(&ticks);
    bytes_free(&events);
    return file;
}

static const reprise_value *derived_run(reprise_replay *replay)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *stats = NULL;
    expect_ok(reprise_stats(replay, &stats, &error), &error, "stats");
    return reprise_value_get(reprise_value_get(stats, "derived"), "run");
}

static void expect_run(const bytes *file, int64_t start, int64_t end, double timer)
{
    reprise_replay *replay = open_bytes(file, false);
    const reprise_value *run = derived_run(replay);
    assert_int_equal(reprise_value_int(reprise_value_get(run, "start_tick"), -1), start);
    assert_int_equal(reprise_value_int(reprise_value_get(run, "end_tick"), -1), end);
    assert_true(reprise_value_double(reprise_value_get(run, "timer"), -1) == timer);
    reprise_close(replay);
}

static void cs2kz__39_the_run_is_the_last_start_before_the_end(void **state)
{
    (void)state;
    bytes file = paused_run();
    expect_run(&file, 64, 320, 3);
    expect_no_cell(&file, "ticks", 63, "run_time");
    expect_cell(&file, "ticks", 64, "run_time", 0);
    expect_cell(&file, "ticks", 160, "run_time", 1);
    expect_cell(&file, "ticks", 320, "run_time", 3);
    expect_no_cell(&file, "ticks", 321, "run_time");
    bytes_free(&file);
}

/* Without a pause the ticks of the run tell its time, as the header does. */
static void cs2kz__39_ticks_agree_with_the_recorded_time(void **state)
{
    (void)state;
    static const char *const samples[] = {"a1-run",       "a1-run-styles",
                                          "a3-run",       "b2-run",
                                          "p-run-styles", "019a9b07-044d-785c-9077-bed61db82000"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        bytes file = load(samples[i]);
        reprise_replay *replay = open_bytes(&file, false);
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *stats = NULL;
        expect_ok(reprise_stats(replay, &stats, &error), &error, "stats");
        const reprise_value *derived = reprise_value_get(stats, "derived");
        const reprise_value *run = reprise_value_get(derived, "run");
        double timer = reprise_value_double(reprise_value_get(run, "ticks"), 0) / 64;
        const reprise_value *recorded = reprise_value_get(stats, "recorded");
        double said = reprise_value_double(reprise_value_get(recorded, "run_time"), 0);
        if (fabs(timer - said) > 1.0 / 64 || said == 0)
            fail_msg("%s: %g seconds, %g are recorded", samples[i], timer, said);
        reprise_close(replay);
        bytes_free(&file);
    }
}

/* Ticks that were not recorded do not count: events tell what the timer showed. */
static void cs2kz__run_times_agree_with_the_events(void **state)
{
    (void)state;
    bytes file = load("019a9b07-044d-785c-9077-bed61db82000");
    static const struct {
        int64_t tick;
        double time;
    } known[] = {{50058, 0}, {50475, 1.421875}, {50623, 3.734375}, {51308, 14.4375}};
    reprise_replay *replay = open_bytes(&file, false);
    for (size_t i = 0; i < 4; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *at = NULL;
        reprise_moment moment = {.by_index = true, .index = known[i].tick};
        expect_ok(reprise_at(replay, moment, &at, &error), &error, "at");
        const reprise_value *row = reprise_value_at(reprise_value_get(at, "ticks"), 0);
        assert_true(reprise_value_double(reprise_value_get(row, "run_time"), -1) == known[i].time);
    }
    reprise_close(replay);
    bytes_free(&file);
}

static bytes trim_run(const bytes *from, double lead_in, double lead_out)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(from, false);
    reprise_bound start = {.by = REPRISE_BY_RUN, .time = -lead_in};
    reprise_bound end = {.by = REPRISE_BY_RUN, .time = lead_out};
    expect_ok(reprise_trim(replay, start, end, false, &options, &report, &error), &error, "trim");
    reprise_close(replay);
    return result;
}

static void cs2kz__trim_cuts_out_the_run(void **state)
{
    (void)state;
    bytes file = paused_run();
    bytes bare = trim_run(&file, 0, 0), framed = trim_run(&file, 0.5, 0.25);
    assert_int_equal(row_count(&bare, "ticks"), 320 - 64 + 1);
    assert_int_equal(row_count(&bare, "commands"), 320 - 64 + 1);
    assert_int_equal(row_count(&bare, "events"), 4);
    expect_cell(&bare, "ticks", 0, "tick", 64);
    expect_run(&bare, 64, 320, 3);
    assert_int_equal(row_count(&framed, "ticks"), 320 - 64 + 1 + 32 + 16);
    expect_cell(&framed, "ticks", 0, "tick", 32);
    expect_run(&framed, 64, 320, 3);
    bytes_free(&bare);
    bytes_free(&framed);
    bytes_free(&file);
}

/* The lead-in of a recording that begins with the run is what there is. */
static void cs2kz__trim_takes_a_lead_as_far_as_it_goes(void **state)
{
    (void)state;
    bytes file = paused_run(), all = trim_run(&file, 100, 100);
    assert_int_equal(row_count(&all, "ticks"), 640);
    bytes_free(&all);
    bytes_free(&file);
}

static reprise_status seek_run(const bytes *file, double timer, int64_t *ret_tick)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    reprise_status status = reprise_at(replay, (reprise_moment){.by_run = true, .time = timer}, &at,
                                       &error);
    if (status == REPRISE_OK)
        *ret_tick = reprise_value_int(reprise_value_get(at, "tick"), -1);
    reprise_close(replay);
    return status;
}

static void cs2kz__at_goes_by_the_timer_of_the_run(void **state)
{
    (void)state;
    static const struct {
        double timer;
        int64_t tick;
    } moments[] = {{0, 64}, {0.5, 96}, {1, 128}, {1.5, 224}, {3, 320}, {3.01, 320}};
    bytes file = paused_run();
    int64_t tick = 0;
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
        assert_int_equal(seek_run(&file, moments[i].timer, &tick), REPRISE_OK);
        assert_int_equal(tick, moments[i].tick);
    }
    assert_int_equal(seek_run(&file, -1, &tick), REPRISE_E_USAGE);
    assert_int_equal(seek_run(&file, 3.5, &tick), REPRISE_E_USAGE);
    bytes_free(&file);
    file = load("b4-manual");
    assert_int_equal(seek_run(&file, 0, &tick), REPRISE_E_USAGE); /* no run */
    bytes_free(&file);
}

/* A recording may skip ticks; the message for a skipped one names the nearest. */
static void cs2kz__at_names_the_nearest_tick_of_a_gap(void **state)
{
    (void)state;
    static const struct {
        int64_t tick;
        const char *message;
    } cases[] = {
        {50100, "there is no tick 50100; the nearest is 50082"},
        {INT64_MIN, "there is no tick -9223372036854775808; the nearest is 49738"},
    };
    bytes file = load("019a9b07-044d-785c-9077-bed61db82000");
    reprise_replay *replay = open_bytes(&file, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reprise_moment moment = {.by_index = true, .index = cases[i].tick};
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *at = NULL;
        assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_E_USAGE);
        assert_string_equal(error.message, cases[i].message);
    }
    reprise_close(replay);
    bytes_free(&file);
}

static void cs2kz__the_name_of_the_file_is_the_replay_id(void **state)
{
    (void)state;
    static const struct {
        const char *name, *id;
    } files[] = {
        {"tests/data/cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay",
         "019a9b07-044d-785c-9077-bed61db82000"},
        {"tests/data/cs2kz/b5-edge.replay", NULL},
    };
    for (size_t i = 0; i < 2; i++) {
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *info = NULL;
        expect_ok(reprise_open_file(files[i].name, NULL, &replay, &error), &error, "open");
        expect_ok(reprise_info(replay, &info, &error), &error, "info");
        const char *id = reprise_value_text(reprise_value_get(info, "replay_id"), NULL);
        assert_int_equal(id != NULL, files[i].id != NULL);
        if (id) {
            assert_string_equal(id, files[i].id);
            double created = reprise_value_double(reprise_value_get(info, "created"), 0);
            assert_true(created == 1763537519.693);
        }
        reprise_close(replay);
    }
}

/* ---- every layout ---- */

static const char *const layouts[] = {"a1", "a2", "a3", "b1", "b2", "b3", "b4", "b5", "p"};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static bool are_equal(const bytes *a, const bytes *b)
{
    reprise_replay *left = open_bytes(a, false), *right = open_bytes(b, false);
    bool equal = false;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(left, right, NULL, &equal, &report, &error), &error, "diff");
    reprise_close(left);
    reprise_close(right);
    return equal;
}

static bool holds(const bytes *file, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= file->size; i++) {
        if (memcmp(file->data + i, text, size) == 0)
            return true;
    }
    return false;
}

/* read(write(x)) = x, the same bytes each time, and again when our own file is rewritten. */
static void cs2kz__laws_of_writing_hold_in_every_layout(void **state)
{
    (void)state;
    bytes original = load("a3-run");
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = changed(&original, (change){.convert = layouts[i]});
        bytes twice = changed(&original, (change){.convert = layouts[i]});
        bytes again = changed(&file, (change){.convert = layouts[i]});
        assert_true(same_bytes(&file, &twice));
        assert_true(same_bytes(&file, &again));
        assert_true(are_equal(&file, &again));
        bytes_free(&file);
        bytes_free(&twice);
        bytes_free(&again);
    }
    bytes_free(&original);
}

static void cs2kz__recompress_keeps_every_layout(void **state)
{
    (void)state;
    bytes original = load("a3-run");
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = changed(&original, (change){.convert = layouts[i]});
        bytes other = changed(&file, (change){.recompress = true, .level = 9});
        assert_true(are_equal(&file, &other));
        assert_false(same_bytes(&file, &other));
        bytes_free(&file);
        bytes_free(&other);
    }
    bytes_free(&original);
}

/* More bytes than are copied at once, none of which repeats. */
static void cs2kz__recompress_keeps_what_follows_the_last_section(void **state)
{
    (void)state;
    uint8_t more[10000];
    bytes file = load("b2-run");
    for (size_t i = 0; i < sizeof more; i++)
        more[i] = (uint8_t)(i * 7 + (i >> 8) * 13);
    bytes_write(&file, more, sizeof more);
    bytes other = changed(&file, (change){.recompress = true, .level = 9});
    assert_true(other.size > sizeof more);
    assert_memory_equal(other.data + other.size - sizeof more, more, sizeof more);
    bytes_free(&file);
    bytes_free(&other);
}

static void cs2kz__diff_sees_a_change_in_every_layout(void **state)
{
    (void)state;
    bytes original = load("a3-run");
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = changed(&original, (change){.convert = layouts[i]});
        bytes cut = changed(&file, (change){.trim = true, .from = 311603, .to = 311640});
        assert_false(are_equal(&file, &cut));
        assert_int_equal(row_count(&cut, "ticks"), 38);
        bytes_free(&file);
        bytes_free(&cut);
    }
    bytes_free(&original);
}

/* Cut in its events, every layout still gives the ticks before them, as a sound file. */
static void cs2kz__recover_keeps_what_is_complete_in_every_layout(void **state)
{
    (void)state;
    bytes original = load("a3-run");
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = changed(&original, (change){.convert = layouts[i]});
        bytes cut = {.data = file.data, .size = section_at(&file, "events") + 5};
        bytes rescued = changed(&cut, (change){.recover = true});
        assert_int_equal(row_count(&rescued, "ticks"), row_count(&file, "ticks"));
        outcome o = look(&rescued);
        assert_non_null(o.replay);
        assert_int_equal(o.summary.faults, 0);
        reprise_close(o.replay);
        bytes_free(&rescued);
        bytes_free(&file);
    }
    bytes_free(&original);
}

/* No person is left in any layout; actions and their times stay. */
static void cs2kz__anonymize_removes_every_person_in_every_layout(void **state)
{
    (void)state;
    static const char *const kept[] = {"jumps", "events", NULL};
    bytes original = load("a3-run");
    memcpy(original.data + 16, "Somebody Special", 17);
    memcpy(original.data + 16 + 17, "stray memory", 12);
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = changed(&original, (change){.convert = layouts[i]});
        assert_true(holds(&file, "Somebody Special"));
        assert_false(holds(&file, "stray memory")); /* gaps are never written again */
        bytes clean = changed(&file, (change){.anonymize = REPRISE_PRIVATE_ALL});
        assert_false(holds(&clean, "Somebody Special"));
        expect_same_digests(&file, &clean, kept);
        expect_cell(&clean, "ticks", 5, "unix_time", 0);
        expect_cell(&clean, "commands", 5, "latency", 0);
        expect_cell(&clean, "weapons", 0, "account_id", 0);
        expect_cell(&clean, "weapons", 0, "item_id", 0);
        bytes_free(&file);
        bytes_free(&clean);
    }
    bytes_free(&original);
}

/* ---- seeking ---- */

/* The state at a tick is that of its row. */
static void compare_moment(reprise_replay *replay, int64_t tick, const char *track, size_t count,
                           double x)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    reprise_moment moment = {.by_index = true, .index = tick};
    expect_ok(reprise_at(replay, moment, &at, &error), &error, "at");
    const reprise_value *rows = reprise_value_get(at, track);
    assert_int_equal(reprise_value_count(rows), count);
    const reprise_value *row = reprise_value_at(reprise_value_get(at, "ticks"), 0);
    double found = reprise_value_double(reprise_value_get(row, "post_origin_x"), NAN);
    assert_true((float)found == (float)x || (isnan(found) && isnan(x)));
}

/* Ticks and how many moves each has, then the same by seeking there and back. */
static void seek_around(const sample *s)
{
    enum { TICKS_MAX = 4096 };
    static struct {
        int64_t tick;
        size_t moves;
        double x;
    } known[TICKS_MAX];
    if (strstr(s->path, "/bad/"))
        return;
    bytes file = {.data = s->data, .size = s->size};
    reprise_replay *replay = open_bytes(&file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    size_t ticks = (size_t)reprise_track_find(replay, "ticks"), count = 0, column = 0;
    options.tracks = UINT64_C(1) << ticks | UINT64_C(1) << reprise_track_find(replay, "subticks");
    while (strcmp(reprise_column_at(replay, ticks, column)->name, "post_origin_x") != 0)
        column++;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    while (reprise_rows_next(rows, &error) == REPRISE_OK && count < TICKS_MAX) {
        int64_t tick = reprise_row_index(rows);
        if (reprise_row_track(rows) == ticks) {
            known[count].tick = tick;
            known[count].moves = 0;
            known[count++].x = reprise_row_double(rows, column);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            known[i].moves += known[i].tick == tick;
    }
    reprise_rows_close(rows);
    for (size_t i = 0; i < 9 && count; i++) {
        size_t row = i * 7919 % count;
        for (size_t k = 0; k < row; k++) /* of two with the same number the first is found */
            row = known[k].tick == known[row].tick ? k : row;
        compare_moment(replay, known[row].tick, "subticks", known[row].moves, known[row].x);
    }
    reprise_close(replay);
}

static void cs2kz__at_gives_the_rows_of_its_tick(void **state)
{
    (void)state;
    walk_samples("tests/data/cs2kz", seek_around);
}

/* A recording of ten minutes with ticks that do not compress. */
static bytes ten_minutes(void)
{
    enum { TICKS = 64 * 600, MOVES = 868 };
    bytes file = blank_file(5), ticks = {0}, moves = {0};
    uint32_t noise = 1;
    for (unsigned i = 0; i < TICKS; i++) {
        put_number(&ticks, UINT64_C(1) << 1 | UINT64_C(1) << 10 | 7 << 13, 8);
        for (unsigned k = 0; k < 4 + 3; k++) {
            noise = noise * 1664525 + 1013904223;
            put_number(&ticks, noise, 4);
        }
    }
    put_zeros(&moves, (size_t)TICKS * MOVES);
    replace_section(&file, "ticks", &ticks, TICKS);
    replace_section(&file, "tickSubticks", &moves, TICKS);
    bytes_free(&ticks);
    bytes_free(&moves);
    return file;
}

typedef struct counted {
    const bytes *file;
    uint64_t read;
} counted;

static int64_t read_counted(void *ctx, uint64_t offset, void *to, size_t size)
{
    counted *c = ctx;
    size_t left = offset < c->file->size ? c->file->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    memcpy(to, c->file->data + offset, n);
    c->read += n;
    return (int64_t)n;
}

static uint64_t bytes_read_for(const bytes *file, int64_t tick)
{
    counted c = {.file = file};
    reprise_source source = {.ctx = &c, .size = file->size, .read = read_counted};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    const reprise_value *at = NULL;
    expect_ok(reprise_open_source(&source, NULL, &replay, &error), &error, "open");
    c.read = 0;
    reprise_moment moment = {.by_index = true, .index = tick};
    expect_ok(reprise_at(replay, moment, &at, &error), &error, "at");
    reprise_close(replay);
    return c.read;
}

static void cs2kz__at_reads_no_further_than_a_minute_after_its_moment(void **state)
{
    (void)state;
    bytes file = ten_minutes();
    uint64_t early = bytes_read_for(&file, 64), middle = bytes_read_for(&file, 64 * 300),
             late = bytes_read_for(&file, 64 * 599);
    assert_true(early * 3 < late);
    assert_true(middle * 6 < late * 5);
    bytes_free(&file);
}

/* ---- threads ---- */

static void read_with_two(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    outcome one = look_with(&file, 1), two = look_with(&file, 2);
    assert_int_equal(one.replay != NULL, two.replay != NULL);
    assert_int_equal(one.error.status, two.error.status);
    assert_int_equal(one.summary.faults, two.summary.faults);
    assert_int_equal(one.summary.warnings, two.summary.warnings);
    for (size_t i = 0; one.replay && !one.summary.faults && all_tracks[i]; i++)
        assert_string_equal(digest(&one, all_tracks[i]), digest(&two, all_tracks[i]));
    reprise_close(one.replay);
    reprise_close(two.replay);
}

static void cs2kz__two_threads_read_the_same(void **state)
{
    (void)state;
    walk_samples("tests/data/cs2kz", read_with_two);
}

/* ---- compression ---- */

/* Random ticks, then the same ones again, farther back than the window of the lowest level. */
static bytes repetitive(void)
{
    enum { TICKS = 40 * 1024, HALF = TICKS / 2 };
    bytes file = blank_file(5), ticks = {0};
    uint32_t noise = 1;
    for (unsigned i = 0; i < TICKS; i++) {
        if (i == HALF)
            noise = 1;
        put_number(&ticks, UINT64_C(1) << 1 | UINT64_C(1) << 10 | 7 << 13, 8);
        for (unsigned k = 0; k < 4 + 3; k++) {
            noise = noise * 1664525 + 1013904223;
            put_number(&ticks, noise, 4);
        }
    }
    replace_section(&file, "ticks", &ticks, TICKS);
    bytes_free(&ticks);
    bytes moves = {0};
    put_zeros(&moves, (size_t)TICKS * 868);
    replace_section(&file, "tickSubticks", &moves, TICKS);
    bytes_free(&moves);
    return file;
}

static void cs2kz__recompressing_with_long_range_finds_what_is_far_back(void **state)
{
    (void)state;
    bytes file = repetitive();
    bytes near = changed(&file, (change){.recompress = true, .level = 1});
    bytes far = changed(&file, (change){.recompress = true, .level = 1, .long_range = true});
    assert_true(far.size * 10 < near.size * 6);
    expect_same_digests(&file, &far, all_tracks);
    bytes_free(&near);
    bytes_free(&far);
    bytes_free(&file);
}

static void cs2kz__other_formats_have_no_long_range(void **state)
{
    (void)state;
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_open_file("tests/data/rumble/z6_edge.replay", NULL, &replay, &error), &error,
              "open");
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.long_range = true;
    const reprise_value *report = NULL;
    assert_int_equal(reprise_recompress(replay, &options, &report, &error), REPRISE_E_USAGE);
    assert_int_equal(result.size, 0);
    reprise_close(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cs2kz__39_the_run_is_the_last_start_before_the_end),
        cmocka_unit_test(cs2kz__39_ticks_agree_with_the_recorded_time),
        cmocka_unit_test(cs2kz__run_times_agree_with_the_events),
        cmocka_unit_test(cs2kz__trim_cuts_out_the_run),
        cmocka_unit_test(cs2kz__trim_takes_a_lead_as_far_as_it_goes),
        cmocka_unit_test(cs2kz__at_goes_by_the_timer_of_the_run),
        cmocka_unit_test(cs2kz__at_names_the_nearest_tick_of_a_gap),
        cmocka_unit_test(cs2kz__laws_of_writing_hold_in_every_layout),
        cmocka_unit_test(cs2kz__recompress_keeps_every_layout),
        cmocka_unit_test(cs2kz__recompress_keeps_what_follows_the_last_section),
        cmocka_unit_test(cs2kz__diff_sees_a_change_in_every_layout),
        cmocka_unit_test(cs2kz__recover_keeps_what_is_complete_in_every_layout),
        cmocka_unit_test(cs2kz__anonymize_removes_every_person_in_every_layout),
        cmocka_unit_test(cs2kz__at_gives_the_rows_of_its_tick),
        cmocka_unit_test(cs2kz__at_reads_no_further_than_a_minute_after_its_moment),
        cmocka_unit_test(cs2kz__two_threads_read_the_same),
        cmocka_unit_test(cs2kz__recompressing_with_long_range_finds_what_is_far_back),
        cmocka_unit_test(cs2kz__other_formats_have_no_long_range),
        cmocka_unit_test(cs2kz__the_name_of_the_file_is_the_replay_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
