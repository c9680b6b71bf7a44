/* arrow.c - the functions of reprise/arrow.h. */
#include "reprise/arrow.h"

#include <errno.h>

#include "batches.h"
#include "handle.h"

enum { ROWS_DEFAULT = 16384 };

typedef struct stream_state {
    reprise_replay *handle;
    rp_batches batches;
    reprise_error error; /* of the last call */
    char text[REPRISE_ERROR_TEXT_MAX];
} stream_state;

static int errno_of(reprise_status status)
{
    switch (status) {
    case REPRISE_OK:
    case REPRISE_END:
        return 0;
    case REPRISE_E_NOMEM:
        return ENOMEM;
    case REPRISE_E_CANCELLED:
        return ECANCELED;
    case REPRISE_E_IO:
        return EIO;
    default:
        return EINVAL;
    }
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *ret_schema)
{
    stream_state *state = stream->private_data;
    rp_error_clear(&state->error);
    rp_arrow_table table = rp_batches_table(&state->batches);
    return errno_of(rp_arrow_schema(&state->handle->context, &table, ret_schema, &state->error));
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *ret_batch)
{
    stream_state *state = stream->private_data;
    rp_error_clear(&state->error);
    const reprise_batch *batch = NULL;
    reprise_status status = rp_batches_next(&state->batches, &batch, &state->error);
    status = rp_end_with_cut(state->handle, status, &state->error);
    if (status == REPRISE_OK) {
        rp_arrow_table table = rp_batches_table(&state->batches);
        status = rp_arrow_batch(&state->handle->context, &table, batch->row_count, ret_batch,
                                &state->error);
    } else if (status == REPRISE_END) {
        *ret_batch = (struct ArrowArray){0}; /* no release: the end of the stream */
    }
    return errno_of(status);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    stream_state *state = stream->private_data;
    if (state->error.status == REPRISE_OK)
        return NULL;
    return reprise_error_text(&state->error, state->batches.track->name, state->text,
                              sizeof state->text);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_state *state = stream->private_data;
    reprise_replay *handle = state->handle;
    rp_batches_close(&state->batches);
    rp_free(&handle->context, state, sizeof *state);
    rp_release(handle);
    stream->release = NULL;
    stream->private_data = NULL;
}

reprise_status reprise_arrow_stream(reprise_replay *handle, size_t track,
                                    const reprise_batch_options *options,
                                    struct ArrowArrayStream *ret_stream, reprise_error *error)
{
    RP_ENTER(error, handle && ret_stream);
    reprise_batch_options all = REPRISE_BATCH_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    if (!all.rows_max)
        all.rows_max = ROWS_DEFAULT;
    stream_state *state = rp_alloc_zero(&handle->context, 1, sizeof *state, error);
    if (!state)
        return error->status;
    state->handle = rp_retain(handle);
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .get_last_error = get_last_error,
                                      .release = release_stream,
                                      .private_data = state};
    if (rp_batches_open(&state->batches, rp_use(handle), track, &all, true, error) != REPRISE_OK) {
        release_stream(&stream);
        return error->status;
    }
    *ret_stream = stream;
    return REPRISE_OK;
}

const reprise_error *reprise_arrow_error(const struct ArrowArrayStream *stream)
{
    if (!stream || stream->release != release_stream)
        return NULL;
    const stream_state *state = stream->private_data;
    return state->error.status == REPRISE_OK ? NULL : &state->error;
}

static reprise_status find_track(const rp_format *format, const char *name, size_t *ret_track,
                                 reprise_error *error)
{
    for (size_t i = 0; i < format->track_count; i++) {
        if (strcmp(format->tracks[i].name, name) == 0) {
            *ret_track = i;
            return REPRISE_OK;
        }
    }
    return rp_error_set(error, REPRISE_E_USAGE, "format %s has no track '%.80s'", format->name,
                        name);
}

reprise_status reprise_arrow_schema(const char *format, const char *track,
                                    const reprise_batch_options *options,
                                    struct ArrowSchema *ret_schema, reprise_error *error)
{
    RP_ENTER(error, format && track && ret_schema);
    reprise_batch_options all = REPRISE_BATCH_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    const rp_format *found = NULL;
    size_t number = 0;
    RP_TRY(rp_known_format(format, &found, error));
    RP_TRY(find_track(found, track, &number, error));
    rp_context context;
    rp_context_init(&context, NULL);
    rp_batches batches;
    reprise_status status = rp_batches_open_schema(&batches, &context, found, number, &all, error);
    if (status == REPRISE_OK) {
        rp_arrow_table table = rp_batches_table(&batches);
        status = rp_arrow_schema(&context, &table, ret_schema, error);
    }
    rp_batches_close(&batches);
    return status;
}
