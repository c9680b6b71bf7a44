/* read.h - the state of a match while it is being read; shared by read.c and seek.c. */
#ifndef RUMBLE_READ_H
#define RUMBLE_READ_H

#include "rumble.h"

/* One kind of object that keeps its state: players, structures, pedestals, props. */
typedef struct rumble_objects {
    void *states; /* count structs */
    size_t size;  /* of one */
    uint32_t count;
    uint64_t *present; /* per object: fields stored in this frame */
    uint32_t *touched; /* objects the frame names, in order, each once */
    uint32_t touched_count;
} rumble_objects;

enum { RUMBLE_OBJECT_KINDS = 4 };

typedef struct rumble_decoder {
    rp_decoder base;
    const rumble_wire *wire;
    rp_window window;
    uint8_t *inflated; /* RGZP in one piece, or NULL */
    size_t inflated_size;
    bool tables_done;
    uint32_t frame; /* the next one */
    float time;
    rumble_frame about; /* row of the frames track */
    uint8_t *states;    /* all objects in one block, so that a checkpoint is one copy */
    size_t states_size;
    rumble_objects objects[RUMBLE_OBJECT_KINDS]; /* by chunk type; props are the last */
    rumble_event *events;
    uint64_t *event_present;
    size_t event_count, event_capacity;
    rumble_extension *extensions;
    size_t extension_count, extension_capacity;
    rumble_marker *markers; /* of the manifest, or made from the events of this frame */
    size_t marker_count, marker_capacity;
    rumble_voice voice;
    rp_writer *texts; /* copies of visual data, one per player, while streaming */
    uint8_t *before;  /* salvage: the states before the frame being read */
    uint32_t lost;    /* salvage: frames that were stepped over */
} rumble_decoder;

enum { RUMBLE_PROP_OBJECTS = 3 }; /* place of props in `objects` */

/* Legacy states: structures in the order of their record, players in this one. */
enum { RUMBLE_L1_STRUCTURE_FIELDS = 4, RUMBLE_L1_PLAYER_FIELDS = 10 };
extern const uint8_t rumble_l1_player_order[RUMBLE_L1_PLAYER_FIELDS];

/* Room for one more item of a list that belongs to a frame; NULL with the error set. */
void *rumble_grow(rp_context *context, void *items, size_t count, size_t *capacity,
                  size_t item_size, reprise_error *error);
/* Sets up states and wire for a decoder whose window the caller then provides. */
reprise_status rumble_decoder_init(rumble_decoder *d, reprise_error *error);
/* Reads the next frame into the states without giving rows. REPRISE_END after the last. */
reprise_status rumble_step(rumble_decoder *d, reprise_error *error);

/* ---- salvage.c ---- */

/* The same for a damaged replay: steps over damage, and ends where nothing more can be had. */
reprise_status rumble_salvage_step(rumble_decoder *d, reprise_error *error);

#endif
