/* test_base_writer.c - the contract of writer.h: bytes, maximum, sticky errors, slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader.h"
#include "test_allocator.h"
#include "writer.h"

/* A writer, and a check at the end that nothing leaked. */
typedef struct fixture {
    test_allocator allocator;
    rp_context context;
    reprise_error error;
    rp_writer w;
} fixture;

static void begin(fixture *f, size_t size_max, size_t fail_at)
{
    f->context = test_context(&f->allocator, fail_at);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&f->w, &f->context, size_max, &f->error);
}

static void end(fixture *f)
{
    rp_writer_free(&f->w);
    assert_int_equal(f->allocator.live_count, 0);
    assert_int_equal(f->context.bytes_live, 0);
}

static void writer__mirrors_the_reader(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 1000, 0);
    rp_put_u8(&f.w, 0xFE);
    rp_put_u16(&f.w, 0x1234);
    rp_put_u32(&f.w, 0xF2345678);
    rp_put_u64(&f.w, UINT64_C(0xF102030405060708));
    rp_put_f32(&f.w, -1.5f);
    rp_put_f64(&f.w, 2.5);
    rp_put(&f.w, "\1\2\3", 3);
    rp_put_text(&f.w, "text");
    assert_true(rp_writer_ok(&f.w));
    assert_int_equal(f.w.size, 1 + 2 + 4 + 8 + 4 + 8 + 3 + 4);
    assert_memory_equal(f.w.data, "\xFE\x34\x12\x78\x56\x34\xF2", 7);

    rp_reader r = rp_reader_of(f.w.data, f.w.size, "test", &f.error);
    assert_int_equal(rp_u8(&r, ""), 0xFE);
    assert_int_equal(rp_u16(&r, ""), 0x1234);
    assert_int_equal(rp_u32(&r, ""), 0xF2345678);
    assert_true(rp_u64(&r, "") == UINT64_C(0xF102030405060708));
    assert_true(rp_f32(&r, "") == -1.5f);
    assert_true(rp_f64(&r, "") == 2.5);
    assert_true(rp_match(&r, "\1\2\3text", 7));
    assert_int_equal(rp_left(&r), 0);
    end(&f);
}

static void writer__grows_without_losing_bytes(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, SIZE_MAX, 0);
    for (uint32_t i = 0; i < 10000; i++)
        rp_put_u32(&f.w, i * 2654435761u);
    assert_int_equal(f.w.size, 40000);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(rp_load32(f.w.data + 4 * i), i * 2654435761u);
    end(&f);
}

static void writer__stops_at_its_maximum(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 10, 0);
    rp_put(&f.w, "0123456789", 10);
    assert_true(rp_writer_ok(&f.w));
    assert_true(f.w.capacity <= 10);
    rp_put_u8(&f.w, 1);
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_string_equal(f.error.message, "output of more than 10 bytes");
    assert_int_equal(f.w.size, 10);
    assert_memory_equal(f.w.data, "0123456789", 10);
    end(&f);
}

static void writer__huge_size_does_not_wrap(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 100, 0);
    rp_put_u8(&f.w, 1);
    assert_null(rp_put_raw(&f.w, SIZE_MAX));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_int_equal(f.w.size, 1);
    end(&f);
}

static void writer__no_memory_is_sticky(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 1000, 1);
    rp_put_u8(&f.w, 1);
    assert_int_equal(f.error.status, REPRISE_E_NOMEM);
    rp_put_u8(&f.w, 2);
    rp_put_text(&f.w, "more");
    rp_put_format(&f.w, "%d", 3);
    rp_put_leb32(&f.w, 4);
    assert_int_equal(f.w.size, 0);
    assert_int_equal(f.allocator.requests, 1);
    end(&f);
}

static void writer__every_allocation_can_fail(void **state)
{
    RP_UNUSED(state);
    size_t n = 1;
    for (;; n++) {
        fixture f;
        begin(&f, 100000, n);
        for (unsigned i = 0; i < 5000 && rp_writer_ok(&f.w); i++)
            rp_put_u16(&f.w, (uint16_t)i);
        bool survived = test_allocator_survived(&f.allocator);
        assert_int_equal(f.error.status, survived ? REPRISE_OK : REPRISE_E_NOMEM);
        end(&f);
        if (survived)
            break;
    }
    assert_true(n > 3);
}

