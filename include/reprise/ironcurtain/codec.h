/*
 * codec.h - encode and decode Iron Curtain states, saves and replays.
 *
 * reprise.h opens any replay and shows it as rows and documents. This header is for engines: it
 * turns the structs of reprise/ironcurtain/types.h into bytes and back.
 *
 *   1  the codec       owns the memory of decoded structs
 *   2  states          decode, encode, check and hash states and deltas
 *   3  orders, events  game orders, names, ticks
 *   4  saves           write and read
 *   5  replays         write one from frames, states and events
 *   6  compatibility   does a file fit this engine; migrations
 *   7  trust           keys, signatures, proofs
 *
 * A save in a few lines:
 *
 *     reprise_ic_codec *codec = NULL;
 *     reprise_ic_codec_new(NULL, &codec, &error);
 *     reprise_ic_snapshot state = { ... };
 *     reprise_ic_write_save(codec, "{\"save_name\": \"Quick\"}", NULL, 0, &state, &options,
 * &error); reprise_ic_codec_free(codec);
 *
 * The rules of reprise.h apply: a function that can fail returns a status, sets results only on
 * success, and starts with a clean error, which may be NULL. A handle is for one thread at a time.
 * A struct with a struct_size must be initialised with its REPRISE_IC_..._INIT macro.
 */
#ifndef REPRISE_IRONCURTAIN_CODEC_H
#define REPRISE_IRONCURTAIN_CODEC_H

#include <reprise/ironcurtain/types.h>
#include <reprise/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  the codec -------------------------------------------------------------------------- */

/*
 * Owns what its calls return. Decoded structs also point into the bytes they were decoded from, so
 * they stay valid until the codec is reset or freed, and no longer than those bytes.
 */
typedef struct reprise_ic_codec reprise_ic_codec;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_codec_new(const reprise_options *options,
                                                                 reprise_ic_codec **ret_codec,
                                                                 reprise_error *error);
/* Releases everything returned so far. Registered migrations stay. */
REPRISE_API void reprise_ic_codec_reset(reprise_ic_codec *codec);
REPRISE_API void reprise_ic_codec_free(reprise_ic_codec *codec);

/* ---- 2  states ----------------------------------------------------------------------------- */

/* A snapshot is the content of a save and of a full keyframe. Decoding checks it completely. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_snapshot(reprise_ic_codec *codec, const void *data, size_t size,
                           reprise_ic_snapshot *ret_snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_snapshot(reprise_ic_codec *codec, const reprise_ic_snapshot *snapshot,
                           reprise_text *ret_bytes, reprise_error *error);

/* A delta is the content of the other keyframes. It is checked when it is applied. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_decode_delta(reprise_ic_codec *codec,
                                                                    const void *data, size_t size,
                                                                    reprise_ic_delta *ret_delta,
                                                                    reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_encode_delta(reprise_ic_codec *codec,
                                                                    const reprise_ic_delta *delta,
                                                                    reprise_text *ret_bytes,
                                                                    reprise_error *error);

/* Unpacks the components of an entity, or packs them and sets the entity's component_mask. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_components(reprise_ic_codec *codec, const reprise_ic_entity *entity,
                             reprise_ic_components *ret_components, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_components(reprise_ic_codec *codec, const reprise_ic_components *components,
                             reprise_ic_entity *entity, reprise_error *error);

/*
 * Checks the rules of a state: order, bounds, owners, names, and components that belong together.
 * The message names the first violation.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check(reprise_ic_codec *codec,
                                                             const reprise_ic_core *core,
                                                             reprise_error *error);

/* Computes the StateHash of a state that passes reprise_ic_check. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_state_hash(reprise_ic_codec *codec,
                                                                  const reprise_ic_core *core,
                                                                  uint8_t ret_hash[32],
                                                                  reprise_error *error);

/* The SyncHash of a StateHash: its first eight bytes as a little-endian number. */
REPRISE_API uint64_t reprise_ic_sync_hash(const uint8_t state_hash[32]);

/*
 * Builds the delta that turns `base` into `core`, and applies one. Both states must be of the same
 * match. A delta holds complete components and complete player fields, and only changed ones.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_build_delta(reprise_ic_codec *codec,
                                                                   const reprise_ic_core *base,
                                                                   const reprise_ic_core *core,
                                                                   reprise_ic_core_delta *ret_delta,
                                                                   reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_apply_delta(
    reprise_ic_codec *codec, const reprise_ic_core *base, const reprise_ic_core_delta *delta,
    reprise_ic_core *ret_core, reprise_error *error);

/* ---- 3  orders, events --------------------------------------------------------------------- */

/*
 * Decodes and encodes the payload of a game order. Mods define orders of their own: one of unknown
 * type or form is REPRISE_E_UNSUPPORTED.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_game_order(reprise_ic_codec *codec, const reprise_ic_game_order *order,
                             reprise_ic_known_order *ret_known, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_game_order(reprise_ic_codec *codec, const reprise_ic_known_order *known,
                             reprise_ic_game_order *ret_order, reprise_error *error);

/* The name of a variant, such as "ChatMessage" or "UnitCreated"; NULL if it does not exist. */
REPRISE_API const char *reprise_ic_player_order_name(uint32_t variant);
REPRISE_API const char *reprise_ic_event_name(uint32_t variant);
/* The tick of an event of any variant; 0 if the event has no content. */
REPRISE_API uint64_t reprise_ic_event_tick(const reprise_ic_event *event);

