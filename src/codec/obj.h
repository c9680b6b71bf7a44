/*
 * obj.h - reads Wavefront OBJ meshes: positions, texture coordinates, normals, and polygons with a
 * group, a material and a smoothing group. Other lines are ignored.
 *
 * Text is passed in pieces of any size. The mesh lives in the caller's arena.
 */
#ifndef RP_OBJ_H
#define RP_OBJ_H

#include "arena.h"
#include "writer.h"

/* Indices into the mesh's lists; -1: none. */
typedef struct rp_obj_corner {
    int32_t v, vt, vn;
} rp_obj_corner;

/* group, material and smoothing are indices into `names`; -1: none. */
typedef struct rp_obj_face {
    uint32_t first, count; /* corners */
    int32_t group, material, smoothing;
} rp_obj_face;

typedef struct rp_obj_name {
    const char *text;
    size_t size;
} rp_obj_name;

typedef struct rp_obj {
    double *v, *vt, *vn; /* three, two and three numbers each */
    uint32_t v_count, vt_count, vn_count;
    rp_obj_corner *corners;
    uint32_t corner_count;
    rp_obj_face *faces;
    uint32_t face_count;
    rp_obj_name *names; /* mostly without duplicates */
    uint32_t name_count;
} rp_obj;

typedef struct rp_obj_reader rp_obj_reader;

reprise_status rp_obj_open(rp_context *context, rp_obj_reader **ret_reader, reprise_error *error);
void rp_obj_close(rp_obj_reader *reader);

/* Fails with REPRISE_E_CORRUPT and the line as path, or with REPRISE_E_LIMIT. */
reprise_status rp_obj_feed(rp_obj_reader *reader, const char *text, size_t size,
                           reprise_error *error);
/* Ends the text: copies the mesh into the arena and resets the reader. */
reprise_status rp_obj_finish(rp_obj_reader *reader, rp_arena *arena, rp_obj *ret_obj,
                             reprise_error *error);

/* Indexed triangles: one vertex per distinct (v, vt, vn), polygons split into fans. */
typedef struct rp_obj_triangles {
    float *positions, *normals,
        *uvs; /* per vertex; normals and uvs are NULL if no corner has one */
    uint32_t vertex_count;
    uint32_t *indices;
    uint32_t index_count;
} rp_obj_triangles;

/*
 * Makes triangles of the faces for which `keep` returns true (NULL: all). A corner without a normal
 * gets that of its polygon. Texture coordinates are as in the text, with v = 0 at the bottom.
 */
reprise_status rp_obj_triangulate(rp_arena *arena, const rp_obj *obj,
                                  bool (*keep)(const rp_obj *obj, const rp_obj_face *face,
                                               void *ctx),
                                  void *ctx, rp_obj_triangles *ret_triangles, reprise_error *error);

#endif
