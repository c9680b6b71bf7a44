/*
 * ironcurtain.h - what the files of this folder share: open replays, saves and proofs.
 *
 * A replay comes in two layouts, finalised (sections named by the header) and live (records one
 * after the other). ironcurtain/container/block_index.c turns both into the same lists of pieces;
 * everything else reads pieces and does not know which layout they came from.
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
    IC_UNIT_MAX = 64 << 20, /* anything decompressed */
    IC_MAP_MAX = 1 << 20,   /* an embedded map */
    IC_THUMBNAIL_MAX = 1 << 20,
    IC_RATIO_MAX = 256,
    IC_ORDERS_MAX = 256, /* per player and tick */
    IC_ORDER_BYTES_MAX = 4096,
    IC_CHAT_MAX = 512,       /* characters; above is a warning */
    IC_STROKE_MAX = 32,      /* points; above is a warning */
    IC_OPUS_MAX = 1275,      /* bytes of a voice frame */
    IC_BLOCK_TICKS = 256,    /* what an order block spans as we write it */
    IC_BLOCK_TICKS_MIN = 32, /* what other writers may choose */
    IC_BLOCK_TICKS_MAX = 1024,
    IC_BLOCK_BYTES_MAX = 4 << 20, /* of their blocks, decompressed */
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
} ic_section;

/* Something stored on its own: an order block, a keyframe, a batch of events ... */
typedef struct ic_piece {
    uint64_t tick;   /* first tick, or the keyframe's own */
    uint64_t offset; /* of the stored bytes in the file */
    uint32_t size;   /* of them */
    uint32_t decoded_size;
    uint32_t count;       /* items it says it has */
    bool is_full;         /* keyframes */
    bool packed;          /* a sized LZ4 block, else plain bytes */
    bool sized;           /* decoded_size is known and must agree */
    bool summed;          /* behind a record header whose checksum counts */
    uint32_t blob_offset; /* keyframes: as the index has it */
} ic_piece;

typedef struct ic_pieces {
    ic_piece *items;
    size_t count, capacity;
} ic_pieces;

typedef struct ic_replay {
    rp_replay base;
    ic_replay_header header;
    uint8_t flags; /* the header's, without those of sections that are absent all the same */
    ic_section sections[IC_SECTION_COUNT];
    reprise_value *metadata;
    reprise_value *warnings; /* every one as text, in order */
    bool live;
    bool imported;        /* metadata has converted_from */
    uint64_t total_ticks; /* the header's, or what the records of a live file give */
    double tick_seconds;
    bool indexed;
    ic_pieces pieces[IC_SECTION_COUNT]; /* orders, keyframes, events, voice, signature */
    uint64_t scan_end;                  /* live: where scanning stopped */
    const char *torn;                   /* live: why, or NULL at the end of the file */
    uint64_t missing_frames;            /* known after all frames were read */
    uint32_t block_ticks;               /* the most that an order block spans; known with pieces */
    bool odd_blocks;                    /* order blocks span something else than 256 ticks */
    bool unsorted_maps;                 /* some keyframe has a map that is not sorted */
    bool resources_lost;                /* damaged: a salvaging reader leaves them out */
    uint32_t unknown_kinds;             /* sections of types that are not known, a bit each */
    signed char kind_known[2];          /* keyframes, delta and full: 0 not asked, 1 yes, -1 no */
    struct ic_cache *cache;             /* the state that `at` used last */
    rp_text *blob_contents;             /* see ironcurtain/edit/blobs.c */
    bool engine_checked; /* whether the engine can simulate it: ironcurtain/read/can_simulate.h */
    const char *engine_reason; /* why it cannot, or NULL */
} ic_replay;

typedef struct ic_save {
    rp_replay base;
    ic_save_header header;
    reprise_value *metadata;
    reprise_value *warnings;
    uint32_t thumbnail_offset, thumbnail_size;
    rp_text unpacked; /* the payload, once it was listed for being of unknown types */
} ic_save;

typedef struct ic_proof_file {
    rp_replay base;
    ic_proof proof;
} ic_proof_file;

static inline rp_lz4_limits ic_unit_limits(void)
{
    return (rp_lz4_limits){.size_max = IC_UNIT_MAX, .ratio_max = IC_RATIO_MAX};
}

/* ---- ironcurtain/container/header.c ---- */

