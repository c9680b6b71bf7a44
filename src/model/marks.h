/*
 * marks.h - what is seen for a moment: a flash where something hit, an arrow, a ring.
 *
 * A mark borrows a node that is not seen any more, so that a long match needs as many nodes as are
 * seen at the same time. Beyond that nothing more is shown: nobody could tell them apart.
 */
#ifndef RP_MARKS_H
#define RP_MARKS_H

#include "scene.h"

enum { RP_MARKS_MAX = 24 };

/* Marks that look alike. Zeroed, with the first members set. */
typedef struct rp_marks {
    const char *name; /* of nodes, with a number behind */
    const char *kind;
    int32_t player; /* -1: nobody's */
    int32_t mesh;
    int32_t nodes[RP_MARKS_MAX];
    double until[RP_MARKS_MAX];
    size_t count;
} rp_marks;

typedef struct rp_mark {
    rp_vec3 place;
    rp_quat turn;
    rp_vec3 size;
    double seconds;
} rp_mark;

/* From now on; false if too many are seen already. */
bool rp_marks_show(rp_scene *scene, rp_marks *marks, const rp_mark *mark);

#endif
