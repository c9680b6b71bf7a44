/* timeline.c - see timeline.h. */
#include "timeline.h"

#include "highlights.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "checked.h"
#include "whole.h"

static bool ok(const rp_timeline *timeline)
{
    return timeline->doc.error->status == REPRISE_OK;
}

static const char *keep_text(rp_timeline *t, const char *text)
{
    return text ? rp_arena_text(&t->arena, text, strlen(text), t->doc.error) : NULL;
}

void rp_timeline_init(rp_timeline *t, rp_context *context, reprise_error *error)
{
    *t = (rp_timeline){.context = context, .clock_unit = "frame"};
    rp_arena_init(&t->arena, context);
    t->doc = (rp_doc){.arena = &t->arena, .error = error};
    t->root = rp_new_object(&t->doc);
    rp_set_int(&t->doc, t->root, "reprise", 1);
    t->source = rp_set_object(&t->doc, t->root, "source");
    t->facts = rp_new_array(&t->doc);
    t->players = rp_set_array(&t->doc, t->root, "players");
    t->chapters = rp_set_array(&t->doc, t->root, "chapters");
    t->hud = rp_set_array(&t->doc, t->root, "hud");
    t->cameras = rp_set_array(&t->doc, t->root, "cameras");
    t->labels = rp_set_array(&t->doc, t->root, "labels");
    t->glyphs = rp_set_array(&t->doc, t->root, "glyphs");
    t->voices = rp_set_array(&t->doc, t->root, "voices");
    t->warnings = rp_set_array(&t->doc, t->root, "warnings");
    t->info = rp_set_array(&t->doc, t->root, "info");
}

static void free_series(rp_timeline *t, rp_series *s)
{
    float *lists[] = {s->time, s->low, s->high, s->last};
    for (size_t i = 0; i < RP_COUNT(lists); i++)
        rp_free(t->context, lists[i], s->capacity * sizeof(float));
    rp_vector_free(t->context, &s->all, sizeof(rp_point));
}

static void free_plot(rp_timeline *t, rp_plot *plot)
{
    for (size_t i = 0; i < plot->series_count; i++)
        free_series(t, plot->series[i]);
    plot->series_count = 0;
}

void rp_timeline_free(rp_timeline *t)
{
    if (!t->context)
        return;
    for (size_t i = 0; i < t->plots.count; i++)
        free_plot(t, ((rp_plot **)t->plots.items)[i]);
    for (size_t i = 0; i < t->tables.count; i++) {
        rp_table *table = ((rp_table **)t->tables.items)[i];
        rp_vector_free(t->context, &table->cells, 4);
        for (size_t j = 0; j < table->column_count; j++)
            rp_dictionary_free(t->context, &table->texts[j]);
    }
    for (size_t i = 0; i < t->paths.count; i++)
        rp_vector_free(t->context, &((rp_path **)t->paths.items)[i]->points, sizeof(rp_path_point));
    for (size_t i = 0; i < t->activities.count; i++)
        rp_vector_free(t->context, &((rp_activity **)t->activities.items)[i]->seconds,
                       sizeof(float));
    for (size_t i = 0; i < t->words.count; i++) {
        rp_caption *words = ((rp_caption **)t->words.items)[i];
        rp_vector_free(t->context, &words->times, sizeof(float));
        rp_vector_free(t->context, &words->numbers, sizeof(uint32_t));
        rp_dictionary_free(t->context, &words->texts);
    }
    rp_vector_free(t->context, &t->activities, sizeof(rp_activity *));
    rp_vector_free(t->context, &t->words, sizeof(rp_caption *));
    rp_dictionary_free(t->context, &t->marker_kinds);
    rp_dictionary_free(t->context, &t->marker_texts);
    rp_vector_free(t->context, &t->plots, sizeof(rp_plot *));
    rp_vector_free(t->context, &t->tables, sizeof(rp_table *));
    rp_vector_free(t->context, &t->heats, sizeof(rp_heat *));
    rp_vector_free(t->context, &t->paths, sizeof(rp_path *));
    rp_vector_free(t->context, &t->markers, sizeof(rp_marker));
    rp_vector_free(t->context, &t->bands, sizeof(rp_band));
    rp_vector_free(t->context, &t->highlights, sizeof(rp_highlight));
    rp_vector_free(t->context, &t->clock, sizeof(float));
    rp_vector_free(t->context, &t->course.steps, sizeof(rp_course_step));
    rp_arena_free(&t->arena);
    *t = (rp_timeline){0};
}

