/*
 * plan.c - what becomes of a CS2KZ replay that is written again: the header of the result, what the
 * target layout cannot hold, and what is private in it.
 */
#include "document.h"
#include "write.h"

#include <stdio.h>

/* ---- losses ---- */

/* What of a recording a layout may have no place for. */
typedef struct survey {
    const kz_wire *from;
    uint64_t presses, no_weapon, fractions, moves_max;
    uint64_t aimed; /* moves with a change of aim where this layout has it */
    uint32_t object, track;
    uint64_t moves; /* of the record being counted */
} survey;

/* Whether a move changes the aim, in a layout that stores this in moves of its kind. */
static bool aims(const kz_wire *wire, const kz_move *move)
{
    if ((move->button != 0) != wire->button_view)
        return false;
    return rp_load_f32(move->data + KZ_MOVE_AIM) != 0 ||
           rp_load_f32(move->data + KZ_MOVE_AIM + 4) != 0;
}

static reprise_status survey_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    survey *s = ctx;
    static const kz_presses nothing;
    switch (row->track) {
    case KZ_TICKS: {
        const kz_tick *tick = row->data;
        s->presses += memcmp(&tick->presses, &nothing, sizeof nothing) != 0;
        s->no_weapon += tick->held.weapon < 0;
        break;
    }
    case KZ_AIRCALLS: {
        const kz_aircall *call = row->data;
        s->fractions += call->start_fraction != 0 || call->end_fraction != 1;
        break;
    }
    case KZ_SUBTICKS:
    case KZ_COMMAND_SUBTICKS:
        s->moves = s->track == row->track && s->object == row->object ? s->moves + 1 : 1;
        s->moves_max = RP_MAX(s->moves_max, s->moves);
        s->aimed += aims(s->from, row->data);
        s->object = row->object;
        s->track = row->track;
        break;
    default:
        break;
    }
    return REPRISE_OK;
}

static reprise_status take_survey(rp_plan *plan, survey *s, reprise_error *error)
{
    rp_selection selection = {.tracks = (UINT64_C(1) << KZ_TRACK_COUNT) - 1};
    return rp_each_row(plan->source, selection, survey_row, s, error);
}

static void lose(rp_plan *plan, const char *text)
{
    rp_push(&plan->doc, plan->losses, rp_new_text(&plan->doc, text));
}

static bool has(const kz_replay *replay, unsigned field)
{
    return replay->header_present >> field & 1;
}

static void header_losses(rp_plan *plan, const kz_replay *replay, const kz_wire *wire)
{
    if (wire->structs && !replay->wire->structs) {
        if (has(replay, kz_header_F_viewmodel_offset_x) ||
            has(replay, kz_header_F_viewmodel_offset_y) ||
            has(replay, kz_header_F_viewmodel_offset_z) || has(replay, kz_header_F_viewmodel_fov))
            lose(plan, "viewmodel settings");
        if (has(replay, kz_header_F_unknown))
            lose(plan, "unknown header fields");
    }
    if (!wire->structs && replay->wire->structs && replay->header.archived_timestamp)
        lose(plan, "the time it was archived");
}

static void row_losses(rp_plan *plan, const survey *s, const kz_wire *from, const kz_wire *to)
{
    if (!to->press_bit && s->presses)
        lose(plan, "jump presses and landings of ticks");
    if (!to->weapon_bit && from->weapon_bit && s->no_weapon)
        lose(plan, "ticks without a weapon");
    if (to->call_size < from->call_size && s->fractions)
        lose(plan, "fractions of air-acceleration calls");
    if (to->button_view != from->button_view && s->aimed)
        rp_push(&plan->doc, plan->losses,
                rp_new_format(&plan->doc, "aim of %llu %s moves", (unsigned long long)s->aimed,
                              from->button_view ? "button" : "analog"));
    if (!to->in_place && s->moves_max > to->slots) {
        char text[64];
        snprintf(text, sizeof text, "more than %u moves in a tick", to->slots);
        lose(plan, text);
    }
}

