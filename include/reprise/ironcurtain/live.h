/*
 * live.h - recording and playing Iron Curtain replays from inside a game.
 *
 * ironcurtain.h has the types of the format and turns them into bytes. This header is for a game
 * that runs: it writes down what happens while it happens, and plays it again.
 *
 *   1  simulations    what the library asks of a game; a small complete one is built in
 *   2  recording      ticks, keyframes, events, voice and signatures into a file that is valid at
 *                     every moment
 *   3  playing        tick by tick, at any speed, from any tick; what differs is told
 *   4  importing      replays of OpenRA and of the classic Command & Conquer games
 *
 * A match recorded in a few lines; `game` keeps keyframes and hashes coming:
 *
 *     reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
 *     options.path = "match.icrep";
 *     options.simulation = game;
 *     reprise_ic_recorder_new(metadata, &options, NULL, &recorder, &error);
 *     for each tick, before its orders are applied:
 *         (void)reprise_ic_recorder_tick(recorder, &frame, &error);
 *     reprise_ic_recorder_finish(recorder, NULL, NULL, &error);
 *     reprise_ic_recorder_free(recorder);
 *
 * Rules of reprise.h hold here too: a function that can fail returns a status, results are written
 * only on success, handles are for one thread at a time.
 */
#ifndef REPRISE_LIVE_H
#define REPRISE_LIVE_H

#include <reprise/ironcurtain/codec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  simulations ------------------------------------------------------------------------ */

/*
 * A game as the library sees it. State t is the state before the orders of tick t; applying them
 * gives state t + 1. Pointers given to a callback are valid during the call. What a callback gives
 * stays valid until the next call of the same simulation.
 *
 * Give one in reprise_options_set_simulation and `reprise_at` and `reprise_verify` run it; players
 * and recorders take one of their own. Without one the built-in game is used.
 */
