/*
 * scene_figure.c - one entity: a skeleton of its parts, and one mesh that follows it.
 *
 * Every part is a joint, and the entity itself is the first; a figure node contains all of them and
 * shows or hides the entity. Every vertex follows exactly one joint, so parts stay rigid, as in the
 * game. The mesh is given in the pose of the first frame; armatures have a rest pose.
 *
 * Hiding a part must not hide the parts in it, so a part that is ever hidden gets a separate joint
 * for its faces. Changing colours are applied to a copy of the material, made when they first
 * differ from the material's own.
 */
#include <math.h>

#include "scene_builder.h"

enum { PIECES_MAX = 4096, PAINTS_MAX = 64, JOINTS_MAX = UINT16_MAX };
/* Each piece visits every face of its mesh; no real model has this many of both. */
static const uint64_t looks_max = UINT64_C(1) << 27;
static const float stand_max_m = 1000; /* farther away, single precision would be visible */

static const char *keep_text(mc_scene_builder *s, const rp_text *text)
{
    const char *copy = text->data
                           ? rp_arena_text(&s->scratch, text->data, text->size, s->scene->error)
                           : NULL;
    return copy ? copy : "";
}

static rp_quat rotation_of(double x, double y, double z, double w)
{
    return rp_rotation_unit((rp_quat){(float)x, (float)y, (float)z, (float)w});
}

/* ---- pieces: faces of one look that follow one joint ---- */

typedef struct kind {
    int32_t material; /* name in the mesh, -1: none */
    uint16_t joint;
} kind;

typedef struct piece {
    uint32_t look;
    uint16_t joint;
    bool done;
    rp_geometry form;
} piece;

typedef struct choice {
    const kind *kinds; /* of all faces */
    kind wanted;
} choice;

static bool is_kind(kind a, kind b)
{
    return a.material == b.material && a.joint == b.joint;
}

static bool chosen(const rp_obj *obj, const rp_obj_face *face, void *ctx)
{
    const choice *c = ctx;
    return is_kind(c->kinds[face - obj->faces], c->wanted);
}

/* The first of several bones with one name; faces without a bone follow the entity. */
static uint16_t bone_joint(const mc_entity *entity, const rp_obj_name *group)
{
    for (uint32_t i = 0; i < entity->part_count && i + 1 < JOINTS_MAX; i++) {
        const rp_text *name = &entity->parts[i].name;
        if (name->size == group->size && memcmp(name->data, group->text, group->size) == 0)
            return (uint16_t)(i + 1);
    }
    return 0;
}

static const kind *kinds_of(mc_scene_builder *s, const mc_entity *entity, const rp_obj *obj,
                            int32_t part)
{
    kind *kinds = rp_arena_array(&s->scratch, RP_MAX(obj->face_count, 1), sizeof *kinds,
                                 s->scene->error);
    bool multipart = entity->row.rig == MC_MULTIPART;
    int32_t group = -1;
    uint16_t joint = (uint16_t)(multipart ? part + 1 : 0);
    for (uint32_t i = 0; kinds && i < obj->face_count; i++) {
        if (!multipart && obj->faces[i].group != group) {
            group = obj->faces[i].group;
            joint = group >= 0 ? bone_joint(entity, &obj->names[group]) : 0;
        }
        kinds[i] = (kind){obj->faces[i].material, joint};
    }
    return kinds;
}

typedef struct pieces {
    piece *items;
    kind *known; /* of the current mesh */
    size_t count, most;
} pieces;

/* Adds the pieces of one mesh; false if there are too many. */
static bool add_pieces(mc_scene_builder *s, const mc_entity *entity, const rp_obj *obj,
                       int32_t part, pieces *to)
{
    static const rp_obj_name none = {"default", 7};
    const kind *kinds = kinds_of(s, entity, obj, part);
    kind *known = to->known;
    if (!kinds)
        return true;
    size_t known_count = 0;
    for (uint32_t f = 0; f < obj->face_count; f++) {
        size_t i = known_count;
        while (i > 0 && !is_kind(known[i - 1], kinds[f]))
            i--;
        if (i > 0)
            continue;
        if (to->count == to->most || known_count == to->most ||
            known_count * (uint64_t)obj->face_count > looks_max)
            return false;
        known[known_count++] = kinds[f];
        const rp_obj_name *name = kinds[f].material >= 0 ? &obj->names[kinds[f].material] : &none;
        piece *p = &to->items[to->count];
        *p = (piece){.look = mc_look_of(s, MC_SCOPE_REPLAY, name->text, name->size),
                     .joint = kinds[f].joint};
        choice c = {kinds, kinds[f]};
        if (mc_look_triangles(s, obj, chosen, &c, p->look, &p->form))
            to->count++;
    }
    return true;
}

