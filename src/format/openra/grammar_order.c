/* grammar_order.c - reads and writes orders in all dialects. The two halves mirror each other. */
#include "openra.h"

/* Field bits of protocol 8 and later; older dialects use some of them. */
enum {
    BIT_TARGET = 0x01,
    BIT_EXTRA_ACTORS = 0x02,
    BIT_TEXT = 0x04,
    BIT_QUEUED = 0x08,
    BIT_EXTRA_LOCATION = 0x10,
    BIT_EXTRA_DATA = 0x20,
    BIT_TARGET_IS_CELL = 0x40,
    BIT_SUBJECT = 0x80,
    BIT_GROUPED = 0x100,
    /* Dialect a */
    BIT_A_ACTOR = 0x01,
    BIT_A_CELL = 0x02,
};

/* Target types of the wire. */
enum { WIRE_INVALID, WIRE_ACTOR, WIRE_TERRAIN, WIRE_FROZEN };

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)
#define HAS_CELL   (HAS(target_cell_x) | HAS(target_cell_y))
#define HAS_POS    (HAS(target_pos_x) | HAS(target_pos_y) | HAS(target_pos_z))

/* Names of powers in the default mods; other mods may add more. */
static const char *const powers[] = {
    "AdvancedChronoshift", "Chronoshift",      "SovietParatroopers",
    "SovietSpyPlane",      "UkraineParabombs",
};

bool ora_is_power(const rp_text *name)
{
    static const char ending[] = "PowerInfoOrder";
    size_t size = sizeof ending - 1;
    if (name->size > size && memcmp(name->data + name->size - size, ending, size) == 0)
        return true;
    for (size_t i = 0; i < RP_COUNT(powers); i++) {
        if (ora_is(name, powers[i]))
            return true;
    }
    return false;
}

/* ---- reading ---- */

rp_text ora_text_read(rp_reader *r, const char *what)
{
    uint32_t size = 0;
    for (unsigned i = 0;; i++) {
        uint8_t byte = rp_u8(r, what);
        if (i == 4 && byte > 7) {
            rp_fail(r, REPRISE_E_CORRUPT, what,
                    byte & 0x80 ? "string length prefix longer than 5 bytes"
                                : "string length is over 31 bits");
            break;
        }
        size |= (uint32_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80)
            break;
    }
    if (size > rp_left(r))
        rp_fail(r, REPRISE_E_CORRUPT, what, "string of %u bytes runs past its packet, %zu left",
                size, rp_left(r));
    const uint8_t *text = rp_ok(r) ? rp_take(r, size, what) : NULL;
    return (rp_text){.data = text ? (const char *)text : "", .size = text ? size : 0};
}

typedef struct cell {
    int32_t x, y;
    uint8_t layer;
} cell;

/* A signed value of twelve bits. */
static int32_t signed12(uint32_t bits)
{
    return (int32_t)((bits & 0xFFF) ^ 0x800) - 0x800;
}

static cell read_cell(rp_reader *r, const ora_dialect *d, const char *what)
{
    if (d->cell == ORA_CELL_PACKED) {
        uint32_t bits = rp_u32(r, what);
        return (cell){signed12(bits >> 20), signed12(bits >> 8), (uint8_t)bits};
    }
    cell c = {.x = rp_i32(r, what)};
    c.y = rp_i32(r, what);
    if (d->cell == ORA_CELL_XY_LAYER)
        c.layer = rp_u8(r, what);
    return c;
}

static rp_list read_actors(rp_reader *r, rp_arena *lists, const char *what)
{
    int32_t count = rp_i32(r, what);
    if (count < 0 || (size_t)count > rp_left(r) / 4) {
        rp_fail(r, REPRISE_E_CORRUPT, what, "actor list count %d is out of range", count);
        return (rp_list){0};
    }
    rp_reader ids = rp_sub(r, (size_t)count * 4, what);
    rp_list list = {.count = (size_t)count};
    ora_actor *actors = lists && count
                            ? rp_arena_alloc(lists, (size_t)count * sizeof *actors, r->error)
                            : NULL;
    for (int32_t i = 0; actors && i < count; i++)
        actors[i].id = rp_u32(&ids, what);
    list.items = actors;
    return list;
}

