/* topdown_map.c - see topdown_map.h. */
#include "topdown_map.h"

#include <math.h>

#include "shapes.h"

static const double life_s = 1.5;

void rp_topdown_map_init(rp_topdown_map *over, rp_scene *scene, rp_timeline *timeline)
{
    *over = (rp_topdown_map){.scene = scene, .timeline = timeline, .nobody.name = "nobody"};
    over->targets = rp_timeline_heat(timeline, "targets", "Order targets", RP_MAP_HEAT_M);
}

static void free_columns(rp_topdown_map *over, rp_order_columns *c)
{
    rp_vector *floats[] = {&c->t, &c->x, &c->z, &c->x2, &c->z2};
    for (size_t i = 0; i < RP_COUNT(floats); i++)
        rp_vector_free(over->scene->context, floats[i], sizeof(float));
    rp_vector_free(over->scene->context, &c->player, sizeof(int16_t));
    rp_vector_free(over->scene->context, &c->kind, sizeof(uint32_t));
}

void rp_topdown_map_free(rp_topdown_map *over)
{
    free_columns(over, &over->arrows);
    free_columns(over, &over->pings);
}

/* ---- players ---- */

reprise_value *rp_topdown_map_add_player(rp_topdown_map *over, const char *name, const char *color)
{
    static const char *const shapes[] = {"circle", "square",  "triangle", "diamond",
                                         "star",   "hexagon", "cross",    "ring"};
    if (over->count == RP_TOPDOWN_MAP_PLAYERS)
        return NULL;
    rp_doc *doc = &over->timeline->doc;
    int64_t slot = (int64_t)over->count;
    reprise_value *to = rp_push_object(doc, over->timeline->players);
    rp_set_int(doc, to, "id", slot);
    rp_set_text(doc, to, "name", name);
    rp_set_int(doc, to, "slot", slot);
    rp_set_text_if(doc, to, "color", color);
    rp_set_text(doc, to, "shape", shapes[over->count % RP_COUNT(shapes)]);
    over->commanders[over->count++].name = name;
    return to;
}

static rp_commander *commander_of(rp_topdown_map *over, int64_t player)
{
    bool known = player >= 0 && player < (int64_t)over->count;
    return known ? &over->commanders[player] : &over->nobody;
}

static int32_t slot_of(const rp_topdown_map *over, int64_t player)
{
    return player >= 0 && player < (int64_t)over->count ? (int32_t)player : -1;
}

int32_t rp_topdown_map_paint(rp_topdown_map *over, int64_t player)
{
    rp_commander *c = commander_of(over, player);
    if (!c->paint)
        c->paint = rp_player_paint(over->scene, c->name, slot_of(over, player)) + 1;
    return c->paint - 1;
}

/* ---- the ground ---- */

bool rp_topdown_map_extend(rp_topdown_map *over, double x, double z)
{
    if (!(x >= 0 && z >= 0 && x <= RP_TOPDOWN_MAP_CELLS_MAX && z <= RP_TOPDOWN_MAP_CELLS_MAX))
        return false;
    over->width = fmax(over->width, x);
    over->height = fmax(over->height, z);
    return true;
}

static void add_still(rp_topdown_map *over, const char *kind, int32_t mesh, rp_vec3 position)
{
    rp_node node = {RP_NODE};
    node.name = node.id = node.kind = kind;
    node.mesh = mesh;
    node.position = position;
    rp_scene_show_at(over->scene, rp_scene_node(over->scene, &node), true, 0);
}

static void build_ground(rp_topdown_map *over, float width, float height)
{
    rp_material ground = {
        .name = "map", .colour = {0.16f, 0.20f, 0.17f, 1}, .rough = 1, .texture = -1};
    rp_material lines = {
        .name = "map lines", .colour = {0.28f, 0.34f, 0.30f, 1}, .rough = 1, .texture = -1};
    add_still(over, "map",
              rp_shape_box(over->scene, "map", (rp_vec3){width, 0.1f, height},
                           rp_scene_material(over->scene, &ground)),
              (rp_vec3){width / 2, -0.06f, height / 2});
    add_still(over, "grid",
              rp_shape_grid(over->scene, "grid", (rp_vec3){0, 0, 0}, (rp_vec3){width, 0, height}, 8,
                            rp_scene_material(over->scene, &lines)),
              (rp_vec3){0, 0, 0});
}

static void build_cameras(rp_topdown_map *over, float width, float height)
{
    rp_overview_camera(over->scene, (rp_vec3){0, 0, 0}, (rp_vec3){width, 0, height}, true);
    rp_doc *doc = &over->timeline->doc;
    reprise_value *top = rp_push_object(doc, over->timeline->cameras);
    rp_set_text(doc, top, "id", "top");
    rp_set_text(doc, top, "kind", "top");
    reprise_value *target = rp_set_array(doc, top, "target");
    const float middle[3] = {width / 2, 0, height / 2};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, middle[i]));
    rp_set_f32(doc, top, "distance", fmaxf(width, height));
}

