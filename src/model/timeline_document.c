/*
 * timeline_document.c - adds the collected columns of a timeline to its document, which is
 * described in docs/json/timeline.schema.json.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checked.h"
#include "timeline.h"
#include "typed_array.h"
#include "whole.h"

/* ---- plots ---- */

/* One decimal for values below 100, none above: enough for a sentence. */
static void say_number(char *to, size_t size, double value)
{
    snprintf(to, size, fabs(value) >= 100 || value == floor(value) ? "%.0f" : "%.1f", value);
}

static void say_series(char *to, size_t size, const rp_series *s, bool steps)
{
    double low = INFINITY, high = -INFINITY;
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (isnan(s->last[i]))
            continue;
        first = RP_MIN(first, i);
        last = i;
        low = fmin(low, (double)s->low[i]);
        high = fmax(high, (double)s->high[i]);
    }
    const char *name = s->name && *s->name ? s->name : "value";
    if (first == SIZE_MAX) {
        snprintf(to, size, "%s: no values", name);
        return;
    }
    char a[32], b[32];
    say_number(a, sizeof a, steps ? (double)s->last[first] : low);
    say_number(b, sizeof b, steps ? (double)s->last[last] : high);
    snprintf(to, size, steps ? "%s from %s to %s" : "%s between %s and %s", name, a, b);
}

/* Describes a plot in words, for readers who cannot see it. */
static void set_summary(rp_timeline *t, reprise_value *to, const rp_plot *plot)
{
    enum { SAID_MAX = 4 };
    char text[512] = "";
    size_t size = 0;
    bool steps = strcmp(plot->kind, "step") == 0;
    for (size_t i = 0; i < RP_MIN(plot->series_count, SAID_MAX); i++) {
        char one[160];
        say_series(one, sizeof one, plot->series[i], steps);
        int n = snprintf(text + size, sizeof text - size, "%s%s", i ? ", " : "", one);
        size = RP_MIN(size + (size_t)RP_MAX(n, 0), sizeof text - 1);
    }
    if (plot->series_count > SAID_MAX)
        snprintf(text + size, sizeof text - size, " and %zu more", plot->series_count - SAID_MAX);
    rp_set_text(&t->doc, to, "summary", text);
}

static void set_whose(rp_doc *doc, reprise_value *to, const rp_series *s)
{
    rp_set_text(doc, to, "name", s->name ? s->name : "");
    if (s->player >= 0)
        rp_set_int(doc, to, "player", s->player);
}

reprise_value *rp_timeline_series(rp_timeline *t, const rp_series *s)
{
    rp_doc *doc = &t->doc;
    reprise_value *to = rp_new_object(doc);
    size_t n = s->all.count;
    const rp_point *points = s->all.items;
    float *times = rp_arena_array(&t->arena, n, sizeof *times, doc->error);
    float *values = rp_arena_array(&t->arena, n, sizeof *values, doc->error);
    if (!times || !values)
        return to;
    for (size_t i = 0; i < n; i++) {
        times[i] = points[i].time;
        values[i] = points[i].value;
    }
    set_whose(doc, to, s);
    rp_set(doc, to, "t", rp_typed_array_times(doc, times, n));
    rp_set(doc, to, "v", rp_typed_array_f32(doc, values, n));
    return to;
}

static void push_series(rp_timeline *t, reprise_value *list, const rp_plot *plot, size_t index)
{
    rp_doc *doc = &t->doc;
    const rp_series *s = plot->series[index];
    reprise_value *to = rp_push_object(doc, list);
    set_whose(doc, to, s);
    rp_set(doc, to, "t", rp_typed_array_times(doc, s->time, s->count));
    rp_set(doc, to, "v", rp_typed_array_f32(doc, s->last, s->count));
    if (s->bucket_s > 0) {
        rp_set(doc, to, "lo", rp_typed_array_f32(doc, s->low, s->count));
        rp_set(doc, to, "hi", rp_typed_array_f32(doc, s->high, s->count));
    }
    if (rp_series_is_longer(s))
        rp_set(doc, to, "full", rp_new_format(doc, "plots/%s/%zu", plot->id, index));
}

