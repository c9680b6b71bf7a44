/* tagged.c - fields stored as id, size, bytes, in any order; unknown ids are skipped. */
#include "schema.h"

/* ---- maps ---- */

#define NO_HEAD UINT32_MAX /* larger than any three bytes */

static size_t least_size(rp_kind kind)
{
    switch (kind) {
    case RP_ROT:
        return 7;
    case RP_INT:
    case RP_BYTE:
        return 1;
    default:
        return rp_wire_size[kind];
    }
}

/* The id and usual size before a field, for sizes of two bytes. Rotations are packed. */
static uint32_t head_of(unsigned id, rp_kind kind)
{
    return id | (uint32_t)(kind == RP_ROT ? least_size(kind) : rp_full_size(kind)) << 8;
}

void rp_tag_map_set(rp_tag_map *map, unsigned id, unsigned number)
{
    const rp_tag *old = &map->tags[id];
    if (old->field != RP_TAG_UNKNOWN && (map->heads[old->field] & 0xFF) == id)
        map->heads[old->field] = NO_HEAD;
    map->tags[id] = (rp_tag){.field = RP_TAG_UNKNOWN};
    if (number == RP_TAG_UNKNOWN)
        return;
    const rp_field *field = &map->record->fields[number];
    map->tags[id] = (rp_tag){
        .field = (uint8_t)number,
        .kind = (uint8_t)field->kind,
        .size_least = (uint8_t)least_size(field->kind),
        .size_usual = (uint8_t)rp_full_size(field->kind),
        .offset = field->offset,
    };
    map->heads[number] = head_of(id, field->kind);
}

void rp_tag_map_init(rp_tag_map *map, const rp_record *record, unsigned size_width)
{
    map->record = record;
    map->size_width = (uint8_t)size_width;
    map->strict = false;
    for (unsigned id = 0; id < RP_TAGS_MAX; id++)
        map->tags[id] = (rp_tag){.field = RP_TAG_UNKNOWN};
    for (unsigned i = 0; i < RP_TAG_FIELDS_MAX; i++)
        map->heads[i] = NO_HEAD;
    for (unsigned i = 0; i < record->count; i++) {
        if (record->fields[i].tag < RP_TAGS_MAX)
            rp_tag_map_set(map, record->fields[i].tag, i);
    }
}

/* ---- reading ---- */

/*
 * Skips the next field and returns its value, or NULL without moving if it does not fit in the
 * chunk. An unknown id cannot be skipped if the wire has no sizes.
 */
static inline __attribute__((always_inline)) const uint8_t *next_field(rp_reader *r,
                                                                       const rp_tag_map *map,
                                                                       unsigned size_width,
                                                                       const rp_tag **ret_tag,
                                                                       size_t *ret_size)
{
    const rp_reader before = *r;
    const uint8_t *head = rp_take_if(r, 1 + size_width);
    if (!head)
        return NULL;
    const rp_tag *tag = &map->tags[head[0]];
    size_t size = size_width == 2   ? rp_load16(head + 1)
                  : size_width == 1 ? head[1]
                                    : tag->size_usual;
    const uint8_t *value = rp_take_if(r, size);
    if (!value || (size_width == 0 && tag->field == RP_TAG_UNKNOWN)) {
        *r = before;
        return NULL;
    }
    *ret_tag = tag;
    *ret_size = size;
    return value;
}

static inline bool store_rotation(const uint8_t *p, size_t size, rp_rot *to)
{
    if (size >= 16) {
        to->size = 16;
        memcpy(to->bytes, p, 16);
        return true;
    }
    to->size = 7;
    memcpy(to->bytes, p, 7);
    return p[6] <= 3;
}

static inline int32_t load_int(const uint8_t *p, size_t size)
{
    if (size >= 4)
        return (int32_t)rp_load32(p);
    return size >= 2 ? rp_load16(p) : *p;
}

/* Returns false if the bytes are not a valid value. Their number has been checked. */
static inline bool store(unsigned kind, const uint8_t *p, size_t size, void *to)
{
    switch (kind) {
    case RP_BOOL:
        *(bool *)to = *p != 0;
        return true;
    case RP_U8:
    case RP_I8:
    case RP_BYTE:
        *(uint8_t *)to = *p;
        return true;
    case RP_U16:
    case RP_I16:
        *(uint16_t *)to = rp_load16(p);
        return true;
    case RP_U32:
    case RP_I32:
        *(uint32_t *)to = rp_load32(p);
        return true;
    case RP_F32:
        *(float *)to = rp_load_f32(p);
        return true;
    case RP_VEC3:
        *(rp_vec3 *)to = (rp_vec3){rp_load_f32(p), rp_load_f32(p + 4), rp_load_f32(p + 8)};
        return true;
    case RP_ROT:
        return store_rotation(p, size, to);
    case RP_INT:
        *(int32_t *)to = load_int(p, size);
        return true;
    case RP_TEXT:
    case RP_BYTES:
        *(rp_text *)to = (rp_text){.data = (const char *)p, .size = size};
        return true;
    default:
        return false;
    }
}

