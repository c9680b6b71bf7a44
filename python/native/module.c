/* module.c - the extension module: functions without a replay, and the types. */
#include "native.h"

native_state *state_of(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

/* ---- the library itself ---- */

static PyObject *library_document(PyObject *module, const char *format)
{
    reprise_library *library = NULL;
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_library_new(&library, &error);
    if (status == REPRISE_OK && format)
        status = reprise_schema(library, format, &document, &error);
    else if (status == REPRISE_OK)
        status = reprise_formats(library, &document, &error);
    PyObject *result = NULL;
    if (status == REPRISE_OK)
        result = python_value(document);
    else
        raise_error(PyModule_GetState(module), &error, NULL, NULL, NULL);
    reprise_library_free(library);
    return result;
}

static PyObject *native_formats(PyObject *module, PyObject *unused)
{
    (void)unused;
    return library_document(module, NULL);
}

static PyObject *native_describe(PyObject *module, PyObject *name)
{
    const char *format = PyUnicode_AsUTF8AndSize(name, NULL);
    return format ? library_document(module, format) : NULL;
}

static PyObject *native_limits(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < reprise_limit_count(); i++) {
        const reprise_limit *limit = reprise_limit_at(i);
        PyObject *item = Py_BuildValue("sKs", limit->name, (unsigned long long)limit->value,
                                       limit->doc);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* schema(format, track, batch options) -> capsule */
static PyObject *native_schema(PyObject *module, PyObject *args)
{
    const char *format = NULL, *track = NULL;
    PyObject *tuple = NULL, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "ssO!", &format, &track, &PyTuple_Type, &tuple))
        return NULL;
    texts columns;
    reprise_batch_options options;
    if (batch_options_from(tuple, &columns, &options))
        capsule = schema_capsule(PyModule_GetState(module), format, track, &options);
    texts_free(&columns);
    return capsule;
}

/* ---- Arrow ---- */

/* rows(capsule, errors) */
static PyObject *native_rows(PyObject *module, PyObject *args)
{
    PyObject *capsule = NULL, *errors = NULL;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &errors))
        return NULL;
    return rows_new(PyModule_GetState(module), capsule, errors);
}

/* columns(fields, schema_only) */
static PyObject *native_columns(PyObject *module, PyObject *args)
{
    PyObject *fields = NULL;
    int schema_only = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "Op", &fields, &schema_only))
        return NULL;
    return columns_capsule(fields, schema_only);
}

/* schema_fields(capsule) -> [(name, Arrow format)] */
static PyObject *native_schema_fields(PyObject *module, PyObject *capsule)
{
    (void)module;
    const struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    PyObject *list = schema ? PyList_New(0) : NULL;
    for (int64_t i = 0; list && i < schema->n_children; i++) {
        const struct ArrowSchema *child = schema->children[i];
        PyObject *pair = Py_BuildValue("ss", child->name, child->format);
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"open", open_replay, METH_VARARGS, NULL},
    {"scan", open_scan, METH_VARARGS, NULL},
    {"formats", native_formats, METH_NOARGS, NULL},
    {"describe", native_describe, METH_O, NULL},
    {"limits", native_limits, METH_NOARGS, NULL},
    {"schema", native_schema, METH_VARARGS, NULL},
    {"schema_fields", native_schema_fields, METH_O, NULL},
    {"rows", native_rows, METH_VARARGS, NULL},
    {"columns", native_columns, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- the module ---- */

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **ret_type)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    *ret_type = (PyTypeObject *)type;
    return type && PyModule_AddType(module, *ret_type) == 0;
}

/* The function that builds exceptions, from the module `errors` of the same package. */
static PyObject *find_make_error(PyObject *module)
{
    PyObject *name = PyModule_GetNameObject(module);
    PyObject *parts = name ? PyObject_CallMethod(name, "rpartition", "s", ".") : NULL;
    PyObject *package = parts ? PyTuple_GetItem(parts, 0) : NULL;
    PyObject *full = package ? PyUnicode_FromFormat("%U._errors", package) : NULL;
    PyObject *errors = full ? PyImport_Import(full) : NULL;
    PyObject *function = errors ? PyObject_GetAttrString(errors, "make") : NULL;
    Py_XDECREF(name);
    Py_XDECREF(parts);
    Py_XDECREF(full);
    Py_XDECREF(errors);
    return function;
}

/*
 * Batches come and go by megabytes. The C library gives freed memory back to the system above a
 * limit, and faulting it in again for the next batch costs up to half of the time. It raises that
 * limit to twice the largest block that it had to map, so one is mapped, and never touched.
 */
static void keep_freed_memory(void)
{
    enum { BLOCK = 24 << 20 };
    void *volatile block = malloc(BLOCK); /* or the compiler sees that nothing uses it */
    free(block);
}

static int execute(PyObject *module)
{
    keep_freed_memory();
    native_state *state = PyModule_GetState(module);
    state->make_error = find_make_error(module);
    bool ready = state->make_error && add_type(module, &replay_spec, &state->replay_type) &&
                 add_type(module, &stream_spec, &state->stream_type) &&
                 add_type(module, &rows_spec, &state->rows_type) &&
                 add_type(module, &scan_spec, &state->scan_type) &&
                 PyModule_AddStringConstant(module, "version", reprise_version()) == 0;
    return ready ? 0 : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    native_state *state = PyModule_GetState(module);
    Py_VISIT(state->make_error);
    Py_VISIT(state->replay_type);
    Py_VISIT(state->stream_type);
    Py_VISIT(state->rows_type);
    Py_VISIT(state->scan_type);
    return 0;
}

static int clear(PyObject *module)
{
    native_state *state = PyModule_GetState(module);
    Py_CLEAR(state->make_error);
    Py_CLEAR(state->replay_type);
    Py_CLEAR(state->stream_type);
    Py_CLEAR(state->rows_type);
    Py_CLEAR(state->scan_type);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
    {0, NULL},
};

struct PyModuleDef native_module = {
    PyModuleDef_HEAD_INIT,  .m_name = "_native", .m_size = sizeof(native_state),
    .m_methods = functions, .m_slots = slots,    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&native_module);
}
