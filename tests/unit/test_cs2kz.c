/*
 * test_cs2kz.c - the corners of CS2KZ files that no sample shows. They are made from samples by
 * changing bytes and repacking sections; numbers in the names are those of the checklist
 * in docs/spec/cs2kz.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kz_files.h"
#include "reprise/write.h"

/* ---- detection and headers ---- */

static void cs2kz__1_capitals_are_a_with_a_warning_or_p(void **state)
{
    (void)state;
    static const char *const samples[][2] = {
        {"a1-run", "a1"}, {"a2-manual", "a2"}, {"a3-run", "a3"}};
    for (size_t i = 0; i < 3; i++) {
        bytes file = load(samples[i][0]);
        memcpy(file.data, "S2KZ", 4);
        expect_warning(&file, "cs2kz.magic-case", samples[i][1]);
        bytes_free(&file);
    }
    bytes p = load("p-run-styles");
    outcome o = look(&p);
    assert_string_equal(reprise_layout(o.replay), "p");
    assert_int_equal(o.summary.warnings, 0);
    reprise_close(o.replay);
    memcpy(p.data, "s2kz", 4); /* lower case is never P */
    expect_refusal(&p, REPRISE_E_CORRUPT, "size");
    bytes_free(&p);
}

static void cs2kz__2_impossible_header_lengths_are_refused(void **state)
{
    (void)state;
    bytes file = load("b5-edge");
    put_u32(&file, 0, 0);
    expect_refusal(&file, REPRISE_E_UNRECOGNIZED, "header length");
    put_u32(&file, 0, 5242881);
    expect_refusal(&file, REPRISE_E_UNRECOGNIZED, "header length");
    put_u32(&file, 0, 5242880);
    expect_refusal(&file, REPRISE_E_TRUNCATED, "header");
    bytes_free(&file);
}

static void cs2kz__3_4_unknown_versions_and_types_are_named(void **state)
{
    (void)state;
    bytes a = load("a1-run");
    put_u32(&a, 4, 4);
    expect_refusal(&a, REPRISE_E_UNSUPPORTED, "version 4");
    put_u32(&a, 4, 1);
    put_u32(&a, 8, 77);
    expect_refusal(&a, REPRISE_E_CORRUPT, "type 77");
    bytes_free(&a);
    bytes b = load("b5-edge");
    assert_int_equal(b.data[4], 8); /* field 1 */
    b.data[5] = 6;
    expect_refusal(&b, REPRISE_E_UNSUPPORTED, "version 6");
    bytes_free(&b);
}

static void cs2kz__9_absent_fields_have_defaults(void **state)
{
    (void)state;
    bytes file = load("b5-edge");
    outcome o = look(&file);
    const reprise_value *info = NULL;
    expect_ok(reprise_info(o.replay, &info, &o.error), &o.error, "info");
    const reprise_value *settings = reprise_value_get(info, "settings");
    assert_true((float)reprise_value_double(reprise_value_get(settings, "sensitivity"), 0) ==
                1.25f);
    assert_true((float)reprise_value_double(reprise_value_get(settings, "yaw"), 0) == 0.022f);
    assert_null(reprise_value_get(reprise_value_get(info, "header"), "sensitivity"));
    reprise_close(o.replay);
    bytes_free(&file);
}

static void cs2kz__10_unknown_fields_survive_a_rewrite(void **state)
{
    (void)state;
    bytes file = load("b5-edge"), again = changed(&file, (change){.convert = "b5"});
    outcome a = look(&file), b = look(&again);
    const reprise_value *x = NULL, *y = NULL;
    expect_ok(reprise_info(a.replay, &x, &a.error), &a.error, "info");
    expect_ok(reprise_info(b.replay, &y, &b.error), &b.error, "info");
    const char *before = reprise_value_text(
        reprise_value_get(reprise_value_get(x, "header"), "unknown"), NULL);
    const char *after = reprise_value_text(
        reprise_value_get(reprise_value_get(y, "header"), "unknown"), NULL);
    assert_non_null(before);
    assert_string_equal(before, after);
    reprise_close(a.replay);
    reprise_close(b.replay);
    bytes_free(&file);
    bytes_free(&again);
}

