/*
 * duel_ironcurtain.c - Iron Curtain's files against the libraries they stand on.
 *
 * A save is verified and decoded: SHA-256 over what is stored, LZ4, the whole state decoded and
 * checked, and its StateHash, which is SHA-256 over all of the state again. The other side does
 * just that hashing and unpacking, back to back, with the bare libraries; a second line leaves the
 * state's hash out on the other side only, to show what the format itself costs.
 *
 * A chain is verified against as many bare Ed25519 verifications with a key set up once. Seeking
 * has no opponent: the median time to a keyframe's state is what counts.
 *
 * usage: duel_ironcurtain [HOUR.icrep]
 */
#include "duel.h"

#include <lz4.h>
#include <openssl/evp.h>
#include <string.h>

#include "ironcurtain/edit/write.h"
#include "reprise/write.h"
#include "sign.h"

enum { UNITS = 5000, PLAYERS = 4, ENTRIES = 400, SEEKS = 400 };

static void must(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static uint64_t random_step(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* ---- a save ---- */

typedef struct save_duel {
    rp_context context;
    uint8_t *file;
    size_t size, state_size;
    uint8_t *unpacked;
    EVP_MD *sha;
} save_duel;

static int keep(void *ctx, const void *data, size_t size)
{
    save_duel *d = ctx;
    d->file = realloc(d->file, d->size + size);
    memcpy(d->file + d->size, data, size);
    d->size += size;
    return 0;
}

static const char *const names[] = {"infantry", "vehicle", "structure", "harvester", "e1",
                                    "2tnk",     "fact",    "harv",      "90mm",      "ore"};

static void fill_unit(reprise_ic_codec *ic, reprise_ic_entity *entity, uint16_t index,
                      uint64_t *seed)
{
    uint32_t kind = (uint32_t)(random_step(seed) % 4);
    static reprise_ic_pos target;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_components c = {.mask = 7};
    c.identity = (reprise_ic_identity){kind, 4 + kind, (uint32_t)(random_step(seed) % PLAYERS)};
    c.position.pos = (reprise_ic_pos){(int32_t)(random_step(seed) % 100000),
                                      (int32_t)(random_step(seed) % 100000), 0};
    c.health = (reprise_ic_health){(int32_t)(random_step(seed) % 400), 400};
    c.attackable.armor = kind;
    c.mask |= REPRISE_IC_COMPONENT_ATTACKABLE;
    if (kind == 2) {
        c.mask |= REPRISE_IC_COMPONENT_BUILDING | REPRISE_IC_COMPONENT_BUILD_QUEUE;
        c.building.footprint = 1;
    } else {
        c.mask |= REPRISE_IC_COMPONENT_MOBILE | REPRISE_IC_COMPONENT_NAVIGATION |
                  REPRISE_IC_COMPONENT_VETERANCY | REPRISE_IC_COMPONENT_ARMAMENT;
        c.mobile = (reprise_ic_mobile){(int32_t)(random_step(seed) % 1024), 68, 2};
        target = (reprise_ic_pos){(int32_t)(random_step(seed) % 100000), 77, 0};
        c.navigation.target = random_step(seed) % 2 ? &target : NULL;
        c.veterancy.xp = (uint32_t)random_step(seed) % 1000;
        c.armament = (reprise_ic_armament){8, (uint32_t)random_step(seed) % 15};
    }
    entity->tag = (reprise_ic_tag){index, (uint16_t)(random_step(seed) % 1000)};
    must(reprise_ic_encode_components(ic, &c, entity, &error) == REPRISE_OK, "components");
}

static void make_save(save_duel *d)
{
    uint64_t seed = 1;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_codec *ic = NULL;
    must(reprise_ic_codec_new(NULL, &ic, &error) == REPRISE_OK, "handle");
    reprise_ic_entity *entities = calloc(UNITS, sizeof *entities);
    reprise_text texts[sizeof names / sizeof *names];
    reprise_ic_player players[PLAYERS] = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        texts[i] = (reprise_text){names[i], strlen(names[i])};
    for (uint32_t i = 0; i < PLAYERS; i++)
        players[i] = (reprise_ic_player){.player = i, .team = i, .credits = 5000};
    for (uint16_t i = 0; i < UNITS; i++)
        fill_unit(ic, &entities[i], i, &seed);
    reprise_ic_snapshot state = {.core = {.tick = 9000,
                                          .game_seed = 7,
                                          .rng_state = {{1, 2, 3, 4}},
                                          .intern_table = {{texts, sizeof texts / sizeof *texts}},
                                          .entities = {entities, UNITS},
                                          .player_states = {players, PLAYERS},
                                          .map_state = {.width = 128, .height = 128}}};
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_sink sink = {.ctx = d, .write = keep};
    options.sink = &sink;
    must(reprise_ic_write_save(ic, "{\"save_name\": \"duel\", \"tick\": 9000}", NULL, 0, &state,
                               &options, &error) == REPRISE_OK,
         "save");
    d->state_size = rp_load32(d->file + 24);
    d->unpacked = malloc(d->state_size);
    d->sha = EVP_MD_fetch(NULL, "SHA256", NULL);
    free(entities);
    reprise_ic_codec_free(ic);
}

static size_t load_save(void *ctx)
{
    save_duel *d = ctx;
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    ic_save_state state;
    reprise_error error = REPRISE_ERROR_INIT;
    must(rp_source_open_memory(&d->context, d->file, d->size, &source, &error) == REPRISE_OK &&
             rp_replay_open(&d->context, source, "icsave", NULL, &replay, &error) == REPRISE_OK &&
             ic_save_load((ic_save *)replay, &state, &error) == REPRISE_OK,
         "load");
    size_t count = state.snapshot.core.entities.count;
    ic_save_state_free(&state);
    rp_replay_close(replay);
    rp_source_close(source);
    return count;
}

static size_t bare(save_duel *d, bool hash_state)
{
    const uint8_t *payload = d->file + rp_load32(d->file + 16);
    size_t size = rp_load32(d->file + 20);
    uint8_t digest[32];
    unsigned length = 0;
    int n = 0;
    EVP_Digest(payload, size, digest, &length, d->sha, NULL);
    n = LZ4_decompress_safe((const char *)payload + 4, (char *)d->unpacked, (int)size - 4,
                            (int)d->state_size);
    if (hash_state)
        EVP_Digest(d->unpacked, d->state_size, digest, &length, d->sha, NULL);
    return (size_t)n + digest[0];
}

static size_t bare_all(void *ctx)
{
    return bare(ctx, true);
}

static size_t bare_stored(void *ctx)
{
    return bare(ctx, false);
}

/* ---- a chain ---- */

typedef struct chain_duel {
    rp_context context;
    rp_ed25519_key *key;
    ic_hasher hasher;
    ic_tick_signature entries[ENTRIES];
    uint8_t messages[ENTRIES][IC_CHAIN_MESSAGE];
    EVP_PKEY *bare;
} chain_duel;

static void make_chain(chain_duel *d)
{
    uint8_t secret[32] = {1, 2, 3}, public[32], link[IC_HASH_SIZE] = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_ed25519_key *signer = NULL;
    must(ic_hasher_init(&d->hasher, &d->context, &error) == REPRISE_OK &&
             rp_ed25519_key_private(&d->context, secret, &signer, &error) == REPRISE_OK &&
             rp_ed25519_key_public_bytes(signer, public, &error) == REPRISE_OK &&
             rp_ed25519_key_public(&d->context, public, &d->key, &error) == REPRISE_OK,
         "keys");
    for (size_t i = 0; i < ENTRIES; i++) {
        ic_tick_signature *entry = &d->entries[i];
        entry->tick = 30 * (i + 1);
        entry->state_hash[0] = (uint8_t)i;
        ic_chain_message(entry, link, d->messages[i]);
        must(rp_ed25519_key_sign(signer, d->messages[i], IC_CHAIN_MESSAGE, entry->relay_sig,
                                 &error) == REPRISE_OK,
             "sign");
        ic_chain_advance(&d->hasher, entry, link);
    }
    rp_ed25519_key_free(signer);
    d->bare = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public, sizeof public);
}

static size_t verify_chain(void *ctx)
{
    chain_duel *d = ctx;
    uint8_t link[IC_HASH_SIZE] = {0};
    size_t valid = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        uint8_t message[IC_CHAIN_MESSAGE];
        ic_chain_message(&d->entries[i], link, message);
        valid += rp_ed25519_key_verify(d->key, d->entries[i].relay_sig, message, sizeof message);
        ic_chain_advance(&d->hasher, &d->entries[i], link);
    }
    must(valid == ENTRIES, "chain");
    return valid;
}