void rp_timeline_push_plot(rp_timeline *t, reprise_value *list, const rp_plot *plot)
{
    rp_doc *doc = &t->doc;
    reprise_value *to = rp_push_object(doc, list);
    rp_set_text(doc, to, "id", plot->id);
    rp_set_text(doc, to, "title", plot->title);
    rp_set_text(doc, to, "unit", plot->unit);
    rp_set_text(doc, to, "kind", plot->kind);
    if (plot->high > plot->low) {
        reprise_value *y = rp_set_array(doc, to, "y");
        rp_push(doc, y, rp_new_f64(doc, plot->low));
        rp_push(doc, y, rp_new_f64(doc, plot->high));
    }
    set_summary(t, to, plot);
    reprise_value *series = rp_set_array(doc, to, "series");
    for (size_t j = 0; j < plot->series_count; j++)
        push_series(t, series, plot, j);
}

static void set_plots(rp_timeline *t)
{
    reprise_value *list = rp_set_array(&t->doc, t->root, "plots");
    for (size_t i = 0; i < t->plots.count; i++)
        rp_timeline_push_plot(t, list, ((rp_plot **)t->plots.items)[i]);
}

/* ---- markers and bands ---- */

static int by_time(const void *a, const void *b)
{
    const rp_marker *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->weight != y->weight ? (int)y->weight - (int)x->weight : 0;
}

static void set_texts(rp_timeline *t, reprise_value *to, const char *key, const uint32_t *numbers,
                      size_t count, const rp_dictionary *d)
{
    rp_set(&t->doc, to, key,
           rp_typed_array_texts(&t->doc, numbers, count, (const char *const *)d->texts.items,
                                d->texts.count));
}

static void set_markers(rp_timeline *t)
{
    rp_doc *doc = &t->doc;
    rp_marker *m = t->markers.items;
    size_t n = t->markers.count;
    if (n)
        qsort(m, n, sizeof *m, by_time);
    float *times = rp_arena_array(&t->arena, n, sizeof *times, doc->error);
    uint32_t *kinds = rp_arena_array(&t->arena, n, sizeof *kinds, doc->error);
    uint32_t *texts = rp_arena_array(&t->arena, n, sizeof *texts, doc->error);
    int16_t *players = rp_arena_array(&t->arena, n, sizeof *players, doc->error);
    uint8_t *weights = rp_arena_array(&t->arena, n, sizeof *weights, doc->error);
    if (doc->error->status != REPRISE_OK)
        return;
    for (size_t i = 0; i < n; i++) {
        times[i] = m[i].time;
        kinds[i] = m[i].kind;
        texts[i] = m[i].text;
        players[i] = m[i].player;
        weights[i] = m[i].weight;
    }
    reprise_value *to = rp_set_object(doc, t->root, "markers");
    rp_set_uint(doc, to, "n", n);
    rp_set(doc, to, "t", rp_typed_array_f32(doc, times, n));
    set_texts(t, to, "kind", kinds, n, &t->marker_kinds);
    rp_set(doc, to, "player", rp_typed_array_i16(doc, players, n));
    rp_set(doc, to, "weight", rp_typed_array_u8(doc, weights, n));
    set_texts(t, to, "text", texts, n, &t->marker_texts);
}

/*
 * Finds spans of high activity: weight per second, averaged over five seconds, above twice the
 * median. Gaps under three seconds are closed, spans under two seconds dropped.
 */
enum { SMOOTH_S = 5, GAP_S = 3, BAND_S = 2 };

