/* info_cells.c - see info_cells.h. */
#include "info_cells.h"

#include <string.h>

#include "ui/markup.h"
#include "ui/render.h"

enum { CELL_WIDTH_MAX = 48 };

void cli_info_plain(cli_strbuf *to, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    if (text)
        cli_put(to, text, strnlen(text, size));
    else if (value && reprise_value_kind_of(value) != REPRISE_VALUE_NULL)
        cli_put_value(to, value);
}

static void put_text(cli_strbuf *to, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    cli_strbuf plain = {0};
    cli_put_plain(&plain, text ? text : "", size);
    cli_put_cut(to, cli_strbuf_string(&plain), plain.size, CELL_WIDTH_MAX);
    cli_strbuf_free(&plain);
}

static void put_list(cli_strbuf *to, const reprise_value *list)
{
    enum { ITEMS_MAX = 4 };
    size_t count = reprise_value_count(list);
    for (size_t i = 0; i < count && i < ITEMS_MAX; i++) {
        cli_puts(to, i ? ", " : "");
        put_text(to, reprise_value_at(list, i));
    }
    if (count > ITEMS_MAX)
        cli_printf(to, " +%zu", count - ITEMS_MAX);
}

/* A file without findings has an empty cell. */
static void put_count(cli_strbuf *to, int64_t count)
{
    if (count)
        cli_printf(to, "%lld", (long long)count);
}

void cli_info_shown(cli_strbuf *to, const char *form, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    if (kind == REPRISE_VALUE_NULL)
        return;
    if (strcmp(form, "size") == 0)
        cli_put_size(to, reprise_value_uint(value, 0));
    else if (strcmp(form, "count") == 0)
        put_count(to, reprise_value_int(value, 0));
    else if (strcmp(form, "path") == 0)
        cli_put_shown(to, reprise_value_text(value, NULL), strlen(reprise_value_text(value, NULL)));
    else if (strcmp(form, "seconds") == 0)
        cli_put_duration(to, reprise_value_double(value, 0));
    else if (strcmp(form, "list") == 0)
        put_list(to, value);
    else if (strcmp(form, "bool") == 0)
        cli_puts(to, reprise_value_bool(value, false) ? "yes" : "no");
    else if (kind == REPRISE_VALUE_STRING)
        put_text(to, value);
    else
        cli_put_value(to, value);
}
