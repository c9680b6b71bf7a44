/*
 * test_import.c - replays of OpenRA and the classic games, imported as Iron Curtain replays and
 * played directly. Numbers in test names are items of the conformance checklist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checked.h"
#include "ironcurtain/import/import.h"
#include "json.h"
#include "options.h"
#include "recording.h"
#include "reprise/write.h"
#include "samples.h"

#define DATA "tests/data/"

typedef struct imported {
    disk file;
    reprise_replay *replay; /* the result, open */
    uint64_t left_out, carried, translated;
} imported;

/* Closes the source. */
static imported import_replay(reprise_replay *source, const char *path, bool lossless)
{
    imported i = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_sink sink = {.ctx = &i.file, .write = disk_keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    reprise_ic_import_options options = REPRISE_IC_IMPORT_INIT;
    options.lossless = lossless;
    options.date = 1771156800; /* 2026-02-15T12:00:00Z */
    if (reprise_ic_import(source, &options, &writing, &report, &error) != REPRISE_OK)
        fail_msg("%s: %s", path, error.message);
    i.left_out = reprise_value_uint(reprise_value_get(report, "left_out"), 999);
    i.carried = reprise_value_uint(reprise_value_get(report, "carried"), 999);
    i.translated = reprise_value_uint(reprise_value_get(report, "translated"), 999);
    reprise_close(source);
    if (reprise_open_memory(i.file.data, i.file.size, NULL, &i.replay, &error) != REPRISE_OK)
        fail_msg("%s: %s", path, error.message);
    return i;
}

static imported import_file(const char *path, bool lossless)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *source = NULL;
    if (reprise_open_file(path, NULL, &source, &error) != REPRISE_OK)
        fail_msg("%s: %s", path, error.message);
    return import_replay(source, path, lossless);
}

static void imported_free(imported *i)
{
    reprise_close(i->replay);
    free(i->file.data);
}

/* ---- samples imported by an independent program ---- */

static bool is_free(const char *key)
{
    return strcmp(key, "replay_id") == 0 || strcmp(key, "engine_version") == 0;
}

static void put_value(const reprise_value *value, disk *to)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = to, .write = disk_keep};
    assert_int_equal(reprise_value_write(value, REPRISE_JSON_COMPACT, &sink, &error), REPRISE_OK);
    disk_keep(to, "", 1);
}

static void check_metadata(const reprise_value *want, const reprise_value *got)
{
    assert_int_equal(reprise_value_count(want), reprise_value_count(got));
    for (size_t i = 0; i < reprise_value_count(want); i++) {
        const char *key = reprise_value_key(want, i);
        disk a = {0}, b = {0};
        put_value(reprise_value_at(want, i), &a);
        put_value(reprise_value_get(got, key), &b);
        if (!is_free(key))
            assert_string_equal(a.data, b.data);
        free(a.data);
        free(b.data);
    }
}

/* Stored orders and the first keyframe, byte for byte; metadata by value. */
static void compare_with(const char *expected, bool lossless)
{
    imported i = import_file(DATA "openra/p21-2p.orarep", lossless);
    reprise_replay *other = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary a = {0}, b = {0};
    const reprise_value *mine = NULL, *theirs = NULL;
    assert_int_equal(reprise_open_file(expected, NULL, &other, &error), REPRISE_OK);
    assert_int_equal(reprise_verify(i.replay, NULL, NULL, &a, &error), REPRISE_OK);
    assert_int_equal(reprise_verify(other, NULL, NULL, &b, &error), REPRISE_OK);
    disk x = {0}, y = {0};
    put_value(reprise_value_get(a.document, "streams"), &x);
    put_value(reprise_value_get(b.document, "streams"), &y);
    assert_string_equal(x.data, y.data);
    assert_int_equal(reprise_info(i.replay, &mine, &error), REPRISE_OK);
    assert_int_equal(reprise_info(other, &theirs, &error), REPRISE_OK);
    check_metadata(reprise_value_get(theirs, "header"), reprise_value_get(mine, "header"));
    assert_true(reprise_value_count(reprise_value_get(mine, "header")) > 15);
    reprise_moment start = {.by_index = true};
    const reprise_value *at = NULL;
    char hash[65];
    assert_int_equal(reprise_at(i.replay, start, &at, &error), REPRISE_OK);
    snprintf(hash, sizeof hash, "%s",
             reprise_value_text(reprise_value_get(at, "state_hash"), NULL));
    assert_int_equal(reprise_at(other, start, &at, &error), REPRISE_OK);
    assert_string_equal(hash, reprise_value_text(reprise_value_get(at, "state_hash"), NULL));
    free(x.data);
    free(y.data);
    reprise_close(other);
    imported_free(&i);
}

