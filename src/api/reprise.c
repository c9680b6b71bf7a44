/* reprise.c - the public functions of reading: handles, argument checks, ownership. */
#include "extract.h"
#include "handle.h"
#include "json.h"
#include "rows.h"
#include "skirmish/skirmish.h"

const char *reprise_version(void)
{
    return REPRISE_VERSION;
}

unsigned reprise_version_number(void)
{
    return REPRISE_VERSION_NUMBER;
}

/* ---- opening ---- */

/* Copies the settings that must outlive the options object. */
static reprise_status keep_settings(reprise_replay *handle, const reprise_options *options,
                                    reprise_error *error)
{
    if (!options)
        return REPRISE_OK;
    if (options->layout) {
        handle->layout = rp_arena_text(&handle->settings, options->layout, strlen(options->layout),
                                       error);
        RP_TRY(error->status);
    }
    size_t size = options->trusted_key_count * RP_TRUSTED_KEY_SIZE;
    if (!size)
        return REPRISE_OK;
    uint8_t *keys = rp_arena_alloc(&handle->settings, size, error);
    if (!keys)
        return error->status;
    memcpy(keys, options->trusted_keys, size);
    handle->context.trusted_keys = keys;
    handle->context.trusted_key_count = options->trusted_key_count;
    return REPRISE_OK;
}

static reprise_replay *new_handle(const reprise_options *options, reprise_error *error)
{
    rp_context context;
    rp_context_init(&context, options);
    reprise_replay *handle = rp_alloc_zero(&context, 1, sizeof *handle, error);
    if (!handle)
        return NULL;
    rp_context_init(&handle->context, options);
    handle->context.engine = &skirmish_engine;
    rp_arena_init(&handle->answer, &handle->context);
    rp_arena_init(&handle->settings, &handle->context);
    handle->references = 1;
    if (keep_settings(handle, options, error) != REPRISE_OK) {
        rp_release(handle);
        return NULL;
    }
    return handle;
}

reprise_replay *rp_retain(reprise_replay *handle)
{
    handle->references++;
    return handle;
}

void rp_release(reprise_replay *handle)
{
    if (--handle->references)
        return;
    rp_arena_free(&handle->answer);
    rp_replay_close(handle->verified);
    rp_replay_close(handle->replay);
    rp_source_close(handle->source);
    rp_arena_free(&handle->settings);
    handle->context.allocator.free(handle->context.allocator.ctx, handle, sizeof *handle);
}

void reprise_close(reprise_replay *handle)
{
    if (!handle || handle->closed)
        return;
    handle->closed = true;
    rp_release(handle);
}

/* A full read may settle the layout and with it the columns. */
reprise_status rp_refresh_columns(reprise_replay *handle, reprise_error *error)
{
    if (handle->columns_layout == handle->replay->layout)
        return REPRISE_OK;
    RP_TRY(rp_columns_make(handle->replay, &handle->replay->arena, &handle->columns, error));
    handle->columns_layout = handle->replay->layout;
    return REPRISE_OK;
}

/*
 * A file that is cut short opens for everything complete, where its format can. Rows then end with
 * the reason, and operations that write refuse it.
 */
static reprise_status open_cut(reprise_replay *handle, const char *format, reprise_error *error)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (rp_replay_open_damaged(&handle->context, handle->source, format, handle->layout,
                               &handle->replay, &ignored) != REPRISE_OK)
        return error->status;
    handle->replay->cut = true;
    handle->cut = *error;
    rp_error_advise(&handle->cut, REPRISE_HINT_RECOVER);
    rp_error_clear(error);
    return REPRISE_OK;
}

