/*
 * test_ic_entity_fastcheck.c - the fast check of entities gives the same results as the slow one.
 * An entity with an Extension always takes the slow path, and the other rules are the same for it.
 * An entity that is hashed in pieces has the same hash as in one piece. Numbers in test names are
 * items of the checklist in docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ironcurtain/wire/entity_fastcheck.h"

enum { NAMES = 3, EXTENSION_BYTES = 8 };

static const uint64_t extension = UINT64_C(1) << 63;

typedef struct bench {
    rp_context context;
    rp_arena arena;
    ic_core core;
    ic_entity entity;
    ic_text names[NAMES];
    ic_player players[3];
} bench;

static void bench_init(bench *b)
{
    static const char *const names[NAMES] = {"infantry", "e1", "m60mg"};
    *b = (bench){.players = {{.player = 0}, {.player = 5}, {.player = 0x7F}}};
    rp_context_init(&b->context, NULL);
    rp_arena_init(&b->arena, &b->context);
    for (size_t i = 0; i < NAMES; i++)
        b->names[i] = (rp_text){names[i], strlen(names[i])};
    b->core = (ic_core){.rng_state = {{1, 2, 3, 4}},
                        .intern_table = {{b->names, NAMES}},
                        .entities = {&b->entity, 1},
                        .player_states = {b->players, 3},
                        .map_state = {.width = 8, .height = 8}};
}

static bool accepts(bench *b, uint64_t mask, const uint8_t *bytes, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    b->entity = (ic_entity){{0, 1}, mask, {(const char *)bytes, size}};
    reprise_status status = ic_core_check(&b->core, &b->arena, &error);
    rp_arena_reset(&b->arena);
    return status == REPRISE_OK;
}

static void agree(bench *b, uint64_t mask, uint8_t *bytes, size_t size, size_t *accepted)
{
    bool fast = accepts(b, mask, bytes, size);
    memset(bytes + size, 0, EXTENSION_BYTES);
    bool slow = accepts(b, mask | extension, bytes, size + EXTENSION_BYTES);
    if (fast != slow)
        fail_msg("mask 0x%llx, %zu bytes: %d, but %d by the readers", (unsigned long long)mask,
                 size, fast, slow);
    *accepted += fast;
}

/* A valid entity with that mask, with or without a target, with a queue or an empty one. */
static size_t make(bench *b, uint64_t mask, bool target, bool queued, uint8_t *bytes)
{
    static ic_pos goal = {7, 8, 0};
    static ic_queue_item item = {.actor_type = 2};
    reprise_error error = REPRISE_ERROR_INIT;
    ic_components c = {.mask = mask};
    c.identity = (ic_identity){0, 1, 5};
    c.position.pos = (ic_pos){-32768, 5000, 1};
    c.health = (ic_health){-5, 10};
    c.mobile.locomotor = 4;
    c.navigation.target = target ? &goal : NULL;
    c.attackable.armor = 5;
    c.armament.weapon = 2;
    c.build_queue = (ic_build_queue){{&item, queued}, true};
    c.harvester.resource = 1;
    c.veterancy.level = 3;
    rp_text text = ic_components_write(&b->arena, &c, &error);
    assert_int_equal(error.status, REPRISE_OK);
    memcpy(bytes, text.data, text.size);
    return text.size;
}

static void checklist_07__usual_entities_are_checked_like_any_other(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 2, 3, 4, 5, 6, 0x7F, 0x80, 0xFF};
    bench b;
    size_t accepted = 0, tried = 0;
    bench_init(&b);
    for (uint64_t i = 0; i < 1 << 14; i++) {
        uint64_t mask = i >> 2; /* bit 11 is reserved */
        uint8_t bytes[256];
        size_t size = make(&b, mask & 0x7FF, i & 1, i & 2, bytes);
        agree(&b, mask, bytes, size, &accepted);
        if (size)
            agree(&b, mask, bytes, size - 1, &accepted);
        bool closely = (mask & 7) == 7 && mask % 5 == 0;
        for (size_t at = 0; at < size && closely; at++) {
            uint8_t was = bytes[at];
            for (size_t k = 0; k < sizeof values; k++, tried++) {
                bytes[at] = values[k];
                agree(&b, mask, bytes, size, &accepted);
            }
            bytes[at] = was;
        }
    }
    /* Some entities are valid and some are not, or the test would prove little. */
    assert_true(accepted > tried / 50 && accepted < tried);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* Entities with sizes from small to more than a piece, archetypes in turn. */
