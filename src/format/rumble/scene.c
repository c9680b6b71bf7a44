/*
 * scene.c - a match as it looks: players (scene_body.c), structures in their shapes,
 * pedestals, the in-game camera, and short flashes where something hit.
 *
 * The recording has poses but no forms, so bodies are made up from the recorded measurements and
 * from what structures look like in the game. What a structure does (held, flicked, grounded) is
 * its colour: each look is a leaf of its own below the structure, and one of them is shown.
 */
#include "scene_builder.h"

#include <math.h>
#include <stdio.h>

typedef enum look {
    LOOK_FREE,
    LOOK_GROUNDED,
    LOOK_HELD,
    LOOK_FLICKED,
    LOOK_COUNT,
} look;
static const char *const look_names[LOOK_COUNT] = {"free", "grounded", "held", "flicked"};

enum { TYPES = 15, PLAYERS_SHOWN_MAX = 64 };

typedef struct rumble_piece {
    int32_t node;
    int32_t leaves[LOOK_COUNT];
    int shown; /* a look, -1: none */
    rp_vec3 last;
    bool seen;
} rumble_piece;

typedef enum flash_kind { FLASH_HIT, FLASH_IMPACT, FLASH_DUST, FLASH_KINDS } flash_kind;

/* Materials and meshes, made when first needed. */
typedef struct rumble_look {
    int32_t structure[TYPES][LOOK_COUNT]; /* mesh plus one; 0: not yet */
    int32_t stone[LOOK_COUNT];            /* material plus one */
    int32_t pedestal, prop;               /* mesh plus one */
    rp_transient_nodes flashes[FLASH_KINDS];
} rumble_look;

/* ---- players ---- */

int32_t rumble_add_part(rumble_scene_builder *s, size_t player, rumble_part about)
{
    char name[128], id[32];
    snprintf(name, sizeof name, "%s %s", s->actors[player].name, about.kind);
    snprintf(id, sizeof id, "player:%zu", player);
    rp_node node = {RP_NODE};
    node.name = name;
    node.id = id;
    node.kind = about.kind;
    node.player = (int32_t)player;
    node.parent = about.parent;
    node.mesh = about.mesh;
    node.camera = about.camera;
    return rp_scene_node(s->scene, &node);
}

/* Measurements that no person can have are ignored. */
static float measured(const reprise_value *player, const char *key, float usual)
{
    double m = reprise_value_double(rp_get(rp_get(player, "Measurement"), key), 0);
    return m > 0.5 && m < 3 ? (float)m : usual;
}

static void build_actor(rumble_scene_builder *s, size_t index, rp_arena *arena)
{
    rumble_actor *a = &s->actors[index];
    const reprise_value *player = reprise_value_at(rp_get(s->replay->header, "Players"), index);
    float length = measured(player, "Length", 1.75f), span = measured(player, "ArmSpan", 1.75f);
    int32_t material = rp_player_paint(s->scene, a->name, (int32_t)index);
    a->body = rumble_body_build(s, index, length, span, material, arena);
    a->gear = rumble_gear_build(s, index, length, arena);
    int32_t camera = rp_scene_camera(s->scene, a->name, 75);
    rp_scene_camera_near(s->scene, camera, (double)length * 0.09); /* past the player's own head */
    a->eyes = rumble_add_part(s, index, (rumble_part){"eyes", a->head, -1, camera});
    a->shown = true;
}

static void show_actor(rumble_scene_builder *s, rumble_actor *a, bool shown)
{
    rp_scene_show(s->scene, a->figure, shown);
    a->shown = shown;
}

rp_quat rumble_rotation_of(const rp_rot *rotation)
{
    return rp_rotation_from_left_handed(rp_rotation_unit(rp_rot_value(rotation)));
}

static void pose(rumble_scene_builder *s, int32_t node, rp_vec3 position, const rp_rot *rotation,
                 bool jump)
{
    rp_scene_move(s->scene, node, rp_position_from_left_handed(position), jump);
    rp_scene_rotate(s->scene, node, rumble_rotation_of(rotation), jump);
}

