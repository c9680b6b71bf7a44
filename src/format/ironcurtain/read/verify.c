/*
 * verify.c - checks that decoding does not make: the signature chain, and that frames, keyframes,
 * chain and header agree (specification, 10).
 */
#include "ironcurtain/container/schema_unknown.h"
#include "verify_signatures.h"
#include "verify_trust.h"

/* ---- saves ---- */

static void set_leaves(rp_doc *doc, reprise_value *summary, const ic_hasher *hasher)
{
    reprise_value *leaves = rp_set_array(doc, summary, "merkle_leaves");
    for (size_t i = 0; i < hasher->leaf_count; i++) {
        const ic_leaf *leaf = &hasher->leaves[i];
        reprise_value *one = rp_push(doc, leaves, rp_new_array(doc));
        rp_push(doc, one, rp_new_text_n(doc, leaf->label.data, leaf->label.size));
        rp_push(doc, one, rp_new_hex(doc, leaf->hash, sizeof leaf->hash));
    }
}

static void set_digest(rp_doc *doc, reprise_value *to, const char *name, ic_hasher *hasher,
                       const void *data, size_t size)
{
    uint8_t digest[IC_HASH_SIZE];
    ic_digest(hasher, data, size, digest);
    rp_set(doc, to, name, rp_new_hex(doc, digest, sizeof digest));
}

static reprise_status digest_thumbnail(ic_save *save, rp_doc *doc, reprise_value *summary,
                                       ic_hasher *hasher, reprise_error *error)
{
    if (!save->thumbnail_size)
        return REPRISE_OK;
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(save->base.source, save->thumbnail_offset, save->thumbnail_size, &data,
                           &spare, error));
    set_digest(doc, summary, "thumbnail_sha256", hasher, data, save->thumbnail_size);
    rp_free(save->base.context, spare, spare ? save->thumbnail_size : 0);
    return REPRISE_OK;
}

static void check_save_tick(ic_save *save, const ic_core *core)
{
    const reprise_value *tick = rp_get(save->metadata, "tick");
    if (tick && reprise_value_uint(tick, UINT64_MAX) != core->tick)
        ic_warn(&save->base, save->warnings, IC_SAVE_FINDING(TICK), save->header.metadata_offset,
                "metadata has tick %llu, the snapshot tick %llu",
                (unsigned long long)reprise_value_uint(tick, 0), (unsigned long long)core->tick);
}

static reprise_status describe_save(ic_save *save, ic_save_state *state, rp_doc *doc,
                                    reprise_value *summary, reprise_error *error)
{
    const ic_core *core = &state->snapshot.core;
    rp_set(doc, summary, "state_hash", rp_new_hex(doc, state->hash, sizeof state->hash));
    set_leaves(doc, summary, &state->hasher);
    set_digest(doc, summary, "payload_sha256", &state->hasher, state->bytes.data,
               state->bytes.size);
    reprise_value *counts = rp_set_object(doc, summary, "counts");
    rp_set_uint(doc, counts, "entities", core->entities.count);
    rp_set_uint(doc, counts, "players", core->player_states.count);
    rp_set_uint(doc, counts, "cells", core->map_state.cells.count);
    rp_set_uint(doc, counts, "interned", core->intern_table.entries.count);
    check_save_tick(save, core);
    return digest_thumbnail(save, doc, summary, &state->hasher, error);
}

reprise_status ic_save_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                              reprise_error *error)
{
    ic_save *save = (ic_save *)base;
    ic_save_state state;
    reprise_status status = ic_save_load(save, &state, error);
    if (status == REPRISE_OK)
        status = describe_save(save, &state, doc, summary, error);
    ic_save_state_free(&state);
    rp_set(doc, summary, "warnings", save->warnings);
    return status;
}

/* ---- replays ---- */

/* The frame at a tick of interest. */
typedef struct witness {
    uint64_t hash;
    bool there;
} witness;

