/*
 * test_openra_zip.c - the archive layout of OpenRA replays: foreign archives, what is kept of them,
 * and what is reported when something cannot be kept. Items are those of the checklist in
 * docs/spec/openra.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "openra/openra.h"
#include "reprise/write.h"
#include "samples.h"
#include "written.h"
#include "zip_builder.h"

enum { FRAMES = 61, STORED = 0, DEFLATED = 8 };

/* A match as the members of an archive. */
typedef struct members {
    sample flat;
    blob metadata, orders, sums;
} members;

static members members_of(const char *path)
{
    members m = {.flat = load_sample(path)};
    uint32_t text_size = rp_load32(m.flat.data + m.flat.size - 8) - 4;
    size_t packets = m.flat.size - 20 - text_size;
    m.orders = (blob){m.flat.data, packets};
    m.metadata = (blob){m.flat.data + packets + 12, text_size};
    m.sums = make_zeros((size_t)FRAMES * 8);
    for (uint32_t i = 0; i < FRAMES; i++)
        rp_store64(m.sums.data + (size_t)i * 8, 1000 + i);
    return m;
}

static void members_free(members *m)
{
    free(m->flat.data);
    free(m->sums.data);
}

static bytes archived(const item *items, size_t count, size_t comment_size)
{
    blob made = make_archive(
        &(archive){.items = items, .count = count, .comment_size = comment_size});
    return (bytes){.data = made.data, .size = made.size, .capacity = made.size};
}

static void expect_kept_as_it_is(const bytes *zip)
{
    bytes again = changed(zip, (change){.convert = "zip"});
    bytes recovered = changed(zip, (change){.recover = true});
    assert_true(same_bytes(zip, &again));
    assert_true(same_bytes(zip, &recovered));
    bytes_free(&again);
    bytes_free(&recovered);
}

/* Packets without sums, so that only the member has them. */
static blob without_sums(blob orders)
{
    blob left = {malloc(orders.size), 0};
    assert_non_null(left.data);
    for (size_t at = 0; at < orders.size;) {
        size_t size = 8 + rp_load32(orders.data + at + 4);
        if (size == 12 || orders.data[at + 12] != ORA_SYNC_HASH) {
            memcpy(left.data + left.size, orders.data + at, size);
            left.size += size;
        }
        at += size;
    }
    return left;
}

static blob member(const bytes *zip, const char *name)
{
    bytes content = {0};
    reprise_sink sink = {.ctx = &content, .write = bytes_write};
    reprise_replay *replay = open_bytes(zip, false);
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        if (strcmp(reprise_blob_at(replay, i)->name, name) == 0)
            expect_ok(reprise_blob_read(replay, i, &sink, &error), &error, name);
    }
    reprise_close(replay);
    return (blob){content.data, content.size};
}

/* ---- the checklist ---- */

/*
 * Foreign archives: stored or deflated, sizes before or after the data, in any order, with a
 * comment.
 */
static void openra_zip__item_13_foreign_archives_hold_the_same(void **state)
{
    (void)state;
    members m = members_of("tests/data/openra/p21-2p.orarep");
    bytes flat = {.data = m.flat.data, .size = m.flat.size};
    for (unsigned i = 0; i < 8; i++) {
        uint16_t method = i & 1 ? DEFLATED : STORED, flags = i & 4 ? DESCRIPTOR : 0;
        const item items[] = {
            {.name = i & 2 ? "sync.bin" : "sync", .content = m.sums, .method = method},
            {.name = "orders", .content = m.orders, .method = method, .flags = flags},
            {.name = "metadata.yaml", .content = m.metadata, .method = method},
        };
        bytes zip = archived(items, 3, i);
        bytes back = changed(&zip, (change){.convert = "p21"});
        assert_true(same_bytes(&flat, &back));
        expect_kept_as_it_is(&zip);
        bytes_free(&back);
        bytes_free(&zip);
    }
    members_free(&m);
}

/* ---- what is changed and what is not ---- */

