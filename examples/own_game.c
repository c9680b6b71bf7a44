/* own_game.c - records a match of your own game and plays it back. Usage: own_game FILE */
#include <reprise/ironcurtain/live.h>

/* The state of this game is one number, which counts ticks and orders. */
static reprise_status apply(void *ctx, uint64_t tick, const reprise_ic_order *orders, size_t count,
                            reprise_error *error)
{
    reprise_ic_core *game = ctx;
    game->tick = tick + 1;
    game->rng_state.s.s0 += 1 + count;
    return (void)orders, (void)error, REPRISE_OK;
}

int main(int argc, char **argv)
{
    reprise_ic_snapshot game = {
        .core = {.rng_state.s.s0 = 1, .map_state = {.width = 1, .height = 1}}};
    const reprise_ic_simulation sim = {
        .struct_size = sizeof sim, .ctx = &game.core, .apply_tick = apply, .state = &game};
    reprise_ic_recorder_options recording = REPRISE_IC_RECORDER_INIT;
    reprise_ic_playback_options playing = REPRISE_IC_PLAYBACK_INIT;
    reprise_ic_recorder *recorder = NULL;
    reprise_replay *replay = NULL;
    reprise_ic_playback *playback = NULL;
    recording.path = argc == 2 ? argv[1] : NULL;
    recording.simulation = playing.simulation = &sim;
    bool ok = reprise_ic_recorder_new("{}", &recording, NULL, &recorder, NULL) == REPRISE_OK;
    for (reprise_ic_frame frame = {0}; ok && frame.tick < 100; frame.tick++)
        ok = reprise_ic_recorder_tick(recorder, &frame, NULL) == REPRISE_OK &&
             apply(&game.core, frame.tick, NULL, 0, NULL) == REPRISE_OK;
    ok = ok && reprise_ic_recorder_finish(recorder, NULL, NULL, NULL) == REPRISE_OK &&
         reprise_open_file(argv[1], NULL, &replay, NULL) == REPRISE_OK &&
         reprise_ic_playback_new(replay, &playing, &playback, NULL) == REPRISE_OK;
    while (ok && reprise_ic_playback_poll(playback, NULL, NULL) == REPRISE_OK)
        continue;
    reprise_ic_playback_free(playback);
    reprise_close(replay);
    reprise_ic_recorder_free(recorder);
    return !ok || game.core.rng_state.s.s0 != 101;
}
