/*
 * scene_world.c - the blocks of the world.
 *
 * Every section gives one mesh of all blocks that never change, and one node for each set of blocks
 * that appear and disappear together, with visibility keys. A node per block would mean hundreds of
 * thousands for a view of a few hundred metres, more than any viewer can handle, and the file would
 * not be smaller. Sides that an opaque neighbour always hides are omitted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene_builder.h"
#include "whole.h"

enum { MESH_VERTICES_MAX = 1 << 20 };

/* From which moment on and before which moment something exists; END: until the end. */
typedef struct span {
    uint32_t from, to;
} span;
#define END UINT32_MAX

/* One block and when it exists. */
typedef struct life {
    const span *spans;
    size_t span_count;
    uint16_t place;
    mc_cell cell;
} life;

typedef struct builder {
    mc_scene_builder *s;
    const mc_world_changes *history;
    const mc_model *models;
    int32_t root;
    uint64_t vertices; /* so far */
    const mc_chunk *chunk;
    const mc_chunk *around[MC_SIDES];
    life *lives; /* of the chunk */
    size_t life_count;
} builder;

static const span always = {0, END};

static const mc_model *model_of(const builder *b, const mc_cell *cell)
{
    return cell->model ? &b->models[cell->model - 1] : NULL;
}

static bool is_seen(const builder *b, const mc_cell *cell)
{
    const mc_model *model = model_of(b, cell);
    return model && model->shape_count;
}

/* ---- what hides its neighbours ---- */

static void mark(uint64_t *bits, size_t place, bool set)
{
    uint64_t bit = UINT64_C(1) << (place % 64);
    bits[place / 64] = set ? bits[place / 64] | bit : bits[place / 64] & ~bit;
}

static reprise_status find_hiding(builder *b, rp_arena *arena, reprise_error *error)
{
    for (size_t i = 0; i < b->history->chunks.count; i++) {
        mc_chunk *chunk = mc_chunk_at(b->history, i);
        if (!chunk->first)
            continue;
        chunk->hides = rp_arena_array(arena, MC_CHUNK_BLOCKS / 64, sizeof(uint64_t), error);
        if (!chunk->hides)
            return error->status;
        for (size_t place = 0; place < MC_CHUNK_BLOCKS; place++) {
            const mc_model *model = model_of(b, &chunk->first[place]);
            mark(chunk->hides, place, model && model->opaque);
        }
        const mc_cell_change *changes = chunk->changes.items;
        for (size_t k = 0; k < chunk->changes.count; k++) {
            const mc_model *model = model_of(b, &changes[k].cell);
            if (!model || !model->opaque)
                mark(chunk->hides, changes[k].place, false);
        }
    }
    return REPRISE_OK;
}

static const int8_t steps[MC_SIDES][3] = {
    [MC_DOWN] = {0, -1, 0}, [MC_UP] = {0, 1, 0},    [MC_NORTH] = {0, 0, -1},
    [MC_SOUTH] = {0, 0, 1}, [MC_WEST] = {-1, 0, 0}, [MC_EAST] = {1, 0, 0},
};

static void enter_chunk(builder *b, const mc_chunk *chunk)
{
    b->chunk = chunk;
    for (size_t side = 0; side < MC_SIDES; side++)
        b->around[side] = mc_world_changes_chunk(b->history, chunk->x + steps[side][0],
                                                 chunk->y + steps[side][1],
                                                 chunk->z + steps[side][2]);
}

static bool is_hidden(const builder *b, uint16_t place, int8_t side)
{
    if (side < 0)
        return false;
    int x = place % 16 + steps[side][0], z = place / 16 % 16 + steps[side][2],
        y = place / 256 + steps[side][1];
    bool outside = (x | y | z) & ~15;
    const mc_chunk *chunk = outside ? b->around[side] : b->chunk;
    size_t next = (size_t)((y & 15) * 256 + (z & 15) * 16 + (x & 15));
    return chunk && chunk->hides && chunk->hides[next / 64] >> (next % 64) & 1;
}

