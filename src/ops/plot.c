/* plot.c - see plot.h. */
#include "plot.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "legend.h"
#include "plot_path.h"
#include "whole.h"

enum {
    LEFT = 56,
    RIGHT = 16,
    TOP = 44,
    BOTTOM = 36,
    COLUMNS_MAX = 8192,
    MARKER_PX = 9,
    AREA_MIN_PX = 40, /* left by legends */
    REST_PX = 24,     /* for the unreadable part after the end */
    GAP_MIN_PX = 6
};

typedef struct panel {
    const rp_scene_export *export;
    const reprise_plot_options *options;
    rp_writer *w;
    const rp_plot *plot;
    double x, y, width, height; /* area inside the axes */
    double rest;                /* width of the unreadable part after it */
    double duration;
    double low, high; /* values at the edges */
    double step;      /* between lines */
} panel;

/* ---- scales ---- */

double rp_plot_axis(double *low, double *high)
{
    static const double steps[] = {1, 2, 5, 10, 20};
    double power = pow(10, floor(log10((*high - *low) / 6)));
    double step = power, from = *low, to = *high;
    for (size_t i = 0; i < RP_COUNT(steps); i++) {
        step = steps[i] * power;
        from = floor(*low / step + 1e-9) * step;
        to = ceil(*high / step - 1e-9) * step;
        if (lround((to - from) / step) <= 6)
            break;
    }
    *low = from;
    *high = to;
    return step;
}

double rp_plot_step(double range)
{
    static const double steps[] = {1, 2, 5, 10};
    if (!(range > 0) || !isfinite(range))
        return 1;
    double power = pow(10, floor(log10(range / 7)));
    for (size_t i = 0; i < RP_COUNT(steps); i++) {
        if (floor(range / (steps[i] * power)) + 1 <= 7.5)
            return steps[i] * power;
    }
    return 20 * power;
}

double rp_plot_time_step(double seconds, double width_px)
{
    static const double steps[] = {0.1, 0.2, 0.5, 1,    2,    5,    10,    15,    30,    60,   120,
                                   300, 600, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400};
    for (size_t i = 0; i < RP_COUNT(steps); i++) {
        if (steps[i] / seconds * width_px >= 80)
            return steps[i];
    }
    return seconds > 0 ? seconds : 1;
}

static double x_of(const panel *p, double time)
{
    return p->x + p->width * (p->duration > 0 ? time / p->duration : 0);
}

static double y_of(const panel *p, double value)
{
    double share = (value - p->low) / (p->high - p->low);
    return p->y + p->height * (1 - fmin(fmax(share, 0), 1));
}

static bool chosen(const panel *p, const rp_series *s)
{
    return !p->options->players || s->player < 0 || s->player >= 64 ||
           p->options->players >> s->player & 1;
}

/* On/off series, one lane above the other. */
static bool is_lanes(const panel *p)
{
    return strcmp(p->plot->kind, "lanes") == 0;
}

/* Fits the scale to the visible values; false if there are none. */
static bool is_stack(const panel *p)
{
    return strcmp(p->plot->kind, "stack") == 0;
}

/* Series of a stack have the same times; returns the sum of the series below one. */
static double below(const panel *p, size_t index, size_t at)
{
    double sum = 0;
    for (size_t i = index + 1; i < p->plot->series_count; i++) {
        const rp_series *s = p->plot->series[i];
        if (at < s->count && !isnan(s->last[at]))
            sum += (double)s->last[at];
    }
    return sum;
}

static bool fit(panel *p)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < p->plot->series_count; i++) {
        const rp_series *s = p->plot->series[i];
        for (size_t j = 0; chosen(p, s) && j < s->count; j++) {
            if (!isfinite(s->low[j]) || !isfinite(s->high[j]))
                continue;
            double under = is_stack(p) ? below(p, i, j) : 0;
            low = fmin(low, (double)s->low[j]);
            high = fmax(high, under + (double)s->high[j]);
        }
    }
    bool any = low <= high;
    if (is_lanes(p)) {
        p->low = 0;
        p->high = (double)RP_MAX(p->plot->series_count, 1);
        return any;
    }
    if (p->plot->high > p->plot->low) {
        low = p->plot->low;
        high = p->plot->high;
    }
    if (!(low <= high))
        low = 0, high = 1;
    if (low > 0 && (low < high / 2 || is_stack(p) || strcmp(p->plot->kind, "bars") == 0))
        low = 0;
    /* A constant is drawn in the upper half above zero instead of between made-up fractions. */
    if (high - low < 1e-9 * fmax(1, fabs(high))) {
        double value = high;
        low = fmin(value * 1.25, 0);
        high = value > 0 ? value * 1.25 : value < 0 ? 0 : 1;
    }
    p->step = rp_plot_axis(&low, &high);
    p->low = low;
    p->high = high;
    return any;
}