/* Takes over the handle, whose source is open. */
static reprise_status finish_open(reprise_replay *handle, const reprise_options *options,
                                  reprise_replay **ret_replay, reprise_error *error)
{
    bool salvage = options && options->salvage;
    const char *format = options ? options->format : NULL;
    reprise_status status = (salvage ? rp_replay_open_damaged : rp_replay_open)(
        &handle->context, handle->source, format, handle->layout, &handle->replay, error);
    if (status == REPRISE_E_TRUNCATED && !salvage)
        status = open_cut(handle, format, error);
    if (status == REPRISE_OK)
        status = rp_refresh_columns(handle, error);
    if (status != REPRISE_OK) {
        reprise_close(handle);
        return status;
    }
    *ret_replay = handle;
    return REPRISE_OK;
}

/* Where the bytes are; exactly one of the four is set. */
typedef struct origin {
    const char *path;
    const void *data;
    size_t size;
    const reprise_source *callbacks;
    int fd;
} origin;

static reprise_status open_origin(rp_context *context, const origin *from, rp_source **ret_source,
                                  reprise_error *error)
{
    if (from->path)
        return rp_source_open_file(context, from->path, ret_source, error);
    if (from->callbacks)
        return rp_source_open_callbacks(context, from->callbacks, ret_source, error);
    if (from->fd >= 0)
        return rp_source_open_pipe(context, from->fd, ret_source, error);
    return rp_source_open_memory(context, from->data, from->size, ret_source, error);
}

static reprise_status open_replay(const origin *from, const reprise_options *options,
                                  reprise_replay **ret_replay, reprise_error *error)
{
    reprise_replay *handle = new_handle(options, error);
    if (!handle) {
        if (from->callbacks && from->callbacks->close)
            from->callbacks->close(from->callbacks->ctx);
        return error->status;
    }
    if (open_origin(&handle->context, from, &handle->source, error) != REPRISE_OK) {
        reprise_close(handle);
        return error->status;
    }
    /* A pipe was counted while it was read. */
    if (!handle->context.input_bytes)
        rp_context_add_input(&handle->context, rp_source_size(handle->source));
    return finish_open(handle, options, ret_replay, error);
}

reprise_status reprise_open_file(const char *path, const reprise_options *options,
                                 reprise_replay **ret_replay, reprise_error *error)
{
    RP_ENTER(error, path && ret_replay);
    return open_replay(&(origin){.path = path, .fd = -1}, options, ret_replay, error);
}

reprise_status reprise_open_memory(const void *data, size_t size, const reprise_options *options,
                                   reprise_replay **ret_replay, reprise_error *error)
{
    RP_ENTER(error, ret_replay && (data || !size));
    return open_replay(&(origin){.data = data, .size = size, .fd = -1}, options, ret_replay, error);
}

reprise_status reprise_open_source(const reprise_source *source, const reprise_options *options,
                                   reprise_replay **ret_replay, reprise_error *error)
{
    RP_ENTER(error, source);
    if (!ret_replay && source->close)
        source->close(source->ctx);
    if (!ret_replay)
        return rp_error_set(error, REPRISE_E_USAGE, "ret_replay is NULL");
    return open_replay(&(origin){.callbacks = source, .fd = -1}, options, ret_replay, error);
}

reprise_status reprise_open_pipe(int fd, const reprise_options *options,
                                 reprise_replay **ret_replay, reprise_error *error)
{
    RP_ENTER(error, ret_replay);
    return open_replay(&(origin){.fd = fd}, options, ret_replay, error);
}

const char *reprise_format(const reprise_replay *handle)
{
    if (!handle)
        return NULL;
    return handle->replay->format->name;
}

const char *reprise_layout(const reprise_replay *handle)
{
    if (!handle)
        return NULL;
    const rp_replay *last = handle->verified ? handle->verified : handle->replay;
    return last->layout; /* may be settled only by a full read */
}

const char *reprise_item_name(const reprise_replay *handle, const char *order, const char *item)
{
    if (!handle || !item)
        return NULL;
    const rp_format_analyse *analyse = handle->replay->format->analyse;
    return analyse && analyse->item_name ? analyse->item_name(handle->replay, order, item) : NULL;
}

