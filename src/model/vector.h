/* vector.h - growing lists, and dictionaries that number distinct texts. */
#ifndef RP_VECTOR_H
#define RP_VECTOR_H

#include "arena.h"

typedef struct rp_vector {
    void *items;
    size_t count, capacity;
} rp_vector;

/* Appends a zeroed item. Returns NULL with the error set on failure. */
void *rp_vector_add(rp_context *context, rp_vector *list, size_t item_size, reprise_error *error);
void rp_vector_free(rp_context *context, rp_vector *list, size_t item_size);

typedef struct rp_dictionary {
    rp_vector texts;  /* const char *, in the arena */
    rp_vector lookup; /* hash table of uint32_t: number plus one */
} rp_dictionary;

/* Returns the number of a text, copying new texts into the arena. 0 with the error set on failure.
 */
uint32_t rp_dictionary_add(rp_dictionary *dictionary, rp_arena *arena, const char *text,
                           size_t size, reprise_error *error);
/* Returns -1 if there is no such text. */
int64_t rp_dictionary_find(const rp_dictionary *dictionary, const char *text, size_t size);
void rp_dictionary_free(rp_context *context, rp_dictionary *dictionary);

static inline const char *rp_dictionary_text(const rp_dictionary *dictionary, size_t number)
{
    return ((const char *const *)dictionary->texts.items)[number];
}

#endif
