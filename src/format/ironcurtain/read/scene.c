/*
 * scene.c - the top-down scene of a match: units and buildings in their owners' colours, placed by
 * keyframes, position samples and simulated states and interpolated in between; changed cells of
 * the map; orders as arrows and rings; strokes; a flash where something was destroyed. A save is a
 * scene of one moment.
 */
#include "scene.h"

#include <math.h>
#include <stdio.h>

#include "can_simulate.h"
#include "scene_builder.h"
#include "shapes.h"

enum { CELLS_SHOWN_MAX = 16384, STROKES_MAX = 256, TILES = 12 };

static const double stroke_s = 5;

/* ---- names ---- */

const char ic_unknown[] = "unknown";

const char *ic_scene_builder_name(const ic_scene_builder *s, uint32_t id)
{
    return id < s->names.count ? ((const char **)s->names.items)[id] : ic_unknown;
}

/* Names arrive in order, each once. */
static void learn_name(ic_scene_builder *s, const ic_string_row *row)
{
    if (row->id != s->names.count)
        return;
    const char **to = rp_vector_add(s->scene->context, &s->names, sizeof *to, s->scene->error);
    if (to)
        *to = rp_timeline_plain(s->timeline, row->text.data, row->text.size);
}

/* Remembers what things of a type look like. */
static void learn_look(ic_scene_builder *s, uint32_t type, ic_look look)
{
    while (s->looks.count <= type && type < s->names.count) {
        if (!rp_vector_add(s->scene->context, &s->looks, 1, s->scene->error))
            return;
    }
    if (type < s->looks.count)
        ((uint8_t *)s->looks.items)[type] = (uint8_t)(look + 1);
}

static ic_look look_of_type(const ic_scene_builder *s, uint32_t type)
{
    uint8_t known = type < s->looks.count ? ((const uint8_t *)s->looks.items)[type] : 0;
    return known ? (ic_look)(known - 1) : IC_LOOK_VEHICLE;
}

/* ---- things ---- */

static const float lifts[IC_LOOKS] = {0.25f, 0.2f, 0.45f};

static int32_t mesh_of(ic_scene_builder *s, uint32_t player, ic_look look)
{
    ic_owner *o = ic_owner_of(s, player);
    int32_t *made = o ? &o->meshes[look] : &s->grey[look];
    if (*made)
        return *made - 1;
    int32_t paint = rp_topdown_map_paint(&s->over, player);
    int32_t mesh = -1;
    switch (look) {
    case IC_LOOK_FOOT:
        mesh = rp_shape_capsule(s->scene, "infantry", 0.14f, 0.5f, paint);
        break;
    case IC_LOOK_BUILDING:
        mesh = rp_shape_box(s->scene, "building", (rp_vec3){1.8f, 0.9f, 1.8f}, paint);
        break;
    default:
        mesh = rp_shape_dart(s->scene, "vehicle", (rp_vec3){0.6f, 0.4f, 0.9f}, paint);
    }
    *made = mesh + 1;
    return mesh;
}

typedef struct about {
    ic_tag tag;
    uint32_t owner, type;
    ic_look look;
    const char *name;
} about;

/* Puts a thing into its slot, replacing another one. */
static ic_thing *enter(ic_scene_builder *s, const about *a)
{
    ic_thing *thing = &s->things[a->tag.index];
    bool same = thing->node && thing->generation == a->tag.generation && thing->look == a->look &&
                thing->owner == a->owner;
    if (thing->node && !same)
        ic_scene_builder_remove(s, thing);
    if (!same) {
        char id[48];
        snprintf(id, sizeof id, "entity:%u:%u", a->tag.index, a->tag.generation);
        rp_node node = {RP_NODE};
        node.name = a->name;
        node.id = id;
        node.kind = a->look == IC_LOOK_BUILDING ? "building" : "unit";
        node.player = ic_owner_of(s, a->owner) ? (int32_t)a->owner : -1;
        node.mesh = mesh_of(s, a->owner, a->look);
        *thing = (ic_thing){.node = rp_scene_node(s->scene, &node) + 1,
                            .generation = a->tag.generation,
                            .look = a->look,
                            .owner = a->owner,
                            .type = a->type,
                            .seen = s->scene->now,
                            .full = thing->generation == a->tag.generation ? thing->full
                                                                           : (ic_stay){0}};
    }
    ic_timeline_label(s, thing, a->name);
    if (!thing->here)
        rp_scene_show(s->scene, thing->node - 1, true);
    thing->here = true;
    thing->state = s->state_number;
    s->slots = RP_MAX(s->slots, (size_t)a->tag.index + 1);
    return thing;
}

