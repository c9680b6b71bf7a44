/*
 * read_rows.c - the rows of one packet: orders, chat, lobby, sync, disconnects and the packet
 * itself.
 */
#include "miniyaml.h"
#include "read.h"
#include "utf8.h"

enum { ORDERS_PER_STEP = 1024 };

#define ALL(T) ((UINT64_C(1) << T##_F_COUNT) - 1)

rp_row ora_row_at(const ora_decoder *d, uint32_t track, int32_t frame, const void *data,
                  uint64_t present)
{
    const ora_replay *replay = (const ora_replay *)d->base.replay;
    int64_t tick = ora_frame_tick(replay, frame);
    return (rp_row){.track = track,
                    .index = tick,
                    .time = ora_tick_time(replay, tick),
                    .present = present,
                    .data = data};
}

reprise_status ora_emit_packet(ora_decoder *d, const ora_wire *packet, int32_t frame, bool damaged,
                               reprise_error *error)
{
    ora_packet *row = rp_arena_alloc(&d->step, sizeof *row, error);
    if (!row)
        return error->status;
    rp_reader raw = packet->payload;
    size_t size = rp_left(&raw);
    *row = (ora_packet){.packet = packet->number,
                        .offset = packet->offset,
                        .client = packet->client,
                        .frame = packet->frame,
                        .kind = (uint8_t)packet->kind,
                        .length = packet->length,
                        .damaged = damaged,
                        .raw = {(const char *)rp_take(&raw, size, "packet"), size}};
    return rp_emit(&d->base, ora_row_at(d, ORA_PACKETS, frame, row, ALL(ora_packet)), error);
}

/* ---- sync and disconnect ---- */

static void note_sync_size(ora_decoder *d, const ora_wire *packet)
{
    rp_note(&d->base.replay->findings, ORA_FINDING(SYNC_SIZE), packet->payload.stream,
            packet->offset, "sync", "dialect %s has no sync packets of %u bytes",
            ((const ora_replay *)d->base.replay)->dialect->name, packet->length);
}

/* Before 2015-12 a packet held a sum for every order; now it holds one, and who has lost. */
static reprise_status read_sync(ora_decoder *d, ora_wire *packet, ora_sync *row, uint64_t *present,
                                reprise_error *error)
{
    const ora_dialect *dialect = ((const ora_replay *)d->base.replay)->dialect;
    rp_reader *r = &packet->payload;
    rp_skip(r, 1, "type");
    size_t size = rp_left(r), count = size == 12 && dialect->defeat ? 1 : size / 4;
    bool usual = dialect->defeat ? size == 12 : dialect->typed_target ? size == 4 : size >= 4;
    if (!usual || size % 4)
        note_sync_size(d, packet);
    if (size < 4 || size % 4)
        return REPRISE_OK;
    ora_hash *hashes = rp_arena_array(&d->step, count, sizeof *hashes, error);
    if (!hashes)
        return error->status;
    for (size_t i = 0; i < count; i++)
        hashes[i].value = rp_i32(r, "hash");
    row->hash = hashes[0].value;
    row->hashes = (rp_list){hashes, count};
    *present |= UINT64_C(1) << ora_sync_F_hash | UINT64_C(1) << ora_sync_F_hashes;
    if (rp_left(r)) {
        row->defeat = rp_u64(r, "defeat");
        *present |= UINT64_C(1) << ora_sync_F_defeat;
    }
    return REPRISE_OK;
}

reprise_status ora_emit_sync(ora_decoder *d, ora_wire *packet, reprise_error *error)
{
    ora_sync *row = rp_arena_alloc(&d->step, sizeof *row, error);
    if (!row)
        return error->status;
    row->packet = packet->number;
    row->frame = packet->frame;
    row->client = packet->client;
    uint64_t present = UINT64_C(1) << ora_sync_F_packet | UINT64_C(1) << ora_sync_F_frame |
                       UINT64_C(1) << ora_sync_F_client;
    RP_TRY(read_sync(d, packet, row, &present, error));
    return rp_emit(&d->base, ora_row_at(d, ORA_SYNCS, packet->frame, row, present), error);
}

