/* glb.c - see glb.h. */
#include "glb.h"

#include <stdlib.h>

#include "checked.h"
#include "glb_parts.h"

enum { MARKERS_MAX = 10000 };

/* A channel to write. Channels with equal times share one accessor of times. */
typedef struct moving {
    const rp_channel *channel;
    uint32_t index; /* of the node, material or camera; `kind` says which */
    uint32_t group; /* of channels with equal times */
    size_t order;   /* as found; the file keeps this order */
    uint64_t value_offset;
} moving;

typedef struct group {
    const rp_channel *channel; /* any channel with these times */
    uint64_t offset;
} group;

typedef struct glb {
    rp_scene *scene;
    const rp_timeline *timeline;
    const rp_glb_options *options;
    rp_writer *w;
    moving *moves;
    size_t move_count;
    group *groups;
    size_t group_count;
    uint64_t fixed_size, times_size, values_size;
    int32_t *materials;  /* index in the file; -1: not used */
    bool *late_rigs;     /* nodes with a skeleton that are hidden at the start */
    bool points, shifts; /* a pointer target is animated; a texture offset is */
} glb;

/* ---- nodes ---- */

static bool is(const float *values, const float *usual, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i] != usual[i])
            return false;
    }
    return true;
}

/* Importers divide by the scale of a skeleton, so 0 is set only by the animation. */
static void put_pose(rp_writer *w, const rp_node *node, bool late_rig)
{
    static const float none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
    if (!is(&node->position.x, none, 3)) {
        rp_put_u8(w, ',');
        rp_glb_floats(w, "translation", &node->position.x, 3);
    }
    if (!is(&node->rotation.x, none, 4)) {
        rp_put_u8(w, ',');
        rp_glb_floats(w, "rotation", &node->rotation.x, 4);
    }
    if (!late_rig && !is(&node->size.x, one, 3)) {
        rp_put_u8(w, ',');
        rp_glb_floats(w, "scale", &node->size.x, 3);
    }
}

static void put_node_extras(rp_writer *w, const rp_node *node)
{
    if (!node->id)
        return;
    rp_put_text(w, ",\"extras\":{\"reprise\":{");
    rp_glb_text_member(w, "id", node->id);
    if (node->player >= 0)
        rp_put_format(w, ",\"player\":%d", node->player);
    if (node->kind) {
        rp_put_u8(w, ',');
        rp_glb_text_member(w, "kind", node->kind);
    }
    rp_put_text(w, "}}");
}

/* Children as chains: first child of each node, next sibling of each. */
static void put_nodes(glb *g, const int32_t *first, const int32_t *next)
{
    rp_writer *w = g->w;
    const rp_node *nodes = rp_scene_nodes(g->scene);
    rp_put_text(w, ",\"nodes\":[");
    for (size_t i = 0; i < g->scene->nodes.count; i++) {
        const rp_node *node = &nodes[i];
        rp_glb_comma(w, i);
        rp_put_u8(w, '{');
        rp_glb_text_member(w, "name", node->name ? node->name : "node");
        if (node->mesh >= 0)
            rp_put_format(w, ",\"mesh\":%d", node->mesh);
        if (node->camera >= 0)
            rp_put_format(w, ",\"camera\":%d", node->camera);
        if (node->skin >= 0)
            rp_put_format(w, ",\"skin\":%d", node->skin);
        put_pose(w, node, g->late_rigs[i]);
        if (first[i] >= 0) {
            rp_put_text(w, ",\"children\":");
            for (int32_t c = first[i]; c >= 0; c = next[c])
                rp_put_format(w, "%c%d", c == first[i] ? '[' : ',', c);
            rp_put_u8(w, ']');
        }
        put_node_extras(w, node);
        rp_put_u8(w, '}');
    }
    rp_put_u8(w, ']');
}

