/*
 * read_section.c - one compressed section as a window on its bytes.
 *
 * The numbers of a section are checked against each other before anything is decompressed, and
 * nothing is ever allocated from them: the window grows only as bytes really come.
 */
#include <stdarg.h>
#include <stdio.h>

#include "cs2kz.h"

static const char *const stream_names[KZ_SECTION_COUNT] = {
    [KZ_SECTION_TICKS] = "zstd:ticks",
    [KZ_SECTION_TICK_MOVES] = "zstd:tickSubticks",
    [KZ_SECTION_WEAPONS] = "zstd:weaponTable",
    [KZ_SECTION_WEAPON_EVENTS] = "zstd:weaponEvents",
    [KZ_SECTION_WEAPON_CHANGES] = "zstd:weaponChanges",
    [KZ_SECTION_JUMPS] = "zstd:jumps",
    [KZ_SECTION_EVENTS] = "zstd:events",
    [KZ_SECTION_COMMANDS] = "zstd:commands",
    [KZ_SECTION_COMMAND_MOVES] = "zstd:commandSubticks",
};

static uint64_t offset_of(const kz_section_reader *reader)
{
    return reader->skips ? reader->skip_reader.offset : reader->window.offset;
}

static const reprise_error *failure_of(const kz_section_reader *reader)
{
    return reader->skips ? &reader->skip_reader.failure : &reader->window.failure;
}

reprise_status kz_refuse(const kz_section_reader *reader, reprise_status status, const char *what,
                         reprise_error *error, const char *format, ...)
{
    char message[sizeof error->message], path[sizeof error->path];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rp_error_set(error, status, "%s", message);
    if (reader->next)
        snprintf(path, sizeof path, "%s[%u].%s", kz_section_names[reader->kind], reader->next,
                 what);
    else
        snprintf(path, sizeof path, "%s.%s", kz_section_names[reader->kind], what);
    if (reader->window.stream || reader->skip_reader.stream)
        rp_error_place(error, stream_names[reader->kind], offset_of(reader), path);
    else
        rp_error_place(error, "file", reader->section->offset, path);
    return error->status;
}

static reprise_status refuse_count(const kz_section_reader *reader, const char *elements,
                                   reprise_error *error)
{
    return kz_refuse(reader, REPRISE_E_CORRUPT, "count", error, "%u %s cannot fit in %u bytes",
                     reader->section->count, elements, reader->section->size);
}

static reprise_status refuse_size(const kz_section_reader *reader, uint64_t size,
                                  reprise_error *error)
{
    return kz_refuse(reader, REPRISE_E_CORRUPT, "size", error,
                     "%u elements are %llu bytes, %u are announced", reader->section->count,
                     (unsigned long long)size, reader->section->size);
}

/* Elements of a fixed size, with or without a count before them. */
static reprise_status check_fixed(const kz_section_reader *reader, uint64_t element, uint64_t lead,
                                  reprise_error *error)
{
    uint64_t size = lead + reader->section->count * element;
    return size == reader->section->size ? REPRISE_OK : refuse_size(reader, size, error);
}

/* Elements of at least this many bytes. */
static reprise_status check_least(const kz_section_reader *reader, uint64_t element, uint64_t lead,
                                  const char *elements, reprise_error *error)
{
    return lead + reader->section->count * element <= reader->section->size
               ? REPRISE_OK
               : refuse_count(reader, elements, error);
}

static reprise_status check_moves(const kz_section_reader *reader, kz_section_kind of,
                                  reprise_error *error)
{
    uint32_t expected = reader->replay->sections[of].count;
    if (reader->section->count != expected)
        return kz_refuse(reader, REPRISE_E_CORRUPT, "count", error, "%u entries for %u %s",
                         reader->section->count, expected, kz_section_names[of]);
    return check_fixed(reader, 4 + (uint64_t)reader->replay->wire->slots * KZ_MOVE_SIZE, 0, error);
}

