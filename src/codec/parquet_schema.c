/* parquet_schema.c - the columns of a Parquet file, and its schema as the footer has it. */
#include "parquet_parts.h"

#include "checked.h"

enum { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };
enum { STEPS_MAX = 32 };

static bool is_list(rp_arrow_kind kind)
{
    return kind == RP_ARROW_LIST || kind == RP_ARROW_FIXED_LIST;
}

/* ---- columns ---- */

/* The way from the root to a field. */
typedef struct way {
    rp_pq_step steps[STEPS_MAX];
    size_t step_count;
    const char *path[3 * STEPS_MAX];
    size_t path_count;
} way;

static void set_physical(rp_pq_column *column, rp_arrow_type type)
{
    column->type = type;
    column->width = type.width;
    switch (type.kind) {
    case RP_ARROW_BOOL:
        column->physical = RP_PQ_BOOLEAN;
        break;
    case RP_ARROW_INT:
    case RP_ARROW_UINT:
        column->physical = type.width == 8 ? RP_PQ_INT64 : RP_PQ_INT32;
        column->width = type.width == 8 ? 8 : 4;
        break;
    case RP_ARROW_REAL:
        column->physical = type.width == 8 ? RP_PQ_DOUBLE : RP_PQ_FLOAT;
        break;
    case RP_ARROW_FIXED_BYTES:
        column->physical = RP_PQ_FIXED_BYTES;
        break;
    default:
        column->physical = RP_PQ_BYTES;
        column->width = 0;
    }
}

static reprise_status add_column(rp_pq_writer *pq, const way *to, rp_arrow_type type,
                                 bool has_dictionary, reprise_error *error)
{
    rp_pq_column *column = &pq->columns[pq->column_count];
    column->steps = rp_arena_array(&pq->arena, to->step_count, sizeof *column->steps, error);
    const char **path = rp_arena_array(&pq->arena, to->path_count, sizeof *path, error);
    if (!column->steps || !path)
        return error->status;
    memcpy(column->steps, to->steps, to->step_count * sizeof *to->steps);
    memcpy(path, to->path, to->path_count * sizeof *to->path);
    column->step_count = to->step_count;
    column->path = path;
    column->path_count = to->path_count;
    for (size_t i = 0; i < to->step_count; i++) {
        column->definition_max += to->steps[i].nullable + is_list(to->steps[i].kind);
        column->repetition_max += is_list(to->steps[i].kind);
    }
    column->has_dictionary = has_dictionary;
    set_physical(column, type);
    rp_writer_init(&column->data, pq->base.context, SIZE_MAX / 2, &pq->error);
    rp_writer_init(&column->pages, pq->base.context, SIZE_MAX / 2, &pq->error);
    rp_pq_dictionary_init(&column->dictionary, pq->base.context, &pq->error);
    pq->column_count++;
    return REPRISE_OK;
}

static reprise_status add_field(rp_pq_writer *pq, const struct ArrowSchema *field, size_t child,
                                const char *name, way *to, reprise_error *error)
{
    rp_arrow_type type;
    way here = *to;
    RP_TRY(rp_arrow_type_of(field, &type, error));
    if (field->dictionary)
        RP_TRY(rp_arrow_type_of(field->dictionary, &type, error));
    if (here.step_count == STEPS_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "column '%.60s' is nested too deeply", name);
    here.steps[here.step_count++] = (rp_pq_step){child, type.kind, type.width,
                                                 (field->flags & ARROW_FLAG_NULLABLE) != 0};
    here.path[here.path_count++] = name;
    if (type.kind < RP_ARROW_LIST)
        return add_column(pq, &here, type, field->dictionary != NULL, error);
    if (!field->n_children)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "column '%.60s' has no members, which Parquet cannot hold", name);
    if (is_list(type.kind))
        here.path[here.path_count++] = "list";
    for (int64_t i = 0; i < field->n_children; i++) {
        const char *own = is_list(type.kind) ? "element" : field->children[i]->name;
        RP_TRY(add_field(pq, field->children[i], (size_t)i, own, &here, error));
    }
    return REPRISE_OK;
}

static size_t count_leaves(const struct ArrowSchema *field)
{
    size_t count = field->n_children == 0;
    for (int64_t i = 0; i < field->n_children; i++)
        count += count_leaves(field->children[i]);
    return count;
}

reprise_status rp_pq_find_columns(rp_pq_writer *pq, reprise_error *error)
{
    const struct ArrowSchema *schema = pq->base.schema;
    if (!schema->n_children)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "a Parquet file needs a column");
    way root = {.step_count = 0};
    pq->columns = rp_arena_array(&pq->arena, count_leaves(schema), sizeof *pq->columns, error);
    for (int64_t i = 0; pq->columns && i < schema->n_children; i++)
        RP_TRY(
            add_field(pq, schema->children[i], (size_t)i, schema->children[i]->name, &root, error));
    return error->status;
}

/* ---- the schema of the footer ---- */

