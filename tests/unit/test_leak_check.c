/*
 * test_leak_check.c - the search for removed texts must find what is there. No anonymized file has
 * anything to find, so these search files in which nothing was replaced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "checked.h"
#include "leak_check.h"
#include "test_allocator.h"

enum { END_SIZE = 22, PIECE = 1 << 16, NEEDLE = 256, FILE_MAX = 1 << 20 };
#define ARCHIVE "tests/data/mcreplay/armature_basic.replay"

/* A file, what is said to be replaced in it, and the verdict. */
typedef struct desk {
    test_allocator memory;
    rp_context context;
    reprise_error error, doc_error;
    rp_arena arena;
    rp_doc doc;
    reprise_value *substitutions, *report;
    uint8_t bytes[FILE_MAX];
    size_t size;
} desk;

static void open_desk(desk *d, const char *path)
{
    d->context = test_context(&d->memory, 0);
    d->error = d->doc_error = (reprise_error)REPRISE_ERROR_INIT;
    rp_arena_init(&d->arena, &d->context);
    d->doc = (rp_doc){.arena = &d->arena, .error = &d->doc_error};
    d->substitutions = rp_new_array(&d->doc);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    d->size = fread(d->bytes, 1, sizeof d->bytes, file);
    fclose(file);
    assert_in_range(d->size, END_SIZE, FILE_MAX - 1);
}

static void close_desk(desk *d)
{
    assert_int_equal(d->doc_error.status, REPRISE_OK);
    rp_arena_free(&d->arena);
    assert_int_equal(d->memory.live_count, 0);
}

static reprise_value *replaced(desk *d, const char *from, size_t size, const char *to)
{
    reprise_value *one = rp_push_object(&d->doc, d->substitutions);
    rp_set(&d->doc, one, "from", rp_new_text_n(&d->doc, from, size));
    rp_set_text(&d->doc, one, "to", to);
    rp_set_text(&d->doc, one, "what", "name");
    return one;
}

/* An archive may end with a comment: bytes of any kind, which nothing but this search looks at. */
static void add_comment(desk *d, size_t before, const void *data, size_t size)
{
    uint8_t *end = d->bytes + d->size - END_SIZE;
    assert_memory_equal(end, "PK\5\6", 4);
    assert_true(before + size <= UINT16_MAX && d->size + before + size <= FILE_MAX);
    end[20] = (uint8_t)(before + size);
    end[21] = (uint8_t)((before + size) >> 8);
    memset(d->bytes + d->size, '.', before);
    memcpy(d->bytes + d->size + before, data, size);
    d->size += before + size;
}

static reprise_status search(desk *d)
{
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    rp_sink *sink = NULL;
    d->report = rp_new_object(&d->doc);
    d->error = (reprise_error)REPRISE_ERROR_INIT;
    reprise_error *error = &d->error;
    if (rp_source_open_memory(&d->context, d->bytes, d->size, &source, error) != REPRISE_OK ||
        rp_replay_open(&d->context, source, NULL, NULL, &replay, error) != REPRISE_OK ||
        rp_sink_open_spool(&d->context, NULL, &sink, error) != REPRISE_OK ||
        rp_sink_write(sink, d->bytes, d->size, error) != REPRISE_OK)
        fail_msg("%s", error->message);
    reprise_status status = rp_leak_check(replay, d->substitutions, sink, &d->doc, d->report,
                                          error);
    rp_sink_close(sink);
    rp_replay_close(replay);
    rp_source_close(source);
    return status;
}

static const reprise_value *proof(const desk *d, const char *key)
{
    return rp_get(rp_get(d->report, "proof"), key);
}

/* One text, in the comment or nowhere. */
static reprise_status search_comment(const char *from, const char *to, size_t before,
                                     const void *data, size_t size)
{
    static desk d;
    open_desk(&d, ARCHIVE);
    add_comment(&d, before, data, size);
    replaced(&d, from, strlen(from), to);
    reprise_status status = search(&d);
    if (status == REPRISE_E_CORRUPT)
        assert_string_equal(d.error.stream, "file");
    close_desk(&d);
    return status;
}

/* ---- bytes ---- */

static void leak__a_text_is_found_in_three_encodings(void **state)
{
    (void)state;
    static const char text[] = "Zo\xC3\xAB \xF0\x9F\x98\x80!";
    static const uint8_t little[] = {'Z', 0, 'o', 0, 0xEB, 0, ' ', 0, 0x3D, 0xD8, 0, 0xDE, '!', 0};
    static const uint8_t big[] = {0, 'Z', 0, 'o', 0, 0xEB, 0, ' ', 0xD8, 0x3D, 0xDE, 0, 0, '!'};
    assert_int_equal(search_comment(text, "-", 3, text, strlen(text)), REPRISE_E_CORRUPT);
    assert_int_equal(search_comment(text, "-", 3, little, sizeof little), REPRISE_E_CORRUPT);
    assert_int_equal(search_comment(text, "-", 3, big, sizeof big), REPRISE_E_CORRUPT);
    /* Less than all of it is not it. */
    assert_int_equal(search_comment(text, "-", 3, text, strlen(text) - 1), REPRISE_OK);
    assert_int_equal(search_comment(text, "-", 3, little, sizeof little - 2), REPRISE_OK);
    assert_int_equal(search_comment(text, "-", 3, big, sizeof big - 2), REPRISE_OK);
}

