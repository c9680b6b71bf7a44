/*
 * test_ironcurtain.c - the conformance checklist of docs/spec/ironcurtain.md, section 20, as far as
 * it concerns reading: headers, sections, payloads, states. Numbers in test names are its items;
 * the others are in test_ic_encoding.c and test_ic_trust.c. Files come from tests/data/ironcurtain
 * or are derived from them.
 */
#include "ic_fixture.h"

/* A save of a snapshot with valid hashes; the state hash is given. */
static file make_save(world *x, const uint8_t *raw, size_t size, uint64_t state_hash)
{
    static const char metadata[] = "{\"save_name\": \"test\", \"tick\": 0}";
    ic_save_header h = {.magic = {'I', 'C', 'S', 'V'},
                        .version = 1,
                        .compression_algorithm = 1,
                        .metadata_offset = IC_SAVE_HEADER_SIZE,
                        .metadata_length = sizeof metadata - 1,
                        .payload_offset = IC_SAVE_HEADER_SIZE + sizeof metadata - 1,
                        .uncompressed_length = (uint32_t)size,
                        .state_hash = state_hash};
    rp_writer packed;
    rp_writer_init(&packed, &x->context, SIZE_MAX / 2, &x->error);
    rp_lz4_write(&packed, raw, size, RP_LZ4_BALANCED);
    h.payload_length = (uint32_t)packed.size;
    ic_hasher hasher;
    assert_int_equal(ic_hasher_init(&hasher, &x->context, &x->error), REPRISE_OK);
    ic_digest(&hasher, packed.data, packed.size, h.payload_hash);
    ic_hasher_free(&hasher);
    rp_writer_clear(&x->w);
    rp_bincode_write(&x->w, &ic_save_header_record, &h);
    rp_put(&x->w, metadata, sizeof metadata - 1);
    rp_put(&x->w, packed.data, packed.size);
    rp_writer_free(&packed);
    file made = {malloc(x->w.size), x->w.size};
    memcpy(made.data, x->w.data, x->w.size);
    return made;
}

static void checklist_01__headers_have_their_sizes_and_offsets(void **state)
{
    (void)state;
    world x;
    open_world(&x, NULL, 0);
    ic_replay_header r = {.total_ticks = 0x1122334455667788, .lost_frame_count = 0xAABBCCDD};
    rp_bincode_write(&x.w, &ic_replay_header_record, &r);
    assert_int_equal(x.w.size, 108);
    assert_int_equal(rp_load64(x.w.data + 48), r.total_ticks);
    assert_int_equal(rp_load32(x.w.data + 104), r.lost_frame_count);
    rp_writer_clear(&x.w);
    ic_save_header s = {.state_hash = 0x1122334455667788};
    memset(s.payload_hash, 7, sizeof s.payload_hash);
    rp_bincode_write(&x.w, &ic_save_header_record, &s);
    assert_int_equal(x.w.size, 68);
    assert_int_equal(rp_load64(x.w.data + 28), s.state_hash);
    assert_int_equal(x.w.data[36], 7);
    close_world(&x);
}

static void checklist_02__reserved_values_are_named(void **state)
{
    (void)state;
    expect_refused("bad/version-2.icsave", "postcard");
    expect_refused("bad/compression-2.icsave", "zstd");
    expect_refused("bad/version-7.icsave", "unknown version 7");
    expect_refused("bad/version-2.icrep", "unknown version 2");
    expect_refused("bad/magic.icsave", "no known replay");
}

static void checklist_03__payload_is_hashed_before_it_is_unpacked(void **state)
{
    (void)state;
    expect_refused("bad/payload-flip.icsave", "payload hash mismatch");
    file f = load("skirmish.icsave");
    uint32_t offset = rp_load32(f.data + 16), size = rp_load32(f.data + 20);
    for (size_t i = offset; i < offset + size; i += 37) {
        f.data[i] ^= 0x10;
        verdict *v = judge(f.data, f.size);
        assert_non_null(strstr(v->words, "payload hash mismatch"));
        free(v);
        f.data[i] ^= 0x10;
    }
    free(f.data);
}

typedef struct watcher {
    reprise_allocator hooks;
    size_t largest;
} watcher;

