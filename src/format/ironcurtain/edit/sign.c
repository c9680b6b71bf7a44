/*
 * sign.c - signs a finalised replay, and makes Merkle proofs of parts of signed states
 * (specification, 9 and 10).
 */
#include "sign.h"
#include "ironcurtain/container/chain.h"
#include "ironcurtain/container/schema_unknown.h"
#include "ironcurtain/read/can_simulate.h"
#include "json.h"
#include "write.h"

/* ---- proofs ---- */

/* The chain entry of a tick, and the link of the previous one. */
static reprise_status find_entry(ic_replay *replay, uint64_t tick, ic_proof *proof,
                                 uint8_t ret_hash[IC_HASH_SIZE], reprise_error *error)
{
    ic_chain chain;
    ic_hasher hasher = {0};
    size_t at = 0;
    reprise_status status = ic_chain_load(&chain, replay, error);
    if (status == REPRISE_OK)
        status = ic_hasher_init(&hasher, replay->base.context, error);
    for (; status == REPRISE_OK && at < chain.count && chain.entries[at].tick != tick; at++)
        ic_chain_advance(&hasher, &chain.entries[at], proof->prev_sig_hash);
    if (status == REPRISE_OK && at == chain.count) {
        status = rp_error_set(error, REPRISE_E_USAGE, "tick %llu is not signed",
                              (unsigned long long)tick);
    } else if (status == REPRISE_OK) {
        const ic_tick_signature *entry = &chain.entries[at];
        proof->skipped_ticks = entry->skipped_ticks;
        memcpy(proof->relay_sig, entry->relay_sig, sizeof proof->relay_sig);
        memcpy(proof->relay_public_key, chain.key, sizeof proof->relay_public_key);
        memcpy(ret_hash, entry->state_hash, IC_HASH_SIZE);
    }
    ic_hasher_free(&hasher);
    ic_chain_free(&chain);
    return status;
}

static reprise_status find_leaf(const ic_hasher *hasher, const char *label, size_t *ret_index,
                                reprise_error *error)
{
    size_t size = strlen(label);
    for (size_t i = 0; i < hasher->leaf_count; i++) {
        const rp_text *name = &hasher->leaves[i].label;
        if (name->size == size && memcmp(name->data, label, size) == 0) {
            *ret_index = i;
            return REPRISE_OK;
        }
    }
    return rp_error_set(error, REPRISE_E_USAGE,
                        "the state has no part '%s'; core, rng, intern, players, map and arch:NAME "
                        "are parts",
                        label);
}

/* Copies the path because encoding the leaf data reuses the hasher. */
static reprise_status fill_leaf(ic_hasher *hasher, const ic_core *core, const char *label,
                                rp_arena *arena, ic_proof *proof, reprise_error *error)
{
    size_t index = 0;
    rp_list path;
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_state_hash(hasher, core, hash, error));
    RP_TRY(find_leaf(hasher, label, &index, error));
    RP_TRY(ic_leaf_path(hasher, index, &path, error));
    ic_hash *copy = rp_arena_array(arena, path.count, sizeof *copy, error);
    if (!copy)
        return error->status;
    memcpy(copy, path.items, path.count * sizeof *copy);
    proof->leaf_label = (rp_text){label, strlen(label)};
    proof->leaf_index = (uint32_t)index;
    proof->leaf_count = (uint32_t)hasher->leaf_count;
    proof->siblings = (rp_list){copy, path.count};
    return ic_leaf_data(hasher, core, index, &proof->leaf_data, error);
}

