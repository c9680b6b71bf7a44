/* test_zip.c - reads valid and invalid archives, built byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive.h"
#include "zip_builder.h"

/* Opens an archive in memory, which must succeed. */
static rp_zip *open_good(fixture *w, rp_source *source)
{
    rp_zip *zip = NULL;
    assert_int_equal(rp_zip_open(&w->context, source, &zip, &w->error), REPRISE_OK);
    return zip;
}

static reprise_status open_bad(fixture *w, blob all)
{
    dripping d;
    rp_source *source = open_source(w, all, 0, &d);
    rp_zip *zip = NULL;
    reprise_status status = rp_zip_open(&w->context, source, &zip, &w->error);
    assert_int_equal(status, w->error.status);
    if (status == REPRISE_OK)
        rp_zip_close(zip);
    else
        assert_null(zip);
    rp_source_close(source);
    return status;
}

typedef reprise_status open_function(rp_zip *zip, size_t index, const char *name,
                                     uint64_t ratio_max, rp_stream **ret_stream,
                                     reprise_error *error);

/* Reads one entry to its end or failure and compares the bytes with `content`. */
static reprise_status read_entry_by(open_function *open, fixture *w, rp_zip *zip, size_t index,
                                    blob content, size_t *ret_size)
{
    rp_stream *stream = NULL;
    *ret_size = 0;
    reprise_status status = open(zip, index, "zip:test", 1000, &stream, &w->error);
    if (status != REPRISE_OK)
        return status;
    uint8_t *out = malloc(content.size + 1);
    status = read_up(w, stream, 1000, out, content.size + 1, ret_size);
    assert_memory_equal(out, content.data, RP_MIN(*ret_size, content.size));
    free(out);
    rp_stream_close(stream);
    return status;
}

/* In pieces and at once, which must give the same bytes and the same failure. */
static reprise_status read_entry(fixture *w, rp_zip *zip, size_t index, blob content,
                                 size_t *ret_size)
{
    size_t whole_size;
    reprise_status whole = read_entry_by(rp_zip_open_whole_entry, w, zip, index, content,
                                         &whole_size);
    reprise_error error = w->error;
    rp_error_clear(&w->error);
    reprise_status status = read_entry_by(rp_zip_open_entry, w, zip, index, content, ret_size);
    assert_int_equal(whole, status);
    assert_int_equal(whole_size, *ret_size);
    assert_string_equal(error.message, w->error.message);
    return status;
}

/* Returns the status of opening an archive and reading its only entry. */
static reprise_status read_single(fixture *w, const item *it, size_t *ret_size)
{
    blob all = make_archive(&(archive){.items = it, .count = 1});
    dripping d;
    rp_source *source = open_source(w, all, 0, &d);
    rp_zip *zip = NULL;
    reprise_status status = rp_zip_open(&w->context, source, &zip, &w->error);
    if (status == REPRISE_OK) {
        status = read_entry(w, zip, 0, it->content, ret_size);
        rp_zip_close(zip);
    }
    rp_source_close(source);
    free(all.data);
    return status;
}

/* ---- valid archives ---- */