static void *watch_alloc(void *ctx, size_t size)
{
    watcher *w = ctx;
    w->largest = RP_MAX(w->largest, size);
    return malloc(size);
}

static void *watch_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    (void)old_size;
    watcher *w = ctx;
    w->largest = RP_MAX(w->largest, size);
    return realloc(old, size);
}

static void watch_free(void *ctx, void *old, size_t size)
{
    (void)ctx, (void)size;
    free(old);
}

static void checklist_04__claims_take_no_memory(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bad/bomb-header.icsave", "bad/ratio.icsave",        "bad/count.icsave",
        "bad/meta-cap.icsave",    "bad/embed-big-map.icrep", "bad/size-prefix.icsave",
    };
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        file f = load(names[i]);
        watcher w = {.hooks = {watch_alloc, watch_realloc, watch_free, NULL}};
        w.hooks.ctx = &w;
        TEST_OPTIONS(options);
        reprise_options_set_allocator(options, &w.hooks, NULL);
        verdict *v = judge_with(f.data, f.size, options);
        assert_true(refused(v));
        assert_true(w.largest <= RP_MAX((size_t)1 << 16, 256 * RP_MIN(f.size, (size_t)4096)));
        free(v);
        free(f.data);
    }
}

static void checklist_05__size_prefix_must_agree(void **state)
{
    (void)state;
    expect_refused("bad/size-prefix.icsave", "does not match declared");
    expect_refused("bad/ratio.icsave", "ratio over 256:1");
}

/* Re-encodes a changed snapshot and wraps it in a save with valid hashes. */
static verdict *judge_snapshot(world *x, const ic_snapshot *snapshot, size_t patch_at, int patch)
{
    rp_writer raw;
    rp_writer_init(&raw, &x->context, SIZE_MAX / 2, &x->error);
    rp_bincode_write(&raw, &ic_snapshot_record, snapshot);
    if (patch >= 0)
        raw.data[patch_at < raw.size ? patch_at : raw.size - 1] = (uint8_t)patch;
    file made = make_save(x, raw.data, raw.size, 0);
    rp_writer_free(&raw);
    verdict *v = judge(made.data, made.size);
    free(made.data);
    return v;
}

static void checklist_06__bincode_must_be_canonical(void **state)
{
    (void)state;
    expect_refused("bad/utf8.icsave", "not UTF-8");
    expect_refused("bad/count.icsave", "cannot fit");
    expect_refused("bad/trailing.icsave", "1 trailing bytes");
    expect_refused("bad/order-kind.icrep", "enum index 99 out of range");
    file f = load("everything.icsave");
    world x;
    open_world(&x, f.data, f.size);
    ic_save_state s = load_state(&x);
    /* Without campaign and scripts the snapshot ends in two option flags. */
    ic_snapshot plain = s.snapshot;
    plain.campaign_state = NULL;
    plain.script_state = NULL;
    verdict *v = judge_snapshot(&x, &plain, SIZE_MAX, 2);
    assert_non_null(strstr(v->words, "option flag is 2"));
    free(v);
    /* The map's first number is at least 13 bytes after the last player's three bools. */
    ic_player *players = s.snapshot.core.player_states.items;
    players[0].tech.count = 0;
    rp_writer head;
    rp_writer_init(&head, &x.context, SIZE_MAX / 2, &x.error);
    rp_record until_players = ic_core_record;
    until_players.count = ic_core_F_player_states;
    rp_bincode_write(&head, &until_players, &s.snapshot.core);
    size_t defeated = head.size + 8 + 4 + 4 + 4 + 8 + 4 + 4 + 8;
    rp_writer_free(&head);
    v = judge_snapshot(&x, &s.snapshot, defeated, 2);
    assert_non_null(strstr(v->words, "bool is 2"));
    free(v);
    ic_var swap;
    ic_script *script = s.snapshot.script_state;
    ic_var *vars = script->mission_vars.items;
    assert_true(script->mission_vars.count > 1);
    swap = vars[0];
    vars[0] = vars[1];
    vars[1] = swap;
    v = judge_snapshot(&x, &s.snapshot, 0, -1);
    assert_non_null(strstr(v->words, "increasing order"));
    free(v);
    ic_save_state_free(&s);
    close_world(&x);
    free(f.data);
}

