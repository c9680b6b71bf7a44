/* diff.c - see diff.h. */
#include "diff.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align.h"
#include "document.h"
#include "metadata_diff.h"
#include "verify.h"

#define MOVED_TIME_S 1e-4 /* times that were moved are equal if they are this close */

enum {
    RELATED_SHARE = 10, /* of two recordings of one event, one row in this many is the same */
    ALIGNED_SHARE = 10, /* if one row in this many is not, frames may be numbered differently */
};

/* The differences in one field of a track. */
typedef struct field_diff {
    uint64_t count;
    double most; /* largest difference of numbers */
    reprise_value *first;
} field_diff;

typedef struct track_diff {
    uint64_t rows_a, rows_b, only_a, only_b, differ, times;
    field_diff fields[RP_FIELDS_MAX];
} track_diff;

/* What the comparison of all rows has found. */
typedef struct row_results {
    track_diff *tracks;
    reprise_value *first; /* where rows differ first */
    double first_time;
    double common_from, common_to; /* the times of states that both have; none if it ends earlier */
} row_results;

typedef struct comparison {
    rp_replay *a, *b;
    const rp_format *format;
    reprise_diff_options options;
    rp_doc *doc; /* NULL: only whether they are equal */
    row_results rows;
    const rp_alignment *moved; /* how the rows of `b` are moved, or NULL */
    rp_metadata_diff metadata;
    reprise_value *match; /* the format's own comparison of two recordings of one match */
    bool equal;
    bool strict; /* damage is a failure */
} comparison;

/* ---- values ---- */

/* The distance between two floats; infinite between NaN and a number. */
static double distance(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : INFINITY;
    return a == b ? 0 : fabs(a - b);
}

static double float_distance(const float *a, const float *b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = RP_MAX(most, distance((double)a[i], (double)b[i]));
    return most;
}

/* A rotation and its negative are the same rotation. */
static double rotation_distance(const rp_quat *a, const rp_quat *b)
{
    rp_quat negative = {-b->x, -b->y, -b->z, -b->w};
    double same = float_distance(&a->x, &b->x, 4), other = float_distance(&a->x, &negative.x, 4);
    return RP_MIN(same, other);
}

static bool same_value(const comparison *c, const rp_field *field, const void *a, const void *b,
                       double *ret_distance)
{
    const void *x = rp_at_const(field, a), *y = rp_at_const(field, b);
    switch (field->kind) {
    case RP_F32:
        *ret_distance = float_distance(x, y, 1);
        break;
    case RP_VEC3:
        *ret_distance = float_distance(x, y, 3);
        break;
    case RP_F64:
        *ret_distance = distance(*(const double *)x, *(const double *)y);
        break;
    case RP_QUAT:
        *ret_distance = rotation_distance(x, y);
        return *ret_distance <= c->options.rotation_tolerance;
    case RP_ROT: {
        if (rp_field_equal(field, a, b))
            return true;
        rp_quat p = rp_rot_value(x), q = rp_rot_value(y);
        *ret_distance = rotation_distance(&p, &q);
        return *ret_distance <= c->options.rotation_tolerance;
    }
    default:
        return rp_field_equal(field, a, b);
    }
    return *ret_distance <= c->options.float_tolerance;
}

/* Whether a difference is before all others. Tables are read first, but may be about later moments.
 */
static bool is_first(const comparison *c, const rp_row *row)
{
    double time = c->format->tracks[row->track].timed ? row->time : (double)INFINITY;
    return c->doc && (!c->rows.first || time < c->rows.first_time);
}

static reprise_value *note_first(comparison *c, const rp_row *row)
{
    const rp_track *track = &c->format->tracks[row->track];
    c->rows.first_time = track->timed ? row->time : (double)INFINITY;
    c->rows.first = rp_new_object(c->doc);
    rp_set_text(c->doc, c->rows.first, "track", track->name);
    if (track->clock)
        rp_set_int(c->doc, c->rows.first, track->clock, row->index);
    if (track->timed)
        rp_set_f64(c->doc, c->rows.first, "time", row->time);
    if (track->object)
        rp_set_int(c->doc, c->rows.first, track->object, row->object);
    return c->rows.first;
}