/* Reports why the next field could not be read. Cold, so it checks everything again. */
static void explain(rp_reader *chunk, const rp_tag_map *map)
{
    uint8_t id = rp_u8(chunk, "field id");
    const rp_field *field = rp_tag_field(map, id);
    const char *name = field ? field->name : "unknown field";
    size_t size = map->tags[id].size_usual;
    if (map->size_width)
        size = map->size_width == 2 ? rp_u16(chunk, "field size") : rp_u8(chunk, "field size");
    else if (!field)
        rp_fail(chunk, REPRISE_E_CORRUPT, "field id", "unknown field %u and no size to skip it",
                id);
    const uint8_t *p = rp_take(chunk, size, name);
    if (!p || !field)
        return;
    if (size < map->tags[id].size_least)
        rp_fail(chunk, REPRISE_E_CORRUPT, name, "field of %zu bytes, %s needs %u", size,
                rp_kind_label[field->kind], map->tags[id].size_least);
    else if (field->kind == RP_ROT)
        rp_fail(chunk, REPRISE_E_CORRUPT, name, "rotation component %u is out of range (0-3)",
                p[6]);
    else
        rp_fail(chunk, REPRISE_E_UNSUPPORTED, name, "%s cannot be tagged",
                rp_kind_label[field->kind]);
}

/*
 * The hottest loop of the library: a local copy of the cursor stays in registers because its
 * address is never taken, and the width of sizes is a constant in each of the three expansions.
 */
static inline __attribute__((always_inline)) void read_fields(rp_reader *chunk,
                                                              const rp_tag_map *map,
                                                              unsigned size_width, void *row,
                                                              uint64_t *present, size_t *unknown)
{
    rp_reader r = *chunk;
    uint64_t seen = 0;
    while (rp_left(&r)) {
        const rp_reader before = r;
        const rp_tag *tag;
        size_t size;
        const uint8_t *p = next_field(&r, map, size_width, &tag, &size);
        if (p && tag->field == RP_TAG_UNKNOWN) {
            ++*unknown;
            continue;
        }
        if (!p || size < tag->size_least || !store(tag->kind, p, size, (char *)row + tag->offset)) {
            *chunk = before;
            explain(chunk, map);
            return;
        }
        seen |= UINT64_C(1) << tag->field;
    }
    *chunk = r;
    *present |= seen;
}

void rp_tagged_read(rp_reader *chunk, const rp_tag_map *map, void *row, uint64_t *present,
                    size_t *unknown)
{
    if (map->size_width == 2)
        read_fields(chunk, map, 2, row, present, unknown);
    else if (map->size_width == 1)
        read_fields(chunk, map, 1, row, present, unknown);
    else
        read_fields(chunk, map, 0, row, present, unknown);
}

/* ---- recognition ---- */

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
    rp_reader r = *chunk;
    while (rp_left(&r)) {
        const rp_tag *tag;
        size_t size;
        if (!next_field(&r, map, map->size_width, &tag, &size))
            return false;
        if (tag->field != RP_TAG_UNKNOWN &&
            !legal_size(map, &map->record->fields[tag->field], size))
            return false;
    }
    return true;
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

/* Bytes that already have the requested form are written unchanged. */
static void write_rotation(rp_writer *w, const rp_rot *rotation, unsigned size)
{
    rp_rot other = *rotation;
    if (rotation->size != size)
        other = size == 7 ? rp_rot_packed(rp_rot_value(rotation))
                          : rp_rot_full(rp_rot_value(rotation));
    rp_put(w, other.bytes, size);
}

static void write_field(rp_writer *w, const rp_tag_map *map, const rp_field *field,
                        unsigned rotation_size, const void *from)
{
    switch (field->kind) {
    case RP_ROT:
        write_size(w, map, field, rotation_size);
        write_rotation(w, from, rotation_size);
        break;
    case RP_TEXT:
    case RP_BYTES: {
        const rp_text *text = from;
        write_size(w, map, field, text->size);
        rp_put(w, text->data, text->size);
        break;
    }
    default:
        write_size(w, map, field, rp_full_size(field->kind));
        rp_value_write(w, field, from);
    }
}

void rp_tagged_write(rp_writer *w, const rp_tag_map *map, unsigned rotation_size, const void *row,
                     uint64_t present)
{
    for (unsigned id = 0; id < RP_TAGS_MAX && present; id++) {
        const rp_field *field = rp_tag_field(map, id);
        uint64_t bit = field ? UINT64_C(1) << (field - map->record->fields) : 0;
        if (!(present & bit))
            continue;
        present &= ~bit;
        rp_put_u8(w, (uint8_t)id);
        write_field(w, map, field, rotation_size, rp_at_const(field, row));
    }
}
