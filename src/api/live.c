/* live.c - live.h: the built-in game and recording. */
#include "handle.h"
#include "ironcurtain/live/recorder.h"
#include "json.h"
#include "output.h"
#include "skirmish/skirmish.h"

struct reprise_ic_skirmish {
    rp_context context;
    skirmish_sim game;
};

reprise_status reprise_ic_skirmish_new(const reprise_options *options,
                                       reprise_ic_skirmish **ret_skirmish, reprise_error *error)
{
    RP_ENTER(error, ret_skirmish);
    rp_context context;
    rp_context_init(&context, options);
    reprise_ic_skirmish *skirmish = rp_alloc_zero(&context, 1, sizeof *skirmish, error);
    if (!skirmish)
        return error->status;
    rp_context_init(&skirmish->context, options);
    if (skirmish_init(&skirmish->game, &skirmish->context, error) != REPRISE_OK) {
        reprise_ic_skirmish_free(skirmish);
        return error->status;
    }
    *ret_skirmish = skirmish;
    return REPRISE_OK;
}

void reprise_ic_skirmish_free(reprise_ic_skirmish *skirmish)
{
    if (!skirmish)
        return;
    skirmish_free(&skirmish->game);
    skirmish->context.allocator.free(skirmish->context.allocator.ctx, skirmish, sizeof *skirmish);
}

const reprise_ic_simulation *reprise_ic_skirmish_simulation(reprise_ic_skirmish *skirmish)
{
    if (!skirmish)
        return NULL;
    return &skirmish->game.calls;
}

const void *reprise_ic_skirmish_map(size_t *ret_size)
{
    size_t unwanted;
    return skirmish_map(ret_size ? ret_size : &unwanted);
}

reprise_status reprise_ic_skirmish_start(reprise_ic_skirmish *skirmish, uint64_t seed,
                                         uint32_t players, uint32_t units_per_player,
                                         reprise_error *error)
{
    RP_ENTER(error, skirmish);
    return skirmish_start(&skirmish->game, seed, players, units_per_player, error);
}

reprise_status reprise_ic_skirmish_orders(reprise_ic_skirmish *skirmish,
                                          const reprise_ic_order **ret_orders, size_t *ret_count,
                                          reprise_error *error)
{
    RP_ENTER(error, skirmish && ret_orders && ret_count);
    return skirmish_orders(&skirmish->game, ret_orders, ret_count, error);
}

reprise_status reprise_ic_skirmish_events(reprise_ic_skirmish *skirmish,
                                          const reprise_ic_event **ret_events, size_t *ret_count,
                                          reprise_error *error)
{
    RP_ENTER(error, skirmish && ret_events && ret_count);
    return skirmish_events(&skirmish->game, ret_events, ret_count, error);
}

/* ---- recording ---- */

struct reprise_ic_recorder {
    rp_context context;
    ic_recorder recorder;
    reprise_ic_codec *saves; /* created by the first desync */
};

reprise_status reprise_ic_recorder_new(const char *metadata,
                                       const reprise_ic_recorder_options *options,
                                       const reprise_options *limits,
                                       reprise_ic_recorder **ret_recorder, reprise_error *error)
{
    RP_ENTER(error, metadata && ret_recorder);
    rp_context context;
    rp_context_init(&context, limits);
    reprise_ic_recorder *handle = rp_alloc_zero(&context, 1, sizeof *handle, error);
    if (!handle)
        return error->status;
    rp_context_init(&handle->context, limits);
    if (ic_recorder_init(&handle->recorder, &handle->context, metadata, options, error) !=
        REPRISE_OK) {
        reprise_ic_recorder_free(handle);
        return error->status;
    }
    *ret_recorder = handle;
    return REPRISE_OK;
}

void reprise_ic_recorder_free(reprise_ic_recorder *handle)
{
    if (!handle)
        return;
    reprise_ic_codec_free(handle->saves);
    ic_recorder_free(&handle->recorder);
    handle->context.allocator.free(handle->context.allocator.ctx, handle, sizeof *handle);
}

reprise_status reprise_ic_recorder_tick(reprise_ic_recorder *handle, const reprise_ic_frame *frame,
                                        reprise_error *error)
{
    RP_ENTER(error, handle && frame);
    return ic_recorder_tick(&handle->recorder, frame, error);
}

reprise_status reprise_ic_recorder_keyframe(reprise_ic_recorder *handle,
                                            const reprise_ic_snapshot *snapshot,
                                            reprise_error *error)
{
    RP_ENTER(error, handle && snapshot);
    return ic_recorder_keyframe(&handle->recorder, snapshot, error);
}

reprise_status reprise_ic_recorder_keyframe_bytes(reprise_ic_recorder *handle, uint64_t tick,
                                                  bool is_full, const void *bytes, size_t size,
                                                  reprise_error *error)
{
    RP_ENTER(error, handle && bytes && size);
    return ic_recorder_keyframe_bytes(&handle->recorder, tick, is_full, bytes, size, error);
}

