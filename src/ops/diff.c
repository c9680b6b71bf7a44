/* diff.c - see diff.h. */
#include "diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "verify.h"

enum { METADATA_MAX = 1000 }; /* differences to list; the rest are only counted */

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

typedef struct comparison {
    rp_replay *a, *b;
    const rp_format *format;
    reprise_diff_options options;
    rp_doc *doc; /* NULL: only whether they are equal */
    track_diff *tracks;
    reprise_value *metadata;
    uint64_t metadata_count;
    reprise_value *match; /* the format's own comparison of two recordings of one match */
    bool equal;
    bool strict; /* damage is a failure */
} comparison;

/* ---- metadata ---- */

static void differ_at(comparison *c, const char *path, const reprise_value *a,
                      const reprise_value *b)
{
    c->equal = false;
    if (c->metadata_count++ >= METADATA_MAX || !c->doc)
        return;
    reprise_value *one = rp_push_object(c->doc, c->metadata);
    rp_set_text(c->doc, one, "path", path);
    if (a)
        rp_set(c->doc, one, "a", rp_copy(c->doc, a));
    if (b)
        rp_set(c->doc, one, "b", rp_copy(c->doc, b));
}

static void compare_values(comparison *c, const char *path, const reprise_value *a,
                           const reprise_value *b);

static void compare_members(comparison *c, const char *path, const reprise_value *a,
                            const reprise_value *b)
{
    char inner[256];
    const char *dot = *path ? "." : "";
    for (size_t i = 0; i < reprise_value_count(a); i++) {
        const char *key = reprise_value_key(a, i);
        snprintf(inner, sizeof inner, "%s%s%s", path, dot, key);
        compare_values(c, inner, reprise_value_at(a, i), rp_get(b, key));
    }
    for (size_t i = 0; i < reprise_value_count(b); i++) {
        const char *key = reprise_value_key(b, i);
        snprintf(inner, sizeof inner, "%s%s%s", path, dot, key);
        if (!rp_get(a, key))
            differ_at(c, inner, NULL, reprise_value_at(b, i));
    }
}

static void compare_elements(comparison *c, const char *path, const reprise_value *a,
                             const reprise_value *b)
{
    char inner[256];
    size_t count = RP_MAX(reprise_value_count(a), reprise_value_count(b));
    for (size_t i = 0; i < count; i++) {
        snprintf(inner, sizeof inner, "%s[%zu]", path, i);
        compare_values(c, inner, reprise_value_at(a, i), reprise_value_at(b, i));
    }
}

/* A single-precision number equals the text it was printed as. */
static bool same_scalar(const reprise_value *a, const reprise_value *b)
{
    bool single = reprise_value_kind_of(a) == REPRISE_VALUE_FLOAT ||
                  reprise_value_kind_of(b) == REPRISE_VALUE_FLOAT;
    double x = reprise_value_double(a, NAN), y = reprise_value_double(b, NAN);
    if (single && !isnan(x) && !isnan(y))
        return (float)x == (float)y;
    return rp_value_equal(a, b);
}

static void compare_values(comparison *c, const char *path, const reprise_value *a,
                           const reprise_value *b)
{
    reprise_value_kind kind = reprise_value_kind_of(a);
    bool same_kind = a && b && kind == reprise_value_kind_of(b);
    if (same_kind && kind == REPRISE_VALUE_OBJECT)
        compare_members(c, path, a, b);
    else if (same_kind && kind == REPRISE_VALUE_ARRAY)
        compare_elements(c, path, a, b);
    else if (!a != !b || (a && !same_scalar(a, b)))
        differ_at(c, path, a, b);
}

static reprise_status info_of(rp_replay *replay, rp_doc *doc, const reprise_value **ret_info,
                              reprise_error *error)
{
    reprise_value *info = rp_new_object(doc);
    if (info && replay->format->read->info)
        RP_TRY(replay->format->read->info(replay, doc, info, error));
    *ret_info = info;
    return error->status;
}

static reprise_status compare_metadata(comparison *c, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, c->a->context);
    rp_doc doc = {.arena = &arena, .error = error};
    const reprise_value *a = NULL, *b = NULL;
    reprise_status status = info_of(c->a, &doc, &a, error);
    if (status == REPRISE_OK)
        status = info_of(c->b, &doc, &b, error);
    if (status == REPRISE_OK) {
        compare_values(c, "", rp_get(a, "header"), rp_get(b, "header"));
        compare_values(c, "end", rp_get(a, "end"), rp_get(b, "end"));
    }
    rp_arena_free(&arena);
    return status == REPRISE_OK ? error->status : status;
}

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

static void note_field(comparison *c, const rp_row *row, field_diff *diff, const rp_field *field,
                       const void *a, const void *b, double how_far)
{
    const rp_track *track = &c->format->tracks[row->track];
    diff->count++;
    diff->most = RP_MAX(diff->most, how_far);
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

static void compare_rows(comparison *c, const rp_row *a, const rp_row *b)
{
    const rp_track *track = &c->format->tracks[a->track];
    track_diff *diff = &c->tracks[a->track];
    bool same = true;
    if (track->timed && distance(a->time, b->time) > c->options.float_tolerance) {
        diff->times++;
        same = false;
    }
    uint64_t common = c->a->fields[a->track] & c->b->fields[a->track];
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count && (!track->storage || c->options.storage); p++) {
        const rp_part *part = &track->parts[p];
        const char *x = (const char *)a->data + part->offset;
        const char *y = (const char *)b->data + part->offset;
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
        track_diff *diff = &c->tracks[batch->rows[i].track];
        ++*(is_a ? &diff->rows_a : &diff->rows_b);
        ++*(is_a ? &diff->only_a : &diff->only_b);
        c->equal = false;
    }
}

