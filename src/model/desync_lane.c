/* desync_lane.c - see desync_lane.h. */
#include "desync_lane.h"

#include <math.h>
#include <stdlib.h>

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

typedef struct lane {
    const rp_scene *scene;
    rp_timeline *timeline;
    rp_series *same, *differs;
    rp_table *table;
    rp_desync_watch watch;
    span now; /* zero frames: not started */
} lane;

static int by_frame(const void *a, const void *b)
{
    const rp_foreign_sum *x = a, *y = b;
    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

static void end_span(lane *t)
{
    const span *s = &t->now;
    double from = rp_scene_time(t->scene, s->from), to = rp_scene_time(t->scene, s->to);
    if (!s->frames || to < 0)
        return;
    from = fmax(from, 0);
    if (!rp_scene_contains(t->scene, from))
        return;
    const rp_cell cells[RP_COUNT(columns)] = {
        {.number = from},
        {.number = fmin(to, rp_scene_duration(t->scene))},
        {.number = (double)s->frame},
        {.number = (double)s->frames},
        {.text = s->differs ? "differ" : "same"},
    };
    rp_table_row(t->timeline, t->table, cells);
    rp_series_add(t->timeline, t->same, from, !s->differs);
    rp_series_add(t->timeline, t->differs, from, s->differs);
    if (s->differs)
        rp_timeline_marker(t->timeline, from, "desync", -1, 5, "Game states differ");
}

static void begin(lane *t)
{
    rp_plot *plot = rp_timeline_plot(t->timeline, "sync", "Sync hashes of the clients", "", "lanes",
                                     0, 1);
    t->same = rp_plot_series(t->timeline, plot, "same", -1);
    t->differs = rp_plot_series(t->timeline, plot, "differ", -1);
    t->table = rp_timeline_table(t->timeline, "sync", "Sync", "t", columns, RP_COUNT(columns));
}

/* Adds the hashes of one frame. Those of a single client cannot be compared. */
static void add_frame(lane *t, const rp_foreign_sum *sums, size_t count)
{
    const rp_desync_frame *frame = NULL;
    for (size_t i = 0; i < count; i++)
        frame = rp_desync_watch_add(&t->watch, sums[i].frame, sums[i].client, sums[i].sum);
    if (!frame || !frame->compared)
        return;
    bool differs = frame->differs;
    if (!t->table)
        begin(t);
    if (t->now.frames && t->now.differs != differs) {
        end_span(t);
        t->now.frames = 0;
    }
    if (!t->now.frames)
        t->now = (span){.from = sums[0].time, .frame = sums[0].frame, .differs = differs};
    t->now.to = sums[count - 1].time;
    t->now.frames++;
}

void rp_desync_lane_add(const rp_scene *scene, rp_timeline *timeline, rp_foreign *foreign)
{
    rp_foreign_sum *sums = foreign->sums.items;
    size_t count = foreign->sums.count;
    if (!count)
        return;
    lane *t = rp_alloc_zero(timeline->context, 1, sizeof *t, timeline->doc.error);
    if (!t)
        return;
    t->scene = scene;
    t->timeline = timeline;
    qsort(sums, count, sizeof *sums, by_frame);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sums[next].frame == sums[i].frame; next++)
            continue;
        add_frame(t, sums + i, next - i);
    }
    end_span(t);
    rp_free(timeline->context, t, sizeof *t);
}