void ic_scene_builder_remove(ic_scene_builder *s, ic_thing *thing)
{
    ic_owner *o = ic_owner_of(s, thing->owner);
    if (o)
        o->health_sum -= thing->health;
    thing->health = 0;
    if (thing->here)
        rp_scene_show(s->scene, thing->node - 1, false);
    thing->here = false;
}

static void move(ic_scene_builder *s, ic_thing *thing, const ic_pos *pos, float since)
{
    thing->position = ic_scene_builder_position(pos, lifts[thing->look]);
    rp_scene_move_since(s->scene, thing->node - 1, thing->position,
                        (double)fmaxf(thing->seen, since));
    thing->seen = s->scene->now;
    rp_topdown_map_extend(&s->over, (double)thing->position.x + 2, (double)thing->position.z + 2);
}

/* A full turn is 1024, counter-clockwise from north. */
static void face(ic_scene_builder *s, ic_thing *thing, int32_t facing, float since)
{
    double angle = (double)(facing & 1023) / 1024 * 6.283185307179586;
    rp_scene_rotate_since(s->scene, thing->node - 1, rp_rotation_about((rp_vec3){0, 1, 0}, angle),
                          (double)fmaxf(thing->seen, since));
}

static ic_look look_of(bool building, const ic_mobile *mobile)
{
    return building                           ? IC_LOOK_BUILDING
           : mobile && mobile->locomotor == 0 ? IC_LOOK_FOOT
                                              : IC_LOOK_VEHICLE;
}

static void settle(ic_scene_builder *s, ic_thing *thing, const ic_stay *stay)
{
    if (thing->look == IC_LOOK_VEHICLE)
        face(s, thing, stay->facing, s->state_before);
    move(s, thing, &stay->pos, s->state_before);
    ic_owner *o = ic_owner_of(s, thing->owner);
    if (o)
        o->health_sum += (int64_t)stay->health - thing->health;
    thing->health = stay->health;
}

static ic_thing *see_unit(ic_scene_builder *s, const about *a, const ic_stay *stay)
{
    learn_look(s, a->type, a->look);
    ic_thing *thing = enter(s, a);
    settle(s, thing, stay);
    return thing;
}

/*
 * After the rows of a keyframe. What a full one does not list is gone; what a delta does not list
 * is as in the last full one, and gone if it was not in there.
 */
static void see_unlisted(ic_scene_builder *s)
{
    for (size_t i = 0; i < s->slots; i++) {
        ic_thing *thing = &s->things[i];
        if (!thing->here || thing->state == s->state_number)
            continue;
        if (!s->state_is_full && thing->full.known)
            settle(s, thing, &thing->full);
        else
            ic_scene_builder_remove(s, thing);
    }
}

static void see_entity(ic_scene_builder *s, const ic_entity_data *row)
{
    const ic_entity_row *e = &row->stored;
    if (e->removed) {
        ic_thing *gone = &s->things[e->index];
        if (gone->node && gone->generation == e->generation)
            ic_scene_builder_remove(s, gone);
        return;
    }
    const rp_text *type = &row->derived.type;
    const char *name = type->data ? rp_timeline_plain(s->timeline, type->data, type->size)
                                  : ic_unknown;
    const ic_mobile *mobile = e->mobile;
    const ic_stay stay = {.known = true,
                          .pos = {e->pos_x, e->pos_y, e->pos_z},
                          .facing = mobile ? mobile->facing : 0,
                          .health = e->health};
    ic_thing *thing = see_unit(s,
                               &(about){{e->index, e->generation},
                                        e->owner,
                                        e->unit_type,
                                        look_of(e->building != NULL, mobile),
                                        name},
                               &stay);
    if (s->state_is_full)
        thing->full = stay;
}

