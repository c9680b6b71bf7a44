/*
 * block_index.c - locates all pieces of a replay: walks the order records, reads the keyframe
 * index, and scans live files. Nothing is decompressed.
 */
#include "chain.h"

#include <stdarg.h>
#include <stdio.h>

enum { WARNING_SIZE = 192 };

static void show(rp_replay *replay, reprise_value *list, const char *message)
{
    enum { SHOWN_MAX = 1000 }; /* a hostile document may have many keys */
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &replay->arena, .error = &ignored};
    if (reprise_value_count(list) < SHOWN_MAX)
        rp_push(&doc, list, rp_new_text(&doc, message));
}

void ic_warn(rp_replay *replay, reprise_value *list, const rp_finding_kind *kind, uint64_t offset,
             const char *format, ...)
{
    char message[WARNING_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    rp_note(&replay->findings, kind, "file", offset, "", "%s", message);
    show(replay, list, message);
}

void ic_show_warning(rp_replay *replay, reprise_value *list, const char *format, ...)
{
    char message[WARNING_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    show(replay, list, message);
}

static reprise_status add_piece(ic_replay *replay, ic_section_kind kind, ic_piece piece,
                                reprise_error *error)
{
    ic_pieces *list = &replay->pieces[kind];
    ic_piece *items = rp_grow(replay->base.context, list->items, list->count + 1, &list->capacity,
                              sizeof *items, error);
    if (!items)
        return error->status;
    list->items = items;
    list->items[list->count++] = piece;
    return REPRISE_OK;
}

static void clear_pieces(ic_replay *replay)
{
    ic_seek_cache_free(replay);
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        replay->pieces[i].count = 0;
}

static void read_block(rp_replay *replay, rp_reader *r, ic_block *ret)
{
    rp_bincode_read(r, &replay->arena, &ic_block_record, ret);
}

static ic_piece piece_of(const ic_block *block, uint64_t offset)
{
    return (ic_piece){.tick = block->first_tick,
                      .offset = offset + IC_RECORD_SIZE,
                      .size = block->stored_length,
                      .decoded_size = block->uncompressed_length,
                      .count = block->item_count,
                      .is_full = block->flags & 1,
                      .packed = true,
                      .sized = true,
                      .summed = true};
}

/* ---- finalised: orders ---- */

static reprise_status bad_record(reprise_error *error, uint64_t offset, const char *what)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "%s", what);
    rp_error_place(error, "orders", offset, "record");
    return error->status;
}

static reprise_status check_order_record(const ic_block *block, const ic_piece *before,
                                         uint64_t offset, reprise_error *error)
{
    if (memcmp(block->tag, "ICOB", 4) != 0)
        return bad_record(error, offset, "record in the order section is not ICOB");
    if (block->flags || block->reserved)
        return bad_record(error, offset, "flags or reserved field of an order record set");
    if (before && block->first_tick <= before->tick)
        return bad_record(error, offset, "order records not ascending");
    if (block->item_count < 1 || block->item_count > IC_BLOCK_TICKS_MAX)
        return bad_record(error, offset, "order record must have 1-1024 frames");
    return REPRISE_OK;
}

/* The span of order blocks as learned from the records. */
typedef struct spans {
    uint64_t step;     /* all blocks start at multiples of this; 0: all start at tick 0 */
    uint64_t distance; /* smallest distance between blocks of different ranges */
    uint32_t frames;   /* most frames in a block */
    uint32_t bytes;    /* largest decompressed size */
} spans;

static spans measure(const ic_pieces *blocks)
{
    spans s = {.distance = UINT64_MAX};
    for (size_t i = 0; i < blocks->count; i++) {
        const ic_piece *block = &blocks->items[i];
        for (uint64_t a = block->tick, b; a; a = b) { /* greatest common divisor */
            b = s.step % a;
            s.step = a;
        }
        if (i && block->tick != blocks->items[i - 1].tick)
            s.distance = RP_MIN(s.distance, block->tick - blocks->items[i - 1].tick);
        s.frames = RP_MAX(s.frames, block->count);
        s.bytes = RP_MAX(s.bytes, block->decoded_size);
    }
    return s;
}

