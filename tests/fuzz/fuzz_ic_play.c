/*
 * fuzz_ic_play.c - plays hostile orders with the built-in game: the match always reaches its end,
 * and seeking gives the same states as playing.
 */
#include "fuzz_ironcurtain.h"

#include "reprise/ironcurtain/live.h"

enum { ORDERS_PER_TICK = 5, TICKS_MAX = 400 };

/* The state of tick 0 as a record. */
static void put_start(bench *b, rp_lz4_level level)
{
    reprise_ic_skirmish *game = NULL;
    ic_snapshot start;
    rp_writer raw;
    rp_writer_init(&raw, &b->context, IC_UNIT_MAX, &b->writing);
    must(reprise_ic_skirmish_new(NULL, &game, &b->error) == REPRISE_OK);
    must(reprise_ic_skirmish_start(game, 7, 3, 6, &b->error) == REPRISE_OK);
    const reprise_ic_simulation *calls = reprise_ic_skirmish_simulation(game);
    must(calls->snapshot(calls->ctx, &start, &b->error) == REPRISE_OK);
    rp_bincode_write(&raw, &ic_snapshot_record, &start);
    ic_put_record(&b->w, "ICKF", 1, 0, 1, raw.data, raw.size, level);
    rp_writer_free(&raw);
    reprise_ic_skirmish_free(game);
}

/* Orders from the input, a few to a tick, as blocks; the last ticks have none. */
static uint64_t put_frames(bench *b, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    rp_writer block;
    rp_writer_init(&block, &b->context, IC_UNIT_MAX, &b->writing);
    uint64_t tick = 0;
    uint32_t frames = 0;
    for (bool more = true; more && tick < TICKS_MAX; tick++) {
        ic_order orders[ORDERS_PER_TICK] = {0};
        ic_frame frame = {.tick = tick, .orders = {orders, 0}};
        while (frame.orders.count < ORDERS_PER_TICK && rp_ok(&r) && rp_left(&r)) {
            size_t before = rp_left(&r);
            rp_bincode_read(&r, &b->arena, &ic_order_record, &orders[frame.orders.count]);
            /* Longer orders are refused. */
            frame.orders.count += rp_ok(&r) && before - rp_left(&r) <= IC_ORDER_BYTES_MAX;
        }
        more = rp_ok(&r) && rp_left(&r);
        rp_bincode_write(&block, &ic_frame_record, &frame);
        if (++frames == IC_BLOCK_TICKS || !more || tick + 1 == TICKS_MAX) {
            uint64_t first = tick & ~(uint64_t)(IC_BLOCK_TICKS - 1);
            ic_put_record(&b->w, "ICOB", 0, first, frames, block.data, block.size, RP_LZ4_FASTEST);
            rp_writer_clear(&block);
            frames = 0;
        }
    }
    rp_writer_free(&block);
    rp_error_clear(&b->error);
    return tick;
}

static uint64_t hash_at(bench *b, reprise_ic_playback *player, uint64_t tick)
{
    ic_hasher hasher;
    reprise_ic_snapshot snapshot;
    uint8_t hash[IC_HASH_SIZE];
    must(reprise_ic_playback_seek(player, tick, &b->error) == REPRISE_OK);
    must(reprise_ic_playback_state(player, &snapshot, &b->error) == REPRISE_OK);
    must(snapshot.core.tick == tick);
    must(ic_hasher_init(&hasher, &b->context, &b->error) == REPRISE_OK);
    must(ic_state_hash(&hasher, &snapshot.core, hash, &b->error) == REPRISE_OK);
    ic_hasher_free(&hasher);
    return ic_sync_hash(hash);
}

static void play(bench *b, reprise_replay *replay, uint64_t ticks)
{
    reprise_ic_playback *player = NULL;
    const reprise_ic_frame *frame = NULL;
    reprise_ic_snapshot snapshot;
    uint8_t hash[IC_HASH_SIZE];
    ic_hasher hasher;
    must(reprise_ic_playback_new(replay, NULL, &player, &b->error) == REPRISE_OK);
    must(reprise_ic_playback_length(player) == ticks && reprise_ic_playback_has_state(player));
    reprise_status status;
    while ((status = reprise_ic_playback_poll(player, &frame, &b->error)) == REPRISE_OK)
        must(frame->tick < ticks);
    must(status == REPRISE_END);
    must(reprise_ic_playback_state(player, &snapshot, &b->error) == REPRISE_OK);
    must(ic_core_check(&snapshot.core, &b->arena, &b->error) == REPRISE_OK);
    must(ic_hasher_init(&hasher, &b->context, &b->error) == REPRISE_OK);
    must(ic_state_hash(&hasher, &snapshot.core, hash, &b->error) == REPRISE_OK);
    ic_hasher_free(&hasher);
    uint64_t middle = hash_at(b, player, ticks / 2);
    must(hash_at(b, player, ticks) == ic_sync_hash(hash));
    must(hash_at(b, player, ticks / 2) == middle);
    reprise_ic_playback_free(player);
}

static void fuzz_play(bench *b, const uint8_t *data, size_t size)
{
    static const char metadata[] =
        "{\"game_module\": \"skirmish\", \"game_speed\": \"slower\", "
        "\"data_version\": \"sha256:"
        "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc\"}";
    put_head(b, (ic_replay_header){.orders_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1},
             metadata);
    put_start(b, RP_LZ4_FASTEST);
    uint64_t ticks = put_frames(b, data, size);
    reprise_replay *replay = NULL;
    must(b->writing.status == REPRISE_OK);
    must(reprise_open_memory(b->w.data, b->w.size, NULL, &replay, &b->error) == REPRISE_OK);
    play(b, replay, ticks);
    reprise_close(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_play, data, size);
}
