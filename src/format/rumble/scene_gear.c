/*
 * scene_gear.c - what is seen of a player besides the body: a shiftstone on the back of each hand,
 * and health as a bar above the head.
 *
 * Stones can be changed during a match, so each that was ever worn is a leaf below the hand, and
 * one of them is shown. A stone whose effect is on has a halo. The bar is a plate with a fill that
 * becomes shorter; it is parallel to the x axis, and programs that can turn it towards the camera.
 */
#include <math.h>
#include <stdio.h>

#include "scene_builder.h"

enum { HEALTH_FULL = 20, HIDDEN = INT32_MIN, STONE_COUNT = RUMBLE_STONES - 1 };

typedef struct rumble_gear {
    float length; /* of the body */
    int32_t stones[2][STONE_COUNT], halos[2][STONE_COUNT];
    int32_t hands[2];    /* nodes that follow the hands, -1: not yet needed */
    int worn[2], lit[2]; /* the stone shown, and the one with a halo; -1: none */
    int32_t top, plate, fill, fill_material;
    int health; /* shown; HIDDEN: none */
} rumble_gear;

/* Meshes plus one, made when first needed; they fit a body of length 1. */
typedef struct rumble_gear_meshes {
    int32_t stones[STONE_COUNT], halos[STONE_COUNT], plate;
} rumble_gear_meshes;

/* Our own choice: bright enough to be told apart at the size of a hand. */
static const float stone_colours[STONE_COUNT][3] = {
    {0.55f, 0.60f, 0.68f}, /* Adamant */
    {0.98f, 0.85f, 0.20f}, /* Charge */
    {0.25f, 0.55f, 0.98f}, /* Flow */
    {0.95f, 0.55f, 0.15f}, /* Guard */
    {0.62f, 0.40f, 0.22f}, /* Stubborn */
    {0.30f, 0.88f, 0.92f}, /* Surge */
    {0.35f, 0.85f, 0.35f}, /* Vigor */
    {0.92f, 0.22f, 0.30f}, /* Volatile */
};

/* Sizes for a body of length 1. */
static const float stone_radius = 0.02f, halo_radius = 0.04f, stone_up = 0.014f, bar_up = 0.17f;
static const rp_vec3 bar_size = {0.30f, 0.034f, 0.008f}, fill_size = {0.288f, 0.024f, 0.014f};

/* ---- building ---- */

static int32_t stone_mesh(rumble_scene_builder *s, int stone, bool halo)
{
    int32_t *made = halo ? &s->gear_meshes->halos[stone] : &s->gear_meshes->stones[stone];
    if (*made)
        return *made - 1;
    const float *rgb = stone_colours[stone];
    char name[48];
    snprintf(name, sizeof name, "%s%s", rp_enum_name(&rumble_stone_names, stone),
             halo ? " effect" : "");
    int32_t material = rp_scene_material(
        s->scene, &(rp_material){.name = name,
                                 .colour = {rgb[0], rgb[1], rgb[2], halo ? 0.35f : 1},
                                 .glow = halo ? 0.9f : 0.5f,
                                 .rough = 0.3f,
                                 .blend = halo,
                                 .texture = -1});
    *made = (halo ? rp_shape_capsule(s->scene, name, halo_radius, 2 * halo_radius, material)
                  : rp_shape_rock(s->scene, name, stone_radius, material)) +
            1;
    return *made - 1;
}

static int32_t add_leaf(rumble_scene_builder *s, size_t player, rumble_part about, float size,
                        rp_vec3 position)
{
    int32_t node = rumble_add_part(s, player, about);
    if (node >= 0) {
        rp_scene_nodes(s->scene)[node].position = position;
        rp_scene_nodes(s->scene)[node].size = (rp_vec3){size, size, size};
    }
    return node;
}

static void build_bar(rumble_scene_builder *s, size_t player, rumble_gear *g)
{
    static const rp_material dark = {
        .name = "health lost", .colour = {0.1f, 0.1f, 0.12f, 1}, .rough = 1, .texture = -1};
    int32_t *plate = &s->gear_meshes->plate;
    if (!*plate)
        *plate = rp_shape_box(s->scene, "health lost", bar_size,
                              rp_scene_material(s->scene, &dark)) +
                 1;
    g->top = rumble_add_part(s, player, (rumble_part){"health", -1, -1, -1});
    g->plate = add_leaf(s, player, (rumble_part){"health lost", g->top, *plate - 1, -1}, g->length,
                        (rp_vec3){0, 0, 0});
    /* Painted by how much is left, so each player has one. */
    g->fill_material = rp_scene_material(s->scene, &(rp_material){.name = "health",
                                                                  .colour = {1, 1, 1, 1},
                                                                  .rough = 1,
                                                                  .painted_by = "health",
                                                                  .paint_mode = "multiply",
                                                                  .texture = -1});
    int32_t mesh = rp_shape_box(s->scene, "health", fill_size, g->fill_material);
    g->fill = add_leaf(s, player, (rumble_part){"health left", g->top, mesh, -1}, g->length,
                       (rp_vec3){0, 0, 0});
}

