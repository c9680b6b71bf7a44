/*
 * columns.c - Arrow arrays that are made here: the column with the name of the file, and tables of
 * texts and numbers such as the errors of a scan.
 */
#include "native.h"

#include <errno.h>

/* Memory of an array or schema that owns all it points to. */
typedef struct made {
    void *blocks[4];
} made;

static void free_made(made *m)
{
    for (size_t i = 0; m && i < sizeof m->blocks / sizeof *m->blocks; i++)
        free(m->blocks[i]);
    free(m);
}

static bool no_memory(void)
{
    PyErr_NoMemory();
    return false;
}

/* ---- arrays ---- */

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary) {
        if (array->dictionary->release)
            array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    free(array->children);
    free(array->buffers);
    free_made(array->private_data);
    array->release = NULL;
}

/* An array whose buffers are the blocks of `m`, which it takes over; false: no memory. */
static bool make_array(made *m, int64_t length, int64_t buffers, struct ArrowArray *ret_array)
{
    const void **list = calloc(4, sizeof *list);
    if (!m || !list) {
        free_made(m);
        free(list);
        return false;
    }
    for (int64_t i = 0; i < buffers; i++)
        list[i] = m->blocks[i];
    *ret_array = (struct ArrowArray){.length = length,
                                     .n_buffers = buffers,
                                     .buffers = list,
                                     .release = release_array,
                                     .private_data = m};
    return true;
}

/* One text as an array of length 1. */
static bool make_text_array(const char *text, struct ArrowArray *ret_array)
{
    made *m = calloc(1, sizeof *m);
    size_t size = strlen(text);
    int32_t *offsets = calloc(2, sizeof *offsets);
    char *copy = calloc(1, size + 1);
    if (m) {
        m->blocks[1] = offsets;
        m->blocks[2] = copy;
    }
    if (!m || !offsets || !copy) {
        if (!m) {
            free(offsets);
            free(copy);
        }
        free_made(m);
        return false;
    }
    memcpy(copy, text, size);
    offsets[1] = (int32_t)size;
    return make_array(m, 1, 3, ret_array);
}

bool make_file_array(const char *text, int64_t length, struct ArrowArray *ret_array)
{
    made *m = calloc(1, sizeof *m);
    if (!m)
        return false;
    m->blocks[1] = calloc((size_t)length + 1, sizeof(int32_t));
    struct ArrowArray *dictionary = calloc(1, sizeof *dictionary);
    if (!m->blocks[1] || !dictionary || !make_text_array(text, dictionary)) {
        free(dictionary);
        free_made(m);
        return false;
    }
    if (!make_array(m, length, 2, ret_array)) {
        dictionary->release(dictionary);
        free(dictionary);
        return false;
    }
    ret_array->dictionary = dictionary;
    return true;
}

/* ---- schemas ---- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary) {
        if (schema->dictionary->release)
            schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->children);
    free_made(schema->private_data);
    schema->release = NULL;
}

static bool make_schema(const char *format, const char *name, bool nullable,
                        struct ArrowSchema *ret_schema)
{
    made *m = calloc(1, sizeof *m);
    if (!m)
        return false;
    m->blocks[0] = strdup(format);
    m->blocks[1] = strdup(name);
    if (!m->blocks[0] || !m->blocks[1]) {
        free_made(m);
        return false;
    }
    *ret_schema = (struct ArrowSchema){.format = m->blocks[0],
                                       .name = m->blocks[1],
                                       .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
                                       .release = release_schema,
                                       .private_data = m};
    return true;
}

bool make_file_schema(const char *name, struct ArrowSchema *ret_schema)
{
    struct ArrowSchema *words = calloc(1, sizeof *words);
    if (!words || !make_schema("u", "", true, words)) {
        free(words);
        return false;
    }
    if (!make_schema("i", name, false, ret_schema)) {
        words->release(words);
        free(words);
        return false;
    }
    ret_schema->dictionary = words;
    return true;
}

/* ---- tables of Python values ---- */

static bool is_valid(PyObject *values, Py_ssize_t i, uint8_t *valid)
{
    if (PyList_GetItem(values, i) == Py_None)
        return false;
    valid[i / 8] = (uint8_t)(valid[i / 8] | 1u << i % 8);
    return true;
}

/* Integers of 64 bits; `kind` is "l" or "L". */
static bool fill_numbers(PyObject *values, char kind, made *m)
{
    Py_ssize_t count = PyList_Size(values);
    uint64_t *numbers = m->blocks[1] = calloc((size_t)count + 1, sizeof *numbers);
    if (!numbers)
        return no_memory();
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!is_valid(values, i, m->blocks[0]))
            continue;
        PyObject *value = PyList_GetItem(values, i);
        numbers[i] = kind == 'l' ? (uint64_t)PyLong_AsLongLong(value)
                                 : (uint64_t)PyLong_AsUnsignedLongLong(value);
        if (PyErr_Occurred())
            return false;
    }
    return true;
}

