/*
 * test_schema.c - the wire engines on records that use every kind: random rows are written and read
 * back, every prefix is refused, and the rules of each engine are checked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "codec_fixture.h"
#include "document.h"
#include "engine_records.h"
#include "json.h"

/* ---- random rows ---- */

static uint32_t seed = 1;

static uint32_t random32(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed ^ seed >> 15;
}

static void random_bytes(void *to, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = (uint8_t)random32();
}

static void random_record(rp_arena *arena, const rp_record *record, void *row, unsigned depth);

static rp_text random_text(rp_arena *arena)
{
    size_t size = random32() % 12;
    reprise_error error = REPRISE_ERROR_INIT;
    char *text = rp_arena_alloc(arena, size + 1, &error);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + random32() % 26);
    return (rp_text){.data = text, .size = size};
}

static rp_list random_list(rp_arena *arena, const rp_record *item, bool sorted, unsigned depth)
{
    size_t count = depth > 2 ? 0 : random32() % 4;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_list list = {.items = rp_arena_array(arena, count, item->size, &error), .count = count};
    for (size_t i = 0; i < count; i++) {
        void *row = (char *)list.items + i * item->size;
        random_record(arena, item, row, depth + 1);
        if (sorted)
            rp_field_set_int(&item->fields[0], row, (int64_t)(10 * i + random32() % 10));
    }
    return list;
}

static void random_field(rp_arena *arena, const rp_field *field, void *to, unsigned depth)
{
    reprise_error error = REPRISE_ERROR_INIT;
    switch (field->kind) {
    case RP_BOOL:
        *(bool *)to = random32() & 1;
        break;
    case RP_ROT: {
        rp_quat q = {0.1f, -0.2f, (float)(random32() % 100) / 100, 0.9f};
        *(rp_rot *)to = random32() & 1 ? rp_rot_packed(q) : rp_rot_full(q);
        break;
    }
    case RP_TEXT:
    case RP_BYTES:
        *(rp_text *)to = random_text(arena);
        break;
    case RP_SEQ:
    case RP_MAP:
        *(rp_list *)to = random_list(arena, field->sub, field->kind == RP_MAP, depth);
        break;
    case RP_OPT: {
        const rp_record *record = field->sub;
        *(void **)to = random32() & 1 ? rp_arena_alloc(arena, record->size, &error) : NULL;
        if (*(void **)to)
            random_record(arena, record, *(void **)to, depth + 1);
        break;
    }
    case RP_SUM: {
        const rp_sum *sum = field->sub;
        rp_choice choice = {.variant = random32() % sum->count};
        const rp_record *record = sum->variants[choice.variant];
        if (record) {
            choice.value = rp_arena_alloc(arena, record->size, &error);
            random_record(arena, record, choice.value, depth + 1);
        }
        *(rp_choice *)to = choice;
        break;
    }
    case RP_REC:
        random_record(arena, field->sub, to, depth + 1);
        break;
    default:
        random_bytes(to, rp_field_size(field));
    }
}

static void random_record(rp_arena *arena, const rp_record *record, void *row, unsigned depth)
{
    for (size_t i = 0; i < record->count; i++)
        random_field(arena, &record->fields[i], rp_at(&record->fields[i], row), depth);
}

static bool same(const rp_record *record, const void *a, const void *b, uint64_t fields)
{
    for (size_t i = 0; i < record->count; i++) {
        if ((fields >> i & 1) && !rp_field_equal(&record->fields[i], a, b))
            return false;
    }
    return true;
}

typedef struct bench {
    fixture f;
    rp_arena arena;
    rp_writer w;
} bench;

static void bench_init(bench *b)
{
    start(&b->f, 0);
    rp_arena_init(&b->arena, &b->f.context);
    rp_writer_init(&b->w, &b->f.context, SIZE_MAX / 2, &b->f.error);
}

static void bench_free(bench *b)
{
    rp_writer_free(&b->w);
    rp_arena_free(&b->arena);
    finish(&b->f);
}

/* ---- bincode ---- */

static void bincode__reads_what_it_wrote(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++) {
        bench b;
        bench_init(&b);
        test_node node = {0}, again = {0};
        random_record(&b.arena, &test_node_record, &node, 0);
        rp_bincode_write(&b.w, &test_node_record, &node);
        rp_reader r = rp_reader_of(b.w.data, b.w.size, "test", &b.f.error);
        rp_bincode_read(&r, &b.arena, &test_node_record, &again);
        assert_int_equal(b.f.error.status, REPRISE_OK);
        assert_int_equal(rp_left(&r), 0);
        assert_true(same(&test_node_record, &node, &again, UINT64_MAX));
        bench_free(&b);
    }
}

