/* test_xml.c - the memory of the XML parser counts towards the context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"
#include "source.h"
#include "xml.h"

/* Tracks the live memory. */
typedef struct meter {
    size_t now, most;
} meter;

static void *meter_alloc(void *ctx, size_t size)
{
    meter *m = ctx;
    m->now += size;
    m->most = m->now > m->most ? m->now : m->most;
    return malloc(size);
}

static void *meter_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    meter *m = ctx;
    m->now += size - old_size;
    m->most = m->now > m->most ? m->now : m->most;
    return realloc(old, size);
}

static void meter_free(void *ctx, void *old, size_t size)
{
    meter *m = ctx;
    m->now -= size;
    free(old);
}

/* Many attributes with different names, which expat keeps until the end. */
static char *many_names(size_t count)
{
    enum { EACH = 16, ENDS = 32 };
    size_t room = count * EACH + ENDS;
    char *text = malloc(room);
    assert_non_null(text);
    size_t at = (size_t)snprintf(text, room, "<a>");
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, room - at, "<b n%zu=''/>", i);
    assert_true(at + ENDS / 2 < room);
    snprintf(text + at, room - at, "</a>");
    return text;
}

static reprise_status read_all(const char *text, uint64_t memory_max, meter *m,
                               reprise_error *error)
{
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", memory_max);
    reprise_allocator allocator = {
        .ctx = m, .alloc = meter_alloc, .realloc = meter_realloc, .free = meter_free};
    reprise_options_set_allocator(options, &allocator, NULL);
    rp_context context;
    rp_context_init(&context, options);
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    rp_xml *xml = NULL;
    reprise_status status = rp_source_open_memory(&context, text, strlen(text), &source, error);
    if (status == REPRISE_OK)
        status = rp_stream_open_range(&context, source, 0, strlen(text), "xml", &stream, error);
    if (status == REPRISE_OK)
        status = rp_xml_open(&context, stream, &xml, error);
    rp_xml_event event = {.kind = RP_XML_TEXT};
    while (status == REPRISE_OK && event.kind != RP_XML_FINISHED)
        status = rp_xml_next(xml, &event, error);
    rp_xml_close(xml);
    rp_source_close(source);
    return status;
}

static void xml__memory_of_the_parser_is_counted(void **state)
{
    (void)state;
    enum { FEW = 10, MANY = 100000, EACH_LEAST = 16 };
    meter small = {0}, large = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    char *few = many_names(FEW), *many = many_names(MANY);
    assert_int_equal(read_all(few, UINT64_C(1) << 30, &small, &error), REPRISE_OK);
    assert_int_equal(read_all(many, UINT64_C(1) << 30, &large, &error), REPRISE_OK);
    assert_int_equal(small.now, 0);
    assert_int_equal(large.now, 0);
    assert_true(large.most > small.most + (size_t)MANY * EACH_LEAST);
    free(few);
    free(many);
}

static void xml__a_crafted_document_stays_in_the_budget(void **state)
{
    (void)state;
    enum { MANY = 200000, BUDGET = 4 << 20 };
    meter m = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    char *text = many_names(MANY);
    assert_int_equal(read_all(text, BUDGET, &m, &error), REPRISE_E_LIMIT);
    assert_non_null(strstr(error.message, "memory_bytes"));
    assert_true(m.most <= BUDGET);
    assert_int_equal(m.now, 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xml__memory_of_the_parser_is_counted),
        cmocka_unit_test(xml__a_crafted_document_stays_in_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