typedef struct check {
    ic_replay *replay;
    rp_doc *doc;
    reprise_value *problems;
    reprise_error *error;
    ic_hasher hasher;
    rp_arena arena;
    ic_chain chain;
    witness *chain_frames;  /* per entry */
    uint64_t *chain_missed; /* per entry: frames missing since the previous entry */
    witness *key_frames;    /* per keyframe */
    uint64_t problem_count; /* `problems` lists the first ones */
    ic_trust trust;
} check;

/* Sections of unknown types are not compared; reading them reported it. */
static bool knows(const check *c, ic_section_kind kind)
{
    return !(c->replay->unknown_kinds >> kind & 1);
}

static void problem(check *c, reprise_status status, const rp_finding_kind *kind,
                    reprise_value *text)
{
    enum { SHOWN_MAX = 10000 };
    if (c->problem_count++ < SHOWN_MAX)
        rp_push(c->doc, c->problems, text);
    const char *words = reprise_value_text(text, NULL);
    rp_fault(&c->replay->base.findings, kind, status, "file", 0, "", "%s", words ? words : "");
}

#define PROBLEM(c, status, kind, ...) problem(c, status, kind, rp_new_format((c)->doc, __VA_ARGS__))

/* Whether a check found problems; `before` is the count before it. */
static ic_checked verdict_since(const check *c, uint64_t before)
{
    return c->problem_count == before ? IC_HOLDS : IC_FAILS;
}

/* ---- the chain ---- */

/*
 * An entry is signed together with all entries before it. So entries from the start of the chain
 * that are the same as in a replay of the same key, where they hold, hold here too.
 */
static reprise_status find_known(const check *c, size_t *ret_known)
{
    ic_replay *twin = (ic_replay *)c->replay->base.twin;
    ic_chain theirs;
    size_t known = 0;
    if (!twin || !twin->signatures_hold)
        return REPRISE_OK;
    reprise_status status = ic_chain_load(&theirs, twin, c->error);
    size_t most = status == REPRISE_OK && memcmp(theirs.key, c->chain.key, sizeof theirs.key) == 0
                      ? RP_MIN(RP_MIN(twin->signatures_hold, theirs.count), c->chain.count)
                      : 0;
    while (known < most && memcmp(&theirs.entries[known], &c->chain.entries[known],
                                  sizeof theirs.entries[known]) == 0)
        known++;
    ic_chain_free(&theirs);
    *ret_known = known;
    return status;
}

/* Sets `ret_valid` to an array with each signature's validity, or NULL if they are trusted. */
static reprise_status verify_signatures(check *c, const rp_ed25519_key *key, bool **ret_valid)
{
    size_t known = 0, hold = 0;
    *ret_valid = NULL;
    if (!c->replay->base.trusts_signatures) {
        *ret_valid = rp_arena_array(&c->arena, c->chain.count, sizeof **ret_valid, c->error);
        RP_TRY(c->error->status);
        RP_TRY(find_known(c, &known));
    }
    RP_TRY(ic_verify_signatures(&c->hasher, &c->chain, key, known, *ret_valid, c->trust.chain_head,
                                c->error));
    while (*ret_valid && hold < c->chain.count && (*ret_valid)[hold])
        hold++;
    if (*ret_valid)
        c->replay->signatures_hold = hold;
    return REPRISE_OK;
}

static void check_signatures(check *c, const rp_ed25519_key *key)
{
    uint64_t before = 0;
    bool *valid;
    if (verify_signatures(c, key, &valid) != REPRISE_OK)
        return;
    for (size_t i = 0; i < c->chain.count; i++) {
        const ic_tick_signature *entry = &c->chain.entries[i];
        unsigned long long tick = entry->tick;
        if (valid && !valid[i])
            PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(SIGNATURE_INVALID),
                    "entry %zu (tick %llu): signature invalid", i, tick);
        if (i >= c->chain.ascending) {
            PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(SIGNATURE_ORDER),
                    "entry %zu (tick %llu): ticks not ascending", i, tick);
            continue;
        }
        c->trust.largest_distance = RP_MAX(c->trust.largest_distance, entry->tick - before);
        before = entry->tick;
    }
}

