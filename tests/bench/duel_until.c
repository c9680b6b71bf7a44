/*
 * duel_until.c - one decode up to a moment: every row of every track, and nothing else.
 *
 * usage: duel_until FILE SECONDS TRACK|apart
 *
 * The other side of `at`. Reading stops at the first later row of TRACK, which has a row for each
 * frame: rows of others, such as a list of markers, may be of any time. Formats that store one
 * track after the other are read track by track ("apart"), each up to the moment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reprise/reprise.h"

static bool decode(reprise_replay *replay, uint64_t tracks, int clock_track, double until,
                   unsigned long long *ret_count)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = tracks;
    if (reprise_rows_open(replay, &options, &rows, &error) != REPRISE_OK)
        return false;
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        if ((int)reprise_row_track(rows) == clock_track && reprise_row_time(rows) > until)
            break;
        ++*ret_count;
    }
    reprise_rows_close(rows);
    return error.status == REPRISE_OK;
}

int main(int argc, char **argv)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    if (argc != 4 || reprise_open_file(argv[1], NULL, &replay, &error) != REPRISE_OK)
        return 2;
    double until = strtod(argv[2], NULL);
    unsigned long long count = 0;
    bool good = true;
    if (strcmp(argv[3], "apart") == 0) {
        for (size_t track = 0; track < reprise_track_count(replay) && good; track++)
            good = decode(replay, UINT64_C(1) << track, (int)track, until, &count);
    } else {
        good = decode(replay, UINT64_MAX, reprise_track_find(replay, argv[3]), until, &count);
    }
    reprise_close(replay);
    printf("%llu\n", count);
    return good ? 0 : 1;
}
