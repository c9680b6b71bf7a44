/* test_miniyaml.c - MiniYAML, read node by node, changed in place and written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json.h"
#include "miniyaml.h"

#include <stdio.h>
#include <string.h>

static rp_context fixture_context(void)
{
    rp_context context;
    rp_context_init(&context, NULL);
    return context;
}

typedef struct reading {
    char text[512]; /* depth, key and value of every node */
    reprise_error error;
} reading;

static reading read_nodes(const char *words)
{
    reading r = {.error = REPRISE_ERROR_INIT};
    rp_yaml yaml = rp_yaml_of(words, strlen(words), "test", &r.error);
    rp_yaml_node node;
    size_t used = 0;
    while (rp_yaml_next(&yaml, &node) && used < sizeof r.text)
        used += (size_t)snprintf(r.text + used, sizeof r.text - used, "%zu %.*s=%s%.*s%s;",
                                 node.depth, (int)node.key_size, node.key, node.value ? "'" : "",
                                 (int)node.value_size, node.value ? node.value : "",
                                 node.value ? "'" : "");
    return r;
}

static void expect_nodes(const char *words, const char *nodes)
{
    reading r = read_nodes(words);
    assert_int_equal(r.error.status, REPRISE_OK);
    assert_string_equal(r.text, nodes);
}

static void miniyaml__depth_is_tabs_or_four_spaces(void **state)
{
    (void)state;
    expect_nodes("a:\n\tb: 1\n\t\tc: 2\nd: 3", "0 a=;1 b='1';2 c='2';0 d='3';");
    expect_nodes("a:\n    b: 1\n        c: 2\n", "0 a=;1 b='1';2 c='2';");
    expect_nodes("a:\n \t b: 1\n", "0 a=;1 b='1';");
    expect_nodes("a:\n   b: 1\n", "0 a=;0 b='1';");
}

static void miniyaml__keys_and_values_are_trimmed(void **state)
{
    (void)state;
    expect_nodes("  key  :  some words  \r\n", "0 key='some words';");
    expect_nodes("a:b:c", "0 a='b:c';");
    expect_nodes("a:   \nb\n", "0 a=;0 b=;");
    expect_nodes(": nothing\n\n\n  \n", "");
}

static void miniyaml__comments_and_escapes(void **state)
{
    (void)state;
    expect_nodes("# all\na: b # rest\nc: \\# kept # gone\n", "0 a='b';0 c='\\# kept';");
    rp_context context = fixture_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_arena arena;
    rp_arena_init(&arena, &context);
    static const char words[] = "c: \\#1 \\\\#2";
    rp_yaml yaml = rp_yaml_of(words, strlen(words), "test", &error);
    rp_yaml_node node;
    size_t size;
    assert_true(rp_yaml_next(&yaml, &node));
    const char *text = rp_yaml_text(&arena, &node, &size, &error);
    assert_int_equal(size, 6);
    assert_memory_equal(text, "#1 \\#2", size);
    rp_arena_free(&arena);
}

static void miniyaml__guards_keep_blanks(void **state)
{
    (void)state;
    expect_nodes("a: \\ x\nb: x \\\nc: \\ x \\\n", "0 a=' x';0 b='x ';0 c=' x ';");
}

static void miniyaml__too_deep_a_node_is_an_error(void **state)
{
    (void)state;
    reading r = read_nodes("a:\n\t\tb: 1\n");
    assert_int_equal(r.error.status, REPRISE_E_CORRUPT);
    assert_int_equal(r.error.offset, 3);
    assert_string_equal(r.text, "0 a=;");
    r = read_nodes("\ta: 1\n");
    assert_int_equal(r.error.status, REPRISE_E_CORRUPT);
}

static void miniyaml__numbers_and_booleans(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int64_t number;
        bool yes;
    } values[] = {
        {"a: 12", 12, false}, {"a: -7", -7, false}, {"a: 1x", 99, false},
        {"a:", 99, false},    {"a: -", 99, false},  {"a: True", 99, true},
        {"a: yes", 99, true}, {"a: No", 99, false}, {"a: 9223372036854775808", 99, false},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        rp_yaml yaml = rp_yaml_of(values[i].words, strlen(values[i].words), "test", &error);
        rp_yaml_node node;
        assert_true(rp_yaml_next(&yaml, &node));
        assert_int_equal(rp_yaml_int(&node, 99), values[i].number);
        assert_int_equal(rp_yaml_bool(&node), values[i].yes);
    }
}

