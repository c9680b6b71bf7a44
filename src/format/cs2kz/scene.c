/*
 * scene.c - the scene of a run: the player's see-through hull, standing or ducked, feet, line and
 * cone of the view, the path coloured by speed, the ground that was stood on, the arcs of jumps,
 * checkpoints, and teleports as lines. The map is not in the recording.
 */
#include "scene_builder.h"
#include "whole.h"

#include <math.h>
#include <stdio.h>

enum { STANDING, DUCKED, TRAIL_MAX = 32768, PLACES_MAX = 4096, ARCS_MAX = 1024 };

/* Five stops of the viridis scale, from slow to fast, in linear light. */
static const uint8_t ramp[5][3] = {
    {15, 0, 23}, {11, 22, 66}, {4, 72, 67}, {29, 149, 31}, {251, 203, 5}};

static int32_t add_node(kz_scene_builder *s, const char *kind, int32_t parent, int32_t mesh,
                        int32_t camera, rp_vec3 position)
{
    rp_node node = {RP_NODE};
    node.name = node.kind = kind;
    node.id = "player:0";
    node.player = 0;
    node.parent = parent;
    node.mesh = mesh;
    node.camera = camera;
    node.position = position;
    return rp_scene_node(s->scene, &node);
}

/* The twelve edges of a box. */
static int32_t add_edges(kz_scene_builder *s, const char *name, rp_vec3 size, int32_t material)
{
    enum { AXES = 3, EDGES = 12 };
    rp_vec3 ends[2 * EDGES];
    size_t count = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        for (unsigned axis = 0; axis < AXES; axis++) {
            unsigned other = corner | 1u << axis;
            if (other == corner)
                continue;
            for (unsigned end = 0; end < 2; end++) {
                unsigned at = end ? other : corner;
                ends[count++] = (rp_vec3){(at & 1 ? 0.5f : -0.5f) * size.x,
                                          (at & 2 ? 0.5f : -0.5f) * size.y,
                                          (at & 4 ? 0.5f : -0.5f) * size.z};
            }
        }
    }
    rp_geometry part = {.mode = 1, .positions = ends, .count = count, .material = material};
    return rp_scene_mesh(s->scene, name, &part, 1, 2);
}

