/*
 * write.c - writes a finalised replay from rows: frames, orders, events, voice and signatures are
 * encoded again; keyframes and embedded resources are copied from the source replay.
 *
 * The header comes first and needs all lengths, so compressed sections are buffered until the end.
 */
#include "write.h"

#include "json.h"

reprise_status ic_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    ic_encoder *e = (ic_encoder *)encoder;
    rp_context *context = encoder->context;
    rp_writer *const writers[] = {&e->frame, &e->block, &e->raw, &e->events, &e->chain};
    ic_section_writer_init(&e->parts, context, encoder->sink, error);
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], context, UINT32_MAX, error);
    if (!encoder->source)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "keyframes cannot be written from rows, only by the recorder");
    e->source = (ic_replay *)(uintptr_t)encoder->source;
    e->level = ic_level(encoder->options.level, RP_LZ4_FASTEST);
    RP_TRY(ic_index(e->source, error));
    return encoder->options.cut ? ic_trim_init(&e->cut, e->source, encoder->options.cut, error)
                                : REPRISE_OK;
}

void ic_encode_free(rp_encoder *encoder)
{
    ic_encoder *e = (ic_encoder *)encoder;
    rp_writer *const writers[] = {&e->frame, &e->block, &e->raw, &e->events, &e->chain};
    ic_section_writer_free(&e->parts);
    ic_trim_free(&e->cut);
    for (size_t i = 0; i < RP_COUNT(writers); i++) {
        if (writers[i]->context)
            rp_writer_free(writers[i]);
    }
}

/* ---- frames ---- */

static void end_block(ic_encoder *e)
{
    if (e->block_frames)
        ic_section_writer_add_block(&e->parts, e->block_tick, e->block_frames, &e->block, e->level);
    rp_writer_clear(&e->block);
    e->block_frames = 0;
}

static void end_frame(ic_encoder *e)
{
    if (!e->in_frame)
        return;
    uint64_t first = e->frame_tick & ~(uint64_t)(IC_BLOCK_TICKS - 1);
    if (first != e->block_tick)
        end_block(e);
    e->block_tick = first;
    rp_put_u64(&e->block, e->frame_tick);
    rp_put_u64(&e->block, e->frame_hash);
    rp_put_u64(&e->block, e->frame_orders);
    rp_put(&e->block, e->frame.data, e->frame.size);
    rp_writer_clear(&e->frame);
    e->block_frames++;
    e->frames++;
    e->ticks = e->frame_tick + 1;
    e->in_frame = false;
}

static void begin_frame(ic_encoder *e, const rp_row *row)
{
    const ic_tick_row *tick = row->data;
    end_frame(e);
    e->in_frame = true;
    e->frame_tick = (uint64_t)row->index;
    e->frame_hash = tick->state_hash;
    e->frame_orders = 0;
}

static void put_order(ic_encoder *e, const ic_order_data *data)
{
    rp_bincode_write(&e->frame, &ic_order_record, &data->order);
    e->frame_orders++;
}

/* ---- what comes from the source ---- */

static reprise_status put_keyframe(ic_encoder *e, const rp_row *row, reprise_error *error)
{
    const ic_keyframe_data *data = row->data;
    const ic_pieces *list = &e->source->pieces[IC_KEYFRAMES];
    size_t index = ic_keyframe_at(e->source, (uint64_t)row->index);
    const ic_piece *piece = &list->items[index];
    bool made = false, is_full = piece->is_full;
    RP_TRY(ic_trim_keyframe(&e->cut, index, &e->raw, &made, &is_full, error));
    if (!made)
        RP_TRY(ic_piece_decode(e->source, piece, "keyframes", &e->raw, error));
    if (!made && e->source->unsorted_maps)
        RP_TRY(ic_state_normalise(piece->is_full, &e->raw, error));
    ic_section_writer_add_keyframe(&e->parts, piece->tick, is_full, e->raw.data, e->raw.size,
                                   e->level);
    e->last_known = true;
    e->last_signed = piece->tick;
    memcpy(e->last_hash, data->state.state_hash, IC_HASH_SIZE);
    return error->status;
}

static reprise_status put_voice(ic_encoder *e, reprise_error *error)
{
    rp_writer_clear(&e->raw);
    RP_TRY(ic_voice_join(e->source, e->cut.first, e->ticks, &e->raw, error));
    rp_lz4_write(&e->parts.of[IC_VOICE], e->raw.data, e->raw.size, e->level);
    return error->status;
}

static reprise_status put_key(ic_encoder *e, reprise_error *error)
{
    const ic_pieces *pieces = &e->source->pieces[IC_SIGNATURE];
    rp_writer *section = &e->parts.of[IC_SIGNATURE];
    RP_TRY(ic_piece_decode(e->source, &pieces->items[0], "signature", &e->raw, error));
    if (e->raw.size < 32)
        return rp_error_set(error, REPRISE_E_CORRUPT, "signature section without a key");
    rp_put_u64(section, e->chain_count);
    rp_put(section, e->chain.data, e->chain.size);
    rp_put(section, e->raw.data + e->raw.size - 32, 32);
    return error->status;
}

static void put_signature(ic_encoder *e, const rp_row *row)
{
    const ic_signature_row *data = row->data;
    ic_tick_signature entry = {.tick = (uint64_t)row->index, .skipped_ticks = data->skipped_ticks};
    memcpy(entry.state_hash, data->state_hash, sizeof entry.state_hash);
    memcpy(entry.relay_sig, data->relay_sig, sizeof entry.relay_sig);
    rp_bincode_write(&e->chain, &ic_tick_signature_record, &entry);
    e->chain_count++;
    e->last_known = true;
    e->last_signed = entry.tick;
    memcpy(e->last_hash, entry.state_hash, sizeof e->last_hash);
}