reprise_status reprise_ic_recorder_event(reprise_ic_recorder *handle, const reprise_ic_event *event,
                                         reprise_error *error)
{
    RP_ENTER(error, handle && event);
    return ic_recorder_event(&handle->recorder, event, error);
}

reprise_status reprise_ic_recorder_voice(reprise_ic_recorder *handle, uint32_t player,
                                         const reprise_ic_voice_frame *frame, reprise_error *error)
{
    RP_ENTER(error, handle && frame);
    return ic_recorder_voice(&handle->recorder, player, frame, error);
}

reprise_status reprise_ic_recorder_sign(reprise_ic_recorder *handle, uint64_t tick,
                                        const uint8_t state_hash[32], reprise_error *error)
{
    RP_ENTER(error, handle && state_hash);
    return ic_recorder_sign(&handle->recorder, tick, state_hash, error);
}

/* The metadata of a save consists of what is known about the match. */
static reprise_status write_desync(reprise_ic_recorder *handle, const ic_snapshot *snapshot,
                                   const char *path, reprise_error *error)
{
    static const char *const shared[] = {"timestamp",   "engine_version", "game_module",
                                         "active_mods", "map_name",       "players"};
    rp_arena arena;
    rp_writer text;
    rp_arena_init(&arena, &handle->context);
    rp_writer_init(&text, &handle->context, IC_METADATA_MAX, error);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_value *about = rp_new_object(&doc);
    rp_set(&doc, about, "save_name",
           rp_new_format(&doc, "desync at tick %llu", (unsigned long long)snapshot->core.tick));
    for (size_t i = 0; i < RP_COUNT(shared); i++) {
        const reprise_value *value = rp_get(handle->recorder.metadata, shared[i]);
        if (value)
            rp_set(&doc, about, shared[i], rp_copy(&doc, value));
    }
    rp_set_uint(&doc, about, "tick", snapshot->core.tick);
    rp_json_write(&text, about, &(rp_json_format){.indent = 1, .exact_integers = true});
    rp_put_u8(&text, 0);
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = path;
    options.replace = true;
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = reprise_ic_write_save(handle->saves, (const char *)text.data, NULL, 0, snapshot,
                                       &options, error);
    rp_writer_free(&text);
    rp_arena_free(&arena);
    return status;
}

reprise_status reprise_ic_recorder_desync(reprise_ic_recorder *handle,
                                          const reprise_ic_snapshot *snapshot, const char *path,
                                          reprise_error *error)
{
    RP_ENTER(error, handle && snapshot && path);
    if (!handle->saves)
        RP_TRY(reprise_ic_codec_new(NULL, &handle->saves, error));
    reprise_ic_codec_reset(handle->saves);
    return write_desync(handle, snapshot, path, error);
}

static reprise_status finish_recording(reprise_ic_recorder *handle, const char *metadata,
                                       const uint8_t hash[32], reprise_error *error)
{
    ic_recorder *r = &handle->recorder;
    rp_target target = {.path = r->path, .replace = true, .callback = r->options.finished};
    rp_output output;
    RP_TRY(ic_recorder_drain(r, hash, error));
    if (!target.path && !target.callback)
        return REPRISE_OK; /* the caller keeps the live records only */
    RP_TRY(rp_output_open(&handle->context, &target, &output, error));
    reprise_status status = ic_recorder_finish(r, metadata, hash, output.sink, error);
    if (status == REPRISE_OK)
        status = rp_output_commit(&output, error);
    rp_output_close(&output);
    return status;
}

reprise_status reprise_ic_recorder_finish(reprise_ic_recorder *handle, const char *metadata,
                                          const uint8_t final_hash[32], reprise_error *error)
{
    RP_ENTER(error, handle);
    const ic_simulation host = ic_simulation_of(handle->recorder.options.simulation,
                                                handle->recorder.context);
    uint8_t hash[IC_HASH_SIZE];
    if (final_hash)
        memcpy(hash, final_hash, sizeof hash);
    else if (host.calls)
        RP_TRY(ic_simulation_hash(&host, hash, error));
    else
        return rp_error_set(error, REPRISE_E_USAGE, "final_hash is required without a simulation");
    return finish_recording(handle, metadata, hash, error);
}

reprise_status reprise_ic_recorder_get_stats(const reprise_ic_recorder *handle,
                                             reprise_ic_recorder_stats *ret_stats,
                                             reprise_error *error)
{
    RP_ENTER(error, handle && ret_stats);
    reprise_ic_recorder_stats stats;
    ic_recorder_stats((ic_recorder *)(uintptr_t)&handle->recorder, &stats);
    return rp_give_struct(ret_stats, &stats, sizeof stats, error);
}
