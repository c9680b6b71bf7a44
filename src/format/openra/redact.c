/*
 * redact.c - finds and removes private data.
 *
 * Private values are in MiniYAML under known keys, in server messages and in chat. A name is
 * replaced by the same substitute everywhere; in free text only where it is a complete word. The
 * result must still play, so a key stays when its value is removed.
 */
#include "private.h"

#include "hash.h"
#include "miniyaml.h"
#include "write.h"

enum { SECRETS_MAX = 1024 };

#define NO_TIME "0001-01-01 00-00-00"

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* ---- keys ---- */

typedef struct secret {
    const char *key;
    uint32_t kind;
    const char *what, *neutral; /* NULL: an id that the plan makes up */
} secret;

static const secret secrets[] = {
    {"Password", RP_PRIVATE_IDS, "SERVER PASSWORD", ""},
    {"AuthToken", RP_PRIVATE_IDS, "authentication tokens and signatures", ""},
    {"AuthSignature", RP_PRIVATE_IDS, "authentication tokens and signatures", ""},
    {"Fingerprint", RP_PRIVATE_IDS, "player fingerprints", ""},
    {"GameUid", RP_PRIVATE_IDS, "match id", NULL},
    {"IpAddress", RP_PRIVATE_ADDRESSES, "network addresses", ""},
    {"AnonymizedIPAddress", RP_PRIVATE_ADDRESSES, "network addresses", ""},
    {"Location", RP_PRIVATE_ADDRESSES, "locations", ""},
    {"Latency", RP_PRIVATE_ADDRESSES, "network latency", "-1"},
    {"LatencyJitter", RP_PRIVATE_ADDRESSES, "network latency", "-1"},
    {"LatencyHistory", RP_PRIVATE_ADDRESSES, "network latency", "0"},
    {"ServerName", RP_PRIVATE_NAMES, "server name", ""},
};

static const char *const times[] = {"StartTimeUtc", "EndTimeUtc", "OutcomeTimestampUtc"};

uint32_t ora_key_privacy(const rp_yaml_node *node)
{
    for (size_t i = 0; i < RP_COUNT(secrets); i++) {
        bool empties = secrets[i].neutral && !*secrets[i].neutral;
        if (empties && rp_yaml_is(node, secrets[i].key))
            return secrets[i].kind;
    }
    return 0;
}

/* The secret under a key whose value is not neutral already, or NULL. */
static const secret *secret_of(const rp_yaml_node *node)
{
    for (size_t i = 0; i < RP_COUNT(secrets); i++) {
        const secret *s = &secrets[i];
        if (!rp_yaml_is(node, s->key))
            continue;
        if (!node->value)
            return NULL;
        bool neutral = !node->value_size;
        if (s->neutral)
            neutral |= node->value_size == strlen(s->neutral) &&
                       memcmp(node->value, s->neutral, node->value_size) == 0;
        else
            neutral |= rp_is_neutral_id(node->value, node->value_size);
        return neutral ? NULL : s;
    }
    return NULL;
}

/* Keys that releases of the game write; @ means a number or a name. */
/* clang-format off */
static const char *const known_keys[] = {
    "Root", "Player@", "Client", "Client@", "Slot@", "GlobalSettings", "ClientPing@", "Handshake",
    "DisabledSpawnPoints", "ConnectionQuality", "ConnectionQuality@", "LocalizedMessage",
    "FluentMessage", "Protocol", "Key", "Argument@", "Arguments", "Value", "Type", "TraitData",
    "Index", "Mod", "Mods", "Version", "Password", "Fingerprint", "AuthSignature", "AuthToken",
    "OrdersProtocol", "Map", "MapStatus", "MapUid", "MapTitle", "FinalGameTick", "StartTimeUtc",
    "EndTimeUtc", "ClientIndex", "Name", "IsHuman", "IsBot", "BotType", "FactionName",
    "FactionId", "Color", "DisplayFactionName", "DisplayFactionId", "Team", "SpawnPoint",
    "Handicap", "IsRandomFaction", "IsRandomSpawnPoint", "Outcome", "OutcomeTimestampUtc",
    "DisconnectFrame", "PreferredColor", "ColorRamp", "PreferredColorRamp", "Faction", "Race",
    "Country", "IpAddress", "AnonymizedIPAddress", "Location", "State", "Slot", "Bot",
    "BotControllerClientIndex", "IsAdmin", "Ping", "PingHistory", "PingJitter", "PlayerReference",
    "Closed", "AllowBots", "LockFaction", "LockRace", "LockColor", "LockTeam", "LockHandicap",
    "LockSpawn", "LockTeams", "Required", "Latency", "LatencyJitter", "LatencyHistory",
    "ServerName", "RandomSeed", "AllowSpectators", "GameUid", "EnableSingleplayer",
    "EnableSyncReports", "Dedicated", "GameSavesEnabled", "NetFrameInterval", "Timestep",
    "OrderLatency", "Options", "PreferredValue", "IsLocked", "Crates", "Creeps", "Shroud", "Fog",
    "AllyBuildRadius", "StartingCash", "TechLevel", "StartingUnitsClass", "AllowCheats",
    "AllowVersionMismatch", "FragileAlliances", "ShortGame", "Difficulty", "GameSpeedType",
    "IsRandomRace", "QueuedOrders",
};
/* clang-format on */

