/*
 * foreign_write.c - writes an OpenRA replay from the common form of recorded orders, to export one
 * that was imported before.
 *
 * Orders whose bytes were carried are written as they were; the others are reconstructed from their
 * meaning and counted by name. Lobby, trailer and the frames of each client come from the texts of
 * foreign_carry.c.
 */
#include "foreign_carry.h"

#include <stdio.h>
#include <stdlib.h>

#include "miniyaml.h"

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

enum { CLIENTS_MAX = 256, FRAMES_MAX = 1 << 24, PACKETS_MAX = 1 << 24, LATENCY_MAX = 1000 };

typedef struct restored_client {
    int32_t client, first, last; /* frames for which it sends orders */
    int32_t end;                 /* disconnect: the first frame without orders; 0: none */
    bool left;
} restored_client;

typedef struct restorer {
    const rp_foreign *foreign;
    const ora_dialect *dialect;
    rp_encoder *encoder;
    rp_arena arena; /* of one frame */
    rp_arena all;   /* of the complete match */
    rp_doc *doc;
    reprise_value *names; /* orders that were reconstructed */
    uint64_t restored, recreated;
    uint32_t packet;
    restored_client clients[CLIENTS_MAX];
    size_t client_count;
    int32_t players[CLIENTS_MAX]; /* the client of each player */
    size_t player_count;
    int32_t frame_last, latency;
    bool knows_latency;
    const reprise_value *match; /* of the carried text, or NULL */
    const reprise_value *sync;
    size_t immediate_done; /* frames of `foreign` whose immediate orders were written */
    reprise_error *error;
} restorer;

static rp_text text_of(const char *text)
{
    return (rp_text){text, strlen(text)};
}

/* These are not bound to a frame and are written when they were given. */
static bool is_immediate(const reprise_foreign_order *order)
{
    static const uint8_t pause[] = {ORA_FIELDS, 9, 'P', 'a', 'u', 's', 'e', 'G', 'a', 'm', 'e'};
    if (order->raw_size)
        return order->raw_size > sizeof pause && memcmp(order->raw, pause, sizeof pause) == 0;
    return order->kind == REPRISE_FOREIGN_CHAT || order->kind == REPRISE_FOREIGN_SURRENDER;
}

static void set_units(restorer *r, ora_order *to, uint64_t *present,
                      const reprise_foreign_order *from)
{
    if (from->unit_count == 1) {
        to->subject = from->units[0];
        *present |= HAS(subject);
    } else if (from->unit_count) {
        ora_actor *actors = rp_arena_array(&r->arena, from->unit_count, sizeof *actors, r->error);
        for (size_t i = 0; actors && i < from->unit_count; i++)
            actors[i].id = from->units[i];
        to->grouped = (rp_list){actors, actors ? from->unit_count : 0};
        *present |= HAS(grouped);
    }
}

static void set_target(ora_order *to, uint64_t *present, const reprise_foreign_order *from)
{
    if (from->target != REPRISE_FOREIGN_NONE) {
        to->target_kind = ORA_TARGET_ACTOR;
        to->target_actor = from->target;
        *present |= HAS(target_kind) | HAS(target_actor) | HAS(target_generation);
    } else if (from->has_cell) {
        to->target_kind = ORA_TARGET_CELL;
        to->target_cell_x = from->x;
        to->target_cell_y = from->y;
        *present |= HAS(target_kind) | HAS(target_cell_x) | HAS(target_cell_y) | HAS(target_layer) |
                    HAS(target_subcell);
    }
}

static void make_order(restorer *r, ora_order *to, uint64_t *present,
                       const reprise_foreign_order *from)
{
    to->order = text_of(from->name);
    set_units(r, to, present, from);
    set_target(to, present, from);
    uint32_t extra = from->kind == REPRISE_FOREIGN_CHAT ? from->team : from->count;
    if (from->kind == REPRISE_FOREIGN_CHAT && extra == REPRISE_FOREIGN_SPECTATORS)
        extra = ORA_NO_ACTOR;
    if (from->item) {
        to->item = text_of(from->item);
        *present |= HAS(item);
    }
    if (extra) {
        to->extra_data = extra;
        *present |= HAS(extra_data);
    }
    r->recreated++;
    uint64_t count = reprise_value_uint(rp_get(r->names, from->name), 0) + 1;
    rp_replace(r->doc, r->names, from->name, rp_new_uint(r->doc, count));
}