/* An unfinished recording may have states of ticks whose frames were lost; it ends before them. */
static bool after_end(const ic_encoder *e, const rp_row *row)
{
    return (row->track == IC_T_KEYFRAMES || row->track == IC_T_SIGNATURES) &&
           (uint64_t)row->index > e->source->total_ticks;
}

reprise_status ic_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    ic_encoder *e = (ic_encoder *)encoder;
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++) {
        const rp_row *row = &batch->rows[i];
        if (!ic_trim_keeps(&e->cut, row) || after_end(e, row))
            continue;
        switch (row->track) {
        case IC_T_TICKS:
            begin_frame(e, row);
            break;
        case IC_T_ORDERS:
            put_order(e, row->data);
            break;
        case IC_T_KEYFRAMES:
            (void)put_keyframe(e, row, error);
            break;
        case IC_T_EVENTS:
            rp_bincode_write_sum(&e->events, &ic_event,
                                 &((const ic_event_data *)row->data)->stored.event);
            e->event_count++;
            break;
        case IC_T_VOICE:
            e->voice = true;
            break;
        case IC_T_SIGNATURES:
            put_signature(e, row);
            break;
        default:
            break; /* states are copied with their keyframes */
        }
    }
    return error->status;
}

/* ---- the end ---- */

static reprise_status put_metadata(ic_encoder *e, reprise_error *error)
{
    const ic_section *section = &e->source->sections[IC_METADATA];
    rp_writer *to = &e->parts.of[IC_METADATA];
    if (e->base.header != e->source->metadata) {
        rp_json_write(to, e->base.header, &(rp_json_format){.indent = 1, .exact_integers = true});
        return error->status;
    }
    uint8_t *bytes = rp_put_raw(to, section->size);
    return bytes ? rp_source_read(e->source->base.source, section->offset, bytes, section->size,
                                  error)
                 : error->status;
}

static reprise_status put_embedded(ic_encoder *e, reprise_error *error)
{
    const ic_section *section = &e->source->sections[IC_EMBEDDED];
    if (!section->present || e->source->resources_lost)
        return REPRISE_OK;
    uint8_t *bytes = rp_put_raw(&e->parts.of[IC_EMBEDDED], section->size);
    return bytes ? rp_source_read(e->source->base.source, section->offset, bytes, section->size,
                                  error)
                 : error->status;
}

static void put_events(ic_encoder *e, reprise_error *error)
{
    const ic_replay *source = e->source;
    bool had = source->live ? source->pieces[IC_EVENTS].count > 0 : ic_flag(source, IC_HAS_EVENTS);
    if (!had)
        return;
    rp_writer raw;
    rp_writer_init(&raw, e->base.context, IC_UNIT_MAX, error);
    rp_put_u64(&raw, e->event_count);
    rp_put(&raw, e->events.data, e->events.size);
    rp_lz4_write(&e->parts.of[IC_EVENTS], raw.data, raw.size, e->level);
    e->parts.header.flags |= IC_HAS_EVENTS;
    rp_writer_free(&raw);
}

/* The last frames may be missing, so the length in the metadata is updated. */
static uint64_t end_tick(const ic_encoder *e)
{
    if (e->cut.active)
        return RP_MIN(e->cut.last + 1, e->source->total_ticks);
    uint64_t said = reprise_value_uint(rp_get(e->base.header, "total_ticks"), 0);
    return RP_MAX(e->ticks, RP_MIN(said, e->source->total_ticks));
}

/* The lost frames of a truncated or unfinished recording. */
static void fill_header(ic_encoder *e)
{
    const ic_replay *source = e->source;
    ic_replay_header *h = &e->parts.header;
    e->ticks = end_tick(e);
    bool same = !source->base.salvage || e->frames == e->ticks;
    bool whole = !source->live && e->ticks == source->total_ticks && same && !e->cut.first;
    uint64_t missing = e->ticks - e->frames + (source->torn != NULL);
    h->total_ticks = e->ticks;
    if (whole) {
        h->lost_frame_count = source->header.lost_frame_count;
        memcpy(h->final_state_hash, source->header.final_state_hash, IC_HASH_SIZE);
        h->flags |= (uint8_t)(source->header.flags & IC_INCOMPLETE);
        return;
    }
    h->flags |= IC_INCOMPLETE;
    h->lost_frame_count = (uint32_t)RP_MAX(missing, 1);
    if (e->last_known && e->last_signed == e->ticks)
        memcpy(h->final_state_hash, e->last_hash, IC_HASH_SIZE);
}

reprise_status ic_encode_end(rp_encoder *encoder, reprise_error *error)
{
    ic_encoder *e = (ic_encoder *)encoder;
    end_frame(e);
    end_block(e);
    RP_TRY(put_metadata(e, error));
    put_events(e, error);
    if (e->voice) {
        RP_TRY(put_voice(e, error));
        e->parts.header.flags |= IC_HAS_VOICE;
    }
    fill_header(e);
    if (e->chain_count) {
        RP_TRY(put_key(e, error));
        e->parts.header.flags |= IC_SIGNED;
    }
    RP_TRY(put_embedded(e, error));
    RP_TRY(error->status);
    return ic_section_writer_write(&e->parts, encoder->sink, error);
}
