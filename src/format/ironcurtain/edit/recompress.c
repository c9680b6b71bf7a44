/*
 * recompress.c - rewrites a file at another compression level: every sized block is recompressed,
 * everything else is copied, and sections keep their order.
 */
#include "ironcurtain/container/chain.h"
#include "ironcurtain/container/schema_unknown.h"
#include "write.h"

typedef struct repack {
    ic_replay *replay;
    rp_lz4_level level;
    rp_writer raw, out;
    rp_sink *sink;
    reprise_error *error;
} repack;

static reprise_status put_out(repack *p)
{
    RP_TRY(p->error->status);
    reprise_status status = p->out.size ? rp_sink_write(p->sink, p->out.data, p->out.size, p->error)
                                        : REPRISE_OK;
    rp_writer_clear(&p->out);
    return status;
}

static reprise_status copy_bytes(repack *p, uint64_t offset, size_t size)
{
    uint8_t *to = rp_put_raw(&p->out, size);
    return to ? rp_source_read(p->replay->base.source, offset, to, size, p->error)
              : p->error->status;
}

static reprise_status repack_piece(repack *p, const ic_piece *piece, const char *stream)
{
    RP_TRY(ic_piece_decode(p->replay, piece, stream, &p->raw, p->error));
    if (strcmp(stream, ic_section_names[IC_KEYFRAMES]) == 0)
        RP_TRY(ic_state_normalise(piece->is_full, &p->raw, p->error));
    rp_lz4_write(&p->out, p->raw.data, p->raw.size, p->level);
    return p->error->status;
}

static reprise_status repack_record(repack *p, const ic_piece *piece, const char tag[4])
{
    RP_TRY(ic_piece_decode(p->replay, piece, "records", &p->raw, p->error));
    ic_put_record(&p->out, tag, piece->is_full, piece->tick, piece->count, p->raw.data, p->raw.size,
                  p->level);
    return p->error->status;
}

/* ---- blocks that span something else than ours ---- */

typedef struct regrouping {
    rp_writer block; /* frames of one 256-tick range */
    uint64_t first;
    uint32_t frames;
    rp_arena arena;
} regrouping;

static void end_range(repack *p, regrouping *g)
{
    if (g->frames)
        ic_put_record(&p->out, "ICOB", 0, g->first, g->frames, g->block.data, g->block.size,
                      p->level);
    rp_writer_clear(&g->block);
    g->frames = 0;
}

static reprise_status regroup_block(repack *p, regrouping *g, const ic_piece *piece)
{
    RP_TRY(ic_piece_decode(p->replay, piece, "orders", &p->raw, p->error));
    rp_reader r = rp_reader_of(p->raw.data, p->raw.size, "orders", p->error);
    while (rp_ok(&r) && rp_left(&r)) {
        const uint8_t *start = r.at;
        ic_frame frame;
        rp_arena_reset(&g->arena);
        ic_frame_read(&r, &g->arena, &frame);
        if (!rp_ok(&r))
            break;
        uint64_t first = frame.tick & ~(uint64_t)(IC_BLOCK_TICKS - 1);
        if (first != g->first)
            end_range(p, g);
        g->first = first;
        g->frames++;
        rp_put(&g->block, start, (size_t)(r.at - start));
    }
    return p->error->status;
}

static reprise_status regroup_orders(repack *p)
{
    const ic_pieces *pieces = &p->replay->pieces[IC_ORDERS];
    regrouping g = {0};
    rp_writer_init(&g.block, p->replay->base.context, UINT32_MAX, p->error);
    rp_arena_init(&g.arena, p->replay->base.context);
    for (size_t i = 0; i < pieces->count && p->error->status == REPRISE_OK; i++)
        (void)regroup_block(p, &g, &pieces->items[i]);
    end_range(p, &g);
    rp_arena_free(&g.arena);
    rp_writer_free(&g.block);
    return p->error->status;
}

/* Frames of unknown types cannot be separated, so their blocks are copied. */
static reprise_status repack_orders(repack *p)
{
    const ic_pieces *pieces = &p->replay->pieces[IC_ORDERS];
    if (p->replay->odd_blocks) {
        if (regroup_orders(p) == REPRISE_OK ||
            (p->error->status != REPRISE_E_CORRUPT && p->error->status != REPRISE_E_TRUNCATED))
            return p->error->status;
        rp_error_clear(p->error);
        rp_writer_clear(&p->out);
    }
    for (size_t i = 0; i < pieces->count; i++)
        RP_TRY(repack_record(p, &pieces->items[i], "ICOB"));
    return REPRISE_OK;
}

