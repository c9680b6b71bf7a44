/*
 * plan.c - what becomes of a replay or a save that is written again: its metadata, what is taken
 * out, and what cannot be kept (chapter 14).
 */
#include <stdio.h>

#include "sign.h"
#include "whole.h"
#include "write.h"

static void tell(rp_plan *plan, const char *text)
{
    rp_push(&plan->doc, plan->notes, rp_new_text(&plan->doc, text));
}

static void substitute(rp_plan *plan, const char *what, const char *from, const char *to)
{
    reprise_value *one = rp_push_object(&plan->doc, plan->substitutions);
    rp_set_text(&plan->doc, one, "what", what);
    rp_set_text(&plan->doc, one, "from", from);
    rp_set_text(&plan->doc, one, "to", to);
}

/* ---- metadata ---- */

static void tell_replaced(void *ctx, const char *what, const char *from, const char *to)
{
    substitute(ctx, what, from, to);
}

static void tell_dropped(void *ctx, const char *key)
{
    rp_plan *plan = ctx;
    rp_push(&plan->doc, plan->dropped, rp_new_format(&plan->doc, "metadata key %s", key));
}

/* Files of other writers may have more in their metadata than ours would put there. */
static const reprise_value *clean(rp_plan *plan, const reprise_value *metadata, bool of_save)
{
    const ic_cleaning cleaning = {.doc = &plan->doc,
                                  .of_save = of_save,
                                  .replaced = tell_replaced,
                                  .dropped = tell_dropped,
                                  .ctx = plan};
    bool asked = plan->edit.remove & (RP_PRIVATE_ADDRESSES | RP_PRIVATE_CONTENT);
    return asked ? ic_metadata_clean(&cleaning, metadata) : metadata;
}

/* Version 4, from the system's random numbers. */
static reprise_value *new_id(rp_plan *plan)
{
    uint8_t b[16];
    if (rp_random(b, sizeof b, plan->doc.error) != REPRISE_OK)
        return NULL;
    b[6] = (uint8_t)((b[6] & 0x0F) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3F) | 0x80);
    char text[37];
    size_t at = 0;
    for (size_t i = 0; i < sizeof b; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        snprintf(text + at, sizeof text - at, "%02x", b[i]);
        at += 2;
    }
    return rp_new_text(&plan->doc, text);
}

static reprise_value *anonymous_players(rp_plan *plan, const reprise_value *players)
{
    reprise_value *list = rp_new_array(&plan->doc);
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *player = reprise_value_at(players, i);
        reprise_value *one = rp_push_object(&plan->doc, list);
        int64_t slot = reprise_value_int(rp_get(player, "slot"), (int64_t)i);
        for (size_t k = 0; k < reprise_value_count(player); k++) {
            const char *key = reprise_value_key(player, k);
            const reprise_value *value = reprise_value_at(player, k);
            if (strcmp(key, "name") != 0) {
                rp_set(&plan->doc, one, key, rp_copy(&plan->doc, value));
                continue;
            }
            reprise_value *name = rp_new_format(&plan->doc, "Player %lld", (long long)slot + 1);
            const char *old = reprise_value_text(value, NULL),
                       *new = reprise_value_text(name, NULL);
            if (old && new &&*old && strcmp(old, new) != 0)
                substitute(plan, "player name", old, new);
            rp_set(&plan->doc, one, key, name);
        }
    }
    return list;
}

/* One member of the metadata as it will be, or NULL if it goes. */
static reprise_value *edit_member(rp_plan *plan, const char *key, const reprise_value *value)
{
    uint32_t remove = plan->edit.remove;
    const char *text = reprise_value_text(value, NULL);
    if ((remove & RP_PRIVATE_NAMES) && strcmp(key, "players") == 0)
        return anonymous_players(plan, value);
    if ((remove & RP_PRIVATE_ADDRESSES) && strcmp(key, "relay_server") == 0) {
        if (text && *text)
            substitute(plan, "relay server", text, "");
        return NULL;
    }
    if ((remove & RP_PRIVATE_IDS) && strcmp(key, "replay_id") == 0) {
        reprise_value *id = new_id(plan);
        if (text && *text)
            substitute(plan, "replay id", text, reprise_value_text(id, NULL));
        return id;
    }
    /* The profile keeps the date when everything private goes; only asked for alone it is taken. */
    if (remove == RP_PRIVATE_TIMES && strcmp(key, "timestamp") == 0)
        return rp_new_text(&plan->doc, "1970-01-01T00:00:00Z");
    return rp_copy(&plan->doc, value);
}