/* ---- texts ---- */

static void say_value(char *to, size_t size, double value, double step)
{
    if (fabs(value) >= 1e6)
        snprintf(to, size, "%.4gM", value / 1e6);
    else if (fabs(value) >= 1e4)
        snprintf(to, size, "%.4gk", value / 1e3);
    else if (step >= 1)
        snprintf(to, size, "%.0f", value);
    else
        snprintf(to, size, "%.*f", (int)rp_whole_i32(fmin(ceil(-log10(step) - 1e-9), 9)), value);
}

static void say_time(char *to, size_t size, double seconds, double step)
{
    long long whole = (long long)rp_whole(floor(seconds + 1e-6));
    int tenths = step < 1 ? (int)lround((seconds - (double)whole) * 10) : 0;
    if (whole >= 3600)
        snprintf(to, size, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    else if (step < 1)
        snprintf(to, size, "%lld:%02lld.%d", whole / 60, whole % 60, tenths);
    else
        snprintf(to, size, "%lld:%02lld", whole / 60, whole % 60);
}

/* ---- axes ---- */

static double lane_of(const panel *p, size_t index, double value)
{
    return (double)(p->plot->series_count - 1 - index) + 0.1 + 0.7 * value;
}

/* Beside its lane; a long name is written smaller so that it fits. */
static void put_lane_name(const panel *p, double y, const char *from)
{
    enum { LETTERS = 8, LETTERS_MAX = 12 };
    char name[LETTERS_MAX + 1];
    rp_text_copy(name, sizeof name, from);
    if (strlen(name) <= LETTERS) {
        rp_svg_label(p->w, p->x - 6, y, "a e", name);
        return;
    }
    rp_put_format(p->w, "<text x=\"%.1f\" y=\"%.1f\" class=\"a e\" style=\"font-size:%.1fpx\">",
                  p->x - 6, y, 11.0 * LETTERS / (double)strlen(name));
    rp_svg_text(p->w, name);
    rp_put_text(p->w, "</text>\n");
}

static void put_lanes(const panel *p)
{
    for (size_t i = 0; i < p->plot->series_count; i++) {
        double y = y_of(p, lane_of(p, i, 0));
        rp_put_format(p->w, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>\n", p->x, y, p->width);
        put_lane_name(p, y - 2, p->plot->series[i]->name);
    }
}

/* Below its line, but within the picture. */
static void put_time(const panel *p, double x, const char *text)
{
    double edge = p->x + p->width + p->rest + RIGHT, y = p->y + p->height + 18;
    bool over = x + 3.5 * (double)strlen(text) > edge;
    rp_svg_label(p->w, over ? edge : x, y, over ? "a e" : "a m", text);
}

static void put_grid(const panel *p)
{
    char text[48];
    double step = is_lanes(p) ? 1 : p->step;
    if (is_lanes(p))
        put_lanes(p);
    for (double v = p->low; v <= p->high + step / 2 && !is_lanes(p); v += step) {
        double at = fabs(v) < step / 1e6 ? 0 : v;
        rp_put_format(p->w, "<path class=\"%s\" d=\"M%.1f %.1fh%.1f\"/>\n",
                      at == 0 && p->low < 0 ? "z" : "g", p->x, y_of(p, at), p->width);
        say_value(text, sizeof text, at, step);
        rp_svg_label(p->w, p->x - 6, y_of(p, at) + 4, "a e", text);
    }
    double time_step = rp_plot_time_step(p->duration, p->width);
    for (double t = 0; t <= p->duration * (1 + 1e-9) && p->duration > 0; t += time_step) {
        rp_put_format(p->w, "<path class=\"g\" d=\"M%.1f %.1fv%.1f\"/>\n", x_of(p, t), p->y,
                      p->height);
        say_time(text, sizeof text, t, time_step);
        put_time(p, x_of(p, t), text);
    }
}

static void put_band(const panel *p, const reprise_value *band, double from, double to)
{
    const char *kind = rp_get_text(band, "kind"), *text = rp_get_text(band, "text");
    double x = x_of(p, from), width = x_of(p, to) - x;
    if (kind && strcmp(kind, "pause") == 0)
        rp_svg_hatch(p->w, x, p->y, width, p->height, "p", text ? text : kind);
    else
        rp_put_format(p->w,
                      "<rect class=\"n\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                      x, p->y, width, p->height);
}

/* Busy spans, drawn below everything else, and pauses. */
static void put_bands(const panel *p)
{
    const reprise_value *bands = rp_get(p->export->timeline.root, "bands");
    for (size_t i = 0; i < reprise_value_count(bands); i++) {
        const reprise_value *band = reprise_value_at(bands, i);
        double from = fmax(reprise_value_double(rp_get(band, "t0"), 0), 0);
        double to = fmin(reprise_value_double(rp_get(band, "t1"), 0), p->duration);
        int64_t player = reprise_value_int(rp_get(band, "player"), -1);
        bool theirs = !p->options->players || player < 0 || player >= 64 ||
                      p->options->players >> player & 1;
        if (theirs && from < to)
            put_band(p, band, from, to);
    }
}

/* ---- the unreadable part ---- */

static const char *why_unread(const reprise_value *warning)
{
    const char *level = rp_get_text(warning, "level"), *text = rp_get_text(warning, "text");
    bool unread = level && strcmp(level, "note") != 0 && rp_get(warning, "t0");
    return unread ? text ? text : "unreadable" : NULL;
}

/* The length of the unreadable part is unknown; it gets a fixed width. */
static double rest_of(const panel *p)
{
    const reprise_value *warnings = p->export->timeline.warnings;
    for (size_t i = 0; i < reprise_value_count(warnings); i++) {
        const reprise_value *warning = reprise_value_at(warnings, i);
        if (why_unread(warning) &&
            reprise_value_double(rp_get(warning, "t0"), 0) >= p->duration * (1 - 1e-6))
            return REST_PX;
    }
    return 0;
}

static void put_unread(const panel *p)
{
    const reprise_value *warnings = p->export->timeline.warnings;
    double end = p->x + p->width;
    for (size_t i = 0; i < reprise_value_count(warnings); i++) {
        const reprise_value *warning = reprise_value_at(warnings, i);
        const char *why = why_unread(warning);
        if (!why)
            continue;
        double from = fmax(reprise_value_double(rp_get(warning, "t0"), 0), 0);
        double to = reprise_value_double(rp_get(warning, "t1"), p->duration);
        bool at_end = p->rest > 0 && from >= p->duration * (1 - 1e-6);
        double x0 = p->duration > 0 && at_end ? end : fmin(x_of(p, from), end - GAP_MIN_PX);
        double x1 = at_end ? end + p->rest : fmin(fmax(x_of(p, to), x0 + GAP_MIN_PX), end);
        rp_svg_hatch(p->w, x0, p->y, x1 - x0, p->height, "h", why);
    }
}

/* ---- names ---- */

static size_t slot_of(const panel *p, size_t index)
{
    const rp_series *s = p->plot->series[index];
    return (s->player >= 0 && !is_lanes(p) ? (size_t)s->player : index) % RP_SVG_SLOTS;
}

/* Lanes show their names beside them instead. */
static void put_legend(panel *p)
{
    rp_legend legend = {.count = 0};
    for (size_t i = 0; i < p->plot->series_count && !is_lanes(p); i++) {
        if (chosen(p, p->plot->series[i]))
            rp_legend_add(&legend, p->plot->series[i]->name, slot_of(p, i));
    }
    double width = p->width + p->rest;
    unsigned most = rp_whole_u32(fmax((p->height - AREA_MIN_PX) / RP_LEGEND_LINE_PX, 0));
    unsigned lines = rp_legend_lines(&legend, width, most);
    rp_legend_put(&legend, p->w, p->x, p->y + (lines ? 9 : -22), width, lines);
    p->y += lines * (double)RP_LEGEND_LINE_PX;
    p->height -= lines * (double)RP_LEGEND_LINE_PX;
}

static void put_markers(const panel *p)
{
    const rp_timeline *t = &p->export->timeline;
    const rp_marker *m = t->markers.items;
    const char *const *texts = t->marker_texts.texts.items;
    double last = -MARKER_PX;
    for (size_t i = 0; i < t->markers.count; i++) {
        if (m[i].weight < 3 || m[i].time < 0 || (double)m[i].time > p->duration)
            continue;
        /* One marker per place is enough. */
        if (x_of(p, (double)m[i].time) - last < MARKER_PX)
            continue;
        last = x_of(p, (double)m[i].time);
        rp_put_format(p->w, "<path class=\"k\" d=\"M%.1f %.1fl-4 -8h8z\"><title>",
                      x_of(p, (double)m[i].time), p->y + 8);
        rp_svg_text(p->w, texts[m[i].text]);
        rp_put_text(p->w, "</title></path>\n");
    }
}

/* ---- series ---- */

/* At most two points per column of pixels: the extremes, in order of time. */
typedef struct column {
    bool any;
    double first_y, low, high, last_y;
} column;

static void put_line(const panel *p, const rp_series *s)
{
    double end = p->x + p->width;
    bool broken = true;
    double last_x = -1;
    column c = {0};
    for (size_t i = 0; i <= s->count; i++) {
        bool none = i == s->count || isnan(s->last[i]);
        double x = none ? -2 : floor(x_of(p, (double)s->time[i]));
        if (c.any && x != last_x) {
            rp_put_format(p->w, "%s%.1f %.1f", broken ? "M" : "L", last_x + 0.5, c.first_y);
            if (c.high - c.low > 0.2)
                rp_put_format(p->w, "V%.1fV%.1fV%.1f", c.low, c.high, c.last_y);
            else if (broken && none) /* a single point is visible too */
                rp_put_text(p->w, last_x + 5 > end ? "h-4" : "h4");
            broken = false;
            c.any = false;
        }
        if (none) {
            broken = true;
            continue;
        }
        double y0 = y_of(p, (double)s->high[i]), y1 = y_of(p, (double)s->low[i]);
        double y = y_of(p, (double)s->last[i]);
        c = c.any ? (column){true, c.first_y, fmin(c.low, y0), fmax(c.high, y1), y}
                  : (column){true, y, y0, y1, y};
        last_x = x;
    }
}

/* A block while the series is on. */
static void put_lane(const panel *p, const rp_series *s, size_t index)
{
    double low = y_of(p, lane_of(p, index, 0)), high = y_of(p, lane_of(p, index, 1));
    for (size_t i = 0; i < s->count; i++) {
        double from = x_of(p, (double)s->time[i]);
        double to = i + 1 < s->count ? x_of(p, (double)s->time[i + 1]) : p->x + p->width;
        if (s->high[i] > 0)
            rp_put_format(p->w, "M%.1f %.1fV%.1fH%.1fV%.1fz", from, low, high, fmax(to, from + 0.5),
                          low);
    }
}

static void put_steps(const panel *p, const rp_series *s)
{
    bool broken = true;
    for (size_t i = 0; i < s->count; i++) {
        double x = x_of(p, (double)s->time[i]);
        if (isnan(s->last[i])) {
            if (!broken)
                rp_put_format(p->w, "H%.1f", x);
            broken = true;
            continue;
        }
        double value = (double)s->last[i];
        double y = y_of(p, value);
        rp_put_format(p->w, broken ? "M%.1f %.1f" : "H%.1fV%.1f", x, y);
        broken = false;
    }
    if (!broken)
        rp_put_format(p->w, "H%.1f", p->x + p->width);
}

static void put_bars(const panel *p, const rp_series *s, size_t index)
{
    double count = (double)RP_MAX(p->plot->series_count, 1);
    for (size_t i = 0; i < s->count; i++) {
        double from = x_of(p, (double)s->time[i]);
        double to = i + 1 < s->count ? x_of(p, (double)s->time[i + 1]) : p->x + p->width;
        double width = fmax((to - from) / count - 1, 1), y = y_of(p, (double)s->last[i]);
        if (!isnan(s->last[i]))
            rp_put_format(p->w, "M%.1f %.1fh%.1fV%.1fh%.1fz", from + (double)index * (width + 1), y,
                          width, y_of(p, p->low), -width);
    }
}

static void put_stack(const panel *p, const rp_series *s, size_t index)
{
    for (size_t i = 0; i < s->count; i++) {
        double from = x_of(p, (double)s->time[i]), under = below(p, index, i);
        double to = i + 1 < s->count ? x_of(p, (double)s->time[i + 1]) : p->x + p->width;
        if (s->last[i] > 0)
            rp_put_format(p->w, "M%.1f %.1fH%.1fV%.1fH%.1fz", from,
                          y_of(p, under + (double)s->last[i]), fmax(to - 1, from + 1),
                          y_of(p, under), from);
    }
}

static void put_series(const panel *p, const rp_series *s, size_t index)
{
    bool bars = strcmp(p->plot->kind, "bars") == 0;
    bool filled = bars || is_lanes(p) || is_stack(p);
    rp_put_format(p->w, "<path class=\"%s s%zu\" d=\"", filled ? "b" : "l", slot_of(p, index));
    if (is_lanes(p))
        put_lane(p, s, index);
    else if (is_stack(p))
        put_stack(p, s, index);
    else if (bars)
        put_bars(p, s, index);
    else if (strcmp(p->plot->kind, "line") == 0)
        put_line(p, s);
    else
        put_steps(p, s);
    rp_put_text(p->w, "\"/>\n");
}

/* ---- the picture ---- */

static bool is_path(const char *id)
{
    return strcmp(id, "path") == 0;
}

/* ---- markers by kind ---- */

/* A marker is drawn as a block of this share of the length, so that it is visible. */
static const double marker_share = 1.0 / 220;

static void add_kind(rp_timeline *t, rp_plot *plot, uint32_t kind, double duration)
{
    double seen_s = duration * marker_share;
    const rp_marker *m = t->markers.items;
    rp_series *s = rp_plot_series(t, plot, rp_dictionary_text(&t->marker_kinds, kind), -1);
    double until = -1;
    for (size_t i = 0; i < t->markers.count; i++) {
        double time = fmax(fmin((double)m[i].time, duration - seen_s), 0);
        if (m[i].kind != kind)
            continue;
        if (until >= 0 && time > until)
            rp_series_add(t, s, until, 0);
        if (until < 0 || time > until)
            rp_series_add(t, s, time, 1);
        until = time + seen_s;
    }
    rp_series_add(t, s, until, 0);
}

/* Adds a lane for each kind of marker, on request. */
static reprise_status add_timeline(rp_scene_export *export, reprise_error *error)
{
    rp_timeline *t = &export->timeline;
    t->doc.error = error;
    rp_plot *plot = rp_timeline_plot(t, "timeline", "Timeline", "", "lanes", 0, 1);
    for (uint32_t i = 0; plot && i < t->marker_kinds.texts.count; i++)
        add_kind(t, plot, i, rp_scene_duration(&export->scene));
    if (error->status == REPRISE_OK)
        rp_timeline_push_plot(t, rp_get(t->root, "plots"), plot);
    return error->status;
}

static bool is_timeline(const rp_plot *plot)
{
    return strcmp(plot->id, "timeline") == 0;
}

static reprise_status make_timeline(rp_scene_export *export, const reprise_plot_options *o,
                                    reprise_error *error)
{
    const rp_vector *plots = &export->timeline.plots;
    bool wanted = false;
    for (size_t i = 0; i < o->plot_count; i++)
        wanted |= strcmp(o->plots[i], "timeline") == 0;
    for (size_t i = 0; i < plots->count; i++)
        wanted &= !is_timeline(((rp_plot **)plots->items)[i]);
    return wanted ? add_timeline(export, error) : REPRISE_OK;
}

/* A plot over time; NULL without an error for "path". */
static const rp_plot *find_plot(const rp_scene_export *export, const char *id, reprise_error *error)
{
    const rp_timeline *t = &export->timeline;
    bool has_path = rp_path_has(export);
    if (has_path && is_path(id))
        return NULL;
    char known[160] = "";
    size_t size = 0;
    for (size_t i = 0; i < t->plots.count; i++) {
        const rp_plot *plot = ((rp_plot **)t->plots.items)[i];
        if (strcmp(plot->id, id) == 0)
            return plot;
        int n = snprintf(known + size, sizeof known - size, " %s", plot->id);
        size = RP_MIN(size + (size_t)RP_MAX(n, 0), sizeof known - 1);
    }
    rp_error_set(error, REPRISE_E_USAGE, "this replay has no plot '%s'", id);
    rp_error_hint(error, "it has%s timeline%s", known, has_path ? " path" : "");
    return NULL;
}

static void put_panel(panel *p, bool *empty)
{
    bool any = fit(p);
    rp_svg_label(p->w, p->x, p->y - 22, "t", p->plot->title);
    rp_svg_label(p->w, p->x, p->y - 7, "a", p->plot->unit);
    put_legend(p);
    put_bands(p);
    put_grid(p);
    put_unread(p);
    if (!any) {
        double x = p->x + p->width / 2, y = p->y + p->height / 2;
        rp_put_format(p->w,
                      "<rect class=\"bg\" x=\"%.1f\" y=\"%.1f\" width=\"72\" height=\"20\"/>\n",
                      x - 36, y - 14);
        rp_svg_label(p->w, x, y, "a m", "no values");
        *empty = true;
        return;
    }
    for (size_t i = 0; i < p->plot->series_count; i++) {
        if (chosen(p, p->plot->series[i]) && p->plot->series[i]->count)
            put_series(p, p->plot->series[i], i);
    }
    put_markers(p);
}

/* A path from above is square, whatever the height of the other plots. */
static unsigned height_of(const reprise_plot_options *o, size_t plot)
{
    return is_path(o->plots[plot]) && !o->side ? o->width_px : o->height_px;
}

static void put_head(const rp_scene_export *export, const reprise_plot_options *o, rp_writer *w)
{
    unsigned height = 0;
    for (size_t i = 0; i < o->plot_count; i++)
        height += height_of(o, i);
    rp_put_format(w,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%u\" "
                  "height=\"%u\" viewBox=\"0 0 %u %u\">\n<title>",
                  o->width_px, height, o->width_px, height);
    const char *title = rp_get_text(export->timeline.source, "title");
    rp_svg_text(w, title ? title : "replay");
    rp_put_text(w, "</title>\n<desc>");
    const reprise_value *plots = rp_get(export->timeline.root, "plots");
    for (size_t i = 0; i < o->plot_count; i++) {
        for (size_t j = 0; j < reprise_value_count(plots); j++) {
            const reprise_value *plot = reprise_value_at(plots, j);
            const char *id = rp_get_text(plot, "id");
            const char *summary = rp_get_text(plot, "summary");
            if (id && summary && strcmp(id, o->plots[i]) == 0) {
                rp_put_text(w, i ? "; " : "");
                rp_svg_text(w, summary);
            }
        }
    }
    rp_put_text(w, "</desc>\n");
    rp_svg_style(w, o->theme);
    rp_put_format(w, "<rect class=\"bg\" width=\"%u\" height=\"%u\"/>\n", o->width_px, height);
}

/* The axis has the length that `info` gives, and of a damaged file what was read. */
static double length_of(const rp_scene_export *export)
{
    double shown = rp_scene_duration(&export->scene);
    return export->damage.status == REPRISE_OK ? fmax(shown, export->scene.length) : shown;
}

/* The panels, one below the other. */
static reprise_status put_panels(rp_scene_export *export, const reprise_plot_options *o,
                                 rp_writer *w, bool *empty, reprise_error *error)
{
    double top = 0;
    for (size_t i = 0; i < o->plot_count; i++) {
        const rp_plot *plot = find_plot(export, o->plots[i], error);
        if (!plot) {
            bool any = false;
            RP_TRY(rp_path_draw(export, o, top, w, &any, error));
            *empty |= !any;
        } else {
            panel p = {.export = export,
                       .options = o,
                       .w = w,
                       .plot = plot,
                       .x = LEFT,
                       .y = top + TOP,
                       .width = (double)o->width_px - LEFT - RIGHT,
                       .height = (double)o->height_px - TOP - BOTTOM,
                       .duration = length_of(export)};
            p.rest = rest_of(&p);
            p.width -= p.rest;
            put_panel(&p, empty);
        }
        top += height_of(o, i);
    }
    return REPRISE_OK;
}

reprise_status rp_plot_write(rp_scene_export *export, const reprise_plot_options *o, rp_writer *w,
                             bool *ret_empty, reprise_error *error)
{
    if (!o->plot_count || o->width_px < 200 || o->width_px > COLUMNS_MAX || o->height_px < 120 ||
        o->height_px > COLUMNS_MAX)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "a plot is 200 to %d pixels wide and 120 to %d high", COLUMNS_MAX,
                            COLUMNS_MAX);
    RP_TRY(make_timeline(export, o, error));
    for (size_t i = 0; i < o->plot_count; i++) {
        if (!find_plot(export, o->plots[i], error) && error->status != REPRISE_OK)
            return error->status;
    }
    put_head(export, o, w);
    bool empty = false;
    RP_TRY(put_panels(export, o, w, &empty, error));
    rp_put_text(w, "</svg>\n");
    RP_TRY(error->status);
    *ret_empty = empty;
    return REPRISE_OK;
}
