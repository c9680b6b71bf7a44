/*
 * ironcurtain.h - types shared by this directory: open replays, saves and proofs.
 *
 * A replay has one of two layouts: finalised (sections located by the header) or live (a sequence
 * of records). ironcurtain/container/block_index.c turns both into the same lists of pieces; all
 * other code reads pieces and does not depend on the layout.
 */
#ifndef IRONCURTAIN_H
#define IRONCURTAIN_H

#include "format.h"
#include "ironcurtain/finding_list.h"
#include "ironcurtain/read/grammar.h"
#include "ironcurtain/wire/state.h"
#include "lz4block.h"

enum {
    IC_METADATA_MAX = 1 << 20,
    IC_UNIT_MAX = 64 << 20, /* any decompressed unit */
    IC_MAP_MAX = 1 << 20,   /* an embedded map */
    IC_THUMBNAIL_MAX = 1 << 20,
    IC_RATIO_MAX = 256,
    IC_ORDERS_MAX = 256, /* per player and tick */
    IC_ORDER_BYTES_MAX = 4096,
    IC_CHAT_MAX = 512,       /* characters; more is a warning */
    IC_STROKE_MAX = 32,      /* points; more is a warning */
    IC_OPUS_MAX = 1275,      /* bytes of a voice frame */
    IC_BLOCK_TICKS = 256,    /* span of the order blocks we write */
    IC_BLOCK_TICKS_MIN = 32, /* span that other writers may choose */
    IC_BLOCK_TICKS_MAX = 1024,
    IC_BLOCK_BYTES_MAX = 4 << 20, /* of such blocks, decompressed */
    IC_SAMPLES_MAX = 256,         /* positions in one event */
};

typedef enum ic_section_kind {
    IC_METADATA,
    IC_ORDERS,
    IC_KEYFRAMES,
    IC_EVENTS,
    IC_VOICE,
    IC_SIGNATURE,
    IC_EMBEDDED,
    IC_SECTION_COUNT
} ic_section_kind;
extern const char *const ic_section_names[IC_SECTION_COUNT];
extern const uint8_t ic_section_flags[IC_SECTION_COUNT]; /* 0: present without a flag */

typedef struct ic_section {
    uint32_t offset, size;
    bool present;
    bool cut; /* salvage: the file ends inside the section */
} ic_section;

/* A separately stored item: an order block, a keyframe, a list of events ... */
typedef struct ic_piece {
    uint64_t tick;   /* first tick, or the keyframe's own */
    uint64_t offset; /* of the stored bytes in the file */
    uint32_t size;   /* of the stored bytes */
    uint32_t decoded_size;
    uint32_t count;       /* declared number of items */
    bool is_full;         /* keyframes */
    bool packed;          /* a sized LZ4 block, else plain bytes */
    bool sized;           /* decoded_size is known and must match */
    bool summed;          /* has a record header with a checksum */
    uint32_t blob_offset; /* keyframes: as in the index */
} ic_piece;

typedef struct ic_pieces {
    ic_piece *items;
    size_t count, capacity;
} ic_pieces;

typedef struct ic_replay {
    rp_replay base;
    ic_replay_header header;
    uint8_t flags; /* the header's, without those of absent sections */
    ic_section sections[IC_SECTION_COUNT];
    reprise_value *metadata;
    reprise_value *warnings; /* as texts, in order */
    bool live;
    bool imported;        /* metadata has converted_from */
    uint64_t total_ticks; /* the header's; for a live file from its records */
    double tick_seconds;
    bool indexed;
    ic_pieces pieces[IC_SECTION_COUNT]; /* orders, keyframes, events, voice, signature */
    uint64_t scan_end;                  /* live: where scanning stopped */
    const char *torn;                   /* live: why, or NULL at the end of the file */
    uint64_t missing_frames;            /* known after all frames were read */
    uint32_t block_ticks;               /* longest span of an order block; set with `pieces` */
    bool odd_blocks;                    /* order blocks do not span 256 ticks */
    bool unsorted_maps;                 /* a keyframe has a map that is not sorted */
    bool resources_lost;                /* damaged; left out during recovery */
    uint32_t unknown_kinds;             /* sections of unknown types, as bits */
    signed char kind_known[2]; /* delta and full keyframes decode: 0 not tried, 1 yes, -1 no */
    size_t signatures_hold;    /* so many entries from the start of the chain were checked */
    struct ic_seek_cache *seek_cache; /* of earlier seeks, or NULL */
    rp_text *blob_contents;           /* see ironcurtain/edit/blobs.c */
    bool engine_checked; /* whether the engine can simulate it: ironcurtain/read/can_simulate.h */
    const char *engine_reason; /* why it cannot, or NULL */
} ic_replay;

