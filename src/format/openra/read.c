/*
 * read.c - decodes packets into rows.
 *
 * A step decodes the packets that are in the window, up to a bound. Rows point into the window and
 * into memory of the step, so the window does not move until the next step.
 */
#include "read.h"

enum {
    STEP_BYTES = 64 << 10,
    STEP_ROWS = 2048,
    STEP_PACKETS = 4096,
};

reprise_status ora_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    ora_decoder *d = (ora_decoder *)decoder;
    ora_replay *replay = (ora_replay *)decoder->replay;
    rp_arena_init(&d->step, replay->base.context);
    d->only_frame = -1;
    d->stop_offset = UINT64_MAX;
    d->list_done = !rp_selected(decoder, ORA_SYNCS) || !ora_has_list(replay);
    RP_TRY(ora_settle_dialect(replay, error));
    return ora_cursor_open(&d->cursor, replay, error);
}

void ora_decode_end(rp_decoder *decoder)
{
    ora_decoder *d = (ora_decoder *)decoder;
    ora_cursor_free(&d->cursor);
    if (d->scout_open)
        ora_cursor_free(&d->scout);
    if (d->step.context)
        rp_arena_free(&d->step);
    rp_free(decoder->replay->context, d->list, d->list_size);
}

/* ---- when things happen ---- */

bool ora_closes_chunk(const ora_wire *packet)
{
    return packet->kind == ORA_KIND_ORDERS && packet->frame > 0;
}

/*
 * An immediate packet is shown with the next packet that closes a chunk, minus the time by which
 * orders are sent ahead. After the last such packet, that packet counts.
 */
static reprise_status immediate_frame(ora_decoder *d, const ora_wire *packet, int32_t *ret_frame,
                                      reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)d->base.replay;
    if (!d->scout_open) {
        d->scout_open = true;
        RP_TRY(ora_cursor_open(&d->scout, replay, error));
    }
    while (d->closing_offset <= packet->offset) {
        ora_wire ahead;
        reprise_status status = ora_cursor_next(&d->scout, &ahead, error);
        if (status == REPRISE_END)
            break;
        RP_TRY(status);
        if (ora_closes_chunk(&ahead)) {
            d->closing_offset = ahead.offset;
            d->closing_frame = ahead.frame;
        }
    }
    *ret_frame = RP_MAX(1, d->closing_frame - (int32_t)replay->latency);
    return REPRISE_OK;
}

static int32_t last_frame_of(const ora_decoder *d, int32_t client)
{
    for (size_t i = 0; i < d->seen.count; i++) {
        if (d->seen.clients[i].client == client)
            return d->seen.clients[i].frame;
    }
    return 1;
}

void ora_see_orders(ora_decoder *d, const ora_wire *packet)
{
    for (size_t i = 0; i < d->seen.count; i++) {
        if (d->seen.clients[i].client == packet->client) {
            d->seen.clients[i].frame = packet->frame;
            return;
        }
    }
    if (d->seen.count < ORA_CLIENTS_SEEN) {
        d->seen.clients[d->seen.count].client = packet->client;
        d->seen.clients[d->seen.count++].frame = packet->frame;
    }
}

static int32_t who_left(const ora_wire *packet)
{
    rp_reader r = packet->payload;
    rp_skip(&r, 1, "type");
    return rp_left(&r) ? rp_i32(&r, "client") : packet->client;
}

reprise_status ora_shown_frame(ora_decoder *d, const ora_wire *packet, int32_t *ret_frame,
                               reprise_error *error)
{
    if (packet->kind != ORA_KIND_DISCONNECT || packet->frame != ORA_FRAME_NOW)
        return immediate_frame(d, packet, ret_frame, error);
    *ret_frame = last_frame_of(d, who_left(packet));
    return REPRISE_OK;
}

/* ---- packets ---- */

static bool wants_orders(const ora_decoder *d, const ora_wire *packet)
{
    const uint64_t any = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_PACKETS;
    const uint64_t immediate = any | UINT64_C(1) << ORA_CHATS | UINT64_C(1) << ORA_CLIENTS |
                               UINT64_C(1) << ORA_SLOTS | UINT64_C(1) << ORA_SETTINGS;
    return (d->base.selection.tracks & (packet->frame ? any : immediate)) != 0;
}

static bool wants(const ora_decoder *d, const ora_wire *packet)
{
    if (rp_selected(&d->base, ORA_PACKETS))
        return true;
    switch (packet->kind) {
    case ORA_KIND_SYNC:
        return rp_selected(&d->base, ORA_SYNCS);
    case ORA_KIND_DISCONNECT:
        return rp_selected(&d->base, ORA_DISCONNECTS);
    case ORA_KIND_ORDERS:
    case ORA_KIND_IMMEDIATE:
        return rp_left(&packet->payload) && wants_orders(d, packet);
    default:
        return false;
    }
}

static reprise_status read_content(ora_decoder *d, ora_wire *packet, int32_t frame,
                                   bool *ret_damaged, reprise_error *error)
{
    ora_wire content = *packet;
    switch (packet->kind) {
    case ORA_KIND_SYNC:
        if (rp_selected(&d->base, ORA_SYNCS))
            return ora_emit_sync(d, &content, error);
        break;
    case ORA_KIND_DISCONNECT:
        if (rp_selected(&d->base, ORA_DISCONNECTS))
            return ora_emit_disconnect(d, &content, frame, error);
        break;
    case ORA_KIND_ORDERS:
    case ORA_KIND_IMMEDIATE:
        return ora_emit_orders(d, packet, frame, ret_damaged, error);
    default:
        break;
    }
    return REPRISE_OK;
}

