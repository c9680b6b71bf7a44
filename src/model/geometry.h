/*
 * geometry.h - places and turns: the little geometry that scenes need.
 *
 * A scene is right-handed with Y up and measures metres, as glTF does. Games have other axes; the
 * functions here are the only place where these are exchanged.
 */
#ifndef RP_GEOMETRY_H
#define RP_GEOMETRY_H

#include "schema.h"

/* Left-handed, Y up, Z forward: Z is mirrored. */
rp_vec3 rp_place_from_left_handed(rp_vec3 place);
rp_quat rp_turn_from_left_handed(rp_quat turn);

/* Right-handed, Z up: x stays, z becomes up, y goes away from the viewer. */
rp_vec3 rp_place_from_z_up(rp_vec3 place, float unit_m);
/* What looks along +x at yaw 0; yaw counter-clockwise from above, pitch positive downwards. */
rp_quat rp_turn_from_view_angles(double pitch_deg, double yaw_deg);

double rp_distance(rp_vec3 a, rp_vec3 b);

rp_quat rp_turn_about(rp_vec3 axis, double angle_rad);
/* What turns x, y and z into these, which stand upright on each other and have length 1. */
rp_quat rp_turn_from_axes(rp_vec3 x, rp_vec3 y, rp_vec3 z);
/* Length 1; the identity for what has no direction. */
rp_quat rp_turn_unit(rp_quat turn);
rp_quat rp_turn_then(rp_quat first, rp_quat second);
rp_vec3 rp_turn_apply(rp_quat turn, rp_vec3 place);
/* The same turn about the vertical only: where it faces, seen from above. */
rp_quat rp_turn_heading(rp_quat turn);
/* The way from a to b as axis times angle, the shorter one; its length is the angle. */
rp_vec3 rp_turn_between(rp_quat a, rp_quat b);
/* A fraction of that way. */
rp_quat rp_turn_mix(rp_quat a, rp_quat b, double share);

#endif