static bool can_span(const spans *s, uint32_t ticks)
{
    return ticks >= s->frames && ticks <= s->distance && s->step % ticks == 0;
}

/* The writer chooses the span of order blocks; all blocks of a file have the same. */
static reprise_status learn_span(ic_replay *replay, reprise_error *error)
{
    const ic_pieces *blocks = &replay->pieces[IC_ORDERS];
    spans s = measure(blocks);
    uint32_t ticks = IC_BLOCK_TICKS_MAX;
    while (ticks >= IC_BLOCK_TICKS_MIN && !can_span(&s, ticks))
        ticks--;
    uint64_t offset = replay->sections[IC_ORDERS].offset;
    if (ticks < IC_BLOCK_TICKS_MIN)
        return bad_record(error, offset,
                          "order blocks do not start at multiples of one span of 32 to 1024 ticks");
    replay->block_ticks = ticks;
    replay->odd_blocks = !can_span(&s, IC_BLOCK_TICKS);
    if (!replay->odd_blocks)
        return REPRISE_OK;
    rp_note(&replay->base.findings, IC_FINDING(BLOCK_SPAN), "file", offset, "orders",
            "order blocks span %u ticks instead of 256", ticks);
    if (s.bytes <= IC_BLOCK_BYTES_MAX)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_LIMIT, "an order block of %u bytes exceeds 4 MiB", s.bytes);
    rp_error_place(error, "orders", offset, "record");
    return error->status;
}

size_t ic_block_at(const ic_replay *replay, uint64_t tick)
{
    const ic_pieces *blocks = &replay->pieces[IC_ORDERS];
    size_t low = 0, high = blocks->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks->items[middle].tick <= tick)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 1 && blocks->items[low - 1].tick == blocks->items[low - 2].tick)
        low--;
    bool inside = low && tick - blocks->items[low - 1].tick < replay->block_ticks;
    return inside ? low - 1 : low;
}

static reprise_status walk_orders(ic_replay *replay, reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_ORDERS];
    const ic_pieces *list = &replay->pieces[IC_ORDERS];
    uint64_t at = section->offset, end = at + section->size;
    while (at < end) {
        uint8_t head[IC_RECORD_SIZE];
        size_t size = (size_t)RP_MIN(end - at, (uint64_t)sizeof head);
        RP_TRY(rp_source_read(replay->base.source, at, head, size, error));
        rp_reader r = rp_reader_of(head, size, "orders", error);
        ic_block block;
        read_block(&replay->base, &r, &block);
        RP_TRY(error->status);
        RP_TRY(check_order_record(&block, list->count ? &list->items[list->count - 1] : NULL, at,
                                  error));
        if (block.stored_length > end - at - IC_RECORD_SIZE)
            return bad_record(error, at, "record runs past the section");
        RP_TRY(add_piece(replay, IC_ORDERS, piece_of(&block, at), error));
        at += IC_RECORD_SIZE + (uint64_t)block.stored_length;
    }
    return learn_span(replay, error);
}

/* ---- finalised: keyframes ---- */

static reprise_status in_index(reprise_status status, reprise_error *error)
{
    rp_error_place(error, "keyframes", 0, "index");
    return status;
}

#define BAD_INDEX(error, ...) in_index(rp_error_set(error, REPRISE_E_CORRUPT, __VA_ARGS__), error)
/* The same for an index that needs more bytes than its section has. */
#define SHORT_INDEX(replay, error, ...)                                              \
    in_index(rp_error_set(error,                                                     \
                          (replay)->sections[IC_KEYFRAMES].cut ? REPRISE_E_TRUNCATED \
                                                               : REPRISE_E_CORRUPT,  \
                          __VA_ARGS__),                                              \
             error)

