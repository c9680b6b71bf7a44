/* test_order_analysis.c - what is counted of recorded orders, its bounds, and desyncs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "desync.h"
#include "order_analysis.h"

typedef struct fixture {
    rp_context context;
    rp_order_analysis analysis;
    reprise_error error;
    rp_order_player *player; /* number 7 */
} fixture;

static int begin(void **state)
{
    static fixture f;
    f = (fixture){.error = REPRISE_ERROR_INIT};
    rp_context_init(&f.context, NULL);
    rp_order_analysis_init(&f.analysis, &f.context);
    f.player = rp_order_analysis_player(&f.analysis, 7, &f.error);
    *state = &f;
    return f.player ? 0 : 1;
}

static int end(void **state)
{
    fixture *f = *state;
    rp_order_analysis_free(&f->analysis);
    assert_true(f->context.bytes_live == 0);
    return 0;
}

static void order(fixture *f, double time, reprise_foreign_kind kind, uint64_t digest)
{
    rp_order_note note = {.time = time, .kind = kind, .is_action = true, .digest = digest};
    assert_int_equal(rp_order_analysis_add(&f->analysis, f->player, &note, &f->error), REPRISE_OK);
}

static void send_army(fixture *f, int32_t x, int32_t y)
{
    rp_order_note note = {.kind = REPRISE_FOREIGN_MOVE, .is_army = true, .x = x, .y = y};
    assert_int_equal(rp_order_analysis_add(&f->analysis, f->player, &note, &f->error), REPRISE_OK);
}

static int64_t member(const reprise_value *list, size_t index, const char *key)
{
    const reprise_value *one = reprise_value_at(list, index);
    return reprise_value_int(key ? reprise_value_get(one, key) : one, -1);
}

static void order_analysis__counts_actions_by_minute(void **state)
{
    fixture *f = *state;
    order(f, 1, REPRISE_FOREIGN_MOVE, 1);
    order(f, 2, REPRISE_FOREIGN_MOVE, 1); /* repeats the one before */
    order(f, 3, REPRISE_FOREIGN_MOVE, 2);
    order(f, 130, REPRISE_FOREIGN_MOVE, 2);
    assert_int_equal(f->player->actions, 4);
    assert_int_equal(f->player->repeats, 2);
    rp_doc doc = {.arena = &f->analysis.arena, .error = &f->error};
    reprise_value *object = rp_new_object(&doc);
    rp_set_order_metrics(&doc, object, f->player, 2);
    const reprise_value *minutes = reprise_value_get(object, "actions_by_minute");
    assert_int_equal(reprise_value_count(minutes), 3);
    assert_int_equal(member(minutes, 0, NULL), 3);
    assert_int_equal(member(minutes, 1, NULL), 0);
    assert_int_equal(member(minutes, 2, NULL), 1);
    minutes = reprise_value_get(object, "actions_by_minute_without_repeats");
    assert_int_equal(member(minutes, 0, NULL), 2);
    assert_int_equal(member(minutes, 2, NULL), 0);
    assert_true(reprise_value_double(reprise_value_get(object, "actions_per_minute"), 0) == 2);
    assert_null(reprise_value_get(object, "first_attack"));
}

static void order_analysis__rates_cover_the_last_minute(void **state)
{
    fixture *f = *state;
    order(f, 0.5, REPRISE_FOREIGN_MOVE, 0);
    order(f, 59.9, REPRISE_FOREIGN_PRODUCE, 0);
    order(f, 61, REPRISE_FOREIGN_ATTACK, 0);
    rp_order_rate rate = {.player = f->player};
    rp_order_rate at[130];
    for (size_t i = 0; i < 130; i++) {
        rp_order_rate_next(&rate);
        at[i] = rate;
    }
    assert_int_equal(at[0].all, 1);
    assert_int_equal(at[59].all, 2);
    assert_int_equal(at[59].economy, 1);
    assert_int_equal(at[60].all, 1); /* that of second 0 is a minute old */
    assert_int_equal(at[61].military, 1);
    assert_int_equal(at[119].all, 1);
    assert_int_equal(at[121].all, 0);
    assert_int_equal(at[129].so_far, 3);
}

static void order_analysis__groups_are_counted_by_ten_seconds(void **state)
{
    fixture *f = *state;
    order(f, 9.9, REPRISE_FOREIGN_GUARD, 0);
    order(f, 10, REPRISE_FOREIGN_STOP, 0);
    order(f, 19, REPRISE_FOREIGN_SELL, 0);
    assert_int_equal(rp_order_group_count(&f->analysis, RP_ORDERS_MOVE, 0), 1);
    assert_int_equal(rp_order_group_count(&f->analysis, RP_ORDERS_MOVE, 1), 1);
    assert_int_equal(rp_order_group_count(&f->analysis, RP_ORDERS_ECONOMY, 1), 1);
    assert_int_equal(rp_order_group_count(&f->analysis, RP_ORDERS_MOVE, 2), 0);
}

static void order_analysis__times_without_end_count_for_the_last_second(void **state)
{
    fixture *f = *state;
    order(f, 1e300, REPRISE_FOREIGN_MOVE, 1);
    order(f, -5, REPRISE_FOREIGN_MOVE, 2);
    assert_int_equal(f->player->minutes.count, (RP_ORDER_SECONDS_MAX - 1) / 60 + 1);
    rp_doc doc = {.arena = &f->analysis.arena, .error = &f->error};
    reprise_value *object = rp_new_object(&doc);
    rp_set_order_metrics(&doc, object, f->player, 0);
    const reprise_value *minutes = reprise_value_get(object, "actions_by_minute");
    assert_int_equal(reprise_value_count(minutes), RP_ORDER_MINUTES_LISTED);
    assert_int_equal(member(minutes, 0, NULL), 1);
    assert_int_equal(member(minutes, RP_ORDER_MINUTES_LISTED - 1, NULL), 1);
}