/*
 * After a seek, all rows of the frame are given in one step. The window moves meanwhile, so they
 * need a copy.
 */
static reprise_status keep_payload(ora_decoder *d, ora_wire *packet, reprise_error *error)
{
    size_t size = rp_left(&packet->payload);
    const uint8_t *from = rp_take(&packet->payload, size, "packet");
    uint8_t *copy = rp_arena_alloc(&d->step, RP_MAX(size, 1), error);
    if (!copy)
        return error->status;
    memcpy(copy, from, size);
    uint64_t offset = packet->payload.offset - size;
    packet->payload = rp_reader_of(copy, size, packet->payload.stream, error);
    packet->payload.offset = offset;
    return REPRISE_OK;
}

/* Decodes one packet, which is complete when d->resume is 0 again. */
static reprise_status read_packet(ora_decoder *d, ora_wire *packet, reprise_error *error)
{
    if (ora_closes_chunk(packet) && !d->resume)
        ora_see_orders(d, packet);
    if (!wants(d, packet))
        return REPRISE_OK;
    int32_t frame;
    RP_TRY(ora_packet_frame(d, packet, &frame, error));
    if (d->only_frame >= 0 && frame != d->only_frame)
        return REPRISE_OK;
    bool damaged = false;
    packet->payload.error = error;
    if (d->only_frame >= 0)
        RP_TRY(keep_payload(d, packet, error));
    RP_TRY(read_content(d, packet, frame, &damaged, error));
    if (!d->resume && rp_selected(&d->base, ORA_PACKETS))
        RP_TRY(ora_emit_packet(d, packet, frame, damaged, error));
    return REPRISE_OK;
}

/* Whether a step has enough rows. */
static bool step_full(const ora_decoder *d, size_t packets)
{
    return d->only_frame < 0 &&
           (d->resume || d->base.batch.count >= STEP_ROWS || packets >= STEP_PACKETS);
}

reprise_status ora_decode_next(rp_decoder *decoder, reprise_error *error)
{
    ora_decoder *d = (ora_decoder *)decoder;
    rp_arena_reset(&d->step);
    if (d->done && !d->list_done)
        RP_TRY(ora_emit_list(d, error));
    if (d->done)
        return d->list_done && !decoder->batch.count ? REPRISE_END : REPRISE_OK;
    if (d->cursor.window.stream)
        RP_TRY(rp_window_fill(&d->cursor.window, STEP_BYTES, error));
    size_t packets = 0;
    for (; !step_full(d, packets) && d->cursor.window.offset < d->stop_offset; packets++) {
        ora_wire packet;
        bool there;
        bool fill = packets == 0 || d->only_frame >= 0;
        RP_TRY(ora_cursor_peek(&d->cursor, fill, &packet, &there, error));
        if (!there)
            break;
        RP_TRY(read_packet(d, &packet, error));
        if (!d->resume)
            ora_cursor_skip(&d->cursor, &packet);
    }
    d->done = d->cursor.ended || d->cursor.window.offset >= d->stop_offset;
    return d->done && d->list_done && !decoder->batch.count ? REPRISE_END : REPRISE_OK;
}

/* ---- disorder ---- */

/* Gives the frames at which the rows of a packet are dated; false if it has none of a match. */
static bool dates_of(ora_decoder *d, const ora_wire *packet, int32_t *ret_first, int32_t *ret_last,
                     reprise_error *error)
{
    if (packet->kind == ORA_KIND_SYNC) {
        *ret_first = packet->frame;
        *ret_last = RP_MAX(packet->frame, 1);
        return true;
    }
    bool dated = packet->kind == ORA_KIND_ORDERS || packet->kind == ORA_KIND_IMMEDIATE ||
                 packet->kind == ORA_KIND_DISCONNECT;
    if (!dated || ora_packet_frame(d, packet, ret_last, error) != REPRISE_OK)
        return false;
    *ret_first = *ret_last;
    return true;
}

/* What comes after damage is not read, so the disorder before it is all there is. */
reprise_status ora_disorder(ora_replay *replay, int64_t *ret_frames, reprise_error *error)
{
    rp_decoder *base = NULL;
    RP_TRY(rp_decoder_open(&replay->base, (rp_selection){0}, &base, error));
    ora_decoder *d = (ora_decoder *)base;
    reprise_error damage = REPRISE_ERROR_INIT;
    int64_t most = INT32_MIN;
    *ret_frames = 0;
    ora_wire packet;
    while (damage.status == REPRISE_OK &&
           ora_cursor_next(&d->cursor, &packet, &damage) == REPRISE_OK) {
        int32_t first, last;
        if (ora_closes_chunk(&packet))
            ora_see_orders(d, &packet);
        if (!dates_of(d, &packet, &first, &last, &damage))
            continue;
        *ret_frames = RP_MAX(*ret_frames, most - first);
        most = RP_MAX(most, last);
    }
    rp_decoder_close(base);
    if (rp_is_own_failure(replay->base.context, damage.status))
        *error = damage;
    return error->status;
}
