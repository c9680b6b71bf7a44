/* parquet_encode.h - the encodings of values and levels in Parquet pages. */
#ifndef RP_PARQUET_ENCODE_H
#define RP_PARQUET_ENCODE_H

#include "writer.h"

/* Numbers of the format. */
typedef enum rp_pq_encoding {
    RP_PQ_PLAIN = 0,
    RP_PQ_RLE = 3,
    RP_PQ_DELTA = 5,
    RP_PQ_DICTIONARY = 8,
    RP_PQ_SPLIT = 9,
} rp_pq_encoding;

/* The bits that a number needs. */
unsigned rp_bit_width(uint64_t most);

/* Runs and groups of eight packed values, mixed (RLE): for levels and dictionary indices. */
void rp_pq_put_hybrid(rp_writer *w, const uint32_t *values, size_t count, unsigned width);
/* Differences to the value before, packed in blocks (DELTA_BINARY_PACKED); 4 or 8 bytes each. */
void rp_pq_put_deltas(rp_writer *w, const void *values, size_t count, size_t width);
/* The first byte of every value, then the second ... (BYTE_STREAM_SPLIT); 4 or 8 bytes each. */
void rp_pq_put_split(rp_writer *w, const void *values, size_t count, size_t width);
/* Numbers of 4 or 8 bytes in little-endian order (PLAIN). */
void rp_pq_put_plain(rp_writer *w, const void *values, size_t count, size_t width);

#endif
