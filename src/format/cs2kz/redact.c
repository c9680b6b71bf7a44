/*
 * redact.c - what is private in a CS2KZ replay, and how it is removed.
 *
 * Accounts, items and settings of a player are replaced by the values that a fresh installation
 * has, so that the plugin plays the result as it plays any other. Mouse counts go with the
 * sensitivity, which follows from them and the angles.
 */
#include "private.h"

#include "write.h"

#define NEUTRAL_MODEL "characters/models/ctm_sas/ctm_sas.vmdl"
static const float neutral_sensitivity = 1.25f, neutral_factor = 0.022f;
static const float neutral_offset = 1, neutral_height = -1, neutral_fov = 60;

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* Notes that a text is gone, so that the result can be searched for it. */
static void note_gone(rp_plan *plan, const char *what, const rp_text *text, const char *to)
{
    if (!text->data || !text->size ||
        (to && strlen(to) == text->size && memcmp(to, text->data, text->size) == 0))
        return;
    rp_doc *doc = &plan->doc;
    reprise_value *one = rp_push_object(doc, plan->substitutions);
    rp_set_text(doc, one, "what", what);
    rp_set(doc, one, "from", rp_new_text_n(doc, text->data, text->size));
    rp_set(doc, one, "to", rp_new_text(doc, to ? to : ""));
}

/* ---- the header ---- */

/* Bytes that no known field has; each message keeps its own. */
static size_t list_unknown(const kz_header *h, const rp_text **list, size_t room)
{
    const kz_cheater *cheater = h->cheater;
    const kz_manual *manual = h->manual;
    const kz_run *run = h->run;
    const kz_jump_header *jump = h->jump;
    const kz_map *map = h->map;
    const kz_owned *owned[] = {h->first_weapon, h->gloves};
    const kz_person *people[] = {h->player, cheater ? cheater->reporter : NULL,
                                 manual ? manual->saved_by : NULL};
    const kz_mode *modes[] = {run ? run->mode : NULL, jump ? jump->mode : NULL};
    size_t n = 0;
    list[n++] = &h->unknown;
    for (size_t i = 0; i < RP_COUNT(people); i++)
        list[n++] = people[i] ? &people[i]->unknown : NULL;
    for (size_t i = 0; i < RP_COUNT(owned); i++)
        list[n++] = owned[i] ? &owned[i]->unknown : NULL;
    for (size_t i = 0; i < RP_COUNT(modes); i++)
        list[n++] = modes[i] ? &modes[i]->unknown : NULL;
    list[n++] = map ? &map->unknown : NULL;
    list[n++] = manual ? &manual->unknown : NULL;
    list[n++] = cheater ? &cheater->unknown : NULL;
    list[n++] = run ? &run->unknown : NULL;
    list[n++] = jump ? &jump->unknown : NULL;
    for (size_t i = 0; run && i < run->styles.count && n < room; i++)
        list[n++] = &((const kz_mode *)run->styles.items)[i].unknown;
    return n;
}

enum { UNKNOWN_MAX = 12 + 64 }; /* the fixed ones, and one for each style */

/* The header is a copy of the plan's own, so its messages may be changed in place. */
static void drop_unknown(kz_header *h)
{
    const rp_text *list[UNKNOWN_MAX];
    size_t count = list_unknown(h, list, RP_COUNT(list));
    for (size_t i = 0; i < count; i++) {
        if (list[i])
            *(rp_text *)list[i] = (rp_text){0};
    }
    kz_run *run = h->run;
    for (size_t i = 0; run && i < run->styles.count; i++)
        ((kz_mode *)run->styles.items)[i].unknown = (rp_text){0};
}

static void scrub_person(rp_plan *plan, kz_person *person, const char *name)
{
    if (!person)
        return;
    if (removes(plan, RP_PRIVATE_NAMES) && person->name.size) {
        note_gone(plan, "name", &person->name, name);
        person->name = (rp_text){.data = name, .size = strlen(name)};
    }
    if (removes(plan, RP_PRIVATE_IDS))
        person->steam_id = 0;
}

static void scrub_item(rp_plan *plan, kz_item *item, bool note)
{
    static const rp_text empty = {"", 0};
    if (removes(plan, RP_PRIVATE_NAMES)) {
        if (note) {
            note_gone(plan, "item name", &item->custom_name, NULL);
            note_gone(plan, "item name", &item->custom_name_override, NULL);
        }
        item->custom_name = item->custom_name_override = empty;
    }
    if (removes(plan, RP_PRIVATE_IDS)) {
        item->account_id = 0;
        item->item_id = 0;
        item->inventory_position = 0;
    }
    if (removes(plan, RP_PRIVATE_LOOKS))
        item->quality = item->level = 0;
}

