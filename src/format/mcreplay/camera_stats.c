/* camera_stats.c - the metrics of a camera animation, and the document of them. */
#include <math.h>

#include "analyse.h"
#include "camera.h"

static const double fov_usual = 70; /* the game's default */

double mc_camera_fov(const mc_camera *camera, const mc_camera_frame *f)
{
    double fov = camera->form.present >> mc_camera_frame_F_fov & 1 ? f->fov : camera->fov;
    return fov > 0 && fov < 180 ? fov : fov_usual;
}

reprise_status mc_camera_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    mc_camera_cursor *cursor = rp_arena_alloc(doc->arena, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    double distance = 0, top = 0, narrow = INFINITY, wide = 0;
    mc_motion motion = {0};
    reprise_status status = mc_camera_open(camera, cursor, error);
    while (status == REPRISE_OK && (status = mc_camera_next(cursor, error)) == REPRISE_OK) {
        const mc_camera_frame *now = &cursor->values;
        double step = mc_motion_step(&motion, now->pos_x, now->pos_y, now->pos_z);
        double fov = mc_camera_fov(camera, now);
        distance += step;
        top = fmax(top, step * camera->fps);
        narrow = fmin(narrow, fov);
        wide = fmax(wide, fov);
    }
    mc_camera_close(cursor);
    if (status != REPRISE_END)
        return status;
    rp_set_f64(doc, recorded, "fps", camera->fps);
    rp_set_int(doc, recorded, "frames", cursor->frame);
    rp_set_f64(doc, derived, "distance", distance);
    rp_set_f64(doc, derived, "top_speed", top);
    if (cursor->frame) {
        rp_set_f64(doc, derived, "narrowest_fov", narrow);
        rp_set_f64(doc, derived, "widest_fov", wide);
    }
    return error->status;
}
