/*
 * test_cs2kz_game.c - what the games' own code makes of CS2KZ files written here: aim across layout
 * B2, frames that state their size, the first tick of early layouts, unknown flags, and files
 * written row by row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kz_files.h"
#include "options.h"
#include "reprise/write.h"

/* ---- aim across B2 ---- */

enum { SLOTS_OLD = 64, SLOTS_NEW = 36 };

static void put_move(bytes *moves, uint32_t button, float forward, float left, float pitch,
                     float yaw)
{
    put_float(moves, 0.5f);
    put_number(moves, button, 4);
    put_float(moves, forward);
    put_float(moves, left);
    put_float(moves, pitch);
    put_float(moves, yaw);
}

/* One tick and one command, each with a button move and an analog move, both with aim. */
static bytes aiming(unsigned char version, size_t slots, float button_yaw, float analog_yaw)
{
    bytes file = blank_file(version), record = {0}, moves = {0};
    put_zeros(&record, 8);
    put_number(&moves, 2, 4);
    put_move(&moves, 2, 1e-45f /* pressed is 1 */, 0.25f, 0, button_yaw);
    put_move(&moves, 0, 0.5f, -0.5f, 0, analog_yaw);
    put_zeros(&moves, (slots - 2) * 24);
    replace_section(&file, "ticks", &record, 1);
    replace_section(&file, "commands", &record, 1);
    replace_section(&file, "tickSubticks", &moves, 1);
    replace_section(&file, "commandSubticks", &moves, 1);
    bytes_free(&record);
    bytes_free(&moves);
    return file;
}

/* What a conversion without --lossy says. */
static void expect_conversion(const bytes *file, const char *layout, const char *loss)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = layout;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(file, false);
    reprise_status status = reprise_convert(replay, &options, &report, &error);
    if (!loss)
        expect_ok(status, &error, layout);
    else if (status != REPRISE_E_LOSSY || !strstr(error.message, loss))
        fail_msg("to %s: %d %s, not %s", layout, status, error.message, loss);
    reprise_close(replay);
    bytes_free(&result);
}

static const char *const old_layouts[] = {"a1", "a2", "a3", "b1", "p"};
static const char *const new_layouts[] = {"b2", "b3", "b4", "b5"};
enum { OLD = 5, NEW = 4 };

static const char *const move_tracks[] = {"subticks", "command_subticks"};

static void expect_moves(const bytes *file, double button_yaw, double analog_yaw)
{
    for (size_t t = 0; t < 2; t++) {
        expect_cell(file, move_tracks[t], 0, "button", 2);
        expect_cell(file, move_tracks[t], 0, "pressed", 1);
        expect_cell(file, move_tracks[t], 1, "forward_delta", 0.5);
        expect_cell(file, move_tracks[t], 1, "left_delta", -0.5);
        if (isnan(button_yaw))
            expect_no_cell(file, move_tracks[t], 0, "yaw_delta");
        else
            expect_cell(file, move_tracks[t], 0, "yaw_delta", button_yaw);
        if (isnan(analog_yaw))
            expect_no_cell(file, move_tracks[t], 1, "yaw_delta");
        else
            expect_cell(file, move_tracks[t], 1, "yaw_delta", analog_yaw);
    }
}

/* The bytes of every used move of a section that mean nothing in its layout. */
static void expect_no_noise(const bytes *file, const char *section, bool aim_in_buttons)
{
    bytes moves = content_of(file, section_at(file, section));
    for (size_t i = 0; i < 2; i++) {
        const unsigned char *move = moves.data + 4 + i * 24;
        bool button = u32_at(&moves, 4 + i * 24 + 4) != 0;
        for (size_t k = 8; k < 24; k++) {
            bool aim = k >= 16, meant = button ? k == 8 : !aim;
            if (!meant && !(aim && button == aim_in_buttons) && move[k])
                fail_msg("%s: move %zu has %02x at %zu", section, i, move[k], k);
        }
    }
    bytes_free(&moves);
}

static void cs2kz__b2_stale_memory_of_button_moves_never_becomes_aim(void **state)
{
    (void)state;
    bytes file = aiming(1, SLOTS_OLD, 597, 0);
    for (size_t i = 0; i < NEW; i++) {
        expect_conversion(&file, new_layouts[i], NULL);
        bytes now = changed(&file, (change){.convert = new_layouts[i]});
        expect_moves(&now, 0, NAN);
        expect_no_noise(&now, "tickSubticks", true);
        expect_no_noise(&now, "commandSubticks", true);
        bytes_free(&now);
    }
    bytes_free(&file);
}

