/* write.h - assembling files; shared by this directory, the recorder and the importer. */
#ifndef IRONCURTAIN_EDIT_WRITE_H
#define IRONCURTAIN_EDIT_WRITE_H

#include "reprise/ironcurtain/codec.h"

#include "ironcurtain/read/read.h"

/* A section of another file that is copied byte for byte. */
typedef struct ic_kept {
    rp_source *source; /* NULL: none */
    uint64_t offset;
    uint32_t size;
} ic_kept;

/*
 * The sections of a finalised file while they are filled. The header needs their lengths, so they
 * are buffered: short ones in memory, the beginning of long ones in a spool file.
 */
typedef struct ic_section_writer {
    ic_replay_header header; /* offsets and lengths are filled in at the end */
    bool header_last; /* write zeros first, and the header after everything else is on disk (7.9) */
    const rp_sink *beside; /* the directory of spool files, or NULL */
    rp_sink *spools[IC_SECTION_COUNT];
    rp_writer of[IC_SECTION_COUNT]; /* the part that is not in the spool */
    rp_writer index; /* entries of the keyframe index; of[IC_KEYFRAMES] holds the blobs */
    uint32_t keyframe_count;
    ic_kept kept[IC_SECTION_COUNT]; /* copied instead of the buffered content */
} ic_section_writer;

/* Spool files are made next to `beside`, which may be NULL. */
void ic_section_writer_init(ic_section_writer *parts, rp_context *context, const rp_sink *beside,
                            reprise_error *error);
void ic_section_writer_free(ic_section_writer *parts);
/* Adds an order block of `frames` encoded frames. */
void ic_section_writer_add_block(ic_section_writer *parts, uint64_t first_tick, uint32_t frames,
                                 const rp_writer *raw, rp_lz4_level level);
void ic_section_writer_add_keyframe(ic_section_writer *parts, uint64_t tick, bool is_full,
                                    const void *raw, size_t size, rp_lz4_level level);
/* Copies a section of a finalised replay, which must stay open until everything is written. */
void ic_section_writer_keep(ic_section_writer *parts, const ic_replay *replay,
                            ic_section_kind kind);
/* Writes the file: the header, then the sections in their order without gaps. */
reprise_status ic_section_writer_write(ic_section_writer *parts, rp_sink *sink,
                                       reprise_error *error);

/* Writes a record of a live file or order section (7.2). */
void ic_put_record(rp_writer *w, const char tag[4], unsigned flags, uint64_t tick, uint32_t count,
                   const void *raw, size_t size, rp_lz4_level level);

/* The LZ4 level for fastest, balanced or compact; `fallback` is the default. */
rp_lz4_level ic_level(int level, rp_lz4_level by_default);

/* ---- embed.c: what a replay brings along ---- */

/* A map over 1 MiB is not embedded; the metadata names it by its hash. */
bool ic_map_is_referenced(const reprise_ic_embedding *given);
bool ic_embedded_is_empty(const ic_embedded *embedded);
/* Replaces the resources that are given; NULL members keep the existing ones. */
reprise_status ic_embedded_fill(ic_embedded *to, const reprise_ic_embedding *given,
                                const reprise_value *metadata, rp_lz4_level level, rp_arena *arena,
                                reprise_error *error);
/* Rewrites the replay with another embedded section and no other change. */
reprise_status ic_embed(ic_replay *replay, reprise_ic_embedding_mode mode,
                        const reprise_ic_embedding *with, rp_sink *sink, reprise_error *error);

/* ---- trim.c: a range of ticks ---- */

/*
 * A trimmed replay keeps its tick numbers, so that hashes stay valid: it has the state of tick 0,
 * which every replay needs, then nothing up to the first tick of the range. The keyframe there
 * becomes a full one, and the deltas up to the next full one are rebuilt on it.
 */
typedef struct ic_trim {
    bool active;
    uint64_t first, last; /* ticks whose frames are kept */
    ic_loader base, now;  /* base: the state at the first tick */
    rp_arena arena;
    bool rebased; /* `base` is the baseline of deltas */
} ic_trim;

