/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_IRONCURTAIN_FINDING_LIST_H
#define RP_IRONCURTAIN_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define IC_FINDINGS(F) \
    F(IC_F_BASE_BUILD, WARNING, "icrep.base-build", \
      "base_build in the metadata differs from the version in the header.") \
    F(IC_F_BLOCK_SPAN, NOTE, "icrep.block-span", \
      "The order blocks span an unusual number of ticks (256 is usual).") \
    F(IC_F_CHAT_LENGTH, WARNING, "icrep.chat-length", \
      "A chat message is longer than allowed.") \
    F(IC_F_DESYNC, FAULT, "icrep.desync", \
      "Replaying the orders gives a different state than was recorded.") \
    F(IC_F_DURATION, WARNING, "icrep.duration", \
      "The number of ticks and the duration in seconds contradict each other.") \
    F(IC_F_EMBEDDED_SCRIPT, WARNING, "icrep.embedded-script", \
      "The embedded map has a script; scripts are never extracted.") \
    F(IC_F_EMBEDDED_URL, WARNING, "icrep.embedded-url", \
      "An embedded rule refers to an external URL.") \
    F(IC_F_END_NOT_PROVEN, NOTE, "icrep.end-not-proven", \
      "The last signature is a regular one, so it does not prove that the match ended there.") \
    F(IC_F_FINAL_HASH, FAULT, "icrep.final-hash", \
      "The final state hash in the header differs from the signed one.") \
    F(IC_F_FINAL_KEYFRAME, FAULT, "icrep.final-keyframe", \
      "The last keyframe does not have the final state hash of the header.") \
    F(IC_F_FINAL_UNKNOWN, FAULT, "icrep.final-unknown", \
      "The final state hash is zero although the recording is complete.") \
    F(IC_F_FRAME_HASH, FAULT, "icrep.frame-hash", \
      "A keyframe has a different state hash than the frame of its tick.") \
    F(IC_F_INDEX_UNCOUNTED, NOTE, "icrep.index-uncounted", \
      "The keyframe index does not start with its number of entries.") \
    F(IC_F_KEY_CHANGES, FAULT, "icrep.key-changes", \
      "The public key of the relay changes within the file.") \
    F(IC_F_KEY_LENGTH, NOTE, "icrep.key-length", \
      "The public key of the relay is stored with a length before it.") \
    F(IC_F_KEY_UNTRUSTED, NOTE, "icrep.key-untrusted", \
      "The public key of the relay is not one of the trusted keys.") \
    F(IC_F_LOST_COUNT, WARNING, "icrep.lost-count", \
      "The header counts a different number of lost frames than are missing.") \
    F(IC_F_LOST_FRAMES, WARNING, "icrep.lost-frames", \
      "The header counts lost frames, but its INCOMPLETE flag is not set.") \
    F(IC_F_LZ4_PLAIN, NOTE, "icrep.lz4-plain", \
      "The LZ4 blocks are stored without their size before them.") \
    F(IC_F_MAP_ORDER, NOTE, "icrep.map-order", \
      "A key-value map of the campaign state is not sorted.") \
    F(IC_F_METADATA_ADDRESS, WARNING, "icrep.metadata-address", \
      "The metadata has a network address in it.") \
    F(IC_F_METADATA_KEY, WARNING, "icrep.metadata-key", \
      "The metadata has a key that is not on the allow-list.") \
    F(IC_F_METADATA_MAP, WARNING, "icrep.metadata-map", \
      "The metadata names a different map than the states have (a fault in a signed recording).") \
    F(IC_F_METADATA_PATH, WARNING, "icrep.metadata-path", \
      "The metadata has a file path in it.") \
    F(IC_F_METADATA_SEED, WARNING, "icrep.metadata-seed", \
      "The metadata has a different random seed than the states (a fault in a signed recording).") \
    F(IC_F_METADATA_TICKS, FAULT, "icrep.metadata-ticks", \
      "The metadata of a signed recording has a different number of ticks than the file.") \
    F(IC_F_MISSING_FRAMES, WARNING, "icrep.missing-frames", \
      "Frames of orders are missing.") \
    F(IC_F_NOT_FINALISED, WARNING, "icrep.not-finalised", \
      "The recording was never finalised; it is read by scanning its records.") \
    F(IC_F_NOT_SIMULATED, NOTE, "icrep.not-simulated", \
      "The orders were not replayed, so the states are not proven.") \
    F(IC_F_RECOVERED, WARNING, "icrep.recovered", \
      "The recording was recovered; its last state is not signed.") \
    F(IC_F_SCHEMA_UNKNOWN, FAULT, "icrep.schema-unknown", \
      "A section uses types that this version does not know; it is not read.") \
    F(IC_F_SECTION_ABSENT, FAULT, "icrep.section-absent", \
      "A flag announces a section that is absent.") \
    F(IC_F_SECTION_LOST, WARNING, "icrep.section-lost", \
      "A section is cut off by the end of the file.") \
    F(IC_F_SECTION_UNFLAGGED, WARNING, "icrep.section-unflagged", \
      "A section is present but its flag is not set; it is ignored.") \
    F(IC_F_SIGNATURE_INVALID, FAULT, "icrep.signature-invalid", \
      "A signature does not match.") \
    F(IC_F_SIGNATURE_ORDER, FAULT, "icrep.signature-order", \
      "The ticks of the signatures are not ascending.") \
    F(IC_F_SIGNED_FLAG, WARNING, "icrep.signed-flag", \
      "The metadata and the header disagree on whether the recording is signed.") \
    F(IC_F_SIGNED_FRAME_HASH, FAULT, "icrep.signed-frame-hash", \
      "The hash of a frame differs from the signed one.") \
    F(IC_F_SIGNED_KEYFRAME_HASH, FAULT, "icrep.signed-keyframe-hash", \
      "The state of a keyframe differs from the signed hash.") \
    F(IC_F_SKIPPED_TICKS, FAULT, "icrep.skipped-ticks", \
      "A signature states a different number of skipped ticks than frames are missing.") \
    F(IC_F_STROKE_LENGTH, WARNING, "icrep.stroke-length", \
      "A drawing has more points than allowed.") \
    F(IC_F_TERMINAL_UNSIGNED, FAULT, "icrep.terminal-unsigned", \
      "The last tick is not signed.") \
    F(IC_F_TORN_TAIL, WARNING, "icrep.torn-tail", \
      "The file ends within a record; everything before that record is kept.") \
    F(IC_F_TOTAL_TICKS, WARNING, "icrep.total-ticks", \
      "The metadata and the header state different numbers of ticks.") \
    F(IC_F_UNKNOWN_FLAGS, WARNING, "icrep.unknown-flags", \
      "The header sets flag bits that are not defined.") \
    F(IC_F_UNSIGNED, NOTE, "icrep.unsigned", \
      "The recording has no signature.")

