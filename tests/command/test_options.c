/*
 * test_options.c - laws over the option table of every verb: how a value may be given, and that
 * everything else is a usage error which names the option. The tables are the command's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command.h"
#include "run_command.h"

/* One run of the parser. The settings are those of the verb; the words are copies. */
typedef struct parsed {
    bool ok;
    char *settings, *words[3];
    size_t operands;
    cli_strbuf notes, problem, given;
} parsed;

static parsed parse(const cli_command *command, const char *first, const char *second)
{
    parsed p = {.settings = calloc(1, command->settings_size)};
    size_t count = 0;
    for (const char *const *word = (const char *const[]){first, second, NULL}; *word; word++)
        assert_non_null(p.words[count++] = strdup(*word));
    assert_non_null(p.settings);
    char *arguments[3] = {p.words[0], p.words[1], NULL};
    p.ok = cli_options_parse(command, arguments, count, p.settings, &p.operands, &p.notes,
                             &p.problem);
    /* Apart, because equal settings have it at different addresses. */
    cli_strbuf *given = &((cli_common *)(void *)p.settings)->given;
    p.given = *given;
    *given = (cli_strbuf){0};
    return p;
}

static void parsed_free(parsed *p)
{
    cli_strbuf_free(&p->given);
    free(p->settings);
    for (size_t i = 0; i < 3; i++)
        free(p->words[i]);
    cli_strbuf_free(&p->notes);
    cli_strbuf_free(&p->problem);
}

/* Calls a law for every option of every verb. */
static void for_each_option(void (*law)(const cli_command *command, const cli_option *option))
{
    const cli_command *command;
    const cli_option *option;
    size_t count = 0;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        for (size_t k = 0; (option = cli_option_at(command, k)); k++, count++)
            law(command, option);
    }
    assert_true(count > 200); /* else the tables were not found */
}

static void expect_problem(const cli_command *command, const char *first, const char *second,
                           const char *problem)
{
    parsed p = parse(command, first, second);
    const char *said = cli_strbuf_string(&p.problem);
    if (p.ok || !strstr(said, problem))
        fail_msg("%s %s %s: %s '%s', not '%s'", command->name, first, second ? second : "",
                 p.ok ? "accepted" : "refused with", said, problem);
    parsed_free(&p);
}

/* ---- words that are no option, values that are missing or too many ---- */

static void check_presence(const cli_command *command, const cli_option *option)
{
    char word[64], problem[128];
    snprintf(word, sizeof word, "--%s%s", option->name, option->value ? "" : "=1");
    snprintf(problem, sizeof problem, "option '--%s' %s", option->name,
             option->value ? "needs a value (" : "takes no value");
    expect_problem(command, word, NULL, problem);
    if (option->letter && option->value) {
        snprintf(word, sizeof word, "-%c", option->letter);
        expect_problem(command, word, NULL, problem);
    }
}

static void options__need_a_value_or_take_none(void **state)
{
    (void)state;
    for_each_option(check_presence);
}

static bool has_option(const cli_command *command, const char *name, size_t size)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        if ((strlen(option->name) == size && memcmp(option->name, name, size) == 0) ||
            (option->former_name && strlen(option->former_name) == size &&
             memcmp(option->former_name, name, size) == 0))
            return true;
    }
    return false;
}

/* What is meant is an option of this verb. */
static void check_misspelt(const cli_command *command, const cli_option *option)
{
    static const char meant[] = "; did you mean '--";
    char word[64], problem[128];
    snprintf(word, sizeof word, "--%sx", option->name);
    snprintf(problem, sizeof problem, "unknown option '%s'%s", word, meant);
    expect_problem(command, word, NULL, problem);
    parsed p = parse(command, word, NULL);
    const char *name = strstr(cli_strbuf_string(&p.problem), meant) + sizeof meant - 1;
    assert_true(has_option(command, name, strcspn(name, "'")));
    parsed_free(&p);
}

static void options__that_are_misspelt_get_a_suggestion(void **state)
{
    (void)state;
    for_each_option(check_misspelt);
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        char help[64];
        snprintf(help, sizeof help, "see 'reprise %s --help'", command->name);
        expect_problem(command, "--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", NULL, help);
        expect_problem(command, "-\x7f", NULL, help);
    }
}

