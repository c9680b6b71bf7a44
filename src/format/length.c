/* length.c - the length of a recording, the same for every verb. See format.h. */
#include <math.h>

#include "format.h"

typedef struct track_span {
    uint32_t track;
    bool any;
    double first, last;
} track_span;

static reprise_status see_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    track_span *span = ctx;
    if (row->track != span->track)
        return REPRISE_OK;
    if (!span->any)
        span->first = row->time;
    span->any = true;
    span->last = row->time;
    return REPRISE_OK;
}

reprise_status rp_length_of_track(rp_replay *replay, unsigned track, double *ret_seconds,
                                  reprise_error *error)
{
    track_span span = {.track = track};
    rp_selection selection = {.tracks = UINT64_C(1) << track};
    reprise_status status = rp_each_row(replay, selection, see_row, &span, error);
    *ret_seconds = span.last - span.first;
    return status;
}

static reprise_status measure(rp_replay *replay, reprise_error *error)
{
    bool has_length = replay->format->read->length;
    double seconds = 0;
    /* Computing the length does not count as reading to the end. */
    bool read_to_end = replay->read_to_end;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (has_length)
        (void)replay->format->read->length(replay, &seconds, &damage);
    replay->read_to_end = read_to_end;
    if (rp_is_own_failure(replay->context, damage.status)) {
        *error = damage;
        return error->status;
    }
    bool broken_clock = !isfinite(seconds) || seconds < 0;
    replay->length = !has_length ? (double)NAN : broken_clock ? 0 : seconds;
    replay->length_damage = damage;
    replay->measured = true;
    return REPRISE_OK;
}

reprise_status rp_replay_length(rp_replay *replay, double *ret_seconds, reprise_error *ret_damage,
                                reprise_error *error)
{
    if (!replay->measured)
        RP_TRY(measure(replay, error));
    *ret_seconds = replay->length;
    if (ret_damage)
        *ret_damage = replay->length_damage;
    return REPRISE_OK;
}

reprise_status rp_set_length(rp_doc *doc, reprise_value *object, rp_replay *replay,
                             reprise_error *error)
{
    double seconds = 0;
    RP_TRY(rp_replay_length(replay, &seconds, NULL, error));
    if (replay->format->read->length)
        rp_set_seconds(doc, object, "duration", seconds);
    return error->status;
}
