/*
 * write.c - rows into an archive of version 0.3.0; the mirror of read.c.
 *
 * Rows come in the order a decoder gives them: materials and textures, entities with their frames,
 * the world. Each becomes a member when it is complete.
 */
#include "write.h"

#include "json.h"

bool mc_map_time(const mc_encoder *e, double *time)
{
    const rp_edit *cut = e->base.options.cut;
    if (!cut)
        return true;
    /* A frame that lasts beyond the start of the cut is shown at the start. */
    bool over = (cut->time_from - *time) * e->fps >= 1 - 1e-9;
    if (over || *time > cut->time_to)
        return false;
    if (!cut->keep_times)
        *time -= cut->time_from;
    return true;
}

/* ---- beginning ---- */

/* A new recording has the version of its layout, whatever the metadata say. */
static void put_header(mc_encoder *e)
{
    static const rp_json_format format = {.indent = 2, .exact_integers = true};
    const reprise_value *given = e->base.header;
    if (e->base.source) {
        rp_json_write(&e->text, given, &format);
        return;
    }
    rp_doc doc = {.arena = &e->names, .error = &e->error};
    reprise_value *header = rp_new_object(&doc);
    rp_set_text(&doc, header, "version", e->base.options.layout);
    for (size_t i = 0; i < reprise_value_count(given); i++) {
        const char *key = reprise_value_key(given, i);
        if (key && strcmp(key, "version") != 0)
            rp_set(&doc, header, key, rp_copy(&doc, reprise_value_at(given, i)));
    }
    if (e->error.status == REPRISE_OK)
        rp_json_write(&e->text, header, &format);
}

static reprise_status add_header(mc_encoder *e, reprise_error *error)
{
    put_header(e);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    RP_TRY(error->status);
    reprise_status status = rp_zip_add_bytes(e->zip, "meta.json", e->text.data, e->text.size,
                                             error);
    rp_writer_clear(&e->text);
    return status;
}

reprise_status mc_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    mc_encoder *e = (mc_encoder *)encoder;
    rp_context *context = encoder->context;
    const mc_replay *source = (const mc_replay *)encoder->source;
    rp_writer *const writers[] = {&e->text, &e->frames_nbt, &e->blocks, &e->colours[0],
                                  &e->colours[1]};
    size_t max = (size_t)RP_MIN(context->limits.decoded_bytes_max, (uint64_t)SIZE_MAX / 4);
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], context, max, &e->error);
    rp_arena_init(&e->names, context);
    e->alone = source && source->alone;
    RP_TRY(rp_zip_writer_new(context, encoder->sink, &e->zip, error));
    RP_TRY(rp_zip_set_level(e->zip, encoder->options.level, error));
    if (e->alone) {
        e->world_zip = e->zip;
        return REPRISE_OK;
    }
    RP_TRY(rp_sink_open_spool(context, encoder->sink, &e->world_sink, error));
    RP_TRY(rp_zip_writer_new(context, e->world_sink, &e->world_zip, error));
    RP_TRY(rp_zip_set_level(e->world_zip, encoder->options.level, error));
    return add_header(e, error);
}

void mc_encode_free(rp_encoder *encoder)
{
    mc_encoder *e = (mc_encoder *)encoder;
    reprise_error given_up = {.status = REPRISE_E_CANCELLED};
    (void)mc_finish_entity(e, &given_up);
    if (!e->alone)
        rp_zip_writer_free(e->world_zip);
    rp_zip_writer_free(e->zip);
    rp_sink_close(e->world_sink);
    rp_writer_free(&e->text);
    rp_writer_free(&e->frames_nbt);
    rp_writer_free(&e->blocks);
    for (size_t i = 0; i < RP_COUNT(e->colours); i++)
        rp_writer_free(&e->colours[i]);
    if (e->names.context) {
        rp_dictionary_free(e->base.context, &e->meshes);
        rp_dictionary_free(e->base.context, &e->models);
        rp_arena_free(&e->names);
    }
}

/* ---- rows ---- */

