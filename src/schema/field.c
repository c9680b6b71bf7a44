/* field.c - operations on single fields: size, name, value, comparison, JSON. */
#include "json.h"
#include "schema.h"

#include <string.h>

const uint8_t rp_wire_size[RP_KIND_COUNT] = {
#define WIRE(kind, ctype, wire, label) [RP_##kind] = wire,
    RP_KINDS(WIRE)
#undef WIRE
};

const uint8_t rp_kind_size[RP_KIND_COUNT] = {
#define SIZE(kind, ctype, wire, label) [RP_##kind] = sizeof(ctype),
    RP_KINDS(SIZE)
#undef SIZE
};

const char *const rp_kind_label[RP_KIND_COUNT] = {
#define LABEL(kind, ctype, wire, label) [RP_##kind] = label,
    RP_KINDS(LABEL)
#undef LABEL
        [RP_REC] = "record",
    [RP_RAW] = "bytes",
};

size_t rp_field_size(const rp_field *field)
{
    if (field->kind == RP_REC)
        return ((const rp_record *)field->sub)->size;
    return field->kind == RP_RAW ? field->tag : rp_kind_size[field->kind];
}

const rp_enum *rp_field_enum(const rp_field *field)
{
    const rp_enum *names = field->sub;
    return names && names->sub_kind == RP_SUB_ENUM ? names : NULL;
}

const char *rp_enum_name(const rp_enum *names, int64_t number)
{
    for (size_t i = 0; i < names->count; i++) {
        if (names->values[i].number == number)
            return names->values[i].name;
    }
    return NULL;
}

bool rp_enum_number(const rp_enum *names, const char *name, size_t size, int64_t *ret_number)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strlen(names->values[i].name) == size &&
            memcmp(names->values[i].name, name, size) == 0) {
            *ret_number = names->values[i].number;
            return true;
        }
    }
    return false;
}

int64_t rp_field_int(const rp_field *field, const void *row)
{
    const void *p = rp_at_const(field, row);
    switch (field->kind) {
    case RP_BOOL:
        return *(const bool *)p;
    case RP_U8:
    case RP_BYTE:
        return *(const uint8_t *)p;
    case RP_I8:
        return *(const int8_t *)p;
    case RP_U16:
        return *(const uint16_t *)p;
    case RP_I16:
        return *(const int16_t *)p;
    case RP_U32:
        return *(const uint32_t *)p;
    case RP_I32:
    case RP_INT:
        return *(const int32_t *)p;
    case RP_U64:
        return (int64_t) * (const uint64_t *)p;
    case RP_I64:
        return *(const int64_t *)p;
    default:
        return 0;
    }
}

void rp_field_set_int(const rp_field *field, void *row, int64_t value)
{
    void *p = rp_at(field, row);
    switch (field->kind) {
    case RP_BOOL:
        *(bool *)p = value != 0;
        break;
    case RP_U8:
    case RP_BYTE:
        *(uint8_t *)p = (uint8_t)value;
        break;
    case RP_I8:
        *(int8_t *)p = (int8_t)value;
        break;
    case RP_U16:
        *(uint16_t *)p = (uint16_t)value;
        break;
    case RP_I16:
        *(int16_t *)p = (int16_t)value;
        break;
    case RP_U32:
        *(uint32_t *)p = (uint32_t)value;
        break;
    case RP_I32:
    case RP_INT:
        *(int32_t *)p = (int32_t)value;
        break;
    case RP_U64:
        *(uint64_t *)p = (uint64_t)value;
        break;
    case RP_I64:
        *(int64_t *)p = value;
        break;
    default:
        break;
    }
}

/* ---- comparison ---- */

static bool record_equal(const rp_record *record, const void *a, const void *b)
{
    for (size_t i = 0; i < record->count; i++) {
        if (!rp_field_equal(&record->fields[i], a, b))
            return false;
    }
    return true;
}

static bool list_equal(const rp_record *record, const rp_list *a, const rp_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (!record_equal(record, (const char *)a->items + i * record->size,
                          (const char *)b->items + i * record->size))
            return false;
    }
    return true;
}

static bool choice_equal(const rp_sum *sum, const rp_choice *a, const rp_choice *b)
{
    if (a->variant != b->variant)
        return false;
    const rp_record *record = a->variant < sum->count ? sum->variants[a->variant] : NULL;
    return !record || record_equal(record, a->value, b->value);
}

