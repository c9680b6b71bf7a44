/* test_json_writer.c - documents are written once, member by member (cli/ui/json.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/json.h"

static void put_sample(cli_json *json)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "text", "a \"b\" \\ \n \x01 \xff");
    cli_json_text(json, "none", NULL);
    cli_json_bytes(json, "bytes", "xyz", 2);
    cli_json_array(json, "list");
    cli_json_uint(json, NULL, UINT32_MAX);
    cli_json_uint(json, NULL, UINT64_C(1) << 32);
    cli_json_number(json, NULL, UINT64_C(1) << 32);
    cli_json_close(json);
    cli_json_array(json, "empty");
    cli_json_close(json);
    cli_json_object(json, "object");
    cli_json_bool(json, "yes", true);
    cli_json_bool(json, "no", false);
    cli_json_close(json);
    cli_json_close(json);
}

static void writer__places_commas_and_escapes(void **state)
{
    (void)state;
    cli_strbuf text = {0};
    put_sample(&(cli_json){.to = &text});
    assert_string_equal(
        text.data,
        "{\"text\":\"a \\\"b\\\" \\\\ \\n \\u0001 \xEF\xBF\xBD\",\"none\":null,\"bytes\":\"xy\","
        "\"list\":[4294967295,\"4294967296\",4294967296],\"empty\":[],"
        "\"object\":{\"yes\":true,\"no\":false}}");
    cli_strbuf_free(&text);
}

static void writer__indents_for_people(void **state)
{
    (void)state;
    cli_strbuf text = {0};
    put_sample(&(cli_json){.to = &text, .pretty = true});
    assert_string_equal(text.data, "{\n"
                                   "  \"text\": \"a \\\"b\\\" \\\\ \\n \\u0001 \xEF\xBF\xBD\",\n"
                                   "  \"none\": null,\n"
                                   "  \"bytes\": \"xy\",\n"
                                   "  \"list\": [\n"
                                   "    4294967295,\n"
                                   "    \"4294967296\",\n"
                                   "    4294967296\n"
                                   "  ],\n"
                                   "  \"empty\": [],\n"
                                   "  \"object\": {\n"
                                   "    \"yes\": true,\n"
                                   "    \"no\": false\n"
                                   "  }\n"
                                   "}");
    cli_strbuf_free(&text);
}

static void writer__prints_the_shortest_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},       {0.1, "0.1"},  {(double)0.1f, "0.1"}, {1.0 / 3, "0.3333333333333333"},
        {-2.5, "-2.5"}, {NAN, "null"}, {INFINITY, "null"},    {1e300, "1e+300"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_strbuf text = {0};
        cli_json_real(&(cli_json){.to = &text}, NULL, cases[i].value);
        assert_string_equal(text.data, cases[i].text);
        cli_strbuf_free(&text);
    }
}

/* Values of the library keep their form, and one member can be left out. */
static void writer__takes_members_of_a_value(void **state)
{
    (void)state;
    reprise_library *library = NULL;
    const reprise_value *formats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_library_new(&library, &error), REPRISE_OK);
    assert_int_equal(reprise_formats(library, &formats, &error), REPRISE_OK);
    const reprise_value *format = reprise_value_at(formats, 0);
    cli_strbuf all = {0}, copied = {0}, less = {0}, pretty = {0};
    cli_json_value(&(cli_json){.to = &all}, NULL, format);
    cli_json json = {.to = &copied};
    cli_json_object(&json, NULL);
    cli_json_members(&json, format, NULL);
    cli_json_close(&json);
    assert_string_equal(copied.data, all.data);
    json = (cli_json){.to = &less};
    cli_json_object(&json, NULL);
    cli_json_members(&json, format, "layouts");
    cli_json_close(&json);
    assert_non_null(strstr(all.data, "\"layouts\":"));
    assert_null(strstr(less.data, "\"layouts\":"));
    assert_true(less.size < all.size);
    cli_json_value(&(cli_json){.to = &pretty, .pretty = true}, NULL, format);
    assert_non_null(strstr(pretty.data, "\n  \"layouts\": [\n    {\n"));
    cli_strbuf_free(&all);
    cli_strbuf_free(&copied);
    cli_strbuf_free(&less);
    cli_strbuf_free(&pretty);
    reprise_library_free(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer__places_commas_and_escapes),
        cmocka_unit_test(writer__indents_for_people),
        cmocka_unit_test(writer__prints_the_shortest_digits),
        cmocka_unit_test(writer__takes_members_of_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