static void cs2kz__a_type_without_its_details_is_a_warning(void **state)
{
    (void)state;
    bytes file = load("b5-edge");
    assert_int_equal(file.data[6], 0x10); /* field 2 */
    file.data[7] = 2;
    expect_warning(&file, "cs2kz.type-details-missing", "b5");
    bytes_free(&file);
}

static void cs2kz__26_attribute_counts_out_of_range_are_refused(void **state)
{
    (void)state;
    bytes file = load("a1-run");
    put_u32(&file, 256 + 352, 33);
    expect_refusal(&file, REPRISE_E_CORRUPT, "weapon");
    bytes_free(&file);
    file = load("b2-run");
    size_t at = section_at(&file, "weaponTable");
    bytes content = content_of(&file, at);
    put_u32(&content, 4 + 352, UINT32_MAX);
    bytes changed_file = with_content(&file, at, &content);
    expect_refusal(&changed_file, REPRISE_E_CORRUPT, "weapon");
    bytes_free(&content);
    bytes_free(&changed_file);
    bytes_free(&file);
}

/* ---- sections ---- */

static void cs2kz__13_all_kinds_of_frames_are_read(void **state)
{
    (void)state;
    bytes file = load("b2-run");
    static const char *const names[] = {"ticks", "tickSubticks", "events", "commandSubticks"};
    for (size_t i = 0; i < 4; i++) {
        size_t at = section_at(&file, names[i]);
        bytes content = content_of(&file, at), packed = {0};
        size_t half = content.size / 2;
        put_frame(&packed, content.data, half, true, true);
        bytes_write(&packed, "\x53\x2a\x4d\x18\x04\0\0\0skip", 12);
        put_frame(&packed, "", 0, false, true);
        put_frame(&packed, content.data + half, content.size - half, false, false);
        bytes several = with_packed(&file, at, &packed, (uint32_t)content.size,
                                    u32_at(&file, at + 8));
        expect_same_digests(&file, &several, all_tracks);
        several.data[at + 12 + 20] ^= 1; /* inside the first frame: its checksum, if nothing else */
        outcome o = look(&several);
        assert_true(o.summary.faults > 0);
        reprise_close(o.replay);
        bytes_free(&several);
        bytes_free(&packed);
        bytes_free(&content);
    }
    bytes_free(&file);
}

static void cs2kz__14_sizes_that_lie_are_refused(void **state)
{
    (void)state;
    bytes file = load("b2-run");
    size_t at = section_at(&file, "ticks");
    uint32_t size = u32_at(&file, at + 4);
    put_u32(&file, at + 4, size + 1);
    expect_refusal(&file, REPRISE_E_CORRUPT, "size");
    put_u32(&file, at + 4, size - 1);
    expect_refusal(&file, REPRISE_E_CORRUPT, "size");
    put_u32(&file, at + 4, UINT32_MAX);
    expect_refusal(&file, REPRISE_E_CORRUPT, "size");
    bytes_free(&file);
}

static void cs2kz__23_unknown_flags_are_reported_once(void **state)
{
    (void)state;
    static const char *const sections[][2] = {{"ticks", "cs2kz.unknown-tick-flag"},
                                              {"commands", "cs2kz.unknown-command-flag"}};
    bytes file = load("b2-run");
    for (size_t i = 0; i < 2; i++) {
        size_t at = section_at(&file, sections[i][0]);
        bytes content = content_of(&file, at);
        content.data[7] |= 0x80;
        bytes flagged = with_content(&file, at, &content);
        expect_warning(&flagged, sections[i][1], "b2");
        expect_same_digests(&file, &flagged, all_tracks);
        bytes_free(&flagged);
        bytes_free(&content);
    }
    bytes_free(&file);
}

