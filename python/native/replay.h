/* replay.h - the Python object of a replay, and how its operations run. */
#ifndef REPLAY_H
#define REPLAY_H

#include "native.h"

typedef struct replay_object {
    PyObject_HEAD handle *h; /* NULL: closed */
} replay_object;

/* An operation that runs without the GIL, alone on the replay. */
typedef reprise_status operation(handle *h, void *ctx, const reprise_value **ret_document,
                                 reprise_error *error);

/*
 * Runs an operation and returns its document as Python objects. `finish`, if it is not NULL, makes
 * the result instead, with the GIL and before the document goes away. A failure is raised.
 */
PyObject *run_operation(PyObject *self, operation *run, void *ctx,
                        PyObject *(*finish)(void *ctx, const reprise_value *document));

PyObject *replay_write(PyObject *self, PyObject *args);
PyObject *replay_diff(PyObject *self, PyObject *other);
PyObject *replay_scene(PyObject *self, PyObject *args);
PyObject *replay_plot(PyObject *self, PyObject *args);

#endif
