/*
 * scene.h - what can be seen: nodes with parents, meshes, materials, pictures, cameras, and how all
 * of it moves. Formats fill one in, writers read it; neither knows the other.
 *
 * Right-handed, Y up, metres, seconds. Building never needs a check in between: after a failure
 * every call does nothing and gives -1, and the scene's error says so at the end. Geometry and keys
 * go to spools, so memory depends on how many things there are, not on how long they move.
 *
 * Hiding is a size of zero, in steps. What hides is a leaf, or the figure that a whole skeleton
 * hangs in: nothing else may vanish along.
 */
#ifndef RP_SCENE_H
#define RP_SCENE_H

#include "anim_keys.h"
#include "value.h"
#include "vector.h"

typedef struct rp_scene_options {
    uint64_t tracks;           /* bit per track that shall be seen */
    double time_from, time_to; /* seconds of the recording, inclusive */
    int64_t index_from, index_to;
    rp_anim_key_options keys;
    bool keep_points;   /* of every series, however long */
    const char *notice; /* why this is not everything; NULL: it is */
} rp_scene_options;

typedef struct rp_node {
    const char *name;
    const char *id;                     /* "player:0"; NULL: none */
    const char *kind;                   /* "head"; NULL: none */
    int32_t player;                     /* -1: nobody's */
    int32_t parent, mesh, camera, skin; /* -1: none */
    rp_vec3 place;
    rp_quat turn;
    rp_vec3 size;            /* all zero: hidden, with all that hangs in it */
    rp_channel *channels[3]; /* by rp_path; NULL: never moved */
    bool shown;
} rp_node;

/* Rows of numbers among the static bytes. */
typedef struct rp_accessor {
    uint64_t offset, size;
    uint32_t count;
    uint32_t component; /* as glTF numbers them: 5121 u8, 5123 u16, 5125 u32, 5126 f32 */
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
    double width_px; /* of lines; 0: not said */
} rp_mesh;

typedef struct rp_material {
    const char *name;
    float colour[4]; /* as on screens (sRGB), 0 to 1, with opacity */
    float glow;      /* 0 to 1: how much of the colour is emitted */
    float rough, metal;
    bool blend, cut_out, double_sided;
    int32_t texture; /* -1: none */
    /* Pictures that change: stacked frames, of which the first is what places on the picture mean.
     */
    uint32_t frame_count; /* 0: does not change */
    double frame_rate;    /* frames per second of the recording's clock */
    float frame_height;   /* as a share of the picture */
    /* What the game has beyond that, for who can show it; NULL: nothing. */
    const char *blend_name;    /* of its kind of transparency */
    const char *painted_by;    /* what was recorded that changes its colour */
    const char *paint_mode;    /* how the game mixes that in */
    rp_channel *paint, *shift; /* NULL: never changed */
} rp_material;

typedef struct rp_picture {
    const char *name, *mime;
    uint64_t offset, size; /* among the static bytes */
    bool pixels;           /* seen as pixels: not smoothed */
} rp_picture;

typedef struct rp_camera {
    const char *name;
    double fov_deg;  /* vertical */
    double near_m;   /* what is nearer is not seen: a head has its camera inside */
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
    rp_vector losses;       /* const char *: what a scene cannot show */
    double world_offset[3]; /* leads from places of the scene to those of the game's world */
    /* the clock */
    bool from_first; /* set by the format: its clock began long before the recording */
    bool started;
    double offset;     /* recorded time of the scene's zero */
    double recorded;   /* recorded time of now */
    float now, before; /* of this frame and of the one before */
    uint64_t frames;
    float latest;  /* of all that were shown, over all rewinds */
    double length; /* of the recording, or of the part that was asked for */
    bool ended;
} rp_scene;

void rp_scene_init(rp_scene *scene, rp_context *context, const rp_scene_options *options,
                   reprise_error *error);
void rp_scene_free(rp_scene *scene);

/* ---- building ---- */

/* Whether anything of this track shall be seen. */
static inline bool rp_scene_shows(const rp_scene *scene, unsigned track)
{
    return scene->options.tracks >> track & 1;
}

/* Texts are copied. */
int32_t rp_scene_material(rp_scene *scene, const rp_material *material);
/* The same look once more, to be painted on its own. */
int32_t rp_scene_material_again(rp_scene *scene, int32_t material);
int32_t rp_scene_camera(rp_scene *scene, const char *name, double fov_deg);
/* Makes a camera look through everything that is nearer. */
void rp_scene_look_past(rp_scene *scene, int32_t camera, double near_m);
/* A PNG or JPEG. */
int32_t rp_scene_picture(rp_scene *scene, const char *name, const char *mime, const void *data,
                         size_t size, bool pixels);