/* ---- states between keyframes ---- */

enum { SIMULATED_TICKS = 10 }; /* interval of simulated states shown */

static void see_components(ic_scene_builder *s, const ic_entity *entity)
{
    ic_components c;
    rp_reader r = rp_reader_of(entity->components.data, entity->components.size, "components",
                               s->scene->error);
    rp_arena_reset(&s->parts);
    ic_components_look(&r, &s->parts, entity->component_mask, &c);
    if (!rp_ok(&r))
        return;
    const ic_mobile *mobile = IC_HAS(c.mask, Mobile) ? &c.mobile : NULL;
    see_unit(s,
             &(about){entity->tag, c.identity.owner, c.identity.unit_type,
                      look_of(IC_HAS(c.mask, Building), mobile),
                      ic_scene_builder_name(s, c.identity.unit_type)},
             &(ic_stay){true, c.position.pos, mobile ? mobile->facing : 0, c.health.current});
}

/* Entities ascend by slot; things in the slots between them no longer exist. */
static void see_state(ic_scene_builder *s, const ic_core *core)
{
    const ic_entity *entities = core->entities.items;
    size_t slot = 0;
    s->state_before = s->state_now;
    s->state_now = s->scene->now;
    for (size_t i = 0; i <= core->entities.count; i++) {
        size_t next = i < core->entities.count ? entities[i].tag.index : s->slots;
        for (; slot < next; slot++) {
            if (s->things[slot].here)
                ic_scene_builder_remove(s, &s->things[slot]);
        }
        if (i < core->entities.count)
            see_components(s, &entities[i]);
        slot = next + 1;
    }
}

/* Stops simulating. Damage is no error here: reading the rows reports it. */
static void give_up(ic_scene_builder *s, const reprise_error *failure)
{
    s->simulates = false;
    if (rp_is_own_failure(s->scene->context, failure->status))
        *s->scene->error = *failure;
}

/* Simulates up to a tick and shows the state if it is the recorded one. */
static reprise_status simulate_tick(ic_scene_builder *s, uint64_t tick, reprise_error *error)
{
    ic_comparison found;
    ic_snapshot reached;
    RP_TRY(ic_driver_reach(&s->driver, tick, error));
    RP_TRY(ic_driver_compare(&s->driver, &found, error));
    if (found.same)
        RP_TRY(ic_simulation_snapshot(&s->driver.simulation, &reached, error));
    if (found.known && found.recorded)
        ic_timeline_simulated(s, found.same);
    if (found.same)
        see_state(s, &reached.core);
    return REPRISE_OK;
}

static void see_tick(ic_scene_builder *s, uint64_t tick)
{
    reprise_error failure = REPRISE_ERROR_INIT;
    if (!s->simulates || !s->shown || tick % SIMULATED_TICKS ||
        !rp_scene_shows(s->scene, IC_T_ENTITIES) || ic_match_has_keyframe(s->driver.match, tick))
        return;
    if (simulate_tick(s, tick, &failure) != REPRISE_OK)
        give_up(s, &failure);
}

static reprise_status begin_simulating(ic_scene_builder *s, ic_replay *replay, reprise_error *error)
{
    const char *reason = NULL;
    RP_TRY(ic_unplayable(replay, NULL, &reason, error));
    if (reason)
        return REPRISE_OK;
    RP_TRY(ic_drive_replay(&s->driver, replay, error));
    s->simulates = ic_simulation_has_snapshots(&s->driver.simulation) &&
                   s->driver.match->keyframe_count;
    return s->simulates ? ic_driver_restore(&s->driver, 0, error) : REPRISE_OK;
}

/* ---- the map ---- */

