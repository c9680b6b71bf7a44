/*
 * test_nbt.c - named binary tags against bytes that were written down from Minecraft's description
 * of them: every kind of payload, text in modified UTF-8, lists, skipping, and documents that end
 * early.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "nbt.h"
#include "utf8.h"

/* A compound with one tag of every kind. */
static const char document[] = "\12\0\4root"
                               "\1\0\1b\x80"                                 /* -128 */
                               "\2\0\1s\xFF\xFE"                             /* -2 */
                               "\3\0\1i\x80\0\0\1"                           /* -2147483647 */
                               "\4\0\1l\x01\x23\x45\x67\x89\xAB\xCD\xEF"     /* */
                               "\6\0\1d\xC0\x09\x21\xFB\x54\x44\x2D\x18"     /* -pi */
                               "\5\0\1f\x3F\x80\0\0"                         /* 1 */
                               "\7\0\1B\0\0\0\3\1\2\3"                       /* */
                               "\13\0\1I\0\0\0\2\0\0\1\0\xFF\xFF\xFF\xFF"    /* 256, -1 */
                               "\14\0\1L\0\0\0\1\0\0\0\0\0\0\0\11"           /* 9 */
                               "\10\0\1t\0\11a\xC3\xA4\xE2\x82\xAC\xC0\x80z" /* text with a NUL */
                               "\11\0\1x\2\0\0\0\2\0\7\xFF\xF9"              /* shorts: 7, -7 */
                               "\11\0\1c\12\0\0\0\2\1\0\1q\5\0\0"            /* two compounds */
                               "\11\0\1e\0\0\0\0\0"                          /* an empty list */
                               "\12\0\1k\1\0\1w\6\0"                         /* a compound */
                               ""; /* its end is the terminator */
enum { DOCUMENT_SIZE = sizeof document };

typedef struct fixture {
    rp_context context;
    reprise_error error;
    rp_window window;
    rp_nbt nbt;
    rp_writer text;
} fixture;

static void start(fixture *f, const void *data, size_t size, size_t depth_max)
{
    rp_context_init(&f->context, NULL);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_window_init_memory(&f->window, data, size, "nbt");
    rp_nbt_init(&f->nbt, &f->window, size, depth_max, &f->error);
    rp_writer_init(&f->text, &f->context, SIZE_MAX / 2, &f->error);
}

static void stop(fixture *f)
{
    rp_writer_free(&f->text);
    rp_window_free(&f->window);
}

static void expect_tag(fixture *f, rp_nbt_id id, const char *name)
{
    assert_int_equal(rp_nbt_next(&f->nbt), id);
    assert_string_equal(f->nbt.name, name);
}

static void expect_integer(fixture *f, rp_nbt_id id, const char *name, int64_t value)
{
    expect_tag(f, id, name);
    assert_true(rp_nbt_integer(&f->nbt, id) == value);
}

static void expect_lists(fixture *f)
{
    expect_tag(f, RP_NBT_LIST, "x");
    rp_nbt_list list = rp_nbt_list_begin(&f->nbt);
    assert_int_equal(list.id, RP_NBT_SHORT);
    assert_int_equal(list.count, 2);
    assert_int_equal(f->nbt.depth, 2);
    assert_true(rp_nbt_integer(&f->nbt, list.id) == 7);
    assert_true(rp_nbt_integer(&f->nbt, list.id) == -7);
    rp_nbt_list_end(&f->nbt);
    expect_tag(f, RP_NBT_LIST, "c");
    list = rp_nbt_list_begin(&f->nbt);
    assert_int_equal(list.id, RP_NBT_COMPOUND);
    assert_int_equal(list.count, 2);
    rp_nbt_compound(&f->nbt);
    expect_integer(f, RP_NBT_BYTE, "q", 5);
    assert_int_equal(rp_nbt_next(&f->nbt), RP_NBT_END);
    rp_nbt_compound(&f->nbt);
    assert_int_equal(rp_nbt_next(&f->nbt), RP_NBT_END);
    rp_nbt_list_end(&f->nbt);
    expect_tag(f, RP_NBT_LIST, "e");
    list = rp_nbt_list_begin(&f->nbt);
    assert_int_equal(list.count, 0);
    rp_nbt_list_end(&f->nbt);
    assert_int_equal(f->nbt.depth, 1);
}

