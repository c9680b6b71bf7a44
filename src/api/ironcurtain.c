/* ironcurtain.c - codec.h: states, saves, replays, compatibility. */
#include <unistd.h>

#include "handle.h"
#include "ironcurtain/edit/write.h"
#include "ironcurtain/read/compat.h"
#include "ironcurtain/read/verify_moment.h"
#include "ironcurtain/wire/delta_base.h"
#include "outdir.h"
#include "output.h"
#include "sign.h"

struct reprise_ic_codec {
    rp_context context;
    rp_arena arena;
    ic_hasher hasher;
    rp_arena kept; /* survives a reset: the migrations */
    ic_migrations migrations;
};

reprise_status reprise_ic_codec_new(const reprise_options *options, reprise_ic_codec **ret_codec,
                                    reprise_error *error)
{
    RP_ENTER(error, ret_codec);
    rp_context context;
    rp_context_init(&context, options);
    reprise_ic_codec *codec = rp_alloc_zero(&context, 1, sizeof *codec, error);
    if (!codec)
        return error->status;
    rp_context_init(&codec->context, options);
    rp_arena_init(&codec->arena, &codec->context);
    rp_arena_init(&codec->kept, &codec->context);
    if (ic_hasher_init(&codec->hasher, &codec->context, error) != REPRISE_OK) {
        reprise_ic_codec_free(codec);
        return error->status;
    }
    *ret_codec = codec;
    return REPRISE_OK;
}

void reprise_ic_codec_reset(reprise_ic_codec *codec)
{
    if (!codec)
        return;
    rp_arena_reset(&codec->arena);
}

void reprise_ic_codec_free(reprise_ic_codec *codec)
{
    if (!codec)
        return;
    ic_hasher_free(&codec->hasher);
    rp_arena_free(&codec->arena);
    rp_arena_free(&codec->kept);
    codec->context.allocator.free(codec->context.allocator.ctx, codec, sizeof *codec);
}

/* ---- pieces ---- */

reprise_status reprise_ic_decode_snapshot(reprise_ic_codec *codec, const void *data, size_t size,
                                          reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    RP_ENTER(error, codec && (data || !size) && ret_snapshot);
    ic_snapshot snapshot;
    rp_reader r = rp_reader_of(data, size, "snapshot", error);
    if (!ic_snapshot_read(&r, &codec->arena, &snapshot))
        return error->status;
    *ret_snapshot = snapshot;
    return REPRISE_OK;
}

static reprise_status encode(reprise_ic_codec *codec, const rp_record *record, const void *row,
                             reprise_text *ret_bytes, reprise_error *error)
{
    rp_writer w;
    rp_writer_init(&w, &codec->context, SIZE_MAX / 2, error);
    rp_bincode_write(&w, record, row);
    const char *copy = rp_arena_text(&codec->arena, w.data, w.size, error);
    if (error->status == REPRISE_OK)
        *ret_bytes = (reprise_text){copy, w.size};
    rp_writer_free(&w);
    return error->status;
}

reprise_status reprise_ic_encode_snapshot(reprise_ic_codec *codec,
                                          const reprise_ic_snapshot *snapshot,
                                          reprise_text *ret_bytes, reprise_error *error)
{
    RP_ENTER(error, codec && snapshot && ret_bytes);
    return encode(codec, &ic_snapshot_record, snapshot, ret_bytes, error);
}

reprise_status reprise_ic_decode_delta(reprise_ic_codec *codec, const void *data, size_t size,
                                       reprise_ic_delta *ret_delta, reprise_error *error)
{
    RP_ENTER(error, codec && (data || !size) && ret_delta);
    ic_delta delta;
    rp_reader r = rp_reader_of(data, size, "delta", error);
    if (!ic_delta_read(&r, &codec->arena, &delta))
        return error->status;
    *ret_delta = delta;
    return REPRISE_OK;
}

