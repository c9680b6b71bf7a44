/* section_write.c - encodes the sections of a finalised file. */
#include "ironcurtain/edit/write.h"

enum { WAITING_MAX = 256 << 10 }; /* bytes of a section in memory */

void ic_section_writer_init(ic_section_writer *parts, rp_context *context, const rp_sink *beside,
                            reprise_error *error)
{
    *parts = (ic_section_writer){
        .header = {.magic = {'I', 'C', 'R', 'P'}, .version = 1, .compression_algorithm = 1},
        .beside = beside};
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        rp_writer_init(&parts->of[i], context, UINT32_MAX, error);
    rp_writer_init(&parts->index, context, UINT32_MAX, error);
}

void ic_section_writer_free(ic_section_writer *parts)
{
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
        rp_sink_close(parts->spools[i]);
        if (parts->of[i].context)
            rp_writer_free(&parts->of[i]);
    }
    if (parts->index.context)
        rp_writer_free(&parts->index);
}

rp_lz4_level ic_level(int level, rp_lz4_level by_default)
{
    switch (level) {
    case REPRISE_LEVEL_FASTEST:
        return RP_LZ4_FASTEST;
    case REPRISE_LEVEL_BALANCED:
        return RP_LZ4_BALANCED;
    case REPRISE_LEVEL_COMPACT:
        return RP_LZ4_COMPACT;
    default:
        if (level < 0)
            return by_default;
        return level == 0 ? RP_LZ4_FASTEST : level < 9 ? RP_LZ4_BALANCED : RP_LZ4_COMPACT;
    }
}

void ic_put_record(rp_writer *w, const char tag[4], unsigned flags, uint64_t tick, uint32_t count,
                   const void *raw, size_t size, rp_lz4_level level)
{
    size_t start = w->size;
    ic_block block = {.flags = (uint16_t)flags,
                      .first_tick = tick,
                      .item_count = count,
                      .uncompressed_length = (uint32_t)size};
    memcpy(block.tag, tag, sizeof block.tag);
    rp_bincode_write(w, &ic_block_record, &block);
    rp_lz4_write(w, raw, size, level);
    if (!rp_writer_ok(w))
        return;
    uint8_t *head = w->data + start;
    size_t stored = w->size - start - IC_RECORD_SIZE;
    rp_store32(head + 20, (uint32_t)stored);
    uint32_t crc = rp_crc32(0, head, IC_RECORD_SIZE - 4);
    rp_store32(head + 28, rp_crc32(crc, head + IC_RECORD_SIZE, stored));
}

static uint64_t filled_size(const ic_section_writer *parts, ic_section_kind kind)
{
    uint64_t spooled = parts->spools[kind] ? rp_sink_size(parts->spools[kind]) : 0;
    return spooled + parts->of[kind].size;
}

static uint64_t size_of(const ic_section_writer *parts, ic_section_kind kind)
{
    if (parts->kept[kind].source)
        return parts->kept[kind].size;
    uint64_t index = kind == IC_KEYFRAMES ? 8 + parts->index.size : 0;
    return index + filled_size(parts, kind);
}

/* Keeps memory constant, whatever the length of the match. */
static void set_aside(ic_section_writer *parts, ic_section_kind kind)
{
    rp_writer *waiting = &parts->of[kind];
    rp_sink **spool = &parts->spools[kind];
    if (!rp_writer_ok(waiting) || waiting->size < WAITING_MAX)
        return;
    if (!*spool && rp_sink_open_spool(waiting->context, parts->beside, spool, waiting->error))
        return;
    (void)rp_sink_write(*spool, waiting->data, waiting->size, waiting->error);
    rp_writer_clear(waiting);
}

void ic_section_writer_add_block(ic_section_writer *parts, uint64_t first_tick, uint32_t frames,
                                 const rp_writer *raw, rp_lz4_level level)
{
    ic_put_record(&parts->of[IC_ORDERS], "ICOB", 0, first_tick, frames, raw->data, raw->size,
                  level);
    set_aside(parts, IC_ORDERS);
}