static void cs2kz__b2_aim_of_analog_moves_is_counted_and_refused(void **state)
{
    (void)state;
    bytes file = aiming(1, SLOTS_OLD, 597, 2.5f);
    for (size_t i = 0; i < NEW; i++) {
        expect_conversion(&file, new_layouts[i], "aim of 2 analog moves");
        bytes now = changed(&file, (change){.convert = new_layouts[i]});
        expect_moves(&now, 0, NAN);
        bytes back = changed(&now, (change){.convert = "b1"});
        expect_moves(&back, NAN, 0);
        bytes_free(&now);
        bytes_free(&back);
    }
    for (size_t i = 0; i < OLD; i++) { /* the same side: everything stays */
        bytes now = changed(&file, (change){.convert = old_layouts[i]});
        expect_moves(&now, NAN, 2.5);
        expect_same_digests(&file, &now,
                            (const char *const[]){"subticks", "command_subticks", NULL});
        bytes_free(&now);
    }
    bytes_free(&file);
}

static void cs2kz__b2_aim_of_button_moves_is_counted_and_refused(void **state)
{
    (void)state;
    bytes file = aiming(5, SLOTS_NEW, -3.25f, 597);
    for (size_t i = 0; i < OLD; i++) {
        expect_conversion(&file, old_layouts[i], "aim of 2 button moves");
        bytes now = changed(&file, (change){.convert = old_layouts[i]});
        expect_moves(&now, NAN, 0);
        bytes_free(&now);
    }
    for (size_t i = 0; i < NEW; i++) {
        bytes now = changed(&file, (change){.convert = new_layouts[i]});
        expect_moves(&now, -3.25, NAN);
        expect_same_digests(&file, &now,
                            (const char *const[]){"subticks", "command_subticks", NULL});
        bytes_free(&now);
    }
    bytes_free(&file);
    file = aiming(5, SLOTS_NEW, 0, 597); /* nothing to lose */
    for (size_t i = 0; i < OLD; i++) {
        bytes now = changed(&file, (change){.convert = old_layouts[i]});
        expect_moves(&now, NAN, 0);
        bytes_free(&now);
    }
    bytes_free(&file);
}

/* ---- frames ---- */

static void expect_stated_sizes(const bytes *file, const char *what, bool *ret_large)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    const reprise_value *parts = reprise_value_get(info, "parts");
    for (size_t i = 0; i < reprise_value_count(parts); i++) {
        const reprise_value *part = reprise_value_at(parts, i);
        size_t at = (size_t)reprise_value_uint(reprise_value_get(part, "offset"), 0);
        uint32_t stored = u32_at(file, at), size = u32_at(file, at + 4);
        unsigned long long stated = ZSTD_getFrameContentSize(file->data + at + 12, stored);
        if (stated != size)
            fail_msg("%s: %s states %llu of %u bytes", what,
                     reprise_value_text(reprise_value_get(part, "name"), NULL), stated, size);
        /* One frame and nothing after it, as one-shot decoders want it. */
        assert_int_equal(ZSTD_findFrameCompressedSize(file->data + at + 12, stored), stored);
        *ret_large = *ret_large || size > 128 << 10;
    }
    reprise_close(replay);
}

static void cs2kz__frames_of_every_section_state_their_size(void **state)
{
    (void)state;
    static const char *const all[] = {"a1", "a2", "a3", "b1", "b2", "b3", "b4", "b5", "p"};
    bytes file = load("019a9b07-044d-785c-9077-bed61db82000");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bool large = false;
        bytes now = changed(&file, (change){.convert = all[i]});
        expect_stated_sizes(&now, all[i], &large);
        bytes packed = changed(&now, (change){.recompress = true, .level = 9, .long_range = true});
        expect_stated_sizes(&packed, all[i], &large);
        expect_same_digests(&now, &packed, all_tracks);
        assert_true(large);
        bytes_free(&now);
        bytes_free(&packed);
    }
    bytes_free(&file);
}

/* ---- flags ---- */