static void pose_rockcam(rumble_scene_builder *s, rumble_actor *a, size_t index)
{
    const rumble_player *now = s->analysis.players[index].now;
    const rumble_player *before = s->analysis.players[index].before;
    if (now->rockcam_active && a->rockcam < 0) {
        int32_t camera = rp_scene_camera(s->scene, "RockCam", 60);
        a->rockcam = rumble_add_part(s, index, (rumble_part){"RockCam", -1, -1, camera});
        a->rockcam_when = rp_new_array(&s->timeline->doc);
    }
    bool was = before && before->rockcam_active;
    double time = (double)s->scene->now;
    if (now->rockcam_active && !was)
        a->rockcam_since = time;
    if (!now->rockcam_active && was && a->rockcam_when) {
        reprise_value *span = rp_new_array(&s->timeline->doc);
        rp_push(&s->timeline->doc, span, rp_new_f64(&s->timeline->doc, a->rockcam_since));
        rp_push(&s->timeline->doc, span, rp_new_f64(&s->timeline->doc, time));
        rp_push(&s->timeline->doc, a->rockcam_when, span);
    }
    if (now->rockcam_active)
        pose(s, a->rockcam, now->rockcam_pos, &now->rockcam_rot, !was);
}

/* The ground is drawn where feet were. */
static void note_ground(rumble_scene_builder *s, rp_vec3 at)
{
    if (!(fabsf(at.x) < 1000) || !(fabsf(at.z) < 1000) || !(fabsf(at.y) < 1000))
        return;
    if (!s->stood)
        s->low = s->high = at;
    s->stood = true;
    s->low = (rp_vec3){fminf(s->low.x, at.x), s->low.y, fminf(s->low.z, at.z)};
    s->high = (rp_vec3){fmaxf(s->high.x, at.x), s->high.y, fmaxf(s->high.z, at.z)};
}

static void see_player(rumble_scene_builder *s, const rp_row *row, rp_when when)
{
    rumble_actor *a = &s->actors[row->object];
    rumble_analyse_row(&s->analysis, row, (double)s->scene->now);
    const rumble_player_metrics *m = &s->analysis.players[row->object];
    const rumble_player *now = m->now;
    if (a->body) {
        bool jump = now->active && m->before &&
                    (m->joins || rp_distance(now->rig_pos, m->before->rig_pos) > 5);
        rumble_body_update(s, a->body, now, jump);
        rumble_gear_update(s, row->object, jump);
        show_actor(s, a, now->active);
        pose_rockcam(s, a, row->object);
    }
    if (now->active)
        note_ground(s, rp_position_from_left_handed(now->rig_pos));
    if (when == RP_SHOWN)
        rumble_timeline_player(s, row->object);
    else
        a->damage_before = m->damage_taken;
}

/* ---- structures ---- */

static int32_t stone_of(rumble_scene_builder *s, look which)
{
    static const rp_material stones[LOOK_COUNT] = {
        {.name = "stone",
         .colour = {0.60f, 0.56f, 0.50f, 1},
         .glow = 0,
         .rough = 0.9f,
         .texture = -1},
        {.name = "stone, grounded",
         .colour = {0.42f, 0.40f, 0.37f, 1},
         .glow = 0,
         .rough = 0.95f,
         .texture = -1},
        {.name = "stone, held",
         .colour = {0.94f, 0.80f, 0.30f, 1},
         .glow = 0.35f,
         .rough = 0.7f,
         .texture = -1},
        {.name = "stone, flicked",
         .colour = {0.93f, 0.42f, 0.16f, 1},
         .glow = 0.35f,
         .rough = 0.7f,
         .texture = -1},
    };
    int32_t *made = &s->looks->stone[which];
    if (!*made)
        *made = rp_scene_material(s->scene, &stones[which]) + 1;
    return *made - 1;
}

