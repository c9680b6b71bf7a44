/* scene.c - see scene.h. */
#include "scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "checked.h"

/* The order of rp_primitive.attributes. */
const char *const rp_attribute_names[RP_ATTRIBUTES] = {"POSITION",   "NORMAL",   "COLOR_0",
                                                       "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"};

/* Frames of all animated textures together. */
enum { PICTURE_STEPS_MAX = 1 << 20, LOSSES_MAX = 64 };

/* Longer gaps between frames come from a broken clock. */
enum { GAP_MAX_S = 86400 };

void rp_scene_init(rp_scene *scene, rp_context *context, const rp_scene_options *options,
                   reprise_error *error)
{
    *scene = (rp_scene){.context = context, .error = error, .options = *options};
    rp_arena_init(&scene->arena, context);
    if (rp_sink_open_spool(context, NULL, &scene->fixed, error) == REPRISE_OK)
        (void)!rp_anim_keys_init(&scene->keys, context, &options->keys, error);
}

static void free_channel(rp_scene *scene, rp_channel *channel)
{
    if (channel)
        rp_channel_free(&scene->keys, channel);
}

static void free_channels(rp_scene *scene)
{
    const rp_material *materials = scene->materials.items;
    for (size_t i = 0; i < scene->materials.count; i++) {
        free_channel(scene, materials[i].paint);
        free_channel(scene, materials[i].shift);
    }
    const rp_camera *cameras = scene->cameras.items;
    for (size_t i = 0; i < scene->cameras.count; i++)
        free_channel(scene, cameras[i].fov);
    for (size_t i = 0; i < scene->nodes.count; i++) {
        for (size_t kind = 0; kind < 3; kind++)
            free_channel(scene, rp_scene_nodes(scene)[i].channels[kind]);
    }
}

void rp_scene_free(rp_scene *scene)
{
    if (!scene->context)
        return;
    free_channels(scene);
    rp_anim_keys_free(&scene->keys);
    rp_sink_close(scene->fixed);
    rp_vector_free(scene->context, &scene->nodes, sizeof(rp_node));
    rp_vector_free(scene->context, &scene->meshes, sizeof(rp_mesh));
    rp_vector_free(scene->context, &scene->materials, sizeof(rp_material));
    rp_vector_free(scene->context, &scene->pictures, sizeof(rp_picture));
    rp_vector_free(scene->context, &scene->cameras, sizeof(rp_camera));
    rp_vector_free(scene->context, &scene->accessors, sizeof(rp_accessor));
    rp_vector_free(scene->context, &scene->skins, sizeof(rp_skin));
    rp_vector_free(scene->context, &scene->losses, sizeof(const char *));
    rp_arena_free(&scene->arena);
    *scene = (rp_scene){0};
}

static bool ok(const rp_scene *scene)
{
    return scene->error->status == REPRISE_OK;
}

static void *add(rp_scene *scene, rp_vector *list, size_t item_size)
{
    return ok(scene) ? rp_vector_add(scene->context, list, item_size, scene->error) : NULL;
}

static const char *keep_text(rp_scene *scene, const char *text)
{
    return text ? rp_arena_text(&scene->arena, text, strlen(text), scene->error) : NULL;
}

static int32_t last_of(const rp_scene *scene, const rp_vector *list)
{
    return ok(scene) ? (int32_t)list->count - 1 : -1;
}

/* ---- static data ---- */

int32_t rp_scene_material(rp_scene *scene, const rp_material *material)
{
    rp_material *to = add(scene, &scene->materials, sizeof *to);
    if (!to)
        return -1;
    *to = *material;
    to->name = keep_text(scene, material->name);
    to->blend_name = keep_text(scene, material->blend_name);
    to->painted_by = keep_text(scene, material->painted_by);
    to->paint_mode = keep_text(scene, material->paint_mode);
    to->paint = to->shift = NULL;
    return last_of(scene, &scene->materials);
}

int32_t rp_scene_material_copy(rp_scene *scene, int32_t material)
{
    if (material < 0 || !ok(scene))
        return -1;
    rp_material copy = ((const rp_material *)scene->materials.items)[material];
    return rp_scene_material(scene, &copy);
}

