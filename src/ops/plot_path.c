/*
 * plot_path.c - see plot_path.h. The timeline has the paths of families that know them; for others,
 * the paths are the keys of scene nodes that move on their own.
 */
#include "plot_path.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "legend.h"
#include "plot.h"
#include "whole.h"

enum { MARGIN = 56, TOP = 56, BOTTOM = 56, PATHS_MAX = 32, RAMP = 24, AREA_MIN_PX = 40 };

typedef struct path {
    const char *name;
    int32_t player;
    const rp_path_point *points;
    size_t count;
} path;

typedef struct drawing {
    const reprise_plot_options *options;
    rp_writer *w;
    path paths[PATHS_MAX];
    size_t path_count;
    rp_vector spare[PATHS_MAX]; /* positions owned here */
    double low_x, low_z, high_x, high_z;
    double x, y, size, deep; /* of the drawing area: width and height */
    double scale, scale_z;   /* pixels per metre; both are equal from above */
    double fastest;
    bool crowded; /* too many to distinguish: thin lines, and players instead of objects */
} drawing;

/* ---- what there is ---- */

/* The root of a figure does not move; its parts do. */
static bool is_part_of_figure(const rp_node *nodes, const rp_node *node)
{
    if (node->parent < 0)
        return false;
    const rp_node *above = &nodes[node->parent];
    return above->parent >= 0 || !above->kind || strcmp(above->kind, "figure") != 0;
}

/* Short-lived nodes and cameras have no path. */
static bool moves_on_its_own(const rp_node *nodes, const rp_node *node)
{
    static const char *const others[] = {"arrow", "ping", "event", "view", "overview", "RockCam"};
    const rp_channel *c = node->channels[RP_CHANNEL_POSITION];
    if (is_part_of_figure(nodes, node) || !c || !rp_channel_moves(c))
        return false;
    for (size_t i = 0; node->kind && i < RP_COUNT(others); i++) {
        if (strcmp(node->kind, others[i]) == 0)
            return false;
    }
    return true;
}

bool rp_path_has(const rp_scene_export *export)
{
    if (export->timeline.paths.count)
        return true;
    for (size_t i = 0; i < export->scene.nodes.count; i++) {
        const rp_node *nodes = rp_scene_nodes(&export->scene);
        if (moves_on_its_own(nodes, &nodes[i]))
            return true;
    }
    return false;
}

typedef struct key_reader {
    rp_vector *to;
    rp_context *context;
    reprise_error *error;
    size_t at;    /* floats read so far */
    float *times; /* of the keys, already read */
    uint64_t count;
} key_reader;

static int take_times(void *ctx, const void *data, size_t size)
{
    key_reader *r = ctx;
    memcpy((uint8_t *)r->times + r->at, data, size);
    r->at += size;
    return 0;
}

static int take_points(void *ctx, const void *data, size_t size)
{
    key_reader *r = ctx;
    const uint8_t *bytes = data;
    for (size_t i = 0; i + 12 <= size; i += 12, r->at++) {
        rp_path_point *to = rp_vector_add(r->context, r->to, sizeof *to, r->error);
        if (!to)
            return -1;
        float value[3];
        memcpy(value, bytes + i, sizeof value);
        *to = (rp_path_point){.x = value[0], .z = value[2], .y = value[1]};
        if (!r->at)
            continue;
        double elapsed = (double)r->times[r->at] - (double)r->times[r->at - 1];
        double far = hypot((double)to->x - (double)to[-1].x, (double)to->z - (double)to[-1].z);
        to->leap = elapsed < 1e-4 && far > 0.01;
        to->speed = to->leap || elapsed <= 0 ? 0 : (float)(far / elapsed);
    }
    return 0;
}

/* Reads the keys of a channel as positions. The spool is little-endian, like this machine. */
static reprise_status read_keys(rp_scene *scene, const rp_channel *c, rp_vector *to,
                                reprise_error *error)
{
    key_reader reader = {.to = to, .context = scene->context, .error = error, .count = c->kept};
    reader.times = rp_alloc_zero(scene->context, (size_t)c->kept, sizeof(float), error);
    if (!reader.times)
        return error->status;
    reprise_sink times = {.ctx = &reader, .write = take_times};
    reprise_sink points = {.ctx = &reader, .write = take_points};
    rp_sink *sink = NULL;
    reprise_status status = rp_sink_open_callback(scene->context, &times, &sink, error);
    if (status == REPRISE_OK)
        status = rp_channel_write_times(&scene->keys, c, sink, error);
    rp_sink_close(sink);
    sink = NULL;
    reader.at = 0;
    if (status == REPRISE_OK)
        status = rp_sink_open_callback(scene->context, &points, &sink, error);
    if (status == REPRISE_OK)
        status = rp_channel_write_values(&scene->keys, c, sink, error);
    rp_sink_close(sink);
    rp_free(scene->context, reader.times, (size_t)c->kept * sizeof(float));
    return status;
}

