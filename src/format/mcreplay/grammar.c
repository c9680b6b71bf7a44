/* grammar.c - the tables of grammar.h, and the tracks made of them. */
#include "mcreplay.h"

RP_ENUM(mc_rig_names, "rig", false, {MC_ARMATURE, "armature"}, {MC_MULTIPART, "multipart"});
RP_ENUM(mc_channel_names, "channel type", false, {MC_SCALAR, "scalar"}, {MC_VECTOR, "vector"});
RP_ENUM(mc_scope_names, "scope", false, {MC_SCOPE_REPLAY, "replay"}, {MC_SCOPE_WORLD, "world"});
RP_ENUM(mc_frame_names, "world frame", false, {MC_INTRACODED, "intracoded"},
        {MC_PREDICTED, "predicted"});
RP_ENUM(mc_blend_names, "transparency", false, {0, "opaque"}, {1, "clip"}, {2, "hashed"},
        {3, "blend"});
/* Number 0 is the default. */
RP_ENUM(mc_mix_names, "mix", false, {0, "multiply"}, {1, "mix"}, {2, "darken"}, {3, "burn"},
        {4, "lighten"}, {5, "screen"}, {6, "dodge"}, {7, "add"}, {8, "overlay"}, {9, "soft_light"},
        {10, "linear_light"}, {11, "difference"}, {12, "subtract"}, {13, "divide"}, {14, "hue"},
        {15, "saturation"}, {16, "color"}, {17, "value"});

RP_TABLE(mc_name, MC_NAME, "name");
RP_TABLE(mc_part, MC_PART, "part");
RP_TABLE(mc_channel, MC_CHANNEL, "override channel");
RP_TABLE(mc_entity_row, MC_ENTITY, "entity");
RP_TABLE(mc_transform, MC_TRANSFORM, "transform");
RP_TABLE(mc_pose, MC_POSE, "part state");
RP_TABLE(mc_pose_derived, MC_POSE_DERIVED, "part state, derived");
RP_TABLE(mc_override, MC_OVERRIDE, "override");
RP_TABLE(mc_position, MC_POSITION, "position");
RP_TABLE(mc_uv, MC_UV, "texture coordinate");
RP_TABLE(mc_corner, MC_CORNER, "corner");
RP_TABLE(mc_polygon, MC_POLYGON, "polygon");
RP_TABLE(mc_mesh, MC_MESH, "mesh");
RP_TABLE(mc_section, MC_SECTION, "section");
RP_TABLE(mc_world_frame, MC_WORLD_FRAME, "world frame");
RP_TABLE(mc_block, MC_BLOCK, "block");
RP_TABLE(mc_value, MC_VALUE, "material value");
RP_TABLE(mc_material, MC_MATERIAL, "material");
RP_TABLE(mc_texture, MC_TEXTURE, "texture");

const rp_record *const mc_records[MC_RECORD_COUNT] = {
    &mc_entity_row_record,  &mc_part_record,         &mc_channel_record,  &mc_pose_record,
    &mc_transform_record,   &mc_pose_derived_record, &mc_override_record, &mc_mesh_record,
    &mc_position_record,    &mc_uv_record,           &mc_polygon_record,  &mc_corner_record,
    &mc_world_frame_record, &mc_section_record,      &mc_block_record,    &mc_material_record,
    &mc_value_record,       &mc_texture_record,      &mc_name_record,
};

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define PER_FRAME   .clock = "frame", .timed = true
#define PER_ENTITY  .object = "entity"

const rp_track mc_tracks[MC_TRACK_COUNT] = {
    [MC_ENTITIES] = {.name = "entities",
                     .doc = "what moves",
                     .kind = RP_TRACK_TABLE,
                     PER_ENTITY,
                     ONE_PART(mc_entity_row)},
    [MC_PARTS] = {.name = "parts",
                  .doc = "parts and bones of entities, one entity after the other",
                  .kind = RP_TRACK_STATE,
                  .divided = true,
                  PER_FRAME,
                  PER_ENTITY,
                  .parts = {{NULL, &mc_pose_record, offsetof(mc_part_state, pose)},
                            {NULL, &mc_transform_record, offsetof(mc_part_state, transform)}},
                  .part_count = 2,
                  .derived = &mc_pose_derived_record,
                  .derive = mc_pose_derive},
    [MC_FRAMES] = {.name = "frames",
                   .doc = "where entities are, frame by frame, one entity after the other",
                   .kind = RP_TRACK_STATE,
                   PER_FRAME,
                   PER_ENTITY,
                   ONE_PART(mc_transform)},
    [MC_OVERRIDES] = {.name = "overrides",
                      .doc = "override channels, which change materials",
                      .kind = RP_TRACK_STATE,
                      .divided = true,
                      PER_FRAME,
                      PER_ENTITY,
                      ONE_PART(mc_override)},
    [MC_MESHES] = {.name = "meshes",
                   .doc = "shapes of parts, entities and blocks",
                   .kind = RP_TRACK_TABLE,
                   ONE_PART(mc_mesh)},
    [MC_WORLD_FRAMES] = {.name = "world_frames",
                         .doc = "the world and its changes; a row follows the blocks of its frame",
                         .kind = RP_TRACK_EVENT,
                         PER_FRAME,
                         ONE_PART(mc_world_frame)},
    [MC_BLOCKS] = {.name = "blocks",
                   .doc = "blocks as they are set",
                   .kind = RP_TRACK_EVENT,
                   PER_FRAME,
                   ONE_PART(mc_block)},
    [MC_MATERIALS] = {.name = "materials",
                      .doc = "what surfaces look like",
                      .kind = RP_TRACK_TABLE,
                      ONE_PART(mc_material)},
    [MC_TEXTURES] = {.name = "textures",
                     .doc = "images that materials use",
                     .kind = RP_TRACK_TABLE,
                     ONE_PART(mc_texture)},
};
