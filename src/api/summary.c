/* summary.c - the public function for summaries. */
#include "handle.h"

reprise_status reprise_summary(reprise_replay *handle, bool complete,
                               const reprise_value **ret_summary, reprise_error *error)
{
    const reprise_value *info = NULL;
    RP_ENTER(error, handle && ret_summary);
    RP_TRY(reprise_info(handle, &info, error));
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *summary = NULL;
    RP_TRY(rp_describe_summary(handle->replay, &doc, info, complete, &summary, error));
    *ret_summary = summary;
    return REPRISE_OK;
}
