/* scan_run.c - one reading of a plan: workers, what they have ready, and the stream. See scan.h. */
#include "scan.h"

#include <errno.h>
#include <stdio.h>

/* What a small batch costs beside its values. */
enum { BATCH_BYTES = 2048 };

typedef struct ready {
    struct ArrowArray batch;
    size_t bytes;
    struct ready *next;
} ready;

typedef struct slot {
    ready *first, *last;
    bool done;
} slot;

typedef struct wrapped_array wrapped_array;

/* A thread that reads files: the first is that of the consumer, the others are its own. */
typedef struct worker {
    scan_run *run;
    pthread_t thread;
    wrapped_array *returned; /* batches that the consumer has released */
    bool ended;              /* frees no batches any more */
} worker;

/* A file that is being read. */
typedef struct reading {
    size_t input;
    worker *by;
    reprise_replay *replay;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    int64_t rows; /* given so far */
    bool failed;
    bool other; /* of another format */
    reprise_error error;
} reading;

struct scan_run {
    atomic_size_t owners;
    scan_plan *plan;
    pthread_mutex_t lock;   /* of everything below */
    pthread_cond_t changed; /* something became ready */
    pthread_cond_t room;    /* something was taken */
    slot *slots;            /* one per input */
    size_t next_input;      /* the first that no worker has */
    size_t current;         /* the one that the consumer reads */
    size_t bytes;           /* of what is ready */
    bool stop, no_memory;
    worker *workers;
    unsigned worker_count; /* the consumer's and those whose thread was started */
    reading own;           /* of the consumer */
    bool is_reading;
    scan_failure *failures;
    size_t failure_count, failure_room, skipped;
    char text[REPRISE_ERROR_TEXT_MAX];
};

/* ---- how large a batch is ---- */

static size_t values_bytes(const char *format, int64_t length, const struct ArrowArray *array)
{
    size_t count = (size_t)length;
    switch (*format) {
    case 'b':
        return count / 8;
    case 'c':
    case 'C':
        return count;
    case 's':
    case 'S':
        return count * 2;
    case 'i':
    case 'I':
    case 'f':
        return count * 4;
    case 'l':
    case 'L':
    case 'g':
        return count * 8;
    case 'w':
        return count * (size_t)strtoull(format + 2, NULL, 10);
    case 'u':
    case 'z':
        return count * 4 + (size_t)((const int32_t *)array->buffers[1])[length];
    default:
        return format[1] == 'l' ? count * 4 : 0;
    }
}

static size_t array_bytes(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    size_t bytes = values_bytes(schema->format, array->length, array);
    for (int64_t i = 0; i < array->n_children; i++)
        bytes += array_bytes(schema->children[i], array->children[i]);
    return bytes;
}

/* ---- the column of files ---- */

/* The columns of the track after the file's; `inner` keeps its memory. */
struct wrapped_array {
    struct ArrowArray inner, file;
    worker *from;
    scan_run *run;       /* retained once the consumer has the batch, until then NULL */
    wrapped_array *next; /* of those to be freed by the worker */
    const void *buffers[1];
    struct ArrowArray *children[];
};

static void free_wrapped(wrapped_array *w)
{
    if (w->file.release)
        w->file.release(&w->file);
    w->inner.release(&w->inner);
    free(w);
}

/* Leaves a batch to its worker; false if that has ended. */
static bool give_back(wrapped_array *w)
{
    pthread_mutex_lock(&w->run->lock);
    bool given = !w->from->ended;
    if (given) {
        w->next = w->from->returned;
        w->from->returned = w;
    }
    pthread_mutex_unlock(&w->run->lock);
    return given;
}

/*
 * A batch that another thread frees costs its worker a third more time: the memory is cold and has
 * to be faulted in again, and both threads wait for the allocator. So workers free what they made.
 */
