/* read_packets.c - the packet iterator, for flat files and for the entry of an archive. */
#include "openra.h"

enum { HEAD_SIZE = 8, FRAME_SIZE = 4 };

/* OpenRA's own limit for archives: entries expand at most this much. */
#define ZIP_BYTES_FREE ((uint64_t)1 << 20)
enum { ZIP_RATIO_MAX = 1000 };

static const char *stream_name(const ora_replay *replay)
{
    return replay->base.zip ? "zip:orders" : "file";
}

reprise_status ora_check_entry(const rp_zip_entry *entry, reprise_error *error)
{
    uint64_t max = entry->stored_size >= ORA_ZIP_BYTES_MAX / ZIP_RATIO_MAX
                       ? ORA_ZIP_BYTES_MAX
                       : RP_MIN(entry->stored_size * ZIP_RATIO_MAX + ZIP_BYTES_FREE,
                                ORA_ZIP_BYTES_MAX);
    if (entry->size <= max)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_LIMIT, "entry '%s' has %llu bytes, %llu is the most for it",
                 entry->name, (unsigned long long)entry->size, (unsigned long long)max);
    rp_error_place(error, "zip", 0, entry->name);
    return error->status;
}

uint64_t ora_entry_size(const rp_zip *zip, int64_t entry)
{
    return rp_zip_is_damaged(zip) ? ORA_ZIP_BYTES_MAX : rp_zip_entry_at(zip, (size_t)entry)->size;
}

static reprise_status open_entry(ora_cursor *cursor, reprise_error *error)
{
    const ora_replay *replay = cursor->replay;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(replay->base.zip, (size_t)replay->orders_entry, stream_name(replay),
                             replay->base.context->limits.expansion_ratio_max, &stream, error));
    rp_window_init_stream(&cursor->window, replay->base.context, stream, stream_name(replay));
    return REPRISE_OK;
}

reprise_status ora_cursor_open_at(ora_cursor *cursor, const ora_replay *replay, uint64_t offset,
                                  uint32_t number, reprise_error *error)
{
    *cursor = (ora_cursor){.replay = replay, .number = number};
    size_t size = (size_t)replay->stream_size;
    const uint8_t *view = rp_source_view(replay->base.source, 0, size);
    if (view) {
        rp_window_init_memory(&cursor->window, view, size, stream_name(replay));
        rp_window_skip(&cursor->window, (size_t)offset);
        return REPRISE_OK;
    }
    rp_stream *stream = NULL;
    RP_TRY(rp_stream_open_range(replay->base.context, replay->base.source, offset,
                                replay->stream_size - offset, stream_name(replay), &stream, error));
    rp_window_init_stream(&cursor->window, replay->base.context, stream, stream_name(replay));
    cursor->window.offset = offset;
    return REPRISE_OK;
}

reprise_status ora_cursor_open(ora_cursor *cursor, const ora_replay *replay, reprise_error *error)
{
    if (!replay->base.zip)
        return ora_cursor_open_at(cursor, replay, 0, 0, error);
    *cursor = (ora_cursor){.replay = replay};
    return open_entry(cursor, error);
}

void ora_cursor_free(ora_cursor *cursor)
{
    rp_window_free(&cursor->window);
}

static reprise_status stop(ora_cursor *cursor, ora_stop why)
{
    cursor->ended = true;
    cursor->stop = why;
    return REPRISE_OK;
}

static ora_kind kind_of(const rp_reader *payload, int32_t frame)
{
    size_t size = rp_left(payload);
    switch (rp_peek(payload)) {
    case ORA_SYNC_HASH:
        return ORA_KIND_SYNC;
    case ORA_DISCONNECTED:
        if (size == 1 || size == 5)
            return ORA_KIND_DISCONNECT;
        break;
    case ORA_TICK_SCALE:
        if (size == 5)
            return ORA_KIND_TICK_SCALE;
        break;
    case ORA_PING:
        if (size == 9 || size == 10)
            return ORA_KIND_PING;
        break;
    case ORA_ACK:
        if (size == 2)
            return ORA_KIND_ACK;
        break;
    default:
        break;
    }
    return frame ? ORA_KIND_ORDERS : ORA_KIND_IMMEDIATE;
}

/* Returns why the entry of an archive ends early. In a salvaged file that is its normal end. */
static reprise_status stream_failure(const ora_cursor *cursor, reprise_error *error)
{
    const reprise_error *failure = &cursor->window.failure;
    bool damage = failure->status == REPRISE_E_TRUNCATED || failure->status == REPRISE_E_CORRUPT ||
                  failure->status == REPRISE_E_CHECKSUM;
    if (failure->status == REPRISE_OK || (damage && cursor->replay->base.salvage))
        return REPRISE_OK;
    *error = *failure;
    return error->status;
}

