/*
 * schema_unknown.h - files of engines to come, whose inner types are not those of this profile.
 * Such a file is not damaged: what can be shown to be right is shown, the rest stays bytes.
 */
#ifndef IRONCURTAIN_CONTAINER_SCHEMA_UNKNOWN_H
#define IRONCURTAIN_CONTAINER_SCHEMA_UNKNOWN_H

#include "ironcurtain/ironcurtain.h"

/* The part of a state that follows its core, in words. */
#define IC_REST "campaign or scripts"

/*
 * Turns a failure to decode into REPRISE_E_UNSUPPORTED, "schema unknown", which names the part and
 * says what holds all the same. Other failures stay what they are.
 */
reprise_status ic_schema_unknown(reprise_error *error, const char *part, const char *proven);
/* For a salvaging reader: says what goes because of a failure to decode it. */
reprise_status ic_left_out(reprise_error *error, const char *part);
/* Whether an error is one of these. */
bool ic_is_schema_unknown(const reprise_error *error);
/* Makes such an error a finding of the file, and remembers the kind of section. */
void ic_note_unknown(ic_replay *replay, ic_section_kind kind, const reprise_error *error);

/*
 * The same for a keyframe that cannot be decoded. One among others is damaged; if none of its kind
 * can be decoded, it is the types.
 */
reprise_status ic_keyframe_unknown(ic_replay *replay, const ic_piece *piece, reprise_error *error);
/* Whether a state is the recorded one: by the frame of its tick, a signature or the header. */
reprise_status ic_hash_is_recorded(ic_replay *replay, uint64_t tick,
                                   const uint8_t hash[IC_HASH_SIZE], bool *ret_recorded,
                                   reprise_error *error);
/* Decodes everything: for those who pass on sections as they are. */
reprise_status ic_read_whole(ic_replay *replay, reprise_error *error);
/* The same, but only types that are not known are an error: damage is told elsewhere. */
reprise_status ic_refuse_unknown(ic_replay *replay, reprise_error *error);
/* The same again, but what follows a core that is right may stay opaque. */
reprise_status ic_refuse_unknown_core(ic_replay *replay, reprise_error *error);
/* A rule about components that fails is one about their types. */
bool ic_is_about_types(const reprise_error *error);

#endif
