/*
 * test_ic_host.c - the library as engines use it: compatibility, migrations, and writers that
 * refuse what must not be in a file.
 * Numbers in test names are items of the checklist in docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "ironcurtain/edit/write.h"
#include "ironcurtain/read/compat.h"
#include "json.h"

#include "icdata.h"
#include "reprise/write.h"

/* ---- 13: keyframes ---- */

typedef struct listed {
    char hash[65];
    int64_t tick;
} listed;

static size_t read_listed(const char *name, listed *ret, size_t max)
{
    char path[128];
    rp_context context;
    rp_arena arena;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_value *expect = NULL;
    rp_context_init(&context, NULL);
    rp_arena_init(&arena, &context);
    snprintf(path, sizeof path, "%s.expect.json", name);
    bytes text = ic_load(path);
    rp_doc doc = {.arena = &arena, .error = &error};
    expect_ok(rp_json_parse(&doc, (char *)text.data, text.size, "expect", &expect, NULL), &error,
              name);
    const reprise_value *list = reprise_value_get(expect, "keyframes");
    size_t count = reprise_value_count(list);
    assert_true(count && count <= max);
    for (size_t i = 0; i < count; i++) {
        const reprise_value *one = reprise_value_at(list, i);
        ret[i].tick = reprise_value_int(reprise_value_get(one, "tick"), -1);
        snprintf(ret[i].hash, sizeof ret[i].hash, "%s",
                 reprise_value_text(reprise_value_get(one, "state_hash"), NULL));
    }
    bytes_free(&text);
    rp_arena_free(&arena);
    return count;
}

static void checklist_13__keyframes_have_the_listed_hashes(void **state)
{
    (void)state;
    static const char *const names[] = {"basic.icrep", "full.icrep", "lost-full-keyframe.icrep",
                                        "live-torn.icrep", "all-events.icrep"};
    static listed wanted[64];
    for (size_t n = 0; n < RP_COUNT(names); n++) {
        size_t count = read_listed(names[n], wanted, RP_COUNT(wanted));
        bytes file = ic_load(names[n]);
        rp_context context;
        rp_source *source = NULL;
        rp_replay *replay = NULL;
        ic_loader loader;
        reprise_error error = REPRISE_ERROR_INIT;
        rp_context_init(&context, NULL);
        expect_ok(rp_source_open_memory(&context, file.data, file.size, &source, &error), &error,
                  names[n]);
        expect_ok(rp_replay_open(&context, source, NULL, NULL, &replay, &error), &error, names[n]);
        expect_ok(ic_loader_init(&loader, (ic_replay *)replay, &error), &error, names[n]);
        assert_int_equal(((ic_replay *)replay)->pieces[IC_KEYFRAMES].count, count);
        /* Loading in this order or in reverse gives the same states. */
        for (size_t i = 0; i < 2 * count; i++) {
            size_t k = i < count ? i : 2 * count - 1 - i;
            char hex[65];
            expect_ok(ic_loader_load(&loader, k, &error), &error, names[n]);
            for (size_t b = 0; b < 32; b++)
                snprintf(hex + 2 * b, 3, "%02x", loader.now.hash[b]);
            assert_string_equal(hex, wanted[k].hash);
            assert_int_equal(loader.now.core.tick, wanted[k].tick);
        }
        ic_loader_free(&loader);
        rp_replay_close(replay);
        rp_source_close(source);
        bytes_free(&file);
    }
}

/* The index must agree with the states: full at tick 0, ascending, same ticks. */
static void checklist_13__the_index_cannot_lie(void **state)
{
    (void)state;
    enum { ENTRY = 21 };
    bytes file = ic_load("full.icrep");
    uint8_t *index = file.data + rp_load32(file.data + 24) + 8;
    rp_store64(index + ENTRY, 301); /* the stored state is that of tick 300 */
    assert_true(ic_faults(&file) > 0);
    rp_store64(index + ENTRY, 700); /* after the next one */
    assert_true(ic_faults(&file) > 0);
    rp_store64(index + ENTRY, 300);
    assert_int_equal(ic_faults(&file), 0);
    index[20] = 0; /* the first keyframe is not full */
    assert_true(ic_faults(&file) > 0);
    index[20] = 1;
    rp_store64(index, 1);
    assert_true(ic_faults(&file) > 0);
    bytes_free(&file);
}

/* ---- 31: compatibility ---- */

