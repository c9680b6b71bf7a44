/* batches.c - the public functions that read batches of columns. */
#include "batches.h"

#include "handle.h"
#include "whole.h"

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
    if (rp_batches_open(&batches->batches, rp_use(handle), track, &all, false, error) !=
        REPRISE_OK) {
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

/* ---- single values ---- */

static bool has_value(const reprise_array *array, size_t index)
{
    if (!array || index >= array->length || !array->values)
        return false;
    return !array->validity || (array->validity[index / 8] >> index % 8 & 1);
}

int64_t reprise_array_int(const reprise_array *array, size_t index)
{
    if (!has_value(array, index))
        return 0;
    const void *values = array->values;
    switch (array->type) {
    case REPRISE_ARRAY_BOOL:
        return ((const uint8_t *)values)[index / 8] >> index % 8 & 1;
    case REPRISE_ARRAY_INT8:
        return ((const int8_t *)values)[index];
    case REPRISE_ARRAY_INT16:
        return ((const int16_t *)values)[index];
    case REPRISE_ARRAY_INT32:
        return ((const int32_t *)values)[index];
    case REPRISE_ARRAY_INT64:
        return ((const int64_t *)values)[index];
    case REPRISE_ARRAY_UINT8:
        return ((const uint8_t *)values)[index];
    case REPRISE_ARRAY_UINT16:
        return ((const uint16_t *)values)[index];
    case REPRISE_ARRAY_UINT32:
        return ((const uint32_t *)values)[index];
    case REPRISE_ARRAY_UINT64:
        return (int64_t)((const uint64_t *)values)[index];
    case REPRISE_ARRAY_FLOAT:
    case REPRISE_ARRAY_DOUBLE:
        return rp_whole(reprise_array_double(array, index));
    default:
        return 0;
    }
}

double reprise_array_double(const reprise_array *array, size_t index)
{
    if (!has_value(array, index))
        return 0;
    if (array->type == REPRISE_ARRAY_FLOAT)
        return (double)((const float *)array->values)[index];
    if (array->type == REPRISE_ARRAY_DOUBLE)
        return ((const double *)array->values)[index];
    if (array->type == REPRISE_ARRAY_UINT64)
        return (double)((const uint64_t *)array->values)[index];
    return (double)reprise_array_int(array, index);
}
