/* orders.c - see orders.h. */
#include "orders.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "overhead.h"
#include "shapes.h"

enum {
    PLAYERS_MAX = RP_OVERHEAD_PLAYERS,
    UNITS_MAX = 1 << 14,
    BUILDINGS_MAX = 4096,
    APM_STEP_S = 1,
    APM_S = 60,
    KINDS_S = 10 /* orders by kind are added up over so long */
};

/* Orders by kind, as far as a picture can tell them apart. */
enum { GROUP_MOVE, GROUP_ATTACK, GROUP_BUILD, GROUP_ECONOMY, GROUP_POWER, GROUP_OTHER, GROUPS };
static const char *const group_names[GROUPS] = {"move",    "attack",         "build",
                                                "economy", "support powers", "other"};
static const uint8_t group_of[REPRISE_FOREIGN_KINDS] = {
    [REPRISE_FOREIGN_UNKNOWN] = GROUP_OTHER,
    [REPRISE_FOREIGN_MOVE] = GROUP_MOVE,
    [REPRISE_FOREIGN_ATTACK] = GROUP_ATTACK,
    [REPRISE_FOREIGN_DEPLOY] = GROUP_BUILD,
    [REPRISE_FOREIGN_PRODUCE] = GROUP_BUILD,
    [REPRISE_FOREIGN_SELL] = GROUP_ECONOMY,
    [REPRISE_FOREIGN_PLACE_BUILDING] = GROUP_BUILD,
    [REPRISE_FOREIGN_SET_RALLY_POINT] = GROUP_ECONOMY,
    [REPRISE_FOREIGN_STOP] = GROUP_MOVE,
    [REPRISE_FOREIGN_CHAT] = GROUP_OTHER,
    [REPRISE_FOREIGN_SURRENDER] = GROUP_OTHER,
    [REPRISE_FOREIGN_STANCE] = GROUP_ATTACK,
    [REPRISE_FOREIGN_REPAIR] = GROUP_ECONOMY,
    [REPRISE_FOREIGN_POWER_TOGGLE] = GROUP_ECONOMY,
    [REPRISE_FOREIGN_SUPPORT_POWER] = GROUP_POWER,
    [REPRISE_FOREIGN_CANCEL_PRODUCTION] = GROUP_BUILD,
    [REPRISE_FOREIGN_PAUSE_PRODUCTION] = GROUP_BUILD,
    [REPRISE_FOREIGN_GUARD] = GROUP_MOVE,
    [REPRISE_FOREIGN_ENTER] = GROUP_MOVE,
    [REPRISE_FOREIGN_HARVEST] = GROUP_ECONOMY,
    [REPRISE_FOREIGN_GROUP] = GROUP_OTHER,
    [REPRISE_FOREIGN_BEACON] = GROUP_OTHER,
    [REPRISE_FOREIGN_PAUSE] = GROUP_OTHER,
    [REPRISE_FOREIGN_PRIMARY_BUILDING] = GROUP_BUILD,
    [REPRISE_FOREIGN_DISCONNECT] = GROUP_OTHER,
};

/* Where a unit was last sent: an arrow starts there. */
typedef struct known_unit {
    uint32_t id;
    bool used;
    float x, z;
} known_unit;

typedef struct commander {
    const char *name;
    int32_t mesh; /* of the things they placed */
    rp_series *actions, *economy, *military;
    uint32_t recent[3][APM_S]; /* orders per second of the last minute: all, economy, military */
    uint64_t orders;
} commander;

