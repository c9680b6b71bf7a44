/* chain.h - the signature chain of a replay as one list, whatever records it came in. */
#ifndef IRONCURTAIN_CONTAINER_CHAIN_H
#define IRONCURTAIN_CONTAINER_CHAIN_H

#include "ironcurtain/ironcurtain.h"

typedef struct ic_chain {
    const ic_tick_signature *entries;
    size_t count;
    size_t ascending; /* entries before the first whose tick does not rise */
    uint8_t key[32];  /* the relay's, as the file gives it */
    bool key_changes; /* live files repeat the key in each record */
    rp_writer bytes;  /* the memory of the entries */
} ic_chain;

enum { IC_KEY_SIZE = 32, IC_LONG_KEY_SIZE = 40 };
/* Whether the key of a signature section of this size has its own length before it. */
bool ic_key_has_length(uint64_t section_size);
/* One record: all that is left of the reader. */
void ic_signature_read(rp_reader *r, rp_arena *arena, ic_signature *ret);

/* Reads all signature records. The chain is empty if the replay is not signed. */
reprise_status ic_chain_load(ic_chain *chain, ic_replay *replay, reprise_error *error);
void ic_chain_free(ic_chain *chain); /* also if it is all zero */

#endif
