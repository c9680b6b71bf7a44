/*
 * test_private.c - anonymized samples: nothing that was private is left, everything else is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"

/* Every member and the decoded metadata, as bytes to search. */
static bytes everything_in(const bytes *file)
{
    bytes all = {0};
    reprise_sink sink = {.ctx = &all, .write = bytes_write};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    expect_ok(
        reprise_value_write(reprise_value_get(info, "header"), REPRISE_JSON_COMPACT, &sink, &error),
        &error, "header");
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const char *name = reprise_blob_at(replay, i)->name;
        bytes_write(&all, name, strlen(name));
        expect_ok(reprise_blob_read(replay, i, &sink, &error), &error, name);
    }
    reprise_rows *rows = NULL;
    expect_ok(reprise_rows_open(replay, NULL, &rows, &error), &error, "rows");
    reprise_row_text_options style = {.struct_size = sizeof style, .style = REPRISE_ROW_JSON};
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        const char *line;
        size_t size;
        expect_ok(reprise_row_format(rows, &style, &line, &size, &error), &error, "row");
        bytes_write(&all, line, size);
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    return all;
}

static const reprise_value *people_of(reprise_replay *replay)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return reprise_value_get(info, "people");
}

static void nobody_is_left(const sample *s)
{
    bytes original = {.data = s->data, .size = s->size};
    if (strstr(s->path, "/bad/"))
        return;
    bytes result = changed(&original, (change){.anonymize = REPRISE_PRIVATE_ALL});
    bytes all = everything_in(&result);
    reprise_replay *replay = open_bytes(&original, false);
    const reprise_value *people = people_of(replay);
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *name = reprise_value_text(reprise_value_get(person, "name"), NULL);
        const char *id = reprise_value_text(reprise_value_get(person, "id"), NULL);
        if (name && strlen(name) > 3 && bytes_contain(&all, name))
            fail_msg("%s: %s is still there", s->path, name);
        if (id && bytes_contain(&all, id))
            fail_msg("%s: the id %s is still there", s->path, id);
    }
    reprise_close(replay);
    bytes_free(&all);
    bytes_free(&result);
}

static void private__names_and_ids_are_gone(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", nobody_is_left);
}

static void rest_is_kept(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    if (!strstr(s->path, "/bad/"))
        law_keeps_what_is_not_private(s->path, &file);
}

static void private__everything_else_is_kept(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", rest_is_kept);
}

/* ---- any part of it, in any family ---- */

enum {
    SHARE = REPRISE_PRIVATE_CHAT | REPRISE_PRIVATE_WHISPERS | REPRISE_PRIVATE_IDS |
            REPRISE_PRIVATE_ADDRESSES
};

static size_t count_blobs(reprise_replay *replay, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < reprise_blob_count(replay); i++)
        count += strcmp(reprise_blob_at(replay, i)->kind, kind) == 0;
    return count;
}

/* People keep their names, if those are not what was asked for, and voices their files. */
static void expect_rest(const char *path, uint32_t what, reprise_replay *original,
                        reprise_replay *result)
{
    const reprise_value *before = people_of(original), *after = people_of(result);
    for (size_t i = 0; !(what & REPRISE_PRIVATE_NAMES) && i < reprise_value_count(before); i++) {
        const reprise_value *one = reprise_value_at(before, i), *other = reprise_value_at(after, i);
        const char *name = reprise_value_text(reprise_value_get(one, "name"), NULL);
        const char *now = reprise_value_text(reprise_value_get(other, "name"), NULL);
        if (name && (!now || strcmp(name, now) != 0))
            fail_msg("%s without %x: %s is now %s", path, what, name, now ? now : "nobody");
    }
    if (!(what & REPRISE_PRIVATE_VOICE))
        assert_int_equal(count_blobs(original, "voice"), count_blobs(result, "voice"));
}

/* ---- the round trip ---- */

static const reprise_value *private_of(reprise_replay *replay)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return reprise_value_get(info, "private");
}

static uint32_t kind_of(const reprise_value *item)
{
    static const char *const names[] = {"names", "chat",  "voice",   "ids",       "addresses",
                                        "times", "looks", "content", "extensions"};
    const char *kind = reprise_value_text(reprise_value_get(item, "kind"), NULL);
    for (uint32_t i = 0; kind && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], kind) == 0)
            return UINT32_C(1) << i;
    }
    fail_msg("there is no kind %s", kind ? kind : "at all");
    return 0;
}

