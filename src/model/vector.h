/* vector.h - lists that grow, and texts that occur often, numbered. */
#ifndef RP_VECTOR_H
#define RP_VECTOR_H

#include "arena.h"

typedef struct rp_vector {
    void *items;
    size_t count, capacity;
} rp_vector;

/* Room for one more item of a list, zeroed; NULL with the error set. */
void *rp_vector_add(rp_context *context, rp_vector *list, size_t item_size, reprise_error *error);
void rp_vector_free(rp_context *context, rp_vector *list, size_t item_size);

typedef struct rp_dictionary {
    rp_vector texts;  /* const char *, in the arena */
    rp_vector lookup; /* hashed: uint32_t, number plus one */
} rp_dictionary;

/* The number of a text, which is copied into the arena when it is new; 0 with the error set. */
uint32_t rp_dictionary_add(rp_dictionary *dictionary, rp_arena *arena, const char *text,
                           size_t size, reprise_error *error);
/* -1 if it is not there. */
int64_t rp_dictionary_find(const rp_dictionary *dictionary, const char *text, size_t size);
void rp_dictionary_free(rp_context *context, rp_dictionary *dictionary);

static inline const char *rp_dictionary_text(const rp_dictionary *dictionary, size_t number)
{
    return ((const char *const *)dictionary->texts.items)[number];
}

#endif
