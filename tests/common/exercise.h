/*
 * exercise.h - does everything with a replay that the public header offers, and boils the answers
 * down to one number. Two ways of reading the same bytes must give the same number; damaged bytes
 * may give any, as long as nothing breaks.
 */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <reprise/reprise.h>
#include <string.h>

typedef struct exercise {
    uint64_t digest; /* of everything that was shown */
    uint64_t rows;
    reprise_status opened; /* what opening said */
    reprise_status read;   /* what reading all rows said: REPRISE_END when nothing was wrong */
} exercise;

/* FNV-1a, kept out of what fuzzers count: it runs over every byte that is shown. */
#if defined(__clang__)
__attribute__((no_sanitize("coverage")))
#endif
static inline void
exercise_digest(exercise *e, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        e->digest = (e->digest ^ p[i]) * UINT64_C(1099511628211);
}

static inline int exercise_write(void *ctx, const void *data, size_t size)
{
    exercise_digest(ctx, data, size);
    return 0;
}

static inline void exercise_document(exercise *e, const reprise_value *document)
{
    reprise_sink sink = {.ctx = e, .write = exercise_write};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_value_write(document, REPRISE_JSON_COMPACT, &sink, &error);
    exercise_digest(e, &status, sizeof status);
}

static inline void exercise_rows(exercise *e, reprise_replay *replay, bool every_frame)
{
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.every_frame = every_frame;
    reprise_row_text_options text = {.struct_size = sizeof text,
                                     .style = every_frame ? REPRISE_ROW_CSV : REPRISE_ROW_JSON,
                                     .with_track = true,
                                     .with_stored = true};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    e->read = reprise_rows_open(replay, &options, &rows, &error);
    while (e->read == REPRISE_OK && (e->read = reprise_rows_next(rows, &error)) == REPRISE_OK) {
        const char *line;
        size_t size;
        if (reprise_row_format(rows, &text, &line, &size, &error) != REPRISE_OK)
            break;
        exercise_digest(e, line, size);
        e->rows++;
    }
    reprise_rows_close(rows);
}

static inline void exercise_moments(exercise *e, reprise_replay *replay)
{
    static const double times[] = {0, 0.5, 1e9, -1};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *state = NULL;
        if (reprise_at(replay, (reprise_moment){.time = times[i]}, &state, &error) == REPRISE_OK)
            exercise_document(e, state);
    }
}

static inline void exercise_blobs(exercise *e, reprise_replay *replay)
{
    reprise_sink sink = {.ctx = e, .write = exercise_write};
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = reprise_blob_read(replay, i, &sink, &error);
        exercise_digest(e, &status, sizeof status);
    }
}

/* Everything with an open replay, which the caller closes. */
static inline void exercise_replay(exercise *e, reprise_replay *replay)
{
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_info(replay, &document, &error) == REPRISE_OK)
        exercise_document(e, document);
    exercise_rows(e, replay, true);
    exercise_rows(e, replay, false);
    exercise_moments(e, replay);
    error = (reprise_error)REPRISE_ERROR_INIT;
    if (reprise_stats(replay, &document, &error) == REPRISE_OK)
        exercise_document(e, document);
    error = (reprise_error)REPRISE_ERROR_INIT;
    reprise_verify_summary summary;
    if (reprise_verify(replay, NULL, NULL, &summary, &error) == REPRISE_OK)
        exercise_document(e, summary.document);
    exercise_blobs(e, replay);
}

static inline exercise exercise_memory(const void *data, size_t size,
                                       const reprise_options *options)
{
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    e.opened = reprise_open_memory(data, size, options, &replay, &error);
    if (e.opened == REPRISE_OK)
        exercise_replay(&e, replay);
    reprise_close(replay);
    return e;
}

#endif