static void fill_entities(bench *b, ic_entity *entities, size_t count)
{
    static char data[4096];
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < count; i++) {
        ic_components c = {.mask = i % 5 ? 0x47F : 0x7, .identity = {(uint32_t)(i % NAMES), 1, 5}};
        c.health = (ic_health){1, 2};
        c.navigation.target = i % 2 ? &(ic_pos){1, 2, 3} : NULL;
        c.veterancy.xp = (uint32_t)i;
        if (i % 7 == 0) {
            c.mask |= extension;
            c.extension.data = (rp_text){data, i * 37 % sizeof data};
        }
        rp_text bytes = ic_components_write(&b->arena, &c, &error);
        entities[i] = (ic_entity){{(uint16_t)i, 3}, c.mask, bytes};
    }
    assert_int_equal(error.status, REPRISE_OK);
}

/* Compares each leaf, hashed in pieces, with the digest of its bytes. */
static void check_leaves(ic_hasher *hasher, const ic_core *core, const ic_leaf *leaves,
                         size_t count, reprise_error *error)
{
    for (size_t i = 0; i < count; i++) {
        rp_text data;
        uint8_t digest[IC_HASH_SIZE];
        assert_int_equal(ic_leaf_data(hasher, core, i, &data, error), REPRISE_OK);
        ic_digest(hasher, hasher->leaf.data, hasher->leaf.size, digest);
        assert_memory_equal(digest, leaves[i].hash, sizeof digest);
    }
}

