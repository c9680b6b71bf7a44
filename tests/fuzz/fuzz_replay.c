/*
 * fuzz_replay.c - any bytes as a replay of any format. Everything the public header offers is done
 * with it, from memory and again through callbacks, and both must show the same.
 */
#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static int64_t read_little(void *ctx, uint64_t offset, void *to, size_t size)
{
    const input *in = ctx;
    size_t left = offset < in->size ? in->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    n = n < 301 ? n : 301;
    memcpy(to, in->data + offset, n);
    return (int64_t)n;
}

/* Small limits: a fuzzer should find wrong code, not slow files. */
static reprise_options small_limits(void)
{
    reprise_options options;
    reprise_options_init(&options);
    options.limits.decoded_bytes_max = 1 << 20;
    options.limits.memory_bytes_max = 64 << 20;
    options.limits.items_max = 1 << 16;
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reprise_options options = small_limits();
    exercise first = exercise_memory(data, size, &options);
    input in = {data, size};
    reprise_source source = {.ctx = &in, .size = size, .read = read_little};
    exercise second = {.digest = UINT64_C(14695981039346656037)};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    second.opened = reprise_open_source(&source, &options, &replay, &error);
    if (second.opened == REPRISE_OK)
        exercise_replay(&second, replay);
    reprise_close(replay);
    if (first.opened != second.opened || first.digest != second.digest)
        abort();
    return 0;
}