static bool chosen(const drawing *p, int32_t player)
{
    return !p->options->players || player < 0 || player >= 64 || p->options->players >> player & 1;
}

static reprise_status collect(drawing *p, rp_scene_export *export, reprise_error *error)
{
    rp_path **paths = export->timeline.paths.items;
    for (size_t i = 0; i < export->timeline.paths.count && p->path_count < PATHS_MAX; i++) {
        if (chosen(p, paths[i]->player) && paths[i]->points.count)
            p->paths[p->path_count++] = (path){paths[i]->name, paths[i]->player,
                                               paths[i]->points.items, paths[i]->points.count};
    }
    if (export->timeline.paths.count)
        return REPRISE_OK;
    const rp_node *nodes = rp_scene_nodes(&export->scene);
    for (size_t i = 0; i < export->scene.nodes.count && p->path_count < PATHS_MAX; i++) {
        if (!moves_on_its_own(nodes, &nodes[i]) || !chosen(p, nodes[i].player))
            continue;
        rp_vector *spare = &p->spare[p->path_count];
        RP_TRY(read_keys(&export->scene, nodes[i].channels[RP_CHANNEL_POSITION], spare, error));
        p->paths[p->path_count++] = (path){nodes[i].name, nodes[i].player, spare->items,
                                           spare->count};
    }
    return REPRISE_OK;
}

/* Turns every path into a side view: distance travelled and height. */
static reprise_status make_side_view(drawing *p, rp_context *context, reprise_error *error)
{
    for (size_t i = 0; i < p->path_count; i++) {
        rp_vector aside = {0};
        double gone = 0;
        for (size_t j = 0; j < p->paths[i].count; j++) {
            const rp_path_point *at = &p->paths[i].points[j];
            if (j && !at->leap)
                gone += hypot((double)at->x - (double)at[-1].x, (double)at->z - (double)at[-1].z);
            rp_path_point *to = rp_vector_add(context, &aside, sizeof *to, error);
            if (!to)
                break;
            *to = *at;
            to->x = (float)gone;
            to->z = -at->y;
        }
        rp_vector_free(context, &p->spare[i], sizeof(rp_path_point));
        p->spare[i] = aside;
        p->paths[i].points = aside.items;
        p->paths[i].count = aside.count;
        RP_TRY(error->status);
    }
    return REPRISE_OK;
}

/* ---- scale ---- */

static void fit(drawing *p)
{
    bool any = false;
    for (size_t i = 0; i < p->path_count; i++) {
        for (size_t j = 0; j < p->paths[i].count; j++) {
            const rp_path_point *at = &p->paths[i].points[j];
            double x = (double)at->x, z = (double)at->z;
            p->low_x = any ? fmin(p->low_x, x) : x;
            p->high_x = any ? fmax(p->high_x, x) : x;
            p->low_z = any ? fmin(p->low_z, z) : z;
            p->high_z = any ? fmax(p->high_z, z) : z;
            p->fastest = fmax(p->fastest, (double)at->speed);
            any = true;
        }
    }
    double wide = fmax(p->high_x - p->low_x, 1), deep = fmax(p->high_z - p->low_z, 1);
    if (!p->options->side)
        wide = deep = fmax(wide, deep);
    p->scale = p->size / (wide * 1.06);
    p->scale_z = p->deep / (deep * 1.06);
    if (!p->options->side)
        p->scale = p->scale_z = fmin(p->scale, p->scale_z);
}

static double px(const drawing *p, double x)
{
    return p->x + p->size / 2 + (x - (p->low_x + p->high_x) / 2) * p->scale;
}

static double py(const drawing *p, double z)
{
    return p->y + p->deep / 2 + (z - (p->low_z + p->high_z) / 2) * p->scale_z;
}

/* ---- drawing ---- */

/* Five stops of the viridis scale. */
static void colour_of(double share, char to[8])
{
    static const int ramp[5][3] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    double at = fmin(fmax(share, 0), 1) * 4;
    size_t i = rp_whole_size(fmin(at, 3));
    int rgb[3];
    for (size_t k = 0; k < 3; k++)
        rgb[k] = (int)lround(ramp[i][k] + (at - (double)i) * (ramp[i + 1][k] - ramp[i][k]));
    snprintf(to, 8, "#%02X%02X%02X", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255,
             (unsigned)rgb[2] & 255);
}

