/* camera_timeline.c - speed, field of view and path of a camera. */
#include "camera.h"

void mc_camera_timeline_begin(mc_camera_timeline *lines, int32_t node)
{
    rp_timeline *t = lines->timeline;
    lines->speed = rp_plot_series(t, rp_timeline_plot(t, "speed", "Speed", "m/s", "line", 0, 0),
                                  "speed", -1);
    lines->fov = rp_plot_series(t, rp_timeline_plot(t, "fov", "Field of view", "deg", "line", 0, 0),
                                "fov", -1);
    lines->path = rp_timeline_path(t, "camera", -1);
    reprise_value *recorded = rp_push_object(&t->doc, t->cameras);
    rp_set_text(&t->doc, recorded, "id", "camera");
    rp_set_text(&t->doc, recorded, "kind", "node");
    rp_set_int(&t->doc, recorded, "node", node);
}

void mc_camera_timeline_frame(mc_camera_timeline *lines, const mc_camera *camera,
                              const mc_camera_frame *frame, float now)
{
    rp_timeline *t = lines->timeline;
    float passed = now - lines->time;
    bool first = !lines->motion.any;
    double metres = mc_motion_step(&lines->motion, frame->pos_x, frame->pos_y, frame->pos_z);
    double speed = !first && passed > 0 ? metres / (double)passed : 0;
    if (!first)
        rp_series_add(t, lines->speed, (double)now, speed);
    rp_series_add(t, lines->fov, (double)now, mc_camera_fov(camera, frame));
    rp_path_add(t, lines->path,
                &(rp_path_point){
                    .x = (float)frame->pos_x, .z = (float)frame->pos_z, .speed = (float)speed});
    rp_timeline_clock(t, now);
    lines->time = now;
}
