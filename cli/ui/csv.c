/* csv.c - see csv.h. */
#include "csv.h"

#include <string.h>

#include "output.h"

void cli_put_csv(cli_strbuf *to, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        cli_puts(to, text);
        return;
    }
    cli_putc(to, '"');
    for (; *text; text++) {
        if (*text == '"')
            cli_putc(to, '"');
        cli_putc(to, *text);
    }
    cli_putc(to, '"');
}

void cli_put_csv_value(cli_strbuf *to, const reprise_value *value)
{
    const char *text = reprise_value_text(value, NULL);
    cli_strbuf json = {0};
    if (reprise_value_kind_of(value) == REPRISE_VALUE_INT) /* in JSON, large ones are texts */
        cli_printf(&json, "%lld", (long long)reprise_value_int(value, 0));
    else if (!text && reprise_value_kind_of(value) != REPRISE_VALUE_NULL)
        cli_put_value(&json, value);
    cli_put_csv(to, text ? text : cli_strbuf_string(&json));
    cli_strbuf_free(&json);
}