reprise_status reprise_ic_encode_delta(reprise_ic_codec *codec, const reprise_ic_delta *delta,
                                       reprise_text *ret_bytes, reprise_error *error)
{
    RP_ENTER(error, codec && delta && ret_bytes);
    return encode(codec, &ic_delta_record, delta, ret_bytes, error);
}

reprise_status reprise_ic_decode_components(reprise_ic_codec *codec,
                                            const reprise_ic_entity *entity,
                                            reprise_ic_components *ret_components,
                                            reprise_error *error)
{
    RP_ENTER(error, codec && entity && ret_components);
    ic_components components = {0};
    rp_reader r = rp_reader_of(entity->components.data, entity->components.size, "components",
                               error);
    ic_components_read(&r, &codec->arena, entity->component_mask, &components);
    if (rp_ok(&r))
        *ret_components = components;
    return error->status;
}

reprise_status reprise_ic_encode_components(reprise_ic_codec *codec,
                                            const reprise_ic_components *components,
                                            reprise_ic_entity *entity, reprise_error *error)
{
    RP_ENTER(error, codec && components && entity);
    rp_text bytes = ic_components_write(&codec->arena, components, error);
    RP_TRY(error->status);
    entity->component_mask = components->mask;
    entity->components = bytes;
    return REPRISE_OK;
}

reprise_status reprise_ic_check(reprise_ic_codec *codec, const reprise_ic_core *core,
                                reprise_error *error)
{
    RP_ENTER(error, codec && core);
    return ic_core_check(core, &codec->arena, error);
}

reprise_status reprise_ic_state_hash(reprise_ic_codec *codec, const reprise_ic_core *core,
                                     uint8_t ret_hash[32], reprise_error *error)
{
    RP_ENTER(error, codec && core && ret_hash);
    return ic_state_hash(&codec->hasher, core, ret_hash, error);
}

uint64_t reprise_ic_sync_hash(const uint8_t state_hash[32])
{
    if (!state_hash)
        return 0;
    return ic_sync_hash(state_hash);
}

reprise_status reprise_ic_build_delta(reprise_ic_codec *codec, const reprise_ic_core *base,
                                      const reprise_ic_core *core, reprise_ic_core_delta *ret_delta,
                                      reprise_error *error)
{
    RP_ENTER(error, codec && base && core && ret_delta);
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_state_hash(&codec->hasher, base, hash, error));
    return ic_delta_build(base, hash, core, &codec->arena, ret_delta, error);
}

reprise_status reprise_ic_apply_delta(reprise_ic_codec *codec, const reprise_ic_core *base,
                                      const reprise_ic_core_delta *delta, reprise_ic_core *ret_core,
                                      reprise_error *error)
{
    RP_ENTER(error, codec && base && delta && ret_core);
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_state_hash(&codec->hasher, base, hash, error));
    return ic_delta_apply(base, hash, delta, &codec->arena, ret_core, error);
}

/* ---- orders and events ---- */

reprise_status reprise_ic_decode_game_order(reprise_ic_codec *codec,
                                            const reprise_ic_game_order *order,
                                            reprise_ic_known_order *ret_known, reprise_error *error)
{
    RP_ENTER(error, codec && order && ret_known);
    const ic_game_order_row *row = ic_game_order_decode(order, &codec->arena, error);
    RP_TRY(error->status);
    if (!row)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "game order %u is unknown, or its payload has another form",
                            order->type_tag);
    memcpy(ret_known, &row->value, sizeof *ret_known);
    return REPRISE_OK;
}

reprise_status reprise_ic_encode_game_order(reprise_ic_codec *codec,
                                            const reprise_ic_known_order *known,
                                            reprise_ic_game_order *ret_order, reprise_error *error)
{
    RP_ENTER(error, codec && known && ret_order);
    const rp_choice *choice = (const rp_choice *)known;
    reprise_text payload;
    if (choice->variant >= ic_known_order.count || !choice->value)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "game order %u does not exist or has no content", choice->variant);
    RP_TRY(encode(codec, ic_known_order.variants[choice->variant], choice->value, &payload, error));
    *ret_order = (reprise_ic_game_order){(uint16_t)(choice->variant + IC_GAME_ORDER_FIRST),
                                         payload};
    return REPRISE_OK;
}

