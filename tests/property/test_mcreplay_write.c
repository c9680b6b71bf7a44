/*
 * test_mcreplay_write.c - the laws of writing, over every Minecraft sample: what was written reads
 * back the same row by row, writing again gives the same bytes, and a cut shows at every moment
 * what the whole shows there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exercise.h"
#include "samples.h"

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static int collect(void *ctx, const void *data, size_t size)
{
    bytes *b = ctx;
    b->data = realloc(b->data, b->size + size + 1);
    assert_non_null(b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return 0;
}

static reprise_replay *open_bytes(const void *data, size_t size)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    (void)!reprise_open_memory(data, size, NULL, &replay, &error);
    return replay;
}

/* Empty where the sample cannot be written, because its world is broken. */
static bytes rewritten(reprise_replay *replay, const double *range)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = collect};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_status status;
    if (range) {
        reprise_bound from = {.by = REPRISE_BY_TIME, .time = range[0]};
        reprise_bound to = {.by = REPRISE_BY_TIME, .time = range[1]};
        status = reprise_trim(replay, from, to, true, &options, &report, &error);
    } else {
        options.layout = "0.3.0";
        status = reprise_convert(replay, &options, &report, &error);
    }
    if (status != REPRISE_OK)
        result.size = 0;
    return result;
}

/* ---- comparing ---- */

typedef struct walk {
    reprise_rows *rows;
    reprise_error error;
} walk;

static walk walk_rows(reprise_replay *replay)
{
    walk w = {.error = REPRISE_ERROR_INIT};
    reprise_rows_options options = REPRISE_ROWS_INIT;
    assert_int_equal(reprise_rows_open(replay, &options, &w.rows, &w.error), REPRISE_OK);
    return w;
}

/* Entities that were skipped are not written, so numbers of entities may move up. */
static void compare_rows(const char *path, reprise_replay *a, reprise_replay *b)
{
    walk x = walk_rows(a), y = walk_rows(b);
    reprise_row_text_options format = {
        .struct_size = sizeof format, .with_track = true, .with_stored = true};
    size_t count = 0;
    for (;; count++) {
        reprise_status s = reprise_rows_next(x.rows, &x.error);
        reprise_status t = reprise_rows_next(y.rows, &y.error);
        if (s != t)
            fail_msg("%s: row %zu: %s and %s", path, count, reprise_status_name(s),
                     reprise_status_name(t));
        if (s != REPRISE_OK)
            break;
        const char *left = NULL, *right = NULL;
        size_t left_size = 0, right_size = 0;
        assert_int_equal(reprise_row_format(x.rows, &format, &left, &left_size, &x.error),
                         REPRISE_OK);
        assert_int_equal(reprise_row_format(y.rows, &format, &right, &right_size, &y.error),
                         REPRISE_OK);
        if (left_size != right_size || memcmp(left, right, left_size) != 0)
            fail_msg("%s: row %zu differs:\n%.*s%.*s", path, count, (int)left_size, left,
                     (int)right_size, right);
    }
    reprise_rows_close(x.rows);
    reprise_rows_close(y.rows);
}

static void writing_keeps_everything(const sample *s)
{
    reprise_replay *original = open_bytes(s->data, s->size);
    if (!original)
        return;
    bytes first = rewritten(original, NULL);
    bool bad = strstr(s->path, "/bad/") != NULL;
    if (!first.size && !bad)
        fail_msg("%s was not written", s->path);
    if (first.size) {
        reprise_replay *again = open_bytes(first.data, first.size);
        assert_non_null(again);
        assert_string_equal(reprise_layout(again), "0.3.0");
        if (!bad)
            compare_rows(s->path, original, again);
        bytes second = rewritten(again, NULL);
        assert_int_equal(second.size, first.size);
        assert_memory_equal(second.data, first.data, first.size);
        reprise_close(again);
        free(second.data);
    }
    free(first.data);
    reprise_close(original);
}

static void mcreplay_25__writing_keeps_everything(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", writing_keeps_everything);
}

/* ---- cuts ---- */

