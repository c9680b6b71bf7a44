/*
 * test_remastered.c - cases of Red Alert and Tiberian Dawn recordings that no sample covers, and
 * the laws of writing them. Files are assembled here, record by record. Items are those of the
 * checklist in docs/spec/remastered.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "remastered/write.h"
#include "reprise/foreign.h"
#include "reprise/write.h"
#include "samples.h"
#include "skip.h"
#include "written.h"

enum { SKIRMISH = 5, IPX = 3 };

/* ---- putting files together ---- */

typedef struct recording {
    const cnc_game *game;
    bool full;
    rp_context context;
    reprise_error error;
    rp_writer w;
} recording;

static cnc_header header_of(const cnc_game *game, int type)
{
    cnc_header h = {.game = game};
    if (game->td) {
        h.td = (cnc_td_header){.type = (uint8_t)type,
                               .build_level = 7,
                               .credits = 5000,
                               .bases = 1,
                               .num_players = 1,
                               .seed = 12345,
                               .scenario = 10,
                               .scen_player = 0,
                               .game_speed = 4,
                               .frame_send_rate = 3};
        memcpy(h.td.player_name, "Alice", 5);
        return h;
    }
    h.session = (cnc_ra_session){.type = type,
                                 .frame_send_rate = 3,
                                 .num_players = 1,
                                 .bases = 1,
                                 .credits = 5000,
                                 .tiberium = 1,
                                 .house = 2};
    h.scenario = (cnc_ra_scenario){
        .build_level = 7, .seed = 12345, .scenario = 1, .game_speed = 4, .whom = 2};
    memcpy(h.scenario.scenario_name, "SCU01EA.INI", 11);
    return h;
}

static void begin(recording *r, const cnc_header *header, bool full)
{
    *r = (recording){.game = header->game, .full = full};
    rp_context_init(&r->context, NULL);
    rp_writer_init(&r->w, &r->context, 1 << 24, &r->error);
    cnc_header_write(&r->w, header);
}

static bytes bytes_of(const recording *r)
{
    return (bytes){.data = r->w.data, .size = r->w.size};
}

static void put_view(recording *r)
{
    rp_put_u32(&r->w, 0x00050003);
    rp_put_u32(&r->w, 0);
    rp_put_u32(&r->w, 0);
    if (!r->game->td)
        memset(rp_put_raw(&r->w, 3 + CNC_TEAM_DATA + 3), 0, 3 + CNC_TEAM_DATA + 3);
}

/* A record with some events of one type. */
static void put_record(recording *r, uint32_t frame, uint32_t count, cnc_event event)
{
    if (r->full)
        put_view(r);
    rp_put_u32(&r->w, count);
    for (uint32_t i = 0; i < count; i++)
        cnc_event_write(&r->w, r->game, frame, &event);
}

static cnc_event event_of(const cnc_game *game, int number)
{
    int type = game->td ? cnc_event_types[number].td : number;
    return (cnc_event){.type = (uint8_t)type, .event = (uint8_t)number, .house = 2};
}

static reprise_replay *open_recording(const recording *r)
{
    bytes b = bytes_of(r);
    return open_bytes(&b, false);
}

static int64_t info_int(reprise_replay *replay, const char *key)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return reprise_value_int(reprise_value_get(info, key), -1);
}

static bool recognised(const recording *r)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    bool yes = reprise_open_memory(r->w.data, r->w.size, NULL, &replay, &error) == REPRISE_OK;
    reprise_close(replay);
    return yes;
}

/* The rows of the events track as JSON lines, in a text that the caller frees. */
static bytes event_lines(reprise_replay *replay)
{
    bytes lines = {0};
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, "events");
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    reprise_row_text_options format = {.struct_size = sizeof format, .style = REPRISE_ROW_JSON};
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        const char *line;
        size_t size;
        expect_ok(reprise_row_format(rows, &format, &line, &size, &error), &error, "format");
        bytes_write(&lines, line, size);
    }
    bytes_write(&lines, "", 1);
    reprise_rows_close(rows);
    return lines;
}

static const cnc_game *const games[] = {&cnc_ra, &cnc_td};

/* ---- the checklist ---- */

static void remastered__item_3_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cnc_header h = header_of(games[i], 0);
        recording r;
        begin(&r, &h, false);
        assert_int_equal(r.w.size, games[i]->header_size);
        size_t before = r.w.size;
        cnc_event event = event_of(games[i], CNC_DEPLOY);
        cnc_event_write(&r.w, games[i], 0, &event);
        assert_int_equal(r.w.size - before, games[i]->td ? 146 : 137);
        rp_writer_free(&r.w);
    }
    cnc_header h = header_of(&cnc_ra, IPX);
    h.session.player_nodes = 3;
    recording r;
    begin(&r, &h, false);
    assert_int_equal(r.w.size, 997 + 3 * 29);
    rp_writer_free(&r.w);
}

