/*
 * zip.c - archives through libzip, which reads directories and inflates. Stored entries are given
 * straight from the source: libzip's way takes five times as long.
 */
#include "archive.h"

#include <stdlib.h>
#include <zip.h>

#include "arena.h"
#include "hash.h"
#include "unpacker.h"
#include "zip_locate.h"

enum {
    METHOD_STORED = 0,
    METHOD_DEFLATE = 8,
    LEND_SIZE = 1 << 16, /* checksum and use while it is in the cache */
};

/* libzip's view of the source. */
typedef struct feed {
    rp_source *source;
    uint64_t at;
    zip_error_t code;
    reprise_error error; /* what the source really said */
} feed;

typedef struct named {
    const char *name;
    size_t index;
} named;

struct rp_zip {
    rp_context *context;
    feed feed;
    zip_t *archive;
    size_t count;
    rp_zip_entry *entries;
    uint64_t *headers; /* places of the local headers, see zip_locate.h */
    rp_arena names;    /* of a damaged archive, whose headers are the places of its data */
    bool damaged;
    named *by_name; /* sorted */
};

/* ---- libzip ---- */

static zip_int64_t feed_read(feed *self, void *to, uint64_t size)
{
    uint64_t n = RP_MIN(size, rp_source_size(self->source) - self->at);
    if (rp_source_read(self->source, self->at, to, (size_t)n, &self->error) != REPRISE_OK) {
        zip_error_set(&self->code, ZIP_ER_READ, 0);
        return -1;
    }
    self->at += n;
    return (zip_int64_t)n;
}

static zip_int64_t feed_seek(feed *self, void *arguments, uint64_t size)
{
    zip_int64_t at = zip_source_seek_compute_offset(self->at, rp_source_size(self->source),
                                                    arguments, size, &self->code);
    if (at < 0)
        return -1;
    self->at = (uint64_t)at;
    return 0;
}

static zip_int64_t feed_stat(feed *self, zip_stat_t *stat, uint64_t size)
{
    if (size < sizeof *stat) {
        zip_error_set(&self->code, ZIP_ER_INVAL, 0);
        return -1;
    }
    zip_stat_init(stat);
    stat->size = rp_source_size(self->source);
    stat->valid = ZIP_STAT_SIZE;
    return sizeof *stat;
}

