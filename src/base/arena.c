/* arena.c - see arena.h. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"

struct rp_arena_block {
    rp_arena_block *next;
    size_t used, size; /* of `data` in bytes */
    max_align_t data[];
};

enum { BLOCK_SIZE_MIN = 4096, BLOCK_SIZE_MAX = 1 << 20 };

void rp_arena_init(rp_arena *arena, rp_context *context)
{
    *arena = (rp_arena){.context = context};
}

static void free_blocks(rp_arena *arena, rp_arena_block *block)
{
    while (block) {
        rp_arena_block *next = block->next;
        rp_free(arena->context, block, sizeof *block + block->size);
        block = next;
    }
}

void rp_arena_free(rp_arena *arena)
{
    free_blocks(arena, arena->blocks);
    arena->blocks = NULL;
}

void rp_arena_reset(rp_arena *arena)
{
    if (!arena->blocks)
        return;
    free_blocks(arena, arena->blocks->next);
    arena->blocks->next = NULL;
    arena->blocks->used = 0;
}

/* Block sizes double: little memory for a small replay, few allocations for a large one. */
static rp_arena_block *add_block(rp_arena *arena, size_t size, reprise_error *error)
{
    size_t want = arena->blocks ? RP_MIN(arena->blocks->size * 2, (size_t)BLOCK_SIZE_MAX)
                                : (size_t)BLOCK_SIZE_MIN;
    want = RP_MAX(want, size);
    size_t bytes;
    if (!rp_add(want, sizeof(rp_arena_block), &bytes)) {
        rp_error_set(error, REPRISE_E_LIMIT, "no memory for %zu bytes", size);
        return NULL;
    }
    rp_arena_block *block = rp_alloc(arena->context, bytes, error);
    if (!block)
        return NULL;
    *block = (rp_arena_block){.next = arena->blocks, .size = want};
    arena->blocks = block;
    return block;
}

static void *take(rp_arena *arena, size_t size, reprise_error *error)
{
    const size_t mask = _Alignof(max_align_t) - 1;
    if (!rp_add(RP_MAX(size, 1), mask, &size)) {
        rp_error_set(error, REPRISE_E_LIMIT, "no memory for %zu bytes", size);
        return NULL;
    }
    size &= ~mask;
    rp_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size, error);
    if (!block)
        return NULL;
    void *memory = (char *)block->data + block->used;
    block->used += size;
    return memory;
}

void *rp_arena_alloc(rp_arena *arena, size_t size, reprise_error *error)
{
    void *memory = take(arena, size, error);
    return memory ? memset(memory, 0, size) : NULL;
}

static bool multiply(size_t count, size_t size, size_t *ret_bytes, reprise_error *error)
{
    if (rp_mul(count, size, ret_bytes))
        return true;
    rp_error_set(error, REPRISE_E_LIMIT, "%zu items of %zu bytes", count, size);
    return false;
}

void *rp_arena_array(rp_arena *arena, size_t count, size_t size, reprise_error *error)
{
    size_t bytes;
    return multiply(count, size, &bytes, error) ? rp_arena_alloc(arena, bytes, error) : NULL;
}

void *rp_arena_room(rp_arena *arena, size_t count, size_t size, reprise_error *error)
{
    size_t bytes;
    return multiply(count, size, &bytes, error) ? take(arena, bytes, error) : NULL;
}

void *rp_arena_grow(rp_arena *arena, void *items, size_t count, size_t *capacity, size_t item_size,
                    reprise_error *error)
{
    if (items && count <= *capacity)
        return items;
    size_t more = *capacity, bytes;
    void *memory = rp_grown_size(count, item_size, &more, &bytes, error)
                       ? rp_arena_alloc(arena, bytes, error)
                       : NULL;
    if (!memory)
        return NULL;
    if (*capacity)
        memcpy(memory, items, *capacity * item_size);
    *capacity = more;
    return memory;
}

char *rp_arena_text(rp_arena *arena, const void *text, size_t size, reprise_error *error)
{
    size_t bytes;
    if (!rp_add(size, 1, &bytes)) {
        rp_error_set(error, REPRISE_E_LIMIT, "text of %zu bytes", size);
        return NULL;
    }
    char *copy = rp_arena_alloc(arena, bytes, error);
    if (copy && size)
        memcpy(copy, text, size);
    return copy;
}

char *rp_arena_format(rp_arena *arena, reprise_error *error, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : rp_arena_alloc(arena, (size_t)n + 1, error);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}