/* Adds an object in the arena to a list of pointers. */
static void *add_object(rp_timeline *t, rp_vector *list, size_t size)
{
    if (!ok(t))
        return NULL;
    void *object = rp_arena_alloc(&t->arena, size, t->doc.error);
    void **point = object ? rp_vector_add(t->context, list, sizeof *point, t->doc.error) : NULL;
    if (!point)
        return NULL;
    *point = object;
    return object;
}

void rp_timeline_clock(rp_timeline *t, float time)
{
    float *to = ok(t) ? rp_vector_add(t->context, &t->clock, sizeof *to, t->doc.error) : NULL;
    if (to)
        *to = time;
}

/* ---- plots ---- */

rp_plot *rp_timeline_plot(rp_timeline *t, const char *id, const char *title, const char *unit,
                          const char *kind, double low, double high)
{
    rp_plot *plot = add_object(t, &t->plots, sizeof *plot);
    if (plot)
        *plot = (rp_plot){.id = keep_text(t, id),
                          .title = keep_text(t, title),
                          .unit = keep_text(t, unit),
                          .kind = keep_text(t, kind),
                          .low = low,
                          .high = high};
    return plot;
}

void rp_timeline_plot_last(rp_timeline *t, rp_plot *plot, bool keep)
{
    rp_plot **plots = t->plots.items;
    size_t at = 0;
    while (at < t->plots.count && plots[at] != plot)
        at++;
    if (!plot || at == t->plots.count)
        return;
    for (; at + 1 < t->plots.count; at++)
        plots[at] = plots[at + 1];
    plots[at] = plot;
    if (keep)
        return;
    free_plot(t, plot);
    t->plots.count--;
}

void rp_timeline_drop_plots(rp_timeline *t)
{
    while (t->plots.count)
        free_plot(t, ((rp_plot **)t->plots.items)[--t->plots.count]);
}

rp_series *rp_plot_series(rp_timeline *t, rp_plot *plot, const char *name, int32_t player)
{
    if (!plot || !ok(t))
        return NULL;
    rp_series **list = rp_arena_grow(&t->arena, plot->series, plot->series_count + 1,
                                     &plot->series_capacity, sizeof *list, t->doc.error);
    rp_series *series = list ? rp_arena_alloc(&t->arena, sizeof *series, t->doc.error) : NULL;
    if (!series)
        return NULL;
    series->name = keep_text(t, name);
    series->player = player;
    plot->series = list;
    plot->series[plot->series_count++] = series;
    return series;
}

static bool grow_series(rp_timeline *t, rp_series *s)
{
    size_t more = s->capacity ? s->capacity * 2 : 64;
    float **lists[] = {&s->time, &s->low, &s->high, &s->last};
    float *grown[RP_COUNT(lists)];
    for (size_t i = 0; i < RP_COUNT(lists); i++) {
        grown[i] = rp_alloc(t->context, more * sizeof(float), t->doc.error);
        if (!grown[i]) {
            while (i-- > 0)
                rp_free(t->context, grown[i], more * sizeof(float));
            return false;
        }
    }
    for (size_t i = 0; i < RP_COUNT(lists); i++) {
        if (s->count)
            memcpy(grown[i], *lists[i], s->count * sizeof(float));
        rp_free(t->context, *lists[i], s->capacity * sizeof(float));
        *lists[i] = grown[i];
    }
    s->capacity = more;
    return true;
}

static void join(rp_series *s, size_t to, float low, float high, float last)
{
    s->low[to] = isnan(s->low[to]) ? low : isnan(low) ? s->low[to] : fminf(s->low[to], low);
    s->high[to] = isnan(s->high[to]) ? high : isnan(high) ? s->high[to] : fmaxf(s->high[to], high);
    s->last[to] = last;
}

static float bucket_start(const rp_series *s, float time)
{
    double n = floor(((double)time - (double)s->time[0]) / s->bucket_s);
    return (float)((double)s->time[0] + n * s->bucket_s);
}

