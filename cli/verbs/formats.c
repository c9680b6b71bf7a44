/* formats.c - reprise formats: lists the formats and layouts of this build. */
#include <string.h>

#include "ui/render.h"
#include "ui/report.h"

typedef struct settings {
    cli_common common;
} settings;

static const char *text_of(const reprise_value *object, const char *key)
{
    const char *text = reprise_value_text(reprise_value_get(object, key), NULL);
    return text ? text : "";
}

static void put_format(const cli_render *r, const reprise_value *format)
{
    cli_put_painted(r->to, r->colour, CLI_BOLD, text_of(format, "name"));
    cli_printf(r->to, "  %s\n", text_of(format, "title"));
    cli_render_table(r, 2, reprise_value_get(format, "layouts"));
    cli_puts(r->to, "  tracks: ");
    cli_strbuf tracks = {0};
    cli_put_inline(r, &tracks, "tracks", reprise_value_get(format, "tracks"));
    cli_put_wrapped(r->to, cli_strbuf_string(&tracks), tracks.size, 10, r->width);
    cli_putc(r->to, '\n');
    cli_strbuf_free(&tracks);
}

static int run_formats(cli_run *run)
{
    reprise_library *library = NULL;
    const reprise_value *formats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_library_new(&library, &error) != REPRISE_OK ||
        reprise_formats(library, &formats, &error) != REPRISE_OK) {
        reprise_library_free(library);
        return cli_report(run, NULL, &error);
    }
    if (run->common->json) {
        cli_print_json(run, formats);
    } else {
        cli_strbuf text = {0};
        cli_render r = {.to = &text, .width = run->width, .colour = run->out_colour, .all = true};
        for (size_t i = 0; i < reprise_value_count(formats); i++) {
            if (i)
                cli_putc(&text, '\n');
            put_format(&r, reprise_value_at(formats, i));
        }
        cli_out_put(&run->out, text.data, text.size);
        cli_strbuf_free(&text);
    }
    reprise_library_free(library);
    return CLI_DONE;
}

const cli_command cli_formats = {
    .name = "formats",
    .summary = "list the formats and layouts that can be read and written",
    .operands = "",
    .description = "Lists every format that this build knows, with its layouts, which of them can "
                   "be read and written, and its tracks.",
    .examples = {{"reprise formats", "Print tables."},
                 {"reprise formats --json | jq -r '.[].layouts[].name'",
                  "Print the names of all layouts."}},
    .settings_size = sizeof(settings),
    .run = run_formats,
};