/* A member made of one row: folder, id, suffix. */
static reprise_status add_member(mc_encoder *e, uint8_t scope, const char *folder, rp_text id,
                                 const char *suffix, reprise_error *error)
{
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    RP_TRY(error->status);
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    const char *name = rp_arena_format(&arena, error, "%s%.*s%s", folder, (int)id.size, id.data,
                                       suffix);
    rp_zip_writer *zip = scope == MC_SCOPE_WORLD ? e->world_zip : e->zip;
    reprise_status status = name ? rp_zip_add_bytes(zip, name, e->text.data, e->text.size, error)
                                 : error->status;
    rp_arena_free(&arena);
    rp_writer_clear(&e->text);
    return status;
}

static reprise_status write_row(mc_encoder *e, const rp_row *row, const rp_batch *batch,
                                reprise_error *error)
{
    const mc_mesh *mesh = row->data;
    const mc_material *material = row->data;
    switch (row->track) {
    case MC_ENTITIES:
        if (!e->base.source)
            RP_TRY(mc_check_definition(row, error));
        RP_TRY(mc_write_definition(e, row->data, batch, error));
        e->object = row->object;
        return REPRISE_OK;
    case MC_MESHES:
        if (mesh->scope != MC_SCOPE_WORLD)
            return REPRISE_OK;
        RP_TRY(mc_finish_entity(e, error));
        mc_write_obj(&e->text, mesh);
        (void)rp_dictionary_add(&e->meshes, &e->names, mesh->model.data, mesh->model.size, error);
        return add_member(e, mesh->scope, "mesh/", mesh->model, ".obj", error);
    case MC_MATERIALS:
        RP_TRY(mc_finish_entity(e, error));
        if (material->scope > MC_SCOPE_WORLD)
            return rp_error_set(error, REPRISE_E_USAGE, "unknown scope %u", material->scope);
        if (!material->source.size)
            return rp_error_set(error, REPRISE_E_USAGE,
                                "set 'source' of a material: its document, in JSON");
        RP_TRY(mc_write_material(e, material, error));
        return add_member(e, material->scope, "mat/", material->id, ".json", error);
    case MC_BLOCKS:
        return mc_write_blocks(e, row->data, error);
    case MC_WORLD_FRAMES:
        return mc_write_world_frame(e, row->data, row->time, error);
    default:
        return REPRISE_OK;
    }
}

reprise_status mc_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    mc_encoder *e = (mc_encoder *)encoder;
    bool moves = batch->count &&
                 (batch->rows[0].track == MC_FRAMES || batch->rows[0].track == MC_PARTS ||
                  batch->rows[0].track == MC_OVERRIDES);
    if (moves)
        return e->base.source ? mc_write_frame(e, batch, error) : mc_record_frame(e, batch, error);
    for (size_t i = 0; i < batch->count; i++)
        RP_TRY(write_row(e, &batch->rows[i], batch, error));
    return error->status;
}

reprise_status mc_add_texture(mc_encoder *e, rp_zip_writer *zip, const char *name,
                              rp_stream *content, reprise_error *error)
{
    if (!(e->base.options.removed & RP_PRIVATE_CONTENT))
        return rp_zip_add_stream(zip, name, content, error);
    rp_stream *plain = NULL;
    RP_TRY(mc_plain_texture(e->base.context, name, content, &plain, error));
    reprise_status status = rp_zip_add_stream(zip, name, plain, error);
    rp_stream_close(plain);
    return status;
}

reprise_status mc_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                              reprise_error *error)
{
    static const char inside[] = "world.vcap/";
    mc_encoder *e = (mc_encoder *)encoder;
    RP_TRY(mc_finish_entity(e, error));
    if (!encoder->source && strncmp(name, inside, sizeof inside - 1) == 0)
        return mc_add_texture(e, e->world_zip, name + sizeof inside - 1, content, error);
    return mc_add_texture(e, e->zip, name, content, error);
}

reprise_status mc_encode_end(rp_encoder *encoder, reprise_error *error)
{
    mc_encoder *e = (mc_encoder *)encoder;
    RP_TRY(mc_finish_entity(e, error));
    RP_TRY(mc_write_colours(e, MC_SCOPE_REPLAY, error));
    RP_TRY(mc_finish_world(e, error));
    return rp_zip_finish(e->zip, error);
}
