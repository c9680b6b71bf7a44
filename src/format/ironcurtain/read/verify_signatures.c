/*
 * verify_signatures.c - see verify_signatures.h. Each message contains the link of the previous
 * entry, so one thread makes the messages; they are checked independently.
 */
#include "verify_signatures.h"

#include "checked.h"
#include "workers.h"

enum { BATCH_ENTRIES = 16, BATCHES = 16 };

typedef struct batch {
    const rp_ed25519_key *key;
    const ic_tick_signature *entries;
    size_t count;
    bool *valid;
    uint8_t messages[BATCH_ENTRIES][IC_CHAIN_MESSAGE];
} batch;

static void check_batch(void *ctx, void *slot)
{
    RP_UNUSED(ctx);
    batch *b = slot;
    for (size_t i = 0; i < b->count; i++)
        b->valid[i] = b->key && rp_ed25519_key_verify(b->key, b->entries[i].relay_sig,
                                                      b->messages[i], IC_CHAIN_MESSAGE);
}

/* Makes the messages of the entries from `first` on. */
static void fill(batch *b, ic_hasher *hasher, const ic_chain *chain, size_t first, bool *valid,
                 uint8_t head[IC_HASH_SIZE])
{
    b->entries = chain->entries + first;
    b->count = RP_MIN(chain->count - first, (size_t)BATCH_ENTRIES);
    b->valid = valid + first;
    for (size_t i = 0; i < b->count; i++) {
        ic_chain_message(&b->entries[i], head, b->messages[i]);
        ic_chain_advance(hasher, &b->entries[i], head);
    }
}

static void check_all(rp_workers *workers, ic_hasher *hasher, const ic_chain *chain,
                      const rp_ed25519_key *key, size_t known, bool *valid,
                      uint8_t head[IC_HASH_SIZE])
{
    for (size_t first = known; first < chain->count; first += BATCH_ENTRIES) {
        batch *b = rp_workers_empty(workers);
        if (!b) {
            (void)rp_workers_take(workers);
            b = rp_workers_empty(workers);
        }
        b->key = key;
        fill(b, hasher, chain, first, valid, head);
        rp_workers_give(workers);
    }
    while (rp_workers_take(workers))
        continue;
}

reprise_status ic_verify_signatures(ic_hasher *hasher, const ic_chain *chain,
                                    const rp_ed25519_key *key, size_t known, bool *ret_valid,
                                    uint8_t ret_head[IC_HASH_SIZE], reprise_error *error)
{
    rp_context *context = hasher->context;
    rp_workers *workers = NULL;
    if (!ret_valid)
        known = chain->count;
    for (size_t i = 0; i < known; i++) {
        ic_chain_advance(hasher, &chain->entries[i], ret_head);
        if (ret_valid)
            ret_valid[i] = true;
    }
    if (known == chain->count)
        return REPRISE_OK;
    batch *batches = rp_alloc_zero(context, BATCHES, sizeof *batches, error);
    if (!batches)
        return error->status;
    if (rp_workers_open(context, check_batch, NULL, batches, sizeof *batches, BATCHES, BATCHES / 2,
                        &workers, error) == REPRISE_OK)
        check_all(workers, hasher, chain, key, known, ret_valid, ret_head);
    rp_workers_close(workers);
    rp_free(context, batches, BATCHES * sizeof *batches);
    return error->status;
}