/* The four sides of what is in view, from the eyes to a metre ahead. */
static int32_t add_cone(kz_scene_builder *s, int32_t material)
{
    const float half_width = 0.75f, half_height = 0.42f;
    const rp_vec3 corners[5] = {{0, 0, 0},
                                {-half_width, -half_height, -1},
                                {half_width, -half_height, -1},
                                {half_width, half_height, -1},
                                {-half_width, half_height, -1}};
    static const uint32_t sides[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    rp_geometry part = {.mode = 4,
                        .positions = corners,
                        .count = RP_COUNT(corners),
                        .indices = sides,
                        .index_count = RP_COUNT(sides),
                        .material = material};
    return rp_scene_mesh(s->scene, "cone", &part, 1, 0);
}

static void build_hulls(kz_scene_builder *s, int32_t faces, int32_t lines)
{
    static const struct {
        const char *name;
        float height;
    } hulls[] = {[STANDING] = {"standing", 1.829f}, [DUCKED] = {"ducked", 1.372f}};
    for (size_t i = 0; i < RP_COUNT(hulls); i++) {
        rp_vec3 size = {0.813f, hulls[i].height, 0.813f}, at = {0, hulls[i].height / 2, 0};
        int32_t box = rp_shape_box(s->scene, hulls[i].name, size, faces);
        s->hulls[i] = add_node(s, hulls[i].name, s->player, box, -1, at);
        s->edges[i] = add_node(s, "edges", s->player, add_edges(s, "edges", size, lines), -1, at);
    }
    rp_scene_show(s->scene, s->hulls[DUCKED], false);
    rp_scene_show(s->scene, s->edges[DUCKED], false);
    s->hull = STANDING;
}

/* The player covers the path most of the time, so the path must show through. */
static void build_player(kz_scene_builder *s)
{
    rp_material skin = {.name = "hull",
                        .colour = {0.337f, 0.706f, 0.914f, 0.16f},
                        .rough = 0.7f,
                        .blend = true,
                        .texture = -1};
    rp_material solid = {
        .name = "feet", .colour = {0.337f, 0.706f, 0.914f, 1}, .rough = 0.7f, .texture = -1};
    rp_material cone = {.name = "cone",
                        .colour = {0.94f, 0.89f, 0.26f, 0.1f},
                        .rough = 1,
                        .glow = 1,
                        .blend = true,
                        .double_sided = true,
                        .texture = -1};
    rp_material beam = {
        .name = "view", .colour = {0.94f, 0.89f, 0.26f, 1}, .rough = 1, .glow = 1, .texture = -1};
    int32_t faces = rp_scene_material(s->scene, &skin), paint = rp_scene_material(s->scene, &solid);
    int32_t feet = rp_shape_box(s->scene, "feet", (rp_vec3){0.813f, 0.04f, 0.813f}, paint);
    int32_t ray = rp_shape_box(s->scene, "ray", (rp_vec3){0.03f, 0.03f, 1.2f},
                               rp_scene_material(s->scene, &beam));
    s->player = add_node(s, "player", -1, -1, -1, (rp_vec3){0, 0, 0});
    build_hulls(s, faces, paint);
    add_node(s, "feet", s->player, feet, -1, (rp_vec3){0, 0.02f, 0});
    s->view = add_node(s, "view", s->player, -1, -1, (rp_vec3){0, 1.63f, 0});
    int32_t camera = rp_scene_camera(s->scene, "eyes", 74);
    rp_scene_camera_near(s->scene, camera, 1.25); /* past the player's own hull and the ray */
    s->eyes = add_node(s, "eyes", s->view, -1, camera, (rp_vec3){0, 0, 0});
    add_node(s, "ray", s->view, ray, -1, (rp_vec3){0, 0, -0.6f});
    add_node(s, "cone", s->view, add_cone(s, rp_scene_material(s->scene, &cone)), -1,
             (rp_vec3){0, 0, 0});
}

/* ---- the trail ---- */

/* Drops every second position when the buffer is full. */
static void thin_trail(kz_scene_builder *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->trail_count; i++) {
        if (i % 2 && !s->trail_breaks[i])
            continue;
        s->trail[kept] = s->trail[i];
        s->trail_speed[kept] = s->trail_speed[i];
        s->trail_breaks[kept++] = s->trail_breaks[i];
    }
    s->trail_count = kept < TRAIL_MAX ? kept : 0;
    s->trail_every *= 2;
}

static void leave_trail(kz_scene_builder *s, rp_vec3 position, double speed, bool teleported)
{
    s->trail_break_next |= teleported;
    if (++s->trail_skipped < s->trail_every && !teleported)
        return;
    s->trail_skipped = 0;
    if (s->trail_count == TRAIL_MAX)
        thin_trail(s);
    s->trail[s->trail_count] = position;
    s->trail_speed[s->trail_count] = (float)speed;
    s->trail_breaks[s->trail_count++] = s->trail_break_next;
    s->trail_break_next = false;
}

static void colour_of(float speed, uint8_t to[4])
{
    float at = fminf(fmaxf(speed / KZ_RAMP_SPEED, 0), 1) * 4;
    size_t i = rp_whole_size((double)fminf(at, 3));
    float share = at - (float)i;
    for (size_t k = 0; k < 3; k++)
        to[k] = (uint8_t)lroundf((float)ramp[i][k] * (1 - share) + (float)ramp[i + 1][k] * share);
    to[3] = 255;
}

/* A node that appears at a time and does not move; `number` counts those of its kind. */
static void add_still(kz_scene_builder *s, const char *kind, size_t number, int32_t mesh,
                      kz_spot spot)
{
    if (mesh < 0)
        return;
    char id[48];
    snprintf(id, sizeof id, "%s:%zu", kind, number);
    rp_node node = {RP_NODE};
    node.name = node.kind = kind;
    node.id = id;
    node.mesh = mesh;
    node.position = spot.position;
    rp_scene_show_at(s->scene, rp_scene_node(s->scene, &node), true, (double)spot.time);
}