static reprise_ic_compat fit_of(const char *name, const reprise_ic_host_info *needs,
                                const reprise_ic_codec *ic)
{
    bytes file = ic_load(name);
    reprise_replay *replay = open_bytes(&file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_compat fit = REPRISE_IC_COMPAT_INIT;
    expect_ok(reprise_ic_check_compat(ic, replay, needs, &fit, &error), &error, name);
    reprise_close(replay);
    bytes_free(&file);
    return fit;
}

static void checklist_31__saves_of_other_versions(void **state)
{
    (void)state;
    /* The sample was made by engine 0.5.0 for mod interface 1.0. */
    static const struct {
        const char *engine, *mod_api;
        reprise_ic_verdict verdict;
    } cases[] = {
        {"0.5.0", "1.0", REPRISE_IC_LOADS},      {"0.5", "1", REPRISE_IC_LOADS},
        {NULL, NULL, REPRISE_IC_LOADS},          {"0.5.0", "1.7", REPRISE_IC_NOTE},
        {"0.5.0", "2.0", REPRISE_IC_REFUSE},     {"0.5.0", "0.9", REPRISE_IC_REFUSE},
        {"0.6.0", "1.0", REPRISE_IC_WARN},       {"0.4.9", "1.0", REPRISE_IC_WARN},
        {"0.10.0", "1.0", REPRISE_IC_WARN},      {"0.4.9", "2.0", REPRISE_IC_REFUSE},
        {"0.5.0-beta", "1.0", REPRISE_IC_LOADS}, {"none", "1.0", REPRISE_IC_WARN},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        reprise_ic_host_info needs = REPRISE_IC_HOST_INFO_INIT;
        needs.engine_version = cases[i].engine;
        needs.mod_api_version = cases[i].mod_api;
        reprise_ic_compat fit = fit_of("checkpoint.icsave", &needs, NULL);
        assert_int_equal(fit.verdict, cases[i].verdict);
        assert_int_equal(fit.message[0] == '\0', fit.verdict == REPRISE_IC_LOADS);
    }
}

typedef struct steps {
    char taken[64];
    bool breaks;
} steps;

static reprise_status double_credits(void *ctx, reprise_ic_codec *ic, reprise_ic_snapshot *snapshot,
                                     reprise_error *error)
{
    steps *s = ctx;
    (void)ic;
    (void)error;
    strncat(s->taken, "a", sizeof s->taken - strlen(s->taken) - 1);
    reprise_ic_player *players = snapshot->core.player_states.items;
    players[0].credits *= 2;
    return REPRISE_OK;
}

static reprise_status second_step(void *ctx, reprise_ic_codec *ic, reprise_ic_snapshot *snapshot,
                                  reprise_error *error)
{
    steps *s = ctx;
    (void)ic;
    (void)error;
    strncat(s->taken, "b", sizeof s->taken - strlen(s->taken) - 1);
    if (s->breaks)
        snapshot->core.map_state.width = 0;
    return REPRISE_OK;
}

static void checklist_31__migrations_run_one_after_the_other(void **state)
{
    (void)state;
    steps s = {{0}, false};
    reprise_ic_codec *ic = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_snapshot before, after;
    reprise_ic_compat fit = REPRISE_IC_COMPAT_INIT;
    reprise_ic_host_info needs = REPRISE_IC_HOST_INFO_INIT;
    bytes file = ic_load("checkpoint.icsave");
    expect_ok(reprise_ic_codec_new(NULL, &ic, &error), &error, "new");
    assert_int_equal(reprise_ic_add_migration(ic, "0.6", "0.6.0", second_step, &s, &error),
                     REPRISE_E_USAGE);
    error = (reprise_error)REPRISE_ERROR_INIT;
    expect_ok(reprise_ic_add_migration(ic, "0.6", "0.7", second_step, &s, &error), &error, "b");
    expect_ok(reprise_ic_add_migration(ic, "0.5", "0.6", double_credits, &s, &error), &error, "a");
    expect_ok(reprise_ic_read_save(ic, file.data, file.size, &before, &error), &error, "read");
    int64_t credits = ((const reprise_ic_player *)before.core.player_states.items)[0].credits;
    /* Engine 0.6 needs the first migration only, 0.4 and 0.5 need none. */
    needs.engine_version = "0.6.0";
    assert_int_equal(fit_of("checkpoint.icsave", &needs, ic).verdict, REPRISE_IC_MIGRATE);
    expect_ok(reprise_ic_load_save(ic, file.data, file.size, &needs, &fit, &after, &error), &error,
              "load");
    assert_string_equal(s.taken, "a");
    assert_int_equal(fit.verdict, REPRISE_IC_MIGRATE);
    assert_int_equal(((const reprise_ic_player *)after.core.player_states.items)[0].credits,
                     2 * credits);
    s.taken[0] = '\0';
    needs.engine_version = "0.7.3";
    expect_ok(reprise_ic_load_save(ic, file.data, file.size, &needs, &fit, &after, &error), &error,
              "load");
    assert_string_equal(s.taken, "ab");
    s.taken[0] = '\0';
    needs.engine_version = "0.4";
    expect_ok(reprise_ic_load_save(ic, file.data, file.size, &needs, &fit, &after, &error), &error,
              "load");
    assert_string_equal(s.taken, "");
    assert_int_equal(fit.verdict, REPRISE_IC_WARN);
    /* The result of a migration is checked. */
    s.breaks = true;
    needs.engine_version = "0.7.3";
    assert_int_equal(reprise_ic_load_save(ic, file.data, file.size, &needs, &fit, &after, &error),
                     REPRISE_E_CORRUPT);
    /* Another major version of the mod interface is refused before anything is decoded. */
    error = (reprise_error)REPRISE_ERROR_INIT;
    needs.mod_api_version = "2.0";
    assert_int_equal(reprise_ic_load_save(ic, file.data, file.size, &needs, &fit, &after, &error),
                     REPRISE_E_UNSUPPORTED);
    assert_int_equal(fit.verdict, REPRISE_IC_REFUSE);
    reprise_ic_codec_free(ic);
    bytes_free(&file);
}

static bool knows(void *ctx, const char *data_version)
{
    return strcmp(ctx, data_version) == 0;
}

static void checklist_31__replays_need_module_and_rules(void **state)
{
    (void)state;
    reprise_ic_host_info needs = REPRISE_IC_HOST_INFO_INIT;
    needs.game_module = "ra1";
    /* It embeds the rules that its metadata names. */
    assert_int_equal(fit_of("self-contained.icrep", &needs, NULL).verdict, REPRISE_IC_LOADS);
    needs.game_module = "td";
    assert_int_equal(fit_of("self-contained.icrep", &needs, NULL).verdict, REPRISE_IC_REFUSE);
    needs.game_module = "ra1";
    assert_int_equal(fit_of("basic.icrep", &needs, NULL).verdict, REPRISE_IC_REFUSE);
    bytes file = ic_load("basic.icrep");
    reprise_replay *replay = open_bytes(&file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    char version[80];
    snprintf(version, sizeof version, "%s",
             reprise_value_text(reprise_value_get(info, "data_version"), NULL));
    reprise_close(replay);
    needs.has_rules = knows;
    needs.ctx = version;
    assert_int_equal(fit_of("basic.icrep", &needs, NULL).verdict, REPRISE_IC_LOADS);
    version[10] ^= 1;
    assert_int_equal(fit_of("basic.icrep", &needs, NULL).verdict, REPRISE_IC_REFUSE);
    /* base_build must be the header's version. */
    static const char key[] = "\"base_build\"";
    for (size_t i = 0; i + sizeof key + 4 < file.size; i++) {
        if (memcmp(file.data + i, key, sizeof key - 1) == 0) {
            char *one = strchr((char *)file.data + i, '1');
            *one = '2';
            break;
        }
    }
    version[10] ^= 1;
    replay = open_bytes(&file, false);
    reprise_ic_compat fit = REPRISE_IC_COMPAT_INIT;
    expect_ok(reprise_ic_check_compat(NULL, replay, &needs, &fit, &error), &error, "fit");
    assert_int_equal(fit.verdict, REPRISE_IC_REFUSE);
    reprise_close(replay);
    bytes_free(&file);
}

static void checklist_31__restoring_needs_the_same_match(void **state)
{
    (void)state;
    reprise_ic_core a = {.game_seed = 1}, b = {.game_seed = 1};
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_check_restore(&a, &b, &error), REPRISE_OK);
    b.map_hash[31] = 1;
    assert_int_equal(reprise_ic_check_restore(&a, &b, &error), REPRISE_E_UNSUPPORTED);
    error = (reprise_error)REPRISE_ERROR_INIT;
    b = a;
    b.game_seed = 2;
    assert_int_equal(reprise_ic_check_restore(&a, &b, &error), REPRISE_E_UNSUPPORTED);
}

/* A save is loaded by name only from inside its directory. */
static void save__names_do_not_lead_out(void **state)
{
    (void)state;
    char top[64] = "/tmp/reprise-named-XXXXXX", path[96], to[160];
    reprise_ic_codec *ic = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_snapshot snapshot;
    bytes file = ic_load("checkpoint.icsave");
    assert_non_null(mkdtemp(top));
    snprintf(path, sizeof path, "%s/saves", top);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < 2; i++) {
        snprintf(to, sizeof to, i ? "%s/outside.icsave" : "%s/saves/a.icsave", top);
        FILE *f = fopen(to, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(file.data, 1, file.size, f), file.size);
        fclose(f);
    }
    snprintf(to, sizeof to, "%s/link.icsave", path);
    assert_int_equal(symlink("../outside.icsave", to), 0);
    snprintf(to, sizeof to, "%s/up", path);
    assert_int_equal(symlink("..", to), 0);
    expect_ok(reprise_ic_codec_new(NULL, &ic, &error), &error, "new");
    expect_ok(reprise_ic_load_named(ic, path, "a.icsave", NULL, NULL, &snapshot, &error), &error,
              "load");
    assert_int_equal(snapshot.core.tick, 437);
    static const char *const bad[] = {"../outside.icsave",
                                      "link.icsave",
                                      "up/outside.icsave",
                                      "/etc/passwd",
                                      "none.icsave",
                                      "",
                                      ".",
                                      "a.icsave/b.icsave",
                                      "nul"};
    for (size_t i = 0; i < RP_COUNT(bad); i++) {
        error = (reprise_error)REPRISE_ERROR_INIT;
        assert_int_not_equal(reprise_ic_load_named(ic, path, bad[i], NULL, NULL, &snapshot, &error),
                             REPRISE_OK);
    }
    reprise_ic_codec_free(ic);
    snprintf(to, sizeof to, "rm -rf '%s'", top);
    assert_int_equal(system(to), 0);
    bytes_free(&file);
}

