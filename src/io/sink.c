/* sink.c - see sink.h. */
#define _GNU_SOURCE /* renameat2 */
#include "sink.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "checked.h"
#include "prepared.h"

#define TEMP_SUFFIX ".00000000"

enum {
    SPOOL_MEMORY_MAX = 4 << 20, /* a larger spool is a file */
    COPY_SIZE = 1 << 16,
    NAMES_MAX = 100, /* attempts */
};

struct rp_sink {
    mode_t mode; /* of a file, before the umask */
    rp_context *context;
    reprise_sink callback;
    uint64_t size;
    rp_writer *memory;
    /* spool */
    bool spools;
    const rp_sink *beside;
    rp_writer spool; /* until it becomes a file */
    reprise_error spool_error;
    /* atomic file, or the file of a spool */
    int fd;
    bool replace, nameless;
    bool owned; /* a descriptor from the caller: nothing to rename */
    char *path, *temp_path;
    size_t path_size, temp_size;
};

static reprise_status new_sink(rp_context *context, rp_sink **ret_sink, reprise_error *error)
{
    rp_sink *sink = rp_alloc_zero(context, 1, sizeof *sink, error);
    if (!sink)
        return error->status;
    sink->context = context;
    sink->fd = -1;
    *ret_sink = sink;
    return REPRISE_OK;
}

reprise_status rp_sink_open_memory(rp_context *context, rp_writer *to, rp_sink **ret_sink,
                                   reprise_error *error)
{
    RP_TRY(new_sink(context, ret_sink, error));
    (*ret_sink)->memory = to;
    return REPRISE_OK;
}

reprise_status rp_sink_open_callback(rp_context *context, const reprise_sink *callback,
                                     rp_sink **ret_sink, reprise_error *error)
{
    if (!callback->write)
        return rp_error_set(error, REPRISE_E_USAGE, "the sink has no write function");
    RP_TRY(new_sink(context, ret_sink, error));
    (*ret_sink)->callback = *callback;
    return REPRISE_OK;
}

reprise_status rp_sink_open_spool(rp_context *context, const rp_sink *beside, rp_sink **ret_sink,
                                  reprise_error *error)
{
    rp_sink *sink = NULL;
    RP_TRY(new_sink(context, &sink, error));
    sink->spools = true;
    sink->beside = beside;
    rp_writer_init(&sink->spool, context, SPOOL_MEMORY_MAX + COPY_SIZE, &sink->spool_error);
    *ret_sink = sink;
    return REPRISE_OK;
}

static reprise_status write_error(reprise_error *error, int cause, const char *what,
                                  const char *path)
{
    rp_error_set(error, REPRISE_E_IO, "%s %s: %s", what, path, strerror(cause));
    error->cause = cause;
    return error->status;
}

static void put_suffix(char *to, uint32_t attempt)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint32_t salt = (uint32_t)now.tv_nsec ^ ((uint32_t)getpid() << 12) ^ (attempt << 24);
    snprintf(to, sizeof TEMP_SUFFIX, ".%08x", salt);
}