void rp_scene_note_loss(rp_scene *scene, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *const *known = scene->losses.items;
    for (size_t i = 0; i < scene->losses.count; i++) {
        if (strcmp(known[i], text) == 0)
            return;
    }
    if (scene->losses.count == LOSSES_MAX)
        return;
    if (scene->losses.count == LOSSES_MAX - 1)
        snprintf(text, sizeof text, "and more of the kind");
    const char **to = add(scene, &scene->losses, sizeof *to);
    if (to)
        *to = keep_text(scene, text);
}

int32_t rp_scene_camera(rp_scene *scene, const char *name, double fov_deg)
{
    rp_camera *to = add(scene, &scene->cameras, sizeof *to);
    if (!to)
        return -1;
    to->name = keep_text(scene, name);
    to->fov_deg = fov_deg;
    to->near_m = 0.02;
    return last_of(scene, &scene->cameras);
}

void rp_scene_camera_near(rp_scene *scene, int32_t camera, double near_m)
{
    if (camera >= 0 && ok(scene))
        ((rp_camera *)scene->cameras.items)[camera].near_m = near_m;
}

/* Every piece starts at a multiple of four, as accessors require. */
static uint64_t put_fixed(rp_scene *scene, const void *data, size_t size)
{
    static const uint8_t zeros[4];
    uint64_t offset = rp_sink_size(scene->fixed);
    if (rp_sink_write(scene->fixed, data, size, scene->error) == REPRISE_OK)
        (void)!rp_sink_write(scene->fixed, zeros, (size_t)(-(int64_t)size & 3), scene->error);
    return offset;
}

int32_t rp_scene_picture(rp_scene *scene, const char *name, const char *mime, const void *data,
                         size_t size, bool pixels)
{
    rp_picture *to = add(scene, &scene->pictures, sizeof *to);
    if (!to)
        return -1;
    to->name = keep_text(scene, name);
    to->mime = keep_text(scene, mime);
    to->offset = put_fixed(scene, data, size);
    to->size = size;
    to->pixels = pixels;
    return last_of(scene, &scene->pictures);
}

static rp_accessor *add_accessor(rp_scene *scene, uint32_t component, uint8_t width, size_t count)
{
    rp_accessor *to = add(scene, &scene->accessors, sizeof *to);
    if (to) {
        to->component = component;
        to->width = width;
        to->count = (uint32_t)count;
    }
    return to;
}

/* Writes floats in little-endian order. */
static int32_t put_floats(rp_scene *scene, const float *values, uint8_t width, size_t count,
                          bool bounded)
{
    rp_accessor *to = add_accessor(scene, 5126, width, count);
    if (!to)
        return -1;
    to->bounded = bounded;
    to->size = (uint64_t)count * width * 4;
    to->offset = rp_sink_size(scene->fixed);
    for (size_t i = 0; bounded && i < 3; i++) {
        to->low[i] = INFINITY;
        to->high[i] = -INFINITY;
    }
    uint8_t piece[4096];
    size_t size = 0;
    for (size_t i = 0; i < count * width; i++) {
        float value = isfinite(values[i]) ? values[i] : 0;
        if (bounded) {
            to->low[i % width] = fminf(to->low[i % width], value);
            to->high[i % width] = fmaxf(to->high[i % width], value);
        }
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        rp_store32(piece + size, bits);
        size += 4;
        if (size == sizeof piece || i + 1 == count * width) {
            put_fixed(scene, piece, size);
            size = 0;
        }
    }
    return last_of(scene, &scene->accessors);
}

static int32_t put_bytes(rp_scene *scene, const uint8_t (*values)[4], size_t count, bool normalized)
{
    rp_accessor *to = add_accessor(scene, 5121, 4, count);
    if (!to)
        return -1;
    to->normalized = normalized;
    to->size = (uint64_t)count * 4;
    to->offset = put_fixed(scene, values, count * 4);
    return last_of(scene, &scene->accessors);
}

