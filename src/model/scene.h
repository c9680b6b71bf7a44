/*
 * scene.h - nodes with parents, meshes, materials, pictures and cameras, and their animation.
 * Formats build a scene, exporters read it; neither knows the other.
 *
 * Right-handed, Y up, metres, seconds. Building needs no checks in between: after a failure every
 * call does nothing and returns -1, and the scene's error is set. Geometry and keys are written to
 * spools, so memory depends on the number of nodes, not on the duration.
 *
 * A hidden node has size zero, without interpolation. Only leaves may be hidden, or the root of a
 * complete figure, because children vanish with their parent.
 */
#ifndef RP_SCENE_H
#define RP_SCENE_H

#include "anim_keys.h"
#include "value.h"
#include "vector.h"

typedef struct rp_scene_options {
    uint64_t tracks;           /* one bit per track to show */
    double time_from, time_to; /* seconds of the recording, inclusive */
    int64_t index_from, index_to;
    rp_anim_key_options keys;
    bool keep_points;   /* keep all points of every series */
    const char *notice; /* why the scene is incomplete; NULL: it is complete */
} rp_scene_options;

typedef struct rp_node {
    const char *name;
    const char *id;                     /* "player:0"; NULL: none */
    const char *kind;                   /* "head"; NULL: none */
    int32_t player;                     /* -1: none */
    int32_t parent, mesh, camera, skin; /* -1: none */
    rp_vec3 position;
    rp_quat rotation;
    rp_vec3 size;            /* all zero: hidden, with its children */
    rp_channel *channels[3]; /* by rp_channel_kind; NULL: never moved */
    bool shown;
} rp_node;

/* Rows of numbers in the static bytes. */
typedef struct rp_accessor {
    uint64_t offset, size;
    uint32_t count;
    uint32_t component; /* glTF's number: 5121 u8, 5123 u16, 5125 u32, 5126 f32 */
    uint8_t width;      /* numbers per row; 16: a matrix */
    bool normalized, indices, bounded;
    float low[3], high[3];
} rp_accessor;

enum { RP_ATTRIBUTES = 6 };
typedef struct rp_primitive {
    int mode;                          /* 0 points, 1 lines, 3 line strip, 4 triangles */
    int32_t attributes[RP_ATTRIBUTES]; /* accessors, -1: none; see rp_attribute_names */
    int32_t indices, material;
} rp_primitive;
extern const char *const rp_attribute_names[RP_ATTRIBUTES];

typedef struct rp_mesh {
    const char *name;
    rp_primitive *primitives;
    size_t primitive_count;
    double width_px; /* of lines; 0: not specified */
} rp_mesh;

typedef struct rp_material {
    const char *name;
    float colour[4]; /* sRGB and opacity, 0 to 1 */
    float glow;      /* emitted share of the colour, 0 to 1 */
    float rough, metal;
    bool blend, cut_out, double_sided;
    int32_t texture; /* -1: none */
    /* Animated textures: frames stacked vertically. Texture coordinates refer to the first. */
    uint32_t frame_count; /* 0: not animated */
    double frame_rate;    /* frames per second of the recording's clock */
    float frame_height;   /* as a share of the picture's height */
    /* Properties of the game's material that glTF lacks; NULL: none. */
    const char *blend_name;    /* the game's blend mode */
    const char *painted_by;    /* the recorded channel that changes its colour */
    const char *paint_mode;    /* how the game mixes that colour in */
    rp_channel *paint, *shift; /* NULL: never changed */
} rp_material;

typedef struct rp_picture {
    const char *name, *mime;
    uint64_t offset, size; /* in the static bytes */
    bool pixels;           /* pixel art: do not smooth */
} rp_picture;

typedef struct rp_camera {
    const char *name;
    double fov_deg;  /* vertical */
    double near_m;   /* near plane; beyond the head for a camera inside a head */
    rp_channel *fov; /* NULL: never changed */
} rp_camera;

typedef struct rp_skin {
    const char *name;
    int32_t *joints;
    size_t joint_count;
    int32_t inverse_bind; /* accessor */
} rp_skin;

typedef struct rp_scene {
    rp_context *context;
    reprise_error *error; /* sticky */
    rp_scene_options options;
    rp_arena arena; /* names */
    rp_sink *fixed; /* static bytes */
    rp_anim_keys keys;
    rp_vector nodes, meshes, materials, pictures, cameras, accessors, skins;
    rp_vector losses;       /* const char *: recorded data that a scene cannot show */
    double world_offset[3]; /* add to a position of the scene to get one of the game's world */
    /* the clock */
    bool from_first; /* set by formats whose clock starts long before the recording */
    bool started;
    double offset;     /* recorded time of scene time 0 */
    double recorded;   /* recorded time of `now` */
    float now, before; /* scene time of this frame and of the previous one */
    uint64_t frames;
    float latest;  /* the latest time shown, over all rewinds */
    double length; /* of the recording, or of the requested part */
    bool ended;
} rp_scene;

void rp_scene_init(rp_scene *scene, rp_context *context, const rp_scene_options *options,
                   reprise_error *error);
void rp_scene_free(rp_scene *scene);

/* ---- building ---- */

/* Whether to show this track. */
static inline bool rp_scene_shows(const rp_scene *scene, unsigned track)
{
    return scene->options.tracks >> track & 1;
}