static void build_trail(kz_scene_builder *s, rp_arena *arena)
{
    uint8_t(*colours)[4] = rp_arena_array(arena, s->trail_count, 4, s->scene->error);
    if (!colours)
        return;
    for (size_t i = 0; i < s->trail_count; i++)
        colour_of(s->trail_speed[i], colours[i]);
    rp_material line = {.name = "trail", .colour = {1, 1, 1, 1}, .rough = 1, .texture = -1};
    int32_t material = -1;
    size_t from = 0, pieces = 0;
    for (size_t i = 1; i <= s->trail_count; i++) {
        if (i < s->trail_count && !s->trail_breaks[i])
            continue;
        if (material < 0 && i - from > 1)
            material = rp_scene_material(s->scene, &line);
        int32_t mesh = rp_shape_path(s->scene, "trail", s->trail + from,
                                     (const uint8_t(*)[4])colours + from, i - from, 3, material);
        add_still(s, "trail", pieces++, mesh, (kz_spot){{0, 0, 0}, 0});
        from = i;
    }
}

static void build_ground(kz_scene_builder *s, rp_arena *arena)
{
    const kz_spot everywhere = {{0, 0, 0}, 0};
    add_still(s, "path-ground", 0, kz_ground_tiles(&s->ground, s->scene, arena), everywhere);
    add_still(s, "path-drop", 0, kz_ground_drops(&s->ground, s->scene), everywhere);
}

/* Teleports are pairs of positions; each pair is a line of short dashes. */
static void build_teleports(kz_scene_builder *s)
{
    enum { DASHES = 12 };
    const kz_spot *spots = s->teleports.items;
    rp_material line = {
        .name = "teleport", .colour = {0.87f, 0.13f, 0.31f, 1}, .rough = 1, .texture = -1};
    int32_t material = s->teleports.count ? rp_scene_material(s->scene, &line) : -1;
    for (size_t i = 0; i + 1 < s->teleports.count; i += 2) {
        rp_vec3 dashes[2 * DASHES], a = spots[i].position, b = spots[i + 1].position;
        for (size_t k = 0; k < 2 * DASHES; k++) {
            float share = (float)k / (2 * DASHES - 1);
            dashes[k] = (rp_vec3){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                                  a.z + share * (b.z - a.z)};
        }
        rp_geometry part = {
            .mode = 1, .positions = dashes, .count = 2 * DASHES, .material = material};
        add_still(s, "teleport", i / 2, rp_scene_mesh(s->scene, "teleport", &part, 1, 2),
                  (kz_spot){{0, 0, 0}, spots[i + 1].time});
    }
}

static void build_checkpoints(kz_scene_builder *s)
{
    const kz_spot *spots = s->checkpoints.items;
    if (!s->checkpoints.count)
        return;
    rp_material glow = {.name = "checkpoint",
                        .colour = {0.66f, 0.99f, 0.49f, 1},
                        .glow = 0.5f,
                        .rough = 1,
                        .texture = -1};
    int32_t mesh = rp_shape_column(s->scene, "checkpoint", 0.35f, 0.35f, 0.05f, 24,
                                   rp_scene_material(s->scene, &glow));
    for (size_t i = 0; i < s->checkpoints.count; i++)
        add_still(s, "checkpoint", i, mesh, spots[i]);
}

/* ---- jumps ---- */

/* Gravity in the game is 800 units per second squared. */
static const double half_gravity = 400;

/* Flight time, from the vertical speed at take-off and the height of the landing. */
static double flight_of(const kz_jump *jump)
{
    double up = (double)jump->takeoff_velocity.z;
    double fall = (double)jump->takeoff_origin.z - (double)jump->landing_origin.z;
    double root = up * up + 4 * half_gravity * fall;
    double flight = root >= 0 ? (up + sqrt(root)) / (2 * half_gravity) : (double)jump->airtime;
    return flight > 0 && flight < 60 ? flight : 0;
}

/*
 * Where and how fast it took off and where it landed is recorded; in between it falls freely, over
 * a straight line on the ground.
 */
