/* document.c - see document.h. */
#include "document.h"

#include <string.h>

#include "utf8.h"

typedef enum value_shape { OF_ROWS, OF_DOCUMENTS } value_shape;

static reprise_value *value_of(rp_doc *doc, value_shape shape, const rp_field *field,
                               const void *row);
static reprise_value *record_of(rp_doc *doc, value_shape shape, const rp_record *record,
                                const void *row);

static reprise_value *null_of(rp_doc *doc, value_shape shape)
{
    return shape == OF_ROWS ? rp_new_null(doc) : NULL;
}

static reprise_value *text_value(rp_doc *doc, value_shape shape, const rp_text *text)
{
    if (!text->data)
        return null_of(doc, shape);
    if (shape == OF_ROWS || rp_utf8_valid(text->data, text->size) == text->size)
        return rp_new_text_n(doc, text->data, text->size);
    reprise_value *object = rp_new_object(doc);
    rp_set(doc, object, "hex", rp_new_hex(doc, text->data, text->size));
    return object;
}

static reprise_value *bytes_value(rp_doc *doc, value_shape shape, const rp_text *bytes)
{
    return bytes->data ? rp_new_hex(doc, bytes->data, bytes->size) : null_of(doc, shape);
}

static reprise_value *floats_value(rp_doc *doc, const float *values, size_t count)
{
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < count; i++)
        rp_push(doc, array, rp_new_f32(doc, values[i]));
    return array;
}

static reprise_value *matrix_value(rp_doc *doc, const rp_mat34 *matrix)
{
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < RP_COUNT(matrix->m); i++)
        rp_push(doc, array, rp_new_f64(doc, matrix->m[i]));
    return array;
}

static reprise_value *list_value(rp_doc *doc, value_shape shape, const rp_record *record,
                                 const rp_list *list)
{
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < list->count; i++) {
        const void *item = (const char *)list->items + i * record->size;
        rp_push(doc, array,
                record->count == 1 ? value_of(doc, shape, &record->fields[0], item)
                                   : record_of(doc, shape, record, item));
    }
    return array;
}

static reprise_value *map_value(rp_doc *doc, value_shape shape, const rp_record *record,
                                const rp_list *map)
{
    const rp_field *key = &record->fields[0];
    reprise_value *object = rp_new_object(doc);
    for (size_t i = 0; i < map->count; i++) {
        const void *item = (const char *)map->items + i * record->size;
        const reprise_value *name = value_of(doc, shape, key, item);
        if (key->kind != RP_TEXT)
            name = rp_new_format(doc, "%llu", (unsigned long long)rp_field_int(key, item));
        const char *text = reprise_value_text(name, NULL);
        rp_set(doc, object, text ? text : "", value_of(doc, shape, &record->fields[1], item));
    }
    return object;
}

static reprise_value *choice_value(rp_doc *doc, value_shape shape, const rp_sum *sum,
                                   const rp_choice *choice)
{
    if (choice->variant >= sum->count)
        return rp_new_uint(doc, choice->variant);
    const char *name = sum->names[choice->variant];
    const rp_record *record = sum->variants[choice->variant];
    if (!record)
        return rp_new_text(doc, name);
    reprise_value *object = rp_new_object(doc);
    rp_set(doc, object, name, record_of(doc, shape, record, choice->value));
    return object;
}

static reprise_value *flags_value(rp_doc *doc, const rp_enum *names, int64_t bits)
{
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < names->count; i++) {
        if (bits & names->values[i].number)
            rp_push(doc, array, rp_new_text(doc, names->values[i].name));
        bits &= ~names->values[i].number;
    }
    if (bits)
        rp_push(doc, array, rp_new_int(doc, bits));
    return array;
}

static reprise_value *integer_value(rp_doc *doc, value_shape shape, const rp_field *field,
                                    const void *row)
{
    const rp_enum *names = rp_field_enum(field);
    int64_t number = rp_field_int(field, row);
    if (names && names->flags)
        return flags_value(doc, names, number);
    const char *name = names ? rp_enum_name(names, number) : NULL;
    if (name)
        return rp_new_text(doc, name);
    bool text = shape == OF_ROWS;
    if (field->kind == RP_U64)
        return text ? rp_new_format(doc, "%llu", (unsigned long long)number)
                    : rp_new_uint(doc, (uint64_t)number);
    return text && field->kind == RP_I64 ? rp_new_format(doc, "%lld", (long long)number)
                                         : rp_new_int(doc, number);
}

