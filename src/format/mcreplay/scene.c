/*
 * scene.c - entities with their own meshes and rigs, and the world around them. Parts of multipart
 * models hang in one another as they are nested; bones of armatures stand beside each other, each
 * in its rest pose, as the format has it.
 */
#include <math.h>
#include <stdlib.h>

#include "stage.h"

enum { ENTITIES_MAX = 65536, LEAVES_MAX = 4096 };

typedef struct span {
    double from, to;
    const char *name;
} span;

/* The first few that move get colours, a plot and a place in the corner. */
enum { FOLLOWED_MAX = 8 };
typedef struct followed {
    rp_series *speed;
    rp_vec3 place;
    float time;
    bool seen;
} followed;

/* Where to look first: at the entity whose poses change most often. */
typedef struct focus {
    rp_vec3 place; /* when it is first seen */
    uint64_t changes;
    bool any;
} focus;

typedef struct stage {
    mc_show base;
    rp_vector spans; /* span */
    rp_table *entities;
    rp_plot *speeds;
    rp_activity *movement; /* metres that all of them go */
    size_t followed_count;
    followed now;        /* the entity being shown */
    focus focus, of_now; /* of all so far, and of the entity being shown */
    rp_vec3 middle;      /* of the world, where there are no entities */
} stage;

/* The nodes of one entity. */
typedef struct puppet {
    int32_t root;
    int32_t *parts;      /* what moves */
    int32_t *leaves;     /* what is seen */
    int32_t *leaf_parts; /* the part a leaf belongs to, -1: the entity */
    size_t leaf_count;
    mc_transform *before; /* of the parts in the frame before, the entity's own last */
} puppet;

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

/* ---- meshes ---- */

/* Faces of one material and, for armatures, of one bone. */
typedef struct choice {
    int32_t material;
    bool by_group;
    const char *group; /* NULL: those that belong to no bone */
    size_t group_size;
    const mc_entity *entity;
} choice;

static bool names_bone(const mc_entity *entity, const rp_obj_name *name)
{
    for (uint32_t i = 0; i < entity->part_count; i++) {
        const rp_text *part = &entity->parts[i].name;
        if (part->size == name->size && memcmp(part->data, name->text, name->size) == 0)
            return true;
    }
    return false;
}

static bool wanted(const rp_obj *obj, const rp_obj_face *face, void *ctx)
{
    const choice *c = ctx;
    if (face->material != c->material)
        return false;
    if (!c->by_group)
        return true;
    const rp_obj_name *group = face->group >= 0 ? &obj->names[face->group] : NULL;
    if (!c->group)
        return !group || !names_bone(c->entity, group);
    return group && group->size == c->group_size && memcmp(group->text, c->group, group->size) == 0;
}

static bool add_triangles(stage *s, const rp_obj *obj, choice *c, rp_geometry *to)
{
    static const rp_obj_name none = {"default", 7};
    const rp_obj_name *name = c->material >= 0 ? &obj->names[c->material] : &none;
    uint32_t look = mc_look_of(&s->base, MC_SCOPE_REPLAY, name->text, name->size);
    return mc_look_triangles(&s->base, obj, wanted, c, look, to);
}

/* One mesh with a part per material. */
static int32_t build_mesh(stage *s, const mc_entity *entity, const rp_obj *obj, bool by_group,
                          const rp_text *bone)
{
    enum { MATERIALS_MAX = 64 };
    rp_geometry parts[MATERIALS_MAX];
    size_t count = 0;
    for (int32_t m = -1; m < (int32_t)obj->name_count && count < MATERIALS_MAX; m++) {
        bool used = false;
        for (size_t i = 0; !used && i < obj->face_count; i++)
            used = obj->faces[i].material == m;
        choice c = {.material = m,
                    .by_group = by_group,
                    .group = bone ? bone->data : NULL,
                    .group_size = bone ? bone->size : 0,
                    .entity = entity};
        if (used && add_triangles(s, obj, &c, &parts[count]))
            count++;
    }
    return count ? rp_scene_mesh(s->base.scene, copy_text(s, &entity->row.name), parts, count, 0)
                 : -1;
}

