/*
 * test_ic_embed.c - embedding maps and rules in finalised replays and removing them, with
 * everything else unchanged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "handle.h"
#include "ironcurtain/edit/write.h"

#include "icdata.h"
#include "reprise/write.h"

/* The embedded resources of a replay, unpacked. */
typedef struct brought {
    bytes file;
    reprise_replay *replay;
    rp_arena arena;
    ic_embedded embedded;
    rp_writer map;
} brought;

static reprise_error quiet = REPRISE_ERROR_INIT;

static void open_brought(brought *b, bytes file)
{
    reprise_error error = REPRISE_ERROR_INIT;
    *b = (brought){.file = file};
    b->replay = open_bytes(&b->file, false);
    ic_replay *replay = (ic_replay *)b->replay->replay;
    rp_arena_init(&b->arena, replay->base.context);
    rp_writer_init(&b->map, replay->base.context, IC_MAP_MAX, &quiet);
    expect_ok(ic_embedded_load(replay, &b->arena, &b->embedded, &error), &error, "embedded");
    if (b->embedded.map_data)
        expect_ok(ic_embedded_unpack(replay, b->embedded.map_data, IC_MAP_MAX, &b->map, &error),
                  &error, "map");
}

static void close_brought(brought *b)
{
    rp_writer_free(&b->map);
    rp_arena_free(&b->arena);
    reprise_close(b->replay);
    bytes_free(&b->file);
}

static const char *mode_of(const brought *b)
{
    return ic_embedded_mode(&b->embedded);
}

static reprise_status embed(const brought *from, reprise_ic_embedding_mode mode,
                            const reprise_ic_embedding *with, bytes *to)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_sink sink = {.ctx = to, .write = bytes_write};
    const reprise_value *report = NULL;
    options.sink = &sink;
    return reprise_ic_embed(from->replay, mode, with, &options, &report, &error);
}

/* All sections before the embedded one, which is the last. */
static void assert_rest_is_the_same(const brought *a, const brought *b)
{
    const ic_replay *x = (const ic_replay *)a->replay->replay;
    const ic_replay *y = (const ic_replay *)b->replay->replay;
    for (size_t i = 0; i < IC_EMBEDDED; i++) {
        const ic_section *p = &x->sections[i], *q = &y->sections[i];
        assert_int_equal(p->present, q->present);
        if (!p->present)
            continue;
        assert_int_equal(p->size, q->size);
        assert_memory_equal(a->file.data + p->offset, b->file.data + q->offset, p->size);
    }
    assert_memory_equal(x->header.final_state_hash, y->header.final_state_hash, IC_HASH_SIZE);
    assert_int_equal(x->header.flags, y->header.flags);
}

static const char *const samples[] = {"self-contained.icrep", "full.icrep", "map-embedded.icrep"};

static void embed__minimal_takes_everything_out_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < RP_COUNT(samples); i++) {
        brought whole, bare;
        bytes out = {0};
        open_brought(&whole, ic_load(samples[i]));
        assert_int_equal(embed(&whole, REPRISE_IC_MINIMAL, NULL, &out), REPRISE_OK);
        assert_int_equal(ic_faults(&out), 0);
        open_brought(&bare, out);
        assert_string_equal(mode_of(&bare), "Minimal");
        assert_rest_is_the_same(&whole, &bare);
        close_brought(&bare);
        close_brought(&whole);
    }
}

static void assert_same_rules(const brought *a, const brought *b)
{
    const ic_manifest *x = a->embedded.mod_manifest, *y = b->embedded.mod_manifest;
    assert_int_equal(x->rules.count, y->rules.count);
    for (size_t i = 0; i < x->rules.count; i++) {
        const ic_rule *p = (const ic_rule *)x->rules.items + i;
        const ic_rule *q = (const ic_rule *)y->rules.items + i;
        assert_int_equal(p->yaml.size, q->yaml.size);
        if (p->yaml.size)
            assert_memory_equal(p->yaml.data, q->yaml.data, p->yaml.size);
    }
}

static void embed__what_was_taken_out_can_be_put_back(void **state)
{
    (void)state;
    brought whole, bare, again;
    bytes out = {0}, back = {0};
    open_brought(&whole, ic_load("self-contained.icrep"));
    assert_int_equal(embed(&whole, REPRISE_IC_MINIMAL, NULL, &out), REPRISE_OK);
    open_brought(&bare, out);
    reprise_ic_embedding with = {.struct_size = sizeof with,
                                 .map = whole.map.data,
                                 .map_size = whole.map.size,
                                 .manifest = whole.embedded.mod_manifest};
    assert_int_equal(embed(&bare, REPRISE_IC_SELF_CONTAINED, &with, &back), REPRISE_OK);
    assert_int_equal(ic_faults(&back), 0);
    open_brought(&again, back);
    assert_string_equal(mode_of(&again), "SelfContained");
    assert_rest_is_the_same(&whole, &again);
    assert_same_rules(&whole, &again);
    assert_int_equal(again.map.size, whole.map.size);
    assert_memory_equal(again.map.data, whole.map.data, whole.map.size);
    close_brought(&again);
    close_brought(&bare);
    close_brought(&whole);
}