#define IC_SAVE_FINDINGS(F) \
    F(IC_SAVE_F_LZ4_PLAIN, NOTE, "icsave.lz4-plain", \
      "An LZ4 block is stored without its size before it.") \
    F(IC_SAVE_F_MAP_ORDER, NOTE, "icsave.map-order", \
      "A key-value map of the campaign state is not sorted.") \
    F(IC_SAVE_F_SCHEMA_UNKNOWN, FAULT, "icsave.schema-unknown", \
      "The snapshot uses types that this version does not know; it is not read.") \
    F(IC_SAVE_F_THUMBNAIL, WARNING, "icsave.thumbnail", \
      "The thumbnail is not a PNG file.") \
    F(IC_SAVE_F_TICK, WARNING, "icsave.tick", \
      "The metadata names a different tick than the snapshot has.") \
    F(IC_SAVE_F_UNKNOWN_FLAGS, WARNING, "icsave.unknown-flags", \
      "The header sets flag bits that are not defined.")

#define IC_PROOF_FINDINGS(F) \
    F(IC_PROOF_F_KEY_UNTRUSTED, NOTE, "icproof.key-untrusted", \
      "The public key of the relay is not one of the trusted keys.") \
    F(IC_PROOF_F_PATH, FAULT, "icproof.path", \
      "The Merkle path does not have the length that its leaf needs.") \
    F(IC_PROOF_F_SIGNATURE, FAULT, "icproof.signature", \
      "The signature of the relay does not match this state.")

/* clang-format on */

enum { IC_FINDINGS(RP_FINDING_NUMBER) IC_FINDING_COUNT };
extern const rp_finding_kind ic_findings[IC_FINDING_COUNT];
#define IC_FINDING(name) (&ic_findings[IC_F_##name])

enum { IC_SAVE_FINDINGS(RP_FINDING_NUMBER) IC_SAVE_FINDING_COUNT };
extern const rp_finding_kind ic_save_findings[IC_SAVE_FINDING_COUNT];
#define IC_SAVE_FINDING(name) (&ic_save_findings[IC_SAVE_F_##name])

enum { IC_PROOF_FINDINGS(RP_FINDING_NUMBER) IC_PROOF_FINDING_COUNT };
extern const rp_finding_kind ic_proof_findings[IC_PROOF_FINDING_COUNT];
#define IC_PROOF_FINDING(name) (&ic_proof_findings[IC_PROOF_F_##name])

#endif
