/*
 * fuzz_ironcurtain.h - shared by the Iron Curtain targets. Each works on decompressed content
 * without checksums, so that a fuzzer need not produce them: decoded input must encode to the same
 * bytes, and nothing stays allocated.
 */
#ifndef FUZZ_IRONCURTAIN_H
#define FUZZ_IRONCURTAIN_H

#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"
#include "ironcurtain/edit/write.h"
#include "options.h"

static inline void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct bench {
    rp_context context;
    rp_arena arena;
    rp_writer w;
    reprise_error error, writing;
} bench;

static inline void same_bytes(bench *b, const uint8_t *data, size_t size)
{
    must(b->writing.status == REPRISE_OK && b->w.size == size &&
         (!size || memcmp(b->w.data, data, size) == 0));
}

typedef void fuzz_piece(bench *b, const uint8_t *data, size_t size);

/* Runs a piece with memory of its own. */
static inline int fuzz_with_bench(fuzz_piece *piece, const uint8_t *data, size_t size)
{
    TEST_OPTIONS(options);
    bench b = {.error = REPRISE_ERROR_INIT, .writing = REPRISE_ERROR_INIT};
    options_limit(options, "memory_bytes", 256 << 20);
    rp_context_init(&b.context, options);
    rp_arena_init(&b.arena, &b.context);
    rp_writer_init(&b.w, &b.context, SIZE_MAX / 2, &b.writing);
    piece(&b, data, size);
    rp_writer_free(&b.w);
    rp_arena_free(&b.arena);
    must(b.context.bytes_live == 0);
    return 0;
}

/* The start of a file with metadata only: the header `h` with offsets filled in. */
static inline void put_head(bench *b, ic_replay_header h, const char *metadata)
{
    memcpy(h.magic, "ICRP", 4);
    h.version = 1;
    h.compression_algorithm = 1;
    h.metadata_offset = IC_REPLAY_HEADER_SIZE;
    h.metadata_length = (uint32_t)strlen(metadata);
    rp_bincode_write(&b->w, &ic_replay_header_record, &h);
    rp_put(&b->w, metadata, strlen(metadata));
}

#endif
