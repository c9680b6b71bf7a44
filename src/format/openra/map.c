/* map.c - see map.h. */
#include "map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "miniyaml.h"

enum { PARTS_MAX = 256, PICTURE_SINCE_FORMAT = 12, PNG_HEAD = 24 };
static const uint64_t part_bytes_max = 64 << 20;

typedef struct part {
    const char *name;
    rp_text bytes;
} part;

/* ---- members ---- */

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), wanted = strlen(end);
    return size >= wanted && strcmp(name + size - wanted, end) == 0;
}

static bool is_wanted(const char *name)
{
    return ends_with(name, ".yaml") || ends_with(name, ".bin") || ends_with(name, ".lua") ||
           strcmp(name, "map.png") == 0;
}

static reprise_status read_part(rp_context *context, rp_zip *zip, size_t index, rp_arena *arena,
                                rp_text *ret_bytes, reprise_error *error)
{
    rp_stream *stream = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    RP_TRY(rp_zip_open_whole_entry(zip, index, "map", context->limits.expansion_ratio_max, &stream,
                                   error));
    reprise_status status = rp_stream_read_all(stream, part_bytes_max, "decoded_bytes", &data,
                                               &size, error);
    rp_stream_close(stream);
    if (status != REPRISE_OK)
        return status;
    char *copy = rp_arena_text(arena, (const char *)data, size, error);
    rp_free(context, data, size);
    *ret_bytes = (rp_text){copy, size};
    return error->status;
}

static reprise_status read_parts(rp_context *context, rp_zip *zip, rp_arena *arena,
                                 part parts[PARTS_MAX], size_t *ret_count, reprise_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < rp_zip_count(zip) && count < PARTS_MAX; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
        if (entry->duplicate || !is_wanted(entry->name))
            continue;
        parts[count].name = rp_arena_text(arena, entry->name, strlen(entry->name), error);
        RP_TRY(read_part(context, zip, i, arena, &parts[count++].bytes, error));
    }
    *ret_count = count;
    return error->status;
}

static const rp_text *find(const part *parts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i].bytes;
    }
    return NULL;
}

/* The game names a map by the digest of its members, in the order of the archive. */
static void set_uid(ora_map *map, const part *parts, size_t count, int64_t format)
{
    rp_text pieces[PARTS_MAX];
    uint8_t digest[RP_SHA1_SIZE];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (format >= PICTURE_SINCE_FORMAT || strcmp(parts[i].name, "map.png") != 0)
            pieces[used++] = parts[i].bytes;
    }
    rp_sha1(pieces, used, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(map->uid + 2 * i, 3, "%02x", digest[i]);
}

/* ---- the text ---- */

/* Reads "1,2,3"; returns how many numbers there are. */
static size_t read_numbers(const char *text, int32_t *to, size_t most)
{
    size_t count = 0;
    while (text && count < most) {
        char *end;
        long value = strtol(text, &end, 10);
        if (end == text || value < -ORA_MAP_CELLS_MAX || value > ORA_MAP_CELLS_MAX)
            break;
        to[count++] = (int32_t)value;
        text = *end == ',' ? end + 1 : NULL;
    }
    return count;
}

static void find_spawns(ora_map *map, const reprise_value *actors)
{
    for (size_t i = 0; i < reprise_value_count(actors); i++) {
        const reprise_value *actor = reprise_value_at(actors, i);
        const char *kind = rp_get_text(actor, "");
        int32_t at[2];
        if (!kind || strcmp(kind, "mpspawn") != 0 || map->spawn_count == ORA_MAP_SPAWNS_MAX ||
            read_numbers(rp_get_text(actor, "Location"), at, 2) != 2)
            continue;
        map->spawns[map->spawn_count++] = (ora_map_cell){at[0], at[1]};
    }
}

static reprise_status read_text(ora_map *map, const reprise_value *text, reprise_error *error)
{
    int32_t size[2], bounds[4];
    map->title = rp_get_text(text, "Title");
    map->mod = rp_get_text(text, "RequiresMod");
    map->tileset = rp_get_text(text, "Tileset");
    if (read_numbers(rp_get_text(text, "MapSize"), size, 2) != 2 || size[0] < 1 || size[1] < 1)
        return rp_error_set(error, REPRISE_E_CORRUPT, "map.yaml states no size of the map");
    map->width = (uint32_t)size[0];
    map->height = (uint32_t)size[1];
    bool bounded = read_numbers(rp_get_text(text, "Bounds"), bounds, 4) == 4 && bounds[0] >= 0 &&
                   bounds[1] >= 0 && bounds[2] > 0 && bounds[3] > 0 &&
                   bounds[0] + bounds[2] <= size[0] && bounds[1] + bounds[3] <= size[1];
    map->corner = bounded ? (ora_map_cell){bounds[0], bounds[1]} : (ora_map_cell){0, 0};
    map->columns = bounded ? (uint32_t)bounds[2] : map->width;
    map->rows = bounded ? (uint32_t)bounds[3] : map->height;
    find_spawns(map, rp_get(text, "Actors"));
    return REPRISE_OK;
}

/* ---- the picture ---- */

/* Only a picture with one pixel per cell can be put on the ground. */
static bool fits(const ora_map *map, const rp_text *png)
{
    static const char head[] = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR";
    if (!png || png->size < PNG_HEAD || memcmp(png->data, head, sizeof head - 1) != 0)
        return false;
    const uint8_t *at = (const uint8_t *)png->data + sizeof head - 1;
    uint32_t width = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    uint32_t height = (uint32_t)at[4] << 24 | (uint32_t)at[5] << 16 | (uint32_t)at[6] << 8 | at[7];
    return width == map->columns && height == map->rows;
}

reprise_status ora_map_read(rp_context *context, rp_source *source, rp_arena *arena,
                            ora_map *ret_map, reprise_error *error)
{
    rp_zip *zip = NULL;
    part parts[PARTS_MAX];
    size_t count = 0;
    *ret_map = (ora_map){0};
    RP_TRY(rp_zip_open(context, source, &zip, error));
    reprise_status status = read_parts(context, zip, arena, parts, &count, error);
    rp_zip_close(zip);
    RP_TRY(status);
    const rp_text *text = find(parts, count, "map.yaml"), *cells = find(parts, count, "map.bin");
    if (!text || !cells)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "not a map of OpenRA: there is no map.yaml and map.bin");
    rp_doc doc = {.arena = arena, .error = error};
    reprise_value *about = NULL;
    RP_TRY(rp_yaml_document(&doc, &context->limits, text->data, text->size, "map.yaml", &about));
    RP_TRY(read_text(ret_map, about, error));
    const char *format = rp_get_text(about, "MapFormat");
    int32_t number = 0;
    (void)read_numbers(format, &number, 1);
    set_uid(ret_map, parts, count, number);
    ret_map->cells = *cells;
    const rp_text *png = find(parts, count, "map.png");
    if (fits(ret_map, png))
        ret_map->picture = *png;
    return REPRISE_OK;
}
