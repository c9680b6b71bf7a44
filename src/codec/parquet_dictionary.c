/* parquet_dictionary.c - the different values of a Parquet column. */
#include "checked.h"
#include "parquet_parts.h"

enum {
    VALUES_MAX = 1 << 14,
    BYTES_MAX = 1 << 19,
    SLOTS_MIN = 256,
    PROBES_MAX = 64, /* texts that were made to collide do not cost more */
};

void rp_pq_dictionary_init(rp_pq_dictionary *dictionary, rp_context *context, reprise_error *error)
{
    *dictionary = (rp_pq_dictionary){0};
    rp_writer_init(&dictionary->values, context, SIZE_MAX / 2, error);
    rp_writer_init(&dictionary->keys, context, SIZE_MAX / 2, error);
}

static void free_slots(rp_pq_dictionary *dictionary)
{
    rp_free(dictionary->values.context, dictionary->slots,
            dictionary->slot_count * sizeof *dictionary->slots);
    dictionary->slots = NULL;
    dictionary->slot_count = 0;
}

void rp_pq_dictionary_free(rp_pq_dictionary *dictionary)
{
    free_slots(dictionary);
    rp_writer_free(&dictionary->values);
    rp_writer_free(&dictionary->keys);
    dictionary->count = 0;
}

static uint64_t mix(uint64_t value)
{
    value *= UINT64_C(0x9E3779B97F4A7C15);
    return value ^ value >> 32;
}

static uint64_t hash_text(const void *data, size_t size)
{
    const uint8_t *at = data;
    uint64_t hash = size;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t part;
        memcpy(&part, at, sizeof part);
        hash = mix(hash ^ part);
    }
    uint64_t rest = 0;
    memcpy(&rest, at, size);
    return mix(hash ^ rest);
}

static uint64_t key_at(const rp_pq_dictionary *dictionary, size_t number)
{
    uint64_t key;
    memcpy(&key, dictionary->keys.data + number * sizeof key, sizeof key);
    return key;
}

/* The text of a number, as it is on the page. */
static reprise_text text_at(const rp_pq_dictionary *dictionary, size_t number)
{
    const uint8_t *at = dictionary->values.data + key_at(dictionary, number);
    size_t size = at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
    return (reprise_text){(const char *)at + 4, size};
}

static uint64_t hash_at(const rp_pq_dictionary *dictionary, size_t number, bool texts)
{
    if (!texts)
        return mix(key_at(dictionary, number));
    reprise_text text = text_at(dictionary, number);
    return hash_text(text.data, text.size);
}

/* At most half of the slots are used. */
static bool grow(rp_pq_dictionary *dictionary, bool texts)
{
    size_t count = dictionary->slot_count ? 2 * dictionary->slot_count : SLOTS_MIN;
    rp_writer *values = &dictionary->values;
    uint32_t *slots = rp_alloc_zero(values->context, count, sizeof *slots, values->error);
    if (!slots)
        return false;
    for (size_t i = 0; i < dictionary->count; i++) {
        size_t at = (size_t)hash_at(dictionary, i, texts) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i + 1;
    }
    free_slots(dictionary);
    dictionary->slots = slots;
    dictionary->slot_count = count;
    return true;
}

static bool has_room(rp_pq_dictionary *dictionary, size_t size, bool texts)
{
    if (dictionary->count == VALUES_MAX || dictionary->values.size + size > BYTES_MAX)
        return false;
    return 2 * dictionary->count < dictionary->slot_count || grow(dictionary, texts);
}

static int64_t add(rp_pq_dictionary *dictionary, size_t slot, uint64_t key)
{
    rp_put(&dictionary->keys, &key, sizeof key);
    if (!rp_writer_ok(&dictionary->keys))
        return RP_PQ_NOT_FOUND;
    dictionary->slots[slot] = (uint32_t)++dictionary->count;
    return (int64_t)dictionary->count - 1;
}

int64_t rp_pq_dictionary_number(rp_pq_dictionary *dictionary, uint64_t value, size_t width)
{
    if (!dictionary->slots && !grow(dictionary, false))
        return RP_PQ_NOT_FOUND;
    for (int tries = 0; tries < 2; tries++) {
        size_t mask = dictionary->slot_count - 1, at = (size_t)mix(value) & mask;
        for (int probe = 0; probe < PROBES_MAX; probe++, at = (at + 1) & mask) {
            uint32_t number = dictionary->slots[at];
            if (number && key_at(dictionary, number - 1) == value)
                return (int64_t)number - 1;
            if (number)
                continue;
            size_t slots = dictionary->slot_count;
            if (!has_room(dictionary, width, false))
                return RP_PQ_NOT_FOUND;
            if (slots != dictionary->slot_count)
                break; /* the slot has moved */
            uint8_t *to = rp_put_raw(&dictionary->values, width);
            if (to)
                rp_store_bytes(to, value, width);
            return add(dictionary, at, value);
        }
    }
    return RP_PQ_NOT_FOUND;
}

static int64_t add_text(rp_pq_dictionary *dictionary, size_t slot, reprise_text text)
{
    uint64_t place = dictionary->values.size;
    rp_put_u32(&dictionary->values, (uint32_t)text.size);
    rp_put(&dictionary->values, text.data, text.size);
    return add(dictionary, slot, place);
}

int64_t rp_pq_dictionary_text(rp_pq_dictionary *dictionary, reprise_text text)
{
    if (!dictionary->slots && !grow(dictionary, true))
        return RP_PQ_NOT_FOUND;
    uint64_t hash = hash_text(text.data, text.size);
    for (int tries = 0; tries < 2; tries++) {
        size_t mask = dictionary->slot_count - 1, at = (size_t)hash & mask;
        for (int probe = 0; probe < PROBES_MAX; probe++, at = (at + 1) & mask) {
            uint32_t number = dictionary->slots[at];
            reprise_text known = number ? text_at(dictionary, number - 1) : text;
            if (number && known.size == text.size && memcmp(known.data, text.data, text.size) == 0)
                return (int64_t)number - 1;
            if (number)
                continue;
            size_t slots = dictionary->slot_count;
            if (!has_room(dictionary, text.size + 4, true))
                return RP_PQ_NOT_FOUND;
            if (slots != dictionary->slot_count)
                break;
            return add_text(dictionary, at, text);
        }
    }
    return RP_PQ_NOT_FOUND;
}
