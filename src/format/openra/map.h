/*
 * map.h - maps of OpenRA: archives (.oramap) of a text about the map, its cells, and mostly a
 * picture with one pixel per cell.
 */
#ifndef OPENRA_MAP_H
#define OPENRA_MAP_H

#include "archive.h"
#include "hash.h"
#include "scene.h"

enum { ORA_MAP_SPAWNS_MAX = 64, ORA_MAP_CELLS_MAX = 1024, ORA_UID_SIZE = 2 * RP_SHA1_SIZE };

typedef struct ora_map_cell {
    int32_t x, y;
} ora_map_cell;

typedef struct ora_map {
    char uid[ORA_UID_SIZE + 1];
    const char *title, *mod, *tileset; /* NULL: not stated */
    uint32_t width, height;            /* in cells */
    ora_map_cell corner;               /* of the part that is played on, and its size */
    uint32_t columns, rows;
    ora_map_cell spawns[ORA_MAP_SPAWNS_MAX];
    size_t spawn_count;
    rp_text cells;   /* map.bin */
    rp_text picture; /* map.png; no data if there is none that fits */
} ora_map;

/* Texts and bytes are in the arena. REPRISE_E_UNSUPPORTED: an archive, but not of a map. */
reprise_status ora_map_read(rp_context *context, rp_source *source, rp_arena *arena,
                            ora_map *ret_map, reprise_error *error);
/* Adds the ground and rings where players start. One cell is one metre, as in scenes of matches. */
reprise_status ora_map_scene(const ora_map *map, rp_scene *scene, rp_arena *arena,
                             reprise_error *error);

#endif
