/* desync_lane.c - see desync_lane.h. */
#include "desync_lane.h"

#include <math.h>

#include "desync.h"

static const rp_table_column columns[] = {
    {"t", "From", "s", RP_CELL_F32},
    {"to", "To", "s", RP_CELL_F32},
    {"frame", "First frame", NULL, RP_CELL_I32},
    {"frames", "Frames compared", NULL, RP_CELL_I32},
    {"worlds", "Game states", NULL, RP_CELL_TEXT},
};

/* Consecutive frames with the same result. */
typedef struct span {
    double from, to;
    int64_t frame;
    uint64_t frames;
    bool differs;
} span;

struct rp_desync_lane {
    rp_context *context;
    rp_desync_watch watch;
    rp_vector spans; /* span */
};

rp_desync_lane *rp_desync_lane_new(rp_context *context, reprise_error *error)
{
    rp_desync_lane *lane = rp_alloc_zero(context, 1, sizeof *lane, error);
    if (lane)
        lane->context = context;
    return lane;
}

void rp_desync_lane_free(rp_desync_lane *lane)
{
    if (!lane)
        return;
    rp_vector_free(lane->context, &lane->spans, sizeof(span));
    rp_free(lane->context, lane, sizeof *lane);
}

/* The hashes of a single client cannot be compared. */
void rp_desync_lane_add(rp_desync_lane *lane, const rp_foreign_sum *sums, size_t count,
                        reprise_error *error)
{
    const rp_desync_frame *frame = NULL;
    for (size_t i = 0; i < count; i++)
        frame = rp_desync_watch_add(&lane->watch, sums[i].frame, sums[i].client, sums[i].sum);
    if (!frame || !frame->compared)
        return;
    span *last = lane->spans.count ? (span *)lane->spans.items + lane->spans.count - 1 : NULL;
    if (!last || last->differs != frame->differs) {
        last = rp_vector_add(lane->context, &lane->spans, sizeof *last, error);
        if (!last)
            return;
        *last = (span){.from = sums[0].time, .frame = sums[0].frame, .differs = frame->differs};
    }
    last->to = sums[count - 1].time;
    last->frames++;
}

/* ---- the end ---- */

/* Where spans are shown. */
typedef struct panel {
    const rp_scene *scene;
    rp_timeline *timeline;
    rp_series *same, *differs;
    rp_table *table;
} panel;

static void show_span(const panel *p, const span *s)
{
    double from = rp_scene_time(p->scene, s->from), to = rp_scene_time(p->scene, s->to);
    if (to < 0)
        return;
    from = fmax(from, 0);
    if (!rp_scene_contains(p->scene, from))
        return;
    const rp_cell cells[RP_COUNT(columns)] = {
        {.number = from},
        {.number = fmin(to, rp_scene_duration(p->scene))},
        {.number = (double)s->frame},
        {.number = (double)s->frames},
        {.text = s->differs ? "differ" : "same"},
    };
    rp_table_row(p->timeline, p->table, cells);
    rp_series_add(p->timeline, p->same, from, !s->differs);
    rp_series_add(p->timeline, p->differs, from, s->differs);
    if (s->differs)
        rp_timeline_marker(p->timeline, from, "desync", -1, 5, "Game states differ");
}

void rp_desync_lane_show(const rp_desync_lane *lane, const rp_scene *scene, rp_timeline *timeline)
{
    const span *spans = lane->spans.items;
    if (!lane->spans.count)
        return;
    rp_plot *plot = rp_timeline_plot(timeline, "sync", "Sync hashes of the clients", "", "lanes", 0,
                                     1);
    panel p = {
        .scene = scene,
        .timeline = timeline,
        .same = rp_plot_series(timeline, plot, "same", -1),
        .differs = rp_plot_series(timeline, plot, "differ", -1),
        .table = rp_timeline_table(timeline, "sync", "Sync", "t", columns, RP_COUNT(columns))};
    for (size_t i = 0; i < lane->spans.count; i++)
        show_span(&p, &spans[i]);
}