typedef struct field {
    rp_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_overhead over;
    commander commanders[PLAYERS_MAX];
    size_t commander_count;
    known_unit *units;
    rp_table *orders, *builds, *chat;
    size_t buildings;
    int64_t second; /* up to which actions were counted */
    rp_series *kinds[GROUPS];
    uint32_t kind_counts[GROUPS]; /* since */
    int64_t kinds_from;
    rp_series *same, *differs; /* NULL: no sums of the world were recorded */
    int64_t diverged;          /* the first frame in which worlds differ; INT64_MAX: none */
    bool sync_told, differed;
    rp_dictionary built; /* what each player had once */
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

/* ---- people ---- */

static const reprise_value *people_of(const rp_foreign *foreign)
{
    const reprise_value *metadata = rp_get(foreign->about, "metadata");
    const reprise_value *players = rp_get(metadata, "players");
    return players ? players : rp_get(foreign->about, "players");
}

static void meet(field *f, const rp_foreign *foreign)
{
    rp_timeline *t = f->timeline;
    rp_doc *doc = &t->doc;
    const reprise_value *people = people_of(foreign);
    rp_plot *apm = rp_timeline_plot(t, "apm", "Actions per minute", "1/min", "line", 0, 0);
    rp_plot *economy = rp_timeline_plot(t, "apm_economy", "Economy actions", "1/min", "line", 0, 0);
    rp_plot *military = rp_timeline_plot(t, "apm_military", "Military actions", "1/min", "line", 0,
                                         0);
    /* Missions played alone name nobody: then there is one player, without a name. */
    f->commander_count = RP_MIN(RP_MAX(reprise_value_count(people), 1), PLAYERS_MAX);
    for (size_t i = 0; i < f->commander_count; i++) {
        commander *c = &f->commanders[i];
        size_t size = 0;
        const char *name = reprise_value_text(rp_get(reprise_value_at(people, i), "name"), &size);
        char number[32];
        snprintf(number, sizeof number, "Player %zu", i + 1);
        c->name = rp_timeline_plain(t, name && size ? name : number,
                                    name && size ? size : strlen(number));
        int32_t player = (int32_t)i;
        c->actions = rp_plot_series(t, apm, c->name, player);
        c->economy = rp_plot_series(t, economy, c->name, player);
        c->military = rp_plot_series(t, military, c->name, player);
        c->mesh = -1;
        rp_overhead_meet(&f->over, c->name);
        reprise_value *hud = rp_push_object(doc, t->hud);
        rp_set_int(doc, hud, "player", player);
        rp_set_text(doc, hud, "plot", "apm");
        rp_set_int(doc, hud, "series", player);
        rp_set_text(doc, hud, "suffix", " APM");
    }
}

/* ---- orders by kind ---- */

static void begin_kinds(field *f)
{
    rp_plot *plot = rp_timeline_plot(f->timeline, "orders", "Orders by kind", "per 10 s", "stack",
                                     0, 0);
    for (size_t i = 0; i < GROUPS; i++)
        f->kinds[i] = rp_plot_series(f->timeline, plot, group_names[i], -1);
}

/* Everything counted since, where it began; stretches without orders are told as well. */
static void tell_kinds(field *f, double until)
{
    for (; (double)(f->kinds_from + KINDS_S) <= fmin(until, 1e6); f->kinds_from += KINDS_S) {
        for (size_t i = 0; i < GROUPS; i++) {
            rp_series_add(f->timeline, f->kinds[i], (double)f->kinds_from, f->kind_counts[i]);
            f->kind_counts[i] = 0;
        }
    }
}

/* ---- worlds that are the same, and orders that wait ---- */

static void begin_sync(field *f, const rp_foreign *foreign)
{
    bool any = false;
    for (size_t i = 0; i < foreign->frame_count; i++)
        any |= foreign->frames[i].has_hash;
    const reprise_value *divergence = rp_get(foreign->about, "divergence");
    f->diverged = reprise_value_int(rp_get(divergence, "first_frame"), INT64_MAX);
    if (!any && f->diverged == INT64_MAX)
        return;
    rp_plot *plot = rp_timeline_plot(f->timeline, "sync", "Sums over the worlds", "", "lanes", 0,
                                     1);
    f->same = rp_plot_series(f->timeline, plot, "same", -1);
    f->differs = rp_plot_series(f->timeline, plot, "differ", -1);
}

static void tell_sync(field *f, const reprise_foreign_frame *frame, double time)
{
    bool differs = frame->number >= f->diverged;
    if (!f->same || (!frame->has_hash && !differs))
        return;
    if (f->sync_told && differs == f->differed)
        return;
    if (differs)
        rp_timeline_marker(f->timeline, time, "desync", -1, 5, "Worlds differ from here on");
    f->sync_told = true;
    f->differed = differs;
    rp_series_add(f->timeline, f->same, time, !differs);
    rp_series_add(f->timeline, f->differs, time, differs);
}

static void tell_delays(field *f, const rp_foreign *foreign)
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

/* ---- actions per minute: orders of the last 60 seconds, told every second ---- */

static void tell_actions(field *f, commander *c, int64_t second)
{
    rp_series *series[3] = {c->actions, c->economy, c->military};
    for (size_t k = 0; k < 3; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < APM_S; i++)
            sum += c->recent[k][i];
        rp_series_add(f->timeline, series[k], (double)second, (double)sum);
        c->recent[k][(second + 1) % APM_S] = 0;
    }
}

static void count_seconds(field *f, double until)
{
    int64_t last = (int64_t)fmin(floor(until), 1e6);
    for (; f->second < last; f->second += APM_STEP_S) {
        for (size_t i = 0; i < f->commander_count; i++)
            tell_actions(f, &f->commanders[i], f->second);
    }
}

static bool is_economy(reprise_foreign_kind kind)
{
    switch (kind) {
    case REPRISE_FOREIGN_PRODUCE:
    case REPRISE_FOREIGN_PLACE_BUILDING:
    case REPRISE_FOREIGN_SELL:
    case REPRISE_FOREIGN_REPAIR:
    case REPRISE_FOREIGN_HARVEST:
    case REPRISE_FOREIGN_SET_RALLY_POINT:
    case REPRISE_FOREIGN_CANCEL_PRODUCTION:
    case REPRISE_FOREIGN_PAUSE_PRODUCTION:
        return true;
    default:
        return false;
    }
}

