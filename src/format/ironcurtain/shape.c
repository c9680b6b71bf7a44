/* shape.c - see shape.h. */
#include "shape.h"

/* Numbers in the intern table, which the tables do not tell from others. */
static const struct {
    const rp_record *record;
    size_t field;
} interned[] = {
    {&ic_identity_record, ic_identity_F_archetype},
    {&ic_identity_record, ic_identity_F_unit_type},
    {&ic_armament_record, ic_armament_F_weapon},
    {&ic_harvester_record, ic_harvester_F_resource},
};

static bool is_interned(const rp_record *record, size_t field)
{
    for (size_t i = 0; i < RP_COUNT(interned); i++) {
        if (interned[i].record == record && interned[i].field == field)
            return true;
    }
    return false;
}

typedef struct maker {
    ic_shape *shape;
    uint32_t names, at;
    size_t limit_count;
    bool usual;
} maker;

static void limit(maker *m, uint32_t at, uint32_t most)
{
    m->usual &= m->limit_count < IC_SHAPE_LIMITS;
    if (!m->usual)
        return;
    m->shape->limits[m->limit_count].at = at;
    m->shape->limits[m->limit_count++].most = most;
}

/* A number below a count. */
static void limit_index(maker *m, size_t count)
{
    m->usual &= count > 0;
    limit(m, m->at, (uint32_t)count - 1);
}

/* Most queues are empty: eight zeros, then a flag, which is the last byte of its four. */
static void add_empty_queue(maker *m)
{
    limit(m, m->at, 0);
    limit(m, m->at + 4, 0);
    limit(m, m->at + 5, 0x01FFFFFF);
    m->at += 9;
}

static void add_record(maker *m, const rp_record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        switch (field->kind) {
        case RP_REC:
            add_record(m, field->sub);
            break;
        case RP_U32:
            if (field->sub)
                limit_index(m, ((const rp_enum *)field->sub)->count);
            else if (is_interned(record, i))
                limit_index(m, m->names);
            m->at += 4;
            break;
        case RP_I32:
            m->at += 4;
            break;
        default:
            m->usual = false;
        }
    }
}

static void add_component(maker *m, size_t component, bool target)
{
    enum { POS_BYTES = 12 };
    switch (ic_component_bits[component]) {
    case REPRISE_IC_BIT_Navigation:
        m->at += target ? 1 + POS_BYTES : 1;
        break;
    case REPRISE_IC_BIT_BuildQueue:
        add_empty_queue(m);
        break;
    default:
        add_record(m, ic_component_records[component]);
    }
}

/* The components an entity may have at all, and what they ask for; ic_core_check has the words. */
static bool is_allowed(uint64_t mask)
{
    uint64_t known = 0;
    for (size_t i = 0; i < IC_COMPONENT_COUNT; i++)
        known |= UINT64_C(1) << ic_component_bits[i];
    return !(mask & ~known) && IC_HAS(mask, Identity) && IC_HAS(mask, Position) &&
           IC_HAS(mask, Health) && (!IC_HAS(mask, Building) || IC_HAS(mask, BuildQueue)) &&
           !(IC_HAS(mask, Building) && IC_HAS(mask, Mobile)) &&
           (!IC_HAS(mask, Mobile) || IC_HAS(mask, Navigation));
}

void ic_shape_make(ic_shape *shape, uint64_t key, uint32_t names)
{
    uint64_t mask = key & ~ic_shape_key(0, 1);
    maker m = {.shape = shape, .names = names, .usual = is_allowed(mask)};
    *shape = (ic_shape){.key = key};
    /* Limits that are not needed allow everything. */
    for (size_t i = 0; i < IC_SHAPE_LIMITS; i++)
        shape->limits[i].most = UINT32_MAX;
    for (size_t i = 0; i < IC_COMPONENT_COUNT && m.usual; i++) {
        if (mask >> ic_component_bits[i] & 1)
            add_component(&m, i, key != mask);
    }
    shape->size = m.usual ? m.at : 0;
}
