/*
 * camera.h - camera animations: XML documents that accompany scenes.
 *
 * A document declares channels and gives a line of numbers per frame. camera_read.c reads it,
 * camera_write.c writes it, camera_scene.c shows it.
 */
#ifndef MCREPLAY_CAMERA_H
#define MCREPLAY_CAMERA_H

#include "analyse.h"
#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "timeline.h"
#include "xml.h"

enum { MC_CAMERA_CHANNELS_MAX = 64, MC_CAMERA_VALUES_MAX = 256 };

#define MC_NUMBER(F, T) F(T, item, F64, 0, NULL, "number")
RP_STRUCT(mc_number, MC_NUMBER);

#define MC_CAMERA_FRAME(F, T)                                                       \
    F(T, pos_x, F64, 0, NULL, "where it is, metres")                                \
    F(T, pos_y, F64, 0, NULL, "where it is, metres")                                \
    F(T, pos_z, F64, 0, NULL, "where it is, metres")                                \
    F(T, pitch, F64, 0, NULL, "radians, from straight down upwards; applied first") \
    F(T, yaw, F64, 0, NULL, "radians, from north to west; applied last")            \
    F(T, roll, F64, 0, NULL, "radians, about south; applied after the pitch")       \
    F(T, rot_x, F64, 0, NULL, "rotation, as stored")                                \
    F(T, rot_y, F64, 0, NULL, "rotation, as stored")                                \
    F(T, rot_z, F64, 0, NULL, "rotation, as stored")                                \
    F(T, rot_w, F64, 0, NULL, "rotation, as stored")                                \
    F(T, fov, F64, 0, NULL, "field of view, degrees")                               \
    F(T, others, SEQ, 0, &mc_number_record, "numbers of unknown channels")
RP_STRUCT(mc_camera_frame, MC_CAMERA_FRAME);

typedef enum mc_camera_track { MC_CAMERA_FRAMES, MC_CAMERA_TRACK_COUNT } mc_camera_track;
enum { MC_CAMERA_RECORD_COUNT = 2 };

extern const rp_track mc_camera_tracks[MC_CAMERA_TRACK_COUNT];
extern const rp_record *const mc_camera_records[MC_CAMERA_RECORD_COUNT];

/*
 * The layout of a line: the field of each number, or mc_camera_frame_F_others for a number of an
 * unknown channel.
 */
typedef struct mc_camera_form {
    uint8_t fields[MC_CAMERA_VALUES_MAX];
    size_t count, others;
    uint64_t present; /* bit per field */
} mc_camera_form;

typedef struct mc_camera {
    rp_replay base;
    reprise_value *header; /* {"attributes": {name: text}, "channels": [{name, size}]} */
    mc_camera_form form;
    double fps;
    double offset[3]; /* from the scene back to the game's world */
    double fov;       /* of the document; NaN: not given */
} mc_camera;

/* Iterates over the lines of a document. */
typedef struct mc_camera_cursor {
    mc_camera *camera;
    rp_xml *xml;
    const char *text; /* not read yet */
    size_t size;
    uint64_t offset;
    rp_writer line;
    bool after_cr, ended, finished;
    int64_t blanks; /* blank lines since the last frame */
    int64_t frame;  /* frames read so far */
    mc_camera_frame values;
    mc_number others[MC_CAMERA_VALUES_MAX];
} mc_camera_cursor;

/* ---- camera_read.c ---- */

/* Reads the channels of a header; fails with what is wrong with them. */
reprise_status mc_camera_form_of(const reprise_value *header, mc_camera_form *ret_form,
                                 reprise_error *error);
double *mc_camera_value(mc_camera_frame *frame, uint8_t field);

/* Close the cursor, also after a failure. */
reprise_status mc_camera_open(mc_camera *camera, mc_camera_cursor *ret_cursor,
                              reprise_error *error);
/* Reads the next frame into `values`. REPRISE_END after the last. */
reprise_status mc_camera_next(mc_camera_cursor *cursor, reprise_error *error);
void mc_camera_close(mc_camera_cursor *cursor);

typedef struct mc_camera_decoder {
    rp_decoder base;
    mc_camera_cursor cursor;
    bool ready; /* a seek has already read the next frame */
} mc_camera_decoder;

reprise_status mc_camera_open_xml(rp_context *context, rp_source *source, rp_xml **ret_xml,
                                  reprise_error *error);
reprise_status mc_camera_read_header(rp_replay *replay, reprise_error *error);
reprise_status mc_camera_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status mc_camera_decode_next(rp_decoder *decoder, reprise_error *error);
reprise_status mc_camera_decode_seek(rp_decoder *decoder, reprise_moment moment,
                                     reprise_error *error);
void mc_camera_decode_end(rp_decoder *decoder);

/* ---- camera_write.c ---- */

typedef struct mc_camera_encoder {
    rp_encoder base;
    mc_camera_form form;
    rp_writer out;
    bool any; /* a frame was written */
} mc_camera_encoder;

reprise_status mc_camera_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status mc_camera_encode_rows(rp_encoder *encoder, const rp_batch *batch,
                                     reprise_error *error);
reprise_status mc_camera_encode_end(rp_encoder *encoder, reprise_error *error);
void mc_camera_encode_free(rp_encoder *encoder);
reprise_status mc_camera_plan(rp_plan *plan, reprise_error *error);
reprise_status mc_camera_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);

/* ---- camera_analyse.c ---- */

typedef struct mc_camera_metrics {
    int64_t frames;
    double distance, top_speed;       /* metres, metres per second */
    double narrowest_fov, widest_fov; /* degrees, if there are frames */
} mc_camera_metrics;

reprise_status mc_camera_analyse(mc_camera *camera, rp_arena *arena, mc_camera_metrics *ret_metrics,
                                 reprise_error *error);
/* The field of view of a frame in degrees. */
double mc_camera_fov(const mc_camera *camera, const mc_camera_frame *frame);

/* ---- camera_timeline.c ---- */

/* Starts zeroed, with a timeline. */
typedef struct mc_camera_timeline {
    rp_timeline *timeline;
    rp_series *speed, *fov;
    rp_path *path;
    mc_motion motion;
    float time; /* of the last frame, if motion.any */
} mc_camera_timeline;

void mc_camera_timeline_begin(mc_camera_timeline *lines, int32_t node);
/* Adds a frame at a time of the scene. */
void mc_camera_timeline_frame(mc_camera_timeline *lines, const mc_camera *camera,
                              const mc_camera_frame *frame, float now);

/* ---- camera_info.c, camera_stats.c, camera_scene.c ---- */

/* camera_write.c: finds private data, by value. */
reprise_status mc_camera_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
void mc_camera_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);
reprise_status mc_camera_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status mc_camera_info(rp_replay *replay, rp_doc *doc, reprise_value *info,
                              reprise_error *error);
extern const rp_summary mc_camera_summary;
reprise_status mc_camera_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error);
reprise_status mc_camera_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error);

#endif
