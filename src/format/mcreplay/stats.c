/*
 * stats.c - the numbers people ask of a scene: who is in it and for how long, how far they go, what
 * happens to the world, and what the looks cost.
 *
 * One pass over all tracks. What is counted per class or per block is kept in a list of names,
 * which is as long as there are different ones.
 */
#include <math.h>

#include "mcreplay.h"
#include "whole.h"

/* Counts under one name. */
typedef struct tally {
    const char *name;
    uint64_t count;
    double seconds, metres;
} tally;

typedef struct tallies {
    tally *items;
    size_t count, capacity;
} tallies;

typedef struct totals {
    mc_replay *replay;
    rp_arena *arena;
    tallies classes, models;
    uint64_t entities, frames, parts;
    uint64_t visibility_changes;
    double distance;
    uint64_t changed_blocks, whole_frames;
    uint64_t per_minute_count;
    uint64_t *per_minute; /* changes of the world, minute by minute */
    uint64_t texture_bytes, texture_pixels;
    uint64_t triangles;
} totals;

enum { MINUTES_MAX = 24 * 60, BYTES_PER_PIXEL = 4 };

/* ---- tallies: sorted by name, so that finding is a search and the order is settled ---- */

static tally *find_tally(totals *t, tallies *list, rp_text name, reprise_error *error)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t size = strlen(list->items[middle].name);
        int order = memcmp(list->items[middle].name, name.data, RP_MIN(size, name.size));
        if (order == 0)
            order = (size > name.size) - (size < name.size);
        if (order == 0)
            return &list->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 32;
        tally *items = rp_arena_array(t->arena, capacity, sizeof *items, error);
        if (!items)
            return NULL;
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    const char *text = rp_arena_text(t->arena, name.data, name.size, error);
    if (!text)
        return NULL;
    memmove(list->items + low + 1, list->items + low, (list->count - low) * sizeof(tally));
    list->items[low] = (tally){.name = text};
    list->count++;
    return &list->items[low];
}

/* ---- entities ---- */

static double step_length(const mc_transform *a, const mc_transform *b)
{
    double x = b->pos_x - a->pos_x, y = b->pos_y - a->pos_y, z = b->pos_z - a->pos_z;
    return sqrt(x * x + y * y + z * z);
}

static reprise_status count_frames(totals *t, mc_entity_reader *reader, reprise_error *failure)
{
    const mc_entity *entity = mc_entity_of(reader);
    mc_transform before = entity->root;
    bool *shown = rp_arena_array(t->arena, RP_MAX(entity->part_count, 1), sizeof *shown, failure);
    if (!shown)
        return failure->status;
    double metres = 0;
    reprise_status status;
    while ((status = mc_entity_next(reader, failure)) == REPRISE_OK) {
        bool first = mc_entity_frame(reader) == 1;
        if (!first)
            metres += step_length(&before, &entity->root);
        before = entity->root;
        for (uint32_t i = 0; i < entity->part_count; i++) {
            bool visible = entity->part_states[i].pose.visible;
            t->visibility_changes += !first && visible != shown[i];
            shown[i] = visible;
        }
    }
    uint64_t frames = mc_entity_frame(reader);
    double seconds = (double)frames / entity->row.fps;
    rp_text class = entity->row.class.data ? entity->row.class : (rp_text)
    {
        "unknown", 7
    };
    tally *one = find_tally(t, &t->classes, class, failure);
    if (!one)
        return failure->status;
    one->count++;
    one->seconds += seconds;
    one->metres += metres;
    t->entities++;
    t->frames += frames;
    t->parts += entity->part_count;
    t->distance += metres;
    return status;
}

static uint64_t count_triangles(const rp_obj *obj)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < obj->face_count; i++)
        triangles += obj->faces[i].count - 2;
    return triangles;
}

static reprise_status count_entities(totals *t, reprise_error *error)
{
    for (size_t i = 0; i < t->replay->outer.entities.count; i++) {
        reprise_error failure = REPRISE_ERROR_INIT;
        mc_entity_reader *reader = NULL;
        reprise_status status = mc_entity_open(t->replay, i, &reader, &failure);
        if (status == REPRISE_OK) {
            const mc_entity *entity = mc_entity_of(reader);
            for (uint32_t m = 0; m < entity->mesh_count; m++)
                t->triangles += count_triangles(&entity->objs[m]);
            status = count_frames(t, reader, &failure);
        }
        mc_entity_close(reader);
        if (status != REPRISE_END)
            RP_TRY(mc_entity_failed(t->replay, i, &failure, error));
    }
    return REPRISE_OK;
}

/* ---- the world ---- */

/* The block behind a model: as the file's own table says, else what stands before the state. */
static rp_text block_of(const totals *t, const mc_block *block)
{
    const reprise_value *types = rp_get(t->replay->inner.about, "blockTypes");
    rp_text name = {0};
    name.data = reprise_value_text(rp_get(types, block->model.data), &name.size);
    if (name.data)
        return name;
    const char *hash = memchr(block->model.data, '#', block->model.size);
    return (rp_text){block->model.data,
                     hash ? (size_t)(hash - block->model.data) : block->model.size};
}