/* ---- kinds of values ---- */

typedef struct kind {
    cli_parser *parse;
    const char *good[6], *bad[12];
} kind;

#define TOO_LARGE "99999999999999999999"

static const kind kinds[] = {
    {cli_parse_count,
     {"0", "7", "18446744073709551615"},
     {"", "-1", "+1", " 1", "1 ", "1.5", "x", "0x10", TOO_LARGE}},
    {cli_parse_real,
     {"0", "2", "0.5", "1e3"},
     {"", "-1", "+1", " 1", "1 ", "x", "1e999", "nan", "inf", "1,5"}},
    {cli_parse_time,
     {"0", "12.5", "1:02.5", "1:02:03", "-1.5"},
     {"", "-", "#1", ":", "1:", "1.5:2", "1:2:3:4", "1 ", "nan", "1e999", "x"}},
    {cli_parse_index, {"0", "120", "-3"}, {"", "#", "1.5", "1 ", "x", TOO_LARGE}},
    {cli_parse_moment,
     {"0", "1:02.5", "#120", "#-3"},
     {"", "#", "#x", "#1.5", "##1", "1:2:3:4", "#" TOO_LARGE, "1 "}},
    {cli_parse_limit,
     {"input_bytes=1", "input_bytes=1K", "input_bytes=1k", "input_bytes=16777215T"},
     {"", "=", "=1", "input_bytes", "input_bytes=", "input_bytes=x", "input_bytes=1 ",
      "input_bytes=1KB", "input_bytes=-1", "input_bytes=16777216T", "input_bytes=" TOO_LARGE,
      "nosuch=1"}},
};

static void expect_same(const cli_command *command, const parsed *wanted, const char *first,
                        const char *second)
{
    parsed p = parse(command, first, second);
    bool same = p.given.size == wanted->given.size &&
                memcmp(p.given.data, wanted->given.data, p.given.size) == 0 &&
                memcmp(p.settings, wanted->settings, command->settings_size) == 0;
    if (!p.ok || !same)
        fail_msg("%s %s %s: not as with an equals sign: %s", command->name, first,
                 second ? second : "", cli_strbuf_string(&p.problem));
    assert_int_equal(p.operands, 0);
    parsed_free(&p);
}

/* --name=VALUE, --name VALUE, -l VALUE and -lVALUE set the same. */
static void check_good(const cli_command *command, const cli_option *option, const char *value)
{
    char word[128];
    snprintf(word, sizeof word, "--%s=%s", option->name, value);
    parsed p = parse(command, word, NULL);
    if (!p.ok)
        fail_msg("%s %s: %s", command->name, word, cli_strbuf_string(&p.problem));
    snprintf(word, sizeof word, "--%s", option->name);
    expect_same(command, &p, word, value);
    if (option->letter) {
        snprintf(word, sizeof word, "-%c", option->letter);
        expect_same(command, &p, word, value);
        snprintf(word, sizeof word, "-%c%s", option->letter, value);
        expect_same(command, &p, word, NULL);
    }
    parsed_free(&p);
}

static void check_bad(const cli_command *command, const cli_option *option, const char *value)
{
    char word[128], problem[128];
    snprintf(word, sizeof word, "--%s", option->name);
    bool names_limit = option->parse == cli_parse_limit && strchr(value, '=') &&
                       strncmp(value, "input_bytes", 11) != 0 && strlen(value) > 1;
    if (names_limit)
        snprintf(problem, sizeof problem, "unknown limit '%.*s'; the limits are ",
                 (int)strcspn(value, "="), value);
    else
        snprintf(problem, sizeof problem, "for '--%s'; expected ", option->name);
    expect_problem(command, word, value, problem);
}

static void check_kind(const cli_command *command, const cli_option *option)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (option->parse != kinds[i].parse)
            continue;
        for (const char *const *value = kinds[i].good; *value; value++)
            check_good(command, option, *value);
        for (size_t k = 0; k < sizeof kinds[i].bad / sizeof *kinds[i].bad; k++) {
            if (kinds[i].bad[k])
                check_bad(command, option, kinds[i].bad[k]);
        }
    }
}

