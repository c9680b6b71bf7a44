/*
 * arena.h - an allocator whose memory is freed all at once.
 *
 * Decoded metadata lives in one arena per replay; scratch memory lives in another that is reset
 * between uses. Memory is aligned for any type.
 */
#ifndef RP_ARENA_H
#define RP_ARENA_H

#include "context.h"

typedef struct rp_arena_block rp_arena_block;

typedef struct rp_arena {
    rp_context *context;
    rp_arena_block *blocks; /* the first is being filled */
} rp_arena;

void rp_arena_init(rp_arena *arena, rp_context *context);
void rp_arena_free(rp_arena *arena);
/* Empties the arena but keeps one block for the next use. */
void rp_arena_reset(rp_arena *arena);

/* Return zeroed memory, or NULL with the error set. */
void *rp_arena_alloc(rp_arena *arena, size_t size, reprise_error *error);
void *rp_arena_array(rp_arena *arena, size_t count, size_t size, reprise_error *error);
/* The same without zeroing, for long lists that are filled at once. */
void *rp_arena_room(rp_arena *arena, size_t count, size_t size, reprise_error *error);
/* rp_grow for a list in the arena. The old list stays in the arena, unused; new items are zero. */
void *rp_arena_grow(rp_arena *arena, void *items, size_t count, size_t *capacity, size_t item_size,
                    reprise_error *error);
/* Returns a terminated copy of `size` bytes of text. */
char *rp_arena_text(rp_arena *arena, const void *text, size_t size, reprise_error *error);
char *rp_arena_format(rp_arena *arena, reprise_error *error, const char *format, ...)
    REPRISE_PRINTF(3, 4);

#endif