/* ---- rest poses ---- */

static rp_vec3 rest_position(rp_vec3 p)
{
    bool near = fabsf(p.x) < stand_max_m && fabsf(p.y) < stand_max_m && fabsf(p.z) < stand_max_m;
    return near ? p : (rp_vec3){0, 0, 0};
}

/* Relative to the entity. Scales affect the positions of nested parts. */
static bool find_rest_poses(mc_scene_builder *s, const mc_entity *entity, mc_figure *f)
{
    size_t count = f->joint_count;
    f->rest_poses = rp_arena_array(&s->scratch, count, sizeof *f->rest_poses, s->scene->error);
    rp_vec3 *sizes = rp_arena_array(&s->scratch, count, sizeof *sizes, s->scene->error);
    if (!f->rest_poses || !sizes)
        return false;
    f->rest_poses[0] = (rp_pose){{0, 0, 0}, {0, 0, 0, 1}};
    sizes[0] = (rp_vec3){1, 1, 1};
    for (size_t i = 1; i < count; i++) {
        const mc_part *part = &entity->parts[i - 1];
        const mc_transform *t = &entity->part_states[i - 1].transform;
        if (entity->row.rig != MC_MULTIPART) {
            f->rest_poses[i].position = rest_position(
                (rp_vec3){(float)part->rest_x, (float)part->rest_y, (float)part->rest_z});
            f->rest_poses[i].rotation = rotation_of(part->rest_rot_x, part->rest_rot_y,
                                                    part->rest_rot_z, part->rest_rot_w);
            continue;
        }
        size_t above = (size_t)(part->parent + 1);
        rp_vec3 size = sizes[above];
        rp_vec3 at = rp_rotation_apply(f->rest_poses[above].rotation,
                                       (rp_vec3){(float)t->pos_x * size.x, (float)t->pos_y * size.y,
                                                 (float)t->pos_z * size.z});
        rp_vec3 from = f->rest_poses[above].position;
        f->rest_poses[i].position = rest_position(
            (rp_vec3){from.x + at.x, from.y + at.y, from.z + at.z});
        f->rest_poses[i].rotation = rp_rotation_unit(rp_rotation_then(
            rotation_of(t->rot_x, t->rot_y, t->rot_z, t->rot_w), f->rest_poses[above].rotation));
        sizes[i] = (rp_vec3){size.x * (float)t->scale_x, size.y * (float)t->scale_y,
                             size.z * (float)t->scale_z};
    }
    return true;
}

/* ---- the mesh ---- */

/* One part of the mesh: all pieces of a material in their initial pose. */
typedef struct body {
    rp_vec3 *positions, *normals;
    float (*uvs)[2];
    uint16_t *joints;
    uint32_t *indices;
    size_t count, index_count;
} body;

static bool make_room(mc_scene_builder *s, const pieces *all, uint32_t look, body *b)
{
    reprise_error *error = s->scene->error;
    bool normals = true, uvs = false;
    for (size_t i = 0; i < all->count; i++) {
        const rp_geometry *g = &all->items[i].form;
        if (all->items[i].look != look)
            continue;
        b->count += g->count;
        b->index_count += g->index_count;
        normals &= g->normals != NULL;
        uvs |= g->uvs != NULL;
    }
    b->positions = rp_arena_array(&s->scratch, b->count, sizeof *b->positions, error);
    b->joints = rp_arena_array(&s->scratch, b->count, sizeof *b->joints, error);
    b->indices = rp_arena_array(&s->scratch, b->index_count, sizeof *b->indices, error);
    b->normals = normals ? rp_arena_array(&s->scratch, b->count, sizeof *b->normals, error) : NULL;
    b->uvs = uvs ? rp_arena_array(&s->scratch, b->count, sizeof *b->uvs, error) : NULL;
    b->count = b->index_count = 0;
    return error->status == REPRISE_OK;
}