static void zip__reads_the_same_from_every_source(void **state)
{
    (void)state;
    blob long_text = make_content(100000), short_text = make_content(31), nothing = text("");
    const item items[] = {
        {.name = "manifest.json", .content = short_text, .method = 8},
        {.name = "replay", .content = long_text, .method = 0},
        {.name = "described", .content = long_text, .method = 8, .flags = DESCRIPTOR},
        {.name = "described stored", .content = long_text, .method = 0, .flags = DESCRIPTOR},
        {.name = "empty", .content = nothing, .method = 0},
        {.name = "dir/", .content = nothing, .method = 0},
        {.name = "wide", .content = short_text, .method = 8, .zip64 = true},
        {.name = "wide stored", .content = short_text, .method = 0, .zip64 = true},
    };
    for (unsigned variant = 0; variant < 4; variant++) {
        blob all = make_archive(&(archive){.items = items,
                                           .count = RP_COUNT(items),
                                           .zip64 = variant & 1,
                                           .comment_size = variant & 2 ? UINT16_MAX : 0});
        static const size_t steps[] = {0, 1, 7, 31};
        for (size_t s = 0; s < RP_COUNT(steps); s++) {
            fixture w;
            start(&w, 0);
            dripping d;
            rp_source *source = open_source(&w, all, steps[s], &d);
            rp_zip *zip = open_good(&w, source);
            assert_int_equal(rp_zip_count(zip), RP_COUNT(items));
            for (size_t i = 0; i < RP_COUNT(items); i++) {
                const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
                assert_string_equal(entry->name, items[i].name);
                assert_int_equal(entry->size, items[i].content.size);
                assert_int_equal(entry->method, items[i].method);
                assert_int_equal(entry->crc32,
                                 rp_crc32(0, items[i].content.data, items[i].content.size));
                assert_false(entry->duplicate || entry->encrypted);
                assert_int_equal(rp_zip_find(zip, items[i].name), i);
                size_t size;
                assert_int_equal(read_entry(&w, zip, i, items[i].content, &size), REPRISE_OK);
                assert_int_equal(size, items[i].content.size);
            }
            assert_int_equal(rp_zip_find(zip, "missing"), -1);
            rp_zip_close(zip);
            rp_source_close(source);
            finish(&w);
        }
        free(all.data);
    }
    free(long_text.data);
    free(short_text.data);
    free(nothing.data);
}

static void zip__without_entries(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    blob all = make_archive(&(archive){0});
    assert_int_equal(all.size, 22);
    dripping d;
    rp_source *source = open_source(&w, all, 0, &d);
    rp_zip *zip = open_good(&w, source);
    assert_int_equal(rp_zip_count(zip), 0);
    assert_int_equal(rp_zip_find(zip, ""), -1);
    rp_zip_close(zip);
    rp_zip_close(NULL);
    rp_source_close(source);
    free(all.data);
    finish(&w);
}

static void zip__duplicates_are_marked_and_the_first_is_found(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    blob first = text("first"), other = text("other");
    const item items[] = {
        {.name = "b", .content = other, .method = 0}, {.name = "a", .content = first, .method = 0},
        {.name = "c", .content = other, .method = 0}, {.name = "a", .content = other, .method = 0},
        {.name = "a", .content = other, .method = 8},
    };
    blob all = make_archive(&(archive){.items = items, .count = RP_COUNT(items)});
    dripping d;
    rp_source *source = open_source(&w, all, 0, &d);
    rp_zip *zip = open_good(&w, source);
    assert_int_equal(rp_zip_find(zip, "a"), 1);
    for (size_t i = 0; i < RP_COUNT(items); i++)
        assert_int_equal(rp_zip_entry_at(zip, i)->duplicate, i >= 3);
    size_t size;
    assert_int_equal(read_entry(&w, zip, 1, first, &size), REPRISE_OK);
    rp_zip_close(zip);
    rp_source_close(source);
    free(all.data);
    free(first.data);
    free(other.data);
    finish(&w);
}

static void zip__entries_may_be_open_together(void **state)
{
    (void)state;
    blob content = make_content(50000);
    const item items[] = {{.name = "a", .content = content, .method = 8},
                          {.name = "b", .content = content, .method = 0},
                          {.name = "c", .content = content, .method = 8}};
    blob all = make_archive(&(archive){.items = items, .count = RP_COUNT(items)});
    for (size_t step = 0; step < 62; step += 31) {
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, all, step, &d);
        rp_zip *zip = open_good(&w, source);
        rp_stream *streams[3];
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(rp_zip_open_entry(zip, i, "zip:x", 0, &streams[i], &w.error),
                             REPRISE_OK);
        for (size_t done = 0; done < content.size; done += 100)
            for (size_t i = 0; i < 3; i++) {
                uint8_t out[100];
                size_t n;
                assert_int_equal(rp_stream_read(streams[i], out, 100, &n, &w.error), REPRISE_OK);
                assert_int_equal(n, 100);
                assert_memory_equal(out, content.data + done, 100);
            }
        for (size_t i = 0; i < 3; i++) {
            uint8_t more;
            size_t n = 1;
            assert_int_equal(rp_stream_read(streams[i], &more, 1, &n, &w.error), REPRISE_OK);
            assert_int_equal(n, 0);
            rp_stream_close(streams[i]);
        }
        rp_zip_close(zip);
        rp_source_close(source);
        finish(&w);
    }
    free(all.data);
    free(content.data);
}

