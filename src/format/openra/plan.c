/*
 * plan.c - what becomes of an OpenRA replay that is written again: what another dialect cannot
 * hold, where it is cut, and who and what is taken out.
 *
 * Private values stand in MiniYAML under known keys, in the texts of the server and in chat. Names
 * are replaced by the same stand-in everywhere, whole words in free text.
 */
#include "write.h"

#include <stdio.h>

#include "miniyaml.h"

enum { PEOPLE_MAX = 256, SECRETS_MAX = 1024 };

typedef struct person {
    const char *name, *stand_in;
    size_t name_size;
} person;

typedef struct own {
    person people[PEOPLE_MAX];
    size_t people_count;
    size_t secret_count;
    uint64_t losses[ORA_LOSS_COUNT];
    uint64_t chats, damaged;
    const ora_dialect *to;
} own;

static void tell(rp_plan *plan, reprise_value *list, const char *what, uint64_t count)
{
    rp_push(&plan->doc, list,
            rp_new_format(&plan->doc, "%s: %llu", what, (unsigned long long)count));
}

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* ---- what is private ---- */

uint32_t ora_key_privacy(const rp_yaml_node *node)
{
    static const struct {
        const char *key;
        uint32_t what;
    } keys[] = {
        {"Password", RP_PRIVATE_IDS},        {"AuthToken", RP_PRIVATE_IDS},
        {"AuthSignature", RP_PRIVATE_IDS},   {"Fingerprint", RP_PRIVATE_IDS},
        {"IpAddress", RP_PRIVATE_ADDRESSES}, {"AnonymizedIPAddress", RP_PRIVATE_ADDRESSES},
        {"Location", RP_PRIVATE_ADDRESSES},  {"ServerName", RP_PRIVATE_NAMES},
    };
    for (size_t i = 0; i < RP_COUNT(keys); i++) {
        if (rp_yaml_is(node, keys[i].key))
            return keys[i].what;
    }
    return 0;
}

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

static void add_person(rp_plan *plan, own *o, const char *name, size_t size)
{
    for (size_t i = 0; i < o->people_count; i++) {
        if (o->people[i].name_size == size && memcmp(o->people[i].name, name, size) == 0)
            return;
    }
    if (o->people_count == PEOPLE_MAX || !size || !removes(plan, RP_PRIVATE_NAMES))
        return;
    person *p = &o->people[o->people_count++];
    p->name = rp_arena_text(&plan->arena, name, size, plan->doc.error);
    p->name_size = size;
    p->stand_in = rp_arena_format(&plan->arena, plan->doc.error, "Player %zu", o->people_count);
    if (p->name && p->stand_in)
        note_gone(plan, "player name", p->name, size, p->stand_in);
}

/* Collects the secrets and names that must go in one MiniYAML text. Bots are nobody. */
static void survey_yaml(rp_plan *plan, own *o, const rp_text *text)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node, name = {0};
    bool bot = false;
    while (rp_yaml_next(&yaml, &node)) {
        if (node.depth == 0) {
            if (name.value && !bot)
                add_person(plan, o, name.value, name.value_size);
            name = (rp_yaml_node){0};
            bot = false;
        }
        uint32_t what = ora_key_privacy(&node);
        if (node.value && removes(plan, what) && o->secret_count < SECRETS_MAX) {
            o->secret_count++;
            note_gone(plan, "private value", node.value, node.value_size, NULL);
        }
        if (node.depth == 1 && rp_yaml_is(&node, "Name"))
            name = node;
        if (node.depth == 1 && ((rp_yaml_is(&node, "Bot") && node.value) ||
                                (rp_yaml_is(&node, "IsBot") && rp_yaml_bool(&node))))
            bot = true;
    }
    if (name.value && !bot)
        add_person(plan, o, name.value, name.value_size);
}

static const person *find_person(const own *o, const char *text, size_t size)
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