static zip_int64_t feed_serve(void *ctx, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    feed *self = ctx;
    switch (command) {
    case ZIP_SOURCE_OPEN:
        self->at = 0;
        return 0;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_READ:
        return feed_read(self, data, size);
    case ZIP_SOURCE_SEEK:
        return feed_seek(self, data, size);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)self->at;
    case ZIP_SOURCE_STAT:
        return feed_stat(self, data, size);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&self->code, data, size);
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    default:
        zip_error_set(&self->code, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

/* Says in our words what libzip says by number. */
static reprise_status libzip_failure(const feed *from, const zip_error_t *code,
                                     reprise_error *error)
{
    static const struct {
        int code;
        reprise_status status;
        const char *message;
    } table[] = {
        {ZIP_ER_MEMORY, REPRISE_E_NOMEM, "no memory for reading the archive"},
        {ZIP_ER_CRC, REPRISE_E_CHECKSUM, "the entry's CRC-32 is not the one in the directory"},
        {ZIP_ER_EOF, REPRISE_E_TRUNCATED, "the entry's data ends early"},
        {ZIP_ER_MULTIDISK, REPRISE_E_UNSUPPORTED, "the archive is one of several parts"},
        {ZIP_ER_ZLIB, REPRISE_E_CORRUPT, "damaged deflate data"},
        {ZIP_ER_COMPRESSED_DATA, REPRISE_E_CORRUPT, "damaged deflate data"},
        {ZIP_ER_NOZIP, REPRISE_E_CORRUPT, "the archive's directory is damaged"},
        {ZIP_ER_INCONS, REPRISE_E_CORRUPT, "the archive contradicts itself"},
    };
    if (error->status != REPRISE_OK)
        return error->status;
    if (from->error.status != REPRISE_OK) {
        *error = from->error;
        return error->status;
    }
    error->cause = zip_error_code_zip(code);
    for (size_t i = 0; i < RP_COUNT(table); i++)
        if (table[i].code == error->cause)
            return rp_error_set(error, table[i].status, "%s", table[i].message);
    return rp_error_set(error, REPRISE_E_CORRUPT, "libzip cannot read the archive, code %d",
                        error->cause);
}

static reprise_status open_archive(rp_zip *zip, reprise_error *error)
{
    zip_error_t code;
    zip_error_init(&code);
    zip_source_t *source = zip_source_function_create(feed_serve, &zip->feed, &code);
    if (source)
        zip->archive = zip_open_from_source(source, ZIP_RDONLY, &code);
    if (!zip->archive) {
        libzip_failure(&zip->feed, &code, error);
        rp_error_place(error, "zip", 0, "");
        zip_source_free(source);
    }
    zip_error_fini(&code);
    return error->status;
}

/* ---- the directory ---- */

static reprise_status copy_entries(rp_zip *zip, reprise_error *error)
{
    for (size_t i = 0; i < zip->count; i++) {
        zip_stat_t stat;
        if (zip_stat_index(zip->archive, i, ZIP_FL_UNCHANGED | ZIP_FL_ENC_RAW, &stat) != 0)
            return libzip_failure(&zip->feed, zip_get_error(zip->archive), error);
        zip->entries[i] = (rp_zip_entry){
            .name = stat.name,
            .size = stat.size,
            .stored_size = stat.comp_size,
            .crc32 = stat.crc,
            .method = stat.comp_method,
            .encrypted = stat.encryption_method != ZIP_EM_NONE,
        };
        zip->by_name[i] = (named){.name = stat.name, .index = i};
    }
    return REPRISE_OK;
}

static int compare_named(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Sorted rather than hashed: names made to collide cost nothing extra. */
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
    zip->headers = rp_alloc_zero(context, zip->count, sizeof *zip->headers, error);
    zip->by_name = rp_alloc_zero(context, zip->count, sizeof *zip->by_name, error);
    return error->status;
}

static reprise_status read_directory(rp_zip *zip, const rp_zip_end *end, reprise_error *error)
{
    RP_TRY(open_archive(zip, error));
    uint64_t count = (uint64_t)zip_get_num_entries(zip->archive, ZIP_FL_UNCHANGED);
    RP_TRY(alloc_entries(zip, count, error));
    RP_TRY(copy_entries(zip, error));
    sort_names(zip);
    rp_zip_locate(zip->context, zip->feed.source, end, zip->entries, zip->count, zip->headers);
    return REPRISE_OK;
}

static rp_zip *new_zip(rp_context *context, rp_source *source, reprise_error *error)
{
    rp_zip *zip = rp_alloc_zero(context, 1, sizeof *zip, error);
    if (!zip)
        return NULL;
    zip->context = context;
    zip->feed.source = source;
    zip_error_init(&zip->feed.code);
    rp_arena_init(&zip->names, context);
    return zip;
}

reprise_status rp_zip_open(rp_context *context, rp_source *source, rp_zip **ret_zip,
                           reprise_error *error)
{
    rp_zip_end end;
    RP_TRY(rp_zip_find_end(context, source, &end, error));
    rp_zip *zip = new_zip(context, source, error);
    if (!zip)
        return error->status;
    reprise_status status = read_directory(zip, &end, error);
    if (status == REPRISE_OK)
        *ret_zip = zip;
    else
        rp_zip_close(zip);
    return status;
}

/* Names of entries that stand in the file itself. */
static reprise_status scan_headers(rp_zip *zip, reprise_error *error)
{
    rp_source *source = zip->feed.source;
    rp_zip_found found;
    uint64_t at = 0, count = 0;
    while (rp_zip_next_local(source, &at, &found) && count < zip->context->limits.zip_entries_max)
        count++;
    RP_TRY(alloc_entries(zip, count, error));
    at = 0;
    for (size_t i = 0; i < zip->count && rp_zip_next_local(source, &at, &found); i++) {
        char *name = rp_arena_alloc(&zip->names, (size_t)found.name_size + 1, error);
        if (!name)
            return error->status;
        RP_TRY(rp_source_read(source, found.name_offset, name, found.name_size, error));
        for (size_t k = 0; k < found.name_size; k++)
            name[k] = name[k] ? name[k] : ' ';
        zip->entries[i] = found.entry;
        zip->entries[i].name = name;
        zip->headers[i] = found.data_offset;
        zip->by_name[i] = (named){.name = name, .index = i};
    }
    sort_names(zip);
    return REPRISE_OK;
}

reprise_status rp_zip_open_damaged(rp_context *context, rp_source *source, rp_zip **ret_zip,
                                   reprise_error *error)
{
    rp_zip *zip = new_zip(context, source, error);
    if (!zip)
        return error->status;
    zip->damaged = true;
    reprise_status status = scan_headers(zip, error);
    if (status == REPRISE_OK)
        *ret_zip = zip;
    else
        rp_zip_close(zip);
    return status;
}

void rp_zip_close(rp_zip *zip)
{
    if (!zip)
        return;
    rp_arena_free(&zip->names);
    if (zip->archive)
        zip_discard(zip->archive);
    zip_error_fini(&zip->feed.code);
    rp_free(zip->context, zip->by_name, zip->count * sizeof *zip->by_name);
    rp_free(zip->context, zip->headers, zip->count * sizeof *zip->headers);
    rp_free(zip->context, zip->entries, zip->count * sizeof *zip->entries);
    rp_free(zip->context, zip, sizeof *zip);
}

size_t rp_zip_count(const rp_zip *zip)
{
    return zip->count;
}

const rp_zip_entry *rp_zip_entry_at(const rp_zip *zip, size_t index)
{
    return &zip->entries[index];
}

int64_t rp_zip_find(const rp_zip *zip, const char *name)
{
    size_t low = 0, high = zip->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(zip->by_name[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zip->count || strcmp(zip->by_name[low].name, name) != 0)
        return -1;
    return (int64_t)zip->by_name[low].index;
}

/* ---- entries ---- */

typedef struct entry {
    rp_stream stream;
    rp_zip *zip;
    const rp_zip_entry *info;
    uint64_t ratio_max;
    zip_file_t *file; /* libzip's reader; it checks the CRC-32 */
    uint64_t data;    /* or where the data of a stored entry is */
    uint32_t crc32;   /* and its CRC-32 so far */
} entry;

/* Books n bytes, or the end. Once it fails it fails again, because the offset stays too high. */
static reprise_status account(entry *self, size_t n, reprise_error *error)
{
    rp_stream *stream = &self->stream;
    const rp_zip_entry *info = self->info;
    uint64_t before = stream->offset;
    stream->offset += n;
    reprise_status status = rp_decoded_limit(stream->context, stream->offset, info->stored_size,
                                             self->ratio_max, error);
    if (status == REPRISE_OK && (stream->offset > info->size || (!n && before < info->size)))
        status = rp_error_set(error, REPRISE_E_CORRUPT,
                              "the entry is %s than %llu bytes, as stated",
                              n ? "longer" : "shorter", (unsigned long long)info->size);
    if (status == REPRISE_OK && !n && !self->file && self->crc32 != info->crc32)
        status = rp_error_set(error, REPRISE_E_CHECKSUM,
                              "the entry's CRC-32 is %08x, in the directory %08x", self->crc32,
                              info->crc32);
    if (status != REPRISE_OK)
        rp_error_place(error, stream->name, before, "");
    return status;
}

static reprise_status inflated_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                    reprise_error *error)
{
    entry *self = (entry *)stream;
    zip_int64_t n = zip_fread(self->file, to, size);
    if (n < 0) {
        libzip_failure(&self->zip->feed, zip_file_get_error(self->file), error);
        rp_error_place(error, stream->name, stream->offset, "");
        return error->status;
    }
    RP_TRY(account(self, (size_t)n, error));
    *ret_size = (size_t)n;
    return REPRISE_OK;
}

static reprise_status stored_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                  reprise_error *error)
{
    entry *self = (entry *)stream;
    size_t n = (size_t)RP_MIN((uint64_t)size, self->info->size - stream->offset);
    RP_TRY(rp_source_read(self->zip->feed.source, self->data + stream->offset, to, n, error));
    self->crc32 = rp_crc32(self->crc32, to, n);
    RP_TRY(account(self, n, error));
    *ret_size = n;
    return REPRISE_OK;
}

