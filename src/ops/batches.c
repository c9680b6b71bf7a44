/* batches.c - see batches.h. */
#include "batches.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum {
    ROWS_DEFAULT = 4096,
    BATCH_BYTES_MAX = 4 << 20, /* a batch of large values ends early */
    ROWS_AT_ONCE = 32,         /* so many of one decoding step need not wait for others */
};

/* ---- opening ---- */

static const rp_column *find_column(const rp_column *columns, size_t count, const char *name)
{
    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(columns[i].about.name, name) == 0)
            return &columns[i];
    }
    return NULL;
}

static reprise_status add_column(rp_batches *b, const rp_column *column, reprise_error *error)
{
    uint64_t fields = b->replay ? b->replay->fields[b->track - b->format->tracks] : 0;
    rp_array *array = rp_array_new(&b->shared, column);
    if (!array) {
        *error = b->error;
        return error->status;
    }
    b->columns[b->column_count] = column;
    b->missing[b->column_count] = column->source == RP_COLUMN_STORED &&
                                  !(fields >> column->presence_bit & 1);
    b->fixed[b->column_count] = rp_array_fixed(array);
    if (!b->fixed[b->column_count])
        b->varying[b->varying_count++] = b->column_count;
    b->arrays[b->column_count++] = array;
    b->derives |= column->source == RP_COLUMN_DERIVED;
    return REPRISE_OK;
}

static reprise_status add_presence(rp_batches *b, reprise_error *error)
{
    static const rp_column presence = {
        .about = {.name = "stored",
                  .type = REPRISE_TYPE_UINT64,
                  .type_name = "u64",
                  .doc = "the fields that this row stores, by stored_bit"},
        .source = RP_COLUMN_PRESENT,
    };
    return add_column(b, &presence, error);
}

/* Finds columns that can be filled together. */
static reprise_status find_groups(rp_batches *b, reprise_error *error)
{
    b->group = rp_arena_array(&b->arena, RP_MAX(b->column_count, 1), sizeof *b->group, error);
    for (size_t i = 0, beside; b->group && i < b->column_count; i += beside) {
        beside = 1;
        while (beside < RP_ARRAY_BESIDE && i + beside < b->column_count &&
               !b->missing[i + beside - 1] && !b->missing[i + beside] &&
               rp_array_beside(b->arrays[i + beside], b->arrays[i + beside - 1]))
            beside++;
        b->group[i] = beside > 1 ? (uint8_t)beside : 0;
    }
    return error->status;
}

static reprise_status choose_columns(rp_batches *b, const reprise_batch_options *options,
                                     reprise_error *error)
{
    rp_column *all = NULL;
    size_t count = 0;
    /* Every column that the format knows, so that all layouts give the same ones. */
    RP_TRY(rp_track_columns(&b->arena, b->track, UINT64_MAX, &all, &count, error));
    size_t wanted = options->columns ? options->column_count : count, most = wanted + 1;
    b->arrays = rp_arena_array(&b->arena, most, sizeof *b->arrays, error);
    b->columns = rp_arena_array(&b->arena, most, sizeof *b->columns, error);
    b->missing = rp_arena_array(&b->arena, most, sizeof *b->missing, error);
    b->fixed = rp_arena_array(&b->arena, most, sizeof *b->fixed, error);
    b->varying = rp_arena_array(&b->arena, most, sizeof *b->varying, error);
    b->views = rp_arena_array(&b->arena, most, sizeof *b->views, error);
    RP_TRY(error->status);
    for (size_t i = 0; i < wanted; i++) {
        const rp_column *column = &all[options->columns ? 0 : i];
        if (options->columns)
            column = find_column(all, count, options->columns[i]);
        if (!column)
            return rp_error_set(error, REPRISE_E_USAGE, "track %s has no column '%.80s'",
                                b->track->name, options->columns[i] ? options->columns[i] : "");
        RP_TRY(add_column(b, column, error));
    }
    if (options->stored && b->shared.as_table)
        RP_TRY(add_presence(b, error));
    RP_TRY(rp_tile_init(&b->tile, &b->arena, b->track, error));
    if (b->derives)
        b->derived = rp_arena_array(&b->arena, RP_TILE_ROWS, b->tile.derived_size, error);
    b->tile.derived = b->derived;
    b->row_size = rp_track_row_size(b->track);
    b->waiting = rp_arena_array(&b->arena, RP_TILE_ROWS, sizeof *b->waiting, error);
    const size_t mask = _Alignof(max_align_t) - 1; /* of a row, whatever is in it */
    b->row_stride = (b->row_size + mask) & ~mask;
    b->waiting_data = rp_arena_array(&b->arena, RP_TILE_ROWS, b->row_stride, error);
    return error->status == REPRISE_OK ? find_groups(b, error) : error->status;
}

