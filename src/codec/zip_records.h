/*
 * zip_records.h - the records an archive is made of: its end, its directory, its local headers.
 * They are looked up here and believed in zip.c.
 */
#ifndef RP_ZIP_RECORDS_H
#define RP_ZIP_RECORDS_H

#include "archive.h"

/* The place of nothing. */
#define RP_ZIP_NOWHERE UINT64_MAX

/* What the end of an archive says about its directory; it lies within the file. */
typedef struct rp_zip_end {
    uint64_t offset, size, count;
} rp_zip_end;

/* Fails if there is no end-of-directory record whose directory is in the file. */
reprise_status rp_zip_find_end(rp_context *context, rp_source *source, rp_zip_end *ret_end,
                               reprise_error *error);

/* An entry without its name, where that name and its data are. */
typedef struct rp_zip_found {
    rp_zip_entry entry;
    uint64_t header;      /* directory: place of the local header */
    uint64_t name_offset; /* local header: place of the name */
    uint64_t data_offset; /* local header: place of the data */
    const uint8_t *name;  /* directory: the name itself, in the window */
    uint16_t name_size;
} rp_zip_found;

/* The next entry of a directory. */
void rp_zip_next_entry(rp_reader *directory, rp_zip_found *ret_found);

/* Where the data of an entry starts, or RP_ZIP_NOWHERE if its local header is not as expected. */
uint64_t rp_zip_data_offset(rp_source *source, const rp_zip_entry *entry, uint64_t header);

/*
 * Steps through local headers from *at on and past damage; *at moves behind the data. False when
 * there are no more.
 */
bool rp_zip_next_local(rp_source *source, uint64_t *at, rp_zip_found *ret_found);

#endif
