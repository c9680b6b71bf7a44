/*
 * verify_moment.c - see verify_moment.h.
 *
 * A signed tick is confirmed by its signature. Any other is simulated from the nearest earlier
 * signed state, which must match its signature, and on to the next signature: if that matches as
 * well, everything in between is authentic.
 */
#include "verify_moment.h"

#include "seek_cache.h"
#include "sign.h"
#include "verify_orders.h"

typedef struct moment {
    ic_replay *replay;
    uint64_t tick;
    rp_doc *doc;
    reprise_value *report;
    ic_chain chain;
    const ic_tick_signature *earlier; /* the last signature before the tick, or NULL */
    const ic_tick_signature *next;    /* the first at or after it, or NULL */
    ic_driver driver;
    uint8_t reached[IC_HASH_SIZE]; /* the state at the tick */
    bool is_decided;
    reprise_error *error;
} moment;

/* Keeps the first verdict. */
static void decide(moment *m, const char *verdict, reprise_value *reason)
{
    if (m->is_decided)
        return;
    m->is_decided = true;
    rp_set_text(m->doc, m->report, "verdict", verdict);
    rp_set(m->doc, m->report, "reason", reason);
}

/* A wrong state refutes its own tick and later ones, but not earlier ones. */
static void contradict(moment *m, reprise_value *reason)
{
    rp_set_bool(m->doc, m->report, "contradiction", true);
    decide(m, m->driver.tick > m->tick ? "not established" : "refuted", reason);
}

#define CONTRADICT(m, ...)      contradict(m, rp_new_format((m)->doc, __VA_ARGS__))
#define DECIDE(m, verdict, ...) decide(m, verdict, rp_new_format((m)->doc, __VA_ARGS__))

/* ---- signatures ---- */

static void describe_entry(moment *m, const char *key, const ic_tick_signature *entry, bool valid)
{
    if (!entry)
        return;
    reprise_value *one = rp_set_object(m->doc, m->report, key);
    rp_set_uint(m->doc, one, "entry", (uint64_t)(entry - m->chain.entries));
    rp_set_uint(m->doc, one, "tick", entry->tick);
    rp_set(m->doc, one, "state_hash",
           rp_new_hex(m->doc, entry->state_hash, sizeof entry->state_hash));
    rp_set_bool(m->doc, one, "valid", valid);
}

static void find_entries(moment *m, const ic_chain *chain)
{
    for (size_t i = 0; i < chain->ascending && !m->next; i++) {
        const ic_tick_signature *entry = &chain->entries[i];
        if (entry->tick < m->tick)
            m->earlier = entry;
        else
            m->next = entry;
    }
}

static bool entry_is_valid(rp_ed25519_key *key, const ic_tick_signature *entry,
                           const uint8_t link[IC_HASH_SIZE])
{
    uint8_t message[IC_CHAIN_MESSAGE];
    ic_chain_message(entry, link, message);
    return key && rp_ed25519_key_verify(key, entry->relay_sig, message, sizeof message);
}

/* A signature covers all previous entries through their links. */
static reprise_status check_signatures(moment *m, rp_ed25519_key *key)
{
    ic_hasher hasher;
    uint8_t link[IC_HASH_SIZE] = {0};
    RP_TRY(ic_hasher_init(&hasher, m->replay->base.context, m->error));
    for (const ic_tick_signature *at = m->chain.entries; m->next && at <= m->next; at++) {
        if (at == m->earlier || at == m->next) {
            bool is_valid = entry_is_valid(key, at, link);
            describe_entry(m, at == m->next ? "signature" : "earlier_signature", at, is_valid);
            if (!is_valid)
                DECIDE(m, "not established", "the signature of tick %llu is invalid",
                       (unsigned long long)at->tick);
        }
        ic_chain_advance(&hasher, at, link);
    }
    ic_hasher_free(&hasher);
    return REPRISE_OK;
}

static reprise_status check_chain(moment *m)
{
    rp_ed25519_key *key = NULL;
    reprise_error no_key = REPRISE_ERROR_INIT;
    rp_context *context = m->replay->base.context;
    rp_set(m->doc, m->report, "relay_public_key",
           rp_new_hex(m->doc, m->chain.key, sizeof m->chain.key));
    rp_set_bool(m->doc, m->report, "key_trusted", ic_is_trusted(context, m->chain.key));
    if (rp_ed25519_key_public(context, m->chain.key, &key, &no_key) != REPRISE_OK &&
        no_key.status != REPRISE_E_SIGNATURE) {
        *m->error = no_key;
        return no_key.status;
    }
    reprise_status status = check_signatures(m, key);
    rp_ed25519_key_free(key);
    return status;
}