static reprise_status init(rp_batches *b, rp_context *context, const rp_format *format,
                           size_t track, bool as_table, reprise_error *error)
{
    *b = (rp_batches){.format = format};
    rp_arena_init(&b->arena, context);
    if (track >= format->track_count)
        return rp_error_set(error, REPRISE_E_USAGE, "track %zu is out of range (0-%zu)", track,
                            format->track_count - 1);
    b->track = &format->tracks[track];
    b->shared = (rp_arrays){.context = context,
                            .arena = &b->arena,
                            .error = &b->error,
                            .derives_columns = b->track->derive_tile,
                            .as_table = as_table};
    return REPRISE_OK;
}

reprise_status rp_batches_open(rp_batches *b, rp_replay *replay, size_t track,
                               const reprise_batch_options *options, bool as_table,
                               reprise_error *error)
{
    RP_TRY(init(b, replay->context, replay->format, track, as_table, error));
    b->replay = replay;
    b->rows_max = options->rows_max ? options->rows_max : ROWS_DEFAULT;
    b->stored = options->stored && !as_table;
    reprise_rows_options rows = REPRISE_ROWS_INIT;
    rows.tracks = UINT64_C(1) << track;
    rows.time_from = options->time_from;
    rows.time_to = options->time_to;
    rows.index_from = options->index_from;
    rows.index_to = options->index_to;
    rows.every_frame = options->every_frame;
    rows.linear = options->linear;
    /* Opening rows may settle the layout, and with it the columns. */
    RP_TRY(rp_rows_open(replay, &rows, &b->rows, error));
    return choose_columns(b, options, error);
}

reprise_status rp_batches_open_schema(rp_batches *b, rp_context *context, const rp_format *format,
                                      size_t track, const reprise_batch_options *options,
                                      reprise_error *error)
{
    RP_TRY(init(b, context, format, track, true, error));
    return choose_columns(b, options, error);
}

rp_arrow_table rp_batches_table(const rp_batches *b)
{
    return (rp_arrow_table){.format = b->format->name,
                            .track = b->track->name,
                            .arrays = b->arrays,
                            .count = b->column_count};
}

void rp_batches_close(rp_batches *b)
{
    for (size_t i = 0; i < b->column_count; i++)
        rp_array_free(b->arrays[i]);
    rp_rows_close(&b->rows);
    rp_arena_free(&b->arena);
}

/* ---- reading ---- */

static void add_fixed_column(rp_batches *b, size_t column)
{
    if (b->missing[column])
        rp_array_add_nulls(b->arrays[column], b->tile.count);
    else
        rp_array_add_rows(b->arrays[column], &b->tile);
}

static void add_fixed_columns(rp_batches *b)
{
    if (b->derives && b->track->derive_tile)
        b->track->derive_tile(b->replay, &b->tile, b->derived);
    for (size_t i = 0; i < b->column_count; i++) {
        size_t columns = RP_MAX(b->group[i], 1);
        if (columns > 1)
            rp_arrays_add_beside(&b->arrays[i], columns, &b->tile);
        else if (b->fixed[i])
            add_fixed_column(b, i);
        for (size_t k = i; b->stored && b->fixed[i] && k < i + columns; k++)
            rp_array_add_stored(b->arrays[k], b->tile.rows, b->tile.count);
        i += columns - 1;
    }
}

static void add_waiting(rp_batches *b)
{
    if (!b->waiting_count)
        return;
    bool even = rp_tile_set(&b->tile, b->waiting, b->waiting_count);
    assert(even);
    RP_UNUSED(even);
    add_fixed_columns(b);
    b->waiting_count = 0;
}

