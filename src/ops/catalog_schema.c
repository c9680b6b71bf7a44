/* catalog_schema.c - the tables of a catalog; docs/catalog.md explains them. */
#include <stdio.h>

#include "catalog.h"
#include "writer.h"

enum { APPLICATION_ID = 0x52704374 }; /* "RpCt" */

static const char tables[] =
    "create table meta (key text primary key, value text) without rowid;"
    "create table file (id integer primary key, path text not null unique, size integer not null,"
    " mtime_ns integer not null, sha256 text, format text, layout text, status text not null,"
    " error text, findings integer, length real, map text, date text, identity text,"
    " removed integer not null default 0);"
    "create index file_by_sha256 on file (sha256);"
    "create index file_by_identity on file (format, identity) where identity is not null;"
    "create table player (id integer primary key, format text not null, key text not null,"
    " account text, name text not null, unique (format, key));"
    "create table file_player (file_id integer not null references file(id) on delete cascade,"
    " slot integer not null, player_id integer not null references player(id), name text not null,"
    " role text, faction text, team integer, outcome text, bot integer,"
    " primary key (file_id, slot)) without rowid;"
    "create index file_player_by_player on file_player (player_id);"
    "create table metric (file_id integer not null references file(id) on delete cascade,"
    " name text not null, player text not null default '', value real,"
    " primary key (file_id, name, player)) without rowid;"
    "create table word (id integer primary key, file_id integer not null references file(id)"
    " on delete cascade, kind text not null, text text not null);"
    "create index word_by_file on word (file_id);"
    "create virtual table search using fts5(text, kind unindexed, content='word',"
    " content_rowid='id');"
    "create view duplicate as"
    " select 'bytes' as kind, sha256 as key, id as file_id, path from file where removed = 0"
    "  and sha256 in (select sha256 from file where removed = 0 and format is not null"
    "  group by sha256 having count(*) > 1)"
    " union all"
    " select case format when 'cs2kz' then 'run' else 'match' end, identity, id, path from file"
    "  where removed = 0 and (format, identity) in (select format, identity from file"
    "  where removed = 0 and identity is not null group by format, identity"
    "  having count(distinct sha256) > 1);";

static const char *sql_type(rp_summary_type type)
{
    switch (type) {
    case RP_SUMMARY_INT:
    case RP_SUMMARY_BOOL:
        return "integer";
    case RP_SUMMARY_REAL:
    case RP_SUMMARY_SECONDS:
        return "real";
    default:
        return "text";
    }
}

static bool has_column(rp_catalog *c, const char *table, const char *column)
{
    sqlite3_stmt *query = NULL;
    bool found = sqlite3_prepare_v2(c->db, "select 1 from pragma_table_info(?) where name = ?", -1,
                                    &query, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(query, 1, table, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_bind_text(query, 2, column, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(query) == SQLITE_ROW;
    sqlite3_finalize(query);
    return found;
}

/* A table for each format, with the columns of its summary; new columns are added to old tables. */
static reprise_status make_summary(rp_catalog *c, const rp_format *format, reprise_error *error)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "create table if not exists \"%s\" (file_id integer primary key"
             " references file(id) on delete cascade)",
             format->name);
    RP_TRY(rp_catalog_run(c, sql, error));
    for (size_t i = 0; i < format->summary->count; i++) {
        const rp_summary_column *column = &format->summary->columns[i];
        if (has_column(c, format->name, column->name))
            continue;
        /* Files that are known already have a value there too, so they are read again. */
        snprintf(sql, sizeof sql,
                 "alter table \"%s\" add column \"%s\" %s;"
                 "update file set mtime_ns = -1 where format = '%s'",
                 format->name, column->name, sql_type(column->type), format->name);
        RP_TRY(rp_catalog_run(c, sql, error));
    }
    return REPRISE_OK;
}

static int64_t pragma(rp_catalog *c, const char *sql)
{
    sqlite3_stmt *query = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(c->db, sql, -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return value;
}

/* Whether the file is a catalog that this version knows; an empty one is, if it is to be written.
 */
static reprise_status check_version(rp_catalog *c, int64_t *ret_version, reprise_error *error)
{
    int64_t id = pragma(c, "pragma application_id"), version = pragma(c, "pragma user_version");
    int64_t objects = pragma(c, "select count(*) from sqlite_schema");
    if (id < 0 || version < 0 || objects < 0)
        return rp_catalog_failed(c, error);
    if (id != APPLICATION_ID && !(c->writes && !id && !objects))
        return rp_error_set(error, REPRISE_E_UNRECOGNIZED, "this is not a catalog of replays");
    if (version > RP_CATALOG_VERSION)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "the catalog has version %lld, and this program knows %d",
                            (long long)version, RP_CATALOG_VERSION);
    *ret_version = version;
    return REPRISE_OK;
}

static reprise_status check_pages(rp_catalog *c, reprise_error *error)
{
    sqlite3_stmt *query = NULL;
    bool good = sqlite3_prepare_v2(c->db, "pragma quick_check(1)", -1, &query, NULL) == SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    const char *answer = good ? (const char *)sqlite3_column_text(query, 0) : NULL;
    if (answer && strcmp(answer, "ok") == 0)
        good = true;
    else if (answer)
        rp_error_set(error, REPRISE_E_CORRUPT, "the catalog is damaged: %s", answer);
    sqlite3_finalize(query);
    if (!good)
        return rp_catalog_failed(c, error);
    return error->status;
}

reprise_status rp_catalog_migrate(rp_catalog *c, reprise_error *error)
{
    int64_t version = 0;
    char sql[96];
    RP_TRY(check_version(c, &version, error));
    if (!c->writes)
        return REPRISE_OK;
    RP_TRY(check_pages(c, error));
    RP_TRY(rp_catalog_run(c, "pragma journal_mode=wal; begin immediate", error));
    c->in_transaction = true;
    /* Another program may have created the tables while this one waited for the lock. */
    RP_TRY(check_version(c, &version, error));
    if (version < 1)
        RP_TRY(rp_catalog_run(c, tables, error));
    for (size_t i = 0; i < rp_format_count; i++)
        RP_TRY(make_summary(c, rp_formats[i], error));
    /* Another version of the program may find other values. */
    RP_TRY(rp_catalog_run(c,
                          "insert or ignore into meta values ('program', '" REPRISE_VERSION "');"
                          "update file set mtime_ns = -1 where (select value from meta"
                          " where key = 'program') != '" REPRISE_VERSION "';"
                          "update meta set value = '" REPRISE_VERSION "' where key = 'program'",
                          error));
    snprintf(sql, sizeof sql, "pragma application_id=%d; pragma user_version=%d", APPLICATION_ID,
             RP_CATALOG_VERSION);
    RP_TRY(rp_catalog_run(c, sql, error));
    RP_TRY(rp_catalog_run(c, "commit", error));
    c->in_transaction = false;
    return REPRISE_OK;
}
