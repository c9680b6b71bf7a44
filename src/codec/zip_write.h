/*
 * zip_write.h - making an archive, entry after entry.
 *
 * It only appends, so any sink will do. Times are fixed (1980-01-01), sizes stand in front of the
 * data without descriptors behind it, so an archive that is cut off can still be read entry by
 * entry, and the same content always gives the same bytes. No ZIP64: what needs it is
 * REPRISE_E_LIMIT.
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
/* How hard entries are deflated from now on: 0 to 9, or a REPRISE_LEVEL_... name. */
reprise_status rp_zip_set_level(rp_zip_writer *zip, int level, reprise_error *error);

/* A deflated entry from memory, or from a stream that is read to its end. */
reprise_status rp_zip_add_bytes(rp_zip_writer *zip, const char *name, const void *data, size_t size,
                                reprise_error *error);
reprise_status rp_zip_add_stream(rp_zip_writer *zip, const char *name, rp_stream *content,
                                 reprise_error *error);
/* An entry stored as it is. */
reprise_status rp_zip_add_stored(rp_zip_writer *zip, const char *name, rp_source *content,
                                 reprise_error *error);

/* Writes the directory; nothing can be added afterwards. */
reprise_status rp_zip_finish(rp_zip_writer *zip, reprise_error *error);

#endif
