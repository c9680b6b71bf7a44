/* tracks.c - reprise tracks: lists the tracks with columns, rows and time span. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    bool full;
    cli_words tracks;
} settings;

/* The library selects tracks by a bit each, so there are no more. */
enum { TRACKS_MAX = 64 };

typedef struct track_span {
    uint64_t rows;
    double from, to;
} track_span;

typedef struct survey {
    track_span tracks[TRACKS_MAX];
    double duration;     /* of the recording, in seconds */
    reprise_error error; /* why not all rows could be read */
} survey;

static const char *const kind_names[] = {
    [REPRISE_TYPE_BOOL] = "bool",     [REPRISE_TYPE_INT] = "int",
    [REPRISE_TYPE_UINT64] = "uint64", [REPRISE_TYPE_FLOAT] = "float",
    [REPRISE_TYPE_DOUBLE] = "double", [REPRISE_TYPE_TEXT] = "text",
    [REPRISE_TYPE_BYTES] = "bytes",   [REPRISE_TYPE_ENUM] = "enum",
    [REPRISE_TYPE_LIST] = "list",
};

/* ---- reading ---- */

static void read_rows(reprise_replay *replay, survey *ret_survey)
{
    survey found = {.error = REPRISE_ERROR_INIT};
    reprise_rows *rows = NULL;
    reprise_status status = reprise_duration(replay, &found.duration, &found.error);
    if (status == REPRISE_OK)
        status = reprise_rows_open(replay, NULL, &rows, &found.error);
    if (status == REPRISE_OK) {
        while (reprise_rows_next(rows, &found.error) == REPRISE_OK) {
            track_span *track = &found.tracks[reprise_row_track(rows) % TRACKS_MAX];
            double time = reprise_row_time(rows);
            if (!track->rows++) {
                track->from = track->to = time;
            } else {
                track->from = fmin(track->from, time);
                track->to = fmax(track->to, time);
            }
        }
    }
    reprise_rows_close(rows);
    *ret_survey = found;
}

static bool has_time(const reprise_replay *replay, size_t track)
{
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        if (strcmp(reprise_column_at(replay, track, i)->name, "time") == 0)
            return true;
    }
    return false;
}

static bool wanted(const settings *s, const char *name)
{
    for (size_t i = 0; i < s->tracks.count; i++) {
        if (strcmp(s->tracks.items[i], name) == 0)
            return true;
    }
    return s->tracks.count == 0;
}

/* ---- JSON ---- */

static void put_columns(cli_json *json, const reprise_replay *replay, size_t track)
{
    cli_json_array(json, "columns");
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        const reprise_column *column = reprise_column_at(replay, track, i);
        cli_json_object(json, NULL);
        cli_json_text(json, "name", column->name);
        cli_json_text(json, "kind", kind_names[column->type]);
        cli_json_text(json, "type", column->type_name);
        cli_json_bool(json, "derived", column->derived);
        cli_json_text(json, "doc", column->doc ? column->doc : "");
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_track(cli_json *json, const reprise_replay *replay, size_t track,
                      const track_span *span)
{
    bool timed = span->rows && has_time(replay, track);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", reprise_track_name(replay, track));
    cli_json_text(json, "doc", reprise_track_doc(replay, track));
    cli_json_uint(json, "rows", span->rows);
    cli_json_real(json, "time_from", timed ? span->from : NAN);
    cli_json_real(json, "time_to", timed ? span->to : NAN);
    put_columns(json, replay, track);
    cli_json_close(json);
}

static void put_json(cli_job *job, const survey *found)
{
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "format", reprise_format(job->replay));
    cli_json_text(&json, "layout", reprise_layout(job->replay));
    cli_json_real(&json, "duration", found->duration);
    cli_json_array(&json, "tracks");
    for (size_t i = 0; i < reprise_track_count(job->replay); i++) {
        if (wanted(job->run->settings, reprise_track_name(job->replay, i)))
            put_track(&json, job->replay, i, &found->tracks[i]);
    }
    cli_json_close(&json);
    if (found->error.status != REPRISE_OK)
        cli_json_error(&json, "error", &found->error);
    cli_json_close(&json);
}

/* ---- text ---- */