/* ---- meshes ---- */

/* All faces of one look in one mesh. */
typedef struct heap {
    rp_vec3 *positions, *normals;
    float (*uvs)[2];
    uint8_t (*colours)[4];
    uint32_t *indices;
    size_t count, index_count;
} heap;

static uint8_t straight(uint8_t c)
{
    double v = c / 255.0;
    v = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    return (uint8_t)rp_whole_u32(v * 255 + 0.5);
}

static uint64_t count_vertices(const builder *b, const life *l)
{
    const mc_model *model = model_of(b, &l->cell);
    uint64_t count = 0;
    for (size_t i = 0; i < model->shape_count; i++)
        count += model->shapes[i].geometry.count;
    return count;
}

static void measure(const builder *b, const life *lives, size_t count, heap *heaps)
{
    for (size_t i = 0; i < count; i++) {
        const mc_model *model = model_of(b, &lives[i].cell);
        for (size_t k = 0; k < model->shape_count; k++) {
            const mc_shape *shape = &model->shapes[k];
            if (is_hidden(b, lives[i].place, shape->side))
                continue;
            heaps[shape->look].count += shape->geometry.count;
            heaps[shape->look].index_count += shape->geometry.index_count;
        }
    }
}

static bool make_room(builder *b, heap *heaps, size_t looks, reprise_error *error)
{
    rp_arena *arena = &b->s->scratch;
    for (size_t i = 0; i < looks; i++) {
        heap *h = &heaps[i];
        size_t n = h->count;
        if (!n)
            continue;
        h->positions = rp_arena_array(arena, n, sizeof *h->positions, error);
        h->normals = rp_arena_array(arena, n, sizeof *h->normals, error);
        h->uvs = rp_arena_array(arena, n, sizeof *h->uvs, error);
        if (mc_look_at(b->s, (uint32_t)i)->tinted)
            h->colours = rp_arena_array(arena, n, sizeof *h->colours, error);
        h->indices = rp_arena_array(arena, h->index_count, sizeof *h->indices, error);
        h->count = h->index_count = 0;
        if (error->status != REPRISE_OK)
            return false;
    }
    return true;
}

static void add_shape(heap *h, const rp_geometry *g, rp_vec3 at, const uint8_t tint[4])
{
    for (size_t i = 0; i < g->index_count; i++)
        h->indices[h->index_count++] = (uint32_t)h->count + g->indices[i];
    for (size_t i = 0; i < g->count; i++, h->count++) {
        h->positions[h->count] = (rp_vec3){g->positions[i].x + at.x, g->positions[i].y + at.y,
                                           g->positions[i].z + at.z};
        h->normals[h->count] = g->normals[i];
        if (g->uvs)
            memcpy(h->uvs[h->count], g->uvs[i], sizeof g->uvs[i]);
        if (h->colours)
            memcpy(h->colours[h->count], tint, 4);
    }
}

static void fill(const builder *b, const life *lives, size_t count, heap *heaps)
{
    for (size_t i = 0; i < count; i++) {
        const life *l = &lives[i];
        const mc_model *model = model_of(b, &l->cell);
        rp_vec3 at = {(float)(l->place % 16), (float)(l->place / 256), (float)(l->place / 16 % 16)};
        uint8_t tint[4] = {straight(l->cell.tint[0]), straight(l->cell.tint[1]),
                           straight(l->cell.tint[2]), 255};
        for (size_t k = 0; k < model->shape_count; k++) {
            const mc_shape *shape = &model->shapes[k];
            if (!is_hidden(b, l->place, shape->side))
                add_shape(&heaps[shape->look], &shape->geometry, at, tint);
        }
    }
}

