/* write.c - operations that write: new replays, scenes and plots. */
#include "replay.h"

/* ---- replays ---- */

/* A bound as (kind, seconds, index, marker). */
static bool bound_from(PyObject *tuple, reprise_bound *to)
{
    int kind = 0;
    double time = 0;
    long long index = 0;
    const char *marker = NULL;
    if (!PyArg_ParseTuple(tuple, "idLz", &kind, &time, &index, &marker))
        return false;
    *to = (reprise_bound){
        .by = (reprise_bound_kind)kind, .time = time, .index = index, .marker = marker};
    return true;
}

typedef struct writing {
    const char *verb;
    reprise_write_options options;
    PyObject *file; /* or NULL: options.path */
    reprise_bound from, to;
    bool keep_times;
    uint32_t kinds;
} writing;

static reprise_status do_write(handle *h, void *ctx, const reprise_value **ret,
                               reprise_error *error)
{
    writing *w = ctx;
    python_sink sink;
    python_sink_init(&sink, h, w->file);
    if (w->file)
        w->options.sink = &sink.sink;
    if (strcmp(w->verb, "convert") == 0)
        return reprise_convert(h->replay, &w->options, ret, error);
    if (strcmp(w->verb, "recompress") == 0)
        return reprise_recompress(h->replay, &w->options, ret, error);
    if (strcmp(w->verb, "recover") == 0)
        return reprise_recover(h->replay, &w->options, ret, error);
    if (strcmp(w->verb, "trim") == 0)
        return reprise_trim(h->replay, w->from, w->to, w->keep_times, &w->options, ret, error);
    return reprise_anonymize(h->replay, w->kinds, &w->options, ret, error);
}

/* write(verb, path, file, (replace, lossy, level, layout, long_range, dry_run), extra) */
PyObject *replay_write(PyObject *self, PyObject *args)
{
    writing w = {.options = REPRISE_WRITE_INIT};
    PyObject *path = NULL, *file = NULL, *extra = NULL, *encoded = NULL;
    int replace = 0, lossy = 0, long_range = 0, dry_run = 0, keep_times = 0;
    if (!PyArg_ParseTuple(args, "sOO(ppizpp)O", &w.verb, &path, &file, &replace, &lossy,
                          &w.options.level, &w.options.layout, &long_range, &dry_run, &extra))
        return NULL;
    PyObject *from = NULL, *to = NULL;
    if (strcmp(w.verb, "trim") == 0) {
        if (!PyArg_ParseTuple(extra, "O!O!p", &PyTuple_Type, &from, &PyTuple_Type, &to,
                              &keep_times) ||
            !bound_from(from, &w.from) || !bound_from(to, &w.to))
            return NULL;
    } else if (strcmp(w.verb, "anonymize") == 0) {
        w.kinds = (uint32_t)PyLong_AsUnsignedLong(extra);
        if (PyErr_Occurred())
            return NULL;
    }
    if (path != Py_None && !PyUnicode_FSConverter(path, &encoded))
        return NULL;
    w.file = file == Py_None ? NULL : file;
    w.options.path = encoded ? PyBytes_AsString(encoded) : NULL;
    w.options.replace = replace;
    w.options.lossy = lossy;
    w.options.long_range = long_range;
    w.options.dry_run = dry_run;
    w.keep_times = keep_times;
    PyObject *report = run_operation(self, do_write, &w, NULL);
    Py_XDECREF(encoded);
    return report;
}

/* ---- comparing ---- */

typedef struct comparing {
    handle *other;
    bool equal;
} comparing;

static reprise_status do_diff(handle *h, void *ctx, const reprise_value **ret, reprise_error *error)
{
    comparing *c = ctx;
    reprise_diff_options options = REPRISE_DIFF_INIT;
    return reprise_diff(h->replay, c->other->replay, &options, &c->equal, ret, error);
}

static PyObject *difference_of(void *ctx, const reprise_value *document)
{
    comparing *c = ctx;
    PyObject *report = python_value(document);
    PyObject *result = report ? Py_BuildValue("OO", c->equal ? Py_True : Py_False, report) : NULL;
    Py_XDECREF(report);
    return result;
}

/*
 * The other replay must be one that nothing else uses: the package opens it for this call alone, so
 * that two locks are never waited for.
 */
PyObject *replay_diff(PyObject *self, PyObject *other)
{
    if (Py_TYPE(other) != Py_TYPE(self) || !((replay_object *)other)->h || self == other) {
        PyErr_SetString(PyExc_TypeError, "diff needs another replay that is open");
        return NULL;
    }
    comparing c = {.other = handle_retain(((replay_object *)other)->h)};
    PyObject *result = run_operation(self, do_diff, &c, difference_of);
    handle_release(c.other);
    return result;
}

