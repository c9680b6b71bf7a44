/*
 * test_orders.c - samples of OpenRA and the classic games against their expectations: the counts of
 * their .expect.json and the verdicts of their bad/ folders. tests/golden/run compares every value;
 * these are items of the checklists in docs/spec.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "written.h"

enum { MEMORY_MAX = 32 << 20 };

/* ---- expectations ---- */

typedef struct expectation {
    rp_context context;
    rp_arena arena;
    const reprise_value *root, *summary;
} expectation;

/* False when a sample has no expectation. */
static bool expect_beside(const sample *s, expectation *ret_expectation)
{
    expectation *e = ret_expectation;
    char path[512];
    snprintf(path, sizeof path, "%s", s->path);
    char *dot = strrchr(path, '.');
    snprintf(dot, sizeof path - (size_t)(dot - path), ".expect.json");
    FILE *file = strstr(s->path, "/bad/") ? NULL : fopen(path, "rb");
    if (!file)
        return false;
    fclose(file);
    sample text = load_sample(path);
    rp_context_init(&e->context, NULL);
    rp_arena_init(&e->arena, &e->context);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &e->arena, .error = &error};
    reprise_value *root = NULL;
    expect_ok(rp_json_parse(&doc, (const char *)text.data, text.size, path, &root, NULL), &error,
              path);
    free(text.data);
    e->root = root;
    e->summary = reprise_value_get(root, "summary");
    assert_non_null(e->summary);
    return true;
}

static const reprise_value *info_of(reprise_replay *replay)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return info;
}

static void expect_text(const sample *s, const reprise_value *info, const char *member,
                        const reprise_value *from, const char *name)
{
    const char *wanted = reprise_value_text(reprise_value_get(from, name), NULL);
    const char *found = reprise_value_text(reprise_value_get(info, member), NULL);
    if (!wanted || !found || strcmp(wanted, found) != 0)
        fail_msg("%s: %s is %s, not %s", s->path, member, found ? found : "nothing",
                 wanted ? wanted : "nothing");
}

/* Compares how often each name occurs in a text column with an object of counts. */
static void expect_counts(const sample *s, reprise_replay *replay, const char *track,
                          const char *column, const reprise_value *counts)
{
    size_t number = (size_t)reprise_track_find(replay, track), c = 0;
    int64_t found[256] = {0};
    size_t names = reprise_value_count(counts);
    assert_true(names <= 256);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << number;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, s->path);
    while (strcmp(reprise_column_at(replay, number, c)->name, column) != 0)
        c++;
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        size_t size = 0, i = 0;
        const char *text = reprise_row_text(rows, c, &size);
        while (i < names && (strlen(reprise_value_key(counts, i)) != size ||
                             memcmp(reprise_value_key(counts, i), text, size) != 0))
            i++;
        if (i == names)
            fail_msg("%s: %.*s is not expected", s->path, (int)size, text);
        found[i]++;
    }
    reprise_rows_close(rows);
    for (size_t i = 0; i < names; i++) {
        if (found[i] != reprise_value_int(reprise_value_at(counts, i), -1))
            fail_msg("%s: %lld of %s", s->path, (long long)found[i], reprise_value_key(counts, i));
    }
}

static reprise_replay *open_sample(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    return open_bytes(&file, false);
}

static size_t seen;

static void compare_openra(const sample *s)
{
    expectation e;
    if (!expect_beside(s, &e))
        return;
    reprise_replay *replay = open_sample(s);
    expect_counts(s, replay, "orders", "order", reprise_value_get(e.summary, "order_counts"));
    expect_counts(s, replay, "packets", "kind", reprise_value_get(e.summary, "kinds"));
    expect_text(s, info_of(replay), "dialect", e.summary, "dialect");
    assert_int_equal(reprise_value_int(reprise_value_get(info_of(replay), "frames"), -1),
                     reprise_value_int(reprise_value_get(e.summary, "last_frame"), -2));
    reprise_close(replay);
    rp_arena_free(&e.arena);
    seen++;
}

static void openra__item_1_samples_decode_as_expected(void **state)
{
    (void)state;
    seen = 0;
    walk_samples("tests/data/openra", compare_openra);
    assert_true(seen >= 12);
}

