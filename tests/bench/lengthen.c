/*
 * lengthen.c - a RUMBLE recording several times in a row, for inputs of hours: the generator takes
 * minutes for what the encoder does in seconds.
 *
 * usage: lengthen TIMES FILE RESULT
 */
#include "decode_all.h"
#include "rumble/rumble.h"

enum { QUALITY = 5, MODE = 0644 };

/* Where the next copy begins. */
typedef struct shift {
    int64_t index;
    double time;
} shift;

/* Tables come before the first frame; only the first copy has them. */
static bool is_table(const rp_batch *batch)
{
    return batch->count && batch->rows[0].track >= RUMBLE_MARKERS;
}

static reprise_status add_copy(rp_replay *replay, rp_encoder *encoder, shift *by,
                               reprise_error *error)
{
    rp_decoder *decoder = NULL;
    shift last = *by;
    reprise_status status = rp_decoder_open(replay, (rp_selection){.tracks = UINT64_MAX}, &decoder,
                                            error);
    while (status == REPRISE_OK && (status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        rp_batch *batch = &decoder->batch;
        if (by->index && is_table(batch))
            continue;
        for (size_t i = 0; i < batch->count; i++) {
            batch->rows[i].index += by->index;
            batch->rows[i].time += by->time;
            last = (shift){batch->rows[i].index, batch->rows[i].time};
        }
        status = replay->format->write->rows(encoder, batch, error);
    }
    rp_decoder_close(decoder);
    *by = (shift){last.index + 1, last.time + 0.02};
    return status == REPRISE_END ? REPRISE_OK : status;
}

static reprise_status lengthen(rp_replay *replay, long times, rp_sink *sink, reprise_error *error)
{
    rp_write_options options = {.layout = replay->layout, .level = QUALITY};
    rp_encoder *encoder = NULL;
    shift by = {0, 0};
    RP_TRY(rp_encoder_open(replay->context, replay->format, &options,
                           ((const rumble_replay *)replay)->header, replay, sink, &encoder, error));
    reprise_status status = REPRISE_OK;
    for (long i = 0; i < times && status == REPRISE_OK; i++)
        status = add_copy(replay, encoder, &by, error);
    if (status == REPRISE_OK)
        status = replay->format->write->end(encoder, error);
    rp_encoder_close(encoder);
    return status;
}

int main(int argc, char **argv)
{
    reprise_error error = REPRISE_ERROR_INIT;
    long times = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
    rp_sink *sink = NULL;
    opened from;
    if (times < 1)
        return 2;
    open_replay(argv[2], "rumble", &from);
    reprise_status status = rp_sink_open_file(&from.context, argv[3], true, MODE, &sink, &error);
    if (status == REPRISE_OK)
        status = lengthen(from.replay, times, sink, &error);
    if (status == REPRISE_OK)
        status = rp_sink_commit(sink, &error);
    if (status != REPRISE_OK)
        fprintf(stderr, "%s: %s\n", argv[3], error.message);
    rp_sink_close(sink);
    close_replay(&from);
    return status == REPRISE_OK ? 0 : 1;
}
