/* entity_fastcheck.c - see entity_fastcheck.h. */
#include "entity_fastcheck.h"

/* Ranges that the field tables do not state: what a number counts, or its limits. */
typedef enum rule { NAME, PLAYER, ACROSS, DOWN, HEIGHT, POSITIVE, ANY } rule;

static const struct {
    const rp_record *record;
    size_t field;
    rule rule;
} rules[] = {
    {&ic_identity_record, ic_identity_F_archetype, NAME},
    {&ic_identity_record, ic_identity_F_unit_type, NAME},
    {&ic_identity_record, ic_identity_F_owner, PLAYER},
    {&ic_pos_record, ic_pos_F_x, ACROSS},
    {&ic_pos_record, ic_pos_F_y, DOWN},
    {&ic_pos_record, ic_pos_F_z, HEIGHT},
    {&ic_health_record, ic_health_F_max, POSITIVE},
    {&ic_armament_record, ic_armament_F_weapon, NAME},
    {&ic_harvester_record, ic_harvester_F_resource, NAME},
};

static rule rule_of(const rp_record *record, size_t field)
{
    for (size_t i = 0; i < RP_COUNT(rules); i++) {
        if (rules[i].record == record && rules[i].field == field)
            return rules[i].rule;
    }
    return ANY;
}

enum { RANGES_MAX = (IC_COMMON_QUADS + IC_SHAPE_QUADS) * IC_QUAD_LANES };

/* The offset of a field, its smallest value, and the width of its range. */
typedef struct range {
    uint32_t at, least, span;
} range;

typedef struct maker {
    const ic_core *core;
    uint32_t at;
    range ranges[RANGES_MAX]; /* by offset */
    size_t count;
    bool usual;
} maker;

static void limit(maker *m, uint32_t at, int32_t least, uint32_t span)
{
    m->usual &= m->count < RANGES_MAX;
    if (m->usual)
        m->ranges[m->count++] = (range){at, (uint32_t)least, span};
}

/* A number below a count. */
static void limit_index(maker *m, size_t count)
{
    m->usual &= count > 0;
    limit(m, m->at, 0, (uint32_t)count - 1);
}

static void limit_by_rule(maker *m, rule which)
{
    const ic_map *map = &m->core->map_state;
    switch (which) {
    case NAME:
        limit_index(m, m->core->intern_table.entries.count);
        break;
    case PLAYER:
        limit_index(m, IC_PLAYER_BITS);
        break;
    case ACROSS:
        limit(m, m->at, -IC_MAP_MARGIN, map->width * 1024 + 2 * IC_MAP_MARGIN - 1);
        break;
    case DOWN:
        limit(m, m->at, -IC_MAP_MARGIN, map->height * 1024 + 2 * IC_MAP_MARGIN - 1);
        break;
    case HEIGHT:
        limit(m, m->at, -IC_MAP_HEIGHT_MAX, 2 * IC_MAP_HEIGHT_MAX);
        break;
    case POSITIVE:
        limit(m, m->at, 1, INT32_MAX - 1);
        break;
    case ANY:
        break;
    }
}

/* Most queues are empty: eight zero bytes, then a flag, which is the last byte of its four. */
static void add_empty_queue(maker *m)
{
    limit(m, m->at, 0, 0);
    limit(m, m->at + 4, 0, 0);
    limit(m, m->at + 5, 0, 0x01FFFFFF);
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
        case RP_I32:
            if (field->sub)
                limit_index(m, ((const rp_enum *)field->sub)->count);
            else
                limit_by_rule(m, rule_of(record, i));
            m->at += 4;
            break;
        default:
            m->usual = false;
        }
    }
}

static void add_component(maker *m, size_t component, bool target)
{
    switch (ic_component_bits[component]) {
    case IC_BIT_Navigation:
        m->at += target ? 1 + IC_POSITION_BYTES : 1;
        break;
    case IC_BIT_BuildQueue:
        add_empty_queue(m);
        break;
    default:
        add_record(m, ic_component_records[component]);
    }
}

/* The components that may be present and what they require; ic_core_check has the messages. */
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

static void set_lane(ic_quad *quad, size_t lane, uint32_t least, uint32_t span)
{
    const uint32_t half = UINT32_C(1) << 31;
    quad->base[lane] = least + half;
    quad->most[lane] = (int32_t)(span - half);
}