static reprise_status check_keyframe(ic_replay *replay, const ic_piece *piece, reprise_error *error)
{
    const ic_pieces *list = &replay->pieces[IC_KEYFRAMES];
    if (!list->count && (!piece->is_full || piece->tick))
        return BAD_INDEX(error, "first keyframe must be a full snapshot at tick 0, not at %llu",
                         (unsigned long long)piece->tick);
    if (list->count && piece->tick <= list->items[list->count - 1].tick)
        return BAD_INDEX(error, "keyframes not ascending at tick %llu",
                         (unsigned long long)piece->tick);
    return REPRISE_OK;
}

static reprise_status add_keyframes(ic_replay *replay, rp_reader *r, uint64_t count,
                                    uint64_t blobs_offset, uint64_t blobs_size,
                                    reprise_error *error)
{
    for (uint64_t i = 0; i < count; i++) {
        ic_keyframe entry;
        rp_bincode_read(r, &replay->base.arena, &ic_keyframe_record, &entry);
        RP_TRY(error->status);
        if ((uint64_t)entry.blob_offset + entry.blob_length > blobs_size)
            return SHORT_INDEX(replay, error, "keyframe %llu runs past its section",
                               (unsigned long long)entry.tick);
        ic_piece piece = {.tick = entry.tick,
                          .offset = blobs_offset + entry.blob_offset,
                          .size = entry.blob_length,
                          .decoded_size = entry.uncompressed_length,
                          .count = 1,
                          .is_full = entry.is_full,
                          .packed = true,
                          .sized = true,
                          .blob_offset = entry.blob_offset};
        RP_TRY(check_keyframe(replay, &piece, error));
        RP_TRY(add_piece(replay, IC_KEYFRAMES, piece, error));
    }
    return REPRISE_OK;
}

static reprise_status read_entries(ic_replay *replay, uint64_t count, size_t head,
                                   reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_KEYFRAMES];
    size_t size = (size_t)count * IC_KEYFRAME_SIZE;
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(
        rp_source_piece(replay->base.source, section->offset + head, size, &data, &spare, error));
    rp_reader r = rp_reader_of(data, size, "keyframes", error);
    reprise_status status = add_keyframes(replay, &r, count, section->offset + head + size,
                                          section->size - head - size, error);
    rp_free(replay->base.context, spare, spare ? size : 0);
    return status;
}

/*
 * The number of entries of an index without a count: entries and blobs together must fill the
 * section, and ticks must ascend. 0: there is no such number.
 */
static reprise_status count_entries(ic_replay *replay, uint64_t *ret_count, reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_KEYFRAMES];
    uint64_t before = 0;
    *ret_count = 0;
    for (uint64_t n = 1; n * IC_KEYFRAME_SIZE <= section->size; n++) {
        uint8_t entry[IC_KEYFRAME_SIZE];
        RP_TRY(rp_source_read(replay->base.source, section->offset + (n - 1) * IC_KEYFRAME_SIZE,
                              entry, sizeof entry, error));
        uint64_t tick = rp_load64(entry);
        uint64_t end = (uint64_t)rp_load32(entry + 8) + rp_load32(entry + 12);
        if (n > 1 && tick <= before)
            break;
        before = tick;
        if (n * IC_KEYFRAME_SIZE + end == section->size) {
            *ret_count = n;
            break;
        }
    }
    return REPRISE_OK;
}

static reprise_status read_index(ic_replay *replay, reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_KEYFRAMES];
    uint8_t head[8];
    if (section->size < sizeof head)
        return SHORT_INDEX(replay, error, "the keyframe section has only %llu bytes",
                           (unsigned long long)section->size);
    RP_TRY(rp_source_read(replay->base.source, section->offset, head, sizeof head, error));
    uint64_t count = rp_load64(head), left = section->size - sizeof head;
    /* An index is never empty, so this 0 is the tick of the first entry, not a count. */
    if (!count) {
        RP_TRY(count_entries(replay, &count, error));
        if (!count)
            return BAD_INDEX(error, "the keyframe index declares 0 entries");
        rp_note(&replay->base.findings, IC_FINDING(INDEX_UNCOUNTED), "file", section->offset,
                "keyframes", "the keyframe index has no count: %llu entries",
                (unsigned long long)count);
        return read_entries(replay, count, 0, error);
    }
    if (count > left / IC_KEYFRAME_SIZE)
        return SHORT_INDEX(replay, error, "the keyframe index declares %llu entries",
                           (unsigned long long)count);
    return read_entries(replay, count, sizeof head, error);
}