/* NULL for a field that is not set, in documents only. */
static reprise_value *value_of(rp_doc *doc, value_shape shape, const rp_field *field,
                               const void *row)
{
    const void *from = rp_at_const(field, row);
    switch (field->kind) {
    case RP_TEXT:
        return text_value(doc, shape, from);
    case RP_BYTES:
        return bytes_value(doc, shape, from);
    case RP_RAW:
        return rp_new_hex(doc, from, field->tag);
    case RP_BOOL:
        return rp_new_bool(doc, *(const bool *)from);
    case RP_F32:
        return rp_new_f32(doc, *(const float *)from);
    case RP_F64:
        return rp_new_f64(doc, *(const double *)from);
    case RP_VEC3:
        return floats_value(doc, &((const rp_vec3 *)from)->x, 3);
    case RP_QUAT:
        return floats_value(doc, &((const rp_quat *)from)->x, 4);
    case RP_ROT: {
        rp_quat rotation = rp_rot_value(from);
        return floats_value(doc, &rotation.x, 4);
    }
    case RP_MAT34:
        return matrix_value(doc, from);
    case RP_SEQ:
        return list_value(doc, shape, field->sub, from);
    case RP_MAP:
        return map_value(doc, shape, field->sub, from);
    case RP_SUM:
        return choice_value(doc, shape, field->sub, from);
    case RP_REC:
        return record_of(doc, shape, field->sub, from);
    case RP_OPT: {
        const void *nested = *(void *const *)from;
        return nested ? record_of(doc, shape, field->sub, nested) : null_of(doc, shape);
    }
    default:
        return integer_value(doc, shape, field, row);
    }
}

static reprise_value *members(rp_doc *doc, value_shape shape, const rp_record *record,
                              const void *row, uint64_t present)
{
    reprise_value *object = rp_new_object(doc);
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        reprise_value *value = present >> i & 1 ? value_of(doc, shape, field, row) : NULL;
        if (value)
            rp_set(doc, object, field->name, value);
    }
    return object;
}

/* A tuple is an array. A record that only wraps a value is that value. */
static reprise_value *record_of(rp_doc *doc, value_shape shape, const rp_record *record,
                                const void *row)
{
    bool wraps = record->shape == RP_SHAPE_NEWTYPE ||
                 (record->count == 1 && strcmp(record->fields[0].name, "item") == 0);
    if (wraps)
        return value_of(doc, shape, &record->fields[0], row);
    if (record->shape != RP_SHAPE_TUPLE)
        return members(doc, shape, record, row, UINT64_MAX);
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < record->count; i++)
        rp_push(doc, array, value_of(doc, shape, &record->fields[i], row));
    return array;
}

reprise_value *rp_field_value(rp_doc *doc, const rp_field *field, const void *row)
{
    return value_of(doc, OF_ROWS, field, row);
}

reprise_value *rp_record_value(rp_doc *doc, const rp_record *record, const void *row)
{
    return record_of(doc, OF_ROWS, record, row);
}

reprise_value *rp_document_of(rp_doc *doc, const rp_record *record, const void *row,
                              uint64_t present)
{
    return members(doc, OF_DOCUMENTS, record, row, present);
}