static reprise_status put_graph(glb *g, rp_arena *arena, reprise_error *error)
{
    size_t count = g->scene->nodes.count;
    int32_t *first = rp_arena_array(arena, count + 1, sizeof *first, error);
    int32_t *next = rp_arena_array(arena, count + 1, sizeof *next, error);
    if (!first || !next)
        return error->status;
    for (size_t i = 0; i <= count; i++)
        first[i] = next[i] = -1;
    for (size_t i = count; i-- > 0;) {
        int32_t parent = rp_scene_nodes(g->scene)[i].parent;
        int32_t *head = &first[parent >= 0 ? (size_t)parent : count];
        next[i] = *head;
        *head = (int32_t)i;
    }
    rp_put_text(g->w, ",\"scene\":0,\"scenes\":[{");
    rp_glb_text_member(g->w, "name", g->options->name);
    if (first[count] >= 0) {
        rp_put_text(g->w, ",\"nodes\":");
        for (int32_t c = first[count]; c >= 0; c = next[c])
            rp_put_format(g->w, "%c%d", c == first[count] ? '[' : ',', c);
        rp_put_u8(g->w, ']');
    }
    rp_put_text(g->w, "}]");
    if (count)
        put_nodes(g, first, next);
    return REPRISE_OK;
}

/* ---- meshes, materials, cameras, skins ---- */

static void put_primitive(glb *g, const rp_primitive *p)
{
    rp_writer *w = g->w;
    rp_put_text(w, "{\"attributes\":{");
    bool any = false;
    for (size_t i = 0; i < RP_ATTRIBUTES; i++) {
        if (p->attributes[i] < 0)
            continue;
        rp_glb_comma(w, any);
        rp_glb_key(w, rp_attribute_names[i]);
        rp_put_format(w, "%d", p->attributes[i]);
        any = true;
    }
    rp_put_format(w, "},\"mode\":%d", p->mode);
    if (p->indices >= 0)
        rp_put_format(w, ",\"indices\":%d", p->indices);
    if (p->material >= 0)
        rp_put_format(w, ",\"material\":%d", g->materials[p->material]);
    rp_put_u8(w, '}');
}

static void put_meshes(glb *g)
{
    const rp_mesh *meshes = g->scene->meshes.items;
    for (size_t i = 0; i < g->scene->meshes.count; i++) {
        rp_put_text(g->w, i ? ",{" : ",\"meshes\":[{");
        rp_glb_text_member(g->w, "name", meshes[i].name);
        rp_put_text(g->w, ",\"primitives\":[");
        for (size_t j = 0; j < meshes[i].primitive_count; j++) {
            rp_glb_comma(g->w, j);
            put_primitive(g, &meshes[i].primitives[j]);
        }
        rp_put_u8(g->w, ']');
        if (meshes[i].width_px > 0) {
            rp_put_text(g->w, ",\"extras\":{\"width_px\":");
            rp_json_f64(g->w, meshes[i].width_px);
            rp_put_u8(g->w, '}');
        }
        rp_put_u8(g->w, '}');
    }
    if (g->scene->meshes.count)
        rp_put_u8(g->w, ']');
}

static void put_materials(glb *g)
{
    const rp_material *materials = g->scene->materials.items;
    bool any = false;
    for (size_t i = 0; i < g->scene->materials.count; i++) {
        if (g->materials[i] < 0)
            continue;
        rp_put_text(g->w, any ? "," : ",\"materials\":[");
        rp_glb_material(g->w, &materials[i], g->materials[i]);
        any = true;
    }
    if (any)
        rp_put_u8(g->w, ']');
}

/* Smooth and nearest-pixel sampling, smooth first, if textures use them. */
static bool put_samplers(glb *g)
{
    const rp_picture *pictures = g->scene->pictures.items;
    bool smooth = false, pixels = false;
    for (size_t i = 0; i < g->scene->pictures.count; i++) {
        smooth |= !pictures[i].pixels;
        pixels |= pictures[i].pixels;
    }
    rp_put_format(
        g->w, ",\"samplers\":[%s%s%s]", smooth ? "{\"magFilter\":9729,\"minFilter\":9987}" : "",
        smooth && pixels ? "," : "", pixels ? "{\"magFilter\":9728,\"minFilter\":9984}" : "");
    return smooth;
}

