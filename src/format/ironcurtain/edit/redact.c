/*
 * redact.c - finds and removes private data in replays and saves (specification, 14).
 *
 * States are covered by hashes and signatures and cannot be changed. Free texts in them, in orders
 * that change the state, and in embedded rules are kept and reported as unproven.
 */
#include "private.h"

#include "hash.h"
#include "write.h"

#define NO_DATE "1970-01-01T00:00:00Z"
#define NO_FILE "replay"

static void substitute(rp_plan *plan, const char *what, const char *from, const char *to)
{
    if (!from || !*from || !to || strcmp(from, to) == 0)
        return;
    reprise_value *one = rp_push_object(&plan->doc, plan->substitutions);
    rp_set_text(&plan->doc, one, "what", what);
    rp_set_text(&plan->doc, one, "from", from);
    rp_set_text(&plan->doc, one, "to", to);
}

/* ---- metadata ---- */

static void report_replaced(void *ctx, const char *what, const char *from, const char *to)
{
    substitute(ctx, what, from, to);
}

static void report_dropped(void *ctx, const char *key)
{
    rp_plan *plan = ctx;
    rp_push(&plan->doc, plan->dropped, rp_new_format(&plan->doc, "metadata key %s", key));
}

const reprise_value *ic_clean_metadata(rp_plan *plan, const reprise_value *metadata, bool of_save)
{
    const ic_cleaning cleaning = {.doc = &plan->doc,
                                  .of_save = of_save,
                                  .replaced = report_replaced,
                                  .dropped = report_dropped,
                                  .ctx = plan};
    bool asked = plan->edit.remove & (RP_PRIVATE_ADDRESSES | RP_PRIVATE_CONTENT);
    return asked ? ic_metadata_clean(&cleaning, metadata) : metadata;
}

static reprise_value *put_text(rp_plan *plan, const char *what, const reprise_value *from,
                               const char *to)
{
    substitute(plan, what, reprise_value_text(from, NULL), to);
    return rp_new_text(&plan->doc, to);
}

/* An id that is the same each time the same file is anonymized. */
static reprise_value *new_id(rp_plan *plan, const reprise_value *from)
{
    uint8_t digest[RP_SHA256_SIZE];
    char id[RP_NEUTRAL_ID_SIZE];
    if (rp_sha256_source(plan->source->context, plan->source->source, digest, plan->doc.error) !=
        REPRISE_OK)
        return NULL;
    rp_neutral_id(digest, id);
    return put_text(plan, "replay id", from, id);
}

static const char *const outcomes[] = {"won", "lost", "draw", "abandoned", "unknown"};

static bool is_outcome(const char *text)
{
    for (size_t i = 0; i < RP_COUNT(outcomes); i++) {
        if (strcmp(outcomes[i], text) == 0)
            return true;
    }
    return false;
}

static reprise_value *edit_player(rp_plan *plan, const reprise_value *player, int64_t place)
{
    uint32_t remove = plan->edit.remove;
    reprise_value *one = rp_new_object(&plan->doc);
    int64_t slot = reprise_value_int(rp_get(player, "slot"), place);
    for (size_t i = 0; i < reprise_value_count(player); i++) {
        const char *key = reprise_value_key(player, i);
        const reprise_value *value = reprise_value_at(player, i);
        const char *text = reprise_value_text(value, NULL);
        reprise_value *to;
        if ((remove & RP_PRIVATE_NAMES) && strcmp(key, "name") == 0) {
            to = rp_new_format(&plan->doc, "Player %lld", (long long)slot + 1);
            substitute(plan, "player name", text, reprise_value_text(to, NULL));
        } else if ((remove & RP_PRIVATE_CONTENT) && strcmp(key, "outcome") == 0 && text &&
                   !is_outcome(text)) {
            to = put_text(plan, "outcome", value, "unknown");
        } else {
            to = rp_copy(&plan->doc, value);
        }
        rp_set(&plan->doc, one, key, to);
    }
    return one;
}

static reprise_value *edit_players(rp_plan *plan, const reprise_value *players)
{
    reprise_value *list = rp_new_array(&plan->doc);
    for (size_t i = 0; i < reprise_value_count(players); i++)
        rp_push(&plan->doc, list, edit_player(plan, reprise_value_at(players, i), (int64_t)i));
    return list;
}