/* ---- 27, 28: writers ---- */

static const char metadata[] =
    "{\"game_speed\": \"slower\", \"base_build\": 1, \"players\": [], \"map_hash\": "
    "\"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}"; /* of "abc" */

typedef struct writing {
    reprise_ic_writer *writer;
    reprise_ic_codec *ic;
    reprise_ic_snapshot first;
    bytes save, out;
    reprise_error error;
} writing;

static void begin(writing *w)
{
    *w = (writing){.error = REPRISE_ERROR_INIT};
    w->save = ic_load("skirmish.icsave");
    expect_ok(reprise_ic_codec_new(NULL, &w->ic, &w->error), &w->error, "new");
    expect_ok(reprise_ic_read_save(w->ic, w->save.data, w->save.size, &w->first, &w->error),
              &w->error, "read");
    w->first.core.tick = 0;
    expect_ok(reprise_ic_writer_new(metadata, NULL, REPRISE_LEVEL_DEFAULT, &w->writer, &w->error),
              &w->error, "writer");
    expect_ok(reprise_ic_writer_keyframe(w->writer, &w->first, &w->error), &w->error, "keyframe");
}

static void finish(writing *w)
{
    uint8_t hash[32];
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_sink sink = {.ctx = &w->out, .write = bytes_write};
    options.sink = &sink;
    expect_ok(reprise_ic_state_hash(w->ic, &w->first.core, hash, &w->error), &w->error, "hash");
    expect_ok(reprise_ic_writer_finish(w->writer, 0, hash, &options, &w->error), &w->error,
              "finish");
    reprise_ic_writer_free(w->writer);
}