/* ---- private data ---- */

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
    if (removes(plan, RP_PRIVATE_CONTENT))
        person->unknown = (rp_text){0};
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
}

static void scrub_owned(rp_plan *plan, kz_owned *owned)
{
    if (owned && owned->item)
        scrub_item(plan, owned->item, true);
    if (owned && removes(plan, RP_PRIVATE_CONTENT))
        owned->unknown = (rp_text){0};
}

/* The header is a copy: it was made from its document. */
static void scrub_header(rp_plan *plan, kz_header *h)
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
    if (removes(plan, RP_PRIVATE_ADDRESSES))
        h->server_ip = 0;
    if (removes(plan, RP_PRIVATE_TIMES))
        h->timestamp = h->archived_timestamp = 0;
    if (removes(plan, RP_PRIVATE_LOOKS)) {
        h->sensitivity = 1.25f;
        h->yaw = h->pitch = 0.022f;
        h->viewmodel_offset_x = h->viewmodel_offset_y = 1;
        h->viewmodel_offset_z = -1;
        h->viewmodel_fov = 60;
    }
    if (removes(plan, RP_PRIVATE_CONTENT))
        h->unknown = (rp_text){0};
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
    if (removes(plan, RP_PRIVATE_LOOKS)) {
        command->framerate = 0;
        command->sensitivity = 1.25f;
        command->m_yaw = command->m_pitch = 0.022f;
    }
}

/* Bytes of a move that mean nothing are stray memory of the server. */
static void scrub_move(const rp_plan *plan, kz_move *move)
{
    const kz_wire *wire = ((const kz_replay *)plan->source)->wire;
    if (!removes(plan, RP_PRIVATE_CONTENT))
        return;
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
        if ((copy = copy_row(plan, row, sizeof(kz_move), error)))
            scrub_move(plan, copy);
        break;
    case KZ_WEAPONS:
        if ((copy = copy_row(plan, row, sizeof(kz_weapon_row), error)))
            scrub_item(plan, &((kz_weapon_row *)copy)->item, false);
        break;
    default:
        break;
    }
}

reprise_status kz_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        rp_row row = batch->rows[i];
        /* Nobody knows what is in events nobody knows. */
        if (row.track == KZ_EVENTS && removes(plan, RP_PRIVATE_CONTENT) &&
            ((const kz_event *)row.data)->type >= KZ_EVENT_COUNT)
            continue;
        scrub_row(plan, &row, error);
        batch->rows[kept++] = row;
    }
    batch->count = kept;
    return error->status;
}

/* Modes, styles and weapons in front of the cut are still in force behind it. */
bool kz_outlasts_cut(const rp_plan *plan, const rp_row *row)
{
    if (row->index > plan->edit.index_from)
        return false;
    if (row->track == KZ_WEAPON_EVENTS)
        return true;
    uint32_t type = row->track == KZ_EVENTS ? ((const kz_event *)row->data)->type : 0;
    return type == KZ_EVENT_MODE || type == KZ_EVENT_STYLE;
}

/* ---- the plan ---- */

reprise_status kz_plan(rp_plan *plan, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)plan->source;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    const kz_wire *wire = kz_wire_find(plan->edit.layout);
    if (!wire)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "cs2kz has no layout '%s'",
                            plan->edit.layout);
    header_losses(plan, replay, wire);
    if (replay->wire != wire) {
        survey s = {.from = replay->wire, .track = UINT32_MAX};
        RP_TRY(take_survey(plan, &s, error));
        row_losses(plan, &s, replay->wire, wire);
    }
    plan->header = rp_document_of(&plan->doc, &kz_header_record, &replay->header,
                                  replay->header_present);
    if (!plan->edit.remove)
        return error->status;
    kz_header header = replay->header;
    uint64_t present = 0;
    rp_document_read(&plan->arena, plan->header, &kz_header_record, &header, &present, error);
    scrub_header(plan, &header);
    plan->header = rp_document_of(&plan->doc, &kz_header_record, &header, present);
    return error->status;
}
