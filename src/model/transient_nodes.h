/*
 * transient_nodes.h - what is seen for a moment: a flash where something hit, an arrow, a ring.
 *
 * A mark borrows a node that is not seen any more, so that a long match needs as many nodes as are
 * seen at the same time. Beyond that nothing more is shown: nobody could tell them apart.
 */
#ifndef RP_TRANSIENT_NODES_H
#define RP_TRANSIENT_NODES_H

#include "scene.h"

enum { RP_TRANSIENT_NODES_MAX = 24 };

/* Marks that look alike. Zeroed, with the first members set. */
typedef struct rp_transient_nodes {
    const char *name; /* of nodes, with a number behind */
    const char *kind;
    int32_t player; /* -1: nobody's */
    int32_t mesh;
    int32_t nodes[RP_TRANSIENT_NODES_MAX];
    double until[RP_TRANSIENT_NODES_MAX];
    size_t count;
} rp_transient_nodes;

typedef struct rp_transient_node {
    rp_vec3 place;
    rp_quat turn;
    rp_vec3 size;
    double seconds;
} rp_transient_node;

/* From now on; false if too many are seen already. */
bool rp_transient_nodes_show(rp_scene *scene, rp_transient_nodes *marks,
                             const rp_transient_node *mark);

#endif
