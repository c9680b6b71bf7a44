/*
 * test_ic_extract.c - extracting parts of Iron Curtain files: nothing is written outside the new
 * directory, nothing embedded is extracted without consent, and voices become playable files.
 * Numbers in test names are items of the checklist in docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ironcurtain/edit/write.h"
#include "options.h"
#include "opus.h"
#include "zip_write.h"

#include "icdata.h"

/* ---- a place for results ---- */

typedef struct place {
    char top[64], path[128];
} place;

static place new_place(void)
{
    place p;
    snprintf(p.top, sizeof p.top, "/tmp/reprise-extract-XXXXXX");
    assert_non_null(mkdtemp(p.top));
    snprintf(p.path, sizeof p.path, "%s/out", p.top);
    return p;
}

static void remove_place(const place *p)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->top);
    assert_int_equal(system(command), 0);
}

static bool there(const place *p, const char *name)
{
    char path[256];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", p->path, name);
    return lstat(path, &about) == 0;
}

/* Counts the files and directories below a directory. */
static unsigned count_all(const place *p)
{
    char command[128], line[32] = "";
    snprintf(command, sizeof command, "find '%s' -mindepth 1 | wc -l", p->top);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    pclose(f);
    return (unsigned)strtoul(line, NULL, 10);
}

/* ---- hostile replays ---- */

typedef struct forge {
    rp_context context;
    reprise_error error;
    rp_arena arena;
} forge;

static void forge_init(forge *x)
{
    rp_context_init(&x->context, NULL);
    x->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_arena_init(&x->arena, &x->context);
}

/* Gives a sample another embedded section, and another map hash if it has another map. */
static bytes embed(forge *x, const char *name, const ic_embedded *embedded, const rp_text *map)
{
    bytes file = ic_load(name);
    rp_writer w;
    rp_writer_init(&w, &x->context, SIZE_MAX / 2, &x->error);
    rp_bincode_write(&w, &ic_embedded_record, embedded);
    assert_int_equal(x->error.status, REPRISE_OK);
    rp_store32(file.data + 96, (uint32_t)file.size);
    rp_store32(file.data + 100, (uint32_t)w.size);
    bytes_write(&file, w.data, w.size);
    rp_writer_free(&w);
    if (map) {
        static const char key[] = "\"map_hash\"";
        uint8_t digest[32];
        ic_hasher hasher;
        assert_int_equal(ic_hasher_init(&hasher, &x->context, &x->error), REPRISE_OK);
        ic_digest(&hasher, map->data, map->size, digest);
        ic_hasher_free(&hasher);
        char *at = NULL;
        for (size_t i = 0; i + sizeof key < file.size && !at; i++) {
            if (memcmp(file.data + i, key, sizeof key - 1) == 0)
                at = (char *)file.data + i;
        }
        assert_non_null(at);
        at = strchr(at, ':') + 1;
        at = strchr(at, ':') + 1; /* after "sha256 */
        for (size_t i = 0; i < 32; i++) {
            char hex[3];
            snprintf(hex, sizeof hex, "%02x", digest[i]);
            memcpy(at + 2 * i, hex, 2);
        }
    }
    return file;
}

static rp_text text_of(const char *text)
{
    return (rp_text){text, strlen(text)};
}

static bytes with_rules(forge *x, const char *const (*names)[2], size_t count)
{
    ic_rule *rules = rp_arena_array(&x->arena, count, sizeof *rules, &x->error);
    for (size_t i = 0; i < count; i++)
        rules[i] = (ic_rule){text_of(names[i][0]), text_of(names[i][1]), text_of("a: 1\n")};
    ic_manifest manifest = {.rules = {rules, count}};
    ic_embedded embedded = {.mod_manifest = &manifest};
    return embed(x, "basic.icrep", &embedded, NULL);
}

typedef struct outcome {
    reprise_status status;
    char message[200], report[65536];
    size_t files, refused;
} outcome;

