/* scene.c - the public side of scenes. */
#include "handle.h"
#include "json.h"
#include "plot.h"
#include "run_compare.h"
#include "scene_export.h"

struct reprise_scene {
    reprise_replay *handle;
    rp_scene_export export;
    char *name;
    reprise_value *about;
    const reprise_scene *compared; /* with which; NULL: with none yet */
    rp_comparison comparison;
};

static rp_scene_options scene_options(const reprise_replay *handle,
                                      const reprise_scene_options *from)
{
    static const double degree = 3.14159265358979323846 / 180;
    uint64_t all = (UINT64_C(1) << handle->replay->format->track_count) - 1;
    return (rp_scene_options){
        .tracks = from->tracks ? from->tracks & all : all,
        .time_from = from->time_from,
        .time_to = from->time_to,
        .index_from = from->index_from,
        .index_to = from->index_to,
        .keep_points = from->keep_points,
        .notice = from->notice,
        .keys = {.exact = from->exact,
                 .tolerance_m = from->tolerance_m > 0 ? from->tolerance_m : 0,
                 .tolerance_rad = from->tolerance_deg > 0 ? from->tolerance_deg * degree : 0,
                 .samples_per_s = from->samples_per_s > 0 ? from->samples_per_s : 0}};
}

static void set_about(reprise_scene *scene, reprise_error *error)
{
    rp_doc doc = {.arena = &scene->export.timeline.arena, .error = error};
    const rp_scene *s = &scene->export.scene;
    reprise_value *about = rp_new_object(&doc);
    rp_set_text(&doc, about, "format", scene->handle->replay->format->name);
    rp_set_text(&doc, about, "layout", reprise_layout(scene->handle));
    rp_set_seconds(&doc, about, "duration", s->length);
    rp_set_f64(&doc, about, "time_offset", s->offset);
    rp_set_uint(&doc, about, "frames", s->frames);
    rp_set_uint(&doc, about, "nodes", s->nodes.count);
    rp_set_uint(&doc, about, "meshes", s->meshes.count);
    rp_set_uint(&doc, about, "materials", s->materials.count);
    rp_set_uint(&doc, about, "cameras", s->cameras.count);
    rp_set_uint(&doc, about, "markers", scene->export.timeline.markers.count);
    rp_set_uint(&doc, about, "static_bytes", rp_sink_size(s->fixed));
    rp_set_uint(&doc, about, "keys_recorded", s->keys.seen);
    rp_set_uint(&doc, about, "keys_kept", s->keys.kept);
    rp_set_bool(&doc, about, "complete", scene->export.damage.status == REPRISE_OK);
    const char *const *losses = s->losses.items;
    reprise_value *left_out = rp_set_array(&doc, about, "left_out");
    for (size_t i = 0; i < s->losses.count; i++)
        rp_push(&doc, left_out, rp_new_text(&doc, losses[i]));
    scene->about = about;
}

reprise_status reprise_scene_open(reprise_replay *handle, const reprise_scene_options *options,
                                  reprise_scene **ret_scene, reprise_error *error)
{
    RP_ENTER(error, handle && ret_scene);
    reprise_scene_options all = REPRISE_SCENE_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    reprise_scene *scene = rp_alloc_zero(&handle->context, 1, sizeof *scene, error);
    if (!scene)
        return error->status;
    scene->handle = rp_retain(handle);
    rp_scene_options chosen = scene_options(handle, &all);
    const char *name = all.name ? all.name : handle->replay->format->name;
    reprise_status status = rp_scene_export_open(&scene->export, rp_use(handle), &chosen, name,
                                                 error);
    if (status == REPRISE_OK) {
        set_about(scene, error);
        scene->name = rp_arena_text(&scene->export.timeline.arena, name, strlen(name), error);
        status = error->status;
    }
    if (status != REPRISE_OK) {
        reprise_scene_close(scene);
        return status;
    }
    *ret_scene = scene;
    return REPRISE_OK;
}

void reprise_scene_close(reprise_scene *scene)
{
    if (!scene)
        return;
    reprise_replay *handle = scene->handle;
    rp_scene_export_close(&scene->export);
    rp_free(&handle->context, scene, sizeof *scene);
    rp_release(handle);
}

