/*
 * test_batches.c - batches of columns hold exactly what the row cursor shows, for every sample, and
 * are laid out as reprise.h promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include <reprise/reprise.h>
#include <reprise/write.h>

#include "samples.h"
#include "share.h"

static uint64_t rows_compared, nested_seen, nulls_seen;

static bool bit(const uint8_t *bits, size_t index)
{
    return bits[index / 8] >> index % 8 & 1;
}

static bool is_null(const reprise_array *a, size_t i)
{
    return a->validity && !bit(a->validity, i);
}

/* ---- layout ---- */

static void expect_offsets(const reprise_array *a, size_t end)
{
    assert_non_null(a->offsets);
    assert_int_equal(a->offsets[0], 0);
    for (size_t i = 0; i < a->length; i++) {
        assert_true(a->offsets[i] <= a->offsets[i + 1]);
        if (is_null(a, i))
            assert_int_equal(a->offsets[i], a->offsets[i + 1]);
    }
    assert_int_equal(a->offsets[a->length], end);
}

static void expect_union(const reprise_array *a)
{
    const uint8_t *variants = a->values;
    assert_null(a->validity);
    for (size_t i = 0; i < a->length; i++) {
        assert_true(variants[i] < a->child_count);
        assert_true(a->offsets[i] >= 0);
        assert_true((size_t)a->offsets[i] < a->children[variants[i]]->length);
    }
}

static void expect_layout(const reprise_array *a)
{
    size_t nulls = 0;
    assert_non_null(a->name);
    for (size_t i = 0; i < a->length; i++)
        nulls += is_null(a, i);
    assert_int_equal(nulls, a->null_count);
    nulls_seen += nulls;
    assert_true(a->null_count == 0 || a->validity);
    switch (a->type) {
    case REPRISE_ARRAY_TEXT:
    case REPRISE_ARRAY_BYTES:
        for (size_t i = 0; i < a->length; i++)
            assert_true(a->offsets[i] <= a->offsets[i + 1]);
        assert_int_equal(a->offsets[0], 0);
        break;
    case REPRISE_ARRAY_LIST:
        assert_int_equal(a->child_count, 1);
        expect_offsets(a, a->children[0]->length);
        break;
    case REPRISE_ARRAY_FIXED_LIST:
        assert_int_equal(a->children[0]->length, a->length * a->width);
        break;
    case REPRISE_ARRAY_STRUCT:
        for (size_t i = 0; i < a->child_count; i++)
            assert_int_equal(a->children[i]->length, a->length);
        break;
    case REPRISE_ARRAY_UNION:
        expect_union(a);
        break;
    default:
        assert_non_null(a->values);
        assert_int_equal((uintptr_t)a->values % 8, 0);
    }
    nested_seen += a->child_count > 0;
    for (size_t i = 0; i < a->child_count; i++)
        expect_layout(a->children[i]);
}

/* ---- values ---- */

static int64_t int_at(const reprise_array *a, size_t i)
{
    switch (a->type) {
    case REPRISE_ARRAY_BOOL:
        return bit(a->values, i);
    case REPRISE_ARRAY_INT8:
        return ((const int8_t *)a->values)[i];
    case REPRISE_ARRAY_INT16:
        return ((const int16_t *)a->values)[i];
    case REPRISE_ARRAY_INT32:
        return ((const int32_t *)a->values)[i];
    case REPRISE_ARRAY_INT64:
        return ((const int64_t *)a->values)[i];
    case REPRISE_ARRAY_UINT8:
        return ((const uint8_t *)a->values)[i];
    case REPRISE_ARRAY_UINT16:
        return ((const uint16_t *)a->values)[i];
    case REPRISE_ARRAY_UINT32:
        return ((const uint32_t *)a->values)[i];
    default:
        return (int64_t)((const uint64_t *)a->values)[i];
    }
}

