/*
 * test_ic_trust.c - the conformance checklist of docs/spec/ironcurtain.md, section 20, as far as it
 * concerns trust: chains of signatures, trusted keys, proofs. Numbers in test names are its items.
 */
#include "ic_fixture.h"
#include "sign.h"

static void checklist_19__chains_are_checked_entry_by_entry(void **state)
{
    (void)state;
    expect_refused("bad/sig-hash.icrep", "entry 3 (tick 120): signature invalid");
    expect_refused("bad/sig-hash.icrep", "entry 3 (tick 120): frame hash does not match");
    expect_refused("bad/sig-bytes.icrep", "entry 2 (tick 90): signature invalid");
    expect_refused("bad/sig-no-terminal.icrep", "terminal tick is not signed");
    expect_refused("bad/sig-final.icrep", "final_state_hash differs");
    expect_refused("bad/frame-hash.icrep", "tick 300: keyframe state does not match frame hash");
}

static void checklist_20__skipped_ticks_verify_but_are_not_ranked(void **state)
{
    (void)state;
    file f = load("lost-frames.icrep");
    verdict *v = judge(f.data, f.size);
    assert_non_null(strstr(v->summary, "\"problems\":[]"));
    assert_non_null(strstr(v->summary, "\"ranked_verifiable\":false"));
    free(v);
    free(f.data);
}

/* Signs the entries of a finalised file again; keeps only the last one if `terminal_only`. */
static file resign(world *x, const file *f, const uint8_t secret[32], bool terminal_only,
                   uint8_t ret_key[32])
{
    uint32_t offset = rp_load32(f->data + 40), size = rp_load32(f->data + 44);
    rp_reader r = rp_reader_of(f->data + offset, size, "signature", &x->error);
    ic_signature chain = {0};
    rp_bincode_read(&r, &x->arena, &ic_signature_record, &chain);
    assert_int_equal(x->error.status, REPRISE_OK);
    ic_tick_signature *entries = chain.chain.items;
    if (terminal_only) {
        entries[0] = entries[chain.chain.count - 1];
        chain.chain.count = 1;
    }
    rp_ed25519_key *key = NULL;
    ic_hasher hasher;
    uint8_t link[IC_HASH_SIZE] = {0};
    assert_int_equal(rp_ed25519_key_private(&x->context, secret, &key, &x->error), REPRISE_OK);
    assert_int_equal(ic_hasher_init(&hasher, &x->context, &x->error), REPRISE_OK);
    for (size_t i = 0; i < chain.chain.count; i++) {
        uint8_t message[IC_CHAIN_MESSAGE];
        ic_chain_message(&entries[i], link, message);
        assert_int_equal(
            rp_ed25519_key_sign(key, message, sizeof message, entries[i].relay_sig, &x->error),
            REPRISE_OK);
        ic_chain_advance(&hasher, &entries[i], link);
    }
    assert_int_equal(rp_ed25519_key_public_bytes(key, chain.relay_public_key, &x->error),
                     REPRISE_OK);
    memcpy(ret_key, chain.relay_public_key, 32);
    ic_hasher_free(&hasher);
    rp_ed25519_key_free(key);
    rp_writer_clear(&x->w);
    rp_bincode_write(&x->w, &ic_signature_record, &chain);
    file out = {malloc(f->size), f->size};
    memcpy(out.data, f->data, f->size);
    memcpy(out.data + offset, x->w.data, x->w.size);
    rp_store32(out.data + 44, (uint32_t)x->w.size);
    return out;
}

static bool says_trusted(const file *f, const uint8_t *keys, size_t count)
{
    TEST_OPTIONS(options);
    reprise_options_set_trusted_keys(options, keys, count, NULL);
    verdict *v = judge_with(f->data, f->size, options);
    assert_false(refused(v));
    assert_non_null(strstr(v->summary, "\"ranked_verifiable\":true"));
    bool trusted = strstr(v->summary, "\"key_trusted\":true") != NULL;
    free(v);
    return trusted;
}

static void checklist_21__trust_comes_from_outside(void **state)
{
    (void)state;
    static const uint8_t secret[32] = {1, 2, 3};
    file f = load("cadence-45.icrep");
    world x;
    open_world(&x, NULL, 0);
    uint8_t keys[2][32], made[32];
    uint32_t offset = rp_load32(f.data + 40), size = rp_load32(f.data + 44);
    memset(keys[0], 9, 32);
    memcpy(keys[1], f.data + offset + size - 32, 32);
    assert_false(says_trusted(&f, NULL, 0));
    assert_false(says_trusted(&f, keys[0], 1));
    assert_true(says_trusted(&f, keys[0], 2));
    for (size_t i = 0; i < sizeof keys[1]; i++) {
        keys[1][i] ^= 0x10;
        assert_false(says_trusted(&f, keys[1], 1));
        keys[1][i] ^= 0x10;
    }
    file other = resign(&x, &f, secret, false, made);
    assert_false(says_trusted(&other, keys[0], 2));
    assert_true(says_trusted(&other, made, 1));
    free(other.data);
    close_world(&x);
    free(f.data);
}