/*
 * Recordings have no sizes of structures. These are estimates: what people of the recorded heights
 * do with them fits, and so do their proportions to each other.
 */
static int32_t shape_of(rumble_scene_builder *s, int64_t type, int32_t m)
{
    const char *name = rp_enum_name(&rumble_structure_names, type);
    name = name ? name : "structure";
    switch (type) {
    case 0:  /* Cube */
    case 12: /* CageCube */
        return rp_shape_slab(s->scene, name, (rp_vec3){0.9f, 0.9f, 0.9f}, 0.07f, m);
    case 1:  /* Pillar */
    case 10: /* PrisonedPillar */
        return rp_shape_column(s->scene, name, 0.36f, 0.29f, 2.2f, 6, m);
    case 2: /* Wall */
    case 9: /* WrappedWall */
        return rp_shape_slab(s->scene, name, (rp_vec3){1.7f, 1.7f, 0.34f}, 0.08f, m);
    case 3:  /* Disc */
    case 11: /* DockedDisk */
    case 13: /* Target */
        return rp_shape_disc(s->scene, name, 0.45f, 0.2f, 0.06f, m);
    case 4: /* Ball */
        return rp_shape_rock(s->scene, name, 0.4f, m);
    case 5: /* CagedBall */
    case 8: /* TetheredCagedBall */
        return rp_shape_rock(s->scene, name, 0.6f, m);
    case 6: /* LargeRock */
        return rp_shape_rock(s->scene, name, 0.8f, m);
    case 7: /* SmallRock */
        return rp_shape_rock(s->scene, name, 0.22f, m);
    default:
        return rp_shape_box(s->scene, name, (rp_vec3){0.5f, 0.5f, 0.5f}, m);
    }
}

static int32_t structure_mesh(rumble_scene_builder *s, int64_t type, look which)
{
    size_t slot = type >= 0 && type < TYPES - 1 ? (size_t)type : TYPES - 1;
    int32_t *made = &s->looks->structure[slot][which];
    if (!*made)
        *made = shape_of(s, type, stone_of(s, which)) + 1;
    return *made - 1;
}

static look look_of(const rumble_structure *now)
{
    if (now->left_held || now->right_held || now->held)
        return LOOK_HELD;
    if (now->flicked)
        return LOOK_FLICKED;
    return now->grounded ? LOOK_GROUNDED : LOOK_FREE;
}

static int32_t thing_node(rumble_scene_builder *s, const char *kind, const char *label,
                          uint32_t index, int32_t parent, int32_t mesh)
{
    char name[96], id[48];
    snprintf(name, sizeof name, "%s %u", label, index);
    snprintf(id, sizeof id, "%s:%u", kind, index);
    rp_node node = {RP_NODE};
    node.name = name;
    node.id = id;
    node.kind = parent >= 0 ? label : kind;
    node.parent = parent;
    node.mesh = mesh;
    return rp_scene_node(s->scene, &node);
}

static void show_look(rumble_scene_builder *s, rumble_piece *piece, uint32_t index, int which)
{
    if (piece->shown == which)
        return;
    if (piece->shown >= 0)
        rp_scene_show(s->scene, piece->leaves[piece->shown], false);
    piece->shown = which;
    if (which < 0)
        return;
    int32_t *leaf = &piece->leaves[which];
    if (*leaf < 0) {
        int64_t type = rumble_structure_type(s->replay, index);
        *leaf = thing_node(s, "structure", look_names[which], index, piece->node,
                           structure_mesh(s, type, (look)which));
    }
    rp_scene_show(s->scene, *leaf, true);
}