/* Each vertex follows one joint. Joints above 255 need two bytes. */
static int32_t put_joints(rp_scene *scene, const uint16_t *joints, size_t count)
{
    bool wide = false;
    for (size_t i = 0; i < count; i++)
        wide |= joints[i] > UINT8_MAX;
    rp_accessor *to = add_accessor(scene, wide ? 5123 : 5121, 4, count);
    if (!to)
        return -1;
    size_t each = wide ? 8 : 4;
    to->size = (uint64_t)count * each;
    to->offset = rp_sink_size(scene->fixed);
    uint8_t piece[4096];
    for (size_t i = 0, size = 0; i < count; i++) {
        memset(piece + size, 0, each);
        rp_store16(piece + size, joints[i]);
        size += each;
        if (size == sizeof piece || i + 1 == count) {
            put_fixed(scene, piece, size);
            size = 0;
        }
    }
    return last_of(scene, &scene->accessors);
}

static int32_t put_weights(rp_scene *scene, size_t count)
{
    rp_accessor *to = add_accessor(scene, 5121, 4, count);
    if (!to)
        return -1;
    to->normalized = true;
    to->size = (uint64_t)count * 4;
    to->offset = rp_sink_size(scene->fixed);
    uint8_t piece[4096];
    for (size_t i = 0; i < sizeof piece; i++)
        piece[i] = i % 4 ? 0 : UINT8_MAX;
    for (size_t left = count * 4; left;) {
        size_t size = RP_MIN(left, sizeof piece);
        put_fixed(scene, piece, size);
        left -= size;
    }
    return last_of(scene, &scene->accessors);
}

static int32_t put_indices(rp_scene *scene, const uint32_t *indices, size_t count, size_t vertices)
{
    bool wide = vertices > 65535;
    rp_accessor *to = add_accessor(scene, wide ? 5125 : 5123, 1, count);
    if (!to)
        return -1;
    to->indices = true;
    to->size = (uint64_t)count * (wide ? 4 : 2);
    to->offset = rp_sink_size(scene->fixed);
    uint8_t piece[4096];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (wide)
            rp_store32(piece + size, indices[i]);
        else
            rp_store16(piece + size, (uint16_t)indices[i]);
        size += wide ? 4 : 2;
        if (size == sizeof piece || i + 1 == count) {
            put_fixed(scene, piece, size);
            size = 0;
        }
    }
    return last_of(scene, &scene->accessors);
}

/* Texture coordinates are useless without a texture. */
static bool has_texture(const rp_scene *scene, int32_t material)
{
    const rp_material *materials = scene->materials.items;
    return material >= 0 && materials[material].texture >= 0;
}

static void put_primitive(rp_scene *scene, const rp_geometry *part, rp_primitive *to)
{
    *to = (rp_primitive){.mode = part->mode, .indices = -1, .material = part->material};
    size_t n = part->count;
    int32_t *a = to->attributes;
    a[0] = put_floats(scene, &part->positions[0].x, 3, n, true);
    a[1] = part->normals ? put_floats(scene, &part->normals[0].x, 3, n, false) : -1;
    a[2] = part->colours ? put_bytes(scene, part->colours, n, true) : -1;
    bool textured = part->uvs && has_texture(scene, part->material);
    a[3] = textured ? put_floats(scene, &part->uvs[0][0], 2, n, false) : -1;
    a[4] = part->joints ? put_joints(scene, part->joints, n) : -1;
    a[5] = part->joints ? put_weights(scene, n) : -1;
    if (part->indices)
        to->indices = put_indices(scene, part->indices, part->index_count, n);
}

int32_t rp_scene_mesh(rp_scene *scene, const char *name, const rp_geometry *parts, size_t count,
                      double width_px)
{
    if (!ok(scene))
        return -1;
    rp_primitive *primitives = rp_arena_array(&scene->arena, count, sizeof *primitives,
                                              scene->error);
    size_t used = 0;
    for (size_t i = 0; primitives && i < count; i++) {
        if (parts[i].count && (!parts[i].indices || parts[i].index_count))
            put_primitive(scene, &parts[i], &primitives[used++]);
    }
    rp_mesh *to = used ? add(scene, &scene->meshes, sizeof *to) : NULL;
    if (!to)
        return -1;
    *to = (rp_mesh){keep_text(scene, name), primitives, used, width_px};
    return last_of(scene, &scene->meshes);
}