static void writer__formats_text_of_any_length(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 10000, 0);
    rp_put_format(&f.w, "%s-%d", "a", 12);
    rp_put_format(&f.w, "%s", "");
    rp_put_format(&f.w, "%*d", 3000, 7);
    assert_true(rp_writer_ok(&f.w));
    assert_int_equal(f.w.size, 4 + 3000);
    assert_memory_equal(f.w.data, "a-12   ", 7);
    assert_int_equal(f.w.data[f.w.size - 1], '7');
    end(&f);
}

static void writer__leb32_reads_back(void **state)
{
    RP_UNUSED(state);
    static const struct {
        uint32_t value;
        size_t size;
    } cases[] = {
        {0, 1},       {127, 1},     {128, 2},       {16383, 2},     {16384, 3},  {65535, 3},
        {2097151, 3}, {2097152, 4}, {268435455, 4}, {268435456, 5}, {624485, 3}, {UINT32_MAX, 5},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        fixture f;
        begin(&f, 10, 0);
        rp_put_leb32(&f.w, cases[i].value);
        assert_int_equal(f.w.size, cases[i].size);
        rp_reader r = rp_reader_of(f.w.data, f.w.size, "test", &f.error);
        assert_int_equal(rp_leb32(&r, "number"), cases[i].value);
        assert_int_equal(rp_left(&r), 0);
        assert_true(rp_ok(&r));
        end(&f);
    }
}

static void writer__slots_nest(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 1000, 0);
    size_t outer = rp_slot_begin(&f.w);
    rp_put_u8(&f.w, 0xAA);
    size_t inner = rp_slot_begin(&f.w);
    rp_put_text(&f.w, "xyz");
    rp_slot_end(&f.w, inner);
    rp_slot_end(&f.w, outer);
    size_t empty = rp_slot_begin(&f.w);
    rp_slot_end(&f.w, empty);
    assert_int_equal(f.w.size, 16);
    assert_memory_equal(f.w.data, "\x08\0\0\0\xAA\x03\0\0\0xyz\0\0\0\0", 16);
    end(&f);
}

static void writer__slot_survives_growth_and_failure(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 100000, 0);
    size_t slot = rp_slot_begin(&f.w);
    for (int i = 0; i < 5000; i++)
        rp_put_u8(&f.w, 1);
    rp_slot_end(&f.w, slot);
    assert_int_equal(rp_load32(f.w.data), 5000);
    end(&f);

    begin(&f, 2, 0);
    slot = rp_slot_begin(&f.w);
    rp_slot_end(&f.w, slot);
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_int_equal(f.w.size, 0);
    end(&f);
}

static void writer__clear_keeps_the_memory(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 1000, 0);
    rp_put_text(&f.w, "first");
    const uint8_t *data = f.w.data;
    rp_writer_clear(&f.w);
    assert_int_equal(f.w.size, 0);
    rp_put_text(&f.w, "second");
    assert_ptr_equal(f.w.data, data);
    assert_memory_equal(f.w.data, "second", 6);
    assert_int_equal(f.allocator.requests, 1);
    end(&f);
}

static void writer__nothing_put_allocates_nothing(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 1000, 0);
    rp_put(&f.w, NULL, 0);
    rp_put_text(&f.w, "");
    assert_true(rp_writer_ok(&f.w));
    assert_int_equal(f.allocator.requests, 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer__mirrors_the_reader),
        cmocka_unit_test(writer__grows_without_losing_bytes),
        cmocka_unit_test(writer__stops_at_its_maximum),
        cmocka_unit_test(writer__huge_size_does_not_wrap),
        cmocka_unit_test(writer__no_memory_is_sticky),
        cmocka_unit_test(writer__every_allocation_can_fail),
        cmocka_unit_test(writer__formats_text_of_any_length),
        cmocka_unit_test(writer__leb32_reads_back),
        cmocka_unit_test(writer__slots_nest),
        cmocka_unit_test(writer__slot_survives_growth_and_failure),
        cmocka_unit_test(writer__clear_keeps_the_memory),
        cmocka_unit_test(writer__nothing_put_allocates_nothing),
    };
    return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