static void release_wrapped(struct ArrowArray *array)
{
    wrapped_array *w = array->private_data;
    scan_run *run = w->run;
    if (!run || !give_back(w))
        free_wrapped(w);
    run_release(run);
    array->release = NULL;
}

/* Takes over the batch, also on failure. */
static bool wrap_array(struct ArrowArray *batch, const char *name, worker *from,
                       struct ArrowArray *ret_array)
{
    size_t count = (size_t)batch->n_children;
    wrapped_array *w = calloc(1, sizeof *w + (count + 1) * sizeof *w->children);
    if (!w || !make_file_array(name, batch->length, &w->file)) {
        free(w);
        batch->release(batch);
        return false;
    }
    w->inner = *batch;
    w->from = from;
    w->children[0] = &w->file;
    for (size_t i = 0; i < count; i++)
        w->children[i + 1] = w->inner.children[i];
    *ret_array = (struct ArrowArray){.length = w->inner.length,
                                     .n_buffers = 1,
                                     .buffers = w->buffers,
                                     .n_children = (int64_t)count + 1,
                                     .children = w->children,
                                     .release = release_wrapped,
                                     .private_data = w};
    return true;
}

typedef struct wrapped_schema {
    struct ArrowSchema inner, file;
    struct ArrowSchema *children[];
} wrapped_schema;

static void release_wrapped_schema(struct ArrowSchema *schema)
{
    wrapped_schema *w = schema->private_data;
    if (w->file.release)
        w->file.release(&w->file);
    w->inner.release(&w->inner);
    free(w);
    schema->release = NULL;
}

static int wrap_schema(struct ArrowSchema *inner, const char *name, struct ArrowSchema *ret_schema)
{
    size_t count = (size_t)inner->n_children;
    wrapped_schema *w = calloc(1, sizeof *w + (count + 1) * sizeof *w->children);
    if (!w || !make_file_schema(name, &w->file)) {
        free(w);
        inner->release(inner);
        return ENOMEM;
    }
    w->inner = *inner;
    w->children[0] = &w->file;
    for (size_t i = 0; i < count; i++)
        w->children[i + 1] = w->inner.children[i];
    *ret_schema = w->inner;
    ret_schema->n_children = (int64_t)count + 1;
    ret_schema->children = w->children;
    ret_schema->release = release_wrapped_schema;
    ret_schema->private_data = w;
    return 0;
}

/* ---- workers ---- */

/* Ends the run: the stream fails. Locked. */
static void give_up(scan_run *run)
{
    run->no_memory = true;
    pthread_cond_signal(&run->changed);
    pthread_cond_broadcast(&run->room);
}

static void add_failure(scan_run *run, size_t input, int64_t rows, const reprise_error *error)
{
    pthread_mutex_lock(&run->lock);
    if (run->failure_count == run->failure_room) {
        size_t room = run->failure_room * 2 + 16;
        scan_failure *more = realloc(run->failures, room * sizeof *more);
        if (!more) {
            give_up(run);
        } else {
            run->failures = more;
            run->failure_room = room;
        }
    }
    if (run->failure_count < run->failure_room)
        run->failures[run->failure_count++] = (scan_failure){input, rows, *error};
    pthread_mutex_unlock(&run->lock);
}

/* Whether what is ready leaves room for more of this file. Locked. */
static bool has_room(const scan_run *run, size_t input)
{
    return run->bytes < run->plan->ahead_bytes || run->current == input;
}

/*
 * Hands a batch to the consumer once there is room, unless it comes from the consumer, who does not
 * wait for itself; false: stop. Takes over the batch.
 */