static void bincode__every_prefix_is_refused(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    test_node node = {0};
    do
        random_record(&b.arena, &test_node_record, &node, 0);
    while (node.children.count == 0);
    rp_bincode_write(&b.w, &test_node_record, &node);
    for (size_t size = 0; size < b.w.size; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        memcpy(copy, b.w.data, size);
        reprise_error error = REPRISE_ERROR_INIT;
        rp_reader r = rp_reader_of(copy, size, "test", &error);
        test_node again = {0};
        rp_bincode_read(&r, &b.arena, &test_node_record, &again);
        assert_true(error.status == REPRISE_E_TRUNCATED || error.status == REPRISE_E_CORRUPT);
        free(copy);
    }
    bench_free(&b);
}

static reprise_status read_node(const uint8_t *data, size_t size)
{
    bench b;
    bench_init(&b);
    rp_reader r = rp_reader_of(data, size, "test", &b.f.error);
    test_node node = {0};
    rp_bincode_read(&r, &b.arena, &test_node_record, &node);
    reprise_status status = b.f.error.status;
    bench_free(&b);
    return status;
}

/* leaf 9, hash 4, name 8, bytes 8, many 8, maybe 1, table 8, either 4, children 8 */
enum { AT_BOOL = 8, AT_NAME = 13, AT_MANY = 29, AT_MAYBE = 37, AT_TABLE = 38, AT_EITHER = 46 };

static void bincode__values_must_be_canonical(void **state)
{
    (void)state;
    uint8_t node[58] = {0};
    node[AT_EITHER] = 1;
    assert_int_equal(read_node(node, sizeof node), REPRISE_OK);
    node[AT_BOOL] = 2;
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
    node[AT_BOOL] = 0;
    node[AT_MAYBE] = 2;
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
    node[AT_MAYBE] = 0;
    node[AT_EITHER] = 3;
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
    node[AT_EITHER] = 1;
    node[AT_NAME] = 1;
    node[AT_NAME + 8] = 0xFF; /* not UTF-8 */
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
}

static void bincode__counts_must_fit_the_remaining_bytes(void **state)
{
    (void)state;
    uint8_t node[58] = {0};
    node[AT_EITHER] = 1;
    memset(node + AT_MANY, 0xFF, 8);
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
    memset(node + AT_MANY, 0, 8);
    node[AT_NAME + 3] = 0x10; /* 268 MB of name */
    assert_int_equal(read_node(node, sizeof node), REPRISE_E_CORRUPT);
}

static void bincode__map_keys_must_increase(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    test_pair pairs[2] = {{.key = 5, .name = {"a", 1}}, {.key = 5, .name = {"b", 1}}};
    test_node node = {.table = {.items = pairs, .count = 2}, .either = {.variant = 1}};
    rp_bincode_write(&b.w, &test_node_record, &node);
    assert_int_equal(read_node(b.w.data, b.w.size), REPRISE_E_CORRUPT);
    pairs[1].key = 6;
    rp_writer_clear(&b.w);
    rp_bincode_write(&b.w, &test_node_record, &node);
    assert_int_equal(read_node(b.w.data, b.w.size), REPRISE_OK);
    bench_free(&b);
}

static void bincode__depth_is_limited(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    test_node nodes[100] = {{.either = {.variant = 1}}};
    for (size_t i = 0; i < RP_COUNT(nodes); i++) {
        nodes[i].either.variant = 1;
        if (i)
            nodes[i].children = (rp_list){.items = &nodes[i - 1], .count = 1};
    }
    rp_bincode_write(&b.w, &test_node_record, &nodes[99]);
    assert_int_equal(read_node(b.w.data, b.w.size), REPRISE_E_LIMIT);
    bench_free(&b);
}

/* ---- tagged ---- */

static void tagged__reads_what_it_wrote(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++) {
        bench b;
        bench_init(&b);
        rp_tag_map map;
        rp_tag_map_init(&map, &test_tagged_record, (unsigned)i % 2 + 1);
        test_tagged row = {0}, again = {0};
        random_record(&b.arena, &test_tagged_record, &row, 0);
        uint64_t present = random32() & ((1u << test_tagged_F_COUNT) - 1);
        uint64_t seen = 0;
        size_t unknown = 0;
        rp_tagged_write(&b.w, &map, row.turn.size, &row, present);
        rp_reader r = rp_reader_of(b.w.data, b.w.size, "test", &b.f.error);
        assert_true(rp_tagged_fits(&r, &map));
        rp_tagged_read(&r, &map, &again, &seen, &unknown);
        assert_int_equal(b.f.error.status, REPRISE_OK);
        assert_int_equal(seen, present);
        assert_int_equal(unknown, 0);
        assert_true(same(&test_tagged_record, &row, &again, present));
        bench_free(&b);
    }
}