/* How many unknown files `info` lists as private. */
static uint64_t unknown_files(const bytes *zip)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    const reprise_value *info = NULL;
    uint64_t count = 0;
    assert_int_equal(reprise_open_memory(zip->data, zip->size, NULL, &replay, &error), REPRISE_OK);
    assert_int_equal(reprise_info(replay, &info, &error), REPRISE_OK);
    const reprise_value *list = reprise_value_get(info, "private");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "what"), NULL), "unknown files") == 0)
            count += reprise_value_uint(reprise_value_get(one, "count"), 0);
    }
    reprise_close(replay);
    return count;
}

static void openra_zip__other_members_are_kept(void **state)
{
    (void)state;
    members m = members_of("tests/data/openra/p21-2p.orarep");
    blob words = text("kept by a tool");
    const item items[] = {
        {.name = "orders", .content = m.orders, .method = DEFLATED},
        {.name = "metadata.yaml", .content = m.metadata, .method = DEFLATED},
        {.name = "notes/coach.txt", .content = words, .method = DEFLATED},
    };
    bytes zip = archived(items, 3, 0), usual = archived(items, 2, 0);
    expect_kept_as_it_is(&zip);
    assert_int_equal(unknown_files(&zip), 1);
    assert_int_equal(unknown_files(&usual), 0);
    bytes_free(&usual);
    bytes cut = changed(&zip, (change){.trim = true, .to = 30});
    blob kept = member(&cut, "notes/coach.txt");
    assert_int_equal(kept.size, words.size);
    assert_memory_equal(kept.data, words.data, words.size);
    bytes clean = changed(&zip, (change){.anonymize = REPRISE_PRIVATE_ALL});
    blob gone = member(&clean, "notes/coach.txt");
    assert_int_equal(gone.size, 0);
    assert_int_equal(unknown_files(&clean), 0);
    bytes_free(&zip);
    bytes_free(&cut);
    bytes_free(&clean);
    free(kept.data);
    free(words.data);
    members_free(&m);
}

/* Expects a refusal that reports `losses` losses. */
static void expect_refused(const bytes *zip, const char *layout, size_t losses)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = layout;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = open_bytes(zip, false);
    assert_int_equal(reprise_convert(replay, &options, &report, &error), REPRISE_E_LOSSY);
    assert_int_equal(reprise_value_count(reprise_value_get(report, "losses")), losses);
    assert_int_equal(result.size, 0);
    reprise_close(replay);
}

static void openra_zip__what_a_flat_file_cannot_hold_is_reported(void **state)
{
    (void)state;
    members m = members_of("tests/data/openra/p21-2p.orarep");
    blob orders = without_sums(m.orders), words = text("x");
    const item items[] = {
        {.name = "orders", .content = orders, .method = DEFLATED},
        {.name = "readme", .content = words, .method = STORED},
        {.name = "sync", .content = m.sums, .method = DEFLATED},
    };
    bytes zip = archived(items, 3, 0);
    expect_refused(&zip, "p21", 2);
    bytes_free(&zip);
    free(orders.data);
    free(words.data);
    members_free(&m);
}

/* A row for each frame that has a sum, at the frame's time. */
static void expect_rows_of_sums(const bytes *zip)
{
    reprise_replay *replay = open_bytes(zip, false);
    int track = reprise_track_find(replay, "sync");
    size_t hash = 0;
    while (strcmp(reprise_column_at(replay, (size_t)track, hash)->name, "hash") != 0)
        hash++;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    int64_t count = 0;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    for (; reprise_rows_next(rows, &error) == REPRISE_OK; count++) {
        assert_int_equal(reprise_row_int(rows, 0), 3 * count);
        assert_int_equal(reprise_row_int(rows, hash), 1000 + count);
    }
    assert_int_equal(count, FRAMES);
    reprise_rows_close(rows);
    reprise_close(replay);
}

