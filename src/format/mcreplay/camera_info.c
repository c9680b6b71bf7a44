/* camera_info.c - describes a camera animation. */
#include <math.h>

#include "camera.h"
#include "info.h"

/* If the file is damaged, returns the damage with the number of frames before it. */
static reprise_status count_frames(mc_camera *camera, int64_t *ret_frames, reprise_error *error)
{
    rp_context *context = camera->base.context;
    mc_camera_cursor *cursor = rp_alloc_zero(context, 1, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    reprise_status status = mc_camera_open(camera, cursor, error);
    while (status == REPRISE_OK)
        status = mc_camera_next(cursor, error);
    *ret_frames = cursor->frame;
    mc_camera_close(cursor);
    rp_free(context, cursor, sizeof *cursor);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Each frame is shown until the next one is due, including the last. */
reprise_status mc_camera_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    int64_t frames = 0;
    reprise_status status = count_frames(camera, &frames, error);
    *ret_seconds = (double)frames / camera->fps;
    return status;
}

static reprise_status set_frames(rp_doc *doc, reprise_value *info, mc_camera *camera,
                                 reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    int64_t frames = 0;
    reprise_status status = count_frames(camera, &frames, &damage);
    if (rp_is_own_failure(camera->base.context, status)) {
        *error = damage;
        return status;
    }
    rp_set_int(doc, info, "frames", frames); /* damage is reported with the length */
    return REPRISE_OK;
}

reprise_status mc_camera_info(rp_replay *base, rp_doc *doc, reprise_value *info,
                              reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    const reprise_value *attributes = rp_get(camera->header, "attributes");
    static const char *const texts[] = {"name", "id", "preview_color"};
    rp_set_text(doc, info, "kind", "camera");
    for (size_t i = 0; i < RP_COUNT(texts); i++)
        rp_set_text_if(doc, info, texts[i], rp_get_text(attributes, texts[i]));
    rp_set_f64(doc, info, "fps", camera->fps);
    RP_TRY(set_frames(doc, info, camera, error));
    reprise_value *offset = rp_set_array(doc, info, "offset");
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, offset, rp_new_f64(doc, camera->offset[i]));
    if (!isnan(camera->fov))
        rp_set_f64(doc, info, "fov", camera->fov);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "header", camera->header);
    return error->status;
}