void ic_section_writer_add_keyframe(ic_section_writer *parts, uint64_t tick, bool is_full,
                                    const void *raw, size_t size, rp_lz4_level level)
{
    rp_writer *blobs = &parts->of[IC_KEYFRAMES];
    uint64_t start = filled_size(parts, IC_KEYFRAMES);
    size_t before = blobs->size;
    rp_lz4_write(blobs, raw, size, level);
    ic_keyframe entry = {tick, (uint32_t)start, (uint32_t)(blobs->size - before), (uint32_t)size,
                         is_full};
    rp_bincode_write(&parts->index, &ic_keyframe_record, &entry);
    parts->keyframe_count++;
    set_aside(parts, IC_KEYFRAMES);
}

void ic_section_writer_keep(ic_section_writer *parts, const ic_replay *replay, ic_section_kind kind)
{
    const ic_section *section = &replay->sections[kind];
    if (section->present)
        parts->kept[kind] = (ic_kept){replay->base.source, section->offset, section->size};
}

static void place(ic_section_writer *parts)
{
    ic_replay_header *h = &parts->header;
    uint32_t at = IC_REPLAY_HEADER_SIZE;
    uint32_t *const places[IC_SECTION_COUNT][2] = {
        {&h->metadata_offset, &h->metadata_length},   {&h->orders_offset, &h->orders_length},
        {&h->keyframes_offset, &h->keyframes_length}, {&h->events_offset, &h->events_length},
        {&h->voice_offset, &h->voice_length},         {&h->signature_offset, &h->signature_length},
        {&h->embedded_offset, &h->embedded_length},
    };
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
        uint64_t size = size_of(parts, (ic_section_kind)i);
        bool present = size || i <= IC_KEYFRAMES;
        *places[i][0] = present ? at : 0;
        *places[i][1] = (uint32_t)size;
        at += (uint32_t)size;
    }
}

static reprise_status write_waiting(const rp_writer *from, rp_sink *sink, reprise_error *error)
{
    return from->size ? rp_sink_write(sink, from->data, from->size, error) : REPRISE_OK;
}

static reprise_status write_index(const ic_section_writer *parts, rp_sink *sink,
                                  reprise_error *error)
{
    uint8_t count[8];
    rp_store64(count, parts->keyframe_count);
    RP_TRY(rp_sink_write(sink, count, sizeof count, error));
    return write_waiting(&parts->index, sink, error);
}

static reprise_status write_section(const ic_section_writer *parts, ic_section_kind kind,
                                    rp_sink *sink, reprise_error *error)
{
    const ic_kept *kept = &parts->kept[kind];
    rp_source *spooled = NULL;
    if (kept->source)
        return rp_sink_copy_range(sink, kept->source, kept->offset, kept->size, error);
    if (kind == IC_KEYFRAMES)
        RP_TRY(write_index(parts, sink, error));
    if (parts->spools[kind]) {
        RP_TRY(rp_sink_reopen(parts->spools[kind], &spooled, error));
        reprise_status status = rp_sink_copy(sink, spooled, error);
        rp_source_close(spooled);
        RP_TRY(status);
    }
    return write_waiting(&parts->of[kind], sink, error);
}

reprise_status ic_section_writer_write(ic_section_writer *parts, rp_sink *sink,
                                       reprise_error *error)
{
    RP_TRY(error->status);
    uint64_t total = IC_REPLAY_HEADER_SIZE;
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        total += size_of(parts, (ic_section_kind)i);
    if (total > UINT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "a replay of 4 GiB and more");
    place(parts);
    rp_writer head;
    rp_writer_init(&head, parts->index.context, 1024, error);
    rp_bincode_write(&head, &ic_replay_header_record, &parts->header);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = parts->header_last ? rp_sink_begin_head(sink, head.size, error)
                                    : rp_sink_write(sink, head.data, head.size, error);
    for (size_t i = 0; i < IC_SECTION_COUNT && status == REPRISE_OK; i++)
        status = write_section(parts, (ic_section_kind)i, sink, error);
    if (status == REPRISE_OK && parts->header_last)
        status = rp_sink_end_head(sink, head.data, head.size, error);
    rp_writer_free(&head);
    return status;
}