/* Drops the length prefix of the key. */
static reprise_status copy_chain(repack *p)
{
    const ic_section *section = &p->replay->sections[IC_SIGNATURE];
    RP_TRY(copy_bytes(p, section->offset, section->size));
    if (!ic_key_has_length(section->size))
        return REPRISE_OK;
    uint8_t *key = p->out.data + p->out.size - IC_LONG_KEY_SIZE;
    memmove(key, key + IC_LONG_KEY_SIZE - IC_KEY_SIZE, IC_KEY_SIZE);
    p->out.size -= IC_LONG_KEY_SIZE - IC_KEY_SIZE;
    return REPRISE_OK;
}

static reprise_status repack_keyframes(repack *p)
{
    const ic_pieces *list = &p->replay->pieces[IC_KEYFRAMES];
    rp_writer blobs = p->out; /* the index comes first */
    rp_writer_init(&p->out, p->replay->base.context, UINT32_MAX, p->error);
    rp_put_u64(&blobs, list->count);
    for (size_t i = 0; i < list->count && p->error->status == REPRISE_OK; i++) {
        const ic_piece *piece = &list->items[i];
        size_t start = p->out.size;
        (void)repack_piece(p, piece, "keyframes");
        ic_keyframe entry = {piece->tick, (uint32_t)start, (uint32_t)(p->out.size - start),
                             (uint32_t)p->raw.size, piece->is_full};
        rp_bincode_write(&blobs, &ic_keyframe_record, &entry);
    }
    rp_put(&blobs, p->out.data, p->out.size);
    rp_writer_free(&p->out);
    p->out = blobs;
    return p->error->status;
}

static reprise_status repack_section(repack *p, ic_section_kind kind)
{
    const ic_section *section = &p->replay->sections[kind];
    const ic_pieces *pieces = &p->replay->pieces[kind];
    switch (kind) {
    case IC_ORDERS:
        return repack_orders(p);
    case IC_SIGNATURE:
        return copy_chain(p);
    case IC_KEYFRAMES:
        return repack_keyframes(p);
    case IC_EVENTS:
    case IC_VOICE:
        return repack_piece(p, &pieces->items[0], ic_section_names[kind]);
    default:
        return copy_bytes(p, section->offset, section->size);
    }
}

/* Sections in the order of their offsets. */
static void order_sections(const ic_replay *replay, ic_section_kind *order)
{
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
        size_t at = i;
        /* cppcheck-suppress uninitvar ; order is filled up to at - 1 */
        while (at && replay->sections[order[at - 1]].offset > replay->sections[i].offset) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = (ic_section_kind)i;
    }
}

static reprise_status repack_final(repack *p)
{
    ic_section_kind order[IC_SECTION_COUNT];
    rp_writer body;
    ic_replay_header h = p->replay->header;
    uint32_t *const places[IC_SECTION_COUNT][2] = {
        {&h.metadata_offset, &h.metadata_length},   {&h.orders_offset, &h.orders_length},
        {&h.keyframes_offset, &h.keyframes_length}, {&h.events_offset, &h.events_length},
        {&h.voice_offset, &h.voice_length},         {&h.signature_offset, &h.signature_length},
        {&h.embedded_offset, &h.embedded_length},
    };
    h.flags = p->replay->flags;
    rp_writer_init(&body, p->replay->base.context, UINT32_MAX, p->error);
    order_sections(p->replay, order);
    for (size_t i = 0; i < IC_SECTION_COUNT && p->error->status == REPRISE_OK; i++) {
        ic_section_kind kind = order[i];
        bool present = p->replay->sections[kind].present;
        rp_writer_clear(&p->out);
        if (present)
            (void)repack_section(p, kind);
        *places[kind][0] = present ? (uint32_t)(IC_REPLAY_HEADER_SIZE + body.size) : 0;
        *places[kind][1] = present ? (uint32_t)p->out.size : 0;
        if (present)
            rp_put(&body, p->out.data, p->out.size);
    }
    rp_writer_clear(&p->out);
    rp_bincode_write(&p->out, &ic_replay_header_record, &h);
    rp_put(&p->out, body.data, body.size);
    rp_writer_free(&body);
    return put_out(p);
}