static void checklist_08__pieces_of_entities_give_the_hash_of_the_whole(void **state)
{
    (void)state;
    enum { ENTITIES = 300, LEAVES = NAMES + 5 };
    bench b;
    ic_hasher hasher;
    rp_writer w;
    ic_entity entities[ENTITIES];
    ic_leaf leaves[LEAVES];
    ic_snapshot read;
    ic_archetypes groups;
    uint8_t hash[IC_HASH_SIZE], grouped[IC_HASH_SIZE];
    reprise_error error = REPRISE_ERROR_INIT;
    bench_init(&b);
    fill_entities(&b, entities, ENTITIES);
    b.core.entities = (reprise_ic_entity_list){entities, ENTITIES};
    assert_int_equal(ic_hasher_init(&hasher, &b.context, &error), REPRISE_OK);
    assert_int_equal(ic_state_hash(&hasher, &b.core, hash, &error), REPRISE_OK);
    assert_int_equal(hasher.leaf_count, LEAVES);
    memcpy(leaves, hasher.leaves, sizeof leaves);
    check_leaves(&hasher, &b.core, leaves, LEAVES, &error);
    rp_writer_init(&w, &b.context, 1 << 20, &error);
    rp_bincode_write(&w, &ic_snapshot_record, &(ic_snapshot){.core = b.core});
    rp_reader r = rp_reader_of(w.data, w.size, "snapshot", &error);
    assert_true(ic_snapshot_read_grouped(&r, &b.arena, &read, &groups));
    assert_int_equal(ic_state_hash_grouped(&hasher, &read.core, &groups, grouped, &error),
                     REPRISE_OK);
    assert_memory_equal(grouped, hash, sizeof hash);
    rp_writer_free(&w);
    ic_hasher_free(&hasher);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* A state with a given count at some offset, followed by zeros. */
static void refuse_count(bench *b, size_t at, uint64_t count, size_t item)
{
    rp_writer w;
    ic_snapshot read;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer_init(&w, &b->context, 1 << 21, &error);
    rp_bincode_write(&w, &ic_snapshot_record, &(ic_snapshot){.core = b->core});
    assert_non_null(rp_put_raw(&w, (size_t)count * item));
    memset(w.data + at + 8, 0, w.size - at - 8);
    rp_store64(w.data + at, count);
    size_t before = b->context.bytes_live;
    rp_reader r = rp_reader_of(w.data, w.size, "snapshot", &error);
    assert_false(ic_snapshot_read(&r, &b->arena, &read));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_non_null(strstr(error.message, "at most"));
    assert_true(b->context.bytes_live - before <= 8192);
    rp_writer_free(&w);
}

/* Excessive counts are refused before a list is allocated. */
static void checklist_04__too_many_items_take_no_memory(void **state)
{
    (void)state;
    enum { STRINGS_AT = 80, SMALLEST_STRING = 8, SMALLEST_ENTITY = 20, SMALLEST_PLAYER = 39 };
    bench b;
    bench_init(&b);
    b.core.entities.count = 0;
    size_t entities_at = STRINGS_AT + 8;
    for (size_t i = 0; i < NAMES; i++)
        entities_at += SMALLEST_STRING + b.names[i].size;
    refuse_count(&b, STRINGS_AT, IC_STRINGS_MAX + 1, SMALLEST_STRING);
    refuse_count(&b, entities_at, IC_ENTITIES_MAX + 1, SMALLEST_ENTITY);
    refuse_count(&b, entities_at + 8, IC_PLAYERS_MAX + 1, SMALLEST_PLAYER);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* ---- the order of entities ---- */

/* What the rule says about entities with these indexes, in words of its own. */
static const char *order_problem(const uint16_t *indexes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (indexes[i] == 0xFFFF)
            return "is reserved";
        if (i && indexes[i] == indexes[i - 1])
            return "duplicate entity";
        if (i && indexes[i] < indexes[i - 1])
            return "do not ascend";
    }
    return NULL;
}

/* Every order of a few indexes, with fast and slow entities at every place. */
static void checklist_07__entities_ascend_and_none_is_the_world(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    static const uint16_t values[] = {0, 1, 7, 0xFFFE, 0xFFFF};
    uint8_t bytes[256];
    size_t accepted = 0, orders = RP_COUNT(values) * RP_COUNT(values) * RP_COUNT(values);
    bench b;
    bench_init(&b);
    size_t size = make(&b, 7, false, false, bytes);
    memset(bytes + size, 0, EXTENSION_BYTES);
    for (size_t n = 0; n < orders << COUNT; n++) {
        ic_entity entities[COUNT];
        uint16_t indexes[COUNT];
        size_t left = n >> COUNT;
        for (size_t i = 0; i < COUNT; i++, left /= RP_COUNT(values)) {
            bool slow = n >> i & 1;
            indexes[i] = values[left % RP_COUNT(values)];
            entities[i] = (ic_entity){{indexes[i], 1},
                                      slow ? 7 | extension : 7,
                                      {(const char *)bytes, slow ? size + EXTENSION_BYTES : size}};
        }
        reprise_error error = REPRISE_ERROR_INIT;
        const char *problem = order_problem(indexes, COUNT);
        b.core.entities = (reprise_ic_entity_list){entities, COUNT};
        reprise_status status = ic_core_check(&b.core, &b.arena, &error);
        rp_arena_reset(&b.arena);
        if (status != (problem ? REPRISE_E_CORRUPT : REPRISE_OK) ||
            (problem && !strstr(error.message, problem)))
            fail_msg("%u %u %u: '%s' instead of '%s'", indexes[0], indexes[1], indexes[2],
                     error.message, problem ? problem : "");
        accepted += !problem;
    }
    assert_int_equal(accepted, 4 << COUNT); /* 3 of the 4 that are not the world */
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* ---- limits, to the last value ---- */

static bool core_fits(bench *b)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = ic_core_check(&b->core, &b->arena, &error);
    rp_arena_reset(&b->arena);
    return status == REPRISE_OK;
}

static void checklist_07__maps_and_players_end_at_their_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t side;
        bool fits;
    } sides[] = {{0, false}, {1, true}, {4096, true}, {4097, false}, {UINT32_MAX, false}};
    bench b;
    bench_init(&b);
    b.core.entities.count = 0;
    for (size_t i = 0; i < RP_COUNT(sides); i++) {
        b.core.map_state = (ic_map){.width = sides[i].side, .height = 8};
        assert_int_equal(core_fits(&b), sides[i].fits);
        b.core.map_state = (ic_map){.width = 8, .height = sides[i].side};
        assert_int_equal(core_fits(&b), sides[i].fits);
    }
    b.core.map_state = (ic_map){.width = 8, .height = 8};
    ic_player many[IC_PLAYERS_MAX + 1] = {{0}};
    for (uint32_t i = 0; i <= IC_PLAYERS_MAX; i++)
        many[i].player = 3 * i;
    b.core.player_states = (reprise_ic_player_list){many, IC_PLAYERS_MAX};
    assert_true(core_fits(&b));
    b.core.player_states.count++;
    assert_false(core_fits(&b));
    b.core.player_states.count = 2;
    many[1].player = 0; /* twice */
    assert_false(core_fits(&b));
    many[1].player = 1;
    ic_u32 tech[] = {0, NAMES - 1};
    many[1].tech = (reprise_ic_u32_list){tech, 2};
    many[1].faction = NAMES - 1;
    assert_true(core_fits(&b));
    tech[1] = NAMES;
    assert_false(core_fits(&b));
    tech[1] = 0;
    many[1].faction = NAMES;
    assert_false(core_fits(&b));
    rp_arena_free(&b.arena);
}

