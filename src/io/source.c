/* source.c - see source.h. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer.h"

/*
 * Mapped pages count as resident memory once touched, and the memory of a verb must not grow with
 * the file, so larger files are read with pread. That costs a compressed format 1 to 5 % of its
 * time and OpenRA, which stores plain records, 17 %.
 */
#define MAP_BYTES_MAX ((uint64_t)16 << 20)

struct rp_source {
    rp_context *context;
    uint64_t size;
    const uint8_t *data; /* all bytes, if they are in memory */
    reprise_source callbacks;
    void (*release)(rp_source *source); /* for closing */
    int fd;
    char name[256]; /* of the file, without its directory; may be empty */
};

static reprise_status new_source(rp_context *context, rp_source **ret_source, reprise_error *error)
{
    rp_source *source = rp_alloc_zero(context, 1, sizeof *source, error);
    if (!source)
        return error->status;
    source->context = context;
    source->fd = -1;
    *ret_source = source;
    return REPRISE_OK;
}

static reprise_status check_size(const rp_context *context, uint64_t size, reprise_error *error)
{
    return rp_limit(size, context->limits.input_bytes_max, "input size", "input_bytes", error);
}

static reprise_status io_error(reprise_error *error, int cause, const char *what)
{
    rp_error_set(error, REPRISE_E_IO, "%s: %s", what, strerror(cause));
    error->cause = cause;
    return error->status;
}

/* ---- file ---- */

static void release_file(rp_source *source)
{
    if (source->data && source->size)
        munmap((void *)(uintptr_t)source->data, (size_t)source->size);
    close(source->fd);
}

