/*
 * zip.c - reads archives: the directory, and entries as streams whose size and CRC-32 are checked.
 *
 * The packaged library tries every directory that the last 64 KiB of a file seem to name, so that a
 * file of 150 kB takes half a minute; it allocates beyond our limits, and takes five times as long
 * for stored data.
 */
#include "archive.h"

#include <stdlib.h>

#include "arena.h"
#include "hash.h"
#include "unpacker.h"
#include "zip_records.h"

enum {
    METHOD_STORED = 0,
    METHOD_DEFLATE = 8,
};

typedef struct named {
    const char *name;
    size_t index;
} named;

struct rp_zip {
    rp_context *context;
    rp_source *source;
    size_t count;
    rp_zip_entry *entries;
    uint64_t *places; /* of the local headers; in a damaged archive, of the data */
    rp_arena names;
    bool damaged;
    named *by_name; /* sorted */
};

/* ---- the directory ---- */

static int compare_named(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Sorted, not hashed, so that colliding names cannot make it slow. */
static void sort_names(rp_zip *zip)
{
    qsort(zip->by_name, zip->count, sizeof *zip->by_name, compare_named);
    for (size_t i = 1; i < zip->count; i++)
        if (strcmp(zip->by_name[i - 1].name, zip->by_name[i].name) == 0)
            zip->entries[zip->by_name[i].index].duplicate = true;
}

static reprise_status alloc_entries(rp_zip *zip, uint64_t count, reprise_error *error)
{
    rp_context *context = zip->context;
    RP_TRY(rp_limit(count, context->limits.zip_entries_max, "number of archive entries",
                    "zip_entries", error));
    zip->count = (size_t)count;
    zip->entries = rp_alloc_zero(context, zip->count, sizeof *zip->entries, error);
    zip->places = rp_alloc_zero(context, zip->count, sizeof *zip->places, error);
    zip->by_name = rp_alloc_zero(context, zip->count, sizeof *zip->by_name, error);
    return error->status;
}

/* Adds an entry with its name. NULs would end the name early and become spaces. */
static reprise_status add_entry(rp_zip *zip, size_t index, const rp_zip_found *found,
                                uint64_t place, char *name, reprise_error *error)
{
    if (!name)
        return error->status;
    for (size_t i = 0; i < found->name_size; i++)
        name[i] = name[i] ? name[i] : ' ';
    zip->entries[index] = found->entry;
    zip->entries[index].name = name;
    zip->places[index] = place;
    zip->by_name[index] = (named){.name = name, .index = index};
    return REPRISE_OK;
}

static reprise_status read_entries(rp_zip *zip, rp_reader *directory, reprise_error *error)
{
    for (size_t i = 0; i < zip->count; i++) {
        rp_zip_found found = {0};
        rp_zip_next_entry(directory, &found);
        if (!rp_ok(directory)) {
            rp_error_at(error, "directory[%zu]", i);
            return error->status;
        }
        char *name = rp_arena_text(&zip->names, found.name, found.name_size, error);
        RP_TRY(add_entry(zip, i, &found, found.header, name, error));
    }
    sort_names(zip);
    return REPRISE_OK;
}

static reprise_status read_directory(rp_zip *zip, reprise_error *error)
{
    rp_zip_end end;
    RP_TRY(rp_zip_find_end(zip->context, zip->source, &end, error));
    RP_TRY(alloc_entries(zip, end.count, error));
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(zip->source, end.offset, (size_t)end.size, &data, &spare, error));
    rp_reader directory = rp_reader_of(data, (size_t)end.size, "zip", error);
    directory.offset = end.offset;
    reprise_status status = read_entries(zip, &directory, error);
    rp_free(zip->context, spare, (size_t)end.size);
    return status;
}

/* Without a directory: reads local headers. */
static reprise_status scan_headers(rp_zip *zip, reprise_error *error)
{
    rp_zip_found found;
    uint64_t at = 0, count = 0;
    while (count < zip->context->limits.zip_entries_max &&
           rp_zip_next_local(zip->source, &at, &found))
        count++;
    RP_TRY(alloc_entries(zip, count, error));
    at = 0;
    for (size_t i = 0; i < zip->count; i++) {
        if (!rp_zip_next_local(zip->source, &at, &found))
            return rp_error_set(error, REPRISE_E_IO, "the input changed while it was read");
        char *name = rp_arena_alloc(&zip->names, (size_t)found.name_size + 1, error);
        if (name)
            RP_TRY(rp_source_read(zip->source, found.name_offset, name, found.name_size, error));
        RP_TRY(add_entry(zip, i, &found, found.data_offset, name, error));
    }
    sort_names(zip);
    return REPRISE_OK;
}