static size_t frames_at(reprise_replay *replay, double time, char *to, size_t size)
{
    const reprise_value *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_at(replay, (reprise_moment){.time = time}, &at, &error), REPRISE_OK);
    size_t used = 0;
    static const char *const columns[] = {"pos_x", "pos_y", "rot_w", "rot_y"};
    const reprise_value *parts = reprise_value_get(at, "parts");
    for (size_t i = 0; i < reprise_value_count(parts); i++) {
        for (size_t k = 0; k < 4; k++) {
            const reprise_value *value = reprise_value_get(reprise_value_at(parts, i), columns[k]);
            int n = snprintf(to + used, size - used, "%a ", reprise_value_double(value, 0));
            assert_true(n > 0 && (size_t)n < size - used);
            used += (size_t)n;
        }
    }
    return used;
}

static void mcreplay_26__a_cut_shows_what_the_whole_shows(void **state)
{
    (void)state;
    static const char *const names[] = {"multipart_basic", "armature_basic", "omission_rules"};
    static const double ranges[][2] = {{0.3, 0.9}, {0, 0.5}, {0.7, 100}};
    enum { TEXT_MAX = 1 << 16 };
    char *whole = malloc(TEXT_MAX), *part = malloc(TEXT_MAX);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char path[128];
        snprintf(path, sizeof path, "tests/data/mcreplay/%s.replay", names[n]);
        sample s = load_sample(path);
        reprise_replay *original = open_bytes(s.data, s.size);
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
            bytes cut = rewritten(original, ranges[r]);
            assert_true(cut.size > 0);
            reprise_replay *result = open_bytes(cut.data, cut.size);
            assert_non_null(result);
            /* A cut begins with the first frame at or behind its start: within one frame. */
            for (double time = ranges[r][0] + 0.05; time < ranges[r][1] && time < 1.2;
                 time += 0.05) {
                size_t a = frames_at(original, time + 0.001, whole, TEXT_MAX);
                size_t b = frames_at(result, time + 0.001, part, TEXT_MAX);
                if (a != b || memcmp(whole, part, a) != 0)
                    fail_msg("%s cut at %g shows something else at %g", path, ranges[r][0], time);
            }
            reprise_close(result);
            free(cut.data);
        }
        reprise_close(original);
        free(s.data);
    }
    free(whole);
    free(part);
}

/* ---- damage ---- */

static size_t frames_of(reprise_replay *replay)
{
    reprise_verify_summary summary;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    assert_int_equal(summary.faults, 0);
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    return (size_t)reprise_value_int(reprise_value_get(rows, "frames"), -1);
}

/* An archive of ours, whose headers have sizes, loses only what is behind the cut. */
static void mcreplay__whole_frames_are_recovered(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/mcreplay/multipart_basic.replay");
    reprise_replay *original = open_bytes(s.data, s.size);
    size_t all = frames_of(original), most = 0;
    bytes whole = rewritten(original, NULL);
    size_t steps = 0;
    for (size_t size = whole.size / 40; size <= whole.size; size += whole.size / 40) {
        reprise_options options;
        reprise_options_init(&options);
        options.salvage = true;
        reprise_replay *damaged = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(whole.data, size, &options, &damaged, &error),
                         REPRISE_OK);
        bytes result = {0};
        reprise_sink sink = {.ctx = &result, .write = collect};
        reprise_write_options how = REPRISE_WRITE_INIT;
        how.sink = &sink;
        const reprise_value *report = NULL;
        assert_int_equal(reprise_recover(damaged, &how, &report, &error), REPRISE_OK);
        reprise_replay *sound = open_bytes(result.data, result.size);
        assert_non_null(sound);
        size_t frames = frames_of(sound);
        assert_true(frames >= most && frames <= all);
        steps += frames > most;
        most = frames;
        reprise_close(sound);
        reprise_close(damaged);
        free(result.data);
    }
    /* More often than entities become complete: cut ones keep what they have. */
    assert_true(most > all / 2 && steps > 6);
    reprise_close(original);
    free(whole.data);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcreplay_25__writing_keeps_everything),
        cmocka_unit_test(mcreplay_26__a_cut_shows_what_the_whole_shows),
        cmocka_unit_test(mcreplay__whole_frames_are_recovered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
