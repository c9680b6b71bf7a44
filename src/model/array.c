/* array.c - see array.h. */
#include "array.h"

#include <assert.h>
#include <math.h>

#include "array_parts.h"

static rp_array *new_field(rp_arrays *arrays, const rp_field *field);

/* ---- making arrays ---- */

typedef struct layout {
    reprise_array_type type;
    uint8_t width;
} layout;

/* Kinds that are copied as they are in memory. */
static const layout plain[RP_KIND_COUNT] = {
    [RP_U8] = {REPRISE_ARRAY_UINT8, 1},   [RP_I8] = {REPRISE_ARRAY_INT8, 1},
    [RP_U16] = {REPRISE_ARRAY_UINT16, 2}, [RP_I16] = {REPRISE_ARRAY_INT16, 2},
    [RP_U32] = {REPRISE_ARRAY_UINT32, 4}, [RP_I32] = {REPRISE_ARRAY_INT32, 4},
    [RP_U64] = {REPRISE_ARRAY_UINT64, 8}, [RP_I64] = {REPRISE_ARRAY_INT64, 8},
    [RP_F32] = {REPRISE_ARRAY_FLOAT, 4},  [RP_F64] = {REPRISE_ARRAY_DOUBLE, 8},
    [RP_INT] = {REPRISE_ARRAY_INT32, 4},  [RP_BYTE] = {REPRISE_ARRAY_UINT8, 1},
};

static rp_array *new_array(rp_arrays *arrays, const char *name, rp_kind kind,
                           reprise_array_type type, size_t width)
{
    rp_array *array = rp_arena_alloc(arrays->arena, sizeof *array, arrays->error);
    if (!array)
        return NULL;
    *array = (rp_array){
        .about = {.name = name, .type = type, .width = width}, .arrays = arrays, .kind = kind};
    rp_writer *buffers[] = {&array->validity, &array->stored, &array->values, &array->offsets};
    for (size_t i = 0; i < RP_COUNT(buffers); i++)
        rp_writer_init(buffers[i], arrays->context, RP_ARRAY_BYTES_MAX, arrays->error);
    return array;
}

static bool set_children(rp_array *array, size_t count)
{
    rp_arrays *arrays = array->arrays;
    rp_arena *arena = arrays->arena;
    array->children = rp_arena_array(arena, count, sizeof *array->children, arrays->error);
    array->views = rp_arena_array(arena, count, sizeof *array->views, arrays->error);
    if (!array->children || !array->views)
        return false;
    array->about.child_count = count;
    array->about.children = array->views;
    return true;
}

static rp_array *new_fixed_list(rp_arrays *arrays, const char *name, rp_kind kind, rp_kind item,
                                size_t width)
{
    rp_array *array = new_array(arrays, name, kind, REPRISE_ARRAY_FIXED_LIST, width);
    if (!array || !set_children(array, 1))
        return NULL;
    array->children[0] = new_array(arrays, "item", item, plain[item].type, plain[item].width);
    return array->children[0] ? array : NULL;
}

static rp_array *new_record(rp_arrays *arrays, const char *name, rp_kind kind,
                            const rp_record *record)
{
    rp_array *array = new_array(arrays, name, kind, REPRISE_ARRAY_STRUCT, 0);
    if (!array || !set_children(array, record->count))
        return NULL;
    array->record = record;
    for (size_t i = 0; i < record->count; i++) {
        array->children[i] = new_field(arrays, &record->fields[i]);
        if (!array->children[i])
            return NULL;
    }
    return array;
}

static rp_array *new_list(rp_arrays *arrays, const rp_field *field)
{
    const rp_record *record = field->sub;
    rp_array *array = new_array(arrays, field->name, field->kind, REPRISE_ARRAY_LIST, 0);
    if (!array || !set_children(array, 1))
        return NULL;
    array->record = record;
    array->newtype = record->count == 1;
    array->children[0] = array->newtype ? new_field(arrays, &record->fields[0])
                                        : new_record(arrays, "item", RP_REC, record);
    return array->children[0] ? array : NULL;
}

static rp_array *new_union(rp_arrays *arrays, const rp_field *field)
{
    const rp_sum *sum = field->sub;
    rp_array *array = new_array(arrays, field->name, field->kind, REPRISE_ARRAY_UNION, 0);
    if (!array || !set_children(array, sum->count))
        return NULL;
    array->sum = sum;
    static const rp_record nothing = {.sub_kind = RP_SUB_RECORD, .name = "nothing"};
    for (uint32_t i = 0; i < sum->count; i++) {
        const rp_record *record = sum->variants[i] ? sum->variants[i] : &nothing;
        array->children[i] = new_record(arrays, sum->names[i], RP_REC, record);
        if (!array->children[i])
            return NULL;
    }
    return array;
}

