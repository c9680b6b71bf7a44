/* read.h - the state of a decoder; shared by the files read*.c. */
#ifndef OPENRA_READ_H
#define OPENRA_READ_H

#include "openra.h"

/* The last frame with orders of each client. */
typedef struct ora_seen {
    struct {
        int32_t client, frame;
    } clients[ORA_CLIENTS_SEEN];
    size_t count;
} ora_seen;

typedef struct ora_decoder {
    rp_decoder base;
    ora_cursor cursor;
    ora_cursor scout; /* looks ahead for packets that close a chunk */
    bool scout_open;
    uint64_t closing_offset; /* of the last such packet */
    int32_t closing_frame;
    rp_arena step;        /* memory of this step's rows */
    size_t resume;        /* bytes of the current packet that earlier steps decoded */
    int32_t only_frame;   /* after a seek: the frame to give; else -1 */
    uint64_t stop_offset; /* no packet from here on is of that frame */
    bool done;
    reprise_error failure; /* of the order being read; empty between orders */
    ora_seen seen;
    uint8_t *list; /* sums that are in no packet */
    size_t list_size, list_at;
    bool list_done;
} ora_decoder;

/* ---- read.c ---- */

/* Whether a packet ends what a client sent for a frame. */
bool ora_closes_chunk(const ora_wire *packet);
/* Notes the frame of a packet that does. */
void ora_see_orders(ora_decoder *d, const ora_wire *packet);
/* The frame that shows a packet without a frame of its own. */
reprise_status ora_shown_frame(ora_decoder *d, const ora_wire *packet, int32_t *ret_frame,
                               reprise_error *error);
/* The frame of a packet: its own, or for an immediate packet the frame that shows it. */
static inline reprise_status ora_packet_frame(ora_decoder *d, const ora_wire *packet,
                                              int32_t *ret_frame, reprise_error *error)
{
    *ret_frame = packet->frame;
    bool leaves = packet->kind == ORA_KIND_DISCONNECT && packet->frame == ORA_FRAME_NOW;
    return packet->frame > 0 && !leaves ? REPRISE_OK : ora_shown_frame(d, packet, ret_frame, error);
}

/* ---- read_sync_hashes.c ---- */

/* Gives a step of rows from the list, after the last packet. d->list_done: there are no more. */
reprise_status ora_emit_list(ora_decoder *d, reprise_error *error);

/* ---- read_rows.c ---- */

rp_row ora_row_at(const ora_decoder *d, uint32_t track, int32_t frame, const void *data,
                  uint64_t present);

/*
 * `frame` is the row's place in time: the packet's own frame, or for an immediate packet the one
 * that shows it.
 */
reprise_status ora_emit_packet(ora_decoder *d, const ora_wire *packet, int32_t frame, bool damaged,
                               reprise_error *error);
reprise_status ora_emit_sync(ora_decoder *d, ora_wire *packet, reprise_error *error);
reprise_status ora_emit_disconnect(ora_decoder *d, ora_wire *packet, int32_t frame,
                                   reprise_error *error);
/*
 * Decodes the orders of a packet from d->resume to its end, or until the step is full: then
 * d->resume is where to continue. A malformed order ends the packet and sets *ret_damaged.
 */
reprise_status ora_emit_orders(ora_decoder *d, const ora_wire *packet, int32_t frame,
                               bool *ret_damaged, reprise_error *error);

#endif
