/* redaction_report.c - see redaction_report.h. */
#include "redaction_report.h"

#include "hash.h"
#include "info.h"

/* ---- private data before and after ---- */

static uint64_t count_of(const rp_private *found, const rp_private_item *like)
{
    for (size_t i = 0; i < found->count; i++) {
        const rp_private_item *item = &found->items[i];
        if (item->kind == like->kind && !item->reason && strcmp(item->what, like->what) == 0)
            return item->count;
    }
    return 0;
}

static reprise_status expect_gone(const rp_private *after, uint32_t remove, reprise_error *error)
{
    for (size_t i = 0; i < after->count; i++) {
        const rp_private_item *item = &after->items[i];
        if (item->reason || !rp_private_is_removed(remove, item->kind))
            continue;
        rp_error_set(error, REPRISE_E_CORRUPT, "%s: %llu still in the result, which is discarded",
                     item->what, (unsigned long long)item->count);
        rp_error_advise(error, REPRISE_HINT_KEEP);
        return error->status;
    }
    return REPRISE_OK;
}

static bool has_kind(const rp_private *found, uint32_t kind)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].kind == kind && !found->items[i].reason)
            return true;
    }
    return false;
}

/* Another layout may store kept data elsewhere; that is not a removal. */
static void list_removed(rp_doc *doc, reprise_value *report, const rp_private *before,
                         const rp_private *after, uint32_t remove)
{
    reprise_value *list = rp_set_array(doc, report, "removed");
    for (size_t i = 0; i < before->count; i++) {
        rp_private_item item = before->items[i];
        uint64_t left = count_of(after, &item);
        bool moved = !rp_private_is_removed(remove, item.kind) && has_kind(after, item.kind);
        if (item.reason || left >= item.count || moved)
            continue;
        item.count -= left;
        rp_info_private_item(doc, list, &item);
    }
}

static const char *why_kept(uint32_t kind)
{
    return kind == RP_PRIVATE_MARKS ? "removed only on request" : "removal was not requested";
}

static void list_kept(rp_doc *doc, reprise_value *report, const rp_private *after)
{
    reprise_value *list = rp_set_array(doc, report, "kept");
    for (size_t i = 0; i < after->count; i++) {
        const rp_private_item *item = &after->items[i];
        if (!item->reason)
            rp_set_text(doc, rp_info_private_item(doc, list, item), "why", why_kept(item->kind));
    }
}

/* What the search could not prove, and texts that no program can decide on. */
static void list_unproven(rp_doc *doc, reprise_value *report, const rp_private *after,
                          uint32_t remove)
{
    reprise_value *list = rp_set_array(doc, report, "unproven");
    const reprise_value *unproven = rp_get(rp_get(report, "proof"), "unproven");
    for (size_t i = 0; i < reprise_value_count(unproven); i++) {
        const reprise_value *from = reprise_value_at(unproven, i);
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "what", rp_get_text(from, "what"));
        rp_set_uint(doc, one, "count", 1);
        rp_set_text(doc, one, "why", rp_get_text(from, "reason"));
        rp_set_bool(doc, one, "warning", true);
    }
    for (size_t i = 0; i < after->count; i++) {
        const rp_private_item *item = &after->items[i];
        if (!item->reason || !rp_private_is_removed(remove, item->kind))
            continue;
        reprise_value *one = rp_info_private_item(doc, list, item);
        rp_set_text(doc, one, "why", item->reason);
        rp_set_bool(doc, one, "warning", item->warns);
    }
}

/* ---- digests ---- */

static reprise_status set_digest(rp_doc *doc, reprise_value *report, const char *key,
                                 rp_context *context, rp_source *source, reprise_error *error)
{
    uint8_t digest[RP_SHA256_SIZE];
    RP_TRY(rp_sha256_source(context, source, digest, error));
    reprise_value *file = rp_set_object(doc, report, key);
    rp_set_uint(doc, file, "size", rp_source_size(source));
    rp_set(doc, file, "sha256", rp_new_hex(doc, digest, sizeof digest));
    return REPRISE_OK;
}

/* ---- all of it ---- */

static reprise_status find_in_result(const rp_replay *source, rp_source *bytes, rp_private *after,
                                     reprise_error *error)
{
    rp_replay *result = NULL;
    reprise_status status = rp_replay_open(source->context, bytes, source->format->name, NULL,
                                           &result, error);
    if (status == REPRISE_OK)
        status = rp_private_find(result, UINT64_MAX, after, error);
    rp_replay_close(result);
    return status;
}

reprise_status rp_redaction_report(rp_replay *source, uint32_t remove, rp_sink *sink, rp_doc *doc,
                                   reprise_value *report, reprise_error *error)
{
    rp_private before = {.damage = REPRISE_ERROR_INIT}, after = {.damage = REPRISE_ERROR_INIT};
    rp_source *bytes = NULL;
    RP_TRY(rp_private_find(source, UINT64_MAX, &before, error));
    RP_TRY(rp_sink_reopen(sink, &bytes, error));
    reprise_status status = find_in_result(source, bytes, &after, error);
    if (status == REPRISE_OK && after.incomplete)
        status = rp_error_set(error, REPRISE_E_CORRUPT,
                              "the result cannot be searched completely and is discarded: %.100s",
                              after.damage.message);
    if (status == REPRISE_OK)
        status = expect_gone(&after, remove, error);
    if (status == REPRISE_OK)
        status = set_digest(doc, report, "input", source->context, source->source, error);
    if (status == REPRISE_OK)
        status = set_digest(doc, report, "output", source->context, bytes, error);
    rp_source_close(bytes);
    RP_TRY(status);
    list_removed(doc, report, &before, &after, remove);
    list_kept(doc, report, &after);
    list_unproven(doc, report, &after, remove);
    return REPRISE_OK;
}
