/* test_value.c - building, comparing, reading and writing documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "json.h"
#include "value.h"

#include "document_fixture.h"

static void assert_text(const reprise_value *value, const char *expected, size_t expected_size)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    assert_non_null(text);
    assert_int_equal(size, expected_size);
    assert_memory_equal(text, expected, expected_size + 1);
}

static void value__scalars_keep_their_value(void **state)
{
    fixture *f = *state;
    assert_int_equal(reprise_value_kind_of(rp_new_null(&f->doc)), REPRISE_VALUE_NULL);
    assert_true(reprise_value_bool(rp_new_bool(&f->doc, true), false));
    assert_false(reprise_value_bool(rp_new_bool(&f->doc, false), true));
    assert_int_equal(reprise_value_int(rp_new_int(&f->doc, INT64_MIN), 1), INT64_MIN);
    assert_true(reprise_value_double(rp_new_f32(&f->doc, 0.5f), 1) == 0.5);
    assert_true(reprise_value_double(rp_new_f64(&f->doc, 0.1), 1) == 0.1);
    assert_text(rp_new_text(&f->doc, "abc"), "abc", 3);
    assert_text(rp_new_text_n(&f->doc, "a\0b", 3), "a\0b", 3);
    assert_text(rp_new_text_n(&f->doc, NULL, 0), "", 0);
    assert_text(rp_new_format(&f->doc, "%d-%s", 7, "x"), "7-x", 3);
    assert_text(rp_new_hex(&f->doc, "\x00\x7f\xff\xa5", 4), "007fffa5", 8);
    assert_text(rp_new_hex(&f->doc, "", 0), "", 0);
}

static void value__kind_of_integer_depends_on_size_only(void **state)
{
    fixture *f = *state;
    assert_int_equal(reprise_value_kind_of(rp_new_uint(&f->doc, INT64_MAX)), REPRISE_VALUE_INT);
    const reprise_value *big = rp_new_uint(&f->doc, (uint64_t)INT64_MAX + 1);
    assert_int_equal(reprise_value_kind_of(big), REPRISE_VALUE_UINT);
    assert_int_equal(reprise_value_int(big, -7), -7);
    assert_true(reprise_value_uint(big, 0) == (uint64_t)INT64_MAX + 1);
    assert_true(reprise_value_double(big, 0) == 0x1p63);
    assert_int_equal(reprise_value_uint(rp_new_int(&f->doc, -1), 7), 7);
}

static void value__getters_convert_only_without_loss(void **state)
{
    fixture *f = *state;
    static const struct {
        double real;
        int64_t integer;  /* -9 where it does not fit */
        uint64_t natural; /* 9 where it does not fit */
    } cases[] = {
        {2.0, 2, 2},
        {-3.0, -3, 9},
        {-0.0, 0, 0},
        {2.5, -9, 9},
        {-0.5, -9, 9},
        {0x1p62, INT64_C(1) << 62, UINT64_C(1) << 62},
        {0x1p63, -9, UINT64_C(1) << 63},
        {-0x1p63, INT64_MIN, 9},
        {-0x1.0000000000001p63, -9, 9},
        {0x1.fffffffffffffp63, -9, UINT64_C(0xFFFFFFFFFFFFF800)},
        {0x1p64, -9, 9},
        {1e300, -9, 9},
        {HUGE_VAL, -9, 9},
        {-HUGE_VAL, -9, 9},
        {NAN, -9, 9},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        const reprise_value *value = rp_new_f64(&f->doc, cases[i].real);
        assert_true(reprise_value_int(value, -9) == cases[i].integer);
        assert_true(reprise_value_uint(value, 9) == cases[i].natural);
    }
    assert_int_equal(reprise_value_int(rp_new_f32(&f->doc, 4.0f), -9), 4);
    assert_int_equal(reprise_value_int(rp_new_text(&f->doc, "4"), -9), -9);
    assert_int_equal(reprise_value_int(rp_new_bool(&f->doc, true), -9), -9);
    assert_true(reprise_value_double(rp_new_text(&f->doc, "4"), -9) == -9);
    assert_true(reprise_value_bool(rp_new_int(&f->doc, 0), true));
}