static void remastered__item_4_frame_bits(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, ra_frame, ra_house, td_frame, td_house;
    } words[] = {
        {0x00000000, 0, 0, 0, 0},
        {0x03FFFFFF, 0x3FFFFFF, 0, 0x3FFFFFF, 0},
        {0x04000000, 0, 1, 0x4000000, 0},
        {0x07FFFFFF, 0x3FFFFFF, 1, 0x7FFFFFF, 0},
        {0x7FFFFFFF, 0x3FFFFFF, 31, 0x7FFFFFF, 15},
        {0xFFFFFFFF, 0x3FFFFFF, 31, 0x7FFFFFF, 15},
        {0x4C000005, 5, 19, 0x4000005, 9},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_int_equal(cnc_event_frame(&cnc_ra, words[i].word), words[i].ra_frame);
        assert_int_equal(cnc_event_house(&cnc_ra, words[i].word), words[i].ra_house);
        assert_int_equal(cnc_event_frame(&cnc_td, words[i].word), words[i].td_frame);
        assert_int_equal(cnc_event_house(&cnc_td, words[i].word), words[i].td_house);
    }
}

/* Frames above 2^26, which only Tiberian Dawn's field can hold: many records, nearly all empty. */
static void remastered__item_4_large_frames_of_tiberian_dawn(void **state)
{
    (void)state;
    cnc_header h = header_of(&cnc_td, IPX);
    h.td.comm_protocol = CNC_MULTI_FRAME;
    h.td.frame_send_rate = 255;
    h.td.num_players = 2;
    recording r;
    begin(&r, &h, false);
    uint32_t last = 255 * 263500; /* above 2^26 */
    for (uint32_t frame = 255; frame <= last; frame += 255)
        put_record(&r, frame, frame == 255 || frame == last, event_of(&cnc_td, CNC_IDLE));
    reprise_replay *replay = open_recording(&r);
    assert_true(last > 1u << 26);
    assert_int_equal(info_int(replay, "frames"), last + 1);
    assert_int_equal(info_int(replay, "events"), 2);
    reprise_close(replay);
    rp_writer_free(&r.w);
}

static void remastered__item_5_noise_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cnc_header h = header_of(games[i], 0);
        recording r;
        begin(&r, &h, false);
        cnc_event event = event_of(games[i], CNC_PLACE);
        event.rtti = 6;
        event.cell = 300;
        for (uint32_t frame = 0; frame < 20; frame++)
            put_record(&r, frame, 1, event);
        reprise_replay *clean = open_recording(&r);
        bytes before = event_lines(clean);
        reprise_close(clean);
        size_t size = games[i]->event_size;
        for (uint32_t frame = 0; frame < 20; frame++)
            memset(r.w.data + r.w.size - (size_t)(19 - frame) * (4 + size) - 40, 0xA5, 40);
        reprise_replay *noisy = open_recording(&r);
        bytes after = event_lines(noisy);
        reprise_close(noisy);
        char *raw_before = strstr((char *)before.data, "\"raw\"");
        char *raw_after = strstr((char *)after.data, "\"raw\"");
        assert_non_null(raw_before);
        assert_int_equal(raw_before - (char *)before.data, raw_after - (char *)after.data);
        assert_memory_equal(before.data, after.data, (size_t)(raw_before - (char *)before.data));
        bytes_free(&before);
        bytes_free(&after);
        rp_writer_free(&r.w);
    }
}

static void remastered__item_6_multi_frame_sessions(void **state)
{
    (void)state;
    cnc_header h = header_of(&cnc_ra, IPX);
    h.session.comm_protocol = CNC_MULTI_FRAME;
    h.session.frame_send_rate = 5;
    recording r;
    begin(&r, &h, false);
    for (uint32_t frame = 5; frame <= 100; frame += 5)
        put_record(&r, frame, 1, event_of(&cnc_ra, CNC_IDLE));
    reprise_replay *replay = open_recording(&r);
    assert_int_equal(info_int(replay, "records"), 20);
    assert_int_equal(info_int(replay, "frames"), 101);
    reprise_close(replay);
    rp_writer_free(&r.w);
}

