/*
 * save.c - reads saves in the order that rejects hostile ones early, and writes them so that a
 * crash cannot leave half of one (specification, 8).
 */
#include "ironcurtain/edit/write.h"
#include "json.h"
#include "schema_unknown.h"

void ic_save_state_free(ic_save_state *state)
{
    rp_writer_free(&state->bytes);
    rp_arena_free(&state->arena);
    ic_hasher_free(&state->hasher);
}

/* The hash covers the stored bytes and is checked before decompression. */
static reprise_status check_payload(const ic_save *save, ic_hasher *hasher, const uint8_t *data,
                                    reprise_error *error)
{
    uint8_t digest[IC_HASH_SIZE];
    ic_digest(hasher, data, save->header.payload_length, digest);
    if (memcmp(digest, save->header.payload_hash, sizeof digest) == 0)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CHECKSUM, "payload hash mismatch");
    rp_error_place(error, "file", save->header.payload_offset, "payload");
    return error->status;
}

static void note_unknown(ic_save *save, const reprise_error *error)
{
    if (ic_is_schema_unknown(error))
        rp_fault(&save->base.findings, IC_SAVE_FINDING(SCHEMA_UNKNOWN), REPRISE_E_UNSUPPORTED,
                 error->stream, error->offset, error->path, "%s", error->message);
}

/*
 * The hash proves that the payload is what was written, so undecodable types are unknown, not
 * damaged.
 */
static reprise_status unknown_core(ic_save *save, reprise_error *error)
{
    (void)ic_schema_unknown(error, "core", "the payload hash and LZ4 hold");
    note_unknown(save, error);
    return error->status;
}

/* Whether the core has the hash recorded in the header, even if it breaks rules. */
static bool is_recorded(const ic_save *save, ic_save_state *state, const ic_archetypes *groups,
                        reprise_error *error)
{
    if (groups->unnamed != IC_NO_ENTITY)
        return false;
    return ic_state_hash_grouped(&state->hasher, &state->snapshot.core, groups, state->hash,
                                 error) == REPRISE_OK &&
           ic_sync_hash(state->hash) == save->header.state_hash;
}

/* Decodes the core first: it is valid if its hash is the recorded one, whatever follows. */
static reprise_status decode_state(ic_save *save, ic_save_state *state, reprise_error *error)
{
    rp_reader r = rp_reader_of(state->bytes.data, state->bytes.size, "snapshot", error);
    ic_archetypes groups;
    reprise_error rule = REPRISE_ERROR_INIT;
    if (!ic_snapshot_read_open(&r, &state->arena, &state->snapshot, &groups, &state->rest))
        return unknown_core(save, error);
    (void)ic_core_check(&state->snapshot.core, &state->arena, &rule);
    rp_error_place(&rule, "snapshot", 0, "core");
    bool recorded = is_recorded(save, state, &groups, error);
    RP_TRY(error->status);
    if (rule.status != REPRISE_OK) {
        *error = rule;
        return recorded && !ic_is_about_types(&rule) ? rule.status : unknown_core(save, error);
    }
    if (!recorded && state->rest.unknown) {
        *error = state->rest.why;
        return unknown_core(save, error);
    }
    if (recorded && state->rest.unknown) {
        (void)ic_schema_unknown(&state->rest.why, IC_REST,
                                "the core is valid, its hash is recorded");
        note_unknown(save, &state->rest.why);
    }
    if (state->rest.unsorted)
        rp_note(&save->base.findings, IC_SAVE_FINDING(MAP_ORDER), "snapshot", 0,
                "campaign_state.flags", "a map of the campaign is not sorted");
    return recorded ? REPRISE_OK : REPRISE_END;
}

static reprise_status decode(ic_save *save, ic_save_state *state, const uint8_t *data,
                             reprise_error *error)
{
    const ic_save_header *h = &save->header;
    bool plain = false;
    RP_TRY(check_payload(save, &state->hasher, data, error));
    rp_reader r = rp_reader_of(data, h->payload_length, "payload", error);
    if (!ic_unpack(&r, h->uncompressed_length, &state->bytes, &plain))
        return error->status;
    if (plain)
        rp_note(&save->base.findings, IC_SAVE_FINDING(LZ4_PLAIN), "file", h->payload_offset,
                "payload", "an LZ4 block without a size prefix");
    reprise_status status = decode_state(save, state, error);
    if (status != REPRISE_END)
        return status;
    rp_error_set(error, REPRISE_E_CHECKSUM, "state hash mismatch: 0x%016llx in the header",
                 (unsigned long long)h->state_hash);
    rp_error_place(error, "file", 28, "state_hash");
    return error->status;
}

reprise_status ic_save_load(ic_save *save, ic_save_state *ret_state, reprise_error *error)
{
    rp_context *context = save->base.context;
    ic_save_state *state = ret_state;
    *state = (ic_save_state){0};
    rp_writer_init(&state->bytes, context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&state->arena, context);
    RP_TRY(ic_hasher_init(&state->hasher, context, error));
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(save->base.source, save->header.payload_offset,
                           save->header.payload_length, &data, &spare, error));
    reprise_status status = decode(save, state, data, error);
    rp_free(context, spare, spare ? save->header.payload_length : 0);
    return status;
}

/* ---- writing ---- */