/* A quad begins at a field, or earlier if the entity ends before the quad would. */
static bool place_quad(uint32_t first, uint32_t size, uint32_t *ret_at)
{
    uint32_t at = first;
    while (at + IC_QUAD_BYTES > size) {
        if (at < 4)
            return false;
        at -= 4;
    }
    *ret_at = at;
    return true;
}

static void allow_all(ic_quad *quad)
{
    for (size_t i = 0; i < IC_QUAD_LANES; i++)
        set_lane(quad, i, 0, UINT32_MAX);
}

/* Adds the ranges that fit into a quad at an offset; returns the first that does not. */
static size_t fill(const maker *m, size_t next, uint32_t at, ic_quad *quad)
{
    allow_all(quad);
    for (; next < m->count; next++) {
        const range *r = &m->ranges[next];
        if ((r->at - at) % 4 || r->at - at >= IC_QUAD_BYTES)
            break;
        set_lane(quad, (r->at - at) / 4, r->least, r->span);
    }
    return next;
}

/* The ranges after the common ones, in as few quads as possible; false: too many. */
static bool pack(const maker *m, ic_shape *shape)
{
    size_t next = 0;
    while (next < m->count && m->ranges[next].at < IC_REST_AT)
        next++;
    for (size_t i = 0; i < IC_SHAPE_QUADS; i++) {
        shape->at[i] = 0;
        if (next == m->count)
            allow_all(&shape->quads[i]);
        else if (place_quad(m->ranges[next].at, m->at, &shape->at[i]))
            next = fill(m, next, shape->at[i], &shape->quads[i]);
        else
            return false;
    }
    return next == m->count;
}

static void make(const ic_core *core, uint64_t mask, bool target, ic_shape *shape)
{
    maker m = {.core = core, .usual = is_allowed(mask)};
    for (size_t i = 0; i < IC_COMPONENT_COUNT && m.usual; i++) {
        if (mask >> ic_component_bits[i] & 1)
            add_component(&m, i, target);
    }
    shape->size = m.usual && pack(&m, shape) ? m.at : 0;
}

bool ic_shapes_learn(ic_shapes *shapes, uint64_t mask)
{
    enum { MOBILE_BYTES = 12 };
    size_t number = ic_shape_number(mask);
    ic_shape_key *key = &shapes->keys[number];
    if (key->mask == mask)
        return false;
    *key = (ic_shape_key){.mask = mask};
    if (IC_HAS(mask, Navigation)) {
        key->flag_at = IC_REST_AT + (IC_HAS(mask, Mobile) ? MOBILE_BYTES : 0);
        key->flag_bits = 0xFF;
    }
    make(shapes->core, mask, false, &shapes->of[number][0]);
    if (key->flag_bits)
        make(shapes->core, mask, true, &shapes->of[number][1]);
    return true;
}

void ic_shapes_init(ic_shapes *shapes, const ic_core *core)
{
    const ic_player *players = core->player_states.items;
    maker m = {.core = core, .usual = true};
    shapes->core = core;
    shapes->players = 0;
    for (size_t i = 0; i < core->player_states.count; i++) {
        if (players[i].player < IC_PLAYER_BITS)
            shapes->players |= UINT64_C(1) << players[i].player;
    }
    for (size_t i = 0; m.at < IC_REST_AT; i++)
        add_record(&m, ic_component_records[i]);
    for (size_t i = 0, next = 0; i < IC_COMMON_QUADS; i++)
        next = fill(&m, next, (uint32_t)(i * IC_QUAD_BYTES), &shapes->common[i]);
    for (size_t i = 0; i < IC_SHAPES; i++) {
        shapes->keys[i] = (ic_shape_key){0};
        shapes->of[i][0].size = 0;
    }
}

bool ic_is_sound(const ic_shapes *shapes, ic_verdict verdict)
{
    bool outside = false;
    for (size_t i = 0; i < IC_QUAD_LANES; i++)
        outside |= verdict.outside[i] != 0;
    return !outside && !verdict.overfull && verdict.flags <= 1 &&
           !(verdict.owners & ~shapes->players);
}