static void compare_remastered(const sample *s)
{
    expectation e;
    if (!expect_beside(s, &e))
        return;
    reprise_replay *replay = open_sample(s);
    expect_counts(s, replay, "events", "event", reprise_value_get(e.summary, "event_counts"));
    const reprise_value *info = info_of(replay);
    assert_int_equal(reprise_value_int(reprise_value_get(info, "records"), -1),
                     reprise_value_int(reprise_value_get(e.summary, "frame_records"), -2));
    assert_int_equal(reprise_value_int(reprise_value_get(info, "frames"), -1),
                     reprise_value_int(reprise_value_get(e.summary, "last_frame"), -3) + 1);
    assert_int_equal(reprise_value_int(reprise_value_get(info, "header_size"), -1),
                     reprise_value_int(reprise_value_get(e.summary, "header_size"), -2));
    reprise_close(replay);
    rp_arena_free(&e.arena);
    seen++;
}

static void remastered__item_1_samples_decode_as_expected(void **state)
{
    (void)state;
    seen = 0;
    walk_samples("tests/data/remastered", compare_remastered);
    assert_true(seen >= 8);
}

static void compare_kind(const sample *s)
{
    expectation e;
    if (!expect_beside(s, &e))
        return;
    reprise_replay *replay = open_sample(s);
    expect_text(s, info_of(replay), "game", e.summary, "game");
    expect_text(s, info_of(replay), "profile", e.summary, "profile");
    assert_true(reprise_value_int(reprise_value_get(info_of(replay), "confidence"), 0) >= 90);
    reprise_close(replay);
    rp_arena_free(&e.arena);
    seen++;
}

static void remastered__item_2_game_and_profile_are_found(void **state)
{
    (void)state;
    seen = 0;
    walk_samples("tests/data/remastered", compare_kind);
    assert_true(seen >= 8);
}

/* ---- verdicts ---- */

static void judge(const char *directory, const char *name, const char *verdict)
{
    char path[512];
    assert_true(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path);
    sample s = load_sample(path);
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", MEMORY_MAX);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    reprise_status status = reprise_open_memory(s.data, s.size, options, &replay, &error);
    if (status == REPRISE_OK) {
        expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, path);
        status = summary.worst;
    }
    bool refused = status >= REPRISE_E_UNRECOGNIZED && status <= REPRISE_E_CHECKSUM;
    bool warned = status == REPRISE_OK && summary.warnings;
    if (!(strcmp(verdict, "refuse") == 0 ? refused
                                         : warned || (refused && strcmp(verdict, "either") == 0)))
        fail_msg("%s: status %d, %llu warnings", path, status,
                 (unsigned long long)summary.warnings);
    reprise_close(replay);
    free(s.data);
    seen++;
}

static void judge_all(const char *directory)
{
    char path[256], line[256];
    assert_true(snprintf(path, sizeof path, "%s/verdicts.tsv", directory) < (int)sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t'), *end = tab ? strpbrk(tab + 1, "\t\n") : NULL;
        assert_non_null(end);
        *tab = *end = '\0';
        judge(directory, line, tab + 1);
    }
    fclose(file);
}

static void openra__item_8_bad_files_get_their_verdict_in_bounded_memory(void **state)
{
    (void)state;
    seen = 0;
    judge_all("tests/data/openra/bad");
    assert_true(seen >= 20);
}

static void remastered__item_8_bad_files_get_their_verdict_in_bounded_memory(void **state)
{
    (void)state;
    seen = 0;
    judge_all("tests/data/remastered/bad");
    assert_true(seen >= 14);
}

/* ---- two recordings of one match ---- */

static const reprise_value *compare_files(const bytes *a, const bytes *b, reprise_replay **replays)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    bool equal = false;
    replays[0] = open_bytes(a, false);
    replays[1] = open_bytes(b, false);
    expect_ok(reprise_diff(replays[0], replays[1], NULL, &equal, &report, &error), &error, "diff");
    return reprise_value_get(report, "match");
}

static void close_both(reprise_replay **replays)
{
    reprise_close(replays[0]);
    reprise_close(replays[1]);
}

static int64_t number_of(const reprise_value *match, const char *member)
{
    return reprise_value_int(reprise_value_get(match, member), -1);
}

