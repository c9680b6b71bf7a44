/*
 * test_ic_reading.c - reading Iron Curtain files that contradict themselves or come from other
 * writers. Numbers in test names are the reading rules of docs/spec/ironcurtain.md, section 21.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash.h"
#include "options.h"
#include "reader.h"
#include "reprise/ironcurtain/codec.h"

#include "icdata.h"
#include "reprise/write.h"

/* ---- changing files ---- */

static void store(bytes *file, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        file->data[at + i] = (unsigned char)(value >> 8 * i);
}

/* Sections may be anywhere, so new metadata is appended to the file. */
static void set_metadata(bytes *file, const char *text)
{
    store(file, 8, file->size, 4);
    store(file, 12, strlen(text), 4);
    bytes_write(file, text, strlen(text));
}

/* The metadata with one text, which must be in it, in place of another. */
static void replace_in_metadata(bytes *file, const char *from, const char *to)
{
    size_t offset = rp_load32(file->data + 8), size = rp_load32(file->data + 12);
    char text[4096], changed_text[4096];
    assert_true(size < sizeof text);
    memcpy(text, file->data + offset, size);
    text[size] = '\0';
    char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(changed_text, sizeof changed_text, "%.*s%s%s", (int)(at - text), text, to,
             at + strlen(from));
    set_metadata(file, changed_text);
}

/* ---- what is said about them ---- */

typedef struct verdict {
    uint64_t warnings, faults;
    reprise_status worst;
    char words[8192]; /* "id: message" of each finding, a line each */
} verdict;

static void collect(void *ctx, const reprise_finding *f)
{
    verdict *v = ctx;
    size_t used = strlen(v->words);
    snprintf(v->words + used, sizeof v->words - used, "%s: %s\n", f->id, f->message);
}

static verdict judge(const bytes *file)
{
    verdict v = {0};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    expect_ok(reprise_verify(replay, collect, &v, &summary, &error), &error, "verify");
    v.worst = summary.worst;
    v.warnings = summary.warnings;
    v.faults = summary.faults;
    reprise_close(replay);
    return v;
}

static void expect_words(const verdict *v, const char *words, bool there)
{
    if ((strstr(v->words, words) != NULL) != there)
        fail_msg("'%s' should %sbe among: %s", words, there ? "" : "not ", v->words);
}

/* A number of the info document. */
static double info_number(const bytes *file, const char *member)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    double number = reprise_value_double(reprise_value_get(info, member), -1);
    reprise_close(replay);
    return number;
}

static bool info_bool(const bytes *file, const char *member)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    bool is = reprise_value_bool(reprise_value_get(info, member), false);
    reprise_close(replay);
    return is;
}

/* ---- contradictions ---- */

static void rule_1__stored_duration_is_shown_and_a_contradiction_warned_about(void **state)
{
    (void)state;
    bytes file = ic_load("basic.icrep"); /* 700 ticks at 15 per second */
    assert_true(info_number(&file, "stored_duration") == 46);
    verdict v = judge(&file);
    expect_words(&v, "icrep.duration", false);
    replace_in_metadata(&file, "\"duration_seconds\": 46", "\"duration_seconds\": 4600");
    assert_true(info_number(&file, "stored_duration") == 4600);
    assert_true(info_number(&file, "duration") == 700 * (66667 / 1e6));
    v = judge(&file);
    expect_words(&v, "icrep.duration: 700 ticks", true);
    assert_int_equal(v.faults, 0);
    bytes_free(&file);
    /* The published example has speed "normal" and 15 ticks per second: not a contradiction. */
    file = ic_load("basic.icrep");
    replace_in_metadata(&file, "\"game_speed\": \"slower\"", "\"game_speed\": \"normal\"");
    v = judge(&file);
    expect_words(&v, "icrep.duration", false);
    bytes_free(&file);
}