/* The buffer views of images come after those of accessors. */
static void put_pictures(glb *g)
{
    const rp_picture *pictures = g->scene->pictures.items;
    size_t count = g->scene->pictures.count;
    if (!count)
        return;
    bool smooth = put_samplers(g);
    rp_put_text(g->w, ",\"images\":[");
    for (size_t i = 0; i < count; i++) {
        rp_glb_comma(g->w, i);
        rp_put_u8(g->w, '{');
        rp_glb_text_member(g->w, "name", pictures[i].name);
        rp_put_u8(g->w, ',');
        rp_glb_text_member(g->w, "mimeType", pictures[i].mime);
        rp_put_format(g->w, ",\"bufferView\":%zu}", g->scene->accessors.count + i);
    }
    rp_put_text(g->w, "],\"textures\":[");
    for (size_t i = 0; i < count; i++) {
        rp_glb_comma(g->w, i);
        rp_put_format(g->w, "{\"source\":%zu,\"sampler\":%d}", i,
                      pictures[i].pixels && smooth ? 1 : 0);
    }
    rp_put_u8(g->w, ']');
}

static void put_cameras(glb *g)
{
    const rp_camera *cameras = g->scene->cameras.items;
    for (size_t i = 0; i < g->scene->cameras.count; i++) {
        rp_put_text(g->w, i ? ",{" : ",\"cameras\":[{");
        rp_glb_text_member(g->w, "name", cameras[i].name);
        rp_put_text(g->w, ",\"type\":\"perspective\",\"perspective\":{\"znear\":");
        rp_json_f64(g->w, cameras[i].near_m);
        rp_put_text(g->w, ",\"yfov\":");
        const rp_channel *fov = cameras[i].fov;
        if (fov && fov->kept)
            rp_json_f32(g->w, fov->first.value[0]);
        else
            rp_json_f64(g->w, cameras[i].fov_deg * 0.017453292519943295);
        rp_put_text(g->w, "}}");
    }
    if (g->scene->cameras.count)
        rp_put_u8(g->w, ']');
}

static void put_skins(glb *g)
{
    const rp_skin *skins = g->scene->skins.items;
    for (size_t i = 0; i < g->scene->skins.count; i++) {
        rp_put_text(g->w, i ? ",{" : ",\"skins\":[{");
        rp_glb_text_member(g->w, "name", skins[i].name);
        rp_put_format(g->w, ",\"inverseBindMatrices\":%d,\"joints\":[", skins[i].inverse_bind);
        for (size_t j = 0; j < skins[i].joint_count; j++)
            rp_put_format(g->w, "%s%d", j ? "," : "", skins[i].joints[j]);
        rp_put_text(g->w, "]}");
    }
    if (g->scene->skins.count)
        rp_put_u8(g->w, ']');
}

/* ---- what moves ---- */