static void read_terrain(rp_reader *r, rp_arena *lists, ora_order *o, uint64_t *present)
{
    int16_t count = rp_i16(r, "terrain");
    if (count == -1 || !rp_ok(r))
        return;
    if (count < -1 || (size_t)count > rp_left(r) / 12) {
        rp_fail(r, REPRISE_E_CORRUPT, "terrain", "terrain position count %d is out of range",
                count);
        return;
    }
    rp_reader wire = rp_sub(r, (size_t)count * 12, "terrain");
    ora_position *positions = lists && count
                                  ? rp_arena_alloc(lists, (size_t)count * sizeof *positions,
                                                   r->error)
                                  : NULL;
    for (int16_t i = 0; positions && i < count; i++) {
        positions[i].x = rp_i32(&wire, "terrain");
        positions[i].y = rp_i32(&wire, "terrain");
        positions[i].z = rp_i32(&wire, "terrain");
    }
    o->target_terrain = (rp_list){.items = positions, .count = (size_t)count};
    *present |= HAS(target_terrain);
}

static void set_target_cell(ora_order *o, cell c, uint64_t *present)
{
    o->target_cell_x = c.x;
    o->target_cell_y = c.y;
    o->target_layer = c.layer;
    *present |= HAS_CELL | HAS(target_layer);
}

static void read_terrain_target(rp_reader *r, const ora_dialect *d, bool is_cell, rp_arena *lists,
                                ora_order *o, uint64_t *present)
{
    if (is_cell) {
        o->target_kind = ORA_TARGET_CELL;
        set_target_cell(o, read_cell(r, d, "target"), present);
        o->target_subcell = d->subcell_size == 4 ? rp_i32(r, "subcell") : rp_u8(r, "subcell");
        *present |= HAS(target_subcell);
        return;
    }
    o->target_kind = ORA_TARGET_POS;
    o->target_pos_x = rp_i32(r, "target");
    o->target_pos_y = rp_i32(r, "target");
    o->target_pos_z = rp_i32(r, "target");
    *present |= HAS_POS;
    if (d->terrain)
        read_terrain(r, lists, o, present);
}

static void read_target(rp_reader *r, const ora_dialect *d, bool is_cell, rp_arena *lists,
                        ora_order *o, uint64_t *present)
{
    uint8_t type = rp_u8(r, "target");
    *present |= HAS(target_kind);
    switch (type) {
    case WIRE_INVALID:
        o->target_kind = ORA_TARGET_INVALID;
        break;
    case WIRE_ACTOR:
        o->target_kind = ORA_TARGET_ACTOR;
        o->target_actor = rp_u32(r, "target");
        *present |= HAS(target_actor);
        if (d->generation) {
            o->target_generation = rp_i32(r, "generation");
            *present |= HAS(target_generation);
        }
        break;
    case WIRE_FROZEN:
        o->target_kind = ORA_TARGET_FROZEN;
        o->target_viewer = rp_u32(r, "target");
        o->target_frozen = rp_u32(r, "target");
        *present |= HAS(target_viewer) | HAS(target_frozen);
        break;
    case WIRE_TERRAIN:
        read_terrain_target(r, d, is_cell, lists, o, present);
        break;
    default:
        rp_fail(r, REPRISE_E_CORRUPT, "target", "unknown target type %u", type);
    }
}

/* Up to 2017 actor and cell had a bit each, and both could be present. */
static void read_flat_target(rp_reader *r, const ora_dialect *d, unsigned bits, ora_order *o,
                             uint64_t *present)
{
    if (bits & BIT_A_ACTOR) {
        o->target_kind = ORA_TARGET_ACTOR;
        o->target_actor = rp_u32(r, "target");
        *present |= HAS(target_kind) | HAS(target_actor);
    }
    if (bits & BIT_A_CELL) {
        if (!(bits & BIT_A_ACTOR))
            o->target_kind = ORA_TARGET_CELL;
        set_target_cell(o, read_cell(r, d, "target"), present);
        *present |= HAS(target_kind);
    }
}