static void cs2kz__27_inner_counts_must_agree(void **state)
{
    (void)state;
    static const char *const names[] = {"weaponTable", "weaponEvents", "jumps"};
    bytes file = load("a2-manual");
    for (size_t i = 0; i < 3; i++) {
        size_t at = section_at(&file, names[i]);
        bytes content = content_of(&file, at);
        put_u32(&content, 0, u32_at(&content, 0) + 1);
        bytes lying = with_content(&file, at, &content);
        expect_refusal(&lying, REPRISE_E_CORRUPT, "count");
        bytes_free(&lying);
        bytes_free(&content);
    }
    bytes_free(&file);
}

static void cs2kz__31_unknown_events_are_kept_as_they_are(void **state)
{
    (void)state;
    bytes file = load("b2-run");
    size_t at = section_at(&file, "events");
    bytes content = content_of(&file, at);
    put_u32(&content, 0, 9);
    memset(content.data + 8, 0xAB, 164);
    bytes strange = with_content(&file, at, &content);
    expect_warning(&strange, "cs2kz.unknown-event", "b2");
    bytes again = changed(&strange, (change){.convert = "b2"});
    expect_same_digests(&strange, &again, all_tracks);
    bytes_free(&again);
    bytes_free(&strange);
    bytes_free(&content);
    bytes_free(&file);
}

static void cs2kz__35_36_files_may_end_after_the_events_and_go_on_after_the_last(void **state)
{
    (void)state;
    bytes file = load("b2-run");
    size_t commands = section_at(&file, "commands"), whole = file.size;
    file.size = commands;
    expect_warning(&file, "cs2kz.no-commands", "b2");
    file.size = commands + 13;
    expect_refusal(&file, REPRISE_E_TRUNCATED, "commands");
    file.size = commands - 1;
    expect_refusal(&file, REPRISE_E_TRUNCATED, "events");
    file.size = whole;
    bytes_write(&file, "more", 4);
    expect_warning(&file, "cs2kz.trailing-bytes", "b2");
    bytes_free(&file);
}

/* ---- writing ---- */

static const char *const layouts[] = {"a1", "a2", "a3", "b1", "b2", "b3", "b4", "b5", "p"};

static void rewrite(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    bytes file = {.data = s->data, .size = s->size};
    reprise_replay *replay = open_bytes(&file, false);
    char own[16];
    snprintf(own, sizeof own, "%s", reprise_layout(replay));
    reprise_close(replay);
    bytes same = changed(&file, (change){.convert = own});
    expect_same_digests(&file, &same, all_tracks);
    bytes_free(&same);
    for (size_t i = 0; s->size < 20000 && i < 9; i++) {
        bytes first = changed(&file, (change){.convert = layouts[i]});
        bytes second = changed(&first, (change){.convert = layouts[i]});
        if (!same_bytes(&first, &second))
            fail_msg("%s: our own %s file is not written again byte by byte", s->path, layouts[i]);
        bytes_free(&first);
        bytes_free(&second);
    }
}

static void cs2kz__37_every_sample_reads_back_the_same_in_every_layout(void **state)
{
    (void)state;
    walk_samples("tests/data/cs2kz", rewrite);
}

static void cs2kz__40_weapons_of_ticks_survive_weapon_events(void **state)
{
    (void)state;
    static const char *const through[] = {"a1", "a2", "p"};
    bytes file = load("a3-run"), wanted = items_in_hand(&file);
    assert_true(wanted.size > 0);
    for (size_t i = 0; i < 3; i++) {
        bytes events = changed(&file, (change){.convert = through[i]});
        bytes back = changed(&events, (change){.convert = "a3"});
        bytes given = items_in_hand(&back);
        if (!same_bytes(&wanted, &given))
            fail_msg("other weapons in hand after %s", through[i]);
        bytes_free(&events);
        bytes_free(&back);
        bytes_free(&given);
    }
    bytes_free(&wanted);
    bytes_free(&file);
}

