/*
 * test_io.c - the contracts of source.h and sink.h. Every kind of source gives the same bytes,
 * output files appear only when complete, and neither memory nor descriptors leak.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checked.h"
#include "sink.h"
#include "source.h"
#include "test_allocator.h"

enum { CONTENT_SIZE = 1000 };

/* A scratch directory, known content, and a count of descriptors to compare with at the end. */
typedef struct fixture {
    char directory[32];
    uint8_t content[CONTENT_SIZE];
    size_t descriptors;
    test_allocator allocator;
    rp_context context;
    reprise_error error;
} fixture;

static size_t count_entries(const char *directory)
{
    DIR *entries = opendir(directory);
    assert_non_null(entries);
    size_t count = 0;
    while (readdir(entries))
        count++;
    closedir(entries);
    return count - 2; /* . and .. */
}

static void start(fixture *f, size_t fail_at)
{
    f->context = test_context(&f->allocator, fail_at);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
}

static int set_up(void **state)
{
    static fixture f;
    memcpy(f.directory, "/tmp/reprise-test-XXXXXX", sizeof "/tmp/reprise-test-XXXXXX");
    if (!mkdtemp(f.directory))
        return -1;
    for (size_t i = 0; i < CONTENT_SIZE; i++)
        f.content[i] = (uint8_t)(i * 7 + i / 256);
    f.descriptors = count_entries("/proc/self/fd");
    start(&f, 0);
    *state = &f;
    return 0;
}

static void check_nothing_left(fixture *f)
{
    assert_int_equal(f->allocator.live_count, 0);
    assert_int_equal(f->context.bytes_live, 0);
    assert_int_equal(count_entries("/proc/self/fd"), f->descriptors);
}

static int tear_down(void **state)
{
    fixture *f = *state;
    check_nothing_left(f);
    DIR *entries = opendir(f->directory);
    for (struct dirent *entry; (entry = readdir(entries));)
        unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
    return rmdir(f->directory);
}

typedef struct path {
    char text[64];
} path;

static path path_of(const fixture *f, const char *name)
{
    path result;
    snprintf(result.text, sizeof result.text, "%s/%s", f->directory, name);
    return result;
}

static path write_file(const fixture *f, const char *name, const void *data, size_t size)
{
    path result = path_of(f, name);
    FILE *file = fopen(result.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return result;
}

static void check_file(const char *name, const void *data, size_t size)
{
    uint8_t buffer[CONTENT_SIZE + 1];
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t got = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    assert_int_equal(got, size);
    assert_memory_equal(buffer, data, size);
}

/* A caller's source that returns at most `step` bytes and can be made to misbehave. */
typedef struct caller {
    const uint8_t *data;
    size_t size, step, closed;
    int64_t answer; /* instead of reading, unless 0 */
    uint64_t ends_at;
} caller;

static int64_t caller_read(void *ctx, uint64_t offset, void *to, size_t size)
{
    const caller *self = ctx;
    if (self->answer)
        return self->answer;
    uint64_t end = RP_MIN((uint64_t)self->size, self->ends_at);
    if (offset >= end)
        return 0;
    size_t n = RP_MIN(RP_MIN(size, self->step), (size_t)(end - offset));
    memcpy(to, self->data + offset, n);
    return (int64_t)n;
}

static void caller_close(void *ctx)
{
    ((caller *)ctx)->closed++;
}

static reprise_source callbacks_of(caller *self)
{
    return (reprise_source){
        .ctx = self, .size = self->size, .read = caller_read, .close = caller_close};
}

static caller caller_of(const fixture *f, size_t step)
{
    return (caller){.data = f->content, .size = CONTENT_SIZE, .step = step, .ends_at = UINT64_MAX};
}

/* Checks any source with our content. */
static void check_source(fixture *f, rp_source *source)
{
    assert_int_equal(rp_source_size(source), CONTENT_SIZE);
    static const struct {
        uint64_t offset;
        size_t size;
    } parts[] = {{0, CONTENT_SIZE}, {0, 1},   {CONTENT_SIZE - 1, 1},
                 {123, 456},        {500, 0}, {CONTENT_SIZE, 0}};
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        uint8_t buffer[CONTENT_SIZE];
        const uint8_t *expected = f->content + parts[i].offset;
        assert_int_equal(rp_source_read(source, parts[i].offset, buffer, parts[i].size, &f->error),
                         REPRISE_OK);
        assert_memory_equal(buffer, expected, parts[i].size);
        const uint8_t *view = rp_source_view(source, parts[i].offset, parts[i].size);
        if (view)
            assert_memory_equal(view, expected, parts[i].size);
        const uint8_t *data = NULL;
        uint8_t *spare = NULL;
        assert_int_equal(
            rp_source_piece(source, parts[i].offset, parts[i].size, &data, &spare, &f->error),
            REPRISE_OK);
        assert_memory_equal(data, expected, parts[i].size);
        assert_int_equal(spare != NULL, view == NULL);
        rp_free(&f->context, spare, parts[i].size);
    }
}