const reprise_value *reprise_scene_about(const reprise_scene *scene)
{
    if (!scene)
        return NULL;
    return scene->about;
}

const reprise_error *reprise_scene_damage(const reprise_scene *scene)
{
    if (!scene)
        return NULL;
    const rp_scene_export *export = &scene->export;
    const reprise_error *damage = export->damage.status != REPRISE_OK ? &export->damage
                                                                      : &export->left_out;
    if (damage->status == REPRISE_OK)
        damage = &scene->handle->cut;
    return damage->status != REPRISE_OK ? damage : NULL;
}

const reprise_value *reprise_scene_timeline(const reprise_scene *scene)
{
    if (!scene)
        return NULL;
    return scene->export.timeline.root;
}

static reprise_status write_glb(reprise_scene *scene, bool text, const reprise_sink *sink,
                                reprise_error *error)
{
    rp_glb_options options = {
        .text = text, .name = scene->name, .format = scene->handle->replay->format->name};
    rp_sink *to = NULL;
    RP_TRY(rp_sink_open_callback(&scene->handle->context, sink, &to, error));
    reprise_status status = rp_glb_write(&scene->export.scene, &scene->export.timeline, &options,
                                         to, error);
    rp_sink_close(to);
    return status;
}

reprise_status reprise_scene_write(reprise_scene *scene, reprise_scene_form form,
                                   const reprise_sink *sink, reprise_error *error)
{
    RP_ENTER(error, scene && sink && sink->write);
    switch (form) {
    case REPRISE_SCENE_GLB:
    case REPRISE_SCENE_GLTF:
        return write_glb(scene, form == REPRISE_SCENE_GLTF, sink, error);
    case REPRISE_SCENE_TIMELINE:
        return reprise_value_write(scene->export.timeline.root, REPRISE_JSON_COMPACT, sink, error);
    }
    return rp_error_set(error, REPRISE_E_USAGE, "there is no form %d of a scene", (int)form);
}

static const rp_series *find_series(const rp_timeline *t, const char *plot, size_t series)
{
    for (size_t i = 0; i < t->plots.count; i++) {
        const rp_plot *p = ((rp_plot **)t->plots.items)[i];
        if (strcmp(p->id, plot) == 0 && series < p->series_count)
            return rp_series_is_longer(p->series[series]) ? p->series[series] : NULL;
    }
    return NULL;
}

reprise_status reprise_scene_series(reprise_scene *scene, const char *plot, size_t series,
                                    const reprise_sink *sink, reprise_error *error)
{
    RP_ENTER(error, scene && plot && sink && sink->write);
    rp_timeline *t = &scene->export.timeline;
    const rp_series *found = find_series(t, plot, series);
    if (!found)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no longer series %zu of plot '%s'",
                            series, plot);
    t->doc.error = error;
    reprise_value *document = rp_timeline_series(t, found);
    RP_TRY(error->status);
    return reprise_value_write(document, REPRISE_JSON_COMPACT, sink, error);
}

reprise_status reprise_scene_plot(reprise_scene *scene, const reprise_plot_options *options,
                                  const reprise_sink *sink, bool *ret_empty, reprise_error *error)
{
    RP_ENTER(error, scene && sink && sink->write);
    reprise_plot_options all = REPRISE_PLOT_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    rp_writer svg;
    rp_writer_init(&svg, &scene->handle->context, (size_t)1 << 28, error);
    bool empty = false;
    reprise_status status = rp_plot_write(&scene->export, &all, &svg, &empty, error);
    int cause = status == REPRISE_OK ? sink->write(sink->ctx, svg.data, svg.size) : 0;
    rp_writer_free(&svg);
    if (cause) {
        error->cause = cause;
        return rp_error_set(error, REPRISE_E_IO, "cannot write: %s", strerror(cause));
    }
    if (status == REPRISE_OK && ret_empty)
        *ret_empty = empty;
    return status;
}

reprise_status reprise_scene_compare(reprise_scene *a, const reprise_scene *b,
                                     const reprise_value **ret_comparison, reprise_error *error)
{
    RP_ENTER(error, a && b && ret_comparison);
    if (a->compared && a->compared != b)
        return rp_error_set(error, REPRISE_E_USAGE, "a scene can be compared with one other only");
    if (!a->compared)
        RP_TRY(rp_run_compare(&a->export.timeline, &b->export.timeline, &a->comparison, error));
    a->compared = b;
    *ret_comparison = a->comparison.about;
    return REPRISE_OK;
}

