/*
 * test_ironcurtain.c - the conformance checklist of docs/spec/ironcurtain.md, section 20; numbers
 * in test names are its items. Files come from tests/data/ironcurtain or are derived from them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ironcurtain/edit/write.h"
#include "options.h"
#include "reprise/write.h"
#include "sign.h"

#define DATA "tests/data/ironcurtain/"

typedef struct file {
    uint8_t *data;
    size_t size;
} file;

static file load(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, DATA "%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    file loaded = {.size = (size_t)ftell(f)};
    rewind(f);
    loaded.data = malloc(loaded.size + 1);
    assert_int_equal(fread(loaded.data, 1, loaded.size, f), loaded.size);
    fclose(f);
    return loaded;
}

/* ---- what the library says about some bytes ---- */

typedef struct verdict {
    reprise_status opened, worst;
    uint64_t warnings, faults;
    char words[4096]; /* ids and messages of all findings, or of the failure to open */
    char summary[65536];
} verdict;

static void collect(void *ctx, const reprise_finding *f)
{
    verdict *v = ctx;
    size_t used = strlen(v->words);
    snprintf(v->words + used, sizeof v->words - used, "%s: %s\n", f->id, f->message);
}

static int keep(void *ctx, const void *data, size_t size)
{
    verdict *v = ctx;
    size_t used = strlen(v->summary), room = sizeof v->summary - used - 1;
    memcpy(v->summary + used, data, RP_MIN(size, room));
    return 0;
}

static verdict *judge_with(const uint8_t *data, size_t size, const reprise_options *options)
{
    verdict *v = calloc(1, sizeof *v);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    v->opened = reprise_open_memory(data, size, options, &replay, &error);
    if (v->opened == REPRISE_OK) {
        reprise_verify_summary summary = {0};
        assert_int_equal(reprise_verify(replay, collect, v, &summary, &error), REPRISE_OK);
        v->worst = summary.worst;
        v->warnings = summary.warnings;
        v->faults = summary.faults;
        reprise_sink sink = {.ctx = v, .write = keep};
        (void)!reprise_value_write(summary.document, REPRISE_JSON_COMPACT, &sink, &error);
    } else {
        snprintf(v->words, sizeof v->words, "%s", error.message);
    }
    reprise_close(replay);
    return v;
}

static verdict *judge(const uint8_t *data, size_t size)
{
    return judge_with(data, size, NULL);
}

static bool refused(const verdict *v)
{
    return v->opened != REPRISE_OK || v->faults;
}

static void expect_refused(const char *name, const char *words)
{
    file f = load(name);
    verdict *v = judge(f.data, f.size);
    if (!refused(v) || !strstr(v->words, words))
        fail_msg("%s: wanted '%s', found '%s'", name, words, v->words);
    free(v);
    free(f.data);
}

static void expect_sound(const uint8_t *data, size_t size)
{
    verdict *v = judge(data, size);
    if (refused(v))
        fail_msg("should be sound: %s", v->words);
    free(v);
}

/* ---- the inside ---- */

typedef struct world {
    rp_context context;
    reprise_error error;
    rp_arena arena;
    rp_writer w;
    rp_source *source;
    rp_replay *replay;
} world;

static void open_world(world *x, const uint8_t *data, size_t size)
{
    rp_context_init(&x->context, NULL);
    x->error = (reprise_error)REPRISE_ERROR_INIT;
    x->source = NULL;
    x->replay = NULL;
    rp_arena_init(&x->arena, &x->context);
    rp_writer_init(&x->w, &x->context, SIZE_MAX / 2, &x->error);
    if (!data)
        return;
    assert_int_equal(rp_source_open_memory(&x->context, data, size, &x->source, &x->error),
                     REPRISE_OK);
    assert_int_equal(rp_replay_open(&x->context, x->source, NULL, NULL, &x->replay, &x->error),
                     REPRISE_OK);
}

static void close_world(world *x)
{
    rp_replay_close(x->replay);
    rp_source_close(x->source);
    rp_writer_free(&x->w);
    rp_arena_free(&x->arena);
    assert_int_equal(x->context.bytes_live, 0);
}

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

/* The decoded payload of a save. */
static ic_save_state load_state(world *x)
{
    ic_save_state state;
    assert_int_equal(ic_save_load((ic_save *)x->replay, &state, &x->error), REPRISE_OK);
    return state;
}

/* ---- the items ---- */

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

/* ---- every piece of every sample, decoded and encoded again ---- */

