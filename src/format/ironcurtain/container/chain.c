/* chain.c - see chain.h. */
#include "chain.h"

bool ic_key_has_length(uint64_t section_size)
{
    enum { COUNT = 8 };
    return section_size >= COUNT + IC_LONG_KEY_SIZE &&
           (section_size - COUNT - IC_LONG_KEY_SIZE) % IC_TICK_SIGNATURE_SIZE == 0;
}

/* A widely used library serialises keys as bytes with a length prefix. */
void ic_signature_read(rp_reader *r, rp_arena *arena, ic_signature *ret)
{
    bool has_length = ic_key_has_length(rp_left(r));
    rp_record chain = ic_signature_record, key = ic_signature_record;
    chain.count = ic_signature_F_relay_public_key;
    key.fields += ic_signature_F_relay_public_key;
    key.count -= ic_signature_F_relay_public_key;
    rp_bincode_read(r, arena, &chain, ret);
    uint64_t length = has_length ? rp_u64(r, "relay_public_key") : IC_KEY_SIZE;
    if (rp_ok(r) && length != IC_KEY_SIZE)
        rp_fail(r, REPRISE_E_CORRUPT, "relay_public_key", "a key of %llu bytes, not 32",
                (unsigned long long)length);
    if (rp_ok(r))
        rp_bincode_read(r, arena, &key, ret);
    if (rp_ok(r) && rp_left(r))
        rp_fail(r, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(r));
}

static reprise_status add_record(ic_chain *chain, const rp_writer *stored, rp_arena *arena,
                                 bool is_first, reprise_error *error)
{
    ic_signature part = {0};
    rp_reader r = rp_reader_of(stored->data, stored->size, "signature", error);
    ic_signature_read(&r, arena, &part);
    RP_TRY(error->status);
    rp_put(&chain->bytes, part.chain.items, part.chain.count * sizeof(ic_tick_signature));
    chain->count += part.chain.count;
    chain->key_changes |= !is_first &&
                          memcmp(chain->key, part.relay_public_key, sizeof chain->key) != 0;
    memcpy(chain->key, part.relay_public_key, sizeof chain->key);
    return error->status;
}

static reprise_status add_records(ic_chain *chain, ic_replay *replay, reprise_error *error)
{
    const ic_pieces *pieces = &replay->pieces[IC_SIGNATURE];
    rp_writer stored;
    rp_arena arena;
    rp_writer_init(&stored, replay->base.context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&arena, replay->base.context);
    for (size_t i = 0; i < pieces->count && error->status == REPRISE_OK; i++) {
        rp_arena_reset(&arena);
        if (ic_piece_decode(replay, &pieces->items[i], "signature", &stored, error) == REPRISE_OK)
            (void)add_record(chain, &stored, &arena, i == 0, error);
    }
    rp_arena_free(&arena);
    rp_writer_free(&stored);
    return error->status;
}

reprise_status ic_chain_load(ic_chain *chain, ic_replay *replay, reprise_error *error)
{
    *chain = (ic_chain){0};
    RP_TRY(ic_index(replay, error));
    rp_writer_init(&chain->bytes, replay->base.context, SIZE_MAX / 2, error);
    RP_TRY(add_records(chain, replay, error));
    chain->entries = (const void *)chain->bytes.data;
    while (chain->ascending < chain->count &&
           (!chain->ascending ||
            chain->entries[chain->ascending].tick > chain->entries[chain->ascending - 1].tick))
        chain->ascending++;
    return REPRISE_OK;
}

void ic_chain_free(ic_chain *chain)
{
    if (chain->bytes.context)
        rp_writer_free(&chain->bytes);
    *chain = (ic_chain){0};
}