/* Makes n bytes available if `fill` allows it. *ret_more: a filled window would have more. */
static reprise_status reach(ora_cursor *cursor, size_t n, bool fill, bool *ret_more,
                            reprise_error *error)
{
    if (fill && rp_window_left(&cursor->window) < n) {
        RP_TRY(rp_window_fill(&cursor->window, n, error));
        if (rp_window_left(&cursor->window) < n)
            RP_TRY(stream_failure(cursor, error));
    }
    *ret_more = !fill && !cursor->window.ended && rp_window_left(&cursor->window) < n;
    return REPRISE_OK;
}

/* Damage of an entry shows after its last packet. */
static reprise_status at_end(ora_cursor *cursor, reprise_error *error)
{
    RP_TRY(stream_failure(cursor, error));
    bool broke = cursor->window.failure.status != REPRISE_OK;
    return stop(cursor, broke ? ORA_STOP_BROKEN : ORA_STOP_END);
}

/* Fast path for a sound packet that is completely in the window. False: take the slow path. */
static inline bool peek_quickly(const ora_cursor *cursor, ora_wire *ret_packet,
                                reprise_error *error)
{
    rp_reader r = rp_window_reader(&cursor->window, error);
    if (rp_left(&r) < ORA_HEAD_SIZE)
        return false;
    uint64_t offset = r.offset;
    ora_head head = ora_head_of(rp_take(&r, ORA_HEAD_SIZE, "header"));
    size_t length = (size_t)head.length;
    if (head.client == ORA_MARKER || head.length < FRAME_SIZE ||
        length - FRAME_SIZE > rp_left(&r) ||
        length > cursor->replay->base.context->limits.record_bytes_max)
        return false;
    *ret_packet = (ora_wire){.offset = offset,
                             .number = cursor->number,
                             .client = head.client,
                             .frame = head.frame,
                             .length = (uint32_t)head.length,
                             .payload = rp_sub(&r, length - FRAME_SIZE, "packet")};
    ret_packet->kind = kind_of(&ret_packet->payload, head.frame);
    return true;
}

reprise_status ora_cursor_peek(ora_cursor *cursor, bool fill, ora_wire *ret_packet, bool *ret_there,
                               reprise_error *error)
{
    bool more = false;
    *ret_there = !cursor->ended && peek_quickly(cursor, ret_packet, error);
    if (*ret_there || cursor->ended)
        return REPRISE_OK;
    RP_TRY(reach(cursor, HEAD_SIZE, fill, &more, error));
    if (more)
        return REPRISE_OK;
    if (rp_window_left(&cursor->window) == 0)
        return at_end(cursor, error);
    rp_reader r = rp_window_reader(&cursor->window, error);
    ora_wire packet = {.offset = r.offset, .number = cursor->number};
    if (rp_left(&r) < 4)
        return stop(cursor, ORA_STOP_CUT);
    packet.client = rp_i32(&r, "client");
    if (packet.client == ORA_MARKER)
        return stop(cursor, ORA_STOP_MARKER);
    if (rp_left(&r) < 4)
        return stop(cursor, ORA_STOP_CUT);
    int32_t length = cursor->stop_length = rp_i32(&r, "length");
    if (length < FRAME_SIZE)
        return stop(cursor, ORA_STOP_LENGTH);
    if ((uint64_t)length > cursor->replay->stream_size - r.offset)
        return stop(cursor, ORA_STOP_PAST_END);
    RP_TRY(rp_limit((uint64_t)length, cursor->replay->base.context->limits.record_bytes_max,
                    "packet", "record_bytes", error));
    RP_TRY(reach(cursor, HEAD_SIZE + (size_t)length, fill, &more, error));
    if (more)
        return REPRISE_OK;
    r = rp_window_reader(&cursor->window, error);
    rp_skip(&r, HEAD_SIZE, "header");
    if (rp_left(&r) < (size_t)length)
        return stop(cursor, ORA_STOP_PAST_END);
    packet.payload = rp_sub(&r, (size_t)length, "packet");
    packet.frame = rp_i32(&packet.payload, "frame");
    packet.length = (uint32_t)length;
    packet.kind = kind_of(&packet.payload, packet.frame);
    *ret_packet = packet;
    *ret_there = true;
    return REPRISE_OK;
}

void ora_cursor_skip(ora_cursor *cursor, const ora_wire *packet)
{
    rp_window_skip(&cursor->window, HEAD_SIZE + (size_t)packet->length);
    cursor->number++;
}

reprise_status ora_cursor_next(ora_cursor *cursor, ora_wire *ret_packet, reprise_error *error)
{
    bool there = !cursor->ended && peek_quickly(cursor, ret_packet, error);
    if (!there)
        RP_TRY(ora_cursor_peek(cursor, true, ret_packet, &there, error));
    if (!there)
        return REPRISE_END;
    ora_cursor_skip(cursor, ret_packet);
    return REPRISE_OK;
}