static void value__getters_accept_null(void **state)
{
    fixture *f = *state;
    const reprise_value *number = rp_new_int(&f->doc, 1);
    const reprise_value *nothings[] = {NULL, number, rp_new_object(&f->doc)};
    for (size_t i = 0; i < RP_COUNT(nothings); i++) {
        assert_null(reprise_value_get(nothings[i], "a"));
        assert_null(reprise_value_at(nothings[i], 0));
        assert_null(reprise_value_key(nothings[i], 0));
        assert_int_equal(reprise_value_count(nothings[i]), 0);
        assert_null(reprise_value_text(nothings[i], NULL));
    }
    assert_int_equal(reprise_value_kind_of(NULL), REPRISE_VALUE_NULL);
    const reprise_value *deep = parsed(f, "{\"a\":[{\"b\":5}]}");
    assert_int_equal(
        reprise_value_int(reprise_value_get(reprise_value_at(reprise_value_get(deep, "a"), 0), "b"),
                          0),
        5);
    assert_null(reprise_value_get(reprise_value_at(reprise_value_get(deep, "x"), 0), "b"));
}

static void value__lists_keep_order_and_first_key_wins(void **state)
{
    fixture *f = *state;
    reprise_value *object = rp_new_object(&f->doc);
    char key[8] = "k0";
    for (int i = 0; i < 100; i++) {
        key[1] = (char)('0' + i % 10);
        rp_set_int(&f->doc, object, key, i);
    }
    key[0] = 'x'; /* keys are copies */
    assert_int_equal(reprise_value_count(object), 100);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(reprise_value_int(reprise_value_at(object, i), -1), i);
    assert_string_equal(reprise_value_key(object, 57), "k7");
    assert_int_equal(reprise_value_int(rp_get(object, "k7"), -1), 7);
    assert_null(rp_get(object, "k"));
    assert_null(rp_get(object, "k77"));
    assert_null(reprise_value_at(object, 100));

    reprise_value *array = rp_set_array(&f->doc, object, "list");
    rp_set_text(&f->doc, rp_push_object(&f->doc, array), "name", "x");
    assert_text(rp_get(reprise_value_at(array, 0), "name"), "x", 1);
    assert_null(reprise_value_key(array, 0));
}

static void value__shorthands_append_their_kind(void **state)
{
    fixture *f = *state;
    reprise_value *object = rp_new_object(&f->doc);
    rp_set_object(&f->doc, object, "o");
    rp_set_array(&f->doc, object, "a");
    rp_set_bool(&f->doc, object, "b", true);
    rp_set_int(&f->doc, object, "i", -1);
    rp_set_uint(&f->doc, object, "u", UINT64_MAX);
    rp_set_f32(&f->doc, object, "f", 0.1f);
    rp_set_f64(&f->doc, object, "d", 0.1);
    rp_set_text(&f->doc, object, "t", "x");
    static const reprise_value_kind kinds[] = {
        REPRISE_VALUE_OBJECT, REPRISE_VALUE_ARRAY, REPRISE_VALUE_BOOL,   REPRISE_VALUE_INT,
        REPRISE_VALUE_UINT,   REPRISE_VALUE_FLOAT, REPRISE_VALUE_DOUBLE, REPRISE_VALUE_STRING,
    };
    assert_int_equal(reprise_value_count(object), RP_COUNT(kinds));
    for (size_t i = 0; i < RP_COUNT(kinds); i++)
        assert_int_equal(reprise_value_kind_of(reprise_value_at(object, i)), kinds[i]);
}