static void checklist_37__importing_gives_what_the_samples_hold(void **state)
{
    (void)state;
    compare_with(DATA "ironcurtain/imported-lossless.icrep", true);
    compare_with(DATA "ironcurtain/imported-skipped.icrep", false);
}

/* ---- all samples ---- */

static void check_sound(const char *path, bool lossless)
{
    imported i = import_file(path, lossless);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    judged j = {0};
    assert_int_equal(reprise_verify(i.replay, keep_first, &j, &summary, &error), REPRISE_OK);
    if (summary.faults || summary.warnings)
        fail_msg("%s: %s", path, j.first);
    if (lossless && i.left_out && !(i.carried + i.translated))
        fail_msg("%s: nothing but %llu orders left out", path, (unsigned long long)i.left_out);
    if (!lossless)
        assert_int_equal(i.carried, 0);
    imported_free(&i);
}

/* Plays a file and lists its orders as text. */
static disk orders_of(reprise_replay *replay)
{
    disk all = {0};
    reprise_ic_playback *player = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_ic_frame *frame = NULL;
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    if (reprise_ic_playback_new(replay, &options, &player, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    while (reprise_ic_playback_poll(player, &frame, &error) == REPRISE_OK) {
        const reprise_ic_order *orders = frame->orders.items;
        for (size_t i = 0; i < frame->orders.count; i++) {
            char line[96];
            snprintf(line, sizeof line, "%llu %u %u %u\n", (unsigned long long)frame->tick,
                     orders[i].player, orders[i].order.variant, orders[i].sub_tick_time);
            disk_keep(&all, line, strlen(line));
        }
    }
    disk_keep(&all, "", 1);
    reprise_ic_playback_free(player);
    return all;
}

static void check_direct(const char *path)
{
    imported i = import_file(path, true);
    reprise_replay *source = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_file(path, NULL, &source, &error), REPRISE_OK);
    disk direct = orders_of(source), over = orders_of(i.replay);
    assert_string_equal(direct.data, over.data);
    free(direct.data);
    free(over.data);
    reprise_close(source);
    imported_free(&i);
}

static void visit(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    check_sound(s->path, false);
    check_sound(s->path, true);
    check_direct(s->path);
}

static void import__every_sample_gives_a_sound_file(void **state)
{
    (void)state;
    walk_samples(DATA "openra", visit);
    walk_samples(DATA "remastered", visit);
}

/* A damaged file fails to import, or gives a valid file. */
static void visit_bad(const sample *s)
{
    reprise_replay *source = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    disk file = {0};
    reprise_sink sink = {.ctx = &file, .write = disk_keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    reprise_ic_import_options options = {.struct_size = sizeof options, .lossless = true};
    if (reprise_open_memory(s->data, s->size, NULL, &source, &error) != REPRISE_OK)
        return;
    if (reprise_ic_import(source, &options, &writing, &report, &error) == REPRISE_OK) {
        judged j = judge(file.data, file.size);
        assert_string_equal(j.first, "");
    }
    reprise_close(source);
    free(file.data);
}

static void import__damaged_files_do_no_harm(void **state)
{
    (void)state;
    walk_samples(DATA "openra/bad", visit_bad);
    walk_samples(DATA "remastered/bad", visit_bad);
}

/* ---- divergence ---- */

static void import__a_recorded_desync_is_a_divergence(void **state)
{
    (void)state;
    imported i = import_file(DATA "openra/p20-desync.orarep", false);
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_info(i.replay, &info, &error), REPRISE_OK);
    const reprise_value *from = reprise_value_get(reprise_value_get(info, "header"),
                                                  "converted_from");
    uint64_t tick = reprise_value_uint(reprise_value_get(from, "diverged_at_tick"), UINT64_MAX);
    assert_true(tick < UINT64_MAX);
    reprise_ic_playback *player = NULL;
    assert_int_equal(reprise_ic_playback_new(i.replay, NULL, &player, &error), REPRISE_OK);
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    while (reprise_ic_playback_poll(player, NULL, &error) == REPRISE_OK) {
        (void)!reprise_ic_playback_get_divergence(player, &d, NULL);
        assert_int_equal(d.level == REPRISE_IC_DIVERGED, reprise_ic_playback_tick(player) > tick);
    }
    assert_int_equal(d.tick, tick);
    reprise_ic_playback_free(player);
    imported_free(&i);
}

/* A game that only counts ticks and takes its state hashes from a table. */
typedef struct counting_game {
    uint64_t tick;
    uint64_t *sums; /* by tick */
    uint64_t length;
} counting_game;

static reprise_status counting_restore(void *ctx, const reprise_ic_snapshot *snapshot,
                                       reprise_error *error)
{
    (void)error;
    ((counting_game *)ctx)->tick = snapshot->core.tick;
    return REPRISE_OK;
}

static reprise_status counting_apply(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                     size_t count, reprise_error *error)
{
    (void)tick, (void)orders, (void)count, (void)error;
    ((counting_game *)ctx)->tick++;
    return REPRISE_OK;
}

static reprise_status counting_hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    (void)error;
    const counting_game *game = ctx;
    memset(ret_hash, 0, 32);
    for (size_t i = 0; i < 8; i++)
        ret_hash[i] = (uint8_t)(game->sums[game->tick] >> (8 * i));
    return REPRISE_OK;
}

