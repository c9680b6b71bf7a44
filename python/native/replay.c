/* replay.c - the Python object of a replay: what it is, its moments, checks and tracks. */
#include "replay.h"

/* ---- running operations ---- */

PyObject *run_operation(PyObject *object, operation *run, void *ctx,
                        PyObject *(*finish)(void *ctx, const reprise_value *document))
{
    replay_object *self = (replay_object *)object;
    if (!self->h) {
        PyErr_SetString(PyExc_ValueError, "the replay is closed");
        return NULL;
    }
    handle *h = handle_retain(self->h);
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = REPRISE_E_USAGE;
    Py_BEGIN_ALLOW_THREADS handle_lock(h);
    h->interruptible = true;
    if (h->replay)
        status = run(h, ctx, &document, &error);
    h->interruptible = false;
    Py_END_ALLOW_THREADS
        /* Still locked: the document is valid until the next operation. */
        PyObject *result = NULL,
                 *raised = h->raised;
    h->raised = NULL;
    if (status == REPRISE_OK && finish)
        result = finish(ctx, document);
    else if (status == REPRISE_OK || document)
        result = python_value(document);
    handle_unlock(h);
    if (status == REPRISE_OK) {
        Py_XDECREF(raised);
    } else {
        raise_error(state_of(Py_TYPE(object)), &error, h->name, result, raised);
        Py_CLEAR(result);
    }
    handle_release(h);
    return result;
}

/* ---- describing ---- */

static reprise_status do_info(handle *h, void *ctx, const reprise_value **ret, reprise_error *error)
{
    (void)ctx;
    return reprise_info(h->replay, ret, error);
}

static PyObject *replay_info(PyObject *self, PyObject *unused)
{
    (void)unused;
    return run_operation(self, do_info, NULL, NULL);
}

static reprise_status do_stats(handle *h, void *ctx, const reprise_value **ret,
                               reprise_error *error)
{
    (void)ctx;
    return reprise_stats(h->replay, ret, error);
}

static PyObject *replay_stats(PyObject *self, PyObject *unused)
{
    (void)unused;
    return run_operation(self, do_stats, NULL, NULL);
}

static reprise_status do_duration(handle *h, void *ctx, const reprise_value **ret,
                                  reprise_error *error)
{
    (void)ret;
    return reprise_duration(h->replay, ctx, error);
}

static PyObject *float_of(void *ctx, const reprise_value *document)
{
    (void)document;
    return PyFloat_FromDouble(*(double *)ctx);
}

static PyObject *replay_duration(PyObject *self, PyObject *unused)
{
    double seconds = 0;
    (void)unused;
    return run_operation(self, do_duration, &seconds, float_of);
}

static reprise_status do_at(handle *h, void *ctx, const reprise_value **ret, reprise_error *error)
{
    return reprise_at(h->replay, *(reprise_moment *)ctx, ret, error);
}

/* at(by_index, by_run, time, index) */
static PyObject *replay_at(PyObject *self, PyObject *args)
{
    int by_index = 0, by_run = 0;
    double time = 0;
    long long index = 0;
    if (!PyArg_ParseTuple(args, "ppdL", &by_index, &by_run, &time, &index))
        return NULL;
    reprise_moment moment = {.by_index = by_index, .time = time, .index = index, .by_run = by_run};
    return run_operation(self, do_at, &moment, NULL);
}

/* ---- checking ---- */

typedef struct checking {
    reprise_finding *findings; /* valid until the next check */
    size_t count, room;
    bool no_memory;
    reprise_verify_summary summary;
} checking;

static void take_finding(void *ctx, const reprise_finding *finding)
{
    checking *c = ctx;
    if (c->count == c->room) {
        size_t room = c->room * 2 + 16;
        reprise_finding *more = realloc(c->findings, room * sizeof *more);
        c->no_memory |= !more;
        if (!more)
            return;
        c->findings = more;
        c->room = room;
    }
    c->findings[c->count++] = *finding;
}

static reprise_status do_verify(handle *h, void *ctx, const reprise_value **ret,
                                reprise_error *error)
{
    checking *c = ctx;
    reprise_status status = reprise_verify(h->replay, take_finding, c, &c->summary, error);
    *ret = c->summary.document;
    return status;
}

