/*
 * foreign.c - an OpenRA match in the common form of recorded orders.
 *
 * All game orders are given. Of the immediate orders only those that belong to the match are: chat,
 * pauses, surrender. Handshakes, lobby, pings and server messages are not orders.
 */
#include "analyse.h"
#include "foreign_carry.h"

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

typedef struct importer {
    ora_replay *replay;
    rp_foreign *foreign;
    rp_arena scratch;
    int32_t clients[REPRISE_FOREIGN_NOBODY]; /* of the players, in their order */
    int32_t ahead[REPRISE_FOREIGN_NOBODY];   /* the latest frame each has sent orders for */
    size_t client_count;
    rp_desync_watch desync;
    reprise_error *error;
} importer;

static uint8_t player_of(const importer *in, int32_t client)
{
    for (size_t i = 0; i < in->client_count; i++) {
        if (in->clients[i] == client)
            return (uint8_t)i;
    }
    return REPRISE_FOREIGN_NOBODY;
}

/* ---- orders ---- */

static void set_units(reprise_foreign_order *to, const ora_order *from, uint64_t present)
{
    const rp_list *list = to->kind == REPRISE_FOREIGN_GROUP ? &from->extra_actors : &from->grouped;
    bool listed = present & (to->kind == REPRISE_FOREIGN_GROUP ? HAS(extra_actors) : HAS(grouped));
    if (listed && list->count) {
        to->units = &((const ora_actor *)list->items)->id; /* ora_actor is a record of one number */
        to->unit_count = list->count;
    } else if (!listed && present & HAS(subject) && from->subject != ORA_NO_ACTOR) {
        to->units = &from->subject;
        to->unit_count = 1;
    }
}

static void set_target(reprise_foreign_order *to, const ora_order *from, uint64_t present)
{
    to->target = REPRISE_FOREIGN_NONE;
    if (present & HAS(target_actor))
        to->target = from->target_actor;
    else if (present & HAS(target_frozen))
        to->target = from->target_frozen;
    to->has_cell = ora_order_cell(from, present, &to->x, &to->y);
}

static void set_values(reprise_foreign_order *to, const ora_order *from)
{
    to->count = from->extra_data;
    if (to->kind == REPRISE_FOREIGN_PAUSE)
        to->count = ora_is(&from->item, "Pause");
    if (to->kind != REPRISE_FOREIGN_CHAT)
        return;
    to->count = 0;
    to->team = from->extra_data == ORA_NO_ACTOR ? (uint32_t)REPRISE_FOREIGN_SPECTATORS
                                                : from->extra_data;
    if (ora_is(&from->order, "TeamChat"))
        to->team = 1; /* older files do not say which */
}

static reprise_status add_order(importer *in, const rp_row *row)
{
    const ora_order *from = row->data;
    reprise_foreign_order to = {.kind = ora_order_kind(&from->order)};
    bool in_match = from->frame > 0 || to.kind == REPRISE_FOREIGN_CHAT ||
                    to.kind == REPRISE_FOREIGN_PAUSE || to.kind == REPRISE_FOREIGN_SURRENDER;
    if (!in_match)
        return REPRISE_OK;
    rp_arena_reset(&in->scratch);
    to.player = player_of(in, from->client);
    to.client = from->client;
    to.name = rp_arena_text(&in->scratch, from->order.data, from->order.size, in->error);
    if (row->present & HAS(item))
        to.item = rp_arena_text(&in->scratch, from->item.data, from->item.size, in->error);
    RP_TRY(in->error->status);
    to.queued = from->queued;
    to.raw = (const uint8_t *)from->raw.data;
    to.raw_size = from->raw.size;
    set_units(&to, from, row->present);
    set_target(&to, from, row->present);
    set_values(&to, from);
    int64_t frame = row->index / in->replay->interval + 1;
    return (ora_is_action(from, to.kind) ? rp_foreign_add_action : rp_foreign_add)(
        in->foreign, frame, row->time, &to, in->error);
}

static void note_packet(importer *in, const ora_packet *packet)
{
    uint8_t player = player_of(in, packet->client);
    if (player != REPRISE_FOREIGN_NOBODY && packet->kind == ORA_KIND_ORDERS)
        in->ahead[player] = RP_MAX(in->ahead[player], packet->frame);
}

/*
 * A client that sends the sum of a frame has just executed it, and has already sent orders for
 * later frames.
 */