/* Joins neighbours until half of the capacity is free. */
static void coarsen(rp_series *s)
{
    double span = (double)s->time[s->count - 1] - (double)s->time[0];
    s->bucket_s = RP_MAX(s->bucket_s * 2, span / (RP_SERIES_MAX / 2 - 1));
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        float start = bucket_start(s, s->time[i]);
        if (kept && start <= s->time[kept - 1]) {
            join(s, kept - 1, s->low[i], s->high[i], s->last[i]);
            continue;
        }
        float low = s->low[i], high = s->high[i], last = s->last[i];
        s->time[kept] = start;
        s->low[kept] = low;
        s->high[kept] = high;
        s->last[kept] = last;
        kept++;
    }
    s->count = kept;
}

/* Of several points at one time the last one counts, as without buckets. */
static void keep_point(rp_timeline *t, rp_series *s, float time, float value)
{
    rp_point *last = s->all.count ? (rp_point *)s->all.items + s->all.count - 1 : NULL;
    if (last && time <= last->time) {
        last->value = value;
        return;
    }
    s->lost |= s->all.count >= RP_SERIES_POINTS_MAX;
    rp_point *to = s->lost ? NULL : rp_vector_add(t->context, &s->all, sizeof *to, t->doc.error);
    if (to)
        *to = (rp_point){time, value};
}

bool rp_series_is_longer(const rp_series *s)
{
    return s->bucket_s > 0 && s->all.count && !s->lost;
}

static void add_point(rp_timeline *t, rp_series *s, float time, float v)
{
    float at = time;
    if (s->count && at <= s->time[s->count - 1]) {
        /* Of several points at one time the last one counts; a bucket includes all. */
        if (s->bucket_s > 0)
            join(s, s->count - 1, v, v, v);
        else
            s->low[s->count - 1] = s->high[s->count - 1] = s->last[s->count - 1] = v;
        return;
    }
    if (s->bucket_s > 0) {
        at = bucket_start(s, at);
        if (at <= s->time[s->count - 1]) {
            join(s, s->count - 1, v, v, v);
            return;
        }
    }
    if (s->count == RP_SERIES_MAX) {
        coarsen(s);
        add_point(t, s, time, v);
        return;
    }
    if (s->count == s->capacity && !grow_series(t, s))
        return;
    s->time[s->count] = at;
    s->low[s->count] = s->high[s->count] = s->last[s->count] = v;
    s->count++;
}

void rp_series_add(rp_timeline *t, rp_series *s, double time, double value)
{
    if (!s || !ok(t))
        return;
    float v = isfinite(value) ? (float)value : NAN;
    s->points++;
    if (t->keep_points)
        keep_point(t, s, (float)time, v);
    add_point(t, s, (float)time, v);
}

/* ---- texts, markers, tables ---- */

static uint32_t number_of(rp_timeline *t, rp_dictionary *d, const char *text)
{
    return rp_dictionary_add(d, &t->arena, text, strlen(text), t->doc.error);
}

void rp_timeline_marker(rp_timeline *t, double time, const char *kind, int32_t player,
                        unsigned weight, const char *text)
{
    if (t->markers.count >= RP_MARKERS_MAX) {
        t->markers_left_out++;
        return;
    }
    rp_marker *to = ok(t) ? rp_vector_add(t->context, &t->markers, sizeof *to, t->doc.error) : NULL;
    if (!to)
        return;
    *to = (rp_marker){.time = isfinite(time) ? (float)time : 0,
                      .kind = number_of(t, &t->marker_kinds, kind),
                      .text = number_of(t, &t->marker_texts, text ? text : ""),
                      .player = (int16_t)player,
                      .weight = (uint8_t)RP_MIN(weight, 255)};
}

rp_table *rp_timeline_table(rp_timeline *t, const char *id, const char *title, const char *time,
                            const rp_table_column *columns, size_t count)
{
    rp_table *table = add_object(t, &t->tables, sizeof *table);
    if (table) {
        table->id = keep_text(t, id);
        table->title = keep_text(t, title);
        table->time = keep_text(t, time);
        table->columns = columns;
        table->column_count = count;
    }
    return table;
}

void rp_table_row(rp_timeline *t, rp_table *table, const rp_cell *cells)
{
    if (!table || !ok(t))
        return;
    if (table->rows >= RP_TABLE_ROWS_MAX) {
        table->left_out++;
        return;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        uint32_t bits = 0;
        float real = isfinite(cells[i].number) ? (float)cells[i].number : NAN;
        int32_t whole = isfinite(cells[i].number) ? rp_whole_i32(cells[i].number) : 0;
        switch (table->columns[i].kind) {
        case RP_CELL_F32:
            memcpy(&bits, &real, sizeof bits);
            break;
        case RP_CELL_I32:
            memcpy(&bits, &whole, sizeof bits);
            break;
        case RP_CELL_TEXT:
            bits = number_of(t, &table->texts[i], cells[i].text ? cells[i].text : "");
            break;
        }
        uint32_t *to = rp_vector_add(t->context, &table->cells, sizeof *to, t->doc.error);
        if (!to)
            return;
        *to = bits;
    }
    table->rows++;
}

