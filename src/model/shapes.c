/* shapes.c - see shapes.h. */
#include "shapes.h"

#include <math.h>

#include "checked.h"
#include "whole.h"

enum { VERTICES_MAX = 1024, INDICES_MAX = 4096, RINGS = 5, SIDES = 20, GRID_LINES_MAX = 255 };
static const double full_turn = 2 * 3.14159265358979323846;

/*
 * Red, green and blue from 0 to 1. The eight colours are distinguishable with every kind of colour
 * vision; slot 8 gets the first colour again.
 */
static const float *player_colour(size_t slot)
{
    static const float colours[8][3] = {{0.337f, 0.706f, 0.914f}, {0.902f, 0.624f, 0},
                                        {0.976f, 1, 0.827f},      {0.867f, 0.133f, 0.310f},
                                        {0.655f, 0.051f, 0.969f}, {0.616f, 0.694f, 0.663f},
                                        {0.251f, 0.451f, 0.565f}, {0.663f, 0.988f, 0.490f}};
    return colours[slot % RP_COUNT(colours)];
}

int32_t rp_player_paint(rp_scene *scene, const char *name, int32_t slot)
{
    static const float grey[3] = {0.6f, 0.6f, 0.6f};
    const float *rgb = slot >= 0 ? player_colour((size_t)slot) : grey;
    return rp_scene_material(scene, &(rp_material){.name = name,
                                                   .colour = {rgb[0], rgb[1], rgb[2], 1},
                                                   .rough = 0.7f,
                                                   .texture = -1});
}

/* A small mesh under construction. */
typedef struct body {
    rp_vec3 positions[VERTICES_MAX], normals[VERTICES_MAX];
    uint32_t indices[INDICES_MAX];
    size_t count, index_count;
} body;

static uint32_t corner(body *b, rp_vec3 position, rp_vec3 normal)
{
    b->positions[b->count] = position;
    b->normals[b->count] = normal;
    return (uint32_t)b->count++;
}

static void face(body *b, uint32_t i, uint32_t j, uint32_t k)
{
    b->indices[b->index_count++] = i;
    b->indices[b->index_count++] = j;
    b->indices[b->index_count++] = k;
}

static int32_t finish(rp_scene *scene, const char *name, const body *b, int32_t material)
{
    rp_geometry part = {.mode = 4,
                        .positions = b->positions,
                        .normals = b->normals,
                        .count = b->count,
                        .indices = b->indices,
                        .index_count = b->index_count,
                        .material = material};
    return rp_scene_mesh(scene, name, &part, 1, 0);
}

int32_t rp_shape_box(rp_scene *scene, const char *name, rp_vec3 size, int32_t material)
{
    body b = {.count = 0};
    const float half[3] = {size.x / 2, size.y / 2, size.z / 2};
    for (unsigned axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            unsigned u = (axis + 1) % 3, v = (axis + 2) % 3;
            uint32_t first = (uint32_t)b.count;
            for (unsigned i = 0; i < 4; i++) {
                float position[3], normal[3] = {0, 0, 0};
                normal[axis] = (float)side;
                position[axis] = half[axis] * (float)side;
                position[u] = half[u] * (i & 1 ? 1.0f : -1.0f) * (float)side;
                position[v] = half[v] * (i & 2 ? 1.0f : -1.0f);
                corner(&b, (rp_vec3){position[0], position[1], position[2]},
                       (rp_vec3){normal[0], normal[1], normal[2]});
            }
            face(&b, first, first + 1, first + 3);
            face(&b, first, first + 3, first + 2);
        }
    }
    return finish(scene, name, &b, material);
}

/* The normal of a triangle, counter-clockwise seen from outside. */
static rp_vec3 normal_of(rp_vec3 a, rp_vec3 b, rp_vec3 c)
{
    rp_vec3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    rp_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    return (rp_vec3){n.x / length, n.y / length, n.z / length};
}

/* A flat convex face around the origin's outside; its corners in either order. */
static void flat_face(body *b, const rp_vec3 *corners, uint32_t count)
{
    rp_vec3 n = normal_of(corners[0], corners[1], corners[2]);
    bool inwards = n.x * corners[0].x + n.y * corners[0].y + n.z * corners[0].z < 0;
    uint32_t first = (uint32_t)b->count;
    for (uint32_t i = 0; i < count; i++)
        corner(b, corners[inwards ? count - 1 - i : i], inwards ? (rp_vec3){-n.x, -n.y, -n.z} : n);
    for (uint32_t i = 1; i + 1 < count; i++)
        face(b, first, first + i, first + i + 1);
}