static reprise_status read_tagged(const uint8_t *data, size_t size, test_tagged *row,
                                  uint64_t *present, size_t *unknown)
{
    rp_tag_map map;
    rp_tag_map_init(&map, &test_tagged_record, 1);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(data, size, "test", &error);
    rp_tagged_read(&r, &map, row, present, unknown);
    return error.status;
}

static void tagged__sizes_follow_the_rules(void **state)
{
    (void)state;
    test_tagged row = {0};
    uint64_t present = 0;
    size_t unknown = 0;
    /* integers of one, two and four bytes; a byte in two; of a longer value the leading bytes count
     */
    assert_int_equal(read_tagged((uint8_t[]){5, 1, 200}, 3, &row, &present, &unknown), 0);
    assert_int_equal(row.number, 200);
    assert_int_equal(read_tagged((uint8_t[]){5, 2, 0x2C, 1}, 4, &row, &present, &unknown), 0);
    assert_int_equal(row.number, 300);
    assert_int_equal(
        read_tagged((uint8_t[]){5, 4, 0xFF, 0xFF, 0xFF, 0xFF}, 6, &row, &present, &unknown), 0);
    assert_int_equal(row.number, -1);
    assert_int_equal(read_tagged((uint8_t[]){3, 2, 7, 0}, 4, &row, &present, &unknown), 0);
    assert_int_equal(row.small, 7);
    assert_int_equal(read_tagged((uint8_t[]){7, 3, 1, 2, 99}, 5, &row, &present, &unknown), 0);
    assert_int_equal(row.half, 0x201);
    /* shorter than needed, past the end, truncated in the header */
    assert_int_equal(read_tagged((uint8_t[]){7, 1, 1}, 3, &row, &present, &unknown),
                     REPRISE_E_CORRUPT);
    assert_int_equal(read_tagged((uint8_t[]){7, 2, 1}, 3, &row, &present, &unknown),
                     REPRISE_E_TRUNCATED);
    assert_int_equal(read_tagged((uint8_t[]){7}, 1, &row, &present, &unknown), REPRISE_E_TRUNCATED);
}

static void tagged__unknown_ids_are_counted_and_skipped(void **state)
{
    (void)state;
    test_tagged row = {0};
    uint64_t present = 0;
    size_t unknown = 0;
    const uint8_t data[] = {99, 3, 1, 2, 3, 2, 1, 1, 200, 0};
    assert_int_equal(read_tagged(data, sizeof data, &row, &present, &unknown), REPRISE_OK);
    assert_int_equal(unknown, 2);
    assert_true(row.on);
    assert_int_equal(present, 1u << test_tagged_F_on);
}

static void tagged__later_duplicates_win(void **state)
{
    (void)state;
    test_tagged row = {0};
    uint64_t present = 0;
    size_t unknown = 0;
    const uint8_t data[] = {3, 1, 1, 3, 1, 2};
    assert_int_equal(read_tagged(data, sizeof data, &row, &present, &unknown), REPRISE_OK);
    assert_int_equal(row.small, 2);
}

static void tagged__text_too_long_for_its_size_is_refused(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    char text[300];
    memset(text, 'x', sizeof text);
    test_tagged row = {.words = {text, sizeof text}};
    rp_tag_map map;
    rp_tag_map_init(&map, &test_tagged_record, 1);
    rp_tagged_write(&b.w, &map, 7, &row, UINT64_C(1) << test_tagged_F_words);
    assert_int_equal(b.f.error.status, REPRISE_E_LOSSY);
    bench_free(&b);
}

/* ---- rotations ---- */

static void rotation__known_bytes(void **state)
{
    (void)state;
    rp_rot identity = rp_rot_packed((rp_quat){0, 0, 0, 1});
    assert_memory_equal(identity.bytes, "\x00\x80\x00\x80\x00\x80\x03", 7);
    rp_rot game = {.size = 7};
    memcpy(game.bytes, "\xFF\x7F\xFF\x7F\xFF\x7F\x03", 7);
    rp_quat q = rp_rot_value(&game);
    assert_true(fabsf(q.x + 1.5259e-5f) < 1e-8f && fabsf(q.w - 1) < 1e-6f);
    rp_rot zero = {0};
    q = rp_rot_value(&zero);
    assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
}

