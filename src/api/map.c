/* map.c - the public side of maps. */
#include "openra/map.h"
#include "glb.h"
#include "reprise/scene.h"
#include "sink.h"

#include "entry.h"

static void describe(const ora_map *map, reprise_map_about *about)
{
    *about = (reprise_map_about){.width = map->width,
                                 .height = map->height,
                                 .spawn_points = (uint32_t)map->spawn_count,
                                 .has_picture = map->picture.data != NULL};
    rp_text_copy(about->uid, sizeof about->uid, map->uid);
    rp_text_copy(about->title, sizeof about->title, map->title ? map->title : "");
    rp_text_copy(about->mod, sizeof about->mod, map->mod ? map->mod : "");
}

static reprise_status write_ground(const ora_map *map, rp_context *context, rp_arena *arena,
                                   const reprise_sink *sink, reprise_error *error)
{
    rp_scene scene;
    rp_sink *to = NULL;
    rp_scene_options options = {.time_to = 1e300, .index_to = INT64_MAX};
    rp_scene_init(&scene, context, &options, error);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = ora_map_scene(map, &scene, arena, error);
    if (status == REPRISE_OK)
        status = rp_sink_open_callback(context, sink, &to, error);
    if (status == REPRISE_OK)
        status = rp_glb_write(&scene, NULL, &(rp_glb_options){.name = "map", .format = "openra"},
                              to, error);
    rp_sink_close(to);
    rp_scene_free(&scene);
    return status;
}

reprise_status reprise_map_scenery(const void *data, size_t size, const reprise_sink *sink,
                                   reprise_map_about *ret_about, reprise_error *error)
{
    RP_ENTER(error, data && (!sink || sink->write));
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_source *source = NULL;
    ora_map map;
    reprise_status status = rp_source_open_memory(&context, data, size, &source, error);
    if (status == REPRISE_OK)
        status = ora_map_read(&context, source, &arena, &map, error);
    if (status == REPRISE_OK && ret_about)
        describe(&map, ret_about);
    if (status == REPRISE_OK && sink)
        status = write_ground(&map, &context, &arena, sink, error);
    rp_source_close(source);
    rp_arena_free(&arena);
    return status;
}