static reprise_status open_zip(rp_context *context, rp_source *source, bool damaged,
                               rp_zip **ret_zip, reprise_error *error)
{
    rp_zip *zip = rp_alloc_zero(context, 1, sizeof *zip, error);
    if (!zip)
        return error->status;
    zip->context = context;
    zip->source = source;
    zip->damaged = damaged;
    rp_arena_init(&zip->names, context);
    reprise_status status = damaged ? scan_headers(zip, error) : read_directory(zip, error);
    if (status == REPRISE_OK)
        *ret_zip = zip;
    else
        rp_zip_close(zip);
    return status;
}

reprise_status rp_zip_open(rp_context *context, rp_source *source, rp_zip **ret_zip,
                           reprise_error *error)
{
    return open_zip(context, source, false, ret_zip, error);
}

reprise_status rp_zip_open_damaged(rp_context *context, rp_source *source, rp_zip **ret_zip,
                                   reprise_error *error)
{
    return open_zip(context, source, true, ret_zip, error);
}

void rp_zip_close(rp_zip *zip)
{
    if (!zip)
        return;
    rp_arena_free(&zip->names);
    rp_free(zip->context, zip->by_name, zip->count * sizeof *zip->by_name);
    rp_free(zip->context, zip->places, zip->count * sizeof *zip->places);
    rp_free(zip->context, zip->entries, zip->count * sizeof *zip->entries);
    rp_free(zip->context, zip, sizeof *zip);
}

bool rp_zip_is_damaged(const rp_zip *zip)
{
    return zip->damaged;
}

size_t rp_zip_count(const rp_zip *zip)
{
    return zip->count;
}

const rp_zip_entry *rp_zip_entry_at(const rp_zip *zip, size_t index)
{
    return &zip->entries[index];
}

/* Counts the names that are less, or less or equal if `equal`. */
static size_t count_less(const rp_zip *zip, const char *name, bool equal)
{
    size_t low = 0, high = zip->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(zip->by_name[middle].name, name);
        if (order < 0 || (equal && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t rp_zip_find(const rp_zip *zip, const char *name)
{
    size_t at = count_less(zip, name, false);
    if (at == zip->count || strcmp(zip->by_name[at].name, name) != 0)
        return -1;
    return (int64_t)zip->by_name[at].index;
}

int64_t rp_zip_find_last(const rp_zip *zip, const char *name)
{
    size_t end = count_less(zip, name, true);
    if (!end || strcmp(zip->by_name[end - 1].name, name) != 0)
        return -1;
    return (int64_t)zip->by_name[end - 1].index;
}

/* ---- entries ---- */

/* Reading only the start of an entry must not compute the checksum of all of it. */
enum { LEND_MAX = 1 << 18 };

/* The content of an entry, with its size and checksum so far. */
typedef struct entry {
    rp_stream stream;
    const rp_zip_entry *info;
    rp_stream *content;  /* owned */
    uint32_t crc32;      /* so far */
    const uint8_t *rest; /* lent by the content and not yet by this stream */
    size_t rest_size;
} entry;

/* Counts n bytes, or checks the end. After a failure it keeps failing. */
static reprise_status account(entry *self, const uint8_t *data, size_t n, reprise_error *error)
{
    rp_stream *stream = &self->stream;
    const rp_zip_entry *info = self->info;
    uint64_t before = stream->offset;
    reprise_status status = REPRISE_OK;
    stream->offset += n;
    self->crc32 = rp_crc32(self->crc32, data, n);
    if (stream->offset > info->size || (!n && before < info->size))
        status = rp_error_set(error, REPRISE_E_CORRUPT,
                              "the entry is %s than %llu bytes, as stated",
                              n ? "longer" : "shorter", (unsigned long long)info->size);
    else if (!n && self->crc32 != info->crc32)
        status = rp_error_set(error, REPRISE_E_CHECKSUM,
                              "the entry's CRC-32 is %08x, in the directory %08x", self->crc32,
                              info->crc32);
    if (status != REPRISE_OK)
        rp_error_place(error, stream->name, before, "");
    return status;
}

static reprise_status entry_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                 reprise_error *error)
{
    entry *self = (entry *)stream;
    size_t n = 0;
    if (self->rest_size) {
        n = RP_MIN(size, self->rest_size);
        memcpy(to, self->rest, n);
        self->rest += n;
        self->rest_size -= n;
    } else {
        RP_TRY(rp_stream_read(self->content, to, size, &n, error));
    }
    RP_TRY(account(self, to, n, error));
    *ret_size = n;
    return REPRISE_OK;
}

static reprise_status entry_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                 reprise_error *error)
{
    entry *self = (entry *)stream;
    if (!self->rest_size)
        RP_TRY(rp_stream_lend(self->content, &self->rest, &self->rest_size, error));
    const uint8_t *data = self->rest;
    size_t n = RP_MIN(self->rest_size, (size_t)LEND_MAX);
    if (data) {
        self->rest += n;
        self->rest_size -= n;
        RP_TRY(account(self, data, n, error));
    }
    *ret_data = data;
    *ret_size = n;
    return REPRISE_OK;
}

static bool entry_rewind(rp_stream *stream)
{
    entry *self = (entry *)stream;
    if (!rp_stream_rewind(self->content))
        return false;
    stream->offset = 0;
    self->crc32 = 0;
    self->rest_size = 0;
    return true;
}

static void entry_close(rp_stream *stream)
{
    entry *self = (entry *)stream;
    rp_stream_close(self->content);
    rp_free(stream->context, self, sizeof *self);
}

static reprise_status refuse_entry(const rp_zip *zip, const rp_zip_entry *info,
                                   reprise_error *error)
{
    if (info->encrypted)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "the entry is encrypted");
    if (info->method != METHOD_STORED && info->method != METHOD_DEFLATE)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "compression method %u is not supported",
                            info->method);
    if (!zip->damaged && info->method == METHOD_STORED && info->size != info->stored_size)
        return rp_error_set(error, REPRISE_E_CORRUPT, "%llu bytes are stored in %llu",
                            (unsigned long long)info->size, (unsigned long long)info->stored_size);
    return REPRISE_OK;
}

