/* scene_export.c - see scene_export.h. */
#include "scene_export.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "heading.h"
#include "shapes.h"
#include "verify.h"
#include "whole.h"

static bool is_damage(reprise_status status)
{
    return status == REPRISE_E_TRUNCATED || status == REPRISE_E_CORRUPT ||
           status == REPRISE_E_CHECKSUM || status == REPRISE_E_SIGNATURE;
}

/* A part that ends before the damage is complete. */
static bool shows_the_end(const rp_scene_options *options)
{
    return options->time_to >= 1e300 && options->index_to == INT64_MAX;
}

/* The length of a part is the span of its content. */
static reprise_status measure(rp_scene_export *export, reprise_error *error)
{
    export->scene.length = rp_scene_duration(&export->scene);
    if (!rp_scene_is_complete(&export->scene))
        return REPRISE_OK;
    return rp_replay_length(export->replay, &export->scene.length, NULL, error);
}

static void push_pair(rp_doc *doc, reprise_value *list, const char *label, reprise_value *text)
{
    reprise_value *pair = rp_push(doc, list, rp_new_array(doc));
    rp_push(doc, pair, rp_new_text(doc, label));
    rp_push(doc, pair, text);
}

/* "battle_points" becomes "Battle points". */
static void make_label(char *to, size_t size, const char *key)
{
    rp_text_copy(to, size, key);
    for (char *c = to; *c; c++) {
        if (*c == '_')
            *c = ' ';
    }
    if (to[0] >= 'a' && to[0] <= 'z')
        to[0] = (char)(to[0] - 'a' + 'A');
}

/* A single value for people; NULL for lists and objects. */
static reprise_value *shown(rp_timeline *t, const reprise_value *value)
{
    rp_doc *doc = &t->doc;
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_STRING:
        return rp_new_text(doc, rp_timeline_plain(t, text, size));
    case REPRISE_VALUE_BOOL:
        return rp_new_text(doc, reprise_value_bool(value, false) ? "yes" : "no");
    case REPRISE_VALUE_INT:
    case REPRISE_VALUE_UINT:
        return rp_new_format(doc, "%lld", (long long)reprise_value_int(value, 0));
    case REPRISE_VALUE_FLOAT:
    case REPRISE_VALUE_DOUBLE:
        return rp_new_format(doc, "%.6g", reprise_value_double(value, 0));
    default:
        return NULL;
    }
}

static void add_info(rp_timeline *t, const reprise_value *info)
{
    for (size_t i = 0; i < reprise_value_count(info); i++) {
        reprise_value *text = shown(t, reprise_value_at(info, i));
        char label[64];
        make_label(label, sizeof label, reprise_value_key(info, i));
        if (text)
            push_pair(&t->doc, t->info, label, text);
    }
}

/* The facts in the heading, if the file has them. */
static void add_facts(rp_timeline *t, const reprise_value *info)
{
    static const char *const names[] = {"date", "version", "rate", "fps", "mod"};
    const reprise_value *map = rp_get(info, "map");
    reprise_value *map_name = shown(t, map && reprise_value_count(map) ? rp_get(map, "name") : map);
    if (map_name)
        push_pair(&t->doc, t->facts, "Map", map_name);
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        reprise_value *text = shown(t, rp_get(info, names[i]));
        char label[64];
        make_label(label, sizeof label, names[i]);
        if (text)
            push_pair(&t->doc, t->facts, label, text);
    }
}

static void add_private(rp_timeline *t, const reprise_value *info)
{
    const reprise_value *from = rp_get(info, "private");
    reprise_value *list = rp_set_array(&t->doc, t->root, "private");
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const reprise_value *item = reprise_value_at(from, i);
        const char *what = rp_get_text(item, "what");
        if (what)
            rp_push(&t->doc, list,
                    rp_new_format(&t->doc, "%lld %s",
                                  (long long)reprise_value_int(rp_get(item, "count"), 1), what));
    }
}

static void add_warning(rp_timeline *t, const char *id, const char *level, const char *text)
{
    reprise_value *warning = rp_push_object(&t->doc, t->warnings);
    rp_set_text(&t->doc, warning, "id", id);
    rp_set_text(&t->doc, warning, "level", level);
    rp_set_text(&t->doc, warning, "text", text);
}

static void add_findings(rp_timeline *t, const rp_findings *findings)
{
    static const char *const levels[] = {"note", "warn", "error"};
    for (const rp_finding *f = findings->first; f; f = f->next)
        add_warning(t, f->about.id, levels[f->about.severity], f->about.message);
}

static void add_damage(rp_scene_export *export)
{
    rp_timeline *t = &export->timeline;
    char id[64], text[REPRISE_ERROR_TEXT_MAX];
    double until = rp_scene_duration(&export->scene);
    snprintf(id, sizeof id, "%s.%s", export->replay->format->name,
             reprise_status_name(export->damage.status));
    snprintf(text, sizeof text,
             "The file is damaged: everything up to %d:%05.2f can be seen, the rest is lost (%s).",
             (int)rp_whole_i32(until / 60), until - 60 * (double)rp_whole_i32(until / 60),
             export->damage.message);
    add_warning(t, id, "error", text);
    reprise_value *warning = t->warnings->as.list.items[t->warnings->as.list.count - 1].value;
    rp_set_f64(&t->doc, warning, "t0", until);
    rp_set_bool(&t->doc, warning, "spoiler", true);
}