static void read_fields(rp_reader *r, const ora_dialect *d, unsigned bits, rp_arena *lists,
                        ora_order *o, uint64_t *present)
{
    if (!d->subject_always && bits & BIT_SUBJECT) {
        o->subject = rp_u32(r, "subject");
        *present |= HAS(subject);
    }
    if (!d->typed_target)
        read_flat_target(r, d, bits, o, present);
    else if (bits & BIT_TARGET)
        read_target(r, d, bits & BIT_TARGET_IS_CELL, lists, o, present);
    if (bits & BIT_TEXT) {
        o->item = ora_text_read(r, "target string");
        *present |= HAS(item);
    }
    if (d->typed_target && bits & BIT_EXTRA_ACTORS) {
        o->extra_actors = read_actors(r, lists, "extra actors");
        *present |= HAS(extra_actors);
    }
    if (bits & BIT_EXTRA_LOCATION) {
        cell c = read_cell(r, d, "extra location");
        o->extra_x = c.x;
        o->extra_y = c.y;
        o->extra_layer = c.layer;
        *present |= HAS(extra_x) | HAS(extra_y) | HAS(extra_layer);
    }
    if (bits & BIT_EXTRA_DATA) {
        o->extra_data = rp_u32(r, "extra data");
        *present |= HAS(extra_data);
    }
    if (bits & BIT_GROUPED) {
        o->grouped = read_actors(r, lists, "grouped actors");
        *present |= HAS(grouped);
    }
    o->queued = (bits & BIT_QUEUED) != 0;
    *present |= HAS(queued);
}

void ora_order_read(rp_reader *r, const ora_dialect *d, rp_arena *lists, ora_order *o,
                    uint64_t *present)
{
    o->type = rp_u8(r, "type");
    *present |= HAS(type);
    if (o->type != ORA_HANDSHAKE && o->type != ORA_FIELDS) {
        rp_fail(r, REPRISE_E_CORRUPT, "type", "unknown order type 0x%02x", o->type);
        return;
    }
    o->order = ora_text_read(r, "name");
    *present |= HAS(order);
    if (o->type == ORA_HANDSHAKE) {
        o->item = ora_text_read(r, "data");
        *present |= HAS(item);
        return;
    }
    if (d->subject_always) {
        o->subject = rp_u32(r, "subject");
        *present |= o->subject != ORA_NO_ACTOR ? HAS(subject) : 0;
    }
    unsigned bits = d->flags_size == 1 ? rp_u8(r, "flags") : rp_u16(r, "flags");
    if (bits & ~(unsigned)d->known) {
        rp_fail(r, REPRISE_E_CORRUPT, "flags", "unknown order field bits 0x%x",
                bits & ~(unsigned)d->known);
        return;
    }
    read_fields(r, d, bits, lists, o, present);
}

/* ---- writing ---- */

void ora_text_write(rp_writer *w, const void *text, size_t size)
{
    rp_put_leb32(w, (uint32_t)size);
    rp_put(w, text, size);
}

static void write_cell(rp_writer *w, const ora_dialect *d, cell c)
{
    if (d->cell == ORA_CELL_PACKED) {
        rp_put_u32(w, ((uint32_t)c.x & 0xFFF) << 20 | ((uint32_t)c.y & 0xFFF) << 8 | c.layer);
        return;
    }
    rp_put_u32(w, (uint32_t)c.x);
    rp_put_u32(w, (uint32_t)c.y);
    if (d->cell == ORA_CELL_XY_LAYER)
        rp_put_u8(w, c.layer);
}

static void write_actors(rp_writer *w, const rp_list *list)
{
    const ora_actor *actors = list->items;
    rp_put_u32(w, (uint32_t)list->count);
    for (size_t i = 0; i < list->count; i++)
        rp_put_u32(w, actors[i].id);
}

static void write_terrain(rp_writer *w, const ora_order *o, uint64_t present)
{
    const ora_position *positions = o->target_terrain.items;
    bool none = !(present & HAS(target_terrain));
    rp_put_u16(w, none ? UINT16_MAX : (uint16_t)o->target_terrain.count);
    for (size_t i = 0; !none && i < o->target_terrain.count; i++) {
        rp_put_u32(w, (uint32_t)positions[i].x);
        rp_put_u32(w, (uint32_t)positions[i].y);
        rp_put_u32(w, (uint32_t)positions[i].z);
    }
}

static cell target_cell(const ora_order *o)
{
    return (cell){o->target_cell_x, o->target_cell_y, o->target_layer};
}