static void checklist_07__cells_end_at_their_limits(void **state)
{
    (void)state;
    enum { WIDTH = 5, HEIGHT = 9 };
    static ic_u32 last = NAMES - 1, none = NAMES;
    static const struct {
        ic_map_cell cells[2];
        bool fits;
    } pairs[] = {
        {{{{0, 0, 0}, {0, NULL, 0}}, {{1, 0, 0}, {0, NULL, 0}}}, true},
        {{{{WIDTH - 1, 0, 0}, {0, NULL, 0}}, {{0, HEIGHT - 1, 0}, {0, NULL, 0}}}, true},
        {{{{0, 0, -1}, {0, NULL, 0}}, {{0, 0, 0}, {0, NULL, 0}}}, true},
        {{{{0, 0, 0}, {NAMES - 1, &last, 0}}, {{0, 1, 0}, {0, &last, 0}}}, true},
        {{{{0, 0, 0}, {0, NULL, 0}}, {{0, 0, 0}, {0, NULL, 0}}}, false},
        {{{{1, 0, 0}, {0, NULL, 0}}, {{0, 0, 0}, {0, NULL, 0}}}, false},
        {{{{0, 1, 0}, {0, NULL, 0}}, {{1, 0, 0}, {0, NULL, 0}}}, false},
        {{{{1, 1, 1}, {0, NULL, 0}}, {{2, 2, 0}, {0, NULL, 0}}}, false},
        {{{{0, 0, 0}, {0, NULL, 0}}, {{WIDTH, 0, 0}, {0, NULL, 0}}}, false},
        {{{{0, 0, 0}, {0, NULL, 0}}, {{0, HEIGHT, 0}, {0, NULL, 0}}}, false},
        {{{{-1, 0, 0}, {0, NULL, 0}}, {{0, 0, 0}, {0, NULL, 0}}}, false},
        {{{{0, -1, 0}, {0, NULL, 0}}, {{0, 0, 0}, {0, NULL, 0}}}, false},
        {{{{0, 0, 0}, {NAMES, NULL, 0}}, {{1, 0, 0}, {0, NULL, 0}}}, false},
        {{{{0, 0, 0}, {0, NULL, 0}}, {{1, 0, 0}, {0, &none, 0}}}, false},
    };
    bench b;
    bench_init(&b);
    b.core.entities.count = 0;
    for (size_t i = 0; i < RP_COUNT(pairs); i++) {
        ic_map_cell cells[2];
        memcpy(cells, pairs[i].cells, sizeof cells);
        b.core.map_state = (ic_map){WIDTH, HEIGHT, {cells, 2}};
        if (core_fits(&b) != pairs[i].fits)
            fail_msg("pair %zu of cells", i);
    }
    rp_arena_free(&b.arena);
}