/* The corner of a slab at a vertex of the box that is next to the face across `axis`. */
static rp_vec3 slab_corner(const float half[3], float cut, unsigned vertex, unsigned axis)
{
    float at[3];
    for (unsigned i = 0; i < 3; i++)
        at[i] = (vertex >> i & 1 ? 1.0f : -1.0f) * (half[i] - (i == axis ? 0 : cut));
    return (rp_vec3){at[0], at[1], at[2]};
}

int32_t rp_shape_slab(rp_scene *scene, const char *name, rp_vec3 size, float cut, int32_t material)
{
    body b = {.count = 0};
    const float half[3] = {size.x / 2, size.y / 2, size.z / 2};
    for (unsigned axis = 0; axis < 3; axis++) {
        const unsigned x = 1u << axis, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
        for (unsigned side = 0; side < 2; side++) {
            const unsigned at = side * x;
            const rp_vec3 flat[4] = {
                slab_corner(half, cut, at, axis), slab_corner(half, cut, at | u, axis),
                slab_corner(half, cut, at | u | v, axis), slab_corner(half, cut, at | v, axis)};
            flat_face(&b, flat, 4);
        }
        /* The four edges along this axis. */
        for (unsigned edge = 0; edge < 4; edge++) {
            const unsigned at = (edge & 1 ? u : 0) | (edge & 2 ? v : 0);
            const unsigned across = (axis + 1) % 3, other = (axis + 2) % 3;
            const rp_vec3 bevel[4] = {
                slab_corner(half, cut, at, across), slab_corner(half, cut, at | x, across),
                slab_corner(half, cut, at | x, other), slab_corner(half, cut, at, other)};
            flat_face(&b, bevel, 4);
        }
    }
    for (unsigned vertex = 0; vertex < 8; vertex++) {
        const rp_vec3 tip[3] = {slab_corner(half, cut, vertex, 0),
                                slab_corner(half, cut, vertex, 1),
                                slab_corner(half, cut, vertex, 2)};
        flat_face(&b, tip, 3);
    }
    return finish(scene, name, &b, material);
}

static void cap(body *b, float radius, float y, float up, unsigned sides)
{
    uint32_t middle = corner(b, (rp_vec3){0, y, 0}, (rp_vec3){0, up, 0});
    for (unsigned i = 0; i <= sides; i++) {
        double angle = full_turn * i / sides;
        corner(b, (rp_vec3){radius * (float)cos(angle), y, radius * (float)sin(angle)},
               (rp_vec3){0, up, 0});
    }
    for (unsigned i = 1; i <= sides; i++) {
        if (up > 0)
            face(b, middle, middle + i + 1, middle + i);
        else
            face(b, middle, middle + i, middle + i + 1);
    }
}