static reprise_status add_section(ic_replay *replay, ic_section_kind kind, bool packed,
                                  reprise_error *error)
{
    const ic_section *section = &replay->sections[kind];
    if (!section->present)
        return REPRISE_OK;
    return add_piece(replay, kind,
                     (ic_piece){.offset = section->offset, .size = section->size, .packed = packed},
                     error);
}

/* Recovery keeps what precedes the damage. */
static reprise_status survived(ic_replay *replay, reprise_status status, reprise_error *error)
{
    if (status == REPRISE_OK || !replay->base.salvage ||
        rp_is_own_failure(replay->base.context, status))
        return status;
    rp_note_error(&replay->base.findings, replay->base.format->name, error);
    rp_error_clear(error);
    return REPRISE_OK;
}

static reprise_status index_final(ic_replay *replay, reprise_error *error)
{
    clear_pieces(replay);
    RP_TRY(survived(replay, read_index(replay, error), error));
    if (!replay->pieces[IC_KEYFRAMES].count)
        return BAD_INDEX(error, "no keyframe is left");
    replay->block_ticks = IC_BLOCK_TICKS_MAX;
    RP_TRY(survived(replay, walk_orders(replay, error), error));
    RP_TRY(add_section(replay, IC_EVENTS, true, error));
    RP_TRY(add_section(replay, IC_VOICE, true, error));
    const ic_section *chain = &replay->sections[IC_SIGNATURE];
    if (chain->present && ic_key_has_length(chain->size))
        rp_note(&replay->base.findings, IC_FINDING(KEY_LENGTH), "file", chain->offset, "signature",
                "the relay's key has a length prefix");
    return add_section(replay, IC_SIGNATURE, false, error);
}

reprise_status ic_index(ic_replay *replay, reprise_error *error)
{
    if (replay->indexed)
        return REPRISE_OK;
    RP_TRY(replay->live ? ic_scan(replay, error) : index_final(replay, error));
    replay->indexed = true;
    return REPRISE_OK;
}

/* ---- live ---- */

static int record_kind(const uint8_t tag[4])
{
    static const struct {
        char tag[4];
        ic_section_kind kind;
    } kinds[] = {
        {{'I', 'C', 'O', 'B'}, IC_ORDERS},    {{'I', 'C', 'K', 'F'}, IC_KEYFRAMES},
        {{'I', 'C', 'E', 'V'}, IC_EVENTS},    {{'I', 'C', 'V', 'O'}, IC_VOICE},
        {{'I', 'C', 'S', 'G'}, IC_SIGNATURE},
    };
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        if (memcmp(kinds[i].tag, tag, 4) == 0)
            return (int)kinds[i].kind;
    }
    return -1;
}

static bool sum_is_right(const ic_block *block, const uint8_t *head, const uint8_t *stored)
{
    uint32_t crc = rp_crc32(0, head, IC_RECORD_SIZE - 4);
    return rp_crc32(crc, stored, block->stored_length) == block->crc;
}