static void checklist_07__rules_of_states(void **state)
{
    (void)state;
    expect_refused("bad/position.icsave", "entity 0 position out of bounds");
    expect_refused("bad/owner.icsave", "entity 1 owner out of range");
    expect_refused("bad/duplicate.icsave", "duplicate entity 0");
    expect_refused("bad/building.icsave", "Building without BuildQueue");
    expect_refused("bad/component-bit.icsave", "unknown component bit 40");
    file f = load("skirmish.icsave");
    world x;
    open_world(&x, f.data, f.size);
    ic_save_state s = load_state(&x);
    ic_core core = s.snapshot.core;
    ic_rng none = {0, 0, 0, 0};
    core.rng_state.s = none;
    assert_int_not_equal(ic_core_check(&core, &x.arena, &x.error), REPRISE_OK);
    rp_error_clear(&x.error);
    core = s.snapshot.core;
    core.map_state.width = 4097;
    assert_int_not_equal(ic_core_check(&core, &x.arena, &x.error), REPRISE_OK);
    rp_error_clear(&x.error);
    core = s.snapshot.core;
    ic_text twice[2] = {{"a", 1}, {"a", 1}};
    core.intern_table.entries = (reprise_ic_text_list){twice, 2};
    assert_int_not_equal(ic_core_check(&core, &x.arena, &x.error), REPRISE_OK);
    assert_non_null(strstr(x.error.message, "duplicate"));
    rp_error_clear(&x.error);
    assert_int_equal(ic_core_check(&s.snapshot.core, &x.arena, &x.error), REPRISE_OK);
    ic_save_state_free(&s);
    close_world(&x);
    free(f.data);
}

/* Sections from the last to the first, three bytes apart. */
static file shuffle(const file *f)
{
    static const size_t places[IC_SECTION_COUNT] = {8, 16, 24, 32, 88, 40, 96};
    file out = {calloc(1, f->size + 64), IC_REPLAY_HEADER_SIZE};
    memcpy(out.data, f->data, IC_REPLAY_HEADER_SIZE);
    for (size_t i = IC_SECTION_COUNT; i-- > 0;) {
        uint32_t offset = rp_load32(f->data + places[i]), size = rp_load32(f->data + places[i] + 4);
        if (!offset)
            continue;
        out.size += 3;
        memcpy(out.data + out.size, f->data + offset, size);
        rp_store32(out.data + places[i], (uint32_t)out.size);
        out.size += size;
    }
    return out;
}

static void checklist_09__any_order_and_gaps_but_no_overlap(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(replays); i++) {
        file f = load(replays[i]);
        if (strncmp(replays[i], "live", 4) != 0) {
            file other = shuffle(&f);
            expect_sound(other.data, other.size);
            free(other.data);
        }
        free(f.data);
    }
    expect_refused("bad/overlap.icrep", "sections orders and keyframes overlap");
    expect_refused("bad/events-oob.icrep", "section events runs past the end");
    file f = load("basic.icrep");
    rp_store32(f.data + 8, 100);
    verdict *v = judge(f.data, f.size);
    assert_non_null(strstr(v->words, "inside the header"));
    free(v);
    free(f.data);
}

static void checklist_10__flags_decide_presence(void **state)
{
    (void)state;
    expect_refused("bad/flag-no-section.icrep", "flag set but section voice absent");
    file f = load("full.icrep");
    f.data[7] &= (uint8_t)~IC_HAS_VOICE;
    verdict *v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->words, "icrep.section-unflagged"));
    free(v);
    f.data[7] |= IC_HAS_VOICE | 0x40;
    v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->words, "icrep.unknown-flags"));
    free(v);
    free(f.data);
}