static void rule_2__a_flag_with_offset_0_means_absent(void **state)
{
    (void)state;
    static const struct {
        size_t place;
        const char *track;
    } sections[] = {{32, "events"}, {40, "signatures"}, {88, "voice"}};
    for (size_t i = 0; i < RP_COUNT(sections); i++) {
        bytes file = ic_load("full.icrep");
        assert_true(ic_count_rows(&file, sections[i].track, NULL, NULL) > 0);
        store(&file, sections[i].place, 0, 8);
        assert_int_equal(ic_count_rows(&file, sections[i].track, NULL, NULL), 0);
        assert_int_equal(ic_count_rows(&file, "ticks", NULL, NULL), 3356);
        verdict v = judge(&file);
        expect_words(&v, "icrep.section-absent", true);
        /* Rewriting removes the contradiction. */
        bytes again = changed(&file, (change){.recompress = true});
        v = judge(&again);
        expect_words(&v, "icrep.section-absent", false);
        assert_int_equal(info_bool(&again, "signed"), sections[i].place != 40);
        bytes_free(&again);
        bytes_free(&file);
    }
}

static void rule_3__lost_frames_are_counted_against_missing_ones(void **state)
{
    (void)state;
    bytes file = ic_load("lost-frames.icrep"); /* 8 frames and 1 keyframe are lost */
    verdict v = judge(&file);
    expect_words(&v, "icrep.lost-count", false);
    store(&file, 104, 7, 4);
    v = judge(&file);
    expect_words(&v, "icrep.lost-count: the header counts 7 lost frames, 8 are missing", true);
    assert_int_equal(v.faults, 0);
    store(&file, 104, 700, 4);
    v = judge(&file);
    expect_words(&v, "icrep.lost-count: the header counts 700 lost frames, 8 are missing", true);
    bytes_free(&file);
}

static void rule_4__a_mac_address_is_a_network_address(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } texts[] = {
        {"00:1A:2b:3C:4d:5E", true},   {"host 00-1a-2b-3c-4d-5e", true},
        {"(aa:bb:cc:dd:ee:ff)", true}, {"00:1A:2b:3C:4d", false},
        {"12:30:45", false},           {"00:1A-2b:3C:4d:5E", false},
        {"a00:1A:2b:3C:4d:5E", false}, {"2026-11-16", false},
        {"00:1A:2b:3C:4d:5Ex", false}, {"gg:hh:ii:jj:kk:ll", false},
    };
    for (size_t i = 0; i < RP_COUNT(texts); i++) {
        bytes file = ic_load("basic.icrep");
        char to[128];
        snprintf(to, sizeof to, "{\"map_name\": \"%s\"}", texts[i].text);
        set_metadata(&file, to);
        verdict v = judge(&file);
        expect_words(&v, "icrep.metadata-address: network address in map_name", texts[i].is);
        bytes_free(&file);
    }
}

/* ---- maps ---- */

enum { BIG_MAP = (1 << 20) + 1 };

/* A replay of this map without resources. */
static bytes replay_of_map(const unsigned char *map, size_t size)
{
    bytes file = ic_load("basic.icrep");
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sha256 *sha = NULL;
    uint8_t digest[RP_SHA256_SIZE];
    assert_int_equal(rp_sha256_new(&context, &sha, &error), REPRISE_OK);
    rp_sha256_update(sha, map, size);
    rp_sha256_final(sha, digest);
    rp_sha256_free(sha);
    char hash[2 * RP_SHA256_SIZE + 1], metadata[256];
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hash + 2 * i, 3, "%02x", digest[i]);
    snprintf(metadata, sizeof metadata, "{\"map_hash\": \"sha256:%s\"}", hash);
    set_metadata(&file, metadata);
    return file;
}

static reprise_status embed_map(const bytes *file, const unsigned char *map, size_t size,
                                bytes *ret_result, char note[256])
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = ret_result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_ic_embedding with = {.struct_size = sizeof with, .map = map, .map_size = size};
    const reprise_value *report = NULL;
    reprise_status status = reprise_ic_embed(replay, REPRISE_IC_MAP_EMBEDDED, &with, &options,
                                             &report, &error);
    const reprise_value *notes = reprise_value_get(report, "notes");
    const char *text = reprise_value_text(reprise_value_at(notes, 0), NULL);
    snprintf(note, 256, "%s", status == REPRISE_OK ? text ? text : "" : error.message);
    reprise_close(replay);
    return status;
}