static void count_action(field *f, const reprise_foreign_order *order, double time)
{
    if (order->player >= f->commander_count || order->kind == REPRISE_FOREIGN_CHAT)
        return;
    commander *c = &f->commanders[order->player];
    size_t slot = (size_t)fmin(fmax(time, 0), 1e6) % APM_S;
    c->orders++;
    f->kind_counts[group_of[order->kind]]++;
    c->recent[0][slot]++;
    c->recent[is_economy(order->kind) ? 1 : 2][slot]++;
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

/* An arrow begins where the first of the units was sent last. */
static void point(field *f, const reprise_foreign_order *order)
{
    double x = order->x + 0.5, z = order->y + 0.5;
    if (!order->has_cell || !rp_overhead_reach(&f->over, order->x + 1.0, order->y + 1.0))
        return;
    const known_unit *lead = order->unit_count ? unit_of(f, order->units[0]) : NULL;
    bool known = lead && lead->used;
    rp_overhead_point(&f->over, &(rp_pointed){.player = order->player,
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
        !rp_overhead_reach(&f->over, order->x + 2.0, order->y + 2.0))
        return;
    commander *c = &f->commanders[order->player];
    if (c->mesh < 0)
        c->mesh = rp_shape_box(f->scene, "building", (rp_vec3){1.8f, 0.9f, 1.8f},
                               rp_overhead_paint(&f->over, order->player));
    char id[32];
    snprintf(id, sizeof id, "building:%zu", f->buildings++);
    rp_node node = {RP_NODE};
    node.name = order->item && *order->item ? order->item : "building";
    node.id = id;
    node.kind = "building";
    node.player = order->player;
    node.mesh = c->mesh;
    node.place = (rp_vec3){(float)order->x + 1, 0.45f, (float)order->y + 1};
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

/* Of what is built, only the first of its kind is: the rest stands in the tables. */
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

static bool see_frame(field *f, const reprise_foreign_frame *frame)
{
    rp_when when = rp_scene_clock(f->scene, frame->number, frame->time);
    if (when == RP_TOO_LATE)
        return false;
    double time = (double)f->scene->now;
    if (when == RP_SHOWN) {
        rp_timeline_clock(f->timeline, f->scene->now);
        count_seconds(f, time);
        tell_kinds(f, time);
        tell_sync(f, frame, time);
    }
    for (size_t i = 0; i < frame->order_count; i++) {
        const reprise_foreign_order *order = &frame->orders[i];
        if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING)
            place_building(f, order);
        if (when != RP_SHOWN)
            continue;
        count_action(f, order, time);
        point(f, order);
        tabulate(f, order, time);
        mark(f, order, time);
    }
    return f->scene->error->status == REPRISE_OK;
}

/* ---- the end ---- */

/* The ground goes as far as orders went: the map is not in the recording. */
static void finish(field *f)
{
    const char *names[REPRISE_FOREIGN_KINDS];
    for (int i = 0; i < REPRISE_FOREIGN_KINDS; i++)
        names[i] = rp_foreign_kind_name((reprise_foreign_kind)i);
    rp_overhead_end(&f->over, names, REPRISE_FOREIGN_KINDS);
    rp_doc *doc = &f->timeline->doc;
    reprise_value *warning = rp_push_object(doc, f->timeline->warnings);
    rp_set_text(doc, warning, "id", "orders-only");
    rp_set_text(doc, warning, "level", "note");
    rp_set_text(doc, warning, "text", "Positions are orders, not units.");
}

static reprise_status watch(field *f, rp_foreign *foreign, reprise_error *error)
{
    reprise_status status = f->replay->format->foreign(f->replay, foreign, error);
    reprise_error late = REPRISE_ERROR_INIT;
    RP_TRY(rp_foreign_finish(foreign, &late));
    meet(f, foreign);
    begin_kinds(f);
    begin_sync(f, foreign);
    rp_timeline *t = f->timeline;
    f->orders = rp_timeline_table(t, "orders", "Orders", "t", order_columns,
                                  RP_COUNT(order_columns));
    f->builds = rp_timeline_table(t, "builds", "Build order", "t", build_columns,
                                  RP_COUNT(build_columns));
    f->chat = rp_timeline_table(t, "chat", "Chat", "t", chat_columns, RP_COUNT(chat_columns));
    for (size_t i = 0; i < foreign->frame_count && see_frame(f, &foreign->frames[i]); i++)
        continue;
    count_seconds(f, rp_scene_duration(f->scene) + 1);
    tell_kinds(f, rp_scene_duration(f->scene) + KINDS_S);
    tell_delays(f, foreign);
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
        rp_overhead_init(&f->over, scene, timeline);
        status = watch(f, &foreign, error);
        rp_overhead_free(&f->over);
        rp_dictionary_free(replay->context, &f->built);
    }
    rp_foreign_reset(&foreign);
    rp_arena_free(&arena);
    return scene->error->status != REPRISE_OK ? scene->error->status : status;
}