static reprise_status note_delay(importer *in, const ora_sync *sync, double time)
{
    uint8_t player = player_of(in, sync->client);
    if (player == REPRISE_FOREIGN_NOBODY || in->ahead[player] < sync->frame)
        return REPRISE_OK;
    int64_t ticks = ora_frame_tick(in->replay, in->ahead[player]) -
                    ora_frame_tick(in->replay, sync->frame);
    return rp_foreign_add_delay(in->foreign, time, player, ora_tick_time(in->replay, ticks),
                                in->error);
}

static reprise_status add_row(void *ctx, const rp_row *row, reprise_error *error)
{
    importer *in = ctx;
    int64_t frame = row->index / in->replay->interval + 1;
    if (row->track == ORA_ORDERS)
        return add_order(in, row);
    if (row->track == ORA_PACKETS) {
        note_packet(in, row->data);
        return REPRISE_OK;
    }
    if (row->track == ORA_SYNCS) {
        const ora_sync *sync = row->data;
        RP_TRY(note_delay(in, sync, row->time));
        ora_watch_sync(&in->desync, sync);
        rp_foreign_sum sum = {.time = row->time,
                              .frame = sync->frame,
                              .client = sync->client,
                              .sum = ora_sync_digest(sync)};
        if (sync->hashes.count)
            RP_TRY(rp_foreign_add_sum(in->foreign, &sum, in->error));
        if (!sync->hashes.count || (!sync->hash && !sync->defeat))
            return REPRISE_OK;
        return rp_foreign_add_hash(in->foreign, frame, row->time, (uint32_t)sync->hash, error);
    }
    const ora_disconnect *disconnect = row->data;
    reprise_foreign_order to = {.kind = REPRISE_FOREIGN_DISCONNECT,
                                .name = "Disconnect",
                                .client = disconnect->client,
                                .player = player_of(in, disconnect->client),
                                .target = REPRISE_FOREIGN_NONE};
    return rp_foreign_add(in->foreign, frame, row->time, &to, error);
}

static reprise_status add_rows(importer *in)
{
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_SYNCS |
                                        UINT64_C(1) << ORA_DISCONNECTS |
                                        UINT64_C(1) << ORA_PACKETS};
    return rp_each_row(&in->replay->base, selection, add_row, in, in->error);
}

/* ---- about the match ---- */

static int32_t number_of(const char *text)
{
    int32_t number = 0;
    for (const char *p = text; p && *p >= '0' && *p <= '9' && number < INT32_MAX / 10 - 9; p++)
        number = number * 10 + (*p - '0');
    return number;
}

/* The 32 bits of a signed number. */
static uint32_t seed_of(const char *text)
{
    bool negative = text && text[0] == '-';
    uint32_t seed = 0;
    for (const char *p = text ? text + negative : ""; *p >= '0' && *p <= '9'; p++)
        seed = seed * 10 + (uint32_t)(*p - '0');
    return negative ? 0u - seed : seed;
}

static void set_color(rp_doc *doc, reprise_value *to, const char *text)
{
    uint32_t rgb;
    rp_set_text_if(doc, to, "color", text);
    if (text && ora_colour_read(text, &rgb) != ORA_COLOUR_NONE)
        rp_set(doc, to, "color_rgb", rp_new_format(doc, "#%06x", rgb));
}

static void add_player(importer *in, rp_doc *doc, reprise_value *players, const reprise_value *from,
                       bool metadata)
{
    if (in->client_count == RP_COUNT(in->clients))
        return;
    int32_t client = number_of(rp_get_text(from, metadata ? "ClientIndex" : "Index"));
    in->clients[in->client_count++] = client;
    reprise_value *to = rp_push_object(doc, players);
    const char *faction = rp_get_text(from, metadata ? "FactionId" : "Faction");
    rp_set_text_if(doc, to, "name", rp_get_text(from, "Name"));
    rp_set_text_if(doc, to, "faction", faction ? faction : rp_get_text(from, "Race"));
    rp_set_int(doc, to, "team", number_of(rp_get_text(from, "Team")));
    set_color(doc, to, rp_get_text(from, "Color"));
    rp_set_text_if(doc, to, "outcome", rp_get_text(from, "Outcome"));
    const char *is_bot = rp_get_text(from, "IsBot");
    rp_set_bool(doc, to, "is_bot",
                metadata ? is_bot && strcmp(is_bot, "True") == 0
                         : rp_get_text(from, "Bot") != NULL);
    rp_set_int(doc, to, "client_index", client);
}

/* From the metadata, or else the clients of the lobby that have a slot. */
static void add_players(importer *in, rp_doc *doc, reprise_value *players)
{
    bool metadata = in->replay->header != NULL;
    const reprise_value *from = metadata ? in->replay->header : in->replay->lobby;
    const char *prefix = metadata ? "Player@" : "Client@";
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const reprise_value *one = reprise_value_at(from, i);
        if (strncmp(reprise_value_key(from, i), prefix, strlen(prefix)) == 0 &&
            (metadata || rp_get_text(one, "Slot")))
            add_player(in, doc, players, one, metadata);
    }
}

