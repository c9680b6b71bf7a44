/*
 * database_file.h - SQLite on unnamed temporary files.
 *
 * SQLite opens files by name; in a sandbox there are none, and a result must appear complete or not
 * at all. This file system for SQLite gives the database and its temporary files a scratch file
 * each, without locks and journals, because no other program can see them.
 */
#ifndef RP_DATABASE_FILE_H
#define RP_DATABASE_FILE_H

#include <sqlite3.h>

#include "scratch.h"

typedef struct rp_database_file {
    rp_scratch main; /* the database */
    sqlite3_vfs system;
    char name[40];
    int cause; /* errno of the first failure, also of temporary files */
} rp_database_file;

/* Makes the file and its file system known to SQLite. Call rp_database_file_close also on failure.
 */
reprise_status rp_database_file_open(rp_database_file *file, reprise_error *error);
void rp_database_file_close(rp_database_file *file);

#endif