static uint32_t u32_at(const bytes *b, size_t at)
{
    const unsigned char *p = b->data + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Finds the last packet of a client in a frame, of orders or of sync. */
static size_t find_packet(const bytes *b, uint32_t frame, bool sync)
{
    size_t found = 0;
    for (size_t at = 0; at + 12 <= b->size && u32_at(b, at) != UINT32_MAX;
         at += 8 + u32_at(b, at + 4)) {
        bool is_sync = u32_at(b, at + 4) > 4 && b->data[at + 12] == 0x65;
        if (u32_at(b, at + 8) == frame && is_sync == sync)
            found = at;
    }
    assert_true(found > 0);
    return found;
}

static bytes load_bytes(const char *path)
{
    sample s = load_sample(path);
    return (bytes){.data = s.data, .size = s.size, .capacity = s.size};
}

/* The other player's file: a different lobby, and the packets of a frame in a different order. */
static bytes other_view(const bytes *from)
{
    size_t first = 0, second = 0;
    for (size_t at = 0; at + 12 <= from->size && !second; at += 8 + u32_at(from, at + 4)) {
        bool game = (int32_t)u32_at(from, at + 8) == 5 &&
                    (u32_at(from, at + 4) == 4 || from->data[at + 12] != 0x65);
        if (game && first)
            second = at;
        else if (game)
            first = at;
    }
    assert_true(second > first);
    size_t middle = first + 8 + u32_at(from, first + 4),
           end = second + 8 + u32_at(from, second + 4);
    bytes to = {0};
    bytes_write(&to, from->data, first);
    bytes_write(&to, from->data + second, end - second);
    if (second > middle)
        bytes_write(&to, from->data + middle, second - middle);
    bytes_write(&to, from->data + first, middle - first);
    bytes_write(&to, from->data + end, from->size - end);
    return to;
}

static void openra__two_recordings_of_one_match_are_compared_by_frames(void **state)
{
    (void)state;
    bytes a = load_bytes("tests/data/openra/p21-2p.orarep"), b = other_view(&a);
    reprise_replay *replays[2];
    const reprise_value *match = compare_files(&a, &b, replays);
    assert_non_null(match);
    assert_int_equal(number_of(match, "frames_with_other_orders"), 0);
    assert_int_equal(number_of(match, "frames_with_other_sync"), 0);
    assert_int_equal(number_of(match, "frames_only_a") + number_of(match, "frames_only_b"), 0);
    assert_int_equal(number_of(match, "same_through_frame"), number_of(match, "frames_compared"));
    close_both(replays);
    for (uint32_t frame = 20; frame <= 30; frame++) { /* the first sync of a frame is compared */
        size_t at = find_packet(&b, frame, true);
        for (size_t p = 0; p + 12 <= b.size && p <= at; p += 8 + u32_at(&b, p + 4)) {
            if (u32_at(&b, p + 8) == frame && u32_at(&b, p + 4) > 4 && b.data[p + 12] == 0x65)
                b.data[p + 13] ^= 1;
        }
    }
    match = compare_files(&a, &b, replays);
    assert_int_equal(number_of(match, "first_other_sync"), 20);
    assert_int_equal(number_of(match, "frames_with_other_sync"), 11);
    assert_int_equal(number_of(match, "same_through_frame"), 19);
    assert_int_equal(number_of(match, "frames_with_other_orders"), 0);
    close_both(replays);
    bytes_free(&a);
    bytes_free(&b);
}

static const char *words(const reprise_value *object, const char *member)
{
    const char *text = reprise_value_text(reprise_value_get(object, member), NULL);
    return text ? text : "";
}

/* Finds the first order packet after a frame, to change the actor of its first order. */
static size_t change_an_order(bytes *b, uint32_t frame, uint32_t *ret_frame)
{
    for (size_t at = 0; at + 12 <= b->size && u32_at(b, at) != UINT32_MAX;
         at += 8 + u32_at(b, at + 4)) {
        uint32_t in = u32_at(b, at + 8);
        if (in < frame || in > INT32_MAX || u32_at(b, at + 4) < 5 || b->data[at + 12] != 0xFF)
            continue;
        size_t flags = at + 14 + b->data[at + 13];
        if (!(b->data[flags] & 0x80))
            continue;
        b->data[flags + 2] ^= 1;
        *ret_frame = in;
        return at;
    }
    fail_msg("no order for an actor");
    return 0;
}

static void openra__orders_of_only_one_recording_are_listed(void **state)
{
    (void)state;
    bytes a = load_bytes("tests/data/openra/p21-2p.orarep"), b = other_view(&a);
    uint32_t frame = 0;
    int64_t client = u32_at(&b, change_an_order(&b, 30, &frame));
    reprise_replay *replays[2];
    const reprise_value *match = compare_files(&a, &b, replays);
    const reprise_value *list = reprise_value_get(match, "differences");
    assert_false(reprise_value_bool(reprise_value_get(match, "same_play"), true));
    assert_int_equal(number_of(match, "first_other_orders"), frame);
    assert_int_equal(number_of(match, "frames_with_other_orders"), 1);
    assert_int_equal(reprise_value_count(list), 2);
    for (size_t i = 0; i < 2; i++) {
        const reprise_value *one = reprise_value_at(list, i);
        assert_string_equal(words(one, "in"), i ? "second" : "first");
        assert_int_equal(number_of(one, "frame"), frame);
        assert_int_equal(number_of(one, "client"), client);
    }
    assert_int_equal(number_of(reprise_value_at(list, 0), "subject") ^ 1,
                     number_of(reprise_value_at(list, 1), "subject"));
    close_both(replays);
    bytes_free(&a);
    bytes_free(&b);
}

/* Stored in another dialect, the match is the same; removed chat is reported. */
static void openra__recordings_in_other_dialects_are_compared_by_meaning(void **state)
{
    (void)state;
    bytes a = load_bytes("tests/data/openra/p21-2p.orarep");
    bytes b = changed(&a, (change){.convert = "p11"});
    bytes quiet = changed(&a, (change){.anonymize = REPRISE_PRIVATE_CHAT});
    reprise_replay *replays[2];
    const reprise_value *match = compare_files(&a, &b, replays);
    assert_true(reprise_value_bool(reprise_value_get(match, "same"), false));
    close_both(replays);
    match = compare_files(&a, &quiet, replays);
    assert_true(reprise_value_bool(reprise_value_get(match, "same_play"), false));
    assert_false(reprise_value_bool(reprise_value_get(match, "same"), true));
    const reprise_value *said = reprise_value_get(match, "said");
    assert_true(reprise_value_count(said) > 0);
    assert_string_equal(words(reprise_value_at(said, 0), "in"), "first");
    close_both(replays);
    bytes_free(&a);
    bytes_free(&b);
    bytes_free(&quiet);
}

static void find_outcome(void *ctx, const reprise_finding *finding)
{
    *(bool *)ctx = *(bool *)ctx || strcmp(finding->id, "openra.outcome") == 0;
}

/* More players have lost according to the sums than to the metadata. */
static void openra__outcomes_are_compared_with_the_sums(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        bytes b = load_bytes("tests/data/openra/p21-2p.orarep");
        size_t at = find_packet(&b, 40, true);
        if (more)
            b.data[at + 17] |= 0x70; /* three further bits of the defeat state */
        bool doubted = false;
        reprise_verify_summary summary;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = open_bytes(&b, false);
        expect_ok(reprise_verify(replay, find_outcome, &doubted, &summary, &error), &error,
                  "verify");
        const reprise_value *outcomes = reprise_value_get(summary.document, "outcomes");
        assert_int_equal(doubted, more);
        assert_int_equal(number_of(outcomes, "lost"), 2);
        assert_int_equal(number_of(outcomes, "lost_in_sync"), more ? 4 : 1);
        reprise_close(replay);
        bytes_free(&b);
    }
}

static void openra__other_matches_are_not_compared_by_frames(void **state)
{
    (void)state;
    bytes a = load_bytes("tests/data/openra/p21-2p.orarep");
    bytes b = load_bytes("tests/data/openra/p21-bots-medium.orarep");
    reprise_replay *replays[2];
    assert_null(compare_files(&a, &b, replays));
    close_both(replays);
    bytes_free(&a);
    bytes_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openra__item_1_samples_decode_as_expected),
        cmocka_unit_test(openra__item_8_bad_files_get_their_verdict_in_bounded_memory),
        cmocka_unit_test(remastered__item_1_samples_decode_as_expected),
        cmocka_unit_test(remastered__item_2_game_and_profile_are_found),
        cmocka_unit_test(remastered__item_8_bad_files_get_their_verdict_in_bounded_memory),
        cmocka_unit_test(openra__two_recordings_of_one_match_are_compared_by_frames),
        cmocka_unit_test(openra__orders_of_only_one_recording_are_listed),
        cmocka_unit_test(openra__recordings_in_other_dialects_are_compared_by_meaning),
        cmocka_unit_test(openra__outcomes_are_compared_with_the_sums),
        cmocka_unit_test(openra__other_matches_are_not_compared_by_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
