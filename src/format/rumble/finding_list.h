/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_RUMBLE_FINDING_LIST_H
#define RP_RUMBLE_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define RUMBLE_FINDINGS(F) \
    F(RUMBLE_F_DUPLICATE_ENTRY, WARNING, "rumble.duplicate-entry", \
      "The archive has two members of the same name; the first one is read.") \
    F(RUMBLE_F_DUPLICATE_MEMBER, WARNING, "rumble.duplicate-member", \
      "The manifest has the same key twice; the first one is read.") \
    F(RUMBLE_F_DURATION, NOTE, "rumble.duration", \
      "The duration in the manifest differs from the time that the frames take.") \
    F(RUMBLE_F_INNER_SIZE, WARNING, "rumble.inner-size", \
      "The wrapper states a different size than its data inflates to.") \
    F(RUMBLE_F_LOST_BYTES, WARNING, "rumble.lost-bytes", \
      "The file has fewer bytes of gzip data than its wrapper states.") \
    F(RUMBLE_F_LOST_END, WARNING, "rumble.lost-end", \
      "The recording ends early; the frames before the damage are kept.") \
    F(RUMBLE_F_LOST_ENTRY, WARNING, "rumble.lost-entry", \
      "An entry of a frame cannot be read and is left out; the rest of the frame is kept.") \
    F(RUMBLE_F_LOST_FRAME, WARNING, "rumble.lost-frame", \
      "A frame cannot be read and is left out.") \
    F(RUMBLE_F_LOST_MANIFEST, WARNING, "rumble.lost-manifest", \
      "The manifest is lost; players and structures are reconstructed from the frames.") \
    F(RUMBLE_F_LOST_MEMBER, WARNING, "rumble.lost-member", \
      "A member of the archive is damaged and left out.") \
    F(RUMBLE_F_MARKER_COUNT, NOTE, "rumble.marker-count", \
      "MarkerCount differs from the number of markers in the list.") \
    F(RUMBLE_F_MENDED_SIZE, WARNING, "rumble.mended-size", \
      "A frame states a different size than its entries have; the entries are used.") \
    F(RUMBLE_F_STRUCTURE_COUNTS, WARNING, "rumble.structure-counts", \
      "The header has two structure counts, and they differ.") \
    F(RUMBLE_F_TRAILING_BYTES, WARNING, "rumble.trailing-bytes", \
      "There is data after the last frame (only a note in ZIP archives, where real builds leave it).") \
    F(RUMBLE_F_UNKNOWN_CHUNK, NOTE, "rumble.unknown-chunk", \
      "A frame has an entry of an unknown type, which is skipped.") \
    F(RUMBLE_F_UNKNOWN_FIELD, NOTE, "rumble.unknown-field", \
      "An entry has field ids that no known build writes; they are skipped.") \
    F(RUMBLE_F_UNKNOWN_VERSION, NOTE, "rumble.unknown-version", \
      "The version is none of the known builds.") \
    F(RUMBLE_F_UNSAFE_NAME, WARNING, "rumble.unsafe-name", \
      "A member name would leave the target directory when extracted.") \
    F(RUMBLE_F_VOICE_INDEX, WARNING, "rumble.voice-index", \
      "The list of voice recordings cannot be read.") \
    F(RUMBLE_F_VOICE_NAME, WARNING, "rumble.voice-name", \
      "The list of voice recordings has a file name with a path in it.") \
    F(RUMBLE_F_WRAPPER_TRAILING, NOTE, "rumble.wrapper-trailing", \
      "There are bytes after the gzip data of the wrapper; they are ignored.")

/* clang-format on */

enum { RUMBLE_FINDINGS(RP_FINDING_NUMBER) RUMBLE_FINDING_COUNT };
extern const rp_finding_kind rumble_findings[RUMBLE_FINDING_COUNT];
#define RUMBLE_FINDING(name) (&rumble_findings[RUMBLE_F_##name])

#endif
