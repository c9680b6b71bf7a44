/*
 * test_simulation.c - simulations: the built-in game and one that the caller provides. Numbers in
 * test names are items of the conformance checklist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>

#include "checked.h"
#include "json.h"
#include "options.h"
#include "reprise/ironcurtain/live.h"
#include "samples.h"

#define DATA "tests/data/ironcurtain/"

/* ---- a game that counts calls ---- */

typedef struct counted {
    reprise_ic_simulation calls;
    const reprise_ic_simulation *inner;
    unsigned restored, applied, hashed;
} counted;

static reprise_status count_restore(void *ctx, const reprise_ic_snapshot *snapshot,
                                    reprise_error *error)
{
    counted *c = ctx;
    c->restored++;
    return c->inner->restore(c->inner->ctx, snapshot, error);
}

static reprise_status count_apply(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                  size_t count, reprise_error *error)
{
    counted *c = ctx;
    c->applied++;
    return c->inner->apply_tick(c->inner->ctx, tick, orders, count, error);
}

static reprise_status count_hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    counted *c = ctx;
    c->hashed++;
    return c->inner->state_hash(c->inner->ctx, ret_hash, error);
}

static reprise_status count_snapshot(void *ctx, reprise_ic_snapshot *ret_snapshot,
                                     reprise_error *error)
{
    const counted *c = ctx;
    return c->inner->snapshot(c->inner->ctx, ret_snapshot, error);
}

static void count_calls(counted *c, reprise_ic_skirmish *game)
{
    *c = (counted){.inner = reprise_ic_skirmish_simulation(game)};
    c->calls = (reprise_ic_simulation){.struct_size = sizeof c->calls,
                                       .ctx = c,
                                       .restore = count_restore,
                                       .apply_tick = count_apply,
                                       .state_hash = count_hash,
                                       .snapshot = count_snapshot};
}

static reprise_ic_skirmish *new_game(void)
{
    reprise_ic_skirmish *game = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_skirmish_new(NULL, &game, &error), REPRISE_OK);
    return game;
}

static void simulation__a_game_of_the_caller_is_asked(void **state)
{
    (void)state;
    reprise_ic_skirmish *game = new_game();
    counted c;
    count_calls(&c, game);
    TEST_OPTIONS(options);
    reprise_options_set_simulation(options, &c.calls, NULL);
    reprise_replay *replay = NULL;
    const reprise_value *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_file(DATA "full.icrep", options, &replay, &error), REPRISE_OK);
    reprise_moment moment = {.by_index = true, .index = 650};
    assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_OK);
    assert_true(reprise_value_bool(reprise_value_get(at, "exact"), false));
    assert_int_equal(c.restored, 1);
    assert_int_equal(c.applied, 50);
    assert_int_equal(c.hashed, 1);
    reprise_close(replay);
    reprise_ic_skirmish_free(game);
}

/* A simulation that names its game module is not used for replays of another one. */
static void simulation__is_chosen_by_game_module(void **state)
{
    (void)state;
    static const char *const modules[] = {"td", "ra1"};
    for (size_t i = 0; i < RP_COUNT(modules); i++) {
        reprise_ic_skirmish *game = new_game();
        counted c;
        count_calls(&c, game);
        c.calls.game_module = modules[i];
        TEST_OPTIONS(options);
        reprise_options_set_simulation(options, &c.calls, NULL);
        reprise_replay *replay = NULL;
        reprise_ic_playback *player = NULL;
        const reprise_value *at = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_file(DATA "full.icrep", options, &replay, &error),
                         REPRISE_OK);
        reprise_moment moment = {.by_index = true, .index = 650};
        assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_OK);
        assert_int_equal(reprise_value_bool(reprise_value_get(at, "exact"), false), i == 1);
        assert_int_equal(reprise_value_get(at, "not_simulated") == NULL, i == 1);
        assert_int_equal(c.applied, i == 1 ? 50 : 0);
        assert_int_equal(reprise_ic_playback_new(replay, NULL, &player, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_playback_has_state(player), i == 1);
        assert_int_equal(reprise_ic_playback_no_state_reason(player) == NULL, i == 1);
        reprise_ic_playback_free(player);
        reprise_close(replay);
        reprise_ic_skirmish_free(game);
    }
}

