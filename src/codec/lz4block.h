/*
 * lz4block.h - sized LZ4 blocks: a u32 with the uncompressed size, then exactly one raw LZ4 block.
 * Not the LZ4 frame format.
 */
#ifndef RP_LZ4BLOCK_H
#define RP_LZ4BLOCK_H

#include "reader.h"
#include "writer.h"

/* What a block may claim; checked before anything is allocated. */
typedef struct rp_lz4_limits {
    uint64_t size_max;  /* uncompressed */
    uint64_t ratio_max; /* uncompressed : stored, the size in front counts as stored */
} rp_lz4_limits;

enum { RP_LZ4_PREFIX = 4 };

/*
 * Decodes all that is left of a reader into `to`, which is emptied first and grows to the declared
 * size and no further. Output that is longer or shorter than declared, and input left over, are
 * REPRISE_E_CORRUPT; a claim above the limits is REPRISE_E_LIMIT. False after a failure, which the
 * reader's error tells.
 */
bool rp_lz4_read(rp_reader *r, rp_lz4_limits limits, rp_writer *to);

/* The same for a raw block without the size before it: the size is known from elsewhere. */
bool rp_lz4_read_plain(rp_reader *r, uint32_t declared, rp_lz4_limits limits, rp_writer *to);

/* How much effort an encoder makes; the format is the same. */
typedef enum rp_lz4_level { RP_LZ4_FASTEST, RP_LZ4_BALANCED, RP_LZ4_COMPACT } rp_lz4_level;

/* Appends one sized block. Deterministic for a level. */
void rp_lz4_write(rp_writer *w, const void *data, size_t size, rp_lz4_level level);

#endif
