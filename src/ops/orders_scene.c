/* orders_scene.c - see orders_scene.h. */
#include "orders_scene.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "desync_lane.h"
#include "order_analysis.h"
#include "shapes.h"
#include "topdown_map.h"
#include "whole.h"

enum {
    PLAYERS_MAX = RP_TOPDOWN_MAP_PLAYERS,
    UNITS_MAX = 1 << 14,
    BUILDINGS_MAX = 4096,
};

/* Where a unit was last sent, which is where its next arrow starts. */
typedef struct known_unit {
    uint32_t id;
    bool used;
    float x, z;
} known_unit;

typedef struct commander {
    const char *name;
    int32_t mesh; /* of the buildings they placed */
    rp_order_player *orders;
    rp_series *actions, *economy, *military, *so_far;
    rp_activity *busy;
} commander;

typedef struct field {
    rp_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_topdown_map over;
    commander commanders[PLAYERS_MAX];
    size_t commander_count;
    known_unit *units;
    rp_table *orders, *builds, *chat;
    size_t buildings;
    rp_order_analysis analysis;      /* players are commanders, times those of the scene */
    rp_heat *heats[RP_ORDER_GROUPS]; /* where the orders of a group went */
    rp_dictionary built;             /* what each player has built before */
    size_t view;                     /* the next one */
    int32_t view_node;               /* plus one; 0: none yet */
    double moment;                   /* the last one, if any_moment, and whether it is shown */
    rp_when when;
    bool any_moment;
} field;

static const rp_table_column order_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},        {"player", "Player", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT}, {"name", "As recorded", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},   {"x", "x", "cells", RP_CELL_F32},
    {"y", "y", "cells", RP_CELL_F32},       {"units", "Units", NULL, RP_CELL_I32},
};
static const rp_table_column build_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT},
};
static const rp_table_column chat_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"text", "Text", NULL, RP_CELL_TEXT},
};

static const rp_table_column client_columns[] = {
    {"client", "Client", NULL, RP_CELL_I32},    {"player", "Player", NULL, RP_CELL_TEXT},
    {"faction", "Faction", NULL, RP_CELL_TEXT}, {"team", "Team", NULL, RP_CELL_I32},
    {"color", "Colour", NULL, RP_CELL_TEXT},    {"bot", "Bot", NULL, RP_CELL_TEXT},
    {"outcome", "Outcome", NULL, RP_CELL_TEXT},
};

/* ---- people ---- */

static const reprise_value *people_of(const rp_foreign *foreign)
{
    const reprise_value *metadata = rp_get(foreign->about, "metadata");
    const reprise_value *players = rp_get(metadata, "players");
    return players ? players : rp_get(foreign->about, "players");
}

static void set_hud(rp_timeline *t, int32_t player, const char *plot, const char *suffix)
{
    reprise_value *hud = rp_push_object(&t->doc, t->hud);
    rp_set_int(&t->doc, hud, "player", player);
    rp_set_text(&t->doc, hud, "plot", plot);
    rp_set_int(&t->doc, hud, "series", player);
    rp_set_text(&t->doc, hud, "suffix", suffix);
}

static reprise_status meet(field *f, const rp_foreign *foreign)
{
    rp_timeline *t = f->timeline;
    const reprise_value *people = people_of(foreign);
    rp_plot *apm = rp_timeline_plot(t, "apm", "Actions per minute", "1/min", "line", 0, 0);
    rp_plot *economy = rp_timeline_plot(t, "apm_economy", "Economy actions", "1/min", "line", 0, 0);
    rp_plot *military = rp_timeline_plot(t, "apm_military", "Military actions", "1/min", "line", 0,
                                         0);
    rp_plot *so_far = rp_timeline_plot(t, "orders_so_far", "Orders so far", "orders", "step", 0, 0);
    /* Single-player missions list no players: then there is one, without a name. */
    f->commander_count = RP_MIN(RP_MAX(reprise_value_count(people), 1), PLAYERS_MAX);
    for (size_t i = 0; i < f->commander_count; i++) {
        commander *c = &f->commanders[i];
        size_t size = 0;
        const reprise_value *one = reprise_value_at(people, i);
        const char *name = reprise_value_text(rp_get(one, "name"), &size);
        char number[32];
        snprintf(number, sizeof number, "Player %zu", i + 1);
        c->name = rp_timeline_plain(t, name && size ? name : number,
                                    name && size ? size : strlen(number));
        int32_t player = (int32_t)i;
        c->actions = rp_plot_series(t, apm, c->name, player);
        c->economy = rp_plot_series(t, economy, c->name, player);
        c->military = rp_plot_series(t, military, c->name, player);
        c->so_far = rp_plot_series(t, so_far, c->name, player);
        c->busy = rp_timeline_activity(t, "orders", "orders", player);
        c->mesh = -1;
        c->orders = rp_order_analysis_player(&f->analysis, player, f->scene->error);
        if (!c->orders)
            return f->scene->error->status;
        rp_topdown_map_meet(&f->over, c->name, rp_get_text(one, "color_rgb"));
        set_hud(t, player, "apm", " APM");
        set_hud(t, player, "orders_so_far", " orders");
    }
    return REPRISE_OK;
}

