/*
 * obj.h - meshes as text (Wavefront OBJ): positions, texture coordinates, normals, polygons with a
 * group, a material and a smoothing group. Lines of any other kind are ignored.
 *
 * Text is fed in pieces of any size. The mesh lives in the caller's arena.
 */
#ifndef RP_OBJ_H
#define RP_OBJ_H

#include "arena.h"
#include "writer.h"

/* One corner: places in the mesh's lists, -1 where there is none. */
typedef struct rp_obj_corner {
    int32_t v, vt, vn;
} rp_obj_corner;

/* Places in `names`, -1 for none. */
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
    rp_obj_name *names; /* most of them once */
    uint32_t name_count;
} rp_obj;

typedef struct rp_obj_reader rp_obj_reader;

reprise_status rp_obj_open(rp_context *context, rp_obj_reader **ret_reader, reprise_error *error);
void rp_obj_close(rp_obj_reader *reader);

/* A failure is REPRISE_E_CORRUPT with the line as its path, or REPRISE_E_LIMIT. */
reprise_status rp_obj_feed(rp_obj_reader *reader, const char *text, size_t size,
                           reprise_error *error);
/* The end of the text: copies the mesh into the arena and makes the reader ready for the next. */
reprise_status rp_obj_finish(rp_obj_reader *reader, rp_arena *arena, rp_obj *ret_obj,
                             reprise_error *error);

/* Indexed triangles: each corner once per different (v, vt, vn), polygons cut as fans. */
typedef struct rp_obj_triangles {
    float *positions, *normals,
        *uvs; /* per vertex; normals and uvs are NULL if no corner has one */
    uint32_t vertex_count;
    uint32_t *indices;
    uint32_t index_count;
} rp_obj_triangles;

/*
 * Triangles of the faces for which `keep` says yes (NULL: all). Where a corner has no normal it
 * gets that of its polygon. Texture coordinates stay as in the text, v = 0 at the bottom.
 */
reprise_status rp_obj_triangulate(rp_arena *arena, const rp_obj *obj,
                                  bool (*keep)(const rp_obj *obj, const rp_obj_face *face,
                                               void *ctx),
                                  void *ctx, rp_obj_triangles *ret_triangles, reprise_error *error);

#endif
