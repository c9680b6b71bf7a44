/* camera_stats.c - the metrics of a camera animation as a document. */
#include "camera.h"

reprise_status mc_camera_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    mc_camera_metrics m;
    RP_TRY(mc_camera_analyse(camera, doc->arena, &m, error));
    rp_set_f64(doc, recorded, "fps", camera->fps);
    rp_set_int(doc, recorded, "frames", m.frames);
    rp_set_f64(doc, derived, "distance", m.distance);
    rp_set_f64(doc, derived, "top_speed", m.top_speed);
    if (m.frames) {
        rp_set_f64(doc, derived, "narrowest_fov", m.narrowest_fov);
        rp_set_f64(doc, derived, "widest_fov", m.widest_fov);
    }
    return error->status;
}