/* The person whose name stands at `at` as whole words; of several the longest. */
static const person *person_at(const own *o, const rp_text *text, size_t at)
{
    const person *best = NULL;
    if (at && word_byte(text->data[at - 1]) && word_byte(text->data[at]))
        return NULL;
    for (size_t i = 0; i < o->people_count; i++) {
        const person *p = &o->people[i];
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

static void put_free_text(rp_writer *w, const own *o, const rp_text *text)
{
    for (size_t at = 0; at < text->size;) {
        const person *p = person_at(o, text, at);
        if (p)
            rp_put_text(w, p->stand_in);
        else
            rp_put_u8(w, (uint8_t)text->data[at]);
        at += p ? p->name_size : 1;
    }
}

/*
 * Copies MiniYAML and changes the values that must go. Names stand under Name, and in messages
 * under Value; anywhere else a value that looks like a name is something else.
 */
static void put_yaml(rp_plan *plan, rp_writer *w, const own *o, const rp_text *text, bool message)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node;
    size_t copied = 0;
    while (rp_yaml_next(&yaml, &node)) {
        if (!node.value)
            continue;
        bool named = rp_yaml_is(&node, "Name") || (message && rp_yaml_is(&node, "Value"));
        const person *p = named && removes(plan, RP_PRIVATE_NAMES)
                              ? find_person(o, node.value, node.value_size)
                              : NULL;
        if (removes(plan, ora_key_privacy(&node)))
            rp_yaml_splice(w, &yaml, &node, "", 0, &copied);
        else if (p)
            rp_yaml_splice(w, &yaml, &node, p->stand_in, strlen(p->stand_in), &copied);
    }
    rp_put(w, text->data + copied, text->size - copied);
}

/* ---- the rows ---- */

static bool is_chat(const rp_text *order)
{
    return ora_is(order, "Chat") || ora_is(order, "TeamChat");
}

/* Nobody whispers here, but only the chat of all was meant for everybody. */
static bool is_confidential(const ora_order *order, uint64_t present)
{
    return ora_is(&order->order, "TeamChat") ||
           (present >> ora_order_F_extra_data & 1 && order->extra_data);
}

static bool goes(const rp_plan *plan, const rp_row *row)
{
    const ora_order *order = row->data;
    return order->frame == 0 && removes(plan, RP_PRIVATE_CHAT) && is_chat(&order->order) &&
           (!removes(plan, RP_PRIVATE_WHISPERS) || is_confidential(order, row->present));
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
        put_yaml(plan, &w, plan->own, &order->item, kind == ORA_YAML_OTHER);
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
 * What does not decode may be anything and goes; of orders bound to a frame those before the damage
 * stay, because the game waits for a packet.
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
            if (goes(plan, &row))
                continue;
            RP_TRY(edit_order(plan, &row, error));
        }
        batch->rows[kept++] = row;
    }
    batch->count = kept;
    return error->status;
}

/* ---- before anything is written ---- */

static void survey_sync(own *o, const ora_replay *replay, const rp_row *row)
{
    const ora_sync *sync = row->data;
    if (replay->dialect == o->to)
        return;
    o->losses[ORA_LOSS_DEFEAT] += !o->to->defeat && sync->defeat;
    o->losses[ORA_LOSS_SYNC_LIST] += sync->hashes.count > 1;
}

typedef struct surveyor {
    rp_plan *plan;
    own *own;
} surveyor;

static reprise_status survey_row(void *ctx, const rp_row *row, reprise_error *error)
{
    rp_plan *plan = ((surveyor *)ctx)->plan;
    own *o = ((surveyor *)ctx)->own;
    const ora_replay *replay = (const ora_replay *)plan->source;
    if (row->track == ORA_SYNCS) {
        survey_sync(o, replay, row);
        return REPRISE_OK;
    }
    if (row->track == ORA_PACKETS) {
        o->damaged += ((const ora_packet *)row->data)->damaged;
        return REPRISE_OK;
    }
    const ora_order *order = row->data;
    o->chats += goes(plan, row);
    if (plan->edit.remove && order->frame == 0 && ora_yaml_of(&order->order) != ORA_YAML_NONE)
        survey_yaml(plan, o, &order->item);
    if (replay->dialect == o->to)
        return error->status;
    ora_order changed = *order;
    uint64_t present = row->present;
    uint32_t lost = ora_lower(replay->dialect, o->to, &changed, &present);
    for (unsigned i = 0; i < ORA_LOSS_COUNT; i++)
        o->losses[i] += lost >> i & 1;
    return error->status;
}