bool rp_field_equal(const rp_field *field, const void *a, const void *b)
{
    const void *x = rp_at_const(field, a), *y = rp_at_const(field, b);
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES: {
        const rp_text *s = x, *t = y;
        return !s->data == !t->data && rp_text_equal(s, t);
    }
    case RP_ROT: {
        const rp_rot *s = x, *t = y;
        return s->size == t->size && memcmp(s->bytes, t->bytes, s->size) == 0;
    }
    case RP_SEQ:
    case RP_MAP:
        return list_equal(field->sub, x, y);
    case RP_OPT: {
        const void *s = *(void *const *)x, *t = *(void *const *)y;
        return s && t ? record_equal(field->sub, s, t) : !s == !t;
    }
    case RP_SUM:
        return choice_equal(field->sub, x, y);
    case RP_REC:
        return record_equal(field->sub, x, y);
    default:
        return memcmp(x, y, rp_field_size(field)) == 0;
    }
}

/* ---- texts ---- */

static bool list_texts(const rp_record *record, const rp_list *list, rp_text_visitor *visit,
                       void *ctx)
{
    for (size_t i = 0; i < list->count; i++) {
        if (!rp_record_texts(record, (const char *)list->items + i * record->size, visit, ctx))
            return false;
    }
    return true;
}

static bool field_texts(const rp_field *field, const void *row, rp_text_visitor *visit, void *ctx)
{
    const void *at = rp_at_const(field, row);
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES:
        return visit(ctx, at, field->kind == RP_BYTES);
    case RP_SEQ:
    case RP_MAP:
        return list_texts(field->sub, at, visit, ctx);
    case RP_OPT: {
        const void *inner = *(void *const *)at;
        return !inner || rp_record_texts(field->sub, inner, visit, ctx);
    }
    case RP_SUM: {
        const rp_sum *sum = field->sub;
        const rp_choice *choice = at;
        const rp_record *record = choice->variant < sum->count ? sum->variants[choice->variant]
                                                               : NULL;
        return !record || rp_record_texts(record, choice->value, visit, ctx);
    }
    case RP_REC:
        return rp_record_texts(field->sub, at, visit, ctx);
    default:
        return true;
    }
}

bool rp_record_texts(const rp_record *record, const void *row, rp_text_visitor *visit, void *ctx)
{
    for (size_t i = 0; i < record->count; i++) {
        if (!field_texts(&record->fields[i], row, visit, ctx))
            return false;
    }
    return true;
}

/* ---- JSON ---- */

static void floats_json(rp_writer *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_put_u8(w, i ? ',' : '[');
        rp_json_f32(w, values[i]);
    }
    rp_put_u8(w, ']');
}

static void hex_json(rp_writer *w, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *p = bytes;
    rp_put_u8(w, '"');
    for (size_t i = 0; i < size; i++) {
        rp_put_u8(w, (uint8_t)digits[p[i] >> 4]);
        rp_put_u8(w, (uint8_t)digits[p[i] & 15]);
    }
    rp_put_u8(w, '"');
}

/* Records of one field are printed as plain values. */
static void list_json(rp_writer *w, const rp_record *record, const rp_list *list)
{
    rp_put_u8(w, '[');
    for (size_t i = 0; i < list->count; i++) {
        const void *item = (const char *)list->items + i * record->size;
        if (i)
            rp_put_u8(w, ',');
        if (record->count == 1)
            rp_field_json(w, &record->fields[0], item);
        else
            rp_record_json(w, record, item);
    }
    rp_put_u8(w, ']');
}

/* {"key": value}. Keys are texts or integers, and always strings in JSON. */
static void map_json(rp_writer *w, const rp_record *record, const rp_list *map)
{
    const rp_field *key = &record->fields[0];
    rp_put_u8(w, '{');
    for (size_t i = 0; i < map->count; i++) {
        const char *item = (const char *)map->items + i * record->size;
        if (i)
            rp_put_u8(w, ',');
        if (key->kind == RP_TEXT)
            rp_field_json(w, key, item);
        else
            rp_put_format(w, "\"%llu\"", (unsigned long long)rp_field_int(key, item));
        rp_put_u8(w, ':');
        rp_field_json(w, &record->fields[1], item);
    }
    rp_put_u8(w, '}');
}