static size_t verify_bare(void *ctx)
{
    chain_duel *d = ctx;
    size_t valid = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        EVP_MD_CTX *md = EVP_MD_CTX_new();
        valid += EVP_DigestVerifyInit(md, NULL, NULL, NULL, d->bare) == 1 &&
                 EVP_DigestVerify(md, d->entries[i].relay_sig, 64, d->messages[i],
                                  IC_CHAIN_MESSAGE) == 1;
        EVP_MD_CTX_free(md);
    }
    must(valid == ENTRIES, "bare chain");
    return valid;
}

/* ---- seeking ---- */

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* The median over keyframes anywhere in a file, each rebuilt with its hash. */
static void measure_seeks(const char *path)
{
    static double took[SEEKS];
    rp_context context;
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    ic_loader loader;
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t seed = 3;
    rp_context_init(&context, NULL);
    must(rp_source_open_file(&context, path, &source, &error) == REPRISE_OK &&
             rp_replay_open(&context, source, "icrep", NULL, &replay, &error) == REPRISE_OK &&
             ic_loader_init(&loader, (ic_replay *)replay, &error) == REPRISE_OK,
         "open");
    const ic_replay *ic = (const ic_replay *)replay;
    for (size_t i = 0; i < SEEKS; i++) {
        uint64_t tick = random_step(&seed) % (ic->total_ticks + 1);
        double start = duel_ms(CLOCK_PROCESS_CPUTIME_ID);
        must(ic_loader_load(&loader, ic_keyframe_at(ic, tick), &error) == REPRISE_OK, "seek");
        took[i] = duel_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    qsort(took, SEEKS, sizeof *took, compare_doubles);
    printf("{\"measure\":\"icrep seek in %llu ticks, median\",\"ms\":%.3f,\"p99_ms\":%.3f}\n",
           (unsigned long long)ic->total_ticks, took[SEEKS / 2], took[SEEKS * 99 / 100]);
    ic_loader_free(&loader);
    rp_replay_close(replay);
    rp_source_close(source);
}

int main(int argc, char **argv)
{
    static save_duel save;
    static chain_duel chain;
    rp_context_init(&save.context, NULL);
    rp_context_init(&chain.context, NULL);
    make_save(&save);
    make_chain(&chain);
    duel("icsave verify and decode / SHA-256 stored, LZ4, SHA-256 state", load_save, bare_all,
         &save);
    duel("icsave verify and decode / SHA-256 stored, LZ4", load_save, bare_stored, &save);
    duel("icrep chain / bare Ed25519", verify_chain, verify_bare, &chain);
    if (argc > 1)
        measure_seeks(argv[1]);
    return 0;
}
