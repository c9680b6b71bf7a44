/*
 * test_cs2kz_grammar.c - what the records of CS2KZ files mean: headers byte by byte, ticks,
 * commands, subticks, jumps and events. Numbers in the names are those of the checklist
 * in docs/spec/cs2kz.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cs2kz/write.h"
#include "kz_files.h"
#include "options.h"

/* ---- headers ---- */

static const reprise_value *header_of(reprise_replay *replay)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return reprise_value_get(info, "header");
}

static void expect_header(const bytes *file, const char *member, const char *text, uint64_t number)
{
    reprise_replay *replay = open_bytes(file, false);
    const reprise_value *value = header_of(replay);
    char path[64], *rest = path;
    snprintf(path, sizeof path, "%s", member);
    for (char *dot; (dot = strchr(rest, '.')); rest = dot + 1) {
        *dot = '\0';
        value = reprise_value_get(value, rest);
    }
    value = reprise_value_get(value, rest);
    if (!value)
        fail_msg("no %s", member);
    if (text)
        assert_string_equal(reprise_value_text(value, NULL), text);
    else
        assert_int_equal(reprise_value_uint(value, 0), number);
    reprise_close(replay);
}

static void put_text(bytes *file, size_t at, const char *text)
{
    memcpy(file->data + at, text, strlen(text) + 1);
}

static void cs2kz__5_struct_headers_have_their_fields_at_their_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *sample;
        size_t gloves, size;
    } files[] = {{"a1-cheater", 872, 1816}, {"a2-manual", 256, 1200}, {"a3-run", 256, 1200}};
    /* Of a cheater, a manual one, and a run with one style. */
    static const size_t details[] = {648, 136, 432 + 161};
    for (size_t i = 0; i < 3; i++) {
        bytes file = load(files[i].sample);
        size_t after = files[i].gloves + 616;
        assert_int_equal(section_at(&file, "ticks"), files[i].size + details[i]);
        put_text(&file, 16, "name");
        put_u32(&file, 144, 7);
        put_u32(&file, 148, 0);
        put_text(&file, 152, "map");
        put_text(&file, 216, "digest");
        put_u32(&file, files[i].gloves, 5030);
        put_text(&file, after, "model");
        put_u32(&file, after + 256, 1234);
        put_u32(&file, after + 260, 0);
        put_text(&file, after + 264, "plugin");
        put_u32(&file, after + 296, 99);
        put_u32(&file, after + 300, 0xC0000201);
        put_u32(&file, after + 320, 77);
        put_u32(&file, after + 324, 0);
        expect_header(&file, "player.name", "name", 0);
        expect_header(&file, "player.steam_id", NULL, 7);
        expect_header(&file, "map.name", "map", 0);
        expect_header(&file, "map.md5", "digest", 0);
        expect_header(&file, "gloves.item.item_def", NULL, 5030);
        expect_header(&file, "model_name", "model", 0);
        expect_header(&file, "timestamp", NULL, 1234);
        expect_header(&file, "plugin_version", "plugin", 0);
        expect_header(&file, "server_version", NULL, 99);
        expect_header(&file, "server_ip", NULL, 0xC0000201);
        expect_header(&file, "archived_timestamp", NULL, 77);
        /* Padding and the bytes after texts are noise. */
        memset(file.data + 12, 0xEE, 4);
        memset(file.data + 16 + 5, 0xEE, 20);
        memset(file.data + 249, 0xEE, 7);
        memset(file.data + after + 316, 0xEE, 4);
        expect_header(&file, "player.name", "name", 0);
        expect_header(&file, "archived_timestamp", NULL, 77);
        outcome o = look(&file);
        assert_int_equal(o.summary.faults + o.summary.warnings, 0);
        reprise_close(o.replay);
        bytes_free(&file);
    }
}

