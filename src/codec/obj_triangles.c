/* obj_triangles.c - converts polygons to indexed triangles. */
#include <math.h>

#include "checked.h"
#include "obj.h"

/* A hash table of the vertices so far: their numbers plus one. */
typedef struct vertices {
    uint32_t *slots;
    uint32_t slot_count; /* a power of two */
    rp_obj_corner *corners;
    uint32_t *faces; /* whose normal is used for corners without one */
    uint32_t count;
} vertices;

static uint32_t hash_corner(const rp_obj_corner *c, uint32_t face)
{
    uint64_t h = (uint32_t)c->v * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (uint32_t)c->vt) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ (uint32_t)c->vn ^ (uint64_t)face << 32) * UINT64_C(0x165667B19E3779F9);
    return (uint32_t)(h >> 32);
}

static uint32_t vertex_of(vertices *known, const rp_obj_corner *corner, uint32_t face)
{
    if (corner->vn >= 0)
        face = 0;
    uint32_t slot = hash_corner(corner, face) & (known->slot_count - 1);
    for (;; slot = (slot + 1) & (known->slot_count - 1)) {
        uint32_t number = known->slots[slot];
        if (!number)
            break;
        const rp_obj_corner *c = &known->corners[number - 1];
        if (c->v == corner->v && c->vt == corner->vt && c->vn == corner->vn &&
            known->faces[number - 1] == face)
            return number - 1;
    }
    known->corners[known->count] = *corner;
    known->faces[known->count] = face;
    known->slots[slot] = ++known->count;
    return known->count - 1;
}

/* Newell's method, which also works for polygons that are not flat. */
static void face_normal(const rp_obj *obj, const rp_obj_face *face, float *to)
{
    double n[3] = {0, 0, 0};
    for (uint32_t i = 0; i < face->count; i++) {
        const double *a = obj->v + 3 * obj->corners[face->first + i].v;
        const double *b = obj->v + 3 * obj->corners[face->first + (i + 1) % face->count].v;
        for (size_t k = 0; k < 3; k++) {
            size_t y = (k + 1) % 3, z = (k + 2) % 3;
            n[k] += (a[y] - b[y]) * (a[z] + b[z]);
        }
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (size_t k = 0; k < 3; k++)
        to[k] = length > 0 ? (float)(n[k] / length) : k == 1;
}

static reprise_status fill_vertices(rp_arena *arena, const rp_obj *obj, const vertices *known,
                                    rp_obj_triangles *t, reprise_error *error)
{
    bool uvs = false;
    for (uint32_t i = 0; i < known->count; i++)
        uvs = uvs || known->corners[i].vt >= 0;
    size_t count = RP_MAX(known->count, 1);
    t->positions = rp_arena_array(arena, count, 3 * sizeof(float), error);
    t->normals = rp_arena_array(arena, count, 3 * sizeof(float), error);
    t->uvs = uvs ? rp_arena_array(arena, count, 2 * sizeof(float), error) : NULL;
    if (error->status != REPRISE_OK)
        return error->status;
    for (uint32_t i = 0; i < known->count; i++) {
        const rp_obj_corner *c = &known->corners[i];
        for (size_t k = 0; k < 3; k++)
            t->positions[3 * i + k] = (float)obj->v[3 * (size_t)c->v + k];
        if (c->vn < 0)
            face_normal(obj, &obj->faces[known->faces[i]], t->normals + 3 * i);
        for (size_t k = 0; c->vn >= 0 && k < 3; k++)
            t->normals[3 * i + k] = (float)obj->vn[3 * (size_t)c->vn + k];
        for (size_t k = 0; c->vt >= 0 && k < 2; k++)
            t->uvs[2 * i + k] = (float)obj->vt[2 * (size_t)c->vt + k];
    }
    t->vertex_count = known->count;
    return REPRISE_OK;
}

reprise_status rp_obj_triangulate(rp_arena *arena, const rp_obj *obj,
                                  bool (*keep)(const rp_obj *obj, const rp_obj_face *face,
                                               void *ctx),
                                  void *ctx, rp_obj_triangles *ret_triangles, reprise_error *error)
{
    /* A few faces of a large mesh must not cost as much as the complete mesh. */
    size_t corners = 1;
    for (uint32_t f = 0; f < obj->face_count; f++)
        corners += !keep || keep(obj, &obj->faces[f], ctx) ? obj->faces[f].count : 0;
    vertices known = {.slot_count = 16};
    while (known.slot_count < 2 * (uint64_t)corners)
        known.slot_count *= 2;
    known.slots = rp_arena_array(arena, known.slot_count, sizeof *known.slots, error);
    known.corners = rp_arena_array(arena, corners, sizeof *known.corners, error);
    known.faces = rp_arena_array(arena, corners, sizeof *known.faces, error);
    /* A fan of n corners has n - 2 triangles. */
    rp_obj_triangles t = {.indices = rp_arena_array(arena, corners, 3 * sizeof(uint32_t), error)};
    if (error->status != REPRISE_OK)
        return error->status;
    for (uint32_t f = 0; f < obj->face_count; f++) {
        const rp_obj_face *face = &obj->faces[f];
        if (keep && !keep(obj, face, ctx))
            continue;
        const rp_obj_corner *c = obj->corners + face->first;
        uint32_t first = vertex_of(&known, &c[0], f), last = vertex_of(&known, &c[1], f);
        for (uint32_t i = 2; i < face->count; i++) {
            uint32_t next = vertex_of(&known, &c[i], f);
            t.indices[t.index_count++] = first;
            t.indices[t.index_count++] = last;
            t.indices[t.index_count++] = next;
            last = next;
        }
    }
    RP_TRY(fill_vertices(arena, obj, &known, &t, error));
    *ret_triangles = t;
    return REPRISE_OK;
}