static uint64_t count_kind(const reprise_value *list, uint32_t kind)
{
    uint64_t count = 0;
    for (size_t i = 0; i < reprise_value_count(list); i++)
        count += kind_of(reprise_value_at(list, i)) == kind;
    return count;
}

/* What was to go is not in the list of the result any more; what was to stay still is. */
static void expect_private(const char *path, uint32_t what, reprise_replay *original,
                           reprise_replay *result)
{
    const reprise_value *before = private_of(original), *after = private_of(result);
    for (size_t i = 0; i < reprise_value_count(after); i++) {
        const reprise_value *item = reprise_value_at(after, i);
        bool chat = kind_of(item) == REPRISE_PRIVATE_CHAT && (what & REPRISE_PRIVATE_WHISPERS);
        if ((kind_of(item) & what) && !chat)
            fail_msg("%s without %x: info still lists %s", path, what,
                     reprise_value_text(reprise_value_get(item, "what"), NULL));
    }
    for (size_t i = 0; i < reprise_value_count(before); i++) {
        const reprise_value *item = reprise_value_at(before, i);
        /* Stray memory and unknown data have no place in what is written anew. */
        if (!(kind_of(item) & (what | REPRISE_PRIVATE_CONTENT)) &&
            !count_kind(after, kind_of(item)))
            fail_msg("%s without %x: %s were to stay", path, what,
                     reprise_value_text(reprise_value_get(item, "what"), NULL));
    }
}