static void compare_track(comparison *c, uint32_t track, const rp_batch *a, const rp_batch *b)
{
    bool objects = c->format->tracks[track].object || c->format->tracks[track].keyed;
    track_diff *diff = &c->tracks[track];
    size_t i = next_row(a, 0, track), k = next_row(b, 0, track);
    while (i < a->count || k < b->count) {
        const rp_row *x = i < a->count ? &a->rows[i] : NULL;
        const rp_row *y = k < b->count ? &b->rows[k] : NULL;
        bool step_a = x && (!y || !objects || x->object <= y->object);
        bool step_b = y && (!x || !objects || y->object <= x->object);
        if (step_a && step_b)
            compare_rows(c, x, y);
        else
            c->equal = false;
        diff->rows_a += step_a;
        diff->rows_b += step_b;
        diff->only_a += step_a && !step_b;
        diff->only_b += step_b && !step_a;
        if (step_a)
            i = next_row(a, i + 1, track);
        if (step_b)
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
static reprise_status step(const comparison *c, rp_decoder *decoder, int64_t *ret_index,
                           reprise_error *error)
{
    reprise_status status;
    do {
        status = rp_decoder_next(decoder, error);
    } while (status == REPRISE_OK && c->format->read->order && !decoder->batch.count);
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
    RP_TRY(step(c, a, &at_a, error));
    RP_TRY(step(c, b, &at_b, error));
    while (at_a != INT64_MAX || at_b != INT64_MAX) {
        int order = order_of(c, &a->batch, at_a, &b->batch, at_b);
        if (order == 0) {
            for (uint32_t track = 0; track < c->format->track_count; track++)
                compare_track(c, track, &a->batch, &b->batch);
        } else {
            count_alone(c, order < 0 ? &a->batch : &b->batch, order < 0);
        }
        if (order <= 0)
            RP_TRY(step(c, a, &at_a, error));
        if (order >= 0)
            RP_TRY(step(c, b, &at_b, error));
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

static reprise_status compare_tracks(comparison *c, reprise_error *error)
{
    rp_selection selection = {.tracks = compared_tracks(c), .dense = true};
    rp_decoder *a = NULL, *b = NULL;
    reprise_status status = rp_decoder_open(c->a, selection, &a, error);
    if (status == REPRISE_OK)
        status = rp_decoder_open(c->b, selection, &b, error);
    if (status == REPRISE_OK)
        status = compare_all(c, a, b, error);
    rp_decoder_close(a);
    rp_decoder_close(b);
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
            const field_diff *diff = &c->tracks[t].fields[bit];
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

static void write_report(comparison *c, reprise_value *report)
{
    rp_doc *doc = c->doc;
    rp_set_bool(doc, report, "equal", c->equal);
    rp_set_text(doc, report, "format", c->format->name);
    rp_set_text(doc, report, "layout_a", c->a->layout);
    rp_set_text(doc, report, "layout_b", c->b->layout);
    rp_set_uint(doc, report, "metadata_differences", c->metadata_count);
    rp_set(doc, report, "metadata", c->metadata);
    if (is_match(c))
        rp_set(doc, report, "match", c->match);
    reprise_value *tracks = rp_set_object(doc, report, "tracks");
    if (is_match(c) && !c->options.storage)
        return;
    for (size_t t = 0; t < c->format->track_count; t++) {
        const track_diff *diff = &c->tracks[t];
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

static reprise_status compare(comparison *c, reprise_error *error)
{
    rp_context *context = c->a->context;
    if (c->a->format != c->b->format)
        return rp_error_set(error, REPRISE_E_USAGE, "%s and %s have nothing to compare",
                            c->a->format->name, c->b->format->name);
    c->format = c->a->format;
    c->equal = true;
    c->tracks = rp_alloc_zero(context, c->format->track_count, sizeof *c->tracks, error);
    if (!c->tracks)
        return error->status;
    RP_TRY(compare_metadata(c, error));
    if (c->match && c->format->analyse && c->format->analyse->compare)
        RP_TRY(c->format->analyse->compare(c->a, c->b, c->doc, c->match, error));
    if (is_match(c))
        c->equal = c->equal && reprise_value_bool(rp_get(c->match, "same"), false);
    return is_match(c) && !c->options.storage ? REPRISE_OK : compare_tracks(c, error);
}

static void compare_free(comparison *c)
{
    if (c->tracks)
        rp_free(c->a->context, c->tracks, c->format->track_count * sizeof *c->tracks);
}

reprise_status rp_diff(rp_replay *a, rp_replay *b, const reprise_diff_options *options, rp_doc *doc,
                       reprise_value *report, bool *ret_equal, reprise_error *error)
{
    comparison c = {.a = a, .b = b, .options = *options, .doc = doc};
    c.metadata = rp_new_array(doc);
    c.match = rp_new_object(doc);
    reprise_status status = compare(&c, error);
    if (status == REPRISE_OK)
        status = rp_check_states(a, error);
    if (status == REPRISE_OK)
        status = rp_check_states(b, error);
    if (status == REPRISE_OK) {
        write_report(&c, report);
        status = doc->error->status;
        *ret_equal = c.equal;
    }
    compare_free(&c);
    return status;
}

reprise_status rp_same_content(rp_replay *a, rp_replay *b, bool *ret_equal, reprise_error *error)
{
    comparison c = {.a = a, .b = b, .strict = true};
    reprise_status status = compare(&c, error);
    if (status == REPRISE_OK)
        *ret_equal = c.equal;
    compare_free(&c);
    return status;
}
