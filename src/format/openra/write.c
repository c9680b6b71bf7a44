/*
 * write.c - packets from rows; the mirror of read.c.
 *
 * A packet is made of the rows that a decoder gives for it: its orders, then the packet itself.
 * Unchanged orders are written as they were, byte for byte; others are encoded again. The trailer
 * comes last; write_zip.c writes the members of an archive.
 */
#include "write.h"

#include <assert.h>

#include "miniyaml.h"

enum {
    FLUSH_SIZE = 64 << 10,
    METADATA_VERSION = 1,
};

const ora_dialect *ora_target_dialect(const char *layout, const ora_replay *source)
{
    const ora_dialect *dialect = ora_dialect_find(layout);
    if (dialect)
        return dialect;
    return source ? source->dialect : &ora_dialects[ORA_DIALECT_COUNT - 1];
}

reprise_status ora_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    ora_encoder *e = (ora_encoder *)encoder;
    const ora_replay *source = (const ora_replay *)encoder->source;
    e->zip = strcmp(encoder->options.layout, "zip") == 0;
    e->to = ora_target_dialect(encoder->options.layout, source);
    e->from = source ? source->dialect : e->to;
    rp_writer_init(&e->out, encoder->context, e->zip ? ORA_ZIP_BYTES_MAX : SIZE_MAX / 2, error);
    rp_writer_init(&e->payload, encoder->context, SIZE_MAX / 2, error);
    rp_writer_init(&e->sums, encoder->context, ORA_ZIP_BYTES_MAX, error);
    return REPRISE_OK;
}

void ora_encode_free(rp_encoder *encoder)
{
    ora_encoder *e = (ora_encoder *)encoder;
    rp_writer_free(&e->out);
    rp_writer_free(&e->payload);
    rp_writer_free(&e->sums);
    rp_zip_writer_free(e->archive);
}

static void use_error(ora_encoder *e, reprise_error *error)
{
    e->out.error = e->payload.error = e->sums.error = error;
}

/* ---- orders ---- */

/* Texts of a handshake and a lobby use the keys of their release. */
static void write_text(ora_encoder *e, const ora_order *order, uint64_t present)
{
    rp_writer text;
    rp_writer_init(&text, e->base.context, SIZE_MAX / 2, e->payload.error);
    ora_convert_text(&text, e->to, &order->order, &order->item);
    ora_order changed = *order;
    changed.item = (rp_text){(const char *)text.data, text.size};
    if (rp_writer_ok(&text))
        ora_order_write(&e->payload, e->to, &changed, present);
    rp_writer_free(&text);
}

/* Grouped actors replace the subject. A dialect without groups gets one order per actor. */
static void write_split(ora_encoder *e, const ora_order *order, uint64_t present)
{
    const ora_actor *actors = order->grouped.items;
    present &= ~(UINT64_C(1) << ora_order_F_grouped);
    present |= UINT64_C(1) << ora_order_F_subject;
    for (size_t i = 0; i < order->grouped.count; i++) {
        ora_order one = *order;
        one.subject = actors[i].id;
        ora_order_write(&e->payload, e->to, &one, present);
    }
}

static void write_order(ora_encoder *e, const rp_row *row)
{
    const ora_order *order = row->data;
    bool same = e->from == e->to;
    e->orders++;
    e->started |= order->frame == 0 && ora_is(&order->order, "StartGame");
    if (same && order->raw.data) {
        rp_put(&e->payload, order->raw.data, order->raw.size);
        return;
    }
    ora_order changed = *order;
    uint64_t present = row->present;
    if (!same)
        (void)ora_downgrade_order(e->from, e->to, &changed, &present);
    ora_yaml kind = ora_yaml_of(&order->order);
    if (!same && (kind == ORA_YAML_HANDSHAKE || kind == ORA_YAML_LOBBY))
        write_text(e, &changed, present);
    else if (ora_splits(e->to, &changed, present))
        write_split(e, &changed, present);
    else
        ora_order_write(&e->payload, e->to, &changed, present);
}

/* ---- packets ---- */

static void put_packet(ora_encoder *e, int32_t client, int32_t frame, const void *body, size_t size)
{
    rp_put_u32(&e->out, (uint32_t)client);
    rp_put_u32(&e->out, (uint32_t)size + 4);
    rp_put_u32(&e->out, (uint32_t)frame);
    rp_put(&e->out, body, size);
}