static void expect_part_goes(const sample *s, reprise_replay *original, uint32_t what)
{
    bytes made = {0};
    reprise_sink sink = {.ctx = &made, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_anonymize(original, what, &options, &report, &error);
    if (status == REPRISE_E_UNSUPPORTED) { /* says what to do, and leaves nothing */
        assert_true(error.hint[0] != '\0');
        assert_int_equal(made.size, 0);
        return;
    }
    char name[600];
    snprintf(name, sizeof name, "%s without %x", s->path, what);
    expect_ok(status, &error, name);
    reprise_replay *result = open_bytes(&made, false);
    expect_rest(s->path, what, original, result);
    expect_private(s->path, what, original, result);
    reprise_close(result);
    bytes_free(&made);
}

static void each_part_goes(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    if (strstr(s->path, "/bad/"))
        return;
    reprise_replay *original = open_bytes(&file, false);
    for (uint32_t what = 1; what <= REPRISE_PRIVATE_MARKS; what <<= 1)
        expect_part_goes(s, original, what);
    expect_part_goes(s, original, SHARE);
    expect_part_goes(s, original, REPRISE_PRIVATE_ALL);
    reprise_close(original);
}

/* Every sample of every family can be shared, and lose any part and everything. */
static void private__info_lists_nothing_that_was_to_go(void **state)
{
    (void)state;
    walk_samples("tests/data", each_part_goes);
}

static bytes anonymized_sample(reprise_replay *original, const char *name, uint32_t what)
{
    bytes made = {0};
    reprise_sink sink = {.ctx = &made, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_anonymize(original, what, &options, &report, &error), &error, name);
    return made;
}

static bool has_writer(reprise_replay *replay)
{
    return strcmp(reprise_format(replay), "icproof") != 0;
}

/* The same input gives the same output, and the report has the digests of both. */
static void is_repeatable(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    if (strstr(s->path, "/bad/"))
        return;
    reprise_replay *original = open_bytes(&file, false);
    if (has_writer(original)) {
        bytes first = anonymized_sample(original, s->path, REPRISE_PRIVATE_ALL);
        bytes second = anonymized_sample(original, s->path, REPRISE_PRIVATE_ALL);
        if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
            fail_msg("%s: two results differ", s->path);
        bytes_free(&first);
        bytes_free(&second);
    }
    reprise_close(original);
}

static void private__the_result_is_the_same_each_time(void **state)
{
    (void)state;
    walk_samples("tests/data", is_repeatable);
}

/* ---- made-up recordings ---- */

typedef struct recording {
    const char *name;      /* of the player */
    const char *marker;    /* of the only one */
    const char *extension; /* payload, or NULL */
    const char *master_id; /* that an event names, or NULL */
    const char *more;      /* members of the header */
    bool wide, wide_big;   /* the payload as UTF-16, of either order */
    bool large;            /* enough data for matches by chance */
    float number;          /* somewhere among it */
} recording;

enum { LARGE_FRAMES = 40000 };

static void put_bytes(reprise_writer *w, const char *track_name, const char *column,
                      const char *text, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    int track = reprise_writer_track(w, track_name);
    expect_ok(reprise_writer_row(w, track, 0, 7.5, &error), &error, track_name);
    expect_ok(
        reprise_writer_set_text(w, reprise_writer_column(w, track, column), text, size, &error),
        &error, column);
}

static void put_payload(reprise_writer *w, const recording *r)
{
    char wide[256] = {0};
    size_t size = strlen(r->extension);
    if (!r->wide && !r->wide_big) {
        put_bytes(w, "extensions", "data", r->extension, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        wide[2 * i + r->wide_big] = r->extension[i];
    put_bytes(w, "extensions", "data", wide, 2 * size);
}

/* Numbers that do not compress, so that the file is large, too. */
static void put_noise(reprise_writer *w, float number)
{
    static const char *const columns[] = {"rig_pos_x", "rig_pos_y", "rig_pos_z", "lhand_pos_x",
                                          "lhand_pos_y"};
    reprise_error error = REPRISE_ERROR_INIT;
    int players = reprise_writer_track(w, "players"), frames = reprise_writer_track(w, "frames");
    uint32_t noise = 1;
    for (int i = 0; i < LARGE_FRAMES; i++) {
        expect_ok(reprise_writer_step(w, &error), &error, "step");
        expect_ok(reprise_writer_row(w, frames, 0, 8 + i / 50.0, &error), &error, "frame");
        expect_ok(reprise_writer_row(w, players, 0, 8 + i / 50.0, &error), &error, "player");
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            noise = noise * 1664525 + 1013904223;
            double value = i == LARGE_FRAMES / 2 && k == 0 ? (double)number : noise / 4096.0;
            expect_ok(reprise_writer_set_double(w, reprise_writer_column(w, players, columns[k]),
                                                value, &error),
                      &error, "noise");
        }
    }
}

static bytes recorded(const recording *r)
{
    char metadata[1024];
    snprintf(metadata, sizeof metadata,
             "{\"Scene\":\"Gym\",\"Players\":[{\"Name\":\"%s\",\"MasterId\":"
             "\"9A9E7F65ABC703CC\"}],\"Structures\":[],\"Markers\":[{\"r\":1.0,\"g\":1.0,"
             "\"b\":1.0,\"name\":\"%s\",\"time\":0.5}]%s}",
             r->name, r->marker, r->more ? r->more : "");
    bytes file = {0};
    reprise_sink sink = {.ctx = &file, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.level = r->large ? 1 : REPRISE_LEVEL_DEFAULT;
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(writer_begin_json("rumble", metadata, &options, NULL, &writer, &error), &error,
              "begin");
    expect_ok(reprise_writer_row(writer, reprise_writer_track(writer, "frames"), 0, 7.5, &error),
              &error, "frame");
    if (r->extension)
        put_payload(writer, r);
    if (r->master_id)
        put_bytes(writer, "events", "master_id", r->master_id, strlen(r->master_id));
    if (r->large)
        put_noise(writer, r->number);
    expect_ok(reprise_writer_end(writer, &error), &error, "end");
    reprise_writer_close(writer);
    return file;
}

/* Markers keep their names, which are searched, and so is data of other mods. */
enum {
    KEEP_SOME = REPRISE_PRIVATE_ALL & ~REPRISE_PRIVATE_EXTENSIONS & ~REPRISE_PRIVATE_CONTENT,
    NO_EXTENSIONS = REPRISE_PRIVATE_ALL & ~REPRISE_PRIVATE_EXTENSIONS,
};

/* What anonymizing a recording says; the texts that could not simply be searched are counted. */
static reprise_status anonymized(const recording *r, bytes *ret_result, size_t *ret_unproven,
                                 char *reason, size_t reason_size)
{
    bytes file = recorded(r);
    reprise_replay *replay = open_bytes(&file, false);
    reprise_sink sink = {.ctx = ret_result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.level = 1;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    *ret_result = (bytes){0};
    reprise_status status = reprise_anonymize(replay, r->more ? NO_EXTENSIONS : KEEP_SOME, &options,
                                              &report, &error);
    const reprise_value *proof = reprise_value_get(report, "proof");
    const reprise_value *compared_texts = reprise_value_get(proof, "compared");
    const reprise_value *list = reprise_value_count(compared_texts)
                                    ? compared_texts
                                    : reprise_value_get(proof, "unproven");
    *ret_unproven = reprise_value_count(list);
    const char *text = reprise_value_text(reprise_value_get(reprise_value_at(list, 0), "reason"),
                                          NULL);
    snprintf(reason, reason_size, "%s", text ? text : "");
    reprise_close(replay);
    bytes_free(&file);
    return status;
}

static void expect_refused(const recording *r)
{
    bytes result;
    size_t unproven;
    char reason[128];
    assert_int_equal(anonymized(r, &result, &unproven, reason, sizeof reason), REPRISE_E_CORRUPT);
    assert_int_equal(result.size, 0);
}

/* Kept, without the name; `why` is the reason that is given for what could not be proven. */
static void expect_kept(const recording *r, const char *why, const char *gone)
{
    bytes result;
    size_t unproven;
    char reason[128];
    assert_int_equal(anonymized(r, &result, &unproven, reason, sizeof reason), REPRISE_OK);
    assert_int_equal(unproven, why ? 1 : 0);
    if (why)
        assert_non_null(strstr(reason, why));
    if (gone) {
        bytes all = everything_in(&result);
        assert_false(bytes_contain(&all, gone));
        bytes_free(&all);
    }
    bytes_free(&result);
}

static void private__what_is_left_in_kept_data_is_found(void **state)
{
    (void)state;
    recording r = {.name = "Emberfist", .marker = "won by Emberfist", .extension = "nothing here"};
    expect_kept(&r, NULL, "Emberfist");
    r.extension = "by Emberfist himself";
    expect_refused(&r);
    r.wide = true;
    expect_refused(&r);
    r.wide_big = !(r.wide = false);
    expect_refused(&r);
}

/* Short names are searched for among texts, as words, and that is said. */
static void private__short_names_are_compared_with_texts(void **state)
{
    (void)state;
    recording r = {.name = "Al", .marker = "Al, not Albert, won: Al!"};
    expect_kept(&r, "too short", "Al, ");
    r.name = "Player";
    r.marker = "x";
    expect_kept(&r, "of a substitute", NULL);
}

/* In much data, four and five bytes are found by chance; a text that has them is no chance. */
static void private__large_results_hide_no_short_name(void **state)
{
    (void)state;
    recording r = {.name = "Nova", .marker = "x", .large = true};
    expect_kept(&r, NULL, NULL);
    memcpy(&r.number, "Nova", sizeof r.number);
    expect_kept(&r, "by chance", NULL);
    r.extension = "by Nova";
    expect_refused(&r);
}

/* Accounts without a player and unknown members are noted, removed and searched for. */
static void private__what_nobody_knows_is_gone(void **state)
{
    (void)state;
    recording r = {.name = "Emberfist",
                   .marker = "core.manual",
                   .master_id = "77AA66BB55CC44DD",
                   .extension = "nothing",
                   .more = ",\"Clan\":{\"tag\":[\"Quarrymen\"]}"};
    expect_kept(&r, NULL, "77AA66BB55CC44DD");
    expect_kept(&r, NULL, "Quarrymen");
    r.extension = "of the Quarrymen";
    expect_refused(&r);
    r.extension = "id 77AA66BB55CC44DD";
    expect_refused(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private__names_and_ids_are_gone),
        cmocka_unit_test(private__everything_else_is_kept),
        cmocka_unit_test(private__info_lists_nothing_that_was_to_go),
        cmocka_unit_test(private__the_result_is_the_same_each_time),
        cmocka_unit_test(private__what_is_left_in_kept_data_is_found),
        cmocka_unit_test(private__short_names_are_compared_with_texts),
        cmocka_unit_test(private__large_results_hide_no_short_name),
        cmocka_unit_test(private__what_nobody_knows_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