/* Copies rows that the next decoding step would overwrite. */
static void keep_rows(rp_batches *b, const rp_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++, b->waiting_count++) {
        void *data = b->waiting_data + b->waiting_count * b->row_stride;
        rp_row row = rows[i];
        if (row.data)
            row.data = memcpy(data, row.data, b->row_size);
        rp_row_set(&b->waiting[b->waiting_count], row);
    }
}

/* Values that vary in size decide how many rows fit. Returns that number. */
static size_t add_varying_columns(rp_batches *b, const rp_row *rows, size_t count,
                                  const char *derived)
{
    size_t taken = 0;
    while (taken < count && b->shared.bytes < BATCH_BYTES_MAX) {
        const char *of_row = derived ? derived + taken * b->tile.derived_size : NULL;
        for (size_t i = 0; i < b->varying_count; i++) {
            size_t column = b->varying[i];
            if (b->missing[column])
                rp_array_add_nulls(b->arrays[column], 1);
            else
                rp_array_add_row(b->arrays[column], &rows[taken], of_row);
            if (b->stored)
                rp_array_add_stored(b->arrays[column], &rows[taken], 1);
        }
        taken++;
    }
    return taken;
}

/*
 * Adds rows of one decoding step; returns how many. Values that vary in size come first, row by
 * row, the others column by column.
 *
 * Some formats have a row or two in a step. Filling each column with so few costs ten times as much
 * per value, so their rows wait until there are many. So do rows that are not evenly spaced.
 */
static size_t add_rows(rp_batches *b, const rp_row *rows, size_t count)
{
    if (count >= ROWS_AT_ONCE || b->waiting_count == RP_TILE_ROWS)
        add_waiting(b);
    count = RP_MIN(count, RP_TILE_ROWS - b->waiting_count);
    char *derived = NULL;
    if (b->derives && !b->track->derive_tile) {
        derived = (char *)b->derived + b->waiting_count * b->tile.derived_size;
        for (size_t i = 0; i < count; i++)
            b->track->derive(b->replay, &rows[i], derived + i * b->tile.derived_size);
    }
    size_t taken = b->varying_count ? add_varying_columns(b, rows, count, derived) : count;
    if (taken >= ROWS_AT_ONCE && rp_tile_set(&b->tile, rows, taken)) {
        add_fixed_columns(b);
        return taken;
    }
    keep_rows(b, rows, taken);
    if (count >= ROWS_AT_ONCE)
        add_waiting(b);
    return taken;
}

reprise_status rp_batches_next(rp_batches *b, const reprise_batch **ret_batch, reprise_error *error)
{
    for (size_t i = 0; i < b->column_count; i++)
        rp_array_clear(b->arrays[i]);
    b->shared.bytes = 0;
    size_t count = 0;
    while (b->ended == REPRISE_OK && b->error.status == REPRISE_OK && count < b->rows_max &&
           b->shared.bytes < BATCH_BYTES_MAX) {
        const rp_row *rows = NULL;
        size_t more = RP_MIN(b->rows_max - count, (size_t)RP_TILE_ROWS);
        b->ended = rp_rows_peek(&b->rows, more, &rows, &more, &b->end_error);
        if (b->ended != REPRISE_OK)
            break;
        size_t taken = add_rows(b, rows, more);
        rp_rows_take(&b->rows, taken);
        count += taken;
    }
    add_waiting(b);
    if (b->error.status != REPRISE_OK) {
        b->ended = b->error.status;
        b->end_error = b->error;
        return *error = b->error, error->status;
    }
    /* The status of the end is returned after the last complete rows. */
    if (!count) {
        if (b->ended != REPRISE_END)
            *error = b->end_error;
        return b->ended;
    }
    for (size_t i = 0; i < b->column_count; i++)
        b->views[i] = rp_array_view(b->arrays[i]);
    b->batch = (reprise_batch){
        .row_count = count, .column_count = b->column_count, .columns = b->views};
    *ret_batch = &b->batch;
    return REPRISE_OK;
}