static void embed__the_map_alone_leaves_rules_out(void **state)
{
    (void)state;
    brought whole, map;
    bytes out = {0};
    open_brought(&whole, ic_load("self-contained.icrep"));
    assert_int_equal(embed(&whole, REPRISE_IC_MAP_EMBEDDED, NULL, &out), REPRISE_OK);
    open_brought(&map, out);
    assert_string_equal(mode_of(&map), "MapEmbedded");
    assert_non_null(map.embedded.initial_state);
    assert_rest_is_the_same(&whole, &map);
    close_brought(&map);
    close_brought(&whole);
}

static void embed__other_maps_and_rules_are_refused(void **state)
{
    (void)state;
    brought whole, bare;
    bytes out = {0}, none = {0};
    open_brought(&whole, ic_load("self-contained.icrep"));
    assert_int_equal(embed(&whole, REPRISE_IC_MINIMAL, NULL, &out), REPRISE_OK);
    open_brought(&bare, out);
    ic_manifest fewer = *(const ic_manifest *)whole.embedded.mod_manifest;
    fewer.rules.count--;
    reprise_ic_embedding with = {.struct_size = sizeof with, .map = "other", .map_size = 5};
    assert_int_equal(embed(&bare, REPRISE_IC_MAP_EMBEDDED, &with, &none), REPRISE_E_CORRUPT);
    assert_int_equal(embed(&bare, REPRISE_IC_MAP_EMBEDDED, NULL, &none), REPRISE_E_USAGE);
    with.map = whole.map.data;
    with.map_size = whole.map.size;
    assert_int_equal(embed(&bare, REPRISE_IC_SELF_CONTAINED, &with, &none), REPRISE_E_USAGE);
    with.manifest = &fewer;
    assert_int_equal(embed(&bare, REPRISE_IC_SELF_CONTAINED, &with, &none), REPRISE_E_USAGE);
    assert_int_equal(none.size, 0);
    close_brought(&bare);
    close_brought(&whole);
}

static void embed__unfinished_recordings_are_refused(void **state)
{
    (void)state;
    brought live;
    bytes none = {0};
    open_brought(&live, ic_load("live-torn.icrep"));
    assert_int_equal(embed(&live, REPRISE_IC_MINIMAL, NULL, &none), REPRISE_E_UNSUPPORTED);
    assert_int_equal(none.size, 0);
    close_brought(&live);
}

/* How often `anonymize` names something that it leaves although nothing proves it harmless. */
static uint64_t unproven(const reprise_value *report, const char *what, bool warns)
{
    const reprise_value *list = reprise_value_get(report, "unproven");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "what"), NULL), what) == 0) {
            assert_int_equal(reprise_value_bool(reprise_value_get(one, "warning"), !warns), warns);
            return reprise_value_uint(reprise_value_get(one, "count"), 0);
        }
    }
    return 0;
}

static void embed__anonymizing_counts_rules_and_those_with_comments(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t rules, comments, maps;
    } wanted[] = {{"self-contained.icrep", 4, 1, 1},
                  {"full.icrep", 2, 0, 1},
                  {"map-embedded.icrep", 0, 0, 1},
                  {"basic.icrep", 0, 0, 0}};
    for (size_t i = 0; i < RP_COUNT(wanted); i++) {
        brought whole;
        bytes out = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_write_options options = REPRISE_WRITE_INIT;
        reprise_sink sink = {.ctx = &out, .write = bytes_write};
        const reprise_value *report = NULL;
        options.sink = &sink;
        open_brought(&whole, ic_load(wanted[i].name));
        expect_ok(reprise_anonymize(whole.replay, REPRISE_PRIVATE_ALL, &options, &report, &error),
                  &error, wanted[i].name);
        assert_int_equal(unproven(report, "embedded rules with comments", true),
                         wanted[i].comments);
        assert_int_equal(unproven(report, "embedded rules", false), wanted[i].rules);
        assert_int_equal(unproven(report, "embedded map", false), wanted[i].maps);
        close_brought(&whole);
        bytes_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embed__minimal_takes_everything_out_and_nothing_else),
        cmocka_unit_test(embed__what_was_taken_out_can_be_put_back),
        cmocka_unit_test(embed__the_map_alone_leaves_rules_out),
        cmocka_unit_test(embed__other_maps_and_rules_are_refused),
        cmocka_unit_test(embed__unfinished_recordings_are_refused),
        cmocka_unit_test(embed__anonymizing_counts_rules_and_those_with_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