static void expect_text(const reprise_array *a, size_t i, const char *text, size_t size)
{
    assert_int_equal(a->offsets[i + 1] - a->offsets[i], size);
    if (size)
        assert_memory_equal((const char *)a->values + a->offsets[i], text, size);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_cell(const reprise_array *a, size_t i, const reprise_rows *rows, size_t column)
{
    assert_int_equal(is_null(a, i),
                     reprise_row_null(rows, column) && a->type != REPRISE_ARRAY_UNION);
    assert_int_equal(bit(a->stored, i), reprise_row_stored(rows, column));
    if (reprise_row_null(rows, column)) {
        assert_int_equal(reprise_row_int(rows, column), 0);
        assert_true(reprise_row_double(rows, column) == 0);
        assert_null(reprise_row_text(rows, column, NULL));
        assert_int_equal(reprise_array_int(a, i), 0);
        assert_true(reprise_array_double(a, i) == 0);
        return;
    }
    size_t size = 0;
    const char *text = reprise_row_text(rows, column, &size);
    double number = reprise_row_double(rows, column);
    switch (a->type) {
    case REPRISE_ARRAY_FLOAT:
        assert_true(same_number((double)((const float *)a->values)[i], number));
        assert_true(same_number(reprise_array_double(a, i), number));
        assert_true(reprise_array_int(a, i) == reprise_row_int(rows, column));
        break;
    case REPRISE_ARRAY_DOUBLE:
        assert_true(same_number(((const double *)a->values)[i], number));
        assert_true(same_number(reprise_array_double(a, i), number));
        assert_true(reprise_array_int(a, i) == reprise_row_int(rows, column));
        break;
    case REPRISE_ARRAY_TEXT:
    case REPRISE_ARRAY_BYTES:
        expect_text(a, i, text, size);
        break;
    case REPRISE_ARRAY_FIXED_BYTES:
    case REPRISE_ARRAY_LIST:
    case REPRISE_ARRAY_FIXED_LIST:
    case REPRISE_ARRAY_STRUCT:
    case REPRISE_ARRAY_UNION:
        assert_int_equal(reprise_array_int(a, i), 0);
        break;
    default:
        assert_true(int_at(a, i) == reprise_row_int(rows, column));
        assert_true(reprise_array_int(a, i) == int_at(a, i));
        assert_true(reprise_array_double(a, i) == (a->type == REPRISE_ARRAY_UINT64
                                                       ? (double)(uint64_t)int_at(a, i)
                                                       : (double)int_at(a, i)));
    }
}

static void expect_row(const reprise_replay *replay, size_t track, const reprise_rows *rows,
                       const reprise_batch *batch, size_t i)
{
    assert_int_equal(reprise_row_track(rows), track);
    for (size_t k = 0; k < batch->column_count; k++) {
        const reprise_array *a = batch->columns[k];
        assert_int_equal(reprise_array_int(a, a->length), 0);
        assert_true(reprise_array_double(a, SIZE_MAX) == 0);
        int column = reprise_column_find(replay, track, a->name);
        assert_int_equal(a->length, batch->row_count);
        if (column < 0)
            assert_int_equal(a->null_count, a->length); /* this layout does not have it */
        else
            expect_cell(a, i, rows, (size_t)column);
    }
    rows_compared++;
}

static void compare_track(reprise_replay *replay, size_t track, size_t rows_max)
{
    reprise_rows_options cursor = REPRISE_ROWS_INIT;
    reprise_batch_options options = REPRISE_BATCH_INIT;
    cursor.tracks = UINT64_C(1) << track;
    options.rows_max = rows_max;
    options.stored = true;
    reprise_rows *rows = NULL;
    reprise_batches *batches = NULL;
    const reprise_batch *batch = NULL;
    reprise_error error, row_error;
    reprise_status opened = reprise_rows_open(replay, &cursor, &rows, &row_error);
    assert_int_equal(reprise_batches_open(replay, track, &options, &batches, &error), opened);
    reprise_status status = opened, row_status = opened;
    while (opened == REPRISE_OK &&
           (status = reprise_batches_next(batches, &batch, &error)) == REPRISE_OK) {
        assert_in_range(batch->row_count, 1, rows_max);
        for (size_t k = 0; k < batch->column_count; k++)
            expect_layout(batch->columns[k]);
        for (size_t i = 0; i < batch->row_count; i++) {
            assert_int_equal(reprise_rows_next(rows, &row_error), REPRISE_OK);
            expect_row(replay, track, rows, batch, i);
        }
    }
    /* Both give all complete rows, then say the same about the end. */
    if (opened == REPRISE_OK)
        row_status = reprise_rows_next(rows, &row_error);
    assert_int_equal(status, row_status);
    assert_string_equal(error.message, row_error.message);
    assert_int_equal(error.offset, row_error.offset);
    if (opened == REPRISE_OK)
        assert_int_equal(reprise_batches_next(batches, &batch, &error), status);
    reprise_batches_close(batches);
    reprise_rows_close(rows);
}

static void visit(const sample *s)
{
    static const size_t sizes[] = {4096, 7};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && s->size < 400000; i++) {
        reprise_replay *replay = NULL;
        if (reprise_open_memory(s->data, s->size, NULL, &replay, NULL) != REPRISE_OK)
            return;
        for (size_t track = 0; track < reprise_track_count(replay); track++)
            compare_track(replay, track, sizes[i]);
        reprise_close(replay);
    }
}