/* Lobby options may have any key, and are below Options. */
static bool is_known_key(const rp_yaml_node *node)
{
    for (size_t i = 0; i < RP_COUNT(known_keys); i++) {
        size_t size = strlen(known_keys[i]);
        bool prefix = known_keys[i][size - 1] == '@';
        if ((node->key_size == size || (prefix && node->key_size > size)) &&
            memcmp(node->key, known_keys[i], size) == 0)
            return true;
    }
    return false;
}

/* ---- what must go ---- */

static void note_gone(rp_plan *plan, const char *what, const char *from, size_t size,
                      const char *to)
{
    rp_doc *doc = &plan->doc;
    for (size_t i = 0; i < reprise_value_count(plan->substitutions); i++) {
        size_t known_size;
        const char *known = reprise_value_text(
            rp_get(reprise_value_at(plan->substitutions, i), "from"), &known_size);
        if (known_size == size && memcmp(known, from, size) == 0)
            return;
    }
    reprise_value *one = rp_push_object(doc, plan->substitutions);
    rp_set_text(doc, one, "what", what);
    rp_set(doc, one, "from", rp_new_text_n(doc, from, size));
    rp_set(doc, one, "to", to ? rp_new_text(doc, to) : rp_new_null(doc));
}

static void add_person(rp_plan *plan, ora_own *o, const char *name, size_t size)
{
    for (size_t i = 0; i < o->people_count; i++) {
        if (o->people[i].name_size == size && memcmp(o->people[i].name, name, size) == 0)
            return;
    }
    if (o->people_count == ORA_PEOPLE_MAX || !size || !removes(plan, RP_PRIVATE_NAMES))
        return;
    ora_person *p = &o->people[o->people_count++];
    p->name = rp_arena_text(&plan->arena, name, size, plan->doc.error);
    p->name_size = size;
    p->stand_in = rp_arena_format(&plan->arena, plan->doc.error, "Player %zu", o->people_count);
    if (p->name && p->stand_in && strcmp(p->name, p->stand_in) != 0)
        note_gone(plan, "player name", p->name, size, p->stand_in);
}

/* The name of a client or player; bots have none. */
typedef struct name_look {
    rp_yaml_node name;
    bool bot;
} name_look;

/* Adds the next node; true when the name of a person is complete. */
static bool next_name(name_look *look, const rp_yaml_node *node, rp_yaml_node *ret_name)
{
    bool complete = false;
    if (!node || node->depth == 0) {
        complete = look->name.value && !look->bot;
        *ret_name = look->name;
        *look = (name_look){0};
    }
    if (!node || node->depth != 1)
        return complete;
    if (rp_yaml_is(node, "Name"))
        look->name = *node;
    if ((rp_yaml_is(node, "Bot") && node->value) ||
        (rp_yaml_is(node, "IsBot") && rp_yaml_bool(node)))
        look->bot = true;
    return complete;
}

