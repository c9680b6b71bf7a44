/*
 * camera_scene.c - info, statistics and scene of a camera animation.
 *
 * A camera without rotation looks straight down, with north (-z) at the top of its picture, as in
 * the add-on that writes these files. Locations are those of the scene the animation was made in,
 * to which the recording's own offset was applied. So they are kept as stored; the document's
 * offset leads from there back to the game's world.
 */
#include <math.h>

#include "camera.h"
#include "geometry.h"
#include "info.h"
#include "shapes.h"

static const double fov_usual = 70; /* the game's own */
static const double pi = 3.14159265358979323846;

/* ---- info ---- */

/* If the file is damaged, returns the damage with the number of frames before it. */
static reprise_status count_frames(mc_camera *camera, int64_t *ret_frames, reprise_error *error)
{
    rp_context *context = camera->base.context;
    mc_camera_cursor *cursor = rp_alloc_zero(context, 1, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    reprise_status status = mc_camera_open(camera, cursor, error);
    while (status == REPRISE_OK)
        status = mc_camera_next(cursor, error);
    *ret_frames = cursor->frame;
    mc_camera_close(cursor);
    rp_free(context, cursor, sizeof *cursor);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Each frame is shown until the next one is due, including the last. */
reprise_status mc_camera_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    int64_t frames = 0;
    reprise_status status = count_frames(camera, &frames, error);
    *ret_seconds = (double)frames / camera->fps;
    return status;
}

static reprise_status set_frames(rp_doc *doc, reprise_value *info, mc_camera *camera,
                                 reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    int64_t frames = 0;
    reprise_status status = count_frames(camera, &frames, &damage);
    if (rp_our_trouble(camera->base.context, status)) {
        *error = damage;
        return status;
    }
    rp_set_int(doc, info, "frames", frames); /* damage is reported with the length */
    return REPRISE_OK;
}

reprise_status mc_camera_info(rp_replay *base, rp_doc *doc, reprise_value *info,
                              reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    const reprise_value *attributes = rp_get(camera->header, "attributes");
    static const char *const texts[] = {"name", "id", "preview_color"};
    rp_set_text(doc, info, "kind", "camera");
    for (size_t i = 0; i < RP_COUNT(texts); i++)
        rp_set_text_if(doc, info, texts[i], rp_get_text(attributes, texts[i]));
    rp_set_f64(doc, info, "fps", camera->fps);
    RP_TRY(set_frames(doc, info, camera, error));
    reprise_value *offset = rp_set_array(doc, info, "offset");
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, offset, rp_new_f64(doc, camera->offset[i]));
    if (!isnan(camera->fov))
        rp_set_f64(doc, info, "fov", camera->fov);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "header", camera->header);
    return error->status;
}

/* ---- where it is and looks ---- */

static rp_vec3 place_of(const mc_camera_frame *f)
{
    return (rp_vec3){(float)f->pos_x, (float)f->pos_y, (float)f->pos_z};
}

/* A scene's camera looks along -z, these look down. */
static rp_quat turn_of(const mc_camera *camera, const mc_camera_frame *f)
{
    const rp_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    if (camera->form.present >> mc_camera_frame_F_rot_w & 1) {
        rp_quat stored = {(float)f->rot_x, (float)f->rot_y, (float)f->rot_z, (float)f->rot_w};
        return rp_turn_then(rp_turn_about(x, -pi / 2), rp_turn_unit(stored));
    }
    rp_quat turn = rp_turn_about(x, f->pitch - pi / 2);
    turn = rp_turn_then(turn, rp_turn_about(z, f->roll));
    return rp_turn_then(turn, rp_turn_about(y, f->yaw));
}

static double fov_of(const mc_camera *camera, const mc_camera_frame *f)
{
    double fov = camera->form.present >> mc_camera_frame_F_fov & 1 ? f->fov : camera->fov;
    return fov > 0 && fov < 180 ? fov : fov_usual;
}

static double distance(rp_vec3 a, rp_vec3 b)
{
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    double z = (double)b.z - (double)a.z;
    return sqrt(x * x + y * y + z * z);
}

/* ---- numbers ---- */