const char *reprise_ic_player_order_name(uint32_t variant)
{
    return variant < ic_player_order.count ? ic_player_order.names[variant] : NULL;
}

const char *reprise_ic_event_name(uint32_t variant)
{
    return variant < ic_event.count ? ic_event.names[variant] : NULL;
}

uint64_t reprise_ic_event_tick(const reprise_ic_event *event)
{
    const rp_choice *choice = (const rp_choice *)event;
    if (!choice || choice->variant >= ic_event.count || !choice->value)
        return 0;
    return *(const uint64_t *)choice->value; /* every event begins with its tick */
}

/* ---- files ---- */

reprise_status rp_write_target(rp_context *context, const reprise_write_options *options,
                               reprise_status (*put)(void *ctx, rp_sink *sink,
                                                     reprise_error *error),
                               void *ctx, reprise_error *error)
{
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    rp_target target = {.path = all.path, .replace = all.replace, .callback = all.sink};
    rp_output output;
    RP_TRY(rp_output_open(context, &target, &output, error));
    reprise_status status = put(ctx, output.sink, error);
    if (status == REPRISE_OK)
        status = rp_output_commit(&output, error);
    rp_output_close(&output);
    return status;
}

typedef struct save_out {
    ic_hasher *hasher;
    ic_save_parts parts;
} save_out;

static reprise_status put_save(void *ctx, rp_sink *sink, reprise_error *error)
{
    const save_out *out = ctx;
    return ic_save_write(out->hasher, &out->parts, sink, error);
}

reprise_status reprise_ic_write_save(reprise_ic_codec *codec, const char *metadata,
                                     const void *thumbnail, size_t thumbnail_size,
                                     const reprise_ic_snapshot *snapshot,
                                     const reprise_write_options *options, reprise_error *error)
{
    RP_ENTER(error, codec && metadata && snapshot);
    reprise_value *parsed = NULL;
    uint8_t hash[IC_HASH_SIZE];
    reprise_write_options writing;
    RP_TRY(rp_take_write_options(&writing, options, error));
    save_out out = {.hasher = &codec->hasher,
                    .parts = {.metadata = {metadata, strlen(metadata)},
                              .thumbnail = {thumbnail, thumbnail ? thumbnail_size : 0},
                              .level = ic_level(writing.level, RP_LZ4_BALANCED)}};
    RP_TRY(ic_metadata_parse(&codec->arena, metadata, &parsed, error));
    if (out.parts.thumbnail.size > IC_THUMBNAIL_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "the thumbnail is larger than 1 MiB");
    RP_TRY(ic_core_check(&snapshot->core, &codec->arena, error));
    RP_TRY(ic_state_hash(&codec->hasher, &snapshot->core, hash, error));
    out.parts.sync_hash = ic_sync_hash(hash);
    rp_writer raw;
    rp_writer_init(&raw, &codec->context, IC_UNIT_MAX, error);
    rp_bincode_write(&raw, &ic_snapshot_record, snapshot);
    out.parts.snapshot = (rp_text){(const char *)raw.data, raw.size};
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = rp_write_target(&codec->context, options, put_save, &out, error);
    rp_writer_free(&raw);
    return status;
}

/* Decodes from a copy, so that the result does not depend on the file. */
static reprise_status keep_snapshot(reprise_ic_codec *codec, const ic_save_state *state,
                                    reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    const char *copy = rp_arena_text(&codec->arena, state->bytes.data, state->bytes.size, error);
    RP_TRY(error->status);
    return reprise_ic_decode_snapshot(codec, copy, state->bytes.size, ret_snapshot, error);
}

/* ---- compatibility ---- */

