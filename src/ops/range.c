/* range.c - see range.h. */
#include "range.h"

#include <math.h>
#include <string.h>

typedef struct finder {
    const rp_format *format;
    const char *from_marker, *to_marker;
    double from, to; /* seconds, where the bounds are times */
    bool found_from, found_to;
    const rp_field *name; /* of a marker */
} finder;

static int find_track(const rp_format *format, const char *name)
{
    for (size_t i = 0; i < format->track_count; i++) {
        if (name ? strcmp(format->tracks[i].name, name) == 0
                 : format->tracks[i].clock && format->tracks[i].timed)
            return (int)i;
    }
    return -1;
}

static const rp_field *name_field(const rp_track *track)
{
    const rp_record *record = track->parts[0].record;
    for (size_t i = 0; i < record->count; i++) {
        if (strcmp(record->fields[i].name, "name") == 0 && record->fields[i].kind == RP_TEXT)
            return &record->fields[i];
    }
    return NULL;
}

static bool is_called(const rp_text *text, const char *name)
{
    return name && text->data && text->size == strlen(name) &&
           memcmp(text->data, name, text->size) == 0;
}

/* The first marker with this name; for the end of a range, the first after its start. */
static reprise_status look_at_marker(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    finder *f = ctx;
    const rp_text *name = rp_at_const(f->name, row->data);
    if (is_called(name, f->from_marker) && !f->found_from) {
        f->from = row->time;
        f->found_from = true;
    } else if (is_called(name, f->to_marker) && !f->found_to &&
               (!f->from_marker || (f->found_from && row->time > f->from))) {
        f->to = row->time;
        f->found_to = true;
    }
    return REPRISE_OK;
}

static reprise_status find_markers(rp_replay *replay, finder *f, reprise_error *error)
{
    int track = find_track(f->format, "markers");
    f->name = track < 0 ? NULL : name_field(&f->format->tracks[track]);
    if (!f->name)
        return rp_error_set(error, REPRISE_E_USAGE, "%s has no markers", f->format->name);
    rp_selection selection = {.tracks = UINT64_C(1) << track};
    RP_TRY(rp_each_row(replay, selection, look_at_marker, f, error));
    if ((f->from_marker && !f->found_from) || (f->to_marker && !f->found_to)) {
        rp_error_set(error, REPRISE_E_USAGE, "no marker '%s'",
                     f->from_marker && !f->found_from ? f->from_marker : f->to_marker);
        rp_error_advise(error, REPRISE_HINT_MARKERS);
        return error->status;
    }
    return REPRISE_OK;
}

/* A bound relative to the start or the end of the run. */
static reprise_status find_run(rp_replay *replay, const reprise_bound *bound, double timer,
                               double *time, reprise_error *error)
{
    if (bound->by != REPRISE_BY_RUN)
        return REPRISE_OK;
    RP_TRY(rp_run_moment(replay, timer, time, error));
    *time += bound->time;
    return REPRISE_OK;
}

/* Times are compared in the precision of the file. */
static double as_kept(const rp_track *track, double time)
{
    return track->time_single && time > -1e38 && time < 1e38 ? (double)(float)time : time;
}

/* All tracks with a clock: if each object has its own moments, no single track has all of them. */
static uint64_t clock_tracks(const rp_format *format)
{
    uint64_t tracks = 0;
    for (size_t i = 0; i < format->track_count; i++) {
        if (format->tracks[i].clock && format->tracks[i].timed)
            tracks |= UINT64_C(1) << i;
    }
    return tracks;
}

static reprise_status scan(rp_replay *replay, int track, const reprise_bound *from,
                           const reprise_bound *to, const finder *f, rp_range *range,
                           reprise_error *error)
{
    const rp_track *about = &f->format->tracks[track];
    double least = as_kept(about, f->from), most = as_kept(about, f->to);
    rp_decoder *decoder = NULL;
    rp_selection selection = {.tracks = rp_format_cuts(f->format) ? clock_tracks(f->format)
                                                                  : UINT64_C(1) << track};
    RP_TRY(rp_decoder_open(replay, selection, &decoder, error));
    bool any = false;
    uint64_t rows = 0;
    double first = INFINITY, last_time = -INFINITY;
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++) {
            const rp_row *row = &decoder->batch.rows[i];
            bool starts = from->by == REPRISE_BY_INDEX ? row->index >= from->index
                                                       : row->time >= least;
            bool ends = to->by == REPRISE_BY_INDEX ? row->index <= to->index : row->time <= most;
            bool in = starts && ends;
            if (in && (!any || (rp_format_cuts(f->format) && row->time < range->time_from))) {
                range->index_from = row->index;
                range->time_from = row->time;
                range->time_least = rows ? row->time : -INFINITY;
            }
            bool last = !rp_format_cuts(f->format) || !any || row->time > range->time_to;
            any = any || in;
            if (any && ends && last) {
                range->index_to = row->index;
                range->time_to = row->time;
                range->time_end = INFINITY;
            } else if (any && row->index == range->index_to + 1) {
                range->time_end = row->time;
            }
            first = fmin(first, row->time);
            last_time = fmax(last_time, row->time);
            rows++;
        }
    }
    rp_decoder_close(decoder);
    if (status != REPRISE_END)
        return status;
    if (any)
        return REPRISE_OK;
    return rp_error_set(error, REPRISE_E_USAGE,
                        "nothing is recorded in this range, only from %.3f to %.3f s",
                        rows ? first : 0, rows ? last_time : 0);
}

reprise_status rp_range_find(rp_replay *replay, const reprise_bound *from, const reprise_bound *to,
                             rp_range *ret_range, reprise_error *error)
{
    finder f = {.format = replay->format,
                .from_marker = from->by == REPRISE_BY_MARKER ? from->marker : NULL,
                .to_marker = to->by == REPRISE_BY_MARKER ? to->marker : NULL,
                .from = from->by == REPRISE_BY_TIME ? from->time : -1e300,
                .to = to->by == REPRISE_BY_TIME ? to->time : 1e300};
    int track = find_track(replay->format, NULL);
    if (track < 0)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no moments",
                            replay->format->name);
    if (f.from_marker || f.to_marker)
        RP_TRY(find_markers(replay, &f, error));
    RP_TRY(find_run(replay, from, 0, &f.from, error));
    RP_TRY(find_run(replay, to, INFINITY, &f.to, error));
    rp_range range = {0};
    RP_TRY(scan(replay, track, from, to, &f, &range, error));
    *ret_range = range;
    return REPRISE_OK;
}
