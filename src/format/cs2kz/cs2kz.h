/*
 * cs2kz.h - what the files of this directory share: an open CS2KZ replay, its layout, its sections.
 *
 * Two generations of headers (fixed structs, protobuf) come before the same compressed sections.
 * read_header.c turns both into one kz_header, read_layout.c tells the nine layouts apart and finds
 * the sections, read_section.c opens one, read.c decodes them.
 */
#ifndef CS2KZ_H
#define CS2KZ_H

#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "skip_reader.h"
#include "window.h"

enum { KZ_TYPE_MANUAL, KZ_TYPE_CHEATER, KZ_TYPE_RUN, KZ_TYPE_JUMP, KZ_TYPE_COUNT };
enum { KZ_EVENT_TIMER, KZ_EVENT_MODE, KZ_EVENT_STYLE, KZ_EVENT_TELEPORT, KZ_EVENT_COUNT };
enum {
    KZ_TIMER_START,
    KZ_TIMER_END,
    KZ_TIMER_STOP,
    KZ_TIMER_PAUSE,
    KZ_TIMER_RESUME,
    KZ_TIMER_SPLIT,
    KZ_TIMER_CHECKPOINT,
    KZ_TIMER_STAGE,
};
enum { KZ_ENTITY_ON_GROUND = 1, KZ_FLAG_DUCKED = 2, KZ_MOVE_WALK = 2 };
enum {
    KZ_MOVE_SIZE = 24,
    KZ_MOVE_AIM = 8, /* offset of pitch and yaw delta in the data of a move */
    KZ_EVENT_SIZE = 172,
    KZ_ITEM_SIZE = 360,
    KZ_ATTRIBUTES_MAX = 32,
    KZ_STYLES_MAX = 64,
    KZ_HEADER_SIZE_MAX = 5242880,
    KZ_SECTION_HEADER_SIZE = 12,
};

typedef enum kz_section_kind {
    KZ_SECTION_TICKS,
    KZ_SECTION_TICK_MOVES,
    KZ_SECTION_WEAPONS,
    KZ_SECTION_WEAPON_EVENTS,
    KZ_SECTION_WEAPON_CHANGES,
    KZ_SECTION_JUMPS,
    KZ_SECTION_EVENTS,
    KZ_SECTION_COMMANDS,
    KZ_SECTION_COMMAND_MOVES,
    KZ_SECTION_COUNT
} kz_section_kind;

extern const char *const kz_section_names[KZ_SECTION_COUNT];

/* How a layout is written: everything readers and writers must know. */
typedef struct kz_wire {
    const char *name;
    bool structs;                       /* fixed struct header, else protobuf */
    uint32_t version;                   /* as stored */
    bool first_weapon;                  /* the header has the weapon at the start */
    bool inner_counts;                  /* weapon sections repeat their count inside */
    bool in_place;                      /* moves follow their tick or command (layout P) */
    unsigned weapon_bit;                /* change bit of the weapon in ticks, 0 if there is none */
    uint8_t group_bits[KZ_GROUP_COUNT]; /* first change bit of each group in ticks, 0: none */
    unsigned slots;                     /* moves per subtick entry; 0 with in_place */
    unsigned call_size;                 /* bytes of an air-acceleration call */
    bool button_view;                   /* view changes are in button moves, else in analog moves */
    bool forgetful; /* its game forgets checkpoints, and starts with random vectors */
    unsigned section_count;
    uint8_t sections[8]; /* kinds in the order of the file */
} kz_wire;

enum {
    KZ_PRE_BIT = 10,
    KZ_POST_BIT = 24,
    KZ_CHECKPOINT_BIT = 38,
    KZ_WEAPON_BIT = 39,
    KZ_WIRE_COUNT = 9,
};
extern const kz_wire kz_wires[KZ_WIRE_COUNT];

typedef struct kz_section {
    bool there;
    bool cut;             /* the file ends inside */
    uint64_t offset;      /* of its header in the file */
    uint32_t stored_size; /* what the file has of it */
    uint32_t size, count; /* as announced */
} kz_section;

/* What the timer showed at a tick, as an event says, and whether it was paused there. */
typedef struct kz_reading {
    uint32_t tick;
    bool paused;
    double time;
} kz_reading;

enum { KZ_READINGS_MAX = 1024 };

/* The run itself: from the last timer start before the last timer end. */
typedef struct kz_run_span {
    bool known;
    uint32_t start_tick, end_tick;
    float time; /* as the end event says */
    size_t pause_count;
    size_t reading_count; /* in order: ticks rise, and so do times */
    kz_reading readings[KZ_READINGS_MAX];
} kz_run_span;

typedef struct kz_replay {
    rp_replay base;
    const kz_wire *wire;
    kz_header header;
    uint64_t header_present; /* bit per field of kz_header */
    uint64_t header_size;    /* where the first section begins */
    bool magic_capital;
    kz_section sections[KZ_SECTION_COUNT];
    reprise_error damage; /* why the sections after this are missing */
    uint64_t trailing;
    kz_run_span run;
    bool run_read;
    reprise_error run_damage;   /* of the events, which the run is read from */
    bool seek_done;             /* there was a seek */
    struct kz_seek *seek;       /* made by the second one, or by a first that met damage */
    struct kz_checker *checker; /* while the replay is verified */
} kz_replay;

/* ---- read_header.c ---- */

/* Reads a header of either generation and sets wire, header and header_size. */
reprise_status kz_open_header(kz_replay *replay, reprise_error *error);

/* ---- grammar_layouts.c ---- */

const kz_wire *kz_wire_find(const char *name);
/* The layout of a generation and version, NULL if there is none. */
const kz_wire *kz_wire_of(bool structs, uint32_t version);

/* ---- read_layout.c ---- */