void ora_survey_yaml(rp_plan *plan, ora_own *o, const rp_text *text)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node, name;
    name_look look = {0};
    while (rp_yaml_next(&yaml, &node)) {
        if (next_name(&look, &node, &name))
            add_person(plan, o, name.value, name.value_size);
        const secret *s = secret_of(&node);
        if (s && removes(plan, s->kind) && o->secret_count < SECRETS_MAX &&
            strcmp(s->what, "network latency") != 0) {
            o->secret_count++;
            note_gone(plan, "private value", node.value, node.value_size, NULL);
        }
    }
    if (next_name(&look, NULL, &name))
        add_person(plan, o, name.value, name.value_size);
}

/* "name Alice": a client asks for a different name. */
static bool asks_for_name(const ora_order *order, rp_text *ret_name)
{
    static const char word[] = "name ";
    size_t n = sizeof word - 1;
    if (!ora_is(&order->order, "Command") || order->item.size <= n ||
        memcmp(order->item.data, word, n) != 0)
        return false;
    *ret_name = (rp_text){order->item.data + n, order->item.size - n};
    return true;
}

void ora_survey_order(rp_plan *plan, ora_own *o, const ora_order *order)
{
    rp_text name;
    if (order->frame != 0)
        return;
    if (ora_yaml_of(&order->order) != ORA_YAML_NONE)
        ora_survey_yaml(plan, o, &order->item);
    else if (asks_for_name(order, &name))
        add_person(plan, o, name.data, name.size);
}

void ora_clear_times(rp_plan *plan)
{
    for (size_t i = 0; i < reprise_value_count(plan->header); i++) {
        reprise_value *node = plan->header->as.list.items[i].value;
        for (size_t k = 0; k < RP_COUNT(times); k++) {
            size_t size = 0;
            const char *time = reprise_value_text(rp_get(node, times[k]), &size);
            if (!time || strcmp(time, NO_TIME) == 0)
                continue;
            note_gone(plan, "time", time, size, NULL);
            rp_replace(&plan->doc, node, times[k], rp_new_text(&plan->doc, NO_TIME));
        }
    }
}

/* ---- texts ---- */

static const ora_person *find_person(const ora_own *o, const char *text, size_t size)
{
    for (size_t i = 0; i < o->people_count; i++) {
        if (o->people[i].name_size == size && memcmp(o->people[i].name, text, size) == 0)
            return &o->people[i];
    }
    return NULL;
}

static bool word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (uint8_t)c >= 0x80;
}

/* The person whose name is at `at` as complete words; the longest of several. */
static const ora_person *person_at(const ora_own *o, const rp_text *text, size_t at)
{
    const ora_person *best = NULL;
    if (at && word_byte(text->data[at - 1]) && word_byte(text->data[at]))
        return NULL;
    for (size_t i = 0; i < o->people_count; i++) {
        const ora_person *p = &o->people[i];
        size_t end = at + p->name_size;
        if (end > text->size || memcmp(text->data + at, p->name, p->name_size) != 0)
            continue;
        bool inside = end < text->size && word_byte(text->data[end - 1]) &&
                      word_byte(text->data[end]);
        if (!inside && (!best || p->name_size > best->name_size))
            best = p;
    }
    return best;
}

static void put_free_text(rp_writer *w, const ora_own *o, const rp_text *text)
{
    for (size_t at = 0; at < text->size;) {
        const ora_person *p = person_at(o, text, at);
        if (p)
            rp_put_text(w, p->stand_in);
        else
            rp_put_u8(w, (uint8_t)text->data[at]);
        at += p ? p->name_size : 1;
    }
}

static const char *match_id(rp_plan *plan, ora_own *o)
{
    uint8_t digest[RP_SHA256_SIZE] = {0};
    if (!*o->match_id && rp_sha256_source(plan->source->context, plan->source->source, digest,
                                          plan->doc.error) == REPRISE_OK)
        rp_neutral_id(digest, o->match_id);
    return o->match_id;
}

/* The new value, or NULL to keep the old one. */
static const char *new_value(rp_plan *plan, ora_own *o, const rp_yaml_node *node, bool message)
{
    const secret *s = secret_of(node);
    if (s && removes(plan, s->kind))
        return s->neutral ? s->neutral : match_id(plan, o);
    bool named = rp_yaml_is(node, "Name") || (message && rp_yaml_is(node, "Value"));
    const ora_person *p = named && node->value && removes(plan, RP_PRIVATE_NAMES)
                              ? find_person(o, node->value, node->value_size)
                              : NULL;
    return p ? p->stand_in : NULL;
}

