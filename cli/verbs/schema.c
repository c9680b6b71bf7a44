/* schema.c - reprise schema: prints the tracks, fields and findings of a format as Markdown. */
#include <string.h>

#include "ui/report.h"

typedef struct settings {
    cli_common common;
} settings;

static const char *text_of(const reprise_value *object, const char *key)
{
    const char *text = reprise_value_text(reprise_value_get(object, key), NULL);
    return text ? text : "";
}

/* An unescaped bar would end the cell. */
static void put_cell(cli_strbuf *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            cli_putc(to, '\\');
        cli_putc(to, *text);
    }
}

static void put_track(cli_strbuf *to, const reprise_value *track)
{
    cli_printf(to, "\n### %s\n\n", text_of(track, "name"));
    put_cell(to, text_of(track, "doc"));
    cli_puts(to, "\n\n| column | type | | meaning |\n|---|---|---|---|\n");
    const reprise_value *columns = reprise_value_get(track, "columns");
    for (size_t i = 0; i < reprise_value_count(columns); i++) {
        const reprise_value *column = reprise_value_at(columns, i);
        bool derived = reprise_value_bool(reprise_value_get(column, "derived"), false);
        cli_printf(to, "| `%s` | %s | %s | ", text_of(column, "name"), text_of(column, "type"),
                   derived ? "derived" : "");
        put_cell(to, text_of(column, "doc"));
        cli_puts(to, " |\n");
    }
}

static void put_values(cli_strbuf *to, const reprise_value *field)
{
    const reprise_value *values = reprise_value_get(field, "values");
    if (!reprise_value_count(values))
        return;
    cli_printf(to, "\n`%s`:", text_of(field, "name"));
    for (size_t i = 0; i < reprise_value_count(values); i++) {
        const reprise_value *value = reprise_value_at(values, i);
        cli_printf(to, "%s %lld %s", i ? "," : "",
                   (long long)reprise_value_int(reprise_value_get(value, "number"), 0),
                   text_of(value, "name"));
    }
    cli_puts(to, "\n");
}

static void put_record(cli_strbuf *to, const reprise_value *record)
{
    cli_printf(to, "\n### %s\n\n| field | type | tag | meaning |\n|---|---|---|---|\n",
               text_of(record, "name"));
    const reprise_value *fields = reprise_value_get(record, "fields");
    for (size_t i = 0; i < reprise_value_count(fields); i++) {
        const reprise_value *field = reprise_value_at(fields, i);
        cli_printf(to, "| `%s` | %s | %lld | ", text_of(field, "name"), text_of(field, "type"),
                   (long long)reprise_value_int(reprise_value_get(field, "tag"), 0));
        put_cell(to, text_of(field, "doc"));
        cli_puts(to, " |\n");
    }
    for (size_t i = 0; i < reprise_value_count(fields); i++)
        put_values(to, reprise_value_at(fields, i));
}

static void put_findings(cli_strbuf *to, const reprise_value *findings)
{
    cli_puts(to, "\n## Findings\n\n| id | severity | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *finding = reprise_value_at(findings, i);
        cli_printf(to, "| `%s` | %s | ", text_of(finding, "id"), text_of(finding, "severity"));
        put_cell(to, text_of(finding, "doc"));
        cli_puts(to, " |\n");
    }
}

static void put_summary(cli_strbuf *to, const reprise_value *columns)
{
    cli_puts(to, "\n## Summary\n\nColumns of a table of many files.\n\n"
                 "| column | type | | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < reprise_value_count(columns); i++) {
        const reprise_value *column = reprise_value_at(columns, i);
        bool analysed = reprise_value_bool(reprise_value_get(column, "analysed"), false);
        bool extra = reprise_value_bool(reprise_value_get(column, "extra"), false);
        cli_printf(to, "| `%s` | %s | %s%s%s | ", text_of(column, "name"), text_of(column, "type"),
                   extra ? "if asked for" : "", extra && analysed ? ", " : "",
                   analysed ? "from statistics" : "");
        put_cell(to, text_of(column, "doc"));
        cli_puts(to, " |\n");
    }
}

static void put_markdown(cli_strbuf *to, const reprise_value *schema)
{
    cli_puts(to, "## Tracks\n");
    const reprise_value *tracks = reprise_value_get(schema, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++)
        put_track(to, reprise_value_at(tracks, i));
    cli_puts(to, "\n## Records\n");
    const reprise_value *records = reprise_value_get(schema, "records");
    for (size_t i = 0; i < reprise_value_count(records); i++)
        put_record(to, reprise_value_at(records, i));
    put_summary(to, reprise_value_get(schema, "summary"));
    put_findings(to, reprise_value_get(schema, "findings"));
}

static int run_schema(cli_run *run)
{
    reprise_library *library = NULL;
    const reprise_value *schema = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_library_new(&library, &error) != REPRISE_OK ||
        reprise_schema(library, run->operands[0], &schema, &error) != REPRISE_OK) {
        reprise_library_free(library);
        return cli_report(run, NULL, &error);
    }
    if (run->common->json) {
        cli_print_json(run, schema);
    } else {
        cli_strbuf text = {0};
        put_markdown(&text, schema);
        cli_out_put(&run->out, text.data, text.size);
        cli_strbuf_free(&text);
    }
    reprise_library_free(library);
    return CLI_DONE;
}

const cli_command cli_schema = {
    .name = "schema",
    .summary = "print the tracks, fields and findings of a format",
    .operands = "FORMAT",
    .operand_choices = "<format>",
    .operands_min = 1,
    .operands_max = 1,
    .description = "Prints the tracks of a format with their columns, the records they come from "
                   "with every field, and all findings of 'verify', as Markdown. The reader uses "
                   "the same tables, so they cannot be out of date.",
    .examples = {{"reprise schema rumble", "Print the tables of RUMBLE as Markdown."},
                 {"reprise schema --json rumble | jq -r '.tracks[].name'",
                  "Print the names of its tracks."}},
    .settings_size = sizeof(settings),
    .run = run_schema,
};