/* An archive with one stored entry, and the stream of its bytes. */
typedef struct stored {
    fixture w;
    blob content, all;
    dripping d;
    rp_source *source;
    rp_zip *zip;
    rp_stream *stream;
} stored;

static void open_stored(stored *s, size_t size)
{
    start(&s->w, 0);
    s->content = make_content(size);
    const item it = {.name = "replay", .content = s->content, .method = 0};
    s->all = make_archive(&(archive){.items = &it, .count = 1});
    s->source = open_source(&s->w, s->all, 0, &s->d);
    s->zip = open_good(&s->w, s->source);
    assert_int_equal(rp_zip_open_entry(s->zip, 0, "zip:replay", 0, &s->stream, &s->w.error),
                     REPRISE_OK);
}

static void close_stored(stored *s)
{
    rp_stream_close(s->stream);
    rp_zip_close(s->zip);
    rp_source_close(s->source);
    free(s->all.data);
    free(s->content.data);
    finish(&s->w);
}

static void zip__stored_entries_lend_their_bytes(void **state)
{
    (void)state;
    stored s;
    open_stored(&s, 200000);
    for (size_t done = 0; done < s.content.size;) {
        const uint8_t *data;
        size_t n;
        assert_int_equal(rp_stream_lend(s.stream, &data, &n, &s.w.error), REPRISE_OK);
        assert_ptr_equal(data, s.all.data + 30 + strlen("replay") + done);
        assert_true(n > 0);
        done += n;
    }
    close_stored(&s);
}

/* A large stored entry is lent in parts; what is read between them comes from the part after. */
static void zip__lending_and_reading_take_turns(void **state)
{
    (void)state;
    stored s;
    open_stored(&s, 700000);
    size_t done = 0, parts = 0, n = 1;
    for (; n; done += n, parts++) {
        uint8_t out[1000];
        const uint8_t *data = out;
        if (parts % 3)
            assert_int_equal(rp_stream_read(s.stream, out, sizeof out, &n, &s.w.error), REPRISE_OK);
        else
            assert_int_equal(rp_stream_lend(s.stream, &data, &n, &s.w.error), REPRISE_OK);
        assert_true(n <= s.content.size - done);
        assert_true(n == 0 || memcmp(data, s.content.data + done, n) == 0);
    }
    assert_true(done == s.content.size && parts > 6);
    close_stored(&s);
}

/* ---- invalid archives ---- */

static void zip__wrong_checksum_is_reported_after_the_bytes(void **state)
{
    (void)state;
    blob content = make_content(100000);
    for (size_t i = 0; i < 4; i++) {
        fixture w;
        start(&w, 0);
        const item it = {.name = "x",
                         .content = content,
                         .method = i % 2 ? 8 : 0,
                         .flags = i < 2 ? 0 : DESCRIPTOR,
                         .crc_flip = 0x80000000};
        size_t size;
        assert_int_equal(read_single(&w, &it, &size), REPRISE_E_CHECKSUM);
        assert_int_equal(size, content.size);
        assert_string_equal(w.error.stream, "zip:test");
        assert_int_equal(w.error.offset, content.size);
        finish(&w);
    }
    free(content.data);
}