static void batches__hold_what_the_cursor_shows(void **state)
{
    (void)state;
    walk_samples("tests/data", visit);
    assert_true(rows_compared > 10000);
    assert_true(nested_seen > 1000);
    assert_true(nulls_seen > 1000);
}

/* ---- options ---- */

static reprise_replay *open_run(void)
{
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file("tests/data/cs2kz/a1-run.replay", NULL, &replay, NULL),
                     REPRISE_OK);
    return replay;
}

static void batches__columns_come_in_the_order_asked_for(void **state)
{
    (void)state;
    reprise_replay *replay = open_run();
    const char *names[] = {"speed", "tick", "speed"};
    reprise_batch_options options = REPRISE_BATCH_INIT;
    options.columns = names;
    options.column_count = 3;
    options.index_from = 244047;
    options.index_to = 244056;
    reprise_batches *batches = NULL;
    const reprise_batch *batch = NULL;
    size_t track = (size_t)reprise_track_find(replay, "ticks");
    assert_int_equal(reprise_batches_open(replay, track, &options, &batches, NULL), REPRISE_OK);
    reprise_close(replay); /* batches keep it open */
    assert_int_equal(reprise_batches_next(batches, &batch, NULL), REPRISE_OK);
    assert_int_equal(batch->row_count, 10);
    assert_int_equal(batch->column_count, 3);
    assert_int_equal(((const int64_t *)batch->columns[1]->values)[0], 244047);
    assert_int_equal(batch->columns[0]->type, REPRISE_ARRAY_DOUBLE);
    assert_memory_equal(batch->columns[0]->values, batch->columns[2]->values, 10 * sizeof(double));
    assert_null(batch->columns[0]->stored);
    assert_int_equal(reprise_batches_next(batches, &batch, NULL), REPRISE_END);
    assert_int_equal(reprise_batches_next(batches, &batch, NULL), REPRISE_END);
    reprise_batches_close(batches);
}

static void batches__misuse_is_refused(void **state)
{
    (void)state;
    reprise_replay *replay = open_run();
    const char *names[] = {"no such column"};
    reprise_batch_options options = REPRISE_BATCH_INIT, sizeless = {.struct_size = 0};
    reprise_batches *batches = NULL;
    assert_int_equal(reprise_batches_open(replay, 0, &sizeless, &batches, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_batches_open(replay, 99, NULL, &batches, NULL), REPRISE_E_USAGE);
    options.columns = names;
    options.column_count = 1;
    assert_int_equal(reprise_batches_open(replay, 0, &options, &batches, NULL), REPRISE_E_USAGE);
    names[0] = NULL;
    assert_int_equal(reprise_batches_open(replay, 0, &options, &batches, NULL), REPRISE_E_USAGE);
    assert_null(batches);
    reprise_close(replay);
}

/* ---- one rule for damage ---- */

static uint64_t cuts_opened, cuts_with_rows;

/* Rows of all tracks, and how they end. */
static reprise_status read_all(reprise_replay *replay, uint64_t *ret_rows)
{
    reprise_rows *rows = NULL;
    reprise_status status = reprise_rows_open(replay, NULL, &rows, NULL);
    *ret_rows = 0;
    while (status == REPRISE_OK && (status = reprise_rows_next(rows, NULL)) == REPRISE_OK)
        ++*ret_rows;
    reprise_rows_close(rows);
    return status;
}

/* A recording may end without its metadata: cut between two packets, that is only a warning. */
static bool ends_unfinished(reprise_replay *replay)
{
    reprise_verify_summary summary;
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, NULL), REPRISE_OK);
    return summary.warnings > 0;
}