static PyObject *finding_tuple(const reprise_finding *f)
{
    static const char *const severities[] = {"note", "warning", "fault"};
    PyObject *place = python_name(f->path), *message = python_name(f->message);
    PyObject *stream = python_name(f->stream);
    PyObject *tuple = NULL;
    if (place && message && stream)
        tuple = Py_BuildValue("ssOKOOKs", severities[f->severity], f->id, stream,
                              (unsigned long long)f->offset, place, message,
                              (unsigned long long)f->count, reprise_status_name(f->status));
    Py_XDECREF(place);
    Py_XDECREF(message);
    Py_XDECREF(stream);
    return tuple;
}

static PyObject *verdict_of(void *ctx, const reprise_value *document)
{
    checking *c = ctx;
    if (c->no_memory)
        return PyErr_NoMemory();
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < c->count; i++) {
        PyObject *finding = finding_tuple(&c->findings[i]);
        if (!finding || PyList_Append(list, finding) < 0)
            Py_CLEAR(list);
        Py_XDECREF(finding);
    }
    PyObject *summary = list ? python_value(document) : NULL;
    PyObject *result = NULL;
    if (summary)
        result = Py_BuildValue("KKKsOO", (unsigned long long)c->summary.notes,
                               (unsigned long long)c->summary.warnings,
                               (unsigned long long)c->summary.faults,
                               reprise_status_name(c->summary.worst), list, summary);
    Py_XDECREF(list);
    Py_XDECREF(summary);
    return result;
}

static PyObject *replay_verify(PyObject *self, PyObject *unused)
{
    checking c = {0};
    (void)unused;
    PyObject *result = run_operation(self, do_verify, &c, verdict_of);
    free(c.findings);
    return result;
}

/* ---- tracks ---- */

static reprise_status do_nothing(handle *h, void *ctx, const reprise_value **ret,
                                 reprise_error *error)
{
    (void)ret;
    (void)error;
    *(handle **)ctx = h;
    return REPRISE_OK;
}

