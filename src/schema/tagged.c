/* tagged.c - fields as id, size, bytes: any order, unknown ids skipped by their size. */
#include "schema.h"

void rp_tag_map_init(rp_tag_map *map, const rp_record *record, unsigned size_width)
{
    map->record = record;
    map->size_width = (uint8_t)size_width;
    map->strict = false;
    memset(map->field_of, RP_TAG_UNKNOWN, sizeof map->field_of);
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].tag < RP_TAGS_MAX)
            map->field_of[record->fields[i].tag] = (uint8_t)i;
    }
}

static const rp_field *field_of(const rp_tag_map *map, uint8_t id)
{
    uint8_t field = id < RP_TAGS_MAX ? map->field_of[id] : RP_TAG_UNKNOWN;
    return field == RP_TAG_UNKNOWN ? NULL : &map->record->fields[field];
}

/* The size of a field where the wire does not tell it. */
static size_t implied_size(const rp_field *field)
{
    switch (field->kind) {
    case RP_ROT:
        return 16;
    case RP_INT:
        return 4;
    case RP_BYTE:
        return 1;
    default:
        return rp_wire_size[field->kind];
    }
}

static void read_int(rp_reader *value, const rp_field *field, int32_t *to)
{
    switch (rp_left(value)) {
    case 1:
        *to = rp_u8(value, field->name);
        break;
    case 2:
    case 3:
        *to = rp_u16(value, field->name);
        break;
    default:
        *to = rp_i32(value, field->name);
    }
}

static void read_field(rp_reader *value, const rp_field *field, void *to)
{
    switch (field->kind) {
    case RP_ROT:
        if (rp_left(value) >= 16)
            rp_value_read(value, field, to);
        else
            rp_rot7_read(value, field->name, to);
        break;
    case RP_INT:
        read_int(value, field, to);
        break;
    case RP_TEXT:
    case RP_BYTES: {
        size_t size = rp_left(value);
        const uint8_t *p = rp_take(value, size, field->name);
        *(rp_text *)to = (rp_text){.data = (const char *)p, .size = size};
        break;
    }
    default:
        rp_value_read(value, field, to);
    }
}

/* Steps into the next field: its id and a window on its value. */
static uint8_t next_field(rp_reader *chunk, const rp_tag_map *map, const rp_field **ret_field,
                          rp_reader *ret_value)
{
    uint8_t id = rp_u8(chunk, "field id");
    const rp_field *field = field_of(map, id);
    size_t size = 0;
    if (map->size_width == 2)
        size = rp_u16(chunk, "field size");
    else if (map->size_width == 1)
        size = rp_u8(chunk, "field size");
    else if (field)
        size = implied_size(field);
    else
        rp_fail(chunk, REPRISE_E_CORRUPT, "field id", "unknown field %u and no size to skip it",
                id);
    *ret_value = rp_sub(chunk, size, field ? field->name : "unknown field");
    *ret_field = field;
    return id;
}

void rp_tagged_read(rp_reader *chunk, const rp_tag_map *map, void *row, uint64_t *present,
                    size_t *unknown)
{
    while (rp_ok(chunk) && rp_left(chunk)) {
        const rp_field *field;
        rp_reader value;
        next_field(chunk, map, &field, &value);
        if (!rp_ok(chunk))
            return;
        if (!field) {
            ++*unknown;
            continue;
        }
        read_field(&value, field, rp_at(field, row));
        *present |= UINT64_C(1) << (field - map->record->fields);
    }
}

static bool legal_size(const rp_tag_map *map, const rp_field *field, size_t size)
{
    switch (field->kind) {
    case RP_ROT:
        return size == 7 || size == 16;
    case RP_INT:
        return size == 4 || (!map->strict && (size == 1 || size == 2));
    case RP_BYTE:
        return size == 1 || (!map->strict && size == 2);
    case RP_TEXT:
    case RP_BYTES:
        return true;
    default:
        return size == rp_wire_size[field->kind];
    }
}

bool rp_tagged_fits(const rp_reader *chunk, const rp_tag_map *map)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = *chunk;
    r.error = &ignored;
    while (rp_ok(&r) && rp_left(&r)) {
        const rp_field *field;
        rp_reader value;
        next_field(&r, map, &field, &value);
        if (rp_ok(&r) && field && !legal_size(map, field, rp_left(&value)))
            return false;
    }
    return rp_ok(&r);
}

static void write_size(rp_writer *w, const rp_tag_map *map, const rp_field *field, size_t size)
{
    size_t max = map->size_width == 2 ? UINT16_MAX : UINT8_MAX;
    if (map->size_width == 0)
        return;
    if (size > max)
        rp_error_set(w->error, REPRISE_E_LOSSY, "%s: %zu bytes, the layout holds at most %zu",
                     field->name, size, max);
    else if (map->size_width == 2)
        rp_put_u16(w, (uint16_t)size);
    else
        rp_put_u8(w, (uint8_t)size);
}

static void write_field(rp_writer *w, const rp_tag_map *map, const rp_field *field,
                        unsigned rotation_size, const void *from)
{
    switch (field->kind) {
    case RP_ROT:
        write_size(w, map, field, rotation_size);
        if (rotation_size == 7)
            rp_rot7_write(w, *(const rp_quat *)from);
        else
            rp_value_write(w, field, from);
        break;
    case RP_TEXT:
    case RP_BYTES: {
        const rp_text *text = from;
        write_size(w, map, field, text->size);
        rp_put(w, text->data, text->size);
        break;
    }
    default:
        write_size(w, map, field, implied_size(field));
        rp_value_write(w, field, from);
    }
}

void rp_tagged_write(rp_writer *w, const rp_tag_map *map, unsigned rotation_size, const void *row,
                     uint64_t present)
{
    for (unsigned id = 0; id < RP_TAGS_MAX; id++) {
        const rp_field *field = field_of(map, (uint8_t)id);
        if (!field || !(present >> (field - map->record->fields) & 1))
            continue;
        rp_put_u8(w, (uint8_t)id);
        write_field(w, map, field, rotation_size, rp_at_const(field, row));
    }
}
