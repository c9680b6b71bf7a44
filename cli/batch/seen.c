/* seen.c - see seen.h. */
#include "seen.h"

#include <string.h>

enum { VALUE_MAX = 40 };

static const cli_test *text_test(const cli_tests *tests)
{
    for (size_t i = 0; i < tests->count; i++) {
        const cli_test *test = &tests->items[i];
        if (!test->missing && test->type == REPRISE_TYPE_TEXT && test->relation == CLI_EQUAL)
            return test;
    }
    return NULL;
}

static bool is_known(const cli_seen *seen, const char *text, size_t size)
{
    for (size_t i = 0; i < seen->count; i++) {
        const cli_strbuf *value = &seen->values[i];
        if (value->size == size && memcmp(value->data, text, size) == 0)
            return true;
    }
    return false;
}

void cli_seen_add(cli_seen *seen, const reprise_replay *replay, const cli_tests *tests,
                  const reprise_rows *rows)
{
    const cli_test *test = seen->many ? NULL : text_test(tests);
    size_t size = 0;
    const char *text = test ? reprise_row_text(rows, test->column, &size) : NULL;
    if (!text || !size || is_known(seen, text, size))
        return;
    seen->column = reprise_column_at(replay, reprise_row_track(rows), test->column)->name;
    seen->wanted = test->text;
    /* The other condition is to blame then. */
    bool wanted = strlen(test->text) == size && memcmp(test->text, text, size) == 0;
    seen->many = seen->count == CLI_SEEN_MAX || size > VALUE_MAX || wanted;
    if (!seen->many)
        cli_put(&seen->values[seen->count++], text, size);
}

void cli_seen_put(const cli_seen *seen, cli_strbuf *to)
{
    if (!seen->count || seen->many)
        return;
    cli_printf(to, "no row has %s '", seen->column);
    cli_put_shown(to, seen->wanted, strlen(seen->wanted));
    cli_puts(to, "'");
    for (size_t i = 0; i < seen->count; i++) {
        cli_puts(to, i ? ", " : ", only ");
        cli_put_shown(to, seen->values[i].data, seen->values[i].size);
    }
}

void cli_seen_free(cli_seen *seen)
{
    for (size_t i = 0; i < seen->count; i++)
        cli_strbuf_free(&seen->values[i]);
    *seen = (cli_seen){0};
}