/*
 * Inflates an entry in one piece, three times as fast as in a stream. *ret_stream stays NULL for
 * one that is large or damaged.
 */
static reprise_status inflate_whole(rp_zip *zip, const rp_zip_entry *info, uint64_t place,
                                    const char *name, rp_stream **ret_stream, reprise_error *error)
{
    enum { WHOLE_MAX = 8 << 20 };
    if (info->size > WHOLE_MAX || info->stored_size > WHOLE_MAX)
        return REPRISE_OK;
    const uint8_t *data = NULL;
    uint8_t *spare = NULL, *content = NULL;
    size_t size = (size_t)info->stored_size;
    RP_TRY(rp_source_piece(zip->source, place, size, &data, &spare, error));
    reprise_status status = rp_deflate_decode(zip->context, data, size, (size_t)info->size,
                                              &content, error);
    rp_free(zip->context, spare, size);
    if (!content)
        return status;
    return rp_stream_open_owned(zip->context, content, (size_t)info->size, name, ret_stream, error);
}

/* Opens the decompressed data of an entry, unchecked. */
static reprise_status open_content(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                   bool whole, rp_stream **ret_stream, reprise_error *error)
{
    const rp_zip_entry *info = &zip->entries[index];
    RP_TRY(refuse_entry(zip, info, error));
    uint64_t place = zip->places[index];
    if (!zip->damaged)
        RP_TRY(rp_zip_data_offset(zip->source, info, place, &place, error));
    if (place == RP_ZIP_NOWHERE)
        return rp_error_set(error, REPRISE_E_CORRUPT,
                            "the entry is not where the directory says, or not all of it");
    if (whole && info->method == METHOD_DEFLATE && !zip->damaged) {
        RP_TRY(inflate_whole(zip, info, place, name, ret_stream, error));
        if (*ret_stream)
            return REPRISE_OK;
    }
    rp_stream *data = NULL;
    RP_TRY(rp_stream_open_range(zip->context, zip->source, place, info->stored_size, name, &data,
                                error));
    if (info->method == METHOD_DEFLATE)
        return rp_stream_open_deflate(data, name, ratio_max, ret_stream, error);
    *ret_stream = data;
    return rp_decoded_limit(zip->context, info->stored_size, info->stored_size, 0, error);
}

static reprise_status open_entry(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                 bool whole, rp_stream **ret_stream, reprise_error *error)
{
    static const rp_stream_ops ops = {.read = entry_read,
                                      .lend = entry_lend,
                                      .finish = rp_stream_drain,
                                      .rewind = entry_rewind,
                                      .close = entry_close};
    rp_stream *content = NULL;
    reprise_status status = open_content(zip, index, name, ratio_max, whole, &content, error);
    /* A damaged archive is read without checks. */
    entry *self = NULL;
    if (status == REPRISE_OK && !zip->damaged) {
        self = rp_alloc_zero(zip->context, 1, sizeof *self, error);
        status = self ? REPRISE_OK : error->status;
    }
    if (status != REPRISE_OK) {
        rp_error_place(error, name, 0, "");
        rp_stream_close(content);
        return status;
    }
    if (!self) {
        *ret_stream = content;
        return REPRISE_OK;
    }
    self->stream = (rp_stream){.ops = &ops, .context = zip->context, .name = name};
    self->info = &zip->entries[index];
    self->content = content;
    *ret_stream = &self->stream;
    return REPRISE_OK;
}

reprise_status rp_zip_open_entry(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                 rp_stream **ret_stream, reprise_error *error)
{
    return open_entry(zip, index, name, ratio_max, false, ret_stream, error);
}

reprise_status rp_zip_open_whole_entry(rp_zip *zip, size_t index, const char *name,
                                       uint64_t ratio_max, rp_stream **ret_stream,
                                       reprise_error *error)
{
    return open_entry(zip, index, name, ratio_max, true, ret_stream, error);
}