static void remastered__item_7_skirmishes_by_either_rule(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        cnc_header h = header_of(&cnc_ra, SKIRMISH);
        recording r;
        begin(&r, &h, true);
        if (first)
            put_view(&r); /* frame 0 without events, as the game's player expects it */
        for (uint32_t frame = first; frame < 20; frame++)
            put_record(&r, frame, 1, event_of(&cnc_ra, CNC_IDLE));
        reprise_replay *replay = open_recording(&r);
        assert_string_equal(reprise_layout(replay), "ra-full");
        assert_int_equal(info_int(replay, "records"), 20);
        assert_int_equal(info_int(replay, "events"), 20 - first);
        reprise_close(replay);
        bytes b = bytes_of(&r), again = changed(&b, (change){.convert = "ra-full"});
        assert_true(same_bytes(&b, &again));
        bytes_free(&again);
        rp_writer_free(&r.w);
    }
}

static void rewrite(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    bytes b = {.data = s->data, .size = s->size};
    reprise_replay *replay = open_bytes(&b, false);
    char layout[16];
    snprintf(layout, sizeof layout, "%s", reprise_layout(replay));
    reprise_close(replay);
    bytes again = changed(&b, (change){.convert = layout});
    if (!same_bytes(&b, &again))
        fail_msg("%s: rewritten it is not the same", s->path);
    bytes_free(&again);
}

static void remastered__item_9_rewritten_files_are_identical(void **state)
{
    (void)state;
    walk_samples("tests/data/remastered", rewrite);
}

static void remastered__item_9_foreign_files_are_identical(void **state)
{
    (void)state;
    static const char directory[] = "../shared/samples/remastered";
    struct stat about;
    if (stat(directory, &about) != 0)
        SKIP_BECAUSE("files from elsewhere are not here");
    walk_samples(directory, rewrite);
}

static void remastered__item_10_probe_needs_proof(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cnc_header h = header_of(games[i], 0);
        recording r;
        begin(&r, &h, false);
        assert_false(recognised(&r)); /* a header alone */
        for (uint32_t frame = 0; frame < 200; frame++)
            put_record(&r, frame, 0, (cnc_event){0});
        reprise_replay *replay = open_recording(&r);
        assert_true(info_int(replay, "confidence") <= 60);
        reprise_close(replay);
        rp_writer_free(&r.w);
    }
}

static void remastered__zeros_are_no_recording(void **state)
{
    (void)state;
    static const unsigned char zeros[8192];
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t size = 1; size <= sizeof zeros; size *= 2) {
        error = (reprise_error)REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(zeros, size, NULL, &replay, &error),
                         REPRISE_E_UNRECOGNIZED);
    }
}

/* ---- what no sample covers ---- */

static void remastered__every_event_is_read_and_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cnc_header h = header_of(games[i], 0);
        recording r;
        begin(&r, &h, false);
        uint32_t frame = 0;
        for (int number = 0; number < CNC_EVENT_COUNT; number++) {
            cnc_event event = event_of(games[i], number);
            static const char flags[CNC_TD_SPECIAL_USED] = "special";
            event.flags = (rp_text){flags, games[i]->special_used};
            event.whom = 0x1234;
            event.type_id = 3;
            event.crc = 0xDEADBEEF;
            event.delay = 200; /* there is no such frame: not compared */
            if (games[i]->td && cnc_event_types[number].td < 0)
                continue;
            put_record(&r, frame++, 1, event);
        }
        reprise_replay *replay = open_recording(&r);
        assert_int_equal(info_int(replay, "events"), games[i]->td ? 27 : 33);
        bytes lines = event_lines(replay);
        for (int number = 0; number < CNC_EVENT_COUNT; number++) {
            char word[64];
            snprintf(word, sizeof word, "\"event\":\"%s\"", cnc_event_types[number].name);
            bool expected = !games[i]->td || cnc_event_types[number].td >= 0;
            assert_int_equal(strstr((char *)lines.data, word) != NULL, expected);
        }
        bytes_free(&lines);
        reprise_close(replay);
        /* Anonymizing rebuilds every event from its fields. */
        bytes b = bytes_of(&r), again = changed(&b, (change){.anonymize = REPRISE_PRIVATE_CHAT});
        assert_true(same_bytes(&b, &again));
        bytes_free(&again);
        rp_writer_free(&r.w);
    }
}

static void remastered__glyphx_sessions_start_at_frame_1(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cnc_header h = header_of(games[i], games[i]->session_types - 1);
        recording r;
        begin(&r, &h, false);
        for (uint32_t frame = 1; frame < 20; frame++)
            put_record(&r, frame, 1, event_of(games[i], CNC_DEPLOY));
        reprise_replay *replay = open_recording(&r);
        assert_int_equal(info_int(replay, "records"), 19);
        assert_int_equal(info_int(replay, "frames"), 20);
        reprise_close(replay);
        rp_writer_free(&r.w);
    }
}