static rp_cell cell_of(rp_timeline *t, const reprise_value *from, const char *key)
{
    size_t size = 0;
    const char *text = reprise_value_text(rp_get(from, key), &size);
    return (rp_cell){.text = text ? rp_timeline_plain(t, text, size) : ""};
}

/* Lists everyone who had a slot in the match. */
static void list_clients(field *f, const rp_foreign *foreign)
{
    rp_timeline *t = f->timeline;
    const reprise_value *people = people_of(foreign);
    rp_table *table = rp_timeline_table(t, "clients", "Clients", NULL, client_columns,
                                        RP_COUNT(client_columns));
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *one = reprise_value_at(people, i);
        bool bot = reprise_value_bool(rp_get(one, "is_bot"), false);
        const rp_cell cells[RP_COUNT(client_columns)] = {
            {.number = (double)reprise_value_int(rp_get(one, "client_index"), -1)},
            cell_of(t, one, "name"),
            cell_of(t, one, "faction"),
            {.number = (double)reprise_value_int(rp_get(one, "team"), 0)},
            cell_of(t, one, "color"),
            {.text = bot ? "yes" : ""},
            cell_of(t, one, "outcome"),
        };
        rp_table_row(t, table, cells);
    }
}

/* ---- what follows from the orders ---- */

static void begin_heats(field *f)
{
    for (size_t i = 0; i < RP_ORDER_GROUPS; i++) {
        const char *name = rp_order_group_name((rp_order_group)i);
        char id[32], title[48];
        snprintf(id, sizeof id, "targets:%s", name);
        snprintf(title, sizeof title, "Order targets: %s", name);
        f->heats[i] = rp_timeline_heat(f->timeline, id, title);
    }
}

static void count_order(field *f, const rp_foreign_entry *entry, double time)
{
    if (entry->order.player >= f->commander_count || !entry->is_action)
        return;
    commander *c = &f->commanders[entry->order.player];
    rp_activity_add(f->timeline, c->busy, time, 1);
    rp_order_note note = {.time = time, .kind = entry->order.kind, .is_action = true};
    (void)!rp_order_analysis_add(&f->analysis, c->orders, &note, f->scene->error);
}

/* A point for every second from 0 to the end of the scene. */
static void plot_actions(field *f, const commander *c, int64_t seconds)
{
    rp_order_rate rate = {.player = c->orders};
    for (int64_t i = 0; i < seconds; i++) {
        rp_order_rate_next(&rate);
        rp_series_add(f->timeline, c->actions, (double)i, (double)rate.all);
        rp_series_add(f->timeline, c->economy, (double)i, (double)rate.economy);
        rp_series_add(f->timeline, c->military, (double)i, (double)rate.military);
        rp_series_add(f->timeline, c->so_far, (double)i, (double)rate.so_far);
    }
}

static void plot_groups(field *f, rp_plot *plot, double duration)
{
    for (size_t group = 0; group < RP_ORDER_GROUPS; group++) {
        const char *name = rp_order_group_name((rp_order_group)group);
        rp_series *series = rp_plot_series(f->timeline, plot, name, -1);
        for (size_t i = 0; (double)(i * RP_ORDER_GROUP_S) <= duration; i++)
            rp_series_add(f->timeline, series, (double)(i * RP_ORDER_GROUP_S),
                          rp_order_group_count(&f->analysis, (rp_order_group)group, i));
    }
}

