/* database_file.c - see database_file.h. */
#include "database_file.h"

#include <stdio.h>

/* What SQLite holds of an open file. */
typedef struct open_file {
    sqlite3_file base;
    rp_database_file *file;
    rp_scratch own; /* of a temporary file */
    rp_scratch *scratch;
} open_file;

static open_file *of(sqlite3_file *file)
{
    return (open_file *)file;
}

static int failed(open_file *file, int code)
{
    if (!file->file->cause)
        file->file->cause = file->scratch->cause;
    return code;
}

/* ---- files ---- */

static int close_file(sqlite3_file *base)
{
    open_file *file = of(base);
    if (file->scratch == &file->own)
        rp_scratch_close(&file->own);
    return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *to, int size, sqlite3_int64 offset)
{
    open_file *file = of(base);
    int64_t n = rp_scratch_read(file->scratch, (uint64_t)offset, to, (size_t)size);
    if (n < 0)
        return failed(file, SQLITE_IOERR_READ);
    if (n == size)
        return SQLITE_OK;
    memset((char *)to + n, 0, (size_t)(size - n));
    return SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *base, const void *data, int size, sqlite3_int64 offset)
{
    open_file *file = of(base);
    if (rp_scratch_write(file->scratch, (uint64_t)offset, data, (size_t)size))
        return SQLITE_OK;
    return failed(file, SQLITE_IOERR_WRITE);
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size)
{
    open_file *file = of(base);
    if (rp_scratch_resize(file->scratch, (uint64_t)size))
        return SQLITE_OK;
    return failed(file, SQLITE_IOERR_TRUNCATE);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *ret_size)
{
    open_file *file = of(base);
    uint64_t size = 0;
    if (!rp_scratch_size(file->scratch, &size))
        return failed(file, SQLITE_IOERR_FSTAT);
    *ret_size = (sqlite3_int64)size;
    return SQLITE_OK;
}

/* The result is synced when it is copied to its own file. */
static int sync_file(sqlite3_file *base, int flags)
{
    (void)base;
    (void)flags;
    return SQLITE_OK;
}

static int lock_file(sqlite3_file *base, int kind)
{
    (void)base;
    (void)kind;
    return SQLITE_OK;
}

static int check_lock(sqlite3_file *base, int *ret_locked)
{
    (void)base;
    *ret_locked = 0;
    return SQLITE_OK;
}

static int control_file(sqlite3_file *base, int operation, void *argument)
{
    (void)base;
    (void)operation;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *base)
{
    enum { SECTOR = 4096 };
    (void)base;
    return SECTOR;
}

static int file_traits(sqlite3_file *base)
{
    (void)base;
    return 0;
}

/* ---- the file system ---- */

static int open_named(sqlite3_vfs *system, const char *name, sqlite3_file *base, int flags,
                      int *ret_flags)
{
    static const sqlite3_io_methods methods = {
        .iVersion = 1,
        .xClose = close_file,
        .xRead = read_file,
        .xWrite = write_file,
        .xTruncate = truncate_file,
        .xSync = sync_file,
        .xFileSize = file_size,
        .xLock = lock_file,
        .xUnlock = lock_file,
        .xCheckReservedLock = check_lock,
        .xFileControl = control_file,
        .xSectorSize = sector_size,
        .xDeviceCharacteristics = file_traits,
    };
    (void)name;
    open_file *file = of(base);
    *file = (open_file){.file = system->pAppData};
    file->scratch = flags & SQLITE_OPEN_MAIN_DB ? &file->file->main : &file->own;
    if (file->scratch == &file->own && !rp_scratch_open(&file->own))
        return failed(file, SQLITE_CANTOPEN);
    file->base.pMethods = &methods;
    if (ret_flags)
        *ret_flags = flags;
    return SQLITE_OK;
}

static int delete_named(sqlite3_vfs *system, const char *name, int sync)
{
    (void)system;
    (void)name;
    (void)sync;
    return SQLITE_OK;
}

static int access_named(sqlite3_vfs *system, const char *name, int flags, int *ret_found)
{
    (void)system;
    (void)name;
    (void)flags;
    *ret_found = 0;
    return SQLITE_OK;
}

static int full_name(sqlite3_vfs *system, const char *name, int size, char *to)
{
    (void)system;
    snprintf(to, (size_t)size, "%s", name);
    return SQLITE_OK;
}

reprise_status rp_database_file_open(rp_database_file *file, reprise_error *error)
{
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
    *file = (rp_database_file){.main = {.fd = -1}};
    if (!rp_scratch_open(&file->main)) {
        error->cause = file->main.cause;
        return rp_error_set(error, REPRISE_E_IO, "cannot create a temporary file: %s",
                            strerror(file->main.cause));
    }
    snprintf(file->name, sizeof file->name, "reprise-%p", (void *)file);
    /* Time and random numbers are the usual ones. */
    file->system = (sqlite3_vfs){.iVersion = 1,
                                 .szOsFile = sizeof(open_file),
                                 .mxPathname = 64,
                                 .zName = file->name,
                                 .pAppData = file,
                                 .xOpen = open_named,
                                 .xDelete = delete_named,
                                 .xAccess = access_named,
                                 .xFullPathname = full_name};
    if (!usual)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "SQLite has no file system");
    file->system.xRandomness = usual->xRandomness;
    file->system.xSleep = usual->xSleep;
    file->system.xCurrentTime = usual->xCurrentTime;
    file->system.xGetLastError = usual->xGetLastError;
    if (sqlite3_vfs_register(&file->system, 0) != SQLITE_OK)
        return rp_error_set(error, REPRISE_E_NOMEM, "no memory for SQLite");
    return REPRISE_OK;
}

void rp_database_file_close(rp_database_file *file)
{
    sqlite3_vfs_unregister(&file->system);
    rp_scratch_close(&file->main);
}