static void put_overview(const cli_render *r, const cli_job *job, const survey *found)
{
    static const char *const headings[] = {"track", "rows", "from", "to", "columns", "what it is"};
    cli_table table = {.columns = CLI_COUNT(headings)};
    for (size_t i = 0; i < CLI_COUNT(headings); i++)
        cli_table_text(&table, headings[i]);
    for (size_t i = 0; i < reprise_track_count(job->replay); i++) {
        const track_span *span = &found->tracks[i];
        if (!wanted(job->run->settings, reprise_track_name(job->replay, i)))
            continue;
        cli_table_text(&table, reprise_track_name(job->replay, i));
        cli_table_printf(&table, true, "%llu", (unsigned long long)span->rows);
        bool timed = span->rows && has_time(job->replay, i);
        if (timed)
            cli_put_duration(&table.text, span->from);
        cli_table_cell(&table, true);
        if (timed)
            cli_put_duration(&table.text, span->to);
        cli_table_cell(&table, true);
        cli_table_printf(&table, true, "%zu", reprise_column_count(job->replay, i));
        cli_table_text(&table, reprise_track_doc(job->replay, i));
    }
    cli_table_put(&table,
                  &(cli_table_style){.indent = 2, .colour = r->colour, .wrap_width = r->width},
                  r->to);
    cli_table_free(&table);
}

static void put_column_table(const cli_render *r, const reprise_replay *replay, size_t track)
{
    static const char *const headings[] = {"column", "type", "derived", "what it is"};
    cli_table table = {.columns = CLI_COUNT(headings)};
    for (size_t i = 0; i < CLI_COUNT(headings); i++)
        cli_table_text(&table, headings[i]);
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        const reprise_column *column = reprise_column_at(replay, track, i);
        cli_table_text(&table, column->name);
        cli_table_text(&table, column->type == REPRISE_TYPE_ENUM ? "enum" : column->type_name);
        cli_table_text(&table, column->derived ? "yes" : "");
        cli_table_text(&table, column->doc ? column->doc : "");
    }
    cli_render_heading(r, 2, reprise_track_name(replay, track), NULL);
    cli_table_put(&table,
                  &(cli_table_style){.indent = 4, .colour = r->colour, .wrap_width = r->width},
                  r->to);
    cli_table_free(&table);
}

static void put_text(cli_job *job, const survey *found)
{
    const settings *s = job->run->settings;
    cli_render r = {.to = &job->out, .width = job->run->width, .colour = job->run->out_colour};
    cli_put_painted(r.to, r.colour, CLI_BOLD, job->path);
    cli_printf(r.to, "  %s %s", reprise_format(job->replay), reprise_layout(job->replay));
    if (!isnan(found->duration)) {
        cli_puts(r.to, ", ");
        cli_put_duration(r.to, found->duration);
    }
    cli_putc(r.to, '\n');
    put_overview(&r, job, found);
    for (size_t i = 0; i < reprise_track_count(job->replay); i++) {
        if ((s->full || s->tracks.count) && wanted(s, reprise_track_name(job->replay, i)))
            put_column_table(&r, job->replay, i);
    }
    if (job->several)
        cli_putc(r.to, '\n');
}

static void show(cli_job *job)
{
    const settings *s = job->run->settings;
    for (size_t i = 0; i < s->tracks.count; i++) {
        if (reprise_track_find(job->replay, s->tracks.items[i]) < 0) {
            cli_no_track(job->replay, s->tracks.items[i], &job->error);
            return;
        }
    }
    survey found;
    read_rows(job->replay, &found);
    if (job->run->common->json)
        put_json(job, &found);
    else
        put_text(job, &found);
    if (found.error.status != REPRISE_OK) {
        cli_put_error_words(&job->words, job->run->words_colour, job->path, &found.error);
        job->code = cli_exit_of_partial(found.error.status);
    }
}

static int run_tracks(cli_run *run)
{
    return cli_batch_run(run, &(cli_work){.work = show, .walks = true});
}

static const cli_option options[] = {
    {.name = "track",
     .letter = 't',
     .value = "NAME",
     .choices = "<track>",
     .group = CLI_DISPLAY,
     .doc = "Show only these tracks, with their columns. Separate names with commas or repeat.",
     .offset = offsetof(settings, tracks),
     .parse = cli_parse_words},
    {.name = "long",
     .letter = 'l',
     .group = CLI_DISPLAY,
     .doc = "Show the columns of every track.",
     .offset = offsetof(settings, full),
     .parse = cli_parse_flag},
};

const cli_command cli_tracks = {
    .name = "tracks",
    .summary = "list the tracks of a replay with columns, types, rows and time span",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description = "Lists the tracks of a replay. A track is a table of rows in time order with "
                   "typed columns; 'reprise cat' prints the rows. Derived columns are computed, "
                   "not stored in the file.",
    .examples = {{"reprise tracks match.replay", "List all tracks with their rows."},
                 {"reprise tracks --track players match.replay",
                  "Show every column of one track."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .walks = true,
    .settings_size = sizeof(settings),
    .run = run_tracks,
};