static void cs2kz__6_styles_are_read_after_the_run_header_and_before_it(void **state)
{
    (void)state;
    bytes none = load("a1-run"), after = load("a1-run-styles"),
          front = load("a1-run-styles-server");
    assert_int_equal(row_count(&none, "styles"), 0);
    assert_true(row_count(&after, "styles") > 0);
    assert_true(row_count(&front, "styles") > 0);
    outcome o = look(&after);
    assert_int_equal(o.summary.warnings, 0);
    reprise_close(o.replay);
    expect_warning(&front, "cs2kz.style-order", "a1");
    bytes_free(&none);
    bytes_free(&after);
    bytes_free(&front);
}

static void cs2kz__7_impossible_style_counts_are_refused(void **state)
{
    (void)state;
    static const uint32_t counts[] = {UINT32_MAX, 65, INT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        bytes file = load("a1-run");
        put_u32(&file, 1816 + 420, counts[i]);
        expect_refusal(&file, REPRISE_E_CORRUPT, "styles");
        bytes_free(&file);
    }
}

static void cs2kz__8_texts_without_end_or_utf8_survive_a_rewrite(void **state)
{
    (void)state;
    bytes file = load("a3-run");
    memset(file.data + 16, 'n', 128);
    memset(file.data + 152, 0xFF, 64);
    memset(file.data + 872, 0xE9, 256);
    bytes again = changed(&file, (change){.convert = "a3"});
    assert_memory_equal(file.data + 16, again.data + 16, 128);
    assert_memory_equal(file.data + 152, again.data + 152, 64);
    assert_memory_equal(file.data + 872, again.data + 872, 256);
    bytes_free(&again);
    bytes_free(&file);
}

static void cs2kz__11_negative_numbers_take_ten_bytes_and_no_more(void **state)
{
    (void)state;
    bytes file = load("b1-jump");
    reprise_replay *replay = open_bytes(&file, false);
    const reprise_value *jump = reprise_value_get(header_of(replay), "jump");
    assert_int_equal(reprise_value_int(reprise_value_get(jump, "block_distance"), 0), -1);
    reprise_close(replay);
    bytes_free(&file);
    file = load("bad/b-header-varint");
    expect_refusal(&file, REPRISE_E_CORRUPT, "header");
    bytes_free(&file);
}

static void cs2kz__12_sections_are_in_the_order_of_the_layout(void **state)
{
    (void)state;
    static const char *const seven = "ticks tickSubticks weaponTable jumps events commands "
                                     "commandSubticks ";
    static const char *const eight = "ticks tickSubticks weaponTable weaponEvents jumps events "
                                     "commands commandSubticks ";
    static const char *const five = "ticks weaponChanges jumps events commands ";
    const char *const files[][2] = {
        {"a1-run", eight},    {"a2-manual", eight}, {"a3-run", seven},
        {"b1-jump", seven},   {"b2-run", seven},    {"b3-cheater", seven},
        {"b4-manual", seven}, {"b5-edge", seven},   {"p-jump", five}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        bytes file = load(files[i][0]);
        reprise_replay *replay = open_bytes(&file, false);
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *info = NULL;
        expect_ok(reprise_info(replay, &info, &error), &error, "info");
        const reprise_value *parts = reprise_value_get(info, "parts");
        char names[256] = "";
        size_t used = 0;
        for (size_t k = 0; k < reprise_value_count(parts); k++)
            used += (size_t)snprintf(
                names + used, sizeof names - used, "%s ",
                reprise_value_text(reprise_value_get(reprise_value_at(parts, k), "name"), NULL));
        assert_string_equal(names, files[i][1]);
        reprise_close(replay);
        bytes_free(&file);
    }
}

/* ---- ticks ---- */

#define BIT(n) (UINT64_C(1) << (n))

/* A file with these ticks and nothing else. */
static bytes with_ticks(unsigned char version, const bytes *ticks, uint32_t count)
{
    bytes file = blank_file(version);
    replace_ticks(&file, ticks, count, version >= 4 ? 36 : 64);
    return file;
}