static void rule_5__a_map_over_1_mib_is_referenced_by_its_hash(void **state)
{
    (void)state;
    unsigned char *map = calloc(1, BIG_MAP);
    bytes file = replay_of_map(map, BIG_MAP), result = {0};
    char note[256];
    assert_int_equal(embed_map(&file, map, BIG_MAP, &result, note), REPRISE_OK);
    assert_non_null(strstr(note, "the map has 1048577 bytes"));
    assert_int_equal(ic_count_rows(&result, "resources", NULL, NULL), 0);
    assert_int_equal(ic_faults(&result), 0);
    bytes_free(&result);
    /* Another map is refused whatever its size. */
    map[7] = 1;
    assert_int_equal(embed_map(&file, map, BIG_MAP, &result, note), REPRISE_E_CORRUPT);
    map[7] = 0;
    bytes_free(&result);
    bytes_free(&file);
    /* 1 MiB is embedded. */
    file = replay_of_map(map, BIG_MAP - 1);
    assert_int_equal(embed_map(&file, map, BIG_MAP - 1, &result, note), REPRISE_OK);
    assert_string_equal(note, "");
    assert_int_equal(ic_count_rows(&result, "resources", "kind", "map"), 1);
    bytes_free(&result);
    bytes_free(&file);
    free(map);
}

/* ---- what others may write ---- */

static bool is_same(const bytes *a, const bytes *b)
{
    reprise_replay *left = open_bytes(a, false), *right = open_bytes(b, false);
    reprise_diff_options options = REPRISE_DIFF_INIT;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    bool equal = false;
    expect_ok(reprise_diff(left, right, &options, &equal, &report, &error), &error, "diff");
    reprise_close(right);
    reprise_close(left);
    return equal;
}

static void expect_variant(const char *name, const char *original, const char *id)
{
    bytes file = ic_load(name);
    verdict v = judge(&file);
    if (v.faults || v.warnings)
        fail_msg("%s: %s", name, v.words);
    expect_words(&v, id, true);
    if (original) {
        bytes same = ic_load(original);
        assert_true(is_same(&file, &same));
        bytes_free(&same);
    }
    /* Rewriting gives profile 1 with the same content. */
    static const change changes[] = {{.recompress = true}, {.convert = NULL}};
    for (size_t i = 0; i < RP_COUNT(changes); i++) {
        bytes again = changed(&file, changes[i]);
        assert_true(is_same(&file, &again));
        v = judge(&again);
        expect_words(&v, id, false);
        bytes_free(&again);
    }
    bytes_free(&file);
}

static void rule_6__order_blocks_of_any_span_are_read(void **state)
{
    (void)state;
    static const char *const names[] = {"32", "100", "512", "1024"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "variants/span-%s.icrep", names[i]);
        expect_variant(name, "basic.icrep", "icrep.block-span");
        /* Any tick is found. */
        bytes file = ic_load(name);
        reprise_replay *replay = open_bytes(&file, false);
        for (int64_t tick = 0; tick <= 700; tick += 35) {
            reprise_error error = REPRISE_ERROR_INIT;
            const reprise_value *at = NULL;
            reprise_moment moment = {.by_index = true, .index = tick};
            expect_ok(reprise_at(replay, moment, &at, &error), &error, name);
            assert_true(reprise_value_bool(reprise_value_get(at, "exact"), false));
        }
        reprise_close(replay);
        bytes_free(&file);
    }
}

static void rule_6__blocks_must_have_one_span(void **state)
{
    (void)state;
    bytes file = ic_load("variants/span-100.icrep");
    size_t orders = rp_load32(file.data + 16);
    size_t second = orders + 32 + rp_load32(file.data + orders + 20);
    store(&file, second + 8, 101, 8);
    verdict v = judge(&file);
    expect_words(&v, "multiples of one span", true);
    bytes_free(&file);
}

static void rule_7__a_keyframe_index_needs_no_count(void **state)
{
    (void)state;
    expect_variant("variants/index-uncounted.icrep", "basic.icrep", "icrep.index-uncounted");
}

