/*
 * test_misuse.c - programs that use the library wrongly, or in an unexpected order: they get
 * a defined value or REPRISE_E_USAGE, never a crash. tests/api/make-misuse.py adds every function
 * with nothing given at all.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#include "options.h"
#include "reprise/foreign.h"
#include "reprise/ironcurtain/codec.h"
#include "reprise/ironcurtain/live.h"
#include "reprise/reprise.h"
#include "reprise/scene.h"
#include "reprise/write.h"

static const char *const samples[] = {
    "tests/data/rumble/z4_published_spec.replay",
    "tests/data/ironcurtain/basic.icrep",
    "tests/data/openra/b-2018.orarep",
};

static reprise_replay *open_sample(const char *path)
{
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file(path, NULL, &replay, NULL), REPRISE_OK);
    return replay;
}

/* ---- errors ---- */

static void misuse__an_error_serves_a_loop_over_files(void **state)
{
    (void)state;
    reprise_error error = REPRISE_ERROR_INIT;
    for (int round = 0; round < 2; round++) {
        reprise_replay *replay = NULL;
        assert_int_equal(reprise_open_file("tests/data/absent", NULL, &replay, &error),
                         REPRISE_E_IO);
        assert_null(replay);
        for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
            const reprise_value *info = NULL;
            assert_int_equal(reprise_open_file(samples[i], NULL, &replay, &error), REPRISE_OK);
            assert_int_equal(error.status, REPRISE_OK);
            assert_string_equal(error.message, "");
            assert_int_equal(reprise_info(replay, &info, &error), REPRISE_OK);
            reprise_close(replay);
        }
    }
}

static void misuse__an_error_need_not_be_initialised(void **state)
{
    (void)state;
    reprise_error error;
    memset(&error, 0xA5, sizeof error);
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file(samples[0], NULL, &replay, &error), REPRISE_OK);
    memset(&error, 0xA5, sizeof error);
    assert_int_equal(reprise_at(replay, (reprise_moment){.by_index = true}, NULL, &error),
                     REPRISE_E_USAGE);
    reprise_close(replay);
}

static void misuse__nobody_has_to_take_the_error(void **state)
{
    (void)state;
    reprise_replay *replay = NULL;
    const reprise_value *stats = NULL;
    assert_int_equal(reprise_open_file("tests/data/absent", NULL, &replay, NULL), REPRISE_E_IO);
    replay = open_sample(samples[1]);
    assert_int_equal(reprise_stats(replay, &stats, NULL), REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, NULL, NULL), REPRISE_OK);
    reprise_close(replay);
}

/* ---- rows ---- */

static void expect_no_row(const reprise_rows *rows)
{
    size_t size = 7;
    assert_int_equal(reprise_row_track(rows), SIZE_MAX);
    assert_int_equal(reprise_row_index(rows), 0);
    assert_true(reprise_row_time(rows) == 0);
    assert_int_equal(reprise_row_int(rows, 0), 0);
    assert_true(reprise_row_double(rows, 0) == 0);
    assert_null(reprise_row_text(rows, 0, &size));
    assert_int_equal(size, 0);
    assert_true(reprise_row_null(rows, 0));
    assert_false(reprise_row_stored(rows, 0));
}

static void misuse__getters_before_the_first_and_after_the_last_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        reprise_replay *replay = open_sample(samples[i]);
        reprise_rows *rows = NULL;
        const char *text = NULL;
        size_t size = 0;
        assert_int_equal(reprise_rows_open(replay, NULL, &rows, NULL), REPRISE_OK);
        expect_no_row(rows);
        assert_int_equal(reprise_row_format(rows, NULL, &text, &size, NULL), REPRISE_E_USAGE);
        while (reprise_rows_next(rows, NULL) == REPRISE_OK)
            assert_true(reprise_row_track(rows) < reprise_track_count(replay));
        expect_no_row(rows);
        assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_END);
        assert_int_equal(reprise_row_format(rows, NULL, &text, &size, NULL), REPRISE_E_USAGE);
        reprise_rows_close(rows);
        reprise_close(replay);
    }
}

