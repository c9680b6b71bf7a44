/* output.c - see output.h. */
#include "output.h"

reprise_status rp_output_open(rp_context *context, const rp_target *target, rp_output *ret_output,
                              reprise_error *error)
{
    rp_output output = {
        .context = context, .callback = target->callback, .discard = target->discard};
    if (!target->discard && !target->path == !target->callback)
        return rp_error_set(error, REPRISE_E_USAGE, "the result needs a file or a sink");
    if (target->discard || target->callback)
        RP_TRY(rp_sink_open_spool(context, NULL, &output.sink, error));
    else
        RP_TRY(rp_sink_open_file(context, target->path, target->replace, target->mode, &output.sink,
                                 error));
    *ret_output = output;
    return REPRISE_OK;
}

reprise_status rp_output_commit(rp_output *output, reprise_error *error)
{
    if (output->discard)
        return REPRISE_OK;
    if (!output->callback)
        return rp_sink_commit(output->sink, error);
    rp_source *result = NULL;
    rp_sink *callback = NULL;
    reprise_status status = rp_sink_reopen(output->sink, &result, error);
    if (status == REPRISE_OK)
        status = rp_sink_open_callback(output->context, output->callback, &callback, error);
    if (status == REPRISE_OK)
        status = rp_sink_copy(callback, result, error);
    rp_sink_close(callback);
    rp_source_close(result);
    return status;
}

void rp_output_close(rp_output *output)
{
    rp_sink_close(output->sink);
    output->sink = NULL;
}
