/* field_sum.c - see field_sum.h. */
#include "field_sum.h"

#include <string.h>

uint64_t rp_sum_mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ sum >> 29;
}

uint64_t rp_sum_bytes(uint64_t sum, const void *data, size_t size)
{
    const char *at = data;
    sum = rp_sum_mix(sum, size);
    while (size) {
        uint64_t word = 0;
        size_t n = RP_MIN(size, sizeof word);
        memcpy(&word, at, n);
        sum = rp_sum_mix(sum, word);
        at += n;
        size -= n;
    }
    return sum;
}

static uint64_t add_record(uint64_t sum, const rp_record *record, const void *row);

static uint64_t add_list(uint64_t sum, const rp_record *record, const rp_list *list)
{
    sum = rp_sum_mix(sum, list->count);
    for (size_t i = 0; i < list->count; i++)
        sum = add_record(sum, record, (const char *)list->items + i * record->size);
    return sum;
}

static uint64_t add_choice(uint64_t sum, const rp_sum *variants, const rp_choice *choice)
{
    const rp_record *record = choice->variant < variants->count
                                  ? variants->variants[choice->variant]
                                  : NULL;
    sum = rp_sum_mix(sum, choice->variant);
    return record ? add_record(sum, record, choice->value) : sum;
}

uint64_t rp_sum_field(uint64_t sum, const rp_field *field, const void *row)
{
    const void *at = rp_at_const(field, row);
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES:
        return rp_sum_bytes(sum, ((const rp_text *)at)->data, ((const rp_text *)at)->size);
    case RP_ROT: {
        rp_quat value = rp_rot_value(at);
        return rp_sum_bytes(sum, &value, sizeof value);
    }
    case RP_SEQ:
    case RP_MAP:
        return add_list(sum, field->sub, at);
    case RP_OPT: {
        const void *inner = *(void *const *)at;
        return inner ? add_record(rp_sum_mix(sum, 1), field->sub, inner) : rp_sum_mix(sum, 0);
    }
    case RP_SUM:
        return add_choice(sum, field->sub, at);
    case RP_REC:
        return add_record(sum, field->sub, at);
    default:
        return rp_sum_bytes(sum, at, rp_field_size(field));
    }
}

static uint64_t add_record(uint64_t sum, const rp_record *record, const void *row)
{
    for (size_t i = 0; i < record->count; i++)
        sum = rp_sum_field(sum, &record->fields[i], row);
    return sum;
}
