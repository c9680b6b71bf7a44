/* plain.c - fixed-width values, records without framing, and packed rotations. */
#include <math.h>

#include "schema.h"

static void read_floats(const uint8_t *p, float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = rp_load_f32(p + 4 * i);
}

static size_t plain_size(const rp_field *field)
{
    return field->kind == RP_RAW ? field->tag : rp_full_size(field->kind);
}

void rp_value_read(rp_reader *r, const rp_field *field, void *to)
{
    const uint8_t *p = rp_take(r, plain_size(field), field->name);
    if (!p)
        return;
    switch (field->kind) {
    case RP_BOOL:
        *(bool *)to = *p != 0;
        break;
    case RP_U8:
    case RP_I8:
    case RP_BYTE:
        *(uint8_t *)to = *p;
        break;
    case RP_U16:
    case RP_I16:
        *(uint16_t *)to = rp_load16(p);
        break;
    case RP_U32:
    case RP_I32:
    case RP_INT:
        *(uint32_t *)to = rp_load32(p);
        break;
    case RP_U64:
    case RP_I64:
        *(uint64_t *)to = rp_load64(p);
        break;
    case RP_F32:
        *(float *)to = rp_load_f32(p);
        break;
    case RP_F64:
        *(double *)to = rp_load_f64(p);
        break;
    case RP_VEC3:
        read_floats(p, to, 3);
        break;
    case RP_QUAT:
        read_floats(p, to, 4);
        break;
    case RP_RAW:
        memcpy(to, p, field->tag);
        break;
    case RP_ROT:
        ((rp_rot *)to)->size = 16;
        memcpy(((rp_rot *)to)->bytes, p, 16);
        break;
    default:
        rp_fail(r, REPRISE_E_UNSUPPORTED, field->name, "%s is not a plain value",
                rp_kind_label[field->kind]);
    }
}

static void write_floats(rp_writer *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rp_put_f32(w, values[i]);
}

void rp_value_write(rp_writer *w, const rp_field *field, const void *from)
{
    switch (field->kind) {
    case RP_BOOL:
    case RP_U8:
    case RP_I8:
    case RP_BYTE:
        rp_put_u8(w, *(const uint8_t *)from);
        break;
    case RP_U16:
    case RP_I16:
        rp_put_u16(w, *(const uint16_t *)from);
        break;
    case RP_U32:
    case RP_I32:
    case RP_INT:
        rp_put_u32(w, *(const uint32_t *)from);
        break;
    case RP_U64:
    case RP_I64:
        rp_put_u64(w, *(const uint64_t *)from);
        break;
    case RP_F32:
        rp_put_f32(w, *(const float *)from);
        break;
    case RP_F64:
        rp_put_f64(w, *(const double *)from);
        break;
    case RP_VEC3:
        write_floats(w, &((const rp_vec3 *)from)->x, 3);
        break;
    case RP_QUAT:
        write_floats(w, &((const rp_quat *)from)->x, 4);
        break;
    case RP_RAW:
        rp_put(w, from, field->tag);
        break;
    case RP_ROT: {
        rp_rot whole = rp_rot_full(rp_rot_value(from));
        rp_put(w, whole.bytes, 16);
        break;
    }
    default:
        rp_error_set(w->error, REPRISE_E_UNSUPPORTED, "%s: %s is not a plain value", field->name,
                     rp_kind_label[field->kind]);
    }
}

void rp_plain_read(rp_reader *r, const rp_record *record, const uint8_t *order, size_t count,
                   void *row)
{
    for (size_t i = 0; i < count && rp_ok(r); i++) {
        const rp_field *field = &record->fields[order ? order[i] : i];
        rp_value_read(r, field, rp_at(field, row));
    }
}

void rp_plain_write(rp_writer *w, const rp_record *record, const uint8_t *order, size_t count,
                    const void *row)
{
    for (size_t i = 0; i < count; i++) {
        const rp_field *field = &record->fields[order ? order[i] : i];
        rp_value_write(w, field, rp_at_const(field, row));
    }
}

/* ---- rotations ---- */

/* Without a branch, so that the compiler can compute several rotations at a time. */
static inline float pick(bool first, float a, float b)
{
    uint32_t x, y, mask = 0u - (uint32_t)first;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = (x & mask) | (y & ~mask);
    memcpy(&a, &x, sizeof a);
    return a;
}

static inline float component(uint32_t step)
{
    return ((float)(int32_t)step / 65535.0f - 0.5f) * 2.0f;
}

