/*
 * decode_all.h - our side of most duels: a replay in memory, and all of its rows with their
 * complete states, as far as the layers below the text go.
 */
#ifndef DECODE_ALL_H
#define DECODE_ALL_H

#include "duel.h"
#include "format.h"

typedef struct opened {
    rp_context context;
    rp_source *source;
    rp_replay *replay;
    uint8_t *file;
    size_t file_size;
} opened;

/* Ends the program if the file is not a replay of that format. */
static inline void open_replay(const char *path, const char *format, opened *ret_opened)
{
    reprise_error error = REPRISE_ERROR_INIT;
    ret_opened->file = duel_read_file(path, &ret_opened->file_size);
    rp_context_init(&ret_opened->context, NULL);
    if (rp_source_open_memory(&ret_opened->context, ret_opened->file, ret_opened->file_size,
                              &ret_opened->source, &error) != REPRISE_OK ||
        rp_replay_open(&ret_opened->context, ret_opened->source, format, NULL, &ret_opened->replay,
                       &error) != REPRISE_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(1);
    }
}

static inline void close_replay(opened *o)
{
    rp_replay_close(o->replay);
    rp_source_close(o->source);
    free(o->file);
}

/* Reads the rows of some tracks to the end; returns how many there were, 0 if reading failed. */
static inline size_t decode_tracks(rp_replay *replay, uint64_t tracks)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_decoder *decoder = NULL;
    size_t rows = 0;
    reprise_status status = rp_decoder_open(replay, (rp_selection){.tracks = tracks}, &decoder,
                                            &error);
    while (status == REPRISE_OK && (status = rp_decoder_next(decoder, &error)) == REPRISE_OK)
        rows += decoder->batch.count;
    rp_decoder_close(decoder);
    if (status == REPRISE_END)
        return rows;
    fprintf(stderr, "%s\n", error.message);
    return 0;
}

static inline size_t decode_all(rp_replay *replay)
{
    return decode_tracks(replay, UINT64_MAX);
}

#endif
