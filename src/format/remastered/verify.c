/*
 * verify.c - checks beyond decoding all records: whether the games of the players, whose checksums
 * travel in FRAMEINFO events, were in the same state.
 */
#include "analyse.h"

typedef struct cnc_checker {
    rp_desync_watch desync;
    uint64_t records;
    int64_t last_frame;
    bool complete; /* has seen all rows */
} checker;

static reprise_status check_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    checker *c = ctx;
    if (row->track == CNC_EVENT_ROWS) {
        cnc_watch_sync(&c->desync, row);
    } else {
        c->records++;
        c->last_frame = row->index;
    }
    return REPRISE_OK;
}

reprise_status cnc_verify_begin(rp_replay *base, reprise_error *error)
{
    cnc_replay *replay = (cnc_replay *)base;
    if (!replay->checker)
        replay->checker = rp_arena_alloc(&base->arena, sizeof *replay->checker, error);
    if (replay->checker)
        memset(replay->checker, 0, sizeof *replay->checker);
    return error->status;
}

void cnc_verify_batch(rp_replay *base, const rp_batch *batch)
{
    checker *c = ((cnc_replay *)base)->checker;
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (!batch)
        c->complete = true;
    for (size_t i = 0; batch && i < batch->count; i++) {
        uint32_t track = batch->rows[i].track;
        if (track == CNC_EVENT_ROWS || track == CNC_FRAMES)
            RP_UNUSED(check_row(c, &batch->rows[i], &ignored));
    }
}

/* For a check without `verify` decoding everything before it. */
static reprise_status check(rp_replay *base, checker *c, reprise_error *error)
{
    rp_findings noticed = base->findings; /* decoding again must not repeat them */
    rp_findings_init(&base->findings, &base->arena);
    rp_selection selection = {.tracks = UINT64_C(1) << CNC_EVENT_ROWS | UINT64_C(1) << CNC_FRAMES};
    reprise_status status = rp_each_row(base, selection, check_row, c, error);
    base->findings = noticed;
    return status;
}

static void report(rp_replay *base, const checker *c, rp_doc *doc, reprise_value *summary)
{
    const rp_desync *desync = &c->desync.result;
    rp_set_uint(doc, summary, "frame_records", c->records);
    if (c->records)
        rp_set_int(doc, summary, "last_frame", c->last_frame);
    cnc_set_desync(doc, summary, desync);
    if (desync->found)
        rp_note(&base->findings, CNC_FINDING(DESYNC), "file", 0, "FRAMEINFO",
                "recorded desync at frame %lld between houses %d and %d", (long long)desync->frame,
                desync->clients[0], desync->clients[1]);
}

reprise_status cnc_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                          reprise_error *error)
{
    cnc_replay *replay = (cnc_replay *)base;
    if (!replay->checker || !replay->checker->complete) {
        RP_TRY(cnc_verify_begin(base, error));
        RP_TRY(check(base, replay->checker, error));
    }
    report(base, replay->checker, doc, summary);
    return error->status;
}
