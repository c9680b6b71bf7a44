/*
 * archive.h - ZIP archives behind our limits.
 *
 * Refuses archives with too many entries. Names are given as stored: rp_zip_name_safe says whether
 * one may become a path.
 */
#ifndef RP_ARCHIVE_H
#define RP_ARCHIVE_H

#include "stream.h"

typedef struct rp_zip rp_zip;

typedef struct rp_zip_entry {
    const char *name; /* lives as long as the archive; NUL characters inside became spaces */
    uint64_t size, stored_size;
    uint32_t crc32;
    uint16_t method; /* 0 stored, 8 deflate */
    bool duplicate;  /* an earlier entry has the same name */
    bool encrypted;
} rp_zip_entry;

/*
 * The source must outlive the archive. An archive without its end is REPRISE_E_TRUNCATED, one whose
 * directory makes no sense REPRISE_E_CORRUPT.
 */
reprise_status rp_zip_open(rp_context *context, rp_source *source, rp_zip **ret_zip,
                           reprise_error *error);
/*
 * For an archive whose directory is missing or damaged: takes what local headers stand in a row
 * from the start of the file. Sizes are then those of the header, or reach as far as the data does;
 * reading an entry gives what is there and checks nothing.
 */
reprise_status rp_zip_open_damaged(rp_context *context, rp_source *source, rp_zip **ret_zip,
                                   reprise_error *error);
void rp_zip_close(rp_zip *zip);

/* Whether it was opened without its directory. */
bool rp_zip_is_damaged(const rp_zip *zip);
size_t rp_zip_count(const rp_zip *zip);
const rp_zip_entry *rp_zip_entry_at(const rp_zip *zip, size_t index);
/* The first or last entry of that name in the central directory, or -1. */
int64_t rp_zip_find(const rp_zip *zip, const char *name);
int64_t rp_zip_find_last(const rp_zip *zip, const char *name);

/*
 * The content of an entry, decompressed. Its CRC-32 and size are checked at the end: a mismatch is
 * REPRISE_E_CHECKSUM or REPRISE_E_CORRUPT. `name` names it in errors ("zip:replay") and outlives
 * the stream. Encrypted entries and methods other than 0 and 8 are REPRISE_E_UNSUPPORTED. Any
 * number of entries may be open at a time; the archive must outlive its streams. Stored entries of
 * a source in memory can lend their bytes.
 */
reprise_status rp_zip_open_entry(rp_zip *zip, size_t index, const char *name, uint64_t ratio_max,
                                 rp_stream **ret_stream, reprise_error *error);

/*
 * No absolute path, drive, backslash, ".", "..", empty part or control character. One slash at the
 * end is fine: directories have it.
 */
bool rp_zip_name_safe(const char *name);

#endif