static void cs2kz__15_server_ticks_count_up_from_0_and_wrap(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, 0, 8);
    put_number(&ticks, 0, 8);
    put_number(&ticks, BIT(0), 8);
    put_number(&ticks, UINT32_MAX, 4);
    put_number(&ticks, 0, 8);
    bytes file = with_ticks(5, &ticks, 4);
    static const uint32_t expected[] = {0, 1, UINT32_MAX, 0};
    for (size_t i = 0; i < 4; i++)
        expect_cell(&file, "ticks", i, "server_tick", expected[i]);
    bytes_free(&file);
    bytes_free(&ticks);
}

static void cs2kz__16_17_what_is_left_out_comes_from_the_state_before(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, BIT(24) | BIT(35), 8); /* post: origin, replay flags */
    put_float(&ticks, 1);
    put_float(&ticks, 2);
    put_float(&ticks, 3);
    put_number(&ticks, 5, 1);
    put_number(&ticks, BIT(23), 8); /* pre: move type */
    put_number(&ticks, 9, 1);
    bytes file = with_ticks(5, &ticks, 2);
    expect_cell(&file, "ticks", 0, "pre_move_type", 2); /* walking, unless it is said */
    expect_cell(&file, "ticks", 0, "post_move_type", 2);
    expect_cell(&file, "ticks", 0, "pre_origin_y", 0);
    expect_cell(&file, "ticks", 0, "post_origin_y", 2);
    expect_cell(&file, "ticks", 1, "pre_origin_y", 2); /* pre from the post before it */
    expect_cell(&file, "ticks", 1, "post_origin_y", 2);
    expect_cell(&file, "ticks", 1, "pre_replay_flags", 5);
    expect_cell(&file, "ticks", 1, "post_move_type", 9); /* post from its own pre */
    bytes_free(&file);
    bytes_free(&ticks);
}

static void cs2kz__18_the_weapon_follows_the_hand(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, BIT(9) | BIT(39) | BIT(10), 8);
    put_number(&ticks, 1, 1); /* left-handed */
    put_number(&ticks, 42, 4);
    put_float(&ticks, 7);
    put_float(&ticks, 8);
    put_float(&ticks, 9);
    bytes file = with_ticks(5, &ticks, 1);
    expect_cell(&file, "ticks", 0, "left_handed", 1);
    expect_cell(&file, "ticks", 0, "weapon", 42);
    expect_cell(&file, "ticks", 0, "pre_origin_x", 7);
    bytes_free(&file);
    bytes_free(&ticks);
}

static void cs2kz__19_bit_39_of_b2_brings_weapon_and_press(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, BIT(39), 8);
    put_number(&ticks, 3, 4);
    put_number(&ticks, 777, 4);
    put_float(&ticks, 0.5f);
    bytes file = with_ticks(2, &ticks, 1);
    expect_cell(&file, "ticks", 0, "weapon", 3);
    expect_cell(&file, "ticks", 0, "press_tick", 777);
    expect_cell(&file, "ticks", 0, "press_fraction", 0.5);
    bytes_free(&file);
    file = with_ticks(3, &ticks, 1); /* there the press has its own bit */
    expect_refusal(&file, REPRISE_E_CORRUPT, "leftover");
    bytes_free(&file);
    bytes_free(&ticks);
}

static void cs2kz__20_groups_carry_over(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, BIT(38) | BIT(41) | BIT(42), 8);
    put_number(&ticks, 4, 4); /* checkpoint */
    put_number(&ticks, 5, 4);
    put_number(&ticks, 6, 4);
    put_number(&ticks, 70, 4); /* usable press */
    put_float(&ticks, 0.25f);
    put_number(&ticks, 80, 4); /* landing */
    put_float(&ticks, 0.75f);
    put_float(&ticks, 1);
    put_float(&ticks, 2);
    put_float(&ticks, 3);
    put_number(&ticks, 0, 8);
    bytes file = with_ticks(5, &ticks, 2);
    for (size_t i = 0; i < 2; i++) {
        expect_cell(&file, "ticks", i, "checkpoint_index", 4);
        expect_cell(&file, "ticks", i, "teleport_count", 6);
        expect_cell(&file, "ticks", i, "usable_tick", 70);
        expect_cell(&file, "ticks", i, "landing_tick", 80);
        expect_cell(&file, "ticks", i, "landing_velocity_z", 3);
    }
    bytes_free(&file);
    bytes_free(&ticks);
}

