/*
 * rows.c - the rows of an Arrow stream as dicts.
 *
 * Reads the types that the streams of this extension have. A row is what pyarrow's to_pylist gives
 * for it: texts for dictionaries, lists for lists, dicts for structs, None for nulls.
 */
#include "native.h"

typedef struct reader {
    char kind;     /* the Arrow format, '+' and a second letter are lists and structs */
    char nested;   /* that second letter */
    int64_t width; /* bytes or items of a fixed size */
    PyObject *name;
    int64_t child_count;
    struct reader *children;
    bool dictionary;
} reader;

typedef struct rows_object {
    PyObject_HEAD PyObject *capsule; /* owns the stream */
    PyObject *errors;                /* its error() is raised if the stream fails; or None */
    struct ArrowArrayStream *stream;
    reader root;
    struct ArrowArray batch;
    int64_t next;
    bool busy; /* a thread reads the next batch */
} rows_object;

/* ---- schemas ---- */

static void reader_free(reader *r)
{
    for (int64_t i = 0; r->children && i < r->child_count; i++)
        reader_free(&r->children[i]);
    free(r->children);
    r->children = NULL;
    Py_CLEAR(r->name);
}

static bool reader_init(reader *r, const struct ArrowSchema *schema)
{
    *r = (reader){.kind = schema->format[0], .nested = schema->format[1]};
    r->dictionary = schema->dictionary != NULL;
    const char *size = strchr(schema->format, ':');
    if (size)
        r->width = strtoll(size + 1, NULL, 10);
    r->name = python_name(schema->name ? schema->name : "");
    if (r->name)
        PyUnicode_InternInPlace(&r->name);
    r->children = calloc((size_t)schema->n_children + 1, sizeof *r->children);
    if (!r->name || !r->children) {
        if (!r->children)
            PyErr_NoMemory();
        return false;
    }
    r->child_count = schema->n_children;
    for (int64_t i = 0; i < r->child_count; i++) {
        if (!reader_init(&r->children[i], schema->children[i]))
            return false;
    }
    return true;
}

/* ---- values ---- */

static PyObject *value_at(const reader *r, const struct ArrowArray *array, int64_t index);

static PyObject *text_at(const struct ArrowArray *array, int64_t at, bool binary)
{
    const int32_t *offsets = array->buffers[1];
    const char *data = array->buffers[2];
    size_t size = (size_t)(offsets[at + 1] - offsets[at]);
    const char *from = size ? data + offsets[at] : "";
    if (binary)
        return PyBytes_FromStringAndSize(from, (Py_ssize_t)size);
    return python_text(from, size);
}

