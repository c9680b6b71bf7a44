/* foreign.c - the public side of reprise_foreign. */
#include "reprise/foreign.h"
#include "handle.h"

struct reprise_foreign {
    reprise_replay *handle;
    rp_foreign foreign;
};

static reprise_status fill(rp_replay *replay, rp_foreign *foreign, reprise_error *error)
{
    if (!replay->format->foreign)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s replays hold no orders of this form",
                            replay->format->name);
    RP_TRY(replay->format->foreign->read(replay, foreign, error));
    return rp_foreign_finish(foreign, error);
}

reprise_status reprise_foreign_new(reprise_replay *handle, reprise_foreign **ret_foreign,
                                   reprise_error *error)
{
    RP_ENTER(error, handle && ret_foreign);
    reprise_foreign *foreign = rp_alloc_zero(&handle->context, 1, sizeof *foreign, error);
    if (!foreign)
        return error->status;
    foreign->handle = rp_retain(handle);
    rp_foreign_init(&foreign->foreign, &handle->context);
    reprise_status status = fill(rp_use(handle), &foreign->foreign, error);
    if (status != REPRISE_OK) {
        reprise_foreign_free(foreign);
        return status;
    }
    *ret_foreign = foreign;
    return REPRISE_OK;
}

void reprise_foreign_free(reprise_foreign *foreign)
{
    if (!foreign)
        return;
    reprise_replay *handle = foreign->handle;
    rp_foreign_reset(&foreign->foreign);
    rp_free(&handle->context, foreign, sizeof *foreign);
    rp_release(handle);
}

const reprise_value *reprise_foreign_about(const reprise_foreign *foreign)
{
    if (!foreign)
        return NULL;
    return foreign->foreign.about;
}

size_t reprise_foreign_count(const reprise_foreign *foreign)
{
    if (!foreign)
        return 0;
    return foreign->foreign.frame_count;
}

const reprise_foreign_frame *reprise_foreign_at(const reprise_foreign *foreign, size_t index)
{
    if (!foreign)
        return NULL;
    return index < foreign->foreign.frame_count ? &foreign->foreign.frames[index] : NULL;
}

const char *reprise_foreign_kind_name(reprise_foreign_kind kind)
{
    return rp_foreign_kind_name(kind);
}