static void expect_at(const char *name, int64_t tick, bool exact, bool unconfirmed)
{
    file f = load(name);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    reprise_moment moment = {.by_index = true, .index = tick};
    assert_int_equal(reprise_open_memory(f.data, f.size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_at(replay, moment, &at, &error), REPRISE_OK);
    assert_int_equal(reprise_value_bool(reprise_value_get(at, "exact"), !exact), exact);
    assert_int_equal(reprise_value_bool(reprise_value_get(at, "unconfirmed"), false), unconfirmed);
    int64_t shown = exact || unconfirmed ? tick
                                         : reprise_value_int(reprise_value_get(at, "keyframe"), -1);
    assert_int_equal(reprise_value_int(reprise_value_get(at, "tick"), -1), shown);
    reprise_close(replay);
    free(f.data);
}

/* The end of a live file has no frame. One of these has a signature of it. */
static void at__only_a_hash_makes_a_simulated_state_exact(void **state)
{
    (void)state;
    expect_at("live-torn.icrep", 799, true, false);
    expect_at("live-torn.icrep", 800, false, true);
    expect_at("live-clean.icrep", 800, true, false);
    expect_at("basic.icrep", 320, true, false);
    expect_at("lost-frames.icrep", 301, false, false);
}

static void checklist_11__a_tick_needs_its_own_block_only(void **state)
{
    (void)state;
    file f = load("full.icrep");
    uint32_t orders = rp_load32(f.data + 16);
    f.data[orders + 40] ^= 1; /* in the first block */
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    assert_int_equal(reprise_open_memory(f.data, f.size, NULL, &replay, &error), REPRISE_OK);
    reprise_moment far = {.by_index = true, .index = 3333}, near = {.by_index = true, .index = 9};
    assert_int_equal(reprise_at(replay, far, &at, &error), REPRISE_OK);
    assert_true(reprise_value_bool(reprise_value_get(at, "exact"), false));
    assert_int_equal(reprise_at(replay, near, &at, &error), REPRISE_E_CHECKSUM);
    reprise_close(replay);
    free(f.data);
    expect_refused("bad/block-crc.icrep", "checksum mismatch");
    expect_refused("bad/tick-order.icrep", "not ascending");
}

static void checklist_12__missing_frames_are_told(void **state)
{
    (void)state;
    expect_refused("bad/missing-frames.icrep", "1 frames missing but INCOMPLETE not set");
    file f = load("lost-frames.icrep");
    verdict *v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->words, "icrep.missing-frames"));
    assert_non_null(strstr(v->summary, "\"missing_frames\":8"));
    free(v);
    free(f.data);
}

static void checklist_14__bad_deltas_are_refused(void **state)
{
    (void)state;
    expect_refused("bad/baseline.icrep", "delta baseline mismatch");
    expect_refused("bad/no-world.icrep", "lacks the world record");
    expect_refused("bad/first-keyframe.icrep", "first keyframe must be a full snapshot");
    file f = load("full.icrep");
    world x;
    open_world(&x, f.data, f.size);
    ic_loader loader;
    assert_int_equal(ic_loader_init(&loader, (ic_replay *)x.replay, &x.error), REPRISE_OK);
    assert_int_equal(ic_loader_load(&loader, 1, &x.error), REPRISE_OK);
    ic_core_delta delta = loader.delta.core;
    ic_core core;
    ic_entity_delta stranger[2] = {{.entity = {60000, 1}, .is_removed = true},
                                   delta.changed_entities.items[delta.changed_entities.count - 1]};
    delta.changed_entities = (reprise_ic_entity_delta_list){stranger, 2};
    assert_int_not_equal(
        ic_delta_apply(&loader.full.core, loader.full.hash, &delta, &x.arena, &core, &x.error),
        REPRISE_OK);
    assert_non_null(strstr(x.error.message, "which does not exist"));
    rp_error_clear(&x.error);
    delta = loader.delta.core;
    ic_text name = {"new", 3};
    ic_intern_delta names = {9999, {&name, 1}};
    delta.intern_table_delta = &names;
    assert_int_not_equal(
        ic_delta_apply(&loader.full.core, loader.full.hash, &delta, &x.arena, &core, &x.error),
        REPRISE_OK);
    assert_non_null(strstr(x.error.message, "start at 9999"));
    ic_loader_free(&loader);
    close_world(&x);
    free(f.data);
}

static void checklist_27__voice_needs_consent(void **state)
{
    (void)state;
    expect_refused("bad/voice-consent.icrep", "voice frames without consent");
}

static void checklist_28__embedded_content_is_kept_harmless(void **state)
{
    (void)state;
    expect_refused("bad/embed-big-map.icrep", "exceeds the cap");
    expect_refused("bad/embed-map.icrep", "does not match map_hash");
    expect_refused("bad/embed-lua.icrep", "content type not allowed: scripts/a.lua");
    expect_refused("bad/embed-escape.icrep", "unsafe embedded path");
    file f = load("bad/embed-url.icrep");
    verdict *v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->words, "icrep.embedded-url"));
    free(v);
    free(f.data);
}