/* Sessions with several players have no record of events at frame 0. */
static void remastered__the_first_record_can_be_shown(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/ra-events-internet.bin");
    bytes b = {.data = s.data, .size = s.size};
    reprise_replay *replay = open_bytes(&b, false);
    const reprise_value *shown = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    for (int frame = 1; frame < 4; frame++) {
        reprise_moment moment = {.by_index = true, .index = frame};
        expect_ok(reprise_at(replay, moment, &shown, &error), &error, "at");
        assert_int_equal(reprise_value_int(reprise_value_get(shown, "frame"), -1), frame);
    }
    reprise_close(replay);
    free(s.data);
}

static int64_t fresh_actions(const recording *r)
{
    reprise_replay *replay = open_recording(r);
    const reprise_value *stats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_stats(replay, &stats, &error), &error, "stats");
    const reprise_value *player = reprise_value_at(
        reprise_value_get(reprise_value_get(stats, "derived"), "players"), 0);
    const reprise_value *minutes = reprise_value_get(player, "actions_by_minute_without_repeats");
    int64_t count = reprise_value_int(reprise_value_at(minutes, 0), -1);
    reprise_close(replay);
    return count;
}

/* Events of different types are no repeats, whatever their members are. */
static void remastered__repeats_are_equal_in_type_and_members(void **state)
{
    (void)state;
    cnc_header header = header_of(&cnc_ra, CNC_SESSION_NORMAL);
    recording r;
    begin(&r, &header, false);
    cnc_event idle = event_of(&cnc_ra, CNC_IDLE), primary = event_of(&cnc_ra, CNC_PRIMARY);
    idle.whom = 5 << 24 | 0x10;
    primary.whom = idle.whom ^ CNC_IDLE ^ CNC_PRIMARY;
    put_record(&r, 0, 1, idle);
    put_record(&r, 1, 1, primary);
    put_record(&r, 2, 1, primary);
    assert_int_equal(fresh_actions(&r), 2);
    rp_writer_free(&r.w);
}

static void remastered__anonymized_files_have_no_names(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/ra-events-internet.bin");
    bytes b = {.data = s.data, .size = s.size};
    bytes clean = changed(&b, (change){.anonymize = REPRISE_PRIVATE_ALL});
    assert_int_equal(clean.size, b.size);
    reprise_replay *replay = open_bytes(&clean, false);
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    const reprise_value *players = reprise_value_get(reprise_value_get(info, "header"), "players");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *player = reprise_value_at(players, i);
        const char *name = reprise_value_text(reprise_value_get(player, "name"), NULL);
        const char *address = reprise_value_text(reprise_value_get(player, "address"), NULL);
        assert_true(strncmp(name, "Player ", 7) == 0);
        assert_string_equal(address, "00000000000000000000");
    }
    reprise_close(replay);
    bytes_free(&clean);
    free(s.data);
}

static void remastered__cut_files_are_recovered(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/bad/ra-event-cut.bin");
    bytes b = {.data = s.data, .size = s.size};
    bytes sound = changed(&b, (change){.recover = true});
    assert_true(sound.size < b.size);
    assert_memory_equal(sound.data, b.data, sound.size);
    bytes_free(&sound);
    free(s.data);
}

/* Nothing is reported before the damage is reached, and nothing of a complete file. */
static void remastered__damage_is_reported_when_it_is_reached(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/ra-full-skirmish.bin");
    for (size_t i = 0; i < 2; i++) {
        bytes b = {.data = s.data, .size = i ? 20000 : s.size};
        reprise_replay *replay = open_bytes(&b, false);
        reprise_error error = REPRISE_ERROR_INIT, damage = REPRISE_ERROR_INIT;
        reprise_rows_options all = REPRISE_ROWS_INIT;
        reprise_rows *rows = NULL;
        expect_ok(reprise_rows_open(replay, &all, &rows, &error), &error, "rows");
        expect_ok(reprise_rows_next(rows, &error), &error, "a row");
        assert_false(reprise_damage(replay, NULL));
        reprise_status status;
        while ((status = reprise_rows_next(rows, &error)) == REPRISE_OK)
            ;
        assert_int_equal(status, i ? REPRISE_E_TRUNCATED : REPRISE_END);
        assert_int_equal(reprise_damage(replay, &damage), i);
        assert_int_equal(reprise_damage(replay, NULL), i);
        assert_int_equal(damage.status, i ? REPRISE_E_TRUNCATED : REPRISE_OK);
        assert_true(damage.offset <= b.size);
        assert_int_equal(strncmp(damage.message, "record is cut", 13) == 0, i);
        reprise_rows_close(rows);
        reprise_close(replay);
    }
    free(s.data);
}

