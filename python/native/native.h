/*
 * native.h - what the files of the extension share.
 *
 * The extension is small: it opens replays, runs operations without the GIL, turns documents into
 * Python objects and hands out Arrow streams. Everything that can be said in Python is in the
 * package around it. It uses the public headers of the library and Python's limited API only.
 *
 * Two locks meet here: the GIL, and one per replay, because the handles of the library are not
 * thread-safe. One rule keeps them apart: nothing waits for the lock of a replay while it holds the
 * GIL. The other way round is allowed, so callbacks and conversions may take the GIL under the
 * lock.
 */
#ifndef NATIVE_H
#define NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <reprise/arrow.h>
#include <reprise/reprise.h>
#include <reprise/scene.h>
#include <reprise/write.h>

/* ---- the module ---- */

typedef struct native_state {
    PyObject *make_error; /* errors.py: builds the exception for a failure */
    PyTypeObject *replay_type, *stream_type, *rows_type, *scan_type;
} native_state;

extern struct PyModuleDef native_module;
native_state *state_of(PyTypeObject *type);

/* ---- values.c ---- */

/* A document as dicts, lists, texts and numbers; NULL is None. */
PyObject *python_value(const reprise_value *value);
/* Text that is meant to be UTF-8; wrong bytes become U+FFFD. */
PyObject *python_text(const char *text, size_t size);
PyObject *python_name(const char *text); /* ends with NUL; NULL is None */

/* ---- errors.c ---- */

/* The exception for a failure of `name` (a file, or NULL), which may be NULL itself. */
PyObject *error_object(native_state *state, const reprise_error *error, const char *name);
/* Sets the exception. `cause` is an exception that led to it, or NULL; it is consumed. */
void raise_error(native_state *state, const reprise_error *error, const char *name,
                 PyObject *report, PyObject *cause);
/* The exception that is set now, or NULL, which is cleared. */
PyObject *take_exception(void);

/* ---- handle.c: a replay with all it needs, shared by Python objects and Arrow streams ---- */

typedef struct handle {
    atomic_size_t owners;
    pthread_mutex_t lock; /* of everything below */
    reprise_replay *replay;
    char *name;             /* of the file, for messages */
    Py_buffer view;         /* bytes that are read in place; obj is NULL if there are none */
    PyObject *file;         /* read through its methods, or NULL */
    PyObject *raised;       /* by one of these methods, or by a signal */
    bool interruptible;     /* a signal may stop the operation that runs now */
    atomic_llong looked_ms; /* when signals were looked at; threads of the library may ask */
} handle;

handle *handle_new(const char *name);
handle *handle_retain(handle *h);
void handle_release(handle *h); /* with or without the GIL */

/* Waits for the replay. Only without the GIL. */
void handle_lock(handle *h);
void handle_unlock(handle *h);

/* For callers that may or may not hold the GIL, such as consumers of Arrow streams. */
typedef struct gate {
    bool with_python;
    PyGILState_STATE gil;
    PyThreadState *thread;
} gate;
gate handle_enter(handle *h);
void handle_leave(handle *h, gate passed);

/* Opens a replay: how it is read is in `source`, exactly one of the three. */
typedef struct opening {
    const char *path;
    PyObject *bytes;
    PyObject *file;
    uint64_t file_size;
} opening;
reprise_status handle_open(handle *h, const opening *from, reprise_options *options,
                           reprise_error *error);
/* A sink that calls the write method of a Python object and keeps what it raises in `h`. */
typedef struct python_sink {
    handle *h;
    PyObject *file;
    reprise_sink sink;
} python_sink;
void python_sink_init(python_sink *sink, handle *h, PyObject *file);

/* ---- options.c: arguments ---- */

/* Copies of the texts of a sequence, which need no GIL. Free with texts_free. */
typedef struct texts {
    char **items;
    size_t count;
    bool given; /* not None */
} texts;
bool texts_take(PyObject *sequence, texts *to);
void texts_free(texts *t);

/* Options from a tuple (format, layout, salvage, threads, limits). */
reprise_options *options_from(native_state *state, PyObject *tuple);

/* Which rows of a track: (columns, time_from, time_to, index_from, index_to, every_frame, linear,
 * stored, rows_max). `columns` owns the names that the options point to. */
bool batch_options_from(PyObject *tuple, texts *columns, reprise_batch_options *to);

/* ---- stream.c: Arrow streams of one replay ---- */

PyObject *stream_new(native_state *state, handle *h, size_t track,
                     const reprise_batch_options *options, bool partial);
PyObject *schema_capsule(native_state *state, const char *format, const char *track,
                         const reprise_batch_options *options);
PyObject *schema_capsule_of(const struct ArrowSchema *schema); /* takes it over, also on failure */
PyObject *stream_capsule_of(const struct ArrowArrayStream *stream); /* likewise */
PyObject *take_stream(struct ArrowArrayStream *from); /* moves it; a second time is a ValueError */

/* ---- rows.c: rows of an Arrow stream as dicts ---- */

PyObject *rows_new(native_state *state, PyObject *capsule, PyObject *errors);

/* ---- columns.c: Arrow arrays made here ---- */

/* A dictionary with one text, `length` times; false: no memory. */
bool make_file_array(const char *text, int64_t length, struct ArrowArray *ret_array);
bool make_file_schema(const char *name, struct ArrowSchema *ret_schema);
/* A stream of one batch from a list of (name, "u", "l" or "L", values). */
PyObject *columns_capsule(PyObject *fields, bool schema_only);

/* ---- types ---- */

extern PyType_Spec replay_spec, stream_spec, rows_spec, scan_spec;
PyObject *open_replay(PyObject *module, PyObject *args);
PyObject *open_scan(PyObject *module, PyObject *args);

#endif
