/* playable.c - see playable.h. */
#include "playable.h"

#include <string.h>

/* Texts begin with the rule: "rule P3: ...". */
static bool breaks(const reprise_value *broken, const char *rule)
{
    size_t size = strcspn(rule, ":");
    for (size_t i = 0; i < reprise_value_count(broken); i++) {
        const char *text = reprise_value_text(reprise_value_at(broken, i), NULL);
        if (strncmp(text, rule, size + 1) == 0)
            return true;
    }
    return false;
}

static reprise_status check_result(rp_context *context, const rp_format *format, rp_sink *sink,
                                   rp_doc *doc, reprise_value *broken, reprise_error *error)
{
    rp_source *bytes = NULL;
    rp_replay *result = NULL;
    RP_TRY(rp_sink_reopen(sink, &bytes, error));
    reprise_status status = rp_replay_open(context, bytes, format->name, NULL, &result, error);
    if (status == REPRISE_OK)
        status = format->write->playable(result, doc, broken, error);
    rp_replay_close(result);
    rp_source_close(bytes);
    return status;
}

/* Only needed if the result is not playable. Findings of the source were reported before. */
static reprise_status check_source(rp_replay *source, rp_doc *doc, reprise_value *broken,
                                   reprise_error *error)
{
    rp_findings noticed = source->findings;
    rp_findings_init(&source->findings, &source->arena);
    reprise_status status = source->format->write->playable(source, doc, broken, error);
    source->findings = noticed;
    return status;
}

static reprise_status refuse(const reprise_value *broken, const reprise_value *before,
                             reprise_error *error)
{
    for (size_t i = 0; i < reprise_value_count(broken); i++) {
        const char *text = reprise_value_text(reprise_value_at(broken, i), NULL);
        if (breaks(before, text))
            continue;
        rp_error_set(error, REPRISE_E_LOSSY, "the game will not open this: %s", text);
        rp_error_advise(error, REPRISE_HINT_LOSSY);
        return error->status;
    }
    return REPRISE_OK;
}

reprise_status rp_check_playable(rp_context *context, const rp_format *format, rp_replay *source,
                                 rp_sink *sink, bool lossy, rp_doc *doc, reprise_value *report,
                                 reprise_error *error)
{
    if (!format->write || !format->write->playable)
        return REPRISE_OK;
    reprise_value *broken = rp_new_array(doc), *before = rp_new_array(doc);
    RP_TRY(check_result(context, format, sink, doc, broken, error));
    if (!reprise_value_count(broken))
        return doc->error->status;
    reprise_value *unplayable = rp_set_array(doc, report, "unplayable");
    for (size_t i = 0; i < reprise_value_count(broken); i++)
        rp_push(doc, unplayable,
                rp_new_format(doc, "the game will not open this: %s",
                              reprise_value_text(reprise_value_at(broken, i), NULL)));
    if (lossy)
        return doc->error->status;
    if (source)
        RP_TRY(check_source(source, doc, before, error));
    return refuse(broken, before, error);
}