void kz_scene_jump(kz_scene_builder *s, const kz_jump *jump, uint32_t number, double landed)
{
    enum { POINTS = 25, GOOD_TIER = 3, BEST_TIER = 5 };
    static const rp_material paints[3] = {
        {.name = "jump",
         .colour = {0.62f, 0.69f, 0.66f, 1},
         .glow = 0.3f,
         .rough = 1,
         .texture = -1},
        {.name = "good jump",
         .colour = {0.90f, 0.62f, 0, 1},
         .glow = 0.3f,
         .rough = 1,
         .texture = -1},
        {.name = "best jump",
         .colour = {0.87f, 0.13f, 0.31f, 1},
         .glow = 0.5f,
         .rough = 1,
         .texture = -1},
    };
    double flight = flight_of(jump);
    if (flight <= 0 || s->arcs >= ARCS_MAX)
        return;
    s->arcs++;
    size_t tier = (size_t)(jump->distance_tier >= GOOD_TIER) + (jump->distance_tier >= BEST_TIER);
    if (!s->arc_paints[tier])
        s->arc_paints[tier] = rp_scene_material(s->scene, &paints[tier]) + 1;
    rp_vec3 a = jump->takeoff_origin, b = jump->landing_origin, positions[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        double share = (double)i / (POINTS - 1), t = share * flight;
        rp_vec3 at = {a.x + (float)share * (b.x - a.x), a.y + (float)share * (b.y - a.y),
                      a.z + (float)share * (b.z - a.z)};
        at.z += (float)(half_gravity * t * (flight - t));
        positions[i] = rp_position_from_z_up(at, KZ_UNIT_M);
    }
    char name[32], id[32];
    snprintf(name, sizeof name, "jump %u", number);
    snprintf(id, sizeof id, "jump:%u", number);
    rp_node node = {RP_NODE};
    node.name = name;
    node.id = id;
    node.kind = "jump";
    node.player = 0;
    node.mesh = rp_shape_path(s->scene, "jump", positions, NULL, POINTS, 4,
                              s->arc_paints[tier] - 1);
    rp_scene_show_at(s->scene, rp_scene_node(s->scene, &node), true, fmax(landed - flight, 0));
}

/* ---- one pass ---- */

static void remember(kz_scene_builder *s, rp_vector *positions, rp_vec3 position)
{
    if (positions->count >= PLACES_MAX)
        return;
    kz_spot *to = rp_vector_add(s->scene->context, positions, sizeof *to, s->scene->error);
    if (to)
        *to = (kz_spot){position, s->scene->now};
}

static void extend_bounds(kz_scene_builder *s, rp_vec3 p)
{
    if (!s->trail_count)
        s->low = s->high = p;
    s->low = (rp_vec3){fminf(s->low.x, p.x), fminf(s->low.y, p.y), fminf(s->low.z, p.z)};
    s->high = (rp_vec3){fmaxf(s->high.x, p.x), fmaxf(s->high.y, p.y), fmaxf(s->high.z, p.z)};
}

/* Further than a step and twice what the speed explains: the player was put there. */
static bool leaps(const kz_scene_builder *s)
{
    const kz_tick *last = s->analysis.before, *tick = s->analysis.now;
    const double step_units = 24, tick_s = 1.0 / 64;
    double elapsed = fmax((double)s->scene->now - (double)s->scene->before, tick_s);
    double speed = fmax(s->analysis.shown_before.speed, s->analysis.shown.speed);
    return rp_distance(last->post.origin, tick->post.origin) > step_units + 2 * speed * elapsed;
}

/* The game counts its teleports. Those of maps are not counted, but lead far. */
static bool is_teleport(kz_scene_builder *s, bool leap)
{
    const double far_units = 100;
    const kz_tick *last = s->analysis.before, *tick = s->analysis.now;
    bool counted = last && tick->checkpoint.teleport_count > last->checkpoint.teleport_count;
    bool far = leap && !s->counted && rp_distance(last->post.origin, tick->post.origin) > far_units;
    s->counted = counted;
    return counted || far;
}