static void add_piece(const mc_figure *f, const piece *p, bool in_place, body *b)
{
    static const rp_pose nowhere = {{0, 0, 0}, {0, 0, 0, 1}};
    const rp_pose *pose = in_place ? &nowhere : &f->rest_poses[p->joint];
    for (size_t i = 0; i < p->form.index_count; i++)
        b->indices[b->index_count++] = (uint32_t)b->count + p->form.indices[i];
    for (size_t i = 0; i < p->form.count; i++, b->count++) {
        rp_vec3 at = rp_rotation_apply(pose->rotation, p->form.positions[i]);
        b->positions[b->count] = (rp_vec3){at.x + pose->position.x, at.y + pose->position.y,
                                           at.z + pose->position.z};
        b->joints[b->count] = p->joint;
        if (b->normals)
            b->normals[b->count] = rp_rotation_apply(pose->rotation, p->form.normals[i]);
        if (b->uvs && p->form.uvs)
            memcpy(b->uvs[b->count], p->form.uvs[i], sizeof b->uvs[b->count]);
    }
}

/* The mesh of a multipart is given part by part, that of an armature in its rest pose. */
static int32_t build_mesh(mc_scene_builder *s, const mc_entity *entity, const mc_figure *f,
                          pieces *all)
{
    enum { LOOKS_MAX = 64 };
    rp_geometry parts[LOOKS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all->count && count < LOOKS_MAX; i++) {
        if (all->items[i].done)
            continue;
        body b = {.count = 0};
        uint32_t look = all->items[i].look;
        if (!make_room(s, all, look, &b))
            return -1;
        for (size_t k = i; k < all->count; k++) {
            if (all->items[k].look != look)
                continue;
            add_piece(f, &all->items[k], entity->row.rig != MC_MULTIPART, &b);
            all->items[k].done = true;
        }
        parts[count] = (rp_geometry){.mode = 4,
                                     .positions = b.positions,
                                     .normals = b.normals,
                                     .uvs = (const float(*)[2])b.uvs,
                                     .joints = b.joints,
                                     .count = b.count,
                                     .indices = b.indices,
                                     .index_count = b.index_count,
                                     .material = mc_look_at(s, look)->material};
        count++;
    }
    bool complete = true;
    for (size_t i = 0; i < all->count; i++)
        complete &= all->items[i].done;
    if (!complete)
        rp_scene_note_loss(s->scene, "entity %s: materials beyond its first %d",
                           keep_text(s, &entity->row.name), LOOKS_MAX);
    return rp_scene_mesh(s->scene, keep_text(s, &entity->row.name), parts, count, 0);
}

static void draw(mc_scene_builder *s, const mc_entity *entity, mc_figure *f)
{
    size_t faces = 1;
    for (uint32_t i = 0; i < entity->mesh_count; i++)
        faces += entity->objs[i].face_count;
    pieces all = {.most = RP_MIN(faces, (size_t)PIECES_MAX)};
    all.items = rp_arena_array(&s->scratch, all.most, sizeof *all.items, s->scene->error);
    all.known = rp_arena_array(&s->scratch, all.most, sizeof *all.known, s->scene->error);
    f->drawn = rp_arena_array(&s->scratch, f->joint_count, sizeof *f->drawn, s->scene->error);
    if (!all.items || !all.known || !f->drawn)
        return;
    bool whole = entity->part_count + (size_t)1 <= f->joint_count;
    for (uint32_t i = 0; i < entity->mesh_count; i++) {
        int32_t part = entity->meshes[i].part;
        if (part < (int32_t)f->joint_count - 1)
            whole &= add_pieces(s, entity, &entity->objs[i], part, &all);
    }
    if (!whole)
        rp_scene_note_loss(s->scene, "entity %s: parts beyond the first %d pieces",
                           keep_text(s, &entity->row.name), PIECES_MAX);
    for (size_t i = 0; i < all.count; i++)
        f->drawn[all.items[i].joint] = true;
    f->mesh = build_mesh(s, entity, f, &all);
}

