/* two_bones.c - see two_bones.h. */
#include "two_bones.h"

/* Shares of the reach that are never left, so that a limb is neither flat nor folded completely. */
static const float reach_min = 1.01f, reach_max = 0.999f;

rp_vec3 rp_unit(rp_vec3 a, rp_vec3 usual)
{
    float length = sqrtf(rp_dot(a, a));
    return length > 1e-6f && isfinite(length) ? rp_times(a, 1 / length) : usual;
}

rp_quat rp_rotation_hang(rp_vec3 down, rp_vec3 front)
{
    rp_vec3 y = rp_times(down, -1);
    rp_vec3 x = rp_unit(rp_cross(front, y), (rp_vec3){1, 0, 0});
    x = rp_unit(rp_minus(x, rp_times(y, rp_dot(x, y))), (rp_vec3){0, 0, 1});
    return rp_rotation_from_axes(x, y, rp_cross(x, y));
}

float rp_two_bones_stretch(const rp_two_bones *l)
{
    rp_vec3 offset = rp_minus(l->to, l->from);
    float stretch = sqrtf(rp_dot(offset, offset)) / ((l->upper + l->lower) * reach_max);
    return stretch > 1 && isfinite(stretch) ? stretch : 1;
}

void rp_two_bones_solve(const rp_two_bones *l, rp_quat *ret_upper, rp_quat *ret_lower)
{
    static const rp_vec3 down = {0, -1, 0}, ahead = {0, 0, -1};
    rp_vec3 offset = rp_minus(l->to, l->from), along = rp_unit(offset, down);
    float far = sqrtf(rp_dot(offset, offset));
    float d = fminf(fmaxf(far, fabsf(l->upper - l->lower) * reach_min),
                    (l->upper + l->lower) * reach_max);
    float cosine = (l->upper * l->upper + d * d - l->lower * l->lower) / (2 * l->upper * d);
    /* Bones of equal length that end where they begin are folded. */
    cosine = d > 1e-6f ? fminf(fmaxf(cosine, -1), 1) : 0;
    rp_vec3 aside = rp_unit(rp_minus(l->bend, rp_times(along, rp_dot(l->bend, along))),
                            rp_unit(rp_cross(along, ahead), ahead));
    rp_vec3 knee = rp_plus(rp_times(along, cosine * l->upper),
                           rp_times(aside, sqrtf(1 - cosine * cosine) * l->upper));
    rp_vec3 end = rp_minus(rp_times(along, d), knee);
    *ret_upper = rp_rotation_hang(rp_unit(knee, down), rp_times(aside, -1));
    *ret_lower = rp_rotation_hang(rp_unit(end, down), rp_times(aside, -1));
}
