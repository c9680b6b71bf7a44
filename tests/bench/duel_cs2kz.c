/*
 * duel_cs2kz.c - a CS2KZ recording against libzstd on its tick section.
 *
 * libzstd's side decompresses the tick section in one piece: the price of getting at the bytes at
 * all. Ours reads the ticks, or everything there is, subticks and commands included, as rows with
 * complete states. With "threads" everything is read by two threads, by one, and the tick section
 * by libzstd, in turn, and it is the clock that counts.
 *
 * usage: duel_cs2kz NAME FILE ticks|all|threads
 */
#include <string.h>
#include <zstd.h>

#include "cs2kz/cs2kz.h"
#include "decode_all.h"

typedef struct bout {
    opened opened;
    uint64_t tracks;
} bout;

static size_t rows(void *ctx)
{
    const bout *b = ctx;
    return decode_tracks(b->opened.replay, b->tracks);
}

static size_t unpack_ticks(void *ctx)
{
    const bout *b = ctx;
    const kz_replay *replay = (const kz_replay *)b->opened.replay;
    const kz_section *ticks = &replay->sections[KZ_SECTION_TICKS];
    uint8_t *out = malloc(ticks->size);
    size_t made = out ? ZSTD_decompress(out, ticks->size,
                                        b->opened.file + ticks->offset + KZ_SECTION_HEADER_SIZE,
                                        ticks->stored_size)
                      : 0;
    free(out);
    return made == ticks->size ? made : 0;
}

static size_t rows_of_one(void *ctx)
{
    ((bout *)ctx)->opened.context.threads = 1;
    return rows(ctx);
}

static size_t rows_of_two(void *ctx)
{
    ((bout *)ctx)->opened.context.threads = 2;
    return rows(ctx);
}

static void duel_threads(const char *name, bout *b)
{
    duel_time one = {0}, two = {0}, zstd = {0};
    duel_keep_memory();
    for (int i = 0; i < 3 * DUEL_ROUNDS; i++) {
        duel_round(name, rows_of_two, b, &two);
        duel_round(name, rows_of_one, b, &one);
        duel_round(name, unpack_ticks, b, &zstd);
    }
    printf("{\"duel\":\"%s\",\"ours_ms\":%.3f,\"theirs_ms\":%.3f,\"ratio\":%.3f,"
           "\"zstd_ms\":%.3f}\n",
           name, two.clock, one.clock, one.clock / two.clock, zstd.clock);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: duel_cs2kz NAME FILE ticks|all|threads\n");
        return 2;
    }
    bout b = {.tracks = strcmp(argv[3], "ticks") == 0 ? UINT64_C(1) << KZ_TICKS : UINT64_MAX};
    open_replay(argv[2], "cs2kz", &b.opened);
    if (strcmp(argv[3], "threads") == 0)
        duel_threads(argv[1], &b);
    else
        duel(argv[1], rows, unpack_ticks, &b);
    close_replay(&b.opened);
    return 0;
}