static bool push(worker *self, size_t input, struct ArrowArray *batch, size_t bytes)
{
    scan_run *run = self->run;
    bool waits = self != &run->workers[0];
    ready *item = malloc(sizeof *item);
    pthread_mutex_lock(&run->lock);
    if (!item)
        give_up(run);
    while (item && !run->stop && !run->no_memory && waits && !has_room(run, input))
        pthread_cond_wait(&run->room, &run->lock);
    bool taken = item && !run->stop, awaited = taken && run->current == input;
    if (taken) {
        *item = (ready){*batch, bytes, NULL};
        slot *at = &run->slots[input];
        if (at->last)
            at->last->next = item;
        else
            at->first = item;
        at->last = item;
        run->bytes += bytes;
    }
    pthread_mutex_unlock(&run->lock);
    /*
     * The consumer waits for this file only; waking it for others costs the workers. It is woken
     * when it can have the lock.
     */
    if (awaited)
        pthread_cond_signal(&run->changed);
    if (!taken) {
        batch->release(batch);
        free(item);
    }
    return taken;
}

static bool is_other_format(scan_run *run, reprise_replay *replay, reprise_error *error)
{
    const char *format = reprise_format(replay);
    if (strcmp(format, run->plan->format) == 0)
        return false;
    *error = (reprise_error)REPRISE_ERROR_INIT;
    error->status = REPRISE_E_UNSUPPORTED;
    snprintf(error->message, sizeof error->message,
             "the format is %.40s, and this scan reads %.40s", format, run->plan->format);
    return true;
}

static reprise_status open_input(const scan_plan *plan, size_t input, reprise_replay **ret_replay,
                                 reprise_error *error)
{
    const scan_input *from = &plan->inputs[input];
    if (from->path)
        return reprise_open_file(from->path, plan->options, ret_replay, error);
    return reprise_open_memory(from->data, from->size, plan->options, ret_replay, error);
}

static void begin_input(scan_run *run, size_t input, worker *by, reading *r)
{
    const scan_plan *plan = run->plan;
    *r = (reading){.input = input, .by = by, .error = REPRISE_ERROR_INIT};
    r->failed = open_input(plan, input, &r->replay, &r->error) != REPRISE_OK;
    r->other = !r->failed && is_other_format(run, r->replay, &r->error);
    if (r->failed || r->other)
        return;
    int track = reprise_track_find(r->replay, plan->track);
    r->failed = reprise_arrow_stream(r->replay, (size_t)track, &plan->batch, &r->stream,
                                     &r->error) != REPRISE_OK;
    if (!r->failed)
        r->failed = r->stream.get_schema(&r->stream, &r->schema) != 0;
}

/* The next batch with the column of files, and its size; false: the end, or a failure. */
static bool next_batch(scan_run *run, reading *r, struct ArrowArray *ret_batch, size_t *ret_bytes)
{
    struct ArrowArray batch = {0};
    if (!r->schema.release)
        return false;
    r->failed = r->stream.get_next(&r->stream, &batch) != 0;
    if (r->failed || !batch.release)
        return false;
    int64_t rows = batch.length;
    *ret_bytes = array_bytes(&r->schema, &batch) + BATCH_BYTES;
    if (!wrap_array(&batch, run->plan->inputs[r->input].name, r->by, ret_batch)) {
        pthread_mutex_lock(&run->lock);
        give_up(run);
        pthread_mutex_unlock(&run->lock);
        return false;
    }
    r->rows += rows;
    return true;
}

static void close_input(reading *r)
{
    if (r->schema.release)
        r->schema.release(&r->schema);
    if (r->stream.release)
        r->stream.release(&r->stream);
    reprise_close(r->replay);
}

/* Notes how the file ended. The consumer goes on to the next file while this one is closed. */
static void end_input(scan_run *run, reading *r)
{
    const reprise_error *reason = r->failed && r->stream.release ? reprise_arrow_error(&r->stream)
                                                                 : NULL;
    if (reason)
        r->error = *reason;
    bool skipped = r->other && run->plan->skip_others;
    if (r->failed || (r->other && !skipped))
        add_failure(run, r->input, r->rows, &r->error);
    pthread_mutex_lock(&run->lock);
    run->skipped += skipped;
    run->slots[r->input].done = true;
    bool awaited = run->current == r->input;
    pthread_mutex_unlock(&run->lock);
    if (awaited)
        pthread_cond_signal(&run->changed);
    close_input(r);
}

