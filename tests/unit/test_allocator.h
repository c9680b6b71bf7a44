/*
 * test_allocator.h - an allocator for tests: it checks every size, counts live blocks, and can fail
 * on the Nth request. Tests repeat with N = 1, 2, 3 ... until nothing fails.
 */
#ifndef TEST_ALLOCATOR_H
#define TEST_ALLOCATOR_H

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "options.h"

typedef struct test_allocator {
    reprise_allocator hooks;
    size_t requests;   /* so far */
    size_t fail_at;    /* the request that fails; 0: none */
    size_t live_count; /* blocks not freed yet */
} test_allocator;

/* Stored before each block; as large as the strictest alignment. */
typedef union test_block {
    size_t size;
    max_align_t align;
} test_block;

static inline void *watched_alloc(void *ctx, size_t size)
{
    test_allocator *self = ctx;
    if (++self->requests == self->fail_at)
        return NULL;
    test_block *block = malloc(sizeof *block + size);
    assert_non_null(block);
    block->size = size;
    self->live_count++;
    /* Exposes code that relies on zeroed memory. */
    return memset(block + 1, 0xA5, size);
}

static inline void watched_free(void *ctx, void *old, size_t size)
{
    test_allocator *self = ctx;
    test_block *block = (test_block *)old - 1;
    assert_int_equal(block->size, size);
    self->live_count--;
    free(block);
}

/* Always moves, so that a pointer kept across a realloc is caught. */
static inline void *watched_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    void *memory = watched_alloc(ctx, size);
    if (memory) {
        memcpy(memory, old, old_size < size ? old_size : size);
        watched_free(ctx, old, old_size);
    }
    return memory;
}

/* A context with default limits on top of `self`. */
static inline rp_context test_context(test_allocator *self, size_t fail_at)
{
    *self = (test_allocator){
        .hooks = {.alloc = watched_alloc,
                  .realloc = watched_realloc,
                  .free = watched_free,
                  .ctx = self},
        .fail_at = fail_at,
    };
    TEST_OPTIONS(options);
    reprise_options_set_allocator(options, &self->hooks, NULL);
    rp_context context;
    rp_context_init(&context, options);
    return context;
}

/* Whether the request that should fail was never made, so the loop over N is done. */
static inline bool test_allocator_survived(const test_allocator *self)
{
    return self->requests < self->fail_at;
}

/* An allocator that fails from the Nth allocation on, and counts blocks that were not freed. */
typedef struct ration {
    size_t left;
    size_t live;
} ration;

static inline void *ration_alloc(void *ctx, size_t size)
{
    ration *r = ctx;
    if (r->left == 0)
        return NULL;
    r->left--;
    r->live += size;
    return malloc(size);
}

static inline void *ration_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    ration *r = ctx;
    if (r->left == 0)
        return NULL;
    r->left--;
    r->live += size - old_size;
    return realloc(old, size);
}

static inline void ration_free(void *ctx, void *old, size_t size)
{
    ration *r = ctx;
    r->live -= size;
    free(old);
}

#endif
