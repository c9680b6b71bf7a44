/* align.c - see align.h. */
#include "align.h"

#include <math.h>
#include <stdlib.h>

#include "field_sum.h"

#define SAME_TIME_S 1e-3 /* times of one moment that differ by less were rounded */

enum {
    SLOT_BITS = 16,
    SLOTS = 1 << SLOT_BITS,
    FILLED_MAX = SLOTS / 2,
    PROBES_MAX = 64, /* rows that were made to collide are left out instead */
    THINNINGS_MAX = 40,
};

/* Where a row with some content is. */
typedef struct place {
    uint64_t sum;
    int64_t index;
    double time;
    uint32_t track, object;
    uint32_t count; /* 0: free; 2: the content occurs more than once */
} place;

typedef struct places {
    place *slots;
    size_t filled;
    unsigned thinnings; /* how many zeros the sum of a kept row ends with */
} places;

typedef struct aligner {
    rp_replay *a, *b;
    const rp_format *format;
    uint64_t tracks;
    places of_a, of_b;
    rp_object_shift *pairs; /* FILLED_MAX: rows that both have, and how far apart */
    size_t pair_count;
} aligner;

/* ---- places ---- */

static bool is_kept(const places *p, uint64_t sum)
{
    return !(sum & ((UINT64_C(1) << p->thinnings) - 1));
}

/* The slot of a sum, or the free slot where it belongs; NULL: too many collisions. */
static place *slot_of(const places *p, uint64_t sum)
{
    size_t at = (size_t)(sum >> (64 - SLOT_BITS));
    for (size_t i = 0; i < PROBES_MAX; i++) {
        place *slot = &p->slots[(at + i) % SLOTS];
        if (!slot->count || slot->sum == sum)
            return slot;
    }
    return NULL;
}

static void put(places *p, const place *one)
{
    place *slot = slot_of(p, one->sum);
    if (!slot)
        return;
    if (slot->count) {
        slot->count = 2;
        return;
    }
    *slot = *one;
    p->filled++;
}

/* Keeps half of the rows. */
static reprise_status thin_out(rp_context *context, places *p, reprise_error *error)
{
    place *old = p->slots;
    p->slots = rp_alloc_zero(context, SLOTS, sizeof *old, error);
    if (!p->slots) {
        p->slots = old;
        return error->status;
    }
    p->filled = 0;
    p->thinnings++;
    for (size_t i = 0; i < SLOTS; i++) {
        if (old[i].count && is_kept(p, old[i].sum))
            put(p, &old[i]);
    }
    rp_free(context, old, SLOTS * sizeof *old);
    return REPRISE_OK;
}

static uint64_t sum_of(const aligner *l, const rp_row *row)
{
    const rp_track *track = &l->format->tracks[row->track];
    uint64_t common = l->a->fields[row->track] & l->b->fields[row->track];
    bool has_object = (track->object || track->keyed) && !l->format->read->track_by_track;
    uint32_t object = has_object ? row->object : 0;
    uint64_t sum = rp_sum_mix(rp_sum_mix(1, row->track), object);
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        for (size_t i = 0; i < part->record->count; i++, bit++) {
            if (common >> bit & 1)
                sum = rp_sum_field(sum, &part->record->fields[i],
                                   (const char *)row->data + part->offset);
        }
    }
    return rp_sum_mix(sum, 0);
}

static reprise_status add_batch(const aligner *l, places *p, const rp_batch *batch,
                                reprise_error *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (!l->format->tracks[row->track].clock)
            continue;
        place one = {.sum = sum_of(l, row),
                     .index = row->index,
                     .time = row->time,
                     .track = row->track,
                     .object = row->object,
                     .count = 1};
        if (is_kept(p, one.sum))
            put(p, &one);
        if (p->filled > FILLED_MAX && p->thinnings < THINNINGS_MAX)
            RP_TRY(thin_out(l->a->context, p, error));
    }
    return REPRISE_OK;
}

/* Damage ends the rows; whoever compares them has noted it. */
static reprise_status find_places(const aligner *l, rp_replay *replay, places *p,
                                  reprise_error *error)
{
    rp_selection selection = {.tracks = l->tracks, .dense = true};
    rp_decoder *decoder = NULL;
    p->slots = rp_alloc_zero(l->a->context, SLOTS, sizeof *p->slots, error);
    if (!p->slots)
        return error->status;
    RP_TRY(rp_decoder_open(replay, selection, &decoder, error));
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        status = add_batch(l, p, &decoder->batch, error);
        if (status != REPRISE_OK)
            break;
    }
    rp_decoder_close(decoder);
    if (status == REPRISE_END)
        return REPRISE_OK;
    reprise_error damage = *error;
    rp_error_clear(error);
    return rp_skip_damage(replay, &damage, error);
}

/* ---- pairs ---- */

