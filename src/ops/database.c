/* database.c - see database.h. */
#include "database.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "database_file.h"
#include "rows.h"
#include "writer.h"

enum { APPLICATION_ID = 0x52707273, FORMATS_MAX = 16 }; /* "Rprs" */

/* One track of a format as a table. */
typedef struct table {
    const rp_track *track;
    rp_column *columns;
    size_t count;
    sqlite3_stmt *insert;
} table;

typedef struct family {
    const rp_format *format;
    table tables[RP_TRACKS_MAX];
} family;

struct rp_database {
    rp_context *context;
    rp_arena arena;
    rp_database_file file;
    sqlite3 *db;
    family *families[FORMATS_MAX];
    size_t family_count;
    sqlite3_int64 replays;
    bool failed, written;
    rp_writer text; /* of the value that is being bound, or of a statement */
    reprise_error text_error;
    void *derived; /* of the row that is being added */
    size_t derived_size;
};

static reprise_status database_error(rp_database *d, reprise_error *error)
{
    int cause = d->file.cause;
    d->failed = true;
    if (d->text_error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = d->text_error;
    if (cause) {
        rp_error_set(error, REPRISE_E_IO, "cannot write the database: %s", strerror(cause));
        error->cause = cause;
    }
    bool no_memory = !d->db || sqlite3_errcode(d->db) == SQLITE_NOMEM;
    return rp_error_set(error, no_memory ? REPRISE_E_NOMEM : REPRISE_E_IO, "SQLite: %s",
                        d->db ? sqlite3_errmsg(d->db) : "no memory");
}

static reprise_status run_sql(rp_database *d, const char *sql, reprise_error *error)
{
    if (sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_error(d, error);
    return REPRISE_OK;
}

/* Runs the statement that was put into d->text. */
static reprise_status run_text(rp_database *d, reprise_error *error)
{
    rp_put_u8(&d->text, 0);
    if (d->text_error.status != REPRISE_OK)
        return database_error(d, error);
    return run_sql(d, (const char *)d->text.data, error);
}

/* ---- opening ---- */

static reprise_status open_database(rp_database *d, reprise_error *error)
{
    RP_TRY(rp_database_file_open(&d->file, error));
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2("replays", &d->db, flags, d->file.name) != SQLITE_OK)
        return database_error(d, error);
    /* There is nothing to roll back to: a database that is not complete is thrown away. */
    RP_TRY(run_sql(d,
                   "pragma page_size=8192; pragma journal_mode=off; pragma synchronous=off;"
                   "pragma locking_mode=exclusive; pragma cache_size=-8192; begin;"
                   "create table replay (id integer primary key, file text, format text not null,"
                   " layout text not null, duration real, rows integer not null,"
                   " complete integer not null, error text, info text)",
                   error));
    char sql[64];
    snprintf(sql, sizeof sql, "pragma application_id=%d", APPLICATION_ID);
    return run_sql(d, sql, error);
}

reprise_status rp_database_new(rp_context *context, rp_database **ret_database,
                               reprise_error *error)
{
    rp_database *d = rp_alloc_zero(context, 1, sizeof *d, error);
    if (!d)
        return error->status;
    d->context = context;
    rp_arena_init(&d->arena, context);
    rp_writer_init(&d->text, context, SIZE_MAX / 2, &d->text_error);
    if (open_database(d, error) != REPRISE_OK) {
        rp_database_free(d);
        return error->status;
    }
    *ret_database = d;
    return REPRISE_OK;
}

static void close_database(rp_database *d)
{
    for (size_t i = 0; i < d->family_count; i++) {
        for (size_t k = 0; k < RP_TRACKS_MAX; k++)
            sqlite3_finalize(d->families[i]->tables[k].insert);
    }
    d->family_count = 0;
    sqlite3_close(d->db);
    d->db = NULL;
}

void rp_database_free(rp_database *d)
{
    if (!d)
        return;
    close_database(d);
    rp_database_file_close(&d->file);
    rp_free(d->context, d->derived, d->derived_size);
    rp_writer_free(&d->text);
    rp_arena_free(&d->arena);
    rp_free(d->context, d, sizeof *d);
}

/* ---- tables ---- */

static const rp_enum *names_of(const rp_column *column)
{
    return column->field && column->source >= RP_COLUMN_STORED ? rp_field_enum(column->field)
                                                               : NULL;
}

/* A set of flags is a number; SQLite has operators for its bits. */
static reprise_type type_of(const rp_column *column)
{
    const rp_enum *names = names_of(column);
    return names && names->flags ? REPRISE_TYPE_INT : column->about.type;
}

static const char *sql_type(const rp_column *column)
{
    switch (type_of(column)) {
    case REPRISE_TYPE_BOOL:
    case REPRISE_TYPE_INT:
    case REPRISE_TYPE_UINT64:
        return "integer";
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE:
        return "real";
    case REPRISE_TYPE_BYTES:
        return "blob";
    default:
        return "text";
    }
}

static reprise_status create_table(rp_database *d, const char *format, const table *t,
                                   reprise_error *error)
{
    rp_writer_clear(&d->text);
    rp_put_format(&d->text,
                  "create table \"%s_%s\" (row_id integer primary key,"
                  " replay_id integer not null references replay(id)",
                  format, t->track->name);
    for (size_t i = 0; i < t->count; i++)
        rp_put_format(&d->text, ", \"%s\" %s", t->columns[i].about.name, sql_type(&t->columns[i]));
    rp_put_text(&d->text, ")");
    return run_text(d, error);
}

static reprise_status prepare_insert(rp_database *d, const char *format, table *t,
                                     reprise_error *error)
{
    rp_writer_clear(&d->text);
    rp_put_format(&d->text, "insert into \"%s_%s\" values (null, ?", format, t->track->name);
    for (size_t i = 0; i < t->count; i++)
        rp_put_text(&d->text, ", ?");
    rp_put_text(&d->text, ")");
    rp_put_u8(&d->text, 0);
    if (d->text_error.status != REPRISE_OK ||
        sqlite3_prepare_v3(d->db, (const char *)d->text.data, -1, SQLITE_PREPARE_PERSISTENT,
                           &t->insert, NULL) != SQLITE_OK)
        return database_error(d, error);
    return REPRISE_OK;
}

/* Rows of one replay by their moment, and by their object where there are objects. */
static reprise_status create_index(rp_database *d, const char *format, const rp_track *track,
                                   reprise_error *error)
{
    rp_writer_clear(&d->text);
    rp_put_format(&d->text, "create index \"%s_%s_by_replay\" on \"%s_%s\" (replay_id", format,
                  track->name, format, track->name);
    if (track->clock)
        rp_put_format(&d->text, ", \"%s\"", track->clock);
    if (track->object)
        rp_put_format(&d->text, ", \"%s\"", track->object);
    rp_put_text(&d->text, ")");
    return run_text(d, error);
}

static reprise_status add_family(rp_database *d, const rp_format *format, reprise_error *error)
{
    family *f = rp_arena_alloc(&d->arena, sizeof *f, error);
    if (!f)
        return error->status;
    if (d->family_count == FORMATS_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "too many formats in one database");
    f->format = format;
    d->families[d->family_count++] = f;
    for (size_t i = 0; i < format->track_count; i++) {
        table *t = &f->tables[i];
        t->track = &format->tracks[i];
        RP_TRY(rp_track_columns(&d->arena, t->track, UINT64_MAX, &t->columns, &t->count, error));
        RP_TRY(create_table(d, format->name, t, error));
        RP_TRY(prepare_insert(d, format->name, t, error));
    }
    return REPRISE_OK;
}

static reprise_status find_family(rp_database *d, const rp_format *format, family **ret_family,
                                  reprise_error *error)
{
    size_t i = 0;
    while (i < d->family_count && d->families[i]->format != format)
        i++;
    if (i == d->family_count)
        RP_TRY(add_family(d, format, error));
    *ret_family = d->families[i];
    return REPRISE_OK;
}

/* ---- values ---- */

static int bind_text(rp_database *d, sqlite3_stmt *insert, int at)
{
    return sqlite3_bind_text64(insert, at, (const char *)d->text.data, d->text.size,
                               SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int bind_name(rp_database *d, sqlite3_stmt *insert, int at, const rp_column *column,
                     int64_t number)
{
    const char *name = rp_enum_name(names_of(column), number);
    if (name)
        return sqlite3_bind_text(insert, at, name, -1, SQLITE_STATIC);
    rp_put_format(&d->text, column->kind == RP_U64 ? "#%" PRIu64 : "#%" PRId64, number);
    return bind_text(d, insert, at);
}

static int bind_bytes(sqlite3_stmt *insert, int at, const rp_column *column, const void *value)
{
    const rp_text *bytes = value;
    if (column->kind == RP_RAW)
        return sqlite3_bind_blob64(insert, at, value, column->field->tag, SQLITE_TRANSIENT);
    return sqlite3_bind_blob64(insert, at, bytes->data, bytes->size, SQLITE_TRANSIENT);
}

static int bind_value(rp_database *d, sqlite3_stmt *insert, int at, const rp_column *column,
                      const rp_row *row)
{
    rp_writer_clear(&d->text);
    switch (type_of(column)) {
    case REPRISE_TYPE_BOOL:
    case REPRISE_TYPE_INT:
    case REPRISE_TYPE_UINT64: /* the same 64 bits: SQLite has only signed integers */
        return sqlite3_bind_int64(insert, at, rp_column_int(column, row, d->derived));
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE:
        return sqlite3_bind_double(insert, at, rp_column_double(column, row, d->derived));
    case REPRISE_TYPE_TEXT: {
        const rp_text *text = rp_column_value(column, row, d->derived);
        rp_put_utf8(&d->text, text->data, text->size);
        return bind_text(d, insert, at);
    }
    case REPRISE_TYPE_BYTES:
        return bind_bytes(insert, at, column, rp_column_value(column, row, d->derived));
    case REPRISE_TYPE_ENUM:
        return bind_name(d, insert, at, column, rp_column_int(column, row, d->derived));
    default:
        rp_column_json(&d->text, column, row, d->derived);
        return bind_text(d, insert, at);
    }
}

static reprise_status add_row(rp_database *d, rp_replay *replay, const table *t, const rp_row *row,
                              reprise_error *error)
{
    uint64_t fields = replay->fields[row->track];
    int code = sqlite3_bind_int64(t->insert, 1, d->replays);
    if (t->track->derive)
        t->track->derive(replay, row, d->derived);
    for (size_t i = 0; code == SQLITE_OK && i < t->count; i++) {
        const rp_column *column = &t->columns[i];
        int at = (int)i + 2;
        bool missing = column->source == RP_COLUMN_STORED && !(fields >> column->presence_bit & 1);
        if (missing || rp_column_null(column, row, d->derived))
            code = sqlite3_bind_null(t->insert, at);
        else
            code = bind_value(d, t->insert, at, column, row);
    }
    if (code == SQLITE_OK)
        code = sqlite3_step(t->insert);
    sqlite3_reset(t->insert);
    if (code != SQLITE_DONE || d->text_error.status != REPRISE_OK)
        return database_error(d, error);
    return REPRISE_OK;
}

/* ---- replays ---- */

static reprise_status make_derived(rp_database *d, const rp_format *format, reprise_error *error)
{
    size_t most = 1;
    for (size_t i = 0; i < format->track_count; i++) {
        const rp_record *derived = format->tracks[i].derived;
        if (derived && derived->size > most)
            most = derived->size;
    }
    if (most <= d->derived_size)
        return REPRISE_OK;
    rp_free(d->context, d->derived, d->derived_size);
    d->derived = rp_alloc_zero(d->context, 1, most, error);
    d->derived_size = d->derived ? most : 0;
    return error->status;
}

/* Adds rows of some tracks; `added` counts those of each. The first `skip` rows are there already.
 */
static reprise_status add_rows_of(rp_database *d, rp_replay *replay, const family *f,
                                  uint64_t tracks, uint64_t skip, uint64_t added[RP_TRACKS_MAX],
                                  reprise_error *ret_ended, reprise_error *error)
{
    reprise_rows_options options = REPRISE_ROWS_INIT;
    rp_rows rows;
    options.tracks = tracks;
    if (rp_rows_open(replay, &options, &rows, ret_ended) != REPRISE_OK)
        return REPRISE_OK;
    while (rp_rows_next(&rows, ret_ended) == REPRISE_OK) {
        size_t track = rows.row->track;
        if (skip) {
            skip--;
            continue;
        }
        if (add_row(d, replay, &f->tables[track], rows.row, error) != REPRISE_OK)
            break;
        added[track]++;
    }
    rp_rows_close(&rows);
    return error->status;
}

/*
 * All tracks are read together, which ends at the first damage. It may be of one track only, so
 * each is then read alone for the rows after that.
 */
static reprise_status add_rows(rp_database *d, rp_replay *replay, const family *f,
                               uint64_t *ret_rows, reprise_error *ret_ended, reprise_error *error)
{
    uint64_t added[RP_TRACKS_MAX] = {0};
    RP_TRY(add_rows_of(d, replay, f, 0, 0, added, ret_ended, error));
    bool damaged = ret_ended->status != REPRISE_OK;
    for (size_t i = 0; damaged && i < replay->format->track_count; i++) {
        reprise_error ended = REPRISE_ERROR_INIT;
        if (rp_is_own_failure(replay->context, ret_ended->status))
            return REPRISE_OK;
        RP_TRY(add_rows_of(d, replay, f, UINT64_C(1) << i, added[i], added, &ended, error));
        if (rp_is_own_failure(replay->context, ended.status))
            *ret_ended = ended;
    }
    for (size_t i = 0; i < replay->format->track_count; i++)
        *ret_rows += added[i];
    return REPRISE_OK;
}

static reprise_status add_entry(rp_database *d, const rp_replay *replay,
                                const rp_database_entry *entry, uint64_t rows,
                                const reprise_error *damage, reprise_error *error)
{
    sqlite3_stmt *insert = NULL;
    bool complete = damage->status == REPRISE_OK;
    int code = sqlite3_prepare_v2(d->db, "insert into replay values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                  -1, &insert, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(insert, 1, d->replays);
        sqlite3_bind_text(insert, 2, entry->file, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 3, replay->format->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 4, replay->layout, -1, SQLITE_TRANSIENT);
        sqlite3_bind_double(insert, 5, entry->duration); /* NaN is null */
        sqlite3_bind_int64(insert, 6, (sqlite3_int64)rows);
        sqlite3_bind_int(insert, 7, complete);
        sqlite3_bind_text(insert, 8, complete ? NULL : damage->message, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 9, entry->info, -1, SQLITE_TRANSIENT);
        code = sqlite3_step(insert);
    }
    sqlite3_finalize(insert);
    return code == SQLITE_DONE ? REPRISE_OK : database_error(d, error);
}

reprise_status rp_database_add(rp_database *d, rp_replay *replay, const rp_database_entry *entry,
                               uint64_t *ret_rows, bool *ret_added, reprise_error *error)
{
    reprise_error ended = REPRISE_ERROR_INIT;
    family *f = NULL;
    *ret_rows = 0;
    *ret_added = false;
    if (d->failed || d->written)
        return rp_error_set(error, REPRISE_E_USAGE, "the database is complete or has failed");
    RP_TRY(find_family(d, replay->format, &f, error));
    RP_TRY(make_derived(d, replay->format, error));
    d->replays++;
    RP_TRY(add_rows(d, replay, f, ret_rows, &ended, error));
    if (rp_is_own_failure(replay->context, ended.status)) {
        d->failed = true;
        *error = ended;
        return error->status;
    }
    if (ended.status == REPRISE_OK && entry->cut)
        ended = *entry->cut;
    *ret_added = *ret_rows || ended.status == REPRISE_OK;
    reprise_error told = ended;
    if (told.status == REPRISE_OK)
        (void)rp_replay_damage(replay, &told); /* that ended no rows */
    if (*ret_added)
        RP_TRY(add_entry(d, replay, entry, *ret_rows, &told, error));
    else
        d->replays--;
    *error = ended;
    return error->status;
}

reprise_status rp_database_write(rp_database *d, rp_sink *sink, reprise_error *error)
{
    if (d->failed || d->written)
        return rp_error_set(error, REPRISE_E_USAGE, "the database is complete or has failed");
    for (size_t i = 0; i < d->family_count; i++) {
        const rp_format *format = d->families[i]->format;
        for (size_t k = 0; k < format->track_count; k++)
            RP_TRY(create_index(d, format->name, &format->tracks[k], error));
    }
    RP_TRY(run_sql(d, "commit", error));
    close_database(d);
    d->written = true;
    return rp_scratch_copy(&d->file.main, d->context, sink, error);
}