/* Compares the chain with the frames: hashes, and numbers of lost frames. */
static void check_signed_frames(check *c)
{
    for (size_t i = 0; i < c->chain.ascending; i++) {
        const ic_tick_signature *entry = &c->chain.entries[i];
        unsigned long long tick = entry->tick;
        const witness *frame = &c->chain_frames[i];
        if (frame->there && frame->hash != ic_sync_hash(entry->state_hash) &&
            !(c->replay->imported && !frame->hash))
            PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(SIGNED_FRAME_HASH),
                    "entry %zu (tick %llu): frame hash does not match", i, tick);
        if (c->chain_missed[i] != entry->skipped_ticks)
            PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(SKIPPED_TICKS),
                    "entry %zu (tick %llu): skipped_ticks is %u, %llu frames are missing", i, tick,
                    entry->skipped_ticks, (unsigned long long)c->chain_missed[i]);
    }
}

/* A recovered recording has a final hash only if its last tick has a keyframe. */
static bool looks_recovered(const ic_replay *replay)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const ic_pieces *keyframes = &replay->pieces[IC_KEYFRAMES];
    bool at_keyframe = keyframes->count &&
                       keyframes->items[keyframes->count - 1].tick == replay->total_ticks;
    return ic_flag(replay, IC_INCOMPLETE) &&
           (at_keyframe || memcmp(replay->header.final_state_hash, unknown, IC_HASH_SIZE) == 0);
}

/* A live file has no terminal state. */
static void check_terminal(check *c)
{
    const ic_replay *replay = c->replay;
    if (replay->live || !ic_flag(replay, IC_SIGNED))
        return;
    const ic_tick_signature *last = c->chain.count ? &c->chain.entries[c->chain.count - 1] : NULL;
    if (last && last->tick < replay->total_ticks && looks_recovered(replay)) {
        ic_warn(&c->replay->base, c->replay->warnings, IC_FINDING(RECOVERED), 56,
                "recovered: the terminal state is not signed");
        return;
    }
    if (!last || last->tick != replay->total_ticks)
        PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(TERMINAL_UNSIGNED),
                "terminal tick is not signed");
    else if (memcmp(last->state_hash, replay->header.final_state_hash, IC_HASH_SIZE) != 0)
        PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(FINAL_HASH),
                "final_state_hash differs from the terminal signature");
}

/* ---- frames ---- */

typedef struct frame_pass {
    check *c;
    size_t entry, keyframe; /* first ones whose tick is not before the frame */
    uint64_t expected;
    uint64_t missing;
    reprise_value *ranges; /* range of missing ticks */
} frame_pass;

/* Frames from `from` to before `to` are missing. */
static void pass_gap(frame_pass *p, uint64_t from, uint64_t to)
{
    enum { RANGES_MAX = 10000 };
    check *c = p->c;
    if (from == to)
        return;
    p->missing += to - from;
    if (reprise_value_count(p->ranges) < RANGES_MAX) {
        reprise_value *range = rp_push(c->doc, p->ranges, rp_new_array(c->doc));
        rp_push(c->doc, range, rp_new_uint(c->doc, from));
        rp_push(c->doc, range, rp_new_uint(c->doc, to - 1));
    }
    while (from < to) {
        while (p->entry < c->chain.ascending && c->chain.entries[p->entry].tick <= from)
            p->entry++;
        if (p->entry == c->chain.ascending)
            return;
        uint64_t end = RP_MIN(to, c->chain.entries[p->entry].tick);
        c->chain_missed[p->entry] += end - from;
        from = end;
    }
}