/* Without snapshots, the preceding keyframe is shown. */
static void simulation__without_snapshots_the_keyframe_is_shown(void **state)
{
    (void)state;
    reprise_ic_skirmish *game = new_game();
    counted c;
    count_calls(&c, game);
    c.calls.snapshot = NULL;
    TEST_OPTIONS(options);
    reprise_options_set_simulation(options, &c.calls, NULL);
    reprise_replay *replay = NULL;
    const reprise_value *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_file(DATA "full.icrep", options, &replay, &error), REPRISE_OK);
    reprise_moment moment = {.by_index = true, .index = 650};
    assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_OK);
    assert_false(reprise_value_bool(reprise_value_get(at, "exact"), true));
    assert_int_equal(reprise_value_uint(reprise_value_get(at, "keyframe"), 0), 600);
    reprise_close(replay);
    reprise_ic_skirmish_free(game);
}

/* ---- seeking ---- */

static void check_seek(reprise_replay *replay, const char *name, const reprise_value *expected)
{
    const reprise_value *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    int64_t target = reprise_value_int(reprise_value_get(expected, "target"), -1);
    reprise_moment moment = {.by_index = true, .index = target};
    static const char *const numbers[][2] = {{"keyframe", "keyframe"},
                                             {"full_keyframe", "full_keyframe"},
                                             {"blobs_read", "blobs_read"},
                                             {"resim_ticks", "ticks_between"}};
    assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_OK);
    const reprise_value *stopped = reprise_value_get(expected, "stopped_at");
    bool stops = reprise_value_kind_of(stopped) == REPRISE_VALUE_INT;
    for (size_t i = 0; i < RP_COUNT(numbers); i++) {
        int64_t want = reprise_value_int(reprise_value_get(expected, numbers[i][0]), -1);
        int64_t got = reprise_value_int(reprise_value_get(at, numbers[i][1]), -2);
        if (want != got && !(stops && i == 3))
            fail_msg("%s tick %lld: %s is %lld, not %lld", name, (long long)target, numbers[i][0],
                     (long long)got, (long long)want);
    }
    const char *hash = reprise_value_text(reprise_value_get(expected, "state_hash"), NULL);
    if (!stops && hash)
        assert_string_equal(reprise_value_text(reprise_value_get(at, "state_hash"), NULL), hash);
    else if (stops)
        assert_int_equal(reprise_value_int(reprise_value_get(at, "stopped_at"), -1),
                         reprise_value_int(stopped, -2));
}

static size_t check_seeks(const char *path)
{
    char expect[300];
    snprintf(expect, sizeof expect, "%s.expect.json", path);
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &arena, .error = &error};
    sample text = load_sample(expect);
    reprise_value *document = NULL;
    rp_json_notes notes = {0};
    assert_int_equal(
        rp_json_parse(&doc, (const char *)text.data, text.size, "expect", &document, &notes),
        REPRISE_OK);
    const reprise_value *seeks = rp_get(document, "seeks");
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_file(path, NULL, &replay, &error), REPRISE_OK);
    for (size_t i = 0; i < reprise_value_count(seeks); i++)
        check_seek(replay, path, reprise_value_at(seeks, i));
    size_t count = reprise_value_count(seeks);
    reprise_close(replay);
    rp_arena_free(&arena);
    free(text.data);
    return count;
}

static void checklist_15__seeks_go_by_the_listed_keyframes(void **state)
{
    (void)state;
    static const char *const files[] = {"basic", "full", "lost-frames", "lost-full-keyframe",
                                        "live-clean"};
    size_t seeks = 0;
    for (size_t i = 0; i < RP_COUNT(files); i++) {
        char path[128];
        snprintf(path, sizeof path, DATA "%s.icrep", files[i]);
        seeks += check_seeks(path);
    }
    assert_true(seeks > 20);
}

/* ---- verify --simulate ---- */

static void simulate(const char *path, reprise_verify_summary *ret_summary, reprise_replay **replay)
{
    TEST_OPTIONS(options);
    reprise_options_set_simulate(options, REPRISE_SIMULATE_ALL, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_file(path, options, replay, &error), REPRISE_OK);
    assert_int_equal(reprise_verify(*replay, NULL, NULL, ret_summary, &error), REPRISE_OK);
}

