/*
 * map_scene.c - the ground of a map: its own picture or, without one, a colour per kind of tile,
 * with resources. That still shows coasts, cliffs and ore.
 */
#include "map.h"

#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "png.h"
#include "shapes.h"

enum { TILE_BYTES = 3, RESOURCE_BYTES = 2, CHANNELS = 3 };

/* Where the cells of map.bin are; they are stored column by column. */
typedef struct cell_layout {
    const uint8_t *tiles, *resources; /* resources NULL: none */
} cell_layout;

static const uint8_t *table_at(const ora_map *map, uint64_t offset, size_t cell_bytes)
{
    uint64_t size = (uint64_t)map->width * map->height * cell_bytes;
    bool inside = offset && offset <= map->cells.size && size <= map->cells.size - offset;
    return inside ? (const uint8_t *)map->cells.data + offset : NULL;
}

static reprise_status find_cells(const ora_map *map, cell_layout *ret_layout, reprise_error *error)
{
    rp_reader r = rp_reader_of(map->cells.data, map->cells.size, "map.bin", error);
    uint8_t format = rp_u8(&r, "format");
    uint16_t width = rp_u16(&r, "width"), height = rp_u16(&r, "height");
    uint64_t tiles = 5, resources = 5 + (uint64_t)TILE_BYTES * width * height;
    if (format == 2) {
        tiles = rp_u32(&r, "tiles");
        (void)rp_u32(&r, "heights");
        resources = rp_u32(&r, "resources");
    }
    RP_TRY(error->status);
    if ((format != 1 && format != 2) || width != map->width || height != map->height)
        return rp_error_set(error, REPRISE_E_CORRUPT,
                            "map.bin has format %u and %u x %u cells, the map %u x %u", format,
                            width, height, map->width, map->height);
    *ret_layout = (cell_layout){.tiles = table_at(map, tiles, TILE_BYTES),
                                .resources = table_at(map, resources, RESOURCE_BYTES)};
    return ret_layout->tiles
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_TRUNCATED, "map.bin ends before its cells do");
}

/* Tiles of one template have one colour, muted, so that orders stand out. */
static void colour_tile(uint16_t template, uint8_t to[CHANNELS])
{
    uint32_t hash = (template + 1u) * 2654435761u;
    for (unsigned i = 0; i < CHANNELS; i++)
        to[i] = (uint8_t)(58 + (hash >> (8 * i + 6) & 47));
}

static void colour_cell(const ora_map *map, const cell_layout *layout, uint32_t x, uint32_t y,
                        uint8_t to[CHANNELS])
{
    static const uint8_t ore[CHANNELS] = {196, 160, 60}, gems[CHANNELS] = {90, 170, 110};
    size_t cell = (size_t)x * map->height + y;
    const uint8_t *tile = layout->tiles + TILE_BYTES * cell;
    const uint8_t *resource = layout->resources ? layout->resources + RESOURCE_BYTES * cell : NULL;
    colour_tile((uint16_t)(tile[0] | tile[1] << 8), to);
    if (resource && resource[0])
        memcpy(to, resource[0] == 1 ? ore : gems, CHANNELS);
}

/* Draws the cells as a picture like the map's own. */
static reprise_status draw_cells(const ora_map *map, rp_context *context, rp_arena *arena,
                                 rp_writer *to, reprise_error *error)
{
    cell_layout layout = {0};
    RP_TRY(find_cells(map, &layout, error));
    uint8_t *rgb = rp_arena_array(arena, (size_t)map->columns * map->rows, CHANNELS, error);
    if (!rgb)
        return error->status;
    for (uint32_t y = 0; y < map->rows; y++) {
        for (uint32_t x = 0; x < map->columns; x++)
            colour_cell(map, &layout, (uint32_t)map->corner.x + x, (uint32_t)map->corner.y + y,
                        rgb + CHANNELS * ((size_t)y * map->columns + x));
    }
    return rp_png_write(context, rgb, map->columns, map->rows, to, error);
}

/* Only the chunks that make up the picture: whatever else is in it is not for the page. */
static reprise_status clean_picture(const ora_map *map, rp_context *context, rp_writer *to,
                                    reprise_error *error)
{
    rp_source *source = NULL;
    rp_stream *raw = NULL, *plain = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    RP_TRY(rp_source_open_memory(context, map->picture.data, map->picture.size, &source, error));
    reprise_status status = rp_stream_open_range(context, source, 0, map->picture.size, "map.png",
                                                 &raw, error);
    if (status == REPRISE_OK)
        status = rp_png_plain(context, raw, &plain, error);
    if (status == REPRISE_OK)
        status = rp_stream_read_all(plain, map->picture.size + 1024, "decoded_bytes", &data, &size,
                                    error);
    if (status == REPRISE_OK)
        rp_put(to, data, size);
    rp_free(context, data, size);
    rp_stream_close(plain);
    rp_stream_close(raw);
    rp_source_close(source);
    return error->status;
}

static void add_ground(const ora_map *map, rp_scene *scene, const rp_writer *png)
{
    float x = (float)map->corner.x, z = (float)map->corner.y;
    float right = x + (float)map->columns, down = z + (float)map->rows;
    const rp_vec3 corners[4] = {{x, 0, z}, {right, 0, z}, {right, 0, down}, {x, 0, down}};
    static const rp_vec3 normals[4] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    static const float uvs[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const uint32_t indices[6] = {0, 2, 1, 0, 3, 2};
    rp_material paint = {.name = "ground", .colour = {1, 1, 1, 1}, .rough = 1};
    paint.texture = rp_scene_picture(scene, "map", "image/png", png->data, png->size, true);
    rp_geometry part = {.mode = 4,
                        .positions = corners,
                        .normals = normals,
                        .uvs = uvs,
                        .count = 4,
                        .indices = indices,
                        .index_count = 6,
                        .material = rp_scene_material(scene, &paint)};
    rp_node node = {RP_NODE};
    node.name = node.kind = node.id = "ground";
    node.mesh = rp_scene_mesh(scene, "ground", &part, 1, 0);
    (void)rp_scene_node(scene, &node);
}

static void add_spawns(const ora_map *map, rp_scene *scene)
{
    if (!map->spawn_count)
        return;
    rp_material white = {
        .name = "spawn", .colour = {1, 1, 1, 1}, .rough = 1, .glow = 0.6f, .texture = -1};
    int32_t ring = rp_shape_ring(scene, "spawn", 2, 1.5f, rp_scene_material(scene, &white));
    for (size_t i = 0; i < map->spawn_count; i++) {
        char id[32];
        snprintf(id, sizeof id, "spawn:%zu", i);
        rp_node node = {RP_NODE};
        node.name = node.kind = "spawn";
        node.id = id;
        node.mesh = ring;
        node.position = (rp_vec3){(float)map->spawns[i].x + 0.5f, 0.05f,
                                  (float)map->spawns[i].y + 0.5f};
        (void)rp_scene_node(scene, &node);
    }
}

reprise_status ora_map_scene(const ora_map *map, rp_scene *scene, rp_arena *arena,
                             reprise_error *error)
{
    rp_writer png;
    rp_writer_init(&png, scene->context, (size_t)1 << 28, error);
    reprise_status status = map->picture.data ? clean_picture(map, scene->context, &png, error)
                                              : draw_cells(map, scene->context, arena, &png, error);
    if (status == REPRISE_OK) {
        add_ground(map, scene, &png);
        add_spawns(map, scene);
        status = rp_scene_end(scene);
    }
    rp_writer_free(&png);
    return status;
}