/* Frees what the consumer has released; at the end, batches released later free themselves. */
static void free_returned(worker *self, bool at_end)
{
    pthread_mutex_lock(&self->run->lock);
    wrapped_array *w = self->returned, *next;
    self->returned = NULL;
    self->ended = at_end;
    pthread_mutex_unlock(&self->run->lock);
    for (; w; w = next) {
        next = w->next;
        free_wrapped(w);
    }
}

static void read_input(worker *self, size_t input)
{
    reading r;
    struct ArrowArray batch;
    size_t bytes;
    free_returned(self, false); /* before new ones are made, which then have its memory */
    begin_input(self->run, input, self, &r);
    while (next_batch(self->run, &r, &batch, &bytes) && push(self, input, &batch, bytes))
        free_returned(self, false);
    end_input(self->run, &r);
}

static void *work(void *ctx)
{
    worker *self = ctx;
    scan_run *run = self->run;
    for (bool go_on = true; go_on;) {
        pthread_mutex_lock(&run->lock);
        go_on = !run->stop && !run->no_memory && run->next_input < run->plan->input_count;
        size_t input = go_on ? run->next_input++ : 0;
        pthread_mutex_unlock(&run->lock);
        if (go_on)
            read_input(self, input);
    }
    free_returned(self, true);
    return NULL;
}

/* ---- the consumer as a worker ---- */

/* Whether the consumer can read instead of waiting. It always can where it needs its own file. */
static bool can_read(const scan_run *run)
{
    size_t input = run->is_reading ? run->own.input : run->next_input;
    return input < run->plan->input_count && has_room(run, input);
}

/* Reads one batch, of a new file if none is begun. The lock, which is held, is free meanwhile. */
static void read_one(scan_run *run)
{
    worker *self = &run->workers[0];
    struct ArrowArray batch;
    size_t bytes, input = run->is_reading ? run->own.input : run->next_input++;
    pthread_mutex_unlock(&run->lock);
    free_returned(self, false);
    if (!run->is_reading)
        begin_input(run, input, self, &run->own);
    run->is_reading = next_batch(run, &run->own, &batch, &bytes) &&
                      push(self, input, &batch, bytes);
    if (!run->is_reading)
        end_input(run, &run->own);
    pthread_mutex_lock(&run->lock);
}

/* ---- the stream ---- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *ret_schema)
{
    const scan_plan *plan = ((scan_run *)stream->private_data)->plan;
    struct ArrowSchema inner = {0};
    if (reprise_arrow_schema(plan->format, plan->track, &plan->batch, &inner, NULL) != REPRISE_OK)
        return EINVAL;
    return wrap_schema(&inner, plan->file_column, ret_schema);
}

static void start(scan_run *run)
{
    for (run->worker_count = 1; run->worker_count < run->plan->threads; run->worker_count++) {
        worker *next = &run->workers[run->worker_count];
        if (pthread_create(&next->thread, NULL, work, next) != 0)
            break;
    }
}

/* The next batch, or NULL: the end, or no memory. Reads while there is none, or waits; locked. */
static ready *take(scan_run *run)
{
    while (!run->no_memory && run->current < run->plan->input_count) {
        slot *at = &run->slots[run->current];
        ready *item = at->first;
        if (item) {
            at->first = item->next;
            if (!at->first)
                at->last = NULL;
            run->bytes -= item->bytes;
            pthread_cond_broadcast(&run->room);
            return item;
        }
        if (at->done) {
            run->current++;
            pthread_cond_broadcast(&run->room);
        } else if (can_read(run)) {
            read_one(run);
        } else {
            pthread_cond_wait(&run->changed, &run->lock);
        }
    }
    return NULL;
}