typedef struct tile {
    const char *name;
    float rgb[3];
    float height;
} tile;
/* Resources are bright; the last two are for unknown names. */
static const tile tiles[TILES] = {
    {"ore", {0.80f, 0.62f, 0.20f}, 0.14f},      {"gems", {0.62f, 0.36f, 0.78f}, 0.18f},
    {"water", {0.13f, 0.27f, 0.42f}, 0.02f},    {"rough", {0.30f, 0.27f, 0.20f}, 0.03f},
    {"road", {0.34f, 0.34f, 0.34f}, 0.03f},     {"bridge", {0.42f, 0.36f, 0.28f}, 0.05f},
    {"rock", {0.26f, 0.26f, 0.28f}, 0.30f},     {"beach", {0.55f, 0.50f, 0.36f}, 0.02f},
    {"tree", {0.12f, 0.30f, 0.14f}, 0.30f},     {"clear", {0.20f, 0.27f, 0.20f}, 0.02f},
    {"resource", {0.60f, 0.70f, 0.30f}, 0.14f}, {"terrain", {0.24f, 0.26f, 0.22f}, 0.03f},
};

typedef struct ic_ground {
    uint32_t width, height;
    int32_t *nodes; /* per cell, plus one */
    uint8_t *shown; /* per cell: the tile, plus one */
    int32_t *left;  /* per cell: amount of the resource, plus one; 0: unknown */
    int32_t meshes[TILES];
    size_t count;
} ic_ground;

static size_t tile_of(const ic_cell_data *row)
{
    bool gathered = row->stored.state.resource != NULL;
    const rp_text *name = gathered ? &row->derived.resource_name : &row->derived.terrain_name;
    for (size_t i = 0; i + 2 < TILES; i++) {
        if (name->data && name->size == strlen(tiles[i].name) &&
            memcmp(name->data, tiles[i].name, name->size) == 0)
            return i;
    }
    return gathered ? TILES - 2 : TILES - 1;
}

static int32_t tile_mesh(ic_scene_builder *s, size_t which)
{
    int32_t *made = &s->ground->meshes[which];
    const tile *t = &tiles[which];
    if (!*made)
        *made = rp_shape_box(
                    s->scene, t->name, (rp_vec3){0.94f, t->height, 0.94f},
                    rp_scene_material(s->scene,
                                      &(rp_material){.name = t->name,
                                                     .colour = {t->rgb[0], t->rgb[1], t->rgb[2], 1},
                                                     .rough = 1,
                                                     .texture = -1})) +
                1;
    return *made - 1;
}

static void see_map(ic_scene_builder *s, const ic_keyframe_state *k)
{
    rp_topdown_map_extend(&s->over, fmin(k->map_width, RP_TOPDOWN_MAP_CELLS_MAX),
                          fmin(k->map_height, RP_TOPDOWN_MAP_CELLS_MAX));
    if (s->ground->nodes || k->map_width > RP_TOPDOWN_MAP_CELLS_MAX ||
        k->map_height > RP_TOPDOWN_MAP_CELLS_MAX)
        return;
    size_t count = (size_t)k->map_width * k->map_height;
    s->ground->width = k->map_width;
    s->ground->height = k->map_height;
    s->ground->nodes = rp_arena_array(s->arena, count, sizeof(int32_t), s->scene->error);
    s->ground->shown = rp_arena_array(s->arena, count, 1, s->scene->error);
    s->ground->left = rp_arena_array(s->arena, count, sizeof(int32_t), s->scene->error);
}

/* What disappeared since the previous keyframe was gathered. */
static void see_gathering(ic_scene_builder *s, size_t cell, const ic_map_cell *stored)
{
    int64_t before = (int64_t)s->ground->left[cell] - 1;
    int64_t now = RP_MIN(RP_MAX(stored->state.amount, 0), INT32_MAX - 1);
    if (s->shown && before > now)
        ic_timeline_gathered(s, &stored->cell, before - now);
    s->ground->left[cell] = (int32_t)now + 1;
}