typedef struct reprise_ic_simulation {
    void *ctx;
    /* Makes this the current state. Called again whenever playback jumps. */
    reprise_status (*restore)(void *ctx, const reprise_ic_snapshot *snapshot, reprise_error *error);
    /*
     * Applies the orders of one tick to the current state. They come as they were received; a game
     * sorts them by sub_tick_time and player, as the format demands.
     */
    reprise_status (*apply_tick)(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                 size_t count, reprise_error *error);
    /* The StateHash of the current state: reprise_ic_state_hash of its snapshot. */
    reprise_status (*state_hash)(void *ctx, uint8_t ret_hash[32], reprise_error *error);
    /* The current state. May be NULL: then states between keyframes cannot be shown. */
    reprise_status (*snapshot)(void *ctx, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
    /* Whether a unit is alive. May be NULL: then orders to dead units are not noticed. */
    bool (*has_unit)(void *ctx, reprise_ic_tag unit);
    /* The game module of the replays it plays; others are not simulated. NULL: any. */
    const char *game_module;
} reprise_ic_simulation;

/*
 * The built-in game, "skirmish": deterministic, small, complete. It shows what a host has to do,
 * and stands where a game would in `play`, `record`, `at` and `verify --simulate`.
 */
typedef struct reprise_ic_skirmish reprise_ic_skirmish;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_skirmish_new(
    const reprise_options *options, reprise_ic_skirmish **ret_skirmish, reprise_error *error);
REPRISE_API void reprise_ic_skirmish_free(reprise_ic_skirmish *skirmish);
/* The callbacks of this game; they belong to it. */
REPRISE_API const reprise_ic_simulation *reprise_ic_skirmish_simulation(
    reprise_ic_skirmish *skirmish);
/* The map file of its demonstrations, to be embedded. */
REPRISE_API const void *reprise_ic_skirmish_map(size_t *ret_size);

/*
 * A match for demonstrations and tests: the state at its start, and what its players, who are not
 * very clever, order at the current tick. The same seed gives the same match. What is given stays
 * valid until the next call of the same game.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_skirmish_start(reprise_ic_skirmish *skirmish,
                                                                      uint64_t seed,
                                                                      uint32_t players,
                                                                      uint32_t units_per_player,
                                                                      reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_skirmish_orders(reprise_ic_skirmish *skirmish, const reprise_ic_order **ret_orders,
                           size_t *ret_count, reprise_error *error);
/* Who came and who went since the last call: choices of reprise_ic_event. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_skirmish_events(reprise_ic_skirmish *skirmish, const reprise_ic_event **ret_events,
                           size_t *ret_count, reprise_error *error);

/* ---- 2  recording -------------------------------------------------------------------------- */

/*
 * Writes down a match while it is played. Calls come from one thread, the game's; compressing and
 * writing is done by a thread of the recorder's own, through a queue that holds ten seconds. A call
 * never waits longer than 5 ms: what finds no place until then is lost, counted, and the file says
 * so. Only the first keyframe may take as long as it needs.
 *
 * The file can be read, played and searched at any moment. If the program is killed, everything
 * that was written so far is there; `reprise recover` makes a finished file of it.
 */
typedef struct reprise_ic_recorder reprise_ic_recorder;

/* Signs for the relay; called by the recorder's thread. Returns 0, or an errno. */
typedef struct reprise_ic_signer {
    void *ctx;
    uint8_t public_key[32]; /* Ed25519 */
    int (*sign)(void *ctx, const void *message, size_t size, uint8_t ret_signature[64]);
} reprise_ic_signer;

/* Initialise with REPRISE_IC_RECORDER_INIT. Zeros are the format's own numbers. */
typedef struct reprise_ic_recorder_options {
    size_t struct_size;
    const char *path; /* of the file; while recording in the live layout, at the end finished */
    bool replace;     /* an existing file */
    /* Instead of a path: where records go, and who gets the finished file, all at once. */
    const reprise_storage *storage;
    const reprise_sink *finished;
    int level;
    uint32_t tick_us;        /* length of a tick, for the queue: 66 667 */
    uint32_t queue_ticks;    /* ticks the queue holds: ten seconds of them */
    uint32_t keyframe_ticks; /* a keyframe every so many: 300 */
    uint32_t full_ticks;     /* of which those divisible by this are full: 3000 */
    uint32_t flush_ms; /* at the latest after so long what was recorded is in the file: 2000 */
    uint32_t sync_ms;  /* and on the disk: 2000; UINT32_MAX: left to the system */
    /*
     * Where keyframes and the hashes to sign come from, when they are due; NULL: they are given by
     * reprise_ic_recorder_keyframe and reprise_ic_recorder_sign.
     */
    const reprise_ic_simulation *simulation;
    /* Players who agreed to have their voice recorded. Others cannot be. */
    const uint32_t *consenting;
    size_t consenting_count;
    const reprise_ic_signer *signer; /* NULL: the replay is not signed */
    uint32_t sign_ticks;             /* a signature every so many: 30 */
    /* What the finished replay brings along (map, rules); copied. NULL: nothing. */
    const reprise_ic_embedding *embedding;
} reprise_ic_recorder_options;
#define REPRISE_IC_RECORDER_INIT                                                                   \
    {                                                                                              \
        sizeof(reprise_ic_recorder_options), NULL, false, NULL, NULL, REPRISE_LEVEL_DEFAULT, 0, 0, \
            0, 0, 0, 0, NULL, NULL, 0, NULL, 0, NULL                                               \
    }

/*
 * Makes the file. `metadata` is the JSON object of a replay; keys off the format's list, paths and
 * addresses are refused, because people pass replays around. Length, apm and whether it is signed
 * are filled in at the end.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_new(
    const char *metadata, const reprise_ic_recorder_options *options, const reprise_options *limits,
    reprise_ic_recorder **ret_recorder, reprise_error *error);
/* Without a finish before, the live file stays as it is. */
REPRISE_API void reprise_ic_recorder_free(reprise_ic_recorder *recorder);

/*
 * The orders of a tick, before they are applied; `frame->state_hash` is the SyncHash of the state
 * they are applied to. Ticks rise; one that is left out counts as lost. Where a simulation was
 * given, keyframes and signatures that are due at this tick are made first.
 *
 * REPRISE_E_LIMIT: the queue stayed full, the frame is lost and counted. A game goes on.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_tick(reprise_ic_recorder *recorder,
                                                                     const reprise_ic_frame *frame,
                                                                     reprise_error *error);
/*
 * The state of a tick. Whether it becomes a full keyframe or a delta is the recorder's to say: full
 * ones come at tick 0, every 3000 ticks, and after one that was lost.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_keyframe(
    reprise_ic_recorder *recorder, const reprise_ic_snapshot *snapshot, reprise_error *error);
/*
 * The same for hosts that make the bytes themselves: a SimSnapshot, or a DeltaSnapshot against the
 * last full keyframe that was accepted.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_keyframe_bytes(reprise_ic_recorder *recorder, uint64_t tick, bool is_full,
                                   const void *bytes, size_t size, reprise_error *error);
/* An event: a choice of reprise_ic_event. Ticks of events do not fall. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_event(reprise_ic_recorder *recorder,
                                                                      const reprise_ic_event *event,
                                                                      reprise_error *error);
/* Voice of a player who agreed to it; of anybody else it is refused. At most 256 bytes. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_voice(reprise_ic_recorder *recorder, uint32_t player,
                          const reprise_ic_voice_frame *frame, reprise_error *error);
/* Has the state of a tick signed; not needed where a simulation was given. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_recorder_sign(reprise_ic_recorder *recorder,
                                                                     uint64_t tick,
                                                                     const uint8_t state_hash[32],
                                                                     reprise_error *error);
/*
 * The game has found out that its state is not that of the others: writes it as a save before
 * anything else happens. The only call that writes in the game's own thread.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_desync(reprise_ic_recorder *recorder, const reprise_ic_snapshot *snapshot,
                           const char *path, reprise_error *error);

/*
 * The end of the match: waits until everything is written, signs the last state, and puts the
 * finished file in the place of the live one. `metadata` replaces that of the start (outcomes are
 * known now); NULL keeps it. `final_hash` is the StateHash behind the last tick; NULL: the
 * simulation is asked. When it fails the live file stays.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_recorder_finish(reprise_ic_recorder *recorder, const char *metadata,
                           const uint8_t final_hash[32], reprise_error *error);

typedef struct reprise_ic_recorder_stats {
    uint64_t frames;         /* accepted */
    uint64_t keyframes;      /* accepted, of which */
    uint64_t full_keyframes; /* are full */
    uint64_t lost_frames, lost_keyframes, lost_events, lost_voice;
    uint64_t failed_writes, failed_syncs;
    uint64_t bytes; /* of the live file */
    uint64_t calls; /* of the game's thread, and how long they took: */
    double p50_us, p99_us, p999_us, longest_us;
} reprise_ic_recorder_stats;
/* May be called at any time, also after the finish. */
REPRISE_API void reprise_ic_recorder_get_stats(const reprise_ic_recorder *recorder,
                                               reprise_ic_recorder_stats *ret_stats);

