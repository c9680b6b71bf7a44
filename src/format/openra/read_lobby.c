/*
 * read_lobby.c - MiniYAML of the lobby and the metadata: rows of clients, slots and settings, and
 * the values that other files of the directory use.
 */
#include "miniyaml.h"
#include "openra.h"

enum {
    ROWS_PER_TEXT = 4096, /* more than any real lobby has */
    NAMES_MAX = 256,
    TICKS_PER_FRAME = 3,
};

ora_yaml ora_yaml_of(const rp_text *order)
{
    static const struct {
        const char *name;
        ora_yaml yaml;
    } orders[] = {
        {"HandshakeRequest", ORA_YAML_HANDSHAKE},
        {"HandshakeResponse", ORA_YAML_HANDSHAKE},
        {"SyncInfo", ORA_YAML_LOBBY},
        {"SyncLobbyClients", ORA_YAML_LOBBY},
        {"SyncLobbySlots", ORA_YAML_LOBBY},
        {"SyncLobbyGlobalSettings", ORA_YAML_LOBBY},
        {"SyncClientPings", ORA_YAML_OTHER},
        {"SyncConnectionQuality", ORA_YAML_OTHER},
        {"LocalizedMessage", ORA_YAML_OTHER},
        {"FluentMessage", ORA_YAML_OTHER},
        {"SaveTraitData", ORA_YAML_OTHER},
    };
    for (size_t i = 0; i < RP_COUNT(orders); i++) {
        if (ora_is(order, orders[i].name))
            return orders[i].yaml;
    }
    return ORA_YAML_NONE;
}

/* ---- from keys to fields ---- */

/* Keys whose column has a different name: older keys, and two keys with one meaning. */
static const char *const aliases[][2] = {
    {"Race", "Faction"},
    {"LockRace", "LockFaction"},
    {"IpAddress", "Address"},
    {"AnonymizedIPAddress", "Address"},
};

/* SpawnPoint is spawn_point. */
static bool key_is_field(const char *key, size_t size, const char *name)
{
    size_t i = 0;
    for (; *name; name++) {
        if (*name == '_')
            continue;
        if (i == size || (key[i] | 0x20) != *name)
            return false;
        i++;
    }
    return i == size;
}

static const rp_field *field_of(const rp_record *record, const rp_yaml_node *node)
{
    const char *key = node->key;
    size_t size = node->key_size;
    for (size_t i = 0; i < RP_COUNT(aliases); i++) {
        if (rp_yaml_is(node, aliases[i][0])) {
            key = aliases[i][1];
            size = strlen(key);
        }
    }
    for (size_t i = 0; i < record->count; i++) {
        if (key_is_field(key, size, record->fields[i].name))
            return &record->fields[i];
    }
    return NULL;
}

/* ---- rows ---- */

typedef struct emitter {
    rp_decoder *decoder;
    rp_arena *arena;
    uint32_t packet;
    size_t rows;
    const rp_record *record; /* of the row being filled in, or NULL */
    rp_row row;
    void *data;
    reprise_error *error;
} emitter;

static void set_text(emitter *e, size_t field, const char *text, size_t size)
{
    *(rp_text *)rp_at(&e->record->fields[field], e->data) = (rp_text){text, size};
    e->row.present |= UINT64_C(1) << field;
}

static void set_value(emitter *e, const rp_field *field, const rp_yaml_node *node)
{
    rp_text *text = rp_at(field, e->data);
    switch (field->kind) {
    case RP_TEXT:
        text->data = rp_yaml_text(e->arena, node, &text->size, e->error);
        break;
    case RP_BOOL:
        *(bool *)rp_at(field, e->data) = rp_yaml_bool(node);
        break;
    default:
        rp_field_set_int(field, e->data, rp_yaml_int(node, 0));
    }
    e->row.present |= UINT64_C(1) << (field - e->record->fields);
}

static void fill(emitter *e, const rp_yaml_node *node)
{
    const rp_field *field = e->record ? field_of(e->record, node) : NULL;
    if (field)
        set_value(e, field, node);
}

static void flush(emitter *e)
{
    if (!e->record)
        return;
    e->record = NULL;
    if (rp_selected(e->decoder, e->row.track) && e->rows++ < ROWS_PER_TEXT &&
        e->error->status == REPRISE_OK)
        (void)rp_emit(e->decoder, e->row, e->error);
}

