/*
 * findings.h - what a reader noticed: collected while reading, shown by verify and info.
 *
 * Findings of one id are counted, and only the first is described: a million unknown chunks are
 * one line. The number of different ids is bounded by the code, so memory is too.
 */
#ifndef RP_FINDINGS_H
#define RP_FINDINGS_H

#include "arena.h"

/*
 * How bad a finding is. Severity and status are not chosen apart from each other: the functions
 * below are the only way to make a finding, and each of them fixes both. A fault always has a
 * status, so that an exit code made of findings cannot miss one.
 */
typedef struct rp_finding {
    reprise_finding about;
    bool ends; /* everything after it is left out, not only the place itself */
    struct rp_finding *next;
} rp_finding;

typedef struct rp_findings {
    rp_arena *arena;
    rp_finding *first, *last;
} rp_findings;

void rp_findings_init(rp_findings *findings, rp_arena *arena);
/* Forgets everything that came after `mark` (the value of `last` at some time). */
void rp_findings_rewind(rp_findings *findings, rp_finding *mark);

/*
 * A remark or a warning. `id` must be a literal: it is kept. Memory trouble is ignored here; the
 * next allocation tells. A severity of REPRISE_FAULT is taken for rp_fault with REPRISE_E_CORRUPT.
 */
void rp_note(rp_findings *findings, reprise_severity severity, const char *id, const char *stream,
             uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/* The same for damage that does not keep a reader from going on: `status` is its kind. */
void rp_fault(rp_findings *findings, reprise_status status, const char *id, const char *stream,
              uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/*
 * A warning that one thing is left out: readers go on after it, but what they give is not all.
 * `status` is what the same would be where a format cannot go on.
 */
void rp_note_gap(rp_findings *findings, reprise_status status, const char *id, const char *stream,
                 uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/* The same for everything from here on: it concerns those only who read so far. */
void rp_note_lost(rp_findings *findings, reprise_status status, const char *id, const char *stream,
                  uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(7, 8);

/* The worst finding: the first fault, else the first warning, else the first note, or NULL. */
const rp_finding *rp_worst_finding(const rp_findings *findings);
/*
 * What keeps a result from being all that the file held: the first fault, else the first thing
 * that was left out, or NULL. What ends a file counts only for those who `read_to_end`.
 */
const rp_finding *rp_first_damage(const rp_findings *findings, bool read_to_end);

/* Moves findings about damage from one list to another one with the same arena. */
void rp_findings_take_damage(rp_findings *findings, rp_findings *from);

/* Turns an error into a fault with the id "<format>.<status>", e.g. "rumble.truncated". */
void rp_note_error(rp_findings *findings, const char *format_name, const reprise_error *error);

#endif
