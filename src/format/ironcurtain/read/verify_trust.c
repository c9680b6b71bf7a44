/* verify_trust.c - see verify_trust.h. */
#include "verify_trust.h"

static bool any_fault(const ic_replay *replay)
{
    const rp_finding *worst = rp_worst_finding(&replay->base.findings);
    return worst && worst->about.severity == REPRISE_FAULT;
}

/*
 * Whether the last signature proves the end of the match. The relay signs every multiple of its
 * cadence, which is the first signed tick, and then the terminal state. If the terminal tick is a
 * multiple as well, or the only one, a longer replay cut there would look the same.
 */
static bool end_is_signed(const ic_trust *t)
{
    const ic_chain *chain = t->chain;
    if (t->replay->live || chain->count < 2 || chain->ascending != chain->count ||
        !chain->entries[0].tick)
        return false;
    uint64_t cadence = chain->entries[0].tick;
    for (size_t i = 0; i + 1 < chain->count; i++) {
        if (chain->entries[i].tick % cadence)
            return false;
    }
    const ic_tick_signature *last = &chain->entries[chain->count - 1];
    return last->tick % cadence && last->tick == t->replay->total_ticks &&
           t->signatures == IC_HOLDS;
}

static const char *checked_word(ic_checked checked, const char *holds, const char *fails)
{
    return checked == IC_HOLDS ? holds : checked == IC_FAILS ? fails : "not checked";
}

static const char *unsigned_word(bool is_there)
{
    return is_there ? "not signed" : "absent";
}

static void describe_orders(const ic_replaying *r, rp_doc *doc, reprise_value *to)
{
    static const char *const words[] = {[IC_ORDERS_NOT_REPLAYED] = "not replayed",
                                        [IC_ORDERS_REPLAYED] = "replayed",
                                        [IC_ORDERS_DIVERGED] = "diverged"};
    rp_set_text(doc, to, "orders", words[r->verdict]);
    if (r->verdict == IC_ORDERS_NOT_REPLAYED)
        rp_set_text(doc, to, "orders_reason", r->reason ? r->reason : "the file is damaged");
    if (r->verdict == IC_ORDERS_DIVERGED)
        rp_set_uint(doc, to, "diverged_at", r->diverged_at);
}

static void describe_parts(const ic_trust *t, rp_doc *doc, reprise_value *to)
{
    ic_replay *replay = t->replay;
    rp_set_text(doc, to, "chain",
                t->is_signed ? checked_word(t->signatures, "valid", "broken") : "none");
    rp_set_text(doc, to, "states", checked_word(t->states, "consistent", "contradicted"));
    rp_set_uint(doc, to, "keyframes", t->keyframes);
    describe_orders(&t->replaying, doc, to);
    rp_set_text(doc, to, "chat", unsigned_word(true));
    if (t->is_signed)
        rp_set_text(doc, to, "end", end_is_signed(t) ? "signed" : "not proven");
    rp_set_text(doc, to, "metadata",
                t->metadata == IC_FAILS ? "contradicted" : unsigned_word(true));
    rp_set_text(doc, to, "events", unsigned_word(replay->pieces[IC_EVENTS].count > 0));
    rp_set_text(doc, to, "voice", unsigned_word(replay->pieces[IC_VOICE].count > 0));
    rp_set_text(doc, to, "resources", unsigned_word(replay->sections[IC_EMBEDDED].present));
}

/* Whether the hash of the embedded map is the one in the states. */
static bool brings_map(const ic_trust *t)
{
    ic_replay *replay = t->replay;
    rp_arena arena;
    rp_writer map;
    ic_hasher hasher = {0};
    ic_embedded embedded;
    uint8_t digest[IC_HASH_SIZE] = {0};
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_arena_init(&arena, replay->base.context);
    rp_writer_init(&map, replay->base.context, IC_MAP_MAX + 1, &ignored);
    bool is_there = ic_hasher_init(&hasher, replay->base.context, &ignored) == REPRISE_OK &&
                    ic_embedded_load(replay, &arena, &embedded, &ignored) == REPRISE_OK &&
                    embedded.map_data &&
                    ic_embedded_unpack(replay, embedded.map_data, IC_MAP_MAX, &map, &ignored) ==
                        REPRISE_OK;
    if (is_there)
        ic_digest(&hasher, map.data, map.size, digest);
    ic_hasher_free(&hasher);
    rp_writer_free(&map);
    rp_arena_free(&arena);
    return is_there && memcmp(digest, t->map_hash, sizeof digest) == 0;
}

