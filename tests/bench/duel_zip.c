/*
 * duel_zip.c - every member of an archive, as the families read them, against libdeflate alone.
 *
 * Both sides have the compressed bytes in memory. Ours finds the member, inflates it within the
 * limits and checks its CRC-32; libdeflate's side inflates the same bytes into memory of the right
 * size. The content of stored members is on neither side.
 *
 * usage: duel_zip NAME FILE
 */
#include <libdeflate.h>
#include <string.h>

#include "archive.h"
#include "decode_all.h"

enum { LOCAL_HEADER_SIZE = 30, MEMBERS_MAX = 4096 };

typedef struct member {
    const uint8_t *data;
    size_t stored_size, size;
    size_t index;
} member;

typedef struct bout {
    opened opened;
    member members[MEMBERS_MAX];
    size_t count;
    size_t largest;
} bout;

static size_t read_member(bout *b, const member *m)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    size_t made = 0;
    if (rp_zip_open_whole_entry(b->opened.replay->zip, m->index, "zip", 0, &stream, &error) !=
        REPRISE_OK)
        return 0;
    for (size_t got = 1; got; made += got) {
        static uint8_t buffer[1 << 16];
        const uint8_t *piece = NULL;
        reprise_status status = rp_stream_lend(stream, &piece, &got, &error);
        if (status == REPRISE_OK && !piece)
            status = rp_stream_read(stream, buffer, sizeof buffer, &got, &error);
        if (status != REPRISE_OK)
            made = got = 0;
    }
    rp_stream_close(stream);
    return made;
}

static size_t ours(void *ctx)
{
    bout *b = ctx;
    size_t made = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (read_member(b, &b->members[i]) != b->members[i].size)
            return 0;
        made += b->members[i].size;
    }
    return made;
}

static size_t theirs(void *ctx)
{
    const bout *b = ctx;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *out = malloc(b->largest);
    size_t made = 0;
    for (size_t i = 0; i < b->count && out && d; i++) {
        const member *m = &b->members[i];
        if (libdeflate_deflate_decompress(d, m->data, m->stored_size, out, m->size, NULL) !=
            LIBDEFLATE_SUCCESS) {
            made = 0;
            break;
        }
        made += m->size;
    }
    free(out);
    libdeflate_free_decompressor(d);
    return made;
}

/* A local header, after what may be a descriptor of the member before it. */
static const uint8_t *local_header(const uint8_t *at, const uint8_t *end)
{
    while ((size_t)(end - at) > LOCAL_HEADER_SIZE && memcmp(at, "PK\3\4", 4) != 0)
        at++;
    return at;
}

/* Where the compressed bytes of each member are: local headers are in the order of the file. */
static void list_members(bout *b)
{
    const rp_zip *zip = b->opened.replay->zip;
    const uint8_t *at = b->opened.file, *end = at + b->opened.file_size;
    for (size_t i = 0; zip && i < rp_zip_count(zip) && b->count < MEMBERS_MAX; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
        at = local_header(at, end);
        if ((size_t)(end - at) < LOCAL_HEADER_SIZE + entry->stored_size)
            break;
        size_t head = LOCAL_HEADER_SIZE + (at[26] | (size_t)at[27] << 8) +
                      (at[28] | (size_t)at[29] << 8);
        if (entry->method == 8)
            b->members[b->count++] = (member){.data = at + head,
                                              .stored_size = (size_t)entry->stored_size,
                                              .size = (size_t)entry->size,
                                              .index = i};
        b->largest = RP_MAX(b->largest, (size_t)entry->size);
        at += head + entry->stored_size;
    }
}

int main(int argc, char **argv)
{
    static bout b;
    if (argc != 3)
        return 2;
    open_replay(argv[2], NULL, &b.opened);
    list_members(&b);
    duel(argv[1], ours, theirs, &b);
    close_replay(&b.opened);
    return 0;
}