static void put_grid(const drawing *p)
{
    double step = rp_plot_step(p->size / p->scale), step_z = rp_plot_step(p->deep / p->scale_z);
    double half = p->size / 2 / p->scale, half_z = p->deep / 2 / p->scale_z;
    char text[48];
    double middle_x = (p->low_x + p->high_x) / 2, middle_z = (p->low_z + p->high_z) / 2;
    for (double v = ceil((middle_x - half) / step) * step; v <= middle_x + half; v += step)
        rp_put_format(p->w, "<path class=\"g\" d=\"M%.1f %.1fv%.1f\"/>\n", px(p, v), p->y, p->deep);
    for (double v = ceil((middle_z - half_z) / step_z) * step_z; v <= middle_z + half_z;
         v += step_z) {
        rp_put_format(p->w, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>\n", p->x, py(p, v), p->size);
        snprintf(text, sizeof text, "%.4g", fabs(v) < step_z / 1e6 ? 0 : -v);
        if (p->options->side)
            rp_svg_label(p->w, p->x - 6, py(p, v) + 4, "a e", text);
    }
    /* The scale bar is one square long. */
    double y = p->y + p->deep + 24;
    snprintf(text, sizeof text, step >= 1 ? "%.0f m" : "%.2g m", step);
    rp_put_format(p->w, "<path class=\"z\" d=\"M%.1f %.1fv8h%.1fv-8\"/>\n", p->x, y,
                  step * p->scale);
    rp_svg_label(p->w, p->x + step * p->scale + 8, y + 10, "a", text);
    rp_svg_label(p->w, p->x + p->size, y + 10, "a e",
                 p->options->side ? "height over distance travelled" : "seen from above, -z is up");
}

/* Jumps of position are drawn as dashed lines between their ends. */
static void put_leaps(const drawing *p, const path *v)
{
    bool any = false;
    for (size_t i = 1; i < v->count; i++) {
        const rp_path_point *a = &v->points[i - 1], *b = &v->points[i];
        if (!b->leap)
            continue;
        if (!any)
            rp_put_text(p->w, "<path class=\"z\" stroke-dasharray=\"4 4\" d=\"");
        rp_put_format(p->w, "M%.1f %.1fL%.1f %.1f", px(p, (double)a->x), py(p, (double)a->z),
                      px(p, (double)b->x), py(p, (double)b->z));
        any = true;
    }
    if (any)
        rp_put_text(p->w, "\"/>\n");
}

static size_t shade_of(const drawing *p, const rp_path_point *at)
{
    double share = p->fastest > 0 ? (double)at->speed / p->fastest : 0;
    return rp_whole_size(fmin(share * RAMP, RAMP - 1));
}

/* Points that fall on the same pixel are drawn once. */
static bool moved(const drawing *p, const rp_path_point *a, const rp_path_point *b)
{
    return fabs(px(p, (double)a->x) - px(p, (double)b->x)) >= 0.5 ||
           fabs(py(p, (double)a->z) - py(p, (double)b->z)) >= 0.5;
}

static void put_path(const drawing *p, const path *v, size_t index)
{
    bool by_speed = p->path_count == 1 && p->fastest > 0;
    size_t slot = (v->player >= 0 ? (size_t)v->player : index) % RP_SVG_SLOTS;
    size_t shade = RAMP;
    const rp_path_point *last = NULL;
    for (size_t i = 0; i < v->count; i++) {
        const rp_path_point *at = &v->points[i];
        bool starts = !last || at->leap;
        if (!starts && !moved(p, last, at) && i + 1 < v->count)
            continue;
        if (by_speed && shade_of(p, at) != shade) {
            char colour[8];
            shade = shade_of(p, at);
            colour_of((double)shade / (RAMP - 1), colour);
            rp_put_format(p->w, "%s<path class=\"w\" stroke=\"%s\" d=\"", last ? "\"/>\n" : "",
                          colour);
            if (last && !at->leap)
                rp_put_format(p->w, "M%.1f %.1f", px(p, (double)last->x), py(p, (double)last->z));
            starts = !last || at->leap;
        } else if (!last) {
            rp_put_format(p->w, "<path class=\"l s%zu\"%s d=\"", slot,
                          p->crowded ? " style=\"stroke-width:1\"" : "");
        }
        rp_put_format(p->w, "%s%.1f %.1f", starts ? "M" : "L", px(p, (double)at->x),
                      py(p, (double)at->z));
        last = at;
    }
    if (last)
        rp_put_text(p->w, "\"/>\n");
    put_leaps(p, v);
}

/* The start is a ring, the end a square. */
static void put_ends(const drawing *p, const path *v)
{
    const rp_path_point *a = &v->points[0], *b = &v->points[v->count - 1];
    rp_put_format(p->w, "<circle class=\"z\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"><title>",
                  px(p, (double)a->x), py(p, (double)a->z));
    rp_svg_text(p->w, v->name);
    rp_put_format(p->w,
                  ": start</title></circle>\n<rect class=\"z\" x=\"%.1f\" y=\"%.1f\" "
                  "width=\"10\" height=\"10\"><title>",
                  px(p, (double)b->x) - 5, py(p, (double)b->z) - 5);
    rp_svg_text(p->w, v->name);
    rp_put_text(p->w, ": end</title></rect>\n");
}

static void put_ramp(const drawing *p, const char *unit)
{
    double x = p->x + p->size - 240, width = 160.0 / RAMP;
    for (size_t i = 0; i < RAMP; i++) {
        char colour[8];
        colour_of((double)i / (RAMP - 1), colour);
        rp_put_format(p->w,
                      "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"8\" fill=\"%s\"/>\n",
                      x + (double)i * width, p->y - 28, width + 0.5, colour);
    }
    char text[64];
    snprintf(text, sizeof text, p->fastest >= 100 ? "%.0f %s" : "%.1f %s", p->fastest, unit);
    rp_svg_label(p->w, x - 8, p->y - 20, "a e", "0");
    rp_svg_label(p->w, x + 168, p->y - 20, "a", text);
}

/* Reduces the drawing area by the lines it needs. */
static void put_names(drawing *p, const rp_timeline *t)
{
    rp_legend legend = {.count = 0};
    size_t players = reprise_value_count(t->players);
    for (size_t i = 0; p->crowded && i < RP_MIN(players, RP_SVG_SLOTS); i++) {
        const char *name = rp_get_text(reprise_value_at(t->players, i), "name");
        if (chosen(p, (int32_t)i) && name)
            rp_legend_add(&legend, name, i);
    }
    for (size_t i = 0; !p->crowded && i < p->path_count; i++)
        rp_legend_add(&legend, p->paths[i].name,
                      p->paths[i].player >= 0 ? (size_t)p->paths[i].player : i);
    unsigned most = rp_whole_u32(fmax((p->deep - AREA_MIN_PX) / RP_LEGEND_LINE_PX, 0));
    unsigned lines = rp_legend_lines(&legend, p->size, most);
    rp_legend_put(&legend, p->w, p->x, p->y + (lines ? 3 : -20), p->size, lines);
    p->y += lines * (double)RP_LEGEND_LINE_PX;
    p->deep -= lines * (double)RP_LEGEND_LINE_PX;
    fit(p);
}

/* The unit of the plot of speed, where there is one. */
static const char *speed_unit(const rp_timeline *t)
{
    for (size_t i = 0; i < t->plots.count; i++) {
        const rp_plot *plot = ((rp_plot **)t->plots.items)[i];
        if (strcmp(plot->id, "speed") == 0)
            return plot->unit;
    }
    return "m/s";
}

static void draw(drawing *p, const rp_timeline *t)
{
    rp_svg_label(p->w, p->x, p->y - 32, "t", "Path");
    rp_svg_label(p->w, p->x, p->y - 16, "a", "metres");
    if (p->path_count == 1 && p->fastest > 0)
        put_ramp(p, speed_unit(t));
    else
        put_names(p, t);
    put_grid(p);
    if (!p->path_count) {
        rp_svg_label(p->w, p->x + p->size / 2, p->y + p->deep / 2, "a m", "no values");
        return;
    }
    for (size_t i = 0; i < p->path_count; i++)
        put_path(p, &p->paths[i], i);
    for (size_t i = 0; !p->crowded && i < p->path_count; i++)
        put_ends(p, &p->paths[i]);
}

reprise_status rp_path_draw(rp_scene_export *export, const reprise_plot_options *options,
                            double top, rp_writer *w, bool *ret_any, reprise_error *error)
{
    drawing p = {.options = options,
                 .w = w,
                 .x = MARGIN,
                 .y = top + TOP,
                 .size = (double)options->width_px - 2 * MARGIN};
    p.deep = options->side ? (double)options->height_px - TOP - BOTTOM : p.size;
    reprise_status status = collect(&p, export, error);
    if (status == REPRISE_OK && options->side)
        status = make_side_view(&p, export->scene.context, error);
    if (status == REPRISE_OK) {
        fit(&p);
        p.crowded = p.path_count > RP_SVG_SLOTS;
        draw(&p, &export->timeline);
        *ret_any = p.path_count > 0;
    }
    for (size_t i = 0; i < PATHS_MAX; i++)
        rp_vector_free(export->scene.context, &p.spare[i], sizeof(rp_path_point));
    return status != REPRISE_OK ? status : error->status;
}
