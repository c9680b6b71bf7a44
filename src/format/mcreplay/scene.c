/*
 * scene.c - the scene: entities one after the other, and the world. scene_figure.c shows an entity,
 * scene_world.c the world.
 */
#include <math.h>

#include "scene_builder.h"

enum { ENTITIES_MAX = 65536 };

/* The first view is of the entity whose poses change most often, and of those near it. */
typedef struct focus {
    rp_vec3 position; /* when it is first seen */
    uint64_t changes;
    bool any;
} focus;

typedef struct stage {
    mc_scene_builder base;
    focus focus, of_now;  /* of all so far, and of the current entity */
    rp_vector firsts;     /* rp_vec3: where each entity is first seen */
    rp_vec3 middle;       /* of the world, where there are no entities */
    mc_transform *before; /* of the parts in the previous frame, then of the entity itself */
} stage;

/* ---- motion ---- */

static rp_vec3 position_of(const mc_transform *t, const double offset[3])
{
    return (rp_vec3){(float)(t->pos_x + offset[0]), (float)(t->pos_y + offset[1]),
                     (float)(t->pos_z + offset[2])};
}

static bool has_changed(mc_transform *before, const mc_transform *now)
{
    bool changed = memcmp(before, now, sizeof *now) != 0;
    *before = *now;
    return changed;
}

static void note_first(stage *s, rp_vec3 position)
{
    rp_scene *scene = s->base.scene;
    rp_vec3 *first = rp_vector_add(scene->context, &s->firsts, sizeof *first, scene->error);
    if (first)
        *first = position;
    s->of_now.position = position;
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
        note_first(s, position_of(&entity->root, s->base.replay->offset));
    f->any = true;
}

static reprise_status end_of(const mc_entity_reader *reader, reprise_status status)
{
    if (status != REPRISE_END)
        return status;
    mc_entity_keep_end(reader);
    return REPRISE_OK;
}

/* Shows all frames. The first one has been read already, with the result `status`. */
static reprise_status play(stage *s, mc_entity_reader *reader, mc_figure *f, reprise_status status,
                           mc_span *ret_span, reprise_error *error)
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
        mc_figure_update(&s->base, entity, f, first);
        note_changes(s, entity, when == RP_SHOWN);
        if (when == RP_SHOWN)
            mc_timeline_motion(&s->base, entity, f->root);
        first = false;
        status = mc_entity_next(reader, error);
    }
    if (first) {
        /* Without an animation the entity is always visible. */
        mc_figure_update(&s->base, entity, f, true);
        note_changes(s, entity, true);
        return end_of(reader, status);
    }
    *ret_span = (mc_span){.from = rp_scene_time(s->base.scene, start),
                          .to = (double)s->base.scene->now + 1 / fps};
    rp_scene_show_at(s->base.scene, f->figure, false, ret_span->to);
    return end_of(reader, status);
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
    mc_span when = {.from = 0};
    s->base.lines.now = (mc_followed){0};
    s->of_now = (focus){.any = false};
    rp_scene_rewind(s->base.scene);
    if (status == REPRISE_OK && remember_none(s, mc_entity_of(reader))) {
        reprise_status read = mc_entity_next(reader, &failure);
        if (mc_figure_build(&s->base, mc_entity_of(reader), &f))
            status = play(s, reader, &f, read, &when, &failure);
        mc_figure_end(&s->base, mc_entity_of(reader), &f);
        mc_timeline_entity(&s->base, mc_entity_of(reader), f.root, when);
        if (s->of_now.any && (!s->focus.any || s->of_now.changes > s->focus.changes))
            s->focus = s->of_now;
    }
    mc_entity_close(reader);
    rp_arena_reset(&s->base.scratch);
    return status == REPRISE_OK ? REPRISE_OK
                                : mc_entity_failed(s->base.replay, index, &failure, error);
}

/* ---- the end ---- */

/* The box around the entities near the one in focus, which is itself in it. */
static void find_company(const stage *s, rp_vec3 *ret_low, rp_vec3 *ret_high)
{
    const double near_m = 8;
    const rp_vec3 *all = s->firsts.items, at = s->focus.position;
    rp_vec3 low = at, high = at;
    for (size_t i = 0; i < s->firsts.count; i++) {
        if (!(rp_distance(all[i], at) <= near_m))
            continue;
        low = (rp_vec3){fminf(low.x, all[i].x), fminf(low.y, all[i].y), fminf(low.z, all[i].z)};
        high = (rp_vec3){fmaxf(high.x, all[i].x), fmaxf(high.y, all[i].y), fmaxf(high.z, all[i].z)};
    }
    *ret_low = low;
    *ret_high = high;
}

static void suggest_camera(stage *s)
{
    /* One figure fills a third of the picture from 8 m; positions are those of feet. */
    const double least_m = 8, per_metre = 1.2;
    const float waist_m = 1;
    rp_vec3 low = s->middle, high = s->middle;
    if (s->focus.any)
        find_company(s, &low, &high);
    rp_doc *doc = &s->base.timeline->doc;
    reprise_value *orbit = rp_push_object(doc, s->base.timeline->cameras);
    rp_set_text(doc, orbit, "id", "orbit");
    rp_set_text(doc, orbit, "kind", "orbit");
    reprise_value *target = rp_set_array(doc, orbit, "target");
    const float at[3] = {(low.x + high.x) / 2, (low.y + high.y) / 2 + waist_m,
                         (low.z + high.z) / 2};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, at[i]));
    rp_set_f32(doc, orbit, "distance",
               (float)fmax(least_m, least_m / 2 + per_metre * rp_distance(low, high)));
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
    mc_timeline_begin(&s->base);
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
    mc_timeline_end(&s.base);
    suggest_camera(&s);
    rp_vector_free(base->context, &s.firsts, sizeof(rp_vec3));
    rp_vector_free(base->context, &s.base.looks, sizeof(mc_look));
    rp_vector_free(base->context, &s.base.pictures, sizeof(mc_picture));
    rp_vector_free(base->context, &s.base.lines.spans, sizeof(mc_span));
    rp_arena_free(&s.base.scratch);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
