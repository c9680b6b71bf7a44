/*
 * duel_tables.c - a track as Arrow batches against memcpy of the same columns: an inner duel.
 *
 * usage: duel_tables FILE FORMAT TRACK [stored]
 *
 * With `stored` only columns that are in the file, not those that are computed from a row.
 *
 * Prints what each of these takes for the complete track, in milliseconds of processor time:
 *
 *   decode   the rows in memory, without columns
 *   arrow    the Arrow stream: the same rows, columns filled, batches handed out and released
 *   copy     memcpy of all buffers of these batches into new memory, given back after each batch
 *   spread   the same, but numbers come from rows of a tile that stays in the cache: what columns
 *            cost at least if they are made of rows, whoever does it
 *
 * A file is compressed, so no stream comes near memcpy. What making columns adds to decoding is
 * `arrow` less `decode`; that is what a copy of the columns can be compared with.
 */
#include "decode_all.h"
#include "reprise/arrow.h"

typedef struct buffer {
    const void *data;
    void *copy;
    size_t size;
    size_t width; /* of a number, else 0 */
    bool last;    /* of its batch */
} buffer;

typedef struct table {
    opened inside;
    reprise_replay *replay;
    size_t track;
    reprise_batch_options options;
    const char **columns;
    buffer *buffers;
    size_t count, capacity, bytes;
    char *tile; /* rows of made-up values, as wide as all numbers of a row */
    size_t row_size;
} table;

enum { TILE_ROWS = 256 };

static void add_buffer(table *t, const void *data, size_t size, size_t width)
{
    if (!size)
        return;
    if (t->count == t->capacity) {
        t->capacity = t->capacity * 2 + 64;
        t->buffers = realloc(t->buffers, t->capacity * sizeof *t->buffers);
        if (!t->buffers)
            exit(1);
    }
    t->buffers[t->count++] = (buffer){.data = data, .size = size, .width = width};
    t->bytes += size;
}

static size_t width_of(const char *format)
{
    switch (*format) {
    case 'c':
    case 'C':
        return 1;
    case 's':
    case 'S':
        return 2;
    case 'i':
    case 'I':
    case 'f':
        return 4;
    case 'l':
    case 'L':
    case 'g':
        return 8;
    case 'w':
        return (size_t)strtoull(format + 2, NULL, 10);
    default:
        return 0;
    }
}

static void add_buffers(table *t, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    const char *format = schema->format;
    size_t length = (size_t)array->length;
    if (array->null_count)
        add_buffer(t, array->buffers[0], (length + 7) / 8, 0);
    if (*format == 'b')
        add_buffer(t, array->buffers[1], (length + 7) / 8, 0);
    else if (*format == 'u' || *format == 'z' || format[1] == 'l')
        add_buffer(t, array->buffers[1], (length + 1) * sizeof(int32_t), 0);
    else if (width_of(format))
        add_buffer(t, array->buffers[1], length * width_of(format), width_of(format));
    if (*format == 'u' || *format == 'z')
        add_buffer(t, array->buffers[2], (size_t)((const int32_t *)array->buffers[1])[length], 0);
    for (int64_t i = 0; i < array->n_children; i++)
        add_buffers(t, schema->children[i], array->children[i]);
}

static struct ArrowArrayStream open_stream(table *t)
{
    struct ArrowArrayStream stream;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_arrow_stream(t->replay, t->track, &t->options, &stream, &error) != REPRISE_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return stream;
}

static size_t read_stream(void *ctx)
{
    struct ArrowArrayStream stream = open_stream(ctx);
    struct ArrowArray batch;
    size_t rows = 0;
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        rows += (size_t)batch.length;
        batch.release(&batch);
    }
    stream.release(&stream);
    return rows;
}

static size_t decode(void *ctx)
{
    table *t = ctx;
    return decode_tracks(t->inside.replay, UINT64_C(1) << t->track);
}

static size_t copy(void *ctx)
{
    table *t = ctx;
    size_t first = 0;
    for (size_t i = 0; i < t->count; i++) {
        buffer *b = &t->buffers[i];
        b->copy = malloc(b->size);
        if (!b->copy)
            return 0;
        memcpy(b->copy, b->data, b->size);
        /* Without this the compiler sees that nothing reads the copy. */
        __asm__ volatile("" : : "r"(b->copy) : "memory");
        for (; b->last && first <= i; first++)
            free(t->buffers[first].copy);
    }
    return t->count;
}

/* Inlined with a constant width, so that each value is one load and one store. */
static inline void spread_width(char *to, const char *from, size_t stride, size_t rows,
                                size_t width)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(to + i * width, from + i * stride, width);
}

