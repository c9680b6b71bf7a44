/* own_game.c - records a match of your own game and plays it back. Usage: own_game FILE
 * Exits with 0 if playing leads to the same state. */
#include <reprise/ironcurtain/live.h>

/* The state of this game is one number, which counts ticks and orders. */
static reprise_ic_codec *codec;
static reprise_ic_snapshot game = {
    .core = {.rng_state = {{1, 0, 0, 0}}, .map_state = {.width = 1, .height = 1}}};

static reprise_status restore(void *ctx, const reprise_ic_snapshot *state, reprise_error *error)
{
    return (void)ctx, (void)error, game = *state, REPRISE_OK;
}
static reprise_status save(void *ctx, reprise_ic_snapshot *ret_state, reprise_error *error)
{
    return (void)ctx, (void)error, *ret_state = game, REPRISE_OK;
}
static reprise_status apply(void *ctx, uint64_t tick, const reprise_ic_order *orders, size_t count,
                            reprise_error *error)
{
    game.core.tick = tick + 1;
    game.core.rng_state.s.s0 += 1 + count;
    return (void)ctx, (void)orders, (void)error, REPRISE_OK;
}
static reprise_status hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    return (void)ctx, reprise_ic_state_hash(codec, &game.core, ret_hash, error);
}

static const reprise_ic_simulation sim = {sizeof sim, NULL, restore, apply, hash, save, NULL, NULL};

int main(int argc, char **argv)
{
    reprise_ic_recorder *recorder = NULL;
    reprise_replay *replay = NULL;
    reprise_ic_playback *playback = NULL;
    const reprise_ic_frame *played = NULL;
    reprise_ic_recorder_options recording = REPRISE_IC_RECORDER_INIT;
    recording.path = argc == 2 ? argv[1] : NULL;
    recording.simulation = &sim;
    reprise_ic_playback_options playing = {sizeof playing, &sim, NULL, false, false};
    bool ok = reprise_ic_codec_new(NULL, &codec, NULL) == REPRISE_OK &&
              reprise_ic_recorder_new("{}", &recording, NULL, &recorder, NULL) == REPRISE_OK;
    for (reprise_ic_frame frame = {0}; ok && frame.tick < 100; frame.tick++)
        ok = reprise_ic_recorder_tick(recorder, &frame, NULL) == REPRISE_OK &&
             apply(NULL, frame.tick, NULL, 0, NULL) == REPRISE_OK;
    ok = ok && reprise_ic_recorder_finish(recorder, NULL, NULL, NULL) == REPRISE_OK &&
         reprise_open_file(argv[1], NULL, &replay, NULL) == REPRISE_OK &&
         reprise_ic_playback_new(replay, &playing, &playback, NULL) == REPRISE_OK;
    while (ok && reprise_ic_playback_poll(playback, &played, NULL) == REPRISE_OK)
        continue;
    reprise_ic_playback_free(playback);
    reprise_close(replay);
    reprise_ic_recorder_free(recorder);
    reprise_ic_codec_free(codec);
    return !ok || game.core.rng_state.s.s0 != 101;
}