/* Reading past the end fails with the available size and allocates nothing. */
static void check_source_end(fixture *f, rp_source *source)
{
    static const struct {
        uint64_t offset;
        size_t size;
        const char *message;
    } parts[] = {
        {CONTENT_SIZE - 1, 2, "need 2 bytes, 1 left"},
        {CONTENT_SIZE + 1, 0, "need 0 bytes, 0 left"},
        {UINT64_MAX, 10, "need 10 bytes, 0 left"},
        {10, SIZE_MAX, " bytes, 990 left"},
    };
    size_t requests = f->allocator.requests;
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        uint8_t byte;
        assert_null(rp_source_view(source, parts[i].offset, parts[i].size));
        assert_int_equal(rp_source_read(source, parts[i].offset, &byte, parts[i].size, &f->error),
                         REPRISE_E_TRUNCATED);
        assert_non_null(strstr(f->error.message, parts[i].message));
        assert_true(f->error.offset == parts[i].offset);
        rp_error_clear(&f->error);
        const uint8_t *data;
        uint8_t *spare;
        assert_int_equal(
            rp_source_piece(source, parts[i].offset, parts[i].size, &data, &spare, &f->error),
            REPRISE_E_TRUNCATED);
        rp_error_clear(&f->error);
    }
    assert_int_equal(f->allocator.requests, requests);
}

static void source__memory(void **state)
{
    fixture *f = *state;
    rp_source *source = NULL;
    assert_int_equal(
        rp_source_open_memory(&f->context, f->content, CONTENT_SIZE, &source, &f->error),
        REPRISE_OK);
    check_source(f, source);
    check_source_end(f, source);
    assert_ptr_equal(rp_source_view(source, 5, 10), f->content + 5);
    rp_source_close(source);
}

static void source__file(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "in", f->content, CONTENT_SIZE);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_file(&f->context, name.text, &source, &f->error), REPRISE_OK);
    check_source(f, source);
    check_source_end(f, source);
    assert_non_null(rp_source_view(source, 5, 10));
    rp_source_close(source);
}

static void source__file_that_may_not_be_mapped(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "in", f->content, CONTENT_SIZE);
    rp_source *source = NULL;
    f->context.no_mapping = true;
    assert_int_equal(rp_source_open_file(&f->context, name.text, &source, &f->error), REPRISE_OK);
    check_source(f, source);
    check_source_end(f, source);
    assert_null(rp_source_view(source, 5, 10));
    rp_source_close(source);
}

static void source__callbacks_in_small_steps(void **state)
{
    fixture *f = *state;
    static const size_t steps[] = {1, 7, 31, CONTENT_SIZE};
    for (size_t i = 0; i < RP_COUNT(steps); i++) {
        caller self = caller_of(f, steps[i]);
        reprise_source callbacks = callbacks_of(&self);
        rp_source *source = NULL;
        assert_int_equal(rp_source_open_callbacks(&f->context, &callbacks, &source, &f->error),
                         REPRISE_OK);
        check_source(f, source);
        check_source_end(f, source);
        assert_int_equal(self.closed, 0);
        rp_source_close(source);
        assert_int_equal(self.closed, 1);
    }
}

