/*
 * delta_base.h - the base of new delta keyframes: the last full state, and the last campaign and
 * script state stored (specification, 6.5).
 *
 * A keyframe is encoded first and accepted later: one that never reaches the file must not become
 * the base of others.
 */
#ifndef IRONCURTAIN_WIRE_DELTA_BASE_H
#define IRONCURTAIN_WIRE_DELTA_BASE_H

#include "state.h"

typedef struct ic_full_state {
    rp_writer bytes;
    rp_arena arena;
    ic_snapshot snapshot; /* decoded from the bytes */
    uint8_t hash[IC_HASH_SIZE];
} ic_full_state;

typedef struct ic_delta_base {
    ic_hasher hasher;
    rp_arena scratch;
    bool known;               /* a full state was accepted */
    ic_full_state full, next; /* next: not accepted yet */
    bool next_is_full;
    rp_writer campaign, script;           /* stored last */
    rp_writer next_campaign, next_script; /* not accepted yet */
} ic_delta_base;

reprise_status ic_delta_base_init(ic_delta_base *baseline, rp_context *context,
                                  reprise_error *error);
void ic_delta_base_free(ic_delta_base *baseline); /* may be all zero */

/*
 * Appends an encoded keyframe to `out`: the full state, or the delta to the last full one. The
 * state is checked.
 */
reprise_status ic_delta_base_encode(ic_delta_base *baseline, const ic_snapshot *snapshot,
                                    bool is_full, rp_writer *out, reprise_error *error);
/* The keyframe encoded last is in the file or will be: makes it the base. */
void ic_delta_base_accept(ic_delta_base *baseline);

#endif