static void checklist_29__metadata_keeps_people_out(void **state)
{
    (void)state;
    file f = load("bad/privacy.icrep");
    verdict *v = judge(f.data, f.size);
    assert_false(refused(v));
    assert_non_null(strstr(v->summary, "metadata key not on the allow-list: gpu_model"));
    assert_non_null(strstr(v->summary, "metadata key not on the allow-list: players.ip"));
    assert_non_null(strstr(v->summary, "file path in map_name"));
    assert_non_null(strstr(v->summary, "network address in players[].ip"));
    assert_non_null(strstr(v->summary, "network address in relay_server"));
    free(v);
    free(f.data);
}

static void checklist_34__zero_ticks_show_the_first_state(void **state)
{
    (void)state;
    file f = load("zero-ticks.icrep");
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    assert_int_equal(reprise_open_memory(f.data, f.size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_at(replay, (reprise_moment){.by_index = true}, &at, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_value_count(reprise_value_get(at, "entities")), 2);
    reprise_moment one = {.by_index = true, .index = 1};
    assert_int_equal(reprise_at(replay, one, &at, &error), REPRISE_E_USAGE);
    reprise_close(replay);
    free(f.data);
}

typedef struct counted {
    const file *f;
    uint64_t payload, read_after;
} counted;

static int64_t read_counted(void *ctx, uint64_t offset, void *to, size_t size)
{
    counted *c = ctx;
    if (offset >= c->f->size)
        return 0;
    size_t n = RP_MIN(size, c->f->size - (size_t)offset);
    memcpy(to, c->f->data + offset, n);
    if (offset + n > c->payload && offset >= RP_PROBE_HEAD_MAX)
        c->read_after += n;
    return (int64_t)n;
}

static void checklist_38__listing_saves_reads_no_payload(void **state)
{
    (void)state;
    file f = load("everything.icsave");
    /* Padding before the payload, so that probing the file does not reach it. */
    uint32_t payload = rp_load32(f.data + 16);
    file far = {calloc(1, f.size + 8192), f.size + 8192};
    memcpy(far.data, f.data, payload);
    memcpy(far.data + payload + 8192, f.data + payload, f.size - payload);
    rp_store32(far.data + 16, payload + 8192);
    counted c = {.f = &far, .payload = payload + 8192};
    reprise_source source = {.ctx = &c, .size = far.size, .read = read_counted};
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    assert_int_equal(reprise_open_source(&source, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_info(replay, &info, &error), REPRISE_OK);
    assert_true(reprise_value_bool(reprise_value_get(info, "thumbnail"), false));
    /* Other formats look at the last bytes of a file to recognise themselves. */
    assert_true(c.read_after < 64);
    reprise_close(replay);
    free(far.data);
    free(f.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_01__headers_have_their_sizes_and_offsets),
        cmocka_unit_test(checklist_02__reserved_values_are_named),
        cmocka_unit_test(checklist_03__payload_is_hashed_before_it_is_unpacked),
        cmocka_unit_test(checklist_04__claims_take_no_memory),
        cmocka_unit_test(checklist_05__size_prefix_must_agree),
        cmocka_unit_test(checklist_06__bincode_must_be_canonical),
        cmocka_unit_test(checklist_07__rules_of_states),
        cmocka_unit_test(checklist_09__any_order_and_gaps_but_no_overlap),
        cmocka_unit_test(checklist_10__flags_decide_presence),
        cmocka_unit_test(at__only_a_hash_makes_a_simulated_state_exact),
        cmocka_unit_test(checklist_11__a_tick_needs_its_own_block_only),
        cmocka_unit_test(checklist_12__missing_frames_are_told),
        cmocka_unit_test(checklist_14__bad_deltas_are_refused),
        cmocka_unit_test(checklist_27__voice_needs_consent),
        cmocka_unit_test(checklist_28__embedded_content_is_kept_harmless),
        cmocka_unit_test(checklist_29__metadata_keeps_people_out),
        cmocka_unit_test(checklist_34__zero_ticks_show_the_first_state),
        cmocka_unit_test(checklist_38__listing_saves_reads_no_payload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