/* Plays with the counting game; stores the recorded sums in `seen` unless it is NULL. */
static reprise_ic_divergence play_counting(reprise_replay *replay, counting_game *game,
                                           uint64_t *seen)
{
    const reprise_ic_simulation calls = {.struct_size = sizeof calls,
                                         .ctx = game,
                                         .restore = counting_restore,
                                         .apply_tick = counting_apply,
                                         .state_hash = counting_hash};
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    options.simulation = &calls;
    reprise_ic_playback *player = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_ic_frame *frame = NULL;
    if (reprise_ic_playback_new(replay, &options, &player, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    assert_true(reprise_ic_playback_has_state(player));
    assert_int_equal(reprise_ic_playback_length(player), game->length);
    while (reprise_ic_playback_poll(player, &frame, &error) == REPRISE_OK) {
        if (seen)
            seen[frame->tick] = frame->state_hash;
    }
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    (void)!reprise_ic_playback_get_divergence(player, &d, NULL);
    reprise_ic_playback_free(player);
    return d;
}

/* The first recorded sum of a frame. */
static uint64_t stored_sum(reprise_replay *replay, int64_t frame)
{
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t sum = 0;
    enum { SYNC_TRACK = 1, FRAME_COLUMN = 3, HASH_COLUMN = 5 };
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = 1 << SYNC_TRACK;
    assert_int_equal(reprise_rows_open(replay, &options, &rows, &error), REPRISE_OK);
    while (!sum && reprise_rows_next(rows, &error) == REPRISE_OK) {
        if (reprise_row_int(rows, FRAME_COLUMN) == frame)
            sum = (uint32_t)reprise_row_int(rows, HASH_COLUMN);
    }
    reprise_rows_close(rows);
    return sum;
}

static void check_sums(reprise_replay *replay, uint64_t frame_2)
{
    enum { LENGTH = 109, BROKEN = 50 };
    uint64_t sums[LENGTH + 1] = {0}, zeros[LENGTH + 1] = {0};
    counting_game game = {.sums = zeros, .length = LENGTH};
    /* frame 2 is executed at tick 2, so its hash is that of state 3 */
    reprise_ic_divergence d = play_counting(replay, &game, sums);
    assert_int_equal(sums[3], frame_2);
    assert_int_equal(d.level, REPRISE_IC_DIVERGED);
    size_t known = 0, later = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        known += sums[i] != 0;
        later += i >= BROKEN && sums[i];
    }
    assert_true(known > 50);
    assert_in_range(d.mismatches, known, known + 1);
    /* equal sums: no divergence, except in the state after the last frame */
    game = (counting_game){.sums = sums, .length = LENGTH};
    d = play_counting(replay, &game, NULL);
    assert_in_range(d.mismatches, 0, 1);
    /* different sums: the first tick that differs is reported */
    uint64_t first = 0, last_mismatches = d.mismatches;
    for (size_t i = BROKEN; i < LENGTH; i++) {
        if (sums[i] && !first)
            first = i;
        sums[i] ^= sums[i] ? 1 : 0;
    }
    game = (counting_game){.sums = sums, .length = LENGTH};
    d = play_counting(replay, &game, NULL);
    assert_int_equal(d.level, REPRISE_IC_DIVERGED);
    assert_int_equal(d.tick, first);
    assert_int_equal(d.mismatches, later + last_mismatches);
}

static void import__recorded_sync_values_reach_the_simulation_of_a_host(void **state)
{
    (void)state;
    const char *path = DATA "openra/p21-2p.orarep";
    reprise_replay *source = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_file(path, NULL, &source, &error), REPRISE_OK);
    uint64_t frame_2 = stored_sum(source, 2);
    check_sums(source, frame_2);
    reprise_close(source);
    imported i = import_file(path, true);
    check_sums(i.replay, frame_2);
    imported_free(&i);
}