static reprise_status check_numbers(const kz_section_reader *reader, reprise_error *error)
{
    const kz_wire *wire = reader->replay->wire;
    switch (reader->kind) {
    case KZ_SECTION_TICKS:
        return check_least(reader, wire->in_place ? 28 : 8, 0, "ticks", error);
    case KZ_SECTION_COMMANDS:
        return check_least(reader, wire->in_place ? 12 : 8, 0, "commands", error);
    case KZ_SECTION_TICK_MOVES:
        return check_moves(reader, KZ_SECTION_TICKS, error);
    case KZ_SECTION_COMMAND_MOVES:
        return check_moves(reader, KZ_SECTION_COMMANDS, error);
    case KZ_SECTION_WEAPONS:
        if (wire->inner_counts)
            return check_least(reader, KZ_ITEM_SIZE, 4, "weapons", error);
        return check_least(reader, 4 + KZ_ITEM_SIZE, 0, "weapons", error);
    case KZ_SECTION_WEAPON_CHANGES:
        return check_least(reader, 4 + KZ_ITEM_SIZE, 0, "weapon changes", error);
    case KZ_SECTION_WEAPON_EVENTS:
        return check_fixed(reader, 6, 4, error);
    case KZ_SECTION_JUMPS:
        return check_least(reader, 364 + 4 + 4, 4, "jumps", error);
    default:
        return check_fixed(reader, KZ_EVENT_SIZE, 0, error);
    }
}

static reprise_status open_section(kz_replay *replay, kz_section_kind kind, bool skips,
                                   kz_section_reader *reader, reprise_error *error)
{
    *reader = (kz_section_reader){
        .replay = replay, .kind = kind, .section = &replay->sections[kind], .skips = skips};
    const kz_section *section = reader->section;
    if (!section->there) {
        if (error->status == REPRISE_OK)
            *error = replay->damage;
        return error->status;
    }
    RP_TRY(check_numbers(reader, error));
    if (!section->cut && !rp_zstd_plausible(section->stored_size, section->size))
        return kz_refuse(reader, REPRISE_E_CORRUPT, "size", error,
                         "%u bytes cannot come out of %u stored ones", section->size,
                         section->stored_size);
    rp_stream *range = NULL, *stream = NULL;
    rp_context *context = replay->base.context;
    RP_TRY(rp_stream_open_range(context, replay->base.source,
                                section->offset + KZ_SECTION_HEADER_SIZE, section->stored_size,
                                stream_names[kind], &range, error));
    /* No limit on the ratio: a player who stands still compresses 32 000:1. The count bounds it. */
    RP_TRY(rp_stream_open_zstd(range, stream_names[kind], 0, &stream, error));
    if (reader->skips)
        rp_skip_reader_init(&reader->skip_reader, stream, stream_names[kind]);
    else
        rp_window_init_stream(&reader->window, context, stream, stream_names[kind]);
    return REPRISE_OK;
}

reprise_status kz_section_reader_open(kz_replay *replay, kz_section_kind kind,
                                      kz_section_reader *reader, reprise_error *error)
{
    bool skips = kind == KZ_SECTION_TICK_MOVES || kind == KZ_SECTION_COMMAND_MOVES;
    return open_section(replay, kind, skips, reader, error);
}

reprise_status kz_section_reader_open_whole(kz_replay *replay, kz_section_kind kind,
                                            kz_section_reader *reader, reprise_error *error)
{
    return open_section(replay, kind, false, reader, error);
}

void kz_section_reader_close(kz_section_reader *reader)
{
    rp_window_free(&reader->window);
    rp_skip_reader_free(&reader->skip_reader);
    reader->section = NULL;
}

bool kz_has_section(const kz_replay *replay, kz_section_kind kind)
{
    return replay->sections[kind].there || replay->damage.status != REPRISE_OK;
}