static void describe(rp_scene_export *export, const reprise_value *info, const char *name)
{
    rp_timeline *t = &export->timeline;
    rp_doc *doc = &t->doc;
    reprise_value *source = t->source;
    rp_set_text(doc, source, "name", name);
    rp_set_text(doc, source, "format", export->replay->format->name);
    rp_set_text(doc, source, "layout", export->replay->layout ? export->replay->layout : "");
    rp_heading_set(t, info, name);
    rp_set_seconds(doc, source, "duration", export->scene.length);
    rp_set_f64(doc, source, "time_offset", export->scene.offset);
    bool complete = export->damage.status == REPRISE_OK;
    rp_set_bool(doc, source, "complete", complete);
    /* Except where a frame is shown until the next would be due. */
    if (!complete || rp_scene_duration(&export->scene) > export->scene.length + 0.001)
        rp_set_f64(doc, source, "read_to", rp_scene_duration(&export->scene));
    rp_set_bool(doc, source, "scene", export->scene.nodes.count > 0);
    add_facts(t, info);
    add_info(t, info);
    add_private(t, info);
    add_findings(t, &export->replay->findings);
    if (!complete)
        add_damage(export);
    const char *const *losses = export->scene.losses.items;
    for (size_t i = 0; i < export->scene.losses.count; i++) {
        char text[REPRISE_ERROR_TEXT_MAX];
        snprintf(text, sizeof text, "Not in the scene: %s.", losses[i]);
        add_warning(t, "scene.left-out", "note", text);
    }
    if (export->scene.options.notice)
        add_warning(t, "window", "warn", export->scene.options.notice);
    if (t->markers_left_out)
        add_warning(t, "markers-left-out", "note", "There are more markers than are shown.");
}

/* ---- a camera for scenes without one ---- */

static void take_in(rp_vec3 *low, rp_vec3 *high, bool *any, rp_vec3 p)
{
    *low = *any ? (rp_vec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)} : p;
    *high = *any ? (rp_vec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)} : p;
    *any = true;
}

/* The first position of a node through its parents; rotations matter little from afar. */
static rp_vec3 position_of(const rp_scene *scene, const rp_node *node)
{
    rp_vec3 sum = {0, 0, 0};
    for (;;) {
        const rp_channel *c = node->channels[RP_CHANNEL_POSITION];
        rp_vec3 at = node->position;
        if (c && (c->kept || c->any))
            memcpy(&at, c->kept ? c->first.value : c->raw.value, sizeof at);
        sum = (rp_vec3){sum.x + at.x, sum.y + at.y, sum.z + at.z};
        if (node->parent < 0)
            return sum;
        node = &rp_scene_nodes(scene)[node->parent];
    }
}

static void add_overview(rp_scene *scene)
{
    const rp_accessor *accessors = scene->accessors.items;
    const rp_mesh *meshes = scene->meshes.items;
    const rp_skin *skins = scene->skins.items;
    rp_vec3 low = {0, 0, 0}, high = {0, 0, 0};
    bool any = false;
    for (size_t i = 0; i < scene->nodes.count; i++) {
        const rp_node *node = &rp_scene_nodes(scene)[i];
        if (node->mesh < 0)
            continue;
        const rp_accessor *form = &accessors[meshes[node->mesh].primitives[0].attributes[0]];
        /* A skin is where its first joint is. */
        const rp_node *placed = node->skin < 0
                                    ? node
                                    : &rp_scene_nodes(scene)[skins[node->skin].joints[0]];
        rp_vec3 at = position_of(scene, placed);
        take_in(&low, &high, &any,
                (rp_vec3){at.x + form->low[0], at.y + form->low[1], at.z + form->low[2]});
        take_in(&low, &high, &any,
                (rp_vec3){at.x + form->high[0], at.y + form->high[1], at.z + form->high[2]});
    }
    if (any)
        rp_overview_camera(scene, (rp_vec3){low.x - 1, low.y, low.z - 1},
                           (rp_vec3){high.x + 1, high.y + 2, high.z + 1}, false);
}

reprise_status rp_scene_export_open(rp_scene_export *export, rp_replay *replay,
                                    const rp_scene_options *options, const char *name,
                                    reprise_error *error)
{
    *export = (rp_scene_export){.replay = replay};
    const rp_format *format = replay->format;
    if (!format->scene)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "there is nothing to see in a %s file",
                            replay->format->name);
    rp_scene_init(&export->scene, replay->context, options, error);
    rp_timeline_init(&export->timeline, replay->context, error);
    export->timeline.keep_points = options->keep_points;
    RP_TRY(error->status);
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = format->scene(replay, &export->scene, &export->timeline, &damage);
    RP_TRY(error->status);
    if (is_damage(status) ||
        (status == REPRISE_OK && shows_the_end(options) && rp_replay_cut(replay, &damage))) {
        export->damage = damage;
    } else if (status != REPRISE_OK) {
        *error = damage;
        return status;
    }
    if (!export->scene.cameras.count)
        add_overview(&export->scene);
    rp_doc doc = {.arena = &export->timeline.arena, .error = error};
    reprise_value *info = NULL;
    RP_TRY(rp_describe_info(replay, &doc, &info, error));
    /* The timeline includes the list of private data, so damage to that counts here. */
    rp_findings_take_damage(&replay->findings, &replay->unlisted);
    RP_TRY(rp_scene_end(&export->scene));
    RP_TRY(measure(export, error));
    describe(export, info, name);
    RP_TRY(rp_timeline_end(&export->timeline));
    /* The timeline has a table of signatures, so they are checked as well. */
    if (shows_the_end(options))
        RP_TRY(rp_check(replay, error));
    /* A cut after the range does not matter. */
    reprise_error cut;
    if (shows_the_end(options) || !rp_replay_cut(replay, &cut))
        (void)rp_replay_damage(replay, &export->left_out);
    return REPRISE_OK;
}

void rp_scene_export_close(rp_scene_export *export)
{
    rp_scene_free(&export->scene);
    rp_timeline_free(&export->timeline);
}
