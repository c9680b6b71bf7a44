/*
 * test_tables.c - table files when something fails: the sink, memory, the input, the caller.
 * tests/tables reads complete ones with other programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <reprise/tables.h>

#include "samples.h"
#include "test_allocator.h"

static const char match[] = "tests/data/rumble/z6_match_like_1.2.4.replay";
static const char orders[] = "tests/data/ironcurtain/all-orders.icrep";
enum { FORMS = 3 };

/* Keeps what it gets, and fails at one of the writes. */
typedef struct kept {
    uint8_t *data;
    size_t size, writes, fail_at;
} kept;

static int keep(void *ctx, const void *data, size_t size)
{
    kept *to = ctx;
    if (++to->writes == to->fail_at)
        return ENOSPC;
    to->data = realloc(to->data, to->size + size + 1);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return 0;
}

static reprise_status write_rows(reprise_replay *replay, const char *track, int form,
                                 size_t rows_max, kept *to, reprise_table_result *result,
                                 reprise_error *error)
{
    reprise_batch_options rows = REPRISE_BATCH_INIT;
    reprise_table_options options = REPRISE_TABLE_INIT;
    reprise_sink sink = {to, keep};
    rows.rows_max = rows_max;
    options.rows = &rows;
    return reprise_table_write(replay, (size_t)reprise_track_find(replay, track),
                               (reprise_table_form)form, &options, &sink, result, error);
}

static reprise_replay *open_replay(const char *path, const reprise_options *options)
{
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file(path, options, &replay, NULL), REPRISE_OK);
    return replay;
}

static void expect_magic(const kept *file, int form)
{
    static const char *const magic[] = {"PAR1", "ARROW1", "\xFF\xFF\xFF\xFF"};
    static const char *const end[] = {"PAR1", "ARROW1", "\xFF\xFF\xFF\xFF\0\0\0\0"};
    static const size_t end_size[] = {4, 6, 8};
    assert_true(file->size > 100);
    assert_memory_equal(file->data, magic[form], strlen(magic[form]));
    assert_memory_equal(file->data + file->size - end_size[form], end[form], end_size[form]);
}

static void tables__are_the_same_every_time(void **state)
{
    (void)state;
    for (int form = 0; form < FORMS; form++) {
        kept first = {0}, second = {0};
        reprise_table_result result = {.struct_size = sizeof result};
        reprise_replay *replay = open_replay(match, NULL);
        assert_int_equal(write_rows(replay, "players", form, 50, &first, &result, NULL),
                         REPRISE_OK);
        assert_true(result.finished);
        assert_int_equal(result.rows, 301);
        assert_int_equal(write_rows(replay, "players", form, 50, &second, NULL, NULL), REPRISE_OK);
        expect_magic(&first, form);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        reprise_close(replay);
        free(first.data);
        free(second.data);
    }
}

static void sweep_writes(const char *path, const char *track, int form)
{
    reprise_replay *replay = open_replay(path, NULL);
    for (size_t fail_at = 1;; fail_at += 1 + fail_at / 8) {
        kept to = {.fail_at = fail_at};
        reprise_table_result result = {.struct_size = sizeof result};
        reprise_error error;
        reprise_status status = write_rows(replay, track, form, 100, &to, &result, &error);
        bool complete = to.writes < fail_at;
        assert_int_equal(result.finished, complete);
        assert_int_equal(status, complete ? REPRISE_OK : REPRISE_E_IO);
        assert_int_equal(error.cause, complete ? 0 : ENOSPC);
        if (!complete)
            assert_int_equal(to.writes, fail_at); /* nothing is written after a failure */
        free(to.data);
        if (complete)
            break;
    }
    reprise_close(replay);
}

static void tables__a_failing_sink_is_reported(void **state)
{
    (void)state;
    for (int form = 0; form < FORMS; form++) {
        sweep_writes(match, "players", form);
        sweep_writes(orders, "orders", form);
        sweep_writes(match, "props", form); /* no rows */
    }
}

/* ---- memory ---- */

static size_t sweep_allocations(const char *path, const char *track, int form)
{
    size_t failures = 0;
    for (size_t fail_at = 1;; fail_at += 1 + fail_at / 6) {
        test_allocator allocator = {.fail_at = 0};
        allocator.hooks = (reprise_allocator){watched_alloc, watched_realloc, watched_free,
                                              &allocator};
        reprise_options *options = NULL;
        assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
        assert_int_equal(reprise_options_set_allocator(options, &allocator.hooks, NULL),
                         REPRISE_OK);
        reprise_replay *replay = open_replay(path, options);
        kept to = {0};
        reprise_table_result result = {.struct_size = sizeof result};
        allocator.requests = 0;
        allocator.fail_at = fail_at;
        reprise_status status = write_rows(replay, track, form, 40, &to, &result, NULL);
        bool failed = allocator.requests >= fail_at;
        if (status == REPRISE_OK)
            expect_magic(&to, form);
        else
            assert_int_equal(status, REPRISE_E_NOMEM);
        assert_int_equal(result.finished, status == REPRISE_OK);
        failures += status != REPRISE_OK;
        allocator.fail_at = 0;
        reprise_close(replay);
        reprise_options_free(options);
        assert_int_equal(allocator.live_count, 0);
        free(to.data);
        if (!failed)
            return failures;
    }
}