/* Weights per second, of an activity or of the markers. */
typedef struct busy {
    const rp_activity *activity; /* NULL: markers */
    float *raw, *smooth;
    size_t seconds;
    float most;
} busy;

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static bool weigh(rp_timeline *t, busy *b)
{
    b->raw = rp_arena_array(&t->arena, b->seconds, sizeof *b->raw, t->doc.error);
    b->smooth = rp_arena_array(&t->arena, b->seconds, sizeof *b->smooth, t->doc.error);
    if (!b->raw || !b->smooth)
        return false;
    const rp_marker *m = t->markers.items;
    for (size_t i = 0; !b->activity && i < t->markers.count; i++) {
        if (m[i].time >= 0 && m[i].time < (float)b->seconds)
            b->raw[rp_whole_size((double)m[i].time)] += (float)m[i].weight;
    }
    if (b->activity && b->activity->seconds.count)
        memcpy(b->raw, b->activity->seconds.items,
               RP_MIN(b->seconds, b->activity->seconds.count) * sizeof *b->raw);
    for (size_t i = 0; i < b->seconds; i++) {
        size_t from = i >= SMOOTH_S / 2 ? i - SMOOTH_S / 2 : 0;
        for (size_t j = from; j <= RP_MIN(i + SMOOTH_S / 2, b->seconds - 1); j++)
            b->smooth[i] += b->raw[j] / SMOOTH_S;
        b->most = fmaxf(b->most, b->smooth[i]);
    }
    return true;
}

static float median(rp_timeline *t, const float *values, size_t count)
{
    float *sorted = rp_arena_array(&t->arena, count, sizeof *sorted, t->doc.error);
    if (!sorted)
        return 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    return sorted[count / 2];
}

static void set_band(rp_timeline *t, reprise_value *list, const rp_band *from)
{
    reprise_value *band = rp_push_object(&t->doc, list);
    rp_set_f32(&t->doc, band, "t0", from->from);
    rp_set_f32(&t->doc, band, "t1", from->to);
    rp_set_f32(&t->doc, band, "level", from->level);
    rp_set_text(&t->doc, band, "kind", from->kind);
    rp_set_text(&t->doc, band, "text", from->text);
    if (from->player >= 0)
        rp_set_int(&t->doc, band, "player", from->player);
}

/* Formats the total of an activity, or the number of markers. */
static void say_band(const rp_timeline *t, const busy *b, size_t from, size_t to, char *text,
                     size_t size)
{
    const rp_marker *m = t->markers.items;
    size_t markers = 0;
    double sum = 0;
    for (size_t i = 0; i < t->markers.count; i++)
        markers += m[i].time >= (float)from && m[i].time < (float)to;
    for (size_t i = from; i < to; i++)
        sum += (double)b->raw[i];
    char number[32];
    say_number(number, sizeof number, sum);
    if (b->activity)
        snprintf(text, size, "%s %s", number, b->activity->unit);
    else
        snprintf(text, size, "%zu event%s", markers, markers == 1 ? "" : "s");
}

static void push_band(rp_timeline *t, reprise_value *list, const busy *b, size_t from, size_t to)
{
    if (to - from < BAND_S)
        return;
    float peak = 0;
    for (size_t i = from; i < to; i++)
        peak = fmaxf(peak, b->smooth[i]);
    char text[64];
    say_band(t, b, from, to, text, sizeof text);
    set_band(t, list,
             &(rp_band){.from = (float)from,
                        .to = (float)to,
                        .level = b->most > 0 ? peak / b->most : 0,
                        .kind = b->activity ? b->activity->kind : "busy",
                        .text = text,
                        .player = b->activity ? b->activity->player : -1});
}

static void find_bands(rp_timeline *t, reprise_value *list, busy *b)
{
    if (!b->seconds || !weigh(t, b))
        return;
    float least = 2 * median(t, b->smooth, b->seconds);
    size_t from = 0, to = 0;
    for (size_t i = 0; i < b->seconds; i++) {
        if (!(b->smooth[i] > least))
            continue;
        if (!to || i - to >= GAP_S) {
            push_band(t, list, b, from, to);
            from = i;
        }
        to = i + 1;
    }
    push_band(t, list, b, from, to);
}