/* Creates a file with an unused name. Unlike mkstemp, it respects the umask. */
static int create_temp(char *path, size_t prefix, mode_t mode)
{
    for (uint32_t attempt = 0; attempt < NAMES_MAX; attempt++) {
        put_suffix(path + prefix, attempt);
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Sets the permissions of a file that was opened before they were known. */
static int take_prepared(const char *directory, mode_t mode)
{
    int fd = rp_prepared_take(directory);
    if (fd < 0 || mode == 0666)
        return fd;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, mode & ~mask) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Opens an unnamed file or, if the file system has none, unlinks one after opening it. */
static int open_without_name(const char *path, char *temp_path, size_t prefix, mode_t mode)
{
    char directory[RP_DIRECTORY_MAX];
    if (rp_directory_of(path, directory)) {
        int fd = take_prepared(directory, mode);
        if (fd < 0)
            fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
    }
    int fd = create_temp(temp_path, prefix, mode);
    if (fd >= 0)
        unlink(temp_path);
    return fd;
}

/*
 * The temporary file is in the same directory, because only then is renaming atomic. It has no name
 * until it is complete, so nothing remains if the program is killed.
 */
static reprise_status open_temp(rp_sink *sink, const char *path, reprise_error *error)
{
    size_t n = strlen(path);
    sink->path_size = n + 1;
    sink->temp_size = n + sizeof TEMP_SUFFIX;
    sink->path = rp_alloc(sink->context, sink->path_size, error);
    if (sink->path)
        sink->temp_path = rp_alloc(sink->context, sink->temp_size, error);
    if (!sink->temp_path)
        return error->status;
    memcpy(sink->path, path, n + 1);
    memcpy(sink->temp_path, path, n);
    sink->temp_path[n] = '\0';
    sink->fd = open_without_name(path, sink->temp_path, n, sink->mode);
    sink->nameless = sink->fd >= 0;
    if (sink->fd < 0) {
        rp_free(sink->context, sink->temp_path, sink->temp_size);
        sink->temp_path = NULL;
        return write_error(error, errno, "cannot create", path);
    }
    return REPRISE_OK;
}

reprise_status rp_sink_open_file(rp_context *context, const char *path, bool replace, uint32_t mode,
                                 rp_sink **ret_sink, reprise_error *error)
{
    if (!replace && access(path, F_OK) == 0) {
        rp_error_set(error, REPRISE_E_USAGE, "%s exists", path);
        rp_error_advise(error, REPRISE_HINT_REPLACE);
        return error->status;
    }
    rp_sink *sink = NULL;
    RP_TRY(new_sink(context, &sink, error));
    sink->replace = replace;
    sink->mode = mode ? (mode_t)mode : 0666;
    if (open_temp(sink, path, error) != REPRISE_OK) {
        rp_sink_close(sink);
        return error->status;
    }
    *ret_sink = sink;
    return REPRISE_OK;
}

reprise_status rp_sink_open_descriptor(rp_context *context, int fd, rp_sink **ret_sink,
                                       reprise_error *error)
{
    if (new_sink(context, ret_sink, error) != REPRISE_OK) {
        close(fd);
        return error->status;
    }
    (*ret_sink)->fd = fd;
    (*ret_sink)->owned = true;
    return REPRISE_OK;
}

static reprise_status write_file(rp_sink *sink, const uint8_t *data, size_t size,
                                 reprise_error *error)
{
    while (size) {
        ssize_t n = write(sink->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return write_error(error, errno, "cannot write", sink->path ? sink->path : "spool");
        data += n;
        size -= (size_t)n;
    }
    return REPRISE_OK;
}

/* ---- spools ---- */

/* Unlinks the file as soon as it is open, so nothing can remain. */
static int open_nameless(const char *directory, size_t size)
{
    char path[4096];
    if (size + sizeof "/reprise" + sizeof TEMP_SUFFIX > sizeof path)
        return -1;
    memcpy(path, directory, size);
    path[size] = '\0';
    int fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    memcpy(path + size, "/.reprise-XXXXXX", sizeof "/.reprise-XXXXXX");
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

int rp_spool_descriptor(void)
{
    int prepared = rp_prepared_take(NULL);
    if (prepared >= 0)
        return prepared;
    const char *directory = getenv("TMPDIR");
    if (!directory || !*directory)
        directory = "/tmp";
    return open_nameless(directory, strlen(directory));
}

/* The directory of the output has room for it; the one for temporary files may be small. */
static int open_spool_file(const rp_sink *sink)
{
    const rp_sink *beside = sink->beside;
    int prepared = rp_prepared_take(NULL);
    if (prepared >= 0)
        return prepared;
    if (beside && beside->path) {
        const char *slash = strrchr(beside->path, '/');
        int fd = slash ? open_nameless(beside->path, (size_t)RP_MAX(slash - beside->path, 1))
                       : open_nameless(".", 1);
        if (fd >= 0)
            return fd;
    }
    return rp_spool_descriptor();
}

static reprise_status write_spool(rp_sink *sink, const void *data, size_t size,
                                  reprise_error *error)
{
    if (sink->fd < 0 && size <= SPOOL_MEMORY_MAX - RP_MIN(sink->spool.size, SPOOL_MEMORY_MAX)) {
        rp_put(&sink->spool, data, size);
        if (sink->spool_error.status != REPRISE_OK)
            *error = sink->spool_error;
        return error->status;
    }
    if (sink->fd < 0) {
        sink->fd = open_spool_file(sink);
        if (sink->fd < 0)
            return write_error(error, errno, "cannot create", "a temporary file");
        RP_TRY(write_file(sink, sink->spool.data, sink->spool.size, error));
        rp_writer_free(&sink->spool);
    }
    return write_file(sink, data, size, error);
}

reprise_status rp_sink_reopen(rp_sink *sink, rp_source **ret_source, reprise_error *error)
{
    if (sink->fd >= 0)
        return rp_source_open_descriptor(sink->context, sink->fd, ret_source, error);
    const rp_writer *memory = sink->spools ? &sink->spool : sink->memory;
    if (!memory)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "this output cannot be read again");
    return rp_source_open_memory(sink->context, memory->data, memory->size, ret_source, error);
}

reprise_status rp_sink_copy_range(rp_sink *sink, rp_source *from, uint64_t offset, uint64_t size,
                                  reprise_error *error)
{
    uint8_t piece[COPY_SIZE];
    while (size) {
        size_t n = (size_t)RP_MIN((uint64_t)sizeof piece, size);
        RP_TRY(rp_source_read(from, offset, piece, n, error));
        RP_TRY(rp_sink_write(sink, piece, n, error));
        offset += n;
        size -= n;
    }
    return REPRISE_OK;
}

reprise_status rp_sink_copy(rp_sink *sink, rp_source *from, reprise_error *error)
{
    return rp_sink_copy_range(sink, from, 0, rp_source_size(from), error);
}

/* ---- all of them ---- */

reprise_status rp_sink_write(rp_sink *sink, const void *data, size_t size, reprise_error *error)
{
    RP_TRY(
        rp_limit(sink->size + size, sink->context->output_max, "output of", "output_bytes", error));
    if (sink->spools) {
        RP_TRY(write_spool(sink, data, size, error));
    } else if (sink->memory) {
        rp_put(sink->memory, data, size);
        if (!rp_writer_ok(sink->memory)) {
            *error = *sink->memory->error;
            return error->status;
        }
    } else if (sink->fd >= 0) {
        RP_TRY(write_file(sink, data, size, error));
    } else {
        int cause = sink->callback.write(sink->callback.ctx, data, size);
        if (cause)
            return write_error(error, cause, "cannot write", "output");
    }
    sink->size += size;
    return REPRISE_OK;
}

reprise_status rp_sink_write_floats(rp_sink *sink, const float *values, size_t count,
                                    reprise_error *error)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return rp_sink_write(sink, values, count * sizeof *values, error);
#else
    uint8_t piece[4096];
    for (size_t i = 0, size = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        rp_store32(piece + size, bits);
        size += sizeof bits;
        if (size == sizeof piece || i + 1 == count) {
            RP_TRY(rp_sink_write(sink, piece, size, error));
            size = 0;
        }
    }
    return REPRISE_OK;
#endif
}

/* ---- headers that are written last ---- */

reprise_status rp_sink_begin_head(rp_sink *sink, size_t size, reprise_error *error)
{
    static const uint8_t zeros[256];
    assert(!sink->size && size <= sizeof zeros);
    if (sink->fd < 0 && !sink->spools && !sink->memory)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "this output cannot be written twice");
    return rp_sink_write(sink, zeros, size, error);
}

static reprise_status write_start(rp_sink *sink, const uint8_t *data, size_t size,
                                  reprise_error *error)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = pwrite(sink->fd, data + at, size - at, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return write_error(error, errno, "cannot write", sink->path ? sink->path : "spool");
        at += (size_t)n;
    }
    return REPRISE_OK;
}