/* ---- orders ---- */

static void put_float(rp_topdown_map *over, rp_vector *column, double value)
{
    float *to = rp_vector_add(over->scene->context, column, sizeof *to, over->scene->error);
    if (to)
        *to = (float)value;
}

static void tell(rp_topdown_map *over, rp_order_columns *c, const rp_map_order *p)
{
    if (c->t.count >= RP_TABLE_ROWS_MAX || over->scene->error->status != REPRISE_OK)
        return;
    put_float(over, &c->t, (double)over->scene->now);
    put_float(over, &c->x, p->arrow ? p->x : p->x2);
    put_float(over, &c->z, p->arrow ? p->z : p->z2);
    put_float(over, &c->x2, p->x2);
    put_float(over, &c->z2, p->z2);
    rp_context *context = over->scene->context;
    int16_t *player = rp_vector_add(context, &c->player, sizeof *player, over->scene->error);
    uint32_t *kind = rp_vector_add(context, &c->kind, sizeof *kind, over->scene->error);
    if (player && kind) {
        *player = (int16_t)slot_of(over, p->player);
        *kind = p->kind;
    }
}

/* Different heights per player avoid overlapping planes. */
static float lift_of(const rp_map_order *p)
{
    return 0.08f + 0.01f * (float)(p->player & 7);
}

static void show_arrow(rp_topdown_map *over, rp_commander *c, const rp_map_order *p, double length)
{
    if (!c->arrows.name)
        c->arrows = (rp_transient_nodes){
            .name = "arrow",
            .kind = "arrow",
            .player = slot_of(over, p->player),
            .mesh = rp_shape_arrow(over->scene, "arrow", rp_topdown_map_paint(over, p->player))};
    float width = fminf(fmaxf(0.35f * sqrtf((float)length), 0.5f), 5);
    rp_transient_node mark = {
        .position = {(float)((p->x + p->x2) / 2), lift_of(p), (float)((p->z + p->z2) / 2)},
        .rotation = rp_rotation_about((rp_vec3){0, 1, 0}, atan2(p->x - p->x2, p->z - p->z2)),
        .size = {width, 1, (float)length},
        .seconds = life_s,
    };
    rp_transient_nodes_show(over->scene, &c->arrows, &mark);
}

static void show_ring(rp_topdown_map *over, rp_commander *c, const rp_map_order *p)
{
    if (!c->rings.name)
        c->rings = (rp_transient_nodes){
            .name = "ping",
            .kind = "ping",
            .player = slot_of(over, p->player),
            .mesh = rp_shape_ring(over->scene, "ping", 0.7f, 0.5f,
                                  rp_topdown_map_paint(over, p->player))};
    rp_transient_node mark = {.position = {(float)p->x2, lift_of(p), (float)p->z2},
                              .rotation = {0, 0, 0, 1},
                              .size = {1, 1, 1},
                              .seconds = life_s};
    rp_transient_nodes_show(over->scene, &c->rings, &mark);
}

void rp_topdown_map_add_order(rp_topdown_map *over, const rp_map_order *pointed)
{
    if (!rp_topdown_map_extend(over, pointed->x2, pointed->z2))
        return;
    rp_heat_add(over->targets, pointed->x2, pointed->z2);
    tell(over, pointed->arrow ? &over->arrows : &over->pings, pointed);
    rp_commander *c = commander_of(over, pointed->player);
    double x = pointed->x2 - pointed->x, z = pointed->z2 - pointed->z, length = sqrt(x * x + z * z);
    if (pointed->arrow && length > 0.2)
        show_arrow(over, c, pointed, length);
    else
        show_ring(over, c, pointed);
}

static void set_glyphs(rp_topdown_map *over, const rp_order_columns *c, const char *id,
                       const char *shape, const char *const *kinds, size_t kind_count)
{
    if (over->scene->error->status != REPRISE_OK)
        return; /* some lists may be shorter than others */
    rp_timeline_glyphs(over->timeline, &(rp_glyphs){.id = id,
                                                    .shape = shape,
                                                    .life = life_s,
                                                    .count = c->t.count,
                                                    .t = c->t.items,
                                                    .x = c->x.items,
                                                    .z = c->z.items,
                                                    .x2 = c->x2.items,
                                                    .z2 = c->z2.items,
                                                    .player = c->player.items,
                                                    .kind = c->kind.items,
                                                    .kinds = kinds,
                                                    .kind_count = kind_count});
}

void rp_topdown_map_end(rp_topdown_map *over, const char *const *kinds, size_t kind_count)
{
    float width = (float)ceil(fmax(over->width, 16)), height = (float)ceil(fmax(over->height, 16));
    build_ground(over, width, height);
    build_cameras(over, width, height);
    set_glyphs(over, &over->arrows, "orders", "arrow", kinds, kind_count);
    set_glyphs(over, &over->pings, "targets", "ping", kinds, kind_count);
}
