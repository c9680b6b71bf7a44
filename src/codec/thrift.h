/* thrift.h - writes the compact protocol of Apache Thrift, in which Parquet keeps its metadata. */
#ifndef RP_THRIFT_H
#define RP_THRIFT_H

#include "writer.h"

enum { RP_THRIFT_DEPTH_MAX = 12 };

typedef enum rp_thrift_type {
    RP_THRIFT_TRUE = 1,
    RP_THRIFT_FALSE = 2,
    RP_THRIFT_BYTE = 3,
    RP_THRIFT_I16 = 4,
    RP_THRIFT_I32 = 5,
    RP_THRIFT_I64 = 6,
    RP_THRIFT_BINARY = 8,
    RP_THRIFT_LIST = 9,
    RP_THRIFT_STRUCT = 12,
} rp_thrift_type;

/* Fields are numbered relative to the one before them in the same struct. */
typedef struct rp_thrift {
    rp_writer *w;
    int16_t last[RP_THRIFT_DEPTH_MAX];
    size_t depth;
} rp_thrift;

void rp_put_varint(rp_writer *w, uint64_t v);
static inline uint64_t rp_zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

/* Fields of the struct that was begun last. */
void rp_thrift_i32(rp_thrift *t, int16_t id, int32_t value);
void rp_thrift_i64(rp_thrift *t, int16_t id, int64_t value);
void rp_thrift_i16(rp_thrift *t, int16_t id, int16_t value);
void rp_thrift_byte(rp_thrift *t, int16_t id, int8_t value);
void rp_thrift_bool(rp_thrift *t, int16_t id, bool value);
void rp_thrift_bytes(rp_thrift *t, int16_t id, const void *data, size_t size);
void rp_thrift_text(rp_thrift *t, int16_t id, const char *text);
/* A field that is a struct: write its fields, then rp_thrift_end. */
void rp_thrift_begin(rp_thrift *t, int16_t id);
/* A field that is a list: write `count` items next. */
void rp_thrift_list(rp_thrift *t, int16_t id, rp_thrift_type items, size_t count);

/* Items of a list, and the struct at the root. */
void rp_thrift_item_begin(rp_thrift *t);
void rp_thrift_item_int(rp_thrift *t, int64_t value);
void rp_thrift_item_bool(rp_thrift *t, bool value);
void rp_thrift_item_bytes(rp_thrift *t, const void *data, size_t size);

void rp_thrift_end(rp_thrift *t);

#endif