static void source__pipe(void **state)
{
    fixture *f = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], f->content, CONTENT_SIZE), CONTENT_SIZE);
    close(ends[1]);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_pipe(&f->context, ends[0], &source, &f->error), REPRISE_OK);
    close(ends[0]);
    check_source(f, source);
    check_source_end(f, source);
    rp_source_close(source);
}

/* More than one piece of the pipe reader, which accepts any descriptor. */
static void source__pipe_of_many_pieces(void **state)
{
    fixture *f = *state;
    enum { SIZE = 300000 };
    uint8_t *data = rp_alloc(&f->context, SIZE, &f->error);
    assert_non_null(data);
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 13);
    path name = write_file(f, "in", data, SIZE);
    int fd = open(name.text, O_RDONLY);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_pipe(&f->context, fd, &source, &f->error), REPRISE_OK);
    close(fd);
    assert_int_equal(rp_source_size(source), SIZE);
    assert_int_equal(f->context.input_bytes, SIZE); /* the limit of memory depends on it */
    assert_memory_equal(rp_source_view(source, 0, SIZE), data, SIZE);
    rp_source_close(source);
    rp_free(&f->context, data, SIZE);
}

static void source__empty_in_every_form(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "empty", "", 0);
    caller self = caller_of(f, 1);
    self.size = 0;
    reprise_source callbacks = callbacks_of(&self);
    int null = open("/dev/null", O_RDONLY);
    rp_source *sources[5] = {NULL};
    assert_int_equal(rp_source_open_memory(&f->context, NULL, 0, &sources[0], &f->error), 0);
    assert_int_equal(rp_source_open_file(&f->context, name.text, &sources[1], &f->error), 0);
    assert_int_equal(rp_source_open_file(&f->context, "/dev/null", &sources[2], &f->error), 0);
    assert_int_equal(rp_source_open_callbacks(&f->context, &callbacks, &sources[3], &f->error), 0);
    assert_int_equal(rp_source_open_pipe(&f->context, null, &sources[4], &f->error), 0);
    close(null);
    for (size_t i = 0; i < RP_COUNT(sources); i++) {
        uint8_t byte;
        assert_int_equal(rp_source_size(sources[i]), 0);
        assert_int_equal(rp_source_read(sources[i], 0, NULL, 0, &f->error), REPRISE_OK);
        assert_int_equal(rp_source_read(sources[i], 0, &byte, 1, &f->error), REPRISE_E_TRUNCATED);
        rp_error_clear(&f->error);
        rp_source_close(sources[i]);
    }
}

/* Large files are not mapped, to bound resident memory. A sparse file is fast. */
static void source__large_file_is_read_in_pieces(void **state)
{
    fixture *f = *state;
    const off_t size = (off_t)100 << 20;
    path name = path_of(f, "large");
    int fd = open(name.text, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(pwrite(fd, f->content, CONTENT_SIZE, size - CONTENT_SIZE), CONTENT_SIZE);
    close(fd);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_file(&f->context, name.text, &source, &f->error), REPRISE_OK);
    assert_int_equal(rp_source_size(source), size);
    assert_null(rp_source_view(source, 0, 10));
    uint8_t buffer[CONTENT_SIZE];
    assert_int_equal(
        rp_source_read(source, (uint64_t)size - CONTENT_SIZE, buffer, CONTENT_SIZE, &f->error),
        REPRISE_OK);
    assert_memory_equal(buffer, f->content, CONTENT_SIZE);
    rp_source_close(source);
}

/* A file that shrinks while it is read is an error, not zeros. */
static void source__large_file_that_shrinks(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "large");
    int fd = open(name.text, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(fd, (off_t)50 << 20), 0);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_file(&f->context, name.text, &source, &f->error), REPRISE_OK);
    assert_int_equal(ftruncate(fd, 105), 0);
    close(fd);
    uint8_t buffer[10];
    assert_int_equal(rp_source_read(source, 100, buffer, 10, &f->error), REPRISE_E_TRUNCATED);
    assert_int_equal(f->error.offset, 105);
    rp_source_close(source);
}