reprise_status mc_camera_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    mc_camera_cursor *cursor = rp_arena_alloc(doc->arena, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    double way = 0, top = 0, narrow = INFINITY, wide = 0;
    rp_vec3 before = {0, 0, 0};
    reprise_status status = mc_camera_open(camera, cursor, error);
    while (status == REPRISE_OK && (status = mc_camera_next(cursor, error)) == REPRISE_OK) {
        rp_vec3 place = place_of(&cursor->values);
        double step = cursor->frame > 1 ? distance(before, place) : 0;
        double fov = fov_of(camera, &cursor->values);
        way += step;
        top = fmax(top, step * camera->fps);
        narrow = fmin(narrow, fov);
        wide = fmax(wide, fov);
        before = place;
    }
    mc_camera_close(cursor);
    if (status != REPRISE_END)
        return status;
    rp_set_f64(doc, recorded, "fps", camera->fps);
    rp_set_int(doc, recorded, "frames", cursor->frame);
    rp_set_f64(doc, derived, "distance", way);
    rp_set_f64(doc, derived, "top_speed", top);
    if (cursor->frame) {
        rp_set_f64(doc, derived, "narrowest_fov", narrow);
        rp_set_f64(doc, derived, "widest_fov", wide);
    }
    return error->status;
}

/* ---- the scene ---- */

typedef struct film {
    mc_camera *camera;
    rp_scene *scene;
    rp_timeline *timeline;
    int32_t node;
    rp_series *speed, *fov;
    rp_way *way;
    rp_vec3 before;
    float time;
    bool any;
} film;

static void begin(film *f, const mc_camera_frame *first)
{
    const char *name = rp_get_text(rp_get(f->camera->header, "attributes"), "name");
    rp_material paint = {
        .name = "camera", .colour = {0.2f, 0.2f, 0.25f, 1}, .rough = 1, .texture = -1};
    rp_node node = {RP_NODE};
    node.name = name && *name ? name : "camera";
    node.kind = node.id = "camera";
    node.camera = rp_scene_camera(f->scene, node.name, fov_of(f->camera, first));
    rp_scene_look_past(f->scene, node.camera,
                       0.25); /* so that its own box does not hide the view */
    node.mesh = rp_shape_box(f->scene, "camera", (rp_vec3){0.3f, 0.3f, 0.4f},
                             rp_scene_material(f->scene, &paint));
    f->node = rp_scene_node(f->scene, &node);
    rp_timeline *t = f->timeline;
    f->speed = rp_plot_series(t, rp_timeline_plot(t, "speed", "Speed", "m/s", "line", 0, 0),
                              "speed", -1);
    f->fov = rp_plot_series(t, rp_timeline_plot(t, "fov", "Field of view", "deg", "line", 0, 0),
                            "fov", -1);
    f->way = rp_timeline_way(t, "camera", -1);
    reprise_value *recorded = rp_push_object(&t->doc, t->cameras);
    rp_set_text(&t->doc, recorded, "id", "camera");
    rp_set_text(&t->doc, recorded, "kind", "node");
    rp_set_int(&t->doc, recorded, "node", f->node);
}

static void see_frame(film *f, const mc_camera_frame *frame, bool shown)
{
    rp_vec3 place = place_of(frame);
    rp_scene_place(f->scene, f->node, place, false);
    rp_scene_turn(f->scene, f->node, turn_of(f->camera, frame), false);
    rp_scene_zoom(f->scene, rp_scene_nodes(f->scene)[f->node].camera, fov_of(f->camera, frame));
    if (!shown)
        return;
    float now = f->scene->now, passed = now - f->time;
    double speed = f->any && passed > 0 ? distance(f->before, place) / (double)passed : 0;
    if (f->any)
        rp_series_add(f->timeline, f->speed, (double)now, speed);
    rp_series_add(f->timeline, f->fov, (double)now, fov_of(f->camera, frame));
    rp_way_add(f->timeline, f->way,
               &(rp_way_place){.x = place.x, .z = place.z, .speed = (float)speed});
    rp_timeline_clock(f->timeline, now);
    f->before = place;
    f->time = now;
    f->any = true;
}

reprise_status mc_camera_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error)
{
    film f = {.camera = (mc_camera *)base, .scene = scene, .timeline = timeline, .node = -1};
    memcpy(scene->world_offset, f.camera->offset, sizeof scene->world_offset);
    mc_camera_cursor *cursor = rp_arena_alloc(&timeline->arena, sizeof *cursor, error);
    if (!cursor)
        return error->status;
    reprise_status status = mc_camera_open(f.camera, cursor, error);
    while (status == REPRISE_OK && scene->error->status == REPRISE_OK) {
        status = mc_camera_next(cursor, error);
        if (status != REPRISE_OK)
            break;
        int64_t frame = cursor->frame - 1;
        if (f.node < 0)
            begin(&f, &cursor->values);
        rp_when when = rp_scene_clock(scene, frame, (double)frame / f.camera->fps);
        if (when == RP_TOO_LATE)
            break;
        see_frame(&f, &cursor->values, when == RP_SHOWN);
    }
    mc_camera_close(cursor);
    if (scene->error->status != REPRISE_OK)
        return scene->error->status;
    return status == REPRISE_END ? REPRISE_OK : status;
}