/* ---- 3  playing ---------------------------------------------------------------------------- */

/*
 * Plays a replay: gives frame after frame, applies their orders to a simulation, and compares the
 * states with those that were recorded. A difference is told and playback goes on.
 *
 *     reprise_ic_playback_new(replay, NULL, &player, &error);
 *     while (reprise_ic_playback_poll(player, &frame, &error) == REPRISE_OK)
 *         show(frame);
 *     reprise_ic_playback_free(player);
 */
typedef struct reprise_ic_playback reprise_ic_playback;

/*
 * How far a replay that came from another game can be believed. Our engine is not its own, so only
 * a simulation that the caller gives can be compared: with the sums that the other game recorded,
 * which stand in `state_hash` of the frame after them (OpenRA: a number of 32 bits; 0 is none).
 * What else can be noticed is a difference that was recorded, and orders that make no sense.
 */
typedef enum reprise_ic_divergence_level {
    REPRISE_IC_PLAUSIBLE,
    REPRISE_IC_MINOR_DRIFT,
    REPRISE_IC_DIVERGED,
} reprise_ic_divergence_level;
typedef struct reprise_ic_divergence {
    reprise_ic_divergence_level level;
    uint64_t tick; /* where it began, unless plausible */
    char reason[96];
    uint64_t dead_unit_orders;    /* orders to units that are not there */
    uint64_t bad_position_orders; /* orders to places that are not on the map */
    uint64_t mismatches;          /* states that differ from recorded ones */
} reprise_ic_divergence;

