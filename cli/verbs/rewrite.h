/*
 * rewrite.h - what the verbs that write a new replay share: where it goes, and the report.
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
    const char *settings; /* file of wishes, or NULL: the user's */
} cli_rewrite;

cli_parser cli_parse_level; /* of cli_rewrite: a number, fastest, balanced or compact */

#define CLI_REWRITE_OPTIONS(settings_type)                                                       \
    CLI_OPTIONS_OUTPUT(settings_type, change.output, change.force,                               \
                       "The new file, as the second operand; - is standard output."),            \
        CLI_OPTION_SETTINGS(settings_type, change.settings),                                     \
    {                                                                                            \
        .name = "level", .letter = 'l', .value = "LEVEL", .choices = "fastest balanced compact", \
        .group = "Where it goes",                                                                \
        .doc = "How hard to compress: fastest, balanced, compact, or the codec's own number.",   \
        .offset = offsetof(settings_type, change), .parse = cli_parse_level,                     \
    }

/* For verbs that may have to write another layout than they read. */
#define CLI_OPTION_LOSSY(settings_type, group_name)                                 \
    {                                                                               \
        .name = "lossy", .group = (group_name),                                     \
        .doc = "Go on although the layout that is written cannot hold everything.", \
        .offset = offsetof(settings_type, change.lossy), .parse = cli_parse_flag,   \
    }

typedef struct cli_rewriter {
    /* Does it; the options are filled in but for what is the verb's own. */
    reprise_status (*apply)(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error);
    const char *writes; /* format of the result, if it is not that of the source */
    bool salvage;       /* open damaged files */
    bool accounts;      /* the words say what was removed, kept and is unproven */
    bool dry_run;       /* keep nothing; needs no output */
    const char *secret; /* member of the report that is not shown, or NULL */
} cli_rewriter;

/* Opens the operand, changes it, tells about it. */
int cli_rewrite_run(cli_run *run, const cli_rewriter *changer);

#endif