reprise_status ic_replay_open(rp_replay *replay, reprise_error *error);
reprise_status ic_save_open(rp_replay *save, reprise_error *error);
void ic_replay_close(rp_replay *replay);
/* Flags of sections that are not there count as not set. */
bool ic_flag(const ic_replay *replay, unsigned flag);

/* ---- ironcurtain/wire/metadata.c ---- */

/* Reads and parses the JSON document; duplicate keys are refused. */
reprise_status ic_metadata_read(rp_replay *replay, uint32_t offset, uint32_t size,
                                reprise_value **ret_metadata, reprise_error *error);
/*
 * What the data minimisation of 7.8 says against a replay's metadata: unknown keys, file paths,
 * network addresses. Each is told to `warn`; returns how many.
 */
typedef void ic_metadata_warning(void *ctx, const rp_finding_kind *kind, const char *message);
size_t ic_metadata_check(const reprise_value *metadata, ic_metadata_warning *warn, void *ctx);

/* Whom to tell what was taken out of metadata. */
typedef struct ic_cleaning {
    rp_doc *doc;
    bool of_save; /* else of a replay, which has an allow-list */
    void (*replaced)(void *ctx, const char *what, const char *from, const char *to);
    void (*dropped)(void *ctx, const char *key);
    void *ctx;
} ic_cleaning;
/* A copy without keys that nobody knows, directories of paths, and network addresses. */
reprise_value *ic_metadata_clean(const ic_cleaning *cleaning, const reprise_value *metadata);

/* Text from a caller: one object of at most 1 MiB without a key that stands twice. */
reprise_status ic_metadata_parse(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                 reprise_error *error);
/* The same for a replay to be written: what a reader would warn about is refused. */
reprise_status ic_metadata_accept(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                  reprise_error *error);

/* ---- ironcurtain/container/block_index.c ---- */

/* Adds a warning: a finding and a line of the list. */
void ic_warn(rp_replay *replay, reprise_value *list, const rp_finding_kind *kind, uint64_t offset,
             const char *format, ...) REPRISE_PRINTF(5, 6);
/* Only the line: for what `verify` finds later, with more to say. */
void ic_show_warning(rp_replay *replay, reprise_value *list, const char *format, ...)
    REPRISE_PRINTF(3, 4);
/* Makes the lists of pieces; does nothing the second time. */
reprise_status ic_index(ic_replay *replay, reprise_error *error);
/* Scans the records of a live file from the start. */
reprise_status ic_scan(ic_replay *replay, reprise_error *error);
/* The stored bytes of a piece, checksum checked. Frees as rp_source_piece. */
reprise_status ic_piece_load(ic_replay *replay, const ic_piece *piece, const char *stream,
                             const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error);
/*
 * Unpacks what is left of a reader where its size is declared elsewhere: an LZ4 block with the same
 * size in front, or one without (`plain`).
 */
bool ic_unpack(rp_reader *r, uint32_t declared, rp_writer *to, bool *ret_plain);
/* The first order block that may hold a tick: live files have several of one range. */
size_t ic_block_at(const ic_replay *replay, uint64_t tick);
/* A piece decoded into `to`. */
reprise_status ic_piece_decode(ic_replay *replay, const ic_piece *piece, const char *stream,
                               rp_writer *to, reprise_error *error);

/* ---- ironcurtain/container/keyframes.c ---- */

/* Campaign or script state that outlives the keyframe it came with. */
typedef struct ic_carry {
    rp_writer bytes;
    rp_arena arena;
    void *value; /* NULL: none so far */
} ic_carry;
void ic_carry_init(ic_carry *carry, rp_context *context, reprise_error *error);
void ic_carry_free(ic_carry *carry);
/* Takes a copy of a value that the record describes; NULL forgets the last. */
reprise_status ic_carry_set(ic_carry *carry, const rp_record *record, const void *value,
                            reprise_error *error);

typedef struct ic_state {
    rp_writer bytes;
    rp_arena arena;
    ic_core core;
    uint8_t hash[IC_HASH_SIZE];
} ic_state;

/* Walks keyframes, forwards cheaply and anywhere by going back to the full one before. */
typedef struct ic_loader {
    ic_replay *replay;
    ic_hasher hasher;
    ic_state full, now; /* `now` builds on `full` */
    size_t full_index, index;
    bool loaded;
    bool knows_match; /* seed and map of the first keyframe */
    uint64_t game_seed;
    uint8_t map_hash[32];
    ic_delta delta;                /* of the keyframe at `index` if it is one */
    bool has_campaign, has_script; /* stored with this very keyframe */
    ic_carry campaign, script;
    ic_rest rest; /* what follows the core of the keyframe at `index` */
} ic_loader;