static void cs2kz__41_a_run_survives_the_way_through_p(void **state)
{
    (void)state;
    static const char *const kept[] = {"ticks",    "subticks",         "jumps", "events",
                                       "commands", "command_subticks", NULL};
    static const char *const samples[] = {"a1-run", "a1-run-styles", "a1-no-subticks"};
    for (size_t i = 0; i < 3; i++) {
        bytes file = load(samples[i]);
        bytes p = changed(&file, (change){.convert = "p"});
        bytes back = changed(&p, (change){.convert = "a1"});
        outcome o = look(&p);
        assert_string_equal(reprise_layout(o.replay), "p");
        reprise_close(o.replay);
        expect_same_digests(&file, &back, kept);
        bytes_free(&p);
        bytes_free(&back);
        bytes_free(&file);
    }
}

static void cs2kz__anonymizing_removes_every_person(void **state)
{
    (void)state;
    static const char *const kept[] = {"jumps", "events", NULL};
    bytes file = load("b3-cheater");
    bytes clean = changed(&file, (change){.anonymize = REPRISE_PRIVATE_ALL});
    expect_same_digests(&file, &clean, kept);
    outcome o = look(&clean);
    const reprise_value *info = NULL;
    expect_ok(reprise_info(o.replay, &info, &o.error), &o.error, "info");
    const reprise_value *header = reprise_value_get(info, "header");
    const reprise_value *player = reprise_value_get(header, "player");
    assert_int_equal(reprise_value_uint(reprise_value_get(player, "steam_id"), 1), 0);
    assert_string_equal(reprise_value_text(reprise_value_get(player, "name"), NULL), "Player");
    assert_int_equal(reprise_value_uint(reprise_value_get(header, "server_ip"), 1), 0);
    assert_int_equal(reprise_value_uint(reprise_value_get(header, "timestamp"), 1), 0);
    reprise_close(o.replay);
    bytes_free(&clean);
    bytes_free(&file);
}

static void cs2kz__recompressing_and_recovering_keep_what_is_there(void **state)
{
    (void)state;
    static const char *const after[] = {"events", "commands", "command_subticks", NULL};
    bytes file = load("b2-run");
    bytes dense = changed(&file, (change){.recompress = true, .level = 19});
    expect_same_digests(&file, &dense, all_tracks);
    bytes broken = {0};
    bytes_write(&broken, file.data, file.size);
    broken.data[section_at(&file, "ticks") + 12 + 60] ^= 0xFF;
    bytes rescued = changed(&broken, (change){.recover = true});
    expect_same_digests(&file, &rescued, after);
    bytes_free(&rescued);
    bytes_free(&broken);
    bytes_free(&dense);
    bytes_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cs2kz__1_capitals_are_a_with_a_warning_or_p),
        cmocka_unit_test(cs2kz__2_impossible_header_lengths_are_refused),
        cmocka_unit_test(cs2kz__3_4_unknown_versions_and_types_are_named),
        cmocka_unit_test(cs2kz__9_absent_fields_have_defaults),
        cmocka_unit_test(cs2kz__10_unknown_fields_survive_a_rewrite),
        cmocka_unit_test(cs2kz__a_type_without_its_details_is_a_warning),
        cmocka_unit_test(cs2kz__26_attribute_counts_out_of_range_are_refused),
        cmocka_unit_test(cs2kz__13_all_kinds_of_frames_are_read),
        cmocka_unit_test(cs2kz__14_sizes_that_lie_are_refused),
        cmocka_unit_test(cs2kz__23_unknown_flags_are_reported_once),
        cmocka_unit_test(cs2kz__27_inner_counts_must_agree),
        cmocka_unit_test(cs2kz__31_unknown_events_are_kept_as_they_are),
        cmocka_unit_test(cs2kz__35_36_files_may_end_after_the_events_and_go_on_after_the_last),
        cmocka_unit_test(cs2kz__37_every_sample_reads_back_the_same_in_every_layout),
        cmocka_unit_test(cs2kz__40_weapons_of_ticks_survive_weapon_events),
        cmocka_unit_test(cs2kz__41_a_run_survives_the_way_through_p),
        cmocka_unit_test(cs2kz__anonymizing_removes_every_person),
        cmocka_unit_test(cs2kz__recompressing_and_recovering_keep_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