static void end(writing *w)
{
    reprise_ic_codec_free(w->ic);
    bytes_free(&w->save);
    bytes_free(&w->out);
}

static void checklist_27__voice_without_consent_cannot_be_written(void **state)
{
    (void)state;
    writing w;
    static char large[257];
    reprise_ic_voice_frame frames[] = {
        {0, {"\x08one", 4}, {.variant = REPRISE_IC_VOICE_TARGET_ALL}},
        {0, {"\x08two", 4}, {.variant = REPRISE_IC_VOICE_TARGET_TEAM}}};
    reprise_ic_voice_track tracks[] = {{0, false, {frames, 2}}, {1, false, {NULL, 0}}};
    reprise_ic_voice voice = {{tracks, 2}};
    begin(&w);
    assert_int_equal(reprise_ic_writer_voice(w.writer, &voice, &w.error), REPRISE_E_CORRUPT);
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    tracks[0].consented = true;
    frames[0].tick = 1; /* the next frame has tick 0 */
    assert_int_equal(reprise_ic_writer_voice(w.writer, &voice, &w.error), REPRISE_E_CORRUPT);
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    frames[0].tick = 0;
    frames[1].opus_data = (reprise_text){large, sizeof large};
    assert_int_equal(reprise_ic_writer_voice(w.writer, &voice, &w.error), REPRISE_E_LIMIT);
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    frames[1].opus_data = (reprise_text){"\x08two", 4};
    expect_ok(reprise_ic_writer_voice(w.writer, &voice, &w.error), &w.error, "voice");
    finish(&w);
    assert_int_equal(ic_faults(&w.out), 0);
    assert_int_equal(ic_count_rows(&w.out, "voice", NULL, NULL), 2);
    end(&w);
}

