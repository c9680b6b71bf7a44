/*
 * verify_parts.h - finds the parts of a state that differ from the recorded one, by the leaves of
 * the state hash (reading rule 13).
 */
#ifndef IRONCURTAIN_READ_VERIFY_PARTS_H
#define IRONCURTAIN_READ_VERIFY_PARTS_H

#include "ironcurtain/ironcurtain.h"

enum { IC_PARTS_TEXT = 96 };

/*
 * Lists the labels of the leaves that differ between two states of one tick: core, rng, intern,
 * arch:NAME, players, map. `text` has the first ones; it is empty if none differs.
 */
reprise_status ic_differing_parts(rp_context *context, const ic_core *ours, const ic_core *recorded,
                                  rp_doc *doc, reprise_value *ret_list, char text[IC_PARTS_TEXT],
                                  reprise_error *error);

#endif