static void plot_analysis(field *f, rp_plot *groups)
{
    double duration = fmin(rp_scene_duration(f->scene), RP_ORDER_SECONDS_MAX - 1);
    for (size_t i = 0; i < f->commander_count; i++)
        plot_actions(f, &f->commanders[i], rp_whole(floor(duration + 1)));
    plot_groups(f, groups, duration);
}

/* ---- orders that wait ---- */

static void plot_delays(field *f, const rp_foreign *foreign)
{
    const rp_foreign_delay *delays = foreign->delays.items;
    if (!foreign->delays.count)
        return;
    rp_plot *plot = rp_timeline_plot(f->timeline, "latency", "Order delay", "ms", "line", 0, 0);
    rp_series *series[PLAYERS_MAX];
    for (size_t i = 0; i < f->commander_count; i++)
        series[i] = rp_plot_series(f->timeline, plot, f->commanders[i].name, (int32_t)i);
    for (size_t i = 0; i < foreign->delays.count; i++) {
        double time = rp_scene_time(f->scene, delays[i].time);
        if (delays[i].player < f->commander_count && time >= 0 &&
            time <= rp_scene_duration(f->scene))
            rp_series_add(f->timeline, series[delays[i].player], time,
                          1000 * (double)delays[i].seconds);
    }
}

/* ---- arrows ---- */

static known_unit *unit_of(field *f, uint32_t id)
{
    size_t at = (id * 2654435761u) % UNITS_MAX;
    for (size_t tries = 0; tries < 64; tries++, at = (at + 1) % UNITS_MAX) {
        if (!f->units[at].used || f->units[at].id == id)
            return &f->units[at];
    }
    return NULL;
}

/* An arrow starts where the first of the units was last sent. */
static void point(field *f, const reprise_foreign_order *order)
{
    double x = order->x + 0.5, z = order->y + 0.5;
    if (!order->has_cell || !rp_topdown_map_reach(&f->over, order->x + 1.0, order->y + 1.0))
        return;
    rp_heat_add(f->heats[rp_order_group_of(order->kind)], x, z);
    const known_unit *lead = order->unit_count ? unit_of(f, order->units[0]) : NULL;
    bool known = lead && lead->used;
    rp_topdown_map_point(&f->over, &(rp_pointed){.player = order->player,
                                                 .kind = (uint32_t)order->kind,
                                                 .arrow = known,
                                                 .x = known ? (double)lead->x : x,
                                                 .z = known ? (double)lead->z : z,
                                                 .x2 = x,
                                                 .z2 = z});
    for (size_t i = 0; i < order->unit_count; i++) {
        known_unit *unit = unit_of(f, order->units[i]);
        if (unit)
            *unit = (known_unit){order->units[i], true, (float)x, (float)z};
    }
}

/* ---- buildings ---- */

static void place_building(field *f, const reprise_foreign_order *order)
{
    if (!order->has_cell || order->player >= f->commander_count || f->buildings >= BUILDINGS_MAX ||
        !rp_topdown_map_reach(&f->over, order->x + 2.0, order->y + 2.0))
        return;
    commander *c = &f->commanders[order->player];
    if (c->mesh < 0)
        c->mesh = rp_shape_box(f->scene, "building", (rp_vec3){1.8f, 0.9f, 1.8f},
                               rp_topdown_map_paint(&f->over, order->player));
    char id[32];
    snprintf(id, sizeof id, "building:%zu", f->buildings++);
    rp_node node = {RP_NODE};
    node.name = order->item && *order->item ? order->item : "building";
    node.id = id;
    node.kind = "building";
    node.player = order->player;
    node.mesh = c->mesh;
    node.position = (rp_vec3){(float)order->x + 1, 0.45f, (float)order->y + 1};
    int32_t at = rp_scene_node(f->scene, &node);
    rp_scene_show(f->scene, at, true);
}

/* ---- rows and markers ---- */

static const char *player_name(const field *f, uint8_t player)
{
    return player < f->commander_count ? f->commanders[player].name : "";
}