static void note_alone(comparison *c, const rp_row *row, bool is_a)
{
    if (is_first(c, row))
        rp_set_text(c->doc, note_first(c, row), "only", is_a ? "a" : "b");
}

static void note_first_values(comparison *c, const rp_row *row, const char *field, reprise_value *a,
                              reprise_value *b)
{
    reprise_value *first = note_first(c, row);
    rp_set_text(c->doc, first, "field", field);
    rp_set(c->doc, first, "a", a);
    rp_set(c->doc, first, "b", b);
}

static void note_field(comparison *c, const rp_row *row, field_diff *diff, const rp_field *field,
                       const void *a, const void *b, double how_far)
{
    const rp_track *track = &c->format->tracks[row->track];
    diff->count++;
    diff->most = RP_MAX(diff->most, how_far);
    if (is_first(c, row))
        note_first_values(c, row, field->name, rp_field_value(c->doc, field, a),
                          rp_field_value(c->doc, field, b));
    if (!c->doc || diff->first)
        return;
    diff->first = rp_new_object(c->doc);
    if (track->clock)
        rp_set_int(c->doc, diff->first, track->clock, row->index);
    if (track->object)
        rp_set_int(c->doc, diff->first, track->object, row->object);
    rp_set(c->doc, diff->first, "a", rp_field_value(c->doc, field, a));
    rp_set(c->doc, diff->first, "b", rp_field_value(c->doc, field, b));
}

/* ---- rows ---- */

/* Times that were moved, by whoever made the file or by us, are rounded. */
static bool same_time(const comparison *c, const rp_row *a, const rp_row *b)
{
    if (a->time == b->time)
        return true;
    double size = fmax(fabs(a->time), fabs(b->time));
    double rounding = c->moved ? fmax(MOVED_TIME_S, 2 * (double)FLT_EPSILON * size) : 0;
    return distance(a->time, b->time) <= fmax(c->options.float_tolerance, rounding);
}

static void note_common(row_results *rows, double time)
{
    rows->common_from = fmin(rows->common_from, time);
    rows->common_to = fmax(rows->common_to, time);
}

static void compare_rows(comparison *c, const rp_row *a, const rp_row *b)
{
    const rp_track *track = &c->format->tracks[a->track];
    track_diff *diff = &c->rows.tracks[a->track];
    bool same = true;
    if (track->timed && track->kind == RP_TRACK_STATE)
        note_common(&c->rows, a->time);
    if (track->timed && !same_time(c, a, b)) {
        diff->times++;
        same = false;
        if (is_first(c, a))
            note_first_values(c, a, "time", rp_new_f64(c->doc, a->time),
                              rp_new_f64(c->doc, b->time));
    }
    uint64_t common = c->a->fields[a->track] & c->b->fields[a->track];
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count && (!track->storage || c->options.storage); p++) {
        const rp_part *part = &track->parts[p];
        const char *x = (const char *)a->data + part->offset;
        const char *y = (const char *)b->data + part->offset;
        /* Equal bytes are equal values, whatever they are; other bytes may be. */
        if (memcmp(x, y, part->record->size) == 0) {
            bit += part->record->count;
            continue;
        }
        for (size_t i = 0; i < part->record->count; i++, bit++) {
            double how_far = 0;
            if (!(common >> bit & 1) || same_value(c, &part->record->fields[i], x, y, &how_far))
                continue;
            note_field(c, a, &diff->fields[bit], &part->record->fields[i], x, y, how_far);
            same = false;
        }
    }
    diff->differ += !same;
    c->equal = c->equal && same;
}