reprise_status ic_loader_init(ic_loader *loader, ic_replay *replay, reprise_error *error);
void ic_loader_free(ic_loader *loader);
/* Makes `now` the state of a keyframe; its hash is known then. */
reprise_status ic_loader_load(ic_loader *loader, size_t index, reprise_error *error);
/* The last keyframe at or before a tick. */
size_t ic_keyframe_at(const ic_replay *replay, uint64_t tick);
/* The state with campaign and scripts, as it would be restored. */
ic_snapshot ic_loader_snapshot(const ic_loader *loader);

/* ---- ironcurtain/container/save.c ---- */

/* A save's snapshot, read in the mandatory order. */
typedef struct ic_save_state {
    rp_writer bytes;
    rp_arena arena;
    ic_hasher hasher;
    ic_snapshot snapshot;
    uint8_t hash[IC_HASH_SIZE];
    ic_rest rest; /* unknown: campaign and scripts are of types that are not known */
} ic_save_state;
reprise_status ic_save_load(ic_save *save, ic_save_state *ret_state, reprise_error *error);
void ic_save_state_free(ic_save_state *state);

/* A save put together: everything as it will stand in the file, and the state it holds. */
typedef struct ic_save_parts {
    rp_text metadata, thumbnail; /* JSON; a PNG or nothing */
    rp_text snapshot;            /* in bincode */
    rp_text packed;              /* the same as it will be stored, if that is known already */
    uint64_t sync_hash;
    rp_lz4_level level;
} ic_save_parts;
/* The header is written last, when everything else is on disk. */
reprise_status ic_save_write(ic_hasher *hasher, const ic_save_parts *parts, rp_sink *sink,
                             reprise_error *error);

/* ---- ironcurtain/container/voice.c ---- */

/* Order of ticks, sizes, and that nobody was recorded who did not agree; the reader fails. */
void ic_voice_check(rp_reader *r, const ic_voice *voice);
/* All pieces of voice, decoded and checked; a live file has several. */
reprise_status ic_voice_load(ic_replay *replay, rp_arena *arena, ic_voice **ret_voices,
                             size_t *ret_count, reprise_error *error);
/* What one player said, as an Ogg Opus file; false if there is no packet of Opus among it. */
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
/* Every rule of 7.7; warnings are added to the replay. */
reprise_status ic_embedded_check(ic_replay *replay, const ic_embedded *embedded,
                                 reprise_error *error);
/* Whether a text is "sha256:" and the digits of a digest. */
bool ic_hash_matches(const char *text, const uint8_t digest[IC_HASH_SIZE]);
const char *ic_embedded_mode(const ic_embedded *embedded);
/* The rules for one rule and for the map, also for those who write them. */
reprise_status ic_rule_check(const ic_rule *rule, size_t index, bool writing, reprise_error *error);
reprise_status ic_map_check(const reprise_value *metadata, const void *map, size_t size,
                            rp_context *context, reprise_error *error);
/* A rule as it may be used: addresses of the network become "about:blank". */
rp_text ic_rule_text(const ic_rule *rule, rp_arena *arena, reprise_error *error);
/* Unpacks the map or the initial state. */
reprise_status ic_embedded_unpack(ic_replay *replay, const ic_bytes *packed, uint64_t size_max,
                                  rp_writer *to, reprise_error *error);

/* ---- the hooks of the descriptors ---- */

size_t ic_decoder_size(void);
reprise_status ic_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status ic_decode_next(rp_decoder *decoder, reprise_error *error);
/* Notes that the state of a keyframe is not the one that its frame records. */
void ic_fault_keyframe(ic_replay *replay, uint64_t tick);
reprise_status ic_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void ic_decode_end(rp_decoder *decoder);

/* Adds to the document of a moment how its state was come by. */
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

/* Whether a public key is one the caller trusts. */
bool ic_is_trusted(const rp_context *context, const uint8_t key[32]);
/* A record as a document, shown as rows show it. */
reprise_value *ic_record_value(rp_doc *doc, rp_context *context, const rp_record *record,
                               const void *row);

/* Times of ticks, in seconds. */
double ic_tick_seconds(const reprise_value *metadata, uint64_t total_ticks);
/* Whether a stored duration and a number of ticks can be of the same match. */
bool ic_duration_fits(const reprise_value *metadata, uint64_t total_ticks, double duration);

#endif