static PyObject *tracks_of(void *ctx, const reprise_value *document)
{
    handle *h = *(handle **)ctx;
    (void)document;
    size_t count = reprise_track_count(h->replay);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *pair = Py_BuildValue("sz", reprise_track_name(h->replay, i),
                                       reprise_track_doc(h->replay, i));
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *replay_tracks(PyObject *self, PyObject *unused)
{
    handle *h = NULL;
    (void)unused;
    return run_operation(self, do_nothing, &h, tracks_of);
}

static PyObject *about_of(void *ctx, const reprise_value *document)
{
    handle *h = *(handle **)ctx;
    (void)document;
    return Py_BuildValue("ss", reprise_format(h->replay), reprise_layout(h->replay));
}

/* about() -> (format, layout); opening rows may settle the layout */
static PyObject *replay_about(PyObject *self, PyObject *unused)
{
    handle *h = NULL;
    (void)unused;
    return run_operation(self, do_nothing, &h, about_of);
}

/* stream(track, options, partial) */
static PyObject *replay_stream(PyObject *object, PyObject *args)
{
    replay_object *self = (replay_object *)object;
    Py_ssize_t track = 0;
    PyObject *tuple = NULL;
    int partial = 0;
    if (!PyArg_ParseTuple(args, "nO!p", &track, &PyTuple_Type, &tuple, &partial))
        return NULL;
    if (!self->h) {
        PyErr_SetString(PyExc_ValueError, "the replay is closed");
        return NULL;
    }
    texts columns;
    reprise_batch_options options;
    PyObject *stream = NULL;
    if (batch_options_from(tuple, &columns, &options))
        stream = stream_new(state_of(Py_TYPE(object)), self->h, (size_t)track, &options, partial);
    texts_free(&columns);
    return stream;
}

/* ---- blobs ---- */

static PyObject *blobs_of(void *ctx, const reprise_value *document)
{
    handle *h = *(handle **)ctx;
    (void)document;
    size_t count = reprise_blob_count(h->replay);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        const reprise_blob *blob = reprise_blob_at(h->replay, i);
        PyObject *name = python_name(blob->name);
        PyObject *tuple = name ? Py_BuildValue("OsKKOz", name, blob->kind,
                                               (unsigned long long)blob->size,
                                               (unsigned long long)blob->stored_size,
                                               blob->guarded ? Py_True : Py_False, blob->barred)
                               : NULL;
        Py_XDECREF(name);
        if (!tuple || PyList_SetItem(list, (Py_ssize_t)i, tuple) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *replay_blobs(PyObject *self, PyObject *unused)
{
    handle *h = NULL;
    (void)unused;
    return run_operation(self, do_nothing, &h, blobs_of);
}

typedef struct blob_reading {
    size_t index;
    PyObject *file;
} blob_reading;

static reprise_status do_read_blob(handle *h, void *ctx, const reprise_value **ret,
                                   reprise_error *error)
{
    blob_reading *reading = ctx;
    (void)ret;
    python_sink sink;
    python_sink_init(&sink, h, reading->file);
    return reprise_blob_read(h->replay, reading->index, &sink.sink, error);
}

/* read_blob(index, file) */
static PyObject *replay_read_blob(PyObject *self, PyObject *args)
{
    Py_ssize_t index = 0;
    blob_reading reading = {0};
    if (!PyArg_ParseTuple(args, "nO", &index, &reading.file))
        return NULL;
    reading.index = (size_t)index;
    return run_operation(self, do_read_blob, &reading, NULL);
}

/* ---- the object ---- */

static PyObject *replay_close(PyObject *object, PyObject *unused)
{
    replay_object *self = (replay_object *)object;
    (void)unused;
    handle *h = self->h;
    self->h = NULL;
    if (!h)
        Py_RETURN_NONE;
    Py_BEGIN_ALLOW_THREADS handle_lock(h);
    reprise_close(h->replay);
    h->replay = NULL;
    handle_unlock(h);
    handle_release(h);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

static PyObject *replay_closed(PyObject *object, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(!((replay_object *)object)->h);
}

static void replay_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(replay_close(object, NULL));
    PyObject_Free(object);
    Py_DECREF(type);
}

static bool take_opening(PyObject *source, Py_ssize_t size, const char *kind, PyObject **ret_path,
                         opening *from)
{
    *from = (opening){0};
    if (strcmp(kind, "path") == 0) {
        if (!PyUnicode_FSConverter(source, ret_path))
            return false;
        from->path = PyBytes_AsString(*ret_path);
    } else if (strcmp(kind, "bytes") == 0) {
        from->bytes = source;
    } else {
        from->file = source;
        from->file_size = (uint64_t)size;
    }
    return true;
}

/* open(kind, source, size, name, options) */
PyObject *open_replay(PyObject *module, PyObject *args)
{
    native_state *state = PyModule_GetState(module);
    const char *kind = NULL, *name = NULL;
    PyObject *source = NULL, *tuple = NULL, *path = NULL;
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(args, "sOnsO!", &kind, &source, &size, &name, &PyTuple_Type, &tuple))
        return NULL;
    opening from;
    reprise_options *options = options_from(state, tuple);
    handle *h = options && take_opening(source, size, kind, &path, &from) ? handle_new(name) : NULL;
    replay_object *self = NULL;
    if (h) {
        reprise_error error = REPRISE_ERROR_INIT;
        if (handle_open(h, &from, options, &error) == REPRISE_OK) {
            self = PyObject_New(replay_object, state->replay_type);
        } else if (!PyErr_Occurred()) {
            PyObject *raised = h->raised;
            h->raised = NULL;
            raise_error(state, &error, name, NULL, raised);
        }
        if (self)
            self->h = h;
        else
            handle_release(h);
    }
    reprise_options_free(options);
    Py_XDECREF(path);
    return (PyObject *)self;
}

static PyMethodDef replay_methods[] = {
    {"about", replay_about, METH_NOARGS, NULL},
    {"info", replay_info, METH_NOARGS, NULL},
    {"stats", replay_stats, METH_NOARGS, NULL},
    {"duration", replay_duration, METH_NOARGS, NULL},
    {"at", replay_at, METH_VARARGS, NULL},
    {"verify", replay_verify, METH_NOARGS, NULL},
    {"tracks", replay_tracks, METH_NOARGS, NULL},
    {"stream", replay_stream, METH_VARARGS, NULL},
    {"blobs", replay_blobs, METH_NOARGS, NULL},
    {"read_blob", replay_read_blob, METH_VARARGS, NULL},
    {"write", replay_write, METH_VARARGS, NULL},
    {"diff", replay_diff, METH_O, NULL},
    {"scene", replay_scene, METH_VARARGS, NULL},
    {"plot", replay_plot, METH_VARARGS, NULL},
    {"close", replay_close, METH_NOARGS, NULL},
    {"closed", replay_closed, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot replay_slots[] = {
    {Py_tp_dealloc, (void *)replay_dealloc},
    {Py_tp_methods, replay_methods},
    {0, NULL},
};

PyType_Spec replay_spec = {
    .name = "_native.Replay",
    .basicsize = sizeof(replay_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = replay_slots,
};
