/*
 * test_recover_orders.c - recordings of orders that were cut: every complete packet or record is in
 * the result, which verifies. The tests count complete ones without the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "written.h"

enum { STEP = 5, STREAM_MAX = 1 << 16, LOCAL_HEADER = 30 };

static uint32_t u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Counts the complete packets of a stream; a client of -1 ends them. */
static size_t whole_packets(const unsigned char *data, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; size - at >= 8 && u32_at(data + at) != UINT32_MAX; count++) {
        uint32_t length = u32_at(data + at + 4);
        if (length > size - at - 8)
            break;
        at += 8 + length;
    }
    return count;
}

/* What the member "orders" of a cut archive still gives. */
static size_t packets_in_archive(const unsigned char *data, size_t size)
{
    static unsigned char packets[STREAM_MAX];
    for (size_t at = 0; at + LOCAL_HEADER < size; at++) {
        if (memcmp(data + at, "PK\3\4", 4) != 0 || data[at + 26] != 6)
            continue;
        size_t start = at + LOCAL_HEADER + 6;
        if (start >= size || memcmp(data + start - 6, "orders", 6) != 0)
            return 0;
        z_stream state = {.next_in = (Bytef *)(uintptr_t)(data + start),
                          .avail_in = (uInt)(size - start),
                          .next_out = packets,
                          .avail_out = sizeof packets};
        assert_int_equal(inflateInit2(&state, -15), Z_OK);
        inflate(&state, Z_SYNC_FLUSH);
        inflateEnd(&state);
        return whole_packets(packets, sizeof packets - state.avail_out);
    }
    return 0;
}

/* Recovers a cut file; returns the number of packets or frames of the result. SIZE_MAX: refused. */
static size_t recovered(const bytes *cut, const char *member, const char *count)
{
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, true, NULL);
    bytes made = {0};
    reprise_sink sink = {.ctx = &made, .write = bytes_write};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    const reprise_value *report = NULL;
    if (reprise_open_memory(cut->data, cut->size, options, &replay, &error) != REPRISE_OK)
        return SIZE_MAX;
    expect_ok(reprise_recover(replay, &writing, &report, &error), &error, "recover");
    reprise_close(replay);
    replay = open_bytes(&made, false);
    reprise_verify_summary summary;
    expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
    assert_int_equal(summary.faults, 0);
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    const reprise_value *found = reprise_value_get(info, member);
    int64_t result = reprise_value_int(count ? reprise_value_get(found, count) : found, -1);
    reprise_close(replay);
    bytes_free(&made);
    return (size_t)result;
}

static void sweep(const char *path, size_t (*there)(const unsigned char *data, size_t size))
{
    sample s = load_sample(path);
    size_t most = 0;
    for (size_t size = 0; size <= s.size; size += STEP) {
        bytes cut = {.data = s.data, .size = size};
        size_t wanted = there(s.data, size);
        size_t given = recovered(&cut, "packets", "count");
        if (given == SIZE_MAX ? wanted > 1 : given != wanted)
            fail_msg("%s: of %zu packets in %zu bytes %zd are recovered", path, wanted, size,
                     (ssize_t)given);
        most = wanted > most ? wanted : most;
    }
    assert_true(most > 50);
    free(s.data);
}

static void openra_recover__every_whole_packet_of_a_cut_file_is_kept(void **state)
{
    (void)state;
    sweep("tests/data/openra/p8-2p.orarep", whole_packets);
}

static void openra_recover__every_whole_packet_of_a_cut_archive_is_kept(void **state)
{
    (void)state;
    sweep("tests/data/openra/zip-p21.orarep", packets_in_archive);
}

/* More bytes never give fewer frames, and all bytes give all frames. */
static void remastered_recover__longer_files_hold_no_less(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/remastered/ra-events-internet.bin");
    size_t before = 0;
    for (size_t size = 0; size <= s.size; size += STEP) {
        bytes cut = {.data = s.data, .size = size};
        size_t frames = recovered(&cut, "frames", NULL);
        if (frames == SIZE_MAX)
            assert_int_equal(before, 0);
        else
            assert_true(frames >= before);
        before = frames == SIZE_MAX ? 0 : frames;
    }
    bytes whole = {.data = s.data, .size = s.size};
    reprise_replay *replay = open_bytes(&whole, false);
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    assert_int_equal(recovered(&whole, "frames", NULL),
                     reprise_value_int(reprise_value_get(info, "frames"), -1));
    reprise_close(replay);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openra_recover__every_whole_packet_of_a_cut_file_is_kept),
        cmocka_unit_test(openra_recover__every_whole_packet_of_a_cut_archive_is_kept),
        cmocka_unit_test(remastered_recover__longer_files_hold_no_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
