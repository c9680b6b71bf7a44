/* orders_scene.c - see orders_scene.h. */
#include "orders_scene.h"

#include <math.h>
#include <stdio.h>

#include "shapes.h"

enum { UNITS_MAX = 1 << 14, BUILDINGS_MAX = 4096 };

/* Where a unit was last sent, which is where its next arrow starts. */
typedef struct known_unit {
    uint32_t id;
    bool used;
    float x, z;
} known_unit;

typedef struct builder {
    rp_scene *scene;
    rp_orders_timeline lines;
    rp_topdown_map map;
    int32_t meshes[RP_TOPDOWN_MAP_PLAYERS]; /* of the buildings of each player, plus one; 0: none */
    known_unit units[UNITS_MAX];
    size_t buildings;
    size_t view;       /* the next one */
    int32_t view_node; /* plus one; 0: none yet */
    double moment;     /* the last one, if any_moment, and whether it is shown */
    rp_when when;
    bool any_moment;
} builder;

/* ---- arrows ---- */

static known_unit *unit_of(builder *b, uint32_t id)
{
    size_t at = (id * 2654435761u) % UNITS_MAX;
    for (size_t tries = 0; tries < 64; tries++, at = (at + 1) % UNITS_MAX) {
        if (!b->units[at].used || b->units[at].id == id)
            return &b->units[at];
    }
    return NULL;
}

/* Extends the ground by a square of cells with its corner where an order aims. */
static bool reach_target(builder *b, const reprise_foreign_order *order, double cells)
{
    return order->has_cell && order->x >= 0 && order->y >= 0 &&
           rp_topdown_map_extend(&b->map, order->x + cells, order->y + cells);
}

/* An arrow starts where the first of the units was last sent. */
static void point(builder *b, const reprise_foreign_order *order)
{
    double x = order->x + 0.5, z = order->y + 0.5;
    if (!reach_target(b, order, 1))
        return;
    rp_heat_add(b->lines.heats[rp_order_group_of(order->kind)], x, z);
    const known_unit *lead = order->unit_count ? unit_of(b, order->units[0]) : NULL;
    bool known = lead && lead->used;
    rp_topdown_map_add_order(&b->map, &(rp_map_order){.player = order->player,
                                                      .kind = (uint32_t)order->kind,
                                                      .arrow = known,
                                                      .x = known ? (double)lead->x : x,
                                                      .z = known ? (double)lead->z : z,
                                                      .x2 = x,
                                                      .z2 = z});
    for (size_t i = 0; i < order->unit_count; i++) {
        known_unit *unit = unit_of(b, order->units[i]);
        if (unit)
            *unit = (known_unit){order->units[i], true, (float)x, (float)z};
    }
}

/* ---- buildings ---- */

static void place_building(builder *b, const reprise_foreign_order *order)
{
    if (order->player >= b->lines.player_count || b->buildings >= BUILDINGS_MAX ||
        !reach_target(b, order, 2))
        return;
    int32_t *mesh = &b->meshes[order->player];
    if (!*mesh)
        *mesh = 1 + rp_shape_box(b->scene, "building", (rp_vec3){1.8f, 0.9f, 1.8f},
                                 rp_topdown_map_paint(&b->map, order->player));
    char id[32];
    snprintf(id, sizeof id, "building:%zu", b->buildings++);
    rp_node node = {RP_NODE};
    node.name = order->item && *order->item ? order->item : "building";
    node.id = id;
    node.kind = "building";
    node.player = order->player;
    node.mesh = *mesh - 1;
    node.position = (rp_vec3){(float)order->x + 1, 0.45f, (float)order->y + 1};
    int32_t at = rp_scene_node(b->scene, &node);
    rp_scene_show(b->scene, at, true);
}

/* ---- time ---- */

/* Orders and views of one frame share a moment. */
static rp_when go_to(builder *b, int64_t frame, double time)
{
    if (b->any_moment && time <= b->moment)
        return b->when;
    b->when = rp_scene_clock(b->scene, frame, time);
    b->moment = time;
    b->any_moment = true;
    if (b->when == RP_SHOWN)
        rp_timeline_clock(b->lines.timeline, b->scene->now);
    return b->when;
}

/*
 * High enough to show about as much as the screens of that time. A view is given by its upper left
 * corner.
 */
static const float view_height = 16, view_right = 10, view_down = 7;