/* Members of the metadata that identify people or times, and their replacements. */
static const struct {
    const char *object, *key, *what, *neutral;
    uint32_t kind;
} inner[] = {
    {"converted_from", "original_file", "name of the original file", NO_FILE, RP_PRIVATE_NAMES},
    {"converted_from", "conversion_date", "date of the conversion", NO_DATE, RP_PRIVATE_TIMES},
    {"branch_from", "parent_replay_id", "id of the parent replay",
     "00000000-0000-8000-8000-000000000000", RP_PRIVATE_IDS},
    {"branch_from", "parent_replay_file_sha256", "digest of the parent replay",
     "0000000000000000000000000000000000000000000000000000000000000000", RP_PRIVATE_IDS},
};

static reprise_value *edit_inner(rp_plan *plan, const char *object, const reprise_value *value)
{
    reprise_value *to = rp_copy(&plan->doc, value);
    for (size_t i = 0; i < RP_COUNT(inner); i++) {
        const reprise_value *old = rp_get(to, inner[i].key);
        size_t size = 0;
        reprise_value_text(old, &size);
        if (strcmp(inner[i].object, object) == 0 && (plan->edit.remove & inner[i].kind) && size)
            rp_replace(&plan->doc, to, inner[i].key,
                       put_text(plan, inner[i].what, old, inner[i].neutral));
    }
    return to;
}

reprise_value *ic_edit_member(rp_plan *plan, const char *key, const reprise_value *value)
{
    uint32_t remove = plan->edit.remove;
    if (strcmp(key, "players") == 0)
        return edit_players(plan, value);
    if (strcmp(key, "converted_from") == 0 || strcmp(key, "branch_from") == 0)
        return edit_inner(plan, key, value);
    if ((remove & RP_PRIVATE_ADDRESSES) && strcmp(key, "relay_server") == 0) {
        substitute(plan, "relay server", reprise_value_text(value, NULL), "");
        return NULL;
    }
    if ((remove & RP_PRIVATE_IDS) && strcmp(key, "replay_id") == 0)
        return new_id(plan, value);
    if ((remove & RP_PRIVATE_TIMES) && strcmp(key, "timestamp") == 0)
        return put_text(plan, "date", value, NO_DATE);
    return rp_copy(&plan->doc, value);
}

reprise_value *ic_edit_save_member(rp_plan *plan, const char *key, const reprise_value *value)
{
    const ic_save *save = (const ic_save *)plan->source;
    uint32_t remove = plan->edit.remove;
    if ((remove & RP_PRIVATE_NAMES) && strcmp(key, "save_name") == 0) {
        uint64_t tick = reprise_value_uint(rp_get(save->metadata, "tick"), 0);
        reprise_value *name = rp_new_format(&plan->doc, "Tick %llu", (unsigned long long)tick);
        substitute(plan, "name of the save", reprise_value_text(value, NULL),
                   reprise_value_text(name, NULL));
        return name;
    }
    if ((remove & RP_PRIVATE_CONTENT) && strcmp(key, "thumbnail") == 0)
        return NULL;
    return ic_edit_member(plan, key, value);
}

/* ---- rows ---- */

static bool is_chat(const ic_order *order)
{
    return order->order.variant == ic_player_order_V_ChatMessage ||
           order->order.variant == ic_player_order_V_ChatCommand;
}

static bool is_mark(const ic_order *order)
{
    return order->order.variant == ic_player_order_V_TacticalPing ||
           order->order.variant == ic_player_order_V_MinimapDraw;
}

static bool is_whisper(const ic_order *order)
{
    return order->order.variant == ic_player_order_V_ChatMessage &&
           order->order.as.chat_message->channel.variant == REPRISE_IC_CHANNEL_WHISPER;
}

static bool goes(const ic_order *order, uint32_t remove)
{
    bool chat = remove & RP_PRIVATE_WHISPERS ? is_whisper(order) : is_chat(order);
    return ((remove & RP_PRIVATE_CHAT) && chat) || ((remove & RP_PRIVATE_MARKS) && is_mark(order));
}

reprise_status ic_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    uint32_t remove = plan->edit.remove;
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track == IC_T_VOICE && (remove & RP_PRIVATE_VOICE))
            continue;
        if (row->track == IC_T_ORDERS && goes(&((const ic_order_data *)row->data)->order, remove))
            continue;
        batch->rows[kept++] = *row;
    }
    batch->count = kept;
    return error->status;
}

/* ---- what is private in the metadata, by value ---- */

static uint64_t has_other(const reprise_value *object, const char *key, const char *neutral)
{
    const char *text = rp_get_text(object, key);
    return text && *text && strcmp(text, neutral) != 0;
}