static void misuse__columns_that_do_not_exist(void **state)
{
    (void)state;
    reprise_replay *replay = open_sample(samples[0]);
    reprise_rows *rows = NULL;
    assert_null(reprise_column_at(replay, 0, 100000));
    assert_null(reprise_column_at(replay, 100000, 0));
    assert_null(reprise_track_name(replay, 100000));
    assert_int_equal(reprise_track_find(replay, "no such track"), -1);
    assert_int_equal(reprise_column_find(replay, 0, "no such column"), -1);
    assert_int_equal(reprise_column_find(replay, 100000, "time"), -1);
    assert_string_equal(
        reprise_column_at(replay, 0, (size_t)reprise_column_find(replay, 0, "time"))->name, "time");
    assert_int_equal(reprise_rows_open(replay, NULL, &rows, NULL), REPRISE_OK);
    assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_OK);
    assert_true(reprise_row_null(rows, 100000));
    assert_int_equal(reprise_row_int(rows, SIZE_MAX), 0);
    reprise_rows_close(rows);
    assert_null(reprise_blob_at(replay, 100000));
    reprise_close(replay);
}

/* ---- lifetimes ---- */

static void misuse__children_may_outlive_their_replay(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        reprise_replay *replay = open_sample(samples[i]);
        reprise_rows *rows = NULL;
        reprise_scene *scene = NULL;
        reprise_foreign *foreign = NULL;
        reprise_ic_playback *player = NULL;
        assert_int_equal(reprise_scene_open(replay, NULL, &scene, NULL), REPRISE_OK);
        bool has_orders = reprise_foreign_new(replay, &foreign, NULL) == REPRISE_OK;
        bool plays = reprise_ic_playback_new(replay, NULL, &player, NULL) == REPRISE_OK;
        assert_int_equal(reprise_rows_open(replay, NULL, &rows, NULL), REPRISE_OK);
        reprise_close(replay);
        assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_OK);
        assert_non_null(reprise_scene_about(scene));
        reprise_scene_close(scene);
        assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_OK);
        reprise_rows_close(rows);
        assert_int_equal(plays, i > 0);
        if (plays)
            assert_int_equal(reprise_ic_playback_seek(player, 1, NULL), REPRISE_OK);
        reprise_ic_playback_free(player);
        assert_int_equal(has_orders, i == 2);
        assert_int_equal(reprise_foreign_count(foreign) > 0, has_orders);
        reprise_foreign_free(foreign);
    }
}

static void misuse__a_second_close_takes_nothing_from_children(void **state)
{
    (void)state;
    reprise_replay *replay = open_sample(samples[0]);
    reprise_rows *rows = NULL;
    reprise_batches *batches = NULL;
    const reprise_batch *batch = NULL;
    assert_int_equal(reprise_rows_open(replay, NULL, &rows, NULL), REPRISE_OK);
    assert_int_equal(reprise_batches_open(replay, 0, NULL, &batches, NULL), REPRISE_OK);
    for (int i = 0; i < 3; i++)
        reprise_close(replay);
    assert_int_equal(reprise_rows_next(rows, NULL), REPRISE_OK);
    reprise_rows_close(rows);
    assert_int_equal(reprise_batches_next(batches, &batch, NULL), REPRISE_OK);
    assert_true(batch->row_count > 0);
    reprise_batches_close(batches);
}

/* ---- options ---- */

static void misuse__options_without_a_size_are_refused(void **state)
{
    (void)state;
    reprise_replay *replay = open_sample(samples[1]);
    const reprise_value *report = NULL;
    const reprise_rows_options row_options = {.struct_size = 0};
    const reprise_batch_options batch_options = {.struct_size = 0};
    const reprise_scene_options scene_options = {.struct_size = 0};
    const reprise_write_options write_options = {.struct_size = 0};
    const reprise_diff_options diff_options = {.struct_size = 0};
    const reprise_extract_options extract_options = {.struct_size = 0};
    const reprise_ic_playback_options player_options = {.struct_size = 0};
    const reprise_ic_recorder_options recorder_options = {.struct_size = 0};
    reprise_rows *rows = NULL;
    reprise_batches *batches = NULL;
    reprise_scene *scene = NULL;
    reprise_ic_playback *player = NULL;
    reprise_ic_recorder *recorder = NULL;
    reprise_writer *writer = NULL;
    bool equal = false;
    const reprise_status found[] = {
        reprise_rows_open(replay, &row_options, &rows, NULL),
        reprise_batches_open(replay, 0, &batch_options, &batches, NULL),
        reprise_scene_open(replay, &scene_options, &scene, NULL),
        reprise_convert(replay, &write_options, &report, NULL),
        reprise_recompress(replay, &write_options, &report, NULL),
        reprise_anonymize(replay, REPRISE_PRIVATE_ALL, &write_options, &report, NULL),
        reprise_diff(replay, replay, &diff_options, &equal, &report, NULL),
        reprise_extract(replay, &extract_options, &report, NULL),
        reprise_ic_playback_new(replay, &player_options, &player, NULL),
        reprise_ic_recorder_new("{}", &recorder_options, NULL, &recorder, NULL),
        reprise_writer_begin("rumble", NULL, &write_options, NULL, &writer, NULL),
    };
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        assert_int_equal(found[i], REPRISE_E_USAGE);
    reprise_close(replay);
}

