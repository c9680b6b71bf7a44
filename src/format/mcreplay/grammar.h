/*
 * grammar.h - every field of Minecraft's scene replays.
 *
 * The files are text (XML, OBJ, JSON) and NBT, so tags are not used: the lists give the structs,
 * the columns and the documentation.
 */
#ifndef MCREPLAY_GRAMMAR_H
#define MCREPLAY_GRAMMAR_H

#include "track.h"

extern const rp_enum mc_rig_names, mc_channel_names, mc_scope_names, mc_frame_names;
extern const rp_enum mc_blend_names, mc_mix_names;

typedef enum mc_rig { MC_ARMATURE, MC_MULTIPART } mc_rig;
typedef enum mc_channel_type { MC_SCALAR, MC_VECTOR } mc_channel_type;
typedef enum mc_scope { MC_SCOPE_REPLAY, MC_SCOPE_WORLD } mc_scope;
typedef enum mc_frame_type { MC_INTRACODED, MC_PREDICTED } mc_frame_type;

/* The items of a list of texts. */
#define MC_NAME(F, T) F(T, item, TEXT, 0, NULL, "text")
RP_STRUCT(mc_name, MC_NAME);

/* ---- entities ---- */

#define MC_PART(F, T)                                                        \
    F(T, name, TEXT, 0, NULL, "name; need not be unique")                    \
    F(T, parent, I32, 0, NULL, "part that contains it, -1: the entity")      \
    F(T, mesh, I32, 0, NULL, "number among the entity's meshes, -1: none")   \
    F(T, rest_x, F64, 0, NULL, "armatures: rest position, entity space")     \
    F(T, rest_y, F64, 0, NULL, "armatures: rest position, entity space")     \
    F(T, rest_z, F64, 0, NULL, "armatures: rest position, entity space")     \
    F(T, rest_rot_x, F64, 0, NULL, "armatures: rest rotation, entity space") \
    F(T, rest_rot_y, F64, 0, NULL, "armatures: rest rotation, entity space") \
    F(T, rest_rot_z, F64, 0, NULL, "armatures: rest rotation, entity space") \
    F(T, rest_rot_w, F64, 0, NULL, "armatures: rest rotation, entity space") \
    F(T, length, F64, 0, NULL, "armatures: length of the bone along its Y, for display")
RP_STRUCT(mc_part, MC_PART);

#define MC_CHANNEL(F, T)                                      \
    F(T, name, TEXT, 0, NULL, "name that materials refer to") \
    F(T, type, U8, 0, &mc_channel_names, "one number or three")
RP_STRUCT(mc_channel, MC_CHANNEL);

#define MC_ENTITY(F, T)                                                        \
    F(T, name, TEXT, 0, NULL, "display name")                                  \
    F(T, class, TEXT, 0, NULL, "namespaced type")                              \
    F(T, file, TEXT, 0, NULL, "member of the archive")                         \
    F(T, rig, U8, 0, &mc_rig_names, "how parts move")                          \
    F(T, fps, F64, 0, NULL, "frames per second")                               \
    F(T, start_time, F64, 0, NULL, "time of its first frame, seconds")         \
    F(T, animated, BOOL, 0, NULL, "has an animation")                          \
    F(T, parts, SEQ, 0, &mc_part_record, "parts or bones in definition order") \
    F(T, channels, SEQ, 0, &mc_channel_record, "override channels")
RP_STRUCT(mc_entity_row, MC_ENTITY);

/* Groups that are stored together or not at all: rotation, translation, scale. */
#define MC_TRANSFORM(F, T)                           \
    F(T, rot_x, F64, 0, NULL, "rotation, as stored") \
    F(T, rot_y, F64, 0, NULL, "rotation, as stored") \
    F(T, rot_z, F64, 0, NULL, "rotation, as stored") \
    F(T, rot_w, F64, 0, NULL, "rotation, as stored") \
    F(T, pos_x, F64, 0, NULL, "translation, metres") \
    F(T, pos_y, F64, 0, NULL, "translation, metres") \
    F(T, pos_z, F64, 0, NULL, "translation, metres") \
    F(T, scale_x, F64, 0, NULL, "scale")             \
    F(T, scale_y, F64, 0, NULL, "scale")             \
    F(T, scale_z, F64, 0, NULL, "scale")