/* The inverse of a joint's bind pose, column by column. */
static void inverse_bind(const rp_pose *pose, float to[16])
{
    rp_quat back = {-pose->rotation.x, -pose->rotation.y, -pose->rotation.z, pose->rotation.w};
    const rp_vec3 axes[4] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-pose->position.x, -pose->position.y, -pose->position.z}};
    for (size_t i = 0; i < 4; i++) {
        rp_vec3 turned = rp_rotation_apply(back, axes[i]);
        to[4 * i] = turned.x;
        to[4 * i + 1] = turned.y;
        to[4 * i + 2] = turned.z;
        to[4 * i + 3] = i == 3 ? 1 : 0;
    }
}

int32_t rp_scene_skin(rp_scene *scene, const char *name, const int32_t *joints,
                      const rp_pose *poses, size_t count)
{
    if (!ok(scene) || !count)
        return -1;
    int32_t *copy = rp_arena_array(&scene->arena, count, sizeof *copy, scene->error);
    rp_accessor *matrices = add_accessor(scene, 5126, 16, count);
    rp_skin *to = copy && matrices ? add(scene, &scene->skins, sizeof *to) : NULL;
    if (!to)
        return -1;
    matrices->size = (uint64_t)count * 64;
    matrices->offset = rp_sink_size(scene->fixed);
    for (size_t i = 0; i < count; i++) {
        float matrix[16];
        uint8_t bytes[64];
        inverse_bind(&poses[i], matrix);
        for (size_t k = 0; k < 16; k++) {
            uint32_t bits;
            memcpy(&bits, &matrix[k], sizeof bits);
            rp_store32(bytes + 4 * k, bits);
        }
        put_fixed(scene, bytes, sizeof bytes);
    }
    memcpy(copy, joints, count * sizeof *copy);
    *to = (rp_skin){keep_text(scene, name), copy, count, last_of(scene, &scene->accessors)};
    return last_of(scene, &scene->skins);
}

/* ---- nodes ---- */

int32_t rp_scene_node(rp_scene *scene, const rp_node *node)
{
    rp_node *to = add(scene, &scene->nodes, sizeof *to);
    if (!to)
        return -1;
    *to = *node;
    to->name = keep_text(scene, node->name);
    to->id = keep_text(scene, node->id);
    to->kind = keep_text(scene, node->kind);
    memset(to->channels, 0, sizeof to->channels);
    int32_t index = last_of(scene, &scene->nodes);
    bool late = scene->frames > 0 && node->mesh >= 0;
    if (index >= 0 && (late || !node->shown)) {
        to->shown = true;
        rp_scene_show_at(scene, index, false, 0);
    }
    return index;
}

/* ---- the clock ---- */

static rp_when place_in_range(const rp_scene *scene, int64_t index, double time)
{
    const rp_scene_options *o = &scene->options;
    if (time > o->time_to || index > o->index_to)
        return RP_TOO_LATE;
    return time < o->time_from || index < o->index_from ? RP_TOO_EARLY : RP_SHOWN;
}

/* Limits the number of samples, which a broken clock could make huge. */
static bool too_many_samples(rp_scene *scene)
{
    double samples = (double)scene->now * scene->options.keys.samples_per_s;
    return samples > (double)scene->context->limits.items_max;
}

rp_when rp_scene_clock(rp_scene *scene, int64_t index, double time)
{
    rp_when when = place_in_range(scene, index, time);
    if (when != RP_SHOWN)
        return when;
    if (!scene->started) {
        bool cut = scene->options.time_from > -1e300 || scene->options.index_from > INT64_MIN;
        scene->started = true;
        bool moved = cut || time < 0 || scene->from_first;
        scene->offset = isfinite(time) && moved ? time : 0;
    }
    float now = (float)(time - scene->offset);
    if (!scene->frames) {
        now = now >= 0 && now < (float)GAP_MAX_S ? now : 0;
    } else {
        float least = nextafterf(nextafterf(scene->now, INFINITY), INFINITY);
        now = now > least && now < scene->now + (float)GAP_MAX_S ? now : least;
    }
    scene->before = scene->frames ? scene->now : 0;
    scene->now = now;
    scene->recorded = time;
    scene->latest = fmaxf(scene->latest, now);
    scene->frames++;
    if (too_many_samples(scene))
        rp_error_set(scene->error, REPRISE_E_LIMIT,
                     "too many samples, limit items=%llu; choose a shorter part or fewer samples",
                     (unsigned long long)scene->context->limits.items_max);
    return ok(scene) ? RP_SHOWN : RP_TOO_LATE;
}