static void write_target(rp_writer *w, const ora_dialect *d, const ora_order *o, uint64_t present)
{
    switch ((ora_target)o->target_kind) {
    case ORA_TARGET_ACTOR:
        rp_put_u8(w, WIRE_ACTOR);
        rp_put_u32(w, o->target_actor);
        if (d->generation)
            rp_put_u32(w, (uint32_t)o->target_generation);
        break;
    case ORA_TARGET_FROZEN:
        rp_put_u8(w, WIRE_FROZEN);
        rp_put_u32(w, o->target_viewer);
        rp_put_u32(w, o->target_frozen);
        break;
    case ORA_TARGET_CELL:
        rp_put_u8(w, WIRE_TERRAIN);
        write_cell(w, d, target_cell(o));
        if (d->subcell_size == 4)
            rp_put_u32(w, (uint32_t)o->target_subcell);
        else
            rp_put_u8(w, (uint8_t)o->target_subcell);
        break;
    case ORA_TARGET_POS:
        rp_put_u8(w, WIRE_TERRAIN);
        rp_put_u32(w, (uint32_t)o->target_pos_x);
        rp_put_u32(w, (uint32_t)o->target_pos_y);
        rp_put_u32(w, (uint32_t)o->target_pos_z);
        if (d->terrain)
            write_terrain(w, o, present);
        break;
    case ORA_TARGET_INVALID:
        rp_put_u8(w, WIRE_INVALID);
    }
}

static unsigned field_bits(const ora_dialect *d, const ora_order *o, uint64_t present)
{
    unsigned bits = 0;
    bits |= present & HAS(item) ? BIT_TEXT : 0;
    bits |= o->queued ? BIT_QUEUED : 0;
    bits |= present & HAS(extra_x) ? BIT_EXTRA_LOCATION : 0;
    bits |= present & HAS(extra_data) ? BIT_EXTRA_DATA : 0;
    if (!d->typed_target) {
        bits |= present & HAS(target_actor) ? BIT_A_ACTOR : 0;
        bits |= present & HAS(target_cell_x) ? BIT_A_CELL : 0;
        return bits;
    }
    bits |= present & HAS(target_kind) ? BIT_TARGET : 0;
    bits |= present & HAS(target_kind) && o->target_kind == ORA_TARGET_CELL ? BIT_TARGET_IS_CELL
                                                                            : 0;
    bits |= !d->subject_always && present & HAS(subject) ? BIT_SUBJECT : 0;
    bits |= present & HAS(extra_actors) ? BIT_EXTRA_ACTORS : 0;
    bits |= present & HAS(grouped) ? BIT_GROUPED : 0;
    return bits & d->known;
}

static void write_fields(rp_writer *w, const ora_dialect *d, unsigned bits, const ora_order *o,
                         uint64_t present)
{
    if (!d->subject_always && bits & BIT_SUBJECT)
        rp_put_u32(w, o->subject);
    if (!d->typed_target) {
        if (bits & BIT_A_ACTOR)
            rp_put_u32(w, o->target_actor);
        if (bits & BIT_A_CELL)
            write_cell(w, d, target_cell(o));
    } else if (bits & BIT_TARGET) {
        write_target(w, d, o, present);
    }
    if (bits & BIT_TEXT)
        ora_text_write(w, o->item.data, o->item.size);
    if (d->typed_target && bits & BIT_EXTRA_ACTORS)
        write_actors(w, &o->extra_actors);
    if (bits & BIT_EXTRA_LOCATION)
        write_cell(w, d, (cell){o->extra_x, o->extra_y, o->extra_layer});
    if (bits & BIT_EXTRA_DATA)
        rp_put_u32(w, o->extra_data);
    if (bits & BIT_GROUPED)
        write_actors(w, &o->grouped);
}

void ora_order_write(rp_writer *w, const ora_dialect *d, const ora_order *o, uint64_t present)
{
    rp_put_u8(w, o->type);
    ora_text_write(w, o->order.data, o->order.size);
    if (o->type == ORA_HANDSHAKE) {
        ora_text_write(w, o->item.data, o->item.size);
        return;
    }
    if (d->subject_always)
        rp_put_u32(w, present & HAS(subject) ? o->subject : ORA_NO_ACTOR);
    unsigned bits = field_bits(d, o, present);
    if (d->flags_size == 1)
        rp_put_u8(w, (uint8_t)bits);
    else
        rp_put_u16(w, (uint16_t)bits);
    write_fields(w, d, bits, o, present);
}
