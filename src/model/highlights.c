/* highlights.c - see highlights.h. */
#include "highlights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"

static rp_highlight *list_of(const rp_timeline *t)
{
    return t->highlights.items;
}

static bool overlap(const rp_highlight *a, const rp_highlight *b)
{
    return strcmp(a->kind, b->kind) == 0 && a->from < b->to && b->from < a->to;
}

static void drop(rp_timeline *t, size_t at)
{
    rp_highlight *list = list_of(t);
    t->highlights.count--;
    memmove(list + at, list + at + 1, (t->highlights.count - at) * sizeof *list);
}

/* Whether one that is known is at least as good; worse ones of the same scene are dropped. */
static bool is_known(rp_timeline *t, const rp_highlight *h)
{
    for (size_t i = 0; i < t->highlights.count; i++) {
        if (overlap(&list_of(t)[i], h) && list_of(t)[i].score >= h->score)
            return true;
    }
    for (size_t i = t->highlights.count; i-- > 0;) {
        if (overlap(&list_of(t)[i], h))
            drop(t, i);
    }
    return false;
}

/* Makes room for one with this score; false if all others are at least as good. */
static bool make_room(rp_timeline *t, double score)
{
    size_t worst = 0;
    if (t->highlights.count < RP_HIGHLIGHTS_MAX)
        return true;
    for (size_t i = 1; i < t->highlights.count; i++) {
        if (list_of(t)[i].score <= list_of(t)[worst].score)
            worst = i;
    }
    if (list_of(t)[worst].score >= score)
        return false;
    drop(t, worst);
    return true;
}

void rp_timeline_highlight(rp_timeline *t, const rp_highlight *h)
{
    if (t->doc.error->status != REPRISE_OK || !isfinite(h->time) || !(h->to > h->from) ||
        is_known(t, h) || !make_room(t, h->score))
        return;
    rp_highlight *to = rp_vector_add(t->context, &t->highlights, sizeof *to, t->doc.error);
    if (!to)
        return;
    *to = *h;
    to->score = fmin(fmax(h->score, 0), 1);
    to->text = rp_timeline_plain(t, h->text, strlen(h->text));
}

/* ---- the busiest windows ---- */

static double sum_at(const rp_highlight_search *s, size_t at)
{
    double sum = 0;
    for (size_t i = at; i < RP_MIN(at + s->window, s->count); i++)
        sum += (double)s->slots[i];
    return sum;
}

static bool is_taken(const size_t *taken, size_t count, size_t at, size_t window)
{
    for (size_t i = 0; i < count; i++) {
        if (at < taken[i] + window && taken[i] < at + window)
            return true;
    }
    return false;
}

static void add_window(rp_timeline *t, const rp_highlight_search *s, size_t at, double sum)
{
    double from = (double)at * s->slot_s, length = (double)s->window * s->slot_s;
    char text[96];
    /* A window at the end of a recording is shorter than others. */
    int whole = (int)lround((double)RP_MIN(s->window, s->count - at) * s->slot_s);
    snprintf(text, sizeof text, "%s: %.0f %s in %d s", s->name, sum, s->unit, whole);
    rp_timeline_highlight(t, &(rp_highlight){.time = from,
                                             .from = from,
                                             .to = from + length,
                                             .score = s->score_max * fmin(sum / s->full, 1),
                                             .kind = s->kind,
                                             .text = text,
                                             .player = s->player});
}

void rp_timeline_highlight_windows(rp_timeline *t, const rp_highlight_search *s)
{
    size_t taken[RP_HIGHLIGHTS_MAX], count = 0;
    while (count < RP_MIN(s->most, (size_t)RP_HIGHLIGHTS_MAX)) {
        size_t best = SIZE_MAX;
        double most = 0;
        for (size_t at = 0; at < s->count; at++) {
            if (is_taken(taken, count, at, s->window))
                continue;
            double sum = sum_at(s, at);
            if (sum >= s->least && sum > most) {
                most = sum;
                best = at;
            }
        }
        if (best == SIZE_MAX)
            return;
        taken[count++] = best;
        add_window(t, s, best, most);
    }
}

/* ---- the document ---- */

static int by_time(const void *left, const void *right)
{
    const rp_highlight *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->score < b->score) - (a->score > b->score);
}

/* Chapters do not overlap: a highlight inside a better one has no chapter. */
static bool has_chapter(const rp_timeline *t, size_t at)
{
    const rp_highlight *list = list_of(t), *h = &list[at];
    for (size_t i = 0; i < t->highlights.count; i++) {
        const rp_highlight *other = &list[i];
        bool better = other->score > h->score || (i < at && other->score == h->score);
        if (better && other->from < h->to && h->from < other->to)
            return false;
    }
    return true;
}

static void add_chapter(rp_timeline *t, const rp_highlight *h)
{
    reprise_value *chapter = rp_push_object(&t->doc, t->chapters);
    rp_set_f64(&t->doc, chapter, "t0", h->from);
    rp_set_f64(&t->doc, chapter, "t1", h->to);
    rp_set_text(&t->doc, chapter, "name", h->text);
}

void rp_timeline_set_highlights(rp_timeline *t, double duration)
{
    rp_doc *doc = &t->doc;
    rp_highlight *list = list_of(t);
    size_t count = t->highlights.count;
    for (size_t i = 0; i < count; i++) {
        list[i].from = fmin(fmax(list[i].from, 0), duration);
        list[i].to = fmin(list[i].to, duration);
        list[i].time = fmin(fmax(list[i].time, list[i].from), duration);
    }
    if (count)
        qsort(list, count, sizeof *list, by_time);
    bool chapters = !reprise_value_count(t->chapters);
    reprise_value *to = rp_set_array(doc, t->root, "highlights");
    for (size_t i = 0; i < count; i++) {
        reprise_value *one = rp_push_object(doc, to);
        rp_set_f64(doc, one, "t", list[i].time);
        rp_set_f64(doc, one, "t0", list[i].from);
        rp_set_f64(doc, one, "t1", list[i].to);
        rp_set_f64(doc, one, "score", round(list[i].score * 1000) / 1000);
        rp_set_text(doc, one, "kind", list[i].kind);
        rp_set_text(doc, one, "text", list[i].text);
        if (list[i].player >= 0)
            rp_set_int(doc, one, "player", list[i].player);
        if (chapters && has_chapter(t, i))
            add_chapter(t, &list[i]);
    }
}