static PyObject *list_at(const reader *r, const struct ArrowArray *array, int64_t at)
{
    const int32_t *offsets = array->buffers[r->nested == 'l' ? 1 : 0];
    int64_t begin = r->nested == 'l' ? offsets[at] : at * r->width;
    int64_t end = r->nested == 'l' ? offsets[at + 1] : begin + r->width;
    PyObject *list = PyList_New((Py_ssize_t)(end - begin));
    for (int64_t i = begin; list && i < end; i++) {
        PyObject *item = value_at(&r->children[0], array->children[0], i);
        if (!item || PyList_SetItem(list, (Py_ssize_t)(i - begin), item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *struct_at(const reader *r, const struct ArrowArray *array, int64_t at)
{
    PyObject *dict = PyDict_New();
    for (int64_t i = 0; dict && i < r->child_count; i++) {
        PyObject *item = value_at(&r->children[i], array->children[i], at);
        if (!item || PyDict_SetItem(dict, r->children[i].name, item) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

static PyObject *nested_at(const reader *r, const struct ArrowArray *array, int64_t at)
{
    if (Py_EnterRecursiveCall(" in a row of a replay"))
        return NULL;
    PyObject *value = r->nested == 's' ? struct_at(r, array, at) : list_at(r, array, at);
    Py_LeaveRecursiveCall();
    return value;
}

static PyObject *number_at(char kind, const void *values, int64_t at)
{
    switch (kind) {
    case 'c':
        return PyLong_FromLong(((const int8_t *)values)[at]);
    case 'C':
        return PyLong_FromLong(((const uint8_t *)values)[at]);
    case 's':
        return PyLong_FromLong(((const int16_t *)values)[at]);
    case 'S':
        return PyLong_FromLong(((const uint16_t *)values)[at]);
    case 'i':
        return PyLong_FromLong(((const int32_t *)values)[at]);
    case 'I':
        return PyLong_FromUnsignedLong(((const uint32_t *)values)[at]);
    case 'l':
        return PyLong_FromLongLong(((const int64_t *)values)[at]);
    case 'L':
        return PyLong_FromUnsignedLongLong(((const uint64_t *)values)[at]);
    case 'f':
        return PyFloat_FromDouble((double)((const float *)values)[at]);
    case 'g':
        return PyFloat_FromDouble(((const double *)values)[at]);
    default:
        PyErr_Format(PyExc_NotImplementedError, "Arrow type '%c' in rows", kind);
        return NULL;
    }
}

static PyObject *value_at(const reader *r, const struct ArrowArray *array, int64_t index)
{
    int64_t at = index + array->offset;
    const uint8_t *valid = array->n_buffers ? array->buffers[0] : NULL;
    if (valid && array->null_count != 0 && !(valid[at / 8] >> at % 8 & 1))
        Py_RETURN_NONE;
    if (r->dictionary)
        return text_at(array->dictionary, ((const int32_t *)array->buffers[1])[at], false);
    switch (r->kind) {
    case '+':
        return nested_at(r, array, at);
    case 'b':
        return PyBool_FromLong(((const uint8_t *)array->buffers[1])[at / 8] >> at % 8 & 1);
    case 'u':
    case 'z':
        return text_at(array, at, r->kind == 'z');
    case 'w':
        return PyBytes_FromStringAndSize((const char *)array->buffers[1] + at * r->width,
                                         (Py_ssize_t)r->width);
    default:
        return number_at(r->kind, array->buffers[1], at);
    }
}

/* ---- the iterator ---- */

static void raise_stream_error(rows_object *self)
{
    PyObject *error = Py_None;
    Py_INCREF(error);
    if (self->errors != Py_None) {
        Py_DECREF(error);
        error = PyObject_CallMethod(self->errors, "error", NULL);
    }
    if (error && error != Py_None) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    } else if (error) {
        const char *text = self->stream->get_last_error(self->stream);
        PyErr_SetString(PyExc_RuntimeError, text ? text : "reading failed");
    }
    Py_XDECREF(error);
}

PyObject *rows_new(native_state *state, PyObject *capsule, PyObject *errors)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    rows_object *self = stream ? PyObject_New(rows_object, state->rows_type) : NULL;
    if (!self)
        return NULL;
    Py_INCREF(capsule);
    Py_INCREF(errors);
    self->capsule = capsule;
    self->errors = errors;
    self->stream = stream;
    self->root = (reader){0};
    self->batch = (struct ArrowArray){0};
    self->next = 0;
    self->busy = false;
    struct ArrowSchema schema = {0};
    int failed;
    Py_BEGIN_ALLOW_THREADS failed = stream->get_schema(stream, &schema);
    Py_END_ALLOW_THREADS if (failed) raise_stream_error(self);
    bool ready = !failed && reader_init(&self->root, &schema);
    if (schema.release)
        schema.release(&schema);
    if (ready)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void rows_dealloc(PyObject *object)
{
    rows_object *self = (rows_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->batch.release)
        self->batch.release(&self->batch);
    reader_free(&self->root);
    Py_CLEAR(self->capsule);
    Py_CLEAR(self->errors);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Reads the next batch that has rows; false: the end, or an exception. */
static bool next_batch(rows_object *self)
{
    do {
        if (self->batch.release)
            self->batch.release(&self->batch);
        self->batch = (struct ArrowArray){0};
        self->next = 0;
        if (PyErr_CheckSignals() < 0)
            return false;
        int failed;
        self->busy = true;
        Py_BEGIN_ALLOW_THREADS failed = self->stream->get_next(self->stream, &self->batch);
        Py_END_ALLOW_THREADS self->busy = false;
        if (failed) {
            self->batch = (struct ArrowArray){0};
            raise_stream_error(self);
            return false;
        }
    } while (self->batch.release && !self->batch.length);
    return self->batch.release != NULL;
}

static PyObject *rows_next(PyObject *object)
{
    rows_object *self = (rows_object *)object;
    if (self->busy) {
        PyErr_SetString(PyExc_ValueError, "another thread uses this iterator");
        return NULL;
    }
    if ((!self->batch.release || self->next >= self->batch.length) && !next_batch(self))
        return NULL;
    return struct_at(&self->root, &self->batch, self->next++);
}

static PyType_Slot rows_slots[] = {
    {Py_tp_dealloc, (void *)rows_dealloc},
    {Py_tp_iter, (void *)PyObject_SelfIter},
    {Py_tp_iternext, (void *)rows_next},
    {0, NULL},
};

PyType_Spec rows_spec = {
    .name = "_native.Rows",
    .basicsize = sizeof(rows_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = rows_slots,
};
