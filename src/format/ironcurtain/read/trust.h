/*
 * trust.h - what verifying a replay has established and what it has not (chapter 10). Signatures
 * cover hashes of states. Nothing else is signed, and the answer says so part by part.
 */
#ifndef IRONCURTAIN_READ_TRUST_H
#define IRONCURTAIN_READ_TRUST_H

#include "verify_orders.h"

typedef enum ic_checked {
    IC_NOT_CHECKED, /* damage kept the check from being made */
    IC_HOLDS,
    IC_FAILS,
} ic_checked;

typedef struct ic_trust {
    ic_replay *replay;
    const ic_chain *chain;
    bool is_signed;
    bool is_damaged;       /* reading stopped before everything was checked */
    ic_checked signatures; /* every signature, their order, the terminal one */
    ic_checked states;     /* keyframes and frames against each other and the signed hashes */
    ic_checked metadata;   /* what it repeats of signed states */
    uint64_t keyframes;    /* that were compared */
    bool signed_keyframe;  /* one is the state of a signed tick: seed and map are signed */
    bool knows_match;      /* the next two are known */
    uint64_t game_seed;
    uint8_t map_hash[IC_HASH_SIZE];
    uint64_t largest_distance;
    uint8_t chain_head[IC_HASH_SIZE];
    ic_replaying replaying;
} ic_trust;

/* Puts the answer into the summary, and notes among the findings. All faults must be there. */
void ic_trust_describe(const ic_trust *trust, rp_doc *doc, reprise_value *summary);

#endif
