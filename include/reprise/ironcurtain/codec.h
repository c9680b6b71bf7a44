/*
 * codec.h - encode and decode Iron Curtain states, saves and replays.
 *
 * reprise.h opens any replay and shows it as rows and documents. This header is for engines: it
 * turns the structs of reprise/ironcurtain/types.h into bytes and back.
 *
 *   1  pieces         decode, check, hash, delta
 *   2  files          write a save or a replay
 *   3  compatibility  does a file fit this engine, and migrations
 *   4  trust          sign, prove and verify
 *
 * A save in a few lines:
 *
 *     reprise_ic_codec *codec = NULL;
 *     reprise_ic_codec_new(NULL, &codec, &error);
 *     reprise_ic_snapshot state = { ... };
 *     reprise_ic_write_save(codec, "{\"save_name\": \"Quick\"}", NULL, 0, &state, &options,
 * &error); reprise_ic_codec_free(codec);
 *
 * Memory: results point into the codec and into the bytes they were decoded from. They stay valid
 * until reprise_ic_codec_reset or reprise_ic_codec_free, and as long as those bytes.
 */
#ifndef REPRISE_IRONCURTAIN_CODEC_H
#define REPRISE_IRONCURTAIN_CODEC_H

#include <reprise/ironcurtain/types.h>
#include <reprise/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  pieces ----------------------------------------------------------------------------- */

/* Holds the memory of what its calls give. Not for two threads at once. */
typedef struct reprise_ic_codec reprise_ic_codec;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_codec_new(const reprise_options *options,
                                                                 reprise_ic_codec **ret_ic,
                                                                 reprise_error *error);
/* Takes back everything that was given so far. */
REPRISE_API void reprise_ic_codec_reset(reprise_ic_codec *ic);
REPRISE_API void reprise_ic_codec_free(reprise_ic_codec *ic);

/* Snapshots: what a save and a full keyframe hold. Decoding checks every rule of the profile. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_snapshot(reprise_ic_codec *ic, const void *data, size_t size,
                           reprise_ic_snapshot *ret_snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_snapshot(reprise_ic_codec *ic, const reprise_ic_snapshot *snapshot,
                           reprise_text *ret_bytes, reprise_error *error);

/* Deltas. The rules are checked when one is applied. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_decode_delta(reprise_ic_codec *ic,
                                                                    const void *data, size_t size,
                                                                    reprise_ic_delta *ret_delta,
                                                                    reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_encode_delta(reprise_ic_codec *ic,
                                                                    const reprise_ic_delta *delta,
                                                                    reprise_text *ret_bytes,
                                                                    reprise_error *error);

/* The components of an entity, between struct and bytes. Encoding also sets the entity's mask. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_components(reprise_ic_codec *ic, const reprise_ic_entity *entity,
                             reprise_ic_components *ret_components, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_components(reprise_ic_codec *ic, const reprise_ic_components *components,
                             reprise_ic_entity *entity, reprise_error *error);

/*
 * The content of a game order whose type is known. REPRISE_E_UNSUPPORTED for any other, which is
 * not a fault: mods define their own.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_decode_game_order(reprise_ic_codec *codec, const reprise_ic_game_order *order,
                             reprise_ic_known_order *ret_known, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_encode_game_order(reprise_ic_codec *codec, const reprise_ic_known_order *known,
                             reprise_ic_game_order *ret_order, reprise_error *error);

/* The name of a variant, "ChatMessage" or "UnitCreated"; NULL if there is none of that number. */
REPRISE_API const char *reprise_ic_player_order_name(uint32_t variant);
REPRISE_API const char *reprise_ic_event_name(uint32_t variant);
/* The tick of an event of any variant. */
REPRISE_API uint64_t reprise_ic_event_tick(const reprise_ic_event *event);

/* Whether a state keeps the rules: order, bounds, owners, interned ids, components that belong
 * together. The message names the first that it breaks. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check(reprise_ic_codec *ic,
                                                             const reprise_ic_core *core,
                                                             reprise_error *error);

/* The StateHash of a state that keeps the rules; its SyncHash are the first eight bytes, little end
 * first. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_state_hash(reprise_ic_codec *ic,
                                                                  const reprise_ic_core *core,
                                                                  uint8_t ret_hash[32],
                                                                  reprise_error *error);

/*
 * The delta that turns `base` into `core`, and back: the state that a delta makes of `base`. A
 * delta holds whole components and whole player fields, and nothing that did not change. Both
 * states must be of one match.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_build_delta(reprise_ic_codec *ic,
                                                                   const reprise_ic_core *base,
                                                                   const reprise_ic_core *core,
                                                                   reprise_ic_core_delta *ret_delta,
                                                                   reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_apply_delta(
    reprise_ic_codec *ic, const reprise_ic_core *base, const reprise_ic_core_delta *delta,
    reprise_ic_core *ret_core, reprise_error *error);

/* ---- 2  files ------------------------------------------------------------------------------ */

