/* info.c - describes a scene. Its length requires counting all frames. */
#include "info.h"
#include "mcreplay.h"

/* Players are named after their accounts; other entities mostly after their kind. */
static void add_person(rp_doc *doc, reprise_value *people, const mc_entity_row *row)
{
    if (!row->class.data || strcmp(row->class.data, "minecraft:player") != 0)
        return;
    reprise_value *one = rp_push_object(doc, people);
    rp_set(doc, one, "name", rp_new_text_n(doc, row->name.data, row->name.size));
}

/* Reads documents only up to the first frame, for names and kinds. */
static reprise_status set_entities(rp_doc *doc, reprise_value *info, mc_replay *replay,
                                   reprise_error *error)
{
    size_t count = replay->outer.entities.count;
    rp_set_uint(doc, info, "entity_count", count);
    reprise_value *people = rp_set_array(doc, info, "people");
    reprise_value *list = rp_set_array(doc, info, "entities");
    for (size_t i = 0; i < count; i++) {
        const mc_member *member = &replay->outer.entities.items[i];
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "file", rp_zip_entry_at(replay->outer.zip, member->entry)->name);
        reprise_error failure = REPRISE_ERROR_INIT;
        mc_entity_reader *reader = NULL;
        if (mc_entity_open_head(replay, i, &reader, &failure) != REPRISE_OK) {
            RP_TRY(mc_entity_failed(replay, i, &failure, error));
            rp_set_text(doc, one, "error", failure.message);
            continue;
        }
        const mc_entity *entity = mc_entity_of(reader);
        rp_set(doc, one, "name", rp_new_text_n(doc, entity->row.name.data, entity->row.name.size));
        if (entity->row.class.data)
            rp_set_text(doc, one, "class", entity->row.class.data);
        add_person(doc, people, &entity->row);
        rp_set_text(doc, one, "rig", rp_enum_name(&mc_rig_names, entity->row.rig));
        rp_set_f64(doc, one, "fps", entity->row.fps);
        rp_set_f64(doc, one, "start_time", entity->row.start_time);
        rp_set_uint(doc, one, "parts", entity->part_count);
        rp_set_uint(doc, one, "channels", entity->channel_count);
        rp_set_uint(doc, one, "meshes", entity->mesh_count);
        mc_entity_close(reader);
    }
    return REPRISE_OK;
}

static reprise_status see_end(mc_replay *replay, size_t index, reprise_error *failure)
{
    mc_entity_reader *reader = NULL;
    reprise_status status = mc_entity_open(replay, index, &reader, failure);
    while (status == REPRISE_OK)
        status = mc_entity_next(reader, failure);
    if (status == REPRISE_END)
        mc_entity_keep_end(reader);
    mc_entity_close(reader);
    return status;
}

/* When the world changes for the last time. */
static reprise_status see_world(mc_replay *replay, double *latest, reprise_error *error)
{
    mc_world_reader *world = NULL;
    RP_TRY(mc_world_open(replay, &world, error));
    mc_world_piece piece;
    reprise_status status;
    while ((status = mc_world_next(world, &piece, error)) == REPRISE_OK)
        *latest = RP_MAX(*latest, piece.time);
    mc_world_close(world);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* From 0 until the last entity disappears and the world changes for the last time. */
reprise_status mc_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    for (size_t i = 0; !replay->alone && i < replay->outer.entities.count; i++) {
        const mc_end *end = &replay->ends[i];
        reprise_error failure = REPRISE_ERROR_INIT;
        if (!end->known && see_end(replay, i, &failure) != REPRISE_END)
            RP_TRY(mc_entity_failed(replay, i, &failure, error));
        if (end->any)
            *ret_seconds = RP_MAX(*ret_seconds, end->time);
    }
    return replay->has_world ? see_world(replay, ret_seconds, error) : REPRISE_OK;
}

static void set_world(rp_doc *doc, reprise_value *info, mc_replay *replay)
{
    if (!replay->has_world) {
        rp_set(doc, info, "world", rp_new_null(doc));
        return;
    }
    reprise_value *world = rp_set_object(doc, info, "world");
    reprise_error failure = REPRISE_ERROR_INIT;
    if (mc_open_world(replay, &failure) != REPRISE_OK) {
        rp_set_text(doc, world, "error", failure.message);
        return;
    }
    const mc_archive *inner = &replay->inner;
    rp_set_text_if(doc, world, "version", rp_get_text(inner->about, "version"));
    rp_set_text_if(doc, world, "encoder", rp_get_text(inner->about, "encoder"));
    rp_set_uint(doc, world, "meshes", inner->meshes.count);
    rp_set_uint(doc, world, "materials", inner->materials.count);
    rp_set_uint(doc, world, "textures", mc_texture_count(inner));
    rp_set_uint(doc, world, "block_types", reprise_value_count(rp_get(inner->about, "blockTypes")));
    rp_set_uint(doc, world, "data_size", rp_zip_entry_at(inner->zip, (size_t)inner->world)->size);
}

reprise_status mc_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    const reprise_value *about = replay->alone ? replay->inner.about : replay->outer.about;
    rp_set_text(doc, info, "kind", replay->alone ? "world" : "scene");
    rp_set_text_if(doc, info, "version", rp_get_text(about, "version"));
    rp_set_text_if(doc, info, "encoder", rp_get_text(about, "encoder"));
    if (!replay->alone) {
        reprise_value *offset = rp_set_array(doc, info, "offset");
        for (size_t i = 0; i < 3; i++)
            rp_push(doc, offset, rp_new_f64(doc, replay->offset[i]));
        RP_TRY(set_entities(doc, info, replay, error));
        rp_set_uint(doc, info, "materials", replay->outer.materials.count);
        rp_set_uint(doc, info, "textures", mc_texture_count(&replay->outer));
    }
    set_world(doc, info, replay);
    rp_info_blobs(doc, info, base);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "header",
           about ? replay->alone ? replay->inner.about : replay->outer.about : rp_new_null(doc));
    return error->status;
}
