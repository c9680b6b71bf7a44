/*
 * recorder.h - the recorder (specification, 11): recorder.c runs on the game's thread and fills the
 * queue, record_thread.c empties it into the live file. ironcurtain/container/finalise.c writes the
 * finalised file at the end.
 *
 * Members are grouped by the thread that may access them. The queue is a ring: published items
 * belong to the writing thread, all other slots to the game. It needs no lock, so the writing
 * thread never blocks the game, wherever it is suspended.
 */
#ifndef IRONCURTAIN_LIVE_RECORDER_H
#define IRONCURTAIN_LIVE_RECORDER_H

#include "ironcurtain/edit/write.h"
#include "ironcurtain/wire/delta_base.h"
#include "journal.h"
#include "simulation.h"
#include "thread.h"

enum {
    IC_WAIT_BUCKETS = 8192, /* of a microsecond each; the last one counts everything longer */
    IC_VOICE_MAX = 256,     /* largest voice frame written, in bytes */
};

typedef enum ic_item_kind { IC_ITEM_FRAME, IC_ITEM_KEYFRAME, IC_ITEM_SIGN } ic_item_kind;

typedef struct ic_item {
    ic_item_kind kind;
    uint64_t tick;
    bool is_full;           /* keyframes */
    uint64_t baseline_tick; /* tick of a delta's full keyframe */
    rp_writer bytes;        /* a frame, a keyframe, or the hash to sign */
} ic_item;

/* The voice of one player waiting to be written. */
typedef struct ic_voice_queue {
    uint32_t player;
    rp_writer frames;
    uint64_t count;
    rp_writer taken; /* the writing thread's: frames being written */
    uint64_t tick;   /* the game's: of the last frame */
} ic_voice_queue;

/* A state to be signed once the preceding frames are in the file. */
typedef struct ic_to_sign {
    uint64_t tick;
    uint32_t block_frames; /* preceding frames in the open block */
    uint8_t hash[IC_HASH_SIZE];
} ic_to_sign;

typedef struct ic_recorder {
    rp_context *context;
    reprise_ic_recorder_options options;
    rp_lz4_level level;
    rp_arena arena;
    char *path;

    /* the game's thread */
    reprise_value *metadata;
    ic_delta_base baseline;
    rp_writer scratch;
    rp_writer embedded; /* the section of the finished file */
    uint64_t next_tick; /* after the last frame given */
    bool has_keyframe;
    uint64_t next_keyframe; /* earlier ones are refused */
    uint64_t baseline_tick;
    uint64_t event_tick;
    uint64_t signed_tick;            /* last state to be signed */
    uint64_t orders[IC_PLAYERS_MAX]; /* per player, for apm */
    uint64_t frames, keyframes, full_keyframes;
    uint64_t call_ns; /* when the current call began */
    uint64_t calls, longest_ns;
    uint32_t waits[IC_WAIT_BUCKETS];
    bool finished;

    /* both */
    ic_item *items;
    size_t capacity;
    _Atomic uint64_t given, taken; /* items so far: by the game, by the writing thread */
    rp_bell work, space;
    bool ready; /* bells and lock exist */
    atomic_bool closing;
    atomic_bool full_needed; /* a full keyframe was lost after it was accepted */
    _Atomic uint64_t lost_frames, lost_keyframes, lost_events, lost_voice;
    _Atomic uint64_t failed_writes, failed_syncs, bytes;

    /* both, under the lock, which the writing thread holds to exchange buffers only */
    rp_lock lock;
    rp_writer events;
    uint64_t event_count;
    ic_voice_queue *speakers;

    /* the writing thread */
    rp_thread thread;
    rp_journal *journal;
    reprise_error writing; /* of the current write */
    rp_writer block, record, raw, taken_events;
    rp_writer first; /* the keyframe of tick 0 until it is in the file */
    uint64_t block_tick;
    uint32_t block_frames;
    uint64_t written;      /* frames in the file */
    uint64_t full_written; /* tick of the last full keyframe in the file */
    bool any_full;
    uint64_t flushed_ns, synced_ns;
    bool unsynced;
    ic_hasher hasher;
    ic_to_sign *to_sign;
    size_t to_sign_count, to_sign_capacity;
    rp_writer chain; /* entries that are not in the file yet */
    uint32_t chain_count;
    uint64_t chain_tick, chain_written; /* of the last entry: its tick, and the frames before it */
    uint64_t chain_first;               /* tick of the first waiting one */
    uint8_t link[IC_HASH_SIZE];
    bool chain_broken; /* the signer failed: no more entries */
} ic_recorder;

/* record_thread.c */
void *ic_recorder_write(void *recorder);

/* How a recording ended. */
typedef struct ic_ending {
    uint64_t total_ticks;
    uint64_t lost;
    const uint8_t *final_hash;
    const reprise_value *metadata;
    const rp_writer *embedded; /* the section, or NULL */
    bool keeps_chain;          /* it is complete */
    rp_lz4_level level;
} ic_ending;

/* ironcurtain/container/finalise.c: rewrites a live recording in the finalised layout. */
reprise_status ic_finalise(rp_context *context, rp_source *live, const ic_ending *ending,
                           rp_sink *sink, reprise_error *error);

/* ---- recorder.c: reprise_recorder_... without the handle ---- */

reprise_status ic_recorder_init(ic_recorder *recorder, rp_context *context, const char *metadata,
                                const reprise_ic_recorder_options *options, reprise_error *error);
void ic_recorder_free(ic_recorder *recorder);
reprise_status ic_recorder_tick(ic_recorder *r, const ic_frame *frame, reprise_error *error);
reprise_status ic_recorder_keyframe(ic_recorder *r, const ic_snapshot *snapshot,
                                    reprise_error *error);
reprise_status ic_recorder_keyframe_bytes(ic_recorder *r, uint64_t tick, bool is_full,
                                          const void *bytes, size_t size, reprise_error *error);
reprise_status ic_recorder_event(ic_recorder *r, const reprise_ic_event *event,
                                 reprise_error *error);
reprise_status ic_recorder_voice(ic_recorder *r, uint32_t player, const ic_voice_frame *frame,
                                 reprise_error *error);
reprise_status ic_recorder_sign(ic_recorder *r, uint64_t tick, const uint8_t hash[IC_HASH_SIZE],
                                reprise_error *error);
/* Empties the queue and ends the thread; then writes the finished file to the sink. */
reprise_status ic_recorder_drain(ic_recorder *r, const uint8_t final_hash[IC_HASH_SIZE],
                                 reprise_error *error);
reprise_status ic_recorder_finish(ic_recorder *r, const char *metadata,
                                  const uint8_t final_hash[IC_HASH_SIZE], rp_sink *sink,
                                  reprise_error *error);
void ic_recorder_stats(ic_recorder *r, reprise_ic_recorder_stats *ret_stats);

#endif
