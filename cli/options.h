/*
 * options.h - options of verbs: one table per verb feeds the parser, the help text, the man page
 * and the completion of shells.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "ui/strbuf.h"

typedef struct cli_option cli_option;

/* Stores the value given as `text` in `to`, or describes in `problem` what is wrong with it. */
typedef bool cli_parser(const cli_option *option, char *text, void *to, cli_strbuf *problem);

struct cli_option {
    const char *name;        /* without dashes */
    const char *former_name; /* name in the previous version, still accepted; or NULL */
    char letter;             /* or 0 */
    const char *value;       /* placeholder in the help; NULL: a flag without a value */
    const char *choices;     /* words separated by spaces, "<file>", "<format>" ..., or NULL */
    const char *group;       /* heading in the help */
    const char *doc;
    size_t offset; /* of the setting in the verb's settings */
    cli_parser *parse;
};

typedef struct cli_example {
    const char *command, *says;
} cli_example;

typedef struct cli_run cli_run;

enum { CLI_EXAMPLES_MAX = 9 };

typedef struct cli_command {
    const char *name;
    const char *summary;         /* one line, without a full stop */
    const char *operands;        /* "FILE..." */
    const char *operand_choices; /* as in cli_option; NULL: none */
    size_t operands_min, operands_max;
    const char *description; /* paragraphs separated by empty lines */
    cli_example examples[CLI_EXAMPLES_MAX];
    const cli_option *options;
    size_t option_count;
    bool reads;   /* opens replays, so it takes the input options */
    bool walks;   /* searches directories, so it takes the options that choose files in them */
    bool batches; /* walks too if --output-dir is given, and writes a file for each one it reads */
    bool hidden;  /* not listed in help and completion */
    size_t settings_size;
    int (*run)(cli_run *run);
} cli_command;

/* The options of a verb, then those it shares with other verbs; NULL after the last. */
const cli_option *cli_option_at(const cli_command *command, size_t index);
/* The same options as help lists them: group by group, in the order in which groups come first. */
const cli_option *cli_option_in_help(const cli_command *command, size_t index);

enum { CLI_LIMITS_MAX = 32 };
/* Limits that were given, numbered as by reprise_limit_at. */
typedef struct cli_limits {
    bool given[CLI_LIMITS_MAX];
    uint64_t values[CLI_LIMITS_MAX];
} cli_limits;

/* How to open a replay; cli_open turns this into reprise_options. */
typedef struct cli_open_options {
    const char *format, *layout;
    cli_limits limits;
    reprise_progress *progress;
    void *progress_ctx;
    bool salvage;
    const uint8_t *trusted_keys;
    size_t trusted_key_count;
    reprise_simulating simulate;
    bool no_digests;
    bool no_mapping;
    unsigned threads;
} cli_open_options;

typedef struct cli_number {
    bool given;
    uint64_t count;
    double real;
} cli_number;

/* ---- kinds of values ---- */

enum { CLI_WORDS_MAX = 256 };
typedef struct cli_words {
    const char *items[CLI_WORDS_MAX];
    size_t count;
} cli_words;

/* Settings of all verbs; the first member of every verb's settings. */
typedef struct cli_common {
    cli_open_options reading;
    bool json, quiet, help, no_sandbox;
    size_t colour, progress; /* index of the word chosen */
    cli_number jobs;
    cli_words include, exclude; /* patterns for files in directories */
    const char *files_from;
    const char *output_dir; /* of verbs that batch; NULL: they write one file */
    cli_strbuf given;       /* names and values of all options given, each ended by a NUL byte */
} cli_common;
#define CLI_COLOUR_CHOICES   "auto always never"
#define CLI_PROGRESS_CHOICES "auto json none"
enum { CLI_AUTO = 0, CLI_COLOUR_ALWAYS = 1, CLI_PROGRESS_JSON = 1 };

typedef struct cli_moment {
    bool given;
    reprise_moment moment;
    const char *marker; /* its name instead of a moment, or NULL: see batch/moment.h */
    const char *option; /* that a marker was given to, without dashes */
} cli_moment;

/* For parsers: writes "invalid value ... for ...; expected ..." and returns false. */
bool cli_invalid(const cli_option *option, const char *text, cli_strbuf *problem,
                 const char *expected, ...) REPRISE_PRINTF(4, 5);

cli_parser cli_parse_flag;   /* bool */
cli_parser cli_parse_text;   /* const char * */
cli_parser cli_parse_choice; /* size_t: index of the word in `choices` */
cli_parser cli_parse_words;  /* cli_words; separated by commas, option may be repeated */
cli_parser cli_parse_line;   /* cli_words; one word per option, commas included */
cli_parser cli_parse_moment; /* cli_moment: 12.5, 1:02.5, #120 or the name of a marker */
cli_parser cli_parse_time;   /* cli_moment: seconds only */
cli_parser cli_parse_index;  /* cli_moment: number of a frame or tick */
cli_parser cli_parse_count;  /* cli_number: an integer, 0 or more */
cli_parser cli_parse_real;   /* cli_number: a number, 0 or more */
cli_parser cli_parse_limit;  /* cli_limits: name=value */
/* The names of limits; NULL after the last. */
const char *cli_limit_name(size_t index);

/* ---- parsing ---- */

/*
 * Fills in the settings and moves the operands to the front of `arguments`. On failure `problem`
 * says what is wrong and, if it can, what was meant. `notes` gets a line for each option that was
 * given by its former name.
 */
bool cli_options_parse(const cli_command *command, char **arguments, size_t count, void *settings,
                       size_t *ret_operands, cli_strbuf *notes, cli_strbuf *problem);

/*
 * The candidate most similar to `word`, or NULL if none is similar. `next` gives the candidates,
 * NULL after the last.
 */
const char *cli_closest(const char *word, const char *(*next)(const void *ctx, size_t index),
                        const void *ctx);

/* Steps through words separated by spaces; false at the end. */
bool cli_next_word(const char **at, const char **ret_word, size_t *ret_size);

/* ---- help ---- */

void cli_help(const cli_command *command, bool colour, size_t width, cli_strbuf *to);

#endif
