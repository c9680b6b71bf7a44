/*
 * zip_locate.h - the little of an archive's structure that is read beside libzip.
 *
 * libzip believes every record at the end of an archive that looks like an end-of-directory record,
 * and reads all directories they name: a file of 150 kB can keep it busy for half a minute. And it
 * does not tell where an entry's data is, which costs a copy and a slow checksum for each byte.
 */
#ifndef RP_ZIP_LOCATE_H
#define RP_ZIP_LOCATE_H

#include "archive.h"

/* The place of nothing. */
#define RP_ZIP_NOWHERE UINT64_MAX

/* What the end of an archive says, not yet to be believed. */
typedef struct rp_zip_end {
    uint64_t entries;      /* of all directories named there */
    uint64_t offset, size; /* of the last directory that fits the file; size 0 if none does */
} rp_zip_end;

/* Fails if there is no end-of-directory record, or if the records name more entries than allowed.
 */
reprise_status rp_zip_find_end(rp_context *context, rp_source *source, rp_zip_end *ret_end,
                               reprise_error *error);

/*
 * Looks up the local headers of entries that libzip has read: headers[i], or RP_ZIP_NOWHERE where
 * the directory does not say exactly the same as `entries`, or says it in ZIP64. Never fails: what
 * is not found can be read by libzip.
 */
void rp_zip_locate(rp_context *context, rp_source *source, const rp_zip_end *end,
                   const rp_zip_entry *entries, size_t count, uint64_t *headers);

/* Where the data of an entry starts, or RP_ZIP_NOWHERE if its local header is not as expected. */
uint64_t rp_zip_data_offset(rp_source *source, const rp_zip_entry *entry, uint64_t header);

/*
 * Steps through local headers from *at on and past damage: the next entry, without its name, where
 * that name and its data are; *at moves behind the data. False when there are no more.
 */
typedef struct rp_zip_found {
    rp_zip_entry entry;
    uint64_t name_offset, data_offset;
    uint16_t name_size;
} rp_zip_found;
bool rp_zip_next_local(rp_source *source, uint64_t *at, rp_zip_found *ret_found);

#endif