static outcome *extract(const bytes *file, const reprise_extract_options *options,
                        const reprise_options *reading)
{
    outcome *o = calloc(1, sizeof *o);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    o->status = reprise_open_memory(file->data, file->size, reading, &replay, &error);
    if (o->status == REPRISE_OK)
        o->status = reprise_extract(replay, options, &report, &error);
    if (o->status == REPRISE_OK) {
        bytes text = {0};
        reprise_sink sink = {.ctx = &text, .write = bytes_write};
        assert_int_equal(reprise_value_write(report, REPRISE_JSON_COMPACT, &sink, &error),
                         REPRISE_OK);
        snprintf(o->report, sizeof o->report, "%.*s", (int)text.size, (char *)text.data);
        bytes_free(&text);
        o->files = reprise_value_count(reprise_value_get(report, "files"));
        o->refused = reprise_value_count(reprise_value_get(report, "refused"));
    }
    snprintf(o->message, sizeof o->message, "%s", error.message);
    reprise_close(replay);
    return o;
}

static outcome *extract_to(const bytes *file, const place *p)
{
    reprise_extract_options options = REPRISE_EXTRACT_INIT;
    options.directory = p->path;
    options.allow_guarded = true;
    return extract(file, &options, NULL);
}

/* A forbidden path makes the section invalid, and nothing is extracted. */
static void checklist_28__escaping_paths_are_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "../x.yaml",      "a/../../x.yaml", "/etc/x.yaml", "C:/x.yaml",  "C:\\x.yaml",
        "..\\..\\x.yaml", "a//x.yaml",      "./x.yaml",    "a/./x.yaml", "\\\\host\\share\\x.yaml",
        "x.yaml:hidden",  "x.lua",          "x.wasm",      "x",          "",
    };
    for (size_t i = 0; i < RP_COUNT(paths); i++) {
        forge x;
        forge_init(&x);
        const char *const names[][2] = {{"mod", paths[i]}};
        bytes file = with_rules(&x, names, 1);
        place p = new_place();
        outcome *o = extract_to(&file, &p);
        if (o->status != REPRISE_E_CORRUPT)
            fail_msg("'%s' is taken: %s", paths[i], o->report);
        assert_int_equal(count_all(&p), 0);
        free(o);
        remove_place(&p);
        bytes_free(&file);
        rp_arena_free(&x.arena);
    }
}

/* Names that are dangerous on some systems, or because of the mod's id, are skipped one by one. */
static void checklist_28__dangerous_names_are_left_out(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"mod", "good.yaml"},      {"mod", "nul.yaml"},  {"mod", "a/COM1.yml"},
        {"mod", "con/x.yaml"},     {"mod", "a /x.yaml"}, {"mod", "a./x.yaml"},
        {"../../up", "x.yaml"},    {"..", "x.yaml"},     {"/abs", "x.yaml"},
        {"C:\\Windows", "x.yaml"}, {"a\\b", "x.yaml"},   {"", "x.yaml"},
        {"lpt1", "x.yaml"},        {"mod", "good.yaml"}, {"mod", "good.yaml/x.yaml"},
        {"mod", "what?.yaml"},     {"mod", "a\nb.yaml"}, {"mod", "~/x.yaml"},
        {"mod", "other.yml"},
    };
    forge x;
    forge_init(&x);
    bytes file = with_rules(&x, names, RP_COUNT(names) - 5);
    place p = new_place();
    outcome *o = extract_to(&file, &p);
    assert_int_equal(o->status, REPRISE_OK);
    assert_int_equal(o->files, 1);
    assert_int_equal(o->refused, RP_COUNT(names) - 6);
    assert_true(there(&p, "rules/mod/good.yaml"));
    /* out, rules, mod, good.yaml: nothing else anywhere */
    assert_int_equal(count_all(&p), 4);
    free(o);
    remove_place(&p);
    bytes_free(&file);
    /* A file where another needs a directory is damage: nothing is kept. */
    file = with_rules(&x, names, RP_COUNT(names) - 4);
    p = new_place();
    o = extract_to(&file, &p);
    assert_int_equal(o->status, REPRISE_E_CORRUPT);
    assert_int_equal(count_all(&p), 0);
    free(o);
    remove_place(&p);
    bytes_free(&file);
    rp_arena_free(&x.arena);
}