/* The number of the variant, with the names of all variants. */
static rp_array *new_variant_number(rp_arrays *arrays, const rp_sum *sum)
{
    rp_array *array = new_array(arrays, "kind", RP_U8, REPRISE_ARRAY_UINT8, 1);
    reprise_name *names = rp_arena_array(arrays->arena, sum->count, sizeof *names, arrays->error);
    if (!array || !names)
        return NULL;
    for (uint32_t i = 0; i < sum->count; i++)
        names[i] = (reprise_name){.number = i, .name = sum->names[i]};
    array->about.names = names;
    array->about.name_count = sum->count;
    return array;
}

static rp_array *new_choice_struct(rp_arrays *arrays, const rp_field *field)
{
    const rp_sum *sum = field->sub;
    rp_array *array = new_array(arrays, field->name, field->kind, REPRISE_ARRAY_STRUCT, 0);
    if (!array)
        return NULL;
    array->sum = sum;
    array->variant_child = rp_arena_array(arrays->arena, sum->count, 1, arrays->error);
    size_t count = 1;
    for (uint32_t i = 0; array->variant_child && i < sum->count; i++) {
        if (sum->variants[i] && sum->variants[i]->count)
            array->variant_child[i] = (uint8_t)count++;
    }
    assert(count <= UINT8_MAX);
    if (!array->variant_child || !set_children(array, count))
        return NULL;
    array->children[0] = new_variant_number(arrays, sum);
    for (uint32_t i = 0; i < sum->count; i++) {
        size_t child = array->variant_child[i];
        if (child)
            array->children[child] = new_record(arrays, sum->names[i], RP_REC, sum->variants[i]);
        if (!array->children[child])
            return NULL;
    }
    return array;
}

static rp_array *new_kind(rp_arrays *arrays, const rp_field *field, rp_kind kind)
{
    const char *name = field->name;
    switch (kind) {
    case RP_BOOL:
        return new_array(arrays, name, kind, REPRISE_ARRAY_BOOL, 0);
    case RP_TEXT:
        return new_array(arrays, name, kind, REPRISE_ARRAY_TEXT, 0);
    case RP_BYTES:
        return new_array(arrays, name, kind, REPRISE_ARRAY_BYTES, 0);
    case RP_RAW:
        return new_array(arrays, name, kind, REPRISE_ARRAY_FIXED_BYTES, field->tag);
    case RP_VEC3:
        return new_fixed_list(arrays, name, kind, RP_F32, 3);
    case RP_QUAT:
    case RP_ROT:
        return new_fixed_list(arrays, name, kind, RP_F32, 4);
    case RP_MAT34:
        return new_fixed_list(arrays, name, kind, RP_F64, 12);
    case RP_SEQ:
    case RP_MAP:
        return new_list(arrays, field);
    case RP_OPT:
    case RP_REC:
        return new_record(arrays, name, kind, field->sub);
    case RP_SUM:
        return arrays->as_table ? new_choice_struct(arrays, field) : new_union(arrays, field);
    default:
        return new_array(arrays, name, kind, plain[kind].type, plain[kind].width);
    }
}

static rp_array *new_field(rp_arrays *arrays, const rp_field *field)
{
    rp_array *array = new_kind(arrays, field, field->kind);
    const rp_enum *names = array ? rp_field_enum(field) : NULL;
    if (names) {
        array->about.names = names->values;
        array->about.name_count = names->count;
        array->about.flags = names->flags;
    }
    return array;
}

rp_array *rp_array_new(rp_arrays *arrays, const rp_column *column)
{
    rp_array *array = NULL;
    switch (column->source) {
    case RP_COLUMN_INDEX:
        array = new_array(arrays, NULL, RP_I64, REPRISE_ARRAY_INT64, 8);
        break;
    case RP_COLUMN_TIME:
        array = new_array(arrays, NULL, RP_F64, REPRISE_ARRAY_DOUBLE, 8);
        break;
    case RP_COLUMN_OBJECT:
        array = new_array(arrays, NULL, RP_U32, REPRISE_ARRAY_UINT32, 4);
        break;
    case RP_COLUMN_PRESENT:
        array = new_array(arrays, NULL, RP_U64, REPRISE_ARRAY_UINT64, 8);
        break;
    default:
        /* One axis of a vector or rotation is a number. */
        if (column->kind == RP_ROT)
            array = new_array(arrays, NULL, RP_F32, REPRISE_ARRAY_FLOAT, 4);
        else if (column->kind != column->field->kind)
            array = new_kind(arrays, column->field, column->kind);
        else
            array = new_field(arrays, column->field);
    }
    if (array) {
        array->column = column;
        array->about.name = column->about.name;
    }
    return array;
}

