/*
 * scene_export.h - a replay made visible: its scene and its timeline, with what info and findings
 * say about it. One pass over the replay serves every picture of it.
 */
#ifndef RP_SCENE_EXPORT_H
#define RP_SCENE_EXPORT_H

#include "describe.h"
#include "glb.h"

typedef struct rp_scene_export {
    rp_replay *replay;
    rp_scene scene;
    rp_timeline timeline;
    reprise_error damage;   /* why it ends before the recording does; OK if it does not */
    reprise_error left_out; /* what else was skipped or does not fit; OK if nothing */
} rp_scene_export;

/*
 * `name` is what the replay is called. Damage is no failure as long as something can be shown: it
 * is kept in `damage` and among the timeline's warnings. rp_scene_export_close also after a
 * failure.
 */
reprise_status rp_scene_export_open(rp_scene_export *show, rp_replay *replay,
                                    const rp_scene_options *options, const char *name,
                                    reprise_error *error);
void rp_scene_export_close(rp_scene_export *show);

#endif
