/*
 * archive.h - reading ZIP archives within our limits.
 *
 * Archives with too many entries are refused. Names are given as stored; rp_zip_name_safe says
 * whether one may be used as a path.
 */
#ifndef RP_ARCHIVE_H
#define RP_ARCHIVE_H

#include "stream.h"

typedef struct rp_zip rp_zip;

typedef struct rp_zip_entry {
    const char *name; /* valid until the archive is closed; NUL characters are replaced by spaces */
    uint64_t size, stored_size;
    uint32_t crc32;
    uint16_t method; /* 0 stored, 8 deflate */
    bool duplicate;  /* an earlier entry has the same name */
    bool encrypted;
} rp_zip_entry;

/*
 * The source must outlive the archive. An archive without its end record is REPRISE_E_TRUNCATED;
 * one with an invalid directory is REPRISE_E_CORRUPT.
 */
reprise_status rp_zip_open(rp_context *context, rp_source *source, rp_zip **ret_zip,
                           reprise_error *error);
/*
 * Opens an archive whose directory is missing or damaged by reading consecutive local headers from
 * the start of the file. Sizes come from the headers, or extend to the end of the data. Reading an
 * entry gives what is there and checks nothing.
 */
reprise_status rp_zip_open_damaged(rp_context *context, rp_source *source, rp_zip **ret_zip,
                                   reprise_error *error);
void rp_zip_close(rp_zip *zip);

/* Whether the archive was opened without its directory. */
bool rp_zip_is_damaged(const rp_zip *zip);
size_t rp_zip_count(const rp_zip *zip);
const rp_zip_entry *rp_zip_entry_at(const rp_zip *zip, size_t index);
/* Return the index of the first or last entry of that name, or -1. */
int64_t rp_zip_find(const rp_zip *zip, const char *name);
int64_t rp_zip_find_last(const rp_zip *zip, const char *name);

/*
 * Opens the decompressed content of an entry. Its CRC-32 and size are checked at the end; a
 * mismatch is REPRISE_E_CHECKSUM or REPRISE_E_CORRUPT. `name` identifies it in errors
 * ("zip:replay") and must outlive the stream. Encrypted entries and methods other than 0 and 8 are
 * REPRISE_E_UNSUPPORTED. Several entries may be open at a time; the archive must outlive its
 * streams. Stored entries of a source in memory can lend their bytes.
 */
reprise_status rp_zip_open_entry(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                 rp_stream **ret_stream, reprise_error *error);
/* The same for callers that read to the end: an entry of at most 8 MiB is inflated at once. */
reprise_status rp_zip_open_whole_entry(rp_zip *zip, size_t index, const char *name,
                                       uint64_t ratio_max, rp_stream **ret_stream,
                                       reprise_error *error);

/*
 * Whether a name has no absolute path, drive, backslash, ".", "..", empty part or control
 * character. It may end with a slash, as directories do.
 */
bool rp_zip_name_safe(const char *name);

#endif