RP_STRUCT(mc_transform, MC_TRANSFORM);

#define MC_POSE(F, T)                                    \
    F(T, part, U32, 0, NULL, "which part of the entity") \
    F(T, visible, BOOL, 0, NULL, "its own mesh is shown")
RP_STRUCT(mc_pose, MC_POSE);

#define MC_POSE_DERIVED(F, T)                                                                    \
    F(T, entity_matrix, MAT34, 0, NULL, "part to entity space")                                  \
    F(T, world_matrix, MAT34, 0, NULL, "part to Minecraft world, offset not applied")            \
    F(T, other_matrix, MAT34, 0, NULL,                                                           \
      "part to entity space by the other reading: nested parts relative to the entity (mods to " \
      "0.8.0), translations of bones in entity axes")
RP_STRUCT(mc_pose_derived, MC_POSE_DERIVED);

#define MC_OVERRIDE(F, T)                                      \
    F(T, channel, U32, 0, NULL, "which channel of the entity") \
    F(T, x, F64, 0, NULL, "the number, or the first of three") \
    F(T, y, F64, 0, NULL, "vectors: the second")               \
    F(T, z, F64, 0, NULL, "vectors: the third")
RP_STRUCT(mc_override, MC_OVERRIDE);

/* ---- meshes: the first three are laid out like rp_obj's lists ---- */

#define MC_POSITION(F, T)           \
    F(T, x, F64, 0, NULL, "metres") \
    F(T, y, F64, 0, NULL, "metres") \
    F(T, z, F64, 0, NULL, "metres")
RP_STRUCT(mc_position, MC_POSITION);

#define MC_UV(F, T)                               \
    F(T, u, F64, 0, NULL, "0 to 1 from the left") \
    F(T, v, F64, 0, NULL, "0 to 1 from the bottom")
RP_STRUCT(mc_uv, MC_UV);

#define MC_CORNER(F, T)                                    \
    F(T, v, I32, 0, NULL, "position")                      \
    F(T, vt, I32, 0, NULL, "texture coordinate, -1: none") \
    F(T, vn, I32, 0, NULL, "normal, -1: none")
RP_STRUCT(mc_corner, MC_CORNER);

#define MC_POLYGON(F, T)                                                \
    F(T, corners, SEQ, 0, &mc_corner_record, "three or more")           \
    F(T, group, TEXT, 0, NULL, "bone of an armature, layer of a block") \
    F(T, material, TEXT, 0, NULL, "material")                           \
    F(T, smoothing, TEXT, 0, NULL, "smoothing group")
RP_STRUCT(mc_polygon, MC_POLYGON);

#define MC_MESH(F, T)                                                  \
    F(T, scope, U8, 0, &mc_scope_names, "of an entity, or of a block") \
    F(T, entity, I32, 0, NULL, "whose it is, -1: a block's")           \
    F(T, part, I32, 0, NULL, "part it moves with, -1: the entity")     \
    F(T, model, TEXT, 0, NULL, "blocks: model id")                     \
    F(T, positions, SEQ, 0, &mc_position_record, "vertices")           \
    F(T, uvs, SEQ, 0, &mc_uv_record, "texture coordinates")            \
    F(T, normals, SEQ, 0, &mc_position_record, "normals")              \
    F(T, polygons, SEQ, 0, &mc_polygon_record, "faces")
RP_STRUCT(mc_mesh, MC_MESH);

/* ---- the world ---- */

#define MC_SECTION(F, T)                                        \
    F(T, x, I32, 0, NULL, "in sections of 16 blocks")           \
    F(T, y, I32, 0, NULL, "in sections of 16 blocks")           \
    F(T, z, I32, 0, NULL, "in sections of 16 blocks")           \
    F(T, palette, SEQ, 0, &mc_name_record, "model ids")         \
    F(T, colors, U32, 0, NULL, "entries of the colour palette") \
    F(T, colored, BOOL, 0, NULL, "blocks have colours")
RP_STRUCT(mc_section, MC_SECTION);

