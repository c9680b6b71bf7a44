/* test_ahead.c - a stream that is read ahead gives the same bytes and ends in the same way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options.h"
#include "stream.h"

enum { PIECE = 1 << 16 };

/* Gives `size` bytes in pieces of at most `step`, then ends with `ending`. */
typedef struct given {
    rp_stream stream;
    size_t size, step;
    reprise_status ending; /* REPRISE_OK: a plain end */
    unsigned closed, finished;
} given;

static uint8_t byte_at(uint64_t i)
{
    return (uint8_t)(i * 7 + (i >> 8));
}

static reprise_status give(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                           reprise_error *error)
{
    given *g = (given *)stream;
    size_t left = g->size - (size_t)stream->offset;
    size = size < left ? size : left;
    size = size < g->step ? size : g->step;
    if (!size && g->ending != REPRISE_OK)
        return rp_error_set(error, g->ending, "broken after %zu", g->size);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = byte_at(stream->offset + i);
    stream->offset += size;
    *ret_size = size;
    return REPRISE_OK;
}

static reprise_status finish(rp_stream *stream, reprise_error *error)
{
    given *g = (given *)stream;
    g->finished++;
    return rp_error_set(error, REPRISE_E_CHECKSUM, "checksum");
}

static void count_close(rp_stream *stream)
{
    ((given *)stream)->closed++;
}

static const rp_stream_ops given_ops = {.read = give, .finish = finish, .close = count_close};

static rp_context context_with(unsigned threads)
{
    TEST_OPTIONS(options);
    reprise_options_set_threads(options, threads, NULL);
    rp_context context;
    rp_context_init(&context, options);
    return context;
}

static rp_stream *ahead_of(given *g, rp_context *context)
{
    g->stream = (rp_stream){.ops = &given_ops, .context = context, .name = "given"};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    assert_int_equal(rp_stream_open_ahead(&g->stream, &stream, &error), REPRISE_OK);
    return stream;
}

/* Reads and borrows in turns, to the end or the failure, and checks every byte. */
static void expect_all(rp_stream *stream, const given *g)
{
    static uint8_t piece[100000];
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t total = 0;
    for (unsigned turn = 0;; turn++) {
        const uint8_t *data = piece;
        size_t size = 0;
        reprise_status status = turn % 3
                                    ? rp_stream_lend(stream, &data, &size, &error)
                                    : rp_stream_read(stream, piece, 1 + turn * 997 % sizeof piece,
                                                     &size, &error);
        if (status != REPRISE_OK || size == 0)
            break;
        for (size_t i = 0; i < size; i++)
            assert_int_equal(data[i], byte_at(total + i));
        total += size;
        assert_int_equal(stream->offset, total);
    }
    assert_int_equal(total, g->size);
    for (unsigned again = 0; again < 2; again++) { /* it keeps ending, or failing */
        const uint8_t *data = NULL;
        size_t size = 1;
        rp_error_clear(&error);
        assert_int_equal(rp_stream_lend(stream, &data, &size, &error), g->ending);
        if (g->ending == REPRISE_OK)
            assert_int_equal(size, 0);
    }
}

static void ahead__gives_all_bytes_before_the_end_or_a_failure(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,         1,         PIECE - 1,      PIECE,
                                   PIECE + 1, 7 * PIECE, 20 * PIECE + 5, 100 * PIECE + 1};
    static const reprise_status endings[] = {REPRISE_OK, REPRISE_E_CORRUPT};
    for (unsigned n = 0; n < 2 * sizeof sizes / sizeof *sizes; n++) {
        for (unsigned threads = 0; threads <= 2; threads++) {
            rp_context context = context_with(threads);
            given g = {
                .size = sizes[n / 2], .step = threads ? 1000 : SIZE_MAX, .ending = endings[n % 2]};
            rp_stream *stream = ahead_of(&g, &context);
            expect_all(stream, &g);
            rp_stream_close(stream);
            assert_int_equal(g.closed, 1);
            assert_int_equal(context.bytes_live, 0);
            assert_int_equal(context.threads_busy, 0);
        }
    }
}

static void ahead__can_be_closed_at_any_time(void **state)
{
    (void)state;
    for (size_t reads = 0; reads < 12; reads++) {
        rp_context context = context_with(2);
        given g = {.size = 60 * PIECE, .step = SIZE_MAX};
        rp_stream *stream = ahead_of(&g, &context);
        for (size_t i = 0; i < reads; i++) {
            const uint8_t *data;
            size_t size;
            reprise_error error = REPRISE_ERROR_INIT;
            assert_int_equal(rp_stream_lend(stream, &data, &size, &error), REPRISE_OK);
        }
        rp_stream_close(stream);
        assert_true(g.stream.offset <= (reads + 32) * PIECE); /* no further ahead than that */
        if (!reads)
            assert_int_equal(g.stream.offset, 0); /* what was lent before stays valid */
        assert_int_equal(g.closed, 1);
        assert_int_equal(context.bytes_live, 0);
    }
}

static void ahead__lets_the_input_check_itself(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 2; threads++) {
        rp_context context = context_with(threads);
        given g = {.size = 9 * PIECE, .step = 5000};
        rp_stream *stream = ahead_of(&g, &context);
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(rp_stream_finish(stream, &error), REPRISE_E_CHECKSUM);
        assert_int_equal(g.finished, 1);
        assert_int_equal(g.stream.offset, g.size);
        rp_stream_close(stream);
    }
}

static void ahead__leaves_the_rest_alone_while_only_the_beginning_is_read(void **state)
{
    (void)state;
    rp_context context = context_with(2);
    given g = {.size = 20 * PIECE, .step = SIZE_MAX};
    rp_stream *stream = ahead_of(&g, &context);
    for (size_t reads = 1; reads <= 8; reads++) {
        const uint8_t *data;
        size_t size;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(rp_stream_lend(stream, &data, &size, &error), REPRISE_OK);
        assert_int_equal(context.threads_busy, 0);
        assert_int_equal(g.stream.offset, reads * PIECE);
    }
    rp_stream_close(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ahead__gives_all_bytes_before_the_end_or_a_failure),
        cmocka_unit_test(ahead__can_be_closed_at_any_time),
        cmocka_unit_test(ahead__lets_the_input_check_itself),
        cmocka_unit_test(ahead__leaves_the_rest_alone_while_only_the_beginning_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