static void source__what_cannot_be_opened(void **state)
{
    fixture *f = *state;
    rp_source *source = NULL;
    path name = path_of(f, "missing");
    assert_int_equal(rp_source_open_file(&f->context, name.text, &source, &f->error), REPRISE_E_IO);
    assert_int_equal(f->error.cause, ENOENT);
    rp_error_clear(&f->error);
    assert_int_equal(rp_source_open_file(&f->context, f->directory, &source, &f->error),
                     REPRISE_E_IO);
    assert_int_equal(f->error.cause, EISDIR);
    rp_error_clear(&f->error);
    assert_int_equal(rp_source_open_pipe(&f->context, -1, &source, &f->error), REPRISE_E_IO);
    assert_int_equal(f->error.cause, EBADF);
    rp_error_clear(&f->error);
    assert_int_equal(rp_source_open_descriptor(&f->context, -1, &source, &f->error), REPRISE_E_IO);
    assert_int_equal(f->error.cause, EBADF);
    assert_null(source);
}

static void source__input_limit_holds_for_every_kind(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "in", f->content, CONTENT_SIZE);
    caller self = caller_of(f, 31);
    reprise_source callbacks = callbacks_of(&self);
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned allowed = 0; allowed < 2; allowed++) {
            f->context.limits.input_bytes_max = CONTENT_SIZE - 1 + allowed;
            rp_source *source = NULL;
            reprise_status status = REPRISE_OK;
            int fd = open(name.text, O_RDONLY);
            if (kind == 0)
                status = rp_source_open_file(&f->context, name.text, &source, &f->error);
            else if (kind == 1)
                status = rp_source_open_memory(&f->context, f->content, CONTENT_SIZE, &source,
                                               &f->error);
            else if (kind == 2)
                status = rp_source_open_callbacks(&f->context, &callbacks, &source, &f->error);
            else
                status = rp_source_open_pipe(&f->context, fd, &source, &f->error);
            close(fd);
            assert_int_equal(status, allowed ? REPRISE_OK : REPRISE_E_LIMIT);
            if (!allowed)
                assert_string_equal(f->error.message,
                                    "input size 1000 is over limit input_bytes=999");
            assert_int_equal(source != NULL, allowed);
            rp_error_clear(&f->error);
            rp_source_close(source);
        }
    }
    /* Once when opening failed, once by close. */
    assert_int_equal(self.closed, 2);
}

static reprise_status read_from(fixture *f, caller *self)
{
    reprise_source callbacks = callbacks_of(self);
    rp_source *source = NULL;
    assert_int_equal(rp_source_open_callbacks(&f->context, &callbacks, &source, &f->error),
                     REPRISE_OK);
    uint8_t *spare = NULL;
    const uint8_t *data = NULL;
    reprise_status status = rp_source_piece(source, 10, 100, &data, &spare, &f->error);
    if (status != REPRISE_OK) {
        assert_null(data);
        assert_null(spare);
    }
    rp_source_close(source);
    return status;
}

static void source__callback_that_fails(void **state)
{
    fixture *f = *state;
    caller self = caller_of(f, 31);
    self.answer = -EIO;
    assert_int_equal(read_from(f, &self), REPRISE_E_IO);
    assert_int_equal(f->error.cause, EIO);
}

static void source__callback_that_ends_early(void **state)
{
    fixture *f = *state;
    caller self = caller_of(f, 31);
    self.ends_at = 50;
    assert_int_equal(read_from(f, &self), REPRISE_E_TRUNCATED);
    assert_int_equal(f->error.offset, 50);
}

static void source__callback_that_returns_too_much(void **state)
{
    fixture *f = *state;
    caller self = caller_of(f, 31);
    self.answer = 101;
    assert_int_equal(read_from(f, &self), REPRISE_E_IO);
    rp_error_clear(&f->error);
    self.answer = INT64_MAX;
    assert_int_equal(read_from(f, &self), REPRISE_E_IO);
}

static void source__close_of_null(void **state)
{
    RP_UNUSED(state);
    rp_source_close(NULL);
    rp_sink_close(NULL);
}

