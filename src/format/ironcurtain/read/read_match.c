/* read_match.c - a replay as a match that can be played: the frames and keyframes of a decoder. */
#include "read.h"

static reprise_status frame_of(ic_match *match, uint64_t tick, const ic_frame **ret_frame,
                               reprise_error *error)
{
    ic_decoder *d = match->ctx;
    RP_TRY(ic_reach_frame(d, tick, error));
    *ret_frame = d->frames.waiting && d->frames.tick == tick ? &d->frame : NULL;
    return REPRISE_OK;
}

static void note_map(ic_match *match)
{
    const ic_decoder *d = match->ctx;
    match->width = d->loader.now.core.map_state.width;
    match->height = d->loader.now.core.map_state.height;
}

static reprise_status seek(ic_match *match, uint64_t tick, reprise_error *error)
{
    RP_TRY(ic_seek_keyframe(match->ctx, tick, error));
    note_map(match);
    return REPRISE_OK;
}

static uint64_t keyframe_tick(const ic_match *match, size_t keyframe)
{
    return match->replay->pieces[IC_KEYFRAMES].items[keyframe].tick;
}

static reprise_status load(ic_match *match, size_t keyframe, ic_snapshot *ret_snapshot,
                           reprise_error *error)
{
    ic_decoder *d = match->ctx;
    RP_TRY(ic_loader_load(&d->loader, keyframe, error));
    note_map(match);
    *ret_snapshot = ic_loader_snapshot(&d->loader);
    return REPRISE_OK;
}

static void close_decoder(ic_match *match)
{
    ic_decoder *d = match->ctx;
    rp_decoder_close(&d->base);
}

static uint64_t recorded_divergence(const ic_replay *replay)
{
    const reprise_value *from = rp_get(replay->metadata, "converted_from");
    const reprise_value *tick = rp_get(from, "diverged_at_tick");
    return reprise_value_kind_of(tick) == REPRISE_VALUE_NULL ? UINT64_MAX
                                                             : reprise_value_uint(tick, UINT64_MAX);
}

static const char *text_of(const ic_replay *replay, const char *key)
{
    const char *text = rp_get_text(replay->metadata, key);
    return text ? text : "";
}

void ic_match_init(ic_match *match, ic_decoder *decoder)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    ic_replay *replay = decoder->replay;
    const uint8_t *final = replay->header.final_state_hash;
    *match = (ic_match){.context = replay->base.context,
                        .arena = &replay->base.arena,
                        .replay = replay,
                        .game_module = text_of(replay, "game_module"),
                        .data_version = text_of(replay, "data_version"),
                        .total_ticks = replay->total_ticks,
                        .tick_seconds = replay->tick_seconds,
                        .imported = replay->imported,
                        .diverged_at = recorded_divergence(replay),
                        .final_hash = memcmp(final, unknown, sizeof unknown) ? final : NULL,
                        .keyframe_count = replay->pieces[IC_KEYFRAMES].count,
                        .ctx = decoder,
                        .frame = frame_of,
                        .seek = seek,
                        .keyframe_tick = keyframe_tick,
                        .load = load};
}

reprise_status ic_match_open(ic_replay *replay, uint64_t tracks, ic_match **ret_match,
                             reprise_error *error)
{
    rp_selection selection = {.tracks = tracks | UINT64_C(1) << IC_T_TICKS};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&replay->base, selection, &decoder, error));
    ic_match *match = &((ic_decoder *)decoder)->match;
    match->close = close_decoder;
    *ret_match = match;
    return REPRISE_OK;
}

reprise_status ic_drive_replay(ic_driver *driver, ic_replay *replay, reprise_error *error)
{
    ic_match *match = NULL;
    *driver = (ic_driver){0};
    RP_TRY(ic_match_open(replay, 0, &match, error));
    return ic_driver_open(driver, match, true, NULL, error);
}