/* From now on the batch may live longer than the stream. */
static void hand_over(scan_run *run, struct ArrowArray *batch)
{
    wrapped_array *w = batch->private_data;
    w->run = run;
    run_retain(run);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *ret_batch)
{
    scan_run *run = stream->private_data;
    pthread_mutex_lock(&run->lock);
    if (!run->worker_count)
        start(run);
    ready *item = take(run);
    pthread_mutex_unlock(&run->lock);
    *ret_batch = item ? item->batch : (struct ArrowArray){0};
    if (ret_batch->release)
        hand_over(run, ret_batch);
    free(item);
    pthread_mutex_lock(&run->lock);
    bool failed = run->no_memory;
    pthread_mutex_unlock(&run->lock);
    if (!failed)
        return 0;
    snprintf(run->text, sizeof run->text, "no memory for the scan");
    return ENOMEM;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    scan_run *run = stream->private_data;
    return *run->text ? run->text : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    scan_run *run = stream->private_data;
    pthread_mutex_lock(&run->lock);
    run->stop = true;
    pthread_cond_broadcast(&run->room);
    pthread_mutex_unlock(&run->lock);
    for (unsigned i = 1; i < run->worker_count; i++)
        pthread_join(run->workers[i].thread, NULL);
    if (run->is_reading)
        close_input(&run->own);
    free_returned(&run->workers[0], true);
    run_release(run);
    stream->release = NULL;
}

struct ArrowArrayStream run_stream(scan_run *run)
{
    return (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = run};
}

/* ---- the run ---- */

static void run_free(scan_run *run)
{
    for (size_t i = 0; run->slots && i < run->plan->input_count; i++) {
        for (ready *item = run->slots[i].first, *next; item; item = next) {
            next = item->next;
            item->batch.release(&item->batch);
            free(item);
        }
    }
    free(run->slots);
    free(run->workers);
    free(run->failures);
    plan_release(run->plan);
    free(run);
}

scan_run *run_new(scan_plan *plan)
{
    scan_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    atomic_init(&run->owners, 1);
    run->plan = plan_retain(plan);
    run->slots = calloc(plan->input_count + 1, sizeof *run->slots);
    run->workers = calloc(plan->threads + 1, sizeof *run->workers);
    if (!run->slots || !run->workers) {
        run_free(run);
        return NULL;
    }
    for (unsigned i = 0; i < plan->threads; i++)
        run->workers[i].run = run;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    pthread_cond_init(&run->room, NULL);
    return run;
}

void run_retain(scan_run *run)
{
    atomic_fetch_add(&run->owners, 1);
}

void run_release(scan_run *run)
{
    if (!run || atomic_fetch_sub(&run->owners, 1) != 1)
        return;
    pthread_mutex_destroy(&run->lock);
    pthread_cond_destroy(&run->changed);
    pthread_cond_destroy(&run->room);
    run_free(run);
}

static int by_input(const void *a, const void *b)
{
    const scan_failure *left = a, *right = b;
    return (left->input > right->input) - (left->input < right->input);
}

scan_failure *run_failures(scan_run *run, size_t *ret_count)
{
    pthread_mutex_lock(&run->lock);
    size_t count = run->failure_count;
    scan_failure *copy = malloc((count + 1) * sizeof *copy);
    if (copy && count)
        memcpy(copy, run->failures, count * sizeof *copy);
    pthread_mutex_unlock(&run->lock);
    if (copy)
        qsort(copy, count, sizeof *copy, by_input);
    *ret_count = copy ? count : 0;
    return copy;
}

scan_counts run_counts(scan_run *run)
{
    pthread_mutex_lock(&run->lock);
    scan_counts counts = {.files = run->current,
                          .skipped = run->skipped,
                          .failed = run->failure_count,
                          .complete = run->current == run->plan->input_count};
    pthread_mutex_unlock(&run->lock);
    return counts;
}