static void value__text_is_always_utf8(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"Gr\xC3\xBC\xC3\x9F", "Gr\xC3\xBC\xC3\x9F"},
        {"a\xFF"
         "b",
         "a\xEF\xBF\xBD"
         "b"},
        {"\xE2\x82", "\xEF\xBF\xBD"},     /* cut short: one */
        {"\xE2\x82x", "\xEF\xBF\xBDx"},   /* interrupted: one */
        {"\xF0\x9F\x98", "\xEF\xBF\xBD"}, /* cut short: one */
        {"\xF0\x9F\x98\xF0\x9F\x98\x80", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},                 /* overlong */
        {"\xE0\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* overlong */
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* surrogate */
        {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\x80\xC3\xA9\xBF", "\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        size_t size = strlen(cases[i].text);
        assert_text(rp_new_text(&f->doc, cases[i].bytes), cases[i].text, size);
        assert_text(rp_new_format(&f->doc, "%s", cases[i].bytes), cases[i].text, size);
        reprise_value *object = rp_new_object(&f->doc);
        rp_set_int(&f->doc, object, cases[i].bytes, 1);
        assert_string_equal(reprise_value_key(object, 0), cases[i].text);
    }
}

static void value__equal_compares_content(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"null", "null", true},
        {"null", "false", false},
        {"true", "true", true},
        {"true", "false", false},
        {"1", "1.0", true},
        {"1", "10e-1", true},
        {"1", "true", false},
        {"1", "\"1\"", false},
        {"0", "-0", true},
        {"0.1", "0.10", true},
        {"0.1", "0.2", false},
        {"9007199254740993", "9007199254740992.0", false},
        {"9007199254740992", "9007199254740992.0", true},
        {"18446744073709551615", "18446744073709551615", true},
        {"18446744073709551615", "18446744073709551616", false},
        {"18446744073709551615", "-1", false},
        {"-9223372036854775808", "9223372036854775808", false},
        {"-9223372036854775808", "-9223372036854775808.0", true},
        {"1e400", "1e401", true},
        {"1e400", "-1e400", false},
        {"\"a\"", "\"\\u0061\"", true},
        {"\"a\"", "\"b\"", false},
        {"\"a\"", "\"a\\u0000\"", false},
        {"\"\"", "\"\"", true},
        {"[]", "{}", false},
        {"[]", "[]", true},
        {"[1,2]", "[1,2]", true},
        {"[1,2]", "[2,1]", false},
        {"[1,2]", "[1,2,3]", false},
        {"[null]", "[null]", true},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}", true},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
        {"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
        {"{\"z\":0,\"a\":1,\"b\":2,\"c\":3}", "{\"z\":0,\"c\":3,\"a\":1,\"b\":2}", true},
        {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}", true},
        {"{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}", false},
        {"{\"a\":1,\"b\":0,\"a\":2}", "{\"b\":0,\"a\":1,\"a\":2}", true},
        {"{\"a\":1,\"b\":0,\"a\":2}", "{\"b\":0,\"a\":2,\"a\":1}", false},
        {"{\"a\":1,\"a\":1,\"b\":1}", "{\"b\":1,\"b\":1,\"a\":1}", false},
        {"{\"a\":[{\"b\":null}]}", "{\"a\":[{\"b\":null}]}", true},
        {"{\"a\":[{\"b\":null}]}", "{\"a\":[{\"b\":0}]}", false},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        const reprise_value *a = parsed(f, cases[i].a), *b = parsed(f, cases[i].b);
        if (rp_value_equal(a, b) != cases[i].equal || rp_value_equal(b, a) != cases[i].equal)
            fail_msg("%s against %s", cases[i].a, cases[i].b);
    }
}

static void value__equal_knows_built_numbers(void **state)
{
    fixture *f = *state;
    assert_true(rp_value_equal(rp_new_f64(&f->doc, NAN), rp_new_f32(&f->doc, NAN)));
    assert_false(rp_value_equal(rp_new_f64(&f->doc, NAN), rp_new_f64(&f->doc, 0)));
    assert_true(rp_value_equal(rp_new_f32(&f->doc, 0.5f), parsed(f, "0.5")));
    assert_false(rp_value_equal(rp_new_f32(&f->doc, 0.1f), parsed(f, "0.1")));
    assert_true(rp_value_equal(NULL, rp_new_null(&f->doc)));
    assert_false(rp_value_equal(NULL, rp_new_int(&f->doc, 0)));
}