static int by_times(const void *a, const void *b)
{
    const moving *x = a, *y = b;
    for (size_t i = 0; i < 2; i++) {
        uint64_t p = x->channel->times_hash[i], q = y->channel->times_hash[i];
        if (p != q)
            return p < q ? -1 : 1;
    }
    if (x->channel->kept != y->channel->kept)
        return x->channel->kept < y->channel->kept ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static int by_order(const void *a, const void *b)
{
    const moving *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool same_times(const rp_channel *a, const rp_channel *b)
{
    return a->kept == b->kept && a->times_hash[0] == b->times_hash[0] &&
           a->times_hash[1] == b->times_hash[1];
}

static void add_move(glb *g, const rp_channel *channel, size_t index)
{
    g->moves[g->move_count] = (moving){
        .channel = channel, .index = (uint32_t)index, .order = g->move_count};
    g->move_count++;
}

static bool take(glb *g, const rp_channel *channel, size_t index)
{
    if (!rp_glb_moves(channel))
        return false;
    add_move(g, channel, index);
    return true;
}

/*
 * Hidden nodes have scale 0. A skeleton takes its scale from its node, and Blender divides by it.
 * Such a node gets a scale of 1 and a key that hides it, even if it never becomes visible.
 */
static reprise_status find_late_rigs(glb *g, rp_arena *arena, reprise_error *error)
{
    static const float none[3] = {0, 0, 0};
    const rp_skin *skins = g->scene->skins.items;
    const rp_node *nodes = g->scene->nodes.items;
    g->late_rigs = rp_arena_array(arena, RP_MAX(g->scene->nodes.count, 1), sizeof *g->late_rigs,
                                  error);
    for (size_t i = 0; g->late_rigs && i < g->scene->skins.count; i++) {
        int32_t holder = skins[i].joint_count ? nodes[skins[i].joints[0]].parent : -1;
        const rp_channel *size = holder >= 0 ? nodes[holder].channels[RP_CHANNEL_SIZE] : NULL;
        if (size && size->kept && is(&nodes[holder].size.x, none, 3))
            g->late_rigs[holder] = true;
    }
    return error->status;
}

static void gather(glb *g)
{
    const rp_scene *s = g->scene;
    for (size_t i = 0; i < s->nodes.count; i++) {
        rp_channel *const *channels = rp_scene_nodes(s)[i].channels;
        for (size_t kind = 0; kind < 3; kind++) {
            if (kind == RP_CHANNEL_SIZE && g->late_rigs[i])
                add_move(g, channels[kind], i);
            else
                take(g, channels[kind], i);
        }
    }
    const rp_material *materials = s->materials.items;
    for (size_t i = 0; i < s->materials.count; i++) {
        if (g->materials[i] < 0)
            continue;
        g->points |= take(g, materials[i].paint, i);
        g->shifts |= take(g, materials[i].shift, i);
    }
    const rp_camera *cameras = s->cameras.items;
    for (size_t i = 0; i < s->cameras.count; i++)
        g->points |= take(g, cameras[i].fov, i);
    g->points |= g->shifts;
}

/* Numbers only the materials in use: some exist only as painted copies. */
static reprise_status number_materials(glb *g, rp_arena *arena, reprise_error *error)
{
    size_t count = g->scene->materials.count;
    g->materials = rp_arena_array(arena, RP_MAX(count, 1), sizeof *g->materials, error);
    if (!g->materials)
        return error->status;
    for (size_t i = 0; i < count; i++)
        g->materials[i] = -1;
    const rp_mesh *meshes = g->scene->meshes.items;
    for (size_t i = 0; i < g->scene->meshes.count; i++) {
        for (size_t j = 0; j < meshes[i].primitive_count; j++) {
            if (meshes[i].primitives[j].material >= 0)
                g->materials[meshes[i].primitives[j].material] = 0;
        }
    }
    int32_t number = 0;
    for (size_t i = 0; i < count; i++) {
        if (g->materials[i] == 0)
            g->materials[i] = number++;
    }
    return REPRISE_OK;
}

/* Groups channels with equal times and computes all offsets. */
static reprise_status arrange(glb *g, rp_arena *arena, reprise_error *error)
{
    size_t most = 3 * g->scene->nodes.count + 2 * g->scene->materials.count +
                  g->scene->cameras.count;
    g->moves = rp_arena_array(arena, most, sizeof *g->moves, error);
    g->groups = rp_arena_array(arena, most, sizeof *g->groups, error);
    if (!g->moves || !g->groups)
        return error->status;
    RP_TRY(number_materials(g, arena, error));
    RP_TRY(find_late_rigs(g, arena, error));
    gather(g);
    if (g->move_count)
        qsort(g->moves, g->move_count, sizeof *g->moves, by_times);
    for (size_t i = 0; i < g->move_count; i++) {
        moving *m = &g->moves[i];
        if (!i || !same_times(m->channel, g->moves[i - 1].channel)) {
            g->groups[g->group_count++] = (group){m->channel, g->times_size};
            g->times_size += m->channel->kept * 4;
        }
        m->group = (uint32_t)(g->group_count - 1);
    }
    if (g->move_count)
        qsort(g->moves, g->move_count, sizeof *g->moves, by_order);
    for (size_t i = 0; i < g->move_count; i++) {
        const rp_channel *c = g->moves[i].channel;
        g->moves[i].value_offset = g->values_size;
        g->values_size += c->kept * rp_channel_values(c->kind) * 4;
    }
    g->fixed_size = rp_sink_size(g->scene->fixed);
    return REPRISE_OK;
}

static void put_animation_markers(glb *g)
{
    if (!g->timeline || !g->timeline->markers.count)
        return;
    const rp_marker *m = g->timeline->markers.items;
    const char *const *kinds = g->timeline->marker_kinds.texts.items;
    const char *const *texts = g->timeline->marker_texts.texts.items;
    rp_put_text(g->w, ",\"extras\":{\"reprise\":{\"markers\":[");
    for (size_t i = 0; i < RP_MIN(g->timeline->markers.count, MARKERS_MAX); i++) {
        rp_put_text(g->w, i ? ",{\"t\":" : "{\"t\":");
        rp_json_f32(g->w, m[i].time);
        rp_put_u8(g->w, ',');
        rp_glb_text_member(g->w, "kind", kinds[m[i].kind]);
        rp_put_u8(g->w, ',');
        rp_glb_text_member(g->w, "text", texts[m[i].text]);
        rp_put_format(g->w, ",\"player\":%d,\"weight\":%u}", m[i].player, m[i].weight);
    }
    rp_put_text(g->w, "]}}");
}

/* Targets other than nodes need KHR_animation_pointer; viewers without it skip the channel. */
static void put_pointer(rp_writer *w, size_t sampler, const char *list, int32_t index,
                        const char *member)
{
    rp_put_format(w,
                  "{\"sampler\":%zu,\"target\":{\"path\":\"pointer\",\"extensions\":"
                  "{\"KHR_animation_pointer\":{\"pointer\":\"/%s/%d/%s\"}}}}",
                  sampler, list, index, member);
}

#define SHIFT "Texture/extensions/KHR_texture_transform/offset"

static void put_channel(glb *g, size_t sampler)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const moving *m = &g->moves[sampler];
    const rp_material *materials = g->scene->materials.items;
    switch (m->channel->kind) {
    case RP_CHANNEL_PAINT:
        put_pointer(g->w, sampler, "materials", g->materials[m->index],
                    "pbrMetallicRoughness/baseColorFactor");
        return;
    case RP_CHANNEL_SHIFT:
        put_pointer(g->w, sampler, "materials", g->materials[m->index],
                    "pbrMetallicRoughness/baseColor" SHIFT);
        if (materials[m->index].glow > 0) {
            rp_put_u8(g->w, ',');
            put_pointer(g->w, sampler, "materials", g->materials[m->index], "emissive" SHIFT);
        }
        return;
    case RP_CHANNEL_FOV:
        put_pointer(g->w, sampler, "cameras", (int32_t)m->index, "perspective/yfov");
        return;
    default:
        rp_put_format(g->w, "{\"sampler\":%zu,\"target\":{\"node\":%u,\"path\":\"%s\"}}", sampler,
                      m->index, paths[m->channel->kind]);
    }
}

static void put_animation(glb *g)
{
    if (!g->move_count)
        return;
    size_t times = g->scene->accessors.count, values = times + g->group_count;
    rp_put_text(g->w, ",\"animations\":[{");
    rp_glb_text_member(g->w, "name", g->options->name);
    rp_put_text(g->w, ",\"channels\":[");
    for (size_t i = 0; i < g->move_count; i++) {
        rp_glb_comma(g->w, i);
        put_channel(g, i);
    }
    rp_put_text(g->w, "],\"samplers\":[");
    for (size_t i = 0; i < g->move_count; i++)
        rp_put_format(g->w, "%s{\"input\":%zu,\"output\":%zu%s}", i ? "," : "",
                      times + g->moves[i].group, values + i,
                      g->moves[i].channel->steps ? ",\"interpolation\":\"STEP\"" : "");
    rp_put_u8(g->w, ']');
    put_animation_markers(g);
    rp_put_text(g->w, "}]");
}

/* ---- accessors and views ---- */

static const char *type_name(uint8_t width)
{
    switch (width) {
    case 1:
        return "SCALAR";
    case 2:
        return "VEC2";
    case 3:
        return "VEC3";
    case 4:
        return "VEC4";
    default:
        return "MAT4";
    }
}

static void put_fixed_accessors(glb *g)
{
    const rp_accessor *a = g->scene->accessors.items;
    for (size_t i = 0; i < g->scene->accessors.count; i++) {
        rp_glb_comma(g->w, i);
        rp_put_format(g->w, "{\"bufferView\":%zu,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"",
                      i, a[i].component, a[i].count, type_name(a[i].width));
        if (a[i].normalized)
            rp_put_text(g->w, ",\"normalized\":true");
        if (a[i].bounded) {
            rp_put_u8(g->w, ',');
            rp_glb_floats(g->w, "min", a[i].low, 3);
            rp_put_u8(g->w, ',');
            rp_glb_floats(g->w, "max", a[i].high, 3);
        }
        rp_put_u8(g->w, '}');
    }
}

static void put_accessors(glb *g)
{
    size_t fixed = g->scene->accessors.count, views = fixed + g->scene->pictures.count;
    if (!fixed && !g->move_count)
        return;
    rp_put_text(g->w, ",\"accessors\":[");
    put_fixed_accessors(g);
    for (size_t i = 0; i < g->group_count; i++) {
        const rp_channel *c = g->groups[i].channel;
        rp_glb_comma(g->w, fixed + i);
        rp_put_format(g->w,
                      "{\"bufferView\":%zu,\"byteOffset\":%llu,\"componentType\":5126,"
                      "\"count\":%llu,\"type\":\"SCALAR\",",
                      views, (unsigned long long)g->groups[i].offset, (unsigned long long)c->kept);
        rp_glb_floats(g->w, "min", &c->first.time, 1);
        rp_put_u8(g->w, ',');
        rp_glb_floats(g->w, "max", &c->last_time, 1);
        rp_put_u8(g->w, '}');
    }
    for (size_t i = 0; i < g->move_count; i++) {
        const rp_channel *c = g->moves[i].channel;
        rp_put_format(g->w,
                      ",{\"bufferView\":%zu,\"byteOffset\":%llu,\"componentType\":5126,"
                      "\"count\":%llu,\"type\":\"%s\"}",
                      views + 1, (unsigned long long)g->moves[i].value_offset,
                      (unsigned long long)c->kept, type_name((uint8_t)rp_channel_values(c->kind)));
    }
    rp_put_u8(g->w, ']');
}

static void put_view(glb *g, size_t index, uint64_t offset, uint64_t size, int target)
{
    rp_put_format(g->w, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu",
                  index ? "," : ",\"bufferViews\":[", (unsigned long long)offset,
                  (unsigned long long)size);
    if (target)
        rp_put_format(g->w, ",\"target\":%d", target);
    rp_put_u8(g->w, '}');
}

static void put_views(glb *g)
{
    const rp_accessor *a = g->scene->accessors.items;
    const rp_picture *p = g->scene->pictures.items;
    size_t index = 0;
    for (size_t i = 0; i < g->scene->accessors.count; i++, index++)
        put_view(g, index, a[i].offset, a[i].size,
                 a[i].width == 16 ? 0
                 : a[i].indices   ? 34963
                                  : 34962);
    for (size_t i = 0; i < g->scene->pictures.count; i++, index++)
        put_view(g, index, p[i].offset, p[i].size, 0);
    if (g->move_count) {
        put_view(g, index++, g->fixed_size, g->times_size, 0);
        put_view(g, index++, g->fixed_size + g->times_size, g->values_size, 0);
    }
    if (index)
        rp_put_u8(g->w, ']');
}

/* ---- all of it ---- */

/* The offset from the scene to the game world, if there is one. */
static void put_world_offset(glb *g)
{
    const double *offset = g->scene->world_offset;
    if (offset[0] == 0 && offset[1] == 0 && offset[2] == 0)
        return;
    rp_put_text(g->w, ",\"world_offset\":");
    for (size_t i = 0; i < 3; i++) {
        rp_put_u8(g->w, i ? ',' : '[');
        rp_json_f64(g->w, offset[i]);
    }
    rp_put_u8(g->w, ']');
}

static void put_asset(glb *g)
{
    rp_put_text(g->w, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"reprise " REPRISE_VERSION
                      "\",\"extras\":{\"reprise\":{\"v\":1,");
    rp_put_format(g->w, "\"static_bytes\":%llu,", (unsigned long long)g->fixed_size);
    rp_glb_text_member(g->w, "format", g->options->format);
    rp_put_text(g->w, ",\"duration\":");
    rp_json_seconds(g->w, g->scene->length);
    rp_put_text(g->w, ",\"time_offset\":");
    rp_json_f64(g->w, g->scene->offset);
    put_world_offset(g);
    const char *const *losses = g->scene->losses.items;
    for (size_t i = 0; i < g->scene->losses.count; i++) {
        rp_put_text(g->w, i ? "," : ",\"left_out\":[");
        rp_json_string(g->w, losses[i], strlen(losses[i]));
    }
    rp_put_text(g->w, g->scene->losses.count ? "]" : "");
    rp_put_format(g->w, ",\"keys_recorded\":%llu,\"keys_kept\":%llu}}}",
                  (unsigned long long)g->scene->keys.seen, (unsigned long long)g->scene->keys.kept);
    if (g->points)
        rp_put_format(g->w, ",\"extensionsUsed\":[\"KHR_animation_pointer\"%s]",
                      g->shifts ? ",\"KHR_texture_transform\"" : "");
}

static uint64_t bytes_of(const glb *g)
{
    return g->fixed_size + g->times_size + g->values_size;
}

/* The JSON document up to the URI of the buffer, which only the text form has. */
static reprise_status put_document(glb *g, rp_arena *arena, reprise_error *error)
{
    put_asset(g);
    RP_TRY(put_graph(g, arena, error));
    put_meshes(g);
    put_materials(g);
    put_pictures(g);
    put_cameras(g);
    put_skins(g);
    put_animation(g);
    put_accessors(g);
    put_views(g);
    if (bytes_of(g))
        rp_put_format(g->w, ",\"buffers\":[{\"byteLength\":%llu", (unsigned long long)bytes_of(g));
    return error->status;
}

static reprise_status write_bytes(glb *g, rp_sink *sink, reprise_error *error)
{
    rp_source *fixed = NULL;
    RP_TRY(rp_sink_reopen(g->scene->fixed, &fixed, error));
    reprise_status status = rp_sink_copy(sink, fixed, error);
    rp_source_close(fixed);
    rp_anim_keys *keys = &g->scene->keys;
    for (size_t i = 0; status == REPRISE_OK && i < g->group_count; i++)
        status = rp_channel_write_times(keys, g->groups[i].channel, sink, error);
    for (size_t i = 0; status == REPRISE_OK && i < g->move_count; i++)
        status = rp_channel_write_values(keys, g->moves[i].channel, sink, error);
    return status;
}

static reprise_status write_binary(glb *g, rp_sink *sink, reprise_error *error)
{
    uint64_t bytes = bytes_of(g);
    if (bytes)
        rp_put_text(g->w, "}]");
    rp_put_u8(g->w, '}');
    while (g->w->size % 4 && rp_writer_ok(g->w))
        rp_put_u8(g->w, ' ');
    RP_TRY(error->status);
    uint64_t size = 12 + 8 + g->w->size + (bytes ? 8 + bytes : 0);
    if (size > UINT32_MAX) {
        rp_error_set(error, REPRISE_E_LIMIT, "%llu bytes are too many for one GLB file",
                     (unsigned long long)size);
        rp_error_advise(error, REPRISE_HINT_SMALLER);
        return error->status;
    }
    uint8_t head[20] = {'g', 'l', 'T', 'F', 2, 0, 0, 0};
    rp_store32(head + 8, (uint32_t)size);
    rp_store32(head + 12, (uint32_t)g->w->size);
    memcpy(head + 16, "JSON", 4);
    RP_TRY(rp_sink_write(sink, head, sizeof head, error));
    RP_TRY(rp_sink_write(sink, g->w->data, g->w->size, error));
    if (!bytes)
        return REPRISE_OK;
    uint8_t chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
    rp_store32(chunk, (uint32_t)bytes);
    RP_TRY(rp_sink_write(sink, chunk, sizeof chunk, error));
    return write_bytes(g, sink, error);
}

/* Streaming base64 encoder: complete groups of three bytes are written, the rest waits. */
typedef struct base64 {
    rp_sink *to;
    reprise_error *error;
    uint8_t rest[3];
    size_t rest_size;
} base64;

static void encode_three(const uint8_t three[3], char four[4])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)three[0] << 16 | (uint32_t)three[1] << 8 | three[2];
    for (unsigned k = 0; k < 4; k++)
        four[k] = digits[bits >> (18 - 6 * k) & 63];
}

