/*
 * test_ic_encoding.c - the conformance checklist of docs/spec/ironcurtain.md, section 20, as far as
 * it concerns writing: every piece encodes to the same bytes, operations keep the content, and the
 * typed interface writes what it reads. Numbers in test names are items of the checklist.
 */
#include "ic_fixture.h"

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

/* ---- operations ---- */

typedef reprise_status operation(reprise_replay *replay, const reprise_write_options *options,
                                 const reprise_value **ret_report, reprise_error *error);

static file operate(operation *run, const uint8_t *data, size_t size, int level, bool salvage)
{
    file o = {0};
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
    file whole = operate(reprise_recover, f.data, f.size, REPRISE_LEVEL_DEFAULT, true);
    assert_int_equal(count_of(whole.data, whole.size, "ticks"), count_of(f.data, f.size, "ticks"));
    assert_int_equal(count_of(whole.data, whole.size, "orders"),
                     count_of(f.data, f.size, "orders"));
    assert_int_equal(rp_load64(whole.data + 48), 800);
    assert_true(whole.data[7] & IC_INCOMPLETE);
    free(whole.data);
    free(f.data);
    f = load("live-torn.icrep");
    file rest = operate(reprise_recover, f.data, f.size, REPRISE_LEVEL_DEFAULT, true);
    assert_int_equal(count_of(rest.data, rest.size, "ticks"), 800);
    assert_int_equal(rp_load32(rest.data + 104), 1);
    free(rest.data);
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
    file o = operate(anonymize_all, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
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
            file o = operate(reprise_recompress, f.data, f.size, levels[k], false);
            file twice = operate(reprise_recompress, o.data, o.size, levels[k], false);
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
        file once = operate(reprise_convert, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
        expect_sound(once.data, once.size);
        file twice = operate(reprise_convert, once.data, once.size, REPRISE_LEVEL_DEFAULT, false);
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
    file o = operate(anonymize_all, f.data, f.size, REPRISE_LEVEL_DEFAULT, false);
    static const char seed[] = "\"initial_rng_seed\": 12821265202087015403";
    bool found = false;
    for (size_t i = 0; i + sizeof seed < o.size && !found; i++)
        found = memcmp(o.data + i, seed, sizeof seed - 1) == 0;
    assert_true(found);
    free(o.data);
    free(f.data);
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
        file o = {0};
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
static file write_anew(world *x, ic_replay *replay)
{
    reprise_ic_writer *writer = NULL;
    file o = {0};
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
    file o = write_anew(&x, replay);
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
        "\xef\xbb\xbf{}",
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

/* A text is taken as metadata: an address or a path is refused wherever it is in it. */
static bool is_refused(const char *text)
{
    char metadata[256];
    snprintf(metadata, sizeof metadata, "{\"relay_server\": \"%s\"}", text);
    reprise_ic_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_ic_writer_new(metadata, NULL, REPRISE_LEVEL_DEFAULT, &writer,
                                                  &error);
    reprise_ic_writer_free(writer);
    return status != REPRISE_OK;
}

static void checklist_29__addresses_and_paths_are_recognised_to_the_letter(void **state)
{
    (void)state;
    static const char *const addresses[] = {"0.0.0.0",
                                            "255.255.255.255",
                                            "1.2.3.4",
                                            "::1",
                                            "1::",
                                            "fe80::1",
                                            "1:2:3:4:5:6:7:8",
                                            "1:2:3:4:5:6:7::",
                                            "abcd:ef01:2345:6789:abcd:ef01:2345:6789",
                                            "00:1a:2b:3c:4d:5e",
                                            "00-1A-2B-3C-4D-5E",
                                            "/",
                                            "/x",
                                            "~/x",
                                            "c:/x",
                                            "Z:/",
                                            "a\\\\b"};
    static const char *const others[] = {"",
                                         "1.2.3",
                                         "256.1.1.1",
                                         "1.2.3.256",
                                         "1.2.3.4.5",
                                         "1.2.3.4x",
                                         "x1.2.3.4",
                                         "1.2.3.",
                                         "1234.1.1.1",
                                         "12:34",
                                         "12:34:56",
                                         "1:2:3:4:5:6:7",
                                         ":",
                                         "12345::1",
                                         "g::1",
                                         "00:1a:2b:3c:4d:5",
                                         "00:1a:2b-3c:4d:5e",
                                         "00:1a:2b:3c:4d:5g",
                                         "~",
                                         "~x",
                                         "c:x",
                                         "1:/x",
                                         "a/b",
                                         "x"};
    for (size_t i = 0; i < RP_COUNT(addresses); i++) {
        char inside[128];
        if (!is_refused(addresses[i]))
            fail_msg("%s is not taken for an address or a path", addresses[i]);
        snprintf(inside, sizeof inside, "at (%s), here", addresses[i]);
        if (i < 11 && !is_refused(inside))
            fail_msg("%s is not taken for an address", inside);
    }
    for (size_t i = 0; i < RP_COUNT(others); i++) {
        if (is_refused(others[i]))
            fail_msg("%s is taken for an address or a path", others[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_29__addresses_and_paths_are_recognised_to_the_letter),
        cmocka_unit_test(checklist_08__saves_hash_and_encode_to_the_same),
        cmocka_unit_test(checklist_18__every_piece_encodes_to_the_same),
        cmocka_unit_test(checklist_36__built_deltas_give_the_second_state),
        cmocka_unit_test(checklist_23__live_files_read_and_recover),
        cmocka_unit_test(checklist_30__anonymous_files_verify),
        cmocka_unit_test(checklist_30__recompressing_keeps_the_content),
        cmocka_unit_test(checklist_30__writing_again_changes_nothing),
        cmocka_unit_test(checklist_32__seeds_of_64_bits_survive),
        cmocka_unit_test(api__a_save_written_is_a_save_read),
        cmocka_unit_test(api__a_replay_written_anew_has_the_same_keyframes),
        cmocka_unit_test(checklist_29__writers_refuse_what_readers_warn_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