/* Everything set is copied: the options may be freed as soon as the replay is open. */
static void misuse__options_may_be_freed_before_the_replay(void **state)
{
    (void)state;
    char layout[] = "z4";
    uint8_t keys[64] = {1, 2, 3};
    reprise_options *options = options_new();
    reprise_replay *replay = NULL;
    const reprise_value *info = NULL;
    assert_int_equal(reprise_options_set_layout(options, layout, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_format(options, "rumble", NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_trusted_keys(options, keys, 2, NULL), REPRISE_OK);
    layout[0] = 'x';
    assert_int_equal(reprise_open_file(samples[0], options, &replay, NULL), REPRISE_OK);
    reprise_options_free(options);
    assert_int_equal(reprise_info(replay, &info, NULL), REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, NULL, NULL), REPRISE_OK);
    assert_string_equal(reprise_layout(replay), "z4");
    reprise_close(replay);
}

static void *no_memory(void *ctx, size_t size)
{
    (void)ctx, (void)size;
    return NULL;
}

static void misuse__settings_that_make_no_sense(void **state)
{
    (void)state;
    TEST_OPTIONS(options);
    reprise_allocator half = {.alloc = no_memory};
    assert_int_equal(reprise_options_set_allocator(options, &half, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_options_set_allocator(options, NULL, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_simulate(options, (reprise_simulating)9, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(reprise_options_set_trusted_keys(options, NULL, 1, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_options_set_format(options, "no such format", NULL), REPRISE_OK);
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file(samples[0], options, &replay, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_version_number(), REPRISE_VERSION_NUMBER);
}

/* ---- values ---- */

static void misuse__values_that_are_built_wrongly(void **state)
{
    (void)state;
    reprise_document *document = NULL;
    reprise_error error;
    assert_int_equal(reprise_document_new(&document, &error), REPRISE_OK);
    reprise_value *object = reprise_value_new_object(document);
    reprise_value_set_int(document, object, "a", 1);
    reprise_value_set_int(document, object, "a", 2);
    reprise_value_set(document, object, "itself", object);
    reprise_value_set(document, object, NULL, object);
    reprise_value_set(document, NULL, "a", object);
    reprise_value_push(document, NULL, object);
    assert_int_equal(reprise_document_status(document, &error), REPRISE_OK);
    assert_int_equal(reprise_value_count(object), 2);
    assert_int_equal(reprise_value_int(reprise_value_get(object, "a"), 0), 2);
    reprise_value_push(document, object, object);
    assert_int_equal(reprise_document_status(document, &error), REPRISE_E_USAGE);
    assert_null(reprise_value_new_object(document));
    reprise_document_free(document);
    assert_int_equal(reprise_document_new(&document, &error), REPRISE_OK);
    reprise_value *outer = reprise_value_new_array(document);
    for (int i = 0; i < 1000 && outer; i++) {
        reprise_value *inner = outer;
        outer = reprise_value_new_array(document);
        reprise_value_push(document, outer, inner);
    }
    assert_int_equal(reprise_document_status(document, &error), REPRISE_E_LIMIT);
    reprise_document_free(document);
}

static void misuse__options_need_not_be_given(void **state)
{
    (void)state;
    reprise_replay *replay = open_sample(samples[1]);
    reprise_ic_recorder *recorder = NULL;
    /* Nowhere to write to: refused, but not by crashing. */
    assert_int_equal(reprise_convert(replay, NULL, NULL, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_recompress(replay, NULL, NULL, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_ic_import(replay, NULL, NULL, NULL, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_extract(replay, NULL, NULL, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_ic_recorder_new("{}", NULL, NULL, &recorder, NULL), REPRISE_E_USAGE);
    reprise_close(replay);
}

static int swallow(void *ctx, const void *data, size_t size)
{
    (void)ctx, (void)data, (void)size;
    return 0;
}

/* ---- functions that were not given ---- */

static void misuse__sources_and_sinks_without_functions(void **state)
{
    (void)state;
    const reprise_source source = {.size = 100};
    const reprise_sink sink = {.ctx = NULL}, good = {.write = swallow};
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    assert_int_equal(reprise_open_source(&source, NULL, &replay, NULL), REPRISE_E_USAGE);
    replay = open_sample(samples[0]);
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    assert_int_equal(reprise_convert(replay, &options, NULL, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_scene_open(replay, NULL, &scene, NULL), REPRISE_OK);
    assert_int_equal(reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_scene_write(scene, (reprise_scene_form)77, &good, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(reprise_scene_series(scene, "no such plot", 3, &good, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_value_write(NULL, REPRISE_JSON_COMPACT, &sink, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_value_write(NULL, REPRISE_JSON_COMPACT, &good, NULL), REPRISE_OK);
    reprise_scene_close(scene);
    reprise_close(replay);
}

/* ---- writers ---- */

static void misuse__writers_in_the_wrong_order(void **state)
{
    (void)state;
    const reprise_sink sink = {.write = swallow};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_writer *writer = NULL;
    assert_int_equal(reprise_writer_begin("no such format", NULL, &options, NULL, &writer, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(writer_begin_json("rumble", "[]", &options, NULL, &writer, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_begin("rumble", NULL, &options, NULL, &writer, NULL),
                     REPRISE_OK);
    assert_int_equal(reprise_writer_set_int(writer, 0, 1, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_row(writer, -1, 0, 0, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_row(writer, 1000, 0, 0, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_track(writer, "no such track"), -1);
    assert_int_equal(reprise_writer_column(writer, -1, "time"), -1);
    assert_int_equal(reprise_writer_end(writer, NULL), REPRISE_OK);
    assert_int_equal(reprise_writer_end(writer, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_step(writer, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_writer_set_int(writer, 0, 1, NULL), REPRISE_E_USAGE);
    reprise_writer_close(writer);
}

static void misuse__players_after_a_seek_past_the_end(void **state)
{
    (void)state;
    reprise_replay *replay = open_sample(samples[1]);
    reprise_ic_playback *player = NULL;
    const reprise_ic_frame *frame = NULL;
    assert_int_equal(reprise_ic_playback_new(replay, NULL, &player, NULL), REPRISE_OK);
    assert_int_not_equal(reprise_ic_playback_seek(player, UINT64_MAX, NULL), REPRISE_OK);
    assert_int_equal(reprise_ic_playback_set_speed(player, -3, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_ic_playback_poll(player, &frame, NULL), REPRISE_OK);
    reprise_ic_playback_free(player);
    reprise_close(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misuse__an_error_serves_a_loop_over_files),
        cmocka_unit_test(misuse__an_error_need_not_be_initialised),
        cmocka_unit_test(misuse__nobody_has_to_take_the_error),
        cmocka_unit_test(misuse__getters_before_the_first_and_after_the_last_row),
        cmocka_unit_test(misuse__columns_that_do_not_exist),
        cmocka_unit_test(misuse__children_may_outlive_their_replay),
        cmocka_unit_test(misuse__a_second_close_takes_nothing_from_children),
        cmocka_unit_test(misuse__options_without_a_size_are_refused),
        cmocka_unit_test(misuse__options_may_be_freed_before_the_replay),
        cmocka_unit_test(misuse__settings_that_make_no_sense),
        cmocka_unit_test(misuse__values_that_are_built_wrongly),
        cmocka_unit_test(misuse__options_need_not_be_given),
        cmocka_unit_test(misuse__sources_and_sinks_without_functions),
        cmocka_unit_test(misuse__writers_in_the_wrong_order),
        cmocka_unit_test(misuse__players_after_a_seek_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
