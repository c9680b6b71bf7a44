/* handle.c - a replay, its lock, and where its bytes come from. */
#include "native.h"

#include <errno.h>
#include <time.h>

enum { LOOK_EVERY_MS = 50 };

/* ---- ownership and locks ---- */

handle *handle_new(const char *name)
{
    handle *h = calloc(1, sizeof *h);
    char *copy = h ? strdup(name) : NULL;
    if (!copy || pthread_mutex_init(&h->lock, NULL) != 0) {
        free(copy);
        free(h);
        PyErr_NoMemory();
        return NULL;
    }
    h->name = copy;
    atomic_init(&h->owners, 1);
    return h;
}

handle *handle_retain(handle *h)
{
    atomic_fetch_add(&h->owners, 1);
    return h;
}

/* Gives Python its objects back, unless it has ended already: its memory is gone then. */
static void drop_objects(handle *h)
{
    if ((!h->view.obj && !h->file && !h->raised) || !Py_IsInitialized())
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    if (h->view.obj)
        PyBuffer_Release(&h->view);
    Py_CLEAR(h->file);
    Py_CLEAR(h->raised);
    PyGILState_Release(gil);
}

void handle_release(handle *h)
{
    if (!h || atomic_fetch_sub(&h->owners, 1) != 1)
        return;
    reprise_close(h->replay);
    drop_objects(h);
    pthread_mutex_destroy(&h->lock);
    free(h->name);
    free(h);
}

void handle_lock(handle *h)
{
    pthread_mutex_lock(&h->lock);
}

void handle_unlock(handle *h)
{
    pthread_mutex_unlock(&h->lock);
}

/*
 * A consumer may hold the GIL or not, and there is no way to ask. A replay that is free and needs
 * no Python to be read is taken at once. Else the GIL is taken, which is harmless if it is held,
 * and released while waiting.
 */
gate handle_enter(handle *h)
{
    gate passed = {false};
    if (!h->file && pthread_mutex_trylock(&h->lock) == 0)
        return passed;
    passed.with_python = true;
    passed.gil = PyGILState_Ensure();
    passed.thread = PyEval_SaveThread();
    handle_lock(h);
    return passed;
}

void handle_leave(handle *h, gate passed)
{
    handle_unlock(h);
    if (!passed.with_python)
        return;
    PyEval_RestoreThread(passed.thread);
    PyGILState_Release(passed.gil);
}

/* ---- signals ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void keep_raised(handle *h)
{
    PyObject *raised = take_exception();
    Py_XDECREF(h->raised);
    h->raised = raised;
}

/* Lets Ctrl-C stop an operation. */
static bool look_at_signals(void *ctx, uint64_t done, uint64_t total)
{
    handle *h = ctx;
    (void)done;
    (void)total;
    int64_t now = h->interruptible ? now_ms() : 0;
    if (!h->interruptible || now - atomic_load(&h->looked_ms) < LOOK_EVERY_MS)
        return true;
    atomic_store(&h->looked_ms, now);
    PyGILState_STATE gil = PyGILState_Ensure();
    bool go_on = PyErr_CheckSignals() == 0;
    if (!go_on)
        keep_raised(h);
    PyGILState_Release(gil);
    return go_on;
}

/* ---- file objects ---- */

/* Copies what a read method returned; -1 with an exception if it is not at most `size` bytes. */
static int64_t copy_bytes(PyObject *data, void *to, size_t size)
{
    Py_buffer view;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
        return -1;
    int64_t count = view.len;
    if ((size_t)count > size) {
        PyErr_SetString(PyExc_ValueError, "read() returned more bytes than it was asked for");
        count = -1;
    } else {
        memcpy(to, view.buf, (size_t)count);
    }
    PyBuffer_Release(&view);
    return count;
}

static int64_t read_file_object(void *ctx, uint64_t offset, void *to, size_t size)
{
    handle *h = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    int64_t count = -1;
    PyObject *at = PyObject_CallMethod(h->file, "seek", "K", (unsigned long long)offset);
    PyObject *data = at ? PyObject_CallMethod(h->file, "read", "n", (Py_ssize_t)size) : NULL;
    if (data)
        count = copy_bytes(data, to, size);
    Py_XDECREF(at);
    Py_XDECREF(data);
    if (count < 0)
        keep_raised(h);
    PyGILState_Release(gil);
    return count < 0 ? -EIO : count;
}

static int write_file_object(void *ctx, const void *data, size_t size)
{
    python_sink *sink = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
    PyObject *done = bytes ? PyObject_CallMethod(sink->file, "write", "O", bytes) : NULL;
    bool written = done != NULL;
    /* A raw file may take less than it was given; buffered ones never do. */
    if (done && PyLong_Check(done) && PyLong_AsSsize_t(done) != (Py_ssize_t)size) {
        written = false;
        PyErr_SetString(PyExc_OSError, "write() did not take all bytes: use a buffered file");
    }
    if (!written)
        keep_raised(sink->h);
    Py_XDECREF(bytes);
    Py_XDECREF(done);
    PyGILState_Release(gil);
    return written ? 0 : EIO;
}

void python_sink_init(python_sink *sink, handle *h, PyObject *file)
{
    sink->h = h;
    sink->file = file;
    sink->sink = (reprise_sink){.ctx = sink, .write = write_file_object};
}

/* ---- opening ---- */

static reprise_status open_unlocked(handle *h, const opening *from, reprise_options *options,
                                    reprise_error *error)
{
    if (from->path)
        return reprise_open_file(from->path, options, &h->replay, error);
    if (from->bytes)
        return reprise_open_memory(h->view.buf, (size_t)h->view.len, options, &h->replay, error);
    reprise_source source = {.ctx = h, .size = from->file_size, .read = read_file_object};
    return reprise_open_source(&source, options, &h->replay, error);
}

reprise_status handle_open(handle *h, const opening *from, reprise_options *options,
                           reprise_error *error)
{
    if (from->bytes && PyObject_GetBuffer(from->bytes, &h->view, PyBUF_SIMPLE) < 0)
        return REPRISE_E_USAGE; /* with the exception set */
    if (from->file) {
        Py_INCREF(from->file);
        h->file = from->file;
        (void)reprise_options_set_threads(options, 1, NULL);
    }
    (void)reprise_options_set_progress(options, look_at_signals, h, NULL);
    reprise_status status;
    Py_BEGIN_ALLOW_THREADS handle_lock(h);
    h->interruptible = true;
    status = open_unlocked(h, from, options, error);
    h->interruptible = false;
    handle_unlock(h);
    Py_END_ALLOW_THREADS return status;
}
