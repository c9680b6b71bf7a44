/*
 * read_sync_hashes.c - the sums of an archive whose packets have none: a list of 64-bit numbers,
 * one per frame, given as rows after the last packet. If packets have sums, the list is not used.
 */
#include "read.h"

enum { STEP_SUMS = 2048, SUM_SIZE = 8 };

bool ora_has_list(const ora_replay *replay)
{
    return replay->sync_entry >= 0 && !replay->kinds[ORA_KIND_SYNC];
}

reprise_status ora_read_list(const ora_replay *replay, uint8_t **ret_data, size_t *ret_size,
                             reprise_error *error)
{
    rp_context *context = replay->base.context;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(replay->base.zip, (size_t)replay->sync_entry, "zip:sync",
                             context->limits.expansion_ratio_max, &stream, error));
    reprise_status status = rp_stream_read_all(stream, context->limits.text_bytes_max, "text_bytes",
                                               ret_data, ret_size, error);
    rp_stream_close(stream);
    if (status != REPRISE_OK && !rp_is_own_failure(context, status) && replay->base.salvage) {
        rp_error_clear(error); /* the match can be read without them */
        *ret_data = NULL;
        *ret_size = 0;
        return REPRISE_OK;
    }
    return status;
}

static reprise_status emit_sum(ora_decoder *d, int32_t frame, uint64_t sum, reprise_error *error)
{
    ora_sync *row = rp_arena_alloc(&d->step, sizeof *row, error);
    ora_hash *halves = rp_arena_array(&d->step, 2, sizeof *halves, error);
    if (!row || !halves)
        return error->status;
    halves[0].value = row->hash = (int32_t)(uint32_t)sum;
    halves[1].value = (int32_t)(uint32_t)(sum >> 32);
    row->hashes = (rp_list){halves, sum >> 32 ? 2 : 1};
    row->frame = frame;
    uint64_t present = UINT64_C(1) << ora_sync_F_frame | UINT64_C(1) << ora_sync_F_hash |
                       UINT64_C(1) << ora_sync_F_hashes;
    return rp_emit(&d->base, ora_row_at(d, ORA_SYNCS, frame, row, present), error);
}

/* A 0 means that the frame has no sum. */
reprise_status ora_emit_list(ora_decoder *d, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)d->base.replay;
    if (!d->list && !d->list_at)
        RP_TRY(ora_read_list(replay, &d->list, &d->list_size, error));
    rp_reader r = rp_reader_of(d->list, d->list_size, "zip:sync", error);
    rp_skip(&r, d->list_at, "sums");
    for (size_t i = 0; i < STEP_SUMS && rp_left(&r) >= SUM_SIZE; i++) {
        uint64_t sum = rp_u64(&r, "sum");
        d->list_at += SUM_SIZE;
        int32_t frame = (int32_t)(d->list_at / SUM_SIZE);
        if (sum && (d->only_frame < 0 || d->only_frame == frame))
            RP_TRY(emit_sum(d, frame, sum, error));
    }
    d->list_done = rp_left(&r) < SUM_SIZE;
    return error->status;
}