typedef struct ic_save {
    rp_replay base;
    ic_save_header header;
    reprise_value *metadata;
    reprise_value *warnings;
    uint32_t thumbnail_offset, thumbnail_size;
    rp_text unpacked; /* the payload, if it is of unknown types and was listed */
} ic_save;

typedef struct ic_proof_file {
    rp_replay base;
    ic_proof proof;
} ic_proof_file;

static inline rp_lz4_limits ic_unit_limits(void)
{
    return (rp_lz4_limits){.size_max = IC_UNIT_MAX, .ratio_max = IC_RATIO_MAX};
}

/* ---- ironcurtain/read/seek_cache.c ---- */

/* Forgets what earlier seeks have learned. */
void ic_seek_cache_free(ic_replay *replay);
/*
 * The hash that an earlier seek computed for the state of a keyframe, if the bytes of the state
 * still have the same checksum. At most 1024 keyframes are remembered.
 */
bool ic_known_hash(const ic_replay *replay, size_t keyframe, uint32_t content,
                   uint8_t ret_hash[IC_HASH_SIZE]);
void ic_keep_hash(ic_replay *replay, size_t keyframe, uint32_t content,
                  const uint8_t hash[IC_HASH_SIZE]);
/* Seed and map of the first keyframe, once a seek found it valid and with nothing to report. */
bool ic_known_match(const ic_replay *replay, uint64_t *ret_seed, uint8_t ret_map[IC_HASH_SIZE]);
void ic_keep_match(ic_replay *replay, uint64_t seed, const uint8_t map[IC_HASH_SIZE]);

/* ---- ironcurtain/container/header.c ---- */

reprise_status ic_replay_open(rp_replay *replay, reprise_error *error);
reprise_status ic_save_open(rp_replay *save, reprise_error *error);
void ic_replay_close(rp_replay *replay);
/* Flags of absent sections count as not set. */
bool ic_flag(const ic_replay *replay, unsigned flag);

/* ---- ironcurtain/wire/metadata.c ---- */

/* Reads and parses the JSON document; duplicate keys are refused. */
reprise_status ic_metadata_read(rp_replay *replay, uint32_t offset, uint32_t size,
                                reprise_value **ret_metadata, reprise_error *error);
/*
 * Checks a replay's metadata against the data minimisation rules of 7.8: unknown keys, file paths,
 * network addresses. Calls `warn` for each and returns how many there are.
 */
typedef void ic_metadata_warning(void *ctx, const rp_finding_kind *kind, const char *message);
size_t ic_metadata_check(const reprise_value *metadata, ic_metadata_warning *warn, void *ctx);

/* Callbacks that report what was removed from metadata. */
typedef struct ic_cleaning {
    rp_doc *doc;
    bool of_save; /* else a replay, which has an allow-list */
    void (*replaced)(void *ctx, const char *what, const char *from, const char *to);
    void (*dropped)(void *ctx, const char *key);
    void *ctx;
} ic_cleaning;
/* A copy without unknown keys, directories of paths, and network addresses. */
reprise_value *ic_metadata_clean(const ic_cleaning *cleaning, const reprise_value *metadata);

/* Parses a caller's text: one object of at most 1 MiB without duplicate keys. */
reprise_status ic_metadata_parse(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                 reprise_error *error);
/* The same for a replay to be written: anything a reader would warn about is refused. */
reprise_status ic_metadata_accept(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                  reprise_error *error);

/* ---- ironcurtain/container/block_index.c ---- */

/* Adds a warning: a finding and a line of the list. */
void ic_warn(rp_replay *replay, reprise_value *list, const rp_finding_kind *kind, uint64_t offset,
             const char *format, ...) REPRISE_PRINTF(5, 6);
/* Adds only the line, for problems that `verify` reports in more detail. */
void ic_show_warning(rp_replay *replay, reprise_value *list, const char *format, ...)
    REPRISE_PRINTF(3, 4);
/* Builds the lists of pieces; later calls do nothing. */
reprise_status ic_index(ic_replay *replay, reprise_error *error);
/* Scans the records of a live file from the start. */
reprise_status ic_scan(ic_replay *replay, reprise_error *error);
/* The stored bytes of a piece, after checking the checksum. Free them as with rp_source_piece. */
reprise_status ic_piece_load(ic_replay *replay, const ic_piece *piece, const char *stream,
                             const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error);
/*
 * Unpacks the rest of a reader whose decompressed size is declared elsewhere: an LZ4 block with a
 * size prefix, or one without (`plain`).
 */