static void zip__checksum_is_checked_below_a_codec(void **state)
{
    (void)state;
    blob content = make_content(300000);
    blob packed = pack_brotli(content);
    for (size_t i = 0; i < 4; i++) {
        fixture w;
        start(&w, 0);
        const item it = {.name = "replay",
                         .content = packed,
                         .method = i % 2 ? 8 : 0,
                         .crc_flip = i < 2 ? 0 : 1};
        blob all = make_archive(&(archive){.items = &it, .count = 1});
        dripping d;
        rp_source *source = open_source(&w, all, 0, &d);
        rp_zip *zip = open_good(&w, source);
        rp_stream *stream = NULL;
        assert_int_equal(rp_zip_open_entry(zip, 0, "zip:replay", 0, &stream, &w.error), REPRISE_OK);
        assert_int_equal(rp_stream_open_brotli(stream, "brotli", 0, &stream, &w.error), REPRISE_OK);
        uint8_t *out = malloc(content.size);
        size_t size;
        reprise_status status = read_up(&w, stream, 5000, out, content.size, &size);
        assert_int_equal(status, i < 2 ? REPRISE_OK : REPRISE_E_CHECKSUM);
        assert_int_equal(size, content.size);
        assert_memory_equal(out, content.data, size);
        if (i >= 2)
            assert_string_equal(w.error.stream, "zip:replay");
        free(out);
        rp_stream_close(stream);
        rp_zip_close(zip);
        rp_source_close(source);
        free(all.data);
        finish(&w);
    }
    free(packed.data);
    free(content.data);
}

static void zip__wrong_sizes_are_corrupt(void **state)
{
    (void)state;
    blob content = make_content(5000);
    static const int32_t lies[] = {-5000, -1, 1, 5000};
    for (size_t i = 0; i < RP_COUNT(lies); i++)
        for (uint16_t method = 0; method <= 8; method += 8) {
            fixture w;
            start(&w, 0);
            const item it = {
                .name = "x", .content = content, .method = method, .size_lie = lies[i]};
            size_t size;
            assert_int_equal(read_single(&w, &it, &size), REPRISE_E_CORRUPT);
            assert_true(size <= content.size);
            finish(&w);
        }
    free(content.data);
}

static void zip__refuses_what_it_cannot_read(void **state)
{
    (void)state;
    blob content = make_content(100);
    const struct {
        item it;
        const char *message;
    } cases[] = {
        {{.name = "x", .content = content, .method = 0, .flags = ENCRYPTED}, "encrypted"},
        {{.name = "x", .content = content, .method = 8, .flags = ENCRYPTED}, "encrypted"},
        {{.name = "x", .content = content, .method = 12}, "method 12"},
        {{.name = "x", .content = content, .method = 14}, "method 14"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        fixture w;
        start(&w, 0);
        size_t size;
        assert_int_equal(read_single(&w, &cases[i].it, &size), REPRISE_E_UNSUPPORTED);
        assert_non_null(strstr(w.error.message, cases[i].message));
        finish(&w);
    }
    free(content.data);
}

static void zip__limits_on_content(void **state)
{
    (void)state;
    enum { SIZE = (16 << 20) + 1 };
    blob zeros = make_zeros(SIZE);
    const item it = {.name = "x", .content = zeros, .method = 8};
    const struct {
        uint64_t decoded_max, ratio_max;
        const char *message;
    } cases[] = {
        {SIZE, 0, NULL},
        {SIZE, 2000, NULL},
        {SIZE, 500, "limit expansion_ratio=500"},
        {SIZE - 1, 0, "limit decoded_bytes=16777216"},
    };
    blob all = make_archive(&(archive){.items = &it, .count = 1});
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        fixture w;
        start(&w, 0);
        w.context.limits.decoded_bytes_max = cases[i].decoded_max;
        dripping d;
        rp_source *source = open_source(&w, all, 0, &d);
        rp_zip *zip = open_good(&w, source);
        rp_stream *stream = NULL;
        assert_int_equal(rp_zip_open_entry(zip, 0, "zip:x", cases[i].ratio_max, &stream, &w.error),
                         REPRISE_OK);
        uint8_t *out = malloc(SIZE);
        size_t size;
        reprise_status status = read_up(&w, stream, 1 << 16, out, SIZE, &size);
        assert_int_equal(status, cases[i].message ? REPRISE_E_LIMIT : REPRISE_OK);
        if (cases[i].message) {
            assert_non_null(strstr(w.error.message, cases[i].message));
            rp_error_clear(&w.error);
            assert_int_equal(read_up(&w, stream, 1 << 16, out, SIZE, &size), REPRISE_E_LIMIT);
        }
        free(out);
        rp_stream_close(stream);
        rp_zip_close(zip);
        rp_source_close(source);
        finish(&w);
    }
    free(all.data);
    free(zeros.data);
}