static reprise_status survey(rp_plan *plan, own *o, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_SYNCS |
                                        UINT64_C(1) << ORA_PACKETS};
    return rp_each_row(plan->source, selection, survey_row, &(surveyor){plan, o}, error);
}

static reprise_status parse_header(rp_plan *plan, rp_writer *text, reprise_error *error)
{
    return rp_yaml_document(&plan->doc, &plan->source->context->limits, (const char *)text->data,
                            text->size, "metadata", &plan->header) == REPRISE_OK
               ? REPRISE_OK
               : error->status;
}

static void clear_times(rp_plan *plan)
{
    static const char *const keys[] = {"StartTimeUtc", "EndTimeUtc", "OutcomeTimestampUtc"};
    for (size_t i = 0; i < reprise_value_count(plan->header); i++) {
        reprise_value *node = plan->header->as.list.items[i].value;
        for (size_t k = 0; k < RP_COUNT(keys); k++) {
            size_t size = 0;
            const char *time = reprise_value_text(rp_get(node, keys[k]), &size);
            if (!time || strncmp(time, "0001", 4) == 0)
                continue;
            note_gone(plan, "time", time, size, NULL);
            rp_replace(&plan->doc, node, keys[k], rp_new_text(&plan->doc, "0001-01-01 00-00-00"));
        }
    }
}

/* Metadata with what must go taken out. */
static reprise_status clean_header(rp_plan *plan, own *o, const rp_text *metadata,
                                   reprise_error *error)
{
    rp_writer text;
    rp_writer_init(&text, plan->source->context, SIZE_MAX / 2, error);
    put_yaml(plan, &text, o, metadata, false);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = parse_header(plan, &text, error);
    rp_writer_free(&text);
    if (status == REPRISE_OK && removes(plan, RP_PRIVATE_TIMES))
        clear_times(plan);
    return status;
}

/*
 * A file that lost its trailer gets one of what the packets say, unless nothing else changes: then
 * it stays as it is, byte for byte.
 */
static reprise_status make_trailer(rp_plan *plan, own *o, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)plan->source;
    bool changes = o->to != replay->dialect || plan->edit.remove || plan->edit.trims;
    if (!changes && !plan->source->salvage)
        return REPRISE_OK;
    ora_match match = {replay->lobby, replay->mod, replay->version,
                       ora_frame_tick(replay, replay->frame_last)};
    plan->header = ora_make_trailer(&match, &plan->doc, o->to);
    rp_push(&plan->doc, plan->notes,
            rp_new_text(&plan->doc, "the trailer was made from what the packets say"));
    if (!plan->edit.remove)
        return error->status;
    rp_writer text;
    rp_writer_init(&text, plan->source->context, SIZE_MAX / 2, error);
    ora_yaml_write(&text, plan->header, 0);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = clean_header(plan, o, &(rp_text){(const char *)text.data, text.size}, error);
    rp_writer_free(&text);
    return status;
}

/* The metadata of the result: as it is, made anew, without private data, in the right form. */
static reprise_status make_header(rp_plan *plan, own *o, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)plan->source;
    rp_doc *doc = &plan->doc;
    plan->header = replay->header;
    if (!plan->header)
        RP_TRY(make_trailer(plan, o, error));
    else if (plan->edit.remove)
        RP_TRY(clean_header(plan, o, &replay->metadata, error));
    if (ora_colour_form(replay->dialect) == ora_colour_form(o->to))
        return REPRISE_OK;
    plan->header = plan->header ? rp_copy(doc, plan->header) : NULL;
    ora_convert_header(doc, o->to, plan->header);
    if (ora_colour_form(o->to) == ORA_COLOUR_HSL)
        rp_push(doc, plan->notes,
                rp_new_text(doc, "colours are the nearest that bytes of hue, saturation and "
                                 "lightness can hold"));
    return error->status;
}