/* ---- 4  saves ------------------------------------------------------------------------------ */

/*
 * Checks a state and writes it as a save. The file appears complete or not at all. `metadata` is
 * the JSON object that save browsers show; `thumbnail` is a PNG of at most 1 MiB, or NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_write_save(reprise_ic_codec *codec, const char *metadata, const void *thumbnail,
                      size_t thumbnail_size, const reprise_ic_snapshot *snapshot,
                      const reprise_write_options *options, reprise_error *error);

/* Reads the state of a save. Hashes and bounds are checked before anything is decoded. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_read_save(reprise_ic_codec *codec,
                                                                 const void *data, size_t size,
                                                                 reprise_ic_snapshot *ret_snapshot,
                                                                 reprise_error *error);

/* ---- 5  replays ---------------------------------------------------------------------------- */

/*
 * Writes a replay from frames, states and events, each kind in ascending order of ticks. What is
 * added is encoded immediately and need not stay valid. The first keyframe is the state of tick 0.
 * To record a match while it is played, use the recorder of reprise/ironcurtain/live.h instead.
 *
 * `metadata` is a JSON object. Because replays are shared, keys that the format does not list, file
 * paths and network addresses are REPRISE_E_USAGE.
 */
typedef struct reprise_ic_writer reprise_ic_writer;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_new(const char *metadata,
                                                                  const reprise_options *options,
                                                                  int level,
                                                                  reprise_ic_writer **ret_writer,
                                                                  reprise_error *error);
REPRISE_API void reprise_ic_writer_free(reprise_ic_writer *writer);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_frame(reprise_ic_writer *writer,
                                                                    const reprise_ic_frame *frame,
                                                                    reprise_error *error);
/*
 * Adds a keyframe. At ticks divisible by 3000 it is full. At other ticks it is a delta against the
 * last full one, with campaign and script state only if they changed.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_keyframe(
    reprise_ic_writer *writer, const reprise_ic_snapshot *snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_event(reprise_ic_writer *writer,
                                                                    const reprise_ic_event *event,
                                                                    reprise_error *error);
/* Sets the signature chain; a second call replaces it. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_signature(
    reprise_ic_writer *writer, const reprise_ic_signature *signature, reprise_error *error);
/*
 * Sets the recorded voice. Frames of a player who did not consent and packets of more than 256
 * bytes are refused. Ticks of a track must not decrease.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_voice(reprise_ic_writer *writer,
                                                                    const reprise_ic_voice *voice,
                                                                    reprise_error *error);

/*
 * Resources to embed in a replay; any member may be NULL. The map must be the one that the
 * metadata's map_hash names; over 1 MiB it is not embedded, and the replay refers to it by its
 * hash. Paths of rules are relative and end in .yaml or .yml. The initial state is that of tick 0.
 */
typedef struct reprise_ic_embedding {
    size_t struct_size;
    const void *map; /* the map file as it is */
    size_t map_size;
    const reprise_ic_manifest *manifest; /* mods and their rules */
    const char *balance_preset;          /* name of the preset */
    const reprise_ic_snapshot *initial_state;
} reprise_ic_embedding;
#define REPRISE_IC_EMBEDDING_INIT                               \
    {                                                           \
        sizeof(reprise_ic_embedding), NULL, 0, NULL, NULL, NULL \
    }
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_embed(
    reprise_ic_writer *writer, const reprise_ic_embedding *embedding, reprise_error *error);

/*
 * Writes the file. `total_ticks` is the tick after the last frame, and `final_hash` the StateHash
 * of its state. Frames that are missing in between are counted in the file.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_finish(
    reprise_ic_writer *writer, uint64_t total_ticks, const uint8_t final_hash[32],
    const reprise_write_options *options, reprise_error *error);

/* What a finished replay embeds. */
typedef enum reprise_ic_embedding_mode {
    REPRISE_IC_MINIMAL,        /* nothing: map and rules are identified by their hashes */
    REPRISE_IC_MAP_EMBEDDED,   /* the map */
    REPRISE_IC_SELF_CONTAINED, /* map and rules */
} reprise_ic_embedding_mode;
/*
 * Writes a copy of a finished replay that embeds more or less. Nothing else changes, so hashes and
 * signatures stay valid. `with` supplies what the replay does not embed yet; NULL members keep what
 * it has. The map must match map_hash, and the rules must match data_version. A map over 1 MiB is
 * not embedded, which the report notes.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_embed(
    reprise_replay *replay, reprise_ic_embedding_mode mode, const reprise_ic_embedding *with,
    const reprise_write_options *options, const reprise_value **ret_report, reprise_error *error);

/* ---- 6  compatibility ---------------------------------------------------------------------- */