static void cs2kz__p_unknown_flags_of_all_three_words_are_reported(void **state)
{
    (void)state;
    static const unsigned known[] = {11, 14, 14};
    bytes file = load("p-jump");
    size_t at = section_at(&file, "ticks");
    for (unsigned word = 0; word < 3; word++) {
        for (unsigned bit = known[word]; bit < 64; bit++) {
            bytes content = content_of(&file, at);
            content.data[8 * word + bit / 8] |= (unsigned char)(1u << bit % 8);
            bytes flagged = with_content(&file, at, &content);
            expect_warning(&flagged, "cs2kz.unknown-tick-flag", "p");
            expect_same_digests(&file, &flagged, (const char *const[]){"ticks", NULL});
            bytes_free(&flagged);
            bytes_free(&content);
        }
    }
    bytes_free(&file);
}

/* Two ticks in which nothing but the tick number ever changes. */
static bytes motionless(void)
{
    bytes file = blank_file(5), ticks = {0};
    put_zeros(&ticks, 2 * 8);
    replace_ticks(&file, &ticks, 2, SLOTS_NEW);
    bytes_free(&ticks);
    return file;
}

static uint64_t u64_at(const bytes *b, size_t at)
{
    return u32_at(b, at) | (uint64_t)u32_at(b, at + 4) << 32;
}

static void cs2kz__early_layouts_store_first_vectors_and_all_checkpoints(void **state)
{
    (void)state;
    static const char *const early[] = {"a1", "a2", "a3"};
    const uint64_t vectors = UINT64_C(7) << 10, checkpoint = UINT64_C(1) << 38;
    bytes file = motionless();
    for (size_t i = 0; i < 3; i++) {
        bytes now = changed(&file, (change){.convert = early[i]});
        bytes ticks = content_of(&now, section_at(&now, "ticks"));
        uint64_t first = u64_at(&ticks, 0);
        assert_true((first & vectors) == vectors);
        assert_true((first & checkpoint) == checkpoint);
        size_t second = ticks.size - 8 - 12; /* its checkpoint group is all it stores */
        assert_true(u64_at(&ticks, second) == checkpoint);
        expect_same_digests(&file, &now, (const char *const[]){"commands", NULL});
        bytes_free(&ticks);
        bytes_free(&now);
    }
    bytes now = changed(&file, (change){.convert = "b5"});
    bytes ticks = content_of(&now, section_at(&now, "ticks"));
    assert_true(u64_at(&ticks, ticks.size - 8) == 0); /* later games carry them over */
    bytes_free(&ticks);
    bytes_free(&now);
    bytes_free(&file);
}

/* ---- info ---- */

static const reprise_value *info_of(reprise_replay *replay)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return info;
}

static void expect_text(const reprise_value *object, const char *key, const char *expected)
{
    const char *text = reprise_value_text(reprise_value_get(object, key), NULL);
    if (!text || strcmp(text, expected) != 0)
        fail_msg("%s is %s, not %s", key, text ? text : "missing", expected);
}

static void cs2kz__info_shows_reason_and_dates(void **state)
{
    (void)state;
    bytes file = load("a1-cheater");
    memset(file.data + 1808, 0, 8);
    put_u32(&file, 1744, 1762955400); /* timestamp */
    put_u32(&file, 1808, 1763000000); /* archived */
    reprise_replay *replay = open_bytes(&file, false);
    const reprise_value *info = info_of(replay);
    const reprise_value *header = reprise_value_get(info, "header");
    expect_text(info, "reason",
                reprise_value_text(
                    reprise_value_get(reprise_value_get(header, "cheater"), "reason"), NULL));
    expect_text(info, "date", "2025-11-12T13:50:00Z");
    expect_text(info, "archived_date", "2025-11-13T02:13:20Z");
    assert_int_equal(reprise_value_int(reprise_value_get(info, "timestamp"), 0), 1762955400);
    assert_int_equal(reprise_value_int(reprise_value_get(info, "archived_timestamp"), 0),
                     1763000000);
    reprise_close(replay);
    memset(file.data + 1744, 0xFF, 8); /* a date that no calendar has */
    replay = open_bytes(&file, false);
    assert_null(reprise_value_get(info_of(replay), "date"));
    reprise_close(replay);
    bytes_free(&file);
}