/* Reads the record at `at`; returns NULL, or why scanning ends here. */
static reprise_status scan_record(ic_replay *replay, uint64_t at, uint64_t end, ic_block *ret_block,
                                  const char **ret_why, reprise_error *error)
{
    *ret_why = NULL;
    if (end - at < IC_RECORD_SIZE) {
        *ret_why = "record header cut off";
        return REPRISE_OK;
    }
    uint8_t head[IC_RECORD_SIZE];
    RP_TRY(rp_source_read(replay->base.source, at, head, sizeof head, error));
    rp_reader r = rp_reader_of(head, sizeof head, "file", error);
    read_block(&replay->base, &r, ret_block);
    RP_TRY(error->status);
    int kind = record_kind(ret_block->tag);
    if (kind < 0)
        *ret_why = "unknown record tag";
    else if (ret_block->reserved || (ret_block->flags & ~(kind == IC_KEYFRAMES ? 1u : 0u)))
        *ret_why = "reserved field of a record set";
    else if (ret_block->stored_length > end - at - IC_RECORD_SIZE)
        *ret_why = "record runs past the section";
    if (*ret_why)
        return REPRISE_OK;
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(replay->base.source, at + IC_RECORD_SIZE, ret_block->stored_length,
                           &data, &spare, error));
    if (!sum_is_right(ret_block, head, data))
        *ret_why = "record checksum mismatch";
    rp_free(replay->base.context, spare, spare ? ret_block->stored_length : 0);
    return REPRISE_OK;
}

static reprise_status add_record(ic_replay *replay, const ic_block *block, uint64_t at,
                                 reprise_error *error)
{
    ic_section_kind kind = (ic_section_kind)record_kind(block->tag);
    ic_piece piece = piece_of(block, at);
    const ic_pieces *orders = &replay->pieces[IC_ORDERS];
    if (kind == IC_KEYFRAMES)
        RP_TRY(check_keyframe(replay, &piece, error));
    if (kind == IC_ORDERS) {
        if (orders->count && block->first_tick < orders->items[orders->count - 1].tick)
            return bad_record(error, at, "order records not ascending");
        if (block->item_count < 1 || block->item_count > IC_BLOCK_TICKS_MAX)
            return bad_record(error, at, "order record must have 1-1024 frames");
    }
    return add_piece(replay, kind, piece, error);
}

/* The length of a live file: the tick of the last frame in the last block. */
static reprise_status find_end(ic_replay *replay, reprise_error *error)
{
    const ic_pieces *orders = &replay->pieces[IC_ORDERS];
    replay->total_ticks = 0;
    if (!orders->count)
        return REPRISE_OK;
    rp_writer bytes;
    rp_arena arena;
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX, error);
    rp_arena_init(&arena, replay->base.context);
    reprise_status status = ic_piece_decode(replay, &orders->items[orders->count - 1], "orders",
                                            &bytes, error);
    rp_reader r = rp_reader_of(bytes.data, bytes.size, "orders", error);
    while (status == REPRISE_OK && rp_ok(&r) && rp_left(&r)) {
        ic_frame frame = {0};
        rp_arena_reset(&arena);
        rp_bincode_read(&r, &arena, &ic_frame_record, &frame);
        if (rp_ok(&r) && frame.tick < UINT64_MAX)
            replay->total_ticks = RP_MAX(replay->total_ticks, frame.tick + 1);
    }
    rp_arena_free(&arena);
    rp_writer_free(&bytes);
    /* Frames of unknown types do not prevent opening the rest; reading them reports it. */
    if (status == REPRISE_OK &&
        (error->status == REPRISE_E_CORRUPT || error->status == REPRISE_E_TRUNCATED)) {
        const ic_piece *last = &orders->items[orders->count - 1];
        replay->total_ticks = RP_MAX(replay->total_ticks, last->tick + last->count);
        rp_error_clear(error);
    }
    return error->status;
}

reprise_status ic_scan(ic_replay *replay, reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_ORDERS];
    uint64_t at = section->offset, end = at + section->size;
    clear_pieces(replay);
    replay->torn = NULL;
    while (at < end && !replay->torn) {
        ic_block block;
        RP_TRY(scan_record(replay, at, end, &block, &replay->torn, error));
        if (replay->torn)
            break;
        RP_TRY(add_record(replay, &block, at, error));
        at += IC_RECORD_SIZE + (uint64_t)block.stored_length;
    }
    replay->scan_end = at;
    replay->indexed = true;
    if (!replay->pieces[IC_KEYFRAMES].count)
        return BAD_INDEX(error, "keyframe section missing: no keyframe in %llu bytes",
                         (unsigned long long)end);
    ic_warn(&replay->base, replay->warnings, IC_FINDING(NOT_FINALISED), section->offset,
            "not finalised: recovered by scanning records");
    if (replay->torn)
        rp_note_lost(&replay->base.findings, IC_FINDING(TORN_TAIL), REPRISE_E_TRUNCATED, "file", at,
                     "", "%s: everything after this is left out", replay->torn);
    RP_TRY(learn_span(replay, error));
    return find_end(replay, error);
}