reprise_status reprise_info(reprise_replay *handle, const reprise_value **ret_info,
                            reprise_error *error)
{
    RP_ENTER(error, handle && ret_info);
    if (!handle->info) {
        rp_doc doc = {.arena = &handle->replay->arena, .error = error};
        double seconds = 0;
        reprise_error damage = REPRISE_ERROR_INIT;
        RP_TRY(rp_replay_length(rp_use(handle), &seconds, &damage, error));
        if (damage.status != REPRISE_OK)
            rp_note_error(&handle->replay->findings, reprise_format(handle), &damage);
        RP_TRY(rp_describe_info(handle->replay, &doc, &handle->info, error));
    }
    *ret_info = handle->info;
    return REPRISE_OK;
}

reprise_status reprise_duration(reprise_replay *handle, double *ret_seconds, reprise_error *error)
{
    RP_ENTER(error, handle && ret_seconds);
    return rp_replay_length(rp_use(handle), ret_seconds, NULL, error);
}

/* ---- tracks ---- */

size_t reprise_track_count(const reprise_replay *handle)
{
    if (!handle)
        return 0;
    return handle->replay->format->track_count;
}

const char *reprise_track_name(const reprise_replay *handle, size_t track)
{
    if (!handle)
        return NULL;
    return track < reprise_track_count(handle) ? handle->replay->format->tracks[track].name : NULL;
}

const char *reprise_track_doc(const reprise_replay *handle, size_t track)
{
    if (!handle)
        return NULL;
    return track < reprise_track_count(handle) ? handle->replay->format->tracks[track].doc : NULL;
}

