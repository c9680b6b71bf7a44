/* run_compare.c - see run_compare.h. */
#include "run_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "geometry.h"
#include "whole.h"

enum {
    COARSE_MAX = 1500,      /* positions of a run to match with all positions of the other */
    SECTIONS_MAX = 4096,    /* of one comparison */
    LANDINGS_APART_MAX = 64 /* ticks between landings that may be the same one */
};
static const double section_least_s = 1.5, section_most_s = 10;
static const float landing_m = 0.8f;
static const float far_m = 20; /* farther away, all positions are equally wrong */

typedef struct run {
    const rp_course_step *steps;
    size_t count;
    size_t stride, coarse; /* step between coarse positions, and their number */
} run;

/* A position that both runs pass. */
typedef struct cut {
    size_t a, b;
    bool landing;
} cut;

typedef struct match {
    run a, b;
    double tick_s;
    double *where; /* per step of a: the step of b at the same position, fractional */
    cut *cuts;
    size_t cut_count;
} match;

static run run_of(const rp_course *course)
{
    run r = {.steps = course->steps.items, .count = course->steps.count};
    r.stride = (r.count + COARSE_MAX - 2) / (COARSE_MAX - 1);
    r.coarse = (r.count - 1 + r.stride - 1) / r.stride + 1;
    return r;
}

/* The last coarse position is the last step. */
static size_t step_of(const run *r, size_t coarse)
{
    return RP_MIN(coarse * r->stride, r->count - 1);
}

/* ---- alignment ---- */

enum { FROM_BOTH, FROM_A, FROM_B };

/*
 * Dynamic time warping: the cheapest monotonic path through all pairs of positions, from both
 * starts to both ends; a pair costs its distance. `moves` has the predecessor of each pair.
 */
static void align(const match *m, float *before, float *row, uint8_t *moves)
{
    size_t wide = m->b.coarse;
    for (size_t i = 0; i < m->a.coarse; i++) {
        rp_vec3 at = m->a.steps[step_of(&m->a, i)].position;
        for (size_t j = 0; j < wide; j++) {
            float both = i && j ? before[j - 1] : INFINITY, up = i ? before[j] : INFINITY;
            float left = j ? row[j - 1] : INFINITY, least = fminf(both, fminf(up, left));
            moves[i * wide + j] = least == both ? FROM_BOTH : least == up ? FROM_A : FROM_B;
            row[j] = (i || j ? least : 0) +
                     fminf((float)rp_distance(at, m->b.steps[step_of(&m->b, j)].position), far_m);
        }
        memcpy(before, row, wide * sizeof *row);
    }
}

/* The first and last position of b for each of a. */
static void trace(const match *m, const uint8_t *moves, size_t *first, size_t *last)
{
    size_t i = m->a.coarse - 1, j = m->b.coarse - 1;
    last[i] = first[i] = j;
    while (i || j) {
        uint8_t move = moves[i * m->b.coarse + j];
        size_t was = i;
        i -= move != FROM_B && i > 0;
        j -= move != FROM_A && j > 0;
        if (i != was)
            last[i] = j;
        first[i] = j;
    }
}

/* The position of the nearest point between two steps, 0 to 1. */
static float nearest(rp_vec3 p, const rp_course_step *from, const rp_course_step *to,
                     float *ret_distance)
{
    rp_vec3 a = from->position, b = to->leaps ? a : to->position;
    rp_vec3 along = {b.x - a.x, b.y - a.y, b.z - a.z};
    float square = along.x * along.x + along.y * along.y + along.z * along.z;
    float dot = (p.x - a.x) * along.x + (p.y - a.y) * along.y + (p.z - a.z) * along.z;
    float share = square > 0 ? fminf(fmaxf(dot / square, 0), 1) : 0;
    rp_vec3 at = {a.x + share * along.x, a.y + share * along.y, a.z + share * along.z};
    *ret_distance = (float)rp_distance(p, at);
    return share;
}

/* The position of b nearest to a position of a, between two steps and not before `least`. */
static double project(const match *m, rp_vec3 position, size_t from, size_t to, double least)
{
    const run *b = &m->b;
    double best = fmax((double)from, least);
    float best_distance = INFINITY;
    for (size_t j = rp_whole_size(best); j <= to; j++) {
        float away,
            share = nearest(position, &b->steps[j], &b->steps[RP_MIN(j + 1, b->count - 1)], &away);
        double at = fmin((double)j + (double)share, (double)b->count - 1);
        if (away < best_distance && at >= least) {
            best_distance = away;
            best = at;
        }
    }
    return best;
}

