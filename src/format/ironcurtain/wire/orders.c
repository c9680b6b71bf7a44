/* orders.c - single frames and orders: their limits, and the payloads of GameOrder. */
#include "ironcurtain/read/read.h"

#include "utf8.h"

/* Orders are read one by one because the size of each is limited. */
void ic_frame_read(rp_reader *r, rp_arena *arena, ic_frame *ret)
{
    enum { SMALLEST_ORDER = 12 };
    *ret = (ic_frame){0};
    ret->tick = rp_u64(r, "tick");
    ret->state_hash = rp_u64(r, "state_hash");
    uint64_t declared = rp_u64(r, "orders");
    size_t count = rp_count(r, declared, SMALLEST_ORDER, arena->context->limits.items_max,
                            "orders");
    ic_order *orders = rp_ok(r) ? rp_arena_array(arena, count, sizeof *orders, r->error) : NULL;
    for (size_t i = 0; orders && i < count && rp_ok(r); i++) {
        size_t before = rp_left(r);
        rp_bincode_read(r, arena, &ic_order_record, &orders[i]);
        if (rp_ok(r) && before - rp_left(r) > IC_ORDER_BYTES_MAX)
            rp_fail(r, REPRISE_E_LIMIT, "order", "an order of %zu bytes, at most %d",
                    before - rp_left(r), IC_ORDER_BYTES_MAX);
        if (!rp_ok(r))
            rp_error_at(r->error, "tick %llu: orders[%zu]", (unsigned long long)ret->tick, i);
    }
    if (rp_ok(r))
        ret->orders = (reprise_ic_order_list){orders, count};
}

static size_t characters(const rp_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->size; i++)
        count += ((unsigned char)text->data[i] & 0xC0) != 0x80;
    return count;
}

static void warn_long(ic_replay *replay, uint64_t tick, const reprise_ic_player_order *order)
{
    if (order->variant == ic_player_order_V_ChatMessage) {
        const ic_chat *chat = order->as.chat_message;
        size_t count = characters(&chat->text);
        if (count > IC_CHAT_MAX)
            rp_note(&replay->base.findings, IC_FINDING(CHAT_LENGTH), "orders", 0, "",
                    "tick %llu: chat of %zu characters, at most %d", (unsigned long long)tick,
                    count, IC_CHAT_MAX);
    } else if (order->variant == ic_player_order_V_MinimapDraw) {
        const ic_draw *draw = order->as.minimap_draw;
        if (draw->points.count > IC_STROKE_MAX)
            rp_note(&replay->base.findings, IC_FINDING(STROKE_LENGTH), "orders", 0, "",
                    "tick %llu: stroke of %zu points, at most %d", (unsigned long long)tick,
                    draw->points.count, IC_STROKE_MAX);
    }
}

/* Counting per player is needed only if there are many orders in all. */
reprise_status ic_frame_count_check(const ic_frame *frame, rp_context *context,
                                    reprise_error *error)
{
    const ic_order *orders = frame->orders.items;
    size_t count = frame->orders.count;
    if (count <= IC_ORDERS_MAX)
        return REPRISE_OK;
    rp_arena arena;
    rp_arena_init(&arena, context);
    size_t slots = 1;
    while (slots < 2 * count)
        slots *= 2;
    uint32_t *numbers = rp_arena_array(&arena, slots, sizeof *numbers, error);
    uint32_t *counts = rp_arena_array(&arena, slots, sizeof *counts, error);
    for (size_t i = 0; numbers && counts && i < count; i++) {
        size_t slot = orders[i].player * UINT32_C(2654435761) & (slots - 1);
        while (counts[slot] && numbers[slot] != orders[i].player)
            slot = (slot + 1) & (slots - 1);
        numbers[slot] = orders[i].player;
        if (++counts[slot] > IC_ORDERS_MAX) {
            rp_error_set(error, REPRISE_E_LIMIT, "tick %llu: more than %d orders of player %u",
                         (unsigned long long)frame->tick, IC_ORDERS_MAX, orders[i].player);
            rp_error_place(error, "orders", 0, "");
            break;
        }
    }
    rp_arena_free(&arena);
    return error->status;
}

reprise_status ic_frame_check(ic_replay *replay, const ic_frame *frame, rp_context *context,
                              reprise_error *error)
{
    const ic_order *orders = frame->orders.items;
    RP_TRY(ic_frame_count_check(frame, context, error));
    for (size_t i = 0; i < frame->orders.count; i++)
        warn_long(replay, frame->tick, &orders[i].order);
    return REPRISE_OK;
}

void *ic_game_order_decode(const ic_game_order *order, rp_arena *arena, reprise_error *error)
{
    uint32_t variant = (uint32_t)order->type_tag - IC_GAME_ORDER_FIRST;
    if (variant >= ic_known_order.count)
        return NULL;
    const rp_record *record = ic_known_order.variants[variant];
    ic_game_order_row *row = rp_arena_alloc(arena, sizeof *row, error);
    void *value = rp_arena_alloc(arena, record->size, error);
    if (!row || !value)
        return NULL;
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(order->payload.data, order->payload.size, "payload", &ignored);
    rp_bincode_read(&r, arena, record, value);
    if (!rp_ok(&r) || rp_left(&r))
        return NULL;
    row->value = (rp_choice){variant, value};
    return row;
}