/* {"Move": {...}}, or "Cancel" for a variant without content. */
static void choice_json(rp_writer *w, const rp_sum *sum, const rp_choice *choice)
{
    if (choice->variant >= sum->count) {
        rp_json_uint(w, choice->variant);
        return;
    }
    const char *name = sum->names[choice->variant];
    const rp_record *record = sum->variants[choice->variant];
    if (!record) {
        rp_json_string(w, name, strlen(name));
        return;
    }
    rp_put_u8(w, '{');
    rp_json_string(w, name, strlen(name));
    rp_put_u8(w, ':');
    rp_record_json(w, record, choice->value);
    rp_put_u8(w, '}');
}

static void flags_json(rp_writer *w, const rp_enum *names, int64_t bits)
{
    bool any = false;
    rp_put_u8(w, '[');
    for (size_t i = 0; i < names->count; i++) {
        if (!(bits & names->values[i].number))
            continue;
        if (any)
            rp_put_u8(w, ',');
        rp_json_string(w, names->values[i].name, strlen(names->values[i].name));
        bits &= ~names->values[i].number;
        any = true;
    }
    if (bits) {
        if (any)
            rp_put_u8(w, ',');
        rp_json_int(w, bits);
    }
    rp_put_u8(w, ']');
}

static void whole_json(rp_writer *w, const rp_field *field, const void *row)
{
    const rp_enum *names = rp_field_enum(field);
    int64_t number = rp_field_int(field, row);
    if (names && names->flags) {
        flags_json(w, names, number);
        return;
    }
    const char *name = names ? rp_enum_name(names, number) : NULL;
    if (name)
        rp_json_string(w, name, strlen(name));
    else if (field->kind == RP_U64 || field->kind == RP_I64)
        rp_json_long(w, number, field->kind == RP_U64);
    else
        rp_json_int(w, number);
}

void rp_field_json(rp_writer *w, const rp_field *field, const void *row)
{
    const void *p = rp_at_const(field, row);
    switch (field->kind) {
    case RP_BOOL:
        rp_put_text(w, *(const bool *)p ? "true" : "false");
        break;
    case RP_F32:
        rp_json_f32(w, *(const float *)p);
        break;
    case RP_F64:
        rp_json_f64(w, *(const double *)p);
        break;
    case RP_VEC3:
        floats_json(w, &((const rp_vec3 *)p)->x, 3);
        break;
    case RP_QUAT:
        floats_json(w, &((const rp_quat *)p)->x, 4);
        break;
    case RP_ROT: {
        rp_quat value = rp_rot_value(p);
        floats_json(w, &value.x, 4);
        break;
    }
    case RP_MAT34:
        for (size_t i = 0; i < RP_COUNT(((const rp_mat34 *)p)->m); i++) {
            rp_put_u8(w, i ? ',' : '[');
            rp_json_f64(w, ((const rp_mat34 *)p)->m[i]);
        }
        rp_put_u8(w, ']');
        break;
    case RP_TEXT:
    case RP_BYTES: {
        const rp_text *text = p;
        if (!text->data)
            rp_put_text(w, "null");
        else if (field->kind == RP_TEXT)
            rp_json_string(w, text->data, text->size);
        else
            hex_json(w, text->data, text->size);
        break;
    }
    case RP_RAW:
        hex_json(w, p, field->tag);
        break;
    case RP_SEQ:
        list_json(w, field->sub, p);
        break;
    case RP_MAP:
        map_json(w, field->sub, p);
        break;
    case RP_OPT: {
        const void *value = *(void *const *)p;
        if (value)
            rp_record_json(w, field->sub, value);
        else
            rp_put_text(w, "null");
        break;
    }
    case RP_SUM:
        choice_json(w, field->sub, p);
        break;
    case RP_REC:
        rp_record_json(w, field->sub, p);
        break;
    default:
        whole_json(w, field, row);
    }
}

void rp_record_json(rp_writer *w, const rp_record *record, const void *row)
{
    if (record->count == 1 && strcmp(record->fields[0].name, "item") == 0) {
        rp_field_json(w, &record->fields[0], row);
        return;
    }
    if (record->shape == RP_SHAPE_NEWTYPE) {
        rp_field_json(w, &record->fields[0], row);
        return;
    }
    bool tuple = record->shape == RP_SHAPE_TUPLE;
    rp_put_u8(w, tuple ? '[' : '{');
    for (size_t i = 0; i < record->count; i++) {
        if (i)
            rp_put_u8(w, ',');
        if (!tuple) {
            rp_json_string(w, record->fields[i].name, strlen(record->fields[i].name));
            rp_put_u8(w, ':');
        }
        rp_field_json(w, &record->fields[i], row);
    }
    rp_put_u8(w, tuple ? ']' : '}');
}