static void scrub_owned(rp_plan *plan, kz_owned *owned)
{
    if (owned && owned->item)
        scrub_item(plan, owned->item, true);
    if (owned && removes(plan, RP_PRIVATE_LOOKS))
        owned->attributes.count = 0;
}

static void scrub_settings(kz_header *h)
{
    h->sensitivity = neutral_sensitivity;
    h->yaw = h->pitch = neutral_factor;
    h->viewmodel_offset_x = h->viewmodel_offset_y = neutral_offset;
    h->viewmodel_offset_z = neutral_height;
    h->viewmodel_fov = neutral_fov;
}

static void scrub_looks(rp_plan *plan, kz_header *h)
{
    kz_owned *gloves = h->gloves;
    if (gloves && gloves->item)
        ((kz_item *)gloves->item)->item_def = 0; /* no item */
    if (!h->model_name.size)
        return;
    note_gone(plan, "player model", &h->model_name, NEUTRAL_MODEL);
    h->model_name = (rp_text){NEUTRAL_MODEL, sizeof NEUTRAL_MODEL - 1};
}

void kz_scrub_header(rp_plan *plan, kz_header *h)
{
    kz_cheater *cheater = h->cheater;
    kz_manual *manual = h->manual;
    scrub_person(plan, h->player, "Player");
    if (cheater)
        scrub_person(plan, cheater->reporter, "Reporter");
    if (manual)
        scrub_person(plan, manual->saved_by, "Saver");
    scrub_owned(plan, h->first_weapon);
    scrub_owned(plan, h->gloves);
    if (cheater && removes(plan, RP_PRIVATE_CHAT) && cheater->reason.size) {
        note_gone(plan, "reason of the report", &cheater->reason, NULL);
        cheater->reason = (rp_text){"", 0};
    }
    if (removes(plan, RP_PRIVATE_ADDRESSES))
        h->server_ip = 0;
    if (removes(plan, RP_PRIVATE_TIMES))
        h->timestamp = h->archived_timestamp = 0;
    if (removes(plan, RP_PRIVATE_IDS))
        scrub_settings(h);
    if (removes(plan, RP_PRIVATE_LOOKS))
        scrub_looks(plan, h);
    if (removes(plan, RP_PRIVATE_CONTENT))
        drop_unknown(h);
}

/* ---- rows ---- */

static void scrub_tick(const rp_plan *plan, kz_tick *tick)
{
    if (removes(plan, RP_PRIVATE_TIMES))
        tick->top.unix_time = 0;
}

static void scrub_command(const rp_plan *plan, kz_command *command)
{
    if (removes(plan, RP_PRIVATE_TIMES))
        command->unix_time = 0;
    if (removes(plan, RP_PRIVATE_ADDRESSES))
        command->latency = command->average_loss = 0;
    if (removes(plan, RP_PRIVATE_IDS)) {
        command->framerate = 0;
        command->sensitivity = neutral_sensitivity;
        command->m_yaw = command->m_pitch = neutral_factor;
        command->mouse_dx = command->mouse_dy = 0;
    }
}

/* Bytes of a move that mean nothing are stray memory of the server. */
static void clean_move(const kz_wire *wire, kz_move *move)
{
    bool view = (move->button != 0) == wire->button_view;
    if (move->button) {
        move->data[0] = move->data[0] != 0;
        memset(move->data + 1, 0, 7);
    }
    if (!view)
        memset(move->data + 8, 0, 8);
}

static void *copy_row(rp_plan *plan, rp_row *row, size_t size, reprise_error *error)
{
    void *copy = rp_arena_alloc(&plan->scratch, size, error);
    if (copy) {
        memcpy(copy, row->data, size);
        row->data = copy;
    }
    return copy;
}

static void scrub_row(rp_plan *plan, rp_row *row, reprise_error *error)
{
    void *copy;
    switch (row->track) {
    case KZ_TICKS:
        if ((copy = copy_row(plan, row, sizeof(kz_tick), error)))
            scrub_tick(plan, copy);
        break;
    case KZ_COMMANDS:
        if ((copy = copy_row(plan, row, sizeof(kz_command), error)))
            scrub_command(plan, copy);
        break;
    case KZ_SUBTICKS:
    case KZ_COMMAND_SUBTICKS:
        if (removes(plan, RP_PRIVATE_CONTENT) &&
            (copy = copy_row(plan, row, sizeof(kz_move), error)))
            clean_move(((const kz_replay *)plan->source)->wire, copy);
        break;
    case KZ_WEAPONS:
        if ((copy = copy_row(plan, row, sizeof(kz_weapon_row), error)))
            scrub_item(plan, &((kz_weapon_row *)copy)->item, false);
        break;
    default:
        break;
    }
}