static void value__parsed_lists_can_grow(void **state)
{
    fixture *f = *state;
    reprise_value *object = parsed(f, "{\"a\":1,\"b\":[]}");
    rp_set_int(&f->doc, object, "c", 3);
    rp_push(&f->doc, rp_get(object, "b"), rp_new_int(&f->doc, 4));
    assert_true(rp_value_equal(object, parsed(f, "{\"a\":1,\"b\":[4],\"c\":3}")));
}

static void value__items_limit_stops_building(void **state)
{
    fixture *f = *state;
    f->context.limits.items_max = 3;
    reprise_value *array = rp_new_array(&f->doc);
    for (int i = 0; i < 5; i++)
        rp_push(&f->doc, array, rp_new_int(&f->doc, i));
    assert_int_equal(f->error.status, REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "list size 4 is over limit items=3");
    assert_int_equal(reprise_value_count(array), 3);
}

/* A document of every kind of builder, large enough for several blocks of the arena. */
static reprise_value *build_much(rp_doc *doc)
{
    reprise_value *root = rp_new_object(doc);
    for (int i = 0; i < 200; i++) {
        reprise_value *list = rp_set_array(doc, root, "a list");
        rp_set_text(doc, rp_push_object(doc, list), "text", "some \xFF text");
        rp_push(doc, list, rp_new_format(doc, "%d", i));
        rp_push(doc, list, rp_new_hex(doc, &i, sizeof i));
        rp_set_uint(doc, root, "natural", UINT64_MAX);
        rp_set_f64(doc, root, "real", 1.5);
    }
    return root;
}

static void value__every_failed_allocation_is_reported(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        fixture f;
        start(&f, n);
        reprise_value *root = build_much(&f.doc);
        reprise_status status = f.error.status;
        if (status == REPRISE_OK)
            assert_int_equal(reprise_value_count(root), 600);
        else
            assert_null(rp_new_int(&f.doc, 1)); /* no builder works after a failure */
        finish(&f);
        if (status == REPRISE_OK)
            break;
        assert_int_equal(status, REPRISE_E_NOMEM);
        failures++;
    }
    assert_true(failures > 3);
}

static void value__nothing_is_built_after_a_failure(void **state)
{
    fixture *f = *state;
    reprise_value *object = rp_new_object(&f->doc), *array = rp_new_array(&f->doc);
    rp_error_set(&f->error, REPRISE_E_CORRUPT, "earlier");
    assert_null(rp_new_null(&f->doc));
    assert_null(rp_new_text(&f->doc, "x"));
    assert_null(rp_new_format(&f->doc, "x"));
    assert_null(rp_new_hex(&f->doc, "x", 1));
    assert_null(rp_set(&f->doc, object, "a", array));
    assert_null(rp_push(&f->doc, array, object));
    assert_int_equal(reprise_value_count(object) + reprise_value_count(array), 0);
    assert_string_equal(f->error.message, "earlier");
}

static void value__setting_in_null_does_nothing(void **state)
{
    fixture *f = *state;
    reprise_value *object = rp_new_object(&f->doc);
    assert_null(rp_set(&f->doc, NULL, "a", object));
    assert_null(rp_set(&f->doc, object, "a", NULL));
    assert_null(rp_push(&f->doc, NULL, object));
    assert_int_equal(reprise_value_count(object), 0);
    assert_int_equal(f->error.status, REPRISE_OK);
}

/* A sink that stores everything, or fails after some calls. */
typedef struct collector {
    char *data;
    size_t size, calls, calls_max;
} collector;

static int collect(void *ctx, const void *data, size_t size)
{
    collector *c = ctx;
    if (c->calls++ == c->calls_max)
        return ENOSPC;
    c->data = realloc(c->data, c->size + size);
    memcpy(c->data + c->size, data, size);
    c->size += size;
    return 0;
}

