/* compare_run.h - the second run, for verbs with --against. */
#ifndef CLI_COMPARE_RUN_H
#define CLI_COMPARE_RUN_H

#include "command.h"
#include "ui/render.h"
#include <reprise/scene.h>

typedef struct cli_compare_run {
    reprise_replay *replay;
    reprise_scene *scene;
    bool failed; /* it cannot be read: an error is about this file, not about the first */
} cli_compare_run;

/*
 * Opens the run at `path` and compares the scene `mine` with it. Call cli_compare_run_close also
 * after a failure, and after closing `mine`.
 */
reprise_status cli_compare_run_open(cli_compare_run *rival, const char *path,
                                    const cli_open_options *reading, reprise_scene *mine,
                                    const reprise_value **ret_comparison, reprise_error *error);
void cli_compare_run_close(cli_compare_run *rival);
/* What the comparison says, and a table of the sections of the course. */
void cli_compare_run_show(const cli_render *r, size_t indent, const reprise_value *comparison);

#define CLI_OPTION_AGAINST(SETTINGS, GROUP, MORE)                               \
    {                                                                           \
        .name = "against", .value = "RUN", .choices = "<file>", .group = GROUP, \
        .doc = "Compare with another run of the same course." MORE,             \
        .offset = offsetof(SETTINGS, against), .parse = cli_parse_text          \
    }

#endif
