/*
 * glb.h - writes a scene as glTF 2.0: one binary file, or one JSON text with the same bytes inside.
 *
 * Static bytes come first, then the times and values of the keys, so that a viewer can draw the
 * first picture before everything has arrived. Keys are streamed from the spool to the sink.
 */
#ifndef RP_GLB_H
#define RP_GLB_H

#include "timeline.h"

typedef struct rp_glb_options {
    bool text;          /* .gltf with the bytes as a data URI, else .glb */
    const char *name;   /* of the scene and its animation */
    const char *format; /* of the recording */
} rp_glb_options;

/*
 * Scene and timeline must be complete. The markers of the timeline are written too; it may be NULL.
 */
reprise_status rp_glb_write(rp_scene *scene, const rp_timeline *timeline,
                            const rp_glb_options *options, rp_sink *sink, reprise_error *error);

#endif