/* Projects every step of a onto the path of b between the coarse pairs. */
static void refine(match *m, const size_t *first, const size_t *last)
{
    double least = 0;
    for (size_t i = 0; i < m->a.count; i++) {
        size_t k = i / m->a.stride;
        size_t before = k ? k - 1 : 0, after = RP_MIN(k + 2, m->a.coarse - 1);
        size_t from = step_of(&m->b, first[before]), to = step_of(&m->b, last[after]);
        m->where[i] = least = project(m, m->a.steps[i].position, from, to, least);
    }
    m->where[0] = 0;
    m->where[m->a.count - 1] = (double)m->b.count - 1;
}

static double tick_at(const run *r, double step)
{
    size_t i = RP_MIN(rp_whole_size(step), r->count - 1), next = RP_MIN(i + 1, r->count - 1);
    double share = step - (double)i;
    return (double)r->steps[i].tick +
           share * ((double)r->steps[next].tick - (double)r->steps[i].tick);
}

static reprise_status match_places(match *m, rp_arena *arena, reprise_error *error)
{
    size_t high = m->a.coarse, wide = m->b.coarse;
    float *before = rp_arena_array(arena, wide, sizeof *before, error);
    float *row = rp_arena_array(arena, wide, sizeof *row, error);
    uint8_t *moves = rp_arena_array(arena, high * wide, sizeof *moves, error);
    size_t *first = rp_arena_array(arena, high, sizeof *first, error);
    size_t *last = rp_arena_array(arena, high, sizeof *last, error);
    m->where = rp_arena_array(arena, m->a.count, sizeof *m->where, error);
    m->cuts = rp_arena_array(arena, SECTIONS_MAX, sizeof *m->cuts, error);
    RP_TRY(error->status);
    align(m, before, row, moves);
    trace(m, moves, first, last);
    refine(m, first, last);
    return REPRISE_OK;
}

/* ---- sections ---- */

static double seconds_between(const match *m, const run *r, size_t from, size_t to)
{
    return (double)(r->steps[to].tick - r->steps[from].tick) * m->tick_s;
}

/* A section must be long enough in both runs. */
static bool far_enough(const match *m, size_t a, size_t b)
{
    const cut *last = &m->cuts[m->cut_count - 1];
    return a > last->a && b > last->b && seconds_between(m, &m->a, last->a, a) >= section_least_s &&
           seconds_between(m, &m->b, last->b, b) >= section_least_s;
}

static void add_cut(match *m, size_t a, size_t b, bool landing)
{
    if (m->cut_count < SECTIONS_MAX - 1)
        m->cuts[m->cut_count++] = (cut){a, b, landing};
}

/* Finds the landing of b that matches one of a; false if there is none. */
static bool same_landing(const match *m, size_t a, size_t *ret_b)
{
    size_t middle = rp_whole_size(m->where[a] + 0.5);
    for (size_t away = 0; away <= LANDINGS_APART_MAX; away++) {
        const size_t sides[2] = {middle - away, middle + away};
        for (size_t k = 0; k < 2; k++) {
            if (sides[k] >= m->b.count || !m->b.steps[sides[k]].lands)
                continue;
            if (rp_distance(m->a.steps[a].position, m->b.steps[sides[k]].position) <=
                (double)landing_m) {
                *ret_b = sides[k];
                return true;
            }
        }
    }
    return false;
}

/* Without landings for a long time, sections have a fixed length. */
static void cut_by_length(match *m, size_t until)
{
    size_t from = m->cuts[m->cut_count - 1].a;
    double whole = seconds_between(m, &m->a, from, until);
    size_t pieces = rp_whole_size(fmin(ceil(whole / section_most_s), SECTIONS_MAX)), done = 1;
    for (size_t i = from + 1; i < until && done < pieces; i++) {
        if (seconds_between(m, &m->a, from, i) * (double)pieces < whole * (double)done)
            continue;
        done++;
        size_t b = rp_whole_size(m->where[i] + 0.5);
        if (far_enough(m, i, b))
            add_cut(m, i, b, false);
    }
}

