/*
 * verify.c - checks beyond decoding all packets: whether clients computed the same state, whether
 * the archive's list of sums matches the packets, and whether the outcome fits who has lost.
 */
#include "analyse.h"

/* ---- who has lost ---- */

static uint64_t count_lost(const reprise_value *header)
{
    uint64_t count = 0;
    for (size_t i = 0; i < reprise_value_count(header); i++) {
        const char *outcome = reprise_value_text(rp_get(reprise_value_at(header, i), "Outcome"),
                                                 NULL);
        count += outcome && strcmp(outcome, "Lost") == 0;
    }
    return count;
}

/*
 * Only the map knows which player a bit belongs to, so only the numbers can be compared. Fewer bits
 * are usual: no sum follows when a player surrenders or leaves at the end.
 */
static void check_outcomes(ora_replay *replay, uint64_t defeat, rp_doc *doc, reprise_value *summary)
{
    uint64_t lost = count_lost(replay->header), bits = 0;
    for (uint64_t rest = defeat; rest; rest &= rest - 1)
        bits++;
    if (!replay->dialect->defeat || !replay->header)
        return;
    reprise_value *one = rp_set_object(doc, summary, "outcomes");
    rp_set_uint(doc, one, "lost", lost);
    rp_set_uint(doc, one, "lost_in_sync", bits);
    if (bits > lost)
        rp_note(&replay->base.findings, ORA_FINDING(OUTCOME), "file", 0, "Outcome",
                "%llu players have lost according to the sums, %llu according to the metadata",
                (unsigned long long)bits, (unsigned long long)lost);
}

/* ---- sums ---- */

typedef struct checker {
    rp_desync_watch desync;
    uint64_t defeat; /* all bits of all clients */
    rp_reader list;  /* of the archive, compared with the first sum of each frame */
    uint8_t *seen;   /* frames whose first sum has come; NULL: there is nothing to compare */
    uint64_t list_differs;
} checker;

static void compare_with_list(checker *c, const ora_sync *sync)
{
    size_t frames = rp_left(&c->list) / 8;
    if (!c->seen || sync->frame < 1 || (size_t)sync->frame > frames || !sync->hashes.count ||
        c->seen[sync->frame - 1])
        return;
    c->seen[sync->frame - 1] = 1;
    rp_reader at = c->list;
    rp_skip(&at, 8 * ((size_t)sync->frame - 1), "sums");
    c->list_differs += rp_u64(&at, "sum") != (uint32_t)sync->hash;
}

static reprise_status check_sync(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    checker *c = ctx;
    const ora_sync *sync = row->data;
    c->defeat |= sync->defeat;
    ora_watch_sync(&c->desync, sync);
    compare_with_list(c, sync);
    return REPRISE_OK;
}

static reprise_status check_syncs(ora_replay *replay, checker *c, reprise_error *error)
{
    rp_findings noticed = replay->base.findings; /* decoding again must not repeat them */
    rp_findings_init(&replay->base.findings, &replay->base.arena);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_SYNCS};
    reprise_status status = rp_each_row(&replay->base, selection, check_sync, c, error);
    replay->base.findings = noticed;
    return status;
}

/* Reading an entry to its end checks its CRC-32. */
static void list_sync_entry(ora_replay *replay, const checker *c, rp_doc *doc,
                            reprise_value *summary)
{
    if (c->list_differs)
        rp_note(&replay->base.findings, ORA_FINDING(SYNC_LIST), "zip:sync", 0, "",
                "the sums of %llu frames differ from those of the packets, which are used",
                (unsigned long long)c->list_differs);
    rp_reader r = c->list;
    reprise_value *list = rp_set_array(doc, summary, "sync_entry");
    while (rp_left(&r) >= 8)
        rp_push(doc, list, rp_new_format(doc, "%016llx", (unsigned long long)rp_u64(&r, "sync")));
    if (rp_left(&r))
        rp_note(&replay->base.findings, ORA_FINDING(SYNC_ENTRY), "zip:sync", r.offset, "",
                "length is not a multiple of 8");
}

static void note_desync(ora_replay *replay, const rp_desync *desync)
{
    if (desync->found)
        rp_note(&replay->base.findings, ORA_FINDING(DESYNC), "file", 0, "sync",
                "recorded desync at frame %lld between clients %d and %d", (long long)desync->frame,
                desync->clients[0], desync->clients[1]);
}

/* Packets win over the archive's list of sums, but the two should be equal. */
static reprise_status check_sums(ora_replay *replay, checker *c, rp_doc *doc,
                                 reprise_value *summary, reprise_error *error)
{
    rp_context *context = replay->base.context;
    uint8_t *data = NULL;
    size_t size = 0;
    bool listed = replay->base.zip && replay->sync_entry >= 0;
    if (listed)
        RP_TRY(ora_read_list(replay, &data, &size, error));
    c->list = rp_reader_of(data, size, "zip:sync", error);
    if (listed && !ora_has_list(replay))
        c->seen = rp_alloc_zero(context, size / 8 + 1, 1, error);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = check_syncs(replay, c, error);
    if (status == REPRISE_OK) {
        ora_set_desync(doc, summary, &c->desync.result);
        note_desync(replay, &c->desync.result);
        check_outcomes(replay, c->defeat, doc, summary);
        if (listed)
            list_sync_entry(replay, c, doc, summary);
    }
    if (c->seen)
        rp_free(context, c->seen, size / 8 + 1);
    rp_free(context, data, size);
    return status;
}

reprise_status ora_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                          reprise_error *error)
{
    ora_replay *replay = (ora_replay *)base;
    rp_set_text(doc, summary, "dialect", replay->dialect->name);
    rp_set_text(doc, summary, "dialect_by", replay->dialect_by);
    rp_set_int(doc, summary, "last_frame", replay->frame_last);
    reprise_value *kinds = rp_set_object(doc, summary, "packet_kinds");
    for (int i = 0; i < ORA_KIND_COUNT; i++) {
        if (replay->kinds[i])
            rp_set_int(doc, kinds, rp_enum_name(&ora_packet_names, i), replay->kinds[i]);
    }
    checker *c = rp_alloc_zero(base->context, 1, sizeof *c, error);
    if (!c)
        return error->status;
    reprise_status status = check_sums(replay, c, doc, summary, error);
    rp_free(base->context, c, sizeof *c);
    return status == REPRISE_OK ? error->status : status;
}