struct rumble_gear *rumble_gear_build(rumble_scene_builder *s, size_t player, float length,
                                      rp_arena *arena)
{
    rumble_gear *g = rp_arena_alloc(arena, sizeof *g, s->scene->error);
    if (!s->gear_meshes)
        s->gear_meshes = rp_arena_alloc(arena, sizeof *s->gear_meshes, s->scene->error);
    if (!g || !s->gear_meshes)
        return NULL;
    *g = (rumble_gear){.length = length,
                       .worn = {-1, -1},
                       .lit = {-1, -1},
                       .top = -1,
                       .plate = -1,
                       .fill = -1,
                       .health = HIDDEN,
                       .hands = {-1, -1}};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < STONE_COUNT; i++)
            g->stones[side][i] = g->halos[side][i] = -1;
    }
    if (rumble_has_health(s->replay)) {
        build_bar(s, player, g);
        rp_scene_show(s->scene, g->plate, false);
        rp_scene_show(s->scene, g->fill, false);
    }
    return g;
}

int32_t rumble_gear_top(const struct rumble_gear *gear)
{
    return gear ? gear->top : -1;
}

/* ---- stones ---- */

static int32_t add_stone(rumble_scene_builder *s, size_t player, int side, bool halo, int stone)
{
    rumble_gear *g = s->actors[player].gear;
    char kind[32];
    snprintf(kind, sizeof kind, "%s stone", side ? "right" : "left");
    if (g->hands[side] < 0)
        g->hands[side] = rumble_add_part(s, player, (rumble_part){kind, -1, -1, -1});
    rp_vec3 back_of_hand = {0, stone_up * g->length, -0.005f * g->length};
    return add_leaf(s, player,
                    (rumble_part){halo ? "stone effect" : "stone", g->hands[side],
                                  stone_mesh(s, stone, halo), -1},
                    g->length, back_of_hand);
}

static void show_one(rumble_scene_builder *s, size_t player, int side, bool halo, int which)
{
    rumble_gear *g = s->actors[player].gear;
    int *shown = halo ? &g->lit[side] : &g->worn[side];
    int32_t *leaves = halo ? g->halos[side] : g->stones[side];
    if (*shown == which)
        return;
    if (*shown >= 0)
        rp_scene_show(s->scene, leaves[*shown], false);
    *shown = which;
    if (which < 0)
        return;
    if (leaves[which] < 0)
        leaves[which] = add_stone(s, player, side, halo, which);
    rp_scene_show(s->scene, leaves[which], true);
}

/* The bit of the effect of a stone; 0: none is recorded. */
static unsigned effect_of(int stone)
{
    static const uint8_t bits[STONE_COUNT] = {
        [0] = 2, [1] = 1, [6] = 4, [5] = 8}; /* Adamant, Charge, Vigor, Surge */
    return bits[stone];
}

static void move_stones(rumble_scene_builder *s, rumble_gear *g, const rumble_player_derived *world,
                        int side, bool jump)
{
    rp_vec3 position = side ? world->rhand_world_pos : world->lhand_world_pos;
    rp_quat rotation = side ? world->rhand_world_rot : world->lhand_world_rot;
    rp_scene_move(s->scene, g->hands[side], rp_position_from_left_handed(position), jump);
    rp_scene_rotate(s->scene, g->hands[side],
                    rp_rotation_from_left_handed(rp_rotation_unit(rotation)), jump);
}

static void update_stones(rumble_scene_builder *s, size_t player, bool jump)
{
    rumble_gear *g = s->actors[player].gear;
    const rumble_player_metrics *m = &s->analysis.players[player];
    const uint8_t worn[2] = {m->now->left_stone, m->now->right_stone};
    for (int side = 0; side < 2; side++) {
        bool was = g->worn[side] >= 0;
        int stone = m->now->active && worn[side] < STONE_COUNT ? worn[side] : -1;
        bool lit = stone >= 0 && (m->now->stone_fx & effect_of(stone));
        show_one(s, player, side, false, stone);
        show_one(s, player, side, true, lit ? stone : -1);
        if (stone >= 0)
            move_stones(s, g, &m->world, side, jump || !was);
    }
}

/* ---- health ---- */

/* Linear, as glTF demands. */
static const float *health_colour(float share)
{
    static const float good[4] = {0.19f, 0.73f, 0.22f, 1}, fair[4] = {0.9f, 0.62f, 0.06f, 1},
                       low[4] = {0.84f, 0.08f, 0.07f, 1};
    return share > 0.5f ? good : share > 0.25f ? fair : low;
}

static void update_health(rumble_scene_builder *s, rumble_gear *g, int health)
{
    if (g->fill < 0 || health == g->health)
        return;
    double now = (double)s->scene->now;
    float share = fminf(fmaxf((float)health / HEALTH_FULL, 0), 1), l = g->length;
    g->health = health;
    rp_scene_show(s->scene, g->plate, health != HIDDEN);
    if (!(share > 0)) {
        rp_scene_show(s->scene, g->fill, false);
        return;
    }
    rp_scene_paint(s->scene, g->fill_material, health_colour(share));
    rp_scene_move(s->scene, g->fill, (rp_vec3){(share - 1) * fill_size.x / 2 * l, 0, 0}, true);
    rp_scene_show_sized(s->scene, g->fill, (rp_vec3){share * l, l, l}, now);
}

void rumble_gear_update(rumble_scene_builder *s, size_t player, bool jump)
{
    rumble_gear *g = s->actors[player].gear;
    const rumble_player_metrics *m = &s->analysis.players[player];
    if (!g)
        return;
    if (rumble_has_shiftstones(s->replay))
        update_stones(s, player, jump);
    update_health(s, g, m->now->active ? m->now->health : HIDDEN);
    if (!m->now->active)
        return;
    rp_vec3 head = rp_position_from_left_handed(m->world.head_world_pos);
    head.y += bar_up * g->length;
    rp_scene_move(s->scene, g->top, head, jump);
}