/* The next row of a track at or after `at`, or the end of the batch. */
static size_t next_row(const rp_batch *batch, size_t at, uint32_t track)
{
    while (at < batch->count && batch->rows[at].track != track)
        at++;
    return at;
}

static void count_alone(comparison *c, const rp_batch *batch, bool is_a)
{
    for (size_t i = 0; i < batch->count; i++) {
        track_diff *diff = &c->rows.tracks[batch->rows[i].track];
        ++*(is_a ? &diff->rows_a : &diff->rows_b);
        ++*(is_a ? &diff->only_a : &diff->only_b);
        c->equal = false;
        note_alone(c, &batch->rows[i], is_a);
    }
}

/* Which of two rows of a track comes first: below, at or above 0. Without numbers they are pairs.
 */
static int order_of_rows(const comparison *c, const rp_row *a, const rp_row *b)
{
    const rp_track *track = &c->format->tracks[a->track];
    /* Rows of the complete recording in one batch, such as markers: some may be cut off. */
    if (c->moved && track->timed && !track->clock && !same_time(c, a, b))
        return a->time < b->time ? -1 : 1;
    /* Steps of many frames number their rows, and a cut changes these numbers. */
    bool numbered = c->moved && c->format->read->track_by_track && track->clock;
    if (numbered)
        return a->index < b->index ? -1 : a->index > b->index;
    if (!track->object && !track->keyed)
        return 0;
    return a->object < b->object ? -1 : a->object > b->object;
}

/* Compares two rows, or counts the one that comes first; returns which it was, as order_of_rows. */
static int take_rows(comparison *c, const rp_row *a, const rp_row *b)
{
    track_diff *diff = &c->rows.tracks[a ? a->track : b->track];
    int order = !a ? 1 : !b ? -1 : order_of_rows(c, a, b);
    if (order == 0) {
        compare_rows(c, a, b);
    } else {
        c->equal = false;
        note_alone(c, order < 0 ? a : b, order < 0);
    }
    diff->rows_a += order <= 0;
    diff->rows_b += order >= 0;
    diff->only_a += order < 0;
    diff->only_b += order > 0;
    return order;
}

static void compare_track(comparison *c, uint32_t track, const rp_batch *a, const rp_batch *b)
{
    size_t i = next_row(a, 0, track), k = next_row(b, 0, track);
    while (i < a->count || k < b->count) {
        int order = take_rows(c, i < a->count ? &a->rows[i] : NULL,
                              k < b->count ? &b->rows[k] : NULL);
        if (order <= 0)
            i = next_row(a, i + 1, track);
        if (order >= 0)
            k = next_row(b, k + 1, track);
    }
}

/* A format without moments has only one state, whatever its index. */
static int64_t batch_index(const comparison *c, const rp_batch *batch)
{
    if (!c->format->read->seek)
        return 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (c->format->tracks[batch->rows[i].track].clock)
            return batch->rows[i].index;
    }
    return INT64_MIN;
}

/* Steps a decoder; at its end its batch is empty and its index beyond all others. */
static reprise_status step(const comparison *c, rp_decoder *decoder, bool is_b, int64_t *ret_index,
                           reprise_error *error)
{
    reprise_status status;
    do {
        status = rp_decoder_next(decoder, error);
    } while (status == REPRISE_OK && c->format->read->order && !decoder->batch.count);
    if (status == REPRISE_OK && is_b && c->moved)
        rp_align_batch(c->moved, c->format, &decoder->batch);
    *ret_index = status == REPRISE_OK ? batch_index(c, &decoder->batch) : INT64_MAX;
    if (status == REPRISE_OK)
        return REPRISE_OK;
    decoder->batch.count = 0;
    /* Rows that cannot be read count as missing; rp_skip_damage notes the damage. */
    if (status == REPRISE_END || c->strict)
        return status == REPRISE_END ? REPRISE_OK : status;
    reprise_error damage = *error;
    rp_error_clear(error);
    return rp_skip_damage(decoder->replay, &damage, error);
}