static void expect_same(const rp_writer *a, const uint8_t *data, size_t size)
{
    assert_int_equal(a->size, size);
    if (size)
        assert_memory_equal(a->data, data, size);
}

static void again(world *x, const rp_record *record, const uint8_t *data, size_t size)
{
    void *row = rp_arena_alloc(&x->arena, record->size, &x->error);
    rp_reader r = rp_reader_of(data, size, "piece", &x->error);
    rp_bincode_read(&r, &x->arena, record, row);
    assert_int_equal(x->error.status, REPRISE_OK);
    assert_int_equal(rp_left(&r), 0);
    rp_writer_clear(&x->w);
    rp_bincode_write(&x->w, record, row);
    expect_same(&x->w, data, size);
}

static void frames_again(world *x, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "orders", &x->error);
    rp_writer_clear(&x->w);
    while (rp_left(&r)) {
        ic_frame frame;
        ic_frame_read(&r, &x->arena, &frame);
        assert_int_equal(x->error.status, REPRISE_OK);
        rp_bincode_write(&x->w, &ic_frame_record, &frame);
    }
    expect_same(&x->w, data, size);
}

static void events_again(world *x, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "events", &x->error);
    uint64_t count = rp_u64(&r, "count");
    rp_writer_clear(&x->w);
    rp_put_u64(&x->w, count);
    for (uint64_t i = 0; i < count; i++) {
        rp_choice event;
        rp_bincode_read_sum(&r, &x->arena, &ic_event, &event);
        assert_int_equal(x->error.status, REPRISE_OK);
        rp_bincode_write_sum(&x->w, &ic_event, &event);
    }
    expect_same(&x->w, data, size);
}

static void components_again(world *x, const ic_core *core)
{
    const ic_entity *entities = core->entities.items;
    for (size_t i = 0; i < core->entities.count; i++) {
        ic_components c = {0};
        rp_reader r = rp_reader_of(entities[i].components.data, entities[i].components.size, "c",
                                   &x->error);
        ic_components_read(&r, &x->arena, entities[i].component_mask, &c);
        rp_text bytes = ic_components_write(&x->arena, &c, &x->error);
        assert_int_equal(bytes.size, entities[i].components.size);
        assert_memory_equal(bytes.data, entities[i].components.data, bytes.size);
    }
}

static void replay_again(const char *name)
{
    file f = load(name);
    world x;
    open_world(&x, f.data, f.size);
    ic_replay *replay = (ic_replay *)x.replay;
    rp_writer raw;
    rp_writer_init(&raw, &x.context, SIZE_MAX / 2, &x.error);
    assert_int_equal(ic_index(replay, &x.error), REPRISE_OK);
    for (size_t kind = IC_ORDERS; kind <= IC_SIGNATURE; kind++) {
        for (size_t i = 0; i < replay->pieces[kind].count; i++) {
            const ic_piece *piece = &replay->pieces[kind].items[i];
            assert_int_equal(ic_piece_decode(replay, piece, "piece", &raw, &x.error), REPRISE_OK);
            if (kind == IC_ORDERS)
                frames_again(&x, raw.data, raw.size);
            else if (kind == IC_EVENTS)
                events_again(&x, raw.data, raw.size);
            else
                again(&x,
                      kind == IC_VOICE       ? &ic_voice_record
                      : kind == IC_SIGNATURE ? &ic_signature_record
                      : piece->is_full       ? &ic_snapshot_record
                                             : &ic_delta_record,
                      raw.data, raw.size);
        }
    }
    const ic_section *embedded = &replay->sections[IC_EMBEDDED];
    if (embedded->present)
        again(&x, &ic_embedded_record, f.data + embedded->offset, embedded->size);
    rp_writer_free(&raw);
    close_world(&x);
    free(f.data);
}

static const char *const replays[] = {
    "all-events.icrep",         "all-orders.icrep",         "basic.icrep",
    "cadence-45.icrep",         "cadence-50-end.icrep",     "full.icrep",
    "imported-lossless.icrep",  "imported-no-hashes.icrep", "imported-skipped.icrep",
    "live-clean.icrep",         "live-torn.icrep",          "lost-frames.icrep",
    "lost-full-keyframe.icrep", "map-embedded.icrep",       "self-contained.icrep",
    "zero-ticks.icrep",
};
static const char *const saves[] = {"checkpoint.icsave", "everything.icsave", "skirmish.icsave"};
static const char *const proofs[] = {"players-tick-600.icproof", "vehicles-tick-3300.icproof"};

