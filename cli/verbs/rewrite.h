/*
 * rewrite.h - shared by the verbs that write a new replay: the output options and the report.
 */
#ifndef CLI_REWRITE_H
#define CLI_REWRITE_H

#include "command.h"
#include "settings.h"
#include <reprise/write.h>

/* The first member of the settings of such a verb. */
typedef struct cli_rewrite {
    cli_common common;
    const char *output;
    bool force, lossy;
    int level;
    bool level_given;
    const char *settings; /* settings file; NULL: the user's */
} cli_rewrite;

cli_parser cli_parse_level; /* of cli_rewrite: a number, fastest, balanced or compact */

#define CLI_REWRITE_OPTIONS(settings_type)                                                       \
    CLI_OPTIONS_OUTPUT(settings_type, change.output, change.force,                               \
                       "Write the new replay to FILE instead of NEW; '-' is standard output."),  \
        CLI_OPTION_SETTINGS(settings_type, change.settings),                                     \
    {                                                                                            \
        .name = "level", .letter = 'l', .value = "LEVEL", .choices = "fastest balanced compact", \
        .group = CLI_OUTPUT_GROUP,                                                               \
        .doc = "Compress with LEVEL: fastest, balanced, compact, or the codec's own number.",    \
        .offset = offsetof(settings_type, change), .parse = cli_parse_level,                     \
    }

/* For verbs that may have to write a different layout than they read. */
#define CLI_OPTION_LOSSY(settings_type, group_name)                               \
    {                                                                             \
        .name = "lossy", .group = (group_name),                                   \
        .doc = "Write the result even if its layout cannot hold everything.",     \
        .offset = offsetof(settings_type, change.lossy), .parse = cli_parse_flag, \
    }

typedef struct cli_rewriter {
    /* Writes the new replay. The options are filled in, except those specific to the verb. */
    reprise_status (*apply)(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error);
    const char *writes; /* format of the result; NULL: that of the source */
    const char *suffix; /* of results in --output-dir; NULL: that of the source */
    bool salvage;       /* open damaged files */
    bool accounts;      /* list what was removed, what was kept and what is unproven */
    bool dry_run;       /* write no file; needs no output */
    const char *secret; /* member of the report that is not printed, or NULL */
} cli_rewriter;

/*
 * Opens the operand, writes the new replay, prints the report; with --output-dir does so for all
 * files. Returns the exit code.
 */
int cli_rewrite_run(cli_run *run, const cli_rewriter *changer);

#endif
