/* track_reader.c - the C program that python_duel.py is compared with: opens a file and reads the
 * Arrow batches of one track. Loaded into Python, so that both sides run in one process. */
#include "reprise/arrow.h"

/*
 * The number of rows; -1 on failure. With `keeps`, a batch is released when the next one has been
 * read, as the variable of a loop in Python does it; two of them need more of the cache.
 */
REPRISE_API int64_t duel_read_track(const char *path, const char *track, int keeps);

static void release(struct ArrowArray *batch)
{
    if (batch->release)
        batch->release(batch);
}

int64_t duel_read_track(const char *path, const char *track, int keeps)
{
    reprise_replay *replay = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray batch, before = {0};
    int64_t rows = 0;
    if (reprise_open_file(path, NULL, &replay, NULL) != REPRISE_OK)
        return -1;
    int number = reprise_track_find(replay, track);
    if (number < 0 ||
        reprise_arrow_stream(replay, (size_t)number, NULL, &stream, NULL) != REPRISE_OK) {
        reprise_close(replay);
        return -1;
    }
    int failed;
    while ((failed = stream.get_next(&stream, &batch)) == 0 && batch.release) {
        rows += batch.length;
        release(&before);
        before = batch;
        if (!keeps)
            release(&before);
    }
    release(&before);
    stream.release(&stream);
    reprise_close(replay);
    return failed ? -1 : rows;
}