static void cut_course(match *m)
{
    size_t last = m->a.count - 1, b = 0;
    add_cut(m, 0, 0, false);
    for (size_t i = 1; i < last; i++) {
        if (!m->a.steps[i].lands || !same_landing(m, i, &b) || !far_enough(m, i, b))
            continue;
        cut_by_length(m, i);
        if (far_enough(m, i, b))
            add_cut(m, i, b, true);
    }
    cut_by_length(m, last);
    if (m->cut_count > 1 && !far_enough(m, last, m->b.count - 1))
        m->cut_count--;
    m->cuts[m->cut_count++] = (cut){last, m->b.count - 1, true};
}

static double distance_of(const run *r, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from + 1; i <= to; i++) {
        if (!r->steps[i].leaps)
            sum += rp_distance(r->steps[i - 1].position, r->steps[i].position);
    }
    return sum;
}

/* ---- report ---- */

typedef struct section {
    uint32_t a0, a1, b0, b1; /* ticks of the timers */
    double t0, t1;           /* in the time of the first scene */
    double delta, line, speed;
    bool landing;
} section;

/*
 * The time the second run lost: by a longer path at the pace of the first, and by a slower pace on
 * its own path. The two add up to the total.
 */
static section section_of(const match *m, const cut *from, const cut *to)
{
    const rp_course_step *a = m->a.steps, *b = m->b.steps;
    section s = {.a0 = a[from->a].tick,
                 .a1 = a[to->a].tick,
                 .b0 = b[from->b].tick,
                 .b1 = b[to->b].tick,
                 .t0 = (double)a[from->a].time,
                 .t1 = (double)a[to->a].time,
                 .landing = to->landing};
    double distance_a = distance_of(&m->a, from->a, to->a),
           distance_b = distance_of(&m->b, from->b, to->b);
    double time_a = (double)(s.a1 - s.a0) * m->tick_s;
    s.delta = (double)(s.b1 - s.b0) * m->tick_s - time_a;
    s.line = distance_a > 0 ? (distance_b - distance_a) / distance_a * time_a : 0;
    s.speed = s.delta - s.line;
    return s;
}

static void push_section(rp_doc *doc, reprise_value *list, const section *s)
{
    reprise_value *to = rp_push_object(doc, list);
    rp_set_uint(doc, to, "a0", s->a0);
    rp_set_uint(doc, to, "a1", s->a1);
    rp_set_uint(doc, to, "b0", s->b0);
    rp_set_uint(doc, to, "b1", s->b1);
    rp_set_f64(doc, to, "t0", s->t0);
    rp_set_f64(doc, to, "t1", s->t1);
    rp_set_f64(doc, to, "delta", s->delta);
    rp_set_f64(doc, to, "line", s->line);
    rp_set_f64(doc, to, "speed", s->speed);
    rp_set_bool(doc, to, "landing", s->landing);
}

static void say_summary(rp_doc *doc, reprise_value *to, double tick_s, double final,
                        const section *worst)
{
    char text[256] = "Both runs take the same time";
    size_t n = strlen(text);
    if (final != 0)
        n = (size_t)snprintf(text, sizeof text, "The second run takes %.3f s %s than the first",
                             fabs(final), final < 0 ? "less" : "more");
    if (worst->delta > 0)
        snprintf(
            text + n, sizeof text - n,
            "; most is lost from %.2f to %.2f s of the first: %.3f s, of which %.3f by a longer "
            "path",
            worst->a0 * tick_s, worst->a1 * tick_s, worst->delta, worst->line);
    rp_set_text(doc, to, "summary", text);
}

/* The first tick of both timers at which the players are at different places, if there is one. */
static void report_first(const match *m, rp_doc *doc, reprise_value *to)
{
    const rp_course_step *a = m->a.steps, *b = m->b.steps;
    for (size_t i = 0, k = 0; i < m->a.count && k < m->b.count;) {
        double apart_m = rp_distance(a[i].position, b[k].position);
        if (a[i].tick == b[k].tick && apart_m > 0) {
            reprise_value *first = rp_set_object(doc, to, "first");
            rp_set_uint(doc, first, "tick", a[i].tick);
            rp_set_f64(doc, first, "time", (double)a[i].tick * m->tick_s);
            rp_set_f64(doc, first, "apart_m", apart_m);
            return;
        }
        uint32_t tick = RP_MIN(a[i].tick, b[k].tick);
        i += a[i].tick == tick;
        k += b[k].tick == tick;
    }
}