/* Whether the recording is shown from start to end. */
static inline bool rp_scene_is_complete(const rp_scene *scene)
{
    const rp_scene_options *o = &scene->options;
    return o->time_from <= -1e300 && o->index_from == INT64_MIN && o->time_to >= 1e300 &&
           o->index_to == INT64_MAX;
}

/* Texts are copied. */
int32_t rp_scene_material(rp_scene *scene, const rp_material *material);
/* Copies a material, so that it can be painted separately. */
int32_t rp_scene_material_copy(rp_scene *scene, int32_t material);
int32_t rp_scene_camera(rp_scene *scene, const char *name, double fov_deg);
/* Sets the near plane of a camera. */
void rp_scene_camera_near(rp_scene *scene, int32_t camera, double near_m);
/* A PNG or JPEG. */
int32_t rp_scene_picture(rp_scene *scene, const char *name, const char *mime, const void *data,
                         size_t size, bool pixels);

/* One part of a mesh. Pointers may be NULL. */
typedef struct rp_geometry {
    int mode;
    const rp_vec3 *positions;
    const rp_vec3 *normals;
    const uint8_t (*colours)[4]; /* linear, multiplied with the material's colour */
    const float (*uvs)[2];
    const uint16_t *joints; /* of the skin: one joint per vertex */
    size_t count;
    const uint32_t *indices;
    size_t index_count;
    int32_t material;
} rp_geometry;
int32_t rp_scene_mesh(rp_scene *scene, const char *name, const rp_geometry *parts, size_t count,
                      double width_px);
/* The pose of a joint in which the mesh has its original shape. */
typedef struct rp_pose {
    rp_vec3 position;
    rp_quat rotation;
} rp_pose;
/* Joints are nodes of one tree, root first. The node with the mesh has no parent. */
int32_t rp_scene_skin(rp_scene *scene, const char *name, const int32_t *joints,
                      const rp_pose *poses, size_t count);
/* Notes recorded data that a scene cannot show, in a few words. */
void rp_scene_note_loss(rp_scene *scene, const char *format, ...) REPRISE_PRINTF(2, 3);

/* Adds a node. Texts are copied. A node added later is hidden until then. */
int32_t rp_scene_node(rp_scene *scene, const rp_node *node);
/* Defaults: no parent, at the origin, no player. */
#define RP_NODE                                                                                 \
    .player = -1, .parent = -1, .mesh = -1, .camera = -1, .skin = -1, .rotation = {0, 0, 0, 1}, \
    .size = {1, 1, 1}, .shown = true

/* ---- moving ---- */

typedef enum rp_when {
    RP_TOO_EARLY, /* keep setting positions; they are not recorded */
    RP_SHOWN,
    RP_TOO_LATE, /* nothing more will be shown */
} rp_when;

/*
 * Starts the next frame or tick. Scene time always increases: a frame whose time does not is shown
 * as early as possible after the previous one.
 */
rp_when rp_scene_clock(rp_scene *scene, int64_t index, double time);
/*
 * Sets the recorded time of scene time 0. Needed if the first frame added may not be the earliest.
 */
void rp_scene_start(rp_scene *scene, double time);
/*
 * Restarts time, for recordings that store one object after the other. Nodes that moved before must
 * not be moved afterwards.
 */
void rp_scene_rewind(rp_scene *scene);
/* Converts a recorded time to scene time. */
double rp_scene_time(const rp_scene *scene, double time);

/* Set the pose of a node now. It is interpolated from the previous one, unless `jump` is set. */
void rp_scene_move(rp_scene *scene, int32_t node, rp_vec3 position, bool jump);
void rp_scene_rotate(rp_scene *scene, int32_t node, rp_quat rotation, bool jump);
/*
 * The same for nodes that are recorded only from time to time: the previous pose holds until
 * `since` (scene time) and is interpolated from then on.
 */
void rp_scene_move_since(rp_scene *scene, int32_t node, rp_vec3 position, double since);
void rp_scene_rotate_since(rp_scene *scene, int32_t node, rp_quat rotation, double since);
void rp_scene_resize(rp_scene *scene, int32_t node,
                     rp_vec3 size); /* interpolated; not for hidden nodes */
/* Show or hide a leaf now, or at a later scene time. */
void rp_scene_show(rp_scene *scene, int32_t node, bool shown);
void rp_scene_show_at(rp_scene *scene, int32_t node, bool shown, double time);
/* Shows a leaf and sets its size. */
void rp_scene_show_sized(rp_scene *scene, int32_t node, rp_vec3 size, double time);

/* Change the colour of a material (linear, as in glTF) or the field of view of a camera now. */
void rp_scene_paint(rp_scene *scene, int32_t material, const float colour[4]);
void rp_scene_zoom(rp_scene *scene, int32_t camera, double fov_deg);

/* Ends all channels and gives nodes their initial poses. */
reprise_status rp_scene_end(rp_scene *scene);

static inline rp_node *rp_scene_nodes(const rp_scene *scene)
{
    return scene->nodes.items;
}
/* Returns the end of the last animation. The length of the recording is `length`. */
static inline double rp_scene_duration(const rp_scene *scene)
{
    return (double)scene->latest;
}
/* Whether a scene time is within the scene. Its end is rounded to f32, so the time is too. */
static inline bool rp_scene_contains(const rp_scene *scene, double time)
{
    return time >= 0 && (float)time <= scene->latest;
}

#endif
