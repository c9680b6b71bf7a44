/*
 * edit.c - plans how a recording is written again: which layouts are possible, and where it is cut.
 * redact.c removes private data.
 */
#include "write.h"

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
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s is a different game from %s",
                            to->game->title, from->game->title);
    if (to->full && !from->full)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "%s has no views, which every frame of %s needs", from->name, to->name);
    if (plan->edit.trims && plan->edit.index_from > (int64_t)cnc_first_frame(replay)) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED,
                     "a recording of orders must keep its first frame: only the end can be cut");
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
        return rp_error_set(error, REPRISE_E_USAGE, "unknown layout '%s'", plan->edit.layout);
    RP_TRY(check_edit(plan, to, error));
    plan->header = cnc_header_document(&plan->doc, &replay->header);
    if (replay->layout->full && !to->full)
        rp_push(&plan->doc, plan->losses,
                rp_new_text(&plan->doc, "views, selections and team data of all frames"));
    RP_TRY(plan->doc.error->status);
    cnc_clean_document(plan);
    return error->status;
}
