/* batches.c - the public functions that read batches of columns. */
#include "batches.h"

#include "handle.h"

struct reprise_batches {
    reprise_replay *handle;
    rp_batches batches;
};

reprise_status reprise_batches_open(reprise_replay *handle, size_t track,
                                    const reprise_batch_options *options,
                                    reprise_batches **ret_batches, reprise_error *error)
{
    RP_ENTER(error, handle && ret_batches);
    reprise_batch_options all = REPRISE_BATCH_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    reprise_batches *batches = rp_alloc_zero(&handle->context, 1, sizeof *batches, error);
    if (!batches)
        return error->status;
    batches->handle = rp_retain(handle);
    if (rp_batches_open(&batches->batches, handle->replay, track, &all, error) != REPRISE_OK) {
        reprise_batches_close(batches);
        return error->status;
    }
    *ret_batches = batches;
    return REPRISE_OK;
}

reprise_status reprise_batches_next(reprise_batches *batches, const reprise_batch **ret_batch,
                                    reprise_error *error)
{
    RP_ENTER(error, batches && ret_batch);
    reprise_status status = rp_batches_next(&batches->batches, ret_batch, error);
    return rp_end_with_cut(batches->handle, status, error);
}

void reprise_batches_close(reprise_batches *batches)
{
    if (!batches)
        return;
    reprise_replay *handle = batches->handle;
    rp_batches_close(&batches->batches);
    rp_free(&handle->context, batches, sizeof *batches);
    rp_release(handle);
}