/* The map is the only resource whose hash is part of a state. */
static void describe_map(const ic_trust *t, rp_doc *doc, reprise_value *summary)
{
    bool is_signed = t->signatures == IC_HOLDS && t->states == IC_HOLDS && t->knows_match &&
                     (t->signed_keyframe ||
                      (t->replaying.verdict == IC_ORDERS_REPLAYED && t->replaying.signed_states));
    if (!t->is_signed || !is_signed)
        return;
    rp_set(doc, summary, "signed_map_hash", rp_new_hex(doc, t->map_hash, sizeof t->map_hash));
    if (brings_map(t))
        rp_push(doc, rp_set_array(doc, summary, "signed_resources"), rp_new_text(doc, "map"));
}

static void describe_chain(const ic_trust *t, rp_doc *doc, reprise_value *summary)
{
    const ic_chain *chain = t->chain;
    rp_findings *findings = &t->replay->base.findings;
    uint32_t place = t->replay->header.signature_offset;
    bool is_trusted = ic_is_trusted(t->replay->base.context, chain->key);
    rp_set_uint(doc, summary, "entries", chain->count);
    rp_set_uint(doc, summary, "largest_distance", t->largest_distance);
    rp_set(doc, summary, "relay_public_key", rp_new_hex(doc, chain->key, sizeof chain->key));
    rp_set(doc, summary, "chain_head", rp_new_hex(doc, t->chain_head, sizeof t->chain_head));
    rp_set_bool(doc, summary, "key_trusted", is_trusted);
    if (!is_trusted)
        rp_note(findings, IC_FINDING(KEY_UNTRUSTED), "file", place, "",
                "the relay's key is not trusted");
    if (!t->replay->live && t->signatures == IC_HOLDS && !end_is_signed(t))
        rp_note(findings, IC_FINDING(END_NOT_PROVEN), "file", place, "",
                "the last signature is a regular one and does not prove that the match ended at "
                "tick %llu",
                (unsigned long long)t->replay->total_ticks);
}

/* True, false, or null if there is no fault but the orders were not replayed. */
static void describe_rank(const ic_trust *t, rp_doc *doc, reprise_value *summary)
{
    const ic_replay *replay = t->replay;
    bool is_refused = !t->is_signed || t->is_damaged || any_fault(replay) || replay->live ||
                      ic_flag(replay, IC_INCOMPLETE) || t->signatures != IC_HOLDS ||
                      t->states != IC_HOLDS;
    if (is_refused || t->replaying.verdict == IC_ORDERS_REPLAYED)
        rp_set_bool(doc, summary, "ranked_verifiable", !is_refused);
    else
        rp_set(doc, summary, "ranked_verifiable", rp_new_null(doc));
}

void ic_trust_describe(const ic_trust *t, rp_doc *doc, reprise_value *summary)
{
    rp_findings *findings = &t->replay->base.findings;
    rp_set_bool(doc, summary, "signed", t->is_signed);
    if (t->is_signed)
        describe_chain(t, doc, summary);
    else
        rp_note(findings, IC_FINDING(UNSIGNED), "file", 0, "",
                "unsigned: nothing authenticates the content");
    if (t->replaying.verdict == IC_ORDERS_NOT_REPLAYED && t->replaying.reason &&
        (t->is_signed || t->replay->base.context->simulate == REPRISE_SIMULATE_ALL))
        rp_note(findings, IC_FINDING(NOT_SIMULATED), "file", 0, "",
                "the orders were not replayed: %s", t->replaying.reason);
    describe_rank(t, doc, summary);
    describe_map(t, doc, summary);
    describe_parts(t, doc, rp_set_object(doc, summary, "established"));
}
