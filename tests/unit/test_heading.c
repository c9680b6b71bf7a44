/* test_heading.c - titles and results of replays from what `info` says about them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#include "heading.h"
#include "json.h"

typedef struct desk {
    rp_context context;
    reprise_error error;
    rp_timeline timeline;
} desk;

/* The heading of a replay about which this is known; `result` NULL: none. */
static void check(const char *info, const char *title, const char *result)
{
    desk d = {.error = REPRISE_ERROR_INIT};
    rp_context_init(&d.context, NULL);
    rp_timeline_init(&d.timeline, &d.context, &d.error);
    reprise_value *value = NULL;
    assert_int_equal(rp_json_parse(&d.timeline.doc, info, strlen(info), "info", &value, NULL),
                     REPRISE_OK);
    rp_heading_set(&d.timeline, value, "file.replay");
    assert_string_equal(rp_get_text(d.timeline.source, "title"), title);
    const char *found = rp_get_text(d.timeline.source, "result");
    if (result)
        assert_string_equal(found, result);
    else
        assert_null(found);
    rp_timeline_free(&d.timeline);
    assert_true(d.context.bytes_live == 0);
}

static void titles__name_people_and_map(void **state)
{
    (void)state;
    check("{\"people\":[{\"name\":\"A\"},{\"name\":\"<#f00>B\"}],\"map\":{\"name\":\"Ring\"}}",
          "A vs B on Ring", NULL);
    check("{\"people\":[{\"name\":\"A\"}],\"map\":\"kz_a\",\"course\":\"Main\"}", "A on kz_a, Main",
          NULL);
    /* Three people who just are somewhere, and three who play against each other. */
    check("{\"people\":[{\"name\":\"A\"},{\"name\":\"B\"},{\"name\":\"C\"}]}", "A, B, C", NULL);
    check("{\"people\":[{\"name\":\"A\",\"faction\":\"x\"},{\"name\":\"B\"},{\"name\":\"C\"}]}",
          "A vs B vs C", NULL);
}

static void titles__group_teams_and_leave_out_others(void **state)
{
    (void)state;
    check("{\"people\":[{\"name\":\"A\",\"team\":1},{\"name\":\"B\",\"team\":2},"
          "{\"name\":\"C\",\"team\":1},{\"name\":\"D\",\"team\":2},{\"name\":\"E\",\"team\":0},"
          "{\"name\":\"F\",\"observer\":true},{\"name\":\"G\",\"role\":\"saved by\"},{}]}",
          "A, C vs B, D vs E", NULL);
    check("{\"people\":[{\"name\":\"A\",\"team\":1},{\"name\":\"B\",\"team\":1},"
          "{\"name\":\"C\",\"team\":1},{\"name\":\"D\",\"team\":1},{\"name\":\"E\",\"team\":1}]}",
          "A, B, C +2", NULL);
    check("{\"people\":[{\"name\":\"A\"},{\"name\":\"B\"},{\"name\":\"C\"},{\"name\":\"D\"},"
          "{\"name\":\"E\"},{\"name\":\"F\"}]}",
          "A, B, C, D and 2 more", NULL);
}

static void titles__come_from_the_file_or_its_name_if_need_be(void **state)
{
    (void)state;
    check("{\"title\":\"<b>Own\",\"people\":[{\"name\":\"A\"}]}", "Own", NULL);
    check("{\"title\":\"\"}", "file.replay", NULL);
    check("{\"people\":[{\"name\":\"A\"}],\"jump\":\"long_jump\",\"map\":{\"name\":\"m\"},"
          "\"distance\":245.25}",
          "A: long jump on m", "245.2 units");
    check("{\"people\":[{\"name\":\"0123456789012345678901234567890123456789012345678\"}]}",
          "01234567890123456789012345678901234567890123456...", NULL);
}

static void results__are_those_that_are_recorded(void **state)
{
    (void)state;
    check(
        "{\"people\":[{\"name\":\"A\",\"outcome\":\"Won\"},{\"name\":\"B\",\"outcome\":\"Lost\"}]}",
        "A vs B", "A won");
    check("{\"people\":[{\"name\":\"A\",\"outcome\":\"draw\"},{\"name\":\"B\"}]}", "A vs B",
          "Draw");
    check("{\"people\":[{\"name\":\"A\",\"outcome\":\"abandoned\"},{\"name\":\"B\"}]}", "A vs B",
          NULL);
    check("{\"run_time\":75.5,\"teleports\":1}", "file.replay", "1:15.500 with 1 teleport");
    check("{\"run_time\":1e300}", "file.replay", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles__name_people_and_map),
        cmocka_unit_test(titles__group_teams_and_leave_out_others),
        cmocka_unit_test(titles__come_from_the_file_or_its_name_if_need_be),
        cmocka_unit_test(results__are_those_that_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