reprise_status reprise_ic_add_migration(reprise_ic_codec *codec, const char *from, const char *to,
                                        reprise_ic_migration *run, void *ctx, reprise_error *error)
{
    RP_ENTER(error, codec && from && to && run);
    RP_TRY(ic_migration_check(from, to, error));
    ic_migration *m = rp_arena_alloc(&codec->kept, sizeof *m, error);
    if (!m)
        return error->status;
    *m = (ic_migration){.from = rp_arena_text(&codec->kept, from, strlen(from), error),
                        .to = rp_arena_text(&codec->kept, to, strlen(to), error),
                        .run = run,
                        .ctx = ctx};
    RP_TRY(error->status);
    *(codec->migrations.last ? codec->migrations.last : &codec->migrations.first) = m;
    codec->migrations.last = &m->next;
    return REPRISE_OK;
}

reprise_status reprise_ic_check_compat(const reprise_ic_codec *codec, reprise_replay *handle,
                                       const reprise_ic_host_info *host,
                                       reprise_ic_compat *ret_compat, reprise_error *error)
{
    RP_ENTER(error, handle && ret_compat);
    const char *format = handle->replay->format->name;
    reprise_ic_host_info all = REPRISE_IC_HOST_INFO_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, host, error));
    reprise_ic_compat compat = REPRISE_IC_COMPAT_INIT;
    if (strcmp(format, "icsave") == 0)
        ic_save_fit((const ic_save *)handle->replay, &all, codec ? &codec->migrations : NULL,
                    &compat);
    else if (strcmp(format, "icrep") == 0)
        ic_replay_fit((ic_replay *)rp_use(handle), &all, &compat);
    else
        return rp_error_set(error, REPRISE_E_USAGE, "%s files are neither saves nor replays",
                            format);
    return rp_give_struct(ret_compat, &compat, sizeof compat, error);
}

/* Every migration leads to a later version, so the loop ends. */
static reprise_status migrate(reprise_ic_codec *codec, const ic_save *save, const char *host,
                              ic_snapshot *snapshot, reprise_error *error)
{
    const char *at = rp_get_text(save->metadata, "engine_version");
    const ic_migration *m;
    while (at && (m = ic_migration_for(&codec->migrations, at, host))) {
        RP_TRY(m->run(m->ctx, codec, snapshot, error));
        at = m->to;
    }
    return ic_core_check(&snapshot->core, &codec->arena, error);
}

static reprise_status load(reprise_ic_codec *codec, ic_save *save, const reprise_ic_host_info *host,
                           reprise_ic_compat *compat, reprise_ic_snapshot *ret_snapshot,
                           reprise_error *error)
{
    ic_save_fit(save, host, &codec->migrations, compat);
    if (compat->verdict == REPRISE_IC_REFUSE)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s", compat->message);
    ic_save_state state;
    ic_snapshot snapshot;
    reprise_status status = ic_save_load(save, &state, error);
    if (status == REPRISE_OK)
        status = keep_snapshot(codec, &state, &snapshot, error);
    ic_save_state_free(&state);
    if (status == REPRISE_OK && compat->verdict == REPRISE_IC_MIGRATE)
        status = migrate(codec, save, host->engine_version, &snapshot, error);
    if (status == REPRISE_OK)
        *ret_snapshot = snapshot;
    return status;
}

static reprise_status load_source(reprise_ic_codec *codec, rp_source *source,
                                  const reprise_ic_host_info *host, reprise_ic_compat *ret_compat,
                                  reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    rp_replay *replay = NULL;
    reprise_ic_host_info all = REPRISE_IC_HOST_INFO_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, host, error));
    reprise_ic_compat compat = REPRISE_IC_COMPAT_INIT;
    if (ret_compat)
        RP_TRY(rp_give_struct(ret_compat, &compat, sizeof compat, error));
    reprise_status status = rp_replay_open(&codec->context, source, "icsave", NULL, &replay, error);
    if (status == REPRISE_OK)
        status = load(codec, (ic_save *)replay, &all, &compat, ret_snapshot, error);
    rp_replay_close(replay);
    reprise_error ignored = REPRISE_ERROR_INIT; /* its size was checked before */
    if (ret_compat)
        (void)rp_give_struct(ret_compat, &compat, sizeof compat, &ignored);
    return status;
}

