/*
 * show.h - a replay made visible: its scene and its timeline, with what info and findings say about
 * it. One pass over the replay serves every picture of it.
 */
#ifndef RP_SHOW_H
#define RP_SHOW_H

#include "describe.h"
#include "glb.h"

typedef struct rp_show {
    rp_replay *replay;
    rp_scene scene;
    rp_timeline timeline;
    reprise_error damage;   /* why it ends before the recording does; OK if it does not */
    reprise_error left_out; /* what else was skipped or does not fit; OK if nothing */
} rp_show;

/*
 * `name` is what the replay is called. Damage is no failure as long as something can be shown: it
 * is kept in `damage` and among the timeline's warnings. rp_show_close also after a failure.
 */
reprise_status rp_show_open(rp_show *show, rp_replay *replay, const rp_scene_options *options,
                            const char *name, reprise_error *error);
void rp_show_close(rp_show *show);

#endif
