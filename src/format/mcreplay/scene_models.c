/*
 * scene_models.c - meshes of blocks, divided so that single sides can be omitted.
 *
 * A mesh becomes shapes of one material each: those that are flat on one side of the block, which
 * are hidden behind an opaque neighbour, and all others. Overlapping faces (the green edge on the
 * side of grass) are moved apart by an invisible distance.
 */
#include <math.h>

#include "scene_builder.h"

enum { SHAPES_MAX = 256, LAYERS_MAX = 16 };

#define FLAT_M  1e-4  /* tolerance for being on a side */
#define LAYER_M 5e-4f /* distance between two layers */

/* ---- faces ---- */

/* The axis that a side is perpendicular to, and its position on it. */
static const struct {
    uint8_t axis;
    double at;
} sides[MC_SIDES] = {
    [MC_DOWN] = {1, 0},  [MC_UP] = {1, 1},   [MC_NORTH] = {2, 0},
    [MC_SOUTH] = {2, 1}, [MC_WEST] = {0, 0}, [MC_EAST] = {0, 1},
};

static const double *corner(const rp_obj *obj, const rp_obj_face *face, uint32_t i)
{
    return obj->v + 3 * (size_t)obj->corners[face->first + i].v;
}

/* Whether a face is flat on the side and within it. */
static bool lies_on(const rp_obj *obj, const rp_obj_face *face, int side)
{
    for (uint32_t i = 0; i < face->count; i++) {
        const double *v = corner(obj, face, i);
        for (size_t k = 0; k < 3; k++) {
            bool fits = k == sides[side].axis ? fabs(v[k] - sides[side].at) < FLAT_M
                                              : v[k] > -FLAT_M && v[k] < 1 + FLAT_M;
            if (!fits)
                return false;
        }
    }
    return true;
}

static int8_t side_of(const rp_obj *obj, const rp_obj_face *face)
{
    for (int8_t side = 0; side < MC_SIDES; side++) {
        if (lies_on(obj, face, side))
            return side;
    }
    return -1;
}

/* Four corners, one in each corner of the side. */
static bool covers(const rp_obj *obj, const rp_obj_face *face, int side)
{
    unsigned seen = 0;
    for (uint32_t i = 0; i < face->count && face->count == 4; i++) {
        const double *v = corner(obj, face, i);
        unsigned which = 0, bit = 1;
        for (size_t k = 0; k < 3; k++) {
            if (k == sides[side].axis)
                continue;
            if (fabs(v[k]) >= FLAT_M && fabs(v[k] - 1) >= FLAT_M)
                return false;
            which |= v[k] > 0.5 ? bit : 0;
            bit <<= 1;
        }
        seen |= 1u << which;
    }
    return seen == 0xF;
}

/* "flayer" and digits, whatever the case: faces of higher layers are drawn over lower ones. */
static uint32_t layer_of(const rp_obj *obj, const rp_obj_face *face)
{
    static const char word[] = "flayer";
    const rp_obj_name *group = face->group >= 0 ? &obj->names[face->group] : NULL;
    if (!group || group->size <= sizeof word - 1)
        return 0;
    for (size_t i = 0; i < sizeof word - 1; i++) {
        if ((group->text[i] | 0x20) != word[i])
            return 0;
    }
    uint32_t layer = 0;
    for (size_t i = sizeof word - 1; i < group->size; i++) {
        if (group->text[i] < '0' || group->text[i] > '9')
            return 0;
        layer = RP_MIN(layer * 10 + (uint32_t)(group->text[i] - '0'), LAYERS_MAX);
    }
    return layer;
}

/* ---- shapes ---- */

/* Faces with equal values form a shape. */
typedef struct kind {
    uint32_t look, layer;
    int8_t side;
} kind;

typedef struct choice {
    const kind *kinds; /* of all faces */
    kind wanted;
} choice;

static bool same_kind(const kind *a, const kind *b)
{
    return a->look == b->look && a->layer == b->layer && a->side == b->side;
}

static bool chosen(const rp_obj *obj, const rp_obj_face *face, void *ctx)
{
    const choice *c = ctx;
    return same_kind(&c->kinds[face - obj->faces], &c->wanted);
}

static void *keep(rp_arena *arena, const void *data, size_t size, reprise_error *error)
{
    void *copy = data ? rp_arena_alloc(arena, size, error) : NULL;
    if (copy)
        memcpy(copy, data, size);
    return copy;
}

