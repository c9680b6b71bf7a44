/* records.c - the tables behind records.h, the names of numbers, and the tracks. */
#include "records.h"

#include "openra.h"

RP_ENUM(openra_packet_names, "packet", false, {OPENRA_KIND_ORDERS, "orders"},
        {OPENRA_KIND_IMMEDIATE, "immediate"}, {OPENRA_KIND_SYNC, "sync"},
        {OPENRA_KIND_DISCONNECT, "disconnect"}, {OPENRA_KIND_TICK_SCALE, "tickscale"},
        {OPENRA_KIND_PING, "ping"}, {OPENRA_KIND_ACK, "ack"});
RP_ENUM(openra_type_names, "order type", false, {OPENRA_HANDSHAKE, "handshake"},
        {OPENRA_FIELDS, "fields"});
RP_ENUM(openra_target_names, "target", false, {OPENRA_TARGET_INVALID, "invalid"},
        {OPENRA_TARGET_ACTOR, "actor"}, {OPENRA_TARGET_POS, "pos"},
        {OPENRA_TARGET_FROZEN, "frozen"}, {OPENRA_TARGET_CELL, "cell"});
RP_ENUM(openra_channel_names, "channel", false, {OPENRA_CHANNEL_ALL, "all"},
        {OPENRA_CHANNEL_TEAM, "team"}, {OPENRA_CHANNEL_SPECTATORS, "spectators"},
        {OPENRA_CHANNEL_SERVER, "server"}, {OPENRA_CHANNEL_NOTIFICATION, "notification"});

RP_TABLE(openra_actor, OPENRA_ACTOR, "actor");
RP_TABLE(openra_hash, OPENRA_HASH, "sync hash");
RP_TABLE(openra_position, OPENRA_POSITION, "position");
RP_TABLE(openra_order, OPENRA_ORDER, "order");
RP_TABLE(openra_order_derived, OPENRA_ORDER_DERIVED, "order, derived");
RP_TABLE(openra_sync, OPENRA_SYNC, "sync");
RP_TABLE(openra_chat, OPENRA_CHAT, "chat");
RP_TABLE(openra_chat_derived, OPENRA_CHAT_DERIVED, "chat, derived");
RP_TABLE(openra_client, OPENRA_CLIENT, "client");
RP_TABLE(openra_slot, OPENRA_SLOT, "slot");
RP_TABLE(openra_setting, OPENRA_SETTING, "setting");
RP_TABLE(openra_disconnect, OPENRA_DISCONNECT, "disconnect");
RP_TABLE(openra_disconnect_derived, OPENRA_DISCONNECT_DERIVED, "disconnect, derived");
RP_TABLE(openra_packet, OPENRA_PACKET, "packet");

const rp_record *const openra_records[OPENRA_RECORD_COUNT] = {
    &openra_order_record,
    &openra_order_derived_record,
    &openra_actor_record,
    &openra_position_record,
    &openra_sync_record,
    &openra_hash_record,
    &openra_chat_record,
    &openra_chat_derived_record,
    &openra_client_record,
    &openra_slot_record,
    &openra_setting_record,
    &openra_disconnect_record,
    &openra_disconnect_derived_record,
    &openra_packet_record,
};

/* ---- derived columns ---- */

static rp_text name_of(const rp_replay *replay, int32_t client)
{
    const char *name = openra_client_name((const openra_replay *)replay, client);
    return (rp_text){.data = name, .size = name ? strlen(name) : 0};
}

uint32_t openra_group_size(const openra_order *order, uint64_t present)
{
    if (present >> openra_order_F_grouped & 1)
        return (uint32_t)order->grouped.count;
    return present >> openra_order_F_subject & 1;
}

static void derive_order(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const openra_order *order = row->data;
    *(openra_order_derived *)ret_derived = (openra_order_derived){
        .player = name_of(replay, order->client),
        .group_size = openra_group_size(order, row->present),
    };
}

static void derive_chat(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const openra_chat *chat = row->data;
    *(openra_chat_derived *)ret_derived = (openra_chat_derived){
        .player = name_of(replay, chat->client),
    };
}

static void derive_disconnect(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const openra_disconnect *disconnect = row->data;
    *(openra_disconnect_derived *)ret_derived = (openra_disconnect_derived){
        .player = name_of(replay, disconnect->client),
    };
}

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define IN_TIME     .kind = RP_TRACK_EVENT, .clock = "tick", .timed = true, .sparse = true

const rp_track openra_tracks[OPENRA_TRACK_COUNT] = {
    [OPENRA_ORDERS] = {.name = "orders",
                       .doc = "everything that was ordered, in the order of the file",
                       IN_TIME,
                       ONE_PART(openra_order),
                       .derived = &openra_order_derived_record,
                       .derive = derive_order},
    [OPENRA_SYNCS] = {.name = "sync",
                      .doc = "what each client's world summed up to, frame by frame",
                      IN_TIME,
                      ONE_PART(openra_sync)},
    [OPENRA_CHATS] = {.name = "chat",
                      .doc = "what was said, and what the server told",
                      IN_TIME,
                      ONE_PART(openra_chat),
                      .derived = &openra_chat_derived_record,
                      .derive = derive_chat},
    [OPENRA_CLIENTS] = {.name = "clients",
                        .doc = "who is in the lobby, at the start and before",
                        .kind = RP_TRACK_TABLE,
                        .sparse = true,
                        ONE_PART(openra_client)},
    [OPENRA_SLOTS] = {.name = "slots",
                      .doc = "the places of the map, at the start and before",
                      .kind = RP_TRACK_TABLE,
                      .sparse = true,
                      ONE_PART(openra_slot)},
    [OPENRA_SETTINGS] = {.name = "settings",
                         .doc = "server values and lobby options, at the start and before",
                         .kind = RP_TRACK_TABLE,
                         .sparse = true,
                         ONE_PART(openra_setting)},
    [OPENRA_DISCONNECTS] = {.name = "disconnects",
                            .doc = "who left and when",
                            IN_TIME,
                            ONE_PART(openra_disconnect),
                            .derived = &openra_disconnect_derived_record,
                            .derive = derive_disconnect},
    [OPENRA_PACKETS] = {.name = "packets",
                        .doc = "the packets of the file as they are",
                        IN_TIME,
                        ONE_PART(openra_packet)},
};