const char *rp_outcome(const char *word)
{
    static const char *const words[][2] = {
        {"won", "win"}, {"win", "win"}, {"lost", "loss"}, {"loss", "loss"}, {"draw", "draw"}};
    for (size_t i = 0; word && i < RP_COUNT(words); i++) {
        if (strcasecmp(word, words[i][0]) == 0)
            return words[i][1];
    }
    return NULL;
}

void rp_timeline_outcome(rp_timeline *t, reprise_value *player, const char *word)
{
    rp_set_text_if(&t->doc, player, "outcome", rp_outcome(word));
}

void rp_timeline_total(rp_timeline *t, reprise_value *player, const char *label, const char *format,
                       ...)
{
    char text[64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reprise_value *list = rp_get(player, "totals");
    if (!list)
        list = rp_set_array(&t->doc, player, "totals");
    reprise_value *pair = rp_push(&t->doc, list, rp_new_array(&t->doc));
    rp_push(&t->doc, pair, rp_new_text(&t->doc, label));
    rp_push(&t->doc, pair, rp_new_text(&t->doc, text));
}

const char *rp_timeline_plain(rp_timeline *t, const char *text, size_t size)
{
    char *copy = text ? rp_arena_text(&t->arena, text, size, t->doc.error) : NULL;
    if (!copy)
        return "";
    size_t to = 0;
    for (size_t i = 0; i < size && copy[i]; i++) {
        char *close = copy[i] == '<' ? strchr(copy + i, '>') : NULL;
        if (close)
            i = (size_t)(close - copy);
        else
            copy[to++] = copy[i];
    }
    copy[to] = '\0';
    return copy;
}

/* ---- heat ---- */

rp_heat *rp_timeline_heat(rp_timeline *t, const char *id, const char *title, double least_m)
{
    rp_heat *heat = add_object(t, &t->heats, sizeof *heat);
    if (heat) {
        heat->id = keep_text(t, id);
        heat->title = keep_text(t, title);
        heat->square_m = least_m;
    }
    return heat;
}

/* Doubles the side of a square: each one merges four. */
static void widen(rp_heat *heat)
{
    enum { SIDE = RP_HEAT_SIDE, QUARTER = SIDE / 4 };
    uint32_t half[SIDE * SIDE / 4] = {0};
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++)
            half[y / 2 * (SIDE / 2) + x / 2] += heat->counts[y * SIDE + x];
    }
    memset(heat->counts, 0, sizeof heat->counts);
    for (size_t y = 0; y < SIDE / 2; y++)
        memcpy(&heat->counts[(y + QUARTER) * SIDE + QUARTER], &half[y * (SIDE / 2)],
               SIDE / 2 * sizeof *half);
    heat->square_m *= 2;
}

void rp_heat_add(rp_heat *heat, double x, double z)
{
    rp_heat_add_many(heat, x, z, 1);
}

void rp_heat_add_many(rp_heat *heat, double x, double z, uint32_t count)
{
    if (!heat || !(fabs(x) < 1e6) || !(fabs(z) < 1e6))
        return;
    while (fabs(x) >= heat->square_m * (RP_HEAT_SIDE / 2) ||
           fabs(z) >= heat->square_m * (RP_HEAT_SIDE / 2))
        widen(heat);
    size_t column = rp_whole_size(x / heat->square_m + RP_HEAT_SIDE / 2.0);
    size_t row = rp_whole_size(z / heat->square_m + RP_HEAT_SIDE / 2.0);
    uint32_t *square = &heat->counts[RP_MIN(row, RP_HEAT_SIDE - 1) * RP_HEAT_SIDE +
                                     RP_MIN(column, RP_HEAT_SIDE - 1)];
    *square = count < UINT32_MAX - *square ? *square + count : UINT32_MAX;
    heat->total += count;
}

/* ---- paths ---- */

