/*
 * scene.c - a match from above: units and buildings where keyframes say they were, moving evenly in
 * between, in their owners' colours; money and power over time, and how much players ordered.
 */
#include "scene.h"

#include <math.h>
#include <stdio.h>

#include "ironcurtain.h"
#include "shapes.h"

enum { PLAYERS_MAX = 64, SLOTS = 65536, APM_S = 60 };

static const float colours[8][3] = {{0.337f, 0.706f, 0.914f}, {0.902f, 0.624f, 0},
                                    {0.976f, 1, 0.827f},      {0.867f, 0.133f, 0.310f},
                                    {0.655f, 0.051f, 0.969f}, {0.616f, 0.694f, 0.663f},
                                    {0.251f, 0.451f, 0.565f}, {0.663f, 0.988f, 0.490f}};

typedef struct owner {
    const char *name;
    int32_t unit_mesh, building_mesh; /* plus one; 0: not yet */
    rp_series *credits, *power, *actions;
    uint32_t recent[APM_S];
} owner;

/* What is in a slot; the next one to have it is another thing. */
typedef struct slot {
    int32_t node; /* plus one; 0: nothing yet */
    uint16_t generation;
} slot;

typedef struct stage {
    ic_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    owner owners[PLAYERS_MAX];
    size_t owner_count;
    slot *slots;
    float width, height;
    int64_t second;
    bool any_time;
    double time;
    rp_table *orders;
} stage;

static const rp_table_column order_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT},
};

static owner *owner_of(stage *s, uint32_t player)
{
    return player < s->owner_count ? &s->owners[player] : NULL;
}

static void meet(stage *s)
{
    rp_timeline *t = s->timeline;
    rp_doc *doc = &t->doc;
    const reprise_value *players = rp_get(s->replay->metadata, "players");
    rp_plot *credits = rp_timeline_plot(t, "economy", "Credits", "credits", "line", 0, 0);
    rp_plot *power = rp_timeline_plot(t, "power", "Power left", "units", "line", 0, 0);
    rp_plot *apm = rp_timeline_plot(t, "apm", "Actions per minute", "1/min", "line", 0, 0);
    s->owner_count = RP_MIN(reprise_value_count(players), PLAYERS_MAX);
    for (size_t i = 0; i < s->owner_count; i++) {
        size_t size = 0;
        const char *name = reprise_value_text(rp_get(reprise_value_at(players, i), "name"), &size);
        char number[32];
        snprintf(number, sizeof number, "Player %zu", i + 1);
        owner *o = &s->owners[i];
        o->name = name && size ? rp_timeline_plain(t, name, size)
                               : rp_timeline_plain(t, number, strlen(number));
        o->credits = rp_plot_series(t, credits, o->name, (int32_t)i);
        o->power = rp_plot_series(t, power, o->name, (int32_t)i);
        o->actions = rp_plot_series(t, apm, o->name, (int32_t)i);
        reprise_value *to = rp_push_object(doc, t->players);
        rp_set_int(doc, to, "id", (int64_t)i);
        rp_set_text(doc, to, "name", o->name);
        rp_set_int(doc, to, "slot", (int64_t)i);
        reprise_value *hud = rp_push_object(doc, t->hud);
        rp_set_int(doc, hud, "player", (int64_t)i);
        rp_set_text(doc, hud, "plot", "economy");
        rp_set_int(doc, hud, "series", (int64_t)i);
        rp_set_text(doc, hud, "suffix", " credits");
    }
}

/* ---- things ---- */

static int32_t mesh_of(stage *s, uint32_t player, bool building)
{
    static const rp_vec3 building_size = {1.8f, 0.9f, 1.8f}, unit_size = {0.6f, 0.4f, 0.6f};
    owner *o = owner_of(s, player);
    owner *made = o ? o : &s->owners[PLAYERS_MAX - 1];
    int32_t *mesh = building ? &made->building_mesh : &made->unit_mesh;
    if (!*mesh) {
        const float grey[3] = {0.6f, 0.6f, 0.6f}, *rgb = o ? colours[player % 8] : grey;
        rp_material paint = {.name = o ? o->name : "nobody",
                             .colour = {rgb[0], rgb[1], rgb[2], 1},
                             .rough = 0.8f,
                             .texture = -1};
        *mesh = rp_shape_box(s->scene, building ? "building" : "unit",
                             building ? building_size : unit_size,
                             rp_scene_material(s->scene, &paint)) +
                1;
    }
    return *mesh - 1;
}

static void see_entity(stage *s, const ic_entity_data *row)
{
    const ic_entity_row *e = &row->stored;
    slot *at = &s->slots[e->index];
    bool another = !at->node || at->generation != e->generation;
    if (at->node && (another || e->removed))
        rp_scene_show(s->scene, at->node - 1, false);
    if (e->removed)
        return;
    rp_vec3 place = {(float)e->pos_x / 1024, (float)e->pos_z / 1024 + (e->building ? 0.45f : 0.2f),
                     (float)e->pos_y / 1024};
    if (another) {
        char id[48];
        snprintf(id, sizeof id, "entity:%u:%u", e->index, e->generation);
        const rp_text *type = &row->derived.type;
        rp_node node = {RP_NODE};
        node.name = type->data ? rp_timeline_plain(s->timeline, type->data, type->size) : "entity";
        node.id = id;
        node.kind = e->building ? "building" : "unit";
        node.player = e->owner < s->owner_count ? (int32_t)e->owner : -1;
        node.mesh = mesh_of(s, e->owner, e->building != NULL);
        at->node = rp_scene_node(s->scene, &node) + 1;
        at->generation = e->generation;
    }
    rp_scene_place(s->scene, at->node - 1, place, false);
    rp_scene_show(s->scene, at->node - 1, true);
    s->width = fmaxf(s->width, fminf(place.x + 2, 1024));
    s->height = fmaxf(s->height, fminf(place.z + 2, 1024));
}

