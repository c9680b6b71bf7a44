/* verify.c - reprise.h: verifying, and the damage that was met. */
#include "verify.h"
#include "handle.h"

static void sum_up(const rp_findings *findings, reprise_verify_summary *summary)
{
    uint64_t *counts[] = {[REPRISE_NOTE] = &summary->notes,
                          [REPRISE_WARNING] = &summary->warnings,
                          [REPRISE_FAULT] = &summary->faults};
    for (const rp_finding *f = findings->first; f; f = f->next)
        (*counts[f->about.severity])++;
    const rp_finding *worst = rp_worst_finding(findings);
    summary->severity = worst ? worst->about.severity : REPRISE_NOTE;
    summary->worst = summary->severity == REPRISE_FAULT ? worst->about.status : REPRISE_OK;
}

/* A file that is cut short has a fault, although everything in it that was read is sound. */
static void add_cut(const reprise_replay *handle, rp_doc *doc, reprise_finding *ret_finding,
                    reprise_value *list, reprise_verify_summary *summary)
{
    const reprise_error *cut = &handle->cut;
    const char *id = rp_arena_format(doc->arena, doc->error, "%s.%s", handle->replay->format->name,
                                     reprise_status_name(cut->status));
    *ret_finding = (reprise_finding){.severity = REPRISE_FAULT,
                                     .id = id,
                                     .stream = cut->stream,
                                     .offset = cut->offset,
                                     .path = cut->path,
                                     .message = cut->message,
                                     .count = 1,
                                     .status = cut->status};
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "severity", "fault");
    rp_set_text(doc, one, "id", id);
    rp_set_text(doc, one, "stream", cut->stream);
    rp_set_uint(doc, one, "offset", cut->offset);
    rp_set_text(doc, one, "path", cut->path);
    rp_set_text(doc, one, "message", cut->message);
    rp_set_uint(doc, one, "count", 1);
    summary->faults++;
    summary->severity = REPRISE_FAULT;
    summary->worst = cut->status;
}

/*
 * The findings of a file do not depend on what was asked of the handle before: verify uses its
 * replay only if that was nothing, and opens another one the same way after that.
 */
static reprise_status replay_to_verify(reprise_replay *handle, rp_replay **ret_replay,
                                       reprise_error *error)
{
    const rp_replay *own = handle->replay;
    rp_replay *again = NULL;
    rp_replay_close(handle->verified);
    handle->verified = NULL;
    if (own->used && own->salvage)
        RP_TRY(rp_replay_open_damaged(&handle->context, handle->source, own->format->name,
                                      handle->layout, &again, error));
    else if (own->used)
        RP_TRY(rp_replay_open(&handle->context, handle->source, own->format->name, handle->layout,
                              &again, error));
    if (again)
        again->cut = own->cut;
    handle->verified = again;
    *ret_replay = handle->verified ? handle->verified : rp_use(handle);
    return REPRISE_OK;
}

reprise_status reprise_verify(reprise_replay *handle,
                              void (*finding)(void *ctx, const reprise_finding *finding), void *ctx,
                              reprise_verify_summary *ret_summary, reprise_error *error)
{
    RP_ENTER(error, handle);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *document = rp_new_object(&doc);
    rp_replay *replay = NULL;
    RP_TRY(replay_to_verify(handle, &replay, error));
    RP_TRY(rp_verify(replay, &doc, document, error));
    const rp_findings *findings = &replay->findings;
    reprise_verify_summary summary = {.document = document};
    sum_up(findings, &summary);
    reprise_value *list = rp_describe_findings(&doc, findings);
    reprise_finding cut = {.id = NULL};
    if (handle->cut.status != REPRISE_OK)
        add_cut(handle, &doc, &cut, list, &summary);
    for (const rp_finding *f = findings->first; f && finding; f = f->next)
        finding(ctx, &f->about);
    if (cut.id && finding)
        finding(ctx, &cut);
    rp_set(&doc, document, "findings", list);
    if (ret_summary)
        *ret_summary = summary;
    return error->status;
}

bool reprise_damage(const reprise_replay *handle, reprise_error *ret_damage)
{
    if (!handle)
        return false;
    reprise_error damage = handle->cut;
    bool damaged = damage.status != REPRISE_OK ||
                   (handle->verified && rp_replay_damage(handle->verified, &damage)) ||
                   rp_replay_damage(handle->replay, &damage);
    if (damaged && ret_damage)
        *ret_damage = damage;
    return damaged;
}
