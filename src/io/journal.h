/*
 * journal.h - a file that grows record by record while others may read it.
 *
 * A record that was only partly written is overwritten by the next one, so a reader that checks
 * checksums sees complete records only. The journal writes to a file or to the caller's storage.
 */
#ifndef RP_JOURNAL_H
#define RP_JOURNAL_H

#include "reprise/write.h"
#include "source.h"

typedef struct rp_journal rp_journal;

/* Creates a file. An existing file is replaced only if `replace` is set. */
reprise_status rp_journal_create(rp_context *context, const char *path, bool replace,
                                 rp_journal **ret_journal, reprise_error *error);
reprise_status rp_journal_open_storage(rp_context *context, const reprise_storage *storage,
                                       rp_journal **ret_journal, reprise_error *error);
void rp_journal_close(rp_journal *journal);

/* Appends bytes. After a failure the journal has its previous size. */
reprise_status rp_journal_append(rp_journal *journal, const void *data, size_t size,
                                 reprise_error *error);
/* Waits until everything is on the disk. */
reprise_status rp_journal_sync(rp_journal *journal, reprise_error *error);
uint64_t rp_journal_size(const rp_journal *journal);

/* Opens what was written so far as a source. The journal must outlive it. */
reprise_status rp_journal_reopen(rp_journal *journal, rp_source **ret_source, reprise_error *error);

#endif