/* Which of two steps comes first: below, at or above 0. */
static int order_of(const comparison *c, const rp_batch *a, int64_t at_a, const rp_batch *b,
                    int64_t at_b)
{
    if (c->format->read->order && a->count && b->count)
        return c->format->read->order(&a->rows[0], &b->rows[0]);
    return at_a < at_b ? -1 : at_a > at_b;
}

static reprise_status compare_all(comparison *c, rp_decoder *a, rp_decoder *b, reprise_error *error)
{
    int64_t at_a, at_b;
    RP_TRY(step(c, a, false, &at_a, error));
    RP_TRY(step(c, b, true, &at_b, error));
    while (at_a != INT64_MAX || at_b != INT64_MAX) {
        int order = order_of(c, &a->batch, at_a, &b->batch, at_b);
        if (order == 0) {
            for (uint32_t track = 0; track < c->format->track_count; track++)
                compare_track(c, track, &a->batch, &b->batch);
        } else {
            count_alone(c, order < 0 ? &a->batch : &b->batch, order < 0);
        }
        if (order <= 0)
            RP_TRY(step(c, a, false, &at_a, error));
        if (order >= 0)
            RP_TRY(step(c, b, true, &at_b, error));
        if (!c->doc && !c->equal)
            return REPRISE_OK; /* nothing more to learn */
    }
    return REPRISE_OK;
}

static uint64_t compared_tracks(const comparison *c)
{
    uint64_t tracks = 0;
    for (size_t i = 0; i < c->format->track_count; i++) {
        const rp_track *track = &c->format->tracks[i];
        if (!track->storage || track->kind != RP_TRACK_TABLE || c->options.storage)
            tracks |= UINT64_C(1) << i;
    }
    return tracks;
}

/* A place in the rows of one decoder. */
typedef struct row_cursor {
    rp_decoder *decoder;
    bool is_b, ended;
    size_t at;
} row_cursor;

static reprise_status find_row(const comparison *c, row_cursor *k, const rp_row **ret_row,
                               reprise_error *error)
{
    while (!k->ended && k->at >= k->decoder->batch.count) {
        int64_t index;
        k->at = 0;
        RP_TRY(step(c, k->decoder, k->is_b, &index, error));
        k->ended = index == INT64_MAX;
    }
    *ret_row = k->ended ? NULL : &k->decoder->batch.rows[k->at];
    return REPRISE_OK;
}

/* Decoders of one track each, row by row, for formats whose steps hold many frames. */
static reprise_status compare_singly(comparison *c, rp_decoder *a, rp_decoder *b,
                                     reprise_error *error)
{
    row_cursor in_a = {.decoder = a}, in_b = {.decoder = b, .is_b = true};
    for (;;) {
        const rp_row *x, *y;
        RP_TRY(find_row(c, &in_a, &x, error));
        RP_TRY(find_row(c, &in_b, &y, error));
        if (!x && !y)
            return REPRISE_OK;
        int order = take_rows(c, x, y);
        in_a.at += order <= 0;
        in_b.at += order >= 0;
    }
}

static reprise_status compare_selected(comparison *c, uint64_t tracks, bool singly,
                                       reprise_error *error)
{
    rp_selection selection = {.tracks = tracks, .dense = true};
    rp_decoder *a = NULL, *b = NULL;
    reprise_status status = rp_decoder_open(c->a, selection, &a, error);
    if (status == REPRISE_OK)
        status = rp_decoder_open(c->b, selection, &b, error);
    if (status == REPRISE_OK)
        status = singly ? compare_singly(c, a, b, error) : compare_all(c, a, b, error);
    rp_decoder_close(a);
    rp_decoder_close(b);
    return status;
}

