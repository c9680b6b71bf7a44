/*
 * fuzz_mcreplay.h - shared by the fuzz targets of Minecraft's scenes. Archives and their checksums
 * would reject nearly every mutation, so the input is one member and the archive is made here.
 */
#ifndef FUZZ_MCREPLAY_H
#define FUZZ_MCREPLAY_H

#include <stdlib.h>

#include "checked.h"
#include "exercise.h"
#include "fuzz.h"
#include "hash.h"
#include "options.h"
#include "reprise/scene.h"
#include "reprise/write.h"
#include "stored_archive.h"
#include "writer.h"

typedef struct fuzz_result {
    uint8_t *data;
    size_t size;
} fuzz_result;

static inline int fuzz_collect(void *ctx, const void *data, size_t size)
{
    fuzz_result *to = ctx;
    uint8_t *more = realloc(to->data, to->size + size + 1);
    if (!more)
        return -1;
    if (size)
        memcpy(more + to->size, data, size);
    to->data = more;
    to->size += size;
    return 0;
}

/* A written file can be read, and writing it again gives the same bytes. */
static inline void fuzz_write(const void *data, size_t size, const reprise_options *options,
                              int round, const fuzz_result *before)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    const reprise_value *report = NULL;
    fuzz_result result = {0};
    reprise_sink sink = {.ctx = &result, .write = fuzz_collect};
    reprise_write_options how = REPRISE_WRITE_INIT;
    how.sink = &sink;
    how.layout = "0.3.0";
    how.lossy = true;
    reprise_status opened = reprise_open_memory(data, size, options, &replay, &error);
    if (round && opened != REPRISE_OK)
        abort();
    if (opened == REPRISE_OK && reprise_convert(replay, &how, &report, &error) == REPRISE_OK) {
        if (before &&
            (before->size != result.size || memcmp(before->data, result.data, result.size) != 0))
            abort();
        if (!round)
            fuzz_write(result.data, result.size, options, 1, NULL);
        else if (!before)
            fuzz_write(result.data, result.size, options, 2, &result);
    }
    reprise_close(replay);
    free(result.data);
}

static inline void fuzz_scene(const void *data, size_t size, const reprise_options *options)
{
    exercise e = {0};
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    if (reprise_open_memory(data, size, options, &replay, &error) == REPRISE_OK &&
        reprise_scene_open(replay, NULL, &scene, &error) == REPRISE_OK)
        (void)!reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error);
    reprise_scene_close(scene);
    reprise_close(replay);
}

/* Reads, shows and writes an archive of these members. */
static inline void fuzz_archive(entry *entries, size_t count)
{
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", 64 << 20);
    rp_context context;
    rp_context_init(&context, options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_writer_init(&file, &context, SIZE_MAX / 2, &error);
    put_zip(&file, entries, count);
    exercise_memory(file.data, file.size, options);
    fuzz_scene(file.data, file.size, options);
    fuzz_write(file.data, file.size, options, 0, NULL);
    rp_writer_free(&file);
}

static const char fuzz_meta[] = "{\"version\":\"0.3.0\",\"offset\":[0,0,0]}";

#endif
