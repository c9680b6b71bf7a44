/*
 * flatbuffer.h - writes flatbuffers from front to back.
 *
 * A table is written when all its members are known by size; a member that refers to something else
 * is set when that is written, which must be later, because references only point forward.
 */
#ifndef RP_FLATBUFFER_H
#define RP_FLATBUFFER_H

#include "writer.h"

enum { RP_FLAT_MEMBERS_MAX = 8 };

/* Where the members of a table are in the buffer; 0: the table has none of this number. */
typedef struct rp_flat_table {
    size_t at;
    size_t members[RP_FLAT_MEMBERS_MAX];
} rp_flat_table;

/* Begins an empty buffer whose root is set by rp_flat_refer(w, 0, ...). */
void rp_flat_begin(rp_writer *w);

/* Writes a table of zeros. `sizes` has one digit per member: 0 for none, 1, 2, 4 or 8 bytes. */
rp_flat_table rp_flat_table_new(rp_writer *w, const char *sizes);
void rp_flat_set(rp_writer *w, size_t member, uint64_t value, size_t size);
/* Lets a member refer to the place `to`. */
void rp_flat_refer(rp_writer *w, size_t member, size_t to);

/* Writes a string and lets the member refer to it. */
void rp_flat_text(rp_writer *w, size_t member, const char *text, size_t size);
/*
 * Begins a vector of `count` elements that the caller writes next, aligned to `alignment`, and lets
 * the member refer to it. Returns the place of the first element.
 */
size_t rp_flat_vector(rp_writer *w, size_t member, size_t count, size_t alignment);
/* The same for `count` references, which are zero until they are set. */
size_t rp_flat_references(rp_writer *w, size_t member, size_t count);

#endif