static void cs2kz__21_strange_floats_survive_bit_for_bit(void **state)
{
    (void)state;
    static const uint32_t strange[] = {0x7FC00001, 0xFF800000, 0x80000000,
                                       1,          0x7F800000, 0xFFFFFFFF};
    bytes ticks = {0}, commands = {0};
    for (size_t i = 0; i < 6; i++) {
        put_number(&ticks, BIT(1) | BIT(10), 8);
        put_number(&ticks, strange[i], 4);
        put_number(&ticks, strange[(i + 1) % 6], 4);
        put_number(&ticks, strange[(i + 2) % 6], 4);
        put_number(&ticks, strange[(i + 3) % 6], 4);
        put_number(&commands, BIT(1) | BIT(5), 8);
        put_number(&commands, strange[i], 4);
        put_number(&commands, strange[(i + 1) % 6], 4);
    }
    bytes file = with_ticks(5, &ticks, 6);
    replace_commands(&file, &commands, 6, 36);
    bytes again = changed(&file, (change){.convert = "b5"});
    expect_same_digests(&file, &again, all_tracks);
    assert_true(isnan(value_at(&again, "ticks", 0, "game_time")));
    assert_true(signbit(value_at(&again, "ticks", 2, "game_time")));
    assert_true(value_at(&again, "ticks", 3, "game_time") > 0);
    bytes_free(&again);
    bytes_free(&file);
    bytes_free(&ticks);
    bytes_free(&commands);
}

/* ---- sizes and counts ---- */

static void cs2kz__22_every_section_must_be_used_up_exactly(void **state)
{
    (void)state;
    static const char *const names[] = {"ticks", "commands", "weaponTable", "jumps"};
    for (size_t i = 0; i < 4; i++) {
        bytes file = load(i == 3 ? "b1-jump" : "b2-run");
        size_t at = section_at(&file, names[i]);
        bytes content = content_of(&file, at);
        put_zeros(&content, 3);
        bytes longer = with_content(&file, at, &content);
        expect_refusal(&longer, REPRISE_E_CORRUPT, "leftover");
        content.size -= 4;
        bytes shorter = with_content(&file, at, &content);
        outcome o = look(&shorter);
        assert_true(o.summary.faults > 0);
        reprise_close(o.replay);
        bytes_free(&longer);
        bytes_free(&shorter);
        bytes_free(&content);
        bytes_free(&file);
    }
}

static void cs2kz__24_subtick_entries_have_the_size_of_the_layout(void **state)
{
    (void)state;
    static const struct {
        const char *sample;
        uint32_t size;
    } files[] = {{"b3-cheater", 1540}, {"b4-manual", 868}};
    static const char *const names[] = {"tickSubticks", "commandSubticks"};
    for (size_t i = 0; i < 4; i++) {
        bytes file = load(files[i / 2].sample);
        size_t at = section_at(&file, names[i % 2]);
        uint32_t size = u32_at(&file, at + 4), count = u32_at(&file, at + 8);
        assert_int_equal(size, count * files[i / 2].size);
        put_u32(&file, at + 8, count - 1);
        expect_refusal(&file, REPRISE_E_CORRUPT, "count");
        put_u32(&file, at + 8, count);
        put_u32(&file, at + 4, size - files[i / 2].size);
        expect_refusal(&file, REPRISE_E_CORRUPT, "size");
        bytes_free(&file);
    }
}