/* Copies the kept faces from the scratch arena, and moves higher layers outwards. */
static bool keep_shape(mc_shape *shape, const kind *k, const rp_geometry *g, rp_arena *arena,
                       reprise_error *error)
{
    rp_vec3 *positions = keep(arena, g->positions, g->count * sizeof *positions, error);
    for (size_t i = 0; positions && k->layer && i < g->count; i++) {
        positions[i].x += g->normals[i].x * LAYER_M * (float)k->layer;
        positions[i].y += g->normals[i].y * LAYER_M * (float)k->layer;
        positions[i].z += g->normals[i].z * LAYER_M * (float)k->layer;
    }
    *shape = (mc_shape){.look = k->look, .side = k->side, .geometry = *g};
    shape->geometry.positions = positions;
    shape->geometry.normals = keep(arena, g->normals, g->count * sizeof *g->normals, error);
    shape->geometry.uvs = keep(arena, g->uvs, g->count * sizeof *g->uvs, error);
    shape->geometry.indices = keep(arena, g->indices, g->index_count * sizeof *g->indices, error);
    return error->status == REPRISE_OK;
}

static bool is_opaque(const mc_scene_builder *s, const rp_obj *obj, const kind *kinds)
{
    unsigned covered = 0;
    for (uint32_t f = 0; f < obj->face_count; f++) {
        int side = kinds[f].side;
        if (side >= 0 && mc_look_at(s, kinds[f].look)->opaque && covers(obj, &obj->faces[f], side))
            covered |= 1u << side;
    }
    return covered == (1u << MC_SIDES) - 1;
}

static kind kind_of(mc_scene_builder *s, const rp_obj *obj, const rp_obj_face *face)
{
    static const rp_obj_name none = {"default", 7};
    const rp_obj_name *name = face->material >= 0 ? &obj->names[face->material] : &none;
    return (kind){.look = mc_look_of(s, MC_SCOPE_WORLD, name->text, name->size),
                  .layer = layer_of(obj, face),
                  .side = side_of(obj, face)};
}

static reprise_status add_shapes(mc_scene_builder *s, const rp_obj *obj, const kind *kinds,
                                 rp_arena *arena, mc_model *model, reprise_error *error)
{
    mc_shape shapes[SHAPES_MAX];
    kind known[SHAPES_MAX];
    size_t count = 0;
    for (uint32_t f = 0; f < obj->face_count; f++) {
        size_t i = 0;
        while (i < count && !same_kind(&known[i], &kinds[f]))
            i++;
        if (i < count)
            continue;
        if (count == SHAPES_MAX)
            return rp_error_set(error, REPRISE_E_LIMIT, "a block's mesh has more than %d materials",
                                SHAPES_MAX);
        choice c = {kinds, kinds[f]};
        rp_geometry g;
        known[count] = kinds[f];
        if (mc_look_triangles(s, obj, chosen, &c, kinds[f].look, &g) &&
            keep_shape(&shapes[count], &kinds[f], &g, arena, error))
            count++;
        RP_TRY(error->status);
        RP_TRY(s->scene->error->status);
    }
    model->shapes = keep(arena, shapes, count * sizeof *shapes, error);
    model->shape_count = model->shapes ? count : 0;
    return error->status;
}

/* ---- models ---- */

static reprise_status read_model(mc_scene_builder *s, const char *id, rp_obj_reader *reader,
                                 rp_arena *arena, mc_model *model, reprise_error *error)
{
    const mc_archive *archive = &s->replay->inner;
    int64_t entry = mc_find_member(archive, "mesh/", id, strlen(id), ".obj");
    if (entry < 0)
        return REPRISE_OK;
    rp_obj obj;
    RP_TRY(mc_read_obj(archive, (size_t)entry, reader, &s->scratch, &obj, error));
    kind *kinds = rp_arena_array(&s->scratch, RP_MAX(obj.face_count, 1), sizeof *kinds, error);
    if (!kinds)
        return error->status;
    for (uint32_t f = 0; f < obj.face_count; f++)
        kinds[f] = kind_of(s, &obj, &obj.faces[f]);
    RP_TRY(s->scene->error->status);
    model->opaque = is_opaque(s, &obj, kinds);
    return add_shapes(s, &obj, kinds, arena, model, error);
}

reprise_status mc_read_models(mc_scene_builder *s, const rp_dictionary *ids, rp_arena *arena,
                              mc_model **ret_models, reprise_error *error)
{
    size_t count = ids->texts.count;
    mc_model *models = rp_arena_array(arena, RP_MAX(count, 1), sizeof *models, error);
    if (!models)
        return error->status;
    rp_obj_reader *reader = NULL;
    reprise_status status = rp_obj_open(s->replay->base.context, &reader, error);
    for (size_t i = 0; i < count && status == REPRISE_OK; i++) {
        status = read_model(s, rp_dictionary_text(ids, i), reader, arena, &models[i], error);
        rp_arena_reset(&s->scratch);
    }
    rp_obj_close(reader);
    if (status == REPRISE_OK)
        *ret_models = models;
    return status;
}
