/*
 * test_private.c - anonymized samples: nothing that was private is left, everything else is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws.h"
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

static bool contains(const bytes *all, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; n && i + n <= all->size; i++) {
        if (memcmp(all->data + i, text, n) == 0)
            return true;
    }
    return false;
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
        if (name && strlen(name) > 3 && contains(&all, name))
            fail_msg("%s: %s is still there", s->path, name);
        if (id && contains(&all, id))
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

/* A marker named after a player is scrubbed; an extension that holds the name is refused. */
static bytes with_extension(const char *payload)
{
    static const char metadata[] = "{\"Scene\":\"Gym\",\"Players\":[{\"Name\":\"Emberfist\","
                                   "\"MasterId\":\"9A9E7F65ABC703CC\"}],\"Structures\":[],"
                                   "\"Markers\":[{\"r\":1.0,\"g\":1.0,\"b\":1.0,"
                                   "\"name\":\"won by Emberfist\",\"time\":0.5}]}";
    bytes file = {0};
    reprise_sink sink = {.ctx = &file, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_writer_begin("rumble", metadata, &options, NULL, &writer, &error), &error,
              "begin");
    expect_ok(reprise_writer_row(writer, reprise_writer_track(writer, "frames"), 0, 7.5, &error),
              &error, "frame");
    int track = reprise_writer_track(writer, "extensions");
    expect_ok(reprise_writer_row(writer, track, 0, 7.5, &error), &error, "extension");
    expect_ok(reprise_writer_set_text(writer, reprise_writer_column(writer, track, "data"), payload,
                                      strlen(payload), &error),
              &error, "data");
    expect_ok(reprise_writer_end(writer, &error), &error, "end");
    reprise_writer_close(writer);
    return file;
}

static void private__what_is_left_in_kept_data_is_found(void **state)
{
    (void)state;
    bytes clean = with_extension("nothing here"), leak = with_extension("by Emberfist himself");
    uint32_t what = REPRISE_PRIVATE_ALL & ~(uint32_t)REPRISE_PRIVATE_EXTENSIONS;
    bytes result = changed(&clean, (change){.anonymize = what});
    bytes all = everything_in(&result);
    assert_false(contains(&all, "Emberfist"));
    assert_true(contains(&all, "won by Player 1"));
    bytes_free(&result);
    reprise_replay *replay = open_bytes(&leak, false);
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_anonymize(replay, what, &options, &report, &error), REPRISE_E_CORRUPT);
    assert_int_equal(result.size, 0);
    reprise_close(replay);
    bytes_free(&all);
    bytes_free(&clean);
    bytes_free(&leak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private__names_and_ids_are_gone),
        cmocka_unit_test(private__everything_else_is_kept),
        cmocka_unit_test(private__what_is_left_in_kept_data_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
