/*
 * fuzz_ironcurtain.c - what lies behind Iron Curtain's checksums and compression. The first byte
 * chooses the kind of piece, the rest is the piece; what decodes must encode to the same bytes, and
 * what is a state must survive hashing, the simulation, and a delta to itself.
 */
#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"
#include "ironcurtain/skirmish.h"
#include "ironcurtain/write.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct bench {
    rp_context context;
    rp_arena arena;
    rp_writer w;
    reprise_error error;
} bench;

static void same_bytes(bench *b, const uint8_t *data, size_t size)
{
    must(b->w.error->status == REPRISE_OK && b->w.size == size &&
         (!size || memcmp(b->w.data, data, size) == 0));
}

static void fuzz_record(bench *b, const rp_record *record, const uint8_t *data, size_t size)
{
    void *row = rp_arena_alloc(&b->arena, record->size, &b->error);
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    rp_bincode_read(&r, &b->arena, record, row);
    if (!rp_ok(&r))
        return;
    rp_bincode_write(&b->w, record, row);
    same_bytes(b, data, size - rp_left(&r));
    rp_writer_clear(&b->w);
    rp_record_json(&b->w, record, row);
}

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
    ic_sim *sim = NULL;
    must(ic_sim_new(&b->context, &snapshot.core, &sim, &b->error) == REPRISE_OK);
    for (int i = 0; i < 3; i++)
        must(ic_sim_apply(sim, NULL, 0, &b->error) == REPRISE_OK);
    must(ic_sim_core(sim, &b->arena, &again, &b->error) == REPRISE_OK);
    ic_sim_free(sim);
    ic_hasher_free(&hasher);
}

/* A delta against a small state that is always the same. */
static void fuzz_delta(bench *b, const uint8_t *data, size_t size)
{
    static const ic_text names[] = {{{"infantry", 8}}, {{"e1", 2}}};
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

static void fuzz_frames(bench *b, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    while (rp_ok(&r) && rp_left(&r)) {
        ic_frame frame;
        size_t before = rp_left(&r);
        ic_frame_read(&r, &b->arena, &frame);
        if (!rp_ok(&r))
            return;
        rp_writer_clear(&b->w);
        rp_bincode_write(&b->w, &ic_frame_record, &frame);
        same_bytes(b, data + (size - before), before - rp_left(&r));
    }
}

static void fuzz_events(bench *b, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    while (rp_ok(&r) && rp_left(&r)) {
        rp_choice event;
        size_t before = rp_left(&r);
        rp_bincode_read_sum(&r, &b->arena, &ic_event, &event);
        if (!rp_ok(&r))
            return;
        rp_writer_clear(&b->w);
        rp_bincode_write_sum(&b->w, &ic_event, &event);
        same_bytes(b, data + (size - before), before - rp_left(&r));
    }
}

/* A live file of records whose checksums are made to fit. */
static void fuzz_live(bench *b, const uint8_t *data, size_t size)
{
    static const char metadata[] = "{\"game_speed\": \"slower\"}";
    ic_replay_header h = {.magic = {'I', 'C', 'R', 'P'},
                          .version = 1,
                          .compression_algorithm = 1,
                          .metadata_offset = IC_REPLAY_HEADER_SIZE,
                          .metadata_length = sizeof metadata - 1,
                          .orders_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1};
    rp_bincode_write(&b->w, &ic_replay_header_record, &h);
    rp_put(&b->w, metadata, sizeof metadata - 1);
    size_t start = b->w.size;
    rp_put(&b->w, data, size);
    for (size_t at = start; b->w.size - at >= IC_RECORD_SIZE;) {
        uint8_t *head = b->w.data + at;
        size_t stored = RP_MIN((size_t)rp_load32(head + 20), b->w.size - at - IC_RECORD_SIZE);
        rp_store32(head + 20, (uint32_t)stored);
        uint32_t crc = rp_crc32(0, head, IC_RECORD_SIZE - 4);
        rp_store32(head + 28, rp_crc32(crc, head + IC_RECORD_SIZE, stored));
        at += IC_RECORD_SIZE + stored;
    }
    (void)exercise_memory(b->w.data, b->w.size, NULL);
}

/* What was said becomes files whatever the packets are. */
static void fuzz_voice(bench *b, const uint8_t *data, size_t size)
{
    ic_voice voice = {0};
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    rp_bincode_read(&r, &b->arena, &ic_voice_record, &voice);
    if (rp_ok(&r))
        ic_voice_check(&r, &voice);
    if (!rp_ok(&r))
        return;
    const ic_voice_track *tracks = voice.tracks.items;
    for (size_t i = 0; i < voice.tracks.count && i < 4; i++) {
        rp_writer_clear(&b->w);
        bool any = ic_voice_ogg(&voice, 1, tracks[i].player, 1 / 15.0, &b->w);
        must(any == (b->w.size > 0));
    }
}

/* An embedded section in a file that has little else: everything in it is listed and read. */
static void fuzz_embedded(bench *b, const uint8_t *data, size_t size)
{
    static const char metadata[] =
        "{\"map_hash\": "
        "\"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}";
    ic_replay_header h = {.magic = {'I', 'C', 'R', 'P'},
                          .version = 1,
                          .compression_algorithm = 1,
                          .metadata_offset = IC_REPLAY_HEADER_SIZE,
                          .metadata_length = sizeof metadata - 1,
                          .orders_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1,
                          .keyframes_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1,
                          .keyframes_length = 8,
                          .embedded_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1 + 8,
                          .embedded_length = (uint32_t)size};
    rp_bincode_write(&b->w, &ic_replay_header_record, &h);
    rp_put(&b->w, metadata, sizeof metadata - 1);
    rp_put_u64(&b->w, 0);
    rp_put(&b->w, data, size);
    reprise_replay *replay = NULL;
    if (reprise_open_memory(b->w.data, b->w.size, NULL, &replay, &b->error) != REPRISE_OK)
        return;
    for (size_t i = 0; i < reprise_blob_count(replay); i++)
        must(reprise_blob_at(replay, i)->name != NULL);
    reprise_close(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rp_record *const records[] = {
        &ic_voice_record,    &ic_embedded_record, &ic_signature_record,  &ic_proof_record,
        &ic_campaign_record, &ic_script_record,   &ic_core_delta_record, &ic_snapshot_record,
    };
    if (!size)
        return 0;
    reprise_options options;
    bench b = {.error = REPRISE_ERROR_INIT};
    reprise_options_init(&options);
    options.limits.memory_bytes_max = 256 << 20;
    rp_context_init(&b.context, &options);
    rp_arena_init(&b.arena, &b.context);
    reprise_error writing = REPRISE_ERROR_INIT;
    rp_writer_init(&b.w, &b.context, SIZE_MAX / 2, &writing);
    unsigned kind = data[0];
    data++;
    size--;
    if (kind == 0)
        fuzz_state(&b, data, size);
    else if (kind == 1)
        fuzz_delta(&b, data, size);
    else if (kind == 2)
        fuzz_frames(&b, data, size);
    else if (kind == 3)
        fuzz_events(&b, data, size);
    else if (kind == 4)
        fuzz_live(&b, data, size);
    else if (kind == 5)
        fuzz_voice(&b, data, size);
    else if (kind == 6)
        fuzz_embedded(&b, data, size);
    else
        fuzz_record(&b, records[kind % RP_COUNT(records)], data, size);
    rp_writer_free(&b.w);
    rp_arena_free(&b.arena);
    must(b.context.bytes_live == 0);
    return 0;
}
