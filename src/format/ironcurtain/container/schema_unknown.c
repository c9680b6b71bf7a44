/* schema_unknown.c - see schema_unknown.h. */
#include "schema_unknown.h"

#include "chain.h"
#include "ironcurtain/read/read.h"

static const char words[] = "schema unknown: ";

reprise_status ic_schema_unknown(reprise_error *error, const char *part, const char *proven)
{
    if (error->status != REPRISE_E_CORRUPT && error->status != REPRISE_E_TRUNCATED)
        return error->status;
    reprise_error why = *error;
    rp_error_clear(error);
    rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s%s: %.90s; %s", words, part, why.message, proven);
    rp_error_place(error, why.stream, why.offset, why.path);
    rp_error_hint(error, "a newer version may know it; the blobs hold the decompressed bytes");
    return error->status;
}

reprise_status ic_left_out(reprise_error *error, const char *part)
{
    if (error->status != REPRISE_E_CORRUPT && error->status != REPRISE_E_TRUNCATED)
        return error->status;
    reprise_error why = *error;
    rp_error_clear(error);
    rp_error_set(error, why.status, "%s left out: %.100s", part, why.message);
    rp_error_place(error, why.stream, why.offset, why.path);
    return error->status;
}

bool ic_is_schema_unknown(const reprise_error *error)
{
    return error->status == REPRISE_E_UNSUPPORTED &&
           strncmp(error->message, words, sizeof words - 1) == 0;
}

void ic_note_unknown(ic_replay *replay, ic_section_kind kind, const reprise_error *error)
{
    if (replay->unknown_kinds >> kind & 1)
        return;
    replay->unknown_kinds |= 1u << kind;
    rp_fault(&replay->base.findings, IC_FINDING(SCHEMA_UNKNOWN), REPRISE_E_UNSUPPORTED,
             error->stream, error->offset, error->path, "%s", error->message);
}

bool ic_is_about_types(const reprise_error *error)
{
    return strcmp(error->stream, "components") == 0;
}

/* ---- everything ---- */

reprise_status ic_decode_all(ic_replay *replay, reprise_error *error)
{
    rp_selection all = {.tracks = (UINT64_C(1) << IC_TRACK_COUNT) - 1};
    rp_decoder *decoder = NULL;
    reprise_status status = rp_decoder_open(&replay->base, all, &decoder, error);
    while (status == REPRISE_OK)
        status = rp_decoder_next(decoder, error);
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

reprise_status ic_refuse_unknown(ic_replay *replay, reprise_error *error)
{
    reprise_error found = REPRISE_ERROR_INIT;
    (void)ic_decode_all(replay, &found);
    if (ic_is_schema_unknown(&found) || rp_is_own_failure(replay->base.context, found.status))
        *error = found;
    return error->status;
}

reprise_status ic_refuse_unknown_core(ic_replay *replay, reprise_error *error)
{
    reprise_error found = REPRISE_ERROR_INIT;
    (void)ic_refuse_unknown(replay, &found);
    bool rest_only = ic_is_schema_unknown(&found) &&
                     replay->unknown_kinds == UINT32_C(1) << IC_KEYFRAMES &&
                     strncmp(found.message + sizeof words - 1, IC_REST, sizeof IC_REST - 1) == 0;
    if (!rest_only)
        *error = found;
    return error->status;
}

/* ---- keyframes ---- */

static bool decodes(ic_replay *replay, const ic_piece *piece, rp_writer *bytes, rp_arena *arena)
{
    reprise_error error = REPRISE_ERROR_INIT;
    ic_rest rest;
    rp_arena_reset(arena);
    if (ic_piece_decode(replay, piece, "keyframes", bytes, &error) != REPRISE_OK)
        return false;
    rp_reader r = rp_reader_of(bytes->data, bytes->size, "keyframe", &error);
    if (!piece->is_full) {
        ic_delta delta;
        return ic_delta_read_open(&r, arena, &delta, &rest);
    }
    ic_snapshot snapshot;
    ic_archetypes groups;
    return ic_snapshot_read_open(&r, arena, &snapshot, &groups, &rest) &&
           (ic_core_check(&snapshot.core, arena, &error) == REPRISE_OK ||
            !ic_is_about_types(&error));
}

static bool any_decodes(ic_replay *replay, bool is_full)
{
    const ic_pieces *list = &replay->pieces[IC_KEYFRAMES];
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_writer bytes;
    rp_arena arena;
    bool any = false;
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX + 1, &ignored);
    rp_arena_init(&arena, replay->base.context);
    for (size_t i = 0; i < list->count && !any; i++)
        any = list->items[i].is_full == is_full && decodes(replay, &list->items[i], &bytes, &arena);
    rp_arena_free(&arena);
    rp_writer_free(&bytes);
    return any;
}