/* Paint, seed and wear tell one item from all others; unknown events may hold anything. */
static bool goes(const rp_plan *plan, const rp_row *row)
{
    if (row->track == KZ_WEAPON_ATTRIBUTES)
        return removes(plan, RP_PRIVATE_LOOKS);
    return row->track == KZ_EVENTS && removes(plan, RP_PRIVATE_CONTENT) &&
           ((const kz_event *)row->data)->type >= KZ_EVENT_COUNT;
}

reprise_status kz_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        rp_row row = batch->rows[i];
        if (goes(plan, &row))
            continue;
        scrub_row(plan, &row, error);
        batch->rows[kept++] = row;
    }
    batch->count = kept;
    return error->status;
}

/* ---- what is private, by value ---- */

static bool differs(float value, float neutral)
{
    return value != 0 && value != neutral;
}

static void look_at_person(const kz_person *person, const char *substitute, rp_private *found)
{
    if (!person)
        return;
    rp_private_add(found, RP_PRIVATE_NAMES, "names",
                   person->name.size &&
                       !rp_is_substitute(person->name.data, person->name.size, substitute));
    rp_private_add(found, RP_PRIVATE_IDS, "account ids", person->steam_id != 0);
}

static void look_at_item(const kz_item *item, rp_private *found)
{
    rp_private_add(found, RP_PRIVATE_NAMES, "names of items",
                   (uint64_t)(item->custom_name.size > 0) + (item->custom_name_override.size > 0));
    rp_private_add(found, RP_PRIVATE_IDS, "items that identify their owner",
                   item->account_id || item->item_id || item->inventory_position);
    rp_private_add(found, RP_PRIVATE_LOOKS, "quality of items", item->quality || item->level);
}

static void look_at_owned(const kz_owned *owned, rp_private *found)
{
    if (owned && owned->item)
        look_at_item(owned->item, found);
    if (owned)
        rp_private_add(found, RP_PRIVATE_LOOKS, "paint and wear of items", owned->attributes.count);
}

static void look_at_settings(const kz_header *h, rp_private *found)
{
    rp_private_add(found, RP_PRIVATE_IDS, "mouse settings",
                   differs(h->sensitivity, neutral_sensitivity) ||
                       differs(h->yaw, neutral_factor) || differs(h->pitch, neutral_factor));
    rp_private_add(found, RP_PRIVATE_IDS, "viewmodel settings",
                   differs(h->viewmodel_offset_x, neutral_offset) ||
                       differs(h->viewmodel_offset_y, neutral_offset) ||
                       differs(h->viewmodel_offset_z, neutral_height) ||
                       differs(h->viewmodel_fov, neutral_fov));
}

static bool has_gloves(const kz_header *h)
{
    const kz_owned *gloves = h->gloves;
    const kz_item *item = gloves ? gloves->item : NULL;
    return item && item->item_def != 0;
}

static uint64_t count_unknown(const kz_header *h)
{
    const rp_text *list[UNKNOWN_MAX];
    size_t count = list_unknown(h, list, RP_COUNT(list));
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += list[i] && list[i]->size;
    return found;
}

/* Dumped structs have gaps, which our own writer fills with zeros: a header that is not as it would
 * write it has something in them. */
static reprise_status look_for_memory(const kz_replay *replay, rp_private *found,
                                      reprise_error *error)
{
    if (!replay->wire->structs)
        return REPRISE_OK;
    rp_context *context = replay->base.context;
    size_t size = (size_t)replay->header_size;
    kz_encoder *mirror = rp_alloc_zero(context, 1, sizeof *mirror, error);
    uint8_t *stored = mirror ? rp_alloc(context, size, error) : NULL;
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, error);
    if (stored && rp_source_read(replay->base.source, 0, stored, size, error) == REPRISE_OK) {
        mirror->wire = replay->wire;
        mirror->header = replay->header;
        kz_put_header(mirror, &w);
        if (rp_writer_ok(&w))
            rp_private_add(found, RP_PRIVATE_CONTENT, "stray memory of the server",
                           w.size != size || memcmp(w.data, stored, size) != 0);
    }
    rp_writer_free(&w);
    if (stored)
        rp_free(context, stored, size);
    if (mirror)
        rp_free(context, mirror, sizeof *mirror);
    return error->status;
}

