/* read.h - the decoder of replays and saves: one cursor per kind of piece, merged by tick. */
#ifndef IRONCURTAIN_READ_READ_H
#define IRONCURTAIN_READ_READ_H

#include "ironcurtain/live/driver.h"

/* Pieces of one kind, decoded one after the other. */
typedef struct ic_cursor {
    ic_section_kind kind;
    size_t next; /* piece to decode next */
    rp_writer bytes;
    rp_arena arena; /* of the items of this step */
    rp_reader reader;
    uint64_t left; /* items left in this piece */
    uint64_t tick; /* of the waiting item */
    bool waiting;  /* an item is decoded but not emitted */
    bool ended;
} ic_cursor;

/* The tick of the last seek, and the state found for it. */
typedef struct ic_seek_target {
    bool pending; /* the next step emits it */
    uint64_t tick;
    bool reached;           /* `core` is the state of the tick, else that of the keyframe */
    bool exact;             /* and a keyframe or a hash of the file confirms it */
    bool stopped;           /* a frame before it is missing */
    const char *unplayable; /* why the replay cannot be simulated, or NULL */
    uint64_t stopped_at;
    ic_core core; /* memory of the simulation or of the loader */
    uint8_t hash[IC_HASH_SIZE];
} ic_seek_target;

typedef struct ic_decoder {
    rp_decoder base;
    ic_replay *replay; /* NULL for a save */
    bool tables_done;
    rp_arena rows; /* what the rows of this step point to */
    ic_loader loader;
    size_t keyframe; /* next */
    uint32_t strings_given;
    ic_cursor frames, events, voice, signatures;
    ic_frame frame;
    uint64_t frame_expected; /* tick after the last frame */
    uint64_t missing;        /* frames that are missing */
    bool frames_from_start;  /* no frame was skipped by a seek */
    rp_choice event;
    rp_arena event_arenas[2]; /* the next event is in one while rows still point into the other */
    unsigned event_turn;
    bool event_decoded;    /* since the turn changed */
    uint64_t event_tick;   /* of the last event; event ticks must be non-decreasing */
    uint64_t event_number; /* of the next event, counted from the first of the replay */
    ic_voice voices;
    size_t *voice_at;  /* per track: the next frame */
    size_t voice_from; /* track of the waiting frame */
    ic_signature signature;
    size_t signature_at;
    uint64_t step_tick;
    ic_match match;   /* this replay as one that can be played */
    ic_driver driver; /* of seeks; borrows `match` */
    ic_seek_target target;
    reprise_error
        unknown; /* the first part of unknown types; returned after everything else was emitted */
    /* saves */
    ic_save_state save;
    bool save_done;
} ic_decoder;

/* ---- read.c ---- */

/* Decode the next item of a cursor. */
reprise_status ic_next_frame(ic_decoder *d, reprise_error *error);
/* Advances to the first frame at or after a tick. */
reprise_status ic_reach_frame(ic_decoder *d, uint64_t tick, reprise_error *error);
reprise_status ic_next_event(ic_decoder *d, reprise_error *error);
/* Moves the events to where an earlier seek has been, if that is before a tick. */
reprise_status ic_place_events(ic_decoder *d, uint64_t tick, reprise_error *error);
reprise_status ic_next_voice(ic_decoder *d, reprise_error *error);
reprise_status ic_next_signature(ic_decoder *d, reprise_error *error);
/* Skips the waiting voice frame. */
void ic_drop_voice(ic_decoder *d);
/* Releases the memory that rows of the last step point to. */
void ic_forget_rows(ic_decoder *d);

/* ---- read_match.c ---- */

/* Describes the replay of a decoder. */
void ic_match_init(ic_match *match, ic_decoder *decoder);
/* Opens a decoder of ticks and other tracks; closing the match closes it. */
reprise_status ic_match_open(ic_replay *replay, uint64_t tracks, ic_match **ret_match,
                             reprise_error *error);
/* A driver for a replay and the simulation that its context provides. */
reprise_status ic_drive_replay(ic_driver *driver, ic_replay *replay, reprise_error *error);

/* ---- read_seek.c ---- */

/* Loads the last keyframe at or before a tick; its frame comes next. */
reprise_status ic_seek_keyframe(ic_decoder *d, uint64_t target, reprise_error *error);
/*
 * Moves events, voice and signatures to a tick. They have no index, so the first seek reads from
 * the start.
 */
reprise_status ic_seek_others(ic_decoder *d, uint64_t tick, reprise_error *error);
/* Emits the step after a seek. */
reprise_status ic_step_seek(ic_decoder *d, reprise_error *error);

/* ---- read_rows.c ---- */

/* Rows of a state: everything, or what a delta changed. */
typedef struct ic_state_view {
    const ic_core *core;
    const ic_core_delta *delta; /* NULL: all of the state is stored */
    const ic_core *before;      /* with a delta: its baseline */
    const ic_campaign *campaign;
    const ic_script *script;
} ic_state_view;
reprise_status ic_emit_state(ic_decoder *d, const ic_state_view *view, reprise_error *error);
reprise_status ic_emit_keyframe(ic_decoder *d, const ic_piece *piece, reprise_error *error);
/* Emits the state of a save like a keyframe. */
reprise_status ic_emit_save(ic_decoder *d, reprise_error *error);
reprise_status ic_emit_frame(ic_decoder *d, const ic_frame *frame, reprise_error *error);
reprise_status ic_emit_resources(ic_decoder *d, reprise_error *error);
rp_row ic_row(const ic_decoder *d, uint32_t track, const void *data);
/* The text of an interned id; empty if there is none. */
rp_text ic_name(const ic_core *core, uint64_t id);

/* ---- ironcurtain/wire/orders.c ---- */

/* Fails if a player has more than 256 orders in a frame. */
reprise_status ic_frame_count_check(const ic_frame *frame, rp_context *context,
                                    reprise_error *error);
/*
 * Checks the limits of orders in a frame: 256 per player, 4096 bytes each. Warns of long chat
 * texts.
 */
reprise_status ic_frame_check(ic_replay *replay, const ic_frame *frame, rp_context *context,
                              reprise_error *error);
/* The payload of a GameOrder, or NULL if its tag is unknown or the payload cannot be decoded. */
void *ic_game_order_decode(const ic_game_order *order, rp_arena *arena, reprise_error *error);
/* Reads a complete frame and checks the size of each order. */
void ic_frame_read(rp_reader *r, rp_arena *arena, ic_frame *ret);

#endif
