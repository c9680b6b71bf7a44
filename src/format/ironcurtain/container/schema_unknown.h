/*
 * schema_unknown.h - files of future engines, whose inner types are not those of this profile
 * (reading rules 11 and 12). Such a file is not damaged: proven parts are shown, the rest stays
 * bytes.
 */
#ifndef IRONCURTAIN_CONTAINER_SCHEMA_UNKNOWN_H
#define IRONCURTAIN_CONTAINER_SCHEMA_UNKNOWN_H

#include "ironcurtain/ironcurtain.h"

/* The part of a state after its core, for messages. */
#define IC_REST "campaign or scripts"

/*
 * Turns a failure to decode into REPRISE_E_UNSUPPORTED, "schema unknown", with the name of the part
 * and what was proven. Other failures stay unchanged.
 */
reprise_status ic_schema_unknown(reprise_error *error, const char *part, const char *proven);
/* For recovery: reports the part that is dropped because it cannot be decoded. */
reprise_status ic_left_out(reprise_error *error, const char *part);
/* Whether an error is of this kind. */
bool ic_is_schema_unknown(const reprise_error *error);
/* Records such an error as a finding, and the kind of section. */
void ic_note_unknown(ic_replay *replay, ic_section_kind kind, const reprise_error *error);

/*
 * The same for a keyframe that cannot be decoded. If no keyframe of its kind can be decoded, the
 * types are unknown; otherwise this one is damaged.
 */
reprise_status ic_keyframe_unknown(ic_replay *replay, const ic_piece *piece, reprise_error *error);
/* Whether a state hash is recorded by the frame of its tick, a signature or the header. */
reprise_status ic_hash_is_recorded(ic_replay *replay, uint64_t tick,
                                   const uint8_t hash[IC_HASH_SIZE], bool *ret_recorded,
                                   reprise_error *error);
/* Decodes everything, for writers that copy sections unchanged. */
reprise_status ic_decode_all(ic_replay *replay, reprise_error *error);
/* The same, but fails only for unknown types; damage is reported elsewhere. */
reprise_status ic_refuse_unknown(ic_replay *replay, reprise_error *error);
/* The same, but the rest after a valid core may be of unknown types. */
reprise_status ic_refuse_unknown_core(ic_replay *replay, reprise_error *error);
/* A violated rule about components counts as unknown types. */
bool ic_is_about_types(const reprise_error *error);

#endif