static reprise_status compare_tracks(comparison *c, reprise_error *error)
{
    uint64_t tracks = compared_tracks(c);
    c->rows = (row_results){.common_from = (double)INFINITY, .common_to = -(double)INFINITY};
    c->rows.tracks = rp_alloc_zero(c->a->context, c->format->track_count, sizeof *c->rows.tracks,
                                   error);
    if (!c->rows.tracks)
        return error->status;
    if (!c->moved || !c->format->read->track_by_track)
        return compare_selected(c, tracks, false, error);
    for (size_t t = 0; t < c->format->track_count; t++) {
        if (tracks >> t & 1)
            RP_TRY(compare_selected(c, UINT64_C(1) << t, true, error));
    }
    return REPRISE_OK;
}

static void free_results(const comparison *c, const row_results *rows)
{
    if (rows->tracks)
        rp_free(c->a->context, rows->tracks, c->format->track_count * sizeof *rows->tracks);
}

static track_diff sum_of(const comparison *c)
{
    track_diff sum = {0};
    for (size_t t = 0; t < c->format->track_count; t++) {
        sum.rows_a += c->rows.tracks[t].rows_a;
        sum.rows_b += c->rows.tracks[t].rows_b;
        sum.only_a += c->rows.tracks[t].only_a;
        sum.only_b += c->rows.tracks[t].only_b;
        sum.differ += c->rows.tracks[t].differ;
    }
    return sum;
}

static uint64_t same_rows(const track_diff *sum)
{
    return sum->rows_a - sum->only_a - sum->differ;
}

/* Whether so many rows of a track are not the same that their frames may be numbered differently.
 */
static bool hardly_fits(const track_diff *track)
{
    uint64_t most = RP_MIN(track->rows_a, track->rows_b), same = same_rows(track);
    return same < most && (most - same) * ALIGNED_SHARE >= most;
}

static bool may_be_shifted(const comparison *c)
{
    bool shifted = false;
    for (size_t t = 0; t < c->format->track_count; t++)
        shifted = shifted || (c->format->tracks[t].clock && hardly_fits(&c->rows.tracks[t]));
    return shifted;
}

/*
 * A copy that was trimmed counts frames and times from its own start. If many rows differ, the
 * recordings are compared a second time with the rows of the second moved to where the first has
 * the same content; what has more rows in common is reported.
 */
static reprise_status compare_aligned(comparison *c, rp_alignment *alignment, reprise_error *error)
{
    track_diff sum = sum_of(c);
    uint64_t same = same_rows(&sum);
    if (!c->doc || c->equal || !may_be_shifted(c))
        return REPRISE_OK;
    RP_TRY(rp_align(c->a, c->b, compared_tracks(c), alignment, error));
    if (!alignment->shifted && !c->format->read->track_by_track)
        return REPRISE_OK;
    row_results before = c->rows;
    c->moved = alignment;
    reprise_status status = compare_tracks(c, error);
    sum = c->rows.tracks ? sum_of(c) : (track_diff){0};
    uint64_t aligned = same_rows(&sum), most = RP_MIN(sum.rows_a, sum.rows_b);
    if (status == REPRISE_OK && aligned > same && aligned >= most / RELATED_SHARE) {
        free_results(c, &before);
        return REPRISE_OK;
    }
    free_results(c, &c->rows);
    c->rows = before;
    c->moved = NULL;
    return status;
}

/* ---- report ---- */

static void report_fields(comparison *c, size_t t, reprise_value *one)
{
    const rp_track *track = &c->format->tracks[t];
    reprise_value *fields = rp_set_object(c->doc, one, "fields");
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        for (size_t i = 0; i < part->record->count; i++, bit++) {
            const field_diff *diff = &c->rows.tracks[t].fields[bit];
            if (!diff->count)
                continue;
            char name[96];
            snprintf(name, sizeof name, "%s%s%s", part->prefix ? part->prefix : "",
                     part->prefix ? "_" : "", part->record->fields[i].name);
            reprise_value *field = rp_set_object(c->doc, fields, name);
            rp_set_uint(c->doc, field, "rows", diff->count);
            if (diff->most > 0)
                rp_set_f64(c->doc, field, "most", diff->most);
            if (diff->first)
                rp_set(c->doc, field, "first", diff->first);
        }
    }
}