static void zip__too_many_entries_are_not_allocated(void **state)
{
    (void)state;
    blob content = text("x");
    const item items[] = {{.name = "a", .content = content, .method = 0},
                          {.name = "b", .content = content, .method = 0},
                          {.name = "c", .content = content, .method = 0}};
    static const struct {
        bool zip64;
        uint64_t lie, max;
        reprise_status status;
    } cases[] = {
        {false, 0, 3, REPRISE_OK},
        {false, 0, 2, REPRISE_E_LIMIT},
        {true, 0, 3, REPRISE_OK},
        {true, 0, 2, REPRISE_E_LIMIT},
        {true, UINT64_MAX - 3, 100000, REPRISE_E_CORRUPT},
        {false, 60000, 100000, REPRISE_E_CORRUPT},
        {true, UINT64_C(1) << 40, UINT64_MAX, REPRISE_E_CORRUPT},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        fixture w;
        start(&w, 0);
        w.context.limits.zip_entries_max = cases[i].max;
        blob all = make_archive(&(archive){.items = items,
                                           .count = RP_COUNT(items),
                                           .zip64 = cases[i].zip64,
                                           .count_lie = cases[i].lie});
        assert_int_equal(open_bad(&w, all), cases[i].status);
        if (cases[i].status == REPRISE_E_LIMIT)
            assert_non_null(strstr(w.error.message, "limit zip_entries="));
        free(all.data);
        finish(&w);
    }
    free(content.data);
}

/* Only one directory is read, even if the tail has many apparent end records. */
static void zip__many_end_records_cost_nothing(void **state)
{
    (void)state;
    enum { ENTRIES = 200, RECORDS = 2000 };
    blob content = text("x");
    item items[ENTRIES];
    for (size_t i = 0; i < ENTRIES; i++)
        items[i] = (item){.name = "a", .content = content, .method = 0};
    blob once = make_archive(&(archive){.items = items, .count = ENTRIES});
    blob all = {malloc(once.size + 22 * RECORDS), once.size + 22 * RECORDS};
    memcpy(all.data, once.data, once.size);
    for (size_t i = 0; i < RECORDS; i++) {
        uint8_t *record = all.data + once.size + 22 * i;
        memcpy(record, once.data + once.size - 22, 22);
        rp_store16(record + 20, (uint16_t)(22 * (RECORDS - 1 - i)));
    }
    fixture w;
    start(&w, 0);
    assert_int_equal(open_bad(&w, all), REPRISE_OK);
    finish(&w);
    free(all.data);
    free(once.data);
    free(content.data);
}