/* Opens every kind of source and reads a piece. Returns false at the first failure. */
static bool use_all_sources(fixture *f, const char *name, caller *self)
{
    reprise_source callbacks = callbacks_of(self);
    for (unsigned kind = 0; kind < 4; kind++) {
        rp_source *source = NULL;
        const uint8_t *data = NULL;
        uint8_t *spare = NULL;
        int fd = open(name, O_RDONLY);
        if (kind == 0)
            (void)rp_source_open_file(&f->context, name, &source, &f->error);
        else if (kind == 1)
            (void)rp_source_open_memory(&f->context, f->content, CONTENT_SIZE, &source, &f->error);
        else if (kind == 2)
            (void)rp_source_open_callbacks(&f->context, &callbacks, &source, &f->error);
        else
            (void)rp_source_open_pipe(&f->context, fd, &source, &f->error);
        close(fd);
        assert_int_equal(source != NULL, f->error.status == REPRISE_OK);
        if (source && rp_source_piece(source, 0, 500, &data, &spare, &f->error) == REPRISE_OK)
            rp_free(&f->context, spare, 500);
        rp_source_close(source);
        if (f->error.status != REPRISE_OK)
            return false;
    }
    return true;
}

static void source__every_allocation_can_fail(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "in", f->content, CONTENT_SIZE);
    size_t n = 1;
    for (bool done = false; !done; n++) {
        start(f, n);
        caller self = caller_of(f, 31);
        done = use_all_sources(f, name.text, &self);
        assert_int_equal(done, test_allocator_survived(&f->allocator));
        assert_int_equal(f->error.status, done ? REPRISE_OK : REPRISE_E_NOMEM);
        check_nothing_left(f);
    }
    assert_true(n > 6);
}

static void sink__memory_collects(void **state)
{
    fixture *f = *state;
    rp_writer to;
    rp_writer_init(&to, &f->context, 10, &f->error);
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_memory(&f->context, &to, &sink, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, "01234", 5, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, "56789", 5, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_size(sink), 10);
    assert_memory_equal(to.data, "0123456789", 10);
    assert_int_equal(rp_sink_write(sink, "x", 1, &f->error), REPRISE_E_LIMIT);
    assert_int_equal(rp_sink_size(sink), 10);
    rp_sink_close(sink);
    rp_writer_free(&to);
}

typedef struct receiver {
    uint8_t data[100];
    size_t size;
    int answer;
} receiver;

static int receive(void *ctx, const void *data, size_t size)
{
    receiver *self = ctx;
    if (self->answer)
        return self->answer;
    memcpy(self->data + self->size, data, size);
    self->size += size;
    return 0;
}

static void sink__callback_gets_everything(void **state)
{
    fixture *f = *state;
    receiver self = {.size = 0};
    reprise_sink callback = {.ctx = &self, .write = receive};
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_callback(&f->context, &callback, &sink, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, "abc", 3, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, "de", 2, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_OK);
    assert_int_equal(self.size, 5);
    assert_memory_equal(self.data, "abcde", 5);
    self.answer = ENOSPC;
    assert_int_equal(rp_sink_write(sink, "f", 1, &f->error), REPRISE_E_IO);
    assert_int_equal(f->error.cause, ENOSPC);
    assert_int_equal(rp_sink_size(sink), 5);
    rp_sink_close(sink);
}

static rp_sink *open_file_sink(fixture *f, const char *name, bool replace)
{
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_file(&f->context, name, replace, 0, &sink, &f->error),
                     REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, f->content, 600, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_write(sink, f->content + 600, 400, &f->error), REPRISE_OK);
    assert_int_equal(rp_sink_size(sink), CONTENT_SIZE);
    return sink;
}

static void sink__file_appears_at_commit(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "out");
    rp_sink *sink = open_file_sink(f, name.text, false);
    assert_int_not_equal(access(name.text, F_OK), 0);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_OK);
    rp_sink_close(sink);
    check_file(name.text, f->content, CONTENT_SIZE);
    assert_int_equal(count_entries(f->directory), 1);
}

