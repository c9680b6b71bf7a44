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

/* Every member is read to its end, which checks its CRC-32; the list of sums is shown. */
static reprise_status check_sync_entry(ora_replay *replay, rp_doc *doc, reprise_value *summary,
                                       reprise_error *error)
{
    if (replay->sync_entry < 0)
        return REPRISE_OK;
    rp_context *context = replay->base.context;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(replay->base.zip, (size_t)replay->sync_entry, "zip:sync",
                             context->limits.expansion_ratio_max, &stream, error));
    uint8_t *data = NULL;
    size_t size = 0;
    reprise_status status = rp_stream_read_all(stream, context->limits.text_bytes_max, "text_bytes",
                                               &data, &size, error);
    rp_stream_close(stream);
    RP_TRY(status);
    rp_reader r = rp_reader_of(data, size, "zip:sync", error);
    reprise_value *list = rp_set_array(doc, summary, "sync_entry");
    while (rp_left(&r) >= 8)
        rp_push(doc, list, rp_new_format(doc, "%016llx", (unsigned long long)rp_u64(&r, "sync")));
    if (rp_left(&r))
        rp_note(&replay->base.findings, REPRISE_WARNING, "openra.sync-entry", "zip:sync", r.offset,
                "", "length is not a multiple of 8");
    rp_free(context, data, size);
    return error->status;
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
    if (base->zip)
        RP_TRY(check_sync_entry(replay, doc, summary, error));
    return error->status;
}
