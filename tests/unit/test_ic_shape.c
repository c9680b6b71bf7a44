/*
 * test_ic_shape.c - the fast check of entities against the slow one. An entity with an Extension is
 * never usual, and the other rules are the same for it: both must come to the same verdict.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ironcurtain/shape.h"

enum { NAMES = 3, EXTENSION_BYTES = 8 };

static const uint64_t extension = UINT64_C(1) << 63;

typedef struct bench {
    rp_context context;
    rp_arena arena;
    ic_core core;
    ic_entity entity;
    ic_text names[NAMES];
    ic_player players[2];
} bench;

static void bench_init(bench *b)
{
    static const char *const names[NAMES] = {"infantry", "e1", "m60mg"};
    reprise_options options;
    reprise_options_init(&options);
    *b = (bench){.players = {{.player = 0}, {.player = 5}}};
    rp_context_init(&b->context, &options);
    rp_arena_init(&b->arena, &b->context);
    for (size_t i = 0; i < NAMES; i++)
        b->names[i].value = (rp_text){names[i], strlen(names[i])};
    b->core = (ic_core){.rng_state = {{1, 2, 3, 4}},
                        .intern_table = {{b->names, NAMES}},
                        .entities = {&b->entity, 1},
                        .player_states = {b->players, 2},
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

/* A sound entity of that mask, with a target or without, with a queue or an empty one. */
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
    /* Neither everything nor nothing is sound, or this would show little. */
    assert_true(accepted > tried / 50 && accepted < tried);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_07__usual_entities_are_checked_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