/* Describes the engine that wants to load a file. NULL members are not compared. */
typedef struct reprise_ic_host_info {
    size_t struct_size;
    const char *engine_version;  /* "0.6.0" */
    const char *mod_api_version; /* "1.2" */
    const char *game_module;     /* "ra1" */
    /* Whether the rules with this data_version ("sha256:...") are installed. NULL: none are. */
    bool (*has_rules)(void *ctx, const char *data_version);
    void *ctx;
} reprise_ic_host_info;
#define REPRISE_IC_HOST_INFO_INIT                                  \
    {                                                              \
        sizeof(reprise_ic_host_info), NULL, NULL, NULL, NULL, NULL \
    }

typedef enum reprise_ic_verdict {
    REPRISE_IC_LOADS,
    REPRISE_IC_NOTE,    /* loads; the message is worth showing */
    REPRISE_IC_MIGRATE, /* loads after migrations */
    REPRISE_IC_WARN,    /* loads, but may behave differently */
    REPRISE_IC_REFUSE,
} reprise_ic_verdict;
typedef struct reprise_ic_compat {
    size_t struct_size;
    reprise_ic_verdict verdict;
    char message[160]; /* the reason; empty for REPRISE_IC_LOADS */
} reprise_ic_compat;
#define REPRISE_IC_COMPAT_INIT                       \
    {                                                \
        sizeof(reprise_ic_compat), REPRISE_IC_LOADS, \
        {                                            \
            0                                        \
        }                                            \
    }

/*
 * Whether this engine can load a save or play a replay; only metadata is read. A save needs the
 * same major version of the mod interface, and a save of an older engine is migrated if `codec`,
 * which may be NULL, has a migration for it. A replay needs the host's game module and its rules,
 * embedded or installed. Every file can be inspected, whatever the verdict.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check_compat(
    const reprise_ic_codec *codec, reprise_replay *replay, const reprise_ic_host_info *host,
    reprise_ic_compat *ret_compat, reprise_error *error);

/*
 * Registers a migration of states from engine versions `from` (inclusive) to `to` (exclusive).
 * Loading runs migrations one after another until none applies, and checks the result. The function
 * may change the snapshot in any way; memory it adds must live as long as the codec.
 */
typedef reprise_status reprise_ic_migration(void *ctx, reprise_ic_codec *codec,
                                            reprise_ic_snapshot *snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_add_migration(reprise_ic_codec *codec, const char *from, const char *to,
                         reprise_ic_migration *run, void *ctx, reprise_error *error);

/*
 * Reads a save like reprise_ic_read_save, but refuses one that does not fit the host and migrates
 * one that must be. `ret_compat` may be NULL; it is set even if the save is refused.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_load_save(
    reprise_ic_codec *codec, const void *data, size_t size, const reprise_ic_host_info *host,
    reprise_ic_compat *ret_compat, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
/*
 * The same for a file in the directory of saves. A name that leads out of the directory or through
 * a symbolic link is refused.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_load_named(reprise_ic_codec *codec, const char *directory, const char *name,
                      const reprise_ic_host_info *host, reprise_ic_compat *ret_compat,
                      reprise_ic_snapshot *ret_snapshot, reprise_error *error);
/* Whether a state may replace that of a running game: it needs the same seed and the same map. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check_restore(const reprise_ic_core *running,
                                                                     const reprise_ic_core *core,
                                                                     reprise_error *error);

/* ---- 7  trust ------------------------------------------------------------------------------ */

/* Makes a new Ed25519 key pair, or computes the public key of a secret one. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_new_key(uint8_t ret_secret[32],
                                                               uint8_t ret_public[32],
                                                               reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_public_key(const uint8_t secret[32],
                                                                  uint8_t ret_public[32],
                                                                  reprise_error *error);
/* Signs bytes, for a reprise_ic_signer that holds its own key. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_sign_message(const uint8_t secret[32],
                                                                    const void *message,
                                                                    size_t size,
                                                                    uint8_t ret_signature[64],
                                                                    reprise_error *error);

/*
 * The reports below live until the replay's next report or document; `ret_report` may be NULL.
 *
 * Signs a finished, unsigned replay: simulates it and signs the state of every `cadence` ticks.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_sign(
    reprise_replay *replay, const uint8_t secret[32], uint64_t cadence,
    const reprise_write_options *options, const reprise_value **ret_report, reprise_error *error);
/*
 * Writes a Merkle proof (.icproof) of one part of a signed state: "core", "rng", "intern",
 * "players", "map" or "arch:NAME".
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_prove(reprise_replay *replay, uint64_t tick,
                                                             const char *part,
                                                             const reprise_write_options *options,
                                                             const reprise_value **ret_report,
                                                             reprise_error *error);
/*
 * Checks whether the state of a tick happened. A signed tick is compared with its signature; any
 * other is simulated from the preceding signed tick to the next one, whose hash must match. The
 * report has the verdict ("confirmed", "refuted" or "not established"), the reason, the hash of
 * the state, and the signatures used.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_verify_tick(reprise_replay *replay,
                                                                   uint64_t tick,
                                                                   const reprise_value **ret_report,
                                                                   reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