/* ---- nodes ---- */

static rp_quat turn_of(double x, double y, double z, double w)
{
    return rp_turn_unit((rp_quat){(float)x, (float)y, (float)z, (float)w});
}

static int32_t add_node(stage *s, const mc_entity *entity, const rp_text *name, const char *kind,
                        int32_t parent, int32_t mesh)
{
    rp_node node = {RP_NODE};
    node.name = copy_text(s, name);
    node.id = copy_text(s, &entity->row.file);
    node.kind = kind;
    node.parent = parent;
    node.mesh = mesh;
    return rp_scene_node(s->base.scene, &node);
}

static void add_leaf(stage *s, puppet *p, const mc_entity *entity, const rp_text *name,
                     int32_t part, int32_t mesh)
{
    if (mesh < 0 || p->leaf_count >= LEAVES_MAX)
        return;
    int32_t parent = part >= 0 ? p->parts[part] : p->root;
    int32_t leaf = add_node(s, entity, name, "mesh", parent, mesh);
    if (leaf < 0)
        return;
    if (entity->row.rig != MC_MULTIPART && part >= 0) {
        /* The mesh is given as it stands in the rest pose: out of that, into the bone's own. */
        const mc_part *b = &entity->parts[part];
        rp_quat rest = turn_of(b->rest_rot_x, b->rest_rot_y, b->rest_rot_z, b->rest_rot_w);
        rp_quat back = {-rest.x, -rest.y, -rest.z, rest.w};
        rp_vec3 at = {-(float)b->rest_x, -(float)b->rest_y, -(float)b->rest_z};
        rp_scene_nodes(s->base.scene)[leaf].turn = back;
        rp_scene_nodes(s->base.scene)[leaf].place = rp_turn_apply(back, at);
    }
    p->leaves[p->leaf_count] = leaf;
    p->leaf_parts[p->leaf_count++] = part;
}

/* A bone's rest pose is a node of its own, in which the bone moves. */
static int32_t add_rest(stage *s, const mc_entity *entity, const mc_part *bone, int32_t root)
{
    int32_t rest = add_node(s, entity, &bone->name, "rest", root, -1);
    if (rest >= 0) {
        rp_node *node = &rp_scene_nodes(s->base.scene)[rest];
        node->place = (rp_vec3){(float)bone->rest_x, (float)bone->rest_y, (float)bone->rest_z};
        node->turn = turn_of(bone->rest_rot_x, bone->rest_rot_y, bone->rest_rot_z,
                             bone->rest_rot_w);
    }
    return rest;
}

static bool build_puppet(stage *s, const mc_entity *entity, puppet *p)
{
    reprise_error *error = s->base.scene->error;
    p->parts = rp_arena_array(&s->base.scratch, entity->part_count + 1, sizeof *p->parts, error);
    p->leaves = rp_arena_array(&s->base.scratch, LEAVES_MAX, sizeof *p->leaves, error);
    p->leaf_parts = rp_arena_array(&s->base.scratch, LEAVES_MAX, sizeof *p->leaf_parts, error);
    p->before = rp_arena_array(&s->base.scratch, entity->part_count + 1, sizeof *p->before, error);
    if (!p->parts || !p->leaves || !p->leaf_parts || !p->before)
        return false;
    bool multipart = entity->row.rig == MC_MULTIPART;
    p->root = add_node(s, entity, &entity->row.name, "entity", -1, -1);
    for (uint32_t i = 0; i < entity->part_count; i++) {
        const mc_part *part = &entity->parts[i];
        int32_t parent = !multipart          ? add_rest(s, entity, part, p->root)
                         : part->parent >= 0 ? p->parts[part->parent]
                                             : p->root;
        p->parts[i] = add_node(s, entity, &part->name, multipart ? "part" : "bone", parent, -1);
    }
    for (uint32_t i = 0; i < entity->mesh_count; i++) {
        const rp_obj *obj = &entity->objs[i];
        int32_t part = entity->meshes[i].part;
        if (multipart) {
            const rp_text *name = part >= 0 ? &entity->parts[part].name : &entity->row.name;
            add_leaf(s, p, entity, name, part, build_mesh(s, entity, obj, false, NULL));
            continue;
        }
        for (uint32_t b = 0; b < entity->part_count; b++)
            add_leaf(s, p, entity, &entity->parts[b].name, (int32_t)b,
                     build_mesh(s, entity, obj, true, &entity->parts[b].name));
        add_leaf(s, p, entity, &entity->row.name, -1, build_mesh(s, entity, obj, true, NULL));
    }
    return error->status == REPRISE_OK;
}

