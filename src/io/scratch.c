/* scratch.c - see scratch.h. */
#include "scratch.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(rp_scratch *scratch)
{
    if (!scratch->cause)
        scratch->cause = errno ? errno : EIO;
    return false;
}

bool rp_scratch_open(rp_scratch *scratch)
{
    *scratch = (rp_scratch){.fd = rp_spool_descriptor()};
    return scratch->fd >= 0 || failed(scratch);
}

void rp_scratch_close(rp_scratch *scratch)
{
    if (scratch->fd >= 0)
        close(scratch->fd);
    scratch->fd = -1;
}

int64_t rp_scratch_read(rp_scratch *scratch, uint64_t offset, void *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(scratch->fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(scratch), -1;
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (int64_t)done;
}

bool rp_scratch_write(rp_scratch *scratch, uint64_t offset, const void *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = pwrite(scratch->fd, (const char *)data + done, size - done,
                           (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(scratch);
        done += (size_t)n;
    }
    return true;
}

bool rp_scratch_resize(rp_scratch *scratch, uint64_t size)
{
    return ftruncate(scratch->fd, (off_t)size) == 0 || failed(scratch);
}

bool rp_scratch_size(rp_scratch *scratch, uint64_t *ret_size)
{
    struct stat about;
    if (fstat(scratch->fd, &about) != 0)
        return failed(scratch);
    *ret_size = (uint64_t)about.st_size;
    return true;
}

reprise_status rp_scratch_copy(rp_scratch *scratch, rp_context *context, rp_sink *to,
                               reprise_error *error)
{
    rp_source *source = NULL;
    RP_TRY(rp_source_open_descriptor(context, scratch->fd, &source, error));
    reprise_status status = rp_sink_copy(to, source, error);
    rp_source_close(source);
    return status;
}
