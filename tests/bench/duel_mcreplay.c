/*
 * duel_mcreplay.c - an animated entity, all frames resolved, against expat alone on the same bytes.
 *
 * Expat's side does nothing with what it finds: it is the price of going through an XML parser at
 * all. The entity is uncompressed in an archive in memory, so that inflating does not count,
 * while the archive's checksum does.
 *
 * usage: duel_mcreplay NAME
 */
#include <expat.h>
#include <string.h>

#include "duel.h"
#include "reprise/reprise.h"
#include "stored_archive.h"

enum { FRAMES = 20000, PARTS = 8, PIECE_SIZE = 1 << 16 };

static const char meta[] = "{\"version\":\"0.3.0\",\"encoder\":\"bench\",\"offset\":[0,0,0]}";
static const char entity_name[] = "entities/bench.xml";

/* ---- the file ---- */

/* Full-length doubles, as the exporter prints them. */
static void put_entity(rp_writer *w)
{
    uint32_t seed = 1;
    rp_put_text(w, "<entity name=\"b\"><model rig-type=\"multipart\">");
    for (int i = 0; i < PARTS; i++)
        rp_put_text(w, "<part name=\"p\"/>");
    rp_put_text(w, "</model><anim fps=\"20.0\">");
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int part = 0; part <= PARTS; part++) {
            for (int i = 0; i < 7; i++) {
                seed = seed * 1664525u + 1013904223u;
                double value = (double)seed / 4294967296.0 - 0.5 + (double)frame * 1e-9;
                rp_put_format(w, "%.17g ", value);
            }
            rp_put_text(w, "1.0 1.0 1.0;");
        }
        rp_put_u8(w, '\n');
    }
    rp_put_text(w, "</anim></entity>");
}

/* ---- the two sides ---- */

static uint64_t read_ours(const rp_writer *file)
{
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t count = 0;
    if (reprise_open_memory(file->data, file->size, NULL, &replay, &error) != REPRISE_OK)
        return 0;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, "frames") |
                     UINT64_C(1) << reprise_track_find(replay, "parts");
    if (reprise_rows_open(replay, &options, &rows, &error) == REPRISE_OK) {
        while (reprise_rows_next(rows, &error) == REPRISE_OK)
            count++;
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

static void count_text(void *ctx, const XML_Char *text, int size)
{
    (void)text;
    *(uint64_t *)ctx += (uint64_t)size;
}

static uint64_t read_expat(const rp_writer *entity)
{
    uint64_t count = 0;
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, &count);
    XML_SetCharacterDataHandler(parser, count_text);
    for (size_t at = 0; at < entity->size; at += PIECE_SIZE) {
        size_t n = entity->size - at < PIECE_SIZE ? entity->size - at : PIECE_SIZE;
        if (XML_Parse(parser, (const char *)entity->data + at, (int)n, at + n == entity->size) !=
            XML_STATUS_OK)
            count = 0;
    }
    XML_ParserFree(parser);
    return count;
}

typedef struct sides {
    rp_writer entity, file;
} sides;

static size_t ours(void *ctx)
{
    const sides *s = ctx;
    return read_ours(&s->file) == (uint64_t)FRAMES * (PARTS + 1);
}

static size_t theirs(void *ctx)
{
    const sides *s = ctx;
    return read_expat(&s->entity) > 0;
}

int main(int argc, char **argv)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    sides s;
    rp_writer_init(&s.entity, &context, SIZE_MAX / 2, &error);
    rp_writer_init(&s.file, &context, SIZE_MAX / 2, &error);
    put_entity(&s.entity);
    entry entries[] = {{.name = "meta.json", .data = meta, .size = sizeof meta - 1},
                       {.name = entity_name, .data = s.entity.data, .size = s.entity.size}};
    put_zip(&s.file, entries, 2);
    duel(argc > 1 ? argv[1] : "mcreplay animation", ours, theirs, &s);
    rp_writer_free(&s.entity);
    rp_writer_free(&s.file);
    return 0;
}
