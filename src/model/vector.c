/* vector.c - see vector.h. */
#include "vector.h"

#include <string.h>

#include "checked.h"

void *rp_vector_add(rp_context *context, rp_vector *list, size_t item_size, reprise_error *error)
{
    if (list->count == list->capacity) {
        void *items = rp_grow(context, list->items, list->count + 1, &list->capacity, item_size,
                              error);
        if (!items)
            return NULL;
        list->items = items;
    }
    void *item = (char *)list->items + list->count++ * item_size;
    memset(item, 0, item_size);
    return item;
}

void rp_vector_free(rp_context *context, rp_vector *list, size_t item_size)
{
    rp_free(context, list->items, list->capacity * item_size);
    *list = (rp_vector){0};
}

/* ---- texts ---- */

enum { SLOTS_LEAST = 16 };

static uint32_t hash_text(const char *text, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

/* Returns the slot of a text, or the free slot for it. */
static uint32_t *slot_of(const rp_dictionary *d, const char *text, size_t size)
{
    uint32_t *slots = d->lookup.items;
    for (size_t at = hash_text(text, size);; at++) {
        uint32_t *slot = &slots[at & (d->lookup.capacity - 1)];
        if (!*slot)
            return slot;
        const char *known = rp_dictionary_text(d, *slot - 1);
        if (strlen(known) == size && memcmp(known, text, size) == 0)
            return slot;
    }
}

static void rehash(rp_dictionary *d, rp_context *context, reprise_error *error)
{
    size_t size = RP_MAX(d->lookup.capacity * 2, SLOTS_LEAST);
    uint32_t *slots = rp_alloc_zero(context, size, sizeof *slots, error);
    if (!slots)
        return;
    rp_vector_free(context, &d->lookup, sizeof *slots);
    d->lookup = (rp_vector){slots, size, size};
    for (uint32_t i = 0; i < d->texts.count; i++) {
        const char *text = rp_dictionary_text(d, i);
        *slot_of(d, text, strlen(text)) = i + 1;
    }
}

uint32_t rp_dictionary_add(rp_dictionary *d, rp_arena *arena, const char *text, size_t size,
                           reprise_error *error)
{
    if (error->status == REPRISE_OK && 2 * d->texts.count >= d->lookup.capacity)
        rehash(d, arena->context, error);
    if (error->status != REPRISE_OK)
        return 0;
    /* Texts end at a NUL, or they would not be found again. */
    size = strnlen(text, size);
    uint32_t *slot = slot_of(d, text, size);
    if (*slot)
        return *slot - 1;
    const char *copy = rp_arena_text(arena, text, size, error);
    const char **to = copy ? rp_vector_add(arena->context, &d->texts, sizeof *to, error) : NULL;
    if (!to)
        return 0;
    *to = copy;
    *slot = (uint32_t)d->texts.count;
    return *slot - 1;
}

int64_t rp_dictionary_find(const rp_dictionary *d, const char *text, size_t size)
{
    return d->texts.count ? (int64_t)*slot_of(d, text, strnlen(text, size)) - 1 : -1;
}

void rp_dictionary_free(rp_context *context, rp_dictionary *d)
{
    rp_vector_free(context, &d->texts, sizeof(char *));
    rp_vector_free(context, &d->lookup, sizeof(uint32_t));
}