static void rotation__packing_stays_within_half_a_step(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        float v[4], length = 0;
        for (int k = 0; k < 4; k++) {
            v[k] = (float)((int)(random32() % 2001) - 1000) / 1000;
            length += v[k] * v[k];
        }
        if (length < 0.01f)
            continue;
        length = sqrtf(length);
        rp_quat q = {v[0] / length, v[1] / length, v[2] / length, v[3] / length};
        rp_rot packed = rp_rot_packed(q);
        rp_quat back = rp_rot_value(&packed);
        float dot = q.x * back.x + q.y * back.y + q.z * back.z + q.w * back.w;
        float sign = dot < 0 ? -1.0f : 1.0f;
        const float *a = &q.x, *b = &back.x;
        for (int k = 0; k < 4; k++) {
            if (k != packed.bytes[6])
                assert_true(fabsf(a[k] - sign * b[k]) <= 1.6e-5f);
        }
    }
}

/* ---- masked ---- */

static void masked__reads_what_it_wrote(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    test_masked writer = {0}, reader = {0};
    for (int i = 0; i < 1000; i++) {
        test_masked next = writer;
        next.tick = random32() % 4 ? writer.tick + 1 : random32();
        if (random32() & 1)
            random_bytes(&next.place, sizeof next.place);
        if (random32() % 3 == 0)
            next.b = (int32_t)random32();
        uint64_t mask = rp_masked_diff(&test_masked_record, 5, &writer, &next);
        rp_writer_clear(&b.w);
        rp_masked_write(&b.w, &test_masked_record, mask, 5, &next);
        rp_reader r = rp_reader_of(b.w.data, b.w.size, "test", &b.f.error);
        rp_masked_read(&r, &test_masked_record, mask, 5, &reader);
        assert_int_equal(rp_left(&r), 0);
        assert_true(same(&test_masked_record, &next, &reader, UINT64_MAX));
        writer = next;
    }
    bench_free(&b);
}

static void masked__a_predicted_value_costs_no_bit(void **state)
{
    (void)state;
    test_masked base = {.tick = 41}, next = {.tick = 42};
    assert_int_equal(rp_masked_diff(&test_masked_record, 0, &base, &next), 0);
    next.tick = 43;
    assert_int_equal(rp_masked_diff(&test_masked_record, 0, &base, &next), 1);
}

static void masked__fields_may_share_a_bit(void **state)
{
    (void)state;
    test_masked base = {.tick = 0}, next = {.tick = 1, .b = 7};
    assert_int_equal(rp_masked_diff(&test_masked_record, 0, &base, &next), 1u << 4);
    assert_int_equal(rp_masked_bits(&test_masked_record, 1), 0x43Eu);
}

/* ---- values ---- */

static void value__has_the_json_of_its_row(void **state)
{
    RP_UNUSED(state);
    static const rp_record *const records[] = {&test_node_record, &test_tagged_record,
                                               &test_masked_record};
    static const rp_json_format plain = {0};
    for (size_t i = 0; i < 400; i++) {
        bench b;
        bench_init(&b);
        const rp_record *record = records[i % RP_COUNT(records)];
        void *row = rp_arena_alloc(&b.arena, record->size, &b.f.error);
        random_record(&b.arena, record, row, 0);
        rp_record_json(&b.w, record, row);
        rp_writer copy;
        rp_writer_init(&copy, &b.f.context, SIZE_MAX / 2, &b.f.error);
        rp_doc doc = {.arena = &b.arena, .error = &b.f.error};
        rp_json_write(&copy, rp_record_value(&doc, record, row), &plain);
        assert_int_equal(copy.size, b.w.size);
        assert_memory_equal(copy.data, b.w.data, copy.size);
        rp_writer_free(&copy);
        bench_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bincode__reads_what_it_wrote),
        cmocka_unit_test(bincode__every_prefix_is_refused),
        cmocka_unit_test(bincode__values_must_be_canonical),
        cmocka_unit_test(bincode__counts_must_fit_the_remaining_bytes),
        cmocka_unit_test(bincode__map_keys_must_increase),
        cmocka_unit_test(bincode__depth_is_limited),
        cmocka_unit_test(tagged__reads_what_it_wrote),
        cmocka_unit_test(tagged__sizes_follow_the_rules),
        cmocka_unit_test(tagged__unknown_ids_are_counted_and_skipped),
        cmocka_unit_test(tagged__later_duplicates_win),
        cmocka_unit_test(tagged__text_too_long_for_its_size_is_refused),
        cmocka_unit_test(rotation__known_bytes),
        cmocka_unit_test(rotation__packing_stays_within_half_a_step),
        cmocka_unit_test(masked__reads_what_it_wrote),
        cmocka_unit_test(masked__a_predicted_value_costs_no_bit),
        cmocka_unit_test(masked__fields_may_share_a_bit),
        cmocka_unit_test(value__has_the_json_of_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
