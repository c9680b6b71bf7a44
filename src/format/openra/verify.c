/*
 * verify.c - what decoding all packets does not check: whether the clients agreed, whether the
 * archive's list of sums is that of the packets, and whether the outcome fits who has lost.
 */
#include "openra.h"

static void note_desync(ora_replay *replay, const ora_desync *desync, rp_doc *doc,
                        reprise_value *summary)
{
    reprise_value *one = rp_set_object(doc, summary, "desync");
    rp_set_int(doc, one, "first_frame", desync->frame);
    rp_set_int(doc, one, "frames", desync->frames);
    reprise_value *clients = rp_set_array(doc, one, "clients");
    for (size_t i = 0; i < 2; i++)
        rp_push(doc, clients, rp_new_int(doc, desync->clients[i]));
    rp_note(&replay->base.findings, REPRISE_NOTE, "openra.desync", "file", 0, "sync",
            "recorded desync at frame %d between clients %d and %d", desync->frame,
            desync->clients[0], desync->clients[1]);
}

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
 * Which bit is whose only the map knows, so that just numbers can be compared. Fewer bits are
 * usual: who surrenders or leaves at the end is not in any sum any more.
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
        rp_note(&replay->base.findings, REPRISE_NOTE, "openra.outcome", "file", 0, "Outcome",
                "%llu players have lost by the sums, %llu by the metadata",
                (unsigned long long)bits, (unsigned long long)lost);
}

/* ---- the archive's list of sums ---- */

typedef struct sums {
    rp_reader list;
    uint8_t *seen; /* frames whose first sum has come */
    uint64_t differ;
} sums;

static reprise_status compare_sum(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    sums *s = ctx;
    const ora_sync *sync = row->data;
    size_t frames = rp_left(&s->list) / 8;
    if (sync->frame < 1 || (size_t)sync->frame > frames || !sync->hashes.count ||
        s->seen[sync->frame - 1])
        return REPRISE_OK;
    s->seen[sync->frame - 1] = 1;
    rp_reader at = s->list;
    rp_skip(&at, 8 * ((size_t)sync->frame - 1), "sums");
    s->differ += rp_u64(&at, "sum") != (uint32_t)sync->hash;
    return REPRISE_OK;
}

/* Packets win over the list, but the two should say the same. */
static reprise_status check_sums(ora_replay *replay, rp_reader list, reprise_error *error)
{
    rp_context *context = replay->base.context;
    size_t frames = rp_left(&list) / 8;
    sums s = {.list = list, .seen = rp_alloc_zero(context, frames + 1, 1, error)};
    if (!s.seen)
        return error->status;
    rp_findings told = replay->base.findings; /* what was noticed before is not told twice */
    rp_findings_init(&replay->base.findings, &replay->base.arena);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_SYNCS};
    reprise_status status = rp_each_row(&replay->base, selection, compare_sum, &s, error);
    replay->base.findings = told;
    rp_free(context, s.seen, frames + 1);
    if (status == REPRISE_OK && s.differ)
        rp_note(&replay->base.findings, REPRISE_NOTE, "openra.sync-list", "zip:sync", 0, "",
                "the sums of %llu frames are not those of the packets, which count",
                (unsigned long long)s.differ);
    return status;
}

/* Every member is read to its end, which checks its CRC-32; the list of sums is shown. */
static reprise_status check_sync_entry(ora_replay *replay, rp_doc *doc, reprise_value *summary,
                                       reprise_error *error)
{
    if (replay->sync_entry < 0)
        return REPRISE_OK;
    uint8_t *data = NULL;
    size_t size = 0;
    RP_TRY(ora_read_list(replay, &data, &size, error));
    rp_reader r = rp_reader_of(data, size, "zip:sync", error);
    reprise_status status = ora_has_list(replay) ? REPRISE_OK : check_sums(replay, r, error);
    reprise_value *list = rp_set_array(doc, summary, "sync_entry");
    while (rp_left(&r) >= 8)
        rp_push(doc, list, rp_new_format(doc, "%016llx", (unsigned long long)rp_u64(&r, "sync")));
    if (rp_left(&r))
        rp_note(&replay->base.findings, REPRISE_WARNING, "openra.sync-entry", "zip:sync", r.offset,
                "", "length is not a multiple of 8");
    rp_free(replay->base.context, data, size);
    return status == REPRISE_OK ? error->status : status;
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
    ora_desync desync;
    RP_TRY(ora_find_desync(replay, &desync, error));
    if (desync.frame)
        note_desync(replay, &desync, doc, summary);
    check_outcomes(replay, desync.defeat, doc, summary);
    if (base->zip)
        RP_TRY(check_sync_entry(replay, doc, summary, error));
    return error->status;
}