reprise_status rp_sink_end_head(rp_sink *sink, const void *head, size_t size, reprise_error *error)
{
    if (sink->fd >= 0) {
        /* A spool is copied later, so the order on disk does not matter. */
        if (!sink->spools && fsync(sink->fd) != 0)
            return write_error(error, errno, "cannot write", sink->path ? sink->path : "output");
        return write_start(sink, head, size, error);
    }
    rp_writer *memory = sink->spools ? &sink->spool : sink->memory;
    memcpy(memory->data + (memory->size - (size_t)sink->size), head, size);
    return REPRISE_OK;
}

uint64_t rp_sink_size(const rp_sink *sink)
{
    return sink->size;
}

/* Without `replace`, a file created meanwhile is kept if the file system supports that. */
static int rename_temp(const rp_sink *sink)
{
    if (!sink->replace) {
        if (renameat2(AT_FDCWD, sink->temp_path, AT_FDCWD, sink->path, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno != EINVAL && errno != ENOSYS)
            return errno;
    }
    return rename(sink->temp_path, sink->path) == 0 ? 0 : errno;
}

static bool link_temp(rp_sink *sink)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", sink->fd);
    for (uint32_t attempt = 0; attempt < NAMES_MAX; attempt++) {
        put_suffix(sink->temp_path + sink->path_size - 1, attempt);
        if (linkat(AT_FDCWD, self, AT_FDCWD, sink->temp_path, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return false;
}

/* Links the file to its final name, which replaces nothing. */
static bool link_result(rp_sink *sink)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", sink->fd);
    return !sink->replace && linkat(AT_FDCWD, self, AT_FDCWD, sink->path, AT_SYMLINK_FOLLOW) == 0;
}

/* A file that was unlinked, or that /proc does not show, cannot be linked: copy it. */
static reprise_status copy_temp(rp_sink *sink, reprise_error *error)
{
    int from = sink->fd;
    sink->fd = create_temp(sink->temp_path, sink->path_size - 1, sink->mode);
    if (sink->fd < 0) {
        sink->fd = from;
        return write_error(error, errno, "cannot write", sink->path);
    }
    sink->nameless = false;
    uint8_t piece[COPY_SIZE];
    reprise_status status = REPRISE_OK;
    ssize_t n = 1;
    for (off_t at = 0; n != 0 && status == REPRISE_OK; at += n > 0 ? n : 0) {
        n = pread(from, piece, sizeof piece, at);
        if (n < 0 && errno != EINTR)
            status = write_error(error, errno, "cannot read back", sink->path);
        else if (n > 0)
            status = write_file(sink, piece, (size_t)n, error);
    }
    close(from);
    if (status == REPRISE_OK && fsync(sink->fd) != 0)
        return write_error(error, errno, "cannot write", sink->path);
    return status;
}

/* Gives an unnamed file a temporary name; it is then renamed to the target. */
static reprise_status give_name(rp_sink *sink, reprise_error *error)
{
    if (!link_temp(sink))
        return copy_temp(sink, error);
    sink->nameless = false;
    return REPRISE_OK;
}

/* Syncs the directory, which stores the new name. Not every file system supports that. */
static void sync_directory(const char *path)
{
    char directory[RP_DIRECTORY_MAX];
    if (!rp_directory_of(path, directory))
        return;
    int prepared = rp_prepared_directory(directory);
    int fd = prepared >= 0 ? prepared : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    if (fd != prepared)
        close(fd);
}

static reprise_status move_into_place(rp_sink *sink, reprise_error *error)
{
    int cause = rename_temp(sink);
    if (cause)
        return write_error(error, cause, "cannot write", sink->path);
    rp_free(sink->context, sink->temp_path, sink->temp_size);
    sink->temp_path = NULL;
    sync_directory(sink->path);
    return REPRISE_OK;
}

static reprise_status finish_file(rp_sink *sink, reprise_error *error)
{
    if (fsync(sink->fd) != 0)
        return write_error(error, errno, "cannot write", sink->path ? sink->path : "output");
    bool linked = sink->nameless && link_result(sink);
    if (sink->nameless && !linked)
        RP_TRY(give_name(sink, error));
    int fd = sink->fd;
    sink->fd = -1;
    if (close(fd) != 0)
        return write_error(error, errno, "cannot write", sink->path ? sink->path : "output");
    if (linked)
        sync_directory(sink->path);
    return sink->owned || linked ? REPRISE_OK : move_into_place(sink, error);
}

/* Blocks terminating signals while the temporary file has a name. */
reprise_status rp_sink_commit(rp_sink *sink, reprise_error *error)
{
    if (sink->fd < 0 || sink->spools)
        return REPRISE_OK;
    sigset_t polite, before;
    sigemptyset(&polite);
    sigaddset(&polite, SIGINT);
    sigaddset(&polite, SIGTERM);
    sigaddset(&polite, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &polite, &before);
    reprise_status status = finish_file(sink, error);
    if (status != REPRISE_OK && sink->temp_path && !sink->nameless) {
        unlink(sink->temp_path);
        sink->nameless = true;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

void rp_sink_close(rp_sink *sink)
{
    if (!sink)
        return;
    if (sink->fd >= 0)
        close(sink->fd);
    if (sink->temp_path) {
        if (!sink->nameless)
            unlink(sink->temp_path);
        rp_free(sink->context, sink->temp_path, sink->temp_size);
    }
    rp_writer_free(&sink->spool);
    rp_free(sink->context, sink->path, sink->path_size);
    rp_free(sink->context, sink, sizeof *sink);
}
