/*
 * finalise.c - rewrites the live layout as the finalised one: short blocks are merged into one per
 * range, and partial lists into one list (specification, 7.9).
 */
#include "ironcurtain/live/recorder.h"

#include "json.h"

typedef struct finish {
    ic_replay *replay;
    const ic_ending *ending;
    ic_section_writer parts;
    rp_writer raw, joined;
    reprise_error *error;
} finish;

static reprise_status join_blocks(finish *f)
{
    const ic_pieces *list = &f->replay->pieces[IC_ORDERS];
    for (size_t i = 0; i < list->count;) {
        uint64_t tick = list->items[i].tick;
        uint32_t frames = 0;
        rp_writer_clear(&f->joined);
        for (; i < list->count && list->items[i].tick == tick; i++) {
            RP_TRY(ic_piece_decode(f->replay, &list->items[i], "orders", &f->raw, f->error));
            rp_put(&f->joined, f->raw.data, f->raw.size);
            frames += list->items[i].count;
        }
        ic_section_writer_add_block(&f->parts, tick, frames, &f->joined, f->ending->level);
        RP_TRY(f->error->status);
    }
    return REPRISE_OK;
}

static reprise_status copy_keyframes(finish *f)
{
    const ic_pieces *list = &f->replay->pieces[IC_KEYFRAMES];
    for (size_t i = 0; i < list->count; i++) {
        const ic_piece *piece = &list->items[i];
        if (piece->tick > f->ending->total_ticks)
            break;
        RP_TRY(ic_piece_decode(f->replay, piece, "keyframes", &f->raw, f->error));
        ic_section_writer_add_keyframe(&f->parts, piece->tick, piece->is_full, f->raw.data,
                                       f->raw.size, f->ending->level);
    }
    return f->error->status;
}

/* Merges partial lists: each has a count, items, and `tail` bytes that are the same in all. */
static reprise_status join_lists(finish *f, ic_section_kind kind, size_t tail)
{
    const ic_pieces *list = &f->replay->pieces[kind];
    uint64_t count = 0;
    rp_writer_clear(&f->joined);
    rp_put_u64(&f->joined, 0);
    for (size_t i = 0; i < list->count; i++) {
        RP_TRY(
            ic_piece_decode(f->replay, &list->items[i], ic_section_names[kind], &f->raw, f->error));
        if (f->raw.size < 8 + tail)
            return rp_error_set(f->error, REPRISE_E_CORRUPT, "a list of %zu bytes", f->raw.size);
        count += rp_load64(f->raw.data);
        rp_put(&f->joined, f->raw.data + 8, f->raw.size - 8 - tail);
    }
    rp_put(&f->joined, f->raw.data + f->raw.size - tail, tail);
    RP_TRY(f->error->status);
    rp_store64(f->joined.data, count);
    return REPRISE_OK;
}

static reprise_status put_lists(finish *f)
{
    ic_replay *replay = f->replay;
    ic_replay_header *h = &f->parts.header;
    if (replay->pieces[IC_EVENTS].count) {
        RP_TRY(join_lists(f, IC_EVENTS, 0));
        rp_lz4_write(&f->parts.of[IC_EVENTS], f->joined.data, f->joined.size, f->ending->level);
        h->flags |= IC_HAS_EVENTS;
    }
    if (replay->pieces[IC_VOICE].count) {
        rp_writer_clear(&f->joined);
        RP_TRY(ic_voice_join(replay, 0, UINT64_MAX, &f->joined, f->error));
        rp_lz4_write(&f->parts.of[IC_VOICE], f->joined.data, f->joined.size, f->ending->level);
        h->flags |= IC_HAS_VOICE;
    }
    if (replay->pieces[IC_SIGNATURE].count && f->ending->keeps_chain) {
        RP_TRY(join_lists(f, IC_SIGNATURE, 32));
        rp_put(&f->parts.of[IC_SIGNATURE], f->joined.data, f->joined.size);
        h->flags |= IC_SIGNED;
    }
    return f->error->status;
}

static reprise_status put_all(finish *f, rp_sink *sink)
{
    const ic_ending *ending = f->ending;
    ic_replay_header *h = &f->parts.header;
    rp_json_write(&f->parts.of[IC_METADATA], ending->metadata,
                  &(rp_json_format){.indent = 1, .exact_integers = true});
    RP_TRY(join_blocks(f));
    RP_TRY(copy_keyframes(f));
    RP_TRY(put_lists(f));
    if (ending->embedded)
        rp_put(&f->parts.of[IC_EMBEDDED], ending->embedded->data, ending->embedded->size);
    h->total_ticks = ending->total_ticks;
    h->lost_frame_count = (uint32_t)RP_MIN(ending->lost, (uint64_t)UINT32_MAX);
    if (ending->lost)
        h->flags |= IC_INCOMPLETE;
    memcpy(h->final_state_hash, ending->final_hash, IC_HASH_SIZE);
    return ic_section_writer_write(&f->parts, sink, f->error);
}

reprise_status ic_finalise(rp_context *context, rp_source *live, const ic_ending *ending,
                           rp_sink *sink, reprise_error *error)
{
    rp_replay *replay = NULL;
    RP_TRY(rp_replay_open(context, live, "icrep", NULL, &replay, error));
    finish f = {.replay = (ic_replay *)replay, .ending = ending, .error = error};
    ic_section_writer_init(&f.parts, context, sink, error);
    f.parts.header_last = true;
    rp_writer_init(&f.raw, context, IC_UNIT_MAX + 1, error);
    rp_writer_init(&f.joined, context, UINT32_MAX, error);
    reprise_status status = ic_index(f.replay, error);
    if (status == REPRISE_OK)
        status = put_all(&f, sink);
    rp_writer_free(&f.joined);
    rp_writer_free(&f.raw);
    ic_section_writer_free(&f.parts);
    rp_replay_close(replay);
    return status;
}