/* ---- motion ---- */

static rp_vec3 place_of(const mc_transform *t, const double offset[3])
{
    return (rp_vec3){(float)(t->pos_x + offset[0]), (float)(t->pos_y + offset[1]),
                     (float)(t->pos_z + offset[2])};
}

static void pose(stage *s, int32_t node, const mc_transform *t, const double offset[3],
                 uint64_t present, bool first)
{
    if (first || present) {
        rp_scene_place(s->base.scene, node, place_of(t, offset), false);
        rp_scene_turn(s->base.scene, node, turn_of(t->rot_x, t->rot_y, t->rot_z, t->rot_w), false);
        rp_scene_resize(s->base.scene, node,
                        (rp_vec3){(float)t->scale_x, (float)t->scale_y, (float)t->scale_z});
    }
}

static void see_frame(stage *s, const mc_entity *entity, const puppet *p, bool first)
{
    static const double none[3] = {0, 0, 0};
    pose(s, p->root, &entity->root, s->base.replay->offset, entity->root_present, first);
    for (uint32_t i = 0; i < entity->part_count; i++)
        pose(s, p->parts[i], &entity->part_states[i].transform, none,
             entity->part_states[i].present, first);
    bool multipart = entity->row.rig == MC_MULTIPART;
    for (size_t i = 0; i < p->leaf_count; i++) {
        int32_t part = p->leaf_parts[i];
        bool hidden = multipart && part >= 0 && !entity->part_states[part].pose.visible;
        rp_scene_show(s->base.scene, p->leaves[i], !hidden);
    }
}

static void show_all(stage *s, const puppet *p, bool shown, double time)
{
    for (size_t i = 0; i < p->leaf_count; i++)
        rp_scene_show_at(s->base.scene, p->leaves[i], shown, time);
}

static void note_speed(stage *s, const mc_entity *entity, int32_t root)
{
    rp_timeline *t = s->base.timeline;
    const mc_transform *at = &entity->root;
    followed *f = &s->now;
    rp_vec3 place = {(float)at->pos_x, (float)at->pos_y, (float)at->pos_z};
    float now = s->base.scene->now, passed = now - f->time;
    if (!f->seen && s->followed_count < FOLLOWED_MAX && root >= 0) {
        if (!s->speeds)
            s->speeds = rp_timeline_plot(t, "speed", "Speed", "m/s", "line", 0, 0);
        f->speed = rp_plot_series(t, s->speeds, copy_text(s, &entity->row.name),
                                  (int32_t)s->followed_count);
    }
    if (f->seen && passed > 0) {
        float x = place.x - f->place.x, y = place.y - f->place.y, z = place.z - f->place.z;
        double metres = (double)sqrtf(x * x + y * y + z * z);
        rp_activity_add(t, s->movement, (double)now, metres);
        rp_series_add(t, f->speed, (double)now, metres / (double)passed);
    }
    f->seen = true;
    f->place = place;
    f->time = now;
}

static bool has_changed(mc_transform *before, const mc_transform *now)
{
    bool changed = memcmp(before, now, sizeof *now) != 0;
    *before = *now;
    return changed;
}

/* Recordings may repeat poses that stay, so only those that differ count. */
static void note_changes(stage *s, const mc_entity *entity, const puppet *p, bool shown)
{
    uint64_t changes = has_changed(&p->before[entity->part_count], &entity->root);
    for (uint32_t i = 0; i < entity->part_count; i++)
        changes += has_changed(&p->before[i], &entity->part_states[i].transform);
    focus *f = &s->of_now;
    if (!shown)
        return;
    if (f->any)
        f->changes += changes;
    else
        f->place = place_of(&entity->root, s->base.replay->offset);
    f->any = true;
}

