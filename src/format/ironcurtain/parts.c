/* parts.c - the sections of a finalised file, from items to bytes. */
#include "write.h"

void ic_parts_init(ic_parts *parts, rp_context *context, reprise_error *error)
{
    *parts = (ic_parts){
        .header = {.magic = {'I', 'C', 'R', 'P'}, .version = 1, .compression_algorithm = 1}};
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        rp_writer_init(&parts->of[i], context, UINT32_MAX, error);
    rp_writer_init(&parts->index, context, UINT32_MAX, error);
}

void ic_parts_free(ic_parts *parts)
{
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
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

void ic_parts_add_block(ic_parts *parts, uint64_t first_tick, uint32_t frames, const rp_writer *raw,
                        rp_lz4_level level)
{
    ic_put_record(&parts->of[IC_ORDERS], "ICOB", 0, first_tick, frames, raw->data, raw->size,
                  level);
}

void ic_parts_add_keyframe(ic_parts *parts, uint64_t tick, bool is_full, const void *raw,
                           size_t size, rp_lz4_level level)
{
    rp_writer *blobs = &parts->of[IC_KEYFRAMES];
    size_t start = blobs->size;
    rp_lz4_write(blobs, raw, size, level);
    ic_keyframe entry = {tick, (uint32_t)start, (uint32_t)(blobs->size - start), (uint32_t)size,
                         is_full};
    rp_bincode_write(&parts->index, &ic_keyframe_record, &entry);
    parts->keyframe_count++;
}

static void place(ic_parts *parts)
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
        size_t size = parts->of[i].size;
        if (i == IC_KEYFRAMES)
            size += 8 + parts->index.size;
        bool present = size || i <= IC_KEYFRAMES;
        *places[i][0] = present ? at : 0;
        *places[i][1] = (uint32_t)size;
        at += (uint32_t)size;
    }
}

reprise_status ic_parts_write(ic_parts *parts, rp_sink *sink, reprise_error *error)
{
    RP_TRY(error->status);
    uint64_t total = IC_REPLAY_HEADER_SIZE + 8 + (uint64_t)parts->index.size;
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        total += parts->of[i].size;
    if (total > UINT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "a replay of 4 GiB and more");
    place(parts);
    rp_writer head;
    rp_writer_init(&head, parts->index.context, 1024, error);
    rp_bincode_write(&head, &ic_replay_header_record, &parts->header);
    reprise_status status = rp_sink_write(sink, head.data, head.size, error);
    for (size_t i = 0; i < IC_SECTION_COUNT && status == REPRISE_OK; i++) {
        if (i == IC_KEYFRAMES) {
            uint8_t count[8];
            rp_store64(count, parts->keyframe_count);
            status = rp_sink_write(sink, count, sizeof count, error);
            if (status == REPRISE_OK && parts->index.size)
                status = rp_sink_write(sink, parts->index.data, parts->index.size, error);
        }
        if (status == REPRISE_OK && parts->of[i].size)
            status = rp_sink_write(sink, parts->of[i].data, parts->of[i].size, error);
    }
    rp_writer_free(&head);
    return status;
}