static reprise_status put_rows(restorer *r, rp_row *rows, size_t count)
{
    rp_batch batch = {.rows = rows, .count = count};
    return r->encoder->format->write->rows(r->encoder, &batch, r->error);
}

/* ---- packets ---- */

static reprise_status put_packet(restorer *r, rp_row *orders, size_t count, int32_t client,
                                 int32_t frame)
{
    ora_packet packet = {.packet = r->packet++,
                         .client = client,
                         .frame = frame,
                         .kind = frame ? ORA_KIND_ORDERS : ORA_KIND_IMMEDIATE,
                         .length = count ? 5 : 4};
    orders[count] = (rp_row){.track = ORA_PACKETS, .data = &packet};
    return put_rows(r, orders, count + 1);
}

static void make_row(restorer *r, const reprise_foreign_order *from, int32_t client, int32_t frame,
                     rp_row *ret_row)
{
    ora_order *order = rp_arena_alloc(&r->arena, sizeof *order, r->error);
    if (!order)
        return;
    *order = (ora_order){.packet = r->packet,
                         .frame = frame,
                         .client = client,
                         .type = ORA_FIELDS,
                         .subject = ORA_NO_ACTOR};
    *ret_row = (rp_row){.track = ORA_ORDERS, .data = order};
    if (from->raw_size) {
        order->raw = (rp_text){(const char *)from->raw, from->raw_size};
        r->restored++;
        return;
    }
    uint64_t present = 0;
    make_order(r, order, &present, from);
    (void)ora_downgrade_order(&ora_dialects[ORA_DIALECT_COUNT - 1], r->dialect, order, &present);
    ret_row->present = present;
}

static int32_t client_of(const restorer *r, const reprise_foreign_order *order)
{
    return order->player < r->player_count ? r->players[order->player] : order->client;
}

/* Chat, pauses and surrender precede the packet of the frame that shows them. */
static reprise_status put_said(restorer *r, int32_t frame)
{
    for (; r->immediate_done < r->foreign->frame_count; r->immediate_done++) {
        const reprise_foreign_frame *from = &r->foreign->frames[r->immediate_done];
        if (from->number + r->latency > frame && frame < r->frame_last)
            return REPRISE_OK;
        for (size_t i = 0; i < from->order_count; i++) {
            rp_row rows[2];
            if (!is_immediate(&from->orders[i]))
                continue;
            rp_arena_reset(&r->arena);
            int32_t client = client_of(r, &from->orders[i]);
            make_row(r, &from->orders[i], client, 0, &rows[0]);
            RP_TRY(r->error->status);
            RP_TRY(put_packet(r, rows, 1, client, 0));
        }
    }
    return REPRISE_OK;
}

/* Writes one packet with all orders of the client for the frame, which may be none. */
static reprise_status put_client(restorer *r, const reprise_foreign_frame *from, int32_t frame,
                                 int32_t client)
{
    size_t most = from ? from->order_count : 0, count = 0;
    rp_arena_reset(&r->arena);
    rp_row *rows = rp_arena_array(&r->arena, most + 1, sizeof *rows, r->error);
    for (size_t i = 0; rows && i < most; i++) {
        const reprise_foreign_order *order = &from->orders[i];
        if (!is_immediate(order) && client_of(r, order) == client)
            make_row(r, order, client, frame, &rows[count++]);
    }
    RP_TRY(r->error->status);
    return put_packet(r, rows, count, client, frame);
}

static reprise_status put_disconnect(restorer *r, const restored_client *client)
{
    bool is_new = r->dialect->protocol >= PROTOCOL_NEW_DISCONNECT;
    bool now = client->end == ORA_FRAME_NOW;
    ora_disconnect row = {.client = client->client};
    ora_packet packet = {.packet = r->packet++,
                         .client = client->client,
                         .frame = client->end - (!is_new && !now),
                         .kind = ORA_KIND_DISCONNECT,
                         .length = is_new ? 9 : ORA_OLD_DISCONNECT_LENGTH};
    rp_row rows[] = {{.track = ORA_DISCONNECTS, .data = &row},
                     {.track = ORA_PACKETS, .data = &packet}};
    return put_rows(r, rows, RP_COUNT(rows));
}

static reprise_status put_disconnects(restorer *r, int32_t frame)
{
    for (size_t i = 0; i < r->client_count; i++) {
        restored_client *c = &r->clients[i];
        if (!c->end || c->left || frame < c->last)
            continue;
        c->left = true;
        RP_TRY(put_disconnect(r, c));
    }
    return REPRISE_OK;
}

