/* shapes.c - see shapes.h. */
#include "shapes.h"

#include <math.h>

#include "checked.h"

enum { VERTICES_MAX = 1024, INDICES_MAX = 4096, RINGS = 5, SIDES = 20, GRID_LINES_MAX = 255 };
static const double full_turn = 2 * 3.14159265358979323846;

/* A body under construction; all of ours are small. */
typedef struct body {
    rp_vec3 places[VERTICES_MAX], normals[VERTICES_MAX];
    uint32_t indices[INDICES_MAX];
    size_t count, index_count;
} body;

static uint32_t corner(body *b, rp_vec3 place, rp_vec3 normal)
{
    b->places[b->count] = place;
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
                        .places = b->places,
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
                float place[3], normal[3] = {0, 0, 0};
                normal[axis] = (float)side;
                place[axis] = half[axis] * (float)side;
                place[u] = half[u] * (i & 1 ? 1.0f : -1.0f) * (float)side;
                place[v] = half[v] * (i & 2 ? 1.0f : -1.0f);
                corner(&b, (rp_vec3){place[0], place[1], place[2]},
                       (rp_vec3){normal[0], normal[1], normal[2]});
            }
            face(&b, first, first + 1, first + 3);
            face(&b, first, first + 3, first + 2);
        }
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

/* Rings of a ball from bottom to top; the upper half is lifted, the lower one lowered. */
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

int32_t rp_shape_rock(rp_scene *scene, const char *name, float radius, int32_t material)
{
    body b = {.count = 0};
    rings(&b, radius, 0, 3, 9);
    for (size_t i = 0; i < b.count; i++) {
        /* A fixed pattern that closes around: the same rock every time. */
        rp_vec3 *p = &b.places[i];
        float dent = 1 + 0.1f * sinf(7 * p->x / radius) * cosf(5 * p->z / radius + 1) +
                     0.06f * sinf(9 * p->y / radius);
        *p = (rp_vec3){p->x * dent, p->y * dent, p->z * dent};
    }
    return finish(scene, name, &b, material);
}

int32_t rp_shape_grid(rp_scene *scene, const char *name, rp_vec3 low, rp_vec3 high, float step,
                      int32_t material)
{
    rp_vec3 places[4 * (GRID_LINES_MAX + 1)];
    size_t count = 0;
    size_t across = (size_t)((high.x - low.x) / step), along = (size_t)((high.z - low.z) / step);
    for (size_t i = 0; i <= RP_MIN(across, GRID_LINES_MAX); i++) {
        float x = low.x + (float)i * step;
        places[count++] = (rp_vec3){x, low.y, low.z};
        places[count++] = (rp_vec3){x, low.y, high.z};
    }
    for (size_t i = 0; i <= RP_MIN(along, GRID_LINES_MAX); i++) {
        float z = low.z + (float)i * step;
        places[count++] = (rp_vec3){low.x, low.y, z};
        places[count++] = (rp_vec3){high.x, low.y, z};
    }
    rp_geometry part = {.mode = 1, .places = places, .count = count, .material = material};
    return rp_scene_mesh(scene, name, &part, 1, 1);
}

int32_t rp_shape_path(rp_scene *scene, const char *name, const rp_vec3 *places,
                      const uint8_t (*colours)[4], size_t count, double width_px, int32_t material)
{
    if (count < 2)
        return -1;
    rp_geometry part = {
        .mode = 3, .places = places, .colours = colours, .count = count, .material = material};
    return rp_scene_mesh(scene, name, &part, 1, width_px);
}
