/*
 * test_printer.c - rows are printed as they are formatted one by one, for every sample, as it is
 * and damaged, and with any number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include <reprise/reprise.h>

#include "exercise.h"
#include "samples.h"

static size_t compared, ended_early, printed;

static reprise_replay *open_sample(const sample *s, unsigned threads)
{
    reprise_options *options = NULL;
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_threads(options, threads, NULL), REPRISE_OK);
    if (reprise_open_memory(s->data, s->size, options, &replay, &error) != REPRISE_OK)
        replay = NULL;
    reprise_options_free(options);
    return replay;
}

static reprise_row_text_options style_of(const char *file)
{
    return (reprise_row_text_options){.struct_size = sizeof(reprise_row_text_options),
                                      .style = REPRISE_ROW_JSON,
                                      .with_track = true,
                                      .with_stored = true,
                                      .file = file};
}

/* One by one. */
static exercise format_rows(reprise_replay *replay)
{
    exercise e = {0};
    exercise_rows(&e, replay, false);
    return e;
}

static exercise print_rows(reprise_replay *replay)
{
    exercise e = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_row_text_options style = style_of(NULL);
    reprise_printer *printer = NULL;
    e.read = reprise_printer_open(replay, NULL, &sink, &printer, &error);
    for (size_t i = 0; printer && i < reprise_track_count(replay); i++)
        assert_int_equal(reprise_printer_set_style(printer, i, &style, NULL), REPRISE_OK);
    reprise_rows *rows = reprise_printer_rows(printer);
    while (e.read == REPRISE_OK && (e.read = reprise_rows_next(rows, &error)) == REPRISE_OK) {
        if (reprise_printer_row(printer, &error) != REPRISE_OK)
            break;
        e.rows++;
    }
    if (printer) {
        assert_int_equal(reprise_printer_end(printer, NULL), REPRISE_OK);
        assert_int_equal(reprise_printer_count(printer), e.rows);
    }
    reprise_printer_close(printer);
    return e;
}

static void expect_same(const sample *s, const char *how)
{
    reprise_replay *replay = open_sample(s, 1);
    if (!replay)
        return;
    exercise alone = format_rows(replay);
    reprise_close(replay);
    compared++;
    printed += alone.rows;
    ended_early += alone.read != REPRISE_END;
    for (unsigned threads = 1; threads <= 4; threads += threads > 1 ? 2 : 1) {
        replay = open_sample(s, threads);
        exercise together = print_rows(replay);
        reprise_close(replay);
        if (together.digest != alone.digest || together.read != alone.read ||
            together.rows != alone.rows)
            fail_msg("%s, %s, %u threads: %llu rows printed and then %s; formatted %llu, then %s",
                     s->path, how, threads, (unsigned long long)together.rows,
                     reprise_status_name(together.read), (unsigned long long)alone.rows,
                     reprise_status_name(alone.read));
    }
}

static void visit(const sample *s)
{
    if (s->size < 64 || s->size > 1 << 18)
        return;
    sample damaged = *s;
    damaged.data = malloc(s->size);
    assert_non_null(damaged.data);
    memcpy(damaged.data, s->data, s->size);
    expect_same(&damaged, "as it is");
    damaged.size = s->size - s->size / 5;
    expect_same(&damaged, "cut short");
    damaged.size = s->size;
    damaged.data[s->size / 2] ^= 0x10;
    expect_same(&damaged, "changed");
    free(damaged.data);
}

static void printed_rows_are_those_formatted_one_by_one(void **state)
{
    (void)state;
    walk_samples("tests/data", visit);
    assert_true(compared > 500);
    assert_true(ended_early > 200);
    assert_true(printed > 100000);
}

static reprise_printer *open_printer(reprise_replay *replay, const reprise_sink *sink)
{
    reprise_printer *printer = NULL;
    assert_int_equal(reprise_printer_open(replay, NULL, sink, &printer, NULL), REPRISE_OK);
    return printer;
}

static int refuse(void *ctx, const void *data, size_t size)
{
    (void)data, (void)size;
    ++*(unsigned *)ctx;
    return 28; /* ENOSPC */
}