static void see_orders(ora_encoder *e, int32_t client, int32_t frame)
{
    e->frame_last = RP_MAX(e->frame_last, frame);
    for (size_t i = 0; i < e->seen_count; i++) {
        if (e->seen[i].client == client) {
            e->seen[i].frame = frame;
            return;
        }
    }
    if (frame && e->seen_count < RP_COUNT(e->seen)) {
        e->seen[e->seen_count].client = client;
        e->seen[e->seen_count++].frame = frame;
    }
}

static int32_t last_frame_of(const ora_encoder *e, int32_t client)
{
    for (size_t i = 0; i < e->seen_count; i++) {
        if (e->seen[i].client == client)
            return e->seen[i].frame;
    }
    return 0;
}

/*
 * If all orders of a packet were removed, it stays empty if it belongs to a frame, because the game
 * waits for it; else it is dropped. Of a damaged packet the orders before the damage are kept,
 * unless it is written as it is.
 */
static void put_orders(ora_encoder *e, const ora_packet *packet)
{
    bool emptied = !e->orders && packet->length > 4;
    bool salvages = e->base.source && e->base.source->salvage;
    if (packet->damaged && !salvages && e->from == e->to) {
        see_orders(e, packet->client, packet->frame);
        put_packet(e, packet->client, packet->frame, packet->raw.data, packet->raw.size);
    } else if (!emptied || packet->frame) {
        see_orders(e, packet->client, packet->frame);
        put_packet(e, packet->client, packet->frame, e->payload.data, e->payload.size);
    }
}

/* The archive's list holds the first sum that was sent for each frame. */
static void keep_sum(ora_encoder *e, const ora_sync *sync)
{
    size_t frame = (size_t)sync->frame;
    if (!e->zip || sync->frame < 1 || !sync->hashes.count ||
        frame > e->sums.size / 8 + ((size_t)1 << 16))
        return;
    while (e->sums.size / 8 < frame && rp_writer_ok(&e->sums))
        rp_put_u64(&e->sums, 0);
    uint8_t *slot = e->sums.size / 8 >= frame ? e->sums.data + 8 * (frame - 1) : NULL;
    if (slot && rp_load64(slot) == 0)
        rp_store64(slot, (uint32_t)sync->hash);
}

static void put_sync(ora_encoder *e, const ora_packet *packet)
{
    const ora_sync *sync = &e->sync;
    keep_sum(e, sync);
    bool as_it_was = e->from == e->to && packet->raw.data;
    if (as_it_was || !sync->hashes.count) {
        put_packet(e, packet->client, packet->frame, packet->raw.data, packet->raw.size);
        return;
    }
    uint8_t body[13] = {ORA_SYNC_HASH};
    rp_store32(body + 1, (uint32_t)sync->hash);
    rp_store64(body + 5, sync->defeat);
    put_packet(e, packet->client, packet->frame, body, e->to->defeat ? 13 : 5);
}

/*
 * Until protocol 12 the frame of a disconnect is the last one with orders, later the first one
 * without. Only the old form has a value for "now"; the new form names the frame where the client's
 * orders ended.
 */
static int32_t disconnect_frame(const ora_encoder *e, const ora_packet *packet, bool to_new)
{
    bool was_new = packet->length > ORA_OLD_DISCONNECT_LENGTH;
    int32_t frame = packet->frame;
    if (frame == ORA_FRAME_NOW)
        return to_new && !was_new && e->started ? last_frame_of(e, e->disconnect.client) + 1
                                                : frame;
    return frame + (int32_t)to_new - (int32_t)was_new;
}

static void put_disconnect(ora_encoder *e, const ora_packet *packet)
{
    bool as_it_was = e->from == e->to && packet->raw.data;
    bool to_new = e->to->protocol >= PROTOCOL_NEW_DISCONNECT;
    uint8_t body[5] = {ORA_DISCONNECTED};
    if (as_it_was) {
        put_packet(e, packet->client, packet->frame, packet->raw.data, packet->raw.size);
        return;
    }
    int32_t frame = disconnect_frame(e, packet, to_new);
    if (to_new) {
        rp_store32(body + 1, (uint32_t)e->disconnect.client);
        put_packet(e, 0, frame, body, sizeof body);
    } else {
        put_packet(e, e->disconnect.client, frame, body, 1);
    }
}

