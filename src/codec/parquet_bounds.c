/*
 * parquet_bounds.c - the least and the greatest value of pages and columns.
 *
 * NaN is neither; zeros have the sign that makes the range larger; texts compare as bytes. Texts
 * that are too long to keep leave the bounds unknown.
 */
#include <math.h>

#include "checked.h"
#include "parquet_parts.h"

static void keep(rp_pq_bounds *bounds, const void *least, const void *most, size_t size)
{
    bounds->known = true;
    bounds->least_size = bounds->most_size = (uint8_t)size;
    memcpy(bounds->least, least, size);
    memcpy(bounds->most, most, size);
}

#define BOUNDS_OF(type)                                  \
    do {                                                 \
        const type *v = values->numbers;                 \
        type least = v[0], most = v[0];                  \
        for (size_t i = 1; i < values->count; i++) {     \
            least = RP_MIN(least, v[i]);                 \
            most = RP_MAX(most, v[i]);                   \
        }                                                \
        uint8_t a[8], b[8];                              \
        rp_store_bytes(a, (uint64_t)least, sizeof v[0]); \
        rp_store_bytes(b, (uint64_t)most, sizeof v[0]);  \
        keep(bounds, a, b, sizeof v[0]);                 \
    } while (0)

/* Comparisons with NaN are false, so it never replaces a bound. */
#define BOUNDS_OF_REAL(type, bits_type)                      \
    do {                                                     \
        const type *v = values->numbers;                     \
        type least = (type)INFINITY, most = -(type)INFINITY; \
        for (size_t i = 0; i < values->count; i++) {         \
            least = v[i] < least ? v[i] : least;             \
            most = v[i] > most ? v[i] : most;                \
        }                                                    \
        if (least > most)                                    \
            return; /* only NaN */                           \
        least = least == 0 ? -(type)0 : least;               \
        most = most == 0 ? (type)0 : most;                   \
        bits_type low, high;                                 \
        memcpy(&low, &least, sizeof low);                    \
        memcpy(&high, &most, sizeof high);                   \
        uint8_t a[8], b[8];                                  \
        rp_store_bytes(a, low, sizeof low);                  \
        rp_store_bytes(b, high, sizeof high);                \
        keep(bounds, a, b, sizeof low);                      \
    } while (0)

static int compare_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
    int order = memcmp(a, b, RP_MIN(a_size, b_size));
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

static void bounds_of_texts(const reprise_text *texts, size_t count, rp_pq_bounds *bounds)
{
    reprise_text least = texts[0], most = texts[0];
    for (size_t i = 1; i < count; i++) {
        const reprise_text *text = &texts[i];
        if (text->data == texts[i - 1].data && text->size == texts[i - 1].size)
            continue; /* the same entry of a dictionary */
        if (compare_bytes(text->data, text->size, least.data, least.size) < 0)
            least = *text;
        if (compare_bytes(text->data, text->size, most.data, most.size) > 0)
            most = *text;
    }
    if (least.size > RP_PQ_BOUND_MAX || most.size > RP_PQ_BOUND_MAX)
        return;
    bounds->known = true;
    bounds->least_size = (uint8_t)least.size;
    bounds->most_size = (uint8_t)most.size;
    memcpy(bounds->least, least.data, least.size);
    memcpy(bounds->most, most.data, most.size);
}

static void bounds_of_bytes(const rp_pq_column *column, const rp_pq_values *values,
                            rp_pq_bounds *bounds)
{
    const uint8_t *all = values->numbers, *least = all, *most = all;
    size_t width = column->width;
    for (size_t i = 1; i < values->count; i++) {
        const uint8_t *one = all + i * width;
        least = memcmp(one, least, width) < 0 ? one : least;
        most = memcmp(one, most, width) > 0 ? one : most;
    }
    if (width <= RP_PQ_BOUND_MAX)
        keep(bounds, least, most, width);
}

void rp_pq_find_bounds(const rp_pq_column *column, const rp_pq_values *values, rp_pq_bounds *bounds)
{
    bounds->known = false;
    if (!values->count)
        return;
    bool is_signed = column->type.kind == RP_ARROW_INT;
    switch (column->physical) {
    case RP_PQ_BOOLEAN:
        BOUNDS_OF(uint8_t);
        break;
    case RP_PQ_INT32:
        if (is_signed)
            BOUNDS_OF(int32_t);
        else
            BOUNDS_OF(uint32_t);
        break;
    case RP_PQ_INT64:
        if (is_signed)
            BOUNDS_OF(int64_t);
        else
            BOUNDS_OF(uint64_t);
        break;
    case RP_PQ_FLOAT:
        BOUNDS_OF_REAL(float, uint32_t);
        break;
    case RP_PQ_DOUBLE:
        BOUNDS_OF_REAL(double, uint64_t);
        break;
    case RP_PQ_BYTES:
        bounds_of_texts(values->texts, values->count, bounds);
        break;
    case RP_PQ_FIXED_BYTES:
        bounds_of_bytes(column, values, bounds);
        break;
    }
}

/* ---- comparing ---- */

static uint64_t load(const uint8_t *from, size_t size)
{
    uint64_t v = 0;
    for (size_t i = 0; i < size; i++)
        v |= (uint64_t)from[i] << (8 * i);
    return v;
}

static double load_real(const uint8_t *from, size_t size)
{
    if (size == sizeof(float)) {
        uint32_t bits = (uint32_t)load(from, size);
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    uint64_t bits = load(from, size);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int rp_pq_compare(const rp_pq_column *column, const uint8_t *a, size_t a_size, const uint8_t *b,
                  size_t b_size)
{
    switch (column->physical) {
    case RP_PQ_BYTES:
    case RP_PQ_FIXED_BYTES:
        return compare_bytes(a, a_size, b, b_size);
    case RP_PQ_FLOAT:
    case RP_PQ_DOUBLE: {
        double x = load_real(a, a_size), y = load_real(b, b_size);
        return (x > y) - (x < y);
    }
    default: {
        uint64_t x = load(a, a_size), y = load(b, b_size);
        /* Moves the signed range to the unsigned one. */
        uint64_t flip = column->type.kind == RP_ARROW_INT ? UINT64_C(1) << (8 * a_size - 1) : 0;
        x ^= flip;
        y ^= flip;
        return (x > y) - (x < y);
    }
    }
}

void rp_pq_widen_bounds(const rp_pq_column *column, rp_pq_bounds *bounds, const rp_pq_bounds *by)
{
    if (!bounds->known) {
        *bounds = *by;
        return;
    }
    if (rp_pq_compare(column, by->least, by->least_size, bounds->least, bounds->least_size) < 0) {
        bounds->least_size = by->least_size;
        memcpy(bounds->least, by->least, by->least_size);
    }
    if (rp_pq_compare(column, by->most, by->most_size, bounds->most, bounds->most_size) > 0) {
        bounds->most_size = by->most_size;
        memcpy(bounds->most, by->most, by->most_size);
    }
}
