/*
 * duel_cs2kz.c - a CS2KZ recording against libzstd.
 *
 * Ours reads everything there is, subticks and commands included, as rows with complete states.
 * With "sections" libzstd decompresses the same sections as a stream, which is the price of getting
 * at the bytes at all. With "ticks" it decompresses the tick section in one piece, the unit in
 * which the game's own decoder was measured. With "threads" ours reads by two threads and by one,
 * in turn with both sides of libzstd, and it is the clock that counts. "unpack" only decompresses
 * all sections once, for a duel with a command.
 *
 * usage: duel_cs2kz NAME FILE sections|ticks|threads|unpack
 */
#include <string.h>
#include <zstd.h>

#include "cs2kz/cs2kz.h"
#include "decode_all.h"

typedef struct bout {
    opened opened;
} bout;

static size_t rows(void *ctx)
{
    const bout *b = ctx;
    return decode_all(b->opened.replay);
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

static size_t unpack_section(ZSTD_DStream *stream, const uint8_t *data, size_t size)
{
    static uint8_t out[1 << 17];
    ZSTD_inBuffer in = {data, size, 0};
    size_t made = 0;
    ZSTD_initDStream(stream);
    while (in.pos < in.size) {
        ZSTD_outBuffer to = {out, sizeof out, 0};
        if (ZSTD_isError(ZSTD_decompressStream(stream, &to, &in)))
            return 0;
        made += to.pos;
    }
    return made;
}

/* Every section, as a stream. */
static size_t unpack_all(void *ctx)
{
    const bout *b = ctx;
    const kz_replay *replay = (const kz_replay *)b->opened.replay;
    ZSTD_DStream *stream = ZSTD_createDStream();
    size_t made = 0;
    for (size_t i = 0; i < KZ_SECTION_COUNT && stream; i++) {
        const kz_section *section = &replay->sections[i];
        if (!section->size)
            continue;
        size_t got = unpack_section(stream,
                                    b->opened.file + section->offset + KZ_SECTION_HEADER_SIZE,
                                    section->stored_size);
        if (got != section->size) {
            made = 0;
            break;
        }
        made += got;
    }
    ZSTD_freeDStream(stream);
    return made;
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
    duel_time one = {0}, two = {0}, ticks = {0}, all = {0};
    duel_keep_memory();
    for (int i = 0; i < DUEL_ROUNDS; i++) {
        duel_round(name, rows_of_two, b, &two);
        duel_round(name, rows_of_one, b, &one);
        duel_round(name, unpack_ticks, b, &ticks);
        duel_round(name, unpack_all, b, &all);
    }
    printf("{\"duel\":\"%s\",\"ours_ms\":%.3f,\"theirs_ms\":%.3f,\"ratio\":%.3f,"
           "\"ticks_ms\":%.3f,\"sections_ms\":%.3f}\n",
           name, two.clock, one.clock, one.clock / two.clock, ticks.clock, all.clock);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: duel_cs2kz NAME FILE sections|ticks|threads|unpack\n");
        return 2;
    }
    const char *mode = argv[3];
    bout b = {0};
    bool good = true;
    open_replay(argv[2], "cs2kz", &b.opened);
    if (strcmp(mode, "threads") == 0)
        duel_threads(argv[1], &b);
    else if (strcmp(mode, "unpack") == 0)
        good = unpack_all(&b) > 0;
    else
        duel(argv[1], rows_of_one, strcmp(mode, "ticks") == 0 ? unpack_ticks : unpack_all, &b);
    close_replay(&b.opened);
    return good ? 0 : 1;
}