/* ---- bytes of a piece ---- */

static reprise_status check_sum(ic_replay *replay, const ic_piece *piece, const uint8_t *data,
                                const char *stream, reprise_error *error)
{
    uint8_t head[IC_RECORD_SIZE];
    RP_TRY(rp_source_read(replay->base.source, piece->offset - IC_RECORD_SIZE, head, sizeof head,
                          error));
    ic_block block = {.stored_length = piece->size, .crc = rp_load32(head + IC_RECORD_SIZE - 4)};
    if (sum_is_right(&block, head, data))
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CHECKSUM, "record checksum mismatch at tick %llu",
                 (unsigned long long)piece->tick);
    rp_error_place(error, stream, piece->offset - IC_RECORD_SIZE, "");
    return error->status;
}

reprise_status ic_piece_load(ic_replay *replay, const ic_piece *piece, const char *stream,
                             const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error)
{
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(replay->base.source, piece->offset, piece->size, &data, &spare, error));
    /* The scan of a live file has already checked the checksums. */
    if (piece->summed && !replay->live) {
        reprise_status status = check_sum(replay, piece, data, stream, error);
        if (status != REPRISE_OK) {
            rp_free(replay->base.context, spare, spare ? piece->size : 0);
            return status;
        }
    }
    *ret_data = data;
    *ret_spare = spare;
    return REPRISE_OK;
}

bool ic_unpack(rp_reader *r, uint32_t declared, rp_writer *to, bool *ret_plain)
{
    rp_reader peek = *r;
    uint32_t prefix = rp_left(r) >= RP_LZ4_PREFIX ? rp_u32(&peek, "size") : ~declared;
    *ret_plain = prefix != declared;
    if (!*ret_plain)
        return rp_lz4_read(r, ic_unit_limits(), to);
    if (rp_lz4_read_plain(r, declared, ic_unit_limits(), to) ||
        (r->error->status != REPRISE_E_CORRUPT && r->error->status != REPRISE_E_LIMIT))
        return rp_ok(r);
    /* Either of the two may be the right one. */
    reprise_error plain = *r->error;
    rp_error_clear(r->error);
    rp_fail(r, plain.status, "size",
            "size prefix %u does not match declared %u, and without prefix: %.80s", prefix,
            declared, plain.message);
    return false;
}

static void unpack(ic_replay *replay, const ic_piece *piece, rp_reader *r, rp_writer *to)
{
    bool plain = false;
    if (!piece->sized)
        (void)rp_lz4_read(r, ic_unit_limits(), to);
    else if (ic_unpack(r, piece->decoded_size, to, &plain) && plain)
        rp_note(&replay->base.findings, IC_FINDING(LZ4_PLAIN), "file", piece->offset, "",
                "LZ4 blocks without a size prefix");
}

reprise_status ic_piece_decode(ic_replay *replay, const ic_piece *piece, const char *stream,
                               rp_writer *to, reprise_error *error)
{
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(ic_piece_load(replay, piece, stream, &data, &spare, error));
    rp_reader r = rp_reader_of(data, piece->size, stream, error);
    r.offset = piece->offset;
    to->error = error;
    if (piece->packed) {
        unpack(replay, piece, &r, to);
    } else {
        rp_writer_clear(to);
        rp_put(to, data, piece->size);
    }
    rp_free(replay->base.context, spare, spare ? piece->size : 0);
    return error->status;
}
