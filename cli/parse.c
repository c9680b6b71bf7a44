/* parse.c - parsers for the values of options; see options.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

bool cli_invalid(const cli_option *option, const char *text, cli_strbuf *problem,
                 const char *expected, ...)
{
    va_list args;
    cli_printf(problem, "invalid value '%s' for '--%s'; expected ", text, option->name);
    va_start(args, expected);
    cli_vprintf(problem, expected, args);
    va_end(args);
    return false;
}

bool cli_parse_flag(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    (void)option, (void)text, (void)problem;
    *(bool *)to = true;
    return true;
}

bool cli_parse_text(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    (void)option, (void)problem;
    *(const char **)to = text;
    return true;
}

bool cli_parse_choice(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    const char *at = option->choices, *word;
    size_t size;
    for (size_t i = 0; cli_next_word(&at, &word, &size); i++) {
        if (strlen(text) == size && memcmp(text, word, size) == 0) {
            *(size_t *)to = i;
            return true;
        }
    }
    return cli_invalid(option, text, problem, "one of: %s", option->choices);
}

static bool add_word(const cli_option *option, const char *word, cli_words *words,
                     cli_strbuf *problem)
{
    if (words->count == CLI_WORDS_MAX) {
        cli_printf(problem, "option '--%s' takes at most %d values", option->name, CLI_WORDS_MAX);
        return false;
    }
    words->items[words->count++] = word;
    return true;
}

bool cli_parse_words(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    for (;;) {
        size_t size = strcspn(text, ",");
        bool last = !text[size];
        text[size] = '\0';
        if (size && !add_word(option, text, to, problem))
            return false;
        if (last)
            return true;
        text += size + 1;
    }
}

bool cli_parse_line(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    return add_word(option, text, to, problem);
}

/* ---- moments ---- */

/* Hours, minutes and seconds between colons; only the last may have a fraction. */
static bool read_seconds(const char *text, double *ret_seconds)
{
    bool negative = *text == '-';
    text += negative;
    double total = 0;
    for (int part = 0; part < 3; part++) {
        if (*text < '0' || *text > '9')
            return false;
        char *end;
        double value = strtod(text, &end);
        if (*end == '\0' && isfinite(value)) {
            total = total * 60 + value;
            *ret_seconds = negative ? -total : total;
            return true;
        }
        if (*end != ':' || value != floor(value))
            return false;
        total = total * 60 + value;
        text = end + 1;
    }
    return false;
}

static bool read_index(const char *text, int64_t *ret_index)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end)
        return false;
    *ret_index = value;
    return true;
}

bool cli_parse_time(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    cli_moment moment = {.given = true};
    if (!read_seconds(text, &moment.moment.time))
        return cli_invalid(option, text, problem, "a time such as 12.5 or 1:02.5");
    *(cli_moment *)to = moment;
    return true;
}

bool cli_parse_index(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    cli_moment moment = {.given = true, .moment.by_index = true};
    if (!read_index(text, &moment.moment.index))
        return cli_invalid(option, text, problem, "an integer");
    *(cli_moment *)to = moment;
    return true;
}

bool cli_parse_moment(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    if (text[0] == '#')
        return cli_parse_index(option, text + 1, to, problem);
    if (!text[0] || strchr("+-.0123456789", text[0]))
        return cli_parse_time(option, text, to, problem);
    *(cli_moment *)to = (cli_moment){.given = true, .marker = text, .option = option->name};
    return true;
}

/* ---- numbers ---- */

bool cli_parse_count(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end)
        return cli_invalid(option, text, problem, "an integer, 0 or more");
    *(cli_number *)to = (cli_number){.given = true, .count = value, .real = (double)value};
    return true;
}

bool cli_parse_real(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    char *end;
    double value = strtod(text, &end);
    if (*text < '0' || *text > '9' || *end || !isfinite(value))
        return cli_invalid(option, text, problem, "a number such as 0.5 or 2");
    *(cli_number *)to = (cli_number){.given = true, .real = value};
    return true;
}

/* ---- limits ---- */

const char *cli_limit_name(size_t index)
{
    const reprise_limit *limit = reprise_limit_at(index);
    return limit && index < CLI_LIMITS_MAX ? limit->name : NULL;
}

/* An integer, optionally followed by K, M, G or T for powers of 1024. */
static bool read_amount(const char *text, uint64_t *ret_amount)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno)
        return false;
    static const char suffixes[] = "KkMmGgTt";
    unsigned shift = 0;
    if (*end) {
        const char *suffix = strchr(suffixes, *end);
        if (!suffix || end[1])
            return false;
        shift = 10 * (unsigned)((suffix - suffixes) / 2 + 1);
    }
    if (value > UINT64_MAX >> shift)
        return false;
    *ret_amount = (uint64_t)value << shift;
    return true;
}

bool cli_parse_limit(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    char *equals = strchr(text, '=');
    uint64_t amount;
    if (!equals || !read_amount(equals + 1, &amount))
        return cli_invalid(option, text, problem, "NAME=VALUE such as decoded_bytes=512M");
    *equals = '\0';
    cli_limits *limits = to;
    for (size_t i = 0; cli_limit_name(i); i++) {
        if (strcmp(cli_limit_name(i), text) == 0) {
            limits->given[i] = true;
            limits->values[i] = amount;
            return true;
        }
    }
    cli_printf(problem, "unknown limit '%s'; the limits are", text);
    for (size_t i = 0; cli_limit_name(i); i++)
        cli_printf(problem, " %s", cli_limit_name(i));
    return false;
}