/* ---- sums ---- */

/* "-17,4 1f": the sums of a packet, and the bits of who has lost. */
static bool read_sums(restorer *r, const char *text, ora_sync *ret_sync)
{
    size_t most = 1;
    for (const char *p = text; *p; p++)
        most += *p == ',';
    ora_hash *hashes = rp_arena_array(&r->arena, most, sizeof *hashes, r->error);
    size_t count = 0;
    char *end = NULL;
    for (const char *p = text; hashes && count < most; p = end + 1) {
        hashes[count++].value = (int32_t)strtol(p, &end, 10);
        if (*end != ',')
            break;
    }
    if (!hashes || !end || *end != ' ')
        return false;
    ret_sync->hash = hashes[0].value;
    ret_sync->hashes = (rp_list){hashes, count};
    ret_sync->defeat = strtoull(end + 1, NULL, 16);
    return true;
}

static reprise_status put_sum(restorer *r, const char *text, int32_t client, int32_t frame)
{
    ora_sync sync = {.packet = r->packet, .frame = frame, .client = client};
    rp_arena_reset(&r->arena);
    if (!read_sums(r, text, &sync))
        return r->error->status;
    rp_writer body;
    rp_writer_init(&body, r->arena.context, UINT32_MAX, r->error);
    rp_put_u8(&body, ORA_SYNC_HASH);
    for (size_t i = 0; i < sync.hashes.count; i++)
        rp_put_u32(&body, (uint32_t)((const ora_hash *)sync.hashes.items)[i].value);
    if (r->dialect->defeat)
        rp_put_u64(&body, sync.defeat);
    ora_packet packet = {.packet = r->packet++,
                         .client = client,
                         .frame = frame,
                         .kind = ORA_KIND_SYNC,
                         .length = (uint32_t)body.size + 4,
                         .raw = {(const char *)body.data, body.size}};
    rp_row rows[] = {{.track = ORA_SYNCS, .data = &sync}, {.track = ORA_PACKETS, .data = &packet}};
    reprise_status status = r->error->status;
    if (status == REPRISE_OK)
        status = put_rows(r, rows, RP_COUNT(rows));
    rp_writer_free(&body);
    return status;
}

/* Every present client sends the sum of a frame; one with a line of its own sends that. */
static reprise_status put_sums(restorer *r, int32_t frame, size_t *at)
{
    size_t count = reprise_value_count(r->sync);
    char key[32];
    snprintf(key, sizeof key, "%d", frame);
    if (*at >= count || strcmp(reprise_value_key(r->sync, *at), key) != 0)
        return REPRISE_OK;
    const char *common = reprise_value_text(reprise_value_at(r->sync, *at), NULL);
    size_t first = ++*at, size = strlen(key);
    while (*at < count && strncmp(reprise_value_key(r->sync, *at), key, size) == 0 &&
           reprise_value_key(r->sync, *at)[size] == '@')
        ++*at;
    for (size_t i = 0; i < r->client_count && common; i++) {
        const restored_client *c = &r->clients[i];
        const char *own = common;
        for (size_t k = first; k < *at; k++) {
            const char *who = reprise_value_key(r->sync, k) + size + 1;
            const char *text = reprise_value_text(reprise_value_at(r->sync, k), NULL);
            own = strtol(who, NULL, 10) == c->client && text ? text : own;
        }
        if (frame >= c->first && frame <= c->last)
            RP_TRY(put_sum(r, own, c->client, frame));
    }
    return REPRISE_OK;
}

/* ---- the lobby ---- */

static reprise_status put_immediate(restorer *r, int32_t client, const rp_text *name,
                                    const rp_text *text)
{
    bool handshake = r->dialect->any_handshake || ora_is(name, "HandshakeRequest") ||
                     ora_is(name, "HandshakeResponse");
    ora_order order = {.packet = r->packet,
                       .client = client,
                       .type = handshake ? ORA_HANDSHAKE : ORA_FIELDS,
                       .order = *name,
                       .item = *text};
    rp_row rows[2] = {{.track = ORA_ORDERS, .data = &order, .present = HAS(item)}};
    return put_packet(r, rows, 1, client, 0);
}

