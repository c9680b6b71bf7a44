/* text.h - texts with a length: equality and order. */
#ifndef RP_TEXT_H
#define RP_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "reprise/reprise.h"

/* Text or bytes that belong to something else. data is NULL if the text was never set. */
typedef reprise_text rp_text;

/* A text that was never set equals an empty one. */
static inline bool rp_text_equal(const rp_text *a, const rp_text *b)
{
    return a->size == b->size && (!a->size || memcmp(a->data, b->data, a->size) == 0);
}

/* Below, at or above 0: by byte value; a prefix comes before the longer text. */
static inline int rp_text_order(const rp_text *a, const rp_text *b)
{
    size_t common = a->size < b->size ? a->size : b->size;
    int order = common ? memcmp(a->data, b->data, common) : 0;
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

#endif
