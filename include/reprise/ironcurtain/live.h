/*
 * live.h - record and play Iron Curtain replays from inside a game.
 *
 *   1  simulations    the callbacks through which the library runs a game; one is built in
 *   2  recording      orders, states, events and voice into a file that is readable at any time
 *   3  playback       tick by tick, at any speed, from any tick, compared with the recording
 *   4  import         replays of OpenRA and of the classic Command & Conquer games
 *
 * To record a match, with a game that provides keyframes and hashes:
 *
 *     reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
 *     options.path = "match.icrep";
 *     options.simulation = &game;
 *     reprise_ic_recorder_new(metadata, &options, NULL, &recorder, &error);
 *     for each tick, before its orders are applied:
 *         (void)reprise_ic_recorder_tick(recorder, &frame, &error);
 *     reprise_ic_recorder_finish(recorder, NULL, NULL, &error);
 *     reprise_ic_recorder_free(recorder);
 *
 * The rules of reprise/ironcurtain/codec.h apply here too.
 */
#ifndef REPRISE_IRONCURTAIN_LIVE_H
#define REPRISE_IRONCURTAIN_LIVE_H

#include <reprise/ironcurtain/codec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  simulations ------------------------------------------------------------------------ */

/*
 * A game. State t is the state before the orders of tick t; applying them gives state t + 1.
 * Pointers passed to a callback are valid during the call. What a callback returns must stay valid
 * until the next call of the same simulation.
 *
 * reprise_options_set_simulation sets one for reprise_at and reprise_verify; recorders and
 * playbacks have their own. Without one, the built-in game is used. `apply_tick` is required, and
 * either `state`, or `restore` and `state_hash`.
 */
