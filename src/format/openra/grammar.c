/*
 * grammar.c - the tables of grammar.h, the names of values, the meaning of orders, and the tracks.
 */
#include "grammar.h"

#include "openra.h"

RP_ENUM(ora_packet_names, "packet", false, {ORA_KIND_ORDERS, "orders"},
        {ORA_KIND_IMMEDIATE, "immediate"}, {ORA_KIND_SYNC, "sync"},
        {ORA_KIND_DISCONNECT, "disconnect"}, {ORA_KIND_TICK_SCALE, "tickscale"},
        {ORA_KIND_PING, "ping"}, {ORA_KIND_ACK, "ack"});
RP_ENUM(ora_type_names, "order type", false, {ORA_HANDSHAKE, "handshake"}, {ORA_FIELDS, "fields"});
RP_ENUM(ora_target_names, "target", false, {ORA_TARGET_INVALID, "invalid"},
        {ORA_TARGET_ACTOR, "actor"}, {ORA_TARGET_POS, "pos"}, {ORA_TARGET_FROZEN, "frozen"},
        {ORA_TARGET_CELL, "cell"});
RP_ENUM(ora_channel_names, "channel", false, {ORA_CHANNEL_ALL, "all"}, {ORA_CHANNEL_TEAM, "team"},
        {ORA_CHANNEL_SPECTATORS, "spectators"}, {ORA_CHANNEL_SERVER, "server"},
        {ORA_CHANNEL_NOTIFICATION, "notification"});

RP_TABLE(ora_actor, ORA_ACTOR, "actor");
RP_TABLE(ora_hash, ORA_HASH, "sync hash");
RP_TABLE(ora_position, ORA_POSITION, "position");
RP_TABLE(ora_order, ORA_ORDER, "order");
RP_TABLE(ora_order_derived, ORA_ORDER_DERIVED, "order, derived");
RP_TABLE(ora_sync, ORA_SYNC, "sync");
RP_TABLE(ora_chat, ORA_CHAT, "chat");
RP_TABLE(ora_chat_derived, ORA_CHAT_DERIVED, "chat, derived");
RP_TABLE(ora_client, ORA_CLIENT, "client");
RP_TABLE(ora_slot, ORA_SLOT, "slot");
RP_TABLE(ora_setting, ORA_SETTING, "setting");
RP_TABLE(ora_disconnect, ORA_DISCONNECT, "disconnect");
RP_TABLE(ora_disconnect_derived, ORA_DISCONNECT_DERIVED, "disconnect, derived");
RP_TABLE(ora_packet, ORA_PACKET, "packet");

const rp_record *const ora_records[ORA_RECORD_COUNT] = {
    &ora_order_record,
    &ora_order_derived_record,
    &ora_actor_record,
    &ora_position_record,
    &ora_sync_record,
    &ora_hash_record,
    &ora_chat_record,
    &ora_chat_derived_record,
    &ora_client_record,
    &ora_slot_record,
    &ora_setting_record,
    &ora_disconnect_record,
    &ora_disconnect_derived_record,
    &ora_packet_record,
};

/* ---- orders ---- */

/* Names of orders and what they mean in the form that all engines share. */
#define ORDER(name, kind)                             \
    {                                                 \
        name, sizeof name - 1, REPRISE_FOREIGN_##kind \
    }
static const struct {
    const char *name;
    size_t size;
    reprise_foreign_kind kind;
} order_kinds[] = {
    ORDER("Move", MOVE),
    ORDER("AttackMove", MOVE),
    ORDER("AssaultMove", MOVE),
    ORDER("Scatter", MOVE),
    ORDER("Attack", ATTACK),
    ORDER("ForceAttack", ATTACK),
    ORDER("DeployTransform", DEPLOY),
    ORDER("GrantConditionOnDeploy", DEPLOY),
    ORDER("DeployWithCharge", DEPLOY),
    ORDER("StartProduction", PRODUCE),
    ORDER("Sell", SELL),
    ORDER("PlaceBuilding", PLACE_BUILDING),
    ORDER("LineBuild", PLACE_BUILDING),
    ORDER("PlacePlug", PLACE_BUILDING),
    ORDER("SetRallyPoint", SET_RALLY_POINT),
    ORDER("Stop", STOP),
    ORDER("Chat", CHAT),
    ORDER("TeamChat", CHAT),
    ORDER("Surrender", SURRENDER),
    ORDER("SetUnitStance", STANCE),
    ORDER("RepairBuilding", REPAIR),
    ORDER("Repair", REPAIR),
    ORDER("RepairNear", REPAIR),
    ORDER("EngineerRepair", REPAIR),
    ORDER("InstantRepair", REPAIR),
    ORDER("RepairBridge", REPAIR),
    ORDER("PowerDown", POWER_TOGGLE),
    ORDER("CancelProduction", CANCEL_PRODUCTION),
    ORDER("PauseProduction", PAUSE_PRODUCTION),
    ORDER("Guard", GUARD),
    ORDER("Enter", ENTER),
    ORDER("EnterTransport", ENTER),
    ORDER("EnterTunnel", ENTER),
    ORDER("CaptureActor", ENTER),
    ORDER("Infiltrate", ENTER),
    ORDER("Harvest", HARVEST),
    ORDER("Deliver", HARVEST),
    ORDER("Dock", HARVEST),
    ORDER("ForceDock", HARVEST),
    ORDER("CreateGroup", GROUP),
    ORDER("PlaceBeacon", BEACON),
    ORDER("PauseGame", PAUSE),
    ORDER("PrimaryProducer", PRIMARY_BUILDING),
};