static void see_view(builder *b, const rp_foreign_view *view)
{
    rp_vec3 position = {view->x + view_right, view_height, view->y + view_down};
    if (!b->view_node) {
        rp_node node = {RP_NODE};
        node.name = "recorded view";
        node.id = node.kind = "view";
        node.camera = rp_scene_camera(b->scene, "recorded view", 50);
        node.rotation = rp_rotation_about((rp_vec3){1, 0, 0}, -1.5707963267948966);
        b->view_node = rp_scene_node(b->scene, &node) + 1;
        rp_doc *doc = &b->lines.timeline->doc;
        reprise_value *camera = rp_push_object(doc, b->lines.timeline->cameras);
        rp_set_text(doc, camera, "id", "view");
        rp_set_text(doc, camera, "kind", "node");
        rp_set_int(doc, camera, "node", b->view_node - 1);
    }
    rp_scene_move(b->scene, b->view_node - 1, position, false);
}

/* Shows the recorded views up to a time. */
static bool see_views(builder *b, const rp_foreign *foreign, double until)
{
    const rp_foreign_view *views = foreign->views.items;
    for (; b->view < foreign->views.count && views[b->view].time <= until; b->view++) {
        rp_when when = go_to(b, views[b->view].frame, views[b->view].time);
        if (when == RP_TOO_LATE || b->scene->error->status != REPRISE_OK)
            return false;
        if (when == RP_SHOWN)
            see_view(b, &views[b->view]);
    }
    return true;
}

/* Entries of one frame. */
static bool see_frame(builder *b, const rp_foreign_entry *entries, size_t count)
{
    rp_when when = go_to(b, entries->frame, entries->time);
    if (when == RP_TOO_LATE)
        return false;
    double time = (double)b->scene->now;
    for (size_t i = 0; i < count; i++) {
        const reprise_foreign_order *order = &entries[i].order;
        if (entries[i].is_hash)
            continue;
        if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING)
            place_building(b, order);
        if (when != RP_SHOWN)
            continue;
        point(b, order);
        rp_orders_timeline_add(&b->lines, &entries[i], time);
    }
    return b->scene->error->status == REPRISE_OK;
}

static void see_match(builder *b, const rp_foreign *foreign)
{
    const rp_foreign_entry *entries = foreign->entries;
    for (size_t i = 0, next; i < foreign->entry_count; i = next) {
        for (next = i + 1; next < foreign->entry_count && entries[next].frame == entries[i].frame;)
            next++;
        if (!see_views(b, foreign, entries[i].time) || !see_frame(b, entries + i, next - i))
            return;
    }
    if (see_views(b, foreign, INFINITY))
        go_to(b, foreign->last_frame, foreign->last_time);
}

/* ---- the end ---- */

/* The ground covers all orders: the map itself is not in the recording. */
static void finish(builder *b)
{
    const char *names[REPRISE_FOREIGN_KINDS];
    for (int i = 0; i < REPRISE_FOREIGN_KINDS; i++)
        names[i] = rp_foreign_kind_name((reprise_foreign_kind)i);
    rp_topdown_map_end(&b->map, names, REPRISE_FOREIGN_KINDS);
    rp_doc *doc = &b->lines.timeline->doc;
    reprise_value *warning = rp_push_object(doc, b->lines.timeline->warnings);
    rp_set_text(doc, warning, "id", "orders-only");
    rp_set_text(doc, warning, "level", "note");
    rp_set_text(doc, warning, "text", "Positions are orders, not units.");
}

static void show(builder *b, rp_timeline *timeline, rp_foreign *foreign)
{
    rp_topdown_map_init(&b->map, b->scene, timeline);
    if (rp_foreign_finish(foreign, b->scene->error) != REPRISE_OK ||
        rp_orders_timeline_begin(&b->lines, timeline, foreign, b->scene->error) != REPRISE_OK)
        return;
    for (size_t i = 0; i < b->lines.player_count; i++)
        rp_topdown_map_add_player(&b->map, b->lines.players[i].name, b->lines.players[i].colour);
    see_match(b, foreign);
}

reprise_status rp_orders_scene(rp_scene *scene, rp_timeline *timeline, rp_foreign *foreign,
                               rp_orders_timeline_visitor *end)
{
    builder *b = rp_alloc_zero(scene->context, 1, sizeof *b, scene->error);
    if (!b)
        return scene->error->status;
    b->scene = scene;
    show(b, timeline, foreign);
    if (scene->error->status == REPRISE_OK) {
        end(&b->lines, scene);
        finish(b);
    }
    rp_orders_timeline_free(&b->lines);
    rp_topdown_map_free(&b->map);
    rp_free(scene->context, b, sizeof *b);
    return scene->error->status;
}
