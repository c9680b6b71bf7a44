/*
 * scene.c - entities with their own meshes, rigs, materials and textures. Parts of multipart models
 * hang in one another as they are nested; bones of armatures stand beside each other, each in its
 * rest pose, as the format has it. Blocks of the world are not shown yet.
 */
#include <math.h>
#include <stdlib.h>

#include "mcreplay.h"
#include "scene.h"

enum { ENTITIES_MAX = 65536, LEAVES_MAX = 4096, TEXTURE_BYTES_MAX = 64 << 20 };

/* A material that was made already. */
typedef struct known_material {
    const char *name;
    int32_t number;
} known_material;

typedef struct span {
    double from, to;
} span;

typedef struct stage {
    mc_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_arena scratch;    /* of one entity */
    rp_vector materials; /* known_material */
    rp_vector spans;     /* span */
    rp_table *entities;
    rp_vec3 middle;
    size_t placed;
} stage;

/* The nodes of one entity. */
typedef struct puppet {
    int32_t root;
    int32_t *parts;      /* what moves */
    int32_t *leaves;     /* what is seen */
    int32_t *leaf_parts; /* the part a leaf belongs to, -1: the entity */
    size_t leaf_count;
} puppet;

static rp_cell text_cell(const rp_text *text)
{
    return (rp_cell){.text = text->data ? text->data : ""};
}

static const char *copy_text(stage *s, const rp_text *text)
{
    return text->data ? rp_timeline_plain(s->timeline, text->data, text->size) : "";
}

/* ---- looks ---- */

static int32_t texture_of(stage *s, const rp_text *id)
{
    const mc_archive *archive = &s->replay->outer;
    if (!id->data || !id->size)
        return -1;
    int64_t entry = mc_find_member(archive, "tex/", id->data, id->size, ".png");
    const char *data = NULL;
    size_t size = 0;
    reprise_error missing = REPRISE_ERROR_INIT;
    static const uint8_t png[4] = {0x89, 'P', 'N', 'G'};
    if (entry < 0 ||
        mc_read_member(archive, (size_t)entry, &s->scratch, TEXTURE_BYTES_MAX, "record_bytes",
                       &data, &size, &missing) != REPRISE_OK ||
        size < sizeof png || memcmp(data, png, sizeof png) != 0)
        return -1;
    return rp_scene_picture(s->scene, copy_text(s, id), "image/png", data, size, true);
}

static int32_t make_material(stage *s, const char *name)
{
    rp_material to = {.name = name, .colour = {0.8f, 0.8f, 0.8f, 1}, .rough = 1, .texture = -1};
    const mc_archive *archive = &s->replay->outer;
    for (size_t i = 0; i < archive->materials.count; i++) {
        if (strcmp(archive->materials.items[i].id, name) != 0)
            continue;
        mc_material from = {0};
        reprise_error unreadable = REPRISE_ERROR_INIT;
        if (mc_material_read(s->replay, archive, i, &s->scratch, &from, &unreadable) != REPRISE_OK)
            break;
        to.texture = texture_of(s, &from.color.texture);
        bool textured = to.texture >= 0;
        to.colour[0] = textured ? 1 : (float)fmin(fmax(from.color.x, 0), 1);
        to.colour[1] = textured ? 1 : (float)fmin(fmax(from.color.y, 0), 1);
        to.colour[2] = textured ? 1 : (float)fmin(fmax(from.color.z, 0), 1);
        to.rough = (float)fmin(fmax(from.roughness.x, 0), 1);
        to.metal = (float)fmin(fmax(from.metallic.x, 0), 1);
        to.cut_out = textured;
        break;
    }
    return rp_scene_material(s->scene, &to);
}

static int32_t material_of(stage *s, const rp_obj_name *name)
{
    rp_text text = {name->text, name->size};
    const char *wanted = copy_text(s, &text);
    known_material *known = s->materials.items;
    for (size_t i = 0; i < s->materials.count; i++) {
        if (strcmp(known[i].name, wanted) == 0)
            return known[i].number;
    }
    known_material *to = rp_vector_add(s->scene->context, &s->materials, sizeof *to,
                                       s->scene->error);
    if (!to)
        return -1;
    to->name = wanted;
    to->number = -1;
    size_t at = s->materials.count - 1;
    int32_t number = make_material(s, wanted);
    ((known_material *)s->materials.items)[at].number = number;
    return number;
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
    rp_obj_triangles t = {0};
    if (rp_obj_triangulate(&s->scratch, obj, wanted, c, &t, s->scene->error) != REPRISE_OK ||
        !t.index_count)
        return false;
    /* Texture coordinates count from the top here. */
    for (size_t i = 0; t.uvs && i < t.vertex_count; i++)
        t.uvs[2 * i + 1] = 1 - t.uvs[2 * i + 1];
    rp_obj_name none = {"default", 7};
    *to = (rp_geometry){
        .mode = 4,
        .places = (const rp_vec3 *)(const void *)t.positions,
        .normals = (const rp_vec3 *)(const void *)t.normals,
        .uvs = (const float(*)[2])(const void *)t.uvs,
        .count = t.vertex_count,
        .indices = t.indices,
        .index_count = t.index_count,
        .material = material_of(s, c->material >= 0 ? &obj->names[c->material] : &none)};
    return true;
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
    return count ? rp_scene_mesh(s->scene, copy_text(s, &entity->row.name), parts, count, 0) : -1;
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
    return rp_scene_node(s->scene, &node);
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
        rp_scene_nodes(s->scene)[leaf].turn = back;
        rp_scene_nodes(s->scene)[leaf].place = rp_turn_apply(back, at);
    }
    p->leaves[p->leaf_count] = leaf;
    p->leaf_parts[p->leaf_count++] = part;
}