/* The mesh of some blocks of the chunk, or -1 if none of them is visible. */
static int32_t build_mesh(builder *b, const char *name, const life *lives, size_t count,
                          reprise_error *error)
{
    size_t looks = b->s->looks.count, used = 0;
    heap *heaps = rp_arena_array(&b->s->scratch, RP_MAX(looks, 1), sizeof *heaps, error);
    rp_geometry *parts = rp_arena_array(&b->s->scratch, RP_MAX(looks, 1), sizeof *parts, error);
    if (!heaps || !parts)
        return -1;
    measure(b, lives, count, heaps);
    if (!make_room(b, heaps, looks, error))
        return -1;
    fill(b, lives, count, heaps);
    for (size_t i = 0; i < looks; i++) {
        const heap *h = &heaps[i];
        if (!h->index_count)
            continue;
        parts[used++] = (rp_geometry){.mode = 4,
                                      .positions = h->positions,
                                      .normals = h->normals,
                                      .uvs = (const float(*)[2])h->uvs,
                                      .colours = (const uint8_t(*)[4])h->colours,
                                      .count = h->count,
                                      .indices = h->indices,
                                      .index_count = h->index_count,
                                      .material = mc_look_at(b->s, (uint32_t)i)->material};
        b->vertices += h->count;
    }
    return used ? rp_scene_mesh(b->s->scene, name, parts, used, 0) : -1;
}

/* ---- when blocks are there ---- */

static int by_place(const void *left, const void *right)
{
    const mc_cell_change *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* One state of a place. */
typedef struct state {
    mc_cell cell;
    span when;
} state;

static int compare_cells(const mc_cell *a, const mc_cell *b)
{
    if (a->model != b->model)
        return a->model < b->model ? -1 : 1;
    return memcmp(a->tint, b->tint, sizeof a->tint);
}

static int by_cell(const void *left, const void *right)
{
    const state *a = left, *b = right;
    int order = compare_cells(&a->cell, &b->cell);
    return order ? order : a->when.from < b->when.from ? -1 : a->when.from > b->when.from;
}

/* The states of a place over time; changes without effect are skipped. */
static size_t list_states(const mc_chunk *chunk, const mc_cell_change *changes, size_t count,
                          state *states)
{
    size_t n = 1;
    states[0] = (state){.when = always};
    if (chunk->first)
        states[0].cell = chunk->first[changes->place];
    for (size_t i = 0; i < count; i++) {
        const mc_cell_change *c = &changes[i];
        if (states[n - 1].when.from == c->moment) {
            states[n - 1].cell = c->cell;
            bool back = n > 1 && compare_cells(&states[n - 2].cell, &c->cell) == 0;
            n -= back;
            states[n - 1].when.to = END;
        } else if (compare_cells(&states[n - 1].cell, &c->cell) != 0) {
            states[n - 1].when.to = c->moment;
            states[n++] = (state){c->cell, {c->moment, END}};
        }
    }
    return n;
}

/* A block that reappears unchanged is the same block. */
static bool add_lives(builder *b, const mc_cell_change *changes, size_t count, reprise_error *error)
{
    rp_arena *arena = &b->s->scratch;
    state *states = rp_arena_array(arena, count + 1, sizeof *states, error);
    span *spans = rp_arena_array(arena, count + 1, sizeof *spans, error);
    if (!states || !spans)
        return false;
    size_t n = list_states(b->chunk, changes, count, states);
    qsort(states, n, sizeof *states, by_cell);
    life *open = NULL;
    for (size_t i = 0; i < n; i++) {
        spans[i] = states[i].when;
        if (open && compare_cells(&open->cell, &states[i].cell) == 0) {
            open->span_count++;
            continue;
        }
        open = NULL;
        if (!is_seen(b, &states[i].cell))
            continue;
        open = &b->lives[b->life_count++];
        *open = (life){&spans[i], 1, changes->place, states[i].cell};
    }
    return true;
}

static int by_spans(const void *left, const void *right)
{
    const life *a = left, *b = right;
    if (a->span_count != b->span_count)
        return a->span_count < b->span_count ? -1 : 1;
    for (size_t i = 0; i < a->span_count; i++) {
        if (a->spans[i].from != b->spans[i].from)
            return a->spans[i].from < b->spans[i].from ? -1 : 1;
        if (a->spans[i].to != b->spans[i].to)
            return a->spans[i].to > b->spans[i].to ? -1 : 1;
    }
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return compare_cells(&a->cell, &b->cell);
}

static bool same_spans(const life *a, const life *b)
{
    return a->span_count == b->span_count &&
           memcmp(a->spans, b->spans, a->span_count * sizeof *a->spans) == 0;
}

/* Collects all blocks of the chunk that are ever visible, sorted by when they exist. */
static bool list_lives(builder *b, reprise_error *error)
{
    const mc_chunk *chunk = b->chunk;
    size_t count = chunk->changes.count;
    mc_cell_change *changes = chunk->changes.items;
    uint8_t *changed = rp_arena_array(&b->s->scratch, MC_CHUNK_BLOCKS, 1, error);
    /* A place with n changes has at most n + 1 states. */
    size_t room = 2 * count + (chunk->first ? MC_CHUNK_BLOCKS : 0);
    b->lives = rp_arena_array(&b->s->scratch, RP_MAX(room, 1), sizeof *b->lives, error);
    b->life_count = 0;
    if (!changed || !b->lives)
        return false;
    if (count)
        qsort(changes, count, sizeof *changes, by_place);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && changes[next].place == changes[i].place; next++)
            continue;
        changed[changes[i].place] = 1;
        if (!add_lives(b, changes + i, next - i, error))
            return false;
    }
    for (size_t place = 0; chunk->first && place < MC_CHUNK_BLOCKS; place++) {
        if (!changed[place] && is_seen(b, &chunk->first[place]))
            b->lives[b->life_count++] = (life){&always, 1, (uint16_t)place, chunk->first[place]};
    }
    if (b->life_count)
        qsort(b->lives, b->life_count, sizeof *b->lives, by_spans);
    return true;
}

