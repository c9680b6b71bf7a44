/*
 * analyse_desync.c - where the worlds of two clients part. The sums are those of the running engine
 * and cannot be computed again, but those of one frame must agree.
 */
#include "openra.h"

/* What the first client said of a frame. */
typedef struct said {
    uint64_t sum, defeat;
    int32_t client;
    bool there, differs;
} said;

uint64_t ora_fold_sync(const ora_sync *sync)
{
    const ora_hash *hashes = sync->hashes.items;
    uint64_t sum = UINT64_C(0xCBF29CE484222325) ^ sync->hashes.count;
    for (size_t i = 0; i < sync->hashes.count; i++)
        sum = (sum ^ (uint32_t)hashes[i].value) * UINT64_C(0x100000001B3);
    return sum;
}

typedef struct watcher {
    said *frames;
    size_t count;
    ora_desync found;
} watcher;

static void compare(said *first, const ora_sync *sync, ora_desync *found)
{
    uint64_t sum = ora_fold_sync(sync);
    if (!first->there) {
        *first = (said){.sum = sum, .defeat = sync->defeat, .client = sync->client, .there = true};
        return;
    }
    if (first->differs || (first->sum == sum && first->defeat == sync->defeat))
        return;
    first->differs = true;
    found->frames++;
    if (found->frame && found->frame <= sync->frame)
        return;
    found->frame = sync->frame;
    found->clients[0] = first->client;
    found->clients[1] = sync->client;
}

static reprise_status watch(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    watcher *w = ctx;
    const ora_sync *sync = row->data;
    w->found.defeat |= sync->defeat;
    if (sync->hashes.count && sync->frame >= 0 && (size_t)sync->frame < w->count)
        compare(&w->frames[sync->frame], sync, &w->found);
    return REPRISE_OK;
}

/* Frames rise by one, so that there are no more of them than packets, give or take the start. */
reprise_status ora_find_desync(ora_replay *replay, ora_desync *ret_desync, reprise_error *error)
{
    rp_context *context = replay->base.context;
    watcher w = {.count = (size_t)replay->packet_count + 1024};
    w.frames = rp_alloc_zero(context, w.count, sizeof *w.frames, error);
    if (!w.frames)
        return error->status;
    rp_findings told = replay->base.findings; /* what was noticed before is not told twice */
    rp_findings_init(&replay->base.findings, &replay->base.arena);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_SYNCS};
    reprise_status status = rp_each_row(&replay->base, selection, watch, &w, error);
    replay->base.findings = told;
    rp_free(context, w.frames, w.count * sizeof *w.frames);
    RP_TRY(status);
    *ret_desync = w.found;
    return REPRISE_OK;
}