/* Capital magic is layout P, or a struct layout with a warning (rule 3). */
void kz_resolve_capital_magic(kz_replay *replay);
/* Finds the sections; damage is kept for readers of the missing ones. */
void kz_find_sections(kz_replay *replay);

/* ---- read_section.c ---- */

/* A section being read: the decompressed bytes and how far it is. */
typedef struct kz_section_reader {
    const kz_replay *replay;
    kz_section_kind kind;
    const kz_section *section;
    rp_window window;
    bool skips;
    rp_skip_reader skip_reader; /* instead of the window, in sections that are mostly skipped */
    uint32_t next;              /* number of the next element */
} kz_section_reader;

/* Opens a section after checking its numbers against each other. */
reprise_status kz_section_reader_open(kz_replay *replay, kz_section_kind kind,
                                      kz_section_reader *reader, reprise_error *error);
/* The same for callers that want every byte: nothing is skipped. */
reprise_status kz_section_reader_open_whole(kz_replay *replay, kz_section_kind kind,
                                            kz_section_reader *reader, reprise_error *error);
void kz_section_reader_close(kz_section_reader *reader);
/* Whether a section is there, or should be: only commands may be missing, which was noted. */
bool kz_has_section(const kz_replay *replay, kz_section_kind kind);
/* Subtick sections: a reader on the next n bytes, stepping over bytes. */
reprise_status kz_section_reader_read(kz_section_reader *reader, size_t n, rp_reader *ret_reader,
                                      reprise_error *error);
reprise_status kz_section_reader_skip(kz_section_reader *reader, size_t n, reprise_error *error);
/* The others: gets n bytes in reach of the window, or says why not. */
reprise_status kz_section_reader_need(kz_section_reader *reader, size_t n, reprise_error *error);
/* How many announced bytes are not read yet. */
uint64_t kz_section_reader_left(const kz_section_reader *reader);
/* After the last element: nothing may be left, and the size must be as announced. */
reprise_status kz_section_reader_finish(kz_section_reader *reader, reprise_error *error);
/* The decompressed content of a section, for searching. REPRISE_END: no such index. */
reprise_status kz_stream_open(rp_replay *replay, size_t index, rp_stream **ret_stream,
                              reprise_error *error);
/* Refuses a section: `what` is one of the words the documentation lists. */
reprise_status kz_refuse(const kz_section_reader *reader, reprise_status status, const char *what,
                         reprise_error *error, const char *format, ...) REPRISE_PRINTF(5, 6);

/* ---- read_items.c: weapons, jumps and events ---- */

/* A fixed array of text: up to its NUL, or all of it. Copied into the arena. */
rp_text kz_read_text(rp_reader *r, size_t size, rp_arena *arena, const char *what);
/* The main part of an item and its number of attributes, refused when out of range. */
int32_t kz_read_item(rp_reader *r, rp_arena *arena, kz_item *ret_item);
void kz_read_attribute(rp_reader *r, kz_attribute *ret_attribute);
/* Gives the fields that mean something for this type as presence bits. */
uint64_t kz_read_event(rp_reader *r, rp_arena *arena, kz_event *ret_event);

/* ---- analyse_run.c ---- */

/*
 * Reads the run from the events; does nothing the second time. Damaged events are no failure: the
 * run is then what the events before the damage say, and `run_damage` must be reported with it.
 */
reprise_status kz_find_run(kz_replay *replay, reprise_error *error);
/* Seconds on the timer at a tick; NaN outside the run. */
double kz_run_time_at(const kz_run_span *run, uint32_t tick);
/* The same for ticks that follow each other: the reading of one is mostly that of the next. */
double kz_run_time_near(const kz_run_span *run, uint32_t tick, size_t *reading);
/* The same for many ticks. */
void kz_run_times(const kz_run_span *run, const uint32_t *ticks, size_t count, double *ret_times);
/* Timers at the last split, checkpoint and stage of an attempt, by what they are. */
typedef struct kz_splits {
    double last[KZ_TIMER_STAGE - KZ_TIMER_SPLIT + 1];
} kz_splits;
/* Seconds since the one of the same kind before, or since the start; NaN for other events. */
double kz_split_section(kz_splits *splits, const kz_event *event);
reprise_status kz_run_moment(rp_replay *replay, double timer, double *ret_time,
                             reprise_error *error);

/* ---- read.c, read_rows.c, read_seek.c ---- */

reprise_status kz_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status kz_decode_next(rp_decoder *decoder, reprise_error *error);
reprise_status kz_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void kz_decode_end(rp_decoder *decoder);
void kz_seek_free(kz_replay *replay);

/* ---- info.c, scene.c, stats.c, verify.c ---- */

reprise_status kz_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                        reprise_error *error);

/* redact.c: what is private, by value. */
#define KZ_PRIVATE_TRACKS                                                                \
    (UINT64_C(1) << KZ_TICKS | UINT64_C(1) << KZ_SUBTICKS | UINT64_C(1) << KZ_COMMANDS | \
     UINT64_C(1) << KZ_COMMAND_SUBTICKS | UINT64_C(1) << KZ_WEAPONS |                    \
     UINT64_C(1) << KZ_WEAPON_ATTRIBUTES | UINT64_C(1) << KZ_EVENTS | UINT64_C(1) << KZ_JUMPS)
reprise_status kz_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
void kz_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);
reprise_status kz_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status kz_info(rp_replay *replay, rp_doc *doc, reprise_value *info, reprise_error *error);
extern const rp_summary kz_summary;
reprise_status kz_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error);
reprise_status kz_verify_begin(rp_replay *replay, reprise_error *error);
void kz_verify_batch(rp_replay *replay, const rp_batch *batch);
void kz_verify_free(kz_replay *replay);
reprise_status kz_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error);

#endif
