/* values.c - documents of the library as Python objects. */
#include "native.h"

PyObject *python_text(const char *text, size_t size)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
}

PyObject *python_name(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return python_text(text, strlen(text));
}

static PyObject *list_of(const reprise_value *value)
{
    size_t count = reprise_value_count(value);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *item = python_value(reprise_value_at(value, i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *dict_of(const reprise_value *value)
{
    size_t count = reprise_value_count(value);
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < count; i++) {
        PyObject *key = python_name(reprise_value_key(value, i));
        PyObject *item = key ? python_value(reprise_value_at(value, i)) : NULL;
        if (!item || PyDict_SetItem(dict, key, item) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(item);
    }
    return dict;
}

static PyObject *nested(PyObject *(*convert)(const reprise_value *), const reprise_value *value)
{
    if (Py_EnterRecursiveCall(" in a document of a replay"))
        return NULL;
    PyObject *result = convert(value);
    Py_LeaveRecursiveCall();
    return result;
}

PyObject *python_value(const reprise_value *value)
{
    size_t size = 0;
    const char *text;
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_BOOL:
        return PyBool_FromLong(reprise_value_bool(value, false));
    case REPRISE_VALUE_INT:
        return PyLong_FromLongLong(reprise_value_int(value, 0));
    case REPRISE_VALUE_UINT:
        return PyLong_FromUnsignedLongLong(reprise_value_uint(value, 0));
    case REPRISE_VALUE_FLOAT:
    case REPRISE_VALUE_DOUBLE:
        return PyFloat_FromDouble(reprise_value_double(value, 0));
    case REPRISE_VALUE_STRING:
        text = reprise_value_text(value, &size);
        return python_text(text, size);
    case REPRISE_VALUE_ARRAY:
        return nested(list_of, value);
    case REPRISE_VALUE_OBJECT:
        return nested(dict_of, value);
    case REPRISE_VALUE_NULL:
        break;
    }
    Py_RETURN_NONE;
}