/* The first one is the scene's own, which `reprise_scene_compare` and plots show too. */
static reprise_status find_comparison(reprise_scene *a, const reprise_scene *b, bool own,
                                      rp_comparison *ret_comparison, reprise_error *why)
{
    if (!own)
        return rp_run_compare(&a->export.timeline, &b->export.timeline, ret_comparison, why);
    const reprise_value *about = NULL;
    RP_TRY(reprise_scene_compare(a, b, &about, why));
    *ret_comparison = a->comparison;
    return REPRISE_OK;
}

/* The first replay compared with another one, for the page; NULL if they are not runs. */
static reprise_value *compare_with(rp_doc *doc, const reprise_page_replay *replays, size_t other)
{
    reprise_scene *a = replays[0].scene, *b = replays[other].scene;
    reprise_error why = REPRISE_ERROR_INIT;
    rp_comparison found = {0};
    if (!a || !b)
        return NULL;
    reprise_status status = find_comparison(a, b, other == 1, &found, &why);
    if (status == REPRISE_E_UNSUPPORTED)
        return NULL;
    reprise_value *to = rp_new_object(doc);
    rp_set_int(doc, to, "a", 0);
    rp_set_int(doc, to, "b", (int64_t)other);
    if (status != REPRISE_OK) {
        rp_set_text(doc, to, "refused", why.message);
        return to;
    }
    for (size_t i = 0; i < reprise_value_count(found.about); i++)
        rp_set(doc, to, reprise_value_key(found.about, i), found.about->as.list.items[i].value);
    rp_timeline *t = &a->export.timeline;
    reprise_value *plots = rp_new_array(doc);
    t->doc.error = doc->error;
    rp_timeline_push_plot(t, plots, found.gap);
    if (reprise_value_count(plots))
        rp_set(doc, to, "gap", plots->as.list.items[0].value);
    return to;
}

static void add_comparisons(rp_doc *doc, const reprise_page_replay *replays, size_t count,
                            reprise_value *page)
{
    reprise_value *first = count > 1 ? compare_with(doc, replays, 1) : NULL;
    rp_set(doc, page, "compare", first ? first : rp_new_null(doc));
    reprise_value *rivals = rp_set_array(doc, page, "rivals");
    for (size_t i = 2; i < count; i++) {
        reprise_value *one = compare_with(doc, replays, i);
        if (one)
            rp_push(doc, rivals, one);
    }
}

static void build_page(rp_doc *doc, const reprise_page_replay *replays, size_t count,
                       reprise_value *page)
{
    rp_set_int(doc, page, "reprise", 1);
    reprise_value *list = rp_set_array(doc, page, "replays");
    for (size_t i = 0; i < count; i++) {
        reprise_value *to = rp_push_object(doc, list);
        rp_set(doc, to, "timeline", rp_new_format(doc, "%zu/timeline.json", i));
        rp_set(doc, to, "scene",
               replays[i].has_scene ? rp_new_format(doc, "%zu/scene.glb", i) : rp_new_null(doc));
        rp_set_f64(doc, to, "offset", replays[i].offset);
        rp_set_text(doc, to, "label", replays[i].label ? replays[i].label : "");
    }
    add_comparisons(doc, replays, count, page);
    reprise_value *start = rp_set_object(doc, page, "start");
    rp_set_int(doc, start, "t", 0);
    rp_set_text(doc, start, "camera", "orbit");
    rp_set_text(doc, page, "theme", "auto");
    rp_set_text(doc, page, "version", REPRISE_VERSION);
}

reprise_status reprise_page_write(const reprise_page_replay *replays, size_t count,
                                  const char *scenery, const reprise_sink *sink,
                                  reprise_error *error)
{
    RP_ENTER(error, replays && sink);
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_value *page = rp_new_object(&doc);
    build_page(&doc, replays, count, page);
    if (scenery)
        rp_set_text(&doc, page, "map", scenery);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = reprise_value_write(page, REPRISE_JSON_COMPACT, sink, error);
    rp_arena_free(&arena);
    return status;
}
