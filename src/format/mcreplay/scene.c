/*
 * scene.c - the scene and timeline: entities one after the other, and the world. scene_figure.c
 * shows an entity.
 */
#include <math.h>
#include <stdlib.h>

#include "analyse.h"
#include "scene_builder.h"

enum { ENTITIES_MAX = 65536 };

typedef struct span {
    double from, to;
    const char *name;
} span;

/* The first few moving entities get a colour, a plot and a place in the corner. */
enum { FOLLOWED_MAX = 8 };
typedef struct followed {
    rp_series *speed;
    mc_motion motion;
    float time; /* of the last frame, if `seen` */
    bool seen;
} followed;

/* The first view is of the entity whose poses change most often. */
typedef struct focus {
    rp_vec3 position; /* when it is first seen */
    uint64_t changes;
    bool any;
} focus;

typedef struct stage {
    mc_scene_builder base;
    rp_vector spans; /* span */
    rp_table *entities;
    rp_plot *speeds;
    rp_activity *movement; /* metres moved by all entities */
    size_t followed_count;
    followed now;         /* the entity being shown */
    focus focus, of_now;  /* of all so far, and of the current entity */
    rp_vec3 middle;       /* of the world, where there are no entities */
    mc_transform *before; /* of the parts in the previous frame, then of the entity itself */
} stage;

static rp_cell text_cell(const rp_text *text)
{
    return (rp_cell){.text = text->data ? text->data : ""};
}

static const char *copy_text(stage *s, const rp_text *text)
{
    rp_timeline *t = s->base.timeline;
    const char *copy = text->data ? rp_arena_text(&t->arena, text->data, text->size, t->doc.error)
                                  : NULL;
    return copy ? copy : "";
}

/* ---- motion ---- */

static rp_vec3 position_of(const mc_transform *t, const double offset[3])
{
    return (rp_vec3){(float)(t->pos_x + offset[0]), (float)(t->pos_y + offset[1]),
                     (float)(t->pos_z + offset[2])};
}

static void note_speed(stage *s, const mc_entity *entity, int32_t root)
{
    rp_timeline *t = s->base.timeline;
    followed *f = &s->now;
    const mc_transform *at = &entity->root;
    double metres = mc_motion_step(&f->motion, at->pos_x, at->pos_y, at->pos_z);
    float now = s->base.scene->now, passed = now - f->time;
    if (!f->seen && s->followed_count < FOLLOWED_MAX && root >= 0) {
        if (!s->speeds)
            s->speeds = rp_timeline_plot(t, "speed", "Speed", "m/s", "line", 0, 0);
        f->speed = rp_plot_series(t, s->speeds, copy_text(s, &entity->row.name),
                                  (int32_t)s->followed_count);
    }
    if (f->seen && passed > 0) {
        rp_activity_add(t, s->movement, (double)now, metres);
        rp_series_add(t, f->speed, (double)now, metres / (double)passed);
    }
    f->seen = true;
    f->time = now;
}

static bool has_changed(mc_transform *before, const mc_transform *now)
{
    bool changed = memcmp(before, now, sizeof *now) != 0;
    *before = *now;
    return changed;
}

/* Recordings may repeat unchanged poses, so only those that differ count. */
static void note_changes(stage *s, const mc_entity *entity, bool shown)
{
    uint64_t changes = has_changed(&s->before[entity->part_count], &entity->root);
    for (uint32_t i = 0; i < entity->part_count; i++)
        changes += has_changed(&s->before[i], &entity->part_states[i].transform);
    focus *f = &s->of_now;
    if (!shown)
        return;
    if (f->any)
        f->changes += changes;
    else
        f->position = position_of(&entity->root, s->base.replay->offset);
    f->any = true;
}

