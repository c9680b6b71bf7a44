/* findings.c - see findings.h. */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

static rp_finding *add(rp_findings *findings, reprise_severity severity, const char *id,
                       const char *stream, uint64_t offset, const char *path, const char *message)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_finding *finding = rp_arena_alloc(findings->arena, sizeof *finding, &ignored);
    const char *stream_copy = rp_arena_text(findings->arena, stream, strlen(stream), &ignored);
    const char *path_copy = rp_arena_text(findings->arena, path, strlen(path), &ignored);
    const char *message_copy = rp_arena_text(findings->arena, message, strlen(message), &ignored);
    if (ignored.status != REPRISE_OK)
        return NULL;
    finding->about = (reprise_finding){.severity = severity,
                                       .id = id,
                                       .stream = stream_copy,
                                       .offset = offset,
                                       .path = path_copy,
                                       .message = message_copy,
                                       .count = 1};
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    return finding;
}

static void REPRISE_PRINTF(8, 0)
    note(rp_findings *findings, reprise_severity severity, reprise_status status, const char *id,
         const char *stream, uint64_t offset, const char *path, const char *format, va_list args)
{
    rp_finding *same = find(findings, id);
    if (same) {
        same->about.count++;
        return;
    }
    char message[192];
    vsnprintf(message, sizeof message, format, args);
    rp_finding *finding = add(findings, severity, id, stream, offset, path, message);
    if (finding)
        finding->status = status;
}

void rp_note(rp_findings *findings, reprise_severity severity, const char *id, const char *stream,
             uint64_t offset, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(findings, severity, REPRISE_OK, id, stream, offset, path, format, args);
    va_end(args);
}

void rp_fault(rp_findings *findings, reprise_status status, const char *id, const char *stream,
              uint64_t offset, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(findings, REPRISE_FAULT, status, id, stream, offset, path, format, args);
    va_end(args);
}

void rp_note_lost(rp_findings *findings, reprise_status status, const char *id, const char *stream,
                  uint64_t offset, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(findings, REPRISE_WARNING, status, id, stream, offset, path, format, args);
    va_end(args);
}

const rp_finding *rp_first_lost(const rp_findings *findings)
{
    const rp_finding *f = findings->first;
    while (f && !(f->about.severity == REPRISE_WARNING && f->status != REPRISE_OK))
        f = f->next;
    return f;
}

void rp_note_error(rp_findings *findings, const char *format_name, const reprise_error *error)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    const char *id = rp_arena_format(findings->arena, &ignored, "%s.%s", format_name,
                                     reprise_status_name(error->status));
    rp_finding *finding = id ? add(findings, REPRISE_FAULT, id, error->stream, error->offset,
                                   error->path, error->message)
                             : NULL;
    if (finding)
        finding->status = error->status;
}