reprise_status ora_emit_disconnect(ora_decoder *d, ora_wire *packet, int32_t frame,
                                   reprise_error *error)
{
    ora_disconnect *row = rp_arena_alloc(&d->step, sizeof *row, error);
    if (!row)
        return error->status;
    rp_reader *r = &packet->payload;
    rp_skip(r, 1, "type");
    *row = (ora_disconnect){.packet = packet->number,
                            .frame = packet->frame,
                            .client = rp_left(r) ? rp_i32(r, "client") : packet->client,
                            .sender = packet->client};
    return rp_emit(&d->base, ora_row_at(d, ORA_DISCONNECTS, frame, row, ALL(ora_disconnect)),
                   error);
}

/* ---- orders ---- */

static bool ascii(const rp_text *text)
{
    uint8_t all = 0;
    for (size_t i = 0; i < text->size; i++)
        all |= (uint8_t)text->data[i];
    return all < 0x80;
}

static void check_text(ora_decoder *d, const rp_text *text, const ora_wire *packet,
                       const char *what)
{
    if (ascii(text) || rp_utf8_valid(text->data, text->size) == text->size)
        return;
    rp_note(&d->base.replay->findings, ORA_FINDING(UTF8), packet->payload.stream, packet->offset,
            what, "text is not valid UTF-8; shown with replacement characters");
}

/* A notification consists of a key and its arguments; only the key can be shown. */
static rp_text message_key(ora_decoder *d, const rp_text *text)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "message", &ignored);
    rp_yaml_node node;
    while (rp_yaml_next(&yaml, &node)) {
        if (node.depth == 1 && rp_yaml_is(&node, "Key")) {
            rp_text key;
            key.data = rp_yaml_text(&d->step, &node, &key.size, &ignored);
            return key;
        }
    }
    return (rp_text){"", 0};
}

typedef enum speech { SPEECH_NONE, SPEECH_CHAT, SPEECH_TEAM, SPEECH_SERVER, SPEECH_KEY } speech;

static speech speech_of(const rp_text *order)
{
    static const struct {
        const char *name;
        speech speech;
    } orders[] = {{"Chat", SPEECH_CHAT},
                  {"TeamChat", SPEECH_TEAM},
                  {"Message", SPEECH_SERVER},
                  {"LocalizedMessage", SPEECH_KEY},
                  {"FluentMessage", SPEECH_KEY}};
    for (size_t i = 0; i < RP_COUNT(orders); i++) {
        if (ora_is(order, orders[i].name))
            return orders[i].speech;
    }
    return SPEECH_NONE;
}

static reprise_status emit_chat(ora_decoder *d, const ora_order *order, uint64_t present,
                                int32_t frame, reprise_error *error)
{
    speech kind = speech_of(&order->order);
    if (kind == SPEECH_NONE)
        return REPRISE_OK;
    ora_chat *row = rp_arena_alloc(&d->step, sizeof *row, error);
    if (!row)
        return error->status;
    bool has_team = kind == SPEECH_CHAT && present >> ora_order_F_extra_data & 1;
    *row = (ora_chat){.packet = order->packet, .client = order->client, .text = order->item};
    switch (kind) {
    case SPEECH_TEAM:
        row->channel = ORA_CHANNEL_TEAM;
        break;
    case SPEECH_SERVER:
        row->channel = ORA_CHANNEL_SERVER;
        break;
    case SPEECH_KEY:
        row->channel = ORA_CHANNEL_NOTIFICATION;
        row->text = message_key(d, &order->item);
        break;
    default:
        row->channel = ORA_CHANNEL_ALL;
        if (has_team && order->extra_data == ORA_NO_ACTOR)
            row->channel = ORA_CHANNEL_SPECTATORS;
        else if (has_team && order->extra_data)
            row->channel = ORA_CHANNEL_TEAM;
    }
    has_team = has_team && row->channel == ORA_CHANNEL_TEAM;
    row->team = has_team ? order->extra_data : 0;
    uint64_t stored = ALL(ora_chat) & ~(UINT64_C(1) << ora_chat_F_team);
    stored |= (uint64_t)has_team << ora_chat_F_team;
    return rp_emit(&d->base, ora_row_at(d, ORA_CHATS, frame, row, stored), error);
}

