/* catalog.c - see catalog.h. */
#include "catalog.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "thread.h"
#include "writer.h"

enum {
    BUSY_MS = 60000,   /* to wait for another program that writes */
    PENDING_MAX = 256, /* files in one transaction */
};
static const uint64_t PENDING_NS = 500000000;

/* ---- errors ---- */

static void roll_back(rp_catalog *c)
{
    if (c->in_transaction)
        (void)sqlite3_exec(c->db, "rollback", NULL, NULL, NULL);
    c->in_transaction = false;
    c->pending = 0;
}

reprise_status rp_catalog_failed(rp_catalog *c, reprise_error *error)
{
    int code = c->db ? sqlite3_errcode(c->db) : SQLITE_NOMEM;
    const char *words = c->db ? sqlite3_errmsg(c->db) : "no memory";
    if (error->status == REPRISE_OK && (code == SQLITE_CORRUPT || code == SQLITE_NOTADB))
        rp_error_set(error, REPRISE_E_CORRUPT, "the catalog is damaged: %s", words);
    else if (error->status == REPRISE_OK)
        rp_error_set(error, code == SQLITE_NOMEM ? REPRISE_E_NOMEM : REPRISE_E_IO, "catalog: %s",
                     words);
    roll_back(c);
    return error->status;
}

reprise_status rp_catalog_run(rp_catalog *c, const char *sql, reprise_error *error)
{
    if (sqlite3_exec(c->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return rp_catalog_failed(c, error);
    return REPRISE_OK;
}

/* ---- statements ---- */

/* A value for a parameter, which must outlive the step. */
static int bind_value(sqlite3_stmt *to, int at, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_STRING:
        return sqlite3_bind_text64(to, at, text, size, SQLITE_STATIC, SQLITE_UTF8);
    case REPRISE_VALUE_BOOL:
        return sqlite3_bind_int(to, at, reprise_value_bool(value, false));
    case REPRISE_VALUE_INT:
        return sqlite3_bind_int64(to, at, reprise_value_int(value, 0));
    case REPRISE_VALUE_UINT: /* SQLite has only signed integers */
    case REPRISE_VALUE_FLOAT:
    case REPRISE_VALUE_DOUBLE:
        return sqlite3_bind_double(to, at, reprise_value_double(value, (double)NAN));
    default:
        return sqlite3_bind_null(to, at);
    }
}

/* Lists are JSON text, which SQLite's own functions read. */
static int bind_list(rp_catalog *c, sqlite3_stmt *to, int at, const reprise_value *list)
{
    reprise_error failure = REPRISE_ERROR_INIT;
    rp_writer text;
    rp_writer_init(&text, c->context, SIZE_MAX / 2, &failure);
    rp_json_write(&text, list, &(rp_json_format){0});
    int code = rp_writer_ok(&text) ? sqlite3_bind_text64(to, at, (const char *)text.data, text.size,
                                                         SQLITE_TRANSIENT, SQLITE_UTF8)
                                   : SQLITE_NOMEM;
    rp_writer_free(&text);
    return code;
}

/* A prepared statement without parameters; `release` it after use. */
static reprise_status prepare(rp_catalog *c, const char *sql, sqlite3_stmt **ret_statement,
                              reprise_error *error)
{
    for (size_t i = 0; i < RP_COUNT(c->statements); i++) {
        sqlite3_stmt *known = c->statements[i];
        if (known && !sqlite3_stmt_busy(known) && strcmp(sqlite3_sql(known), sql) == 0) {
            *ret_statement = known;
            return REPRISE_OK;
        }
    }
    sqlite3_stmt **slot = &c->statements[c->statement_next++ % RP_COUNT(c->statements)];
    sqlite3_finalize(*slot);
    *slot = NULL;
    if (sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, slot, NULL) != SQLITE_OK)
        return rp_catalog_failed(c, error);
    *ret_statement = *slot;
    return REPRISE_OK;
}