/* ---- paints ---- */

static int32_t channel_named(const mc_entity *entity, const char *name)
{
    size_t size = strlen(name);
    for (uint32_t i = 0; i < entity->channel_count; i++) {
        const rp_text *text = &entity->channels[i].name;
        if (text->size == size && memcmp(text->data, name, size) == 0)
            return (int32_t)i;
    }
    return -1;
}

/* Materials of the mesh that a channel of this entity changes. */
static void find_paints(mc_scene_builder *s, const mc_entity *entity, mc_figure *f)
{
    const rp_mesh *mesh = f->mesh >= 0 ? &((const rp_mesh *)s->scene->meshes.items)[f->mesh] : NULL;
    f->paints = rp_arena_array(&s->scratch, PAINTS_MAX, sizeof *f->paints, s->scene->error);
    for (size_t i = 0; f->paints && mesh && i < mesh->primitive_count; i++) {
        const mc_look *look = mc_look_of_material(s, mesh->primitives[i].material);
        if (!look)
            continue;
        mc_look_name_losses(s, look, entity);
        int32_t channel = look->painted_by ? channel_named(entity, look->painted_by) : -1;
        if (channel >= 0 && f->paint_count < PAINTS_MAX)
            f->paints[f->paint_count++] = (mc_paint){look->material, channel, -1, look->mix};
    }
}

static void use_copy(mc_scene_builder *s, const mc_figure *f, mc_paint *paint)
{
    paint->copy = rp_scene_material_copy(s->scene, paint->material);
    const rp_mesh *mesh = &((const rp_mesh *)s->scene->meshes.items)[f->mesh];
    for (size_t i = 0; paint->copy >= 0 && i < mesh->primitive_count; i++) {
        if (mesh->primitives[i].material == paint->material)
            mesh->primitives[i].material = paint->copy;
    }
}

static void paint(mc_scene_builder *s, const mc_entity *entity, mc_figure *f)
{
    for (size_t i = 0; i < f->paint_count; i++) {
        mc_paint *p = &f->paints[i];
        const mc_override *value = &entity->channel_states[p->channel].value;
        bool vector = entity->channels[p->channel].type == MC_VECTOR;
        const double numbers[3] = {value->x, vector ? value->y : value->x,
                                   vector ? value->z : value->x};
        float colour[4];
        mc_look_paint(p->mix, numbers, colour);
        bool plain = colour[0] == 1 && colour[1] == 1 && colour[2] == 1;
        if (p->copy < 0 && !plain)
            use_copy(s, f, p);
        rp_scene_paint(s->scene, p->copy, colour);
    }
}

/* ---- nodes ---- */

static int32_t add_node(mc_scene_builder *s, const mc_entity *entity, const rp_text *name,
                        const char *is, int32_t parent)
{
    rp_node node = {RP_NODE};
    node.name = keep_text(s, name);
    node.id = keep_text(s, &entity->row.file);
    node.kind = is;
    node.parent = parent;
    return rp_scene_node(s->scene, &node);
}

bool mc_figure_build(mc_scene_builder *s, const mc_entity *entity, mc_figure *f)
{
    *f = (mc_figure){.figure = -1, .root = -1, .drawing = -1, .mesh = -1};
    f->joint_count = RP_MIN((size_t)entity->part_count + 1, (size_t)JOINTS_MAX);
    f->parts = rp_arena_array(&s->scratch, entity->part_count + (size_t)1, sizeof *f->parts,
                              s->scene->error);
    f->joints = rp_arena_array(&s->scratch, f->joint_count, sizeof *f->joints, s->scene->error);
    if (!f->parts || !f->joints || !find_rest_poses(s, entity, f))
        return false;
    f->figure = add_node(s, entity, &entity->row.name, "figure", -1);
    f->root = f->joints[0] = add_node(s, entity, &entity->row.name, "entity", f->figure);
    bool multipart = entity->row.rig == MC_MULTIPART;
    for (uint32_t i = 0; i < entity->part_count; i++) {
        const mc_part *part = &entity->parts[i];
        int32_t parent = multipart && part->parent >= 0 ? f->parts[part->parent] : f->root;
        f->parts[i] = add_node(s, entity, &part->name, multipart ? "part" : "bone", parent);
        if (i + (size_t)1 < f->joint_count)
            f->joints[i + 1] = f->parts[i];
    }
    draw(s, entity, f);
    find_paints(s, entity, f);
    if (f->mesh >= 0) {
        f->drawing = add_node(s, entity, &entity->row.name, "mesh", -1);
        if (f->drawing >= 0)
            rp_scene_nodes(s->scene)[f->drawing].mesh = f->mesh;
    }
    return s->scene->error->status == REPRISE_OK;
}