void rp_array_free(rp_array *array)
{
    if (!array)
        return;
    for (size_t i = 0; array->children && i < array->about.child_count; i++)
        rp_array_free(array->children[i]);
    rp_arrow_names_free(array);
    rp_writer_free(&array->validity);
    rp_writer_free(&array->stored);
    rp_writer_free(&array->values);
    rp_writer_free(&array->offsets);
}

void rp_array_clear(rp_array *array)
{
    for (size_t i = 0; i < array->about.child_count; i++)
        rp_array_clear(array->children[i]);
    rp_writer_clear(&array->validity);
    rp_writer_clear(&array->stored);
    rp_writer_clear(&array->values);
    rp_writer_clear(&array->offsets);
    array->length = array->null_count = array->stored_length = 0;
}

/* ---- adding values ---- */

void rp_array_add_bit(rp_writer *w, size_t index, bool bit)
{
    if (index % 8 == 0)
        rp_put_u8(w, 0);
    if (bit && rp_writer_ok(w))
        w->data[index / 8] |= (uint8_t)(1u << index % 8);
}

/* The bitmap is begun when the first null comes. */
void rp_array_begin_validity(rp_array *array)
{
    size_t bytes = array->length / 8;
    uint8_t *all = bytes ? rp_put_raw(&array->validity, bytes) : NULL;
    if (all)
        memset(all, 0xFF, bytes);
    for (size_t i = bytes * 8; i < array->length; i++)
        rp_array_add_bit(&array->validity, i, true);
}

static void add_valid(rp_array *array, bool valid)
{
    if (!valid && !array->null_count)
        rp_array_begin_validity(array);
    array->null_count += !valid;
    if (array->null_count)
        rp_array_add_bit(&array->validity, array->length, valid);
    array->length++;
}

static void put(rp_array *array, const void *bytes, size_t size)
{
    rp_put(&array->values, bytes, size);
    array->arrays->bytes += size;
}

static void put_zeros(rp_array *array, size_t size)
{
    uint8_t *zeros = size ? rp_put_raw(&array->values, size) : NULL;
    if (zeros)
        memset(zeros, 0, size);
    array->arrays->bytes += size;
}

/* In native byte order, as Arrow wants it. */
static void put_offset(rp_array *array, size_t offset)
{
    int32_t value = (int32_t)offset;
    rp_put(&array->offsets, &value, sizeof value);
}

static void begin_offsets(rp_array *array)
{
    if (!array->offsets.size)
        put_offset(array, 0);
}

void rp_array_add_null(rp_array *array)
{
    switch (array->about.type) {
    case REPRISE_ARRAY_BOOL:
        rp_array_add_bit(&array->values, array->length, false);
        break;
    case REPRISE_ARRAY_TEXT:
    case REPRISE_ARRAY_BYTES:
        begin_offsets(array);
        put_offset(array, array->values.size);
        break;
    case REPRISE_ARRAY_LIST:
        begin_offsets(array);
        put_offset(array, array->children[0]->length);
        break;
    case REPRISE_ARRAY_FIXED_LIST:
        for (size_t i = 0; i < array->about.width; i++)
            rp_array_add_null(array->children[0]);
        break;
    case REPRISE_ARRAY_STRUCT:
        for (size_t i = 0; i < array->about.child_count; i++)
            rp_array_add_null(array->children[i]);
        break;
    case REPRISE_ARRAY_UNION:
        /* A union has no validity of its own: its first variant holds the null. */
        put_offset(array, array->children[0]->length);
        put_zeros(array, 1);
        rp_array_add_null(array->children[0]);
        array->length++;
        return;
    default:
        put_zeros(array, array->about.width);
    }
    add_valid(array, false);
}

static void add_record(rp_array *array, const void *value)
{
    for (size_t i = 0; i < array->record->count; i++)
        rp_array_add_value(array->children[i], rp_at_const(&array->record->fields[i], value));
    add_valid(array, true);
}

static void add_list(rp_array *array, const rp_list *list)
{
    rp_array *child = array->children[0];
    begin_offsets(array);
    for (size_t i = 0; i < list->count && array->arrays->error->status == REPRISE_OK; i++) {
        const char *item = (const char *)list->items + i * array->record->size;
        if (child->length >= RP_ARRAY_BYTES_MAX)
            rp_error_set(array->arrays->error, REPRISE_E_LIMIT, "a batch has too many list items");
        else if (array->newtype)
            rp_array_add_value(child, rp_at_const(&array->record->fields[0], item));
        else
            add_record(child, item);
    }
    put_offset(array, child->length);
    add_valid(array, true);
}

static void add_variant(rp_array *child, const rp_choice *choice)
{
    if (choice->value || !child->record->count)
        add_record(child, choice->value);
    else
        rp_array_add_null(child);
}