static void release(sqlite3_stmt *statement)
{
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

/* Runs a prepared statement to its end and releases it. */
static reprise_status finish(rp_catalog *c, sqlite3_stmt *statement, reprise_error *error)
{
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        ;
    reprise_status status = code == SQLITE_DONE ? REPRISE_OK : rp_catalog_failed(c, error);
    release(statement);
    return status;
}

/* Runs a statement with one number. */
static reprise_status run_with(rp_catalog *c, const char *sql, int64_t number, reprise_error *error)
{
    sqlite3_stmt *statement = NULL;
    RP_TRY(prepare(c, sql, &statement, error));
    sqlite3_bind_int64(statement, 1, number);
    return finish(c, statement, error);
}

/* ---- opening ---- */

/* A directory on a medium that cannot be written to has no room for the files beside the catalog.
 */
static int open_read_only(rp_catalog *c, const char *path)
{
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path, &c->db, flags, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(c->db, "select 1 from sqlite_schema", NULL, NULL, NULL);
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
        return code == SQLITE_ERROR ? SQLITE_OK : code;
    sqlite3_close(c->db);
    char *name = sqlite3_mprintf("file:%w?immutable=1", path);
    code = name ? sqlite3_open_v2(name, &c->db, flags | SQLITE_OPEN_URI, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}

static void delete_old(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < RP_COUNT(ends); i++) {
        char name[4096 + 8];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

/* A catalog belongs to one directory. One that is inside of its directory may move with it. */
static reprise_status check_root(rp_catalog *c, reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    size_t size = strlen(c->root);
    bool inside = strncmp(c->path, c->root, size) == 0 && c->path[size] == '/';
    RP_TRY(prepare(c,
                   inside ? "insert or replace into meta values ('root', ?)"
                          : "insert or ignore into meta values ('root', ?)",
                   &query, error));
    sqlite3_bind_text(query, 1, c->root, -1, SQLITE_TRANSIENT);
    RP_TRY(finish(c, query, error));
    RP_TRY(prepare(c, "select value from meta where key = 'root'", &query, error));
    const char *known = sqlite3_step(query) == SQLITE_ROW
                            ? (const char *)sqlite3_column_text(query, 0)
                            : NULL;
    if (!known || strcmp(known, c->root) != 0)
        rp_error_set(error, REPRISE_E_USAGE, "the catalog is that of another directory: %.100s",
                     known ? known : "unknown");
    release(query);
    return error->status;
}

reprise_status rp_catalog_open(rp_catalog *c, const char *path,
                               const reprise_catalog_options *options, reprise_error *error)
{
    c->writes = options->write;
    snprintf(c->path, sizeof c->path, "%s", path);
    snprintf(c->root, sizeof c->root, "%s", options->root ? options->root : "");
    struct stat info;
    if (!c->writes && stat(path, &info) != 0)
        return rp_error_set(error, REPRISE_E_IO, "there is no catalog here");
    if (c->writes && options->rebuild)
        delete_old(path);
    int code = c->writes
                   ? sqlite3_open_v2(
                         path, &c->db,
                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
                   : open_read_only(c, path);
    if (code != SQLITE_OK)
        return rp_catalog_failed(c, error);
    sqlite3_busy_timeout(c->db, BUSY_MS);
    sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    RP_TRY(rp_catalog_run(c,
                          c->writes ? "pragma foreign_keys=on; pragma synchronous=normal;"
                                      "pragma temp_store=memory; pragma cache_size=-16384"
                                    : "pragma query_only=on; pragma temp_store=memory",
                          error));
    RP_TRY(rp_catalog_migrate(c, error));
    if (!c->writes)
        return REPRISE_OK;
    RP_TRY(check_root(c, error));
    return rp_catalog_run(c, "create temp table seen (id integer primary key)", error);
}

void rp_catalog_close(rp_catalog *c)
{
    roll_back(c);
    for (size_t i = 0; i < RP_COUNT(c->statements); i++)
        sqlite3_finalize(c->statements[i]);
    sqlite3_close(c->db);
    c->db = NULL;
}

/* ---- transactions ---- */

static reprise_status begin(rp_catalog *c, reprise_error *error)
{
    if (c->in_transaction)
        return REPRISE_OK;
    RP_TRY(rp_catalog_run(c, "begin immediate", error));
    c->in_transaction = true;
    c->pending = 0;
    c->pending_since_ns = rp_now_ns();
    return REPRISE_OK;
}

static reprise_status commit(rp_catalog *c, reprise_error *error)
{
    if (!c->in_transaction)
        return REPRISE_OK;
    RP_TRY(rp_catalog_run(c, "commit", error));
    c->in_transaction = false;
    return REPRISE_OK;
}

/* ---- looking ---- */

typedef struct known_file {
    int64_t id; /* 0: none */
    uint64_t size;
    int64_t mtime_ns;
    bool removed;
} known_file;

static reprise_status find_path(rp_catalog *c, const char *path, known_file *ret_known,
                                reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    RP_TRY(
        prepare(c, "select id, size, mtime_ns, removed from file where path = ?", &query, error));
    sqlite3_bind_text(query, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(query);
    *ret_known = (known_file){0};
    if (code == SQLITE_ROW)
        *ret_known = (known_file){.id = sqlite3_column_int64(query, 0),
                                  .size = (uint64_t)sqlite3_column_int64(query, 1),
                                  .mtime_ns = sqlite3_column_int64(query, 2),
                                  .removed = sqlite3_column_int(query, 3) != 0};
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        rp_catalog_failed(c, error);
    release(query);
    return error->status;
}

static reprise_status mark_seen(rp_catalog *c, int64_t id, reprise_error *error)
{
    return run_with(c, "insert or ignore into temp.seen values (?)", id, error);
}

reprise_status rp_catalog_look(rp_catalog *c, const char *path, uint64_t size, int64_t mtime_ns,
                               bool *ret_known, reprise_error *error)
{
    known_file known;
    RP_TRY(find_path(c, path, &known, error));
    *ret_known = known.id && !known.removed && known.size == size && known.mtime_ns == mtime_ns;
    c->report.unchanged += *ret_known;
    return known.id ? mark_seen(c, known.id, error) : REPRISE_OK;
}

/* ---- storing ---- */

/* A file with the same hash that was not seen and no longer exists has moved. */
static reprise_status find_moved(rp_catalog *c, const char *sha256, int64_t *ret_id,
                                 reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    char name[2 * 4096];
    struct stat info;
    *ret_id = 0;
    if (!sha256)
        return REPRISE_OK;
    RP_TRY(prepare(c,
                   "select id, path from file where sha256 = ?"
                   " and id not in (select id from temp.seen) order by removed, id",
                   &query, error));
    sqlite3_bind_text(query, 1, sha256, -1, SQLITE_STATIC);
    while (!*ret_id && sqlite3_step(query) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(query, 1);
        int size = snprintf(name, sizeof name, "%s/%s", c->root, path ? path : "");
        if (path && size < (int)sizeof name && lstat(name, &info) != 0)
            *ret_id = sqlite3_column_int64(query, 0);
    }
    release(query);
    return REPRISE_OK;
}

static reprise_status put_file(rp_catalog *c, int64_t id, const char *path, uint64_t size,
                               int64_t mtime_ns, const reprise_value *record, int64_t *ret_id,
                               reprise_error *error)
{
    static const char *const members[] = {"sha256",   "format", "layout", "status", "error",
                                          "findings", "length", "map",    "date",   "identity"};
    sqlite3_stmt *statement = NULL;
    RP_TRY(prepare(c,
                   "insert into file (id, path, size, mtime_ns, sha256, format, layout, status,"
                   " error, findings, length, map, date, identity)"
                   " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                   " on conflict (id) do update set path = excluded.path, size = excluded.size,"
                   " mtime_ns = excluded.mtime_ns, sha256 = excluded.sha256,"
                   " format = excluded.format, layout = excluded.layout, status = excluded.status,"
                   " error = excluded.error, findings = excluded.findings,"
                   " length = excluded.length, map = excluded.map, date = excluded.date,"
                   " identity = excluded.identity, removed = 0",
                   &statement, error));
    if (id)
        sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, (int64_t)size);
    sqlite3_bind_int64(statement, 4, mtime_ns);
    for (size_t i = 0; i < RP_COUNT(members); i++)
        bind_value(statement, 5 + (int)i, rp_get(record, members[i]));
    RP_TRY(finish(c, statement, error));
    *ret_id = id ? id : sqlite3_last_insert_rowid(c->db);
    return REPRISE_OK;
}

/* Removes what was known about the content of a file. */
static reprise_status forget(rp_catalog *c, int64_t id, reprise_error *error)
{
    static const char *const statements[] = {"delete from file_player where file_id = ?",
                                             "delete from metric where file_id = ?",
                                             "insert into search (search, rowid, text, kind)"
                                             " select 'delete', id, text, kind from word"
                                             " where file_id = ?",
                                             "delete from word where file_id = ?"};
    for (size_t i = 0; i < RP_COUNT(statements); i++)
        RP_TRY(run_with(c, statements[i], id, error));
    for (size_t i = 0; i < rp_format_count; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "delete from \"%s\" where file_id = ?", rp_formats[i]->name);
        RP_TRY(run_with(c, sql, id, error));
    }
    return REPRISE_OK;
}

static reprise_status put_summary(rp_catalog *c, int64_t id, const reprise_value *record,
                                  reprise_error *error)
{
    const reprise_value *line = rp_get(record, "summary");
    const char *name = rp_get_text(record, "format");
    const rp_format *format = name && line ? rp_format_find(name) : NULL;
    sqlite3_stmt *statement = NULL;
    char sql[2048];
    if (!format)
        return REPRISE_OK;
    size_t size = (size_t)snprintf(sql, sizeof sql, "insert into \"%s\" (file_id", format->name);
    for (size_t i = 0; i < format->summary->count; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", \"%s\"",
                                 format->summary->columns[i].name);
    size += (size_t)snprintf(sql + size, sizeof sql - size, ") values (?");
    for (size_t i = 0; i < format->summary->count; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    RP_TRY(prepare(c, sql, &statement, error));
    sqlite3_bind_int64(statement, 1, id);
    for (size_t i = 0; i < format->summary->count; i++) {
        const reprise_value *value = reprise_value_at(line, i);
        bool list = reprise_value_kind_of(value) == REPRISE_VALUE_ARRAY;
        (void)(list ? bind_list(c, statement, 2 + (int)i, value)
                    : bind_value(statement, 2 + (int)i, value));
    }
    return finish(c, statement, error);
}

/* People with an account are the same under any name. */
static reprise_status put_player(rp_catalog *c, int64_t id, int64_t slot, const char *format,
                                 const reprise_value *person, reprise_error *error)
{
    static const char *const members[] = {"name", "role", "faction", "team", "outcome", "bot"};
    sqlite3_stmt *statement = NULL;
    RP_TRY(prepare(c,
                   "insert into player (format, key, account, name) values (?, ?, ?, ?)"
                   " on conflict (format, key) do update set name = excluded.name",
                   &statement, error));
    sqlite3_bind_text(statement, 1, format, -1, SQLITE_STATIC);
    bind_value(statement, 2, rp_get(person, "key"));
    bind_value(statement, 3, rp_get(person, "account"));
    bind_value(statement, 4, rp_get(person, "name"));
    RP_TRY(finish(c, statement, error));
    RP_TRY(prepare(c,
                   "insert into file_player values (?, ?, (select id from player where format = ?"
                   " and key = ?), ?, ?, ?, ?, ?, ?)",
                   &statement, error));
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, slot);
    sqlite3_bind_text(statement, 3, format, -1, SQLITE_STATIC);
    bind_value(statement, 4, rp_get(person, "key"));
    for (size_t i = 0; i < RP_COUNT(members); i++)
        bind_value(statement, 5 + (int)i, rp_get(person, members[i]));
    return finish(c, statement, error);
}

/* Inserts the members of each element of a list as a row. */
static reprise_status put_rows(rp_catalog *c, int64_t id, const reprise_value *list,
                               const char *sql, const char *const *members, size_t count,
                               reprise_error *error)
{
    sqlite3_stmt *statement = NULL;
    RP_TRY(prepare(c, sql, &statement, error));
    int code = SQLITE_DONE;
    for (size_t i = 0; i < reprise_value_count(list) && code == SQLITE_DONE; i++) {
        sqlite3_bind_int64(statement, 1, id);
        for (size_t k = 0; k < count; k++)
            bind_value(statement, 2 + (int)k, rp_get(reprise_value_at(list, i), members[k]));
        code = sqlite3_step(statement);
        if (code != SQLITE_DONE)
            rp_catalog_failed(c, error);
        release(statement);
    }
    return error->status;
}

static reprise_status put_content(rp_catalog *c, int64_t id, const reprise_value *record,
                                  reprise_error *error)
{
    static const char *const metric_members[] = {"name", "player", "value"};
    static const char *const word_members[] = {"kind", "text"};
    const reprise_value *people = rp_get(record, "people");
    RP_TRY(put_summary(c, id, record, error));
    for (size_t i = 0; i < reprise_value_count(people); i++)
        RP_TRY(put_player(c, id, (int64_t)i, rp_get_text(record, "format"),
                          reprise_value_at(people, i), error));
    RP_TRY(put_rows(c, id, rp_get(record, "metrics"),
                    "insert or replace into metric (file_id, name, player, value)"
                    " values (?, ?, ?, ?)",
                    metric_members, RP_COUNT(metric_members), error));
    RP_TRY(put_rows(c, id, rp_get(record, "words"),
                    "insert into word (file_id, kind, text) values (?, ?, ?)", word_members,
                    RP_COUNT(word_members), error));
    /* Not a trigger: SQLite runs none on this kind of table for a schema that is not trusted. */
    return run_with(c,
                    "insert into search (rowid, text, kind) select id, text, kind from word"
                    " where file_id = ?",
                    id, error);
}

static reprise_status put_all(rp_catalog *c, const char *path, uint64_t size, int64_t mtime_ns,
                              const reprise_value *record, reprise_error *error)
{
    known_file known;
    int64_t moved = 0, id = 0;
    RP_TRY(begin(c, error));
    RP_TRY(find_path(c, path, &known, error));
    if (!known.id)
        RP_TRY(find_moved(c, rp_get_text(record, "sha256"), &moved, error));
    RP_TRY(put_file(c, known.id ? known.id : moved, path, size, mtime_ns, record, &id, error));
    if (known.id || moved)
        RP_TRY(forget(c, id, error));
    RP_TRY(put_content(c, id, record, error));
    RP_TRY(mark_seen(c, id, error));
    c->report.changed += known.id != 0;
    c->report.moved += moved != 0;
    c->report.added += !known.id && !moved;
    return REPRISE_OK;
}

reprise_status rp_catalog_put(rp_catalog *c, const char *path, uint64_t size, int64_t mtime_ns,
                              const reprise_value *record, reprise_error *error)
{
    if (!c->writes)
        return rp_error_set(error, REPRISE_E_USAGE, "the catalog is open for reading");
    if (put_all(c, path, size, mtime_ns, record, error) != REPRISE_OK) {
        roll_back(c);
        return error->status;
    }
    c->pending++;
    if (c->pending >= PENDING_MAX || rp_now_ns() - c->pending_since_ns > PENDING_NS)
        return commit(c, error);
    return REPRISE_OK;
}

/* ---- what is gone ---- */

static reprise_status remove_missing(rp_catalog *c, reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    char name[2 * 4096];
    struct stat info;
    RP_TRY(prepare(c,
                   "select id, path from file where removed = 0"
                   " and id not in (select id from temp.seen)",
                   &query, error));
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW && error->status == REPRISE_OK) {
        const char *path = (const char *)sqlite3_column_text(query, 1);
        int size = snprintf(name, sizeof name, "%s/%s", c->root, path ? path : "");
        /* Files that were not looked at, because only some were asked for, still exist. */
        if (size >= (int)sizeof name || lstat(name, &info) == 0)
            continue;
        c->report.removed++;
        (void)run_with(c, "update file set removed = 1 where id = ?",
                       sqlite3_column_int64(query, 0), error);
    }
    release(query);
    if (error->status == REPRISE_OK && code != SQLITE_DONE)
        return rp_catalog_failed(c, error);
    return error->status;
}

reprise_status rp_catalog_finish(rp_catalog *c, reprise_error *error)
{
    if (!c->writes)
        return rp_error_set(error, REPRISE_E_USAGE, "the catalog is open for reading");
    RP_TRY(begin(c, error));
    RP_TRY(remove_missing(c, error));
    RP_TRY(rp_catalog_run(c, "delete from temp.seen", error));
    return commit(c, error);
}

/* ---- queries ---- */

static reprise_value *column_value(rp_doc *doc, sqlite3_stmt *query, int at)
{
    switch (sqlite3_column_type(query, at)) {
    case SQLITE_INTEGER:
        return rp_new_int(doc, sqlite3_column_int64(query, at));
    case SQLITE_FLOAT:
        return rp_new_f64(doc, sqlite3_column_double(query, at));
    case SQLITE_TEXT:
        return rp_new_text_n(doc, (const char *)sqlite3_column_text(query, at),
                             (size_t)sqlite3_column_bytes(query, at));
    case SQLITE_BLOB:
        return rp_new_hex(doc, sqlite3_column_blob(query, at),
                          (size_t)sqlite3_column_bytes(query, at));
    default:
        return rp_new_null(doc);
    }
}

static reprise_status give_rows(rp_catalog *c, sqlite3_stmt *query, reprise_catalog_row *row,
                                void *ctx, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, c->context);
    rp_doc doc = {.arena = &arena, .error = error};
    int code = SQLITE_DONE;
    bool wanted = true;
    while (wanted && error->status == REPRISE_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        rp_arena_reset(&arena);
        reprise_value *line = rp_new_object(&doc);
        for (int i = 0; i < sqlite3_column_count(query); i++)
            rp_set(&doc, line, sqlite3_column_name(query, i), column_value(&doc, query, i));
        wanted = error->status == REPRISE_OK && row(ctx, line);
    }
    rp_arena_free(&arena);
    if (error->status != REPRISE_OK || !wanted || code == SQLITE_DONE)
        return error->status;
    if (code == SQLITE_ERROR) /* such as words to search for that are no query */
        return rp_error_set(error, REPRISE_E_USAGE, "SQL: %s", sqlite3_errmsg(c->db));
    return rp_catalog_failed(c, error);
}

reprise_status rp_catalog_query(rp_catalog *c, const char *sql, const reprise_value *parameters,
                                reprise_catalog_row *row, void *ctx, reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    const char *rest = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &query, &rest) != SQLITE_OK) {
        int code = sqlite3_errcode(c->db);
        if (code == SQLITE_ERROR)
            return rp_error_set(error, REPRISE_E_USAGE, "SQL: %s", sqlite3_errmsg(c->db));
        return rp_catalog_failed(c, error);
    }
    rest += strspn(rest, " \t\r\n;");
    if (!query || !sqlite3_stmt_readonly(query) || *rest || sqlite3_column_count(query) == 0)
        rp_error_set(error, REPRISE_E_USAGE, "only one statement that reads is allowed");
    for (size_t i = 0; i < reprise_value_count(parameters) && error->status == REPRISE_OK; i++) {
        if (bind_value(query, (int)i + 1, reprise_value_at(parameters, i)) != SQLITE_OK)
            rp_error_set(error, REPRISE_E_USAGE, "SQL: %s", sqlite3_errmsg(c->db));
    }
    if (error->status == REPRISE_OK)
        (void)give_rows(c, query, row, ctx, error);
    sqlite3_finalize(query);
    return error->status;
}