rp_path *rp_timeline_path(rp_timeline *t, const char *name, int32_t player)
{
    rp_path *path = add_object(t, &t->paths, sizeof *path);
    if (path) {
        path->name = keep_text(t, name);
        path->player = player;
        path->every = 1;
    }
    return path;
}

static void thin(rp_path *path)
{
    rp_path_point *points = path->points.items;
    size_t kept = 0;
    for (size_t i = 0; i < path->points.count; i++) {
        if (i % 2 == 0 || points[i].leap)
            points[kept++] = points[i];
    }
    /* With only leaps there is no path to draw. */
    path->points.count = kept < RP_PATH_POINTS_MAX ? kept : 0;
    path->every *= 2;
}

void rp_path_add(rp_timeline *t, rp_path *path, const rp_path_point *point)
{
    if (!path || !ok(t) || !(fabsf(point->x) < 1e6f) || !(fabsf(point->z) < 1e6f))
        return;
    path->leap |= point->leap;
    if (++path->skipped < path->every && !point->leap)
        return;
    path->skipped = 0;
    if (path->points.count == RP_PATH_POINTS_MAX)
        thin(path);
    rp_path_point *to = rp_vector_add(t->context, &path->points, sizeof *to, t->doc.error);
    if (!to)
        return;
    *to = *point;
    to->leap = path->leap;
    path->leap = false;
}

/* ---- bands ---- */

void rp_timeline_band(rp_timeline *t, const rp_band *band)
{
    if (!ok(t) || t->bands.count >= RP_BANDS_MAX || !(band->to > band->from))
        return;
    rp_band *to = rp_vector_add(t->context, &t->bands, sizeof *to, t->doc.error);
    if (to) {
        *to = *band;
        to->kind = keep_text(t, band->kind);
        to->text = keep_text(t, band->text);
    }
}

rp_activity *rp_timeline_activity(rp_timeline *t, const char *kind, const char *unit,
                                  int32_t player)
{
    rp_activity *activity = add_object(t, &t->activities, sizeof *activity);
    if (activity)
        *activity = (rp_activity){
            .kind = keep_text(t, kind), .unit = keep_text(t, unit), .player = player};
    return activity;
}

void rp_activity_add(rp_timeline *t, rp_activity *activity, double time, double weight)
{
    if (!activity || !(time >= 0 && time < RP_ACTIVITY_SECONDS_MAX) || !(weight > 0) ||
        !isfinite(weight))
        return;
    rp_vector *seconds = &activity->seconds;
    while (seconds->count <= rp_whole_size(time)) {
        float *to = ok(t) ? rp_vector_add(t->context, seconds, sizeof *to, t->doc.error) : NULL;
        if (!to)
            return;
        *to = 0;
    }
    ((float *)seconds->items)[rp_whole_size(time)] += (float)weight;
}

/* ---- words ---- */

rp_caption *rp_timeline_caption(rp_timeline *t, int32_t player)
{
    rp_caption *words = add_object(t, &t->words, sizeof *words);
    if (words)
        *words = (rp_caption){.player = player};
    return words;
}

void rp_caption_set(rp_timeline *t, rp_caption *words, double time, const char *text)
{
    if (!words || !ok(t))
        return;
    uint32_t number = number_of(t, &words->texts, text);
    const uint32_t *before = words->numbers.items;
    if (words->numbers.count && before[words->numbers.count - 1] == number)
        return;
    if (words->times.count >= RP_TABLE_ROWS_MAX)
        return;
    float *at = rp_vector_add(t->context, &words->times, sizeof *at, t->doc.error);
    uint32_t *which = at ? rp_vector_add(t->context, &words->numbers, sizeof *which, t->doc.error)
                         : NULL;
    if (!which)
        return;
    *at = (float)time;
    *which = number;
}

/* ---- courses ---- */

void rp_course_add(rp_timeline *t, const rp_course_step *step)
{
    rp_vector *steps = &t->course.steps;
    const rp_course_step *last = steps->count ? (rp_course_step *)steps->items + steps->count - 1
                                              : NULL;
    bool sane = fabsf(step->position.x) < 1e6f && fabsf(step->position.y) < 1e6f &&
                fabsf(step->position.z) < 1e6f;
    if (!sane || !ok(t) || (last && step->tick <= last->tick))
        return;
    rp_course_step *to = rp_vector_add(t->context, steps, sizeof *to, t->doc.error);
    if (to)
        *to = *step;
}
