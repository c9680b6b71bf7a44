/*
 * misuse_things.h - something valid of every handle, in two states: just made, and used up. The
 * program that make-misuse.py writes passes them to every public function.
 */
#ifndef MISUSE_THINGS_H
#define MISUSE_THINGS_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <reprise/arrow.h>
#include <reprise/catalog.h>
#include <reprise/foreign.h>
#include <reprise/ironcurtain/codec.h>
#include <reprise/ironcurtain/live.h>
#include <reprise/sandbox.h>
#include <reprise/scene.h>
#include <reprise/tables.h>
#include <reprise/write.h>

#include "end_child.h"

/* What the calls are given; the last round has other numbers and structs without a size. */
typedef enum given { FRESH, USED_UP, STRANGE, ROUNDS } given;

static inline void need(reprise_status status, const char *what)
{
    if (status == REPRISE_OK)
        return;
    fprintf(stderr, "cannot make %s: %s\n", what, reprise_status_name(status));
    _exit(3);
}

static inline int swallow(void *ctx, const void *data, size_t size)
{
    return (void)ctx, (void)data, (void)size, 0;
}

static inline const reprise_sink *a_sink(given state)
{
    static const reprise_sink good = {NULL, swallow}, bad = {NULL, NULL};
    return state == STRANGE ? &bad : &good;
}

static inline reprise_catalog *a_catalog(given state)
{
    reprise_catalog_options options = REPRISE_CATALOG_INIT;
    reprise_catalog *catalog = NULL;
    options.write = true;
    (void)state;
    options.root = "/absent";
    need(reprise_catalog_open(":memory:", &options, &catalog, NULL), "a catalog");
    return catalog;
}

static inline reprise_catalog_record *a_record(given state)
{
    reprise_catalog_record *record = NULL;
    need(reprise_catalog_read(state == FRESH ? "tests/data/ironcurtain/basic.icrep"
                                             : "tests/data/cs2kz/README.md",
                              NULL, &record, NULL),
         "a record");
    return record;
}

static inline reprise_options *some_options(given state)
{
    reprise_options *options = NULL;
    need(reprise_options_new(&options, NULL), "options");
    if (state == USED_UP)
        need(reprise_options_set_salvage(options, true, NULL), "salvage");
    return options;
}

static inline reprise_replay *a_replay(given state)
{
    static const char *const paths[] = {"tests/data/ironcurtain/basic.icrep",
                                        "tests/data/rumble/z4_published_spec.replay",
                                        "tests/data/openra/b-2018.orarep"};
    reprise_replay *replay = NULL;
    need(reprise_open_file(paths[state], NULL, &replay, NULL), "a replay");
    return replay;
}

static inline reprise_rows *some_rows(given state)
{
    reprise_rows *rows = NULL;
    need(reprise_rows_open(a_replay(state), NULL, &rows, NULL), "rows");
    while (state == USED_UP && reprise_rows_next(rows, NULL) == REPRISE_OK)
        continue;
    if (state == STRANGE)
        need(reprise_rows_next(rows, NULL), "a row");
    return rows;
}

static inline reprise_printer *a_printer(given state)
{
    reprise_printer *printer = NULL;
    need(reprise_printer_open(a_replay(state), NULL, a_sink(FRESH), &printer, NULL), "a printer");
    while (state == USED_UP && reprise_rows_next(reprise_printer_rows(printer), NULL) == REPRISE_OK)
        need(reprise_printer_row(printer, NULL), "a printed row");
    return printer;
}

static inline reprise_batches *some_batches(given state)
{
    reprise_batches *batches = NULL;
    const reprise_batch *batch = NULL;
    need(reprise_batches_open(a_replay(state), 0, NULL, &batches, NULL), "batches");
    while (state == USED_UP && reprise_batches_next(batches, &batch, NULL) == REPRISE_OK)
        continue;
    return batches;
}

static inline struct ArrowArrayStream *an_arrow_stream(given state)
{
    static struct ArrowArrayStream stream;
    struct ArrowArray batch = {.release = NULL};
    stream = (struct ArrowArrayStream){0};
    if (state != STRANGE)
        need(reprise_arrow_stream(a_replay(state), 0, NULL, &stream, NULL), "an Arrow stream");
    while (state == USED_UP && stream.get_next(&stream, &batch) == 0 && batch.release)
        batch.release(&batch);
    return &stream;
}

static inline const reprise_array *an_array(given state)
{
    static const reprise_array nothing;
    const reprise_batch *batch = NULL;
    if (state == USED_UP)
        return &nothing;
    need(reprise_batches_next(some_batches(state), &batch, NULL), "a batch");
    return batch->columns[batch->column_count - 1];
}

static inline reprise_scene *a_scene(given state)
{
    reprise_scene *scene = NULL;
    need(reprise_scene_open(a_replay(state), NULL, &scene, NULL), "a scene");
    return scene;
}

static inline reprise_database *a_database(given state)
{
    reprise_database *database = NULL;
    need(reprise_database_new(&database, NULL), "a database");
    if (state != FRESH)
        need(reprise_database_add(database, a_replay(state), NULL, NULL, NULL), "a replay");
    if (state == USED_UP)
        need(reprise_database_write(database, a_sink(FRESH), NULL), "the end of a database");
    return database;
}

