/*
 * fuzz_writer.c - the bytes choose a format, a layout and rows for the public writer. What it
 * accepts must read back: as many rows, and in every column that all rows of a track set, the same
 * values; of states, the last value of every object.
 */
#include <math.h>
#include <reprise/reprise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "fuzz.h"
#include "options.h"
#include "reprise/write.h"

enum { TRACKS_MAX = 16, COLUMNS_MAX = 96, OBJECTS_MAX = 4, ROWS_MAX = 64, CELLS_MAX = 12 };

static const struct {
    const char *format, *layout, *header;
} targets[] = {
#define RUMBLE_HEADER                                                                       \
    "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}],\"Structures\":[{\"type\":\"Disc\"}," \
    "{\"type\":\"Wall\"}],\"PedestalCount\":2,\"ScenePropCount\":2}"
    {"rumble", "z6", RUMBLE_HEADER},
    {"rumble", "z5", "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}]}"},
    {"rumble", "z4", "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}]}"},
    {"rumble", "z4p", "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}]}"},
    {"rumble", "l1", "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}]}"},
    {"cs2kz", "a1", "{}"},
    {"cs2kz", "a3", "{}"},
    {"cs2kz", "b1", "{}"},
    {"cs2kz", "b3", "{}"},
    {"cs2kz", "b5", "{}"},
    {"cs2kz", "p", "{}"},
    {"openra", "a", "{}"},
    {"openra", "c", "{}"},
    {"openra", "p9", "{}"},
    {"openra", "p21", "{}"},
    {"openra", "zip", "{}"},
    {"remastered", "ra-full", "{}"},
    {"remastered", "ra-events", "{}"},
    {"remastered", "td-full", "{}"},
    {"remastered", "td-events", "{}"},
    {"mcreplay", "0.3.0", "{}"},
    {"mccamera", "camera",
     "{\"attributes\":{\"fps\":\"20\",\"id\":\"1\"},\"channels\":[{\"name\":\"location\","
     "\"size\":3},{\"name\":\"rotation_euler\",\"size\":3},{\"name\":\"fov\",\"size\":1}]}"},
};

typedef struct choices {
    const uint8_t *data;
    size_t size;
} choices;

static unsigned choose(choices *c)
{
    if (!c->size)
        return 0;
    c->size--;
    return *c->data++;
}

/* What a column was given, or was read: order does not count. */
typedef struct column_sum {
    uint64_t sum;
    size_t count;
    bool state_set[OBJECTS_MAX];
    uint64_t state[OBJECTS_MAX];
} column_sum;

typedef struct track_sum {
    size_t rows;
    column_sum columns[COLUMNS_MAX];
} track_sum;

typedef struct totals {
    track_sum tracks[TRACKS_MAX];
} totals;

static uint64_t hash(const void *data, size_t size)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325) + size;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001B3);
    return sum;
}

static uint64_t hash_double(double value)
{
    float single = (float)value;
    return isnan(value) ? 1 : hash(&single, sizeof single);
}

static void note(column_sum *to, uint32_t object, uint64_t value)
{
    to->sum += value;
    to->count++;
    if (object < OBJECTS_MAX) {
        to->state_set[object] = true;
        to->state[object] = value;
    }
}

/* ---- giving ---- */

static int64_t choose_int(choices *c)
{
    unsigned how = choose(c);
    int64_t value = (int64_t)choose(c);
    if (how & 1)
        value = value << 8 | choose(c);
    if (how & 2)
        value = value << 16 | choose(c) << 8 | choose(c);
    return how & 4 ? -value : value;
}

/* Sets a column with whatever fits its kind; a value that it cannot hold is refused at once. */
static void give_cell(reprise_writer *writer, choices *c, int column, track_sum *to,
                      uint32_t object)
{
    reprise_error error = REPRISE_ERROR_INIT;
    int64_t integer = choose_int(c);
    double real = (double)integer / 16;
    char text[4];
    size_t size = choose(c) % sizeof text;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + (integer + (int64_t)i) % 26);
    column_sum *sum = column < COLUMNS_MAX ? &to->columns[column] : NULL;
    if (reprise_writer_set_int(writer, column, integer, &error) == REPRISE_OK) {
        if (sum)
            note(sum, object, hash_double((double)integer));
        return;
    }
    error = (reprise_error)REPRISE_ERROR_INIT;
    if (reprise_writer_set_double(writer, column, real, &error) == REPRISE_OK) {
        if (sum)
            note(sum, object, hash_double(real));
        return;
    }
    error = (reprise_error)REPRISE_ERROR_INIT;
    if (integer < 0 || reprise_writer_set_text(writer, column, text, size, &error) != REPRISE_OK)
        return;
    if (sum)
        note(sum, object, hash(text, size));
}

static reprise_status give(reprise_writer *writer, choices *c, totals *to, reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t row = 0; row < ROWS_MAX && c->size && status == REPRISE_OK; row++) {
        int track = (int)(choose(c) % TRACKS_MAX);
        uint32_t object = choose(c) % OBJECTS_MAX;
        double time = (double)row / 8;
        reprise_error refused = REPRISE_ERROR_INIT;
        if (reprise_writer_row(writer, track, object, time, &refused) != REPRISE_OK)
            continue;
        to->tracks[track].rows++;
        size_t cells = choose(c) % CELLS_MAX;
        bool set[COLUMNS_MAX] = {false};
        for (size_t i = 0; i < cells; i++) {
            unsigned column = choose(c) % COLUMNS_MAX;
            if (!set[column])
                give_cell(writer, c, (int)column, &to->tracks[track], object);
            set[column] = true;
        }
        if (choose(c) & 1)
            status = reprise_writer_step(writer, error);
    }
    return status;
}

