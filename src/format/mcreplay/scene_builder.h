/*
 * scene_builder.h - shared by the files that build scenes: materials of both archives, meshes of
 * blocks, and the world over time.
 */
#ifndef MCREPLAY_SCENE_BUILDER_H
#define MCREPLAY_SCENE_BUILDER_H

#include "analyse.h"
#include "mcreplay.h"
#include "scene.h"
#include "timeline.h"

/* How a recorded colour is mixed into that of a material. */
typedef enum mc_mix {
    MC_MIX_COLOUR,     /* replaces it */
    MC_MIX_MULTIPLY,   /* as a factor */
    MC_MIX_SOFT_LIGHT, /* lightens and darkens; 0.5 is neutral */
} mc_mix;

/* A material of the scene. */
typedef struct mc_look {
    const char *name;
    mc_scope scope;
    int32_t material; /* of the scene */
    bool opaque;      /* completely opaque */
    bool tinted;      /* the block's colour is multiplied in */
    float frame;      /* see mc_picture */
    /* Names of the channels by which an entity changes a value; NULL: none. */
    const char *painted_by; /* colour, if a scene can show how */
    mc_mix mix;             /* how that is mixed in */
    const char *lost[4];    /* other values: colour that cannot be shown, roughness, metal, light */
} mc_look;

/* A texture of the scene. */
typedef struct mc_picture {
    size_t entry; /* of the archive's texture */
    mc_scope scope;
    int32_t number;       /* of the scene; -1: cannot be read */
    float frame;          /* height of the first frame as a fraction of the image */
    uint32_t frame_count; /* 0: not animated */
    double frame_rate;
} mc_picture;

/* When an entity is in the scene. */
typedef struct mc_span {
    double from, to;
    const char *name;
} mc_span;

/* The first few moving entities get a colour, a plot and a line in the corner of the viewer. */
typedef struct mc_followed {
    rp_series *speed;
    mc_motion motion;
    float time; /* of the last frame, if `seen` */
    bool seen;
} mc_followed;

/* What timeline.c keeps while a scene is built. */
typedef struct mc_timeline {
    rp_vector spans; /* mc_span */
    rp_table *entities;
    rp_plot *speeds;
    rp_activity *movement; /* metres moved by all entities */
    size_t followed_count;
    mc_followed now;    /* the entity being shown */
    double world_until; /* when the world changes for the last time */
} mc_timeline;

typedef struct mc_scene_builder {
    mc_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_arena scratch;   /* of one entity, model or chunk */
    rp_vector looks;    /* mc_look */
    rp_vector pictures; /* mc_picture */
    double rate;        /* frames per second of the complete scene */
    mc_timeline lines;
} mc_scene_builder;

static inline const mc_look *mc_look_at(const mc_scene_builder *s, uint32_t number)
{
    return (const mc_look *)s->looks.items + number;
}

/* ---- scene_materials.c ---- */

/* The number of a material, which is added on first use. The two archives have separate ones. */
uint32_t mc_look_of(mc_scene_builder *s, mc_scope scope, const char *name, size_t size);
/*
 * Triangles of the faces that `keep` selects, in the scratch arena, with texture coordinates from
 * the top, of the first frame. False if there are none.
 */
/* The material with this number in the scene, or NULL. */
const mc_look *mc_look_of_material(const mc_scene_builder *s, int32_t material);
/* Reports changes by an entity's channels that a scene cannot show. */
void mc_look_name_losses(mc_scene_builder *s, const mc_look *look, const mc_entity *entity);
/* The glTF colour of a material for a recorded one. */
void mc_look_paint(mc_mix mix, const double numbers[3], float ret_colour[4]);
bool mc_look_triangles(mc_scene_builder *s, const rp_obj *obj,
                       bool (*keep)(const rp_obj *, const rp_obj_face *, void *), void *ctx,
                       uint32_t look, rp_geometry *ret_geometry);

/* ---- scene_figure.c: one entity as a skeleton with one mesh ---- */

typedef struct mc_paint {
    int32_t material, channel; /* of the scene, of the entity */
    int32_t copy;              /* of the material; -1: not made yet */
    mc_mix mix;
} mc_paint;

