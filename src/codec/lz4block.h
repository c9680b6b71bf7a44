/*
 * lz4block.h - sized LZ4 blocks: a u32 with the uncompressed size, then exactly one raw LZ4 block.
 * This is not the LZ4 frame format.
 */
#ifndef RP_LZ4BLOCK_H
#define RP_LZ4BLOCK_H

#include "reader.h"
#include "writer.h"

/* Limits on declared sizes, checked before anything is allocated. */
typedef struct rp_lz4_limits {
    uint64_t size_max;  /* uncompressed */
    uint64_t ratio_max; /* uncompressed : stored, including the size before the block */
} rp_lz4_limits;

enum { RP_LZ4_PREFIX = 4 };

/*
 * Decodes the rest of a reader into `to`, which is emptied first and grows to exactly the declared
 * size. Output that is longer or shorter than declared, or leftover input, is REPRISE_E_CORRUPT; a
 * declared size above the limits is REPRISE_E_LIMIT. Returns false with the reader's error set.
 */
bool rp_lz4_read(rp_reader *r, rp_lz4_limits limits, rp_writer *to);

/* The same for a raw block whose uncompressed size is known from elsewhere. */
bool rp_lz4_read_plain(rp_reader *r, uint32_t declared, rp_lz4_limits limits, rp_writer *to);

/* Compression effort. The format is the same for all levels. */
typedef enum rp_lz4_level { RP_LZ4_FASTEST, RP_LZ4_BALANCED, RP_LZ4_COMPACT } rp_lz4_level;

/* Appends one sized block. The output depends only on data and level. */
void rp_lz4_write(rp_writer *w, const void *data, size_t size, rp_lz4_level level);

#endif
