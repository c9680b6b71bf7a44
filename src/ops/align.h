/*
 * align.h - finds by how much the frames and times of one recording differ from those of another
 * recording of the same event, such as a copy that was trimmed and counts from its own start.
 */
#ifndef RP_ALIGN_H
#define RP_ALIGN_H

#include "format.h"

/* What to add to frames or ticks, and to times, of the second recording. */
typedef struct rp_shift {
    int64_t index;
    double time;
} rp_shift;

/* The shift of one object of a track: in some formats each has frames of its own length. */
typedef struct rp_object_shift {
    uint32_t track, object;
    rp_shift shift;
} rp_object_shift;

typedef struct rp_alignment {
    bool shifted;   /* some shift is not 0 */
    uint32_t track; /* the one with most pairs that are shifted, and their shift */
    rp_shift shown;
    rp_shift tracks[RP_TRACKS_MAX];
    rp_object_shift *objects; /* sorted; for others the shift of the track holds */
    size_t object_count;
} rp_alignment;

/*
 * Looks for rows that occur once in each recording, and takes the shift that most of them agree on;
 * not shifted if there are none. Decodes both recordings. Memory does not grow with them: of many
 * rows it keeps those whose checksum ends with zeros, which are the same ones in both.
 */
reprise_status rp_align(rp_replay *a, rp_replay *b, uint64_t tracks, rp_alignment *ret_alignment,
                        reprise_error *error);

void rp_alignment_free(rp_context *context, rp_alignment *alignment);

/* Moves the rows of a batch of the second recording. */
void rp_align_batch(const rp_alignment *alignment, const rp_format *format, rp_batch *batch);

#endif