bool ic_unpack(rp_reader *r, uint32_t declared, rp_writer *to, bool *ret_plain);
/* The first order block that may contain a tick; live files have several per range. */
size_t ic_block_at(const ic_replay *replay, uint64_t tick);
/* Decompresses a piece into `to`. */
reprise_status ic_piece_decode(ic_replay *replay, const ic_piece *piece, const char *stream,
                               rp_writer *to, reprise_error *error);

/* ---- ironcurtain/container/keyframes.c ---- */

/* A copy of campaign or script state that outlives its keyframe. */
typedef struct ic_carry {
    rp_writer bytes;
    rp_arena arena;
    void *value; /* NULL: none so far */
} ic_carry;
void ic_carry_init(ic_carry *carry, rp_context *context, reprise_error *error);
void ic_carry_free(ic_carry *carry);
/* Copies a value of a record; NULL clears it. */
reprise_status ic_carry_set(ic_carry *carry, const rp_record *record, const void *value,
                            reprise_error *error);

typedef struct ic_state {
    rp_writer bytes;
    rp_arena arena;
    ic_core core;
    uint8_t hash[IC_HASH_SIZE];
} ic_state;

/* Loads keyframes: going forward is cheap, going back reloads the preceding full one. */
typedef struct ic_loader {
    ic_replay *replay;
    ic_hasher hasher;
    ic_state full, now; /* `now` builds on `full` */
    size_t full_index, index;
    bool loaded;
    bool seeks;       /* takes from earlier seeks what they verified */
    bool knows_match; /* seed and map of the first keyframe */
    uint64_t game_seed;
    uint8_t map_hash[32];
    ic_delta delta;                /* of the keyframe at `index`, if it is a delta */
    bool has_campaign, has_script; /* stored with this keyframe */
    ic_carry campaign, script;
    ic_rest rest; /* the rest after the core of the keyframe at `index` */
} ic_loader;

reprise_status ic_loader_init(ic_loader *loader, ic_replay *replay, reprise_error *error);
void ic_loader_free(ic_loader *loader);
/* Sets `now` to the state of a keyframe, including its hash. */
reprise_status ic_loader_load(ic_loader *loader, size_t index, reprise_error *error);
/* The last keyframe at or before a tick. */
size_t ic_keyframe_at(const ic_replay *replay, uint64_t tick);
/*
 * Reports a keyframe after `index` that the index places after the last tick. Its true tick may be
 * the one that was searched.
 */
reprise_status ic_keyframe_check_next(ic_replay *replay, size_t index, reprise_error *error);
/* The complete state with campaign and scripts. */
ic_snapshot ic_loader_snapshot(const ic_loader *loader);

/* ---- ironcurtain/container/save.c ---- */

/* A save's snapshot, read in the mandatory order. */
typedef struct ic_save_state {
    rp_writer bytes;
    rp_arena arena;
    ic_hasher hasher;
    ic_snapshot snapshot;
    uint8_t hash[IC_HASH_SIZE];
    ic_rest rest; /* `unknown`: campaign and scripts are of unknown types */
} ic_save_state;
reprise_status ic_save_load(ic_save *save, ic_save_state *ret_state, reprise_error *error);
void ic_save_state_free(ic_save_state *state);

/* The parts of a save, encoded as they will be stored. */
typedef struct ic_save_parts {
    rp_text metadata, thumbnail; /* JSON; a PNG or empty */
    rp_text snapshot;            /* in bincode */
    rp_text packed;              /* the same compressed, if already available */
    uint64_t sync_hash;
    rp_lz4_level level;
} ic_save_parts;
/* Writes the header last, after everything else is on disk. */
reprise_status ic_save_write(ic_hasher *hasher, const ic_save_parts *parts, rp_sink *sink,
                             reprise_error *error);

/* ---- ironcurtain/container/voice.c ---- */

/* Checks the order of ticks, sizes, and consent. Sets the reader's error. */
void ic_voice_check(rp_reader *r, const ic_voice *voice);
/* All pieces of voice, decoded and checked; a live file has several. */
reprise_status ic_voice_load(ic_replay *replay, rp_arena *arena, ic_voice **ret_voices,
                             size_t *ret_count, reprise_error *error);
/* The voice of one player as an Ogg Opus file; false if it has no Opus packet. */
bool ic_voice_ogg(const ic_voice *voices, size_t count, uint32_t player, double tick_seconds,
                  rp_writer *to);

/* ---- ironcurtain/edit/blobs.c ---- */

reprise_status ic_list_blobs(rp_replay *replay, reprise_error *error);
reprise_status ic_save_blobs(rp_replay *save, reprise_error *error);
reprise_status ic_save_blob_open(rp_replay *save, size_t index, rp_stream **ret_stream,
                                 reprise_error *error);