static reprise_status play(stage *s, mc_entity_reader *reader, const puppet *p, span *ret_span,
                           reprise_error *error)
{
    const mc_entity *entity = mc_entity_of(reader);
    double fps = entity->row.fps > 0 ? entity->row.fps : 20, start = entity->row.start_time;
    reprise_status status;
    bool first = true;
    show_all(s, p, false, 0);
    for (int64_t frame = 0; (status = mc_entity_next(reader, error)) == REPRISE_OK; frame++) {
        rp_when when = rp_scene_clock(s->base.scene, frame, start + (double)frame / fps);
        if (when == RP_TOO_LATE)
            return REPRISE_OK;
        see_frame(s, entity, p, first);
        note_changes(s, entity, p, when == RP_SHOWN);
        if (when == RP_SHOWN)
            note_speed(s, entity, p->root);
        first = false;
    }
    if (first) {
        /* Without an animation it stands there all the time. */
        see_frame(s, entity, p, true);
        note_changes(s, entity, p, true);
        return status == REPRISE_END ? REPRISE_OK : status;
    }
    *ret_span = (span){.from = rp_scene_time(s->base.scene, start),
                       .to = (double)s->base.scene->now + 1 / fps};
    show_all(s, p, false, ret_span->to);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static const rp_table_column entity_columns[] = {
    {"t", "From", "s", RP_CELL_F32},        {"to", "To", "s", RP_CELL_F32},
    {"name", "Entity", NULL, RP_CELL_TEXT}, {"class", "Class", NULL, RP_CELL_TEXT},
    {"parts", "Parts", NULL, RP_CELL_I32},
};

/* One of the few that are followed: as the viewer has players. */
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

static void note_entity(stage *s, const mc_entity *entity, const puppet *p, span when)
{
    rp_doc *doc = &s->base.timeline->doc;
    const rp_cell cells[RP_COUNT(entity_columns)] = {
        {.number = when.from},          {.number = when.to},
        text_cell(&entity->row.name),   text_cell(&entity->row.class),
        {.number = entity->part_count},
    };
    rp_table_row(s->base.timeline, s->entities, cells);
    reprise_value *label = rp_push_object(doc, s->base.timeline->labels);
    rp_set_int(doc, label, "node", p->root);
    rp_set_text(doc, label, "text", copy_text(s, &entity->row.name));
    if (s->now.speed) {
        rp_set_uint(doc, label, "player", s->followed_count);
        introduce(s, entity, p->root);
    }
    when.name = copy_text(s, &entity->row.name);
    if (when.from > 0)
        rp_timeline_marker(s->base.timeline, when.from, "spawn", -1, 1,
                           copy_text(s, &entity->row.name));
    span *to = rp_vector_add(s->base.scene->context, &s->spans, sizeof *to, s->base.scene->error);
    if (to)
        *to = when;
}

static reprise_status show_entity(stage *s, size_t index, reprise_error *error)
{
    mc_entity_reader *reader = NULL;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = mc_entity_open(s->base.replay, index, &reader, &failure);
    puppet p = {.root = -1};
    span when = {.from = 0};
    s->now = (followed){0};
    s->of_now = (focus){.any = false};
    rp_scene_rewind(s->base.scene);
    if (status == REPRISE_OK && build_puppet(s, mc_entity_of(reader), &p)) {
        status = play(s, reader, &p, &when, &failure);
        note_entity(s, mc_entity_of(reader), &p, when);
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

/* How many entities there are at any time, and a clock of twenty frames a second, as the game. */
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
    rp_vec3 middle = s->focus.any ? s->focus.place : s->middle;
    const float at[3] = {middle.x, middle.y + 1, middle.z};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, at[i]));
    rp_set_f32(doc, orbit, "distance", 8);
}

/* Frames of the whole scene are counted at the rate of its first entity, as `at` does. */
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
    /* The world comes last, so that a broken one costs nothing. */
    if (status == REPRISE_OK && s.base.replay->has_world &&
        shows_any(scene, MC_BLOCKS, MC_WORLD_FRAMES, MC_BLOCKS))
        status = mc_show_world(&s.base, &s.middle, error);
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
