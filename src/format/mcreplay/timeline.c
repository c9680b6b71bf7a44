/* timeline.c - plots, tables and markers of a scene, while scene.c builds it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "highlights.h"
#include "scene_builder.h"

enum { FOLLOWED_MAX = 8 };

static const rp_table_column entity_columns[] = {
    {"t", "From", "s", RP_CELL_F32},        {"to", "To", "s", RP_CELL_F32},
    {"name", "Entity", NULL, RP_CELL_TEXT}, {"class", "Class", NULL, RP_CELL_TEXT},
    {"parts", "Parts", NULL, RP_CELL_I32},
};
static const rp_table_column material_columns[] = {
    {"name", "Material", NULL, RP_CELL_TEXT},
    {"of", "Used by", NULL, RP_CELL_TEXT},
    {"opaque", "Opaque", NULL, RP_CELL_TEXT},
    {"tinted", "Tinted", NULL, RP_CELL_TEXT},
};

static rp_cell text_cell(const rp_text *text)
{
    return (rp_cell){.text = text->data ? text->data : ""};
}

static const char *copy_text(mc_scene_builder *s, const rp_text *text)
{
    rp_timeline *t = s->timeline;
    const char *copy = text->data ? rp_arena_text(&t->arena, text->data, text->size, t->doc.error)
                                  : NULL;
    return copy ? copy : "";
}

void mc_timeline_begin(mc_scene_builder *s)
{
    s->lines.movement = rp_timeline_activity(s->timeline, "movement", "m", -1);
    s->lines.entities = rp_timeline_table(s->timeline, "entities", "Entities", "t", entity_columns,
                                          RP_COUNT(entity_columns));
}

/* ---- entities ---- */

void mc_timeline_motion(mc_scene_builder *s, const mc_entity *entity, int32_t root)
{
    rp_timeline *t = s->timeline;
    mc_timeline *lines = &s->lines;
    mc_followed *f = &lines->now;
    const mc_transform *at = &entity->root;
    double metres = mc_motion_step(&f->motion, at->pos_x, at->pos_y, at->pos_z);
    float now = s->scene->now, passed = now - f->time;
    if (!f->seen && lines->followed_count < FOLLOWED_MAX && root >= 0) {
        if (!lines->speeds)
            lines->speeds = rp_timeline_plot(t, "speed", "Speed", "m/s", "line", 0, 0);
        f->speed = rp_plot_series(t, lines->speeds, copy_text(s, &entity->row.name),
                                  (int32_t)lines->followed_count);
    }
    if (f->seen && passed > 0) {
        rp_activity_add(t, lines->movement, (double)now, metres);
        rp_series_add(t, f->speed, (double)now, metres / (double)passed);
    }
    f->seen = true;
    f->time = now;
}

/* One of the followed entities, which the viewer treats as players. */
static void add_player(mc_scene_builder *s, const mc_entity *entity, int32_t root)
{
    rp_timeline *t = s->timeline;
    const mc_followed *f = &s->lines.now;
    int64_t number = (int64_t)s->lines.followed_count++;
    rp_series_add(t, f->speed, (double)nextafterf(f->time, INFINITY), (double)NAN);
    reprise_value *player = rp_push_object(&t->doc, t->players);
    rp_set_int(&t->doc, player, "id", number);
    rp_set_text(&t->doc, player, "name", copy_text(s, &entity->row.name));
    rp_set_int(&t->doc, player, "slot", number);
    rp_set_int(&t->doc, player, "body", root);
    reprise_value *hud = rp_push_object(&t->doc, t->hud);
    rp_set_int(&t->doc, hud, "player", number);
    rp_set_text(&t->doc, hud, "plot", "speed");
    rp_set_int(&t->doc, hud, "series", number);
    rp_set_text(&t->doc, hud, "suffix", " m/s");
    rp_set_text(&t->doc, hud, "prefix", copy_text(s, &entity->row.class));
}

void mc_timeline_entity(mc_scene_builder *s, const mc_entity *entity, int32_t root, mc_span when)
{
    rp_timeline *t = s->timeline;
    const rp_cell cells[RP_COUNT(entity_columns)] = {
        {.number = when.from},          {.number = when.to},
        text_cell(&entity->row.name),   text_cell(&entity->row.class),
        {.number = entity->part_count},
    };
    rp_table_row(t, s->lines.entities, cells);
    reprise_value *label = rp_push_object(&t->doc, t->labels);
    rp_set_int(&t->doc, label, "node", root);
    rp_set_text(&t->doc, label, "text", copy_text(s, &entity->row.name));
    if (s->lines.now.speed) {
        rp_set_uint(&t->doc, label, "player", s->lines.followed_count);
        add_player(s, entity, root);
    }
    when.name = copy_text(s, &entity->row.name);
    if (when.from > 0)
        rp_timeline_marker(t, when.from, "spawn", -1, 1, when.name);
    mc_span *to = rp_vector_add(s->scene->context, &s->lines.spans, sizeof *to, s->scene->error);
    if (to)
        *to = when;
}

/* ---- the world ---- */

/* A moment gets a marker if this many blocks change, and this many times the average. */
enum { BURST_LEAST = 16, BURST_TIMES = 4, BURST_FULL = 1000 };