static void sink__file_without_commit_leaves_nothing(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "out");
    rp_sink *sink = open_file_sink(f, name.text, false);
    assert_true(count_entries(f->directory) <= 1); /* 0 if files need no name */
    rp_sink_close(sink);
    assert_int_equal(count_entries(f->directory), 0);
}

static void sink__file_that_exists_is_kept(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "out", "old", 3);
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_file(&f->context, name.text, false, 0, &sink, &f->error),
                     REPRISE_E_USAGE);
    assert_int_equal(f->error.advice, REPRISE_HINT_REPLACE);
    assert_null(sink);
    check_file(name.text, "old", 3);
    assert_int_equal(count_entries(f->directory), 1);
}

static void sink__file_that_exists_is_replaced_when_asked(void **state)
{
    fixture *f = *state;
    path name = write_file(f, "out", "old", 3);
    rp_sink *sink = open_file_sink(f, name.text, true);
    check_file(name.text, "old", 3);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_OK);
    rp_sink_close(sink);
    check_file(name.text, f->content, CONTENT_SIZE);
    assert_int_equal(count_entries(f->directory), 1);
}

static void sink__file_that_appears_meanwhile_is_kept(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "out");
    rp_sink *sink = open_file_sink(f, name.text, false);
    write_file(f, "out", "other", 5);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_E_IO);
    assert_int_equal(f->error.cause, EEXIST);
    rp_sink_close(sink);
    check_file(name.text, "other", 5);
    assert_int_equal(count_entries(f->directory), 1);
}

static void sink__file_has_ordinary_permissions(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "out");
    mode_t before = umask(027);
    rp_sink *sink = open_file_sink(f, name.text, false);
    mode_t after = umask(before);
    assert_int_equal(after, 027);
    assert_int_equal(rp_sink_commit(sink, &f->error), REPRISE_OK);
    rp_sink_close(sink);
    struct stat info;
    assert_int_equal(stat(name.text, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void sink__directory_that_is_missing(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "no/out");
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_file(&f->context, name.text, false, 0, &sink, &f->error),
                     REPRISE_E_IO);
    assert_int_equal(f->error.cause, ENOENT);
    assert_non_null(strstr(f->error.message, name.text));
    assert_null(sink);
}

static void sink__every_allocation_can_fail(void **state)
{
    fixture *f = *state;
    path name = path_of(f, "out");
    size_t n = 1;
    for (;; n++) {
        start(f, n);
        rp_sink *sink = NULL;
        reprise_status status = rp_sink_open_file(&f->context, name.text, false, 0, &sink,
                                                  &f->error);
        bool survived = test_allocator_survived(&f->allocator);
        assert_int_equal(status, survived ? REPRISE_OK : REPRISE_E_NOMEM);
        rp_sink_close(sink);
        check_nothing_left(f);
        assert_int_equal(count_entries(f->directory), 0);
        if (survived)
            break;
    }
    assert_true(n > 3);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(source__memory),
        CASE(source__file),
        CASE(source__file_that_may_not_be_mapped),
        CASE(source__callbacks_in_small_steps),
        CASE(source__pipe),
        CASE(source__pipe_of_many_pieces),
        CASE(source__empty_in_every_form),
        CASE(source__large_file_is_read_in_pieces),
        CASE(source__large_file_that_shrinks),
        CASE(source__what_cannot_be_opened),
        CASE(source__input_limit_holds_for_every_kind),
        CASE(source__callback_that_fails),
        CASE(source__callback_that_ends_early),
        CASE(source__callback_that_returns_too_much),
        CASE(source__close_of_null),
        CASE(source__every_allocation_can_fail),
        CASE(sink__memory_collects),
        CASE(sink__callback_gets_everything),
        CASE(sink__file_appears_at_commit),
        CASE(sink__file_without_commit_leaves_nothing),
        CASE(sink__file_that_exists_is_kept),
        CASE(sink__file_that_exists_is_replaced_when_asked),
        CASE(sink__file_that_appears_meanwhile_is_kept),
        CASE(sink__file_has_ordinary_permissions),
        CASE(sink__directory_that_is_missing),
        CASE(sink__every_allocation_can_fail),
    };
    return cmocka_run_group_tests_name("io", tests, NULL, NULL);
}