void rp_scene_start(rp_scene *scene, double time)
{
    scene->started = true;
    scene->offset = time;
}

void rp_scene_rewind(rp_scene *scene)
{
    scene->now = scene->before = 0;
    scene->frames = 0;
}

double rp_scene_time(const rp_scene *scene, double time)
{
    return time - scene->offset;
}

/* ---- moving ---- */

static rp_channel *made_channel(rp_scene *scene, rp_channel **channel, rp_channel_kind kind,
                                bool steps)
{
    if (!*channel) {
        *channel = rp_arena_alloc(&scene->arena, sizeof **channel, scene->error);
        if (*channel)
            rp_channel_init(*channel, kind, steps);
    }
    return *channel;
}

static rp_channel *channel_of(rp_scene *scene, int32_t node, rp_channel_kind kind, bool steps)
{
    if (node < 0 || !ok(scene))
        return NULL;
    return made_channel(scene, &rp_scene_nodes(scene)[node].channels[kind], kind, steps);
}

static void put(rp_scene *scene, rp_channel *channel, const float *value, bool jump)
{
    if (!channel)
        return;
    if (!scene->frames) {
        rp_channel_prime(channel, value);
        return;
    }
    reprise_status status = jump && channel->any
                                ? rp_channel_jump(&scene->keys, channel, scene->now, value,
                                                  scene->error)
                                : rp_channel_put(&scene->keys, channel, scene->before, scene->now,
                                                 value, scene->error);
    (void)status;
}

void rp_scene_move(rp_scene *scene, int32_t node, rp_vec3 position, bool jump)
{
    put(scene, channel_of(scene, node, RP_CHANNEL_POSITION, false), &position.x, jump);
}

void rp_scene_rotate(rp_scene *scene, int32_t node, rp_quat rotation, bool jump)
{
    put(scene, channel_of(scene, node, RP_CHANNEL_ROTATION, false), &rotation.x, jump);
}

static void put_since(rp_scene *scene, rp_channel *channel, const float *value, double since)
{
    if (!channel)
        return;
    if (!scene->frames)
        rp_channel_prime(channel, value);
    else
        (void)!rp_channel_put(&scene->keys, channel, (float)since, scene->now, value, scene->error);
}

void rp_scene_move_since(rp_scene *scene, int32_t node, rp_vec3 position, double since)
{
    put_since(scene, channel_of(scene, node, RP_CHANNEL_POSITION, false), &position.x, since);
}

void rp_scene_rotate_since(rp_scene *scene, int32_t node, rp_quat rotation, double since)
{
    put_since(scene, channel_of(scene, node, RP_CHANNEL_ROTATION, false), &rotation.x, since);
}

void rp_scene_resize(rp_scene *scene, int32_t node, rp_vec3 size)
{
    put(scene, channel_of(scene, node, RP_CHANNEL_SIZE, false), &size.x, false);
}

/* Sets a state from a time on. If it had no key so far, it was `usual` until then. */
static void step(rp_scene *scene, rp_channel *channel, const float *usual, const float *value,
                 double time)
{
    if (!channel)
        return;
    if (!scene->frames) {
        rp_channel_prime(channel, value);
        return;
    }
    if (!channel->any)
        rp_channel_prime(channel, usual);
    float at = time > 0 ? (float)time : 0;
    (void)!rp_channel_put(&scene->keys, channel, at, at, value, scene->error);
}

static void step_size(rp_scene *scene, int32_t node, rp_vec3 size, double time)
{
    rp_channel *channel = channel_of(scene, node, RP_CHANNEL_SIZE, true);
    step(scene, channel, &rp_scene_nodes(scene)[node].size.x, &size.x, time);
}

void rp_scene_show_at(rp_scene *scene, int32_t node, bool shown, double time)
{
    if (node < 0 || !ok(scene))
        return;
    rp_node *n = &rp_scene_nodes(scene)[node];
    n->shown = shown;
    step_size(scene, node, shown ? n->size : (rp_vec3){0, 0, 0}, time);
}

