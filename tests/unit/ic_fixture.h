/*
 * ic_fixture.h - what tests of Iron Curtain files share: samples, what the library says about some
 * bytes, and the inside of an open file.
 */
#ifndef IC_FIXTURE_H
#define IC_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ironcurtain/edit/write.h"
#include "options.h"
#include "reprise/write.h"

#define DATA "tests/data/ironcurtain/"

/* Sound samples. */
static const char *const replays[] = {
    "all-events.icrep",         "all-orders.icrep",         "basic.icrep",
    "cadence-45.icrep",         "cadence-50-end.icrep",     "full.icrep",
    "imported-lossless.icrep",  "imported-no-hashes.icrep", "imported-skipped.icrep",
    "live-clean.icrep",         "live-torn.icrep",          "lost-frames.icrep",
    "lost-full-keyframe.icrep", "map-embedded.icrep",       "self-contained.icrep",
    "zero-ticks.icrep",
};
static const char *const saves[] = {"checkpoint.icsave", "everything.icsave", "skirmish.icsave"};
static const char *const proofs[] = {"players-tick-600.icproof", "vehicles-tick-3300.icproof"};

typedef struct file {
    uint8_t *data;
    size_t size;
} file;

static inline file load(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, DATA "%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    file loaded = {.size = (size_t)ftell(f)};
    rewind(f);
    loaded.data = malloc(loaded.size + 1);
    assert_int_equal(fread(loaded.data, 1, loaded.size, f), loaded.size);
    fclose(f);
    return loaded;
}

/* ---- what the library says about some bytes ---- */

typedef struct verdict {
    reprise_status opened, worst;
    uint64_t warnings, faults;
    char words[4096]; /* ids and messages of all findings, or of the failure to open */
    char summary[65536];
} verdict;

static inline void collect(void *ctx, const reprise_finding *f)
{
    verdict *v = ctx;
    size_t used = strlen(v->words);
    snprintf(v->words + used, sizeof v->words - used, "%s: %s\n", f->id, f->message);
}

static inline int keep(void *ctx, const void *data, size_t size)
{
    verdict *v = ctx;
    size_t used = strlen(v->summary), room = sizeof v->summary - used - 1;
    memcpy(v->summary + used, data, RP_MIN(size, room));
    return 0;
}

static inline verdict *judge_with(const uint8_t *data, size_t size, const reprise_options *options)
{
    verdict *v = calloc(1, sizeof *v);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    v->opened = reprise_open_memory(data, size, options, &replay, &error);
    if (v->opened == REPRISE_OK) {
        reprise_verify_summary summary = {0};
        assert_int_equal(reprise_verify(replay, collect, v, &summary, &error), REPRISE_OK);
        v->worst = summary.worst;
        v->warnings = summary.warnings;
        v->faults = summary.faults;
        reprise_sink sink = {.ctx = v, .write = keep};
        (void)!reprise_value_write(summary.document, REPRISE_JSON_COMPACT, &sink, &error);
    } else {
        snprintf(v->words, sizeof v->words, "%s", error.message);
    }
    reprise_close(replay);
    return v;
}

static inline verdict *judge(const uint8_t *data, size_t size)
{
    return judge_with(data, size, NULL);
}

static inline bool refused(const verdict *v)
{
    return v->opened != REPRISE_OK || v->faults;
}

static inline void expect_refused(const char *name, const char *words)
{
    file f = load(name);
    verdict *v = judge(f.data, f.size);
    if (!refused(v) || !strstr(v->words, words))
        fail_msg("%s: wanted '%s', found '%s'", name, words, v->words);
    free(v);
    free(f.data);
}

static inline void expect_sound(const uint8_t *data, size_t size)
{
    verdict *v = judge(data, size);
    if (refused(v))
        fail_msg("should be sound: %s", v->words);
    free(v);
}

/* ---- the inside ---- */

typedef struct world {
    rp_context context;
    reprise_error error;
    rp_arena arena;
    rp_writer w;
    rp_source *source;
    rp_replay *replay;
} world;

static inline void open_world(world *x, const uint8_t *data, size_t size)
{
    rp_context_init(&x->context, NULL);
    x->error = (reprise_error)REPRISE_ERROR_INIT;
    x->source = NULL;
    x->replay = NULL;
    rp_arena_init(&x->arena, &x->context);
    rp_writer_init(&x->w, &x->context, SIZE_MAX / 2, &x->error);
    if (!data)
        return;
    assert_int_equal(rp_source_open_memory(&x->context, data, size, &x->source, &x->error),
                     REPRISE_OK);
    assert_int_equal(rp_replay_open(&x->context, x->source, NULL, NULL, &x->replay, &x->error),
                     REPRISE_OK);
}

static inline void close_world(world *x)
{
    rp_replay_close(x->replay);
    rp_source_close(x->source);
    rp_writer_free(&x->w);
    rp_arena_free(&x->arena);
    assert_int_equal(x->context.bytes_live, 0);
}

/* The decoded payload of a save. */
static inline ic_save_state load_state(world *x)
{
    ic_save_state state;
    assert_int_equal(ic_save_load((ic_save *)x->replay, &state, &x->error), REPRISE_OK);
    return state;
}

/* ---- what is written ---- */

static inline int write_out(void *ctx, const void *data, size_t size)
{
    file *o = ctx;
    o->data = realloc(o->data, o->size + size + 1);
    memcpy(o->data + o->size, data, size);
    o->size += size;
    return 0;
}

#endif