static void tabulate(field *f, const reprise_foreign_order *order, double time)
{
    const double none = (double)NAN;
    const char *kind = rp_foreign_kind_name(order->kind);
    const char *who = player_name(f, order->player);
    const char *item = order->item
                           ? rp_timeline_plain(f->timeline, order->item, strlen(order->item))
                           : "";
    if (order->kind == REPRISE_FOREIGN_CHAT) {
        const rp_cell cells[] = {{.number = time}, {.text = who}, {.text = item}};
        rp_table_row(f->timeline, f->chat, cells);
        return;
    }
    const rp_cell cells[RP_COUNT(order_columns)] = {
        {.number = time},
        {.text = who},
        {.text = kind},
        {.text = order->name ? order->name : ""},
        {.text = item},
        {.number = order->has_cell ? order->x : none},
        {.number = order->has_cell ? order->y : none},
        {.number = (double)order->unit_count},
    };
    rp_table_row(f->timeline, f->orders, cells);
    if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING || order->kind == REPRISE_FOREIGN_PRODUCE) {
        const rp_cell build[] = {{.number = time}, {.text = who}, {.text = item}, {.text = kind}};
        rp_table_row(f->timeline, f->builds, build);
    }
}

/* Only the first building or unit of a kind gets a marker; the tables have all of them. */
static bool is_news(field *f, const reprise_foreign_order *order)
{
    if (order->kind != REPRISE_FOREIGN_PLACE_BUILDING && order->kind != REPRISE_FOREIGN_PRODUCE)
        return true;
    char key[96];
    snprintf(key, sizeof key, "%d %d %s", order->player, order->kind,
             order->item ? order->item : "");
    size_t before = f->built.texts.count;
    rp_dictionary_add(&f->built, &f->timeline->arena, key, strlen(key), f->scene->error);
    return f->built.texts.count > before;
}

typedef struct weight {
    reprise_foreign_kind kind;
    const char *name;
    unsigned weight;
} weight;

static void mark(field *f, const reprise_foreign_order *order, double time)
{
    static const weight weights[] = {
        {REPRISE_FOREIGN_CHAT, "chat", 1},
        {REPRISE_FOREIGN_SUPPORT_POWER, "power", 4},
        {REPRISE_FOREIGN_SURRENDER, "surrender", 5},
        {REPRISE_FOREIGN_DISCONNECT, "disconnect", 4},
        {REPRISE_FOREIGN_PLACE_BUILDING, "building", 2},
        {REPRISE_FOREIGN_PRODUCE, "unit", 1},
        {REPRISE_FOREIGN_PAUSE, "pause", 2},
    };
    for (size_t i = 0; i < RP_COUNT(weights); i++) {
        if (weights[i].kind != order->kind || !is_news(f, order))
            continue;
        char text[160];
        snprintf(text, sizeof text, "%s%s%s", player_name(f, order->player),
                 order->item ? ": " : " ", order->item ? order->item : weights[i].name);
        int32_t player = order->player < f->commander_count ? order->player : -1;
        rp_timeline_marker(f->timeline, time, weights[i].name, player, weights[i].weight,
                           rp_timeline_plain(f->timeline, text, strlen(text)));
    }
}

/* ---- time ---- */

/* Orders and views of one frame share a moment. */
static rp_when go_to(field *f, int64_t frame, double time)
{
    if (f->any_moment && time <= f->moment)
        return f->when;
    f->when = rp_scene_clock(f->scene, frame, time);
    f->moment = time;
    f->any_moment = true;
    if (f->when == RP_SHOWN)
        rp_timeline_clock(f->timeline, f->scene->now);
    return f->when;
}

/*
 * High enough to show about as much as the screens of that time. A view is given by its upper left
 * corner.
 */
static const float view_height = 16, view_right = 10, view_down = 7;

static void see_view(field *f, const rp_foreign_view *view)
{
    rp_vec3 position = {view->x + view_right, view_height, view->y + view_down};
    if (!f->view_node) {
        rp_node node = {RP_NODE};
        node.name = "recorded view";
        node.id = node.kind = "view";
        node.camera = rp_scene_camera(f->scene, "recorded view", 50);
        node.rotation = rp_rotation_about((rp_vec3){1, 0, 0}, -1.5707963267948966);
        f->view_node = rp_scene_node(f->scene, &node) + 1;
        rp_doc *doc = &f->timeline->doc;
        reprise_value *camera = rp_push_object(doc, f->timeline->cameras);
        rp_set_text(doc, camera, "id", "view");
        rp_set_text(doc, camera, "kind", "node");
        rp_set_int(doc, camera, "node", f->view_node - 1);
    }
    rp_scene_move(f->scene, f->view_node - 1, position, false);
}