/* Opens and reads everything; the first failure is in the error. */
static void read_everything(fixture *w, blob all, size_t step)
{
    dripping d = {.all = all, .step = step, .fails_at = UINT64_MAX};
    reprise_source callbacks = {.ctx = &d, .size = all.size, .read = drip};
    rp_source *source = NULL;
    rp_zip *zip = NULL;
    reprise_status status = step ? rp_source_open_callbacks(&w->context, &callbacks, &source,
                                                            &w->error)
                                 : rp_source_open_memory(&w->context, all.data, all.size, &source,
                                                         &w->error);
    if (status != REPRISE_OK)
        return;
    if (rp_zip_open(&w->context, source, &zip, &w->error) == REPRISE_OK) {
        for (size_t i = 0; i < rp_zip_count(zip); i++) {
            rp_stream *stream = NULL;
            uint8_t *data;
            size_t size;
            if (rp_zip_open_entry(zip, i, "zip:x", 0, &stream, &w->error) != REPRISE_OK)
                break;
            if (rp_stream_read_all(stream, 1 << 20, "x", &data, &size, &w->error) == REPRISE_OK)
                rp_free(&w->context, data, size);
            rp_stream_close(stream);
        }
        rp_zip_close(zip);
    }
    rp_source_close(source);
}

static blob make_small(bool zip64)
{
    blob content = make_content(300);
    const item items[] = {
        {.name = "manifest.json", .content = content, .method = 8, .flags = DESCRIPTOR},
        {.name = "replay", .content = content, .method = 0},
        {.name = "wide", .content = content, .method = 8, .zip64 = true},
    };
    blob all = make_archive(
        &(archive){.items = items, .count = RP_COUNT(items), .zip64 = zip64, .comment_size = 5});
    free(content.data);
    return all;
}

static void zip__truncated_anywhere_is_refused(void **state)
{
    (void)state;
    for (unsigned zip64 = 0; zip64 < 2; zip64++) {
        blob all = make_small(zip64);
        size_t comment = 5;
        for (size_t cut = 0; cut < all.size - comment; cut++) {
            fixture w;
            start(&w, 0);
            blob part = {malloc(RP_MAX(cut, 1)), cut};
            memcpy(part.data, all.data, cut);
            assert_int_equal(open_bad(&w, part), cut < 2 ? REPRISE_E_CORRUPT : REPRISE_E_TRUNCATED);
            assert_non_null(strstr(w.error.message, "no end-of-directory record"));
            free(part.data);
            finish(&w);
        }
        free(all.data);
    }
}

static void zip__without_its_start_is_corrupt(void **state)
{
    (void)state;
    blob all = make_small(false);
    for (size_t cut = 1; cut < all.size - 30; cut += 13) {
        fixture w;
        start(&w, 0);
        blob part = {malloc(all.size - cut), all.size - cut};
        memcpy(part.data, all.data + cut, part.size);
        read_everything(&w, part, 0);
        assert_int_equal(w.error.status, REPRISE_E_CORRUPT);
        free(part.data);
        finish(&w);
    }
    free(all.data);
}

static void zip__damage_anywhere_is_survived(void **state)
{
    (void)state;
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    size_t noticed = 0;
    for (unsigned zip64 = 0; zip64 < 2; zip64++) {
        blob all = make_small(zip64);
        for (size_t i = 0; i < all.size; i++)
            for (size_t f = 0; f < RP_COUNT(flips); f++) {
                all.data[i] ^= flips[f];
                fixture w;
                start(&w, 0);
                read_everything(&w, all, f ? 0 : 31);
                noticed += w.error.status != REPRISE_OK;
                finish(&w);
                all.data[i] ^= flips[f];
            }
        free(all.data);
    }
    assert_true(noticed > 3000);
}

static void zip__not_an_archive(void **state)
{
    (void)state;
    blob content = make_content(70000);
    for (size_t size = 0; size <= content.size; size += 7000) {
        fixture w;
        start(&w, 0);
        assert_int_equal(open_bad(&w, (blob){content.data, size}), REPRISE_E_CORRUPT);
        assert_non_null(strstr(w.error.message, "not a zip archive"));
        finish(&w);
    }
    free(content.data);
}

