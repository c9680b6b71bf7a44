/* fuzz_ic_keyframes.c - full snapshots and deltas: the first byte chooses which. */
#include "fuzz_ironcurtain.h"
#include "skirmish/game.h"

static void fuzz_state(bench *b, const uint8_t *data, size_t size)
{
    ic_snapshot snapshot;
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    if (!ic_snapshot_read(&r, &b->arena, &snapshot))
        return;
    rp_bincode_write(&b->w, &ic_snapshot_record, &snapshot);
    same_bytes(b, data, size);
    ic_hasher hasher;
    uint8_t hash[IC_HASH_SIZE];
    ic_core_delta delta;
    ic_core again;
    must(ic_hasher_init(&hasher, &b->context, &b->error) == REPRISE_OK);
    must(ic_state_hash(&hasher, &snapshot.core, hash, &b->error) == REPRISE_OK);
    must(ic_delta_build(&snapshot.core, hash, &snapshot.core, &b->arena, &delta, &b->error) ==
         REPRISE_OK);
    must(delta.changed_entities.count == 1 && !delta.changed_players.count);
    must(ic_delta_apply(&snapshot.core, hash, &delta, &b->arena, &again, &b->error) == REPRISE_OK);
    skirmish_game *game = NULL;
    must(skirmish_game_new(&b->context, &snapshot.core, &game, &b->error) == REPRISE_OK);
    for (int i = 0; i < 3; i++)
        must(skirmish_game_apply(game, NULL, 0, &b->error) == REPRISE_OK);
    must(skirmish_game_core(game, &b->arena, &again, &b->error) == REPRISE_OK);
    skirmish_game_free(game);
    ic_hasher_free(&hasher);
}

/* A delta against a small state that is always the same. */
static void fuzz_delta(bench *b, const uint8_t *data, size_t size)
{
    static const ic_text names[] = {{"infantry", 8}, {"e1", 2}};
    static const char components[] = "\0\0\0\0\1\0\0\0\0\0\0\0"
                                     "\0\4\0\0\0\4\0\0\0\0\0\0"
                                     "\5\0\0\0\5\0\0";
    ic_entity entity = {{0, 1}, 7, {components, sizeof components}};
    ic_player player = {0};
    ic_core base = {.rng_state = {{1, 2, 3, 4}},
                    .intern_table = {{(void *)(uintptr_t)names, RP_COUNT(names)}},
                    .entities = {&entity, 1},
                    .player_states = {&player, 1},
                    .map_state = {.width = 8, .height = 8}};
    must(ic_core_check(&base, &b->arena, &b->error) == REPRISE_OK);
    ic_delta delta;
    ic_core core;
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    if (!ic_delta_read(&r, &b->arena, &delta))
        return;
    rp_bincode_write(&b->w, &ic_delta_record, &delta);
    same_bytes(b, data, size);
    uint8_t hash[IC_HASH_SIZE];
    memcpy(hash, delta.core.baseline_hash, sizeof hash);
    base.tick = delta.core.baseline_tick;
    if (ic_delta_apply(&base, hash, &delta.core, &b->arena, &core, &b->error) == REPRISE_OK)
        must(ic_core_check(&core, &b->arena, &b->error) == REPRISE_OK);
}

static void fuzz_keyframe(bench *b, const uint8_t *data, size_t size)
{
    if (size && data[0] == 0)
        fuzz_state(b, data + 1, size - 1);
    else if (size)
        fuzz_delta(b, data + 1, size - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_keyframe, data, size);
}
