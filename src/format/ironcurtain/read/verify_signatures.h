/* verify_signatures.h - checks the signatures of a chain, in several threads if there are any. */
#ifndef IRONCURTAIN_READ_VERIFY_SIGNATURES_H
#define IRONCURTAIN_READ_VERIFY_SIGNATURES_H

#include "ironcurtain/container/chain.h"
#include "sign.h"

/*
 * Sets `ret_valid` for each entry, unless it is NULL, and `ret_head` to the end of the chain. The
 * first `known` signatures are valid and are not checked. A key of NULL makes no other one valid.
 */
reprise_status ic_verify_signatures(ic_hasher *hasher, const ic_chain *chain,
                                    const rp_ed25519_key *key, size_t known, bool *ret_valid,
                                    uint8_t ret_head[IC_HASH_SIZE], reprise_error *error);

#endif
