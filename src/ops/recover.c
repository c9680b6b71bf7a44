/* recover.c - see recover.h. */
#include "recover.h"

#include <string.h>

#include "describe.h"
#include "edit.h"

static bool is_text(const reprise_value *object, const char *member, const char *text)
{
    const char *there = rp_get_text(object, member);
    return there && strcmp(there, text) == 0;
}

/* Whether the result has the same warning; then nothing was lost. */
static bool remains(const reprise_value *report, const rp_finding *f)
{
    const reprise_value *list = rp_get(report, "remains");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        if (is_text(one, "id", f->about.id) && is_text(one, "message", f->about.message))
            return true;
    }
    return false;
}

void rp_report_lost(const rp_replay *salvaged, rp_doc *doc, reprise_value *report)
{
    reprise_value *lost = rp_set_array(doc, report, "lost");
    for (const rp_finding *f = salvaged->findings.first; f; f = f->next) {
        if (f->about.severity == REPRISE_NOTE || remains(report, f))
            continue;
        reprise_value *one = rp_push_object(doc, lost);
        rp_describe_finding(doc, one, f);
    }
}

reprise_status rp_recover(rp_replay *salvaged, const rp_write_options *options,
                          const rp_target *target, rp_doc *doc, reprise_value *report,
                          reprise_error *error)
{
    if (!salvaged->salvage)
        return rp_error_set(error, REPRISE_E_USAGE, "open with options.salvage to recover");
    rp_edit_request request = {.edit = {.layout = options->layout},
                               .level = options->level,
                               .lossy = true,
                               .proves = true};
    RP_TRY(rp_edit_run(salvaged, &request, target, doc, report, error));
    rp_report_lost(salvaged, doc, report);
    return doc->error->status;
}