static void see_cell(ic_scene_builder *s, const ic_cell_data *row)
{
    ic_ground *g = s->ground;
    const ic_cell *at = &row->stored.cell;
    if (!g->nodes || !g->shown || !g->left || at->x < 0 || at->y < 0 || at->z != 0 ||
        at->x >= (int64_t)g->width || at->y >= (int64_t)g->height)
        return;
    size_t cell = (size_t)at->y * g->width + (size_t)at->x, which = tile_of(row);
    see_gathering(s, cell, &row->stored);
    if (g->shown[cell] == which + 1)
        return;
    if (g->nodes[cell])
        rp_scene_show(s->scene, g->nodes[cell] - 1, false);
    if (g->count++ >= CELLS_SHOWN_MAX)
        return;
    char id[48];
    snprintf(id, sizeof id, "cell:%d:%d", at->x, at->y);
    rp_node node = {RP_NODE};
    node.name = tiles[which].name;
    node.id = id;
    node.kind = "cell";
    node.mesh = tile_mesh(s, which);
    node.position = (rp_vec3){(float)at->x + 0.5f, tiles[which].height / 2 - 0.01f,
                              (float)at->y + 0.5f};
    g->nodes[cell] = rp_scene_node(s->scene, &node) + 1;
    g->shown[cell] = (uint8_t)(which + 1);
    rp_scene_show(s->scene, g->nodes[cell] - 1, true);
}

/* ---- orders ---- */

/* An arrow from the last position of the first unit to the target. */
static void point(ic_scene_builder *s, const ic_order *order, const reprise_ic_tag_list *units,
                  rp_vec3 to)
{
    const ic_tag *tags = units ? units->items : NULL;
    const ic_thing *lead = units && units->count ? ic_thing_of(s, &tags[0]) : NULL;
    rp_topdown_map_add_order(&s->over, &(rp_map_order){.player = order->player,
                                                       .kind = order->order.variant,
                                                       .arrow = lead != NULL,
                                                       .x = lead ? (double)lead->position.x : 0,
                                                       .z = lead ? (double)lead->position.z : 0,
                                                       .x2 = (double)to.x,
                                                       .z2 = (double)to.z});
}

static void see_attack(ic_scene_builder *s, const ic_order *order)
{
    const ic_attack *attack = order->order.as.attack;
    if (attack->target.variant == ic_target_V_Ground) {
        point(s, order, &attack->units, ic_scene_builder_position(attack->target.as.ground, 0));
        return;
    }
    const ic_thing *aim = ic_thing_of(s, attack->target.as.unit);
    if (aim)
        point(s, order, &attack->units, aim->position);
}

static void see_game_order(ic_scene_builder *s, const ic_order *order,
                           const ic_game_order_row *game)
{
    if (game && game->value.variant == ic_known_order_V_PlaceBuilding) {
        const ic_place *place = game->value.value;
        point(s, order, NULL,
              (rp_vec3){(float)place->cell.x + 0.5f, 0, (float)place->cell.y + 0.5f});
    } else if (game && game->value.variant == ic_known_order_V_SetRallyPoint) {
        ic_rally *rally = game->value.value;
        reprise_ic_tag_list one = {.items = &rally->unit, .count = 1};
        point(s, order, &one, ic_scene_builder_position(&rally->target, 0));
    }
}

/* Shows what a player drew on the map, in the chosen colour. */
static void see_stroke(ic_scene_builder *s, const ic_order *order)
{
    const ic_draw *draw = order->order.as.minimap_draw;
    const ic_pos *points = draw->points.items;
    rp_vec3 positions[IC_STROKE_MAX];
    size_t count = RP_MIN(draw->points.count, IC_STROKE_MAX);
    if (s->strokes >= STROKES_MAX || count < 2)
        return;
    for (size_t i = 0; i < count; i++)
        positions[i] = ic_scene_builder_position(&points[i], 0.3f);
    rp_material ink = {.name = "stroke",
                       .colour = {(float)(draw->color >> 16 & 255) / 255,
                                  (float)(draw->color >> 8 & 255) / 255,
                                  (float)(draw->color & 255) / 255, 1},
                       .glow = 0.6f,
                       .rough = 1,
                       .texture = -1};
    char id[32];
    snprintf(id, sizeof id, "stroke:%zu", s->strokes++);
    rp_node node = {RP_NODE};
    node.name = node.kind = "stroke";
    node.id = id;
    node.player = ic_owner_of(s, order->player) ? (int32_t)order->player : -1;
    node.mesh = rp_shape_path(s->scene, "stroke", positions, NULL, count, 3,
                              rp_scene_material(s->scene, &ink));
    int32_t at = rp_scene_node(s->scene, &node);
    rp_scene_show(s->scene, at, true);
    rp_scene_show_at(s->scene, at, false, (double)s->scene->now + stroke_s);
}

