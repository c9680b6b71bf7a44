/* value_table.c - see value_table.h. */
#include "value_table.h"

#include <string.h>

#include "arena.h"
#include "checked.h"
#include "table_write.h"

enum { BATCH_ROWS = 32768, TEXT_MAX = INT32_MAX };

typedef enum column_kind {
    KIND_TEXT,
    KIND_LIST,
    KIND_INT,
    KIND_REAL,
    KIND_BOOL,
} column_kind;

/* A column of the batch that is being made. Arrow has an array for it and one for its items. */
typedef struct column {
    column_kind kind;
    struct ArrowSchema field, item_field;
    struct ArrowSchema *item_fields[1];
    struct ArrowArray array, item_array;
    struct ArrowArray *item_arrays[1];
    const void *buffers[3], *item_buffers[3];
    rp_writer valid;   /* bits */
    rp_writer values;  /* numbers, or bits */
    rp_writer offsets; /* int32_t: of texts or lists */
    rp_writer item_offsets, bytes;
    size_t nulls, items;
} column;

typedef struct table {
    rp_arena arena;
    rp_context *context;
    column *columns;
    size_t count;
    struct ArrowSchema schema, **fields;
    struct ArrowArray rows, **arrays;
    const void *no_nulls[1];
    rp_table_writer *writer;
} table;

/* ---- the schema ---- */

static void not_owned_schema(struct ArrowSchema *schema)
{
    schema->release = NULL; /* the arena has everything */
}

static void not_owned_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static reprise_status kind_of(const char *name, const char *type, column_kind *ret_kind,
                              reprise_error *error)
{
    static const struct {
        const char *name;
        column_kind kind;
    } known[] = {{"text", KIND_TEXT}, {"date", KIND_TEXT}, {"list", KIND_LIST},
                 {"int", KIND_INT},   {"real", KIND_REAL}, {"seconds", KIND_REAL},
                 {"bool", KIND_BOOL}};
    for (size_t i = 0; i < RP_COUNT(known); i++) {
        if (strcmp(known[i].name, type) == 0) {
            *ret_kind = known[i].kind;
            return REPRISE_OK;
        }
    }
    return rp_error_set(error, REPRISE_E_USAGE, "column '%.60s' has the unknown type '%.20s'", name,
                        type);
}

static void set_field(struct ArrowSchema *field, const char *name, const char *format)
{
    *field = (struct ArrowSchema){
        .format = format, .name = name, .flags = ARROW_FLAG_NULLABLE, .release = not_owned_schema};
}

static reprise_status add_column(table *t, column *c, const reprise_value *about,
                                 reprise_error *error)
{
    static const char *const formats[] = {[KIND_TEXT] = "u",
                                          [KIND_LIST] = "+l",
                                          [KIND_INT] = "l",
                                          [KIND_REAL] = "g",
                                          [KIND_BOOL] = "b"};
    size_t size = 0;
    const char *name = reprise_value_text(reprise_value_get(about, "name"), &size);
    const char *type = reprise_value_text(reprise_value_get(about, "type"), NULL);
    if (!name || !type)
        return rp_error_set(error, REPRISE_E_USAGE, "a column has no name or no type");
    name = rp_arena_text(&t->arena, name, size, error);
    if (!name)
        return error->status;
    RP_TRY(kind_of(name, type, &c->kind, error));
    set_field(&c->field, name, formats[c->kind]);
    set_field(&c->item_field, "item", "u");
    if (c->kind == KIND_LIST) {
        c->item_fields[0] = &c->item_field;
        c->field.children = c->item_fields;
        c->field.n_children = 1;
    }
    rp_writer *const writers[] = {&c->valid, &c->values, &c->offsets, &c->item_offsets, &c->bytes};
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], t->context, TEXT_MAX, error);
    return REPRISE_OK;
}