static void options__take_their_kind_of_value_and_no_other(void **state)
{
    (void)state;
    for_each_option(check_kind);
}

static void check_choices(const cli_command *command, const cli_option *option)
{
    if (option->parse != cli_parse_choice)
        return;
    const char *at = option->choices, *word;
    size_t size, count = 0;
    for (; cli_next_word(&at, &word, &size); count++) {
        char value[32], more[34];
        snprintf(value, sizeof value, "%.*s", (int)size, word);
        check_good(command, option, value);
        snprintf(more, sizeof more, "%sx", value);
        check_bad(command, option, more);
        value[size - 1] = '\0';
        check_bad(command, option, value);
    }
    assert_true(count > 1);
}

static void options__take_one_of_their_choices(void **state)
{
    (void)state;
    for_each_option(check_choices);
}

/* Lists have an end, wherever the words of it come from. */
static void check_list(const cli_command *command, const cli_option *option)
{
    if (option->parse != cli_parse_words)
        return;
    char word[64], list[2 * CLI_WORDS_MAX + 3];
    snprintf(word, sizeof word, "--%s", option->name);
    for (size_t i = 0; i <= CLI_WORDS_MAX; i++)
        memcpy(list + 2 * i, "a,", 3);
    list[2 * CLI_WORDS_MAX] = '\0';
    parsed p = parse(command, word, list);
    const cli_words *words = (const cli_words *)(const void *)(p.settings + option->offset);
    assert_true(p.ok);
    assert_int_equal(words->count, CLI_WORDS_MAX); /* a comma at the end adds nothing */
    parsed_free(&p);
    list[2 * CLI_WORDS_MAX] = 'a';
    expect_problem(command, word, list, "takes at most 256 values");
}

static void options__take_lists_up_to_their_end(void **state)
{
    (void)state;
    for_each_option(check_list);
}

/* ---- operands ---- */

static void check_operands(const cli_command *command, size_t count, const char *problem)
{
    const char *argv[COMMAND_ARGUMENTS_MAX + 1] = {command->name};
    for (size_t i = 0; i < count; i++)
        argv[1 + i] = "no/such";
    command_result r = command_run(argv, 60);
    if (r.code != CLI_USAGE || !strstr(r.err, problem))
        fail_msg("%s with %zu operands: exit %d: %s", command->name, count, r.code, r.err);
    assert_int_equal(r.out_size, 0);
    command_free(&r);
}

static void verbs__count_their_operands(void **state)
{
    (void)state;
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->operands_min)
            check_operands(command, command->operands_min - 1, "missing operand, expected ");
        if (command->operands_max < COMMAND_ARGUMENTS_MAX - 1)
            check_operands(command, command->operands_max + 1,
                           command->operands_max ? "too many operands, expected "
                                                 : "takes no operands");
    }
}

/* ---- output that cannot be written ---- */

/* Help is the one output that every verb has. */
static void verbs__report_output_that_cannot_be_written(void **state)
{
    (void)state;
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        command_result r = command_run_to("/dev/full",
                                          (const char *const[]){command->name, "--help", NULL}, 60);
        assert_int_equal(r.code, CLI_FAILED);
        assert_string_equal(r.err, "reprise: standard output: cannot write: "
                                   "No space left on device\n");
        command_free(&r);
        r = command_run_to("/dev/full", (const char *const[]){command->name, "-hq", NULL}, 60);
        assert_int_equal(r.code, CLI_FAILED);
        assert_int_equal(r.err_size, 0);
        command_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options__need_a_value_or_take_none),
        cmocka_unit_test(options__that_are_misspelt_get_a_suggestion),
        cmocka_unit_test(options__take_their_kind_of_value_and_no_other),
        cmocka_unit_test(options__take_one_of_their_choices),
        cmocka_unit_test(options__take_lists_up_to_their_end),
        cmocka_unit_test(verbs__count_their_operands),
        cmocka_unit_test(verbs__report_output_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
