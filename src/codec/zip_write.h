/*
 * zip_write.h - writes a ZIP archive, entry by entry.
 *
 * It only appends, so it works with any sink. Times are fixed (1980-01-01), so the same content
 * gives the same bytes. Sizes are stored before the data, without data descriptors, so a truncated
 * archive can still be read entry by entry. Archives that need ZIP64 are REPRISE_E_LIMIT.
 */
#ifndef RP_ZIP_WRITE_H
#define RP_ZIP_WRITE_H

#include "reprise/write.h"
#include "sink.h"
#include "stream.h"

typedef struct rp_zip_writer rp_zip_writer;

/* The sink must outlive the writer. */
reprise_status rp_zip_writer_new(rp_context *context, rp_sink *sink, rp_zip_writer **ret_zip,
                                 reprise_error *error);
void rp_zip_writer_free(rp_zip_writer *zip);
/* Sets the deflate level of the following entries: 0 to 9, or a REPRISE_LEVEL_... name. */
reprise_status rp_zip_set_level(rp_zip_writer *zip, int level, reprise_error *error);

/* Add a deflated entry from memory, or from a stream that is read to its end. */
reprise_status rp_zip_add_bytes(rp_zip_writer *zip, const char *name, const void *data, size_t size,
                                reprise_error *error);
reprise_status rp_zip_add_stream(rp_zip_writer *zip, const char *name, rp_stream *content,
                                 reprise_error *error);
/* Adds an entry without compression. */
reprise_status rp_zip_add_stored(rp_zip_writer *zip, const char *name, rp_source *content,
                                 reprise_error *error);

/* Writes the directory. Nothing can be added afterwards. */
reprise_status rp_zip_finish(rp_zip_writer *zip, reprise_error *error);

#endif