reprise_status reprise_ic_load_save(reprise_ic_codec *codec, const void *data, size_t size,
                                    const reprise_ic_host_info *host, reprise_ic_compat *ret_compat,
                                    reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    RP_ENTER(error, codec && (data || !size) && ret_snapshot);
    rp_source *source = NULL;
    RP_TRY(rp_source_open_memory(&codec->context, data, size, &source, error));
    reprise_status status = load_source(codec, source, host, ret_compat, ret_snapshot, error);
    rp_source_close(source);
    return status;
}

reprise_status reprise_ic_read_save(reprise_ic_codec *codec, const void *data, size_t size,
                                    reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    RP_ENTER(error, codec && (data || !size) && ret_snapshot);
    return reprise_ic_load_save(codec, data, size, NULL, NULL, ret_snapshot, error);
}

reprise_status reprise_ic_load_named(reprise_ic_codec *codec, const char *directory,
                                     const char *name, const reprise_ic_host_info *host,
                                     reprise_ic_compat *ret_compat,
                                     reprise_ic_snapshot *ret_snapshot, reprise_error *error)
{
    RP_ENTER(error, codec && directory && name && ret_snapshot);
    int fd = rp_open_below(directory, name, error);
    if (fd < 0)
        return error->status;
    rp_source *source = NULL;
    reprise_status status = rp_source_open_descriptor(&codec->context, fd, &source, error);
    if (status == REPRISE_OK)
        status = load_source(codec, source, host, ret_compat, ret_snapshot, error);
    rp_source_close(source);
    close(fd);
    return status;
}

reprise_status reprise_ic_check_restore(const reprise_ic_core *running, const reprise_ic_core *core,
                                        reprise_error *error)
{
    RP_ENTER(error, running && core);
    if (running->game_seed != core->game_seed)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "the state is from another match");
    if (memcmp(running->map_hash, core->map_hash, sizeof core->map_hash) != 0)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "the state is from another map");
    return REPRISE_OK;
}

/* ---- replays ---- */

struct reprise_ic_writer {
    rp_context context;
    rp_arena arena;
    ic_section_writer parts;
    rp_lz4_level level;
    const reprise_value *metadata;
    rp_writer block, raw, events;
    uint64_t block_tick, event_count, next_tick, next_keyframe, frames;
    uint32_t block_frames;
    ic_delta_base baseline;
};

static void writer_buffers(reprise_ic_writer *w, rp_writer *ret[4])
{
    rp_writer *const all[4] = {&w->block, &w->raw, &w->events, &w->parts.index};
    memcpy(ret, all, sizeof all);
}

static reprise_status begin_writer(reprise_ic_writer *w, const char *metadata, reprise_error *error)
{
    reprise_value *parsed = NULL;
    rp_writer *buffers[4];
    rp_arena_init(&w->arena, &w->context);
    ic_section_writer_init(&w->parts, &w->context, NULL, error);
    writer_buffers(w, buffers);
    for (size_t i = 0; i + 1 < RP_COUNT(buffers); i++)
        rp_writer_init(buffers[i], &w->context, UINT32_MAX, error);
    RP_TRY(ic_delta_base_init(&w->baseline, &w->context, error));
    RP_TRY(ic_metadata_accept(&w->arena, metadata, &parsed, error));
    w->metadata = parsed;
    rp_put_text(&w->parts.of[IC_METADATA], metadata);
    return error->status;
}

reprise_status reprise_ic_writer_new(const char *metadata, const reprise_options *options,
                                     int level, reprise_ic_writer **ret_writer,
                                     reprise_error *error)
{
    RP_ENTER(error, metadata && ret_writer);
    rp_context context;
    rp_context_init(&context, options);
    reprise_ic_writer *w = rp_alloc_zero(&context, 1, sizeof *w, error);
    if (!w)
        return error->status;
    rp_context_init(&w->context, options);
    w->level = ic_level(level, RP_LZ4_FASTEST);
    if (begin_writer(w, metadata, error) != REPRISE_OK) {
        reprise_ic_writer_free(w);
        return error->status;
    }
    *ret_writer = w;
    return REPRISE_OK;
}

