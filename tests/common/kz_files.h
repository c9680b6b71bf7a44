/*
 * kz_files.h - CS2KZ files for tests: samples with changed sections, files made from nothing, and
 * what is said about them.
 */
#ifndef KZ_FILES_H
#define KZ_FILES_H

#include <math.h>
#include <zstd.h>

#include "options.h"
#include "samples.h"
#include "written.h"

/* ---- files ---- */

static inline bytes load(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "tests/data/cs2kz/%s.replay", name);
    sample s = load_sample(path);
    return (bytes){.data = s.data, .size = s.size, .capacity = s.size};
}

static inline uint32_t u32_at(const bytes *b, size_t at)
{
    assert_true(at + 4 <= b->size);
    const unsigned char *p = b->data + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void put_u32(bytes *b, size_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        b->data[at + i] = (unsigned char)(value >> (8 * i));
}

/* The offset of a section header, as info gives it. */
static inline size_t section_at(const bytes *file, const char *name)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    const reprise_value *parts = reprise_value_get(info, "parts");
    size_t offset = 0;
    for (size_t i = 0; i < reprise_value_count(parts); i++) {
        const reprise_value *part = reprise_value_at(parts, i);
        if (strcmp(reprise_value_text(reprise_value_get(part, "name"), NULL), name) == 0)
            offset = (size_t)reprise_value_uint(reprise_value_get(part, "offset"), 0);
    }
    reprise_close(replay);
    assert_int_not_equal(offset, 0);
    return offset;
}

static inline bytes content_of(const bytes *file, size_t section)
{
    size_t size = u32_at(file, section + 4);
    bytes content = {.data = malloc(size + 1), .size = size, .capacity = size + 1};
    size_t got = ZSTD_decompress(content.data, size, file->data + section + 12,
                                 u32_at(file, section));
    assert_int_equal(got, size);
    return content;
}

static inline void put_frame(bytes *to, const void *data, size_t size, bool checksum,
                             bool content_size)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content_size);
    size_t bound = ZSTD_compressBound(size);
    void *packed = malloc(bound);
    size_t n = ZSTD_compress2(context, packed, bound, data, size);
    assert_false(ZSTD_isError(n));
    bytes_write(to, packed, n);
    free(packed);
    ZSTD_freeCCtx(context);
}

/* The file with other compressed data in one section. */
static inline bytes with_packed(const bytes *file, size_t section, const bytes *packed,
                                uint32_t size, uint32_t count)
{
    bytes result = {0};
    size_t end = section + 12 + u32_at(file, section);
    bytes_write(&result, file->data, section + 12);
    bytes_write(&result, packed->data, packed->size);
    bytes_write(&result, file->data + end, file->size - end);
    put_u32(&result, section, (uint32_t)packed->size);
    put_u32(&result, section + 4, size);
    put_u32(&result, section + 8, count);
    return result;
}

/* The file with other content in one section. */
static inline bytes with_content(const bytes *file, size_t section, const bytes *content)
{
    bytes packed = {0};
    put_frame(&packed, content->data, content->size, false, true);
    bytes result = with_packed(file, section, &packed, (uint32_t)content->size,
                               u32_at(file, section + 8));
    bytes_free(&packed);
    return result;
}

/* ---- what is said about them ---- */

typedef struct outcome {
    reprise_replay *replay;
    reprise_error error;
    reprise_verify_summary summary;
} outcome;

static inline outcome look_with(const bytes *file, unsigned threads)
{
    outcome o = {.error = REPRISE_ERROR_INIT};
    TEST_OPTIONS(options);
    reprise_options_set_format(options, "cs2kz", NULL);
    reprise_options_set_threads(options, threads, NULL);
    if (reprise_open_memory(file->data, file->size, options, &o.replay, &o.error) == REPRISE_OK)
        expect_ok(reprise_verify(o.replay, NULL, NULL, &o.summary, &o.error), &o.error, "verify");
    return o;
}

