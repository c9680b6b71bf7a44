/* written.h - operations whose result goes to memory, for tests that compare what was written. */
#ifndef WRITTEN_H
#define WRITTEN_H

#include <reprise/reprise.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "reprise/write.h"

typedef struct bytes {
    unsigned char *data;
    size_t size, capacity;
} bytes;

static inline int bytes_write(void *ctx, const void *data, size_t size)
{
    bytes *to = ctx;
    if (!size)
        return 0;
    if (size > to->capacity - to->size) {
        to->capacity = 2 * (to->size + size) + 1;
        to->data = realloc(to->data, to->capacity);
        assert_non_null(to->data);
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return 0;
}

static inline void bytes_free(bytes *b)
{
    free(b->data);
    *b = (bytes){0};
}

static inline bool bytes_contain(const bytes *b, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; size && i + size <= b->size; i++) {
        if (memcmp(b->data + i, text, size) == 0)
            return true;
    }
    return false;
}

static inline void expect_ok(reprise_status status, const reprise_error *error, const char *what)
{
    if (status == REPRISE_OK)
        return;
    char text[REPRISE_ERROR_TEXT_MAX];
    fail_msg("%s: %s", what, reprise_error_text(error, "result", text, sizeof text));
}

static inline reprise_replay *open_bytes(const bytes *b, bool salvage)
{
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, salvage, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    expect_ok(reprise_open_memory(b->data, b->size, options, &replay, &error), &error, "open");
    return replay;
}

/* What is done to a replay; the first member that is set says what. */
typedef struct change {
    const char *convert; /* layout */
    bool recompress, recover;
    uint32_t anonymize; /* what */
    bool trim, keep_times;
    int64_t from, to;
    int level; /* 0: the default */
    bool long_range;
} change;

static inline reprise_status apply(reprise_replay *replay, const change *c,
                                   const reprise_write_options *options,
                                   const reprise_value **ret_report, reprise_error *error)
{
    if (c->recompress)
        return reprise_recompress(replay, options, ret_report, error);
    if (c->recover)
        return reprise_recover(replay, options, ret_report, error);
    if (c->anonymize)
        return reprise_anonymize(replay, c->anonymize, options, ret_report, error);
    if (c->trim)
        return reprise_trim(replay, (reprise_bound){.by = REPRISE_BY_INDEX, .index = c->from},
                            (reprise_bound){.by = REPRISE_BY_INDEX, .index = c->to}, c->keep_times,
                            options, ret_report, error);
    return reprise_convert(replay, options, ret_report, error);
}

static inline bytes changed(const bytes *from, change c)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = c.convert;
    options.lossy = true;
    options.long_range = c.long_range;
    if (c.level)
        options.level = c.level;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(from, c.recover);
    expect_ok(apply(replay, &c, &options, &report, &error), &error, "change");
    reprise_close(replay);
    return result;
}

static inline bool same_bytes(const bytes *a, const bytes *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

#endif