static void see_structure(rumble_scene_builder *s, const rp_row *row)
{
    rumble_piece *piece = &s->pieces[row->object];
    const rumble_structure *now = row->data;
    if (piece->node < 0 && !now->active)
        return;
    if (piece->node < 0) {
        const char *type = rp_enum_name(&rumble_structure_names,
                                        rumble_structure_type(s->replay, row->object));
        piece->node = thing_node(s, "structure", type ? type : "structure", row->object, -1, -1);
    }
    bool jump = now->active &&
                (piece->shown < 0 || (piece->seen && rp_distance(now->pos, piece->last) > 5));
    if (now->active)
        pose(s, piece->node, now->pos, &now->rot, jump);
    show_look(s, piece, row->object, now->active ? (int)look_of(now) : -1);
    piece->last = now->pos;
    piece->seen = true;
}

static void see_pedestal(rumble_scene_builder *s, const rp_row *row)
{
    const rumble_pedestal *now = row->data;
    int32_t *node = &s->pedestals[row->object];
    if (*node < 0 && !now->active)
        return;
    if (*node < 0) {
        int32_t *mesh = &s->looks->pedestal;
        if (!*mesh)
            *mesh = rp_shape_column(s->scene, "pedestal", 0.7f, 0.6f, 0.3f, 24,
                                    stone_of(s, LOOK_GROUNDED)) +
                    1;
        *node = thing_node(s, "pedestal", "pedestal", row->object, -1, *mesh - 1);
    }
    bool was = *node >= 0 && rp_scene_nodes(s->scene)[*node].shown;
    rp_scene_move(s->scene, *node, rp_position_from_left_handed(now->pos), !was);
    rp_scene_show(s->scene, *node, now->active);
}

static void see_prop(rumble_scene_builder *s, const rp_row *row)
{
    const rumble_prop *now = row->data;
    int32_t *node = &s->props[row->object];
    if (*node < 0) {
        int32_t *mesh = &s->looks->prop;
        rp_material red = {
            .name = "fruit", .colour = {0.8f, 0.2f, 0.2f, 1}, .rough = 0.6f, .texture = -1};
        if (!*mesh)
            *mesh = rp_shape_capsule(s->scene, "prop", 0.08f, 0.16f,
                                     rp_scene_material(s->scene, &red)) +
                    1;
        *node = thing_node(s, "prop", "prop", row->object, -1, *mesh - 1);
        rp_scene_show(s->scene, *node, true);
    }
    pose(s, *node, now->pos, &now->rot, false);
}

/* ---- flashes ---- */

/* How long an effect lasts, how large it is at its end, and how often it grows on the way. */
enum { FLASH_STEPS = 4 };
typedef struct flash_size {
    float first, last;
    double seconds;
} flash_size;

static int32_t flash_mesh(rumble_scene_builder *s, flash_kind kind)
{
    static const rp_material glows[FLASH_KINDS] = {
        {.name = "hit", .colour = {1, 0.25f, 0.2f, 1}, .glow = 1, .rough = 1, .texture = -1},
        {.name = "impact", .colour = {1, 0.95f, 0.8f, 1}, .glow = 0.8f, .rough = 1, .texture = -1},
        {.name = "dust",
         .colour = {0.75f, 0.68f, 0.55f, 0.6f},
         .glow = 0.3f,
         .rough = 1,
         .blend = true,
         .double_sided = true,
         .texture = -1},
    };
    const char *name = glows[kind].name;
    int32_t material = rp_scene_material(s->scene, &glows[kind]);
    return kind == FLASH_DUST ? rp_shape_ring(s->scene, name, 1, 0.7f, material)
                              : rp_shape_burst(s->scene, name, 1, material);
}

/* Sizes are radii: an effect begins small and grows in steps. */
static void flash(rumble_scene_builder *s, flash_kind kind, rp_vec3 position, flash_size size)
{
    static const char *const names[FLASH_KINDS] = {"hit", "impact", "dust"};
    rp_transient_nodes *marks = &s->looks->flashes[kind];
    if (!marks->name)
        *marks = (rp_transient_nodes){
            .name = names[kind], .kind = "event", .player = -1, .mesh = flash_mesh(s, kind)};
    float step = (size.last - size.first) / FLASH_STEPS;
    rp_transient_nodes_show(s->scene, marks,
                            &(rp_transient_node){rp_position_from_left_handed(position),
                                                 {0, 0, 0, 1},
                                                 {size.first, size.first, size.first},
                                                 size.seconds,
                                                 {step, step, step},
                                                 FLASH_STEPS});
}