static void see_order(ic_scene_builder *s, const ic_order_data *row)
{
    const ic_order *order = &row->order;
    switch (order->order.variant) {
    case ic_player_order_V_Move:
        point(s, order, &order->order.as.move->units,
              ic_scene_builder_position(&order->order.as.move->target, 0));
        break;
    case ic_player_order_V_Attack:
        see_attack(s, order);
        break;
    case ic_player_order_V_TacticalPing:
        point(s, order, NULL, ic_scene_builder_position(&order->order.as.tactical_ping->pos, 0));
        break;
    case ic_player_order_V_GameOrder:
        see_game_order(s, order, row->derived.game_order);
        break;
    case ic_player_order_V_MinimapDraw:
        see_stroke(s, order);
        break;
    default:
        break;
    }
}

/* ---- events ---- */

static void blast(ic_scene_builder *s, rp_vec3 position, float size, double seconds)
{
    if (!s->blasts.name) {
        rp_material glow = {.name = "blast",
                            .colour = {1, 0.45f, 0.15f, 1},
                            .glow = 0.9f,
                            .rough = 1,
                            .texture = -1};
        s->blasts = (rp_transient_nodes){
            .name = "blast",
            .kind = "event",
            .player = -1,
            .mesh = rp_shape_rock(s->scene, "blast", 0.5f, rp_scene_material(s->scene, &glow))};
    }
    rp_transient_nodes_show(s->scene, &s->blasts,
                            &(rp_transient_node){.position = position,
                                                 .rotation = {0, 0, 0, 1},
                                                 .size = {size, size, size},
                                                 .seconds = seconds});
}

static void see_created(ic_scene_builder *s, const ic_unit_created *e, ic_look look)
{
    ic_thing *known = ic_thing_of(s, &e->tag);
    if (known && known->here)
        return;
    ic_thing *thing = enter(
        s, &(about){e->tag, e->owner, e->unit_type, look, ic_scene_builder_name(s, e->unit_type)});
    move(s, thing, &e->pos, s->scene->now);
}

static void see_started(ic_scene_builder *s, const ic_construction_started *e)
{
    see_created(s, &(ic_unit_created){e->tick, e->tag, e->unit_type, e->owner, e->pos},
                IC_LOOK_BUILDING);
}

static void see_samples(ic_scene_builder *s, const ic_position_sample *e)
{
    const ic_unit_position *positions = e->positions.items;
    for (size_t i = 0; i < e->positions.count; i++) {
        ic_thing *thing = ic_thing_of(s, &positions[i].tag);
        if (thing && thing->here && thing->seen < s->scene->now)
            move(s, thing, &positions[i].pos, s->state_now);
    }
}

static void see_destroyed(ic_scene_builder *s, const ic_unit_destroyed *e)
{
    ic_thing *thing = ic_thing_of(s, &e->tag);
    if (!thing || !thing->here)
        return;
    if (s->shown)
        blast(s, thing->position, thing->look == IC_LOOK_BUILDING ? 2.4f : 1, 0.8);
    ic_scene_builder_remove(s, thing);
}

