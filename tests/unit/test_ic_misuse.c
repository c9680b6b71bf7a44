/*
 * test_ic_misuse.c - programs that use reprise/ironcurtain/ wrongly: structs without a size, lists
 * without items, variants that do not exist. They get REPRISE_E_USAGE or a defined value.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#include "reprise/ironcurtain/live.h"
#include "reprise/sandbox.h"

typedef struct world {
    reprise_ic_codec *codec;
    reprise_error error;
    reprise_text names[1];
    reprise_ic_player player;
    reprise_ic_snapshot state;
} world;

static void begin(world *w)
{
    *w = (world){.names = {{"allies", 6}}};
    assert_int_equal(reprise_ic_codec_new(NULL, &w->codec, &w->error), REPRISE_OK);
    w->state = (reprise_ic_snapshot){.core = {.rng_state = {{1, 2, 3, 4}},
                                              .intern_table = {{w->names, 1}},
                                              .player_states = {&w->player, 1},
                                              .map_state = {.width = 8, .height = 8}}};
}

static void end(world *w)
{
    reprise_ic_codec_free(w->codec);
}

/* ---- rows ---- */

static void ic_misuse__a_list_without_items_is_refused(void **state)
{
    (void)state;
    world w;
    reprise_text bytes;
    begin(&w);
    reprise_ic_script script = {.mission_vars = {NULL, 2}};
    w.state.script_state = &script;
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error),
                     REPRISE_E_USAGE);
    assert_non_null(strstr(w.error.message, "no items"));
    script.mission_vars.count = 0;
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error), REPRISE_OK);
    w.names[0] = (reprise_text){NULL, 6};
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error),
                     REPRISE_E_USAGE);
    end(&w);
}

static void ic_misuse__a_choice_must_exist_and_have_content(void **state)
{
    (void)state;
    world w;
    reprise_text bytes;
    begin(&w);
    reprise_ic_var var = {.name = {"x", 1}, .value = {.variant = REPRISE_IC_SCRIPT_VALUE_INT}};
    reprise_ic_script script = {.mission_vars = {&var, 1}};
    w.state.script_state = &script;
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error),
                     REPRISE_E_USAGE);
    int64_t seven = 7;
    var.value.as.int_value = &seven;
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error), REPRISE_OK);
    var.value.variant = 4;
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error),
                     REPRISE_E_USAGE);
    end(&w);
}

static void ic_misuse__typed_values_survive_encoding(void **state)
{
    (void)state;
    world w;
    reprise_text bytes;
    reprise_ic_snapshot again;
    begin(&w);
    int64_t seven = 7;
    uint32_t tech[] = {0};
    reprise_ic_var var = {.name = {"x", 1},
                          .value = {REPRISE_IC_SCRIPT_VALUE_INT, {.int_value = &seven}}};
    reprise_ic_script script = {.mission_vars = {&var, 1}};
    w.state.script_state = &script;
    w.player.tech = (reprise_ic_u32_list){tech, 1};
    assert_int_equal(reprise_ic_encode_snapshot(w.codec, &w.state, &bytes, &w.error), REPRISE_OK);
    assert_int_equal(reprise_ic_decode_snapshot(w.codec, bytes.data, bytes.size, &again, &w.error),
                     REPRISE_OK);
    assert_int_equal(*again.script_state->mission_vars.items[0].value.as.int_value, 7);
    assert_int_equal(again.core.player_states.items[0].tech.items[0], 0);
    assert_memory_equal(again.core.intern_table.entries.items[0].data, "allies", 6);
    assert_null(again.campaign_state);
    end(&w);
}

/* ---- orders and events ---- */

static void ic_misuse__game_orders_are_known_or_unsupported(void **state)
{
    (void)state;
    world w;
    begin(&w);
    reprise_ic_produce produce = {{"Vehicle", 7}, {"2tnk", 4}};
    reprise_ic_known_order known = {REPRISE_IC_KNOWN_ORDER_PRODUCE, {.produce = &produce}}, read;
    reprise_ic_game_order order;
    assert_int_equal(reprise_ic_encode_game_order(w.codec, &known, &order, &w.error), REPRISE_OK);
    assert_int_equal(order.type_tag, REPRISE_IC_KNOWN_ORDER_PRODUCE + 1);
    assert_int_equal(reprise_ic_decode_game_order(w.codec, &order, &read, &w.error), REPRISE_OK);
    assert_int_equal(read.variant, REPRISE_IC_KNOWN_ORDER_PRODUCE);
    assert_memory_equal(read.as.produce->item.data, "2tnk", 4);
    order.payload.size--;
    assert_int_equal(reprise_ic_decode_game_order(w.codec, &order, &read, &w.error),
                     REPRISE_E_UNSUPPORTED);
    order = (reprise_ic_game_order){.type_tag = 0xF001};
    assert_int_equal(reprise_ic_decode_game_order(w.codec, &order, &read, &w.error),
                     REPRISE_E_UNSUPPORTED);
    known = (reprise_ic_known_order){.variant = REPRISE_IC_KNOWN_ORDER_SELL};
    assert_int_equal(reprise_ic_encode_game_order(w.codec, &known, &order, &w.error),
                     REPRISE_E_USAGE);
    end(&w);
}

