/* typed_array.c - see typed_array.h. */
#include "typed_array.h"

#include <math.h>

#include "checked.h"
#include "writer.h"

reprise_value *rp_new_base64(rp_doc *doc, const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = data;
    size_t length = (size + 2) / 3 * 4;
    reprise_value *value = rp_new_text_n(doc, "", 0);
    char *text = value ? rp_arena_alloc(doc->arena, length + 1, doc->error) : NULL;
    if (!text)
        return NULL;
    for (size_t i = 0, to = 0; i < size; i += 3, to += 4) {
        uint32_t three = (uint32_t)from[i] << 16;
        three |= i + 1 < size ? (uint32_t)from[i + 1] << 8 : 0;
        three |= i + 2 < size ? from[i + 2] : 0;
        for (unsigned k = 0; k < 4; k++)
            text[to + k] = digits[three >> (18 - 6 * k) & 63];
        if (i + 1 >= size)
            text[to + 2] = '=';
        if (i + 2 >= size)
            text[to + 3] = '=';
    }
    value->as.string.text = text;
    value->as.string.size = length;
    return value;
}

static reprise_value *column(rp_doc *doc, const char *type, size_t count, const void *bytes,
                             size_t width)
{
    reprise_value *to = rp_new_object(doc);
    rp_set_text(doc, to, "type", type);
    rp_set_uint(doc, to, "n", count);
    rp_set(doc, to, "b64", rp_new_base64(doc, bytes, count * width));
    return to;
}

/* Packs numbers to `width` bytes each, little-endian, in the arena. */
static uint8_t *pack(rp_doc *doc, const uint32_t *values, size_t count, size_t width)
{
    uint8_t *bytes = rp_arena_array(doc->arena, count, width, doc->error);
    for (size_t i = 0; bytes && i < count; i++) {
        for (size_t k = 0; k < width; k++)
            bytes[i * width + k] = (uint8_t)(values[i] >> (8 * k));
    }
    return bytes;
}

static reprise_value *packed(rp_doc *doc, const char *type, const uint32_t *values, size_t count,
                             size_t width)
{
    const uint8_t *bytes = pack(doc, values, count, width);
    return bytes ? column(doc, type, count, bytes, width) : NULL;
}

reprise_value *rp_typed_array_f32(rp_doc *doc, const float *values, size_t count)
{
    uint32_t *bits = rp_arena_array(doc->arena, count, sizeof *bits, doc->error);
    if (!bits)
        return NULL;
    if (count)
        memcpy(bits, values, count * sizeof *bits);
    return packed(doc, "f32", bits, count, 4);
}

reprise_value *rp_typed_array_i32(rp_doc *doc, const int32_t *values, size_t count)
{
    uint32_t *bits = rp_arena_array(doc->arena, count, sizeof *bits, doc->error);
    if (!bits)
        return NULL;
    if (count)
        memcpy(bits, values, count * sizeof *bits);
    return packed(doc, "i32", bits, count, 4);
}

reprise_value *rp_typed_array_i16(rp_doc *doc, const int16_t *values, size_t count)
{
    uint32_t *bits = rp_arena_array(doc->arena, count, sizeof *bits, doc->error);
    for (size_t i = 0; bits && i < count; i++)
        bits[i] = (uint16_t)values[i];
    return bits ? packed(doc, "i16", bits, count, 2) : NULL;
}

reprise_value *rp_typed_array_u8(rp_doc *doc, const uint8_t *values, size_t count)
{
    return column(doc, "u8", count, values, 1);
}

/* Uses the smallest unsigned type that holds all values. */
static reprise_value *smallest_unsigned(rp_doc *doc, const uint32_t *values, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = RP_MAX(most, values[i]);
    if (most <= UINT8_MAX)
        return packed(doc, "u8", values, count, 1);
    return most <= UINT16_MAX ? packed(doc, "u16", values, count, 2)
                              : packed(doc, "u32", values, count, 4);
}

reprise_value *rp_typed_array_times(rp_doc *doc, const float *values, size_t count)
{
    double step = count > 1 ? ((double)values[count - 1] - (double)values[0]) / (double)(count - 1)
                            : 0;
    for (size_t i = 0; i < count; i++) {
        if (fabs((double)values[i] - ((double)values[0] + step * (double)i)) > 1e-4)
            return rp_typed_array_f32(doc, values, count);
    }
    reprise_value *to = rp_new_object(doc);
    rp_set_text(doc, to, "type", "range");
    rp_set_uint(doc, to, "n", count);
    rp_set_f64(doc, to, "start", count ? (double)values[0] : 0);
    rp_set_f64(doc, to, "step", step);
    return to;
}

reprise_value *rp_typed_array_texts(rp_doc *doc, const uint32_t *numbers, size_t count,
                                    const char *const *texts, size_t text_count)
{
    reprise_value *to = rp_new_object(doc);
    rp_set_text(doc, to, "type", "dict");
    rp_set_uint(doc, to, "n", count);
    rp_set(doc, to, "index", smallest_unsigned(doc, numbers, count));
    reprise_value *values = rp_set_array(doc, to, "values");
    for (size_t i = 0; i < text_count; i++)
        rp_push(doc, values, rp_new_text(doc, texts[i]));
    return to;
}