/*
 * Writes a save: appears whole or not at all. `metadata` is the JSON object that save browsers
 * show; `thumbnail` a PNG of at most 1 MiB, or NULL. The state is checked first.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_write_save(reprise_ic_codec *ic, const char *metadata, const void *thumbnail,
                      size_t thumbnail_size, const reprise_ic_snapshot *snapshot,
                      const reprise_write_options *options, reprise_error *error);

/* Reads a save's snapshot in the order that keeps hostile ones out. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_read_save(reprise_ic_codec *ic,
                                                                 const void *data, size_t size,
                                                                 reprise_ic_snapshot *ret_snapshot,
                                                                 reprise_error *error);

/*
 * A replay made of frames, states and events, each given once and in the order of its ticks; what
 * is added is encoded at once and not kept. The first keyframe is the state of tick 0. Metadata
 * with keys off the allow-list, file paths or network addresses is refused, as the profile demands.
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
 * A keyframe: full at tick 0 and at every tick divisible by 3000, else a delta against the last
 * full one, with campaign and script state only where they changed.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_keyframe(
    reprise_ic_writer *writer, const reprise_ic_snapshot *snapshot, reprise_error *error);
/* An event: a choice of reprise_ic_event_... */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_event(reprise_ic_writer *writer,
                                                                    const reprise_ic_event *event,
                                                                    reprise_error *error);
/* The signature chain of the relay, if there is one. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_signature(
    reprise_ic_writer *writer, const reprise_ic_signature *signature, reprise_error *error);
/*
 * What was said. Frames of a player who did not agree cannot be written, nor packets of more than
 * 256 bytes; ticks of a track rise.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_voice(reprise_ic_writer *writer,
                                                                    const reprise_ic_voice *voice,
                                                                    reprise_error *error);
/*
 * What the replay brings along: the map file as it is (over 1 MiB it is not embedded but named by
 * its hash; it must be the one that the metadata's map_hash names), rules (relative paths that end
 * in .yaml or .yml), the name of a preset, the state of tick 0. Members may be NULL.
 */
typedef struct reprise_ic_embedding {
    size_t struct_size;
    const void *map;
    size_t map_size;
    const reprise_ic_manifest *manifest;
    const char *balance_preset;
    const reprise_ic_snapshot *initial_state;
} reprise_ic_embedding;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_embed(
    reprise_ic_writer *writer, const reprise_ic_embedding *embedding, reprise_error *error);

/* How much a finished replay brings along. */
typedef enum reprise_ic_embedding_mode {
    REPRISE_IC_MINIMAL,        /* nothing: map and rules are named by their hashes */
    REPRISE_IC_MAP_EMBEDDED,   /* the map */
    REPRISE_IC_SELF_CONTAINED, /* map and rules */
} reprise_ic_embedding_mode;
/*
 * Writes a finished replay with more or less embedded. Nothing else in it changes: its hashes and
 * signatures stay valid. `with` gives what the replay does not bring itself; NULL, or a NULL
 * member: what it has stays. The map must be the one of map_hash, rules those of data_version. A
 * map over 1 MiB is not embedded; the report has a note.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_embed(
    reprise_replay *replay, reprise_ic_embedding_mode mode, const reprise_ic_embedding *with,
    const reprise_write_options *options, const reprise_value **ret_report, reprise_error *error);
/* Writes the file. `final_hash` is the StateHash of the state behind the last frame. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_writer_finish(
    reprise_ic_writer *writer, uint64_t total_ticks, const uint8_t final_hash[32],
    const reprise_write_options *options, reprise_error *error);

/*
 * Compatibility. A host says what it is; the answer says whether a save loads or a replay plays
 * there. A save needs the same major version of the mod interface; one of an older engine is
 * migrated where a migration is registered. A replay needs the host's game module and the rules
 * that its data_version names, embedded or at hand. Looking at a file is possible whatever the
 * answer is. Members that are NULL are not compared.
 */
