/* recompress.c - the same sections at another level of compression. */
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

reprise_status kz_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                             reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    rp_write_options how = *options;
    RP_TRY(rp_packer_level(&kz_levels, options->level, &how.level, error));
    if (replay->damage.status != REPRISE_OK) {
        *error = replay->damage;
        return error->status;
    }
    RP_TRY(copy_bytes(base->source, 0, replay->header_size, sink, error));
    for (unsigned i = 0; i < replay->wire->section_count; i++) {
        kz_section_kind kind = replay->wire->sections[i];
        const kz_section *section = &replay->sections[kind];
        if (!section->there)
            break;
        rp_sink *spool = NULL;
        RP_TRY(rp_sink_open_spool(base->context, sink, &spool, error));
        reprise_status status = repack(replay, kind, &how, spool, error);
        if (status == REPRISE_OK)
            status = kz_put_section(sink, spool, section->size, section->count, error);
        rp_sink_close(spool);
        RP_TRY(status);
    }
    return copy_bytes(base->source, rp_source_size(base->source) - replay->trailing,
                      replay->trailing, sink, error);
}