static void cs2kz__info_shows_the_values_of_a_jump(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"strafes", "strafes"},
                                           {"sync", "sync"},
                                           {"pre_speed", "pre"},
                                           {"max_speed", "max"},
                                           {"air_time", "air_time"}};
    static const char *const samples[] = {"a1-jump", "b1-jump", "p-jump"};
    for (size_t s = 0; s < 3; s++) {
        bytes file = load(samples[s]);
        reprise_replay *replay = open_bytes(&file, false);
        const reprise_value *info = info_of(replay);
        const reprise_value *jump = reprise_value_get(reprise_value_get(info, "header"), "jump");
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            const reprise_value *shown = reprise_value_get(info, pairs[i][0]);
            const reprise_value *stored = reprise_value_get(jump, pairs[i][1]);
            assert_non_null(shown);
            assert_non_null(stored);
            assert_true(reprise_value_double(shown, -1) == reprise_value_double(stored, -2));
        }
        reprise_close(replay);
        bytes_free(&file);
    }
}

/* ---- writing row by row ---- */

#define STEAM_ID UINT64_C(76561199852661219)

static void add_row(reprise_writer *w, const char *track, uint32_t object, const char *column,
                    int64_t value)
{
    reprise_error error = REPRISE_ERROR_INIT;
    int number = reprise_writer_track(w, track);
    expect_ok(reprise_writer_row(w, number, object, 0, &error), &error, track);
    int tick = reprise_writer_column(w, number, "server_tick");
    expect_ok(reprise_writer_set_int(w, tick, value, &error), &error, "server_tick");
    int place = reprise_writer_column(w, number, column);
    expect_ok(reprise_writer_set_double(w, place, (double)value, &error), &error, column);
}

static size_t count_rows(reprise_replay *replay, const char *track)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *rows = NULL;
    size_t number = (size_t)reprise_track_find(replay, track), count = 0;
    options.tracks = UINT64_C(1) << number;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track);
    for (; reprise_rows_next(rows, &error) == REPRISE_OK; count++)
        ;
    reprise_rows_close(rows);
    return count;
}

/* Ticks and jumps: together in a step, jumps first, and in steps that alternate. */
static void cs2kz__written_rows_of_two_tracks_and_the_steam_id_come_back(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    static const char metadata[] =
        "{\"player\":{\"name\":\"Ada\",\"steam_id\":\"76561199852661219\"}}";
    for (int alternating = 0; alternating < 2; alternating++) {
        bytes to = {0};
        reprise_sink sink = {.ctx = &to, .write = bytes_write};
        reprise_write_options options = REPRISE_WRITE_INIT;
        options.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_writer *w = NULL;
        expect_ok(writer_begin_json("cs2kz", metadata, &options, NULL, &w, &error), &error,
                  "begin");
        uint32_t jumps = 0;
        for (int i = 0; i < STEPS; i++) {
            if (!alternating || i % 2)
                add_row(w, "jumps", jumps++, "takeoff_origin_x", i);
            if (!alternating || i % 2 == 0)
                add_row(w, "ticks", 0, "pre_origin_x", i);
            expect_ok(reprise_writer_step(w, &error), &error, "step");
        }
        expect_ok(reprise_writer_end(w, &error), &error, "end");
        reprise_writer_close(w);
        reprise_replay *replay = open_bytes(&to, false);
        assert_int_equal(count_rows(replay, "ticks"), alternating ? STEPS / 2 : STEPS);
        assert_int_equal(count_rows(replay, "jumps"), alternating ? STEPS / 2 : STEPS);
        const reprise_value *info = NULL;
        expect_ok(reprise_info(replay, &info, &error), &error, "info");
        const reprise_value *player = reprise_value_at(reprise_value_get(info, "people"), 0);
        assert_true(reprise_value_uint(reprise_value_get(player, "id"), 0) == STEAM_ID);
        reprise_close(replay);
        bytes_free(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cs2kz__b2_stale_memory_of_button_moves_never_becomes_aim),
        cmocka_unit_test(cs2kz__b2_aim_of_analog_moves_is_counted_and_refused),
        cmocka_unit_test(cs2kz__b2_aim_of_button_moves_is_counted_and_refused),
        cmocka_unit_test(cs2kz__frames_of_every_section_state_their_size),
        cmocka_unit_test(cs2kz__p_unknown_flags_of_all_three_words_are_reported),
        cmocka_unit_test(cs2kz__early_layouts_store_first_vectors_and_all_checkpoints),
        cmocka_unit_test(cs2kz__info_shows_reason_and_dates),
        cmocka_unit_test(cs2kz__info_shows_the_values_of_a_jump),
        cmocka_unit_test(cs2kz__written_rows_of_two_tracks_and_the_steam_id_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
