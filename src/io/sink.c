/* sink.c - see sink.h. */
#define _GNU_SOURCE /* renameat2 */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "checked.h"

#define TEMP_SUFFIX ".00000000"

struct rp_sink {
    rp_context *context;
    reprise_sink callback;
    uint64_t size;
    rp_writer *memory;
    /* atomic file */
    int fd;
    bool replace;
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
    RP_TRY(new_sink(context, ret_sink, error));
    (*ret_sink)->callback = *callback;
    return REPRISE_OK;
}

static reprise_status write_error(reprise_error *error, int cause, const char *what,
                                  const char *path)
{
    rp_error_set(error, REPRISE_E_IO, "%s %s: %s", what, path, strerror(cause));
    error->cause = cause;
    return error->status;
}

/* A new file under a name nobody has; the mode follows the user's mask, unlike mkstemp's. */
static int create_temp(char *path, size_t prefix)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint32_t salt = (uint32_t)now.tv_nsec ^ ((uint32_t)getpid() << 12) ^ (attempt << 24);
        snprintf(path + prefix, sizeof TEMP_SUFFIX, ".%08x", salt);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The temporary file lies in the same directory, because only there can a rename be atomic. */
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
    sink->fd = create_temp(sink->temp_path, n);
    if (sink->fd < 0) {
        rp_free(sink->context, sink->temp_path, sink->temp_size);
        sink->temp_path = NULL;
        return write_error(error, errno, "cannot create", path);
    }
    return REPRISE_OK;
}

reprise_status rp_sink_open_file(rp_context *context, const char *path, bool replace,
                                 rp_sink **ret_sink, reprise_error *error)
{
    if (!replace && access(path, F_OK) == 0) {
        rp_error_set(error, REPRISE_E_USAGE, "%s exists", path);
        rp_error_hint(error, "--force replaces it");
        return error->status;
    }
    rp_sink *sink = NULL;
    RP_TRY(new_sink(context, &sink, error));
    sink->replace = replace;
    if (open_temp(sink, path, error) != REPRISE_OK) {
        rp_sink_close(sink);
        return error->status;
    }
    *ret_sink = sink;
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
            return write_error(error, errno, "cannot write", sink->path);
        data += n;
        size -= (size_t)n;
    }
    return REPRISE_OK;
}

reprise_status rp_sink_write(rp_sink *sink, const void *data, size_t size, reprise_error *error)
{
    if (sink->memory) {
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

uint64_t rp_sink_size(const rp_sink *sink)
{
    return sink->size;
}

/* Without `replace` a file that appeared meanwhile must survive, where the file system can do it.
 */
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

static reprise_status move_into_place(rp_sink *sink, reprise_error *error)
{
    int cause = rename_temp(sink);
    if (cause)
        return write_error(error, cause, "cannot write", sink->path);
    rp_free(sink->context, sink->temp_path, sink->temp_size);
    sink->temp_path = NULL;
    return REPRISE_OK;
}

reprise_status rp_sink_commit(rp_sink *sink, reprise_error *error)
{
    if (sink->fd < 0)
        return REPRISE_OK;
    if (fsync(sink->fd) != 0)
        return write_error(error, errno, "cannot write", sink->path);
    int fd = sink->fd;
    sink->fd = -1;
    if (close(fd) != 0)
        return write_error(error, errno, "cannot write", sink->path);
    return move_into_place(sink, error);
}

void rp_sink_close(rp_sink *sink)
{
    if (!sink)
        return;
    if (sink->fd >= 0)
        close(sink->fd);
    if (sink->temp_path) {
        unlink(sink->temp_path);
        rp_free(sink->context, sink->temp_path, sink->temp_size);
    }
    rp_free(sink->context, sink->path, sink->path_size);
    rp_free(sink->context, sink, sizeof *sink);
}