static void cut(const sample *s)
{
    uint64_t whole = 0, some = 0;
    reprise_replay *replay = NULL;
    if (s->size > 200000 || strstr(s->path, "/bad/") ||
        reprise_open_memory(s->data, s->size, NULL, &replay, NULL) != REPRISE_OK)
        return;
    reprise_status status = read_all(replay, &whole);
    reprise_close(replay);
    for (size_t part = 1; status == REPRISE_END && part < 8; part++) {
        if (!case_runs(s->size + part, 4) ||
            reprise_open_memory(s->data, s->size / 8 * part, NULL, &replay, NULL) != REPRISE_OK)
            continue;
        reprise_error damage;
        reprise_status end = read_all(replay, &some);
        if (some > whole || (some < whole && end < REPRISE_E_IO && !ends_unfinished(replay)))
            fail_msg("%s, %zu eighths: %llu of %llu rows, then %s", s->path, part,
                     (unsigned long long)some, (unsigned long long)whole, reprise_status_name(end));
        if (end >= REPRISE_E_IO && end != REPRISE_E_TRUNCATED && end != REPRISE_E_CORRUPT)
            fail_msg("%s, %zu eighths: %s", s->path, part, reprise_status_name(end));
        if (end == REPRISE_E_TRUNCATED && reprise_damage(replay, &damage))
            assert_int_not_equal(damage.status, REPRISE_OK);
        for (size_t track = 0; track < reprise_track_count(replay); track++)
            compare_track(replay, track, 100);
        cuts_opened++;
        cuts_with_rows += some > 0;
        reprise_close(replay);
    }
}

static void damage__rows_of_cut_files_end_with_it_in_every_family(void **state)
{
    (void)state;
    walk_samples("tests/data", cut);
    print_message("%llu cuts opened, %llu with rows\n", (unsigned long long)cuts_opened,
                  (unsigned long long)cuts_with_rows);
    assert_true(cuts_with_rows > (all_cases_run() ? 100 : 25));
}

/* A cut file of each family opens and gives rows, without asking for salvage. */
static void damage__cut_files_open_in_every_family(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "tests/data/rumble/z6_match_like_1.2.4.replay",
        "tests/data/rumble/l1_published_spec.replay",
        "tests/data/cs2kz/a1-run.replay",
        "tests/data/ironcurtain/full.icrep",
        "tests/data/openra/p21-2p.orarep",
        "tests/data/openra/zip-p21.orarep",
        "tests/data/mcreplay/multipart_basic.replay",
        "tests/data/remastered/ra-full-skirmish.bin",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        sample s = load_sample(paths[i]);
        reprise_replay *replay = NULL;
        const reprise_value *report = NULL;
        reprise_verify_summary summary;
        uint64_t rows = 0;
        if (reprise_open_memory(s.data, s.size / 10 * 7, NULL, &replay, NULL) != REPRISE_OK)
            fail_msg("%s does not open", paths[i]);
        assert_int_equal(read_all(replay, &rows), REPRISE_E_TRUNCATED);
        if (!rows)
            fail_msg("%s gives no rows", paths[i]);
        assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, NULL), REPRISE_OK);
        assert_true(summary.faults + summary.warnings > 0);
        assert_int_not_equal(reprise_convert(replay, NULL, &report, NULL), REPRISE_OK);
        reprise_close(replay);
        free(s.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches__hold_what_the_cursor_shows),
        cmocka_unit_test(batches__columns_come_in_the_order_asked_for),
        cmocka_unit_test(batches__misuse_is_refused),
        cmocka_unit_test(damage__rows_of_cut_files_end_with_it_in_every_family),
        cmocka_unit_test(damage__cut_files_open_in_every_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