/* ---- states ---- */

/* Compares the simulated state with the signed hash of its tick. */
static reprise_status compare_signed(moment *m, const ic_tick_signature *entry)
{
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_simulation_hash(&m->driver.simulation, hash, m->error));
    if (memcmp(hash, entry->state_hash, sizeof hash) != 0)
        CONTRADICT(m, "replayed, the state of tick %llu is not the one that was signed",
                   (unsigned long long)entry->tick);
    return REPRISE_OK;
}

static reprise_status play_to(moment *m, uint64_t tick)
{
    const ic_frame *frame = NULL;
    ic_comparison found;
    while (m->driver.tick < tick && !m->is_decided) {
        unsigned long long at = m->driver.tick;
        RP_TRY(ic_driver_frame(&m->driver, &frame, m->error));
        if (!frame) {
            DECIDE(m, "not established", "the frame of tick %llu is missing", at);
            return REPRISE_OK;
        }
        RP_TRY(ic_driver_compare(&m->driver, &found, m->error));
        if (!found.same)
            CONTRADICT(m, "replayed, the state of tick %llu is not the recorded one", at);
        RP_TRY(ic_driver_play(&m->driver, frame, m->error));
    }
    return REPRISE_OK;
}

static reprise_status play(moment *m)
{
    uint64_t from = m->earlier && m->next->tick != m->tick ? m->earlier->tick : 0;
    uint64_t start = m->next->tick == m->tick ? m->tick : from;
    ic_match *match = m->driver.match;
    RP_TRY(match->seek(match, start, m->error));
    RP_TRY(ic_driver_restore(&m->driver, ic_match_keyframe(match, start), m->error));
    rp_set_uint(m->doc, m->report, "keyframe", m->driver.tick);
    rp_set_uint(m->doc, m->report, "ticks_to_start", start - m->driver.tick);
    rp_set_uint(m->doc, m->report, "ticks_to_moment", m->tick - start);
    rp_set_uint(m->doc, m->report, "ticks_to_signature", m->next->tick - m->tick);
    RP_TRY(play_to(m, start));
    if (m->earlier && start == m->earlier->tick && !m->is_decided)
        RP_TRY(compare_signed(m, m->earlier));
    RP_TRY(play_to(m, m->tick));
    if (m->is_decided)
        return REPRISE_OK;
    RP_TRY(ic_simulation_hash(&m->driver.simulation, m->reached, m->error));
    rp_set(m->doc, m->report, "state_hash", rp_new_hex(m->doc, m->reached, sizeof m->reached));
    RP_TRY(play_to(m, m->next->tick));
    return m->is_decided ? REPRISE_OK : compare_signed(m, m->next);
}

/* A signed tick with a keyframe needs no simulation. */
static reprise_status compare_keyframe(moment *m, size_t keyframe)
{
    ic_loader loader;
    reprise_status status = ic_loader_init(&loader, m->replay, m->error);
    if (status == REPRISE_OK)
        status = ic_loader_load(&loader, keyframe, m->error);
    if (status == REPRISE_OK) {
        rp_set_uint(m->doc, m->report, "keyframe", m->tick);
        rp_set(m->doc, m->report, "state_hash",
               rp_new_hex(m->doc, loader.now.hash, sizeof loader.now.hash));
        if (memcmp(loader.now.hash, m->next->state_hash, IC_HASH_SIZE) != 0)
            CONTRADICT(m, "the keyframe of tick %llu is not the state that was signed",
                       (unsigned long long)m->tick);
    }
    ic_loader_free(&loader);
    return status;
}

static reprise_status find_state(moment *m)
{
    const char *reason = NULL;
    size_t keyframe = ic_keyframe_at(m->replay, m->tick);
    bool is_signed = m->next->tick == m->tick;
    if (is_signed && m->replay->pieces[IC_KEYFRAMES].items[keyframe].tick == m->tick)
        return compare_keyframe(m, keyframe);
    RP_TRY(ic_unplayable(m->replay, NULL, &reason, m->error));
    if (reason) {
        DECIDE(m, "not established", "the replay cannot be simulated here: %s", reason);
        return REPRISE_OK;
    }
    reprise_status status = ic_drive_replay(&m->driver, m->replay, m->error);
    if (status == REPRISE_OK)
        status = play(m);
    ic_driver_close(&m->driver);
    return status;
}