static void look_at_players(const reprise_value *metadata, rp_private *found)
{
    const reprise_value *players = rp_get(metadata, "players");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *player = reprise_value_at(players, i);
        size_t size = 0;
        const char *name = reprise_value_text(rp_get(player, "name"), &size);
        const char *outcome = rp_get_text(player, "outcome");
        const char *faction = rp_get_text(player, "faction");
        rp_private_add(found, RP_PRIVATE_NAMES, "player names",
                       size && !rp_is_substitute(name, size, "Player"));
        rp_private_add(found, RP_PRIVATE_CONTENT, "outcomes that are none",
                       outcome && !is_outcome(outcome));
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "names of factions",
                                "they are not simple identifiers", true,
                                faction && *faction && !rp_is_identifier(faction, strlen(faction)));
    }
}

typedef struct key_count {
    rp_private *found;
} key_count;

static void count_warning(void *ctx, const rp_finding_kind *kind, const char *message)
{
    RP_UNUSED(message);
    rp_private *found = ((key_count *)ctx)->found;
    if (kind == IC_FINDING(METADATA_KEY))
        rp_private_add(found, RP_PRIVATE_CONTENT, "unknown metadata keys", 1);
    else
        rp_private_add(found, RP_PRIVATE_ADDRESSES, "paths and addresses", 1);
}

static const char content_names[] = "content, not people, as far as a program can tell";

/* Texts with a fixed form: a text that follows it names content, any other may be private. */
static void doubt_text(rp_private *found, const char *what, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    bool odd = text && size && !rp_is_identifier(text, size);
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, what,
                            odd ? "it is not a simple identifier" : content_names, odd, size > 0);
}

static void look_at_texts(const reprise_value *metadata, rp_private *found)
{
    static const char *const identifiers[] = {"engine_version", "mod_api_version", "game_module",
                                              "balance_preset"};
    const reprise_value *mods = rp_get(metadata, "active_mods");
    const reprise_value *from = rp_get(metadata, "converted_from");
    const char *map = rp_get_text(metadata, "map_name");
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "name of the map", content_names, false,
                            map && *map);
    for (size_t i = 0; i < RP_COUNT(identifiers); i++)
        doubt_text(found, "names and versions of game and mods", rp_get(metadata, identifiers[i]));
    for (size_t i = 0; i < reprise_value_count(mods); i++) {
        const reprise_value *mod = reprise_value_at(mods, i);
        doubt_text(found, "names and versions of game and mods", rp_get(mod, "id"));
        doubt_text(found, "names and versions of game and mods", rp_get(mod, "version"));
    }
    doubt_text(found, "names and versions of game and mods", rp_get(from, "original_mod"));
    doubt_text(found, "names and versions of game and mods", rp_get(from, "original_version"));
}

static void look_at_metadata(const reprise_value *metadata, rp_private *found)
{
    look_at_players(metadata, found);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "relay server",
                   has_other(metadata, "relay_server", ""));
    size_t size = 0;
    const char *id = reprise_value_text(rp_get(metadata, "replay_id"), &size);
    rp_private_add(found, RP_PRIVATE_IDS, "replay id", size && !rp_is_neutral_id(id, size));
    rp_private_add(found, RP_PRIVATE_TIMES, "date", has_other(metadata, "timestamp", NO_DATE));
    for (size_t i = 0; i < RP_COUNT(inner); i++)
        rp_private_add(
            found, inner[i].kind, inner[i].what,
            has_other(rp_get(metadata, inner[i].object), inner[i].key, inner[i].neutral));
    look_at_texts(metadata, found);
}

/* ---- embedded resources ---- */

static void look_at_embedded(ic_replay *replay, rp_private *found, reprise_error *error)
{
    rp_arena arena;
    ic_embedded embedded;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_arena_init(&arena, replay->base.context);
    if (ic_embedded_load(replay, &arena, &embedded, &damage) == REPRISE_OK) {
        const ic_manifest *manifest = embedded.mod_manifest;
        uint64_t comments = 0;
        for (size_t i = 0; manifest && i < manifest->rules.count; i++) {
            const rp_text *yaml = &((const ic_rule *)manifest->rules.items)[i].yaml;
            comments += yaml->size && memchr(yaml->data, '#', yaml->size) != NULL;
        }
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "embedded rules with comments",
                                "the digest of the rules covers them", true, comments);
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "embedded rules",
                                "the replay cannot be played without them", false,
                                manifest ? manifest->rules.count : 0);
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "embedded map",
                                "the replay cannot be played without it", false,
                                embedded.map_data != NULL);
    } else if (damage.status == REPRISE_E_NOMEM || damage.status == REPRISE_E_IO) {
        *error = damage;
    }
    rp_arena_free(&arena);
}