/* Starts a row. All three records begin with the same two fields. */
static void begin(emitter *e, uint32_t track)
{
    flush(e);
    const ora_replay *replay = (const ora_replay *)e->decoder->replay;
    const rp_record *record = ora_tracks[track].parts[0].record;
    e->data = e->rows < ROWS_PER_TEXT ? rp_arena_alloc(e->arena, record->size, e->error) : NULL;
    if (!e->data)
        return;
    e->record = record;
    rp_field_set_int(&record->fields[ora_client_F_packet], e->data, e->packet);
    *(bool *)rp_at(&record->fields[ora_client_F_at_start], e->data) = (int64_t)e->packet ==
                                                                      replay->lobby_packet;
    e->row = (rp_row){.track = track,
                      .present = UINT64_C(1) << ora_client_F_packet | UINT64_C(1)
                                                                          << ora_client_F_at_start,
                      .data = e->data};
}

typedef enum section { SECTION_OTHER, SECTION_ROW, SECTION_SETTINGS, SECTION_OPTIONS } section;

static section begin_section(emitter *e, const rp_yaml_node *node)
{
    const char *name;
    size_t size;
    flush(e);
    if (rp_yaml_has_prefix(node, "Client", &name, &size)) {
        begin(e, ORA_CLIENTS);
        return SECTION_ROW;
    }
    if (rp_yaml_has_prefix(node, "Slot", &name, &size)) {
        begin(e, ORA_SLOTS);
        if (e->record)
            set_text(e, ora_slot_F_slot, name, size);
        return SECTION_ROW;
    }
    return rp_yaml_is(node, "GlobalSettings") ? SECTION_SETTINGS : SECTION_OTHER;
}

static void begin_setting(emitter *e, const rp_yaml_node *node, bool option)
{
    begin(e, ORA_SETTINGS);
    if (!e->record)
        return;
    set_text(e, ora_setting_F_name, node->key, node->key_size);
    ((ora_setting *)e->data)->option = option;
    e->row.present |= UINT64_C(1) << ora_setting_F_option;
    if (!option)
        set_value(e, &e->record->fields[ora_setting_F_value], node);
}

static section read_setting(emitter *e, section now, const rp_yaml_node *node)
{
    if (node->depth == 1 && rp_yaml_is(node, "Options")) {
        flush(e);
        return SECTION_OPTIONS;
    }
    if (node->depth == 1)
        now = SECTION_SETTINGS;
    if (now == SECTION_OPTIONS && node->depth >= 3)
        fill(e, node);
    else if (node->depth == (now == SECTION_OPTIONS ? 2u : 1u))
        begin_setting(e, node, now == SECTION_OPTIONS);
    return now;
}

static void note_text(ora_replay *replay, const char *what, const reprise_error *damage)
{
    rp_note(&replay->base.findings, ORA_FINDING(YAML), damage->stream, damage->offset, what, "%s",
            damage->message);
}

reprise_status ora_emit_lobby(rp_decoder *decoder, rp_arena *arena, const rp_text *text,
                              uint32_t packet, reprise_error *error)
{
    emitter e = {.decoder = decoder, .arena = arena, .packet = packet, .error = error};
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "lobby", &damage);
    rp_yaml_node node;
    section now = SECTION_OTHER;
    while (error->status == REPRISE_OK && rp_yaml_next(&yaml, &node)) {
        if (node.depth == 0)
            now = begin_section(&e, &node);
        else if (now == SECTION_ROW && node.depth == 1)
            fill(&e, &node);
        else if (now >= SECTION_SETTINGS)
            now = read_setting(&e, now, &node);
    }
    flush(&e);
    if (damage.status != REPRISE_OK)
        note_text((ora_replay *)decoder->replay, "lobby", &damage);
    return error->status;
}

/* ---- documents ---- */

static uint32_t number_in(const reprise_value *object, const char *key, uint32_t least,
                          uint32_t most, uint32_t fallback)
{
    size_t size;
    const char *text = reprise_value_text(rp_get(object, key), &size);
    rp_yaml_node node = {.value = text, .value_size = text ? size : 0};
    int64_t number = rp_yaml_int(&node, -1);
    return number >= (int64_t)least && number <= (int64_t)most ? (uint32_t)number : fallback;
}