static void pass_frame(frame_pass *p, uint64_t tick, uint64_t hash)
{
    check *c = p->c;
    const ic_pieces *keyframes = &c->replay->pieces[IC_KEYFRAMES];
    if (tick > p->expected)
        pass_gap(p, p->expected, tick);
    p->expected = tick + 1;
    while (p->entry < c->chain.ascending && c->chain.entries[p->entry].tick < tick)
        p->entry++;
    if (p->entry < c->chain.ascending && c->chain.entries[p->entry].tick == tick)
        c->chain_frames[p->entry] = (witness){hash, true};
    while (p->keyframe < keyframes->count && keyframes->items[p->keyframe].tick < tick)
        p->keyframe++;
    if (p->keyframe < keyframes->count && keyframes->items[p->keyframe].tick == tick)
        c->key_frames[p->keyframe] = (witness){hash, true};
}

static reprise_status pass_block(frame_pass *p, const ic_piece *piece, rp_writer *bytes,
                                 rp_sha256 *digest, uint64_t *size)
{
    check *c = p->c;
    RP_TRY(ic_piece_decode(c->replay, piece, "orders", bytes, c->error));
    rp_sha256_update(digest, bytes->data, bytes->size);
    *size += bytes->size;
    rp_arena arena;
    rp_arena_init(&arena, c->replay->base.context);
    rp_reader r = rp_reader_of(bytes->data, bytes->size, "orders", c->error);
    while (rp_ok(&r) && rp_left(&r)) {
        ic_frame frame;
        rp_arena_reset(&arena);
        ic_frame_read(&r, &arena, &frame);
        if (rp_ok(&r) && frame.tick >= p->expected && frame.tick < c->replay->total_ticks)
            pass_frame(p, frame.tick, frame.state_hash);
    }
    rp_arena_free(&arena);
    return piece->summed
               ? ic_schema_unknown(c->error, "orders", "the block's checksum and LZ4 hold")
               : c->error->status;
}

/* Frames lost at the end of a live file are known only from later chain entries. */
static void pass_lost_end(check *c)
{
    uint64_t end = c->replay->total_ticks;
    for (size_t i = 0; i < c->chain.ascending; i++) {
        uint64_t from = RP_MAX(end, i ? c->chain.entries[i - 1].tick : 0);
        if (c->chain.entries[i].tick > from)
            c->chain_missed[i] += c->chain.entries[i].tick - from;
    }
}

static void add_stream(rp_doc *doc, reprise_value *streams, const char *name, uint64_t size,
                       rp_sha256 *sha)
{
    uint8_t digest[IC_HASH_SIZE];
    rp_sha256_final(sha, digest);
    reprise_value *stream = rp_push_object(doc, streams);
    rp_set_text(doc, stream, "name", name);
    rp_set_uint(doc, stream, "size", size);
    rp_set(doc, stream, "sha256", rp_new_hex(doc, digest, sizeof digest));
}

static void list_blocks(check *c, reprise_value *summary)
{
    enum { SHOWN_MAX = 10000 };
    const ic_pieces *blocks = &c->replay->pieces[IC_ORDERS];
    reprise_value *list = rp_set_array(c->doc, summary, "order_blocks");
    for (size_t i = 0; i < RP_MIN(blocks->count, (size_t)SHOWN_MAX); i++) {
        const ic_piece *block = &blocks->items[i];
        reprise_value *one = rp_push_object(c->doc, list);
        rp_set_uint(c->doc, one, "first_tick", block->tick);
        rp_set_uint(c->doc, one, "frame_count", block->count);
        rp_set_uint(c->doc, one, "stored_length", block->size);
        rp_set_uint(c->doc, one, "uncompressed_length", block->decoded_size);
    }
}

/*
 * The header counts lost frames and keyframes together (reading rule 3). The number of keyframes is
 * limited by the usual cadence.
 */
static void check_lost_count(check *c, uint64_t missing)
{
    enum { KEYFRAME_TICKS = 300 };
    const ic_replay *replay = c->replay;
    uint64_t lost = replay->header.lost_frame_count;
    uint64_t keyframes = replay->total_ticks / KEYFRAME_TICKS + 2;
    if (replay->live || !ic_flag(replay, IC_INCOMPLETE) ||
        (lost >= missing && lost - missing <= keyframes))
        return;
    ic_warn(&c->replay->base, c->replay->warnings, IC_FINDING(LOST_COUNT), 104,
            "the header counts %llu lost frames, %llu are missing", (unsigned long long)lost,
            (unsigned long long)missing);
}