static void checklist_08__saves_hash_and_encode_to_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(saves); i++) {
        file f = load(saves[i]);
        world x;
        open_world(&x, f.data, f.size);
        ic_save_state s = load_state(&x);
        assert_int_equal(ic_sync_hash(s.hash), rp_load64(f.data + 28));
        rp_bincode_write(&x.w, &ic_snapshot_record, &s.snapshot);
        expect_same(&x.w, s.bytes.data, s.bytes.size);
        components_again(&x, &s.snapshot.core);
        ic_save_state_free(&s);
        close_world(&x);
        free(f.data);
    }
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

static void checklist_18__every_piece_encodes_to_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(replays); i++)
        replay_again(replays[i]);
    for (size_t i = 0; i < RP_COUNT(proofs); i++) {
        file f = load(proofs[i]);
        world x;
        open_world(&x, f.data, f.size);
        again(&x, &ic_proof_record, f.data + 8, f.size - 8);
        close_world(&x);
        free(f.data);
    }
}

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
    file other = resign(&x, &f, secret, false, made);
    assert_false(says_trusted(&other, keys[0], 2));
    assert_true(says_trusted(&other, made, 1));
    free(other.data);
    close_world(&x);
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
        for (size_t at = 0; at < f.size; at += i ? 17 : 1) {
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

/* ---- operations ---- */

typedef struct output {
    uint8_t *data;
    size_t size;
} output;

static int write_out(void *ctx, const void *data, size_t size)
{
    output *o = ctx;
    o->data = realloc(o->data, o->size + size + 1);
    memcpy(o->data + o->size, data, size);
    o->size += size;
    return 0;
}

typedef reprise_status operation(reprise_replay *replay, const reprise_write_options *options,
                                 const reprise_value **ret_report, reprise_error *error);

static output operate(operation *run, const uint8_t *data, size_t size, int level, bool salvage)
{
    output o = {0};
    TEST_OPTIONS(reading);
    reprise_options_set_salvage(reading, salvage, NULL);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_sink sink = {.ctx = &o, .write = write_out};
    const reprise_value *report = NULL;
    options.sink = &sink;
    options.level = level;
    assert_int_equal(reprise_open_memory(data, size, reading, &replay, &error), REPRISE_OK);
    if (run(replay, &options, &report, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    reprise_close(replay);
    return o;
}

static uint64_t count_of(const uint8_t *data, size_t size, const char *member)
{
    verdict *v = judge(data, size);
    assert_false(refused(v));
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", member);
    const char *at = strstr(v->summary, key);
    assert_non_null(at);
    uint64_t count = strtoull(at + strlen(key), NULL, 10);
    free(v);
    return count;
}

static void checklist_23__live_files_read_and_recover(void **state)
{
    (void)state;
    file f = load("live-clean.icrep");
    for (size_t cut = 0; cut < 3000; cut += 301) {
        verdict *v = judge(f.data, f.size - cut);
        assert_false(refused(v));
        free(v);
    }
    output whole = operate(reprise_recover, f.data, f.size, REPRISE_LEVEL_DEFAULT, true);
    assert_int_equal(count_of(whole.data, whole.size, "ticks"), count_of(f.data, f.size, "ticks"));
    assert_int_equal(count_of(whole.data, whole.size, "orders"),
                     count_of(f.data, f.size, "orders"));
    assert_int_equal(rp_load64(whole.data + 48), 800);
    assert_true(whole.data[7] & IC_INCOMPLETE);
    free(whole.data);
    free(f.data);
    f = load("live-torn.icrep");
    output rest = operate(reprise_recover, f.data, f.size, REPRISE_LEVEL_DEFAULT, true);
    assert_int_equal(count_of(rest.data, rest.size, "ticks"), 800);
    assert_int_equal(rp_load32(rest.data + 104), 1);
    free(rest.data);
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

static reprise_status anonymize_all(reprise_replay *replay, const reprise_write_options *options,
                                    const reprise_value **ret_report, reprise_error *error)
{
    return reprise_anonymize(replay, REPRISE_PRIVATE_ALL, options, ret_report, error);
}

static void checklist_30__anonymous_files_verify(void **state)
{
    (void)state;
    file f = load("full.icrep");
    output o = operate(anonymize_all, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
    assert_int_equal(count_of(o.data, o.size, "voice"), 0);
    assert_int_equal(count_of(o.data, o.size, "orders"), 328 - 8);
    assert_int_equal(count_of(o.data, o.size, "signatures"), 112);
    verdict *v = judge(o.data, o.size);
    assert_non_null(strstr(v->summary, "\"ranked_verifiable\":true"));
    free(v);
    free(o.data);
    free(f.data);
}

static void checklist_30__recompressing_keeps_the_content(void **state)
{
    (void)state;
    static const int levels[] = {REPRISE_LEVEL_FASTEST, REPRISE_LEVEL_COMPACT};
    for (size_t i = 0; i < RP_COUNT(replays) + RP_COUNT(saves); i++) {
        file f = load(i < RP_COUNT(replays) ? replays[i] : saves[i - RP_COUNT(replays)]);
        for (size_t k = 0; k < RP_COUNT(levels); k++) {
            output o = operate(reprise_recompress, f.data, f.size, levels[k], false);
            output twice = operate(reprise_recompress, o.data, o.size, levels[k], false);
            assert_int_equal(o.size, twice.size);
            assert_memory_equal(o.data, twice.data, o.size);
            free(o.data);
            free(twice.data);
        }
        free(f.data);
    }
}

/* Rewriting a file of ours gives the same bytes. */
static void checklist_30__writing_again_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(replays); i++) {
        file f = load(replays[i]);
        output once = operate(reprise_convert, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
        expect_sound(once.data, once.size);
        output twice = operate(reprise_convert, once.data, once.size, REPRISE_LEVEL_DEFAULT, false);
        assert_int_equal(once.size, twice.size);
        assert_memory_equal(once.data, twice.data, once.size);
        free(once.data);
        free(twice.data);
        free(f.data);
    }
}

static void checklist_32__seeds_of_64_bits_survive(void **state)
{
    (void)state;
    file f = load("zero-ticks.icrep");
    output o = operate(anonymize_all, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
    static const char seed[] = "\"initial_rng_seed\": 12821265202087015403";
    bool found = false;
    for (size_t i = 0; i + sizeof seed < o.size && !found; i++)
        found = memcmp(o.data + i, seed, sizeof seed - 1) == 0;
    assert_true(found);
    free(o.data);
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

static void checklist_36__built_deltas_give_the_second_state(void **state)
{
    (void)state;
    static const char *const names[] = {"full.icrep", "lost-full-keyframe.icrep", "basic.icrep"};
    for (size_t n = 0; n < RP_COUNT(names); n++) {
        file f = load(names[n]);
        world x;
        open_world(&x, f.data, f.size);
        ic_loader loader;
        ic_replay *replay = (ic_replay *)x.replay;
        assert_int_equal(ic_loader_init(&loader, replay, &x.error), REPRISE_OK);
        for (size_t i = 0; i < replay->pieces[IC_KEYFRAMES].count; i++) {
            assert_int_equal(ic_loader_load(&loader, i, &x.error), REPRISE_OK);
            ic_core_delta delta;
            ic_core core;
            uint8_t hash[IC_HASH_SIZE];
            assert_int_equal(ic_delta_build(&loader.full.core, loader.full.hash, &loader.now.core,
                                            &x.arena, &delta, &x.error),
                             REPRISE_OK);
            assert_int_equal(ic_delta_apply(&loader.full.core, loader.full.hash, &delta, &x.arena,
                                            &core, &x.error),
                             REPRISE_OK);
            assert_int_equal(ic_state_hash(&loader.hasher, &core, hash, &x.error), REPRISE_OK);
            assert_memory_equal(hash, loader.now.hash, sizeof hash);
            rp_writer second;
            rp_writer_init(&second, &x.context, SIZE_MAX / 2, &x.error);
            rp_writer_clear(&x.w);
            rp_bincode_write(&x.w, &ic_core_record, &core);
            rp_bincode_write(&second, &ic_core_record, &loader.now.core);
            expect_same(&x.w, second.data, second.size);
            rp_writer_free(&second);
        }
        ic_loader_free(&loader);
        close_world(&x);
        free(f.data);
    }
}

/* ---- the typed interface ---- */

static void api__a_save_written_is_a_save_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(saves); i++) {
        file f = load(saves[i]);
        reprise_ic_codec *ic = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_ic_snapshot snapshot, again_read;
        output o = {0};
        reprise_sink sink = {.ctx = &o, .write = write_out};
        reprise_write_options options = REPRISE_WRITE_INIT;
        reprise_text a, b;
        options.sink = &sink;
        assert_int_equal(reprise_ic_codec_new(NULL, &ic, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_read_save(ic, f.data, f.size, &snapshot, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_write_save(ic, "{\"save_name\": \"x\"}", "png", 3, &snapshot,
                                               &options, &error),
                         REPRISE_OK);
        expect_sound(o.data, o.size);
        assert_int_equal(reprise_ic_read_save(ic, o.data, o.size, &again_read, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_encode_snapshot(ic, &snapshot, &a, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_encode_snapshot(ic, &again_read, &b, &error), REPRISE_OK);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        reprise_ic_codec_free(ic);
        free(o.data);
        free(f.data);
    }
}

static const char plain_metadata[] = "{\"game_speed\": \"slower\", \"players\": []}";

/* Reads all frames, events and states of a sample and writes them through the public functions. */
static output write_anew(world *x, ic_replay *replay)
{
    reprise_ic_writer *writer = NULL;
    output o = {0};
    reprise_sink sink = {.ctx = &o, .write = write_out};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    rp_writer raw;
    rp_writer_init(&raw, &x->context, SIZE_MAX / 2, &x->error);
    assert_int_equal(
        reprise_ic_writer_new(plain_metadata, NULL, REPRISE_LEVEL_DEFAULT, &writer, &x->error),
        REPRISE_OK);
    for (size_t i = 0; i < replay->pieces[IC_ORDERS].count; i++) {
        const ic_piece *piece = &replay->pieces[IC_ORDERS].items[i];
        assert_int_equal(ic_piece_decode(replay, piece, "orders", &raw, &x->error), REPRISE_OK);
        rp_reader r = rp_reader_of(raw.data, raw.size, "orders", &x->error);
        while (rp_left(&r)) {
            ic_frame frame;
            ic_frame_read(&r, &x->arena, &frame);
            assert_int_equal(reprise_ic_writer_frame(writer, &frame, &x->error), REPRISE_OK);
        }
    }
    ic_loader loader;
    assert_int_equal(ic_loader_init(&loader, replay, &x->error), REPRISE_OK);
    for (size_t i = 0; i < replay->pieces[IC_KEYFRAMES].count; i++) {
        assert_int_equal(ic_loader_load(&loader, i, &x->error), REPRISE_OK);
        ic_snapshot snapshot = ic_loader_snapshot(&loader);
        assert_int_equal(reprise_ic_writer_keyframe(writer, &snapshot, &x->error), REPRISE_OK);
    }
    ic_loader_free(&loader);
    assert_int_equal(reprise_ic_writer_finish(writer, replay->total_ticks,
                                              replay->header.final_state_hash, &options, &x->error),
                     REPRISE_OK);
    reprise_ic_writer_free(writer);
    rp_writer_free(&raw);
    return o;
}

static void api__a_replay_written_anew_has_the_same_keyframes(void **state)
{
    (void)state;
    file f = load("full.icrep");
    world x, y;
    open_world(&x, f.data, f.size);
    ic_replay *replay = (ic_replay *)x.replay;
    assert_int_equal(ic_index(replay, &x.error), REPRISE_OK);
    output o = write_anew(&x, replay);
    expect_sound(o.data, o.size);
    open_world(&y, o.data, o.size);
    ic_replay *other = (ic_replay *)y.replay;
    assert_int_equal(ic_index(other, &y.error), REPRISE_OK);
    assert_int_equal(other->pieces[IC_KEYFRAMES].count, replay->pieces[IC_KEYFRAMES].count);
    /* Byte for byte: deltas, and campaign and script states only where they changed. */
    for (size_t i = 0; i < other->pieces[IC_KEYFRAMES].count; i++) {
        assert_int_equal(
            ic_piece_decode(replay, &replay->pieces[IC_KEYFRAMES].items[i], "k", &x.w, &x.error),
            REPRISE_OK);
        assert_int_equal(
            ic_piece_decode(other, &other->pieces[IC_KEYFRAMES].items[i], "k", &y.w, &y.error),
            REPRISE_OK);
        expect_same(&y.w, x.w.data, x.w.size);
    }
    close_world(&y);
    free(o.data);
    close_world(&x);
    free(f.data);
}

static void checklist_29__writers_refuse_what_readers_warn_about(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{\"gpu_model\": \"x\"}",
        "{\"map_name\": \"/home/me/map\"}",
        "{\"map_name\": \"C:\\\\maps\"}",
        "{\"relay_server\": \"192.0.2.7\"}",
        "{\"relay_server\": \"2001:db8::1\"}",
        "{\"players\": [{\"slot\": 0, \"ip\": \"relay\"}]}",
        "{\"map_name\": \"a\", \"map_name\": \"b\"}",
        "[]",
    };
    static const char good[] = "{\"relay_server\": \"relay.example.org\", \"timestamp\": "
                               "\"2027-03-15T15:00:00Z\", \"engine_version\": \"0.5.0\", "
                               "\"players\": [{\"slot\": 0, \"name\": \"10.0.0.1\"}]}";
    for (size_t i = 0; i < RP_COUNT(bad) + 1; i++) {
        reprise_ic_writer *writer = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = reprise_ic_writer_new(i < RP_COUNT(bad) ? bad[i] : good, NULL,
                                                      REPRISE_LEVEL_DEFAULT, &writer, &error);
        if ((status == REPRISE_OK) != (i == RP_COUNT(bad)))
            fail_msg("%s: %s", i < RP_COUNT(bad) ? bad[i] : good, error.message);
        reprise_ic_writer_free(writer);
    }
}

static output prove(const file *f, uint64_t tick, const char *label, reprise_status wanted)
{
    output o = {0};
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
        output o = prove(&f, ticks[i], labels[i], REPRISE_OK);
        assert_int_equal(o.size, wanted.size);
        assert_memory_equal(o.data, wanted.data, o.size);
        free(o.data);
        free(wanted.data);
    }
    output between = prove(&f, 630, "map", REPRISE_OK); /* no keyframe: simulated */
    expect_sound(between.data, between.size);
    free(between.data);
    (void)prove(&f, 631, "map", REPRISE_E_USAGE);
    (void)prove(&f, 600, "nothing", REPRISE_E_USAGE);
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
        output o = {0};
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

typedef struct counted {
    const file *f;
    uint64_t payload, read_behind;
} counted;

static int64_t read_counted(void *ctx, uint64_t offset, void *to, size_t size)
{
    counted *c = ctx;
    if (offset >= c->f->size)
        return 0;
    size_t n = RP_MIN(size, c->f->size - (size_t)offset);
    memcpy(to, c->f->data + offset, n);
    if (offset + n > c->payload && offset >= RP_PROBE_HEAD_MAX)
        c->read_behind += n;
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
    assert_true(c.read_behind < 64);
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
        cmocka_unit_test(checklist_08__saves_hash_and_encode_to_the_same),
        cmocka_unit_test(checklist_09__any_order_and_gaps_but_no_overlap),
        cmocka_unit_test(checklist_10__flags_decide_presence),
        cmocka_unit_test(checklist_11__a_tick_needs_its_own_block_only),
        cmocka_unit_test(checklist_12__missing_frames_are_told),
        cmocka_unit_test(checklist_14__bad_deltas_are_refused),
        cmocka_unit_test(checklist_18__every_piece_encodes_to_the_same),
        cmocka_unit_test(checklist_19__chains_are_checked_entry_by_entry),
        cmocka_unit_test(checklist_20__skipped_ticks_verify_but_are_not_ranked),
        cmocka_unit_test(checklist_21__trust_comes_from_outside),
        cmocka_unit_test(checklist_22__no_byte_of_a_proof_may_change),
        cmocka_unit_test(checklist_23__live_files_read_and_recover),
        cmocka_unit_test(checklist_27__voice_needs_consent),
        cmocka_unit_test(checklist_28__embedded_content_is_kept_harmless),
        cmocka_unit_test(checklist_29__metadata_keeps_people_out),
        cmocka_unit_test(checklist_30__anonymous_files_verify),
        cmocka_unit_test(checklist_30__recompressing_keeps_the_content),
        cmocka_unit_test(checklist_30__writing_again_changes_nothing),
        cmocka_unit_test(checklist_32__seeds_of_64_bits_survive),
        cmocka_unit_test(checklist_34__zero_ticks_show_the_first_state),
        cmocka_unit_test(checklist_35__chains_of_any_cadence_verify),
        cmocka_unit_test(checklist_36__built_deltas_give_the_second_state),
        cmocka_unit_test(checklist_22__proofs_are_made_as_the_samples_were),
        cmocka_unit_test(checklist_35__a_replay_signed_here_verifies),
        cmocka_unit_test(api__a_save_written_is_a_save_read),
        cmocka_unit_test(api__a_replay_written_anew_has_the_same_keyframes),
        cmocka_unit_test(checklist_29__writers_refuse_what_readers_warn_about),
        cmocka_unit_test(checklist_38__listing_saves_reads_no_payload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