reprise_status ic_blob_open(rp_replay *replay, size_t index, rp_stream **ret_stream,
                            reprise_error *error);

/* ---- ironcurtain/edit/redact.c: what is private, by value ---- */

#define IC_PRIVATE_TRACKS (UINT64_C(1) << IC_T_ORDERS | UINT64_C(1) << IC_T_VOICE)
#define IC_DOUBT_TRACKS                                                                      \
    (UINT64_C(1) << IC_T_CAMPAIGN | UINT64_C(1) << IC_T_SCRIPTS | UINT64_C(1) << IC_T_VARS | \
     UINT64_C(1) << IC_T_STRINGS)
reprise_status ic_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
reprise_status ic_save_private_header(rp_replay *save, rp_private *found, reprise_error *error);
void ic_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);

/* ---- ironcurtain/container/embedded.c ---- */

reprise_status ic_embedded_load(ic_replay *replay, rp_arena *arena, ic_embedded *ret_embedded,
                                reprise_error *error);
/* Checks every rule of 7.7; adds warnings to the replay. */
reprise_status ic_embedded_check(ic_replay *replay, const ic_embedded *embedded,
                                 reprise_error *error);
/* Whether a file in a map is a script, by its name or the first bytes of its content. */
bool ic_is_script(const char *name, const void *data, size_t size);
/* Whether a text is "sha256:" followed by the digest in hexadecimal. */
bool ic_hash_matches(const char *text, const uint8_t digest[IC_HASH_SIZE]);
const char *ic_embedded_mode(const ic_embedded *embedded);
/* Check one rule file and the map, for readers and writers. */
reprise_status ic_rule_check(const ic_rule *rule, size_t index, bool writing, reprise_error *error);
reprise_status ic_map_check(const reprise_value *metadata, const void *map, size_t size,
                            rp_context *context, reprise_error *error);
/* A rule's text with network addresses replaced by "about:blank". */
rp_text ic_rule_text(const ic_rule *rule, rp_arena *arena, reprise_error *error);
/* Unpacks the map or the initial state. */
reprise_status ic_embedded_unpack(ic_replay *replay, const ic_bytes *packed, uint64_t size_max,
                                  rp_writer *to, reprise_error *error);

/* ---- the hooks of the descriptors ---- */

reprise_status ic_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status ic_decode_next(rp_decoder *decoder, reprise_error *error);
/* Adds a finding: the state of a keyframe differs from the hash of its frame. */
void ic_fault_keyframe(ic_replay *replay, uint64_t tick);
reprise_status ic_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void ic_decode_end(rp_decoder *decoder);

/* Adds to the document of a seek how its state was found. */
reprise_status ic_replay_at(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                            reprise_error *error);

reprise_status ic_replay_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status ic_save_length(rp_replay *save, double *ret_seconds, reprise_error *error);
reprise_status ic_replay_info(rp_replay *replay, rp_doc *doc, reprise_value *info,
                              reprise_error *error);
reprise_status ic_save_info(rp_replay *save, rp_doc *doc, reprise_value *info,
                            reprise_error *error);
reprise_status ic_replay_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                                reprise_error *error);
reprise_status ic_save_verify(rp_replay *save, rp_doc *doc, reprise_value *summary,
                              reprise_error *error);
reprise_status ic_replay_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error);
reprise_status ic_save_scene(rp_replay *save, rp_scene *scene, rp_timeline *timeline,
                             reprise_error *error);
extern const rp_summary ic_replay_summary;
extern const rp_summary ic_save_summary;
extern const rp_summary ic_proof_summary;
reprise_status ic_replay_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error);

/* ironcurtain/container/merkle_proof.c */
reprise_status ic_proof_open(rp_replay *proof, reprise_error *error);
reprise_status ic_proof_info(rp_replay *proof, rp_doc *doc, reprise_value *info,
                             reprise_error *error);
reprise_status ic_proof_verify(rp_replay *proof, rp_doc *doc, reprise_value *summary,
                               reprise_error *error);
reprise_status ic_proof_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status ic_proof_decode_next(rp_decoder *decoder, reprise_error *error);
void ic_proof_decode_end(rp_decoder *decoder);
extern const rp_track ic_proof_tracks[1];

/* Whether the caller trusts a public key. */
bool ic_is_trusted(const rp_context *context, const uint8_t key[32]);

/* The duration of a tick in seconds. */
double ic_tick_seconds(const reprise_value *metadata, uint64_t total_ticks);
/* Whether a stored duration is plausible for a number of ticks. */
bool ic_duration_fits(const reprise_value *metadata, uint64_t total_ticks, double duration);

#endif
