/*
 * duel_openra.c - all orders of an OpenRA match against memcpy of the same bytes.
 *
 * Copying is the least that anybody can do with a file; the ratio says how much dearer decoding is.
 *
 * usage: duel_openra NAME FILE
 */
#include <string.h>

#include "decode_all.h"
#include "openra/grammar.h"

typedef struct bout {
    opened opened;
    uint8_t *room;
} bout;

static size_t orders(void *ctx)
{
    const bout *b = ctx;
    return decode_tracks(b->opened.replay, UINT64_C(1) << ORA_ORDERS);
}

/* The last byte is looked at, so that the compiler cannot leave the copy out. */
static size_t copy(void *ctx)
{
    const bout *b = ctx;
    size_t size = b->opened.file_size;
    memcpy(b->room, b->opened.file, size);
    return ((volatile uint8_t *)b->room)[size - 1] == b->opened.file[size - 1] ? size : 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: duel_openra NAME FILE\n");
        return 2;
    }
    bout b = {0};
    open_replay(argv[2], "openra", &b.opened);
    b.room = malloc(b.opened.file_size);
    if (!b.room)
        return 1;
    duel(argv[1], orders, copy, &b);
    free(b.room);
    close_replay(&b.opened);
    return 0;
}