static void set_bands(rp_timeline *t)
{
    reprise_value *list = rp_set_array(&t->doc, t->root, "bands");
    for (size_t i = 0; i < t->bands.count; i++)
        set_band(t, list, (rp_band *)t->bands.items + i);
    if (!t->clock.count)
        return;
    double end = (double)((float *)t->clock.items)[t->clock.count - 1];
    size_t seconds = rp_whole_size(fmin(ceil(end), RP_ACTIVITY_SECONDS_MAX));
    bool any = t->bands.count;
    for (size_t i = 0; i < t->activities.count; i++) {
        busy b = {.activity = ((rp_activity **)t->activities.items)[i], .seconds = seconds};
        any |= b.activity->seconds.count > 0;
        find_bands(t, list, &b);
    }
    if (!any && t->markers.count)
        find_bands(t, list, &(busy){.seconds = seconds});
}

/* ---- words ---- */

static void set_words(rp_timeline *t)
{
    rp_doc *doc = &t->doc;
    for (size_t i = 0; i < t->words.count; i++) {
        const rp_caption *words = ((rp_caption **)t->words.items)[i];
        if (!words->times.count)
            continue;
        reprise_value *to = rp_push_object(doc, t->hud);
        rp_set_int(doc, to, "player", words->player);
        rp_set(doc, to, "t", rp_typed_array_f32(doc, words->times.items, words->times.count));
        set_texts(t, to, "text", words->numbers.items, words->times.count, &words->texts);
    }
}

/* ---- tables, heat, clock ---- */

static void set_cells(rp_timeline *t, reprise_value *to, const rp_table *table, size_t column)
{
    rp_doc *doc = &t->doc;
    size_t n = table->rows, stride = table->column_count;
    const uint32_t *cells = table->cells.items;
    uint32_t *bits = rp_arena_array(&t->arena, n, sizeof *bits, doc->error);
    if (!bits)
        return;
    for (size_t i = 0; i < n; i++)
        bits[i] = cells[i * stride + column];
    switch (table->columns[column].kind) {
    case RP_CELL_F32:
        /* cppcheck-suppress invalidPointerCast ; the cells hold the bits of floats */
        rp_set(doc, to, "data", rp_typed_array_f32(doc, (const float *)bits, n));
        break;
    case RP_CELL_I32:
        rp_set(doc, to, "data", rp_typed_array_i32(doc, (const int32_t *)bits, n));
        break;
    case RP_CELL_TEXT:
        set_texts(t, to, "data", bits, n, &table->texts[column]);
        break;
    }
}

static void set_tables(rp_timeline *t)
{
    rp_doc *doc = &t->doc;
    reprise_value *list = rp_set_array(doc, t->root, "tables");
    for (size_t i = 0; i < t->tables.count; i++) {
        const rp_table *table = ((rp_table **)t->tables.items)[i];
        reprise_value *to = rp_push_object(doc, list);
        rp_set_text(doc, to, "id", table->id);
        rp_set_text(doc, to, "title", table->title);
        if (table->time)
            rp_set_text(doc, to, "time", table->time);
        if (table->nested) {
            reprise_value *nested = rp_set_object(doc, to, "nested");
            rp_set_text(doc, nested, "table", table->nested);
            rp_set_text(doc, nested, "key", table->key);
        }
        rp_set_uint(doc, to, "n", table->rows);
        if (table->left_out)
            rp_set_uint(doc, to, "left_out", table->left_out);
        reprise_value *columns = rp_set_array(doc, to, "columns");
        for (size_t j = 0; j < table->column_count; j++) {
            reprise_value *column = rp_push_object(doc, columns);
            rp_set_text(doc, column, "id", table->columns[j].id);
            rp_set_text(doc, column, "title", table->columns[j].title);
            if (table->columns[j].unit)
                rp_set_text(doc, column, "unit", table->columns[j].unit);
            set_cells(t, column, table, j);
        }
    }
}

