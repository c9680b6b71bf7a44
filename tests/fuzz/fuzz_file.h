/*
 * fuzz_file.h - what the targets that read whole files share. The input is a file of one format
 * (or of any), it is opened, and one thing is done with it. Doing everything in each run would
 * take 20 times as long; the input's own bytes choose, so that a finding can be repeated.
 */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <reprise/foreign.h>
#include <reprise/scene.h>
#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"
#include "options.h"

typedef struct fuzz_file {
    const uint8_t *data;
    size_t size;
    const char *format;
    bool salvage;
} fuzz_file;

typedef struct fuzz_result {
    uint8_t *data;
    size_t size, capacity;
} fuzz_result;

static inline void must(bool condition)
{
    if (!condition)
        abort();
}

static inline int fuzz_collect(void *ctx, const void *data, size_t size)
{
    fuzz_result *to = ctx;
    if (size > to->capacity - to->size) {
        to->capacity = 2 * (to->size + size) + 1;
        to->data = realloc(to->data, to->capacity);
        must(to->data != NULL);
    }
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
    return 0;
}

/* Small limits: a fuzzer should find wrong code, not slow files. */
static inline void fuzz_set(const fuzz_file *file, reprise_options *options)
{
    reprise_options_set_format(options, file->format, NULL);
    reprise_options_set_salvage(options, file->salvage, NULL);
    options_limit(options, "decoded_bytes", 1 << 20);
    options_limit(options, "memory_bytes", 64 << 20);
    options_limit(options, "items", 1 << 16);
}

static inline reprise_replay *fuzz_open(const fuzz_file *file)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    TEST_OPTIONS(options);
    fuzz_set(file, options);
    reprise_status status = reprise_open_memory(file->data, file->size, options, &replay, &error);
    must((status == REPRISE_OK) == (replay != NULL));
    return replay;
}

/* ---- reading ---- */

static inline void fuzz_rows(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    exercise_rows(&e, replay, false);
}

static inline void fuzz_dense_rows(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    exercise_rows(&e, replay, true);
}

static inline void fuzz_moments(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    exercise_moments(&e, replay);
    exercise_blobs(&e, replay);
}

static inline void fuzz_stats(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_stats(replay, &document, &error) == REPRISE_OK)
        exercise_document(&e, document);
}

static inline void fuzz_verify(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary;
    if (reprise_verify(replay, NULL, NULL, &summary, &error) == REPRISE_OK) {
        exercise_document(&e, summary.document);
        must((summary.faults > 0) == (summary.worst != REPRISE_OK));
    }
}

static inline void fuzz_scene(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    exercise e = {0};
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_scene *scene = NULL;
    if (reprise_scene_open(replay, NULL, &scene, &error) == REPRISE_OK) {
        (void)!reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error);
        reprise_scene_close(scene);
    }
}

static int64_t fuzz_read_little(void *ctx, uint64_t offset, void *to, size_t size)
{
    const fuzz_file *file = ctx;
    size_t left = offset < file->size ? file->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    n = n < 301 ? n : 301;
    memcpy(to, file->data + offset, n);
    return (int64_t)n;
}

/* A source that hands out few bytes at a time shows the same as memory. */
static inline void fuzz_callbacks(const fuzz_file *file, reprise_replay *replay)
{
    exercise first = {0}, second = {0};
    fuzz_file copy = *file;
    reprise_source source = {.ctx = &copy, .size = file->size, .read = fuzz_read_little};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *other = NULL;
    TEST_OPTIONS(options);
    fuzz_set(file, options);
    must(reprise_open_source(&source, options, &other, &error) == REPRISE_OK);
    exercise_rows(&first, replay, false);
    exercise_rows(&second, other, false);
    must(first.digest == second.digest && first.read == second.read);
    reprise_close(other);
}

/* ---- writing ---- */

typedef reprise_status fuzz_change(reprise_replay *replay, const reprise_write_options *how,
                                   reprise_error *error);

static inline reprise_status fuzz_convert(reprise_replay *replay, const reprise_write_options *how,
                                          reprise_error *error)
{
    const reprise_value *report = NULL;
    reprise_write_options same = *how;
    same.layout = reprise_layout(replay);
    return reprise_convert(replay, &same, &report, error);
}