/* Shows what a player had on screen as a camera above it. */
static void see_view(ic_scene_builder *s, const ic_camera_sample *e)
{
    ic_owner *o = ic_owner_of(s, e->player);
    if (!o)
        return;
    if (!o->view) {
        char id[32], name[96];
        snprintf(id, sizeof id, "view:%u", e->player);
        snprintf(name, sizeof name, "view of %s", o->name);
        rp_node node = {RP_NODE};
        node.name = name;
        node.id = id;
        node.kind = "view";
        node.player = (int32_t)e->player;
        node.camera = rp_scene_camera(s->scene, name, 50);
        node.rotation = rp_rotation_about((rp_vec3){1, 0, 0}, -1.5707963267948966);
        o->view = rp_scene_node(s->scene, &node) + 1;
        rp_doc *doc = &s->timeline->doc;
        reprise_value *camera = rp_push_object(doc, s->timeline->cameras);
        rp_set_text(doc, camera, "id", id);
        rp_set_text(doc, camera, "kind", "node");
        rp_set_int(doc, camera, "node", o->view - 1);
    }
    float height = 16 * 1024 / fmaxf(e->zoom_level, 64);
    rp_scene_move_since(s->scene, o->view - 1,
                        ic_scene_builder_position(&e->viewport_center, height), 0);
}

static void see_event(ic_scene_builder *s, const rp_choice *event)
{
    const void *e = event->value;
    switch (event->variant) {
    case ic_event_V_UnitCreated:
        see_created(s, e, look_of_type(s, ((const ic_unit_created *)e)->unit_type));
        break;
    case ic_event_V_ConstructionStarted:
        see_started(s, e);
        break;
    case ic_event_V_UnitPositionSample:
        see_samples(s, e);
        break;
    case ic_event_V_CameraPositionSample:
        see_view(s, e);
        break;
    case ic_event_V_SuperweaponFired:
        if (s->shown)
            blast(s, ic_scene_builder_position(&((const ic_superweapon_fired *)e)->target_pos, 0),
                  6, 2);
        break;
    default:
        break;
    }
    if (s->shown)
        ic_timeline_event(s, event);
    /* Last, because the timeline looks the thing up. */
    if (event->variant == ic_event_V_UnitDestroyed)
        see_destroyed(s, e);
}

/* ---- one pass ---- */

static void close_state(ic_scene_builder *s)
{
    if (s->state_open && rp_scene_shows(s->scene, IC_T_ENTITIES))
        see_unlisted(s);
    if (s->state_open && s->shown)
        ic_timeline_state(s);
    s->state_open = false;
}

static bool advance(ic_scene_builder *s, const rp_row *row)
{
    close_state(s);
    rp_when when = rp_scene_clock(s->scene, row->index, row->time);
    if (when == RP_TOO_LATE)
        return false;
    s->any_time = true;
    s->time = row->time;
    s->shown = when == RP_SHOWN;
    if (s->shown) {
        rp_timeline_clock(s->timeline, s->scene->now);
        ic_timeline_seconds(s, (double)s->scene->now);
    }
    return true;
}

static void begin_state(ic_scene_builder *s, uint64_t tick, const ic_keyframe_data *row)
{
    ic_timeline_hash(s, tick, row->state.state_hash);
    s->state_before = s->state_now;
    s->state_now = s->scene->now;
    s->state_open = true;
    s->state_number++;
    s->state_is_full = row->stored.is_full;
    see_map(s, &row->state);
}

static bool see_row(ic_scene_builder *s, const rp_row *row)
{
    bool timed = row->track != IC_T_STRINGS;
    if (timed && (!s->any_time || row->time > s->time) && !advance(s, row))
        return false;
    switch (row->track) {
    case IC_T_STRINGS:
        learn_name(s, row->data);
        break;
    case IC_T_KEYFRAMES:
        begin_state(s, (uint64_t)row->index, row->data);
        break;
    case IC_T_TICKS:
        ic_timeline_frame(s, (uint64_t)row->index, ((const ic_tick_row *)row->data)->state_hash);
        see_tick(s, (uint64_t)row->index);
        break;
    case IC_T_ENTITIES:
        if (rp_scene_shows(s->scene, IC_T_ENTITIES))
            see_entity(s, row->data);
        break;
    case IC_T_PLAYERS:
        ic_timeline_player(s, &((const ic_player_data *)row->data)->stored);
        break;
    case IC_T_MAP_CELLS:
        if (rp_scene_shows(s->scene, IC_T_MAP_CELLS))
            see_cell(s, row->data);
        break;
    case IC_T_ORDERS:
        if (s->shown && rp_scene_shows(s->scene, IC_T_ORDERS))
            see_order(s, row->data);
        if (s->shown)
            ic_timeline_order(s, row->data);
        break;
    case IC_T_SIGNATURES:
        ic_timeline_signature(s, (uint64_t)row->index, row->data);
        break;
    case IC_T_EVENTS:
        if (rp_scene_shows(s->scene, IC_T_EVENTS))
            see_event(s, &((const ic_event_data *)row->data)->stored.event);
        break;
    default:
        break;
    }
    ic_save_row(s, row);
    return s->scene->error->status == REPRISE_OK;
}

