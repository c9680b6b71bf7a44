/* archive_json.c - the texts that are made of an archive: archive.json, titles, descriptions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "archive.h"
#include "batch/batch.h"

/* ---- archive.json ---- */

/* Columns that tell how a match ends. */
static bool is_telling(cli_archive_text which)
{
    return which == CLI_ARCHIVE_RESULT;
}

/* What an archive.json leaves out: results, names of files. */
typedef struct omissions {
    bool spoiler_free, site;
} omissions;

static bool is_left_out(omissions leave_out, cli_archive_text which)
{
    return (leave_out.spoiler_free && is_telling(which)) ||
           (leave_out.site && which == CLI_ARCHIVE_FOLDER);
}

static void put_texts(const cli_archive *a, omissions leave_out, cli_json *json)
{
    cli_json_object(json, "texts");
    for (size_t i = 0; i < CLI_ARCHIVE_TEXTS; i++) {
        if (is_left_out(leave_out, (cli_archive_text)i))
            continue;
        cli_json_array(json, cli_archive_text_names[i]);
        for (size_t j = 0; j < a->texts[i].count; j++)
            cli_json_text(json, NULL, a->texts[i].items[j]);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_people(const cli_archive *a, cli_json *json)
{
    cli_json_array(json, "people");
    for (size_t i = 0; i < a->people_count; i++)
        cli_json_text(json, NULL, a->people[i].name);
    cli_json_close(json);
    cli_json_array(json, "bots");
    for (size_t i = 0; i < a->people_count; i++) {
        if (a->people[i].bot)
            cli_json_uint(json, NULL, i);
    }
    cli_json_close(json);
}

/* Numbers are written without a writer's checks: there are a million of them. */
static void put_number(cli_strbuf *to, size_t at, int64_t value)
{
    cli_printf(to, at ? ",%lld" : "%lld", (long long)value);
}

static void begin_column(cli_json *json, const char *name)
{
    cli_json_array(json, name);
    json->follows = false;
}

/* Whether all rows have one value, which is then written in place of the column. */
static bool is_constant(const cli_archive *a, cli_archive_text which)
{
    for (size_t i = 1; i < a->count; i++) {
        if (a->rows[i].texts[which] != a->rows[0].texts[which])
            return false;
    }
    return true;
}

static void put_text_columns(const cli_archive *a, omissions leave_out, cli_json *json)
{
    for (size_t i = 0; i < CLI_ARCHIVE_TEXTS; i++) {
        if (is_left_out(leave_out, (cli_archive_text)i))
            continue;
        if (is_constant(a, (cli_archive_text)i)) {
            cli_json_real(json, cli_archive_text_names[i], a->count ? a->rows[0].texts[i] : -1);
            continue;
        }
        begin_column(json, cli_archive_text_names[i]);
        for (size_t j = 0; j < a->count; j++)
            put_number(json->to, j, a->rows[j].texts[i]);
        cli_json_close(json);
    }
}

/* Dates as differences to the row before: rows are in their order. */
static void put_dates(const cli_archive *a, cli_json *json)
{
    int64_t before = 0;
    begin_column(json, "date");
    for (size_t i = 0; i < a->count; i++) {
        put_number(json->to, i, a->rows[i].date - before);
        before = a->rows[i].date;
    }
    cli_json_close(json);
}

/* Times are compared, so they are exact to the millisecond; lengths are only shown. */
static void put_seconds(cli_json *json, const char *name, const cli_archive *a, bool times)
{
    begin_column(json, name);
    for (size_t i = 0; i < a->count; i++) {
        double value = times ? a->rows[i].time : round(10 * a->rows[i].length) / 10;
        if (i)
            cli_putc(json->to, ',');
        cli_put_real(json->to, isfinite(value) ? value : -1, false);
    }
    cli_json_close(json);
}

static void put_teleports(const cli_archive *a, cli_json *json)
{
    begin_column(json, "teleports");
    for (size_t i = 0; i < a->count; i++)
        put_number(json->to, i, a->rows[i].teleports);
    cli_json_close(json);
}

/* For each row its people; who won is negative: -1 for person 0. */
static void put_seats(const cli_archive *a, bool spoiler_free, cli_json *json)
{
    begin_column(json, "people");
    for (size_t i = 0; i < a->count; i++) {
        const cli_archive_row *row = &a->rows[i];
        cli_puts(json->to, i ? ",[" : "[");
        for (size_t j = 0; j < row->people_count; j++) {
            const cli_archive_seat *seat = &a->seats[row->people + j];
            int64_t number = (int64_t)seat->person;
            put_number(json->to, j, seat->won && !spoiler_free ? -number - 1 : number);
        }
        cli_putc(json->to, ']');
    }
    cli_json_close(json);
}

static void put_name(const cli_archive_row *row, omissions leave_out, cli_json *json)
{
    bool titled = row->people_count || row->texts[CLI_ARCHIVE_TITLE] >= 0;
    cli_strbuf name = {0};
    const char *base = leave_out.site && titled ? "" : cli_base_name(row->path);
    cli_put_cut(&name, base, strlen(base), 120);
    cli_json_text(json, NULL, cli_strbuf_string(&name));
    cli_strbuf_free(&name);
}

static void put_names(const cli_archive *a, omissions leave_out, cli_json *json)
{
    cli_json_array(json, "name");
    for (size_t i = 0; i < a->count; i++)
        put_name(&a->rows[i], leave_out, json);
    cli_json_close(json);
    cli_json_array(json, "page");
    for (size_t i = 0; i < a->count; i++)
        cli_json_text(json, NULL, a->rows[i].page);
    cli_json_close(json);
}

static void put_runs(cli_json *json, const char *name, const uint32_t *rows, size_t count)
{
    begin_column(json, name);
    for (size_t i = 0; i < count; i++)
        put_number(json->to, i, rows[i]);
    cli_json_close(json);
}

void cli_archive_put_json(const cli_archive *a, bool spoiler_free, bool site, cli_strbuf *to)
{
    omissions leave_out = {.spoiler_free = spoiler_free, .site = site};
    cli_json json = {.to = to};
    cli_json_object(&json, NULL);
    cli_json_uint(&json, "reprise", 1);
    cli_json_text(&json, "version", reprise_version());
    cli_json_text(&json, "name", a->name);
    cli_json_bool(&json, "spoiler_free", spoiler_free);
    cli_json_uint(&json, "count", a->count);
    put_texts(a, leave_out, &json);
    put_people(a, &json);
    cli_json_object(&json, "columns");
    put_text_columns(a, leave_out, &json);
    put_dates(a, &json);
    if (!spoiler_free) {
        put_seconds(&json, "length", a, false);
        put_seconds(&json, "time", a, true);
        put_teleports(a, &json);
    }
    put_seats(a, spoiler_free, &json);
    put_names(a, leave_out, &json);
    cli_json_close(&json);
    if (!spoiler_free) {
        put_runs(&json, "records", a->records, a->record_count);
        put_runs(&json, "history", a->history, a->history_count);
    }
    cli_json_close(&json);
    cli_putc(to, '\n');
}

/* ---- titles ---- */

static const char *text_of(const cli_archive *a, size_t row, cli_archive_text which)
{
    int32_t number = a->rows[row].texts[which];
    return number < 0 ? NULL : a->texts[which].items[number];
}

static void put_players(const cli_archive *a, size_t row, cli_strbuf *to)
{
    enum { NAMED_MAX = 4 };
    const cli_archive_row *r = &a->rows[row];
    if (r->people_count > NAMED_MAX) {
        cli_printf(to, "%zu players", r->people_count);
        return;
    }
    for (size_t i = 0; i < r->people_count; i++)
        cli_printf(to, "%s%s", i ? " vs " : "", a->people[a->seats[r->people + i].person].name);
}

void cli_archive_put_title(const cli_archive *a, size_t row, cli_strbuf *to)
{
    const char *title = text_of(a, row, CLI_ARCHIVE_TITLE), *map = text_of(a, row, CLI_ARCHIVE_MAP);
    const char *course = text_of(a, row, CLI_ARCHIVE_COURSE);
    size_t before = to->size;
    if (title)
        cli_puts(to, title);
    else
        put_players(a, row, to);
    if (map)
        cli_printf(to, "%s%s", to->size > before ? " on " : "", map);
    if (map && course)
        cli_printf(to, ", %s", course);
    if (to->size == before) {
        const char *base = cli_base_name(a->rows[row].path);
        cli_put_cut(to, base, strlen(base), 120);
    }
}

/* Days after the start of 2000 as 2026-02-19. */
static void put_date(int64_t days, cli_strbuf *to)
{
    int64_t since = days - 60, era = (since + 146097) / 146097 - 1; /* of 400 years from March */
    int64_t day = since - era * 146097;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153;
    day = day - (153 * month + 2) / 5 + 1;
    year += 2000 + era * 400 + (month >= 10);
    month = month < 10 ? month + 3 : month - 9;
    cli_printf(to, ", %lld-%02lld-%02lld", (long long)year, (long long)month, (long long)day);
}

static void put_result(const cli_archive *a, size_t row, cli_strbuf *to)
{
    const cli_archive_row *r = &a->rows[row];
    const char *result = text_of(a, row, CLI_ARCHIVE_RESULT);
    double seconds = isfinite(r->time) ? r->time : r->length;
    if (isfinite(seconds)) {
        cli_puts(to, ", ");
        cli_put_duration(to, seconds);
    }
    if (r->teleports >= 0)
        cli_printf(to, " with %lld teleport%s", (long long)r->teleports,
                   r->teleports == 1 ? "" : "s");
    if (result)
        cli_printf(to, ", %s", result);
    for (size_t i = 0; !result && i < r->people_count; i++) {
        const cli_archive_seat *seat = &a->seats[r->people + i];
        if (seat->won)
            cli_printf(to, ", %s won", a->people[seat->person].name);
    }
}

void cli_archive_put_description(const cli_archive *a, size_t row, bool spoiler_free,
                                 cli_strbuf *to)
{
    const char *mode = text_of(a, row, CLI_ARCHIVE_MODE);
    cli_puts(to, text_of(a, row, CLI_ARCHIVE_FORMAT));
    if (mode)
        cli_printf(to, ", %s", mode);
    if (a->rows[row].date >= 0)
        put_date(a->rows[row].date / 86400, to);
    if (!spoiler_free)
        put_result(a, row, to);
}
