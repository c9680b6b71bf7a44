/*
 * scene_export.h - the scene and the timeline of a replay, with its info and findings, built in one
 * pass.
 */
#ifndef RP_SCENE_EXPORT_H
#define RP_SCENE_EXPORT_H

#include "describe.h"
#include "glb.h"

typedef struct rp_scene_export {
    rp_replay *replay;
    rp_scene scene;
    rp_timeline timeline;
    reprise_error damage;   /* why it ends before the recording does; OK if it is complete */
    reprise_error left_out; /* what else was skipped or is inconsistent; OK if nothing */
} rp_scene_export;

/*
 * `name` is the title of the replay. Damage is not a failure as long as something can be shown: it
 * is kept in `damage` and in the warnings of the timeline. Call rp_scene_export_close also after a
 * failure.
 */
reprise_status rp_scene_export_open(rp_scene_export *export, rp_replay *replay,
                                    const rp_scene_options *options, const char *name,
                                    reprise_error *error);
void rp_scene_export_close(rp_scene_export *export);

#endif