/* Fields that only one of the two layouts has. */
static void report_layouts(comparison *c, size_t t, reprise_value *one)
{
    const rp_track *track = &c->format->tracks[t];
    uint64_t a = c->a->fields[t] & ~c->b->fields[t], b = c->b->fields[t] & ~c->a->fields[t];
    reprise_value *lists[2] = {a ? rp_set_array(c->doc, one, "fields_only_a") : NULL,
                               b ? rp_set_array(c->doc, one, "fields_only_b") : NULL};
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        for (size_t i = 0; i < track->parts[p].record->count; i++, bit++) {
            const char *name = track->parts[p].record->fields[i].name;
            if (a >> bit & 1)
                rp_push(c->doc, lists[0], rp_new_text(c->doc, name));
            if (b >> bit & 1)
                rp_push(c->doc, lists[1], rp_new_text(c->doc, name));
        }
    }
}

/*
 * Two players' recordings of one match have different rows although the match is the same. Then the
 * format's own comparison decides, and rows are compared only on request.
 */
static bool is_match(const comparison *c)
{
    return reprise_value_count(c->match) > 0;
}

/* The recording of which the other has every row, or NULL. */
static const char *part_of(const track_diff *sum)
{
    if (sum->differ || !sum->rows_a || !sum->rows_b || (!sum->only_a && !sum->only_b))
        return NULL;
    return !sum->only_b ? "b" : !sum->only_a ? "a" : NULL;
}

static void write_alignment(comparison *c, reprise_value *report)
{
    const rp_shift *shift = &c->moved->shown;
    reprise_value *aligned = rp_set_object(c->doc, report, "aligned");
    rp_set_int(c->doc, aligned, c->format->tracks[c->moved->track].clock, shift->index);
    rp_set_f64(c->doc, aligned, "time", shift->time);
}

/* Whether one row in RELATED_SHARE of those that both could have is the same. */
static bool is_alike(const track_diff *track)
{
    uint64_t most = RP_MIN(track->rows_a, track->rows_b);
    return same_rows(track) >= (most + RELATED_SHARE - 1) / RELATED_SHARE;
}

/*
 * Whether the recordings share hardly a row, or less than half of them and hardly one in most
 * tracks: a track with a row for every empty team of every frame must not outvote all others.
 */
static bool hardly_share_rows(const comparison *c, const track_diff *sum)
{
    size_t both = 0, alike = 0;
    for (size_t t = 0; t < c->format->track_count; t++) {
        const track_diff *track = &c->rows.tracks[t];
        bool has_rows = c->format->tracks[t].timed && track->rows_a && track->rows_b;
        both += has_rows;
        alike += has_rows && is_alike(track);
    }
    bool half = same_rows(sum) * 2 >= RP_MIN(sum->rows_a, sum->rows_b);
    return both && (!is_alike(sum) || (!half && alike * 2 < both));
}

/* The sums over all tracks, and the first place at which rows differ. */
static void write_totals(comparison *c, reprise_value *report)
{
    track_diff sum = sum_of(c);
    uint64_t same = same_rows(&sum);
    reprise_value *totals = rp_set_object(c->doc, report, "totals");
    rp_set_uint(c->doc, totals, "rows_a", sum.rows_a);
    rp_set_uint(c->doc, totals, "rows_b", sum.rows_b);
    rp_set_uint(c->doc, totals, "same", same);
    rp_set_uint(c->doc, totals, "differ", sum.differ);
    rp_set_uint(c->doc, totals, "only_a", sum.only_a);
    rp_set_uint(c->doc, totals, "only_b", sum.only_b);
    if (c->rows.common_from <= c->rows.common_to) {
        rp_set_f64(c->doc, totals, "common_from", c->rows.common_from);
        rp_set_f64(c->doc, totals, "common_to", c->rows.common_to);
    }
    if (part_of(&sum))
        rp_set_text(c->doc, report, "part", part_of(&sum));
    if (c->moved && c->moved->shifted)
        write_alignment(c, report);
    if (c->rows.first)
        rp_set(c->doc, report, "first", c->rows.first);
    rp_set_bool(c->doc, report, "unrelated",
                c->metadata.other_events && hardly_share_rows(c, &sum));
}

