/*
 * scene_builder.h - what the files that show scenes share: looks of both archives, meshes of
 * blocks, and what is where in the world at which moment.
 */
#ifndef MCREPLAY_SCENE_BUILDER_H
#define MCREPLAY_SCENE_BUILDER_H

#include "mcreplay.h"
#include "scene.h"
#include "timeline.h"

/* How a colour that is recorded goes into that of a material. */
typedef enum mc_mix {
    MC_MIX_COLOUR,     /* it is the colour */
    MC_MIX_MULTIPLY,   /* as a factor */
    MC_MIX_SOFT_LIGHT, /* lightens and darkens; 0.5 does nothing */
} mc_mix;

/* A material as a scene has it. */
typedef struct mc_look {
    const char *name;
    mc_scope scope;
    int32_t material; /* of the scene */
    bool opaque;      /* nothing is seen through it */
    bool tinted;      /* the block's colour is multiplied in */
    float frame;      /* see mc_picture */
    /* What an entity may change; NULL: nothing. Names of its channels. */
    const char *painted_by; /* colour, if a scene can show how */
    mc_mix mix;             /* how that is mixed in */
    const char *lost[4];    /* colour otherwise, roughness, metal, light */
} mc_look;

/* A texture as a scene has it. */
typedef struct mc_picture {
    size_t entry; /* of the archive's texture */
    mc_scope scope;
    int32_t number;       /* of the scene, -1: it cannot be read */
    float frame;          /* height of the first frame, as a share of the image */
    uint32_t frame_count; /* 0: it does not change */
    double frame_rate;
} mc_picture;

typedef struct mc_scene_builder {
    mc_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_arena scratch;   /* of one entity, model or chunk */
    rp_vector looks;    /* mc_look */
    rp_vector pictures; /* mc_picture */
    double rate;        /* frames per second by which the whole scene is counted */
} mc_scene_builder;

static inline const mc_look *mc_look_at(const mc_scene_builder *s, uint32_t number)
{
    return (const mc_look *)s->looks.items + number;
}

/* ---- scene_materials.c ---- */

/* The number of a look, which is made on first use; those of both archives are apart. */
uint32_t mc_look_of(mc_scene_builder *s, mc_scope scope, const char *name, size_t size);
/*
 * Triangles of the faces that `keep` chooses, in the scratch arena, as the look needs them: texture
 * coordinates from the top, of the first frame. False if there are none.
 */
/* The look that has this material of the scene; NULL: none. */
const mc_look *mc_look_of_material(const mc_scene_builder *s, int32_t material);
/* Tells the scene what an entity's channels change that it cannot show. */
void mc_look_name_losses(mc_scene_builder *s, const mc_look *look, const mc_entity *entity);
/* The colour of a material as glTF has it, for what was recorded. */
void mc_look_paint(mc_mix mix, const double numbers[3], float ret_colour[4]);
bool mc_look_triangles(mc_scene_builder *s, const rp_obj *obj,
                       bool (*keep)(const rp_obj *, const rp_obj_face *, void *), void *ctx,
                       uint32_t look, rp_geometry *ret_geometry);

/* ---- scene_figure.c: one entity as a skeleton with one mesh ---- */

typedef struct mc_paint {
    int32_t material, channel; /* of the scene, of the entity */
    int32_t copy;              /* of the material, -1: not needed yet */
    mc_mix mix;
} mc_paint;

typedef struct mc_figure {
    int32_t figure;   /* the node that all of it hangs in */
    int32_t root;     /* the entity's own pose */
    int32_t drawing;  /* the node with the mesh, -1: there is nothing to draw */
    int32_t mesh;     /* -1: none */
    int32_t *parts;   /* nodes */
    int32_t *joints;  /* nodes, the entity first, then what is drawn of its parts */
    rp_stand *stands; /* of the joints */
    bool *drawn;      /* of the joints: some of the mesh follows it */
    size_t joint_count;
    mc_paint *paints;
    size_t paint_count;
} mc_figure;

/* Once the first frame is read, if there is one. In the scratch arena. */
bool mc_figure_build(mc_scene_builder *s, const mc_entity *entity, mc_figure *ret_figure);
/* What is now; `first` also what was not stored in this frame. */
void mc_figure_see(mc_scene_builder *s, const mc_entity *entity, mc_figure *figure, bool first);
/* After the last frame. */
void mc_figure_end(mc_scene_builder *s, const mc_entity *entity, const mc_figure *figure);

/* ---- scene_models.c: meshes of blocks ---- */

/* Sides of a block, in the order of the bits that model ids have. */
enum { MC_DOWN, MC_UP, MC_NORTH, MC_SOUTH, MC_WEST, MC_EAST, MC_SIDES };

/* A part of a block's mesh that has one look and is drawn or left out as a whole. */
typedef struct mc_shape {
    uint32_t look;
    int8_t side; /* that it lies flat on, -1: none */
    rp_geometry geometry;
} mc_shape;

typedef struct mc_model {
    mc_shape *shapes;
    size_t shape_count;
    bool opaque; /* every side is covered whole and nothing is seen through: hides its neighbours */
} mc_model;

/* Reads the meshes of all models; in the arena. */
reprise_status mc_read_models(mc_scene_builder *s, const rp_dictionary *ids, rp_arena *arena,
                              mc_model **ret_models, reprise_error *error);

/* ---- scene_world_changes.c: the world over time ---- */

enum { MC_CHUNK_SIDE = 16, MC_CHUNK_BLOCKS = 4096 };

/* What is at a place. Model 0 is nothing at all; others are one more than their number. */
typedef struct mc_cell {
    uint32_t model;
    uint8_t tint[3];
} mc_cell;

typedef struct mc_cell_change {
    uint32_t moment;
    uint32_t order; /* among the changes of the chunk */
    uint16_t place; /* (y * 16 + z) * 16 + x */
    mc_cell cell;
} mc_cell_change;

/* A section of the world, also one that only changes make. */
typedef struct mc_chunk {
    int32_t x, y, z;
    uint32_t frame;    /* whole frame that it was part of last, plus one */
    mc_cell *first;    /* at the first moment; NULL: nothing there */
    mc_cell *now;      /* while reading, and only if it is needed */
    rp_vector changes; /* mc_cell_change */
    uint64_t *hides;   /* bit per place: opaque at every moment */
} mc_chunk;

typedef struct mc_world_changes {
    rp_context *context;
    rp_arena arena;
    rp_vector moments; /* double, rising */
    rp_dictionary models;
    rp_vector chunks; /* mc_chunk */
    uint32_t *chunk_slots;
    size_t chunk_slot_count;
    uint64_t change_count;
} mc_world_changes;

reprise_status mc_world_changes_read(mc_replay *replay, mc_world_changes *ret_history,
                                     reprise_error *error);
void mc_world_changes_free(mc_world_changes *history);
/* NULL if there is none. */
mc_chunk *mc_world_changes_chunk(const mc_world_changes *history, int32_t x, int32_t y, int32_t z);

static inline double mc_moment_time(const mc_world_changes *history, size_t moment)
{
    return ((const double *)history->moments.items)[moment];
}
static inline mc_chunk *mc_chunk_at(const mc_world_changes *history, size_t number)
{
    return (mc_chunk *)history->chunks.items + number;
}

/* ---- scene_world.c ---- */

/* Blocks of the world. A world that cannot be read shows nothing and is the error. */
reprise_status mc_scene_builder_world(mc_scene_builder *s, rp_vec3 *ret_middle,
                                      reprise_error *error);

#endif