static bool fill_texts(PyObject *values, made *m)
{
    Py_ssize_t count = PyList_Size(values), size = 0;
    int32_t *offsets = m->blocks[1] = calloc((size_t)count + 1, sizeof *offsets);
    PyObject *empty = PyUnicode_FromString("");
    char *data = NULL;
    for (int pass = 0; offsets && empty && pass < 2; pass++) {
        if (pass == 1 && !(data = m->blocks[2] = malloc((size_t)size + 1)))
            break;
        size = 0;
        for (Py_ssize_t i = 0; i < count; i++) {
            Py_ssize_t length = 0;
            bool there = is_valid(values, i, m->blocks[0]);
            PyObject *value = there ? PyList_GetItem(values, i) : empty;
            const char *text = PyUnicode_AsUTF8AndSize(value, &length);
            if (!text || size + length > INT32_MAX) {
                Py_DECREF(empty);
                return text ? no_memory() : false;
            }
            if (data)
                memcpy(data + size, text, (size_t)length);
            size += length;
            offsets[i + 1] = (int32_t)size;
        }
    }
    Py_XDECREF(empty);
    return data ? true : no_memory();
}

static bool make_column(const char *kind, PyObject *values, struct ArrowArray *ret_array)
{
    Py_ssize_t count = PyList_Size(values);
    made *m = calloc(1, sizeof *m);
    if (!m)
        return no_memory();
    m->blocks[0] = calloc((size_t)count / 8 + 1, 1);
    bool filled = m->blocks[0] &&
                  (*kind == 'u' ? fill_texts(values, m) : fill_numbers(values, *kind, m));
    if (!filled) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        free_made(m);
        return false;
    }
    if (!make_array(m, count, *kind == 'u' ? 3 : 2, ret_array))
        return no_memory();
    ret_array->null_count = -1;
    return true;
}

typedef struct table {
    struct ArrowSchema schema;
    struct ArrowArray batch; /* until it was read */
} table;

static bool begin_table(table *t, size_t columns)
{
    t->schema.children = calloc(columns + 1, sizeof *t->schema.children);
    t->batch.children = calloc(columns + 1, sizeof *t->batch.children);
    return t->schema.children && t->batch.children;
}

static bool add_column(table *t, PyObject *field)
{
    const char *name = NULL, *kind = NULL;
    PyObject *values = NULL;
    if (!PyArg_ParseTuple(field, "ssO!", &name, &kind, &PyList_Type, &values))
        return false;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (!schema || !array || !make_schema(kind, name, true, schema)) {
        free(schema);
        free(array);
        return no_memory();
    }
    if (!make_column(kind, values, array)) {
        schema->release(schema);
        free(schema);
        free(array);
        return false;
    }
    t->schema.children[t->schema.n_children++] = schema;
    t->batch.children[t->batch.n_children++] = array;
    t->batch.length = array->length;
    return true;
}

static int table_schema(struct ArrowArrayStream *stream, struct ArrowSchema *ret_schema)
{
    table *t = stream->private_data;
    struct ArrowSchema copy = {0};
    copy.children = calloc((size_t)t->schema.n_children + 1, sizeof *copy.children);
    bool ok = copy.children && make_schema("+s", "", false, ret_schema);
    if (!ok) {
        free(copy.children);
        return ENOMEM;
    }
    ret_schema->children = copy.children;
    for (int64_t i = 0; i < t->schema.n_children; i++) {
        struct ArrowSchema *child = calloc(1, sizeof *child);
        if (!child ||
            !make_schema(t->schema.children[i]->format, t->schema.children[i]->name, true, child)) {
            free(child);
            ret_schema->release(ret_schema);
            return ENOMEM;
        }
        ret_schema->children[ret_schema->n_children++] = child;
    }
    return 0;
}

static int table_next(struct ArrowArrayStream *stream, struct ArrowArray *ret_batch)
{
    table *t = stream->private_data;
    *ret_batch = t->batch;
    t->batch = (struct ArrowArray){0};
    return 0;
}

static const char *table_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void table_release(struct ArrowArrayStream *stream)
{
    table *t = stream->private_data;
    if (t->schema.children)
        release_schema(&t->schema);
    if (t->batch.children)
        release_array(&t->batch);
    free(t);
    stream->release = NULL;
}

PyObject *columns_capsule(PyObject *fields, bool schema_only)
{
    Py_ssize_t count = PySequence_Size(fields);
    table *t = count < 0 ? NULL : calloc(1, sizeof *t);
    if (!t)
        return count < 0 ? NULL : PyErr_NoMemory();
    struct ArrowArrayStream stream = {.get_schema = table_schema,
                                      .get_next = table_next,
                                      .get_last_error = table_error,
                                      .release = table_release,
                                      .private_data = t};
    bool made_all = begin_table(t, (size_t)count);
    if (!made_all)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; made_all && i < count; i++) {
        PyObject *field = PySequence_GetItem(fields, i);
        made_all = field && add_column(t, field);
        Py_XDECREF(field);
    }
    made *nothing = made_all ? calloc(1, sizeof *nothing) : NULL;
    struct ArrowArray root = {0};
    if (made_all && !make_array(nothing, t->batch.length, 1, &root))
        made_all = no_memory();
    if (!made_all) {
        table_release(&stream);
        return NULL;
    }
    root.children = t->batch.children;
    root.n_children = t->batch.n_children;
    t->batch = root;
    if (!schema_only)
        return stream_capsule_of(&stream);
    struct ArrowSchema schema = {0};
    int failed = table_schema(&stream, &schema);
    table_release(&stream);
    return failed ? PyErr_NoMemory() : schema_capsule_of(&schema);
}
