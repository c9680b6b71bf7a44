/*
 * foreign_match.c - the recorded orders of another game as a match that can be played, without
 * writing a replay first.
 */
#include "foreign_frames.h"
#include "ironcurtain/read/read.h"

typedef struct foreign_match {
    ic_match base;
    rp_foreign foreign;
    ic_foreign_frames frames;
    ic_snapshot start;
    rp_arena texts;
    rp_arena orders; /* of the current frame */
    ic_frame frame;
    bool translated; /* `frame` is valid */
} foreign_match;

static reprise_status frame_of(ic_match *match, uint64_t tick, const ic_frame **ret_frame,
                               reprise_error *error)
{
    foreign_match *m = match->ctx;
    while (!m->translated || m->frame.tick < tick) {
        RP_TRY(ic_foreign_frames_next(&m->frames, error));
        rp_reader r = rp_reader_of(m->frames.bytes.data, m->frames.bytes.size, "frame", error);
        rp_arena_reset(&m->orders);
        m->translated = false;
        ic_frame_read(&r, &m->orders, &m->frame);
        RP_TRY(error->status);
        m->translated = true;
    }
    *ret_frame = &m->frame;
    return REPRISE_OK;
}

/* The start is the only keyframe. */
static reprise_status seek(ic_match *match, uint64_t tick, reprise_error *error)
{
    foreign_match *m = match->ctx;
    RP_UNUSED(tick);
    ic_foreign_frames_rewind(&m->frames);
    m->translated = false;
    return error->status;
}

static uint64_t keyframe_tick(const ic_match *match, size_t keyframe)
{
    RP_UNUSED(match);
    RP_UNUSED(keyframe);
    return 0;
}

static reprise_status load(ic_match *match, size_t keyframe, ic_snapshot *ret_snapshot,
                           reprise_error *error)
{
    const foreign_match *m = match->ctx;
    RP_UNUSED(keyframe);
    *ret_snapshot = m->start;
    return error->status;
}

static void close_match(ic_match *match)
{
    foreign_match *m = match->ctx;
    rp_context *context = match->context;
    ic_foreign_frames_free(&m->frames);
    rp_foreign_reset(&m->foreign);
    rp_arena_free(&m->texts);
    rp_arena_free(&m->orders);
    rp_free(context, m, sizeof *m);
}

static reprise_status fill(foreign_match *m, rp_replay *replay, reprise_error *error)
{
    ic_match *match = &m->base;
    RP_TRY(replay->format->foreign->read(replay, &m->foreign, error));
    RP_TRY(rp_foreign_finish(&m->foreign, error));
    RP_TRY(ic_foreign_frames_init(&m->frames, match->context, &m->foreign, true, error));
    RP_TRY(ic_foreign_start(&m->frames, &m->start, error));
    match->total_ticks = m->frames.total_ticks;
    match->tick_seconds = ic_tick_seconds(NULL, 0);
    match->game_module = ic_foreign_module(&m->frames);
    match->diverged_at = ic_foreign_diverged_at(&m->frames);
    match->width = m->start.core.map_state.width;
    match->height = m->start.core.map_state.height;
    return ic_foreign_hashes(match->context, rp_foreign_text_of(&m->foreign, IC_CARRIED_MATCH),
                             rp_foreign_text_of(&m->foreign, IC_CARRIED_SYNC), match->total_ticks,
                             &match->foreign_hashes, error);
}

reprise_status ic_foreign_match_open(rp_replay *replay, ic_match **ret_match, reprise_error *error)
{
    rp_context *context = replay->context;
    foreign_match *m = rp_alloc_zero(context, 1, sizeof *m, error);
    if (!m)
        return error->status;
    rp_foreign_init(&m->foreign, context);
    m->foreign.carries = true;
    rp_arena_init(&m->texts, context);
    rp_arena_init(&m->orders, context);
    m->base = (ic_match){.context = context,
                         .arena = &m->texts,
                         .data_version = IC_NO_RULES,
                         .imported = true,
                         .keyframe_count = 1,
                         .ctx = m,
                         .frame = frame_of,
                         .seek = seek,
                         .keyframe_tick = keyframe_tick,
                         .load = load,
                         .close = close_match};
    if (fill(m, replay, error) != REPRISE_OK) {
        ic_match_close(&m->base);
        return error->status;
    }
    *ret_match = &m->base;
    return REPRISE_OK;
}