static inline reprise_library *a_library(given state)
{
    reprise_library *library = NULL;
    (void)state;
    need(reprise_library_new(&library, NULL), "a library");
    return library;
}

static inline reprise_foreign *some_foreign(given state)
{
    reprise_foreign *foreign = NULL;
    (void)state;
    need(reprise_foreign_new(a_replay(STRANGE), &foreign, NULL), "recorded orders");
    return foreign;
}

static inline reprise_document *a_document(given state)
{
    reprise_document *document = NULL;
    need(reprise_document_new(&document, NULL), "a document");
    if (state == USED_UP) { /* after a failure */
        reprise_value *object = reprise_value_new_object(document);
        reprise_value_push(document, object, object);
    }
    return document;
}

static inline reprise_value *a_value(given state)
{
    reprise_document *document = a_document(FRESH);
    return state == FRESH     ? reprise_value_new_object(document)
           : state == USED_UP ? reprise_value_new_array(document)
                              : reprise_value_new_text(document, "x", 1);
}

static inline reprise_writer *a_writer(given state)
{
    reprise_writer *writer = NULL;
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = a_sink(FRESH);
    need(reprise_writer_begin(state == STRANGE ? "cs2kz" : "rumble", NULL, &options, NULL, &writer,
                              NULL),
         "a writer");
    if (state == USED_UP)
        need(reprise_writer_end(writer, NULL), "the end of a writer");
    return writer;
}

static inline reprise_ic_codec *a_codec(given state)
{
    reprise_ic_codec *codec = NULL;
    (void)state;
    need(reprise_ic_codec_new(NULL, &codec, NULL), "a codec");
    return codec;
}

static inline reprise_ic_skirmish *a_skirmish(given state)
{
    reprise_ic_skirmish *skirmish = NULL;
    need(reprise_ic_skirmish_new(NULL, &skirmish, NULL), "a game");
    if (state == STRANGE)
        need(reprise_ic_skirmish_start(skirmish, 1, 2, 2, NULL), "a match");
    return skirmish;
}

static inline const reprise_ic_snapshot *a_snapshot(void)
{
    static const reprise_ic_snapshot state = {
        .core = {.rng_state = {{1, 2, 3, 4}}, .map_state = {.width = 1, .height = 1}}};
    return &state;
}

static inline reprise_ic_writer *an_ic_writer(given state)
{
    reprise_ic_writer *writer = NULL;
    reprise_write_options options = REPRISE_WRITE_INIT;
    const uint8_t hash[32] = {0};
    options.sink = a_sink(FRESH);
    need(reprise_ic_writer_new("{}", NULL, REPRISE_LEVEL_DEFAULT, &writer, NULL), "a writer");
    if (state != FRESH)
        need(reprise_ic_writer_keyframe(writer, a_snapshot(), NULL), "a keyframe");
    if (state == USED_UP)
        need(reprise_ic_writer_finish(writer, 0, hash, &options, NULL), "the end of a writer");
    return writer;
}

static inline int64_t discard(void *ctx, uint64_t offset, const void *data, size_t size)
{
    return (void)ctx, (void)offset, (void)data, (int64_t)size;
}

static inline int64_t read_nothing(void *ctx, uint64_t offset, void *to, size_t size)
{
    return (void)ctx, (void)offset, (void)to, (void)size, 0;
}

static inline reprise_ic_recorder *a_recorder(given state)
{
    static const reprise_storage storage = {NULL, discard, read_nothing, NULL};
    reprise_ic_recorder *recorder = NULL;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    const uint8_t hash[32] = {0};
    options.storage = &storage;
    options.finished = a_sink(FRESH);
    need(reprise_ic_recorder_new("{}", &options, NULL, &recorder, NULL), "a recorder");
    if (state != FRESH)
        need(reprise_ic_recorder_keyframe(recorder, a_snapshot(), NULL), "a keyframe");
    /* Fails, because nothing was stored: a recorder after a failure. */
    if (state == USED_UP)
        (void)!reprise_ic_recorder_finish(recorder, NULL, hash, NULL);
    return recorder;
}

static inline reprise_ic_playback *a_playback(given state)
{
    reprise_ic_playback *playback = NULL;
    need(reprise_ic_playback_new(a_replay(FRESH), NULL, &playback, NULL), "a playback");
    if (state == USED_UP)
        need(reprise_ic_playback_seek(playback, reprise_ic_playback_length(playback), NULL),
             "the end of a playback");
    return playback;
}

/* Runs the calls of one function in a process of their own. Returns 1 if it does not end well. */
static inline int survives(const char *name, void (*calls)(void))
{
    pid_t child = fork();
    if (child == 0) {
        /* A sandbox, a pipe: whatever a call does to the process ends with it. */
        alarm(1200);
        calls();
        end_child(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    fprintf(stderr, "%s: %s %d\n", name, WIFSIGNALED(status) ? "signal" : "exit",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 1;
}

#endif