void rp_scene_show_sized(rp_scene *scene, int32_t node, rp_vec3 size, double time)
{
    if (node < 0 || !ok(scene))
        return;
    rp_scene_nodes(scene)[node].shown = true;
    step_size(scene, node, size, time);
}

void rp_scene_show(rp_scene *scene, int32_t node, bool shown)
{
    if (node < 0 || !ok(scene) || rp_scene_nodes(scene)[node].shown == shown)
        return;
    rp_scene_show_at(scene, node, shown, (double)scene->now);
}

/* ---- animated materials ---- */

void rp_scene_paint(rp_scene *scene, int32_t material, const float colour[4])
{
    static const float usual[4] = {1, 1, 1, 1};
    if (material < 0 || !ok(scene))
        return;
    rp_material *m = &((rp_material *)scene->materials.items)[material];
    step(scene, made_channel(scene, &m->paint, RP_CHANNEL_PAINT, true), usual, colour,
         (double)scene->now);
}

void rp_scene_zoom(rp_scene *scene, int32_t camera, double fov_deg)
{
    if (camera < 0 || !ok(scene))
        return;
    rp_camera *c = &((rp_camera *)scene->cameras.items)[camera];
    const float angle = (float)(fov_deg * 0.017453292519943295);
    put(scene, made_channel(scene, &c->fov, RP_CHANNEL_FOV, false), &angle, false);
}

/* Animates textures on the recording's clock. */
static void step_picture(rp_scene *scene, rp_material *material, uint64_t *steps)
{
    double first = floor(scene->offset * material->frame_rate);
    double last = floor((scene->offset + (double)scene->latest) * material->frame_rate);
    if (!(last - first < (double)(PICTURE_STEPS_MAX - *steps))) {
        rp_scene_note_loss(scene, "material %s: frames of its texture, too many", material->name);
        return;
    }
    *steps += (uint64_t)(last - first);
    rp_channel *channel = made_channel(scene, &material->shift, RP_CHANNEL_SHIFT, true);
    for (double n = first; channel && n <= last && ok(scene); n++) {
        double number = fmod(n, material->frame_count);
        number += number < 0 ? material->frame_count : 0;
        const float shift[2] = {0, (float)number * material->frame_height};
        float at = (float)fmax(n / material->frame_rate - scene->offset, 0);
        (void)!rp_channel_put(&scene->keys, channel, at, at, shift, scene->error);
    }
}

static void end_looks(rp_scene *scene)
{
    uint64_t steps = 0;
    rp_material *materials = scene->materials.items;
    for (size_t i = 0; i < scene->materials.count && ok(scene); i++) {
        if (materials[i].frame_count > 1 && scene->latest > 0)
            step_picture(scene, &materials[i], &steps);
        if (materials[i].paint)
            (void)!rp_channel_end(&scene->keys, materials[i].paint, scene->error);
        if (materials[i].shift && ok(scene))
            (void)!rp_channel_end(&scene->keys, materials[i].shift, scene->error);
    }
    const rp_camera *cameras = scene->cameras.items;
    for (size_t i = 0; i < scene->cameras.count && ok(scene); i++) {
        if (cameras[i].fov)
            (void)!rp_channel_end(&scene->keys, cameras[i].fov, scene->error);
    }
}

/* ---- the end ---- */

static void settle(rp_node *node)
{
    for (size_t kind = 0; kind < 3; kind++) {
        const rp_channel *c = node->channels[kind];
        if (!c || !c->kept)
            continue;
        float *to = kind == RP_CHANNEL_POSITION   ? &node->position.x
                    : kind == RP_CHANNEL_ROTATION ? &node->rotation.x
                                                  : &node->size.x;
        memcpy(to, c->first.value, rp_channel_values(c->kind) * sizeof(float));
    }
}

reprise_status rp_scene_end(rp_scene *scene)
{
    for (size_t i = 0; i < scene->nodes.count && ok(scene); i++) {
        rp_node *node = &rp_scene_nodes(scene)[i];
        for (size_t kind = 0; kind < 3 && ok(scene); kind++) {
            if (node->channels[kind])
                (void)!rp_channel_end(&scene->keys, node->channels[kind], scene->error);
        }
        settle(node);
    }
    end_looks(scene);
    scene->ended = true;
    return scene->error->status;
}