static void rule_8__a_public_key_may_have_its_length(void **state)
{
    (void)state;
    expect_variant("variants/key-40.icrep", "cadence-45.icrep", "icrep.key-length");
    bytes file = ic_load("variants/key-40.icrep");
    size_t chain = rp_load32(file.data + 40), size = rp_load32(file.data + 44);
    store(&file, chain + size - 40, 31, 8);
    verdict v = judge(&file);
    expect_words(&v, "a key of 31 bytes", true);
    bytes_free(&file);
}

static void rule_9__an_lz4_block_needs_no_size(void **state)
{
    (void)state;
    expect_variant("variants/lz4-plain.icrep", "basic.icrep", "icrep.lz4-plain");
    expect_variant("variants/lz4-plain.icsave", "skirmish.icsave", "icsave.lz4-plain");
}

static void rule_10__maps_of_a_campaign_may_be_in_any_order(void **state)
{
    (void)state;
    expect_variant("variants/maps-unsorted.icrep", NULL, "icrep.map-order");
    expect_variant("variants/maps-unsorted.icsave", NULL, "icsave.map-order");
    bytes file = ic_load("variants/maps-unsorted.icsave");
    assert_int_equal(ic_count_rows(&file, "vars", "name", "zebra"), 1);
    bytes_free(&file);
}

/* ---- engines to come ---- */

static reprise_status refusal(const bytes *file, change c)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(file, c.recover);
    reprise_status status = apply(replay, &c, &options, &report, &error);
    reprise_close(replay);
    bytes_free(&result);
    return status;
}

static const char *const future[] = {
    "variants/bad/future-rest.icrep",   "variants/bad/future-rest.icsave",
    "variants/bad/future-core.icrep",   "variants/bad/future-core.icsave",
    "variants/bad/future-orders.icrep", "variants/bad/future-events.icrep",
};

static void rule_12__other_types_are_a_schema_unknown_and_never_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(future); i++) {
        bytes file = ic_load(future[i]);
        verdict v = judge(&file);
        bool save = strstr(future[i], ".icsave") != NULL;
        if (v.worst != REPRISE_E_UNSUPPORTED || v.faults != 1)
            fail_msg("%s: %s, %s", future[i], reprise_status_name(v.worst), v.words);
        expect_words(&v,
                     save ? "icsave.schema-unknown: schema unknown: "
                          : "icrep.schema-unknown: schema unknown: ",
                     true);
        bytes_free(&file);
    }
}

static void rule_12__who_would_write_without_the_rest_refuses(void **state)
{
    (void)state;
    static const change changes[] = {{.convert = NULL}, {.anonymize = REPRISE_PRIVATE_ALL}};
    for (size_t i = 0; i < RP_COUNT(future); i++) {
        bytes file = ic_load(future[i]);
        for (size_t k = 0; k < RP_COUNT(changes); k++) {
            reprise_status status = refusal(&file, changes[k]);
            if (status != REPRISE_E_UNSUPPORTED)
                fail_msg("%s, %zu: %s", future[i], k, reprise_status_name(status));
        }
        if (strcmp(future[i], "variants/bad/future-events.icrep") != 0 &&
            strstr(future[i], ".icrep"))
            assert_int_equal(refusal(&file, (change){.recover = true}), REPRISE_E_UNSUPPORTED);
        bytes_free(&file);
    }
}

static void rule_12__sections_are_readable_on_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *file, *original, *tracks[6];
    } cases[] = {
        {"variants/bad/future-orders.icrep",
         "full.icrep",
         {"keyframes", "entities", "events", "voice", "signatures"}},
        {"variants/bad/future-events.icrep", "all-events.icrep", {"ticks", "orders", "keyframes"}},
        {"variants/bad/future-core.icrep", "all-events.icrep", {"ticks", "orders", "events"}},
        {"variants/bad/future-rest.icrep", "basic.icrep", {"ticks", "entities", "players"}},
        {"variants/bad/future-rest.icsave",
         "skirmish.icsave",
         {"entities", "players", "map_cells"}},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        bytes file = ic_load(cases[i].file), original = ic_load(cases[i].original);
        for (size_t k = 0; cases[i].tracks[k]; k++) {
            size_t found = ic_count_rows(&file, cases[i].tracks[k], NULL, NULL);
            assert_int_equal(found, ic_count_rows(&original, cases[i].tracks[k], NULL, NULL));
        }
        bytes_free(&file);
        bytes_free(&original);
    }
}