typedef struct reprise_ic_host_info {
    size_t struct_size;
    const char *engine_version;  /* "0.6.0" */
    const char *mod_api_version; /* "1.2" */
    const char *game_module;     /* "ra1" */
    /* Whether rules of this data_version ("sha256:...") are at hand; NULL: none are. */
    bool (*has_rules)(void *ctx, const char *data_version);
    void *ctx;
} reprise_ic_host_info;
#define REPRISE_IC_HOST_INFO_INIT                                  \
    {                                                              \
        sizeof(reprise_ic_host_info), NULL, NULL, NULL, NULL, NULL \
    }
typedef enum reprise_ic_verdict {
    REPRISE_IC_LOADS,
    REPRISE_IC_NOTE,    /* loads; worth telling */
    REPRISE_IC_MIGRATE, /* loads by way of migrations */
    REPRISE_IC_WARN,    /* loads, but may not be what it was */
    REPRISE_IC_REFUSE,
} reprise_ic_verdict;
typedef struct reprise_ic_compat {
    reprise_ic_verdict verdict;
    char message[160]; /* why, in words; empty for REPRISE_IC_LOADS */
} reprise_ic_compat;
/* Of an open save or replay; reads no payload. Migrations are those of `ic`, which may be NULL. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check_compat(
    const reprise_ic_codec *ic, reprise_replay *replay, const reprise_ic_host_info *needs,
    reprise_ic_compat *ret_fit, reprise_error *error);

/*
 * Registers a migration: it turns states of engines from version `from` on, but before `to`, into
 * states of `to`. Loading applies one after the other until none fits, and checks the result. The
 * function may replace anything in the snapshot by memory that lives as long as the handle's.
 */
typedef reprise_status reprise_ic_migration(void *ctx, reprise_ic_codec *ic,
                                            reprise_ic_snapshot *snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_add_migration(reprise_ic_codec *ic, const char *from, const char *to,
                         reprise_ic_migration *run, void *ctx, reprise_error *error);
/* Reads a save for a host: refuses what does not fit, migrates what must be. `fit` may be NULL. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_load_save(
    reprise_ic_codec *ic, const void *data, size_t size, const reprise_ic_host_info *needs,
    reprise_ic_compat *ret_fit, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
/*
 * The same by name, for hosts: only inside the directory of saves. A name that leads elsewhere, or
 * over a link, is refused.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_load_named(reprise_ic_codec *ic, const char *directory, const char *name,
                      const reprise_ic_host_info *needs, reprise_ic_compat *ret_fit,
                      reprise_ic_snapshot *ret_snapshot, reprise_error *error);
/* Whether a state may be restored into a running game: same seed, same map. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_check_restore(const reprise_ic_core *running,
                                                                     const reprise_ic_core *core,
                                                                     reprise_error *error);

/*
 * Trust. Signing builds the chain for a finished, unsigned replay whose states can be made again by
 * the built-in simulation; `secret` is a raw Ed25519 private key. A proof is an .icproof file about
 * one part of a signed state: "core", "rng", "intern", "players", "map" or "arch:NAME". Both tell
 * what they did in a report that lives until the next answer of the replay; it may be NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_sign(
    reprise_replay *replay, const uint8_t secret[32], uint64_t cadence,
    const reprise_write_options *options, const reprise_value **ret_report, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_prove(reprise_replay *replay, uint64_t tick,
                                                             const char *label,
                                                             const reprise_write_options *options,
                                                             const reprise_value **ret_report,
                                                             reprise_error *error);
/*
 * Did this moment really happen? A signed tick is compared with its signature. Any other is
 * replayed from the nearest earlier signed tick on to the next one, whose hash must come out. The
 * report has the verdict ("confirmed", "refuted" or "not established"), its reason, the state's
 * hash and the signatures that vouch; it lives until the next answer of the replay.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_verify_tick(reprise_replay *replay,
                                                                   uint64_t tick,
                                                                   const reprise_value **ret_report,
                                                                   reprise_error *error);
/* A new pair of keys, from the system's random numbers; and the public half of a secret one. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_new_key(uint8_t ret_secret[32],
                                                               uint8_t ret_public[32],
                                                               reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_public_key(const uint8_t secret[32],
                                                                  uint8_t ret_public[32],
                                                                  reprise_error *error);
/* One signature, for a reprise_ic_signer that has its key at hand. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_sign_message(const uint8_t secret[32],
                                                                    const void *message,
                                                                    size_t size,
                                                                    uint8_t ret_signature[64],
                                                                    reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
