/*
 * write_zip.c - the archive layout: metadata.yaml, orders and sync, then other members.
 *
 * An archive in which nothing has changed is copied byte for byte, which keeps times, attributes,
 * names and compression.
 */
#include "write.h"

/* ---- as it was ---- */

/* Whether a stream consists of exactly these bytes. */
static reprise_status same_bytes(rp_stream *stream, const rp_writer *bytes, bool *ret_same,
                                 reprise_error *error)
{
    uint8_t piece[1 << 14];
    size_t at = 0, n = 0;
    *ret_same = false;
    do {
        RP_TRY(rp_stream_read(stream, piece, sizeof piece, &n, error));
        if (n > bytes->size - at || (n && memcmp(piece, bytes->data + at, n) != 0))
            return REPRISE_OK;
        at += n;
    } while (n);
    *ret_same = at == bytes->size;
    return REPRISE_OK;
}

/* A damaged entry that is salvaged is never the same, even if only its checksum is wrong. */
static reprise_status same_orders(const ora_encoder *e, bool *ret_same, reprise_error *error)
{
    const ora_replay *source = (const ora_replay *)e->base.source;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(source->base.zip, (size_t)source->orders_entry, "zip:orders",
                             e->base.context->limits.expansion_ratio_max, &stream, error));
    reprise_status status = same_bytes(stream, &e->out, ret_same, &damage);
    rp_stream_close(stream);
    if (status == REPRISE_OK ||
        (source->base.salvage && !rp_is_own_failure(e->base.context, status)))
        return REPRISE_OK;
    *error = damage;
    return status;
}

/* The list of sums follows from the orders; other members are only dropped together with rows. */
static reprise_status is_unchanged(const ora_encoder *e, bool *ret_unchanged, reprise_error *error)
{
    const ora_replay *source = (const ora_replay *)e->base.source;
    *ret_unchanged = false;
    if (!source || !source->base.zip || rp_zip_is_damaged(source->base.zip) ||
        e->base.options.removed || e->base.options.level != REPRISE_LEVEL_DEFAULT ||
        e->base.header != source->header)
        return REPRISE_OK;
    return same_orders(e, ret_unchanged, error);
}

/* ---- a new archive ---- */

/*
 * If packets have no sums, they are copied from the source's member, for the frames that are kept.
 */
static reprise_status take_sums(ora_encoder *e, reprise_error *error)
{
    const ora_replay *source = (const ora_replay *)e->base.source;
    uint8_t *data = NULL;
    size_t size = 0;
    if (!source || !ora_has_list(source))
        return REPRISE_OK;
    RP_TRY(ora_read_list(source, &data, &size, error));
    rp_put(&e->sums, data, RP_MIN(size, (size_t)e->frame_last * 8));
    rp_free(e->base.context, data, size);
    return error->status;
}

static reprise_status add_match(ora_encoder *e, reprise_error *error)
{
    if (ora_has_metadata(e)) {
        rp_writer_clear(&e->payload);
        ora_put_metadata(e, &e->payload);
        RP_TRY(error->status);
        RP_TRY(
            rp_zip_add_bytes(e->archive, "metadata.yaml", e->payload.data, e->payload.size, error));
    }
    RP_TRY(rp_zip_add_bytes(e->archive, "orders", e->out.data, e->out.size, error));
    RP_TRY(take_sums(e, error));
    return rp_zip_add_bytes(e->archive, "sync", e->sums.data, e->sums.size, error);
}

/* Everything that follows the packets calls this first. */
static reprise_status begin(ora_encoder *e, reprise_error *error)
{
    if (e->archive || e->kept)
        return REPRISE_OK;
    RP_TRY(error->status);
    RP_TRY(is_unchanged(e, &e->kept, error));
    if (e->kept)
        return rp_sink_copy(e->base.sink, e->base.source->source, error);
    RP_TRY(rp_zip_writer_new(e->base.context, e->base.sink, &e->archive, error));
    RP_TRY(rp_zip_set_level(e->archive, e->base.options.level, error));
    return add_match(e, error);
}

reprise_status ora_zip_add(ora_encoder *e, const char *name, rp_stream *content,
                           reprise_error *error)
{
    RP_TRY(begin(e, error));
    return e->kept ? REPRISE_OK : rp_zip_add_stream(e->archive, name, content, error);
}

reprise_status ora_zip_end(ora_encoder *e, reprise_error *error)
{
    RP_TRY(begin(e, error));
    return e->kept ? REPRISE_OK : rp_zip_finish(e->archive, error);
}

/* ---- another level ---- */

static reprise_status copy_members(rp_replay *base, rp_zip_writer *to, reprise_error *error)
{
    for (size_t i = 0; i < base->blob_count; i++) {
        rp_stream *content = NULL;
        RP_TRY(base->format->read->blob_open(base, i, &content, error));
        reprise_status status = rp_zip_add_stream(to, base->blobs[i].name, content, error);
        rp_stream_close(content);
        RP_TRY(status);
    }
    return rp_zip_finish(to, error);
}

reprise_status ora_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                              reprise_error *error)
{
    if (!base->zip) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED, "packets in a flat file are not compressed");
        rp_error_advise(error, REPRISE_HINT_ZIP);
        return error->status;
    }
    rp_zip_writer *zip = NULL;
    RP_TRY(rp_zip_writer_new(base->context, sink, &zip, error));
    reprise_status status = rp_zip_set_level(zip, options->level, error);
    if (status == REPRISE_OK)
        status = copy_members(base, zip, error);
    rp_zip_writer_free(zip);
    return status;
}
