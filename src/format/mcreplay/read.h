/* read.h - the state of a decoder; shared by read.c and read_seek.c. */
#ifndef MCREPLAY_READ_H
#define MCREPLAY_READ_H

#include "mcreplay.h"

/* Stages of reading. The world comes last, so that a damaged one costs nothing else. */
typedef enum mc_stage {
    MC_STAGE_MATERIALS,
    MC_STAGE_TEXTURES,
    MC_STAGE_ENTITIES,
    MC_STAGE_WORLD_MATERIALS,
    MC_STAGE_WORLD_TEXTURES,
    MC_STAGE_WORLD_MESHES,
    MC_STAGE_WORLD,
    MC_STAGE_MOMENT, /* after a seek: only the state at a moment */
    MC_STAGE_DONE,
} mc_stage;

typedef struct mc_interpolation mc_interpolation;

/* A block that changed since the last whole frame. */
typedef struct mc_changed_blocks {
    mc_block *blocks;
    size_t count, capacity;
    uint32_t *slots; /* numbers + 1, by place */
    size_t slot_count;
} mc_changed_blocks;

typedef struct mc_decoder {
    rp_decoder base;
    mc_stage stage;
    size_t item;    /* of the stage */
    rp_arena arena; /* of the step */
    mc_entity_reader *entity;
    mc_interpolation *between; /* NULL: omitted values are held */
    mc_world_reader *world;
    rp_obj_reader *obj;
    mc_material material;
    mc_texture texture;
    mc_mesh mesh;
    double moment;
    int64_t moment_frame;
    mc_entity_reader **present; /* the moment's entities */
    size_t present_count;
    mc_changed_blocks changed;
} mc_decoder;

/* Rows of an entity's current frame; all parts and channels if `dense`. */
reprise_status mc_emit_entity(mc_decoder *d, const mc_entity *entity, uint32_t index, int64_t frame,
                              double time, bool dense, reprise_error *error);
/* Gives the rows of the state at the moment. */
reprise_status mc_read_moment(mc_decoder *d, reprise_error *error);
void mc_free_moment(mc_decoder *d);

/* ---- read_interpolate.c ---- */

/* For the entity of that index, whose reader is before its first frame. */
reprise_status mc_interpolation_open(mc_replay *replay, size_t index, const mc_entity *entity,
                                     mc_interpolation **ret_between, reprise_error *error);
/* The entity at its reader's current frame, with omitted values interpolated. */
reprise_status mc_interpolation_frame(mc_interpolation *between, const mc_entity *entity,
                                      uint64_t frame, const mc_entity **ret_entity,
                                      reprise_error *error);
void mc_interpolation_close(mc_interpolation *between);

#endif
