/*
 * scene_ground.c - what a run tells about the ground: tiles where the player stood, and lines that
 * drop from flights to the line between take-off and landing. The map is not in the recording.
 */
#include "scene_builder.h"

#include <math.h>

enum {
    TILE_SLOTS = 1 << 14, /* a power of two */
    TILES_MAX = TILE_SLOTS / 2,
    TILE_UNITS = 32, /* as wide as a player */
    LEVEL_UNITS = 16,
    FLIGHT_MAX = 1024, /* ticks; of a longer flight, the rest has no lines */
    DROP_TICKS = 4,
    DROPS_MAX = 1 << 13,
};
static const float above_m = 0.01f; /* the viewer's grid may be at the same height */

/* ---- tiles ---- */

static int32_t square_of(float units, int32_t side)
{
    return (int32_t)fmaxf(-1e6f, fminf(1e6f, floorf(units / (float)side)));
}

/* The slot of a tile, or the empty one where it belongs. */
static kz_tile *slot_of(kz_tile *slots, int32_t x, int32_t y, int32_t level)
{
    uint32_t at = (uint32_t)x * 2654435761u ^ (uint32_t)y * 2246822519u ^
                  (uint32_t)level * 3266489917u;
    for (at ^= at >> 15;; at++) {
        kz_tile *tile = &slots[at % TILE_SLOTS];
        if (!tile->used || (tile->x == x && tile->y == y && tile->level == level))
            return tile;
    }
}

static void add_tile(kz_ground *g, kz_tile *slots, rp_vec3 at)
{
    int32_t x = square_of(at.x, g->side), y = square_of(at.y, g->side);
    kz_tile *tile = slot_of(slots, x, y, square_of(at.z, LEVEL_UNITS));
    if (tile->used)
        return;
    *tile = (kz_tile){.x = x, .y = y, .level = square_of(at.z, LEVEL_UNITS), .z = at.z};
    tile->used = true;
    g->count++;
}

/* When there are too many, tiles become twice as wide. */
static void widen(kz_ground *g)
{
    kz_tile *old = g->tiles;
    g->tiles = g->spare;
    g->spare = old;
    memset(g->tiles, 0, TILE_SLOTS * sizeof *g->tiles);
    float half = (float)g->side / 2;
    int32_t before = g->side;
    g->side *= 2;
    g->count = 0;
    for (size_t i = 0; i < TILE_SLOTS; i++) {
        if (old[i].used)
            add_tile(g, g->tiles,
                     (rp_vec3){(float)old[i].x * (float)before + half,
                               (float)old[i].y * (float)before + half, old[i].z});
    }
}

bool kz_ground_begin(kz_ground *g, rp_arena *arena, reprise_error *error)
{
    *g = (kz_ground){.side = TILE_UNITS, .every = DROP_TICKS};
    g->tiles = rp_arena_array(arena, TILE_SLOTS, sizeof *g->tiles, error);
    g->spare = rp_arena_array(arena, TILE_SLOTS, sizeof *g->spare, error);
    g->flight = rp_arena_array(arena, FLIGHT_MAX, sizeof *g->flight, error);
    g->drops = rp_arena_array(arena, 2 * DROPS_MAX, sizeof *g->drops, error);
    if (error->status != REPRISE_OK)
        return false;
    memset(g->tiles, 0, TILE_SLOTS * sizeof *g->tiles);
    return true;
}

/* ---- flights ---- */

/* Keeps every second line. */
static void thin_drops(kz_ground *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->drop_count; i += 2, kept++) {
        g->drops[2 * kept] = g->drops[2 * i];
        g->drops[2 * kept + 1] = g->drops[2 * i + 1];
    }
    g->drop_count = kept;
    g->every *= 2;
}

/* The ground under a flight is taken to be level, or an even slope. */
static void land(kz_ground *g, rp_vec3 at)
{
    const float least_m = 0.1f;
    for (size_t i = g->every; i < g->flight_count; i += g->every) {
        rp_vec3 top = g->flight[i];
        float share = (float)i / (float)g->flight_count;
        float base = g->takeoff.y + share * (at.y - g->takeoff.y);
        if (top.y - base < least_m)
            continue;
        if (g->drop_count == DROPS_MAX)
            thin_drops(g);
        g->drops[2 * g->drop_count] = top;
        g->drops[2 * g->drop_count++ + 1] = (rp_vec3){top.x, base, top.z};
    }
}