/* Copies records in file order, without a torn tail. */
static reprise_status repack_live(repack *p)
{
    static const char tags[IC_SECTION_COUNT][5] = {
        [IC_ORDERS] = "ICOB", [IC_KEYFRAMES] = "ICKF", [IC_EVENTS] = "ICEV",
        [IC_VOICE] = "ICVO",  [IC_SIGNATURE] = "ICSG",
    };
    size_t next[IC_SECTION_COUNT] = {0};
    RP_TRY(copy_bytes(p, 0, p->replay->sections[IC_ORDERS].offset));
    for (;;) {
        size_t best = IC_SECTION_COUNT;
        for (size_t i = IC_ORDERS; i <= IC_SIGNATURE; i++) {
            const ic_pieces *list = &p->replay->pieces[i];
            if (next[i] < list->count &&
                (best == IC_SECTION_COUNT ||
                 list->items[next[i]].offset < p->replay->pieces[best].items[next[best]].offset))
                best = i;
        }
        if (best == IC_SECTION_COUNT)
            return put_out(p);
        RP_TRY(repack_record(p, &p->replay->pieces[best].items[next[best]++], tags[best]));
        RP_TRY(put_out(p));
    }
}

reprise_status ic_replay_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                                    reprise_error *error)
{
    repack p = {.replay = (ic_replay *)base,
                .level = ic_level(options->level, RP_LZ4_FASTEST),
                .sink = sink,
                .error = error};
    RP_TRY(ic_index(p.replay, error));
    RP_TRY(ic_refuse_unknown_core(p.replay, error));
    rp_writer_init(&p.raw, base->context, IC_UNIT_MAX + 1, error);
    rp_writer_init(&p.out, base->context, UINT32_MAX, error);
    reprise_status status = p.replay->live ? repack_live(&p) : repack_final(&p);
    rp_writer_free(&p.raw);
    rp_writer_free(&p.out);
    return status;
}

/* ---- saves ---- */

/* Writes everything but the header, which comes last so that a crash leaves no incomplete save. */
static reprise_status put_rest(ic_save *save, const rp_writer *payload, rp_writer *out,
                               rp_sink *sink, reprise_error *error)
{
    size_t between = save->header.payload_offset - IC_SAVE_HEADER_SIZE;
    uint8_t *to = rp_put_raw(out, between);
    if (!to)
        return error->status;
    RP_TRY(rp_source_read(save->base.source, IC_SAVE_HEADER_SIZE, to, between, error));
    RP_TRY(rp_sink_begin_head(sink, IC_SAVE_HEADER_SIZE, error));
    RP_TRY(rp_sink_write(sink, out->data, out->size, error));
    return rp_sink_write(sink, payload->data, payload->size, error);
}

static reprise_status repack_save(ic_save *save, ic_save_state *state, rp_lz4_level level,
                                  rp_sink *sink, reprise_error *error)
{
    ic_save_header h = save->header;
    rp_writer out, payload;
    rp_writer_init(&out, save->base.context, UINT32_MAX, error);
    rp_writer_init(&payload, save->base.context, UINT32_MAX, error);
    (void)ic_state_normalise(true, &state->bytes, error);
    rp_lz4_write(&payload, state->bytes.data, state->bytes.size, level);
    if (error->status == REPRISE_OK && put_rest(save, &payload, &out, sink, error) == REPRISE_OK) {
        h.payload_length = (uint32_t)payload.size;
        ic_digest(&state->hasher, payload.data, payload.size, h.payload_hash);
        rp_writer_clear(&out);
        rp_bincode_write(&out, &ic_save_header_record, &h);
        if (rp_writer_ok(&out))
            (void)rp_sink_end_head(sink, out.data, out.size, error);
    }
    rp_writer_free(&payload);
    rp_writer_free(&out);
    return error->status;
}

reprise_status ic_save_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                                  reprise_error *error)
{
    ic_save *save = (ic_save *)base;
    if (save->header.metadata_offset > save->header.payload_offset)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "the payload of the save precedes its metadata");
    ic_save_state state;
    reprise_status status = ic_save_load(save, &state, error);
    if (status == REPRISE_OK)
        status = repack_save(save, &state, ic_level(options->level, RP_LZ4_BALANCED), sink, error);
    ic_save_state_free(&state);
    return status;
}
