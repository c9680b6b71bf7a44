/* flatbuffer.c - see flatbuffer.h. */
#include "flatbuffer.h"

#include "checked.h"

enum { REFERENCE_SIZE = 4, WIDEST = 8 };

static void put_zeros(rp_writer *w, size_t count)
{
    uint8_t *zeros = count ? rp_put_raw(w, count) : NULL;
    if (zeros)
        memset(zeros, 0, count);
}

/* Fills up until the place after `size` more bytes is aligned. */
static void align_after(rp_writer *w, size_t size, size_t alignment)
{
    size_t over = (w->size + size) % alignment;
    put_zeros(w, over ? alignment - over : 0);
}

void rp_flat_begin(rp_writer *w)
{
    rp_writer_clear(w);
    put_zeros(w, REFERENCE_SIZE);
}

void rp_flat_set(rp_writer *w, size_t member, uint64_t value, size_t size)
{
    if (rp_writer_ok(w))
        rp_store_bytes(w->data + member, value, size);
}

void rp_flat_refer(rp_writer *w, size_t member, size_t to)
{
    rp_flat_set(w, member, to - member, REFERENCE_SIZE);
}

/*
 * A table begins with the distance back to its list of member offsets. Wide members come first, so
 * that all of them are aligned.
 */
rp_flat_table rp_flat_table_new(rp_writer *w, const char *sizes)
{
    rp_flat_table table = {0};
    size_t count = strlen(sizes), offsets[RP_FLAT_MEMBERS_MAX] = {0}, size = REFERENCE_SIZE;
    for (size_t width = WIDEST; width; width /= 2) {
        for (size_t i = 0; i < count; i++) {
            if ((size_t)(sizes[i] - '0') != width)
                continue;
            offsets[i] = size;
            size += width;
        }
    }
    size_t list_size = 2 * (2 + count);
    align_after(w, list_size + REFERENCE_SIZE, WIDEST);
    rp_put_u16(w, (uint16_t)list_size);
    rp_put_u16(w, (uint16_t)size);
    for (size_t i = 0; i < count; i++)
        rp_put_u16(w, (uint16_t)offsets[i]);
    table.at = w->size;
    put_zeros(w, size);
    rp_flat_set(w, table.at, list_size, REFERENCE_SIZE);
    for (size_t i = 0; i < count; i++)
        table.members[i] = offsets[i] ? table.at + offsets[i] : 0;
    return table;
}

void rp_flat_text(rp_writer *w, size_t member, const char *text, size_t size)
{
    align_after(w, 0, REFERENCE_SIZE);
    rp_flat_refer(w, member, w->size);
    rp_put_u32(w, (uint32_t)size);
    rp_put(w, text, size);
    rp_put_u8(w, 0);
}

size_t rp_flat_vector(rp_writer *w, size_t member, size_t count, size_t alignment)
{
    align_after(w, REFERENCE_SIZE, RP_MAX(alignment, REFERENCE_SIZE));
    rp_flat_refer(w, member, w->size);
    rp_put_u32(w, (uint32_t)count);
    return w->size;
}

size_t rp_flat_references(rp_writer *w, size_t member, size_t count)
{
    size_t at = rp_flat_vector(w, member, count, REFERENCE_SIZE);
    put_zeros(w, count * REFERENCE_SIZE);
    return at;
}
