/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_MCREPLAY_FINDING_LIST_H
#define RP_MCREPLAY_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define MC_FINDINGS(F) \
    F(MC_F_BLANK_FIRST_LINE, WARNING, "mcreplay.blank-first-line", \
      "The first line of an animation is blank; it does not count as a frame.") \
    F(MC_F_DUPLICATE, WARNING, "mcreplay.duplicate", \
      "The archive has two members of the same name; the last one is read.") \
    F(MC_F_ENTITY, WARNING, "mcreplay.entity", \
      "An entity cannot be read and is skipped (a fault if a limit was reached).") \
    F(MC_F_ENTITY_DAMAGED, FAULT, "mcreplay.entity-damaged", \
      "An entity is damaged in the archive and is skipped.") \
    F(MC_F_ENTRY_SIZE, WARNING, "mcreplay.entry-size", \
      "An animation entry does not have 0, 4, 7, 10 or 11 numbers.") \
    F(MC_F_EXTRA_ENTRY, WARNING, "mcreplay.extra-entry", \
      "A frame has more entries than the entity has parts and channels; the extra ones are ignored.") \
    F(MC_F_LOST_MEMBER, WARNING, "mcreplay.lost-member", \
      "A member of the archive is damaged and left out.") \
    F(MC_F_LOST_META, WARNING, "mcreplay.lost-meta", \
      "meta.json cannot be read; the position of the scene is lost.") \
    F(MC_F_LOST_WORLD, WARNING, "mcreplay.lost-world", \
      "The world cannot be read and is left out.") \
    F(MC_F_LOST_WORLD_FRAMES, WARNING, "mcreplay.lost-world-frames", \
      "Later frames of the world cannot be read and are left out.") \
    F(MC_F_MATERIAL_MODE, WARNING, "mcreplay.material-mode", \
      "A material has an unknown mode; the default is used.") \
    F(MC_F_MATERIAL_VALUE, WARNING, "mcreplay.material-value", \
      "A material value is neither a number, three numbers nor a texture; the default is used.") \
    F(MC_F_MODEL_MISSING, WARNING, "mcreplay.model-missing", \
      "The world uses a model that has no mesh; it stays empty.") \
    F(MC_F_NO_ANIM, WARNING, "mcreplay.no-anim", \
      "An entity has no animation; it does not move.") \
    F(MC_F_NO_META, WARNING, "mcreplay.no-meta", \
      "A meta.json is missing.") \
    F(MC_F_NO_OFFSET, WARNING, "mcreplay.no-offset", \
      "meta.json has no offset; 0, 0, 0 is used (only a note before version 0.2.1, which had none).") \
    F(MC_F_NO_WORLD, WARNING, "mcreplay.no-world", \
      "The archive has no world.") \
    F(MC_F_NOT_FINITE, WARNING, "mcreplay.not-finite", \
      "An animation entry has NaN or infinity; the previous value is kept.") \
    F(MC_F_ORIGIN, WARNING, "mcreplay.origin", \
      "meta.json says \"origin\" where writers say \"offset\"; it is read as the offset.") \
    F(MC_F_OVERRIDE_RESERVED, WARNING, "mcreplay.override-reserved", \
      "A material override uses a reserved name (starting with '$') and is ignored.") \
    F(MC_F_SECOND_MESH, WARNING, "mcreplay.second-mesh", \
      "An entity has more than one mesh; the first one is read.") \
    F(MC_F_SHORT_OVERRIDE, WARNING, "mcreplay.short-override", \
      "An override has too few numbers; the previous value is kept.") \
    F(MC_F_TEXTURE_ANIMATION, WARNING, "mcreplay.texture-animation", \
      "An animated texture has a bad frame rate or frame count; the default is used.") \
    F(MC_F_TEXTURE_HEIGHT, WARNING, "mcreplay.texture-height", \
      "The height of an animated texture is not a multiple of its number of frames.") \
    F(MC_F_TEXTURE_MISSING, WARNING, "mcreplay.texture-missing", \
      "A texture or its image is missing.") \
    F(MC_F_TEXTURE_PNG, WARNING, "mcreplay.texture-png", \
      "The image of a texture is not a complete PNG file.") \
    F(MC_F_VERSION, WARNING, "mcreplay.version", \
      "meta.json has no version or an unknown one.") \
    F(MC_F_WINDOWS_1252, WARNING, "mcreplay.windows-1252", \
      "An entity is not valid UTF-8 and is read as Windows-1252.") \
    F(MC_F_WORLD_GZIP, WARNING, "mcreplay.world-gzip", \
      "world.dat is compressed with gzip inside the archive.") \
    F(MC_F_WORLD_ORDER, WARNING, "mcreplay.world-order", \
      "The frames of the world are not in order of time; they are sorted.") \
    F(MC_F_WORLD_TRAILING, WARNING, "mcreplay.world-trailing", \
      "There are bytes after the root tag of the world; they are ignored.") \
    F(MC_F_ZERO_ROTATION, WARNING, "mcreplay.zero-rotation", \
      "A rotation is all zeros and is read as no rotation.")

#define MC_CAMERA_FINDINGS(F) \
    F(MC_CAMERA_F_LOST_FRAMES, WARNING, "mccamera.lost-frames", \
      "The frames after this place cannot be read.")

/* clang-format on */

enum { MC_FINDINGS(RP_FINDING_NUMBER) MC_FINDING_COUNT };
extern const rp_finding_kind mc_findings[MC_FINDING_COUNT];
#define MC_FINDING(name) (&mc_findings[MC_F_##name])

enum { MC_CAMERA_FINDINGS(RP_FINDING_NUMBER) MC_CAMERA_FINDING_COUNT };
extern const rp_finding_kind mc_camera_findings[MC_CAMERA_FINDING_COUNT];
#define MC_CAMERA_FINDING(name) (&mc_camera_findings[MC_CAMERA_F_##name])

#endif