static void see_tick(kz_scene_builder *s, const rp_row *row, rp_when when)
{
    kz_analyse_row(&s->analysis, row);
    const kz_tick *tick = s->analysis.now, *last = s->analysis.before;
    const kz_movement *now = &tick->post;
    bool leap = last && leaps(s), teleported = is_teleport(s, leap);
    leap |= teleported;
    rp_vec3 position = rp_position_from_z_up(now->origin, KZ_UNIT_M);
    rp_scene_move(s->scene, s->player, position, leap);
    rp_scene_rotate(s->scene, s->view,
                    rp_rotation_from_view_angles((double)now->angles.x, (double)now->angles.y),
                    teleported);
    double duck = fmin(fmax((double)now->duck_amount, 0), 1);
    rp_scene_move(s->scene, s->view, (rp_vec3){0, (float)(1.63 - 0.46 * duck), 0}, false);
    int hull = now->replay_flags & KZ_FLAG_DUCKED || duck > 0.5 ? DUCKED : STANDING;
    if (hull != s->hull) {
        rp_scene_show(s->scene, s->hulls[s->hull], false);
        rp_scene_show(s->scene, s->edges[s->hull], false);
        rp_scene_show(s->scene, s->hulls[hull], true);
        rp_scene_show(s->scene, s->edges[hull], true);
        s->hull = hull;
    }
    if (when == RP_SHOWN) {
        extend_bounds(s, position);
        leave_trail(s, (rp_vec3){position.x, position.y + 0.05f, position.z},
                    s->analysis.shown.horizontal_speed, leap);
        bool gap = last && s->scene->now - s->scene->before > KZ_GAP_S;
        kz_ground_tick(&s->ground, &(kz_footing){.position = position,
                                                 .origin = now->origin,
                                                 .on_ground = s->analysis.shown.on_ground,
                                                 .jumps = leap || gap});
        if (teleported) {
            remember(s, &s->teleports, rp_position_from_z_up(last->post.origin, KZ_UNIT_M));
            remember(s, &s->teleports, position);
        }
        if (last && tick->checkpoint.checkpoint_count > last->checkpoint.checkpoint_count)
            remember(s, &s->checkpoints, position);
        kz_timeline_tick(s, teleported);
    }
}

static bool see_batch(kz_scene_builder *s, const rp_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track != KZ_TICKS) {
            kz_timeline_row(s, row);
            continue;
        }
        rp_when when = rp_scene_clock(s->scene, row->index, row->time);
        if (when != RP_TOO_LATE)
            see_tick(s, row, when);
    }
    return s->scene->error->status == REPRISE_OK;
}

static reprise_status watch(kz_scene_builder *s, reprise_error *error)
{
    rp_selection selection = {.tracks = 1u << KZ_TICKS | 1u << KZ_JUMPS | 1u << KZ_STRAFES |
                                        1u << KZ_AIRCALLS | 1u << KZ_EVENTS | 1u << KZ_COMMANDS};
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

reprise_status kz_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                        reprise_error *error)
{
    kz_scene_builder s = {
        .replay = (kz_replay *)base, .scene = scene, .timeline = timeline, .trail_every = 1};
    rp_arena arena;
    rp_arena_init(&arena, base->context);
    s.trail = rp_arena_array(&arena, TRAIL_MAX, sizeof *s.trail, scene->error);
    s.trail_speed = rp_arena_array(&arena, TRAIL_MAX, sizeof *s.trail_speed, scene->error);
    s.trail_breaks = rp_arena_array(&arena, TRAIL_MAX, sizeof *s.trail_breaks, scene->error);
    scene->from_first = true;
    (void)kz_ground_begin(&s.ground, &arena, scene->error);
    reprise_status status = scene->error->status;
    if (status == REPRISE_OK) {
        kz_timeline_begin(&s);
        bool shown = rp_scene_shows(scene, KZ_TICKS);
        s.player = s.hulls[0] = s.hulls[1] = s.edges[0] = s.edges[1] = s.view = s.eyes = -1;
        if (shown)
            build_player(&s);
        status = watch(&s, error);
        if (shown) {
            build_trail(&s, &arena);
            build_ground(&s, &arena);
            build_teleports(&s);
            build_checkpoints(&s);
        }
        rp_overview_camera(scene, (rp_vec3){s.low.x - 2, s.low.y, s.low.z - 2},
                           (rp_vec3){s.high.x + 2, s.high.y + 2, s.high.z + 2}, false);
        kz_timeline_end(&s);
    }
    rp_vector_free(base->context, &s.teleports, sizeof(kz_spot));
    rp_vector_free(base->context, &s.checkpoints, sizeof(kz_spot));
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
