/*
 * findings.h - what a reader noticed: collected while reading, shown by verify and info.
 *
 * Findings of one id are counted, and only the first is described: a million unknown chunks are
 * one line. The number of different ids is bounded by the code, so memory is too.
 */
#ifndef RP_FINDINGS_H
#define RP_FINDINGS_H

#include "arena.h"

typedef struct rp_finding {
    reprise_finding about;
    reprise_status status; /* faults, and warnings of rp_note_lost: what kind of failure */
    struct rp_finding *next;
} rp_finding;

typedef struct rp_findings {
    rp_arena *arena;
    rp_finding *first, *last;
} rp_findings;

void rp_findings_init(rp_findings *findings, rp_arena *arena);
/* Forgets everything that came after `mark` (the value of `last` at some time). */
void rp_findings_rewind(rp_findings *findings, rp_finding *mark);

/* `id` must be a literal: it is kept. Memory trouble is ignored here; the next allocation tells. */
void rp_note(rp_findings *findings, reprise_severity severity, const char *id, const char *stream,
             uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/* The same for damage that does not keep a reader from going on: `status` is its kind. */
void rp_fault(rp_findings *findings, reprise_status status, const char *id, const char *stream,
              uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/*
 * A warning that everything from here on is left out: readers go on without it, but what they give
 * is not all. `status` is what the same would be where a format cannot go on.
 */
void rp_note_lost(rp_findings *findings, reprise_status status, const char *id, const char *stream,
                  uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);
/* The first of these, or NULL. */
const rp_finding *rp_first_lost(const rp_findings *findings);

/* Turns an error into a fault with the id "<format>.<status>", e.g. "rumble.truncated". */
void rp_note_error(rp_findings *findings, const char *format_name, const reprise_error *error);

#endif
