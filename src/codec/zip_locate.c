/* zip_locate.c - see zip_locate.h. Numbers in comments are offsets in the records of APPNOTE.TXT.
 */
#include "zip_locate.h"

enum {
    END_SIGNATURE = 0x06054B50,
    END_SIZE = 22,
    LOCATOR_SIGNATURE = 0x07064B50,
    LOCATOR_SIZE = 20,
    END64_SIGNATURE = 0x06064B50,
    END64_SIZE = 56,
    ENTRY_SIGNATURE = 0x02014B50,
    ENTRY_SIZE = 46,
    LOCAL_SIGNATURE = 0x04034B50,
    LOCAL_SIZE = 30,
    FLAG_ENCRYPTED = 1 << 0,
    FLAG_DESCRIPTOR = 1 << 3,
    DESCRIPTOR_SIGNATURE = 0x08074B50,
    COMMENT_SIZE_MAX = 65535,
    TAIL_SIZE_MAX = COMMENT_SIZE_MAX + END_SIZE + LOCATOR_SIZE, /* what libzip searches */
};

typedef struct directory {
    uint64_t offset, size, count;
} directory;

/* Replaces the numbers of an end-of-directory record by those of its ZIP64 twin, if there is one.
 */
static void read_end64(rp_source *source, const uint8_t *locator, directory *to)
{
    uint8_t record[END64_SIZE];
    reprise_error ignored = REPRISE_ERROR_INIT;
    uint64_t offset = rp_load64(locator + 8);
    if (rp_source_read(source, offset, record, sizeof record, &ignored) != REPRISE_OK ||
        rp_load32(record) != END64_SIGNATURE)
        return;
    *to = (directory){.count = rp_load64(record + 32),
                      .size = rp_load64(record + 40),
                      .offset = rp_load64(record + 48)};
}

static directory read_end(rp_source *source, const uint8_t *tail, size_t at)
{
    const uint8_t *record = tail + at;
    directory dir = {.count = rp_load16(record + 10),
                     .size = rp_load32(record + 12),
                     .offset = rp_load32(record + 16)};
    if (at >= LOCATOR_SIZE && rp_load32(record - LOCATOR_SIZE) == LOCATOR_SIGNATURE)
        read_end64(source, record - LOCATOR_SIZE, &dir);
    return dir;
}

static bool fits(const directory *dir, uint64_t before)
{
    return dir->offset <= before && dir->size <= before - dir->offset &&
           dir->count <= dir->size / ENTRY_SIZE;
}

/* The next place of an end-of-directory record, or `size` if there is none. */
static size_t next_end(const uint8_t *tail, size_t size, size_t at)
{
    while (size - at >= END_SIZE) {
        const uint8_t *p = memchr(tail + at, 'P', size - at - (END_SIZE - 1));
        if (!p)
            break;
        at = (size_t)(p - tail);
        if (rp_load32(p) == END_SIGNATURE)
            return at;
        at++;
    }
    return size;
}

/* How many records there are; all are counted, because libzip would read all directories. */
static size_t scan_tail(rp_source *source, const uint8_t *tail, size_t size, rp_zip_end *end)
{
    uint64_t start = rp_source_size(source) - size;
    size_t found = 0;
    for (size_t at = next_end(tail, size, 0); at < size; at = next_end(tail, size, at + 1)) {
        directory dir = read_end(source, tail, at);
        end->entries = dir.count > UINT64_MAX - end->entries ? UINT64_MAX
                                                             : end->entries + dir.count;
        if (fits(&dir, start + at)) {
            end->offset = dir.offset;
            end->size = dir.size;
        }
        found++;
    }
    return found;
}

static reprise_status no_end(rp_source *source, reprise_error *error)
{
    uint8_t start[2];
    reprise_error ignored = REPRISE_ERROR_INIT;
    bool zip = rp_source_read(source, 0, start, sizeof start, &ignored) == REPRISE_OK &&
               start[0] == 'P' && start[1] == 'K';
    rp_error_set(error, zip ? REPRISE_E_TRUNCATED : REPRISE_E_CORRUPT,
                 zip ? "no end-of-directory record: the archive is cut short"
                     : "no end-of-directory record: not a zip archive");
    rp_error_place(error, "file", rp_source_size(source), "");
    return error->status;
}

reprise_status rp_zip_find_end(rp_context *context, rp_source *source, rp_zip_end *ret_end,
                               reprise_error *error)
{
    uint64_t total = rp_source_size(source);
    size_t size = (size_t)RP_MIN(total, (uint64_t)TAIL_SIZE_MAX);
    const uint8_t *tail;
    uint8_t *spare;
    RP_TRY(rp_source_piece(source, total - size, size, &tail, &spare, error));
    rp_zip_end end = {0};
    size_t found = scan_tail(source, tail, size, &end);
    rp_free(context, spare, size);
    if (!found)
        return no_end(source, error);
    reprise_status status = rp_limit(end.entries, context->limits.zip_entries_max,
                                     "number of archive entries", "zip_entries", error);
    if (status == REPRISE_OK)
        *ret_end = end;
    return status;
}