static void miniyaml__documents_nest(void **state)
{
    (void)state;
    static const char words[] = "Root:\n\tMod: ra\n\tNone:\nPlayer@0: own\n\tName: x\nLast: 1\n";
    rp_context context = fixture_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_doc doc = {&arena, &error};
    reprise_value *value = NULL;
    assert_int_equal(rp_yaml_document(&doc, &context.limits, words, strlen(words), "test", &value),
                     REPRISE_OK);
    rp_writer w;
    rp_writer_init(&w, &context, 4096, &error);
    rp_json_format format = {0};
    rp_json_write(&w, value, &format);
    static const char json[] = "{\"Root\":{\"Mod\":\"ra\",\"None\":null},"
                               "\"Player@0\":{\"\":\"own\",\"Name\":\"x\"},\"Last\":\"1\"}";
    assert_int_equal(w.size, strlen(json));
    assert_memory_equal(w.data, json, w.size);
    rp_writer_free(&w);
    rp_arena_free(&arena);
}

static void miniyaml__splices_keep_the_rest(void **state)
{
    (void)state;
    static const char words[] = "a:  old # why\r\n\tb:\nc: 1";
    rp_context context = fixture_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer w;
    rp_writer_init(&w, &context, 4096, &error);
    rp_yaml yaml = rp_yaml_of(words, strlen(words), "test", &error);
    rp_yaml_node node;
    size_t copied = 0;
    while (rp_yaml_next(&yaml, &node)) {
        if (!rp_yaml_is(&node, "c"))
            rp_yaml_splice(&w, &yaml, &node, "#2", 2, &copied);
    }
    rp_put(&w, words + copied, strlen(words) - copied);
    static const char after[] = "a:  \\#2 # why\r\n\tb: \\#2\nc: 1";
    assert_int_equal(w.size, strlen(after));
    assert_memory_equal(w.data, after, w.size);
    rp_writer_free(&w);
}

static void miniyaml__what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const values[] = {"", "x", " x", "x ", "a # b", "a: b", "\xC3\xBC"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        rp_context context = fixture_context();
        reprise_error error = REPRISE_ERROR_INIT;
        rp_writer w;
        rp_arena arena;
        rp_arena_init(&arena, &context);
        rp_writer_init(&w, &context, 4096, &error);
        rp_yaml_put(&w, 0, "key", values[i], strlen(values[i]));
        rp_yaml yaml = rp_yaml_of((const char *)w.data, w.size, "test", &error);
        rp_yaml_node node;
        size_t size;
        assert_true(rp_yaml_next(&yaml, &node));
        const char *text = rp_yaml_text(&arena, &node, &size, &error);
        assert_int_equal(size, strlen(values[i]));
        assert_memory_equal(text, values[i], size);
        rp_writer_free(&w);
        rp_arena_free(&arena);
    }
}

static void miniyaml__a_zero_in_a_key_is_shown(void **state)
{
    (void)state;
    rp_context context = fixture_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_doc doc = {&arena, &error};
    reprise_value *document = NULL;
    static const char text[] = "a\0b: 1\na: 2\n";
    assert_int_equal(
        rp_yaml_document(&doc, &context.limits, text, sizeof text - 1, "test", &document),
        REPRISE_OK);
    assert_int_equal(reprise_value_count(document), 2);
    assert_string_equal(reprise_value_key(document, 0), "a\xEF\xBF\xBD"
                                                        "b");
    rp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miniyaml__depth_is_tabs_or_four_spaces),
        cmocka_unit_test(miniyaml__keys_and_values_are_trimmed),
        cmocka_unit_test(miniyaml__comments_and_escapes),
        cmocka_unit_test(miniyaml__guards_keep_blanks),
        cmocka_unit_test(miniyaml__too_deep_a_node_is_an_error),
        cmocka_unit_test(miniyaml__numbers_and_booleans),
        cmocka_unit_test(miniyaml__documents_nest),
        cmocka_unit_test(miniyaml__splices_keep_the_rest),
        cmocka_unit_test(miniyaml__a_zero_in_a_key_is_shown),
        cmocka_unit_test(miniyaml__what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