static void cs2kz__25_counts_above_the_slots_are_clamped(void **state)
{
    (void)state;
    bytes ticks = {0}, moves = {0};
    put_number(&ticks, 0, 8);
    put_number(&moves, 65, 4);
    for (unsigned i = 0; i < 64; i++) {
        put_float(&moves, 0.5f);
        put_number(&moves, 8, 4);
        put_zeros(&moves, 16);
    }
    bytes file = with_ticks(3, &ticks, 1);
    replace_section(&file, "tickSubticks", &moves, 1);
    expect_warning(&file, "cs2kz.subtick-clamped", "b3");
    assert_int_equal(row_count(&file, "subticks"), 64);
    bytes_free(&file);
    bytes_free(&moves);
    bytes_free(&ticks);
}

static void cs2kz__28_weapons_may_be_missing_from_the_table(void **state)
{
    (void)state;
    bytes ticks = {0};
    put_number(&ticks, BIT(39), 8);
    put_number(&ticks, 12345, 4);
    bytes file = with_ticks(5, &ticks, 1);
    outcome o = look(&file);
    assert_int_equal(o.summary.faults + o.summary.warnings, 0);
    reprise_close(o.replay);
    bytes_free(&file);
    bytes_free(&ticks);
}

/* ---- jumps and events ---- */

/* One jump with one call of so many bytes; the fractions are there from 92 on. */
static bytes one_call(size_t size)
{
    bytes jumps = {0};
    put_number(&jumps, 1, 4);
    put_zeros(&jumps, 364);
    put_number(&jumps, 0, 4); /* strafes */
    put_number(&jumps, 1, 4);
    put_number(&jumps, 3, 4); /* of strafe */
    put_zeros(&jumps, 12);
    if (size == 92) {
        put_float(&jumps, 0.25f);
        put_float(&jumps, 0.5f);
    }
    put_float(&jumps, 6); /* wish direction */
    put_zeros(&jumps, size - (size == 92 ? 28 : 20));
    return jumps;
}

static void cs2kz__29_calls_have_fractions_from_b5_on(void **state)
{
    (void)state;
    for (unsigned char version = 4; version <= 5; version++) {
        bytes file = blank_file(version), jumps = one_call(version == 5 ? 92 : 84);
        replace_section(&file, "jumps", &jumps, 1);
        expect_cell(&file, "aircalls", 0, "strafe", 3);
        expect_cell(&file, "aircalls", 0, "start_fraction", version == 5 ? 0.25 : 0);
        expect_cell(&file, "aircalls", 0, "end_fraction", version == 5 ? 0.5 : 1);
        expect_cell(&file, "aircalls", 0, "wish_dir_x", 6);
        bytes_free(&jumps);
        jumps = one_call(version == 5 ? 84 : 92); /* that of the other layout */
        replace_section(&file, "jumps", &jumps, 1);
        outcome o = look(&file);
        assert_true(o.summary.faults > 0);
        reprise_close(o.replay);
        bytes_free(&jumps);
        bytes_free(&file);
    }
}

static void cs2kz__30_impossible_counts_in_jumps_are_refused(void **state)
{
    (void)state;
    static const uint32_t counts[] = {UINT32_MAX, 2, INT32_MAX};
    for (size_t i = 0; i < 6; i++) {
        bytes file = blank_file(5), jumps = one_call(92);
        put_u32(&jumps, i < 3 ? 4 + 364 : 4 + 364 + 4, counts[i % 3]);
        replace_section(&file, "jumps", &jumps, 1);
        expect_refusal(&file, REPRISE_E_CORRUPT, "jumps");
        bytes_free(&jumps);
        bytes_free(&file);
    }
}

static void cs2kz__32_teleport_groups_are_shown_by_their_flags(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags < 8; flags++) {
        bytes file = blank_file(5), events = {0};
        put_number(&events, 3, 4);
        put_number(&events, 10, 4);
        for (unsigned i = 0; i < 3; i++)
            put_number(&events, flags >> i & 1, 1);
        put_number(&events, 0, 1);
        for (unsigned i = 1; i <= 9; i++)
            put_float(&events, (float)i);
        put_zeros(&events, 172 - 48);
        replace_section(&file, "events", &events, 1);
        static const char *const columns[] = {"origin_x", "angles_x", "velocity_x"};
        for (unsigned i = 0; i < 3; i++) {
            if (flags >> i & 1)
                expect_cell(&file, "events", 0, columns[i], 1 + 3 * (double)i);
            else
                expect_no_cell(&file, "events", 0, columns[i]);
        }
        bytes_free(&events);
        bytes_free(&file);
    }
}

