/*
 * test_ic_reading.c - Iron Curtain files that contradict themselves or that other writers might
 * make: what a reader makes of them. Numbers in the names are rules of docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash.h"
#include "reader.h"
#include "reprise/ironcurtain.h"

#include "icdata.h"

/* ---- changing files ---- */

static void store(bytes *file, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        file->data[at + i] = (unsigned char)(value >> 8 * i);
}

/* Sections may be anywhere, so other metadata goes to the end of the file. */
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

/* A number of the document that `info` gives. */
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
    assert_true(info_number(&file, "duration") == 46);
    verdict v = judge(&file);
    expect_words(&v, "icrep.duration", false);
    replace_in_metadata(&file, "\"duration_seconds\": 46", "\"duration_seconds\": 4600");
    assert_true(info_number(&file, "duration") == 4600);
    v = judge(&file);
    expect_words(&v, "icrep.duration: 700 ticks and 4600 seconds", true);
    assert_int_equal(v.faults, 0);
    bytes_free(&file);
    /* The published example says "normal" and counts 15 ticks per second: no contradiction. */
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
        /* Written again it is clean. */
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

/* A replay without resources whose map is this one. */
static bytes replay_of_map(const unsigned char *map, size_t size)
{
    bytes file = ic_load("basic.icrep");
    reprise_options options;
    reprise_options_init(&options);
    rp_context context;
    rp_context_init(&context, &options);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_1__stored_duration_is_shown_and_a_contradiction_warned_about),
        cmocka_unit_test(rule_2__a_flag_with_offset_0_means_absent),
        cmocka_unit_test(rule_3__lost_frames_are_counted_against_missing_ones),
        cmocka_unit_test(rule_4__a_mac_address_is_a_network_address),
        cmocka_unit_test(rule_5__a_map_over_1_mib_is_referenced_by_its_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
