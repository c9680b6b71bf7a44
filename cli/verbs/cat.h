/* cat.h - printing rows, for the verbs that do. */
#ifndef CLI_CAT_H
#define CLI_CAT_H

#include "batch/filter.h"
#include "command.h"

typedef struct cli_cat_settings {
    cli_common common;
    cli_words tracks, columns;
    cli_moment from, to, from_frame, to_frame;
    cli_filter where;
    bool every_frame, stored, no_status, force;
    size_t style;   /* index of the word chosen */
    size_t between; /* index of the word chosen: step, linear */
    const char *output;
} cli_cat_settings;

/* Prints the rows of all operands; returns the exit code. */
int cli_cat_rows(cli_run *run, const cli_cat_settings *settings);

#endif