static void doubt_names(const kz_header *h, rp_private *found)
{
    const kz_map *map = h->map;
    const kz_run *run = h->run;
    const kz_jump_header *jump = h->jump;
    const kz_mode *mode = run ? run->mode : jump ? jump->mode : NULL;
    uint64_t names = (map && map->name.size) + (uint64_t)(run && run->course_name.size) +
                     (mode && mode->name.size) + (run ? run->styles.count : 0);
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "names of map, course, mode and styles",
                            "content, not people, as far as a program can tell", false, names);
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "version of the plugin",
                            "it is not a number", true,
                            h->plugin_version.size &&
                                !rp_is_identifier(h->plugin_version.data, h->plugin_version.size));
}

reprise_status kz_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const kz_replay *replay = (const kz_replay *)base;
    const kz_header *h = &replay->header;
    const kz_cheater *cheater = h->cheater;
    const kz_manual *manual = h->manual;
    look_at_person(h->player, "Player", found);
    look_at_person(cheater ? cheater->reporter : NULL, "Reporter", found);
    look_at_person(manual ? manual->saved_by : NULL, "Saver", found);
    rp_private_add(found, RP_PRIVATE_CHAT, "reason of the report",
                   cheater && cheater->reason.size > 0);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "server address", h->server_ip != 0);
    rp_private_add(found, RP_PRIVATE_TIMES, "date",
                   (uint64_t)(h->timestamp != 0) + (h->archived_timestamp != 0));
    look_at_settings(h, found);
    look_at_owned(h->first_weapon, found);
    look_at_owned(h->gloves, found);
    rp_private_add(found, RP_PRIVATE_LOOKS, "gloves", has_gloves(h));
    rp_private_add(found, RP_PRIVATE_LOOKS, "player model",
                   h->model_name.size &&
                       (h->model_name.size != sizeof NEUTRAL_MODEL - 1 ||
                        memcmp(h->model_name.data, NEUTRAL_MODEL, sizeof NEUTRAL_MODEL - 1) != 0));
    rp_private_add(found, RP_PRIVATE_CONTENT, "unknown header fields", count_unknown(h));
    doubt_names(h, found);
    return look_for_memory(replay, found, error);
}

static void look_at_command(const kz_command *command, rp_private *found)
{
    rp_private_add(found, RP_PRIVATE_TIMES, "wall-clock times", command->unix_time != 0);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "network latency",
                   command->latency != 0 || command->average_loss != 0);
    rp_private_add(found, RP_PRIVATE_IDS, "mouse settings and counts of commands",
                   command->framerate != 0 || command->mouse_dx || command->mouse_dy ||
                       differs(command->sensitivity, neutral_sensitivity) ||
                       differs(command->m_yaw, neutral_factor) ||
                       differs(command->m_pitch, neutral_factor));
}

void kz_private_row(const rp_replay *base, const rp_row *row, rp_private *found)
{
    switch (row->track) {
    case KZ_TICKS:
        rp_private_add(found, RP_PRIVATE_TIMES, "wall-clock times",
                       ((const kz_tick *)row->data)->top.unix_time != 0);
        break;
    case KZ_COMMANDS:
        look_at_command(row->data, found);
        break;
    case KZ_SUBTICKS:
    case KZ_COMMAND_SUBTICKS: {
        kz_move move = *(const kz_move *)row->data;
        clean_move(((const kz_replay *)base)->wire, &move);
        rp_private_add(found, RP_PRIVATE_CONTENT, "moves with stray memory",
                       memcmp(&move, row->data, sizeof move) != 0);
        break;
    }
    case KZ_WEAPONS:
        look_at_item(&((const kz_weapon_row *)row->data)->item, found);
        break;
    case KZ_WEAPON_ATTRIBUTES:
        rp_private_add(found, RP_PRIVATE_LOOKS, "paint and wear of items", 1);
        break;
    case KZ_EVENTS:
        rp_private_add(found, RP_PRIVATE_CONTENT, "unknown events",
                       ((const kz_event *)row->data)->type >= KZ_EVENT_COUNT);
        break;
    case KZ_JUMPS:
        rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "reasons why a jump does not count",
                                "written by the plugin, as far as a program can tell", false,
                                ((const kz_jump *)row->data)->invalid_reason.size > 0);
        break;
    default:
        break;
    }
}
