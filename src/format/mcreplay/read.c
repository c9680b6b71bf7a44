/*
 * read.c - rows of the complete file: materials and textures, entities with their frames, the
 * world.
 *
 * Entities are read one at a time, from first frame to last, so that only one is in memory. A
 * damaged one is reported and its rows end at the damage.
 */
#include "read.h"

reprise_status mc_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    mc_decoder *d = (mc_decoder *)decoder;
    RP_UNUSED(error);
    rp_arena_init(&d->arena, decoder->replay->context);
    return REPRISE_OK;
}

void mc_decode_end(rp_decoder *decoder)
{
    mc_decoder *d = (mc_decoder *)decoder;
    mc_free_moment(d);
    mc_interpolation_close(d->between);
    mc_entity_close(d->entity);
    mc_world_close(d->world);
    rp_obj_close(d->obj);
    if (d->arena.context)
        rp_arena_free(&d->arena);
}

static rp_row table_row(uint32_t track, const void *data)
{
    return (rp_row){.track = track, .present = UINT64_MAX, .data = data};
}

/* ---- entities ---- */

static reprise_status emit_definition(mc_decoder *d, reprise_error *error)
{
    const mc_entity *entity = mc_entity_of(d->entity);
    if (rp_selected(&d->base, MC_ENTITIES)) {
        rp_row row = table_row(MC_ENTITIES, &entity->row);
        row.object = (uint32_t)d->item;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    for (uint32_t i = 0; rp_selected(&d->base, MC_MESHES) && i < entity->mesh_count; i++)
        RP_TRY(rp_emit(&d->base, table_row(MC_MESHES, &entity->meshes[i]), error));
    return REPRISE_OK;
}

reprise_status mc_emit_entity(mc_decoder *d, const mc_entity *entity, uint32_t index, int64_t frame,
                              double time, bool dense, reprise_error *error)
{
    rp_row row = {.object = index, .index = frame, .time = time};
    if (rp_selected(&d->base, MC_FRAMES)) {
        row.track = MC_FRAMES;
        row.data = &entity->root;
        row.present = entity->root_present;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    row.track = MC_PARTS;
    for (uint32_t i = 0; rp_selected(&d->base, MC_PARTS) && i < entity->part_count; i++) {
        row.data = &entity->part_states[i];
        row.present = entity->part_states[i].present;
        if (dense || row.present)
            RP_TRY(rp_emit(&d->base, row, error));
    }
    row.track = MC_OVERRIDES;
    for (uint32_t i = 0; rp_selected(&d->base, MC_OVERRIDES) && i < entity->channel_count; i++) {
        row.data = &entity->channel_states[i];
        row.present = entity->channel_states[i].present;
        if (dense || row.present)
            RP_TRY(rp_emit(&d->base, row, error));
    }
    return REPRISE_OK;
}

static reprise_status step_entity(mc_decoder *d, reprise_error *error, reprise_error *failure)
{
    static const uint64_t frame_tracks = UINT64_C(1) << MC_PARTS | UINT64_C(1) << MC_FRAMES |
                                         UINT64_C(1) << MC_OVERRIDES;
    mc_replay *replay = (mc_replay *)d->base.replay;
    if (!d->entity) {
        RP_TRY(mc_entity_open(replay, d->item, &d->entity, failure));
        if (d->base.selection.dense && d->base.selection.linear)
            RP_TRY(mc_interpolation_open(replay, d->item, mc_entity_of(d->entity), &d->between,
                                         error));
        return emit_definition(d, error);
    }
    if (!(d->base.selection.tracks & frame_tracks))
        return REPRISE_END;
    RP_TRY(mc_entity_next(d->entity, failure));
    const mc_entity *entity = mc_entity_of(d->entity);
    uint64_t frame = mc_entity_frame(d->entity) - 1;
    if (d->between)
        RP_TRY(mc_interpolation_frame(d->between, entity, frame, &entity, error));
    return mc_emit_entity(d, entity, (uint32_t)d->item, (int64_t)frame,
                          entity->row.start_time + (double)frame / entity->row.fps,
                          d->base.selection.dense, error);
}

static reprise_status read_entities(mc_decoder *d, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    if (d->item == replay->outer.entities.count)
        return REPRISE_END;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = step_entity(d, error, &failure);
    if (status == REPRISE_OK)
        return REPRISE_OK;
    mc_interpolation_close(d->between);
    d->between = NULL;
    mc_entity_close(d->entity);
    d->entity = NULL;
    d->item++;
    RP_TRY(error->status);
    RP_TRY(rp_progress(replay->base.context, d->item, replay->outer.entities.count, error));
    if (status == REPRISE_END)
        return REPRISE_OK;
    return mc_entity_failed(replay, d->item - 1, &failure, error);
}

/* ---- looks ---- */

/* A member that cannot be read ends reading, except when salvaging. */
static reprise_status lose(mc_decoder *d, const reprise_error *damage, reprise_error *error)
{
    rp_replay *replay = d->base.replay;
    if (!replay->salvage || rp_is_own_failure(replay->context, damage->status)) {
        *error = *damage;
        return damage->status;
    }
    rp_note(&replay->findings, MC_FINDING(LOST_MEMBER), damage->stream, damage->offset,
            damage->path, "a member is lost: %s", damage->message);
    return REPRISE_OK;
}

static reprise_status read_material(mc_decoder *d, const mc_archive *archive, reprise_error *error)
{
    if (d->item == archive->materials.count)
        return REPRISE_END;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (mc_material_read((mc_replay *)d->base.replay, archive, d->item++, &d->arena, &d->material,
                         &damage) != REPRISE_OK)
        return lose(d, &damage, error);
    return rp_emit(&d->base, table_row(MC_MATERIALS, &d->material), error);
}

static reprise_status read_texture(mc_decoder *d, const mc_archive *archive, reprise_error *error)
{
    if (d->item == archive->textures.count)
        return REPRISE_END;
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = mc_texture_read((mc_replay *)d->base.replay, archive, d->item++,
                                            &d->arena, &d->texture, &damage);
    if (status == REPRISE_END)
        return REPRISE_OK;
    if (status != REPRISE_OK)
        return lose(d, &damage, error);
    return rp_emit(&d->base, table_row(MC_TEXTURES, &d->texture), error);
}

/* ---- the world ---- */

static reprise_status feed_mesh(rp_obj_reader *reader, rp_stream *stream, reprise_error *error)
{
    char piece[8192];
    size_t got = 1;
    while (got) {
        RP_TRY(rp_stream_read(stream, piece, sizeof piece, &got, error));
        RP_TRY(rp_obj_feed(reader, piece, got, error));
    }
    return REPRISE_OK;
}

reprise_status mc_read_obj(const mc_archive *archive, size_t entry, rp_obj_reader *reader,
                           rp_arena *arena, rp_obj *ret_obj, reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    rp_stream *stream = NULL;
    RP_TRY(mc_open_member(archive, entry, name, &stream, error));
    reprise_status status = feed_mesh(reader, stream, error);
    rp_stream_close(stream);
    if (status == REPRISE_OK)
        status = rp_obj_finish(reader, arena, ret_obj, error);
    rp_error_place(error, name, 0, "");
    return status;
}

static reprise_status read_world_mesh(mc_decoder *d, reprise_error *error)
{
    const mc_archive *archive = &((const mc_replay *)d->base.replay)->inner;
    if (d->item == archive->meshes.count)
        return REPRISE_END;
    const mc_member *member = &archive->meshes.items[d->item++];
    if (!d->obj)
        RP_TRY(rp_obj_open(d->base.replay->context, &d->obj, error));
    rp_obj obj;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (mc_read_obj(archive, member->entry, d->obj, &d->arena, &obj, &damage) != REPRISE_OK) {
        rp_obj_close(d->obj); /* the reader is in the middle of a line */
        d->obj = NULL;
        return lose(d, &damage, error);
    }
    d->mesh = (mc_mesh){.scope = MC_SCOPE_WORLD,
                        .entity = -1,
                        .part = -1,
                        .model = {member->id, strlen(member->id)}};
    RP_TRY(mc_mesh_row(&d->arena, &obj, &d->mesh, error));
    return rp_emit(&d->base, table_row(MC_MESHES, &d->mesh), error);
}

static reprise_status read_world(mc_decoder *d, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    if (!d->world)
        RP_TRY(mc_world_open(replay, &d->world, error));
    mc_world_piece piece;
    RP_TRY(mc_world_next(d->world, &piece, error));
    rp_row row = {.index = piece.frame, .time = piece.time, .track = MC_BLOCKS};
    for (size_t i = 0; rp_selected(&d->base, MC_BLOCKS) && i < piece.block_count; i++) {
        row.data = &piece.blocks[i];
        row.present = UINT64_MAX;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    if (piece.about && rp_selected(&d->base, MC_WORLD_FRAMES)) {
        row = (rp_row){.index = piece.frame,
                       .time = piece.time,
                       .track = MC_WORLD_FRAMES,
                       .present = UINT64_MAX,
                       .data = piece.about};
        RP_TRY(rp_emit(&d->base, row, error));
    }
    return rp_progress(replay->base.context, piece.frame, 0, error);
}

/* ---- stages ---- */

#define TRACK(name) (UINT64_C(1) << (name))

/* The tracks that a stage gives. */
static const uint64_t stage_tracks[] = {
    [MC_STAGE_MATERIALS] = TRACK(MC_MATERIALS),
    [MC_STAGE_TEXTURES] = TRACK(MC_TEXTURES),
    [MC_STAGE_ENTITIES] = TRACK(MC_ENTITIES) | TRACK(MC_PARTS) | TRACK(MC_FRAMES) |
                          TRACK(MC_OVERRIDES) | TRACK(MC_MESHES),
    [MC_STAGE_WORLD_MATERIALS] = TRACK(MC_MATERIALS),
    [MC_STAGE_WORLD_TEXTURES] = TRACK(MC_TEXTURES),
    [MC_STAGE_WORLD_MESHES] = TRACK(MC_MESHES),
    [MC_STAGE_WORLD] = TRACK(MC_WORLD_FRAMES) | TRACK(MC_BLOCKS),
    [MC_STAGE_MOMENT] = 0,
};

static bool stage_wanted(const mc_decoder *d)
{
    const mc_replay *replay = (const mc_replay *)d->base.replay;
    bool world = d->stage >= MC_STAGE_WORLD_MATERIALS;
    return (d->base.selection.tracks & stage_tracks[d->stage]) &&
           (world ? replay->has_world : !replay->alone);
}

/*
 * A damaged world does not affect the entities. It is reported unless only entities were selected.
 */
static void hint_entities(const mc_decoder *d, reprise_error *error)
{
    const mc_replay *replay = (const mc_replay *)d->base.replay;
    if (d->stage >= MC_STAGE_WORLD_MATERIALS && !replay->alone)
        rp_error_advise(error, REPRISE_HINT_PARTS);
}

static reprise_status read_stage(mc_decoder *d, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    if (d->stage >= MC_STAGE_WORLD_MATERIALS)
        RP_TRY(mc_open_world(replay, error));
    switch (d->stage) {
    case MC_STAGE_MATERIALS:
        return read_material(d, &replay->outer, error);
    case MC_STAGE_TEXTURES:
        return read_texture(d, &replay->outer, error);
    case MC_STAGE_ENTITIES:
        return read_entities(d, error);
    case MC_STAGE_WORLD_MATERIALS:
        return read_material(d, &replay->inner, error);
    case MC_STAGE_WORLD_TEXTURES:
        return read_texture(d, &replay->inner, error);
    case MC_STAGE_WORLD_MESHES:
        return read_world_mesh(d, error);
    default:
        return read_world(d, error);
    }
}

reprise_status mc_decode_next(rp_decoder *decoder, reprise_error *error)
{
    mc_decoder *d = (mc_decoder *)decoder;
    rp_arena_reset(&d->arena);
    if (d->stage == MC_STAGE_MOMENT) {
        d->stage = MC_STAGE_DONE;
        return mc_read_moment(d, error);
    }
    for (; d->stage < MC_STAGE_MOMENT; d->stage++, d->item = 0) {
        reprise_status status = stage_wanted(d) ? read_stage(d, error) : REPRISE_END;
        if (status == REPRISE_END)
            continue;
        if (status != REPRISE_OK)
            hint_entities(d, error);
        return status;
    }
    return REPRISE_END;
}