static reprise_status count_changes(totals *t, const mc_world_piece *piece, reprise_error *error)
{
    for (size_t i = 0; i < piece->block_count; i++) {
        tally *one = find_tally(t, &t->models, block_of(t, &piece->blocks[i]), error);
        if (!one)
            return error->status;
        one->count++;
    }
    t->changed_blocks += piece->block_count;
    double minute = floor(piece->time / 60);
    if (minute >= 0 && minute < MINUTES_MAX) {
        t->per_minute[rp_whole_size(minute)] += piece->block_count;
        t->per_minute_count = RP_MAX(t->per_minute_count, rp_whole_u64(minute) + 1);
    }
    return REPRISE_OK;
}

static reprise_status count_world(totals *t, reprise_error *error)
{
    t->per_minute = rp_arena_array(t->arena, MINUTES_MAX, sizeof *t->per_minute, error);
    if (!t->per_minute)
        return error->status;
    mc_world_reader *world = NULL;
    RP_TRY(mc_world_open(t->replay, &world, error));
    mc_world_piece piece;
    reprise_status status;
    while ((status = mc_world_next(world, &piece, error)) == REPRISE_OK) {
        bool whole = piece.about && piece.about->type == MC_INTRACODED;
        t->whole_frames += whole;
        if (piece.about && !whole)
            status = count_changes(t, &piece, error);
        if (status != REPRISE_OK)
            break;
    }
    mc_world_close(world);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* ---- looks ---- */

static reprise_status count_textures(totals *t, const mc_archive *archive, reprise_error *error)
{
    for (size_t i = 0; archive->zip && i < archive->textures.count; i++) {
        mc_texture texture;
        reprise_status status = mc_texture_read(t->replay, archive, i, t->arena, &texture, error);
        if (status == REPRISE_END)
            continue;
        RP_TRY(status);
        t->texture_bytes += texture.size;
        t->texture_pixels += (uint64_t)texture.width * texture.height;
    }
    return REPRISE_OK;
}

/* ---- the documents ---- */

static void set_classes(rp_doc *doc, reprise_value *to, const totals *t)
{
    reprise_value *list = rp_set_array(doc, to, "classes");
    for (size_t i = 0; i < t->classes.count; i++) {
        const tally *one = &t->classes.items[i];
        reprise_value *row = rp_push_object(doc, list);
        rp_set_text(doc, row, "class", one->name);
        rp_set_uint(doc, row, "entities", one->count);
        rp_set_f64(doc, row, "seconds_on_screen", one->seconds);
        rp_set_f64(doc, row, "metres", one->metres);
    }
}

static void set_changes(rp_doc *doc, reprise_value *to, const totals *t)
{
    reprise_value *world = rp_set_object(doc, to, "world");
    rp_set_uint(doc, world, "whole_frames", t->whole_frames);
    rp_set_uint(doc, world, "block_changes", t->changed_blocks);
    reprise_value *types = rp_set_array(doc, world, "by_type");
    for (size_t i = 0; i < t->models.count; i++) {
        reprise_value *row = rp_push_object(doc, types);
        rp_set_text(doc, row, "block", t->models.items[i].name);
        rp_set_uint(doc, row, "changes", t->models.items[i].count);
    }
    reprise_value *minutes = rp_set_array(doc, world, "by_minute");
    for (uint64_t i = 0; i < t->per_minute_count; i++)
        rp_push(doc, minutes, rp_new_uint(doc, t->per_minute[i]));
}

reprise_status mc_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    totals t = {.replay = replay, .arena = doc->arena};
    if (!replay->alone) {
        RP_TRY(count_entities(&t, error));
        RP_TRY(count_textures(&t, &replay->outer, error));
    }
    if (replay->has_world) {
        RP_TRY(count_world(&t, error));
        RP_TRY(count_textures(&t, &replay->inner, error));
    }
    rp_set_uint(doc, recorded, "entities", t.entities);
    rp_set_uint(doc, recorded, "entities_skipped", replay->outer.entities.count - t.entities);
    rp_set_uint(doc, recorded, "parts", t.parts);
    rp_set_uint(doc, recorded, "frames", t.frames);
    rp_set_f64(doc, derived, "metres", t.distance);
    rp_set_uint(doc, derived, "visibility_changes", t.visibility_changes);
    rp_set_uint(doc, derived, "entity_triangles", t.triangles);
    set_classes(doc, derived, &t);
    if (replay->has_world)
        set_changes(doc, derived, &t);
    rp_set_uint(doc, derived, "texture_file_bytes", t.texture_bytes);
    rp_set_uint(doc, derived, "texture_memory_bytes", t.texture_pixels * BYTES_PER_PIXEL);
    return error->status;
}