static bool same_entry(const uint8_t *record, const uint8_t *name, size_t name_size,
                       const rp_zip_entry *entry)
{
    return rp_load32(record) == ENTRY_SIGNATURE && rp_load16(record + 10) == entry->method &&
           rp_load32(record + 16) == entry->crc32 && rp_load32(record + 20) == entry->stored_size &&
           rp_load32(record + 24) == entry->size && strlen(entry->name) == name_size &&
           memcmp(entry->name, name, name_size) == 0;
}

void rp_zip_locate(rp_context *context, rp_source *source, const rp_zip_end *end,
                   const rp_zip_entry *entries, size_t count, uint64_t *headers)
{
    for (size_t i = 0; i < count; i++)
        headers[i] = RP_ZIP_NOWHERE;
    reprise_error ignored = REPRISE_ERROR_INIT;
    const uint8_t *data;
    uint8_t *spare;
    if (end->size > SIZE_MAX || rp_source_piece(source, end->offset, (size_t)end->size, &data,
                                                &spare, &ignored) != REPRISE_OK)
        return;
    rp_reader r = rp_reader_of(data, (size_t)end->size, "zip", &ignored);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record = rp_take(&r, ENTRY_SIZE, "entry");
        if (!record)
            break;
        size_t name_size = rp_load16(record + 28);
        const uint8_t *name = rp_take(&r, name_size, "name");
        rp_skip(&r, (size_t)rp_load16(record + 30) + rp_load16(record + 32), "extra");
        if (!rp_ok(&r))
            break;
        uint32_t header = rp_load32(record + 42);
        if (header != UINT32_MAX && same_entry(record, name, name_size, &entries[i]))
            headers[i] = header;
    }
    rp_free(context, spare, (size_t)end->size);
}

uint64_t rp_zip_data_offset(rp_source *source, const rp_zip_entry *entry, uint64_t header)
{
    uint8_t local[LOCAL_SIZE];
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (header == RP_ZIP_NOWHERE ||
        rp_source_read(source, header, local, sizeof local, &ignored) != REPRISE_OK ||
        rp_load32(local) != LOCAL_SIGNATURE || rp_load16(local + 8) != entry->method ||
        rp_load16(local + 26) != strlen(entry->name))
        return RP_ZIP_NOWHERE;
    uint64_t offset = header + LOCAL_SIZE + rp_load16(local + 26) + rp_load16(local + 28);
    uint64_t total = rp_source_size(source);
    return offset <= total && entry->stored_size <= total - offset ? offset : RP_ZIP_NOWHERE;
}

/* ---- without a directory ---- */

/* The next of some signatures at or behind `at`, or the end of the file. */
static uint64_t next_signature(rp_source *source, uint64_t at, const uint32_t *signatures,
                               size_t count)
{
    uint8_t piece[1 << 14];
    uint64_t total = rp_source_size(source);
    reprise_error ignored = REPRISE_ERROR_INIT;
    while (at + 4 <= total) {
        size_t n = (size_t)RP_MIN((uint64_t)sizeof piece, total - at);
        if (rp_source_read(source, at, piece, n, &ignored) != REPRISE_OK)
            return total;
        for (size_t i = 0; i + 4 <= n; i++) {
            uint32_t word = rp_load32(piece + i);
            for (size_t k = 0; k < count; k++) {
                if (word == signatures[k])
                    return at + i;
            }
        }
        at += n - 3;
    }
    return total;
}

/* Where data ends whose size stands behind it: nobody else can have a header there. */
static void find_data_end(rp_source *source, rp_zip_found *found)
{
    static const uint32_t next[] = {LOCAL_SIGNATURE, ENTRY_SIGNATURE, DESCRIPTOR_SIGNATURE};
    uint64_t end = next_signature(source, found->data_offset, next, RP_COUNT(next));
    found->entry.stored_size = end - found->data_offset;
}

bool rp_zip_next_local(rp_source *source, uint64_t *at, rp_zip_found *ret_found)
{
    static const uint32_t header[] = {LOCAL_SIGNATURE};
    uint64_t total = rp_source_size(source);
    uint64_t start = next_signature(source, *at, header, 1);
    uint8_t local[LOCAL_SIZE];
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (total < LOCAL_SIZE || start > total - LOCAL_SIZE ||
        rp_source_read(source, start, local, sizeof local, &ignored) != REPRISE_OK)
        return false;
    uint16_t flags = rp_load16(local + 6);
    rp_zip_found found = {
        .entry = {.method = rp_load16(local + 8),
                  .crc32 = rp_load32(local + 14),
                  .stored_size = rp_load32(local + 18),
                  .size = rp_load32(local + 22),
                  .encrypted = flags & FLAG_ENCRYPTED},
        .name_size = rp_load16(local + 26),
        .name_offset = start + LOCAL_SIZE,
    };
    found.data_offset = found.name_offset + found.name_size + rp_load16(local + 28);
    if (found.data_offset > total)
        return false;
    if ((flags & FLAG_DESCRIPTOR) && !found.entry.stored_size)
        find_data_end(source, &found);
    found.entry.stored_size = RP_MIN(found.entry.stored_size, total - found.data_offset);
    *at = found.data_offset + found.entry.stored_size;
    *ret_found = found;
    return true;
}
