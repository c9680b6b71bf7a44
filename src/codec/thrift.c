/* thrift.c - see thrift.h. */
#include "thrift.h"

#include <assert.h>

void rp_put_varint(rp_writer *w, uint64_t v)
{
    while (v >= 0x80) {
        rp_put_u8(w, (uint8_t)(v | 0x80));
        v >>= 7;
    }
    rp_put_u8(w, (uint8_t)v);
}

static void put_field(rp_thrift *t, int16_t id, rp_thrift_type type)
{
    enum { STEP_MAX = 15 };
    int16_t *last = &t->last[t->depth];
    int step = id - *last;
    if (step > 0 && step <= STEP_MAX) {
        rp_put_u8(t->w, (uint8_t)(step << 4 | (int)type));
    } else {
        rp_put_u8(t->w, (uint8_t)type);
        rp_put_varint(t->w, rp_zigzag(id));
    }
    *last = id;
}

void rp_thrift_i32(rp_thrift *t, int16_t id, int32_t value)
{
    put_field(t, id, RP_THRIFT_I32);
    rp_put_varint(t->w, rp_zigzag(value));
}

void rp_thrift_i64(rp_thrift *t, int16_t id, int64_t value)
{
    put_field(t, id, RP_THRIFT_I64);
    rp_put_varint(t->w, rp_zigzag(value));
}

void rp_thrift_i16(rp_thrift *t, int16_t id, int16_t value)
{
    put_field(t, id, RP_THRIFT_I16);
    rp_put_varint(t->w, rp_zigzag(value));
}

void rp_thrift_byte(rp_thrift *t, int16_t id, int8_t value)
{
    put_field(t, id, RP_THRIFT_BYTE);
    rp_put_u8(t->w, (uint8_t)value);
}

void rp_thrift_bool(rp_thrift *t, int16_t id, bool value)
{
    put_field(t, id, value ? RP_THRIFT_TRUE : RP_THRIFT_FALSE);
}

void rp_thrift_bytes(rp_thrift *t, int16_t id, const void *data, size_t size)
{
    put_field(t, id, RP_THRIFT_BINARY);
    rp_thrift_item_bytes(t, data, size);
}

void rp_thrift_text(rp_thrift *t, int16_t id, const char *text)
{
    rp_thrift_bytes(t, id, text, strlen(text));
}

void rp_thrift_begin(rp_thrift *t, int16_t id)
{
    put_field(t, id, RP_THRIFT_STRUCT);
    rp_thrift_item_begin(t);
}

void rp_thrift_list(rp_thrift *t, int16_t id, rp_thrift_type items, size_t count)
{
    enum { SHORT_MAX = 14, LONG = 0xF0 };
    put_field(t, id, RP_THRIFT_LIST);
    if (count <= SHORT_MAX) {
        rp_put_u8(t->w, (uint8_t)(count << 4 | items));
    } else {
        rp_put_u8(t->w, (uint8_t)(LONG | items));
        rp_put_varint(t->w, count);
    }
}

void rp_thrift_item_begin(rp_thrift *t)
{
    assert(t->depth + 1 < RP_THRIFT_DEPTH_MAX);
    t->last[++t->depth] = 0;
}

void rp_thrift_item_int(rp_thrift *t, int64_t value)
{
    rp_put_varint(t->w, rp_zigzag(value));
}

void rp_thrift_item_bool(rp_thrift *t, bool value)
{
    rp_put_u8(t->w, value ? RP_THRIFT_TRUE : RP_THRIFT_FALSE);
}

void rp_thrift_item_bytes(rp_thrift *t, const void *data, size_t size)
{
    rp_put_varint(t->w, size);
    rp_put(t->w, data, size);
}

void rp_thrift_end(rp_thrift *t)
{
    rp_put_u8(t->w, 0);
    t->depth--;
}