/* ---- nodes ---- */

static rp_when go_to(const builder *b, uint32_t moment)
{
    double time = mc_moment_at(b->history, moment)->time;
    double index = floor(time * b->s->rate);
    return rp_scene_clock(b->s->scene, rp_whole(RP_MAX(RP_MIN(index, 9e15), -9e15)), time);
}

static void show_spans(const builder *b, int32_t node, const life *l)
{
    rp_scene *scene = b->s->scene;
    bool from_start = l->spans[0].from == 0 && mc_moment_at(b->history, 0)->time <= 0;
    rp_scene_show_at(scene, node, from_start, 0);
    for (size_t i = 0; i < l->span_count; i++) {
        if (i || !from_start) {
            if (go_to(b, l->spans[i].from) == RP_TOO_LATE)
                return;
            rp_scene_show(scene, node, true);
        }
        if (l->spans[i].to != END) {
            if (go_to(b, l->spans[i].to) == RP_TOO_LATE)
                return;
            rp_scene_show(scene, node, false);
        }
    }
}

static reprise_status add_node(builder *b, const life *lives, size_t count, reprise_error *error)
{
    rp_scene *scene = b->s->scene;
    const mc_chunk *chunk = b->chunk;
    const char *name = rp_arena_format(&b->s->scratch, error, "section %d %d %d", chunk->x,
                                       chunk->y, chunk->z);
    int32_t mesh = name ? build_mesh(b, name, lives, count, error) : -1;
    RP_TRY(error->status);
    RP_TRY(rp_limit(b->vertices, scene->context->limits.items_max, "vertices of the world", "items",
                    error));
    if (mesh < 0)
        return scene->error->status;
    rp_scene_rewind(scene);
    rp_node node = {RP_NODE};
    node.name = name;
    node.id = name;
    node.kind = "blocks";
    node.parent = b->root;
    node.mesh = mesh;
    node.position = (rp_vec3){(float)chunk->x * MC_CHUNK_SIDE, (float)chunk->y * MC_CHUNK_SIDE,
                              (float)chunk->z * MC_CHUNK_SIDE};
    int32_t number = rp_scene_node(scene, &node);
    bool stays = same_spans(lives, &(life){.spans = &always, .span_count = 1}) &&
                 mc_moment_at(b->history, 0)->time <= 0;
    if (!stays)
        show_spans(b, number, lives);
    return scene->error->status;
}