/*
 * Which part of the state a desync is in. The hash of a frame only says that something differs; the
 * next keyframe is a whole state, and its parts have hashes of their own: "core", "rng", "intern",
 * "arch:NAME" for the entities of each archetype, "players", "map".
 */
typedef struct reprise_ic_desync_parts {
    uint64_t tick;            /* the first whose state was not the recorded one */
    uint64_t keyframe;        /* tick of the keyframe that was compared */
    const char *const *parts; /* those that differ there, in the order of the hash */
    size_t part_count;        /* 0: none differs any more */
} reprise_ic_desync_parts;

/* What a host may want to be told; each may be NULL. */
typedef struct reprise_ic_playback_callbacks {
    void *ctx;
    void (*event)(void *ctx, const reprise_ic_event *event);
    void (*voice)(void *ctx, uint32_t player, const reprise_ic_voice_frame *frame);
    /* The state before the orders of a tick is not the recorded one. */
    void (*desync)(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded);
    /*
     * Frames from `from` to `to` - 1 are missing. They are played without orders; states differ
     * until the keyframe at `until`, from which playback goes on.
     */
    void (*gap)(void *ctx, uint64_t from, uint64_t to, uint64_t until);
    void (*divergence)(void *ctx, const reprise_ic_divergence *divergence);
    void (*end)(void *ctx, uint64_t tick);
    /*
     * Follows the first desync since the start or the last jump, when playback comes to the next
     * keyframe; not if there is none, or the simulation gives no snapshots.
     */
    void (*desync_parts)(void *ctx, const reprise_ic_desync_parts *found);
} reprise_ic_playback_callbacks;

/* Initialise with REPRISE_IC_PLAYBACK_INIT. */
typedef struct reprise_ic_playback_options {
    size_t struct_size;
    const reprise_ic_simulation *simulation; /* NULL: the built-in game, for replays of it */
    const reprise_ic_playback_callbacks *callbacks;
    bool strict;      /* stop where frames are missing */
    bool orders_only; /* no simulation at all */
} reprise_ic_playback_options;
#define REPRISE_IC_PLAYBACK_INIT                                      \
    {                                                                 \
        sizeof(reprise_ic_playback_options), NULL, NULL, false, false \
    }

/* The replay must not be read while its player is open. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_new(reprise_replay *replay, const reprise_ic_playback_options *options,
                        reprise_ic_playback **ret_player, reprise_error *error);
REPRISE_API void reprise_ic_playback_free(reprise_ic_playback *player);

/* The tick whose orders come next, and how many ticks there are. */
REPRISE_API uint64_t reprise_ic_playback_tick(const reprise_ic_playback *player);
REPRISE_API uint64_t reprise_ic_playback_length(const reprise_ic_playback *player);
/* Whether there are states, or only orders. */
REPRISE_API bool reprise_ic_playback_has_state(const reprise_ic_playback *player);
/* Why there are only orders ("it is of game module 'td', ..."), or NULL if there are states. */
REPRISE_API const char *reprise_ic_playback_no_state_reason(const reprise_ic_playback *player);

