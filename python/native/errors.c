/* errors.c - failures of the library as Python exceptions, which errors.py builds. */
#include "native.h"

PyObject *take_exception(void)
{
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace);
    if (!type)
        return NULL;
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace && value)
        (void)PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

static bool add(PyObject *dict, const char *key, PyObject *value)
{
    bool added = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return added;
}

PyObject *error_object(native_state *state, const reprise_error *error, const char *name)
{
    char text[REPRISE_ERROR_TEXT_MAX];
    PyObject *fields = PyDict_New();
    if (!fields)
        return NULL;
    (void)reprise_error_text(error, name && *name ? name : "", text, sizeof text);
    PyObject *made = NULL;
    if (add(fields, "text", python_name(text)) &&
        add(fields, "status", python_name(reprise_status_name(error->status))) &&
        add(fields, "message", python_name(error->message)) &&
        add(fields, "file", python_name(name)) &&
        add(fields, "stream", python_name(error->stream)) &&
        add(fields, "offset", PyLong_FromUnsignedLongLong(error->offset)) &&
        add(fields, "path", python_name(error->path)) &&
        add(fields, "hint", python_name(error->hint)) &&
        add(fields, "exists", PyBool_FromLong(error->advice == REPRISE_HINT_REPLACE)) &&
        add(fields, "cause", PyLong_FromLong(error->cause)))
        made = PyObject_CallFunctionObjArgs(state->make_error, fields, NULL);
    Py_DECREF(fields);
    return made;
}

void raise_error(native_state *state, const reprise_error *error, const char *name,
                 PyObject *report, PyObject *cause)
{
    /* A signal or a failing file object is what the caller must hear about. */
    if (cause && error->status == REPRISE_E_CANCELLED) {
        PyErr_SetObject((PyObject *)Py_TYPE(cause), cause);
        Py_DECREF(cause);
        return;
    }
    PyObject *made = error_object(state, error, name);
    if (made && report && PyObject_SetAttrString(made, "report", report) < 0)
        Py_CLEAR(made);
    if (made && cause) {
        Py_INCREF(cause);
        PyException_SetCause(made, cause);
    }
    Py_XDECREF(cause);
    if (!made)
        return;
    PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_DECREF(made);
}