/* ---- reading documents ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex_read(rp_arena *arena, const reprise_value *from, rp_text *to, reprise_error *error)
{
    size_t size = 0;
    const char *text = reprise_value_text(from, &size);
    if (!text || size % 2)
        return false;
    char *bytes = rp_arena_text(arena, text, size / 2, error);
    for (size_t i = 0; bytes && i < size / 2; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i] = (char)(high << 4 | low);
    }
    if (bytes)
        *to = (rp_text){.data = bytes, .size = size / 2};
    return bytes != NULL;
}

static bool text_read(rp_arena *arena, const reprise_value *from, rp_text *to, reprise_error *error)
{
    const reprise_value *hex = rp_get(from, "hex");
    if (hex)
        return hex_read(arena, hex, to, error);
    size_t size = 0;
    const char *text = reprise_value_text(from, &size);
    if (!text)
        return false;
    *to = (rp_text){.data = rp_arena_text(arena, text, size, error), .size = size};
    return to->data != NULL;
}

/* Parses an integer that JSON stores as a string. */
static bool digits_read(const char *text, size_t size, int64_t *ret_number)
{
    bool minus = size && text[0] == '-';
    uint64_t number = 0;
    if (size == minus)
        return false;
    for (size_t i = minus; i < size; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (text[i] < '0' || text[i] > '9' || number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *ret_number = (int64_t)(minus ? 0 - number : number);
    return true;
}

static bool named_read(const reprise_value *from, const rp_enum *names, int64_t *ret_number)
{
    size_t size = 0;
    const char *text = reprise_value_text(from, &size);
    if (!text) {
        *ret_number = reprise_value_int(from, 0);
        return true;
    }
    return (names && rp_enum_number(names, text, size, ret_number)) ||
           digits_read(text, size, ret_number);
}

static bool number_read(const reprise_value *from, const rp_field *field, void *row)
{
    size_t size = 0;
    const char *text = reprise_value_text(from, &size);
    const rp_enum *names = rp_field_enum(field);
    int64_t number = 0, bit;
    if (text) {
        if (!named_read(from, names, &number))
            return false;
    } else if (names && names->flags && reprise_value_kind_of(from) == REPRISE_VALUE_ARRAY) {
        for (size_t i = 0; i < reprise_value_count(from); i++) {
            if (!named_read(reprise_value_at(from, i), names, &bit))
                return false;
            number |= bit;
        }
    } else {
        number = field->kind == RP_U64 ? (int64_t)reprise_value_uint(from, 0)
                                       : reprise_value_int(from, 0);
    }
    rp_field_set_int(field, row, number);
    return true;
}

/* Accepts elements of lists as objects, as arrays of their fields, or as their only field. */
static reprise_value *element(rp_doc *doc, const reprise_value *from, const rp_record *record)
{
    reprise_value_kind kind = reprise_value_kind_of(from);
    if (kind == REPRISE_VALUE_OBJECT)
        return (reprise_value *)(uintptr_t)from;
    reprise_value *object = rp_new_object(doc);
    if (kind != REPRISE_VALUE_ARRAY && record->count == 1)
        rp_set(doc, object, record->fields[0].name, rp_copy(doc, from));
    for (size_t i = 0; i < record->count && i < reprise_value_count(from); i++)
        rp_set(doc, object, record->fields[i].name, rp_copy(doc, reprise_value_at(from, i)));
    return object;
}

static bool list_read(rp_arena *arena, const reprise_value *from, const rp_record *record,
                      rp_list *to, reprise_error *error)
{
    if (reprise_value_kind_of(from) != REPRISE_VALUE_ARRAY)
        return false;
    size_t count = reprise_value_count(from);
    char *rows = rp_arena_array(arena, count, record->size, error);
    for (size_t i = 0; rows && i < count; i++) {
        uint64_t present = 0;
        rp_doc doc = {.arena = arena, .error = error};
        rp_document_read(arena, element(&doc, reprise_value_at(from, i), record), record,
                         rows + i * record->size, &present, error);
    }
    *to = (rp_list){.items = rows, .count = rows ? count : 0};
    return rows != NULL;
}

static bool field_read(rp_arena *arena, const reprise_value *from, const rp_field *field, void *row,
                       reprise_error *error)
{
    void *to = rp_at(field, row);
    uint64_t present = 0;
    switch (field->kind) {
    case RP_TEXT:
        return text_read(arena, from, to, error);
    case RP_BYTES:
        return hex_read(arena, from, to, error);
    case RP_RAW: {
        rp_text bytes = {0};
        bool fits = hex_read(arena, from, &bytes, error) && bytes.size == field->tag;
        if (fits)
            memcpy(to, bytes.data, bytes.size);
        return fits;
    }
    case RP_BOOL:
        *(bool *)to = reprise_value_bool(from, false);
        return true;
    case RP_F32:
        *(float *)to = (float)reprise_value_double(from, 0);
        return true;
    case RP_F64:
        *(double *)to = reprise_value_double(from, 0);
        return true;
    case RP_SEQ:
        return list_read(arena, from, field->sub, to, error);
    case RP_OPT:
        if (reprise_value_kind_of(from) != REPRISE_VALUE_OBJECT)
            return false;
        *(void **)to = rp_arena_alloc(arena, ((const rp_record *)field->sub)->size, error);
        to = *(void **)to;
        break;
    case RP_REC:
        break;
    default:
        return number_read(from, field, row);
    }
    if (to)
        rp_document_read(arena, from, field->sub, to, &present, error);
    return to != NULL;
}

void rp_document_read(rp_arena *arena, const reprise_value *from, const rp_record *record,
                      void *row, uint64_t *ret_present, reprise_error *error)
{
    uint64_t present = 0;
    for (size_t i = 0; i < record->count; i++) {
        const reprise_value *value = rp_get(from, record->fields[i].name);
        if (value && field_read(arena, value, &record->fields[i], row, error))
            present |= UINT64_C(1) << i;
    }
    *ret_present = present;
}