/* Only the visited part, on a scale that shows rare visits. */
static void push_heat(rp_timeline *t, reprise_value *list, const rp_heat *heat)
{
    size_t left = RP_HEAT_SIDE, right = 0, top = RP_HEAT_SIDE, bottom = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < RP_HEAT_SIDE * RP_HEAT_SIDE; i++) {
        size_t x = i % RP_HEAT_SIDE, y = i / RP_HEAT_SIDE;
        if (!heat->counts[i])
            continue;
        most = RP_MAX(most, heat->counts[i]);
        left = RP_MIN(left, x);
        right = RP_MAX(right, x + 1);
        top = RP_MIN(top, y);
        bottom = RP_MAX(bottom, y + 1);
    }
    if (!most)
        return;
    size_t w = right - left, h = bottom - top;
    uint8_t *v = rp_arena_alloc(&t->arena, w * h, t->doc.error);
    if (!v)
        return;
    for (size_t i = 0; i < w * h; i++) {
        uint32_t count = heat->counts[(top + i / w) * RP_HEAT_SIDE + left + i % w];
        v[i] = (uint8_t)lround(255 * sqrt((double)count / (double)most));
    }
    rp_doc *doc = &t->doc;
    reprise_value *to = rp_push_object(doc, list);
    rp_set_text(doc, to, "id", heat->id);
    rp_set_text(doc, to, "title", heat->title);
    rp_set_uint(doc, to, "w", w);
    rp_set_uint(doc, to, "h", h);
    reprise_value *rect = rp_set_array(doc, to, "rect");
    double half = RP_HEAT_SIDE / 2.0;
    const double edges[4] = {(double)left - half, (double)top - half, (double)w, (double)h};
    for (size_t i = 0; i < 4; i++)
        rp_push(doc, rect, rp_new_f64(doc, edges[i] * heat->square_m));
    rp_set(doc, to, "v", rp_typed_array_u8(doc, v, w * h));
}

static void set_heats(rp_timeline *t)
{
    reprise_value *list = rp_set_array(&t->doc, t->root, "heat");
    for (size_t i = 0; i < t->heats.count; i++)
        push_heat(t, list, ((rp_heat **)t->heats.items)[i]);
}

void rp_timeline_glyphs(rp_timeline *t, const rp_glyphs *glyphs)
{
    rp_doc *doc = &t->doc;
    size_t n = glyphs->count;
    if (!n)
        return;
    reprise_value *to = rp_push_object(doc, t->glyphs);
    rp_set_text(doc, to, "id", glyphs->id);
    rp_set_text(doc, to, "shape", glyphs->shape);
    rp_set_f64(doc, to, "life", glyphs->life);
    rp_set(doc, to, "t", rp_typed_array_f32(doc, glyphs->t, n));
    rp_set(doc, to, "player", rp_typed_array_i16(doc, glyphs->player, n));
    rp_set(doc, to, "x", rp_typed_array_f32(doc, glyphs->x, n));
    rp_set(doc, to, "z", rp_typed_array_f32(doc, glyphs->z, n));
    rp_set(doc, to, "x2", rp_typed_array_f32(doc, glyphs->x2, n));
    rp_set(doc, to, "z2", rp_typed_array_f32(doc, glyphs->z2, n));
    rp_set(doc, to, "kind",
           rp_typed_array_texts(doc, glyphs->kind, n, glyphs->kinds, glyphs->kind_count));
}

reprise_status rp_timeline_end(rp_timeline *t)
{
    rp_doc *doc = &t->doc;
    reprise_value *clock = rp_set_object(doc, t->root, "clock");
    rp_set_text(doc, clock, "unit", t->clock_unit);
    rp_set(doc, clock, "t", rp_typed_array_times(doc, t->clock.items, t->clock.count));
    rp_set(doc, t->source, "facts", t->facts);
    set_markers(t);
    set_bands(t);
    set_words(t);
    set_plots(t);
    set_tables(t);
    set_heats(t);
    return doc->error->status;
}