/* Numbers of the effects in grammar.c: collisions, impacts, and structures made or broken. */
static void see_event(rumble_scene_builder *s, const rp_row *row)
{
    const rumble_event *event = row->data;
    if (!(row->present >> rumble_event_F_pos & 1))
        return;
    if (event->damage > 0) {
        float radius = 0.25f + 0.03f * (float)RP_MIN(event->damage, 20);
        flash(s, FLASH_HIT, event->pos, (flash_size){radius * 0.5f, radius, 0.6});
    } else if (event->fx >= 7 && event->fx <= 10) { /* light, medium, heavy, massive */
        float radius = 0.14f + 0.08f * (float)(event->fx - 7);
        flash(s, FLASH_IMPACT, event->pos, (flash_size){radius * 0.5f, radius, 0.3});
    } else if (event->fx == 1 || event->fx == 6 || (event->fx >= 11 && event->fx <= 13)) {
        flash(s, FLASH_DUST, event->pos, (flash_size){0.25f, 0.8f, 0.3});
    }
}

/* ---- one pass ---- */

static void see_row(rumble_scene_builder *s, const rp_row *row, rp_when when)
{
    switch (row->track) {
    case RUMBLE_FRAMES:
        rumble_analyse_row(&s->analysis, row, (double)s->scene->now);
        break;
    case RUMBLE_PLAYERS:
        see_player(s, row, when);
        break;
    case RUMBLE_STRUCTURES:
        if (rp_scene_shows(s->scene, RUMBLE_STRUCTURES))
            see_structure(s, row);
        break;
    case RUMBLE_PEDESTALS:
        if (rp_scene_shows(s->scene, RUMBLE_PEDESTALS))
            see_pedestal(s, row);
        break;
    case RUMBLE_PROPS:
        if (rp_scene_shows(s->scene, RUMBLE_PROPS))
            see_prop(s, row);
        break;
    case RUMBLE_EVENTS:
        if (when == RP_SHOWN && rp_scene_shows(s->scene, RUMBLE_EVENTS))
            see_event(s, row);
        if (when == RP_SHOWN)
            rumble_timeline_event(s, row);
        break;
    case RUMBLE_MARKERS:
        rumble_timeline_marker(s, row);
        break;
    default:
        break;
    }
}

/* Rows of a frame come in one batch, the frame's own row first. */
static bool see_batch(rumble_scene_builder *s, const rp_batch *batch)
{
    rp_when when = RP_TOO_EARLY;
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track == RUMBLE_FRAMES) {
            when = rp_scene_clock(s->scene, row->index, row->time);
            if (when == RP_TOO_LATE)
                return false;
            if (when == RP_SHOWN)
                rumble_timeline_frame(s);
        }
        see_row(s, row, when);
    }
    if (when == RP_SHOWN)
        rumble_timeline_rest(s);
    return s->scene->error->status == REPRISE_OK;
}

