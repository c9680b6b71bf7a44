/* options.c - arguments from Python as options of the library. */
#include "native.h"

/* ---- lists of texts ---- */

void texts_free(texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i]);
    free(t->items);
    t->items = NULL;
    t->count = 0;
}

bool texts_take(PyObject *sequence, texts *to)
{
    *to = (texts){NULL, 0, sequence != Py_None};
    if (!to->given)
        return true;
    PyObject *tuple = PySequence_Tuple(sequence);
    Py_ssize_t count = tuple ? PyTuple_Size(tuple) : 0;
    to->items = tuple ? calloc((size_t)count + 1, sizeof *to->items) : NULL;
    if (tuple && !to->items)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; to->items && i < count; i++) {
        const char *text = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
        to->items[i] = text ? strdup(text) : NULL;
        to->count++;
        if (to->items[i])
            continue;
        if (text)
            PyErr_NoMemory();
        texts_free(to);
    }
    Py_XDECREF(tuple);
    return to->items != NULL;
}

/* ---- options of opening ---- */

static reprise_status set_limits(reprise_options *options, PyObject *limits, reprise_error *error)
{
    Py_ssize_t at = 0;
    PyObject *key = NULL, *value = NULL;
    while (PyDict_Next(limits, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        unsigned long long number = name ? PyLong_AsUnsignedLongLong(value) : 0;
        if (PyErr_Occurred())
            return REPRISE_E_USAGE;
        reprise_status status = reprise_options_set_limit(options, name, number, error);
        if (status != REPRISE_OK)
            return status;
    }
    return REPRISE_OK;
}

static reprise_status set_all(reprise_options *options, const char *format, const char *layout,
                              bool salvage, unsigned threads, PyObject *limits,
                              reprise_error *error)
{
    reprise_status status = reprise_options_set_format(options, format, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_layout(options, layout, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_salvage(options, salvage, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_threads(options, threads, error);
    if (status == REPRISE_OK)
        status = set_limits(options, limits, error);
    return status;
}

reprise_options *options_from(native_state *state, PyObject *tuple)
{
    const char *format = NULL, *layout = NULL;
    int salvage = 0;
    unsigned threads = 1;
    PyObject *limits = NULL;
    if (!PyArg_ParseTuple(tuple, "zzpIO!", &format, &layout, &salvage, &threads, &PyDict_Type,
                          &limits))
        return NULL;
    reprise_options *options = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_options_new(&options, &error);
    if (status == REPRISE_OK)
        status = set_all(options, format, layout, salvage, threads, limits, &error);
    if (status == REPRISE_OK)
        return options;
    reprise_options_free(options);
    if (!PyErr_Occurred())
        raise_error(state, &error, NULL, NULL, NULL);
    return NULL;
}

/* ---- options of reading ---- */

bool batch_options_from(PyObject *tuple, texts *columns, reprise_batch_options *to)
{
    PyObject *names = NULL;
    double time_from = 0, time_to = 0;
    long long index_from = 0, index_to = 0;
    int every_frame = 0, linear = 0, stored = 0;
    Py_ssize_t rows_max = 0;
    *columns = (texts){0};
    if (!PyArg_ParseTuple(tuple, "OddLLpppn", &names, &time_from, &time_to, &index_from, &index_to,
                          &every_frame, &linear, &stored, &rows_max) ||
        !texts_take(names, columns))
        return false;
    *to = (reprise_batch_options)REPRISE_BATCH_INIT;
    if (columns->given) {
        to->columns = (const char *const *)columns->items;
        to->column_count = columns->count;
    }
    to->time_from = time_from;
    to->time_to = time_to;
    to->index_from = index_from;
    to->index_to = index_to;
    to->every_frame = every_frame;
    to->linear = linear;
    to->stored = stored;
    to->rows_max = (size_t)rows_max;
    return true;
}
