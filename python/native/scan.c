/* scan.c - plans of scans from Python arguments, and the Python object of a run. See scan.h. */
#include "scan.h"

/* ---- plans ---- */

scan_plan *plan_retain(scan_plan *plan)
{
    atomic_fetch_add(&plan->owners, 1);
    return plan;
}

/* Gives back what belongs to Python, unless it has ended already. */
static void drop_objects(scan_plan *plan)
{
    if (!Py_IsInitialized())
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    for (size_t i = 0; i < plan->view_count; i++)
        PyBuffer_Release(&plan->views[i]);
    PyGILState_Release(gil);
}

void plan_release(scan_plan *plan)
{
    if (!plan || atomic_fetch_sub(&plan->owners, 1) != 1)
        return;
    if (plan->view_count)
        drop_objects(plan);
    texts_free(&plan->columns);
    for (size_t i = 0; i < plan->input_count; i++) {
        free(plan->inputs[i].name);
        free(plan->inputs[i].path);
    }
    free(plan->inputs);
    free(plan->views);
    free(plan->format);
    free(plan->track);
    free(plan->file_column);
    reprise_options_free(plan->options);
    free(plan);
}

static bool take_path(PyObject *source, char **ret_path)
{
    PyObject *encoded = NULL;
    if (!PyUnicode_FSConverter(source, &encoded))
        return false;
    *ret_path = strdup(PyBytes_AsString(encoded));
    Py_DECREF(encoded);
    if (!*ret_path)
        PyErr_NoMemory();
    return *ret_path != NULL;
}

/* An input is (name, path) or (name, bytes). */
static bool add_input(scan_plan *plan, PyObject *pair)
{
    const char *name = NULL;
    PyObject *source = NULL;
    if (!PyArg_ParseTuple(pair, "sO", &name, &source))
        return false;
    scan_input *input = &plan->inputs[plan->input_count];
    input->name = strdup(name);
    plan->input_count++;
    if (!input->name)
        return PyErr_NoMemory() != NULL;
    if (PyUnicode_Check(source))
        return take_path(source, &input->path);
    Py_buffer *view = &plan->views[plan->view_count];
    if (PyObject_GetBuffer(source, view, PyBUF_SIMPLE) < 0)
        return false;
    plan->view_count++;
    input->data = view->buf;
    input->size = (size_t)view->len;
    return true;
}

static bool add_inputs(scan_plan *plan, PyObject *inputs)
{
    Py_ssize_t count = PyList_Size(inputs);
    plan->inputs = calloc((size_t)count + 1, sizeof *plan->inputs);
    plan->views = calloc((size_t)count + 1, sizeof *plan->views);
    if (!plan->inputs || !plan->views)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!add_input(plan, PyList_GetItem(inputs, i)))
            return false;
    }
    return true;
}

/* (inputs, format, track, file_column, skip_others, threads, ahead_bytes, options, batch) */
static scan_plan *plan_from(native_state *state, PyObject *args)
{
    PyObject *inputs = NULL, *options = NULL, *batch = NULL;
    const char *format = NULL, *track = NULL, *file_column = NULL;
    int skip_others = 0;
    unsigned threads = 1;
    Py_ssize_t ahead = 0;
    if (!PyArg_ParseTuple(args, "O!ssspInO!O!", &PyList_Type, &inputs, &format, &track,
                          &file_column, &skip_others, &threads, &ahead, &PyTuple_Type, &options,
                          &PyTuple_Type, &batch))
        return NULL;
    scan_plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        PyErr_NoMemory();
        return NULL;
    }
    atomic_init(&plan->owners, 1);
    plan->format = strdup(format);
    plan->track = strdup(track);
    plan->file_column = strdup(file_column);
    plan->skip_others = skip_others;
    plan->threads = threads;
    plan->ahead_bytes = (size_t)ahead;
    plan->options = options_from(state, options);
    if (plan->options)
        (void)reprise_options_set_mapping(plan->options, threads == 1, NULL);
    if (!plan->format || !plan->track || !plan->file_column)
        PyErr_NoMemory();
    else if (plan->options && batch_options_from(batch, &plan->columns, &plan->batch) &&
             add_inputs(plan, inputs))
        return plan;
    plan_release(plan);
    return NULL;
}

/* ---- the Python object ---- */