static void check_flags(check *c)
{
    const ic_replay *replay = c->replay;
    unsigned gone = replay->header.flags & ~(unsigned)replay->flags;
    for (size_t i = IC_EVENTS; i <= IC_SIGNATURE; i++) {
        if (gone & ic_section_flags[i])
            PROBLEM(c, REPRISE_E_CORRUPT, IC_FINDING(SECTION_ABSENT),
                    "flag set but section %s absent", ic_section_names[i]);
    }
}

static reprise_status check_frames(check *c, rp_writer *bytes, reprise_value *summary,
                                   reprise_value *streams)
{
    const ic_pieces *blocks = &c->replay->pieces[IC_ORDERS];
    frame_pass p = {.c = c, .ranges = rp_set_array(c->doc, summary, "missing_ranges")};
    uint64_t size = 0;
    rp_sha256 *digest = NULL;
    RP_TRY(rp_sha256_new(c->replay->base.context, &digest, c->error));
    for (size_t i = 0; i < blocks->count && c->error->status == REPRISE_OK; i++)
        (void)pass_block(&p, &blocks->items[i], bytes, digest, &size);
    if (p.expected < c->replay->total_ticks)
        pass_gap(&p, p.expected, c->replay->total_ticks);
    if (c->replay->live)
        pass_lost_end(c);
    add_stream(c->doc, streams, "orders", size, digest);
    rp_sha256_free(digest);
    rp_set_uint(c->doc, summary, "missing_frames", p.missing);
    if (c->error->status == REPRISE_OK)
        check_lost_count(c, p.missing);
    list_blocks(c, summary);
    return c->error->status;
}

/* ---- keyframes ---- */

static void check_keyframe(check *c, size_t index, const ic_state *state, size_t *entry)
{
    const ic_replay *replay = c->replay;
    unsigned long long tick = state->core.tick;
    const witness *frame = &c->key_frames[index];
    if (frame->there && frame->hash != ic_sync_hash(state->hash) &&
        !(replay->imported && !frame->hash))
        PROBLEM(c, REPRISE_E_CORRUPT, IC_FINDING(FRAME_HASH),
                "tick %llu: keyframe state does not match frame hash", tick);
    while (*entry < c->chain.ascending && c->chain.entries[*entry].tick < tick)
        ++*entry;
    bool is_signed = *entry < c->chain.ascending && c->chain.entries[*entry].tick == tick;
    if (is_signed && memcmp(c->chain.entries[*entry].state_hash, state->hash, IC_HASH_SIZE) != 0)
        PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(SIGNED_KEYFRAME_HASH),
                "tick %llu: keyframe state does not match the signed hash", tick);
    c->trust.signed_keyframe |= is_signed;
    c->trust.keyframes++;
    static const uint8_t unknown[IC_HASH_SIZE];
    if (!replay->live && tick == replay->total_ticks &&
        memcmp(replay->header.final_state_hash, unknown, IC_HASH_SIZE) != 0 &&
        memcmp(replay->header.final_state_hash, state->hash, IC_HASH_SIZE) != 0)
        PROBLEM(c, REPRISE_E_CORRUPT, IC_FINDING(FINAL_KEYFRAME),
                "tick %llu: keyframe state does not match final_state_hash", tick);
}

static reprise_status check_keyframes(check *c)
{
    ic_loader loader;
    reprise_status status = ic_loader_init(&loader, c->replay, c->error);
    size_t entry = 0;
    for (size_t i = 0; status == REPRISE_OK && i < c->replay->pieces[IC_KEYFRAMES].count; i++) {
        status = ic_loader_load(&loader, i, c->error);
        if (status == REPRISE_OK)
            check_keyframe(c, i, &loader.now, &entry);
    }
    c->trust.knows_match = status == REPRISE_OK && loader.knows_match;
    c->trust.game_seed = loader.game_seed;
    memcpy(c->trust.map_hash, loader.map_hash, sizeof c->trust.map_hash);
    ic_loader_free(&loader);
    return status;
}