void kz_ground_tick(kz_ground *g, const kz_footing *now)
{
    if (now->jumps) {
        g->flight_count = 0;
        g->stood = false;
    }
    if (!now->on_ground) {
        if (g->stood && g->flight_count < FLIGHT_MAX)
            g->flight[g->flight_count++] = now->position;
        return;
    }
    if (g->stood && g->flight_count)
        land(g, now->position);
    g->flight_count = 0;
    g->takeoff = now->position;
    g->stood = true;
    if (g->count == TILES_MAX)
        widen(g);
    add_tile(g, g->tiles, now->origin);
}

/* ---- meshes ---- */

static void put_tile(const kz_ground *g, const kz_tile *tile, size_t number, kz_tile_mesh *to)
{
    static const uint8_t shades[2][4] = {{255, 255, 255, 255}, {190, 190, 190, 255}};
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    float side = (float)g->side, x = (float)tile->x * side, y = (float)tile->y * side;
    const rp_vec3 square[4] = {{x, y, tile->z},
                               {x + side, y, tile->z},
                               {x + side, y + side, tile->z},
                               {x, y + side, tile->z}};
    for (size_t i = 0; i < 4; i++) {
        rp_vec3 at = rp_position_from_z_up(square[i], KZ_UNIT_M);
        to->positions[4 * number + i] = (rp_vec3){at.x, at.y + above_m, at.z};
        to->normals[4 * number + i] = (rp_vec3){0, 1, 0};
        memcpy(to->colours[4 * number + i], shades[(tile->x ^ tile->y) & 1], 4);
    }
    for (size_t i = 0; i < 6; i++)
        to->indices[6 * number + i] = (uint32_t)(4 * number) + corners[i];
}

int32_t kz_ground_tiles(const kz_ground *g, rp_scene *scene, rp_arena *arena)
{
    if (!g->count)
        return -1;
    kz_tile_mesh mesh = {
        .positions = rp_arena_array(arena, 4 * g->count, sizeof *mesh.positions, scene->error),
        .normals = rp_arena_array(arena, 4 * g->count, sizeof *mesh.normals, scene->error),
        .colours = rp_arena_array(arena, 4 * g->count, sizeof *mesh.colours, scene->error),
        .indices = rp_arena_array(arena, 6 * g->count, sizeof *mesh.indices, scene->error)};
    if (scene->error->status != REPRISE_OK)
        return -1;
    size_t number = 0;
    for (size_t i = 0; i < TILE_SLOTS; i++) {
        if (g->tiles[i].used)
            put_tile(g, &g->tiles[i], number++, &mesh);
    }
    rp_material paint = {.name = "ground",
                         .colour = {0.46f, 0.52f, 0.58f, 1},
                         .rough = 1,
                         .double_sided = true,
                         .texture = -1};
    rp_geometry part = {.mode = 4,
                        .positions = mesh.positions,
                        .normals = mesh.normals,
                        .colours = (const uint8_t(*)[4])mesh.colours,
                        .count = 4 * g->count,
                        .indices = mesh.indices,
                        .index_count = 6 * g->count,
                        .material = rp_scene_material(scene, &paint)};
    return rp_scene_mesh(scene, "ground", &part, 1, 0);
}

int32_t kz_ground_drops(const kz_ground *g, rp_scene *scene)
{
    if (!g->drop_count)
        return -1;
    rp_material paint = {
        .name = "drop", .colour = {0.5f, 0.57f, 0.64f, 1}, .rough = 1, .texture = -1};
    rp_geometry part = {.mode = 1,
                        .positions = g->drops,
                        .count = 2 * g->drop_count,
                        .material = rp_scene_material(scene, &paint)};
    return rp_scene_mesh(scene, "drops", &part, 1, 1);
}