/* On both paths: with an extension an entity takes the slow one. */
static bool entity_fits(bench *b, ic_components c, uint16_t index)
{
    bool fits[2];
    for (size_t i = 0; i < 2; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        c.mask |= i ? extension : 0;
        rp_text bytes = ic_components_write(&b->arena, &c, &error);
        assert_int_equal(error.status, REPRISE_OK);
        b->entity = (ic_entity){{index, 1}, c.mask, bytes};
        fits[i] = core_fits(b);
    }
    assert_int_equal(fits[0], fits[1]);
    return fits[0];
}

static void checklist_07__entities_end_at_their_limits(void **state)
{
    (void)state;
    enum { EAST = 8 * 1024 + IC_MAP_MARGIN, SOUTH = 3 * 1024 + IC_MAP_MARGIN };
    static const ic_pos inside[] = {{-IC_MAP_MARGIN, -IC_MAP_MARGIN, -IC_MAP_HEIGHT_MAX},
                                    {EAST - 1, SOUTH - 1, IC_MAP_HEIGHT_MAX}};
    static const ic_pos outside[] = {{-IC_MAP_MARGIN - 1, 0, 0},    {EAST, 0, 0},
                                     {0, -IC_MAP_MARGIN - 1, 0},    {0, SOUTH, 0},
                                     {0, 0, IC_MAP_HEIGHT_MAX + 1}, {0, 0, -IC_MAP_HEIGHT_MAX - 1}};
    bench b;
    bench_init(&b);
    b.core.map_state = (ic_map){.width = 8, .height = 3};
    ic_components usual = {.mask = 7, .identity = {0, NAMES - 1, 5}, .health = {10, 10}}, c = usual;
    assert_true(entity_fits(&b, c, 0));
    assert_true(entity_fits(&b, c, IC_WORLD_INDEX - 1));
    assert_false(entity_fits(&b, c, IC_WORLD_INDEX));
    for (size_t i = 0; i < RP_COUNT(inside); i++, c = usual) {
        c.position.pos = inside[i];
        assert_true(entity_fits(&b, c, 0));
    }
    for (size_t i = 0; i < RP_COUNT(outside); i++, c = usual) {
        c.position.pos = outside[i];
        if (entity_fits(&b, c, 0))
            fail_msg("place %zu is outside", i);
    }
    static const ic_health healths[] = {{11, 10}, {0, 0}, {-1, -1}, {1, 0}};
    for (size_t i = 0; i < RP_COUNT(healths); i++, c = usual) {
        c.health = healths[i];
        assert_false(entity_fits(&b, c, 0));
    }
    static const ic_identity strangers[] = {{NAMES, 0, 5}, {0, NAMES, 5}, {0, 0, 4}, {0, 0, 6}};
    for (size_t i = 0; i < RP_COUNT(strangers); i++, c = usual) {
        c.identity = strangers[i];
        assert_false(entity_fits(&b, c, 0));
    }
    rp_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_07__maps_and_players_end_at_their_limits),
        cmocka_unit_test(checklist_07__cells_end_at_their_limits),
        cmocka_unit_test(checklist_07__entities_end_at_their_limits),
        cmocka_unit_test(checklist_04__too_many_items_take_no_memory),
        cmocka_unit_test(checklist_07__usual_entities_are_checked_like_any_other),
        cmocka_unit_test(checklist_07__entities_ascend_and_none_is_the_world),
        cmocka_unit_test(checklist_08__pieces_of_entities_give_the_hash_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