/* A bone's rest pose is a node of its own, in which the bone moves. */
static int32_t add_rest(stage *s, const mc_entity *entity, const mc_part *bone, int32_t root)
{
    int32_t rest = add_node(s, entity, &bone->name, "rest", root, -1);
    if (rest >= 0) {
        rp_node *node = &rp_scene_nodes(s->scene)[rest];
        node->place = (rp_vec3){(float)bone->rest_x, (float)bone->rest_y, (float)bone->rest_z};
        node->turn = turn_of(bone->rest_rot_x, bone->rest_rot_y, bone->rest_rot_z,
                             bone->rest_rot_w);
    }
    return rest;
}

static bool build_puppet(stage *s, const mc_entity *entity, puppet *p)
{
    reprise_error *error = s->scene->error;
    p->parts = rp_arena_array(&s->scratch, entity->part_count + 1, sizeof *p->parts, error);
    p->leaves = rp_arena_array(&s->scratch, LEAVES_MAX, sizeof *p->leaves, error);
    p->leaf_parts = rp_arena_array(&s->scratch, LEAVES_MAX, sizeof *p->leaf_parts, error);
    if (!p->parts || !p->leaves || !p->leaf_parts)
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

static void pose(stage *s, int32_t node, const mc_transform *t, const double offset[3],
                 uint64_t present, bool first)
{
    if (first || present) {
        rp_scene_place(s->scene, node,
                       (rp_vec3){(float)(t->pos_x + offset[0]), (float)(t->pos_y + offset[1]),
                                 (float)(t->pos_z + offset[2])},
                       false);
        rp_scene_turn(s->scene, node, turn_of(t->rot_x, t->rot_y, t->rot_z, t->rot_w), false);
        rp_scene_resize(s->scene, node,
                        (rp_vec3){(float)t->scale_x, (float)t->scale_y, (float)t->scale_z});
    }
}

static void see_frame(stage *s, const mc_entity *entity, const puppet *p, bool first)
{
    static const double none[3] = {0, 0, 0};
    pose(s, p->root, &entity->root, s->replay->offset, entity->root_present, first);
    for (uint32_t i = 0; i < entity->part_count; i++)
        pose(s, p->parts[i], &entity->part_states[i].transform, none,
             entity->part_states[i].present, first);
    bool multipart = entity->row.rig == MC_MULTIPART;
    for (size_t i = 0; i < p->leaf_count; i++) {
        int32_t part = p->leaf_parts[i];
        bool hidden = multipart && part >= 0 && !entity->part_states[part].pose.visible;
        rp_scene_show(s->scene, p->leaves[i], !hidden);
    }
}

static void show_all(stage *s, const puppet *p, bool shown, double time)
{
    for (size_t i = 0; i < p->leaf_count; i++)
        rp_scene_show_at(s->scene, p->leaves[i], shown, time);
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
        rp_when when = rp_scene_clock(s->scene, frame, start + (double)frame / fps);
        if (when == RP_TOO_LATE)
            return REPRISE_OK;
        see_frame(s, entity, p, first);
        first = false;
    }
    if (first) {
        /* Without an animation it stands there all the time. */
        see_frame(s, entity, p, true);
        return status == REPRISE_END ? REPRISE_OK : status;
    }
    *ret_span = (span){start, (double)s->scene->now + 1 / fps};
    show_all(s, p, false, ret_span->to);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static const rp_table_column entity_columns[] = {
    {"t", "From", "s", RP_CELL_F32},        {"to", "To", "s", RP_CELL_F32},
    {"name", "Entity", NULL, RP_CELL_TEXT}, {"class", "Class", NULL, RP_CELL_TEXT},
    {"parts", "Parts", NULL, RP_CELL_I32},
};

static void note_entity(stage *s, const mc_entity *entity, const puppet *p, span when)
{
    rp_doc *doc = &s->timeline->doc;
    const rp_cell cells[RP_COUNT(entity_columns)] = {
        {.number = when.from},          {.number = when.to},
        text_cell(&entity->row.name),   text_cell(&entity->row.class),
        {.number = entity->part_count},
    };
    rp_table_row(s->timeline, s->entities, cells);
    reprise_value *label = rp_push_object(doc, s->timeline->labels);
    rp_set_int(doc, label, "node", p->root);
    rp_set_text(doc, label, "text", copy_text(s, &entity->row.name));
    if (when.from > 0)
        rp_timeline_marker(s->timeline, when.from, "spawn", -1, 1, copy_text(s, &entity->row.name));
    span *to = rp_vector_add(s->scene->context, &s->spans, sizeof *to, s->scene->error);
    if (to)
        *to = when;
}

static reprise_status show_entity(stage *s, size_t index, reprise_error *error)
{
    mc_entity_reader *reader = NULL;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = mc_entity_open(s->replay, index, &reader, &failure);
    puppet p = {.root = -1};
    span when = {0, 0};
    rp_scene_rewind(s->scene);
    if (status == REPRISE_OK && build_puppet(s, mc_entity_of(reader), &p)) {
        status = play(s, reader, &p, &when, &failure);
        note_entity(s, mc_entity_of(reader), &p, when);
    }
    mc_entity_close(reader);
    rp_arena_reset(&s->scratch);
    return status == REPRISE_OK ? REPRISE_OK : mc_entity_failed(s->replay, index, &failure, error);
}

/* ---- the end ---- */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* How many entities there are at any time, and a clock of twenty frames a second, as the game. */
static void finish(stage *s)
{
    size_t n = s->spans.count;
    const span *spans = s->spans.items;
    double *from = rp_arena_array(&s->scratch, n, sizeof *from, s->scene->error);
    double *to = rp_arena_array(&s->scratch, n, sizeof *to, s->scene->error);
    if (!from || !to)
        return;
    double duration = rp_scene_duration(s->scene);
    for (size_t i = 0; i < n; i++) {
        from[i] = spans[i].from;
        to[i] = spans[i].to > spans[i].from ? spans[i].to : duration + 1;
    }
    qsort(from, n, sizeof *from, by_number);
    qsort(to, n, sizeof *to, by_number);
    rp_plot *plot = rp_timeline_plot(s->timeline, "entities", "Entities", "", "step", 0, 0);
    rp_series *alive = rp_plot_series(s->timeline, plot, "entities", -1);
    for (size_t i = 0, gone = 0; i < n; i++) {
        while (gone < n && to[gone] <= from[i]) {
            rp_series_add(s->timeline, alive, to[gone], (double)(i - gone - 1));
            gone++;
        }
        rp_series_add(s->timeline, alive, fmax(from[i], 0), (double)(i + 1 - gone));
    }
    for (double t = 0; t <= fmin(duration, 1e5); t += 0.05)
        rp_timeline_clock(s->timeline, (float)t);
    rp_doc *doc = &s->timeline->doc;
    reprise_value *orbit = rp_push_object(doc, s->timeline->cameras);
    rp_set_text(doc, orbit, "id", "orbit");
    rp_set_text(doc, orbit, "kind", "orbit");
    reprise_value *target = rp_set_array(doc, orbit, "target");
    rp_vec3 middle = {0, 0, 0};
    for (size_t i = 0; i < s->scene->nodes.count; i++) {
        const rp_node *node = &rp_scene_nodes(s->scene)[i];
        const rp_channel *place = node->channels[RP_PATH_PLACE];
        if (node->parent < 0 && place)
            memcpy(&middle, place->kept ? place->first.value : place->raw.value, sizeof middle);
    }
    const float at[3] = {middle.x, middle.y + 1, middle.z};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, at[i]));
    rp_set_f32(doc, orbit, "distance", 8);
}

reprise_status mc_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                        reprise_error *error)
{
    stage s = {.replay = (mc_replay *)base, .scene = scene, .timeline = timeline};
    rp_arena_init(&s.scratch, base->context);
    s.entities = rp_timeline_table(timeline, "entities", "Entities", "t", entity_columns,
                                   RP_COUNT(entity_columns));
    reprise_status status = REPRISE_OK;
    size_t count = RP_MIN(s.replay->outer.entities.count, ENTITIES_MAX);
    for (size_t i = 0; status == REPRISE_OK && scene->error->status == REPRISE_OK && i < count; i++)
        status = show_entity(&s, i, error);
    finish(&s);
    rp_vector_free(base->context, &s.materials, sizeof(known_material));
    rp_vector_free(base->context, &s.spans, sizeof(span));
    rp_arena_free(&s.scratch);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