static void check_final_hash(check *c)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const ic_replay *replay = c->replay;
    if (replay->live || replay->imported || ic_flag(replay, IC_INCOMPLETE))
        return;
    if (memcmp(replay->header.final_state_hash, unknown, IC_HASH_SIZE) == 0)
        PROBLEM(c, REPRISE_E_CORRUPT, IC_FINDING(FINAL_UNKNOWN),
                "final_state_hash is zero in a complete recording");
}

/* A live file has one list of events per record; together they must be one ascending list. */
static reprise_status digest_events(check *c, rp_writer *bytes, reprise_value *streams)
{
    const ic_pieces *pieces = &c->replay->pieces[IC_EVENTS];
    rp_sha256 *digest = NULL;
    uint8_t head[8];
    uint64_t size = sizeof head, count = 0;
    if (!pieces->count)
        return REPRISE_OK;
    for (size_t i = 0; i < pieces->count; i++) {
        RP_TRY(ic_piece_decode(c->replay, &pieces->items[i], "events", bytes, c->error));
        rp_reader r = rp_reader_of(bytes->data, bytes->size, "events", c->error);
        count += rp_u64(&r, "count");
        RP_TRY(c->error->status);
    }
    rp_store64(head, count);
    RP_TRY(rp_sha256_new(c->replay->base.context, &digest, c->error));
    rp_sha256_update(digest, head, sizeof head);
    for (size_t i = 0; i < pieces->count && c->error->status == REPRISE_OK; i++) {
        if (pieces->count > 1 &&
            ic_piece_decode(c->replay, &pieces->items[i], "events", bytes, c->error) != REPRISE_OK)
            break;
        rp_sha256_update(digest, bytes->data + sizeof head, bytes->size - sizeof head);
        size += bytes->size - sizeof head;
    }
    add_stream(c->doc, streams, "events", size, digest);
    rp_sha256_free(digest);
    return c->error->status;
}

/* One entry per track, also without frames, because it shows consent. */
typedef struct speaker {
    uint32_t player;
    bool consented;
    uint64_t frames, bytes;
} speaker;

static speaker *speaker_of(check *c, speaker **list, size_t *count, const ic_voice_track *track)
{
    for (size_t i = 0; i < *count; i++) {
        if ((*list)[i].player == track->player)
            return &(*list)[i];
    }
    speaker *more = rp_arena_array(&c->arena, *count + 1, sizeof *more, c->error);
    if (!more)
        return NULL;
    if (*count)
        memcpy(more, *list, *count * sizeof *more);
    *list = more;
    more[*count] = (speaker){.player = track->player, .consented = track->consented};
    return &more[(*count)++];
}

static void count_voice(check *c, const ic_voice *voice, speaker **list, size_t *count)
{
    const ic_voice_track *tracks = voice->tracks.items;
    for (size_t i = 0; i < voice->tracks.count && *count <= IC_PLAYERS_MAX; i++) {
        const ic_voice_frame *frames = tracks[i].frames.items;
        speaker *s = speaker_of(c, list, count, &tracks[i]);
        if (!s)
            return;
        s->frames += tracks[i].frames.count;
        for (size_t k = 0; k < tracks[i].frames.count; k++)
            s->bytes += frames[k].opus_data.size;
    }
}

