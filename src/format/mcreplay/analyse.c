/* analyse.c - see analyse.h. */
#include <math.h>

#include "analyse.h"
#include "whole.h"

/* ---- tallies: sorted by name, so that finding is a search and the order is settled ---- */

static mc_tally *find_tally(mc_analysis *a, mc_tallies *list, rp_text name, reprise_error *error)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *text = list->items[middle].name;
        int order = rp_text_order(&(rp_text){text, strlen(text)}, &name);
        if (order == 0)
            return &list->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    mc_tally *items = rp_arena_grow(a->arena, list->items, list->count + 1, &list->capacity,
                                    sizeof *items, error);
    const char *text = items ? rp_arena_text(a->arena, name.data, name.size, error) : NULL;
    if (!text)
        return NULL;
    list->items = items;
    memmove(list->items + low + 1, list->items + low, (list->count - low) * sizeof(mc_tally));
    list->items[low] = (mc_tally){.name = text};
    list->count++;
    return &list->items[low];
}

/* ---- entities ---- */

double mc_motion_step(mc_motion *motion, double x, double y, double z)
{
    double dx = x - motion->x, dy = y - motion->y, dz = z - motion->z;
    double metres = motion->any ? sqrt(dx * dx + dy * dy + dz * dz) : 0;
    *motion = (mc_motion){.x = x, .y = y, .z = z, .any = true};
    return metres;
}

static reprise_status count_frames(mc_analysis *a, mc_entity_reader *reader, reprise_error *failure)
{
    const mc_entity *entity = mc_entity_of(reader);
    mc_motion motion = {0};
    bool *shown = rp_arena_array(a->arena, RP_MAX(entity->part_count, 1), sizeof *shown, failure);
    if (!shown)
        return failure->status;
    double metres = 0;
    reprise_status status;
    while ((status = mc_entity_next(reader, failure)) == REPRISE_OK) {
        bool first = mc_entity_frame(reader) == 1;
        metres += mc_motion_step(&motion, entity->root.pos_x, entity->root.pos_y,
                                 entity->root.pos_z);
        for (uint32_t i = 0; i < entity->part_count; i++) {
            bool visible = entity->part_states[i].pose.visible;
            a->visibility_changes += !first && visible != shown[i];
            shown[i] = visible;
        }
    }
    uint64_t frames = mc_entity_frame(reader);
    double seconds = (double)frames / entity->row.fps;
    rp_text class = entity->row.class;
    if (!class.data)
        class = (rp_text){"unknown", strlen("unknown")};
    mc_tally *one = find_tally(a, &a->classes, class, failure);
    if (!one)
        return failure->status;
    one->count++;
    one->seconds += seconds;
    one->metres += metres;
    a->entities++;
    a->frames += frames;
    a->parts += entity->part_count;
    a->distance += metres;
    return status;
}

static uint64_t count_triangles(const rp_obj *obj)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < obj->face_count; i++)
        triangles += obj->faces[i].count - 2;
    return triangles;
}

static reprise_status count_entities(mc_analysis *a, reprise_error *error)
{
    for (size_t i = 0; i < a->replay->outer.entities.count; i++) {
        reprise_error failure = REPRISE_ERROR_INIT;
        mc_entity_reader *reader = NULL;
        reprise_status status = mc_entity_open(a->replay, i, &reader, &failure);
        if (status == REPRISE_OK) {
            const mc_entity *entity = mc_entity_of(reader);
            for (uint32_t m = 0; m < entity->mesh_count; m++)
                a->triangles += count_triangles(&entity->objs[m]);
            status = count_frames(a, reader, &failure);
        }
        mc_entity_close(reader);
        if (status != REPRISE_END)
            RP_TRY(mc_entity_failed(a->replay, i, &failure, error));
    }
    return REPRISE_OK;
}

/* ---- the world ---- */

/* The block of a model: from the file's own table, or else the name before the state. */
static rp_text block_of(const mc_analysis *a, const mc_block *block)
{
    const reprise_value *types = rp_get(a->replay->inner.about, "blockTypes");
    rp_text name = {0};
    name.data = reprise_value_text(rp_get(types, block->model.data), &name.size);
    if (name.data)
        return name;
    const char *hash = memchr(block->model.data, '#', block->model.size);
    return (rp_text){block->model.data,
                     hash ? (size_t)(hash - block->model.data) : block->model.size};
}

uint64_t mc_stored_changes(const mc_world_piece *piece)
{
    return piece->about && piece->about->type != MC_INTRACODED ? piece->block_count : 0;
}

static reprise_status count_changes(mc_analysis *a, const mc_world_piece *piece,
                                    reprise_error *error)
{
    uint64_t changes = mc_stored_changes(piece);
    if (!changes)
        return REPRISE_OK;
    for (size_t i = 0; i < piece->block_count; i++) {
        mc_tally *one = find_tally(a, &a->models, block_of(a, &piece->blocks[i]), error);
        if (!one)
            return error->status;
        one->count++;
    }
    a->changed_blocks += changes;
    double minute = floor(piece->time / 60);
    if (minute >= 0 && minute < MC_MINUTES_MAX) {
        a->per_minute[rp_whole_size(minute)] += changes;
        a->per_minute_count = RP_MAX(a->per_minute_count, rp_whole_u64(minute) + 1);
    }
    return REPRISE_OK;
}

static reprise_status count_world(mc_analysis *a, reprise_error *error)
{
    a->per_minute = rp_arena_array(a->arena, MC_MINUTES_MAX, sizeof *a->per_minute, error);
    if (!a->per_minute)
        return error->status;
    mc_world_reader *world = NULL;
    RP_TRY(mc_world_open(a->replay, &world, error));
    mc_world_piece piece;
    reprise_status status;
    while ((status = mc_world_next(world, &piece, error)) == REPRISE_OK) {
        a->whole_frames += piece.about && piece.about->type == MC_INTRACODED;
        status = count_changes(a, &piece, error);
        if (status != REPRISE_OK)
            break;
    }
    mc_world_close(world);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* ---- looks ---- */

static reprise_status count_textures(mc_analysis *a, const mc_archive *archive,
                                     reprise_error *error)
{
    for (size_t i = 0; archive->zip && i < archive->textures.count; i++) {
        mc_texture texture;
        reprise_status status = mc_texture_read(a->replay, archive, i, a->arena, &texture, error);
        if (status == REPRISE_END)
            continue;
        RP_TRY(status);
        a->texture_bytes += texture.size;
        a->texture_pixels += (uint64_t)texture.width * texture.height;
    }
    return REPRISE_OK;
}

reprise_status mc_analyse(mc_replay *replay, rp_arena *arena, mc_analysis *ret_analysis,
                          reprise_error *error)
{
    mc_analysis *a = ret_analysis;
    *a = (mc_analysis){.replay = replay, .arena = arena};
    if (!replay->alone) {
        RP_TRY(count_entities(a, error));
        RP_TRY(count_textures(a, &replay->outer, error));
    }
    if (replay->has_world) {
        RP_TRY(count_world(a, error));
        RP_TRY(count_textures(a, &replay->inner, error));
    }
    return REPRISE_OK;
}
