/*
 * transient_nodes.h - nodes that are visible for a short time: the flash of a hit, an arrow, a
 * ring.
 *
 * Nodes are reused once they are hidden, so a long match needs only as many nodes as are visible at
 * the same time, and at most RP_TRANSIENT_NODES_MAX.
 */
#ifndef RP_TRANSIENT_NODES_H
#define RP_TRANSIENT_NODES_H

#include "scene.h"

enum { RP_TRANSIENT_NODES_MAX = 24 };

/* A pool of nodes with the same mesh. Zero it and set the first four members. */
typedef struct rp_transient_nodes {
    const char *name; /* of nodes, followed by a number */
    const char *kind;
    int32_t player; /* -1: none */
    int32_t mesh;
    int32_t nodes[RP_TRANSIENT_NODES_MAX];
    double until[RP_TRANSIENT_NODES_MAX];
    size_t count;
} rp_transient_nodes;

typedef struct rp_transient_node {
    rp_vec3 position;
    rp_quat rotation;
    rp_vec3 size;
    double seconds;
    rp_vec3 growth; /* added to the size `steps` times, at equal intervals */
    unsigned steps;
} rp_transient_node;

/* Shows a node from now on. Returns false if too many are already visible. */
bool rp_transient_nodes_show(rp_scene *scene, rp_transient_nodes *marks,
                             const rp_transient_node *mark);

#endif
