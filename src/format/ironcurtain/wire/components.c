/*
 * components.c - converts the components of an entity between bytes and structs.
 *
 * States consist mostly of components, so their readers and writers are expanded from the field
 * lists instead of walking the tables.
 */
#include "state.h"

#define BIT_OF(bit, member, name)    bit,
#define RECORD_OF(bit, member, name) &ic_##member##_record,
#define NAME_OF(bit, member, name)   #name,
const uint8_t ic_component_bits[IC_COMPONENT_COUNT] = {IC_COMPONENTS(BIT_OF)};
const rp_record *const ic_component_records[IC_COMPONENT_COUNT] = {IC_COMPONENTS(RECORD_OF)};
const char *const ic_component_names[IC_COMPONENT_COUNT] = {IC_COMPONENTS(NAME_OF)};

/* ---- readers from the lists ---- */

static inline uint32_t take_u32(rp_reader *r, const rp_enum *names, const char *what)
{
    uint32_t number = rp_u32(r, what);
    if (names && number >= names->count && rp_ok(r))
        rp_fail(r, REPRISE_E_CORRUPT, what, "enum index %u out of range, there are %zu", number,
                names->count);
    return number;
}

static inline bool take_flag(rp_reader *r, const char *what)
{
    uint8_t flag = rp_u8(r, what);
    if (flag > 1)
        rp_fail(r, REPRISE_E_CORRUPT, what, "flag is %u", flag);
    return flag == 1;
}

#define TAKE_U32(name, tag, sub)                 row->name = take_u32(r, (const rp_enum *)sub, #name);
#define TAKE_I32(name, tag, sub)                 row->name = rp_i32(r, #name);
#define TAKE_BOOL(name, tag, sub)                row->name = take_flag(r, #name);
#define TAKE_REC(name, tag, sub)                 tag##_take(r, &row->name);
#define TAKE_FIELD(T, name, kind, tag, sub, doc) TAKE_##kind(name, tag, sub)
#define TAKER(T, LIST)                                \
    static inline void T##_take(rp_reader *r, T *row) \
    {                                                 \
        LIST(TAKE_FIELD, T)                           \
    }

/* What has a fixed size. */
#define FIXED_RECORDS(R)                   \
    R(ic_pos, IC_FIELDS_POS)               \
    R(ic_identity, IC_FIELDS_IDENTITY)     \
    R(ic_position, IC_FIELDS_POSITION)     \
    R(ic_health, IC_FIELDS_HEALTH)         \
    R(ic_mobile, IC_FIELDS_MOBILE)         \
    R(ic_attackable, IC_FIELDS_ATTACKABLE) \
    R(ic_armament, IC_FIELDS_ARMAMENT)     \
    R(ic_building, IC_FIELDS_BUILDING)     \
    R(ic_harvester, IC_FIELDS_HARVESTER)   \
    R(ic_veterancy, IC_FIELDS_VETERANCY)
FIXED_RECORDS(TAKER)

/* `room` holds a target that is not kept; NULL: allocate it in the arena. */
#define FIXED(member)                                                             \
    static inline void take_##member(rp_reader *r, rp_arena *arena, ic_pos *room, \
                                     ic_##member *row)                            \
    {                                                                             \
        RP_UNUSED(arena);                                                         \
        RP_UNUSED(room);                                                          \
        ic_##member##_take(r, row);                                               \
    }
FIXED(identity)
FIXED(position)
FIXED(health)
FIXED(mobile)
FIXED(attackable)
FIXED(armament)
FIXED(building)
FIXED(harvester)
FIXED(veterancy)

static inline void take_navigation(rp_reader *r, rp_arena *arena, ic_pos *room, ic_navigation *row)
{
    row->target = NULL;
    if (!take_flag(r, "target"))
        return;
    ic_pos *target = room ? room : rp_arena_alloc(arena, sizeof *target, r->error);
    if (target)
        ic_pos_take(r, target);
    row->target = target;
}

static inline void take_build_queue(rp_reader *r, rp_arena *arena, ic_pos *room,
                                    ic_build_queue *row)
{
    RP_UNUSED(room);
    rp_bincode_read(r, arena, &ic_build_queue_record, row);
}

static inline void take_extension(rp_reader *r, rp_arena *arena, ic_pos *room, ic_extension *row)
{
    RP_UNUSED(room);
    rp_bincode_read(r, arena, &ic_extension_record, row);
}

#define OR_BIT(bit, member, name) | UINT64_C(1) << bit
static const uint64_t known_bits = 0 IC_COMPONENTS(OR_BIT);

static bool check_mask(rp_reader *r, uint64_t mask)
{
    uint64_t unknown = mask & ~known_bits;
    if (!unknown)
        return rp_ok(r);
    unsigned bit = 0;
    while (!(unknown >> bit & 1))
        bit++;
    rp_fail(r, REPRISE_E_CORRUPT, "component_mask", "unknown component bit %u", bit);
    return false;
}