/* A replay with a map that is an archive of these entries. */
static bytes with_map(forge *x, const char *const (*entries)[2], size_t count)
{
    rp_writer zip, packed;
    rp_sink *sink = NULL;
    rp_zip_writer *writer = NULL;
    rp_writer_init(&zip, &x->context, 1 << 20, &x->error);
    rp_writer_init(&packed, &x->context, 1 << 20, &x->error);
    assert_int_equal(rp_sink_open_memory(&x->context, &zip, &sink, &x->error), REPRISE_OK);
    assert_int_equal(rp_zip_writer_new(&x->context, sink, &writer, &x->error), REPRISE_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rp_zip_add_bytes(writer, entries[i][0], entries[i][1], 8, &x->error),
                         REPRISE_OK);
    assert_int_equal(rp_zip_finish(writer, &x->error), REPRISE_OK);
    rp_zip_writer_free(writer);
    rp_sink_close(sink);
    rp_lz4_write(&packed, zip.data, zip.size, RP_LZ4_FASTEST);
    ic_bytes map = {{(const char *)packed.data, packed.size}};
    ic_embedded embedded = {.map_data = &map};
    bytes file = embed(x, "basic.icrep", &embedded, &(rp_text){(char *)zip.data, zip.size});
    rp_writer_free(&zip);
    rp_writer_free(&packed);
    return file;
}

static void checklist_28__map_archives_give_no_scripts_and_no_escapes(void **state)
{
    (void)state;
    static const char *const entries[][2] = {
        {"map.yaml", "Title: x"},    {"../../evil", "evilevil"}, {"/abs", "evilevil"},
        {"C:\\evil", "evilevil"},    {"dir/", "evilevil"},       {"ai.lua", "return 1"},
        {"AI.LUAC", "evilevil"},     {"x.wasm", "evilevil"},     {"pic.png", "\0asm\1\0\0\0"},
        {"snd.aud", "\x1bLuaS\0\0"}, {"aux", "evilevil"},        {"sub/tiles.bin", "tilestil"},
        {"map.yaml", "Title: y"},
    };
    forge x;
    forge_init(&x);
    bytes file = with_map(&x, entries, RP_COUNT(entries));
    place p = new_place();
    outcome *o = extract_to(&file, &p);
    if (o->status != REPRISE_OK)
        fail_msg("%s", o->message);
    assert_int_equal(o->files, 2);
    assert_int_equal(o->refused, 10);
    assert_true(there(&p, "map/map.yaml") && there(&p, "map/sub/tiles.bin"));
    assert_int_equal(count_all(&p), 5);
    assert_non_null(strstr(o->report, "scripts are never extracted"));
    free(o);
    remove_place(&p);
    bytes_free(&file);
    rp_arena_free(&x.arena);
}

/* ---- consent ---- */

typedef struct asked {
    unsigned times;
    bool answer;
    size_t files;
} asked;

static bool answer(void *ctx, const reprise_value *about)
{
    asked *a = ctx;
    a->times++;
    a->files = reprise_value_count(reprise_value_get(about, "files"));
    return a->answer;
}

static void checklist_28__nothing_embedded_without_consent(void **state)
{
    (void)state;
    bytes file = ic_load("self-contained.icrep");
    place p = new_place();
    asked a = {0};
    reprise_extract_options options = REPRISE_EXTRACT_INIT;
    options.directory = p.path;
    outcome *o = extract(&file, &options, NULL);
    assert_int_equal(o->status, REPRISE_E_UNSUPPORTED);
    free(o);
    options.consent = answer;
    options.consent_ctx = &a;
    o = extract(&file, &options, NULL);
    assert_int_equal(o->status, REPRISE_E_UNSUPPORTED);
    assert_int_equal(a.times, 1);
    assert_int_equal(a.files, 8);
    assert_int_equal(count_all(&p), 0);
    free(o);
    a.answer = true;
    o = extract(&file, &options, NULL);
    assert_int_equal(o->status, REPRISE_OK);
    assert_int_equal(o->files, 8);
    assert_non_null(strstr(o->report, "\"consent\":\"given\""));
    free(o);
    /* A directory that exists is never written into. */
    o = extract(&file, &options, NULL);
    assert_int_equal(o->status, REPRISE_E_IO);
    free(o);
    remove_place(&p);
    bytes_free(&file);
}

/*
 * A trusted signature covers states, which contain only the hash of the map, and only in a replay
 * that verifies; everything else needs consent.
 */
