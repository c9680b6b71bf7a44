/* recompress.c - the same sections at another level of compression. */
#include "workers.h"
#include "write.h"

static reprise_status copy_bytes(rp_source *from, uint64_t offset, uint64_t size, rp_sink *sink,
                                 reprise_error *error)
{
    uint8_t piece[4096];
    while (size) {
        size_t n = (size_t)RP_MIN(size, (uint64_t)sizeof piece);
        RP_TRY(rp_source_read(from, offset, piece, n, error));
        RP_TRY(rp_sink_write(sink, piece, n, error));
        offset += n;
        size -= n;
    }
    return REPRISE_OK;
}

static reprise_status repack(kz_replay *replay, kz_section_kind kind,
                             const rp_write_options *options, rp_sink *spool, reprise_error *error)
{
    kz_section_reader reader;
    rp_packer *packer = NULL;
    RP_TRY(kz_section_reader_open_whole(replay, kind, &reader, error));
    reprise_status status = rp_packer_open_zstd(replay->base.context, spool, options->level,
                                                options->long_range, &packer, error);
    while (status == REPRISE_OK) {
        status = rp_window_fill(&reader.window, 1, error);
        size_t n = rp_window_left(&reader.window);
        if (status != REPRISE_OK || !n)
            break;
        status = rp_packer_write(packer, reader.window.base + reader.window.start, n, error);
        rp_window_skip(&reader.window, n);
    }
    reader.next = 0;
    if (status == REPRISE_OK)
        status = kz_section_reader_finish(&reader, error);
    if (status == REPRISE_OK)
        status = rp_packer_finish(packer, error);
    rp_packer_close(packer);
    kz_section_reader_close(&reader);
    return status;
}

/* A section that is packed again; sections do not share anything that changes. */
typedef struct piece {
    kz_section_kind kind;
    rp_sink *spool;
    reprise_error error;
} piece;

typedef struct repacking {
    kz_replay *replay;
    rp_write_options options;
    piece pieces[KZ_SECTION_COUNT];
    rp_workers *workers;
} repacking;

/* The work of a thread. */
static void repack_piece(void *ctx, void *slot)
{
    repacking *r = ctx;
    piece *of = slot;
    (void)repack(r->replay, of->kind, &r->options, of->spool, &of->error);
}

static reprise_status give_pieces(repacking *r, rp_sink *sink, reprise_error *error)
{
    const kz_wire *wire = r->replay->wire;
    for (unsigned i = 0; i < wire->section_count; i++) {
        kz_section_kind kind = wire->sections[i];
        if (!r->replay->sections[kind].there)
            break;
        piece *next = rp_workers_empty(r->workers); /* there is a slot for each section */
        next->kind = kind;
        RP_TRY(rp_sink_open_spool(r->replay->base.context, sink, &next->spool, error));
        rp_workers_give(r->workers);
    }
    return REPRISE_OK;
}

/* The first failure in the order of the sections counts, whichever thread met one first. */
static reprise_status put_pieces(repacking *r, rp_sink *sink, reprise_error *error)
{
    for (piece *done; (done = rp_workers_take(r->workers));) {
        if (done->error.status != REPRISE_OK) {
            *error = done->error;
            return error->status;
        }
        const kz_section *section = &r->replay->sections[done->kind];
        RP_TRY(kz_put_section(sink, done->spool, section->size, section->count, error));
        rp_sink_close(done->spool);
        done->spool = NULL;
    }
    return REPRISE_OK;
}

/* Two encoders of the highest levels are all that the memory for one replay holds. */
static reprise_status repack_sections(repacking *r, rp_sink *sink, reprise_error *error)
{
    for (unsigned i = 0; i < KZ_SECTION_COUNT; i++)
        r->pieces[i].error = (reprise_error)REPRISE_ERROR_INIT;
    RP_TRY(rp_workers_open(r->replay->base.context, repack_piece, r, r->pieces, sizeof *r->pieces,
                           KZ_SECTION_COUNT, 1, &r->workers, error));
    reprise_status status = give_pieces(r, sink, error);
    if (status == REPRISE_OK)
        status = put_pieces(r, sink, error);
    rp_workers_close(r->workers);
    for (unsigned i = 0; i < KZ_SECTION_COUNT; i++)
        rp_sink_close(r->pieces[i].spool);
    return status;
}

reprise_status kz_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                             reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    repacking r = {.replay = replay, .options = *options};
    RP_TRY(rp_packer_level(&kz_levels, options->level, &r.options.level, error));
    if (replay->damage.status != REPRISE_OK) {
        *error = replay->damage;
        return error->status;
    }
    RP_TRY(copy_bytes(base->source, 0, replay->header_size, sink, error));
    RP_TRY(repack_sections(&r, sink, error));
    return copy_bytes(base->source, rp_source_size(base->source) - replay->trailing,
                      replay->trailing, sink, error);
}