static reprise_status stored_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                  reprise_error *error)
{
    entry *self = (entry *)stream;
    size_t n = (size_t)RP_MIN((uint64_t)LEND_SIZE, self->info->size - stream->offset);
    const uint8_t *data = rp_source_view(self->zip->feed.source, self->data + stream->offset, n);
    if (data) {
        self->crc32 = rp_crc32(self->crc32, data, n);
        RP_TRY(account(self, n, error));
    }
    *ret_data = data;
    *ret_size = data ? n : 0;
    return REPRISE_OK;
}

static void entry_close(rp_stream *stream)
{
    entry *self = (entry *)stream;
    if (self->file)
        zip_fclose(self->file);
    rp_free(stream->context, self, sizeof *self);
}

static reprise_status refuse_entry(const rp_zip_entry *info, reprise_error *error)
{
    if (info->encrypted)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "the entry is encrypted");
    if (info->method != METHOD_STORED && info->method != METHOD_DEFLATE)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "compression method %u is not supported",
                            info->method);
    if (info->method == METHOD_STORED && info->size != info->stored_size)
        return rp_error_set(error, REPRISE_E_CORRUPT, "%llu bytes are stored in %llu",
                            (unsigned long long)info->size, (unsigned long long)info->stored_size);
    return REPRISE_OK;
}

