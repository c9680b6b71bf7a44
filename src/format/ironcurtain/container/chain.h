/* chain.h - the signature chain of a replay as one list, joined from all its records. */
#ifndef IRONCURTAIN_CONTAINER_CHAIN_H
#define IRONCURTAIN_CONTAINER_CHAIN_H

#include "ironcurtain/ironcurtain.h"

typedef struct ic_chain {
    const ic_tick_signature *entries;
    size_t count;
    size_t ascending; /* entries before the first whose tick does not ascend */
    uint8_t key[32];  /* the relay's public key, as stored in the file */
    bool key_changes; /* a key was read; live files repeat it in each record */
    rp_writer bytes;
} ic_chain;

enum { IC_KEY_SIZE = 32, IC_LONG_KEY_SIZE = 40 };
/* Whether the key in a signature section of this size has a length prefix. */
bool ic_key_has_length(uint64_t section_size);
/* Reads one record: the rest of the reader. */
void ic_signature_read(rp_reader *r, rp_arena *arena, ic_signature *ret);

/* Reads all signature records. The chain is empty if the replay is not signed. */
reprise_status ic_chain_load(ic_chain *chain, ic_replay *replay, reprise_error *error);
void ic_chain_free(ic_chain *chain); /* may be all zero */

#endif