/* Paths are openra/lobby/NUMBER.CLIENT.NAME.yaml. */
static reprise_status put_lobby(restorer *r, bool *ret_started)
{
    const rp_foreign_text *texts = r->foreign->texts.items;
    const size_t prefix = strlen(ORA_CARRIED_LOBBY);
    for (size_t i = 0; i < r->foreign->texts.count; i++) {
        const char *path = texts[i].path;
        const char *client = strncmp(path, ORA_CARRIED_LOBBY, prefix) == 0
                                 ? strchr(path + prefix, '.')
                                 : NULL;
        const char *name = client ? strchr(client + 1, '.') : NULL;
        const char *end = name ? strchr(name + 1, '.') : NULL;
        if (!end)
            continue;
        rp_text word = {name + 1, (size_t)(end - name) - 1};
        RP_TRY(put_immediate(r, (int32_t)strtol(client + 1, NULL, 10), &word, &texts[i].text));
        *ret_started |= ora_is(&word, "StartGame");
    }
    return REPRISE_OK;
}

static reprise_status put_frames(restorer *r)
{
    bool started = false;
    size_t at = 0, sum_at = 0;
    RP_TRY(put_lobby(r, &started));
    if (!started)
        RP_TRY(put_immediate(r, 0, &(rp_text){"StartGame", 9}, &(rp_text){"", 0}));
    for (int64_t next = 1; next <= r->frame_last; next++) {
        int32_t frame = (int32_t)next;
        while (at < r->foreign->frame_count && r->foreign->frames[at].number < frame)
            at++;
        bool there = at < r->foreign->frame_count && r->foreign->frames[at].number == frame;
        RP_TRY(put_said(r, frame));
        for (size_t i = 0; i < r->client_count; i++) {
            if (frame >= r->clients[i].first && frame <= r->clients[i].last)
                RP_TRY(put_client(r, there ? &r->foreign->frames[at] : NULL, frame,
                                  r->clients[i].client));
        }
        RP_TRY(put_disconnects(r, frame));
        RP_TRY(put_sums(r, frame, &sum_at));
        RP_TRY(rp_progress(r->arena.context, (uint64_t)frame, (uint64_t)r->frame_last, r->error));
    }
    return r->encoder->format->write->end(r->encoder, r->error);
}

/* ---- who was there ---- */

static int32_t number_in(const reprise_value *object, const char *key, int32_t fallback)
{
    const char *text = rp_get_text(object, key);
    long number = text && *text ? strtol(text, NULL, 10) : fallback;
    return (int32_t)RP_MAX(0, RP_MIN(number, (long)INT32_MAX));
}

static restored_client *add_client(restorer *r, int32_t client)
{
    for (size_t i = 0; i < r->client_count; i++) {
        if (r->clients[i].client == client)
            return &r->clients[i];
    }
    if (r->client_count == CLIENTS_MAX)
        return NULL;
    r->clients[r->client_count] = (restored_client){.client = client, .first = 1};
    return &r->clients[r->client_count++];
}

static void learn_clients(restorer *r)
{
    for (size_t i = 0; i < reprise_value_count(r->match); i++) {
        const char *key = reprise_value_key(r->match, i);
        const reprise_value *one = reprise_value_at(r->match, i);
        bool leaves = strncmp(key, "Disconnect@", strlen("Disconnect@")) == 0;
        if (!leaves && strncmp(key, "Client@", strlen("Client@")) != 0)
            continue;
        long client = strtol(strchr(key, '@') + 1, NULL, 10);
        restored_client *c = add_client(r, leaves ? number_in(one, "Client", 0) : (int32_t)client);
        if (c && leaves) {
            c->end = number_in(one, "Frame", ORA_FRAME_NOW);
        } else if (c) {
            c->first = number_in(one, "First", 1);
            c->last = RP_MIN(number_in(one, "Last", 0), r->frame_last);
        }
    }
}

/* Without carried texts, all players are present from the first frame to the last. */
static void guess_clients(restorer *r)
{
    const reprise_value *metadata = rp_get(r->foreign->about, "metadata");
    size_t players = reprise_value_count(rp_get(metadata, "players"));
    for (size_t i = 0; i < RP_MAX(players, (size_t)1); i++) {
        restored_client *c = add_client(r, (int32_t)i + 1);
        if (c)
            c->last = r->frame_last;
    }
}