/* ---- motion ---- */

static void pose(mc_scene_builder *s, int32_t node, rp_vec3 position, rp_quat rotation,
                 const mc_transform *t)
{
    rp_scene_move(s->scene, node, position, false);
    rp_scene_rotate(s->scene, node, rotation, false);
    rp_scene_resize(s->scene, node,
                    (rp_vec3){(float)t->scale_x, (float)t->scale_y, (float)t->scale_z});
}

static void pose_part(mc_scene_builder *s, const mc_entity *entity, const mc_figure *f, uint32_t i)
{
    const mc_transform *t = &entity->part_states[i].transform;
    rp_quat rotation = rotation_of(t->rot_x, t->rot_y, t->rot_z, t->rot_w);
    rp_vec3 position = {(float)t->pos_x, (float)t->pos_y, (float)t->pos_z};
    if (entity->row.rig != MC_MULTIPART) {
        /* Animation of a bone is relative to its rest pose. */
        const mc_part *b = &entity->parts[i];
        rp_quat rest = rotation_of(b->rest_rot_x, b->rest_rot_y, b->rest_rot_z, b->rest_rot_w);
        position = rp_rotation_apply(rest, position);
        position = (rp_vec3){position.x + (float)b->rest_x, position.y + (float)b->rest_y,
                             position.z + (float)b->rest_z};
        rotation = rp_rotation_then(rotation, rest);
    }
    pose(s, f->parts[i], position, rotation, t);
}

/* Adds a joint for the faces of a part that is hidden for the first time. */
static void show_part(mc_scene_builder *s, const mc_entity *entity, const mc_figure *f, uint32_t i)
{
    size_t joint = i + (size_t)1;
    if (joint >= f->joint_count || !f->drawn[joint])
        return;
    bool shown = entity->part_states[i].pose.visible;
    bool own = f->joints[joint] != f->parts[i];
    if (!own && shown)
        return;
    if (!own)
        f->joints[joint] = add_node(s, entity, &entity->parts[i].name, "shape", f->parts[i]);
    rp_scene_show(s->scene, f->joints[joint], shown);
}

void mc_figure_update(mc_scene_builder *s, const mc_entity *entity, mc_figure *f, bool first)
{
    const mc_transform *t = &entity->root;
    const double *offset = s->replay->offset;
    if (first || entity->root_present)
        pose(s, f->root,
             (rp_vec3){(float)(t->pos_x + offset[0]), (float)(t->pos_y + offset[1]),
                       (float)(t->pos_z + offset[2])},
             rotation_of(t->rot_x, t->rot_y, t->rot_z, t->rot_w), t);
    for (uint32_t i = 0; i < entity->part_count; i++) {
        if (first || entity->part_states[i].present)
            pose_part(s, entity, f, i);
        if (entity->row.rig == MC_MULTIPART)
            show_part(s, entity, f, i);
    }
    paint(s, entity, f);
    rp_scene_show(s->scene, f->figure, true);
}

void mc_figure_end(mc_scene_builder *s, const mc_entity *entity, const mc_figure *f)
{
    if (f->drawing < 0)
        return;
    int32_t skin = rp_scene_skin(s->scene, keep_text(s, &entity->row.name), f->joints,
                                 f->rest_poses, f->joint_count);
    rp_scene_nodes(s->scene)[f->drawing].skin = skin;
}