static void spread_numbers(const table *t, const buffer *b, size_t offset, size_t first,
                           size_t rows)
{
    char *to = (char *)b->copy + first * b->width;
    const char *from = t->tile + offset;
    if (b->width == 1)
        spread_width(to, from, t->row_size, rows, 1);
    else if (b->width == 2)
        spread_width(to, from, t->row_size, rows, 2);
    else if (b->width == 4)
        spread_width(to, from, t->row_size, rows, 4);
    else if (b->width == 8)
        spread_width(to, from, t->row_size, rows, 8);
    else
        spread_width(to, from, t->row_size, rows, b->width);
}

/* One batch: buffers [first, end). */
static bool spread_batch(table *t, size_t first, size_t end)
{
    size_t rows = 0;
    for (size_t i = first; i < end; i++) {
        buffer *b = &t->buffers[i];
        b->copy = malloc(b->size);
        if (!b->copy)
            return false;
        if (b->width)
            rows = b->size / b->width;
        else
            memcpy(b->copy, b->data, b->size);
    }
    for (size_t at = 0; at < rows; at += TILE_ROWS) {
        size_t some = rows - at < TILE_ROWS ? rows - at : TILE_ROWS, offset = 0;
        for (size_t i = first; i < end; i++) {
            spread_numbers(t, &t->buffers[i], offset, at, t->buffers[i].width ? some : 0);
            offset += t->buffers[i].width;
        }
    }
    for (size_t i = first; i < end; i++) {
        __asm__ volatile("" : : "r"(t->buffers[i].copy) : "memory");
        free(t->buffers[i].copy);
    }
    return true;
}

static size_t spread(void *ctx)
{
    table *t = ctx;
    size_t first = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!t->buffers[i].last)
            continue;
        if (!spread_batch(t, first, i + 1))
            return 0;
        first = i + 1;
    }
    return t->count;
}

static void make_tile(table *t)
{
    for (size_t i = 0; i < t->count && (i == 0 || !t->buffers[i - 1].last); i++)
        t->row_size += t->buffers[i].width;
    t->tile = malloc(t->row_size * TILE_ROWS + 1);
    if (!t->tile)
        exit(1);
    memset(t->tile, 1, t->row_size * TILE_ROWS);
}

/* Keeps all batches, which live as long as the program. */
static size_t collect(table *t)
{
    struct ArrowArrayStream stream = open_stream(t);
    struct ArrowSchema schema;
    struct ArrowArray batch;
    size_t rows = 0;
    if (stream.get_schema(&stream, &schema) != 0)
        exit(1);
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        add_buffers(t, &schema, &batch);
        t->buffers[t->count - 1].last = true;
        rows += (size_t)batch.length;
    }
    schema.release(&schema);
    stream.release(&stream);
    return rows;
}

static void choose_stored(table *t)
{
    size_t count = reprise_column_count(t->replay, t->track);
    t->columns = calloc(count, sizeof *t->columns);
    if (!t->columns)
        exit(1);
    t->options.columns = t->columns;
    for (size_t i = 0; i < count; i++) {
        const reprise_column *column = reprise_column_at(t->replay, t->track, i);
        if (!column->derived)
            t->columns[t->options.column_count++] = column->name;
    }
}

int main(int argc, char **argv)
{
    table t = {.options = REPRISE_BATCH_INIT};
    reprise_error error = REPRISE_ERROR_INIT;
    if (argc < 4)
        return 2;
    duel_keep_memory();
    open_replay(argv[1], argv[2], &t.inside);
    if (reprise_open_memory(t.inside.file, t.inside.file_size, NULL, &t.replay, &error) !=
        REPRISE_OK)
        return 1;
    int track = reprise_track_find(t.replay, argv[3]);
    if (track < 0)
        return 2;
    t.track = (size_t)track;
    if (argc > 4 && strcmp(argv[4], "stored") == 0)
        choose_stored(&t);
    size_t rows = collect(&t);
    make_tile(&t);
    duel_time decoded = {0}, read = {0}, copied = {0}, spread_took = {0};
    for (int i = 0; i < DUEL_ROUNDS; i++) {
        duel_round("decode", decode, &t, &decoded);
        duel_round("arrow", read_stream, &t, &read);
        duel_round("copy", copy, &t, &copied);
        duel_round("spread", spread, &t, &spread_took);
    }
    printf("{\"rows\":%zu,\"bytes\":%zu,\"decode_ms\":%.3f,\"arrow_ms\":%.3f,\"copy_ms\":%.3f,"
           "\"spread_ms\":%.3f}\n",
           rows, t.bytes, decoded.cpu, read.cpu, copied.cpu, spread_took.cpu);
    return 0;
}
