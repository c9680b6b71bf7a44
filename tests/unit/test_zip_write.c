/*
 * test_zip_write.c - archives that are written: what was added is read again, in every size, and
 * what would need ZIP64 is refused at exactly that point.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "archive.h"
#include "checked.h"
#include "test_allocator.h"
#include "zip_write.h"

enum { ARCHIVE_MAX = 1 << 26, ENTRIES_MAX = UINT16_MAX - 1 };

typedef struct desk {
    test_allocator memory;
    rp_context context;
    reprise_error error;
    rp_writer bytes;
    rp_sink *sink;
    rp_zip_writer *writer;
    rp_source *source;
    rp_zip *zip;
} desk;

static void open_desk(desk *d)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    d->context = test_context(&d->memory, 0);
    rp_writer_init(&d->bytes, &d->context, ARCHIVE_MAX, &d->error);
    assert_int_equal(rp_sink_open_memory(&d->context, &d->bytes, &d->sink, &d->error), REPRISE_OK);
    assert_int_equal(rp_zip_writer_new(&d->context, d->sink, &d->writer, &d->error), REPRISE_OK);
}

static void close_desk(desk *d)
{
    rp_zip_close(d->zip);
    rp_source_close(d->source);
    rp_zip_writer_free(d->writer);
    rp_sink_close(d->sink);
    rp_writer_free(&d->bytes);
    assert_int_equal(d->memory.live_count, 0);
}

static void read_again(desk *d)
{
    assert_int_equal(rp_zip_finish(d->writer, &d->error), REPRISE_OK);
    assert_int_equal(
        rp_source_open_memory(&d->context, d->bytes.data, d->bytes.size, &d->source, &d->error),
        REPRISE_OK);
    if (rp_zip_open(&d->context, d->source, &d->zip, &d->error) != REPRISE_OK)
        fail_msg("%s", d->error.message);
}

static void zip_write__reads_what_was_added(void **state)
{
    (void)state;
    enum { LARGEST = 70000 };
    static uint8_t data[LARGEST], back[LARGEST + 1];
    for (size_t i = 0; i < LARGEST; i++)
        data[i] = (uint8_t)(i * i >> 7);
    static const size_t sizes[] = {0, 1, 2, 255, 256, 65535, 65536, LARGEST};
    desk d;
    open_desk(&d);
    char name[16];
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        snprintf(name, sizeof name, "%zu", sizes[i]);
        assert_int_equal(rp_zip_add_bytes(d.writer, name, data, sizes[i], &d.error), REPRISE_OK);
    }
    read_again(&d);
    assert_int_equal(rp_zip_count(d.zip), RP_COUNT(sizes));
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        snprintf(name, sizeof name, "%zu", sizes[i]);
        assert_string_equal(rp_zip_entry_at(d.zip, i)->name, name);
        assert_int_equal(rp_zip_find(d.zip, name), i);
        assert_int_equal(rp_zip_entry_at(d.zip, i)->size, sizes[i]);
        rp_stream *stream = NULL;
        size_t got = 0;
        assert_int_equal(rp_zip_open_entry(d.zip, i, name, 0, &stream, &d.error), REPRISE_OK);
        for (size_t n = 1; n; got += n) {
            if (rp_stream_read(stream, back + got, sizeof back - got, &n, &d.error) != REPRISE_OK)
                fail_msg("%s: %s", name, d.error.message);
        }
        rp_stream_close(stream);
        assert_int_equal(got, sizes[i]);
        assert_memory_equal(back, data, got);
    }
    close_desk(&d);
}

/* Whether the only header of an archive says that its name is UTF-8, which other programs go by. */
static bool says_utf8(const char *name)
{
    enum { FLAGS_AT = 6, UTF8 = 1 << 11 };
    desk d;
    open_desk(&d);
    assert_int_equal(rp_zip_add_bytes(d.writer, name, "x", 1, &d.error), REPRISE_OK);
    read_again(&d);
    uint16_t flags = (uint16_t)(d.bytes.data[FLAGS_AT] | d.bytes.data[FLAGS_AT + 1] << 8);
    close_desk(&d);
    return flags & UTF8;
}

static void zip_write__names_that_are_not_ascii_say_so(void **state)
{
    (void)state;
    assert_false(says_utf8("map.yaml"));
    assert_true(says_utf8("Stra\xc3\x9f"
                          "e.yaml"));
    assert_true(says_utf8("\xc3\x9f"));
    assert_false(says_utf8("Stra\xdf"
                           "e.yaml")); /* not UTF-8 */
}

static void zip_write__entries_up_to_the_limit(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    for (size_t i = 0; i < ENTRIES_MAX; i++)
        assert_int_equal(rp_zip_add_bytes(d.writer, "x", "", 0, &d.error), REPRISE_OK);
    assert_int_equal(rp_zip_add_bytes(d.writer, "one more", "", 0, &d.error), REPRISE_E_LIMIT);
    assert_non_null(strstr(d.error.message, "ZIP64"));
    assert_string_equal(d.error.path, "one more");
    d.error = (reprise_error)REPRISE_ERROR_INIT;
    read_again(&d);
    assert_int_equal(rp_zip_count(d.zip), ENTRIES_MAX);
    close_desk(&d);
}

static void zip_write__names_up_to_the_limit(void **state)
{
    (void)state;
    static char name[UINT16_MAX + 2];
    desk d;
    open_desk(&d);
    memset(name, 'n', UINT16_MAX + 1);
    assert_int_equal(rp_zip_add_bytes(d.writer, name, "", 0, &d.error), REPRISE_E_LIMIT);
    d.error = (reprise_error)REPRISE_ERROR_INIT;
    name[UINT16_MAX] = 0;
    assert_int_equal(rp_zip_add_bytes(d.writer, name, "", 0, &d.error), REPRISE_OK);
    read_again(&d);
    assert_int_equal(rp_zip_count(d.zip), 1);
    assert_string_equal(rp_zip_entry_at(d.zip, 0)->name, name);
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zip_write__reads_what_was_added),
        cmocka_unit_test(zip_write__names_that_are_not_ascii_say_so),
        cmocka_unit_test(zip_write__entries_up_to_the_limit),
        cmocka_unit_test(zip_write__names_up_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
