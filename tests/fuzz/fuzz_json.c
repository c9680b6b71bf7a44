/*
 * fuzz_json.c - any bytes as JSON. What parses must survive writing and parsing again, in every
 * format, and come out of a sink as it comes out of a writer.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts: a fuzzer takes that for a finding, and asserts may be off. */
static void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct expectation {
    const uint8_t *data;
    size_t left;
} expectation;

static int compare_output(void *ctx, const void *data, size_t size)
{
    expectation *e = ctx;
    must(size <= e->left && memcmp(data, e->data, size) == 0);
    e->data += size;
    e->left -= size;
    return 0;
}

static void check_sink(const reprise_value *value, const rp_writer *text, reprise_json_style style)
{
    expectation e = {.data = text->data, .left = text->size};
    const reprise_sink sink = {.ctx = &e, .write = compare_output};
    reprise_error error = REPRISE_ERROR_INIT;
    must(reprise_value_write(value, style, &sink, &error) == REPRISE_OK && e.left == 0);
}

static void check_format(rp_doc *doc, const reprise_value *value, const rp_json_format *format)
{
    rp_writer first, second;
    rp_writer_init(&first, doc->arena->context, SIZE_MAX, doc->error);
    rp_writer_init(&second, doc->arena->context, SIZE_MAX, doc->error);
    rp_json_write(&first, value, format);
    reprise_value *again = NULL;
    must(rp_json_parse(doc, (const char *)first.data, first.size, "again", &again, NULL) ==
         REPRISE_OK);
    if (format->exact_integers)
        must(rp_value_equal(value, again) && rp_value_equal(again, value));
    rp_json_write(&second, again, format);
    must(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    if (!format->exact_integers)
        check_sink(value, &first, format->indent ? REPRISE_JSON_PRETTY : REPRISE_JSON_COMPACT);
    rp_writer_free(&first);
    rp_writer_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rp_json_format formats[] = {
        {.indent = 0},
        {.indent = 2},
        {.indent = 0, .exact_integers = true},
        {.indent = 3, .exact_integers = true, .crlf = true},
    };
    TEST_OPTIONS(options);
    options_limit(options, "text_bytes", UINT64_C(1) << 30);
    options_limit(options, "string_bytes", UINT64_C(1) << 30);
    rp_context context;
    rp_context_init(&context, options);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &arena, .error = &error};
    reprise_value *value = NULL;
    rp_json_notes notes;
    reprise_status status = rp_json_parse(&doc, (const char *)data, size, "fuzz", &value, &notes);
    must((status == REPRISE_OK) == (value != NULL) && status == error.status);
    must(status == REPRISE_OK || (error.offset <= size && error.message[0]));
    for (size_t i = 0; value && i < sizeof formats / sizeof formats[0]; i++)
        check_format(&doc, value, &formats[i]);
    rp_arena_free(&arena);
    must(context.bytes_live == 0);
    return 0;
}
