/* zip_records.c - see zip_records.h. The records are described in APPNOTE.TXT. */
#include "zip_records.h"

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
    EXTRA_ZIP64 = 1,
    COMMENT_SIZE_MAX = 65535,
    TAIL_SIZE_MAX = COMMENT_SIZE_MAX + END_SIZE + LOCATOR_SIZE,
};

/* ---- the end ---- */

/* Replaces the numbers of an end record by those of the ZIP64 end record, if there is one. */
static void read_end64(rp_source *source, const uint8_t *locator, rp_zip_end *to)
{
    uint8_t record[END64_SIZE];
    reprise_error ignored = REPRISE_ERROR_INIT;
    uint64_t offset = rp_load64(locator + 8);
    if (rp_source_read(source, offset, record, sizeof record, &ignored) != REPRISE_OK ||
        rp_load32(record) != END64_SIGNATURE)
        return;
    *to = (rp_zip_end){.count = rp_load64(record + 32),
                       .size = rp_load64(record + 40),
                       .offset = rp_load64(record + 48)};
}

static rp_zip_end read_end(rp_source *source, const uint8_t *tail, size_t at)
{
    const uint8_t *record = tail + at;
    rp_zip_end end = {.count = rp_load16(record + 10),
                      .size = rp_load32(record + 12),
                      .offset = rp_load32(record + 16)};
    if (at >= LOCATOR_SIZE && rp_load32(record - LOCATOR_SIZE) == LOCATOR_SIGNATURE)
        read_end64(source, record - LOCATOR_SIZE, &end);
    return end;
}

/* Whether a directory is before its end record and large enough for its entries. */
static bool fits(const rp_zip_end *end, uint64_t before)
{
    return end->offset <= before && end->size <= before - end->offset &&
           end->count <= end->size / ENTRY_SIZE;
}

static bool is_split(const uint8_t *record)
{
    uint16_t disk = rp_load16(record + 4);
    return disk != 0 && disk != UINT16_MAX;
}

/*
 * Finds the last end record that fits, searching backwards, because a comment may contain something
 * similar. Each candidate costs a comparison and at most one read.
 */
static reprise_status scan_tail(rp_source *source, const uint8_t *tail, size_t size,
                                rp_zip_end *ret_end, bool *ret_seen)
{
    uint64_t start = rp_source_size(source) - size;
    for (size_t at = size - END_SIZE + 1; at-- > 0;) {
        if (tail[at] != 'P' || rp_load32(tail + at) != END_SIGNATURE)
            continue;
        *ret_seen = true;
        rp_zip_end end = read_end(source, tail, at);
        if (is_split(tail + at))
            return REPRISE_E_UNSUPPORTED;
        if (fits(&end, start + at)) {
            *ret_end = end;
            return REPRISE_OK;
        }
    }
    return REPRISE_E_CORRUPT;
}

static reprise_status no_end(rp_source *source, reprise_error *error)
{
    uint8_t start[2];
    reprise_error ignored = REPRISE_ERROR_INIT;
    bool zip = rp_source_read(source, 0, start, sizeof start, &ignored) == REPRISE_OK &&
               start[0] == 'P' && start[1] == 'K';
    rp_error_set(error, zip ? REPRISE_E_TRUNCATED : REPRISE_E_CORRUPT,
                 zip ? "no end-of-directory record: the archive is truncated"
                     : "no end-of-directory record: not a zip archive");
    rp_error_place(error, "file", rp_source_size(source), "");
    return error->status;
}

reprise_status rp_zip_find_end(rp_context *context, rp_source *source, rp_zip_end *ret_end,
                               reprise_error *error)
{
    uint64_t total = rp_source_size(source);
    size_t size = (size_t)RP_MIN(total, (uint64_t)TAIL_SIZE_MAX);
    if (size < END_SIZE)
        return no_end(source, error);
    const uint8_t *tail = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(source, total - size, size, &tail, &spare, error));
    rp_zip_end end = {0};
    bool seen = false;
    reprise_status status = scan_tail(source, tail, size, &end, &seen);
    rp_free(context, spare, size);
    if (!seen)
        return no_end(source, error);
    if (status != REPRISE_OK) {
        rp_error_set(error, status,
                     status == REPRISE_E_UNSUPPORTED
                         ? "the archive is one of several parts"
                         : "the archive's directory is not in the file");
        rp_error_place(error, "zip", 0, "");
        return status;
    }
    *ret_end = end;
    return REPRISE_OK;
}

/* ---- the directory ---- */

/* Numbers that do not fit in 32 bits are in the extra field, in this order. */
static void read_extra64(rp_reader extra, rp_zip_found *found)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    extra.error = &ignored;
    while (rp_ok(&extra) && rp_left(&extra)) {
        uint16_t id = rp_u16(&extra, "extra id");
        uint16_t size = rp_u16(&extra, "extra size");
        rp_reader field = rp_sub(&extra, size, "extra");
        if (id != EXTRA_ZIP64 || !rp_ok(&extra))
            continue;
        if (found->entry.size == UINT32_MAX && rp_left(&field))
            found->entry.size = rp_u64(&field, "size");
        if (found->entry.stored_size == UINT32_MAX && rp_left(&field))
            found->entry.stored_size = rp_u64(&field, "stored size");
        if (found->header == UINT32_MAX && rp_left(&field))
            found->header = rp_u64(&field, "place");
    }
}

void rp_zip_next_entry(rp_reader *directory, rp_zip_found *ret_found)
{
    const uint8_t *record = rp_take(directory, ENTRY_SIZE, "entry");
    if (!record)
        return;
    if (rp_load32(record) != ENTRY_SIGNATURE) {
        rp_fail(directory, REPRISE_E_CORRUPT, "entry", "the directory is damaged");
        return;
    }
    rp_zip_found found = {
        .entry = {.method = rp_load16(record + 10),
                  .crc32 = rp_load32(record + 16),
                  .stored_size = rp_load32(record + 20),
                  .size = rp_load32(record + 24),
                  .encrypted = rp_load16(record + 8) & FLAG_ENCRYPTED},
        .name_size = rp_load16(record + 28),
        .header = rp_load32(record + 42),
    };
    found.name = rp_take(directory, found.name_size, "name");
    rp_reader extra = rp_sub(directory, rp_load16(record + 30), "extra");
    rp_skip(directory, rp_load16(record + 32), "comment");
    if (!rp_ok(directory))
        return;
    read_extra64(extra, &found);
    *ret_found = found;
}

/* ---- local headers ---- */

reprise_status rp_zip_data_offset(rp_source *source, const rp_zip_entry *entry, uint64_t header,
                                  uint64_t *ret_offset, reprise_error *error)
{
    uint8_t local[LOCAL_SIZE];
    uint64_t total = rp_source_size(source);
    *ret_offset = RP_ZIP_NOWHERE;
    if (header > total || total - header < sizeof local)
        return REPRISE_OK;
    RP_TRY(rp_source_read(source, header, local, sizeof local, error));
    if (rp_load32(local) != LOCAL_SIGNATURE || rp_load16(local + 8) != entry->method ||
        rp_load16(local + 26) != strlen(entry->name))
        return REPRISE_OK;
    uint64_t offset = header + LOCAL_SIZE + rp_load16(local + 26) + rp_load16(local + 28);
    if (offset <= total && entry->stored_size <= total - offset)
        *ret_offset = offset;
    return REPRISE_OK;
}

/* ---- without a directory ---- */

/* Finds the next of some signatures at or after `at`, or the end of the file. */
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

/* Finds the end of data whose size is stored after it. */
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
