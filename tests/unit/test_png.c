/* test_png.c - pictures lose their metadata, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hash.h"
#include "png.h"
#include "source.h"

enum { ROOM = 1024 };

typedef struct picture {
    uint8_t data[ROOM];
    size_t size;
} picture;

static void put(picture *p, const void *data, size_t size)
{
    assert_true(p->size + size <= ROOM);
    memcpy(p->data + p->size, data, size);
    p->size += size;
}

static void put_u32(picture *p, uint32_t value)
{
    uint8_t big[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                      (uint8_t)value};
    put(p, big, sizeof big);
}

static void put_chunk(picture *p, const char *type, const char *content)
{
    size_t size = strlen(content);
    put_u32(p, (uint32_t)size);
    size_t at = p->size;
    put(p, type, 4);
    put(p, content, size);
    put_u32(p, rp_crc32(0, p->data + at, p->size - at));
}

static void begin(picture *p)
{
    p->size = 0;
    put(p, "\x89PNG\r\n\x1A\n", 8);
    put_chunk(p, "IHDR", "thirteen byte");
}

static picture plain(const picture *p)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_stream *from = NULL, *stream = NULL;
    uint8_t *exact = malloc(p->size + 1); /* so that one byte too many is caught */
    assert_non_null(exact);
    memcpy(exact, p->data, p->size);
    assert_int_equal(rp_source_open_memory(&context, exact, p->size, &source, &error), REPRISE_OK);
    assert_int_equal(rp_stream_open_range(&context, source, 0, p->size, "picture", &from, &error),
                     REPRISE_OK);
    assert_int_equal(rp_png_plain(&context, from, &stream, &error), REPRISE_OK);
    picture result = {.size = 0};
    size_t n = 1;
    while (n) {
        assert_true(result.size + 7 <= ROOM);
        assert_int_equal(rp_stream_read(stream, result.data + result.size, 7, &n, &error),
                         REPRISE_OK);
        result.size += n;
    }
    rp_stream_close(stream);
    rp_stream_close(from);
    rp_source_close(source);
    free(exact);
    return result;
}

static bool holds(const picture *p, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= p->size; i++) {
        if (memcmp(p->data + i, text, size) == 0)
            return true;
    }
    return false;
}

static void assert_same(const picture *a, const picture *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, b->size);
}

static void png__texts_times_and_unknown_chunks_are_removed(void **state)
{
    (void)state;
    static const char *const types[] = {"tEXt", "zTXt", "iTXt", "tIME", "eXIf",
                                        "iCCP", "pHYs", "prIv", "abCD"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        picture with = {.size = 0}, without = {.size = 0};
        begin(&with);
        begin(&without);
        put_chunk(&with, types[i], "Author Alice");
        put_chunk(&with, "IDAT", "pixels");
        put_chunk(&without, "IDAT", "pixels");
        put_chunk(&with, types[i], "again Alice");
        put_chunk(&with, "IEND", "");
        put_chunk(&without, "IEND", "");
        picture result = plain(&with);
        assert_false(holds(&result, "Alice"));
        assert_false(holds(&result, types[i]));
        assert_same(&result, &without);
    }
}

static void png__bytes_of_the_picture_are_kept(void **state)
{
    (void)state;
    picture p = {.size = 0};
    begin(&p);
    static const char *const types[] = {"sRGB", "gAMA", "cHRM", "sBIT", "PLTE", "tRNS",
                                        "acTL", "fcTL", "IDAT", "IDAT", "fdAT"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        put_chunk(&p, types[i], "0123456789");
    put_chunk(&p, "IEND", "");
    picture result = plain(&p);
    assert_same(&result, &p);
}

static void png__nothing_follows_the_end(void **state)
{
    (void)state;
    picture p = {.size = 0}, wanted = {.size = 0};
    begin(&wanted);
    put_chunk(&wanted, "IDAT", "pixels");
    put_chunk(&wanted, "IEND", "");
    p = wanted;
    put(&p, "Alice", 5);
    picture result = plain(&p);
    assert_same(&result, &wanted);
    p = wanted;
    put_chunk(&p, "IDAT", "pixels of Alice"); /* would be kept before the end */
    put_chunk(&p, "IEND", "");
    result = plain(&p);
    assert_same(&result, &wanted);
    /* The end chunk is empty. */
    begin(&p);
    put_chunk(&p, "IDAT", "pixels");
    put_chunk(&p, "IEND", "Alice");
    result = plain(&p);
    assert_same(&result, &wanted);
}

static void png__damaged_chunks_leak_nothing(void **state)
{
    (void)state;
    picture p = {.size = 0};
    begin(&p);
    put_chunk(&p, "IDAT", "pixels");
    size_t text_at = p.size;
    put_chunk(&p, "tEXt", "Author Alice");
    put_chunk(&p, "IEND", "");
    for (size_t cut = 0; cut <= p.size; cut++) {
        picture part = p;
        part.size = cut;
        picture result = plain(&part);
        assert_false(holds(&result, "Alice"));
        if (cut < 8)
            assert_true(holds(&result, "IEND")); /* not a PNG: a grey pixel */
    }
    /* A chunk longer than the file includes everything after it, and nothing is returned. */
    p.data[text_at] = 0xFF;
    picture result = plain(&p);
    assert_int_equal(result.size, text_at);
    assert_false(holds(&result, "Alice"));
    /* Not a picture at all. */
    picture words = {.size = 0};
    put(&words, "Alice was here", 14);
    result = plain(&words);
    assert_false(holds(&result, "Alice"));
    assert_true(holds(&result, "IHDR"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png__texts_times_and_unknown_chunks_are_removed),
        cmocka_unit_test(png__bytes_of_the_picture_are_kept),
        cmocka_unit_test(png__nothing_follows_the_end),
        cmocka_unit_test(png__damaged_chunks_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