static void checklist_28__writers_embed_what_readers_take(void **state)
{
    (void)state;
    writing w;
    static char large[(1 << 20) + 1];
    reprise_ic_rule rules[] = {{{"mod", 3}, {"rules/a.yaml", 12}, {"a: 1", 4}}};
    reprise_ic_manifest manifest = {.rules = {rules, 1}};
    reprise_ic_embedding embedding = {
        .struct_size = sizeof embedding, .map = large, .map_size = sizeof large};
    begin(&w);
    /* A large map is referenced by its hash instead of embedded, but must match it. */
    assert_int_equal(reprise_ic_writer_embed(w.writer, &embedding, &w.error), REPRISE_E_CORRUPT);
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    embedding.map_size = 3; /* three zeros are not the named map */
    assert_int_equal(reprise_ic_writer_embed(w.writer, &embedding, &w.error), REPRISE_E_CORRUPT);
    embedding.map = "abc";
    embedding.manifest = &manifest;
    embedding.balance_preset = "classic";
    embedding.initial_state = &w.first;
    static const char *const bad[] = {"../a.yaml", "/a.yaml", "C:\\a.yaml", "a.lua"};
    for (size_t i = 0; i < RP_COUNT(bad); i++) {
        w.error = (reprise_error)REPRISE_ERROR_INIT;
        rules[0].path = (reprise_text){bad[i], strlen(bad[i])};
        assert_int_equal(reprise_ic_writer_embed(w.writer, &embedding, &w.error),
                         REPRISE_E_CORRUPT);
    }
    rules[0].path = (reprise_text){"rules/a.yaml", 12};
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    rules[0].mod_id = (reprise_text){"../up", 5};
    assert_int_equal(reprise_ic_writer_embed(w.writer, &embedding, &w.error), REPRISE_E_CORRUPT);
    rules[0].mod_id = (reprise_text){"mod", 3};
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    w.first.core.tick = 1;
    assert_int_equal(reprise_ic_writer_embed(w.writer, &embedding, &w.error), REPRISE_E_USAGE);
    w.first.core.tick = 0;
    w.error = (reprise_error)REPRISE_ERROR_INIT;
    expect_ok(reprise_ic_writer_embed(w.writer, &embedding, &w.error), &w.error, "embed");
    finish(&w);
    assert_int_equal(ic_faults(&w.out), 0);
    reprise_replay *replay = open_bytes(&w.out, false);
    assert_int_equal(reprise_blob_count(replay), 4);
    assert_string_equal(reprise_blob_at(replay, 0)->name, "map.bin");
    assert_string_equal(reprise_blob_at(replay, 1)->name, "rules/mod/rules/a.yaml");
    reprise_close(replay);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_13__keyframes_have_the_listed_hashes),
        cmocka_unit_test(checklist_13__the_index_cannot_lie),
        cmocka_unit_test(checklist_31__saves_of_other_versions),
        cmocka_unit_test(checklist_31__migrations_run_one_after_the_other),
        cmocka_unit_test(checklist_31__replays_need_module_and_rules),
        cmocka_unit_test(checklist_31__restoring_needs_the_same_match),
        cmocka_unit_test(save__names_do_not_lead_out),
        cmocka_unit_test(checklist_27__voice_without_consent_cannot_be_written),
        cmocka_unit_test(checklist_28__writers_embed_what_readers_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