/* From the first four bytes, and the next three. */
static inline rp_quat unpack(uint32_t low, uint32_t high)
{
    float a = component(low & 0xFFFF), b = component(low >> 16), c = component(high & 0xFFFF);
    float rest = 1.0f - (a * a + b * b + c * c);
    float left_out = sqrtf(rest > 0 ? rest : 0);
    uint32_t which = high >> 16 & 0xFF;
    return (rp_quat){
        pick(which == 0, left_out, a), pick(which == 0, a, pick(which == 1, left_out, b)),
        pick(which <= 1, b, pick(which == 2, left_out, c)), pick(which <= 2, c, left_out)};
}

rp_quat rp_rot_value(const rp_rot *rotation)
{
    if (rotation->size == 7)
        return unpack(rp_load32(rotation->bytes), rp_load32(rotation->bytes + 4));
    rp_quat value = {0, 0, 0, 1};
    if (rotation->size == 16)
        read_floats(rotation->bytes, &value.x, 4);
    return value;
}

enum { UNPACKED = 64 };

/* As if all were packed; returns how many are. */
static size_t unpack_some(const char *first, size_t stride, size_t count, float *const to[4])
{
    uint32_t low[UNPACKED], high[UNPACKED];
    size_t packed = 0;
    for (size_t i = 0; i < count; i++) {
        const rp_rot *rotation = (const void *)(first + i * stride);
        low[i] = rp_load32(rotation->bytes);
        high[i] = rp_load32(rotation->bytes + 4);
        packed += rotation->size == 7;
    }
    float *restrict x = to[0], *restrict y = to[1], *restrict z = to[2], *restrict w = to[3];
    for (size_t i = 0; packed && i < count; i++) {
        rp_quat value = unpack(low[i], high[i]);
        x[i] = value.x;
        y[i] = value.y;
        z[i] = value.z;
        w[i] = value.w;
    }
    return packed;
}

void rp_rot_columns(const void *first, size_t stride, size_t count, float *const to[4])
{
    for (size_t at = 0, some; at < count; at += some) {
        const char *from = (const char *)first + at * stride;
        float *const part[4] = {to[0] + at, to[1] + at, to[2] + at, to[3] + at};
        some = RP_MIN(count - at, (size_t)UNPACKED);
        if (unpack_some(from, stride, some, part) == some)
            continue;
        for (size_t i = 0; i < some; i++) {
            const rp_rot *rotation = (const void *)(from + i * stride);
            if (rotation->size == 7)
                continue;
            rp_quat value = rp_rot_value(rotation);
            part[0][i] = value.x;
            part[1][i] = value.y;
            part[2][i] = value.z;
            part[3][i] = value.w;
        }
    }
}

rp_rot rp_rot_full(rp_quat value)
{
    const float q[4] = {value.x, value.y, value.z, value.w};
    rp_rot rotation = {.size = 16};
    for (size_t i = 0; i < 4; i++) {
        uint32_t bits;
        memcpy(&bits, &q[i], sizeof bits);
        rp_store32(rotation.bytes + 4 * i, bits);
    }
    return rotation;
}

/* One component is omitted and computed from the others, so it must not be negative. */
static rp_rot pack_without(const float q[4], uint8_t left_out, float sign)
{
    rp_rot rotation = {.size = 7};
    for (size_t i = 0, k = 0; i < 4; i++) {
        if (i == left_out)
            continue;
        float unit = q[i] * sign * 0.5f + 0.5f;
        unit = unit > 0 ? (unit < 1 ? unit : 1) : 0; /* NaN becomes 0 */
        rp_store16(rotation.bytes + 2 * k++, (uint16_t)lrintf(unit * 65535.0f));
    }
    rotation.bytes[6] = left_out;
    return rotation;
}

/* Omits the largest component, unless another choice reproduces the rotation exactly. */
rp_rot rp_rot_packed(rp_quat value)
{
    const float q[4] = {value.x, value.y, value.z, value.w};
    uint8_t largest = 0;
    for (uint8_t i = 1; i < 4; i++) {
        if (fabsf(q[i]) > fabsf(q[largest]))
            largest = i;
    }
    for (uint8_t i = 0; i < 4; i++) {
        rp_rot exact = pack_without(q, i, 1.0f);
        rp_quat back = rp_rot_value(&exact);
        if (memcmp(&back, &value, sizeof back) == 0)
            return exact;
    }
    return pack_without(q, largest, q[largest] < 0 ? -1.0f : 1.0f);
}