static void reading__gives_every_payload(void **state)
{
    (void)state;
    fixture f;
    size_t count = 0;
    start(&f, document, DOCUMENT_SIZE, 8);
    rp_nbt_root(&f.nbt);
    assert_string_equal(f.nbt.name, "root");
    expect_integer(&f, RP_NBT_BYTE, "b", -128);
    expect_integer(&f, RP_NBT_SHORT, "s", -2);
    expect_integer(&f, RP_NBT_INT, "i", -2147483647);
    expect_integer(&f, RP_NBT_LONG, "l", INT64_C(0x0123456789ABCDEF));
    expect_tag(&f, RP_NBT_DOUBLE, "d");
    assert_true(rp_nbt_double(&f.nbt) == -3.141592653589793);
    expect_tag(&f, RP_NBT_FLOAT, "f");
    rp_nbt_skip(&f.nbt, RP_NBT_FLOAT);
    expect_tag(&f, RP_NBT_BYTE_ARRAY, "B");
    const uint8_t *items = rp_nbt_array(&f.nbt, RP_NBT_BYTE_ARRAY, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(items, "\1\2\3", 3);
    expect_tag(&f, RP_NBT_INT_ARRAY, "I");
    items = rp_nbt_array(&f.nbt, RP_NBT_INT_ARRAY, &count);
    assert_int_equal(count, 2);
    assert_int_equal(rp_nbt_load32(items), 256);
    assert_int_equal(rp_nbt_load32(items + 4), -1);
    expect_tag(&f, RP_NBT_LONG_ARRAY, "L");
    items = rp_nbt_array(&f.nbt, RP_NBT_LONG_ARRAY, &count);
    assert_int_equal(count, 1);
    assert_int_equal(items[7], 9);
    expect_tag(&f, RP_NBT_STRING, "t");
    assert_int_equal(rp_nbt_string(&f.nbt, &f.text), 8);
    assert_memory_equal(f.text.data, "a\xC3\xA4\xE2\x82\xAC\0z", 8);
    expect_lists(&f);
    expect_tag(&f, RP_NBT_COMPOUND, "k");
    rp_nbt_compound(&f.nbt);
    expect_integer(&f, RP_NBT_BYTE, "w", 6);
    assert_int_equal(rp_nbt_next(&f.nbt), RP_NBT_END);
    assert_int_equal(rp_nbt_next(&f.nbt), RP_NBT_END);
    assert_int_equal(f.nbt.depth, 0);
    assert_int_equal(f.window.offset, DOCUMENT_SIZE);
    assert_int_equal(f.error.status, REPRISE_OK);
    stop(&f);
}

/* Skipping goes exactly as far as reading does, at every tag and for the complete document. */
static void skipping__ends_where_the_next_tag_begins(void **state)
{
    (void)state;
    static const char names[] = "bsildfBILtxcek";
    fixture f;
    start(&f, document, DOCUMENT_SIZE, 8);
    rp_nbt_root(&f.nbt);
    for (size_t i = 0; names[i]; i++) {
        rp_nbt_id id = rp_nbt_next(&f.nbt);
        assert_true(id != RP_NBT_END);
        assert_int_equal(f.nbt.name[0], names[i]);
        rp_nbt_skip(&f.nbt, id);
        assert_int_equal(f.nbt.depth, 1);
    }
    assert_int_equal(rp_nbt_next(&f.nbt), RP_NBT_END);
    assert_int_equal(f.window.offset, DOCUMENT_SIZE);
    assert_int_equal(f.error.status, REPRISE_OK);
    stop(&f);
}

static reprise_status skip_all(size_t size, size_t depth_max, uint64_t *ret_offset)
{
    fixture f;
    start(&f, document, size, depth_max);
    rp_nbt_root(&f.nbt);
    rp_nbt_id id;
    while ((id = rp_nbt_next(&f.nbt)) != RP_NBT_END)
        rp_nbt_skip(&f.nbt, id);
    *ret_offset = f.window.offset;
    reprise_status status = f.error.status;
    stop(&f);
    return status;
}

static void documents__that_end_early_fail_at_every_length(void **state)
{
    (void)state;
    uint64_t offset;
    for (size_t size = 0; size < DOCUMENT_SIZE; size++) {
        reprise_status status = skip_all(size, 8, &offset);
        if (status != REPRISE_E_TRUNCATED && status != REPRISE_E_CORRUPT)
            fail_msg("cut after %zu bytes: %s", size, reprise_status_name(status));
        assert_true(offset <= size);
    }
    assert_int_equal(skip_all(DOCUMENT_SIZE, 8, &offset), REPRISE_OK);
    assert_int_equal(skip_all(DOCUMENT_SIZE, 3, &offset), REPRISE_OK);
    assert_int_equal(skip_all(DOCUMENT_SIZE, 2, &offset), REPRISE_E_LIMIT);
}

/* ---- text ---- */

static void expect_written(const char *text, size_t size, const char *bytes, size_t byte_count)
{
    fixture f;
    start(&f, document, 0, 8);
    rp_nbt_put_string(&f.text, text, size);
    assert_int_equal(f.text.size, byte_count + 2);
    assert_int_equal(f.text.data[0] << 8 | f.text.data[1], byte_count);
    assert_memory_equal(f.text.data + 2, bytes, byte_count);
    stop(&f);
}

static void text__is_written_in_modified_utf8(void **state)
{
    (void)state;
    expect_written("", 0, "", 0);
    expect_written("az~\x7F", 4, "az~\x7F", 4);
    expect_written("\0", 1, "\xC0\x80", 2);
    expect_written("\xC2\x80\xDF\xBF", 4, "\xC2\x80\xDF\xBF", 4);
    expect_written("\xE0\xA0\x80\xEF\xBF\xBF", 6, "\xE0\xA0\x80\xEF\xBF\xBF", 6);
    expect_written("\xF0\x90\x80\x80", 4, "\xED\xA0\x80\xED\xB0\x80", 6); /* U+10000 */
    expect_written("\xF0\x9F\x98\x80", 4, "\xED\xA0\xBD\xED\xB8\x80", 6); /* U+1F600 */
    expect_written("\xF4\x8F\xBF\xBF", 4, "\xED\xAF\xBF\xED\xBF\xBF", 6); /* U+10FFFF */
}

/* Every 37th code point, and those around the limits of each length. */
static void text__comes_back_as_it_was(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c += c % 0x800 < 3 || c % 0x800 > 0x7FC ? 1 : 37) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        char one[4];
        size_t size = rp_utf8_put(one, c);
        fixture f;
        start(&f, document, 0, 8);
        rp_nbt_put_string(&f.text, one, size);
        size_t written = f.text.size;
        rp_window_init_memory(&f.window, f.text.data, written, "nbt");
        rp_nbt_init(&f.nbt, &f.window, written, 8, &f.error);
        rp_writer back;
        rp_writer_init(&back, &f.context, SIZE_MAX / 2, &f.error);
        assert_int_equal(rp_nbt_string(&f.nbt, &back), size);
        assert_memory_equal(back.data, one, size);
        rp_writer_free(&back);
        stop(&f);
    }
}