static void checklist_28__a_trusted_signature_covers_the_map_alone(void **state)
{
    (void)state;
    bytes file = ic_load("full.icrep");
    uint32_t at = rp_load32(file.data + 40), size = rp_load32(file.data + 44);
    uint8_t key[32];
    memcpy(key, file.data + at + size - 32, sizeof key);
    TEST_OPTIONS(reading);
    reprise_options_set_trusted_keys(reading, key, 1, NULL);
    static const char *const map[] = {"map"}, *const rest[] = {"rules", "preset", "state"};
    static const struct {
        const char *const *kinds;
        size_t kind_count;
        bool trusted, forged; /* forged: one bit of the last signature */
        reprise_status status;
        unsigned asked;
        const char *consent;
    } cases[] = {
        {map, 1, true, false, REPRISE_OK, 0, "\"consent\":\"trusted\""},
        {map, 1, false, false, REPRISE_E_UNSUPPORTED, 1, "\"consent\":\"refused\""},
        {map, 1, true, true, REPRISE_E_UNSUPPORTED, 1, "\"consent\":\"refused\""},
        {rest, 3, true, false, REPRISE_E_UNSUPPORTED, 1, "\"consent\":\"refused\""},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        place p = new_place();
        asked a = {0};
        reprise_extract_options options = REPRISE_EXTRACT_INIT;
        options.directory = p.path;
        options.kinds = cases[i].kinds;
        options.kind_count = cases[i].kind_count;
        options.consent = answer;
        options.consent_ctx = &a;
        file.data[at + size - 33] ^= cases[i].forged;
        reprise_options_set_trusted_keys(reading, key, cases[i].trusted, NULL);
        outcome *o = extract(&file, &options, reading);
        file.data[at + size - 33] ^= cases[i].forged;
        assert_int_equal(o->status, cases[i].status);
        assert_int_equal(a.times, cases[i].asked);
        if (o->status == REPRISE_OK)
            assert_non_null(strstr(o->report, cases[i].consent));
        free(o);
        remove_place(&p);
    }
    bytes_free(&file);
}

static void checklist_28__urls_are_neutralised(void **state)
{
    (void)state;
    bytes file = ic_load("bad/embed-url.icrep");
    place p = new_place();
    outcome *o = extract_to(&file, &p);
    assert_int_equal(o->status, REPRISE_OK);
    char path[256], text[256] = "";
    snprintf(path, sizeof path, "%s/rules/m/rules/x.yaml", p.path);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_true(n > 0);
    assert_null(strstr(text, "://"));
    assert_non_null(strstr(text, "about:blank"));
    free(o);
    remove_place(&p);
    bytes_free(&file);
}

/* ---- voice ---- */

static uint32_t ogg_checksum(const uint8_t *data, size_t size)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < size; i++) {
        bool sum = i >= 22 && i < 26;
        crc ^= (uint32_t)(sum ? 0 : data[i]) << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & UINT32_C(0x80000000) ? crc << 1 ^ UINT32_C(0x04C11DB7) : crc << 1;
    }
    return crc;
}

typedef struct heard {
    size_t pages, packets;
    uint64_t samples, summed;
    bool last;
    bytes content; /* of all packets after the two headers */
} heard;

/* Walks the pages of an Ogg file as RFC 3533 has them; packets do not cross pages here. */
static heard listen(const uint8_t *data, size_t size)
{
    heard h = {0};
    uint64_t before = 0;
    for (size_t at = 0; at < size; h.pages++) {
        assert_true(size - at >= 27 && memcmp(data + at, "OggS\0", 5) == 0);
        size_t segments = data[at + 26], body = at + 27 + segments, end = body, start = body;
        for (size_t i = 0; i < segments; i++)
            end += data[at + 27 + i];
        assert_true(end <= size);
        assert_int_equal(rp_load32(data + at + 22), ogg_checksum(data + at, end - at));
        assert_int_equal(rp_load32(data + at + 18), h.pages);
        assert_int_equal(data[at + 5] & 2, h.pages ? 0 : 2);
        for (size_t i = 0; i < segments; i++) {
            body += data[at + 27 + i];
            if (data[at + 27 + i] == 255)
                continue;
            if (h.pages == 0)
                assert_memory_equal(data + start, "OpusHead\1", 9);
            else if (h.pages == 1)
                assert_memory_equal(data + start, "OpusTags", 8);
            else
                h.summed += rp_opus_packet_samples(data + start, body - start);
            if (h.pages > 1) {
                h.packets++;
                bytes_write(&h.content, data + start, body - start);
            }
            start = body;
        }
        h.samples = rp_load64(data + at + 6);
        assert_true(h.samples >= before);
        before = h.samples;
        h.last = data[at + 5] & 4;
        at = end;
    }
    return h;
}

