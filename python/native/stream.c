/*
 * stream.c - a track as an Arrow stream that may be used from any thread.
 *
 * The stream of the library is used by one thread at a time, together with everything else of its
 * replay. The stream made here wraps it: every call takes the lock of the replay first. What ended
 * it is kept where the Python object that asked for the stream can see it, because consumers report
 * only a text.
 */
#include "native.h"

/* How a stream ended, shared by the stream and the Python object that it came from. */
typedef struct outcome {
    atomic_size_t owners;
    pthread_mutex_t lock;
    reprise_error error; /* REPRISE_OK: it did not fail */
} outcome;

typedef struct stream_state {
    handle *owner;
    outcome *outcome;
    struct ArrowArrayStream inner;
    bool partial; /* end at damage instead of failing */
    bool ended;
    char text[REPRISE_ERROR_TEXT_MAX];
} stream_state;

static outcome *outcome_new(void)
{
    outcome *o = calloc(1, sizeof *o);
    if (!o || pthread_mutex_init(&o->lock, NULL) != 0) {
        free(o);
        return NULL;
    }
    atomic_init(&o->owners, 1);
    return o;
}

static void outcome_release(outcome *o)
{
    if (!o || atomic_fetch_sub(&o->owners, 1) != 1)
        return;
    pthread_mutex_destroy(&o->lock);
    free(o);
}

/* ---- the stream ---- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *ret_schema)
{
    stream_state *state = stream->private_data;
    gate passed = handle_enter(state->owner);
    int failed = state->inner.get_schema(&state->inner, ret_schema);
    handle_leave(state->owner, passed);
    return failed;
}

/* Notes why reading failed, and whether the consumer hears of it. */
static int note_failure(stream_state *state, int failed, struct ArrowArray *ret_batch)
{
    const reprise_error *error = reprise_arrow_error(&state->inner);
    pthread_mutex_lock(&state->outcome->lock);
    if (error)
        state->outcome->error = *error;
    pthread_mutex_unlock(&state->outcome->lock);
    if (error)
        (void)reprise_error_text(error, state->owner->name, state->text, sizeof state->text);
    state->ended = true;
    if (!state->partial)
        return failed;
    *ret_batch = (struct ArrowArray){0};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *ret_batch)
{
    stream_state *state = stream->private_data;
    if (state->ended && state->partial) {
        *ret_batch = (struct ArrowArray){0};
        return 0;
    }
    gate passed = handle_enter(state->owner);
    int failed = state->inner.get_next(&state->inner, ret_batch);
    if (failed)
        failed = note_failure(state, failed, ret_batch);
    handle_leave(state->owner, passed);
    return failed;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    stream_state *state = stream->private_data;
    return *state->text ? state->text : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_state *state = stream->private_data;
    if (state->inner.release) {
        gate passed = handle_enter(state->owner);
        state->inner.release(&state->inner);
        handle_leave(state->owner, passed);
    }
    handle_release(state->owner);
    outcome_release(state->outcome);
    free(state);
    stream->release = NULL;
}

/* ---- capsules ---- */