/* The file is read in pieces; a text that begins in one and ends in the next is found. */
static void leak__a_text_is_found_wherever_it_is(void **state)
{
    (void)state;
    static const char text[] = "Xanthippe";
    static desk d;
    open_desk(&d, ARCHIVE);
    size_t to_edge = 2 * PIECE - d.size % PIECE;
    close_desk(&d);
    for (size_t shift = 0; shift <= sizeof text + 1; shift++) {
        size_t before = to_edge - shift;
        while (before + sizeof text > UINT16_MAX)
            before -= PIECE;
        assert_int_equal(search_comment(text, "-", before, text, strlen(text)), REPRISE_E_CORRUPT);
    }
}

static void leak__the_place_is_named(void **state)
{
    (void)state;
    static desk d;
    for (size_t before = 0; before < 60000; before += 19999) {
        open_desk(&d, ARCHIVE);
        uint64_t place = d.size + before;
        add_comment(&d, before, "Xanthippe", 9);
        replaced(&d, "Nobody there", 12, "-");
        replaced(&d, "Xanthippe", 9, "-");
        assert_int_equal(search(&d), REPRISE_E_CORRUPT);
        assert_int_equal(d.error.offset, place);
        assert_string_equal(d.error.stream, "file");
        assert_non_null(strstr(d.error.message, "'Xanthippe'"));
        close_desk(&d);
    }
}

static void leak__the_beginning_of_a_long_text_is_enough(void **state)
{
    (void)state;
    char text[2 * NEEDLE + 1];
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = (char)('a' + i * 7 % 26);
    text[sizeof text - 1] = 0;
    assert_int_equal(search_comment(text, "-", 0, text, NEEDLE), REPRISE_E_CORRUPT);
    assert_int_equal(search_comment(text, "-", 0, text, NEEDLE - 1), REPRISE_OK);
}

/* ---- what a match proves ---- */

typedef struct doubt {
    const char *from, *to;
    bool word;
    const char *list, *reason; /* in the report */
} doubt;

static void leak__texts_that_prove_nothing_are_listed(void **state)
{
    (void)state;
    static const doubt doubts[] = {
        {"Xan", "-", false, "compared", "too short to search for in binary data"},
        {"Xant", "-", false, "compared", "found in binary data, probably by chance"},
        {"Xanth", "-", false, "compared", "found in binary data, probably by chance"},
        {"Xanthi", "Xanthi 1", false, "unproven", "also a word of the format or of a substitute"},
        {"Xanthi", "-", true, "unproven", "also a word of the format or of a substitute"},
        {"X\xEF\xBF\xBDnthi", "-", false, "unproven",
         "not text, so its original bytes are unknown"},
    };
    static desk d;
    for (size_t i = 0; i < RP_COUNT(doubts); i++) {
        const doubt *one = &doubts[i];
        open_desk(&d, ARCHIVE);
        add_comment(&d, 0, one->from, strlen(one->from));
        reprise_value *entry = replaced(&d, one->from, strlen(one->from), one->to);
        rp_set_bool(&d.doc, entry, "word", one->word);
        replaced(&d, "not there at all", 16, "-");
        if (search(&d) != REPRISE_OK)
            fail_msg("%s: %s", one->from, d.error.message);
        assert_int_equal(reprise_value_uint(proof(&d, "texts"), 0), 2);
        /* The file and what is in it, unpacked. */
        assert_true(reprise_value_uint(proof(&d, "streams"), 0) > 1);
        assert_true(reprise_value_uint(proof(&d, "bytes"), 0) > d.size);
        bool compared = strcmp(one->list, "compared") == 0;
        assert_int_equal(reprise_value_count(proof(&d, "compared")), compared);
        assert_int_equal(reprise_value_count(proof(&d, "unproven")), !compared);
        const reprise_value *said = reprise_value_at(proof(&d, one->list), 0);
        assert_string_equal(rp_get_text(said, "reason"), one->reason);
        assert_string_equal(rp_get_text(said, "what"), "name");
        assert_int_equal(reprise_value_uint(rp_get(said, "bytes"), 0), strlen(one->from));
        close_desk(&d);
    }
}

/* ---- texts of samples ---- */

enum { TEXTS_MAX = 4000, TEXT_SIZE = 300 };

typedef struct texts {
    size_t count;
    const rp_format *format;
    size_t size[TEXTS_MAX];
    char text[TEXTS_MAX][TEXT_SIZE];
} texts;

