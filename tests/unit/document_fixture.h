/*
 * document_fixture.h - for tests of documents: an allocator that counts and may fail, an arena, a
 * writer, and documents from JSON.
 */
#ifndef DOCUMENT_FIXTURE_H
#define DOCUMENT_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "options.h"
#include "test_allocator.h"

typedef struct fixture {
    ration ration;
    reprise_allocator allocator;
    rp_context context;
    rp_arena arena;
    reprise_error error;
    rp_doc doc;
    rp_writer w;
    rp_json_notes notes;
} fixture;

static inline void start(fixture *f, size_t allocations)
{
    *f = (fixture){.ration = {.left = allocations}};
    f->allocator = (reprise_allocator){ration_alloc, ration_realloc, ration_free, &f->ration};
    TEST_OPTIONS(options);
    reprise_options_set_allocator(options, &f->allocator, NULL);
    rp_context_init(&f->context, options);
    rp_arena_init(&f->arena, &f->context);
    f->doc = (rp_doc){.arena = &f->arena, .error = &f->error};
    rp_writer_init(&f->w, &f->context, 1 << 24, &f->error);
}

static inline void finish(fixture *f)
{
    rp_writer_free(&f->w);
    rp_arena_free(&f->arena);
    assert_int_equal(f->ration.live, 0);
    assert_int_equal(f->context.bytes_live, 0);
}

static inline int setup(void **state)
{
    *state = malloc(sizeof(fixture));
    start(*state, SIZE_MAX);
    return 0;
}

static inline int teardown(void **state)
{
    finish(*state);
    free(*state);
    return 0;
}

static inline reprise_value *parsed_n(fixture *f, const char *text, size_t size)
{
    reprise_value *value = NULL;
    if (rp_json_parse(&f->doc, text, size, "test", &value, &f->notes) != REPRISE_OK)
        fail_msg("%.60s: %s", text, f->error.message);
    return value;
}

static inline reprise_value *parsed(fixture *f, const char *text)
{
    return parsed_n(f, text, strlen(text));
}

#endif