/* Text that does not parse is a finding; running out of memory is an error. */
static reprise_status parse(ora_replay *replay, const rp_text *text, const char *what,
                            reprise_value **ret_value, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &replay->base.arena, .error = &damage};
    reprise_status status = rp_yaml_document(&doc, &replay->base.context->limits, text->data,
                                             text->size, what, ret_value);
    if (rp_is_own_failure(replay->base.context, status))
        *error = damage;
    else if (status != REPRISE_OK)
        note_text(replay, what, &damage);
    return error->status;
}

static reprise_status add_name(ora_replay *replay, const reprise_value *from, const char *key,
                               reprise_error *error)
{
    const char *name = rp_get_text(from, "Name");
    uint32_t client = number_in(from, key, 0, INT32_MAX, UINT32_MAX);
    if (!name || client == UINT32_MAX || replay->name_count == NAMES_MAX ||
        ora_client_name(replay, (int32_t)client))
        return REPRISE_OK;
    if (!replay->names)
        replay->names = rp_arena_array(&replay->base.arena, NAMES_MAX, sizeof *replay->names,
                                       error);
    if (!replay->names)
        return error->status;
    replay->names[replay->name_count++] = (ora_name){(int32_t)client, name};
    return REPRISE_OK;
}

static reprise_status add_names(ora_replay *replay, const reprise_value *document,
                                const char *prefix, const char *key, reprise_error *error)
{
    for (size_t i = 0; i < reprise_value_count(document); i++) {
        if (strncmp(reprise_value_key(document, i), prefix, strlen(prefix)) == 0)
            RP_TRY(add_name(replay, reprise_value_at(document, i), key, error));
    }
    return REPRISE_OK;
}

const char *ora_client_name(const ora_replay *replay, int32_t client)
{
    for (size_t i = 0; i < replay->name_count; i++) {
        if (replay->names[i].client == client)
            return replay->names[i].name;
    }
    return NULL;
}

/* Tick lengths of the speeds: since p14 only their names are recorded. */
static void set_speed(ora_replay *replay, const reprise_value *settings)
{
    static const struct {
        const char *name;
        uint8_t tick_ms, latency;
    } speeds[] = {{"slowest", 80, 2}, {"slower", 50, 3}, {"default", 40, 3},
                  {"fast", 35, 4},    {"faster", 30, 4}, {"fastest", 20, 6}};
    const reprise_value *option = rp_get(rp_get(settings, "Options"), "gamespeed");
    const char *name = rp_get_text(option, "Value");
    replay->game_speed = name;
    for (size_t i = 0; name && i < RP_COUNT(speeds); i++) {
        if (strcmp(name, speeds[i].name) == 0) {
            replay->tick_ms = speeds[i].tick_ms;
            replay->latency = speeds[i].latency;
        }
    }
    replay->tick_ms = number_in(settings, "Timestep", 1, 10000, replay->tick_ms);
    replay->latency = number_in(settings, "OrderLatency", 0, 1000, replay->latency);
    replay->interval = number_in(settings, "NetFrameInterval", 1, 1000, TICKS_PER_FRAME);
}

reprise_status ora_use_lobby(ora_replay *replay, const rp_text *text, reprise_error *error)
{
    RP_TRY(parse(replay, text, "SyncInfo", &replay->lobby, error));
    set_speed(replay, rp_get(replay->lobby, "GlobalSettings"));
    return add_names(replay, replay->lobby, "Client@", "Index", error);
}

reprise_status ora_use_metadata(ora_replay *replay, reprise_error *error)
{
    if (!replay->metadata.data)
        return REPRISE_OK;
    RP_TRY(parse(replay, &replay->metadata, "metadata", &replay->header, error));
    const reprise_value *root = rp_get(replay->header, "Root");
    replay->mod = rp_get_text(root, "Mod");
    replay->version = rp_get_text(root, "Version");
    return REPRISE_OK;
}

reprise_status ora_use_players(ora_replay *replay, reprise_error *error)
{
    return add_names(replay, replay->header, "Player@", "ClientIndex", error);
}