/* An entry has 108 bytes: skipped ticks, tick, state hash, signature. The key is at the end. */
static void checklist_19__no_byte_of_a_chain_may_change(void **state)
{
    (void)state;
    enum { ENTRY = 108, COUNT = 8, KEY = 32 };
    file f = load("cadence-45.icrep");
    uint32_t offset = rp_load32(f.data + 40), size = rp_load32(f.data + 44);
    assert_true(rp_load64(f.data + offset) > 1);
    for (size_t i = 0; i < ENTRY + KEY; i++) {
        size_t at = i < ENTRY ? offset + COUNT + ENTRY + i : offset + size - KEY + (i - ENTRY);
        f.data[at] ^= 0x20;
        verdict *v = judge(f.data, f.size);
        if (!refused(v))
            fail_msg("byte %zu of the second entry and the key", i);
        free(v);
        f.data[at] ^= 0x20;
    }
    expect_sound(f.data, f.size);
    free(f.data);
}

/* Compares two files; returns which of them are said to be damaged: 1, 2 or both. */
static int damaged_in_diff(const file *a, const file *b)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_diff_options options = REPRISE_DIFF_INIT;
    reprise_replay *left = NULL, *right = NULL;
    const reprise_value *report = NULL;
    bool equal = false;
    assert_int_equal(reprise_open_memory(a->data, a->size, NULL, &left, &error), REPRISE_OK);
    assert_int_equal(reprise_open_memory(b->data, b->size, NULL, &right, &error), REPRISE_OK);
    assert_int_equal(reprise_diff(left, right, &options, &equal, &report, &error), REPRISE_OK);
    int found = reprise_damage(left, NULL) | (reprise_damage(right, NULL) ? 2 : 0);
    reprise_close(right);
    reprise_close(left);
    return found;
}

/* Signatures that both files have are checked once, those of only one must not pass for checked. */
static void checklist_19__a_broken_chain_is_found_beside_a_sound_one(void **state)
{
    (void)state;
    enum { ENTRY = 108, COUNT = 8, KEY = 32, SIGNATURE = 44, STATE = 12 };
    static const uint8_t secret[32] = {3, 1, 2};
    file f = load("cadence-45.icrep"), broken = load("cadence-45.icrep");
    uint32_t offset = rp_load32(f.data + 40), size = rp_load32(f.data + 44);
    uint64_t entries = rp_load64(f.data + offset);
    assert_int_equal(damaged_in_diff(&f, &f), 0);
    for (uint64_t i = 0; i < entries; i++) {
        size_t places[] = {offset + COUNT + i * ENTRY + SIGNATURE + 7,
                           offset + COUNT + i * ENTRY + STATE + 7, offset + size - KEY + 7};
        for (size_t k = 0; k < RP_COUNT(places); k++) {
            broken.data[places[k]] ^= 0x20;
            assert_int_equal(damaged_in_diff(&f, &broken), 2);
            assert_int_equal(damaged_in_diff(&broken, &f), 1);
            assert_int_equal(damaged_in_diff(&broken, &broken), 3);
            broken.data[places[k]] ^= 0x20;
        }
    }
    /* The same entries, signed with another key. */
    world x;
    uint8_t key[32];
    open_world(&x, NULL, 0);
    file other = resign(&x, &f, secret, false, key);
    assert_int_equal(damaged_in_diff(&f, &other), 0);
    memcpy(other.data + offset + COUNT, f.data + offset + COUNT, entries * ENTRY);
    assert_int_equal(damaged_in_diff(&f, &other), 2);
    assert_int_equal(damaged_in_diff(&other, &f), 1);
    close_world(&x);
    free(other.data);
    free(broken.data);
    free(f.data);
}

static void checklist_22__no_byte_of_a_proof_may_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(proofs); i++) {
        file f = load(proofs[i]);
        expect_sound(f.data, f.size);
        /*
         * Another index or count may have the same path: the signature covers everything but these
         * two.
         */
        size_t label = (size_t)rp_load64(f.data + 16);
        size_t place = 24 + label + 8 + (size_t)rp_load64(f.data + 24 + label);
        for (size_t at = 0; at < f.size; at++) {
            if (at >= place && at < place + 8)
                continue;
            f.data[at] ^= 0x04;
            verdict *v = judge(f.data, f.size);
            assert_true(refused(v));
            free(v);
            f.data[at] ^= 0x04;
        }
        free(f.data);
    }
}

/* Writes the proof with other siblings and returns whether it is refused. */
static bool refuses_siblings(world *x, const ic_proof *proof, const ic_hash *siblings, size_t count)
{
    ic_proof other = *proof;
    other.siblings = (rp_list){(void *)(uintptr_t)siblings, count};
    rp_writer_clear(&x->w);
    rp_put(&x->w, "ICPF\1\0\0\0", 8);
    rp_bincode_write(&x->w, &ic_proof_record, &other);
    verdict *v = judge(x->w.data, x->w.size);
    bool is_refused = refused(v);
    free(v);
    return is_refused;
}

