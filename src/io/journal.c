/* journal.c - see journal.h. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct rp_journal {
    rp_context *context;
    reprise_storage storage;
    int fd; /* -1: the caller's storage */
    uint64_t size;
};

/* ---- files ---- */

static int64_t write_file(void *ctx, uint64_t offset, const void *data, size_t size)
{
    const rp_journal *journal = ctx;
    ssize_t n = pwrite(journal->fd, data, size, (off_t)offset);
    return n < 0 ? -errno : n;
}

static int64_t read_file(void *ctx, uint64_t offset, void *to, size_t size)
{
    const rp_journal *journal = ctx;
    ssize_t n;
    do
        n = pread(journal->fd, to, size, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

static int sync_file(void *ctx)
{
    const rp_journal *journal = ctx;
    return fdatasync(journal->fd) == 0 ? 0 : errno;
}

/* ---- journals ---- */

static rp_journal *new_journal(rp_context *context, reprise_error *error)
{
    rp_journal *journal = rp_alloc_zero(context, 1, sizeof *journal, error);
    if (journal) {
        journal->context = context;
        journal->fd = -1;
    }
    return journal;
}

/* Removes the name first, so programs that have the old file open keep its content. */
static int create_file(const char *path, bool replace)
{
    if (replace)
        unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

reprise_status rp_journal_create(rp_context *context, const char *path, bool replace,
                                 rp_journal **ret_journal, reprise_error *error)
{
    rp_journal *journal = new_journal(context, error);
    if (!journal)
        return error->status;
    journal->fd = create_file(path, replace);
    if (journal->fd < 0) {
        int cause = errno;
        rp_journal_close(journal);
        if (cause == EEXIST) {
            rp_error_set(error, REPRISE_E_USAGE, "%s exists", path);
            rp_error_advise(error, REPRISE_HINT_REPLACE);
            return error->status;
        }
        rp_error_set(error, REPRISE_E_IO, "cannot create %s: %s", path, strerror(cause));
        error->cause = cause;
        return error->status;
    }
    journal->storage = (reprise_storage){
        .ctx = journal, .write = write_file, .read = read_file, .sync = sync_file};
    *ret_journal = journal;
    return REPRISE_OK;
}

reprise_status rp_journal_open_storage(rp_context *context, const reprise_storage *storage,
                                       rp_journal **ret_journal, reprise_error *error)
{
    rp_journal *journal = new_journal(context, error);
    if (!journal)
        return error->status;
    journal->storage = *storage;
    *ret_journal = journal;
    return REPRISE_OK;
}

void rp_journal_close(rp_journal *journal)
{
    if (!journal)
        return;
    if (journal->fd >= 0)
        close(journal->fd);
    rp_free(journal->context, journal, sizeof *journal);
}

static reprise_status io_error(reprise_error *error, const char *what, int cause)
{
    rp_error_set(error, REPRISE_E_IO, "cannot %s: %s", what, strerror(cause));
    error->cause = cause;
    return error->status;
}

/* Continues after a short write. A write of no bytes is a failure. */
reprise_status rp_journal_append(rp_journal *journal, const void *data, size_t size,
                                 reprise_error *error)
{
    const uint8_t *bytes = data;
    for (size_t done = 0; done < size;) {
        int64_t n = journal->storage.write(journal->storage.ctx, journal->size + done, bytes + done,
                                           size - done);
        if (n == -EINTR)
            continue;
        if (n <= 0 || (uint64_t)n > size - done)
            return io_error(error, "write", n < 0 ? (int)-n : EIO);
        done += (size_t)n;
    }
    journal->size += size;
    return REPRISE_OK;
}

reprise_status rp_journal_sync(rp_journal *journal, reprise_error *error)
{
    int cause = 0;
    do
        cause = journal->storage.sync ? journal->storage.sync(journal->storage.ctx) : 0;
    while (cause == EINTR);
    return cause ? io_error(error, "sync", cause) : REPRISE_OK;
}

uint64_t rp_journal_size(const rp_journal *journal)
{
    return journal->size;
}

reprise_status rp_journal_reopen(rp_journal *journal, rp_source **ret_source, reprise_error *error)
{
    reprise_source source = {
        .ctx = journal->storage.ctx, .size = journal->size, .read = journal->storage.read};
    return rp_source_open_callbacks(journal->context, &source, ret_source, error);
}