static reprise_status watch(rumble_scene_builder *s, reprise_error *error)
{
    rp_selection selection = {.tracks = (UINT64_C(1) << RUMBLE_TRACK_COUNT) - 1};
    selection.tracks &= ~(UINT64_C(1) << RUMBLE_EXTENSIONS | UINT64_C(1) << RUMBLE_FILES |
                          UINT64_C(1) << RUMBLE_VOICES);
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&s->replay->base, selection, &decoder, error));
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        if (!see_batch(s, &decoder->batch))
            break;
    }
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Ground under every position a player stood on, and two metres around. */
static void build_ground(rumble_scene_builder *s)
{
    if (!s->stood)
        s->low = s->high = (rp_vec3){0, 0, 0};
    float size = fmaxf(fmaxf(s->high.x - s->low.x, s->high.z - s->low.z) / 2 + 2, 5);
    float step = size > 60 ? 10 : 1;
    rp_vec3 middle = {roundf((s->low.x + s->high.x) / 2), s->low.y,
                      roundf((s->low.z + s->high.z) / 2)};
    size = ceilf(size / step) * step;
    rp_material ground = {
        .name = "ground", .colour = {0.20f, 0.22f, 0.25f, 1}, .rough = 1, .texture = -1};
    rp_material lines = {
        .name = "ground lines", .colour = {0.36f, 0.40f, 0.45f, 1}, .rough = 1, .texture = -1};
    rp_node node = {RP_NODE};
    node.name = node.id = node.kind = "ground";
    node.position = (rp_vec3){middle.x, middle.y - 0.06f, middle.z};
    node.mesh = rp_shape_column(s->scene, "ground", size * 1.1f, size * 1.1f, 0.1f, 64,
                                rp_scene_material(s->scene, &ground));
    int32_t at = rp_scene_node(s->scene, &node);
    rp_scene_show_at(s->scene, at, true, 0);
    node.name = node.id = node.kind = "grid";
    float half = floorf(size * 0.75f / step) * step;
    node.mesh = rp_shape_grid(s->scene, "grid", (rp_vec3){-half, 0.055f, -half},
                              (rp_vec3){half, 0.055f, half}, step,
                              rp_scene_material(s->scene, &lines));
    at = rp_scene_node(s->scene, &node);
    rp_scene_show_at(s->scene, at, true, 0);
    rp_overview_camera(
        s->scene, (rp_vec3){middle.x - size * 0.8f, middle.y, middle.z - size * 0.8f},
        (rp_vec3){middle.x + size * 0.8f, middle.y + 2, middle.z + size * 0.8f}, false);
}

static void set_none(int32_t *nodes, size_t count)
{
    for (size_t i = 0; nodes && i < count; i++)
        nodes[i] = -1;
}

static reprise_status build(rumble_scene_builder *s, rp_arena *arena, reprise_error *error)
{
    const rumble_replay *r = s->replay;
    s->actors = rp_arena_array(arena, r->player_count, sizeof *s->actors, error);
    s->pieces = rp_arena_array(arena, r->structure_count, sizeof *s->pieces, error);
    s->pedestals = rp_arena_array(arena, r->pedestal_count, sizeof *s->pedestals, error);
    s->props = rp_arena_array(arena, r->prop_count, sizeof *s->props, error);
    s->looks = rp_arena_alloc(arena, sizeof *s->looks, error);
    RP_TRY(rumble_analyse_begin(&s->analysis, r, arena, error));
    set_none(s->pedestals, r->pedestal_count);
    set_none(s->props, r->prop_count);
    for (size_t i = 0; i < r->structure_count; i++) {
        s->pieces[i] = (rumble_piece){.node = -1, .shown = -1};
        set_none(s->pieces[i].leaves, LOOK_COUNT);
    }
    rumble_timeline_begin(s);
    for (size_t i = 0; i < r->player_count; i++) {
        rumble_actor *a = &s->actors[i];
        a->figure = a->rig = a->head = a->hands[0] = a->hands[1] = a->eyes = -1;
        a->rockcam = -1;
        if (i < PLAYERS_SHOWN_MAX && rp_scene_shows(s->scene, RUMBLE_PLAYERS)) {
            build_actor(s, i, arena);
            show_actor(s, a, false);
        }
    }
    return error->status;
}

reprise_status rumble_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                            reprise_error *error)
{
    rumble_scene_builder builder = {
        .replay = (rumble_replay *)base, .scene = scene, .timeline = timeline};
    rp_arena arena;
    rp_arena_init(&arena, base->context);
    reprise_status status = build(&builder, &arena, scene->error);
    if (status == REPRISE_OK) {
        status = watch(&builder, error);
        build_ground(&builder);
        rumble_timeline_end(&builder);
    }
    rp_vector_free(base->context, &builder.ends, sizeof(float));
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