static bool wants_lobby(const ora_decoder *d)
{
    const uint64_t lobby = UINT64_C(1) << ORA_CLIENTS | UINT64_C(1) << ORA_SLOTS |
                           UINT64_C(1) << ORA_SETTINGS;
    return (d->base.selection.tracks & lobby) != 0;
}

static reprise_status emit_order(ora_decoder *d, const ora_wire *packet, const ora_order *order,
                                 uint64_t present, int32_t frame, reprise_error *error)
{
    check_text(d, &order->order, packet, "order");
    if (order->item.size)
        check_text(d, &order->item, packet, "item");
    if (rp_selected(&d->base, ORA_ORDERS))
        RP_TRY(rp_emit(&d->base, ora_row_at(d, ORA_ORDERS, frame, order, present), error));
    if (packet->frame != 0)
        return REPRISE_OK;
    if (rp_selected(&d->base, ORA_CHATS))
        RP_TRY(emit_chat(d, order, present, frame, error));
    if (wants_lobby(d) && ora_yaml_of(&order->order) == ORA_YAML_LOBBY)
        RP_TRY(ora_emit_lobby(&d->base, &d->step, &order->item, order->packet, error));
    return REPRISE_OK;
}

static reprise_status order_failed(ora_decoder *d, const ora_wire *packet, size_t at,
                                   reprise_error *error)
{
    reprise_error *failure = &d->failure;
    if (failure->status == REPRISE_E_NOMEM || failure->status == REPRISE_E_LIMIT) {
        *error = *failure;
        return failure->status;
    }
    rp_note(&d->base.replay->findings, ORA_FINDING(MALFORMED_ORDER), packet->payload.stream,
            packet->payload.offset + at, failure->path, "%s", failure->message);
    rp_error_clear(failure);
    return REPRISE_OK;
}

reprise_status ora_emit_orders(ora_decoder *d, const ora_wire *packet, int32_t frame,
                               bool *ret_damaged, reprise_error *error)
{
    const ora_dialect *dialect = ((const ora_replay *)d->base.replay)->dialect;
    rp_reader r = packet->payload;
    r.error = &d->failure;
    rp_skip(&r, d->resume, "packet");
    bool bounded = d->only_frame < 0;
    for (size_t i = 0; rp_left(&r); i++) {
        size_t at = rp_left(&packet->payload) - rp_left(&r);
        if (bounded && i == ORDERS_PER_STEP) {
            d->resume = at;
            return REPRISE_OK;
        }
        ora_order *order = rp_arena_alloc(&d->step, sizeof *order, error);
        if (!order)
            return error->status;
        uint64_t present = UINT64_C(1) << ora_order_F_packet | UINT64_C(1) << ora_order_F_frame |
                           UINT64_C(1) << ora_order_F_client | UINT64_C(1) << ora_order_F_raw;
        rp_reader whole = r;
        ora_order_read(&r, dialect, &d->step, order, &present);
        if (d->failure.status != REPRISE_OK) {
            *ret_damaged = true;
            break;
        }
        order->packet = packet->number;
        order->frame = packet->frame;
        order->client = packet->client;
        order->raw.size = rp_left(&whole) - rp_left(&r);
        order->raw.data = (const char *)rp_take(&whole, order->raw.size, "order");
        RP_TRY(emit_order(d, packet, order, present, frame, error));
    }
    d->resume = 0;
    if (d->failure.status != REPRISE_OK)
        return order_failed(d, packet, rp_left(&packet->payload) - rp_left(&r), error);
    return REPRISE_OK;
}