static void remastered__only_the_end_is_cut(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/ra-full-ipx-4p-multiframe.bin");
    bytes b = {.data = s.data, .size = s.size};
    bytes cut = changed(&b, (change){.trim = true, .from = 0, .to = 30});
    assert_true(cut.size < b.size);
    assert_memory_equal(cut.data, b.data, cut.size);
    reprise_replay *replay = open_bytes(&cut, false);
    assert_int_equal(info_int(replay, "frames"), 31);
    reprise_close(replay);
    replay = open_bytes(&b, false);
    reprise_write_options options = REPRISE_WRITE_INIT;
    bytes nothing = {0};
    reprise_sink sink = {.ctx = &nothing, .write = bytes_write};
    options.sink = &sink;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    change middle = {.trim = true, .from = 10, .to = 30};
    assert_int_equal(apply(replay, &middle, &options, &report, &error), REPRISE_E_UNSUPPORTED);
    assert_int_equal(nothing.size, 0);
    reprise_close(replay);
    bytes_free(&cut);
    free(s.data);
}

static void remastered__common_form_has_orders(void **state)
{
    (void)state;
    cnc_header h = header_of(&cnc_ra, 0);
    recording r;
    begin(&r, &h, false);
    cnc_event move = event_of(&cnc_ra, CNC_MEGAMISSION);
    move.whom = 28u << 24 | 5;
    move.mission = 2;
    move.destination = 9u << 24 | (20 << 7 | 30);
    put_record(&r, 0, 1, move);
    cnc_event attack = move;
    attack.mission = 1;
    attack.target = 5u << 24 | 8;
    put_record(&r, 1, 1, attack);
    cnc_event produce = event_of(&cnc_ra, CNC_PRODUCE);
    produce.rtti = 6;
    produce.type_id = 17;
    put_record(&r, 2, 1, produce);
    cnc_event sync = event_of(&cnc_ra, CNC_FRAMEINFO);
    put_record(&r, 3, 1, sync);
    reprise_replay *replay = open_recording(&r);
    reprise_foreign *foreign = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_foreign_new(replay, &foreign, &error), &error, "foreign");
    assert_int_equal(reprise_foreign_count(foreign), 3);
    const reprise_foreign_order *first = reprise_foreign_at(foreign, 0)->orders;
    assert_int_equal(first->kind, REPRISE_FOREIGN_MOVE);
    assert_int_equal(first->x, 30);
    assert_int_equal(first->y, 20);
    assert_int_equal(first->units[0], 28u << 24 | 5);
    assert_int_equal(first->raw_size, 5 + 4 + 1 + 4 + 4);
    assert_int_equal(reprise_foreign_at(foreign, 1)->orders->kind, REPRISE_FOREIGN_ATTACK);
    assert_int_equal(reprise_foreign_at(foreign, 1)->orders->target, 5u << 24 | 8);
    assert_string_equal(reprise_foreign_at(foreign, 2)->orders->item, "power");
    reprise_foreign_free(foreign);
    reprise_close(replay);
    rp_writer_free(&r.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remastered__item_3_sizes),
        cmocka_unit_test(remastered__item_4_frame_bits),
        cmocka_unit_test(remastered__item_4_large_frames_of_tiberian_dawn),
        cmocka_unit_test(remastered__item_5_noise_changes_nothing),
        cmocka_unit_test(remastered__item_6_multi_frame_sessions),
        cmocka_unit_test(remastered__item_7_skirmishes_by_either_rule),
        cmocka_unit_test(remastered__item_9_rewritten_files_are_identical),
        cmocka_unit_test(remastered__item_9_foreign_files_are_identical),
        cmocka_unit_test(remastered__item_10_probe_needs_proof),
        cmocka_unit_test(remastered__zeros_are_no_recording),
        cmocka_unit_test(remastered__every_event_is_read_and_written),
        cmocka_unit_test(remastered__glyphx_sessions_start_at_frame_1),
        cmocka_unit_test(remastered__the_first_record_can_be_shown),
        cmocka_unit_test(remastered__repeats_are_equal_in_type_and_members),
        cmocka_unit_test(remastered__anonymized_files_have_no_names),
        cmocka_unit_test(remastered__cut_files_are_recovered),
        cmocka_unit_test(remastered__only_the_end_is_cut),
        cmocka_unit_test(remastered__damage_is_reported_when_it_is_reached),
        cmocka_unit_test(remastered__common_form_has_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
