/* transient_nodes.c - see transient_nodes.h. */
#include "transient_nodes.h"

#include <stdio.h>

static int32_t add_node(rp_scene *scene, const rp_transient_nodes *marks)
{
    char name[96], id[48];
    snprintf(name, sizeof name, "%s %zu", marks->name, marks->count);
    snprintf(id, sizeof id, "%s:%zu", marks->kind, marks->count);
    rp_node node = {RP_NODE};
    node.name = name;
    node.id = id;
    node.kind = marks->kind;
    node.player = marks->player;
    node.mesh = marks->mesh;
    return rp_scene_node(scene, &node);
}

bool rp_transient_nodes_show(rp_scene *scene, rp_transient_nodes *marks,
                             const rp_transient_node *mark)
{
    double now = (double)scene->now;
    size_t i = 0;
    while (i < marks->count && marks->until[i] >= now)
        i++;
    if (i == RP_TRANSIENT_NODES_MAX)
        return false;
    if (i == marks->count) {
        marks->nodes[i] = add_node(scene, marks);
        marks->count++;
    }
    int32_t node = marks->nodes[i];
    marks->until[i] = now + mark->seconds;
    rp_scene_move(scene, node, mark->position, true);
    rp_scene_rotate(scene, node, mark->rotation, true);
    rp_scene_show_sized(scene, node, mark->size, now);
    for (unsigned step = 1; step <= mark->steps; step++) {
        float n = (float)step;
        rp_vec3 size = {mark->size.x + n * mark->growth.x, mark->size.y + n * mark->growth.y,
                        mark->size.z + n * mark->growth.z};
        rp_scene_show_sized(scene, node, size, now + mark->seconds * step / (mark->steps + 1));
    }
    rp_scene_show_at(scene, node, false, now + mark->seconds);
    return true;
}