static reprise_status prove_state(ic_decoder *d, uint64_t tick, const char *label, ic_proof *proof,
                                  rp_arena *arena, rp_writer *out, reprise_error *error)
{
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(find_entry(d->replay, tick, proof, hash, error));
    reprise_moment moment = {.by_index = true, .index = (int64_t)tick};
    RP_TRY(ic_decode_seek(&d->base, moment, error));
    if (d->target.unplayable)
        return rp_error_set(
            error, REPRISE_E_UNSUPPORTED,
            "tick %llu is between keyframes, and the replay cannot be simulated here: %s",
            (unsigned long long)tick, d->target.unplayable);
    if (d->target.stopped)
        return rp_error_set(
            error, REPRISE_E_TRUNCATED,
            "the state of tick %llu is not known: the frame of tick %llu is missing",
            (unsigned long long)tick, (unsigned long long)d->target.stopped_at);
    if (d->driver.simulation.calls && !ic_simulation_has_snapshots(&d->driver.simulation) &&
        !d->target.exact)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "the simulation does not provide snapshots");
    if (!d->target.exact)
        return rp_error_set(error, REPRISE_E_CORRUPT,
                            "the re-simulated state of tick %llu differs from the recorded one",
                            (unsigned long long)tick);
    if (memcmp(hash, d->target.hash, sizeof hash) != 0)
        return rp_error_set(error, REPRISE_E_SIGNATURE,
                            "the state of tick %llu is not the one that was signed",
                            (unsigned long long)tick);
    proof->tick = tick;
    RP_TRY(fill_leaf(&d->loader.hasher, &d->target.core, label, arena, proof, error));
    rp_put(out, "ICPF", 4);
    rp_put_u16(out, 1);
    rp_put_u16(out, 0);
    rp_bincode_write(out, &ic_proof_record, proof);
    return error->status;
}

reprise_status ic_prove(ic_replay *replay, uint64_t tick, const char *label, rp_writer *out,
                        reprise_error *error)
{
    rp_selection nothing = {0};
    rp_decoder *decoder = NULL;
    ic_proof proof = {0};
    rp_arena arena;
    RP_TRY(rp_decoder_open(&replay->base, nothing, &decoder, error));
    rp_arena_init(&arena, replay->base.context);
    reprise_status status = prove_state((ic_decoder *)decoder, tick, label, &proof, &arena, out,
                                        error);
    rp_arena_free(&arena);
    rp_decoder_close(decoder);
    return status;
}

/* ---- signing ---- */

typedef struct signer {
    ic_replay *replay;
    rp_ed25519_key *key;
    ic_hasher hasher;
    rp_arena arena;
    rp_writer chain;
    uint64_t count, cadence;
    uint8_t link[IC_HASH_SIZE];
    reprise_error *error;
} signer;

static reprise_status add_entry(signer *s, uint64_t tick, const uint8_t hash[IC_HASH_SIZE])
{
    ic_tick_signature entry = {.tick = tick};
    uint8_t message[IC_CHAIN_MESSAGE];
    memcpy(entry.state_hash, hash, IC_HASH_SIZE);
    ic_chain_message(&entry, s->link, message);
    RP_TRY(rp_ed25519_key_sign(s->key, message, sizeof message, entry.relay_sig, s->error));
    ic_chain_advance(&s->hasher, &entry, s->link);
    rp_bincode_write(&s->chain, &ic_tick_signature_record, &entry);
    s->count++;
    return s->error->status;
}

/* Signs the current state if its tick is due; it must be the recorded one. */
static reprise_status sign_step(signer *s, ic_driver *d)
{
    ic_comparison found;
    if (!d->tick || d->tick % s->cadence)
        return REPRISE_OK;
    RP_TRY(ic_driver_compare(d, &found, s->error));
    if (!found.same)
        return rp_error_set(s->error, REPRISE_E_CORRUPT,
                            "tick %llu: the re-simulated state differs from the recorded one",
                            (unsigned long long)d->tick);
    return add_entry(s, d->tick, found.hash);
}