static inline reprise_status fuzz_anonymize(reprise_replay *replay,
                                            const reprise_write_options *how, reprise_error *error)
{
    const reprise_value *report = NULL;
    return reprise_anonymize(replay, REPRISE_PRIVATE_ALL, how, &report, error);
}

static inline reprise_status fuzz_recover(reprise_replay *replay, const reprise_write_options *how,
                                          reprise_error *error)
{
    const reprise_value *report = NULL;
    return reprise_recover(replay, how, &report, error);
}

static inline bool fuzz_write(const fuzz_file *file, reprise_replay *replay, fuzz_change *change,
                              fuzz_result *ret_result)
{
    (void)file;
    reprise_sink sink = {.ctx = ret_result, .write = fuzz_collect};
    reprise_write_options how = REPRISE_WRITE_INIT;
    reprise_error error = REPRISE_ERROR_INIT;
    how.sink = &sink;
    how.lossy = true;
    return change(replay, &how, &error) == REPRISE_OK && ret_result->size;
}

/* What was written opens, and can be compared with what it was made of. */
static inline void fuzz_written(const fuzz_file *file, reprise_replay *replay, fuzz_change *change,
                                bool stable)
{
    fuzz_result once = {0}, twice = {0};
    if (fuzz_write(file, replay, change, &once)) {
        fuzz_file made = {.data = once.data, .size = once.size, .format = file->format};
        reprise_replay *result = fuzz_open(&made);
        must(result != NULL);
        if (stable && fuzz_write(&made, result, change, &twice))
            must(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
        reprise_diff_options how = REPRISE_DIFF_INIT;
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *report = NULL;
        bool equal = false;
        if (!stable && reprise_diff(replay, result, &how, &equal, &report, &error) == REPRISE_OK)
            must(report != NULL);
        reprise_close(result);
    }
    free(once.data);
    free(twice.data);
}

/* What we wrote is written again as the same bytes. */
static inline void fuzz_write_twice(const fuzz_file *file, reprise_replay *replay)
{
    fuzz_written(file, replay, fuzz_convert, true);
}

static inline void fuzz_write_anonymous(const fuzz_file *file, reprise_replay *replay)
{
    fuzz_written(file, replay, fuzz_anonymize, false);
}

static inline void fuzz_foreign(const fuzz_file *file, reprise_replay *replay)
{
    (void)file;
    reprise_foreign *foreign = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_foreign_new(replay, &foreign, &error) == REPRISE_OK)
        reprise_foreign_free(foreign);
}

/* Recovery reads what cannot be opened otherwise, so it opens the file itself. */
static inline void fuzz_salvage(const fuzz_file *file)
{
    fuzz_file damaged = *file;
    damaged.salvage = true;
    reprise_replay *replay = fuzz_open(&damaged);
    if (replay)
        fuzz_written(&damaged, replay, fuzz_recover, false);
    reprise_close(replay);
}

/* ---- one run ---- */

static inline uint64_t fuzz_choice(const uint8_t *data, size_t size)
{
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    exercise_digest(&e, data, size);
    return e.digest >> 17;
}

/* `format` NULL: whatever the content says. */
static inline int fuzz_whole_file(const char *format, const uint8_t *data, size_t size)
{
    typedef void fuzz_step(const fuzz_file *file, reprise_replay *replay);
    static fuzz_step *const steps[] = {fuzz_rows,        fuzz_dense_rows,      fuzz_moments,
                                       fuzz_stats,       fuzz_verify,          fuzz_scene,
                                       fuzz_callbacks,   fuzz_write_twice,     fuzz_foreign,
                                       fuzz_write_twice, fuzz_write_anonymous, NULL};
    fuzz_file file = {.data = data, .size = size, .format = format};
    fuzz_step *step = steps[fuzz_choice(data, size) % (sizeof steps / sizeof steps[0])];
    if (!step) {
        fuzz_salvage(&file);
        return 0;
    }
    reprise_replay *replay = fuzz_open(&file);
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (replay) {
        exercise e = {0};
        if (reprise_info(replay, &document, &error) == REPRISE_OK)
            exercise_document(&e, document);
        step(&file, replay);
    }
    reprise_close(replay);
    return 0;
}

#endif
