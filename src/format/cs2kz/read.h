/* read.h - the state of a recording while it is being read; shared by the files that read. */
#ifndef CS2KZ_READ_H
#define CS2KZ_READ_H

#include "cs2kz.h"
#include "prefetch.h"

/* Ticks or commands of one step: enough that what a step costs does not matter. */
enum { KZ_BATCH = 256 };

typedef enum kz_phase {
    KZ_PHASE_STYLES,
    KZ_PHASE_WEAPONS,
    KZ_PHASE_WEAPON_EVENTS,
    KZ_PHASE_TICKS,
    KZ_PHASE_JUMPS,
    KZ_PHASE_EVENTS,
    KZ_PHASE_COMMANDS,
    KZ_PHASE_END,
    KZ_PHASE_MOMENT, /* after a seek: one tick with all that belongs to it */
} kz_phase;

/* The moves inside the ticks or commands of one step. */
typedef struct kz_moves {
    kz_move *items;
    size_t count, capacity;
    size_t start[KZ_BATCH + 1]; /* of each tick's moves */
} kz_moves;

typedef struct kz_entries kz_entries;

typedef struct kz_decoder {
    rp_decoder base;
    const kz_wire *wire;
    kz_phase phase;
    bool open; /* the phase has begun */
    kz_section_reader reader;
    kz_entries *entries; /* of subticks, if they are wanted and have their own section */
    size_t count;        /* ticks or commands of this step */
    kz_tick *ticks;      /* the first is the last one of the step before */
    kz_command *commands;
    uint64_t masks[KZ_BATCH + 1];
    kz_moves literal;      /* layout P: those after their ticks or commands */
    const kz_moves *moves; /* of this step: these, or those of the entries */
    rp_arena scratch;      /* texts and rows of this step */
    rp_arena moment;       /* rows of a moment */
    size_t moment_row;
    size_t rows_ahead;        /* of the moment, which the seek has already read; 0: none */
    struct kz_table *table;   /* layout P: the weapons met so far */
    uint64_t unknown_bits;    /* all flags of one-word records; the known ones are masked later */
    uint64_t unknown_literal; /* layout P: only the unknown flags of its three words */
    reprise_error pending;    /* reported after the rows before it */
} kz_decoder;

/* ---- read_ticks.c ---- */

/* The state before the first tick or command. */
void kz_first_tick(const kz_wire *wire, kz_tick *ret_tick);
/* The state before the first command. */
void kz_first_command(kz_command *ret_command);
/*
 * Reads at most `max` ticks or commands, by the reader's section, into the array after its first
 * element. On failure `count` is the number of complete ones. Masks have the bits of all other
 * layouts also for layout P.
 */
reprise_status kz_read_records(kz_decoder *d, size_t max, reprise_error *error);
/* Change bits to presence bits of the track. */
uint64_t kz_tick_present(const kz_wire *wire, uint64_t mask);
/* The bits that mean something in a layout. */
uint64_t kz_tick_bits(const kz_wire *wire);

/* ---- read_moves.c ---- */

/* Copies moves from the reader. */
reprise_status kz_take_moves(rp_context *context, kz_moves *moves, rp_reader *r, size_t count,
                             reprise_error *error);
void kz_moves_free(rp_context *context, kz_moves *moves);

/* A subtick section, read in steps of KZ_BATCH entries, perhaps ahead of who takes them. */
reprise_status kz_entries_open(kz_replay *replay, kz_section_kind kind, kz_entries **ret_entries,
                               reprise_error *error);
void kz_entries_close(kz_entries *entries);
/*
 * The next step, which must begin with entry `first` and have at least `count` of them unless the
 * data is damaged: gives how many are complete and sets the error if these are fewer. The moves are
 * valid until the next step.
 */
size_t kz_entries_next(kz_entries *entries, rp_findings *findings, uint32_t first, size_t count,
                       const kz_moves **ret_moves, reprise_error *error);
/* After the last entry: see kz_section_reader_finish. */
reprise_status kz_entries_finish(kz_entries *entries, reprise_error *error);

/* ---- read.c ---- */

/* Closes what the phase has open. */
void kz_close_phase(kz_decoder *d);

/* ---- read_rows.c ---- */

reprise_status kz_step_styles(kz_decoder *d, bool *ret_done, reprise_error *error);
/* Ticks with their subticks, or commands with theirs. */
reprise_status kz_step_records(kz_decoder *d, bool *ret_done, reprise_error *error);

/* Notes change bits without a meaning in the records read so far. */
void kz_note_unknown_bits(kz_decoder *d);

/* ---- read_seek.c ---- */

/* Ticks with their moves, and commands with theirs. */
typedef struct kz_side {
    kz_section_kind section;
    kz_phase phase;
    uint32_t records, moves; /* tracks */
} kz_side;
extern const kz_side kz_sides[2];

reprise_status kz_emit_moment(kz_decoder *d, reprise_error *error);

/* ---- read_moment.c ---- */

/*
 * Records that are searched after a moment, one minute of them. A recording made of several, or one
 * with a wrong number, has earlier ticks after later ones; a minute of later ones ends the search.
 */
enum { KZ_MINUTE = 64 * 60 };

/*
 * Reads up to a moment and a minute further; the decoder's batch then has the rows. Not found: the
 * recording has no such moment or is damaged, and nothing has happened.
 */
reprise_status kz_find_moment(kz_decoder *d, reprise_moment moment, bool *ret_found,
                              reprise_error *error);
/* A copy that lives as long as the moment. */
void *kz_moment_copy(kz_decoder *d, const void *from, size_t size, reprise_error *error);
/*
 * Jumps, events and weapon changes of a tick. Damage is noted: the lost ones may be of it, too.
 */
reprise_status kz_emit_happenings(kz_decoder *d, int64_t tick, reprise_error *error);
/* ---- read_tables.c ---- */

reprise_status kz_step_weapons(kz_decoder *d, bool *ret_done, reprise_error *error);
reprise_status kz_step_weapon_events(kz_decoder *d, bool *ret_done, reprise_error *error);
reprise_status kz_step_jumps(kz_decoder *d, bool *ret_done, reprise_error *error);
reprise_status kz_step_events(kz_decoder *d, bool *ret_done, reprise_error *error);
void kz_table_free(kz_decoder *d);

static inline double kz_time_of(uint32_t tick)
{
    return (double)tick * (double)KZ_TICK_SECONDS;
}

#endif