static void describe_source(const ora_replay *replay, rp_doc *doc, reprise_value *about)
{
    reprise_value *source = rp_set_object(doc, about, "source");
    rp_set_text(doc, source, "engine", "openra");
    rp_set_text_if(doc, source, "mod_id", replay->mod);
    rp_set_text_if(doc, source, "mod_version", replay->version);
    rp_set_text(doc, source, "dialect", replay->dialect->name);
    rp_set_int(doc, source, "dialect_index", replay->dialect - ora_dialects);
}

static void describe_match(importer *in, rp_doc *doc, reprise_value *about)
{
    const ora_replay *replay = in->replay;
    const reprise_value *root = rp_get(replay->header, "Root");
    const reprise_value *settings = rp_get(replay->lobby, "GlobalSettings");
    reprise_value *metadata = rp_set_object(doc, about, "metadata");
    add_players(in, doc, rp_set_array(doc, metadata, "players"));
    const char *map_hash = rp_get_text(root, "MapUid"), *map_name = rp_get_text(root, "MapTitle");
    map_hash = map_hash ? map_hash : rp_get_text(settings, "Map");
    rp_set_text(doc, metadata, "map_name", map_name ? map_name : "");
    rp_set_text_if(doc, metadata, "map_hash", map_hash);
    rp_set_int(doc, metadata, "duration_frames", replay->frame_last);
    rp_set_text_if(doc, metadata, "game_speed", replay->game_speed);
    rp_set_text_if(doc, metadata, "recorded_at", rp_get_text(root, "StartTimeUtc"));
    rp_set_int(doc, metadata, "tick_ms", replay->tick_ms);
    rp_set_int(doc, metadata, "ticks_per_frame", replay->interval);
    rp_set_int(doc, metadata, "first_frame", 1);
    reprise_value *initial = rp_set_object(doc, about, "initial_state");
    rp_set_uint(doc, initial, "random_seed", seed_of(rp_get_text(settings, "RandomSeed")));
    rp_set_text_if(doc, initial, "scenario", map_hash);
    reprise_value *options = rp_set_object(doc, initial, "options");
    const reprise_value *lobby_options = rp_get(settings, "Options");
    for (size_t i = 0; i < reprise_value_count(lobby_options); i++)
        rp_set_text_if(doc, options, reprise_value_key(lobby_options, i),
                       rp_get_text(reprise_value_at(lobby_options, i), "Value"));
}

static void describe_divergence(const rp_desync *desync, rp_doc *doc, reprise_value *about)
{
    reprise_value *divergence = rp_set_object(doc, about, "divergence");
    rp_set_text(doc, divergence, "confidence", desync->found ? "Diverged" : "Plausible");
    if (desync->found)
        rp_set_int(doc, divergence, "first_frame", desync->frame);
}

static reprise_status read_match(importer *in)
{
    rp_foreign *foreign = in->foreign;
    rp_doc doc = {.arena = &foreign->arena, .error = in->error};
    foreign->about = rp_new_object(&doc);
    describe_source(in->replay, &doc, foreign->about);
    describe_match(in, &doc, foreign->about);
    RP_TRY(in->error->status);
    if (foreign->carries)
        RP_TRY(ora_carry(in->replay, foreign, in->error));
    if (foreign->show && !ora_has_list(in->replay))
        RP_TRY(ora_disorder(in->replay, &foreign->disorder, in->error));
    RP_TRY(add_rows(in));
    foreign->last_frame = in->replay->frame_last;
    foreign->last_time = ora_tick_time(in->replay,
                                       ora_frame_tick(in->replay, in->replay->frame_last));
    describe_divergence(&in->desync.result, &doc, foreign->about);
    return in->error->status;
}

reprise_status ora_foreign(rp_replay *base, rp_foreign *foreign, reprise_error *error)
{
    ora_replay *replay = (ora_replay *)base;
    RP_TRY(ora_settle_dialect(replay, error));
    importer *in = rp_alloc_zero(base->context, 1, sizeof *in, error);
    if (!in)
        return error->status;
    in->replay = replay;
    in->foreign = foreign;
    in->error = error;
    foreign->item = ora_item;
    foreign->mod = replay->mod;
    rp_arena_init(&in->scratch, base->context);
    reprise_status status = read_match(in);
    rp_arena_free(&in->scratch);
    rp_free(base->context, in, sizeof *in);
    return status;
}