static void ic_misuse__names_and_ticks_of_variants(void **state)
{
    (void)state;
    reprise_ic_pause pause = {.tick = 90};
    reprise_ic_event event = {REPRISE_IC_EVENT_PAUSE_EVENT, {.pause_event = &pause}};
    assert_string_equal(reprise_ic_player_order_name(REPRISE_IC_PLAYER_ORDER_MINIMAP_DRAW),
                        "MinimapDraw");
    assert_string_equal(reprise_ic_event_name(event.variant), "PauseEvent");
    assert_int_equal(reprise_ic_event_tick(&event), 90);
    event.variant = REPRISE_IC_EVENT_COMEBACK_MOMENT + 1;
    assert_null(reprise_ic_event_name(event.variant));
    assert_null(reprise_ic_player_order_name(UINT32_MAX));
    assert_int_equal(reprise_ic_event_tick(&event), 0);
}

/* ---- structs with a size ---- */

static int never_sign(void *ctx, const void *message, size_t size, uint8_t ret_signature[64])
{
    (void)ctx, (void)message, (void)size, (void)ret_signature;
    return 1;
}

static reprise_status record_with(const reprise_ic_simulation *simulation,
                                  const reprise_ic_signer *signer)
{
    reprise_ic_recorder *recorder = NULL;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = "tests/data/absent/match.icrep"; /* a directory that does not exist */
    options.simulation = simulation;
    options.signer = signer;
    reprise_status status = reprise_ic_recorder_new("{}", &options, NULL, &recorder, NULL);
    reprise_ic_recorder_free(recorder);
    return status;
}

static void ic_misuse__simulations_and_signers_need_their_callbacks(void **state)
{
    (void)state;
    reprise_ic_skirmish *game = NULL;
    assert_int_equal(reprise_ic_skirmish_new(NULL, &game, NULL), REPRISE_OK);
    reprise_ic_simulation simulation = *reprise_ic_skirmish_simulation(game);
    reprise_ic_signer signer = {.struct_size = sizeof signer, .sign = never_sign};
    assert_int_equal(record_with(&simulation, &signer), REPRISE_E_IO);
    simulation.struct_size = 0;
    assert_int_equal(record_with(&simulation, &signer), REPRISE_E_USAGE);
    simulation = *reprise_ic_skirmish_simulation(game);
    simulation.apply_tick = NULL;
    assert_int_equal(record_with(&simulation, &signer), REPRISE_E_USAGE);
    simulation = *reprise_ic_skirmish_simulation(game);
    simulation.state_hash = NULL;
    assert_int_equal(record_with(&simulation, &signer), REPRISE_E_USAGE);
    reprise_ic_snapshot kept = {0};
    simulation.state = &kept;
    assert_int_equal(record_with(&simulation, &signer), REPRISE_E_IO);
    signer.sign = NULL;
    assert_int_equal(record_with(NULL, &signer), REPRISE_E_USAGE);
    signer = (reprise_ic_signer){.sign = never_sign};
    assert_int_equal(record_with(NULL, &signer), REPRISE_E_USAGE);
    reprise_ic_skirmish_free(game);
}

static void ic_misuse__results_without_a_size_are_refused(void **state)
{
    (void)state;
    reprise_replay *replay = NULL;
    reprise_ic_playback *playback = NULL;
    reprise_ic_playback_callbacks callbacks = {0};
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    options.callbacks = &callbacks;
    assert_int_equal(reprise_open_file("tests/data/ironcurtain/basic.icrep", NULL, &replay, NULL),
                     REPRISE_OK);
    assert_int_equal(reprise_ic_playback_new(replay, &options, &playback, NULL), REPRISE_E_USAGE);
    options.callbacks = NULL;
    assert_int_equal(reprise_ic_playback_new(replay, &options, &playback, NULL), REPRISE_OK);
    reprise_ic_divergence divergence = {0};
    assert_int_equal(reprise_ic_playback_get_divergence(playback, &divergence, NULL),
                     REPRISE_E_USAGE);
    /* a program that was built with an older, shorter struct */
    divergence.struct_size = offsetof(reprise_ic_divergence, mismatches);
    divergence.mismatches = 99;
    assert_int_equal(reprise_ic_playback_get_divergence(playback, &divergence, NULL), REPRISE_OK);
    assert_int_equal(divergence.level, REPRISE_IC_PLAUSIBLE);
    assert_int_equal(divergence.mismatches, 99);
    reprise_ic_compat compat = {0};
    assert_int_equal(reprise_ic_check_compat(NULL, replay, NULL, &compat, NULL), REPRISE_E_USAGE);
    compat = (reprise_ic_compat)REPRISE_IC_COMPAT_INIT;
    assert_int_equal(reprise_ic_check_compat(NULL, replay, NULL, &compat, NULL), REPRISE_OK);
    reprise_ic_playback_free(playback);
    reprise_close(replay);
    reprise_sandbox rules = {0};
    assert_int_equal(reprise_sandbox_enter(&rules, NULL, NULL), REPRISE_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ic_misuse__a_list_without_items_is_refused),
        cmocka_unit_test(ic_misuse__a_choice_must_exist_and_have_content),
        cmocka_unit_test(ic_misuse__typed_values_survive_encoding),
        cmocka_unit_test(ic_misuse__game_orders_are_known_or_unsupported),
        cmocka_unit_test(ic_misuse__names_and_ticks_of_variants),
        cmocka_unit_test(ic_misuse__simulations_and_signers_need_their_callbacks),
        cmocka_unit_test(ic_misuse__results_without_a_size_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
