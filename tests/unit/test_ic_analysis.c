/*
 * test_ic_analysis.c - the metrics of Iron Curtain matches, and the driver that re-simulates them:
 * what statistics, plots, seeking and verification share.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ironcurtain/read/analyse.h"
#include "samples.h"
#include "skirmish/skirmish.h"

static void give_order(ic_analysis *a, uint32_t player, uint32_t variant, double seconds)
{
    ic_order order = {.player = player};
    order.order.variant = variant;
    ic_analyse_order(a, &order, seconds);
}

static void analysis__actions_per_minute_leave_out_chat_and_pings(void **state)
{
    (void)state;
    static ic_analysis a;
    a = (ic_analysis){0};
    give_order(&a, 1, ic_player_order_V_Move, 0.5);
    give_order(&a, 1, ic_player_order_V_ChatMessage, 0.6);
    give_order(&a, 1, ic_player_order_V_TacticalPing, 0.7);
    give_order(&a, 2, ic_player_order_V_GameOrder, 30);
    give_order(&a, 1, ic_player_order_V_Attack, 30.9);
    assert_int_equal(a.player_count, 2);
    assert_int_equal(a.players[0].orders, 4);
    assert_int_equal(a.players[0].actions, 2);
    assert_int_equal(a.players[0].by_kind[ic_player_order_V_ChatMessage], 1);
    /* The window is the minute that ends with the second. */
    assert_int_equal(ic_actions_per_minute(&a, 1, 59), 2);
    assert_int_equal(ic_actions_per_minute(&a, 1, 60), 1);
    assert_int_equal(ic_actions_per_minute(&a, 2, 89), 1);
    assert_int_equal(ic_actions_per_minute(&a, 2, 90), 0);
    assert_int_equal(ic_actions_per_minute(&a, 1, 1000000), 0);
    assert_int_equal(ic_actions_per_minute(&a, 3, 5), 0);
}

static void analysis__missing_frames_are_those_between_frames(void **state)
{
    (void)state;
    static ic_analysis a;
    ic_hashes_found found;
    a = (ic_analysis){0};
    assert_int_equal(ic_analyse_frame(&a, 3, 7, &found), 0);
    assert_int_equal(ic_analyse_frame(&a, 4, 7, &found), 0);
    assert_int_equal(ic_analyse_frame(&a, 8, 7, &found), 3);
    assert_int_equal(a.frames, 3);
    assert_int_equal(a.missing_frames, 3);
}

static void analysis__engagements_and_cells(void **state)
{
    (void)state;
    ic_engagement_ended none = {0};
    ic_engagement_ended some = {.friendly_losses = 1, .enemy_losses = 2, .enemy_survivors = 1};
    assert_true(ic_loss_share(&none) == 0);
    assert_true(ic_loss_share(&some) == 0.75);
    ic_cell cell = ic_cell_of(&(ic_pos){-1, 2047, 0});
    assert_int_equal(cell.x, -1);
    assert_int_equal(cell.y, 1);
}

/* ---- the driver ---- */

typedef struct match {
    rp_context context;
    rp_source *source;
    rp_replay *replay;
    ic_driver driver;
    reprise_error error;
    sample file;
} match;

static void match_open(match *m, const char *path)
{
    *m = (match){.error = REPRISE_ERROR_INIT};
    m->file = load_sample(path);
    rp_context_init(&m->context, NULL);
    m->context.engine = &skirmish_engine;
    assert_int_equal(
        rp_source_open_memory(&m->context, m->file.data, m->file.size, &m->source, &m->error),
        REPRISE_OK);
    assert_int_equal(rp_replay_open(&m->context, m->source, NULL, NULL, &m->replay, &m->error),
                     REPRISE_OK);
    assert_int_equal(ic_drive_replay(&m->driver, (ic_replay *)m->replay, &m->error), REPRISE_OK);
    assert_int_equal(ic_driver_restore(&m->driver, 0, &m->error), REPRISE_OK);
}

static void match_close(match *m)
{
    ic_driver_close(&m->driver);
    rp_replay_close(m->replay);
    rp_source_close(m->source);
    free(m->file.data);
    assert_int_equal(m->context.bytes_live, 0);
}

static void driver__states_are_the_recorded_ones(void **state)
{
    (void)state;
    match m;
    ic_comparison found;
    match_open(&m, "tests/data/ironcurtain/basic.icrep");
    ic_driver *d = &m.driver;
    uint64_t end = d->match->total_ticks;
    assert_true(end > 10);
    /* From a keyframe in between, then step by step, to the end. */
    assert_int_equal(ic_driver_reach(d, end - 2, &m.error), REPRISE_OK);
    for (; d->tick < end;) {
        const ic_frame *frame = NULL;
        assert_int_equal(ic_driver_compare(d, &found, &m.error), REPRISE_OK);
        assert_true(found.known && found.same && found.ours == found.recorded);
        assert_int_equal(ic_driver_frame(d, &frame, &m.error), REPRISE_OK);
        assert_int_equal(ic_driver_play(d, frame, &m.error), REPRISE_OK);
    }
    /* The end is compared with the complete state hash. */
    assert_int_equal(ic_driver_compare(d, &found, &m.error), REPRISE_OK);
    assert_true(found.known && found.same);
    assert_memory_equal(found.hash, d->match->final_hash, sizeof found.hash);
    /* Back to any tick. */
    assert_int_equal(ic_driver_seek(d, 5, &m.error), REPRISE_OK);
    assert_int_equal(d->tick, 5);
    assert_int_equal(ic_driver_compare(d, &found, &m.error), REPRISE_OK);
    assert_true(found.known && found.same);
    match_close(&m);
}

static void driver__a_gap_ends_at_the_next_keyframe(void **state)
{
    (void)state;
    match m;
    ic_comparison found;
    const ic_frame *frame = NULL;
    match_open(&m, "tests/data/ironcurtain/lost-frames.icrep");
    ic_driver *d = &m.driver;
    uint64_t end = d->match->total_ticks;
    assert_int_equal(ic_driver_reach(d, end, &m.error), REPRISE_OK);
    if (!d->gap)
        assert_int_equal(ic_driver_seek(d, 0, &m.error), REPRISE_OK);
    while (!d->gap && d->tick < end) {
        assert_int_equal(ic_driver_frame(d, &frame, &m.error), REPRISE_OK);
        assert_int_equal(ic_driver_play(d, frame, &m.error), REPRISE_OK);
    }
    /* A state after a missing frame is not compared. */
    assert_true(d->gap && d->tick < end);
    assert_int_equal(ic_driver_compare(d, &found, &m.error), REPRISE_OK);
    assert_false(found.known);
    uint64_t next = ic_match_next_keyframe(d->match, d->tick);
    assert_int_equal(ic_driver_skip_gap(d, &m.error), REPRISE_OK);
    assert_int_equal(d->tick, next);
    assert_int_equal(d->gap, next == end);
    match_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analysis__actions_per_minute_leave_out_chat_and_pings),
        cmocka_unit_test(analysis__missing_frames_are_those_between_frames),
        cmocka_unit_test(analysis__engagements_and_cells),
        cmocka_unit_test(driver__states_are_the_recorded_ones),
        cmocka_unit_test(driver__a_gap_ends_at_the_next_keyframe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