/* An unescaped # begins a comment, which the game does not need. */
static bool has_comment(const rp_text *text)
{
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] == '#' && (!i || text->data[i - 1] != '\\'))
            return true;
    }
    return false;
}

/* Prints all nodes again, without comments. */
static void print_yaml(rp_plan *plan, rp_writer *w, ora_own *o, const rp_text *text, bool message)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node;
    while (rp_yaml_next(&yaml, &node)) {
        size_t size = 0;
        const char *to = new_value(plan, o, &node, message);
        const char *key = rp_arena_text(&plan->scratch, node.key, node.key_size, w->error);
        const char *value = to ? to : rp_yaml_text(&plan->scratch, &node, &size, w->error);
        if (!key || !value)
            return;
        rp_yaml_put(w, node.depth, key, node.value ? value : NULL, to ? strlen(to) : size);
    }
}

/*
 * Names are under Name, and in messages under Value. Elsewhere a value that looks like a name is
 * something else.
 */
void ora_put_yaml(rp_plan *plan, rp_writer *w, ora_own *o, const rp_text *text, bool message)
{
    if (removes(plan, RP_PRIVATE_CONTENT) && has_comment(text)) {
        print_yaml(plan, w, o, text, message);
        return;
    }
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node;
    size_t copied = 0;
    while (rp_yaml_next(&yaml, &node)) {
        const char *to = node.value ? new_value(plan, o, &node, message) : NULL;
        if (to)
            rp_yaml_splice(w, &yaml, &node, to, strlen(to), &copied);
    }
    rp_put(w, text->data + copied, text->size - copied);
}

/* ---- the rows ---- */

static bool is_chat(const rp_text *order)
{
    return ora_is(order, "Chat") || ora_is(order, "TeamChat");
}

/* There are no whispers, but only chat to all was meant for everyone. */
static bool is_confidential(const ora_order *order, uint64_t present)
{
    return ora_is(&order->order, "TeamChat") ||
           (present >> ora_order_F_extra_data & 1 && order->extra_data);
}

bool ora_is_removed(const rp_plan *plan, const rp_row *row)
{
    const ora_order *order = row->data;
    if (!removes(plan, RP_PRIVATE_CHAT))
        return false;
    if (removes(plan, RP_PRIVATE_WHISPERS))
        return is_chat(&order->order) && is_confidential(order, row->present);
    return is_chat(&order->order);
}

static reprise_status edit_order(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const ora_order *order = row->data;
    if (order->frame != 0 || !order->item.size)
        return REPRISE_OK;
    ora_yaml kind = ora_yaml_of(&order->order);
    bool yaml = kind != ORA_YAML_NONE;
    if (!yaml && !removes(plan, RP_PRIVATE_NAMES))
        return REPRISE_OK;
    rp_writer w;
    rp_writer_init(&w, plan->source->context, SIZE_MAX / 2, error);
    if (yaml)
        ora_put_yaml(plan, &w, plan->own, &order->item, kind == ORA_YAML_OTHER);
    else
        put_free_text(&w, plan->own, &order->item);
    bool changed = rp_writer_ok(&w) &&
                   (w.size != order->item.size || memcmp(w.data, order->item.data, w.size) != 0);
    ora_order *copy = changed ? rp_arena_alloc(&plan->scratch, sizeof *copy, error) : NULL;
    if (copy) {
        *copy = *order;
        copy->item = (rp_text){rp_arena_text(&plan->scratch, w.data, w.size, error), w.size};
        copy->raw = (rp_text){0};
        row->data = copy;
    }
    rp_writer_free(&w);
    return error->status;
}

/*
 * Bytes that do not decode may be private and are removed. Of an order packet the orders before the
 * damage are kept, because the game waits for the packet.
 */
static reprise_status empty_damaged(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const ora_packet *packet = row->data;
    row->data = NULL;
    if (!packet->frame)
        return REPRISE_OK;
    ora_packet *copy = rp_arena_alloc(&plan->scratch, sizeof *copy, error);
    if (!copy)
        return error->status;
    *copy = *packet;
    copy->damaged = false;
    copy->raw = (rp_text){0};
    row->data = copy;
    return REPRISE_OK;
}