static reprise_status list_speakers(check *c, rp_writer *bytes, reprise_value *summary)
{
    const ic_pieces *pieces = &c->replay->pieces[IC_VOICE];
    speaker *list = NULL;
    size_t count = 0;
    rp_arena arena;
    rp_arena_init(&arena, c->replay->base.context);
    for (size_t i = 0; i < pieces->count && c->error->status == REPRISE_OK; i++) {
        ic_voice voice = {0};
        rp_arena_reset(&arena);
        if (ic_piece_decode(c->replay, &pieces->items[i], "voice", bytes, c->error) != REPRISE_OK)
            break;
        rp_reader r = rp_reader_of(bytes->data, bytes->size, "voice", c->error);
        rp_bincode_read(&r, &arena, &ic_voice_record, &voice);
        if (rp_ok(&r))
            count_voice(c, &voice, &list, &count);
    }
    rp_arena_free(&arena);
    reprise_value *speakers = pieces->count ? rp_set_array(c->doc, summary, "speakers") : NULL;
    for (size_t i = 0; i < count; i++) {
        reprise_value *one = rp_push_object(c->doc, speakers);
        rp_set_uint(c->doc, one, "player", list[i].player);
        rp_set_bool(c->doc, one, "consented", list[i].consented);
        rp_set_uint(c->doc, one, "frames", list[i].frames);
        rp_set_uint(c->doc, one, "bytes", list[i].bytes);
    }
    return c->error->status;
}

static reprise_status check_chain(check *c)
{
    rp_ed25519_key *key = NULL;
    reprise_error no_key = REPRISE_ERROR_INIT;
    uint64_t before = c->problem_count;
    if (c->chain.key_changes)
        PROBLEM(c, REPRISE_E_SIGNATURE, IC_FINDING(KEY_CHANGES),
                "the relay's key changes within the file");
    if (rp_ed25519_key_public(c->replay->base.context, c->chain.key, &key, &no_key) != REPRISE_OK &&
        no_key.status != REPRISE_E_SIGNATURE)
        *c->error = no_key;
    else
        check_signatures(c, key);
    rp_ed25519_key_free(key);
    check_terminal(c);
    c->trust.signatures = verdict_since(c, before);
    return c->error->status;
}

/* ---- metadata ---- */

/*
 * Metadata is not signed but must not contradict signed states; in unsigned files this is a
 * warning.
 */
static void contradicts(check *c, reprise_status status, const rp_finding_kind *kind,
                        reprise_value *text)
{
    const char *words = reprise_value_text(text, NULL);
    c->trust.metadata = IC_FAILS;
    if (c->trust.is_signed)
        problem(c, status, kind, text);
    else
        ic_warn(&c->replay->base, c->replay->warnings, kind, c->replay->header.metadata_offset,
                "%s", words ? words : "");
}

#define CONTRADICTS(c, status, kind, ...) \
    contradicts(c, status, kind, rp_new_format((c)->doc, __VA_ARGS__))

static void check_metadata(check *c)
{
    const ic_replay *replay = c->replay;
    const reprise_value *seed = rp_get(replay->metadata, "initial_rng_seed");
    const reprise_value *ticks = rp_get(replay->metadata, "total_ticks");
    const char *map = rp_get_text(replay->metadata, "map_hash");
    uint64_t game_seed = c->trust.game_seed;
    if (!c->trust.knows_match)
        return;
    c->trust.metadata = IC_HOLDS;
    if (map && !ic_hash_matches(map, c->trust.map_hash))
        CONTRADICTS(c, REPRISE_E_CORRUPT, IC_FINDING(METADATA_MAP),
                    "map_hash in the metadata differs from the states");
    if (seed && reprise_value_uint(seed, ~game_seed) != game_seed)
        CONTRADICTS(c, REPRISE_E_CORRUPT, IC_FINDING(METADATA_SEED),
                    "metadata has initial_rng_seed %llu, the states %llu",
                    (unsigned long long)reprise_value_uint(seed, 0), (unsigned long long)game_seed);
    /* Opening has already warned about it. */
    bool is_length = replay->live || !ticks ||
                     reprise_value_uint(ticks, ~replay->total_ticks) == replay->total_ticks;
    if (!is_length && c->trust.is_signed)
        CONTRADICTS(c, REPRISE_E_CORRUPT, IC_FINDING(METADATA_TICKS),
                    "metadata has total_ticks %llu, the file %llu",
                    (unsigned long long)reprise_value_uint(ticks, 0),
                    (unsigned long long)replay->total_ticks);
    else if (!is_length)
        c->trust.metadata = IC_FAILS;
}