/* Sizes of the blobs that are unpacked bytes. */
static size_t unpacked_bytes(const bytes *file)
{
    reprise_replay *replay = open_bytes(file, false);
    size_t sum = 0;
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        sum += strncmp(blob->name, "unpacked/", 9) == 0 ? (size_t)blob->size : 0;
    }
    reprise_close(replay);
    return sum;
}

static void rule_12__extract_gives_the_unpacked_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(future); i++) {
        bytes file = ic_load(future[i]);
        if (unpacked_bytes(&file) < 500)
            fail_msg("%s: %zu bytes", future[i], unpacked_bytes(&file));
        bytes_free(&file);
    }
    bytes file = ic_load("full.icrep");
    assert_int_equal(unpacked_bytes(&file), 0);
    bytes_free(&file);
}

static void rule_11__what_follows_a_right_core_is_written_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bytes file = ic_load(future[i]);
        bytes again = changed(&file, (change){.recompress = true});
        assert_int_equal(unpacked_bytes(&again), unpacked_bytes(&file));
        verdict v = judge(&again);
        assert_int_equal(v.worst, REPRISE_E_UNSUPPORTED);
        expect_words(&v, "the core is valid, its hash is recorded", true);
        bytes_free(&again);
        bytes_free(&file);
    }
}

/* ---- desyncs ---- */

static void rule_13__a_desync_names_the_part_that_differs(void **state)
{
    (void)state;
    bytes file = ic_load("variants/bad/changed-order.icrep");
    TEST_OPTIONS(options);
    reprise_options_set_simulate(options, REPRISE_SIMULATE_ALL, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    verdict v = {0};
    expect_ok(reprise_open_memory(file.data, file.size, options, &replay, &error), &error, "open");
    expect_ok(reprise_verify(replay, collect, &v, &summary, &error), &error, "verify");
    expect_words(&v, "icrep.desync", true);
    expect_words(&v, "parts that differ at keyframe 300: arch:", true);
    const reprise_value *about = reprise_value_get(summary.document, "simulation");
    const char *first = reprise_value_text(reprise_value_get(about, "first_part"), NULL);
    assert_non_null(first);
    assert_true(strncmp(first, "arch:", 5) == 0);
    reprise_close(replay);
    bytes_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_1__stored_duration_is_shown_and_a_contradiction_warned_about),
        cmocka_unit_test(rule_2__a_flag_with_offset_0_means_absent),
        cmocka_unit_test(rule_3__lost_frames_are_counted_against_missing_ones),
        cmocka_unit_test(rule_4__a_mac_address_is_a_network_address),
        cmocka_unit_test(rule_5__a_map_over_1_mib_is_referenced_by_its_hash),
        cmocka_unit_test(rule_6__order_blocks_of_any_span_are_read),
        cmocka_unit_test(rule_6__blocks_must_have_one_span),
        cmocka_unit_test(rule_7__a_keyframe_index_needs_no_count),
        cmocka_unit_test(rule_8__a_public_key_may_have_its_length),
        cmocka_unit_test(rule_9__an_lz4_block_needs_no_size),
        cmocka_unit_test(rule_10__maps_of_a_campaign_may_be_in_any_order),
        cmocka_unit_test(rule_11__what_follows_a_right_core_is_written_back),
        cmocka_unit_test(rule_12__other_types_are_a_schema_unknown_and_never_damage),
        cmocka_unit_test(rule_12__who_would_write_without_the_rest_refuses),
        cmocka_unit_test(rule_12__sections_are_readable_on_their_own),
        cmocka_unit_test(rule_12__extract_gives_the_unpacked_bytes),
        cmocka_unit_test(rule_13__a_desync_names_the_part_that_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
