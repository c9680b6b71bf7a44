/* writer.c - see writer.h. */
#include "writer.h"

#include <stdarg.h>
#include <stdio.h>

#include "checked.h"
#include "utf8.h"

void rp_writer_init(rp_writer *w, rp_context *context, size_t size_max, reprise_error *error)
{
    *w = (rp_writer){.context = context, .size_max = size_max, .error = error};
}

void rp_writer_free(rp_writer *w)
{
    rp_free(w->context, w->data, w->capacity);
    w->data = NULL;
    w->size = w->capacity = 0;
}

bool rp_reserve(rp_writer *w, size_t n)
{
    if (!rp_writer_ok(w))
        return false;
    if (n > w->size_max - w->size) {
        rp_error_set(w->error, REPRISE_E_LIMIT, "output of more than %zu bytes", w->size_max);
        return false;
    }
    size_t need = w->size + n;
    if (need <= w->capacity)
        return true;
    size_t capacity = w->capacity < 128 ? 256 : w->capacity * 2;
    capacity = RP_MIN(RP_MAX(capacity, need), w->size_max);
    void *data = rp_realloc(w->context, w->data, w->capacity, capacity, w->error);
    if (!data)
        return false;
    w->data = data;
    w->capacity = capacity;
    return true;
}

void rp_put_format(rp_writer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    /* vsnprintf needs room for a terminator that is not part of the output. */
    if (n > 0 && rp_reserve(w, (size_t)n + 1)) {
        vsnprintf((char *)w->data + w->size, (size_t)n + 1, format, again);
        w->size += (size_t)n;
    }
    va_end(again);
}

void rp_put_leb32(rp_writer *w, uint32_t v)
{
    for (; v >= 0x80; v >>= 7)
        rp_put_u8(w, (uint8_t)(v | 0x80));
    rp_put_u8(w, (uint8_t)v);
}

size_t rp_slot_begin(rp_writer *w)
{
    rp_put_u32(w, 0);
    return w->size;
}

void rp_slot_end(rp_writer *w, size_t slot)
{
    if (!rp_writer_ok(w))
        return;
    size_t size = w->size - slot;
    if (size > INT32_MAX)
        rp_error_set(w->error, REPRISE_E_LIMIT, "a part of %zu bytes", size);
    else
        rp_store32(w->data + slot - 4, (uint32_t)size);
}

void rp_put_utf8(rp_writer *w, const char *text, size_t size)
{
    while (size) {
        size_t good = rp_utf8_valid(text, size);
        rp_put(w, text, good);
        text += good;
        size -= good;
        if (!size)
            return;
        size_t bad = rp_utf8_invalid_size(text, size);
        rp_put(w, "\xEF\xBF\xBD", 3);
        text += bad;
        size -= bad;
    }
}