reprise_status ora_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        rp_row row = batch->rows[i];
        if (row.track == ORA_PACKETS && ((const ora_packet *)row.data)->damaged) {
            RP_TRY(empty_damaged(plan, &row, error));
            if (!row.data)
                continue;
        }
        if (row.track == ORA_ORDERS) {
            if (ora_is_removed(plan, &row))
                continue;
            RP_TRY(edit_order(plan, &row, error));
        }
        batch->rows[kept++] = row;
    }
    batch->count = kept;
    return error->status;
}

/* ---- what is private, by value ---- */

static void look_at_yaml(const rp_text *text, rp_private *found)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node, name;
    name_look look = {0};
    size_t options_depth = SIZE_MAX;
    bool more = true;
    while (more) {
        more = rp_yaml_next(&yaml, &node);
        if (next_name(&look, more ? &node : NULL, &name))
            rp_private_add(found, RP_PRIVATE_NAMES, "player names",
                           name.value_size &&
                               !rp_is_substitute(name.value, name.value_size, "Player"));
        if (!more)
            break;
        const secret *s = secret_of(&node);
        if (s)
            rp_private_add(found, s->kind, s->what, 1);
        for (size_t i = 0; i < RP_COUNT(times); i++)
            rp_private_add(found, RP_PRIVATE_TIMES, "times",
                           rp_yaml_is(&node, times[i]) && node.value_size &&
                               (node.value_size != sizeof NO_TIME - 1 ||
                                memcmp(node.value, NO_TIME, node.value_size) != 0));
        if (node.depth <= options_depth)
            options_depth = rp_yaml_is(&node, "Options") ? node.depth : SIZE_MAX;
        bool option = options_depth != SIZE_MAX && node.depth > options_depth;
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "keys that no release writes",
                                "their meaning is unknown", true, !option && !is_known_key(&node));
    }
    rp_private_add(found, RP_PRIVATE_CONTENT, "texts with comments", has_comment(text));
}

static uint64_t count_others(const rp_replay *replay)
{
    uint64_t count = 0;
    for (size_t i = 0; i < replay->blob_count; i++)
        count += strcmp(replay->blobs[i].kind, "other") == 0;
    return count;
}

reprise_status ora_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)base;
    if (replay->metadata.data)
        look_at_yaml(&replay->metadata, found);
    rp_private_add(found, RP_PRIVATE_CONTENT, "unknown files", count_others(base));
    if (found->quick)
        rp_private_add(found, RP_PRIVATE_CHAT, "chat messages", replay->chat_count);
    const char *title = rp_get_text(rp_get(replay->header, "Root"), "MapTitle");
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "title of the map",
                            "content, not people, as far as a program can tell", false,
                            title && *title);
    return error->status;
}

static void look_at_order(const ora_order *order, uint64_t present, rp_private *found)
{
    if (is_chat(&order->order)) {
        uint32_t kind = is_confidential(order, present) ? RP_PRIVATE_WHISPERS : RP_PRIVATE_CHAT;
        rp_private_add(found, kind,
                       kind == RP_PRIVATE_CHAT ? "chat messages" : "chat messages for a team",
                       !found->quick);
        return;
    }
    rp_private_add_unproven(found, RP_PRIVATE_CHAT, "messages of the server",
                            "names of players are replaced, the rest is as the server wrote it",
                            false, ora_is(&order->order, "Message"));
    if (order->frame == 0 && ora_yaml_of(&order->order) != ORA_YAML_NONE)
        look_at_yaml(&order->item, found);
    rp_text name;
    if (asks_for_name(order, &name))
        rp_private_add(found, RP_PRIVATE_NAMES, "player names",
                       !rp_is_substitute(name.data, name.size, "Player"));
}

void ora_private_row(const rp_replay *replay, const rp_row *row, rp_private *found)
{
    RP_UNUSED(replay);
    if (row->track == ORA_PACKETS)
        rp_private_add(found, RP_PRIVATE_CONTENT, "packets that do not decode",
                       ((const ora_packet *)row->data)->damaged);
    else
        look_at_order(row->data, row->present, found);
}