static void order_analysis__the_first_attack_is_the_first_contact(void **state)
{
    fixture *f = *state;
    order(f, 4, REPRISE_FOREIGN_MOVE, 0);
    order(f, 5, REPRISE_FOREIGN_ATTACK, 0);
    order(f, 6, REPRISE_FOREIGN_ATTACK, 0);
    assert_true(f->player->first_attack == 5 && f->analysis.first_contact == 5);
    assert_int_equal(f->analysis.first_attacker, 7);
}

static void order_analysis__cells_are_listed_by_count_or_place(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 3; i++)
        send_army(f, 9, 9);
    send_army(f, 5, 1);
    send_army(f, -4, 1);
    rp_doc doc = {.arena = &f->analysis.arena, .error = &f->error};
    reprise_value *object = rp_new_object(&doc);
    rp_set_army_heat(&doc, object, f->player, true);
    const reprise_value *cells = reprise_value_get(object, "army_heat");
    assert_int_equal(reprise_value_count(cells), 3);
    assert_int_equal(member(cells, 0, "count"), 3);
    assert_int_equal(member(cells, 1, "x"), -4);
    object = rp_new_object(&doc);
    rp_set_army_heat(&doc, object, f->player, false);
    cells = reprise_value_get(object, "army_heat");
    assert_int_equal(member(cells, 0, "x"), -4);
    assert_int_equal(member(cells, 2, "x"), 9);
}

static void order_analysis__cells_have_a_bound(void **state)
{
    fixture *f = *state;
    for (int32_t i = 0; i < 20000; i++)
        send_army(f, i, i);
    assert_int_equal(f->player->cell_count + f->player->uncounted_cells, 20000);
    assert_true(f->player->uncounted_cells > 0);
    send_army(f, 0, 0); /* a known cell is counted all the same */
    assert_int_equal(f->player->cell_count + f->player->uncounted_cells, 20000);
}

static void order_analysis__names_players_and_logs_have_bounds(void **state)
{
    fixture *f = *state;
    char text[16];
    for (int i = 0; i < RP_ORDER_NAMES_MAX + 5; i++) {
        rp_text name = {text, (size_t)snprintf(text, sizeof text, "n%d", i)};
        assert_int_equal(
            rp_name_counts_add(&f->analysis, &f->player->produced, &name, 1, &f->error),
            REPRISE_OK);
    }
    assert_int_equal(f->player->produced->names.texts.count, RP_ORDER_NAMES_MAX);
    for (int i = 0; i < RP_ORDER_LOG_MAX + 3; i++) {
        rp_order_log_entry entry = {.time = i, .order = {"a", 1}};
        assert_int_equal(
            rp_order_analysis_log(&f->analysis, f->player, &f->player->builds, &entry, &f->error),
            REPRISE_OK);
    }
    assert_int_equal(f->player->builds.count, RP_ORDER_LOG_MAX);
    assert_int_equal(f->player->unlogged, 3);
    for (int32_t id = 100; id < 100 + RP_ORDER_PLAYERS_MAX; id++)
        rp_order_analysis_player(&f->analysis, id, &f->error);
    assert_int_equal(f->analysis.player_count, RP_ORDER_PLAYERS_MAX);
    assert_int_equal(f->analysis.orders_of_others, 1);
    assert_int_equal(f->error.status, REPRISE_OK);
}

/* ---- desync ---- */

static void desync__the_lowest_frame_counts(void **state)
{
    (void)state;
    static rp_desync_watch watch;
    rp_desync_watch_add(&watch, 11, 1, 5);
    rp_desync_watch_add(&watch, 10, 1, 5);
    rp_desync_watch_add(&watch, 11, 2, 6);
    rp_desync_watch_add(&watch, 10, 1, 6); /* a client is not compared with itself */
    assert_int_equal(watch.result.frame, 11);
    rp_desync_watch_add(&watch, 10, 3, 7);
    rp_desync_watch_add(&watch, 10, 4, 8); /* the same frame */
    assert_true(watch.result.found);
    assert_int_equal(watch.result.frame, 10);
    assert_int_equal(watch.result.frames, 2);
    assert_int_equal(watch.result.clients[0], 1);
    assert_int_equal(watch.result.clients[1], 3);
    assert_int_equal(watch.result.hashes, 6);
}

static void desync__frames_far_apart_are_not_compared(void **state)
{
    (void)state;
    static rp_desync_watch watch;
    rp_desync_watch_add(&watch, 1, 1, 5);
    rp_desync_watch_add(&watch, 1 + RP_DESYNC_WINDOW, 2, 6);
    assert_false(watch.result.found);
    rp_desync_watch_add(&watch, 1 + RP_DESYNC_WINDOW, 1, 7);
    assert_int_equal(watch.result.frame, 1 + RP_DESYNC_WINDOW);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(order_analysis__counts_actions_by_minute),
        TEST(order_analysis__rates_cover_the_last_minute),
        TEST(order_analysis__groups_are_counted_by_ten_seconds),
        TEST(order_analysis__times_without_end_count_for_the_last_second),
        TEST(order_analysis__the_first_attack_is_the_first_contact),
        TEST(order_analysis__cells_are_listed_by_count_or_place),
        TEST(order_analysis__cells_have_a_bound),
        TEST(order_analysis__names_players_and_logs_have_bounds),
        cmocka_unit_test(desync__the_lowest_frame_counts),
        cmocka_unit_test(desync__frames_far_apart_are_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
