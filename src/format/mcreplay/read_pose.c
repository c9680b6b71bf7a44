/* read_pose.c - world matrices of parts, from transforms, parents and rest poses. */
#include <math.h>

#include "mcreplay.h"

const mc_transform mc_identity = {
    .rot_w = 1,
    .scale_x = 1,
    .scale_y = 1,
    .scale_z = 1,
};

/* translate(t) * rotate(q) * scale(s). The rotation is normalised; four zeros are identity. */
rp_mat34 mc_matrix(const mc_transform *t)
{
    double w = t->rot_w, x = t->rot_x, y = t->rot_y, z = t->rot_z;
    double n = sqrt(w * w + x * x + y * y + z * z);
    if (n > 0 && isfinite(n)) {
        w /= n;
        x /= n;
        y /= n;
        z /= n;
    } else {
        w = 1;
        x = y = z = 0;
    }
    double sx = t->scale_x, sy = t->scale_y, sz = t->scale_z;
    return (rp_mat34){{
        (1 - 2 * (y * y + z * z)) * sx,
        2 * (x * y - w * z) * sy,
        2 * (x * z + w * y) * sz,
        t->pos_x,
        2 * (x * y + w * z) * sx,
        (1 - 2 * (x * x + z * z)) * sy,
        2 * (y * z - w * x) * sz,
        t->pos_y,
        2 * (x * z - w * y) * sx,
        2 * (y * z + w * x) * sy,
        (1 - 2 * (x * x + y * y)) * sz,
        t->pos_z,
    }};
}

rp_mat34 mc_matrix_multiply(const rp_mat34 *a, const rp_mat34 *b)
{
    rp_mat34 to;
    for (size_t row = 0; row < 3; row++) {
        const double *r = a->m + 4 * row;
        for (size_t column = 0; column < 4; column++)
            to.m[4 * row + column] = r[0] * b->m[column] + r[1] * b->m[4 + column] +
                                     r[2] * b->m[8 + column] + (column == 3 ? r[3] : 0);
    }
    return to;
}

/* Multiplies through the parents, whose number is bounded by the depth of the document. */
static rp_mat34 multipart_matrix(const mc_entity *entity, const mc_part_state *state)
{
    rp_mat34 matrix = mc_matrix(&state->transform);
    for (int32_t parent = entity->parts[state->pose.part].parent; parent >= 0;
         parent = entity->parts[parent].parent) {
        rp_mat34 outer = mc_matrix(&entity->part_states[parent].transform);
        matrix = mc_matrix_multiply(&outer, &matrix);
    }
    return matrix;
}

static rp_mat34 rest_matrix(const mc_part *part)
{
    mc_transform rest = mc_identity;
    rest.rot_x = part->rest_rot_x;
    rest.rot_y = part->rest_rot_y;
    rest.rot_z = part->rest_rot_z;
    rest.rot_w = part->rest_rot_w;
    rest.pos_x = part->rest_x;
    rest.pos_y = part->rest_y;
    rest.pos_z = part->rest_z;
    return mc_matrix(&rest);
}

/* Bones move relative to their own rest pose, even when nested. */
static rp_mat34 armature_matrix(const mc_entity *entity, const mc_part_state *state)
{
    rp_mat34 rest = rest_matrix(&entity->parts[state->pose.part]);
    rp_mat34 moved = mc_matrix(&state->transform);
    return mc_matrix_multiply(&rest, &moved);
}

/* The other interpretation of armatures: the translation is along the entity's axes. */
static rp_mat34 armature_other(const mc_entity *entity, const mc_part_state *state)
{
    rp_mat34 rest = rest_matrix(&entity->parts[state->pose.part]);
    mc_transform turned = state->transform;
    turned.pos_x = turned.pos_y = turned.pos_z = 0;
    rp_mat34 moved = mc_matrix(&turned);
    rp_mat34 matrix = mc_matrix_multiply(&rest, &moved);
    matrix.m[3] += state->transform.pos_x;
    matrix.m[7] += state->transform.pos_y;
    matrix.m[11] += state->transform.pos_z;
    return matrix;
}

void mc_pose_derive(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    RP_UNUSED(replay);
    const mc_part_state *state = row->data;
    const mc_entity *entity = state->entity;
    mc_pose_derived *derived = ret_derived;
    bool multipart = entity->row.rig == MC_MULTIPART;
    derived->entity_matrix = multipart ? multipart_matrix(entity, state)
                                       : armature_matrix(entity, state);
    derived->other_matrix = multipart ? mc_matrix(&state->transform)
                                      : armature_other(entity, state);
    rp_mat34 root = mc_matrix(&entity->root);
    derived->world_matrix = mc_matrix_multiply(&root, &derived->entity_matrix);
}