static void text__that_is_not_modified_utf8_fails(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x80",         "\xC3",          "\xC3(",
                                      "\xE2\x82",     "\xE2(\xAC",     "\xE2\x82(",
                                      "\xF0\x9F",     "\xFF",          "\xED\xA0\x80",
                                      "\xED\xB0\x80", "\xED\xA0\x80x", "\xED\xA0\x80\xED\xA0\x80"};
    for (size_t i = 0; i < RP_COUNT(bad); i++) {
        uint8_t data[16] = {0, (uint8_t)strlen(bad[i])};
        memcpy(data + 2, bad[i], strlen(bad[i]));
        fixture f;
        start(&f, data, 2 + strlen(bad[i]), 8);
        (void)rp_nbt_string(&f.nbt, &f.text);
        if (f.error.status != REPRISE_E_CORRUPT)
            fail_msg("text %zu is taken", i);
        stop(&f);
    }
}

/* The length has 16 bits: what does not fit is left out, in complete characters. */
static void text__is_cut_between_characters(void **state)
{
    (void)state;
    enum { LENGTH = 70000 };
    char *text = malloc(LENGTH);
    assert_non_null(text);
    for (size_t i = 0; i < LENGTH; i += 4)
        memcpy(text + i, "\xF0\x9F\x98\x80", 4);
    fixture f;
    start(&f, document, 0, 8);
    rp_nbt_put_string(&f.text, text, LENGTH);
    size_t size = (size_t)(f.text.data[0] << 8 | f.text.data[1]);
    assert_int_equal(size, f.text.size - 2);
    assert_int_equal(size, 65535 / 6 * 6);
    stop(&f);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading__gives_every_payload),
        cmocka_unit_test(skipping__ends_where_the_next_tag_begins),
        cmocka_unit_test(documents__that_end_early_fail_at_every_length),
        cmocka_unit_test(text__is_written_in_modified_utf8),
        cmocka_unit_test(text__comes_back_as_it_was),
        cmocka_unit_test(text__that_is_not_modified_utf8_fails),
        cmocka_unit_test(text__is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
