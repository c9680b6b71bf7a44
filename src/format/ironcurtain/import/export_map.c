/*
 * export_map.c - turns an imported replay back into recorded orders of the other game. Carried
 * orders keep their original bytes; the others are translated back.
 */
#include "import.h"
#include "ironcurtain/container/schema_unknown.h"
#include "ironcurtain/read/read.h"

enum { FRAME_MS = 120, TICKS_PER_SECOND = 15, CELL = 1024 };

typedef struct backward {
    rp_foreign *foreign;
    rp_arena scratch;
    bool knows_dialect;
    uint8_t dialect;
    uint64_t lost; /* orders without a name in the other game */
    uint64_t frame_ms;
    reprise_error *error;
} backward;

/* The first frame of the other game that falls on a tick. */
static int64_t frame_of(const backward *b, uint64_t tick)
{
    uint64_t whole = tick ? tick * 1000 - 500 : 0;
    uint64_t step = b->frame_ms * TICKS_PER_SECOND;
    return (int64_t)((whole + step - 1) / step) + 1;
}

static uint32_t unit_of(const ic_tag *tag)
{
    return (uint32_t)tag->generation << 16 | tag->index;
}

static void set_units(backward *b, reprise_foreign_order *to, const reprise_ic_tag_list *units)
{
    const ic_tag *tags = units->items;
    uint32_t *ids = rp_arena_array(&b->scratch, units->count, sizeof *ids, b->error);
    for (size_t i = 0; ids && i < units->count; i++)
        ids[i] = unit_of(&tags[i]);
    to->units = ids;
    to->unit_count = ids ? units->count : 0;
}

static void set_unit(backward *b, reprise_foreign_order *to, const ic_tag *tag)
{
    set_units(b, to, &(reprise_ic_tag_list){(ic_tag *)(uintptr_t)tag, 1});
}

static void set_place(reprise_foreign_order *to, int32_t x, int32_t y)
{
    to->has_cell = true;
    to->x = x;
    to->y = y;
}

static void set_pos(reprise_foreign_order *to, const ic_pos *pos)
{
    /* division that rounds down, also for negative values */
    set_place(to, (pos->x - (pos->x < 0 ? CELL - 1 : 0)) / CELL,
              (pos->y - (pos->y < 0 ? CELL - 1 : 0)) / CELL);
}

static void set_item(backward *b, reprise_foreign_order *to, const rp_text *text)
{
    to->item = rp_arena_text(&b->scratch, text->data, text->size, b->error);
}

static void set_attack(backward *b, reprise_foreign_order *to, const ic_attack *attack)
{
    bool at_unit = attack->target.variant == ic_target_V_Unit;
    to->kind = REPRISE_FOREIGN_ATTACK;
    to->name = at_unit ? "Attack" : "ForceAttack";
    set_units(b, to, &attack->units);
    if (at_unit)
        to->target = unit_of(attack->target.as.unit);
    else
        set_pos(to, attack->target.as.ground);
}

static void set_chat(backward *b, reprise_foreign_order *to, const ic_chat *chat)
{
    enum { TEAM = 1, OBSERVER = 3 };
    to->kind = REPRISE_FOREIGN_CHAT;
    to->name = "Chat";
    to->team = chat->channel.variant == TEAM       ? 1
               : chat->channel.variant == OBSERVER ? (uint32_t)REPRISE_FOREIGN_SPECTATORS
                                                   : 0;
    set_item(b, to, &chat->text);
}

static bool set_payload(backward *b, reprise_foreign_order *to, const ic_game_order *order)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    const ic_game_order_row *row = ic_game_order_decode(order, &b->scratch, &ignored);
    const void *value = row ? row->value.value : NULL;
    if (!value)
        return false;
    static const struct {
        reprise_foreign_kind kind;
        const char *name;
    } kinds[] = {
        [ic_known_order_V_Produce] = {REPRISE_FOREIGN_PRODUCE, "StartProduction"},
        [ic_known_order_V_PlaceBuilding] = {REPRISE_FOREIGN_PLACE_BUILDING, "PlaceBuilding"},
        [ic_known_order_V_Sell] = {REPRISE_FOREIGN_SELL, "Sell"},
        [ic_known_order_V_SetRallyPoint] = {REPRISE_FOREIGN_SET_RALLY_POINT, "SetRallyPoint"},
        [ic_known_order_V_Deploy] = {REPRISE_FOREIGN_DEPLOY, "DeployTransform"},
        [ic_known_order_V_SetStance] = {REPRISE_FOREIGN_STANCE, "SetUnitStance"},
        [ic_known_order_V_CancelProduction] = {REPRISE_FOREIGN_CANCEL_PRODUCTION,
                                               "CancelProduction"},
        [ic_known_order_V_Repair] = {REPRISE_FOREIGN_REPAIR, "RepairBuilding"},
    };
    to->kind = kinds[row->value.variant].kind;
    to->name = kinds[row->value.variant].name;
    switch (row->value.variant) {
    case ic_known_order_V_Produce:
    case ic_known_order_V_CancelProduction:
        set_item(b, to, &((const ic_produce *)value)->item);
        to->count = 1;
        break;
    case ic_known_order_V_PlaceBuilding: {
        const ic_place *place = value;
        set_item(b, to, &place->item);
        set_place(to, place->cell.x, place->cell.y);
        break;
    }
    case ic_known_order_V_SetRallyPoint:
        set_unit(b, to, &((const ic_rally *)value)->unit);
        set_pos(to, &((const ic_rally *)value)->target);
        break;
    case ic_known_order_V_SetStance:
        set_units(b, to, &((const ic_stance *)value)->units);
        to->count = ((const ic_stance *)value)->stance;
        break;
    default:
        set_unit(b, to, &((const ic_unit *)value)->unit);
        break;
    }
    return true;
}