static size_t count_kind(const ic_pieces *list, bool is_full)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].is_full == is_full;
    return count;
}

reprise_status ic_keyframe_unknown(ic_replay *replay, const ic_piece *piece, reprise_error *error)
{
    signed char *known = &replay->kind_known[piece->is_full];
    if (!*known)
        *known = any_decodes(replay, piece->is_full) ? 1 : -1;
    /* A single delta allows no conclusion; recovery can do without it. */
    bool single = !piece->is_full && count_kind(&replay->pieces[IC_KEYFRAMES], false) == 1;
    if (*known > 0 || (single && replay->base.salvage))
        return error->status;
    return ic_schema_unknown(error, piece->is_full ? "keyframes" : "keyframes (deltas)",
                             "index, bounds and LZ4 hold");
}

/* ---- recorded hashes ---- */

typedef struct lookup {
    uint64_t tick;
    bool found;
    uint64_t sync;
} lookup;

static reprise_status find_frame(ic_replay *replay, lookup *look, reprise_error *error)
{
    const ic_pieces *blocks = &replay->pieces[IC_ORDERS];
    rp_writer bytes;
    rp_arena arena;
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&arena, replay->base.context);
    for (size_t i = ic_block_at(replay, look->tick);
         i < blocks->count && blocks->items[i].tick <= look->tick && !look->found; i++) {
        if (ic_piece_decode(replay, &blocks->items[i], "orders", &bytes, error) != REPRISE_OK)
            break;
        rp_reader r = rp_reader_of(bytes.data, bytes.size, "orders", error);
        while (rp_ok(&r) && rp_left(&r) && !look->found) {
            ic_frame frame;
            rp_arena_reset(&arena);
            ic_frame_read(&r, &arena, &frame);
            look->found = rp_ok(&r) && frame.tick == look->tick &&
                          !(replay->imported && !frame.state_hash);
            look->sync = frame.state_hash;
        }
    }
    rp_arena_free(&arena);
    rp_writer_free(&bytes);
    return error->status;
}

static reprise_status find_signed(ic_replay *replay, uint64_t tick,
                                  const uint8_t hash[IC_HASH_SIZE], bool *ret_recorded,
                                  reprise_error *error)
{
    ic_chain chain;
    reprise_status status = ic_chain_load(&chain, replay, error);
    for (size_t i = 0; status == REPRISE_OK && i < chain.count; i++) {
        if (chain.entries[i].tick == tick)
            *ret_recorded = memcmp(chain.entries[i].state_hash, hash, IC_HASH_SIZE) == 0;
    }
    ic_chain_free(&chain);
    return status;
}

reprise_status ic_hash_is_recorded(ic_replay *replay, uint64_t tick,
                                   const uint8_t hash[IC_HASH_SIZE], bool *ret_recorded,
                                   reprise_error *error)
{
    lookup look = {.tick = tick};
    reprise_error damage = REPRISE_ERROR_INIT;
    *ret_recorded = false;
    (void)find_frame(replay, &look, &damage);
    if (look.found) {
        *ret_recorded = look.sync == ic_sync_hash(hash);
        return REPRISE_OK;
    }
    rp_error_clear(&damage);
    (void)find_signed(replay, tick, hash, ret_recorded, &damage);
    if (!*ret_recorded && !replay->live && tick == replay->total_ticks)
        *ret_recorded = memcmp(replay->header.final_state_hash, hash, IC_HASH_SIZE) == 0;
    if (rp_is_own_failure(replay->base.context, damage.status))
        *error = damage;
    return error->status;
}