/* ---- reading back ---- */

static uint64_t hash_cell(reprise_rows *rows, const reprise_column *about, size_t column)
{
    size_t size = 0;
    switch (about->type) {
    case REPRISE_TYPE_TEXT:
    case REPRISE_TYPE_BYTES: {
        const char *text = reprise_row_text(rows, column, &size);
        return hash(text ? text : "", text ? size : 0);
    }
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE:
        return hash_double(reprise_row_double(rows, column));
    default:
        return hash_double((double)reprise_row_int(rows, column));
    }
}

/* Adds up the rows of the result, by the numbers that the writer's columns have. */
static void read_back(reprise_replay *replay, reprise_writer *writer, totals *to)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    if (reprise_rows_open(replay, NULL, &rows, &error) != REPRISE_OK)
        abort();
    reprise_status status;
    while ((status = reprise_rows_next(rows, &error)) == REPRISE_OK) {
        size_t track = reprise_row_track(rows);
        uint32_t object = OBJECTS_MAX;
        to->tracks[track].rows++;
        for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
            const reprise_column *about = reprise_column_at(replay, track, i);
            if (strcmp(about->doc, "which one") == 0)
                object = (uint32_t)reprise_row_int(rows, i);
        }
        for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
            const reprise_column *about = reprise_column_at(replay, track, i);
            int column = reprise_writer_column(writer, (int)track, about->name);
            if (column >= 0 && column < COLUMNS_MAX && !about->derived &&
                about->type != REPRISE_TYPE_LIST)
                note(&to->tracks[track].columns[column], object, hash_cell(rows, about, i));
        }
    }
    reprise_rows_close(rows);
    if (status != REPRISE_END) {
        fprintf(stderr, "not read to its end: %s\n", error.message);
        abort();
    }
}

static void fail(const char *what, const char *track, const char *column)
{
    fprintf(stderr, "%s: %s.%s\n", what, track, column);
    abort();
}

/* Rotations are rounded, and Z4p has another number for effects. */
static bool is_exact(const reprise_replay *replay, const char *column)
{
    return !strstr(column, "_rot") && strncmp(column, "rot", 3) != 0 &&
           !(strcmp(reprise_layout(replay), "z4p") == 0 && strcmp(column, "type") == 0);
}

static void compare_track(reprise_replay *replay, reprise_writer *writer, size_t track,
                          const track_sum *given, const track_sum *stored)
{
    const char *name = reprise_track_name(replay, track);
    const rp_track *about_track = &rp_format_find(reprise_format(replay))->tracks[track];
    bool state = about_track->kind == RP_TRACK_STATE;
    if (!state && given->rows != stored->rows)
        fail("rows", name, "");
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        const reprise_column *about = reprise_column_at(replay, track, i);
        int column = reprise_writer_column(writer, (int)track, about->name);
        if (column < 0 || column >= COLUMNS_MAX || !is_exact(replay, about->name))
            continue;
        const column_sum *a = &given->columns[column], *b = &stored->columns[column];
        if (!state && a->count == given->rows && a->sum != b->sum)
            fail("values", name, about->name);
        for (size_t k = 0; state && !about_track->divided && k < OBJECTS_MAX; k++) {
            if (a->state_set[k] && b->state_set[k] && a->state[k] != b->state[k])
                fail("states", name, about->name);
        }
    }
}

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

static void check(const collected *file, reprise_writer *writer, const totals *given)
{
    static totals stored;
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    memset(&stored, 0, sizeof stored);
    if (reprise_open_memory(file->data, file->size, NULL, &replay, &error) != REPRISE_OK) {
        fprintf(stderr, "cannot be opened: %s\n", error.message);
        abort();
    }
    read_back(replay, writer, &stored);
    for (size_t i = 0; i < reprise_track_count(replay) && i < TRACKS_MAX; i++) {
        bool storage = rp_format_find(reprise_format(replay))->tracks[i].storage;
        if (given->tracks[i].rows && !storage)
            compare_track(replay, writer, i, &given->tracks[i], &stored.tracks[i]);
    }
    reprise_close(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static totals given;
    if (!size)
        return 0;
    choices c = {.data = data + 1, .size = size - 1};
    size_t target = data[0] % (sizeof targets / sizeof targets[0]);
    collected file = {0};
    reprise_sink sink = {.ctx = &file, .write = collect};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = targets[target].layout;
    options.lossy = true; /* without a lobby no game opens it */
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    memset(&given, 0, sizeof given);
    if (writer_begin_json(targets[target].format, targets[target].header, &options, NULL, &writer,
                          &error) != REPRISE_OK) {
        fprintf(stderr, "begin: %s\n", error.message);
        abort();
    }
    reprise_status status = give(writer, &c, &given, &error);
    if (status == REPRISE_OK)
        status = reprise_writer_end(writer, &error);
    if (status == REPRISE_OK)
        check(&file, writer, &given);
    else if (file.size)
        abort(); /* what was refused must not appear */
    reprise_writer_close(writer);
    free(file.data);
    return 0;
}