static void tables__no_memory_leaves_nothing(void **state)
{
    (void)state;
    for (int form = 0; form < FORMS; form++) {
        assert_true(sweep_allocations(match, "players", form) > 20);
        assert_true(sweep_allocations(orders, "orders", form) > 20);
    }
}

/* ---- input and caller ---- */

static void tables__damage_leaves_a_complete_file(void **state)
{
    (void)state;
    sample s = load_sample(match);
    for (int form = 0; form < FORMS; form++) {
        kept to = {0};
        reprise_error error;
        reprise_table_result result = {.struct_size = sizeof result};
        reprise_replay *replay = NULL;
        assert_int_equal(reprise_open_memory(s.data, s.size / 10 * 7, NULL, &replay, NULL),
                         REPRISE_OK);
        assert_int_equal(write_rows(replay, "frames", form, 10, &to, &result, &error),
                         REPRISE_E_TRUNCATED);
        assert_true(result.finished);
        assert_true(result.rows > 0 && result.rows < 170);
        expect_magic(&to, form);
        reprise_close(replay);
        free(to.data);
    }
    free(s.data);
}

static bool stop(void *ctx, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return !*(bool *)ctx;
}

static void tables__can_be_cancelled(void **state)
{
    (void)state;
    bool stopped = false;
    kept to = {0};
    reprise_options *options = NULL;
    reprise_table_result result = {.struct_size = sizeof result};
    assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_progress(options, stop, &stopped, NULL), REPRISE_OK);
    reprise_replay *replay = open_replay(match, options);
    stopped = true;
    assert_int_equal(write_rows(replay, "frames", 0, 0, &to, &result, NULL), REPRISE_E_CANCELLED);
    assert_false(result.finished);
    reprise_close(replay);
    reprise_options_free(options);
    free(to.data);
}

static void tables__misuse_is_refused(void **state)
{
    (void)state;
    kept to = {0};
    reprise_sink sink = {&to, keep};
    reprise_replay *replay = open_replay(match, NULL);
    reprise_table_result result = {.struct_size = 0};
    assert_int_equal(reprise_table_write(replay, 0, (reprise_table_form)9, NULL, &sink, NULL, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(reprise_table_write(replay, 99, REPRISE_TABLE_ARROW, NULL, &sink, NULL, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(
        reprise_table_write(replay, 0, REPRISE_TABLE_ARROW, NULL, &sink, &result, NULL),
        REPRISE_E_USAGE);
    /* Only Parquet needs a column. */
    const char *const nothing[] = {NULL};
    reprise_batch_options rows = REPRISE_BATCH_INIT;
    reprise_table_options options = REPRISE_TABLE_INIT;
    rows.columns = nothing;
    options.rows = &rows;
    assert_int_equal(
        reprise_table_write(replay, 0, REPRISE_TABLE_PARQUET, &options, &sink, NULL, NULL),
        REPRISE_E_UNSUPPORTED);
    assert_int_equal(to.size, 0);
    assert_int_equal(
        reprise_table_write(replay, 0, REPRISE_TABLE_ARROW, &options, &sink, NULL, NULL),
        REPRISE_OK);
    reprise_close(replay);
    free(to.data);
}

/* ---- databases ---- */

static void tables__a_database_is_written_once(void **state)
{
    (void)state;
    reprise_database *database = NULL;
    reprise_replay *replay = open_replay(match, NULL);
    reprise_table_result result = {.struct_size = sizeof result};
    kept to = {0};
    reprise_sink sink = {&to, keep};
    assert_int_equal(reprise_database_new(&database, NULL), REPRISE_OK);
    assert_int_equal(reprise_database_add(database, replay, "a", &result, NULL), REPRISE_OK);
    assert_true(result.finished);
    assert_int_equal(result.rows, 1194);
    reprise_close(replay);
    assert_int_equal(reprise_database_write(database, &sink, NULL), REPRISE_OK);
    assert_memory_equal(to.data, "SQLite format 3", 16);
    assert_int_equal(reprise_database_write(database, &sink, NULL), REPRISE_E_USAGE);
    replay = open_replay(orders, NULL);
    assert_int_equal(reprise_database_add(database, replay, "b", NULL, NULL), REPRISE_E_USAGE);
    reprise_close(replay);
    reprise_database_free(database);
    free(to.data);
}

static void tables__a_database_reports_a_failing_sink(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        reprise_database *database = NULL;
        reprise_error error;
        reprise_replay *replay = open_replay(match, NULL);
        kept to = {.fail_at = fail_at};
        reprise_sink sink = {&to, keep};
        assert_int_equal(reprise_database_new(&database, NULL), REPRISE_OK);
        assert_int_equal(reprise_database_add(database, replay, NULL, NULL, NULL), REPRISE_OK);
        assert_int_equal(reprise_database_write(database, &sink, &error), REPRISE_E_IO);
        assert_int_equal(error.cause, ENOSPC);
        reprise_database_free(database);
        reprise_close(replay);
        free(to.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables__are_the_same_every_time),
        cmocka_unit_test(tables__a_failing_sink_is_reported),
        cmocka_unit_test(tables__no_memory_leaves_nothing),
        cmocka_unit_test(tables__damage_leaves_a_complete_file),
        cmocka_unit_test(tables__can_be_cancelled),
        cmocka_unit_test(tables__misuse_is_refused),
        cmocka_unit_test(tables__a_database_is_written_once),
        cmocka_unit_test(tables__a_database_reports_a_failing_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