static void import__other_formats_are_refused(void **state)
{
    (void)state;
    reprise_replay *source = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    disk file = {0};
    reprise_sink sink = {.ctx = &file, .write = disk_keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    assert_int_equal(reprise_open_file(DATA "ironcurtain/basic.icrep", NULL, &source, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_ic_import(source, NULL, &writing, &report, &error),
                     REPRISE_E_UNSUPPORTED);
    assert_null(file.data);
    reprise_close(source);
}

/* ---- export ---- */

/* The payloads of carried orders. */
static disk carried_of(reprise_replay *replay)
{
    disk all = {0};
    reprise_ic_playback *player = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_ic_frame *frame = NULL;
    assert_int_equal(reprise_ic_playback_new(replay, NULL, &player, &error), REPRISE_OK);
    while (reprise_ic_playback_poll(player, &frame, &error) == REPRISE_OK) {
        const reprise_ic_order *orders = frame->orders.items;
        for (size_t i = 0; i < frame->orders.count; i++) {
            const reprise_ic_game_order *order = orders[i].order.as.game_order;
            if (orders[i].order.variant == REPRISE_IC_PLAYER_ORDER_GAME_ORDER &&
                order->type_tag == 0xF001)
                disk_keep(&all, order->payload.data, order->payload.size);
        }
    }
    reprise_ic_playback_free(player);
    return all;
}

static void import__what_was_carried_comes_back_byte_for_byte(void **state)
{
    (void)state;
    imported i = import_file(DATA "openra/p21-2p.orarep", true);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    disk back = {0};
    reprise_sink sink = {.ctx = &back, .write = disk_keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    if (reprise_ic_export(i.replay, &writing, &report, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(reprise_value_uint(reprise_value_get(report, "restored"), 0), 13);
    assert_int_equal(reprise_value_uint(reprise_value_get(report, "recreated"), 0), 91);
    assert_true(reprise_value_count(reprise_value_get(report, "notes")) > 5);
    reprise_replay *source = NULL;
    assert_int_equal(reprise_open_memory(back.data, back.size, NULL, &source, &error), REPRISE_OK);
    assert_string_equal(reprise_format(source), "openra");
    assert_string_equal(reprise_layout(source), "p21");
    disk first = carried_of(i.replay), second = carried_of(source);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    /* Immediate orders such as chat may move; orders with a frame stay in place. */
    disk a = orders_of(i.replay), b = orders_of(source);
    size_t same = 0, lines = 0;
    for (char *line = (char *)a.data; *line; line = strchr(line, '\n') + 1, lines++) {
        char one[96];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
        strrchr(one, ' ')[1] = '\0'; /* without its position in the tick */
        same += strstr((char *)b.data, one) != NULL;
    }
    assert_true(lines == 104 && same >= 100);
    free(a.data);
    free(b.data);
    free(first.data);
    free(second.data);
    free(back.data);
    reprise_close(source);
    imported_free(&i);
}

/* ---- hostile and odd sources ---- */

static unsigned changed_files;

static void change_text(const sample *s)
{
    static const char said[] = "attack now";
    if (!strstr(s->path, "p21-2p.orarep"))
        return;
    uint8_t *copy = malloc(s->size);
    memcpy(copy, s->data, s->size);
    unsigned found = 0;
    for (size_t i = 0; i + sizeof said < s->size; i++) {
        if (memcmp(copy + i, said, sizeof said - 1) == 0) {
            copy[i] = 0xFF;
            found++;
        }
    }
    assert_true(found > 0);
    reprise_replay *source = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    assert_int_equal(reprise_open_memory(copy, s->size, NULL, &source, &error), REPRISE_OK);
    imported i = import_replay(source, s->path, false);
    assert_int_equal(reprise_verify(i.replay, NULL, NULL, &summary, &error), REPRISE_OK);
    assert_int_equal(summary.faults, 0);
    imported_free(&i);
    free(copy);
    changed_files++;
}

/* Other games allow any bytes in a chat; this format requires UTF-8. */
static void import__text_that_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    changed_files = 0;
    walk_samples(DATA "openra", change_text);
    assert_int_equal(changed_files, 1);
}

/* Imports a match without orders under a memory limit. */
static disk import_nothing(int64_t frames, uint64_t memory_max)
{
    static const uint8_t hash[RP_SHA256_SIZE];
    disk file = {0};
    reprise_sink callback = {.ctx = &file, .write = disk_keep};
    TEST_OPTIONS(options);
    rp_context context;
    rp_foreign foreign;
    rp_sink *sink = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    options_limit(options, "memory_bytes", memory_max);
    rp_context_init(&context, options);
    rp_foreign_init(&foreign, &context);
    rp_doc doc = {.arena = &foreign.arena, .error = &error};
    foreign.about = rp_new_object(&doc);
    rp_set_text(&doc, rp_set_object(&doc, foreign.about, "source"), "engine", "remastered");
    reprise_value *metadata = rp_set_object(&doc, foreign.about, "metadata");
    rp_set_int(&doc, metadata, "duration_frames", frames);
    rp_set_f64(&doc, metadata, "last_time", (double)frames / 15);
    assert_int_equal(rp_foreign_finish(&foreign, &error), REPRISE_OK);
    ic_import_options how = {.date = "2026-01-02T03:04:05Z", .file_hash = hash};
    assert_int_equal(rp_sink_open_callback(&context, &callback, &sink, &error), REPRISE_OK);
    if (ic_import(&context, &foreign, &how, sink, &doc, rp_new_object(&doc), &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    rp_sink_close(sink);
    rp_foreign_reset(&foreign);
    assert_int_equal(context.bytes_live, 0);
    assert_int_equal(rp_load64(file.data + 48), frames + 1);
    return file;
}

/* Every tick has a frame of 24 bytes; an empty one compresses to a literal and a match. */
static void import__an_empty_tick_costs_five_bytes(void **state)
{
    (void)state;
    enum { FRAMES = 30000 };
    disk file = import_nothing(FRAMES, UINT64_MAX);
    /* One record header per 256 frames, and the rest of the file. */
    assert_true(file.size < FRAMES * 5 + FRAMES / 256 * 64 + 2048);
    free(file.data);
}

static void import__a_long_match_takes_little_memory(void **state)
{
    (void)state;
    enum { FRAMES = 4000000, MEMORY = 12 << 20 };
    disk file = import_nothing(FRAMES, MEMORY);
    assert_true(file.size > (size_t)FRAMES * 5);
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    assert_int_equal(summary.faults + summary.warnings, 0);
    reprise_close(replay);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_37__importing_gives_what_the_samples_hold),
        cmocka_unit_test(import__every_sample_gives_a_sound_file),
        cmocka_unit_test(import__damaged_files_do_no_harm),
        cmocka_unit_test(import__a_recorded_desync_is_a_divergence),
        cmocka_unit_test(import__recorded_sync_values_reach_the_simulation_of_a_host),
        cmocka_unit_test(import__other_formats_are_refused),
        cmocka_unit_test(import__what_was_carried_comes_back_byte_for_byte),
        cmocka_unit_test(import__text_that_is_not_utf8_is_replaced),
        cmocka_unit_test(import__an_empty_tick_costs_five_bytes),
        cmocka_unit_test(import__a_long_match_takes_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
