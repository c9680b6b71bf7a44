/* moment.c - see moment.h. */
#include "moment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter.h"

static reprise_status refuse(reprise_error *error, const char *hint)
{
    error->status = REPRISE_E_USAGE;
    snprintf(error->hint, sizeof error->hint, "%s", hint);
    return error->status;
}

static bool is_called(const reprise_rows *rows, size_t column, const char *name)
{
    size_t size = 0;
    const char *text = reprise_row_text(rows, column, &size);
    return text && size == strlen(name) && memcmp(text, name, size) == 0;
}

/* Leaves *ret_time as NaN if no marker has the name. */
static reprise_status find_marker(reprise_replay *replay, size_t track, const char *name,
                                  double after, double *ret_time, reprise_error *error)
{
    int names = cli_column_find(replay, track, "name");
    int times = cli_column_find(replay, track, "time");
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    double found = NAN;
    reprise_status status = names < 0 || times < 0
                                ? REPRISE_END
                                : reprise_rows_open(replay, &options, &rows, error);
    while (status == REPRISE_OK && isnan(found)) {
        status = reprise_rows_next(rows, error);
        if (status != REPRISE_OK || !is_called(rows, (size_t)names, name))
            continue;
        double time = reprise_row_double(rows, (size_t)times);
        if (time > after)
            found = time;
    }
    reprise_rows_close(rows);
    *ret_time = found;
    return status == REPRISE_END ? REPRISE_OK : status;
}

reprise_status cli_moment_find(reprise_replay *replay, const cli_moment *option, double after,
                               reprise_moment *ret_moment, reprise_error *error)
{
    reprise_moment moment = option->moment;
    if (option->marker) {
        int track = reprise_track_find(replay, "markers");
        moment.time = NAN;
        if (track >= 0 && find_marker(replay, (size_t)track, option->marker, after, &moment.time,
                                      error) != REPRISE_OK)
            return error->status;
        if (isnan(moment.time)) {
            snprintf(error->message, sizeof error->message,
                     "'%s' for '--%s' is neither a time nor a marker", option->marker,
                     option->option);
            return refuse(error, track < 0 ? "use a time (12.5, 1:02.5)"
                                           : "use a time (12.5, 1:02.5) or a name that 'reprise "
                                             "cat --track markers' lists");
        }
    }
    *ret_moment = moment;
    return REPRISE_OK;
}

static void set_bound(const reprise_moment *moment, double *time, int64_t *index)
{
    if (moment->by_index)
        *index = moment->index;
    else
        *time = moment->time;
}

reprise_status cli_range_find(reprise_replay *replay, const cli_moment *from, const cli_moment *to,
                              cli_range range, reprise_error *error)
{
    reprise_moment moment = {0};
    if (from->given && cli_moment_find(replay, from, -HUGE_VAL, &moment, error) != REPRISE_OK)
        return error->status;
    if (from->given)
        set_bound(&moment, range.time_from, range.index_from);
    double after = from->given && to->marker ? *range.time_from : -HUGE_VAL;
    if (to->given && cli_moment_find(replay, to, after, &moment, error) != REPRISE_OK)
        return error->status;
    if (to->given)
        set_bound(&moment, range.time_to, range.index_to);
    if (*range.time_from > *range.time_to || *range.index_from > *range.index_to) {
        snprintf(error->message, sizeof error->message, "the range ends before it starts");
        return refuse(error, "give the earlier moment to --from");
    }
    return REPRISE_OK;
}
