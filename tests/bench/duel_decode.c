/*
 * duel_decode.c - one decode of a file: every row of every track, and nothing else.
 *
 * usage: duel_decode FILE
 *
 * The other side of `verify`, which must not take much longer.
 */
#include <stdio.h>

#include "reprise/reprise.h"

int main(int argc, char **argv)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_MAX;
    if (argc != 2 || reprise_open_file(argv[1], NULL, &replay, &error) != REPRISE_OK ||
        reprise_rows_open(replay, &options, &rows, &error) != REPRISE_OK)
        return 2;
    unsigned long long count = 0;
    while (reprise_rows_next(rows, &error) == REPRISE_OK)
        count++;
    reprise_rows_close(rows);
    reprise_close(replay);
    printf("%llu\n", count);
    return error.status == REPRISE_OK ? 0 : 1;
}
