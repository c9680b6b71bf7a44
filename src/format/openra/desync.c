/*
 * desync.c - where the worlds of two clients part. The sums are those of the running engine and
 * cannot be computed again, but those of one frame must agree.
 */
#include "openra.h"

/* What the first client said of a frame. */
typedef struct said {
    uint64_t sum, defeat;
    int32_t client;
    bool there, differs;
} said;

static uint64_t fold(const ora_sync *sync)
{
    const ora_hash *hashes = sync->hashes.items;
    uint64_t sum = UINT64_C(0xCBF29CE484222325) ^ sync->hashes.count;
    for (size_t i = 0; i < sync->hashes.count; i++)
        sum = (sum ^ (uint32_t)hashes[i].value) * UINT64_C(0x100000001B3);
    return sum;
}

static void compare(said *first, const ora_sync *sync, ora_desync *found)
{
    uint64_t sum = fold(sync);
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

static reprise_status watch(ora_replay *replay, said *frames, size_t count, ora_desync *found,
                            reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_SYNCS};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&replay->base, selection, &decoder, error));
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++) {
            const ora_sync *sync = decoder->batch.rows[i].data;
            found->defeat |= sync->defeat;
            if (sync->hashes.count && sync->frame >= 0 && (size_t)sync->frame < count)
                compare(&frames[sync->frame], sync, found);
        }
    }
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Frames rise by one, so that there are no more of them than packets, give or take the start. */
reprise_status ora_find_desync(ora_replay *replay, ora_desync *ret_desync, reprise_error *error)
{
    ora_desync found = {0};
    size_t count = (size_t)replay->packet_count + 1024;
    rp_context *context = replay->base.context;
    said *frames = rp_alloc_zero(context, count, sizeof *frames, error);
    if (!frames)
        return error->status;
    rp_findings told = replay->base.findings; /* what was noticed before is not told twice */
    rp_findings_init(&replay->base.findings, &replay->base.arena);
    reprise_status status = watch(replay, frames, count, &found, error);
    replay->base.findings = told;
    rp_free(context, frames, count * sizeof *frames);
    RP_TRY(status);
    *ret_desync = found;
    return REPRISE_OK;
}
