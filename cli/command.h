/* command.h - the verbs, and what they get when they run. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "exitcode.h"
#include "options.h"
#include "output.h"
#include "progress.h"

struct cli_run {
    const cli_command *command;
    const void *settings; /* the verb's own; cli_common first */
    const cli_common *common;
    char **operands;
    size_t operand_count;
    cli_out out; /* standard output */
    bool out_terminal;
    bool out_colour, words_colour;
    size_t width; /* of the terminal, or what is taken for it */
    cli_progress progress;
};

extern const cli_command cli_info, cli_tracks, cli_cat, cli_at, cli_stats, cli_verify;
extern const cli_command cli_recover, cli_convert, cli_trim, cli_anonymize, cli_recompress;
extern const cli_command cli_diff, cli_extract, cli_sign, cli_prove, cli_strip_voice;
extern const cli_command cli_export, cli_plot, cli_merge;
extern const cli_command cli_formats, cli_schema, cli_completion, cli_man;

/* All of them; NULL behind the last. */
const cli_command *cli_command_at(size_t index);
const cli_command *cli_command_find(const char *name);

/* The option that shows whole lists, for verbs that print tables. */
#define CLI_OPTION_ALL(settings_type)                                                            \
    {                                                                                            \
        .name = "all", .letter = 'a', .group = "What is shown", .doc = "Show long lists whole.", \
        .offset = offsetof(settings_type, all), .parse = cli_parse_flag,                         \
    }

#endif
