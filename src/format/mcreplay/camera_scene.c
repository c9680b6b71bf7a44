/*
 * camera_scene.c - the scene of a camera animation.
 *
 * A camera without rotation looks straight down, with north (-z) at the top of its picture, as in
 * the add-on that writes these files. Locations are those of the scene the animation was made in,
 * to which the recording's own offset was applied. So they are kept as stored; the document's
 * offset leads from there back to the game's world.
 */
#include "camera.h"
#include "geometry.h"
#include "shapes.h"

static const double pi = 3.14159265358979323846;

/* ---- where it is and looks ---- */

static rp_vec3 position_of(const mc_camera_frame *f)
{
    return (rp_vec3){(float)f->pos_x, (float)f->pos_y, (float)f->pos_z};
}

/* A scene's camera looks along -z, these look down. */
static rp_quat rotation_of(const mc_camera *camera, const mc_camera_frame *f)
{
    const rp_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    if (camera->form.present >> mc_camera_frame_F_rot_w & 1) {
        rp_quat stored = {(float)f->rot_x, (float)f->rot_y, (float)f->rot_z, (float)f->rot_w};
        return rp_rotation_then(rp_rotation_about(x, -pi / 2), rp_rotation_unit(stored));
    }
    rp_quat rotation = rp_rotation_about(x, f->pitch - pi / 2);
    rotation = rp_rotation_then(rotation, rp_rotation_about(z, f->roll));
    return rp_rotation_then(rotation, rp_rotation_about(y, f->yaw));
}

/* ---- the scene ---- */

typedef struct film {
    mc_camera *camera;
    rp_scene *scene;
    int32_t node;
    mc_camera_timeline lines;
} film;

static void begin(film *f, const mc_camera_frame *first)
{
    const char *name = rp_get_text(rp_get(f->camera->header, "attributes"), "name");
    rp_material paint = {
        .name = "camera", .colour = {0.2f, 0.2f, 0.25f, 1}, .rough = 1, .texture = -1};
    rp_node node = {RP_NODE};
    node.name = name && *name ? name : "camera";
    node.kind = node.id = "camera";
    node.camera = rp_scene_camera(f->scene, node.name, mc_camera_fov(f->camera, first));
    rp_scene_camera_near(f->scene, node.camera,
                         0.25); /* so that its own box does not hide the view */
    node.mesh = rp_shape_box(f->scene, "camera", (rp_vec3){0.3f, 0.3f, 0.4f},
                             rp_scene_material(f->scene, &paint));
    f->node = rp_scene_node(f->scene, &node);
    mc_camera_timeline_begin(&f->lines, f->node);
}

static void see_frame(film *f, const mc_camera_frame *frame, bool shown)
{
    rp_scene_move(f->scene, f->node, position_of(frame), false);
    rp_scene_rotate(f->scene, f->node, rotation_of(f->camera, frame), false);
    rp_scene_zoom(f->scene, rp_scene_nodes(f->scene)[f->node].camera,
                  mc_camera_fov(f->camera, frame));
    if (shown)
        mc_camera_timeline_frame(&f->lines, f->camera, frame, f->scene->now);
}

reprise_status mc_camera_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error)
{
    film f = {
        .camera = (mc_camera *)base, .scene = scene, .node = -1, .lines = {.timeline = timeline}};
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
