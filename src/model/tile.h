/*
 * tile.h - some rows of one track, to be read column by column.
 *
 * The data of the rows is evenly spaced, so that loops over a column are simple enough to be
 * computed several rows at a time. Rotations, which are packed in memory, are unpacked once for all
 * that need them: their own columns, and columns that are computed from them.
 */
#ifndef RP_TILE_H
#define RP_TILE_H

#include "track.h"

enum { RP_TILE_ROWS = 256 };

/* A column of numbers. */
typedef struct rp_tile_floats {
    float at[RP_TILE_ROWS];
} rp_tile_floats;

typedef struct rp_tile_rotation {
    size_t offset; /* in the data of a row */
    bool unpacked;
    rp_tile_floats axes[4];
} rp_tile_rotation;

typedef struct rp_tile {
    const rp_row *rows;
    size_t count;     /* at most RP_TILE_ROWS */
    const char *data; /* of the first row */
    size_t stride;    /* from the data of a row to that of the next */
    rp_tile_rotation *rotations;
    size_t rotation_count;
    const char *derived; /* what was computed for these rows, if that is needed */
    size_t derived_size; /* of a row */
} rp_tile;

/* The arena keeps what the tile needs for rotations. */
reprise_status rp_tile_init(rp_tile *tile, rp_arena *arena, const rp_track *track,
                            reprise_error *error);
/* Makes the tile one of these rows; false if their data is not evenly spaced. */
bool rp_tile_set(rp_tile *tile, const rp_row *rows, size_t count);

/* The columns x, y, z and w of the rotation with this offset. */
const rp_tile_floats *rp_tile_rotation_at(rp_tile *tile, size_t offset);
/* The columns of up to four floats that are side by side in each row. */
void rp_tile_read(const rp_tile *tile, size_t offset, size_t columns, rp_tile_floats *ret_columns);

/*
 * Computed values come as columns where a track computes many rows at once: those of the member at
 * `offset` in the struct follow each other, and begin at this address.
 */
static inline void *rp_tile_derived(void *derived, size_t offset)
{
    return (char *)derived + offset * RP_TILE_ROWS;
}

/* Copies values of `width` bytes that are `stride` bytes apart. */
void rp_gather(const char *from, size_t stride, size_t count, size_t width, void *ret_values);
/* The same for two to four columns of four bytes that are side by side: rows are read once. */
void rp_gather_beside(const char *from, size_t stride, size_t count, size_t columns,
                      uint8_t *const *to);

#endif