typedef struct mc_figure {
    int32_t figure;      /* the node that contains everything */
    int32_t root;        /* the entity's own pose */
    int32_t drawing;     /* the node with the mesh; -1: there is nothing to draw */
    int32_t mesh;        /* -1: none */
    int32_t *parts;      /* nodes */
    int32_t *joints;     /* nodes: the entity, then the drawn part of each part */
    rp_pose *rest_poses; /* rest poses of the joints */
    bool *drawn;         /* by joint: part of the mesh follows it */
    size_t joint_count;
    mc_paint *paints;
    size_t paint_count;
} mc_figure;

/* Builds the figure after the first frame, if any, has been read. Uses the scratch arena. */
bool mc_figure_build(mc_scene_builder *s, const mc_entity *entity, mc_figure *ret_figure);
/* Shows the current frame; with `first` also values that it does not store. */
void mc_figure_update(mc_scene_builder *s, const mc_entity *entity, mc_figure *figure, bool first);
/* After the last frame. */
void mc_figure_end(mc_scene_builder *s, const mc_entity *entity, const mc_figure *figure);

/* ---- scene_models.c: meshes of blocks ---- */

/* Sides of a block, in the order of the bits that model ids have. */
enum { MC_DOWN, MC_UP, MC_NORTH, MC_SOUTH, MC_WEST, MC_EAST, MC_SIDES };

/* A part of a block's mesh with one material, which is drawn or omitted as a unit. */
typedef struct mc_shape {
    uint32_t look;
    int8_t side; /* the side that it is flat on; -1: none */
    rp_geometry geometry;
} mc_shape;

typedef struct mc_model {
    mc_shape *shapes;
    size_t shape_count;
    bool opaque; /* all sides are fully covered and opaque: hides its neighbours */
} mc_model;

/* Reads the meshes of all models into the arena. */
reprise_status mc_read_models(mc_scene_builder *s, const rp_dictionary *ids, rp_arena *arena,
                              mc_model **ret_models, reprise_error *error);

/* ---- scene_world_changes.c: the world over time ---- */

enum { MC_CHUNK_SIDE = 16, MC_CHUNK_BLOCKS = 4096 };

/* The content of a place. Model 0 is empty; others are one more than their number. */
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

/* A section of the world, including those that only changes create. */
typedef struct mc_chunk {
    int32_t x, y, z;
    uint32_t frame;    /* the last whole frame that contained it, plus one */
    mc_cell *first;    /* at the first moment; NULL: empty */
    mc_cell *now;      /* while reading, only if needed */
    rp_vector changes; /* mc_cell_change */
    uint64_t *hides;   /* bit per place: opaque at every moment */
} mc_chunk;

typedef struct mc_moment {
    double time;
    uint64_t changes; /* as mc_stored_changes counts them */
} mc_moment;

typedef struct mc_world_changes {
    rp_context *context;
    rp_arena arena;
    rp_vector moments; /* mc_moment, in order of time */
    rp_dictionary models;
    rp_vector chunks; /* mc_chunk */
    uint32_t *chunk_slots;
    size_t chunk_slot_count;
} mc_world_changes;

reprise_status mc_world_changes_read(mc_replay *replay, mc_world_changes *ret_history,
                                     reprise_error *error);
void mc_world_changes_free(mc_world_changes *history);
/* NULL if there is no such section. */
mc_chunk *mc_world_changes_chunk(const mc_world_changes *history, int32_t x, int32_t y, int32_t z);

static inline mc_moment *mc_moment_at(const mc_world_changes *history, size_t number)
{
    return (mc_moment *)history->moments.items + number;
}
static inline mc_chunk *mc_chunk_at(const mc_world_changes *history, size_t number)
{
    return (mc_chunk *)history->chunks.items + number;
}

/* ---- scene_world.c ---- */

/* Adds the blocks of the world. If it cannot be read, adds nothing and returns the error. */
reprise_status mc_scene_builder_world(mc_scene_builder *s, rp_vec3 *ret_middle,
                                      reprise_error *error);

/* ---- timeline.c ---- */

void mc_timeline_begin(mc_scene_builder *s);
/* Notes the motion of the current entity, whose node is `root`, in the current frame. */
void mc_timeline_motion(mc_scene_builder *s, const mc_entity *entity, int32_t root);
/* Lists an entity after its last frame. */
void mc_timeline_entity(mc_scene_builder *s, const mc_entity *entity, int32_t root, mc_span when);
void mc_timeline_blocks(mc_scene_builder *s, const mc_world_changes *history);
void mc_timeline_end(mc_scene_builder *s);

#endif