static void add_union(rp_array *array, const rp_choice *choice)
{
    if (choice->variant >= array->sum->count) {
        rp_array_add_null(array);
        return;
    }
    rp_array *child = array->children[choice->variant];
    uint8_t variant = (uint8_t)choice->variant;
    put_offset(array, child->length);
    put(array, &variant, 1);
    add_variant(child, choice);
    array->length++;
}

static void add_choice_struct(rp_array *array, const rp_choice *choice)
{
    if (choice->variant >= array->sum->count) {
        rp_array_add_null(array);
        return;
    }
    uint8_t variant = (uint8_t)choice->variant;
    rp_array_add_value(array->children[0], &variant);
    for (size_t i = 1; i < array->about.child_count; i++) {
        if (array->variant_child[variant] == i)
            add_variant(array->children[i], choice);
        else
            rp_array_add_null(array->children[i]);
    }
    add_valid(array, true);
}

static void add_floats(rp_array *array, const float *values)
{
    for (size_t i = 0; i < array->about.width; i++)
        rp_array_add_value(array->children[0], &values[i]);
    add_valid(array, true);
}

/* As rows in JSON do. */
static void put_utf8(rp_array *array, const char *text, size_t size)
{
    size_t before = array->values.size;
    rp_put_utf8(&array->values, text, size);
    array->arrays->bytes += array->values.size - before;
}

void rp_array_add_text(rp_array *array, const rp_text *text)
{
    if (!text->data) {
        rp_array_add_null(array);
        return;
    }
    begin_offsets(array);
    if (array->kind == RP_TEXT && array->arrays->as_table)
        put_utf8(array, text->data, text->size);
    else
        put(array, text->data, text->size);
    put_offset(array, array->values.size);
    add_valid(array, true);
}

static void add_nested(rp_array *array, const void *value)
{
    switch (array->kind) {
    case RP_TEXT:
    case RP_BYTES:
        rp_array_add_text(array, value);
        break;
    case RP_VEC3:
    case RP_QUAT:
        add_floats(array, value);
        break;
    case RP_ROT: {
        rp_quat rotation = rp_rot_value(value);
        add_floats(array, &rotation.x);
        break;
    }
    case RP_MAT34:
        for (size_t i = 0; i < array->about.width; i++)
            rp_array_add_value(array->children[0], (const double *)value + i);
        add_valid(array, true);
        break;
    case RP_SEQ:
    case RP_MAP:
        add_list(array, value);
        break;
    case RP_OPT:
        if (*(void *const *)value)
            add_record(array, *(void *const *)value);
        else
            rp_array_add_null(array);
        break;
    case RP_REC:
        add_record(array, value);
        break;
    default:
        if (array->variant_child)
            add_choice_struct(array, value);
        else
            add_union(array, value);
    }
}

void rp_array_add_value(rp_array *array, const void *value)
{
    switch (array->about.type) {
    case REPRISE_ARRAY_BOOL:
        rp_array_add_bit(&array->values, array->length, *(const bool *)value);
        add_valid(array, true);
        return;
    case REPRISE_ARRAY_TEXT:
    case REPRISE_ARRAY_BYTES:
    case REPRISE_ARRAY_LIST:
    case REPRISE_ARRAY_FIXED_LIST:
    case REPRISE_ARRAY_STRUCT:
    case REPRISE_ARRAY_UNION:
        add_nested(array, value);
        return;
    default:
        put(array, value, array->about.width);
        add_valid(array, true);
    }
}

/* ---- the result ---- */

/* Values of no bytes still have an address, as Arrow wants it. */
static const void *address(const rp_writer *w)
{
    static const uint64_t nothing[1] = {0};
    return w->data ? (const void *)w->data : nothing;
}

const reprise_array *rp_array_view(rp_array *array)
{
    reprise_array *about = &array->about;
    bool has_offsets = about->type == REPRISE_ARRAY_TEXT || about->type == REPRISE_ARRAY_BYTES ||
                       about->type == REPRISE_ARRAY_LIST;
    if (has_offsets)
        begin_offsets(array);
    about->length = array->length;
    about->null_count = array->null_count;
    about->validity = array->null_count ? array->validity.data : NULL;
    about->stored = array->stored_length ? array->stored.data : NULL;
    about->values = about->type == REPRISE_ARRAY_LIST || about->type == REPRISE_ARRAY_STRUCT ||
                            about->type == REPRISE_ARRAY_FIXED_LIST
                        ? NULL
                        : address(&array->values);
    about->offsets = has_offsets || about->type == REPRISE_ARRAY_UNION ? address(&array->offsets)
                                                                       : NULL;
    for (size_t i = 0; i < about->child_count; i++)
        array->views[i] = rp_array_view(array->children[i]);
    return about;
}