typedef struct scan_object {
    PyObject_HEAD scan_run *run;
    struct ArrowArrayStream stream; /* until a consumer takes it */
} scan_object;

PyObject *open_scan(PyObject *module, PyObject *args)
{
    native_state *state = PyModule_GetState(module);
    scan_plan *plan = plan_from(state, args);
    if (!plan)
        return NULL;
    scan_run *run = run_new(plan);
    scan_object *self = run ? PyObject_New(scan_object, state->scan_type) : NULL;
    plan_release(plan);
    if (!self) {
        run_release(run);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    self->run = run;
    run_retain(run);
    self->stream = run_stream(run);
    return (PyObject *)self;
}

static void scan_dealloc(PyObject *object)
{
    scan_object *self = (scan_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->stream.release)
        self->stream.release(&self->stream);
    run_release(self->run);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *scan_take(PyObject *object, PyObject *unused)
{
    (void)unused;
    return take_stream(&((scan_object *)object)->stream);
}

static PyObject *scan_schema(PyObject *object, PyObject *unused)
{
    scan_object *self = (scan_object *)object;
    (void)unused;
    struct ArrowSchema schema = {0};
    if (!self->stream.release || self->stream.get_schema(&self->stream, &schema) != 0) {
        PyErr_SetString(PyExc_ValueError, "the schema of this scan cannot be had");
        return NULL;
    }
    return schema_capsule_of(&schema);
}

/* Reads a batch and forgets it; false: there is none. */
static bool skip_batch(struct ArrowArrayStream *stream, int *ret_failed)
{
    struct ArrowArray batch = {0};
    bool found = false;
    Py_BEGIN_ALLOW_THREADS *ret_failed = stream->get_next(stream, &batch);
    found = !*ret_failed && batch.release;
    if (found)
        batch.release(&batch);
    Py_END_ALLOW_THREADS return found;
}

/* Reads everything for the sake of the failures. */
static PyObject *scan_drain(PyObject *object, PyObject *unused)
{
    scan_object *self = (scan_object *)object;
    (void)unused;
    struct ArrowArrayStream stream = self->stream;
    self->stream.release = NULL;
    int failed = 0;
    bool more = stream.release != NULL, stopped = false;
    while (more && !stopped) {
        more = skip_batch(&stream, &failed);
        stopped = PyErr_CheckSignals() < 0;
    }
    if (stream.release) {
        Py_BEGIN_ALLOW_THREADS stream.release(&stream);
        Py_END_ALLOW_THREADS
    }
    if (stopped)
        return NULL;
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* failures() -> [(input, rows, exception)] */
static PyObject *scan_failures(PyObject *object, PyObject *unused)
{
    scan_object *self = (scan_object *)object;
    (void)unused;
    size_t count = 0;
    scan_failure *failures = run_failures(self->run, &count);
    PyObject *list = failures ? PyList_New(0) : PyErr_NoMemory();
    for (size_t i = 0; list && i < count; i++) {
        PyObject *error = error_object(state_of(Py_TYPE(object)), &failures[i].error, NULL);
        PyObject *item = error ? Py_BuildValue("nLO", (Py_ssize_t)failures[i].input,
                                               (long long)failures[i].rows, error)
                               : NULL;
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(error);
        Py_XDECREF(item);
    }
    free(failures);
    return list;
}

/* counts() -> (files read, skipped, failed, complete) */
static PyObject *scan_counted(PyObject *object, PyObject *unused)
{
    (void)unused;
    scan_counts counts = run_counts(((scan_object *)object)->run);
    return Py_BuildValue("nnnO", (Py_ssize_t)counts.files, (Py_ssize_t)counts.skipped,
                         (Py_ssize_t)counts.failed, counts.complete ? Py_True : Py_False);
}

static PyMethodDef scan_methods[] = {
    {"take", scan_take, METH_NOARGS, "The capsule of the stream, once."},
    {"schema", scan_schema, METH_NOARGS, NULL},
    {"drain", scan_drain, METH_NOARGS, NULL},
    {"failures", scan_failures, METH_NOARGS, NULL},
    {"counts", scan_counted, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot scan_slots[] = {
    {Py_tp_dealloc, (void *)scan_dealloc},
    {Py_tp_methods, scan_methods},
    {0, NULL},
};

PyType_Spec scan_spec = {
    .name = "_native.ScanRun",
    .basicsize = sizeof(scan_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = scan_slots,
};
