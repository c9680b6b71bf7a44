/* rows.c - see rows.h. */
#include "rows.h"

#include "verify.h"

/*
 * Rows of a file that is cut short end where they meet other damage. Damage that was met before,
 * for example by `info`, must not end them earlier, so they are read from a replay of their own.
 */
static reprise_status open_unread(rp_replay **replay, rp_rows *rows, reprise_error *error)
{
    reprise_error met;
    if (!(*replay)->cut || !rp_replay_corrupt(*replay, &met))
        return REPRISE_OK;
    RP_TRY(rp_replay_open_again(*replay, &rows->own, error));
    rows->own->cut = true;
    *replay = rows->own;
    return REPRISE_OK;
}

static reprise_status open_decoder(rp_replay *replay, const reprise_rows_options *options,
                                   rp_rows *rows, reprise_error *error)
{
    if (options->linear && !replay->format->read->interpolates)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no values to interpolate",
                            replay->format->name);
    uint64_t all = (UINT64_C(1) << replay->format->track_count) - 1;
    rp_selection selection = {
        .tracks = options->tracks ? options->tracks & all : all,
        .dense = options->every_frame,
        .linear = options->linear,
    };
    return rp_decoder_open(replay, selection, &rows->decoder, error);
}

static bool has_range(const reprise_rows_options *options)
{
    const reprise_rows_options all = REPRISE_ROWS_INIT;
    return options->time_from > all.time_from || options->time_to < all.time_to ||
           options->index_from > all.index_from || options->index_to < all.index_to;
}

reprise_status rp_rows_open(rp_replay *replay, const reprise_rows_options *options, rp_rows *rows,
                            reprise_error *error)
{
    *rows = (rp_rows){.options = *options, .ranged = has_range(options)};
    RP_TRY(open_unread(&replay, rows, error));
    reprise_status status = open_decoder(replay, options, rows, error);
    if (status != REPRISE_OK)
        rp_rows_close(rows);
    return status;
}

void rp_rows_close(rp_rows *rows)
{
    rp_decoder_close(rows->decoder);
    rp_replay_close(rows->own);
    rows->decoder = NULL;
    rows->own = NULL;
}

/* Times stored in single precision are compared that way: a time given as printed must match. */
static bool in_time(const rp_rows *rows, const rp_track *track, double time)
{
    double from = rows->options.time_from, to = rows->options.time_to;
    if (track->time_single && from > -1e38 && from < 1e38)
        from = (double)(float)from;
    if (track->time_single && to > -1e38 && to < 1e38)
        to = (double)(float)to;
    return time >= from && time <= to;
}

static bool in_range(const rp_rows *rows, const rp_row *row)
{
    if (!rows->ranged && row->time >= rows->options.time_from && row->time <= rows->options.time_to)
        return true; /* as most rows of all */
    const rp_track *track = &rows->decoder->replay->format->tracks[row->track];
    if (track->clock &&
        (row->index < rows->options.index_from || row->index > rows->options.index_to))
        return false;
    return !track->timed || in_time(rows, track, row->time);
}

/*
 * Some families skip damage and note it, others stop. Rows end the same way in all of them: with
 * the damage, after everything complete was given. Salvaging means that the caller wants no error.
 */
static reprise_status end_of_rows(const rp_rows *rows, reprise_error *error)
{
    rp_replay *replay = rows->decoder->replay;
    RP_TRY(rp_check_tracks(replay, rows->decoder->selection.tracks, error));
    reprise_error damage;
    if (replay->salvage || !rp_replay_damage(replay, &damage))
        return REPRISE_END;
    if (damage.status != REPRISE_E_TRUNCATED && damage.status != REPRISE_E_CORRUPT)
        return REPRISE_END;
    *error = damage;
    return damage.status;
}

/*
 * A file that ends early is opened as for recovery, which skips damage. Rows must not: they would
 * continue where those of the same file, complete, end.
 */
static reprise_status end_at_damage(const rp_rows *rows, reprise_error *error)
{
    const rp_replay *replay = rows->decoder->replay;
    reprise_error damage;
    if (!replay->cut || !rp_replay_corrupt(replay, &damage))
        return REPRISE_OK;
    *error = damage;
    return damage.status;
}

/* Goes to the first row in range that was not taken yet, and decodes more until there is one. */
static reprise_status find_row(rp_rows *rows, reprise_error *error)
{
    for (;;) {
        const rp_batch *step = &rows->decoder->batch;
        while (rows->at < step->count && !in_range(rows, &step->rows[rows->at]))
            rows->at++;
        if (rows->at < step->count)
            return REPRISE_OK;
        rows->row = NULL;
        if (rows->ended)
            return REPRISE_END;
        rows->at = 0;
        reprise_status status = rp_decoder_next(rows->decoder, error);
        if (status == REPRISE_END)
            status = end_of_rows(rows, error);
        else if (status == REPRISE_OK)
            status = end_at_damage(rows, error);
        if (status != REPRISE_OK) {
            rows->decoder->batch.count = 0;
            rows->ended = true;
            return status;
        }
    }
}

reprise_status rp_rows_next(rp_rows *rows, reprise_error *error)
{
    RP_TRY(find_row(rows, error));
    rows->row = &rows->decoder->batch.rows[rows->at++];
    return REPRISE_OK;
}

reprise_status rp_rows_peek(rp_rows *rows, size_t max, const rp_row **ret_rows, size_t *ret_count,
                            reprise_error *error)
{
    RP_TRY(find_row(rows, error));
    const rp_row *first = &rows->decoder->batch.rows[rows->at];
    size_t left = RP_MIN(max, rows->decoder->batch.count - rows->at), count = 1;
    while (count < left && in_range(rows, &first[count]))
        count++;
    *ret_rows = first;
    *ret_count = count;
    return REPRISE_OK;
}

void rp_rows_take(rp_rows *rows, size_t count)
{
    rows->at += count;
}