static void set_result(rp_plan *plan, const ic_replay *source, uint64_t ticks)
{
    bool unsigned_now = plan->edit.trims && plan->edit.index_from > 0;
    reprise_value *header = rp_new_object(&plan->doc);
    const reprise_value *metadata = clean(plan, source->metadata, false);
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *key = reprise_value_key(metadata, i);
        reprise_value *value = edit_member(plan, key, reprise_value_at(metadata, i));
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

/* The range begins at a keyframe: the one at or before the tick that was asked for. */
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
        tell(plan,
             "ticks keep their numbers, because the hashes of states cover them; the state of "
             "tick 0 stays, what lies between is marked as lost");
        if (is_signed)
            tell(plan, "signatures are left out: they say that the first ticks are there");
    } else if (ticks < source->total_ticks) {
        if (is_signed)
            tell(plan, "signatures of ticks that stay are kept");
        tell(plan, "marked incomplete: the end is cut off");
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
        tell(plan, "marked incomplete: the recording was not finished");
    if ((plan->edit.remove & RP_PRIVATE_VOICE) && source->pieces[IC_VOICE].count)
        tell(plan, "voice is left out");
    if ((plan->edit.remove & RP_PRIVATE_CHAT) && (plan->edit.remove & RP_PRIVATE_WHISPERS))
        tell(plan, "whispers are left out; the state does not depend on them");
    else if (plan->edit.remove & RP_PRIVATE_CHAT)
        tell(plan, "chat messages and commands are left out; the state does not depend on them");
    if (plan->edit.remove & RP_PRIVATE_MARKS)
        tell(plan, "pings and drawings are left out; the state does not depend on them");
    bool whole = ticks == source->header.total_ticks &&
                 !(plan->edit.trims && plan->edit.index_from > 0);
    if (!plan->edit.remove && whole)
        plan->header = source->metadata;
    else
        set_result(plan, source, ticks);
    return error->status;
}

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
    const ic_chat *chat = order->order.value;
    return order->order.variant == ic_player_order_V_ChatMessage &&
           chat->channel.variant == reprise_ic_channel_Whisper;
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

/* ---- saves ---- */

static reprise_value *edit_save_member(rp_plan *plan, const char *key, const reprise_value *value)
{
    const ic_save *save = (const ic_save *)plan->source;
    uint32_t remove = plan->edit.remove;
    const char *text = reprise_value_text(value, NULL);
    if ((remove & RP_PRIVATE_NAMES) && strcmp(key, "save_name") == 0) {
        uint64_t tick = reprise_value_uint(rp_get(save->metadata, "tick"), 0);
        reprise_value *name = rp_new_format(&plan->doc, "Tick %llu", (unsigned long long)tick);
        const char *new = reprise_value_text(name, NULL);
        if (text && new &&*text && strcmp(text, new) != 0)
            substitute(plan, "name of the save", text, new);
        return name;
    }
    if ((remove & RP_PRIVATE_CONTENT) && strcmp(key, "thumbnail") == 0)
        return NULL;
    return edit_member(plan, key, value);
}

reprise_status ic_save_plan(rp_plan *plan, reprise_error *error)
{
    const ic_save *save = (const ic_save *)plan->source;
    uint32_t remove = plan->edit.remove;
    if (plan->edit.trims)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "a save is one moment");
    plan->edit.layout = "profile1";
    if ((remove & RP_PRIVATE_CONTENT) && save->thumbnail_size)
        tell(plan, "the thumbnail is left out: nobody can search a picture");
    plan->header = save->metadata;
    if (!remove)
        return error->status;
    const reprise_value *metadata = clean(plan, save->metadata, true);
    plan->header = rp_new_object(&plan->doc);
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *key = reprise_value_key(metadata, i);
        reprise_value *value = edit_save_member(plan, key, reprise_value_at(metadata, i));
        if (value)
            rp_set(&plan->doc, plan->header, key, value);
    }
    return error->status;
}

/* ---- what is inside, for searching ---- */

/* Hands the bytes over to a stream; the writer is empty afterwards. */
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