static void write_report(comparison *c, reprise_value *report)
{
    rp_doc *doc = c->doc;
    rp_set_bool(doc, report, "equal", c->equal);
    rp_set_text(doc, report, "format", c->format->name);
    rp_set_text(doc, report, "layout_a", c->a->layout);
    rp_set_text(doc, report, "layout_b", c->b->layout);
    rp_set_uint(doc, report, "metadata_differences", c->metadata.count);
    rp_set(doc, report, "metadata", c->metadata.list);
    if (is_match(c))
        rp_set(doc, report, "match", c->match);
    reprise_value *tracks = rp_set_object(doc, report, "tracks");
    if (is_match(c) && !c->options.storage)
        return;
    write_totals(c, report);
    for (size_t t = 0; t < c->format->track_count; t++) {
        const track_diff *diff = &c->rows.tracks[t];
        reprise_value *one = rp_set_object(doc, tracks, c->format->tracks[t].name);
        rp_set_uint(doc, one, "rows_a", diff->rows_a);
        rp_set_uint(doc, one, "rows_b", diff->rows_b);
        rp_set_uint(doc, one, "only_a", diff->only_a);
        rp_set_uint(doc, one, "only_b", diff->only_b);
        rp_set_uint(doc, one, "differ", diff->differ);
        rp_set_uint(doc, one, "times", diff->times);
        report_layouts(c, t, one);
        report_fields(c, t, one);
    }
}

static reprise_status compare(comparison *c, rp_alignment *alignment, reprise_error *error)
{
    if (c->a->format != c->b->format)
        return rp_error_set(error, REPRISE_E_USAGE, "%s and %s have nothing to compare",
                            c->a->format->name, c->b->format->name);
    c->format = c->a->format;
    RP_TRY(rp_metadata_compare(&c->metadata, c->a, c->b, error));
    c->equal = !c->metadata.count;
    if (c->match && c->format->analyse && c->format->analyse->compare)
        RP_TRY(c->format->analyse->compare(c->a, c->b, c->doc, c->match, error));
    if (is_match(c))
        c->equal = c->equal && reprise_value_bool(rp_get(c->match, "same"), false);
    if (is_match(c) && !c->options.storage)
        return REPRISE_OK;
    RP_TRY(compare_tracks(c, error));
    return compare_aligned(c, alignment, error);
}

reprise_status rp_diff(rp_replay *a, rp_replay *b, const reprise_diff_options *options, rp_doc *doc,
                       reprise_value *report, bool *ret_equal, reprise_error *error)
{
    comparison c = {.a = a, .b = b, .options = *options, .doc = doc};
    c.metadata = (rp_metadata_diff){.doc = doc, .list = rp_new_array(doc)};
    c.match = rp_new_object(doc);
    rp_alignment alignment = {.shifted = false};
    reprise_status status = compare(&c, &alignment, error);
    if (status == REPRISE_OK)
        status = rp_check_both(a, b, error);
    if (status == REPRISE_OK) {
        write_report(&c, report);
        status = doc->error->status;
        *ret_equal = c.equal;
    }
    free_results(&c, &c.rows);
    rp_alignment_free(a->context, &alignment);
    return status;
}

reprise_status rp_same_content(rp_replay *a, rp_replay *b, bool *ret_equal, reprise_error *error)
{
    comparison c = {.a = a, .b = b, .strict = true};
    reprise_status status = compare(&c, NULL, error);
    if (status == REPRISE_OK)
        *ret_equal = c.equal;
    free_results(&c, &c.rows);
    return status;
}