static void checklist_22__a_proof_has_all_siblings_and_no_more(void **state)
{
    (void)state;
    enum { SIBLINGS_MAX = 32 };
    for (size_t i = 0; i < RP_COUNT(proofs); i++) {
        file f = load(proofs[i]);
        world x;
        open_world(&x, NULL, 0);
        rp_reader r = rp_reader_of(f.data + 8, f.size - 8, "proof", &x.error);
        ic_proof proof = {0};
        rp_bincode_read(&r, &x.arena, &ic_proof_record, &proof);
        assert_int_equal(x.error.status, REPRISE_OK);
        const ic_hash *path = proof.siblings.items;
        size_t count = proof.siblings.count;
        assert_true(count > 1 && count < SIBLINGS_MAX);
        assert_false(refuses_siblings(&x, &proof, path, count));
        for (size_t at = 0; at <= count; at++) {
            ic_hash bent[SIBLINGS_MAX] = {0};
            memcpy(bent, path, at * sizeof *path);
            memcpy(bent + at + 1, path + at, (count - at) * sizeof *path);
            assert_true(refuses_siblings(&x, &proof, bent, count + 1));
            if (at == count)
                break;
            memcpy(bent + at, path + at + 1, (count - at - 1) * sizeof *path);
            assert_true(refuses_siblings(&x, &proof, bent, count - 1));
        }
        close_world(&x);
        free(f.data);
    }
}

static file prove(const file *f, uint64_t tick, const char *label, reprise_status wanted)
{
    file o = {0};
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &o, .write = write_out};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    assert_int_equal(reprise_open_memory(f->data, f->size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_prove(replay, tick, label, &options, NULL, &error), wanted);
    reprise_close(replay);
    return o;
}

static void checklist_22__proofs_are_made_as_the_samples_were(void **state)
{
    (void)state;
    file f = load("full.icrep");
    static const char *const labels[] = {"players", "arch:vehicle"};
    static const uint64_t ticks[] = {600, 3300};
    for (size_t i = 0; i < RP_COUNT(labels); i++) {
        file wanted = load(proofs[i]);
        file o = prove(&f, ticks[i], labels[i], REPRISE_OK);
        assert_int_equal(o.size, wanted.size);
        assert_memory_equal(o.data, wanted.data, o.size);
        free(o.data);
        free(wanted.data);
    }
    file between = prove(&f, 630, "map", REPRISE_OK); /* no keyframe: simulated */
    expect_sound(between.data, between.size);
    free(between.data);
    (void)prove(&f, 631, "map", REPRISE_E_USAGE);
    (void)prove(&f, 600, "nothing", REPRISE_E_USAGE);
    free(f.data);
}

static void checklist_35__chains_of_any_cadence_verify(void **state)
{
    (void)state;
    static const uint8_t secret[32] = {7};
    file f = load("basic.icrep");
    verdict *v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->words, "icrep.unsigned"));
    free(v);
    free(f.data);
    f = load("cadence-50-end.icrep");
    world x;
    open_world(&x, NULL, 0);
    uint8_t key[32];
    file last = resign(&x, &f, secret, true, key);
    v = judge(last.data, last.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->summary, "\"largest_distance\":400"));
    free(v);
    free(last.data);
    close_world(&x);
    free(f.data);
}

static void checklist_35__a_replay_signed_here_verifies(void **state)
{
    (void)state;
    static const uint8_t secret[32] = {3, 1, 4};
    static const uint64_t cadences[] = {30, 700, 100000};
    static const char *const entries[] = {"\"entries\":24", "\"entries\":1", "\"entries\":1"};
    file f = load("basic.icrep");
    for (size_t i = 0; i < RP_COUNT(cadences); i++) {
        file o = {0};
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_sink sink = {.ctx = &o, .write = write_out};
        reprise_write_options options = REPRISE_WRITE_INIT;
        options.sink = &sink;
        assert_int_equal(reprise_open_memory(f.data, f.size, NULL, &replay, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_sign(replay, secret, cadences[i], &options, NULL, &error),
                         REPRISE_OK);
        reprise_close(replay);
        verdict *v = judge(o.data, o.size);
        assert_false(refused(v));
        assert_non_null(strstr(v->summary, "\"ranked_verifiable\":true"));
        assert_non_null(strstr(v->summary, entries[i]));
        assert_null(strstr(v->words, "icrep.signed-flag"));
        free(v);
        free(o.data);
    }
    free(f.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_19__chains_are_checked_entry_by_entry),
        cmocka_unit_test(checklist_20__skipped_ticks_verify_but_are_not_ranked),
        cmocka_unit_test(checklist_21__trust_comes_from_outside),
        cmocka_unit_test(checklist_22__no_byte_of_a_proof_may_change),
        cmocka_unit_test(checklist_22__a_proof_has_all_siblings_and_no_more),
        cmocka_unit_test(checklist_19__no_byte_of_a_chain_may_change),
        cmocka_unit_test(checklist_19__a_broken_chain_is_found_beside_a_sound_one),
        cmocka_unit_test(checklist_22__proofs_are_made_as_the_samples_were),
        cmocka_unit_test(checklist_35__chains_of_any_cadence_verify),
        cmocka_unit_test(checklist_35__a_replay_signed_here_verifies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
