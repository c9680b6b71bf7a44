/*
 * journal.h - a file that grows record by record while others may read it.
 *
 * A record is there wholly or, for a reader who checks its sum, not at all: one that could not be
 * written to its end is written over by the next. Behind it is a file or the caller's storage.
 */
#ifndef RP_JOURNAL_H
#define RP_JOURNAL_H

#include "reprise/write.h"
#include "source.h"

typedef struct rp_journal rp_journal;

/* Makes a new file; one of that name is replaced only with `replace`. */
reprise_status rp_journal_create(rp_context *context, const char *path, bool replace,
                                 rp_journal **ret_journal, reprise_error *error);
reprise_status rp_journal_open_storage(rp_context *context, const reprise_storage *storage,
                                       rp_journal **ret_journal, reprise_error *error);
void rp_journal_close(rp_journal *journal);

/* Adds bytes at the end. After a failure the end is where it was. */
reprise_status rp_journal_append(rp_journal *journal, const void *data, size_t size,
                                 reprise_error *error);
/* Waits until everything is on the disk. */
reprise_status rp_journal_sync(rp_journal *journal, reprise_error *error);
uint64_t rp_journal_size(const rp_journal *journal);

/* What was written so far, as a source that the journal must outlive. */
reprise_status rp_journal_reopen(rp_journal *journal, rp_source **ret_source, reprise_error *error);

#endif