static reprise_status put_save(ic_hasher *hasher, const ic_save_parts *parts, rp_writer *payload,
                               rp_writer *head, rp_sink *sink, reprise_error *error)
{
    uint64_t start = IC_SAVE_HEADER_SIZE + (uint64_t)parts->metadata.size + parts->thumbnail.size;
    if (parts->packed.data)
        rp_put(payload, parts->packed.data, parts->packed.size);
    else
        rp_lz4_write(payload, parts->snapshot.data, parts->snapshot.size, parts->level);
    RP_TRY(error->status);
    if (start + payload->size > UINT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "a save of 4 GiB and more");
    ic_save_header h = {.magic = {'I', 'C', 'S', 'V'},
                        .version = 1,
                        .compression_algorithm = 1,
                        .flags = parts->thumbnail.size ? IC_HAS_THUMBNAIL : 0,
                        .metadata_offset = IC_SAVE_HEADER_SIZE,
                        .metadata_length = (uint32_t)parts->metadata.size,
                        .payload_offset = (uint32_t)start,
                        .payload_length = (uint32_t)payload->size,
                        .uncompressed_length = (uint32_t)parts->snapshot.size,
                        .state_hash = parts->sync_hash};
    ic_digest(hasher, payload->data, payload->size, h.payload_hash);
    rp_bincode_write(head, &ic_save_header_record, &h);
    RP_TRY(error->status);
    RP_TRY(rp_sink_begin_head(sink, head->size, error));
    RP_TRY(rp_sink_write(sink, parts->metadata.data, parts->metadata.size, error));
    if (parts->thumbnail.size)
        RP_TRY(rp_sink_write(sink, parts->thumbnail.data, parts->thumbnail.size, error));
    RP_TRY(rp_sink_write(sink, payload->data, payload->size, error));
    return rp_sink_end_head(sink, head->data, head->size, error);
}

reprise_status ic_save_write(ic_hasher *hasher, const ic_save_parts *parts, rp_sink *sink,
                             reprise_error *error)
{
    rp_writer payload, head;
    rp_writer_init(&payload, hasher->context, UINT32_MAX, error);
    rp_writer_init(&head, hasher->context, IC_SAVE_HEADER_SIZE, error);
    reprise_status status = put_save(hasher, parts, &payload, &head, sink, error);
    rp_writer_free(&head);
    rp_writer_free(&payload);
    return status;
}

/* ---- writing one again ---- */

typedef struct rewrite {
    ic_save *source;
    ic_save_state state;
    rp_writer metadata;
    const uint8_t *payload, *thumbnail;
    uint8_t *payload_spare, *thumbnail_spare;
} rewrite;

reprise_status ic_save_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    return encoder->source
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_UNSUPPORTED,
                              "saves cannot be written from rows, only from a snapshot");
}

/* Rows of a save come from its payload, which is complete or rejected. */
reprise_status ic_save_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    RP_UNUSED(encoder);
    RP_UNUSED(batch);
    return error->status;
}

static reprise_status take_parts(rewrite *w, const rp_encoder *encoder, ic_save_parts *ret,
                                 reprise_error *error)
{
    const ic_save *source = w->source;
    const ic_save_header *h = &source->header;
    rp_source *file = source->base.source;
    bool pictured = source->thumbnail_size && !(encoder->options.removed & RP_PRIVATE_CONTENT);
    if (encoder->header == source->metadata) {
        uint8_t *to = rp_put_raw(&w->metadata, h->metadata_length);
        RP_TRY(to ? rp_source_read(file, h->metadata_offset, to, h->metadata_length, error)
                  : error->status);
    } else {
        rp_json_write(&w->metadata, encoder->header,
                      &(rp_json_format){.indent = 1, .exact_integers = true});
    }
    RP_TRY(error->status);
    RP_TRY(rp_source_piece(file, h->payload_offset, h->payload_length, &w->payload,
                           &w->payload_spare, error));
    if (pictured)
        RP_TRY(rp_source_piece(file, source->thumbnail_offset, source->thumbnail_size,
                               &w->thumbnail, &w->thumbnail_spare, error));
    /* Without a level the stored payload is kept if it is in the canonical form. */
    bool packed = encoder->options.level == REPRISE_LEVEL_DEFAULT && !w->state.rest.unsorted &&
                  h->payload_length >= RP_LZ4_PREFIX &&
                  rp_load32(w->payload) == h->uncompressed_length;
    RP_TRY(ic_state_normalise(true, &w->state.bytes, error));
    *ret = (ic_save_parts){
        .metadata = {(const char *)w->metadata.data, w->metadata.size},
        .thumbnail = {(const char *)w->thumbnail, pictured ? source->thumbnail_size : 0},
        .snapshot = {(const char *)w->state.bytes.data, w->state.bytes.size},
        .packed = {packed ? (const char *)w->payload : NULL, packed ? h->payload_length : 0},
        .sync_hash = h->state_hash,
        .level = ic_level(encoder->options.level, RP_LZ4_BALANCED)};
    return REPRISE_OK;
}

reprise_status ic_save_encode_end(rp_encoder *encoder, reprise_error *error)
{
    rp_context *context = encoder->context;
    rewrite w = {.source = (ic_save *)(uintptr_t)encoder->source};
    ic_save_parts parts;
    rp_writer_init(&w.metadata, context, IC_METADATA_MAX, error);
    reprise_status status = ic_save_load(w.source, &w.state, error);
    /* Private data cannot be removed from content that cannot be decoded. */
    if (status == REPRISE_OK && w.state.rest.unknown) {
        *error = w.state.rest.why;
        status = error->status;
    }
    if (status == REPRISE_OK)
        status = take_parts(&w, encoder, &parts, error);
    if (status == REPRISE_OK)
        status = ic_save_write(&w.state.hasher, &parts, encoder->sink, error);
    rp_free(context, w.payload_spare, w.payload_spare ? w.source->header.payload_length : 0);
    rp_free(context, w.thumbnail_spare, w.thumbnail_spare ? w.source->thumbnail_size : 0);
    rp_writer_free(&w.metadata);
    ic_save_state_free(&w.state);
    return status;
}

void ic_save_encode_free(rp_encoder *encoder)
{
    RP_UNUSED(encoder);
}
