/* icdata.h - the Iron Curtain samples, and queries shared by several test programs. */
#ifndef ICDATA_H
#define ICDATA_H

#include <stdio.h>

#include "written.h"

#define IC_DATA "tests/data/ironcurtain/"

static inline bytes ic_load(const char *name)
{
    char path[256];
    bytes all = {0};
    unsigned char piece[4096];
    snprintf(path, sizeof path, IC_DATA "%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(piece, 1, sizeof piece, f));)
        bytes_write(&all, piece, n);
    fclose(f);
    return all;
}

/* Rows of a track whose column, as text, is this; column NULL: all rows. */
static inline size_t ic_count_rows(const bytes *file, const char *track, const char *column,
                                   const char *text)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *rows = NULL;
    size_t count = 0, at = 0;
    int number = reprise_track_find(replay, track);
    assert_true(number >= 0);
    options.tracks = UINT64_C(1) << number;
    while (column && strcmp(reprise_column_at(replay, (size_t)number, at)->name, column) != 0)
        at++;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track);
    reprise_status status;
    while ((status = reprise_rows_next(rows, &error)) == REPRISE_OK) {
        size_t size = 0;
        const char *value = column ? reprise_row_text(rows, at, &size) : NULL;
        count += !column || (value && size == strlen(text) && memcmp(value, text, size) == 0);
    }
    assert_true(status == REPRISE_END || reprise_damage(replay, NULL));
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

/* The result of verify: faults, and a member of the summary as text. */
static inline uint64_t ic_faults(const bytes *file)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
    reprise_close(replay);
    return summary.faults;
}

#endif