static void zip__source_failure_is_passed_on(void **state)
{
    (void)state;
    blob content = make_content(300000);
    for (uint16_t method = 0; method <= 8; method += 8) {
        const item it = {.name = "x", .content = content, .method = method};
        blob all = make_archive(&(archive){.items = &it, .count = 1});
        for (unsigned early = 0; early < 2; early++) {
            fixture w;
            start(&w, 0);
            dripping d;
            rp_source *source = open_source(&w, all, 5000, &d);
            rp_zip *zip = NULL;
            if (early)
                d.fails_at = all.size - 60;
            reprise_status status = rp_zip_open(&w.context, source, &zip, &w.error);
            d.fails_at = 40000;
            size_t size;
            if (status == REPRISE_OK)
                status = read_entry(&w, zip, 0, content, &size);
            assert_int_equal(status, REPRISE_E_IO);
            assert_int_equal(w.error.cause, EIO);
            rp_zip_close(zip);
            rp_source_close(source);
            finish(&w);
        }
        free(all.data);
    }
    free(content.data);
}

static void zip__any_allocation_may_fail(void **state)
{
    (void)state;
    blob all = make_small(true);
    for (size_t step = 0; step < 62; step += 31)
        for (size_t n = 1;; n++) {
            fixture w;
            start(&w, n);
            read_everything(&w, all, step);
            finish(&w);
            if (test_allocator_survived(&w.allocator)) {
                assert_int_equal(w.error.status, REPRISE_OK);
                assert_true(n > 8);
                break;
            }
            assert_int_equal(w.error.status, REPRISE_E_NOMEM);
        }
    free(all.data);
}

/* ---- names ---- */

static void zip_name__safe(void **state)
{
    (void)state;
    static const char *const safe[] = {
        "replay",      "extensions/mod/file.txt", "a..b", "..a",          "a.",  "dir/",
        "minecraft:x", "\xC3\xA9t\xC3\xA9.png",   "x y",  "mat/a:b.json", "...", "1:2",
    };
    for (size_t i = 0; i < RP_COUNT(safe); i++)
        assert_true(rp_zip_name_safe(safe[i]));
}

static void zip_name__unsafe(void **state)
{
    (void)state;
    static const char *const unsafe[] = {
        "",
        "/",
        "/etc/passwd",
        "..",
        "../a",
        "a/..",
        "a/../b",
        "a//b",
        "//a",
        "a//",
        "C:\\a",
        "C:a",
        "c:/a",
        "a\\b",
        "..\\a",
        "a\nb",
        "a\x1B[2J",
        "\x7F",
        "a\xC2\x9B",
        ".",
        "./a",
        "a/./b",
        "a/.",
        "\\\\server\\x",
        "../",
        "a/b/../../../c",
    };
    for (size_t i = 0; i < RP_COUNT(unsafe); i++)
        assert_false(rp_zip_name_safe(unsafe[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zip__reads_the_same_from_every_source),
        cmocka_unit_test(zip__without_entries),
        cmocka_unit_test(zip__duplicates_are_marked_and_the_first_is_found),
        cmocka_unit_test(zip__entries_may_be_open_together),
        cmocka_unit_test(zip__stored_entries_lend_their_bytes),
        cmocka_unit_test(zip__lending_and_reading_take_turns),
        cmocka_unit_test(zip__wrong_checksum_is_reported_after_the_bytes),
        cmocka_unit_test(zip__checksum_is_checked_below_a_codec),
        cmocka_unit_test(zip__wrong_sizes_are_corrupt),
        cmocka_unit_test(zip__refuses_what_it_cannot_read),
        cmocka_unit_test(zip__limits_on_content),
        cmocka_unit_test(zip__too_many_entries_are_not_allocated),
        cmocka_unit_test(zip__many_end_records_cost_nothing),
        cmocka_unit_test(zip__truncated_anywhere_is_refused),
        cmocka_unit_test(zip__without_its_start_is_corrupt),
        cmocka_unit_test(zip__damage_anywhere_is_survived),
        cmocka_unit_test(zip__not_an_archive),
        cmocka_unit_test(zip__source_failure_is_passed_on),
        cmocka_unit_test(zip__any_allocation_may_fail),
        cmocka_unit_test(zip_name__safe),
        cmocka_unit_test(zip_name__unsafe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