static bool keep_text(void *ctx, const rp_text *text, bool binary)
{
    texts *all = ctx;
    if (binary || !text->size || text->size > TEXT_SIZE || all->count == TEXTS_MAX)
        return true;
    for (size_t i = 0; i < all->count; i++) {
        if (all->size[i] == text->size && memcmp(all->text[i], text->data, text->size) == 0)
            return true;
    }
    memcpy(all->text[all->count], text->data, text->size);
    all->size[all->count++] = text->size;
    return true;
}

static reprise_status keep_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    texts *all = ctx;
    const rp_track *track = &all->format->tracks[row->track];
    for (size_t i = 0; i < track->part_count; i++)
        rp_record_texts(track->parts[i].record, (const char *)row->data + track->parts[i].offset,
                        keep_text, all);
    return REPRISE_OK;
}

static void keep_strings(const reprise_value *value, texts *all)
{
    rp_text text = {0};
    text.data = reprise_value_text(value, &text.size);
    if (text.data)
        keep_text(all, &text, false);
    for (size_t i = 0; i < reprise_value_count(value); i++)
        keep_strings(reprise_value_at(value, i), all);
}

static void collect(desk *d, texts *all)
{
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    reprise_value *info = rp_new_object(&d->doc);
    all->count = 0;
    if (rp_source_open_memory(&d->context, d->bytes, d->size, &source, &d->error) != REPRISE_OK ||
        rp_replay_open(&d->context, source, NULL, NULL, &replay, &d->error) != REPRISE_OK ||
        replay->format->read->info(replay, &d->doc, info, &d->error) != REPRISE_OK)
        fail_msg("%s", d->error.message);
    all->format = replay->format;
    keep_strings(rp_get(info, "header"), all);
    rp_selection selection = {.tracks = (UINT64_C(1) << replay->format->track_count) - 1};
    if (rp_each_row(replay, selection, keep_row, all, &d->error) != REPRISE_OK)
        fail_msg("%s", d->error.message);
    rp_replay_close(replay);
    rp_source_close(source);
}

/* Short texts count as words: not as parts of longer ones, and not if they are only a number. */
static void leak__short_texts_are_found_as_words(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        reprise_status status;
    } words[] = {
        {"gl", REPRISE_E_CORRUPT}, /* the chat says: gl hf, a dash, two ideographs, #1 */
        {"hf", REPRISE_E_CORRUPT}, {"\xE2\x80\x94", REPRISE_E_CORRUPT},
        {"f", REPRISE_OK},         {"lhf", REPRISE_OK},
        {"#1", REPRISE_OK},        {"\xE5\xA5\xBD", REPRISE_OK}, /* the first ideograph */
        {"03", REPRISE_OK},        {"05", REPRISE_OK},           /* of the date and the time */
    };
    static desk d;
    for (size_t i = 0; i < RP_COUNT(words); i++) {
        open_desk(&d, "tests/data/openra/p21-2p.orarep");
        replaced(&d, words[i].from, strlen(words[i].from), "-");
        reprise_status status = search(&d);
        if (status != words[i].status)
            fail_msg("%s: status %d, %s", words[i].from, status, d.error.message);
        if (status == REPRISE_E_CORRUPT)
            assert_string_equal(d.error.stream, "rows");
        close_desk(&d);
    }
}

/* Documents that a reader puts together, and its own names of parts. */
static bool is_made_up(const char *text, size_t size)
{
    static const char *const names[] = {"stream", "initial_state"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (size == strlen(names[i]) && memcmp(text, names[i], size) == 0)
            return true;
    }
    return text[0] == '{';
}

static void leak__every_text_of_a_file_is_found_in_it(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "tests/data/mcreplay/names_and_containers.replay",
        "tests/data/rumble/z6_match_like_1.2.4.replay",
        "tests/data/cs2kz/a1-run.replay",
        "tests/data/openra/p21-2p.orarep",
        "tests/data/ironcurtain/full.icrep",
        "tests/data/remastered/ra-full-skirmish.bin",
    };
    static desk d;
    static texts all;
    size_t searched = 0;
    for (size_t p = 0; p < RP_COUNT(paths); p++) {
        open_desk(&d, paths[p]);
        collect(&d, &all);
        searched += all.count;
        for (size_t i = 0; i < all.count; i++) {
            const char *text = all.text[i];
            d.substitutions = rp_new_array(&d.doc);
            replaced(&d, text, all.size[i], "-");
            if (!is_made_up(text, all.size[i]) && search(&d) != REPRISE_E_CORRUPT)
                fail_msg("%s: '%.*s' is not found", paths[p], (int)all.size[i], text);
        }
        close_desk(&d);
    }
    assert_true(searched > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leak__a_text_is_found_in_three_encodings),
        cmocka_unit_test(leak__a_text_is_found_wherever_it_is),
        cmocka_unit_test(leak__the_place_is_named),
        cmocka_unit_test(leak__the_beginning_of_a_long_text_is_enough),
        cmocka_unit_test(leak__texts_that_prove_nothing_are_listed),
        cmocka_unit_test(leak__short_texts_are_found_as_words),
        cmocka_unit_test(leak__every_text_of_a_file_is_found_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