/* Members of SchemaElement. */
enum {
    ELEMENT_TYPE = 1,
    ELEMENT_TYPE_LENGTH = 2,
    ELEMENT_REPETITION = 3,
    ELEMENT_NAME = 4,
    ELEMENT_CHILDREN = 5,
    ELEMENT_CONVERTED = 6,
    ELEMENT_LOGICAL = 10,
};
enum { CONVERTED_UTF8 = 0, CONVERTED_LIST = 3, CONVERTED_UINT_8 = 11, CONVERTED_INT_8 = 15 };
enum { LOGICAL_STRING = 1, LOGICAL_LIST = 3, LOGICAL_INTEGER = 10 };

static void put_logical_empty(rp_thrift *t, int16_t kind)
{
    rp_thrift_begin(t, ELEMENT_LOGICAL);
    rp_thrift_begin(t, kind);
    rp_thrift_end(t);
    rp_thrift_end(t);
}

static void put_integer(rp_thrift *t, rp_arrow_type type)
{
    bool is_signed = type.kind == RP_ARROW_INT;
    rp_thrift_i32(t, ELEMENT_CONVERTED,
                  (is_signed ? CONVERTED_INT_8 : CONVERTED_UINT_8) +
                      (int32_t)rp_bit_width(type.width) - 1);
    rp_thrift_begin(t, ELEMENT_LOGICAL);
    rp_thrift_begin(t, LOGICAL_INTEGER);
    rp_thrift_byte(t, 1, (int8_t)(8 * type.width));
    rp_thrift_bool(t, 2, is_signed);
    rp_thrift_end(t);
    rp_thrift_end(t);
}

static void put_leaf(rp_thrift *t, rp_arrow_type type, int32_t repetition, const char *name)
{
    rp_pq_column as = {.steps = NULL};
    set_physical(&as, type);
    rp_thrift_item_begin(t);
    rp_thrift_i32(t, ELEMENT_TYPE, (int32_t)as.physical);
    if (as.physical == RP_PQ_FIXED_BYTES)
        rp_thrift_i32(t, ELEMENT_TYPE_LENGTH, (int32_t)type.width);
    rp_thrift_i32(t, ELEMENT_REPETITION, repetition);
    rp_thrift_text(t, ELEMENT_NAME, name);
    if (type.kind == RP_ARROW_TEXT) {
        rp_thrift_i32(t, ELEMENT_CONVERTED, CONVERTED_UTF8);
        put_logical_empty(t, LOGICAL_STRING);
    } else if (type.kind == RP_ARROW_INT || type.kind == RP_ARROW_UINT) {
        put_integer(t, type);
    }
    rp_thrift_end(t);
}

static void put_group(rp_thrift *t, int32_t repetition, const char *name, size_t children,
                      bool list)
{
    rp_thrift_item_begin(t);
    rp_thrift_i32(t, ELEMENT_REPETITION, repetition);
    rp_thrift_text(t, ELEMENT_NAME, name);
    rp_thrift_i32(t, ELEMENT_CHILDREN, (int32_t)children);
    if (list) {
        rp_thrift_i32(t, ELEMENT_CONVERTED, CONVERTED_LIST);
        put_logical_empty(t, LOGICAL_LIST);
    }
    rp_thrift_end(t);
}

static rp_arrow_type type_of(const struct ArrowSchema *field)
{
    rp_arrow_type type = {RP_ARROW_BOOL, 0};
    reprise_error error = REPRISE_ERROR_INIT; /* the columns were found, so all types are known */
    (void)!rp_arrow_type_of(field->dictionary ? field->dictionary : field, &type, &error);
    return type;
}

static void put_field(rp_thrift *t, const struct ArrowSchema *field, const char *name)
{
    rp_arrow_type type = type_of(field);
    int32_t repetition = field->flags & ARROW_FLAG_NULLABLE ? OPTIONAL : REQUIRED;
    if (type.kind < RP_ARROW_LIST) {
        put_leaf(t, type, repetition, name);
        return;
    }
    put_group(t, repetition, name, (size_t)field->n_children, is_list(type.kind));
    if (is_list(type.kind)) {
        put_group(t, REPEATED, "list", 1, false);
        put_field(t, field->children[0], "element");
        return;
    }
    for (int64_t i = 0; i < field->n_children; i++)
        put_field(t, field->children[i], field->children[i]->name);
}

static size_t count_elements(const struct ArrowSchema *field)
{
    size_t count = is_list(type_of(field).kind) ? 2 : 1;
    for (int64_t i = 0; i < field->n_children; i++)
        count += count_elements(field->children[i]);
    return count;
}

void rp_pq_put_schema(rp_thrift *t, const struct ArrowSchema *schema)
{
    enum { FILE_SCHEMA = 2 };
    rp_thrift_list(t, FILE_SCHEMA, RP_THRIFT_STRUCT, count_elements(schema));
    rp_thrift_item_begin(t);
    rp_thrift_text(t, ELEMENT_NAME, "schema");
    rp_thrift_i32(t, ELEMENT_CHILDREN, (int32_t)schema->n_children);
    rp_thrift_end(t);
    for (int64_t i = 0; i < schema->n_children; i++)
        put_field(t, schema->children[i], schema->children[i]->name);
}