/* Blocks that exist at the same times are one mesh, or several where that would be too large. */
static reprise_status show_chunk(builder *b, const mc_chunk *chunk, reprise_error *error)
{
    enter_chunk(b, chunk);
    if (!list_lives(b, error))
        return error->status;
    for (size_t i = 0, next; i < b->life_count; i = next) {
        uint64_t vertices = count_vertices(b, &b->lives[i]);
        for (next = i + 1; next < b->life_count; next++) {
            vertices += count_vertices(b, &b->lives[next]);
            if (vertices > MESH_VERTICES_MAX || !same_spans(&b->lives[i], &b->lives[next]))
                break;
        }
        RP_TRY(add_node(b, b->lives + i, next - i, error));
    }
    rp_arena_reset(&b->s->scratch);
    return REPRISE_OK;
}

static int32_t add_root(mc_scene_builder *s)
{
    const double *offset = s->replay->offset;
    rp_node node = {RP_NODE};
    node.name = node.id = node.kind = "world";
    node.position = (rp_vec3){(float)offset[0], (float)offset[1], (float)offset[2]};
    rp_scene_rewind(s->scene);
    return rp_scene_node(s->scene, &node);
}

/* ---- all of it ---- */

static rp_vec3 middle_of(const mc_scene_builder *s, const mc_world_changes *history)
{
    const double *offset = s->replay->offset;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < history->chunks.count; i++) {
        const mc_chunk *chunk = mc_chunk_at(history, i);
        const int32_t at[3] = {chunk->x, chunk->y, chunk->z};
        for (size_t k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k] * (double)MC_CHUNK_SIDE);
            high[k] = fmax(high[k], (at[k] + 1.0) * MC_CHUNK_SIDE);
        }
    }
    if (!history->chunks.count)
        return (rp_vec3){0, 0, 0};
    return (rp_vec3){(float)((low[0] + high[0]) / 2 + offset[0]),
                     (float)((low[1] + high[1]) / 2 + offset[1]),
                     (float)((low[2] + high[2]) / 2 + offset[2])};
}

static reprise_status show_history(mc_scene_builder *s, const mc_world_changes *history,
                                   rp_arena *arena, reprise_error *error)
{
    builder b = {.s = s, .history = history};
    mc_model *models = NULL;
    RP_TRY(mc_read_models(s, &history->models, arena, &models, error));
    b.models = models;
    RP_TRY(find_hiding(&b, arena, error));
    mc_timeline_blocks(s, history);
    if (history->chunks.count)
        b.root = add_root(s);
    for (size_t i = 0; i < history->chunks.count; i++) {
        RP_TRY(show_chunk(&b, mc_chunk_at(history, i), error));
        RP_TRY(rp_progress(history->context, i, history->chunks.count, error));
    }
    return s->scene->error->status;
}

reprise_status mc_scene_builder_world(mc_scene_builder *s, rp_vec3 *ret_middle,
                                      reprise_error *error)
{
    mc_world_changes history = {0};
    rp_arena arena;
    rp_arena_init(&arena, s->replay->base.context);
    reprise_status status = mc_world_changes_read(s->replay, &history, error);
    if (status == REPRISE_OK) {
        *ret_middle = middle_of(s, &history);
        status = show_history(s, &history, &arena, error);
    }
    mc_world_changes_free(&history);
    rp_arena_free(&arena);
    return status;
}