static void a_sink_that_refuses_ends_the_printing(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    for (unsigned threads = 1; threads <= 3; threads++) {
        reprise_replay *replay = open_sample(&s, threads);
        unsigned calls = 0;
        reprise_sink sink = {.ctx = &calls, .write = refuse};
        reprise_printer *printer = open_printer(replay, &sink);
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = REPRISE_OK;
        while (status == REPRISE_OK &&
               reprise_rows_next(reprise_printer_rows(printer), NULL) == REPRISE_OK)
            status = reprise_printer_row(printer, &error);
        if (status == REPRISE_OK)
            status = reprise_printer_end(printer, &error);
        assert_int_equal(status, REPRISE_E_IO);
        assert_int_equal(calls, 1);
        assert_int_equal(reprise_printer_count(printer), 0);
        reprise_printer_close(printer);
        reprise_close(replay);
    }
    free(s.data);
}

/* Only what fits the limit is given to the sink, and counted. */
static void the_limit_of_output_holds(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    for (unsigned threads = 1; threads <= 3; threads++) {
        reprise_options *options = NULL;
        reprise_replay *replay = NULL;
        assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
        assert_int_equal(reprise_options_set_threads(options, threads, NULL), REPRISE_OK);
        assert_int_equal(reprise_options_set_limit(options, "output_bytes", 100000, NULL),
                         REPRISE_OK);
        assert_int_equal(reprise_open_memory(s.data, s.size, options, &replay, NULL), REPRISE_OK);
        reprise_options_free(options);
        exercise e = {0};
        reprise_sink sink = {.ctx = &e, .write = exercise_write};
        reprise_printer *printer = open_printer(replay, &sink);
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = REPRISE_OK;
        uint64_t rows = 0;
        while (status == REPRISE_OK &&
               reprise_rows_next(reprise_printer_rows(printer), NULL) == REPRISE_OK) {
            status = reprise_printer_row(printer, &error);
            rows++;
        }
        if (status == REPRISE_OK)
            status = reprise_printer_end(printer, &error);
        assert_int_equal(status, REPRISE_E_LIMIT);
        assert_non_null(strstr(error.message, "output_bytes"));
        assert_true(reprise_printer_count(printer) < rows);
        reprise_printer_close(printer);
        reprise_close(replay);
    }
    free(s.data);
}

static int keep(void *ctx, const void *data, size_t size)
{
    char *text = ctx;
    assert_true(strlen(text) + size < 4000);
    strncat(text, data, size);
    return 0;
}

/* A style holds for its track alone, and may be changed or freed by the caller after it was set. */
static void styles_belong_to_tracks(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    for (unsigned threads = 1; threads <= 2; threads++) {
        reprise_replay *replay = open_sample(&s, threads);
        char text[4000] = "", file[] = "a,\"b\"";
        reprise_sink sink = {.ctx = text, .write = keep};
        reprise_printer *printer = open_printer(replay, &sink);
        reprise_rows *rows = reprise_printer_rows(printer);
        size_t columns[] = {1, 0};
        reprise_row_text_options style = style_of(file);
        style.style = REPRISE_ROW_CSV;
        style.columns = columns;
        style.column_count = 2;
        int players = reprise_track_find(replay, "players");
        assert_true(players >= 0);
        assert_int_equal(reprise_printer_set_style(printer, (size_t)players, &style, NULL),
                         REPRISE_OK);
        assert_int_equal(reprise_printer_set_style(printer, 99, &style, NULL), REPRISE_E_USAGE);
        columns[0] = 7;
        file[0] = 'X';
        assert_int_equal(reprise_printer_row(printer, NULL), REPRISE_E_USAGE); /* no row yet */
        do
            assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_OK);
        while (reprise_row_track(rows) != (size_t)players);
        double time = reprise_row_time(rows);
        long long frame = (long long)reprise_row_index(rows);
        assert_int_equal(reprise_printer_row(printer, NULL), REPRISE_OK);
        assert_int_equal(reprise_printer_end(printer, NULL), REPRISE_OK);
        double shown = -1;
        long long number = -1;
        assert_int_equal(sscanf(text, "\"a,\"\"b\"\"\",%lf,%lld\n", &shown, &number), 2);
        assert_true(shown > time - 1e-3 && shown < time + 1e-3);
        assert_int_equal(number, frame);
        reprise_printer_close(printer);
        reprise_close(replay);
    }
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_rows_are_those_formatted_one_by_one),
        cmocka_unit_test(a_sink_that_refuses_ends_the_printing),
        cmocka_unit_test(the_limit_of_output_holds),
        cmocka_unit_test(styles_belong_to_tracks),
    };
    return cmocka_run_group_tests_name("printer", tests, NULL, NULL);
}