/* ---- commands ---- */

static void cs2kz__33_game_time_of_commands_advances_by_a_tick(void **state)
{
    (void)state;
    bytes file = blank_file(5), commands = {0};
    put_number(&commands, 0, 8); /* first: 0 */
    put_number(&commands, 0, 8);
    put_number(&commands, BIT(1), 8);
    put_float(&commands, 200000.01f); /* where a tick is less than the float can tell exactly */
    put_number(&commands, 0, 8);
    replace_commands(&file, &commands, 4, 36);
    expect_cell(&file, "commands", 0, "game_time", 0);
    expect_cell(&file, "commands", 1, "game_time", 0.015625);
    volatile float expected = 200000.01f;
    expected += 0.015625f;
    expect_cell(&file, "commands", 3, "game_time", (double)expected);
    bytes_free(&commands);
    bytes_free(&file);
}

static void cs2kz__34_buttons_are_wider_in_commands_than_in_ticks(void **state)
{
    (void)state;
    bytes file = blank_file(5), commands = {0}, ticks = {0};
    put_number(&commands, BIT(12) | BIT(16), 8);
    put_number(&commands, BIT(40) | 8, 8);
    put_number(&commands, 5, 4);
    put_number(&ticks, BIT(13) | BIT(14), 8);
    put_number(&ticks, 1036, 4);
    put_number(&ticks, 7, 4);
    replace_ticks(&file, &ticks, 1, 36);
    replace_commands(&file, &commands, 1, 36);
    expect_cell(&file, "commands", 0, "buttons0", (double)(BIT(40) | 8));
    expect_cell(&file, "commands", 0, "mouse_dx", 5);
    expect_cell(&file, "ticks", 0, "pre_buttons0", 1036);
    expect_cell(&file, "ticks", 0, "pre_buttons1", 7);
    bytes_free(&ticks);
    bytes_free(&commands);
    bytes_free(&file);
}

/* ---- everything ---- */

static void refuse_with_little_memory(const sample *s)
{
    TEST_OPTIONS(options);
    reprise_options_set_format(options, "cs2kz", NULL);
    options_limit(options, "memory_bytes", 32 << 20);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    reprise_status status = reprise_open_memory(s->data, s->size, options, &replay, &error);
    if (status == REPRISE_OK) {
        expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, s->path);
        status = summary.worst;
    }
    if (status < REPRISE_E_UNRECOGNIZED || status > REPRISE_E_CHECKSUM)
        fail_msg("%s: status %d", s->path, status);
    reprise_close(replay);
}

static void cs2kz__38_bad_files_are_refused_in_bounded_memory(void **state)
{
    (void)state;
    walk_samples("tests/data/cs2kz/bad", refuse_with_little_memory);
}

static void cs2kz__42_a_long_recording_with_hardly_any_moves_is_read(void **state)
{
    (void)state;
    enum { TICKS = 60000 };
    bytes ticks = {0};
    put_zeros(&ticks, TICKS * 8);
    bytes file = with_ticks(5, &ticks, TICKS);
    size_t at = section_at(&file, "tickSubticks");
    assert_true(u32_at(&file, at + 4) / u32_at(&file, at) > 5000); /* to one */
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", 32 << 20);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    expect_ok(reprise_open_memory(file.data, file.size, options, &replay, &error), &error, "open");
    expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
    assert_int_equal(summary.faults, 0);
    reprise_close(replay);
    bytes_free(&file);
    bytes_free(&ticks);
}