static reprise_status add_columns(table *t, const reprise_value *columns, reprise_error *error)
{
    t->count = reprise_value_count(columns);
    t->columns = rp_arena_array(&t->arena, t->count, sizeof *t->columns, error);
    t->fields = rp_arena_array(&t->arena, t->count, sizeof(struct ArrowSchema *), error);
    t->arrays = rp_arena_array(&t->arena, t->count, sizeof(struct ArrowArray *), error);
    if (!t->columns || !t->fields || !t->arrays)
        return error->status;
    for (size_t i = 0; i < t->count; i++) {
        RP_TRY(add_column(t, &t->columns[i], reprise_value_at(columns, i), error));
        t->fields[i] = &t->columns[i].field;
        t->arrays[i] = &t->columns[i].array;
    }
    set_field(&t->schema, "", "+s");
    t->schema.flags = 0;
    t->schema.children = t->fields;
    t->schema.n_children = (int64_t)t->count;
    return REPRISE_OK;
}

/* ---- rows ---- */

static void put_bit(rp_writer *bits, size_t index, bool bit)
{
    if (index % 8 == 0)
        rp_put_u8(bits, 0);
    if (bit && rp_writer_ok(bits))
        bits->data[index / 8] |= (uint8_t)(1U << index % 8);
}

/* Arrow's numbers are in the order of the machine. */
static void put_offset(rp_writer *offsets, size_t at)
{
    int32_t offset = (int32_t)at;
    rp_put(offsets, &offset, sizeof offset);
}

/* False: it is not a text. */
static bool put_text(column *c, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    rp_put(&c->bytes, text, text ? size : 0);
    return text;
}

static bool put_items(column *c, const reprise_value *list)
{
    bool alone = reprise_value_kind_of(list) == REPRISE_VALUE_STRING;
    size_t count = alone ? 1 : reprise_value_count(list);
    if (!alone && reprise_value_kind_of(list) != REPRISE_VALUE_ARRAY)
        return false;
    for (size_t i = 0; i < count; i++, c->items++) {
        if (!put_text(c, alone ? list : reprise_value_at(list, i)))
            return false;
        put_offset(&c->item_offsets, c->bytes.size);
    }
    return true;
}

static bool is_number(const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    return kind == REPRISE_VALUE_INT || kind == REPRISE_VALUE_UINT || kind == REPRISE_VALUE_FLOAT ||
           kind == REPRISE_VALUE_DOUBLE;
}

/* Puts a value, or nothing for null. False: it does not suit the column. */
static bool put_value(column *c, const reprise_value *value, size_t row)
{
    bool null = !value || reprise_value_kind_of(value) == REPRISE_VALUE_NULL;
    put_bit(&c->valid, row, !null);
    c->nulls += null;
    bool suits = true;
    if (c->kind == KIND_INT) {
        int64_t number = reprise_value_int(value, 0);
        suits = reprise_value_kind_of(value) == REPRISE_VALUE_INT;
        rp_put(&c->values, &number, sizeof number);
    } else if (c->kind == KIND_REAL) {
        double number = reprise_value_double(value, 0);
        suits = is_number(value);
        rp_put(&c->values, &number, sizeof number);
    } else if (c->kind == KIND_BOOL) {
        suits = reprise_value_kind_of(value) == REPRISE_VALUE_BOOL;
        put_bit(&c->values, row, reprise_value_bool(value, false));
    } else if (!null && c->kind == KIND_TEXT) {
        suits = put_text(c, value);
    } else if (!null) {
        suits = put_items(c, value);
    }
    if (c->kind == KIND_TEXT)
        put_offset(&c->offsets, c->bytes.size);
    else if (c->kind == KIND_LIST)
        put_offset(&c->offsets, c->items);
    return null || suits;
}

static void begin_batch(column *c)
{
    rp_writer_clear(&c->valid);
    rp_writer_clear(&c->values);
    rp_writer_clear(&c->offsets);
    rp_writer_clear(&c->item_offsets);
    rp_writer_clear(&c->bytes);
    c->nulls = c->items = 0;
    put_offset(&c->offsets, 0);
    put_offset(&c->item_offsets, 0);
}