/* ---- scenes and plots ---- */

typedef struct showing {
    reprise_scene_options scene;
    const char *form; /* "glb", "gltf", "timeline" or "plot" */
    PyObject *file;   /* NULL: the timeline as a document */
    reprise_plot_options plot;
    reprise_scene *open;
    bool empty;
} showing;

static reprise_status show(showing *s, const reprise_sink *sink, const reprise_value **ret,
                           reprise_error *error)
{
    if (strcmp(s->form, "plot") == 0)
        return reprise_scene_plot(s->open, &s->plot, sink, &s->empty, error);
    if (!s->file) {
        *ret = reprise_scene_timeline(s->open);
        return REPRISE_OK;
    }
    reprise_scene_form form = REPRISE_SCENE_TIMELINE;
    if (strcmp(s->form, "glb") == 0)
        form = REPRISE_SCENE_GLB;
    else if (strcmp(s->form, "gltf") == 0)
        form = REPRISE_SCENE_GLTF;
    *ret = reprise_scene_about(s->open);
    return reprise_scene_write(s->open, form, sink, error);
}

static reprise_status do_show(handle *h, void *ctx, const reprise_value **ret, reprise_error *error)
{
    showing *s = ctx;
    reprise_status status = reprise_scene_open(h->replay, &s->scene, &s->open, error);
    if (status != REPRISE_OK)
        return status;
    python_sink sink;
    python_sink_init(&sink, h, s->file);
    status = show(s, &sink.sink, ret, error);
    if (status != REPRISE_OK) {
        *ret = NULL;
        reprise_scene_close(s->open);
    }
    return status;
}

/* Nothing reads from the replay while its scene is open: this still runs under the lock. */
static PyObject *shown(void *ctx, const reprise_value *document)
{
    showing *s = ctx;
    bool plotted = strcmp(s->form, "plot") == 0;
    PyObject *result = plotted ? PyBool_FromLong(!s->empty) : python_value(document);
    reprise_scene_close(s->open);
    return result;
}

/* (time_from, time_to, index_from, index_to, samples_per_s, exact, name) */
static bool scene_options_from(PyObject *tuple, reprise_scene_options *to)
{
    double time_from = 0, time_to = 0, samples = 0;
    long long index_from = 0, index_to = 0;
    int exact = 0;
    *to = (reprise_scene_options)REPRISE_SCENE_INIT;
    if (!PyArg_ParseTuple(tuple, "ddLLdpz", &time_from, &time_to, &index_from, &index_to, &samples,
                          &exact, &to->name))
        return false;
    to->time_from = time_from;
    to->time_to = time_to;
    to->index_from = index_from;
    to->index_to = index_to;
    to->samples_per_s = samples;
    to->exact = exact;
    return true;
}

/* scene(form, file or None, options) */
PyObject *replay_scene(PyObject *self, PyObject *args)
{
    showing s = {0};
    PyObject *tuple = NULL, *file = NULL;
    if (!PyArg_ParseTuple(args, "sOO!", &s.form, &file, &PyTuple_Type, &tuple) ||
        !scene_options_from(tuple, &s.scene))
        return NULL;
    s.file = file == Py_None ? NULL : file;
    return run_operation(self, do_show, &s, shown);
}

/* plot(file, options, plots, players, width, height, theme, side) */
PyObject *replay_plot(PyObject *self, PyObject *args)
{
    showing s = {.form = "plot", .plot = REPRISE_PLOT_INIT};
    PyObject *tuple = NULL, *plots = NULL;
    unsigned long long players = 0;
    unsigned width = 0, height = 0;
    int theme = 0, side = 0;
    if (!PyArg_ParseTuple(args, "OO!OKIIip", &s.file, &PyTuple_Type, &tuple, &plots, &players,
                          &width, &height, &theme, &side) ||
        !scene_options_from(tuple, &s.scene))
        return NULL;
    texts names;
    if (!texts_take(plots, &names))
        return NULL;
    s.plot.plots = (const char *const *)names.items;
    s.plot.plot_count = names.count;
    s.plot.players = players;
    s.plot.width_px = width;
    s.plot.height_px = height;
    s.plot.theme = (reprise_theme)theme;
    s.plot.side = side;
    PyObject *result = run_operation(self, do_show, &s, shown);
    texts_free(&names);
    return result;
}