/* Shows all frames. The first one has been read already, with the result `status`. */
static reprise_status play(stage *s, mc_entity_reader *reader, mc_figure *f, reprise_status status,
                           span *ret_span, reprise_error *error)
{
    const mc_entity *entity = mc_entity_of(reader);
    double fps = entity->row.fps > 0 ? entity->row.fps : 20, start = entity->row.start_time;
    bool first = true;
    if (status == REPRISE_OK)
        rp_scene_show_at(s->base.scene, f->figure, false, 0);
    for (int64_t frame = 0; status == REPRISE_OK; frame++) {
        rp_when when = rp_scene_clock(s->base.scene, frame, start + (double)frame / fps);
        if (when == RP_TOO_LATE)
            return REPRISE_OK;
        mc_figure_see(&s->base, entity, f, first);
        note_changes(s, entity, when == RP_SHOWN);
        if (when == RP_SHOWN)
            note_speed(s, entity, f->root);
        first = false;
        status = mc_entity_next(reader, error);
    }
    if (first) {
        /* Without an animation the entity is always visible. */
        mc_figure_see(&s->base, entity, f, true);
        note_changes(s, entity, true);
        return status == REPRISE_END ? REPRISE_OK : status;
    }
    *ret_span = (span){.from = rp_scene_time(s->base.scene, start),
                       .to = (double)s->base.scene->now + 1 / fps};
    rp_scene_show_at(s->base.scene, f->figure, false, ret_span->to);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static const rp_table_column entity_columns[] = {
    {"t", "From", "s", RP_CELL_F32},        {"to", "To", "s", RP_CELL_F32},
    {"name", "Entity", NULL, RP_CELL_TEXT}, {"class", "Class", NULL, RP_CELL_TEXT},
    {"parts", "Parts", NULL, RP_CELL_I32},
};

/* One of the followed entities, which the viewer treats as players. */
static void introduce(stage *s, const mc_entity *entity, int32_t root)
{
    rp_doc *doc = &s->base.timeline->doc;
    int64_t number = (int64_t)s->followed_count++;
    rp_series_add(s->base.timeline, s->now.speed, nextafter((double)s->now.time, INFINITY),
                  (double)NAN);
    reprise_value *player = rp_push_object(doc, s->base.timeline->players);
    rp_set_int(doc, player, "id", number);
    rp_set_text(doc, player, "name", copy_text(s, &entity->row.name));
    rp_set_int(doc, player, "slot", number);
    rp_set_int(doc, player, "body", root);
    reprise_value *hud = rp_push_object(doc, s->base.timeline->hud);
    rp_set_int(doc, hud, "player", number);
    rp_set_text(doc, hud, "plot", "speed");
    rp_set_int(doc, hud, "series", number);
    rp_set_text(doc, hud, "suffix", " m/s");
    rp_set_text(doc, hud, "prefix", copy_text(s, &entity->row.class));
}

static void note_entity(stage *s, const mc_entity *entity, int32_t root, span when)
{
    rp_doc *doc = &s->base.timeline->doc;
    const rp_cell cells[RP_COUNT(entity_columns)] = {
        {.number = when.from},          {.number = when.to},
        text_cell(&entity->row.name),   text_cell(&entity->row.class),
        {.number = entity->part_count},
    };
    rp_table_row(s->base.timeline, s->entities, cells);
    reprise_value *label = rp_push_object(doc, s->base.timeline->labels);
    rp_set_int(doc, label, "node", root);
    rp_set_text(doc, label, "text", copy_text(s, &entity->row.name));
    if (s->now.speed) {
        rp_set_uint(doc, label, "player", s->followed_count);
        introduce(s, entity, root);
    }
    when.name = copy_text(s, &entity->row.name);
    if (when.from > 0)
        rp_timeline_marker(s->base.timeline, when.from, "spawn", -1, 1,
                           copy_text(s, &entity->row.name));
    span *to = rp_vector_add(s->base.scene->context, &s->spans, sizeof *to, s->base.scene->error);
    if (to)
        *to = when;
}

static bool remember_none(stage *s, const mc_entity *entity)
{
    s->before = rp_arena_array(&s->base.scratch, entity->part_count + (size_t)1, sizeof *s->before,
                               s->base.scene->error);
    return s->before != NULL;
}

static reprise_status show_entity(stage *s, size_t index, reprise_error *error)
{
    mc_entity_reader *reader = NULL;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = mc_entity_open(s->base.replay, index, &reader, &failure);
    mc_figure f = {.root = -1};
    span when = {.from = 0};
    s->now = (followed){0};
    s->of_now = (focus){.any = false};
    rp_scene_rewind(s->base.scene);
    if (status == REPRISE_OK && remember_none(s, mc_entity_of(reader))) {
        reprise_status read = mc_entity_next(reader, &failure);
        if (mc_figure_build(&s->base, mc_entity_of(reader), &f))
            status = play(s, reader, &f, read, &when, &failure);
        mc_figure_end(&s->base, mc_entity_of(reader), &f);
        note_entity(s, mc_entity_of(reader), f.root, when);
        if (s->of_now.any && (!s->focus.any || s->of_now.changes > s->focus.changes))
            s->focus = s->of_now;
    }
    mc_entity_close(reader);
    rp_arena_reset(&s->base.scratch);
    return status == REPRISE_OK ? REPRISE_OK
                                : mc_entity_failed(s->base.replay, index, &failure, error);
}

/* ---- the end ---- */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static const rp_table_column material_columns[] = {
    {"name", "Material", NULL, RP_CELL_TEXT},
    {"of", "Used by", NULL, RP_CELL_TEXT},
    {"opaque", "Opaque", NULL, RP_CELL_TEXT},
    {"tinted", "Tinted", NULL, RP_CELL_TEXT},
};

static void list_materials(stage *s)
{
    rp_table *table = rp_timeline_table(s->base.timeline, "materials", "Materials", NULL,
                                        material_columns, RP_COUNT(material_columns));
    for (uint32_t i = 0; i < s->base.looks.count; i++) {
        const mc_look *look = mc_look_at(&s->base, i);
        const rp_cell cells[RP_COUNT(material_columns)] = {
            {.text = look->name},
            {.text = look->scope == MC_SCOPE_REPLAY ? "entities" : "world"},
            {.text = look->opaque ? "yes" : "no"},
            {.text = look->tinted ? "yes" : "no"},
        };
        rp_table_row(s->base.timeline, table, cells);
    }
}

/* Plots how many entities there are, and adds a clock of twenty frames a second, as in the game. */
static void finish(stage *s)
{
    size_t n = s->spans.count;
    const span *spans = s->spans.items;
    double *from = rp_arena_array(&s->base.scratch, n, sizeof *from, s->base.scene->error);
    double *to = rp_arena_array(&s->base.scratch, n, sizeof *to, s->base.scene->error);
    if (!from || !to)
        return;
    double duration = rp_scene_duration(s->base.scene);
    for (size_t i = 0; i < n; i++) {
        from[i] = spans[i].from;
        to[i] = spans[i].to > spans[i].from ? spans[i].to : duration + 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (spans[i].to > spans[i].from && spans[i].to < duration - 0.1)
            rp_timeline_marker(s->base.timeline, spans[i].to, "vanish", -1, 1, spans[i].name);
    }
    qsort(from, n, sizeof *from, by_number);
    qsort(to, n, sizeof *to, by_number);
    rp_plot *plot = rp_timeline_plot(s->base.timeline, "entities", "Entities", "", "step", 0, 0);
    rp_series *alive = rp_plot_series(s->base.timeline, plot, "entities", -1);
    for (size_t i = 0, gone = 0; i < n; i++) {
        while (gone < n && to[gone] <= from[i]) {
            rp_series_add(s->base.timeline, alive, to[gone], (double)(i - gone - 1));
            gone++;
        }
        rp_series_add(s->base.timeline, alive, fmax(from[i], 0), (double)(i + 1 - gone));
    }
    for (double t = 0; t <= fmin(duration, 1e5); t += 0.05)
        rp_timeline_clock(s->base.timeline, (float)t);
}

static void suggest_camera(stage *s)
{
    rp_doc *doc = &s->base.timeline->doc;
    reprise_value *orbit = rp_push_object(doc, s->base.timeline->cameras);
    rp_set_text(doc, orbit, "id", "orbit");
    rp_set_text(doc, orbit, "kind", "orbit");
    reprise_value *target = rp_set_array(doc, orbit, "target");
    rp_vec3 middle = s->focus.any ? s->focus.position : s->middle;
    const float at[3] = {middle.x, middle.y + 1, middle.z};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, at[i]));
    rp_set_f32(doc, orbit, "distance", 8);
}