static void set_arrays(column *c, size_t rows)
{
    bool texts = c->kind == KIND_TEXT, list = c->kind == KIND_LIST;
    c->buffers[0] = c->valid.data;
    c->buffers[1] = texts || list ? c->offsets.data : c->values.data;
    c->buffers[2] = c->bytes.data;
    c->array = (struct ArrowArray){.length = (int64_t)rows,
                                   .null_count = (int64_t)c->nulls,
                                   .n_buffers = texts ? 3 : 2,
                                   .buffers = c->buffers,
                                   .n_children = list,
                                   .children = c->item_arrays,
                                   .release = not_owned_array};
    c->item_buffers[1] = c->item_offsets.data;
    c->item_buffers[2] = c->bytes.data;
    c->item_array = (struct ArrowArray){.length = (int64_t)c->items,
                                        .n_buffers = 3,
                                        .buffers = c->item_buffers,
                                        .release = not_owned_array};
    c->item_arrays[0] = &c->item_array;
}

static reprise_status write_batch(table *t, const reprise_value *rows, size_t from, size_t to,
                                  reprise_error *error)
{
    for (size_t i = 0; i < t->count; i++)
        begin_batch(&t->columns[i]);
    for (size_t row = from; row < to; row++) {
        const reprise_value *values = reprise_value_at(rows, row);
        for (size_t i = 0; i < t->count; i++) {
            if (!put_value(&t->columns[i], reprise_value_at(values, i), row - from))
                return rp_error_set(error, REPRISE_E_USAGE,
                                    "row %zu: the value of '%.60s' does not suit its column", row,
                                    t->columns[i].field.name);
        }
    }
    if (error->status != REPRISE_OK)
        return error->status;
    for (size_t i = 0; i < t->count; i++)
        set_arrays(&t->columns[i], to - from);
    t->rows = (struct ArrowArray){.length = (int64_t)(to - from),
                                  .n_buffers = 1,
                                  .buffers = t->no_nulls,
                                  .n_children = (int64_t)t->count,
                                  .children = t->arrays,
                                  .release = not_owned_array};
    return rp_table_batch(t->writer, &t->rows, error);
}

static reprise_status write_all(table *t, const reprise_value *rows, reprise_table_form form,
                                rp_sink *sink, reprise_error *error)
{
    static const rp_table_pair about[] = {{"reprise.version", REPRISE_VERSION}};
    const rp_table_options options = {about, RP_COUNT(about)};
    size_t count = reprise_value_count(rows);
    RP_TRY(rp_table_open(t->context, form, &t->schema, &options, sink, &t->writer, error));
    for (size_t from = 0; from < count; from += BATCH_ROWS) {
        size_t to = count - from < BATCH_ROWS ? count : from + BATCH_ROWS;
        RP_TRY(write_batch(t, rows, from, to, error));
    }
    return rp_table_end(t->writer, error);
}

reprise_status rp_value_table_write(rp_context *context, const reprise_value *columns,
                                    const reprise_value *rows, reprise_table_form form,
                                    rp_sink *sink, reprise_error *error)
{
    table t = {.context = context};
    rp_arena_init(&t.arena, context);
    reprise_status status = add_columns(&t, columns, error);
    if (status == REPRISE_OK)
        status = write_all(&t, rows, form, sink, error);
    rp_table_writer_free(t.writer);
    for (size_t i = 0; t.columns && i < t.count; i++) {
        column *c = &t.columns[i];
        rp_writer *const writers[] = {&c->valid, &c->values, &c->offsets, &c->item_offsets,
                                      &c->bytes};
        for (size_t k = 0; k < RP_COUNT(writers) && writers[k]->context; k++)
            rp_writer_free(writers[k]);
    }
    rp_arena_free(&t.arena);
    return status;
}