/* Stored data where we found it, anything else by libzip. */
static reprise_status open_data(entry *self, size_t index, reprise_error *error)
{
    static const rp_stream_ops stored = {
        .read = stored_read, .lend = stored_lend, .finish = rp_stream_drain, .close = entry_close};
    static const rp_stream_ops inflated = {
        .read = inflated_read, .finish = rp_stream_drain, .close = entry_close};
    rp_zip *zip = self->zip;
    self->data = self->info->method == METHOD_STORED
                     ? rp_zip_data_offset(zip->feed.source, self->info, zip->headers[index])
                     : RP_ZIP_NOWHERE;
    self->stream.ops = &stored;
    if (self->data != RP_ZIP_NOWHERE)
        return REPRISE_OK;
    self->stream.ops = &inflated;
    self->file = zip_fopen_index(zip->archive, index, ZIP_FL_UNCHANGED);
    return self->file ? REPRISE_OK : libzip_failure(&zip->feed, zip_get_error(zip->archive), error);
}

/* Nothing that a damaged archive says is held against its data. */
static reprise_status open_damaged_entry(rp_zip *zip, size_t index, const char *name,
                                         uint64_t ratio_max, rp_stream **ret_stream,
                                         reprise_error *error)
{
    const rp_zip_entry *info = &zip->entries[index];
    rp_stream *stored = NULL;
    if (info->encrypted || (info->method != METHOD_STORED && info->method != METHOD_DEFLATE))
        return refuse_entry(info, error);
    RP_TRY(rp_stream_open_range(zip->context, zip->feed.source, zip->headers[index],
                                info->stored_size, name, &stored, error));
    if (info->method == METHOD_DEFLATE)
        return rp_stream_open_deflate(stored, name, ratio_max, ret_stream, error);
    *ret_stream = stored;
    return REPRISE_OK;
}

reprise_status rp_zip_open_entry(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                 rp_stream **ret_stream, reprise_error *error)
{
    if (zip->damaged)
        return open_damaged_entry(zip, index, name, ratio_max, ret_stream, error);
    const rp_zip_entry *info = &zip->entries[index];
    reprise_status status = refuse_entry(info, error);
    entry *self = NULL;
    if (status == REPRISE_OK) {
        self = rp_alloc_zero(zip->context, 1, sizeof *self, error);
        status = error->status;
    }
    if (self) {
        self->stream = (rp_stream){.context = zip->context, .name = name};
        self->zip = zip;
        self->info = info;
        self->ratio_max = ratio_max;
        status = open_data(self, index, error);
    }
    if (status != REPRISE_OK) {
        rp_error_place(error, name, 0, "");
        rp_free(zip->context, self, sizeof *self);
        return status;
    }
    *ret_stream = &self->stream;
    return REPRISE_OK;
}