static int64_t read_file(void *ctx, uint64_t offset, void *to, size_t size)
{
    const rp_source *source = ctx;
    ssize_t n;
    do
        n = pread(source->fd, to, size, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

static reprise_status open_regular(rp_context *context, int fd, uint64_t size, bool map,
                                   rp_source **ret_source, reprise_error *error)
{
    RP_TRY(check_size(context, size, error));
    rp_source *source = NULL;
    RP_TRY(new_source(context, &source, error));
    source->fd = fd;
    source->size = size;
    source->release = release_file;
    source->callbacks = (reprise_source){.ctx = source, .size = size, .read = read_file};
    if (map && !context->no_mapping && size && size <= MAP_BYTES_MAX) {
        void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED)
            source->data = data;
    }
    *ret_source = source;
    return REPRISE_OK;
}

reprise_status rp_source_open_file(rp_context *context, const char *path, rp_source **ret_source,
                                   reprise_error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(error, errno, "cannot open");
    struct stat info;
    reprise_status status;
    if (fstat(fd, &info) != 0)
        status = io_error(error, errno, "cannot open");
    else if (S_ISREG(info.st_mode))
        status = open_regular(context, fd, (uint64_t)info.st_size, true, ret_source, error);
    else if (S_ISDIR(info.st_mode))
        status = io_error(error, EISDIR, "cannot open");
    else {
        status = rp_source_open_pipe(context, fd, ret_source, error);
        close(fd);
        return status;
    }
    if (status != REPRISE_OK) {
        close(fd);
        return status;
    }
    const char *slash = strrchr(path, '/');
    rp_text_copy((*ret_source)->name, sizeof(*ret_source)->name, slash ? slash + 1 : path);
    return REPRISE_OK;
}

const char *rp_source_name(const rp_source *source)
{
    return source->name[0] ? source->name : NULL;
}

reprise_status rp_source_open_descriptor(rp_context *context, int fd, rp_source **ret_source,
                                         reprise_error *error)
{
    struct stat info;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return io_error(error, errno, "cannot open");
    reprise_status status = fstat(own, &info) == 0
                                ? open_regular(context, own, (uint64_t)info.st_size, false,
                                               ret_source, error)
                                : io_error(error, errno, "cannot open");
    if (status != REPRISE_OK)
        close(own);
    return status;
}

/* ---- memory ---- */

reprise_status rp_source_open_memory(rp_context *context, const void *data, size_t size,
                                     rp_source **ret_source, reprise_error *error)
{
    RP_TRY(check_size(context, size, error));
    rp_source *source = NULL;
    RP_TRY(new_source(context, &source, error));
    source->data = data;
    source->size = size;
    *ret_source = source;
    return REPRISE_OK;
}

/* ---- callbacks ---- */

static void release_callbacks(rp_source *source)
{
    if (source->callbacks.close)
        source->callbacks.close(source->callbacks.ctx);
}

reprise_status rp_source_open_callbacks(rp_context *context, const reprise_source *callbacks,
                                        rp_source **ret_source, reprise_error *error)
{
    rp_source *source = NULL;
    reprise_status status = callbacks->read ? check_size(context, callbacks->size, error)
                                            : rp_error_set(error, REPRISE_E_USAGE,
                                                           "the source has no read function");
    if (status == REPRISE_OK)
        status = new_source(context, &source, error);
    if (status != REPRISE_OK) {
        if (callbacks->close)
            callbacks->close(callbacks->ctx);
        return status;
    }
    source->callbacks = *callbacks;
    source->size = callbacks->size;
    source->release = release_callbacks;
    *ret_source = source;
    return REPRISE_OK;
}

/* ---- pipe ---- */

static void release_pipe(rp_source *source)
{
    rp_free(source->context, (void *)(uintptr_t)source->data, (size_t)source->size);
}

static reprise_status read_to_end(int fd, rp_writer *all, reprise_error *error)
{
    for (;;) {
        uint8_t piece[1 << 16];
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_error(error, errno, "cannot read");
        if (n == 0)
            return error->status;
        RP_TRY(check_size(all->context, all->size + (size_t)n, error));
        rp_context_add_input(all->context, (uint64_t)n);
        rp_put(all, piece, (size_t)n);
        RP_TRY(error->status);
    }
}

reprise_status rp_source_open_pipe(rp_context *context, int fd, rp_source **ret_source,
                                   reprise_error *error)
{
    rp_writer all;
    rp_writer_init(&all, context, SIZE_MAX / 2, error);
    rp_source *source = NULL;
    reprise_status status = read_to_end(fd, &all, error);
    if (status == REPRISE_OK)
        status = new_source(context, &source, error);
    if (status == REPRISE_OK && all.size) {
        /* Shrinks the memory to `size`, because release_pipe frees that many bytes. */
        uint8_t *data = rp_realloc(context, all.data, all.capacity, all.size, error);
        if (data) {
            source->data = data;
            source->size = all.size;
            source->release = release_pipe;
            all = (rp_writer){.context = context};
        } else {
            rp_free(context, source, sizeof *source);
            status = error->status;
        }
    }
    rp_writer_free(&all);
    if (status == REPRISE_OK)
        *ret_source = source;
    return status;
}

/* ---- all of them ---- */

void rp_source_close(rp_source *source)
{
    if (!source)
        return;
    if (source->release)
        source->release(source);
    rp_free(source->context, source, sizeof *source);
}

uint64_t rp_source_size(const rp_source *source)
{
    return source->size;
}

bool rp_source_borrowed(const rp_source *source)
{
    return source->data && !source->release;
}

const uint8_t *rp_source_view(const rp_source *source, uint64_t offset, size_t size)
{
    if (!source->data || offset > source->size || size > source->size - offset)
        return NULL;
    return source->data + offset;
}

reprise_status rp_source_read(rp_source *source, uint64_t offset, void *to, size_t size,
                              reprise_error *error)
{
    if (offset > source->size || size > source->size - offset) {
        uint64_t left = offset > source->size ? 0 : source->size - offset;
        rp_error_set(error, REPRISE_E_TRUNCATED, "need %zu bytes, %llu left", size,
                     (unsigned long long)left);
        rp_error_place(error, "file", offset, "");
        return error->status;
    }
    if (source->data) {
        if (size)
            memcpy(to, source->data + offset, size);
        return REPRISE_OK;
    }
    uint8_t *at = to;
    for (size_t done = 0; done < size;) {
        int64_t n = source->callbacks.read(source->callbacks.ctx, offset + done, at + done,
                                           size - done);
        if (n < 0)
            return io_error(error, (int)-n, "cannot read");
        if (n == 0 || (uint64_t)n > size - done) {
            rp_error_set(error, n ? REPRISE_E_IO : REPRISE_E_TRUNCATED,
                         n ? "the source returned more bytes than requested"
                           : "the input became shorter while it was read");
            rp_error_place(error, "file", offset + done, "");
            return error->status;
        }
        done += (size_t)n;
    }
    return REPRISE_OK;
}

reprise_status rp_source_piece(rp_source *source, uint64_t offset, size_t size,
                               const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error)
{
    const uint8_t *view = rp_source_view(source, offset, size);
    uint8_t *spare = NULL;
    if (!view) {
        /* Checks the size against the input before allocating. */
        if (offset > source->size || size > source->size - offset)
            return rp_source_read(source, offset, NULL, size, error);
        spare = rp_alloc(source->context, size, error);
        if (!spare)
            return error->status;
        reprise_status status = rp_source_read(source, offset, spare, size, error);
        if (status != REPRISE_OK) {
            rp_free(source->context, spare, size);
            return status;
        }
        view = spare;
    }
    *ret_data = view;
    *ret_spare = spare;
    return REPRISE_OK;
}
