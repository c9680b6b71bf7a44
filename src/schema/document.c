/* document.c - see document.h. */
#include "document.h"

#include <string.h>

#include "utf8.h"

static reprise_value *text_value(rp_doc *doc, const rp_text *text, bool bytes)
{
    if (!text->data)
        return NULL;
    if (!bytes && rp_utf8_valid(text->data, text->size) == text->size)
        return rp_new_text_n(doc, text->data, text->size);
    reprise_value *hex = rp_new_hex(doc, text->data, text->size);
    if (bytes)
        return hex;
    reprise_value *object = rp_new_object(doc);
    rp_set(doc, object, "hex", hex);
    return object;
}

static reprise_value *list_value(rp_doc *doc, const rp_record *record, const rp_list *list)
{
    reprise_value *array = rp_new_array(doc);
    for (size_t i = 0; i < list->count; i++)
        rp_push(
            doc, array,
            rp_document_of(doc, record, (const char *)list->items + i * record->size, UINT64_MAX));
    return array;
}

static reprise_value *number_value(rp_doc *doc, const rp_field *field, const void *row)
{
    const rp_enum *names = rp_field_enum(field);
    int64_t number = rp_field_int(field, row);
    const char *name = names && !names->flags ? rp_enum_name(names, number) : NULL;
    if (name)
        return rp_new_text(doc, name);
    return field->kind == RP_U64 ? rp_new_uint(doc, (uint64_t)number) : rp_new_int(doc, number);
}

/* NULL where there is nothing to say. */
static reprise_value *field_value(rp_doc *doc, const rp_field *field, const void *row)
{
    const void *from = rp_at_const(field, row);
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES:
        return text_value(doc, from, field->kind == RP_BYTES);
    case RP_BOOL:
        return rp_new_bool(doc, *(const bool *)from);
    case RP_F32:
        return rp_new_f32(doc, *(const float *)from);
    case RP_F64:
        return rp_new_f64(doc, *(const double *)from);
    case RP_SEQ:
        return list_value(doc, field->sub, from);
    case RP_REC:
        return rp_document_of(doc, field->sub, from, UINT64_MAX);
    case RP_OPT: {
        const void *nested = *(void *const *)from;
        return nested ? rp_document_of(doc, field->sub, nested, UINT64_MAX) : NULL;
    }
    default:
        return number_value(doc, field, row);
    }
}

reprise_value *rp_document_of(rp_doc *doc, const rp_record *record, const void *row,
                              uint64_t present)
{
    reprise_value *object = rp_new_object(doc);
    for (size_t i = 0; i < record->count; i++) {
        reprise_value *value = present >> i & 1 ? field_value(doc, &record->fields[i], row) : NULL;
        if (value)
            rp_set(doc, object, record->fields[i].name, value);
    }
    return object;
}

/* ---- back ---- */

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

/* A whole number as text, which is how JSON shows those of 64 bits. */
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

/* Elements of lists are also shown shorter: as the values of their fields, or of the only one. */
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
