/*
 * plan.c - what becomes of a recording that is written again: which layouts it can take, where it
 * is cut, and who is taken out.
 */
#include "write.h"

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

static void note_gone(rp_plan *plan, const char *what, const char *from, const char *to)
{
    reprise_value *one = rp_push_object(&plan->doc, plan->substitutions);
    rp_set_text(&plan->doc, one, "what", what);
    rp_set_text(&plan->doc, one, "from", from);
    rp_set(&plan->doc, one, "to", rp_new_text(&plan->doc, to));
}

static void replace_name(rp_plan *plan, reprise_value *object, const char *key, size_t number)
{
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(object, key), &size);
    if (!size)
        return;
    reprise_value *to = rp_new_format(&plan->doc, "Player %zu", number);
    note_gone(plan, "player name", name, reprise_value_text(to, NULL));
    rp_replace(&plan->doc, object, key, to);
}

static void clean_header(rp_plan *plan)
{
    reprise_value *header = plan->header, *players = rp_get(header, "players");
    if (removes(plan, RP_PRIVATE_NAMES) && rp_get(header, "player_name"))
        replace_name(plan, header, "player_name", 1);
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        reprise_value *player = players->as.list.items[i].value;
        if (removes(plan, RP_PRIVATE_NAMES))
            replace_name(plan, player, "name", i + 1);
        if (removes(plan, RP_PRIVATE_ADDRESSES))
            rp_replace(&plan->doc, player, "address",
                       rp_new_text(&plan->doc, "00000000000000000000"));
    }
}

/* Unused bytes of an event are whatever stood in memory: who knows what that was. */
reprise_status cnc_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        rp_row *row = &batch->rows[i];
        if (row->track != CNC_EVENT_ROWS)
            continue;
        cnc_event *copy = rp_arena_alloc(&plan->scratch, sizeof *copy, error);
        if (!copy)
            return error->status;
        *copy = *(const cnc_event *)row->data;
        copy->raw = (rp_text){0};
        row->data = copy;
    }
    return REPRISE_OK;
}

static const cnc_layout *layout_of(const char *name)
{
    for (size_t i = 0; i < CNC_LAYOUT_COUNT; i++) {
        if (strcmp(cnc_layouts[i].name, name) == 0)
            return &cnc_layouts[i];
    }
    return NULL;
}

static reprise_status check_edit(const rp_plan *plan, const cnc_layout *to, reprise_error *error)
{
    const cnc_replay *replay = (const cnc_replay *)plan->source;
    const cnc_layout *from = replay->layout;
    if (to->game != from->game)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s is another game than %s",
                            to->game->title, from->game->title);
    if (to->full && !from->full)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "%s has no views, which every frame of %s needs", from->name, to->name);
    if (plan->edit.trims && plan->edit.index_from > (int64_t)cnc_first_frame(replay)) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED,
                     "a recording of orders begins with its first frame: only its end can be cut");
        rp_error_hint(error, "leave out the start of the range");
        return error->status;
    }
    return REPRISE_OK;
}

reprise_status cnc_plan(rp_plan *plan, reprise_error *error)
{
    const cnc_replay *replay = (const cnc_replay *)plan->source;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    const cnc_layout *to = layout_of(plan->edit.layout);
    if (!to)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no layout '%s'", plan->edit.layout);
    RP_TRY(check_edit(plan, to, error));
    plan->header = cnc_header_document(&plan->doc, &replay->header);
    if (replay->layout->full && !to->full)
        rp_push(&plan->doc, plan->losses,
                rp_new_text(&plan->doc, "views, selections and team data of all frames"));
    RP_TRY(plan->doc.error->status);
    clean_header(plan);
    return error->status;
}
