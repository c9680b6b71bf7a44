/* read.h - the state of a match while it is being read; shared by the files that read frames. */
#ifndef RUMBLE_READ_H
#define RUMBLE_READ_H

#include "rumble.h"

/* What the last frame that named an object stored of it. */
typedef struct rumble_last_write {
    uint64_t step;    /* which step of the decoder that was */
    uint64_t present; /* for rows that are given later; the others have it themselves */
} rumble_last_write;

/* One kind of object that keeps its state: players, structures, pedestals, props. */
typedef struct rumble_objects {
    void *states; /* count structs */
    size_t size;  /* of one */
    uint32_t count;
    uint32_t track;
    bool shown;                     /* an object gets its row when a frame names it */
    rumble_last_write *last_writes; /* per object */
} rumble_objects;

enum { RUMBLE_OBJECT_KINDS = 4 };

/* Room for the state of any object. */
typedef union rumble_any_state {
    rumble_player player;
    rumble_structure structure;
    rumble_pedestal pedestal;
    rumble_prop prop;
} rumble_any_state;

typedef struct rumble_decoder {
    rp_decoder base;
    const rumble_wire *wire;
    bool plain;         /* layout L1: states without tags */
    size_t quick_reach; /* what a frame of those takes at most; 0: none is read quickly */
    rp_window window;
    rp_sha256 *hash;   /* of the stream, if it is wanted */
    uint8_t *inflated; /* RGZP in one piece, or NULL */
    size_t inflated_size;
    bool tables_done;
    bool stopped;    /* at a moment, by a seek that has read nothing after it */
    bool read_ahead; /* the next step was done by that seek */
    size_t rows_ahead;
    bool needs_frames; /* the selected tracks have rows in frames */
    uint32_t frame;    /* the next one */
    float time, first_time;
    bool from_start;       /* the first frame was read */
    uint64_t step;         /* counts frames read, seeking or not */
    rp_row *row;           /* where the next one goes; there is room for what a frame may give */
    rumble_frame about;    /* row of the frames track */
    uint64_t about_offset; /* of that frame in the stream */
    uint8_t *states;       /* all objects in one block, so that a checkpoint is one copy */
    size_t states_size;
    rumble_objects objects[RUMBLE_OBJECT_KINDS]; /* by chunk type; props are the last */
    size_t object_count;                         /* of all kinds */
    rumble_event *events;
    uint64_t *event_present;
    size_t event_count, event_capacity;
    rumble_extension *extensions;
    size_t extension_count, extension_capacity;
    rumble_marker *markers; /* of the manifest, or made from the events of this frame */
    size_t marker_count, marker_capacity;
    rumble_voice voice;
    rp_writer *texts;    /* copies of visual data, one per player, while streaming */
    uint8_t *before;     /* salvage: the states before the frame being read */
    uint32_t lost;       /* salvage: frames that were stepped over, as far as they can be counted */
    bool gap;            /* salvage: bytes were left out that held an unknown number of frames */
    uint32_t fixed_size; /* salvage: the size of the next frame, if the one it states is wrong */
    uint64_t budget;     /* salvage: bytes that may still be looked at in search of a frame */
} rumble_decoder;

enum { RUMBLE_PROP_OBJECTS = 3 }; /* place of props in `objects` */

/* Legacy states: structures in the order of their record, players in this one. */
enum { RUMBLE_L1_STRUCTURE_FIELDS = 4, RUMBLE_L1_PLAYER_FIELDS = 10 };
extern const uint8_t rumble_l1_player_order[RUMBLE_L1_PLAYER_FIELDS];

/* A row of the frame being read. */
static inline rp_row rumble_row(const rumble_decoder *d, uint32_t track, const void *data,
                                uint64_t present)
{
    return (rp_row){.track = track,
                    .index = (int64_t)d->frame,
                    .time = (double)d->time,
                    .present = present,
                    .data = data};
}

/* Where the next row goes and what all rows of a frame share, for loops to keep in registers. */
typedef struct rumble_row_cursor {
    rp_row *row;
    int64_t index;
    double time;
    uint64_t step;
    uint32_t changed; /* objects so far */
} rumble_row_cursor;