reprise_status ic_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    ic_replay *replay = (ic_replay *)base;
    look_at_metadata(replay->metadata, found);
    (void)ic_metadata_check(replay->metadata, count_warning, &(key_count){found});
    look_at_embedded(replay, found, error);
    return error->status;
}

/* Saves have no allow-list, so a trial removal counts what would be dropped. */
static void count_dropped(void *ctx, const char *key)
{
    RP_UNUSED(key);
    rp_private_add(((key_count *)ctx)->found, RP_PRIVATE_CONTENT, "unknown metadata keys", 1);
}

static void count_replaced(void *ctx, const char *what, const char *from, const char *to)
{
    RP_UNUSED(what);
    if (strcmp(from, to) != 0)
        rp_private_add(((key_count *)ctx)->found, RP_PRIVATE_ADDRESSES, "paths and addresses", 1);
}

reprise_status ic_save_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const ic_save *save = (const ic_save *)base;
    rp_arena arena;
    rp_arena_init(&arena, base->context);
    rp_doc doc = {.arena = &arena, .error = error};
    key_count counts = {found};
    const ic_cleaning cleaning = {.doc = &doc,
                                  .of_save = true,
                                  .replaced = count_replaced,
                                  .dropped = count_dropped,
                                  .ctx = &counts};
    look_at_metadata(save->metadata, found);
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(save->metadata, "save_name"), &size);
    rp_private_add(found, RP_PRIVATE_NAMES, "title", size && !rp_is_substitute(name, size, "Tick"));
    rp_private_add(found, RP_PRIVATE_CONTENT, "thumbnail", save->thumbnail_size > 0);
    const reprise_value *flags = rp_get(rp_get(save->metadata, "campaign"), "flags");
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "campaign flags",
                            "scripts of mods write them", true, reprise_value_count(flags));
    (void)ic_metadata_clean(&cleaning, save->metadata);
    rp_arena_free(&arena);
    return error->status;
}

/* ---- rows, by value ---- */

/* Numbers and words such as true are not private. */
static bool is_setting(const rp_text *value)
{
    for (size_t i = 0; i < value->size; i++) {
        char c = value->data[i];
        if (!((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'))
            return (value->size == 4 && memcmp(value->data, "true", 4) == 0) ||
                   (value->size == 5 && memcmp(value->data, "false", 5) == 0);
    }
    return true;
}

static void look_at_order(const ic_order_data *row, rp_private *found)
{
    const ic_order *order = &row->order;
    uint32_t kind = is_whisper(order) ? RP_PRIVATE_WHISPERS : RP_PRIVATE_CHAT;
    rp_private_add(found, kind, is_whisper(order) ? "whispers" : "chat messages and commands",
                   is_chat(order));
    rp_private_add(found, RP_PRIVATE_MARKS, "pings and drawings", is_mark(order));
    if (order->order.variant == ic_player_order_V_SetCvar)
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "values of console variables",
                                "the state may depend on them", true,
                                !is_setting(&order->order.as.set_cvar->value));
    if (order->order.variant == ic_player_order_V_GameOrder)
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "orders of other modules",
                                "their content is unknown", true, !row->derived.game_order);
}

void ic_private_row(const rp_replay *replay, const rp_row *row, rp_private *found)
{
    static const char state[] = "the hash of the state covers it";
    RP_UNUSED(replay);
    const ic_string_row *name = row->data;
    switch (row->track) {
    case IC_T_ORDERS:
        look_at_order(row->data, found);
        break;
    case IC_T_VOICE:
        rp_private_add(found, RP_PRIVATE_VOICE, "voice recordings", 1);
        break;
    case IC_T_CAMPAIGN:
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "campaign state", state, true, 1);
        break;
    case IC_T_SCRIPTS:
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "script state", state, true, 1);
        break;
    case IC_T_VARS:
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "mission variables", state, true, 1);
        break;
    case IC_T_STRINGS:
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "names of the state", state, true,
                                name->text.size &&
                                    !rp_is_identifier(name->text.data, name->text.size));
        break;
    default:
        break;
    }
}