/* ---- the answer ---- */

static void confirm(moment *m)
{
    unsigned long long next = m->next->tick;
    if (m->next->tick == m->tick)
        DECIDE(m, "confirmed", "the state is the one that was signed");
    else if (m->earlier)
        DECIDE(m, "confirmed",
               "replayed from the signed tick %llu, the orders lead to the signed tick %llu",
               (unsigned long long)m->earlier->tick, next);
    else
        DECIDE(m, "confirmed", "replayed from the start, the orders lead to the signed tick %llu",
               next);
}

static reprise_status check_moment(moment *m)
{
    RP_TRY(ic_chain_load(&m->chain, m->replay, m->error));
    find_entries(m, &m->chain);
    if (!m->chain.count) {
        DECIDE(m, "not established", "the replay is not signed");
        return REPRISE_OK;
    }
    RP_TRY(check_chain(m));
    if (!m->next)
        DECIDE(m, "not established", "nothing is signed at or after tick %llu",
               (unsigned long long)m->tick);
    if (m->is_decided)
        return REPRISE_OK;
    RP_TRY(find_state(m));
    confirm(m);
    return REPRISE_OK;
}

reprise_status ic_verify_moment(ic_replay *replay, uint64_t tick, rp_doc *doc,
                                reprise_value *report, reprise_error *error)
{
    moment m = {.replay = replay, .tick = tick, .doc = doc, .report = report, .error = error};
    RP_TRY(ic_index(replay, error));
    if (tick > replay->total_ticks)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %llu is out of range (0-%llu)",
                            (unsigned long long)tick, (unsigned long long)replay->total_ticks);
    rp_set_uint(doc, report, "tick", tick);
    reprise_status status = check_moment(&m);
    ic_chain_free(&m.chain);
    return status == REPRISE_OK ? doc->error->status : status;
}

/* ---- for those who show the moment ---- */

/*
 * The entries of the cached chain are in memory, so one that was valid stays valid. An invalid one
 * is checked again: OpenSSL also says so without memory.
 */
static reprise_status check_entry(moment *m, const ic_chain *chain, size_t entry,
                                  rp_ed25519_key **key, bool *ret_valid)
{
    rp_context *context = m->replay->base.context;
    uint8_t *valid = &m->replay->seek_cache->valid[entry];
    const uint8_t *link = NULL;
    if (!*valid && !*key)
        RP_TRY(rp_ed25519_key_public(context, chain->key, key, m->error));
    if (!*valid) {
        RP_TRY(ic_cached_link(m->replay, entry, &link, m->error));
        *valid = entry_is_valid(*key, &chain->entries[entry], link);
    }
    *ret_valid = *valid;
    return REPRISE_OK;
}

static reprise_status check_neighbours(moment *m, const ic_chain *chain, rp_ed25519_key **key)
{
    const ic_tick_signature *const neighbours[] = {m->earlier, m->next};
    for (size_t i = 0; i < RP_COUNT(neighbours); i++) {
        const ic_tick_signature *at = neighbours[i];
        if (!at)
            continue;
        size_t entry = (size_t)(at - chain->entries);
        bool is_valid = false;
        RP_TRY(check_entry(m, chain, entry, key, &is_valid));
        if (!is_valid)
            rp_fault(&m->replay->base.findings, IC_FINDING(SIGNATURE_INVALID), REPRISE_E_SIGNATURE,
                     "file", 0, "", "entry %zu (tick %llu): signature invalid", entry,
                     (unsigned long long)at->tick);
    }
    return REPRISE_OK;
}

reprise_status ic_check_around(ic_replay *replay, uint64_t tick, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    moment m = {.replay = replay, .tick = tick, .error = &damage};
    const ic_chain *chain = NULL;
    rp_ed25519_key *key = NULL;
    if (ic_cached_chain(replay, &chain, &damage) == REPRISE_OK && chain->count) {
        find_entries(&m, chain);
        if (chain->ascending < chain->count)
            rp_fault(&replay->base.findings, IC_FINDING(SIGNATURE_ORDER), REPRISE_E_SIGNATURE,
                     "file", 0, "", "entry %zu (tick %llu): ticks not ascending", chain->ascending,
                     (unsigned long long)chain->entries[chain->ascending].tick);
        (void)check_neighbours(&m, chain, &key);
    }
    rp_ed25519_key_free(key);
    return rp_skip_damage(&replay->base, &damage, error);
}