/* The next frame without playing it. REPRISE_END at the end. A missing one has no orders. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_peek(
    reprise_ic_playback *player, const reprise_ic_frame **ret_frame, reprise_error *error);
/* Plays the next frame: compares, tells, applies. REPRISE_END at the end. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_poll(
    reprise_ic_playback *player, const reprise_ic_frame **ret_frame, reprise_error *error);
/* Goes to a tick, 0 to the length: at most 299 ticks are played again. Nothing is told on the way.
 * One step back is a seek to the tick before. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_seek(reprise_ic_playback *player,
                                                                     uint64_t tick,
                                                                     reprise_error *error);
/* The state now; REPRISE_E_UNSUPPORTED where there is none. Valid until the next call. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_state(
    reprise_ic_playback *player, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
REPRISE_API void reprise_ic_playback_divergence(const reprise_ic_playback *player,
                                                reprise_ic_divergence *ret_divergence);

/*
 * Pacing. The caller's clock goes in, the number of ticks that are due comes out; fractions are
 * kept, so that an hour is an hour. Speeds are quarters from 0.25 to 8; 0 is as fast as possible.
 * Voice is silent above 4.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_ic_playback_set_speed(reprise_ic_playback *player, double speed, reprise_error *error);
REPRISE_API double reprise_ic_playback_speed(const reprise_ic_playback *player);
REPRISE_API void reprise_ic_playback_pause(reprise_ic_playback *player, bool paused);
REPRISE_API bool reprise_ic_playback_is_paused(const reprise_ic_playback *player);
/* Length of a tick at speed 1. */
REPRISE_API uint32_t reprise_ic_playback_tick_us(const reprise_ic_playback *player);
/* Ticks due since the last call; UINT64_MAX when it goes as fast as possible. */
REPRISE_API uint64_t reprise_ic_playback_due(reprise_ic_playback *player, uint64_t now_us);

/*
 * Branching: the metadata of a new recording that goes on from a tick of this one, for
 * reprise_ic_recorder_new. The new recording contains the frames up to that tick. Imported replays
 * cannot be branched from: there is no state to go on from. The player is at that tick afterwards;
 * the text is valid until the next call.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_playback_branch(reprise_ic_playback *player,
                                                                       uint64_t tick, uint32_t slot,
                                                                       const char **ret_metadata,
                                                                       reprise_error *error);

/* ---- 4  importing -------------------------------------------------------------------------- */

/* Initialise with REPRISE_IC_IMPORT_INIT. */
typedef struct reprise_ic_import_options {
    size_t struct_size;
    /* Carry orders that have no counterpart as they were stored, instead of leaving them out. */
    bool lossless;
    int64_t date; /* of the conversion, in seconds since 1970; 0: now */
} reprise_ic_import_options;
#define REPRISE_IC_IMPORT_INIT                      \
    {                                               \
        sizeof(reprise_ic_import_options), false, 0 \
    }

/*
 * Writes a replay of another game, any that reprise_foreign_new takes, as an Iron Curtain replay:
 * orders translated, times in ticks of 1/15 s, where it comes from in `converted_from`. There are
 * no states, because there is no simulation of that game. What could not be translated is listed
 * in the report, and counted in the file.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_import(
    reprise_replay *replay, const reprise_ic_import_options *options,
    const reprise_write_options *writing, const reprise_value **ret_report, reprise_error *error);

/*
 * The way back: writes an imported replay as one of the game it came from. Orders that were carried
 * as they were stored come back byte for byte; the report counts them ("restored") and names those
 * that were made anew from their translation ("notes"). Only OpenRA's come back so far.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_ic_export(reprise_replay *replay,
                                                              const reprise_write_options *writing,
                                                              const reprise_value **ret_report,
                                                              reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