static inline rumble_row_cursor rumble_row_cursor_of(const rumble_decoder *d)
{
    return (rumble_row_cursor){d->row, (int64_t)d->frame, (double)d->time, d->step, 0};
}

static inline void rumble_keep_row_cursor(rumble_decoder *d, rumble_row_cursor cursor)
{
    d->row = cursor.row;
}

/* The same object again in a frame: its row, somewhere before `end`, gets what both stored. */
void rumble_note_second_write(rp_row *end, const rumble_objects *objects, uint32_t index,
                              uint64_t present) __attribute__((cold));

/* Notes that the frame being read stored fields of an object, and gives its row. */
static inline void rumble_note_write(rumble_row_cursor *cursor, const rumble_objects *objects,
                                     uint32_t index, const void *state, uint64_t present)
{
    rumble_last_write *write = &objects->last_writes[index];
    if (__builtin_expect(write->step == cursor->step, 0)) {
        rumble_note_second_write(cursor->row, objects, index, present);
        return;
    }
    write->step = cursor->step;
    if (!objects->shown) {
        write->present = present;
        return;
    }
    rp_row_set(cursor->row++,
               (rp_row){objects->track, index, cursor->index, cursor->time, present, state});
}

/* Sets up states and wire for a decoder whose window the caller then provides. */
reprise_status rumble_decoder_init(rumble_decoder *d, reprise_error *error);
/* Opens the stream and steps over what comes before the first frame. */
reprise_status rumble_open_frames(rumble_decoder *d, reprise_error *error);
/* Checks the checksum of all bytes of a stream that was read in part. */
reprise_status rumble_check_stream(rumble_replay *replay, rp_window *window, reprise_error *error);
/* The time of the next frame, or of the one after it. False if there is none. */
bool rumble_frame_time(rumble_decoder *d, bool after, float *ret_time, reprise_error *error);
/* Reads the next frame into states and rows. REPRISE_END after the last. */
reprise_status rumble_step(rumble_decoder *d, reprise_error *error);

/* ---- read_entries.c, read_legacy.c: the content of a frame ---- */

/* Time and entries of a ZIP layout's frame. */
reprise_status rumble_read_entries(rumble_decoder *d, rp_reader *frame);
/* Steps over the objects of an RGZP frame. */
void rumble_skip_legacy_objects(const rumble_decoder *d, rp_reader *r);
/* How many bytes must be in reach for reading an L1 frame quickly. */
uint64_t rumble_quick_reach(const rumble_decoder *d);
/* A step over a well-written L1 frame. False: nothing was given, and rumble_step must do it. */
bool rumble_quick_step(rumble_decoder *d);
/* Time and objects of an RGZP frame. */
void rumble_read_legacy_frame(rumble_decoder *d, rp_reader *r);

/* ---- recover.c ---- */

/* The same for a damaged replay: steps over damage, and ends where nothing more can be had. */
reprise_status rumble_recover_step(rumble_decoder *d, reprise_error *error);

/* ---- read_rows.c ---- */

/* Whether the selected tracks have rows in frames at all. */
bool rumble_needs_frames(const rumble_decoder *d);
/* Makes room for the rows of at most that many objects, and one. */
bool rumble_more_rows(rumble_decoder *d, size_t most, reprise_error *error);

/* Adds the row of the frame and makes room for those of at most that many objects. */
static inline bool rumble_begin_rows(rumble_decoder *d, size_t most, reprise_error *error)
{
    if (d->base.batch.capacity <= d->object_count && !rumble_more_rows(d, most, error))
        return false;
    d->row = d->base.batch.rows;
    if (rp_selected(&d->base, RUMBLE_FRAMES))
        rp_row_set(d->row++, rumble_row(d, RUMBLE_FRAMES, &d->about, UINT64_MAX));
    return true;
}

/* Adds the rows that only a frame read to its end can give. */
reprise_status rumble_late_rows(rumble_decoder *d, reprise_error *error);

static inline reprise_status rumble_end_rows(rumble_decoder *d, reprise_error *error)
{
    d->base.batch.count = (size_t)(d->row - d->base.batch.rows);
    bool late = d->event_count || d->extension_count || d->base.selection.dense;
    return late ? rumble_late_rows(d, error) : REPRISE_OK;
}

#endif