/* Frames of the complete scene are counted at the rate of its first entity, as in read_seek.c. */
static reprise_status begin(stage *s, reprise_error *error)
{
    const rp_scene_options *options = &s->base.scene->options;
    RP_TRY(mc_scene_rate(s->base.replay, &s->base.rate, error));
    for (size_t i = 0; i < 3; i++)
        s->base.scene->world_offset[i] = -s->base.replay->offset[i];
    double from = RP_MAX(options->time_from, (double)options->index_from / s->base.rate);
    if (from > 0)
        rp_scene_start(s->base.scene, from);
    s->movement = rp_timeline_activity(s->base.timeline, "movement", "m", -1);
    s->entities = rp_timeline_table(s->base.timeline, "entities", "Entities", "t", entity_columns,
                                    RP_COUNT(entity_columns));
    return REPRISE_OK;
}

static bool shows_any(const rp_scene *scene, unsigned first, unsigned second, unsigned third)
{
    return rp_scene_shows(scene, first) || rp_scene_shows(scene, second) ||
           rp_scene_shows(scene, third);
}

reprise_status mc_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                        reprise_error *error)
{
    stage s = {.base = {.replay = (mc_replay *)base, .scene = scene, .timeline = timeline}};
    rp_arena_init(&s.base.scratch, base->context);
    reprise_status status = begin(&s, error);
    size_t count = RP_MIN(s.base.replay->outer.entities.count, ENTITIES_MAX);
    if (!shows_any(scene, MC_ENTITIES, MC_PARTS, MC_FRAMES))
        count = 0;
    for (size_t i = 0; status == REPRISE_OK && scene->error->status == REPRISE_OK && i < count; i++)
        status = show_entity(&s, i, error);
    /* The world comes last, so that a damaged one costs nothing else. */
    if (status == REPRISE_OK && s.base.replay->has_world &&
        shows_any(scene, MC_BLOCKS, MC_WORLD_FRAMES, MC_BLOCKS))
        status = mc_scene_builder_world(&s.base, &s.middle, error);
    rp_arena_reset(&s.base.scratch);
    finish(&s);
    suggest_camera(&s);
    list_materials(&s);
    rp_vector_free(base->context, &s.base.looks, sizeof(mc_look));
    rp_vector_free(base->context, &s.base.pictures, sizeof(mc_picture));
    rp_vector_free(base->context, &s.spans, sizeof(span));
    rp_arena_free(&s.base.scratch);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