static reprise_status watch(ic_scene_builder *s, reprise_error *error)
{
    static const unsigned seen[] = {IC_T_TICKS,     IC_T_ORDERS,  IC_T_KEYFRAMES,
                                    IC_T_ENTITIES,  IC_T_PLAYERS, IC_T_STRINGS,
                                    IC_T_MAP_CELLS, IC_T_EVENTS,  IC_T_SIGNATURES};
    rp_selection selection = {.tracks = s->is_save ? UINT64_C(1) << IC_T_QUEUES : 0};
    for (size_t i = 0; i < RP_COUNT(seen); i++)
        selection.tracks |= UINT64_C(1) << seen[i];
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(s->replay, selection, &decoder, error));
    reprise_status status = REPRISE_OK;
    bool more = true;
    while (more && (status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; more && i < decoder->batch.count; i++)
            more = see_row(s, &decoder->batch.rows[i]);
    }
    rp_decoder_close(decoder);
    close_state(s);
    return !more || status == REPRISE_END ? REPRISE_OK : status;
}

static reprise_status show(ic_scene_builder *s, reprise_error *error)
{
    rp_topdown_map_init(&s->over, s->scene, s->timeline);
    ic_timeline_begin(s);
    reprise_status status = watch(s, error);
    ic_timeline_end(s);
    rp_topdown_map_end(&s->over, ic_player_order.names, ic_player_order_V_COUNT);
    rp_topdown_map_free(&s->over);
    rp_vector_free(s->scene->context, &s->names, sizeof(char *));
    rp_vector_free(s->scene->context, &s->looks, 1);
    return status;
}

/* `replay` is `base`, or NULL for a save, which has no orders to simulate. */
static reprise_status build_scene(rp_replay *base, ic_replay *replay, const reprise_value *metadata,
                                  rp_scene *scene, rp_timeline *timeline, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, base->context);
    ic_scene_builder *s = rp_arena_alloc(&arena, sizeof *s, scene->error);
    ic_thing *things = rp_arena_array(&arena, IC_SCENE_SLOTS, sizeof *things, scene->error);
    ic_ground *ground = rp_arena_alloc(&arena, sizeof *ground, scene->error);
    reprise_status status = scene->error->status;
    if (status == REPRISE_OK) {
        s->replay = base;
        s->metadata = metadata;
        s->is_save = !replay;
        s->scene = scene;
        s->timeline = timeline;
        s->things = things;
        s->ground = ground;
        s->arena = &arena;
        rp_arena_init(&s->parts, base->context);
        reprise_error failure = REPRISE_ERROR_INIT;
        s->tick_s = replay ? replay->tick_seconds : 0;
        if (replay && begin_simulating(s, replay, &failure) != REPRISE_OK)
            give_up(s, &failure);
        status = show(s, error);
        ic_driver_close(&s->driver);
        rp_arena_free(&s->parts);
    }
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}

reprise_status ic_replay_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error)
{
    ic_replay *self = (ic_replay *)replay;
    return build_scene(replay, self, self->metadata, scene, timeline, error);
}

/* The moment of a save is time 0 of the scene. */
reprise_status ic_save_scene(rp_replay *save, rp_scene *scene, rp_timeline *timeline,
                             reprise_error *error)
{
    scene->from_first = true;
    return build_scene(save, NULL, ((ic_save *)save)->metadata, scene, timeline, error);
}