#define MC_WORLD_FRAME(F, T)                                                            \
    F(T, type, U8, 0, &mc_frame_names, "whole world, or changes to it")                 \
    F(T, sections, SEQ, 0, &mc_section_record, "intracoded: what the world is made of") \
    F(T, palette, SEQ, 0, &mc_name_record, "predicted: model ids")                      \
    F(T, blocks, U32, 0, NULL, "how many blocks it sets")
RP_STRUCT(mc_world_frame, MC_WORLD_FRAME);

#define MC_BLOCK(F, T)                                        \
    F(T, x, I32, 0, NULL, "world block")                      \
    F(T, y, I32, 0, NULL, "world block")                      \
    F(T, z, I32, 0, NULL, "world block")                      \
    F(T, state, U32, 0, NULL, "place in the palette")         \
    F(T, model, TEXT, 0, NULL, "model id")                    \
    F(T, red, U8, 0, NULL, "tint; white if none is stored")   \
    F(T, green, U8, 0, NULL, "tint; white if none is stored") \
    F(T, blue, U8, 0, NULL, "tint; white if none is stored")  \
    F(T, colored, BOOL, 0, NULL, "a tint is stored")
RP_STRUCT(mc_block, MC_BLOCK);

/* ---- looks ---- */

#define MC_VALUE(F, T)                                                   \
    F(T, texture, TEXT, 0, NULL, "texture id; the numbers mean nothing") \
    F(T, x, F64, 0, NULL, "red, x, or the grey value")                   \
    F(T, y, F64, 0, NULL, "green or y")                                  \
    F(T, z, F64, 0, NULL, "blue or z")                                   \
    F(T, override, TEXT, 0, NULL, "channel that replaces it")
RP_STRUCT(mc_value, MC_VALUE);

#define MC_MATERIAL(F, T)                                                       \
    F(T, scope, U8, 0, &mc_scope_names, "of entities, or of the world")         \
    F(T, id, TEXT, 0, NULL, "what meshes call it")                              \
    F(T, color, REC, mc_value, &mc_value_record, "base colour")                 \
    F(T, color2, REC, mc_value, &mc_value_record, "mixed over the base colour") \
    F(T, color2_blend_mode, U8, 0, &mc_mix_names, "how it is mixed")            \
    F(T, roughness, REC, mc_value, &mc_value_record, "0 to 1")                  \
    F(T, metallic, REC, mc_value, &mc_value_record, "0 to 1")                   \
    F(T, normal, REC, mc_value, &mc_value_record, "normal map, OpenGL")         \
    F(T, emission, REC, mc_value, &mc_value_record, "light")                    \
    F(T, emission_strength, F64, 0, NULL, "factor on the light")                \
    F(T, blend_mode, U8, 0, &mc_blend_names, "transparency")                    \
    F(T, tags, SEQ, 0, &mc_name_record, "free words")                           \
    F(T, source, TEXT, 0, NULL, "the document as stored, in one line")
RP_STRUCT(mc_material, MC_MATERIAL);

#define MC_TEXTURE(F, T)                                                 \
    F(T, scope, U8, 0, &mc_scope_names, "of entities, or of the world")  \
    F(T, id, TEXT, 0, NULL, "what materials call it")                    \
    F(T, image, TEXT, 0, NULL, "member with the pixels")                 \
    F(T, animation, TEXT, 0, NULL, "member that says how frames follow") \
    F(T, width, U32, 0, NULL, "pixels")                                  \
    F(T, height, U32, 0, NULL, "pixels, of all frames together")         \
    F(T, framerate, F64, 0, NULL, "frames per second")                   \
    F(T, frame_count, U32, 0, NULL, "stacked from the top")              \
    F(T, size, U64, 0, NULL, "bytes of the image")
RP_STRUCT(mc_texture, MC_TEXTURE);

typedef enum mc_track {
    MC_ENTITIES,
    MC_PARTS,
    MC_FRAMES,
    MC_OVERRIDES,
    MC_MESHES,
    MC_WORLD_FRAMES,
    MC_BLOCKS,
    MC_MATERIALS,
    MC_TEXTURES,
    MC_TRACK_COUNT,
} mc_track;

enum { MC_RECORD_COUNT = 19 };

extern const rp_track mc_tracks[MC_TRACK_COUNT];
extern const rp_record *const mc_records[MC_RECORD_COUNT];

#endif