typedef struct reprise_ic_simulation {
    size_t struct_size; /* sizeof(reprise_ic_simulation) */
    void *ctx;
    /* Makes this the current state. Also called when playback jumps. */
    reprise_status (*restore)(void *ctx, const reprise_ic_snapshot *snapshot, reprise_error *error);
    /*
     * Applies the orders of one tick to the current state. They come in the order received; the
     * game sorts them by sub_tick_time and player, as the format requires.
     */
    reprise_status (*apply_tick)(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                 size_t count, reprise_error *error);
    /* Returns the StateHash of the current state, as reprise_ic_state_hash computes it. */
    reprise_status (*state_hash)(void *ctx, uint8_t ret_hash[32], reprise_error *error);
    /* Returns the current state. NULL: states between keyframes are not available. */
    reprise_status (*snapshot)(void *ctx, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
    /* Whether a unit is alive. NULL: orders to dead units are not detected. */
    bool (*has_unit)(void *ctx, reprise_ic_tag unit);
    /* Replays of other game modules are not simulated. NULL: all are. */
    const char *game_module;
    /*
     * The current state, of a game that keeps it in this form; restore, state_hash and snapshot are
     * then used only if they are set. After a jump, the lists in it are in memory of the library,
     * valid until the next jump.
     */
    reprise_ic_snapshot *state;
} reprise_ic_simulation;

/* The built-in game, "skirmish": small, complete and deterministic. */
typedef struct reprise_ic_skirmish reprise_ic_skirmish;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_skirmish_new(
    const reprise_options *options, reprise_ic_skirmish **ret_skirmish, reprise_error *error);
REPRISE_API void reprise_ic_skirmish_free(reprise_ic_skirmish *skirmish);
/* The callbacks of this game; the game owns them. */
REPRISE_API const reprise_ic_simulation *reprise_ic_skirmish_simulation(
    reprise_ic_skirmish *skirmish);
/* The map file of its matches, for embedding. */
REPRISE_API const void *reprise_ic_skirmish_map(size_t *ret_size);

/*
 * A match for demonstrations and tests. `start` makes its first state, `orders` returns what its
 * computer players order at the current tick, and `events` which units appeared and disappeared
 * since the last call. The same seed gives the same match. Results are valid until the next call.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_skirmish_start(reprise_ic_skirmish *skirmish,
                                                                      uint64_t seed,
                                                                      uint32_t players,
                                                                      uint32_t units_per_player,
                                                                      reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_skirmish_orders(reprise_ic_skirmish *skirmish, const reprise_ic_order **ret_orders,
                           size_t *ret_count, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_skirmish_events(reprise_ic_skirmish *skirmish, const reprise_ic_event **ret_events,
                           size_t *ret_count, reprise_error *error);

/* ---- 2  recording -------------------------------------------------------------------------- */

/*
 * Records a match while it is played. Calls come from the game's thread; a thread of the recorder
 * compresses and writes, fed by a queue that holds ten seconds. A call waits at most 5 ms for space
 * in the queue. What does not fit by then is dropped and counted, also in the file. Only the first
 * keyframe may take longer.
 *
 * The file can be read, played and searched at any time. If the program is killed, everything
 * written so far is in it, and reprise_recover makes a finished file of it.
 */
typedef struct reprise_ic_recorder reprise_ic_recorder;

/* Signs states. Called from the recorder's thread; `sign` returns 0 or an errno. */
typedef struct reprise_ic_signer {
    size_t struct_size; /* sizeof(reprise_ic_signer) */
    void *ctx;
    uint8_t public_key[32]; /* Ed25519 */
    int (*sign)(void *ctx, const void *message, size_t size, uint8_t ret_signature[64]);
} reprise_ic_signer;

/* Initialise with REPRISE_IC_RECORDER_INIT. A number that is 0 means the default. */
typedef struct reprise_ic_recorder_options {
    size_t struct_size;
    const char *path; /* the live file, which the finished one replaces at the end */
    bool replace;     /* overwrite an existing file */
    /* Instead of a path: where live records go, and what receives the finished file. */
    const reprise_storage *storage;
    const reprise_sink *finished;
    int level;
    uint32_t tick_us;        /* length of a tick in microseconds (default: 66667) */
    uint32_t queue_ticks;    /* ticks the queue holds (default: ten seconds) */
    uint32_t keyframe_ticks; /* ticks between keyframes (default: 300) */
    uint32_t full_ticks;     /* keyframes at multiples of this are full (default: 3000) */
    uint32_t flush_ms;       /* longest time until data is in the file (default: 2000) */
    /*
     * Longest time until it is on disk (default: 2000). UINT32_MAX: the live file is never synced,
     * not even at the end; the finished file always is.
     */
    uint32_t sync_ms;
    /*
     * Provides keyframes and the hashes to sign when they are due. NULL: the caller does, with
     * reprise_ic_recorder_keyframe and reprise_ic_recorder_sign.
     */
    const reprise_ic_simulation *simulation;
    /* Players who consented to be recorded; the voice of others is refused. */
    const uint32_t *consenting;
    size_t consenting_count;
    const reprise_ic_signer *signer;       /* NULL: the replay is not signed */
    uint32_t sign_ticks;                   /* ticks between signatures (default: 30) */
    const reprise_ic_embedding *embedding; /* resources to embed; copied. NULL: none */
} reprise_ic_recorder_options;
#define REPRISE_IC_RECORDER_INIT                                                                   \
    {                                                                                              \
        sizeof(reprise_ic_recorder_options), NULL, false, NULL, NULL, REPRISE_LEVEL_DEFAULT, 0, 0, \
            0, 0, 0, 0, NULL, NULL, 0, NULL, 0, NULL                                               \
    }

/*
 * Creates the file. `metadata` is as for reprise_ic_writer_new. Its length, actions per minute and
 * signature fields are filled in at the end.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_new(
    const char *metadata, const reprise_ic_recorder_options *options, const reprise_options *limits,
    reprise_ic_recorder **ret_recorder, reprise_error *error);
/* Ends the recording. If it was not finished, the live file stays as it is. */
REPRISE_API void reprise_ic_recorder_free(reprise_ic_recorder *recorder);

/*
 * Records the orders of a tick before they are applied. `frame->state_hash` is the SyncHash of the
 * state they are applied to; if it is 0, a simulation is asked for it. Ticks must ascend; one that
 * is skipped counts as lost. With a simulation, keyframes and signatures that are due at this tick
 * are made first.
 *
 * REPRISE_E_LIMIT means that the queue stayed full and the frame was dropped: the game should
 * continue.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_tick(reprise_ic_recorder *recorder,
                                                                     const reprise_ic_frame *frame,
                                                                     reprise_error *error);
/*
 * Records the state of a tick. The recorder decides whether it becomes a full keyframe or a delta:
 * full at tick 0, at multiples of full_ticks, and after a full keyframe was lost.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_keyframe(
    reprise_ic_recorder *recorder, const reprise_ic_snapshot *snapshot, reprise_error *error);
/*
 * The same for games that encode states themselves: a snapshot if `is_full`, else a delta against
 * the last full keyframe that was accepted.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_keyframe_bytes(reprise_ic_recorder *recorder, uint64_t tick, bool is_full,
                                   const void *bytes, size_t size, reprise_error *error);
/* Records an event. Event ticks must not decrease. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_event(reprise_ic_recorder *recorder,
                                                                      const reprise_ic_event *event,
                                                                      reprise_error *error);
/* Records the voice of a player who consented; at most 256 bytes per frame. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_voice(reprise_ic_recorder *recorder, uint32_t player,
                          const reprise_ic_voice_frame *frame, reprise_error *error);
/* Signs the state of a tick. Not needed with a simulation. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_sign(reprise_ic_recorder *recorder,
                                                                     uint64_t tick,
                                                                     const uint8_t state_hash[32],
                                                                     reprise_error *error);
/*
 * Writes the state of a game that has found itself out of sync as a save. This is the only call
 * that writes a file in the caller's thread.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_desync(reprise_ic_recorder *recorder, const reprise_ic_snapshot *snapshot,
                           const char *path, reprise_error *error);

/*
 * Ends the match: waits until everything is written, signs the final state, and replaces the live
 * file by the finished one. `metadata` replaces the initial metadata, for example because the
 * outcome is known now; NULL keeps it. `final_hash` is the StateHash after the last tick; NULL asks
 * the simulation. If it fails, the live file stays.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_finish(reprise_ic_recorder *recorder, const char *metadata,
                           const uint8_t final_hash[32], reprise_error *error);

/* Initialise with REPRISE_IC_RECORDER_STATS_INIT. */
typedef struct reprise_ic_recorder_stats {
    size_t struct_size;
    uint64_t frames;         /* accepted */
    uint64_t keyframes;      /* accepted, full ones included */
    uint64_t full_keyframes; /* accepted */
    uint64_t lost_frames, lost_keyframes, lost_events, lost_voice;
    uint64_t failed_writes, failed_syncs;
    uint64_t bytes; /* of the live file */
    uint64_t calls; /* from the game's thread; their durations: */
    double p50_us, p99_us, p999_us, longest_us;
} reprise_ic_recorder_stats;
#define REPRISE_IC_RECORDER_STATS_INIT                                                         \
    {                                                                                          \
        sizeof(reprise_ic_recorder_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0 \
    }
/* May be called at any time, also after reprise_ic_recorder_finish. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_get_stats(const reprise_ic_recorder *recorder,
                              reprise_ic_recorder_stats *ret_stats, reprise_error *error);

/* ---- 3  playback --------------------------------------------------------------------------- */

/*
 * Plays a replay: returns frame after frame, applies their orders to a simulation, and compares its
 * states with the recorded ones. Differences are reported and playback continues.
 *
 *     reprise_ic_playback_new(replay, NULL, &playback, &error);
 *     while (reprise_ic_playback_poll(playback, &frame, &error) == REPRISE_OK)
 *         show(frame);
 *     reprise_ic_playback_free(playback);
 */
typedef struct reprise_ic_playback reprise_ic_playback;

/* How credible the playback of a replay of another game is. */
typedef enum reprise_ic_divergence_level {
    REPRISE_IC_PLAUSIBLE,
    REPRISE_IC_MINOR_DRIFT,
    REPRISE_IC_DIVERGED,
} reprise_ic_divergence_level;
/*
 * Signs that an imported replay does not play as it did. The built-in game is not the original
 * engine, so states are compared only with a simulation that the caller provides: with the sync
 * hashes of the other game, which are the state_hash of the following frame (OpenRA: 32 bits; 0 is
 * none). Recorded desyncs and orders that make no sense are always detected.
 */
typedef struct reprise_ic_divergence {
    size_t struct_size;
    reprise_ic_divergence_level level;
    uint64_t tick; /* where it began, unless plausible */
    char reason[96];
    uint64_t dead_unit_orders;    /* orders to units that do not exist */
    uint64_t bad_position_orders; /* orders to places outside the map */
    uint64_t mismatches;          /* states that differ from recorded ones */
} reprise_ic_divergence;
#define REPRISE_IC_DIVERGENCE_INIT                                           \
    {                                                                        \
        sizeof(reprise_ic_divergence), REPRISE_IC_PLAUSIBLE, 0, {0}, 0, 0, 0 \
    }

/*
 * Which parts of the state differ. The hash of a frame covers the complete state; at the next
 * keyframe the hashes of the parts are compared: "core", "rng", "intern", "arch:NAME" for the
 * entities of each archetype, "players", "map".
 */
typedef struct reprise_ic_desync_parts {
    uint64_t tick;            /* the first tick whose state differs */
    uint64_t keyframe;        /* tick of the keyframe that was compared */
    const char *const *parts; /* the parts that differ there, in hash order */
    size_t part_count;        /* 0 if none differs any more */
} reprise_ic_desync_parts;

/* Called by reprise_ic_playback_poll; any of them may be NULL. */
typedef struct reprise_ic_playback_callbacks {
    size_t struct_size; /* sizeof(reprise_ic_playback_callbacks) */
    void *ctx;
    void (*event)(void *ctx, const reprise_ic_event *event);
    void (*voice)(void *ctx, uint32_t player, const reprise_ic_voice_frame *frame);
    /* The state before the orders of a tick differs from the recorded one. */
    void (*desync)(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded);
    /*
     * Frames `from` to `to` - 1 are missing. They are played without orders, so states differ up to
     * the keyframe at `until`, where playback continues from the recorded state.
     */
    void (*gap)(void *ctx, uint64_t from, uint64_t to, uint64_t until);
    void (*divergence)(void *ctx, const reprise_ic_divergence *divergence);
    void (*end)(void *ctx, uint64_t tick);
    /*
     * Follows the first desync since the start or the last jump, at the next keyframe. Not called
     * if there is none, or if the simulation provides no snapshots.
     */
    void (*desync_parts)(void *ctx, const reprise_ic_desync_parts *found);
} reprise_ic_playback_callbacks;

/* Initialise with REPRISE_IC_PLAYBACK_INIT. */
typedef struct reprise_ic_playback_options {
    size_t struct_size;
    const reprise_ic_simulation *simulation; /* NULL: the built-in game, for its own replays */
    const reprise_ic_playback_callbacks *callbacks;
    bool strict;      /* fail where frames are missing */
    bool orders_only; /* do not simulate */
} reprise_ic_playback_options;
#define REPRISE_IC_PLAYBACK_INIT                                      \
    {                                                                 \
        sizeof(reprise_ic_playback_options), NULL, NULL, false, false \
    }

/* Opens a replay for playback. Do not read rows of the replay until the playback is freed. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_new(reprise_replay *replay, const reprise_ic_playback_options *options,
                        reprise_ic_playback **ret_playback, reprise_error *error);
REPRISE_API void reprise_ic_playback_free(reprise_ic_playback *playback);

/* The tick whose orders come next, and the number of ticks. */
REPRISE_API uint64_t reprise_ic_playback_tick(const reprise_ic_playback *playback);
REPRISE_API uint64_t reprise_ic_playback_length(const reprise_ic_playback *playback);
/* Whether states are simulated, and if not, why not (NULL if they are). */
REPRISE_API bool reprise_ic_playback_has_state(const reprise_ic_playback *playback);
REPRISE_API const char *reprise_ic_playback_no_state_reason(const reprise_ic_playback *playback);

/* Returns the next frame without playing it; REPRISE_END at the end. A missing frame is empty. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_peek(
    reprise_ic_playback *playback, const reprise_ic_frame **ret_frame, reprise_error *error);
/*
 * Plays the next frame: compares states, calls the callbacks, applies the orders. REPRISE_END at
 * the end. `ret_frame` may be NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_poll(
    reprise_ic_playback *playback, const reprise_ic_frame **ret_frame, reprise_error *error);
/*
 * Goes to a tick from 0 to the length, without calling callbacks. It loads the preceding keyframe
 * and simulates at most 299 ticks.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_seek(reprise_ic_playback *playback,
                                                                     uint64_t tick,
                                                                     reprise_error *error);
/* Returns the current state, valid until the next call. REPRISE_E_UNSUPPORTED without one. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_state(
    reprise_ic_playback *playback, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_get_divergence(const reprise_ic_playback *playback,
                                   reprise_ic_divergence *ret_divergence, reprise_error *error);

/*
 * Pacing. reprise_ic_playback_due takes the caller's clock and returns how many ticks to play since
 * the last call (UINT64_MAX at speed 0); fractions are kept, so no time is lost. Speeds are 0.25 to
 * 8 in steps of 0.25, or 0 for as fast as possible. Above 4, voice is skipped.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_set_speed(reprise_ic_playback *playback, double speed, reprise_error *error);
REPRISE_API double reprise_ic_playback_speed(const reprise_ic_playback *playback);
REPRISE_API void reprise_ic_playback_pause(reprise_ic_playback *playback, bool paused);
REPRISE_API bool reprise_ic_playback_is_paused(const reprise_ic_playback *playback);
/* The length of a tick at speed 1, in microseconds. */
REPRISE_API uint32_t reprise_ic_playback_tick_us(const reprise_ic_playback *playback);
REPRISE_API uint64_t reprise_ic_playback_due(reprise_ic_playback *playback, uint64_t now_us);

/*
 * Goes to a tick and returns the metadata, for reprise_ic_recorder_new, of a recording that
 * branches off there; the new recording must contain the frames before that tick. Imported replays
 * have no states, so they cannot be branched. The text is valid until the next call.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_branch(reprise_ic_playback *playback, uint64_t tick, uint32_t slot,
                           const char **ret_metadata, reprise_error *error);

/* ---- 4  import ----------------------------------------------------------------------------- */

/* Initialise with REPRISE_IC_IMPORT_INIT. */
typedef struct reprise_ic_import_options {
    size_t struct_size;
    bool lossless; /* carry orders without a counterpart along as they were stored */
    int64_t date;  /* of the conversion, in seconds since 1970; 0: now */
} reprise_ic_import_options;
#define REPRISE_IC_IMPORT_INIT                      \
    {                                               \
        sizeof(reprise_ic_import_options), false, 0 \
    }

/*
 * Writes a replay of another game, any that reprise_foreign_new reads, as an Iron Curtain replay.
 * Orders are translated, times become ticks of 1/15 s, and `converted_from` names the source. There
 * are no states. The report lists, and the file counts, what could not be translated.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_import(
    reprise_replay *replay, const reprise_ic_import_options *options,
    const reprise_write_options *writing, const reprise_value **ret_report, reprise_error *error);

/*
 * Writes an imported replay as a replay of the game it came from (only OpenRA so far). Orders that
 * were carried along come back byte for byte. The report counts them ("restored") and lists those
 * that were made from their translation ("notes").
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_export(reprise_replay *replay,
                                                              const reprise_write_options *writing,
                                                              const reprise_value **ret_report,
                                                              reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
