/* camera_analyse.c - the metrics of a camera animation. */
#include <math.h>

#include "camera.h"

static const double default_fov = 70; /* the game's */

double mc_camera_fov(const mc_camera *camera, const mc_camera_frame *f)
{
    double fov = camera->form.present >> mc_camera_frame_F_fov & 1 ? f->fov : camera->fov;
    return fov > 0 && fov < 180 ? fov : default_fov;
}

reprise_status mc_camera_analyse(mc_camera *camera, rp_arena *arena, mc_camera_metrics *ret_metrics,
                                 reprise_error *error)
{
    mc_camera_cursor *cursor = rp_arena_alloc(arena, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    mc_camera_metrics m = {.narrowest_fov = INFINITY};
    mc_motion motion = {0};
    reprise_status status = mc_camera_open(camera, cursor, error);
    while (status == REPRISE_OK && (status = mc_camera_next(cursor, error)) == REPRISE_OK) {
        const mc_camera_frame *now = &cursor->values;
        double step = mc_motion_step(&motion, now->pos_x, now->pos_y, now->pos_z);
        double fov = mc_camera_fov(camera, now);
        m.distance += step;
        m.top_speed = fmax(m.top_speed, step * camera->fps);
        m.narrowest_fov = fmin(m.narrowest_fov, fov);
        m.widest_fov = fmax(m.widest_fov, fov);
    }
    m.frames = cursor->frame;
    mc_camera_close(cursor);
    *ret_metrics = m;
    return status == REPRISE_END ? REPRISE_OK : status;
}