static void learn_players(restorer *r, const reprise_value *header)
{
    for (size_t i = 0; i < reprise_value_count(header) && r->player_count < CLIENTS_MAX; i++) {
        if (strncmp(reprise_value_key(header, i), "Player@", strlen("Player@")) == 0)
            r->players[r->player_count++] = number_in(reprise_value_at(header, i), "ClientIndex",
                                                      0);
    }
}

/* A few lines of text must not cause an unlimited number of packets. */
static reprise_status check_packets(const restorer *r)
{
    int64_t packets = 0;
    for (size_t i = 0; i < r->client_count; i++)
        packets += RP_MAX((int64_t)r->clients[i].last - r->clients[i].first + 1, (int64_t)0);
    return packets > PACKETS_MAX ? rp_error_set(r->error, REPRISE_E_LIMIT,
                                                "a match of more than %d packets", PACKETS_MAX)
                                 : REPRISE_OK;
}

static reprise_status learn_match(restorer *r, const reprise_value *header)
{
    const reprise_value *about = rp_get(r->match, "Match");
    size_t count = r->foreign->frame_count;
    int64_t last = count ? r->foreign->frames[count - 1].number : 1;
    last = RP_MAX(last, (int64_t)number_in(about, "Frames", 1));
    if (last > FRAMES_MAX)
        return rp_error_set(r->error, REPRISE_E_LIMIT, "a match of more than %d frames",
                            FRAMES_MAX);
    r->frame_last = (int32_t)last;
    r->knows_latency = rp_get(about, "Latency") != NULL;
    r->latency = RP_MIN(number_in(about, "Latency", 0), LATENCY_MAX);
    learn_players(r, header);
    if (r->match)
        learn_clients(r);
    else
        guess_clients(r);
    return check_packets(r);
}

/* ---- the metadata ---- */

static void copy_text(rp_doc *doc, reprise_value *to, const char *key, const reprise_value *from,
                      const char *name)
{
    const char *text = rp_get_text(from, name);
    rp_set_text(doc, to, key, text ? text : "");
}

/* The values that the game lists in its replay browser. */
static reprise_value *make_header(rp_doc *doc, const reprise_value *about)
{
    const reprise_value *source = rp_get(about, "source"), *metadata = rp_get(about, "metadata");
    const reprise_value *players = rp_get(metadata, "players");
    reprise_value *header = rp_new_object(doc);
    reprise_value *root = rp_set_object(doc, header, "Root");
    copy_text(doc, root, "Mod", source, "mod_id");
    copy_text(doc, root, "Version", source, "mod_version");
    copy_text(doc, root, "MapTitle", metadata, "map_name");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *one = reprise_value_at(players, i);
        char key[32];
        rp_writer name;
        rp_writer_init(&name, doc->arena->context, sizeof key, doc->error);
        rp_put_format(&name, "Player@%zu", i);
        rp_put_u8(&name, 0);
        if (rp_writer_ok(&name)) {
            reprise_value *player = rp_set_object(doc, header, (const char *)name.data);
            rp_set(doc, player, "ClientIndex", rp_new_format(doc, "%zu", i + 1));
            copy_text(doc, player, "Name", one, "name");
            copy_text(doc, player, "FactionId", one, "faction");
            const char *outcome = rp_get_text(one, "outcome");
            bool won = outcome && strcmp(outcome, "won") == 0;
            bool lost = outcome && strcmp(outcome, "lost") == 0;
            rp_set_text(doc, player, "Outcome", won ? "Won" : lost ? "Lost" : "Undefined");
        }
        rp_writer_free(&name);
    }
    return header;
}

static reprise_status parse(restorer *r, const char *path, const reprise_value **ret_document)
{
    const rp_text *text = rp_foreign_text_of(r->foreign, path);
    rp_doc doc = {.arena = &r->all, .error = r->error};
    reprise_value *document = NULL;
    if (!text)
        return REPRISE_OK;
    RP_TRY(
        rp_yaml_document(&doc, &r->all.context->limits, text->data, text->size, path, &document));
    *ret_document = document;
    return REPRISE_OK;
}

/* The last SyncInfo before the start. */
static const char *lobby_path(const rp_foreign *foreign)
{
    const rp_foreign_text *texts = foreign->texts.items;
    const char *found = NULL;
    for (size_t i = 0; i < foreign->texts.count; i++) {
        if (strstr(texts[i].path, ".SyncInfo."))
            found = texts[i].path;
    }
    return found;
}