/* Shows the recorded views up to a time. */
static bool see_views(field *f, const rp_foreign *foreign, double until)
{
    const rp_foreign_view *views = foreign->views.items;
    for (; f->view < foreign->views.count && views[f->view].time <= until; f->view++) {
        rp_when when = go_to(f, views[f->view].frame, views[f->view].time);
        if (when == RP_TOO_LATE || f->scene->error->status != REPRISE_OK)
            return false;
        if (when == RP_SHOWN)
            see_view(f, &views[f->view]);
    }
    return true;
}

/* Entries of one frame. */
static bool see_frame(field *f, const rp_foreign_entry *entries, size_t count)
{
    rp_when when = go_to(f, entries->frame, entries->time);
    if (when == RP_TOO_LATE)
        return false;
    double time = (double)f->scene->now;
    for (size_t i = 0; i < count; i++) {
        const reprise_foreign_order *order = &entries[i].order;
        if (entries[i].is_hash)
            continue;
        if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING)
            place_building(f, order);
        if (when != RP_SHOWN)
            continue;
        count_order(f, &entries[i], time);
        point(f, order);
        tabulate(f, order, time);
        mark(f, order, time);
    }
    return f->scene->error->status == REPRISE_OK;
}

static void see_match(field *f, const rp_foreign *foreign)
{
    const rp_foreign_entry *entries = foreign->entries;
    for (size_t i = 0, next; i < foreign->entry_count; i = next) {
        for (next = i + 1; next < foreign->entry_count && entries[next].frame == entries[i].frame;)
            next++;
        if (!see_views(f, foreign, entries[i].time) || !see_frame(f, entries + i, next - i))
            return;
    }
    see_views(f, foreign, INFINITY);
}

/* ---- the end ---- */

/* The ground covers all orders: the map itself is not in the recording. */
static void finish(field *f)
{
    const char *names[REPRISE_FOREIGN_KINDS];
    for (int i = 0; i < REPRISE_FOREIGN_KINDS; i++)
        names[i] = rp_foreign_kind_name((reprise_foreign_kind)i);
    rp_topdown_map_end(&f->over, names, REPRISE_FOREIGN_KINDS);
    rp_doc *doc = &f->timeline->doc;
    reprise_value *warning = rp_push_object(doc, f->timeline->warnings);
    rp_set_text(doc, warning, "id", "orders-only");
    rp_set_text(doc, warning, "level", "note");
    rp_set_text(doc, warning, "text", "Positions are orders, not units.");
}

static reprise_status watch(field *f, rp_foreign *foreign, reprise_error *error)
{
    reprise_status status = f->replay->format->foreign->read(f->replay, foreign, error);
    reprise_error late = REPRISE_ERROR_INIT;
    RP_TRY(rp_foreign_finish(foreign, &late));
    RP_TRY(meet(f, foreign));
    rp_timeline *t = f->timeline;
    rp_plot *groups = rp_timeline_plot(t, "orders", "Orders by kind", "per 10 s", "stack", 0, 0);
    begin_heats(f);
    f->orders = rp_timeline_table(t, "orders", "Orders", "t", order_columns,
                                  RP_COUNT(order_columns));
    f->builds = rp_timeline_table(t, "builds", "Build order", "t", build_columns,
                                  RP_COUNT(build_columns));
    f->chat = rp_timeline_table(t, "chat", "Chat", "t", chat_columns, RP_COUNT(chat_columns));
    list_clients(f, foreign);
    see_match(f, foreign);
    plot_analysis(f, groups);
    rp_desync_lane_add(f->scene, f->timeline, foreign);
    plot_delays(f, foreign);
    finish(f);
    return status;
}

reprise_status rp_orders_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, replay->context);
    rp_foreign foreign;
    rp_foreign_init(&foreign, replay->context);
    field *f = rp_arena_alloc(&arena, sizeof *f, scene->error);
    known_unit *units = rp_arena_array(&arena, UNITS_MAX, sizeof *units, scene->error);
    reprise_status status = scene->error->status;
    if (status == REPRISE_OK) {
        f->replay = replay;
        f->scene = scene;
        f->timeline = timeline;
        f->units = units;
        rp_topdown_map_init(&f->over, scene, timeline);
        rp_order_analysis_init(&f->analysis, replay->context);
        status = watch(f, &foreign, error);
        rp_topdown_map_free(&f->over);
        rp_order_analysis_free(&f->analysis);
        rp_dictionary_free(replay->context, &f->built);
    }
    rp_foreign_reset(&foreign);
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