void reprise_ic_writer_free(reprise_ic_writer *w)
{
    if (!w)
        return;
    rp_writer *buffers[4];
    writer_buffers(w, buffers);
    for (size_t i = 0; i + 1 < RP_COUNT(buffers); i++)
        rp_writer_free(buffers[i]);
    ic_section_writer_free(&w->parts);
    ic_delta_base_free(&w->baseline);
    rp_arena_free(&w->arena);
    w->context.allocator.free(w->context.allocator.ctx, w, sizeof *w);
}

/* The buffers keep a pointer to an error, which is another one in each call. */
static void use_error(reprise_ic_writer *w, reprise_error *error)
{
    rp_writer *buffers[4];
    writer_buffers(w, buffers);
    for (size_t i = 0; i < RP_COUNT(buffers); i++)
        buffers[i]->error = error;
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        w->parts.of[i].error = error;
}

static void end_block(reprise_ic_writer *w)
{
    if (w->block_frames)
        ic_section_writer_add_block(&w->parts, w->block_tick, w->block_frames, &w->block, w->level);
    rp_writer_clear(&w->block);
    w->block_frames = 0;
}

reprise_status reprise_ic_writer_frame(reprise_ic_writer *w, const reprise_ic_frame *frame,
                                       reprise_error *error)
{
    RP_ENTER(error, w && frame);
    use_error(w, error);
    if (frame->tick < w->next_tick)
        return rp_error_set(error, REPRISE_E_USAGE, "frame %llu cannot follow frame %llu",
                            (unsigned long long)frame->tick, (unsigned long long)w->next_tick - 1);
    uint64_t first = frame->tick & ~(uint64_t)(IC_BLOCK_TICKS - 1);
    if (first != w->block_tick)
        end_block(w);
    w->block_tick = first;
    w->block_frames++;
    w->frames++;
    w->next_tick = frame->tick + 1;
    rp_bincode_write(&w->block, &ic_frame_record, frame);
    return error->status;
}

reprise_status reprise_ic_writer_keyframe(reprise_ic_writer *w, const reprise_ic_snapshot *snapshot,
                                          reprise_error *error)
{
    RP_ENTER(error, w && snapshot);
    enum { FULL_TICKS = 3000 };
    uint64_t tick = snapshot->core.tick;
    use_error(w, error);
    if (w->baseline.known ? tick < w->next_keyframe : tick != 0)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "keyframe %llu is out of order: keyframes start at tick 0 and ascend",
                            (unsigned long long)tick);
    bool is_full = tick % FULL_TICKS == 0;
    rp_writer_clear(&w->raw);
    RP_TRY(ic_delta_base_encode(&w->baseline, snapshot, is_full, &w->raw, error));
    ic_delta_base_accept(&w->baseline);
    w->next_keyframe = tick + 1;
    ic_section_writer_add_keyframe(&w->parts, tick, is_full, w->raw.data, w->raw.size, w->level);
    return error->status;
}

reprise_status reprise_ic_writer_event(reprise_ic_writer *w, const reprise_ic_event *event,
                                       reprise_error *error)
{
    RP_ENTER(error, w && event);
    use_error(w, error);
    const rp_choice *choice = (const rp_choice *)event;
    if (choice->variant >= ic_event.count || !choice->value)
        return rp_error_set(error, REPRISE_E_USAGE, "event %u does not exist or has no content",
                            choice->variant);
    rp_bincode_write_sum(&w->events, &ic_event, choice);
    w->event_count++;
    return error->status;
}

