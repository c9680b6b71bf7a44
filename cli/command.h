/* command.h - the list of verbs, and the state of a run. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "exitcode.h"
#include "options.h"
#include "ui/output.h"
#include "ui/progress.h"

/* What a verb reports while it works on one of many files. */
typedef struct cli_captured {
    cli_strbuf words;
    reprise_error error; /* the first one */
} cli_captured;

struct cli_run {
    const cli_command *command;
    const void *settings; /* of the verb; begins with cli_common */
    const cli_common *common;
    char **operands;
    size_t operand_count;
    char **operands_owned; /* the same, if names from --files-from are among them */
    cli_strbuf listed;     /* these names */
    cli_out out;           /* standard output */
    bool out_terminal;
    bool out_colour, words_colour;
    size_t width;     /* of the terminal, or a default */
    unsigned threads; /* that may work on each file */
    bool parallel;    /* threads work on several files at once */
    cli_progress progress;
    cli_captured *captured; /* gets words and errors instead of the standard streams, or NULL */
};

/* The verbs, in the order in which help lists them. */
/* clang-format off */
#define CLI_VERBS(V) \
    V(info) \
    V(tracks) \
    V(cat) \
    V(at) \
    V(stats) \
    V(verify) \
    V(recover) \
    V(convert) \
    V(trim) \
    V(anonymize) \
    V(strip_voice) \
    V(merge) \
    V(recompress) \
    V(diff) \
    V(extract) \
    V(sign) \
    V(prove) \
    V(play) \
    V(record) \
    V(import) \
    V(index) \
    V(query) \
    V(records) \
    V(players) \
    V(duplicates) \
    V(export) \
    V(plot) \
    V(view) \
    V(formats) \
    V(schema) \
    V(completion) \
    V(man)
/* clang-format on */

#define CLI_DECLARE(verb) extern const cli_command cli_##verb;
CLI_VERBS(CLI_DECLARE)
#undef CLI_DECLARE

/* NULL after the last. */
const cli_command *cli_command_at(size_t index);
const cli_command *cli_command_find(const char *name);

/* Headings of option groups that several verbs share. */
#define CLI_DISPLAY      "Display"
#define CLI_OUTPUT_GROUP "Output"

/* clang-format off */
/* For verbs that print tables. */
#define CLI_OPTION_ALL(settings_type)                                                            \
    {.name = "all",                                                                              \
     .letter = 'a',                                                                              \
     .group = CLI_DISPLAY,                                                                       \
     .doc = "Show long lists in full.",                                                          \
     .offset = offsetof(settings_type, all),                                                     \
     .parse = cli_parse_flag}

/* For verbs that take a time range; `more` is appended to the text of --from. */
#define CLI_OPTIONS_SPAN(settings_type, group_name, more)                                       \
    {.name = "from",                                                                            \
     .value = "TIME",                                                                           \
     .group = group_name,                                                                       \
     .doc = "Start at TIME: seconds (12.5), minutes and seconds (1:02.5), a frame or tick "     \
            "('#120'), or the name of a marker." more,                                                                   \
     .offset = offsetof(settings_type, from),                                                   \
     .parse = cli_parse_moment},                                                                \
    {.name = "to",                                                                              \
     .value = "TIME",                                                                           \
     .group = group_name,                                                                       \
     .doc = "Stop after TIME, which is included.",                                              \
     .offset = offsetof(settings_type, to),                                                     \
     .parse = cli_parse_moment}

/* For verbs that write a file: `output_member` and `force_member` are members of the settings. */
#define CLI_OPTIONS_OUTPUT(settings_type, output_member, force_member, words)                   \
    {.name = "output",                                                                          \
     .letter = 'o',                                                                             \
     .value = "FILE",                                                                           \
     .choices = "<file>",                                                                       \
     .group = CLI_OUTPUT_GROUP,                                                                 \
     .doc = words " FILE appears complete or not at all.",                                      \
     .offset = offsetof(settings_type, output_member),                                          \
     .parse = cli_parse_text},                                                                  \
    {.name = "force",                                                                           \
     .letter = 'f',                                                                             \
     .group = CLI_OUTPUT_GROUP,                                                                 \
     .doc = "Replace an existing file.",                                                        \
     .offset = offsetof(settings_type, force_member),                                           \
     .parse = cli_parse_flag}
/* clang-format on */

#endif