static void openra_zip__sums_without_packets_are_rows_and_survive_a_cut(void **state)
{
    (void)state;
    members m = members_of("tests/data/openra/p21-2p.orarep");
    blob orders = without_sums(m.orders);
    const item items[] = {
        {.name = "sync.bin", .content = m.sums, .method = STORED},
        {.name = "orders", .content = orders, .method = STORED},
    };
    bytes zip = archived(items, 2, 0);
    expect_rows_of_sums(&zip);
    bytes cut = changed(&zip, (change){.trim = true, .to = 3 * 19});
    blob sums = member(&cut, "sync");
    assert_int_equal(sums.size, 20 * 8);
    assert_memory_equal(sums.data, m.sums.data, sums.size);
    bytes_free(&zip);
    bytes_free(&cut);
    free(sums.data);
    free(orders.data);
    members_free(&m);
}

static void find_list(void *ctx, const reprise_finding *finding)
{
    *(bool *)ctx = *(bool *)ctx || strcmp(finding->id, "openra.sync-list") == 0;
}

/* The packets are used, and a list that differs is reported. */
static void openra_zip__sums_that_differ_from_the_packets_are_reported(void **state)
{
    (void)state;
    members m = members_of("tests/data/openra/p21-2p.orarep");
    const item items[] = {
        {.name = "orders", .content = m.orders, .method = DEFLATED},
        {.name = "sync", .content = m.sums, .method = DEFLATED},
    };
    bytes flat = {.data = m.flat.data, .size = m.flat.size};
    bytes files[] = {archived(items, 2, 0), changed(&flat, (change){.convert = "zip"})};
    for (size_t i = 0; i < 2; i++) {
        bool reported = false;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = open_bytes(&files[i], false);
        expect_ok(reprise_verify(replay, find_list, &reported, NULL, &error), &error, "verify");
        assert_int_equal(reported, i == 0);
        reprise_close(replay);
        bytes_free(&files[i]);
    }
    members_free(&m);
}

/* A requested level applies even if nothing else changes. */
static void openra_zip__compression_levels_are_used(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/zip-p21.orarep");
    bytes zip = {.data = s.data, .size = s.size};
    bytes fast = changed(&zip, (change){.recompress = true, .level = 1});
    bytes dense = changed(&zip, (change){.convert = "zip", .level = 9});
    bytes flat = changed(&zip, (change){.convert = "p21"});
    bytes from_fast = changed(&fast, (change){.convert = "p21"});
    bytes from_dense = changed(&dense, (change){.convert = "p21"});
    assert_true(dense.size < fast.size);
    assert_true(same_bytes(&flat, &from_fast));
    assert_true(same_bytes(&flat, &from_dense));
    reprise_replay *replay = open_bytes(&flat, false);
    reprise_write_options options = REPRISE_WRITE_INIT;
    bytes nothing = {0};
    options.sink = &(reprise_sink){.ctx = &nothing, .write = bytes_write};
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    assert_int_equal(reprise_recompress(replay, &options, &report, &error), REPRISE_E_UNSUPPORTED);
    assert_int_equal(nothing.size, 0);
    reprise_close(replay);
    bytes *const all[] = {&fast, &dense, &flat, &from_fast, &from_dense};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        bytes_free(all[i]);
    free(s.data);
}

/* An archive without its directory cannot be copied. */
static void openra_zip__damaged_archives_are_rebuilt(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/zip-p21.orarep");
    bytes cut = {.data = s.data, .size = s.size - 30};
    bytes made = changed(&cut, (change){.recover = true});
    bytes whole = {.data = s.data, .size = s.size};
    bytes flat = changed(&whole, (change){.convert = "p21"});
    bytes back = changed(&made, (change){.convert = "p21"});
    assert_true(same_bytes(&flat, &back));
    bytes_free(&made);
    bytes_free(&flat);
    bytes_free(&back);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openra_zip__item_13_foreign_archives_hold_the_same),
        cmocka_unit_test(openra_zip__other_members_are_kept),
        cmocka_unit_test(openra_zip__what_a_flat_file_cannot_hold_is_reported),
        cmocka_unit_test(openra_zip__sums_without_packets_are_rows_and_survive_a_cut),
        cmocka_unit_test(openra_zip__sums_that_differ_from_the_packets_are_reported),
        cmocka_unit_test(openra_zip__compression_levels_are_used),
        cmocka_unit_test(openra_zip__damaged_archives_are_rebuilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
