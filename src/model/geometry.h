/*
 * geometry.h - positions and rotations of scenes.
 *
 * A scene is right-handed with Y up, in metres, as in glTF. Games use other axes; all conversions
 * are here.
 */
#ifndef RP_GEOMETRY_H
#define RP_GEOMETRY_H

#include "schema.h"

/* From left-handed axes with Y up and Z forward: mirrors Z. */
rp_vec3 rp_position_from_left_handed(rp_vec3 position);
rp_quat rp_rotation_from_left_handed(rp_quat rotation);

/* From right-handed axes with Z up: x stays, z becomes y, y becomes -z. */
rp_vec3 rp_position_from_z_up(rp_vec3 position, float unit_m);
/* Yaw 0 looks along +x and increases counter-clockwise seen from above; pitch is positive down. */
rp_quat rp_rotation_from_view_angles(double pitch_deg, double yaw_deg);

double rp_distance(rp_vec3 a, rp_vec3 b);

rp_quat rp_rotation_about(rp_vec3 axis, double angle_rad);
/* The rotation that maps the axes to x, y and z, which are orthonormal. */
rp_quat rp_rotation_from_axes(rp_vec3 x, rp_vec3 y, rp_vec3 z);
/* Normalises. Returns the identity if the length is 0 or not finite. */
rp_quat rp_rotation_unit(rp_quat rotation);
rp_quat rp_rotation_then(rp_quat first, rp_quat second);
rp_vec3 rp_rotation_apply(rp_quat rotation, rp_vec3 position);
/* Keeps only the rotation about the vertical axis. */
rp_quat rp_rotation_heading(rp_quat rotation);
/* The shortest rotation from a to b, as axis times angle in radians. */
rp_vec3 rp_rotation_between(rp_quat a, rp_quat b);
/* Interpolates from a (share 0) to b (share 1). */
rp_quat rp_rotation_mix(rp_quat a, rp_quat b, double share);

#endif