static inline outcome look(const bytes *file)
{
    return look_with(file, 1);
}

static inline uint64_t finding_count(const outcome *o, const char *id)
{
    const reprise_value *findings = reprise_value_get(o->summary.document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_at(findings, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "id"), NULL), id) == 0)
            return reprise_value_uint(reprise_value_get(one, "count"), 0);
    }
    return 0;
}

static const char *digest(const outcome *o, const char *track)
{
    const reprise_value *digests = reprise_value_get(o->summary.document, "digests");
    const reprise_value *one = reprise_value_get(digests, track);
    const char *text = reprise_value_text(reprise_value_get(one, "sha256"), NULL);
    assert_non_null(text);
    return text;
}

static inline void expect_warning(const bytes *file, const char *id, const char *layout)
{
    outcome o = look(file);
    if (!o.replay)
        fail_msg("%s: %s", id, o.error.message);
    assert_int_equal(o.summary.faults, 0);
    if (finding_count(&o, id) == 0)
        fail_msg("no %s", id);
    assert_string_equal(reprise_layout(o.replay), layout);
    reprise_close(o.replay);
}

/* Refused while opening or while reading, with a word in the message or the path. */
static inline void expect_refusal(const bytes *file, reprise_status status, const char *word)
{
    outcome o = look(file);
    if (!o.replay) {
        assert_int_equal(o.error.status, status);
        if (!strstr(o.error.message, word) && !strstr(o.error.path, word))
            fail_msg("%s: %s, not %s", o.error.path, o.error.message, word);
        return;
    }
    assert_int_equal(o.summary.worst, status);
    const reprise_value *findings = reprise_value_get(o.summary.document, "findings");
    bool said = false;
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_at(findings, i);
        said = said || strstr(reprise_value_text(reprise_value_get(one, "path"), NULL), word) ||
               strstr(reprise_value_text(reprise_value_get(one, "message"), NULL), word);
    }
    if (!said)
        fail_msg("nothing speaks of %s", word);
    reprise_close(o.replay);
}

static inline void expect_same_digests(const bytes *a, const bytes *b, const char *const *tracks)
{
    outcome x = look(a), y = look(b);
    assert_non_null(x.replay);
    assert_non_null(y.replay);
    for (size_t i = 0; tracks[i]; i++) {
        if (strcmp(digest(&x, tracks[i]), digest(&y, tracks[i])) != 0)
            fail_msg("%s differ", tracks[i]);
    }
    reprise_close(x.replay);
    reprise_close(y.replay);
}

static const char *const all_tracks[] = {"ticks", "subticks", "weapons",  "weapon_events",
                                         "jumps", "events",   "commands", "command_subticks",
                                         NULL};

/* The item in hand at each tick, by its id. */
static inline bytes items_in_hand(const bytes *file)
{
    bytes items = {0};
    char ids[64][32] = {{0}};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    size_t weapons = (size_t)reprise_track_find(replay, "weapons");
    size_t ticks = (size_t)reprise_track_find(replay, "ticks");
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        size_t track = reprise_row_track(rows);
        int64_t number = 0, id = 0;
        for (size_t c = 0; c < reprise_column_count(replay, track); c++) {
            const char *name = reprise_column_at(replay, track, c)->name;
            if (strcmp(name, track == ticks ? "weapon" : "number") == 0)
                number = reprise_row_int(rows, c);
            if (strcmp(name, "item_id") == 0)
                id = reprise_row_int(rows, c);
        }
        if (track == weapons && number >= 0 && number < 64)
            snprintf(ids[number], sizeof ids[number], "%lld", (long long)id);
        if (track == ticks && number >= 0 && number < 64)
            bytes_write(&items, ids[number], sizeof ids[number]);
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    return items;
}

/* ---- files from nothing ---- */

/* A little-endian number of `size` bytes. */
static inline void put_number(bytes *to, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> (8 * i));
        bytes_write(to, &byte, 1);
    }
}

