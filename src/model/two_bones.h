/*
 * two_bones.h - arms and legs: two bones from a fixed joint to a point, bent in one plane. Also the
 * small vector arithmetic that figures need.
 *
 * A bone hangs along -y of its joint, and the inner side of the elbow or knee faces -z.
 */
#ifndef RP_TWO_BONES_H
#define RP_TWO_BONES_H

#include <math.h>

#include "geometry.h"

static inline rp_vec3 rp_plus(rp_vec3 a, rp_vec3 b)
{
    return (rp_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline rp_vec3 rp_minus(rp_vec3 a, rp_vec3 b)
{
    return (rp_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline rp_vec3 rp_times(rp_vec3 a, float factor)
{
    return (rp_vec3){a.x * factor, a.y * factor, a.z * factor};
}

static inline float rp_dot(rp_vec3 a, rp_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rp_vec3 rp_cross(rp_vec3 a, rp_vec3 b)
{
    return (rp_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Length 1; `usual` for what has no direction. */
rp_vec3 rp_unit(rp_vec3 a, rp_vec3 usual);

static inline rp_quat rp_rotation_back(rp_quat rotation)
{
    return (rp_quat){-rotation.x, -rotation.y, -rotation.z, rotation.w};
}

/* The rotation of a bone that points along `down` (length 1), its front (-z) towards `front`. */
rp_quat rp_rotation_hang(rp_vec3 down, rp_vec3 front);

typedef struct rp_two_bones {
    rp_vec3 from, to;   /* where the limb begins, and where it should end */
    float upper, lower; /* lengths of the bones, more than 0 */
    rp_vec3 bend;       /* where the elbow or knee points */
} rp_two_bones;

/*
 * Finds the rotations of both bones. Lengths never change: a point that is too far away is pointed
 * at, and one that is too near is approached as far as the bones allow. Finite for any input.
 */
void rp_two_bones_solve(const rp_two_bones *limb, rp_quat *ret_upper, rp_quat *ret_lower);

/* The size that both bones need to end at a point that is too far away; 1 for every other one. */
float rp_two_bones_stretch(const rp_two_bones *limb);

#endif