/* What a text of whole characters becomes in an array: as many of them as leave room for a zero. */
static size_t characters_in(const char *text, size_t room)
{
    size_t fits = 0;
    for (size_t i = 0; text[i]; i++) {
        bool ends = ((unsigned char)text[i + 1] & 0xC0) != 0x80;
        if (ends && i + 1 < room)
            fits = i + 1;
    }
    return fits;
}

static void cs2kz__8_texts_are_cut_between_characters(void **state)
{
    (void)state;
    static const char text[] = "a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x90\xB8z\xE6\xBC\xA2";
    static const char broken[] = "a\xC3\xA9\xFF\xFF\xFF";
    rp_context context;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer w;
    rp_context_init(&context, NULL);
    rp_writer_init(&w, &context, 1 << 10, &error);
    for (size_t room = 1; room <= sizeof text + 3; room++) {
        bool whole = room == sizeof text - 1; /* an array without a terminator */
        size_t fits = whole ? room : characters_in(text, room);
        rp_writer_clear(&w);
        kz_put_text(&w, &(rp_text){text, sizeof text - 1}, room);
        assert_int_equal(w.size, room);
        assert_memory_equal(w.data, text, fits);
        for (size_t i = fits; i < room; i++)
            assert_int_equal(w.data[i], 0);
    }
    for (size_t room = 1; room < sizeof broken - 1; room++) { /* bytes, not characters */
        rp_writer_clear(&w);
        kz_put_text(&w, &(rp_text){broken, sizeof broken - 1}, room);
        assert_int_equal(w.size, room);
        assert_memory_equal(w.data, broken, room - 1);
        assert_int_equal(w.data[room - 1], 0);
    }
    rp_writer_free(&w);
    assert_int_equal(context.bytes_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cs2kz__5_struct_headers_have_their_fields_at_their_offsets),
        cmocka_unit_test(cs2kz__6_styles_are_read_after_the_run_header_and_before_it),
        cmocka_unit_test(cs2kz__7_impossible_style_counts_are_refused),
        cmocka_unit_test(cs2kz__8_texts_without_end_or_utf8_survive_a_rewrite),
        cmocka_unit_test(cs2kz__8_texts_are_cut_between_characters),
        cmocka_unit_test(cs2kz__11_negative_numbers_take_ten_bytes_and_no_more),
        cmocka_unit_test(cs2kz__12_sections_are_in_the_order_of_the_layout),
        cmocka_unit_test(cs2kz__15_server_ticks_count_up_from_0_and_wrap),
        cmocka_unit_test(cs2kz__16_17_what_is_left_out_comes_from_the_state_before),
        cmocka_unit_test(cs2kz__18_the_weapon_follows_the_hand),
        cmocka_unit_test(cs2kz__19_bit_39_of_b2_brings_weapon_and_press),
        cmocka_unit_test(cs2kz__20_groups_carry_over),
        cmocka_unit_test(cs2kz__21_strange_floats_survive_bit_for_bit),
        cmocka_unit_test(cs2kz__22_every_section_must_be_used_up_exactly),
        cmocka_unit_test(cs2kz__24_subtick_entries_have_the_size_of_the_layout),
        cmocka_unit_test(cs2kz__25_counts_above_the_slots_are_clamped),
        cmocka_unit_test(cs2kz__28_weapons_may_be_missing_from_the_table),
        cmocka_unit_test(cs2kz__29_calls_have_fractions_from_b5_on),
        cmocka_unit_test(cs2kz__30_impossible_counts_in_jumps_are_refused),
        cmocka_unit_test(cs2kz__32_teleport_groups_are_shown_by_their_flags),
        cmocka_unit_test(cs2kz__33_game_time_of_commands_advances_by_a_tick),
        cmocka_unit_test(cs2kz__34_buttons_are_wider_in_commands_than_in_ticks),
        cmocka_unit_test(cs2kz__38_bad_files_are_refused_in_bounded_memory),
        cmocka_unit_test(cs2kz__42_a_long_recording_with_hardly_any_moves_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
