/* command.h - the verbs, and what they get when they run. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "exitcode.h"
#include "options.h"
#include "ui/output.h"
#include "ui/progress.h"

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

/* All of them; NULL behind the last. */
const cli_command *cli_command_at(size_t index);
const cli_command *cli_command_find(const char *name);

/* The option that shows whole lists, for verbs that print tables. */
#define CLI_OPTION_ALL(settings_type)                                                            \
    {                                                                                            \
        .name = "all", .letter = 'a', .group = "What is shown", .doc = "Show long lists whole.", \
        .offset = offsetof(settings_type, all), .parse = cli_parse_flag,                         \
    }

/* clang-format off */
/* The options of verbs that take a part of the time; `more` is what else there is to say. */
#define CLI_OPTIONS_SPAN(settings_type, group_name, more)                                       \
    {.name = "from",                                                                            \
     .value = "TIME",                                                                           \
     .group = group_name,                                                                       \
     .doc = "From this time on: seconds (12.5), minutes and seconds (1:02.5), or a frame or "   \
            "tick ('#120')." more,                                                              \
     .offset = offsetof(settings_type, from),                                                   \
     .parse = cli_parse_moment},                                                                \
    {.name = "to",                                                                              \
     .value = "TIME",                                                                           \
     .group = group_name,                                                                       \
     .doc = "Up to and including this time.",                                                   \
     .offset = offsetof(settings_type, to),                                                     \
     .parse = cli_parse_moment}

/* The options of verbs that write a file: `output` and `force` are members of the settings. */
#define CLI_OPTIONS_OUTPUT(settings_type, output_member, force_member, words)                   \
    {.name = "output",                                                                          \
     .letter = 'o',                                                                             \
     .value = "FILE",                                                                           \
     .choices = "<file>",                                                                       \
     .group = "Where it goes",                                                                  \
     .doc = words " It appears whole or not at all.",                                           \
     .offset = offsetof(settings_type, output_member),                                          \
     .parse = cli_parse_text},                                                                  \
    {.name = "force",                                                                           \
     .letter = 'f',                                                                             \
     .group = "Where it goes",                                                                  \
     .doc = "Replace the file if it exists.",                                                   \
     .offset = offsetof(settings_type, force_member),                                           \
     .parse = cli_parse_flag}
/* clang-format on */

#endif