static void report_sections(const match *m, rp_doc *doc, reprise_value *to)
{
    section worst = {.delta = 0};
    reprise_value *list = rp_new_array(doc);
    for (size_t i = 1; i < m->cut_count; i++) {
        section s = section_of(m, &m->cuts[i - 1], &m->cuts[i]);
        if (s.delta > worst.delta)
            worst = s;
        push_section(doc, list, &s);
    }
    const rp_course_step *a = &m->a.steps[m->a.count - 1], *b = &m->b.steps[m->b.count - 1];
    double final = ((double)b->tick - (double)a->tick) * m->tick_s;
    rp_set_text(doc, to, "axis", "course");
    rp_set_f64(doc, to, "tick_s", m->tick_s);
    rp_set_f64(doc, to, "final", final);
    say_summary(doc, to, m->tick_s, final, &worst);
    report_first(m, doc, to);
    rp_set(doc, to, "sections", list);
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return x < y ? -1 : x > y;
}

/* Outliers must not flatten the plot: 98 % of the values and the last one set the scale. */
static const rp_plot *add_gap(rp_timeline *t, const match *m, const char *rival, rp_arena *arena)
{
    size_t n = m->a.count;
    double *gaps = rp_arena_array(arena, n, sizeof *gaps, t->doc.error);
    if (!gaps)
        return NULL;
    rp_plot *plot = rp_timeline_plot(t, "gap", "Gap at the same place", "s", "line", 0, 0);
    rp_series *series = rp_plot_series(t, plot, rival, -1);
    double low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        gaps[i] = (tick_at(&m->b, m->where[i]) - (double)m->a.steps[i].tick) * m->tick_s;
        rp_series_add(t, series, (double)m->a.steps[i].time, gaps[i]);
        low = fmin(low, gaps[i]);
        high = fmax(high, gaps[i]);
    }
    double final = fabs(gaps[n - 1]);
    qsort(gaps, n, sizeof *gaps, by_size);
    double most = 1.1 * fmax(fmax(fabs(gaps[(n - 1) * 98 / 100]), final), m->tick_s);
    if (plot) {
        plot->low = fmax(1.1 * low, -most);
        plot->high = fmin(fmax(1.1 * high, m->tick_s), most);
    }
    return plot;
}

/* ---- comparison ---- */

static reprise_status check(const rp_course *a, const rp_course *b, reprise_error *error)
{
    const struct {
        const char *what, *a, *b;
    } same[] = {
        {"maps", a->map, b->map}, {"courses", a->name, b->name}, {"modes", a->mode, b->mode}};
    if (!(a->tick_s > 0) || a->tick_s != b->tick_s || a->steps.count < 2 || b->steps.count < 2)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "only complete runs of a course can be compared");
    for (size_t i = 0; i < RP_COUNT(same); i++) {
        if (strcmp(same[i].a, same[i].b) == 0)
            continue;
        return rp_error_set(error, REPRISE_E_USAGE, "these runs are of different %s: %s and %s",
                            same[i].what, same[i].a, same[i].b);
    }
    return REPRISE_OK;
}

reprise_status rp_run_compare(rp_timeline *a, const rp_timeline *b, rp_comparison *ret_comparison,
                              reprise_error *error)
{
    RP_TRY(check(&a->course, &b->course, error));
    match m = {.a = run_of(&a->course), .b = run_of(&b->course), .tick_s = a->course.tick_s};
    rp_arena arena;
    rp_arena_init(&arena, a->context);
    a->doc.error = error;
    if (match_places(&m, &arena, error) == REPRISE_OK) {
        cut_course(&m);
        reprise_value *to = rp_new_object(&a->doc);
        report_sections(&m, &a->doc, to);
        const rp_plot *gap = add_gap(a, &m, b->course.runner, &arena);
        if (error->status == REPRISE_OK)
            *ret_comparison = (rp_comparison){to, gap};
    }
    rp_arena_free(&arena);
    return error->status;
}
