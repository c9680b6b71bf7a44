/* findings.c - see findings.h. */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"

const rp_finding_kind rp_shared_findings[] = {
    {"checksum", REPRISE_FAULT, "A checksum does not match."},
    {"corrupt", REPRISE_FAULT, "The data contradicts itself or its format."},
    {"limit", REPRISE_FAULT, "A limit was reached; the message names it."},
    {"signature", REPRISE_FAULT, "A signature does not match."},
    {"truncated", REPRISE_FAULT, "The data ends too early."},
    {"unsupported", REPRISE_FAULT, "A part of the file is known but not supported."},
};
const size_t rp_shared_finding_count = RP_COUNT(rp_shared_findings);

void rp_findings_init(rp_findings *findings, rp_arena *arena)
{
    *findings = (rp_findings){.arena = arena};
}

void rp_findings_rewind(rp_findings *findings, rp_finding *mark)
{
    findings->last = mark;
    if (mark)
        mark->next = NULL;
    else
        findings->first = NULL;
}

static rp_finding *find(const rp_findings *findings, const char *id)
{
    for (rp_finding *f = findings->first; f; f = f->next) {
        if (strcmp(f->about.id, id) == 0)
            return f;
    }
    return NULL;
}

/* Severity and status of a finding, which only the functions of the header combine. */
typedef struct grade {
    reprise_severity severity;
    reprise_status status;
    bool ends;
} grade;

static grade fault_of(reprise_status status)
{
    bool none = status == REPRISE_OK || status == REPRISE_END;
    return (grade){.severity = REPRISE_FAULT, .status = none ? REPRISE_E_CORRUPT : status};
}

static grade grade_of(reprise_severity severity)
{
    return severity == REPRISE_FAULT ? fault_of(REPRISE_E_CORRUPT) : (grade){.severity = severity};
}

static bool describe(rp_findings *findings, rp_finding *finding, grade of, const char *stream,
                     uint64_t offset, const char *path, const char *message)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    const char *stream_copy = rp_arena_text(findings->arena, stream, strlen(stream), &ignored);
    const char *path_copy = rp_arena_text(findings->arena, path, strlen(path), &ignored);
    const char *message_copy = rp_arena_text(findings->arena, message, strlen(message), &ignored);
    finding->about.severity = of.severity;
    finding->about.status = of.status;
    finding->ends = of.ends;
    if (ignored.status != REPRISE_OK)
        return false;
    finding->about.stream = stream_copy;
    finding->about.offset = offset;
    finding->about.path = path_copy;
    finding->about.message = message_copy;
    return true;
}

static void add(rp_findings *findings, grade of, const char *id, const char *stream,
                uint64_t offset, const char *path, const char *message)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_finding *finding = rp_arena_alloc(findings->arena, sizeof *finding, &ignored);
    if (!finding)
        return;
    *finding = (rp_finding){.about = {.id = id, .count = 1}};
    if (!describe(findings, finding, of, stream, offset, path, message))
        return;
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
}

/* Whether a new finding replaces an earlier one with the same id. */
static bool worse(grade a, const rp_finding *b)
{
    if (a.severity != b->about.severity)
        return a.severity > b->about.severity;
    return a.status != REPRISE_OK && b->about.status == REPRISE_OK;
}

static void REPRISE_PRINTF(7, 0)
    note(rp_findings *findings, grade of, const char *id, const char *stream, uint64_t offset,
         const char *path, const char *format, va_list args)
{
    rp_finding *same = find(findings, id);
    if (same)
        same->about.count++;
    if (same && !worse(of, same))
        return;
    char message[192];
    vsnprintf(message, sizeof message, format, args);
    if (same)
        (void)describe(findings, same, of, stream, offset, path, message);
    else
        add(findings, of, id, stream, offset, path, message);
}

void rp_note(rp_findings *findings, const rp_finding_kind *kind, const char *stream,
             uint64_t offset, const char *path, const char *format, ...)
{
    grade of = grade_of(kind->severity);
    va_list args;
    va_start(args, format);
    note(findings, of, kind->id, stream, offset, path, format, args);
    va_end(args);
}

void rp_note_as(rp_findings *findings, const rp_finding_kind *kind, reprise_severity severity,
                const char *stream, uint64_t offset, const char *path, const char *format, ...)
{
    grade of = grade_of(severity);
    va_list args;
    va_start(args, format);
    note(findings, of, kind->id, stream, offset, path, format, args);
    va_end(args);
}

void rp_fault(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
              const char *stream, uint64_t offset, const char *path, const char *format, ...)
{
    grade of = fault_of(status);
    va_list args;
    va_start(args, format);
    note(findings, of, kind->id, stream, offset, path, format, args);
    va_end(args);
}

void rp_note_gap(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
                 const char *stream, uint64_t offset, const char *path, const char *format, ...)
{
    grade of = {.severity = REPRISE_WARNING, .status = fault_of(status).status};
    va_list args;
    va_start(args, format);
    note(findings, of, kind->id, stream, offset, path, format, args);
    va_end(args);
}

void rp_note_lost(rp_findings *findings, const rp_finding_kind *kind, reprise_status status,
                  const char *stream, uint64_t offset, const char *path, const char *format, ...)
{
    grade of = {.severity = REPRISE_WARNING, .status = fault_of(status).status, .ends = true};
    va_list args;
    va_start(args, format);
    note(findings, of, kind->id, stream, offset, path, format, args);
    va_end(args);
}

const rp_finding *rp_worst_finding(const rp_findings *findings)
{
    const rp_finding *worst = findings->first;
    for (const rp_finding *f = worst; f; f = f->next) {
        if (f->about.severity > worst->about.severity)
            worst = f;
    }
    return worst;
}

const rp_finding *rp_first_damage(const rp_findings *findings, bool read_to_end)
{
    const rp_finding *gap = NULL;
    for (const rp_finding *f = findings->first; f; f = f->next) {
        if (f->about.severity == REPRISE_FAULT)
            return f;
        if (!gap && f->about.status != REPRISE_OK && (read_to_end || !f->ends))
            gap = f;
    }
    return gap;
}

/* A reader may have noted the same damage under a more specific id. */
static bool is_noted(const rp_findings *findings, const reprise_error *error)
{
    for (const rp_finding *f = findings->first; f; f = f->next) {
        if (f->about.status == error->status && strcmp(f->about.message, error->message) == 0)
            return true;
    }
    return false;
}

void rp_findings_take_damage(rp_findings *findings, rp_findings *from)
{
    for (rp_finding *f = from->first, *next; f; f = next) {
        next = f->next;
        if (f->about.status == REPRISE_OK || find(findings, f->about.id))
            continue;
        f->next = NULL;
        if (findings->last)
            findings->last->next = f;
        else
            findings->first = f;
        findings->last = f;
    }
    from->first = from->last = NULL;
}

void rp_note_error(rp_findings *findings, const char *format_name, const reprise_error *error)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (is_noted(findings, error))
        return;
    const char *id = rp_arena_format(findings->arena, &ignored, "%s.%s", format_name,
                                     reprise_status_name(error->status));
    if (id)
        add(findings, fault_of(error->status), id, error->stream, error->offset, error->path,
            error->message);
}