static void checklist_27__voices_become_ogg_opus(void **state)
{
    (void)state;
    bytes file = ic_load("full.icrep");
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    size_t found = 0;
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        if (strcmp(blob->kind, "voice") != 0)
            continue;
        bytes ogg = {0};
        reprise_sink sink = {.ctx = &ogg, .write = bytes_write};
        assert_int_equal(reprise_blob_read(replay, i, &sink, &error), REPRISE_OK);
        assert_int_equal(ogg.size, blob->size);
        assert_false(blob->guarded);
        heard h = listen(ogg.data, ogg.size);
        assert_true(h.last && h.packets > 0);
        assert_int_equal(h.samples, h.summed);
        bytes_free(&h.content);
        bytes_free(&ogg);
        found++;
    }
    assert_int_equal(found, 2);
    reprise_close(replay);
    bytes_free(&file);
}

static void opus__packets_and_pauses(void **state)
{
    (void)state;
    /* configuration, frames per packet -> samples */
    assert_int_equal(rp_opus_packet_samples("", 0), 0);
    assert_int_equal(rp_opus_packet_samples("\x00", 1), 480);
    assert_int_equal(rp_opus_packet_samples("\x08", 1), 960);
    assert_int_equal(rp_opus_packet_samples("\x18", 1), 2880);
    assert_int_equal(rp_opus_packet_samples("\x80", 1), 120);
    assert_int_equal(rp_opus_packet_samples("\x0A\x01", 2), 1920);
    assert_int_equal(rp_opus_packet_samples("\x0B\x06", 2), 5760);
    assert_int_equal(rp_opus_packet_samples("\x0B\x07", 2), 0);
    assert_int_equal(rp_opus_packet_samples("\x0B\x00", 2), 0);
    assert_int_equal(rp_opus_packet_samples("\x0B", 1), 0);
    assert_int_equal(rp_opus_packet_samples("\x09\x01", 2), 0);
    forge x;
    forge_init(&x);
    ic_voice_frame frames[] = {{0, {"\x08one", 4}, {0}},
                               {0, {"\x08two", 4}, {0}},
                               {1, {"\x08three", 6}, {0}},
                               {1, {"", 0}, {0}},
                               {150,
                                {"\x08"
                                 "four",
                                 5},
                                {0}}};
    ic_voice_track track = {3, true, {frames, RP_COUNT(frames)}};
    ic_voice voice = {{&track, 1}};
    rp_writer out;
    rp_writer_init(&out, &x.context, 1 << 20, &x.error);
    assert_false(ic_voice_ogg(&voice, 1, 4, 1 / 15.0, &out));
    assert_true(ic_voice_ogg(&voice, 1, 3, 1 / 15.0, &out));
    heard h = listen(out.data, out.size);
    /* Ten seconds of silence are filled with packets of at most 120 ms. */
    assert_true(h.packets >= 3 + 83 + 1 && h.packets <= 3 + 84 + 1);
    assert_int_equal(h.samples, h.summed);
    assert_true(h.samples >= 10 * RP_OPUS_RATE && h.samples <= 10 * RP_OPUS_RATE + 1920);
    assert_memory_equal(h.content.data, "\x08one\x08two\x08three", 14);
    assert_memory_equal(h.content.data + h.content.size - 5,
                        "\x08"
                        "four",
                        5);
    bytes_free(&h.content);
    rp_writer_free(&out);
    rp_arena_free(&x.arena);
    assert_int_equal(x.context.bytes_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_28__escaping_paths_are_refused),
        cmocka_unit_test(checklist_28__dangerous_names_are_left_out),
        cmocka_unit_test(checklist_28__map_archives_give_no_scripts_and_no_escapes),
        cmocka_unit_test(checklist_28__nothing_embedded_without_consent),
        cmocka_unit_test(checklist_28__a_trusted_signature_covers_the_map_alone),
        cmocka_unit_test(checklist_28__urls_are_neutralised),
        cmocka_unit_test(checklist_27__voices_become_ogg_opus),
        cmocka_unit_test(opus__packets_and_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