int reprise_track_find(const reprise_replay *handle, const char *name)
{
    if (!handle || !name)
        return -1;
    for (size_t i = 0; i < reprise_track_count(handle); i++) {
        if (strcmp(handle->replay->format->tracks[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

size_t reprise_column_count(const reprise_replay *handle, size_t track)
{
    if (!handle)
        return 0;
    return track < reprise_track_count(handle) ? handle->columns.count[track] : 0;
}

const reprise_column *reprise_column_at(const reprise_replay *handle, size_t track, size_t column)
{
    if (!handle)
        return NULL;
    if (column >= reprise_column_count(handle, track))
        return NULL;
    return &handle->columns.of[track][column].about;
}

int reprise_column_find(const reprise_replay *handle, size_t track, const char *name)
{
    if (!handle || !name)
        return -1;
    for (size_t i = 0; i < reprise_column_count(handle, track); i++) {
        if (strcmp(handle->columns.of[track][i].about.name, name) == 0)
            return (int)i;
    }
    return -1;
}

/* ---- operations ---- */

rp_doc rp_new_answer(reprise_replay *handle, reprise_error *error)
{
    rp_arena_reset(&handle->answer);
    return (rp_doc){.arena = &handle->answer, .error = error};
}

reprise_status reprise_at(reprise_replay *handle, reprise_moment moment,
                          const reprise_value **ret_state, reprise_error *error)
{
    RP_ENTER(error, handle && ret_state);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *state = NULL;
    RP_TRY(rp_describe_at(rp_use(handle), &handle->columns, moment, &doc, &state, error));
    *ret_state = state;
    return REPRISE_OK;
}

reprise_status reprise_stats(reprise_replay *handle, const reprise_value **ret_stats,
                             reprise_error *error)
{
    RP_ENTER(error, handle && ret_stats);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *stats = NULL;
    RP_TRY(rp_describe_stats(rp_use(handle), &doc, &stats, error));
    *ret_stats = stats;
    return REPRISE_OK;
}

/* ---- blobs ---- */

size_t reprise_blob_count(const reprise_replay *handle)
{
    if (!handle)
        return 0;
    reprise_error ignored = REPRISE_ERROR_INIT;
    return rp_replay_blobs(rp_use(handle), &ignored) == REPRISE_OK ? handle->replay->blob_count : 0;
}

const reprise_blob *reprise_blob_at(const reprise_replay *handle, size_t index)
{
    if (!handle)
        return NULL;
    return index < reprise_blob_count(handle) ? &handle->replay->blobs[index] : NULL;
}

reprise_status reprise_blob_read(reprise_replay *handle, size_t index, const reprise_sink *sink,
                                 reprise_error *error)
{
    RP_ENTER(error, handle && sink && sink->write);
    RP_TRY(rp_replay_blobs(rp_use(handle), error));
    if (index >= handle->replay->blob_count)
        return rp_error_set(error, REPRISE_E_USAGE, "blob %zu is out of range (%zu blobs)", index,
                            handle->replay->blob_count);
    const reprise_blob *blob = &handle->replay->blobs[index];
    if (blob->barred)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%.80s: %s", blob->name, blob->barred);
    rp_stream *stream = NULL;
    RP_TRY(handle->replay->format->read->blob_open(handle->replay, index, &stream, error));
    reprise_status status;
    for (;;) {
        uint8_t piece[1 << 14];
        size_t size = 0;
        status = rp_stream_read(stream, piece, sizeof piece, &size, error);
        if (status != REPRISE_OK || !size)
            break;
        int cause = sink->write(sink->ctx, piece, size);
        if (cause) {
            error->cause = cause;
            status = rp_error_set(error, REPRISE_E_IO, "cannot write: %s", strerror(cause));
            break;
        }
    }
    rp_stream_close(stream);
    return status;
}

reprise_status reprise_extract(reprise_replay *handle, const reprise_extract_options *options,
                               const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    reprise_extract_options all = REPRISE_EXTRACT_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    if (!all.directory)
        return rp_error_set(error, REPRISE_E_USAGE, "directory is NULL");
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = rp_new_object(&doc);
    RP_TRY(rp_extract(rp_use(handle), &all, &doc, report, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

/* ---- the library itself ---- */

struct reprise_library {
    rp_context context;
    rp_arena arena;
};

reprise_status reprise_library_new(reprise_library **ret_library, reprise_error *error)
{
    RP_ENTER(error, ret_library);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_library *library = rp_alloc_zero(&context, 1, sizeof *library, error);
    if (!library)
        return error->status;
    rp_context_init(&library->context, NULL);
    rp_arena_init(&library->arena, &library->context);
    *ret_library = library;
    return REPRISE_OK;
}

void reprise_library_free(reprise_library *library)
{
    if (!library)
        return;
    rp_arena_free(&library->arena);
    library->context.allocator.free(library->context.allocator.ctx, library, sizeof *library);
}

reprise_status reprise_formats(reprise_library *library, const reprise_value **ret_formats,
                               reprise_error *error)
{
    RP_ENTER(error, library && ret_formats);
    rp_doc doc = {.arena = &library->arena, .error = error};
    reprise_value *formats = NULL;
    RP_TRY(rp_describe_formats(&doc, &formats));
    *ret_formats = formats;
    return REPRISE_OK;
}

reprise_status rp_known_format(const char *name, const rp_format **ret_format, reprise_error *error)
{
    const rp_format *found = rp_format_find(name);
    if (!found) {
        rp_error_set(error, REPRISE_E_USAGE, "there is no format '%.80s'", name);
        rp_error_advise(error, REPRISE_HINT_FORMATS);
        return error->status;
    }
    *ret_format = found;
    return REPRISE_OK;
}

reprise_status reprise_schema(reprise_library *library, const char *format,
                              const reprise_value **ret_schema, reprise_error *error)
{
    RP_ENTER(error, library && format && ret_schema);
    const rp_format *found = NULL;
    RP_TRY(rp_known_format(format, &found, error));
    rp_doc doc = {.arena = &library->arena, .error = error};
    reprise_value *schema = NULL;
    RP_TRY(rp_describe_schema(&doc, found, &schema));
    *ret_schema = schema;
    return REPRISE_OK;
}