static reprise_status sign_frames(signer *s, ic_driver *d)
{
    const ic_frame *frame = NULL;
    RP_TRY(ic_driver_restore(d, 0, s->error));
    while (d->tick < s->replay->total_ticks) {
        RP_TRY(ic_driver_frame(d, &frame, s->error));
        if (!frame)
            return rp_error_set(s->error, REPRISE_E_TRUNCATED, "the frame of tick %llu is missing",
                                (unsigned long long)d->tick);
        RP_TRY(sign_step(s, d));
        RP_TRY(ic_driver_play(d, frame, s->error));
    }
    return add_entry(s, s->replay->total_ticks, s->replay->header.final_state_hash);
}

static reprise_status fill_parts(signer *s, ic_section_writer *parts)
{
    ic_replay *replay = s->replay;
    rp_doc doc = {.arena = &s->arena, .error = s->error};
    reprise_value *metadata = rp_new_object(&doc);
    for (size_t i = 0; i < reprise_value_count(replay->metadata); i++) {
        const char *key = reprise_value_key(replay->metadata, i);
        rp_set(&doc, metadata, key,
               strcmp(key, "signed") == 0 ? rp_new_bool(&doc, true)
                                          : rp_copy(&doc, reprise_value_at(replay->metadata, i)));
    }
    rp_json_write(&parts->of[IC_METADATA], metadata,
                  &(rp_json_format){.indent = 1, .exact_integers = true});
    for (size_t i = IC_ORDERS; i < IC_SECTION_COUNT; i++) {
        if (i != IC_SIGNATURE)
            ic_section_writer_keep(parts, replay, (ic_section_kind)i);
    }
    parts->header = replay->header;
    parts->header.flags = replay->flags | IC_SIGNED;
    rp_put_u64(&parts->of[IC_SIGNATURE], s->count);
    rp_put(&parts->of[IC_SIGNATURE], s->chain.data, s->chain.size);
    uint8_t key[RP_ED25519_KEY];
    RP_TRY(rp_ed25519_key_public_bytes(s->key, key, s->error));
    rp_put(&parts->of[IC_SIGNATURE], key, sizeof key);
    return s->error->status;
}

static reprise_status run_signer(signer *s, rp_sink *sink)
{
    ic_driver driver;
    reprise_status status = ic_drive_replay(&driver, s->replay, s->error);
    if (status == REPRISE_OK)
        status = sign_frames(s, &driver);
    ic_driver_close(&driver);
    RP_TRY(status);
    ic_section_writer parts;
    rp_arena_reset(&s->arena);
    ic_section_writer_init(&parts, s->replay->base.context, sink, s->error);
    status = fill_parts(s, &parts);
    if (status == REPRISE_OK)
        status = ic_section_writer_write(&parts, sink, s->error);
    ic_section_writer_free(&parts);
    return status;
}

reprise_status ic_sign(ic_replay *replay, const uint8_t secret[32], uint64_t cadence, rp_sink *sink,
                       reprise_error *error)
{
    if (replay->live || replay->imported || ic_flag(replay, IC_SIGNED | IC_INCOMPLETE) ||
        !replay->total_ticks)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "only a finished, complete and unsigned replay of at least one tick "
                            "can be signed");
    if (!cadence)
        return rp_error_set(error, REPRISE_E_USAGE, "the cadence of signatures must not be 0");
    RP_TRY(ic_decode_all(replay, error));
    RP_TRY(ic_require_playable(replay, error));
    signer s = {.replay = replay, .cadence = cadence, .error = error};
    rp_arena_init(&s.arena, replay->base.context);
    rp_writer_init(&s.chain, replay->base.context, UINT32_MAX, error);
    reprise_status status = ic_hasher_init(&s.hasher, replay->base.context, error);
    if (status == REPRISE_OK)
        status = rp_ed25519_key_private(replay->base.context, secret, &s.key, error);
    if (status == REPRISE_OK)
        status = run_signer(&s, sink);
    rp_ed25519_key_free(s.key);
    ic_hasher_free(&s.hasher);
    rp_writer_free(&s.chain);
    rp_arena_free(&s.arena);
    return status;
}