static inline void put_float(bytes *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(to, bits, 4);
}

static inline void put_zeros(bytes *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes_write(to, "", 1);
}

/* The file with other content in one section; what was in it is freed. */
static inline void replace_section(bytes *file, const char *name, const bytes *content,
                                   uint32_t count)
{
    bytes packed = {0};
    put_frame(&packed, content->data, content->size, false, true);
    bytes result = with_packed(file, section_at(file, name), &packed, (uint32_t)content->size,
                               count);
    bytes_free(&packed);
    bytes_free(file);
    *file = result;
}

/* A protobuf file that holds nothing at all. */
static inline bytes blank_file(unsigned char version)
{
    bytes file = {0};
    put_number(&file, 4, 4);
    bytes_write(&file, (unsigned char[]){0x08, version, 0x10, 0}, 4);
    for (int i = 0; i < 7; i++) {
        bytes packed = {0};
        size_t size = i == 3 ? 4 : 0; /* jumps have their count inside */
        put_frame(&packed, "\0\0\0", size, false, true);
        put_number(&file, packed.size, 4);
        put_number(&file, size, 4);
        put_number(&file, 0, 4);
        bytes_write(&file, packed.data, packed.size);
        bytes_free(&packed);
    }
    return file;
}

/* Ticks, and as many empty subtick entries, for a file of a layout with so many slots. */
static inline void replace_ticks(bytes *file, const bytes *ticks, uint32_t count, size_t slots)
{
    bytes moves = {0};
    put_zeros(&moves, count * (4 + slots * 24));
    replace_section(file, "ticks", ticks, count);
    replace_section(file, "tickSubticks", &moves, count);
    bytes_free(&moves);
}

static inline void replace_commands(bytes *file, const bytes *commands, uint32_t count,
                                    size_t slots)
{
    bytes moves = {0};
    put_zeros(&moves, count * (4 + slots * 24));
    replace_section(file, "commands", commands, count);
    replace_section(file, "commandSubticks", &moves, count);
    bytes_free(&moves);
}

/* ---- rows ---- */

/* One value of one row: numbers of all kinds, NaN where it is null or not there. */
static inline double value_at(const bytes *file, const char *track, size_t row, const char *column)
{
    double result = NAN;
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    size_t number = (size_t)reprise_track_find(replay, track);
    options.tracks = UINT64_C(1) << number;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track);
    for (size_t n = 0; n <= row; n++)
        expect_ok(reprise_rows_next(rows, &error), &error, track);
    bool found = false;
    for (size_t c = 0; c < reprise_column_count(replay, number); c++) {
        const reprise_column *about = reprise_column_at(replay, number, c);
        if (strcmp(about->name, column) != 0)
            continue;
        found = true;
        bool real = about->type == REPRISE_TYPE_FLOAT || about->type == REPRISE_TYPE_DOUBLE;
        if (!reprise_row_null(rows, c))
            result = real ? reprise_row_double(rows, c) : (double)reprise_row_int(rows, c);
    }
    if (!found)
        fail_msg("%s has no column %s", track, column);
    reprise_rows_close(rows);
    reprise_close(replay);
    return result;
}

static inline void expect_cell(const bytes *file, const char *track, size_t row, const char *column,
                               double expected)
{
    double found = value_at(file, track, row, column);
    if (found != expected)
        fail_msg("%s[%zu].%s is %.9g, not %.9g", track, row, column, found, expected);
}

static inline void expect_no_cell(const bytes *file, const char *track, size_t row,
                                  const char *column)
{
    if (!isnan(value_at(file, track, row, column)))
        fail_msg("%s[%zu].%s is shown", track, row, column);
}

/* How many rows a track has. */
static inline size_t row_count(const bytes *file, const char *track)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, track);
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track);
    size_t count = 0;
    while (reprise_rows_next(rows, &error) == REPRISE_OK)
        count++;
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

#endif
