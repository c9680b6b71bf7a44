/* orders_scene.c - see orders_scene.h. */
#include "orders_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shapes.h"

enum { UNITS_MAX = 1 << 14, BUILDINGS_MAX = 4096, FOOTPRINT_MAX = 6, FOOTPRINT_USUAL = 2 };

/* Where a unit was last sent, which is where its next arrow starts. */
typedef struct known_unit {
    uint32_t id;
    bool used;
    float x, z;
} known_unit;

typedef struct builder {
    rp_scene *scene;
    rp_timeline *timeline;
    rp_foreign foreign;
    bool begun;   /* the lines have */
    bool stopped; /* later frames are not shown */
    rp_orders_timeline lines;
    rp_topdown_map map;
    /* Of the buildings of each player by cells, plus one; 0: none */
    int32_t meshes[RP_TOPDOWN_MAP_PLAYERS][FOOTPRINT_MAX][FOOTPRINT_MAX];
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

/* The page shows as many as fit. */
static void add_label(builder *b, int32_t node, const char *name, int64_t player)
{
    rp_doc *doc = &b->timeline->doc;
    reprise_value *label = rp_push_object(doc, b->timeline->labels);
    rp_set_int(doc, label, "node", node);
    rp_set_text(doc, label, "text", rp_timeline_plain(b->timeline, name, strlen(name)));
    rp_set_int(doc, label, "player", player);
}

/* The cells that a building covers; two by two where that is not known. */
static void find_footprint(const builder *b, const reprise_foreign_order *order,
                           unsigned *ret_width, unsigned *ret_depth)
{
    const rp_item *item = rp_foreign_item(&b->foreign, order);
    bool known = item && item->width && item->height && item->width <= FOOTPRINT_MAX &&
                 item->height <= FOOTPRINT_MAX;
    *ret_width = known ? item->width : FOOTPRINT_USUAL;
    *ret_depth = known ? item->height : FOOTPRINT_USUAL;
}

static int32_t building_mesh(builder *b, uint8_t player, unsigned width, unsigned depth)
{
    const float gap = 0.2f;
    int32_t *mesh = &b->meshes[player][width - 1][depth - 1];
    if (!*mesh)
        *mesh = 1 + rp_shape_box(b->scene, "building",
                                 (rp_vec3){(float)width - gap, 0.9f, (float)depth - gap},
                                 rp_topdown_map_paint(&b->map, player));
    return *mesh - 1;
}

/* Orders of Red Alert and Tiberian Dawn tell the class of what is placed, which is no name. */
static bool is_name(const char *item)
{
    return item && *item && strcmp(item, "building type") != 0;
}

static void place_building(builder *b, const reprise_foreign_order *order)
{
    unsigned width, depth;
    find_footprint(b, order, &width, &depth);
    if (order->player >= b->lines.player_count || b->buildings >= BUILDINGS_MAX ||
        !reach_target(b, order, RP_MAX(width, depth)))
        return;
    char id[32];
    snprintf(id, sizeof id, "building:%zu", b->buildings++);
    rp_node node = {RP_NODE};
    const char *item = rp_foreign_item_name(&b->foreign, order);
    node.name = is_name(item) ? item : "building";
    node.id = id;
    node.kind = "building";
    node.player = order->player;
    node.mesh = building_mesh(b, order->player, width, depth);
    node.position = (rp_vec3){(float)order->x + (float)width / 2, 0.45f,
                              (float)order->y + (float)depth / 2};
    int32_t at = rp_scene_node(b->scene, &node);
    rp_scene_show(b->scene, at, true);
    if (is_name(item))
        add_label(b, at, node.name, order->player);
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
static bool see_views(builder *b, double until)
{
    const rp_foreign_view *views = b->foreign.views.items;
    for (; b->view < b->foreign.views.count && views[b->view].time <= until; b->view++) {
        rp_when when = go_to(b, views[b->view].frame, views[b->view].time);
        if (when == RP_TOO_LATE || b->scene->error->status != REPRISE_OK)
            return false;
        if (when == RP_SHOWN)
            see_view(b, &views[b->view]);
    }
    return true;
}

static void see_entries(builder *b, const rp_foreign_entry *entries, size_t count)
{
    double time = (double)b->scene->now;
    for (size_t i = 0; i < count; i++) {
        const reprise_foreign_order *order = &entries[i].order;
        if (entries[i].is_hash)
            continue;
        if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING)
            place_building(b, order);
        if (b->when != RP_SHOWN)
            continue;
        point(b, order);
        rp_orders_timeline_add(&b->lines, &entries[i], time);
    }
}

/* The match is described before its first order is shown. */
static bool begin(builder *b)
{
    if (b->begun)
        return b->scene->error->status == REPRISE_OK;
    b->begun = true;
    if (rp_orders_timeline_begin(&b->lines, b->timeline, &b->foreign, b->scene->error) !=
        REPRISE_OK)
        return false;
    for (size_t i = 0; i < b->lines.player_count; i++) {
        rp_orders_player *p = &b->lines.players[i];
        p->about = rp_topdown_map_add_player(&b->map, p->name, p->colour);
        rp_set_text_if(&b->timeline->doc, p->about, "faction", p->faction);
        rp_timeline_outcome(b->timeline, p->about, p->outcome);
    }
    return true;
}

static bool show_frame(void *ctx, const rp_foreign_entry *entries, size_t count)
{
    builder *b = ctx;
    b->stopped = !begin(b) || !see_views(b, entries->time) ||
                 go_to(b, entries->frame, entries->time) == RP_TOO_LATE;
    if (!b->stopped)
        see_entries(b, entries, count);
    b->stopped |= b->scene->error->status != REPRISE_OK;
    return !b->stopped;
}

static void show_sums(void *ctx, const rp_foreign_sum *sums, size_t count)
{
    builder *b = ctx;
    if (begin(b))
        rp_desync_lane_add(b->lines.lane, sums, count, b->scene->error);
}

/* Views before the next frame were seen, and delays before now can be plotted. */
static void show_rest(void *ctx)
{
    builder *b = ctx;
    rp_vector *views = &b->foreign.views;
    views->count = b->stopped ? 0 : views->count - b->view;
    if (views->count)
        memmove(views->items, (rp_foreign_view *)views->items + b->view,
                views->count * sizeof(rp_foreign_view));
    b->view = 0;
    if (begin(b))
        rp_orders_timeline_take_delays(&b->lines, b->scene);
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

/* Reads and shows the match. What was read before damage is shown. */
static reprise_status show_match(builder *b, rp_orders_reader *read, void *ctx,
                                 reprise_error *error)
{
    const rp_foreign_show show = {
        .ctx = b, .frame = show_frame, .sums = show_sums, .rest = show_rest};
    b->foreign.show = &show;
    reprise_status status = read(ctx, &b->foreign, error);
    if (rp_foreign_finish(&b->foreign, b->scene->error) == REPRISE_OK && begin(b) && !b->stopped &&
        see_views(b, INFINITY))
        go_to(b, b->foreign.last_frame, b->foreign.last_time);
    b->foreign.show = NULL;
    return status;
}

reprise_status rp_orders_scene(rp_scene *scene, rp_timeline *timeline, rp_orders_reader *read,
                               void *ctx, rp_orders_timeline_visitor *end, reprise_error *error)
{
    builder *b = rp_alloc_zero(scene->context, 1, sizeof *b, scene->error);
    if (!b)
        return scene->error->status;
    b->scene = scene;
    b->timeline = timeline;
    rp_foreign_init(&b->foreign, scene->context);
    rp_topdown_map_init(&b->map, scene, timeline);
    reprise_status status = show_match(b, read, ctx, error);
    if (scene->error->status == REPRISE_OK) {
        end(&b->lines, scene);
        finish(b);
    }
    rp_orders_timeline_free(&b->lines);
    rp_topdown_map_free(&b->map);
    rp_foreign_reset(&b->foreign);
    rp_free(scene->context, b, sizeof *b);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