static void see_player(stage *s, const ic_player *p)
{
    owner *o = owner_of(s, p->player);
    if (!o)
        return;
    double time = (double)s->scene->now;
    rp_series_add(s->timeline, o->credits, time, (double)p->credits);
    rp_series_add(s->timeline, o->power, time, (double)p->power_produced - p->power_drained);
}

/* ---- orders ---- */

static void count_seconds(stage *s, double until)
{
    for (int64_t last = (int64_t)fmin(floor(until), 1e6); s->second < last; s->second++) {
        for (size_t i = 0; i < s->owner_count; i++) {
            owner *o = &s->owners[i];
            uint64_t sum = 0;
            for (size_t k = 0; k < APM_S; k++)
                sum += o->recent[k];
            rp_series_add(s->timeline, o->actions, (double)s->second, (double)sum);
            o->recent[(s->second + 1) % APM_S] = 0;
        }
    }
}

static void see_order(stage *s, const ic_order_data *row)
{
    double time = (double)s->scene->now;
    owner *o = owner_of(s, row->order.player);
    const rp_text *kind = &row->derived.kind;
    const rp_cell cells[RP_COUNT(order_columns)] = {
        {.number = time},
        {.text = o ? o->name : ""},
        {.text = kind->data ? rp_timeline_plain(s->timeline, kind->data, kind->size) : ""},
    };
    rp_table_row(s->timeline, s->orders, cells);
    if (o)
        o->recent[(size_t)time % APM_S]++;
}

/* ---- passes ---- */

static bool see_row(stage *s, const rp_row *row)
{
    if (!s->any_time || row->time > s->time) {
        rp_when when = rp_scene_clock(s->scene, row->index, row->time);
        if (when == RP_TOO_LATE)
            return false;
        s->any_time = true;
        s->time = row->time;
        if (row->track == IC_T_TICKS || row->track == IC_T_ORDERS) {
            rp_timeline_clock(s->timeline, s->scene->now);
            count_seconds(s, (double)s->scene->now);
        }
    }
    if (row->track == IC_T_ENTITIES)
        see_entity(s, row->data);
    else if (row->track == IC_T_PLAYERS)
        see_player(s, &((const ic_player_data *)row->data)->stored);
    else if (row->track == IC_T_ORDERS)
        see_order(s, row->data);
    return s->scene->error->status == REPRISE_OK;
}

/* States and ticks are told apart, because a file holds them one after the other. */
static reprise_status watch(stage *s, uint64_t tracks, reprise_error *error)
{
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&s->replay->base, (rp_selection){.tracks = tracks}, &decoder, error));
    rp_scene_rewind(s->scene);
    s->any_time = false;
    reprise_status status = REPRISE_OK;
    bool more = true;
    while (more && (status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; more && i < decoder->batch.count; i++)
            more = see_row(s, &decoder->batch.rows[i]);
    }
    rp_decoder_close(decoder);
    return !more || status == REPRISE_END ? REPRISE_OK : status;
}

static void build_ground(stage *s)
{
    float width = ceilf(fmaxf(s->width, 16)), height = ceilf(fmaxf(s->height, 16));
    rp_material ground = {
        .name = "map", .colour = {0.16f, 0.20f, 0.17f, 1}, .rough = 1, .texture = -1};
    rp_node node = {RP_NODE};
    node.name = node.id = node.kind = "map";
    node.mesh = rp_shape_box(s->scene, "map", (rp_vec3){width, 0.1f, height},
                             rp_scene_material(s->scene, &ground));
    node.place = (rp_vec3){width / 2, -0.06f, height / 2};
    rp_scene_show_at(s->scene, rp_scene_node(s->scene, &node), true, 0);
    rp_doc *doc = &s->timeline->doc;
    reprise_value *top = rp_push_object(doc, s->timeline->cameras);
    rp_set_text(doc, top, "id", "top");
    rp_set_text(doc, top, "kind", "top");
    reprise_value *target = rp_set_array(doc, top, "target");
    const float middle[3] = {width / 2, 0, height / 2};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, middle[i]));
    rp_set_f32(doc, top, "distance", fmaxf(width, height));
}

reprise_status ic_replay_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, base->context);
    stage *s = rp_arena_alloc(&arena, sizeof *s, scene->error);
    slot *slots = rp_arena_array(&arena, SLOTS, sizeof *slots, scene->error);
    reprise_status status = scene->error->status;
    if (status == REPRISE_OK) {
        *s = (stage){
            .replay = (ic_replay *)base, .scene = scene, .timeline = timeline, .slots = slots};
        timeline->clock_unit = "tick";
        meet(s);
        s->orders = rp_timeline_table(timeline, "orders", "Orders", "t", order_columns,
                                      RP_COUNT(order_columns));
        uint64_t states = UINT64_C(1) << IC_T_ENTITIES | UINT64_C(1) << IC_T_PLAYERS;
        status = watch(s, states, error);
        build_ground(s);
        reprise_error later = REPRISE_ERROR_INIT;
        reprise_status ticks = watch(s, UINT64_C(1) << IC_T_TICKS | UINT64_C(1) << IC_T_ORDERS,
                                     status == REPRISE_OK ? error : &later);
        status = status == REPRISE_OK ? ticks : status;
        count_seconds(s, rp_scene_duration(scene) + 1);
    }
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