static void check_end(rp_reader *r)
{
    if (rp_ok(r) && rp_left(r))
        rp_fail(r, REPRISE_E_CORRUPT, "components",
                "%zu bytes more than the component mask requires", rp_left(r));
}

#define READ_COMPONENT(bit, member, name) \
    if (mask >> bit & 1)                  \
        take_##member(r, arena, room, &ret->member);

static inline void read_components(rp_reader *r, rp_arena *arena, ic_pos *room, uint64_t mask,
                                   ic_components *ret)
{
    ret->mask = mask;
    if (!check_mask(r, mask))
        return;
    IC_COMPONENTS(READ_COMPONENT)
    check_end(r);
}

void ic_components_read(rp_reader *r, rp_arena *arena, uint64_t mask, ic_components *ret)
{
    read_components(r, arena, NULL, mask, ret);
}

void ic_components_look(rp_reader *r, rp_arena *arena, uint64_t mask, ic_components *ret)
{
    ic_pos room;
    read_components(r, arena, &room, mask, ret);
    ret->navigation.target = NULL;
}

/* ---- writers from the lists ---- */

#define SIZE_U32(tag)                            +4
#define SIZE_I32(tag)                            +4
#define SIZE_REC(tag)                            +tag##_SIZE
#define SIZE_FIELD(T, name, kind, tag, sub, doc) SIZE_##kind(tag)
#define SIZER(T, LIST)                           enum { T##_SIZE = 0 LIST(SIZE_FIELD, T) };
FIXED_RECORDS(SIZER)

#define STORE_U32(name, tag)                      rp_store32(to, row->name), to += 4;
#define STORE_I32(name, tag)                      rp_store32(to, (uint32_t)row->name), to += 4;
#define STORE_REC(name, tag)                      to = tag##_store(to, &row->name);
#define STORE_FIELD(T, name, kind, tag, sub, doc) STORE_##kind(name, tag)
#define STORER(T, LIST)                                         \
    static inline uint8_t *T##_store(uint8_t *to, const T *row) \
    {                                                           \
        LIST(STORE_FIELD, T)                                    \
        return to;                                              \
    }
FIXED_RECORDS(STORER)

#define PUT_FIXED(member)                                                 \
    static inline void put_##member(rp_writer *w, const ic_##member *row) \
    {                                                                     \
        uint8_t *to = rp_put_raw(w, ic_##member##_SIZE);                  \
        if (to)                                                           \
            (void)ic_##member##_store(to, row);                           \
    }
PUT_FIXED(identity)
PUT_FIXED(position)
PUT_FIXED(health)
PUT_FIXED(mobile)
PUT_FIXED(attackable)
PUT_FIXED(armament)
PUT_FIXED(building)
PUT_FIXED(harvester)
PUT_FIXED(veterancy)

static inline void put_navigation(rp_writer *w, const ic_navigation *row)
{
    uint8_t *to = rp_put_raw(w, row->target ? 1 + ic_pos_SIZE : 1);
    if (!to)
        return;
    *to = row->target != NULL;
    if (row->target)
        (void)ic_pos_store(to + 1, row->target);
}

static inline void put_build_queue(rp_writer *w, const ic_build_queue *row)
{
    rp_bincode_write(w, &ic_build_queue_record, row);
}

static inline void put_extension(rp_writer *w, const ic_extension *row)
{
    rp_bincode_write(w, &ic_extension_record, row);
}

#define WRITE_COMPONENT(bit, member, name) \
    if (components->mask >> bit & 1)       \
        put_##member(w, &components->member);

void ic_components_put(rp_writer *w,
                       const ic_components *components){IC_COMPONENTS(WRITE_COMPONENT)}

rp_text ic_components_write(rp_arena *arena, const ic_components *components, reprise_error *error)
{
    rp_writer w;
    rp_writer_init(&w, arena->context, SIZE_MAX / 2, error);
    ic_components_put(&w, components);
    rp_text bytes = {.data = rp_arena_text(arena, w.data, w.size, error), .size = w.size};
    rp_writer_free(&w);
    return bytes;
}

#define SPLIT_COMPONENT(bit, member, name)                                    \
    if (mask >> bit & 1) {                                                    \
        size_t before = rp_left(r);                                           \
        take_##member(r, arena, &room, &scratch.member);                      \
        ret->of[i] = (rp_text){bytes + (size - before), before - rp_left(r)}; \
    }                                                                         \
    i++;

void ic_components_split(rp_reader *r, rp_arena *arena, uint64_t mask, ic_spans *ret)
{
    *ret = (ic_spans){0};
    if (!check_mask(r, mask))
        return;
    size_t size = rp_left(r), i = 0;
    rp_reader whole = *r;
    const char *bytes = (const char *)rp_take(&whole, size, "components");
    ic_components scratch;
    ic_pos room;
    IC_COMPONENTS(SPLIT_COMPONENT)
    check_end(r);
}