static void write_packet(ora_encoder *e, const ora_packet *packet)
{
    switch ((ora_kind)packet->kind) {
    case ORA_KIND_ORDERS:
    case ORA_KIND_IMMEDIATE:
        put_orders(e, packet);
        break;
    case ORA_KIND_SYNC:
        put_sync(e, packet);
        break;
    case ORA_KIND_DISCONNECT:
        put_disconnect(e, packet);
        break;
    default:
        /* These belong to the network; only a copy of a file that holds them keeps them. */
        if (e->from == e->to)
            put_packet(e, packet->client, packet->frame, packet->raw.data, packet->raw.size);
    }
    rp_writer_clear(&e->payload);
    e->orders = 0;
    e->sync = (ora_sync){0};
}

static reprise_status flush(ora_encoder *e, reprise_error *error)
{
    RP_TRY(error->status);
    RP_TRY(rp_sink_write(e->base.sink, e->out.data, e->out.size, error));
    rp_writer_clear(&e->out);
    return REPRISE_OK;
}

reprise_status ora_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    ora_encoder *e = (ora_encoder *)encoder;
    use_error(e, error);
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track == ORA_ORDERS)
            write_order(e, row);
        else if (row->track == ORA_SYNCS)
            e->sync = *(const ora_sync *)row->data;
        else if (row->track == ORA_DISCONNECTS)
            e->disconnect = *(const ora_disconnect *)row->data;
        else if (row->track == ORA_PACKETS)
            write_packet(e, row->data);
    }
    if (!e->zip && e->out.size >= FLUSH_SIZE)
        return flush(e, error);
    return error->status;
}

/* ---- recording ---- */

/* Every record begins with the number of its packet. */
static uint32_t packet_of(const rp_row *row)
{
    static_assert(offsetof(ora_order, packet) == 0 && offsetof(ora_sync, packet) == 0 &&
                      offsetof(ora_disconnect, packet) == 0 && offsetof(ora_packet, packet) == 0,
                  "the number of the packet comes first");
    return *(const uint32_t *)row->data;
}

int ora_row_order(const rp_row *a, const rp_row *b)
{
    uint32_t left = packet_of(a), right = packet_of(b);
    if (left != right)
        return left < right ? -1 : 1;
    return (a->track == ORA_PACKETS) - (b->track == ORA_PACKETS);
}

bool ora_batch_begins(const rp_row *before, const rp_row *row)
{
    return packet_of(before) != packet_of(row);
}

/* ---- the end ---- */

void ora_yaml_write(rp_writer *w, const reprise_value *document, size_t depth)
{
    for (size_t i = 0; i < reprise_value_count(document); i++) {
        const reprise_value *value = reprise_value_at(document, i);
        const char *key = reprise_value_key(document, i);
        if (!*key)
            continue; /* the value of the parent node */
        const reprise_value *own = value;
        if (reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT)
            own = rp_get(value, "");
        size_t size = 0;
        const char *text = reprise_value_text(own, &size);
        rp_yaml_put(w, depth, key, text, size);
        ora_yaml_write(w, value, depth + 1);
    }
}

/* Keeps the text as it was if the document was not changed. */
void ora_put_metadata(ora_encoder *e, rp_writer *w)
{
    const ora_replay *source = (const ora_replay *)e->base.source;
    if (source && e->base.header == source->header)
        rp_put(w, source->metadata.data, source->metadata.size);
    else
        ora_yaml_write(w, e->base.header, 0);
}

bool ora_has_metadata(const ora_encoder *e)
{
    const ora_replay *source = (const ora_replay *)e->base.source;
    return reprise_value_count(e->base.header) || (source && source->metadata.data);
}

static reprise_status end_flat(ora_encoder *e, reprise_error *error)
{
    if (ora_has_metadata(e)) {
        rp_put_u32(&e->out, (uint32_t)ORA_MARKER);
        rp_put_u32(&e->out, METADATA_VERSION);
        size_t slot = rp_slot_begin(&e->out), before = e->out.size;
        ora_put_metadata(e, &e->out);
        rp_slot_end(&e->out, slot);
        rp_put_u32(&e->out, (uint32_t)(e->out.size - before) + 4);
        rp_put_u32(&e->out, (uint32_t)ORA_TRAILER_END);
    }
    return flush(e, error);
}

reprise_status ora_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                               reprise_error *error)
{
    ora_encoder *e = (ora_encoder *)encoder;
    use_error(e, error);
    return ora_zip_add(e, name, content, error);
}

reprise_status ora_encode_end(rp_encoder *encoder, reprise_error *error)
{
    ora_encoder *e = (ora_encoder *)encoder;
    use_error(e, error);
    return e->zip ? ora_zip_end(e, error) : end_flat(e, error);
}