static void free_schema_capsule(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

static void free_stream_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

PyObject *schema_capsule_of(const struct ArrowSchema *schema)
{
    struct ArrowSchema taken = *schema;
    struct ArrowSchema *copy = malloc(sizeof *copy);
    if (!copy) {
        taken.release(&taken);
        return PyErr_NoMemory();
    }
    *copy = taken;
    PyObject *capsule = PyCapsule_New(copy, "arrow_schema", free_schema_capsule);
    if (!capsule) {
        copy->release(copy);
        free(copy);
    }
    return capsule;
}

PyObject *stream_capsule_of(const struct ArrowArrayStream *stream)
{
    struct ArrowArrayStream taken = *stream;
    struct ArrowArrayStream *copy = malloc(sizeof *copy);
    if (!copy) {
        taken.release(&taken);
        return PyErr_NoMemory();
    }
    *copy = taken;
    PyObject *capsule = PyCapsule_New(copy, "arrow_array_stream", free_stream_capsule);
    if (!capsule) {
        copy->release(copy);
        free(copy);
    }
    return capsule;
}

PyObject *take_stream(struct ArrowArrayStream *from)
{
    if (!from->release) {
        PyErr_SetString(PyExc_ValueError, "this stream was taken by another consumer");
        return NULL;
    }
    struct ArrowArrayStream stream = *from;
    from->release = NULL;
    return stream_capsule_of(&stream);
}

PyObject *schema_capsule(native_state *state, const char *format, const char *track,
                         const reprise_batch_options *options)
{
    struct ArrowSchema schema = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_arrow_schema(format, track, options, &schema, &error) != REPRISE_OK) {
        raise_error(state, &error, NULL, NULL, NULL);
        return NULL;
    }
    return schema_capsule_of(&schema);
}

/* ---- the Python object ---- */

typedef struct stream_object {
    PyObject_HEAD struct ArrowArrayStream stream; /* until a consumer takes it */
    outcome *outcome;
    char *name;
} stream_object;

static bool open_inner(native_state *python, stream_state *state, size_t track,
                       const reprise_batch_options *options)
{
    handle *h = state->owner;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = REPRISE_E_USAGE;
    Py_BEGIN_ALLOW_THREADS handle_lock(h);
    if (h->replay)
        status = reprise_arrow_stream(h->replay, track, options, &state->inner, &error);
    Py_END_ALLOW_THREADS PyObject *raised = h->raised;
    h->raised = NULL;
    handle_unlock(h);
    if (status == REPRISE_OK) {
        Py_XDECREF(raised);
        return true;
    }
    raise_error(python, &error, h->name, NULL, raised);
    return false;
}

PyObject *stream_new(native_state *python, handle *h, size_t track,
                     const reprise_batch_options *options, bool partial)
{
    stream_state *state = calloc(1, sizeof *state);
    if (!state)
        return PyErr_NoMemory();
    state->owner = handle_retain(h);
    state->outcome = outcome_new();
    state->partial = partial;
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release_stream,
                                      .private_data = state};
    stream_object *self = NULL;
    if (!state->outcome)
        PyErr_NoMemory();
    else if (open_inner(python, state, track, options))
        self = PyObject_New(stream_object, python->stream_type);
    if (!self) {
        release_stream(&stream);
        return NULL;
    }
    self->stream = stream;
    self->outcome = state->outcome;
    atomic_fetch_add(&state->outcome->owners, 1);
    self->name = strdup(h->name);
    return (PyObject *)self;
}

static void stream_dealloc(PyObject *object)
{
    stream_object *self = (stream_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->stream.release)
        self->stream.release(&self->stream);
    outcome_release(self->outcome);
    free(self->name);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *stream_take(PyObject *object, PyObject *unused)
{
    (void)unused;
    return take_stream(&((stream_object *)object)->stream);
}

static PyObject *stream_error(PyObject *object, PyObject *unused)
{
    stream_object *self = (stream_object *)object;
    (void)unused;
    pthread_mutex_lock(&self->outcome->lock);
    reprise_error error = self->outcome->error;
    pthread_mutex_unlock(&self->outcome->lock);
    if (error.status == REPRISE_OK)
        Py_RETURN_NONE;
    return error_object(state_of(Py_TYPE(object)), &error, self->name);
}

static PyMethodDef stream_methods[] = {
    {"take", stream_take, METH_NOARGS, "The capsule of the stream, once."},
    {"error", stream_error, METH_NOARGS, "What ended the stream too early, as an exception."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot stream_slots[] = {
    {Py_tp_dealloc, (void *)stream_dealloc},
    {Py_tp_methods, stream_methods},
    {0, NULL},
};

PyType_Spec stream_spec = {
    .name = "_native.Stream",
    .basicsize = sizeof(stream_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = stream_slots,
};