/* A document with everything that exceeds a small buffer: long strings, digits, indents. */
static reprise_value *big_document(fixture *f)
{
    enum { SIZE = 30001 };
    char *text = malloc(SIZE);
    reprise_value *array = rp_new_array(&f->doc);
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'x', shift);
        for (size_t i = shift; i + 4 <= SIZE; i += 4)
            memcpy(text + i, "\xF0\x9F\x98\x80", 4);
        rp_push(&f->doc, array, rp_new_text_n(&f->doc, text, shift + (SIZE - 1) / 4 / 2 * 4));
    }
    memset(text, '\x01', SIZE);
    rp_push(&f->doc, array, rp_new_text_n(&f->doc, text, SIZE));
    memset(text, '7', SIZE);
    rp_push(&f->doc, array, parsed_n(f, text, SIZE));
    for (size_t i = 0; i < 2000; i++)
        rp_set_int(&f->doc, rp_push_object(&f->doc, array), "some key", (int64_t)i << 30);
    f->context.limits.depth_max = 1000;
    memset(text, '[', 900);
    memset(text + 900, ']', 900);
    rp_push(&f->doc, array, parsed_n(f, text, 1800));
    free(text);
    return array;
}

static void value__write_gives_sinks_the_same_text(void **state)
{
    fixture *f = *state;
    const reprise_value *value = big_document(f);
    for (int style = REPRISE_JSON_COMPACT; style <= REPRISE_JSON_PRETTY; style++) {
        collector c = {.calls_max = SIZE_MAX};
        const reprise_sink sink = {.ctx = &c, .write = collect};
        assert_int_equal(reprise_value_write(value, (reprise_json_style)style, &sink, &f->error),
                         REPRISE_OK);
        unsigned indent = style == REPRISE_JSON_PRETTY ? 2 : 0;
        rp_writer w;
        rp_writer_init(&w, &f->context, 1 << 24, &f->error);
        rp_json_write(&w, value, &(rp_json_format){.indent = indent});
        assert_int_equal(c.size, w.size);
        assert_memory_equal(c.data, w.data, c.size);
        rp_writer_free(&w);
        assert_true(c.calls > 10);
        free(c.data);
    }
}

static void value__write_stops_after_a_failing_sink(void **state)
{
    fixture *f = *state;
    const reprise_value *value = big_document(f);
    for (size_t calls = 0; calls < 5; calls++) {
        collector c = {.calls_max = calls};
        const reprise_sink sink = {.ctx = &c, .write = collect};
        rp_error_clear(&f->error);
        assert_int_equal(reprise_value_write(value, REPRISE_JSON_PRETTY, &sink, &f->error),
                         REPRISE_E_IO);
        assert_int_equal(f->error.cause, ENOSPC);
        assert_int_equal(c.calls, calls + 1);
        free(c.data);
    }
    collector c = {.calls_max = SIZE_MAX};
    const reprise_sink sink = {.ctx = &c, .write = collect};
    assert_int_equal(reprise_value_write(value, REPRISE_JSON_COMPACT, &sink, &f->error),
                     REPRISE_OK); /* every call starts with a clean error */
    assert_true(c.calls > 0);
    free(c.data);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(value__scalars_keep_their_value),
        CASE(value__kind_of_integer_depends_on_size_only),
        CASE(value__getters_convert_only_without_loss),
        CASE(value__getters_accept_null),
        CASE(value__lists_keep_order_and_first_key_wins),
        CASE(value__shorthands_append_their_kind),
        CASE(value__text_is_always_utf8),
        CASE(value__equal_compares_content),
        CASE(value__equal_knows_built_numbers),
        CASE(value__parsed_lists_can_grow),
        CASE(value__items_limit_stops_building),
        CASE(value__setting_in_null_does_nothing),
        CASE(value__nothing_is_built_after_a_failure),
        CASE(value__write_gives_sinks_the_same_text),
        CASE(value__write_stops_after_a_failing_sink),
        cmocka_unit_test(value__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