reprise_status reprise_ic_writer_signature(reprise_ic_writer *w,
                                           const reprise_ic_signature *signature,
                                           reprise_error *error)
{
    RP_ENTER(error, w && signature);
    use_error(w, error);
    rp_writer_clear(&w->parts.of[IC_SIGNATURE]);
    rp_bincode_write(&w->parts.of[IC_SIGNATURE], &ic_signature_record, signature);
    w->parts.header.flags |= IC_SIGNED;
    return error->status;
}

reprise_status reprise_ic_writer_voice(reprise_ic_writer *w, const reprise_ic_voice *voice,
                                       reprise_error *error)
{
    RP_ENTER(error, w && voice);
    enum { WRITTEN_MAX = 256 };
    use_error(w, error);
    rp_reader nowhere = rp_reader_of(NULL, 0, "voice", error);
    ic_voice_check(&nowhere, voice);
    const ic_voice_track *tracks = voice->tracks.items;
    for (size_t i = 0; i < voice->tracks.count && error->status == REPRISE_OK; i++) {
        const ic_voice_frame *frames = tracks[i].frames.items;
        for (size_t k = 0; k < tracks[i].frames.count; k++) {
            if (frames[k].opus_data.size > WRITTEN_MAX)
                return rp_error_set(error, REPRISE_E_LIMIT,
                                    "a voice frame has %zu bytes (limit: %d)",
                                    frames[k].opus_data.size, WRITTEN_MAX);
        }
    }
    RP_TRY(error->status);
    rp_writer_clear(&w->raw);
    rp_bincode_write(&w->raw, &ic_voice_record, voice);
    rp_writer_clear(&w->parts.of[IC_VOICE]);
    rp_lz4_write(&w->parts.of[IC_VOICE], w->raw.data, w->raw.size, w->level);
    w->parts.header.flags |= IC_HAS_VOICE;
    return error->status;
}

reprise_status reprise_ic_writer_embed(reprise_ic_writer *w, const reprise_ic_embedding *embedding,
                                       reprise_error *error)
{
    RP_ENTER(error, w && embedding);
    ic_embedded embedded = {0};
    reprise_ic_embedding all = {0};
    RP_TRY(rp_take_options(&all, sizeof all, embedding, error));
    use_error(w, error);
    RP_TRY(ic_embedded_fill(&embedded, &all, w->metadata, w->level, &w->arena, error));
    rp_writer_clear(&w->parts.of[IC_EMBEDDED]);
    if (!ic_embedded_is_empty(&embedded))
        rp_bincode_write(&w->parts.of[IC_EMBEDDED], &ic_embedded_record, &embedded);
    return error->status;
}

static reprise_status put_parts(void *ctx, rp_sink *sink, reprise_error *error)
{
    return ic_section_writer_write(ctx, sink, error);
}

reprise_status reprise_ic_writer_finish(reprise_ic_writer *w, uint64_t total_ticks,
                                        const uint8_t final_hash[32],
                                        const reprise_write_options *options, reprise_error *error)
{
    RP_ENTER(error, w && final_hash);
    ic_replay_header *h = &w->parts.header;
    use_error(w, error);
    if (!w->baseline.known || total_ticks < w->next_tick)
        return rp_error_set(
            error, REPRISE_E_USAGE,
            "a replay needs a keyframe of tick 0, and total_ticks must be after its last frame");
    end_block(w);
    if (w->event_count) {
        rp_writer_clear(&w->raw);
        rp_put_u64(&w->raw, w->event_count);
        rp_put(&w->raw, w->events.data, w->events.size);
        rp_writer_clear(&w->parts.of[IC_EVENTS]);
        rp_lz4_write(&w->parts.of[IC_EVENTS], w->raw.data, w->raw.size, w->level);
        h->flags |= IC_HAS_EVENTS;
    }
    h->total_ticks = total_ticks;
    h->lost_frame_count = (uint32_t)(total_ticks - w->frames);
    if (h->lost_frame_count)
        h->flags |= IC_INCOMPLETE;
    memcpy(h->final_state_hash, final_hash, sizeof h->final_state_hash);
    RP_TRY(error->status);
    return rp_write_target(&w->context, options, put_parts, &w->parts, error);
}