static int compare_shifts(const rp_shift *a, const rp_shift *b)
{
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

static int compare_owners(const rp_object_shift *a, const rp_object_shift *b)
{
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    return a->object < b->object ? -1 : a->object > b->object;
}

static int by_track(const void *x, const void *y)
{
    const rp_object_shift *a = x, *b = y;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    return compare_shifts(&a->shift, &b->shift);
}

static int by_object(const void *x, const void *y)
{
    const rp_object_shift *a = x, *b = y;
    int order = compare_owners(a, b);
    return order ? order : compare_shifts(&a->shift, &b->shift);
}

static void find_pairs(aligner *l)
{
    for (size_t i = 0; i < SLOTS && l->pair_count < FILLED_MAX; i++) {
        const place *y = &l->of_b.slots[i];
        const place *x = y->count == 1 ? slot_of(&l->of_a, y->sum) : NULL;
        if (!x || x->count != 1 || x->track != y->track)
            continue;
        double time = x->time - y->time;
        l->pairs[l->pair_count++] = (rp_object_shift){
            y->track,
            y->object,
            {(int64_t)((uint64_t)x->index - (uint64_t)y->index), isfinite(time) ? time : 0}};
    }
}

/* The end of the sorted pairs that agree with pair `i`; times that are rounded differ by a little.
 */
static size_t group_end(const aligner *l, size_t i, bool by_objects)
{
    const rp_object_shift *p = l->pairs;
    size_t end = i + 1;
    while (end < l->pair_count && p[end].track == p[i].track &&
           (!by_objects || p[end].object == p[i].object) &&
           p[end].shift.index == p[i].shift.index &&
           p[end].shift.time - p[end - 1].shift.time < SAME_TIME_S)
        end++;
    return end;
}

static bool is_shift(const rp_shift *shift)
{
    return shift->index || fabs(shift->time) >= SAME_TIME_S;
}

/* For every track the shift of most of its pairs; for the others that of the track that is shown.
 */
static void choose_tracks(aligner *l, rp_alignment *to)
{
    size_t most[RP_TRACKS_MAX] = {0}, best = 0;
    qsort(l->pairs, l->pair_count, sizeof *l->pairs, by_track);
    for (size_t i = 0, end; i < l->pair_count; i = end) {
        end = group_end(l, i, false);
        uint32_t track = l->pairs[i].track;
        const rp_shift *middle = &l->pairs[i + (end - i) / 2].shift;
        if (end - i > best && is_shift(middle)) {
            best = end - i;
            to->track = track;
            to->shown = *middle;
        }
        if (end - i > most[track]) {
            most[track] = end - i;
            to->tracks[track] = *middle;
        }
    }
    to->shifted = best > 0;
    for (uint32_t t = 0; t < l->format->track_count; t++) {
        if (!most[t])
            to->tracks[t] = to->shown;
    }
}

/* The same for single objects, which takes two pairs; the list is built where the pairs were. */
static void choose_objects(aligner *l, rp_alignment *to)
{
    size_t count = 0, most = 0;
    qsort(l->pairs, l->pair_count, sizeof *l->pairs, by_object);
    for (size_t i = 0, end; i < l->pair_count; i = end) {
        end = group_end(l, i, true);
        rp_object_shift middle = l->pairs[i + (end - i) / 2];
        bool again = count && compare_owners(&l->pairs[count - 1], &middle) == 0;
        if (end - i < 2 || (again && end - i <= most))
            continue;
        most = end - i;
        l->pairs[again ? count - 1 : count++] = middle;
    }
    to->objects = l->pairs;
    to->object_count = count;
}

static reprise_status align(aligner *l, rp_alignment *ret_alignment, reprise_error *error)
{
    RP_TRY(find_places(l, l->a, &l->of_a, error));
    l->of_b.thinnings = l->of_a.thinnings;
    RP_TRY(find_places(l, l->b, &l->of_b, error));
    l->pairs = rp_alloc_zero(l->a->context, FILLED_MAX, sizeof *l->pairs, error);
    if (!l->pairs)
        return error->status;
    find_pairs(l);
    choose_tracks(l, ret_alignment);
    choose_objects(l, ret_alignment);
    return REPRISE_OK;
}

reprise_status rp_align(rp_replay *a, rp_replay *b, uint64_t tracks, rp_alignment *ret_alignment,
                        reprise_error *error)
{
    aligner l = {.a = a, .b = b, .format = a->format, .tracks = tracks};
    *ret_alignment = (rp_alignment){.shifted = false};
    reprise_status status = align(&l, ret_alignment, error);
    rp_context *context = a->context;
    if (l.of_a.slots)
        rp_free(context, l.of_a.slots, SLOTS * sizeof(place));
    if (l.of_b.slots)
        rp_free(context, l.of_b.slots, SLOTS * sizeof(place));
    return status;
}

void rp_alignment_free(rp_context *context, rp_alignment *alignment)
{
    if (alignment->objects)
        rp_free(context, alignment->objects, FILLED_MAX * sizeof *alignment->objects);
    alignment->objects = NULL;
}

static const rp_shift *shift_of(const rp_alignment *alignment, const rp_row *row)
{
    const rp_object_shift wanted = {.track = row->track, .object = row->object};
    size_t from = 0, to = alignment->object_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = compare_owners(&alignment->objects[middle], &wanted);
        if (order == 0)
            return &alignment->objects[middle].shift;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return &alignment->tracks[row->track];
}

void rp_align_batch(const rp_alignment *alignment, const rp_format *format, rp_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        rp_row *row = &batch->rows[i];
        const rp_shift *shift = shift_of(alignment, row);
        if (format->tracks[row->track].clock)
            row->index = (int64_t)((uint64_t)row->index + (uint64_t)shift->index);
        if (format->tracks[row->track].timed)
            row->time += shift->time;
    }
}
