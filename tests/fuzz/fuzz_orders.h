/*
 * fuzz_orders.h - what the targets for recordings of orders share: the input is a file of a given
 * format, everything is done with it, and writing must keep its laws.
 */
#ifndef FUZZ_ORDERS_H
#define FUZZ_ORDERS_H

#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"

typedef struct output {
    uint8_t *data;
    size_t size, capacity;
} output;

static inline int collect(void *ctx, const void *data, size_t size)
{
    output *to = ctx;
    if (size > to->capacity - to->size) {
        to->capacity = 2 * (to->size + size) + 1;
        to->data = realloc(to->data, to->capacity);
        if (!to->data)
            abort();
    }
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
    return 0;
}

static inline reprise_options small_limits(const char *format)
{
    reprise_options options;
    reprise_options_init(&options);
    options.format = format;
    options.limits.decoded_bytes_max = 1 << 20;
    options.limits.memory_bytes_max = 128 << 20;
    return options;
}

/* Writes the input in its own layout; false if it cannot be opened or written. */
static inline bool write_again(const char *format, const uint8_t *data, size_t size, output *ret)
{
    reprise_options options = small_limits(format);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_open_memory(data, size, &options, &replay, &error) != REPRISE_OK)
        return false;
    reprise_sink sink = {.ctx = ret, .write = collect};
    reprise_write_options write = REPRISE_WRITE_INIT;
    write.sink = &sink;
    write.lossy = true;
    write.layout = reprise_layout(replay);
    const reprise_value *report = NULL;
    bool written = reprise_convert(replay, &write, &report, &error) == REPRISE_OK;
    reprise_foreign *foreign = NULL;
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (reprise_foreign_new(replay, &foreign, &ignored) == REPRISE_OK)
        reprise_foreign_free(foreign);
    reprise_close(replay);
    return written;
}

/* Changes the input; what comes out must open as the format it is. */
static inline void change_it(const char *format, const uint8_t *data, size_t size, bool recovers)
{
    reprise_options options = small_limits(format);
    options.salvage = recovers;
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_open_memory(data, size, &options, &replay, &error) != REPRISE_OK)
        return;
    output made = {0};
    reprise_sink sink = {.ctx = &made, .write = collect};
    reprise_write_options write = REPRISE_WRITE_INIT;
    write.sink = &sink;
    const reprise_value *report = NULL;
    bool written = (recovers ? reprise_recover(replay, &write, &report, &error)
                             : reprise_anonymize(replay, REPRISE_PRIVATE_ALL, &write, &report,
                                                 &error)) == REPRISE_OK;
    reprise_replay *result = NULL;
    options.salvage = false;
    if (written &&
        reprise_open_memory(made.data, made.size, &options, &result, &error) != REPRISE_OK)
        abort();
    reprise_diff_options how = REPRISE_DIFF_INIT;
    bool equal = false;
    if (written && reprise_diff(replay, result, &how, &equal, &report, &error) == REPRISE_OK &&
        !report)
        abort();
    reprise_close(result);
    reprise_close(replay);
    free(made.data);
}

/* What we wrote is written again as the same bytes. */
static inline int fuzz_format(const char *format, const uint8_t *data, size_t size)
{
    reprise_options options = small_limits(format);
    (void)exercise_memory(data, size, &options);
    change_it(format, data, size, false);
    change_it(format, data, size, true);
    output once = {0}, twice = {0};
    if (write_again(format, data, size, &once) && once.size) {
        if (write_again(format, once.data, once.size, &twice) &&
            (once.size != twice.size || memcmp(once.data, twice.data, once.size) != 0))
            abort();
    }
    free(once.data);
    free(twice.data);
    return 0;
}

#endif
