/* masked.c - change bits, then the changed fields. An absent field is unchanged or predicted. */
#include "schema.h"

static const rp_predict *predict_of(const rp_field *field)
{
    const rp_predict *predict = field->sub;
    return predict && predict->sub_kind == RP_SUB_PREDICT ? predict : NULL;
}

static uint64_t bit_of(const rp_field *field, unsigned shift)
{
    return UINT64_C(1) << (field->tag + shift);
}

void rp_masked_read(rp_reader *r, const rp_record *record, uint64_t mask, unsigned shift, void *row)
{
    for (size_t i = 0; i < record->count && rp_ok(r); i++) {
        const rp_field *field = &record->fields[i];
        const rp_predict *predict = predict_of(field);
        if (mask & bit_of(field, shift))
            rp_value_read(r, field, rp_at(field, row));
        else if (predict)
            predict->apply(rp_at(field, row));
    }
}

/* Compares with the value a reader assumes if the field is absent. */
static bool differs(const rp_field *field, const void *base, const void *row)
{
    const rp_predict *predict = predict_of(field);
    if (!predict)
        return !rp_field_equal(field, base, row);
    union {
        max_align_t align;
        uint8_t bytes[sizeof(rp_quat)];
    } expected;
    memcpy(expected.bytes, rp_at_const(field, base), rp_kind_size[field->kind]);
    predict->apply(expected.bytes);
    return memcmp(expected.bytes, rp_at_const(field, row), rp_kind_size[field->kind]) != 0;
}

uint64_t rp_masked_diff(const rp_record *record, unsigned shift, const void *base, const void *row)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < record->count; i++) {
        if (differs(&record->fields[i], base, row))
            mask |= bit_of(&record->fields[i], shift);
    }
    return mask;
}

void rp_masked_write(rp_writer *w, const rp_record *record, uint64_t mask, unsigned shift,
                     const void *row)
{
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        if (mask & bit_of(field, shift))
            rp_value_write(w, field, rp_at_const(field, row));
    }
}

uint64_t rp_masked_bits(const rp_record *record, unsigned shift)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < record->count; i++)
        bits |= bit_of(&record->fields[i], shift);
    return bits;
}
