/*
 * duel_cs2kz.c - a CS2KZ recording against libzstd on its tick section.
 *
 * libzstd's side decompresses the tick section in one piece: the price of getting at the bytes at
 * all. Ours reads the ticks, or everything there is, subticks and commands included, as rows with
 * complete states. With "threads" everything is read by two threads against one, and it is the
 * clock that counts.
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

static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double round_with(bout *b, unsigned threads, double best)
{
    b->opened.context.threads = threads;
    double start = clock_ms();
    if (!rows(b))
        exit(1);
    double took = clock_ms() - start;
    return took < best ? took : best;
}

static void duel_threads(const char *name, bout *b)
{
    double one = 1e9, two = 1e9;
    for (int i = 0; i < 3 * DUEL_ROUNDS; i++) {
        two = round_with(b, 2, two);
        one = round_with(b, 1, one);
    }
    printf("{\"duel\":\"%s\",\"ours_ms\":%.3f,\"theirs_ms\":%.3f,\"ratio\":%.3f}\n", name, two, one,
           one / two);
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