static bool set_game_order(backward *b, reprise_foreign_order *to, const ic_game_order *order)
{
    enum { TAG_OPENRA = 0xF001 };
    if (order->type_tag != TAG_OPENRA)
        return set_payload(b, to, order);
    if (order->payload.size < 2)
        return false;
    b->dialect = (uint8_t)order->payload.data[0];
    b->knows_dialect = true;
    to->name = "";
    to->raw = (const uint8_t *)order->payload.data + 1;
    to->raw_size = order->payload.size - 1;
    return true;
}

static bool set_order(backward *b, reprise_foreign_order *to, const reprise_ic_player_order *order)
{
    switch (order->variant) {
    case ic_player_order_V_Move:
        to->kind = REPRISE_FOREIGN_MOVE;
        to->name = "Move";
        set_units(b, to, &order->as.move->units);
        set_pos(to, &order->as.move->target);
        return true;
    case ic_player_order_V_Attack:
        set_attack(b, to, order->as.attack);
        return true;
    case ic_player_order_V_Stop:
        to->kind = REPRISE_FOREIGN_STOP;
        to->name = "Stop";
        set_units(b, to, &order->as.stop->units);
        return true;
    case ic_player_order_V_ChatMessage:
        set_chat(b, to, order->as.chat_message);
        return true;
    case ic_player_order_V_Vote:
        to->kind = REPRISE_FOREIGN_SURRENDER;
        to->name = "Surrender";
        return true;
    case ic_player_order_V_TacticalPing:
        to->kind = REPRISE_FOREIGN_BEACON;
        to->name = "PlaceBeacon";
        set_pos(to, &order->as.tactical_ping->pos);
        return true;
    case ic_player_order_V_GameOrder:
        return set_game_order(b, to, order->as.game_order);
    default:
        return false;
    }
}

static reprise_status add_frame(backward *b, const ic_frame *frame)
{
    const ic_order *orders = frame->orders.items;
    rp_arena_reset(&b->scratch);
    for (size_t i = 0; i < frame->orders.count; i++) {
        reprise_foreign_order to = {.player = (uint8_t)RP_MIN(orders[i].player, 255u),
                                    .client = (int32_t)RP_MIN(orders[i].player, 255u) + 1,
                                    .target = REPRISE_FOREIGN_NONE};
        if (!set_order(b, &to, &orders[i].order))
            b->lost++;
        else
            RP_TRY(rp_foreign_add(b->foreign, frame_of(b, frame->tick),
                                  (double)frame->tick / TICKS_PER_SECOND, &to, b->error));
    }
    return b->error->status;
}

static void describe(backward *b, const reprise_value *metadata)
{
    rp_doc doc = {.arena = &b->foreign->arena, .error = b->error};
    const reprise_value *from = rp_get(metadata, "converted_from");
    reprise_value *about = b->foreign->about = rp_new_object(&doc);
    reprise_value *source = rp_set_object(&doc, about, "source");
    rp_set(&doc, source, "mod_id", rp_copy(&doc, rp_get(from, "original_mod")));
    rp_set(&doc, source, "mod_version", rp_copy(&doc, rp_get(from, "original_version")));
    if (b->knows_dialect)
        rp_set_uint(&doc, source, "dialect_index", b->dialect);
    rp_set(&doc, about, "metadata", rp_copy(&doc, metadata));
    rp_set_uint(&doc, about, "lost", b->lost);
}

/* Loads the texts carried by the import, if any. */
static reprise_status load_texts(backward *b, ic_replay *replay)
{
    ic_embedded embedded;
    RP_TRY(ic_embedded_load(replay, &b->foreign->arena, &embedded, b->error));
    const ic_manifest *manifest = embedded.mod_manifest;
    for (size_t i = 0; manifest && i < manifest->rules.count; i++) {
        const ic_rule *rule = (const ic_rule *)manifest->rules.items + i;
        const char *path = rp_arena_text(&b->foreign->arena, rule->path.data, rule->path.size,
                                         b->error);
        RP_TRY(b->error->status);
        RP_TRY(rp_foreign_add_text(b->foreign, path, rule->yaml.data, rule->yaml.size, b->error));
    }
    return REPRISE_OK;
}

static reprise_status add_frames(backward *b, ic_match *match)
{
    const ic_frame *frame = NULL;
    for (uint64_t tick = 0; tick < match->total_ticks; tick++) {
        RP_TRY(match->frame(match, tick, &frame, b->error));
        if (frame)
            RP_TRY(add_frame(b, frame));
    }
    match->replay->base.read_to_end = true;
    return REPRISE_OK;
}

reprise_status ic_to_foreign(ic_replay *replay, rp_foreign *foreign, reprise_error *error)
{
    backward b = {.foreign = foreign, .error = error};
    ic_match *match = NULL;
    if (!replay->imported)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "this replay was not imported");
    RP_TRY(ic_refuse_unknown(replay, error));
    RP_TRY(load_texts(&b, replay));
    b.frame_ms = ic_carried_frame_ms(rp_foreign_text_of(foreign, IC_CARRIED_MATCH), FRAME_MS);
    rp_arena_init(&b.scratch, replay->base.context);
    reprise_status status = ic_match_open(replay, 0, &match, error);
    if (status == REPRISE_OK)
        status = add_frames(&b, match);
    if (status == REPRISE_OK)
        describe(&b, replay->metadata);
    ic_match_close(match);
    rp_arena_free(&b.scratch);
    RP_TRY(status);
    return rp_foreign_finish(foreign, error);
}