reprise_foreign_kind ora_order_kind(const rp_text *name)
{
    for (size_t i = 0; i < RP_COUNT(order_kinds); i++) {
        if (name->size == order_kinds[i].size &&
            memcmp(name->data, order_kinds[i].name, name->size) == 0)
            return order_kinds[i].kind;
    }
    return ora_is_power(name) ? REPRISE_FOREIGN_SUPPORT_POWER : REPRISE_FOREIGN_UNKNOWN;
}

bool ora_is_action(const ora_order *order, reprise_foreign_kind kind)
{
    /* The game sends a pause with the orders of a frame as well as on its own. */
    return order->frame > 0 && kind != REPRISE_FOREIGN_PAUSE && kind != REPRISE_FOREIGN_CHAT;
}

bool ora_order_cell(const ora_order *order, uint64_t present, int32_t *ret_x, int32_t *ret_y)
{
    if (present >> ora_order_F_target_cell_x & 1) {
        *ret_x = order->target_cell_x;
        *ret_y = order->target_cell_y;
        return true;
    }
    if (!(present >> ora_order_F_target_pos_x & 1))
        return false;
    *ret_x = ora_cell_of(order->target_pos_x);
    *ret_y = ora_cell_of(order->target_pos_y);
    return true;
}

/* ---- derived columns ---- */

static rp_text name_of(const rp_replay *replay, int32_t client)
{
    const char *name = ora_client_name((const ora_replay *)replay, client);
    return (rp_text){.data = name, .size = name ? strlen(name) : 0};
}

uint32_t ora_group_size(const ora_order *order, uint64_t present)
{
    if (present >> ora_order_F_grouped & 1)
        return (uint32_t)order->grouped.count;
    return present >> ora_order_F_subject & 1;
}

static void derive_order(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const ora_order *order = row->data;
    *(ora_order_derived *)ret_derived = (ora_order_derived){
        .player = name_of(replay, order->client),
        .group_size = ora_group_size(order, row->present),
    };
}

static void derive_chat(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const ora_chat *chat = row->data;
    *(ora_chat_derived *)ret_derived = (ora_chat_derived){
        .player = name_of(replay, chat->client),
    };
}

static void derive_disconnect(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const ora_disconnect *disconnect = row->data;
    *(ora_disconnect_derived *)ret_derived = (ora_disconnect_derived){
        .player = name_of(replay, disconnect->client),
    };
}

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define IN_TIME     .kind = RP_TRACK_EVENT, .clock = "tick", .timed = true, .sparse = true

const rp_track ora_tracks[ORA_TRACK_COUNT] = {
    [ORA_ORDERS] = {.name = "orders",
                    .doc = "all orders, in file order",
                    IN_TIME,
                    ONE_PART(ora_order),
                    .derived = &ora_order_derived_record,
                    .derive = derive_order},
    [ORA_SYNCS] = {.name = "sync",
                   .doc = "sums over the world of each client, frame by frame",
                   IN_TIME,
                   ONE_PART(ora_sync)},
    [ORA_CHATS] = {.name = "chat",
                   .doc = "chat, and messages of the server",
                   IN_TIME,
                   ONE_PART(ora_chat),
                   .derived = &ora_chat_derived_record,
                   .derive = derive_chat},
    [ORA_CLIENTS] = {.name = "clients",
                     .doc = "clients of the lobby, at the start and before",
                     .kind = RP_TRACK_TABLE,
                     .sparse = true,
                     ONE_PART(ora_client)},
    [ORA_SLOTS] = {.name = "slots",
                   .doc = "player slots of the map, at the start and before",
                   .kind = RP_TRACK_TABLE,
                   .sparse = true,
                   ONE_PART(ora_slot)},
    [ORA_SETTINGS] = {.name = "settings",
                      .doc = "server values and lobby options, at the start and before",
                      .kind = RP_TRACK_TABLE,
                      .sparse = true,
                      ONE_PART(ora_setting)},
    [ORA_DISCONNECTS] = {.name = "disconnects",
                         .doc = "clients that left",
                         IN_TIME,
                         ONE_PART(ora_disconnect),
                         .derived = &ora_disconnect_derived_record,
                         .derive = derive_disconnect},
    [ORA_PACKETS] = {.name = "packets",
                     .doc = "the packets of the file as stored",
                     IN_TIME,
                     ONE_PART(ora_packet)},
};