/* How many blocks change at each moment. */
void mc_timeline_blocks(mc_scene_builder *s, const mc_world_changes *history)
{
    size_t n = history->moments.count;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += mc_moment_at(history, i)->changes;
    if (n)
        s->lines.world_until = rp_scene_time(s->scene, mc_moment_at(history, n - 1)->time);
    if (!all)
        return;
    rp_plot *plot = rp_timeline_plot(s->timeline, "blocks", "Block changes", "", "bars", 0, 0);
    rp_series *series = rp_plot_series(s->timeline, plot, "changes", -1);
    for (size_t i = 0; i < n; i++) {
        const mc_moment *moment = mc_moment_at(history, i);
        double time = rp_scene_time(s->scene, moment->time);
        if (!moment->changes || time < 0)
            continue;
        rp_series_add(s->timeline, series, time, (double)moment->changes);
        if (moment->changes >= BURST_LEAST && moment->changes * n >= BURST_TIMES * all) {
            char text[48];
            snprintf(text, sizeof text, "%llu blocks change", (unsigned long long)moment->changes);
            rp_timeline_marker(s->timeline, time, "blocks", -1, 2, text);
            double score = 0.3 + 0.3 * fmin((double)moment->changes / BURST_FULL, 1);
            rp_timeline_highlight(
                s->timeline, &(rp_highlight){time, time - 2, time + 3, score, "blocks", text, -1});
        }
    }
}

/* ---- the end ---- */

static void list_materials(mc_scene_builder *s)
{
    rp_table *table = rp_timeline_table(s->timeline, "materials", "Materials", NULL,
                                        material_columns, RP_COUNT(material_columns));
    for (uint32_t i = 0; i < s->looks.count; i++) {
        const mc_look *look = mc_look_at(s, i);
        const rp_cell cells[RP_COUNT(material_columns)] = {
            {.text = look->name},
            {.text = look->scope == MC_SCOPE_REPLAY ? "entities" : "world"},
            {.text = look->opaque ? "yes" : "no"},
            {.text = look->tinted ? "yes" : "no"},
        };
        rp_table_row(s->timeline, table, cells);
    }
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Plots how many entities there are at a time, from the sorted times of arrivals and departures. */
static void plot_entities(mc_scene_builder *s, const double *from, const double *to, size_t n,
                          double duration)
{
    rp_plot *plot = rp_timeline_plot(s->timeline, "entities", "Entities", "", "step", 0, 0);
    rp_series *alive = rp_plot_series(s->timeline, plot, "entities", -1);
    size_t gone = 0;
    for (size_t i = 0; i < n; i++) {
        for (; gone < n && to[gone] <= from[i]; gone++)
            rp_series_add(s->timeline, alive, to[gone], (double)(i - gone - 1));
        rp_series_add(s->timeline, alive, fmax(from[i], 0), (double)(i + 1 - gone));
    }
    for (; gone < n && to[gone] < duration; gone++)
        rp_series_add(s->timeline, alive, to[gone], (double)(n - gone - 1));
}

static void add_entities(mc_scene_builder *s, double duration)
{
    size_t n = s->lines.spans.count;
    const mc_span *spans = s->lines.spans.items;
    double *from = rp_arena_array(&s->scratch, n, sizeof *from, s->scene->error);
    double *to = rp_arena_array(&s->scratch, n, sizeof *to, s->scene->error);
    if (!from || !to)
        return;
    for (size_t i = 0; i < n; i++) {
        bool leaves = spans[i].to > spans[i].from;
        from[i] = spans[i].from;
        to[i] = leaves ? spans[i].to : duration + 1;
        if (leaves && spans[i].to < duration - 0.1)
            rp_timeline_marker(s->timeline, spans[i].to, "vanish", -1, 1, spans[i].name);
    }
    qsort(from, n, sizeof *from, by_number);
    qsort(to, n, sizeof *to, by_number);
    plot_entities(s, from, to, n, duration);
}

/* Until the last entity is gone and the world changes no more; keys of the scene may end before. */
static double length_of(const mc_scene_builder *s)
{
    const mc_span *spans = s->lines.spans.items;
    double length = fmax(rp_scene_duration(s->scene), s->lines.world_until);
    for (size_t i = 0; i < s->lines.spans.count; i++)
        length = fmax(length, spans[i].to);
    return length;
}

/* The clock has twenty frames a second, as in the game. */
void mc_timeline_end(mc_scene_builder *s)
{
    double duration = length_of(s);
    add_entities(s, duration);
    for (double t = 0; t <= fmin(duration, 1e5); t += 0.05)
        rp_timeline_clock(s->timeline, (float)t);
    list_materials(s);
    const rp_activity *movement = s->lines.movement;
    if (movement)
        rp_timeline_highlight_windows(s->timeline,
                                      &(rp_highlight_search){.slots = movement->seconds.items,
                                                             .count = movement->seconds.count,
                                                             .slot_s = 1,
                                                             .window = 5,
                                                             .least = 5,
                                                             .full = 100,
                                                             .score_max = 0.4,
                                                             .most = 3,
                                                             .kind = "movement",
                                                             .name = "Movement",
                                                             .unit = "m",
                                                             .player = -1});
    rp_timeline_set_highlights(s->timeline, duration);
}
