/*
 * findings.h - problems and oddities that a reader noticed, shown by verify and info.
 *
 * Findings with the same id are counted, and only the first is described: a million unknown chunks
 * take one line. The code has a fixed number of ids, so the memory is bounded too.
 */
#ifndef RP_FINDINGS_H
#define RP_FINDINGS_H

#include "arena.h"

/*
 * One kind of finding. Every family lists its kinds in finding_list.h, from which come the numbers
 * of the kinds (RP_FINDING_NUMBER), a table (RP_FINDING_ROW) and docs/errors.md. An id that is in
 * no list does not compile.
 */
typedef struct rp_finding_kind {
    const char *id;            /* "<format>.<name>"; stable */
    reprise_severity severity; /* the usual one */
    const char *text;          /* one sentence: what it means */
} rp_finding_kind;

#define RP_FINDING_NUMBER(number, severity, id, text) number,
#define RP_FINDING_ROW(number, severity, id, text)    [number] = {id, REPRISE_##severity, text},

/*
 * Findings that every format has: damage without a more specific id. The ids in this table are
 * names of statuses; users see "<format>.<status>".
 */
extern const rp_finding_kind rp_shared_findings[];
extern const size_t rp_shared_finding_count;

/*
 * Severity and status belong together: the functions below are the only way to make a finding, and
 * each of them sets both. A fault always has a status, so an exit code computed from findings
 * cannot miss one.
 */
typedef struct rp_finding {
    reprise_finding about;
    bool ends; /* everything after this place is left out, not only the place itself */
    struct rp_finding *next;
} rp_finding;

typedef struct rp_findings {
    rp_arena *arena;
    rp_finding *first, *last;
} rp_findings;

void rp_findings_init(rp_findings *findings, rp_arena *arena);
/* Drops every finding after `mark` (an earlier value of `last`). */
void rp_findings_rewind(rp_findings *findings, rp_finding *mark);

/* Adds a finding of the usual severity. Out of memory is ignored: the next allocation fails too. */
void rp_note(rp_findings *findings, const rp_finding_kind *kind, const char *stream,
             uint64_t offset, const char *path, const char *format, ...) REPRISE_PRINTF(6, 7);

/* The same with another severity, for a finding that is worse in some files than in others. */
void rp_note_as(rp_findings *findings, const rp_finding_kind *kind, reprise_severity severity,
                const char *stream, uint64_t offset, const char *path, const char *format, ...)
    REPRISE_PRINTF(7, 8);

/* A fault, whatever the usual severity: damage after which reading continues. */
void rp_fault(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
              const char *stream, uint64_t offset, const char *path, const char *format, ...)
    REPRISE_PRINTF(7, 8);

/*
 * A warning that one thing is left out. Reading continues after it, but the result is incomplete;
 * `status` says why.
 */
void rp_note_gap(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
                 const char *stream, uint64_t offset, const char *path, const char *format, ...)
    REPRISE_PRINTF(7, 8);

/* The same for everything from this place on: it matters only to those who read that far. */
void rp_note_lost(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
                  const char *stream, uint64_t offset, const char *path, const char *format, ...)
    REPRISE_PRINTF(7, 8);

/* The worst finding: the first fault, else the first warning, else the first note, or NULL. */
const rp_finding *rp_worst_finding(const rp_findings *findings);
/*
 * Why a result is incomplete: the first fault, else the first thing that was left out, or NULL.
 * rp_note_lost counts only with `read_to_end`.
 */
const rp_finding *rp_first_damage(const rp_findings *findings, bool read_to_end);

/* Moves findings about damage from one list to another one with the same arena. */
void rp_findings_take_damage(rp_findings *findings, rp_findings *from);

/* Turns an error into a fault of a shared kind: "<format>.<status>", e.g. "rumble.truncated". */
void rp_note_error(rp_findings *findings, const char *format_name, const reprise_error *error);

#endif