reprise_status ic_trim_init(ic_trim *cut, ic_replay *source, const rp_edit *edit,
                            reprise_error *error);
void ic_trim_free(ic_trim *cut);
/* Whether a row of the source is kept; always true without a range. */
bool ic_trim_keeps(const ic_trim *cut, const rp_row *row);
/* The new bytes of a keyframe that must be rewritten; false: it is copied. */
reprise_status ic_trim_keyframe(ic_trim *cut, size_t index, rp_writer *raw, bool *ret_made,
                                bool *ret_full, reprise_error *error);

/* ---- write.c: the hooks ---- */

typedef struct ic_encoder {
    rp_encoder base;
    ic_replay *source;
    rp_lz4_level level;
    ic_section_writer parts;
    rp_writer frame; /* the one being filled, without its count */
    bool in_frame;
    uint64_t frame_tick, frame_hash, frame_orders;
    rp_writer block; /* complete frames of one range */
    uint64_t block_tick;
    uint32_t block_frames;
    uint64_t frames, ticks; /* tick after the last frame */
    rp_writer raw;          /* a piece of the source */
    rp_writer events;
    uint64_t event_count;
    bool voice;
    rp_writer chain;
    uint64_t chain_count;
    uint64_t last_signed;
    uint8_t last_hash[IC_HASH_SIZE];
    bool last_known; /* last_hash is the state hash of the terminal state */
    ic_trim cut;
} ic_encoder;

reprise_status ic_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status ic_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status ic_encode_end(rp_encoder *encoder, reprise_error *error);
void ic_encode_free(rp_encoder *encoder);

/* ironcurtain/container/save.c: writes a save with other metadata, or without its thumbnail. */
reprise_status ic_save_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status ic_save_encode_rows(rp_encoder *encoder, const rp_batch *batch,
                                   reprise_error *error);
reprise_status ic_save_encode_end(rp_encoder *encoder, reprise_error *error);
void ic_save_encode_free(rp_encoder *encoder);

/* ironcurtain/container/voice.c: the voice frames of a range of ticks, one track per player. */
reprise_status ic_voice_join(ic_replay *replay, uint64_t tick_min, uint64_t tick_max,
                             rp_writer *out, reprise_error *error);

/* edit.c */
reprise_status ic_plan(rp_plan *plan, reprise_error *error);
reprise_status ic_save_plan(rp_plan *plan, reprise_error *error);
/*
 * redact.c: the metadata without what other writers put there; and one member of it after
 * redaction, or NULL if it is removed.
 */
const reprise_value *ic_clean_metadata(rp_plan *plan, const reprise_value *metadata, bool of_save);
reprise_value *ic_edit_member(rp_plan *plan, const char *key, const reprise_value *value);
reprise_value *ic_edit_save_member(rp_plan *plan, const char *key, const reprise_value *value);
reprise_status ic_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);
reprise_status ic_stream_open(rp_replay *replay, size_t index, rp_stream **ret_stream,
                              reprise_error *error);
reprise_status ic_save_stream_open(rp_replay *save, size_t index, rp_stream **ret_stream,
                                   reprise_error *error);

/* sign.c */

/*
 * Writes an .icproof of one part of a signed state: core, rng, intern, players, map, or arch:NAME.
 */
reprise_status ic_prove(ic_replay *replay, uint64_t tick, const char *label, rp_writer *out,
                        reprise_error *error);
/* Rewrites a replay with a signature chain: one entry every `cadence` ticks and at the end. */
reprise_status ic_sign(ic_replay *replay, const uint8_t secret[32], uint64_t cadence, rp_sink *sink,
                       reprise_error *error);

/* recompress.c */
reprise_status ic_replay_recompress(rp_replay *replay, const rp_write_options *options,
                                    rp_sink *sink, reprise_error *error);
reprise_status ic_save_recompress(rp_replay *save, const rp_write_options *options, rp_sink *sink,
                                  reprise_error *error);

#endif