/* Uses the carried trailer, or else makes one from the carried lobby, or else from the metadata. */
static reprise_status find_header(restorer *r, const reprise_value **ret_header)
{
    const reprise_value *source = rp_get(r->foreign->about, "source"), *lobby = NULL;
    const char *path = lobby_path(r->foreign);
    RP_TRY(parse(r, ORA_CARRIED_TRAILER, ret_header));
    if (*ret_header)
        return REPRISE_OK;
    if (!path) {
        *ret_header = make_header(r->doc, r->foreign->about);
        return r->error->status;
    }
    RP_TRY(parse(r, path, &lobby));
    const reprise_value *about = rp_get(r->match, "Match");
    ora_match match = {lobby, rp_get_text(source, "mod_id"), rp_get_text(source, "mod_version"),
                       (int64_t)RP_MAX(number_in(about, "Frames", 1) - 1, 0) *
                           number_in(about, "TicksPerFrame", 3)};
    *ret_header = ora_make_trailer(&match, r->doc, r->dialect);
    return r->error->status;
}

static void fill_report(const restorer *r, reprise_value *report)
{
    rp_doc *doc = r->doc;
    rp_set_text(doc, report, "layout", r->dialect->name);
    rp_set_uint(doc, report, "restored", r->restored);
    rp_set_uint(doc, report, "recreated", r->recreated);
    reprise_value *notes = rp_set_array(doc, report, "notes");
    if (!r->knows_latency)
        rp_push(doc, notes,
                rp_new_text(doc, "chat, pauses and surrender may be up to three frames early: how "
                                 "far orders were sent ahead is unknown"));
    uint64_t given = 0;
    for (size_t i = 0; i < r->foreign->frame_count; i++)
        given += r->foreign->frames[i].order_count;
    if (given > r->restored + r->recreated)
        rp_push(doc, rp_set_array(doc, report, "dropped"),
                rp_new_format(doc, "%llu orders of clients that had left",
                              (unsigned long long)(given - r->restored - r->recreated)));
    for (size_t i = 0; i < reprise_value_count(r->names); i++) {
        unsigned long long count = reprise_value_uint(reprise_value_at(r->names, i), 0);
        rp_push(doc, notes,
                rp_new_format(doc, "%llu order%s %s reconstructed from the translation", count,
                              count > 1 ? "s" : "", reprise_value_key(r->names, i)));
    }
}

static reprise_status restore(restorer *r, rp_context *context, rp_sink *sink,
                              reprise_value *report)
{
    const reprise_value *header = NULL, *sync = NULL;
    RP_TRY(parse(r, ORA_CARRIED_MATCH, &r->match));
    const char *name = rp_get_text(rp_get(r->match, "Match"), "Dialect");
    const ora_dialect *dialect = name ? ora_dialect_find(name) : NULL;
    r->dialect = dialect ? dialect : r->dialect;
    rp_write_options options = {.layout = r->dialect->name};
    RP_TRY(parse(r, ORA_CARRIED_SYNC, &sync));
    r->sync = rp_get(sync, "Sync");
    RP_TRY(find_header(r, &header));
    RP_TRY(learn_match(r, header));
    RP_TRY(rp_encoder_open(context, rp_format_find("openra"), &options, header, NULL, sink,
                           &r->encoder, r->error));
    RP_TRY(put_frames(r));
    fill_report(r, report);
    return r->error->status;
}

reprise_status ora_from_foreign(rp_context *context, const rp_foreign *foreign, rp_sink *sink,
                                rp_doc *doc, reprise_value *report, reprise_error *error)
{
    const reprise_value *source = rp_get(foreign->about, "source");
    uint64_t index = reprise_value_uint(rp_get(source, "dialect_index"), ORA_DIALECT_COUNT - 1);
    if (index >= ORA_DIALECT_COUNT)
        return rp_error_set(error, REPRISE_E_CORRUPT, "carried orders of an unknown dialect");
    restorer *r = rp_alloc_zero(context, 1, sizeof *r, error);
    if (!r)
        return error->status;
    *r = (restorer){
        .foreign = foreign, .dialect = &ora_dialects[index], .doc = doc, .error = error};
    r->names = rp_new_object(doc);
    rp_arena_init(&r->arena, context);
    rp_arena_init(&r->all, context);
    reprise_status status = restore(r, context, sink, report);
    rp_encoder_close(r->encoder);
    rp_arena_free(&r->all);
    rp_arena_free(&r->arena);
    rp_free(context, r, sizeof *r);
    return status;
}
