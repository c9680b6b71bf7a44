/*
 * fuzz_rumble_write.c - the bytes choose a RUMBLE replay, values and all; it is written, and what
 * is read back must be the same. The first byte is the layout.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "rumble_files.h"

typedef struct collected {
    uint8_t *data;
    size_t size;
} collected;

static int collect(void *ctx, const void *data, size_t size)
{
    collected *to = ctx;
    uint8_t *more = realloc(to->data, to->size + size + 1);
    if (!more)
        return 1;
    memcpy(more + to->size, data, size);
    to->data = more;
    to->size += size;
    return 0;
}

static void expect_nothing(const char *problem)
{
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const layouts[] = {"z6", "z5", "z4", "z4p", "l1", "l2", "z2", "z3", "z4a"};
    enum { WRITTEN = 5, LAYOUTS = sizeof layouts / sizeof layouts[0] };
    static model m;
    if (!size)
        return 0;
    unsigned layout = data[0] % LAYOUTS;
    choices c = {.data = data + 1, .size = size - 1};
    collected file = {0};
    reprise_sink sink = {.ctx = &file, .write = collect};
    choose_model(&c, layouts[layout], &m);
    /* Some layouts are told apart by a rotation in the first frame, which must not be left out. */
    if (m.frame[0].players[0].rig_rot.size == 0)
        return 0;
    expect_nothing(layout < WRITTEN ? model_record(&m, &sink) : model_build(&m, &sink));
    expect_nothing(model_compare(&m, file.data, file.size));
    free(file.data);
    return 0;
}