static int encode(void *ctx, const void *data, size_t size)
{
    base64 *b = ctx;
    const uint8_t *from = data;
    char out[4096];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        b->rest[b->rest_size++] = from[i];
        if (b->rest_size < 3)
            continue;
        encode_three(b->rest, out + used);
        b->rest_size = 0;
        used += 4;
        if (used == sizeof out) {
            if (rp_sink_write(b->to, out, used, b->error) != REPRISE_OK)
                return -1;
            used = 0;
        }
    }
    return rp_sink_write(b->to, out, used, b->error) == REPRISE_OK ? 0 : -1;
}

static reprise_status finish_base64(base64 *b)
{
    char four[4];
    size_t left = b->rest_size;
    if (!left)
        return REPRISE_OK;
    memset(b->rest + left, 0, 3 - left);
    encode_three(b->rest, four);
    four[3] = '=';
    if (left == 1)
        four[2] = '=';
    return rp_sink_write(b->to, four, sizeof four, b->error);
}

static reprise_status write_text(glb *g, rp_sink *sink, reprise_error *error)
{
    if (bytes_of(g))
        rp_put_text(g->w, ",\"uri\":\"data:application/octet-stream;base64,");
    RP_TRY(error->status);
    RP_TRY(rp_sink_write(sink, g->w->data, g->w->size, error));
    if (!bytes_of(g))
        return rp_sink_write(sink, "}\n", 2, error);
    base64 b = {.to = sink, .error = error};
    reprise_sink callback = {.ctx = &b, .write = encode};
    rp_sink *encoder = NULL;
    RP_TRY(rp_sink_open_callback(g->scene->context, &callback, &encoder, error));
    reprise_status status = write_bytes(g, encoder, error);
    rp_sink_close(encoder);
    if (status == REPRISE_OK)
        status = finish_base64(&b);
    if (status == REPRISE_OK)
        status = rp_sink_write(sink, "\"}]}\n", 5, error);
    return status;
}

reprise_status rp_glb_write(rp_scene *scene, const rp_timeline *timeline,
                            const rp_glb_options *options, rp_sink *sink, reprise_error *error)
{
    rp_writer w;
    rp_writer_init(&w, scene->context, UINT32_MAX / 2, error);
    rp_arena arena;
    rp_arena_init(&arena, scene->context);
    glb g = {.scene = scene, .timeline = timeline, .options = options, .w = &w};
    reprise_status status = arrange(&g, &arena, error);
    if (status == REPRISE_OK)
        status = put_document(&g, &arena, error);
    if (status == REPRISE_OK)
        status = options->text ? write_text(&g, sink, error) : write_binary(&g, sink, error);
    rp_arena_free(&arena);
    rp_writer_free(&w);
    return status;
}