uint64_t kz_section_reader_left(const kz_section_reader *reader)
{
    uint64_t size = reader->section->size;
    return reader->window.offset < size ? size - reader->window.offset : 0;
}

/* Why the data ends: the stream is damaged, the file is cut, or the numbers are wrong. */
static reprise_status explain_end(const kz_section_reader *reader, size_t need,
                                  reprise_error *error)
{
    size_t left = reader->skips ? 0 : rp_window_left(&reader->window);
    uint64_t total = offset_of(reader) + left;
    RP_TRY(error->status);
    if (reader->section->cut) {
        *error = reader->replay->damage;
        return error->status;
    }
    if (failure_of(reader)->status != REPRISE_OK) {
        *error = *failure_of(reader);
        rp_error_at(error, "%s[%u]", kz_section_names[reader->kind], reader->next);
        return error->status;
    }
    if (total < reader->section->size)
        return kz_refuse(reader, REPRISE_E_CORRUPT, "size", error,
                         "holds %llu bytes, %u are announced", (unsigned long long)total,
                         reader->section->size);
    return kz_refuse(reader, REPRISE_E_TRUNCATED, "truncated", error, "need %zu bytes, %zu left",
                     need, left);
}

reprise_status kz_section_reader_read(kz_section_reader *reader, size_t n, rp_reader *ret_reader,
                                      reprise_error *error)
{
    return rp_skip_reader_read(&reader->skip_reader, n, ret_reader, error)
               ? REPRISE_OK
               : explain_end(reader, n, error);
}

reprise_status kz_section_reader_skip(kz_section_reader *reader, size_t n, reprise_error *error)
{
    return rp_skip_reader_skip(&reader->skip_reader, n, error) ? REPRISE_OK
                                                               : explain_end(reader, n, error);
}

reprise_status kz_section_reader_need(kz_section_reader *reader, size_t n, reprise_error *error)
{
    if (rp_window_left(&reader->window) >= n)
        return REPRISE_OK;
    RP_TRY(rp_window_fill(&reader->window, n, error));
    return rp_window_left(&reader->window) >= n ? REPRISE_OK : explain_end(reader, n, error);
}

/* Reads to the end, but not far past the announced size. */
static reprise_status drain(kz_section_reader *reader, reprise_error *error)
{
    rp_window *window = &reader->window;
    if (reader->skips) {
        uint64_t rest = reader->section->size -
                        RP_MIN(reader->skip_reader.offset, reader->section->size);
        (void)rp_skip_reader_skip(&reader->skip_reader, rest + 1, error);
        return error->status;
    }
    while (window->offset <= reader->section->size) {
        RP_TRY(rp_window_fill(window, 1, error));
        if (!rp_window_left(window))
            break;
        rp_window_skip(window, rp_window_left(window));
    }
    return REPRISE_OK;
}

reprise_status kz_section_reader_finish(kz_section_reader *reader, reprise_error *error)
{
    uint64_t used = offset_of(reader), size = reader->section->size;
    RP_TRY(drain(reader, error));
    if (offset_of(reader) > size)
        return kz_refuse(reader, REPRISE_E_CORRUPT, "size", error,
                         "holds more than the announced %u bytes", reader->section->size);
    if (failure_of(reader)->status != REPRISE_OK || reader->section->cut ||
        offset_of(reader) < size)
        return explain_end(reader, 1, error);
    if (used < size)
        return kz_refuse(reader, REPRISE_E_CORRUPT, "leftover", error,
                         "%llu bytes left after the last of %u elements",
                         (unsigned long long)(size - used), reader->section->count);
    return REPRISE_OK;
}

reprise_status kz_stream_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                              reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    if (index >= replay->wire->section_count ||
        !replay->sections[replay->wire->sections[index]].there)
        return REPRISE_END;
    kz_section_reader reader;
    RP_TRY(kz_section_reader_open_whole(replay, replay->wire->sections[index], &reader, error));
    *ret_stream = reader.window.stream;
    return REPRISE_OK;
}