/* ---- everything ---- */

static reprise_status prepare(check *c)
{
    ic_replay *replay = c->replay;
    RP_TRY(ic_chain_load(&c->chain, replay, c->error));
    c->trust.is_signed = c->chain.count > 0 || (!replay->live && ic_flag(replay, IC_SIGNED));
    size_t keyframes = replay->pieces[IC_KEYFRAMES].count;
    c->chain_frames = rp_arena_array(&c->arena, c->chain.count, sizeof(witness), c->error);
    c->chain_missed = rp_arena_array(&c->arena, c->chain.count, sizeof(uint64_t), c->error);
    c->key_frames = rp_arena_array(&c->arena, keyframes, sizeof(witness), c->error);
    return c->error->status;
}

static reprise_status check_states(check *c, rp_writer *bytes, reprise_value *summary,
                                   reprise_value *streams)
{
    uint64_t before = c->problem_count;
    check_flags(c);
    if (knows(c, IC_ORDERS)) {
        RP_TRY(check_frames(c, bytes, summary, streams));
        check_signed_frames(c);
    }
    if (check_keyframes(c) != REPRISE_OK && ic_is_schema_unknown(c->error))
        rp_error_clear(c->error);
    RP_TRY(c->error->status);
    check_final_hash(c);
    if (knows(c, IC_ORDERS) && knows(c, IC_KEYFRAMES))
        c->trust.states = verdict_since(c, before);
    return c->error->status;
}

static reprise_status check_orders(check *c, reprise_value *summary)
{
    ic_replaying *r = &c->trust.replaying;
    if (!knows(c, IC_ORDERS) || !knows(c, IC_KEYFRAMES)) {
        r->reason = "the file has unknown types";
        return REPRISE_OK;
    }
    RP_TRY(ic_simulate(c->replay, &c->chain, c->doc, summary, r, c->error));
    if (r->verdict == IC_ORDERS_DIVERGED)
        PROBLEM(c, REPRISE_E_CORRUPT, IC_FINDING(DESYNC),
                "tick %llu: replayed, the state is %016llx, but %016llx was %s; %s",
                (unsigned long long)r->diverged_at, (unsigned long long)r->ours,
                (unsigned long long)r->recorded, r->from_signature ? "signed" : "recorded",
                r->parts);
    return REPRISE_OK;
}

static reprise_status run(check *c, rp_writer *bytes, reprise_value *summary)
{
    RP_TRY(prepare(c));
    reprise_value *streams = rp_set_array(c->doc, summary, "streams");
    RP_TRY(check_chain(c));
    RP_TRY(check_states(c, bytes, summary, streams));
    check_metadata(c);
    RP_TRY(check_orders(c, summary));
    RP_TRY(digest_events(c, bytes, streams));
    return knows(c, IC_VOICE) ? list_speakers(c, bytes, summary) : REPRISE_OK;
}

reprise_status ic_replay_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                                reprise_error *error)
{
    check c = {.replay = (ic_replay *)base, .doc = doc, .error = error};
    c.trust.replay = c.replay;
    c.trust.chain = &c.chain;
    c.problems = rp_set_array(doc, summary, "problems");
    rp_writer bytes;
    rp_writer_init(&bytes, base->context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&c.arena, base->context);
    reprise_status status = ic_hasher_init(&c.hasher, base->context, error);
    if (status == REPRISE_OK)
        status = run(&c, &bytes, summary);
    c.trust.is_damaged = status != REPRISE_OK;
    ic_trust_describe(&c.trust, doc, summary);
    ic_chain_free(&c.chain);
    ic_hasher_free(&c.hasher);
    rp_arena_free(&c.arena);
    rp_writer_free(&bytes);
    rp_set(doc, summary, "warnings", c.replay->warnings);
    return status;
}
