/*
 * geometry.h - positions and rotations of scenes.
 *
 * A scene is right-handed with Y up, in metres, as in glTF. Games use other axes; all conversions
 * are here. What analyses compute for every row is inline.
 */
#ifndef RP_GEOMETRY_H
#define RP_GEOMETRY_H

#include <math.h>

#include "schema.h"

/* From left-handed axes with Y up and Z forward: mirrors Z. */
rp_vec3 rp_position_from_left_handed(rp_vec3 position);
rp_quat rp_rotation_from_left_handed(rp_quat rotation);

/* From right-handed axes with Z up: x stays, z becomes y, y becomes -z. */
rp_vec3 rp_position_from_z_up(rp_vec3 position, float unit_m);
/* Yaw 0 looks along +x and increases counter-clockwise seen from above; pitch is positive down. */
rp_quat rp_rotation_from_view_angles(double pitch_deg, double yaw_deg);

static inline double rp_distance(rp_vec3 a, rp_vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y,
           z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

rp_quat rp_rotation_about(rp_vec3 axis, double angle_rad);
/* The rotation that maps the axes to x, y and z, which are orthonormal. */
rp_quat rp_rotation_from_axes(rp_vec3 x, rp_vec3 y, rp_vec3 z);
/* Normalises. Returns the identity if the length is 0 or not finite. */
rp_quat rp_rotation_unit(rp_quat rotation);
static inline rp_quat rp_rotation_then(rp_quat first, rp_quat second)
{
    rp_quat a = second, b = first;
    return (rp_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                     a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline rp_vec3 rp_rotation_apply(rp_quat q, rp_vec3 p)
{
    rp_vec3 t = {2 * (q.y * p.z - q.z * p.y), 2 * (q.z * p.x - q.x * p.z),
                 2 * (q.x * p.y - q.y * p.x)};
    return (rp_vec3){p.x + q.w * t.x + (q.y * t.z - q.z * t.y),
                     p.y + q.w * t.y + (q.z * t.x - q.x * t.z),
                     p.z + q.w * t.z + (q.x * t.y - q.y * t.x)};
}

/* Keeps only the rotation about the vertical axis. */
rp_quat rp_rotation_heading(rp_quat rotation);
/* The shortest rotation from a to b, as axis times angle in radians. */
rp_vec3 rp_rotation_between(rp_quat a, rp_quat b);
/* Interpolates from a (share 0) to b (share 1). */
rp_quat rp_rotation_mix(rp_quat a, rp_quat b, double share);

#endif
