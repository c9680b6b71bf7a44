/* desync.h - which part of a state is not the recorded one: the leaves of its hash, one by one. */
#ifndef IRONCURTAIN_READ_DESYNC_H
#define IRONCURTAIN_READ_DESYNC_H

#include "ironcurtain/ironcurtain.h"

enum { IC_PARTS_TEXT = 96 };

/*
 * The labels of the leaves that differ between two states of one tick, in the order of the hash:
 * core, rng, intern, arch:NAME, players, map. A text of the first ones; empty if none differs.
 */
reprise_status ic_differing_parts(rp_context *context, const ic_core *ours, const ic_core *recorded,
                                  rp_doc *doc, reprise_value *ret_list, char text[IC_PARTS_TEXT],
                                  reprise_error *error);

#endif