static void checklist_16__samples_play_to_their_final_state(void **state)
{
    (void)state;
    static const char *const files[] = {"all-events", "all-orders",     "basic",
                                        "cadence-45", "cadence-50-end", "full",
                                        "zero-ticks", "self-contained", "lost-full-keyframe"};
    for (size_t i = 0; i < RP_COUNT(files); i++) {
        char path[128];
        snprintf(path, sizeof path, DATA "%s.icrep", files[i]);
        reprise_replay *replay = NULL;
        reprise_verify_summary summary = {0};
        simulate(path, &summary, &replay);
        const reprise_value *played = reprise_value_get(summary.document, "simulation");
        assert_int_equal(summary.faults, 0);
        assert_int_equal(reprise_value_int(reprise_value_get(played, "mismatches"), -1), 0);
        assert_true(reprise_value_bool(reprise_value_get(played, "final_state_matches"), false));
        reprise_close(replay);
    }
}

static void simulation__gaps_are_counted_and_end_at_keyframes(void **state)
{
    (void)state;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    simulate(DATA "lost-frames.icrep", &summary, &replay);
    const reprise_value *played = reprise_value_get(summary.document, "simulation");
    assert_int_equal(reprise_value_int(reprise_value_get(played, "gaps"), -1), 3);
    assert_int_equal(reprise_value_int(reprise_value_get(played, "mismatches"), -1), 0);
    reprise_close(replay);
}

/* ---- the demonstration match ---- */

static uint64_t play_demo(uint64_t seed, unsigned ticks)
{
    reprise_ic_skirmish *game = new_game();
    const reprise_ic_simulation *calls = reprise_ic_skirmish_simulation(game);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_skirmish_start(game, seed, 3, 10, &error), REPRISE_OK);
    uint8_t hash[32];
    for (unsigned t = 0; t < ticks; t++) {
        const reprise_ic_order *orders = NULL;
        const reprise_ic_event *events = NULL;
        size_t count = 0, happened = 0;
        assert_int_equal(reprise_ic_skirmish_orders(game, &orders, &count, &error), REPRISE_OK);
        assert_int_equal(calls->apply_tick(calls->ctx, t, orders, count, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_skirmish_events(game, &events, &happened, &error), REPRISE_OK);
        assert_true(t || happened >= 30);
    }
    reprise_ic_snapshot snapshot;
    assert_int_equal(calls->snapshot(calls->ctx, &snapshot, &error), REPRISE_OK);
    reprise_ic_codec *ic = NULL;
    assert_int_equal(reprise_ic_codec_new(NULL, &ic, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_check(ic, &snapshot.core, &error), REPRISE_OK);
    reprise_ic_codec_free(ic);
    assert_int_equal(calls->state_hash(calls->ctx, hash, &error), REPRISE_OK);
    reprise_ic_skirmish_free(game);
    uint64_t first;
    memcpy(&first, hash, sizeof first);
    return first;
}

static void demo__the_same_seed_gives_the_same_match(void **state)
{
    (void)state;
    uint64_t a = play_demo(7, 400);
    assert_int_equal(a, play_demo(7, 400));
    assert_int_not_equal(a, play_demo(8, 400));
}

static void simulation__orders_for_another_tick_are_refused(void **state)
{
    (void)state;
    reprise_ic_skirmish *game = new_game();
    const reprise_ic_simulation *calls = reprise_ic_skirmish_simulation(game);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(calls->apply_tick(calls->ctx, 0, NULL, 0, &error), REPRISE_E_USAGE);
    error = (reprise_error)REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_skirmish_start(game, 1, 2, 4, &error), REPRISE_OK);
    assert_int_equal(calls->apply_tick(calls->ctx, 5, NULL, 0, &error), REPRISE_E_USAGE);
    reprise_ic_skirmish_free(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation__a_game_of_the_caller_is_asked),
        cmocka_unit_test(simulation__is_chosen_by_game_module),
        cmocka_unit_test(simulation__without_snapshots_the_keyframe_is_shown),
        cmocka_unit_test(checklist_15__seeks_go_by_the_listed_keyframes),
        cmocka_unit_test(checklist_16__samples_play_to_their_final_state),
        cmocka_unit_test(simulation__gaps_are_counted_and_end_at_keyframes),
        cmocka_unit_test(demo__the_same_seed_gives_the_same_match),
        cmocka_unit_test(simulation__orders_for_another_tick_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
