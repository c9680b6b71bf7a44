/* geometry.c - see geometry.h. */
#include "geometry.h"

#include <math.h>

static const double degree = 3.14159265358979323846 / 180;

rp_vec3 rp_position_from_left_handed(rp_vec3 p)
{
    return (rp_vec3){p.x, p.y, -p.z};
}

/* The axis is mirrored like a position, which also reverses the direction of rotation. */
rp_quat rp_rotation_from_left_handed(rp_quat q)
{
    return (rp_quat){-q.x, -q.y, q.z, q.w};
}

rp_vec3 rp_position_from_z_up(rp_vec3 p, float unit_m)
{
    return (rp_vec3){p.x * unit_m, p.z * unit_m, -p.y * unit_m};
}

rp_quat rp_rotation_about(rp_vec3 axis, double angle_rad)
{
    double s = sin(angle_rad / 2);
    return (rp_quat){(float)((double)axis.x * s), (float)((double)axis.y * s),
                     (float)((double)axis.z * s), (float)cos(angle_rad / 2)};
}

/* An unrotated node looks along -z, which is yaw 90 in the other system. */
rp_quat rp_rotation_from_view_angles(double pitch_deg, double yaw_deg)
{
    rp_quat yaw = rp_rotation_about((rp_vec3){0, 1, 0}, (yaw_deg - 90) * degree);
    rp_quat pitch = rp_rotation_about((rp_vec3){1, 0, 0}, -pitch_deg * degree);
    return rp_rotation_unit(rp_rotation_then(pitch, yaw));
}

rp_quat rp_rotation_from_axes(rp_vec3 x, rp_vec3 y, rp_vec3 z)
{
    /* Starts with the largest component, because the others are divided by it. */
    const double squares[4] = {
        1 + (double)x.x - (double)y.y - (double)z.z, 1 - (double)x.x + (double)y.y - (double)z.z,
        1 - (double)x.x - (double)y.y + (double)z.z, 1 + (double)x.x + (double)y.y + (double)z.z};
    size_t most = 0;
    for (size_t i = 1; i < 4; i++)
        most = squares[i] > squares[most] ? i : most;
    const float sums[3] = {y.x + x.y, z.x + x.z, z.y + y.z}; /* xy, xz, yz */
    const float waves[3] = {y.z - z.y, z.x - x.z, x.y - y.x};
    float q = (float)squares[most];
    switch (most) {
    case 0:
        return rp_rotation_unit((rp_quat){q, sums[0], sums[1], waves[0]});
    case 1:
        return rp_rotation_unit((rp_quat){sums[0], q, sums[2], waves[1]});
    case 2:
        return rp_rotation_unit((rp_quat){sums[1], sums[2], q, waves[2]});
    default:
        return rp_rotation_unit((rp_quat){waves[0], waves[1], waves[2], q});
    }
}

rp_quat rp_rotation_unit(rp_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 1e-12) || !isfinite(length))
        return (rp_quat){0, 0, 0, 1};
    return (rp_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                     (float)(w / length)};
}

rp_quat rp_rotation_heading(rp_quat q)
{
    return rp_rotation_unit((rp_quat){0, q.y, 0, q.w});
}

/* In double precision, because the rotations may be nearly equal. */
static void difference(rp_quat from, rp_quat to, double d[4])
{
    double ax = -(double)from.x, ay = -(double)from.y, az = -(double)from.z, aw = (double)from.w;
    double bx = (double)to.x, by = (double)to.y, bz = (double)to.z, bw = (double)to.w;
    d[0] = aw * bx + ax * bw + ay * bz - az * by;
    d[1] = aw * by - ax * bz + ay * bw + az * bx;
    d[2] = aw * bz + ax * by - ay * bx + az * bw;
    d[3] = aw * bw - ax * bx - ay * by - az * bz;
    for (size_t i = 0; d[3] < 0 && i < 3; i++)
        d[i] = -d[i];
    d[3] = fabs(d[3]);
}

rp_vec3 rp_rotation_between(rp_quat a, rp_quat b)
{
    double d[4];
    difference(a, b, d);
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], s = sqrt(square);
    /* For small angles, four terms of the arc sine are exact to 1e-9 up to a quarter radian. */
    double scale = square < 0.0156 ? 2 + square * (1.0 / 3 + square * (0.15 + square * (5.0 / 56)))
                                   : 2 * atan2(s, d[3]) / s;
    return (rp_vec3){(float)(d[0] * scale), (float)(d[1] * scale), (float)(d[2] * scale)};
}

rp_quat rp_rotation_mix(rp_quat a, rp_quat b, double share)
{
    rp_vec3 between = rp_rotation_between(a, b);
    double angle = sqrt((double)between.x * (double)between.x +
                        (double)between.y * (double)between.y +
                        (double)between.z * (double)between.z);
    if (!(angle > 1e-9))
        return a;
    rp_vec3 axis = {(float)((double)between.x / angle), (float)((double)between.y / angle),
                    (float)((double)between.z / angle)};
    return rp_rotation_unit(rp_rotation_then(rp_rotation_about(axis, angle * share), a));
}