int32_t rp_shape_column(rp_scene *scene, const char *name, float radius, float top_radius,
                        float height, unsigned sides, int32_t material)
{
    body b = {.count = 0};
    sides = RP_MIN(RP_MAX(sides, 3), 64);
    float slope = (radius - top_radius) / height, flat = 1 / sqrtf(1 + slope * slope);
    for (unsigned i = 0; i <= sides; i++) {
        double angle = full_turn * i / sides;
        float c = (float)cos(angle), s = (float)sin(angle);
        rp_vec3 normal = {c * flat, slope * flat, s * flat};
        corner(&b, (rp_vec3){radius * c, -height / 2, radius * s}, normal);
        corner(&b, (rp_vec3){top_radius * c, height / 2, top_radius * s}, normal);
    }
    for (uint32_t i = 0; i < sides; i++) {
        face(&b, 2 * i, 2 * i + 1, 2 * i + 2);
        face(&b, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    }
    cap(&b, radius, -height / 2, -1, sides);
    if (top_radius > 0)
        cap(&b, top_radius, height / 2, 1, sides);
    return finish(scene, name, &b, material);
}

int32_t rp_shape_disc(rp_scene *scene, const char *name, float radius, float height, float cut,
                      int32_t material)
{
    enum { DISC_SIDES = 24 };
    body b = {.count = 0};
    const float rims[4][2] = {{radius - cut, -height / 2},
                              {radius, -height / 2 + cut},
                              {radius, height / 2 - cut},
                              {radius - cut, height / 2}};
    for (unsigned i = 0; i < DISC_SIDES; i++) {
        for (unsigned k = 0; k < 3; k++) {
            rp_vec3 band[4];
            for (unsigned n = 0; n < 4; n++) {
                const float *rim = rims[k + (n >= 2)];
                double angle = full_turn * (i + (n == 1 || n == 2)) / DISC_SIDES;
                band[n] = (rp_vec3){rim[0] * (float)cos(angle), rim[1], rim[0] * (float)sin(angle)};
            }
            flat_face(&b, band, 4);
        }
    }
    cap(&b, radius - cut, -height / 2, -1, DISC_SIDES);
    cap(&b, radius - cut, height / 2, 1, DISC_SIDES);
    return finish(scene, name, &b, material);
}

/* Rings of a sphere from bottom to top; the halves are moved apart. */
static void rings(body *b, float radius, float lift, unsigned half_rings, unsigned sides)
{
    for (unsigned ring = 0; ring <= 2 * half_rings + 1; ring++) {
        bool upper = ring > half_rings;
        double latitude = full_turn / 4 *
                          ((double)(upper ? ring - 1 : ring) / (double)half_rings - 1);
        for (unsigned i = 0; i <= sides; i++) {
            double angle = full_turn * i / sides;
            rp_vec3 normal = {(float)(cos(latitude) * cos(angle)), (float)sin(latitude),
                              (float)(cos(latitude) * sin(angle))};
            corner(b,
                   (rp_vec3){normal.x * radius, normal.y * radius + (upper ? lift : -lift),
                             normal.z * radius},
                   normal);
        }
    }
    uint32_t row = sides + 1;
    for (uint32_t ring = 0; ring <= 2 * half_rings; ring++) {
        for (uint32_t i = 0; i < sides; i++) {
            uint32_t at = ring * row + i;
            face(b, at, at + row, at + 1);
            face(b, at + 1, at + row, at + row + 1);
        }
    }
}

int32_t rp_shape_capsule(rp_scene *scene, const char *name, float radius, float height,
                         int32_t material)
{
    body b = {.count = 0};
    rings(&b, radius, RP_MAX(height / 2 - radius, 0), RINGS, SIDES);
    return finish(scene, name, &b, material);
}

/* ---- limbs ---- */

enum { LIMB_HALF_RINGS = 3, LIMB_SIDES_MAX = 20 };

typedef struct limb_mesh {
    rp_vec3 *positions, *normals;
    uint16_t *joints;
    uint32_t *indices;
    size_t count, index_count;
} limb_mesh;

/* Finds two axes perpendicular to a direction. */
static void axes_around(rp_vec3 along, rp_vec3 *ret_x, rp_vec3 *ret_z)
{
    bool upright = fabsf(along.y) > 0.9f;
    rp_vec3 x = upright ? (rp_vec3){1, 0, 0} : (rp_vec3){-along.z, 0, along.x};
    float d = x.x * along.x + x.y * along.y + x.z * along.z;
    x = (rp_vec3){x.x - d * along.x, x.y - d * along.y, x.z - d * along.z};
    float length = sqrtf(x.x * x.x + x.y * x.y + x.z * x.z);
    *ret_x = (rp_vec3){x.x / length, x.y / length, x.z / length};
    x = *ret_x;
    *ret_z = (rp_vec3){x.y * along.z - x.z * along.y, x.z * along.x - x.x * along.z,
                       x.x * along.y - x.y * along.x};
}

static void limb_corner(limb_mesh *m, const rp_limb *l, const rp_pose *pose, rp_vec3 position,
                        rp_vec3 normal)
{
    float n = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    rp_vec3 at = rp_rotation_apply(pose->rotation, position);
    m->positions[m->count] = (rp_vec3){at.x + pose->position.x, at.y + pose->position.y,
                                       at.z + pose->position.z};
    m->normals[m->count] = rp_rotation_apply(pose->rotation,
                                             (rp_vec3){normal.x / n, normal.y / n, normal.z / n});
    m->joints[m->count++] = l->joint;
}

static void add_limb(limb_mesh *m, const rp_limb *l, const rp_pose *pose)
{
    rp_vec3 along = {l->to.x - l->from.x, l->to.y - l->from.y, l->to.z - l->from.z}, x, z;
    float length = sqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
    rp_vec3 y = {along.x / length, along.y / length, along.z / length};
    axes_around(y, &x, &z);
    uint32_t first = (uint32_t)m->count, row = l->sides + 1u;
    for (unsigned ring = 0; ring <= 2 * LIMB_HALF_RINGS + 1; ring++) {
        bool upper = ring > LIMB_HALF_RINGS;
        double latitude = full_turn / 4 *
                          ((double)(upper ? ring - 1 : ring) / (double)LIMB_HALF_RINGS - 1);
        rp_vec3 middle = upper ? l->to : l->from;
        float radius = upper ? l->end_radius : l->radius, up = (float)sin(latitude);
        for (unsigned i = 0; i <= l->sides; i++) {
            double angle = full_turn * i / l->sides;
            float a = (float)(cos(latitude) * cos(angle)), b = (float)(cos(latitude) * sin(angle));
            float p = a * radius, q = b * radius * l->flat, r = up * radius;
            b /= l->flat;
            limb_corner(m, l, pose,
                        (rp_vec3){middle.x + x.x * p + z.x * q + y.x * r,
                                  middle.y + x.y * p + z.y * q + y.y * r,
                                  middle.z + x.z * p + z.z * q + y.z * r},
                        (rp_vec3){x.x * a + z.x * b + y.x * up, x.y * a + z.y * b + y.y * up,
                                  x.z * a + z.z * b + y.z * up});
        }
    }
    for (uint32_t ring = 0; ring <= 2 * LIMB_HALF_RINGS; ring++) {
        for (uint32_t i = 0; i < l->sides; i++) {
            const uint32_t at = first + ring * row + i;
            const uint32_t corners[6] = {at, at + row, at + 1, at + 1, at + row, at + row + 1};
            memcpy(m->indices + m->index_count, corners, sizeof corners);
            m->index_count += 6;
        }
    }
}

/* All limbs of one material, as one part of the mesh. */
static rp_geometry add_limbs_of(limb_mesh *m, const rp_limb *limbs, size_t count,
                                const rp_pose *poses, uint8_t paint)
{
    limb_mesh part = {m->positions + m->count,
                      m->normals + m->count,
                      m->joints + m->count,
                      m->indices + m->index_count,
                      0,
                      0};
    for (size_t i = 0; i < count; i++) {
        if (limbs[i].paint == paint)
            add_limb(&part, &limbs[i], &poses[limbs[i].joint]);
    }
    m->count += part.count;
    m->index_count += part.index_count;
    return (rp_geometry){.mode = 4,
                         .positions = part.positions,
                         .normals = part.normals,
                         .joints = part.joints,
                         .count = part.count,
                         .indices = part.indices,
                         .index_count = part.index_count};
}

int32_t rp_shape_limbs(rp_scene *scene, const char *name, const rp_limb *limbs, size_t count,
                       const rp_pose *poses, const int32_t *materials)
{
    if (scene->error->status != REPRISE_OK)
        return -1;
    size_t most = count * (2 * LIMB_HALF_RINGS + 2) * (LIMB_SIDES_MAX + 1);
    rp_arena scratch;
    rp_arena_init(&scratch, scene->context);
    limb_mesh m = {.count = 0};
    m.positions = rp_arena_array(&scratch, most, sizeof *m.positions, scene->error);
    m.normals = rp_arena_array(&scratch, most, sizeof *m.normals, scene->error);
    m.joints = rp_arena_array(&scratch, most, sizeof *m.joints, scene->error);
    m.indices = rp_arena_array(&scratch, 6 * most, sizeof *m.indices, scene->error);
    int32_t mesh = -1;
    if (scene->error->status == REPRISE_OK) {
        rp_geometry parts[RP_LIMB_PAINTS_MAX];
        for (uint8_t paint = 0; paint < RP_LIMB_PAINTS_MAX; paint++) {
            parts[paint] = add_limbs_of(&m, limbs, count, poses, paint);
            parts[paint].material = parts[paint].count ? materials[paint] : -1;
        }
        mesh = rp_scene_mesh(scene, name, parts, RP_LIMB_PAINTS_MAX, 0);
    }
    rp_arena_free(&scratch);
    return mesh;
}

int32_t rp_shape_rock(rp_scene *scene, const char *name, float radius, int32_t material)
{
    body b = {.count = 0};
    rings(&b, radius, 0, 3, 9);
    for (size_t i = 0; i < b.count; i++) {
        /* A fixed periodic pattern, so that the rock is always the same. */
        rp_vec3 *p = &b.positions[i];
        float dent = 1 + 0.1f * sinf(7 * p->x / radius) * cosf(5 * p->z / radius + 1) +
                     0.06f * sinf(9 * p->y / radius);
        *p = (rp_vec3){p->x * dent, p->y * dent, p->z * dent};
    }
    return finish(scene, name, &b, material);
}

/* A spike with three sides, from around the origin to `tip`. */
static void spike(body *b, rp_vec3 tip, float width)
{
    rp_vec3 y = {tip.x, tip.y, tip.z}, x, z;
    float length = sqrtf(y.x * y.x + y.y * y.y + y.z * y.z);
    y = (rp_vec3){y.x / length, y.y / length, y.z / length};
    axes_around(y, &x, &z);
    for (unsigned i = 0; i < 3; i++) {
        rp_vec3 corners[2];
        for (unsigned k = 0; k < 2; k++) {
            double angle = full_turn * (i + k) / 3;
            float p = width * (float)cos(angle), q = width * (float)sin(angle);
            corners[k] = (rp_vec3){x.x * p + z.x * q, x.y * p + z.y * q, x.z * p + z.z * q};
        }
        double middle = full_turn * (i + 0.5) / 3;
        float p = (float)cos(middle), q = (float)sin(middle);
        rp_vec3 out = {x.x * p + z.x * q, x.y * p + z.y * q, x.z * p + z.z * q};
        uint32_t first = corner(b, corners[1], out);
        corner(b, corners[0], out);
        corner(b, tip, out);
        face(b, first, first + 1, first + 2);
    }
}

int32_t rp_shape_burst(rp_scene *scene, const char *name, float radius, int32_t material)
{
    enum { SPIKES = 14 };
    body b = {.count = 0};
    for (unsigned i = 0; i < SPIKES; i++) {
        /* Evenly spread over the sphere: equal steps of height, turned by the golden angle. */
        double up = 1 - (2 * i + 1.0) / SPIKES, flat = sqrt(1 - up * up), angle = 2.39996323 * i;
        float length = radius * (i % 2 ? 0.65f : 1);
        spike(&b,
              (rp_vec3){(float)(flat * cos(angle)) * length, (float)up * length,
                        (float)(flat * sin(angle)) * length},
              radius * 0.16f);
    }
    return finish(scene, name, &b, material);
}

/* Walls around a convex outline, and a top. No bottom, because it is on the ground. */
static void raise_outline(body *b, const float (*outline)[2], uint32_t count, float height)
{
    for (uint32_t i = 0; i < count; i++) {
        const float *p = outline[i], *q = outline[(i + 1) % count];
        float x = q[0] - p[0], z = q[1] - p[1], length = sqrtf(x * x + z * z);
        rp_vec3 out = {-z / length, 0, x / length};
        uint32_t first = corner(b, (rp_vec3){p[0], -height / 2, p[1]}, out);
        corner(b, (rp_vec3){q[0], -height / 2, q[1]}, out);
        corner(b, (rp_vec3){q[0], height / 2, q[1]}, out);
        corner(b, (rp_vec3){p[0], height / 2, p[1]}, out);
        face(b, first, first + 1, first + 2);
        face(b, first, first + 2, first + 3);
    }
    uint32_t lid = (uint32_t)b->count;
    for (uint32_t i = 0; i < count; i++)
        corner(b, (rp_vec3){outline[i][0], height / 2, outline[i][1]}, (rp_vec3){0, 1, 0});
    for (uint32_t i = 1; i + 1 < count; i++)
        face(b, lid, lid + i, lid + i + 1);
}

int32_t rp_shape_dart(rp_scene *scene, const char *name, rp_vec3 size, int32_t material)
{
    body b = {.count = 0};
    float x = size.x / 2, z = size.z / 2;
    /* Counter-clockwise seen from above: the point, the left wing, the tail, the right wing. */
    const float outline[][2] = {
        {0, -z}, {-x, -z * 0.2f}, {-x * 0.45f, z}, {x * 0.45f, z}, {x, -z * 0.2f}};
    raise_outline(&b, outline, RP_COUNT(outline), size.y);
    return finish(scene, name, &b, material);
}

int32_t rp_shape_arrow(rp_scene *scene, const char *name, int32_t material)
{
    body b = {.count = 0};
    const float corners[][2] = {{0, -0.5f},     {-0.5f, -0.25f}, {0.5f, -0.25f}, {-0.15f, -0.25f},
                                {-0.15f, 0.5f}, {0.15f, 0.5f},   {0.15f, -0.25f}};
    for (size_t i = 0; i < RP_COUNT(corners); i++)
        corner(&b, (rp_vec3){corners[i][0], 0, corners[i][1]}, (rp_vec3){0, 1, 0});
    face(&b, 0, 1, 2);
    face(&b, 3, 4, 5);
    face(&b, 3, 5, 6);
    return finish(scene, name, &b, material);
}

int32_t rp_shape_ring(rp_scene *scene, const char *name, float radius, float inner,
                      int32_t material)
{
    enum { RING_SIDES = 32 };
    body b = {.count = 0};
    for (uint32_t i = 0; i <= RING_SIDES; i++) {
        double angle = full_turn * i / RING_SIDES;
        float c = (float)cos(angle), s = (float)sin(angle);
        corner(&b, (rp_vec3){radius * c, 0, radius * s}, (rp_vec3){0, 1, 0});
        corner(&b, (rp_vec3){inner * c, 0, inner * s}, (rp_vec3){0, 1, 0});
    }
    for (uint32_t i = 0; i < RING_SIDES; i++) {
        face(&b, 2 * i, 2 * i + 1, 2 * i + 2);
        face(&b, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    }
    return finish(scene, name, &b, material);
}

int32_t rp_shape_grid(rp_scene *scene, const char *name, rp_vec3 low, rp_vec3 high, float step,
                      int32_t material)
{
    rp_vec3 positions[4 * (GRID_LINES_MAX + 1)];
    size_t count = 0;
    size_t across = rp_whole_size((double)((high.x - low.x) / step)),
           along = rp_whole_size((double)((high.z - low.z) / step));
    for (size_t i = 0; i <= RP_MIN(across, GRID_LINES_MAX); i++) {
        float x = low.x + (float)i * step;
        positions[count++] = (rp_vec3){x, low.y, low.z};
        positions[count++] = (rp_vec3){x, low.y, high.z};
    }
    for (size_t i = 0; i <= RP_MIN(along, GRID_LINES_MAX); i++) {
        float z = low.z + (float)i * step;
        positions[count++] = (rp_vec3){low.x, low.y, z};
        positions[count++] = (rp_vec3){high.x, low.y, z};
    }
    rp_geometry part = {.mode = 1, .positions = positions, .count = count, .material = material};
    return rp_scene_mesh(scene, name, &part, 1, 1);
}

int32_t rp_shape_path(rp_scene *scene, const char *name, const rp_vec3 *positions,
                      const uint8_t (*colours)[4], size_t count, double width_px, int32_t material)
{
    if (count < 2)
        return -1;
    rp_geometry part = {.mode = 3,
                        .positions = positions,
                        .colours = colours,
                        .count = count,
                        .material = material};
    return rp_scene_mesh(scene, name, &part, 1, width_px);
}

int32_t rp_overview_camera(rp_scene *scene, rp_vec3 low, rp_vec3 high, bool above)
{
    const double fov = 50, half = fov / 2 / 360 * full_turn, angle = (above ? 90 : 35) / 360.0;
    double wide = fmax((double)high.x - (double)low.x, 1) / 2;
    double deep = fmax((double)high.z - (double)low.z, 1) / 2;
    double tall = fmax((double)high.y - (double)low.y, 0) / 2;
    /* The picture is 16:9. From the side, a sphere around everything must fit. */
    double away = above ? fmax(deep, wide * 9 / 16) / tan(half) * 1.08 + tall
                        : sqrt(wide * wide / 2 + deep * deep + tall * tall) / sin(half);
    rp_node node = {RP_NODE};
    node.name = node.id = node.kind = "overview";
    node.camera = rp_scene_camera(scene, "overview", fov);
    node.rotation = rp_rotation_about((rp_vec3){1, 0, 0}, -angle * full_turn);
    node.position = (rp_vec3){
        (low.x + high.x) / 2,
        (float)(((double)low.y + (double)high.y) / 2 + away * sin(angle * full_turn)),
        (float)(((double)low.z + (double)high.z) / 2 + away * cos(angle * full_turn))};
    return rp_scene_node(scene, &node);
}
