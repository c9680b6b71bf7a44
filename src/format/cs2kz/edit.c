/*
 * edit.c - what becomes of a CS2KZ replay that is written again: the header of the result and what
 * the target layout cannot hold. redact.c removes what is private.
 */
#include "document.h"
#include "write.h"

#include <stdio.h>

/* ---- losses ---- */

/* Content that a layout may have no place for. */
typedef struct survey {
    const kz_wire *from;
    uint64_t groups[KZ_GROUP_COUNT]; /* ticks in which one holds anything */
    uint64_t no_weapon, fractions, moves_max;
    uint64_t aimed; /* moves with a change of aim where this layout has it */
    uint32_t object, track;
    uint64_t moves; /* of the record being counted */
} survey;

/* Whether a move changes the aim, if the layout stores aim in moves of its kind. */
static bool aims(const kz_wire *wire, const kz_move *move)
{
    if ((move->button != 0) != wire->button_view)
        return false;
    return rp_load_f32(move->data + KZ_MOVE_AIM) != 0 ||
           rp_load_f32(move->data + KZ_MOVE_AIM + 4) != 0;
}

static bool is_zero(const char *bytes, size_t size)
{
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static reprise_status survey_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    survey *s = ctx;
    switch (row->track) {
    case KZ_TICKS: {
        const kz_tick *tick = row->data;
        for (size_t i = 0; i < KZ_GROUP_COUNT; i++)
            s->groups[i] += !is_zero((const char *)tick + kz_groups[i].offset,
                                     kz_groups[i].record->size);
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
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        if (!to->group_bits[i] && s->groups[i])
            lose(plan, kz_groups[i].loss);
    }
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

/* ---- the plan ---- */

/* Modes, styles and weapons from before the cut still apply after it. */
bool kz_survives_trim(const rp_plan *plan, const rp_row *row)
{
    if (row->index > plan->edit.index_from)
        return false;
    if (row->track == KZ_WEAPON_EVENTS)
        return true;
    uint32_t type = row->track == KZ_EVENTS ? ((const kz_event *)row->data)->type : 0;
    return type == KZ_EVENT_MODE || type == KZ_EVENT_STYLE;
}

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
    kz_scrub_header(plan, &header);
    plan->header = rp_document_of(&plan->doc, &kz_header_record, &header, present);
    return error->status;
}
