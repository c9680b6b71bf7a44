/* report.c - see report.h. */
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

reprise_status cli_fail(reprise_error *error, reprise_status status, const char *format, ...)
{
    va_list args;
    *error = (reprise_error){.status = status};
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

void cli_say(cli_run *run, const cli_strbuf *words)
{
    if (run->captured)
        cli_put(&run->captured->words, cli_strbuf_string(words), words->size);
    if (run->captured || run->common->quiet || !words->size)
        return;
    cli_progress_clear(&run->progress);
    /* Keep the order if both streams go to one terminal. */
    cli_out_flush(&run->out);
    cli_write_words(words, run->words_colour);
}

void cli_say_error(cli_run *run, const char *file, const reprise_error *error)
{
    cli_strbuf words = {0};
    if (run->captured) {
        if (run->captured->error.status == REPRISE_OK)
            run->captured->error = *error;
        return;
    }
    cli_put_error_words(&words, run->words_colour, file, error);
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

int cli_report(cli_run *run, const char *file, const reprise_error *error)
{
    cli_strbuf text = {0};
    cli_say_error(run, file, error);
    if (run->common->json && !run->captured) {
        cli_json_failure(&(cli_json){.to = &text}, file, error);
        cli_putc(&text, '\n');
        cli_out_put(&run->out, text.data, text.size);
    }
    cli_strbuf_free(&text);
    return cli_exit_of(error->status);
}

int cli_report_damage(cli_run *run, const char *file, const reprise_error *damage)
{
    cli_say_error(run, file, damage);
    return cli_exit_of_partial(damage->status);
}

static void print_line(cli_run *run, cli_strbuf *text)
{
    cli_putc(text, '\n');
    cli_out_put(&run->out, text->data, text->size);
    cli_strbuf_free(text);
}

void cli_print_screen(cli_run *run, const cli_strbuf *text, size_t rows_max)
{
    cli_strbuf fitted = {0};
    if (run->out_terminal)
        cli_put_fitted(&fitted, cli_strbuf_string(text), text->size, run->width, rows_max);
    const cli_strbuf *shown = run->out_terminal ? &fitted : text;
    cli_out_put(&run->out, cli_strbuf_string(shown), shown->size);
    cli_strbuf_free(&fitted);
}

void cli_print_json(cli_run *run, const reprise_value *value)
{
    cli_strbuf text = {0};
    cli_json_value(&(cli_json){.to = &text, .pretty = run->out_terminal}, NULL, value);
    print_line(run, &text);
}

void cli_print_json_except(cli_run *run, const reprise_value *object, const char *member)
{
    cli_strbuf text = {0};
    cli_json json = {.to = &text, .pretty = run->out_terminal};
    cli_json_object(&json, NULL);
    cli_json_members(&json, object, member);
    cli_json_close(&json);
    print_line(run, &text);
}

int cli_usage(cli_run *run, const char *verb, const char *words)
{
    cli_strbuf text = {0};
    if (run->captured) {
        cli_fail(&run->captured->error, REPRISE_E_USAGE, "%s", words);
        return CLI_USAGE;
    }
    cli_puts(&text, run->words_colour ? "\033[1;31mreprise:\033[0m " : "reprise: ");
    if (verb)
        cli_printf(&text, "%s: ", verb);
    cli_put_shown(&text, words, strlen(words));
    cli_putc(&text, '\n');
    cli_say(run, &text);
    if (run->common->json) {
        reprise_error error = {.status = REPRISE_E_USAGE};
        const char *hint = strstr(words, "; ");
        size_t size = hint ? (size_t)(hint - words) : strlen(words);
        snprintf(error.message, sizeof error.message, "%.*s", (int)size, words);
        snprintf(error.hint, sizeof error.hint, "%s", hint ? hint + 2 : "");
        cli_strbuf_clear(&text);
        cli_json_failure(&(cli_json){.to = &text}, NULL, &error);
        cli_putc(&text, '\n');
        cli_out_put(&run->out, text.data, text.size);
    }
    cli_strbuf_free(&text);
    return CLI_USAGE;
}

void cli_say_written(cli_run *run, uint64_t rows, const char *output)
{
    cli_strbuf words = {0};
    cli_printf(&words, "reprise: %llu row%s written to ", (unsigned long long)rows,
               rows == 1 ? "" : "s");
    cli_put_shown(&words, output, strlen(output));
    cli_putc(&words, '\n');
    cli_say(run, &words);
    cli_strbuf_free(&words);
}
