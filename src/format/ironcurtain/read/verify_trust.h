/*
 * verify_trust.h - reports what verification has established, part by part (specification, 10).
 * Signatures cover state hashes and nothing else.
 */
#ifndef IRONCURTAIN_READ_VERIFY_TRUST_H
#define IRONCURTAIN_READ_VERIFY_TRUST_H

#include "verify_orders.h"

typedef enum ic_checked {
    IC_NOT_CHECKED, /* the check was impossible because of damage */
    IC_HOLDS,
    IC_FAILS,
} ic_checked;

typedef struct ic_trust {
    ic_replay *replay;
    const ic_chain *chain;
    bool is_signed;
    bool is_damaged;       /* reading stopped before everything was checked */
    ic_checked signatures; /* all signatures, their order, and the terminal one */
    ic_checked states;     /* keyframes, frames and signed hashes agree */
    ic_checked metadata;   /* agrees with the signed states */
    uint64_t keyframes;    /* number compared */
    bool signed_keyframe;  /* a keyframe has a signed tick, so seed and map are signed */
    bool knows_match;      /* the next two are known */
    uint64_t game_seed;
    uint8_t map_hash[IC_HASH_SIZE];
    uint64_t largest_distance;
    uint8_t chain_head[IC_HASH_SIZE];
    ic_replaying replaying;
} ic_trust;

/*
 * Adds the report to the summary, and notes to the findings. Call it after all faults were added.
 */
void ic_trust_describe(const ic_trust *trust, rp_doc *doc, reprise_value *summary);

#endif