/* One part of a mesh; NULL where there is none of a kind. */
typedef struct rp_geometry {
    int mode;
    const rp_vec3 *places;
    const rp_vec3 *normals;
    const uint8_t (*colours)[4]; /* linear, unlike those of materials; multiplied with them */
    const float (*uvs)[2];
    const uint16_t *joints; /* of the skin: the one that a place follows */
    size_t count;
    const uint32_t *indices;
    size_t index_count;
    int32_t material;
} rp_geometry;
int32_t rp_scene_mesh(rp_scene *scene, const char *name, const rp_geometry *parts, size_t count,
                      double width_px);
/* Where a joint stands when the mesh has the form it is given in. */
typedef struct rp_stand {
    rp_vec3 place;
    rp_quat turn;
} rp_stand;
/* Joints are nodes of one tree, its root first. The node with the mesh has no parent. */
int32_t rp_scene_skin(rp_scene *scene, const char *name, const int32_t *joints,
                      const rp_stand *stands, size_t count);
/* Something recorded that a scene has no way to show, in a few words. */
void rp_scene_lose(rp_scene *scene, const char *format, ...) REPRISE_PRINTF(2, 3);

/* A node, placed by `node` itself: texts are copied. Hidden from the start if it comes later. */
int32_t rp_scene_node(rp_scene *scene, const rp_node *node);
/* What most nodes are like: no parent, at the origin, nobody's. */
#define RP_NODE                                                                             \
    .player = -1, .parent = -1, .mesh = -1, .camera = -1, .skin = -1, .turn = {0, 0, 0, 1}, \
    .size = {1, 1, 1}, .shown = true

/* ---- moving ---- */

typedef enum rp_when {
    RP_TOO_EARLY, /* keep telling what is where, but it is not recorded */
    RP_SHOWN,
    RP_TOO_LATE, /* nothing further will be shown */
} rp_when;

/*
 * The next frame or tick. Time in a scene always rises: a frame that does not is shown as early as
 * can be after the one before.
 */
rp_when rp_scene_clock(rp_scene *scene, int64_t index, double time);
/*
 * The recorded time of the scene's zero, where the first frame that is told need not be the
 * earliest.
 */
void rp_scene_start(rp_scene *scene, double time);
/*
 * Time begins again, for recordings that tell one thing after the other. Nodes that moved before
 * must not be moved afterwards.
 */
void rp_scene_rewind(rp_scene *scene);
/* A recorded time in the scene's own. */
double rp_scene_time(const rp_scene *scene, double time);

/* Where a node is now; in between it moves evenly. Jumps do not. */
void rp_scene_place(rp_scene *scene, int32_t node, rp_vec3 place, bool jump);
void rp_scene_turn(rp_scene *scene, int32_t node, rp_quat turn, bool jump);
/*
 * The same for things that are seen from time to time only: it stood still until `since`, a time of
 * the scene, and moved evenly from then on.
 */
void rp_scene_place_since(rp_scene *scene, int32_t node, rp_vec3 place, double since);
void rp_scene_turn_since(rp_scene *scene, int32_t node, rp_quat turn, double since);
void rp_scene_resize(rp_scene *scene, int32_t node, rp_vec3 size); /* evenly; never hidden */
/* Shows or hides a leaf now, or at a time of the scene that has not come yet. */
void rp_scene_show(rp_scene *scene, int32_t node, bool shown);
void rp_scene_show_at(rp_scene *scene, int32_t node, bool shown, double time);
/* Shows a leaf that is as large as this from now on. */
void rp_scene_show_sized(rp_scene *scene, int32_t node, rp_vec3 size, double time);

/* From now on: the colour of a material as glTF has it, and what a camera sees of the height. */
void rp_scene_paint(rp_scene *scene, int32_t material, const float colour[4]);
void rp_scene_zoom(rp_scene *scene, int32_t camera, double fov_deg);

/* No more frames: closes all channels and gives nodes their poses at the start. */
reprise_status rp_scene_end(rp_scene *scene);

static inline rp_node *rp_scene_nodes(const rp_scene *scene)
{
    return scene->nodes.items;
}
/* Until when there is something to see. What is told as its length is `length`. */
static inline double rp_scene_duration(const rp_scene *scene)
{
    return (double)scene->latest;
}

#endif
