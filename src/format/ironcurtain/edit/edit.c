/*
 * edit.c - plans the rewriting of a replay or save: its metadata, and what cannot be kept
 * (specification, 14). redact.c removes private data.
 */
#include "whole.h"
#include "write.h"

static void note(rp_plan *plan, const char *text)
{
    rp_push(&plan->doc, plan->notes, rp_new_text(&plan->doc, text));
}

/* ---- metadata ---- */

static void set_result(rp_plan *plan, const ic_replay *source, uint64_t ticks)
{
    bool unsigned_now = plan->edit.trims && plan->edit.index_from > 0;
    reprise_value *header = rp_new_object(&plan->doc);
    const reprise_value *metadata = ic_clean_metadata(plan, source->metadata, false);
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *key = reprise_value_key(metadata, i);
        reprise_value *value = ic_edit_member(plan, key, reprise_value_at(metadata, i));
        if (ticks != source->header.total_ticks && strcmp(key, "total_ticks") == 0)
            value = rp_new_uint(&plan->doc, ticks);
        if (ticks != source->header.total_ticks && strcmp(key, "duration_seconds") == 0)
            value = rp_new_uint(&plan->doc, rp_whole_u64((double)ticks * source->tick_seconds));
        if (unsigned_now && strcmp(key, "signed") == 0)
            value = rp_new_bool(&plan->doc, false);
        if (value)
            rp_set(&plan->doc, header, key, value);
    }
    plan->header = header;
}

/* ---- the plan ---- */

/* The range begins at the keyframe at or before the requested tick. */
static uint64_t plan_cut(rp_plan *plan, const ic_replay *source)
{
    rp_edit *edit = &plan->edit;
    const ic_pieces *keyframes = &source->pieces[IC_KEYFRAMES];
    uint64_t asked = (uint64_t)RP_MAX(edit->index_from, 0);
    uint64_t first = keyframes->items[ic_keyframe_at(source, asked)].tick;
    uint64_t ticks = RP_MIN((uint64_t)RP_MAX(edit->index_to, 0) + 1, source->total_ticks);
    bool is_signed = source->pieces[IC_SIGNATURE].count > 0;
    edit->index_from = (int64_t)first;
    edit->time_from = (double)first * source->tick_seconds;
    if (first != asked)
        rp_push(&plan->doc, plan->notes,
                rp_new_format(&plan->doc, "starts at the keyframe of tick %llu",
                              (unsigned long long)first));
    if (first) {
        note(plan, "ticks keep their numbers, which state hashes cover; the state of tick 0 is "
                   "kept, and the ticks in between are marked as lost");
        if (is_signed)
            note(plan, "signatures are dropped because they cover the removed ticks");
    } else if (ticks < source->total_ticks) {
        if (is_signed)
            note(plan, "signatures of the remaining ticks are kept");
        note(plan, "marked incomplete because the end is cut off");
    }
    return ticks;
}

reprise_status ic_plan(rp_plan *plan, reprise_error *error)
{
    ic_replay *source = (ic_replay *)plan->source;
    RP_TRY(ic_index(source, error));
    plan->edit.layout = "final";
    uint64_t ticks = source->total_ticks;
    if (plan->edit.trims)
        ticks = plan_cut(plan, source);
    if (source->live)
        note(plan, "marked incomplete because the recording was not finished");
    bool whole = ticks == source->header.total_ticks &&
                 !(plan->edit.trims && plan->edit.index_from > 0);
    if (!plan->edit.remove && whole)
        plan->header = source->metadata;
    else
        set_result(plan, source, ticks);
    return error->status;
}

/* ---- saves ---- */

reprise_status ic_save_plan(rp_plan *plan, reprise_error *error)
{
    const ic_save *save = (const ic_save *)plan->source;
    uint32_t remove = plan->edit.remove;
    if (plan->edit.trims)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "a save is one moment");
    plan->edit.layout = "profile1";
    if ((remove & RP_PRIVATE_CONTENT) && save->thumbnail_size)
        note(plan, "the thumbnail is removed because pictures cannot be searched");
    plan->header = save->metadata;
    if (!remove)
        return error->status;
    const reprise_value *metadata = ic_clean_metadata(plan, save->metadata, true);
    plan->header = rp_new_object(&plan->doc);
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *key = reprise_value_key(metadata, i);
        reprise_value *value = ic_edit_save_member(plan, key, reprise_value_at(metadata, i));
        if (value)
            rp_set(&plan->doc, plan->header, key, value);
    }
    return error->status;
}

/* ---- what is inside, for searching ---- */

/* Moves the bytes to a stream and leaves the writer empty. */
static reprise_status open_bytes(rp_context *context, rp_writer *bytes, const char *name,
                                 rp_stream **ret_stream, reprise_error *error)
{
    uint8_t *data = rp_realloc(context, bytes->data, bytes->capacity, bytes->size, error);
    if (!data) {
        rp_writer_free(bytes);
        return error->status;
    }
    size_t size = bytes->size;
    rp_writer_init(bytes, context, bytes->size_max, error);
    return rp_stream_open_owned(context, data, size, name, ret_stream, error);
}

reprise_status ic_save_stream_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                                   reprise_error *error)
{
    if (index)
        return REPRISE_END;
    ic_save_state state;
    reprise_status status = ic_save_load((ic_save *)base, &state, error);
    if (status == REPRISE_OK)
        status = open_bytes(base->context, &state.bytes, "snapshot", ret_stream, error);
    ic_save_state_free(&state);
    return status;
}

reprise_status ic_stream_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                              reprise_error *error)
{
    ic_replay *replay = (ic_replay *)base;
    RP_TRY(ic_index(replay, error));
    for (size_t kind = IC_ORDERS; kind <= IC_SIGNATURE; kind++) {
        const ic_pieces *list = &replay->pieces[kind];
        if (index >= list->count) {
            index -= list->count;
            continue;
        }
        rp_writer bytes;
        rp_writer_init(&bytes, base->context, IC_UNIT_MAX + 1, error);
        if (ic_piece_decode(replay, &list->items[index], ic_section_names[kind], &bytes, error) !=
            REPRISE_OK) {
            rp_writer_free(&bytes);
            return error->status;
        }
        return open_bytes(base->context, &bytes, ic_section_names[kind], ret_stream, error);
    }
    return REPRISE_END;
}
