/* test_base_error.c - the contract of error.h: the first failure wins, no buffer overflows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "checked.h"
#include "error.h"

static void error__first_failure_wins(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_error_set(&error, REPRISE_E_CORRUPT, "first %d", 1), REPRISE_E_CORRUPT);
    assert_int_equal(rp_error_set(&error, REPRISE_E_IO, "second"), REPRISE_E_CORRUPT);
    assert_int_equal(error.status, REPRISE_E_CORRUPT);
    assert_string_equal(error.message, "first 1");
}

static void error__place_is_named_once(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_CORRUPT, "bad");
    rp_error_place(&error, "gzip", 77, "frame");
    rp_error_place(&error, "file", 5, "other");
    assert_string_equal(error.stream, "gzip");
    assert_string_equal(error.path, "frame");
    assert_int_equal(error.offset, 77);
}

static void error__path_is_prefixed(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_CORRUPT, "bad");
    rp_error_place(&error, "file", 0, "rotation");
    rp_error_at(&error, "entries[%d]", 3);
    rp_error_at(&error, "frames[%d]", 12);
    assert_string_equal(error.path, "frames[12].entries[3].rotation");
    assert_string_equal(error.message, "bad");
}

static void error__path_joins_indices_without_a_dot(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_at(&error, "nothing happened");
    rp_error_place(&error, "file", 1, "nothing");
    assert_string_equal(error.path, "");
    rp_error_set(&error, REPRISE_E_CORRUPT, "bad");
    rp_error_at(&error, "[%d]", 3);
    assert_string_equal(error.path, "[3]");
    rp_error_at(&error, "entries");
    assert_string_equal(error.path, "entries[3]");
}

static void error__long_paths_are_truncated_at_the_end(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_CORRUPT, "bad");
    for (int i = 0; i < 100; i++) {
        rp_error_at(&error, "level[%d]", i);
        assert_non_null(memchr(error.path, '\0', sizeof error.path));
    }
    assert_memory_equal(error.path, "level[99].level[98].", 20);
    assert_int_equal(strlen(error.path), sizeof error.path - 1);
    rp_error_at(&error, "%500d", 1);
    assert_int_equal(strlen(error.path), sizeof error.path - 1);
}

static void error__first_hint_stays(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_hint(&error, "try %s", "this");
    rp_error_hint(&error, "try that");
    assert_string_equal(error.hint, "try this");
}

static void error__long_texts_are_truncated(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    rp_error_set(&error, REPRISE_E_CORRUPT, "%s", longer);
    rp_error_place(&error, longer, 1, longer);
    rp_error_hint(&error, "%s", longer);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.stream), sizeof error.stream - 1);
    assert_int_equal(strlen(error.path), sizeof error.path - 1);
    assert_int_equal(strlen(error.hint), sizeof error.hint - 1);
}

static void error__clear_resets_everything(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT, fresh = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_CORRUPT, "bad");
    rp_error_place(&error, "file", 9, "x");
    rp_error_hint(&error, "y");
    error.cause = 5;
    rp_error_clear(&error);
    assert_int_equal(error.status, fresh.status);
    assert_int_equal(error.cause, 0);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.stream, "");
    assert_string_equal(error.path, "");
    assert_string_equal(error.message, "");
    assert_string_equal(error.hint, "");
}

static void text_copy__truncates_between_characters(void **state)
{
    RP_UNUSED(state);
    static const struct {
        size_t size;
        const char *result;
    } cases[] = {
        {1, ""},
        {2, "a"},
        {3, "a"},
        {4, "a\xC3\xA9"},
        {5, "a\xC3\xA9"},
        {7, "a\xC3\xA9\xE2\x82\xAC"},
        {8, "a\xC3\xA9\xE2\x82\xAC"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        char to[16];
        memset(to, '#', sizeof to);
        rp_text_copy(to, cases[i].size, "a\xC3\xA9\xE2\x82\xAC");
        assert_string_equal(to, cases[i].result);
        assert_int_equal(to[cases[i].size], '#');
    }
}

static void status__names_and_numbers_are_pinned(void **state)
{
    RP_UNUSED(state);
    static const struct {
        int number;
        const char *name;
    } pinned[] = {
        {0, "ok"},           {1, "end"},        {10, "io"},           {11, "no-memory"},
        {12, "limit"},       {13, "cancelled"}, {20, "unrecognized"}, {21, "ambiguous"},
        {22, "unsupported"}, {30, "truncated"}, {31, "corrupt"},      {32, "checksum"},
        {33, "signature"},   {40, "lossy"},     {50, "usage"},        {99, "unknown"},
    };
    for (size_t i = 0; i < RP_COUNT(pinned); i++)
        assert_string_equal(reprise_status_name((reprise_status)pinned[i].number), pinned[i].name);
}

static void error_text__contains_everything(void **state)
{
    RP_UNUSED(state);
    char text[REPRISE_ERROR_TEXT_MAX];
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_TRUNCATED, "need 16 bytes, 9 left");
    assert_string_equal(reprise_error_text(&error, "match.replay", text, sizeof text),
                        "match.replay: need 16 bytes, 9 left");
    rp_error_place(&error, "zip:replay", 0x1a2c, "frames[12]");
    assert_string_equal(reprise_error_text(&error, "match.replay", text, sizeof text),
                        "match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left");
    rp_error_hint(&error, "try verify");
    assert_string_equal(
        reprise_error_text(&error, "match.replay", text, sizeof text),
        "match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left; try verify");
}

static void error_text__stays_in_its_buffer(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_error_set(&error, REPRISE_E_IO, "cannot open");
    char text[8];
    memset(text, '#', sizeof text);
    assert_ptr_equal(reprise_error_text(&error, "name", text, 7), text);
    assert_string_equal(text, "name: ");
    assert_int_equal(text[7], '#');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error__first_failure_wins),
        cmocka_unit_test(error__place_is_named_once),
        cmocka_unit_test(error__path_is_prefixed),
        cmocka_unit_test(error__path_joins_indices_without_a_dot),
        cmocka_unit_test(error__long_paths_are_truncated_at_the_end),
        cmocka_unit_test(error__first_hint_stays),
        cmocka_unit_test(error__long_texts_are_truncated),
        cmocka_unit_test(error__clear_resets_everything),
        cmocka_unit_test(text_copy__truncates_between_characters),
        cmocka_unit_test(status__names_and_numbers_are_pinned),
        cmocka_unit_test(error_text__contains_everything),
        cmocka_unit_test(error_text__stays_in_its_buffer),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
