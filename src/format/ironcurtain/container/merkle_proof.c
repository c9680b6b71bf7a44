/*
 * merkle_proof.c - .icproof files: one part of a signed state, the Merkle path to the state hash,
 * and the signature of that hash (specification, 10).
 */
#include "document.h"
#include "ironcurtain/read/read.h"
#include "sign.h"

enum { PROOF_HEAD = 8, PROOF_MAX = IC_UNIT_MAX };

static reprise_status check_head(rp_reader *r, reprise_error *error)
{
    if (!rp_match(r, "ICPF", 4))
        rp_fail(r, REPRISE_E_CORRUPT, "magic", "bad magic");
    unsigned version = rp_u16(r, "version"), reserved = rp_u16(r, "reserved");
    if (rp_ok(r) && version != 1)
        rp_fail(r, REPRISE_E_UNSUPPORTED, "version", "unknown version %u", version);
    if (rp_ok(r) && reserved)
        rp_fail(r, REPRISE_E_CORRUPT, "reserved", "reserved field is %u", reserved);
    return error->status;
}

reprise_status ic_proof_open(rp_replay *base, reprise_error *error)
{
    ic_proof_file *file = (ic_proof_file *)base;
    uint64_t size = rp_source_size(base->source);
    base->layout = "profile1";
    RP_TRY(rp_limit(size, PROOF_MAX, "proof", "decoded_bytes", error));
    uint8_t *data = rp_arena_alloc(&base->arena, (size_t)size, error);
    if (!data)
        return error->status;
    RP_TRY(rp_source_read(base->source, 0, data, (size_t)size, error));
    rp_reader r = rp_reader_of(data, (size_t)size, "file", error);
    RP_TRY(check_head(&r, error));
    rp_bincode_read(&r, &base->arena, &ic_proof_record, &file->proof);
    if (rp_ok(&r) && rp_left(&r))
        rp_fail(&r, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(&r));
    return error->status;
}

reprise_status ic_proof_info(rp_replay *base, rp_doc *doc, reprise_value *info,
                             reprise_error *error)
{
    const ic_proof *proof = &((const ic_proof_file *)base)->proof;
    rp_set(doc, info, "title",
           rp_new_format(doc, "%.*s of the state at tick %llu",
                         (int)RP_MIN(proof->leaf_label.size, (size_t)100), proof->leaf_label.data,
                         (unsigned long long)proof->tick));
    rp_set(doc, info, "header", rp_record_value(doc, &ic_proof_record, proof));
    return error->status;
}

bool ic_is_trusted(const rp_context *context, const uint8_t key[32])
{
    for (size_t i = 0; i < context->trusted_key_count; i++) {
        if (memcmp(context->trusted_keys + 32 * i, key, 32) == 0)
            return true;
    }
    return false;
}

/* Whether the relay signed this state hash. An invalid key has signed nothing. */
static reprise_status check_signature(ic_proof_file *file, const uint8_t root[IC_HASH_SIZE],
                                      bool *ret_valid, reprise_error *error)
{
    const ic_proof *proof = &file->proof;
    ic_tick_signature entry = {.tick = proof->tick, .skipped_ticks = proof->skipped_ticks};
    uint8_t message[IC_CHAIN_MESSAGE];
    memcpy(entry.state_hash, root, sizeof entry.state_hash);
    ic_chain_message(&entry, proof->prev_sig_hash, message);
    rp_ed25519_key *key = NULL;
    reprise_error no_key = REPRISE_ERROR_INIT;
    *ret_valid = false;
    if (rp_ed25519_key_public(file->base.context, proof->relay_public_key, &key, &no_key) ==
        REPRISE_OK)
        *ret_valid = rp_ed25519_key_verify(key, proof->relay_sig, message, sizeof message);
    else if (no_key.status == REPRISE_E_NOMEM || no_key.status == REPRISE_E_LIMIT)
        *error = no_key;
    rp_ed25519_key_free(key);
    return error->status;
}

reprise_status ic_proof_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                               reprise_error *error)
{
    ic_proof_file *file = (ic_proof_file *)base;
    ic_hasher hasher;
    RP_TRY(ic_hasher_init(&hasher, base->context, error));
    uint8_t leaf[IC_HASH_SIZE] = {0}, root[IC_HASH_SIZE] = {0};
    bool valid = ic_proof_root(&hasher, &file->proof, leaf, root);
    ic_hasher_free(&hasher);
    if (!valid)
        rp_fault(&base->findings, IC_PROOF_FINDING(PATH), REPRISE_E_CORRUPT, "file", PROOF_HEAD,
                 "siblings", "the path does not match leaf %u of %u", file->proof.leaf_index,
                 file->proof.leaf_count);
    if (valid) {
        RP_TRY(check_signature(file, root, &valid, error));
        if (!valid)
            rp_fault(&base->findings, IC_PROOF_FINDING(SIGNATURE), REPRISE_E_SIGNATURE, "file",
                     PROOF_HEAD, "relay_sig", "the relay did not sign this state");
    }
    bool trusted = ic_is_trusted(base->context, file->proof.relay_public_key);
    if (!trusted)
        rp_note(&base->findings, IC_PROOF_FINDING(KEY_UNTRUSTED), "file", PROOF_HEAD,
                "relay_public_key", "the relay's key is not trusted");
    rp_set_bool(doc, summary, "valid", valid);
    rp_set_bool(doc, summary, "key_trusted", trusted);
    rp_set(doc, summary, "leaf_hash", rp_new_hex(doc, leaf, sizeof leaf));
    rp_set(doc, summary, "root", rp_new_hex(doc, root, sizeof root));
    return error->status;
}

/* ---- one track: the path ---- */

const rp_track ic_proof_tracks[1] = {
    {.name = "siblings",
     .doc = "hashes from the leaf to the root",
     .kind = RP_TRACK_TABLE,
     .parts = {{NULL, &ic_hash_record, 0}},
     .part_count = 1},
};

reprise_status ic_proof_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    RP_UNUSED(decoder);
    return error->status;
}

reprise_status ic_proof_decode_next(rp_decoder *decoder, reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)decoder;
    const ic_proof *proof = &((const ic_proof_file *)decoder->replay)->proof;
    if (d->tables_done)
        return REPRISE_END;
    d->tables_done = true;
    for (size_t i = 0; i < proof->siblings.count; i++)
        RP_TRY(rp_emit(
            decoder,
            (rp_row){.data = (const ic_hash *)proof->siblings.items + i, .present = UINT64_MAX},
            error));
    return REPRISE_OK;
}

void ic_proof_decode_end(rp_decoder *decoder)
{
    RP_UNUSED(decoder);
}
