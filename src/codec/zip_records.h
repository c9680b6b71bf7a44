/*
 * zip_records.h - finds and parses the records of an archive: its end, its directory and its local
 * headers. zip.c checks them against each other.
 */
#ifndef RP_ZIP_RECORDS_H
#define RP_ZIP_RECORDS_H

#include "archive.h"

/* An offset that does not exist. */
#define RP_ZIP_NOWHERE UINT64_MAX

/* The directory as given by the end record; it is inside the file. */
typedef struct rp_zip_end {
    uint64_t offset, size, count;
} rp_zip_end;

/* Fails if there is no end record whose directory is inside the file. */
reprise_status rp_zip_find_end(rp_context *context, rp_source *source, rp_zip_end *ret_end,
                               reprise_error *error);

/* An entry with the offsets of its name and data. */
typedef struct rp_zip_found {
    rp_zip_entry entry;
    uint64_t header;      /* directory: offset of the local header */
    uint64_t name_offset; /* local header: offset of the name */
    uint64_t data_offset; /* local header: offset of the data */
    const uint8_t *name;  /* directory: the name itself, in the window */
    uint16_t name_size;
} rp_zip_found;

/* Reads the next entry of a directory. */
void rp_zip_next_entry(rp_reader *directory, rp_zip_found *ret_found);

/*
 * Gives the offset of an entry's data, or RP_ZIP_NOWHERE if its local header does not match. Fails
 * only if the source cannot be read.
 */
reprise_status rp_zip_data_offset(rp_source *source, const rp_zip_entry *entry, uint64_t header,
                                  uint64_t *ret_offset, reprise_error *error);

/*
 * Finds the next local header from *at on, skipping damage, and moves *at past its data. Returns
 * false if there are no more.
 */
bool rp_zip_next_local(rp_source *source, uint64_t *at, rp_zip_found *ret_found);

#endif