static reprise_status check_edit(const rp_plan *plan, reprise_error *error)
{
    if (!plan->edit.trims || plan->edit.index_from <= 0)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_UNSUPPORTED,
                 "a recording of orders begins with its first frame: only its end can be cut");
    rp_error_hint(error, "leave out the start of the range");
    return error->status;
}

static void tell_losses(rp_plan *plan, const own *o, bool same)
{
    for (size_t i = 0; i < ORA_LOSS_COUNT; i++) {
        if (o->losses[i])
            tell(plan, plan->losses, ora_loss_names[i], o->losses[i]);
    }
    if (o->damaged && !same)
        tell(plan, plan->losses, ora_loss_names[ORA_LOSS_DAMAGED], o->damaged);
    if (o->damaged && plan->edit.remove)
        tell(plan, plan->notes, "packets left out because they do not decode", o->damaged);
    if (o->chats)
        tell(plan, plan->notes, "chat messages left out", o->chats);
}

/* ---- members of others ---- */

static bool is_readable(const rp_replay *source, size_t index)
{
    const rp_zip_entry *entry = rp_zip_entry_at(source->zip, index);
    return !rp_zip_is_damaged(source->zip) && !entry->encrypted &&
           (entry->method == 0 || entry->method == 8);
}

/* A second "orders" would be read by whoever takes the last one. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"metadata.yaml", "orders", "sync", "sync.bin"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* What an archive holds beside the match comes along as long as that is no secret. */
static reprise_status carry_members(rp_plan *plan, reprise_error *error)
{
    const rp_replay *source = plan->source;
    bool zip = strcmp(plan->edit.layout, "zip") == 0;
    uint64_t lost = 0;
    plan->carried = rp_arena_array(&plan->arena, source->blob_count, sizeof *plan->carried, error);
    for (size_t i = 0; plan->carried && i < source->blob_count; i++) {
        const char *name = source->blobs[i].name;
        if (strcmp(source->blobs[i].kind, "other") != 0)
            continue;
        if (!zip)
            lost++;
        else if (removes(plan, RP_PRIVATE_CONTENT))
            rp_push(&plan->doc, plan->notes, rp_new_format(&plan->doc, "%s is left out", name));
        else if (is_ours(name) || !is_readable(source, i))
            rp_push(&plan->doc, plan->dropped,
                    rp_new_format(&plan->doc, "%s, which nobody reads", name));
        else
            plan->carried[plan->carried_count++] = (rp_carried){.name = name, .blob = (int64_t)i};
    }
    if (lost)
        tell(plan, plan->losses, "members of the archive that are not the match's", lost);
    return error->status;
}

/* Sums that stand in no packet have a place in archives only. */
static void survey_sums(rp_plan *plan, const ora_replay *replay)
{
    if (strcmp(plan->edit.layout, "zip") == 0 || !ora_has_list(replay))
        return;
    uint64_t size = rp_zip_entry_at(plan->source->zip, (size_t)replay->sync_entry)->size;
    if (size >= 8)
        tell(plan, plan->losses, "sums over the world that no packet holds", size / 8);
}

reprise_status ora_plan(rp_plan *plan, reprise_error *error)
{
    ora_replay *replay = (ora_replay *)plan->source;
    RP_TRY(ora_settle_dialect(replay, error));
    RP_TRY(check_edit(plan, error));
    own *o = rp_arena_alloc(&plan->arena, sizeof *o, error);
    if (!o)
        return error->status;
    plan->own = o;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    o->to = ora_target_dialect(plan->edit.layout, replay);
    if (plan->edit.remove && replay->metadata.data)
        survey_yaml(plan, o, &replay->metadata);
    RP_TRY(survey(plan, o, error));
    RP_TRY(make_header(plan, o, error));
    tell_losses(plan, o, o->to == replay->dialect);
    survey_sums(plan, replay);
    return carry_members(plan, error);
}
