/*
 * read_tables.c - steps over the small sections: weapons, weapon events, jumps and events.
 *
 * Layout P has no weapon table: its weapon changes carry complete items, and the table is made here
 * by telling equal items apart from new ones.
 */
#include "read.h"

/* Elements of one step. */
enum { AT_ONCE = 64, TABLE_MAX = 65536 };

static reprise_status begin(kz_decoder *d, kz_section_kind kind, reprise_error *error)
{
    if (d->open)
        return REPRISE_OK;
    return kz_section_reader_open((kz_replay *)d->base.replay, kind, &d->reader, error);
}

/* Skips everything that was read, or reports where it failed. */
static reprise_status settle(kz_decoder *d, const rp_reader *r, size_t before)
{
    if (!rp_ok(r)) {
        rp_error_at(r->error, "%s[%u]", kz_section_names[d->reader.kind], d->reader.next);
        return r->error->status;
    }
    rp_window_skip(&d->reader.window, before - rp_left(r));
    return REPRISE_OK;
}

/* The count that some sections repeat before their elements. */
static reprise_status read_inner_count(kz_decoder *d, reprise_error *error)
{
    RP_TRY(kz_section_reader_need(&d->reader, 4, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    int32_t count = rp_i32(&r, "count");
    if (count < 0 || (uint32_t)count != d->reader.section->count)
        return kz_refuse(&d->reader, REPRISE_E_CORRUPT, "count", error,
                         "says %d elements, its header %u", count, d->reader.section->count);
    rp_window_skip(&d->reader.window, 4);
    return REPRISE_OK;
}

static rp_row row_at(uint32_t track, uint32_t tick, const void *data)
{
    return (rp_row){.track = track,
                    .index = tick,
                    .time = kz_time_of(tick),
                    .present = UINT64_MAX,
                    .data = data};
}

static reprise_status emit_if(kz_decoder *d, rp_row row, reprise_error *error)
{
    return rp_selected(&d->base, row.track) ? rp_emit(&d->base, row, error) : REPRISE_OK;
}

/* ---- weapons ---- */

static reprise_status emit_weapon(kz_decoder *d, const kz_weapon_row *weapon,
                                  const kz_attribute *attributes, reprise_error *error)
{
    RP_TRY(emit_if(d, row_at(KZ_WEAPONS, 0, weapon), error));
    for (int32_t i = 0; i < weapon->weapon.attribute_count; i++) {
        kz_attribute_row *row = rp_arena_alloc(&d->scratch, sizeof *row, error);
        if (!row)
            return error->status;
        *row = (kz_attribute_row){.of = {.weapon = weapon->weapon.number},
                                  .attribute = attributes[i]};
        RP_TRY(emit_if(d, row_at(KZ_WEAPON_ATTRIBUTES, 0, row), error));
    }
    return REPRISE_OK;
}

/* An item and its attributes at the window; the lead before it is in reach, too. */
static reprise_status read_weapon(kz_decoder *d, size_t lead, uint32_t *ret_lead,
                                  kz_weapon_row *ret_weapon, kz_attribute *attributes,
                                  reprise_error *error)
{
    RP_TRY(kz_section_reader_need(&d->reader, lead + KZ_ITEM_SIZE, error));
    rp_reader peek = rp_window_reader(&d->reader.window, error);
    kz_weapon_row weapon = {0};
    uint32_t number = lead ? rp_u32(&peek, "number") : 0;
    int32_t count = kz_read_item(&peek, &d->scratch, &weapon.item);
    RP_TRY(settle(d, &peek, rp_left(&peek)));
    size_t size = lead + KZ_ITEM_SIZE, more = (size_t)count * 8;
    RP_TRY(kz_section_reader_need(&d->reader, size + more, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    size_t before = rp_left(&r);
    rp_skip(&r, size, "weapon");
    for (int32_t i = 0; i < count; i++)
        kz_read_attribute(&r, &attributes[i]);
    weapon.weapon.attribute_count = count;
    *ret_weapon = weapon;
    *ret_lead = number;
    return settle(d, &r, before);
}

static reprise_status next_weapon(kz_decoder *d, reprise_error *error)
{
    kz_attribute attributes[KZ_ATTRIBUTES_MAX];
    kz_weapon_row *weapon = rp_arena_alloc(&d->scratch, sizeof *weapon, error);
    if (!weapon)
        return error->status;
    uint32_t number = 0;
    bool numbered = !d->wire->inner_counts;
    RP_TRY(read_weapon(d, numbered ? 4 : 0, &number, weapon, attributes, error));
    weapon->weapon.number = (int32_t)(numbered ? number : d->reader.next);
    d->reader.next++;
    return emit_weapon(d, weapon, attributes, error);
}

/* ---- layout P: the table is made ---- */

/* One different item: its bytes as they are compared, and what is shown. */
typedef struct entry {
    uint64_t hash;
    kz_weapon_row weapon;
    kz_attribute attributes[KZ_ATTRIBUTES_MAX];
} entry;

typedef struct kz_table {
    rp_arena arena;
    const entry **entries;
    size_t count, capacity;
    uint32_t *slots; /* open addressing: number + 1, 0 is free */
    size_t slot_count;
    uint32_t shown; /* rows of the table given so far */
} kz_table;

void kz_table_free(kz_decoder *d)
{
    rp_context *context = d->base.replay->context;
    kz_table *table = d->table;
    if (!table)
        return;
    rp_free(context, table->entries, table->capacity * sizeof *table->entries);
    rp_free(context, table->slots, table->slot_count * sizeof *table->slots);
    rp_arena_free(&table->arena);
    rp_free(context, table, sizeof *table);
    d->table = NULL;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint64_t hash_item(const entry *item)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < kz_item_record.count; i++) {
        const rp_field *field = &kz_item_record.fields[i];
        const void *value = rp_at_const(field, &item->weapon.item);
        if (field->kind == RP_TEXT)
            hash = hash_bytes(hash, ((const rp_text *)value)->data, ((const rp_text *)value)->size);
        else
            hash = hash_bytes(hash, value, rp_field_size(field));
    }
    return hash_bytes(hash, item->attributes,
                      (size_t)item->weapon.weapon.attribute_count * sizeof(kz_attribute));
}

static bool same_item(const entry *a, const entry *b)
{
    if (a->hash != b->hash || a->weapon.weapon.attribute_count != b->weapon.weapon.attribute_count)
        return false;
    for (size_t i = 0; i < kz_item_record.count; i++) {
        if (!rp_field_equal(&kz_item_record.fields[i], &a->weapon.item, &b->weapon.item))
            return false;
    }
    return memcmp(a->attributes, b->attributes,
                  (size_t)a->weapon.weapon.attribute_count * sizeof(kz_attribute)) == 0;
}

static rp_text keep_text(kz_table *table, rp_text text, reprise_error *error)
{
    return (rp_text){.data = rp_arena_text(&table->arena, text.data, text.size, error),
                     .size = text.size};
}

static reprise_status add_entry(kz_decoder *d, kz_table *table, const entry *item, size_t slot,
                                reprise_error *error)
{
    if (table->count == TABLE_MAX)
        return kz_refuse(&d->reader, REPRISE_E_CORRUPT, "weapon", error,
                         "more than 65536 different items");
    const entry **entries = rp_grow(d->base.replay->context, table->entries, table->count + 1,
                                    &table->capacity, sizeof *entries, error);
    if (!entries)
        return error->status;
    table->entries = entries;
    size_t size = offsetof(entry, attributes) +
                  (size_t)item->weapon.weapon.attribute_count * sizeof(kz_attribute);
    entry *kept = rp_arena_alloc(&table->arena, size, error);
    if (!kept)
        return error->status;
    memcpy(kept, item, size);
    kept->weapon.item.custom_name = keep_text(table, item->weapon.item.custom_name, error);
    kept->weapon.item.custom_name_override = keep_text(
        table, item->weapon.item.custom_name_override, error);
    kept->weapon.weapon.number = (int32_t)table->count;
    table->slots[slot] = (uint32_t)table->count + 1;
    table->entries[table->count++] = kept;
    return error->status;
}

/* The number of an item, new or not. */
static reprise_status number_item(kz_decoder *d, entry *item, uint32_t *ret_number,
                                  reprise_error *error)
{
    kz_table *table = d->table;
    item->hash = hash_item(item);
    size_t slot = (size_t)(item->hash ^ item->hash >> 32) & (table->slot_count - 1);
    for (; table->slots[slot]; slot = (slot + 1) & (table->slot_count - 1)) {
        if (same_item(table->entries[table->slots[slot] - 1], item)) {
            *ret_number = table->slots[slot] - 1;
            return REPRISE_OK;
        }
    }
    *ret_number = (uint32_t)table->count;
    return add_entry(d, table, item, slot, error);
}

/*
 * A hash table at most half full for the first weapon and `changes` more. Most files have a few,
 * and clearing a table of the largest size took longer than reading them.
 */
static size_t slots_for(uint64_t changes)
{
    size_t slots = 64;
    while (slots < TABLE_MAX * 2 && slots / 2 < changes + 1)
        slots *= 2;
    return slots;
}

static reprise_status begin_table(kz_decoder *d, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    kz_table_free(d);
    d->table = rp_alloc_zero(context, 1, sizeof *d->table, error);
    if (!d->table)
        return error->status;
    rp_arena_init(&d->table->arena, context);
    d->table->slot_count = slots_for(d->reader.section->count);
    d->table->slots = rp_alloc_zero(context, d->table->slot_count, sizeof(uint32_t), error);
    if (!d->table->slots) {
        d->table->slot_count = 0;
        return error->status;
    }
    const kz_owned *first = ((const kz_replay *)d->base.replay)->header.first_weapon;
    entry item = {0};
    item.weapon.item = *(const kz_item *)first->item;
    item.weapon.weapon.attribute_count = (int32_t)first->attributes.count;
    memcpy(item.attributes, first->attributes.items,
           first->attributes.count * sizeof(kz_attribute));
    uint32_t number;
    return number_item(d, &item, &number, error);
}

static reprise_status next_change(kz_decoder *d, bool show, reprise_error *error)
{
    entry item = {0};
    uint32_t tick = 0, number = 0;
    RP_TRY(read_weapon(d, 4, &tick, &item.weapon, item.attributes, error));
    RP_TRY(number_item(d, &item, &number, error));
    d->reader.next++;
    if (!show)
        return REPRISE_OK;
    kz_weapon_event *event = rp_arena_alloc(&d->scratch, sizeof *event, error);
    if (!event)
        return error->status;
    *event = (kz_weapon_event){.server_tick = tick, .weapon = number};
    return emit_if(d, row_at(KZ_WEAPON_EVENTS, tick, event), error);
}

static reprise_status step_changes(kz_decoder *d, bool show, bool *ret_done, reprise_error *error)
{
    if (!d->open) {
        RP_TRY(begin(d, KZ_SECTION_WEAPON_CHANGES, error));
        RP_TRY(begin_table(d, error));
    }
    for (unsigned i = 0; i < AT_ONCE && d->reader.next < d->reader.section->count; i++)
        RP_TRY(next_change(d, show, error));
    if (d->reader.next < d->reader.section->count)
        return REPRISE_OK;
    if (d->reader.window.stream) {
        RP_TRY(kz_section_reader_finish(&d->reader, error));
        kz_section_reader_close(&d->reader);
    }
    *ret_done = true;
    return REPRISE_OK;
}

/* First all changes are read, then the table that they made is shown. */
static reprise_status step_made_table(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    bool read = false;
    RP_TRY(step_changes(d, false, &read, error));
    if (!read)
        return REPRISE_OK;
    kz_table *table = d->table;
    for (unsigned i = 0; i < AT_ONCE && table->shown < table->count; i++) {
        const entry *item = table->entries[table->shown++];
        RP_TRY(emit_weapon(d, &item->weapon, item->attributes, error));
    }
    *ret_done = table->shown == table->count;
    return REPRISE_OK;
}

reprise_status kz_step_weapons(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    if (d->wire->in_place)
        return step_made_table(d, ret_done, error);
    RP_TRY(begin(d, KZ_SECTION_WEAPONS, error));
    if (!d->open && d->wire->inner_counts)
        RP_TRY(read_inner_count(d, error));
    for (unsigned i = 0; i < AT_ONCE && d->reader.next < d->reader.section->count; i++)
        RP_TRY(next_weapon(d, error));
    if (d->reader.next < d->reader.section->count)
        return REPRISE_OK;
    *ret_done = true;
    return kz_section_reader_finish(&d->reader, error);
}

/* ---- weapon events ---- */

static reprise_status next_weapon_event(kz_decoder *d, reprise_error *error)
{
    const kz_replay *replay = (const kz_replay *)d->base.replay;
    RP_TRY(kz_section_reader_need(&d->reader, 6, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    uint32_t tick = rp_u32(&r, "serverTick");
    uint16_t weapon = rp_u16(&r, "weapon");
    rp_window_skip(&d->reader.window, 6);
    d->reader.next++;
    if (weapon >= replay->sections[KZ_SECTION_WEAPONS].count)
        rp_note(&d->base.replay->findings, KZ_FINDING(WEAPON_INDEX), d->reader.window.name,
                d->reader.window.offset, "weaponEvents", "weapon %u is not in the table", weapon);
    kz_weapon_event *event = rp_arena_alloc(&d->scratch, sizeof *event, error);
    if (!event)
        return error->status;
    *event = (kz_weapon_event){.server_tick = tick, .weapon = weapon};
    return emit_if(d, row_at(KZ_WEAPON_EVENTS, tick, event), error);
}

reprise_status kz_step_weapon_events(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    if (d->wire->weapon_bit) {
        *ret_done = true;
        return REPRISE_OK;
    }
    if (d->wire->in_place)
        return step_changes(d, true, ret_done, error);
    RP_TRY(begin(d, KZ_SECTION_WEAPON_EVENTS, error));
    if (!d->open)
        RP_TRY(read_inner_count(d, error));
    for (unsigned i = 0; i < AT_ONCE && d->reader.next < d->reader.section->count; i++)
        RP_TRY(next_weapon_event(d, error));
    if (d->reader.next < d->reader.section->count)
        return REPRISE_OK;
    *ret_done = true;
    return kz_section_reader_finish(&d->reader, error);
}

/* ---- jumps ---- */

enum { OVERALL_SIZE = 364, STRAFE_SIZE = 72, REASON_SIZE = 256 };

/* How many strafes or calls follow: they must fit in what is left. */
static reprise_status read_list_count(kz_decoder *d, size_t element, const char *elements,
                                      size_t *ret_count, reprise_error *error)
{
    RP_TRY(kz_section_reader_need(&d->reader, 4, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    int32_t count = rp_i32(&r, elements);
    rp_window_skip(&d->reader.window, 4);
    if (count < 0 || (uint64_t)count > kz_section_reader_left(&d->reader) / element)
        return kz_refuse(&d->reader, REPRISE_E_CORRUPT, "jumps", error, "%d %s, %llu bytes left",
                         count, elements, (unsigned long long)kz_section_reader_left(&d->reader));
    *ret_count = (size_t)count;
    return rp_limit(*ret_count * element, d->base.replay->context->limits.record_bytes_max,
                    elements, "record_bytes", error);
}

static reprise_status read_overall(kz_decoder *d, kz_jump *ret_jump, reprise_error *error)
{
    enum { BEFORE_PADDING = kz_jump_F_total_distance };
    static const uint8_t after_padding[] = {kz_jump_F_total_distance, kz_jump_F_max_speed,
                                            kz_jump_F_max_height,     kz_jump_F_airtime,
                                            kz_jump_F_duck_duration,  kz_jump_F_duck_end_duration,
                                            kz_jump_F_release,        kz_jump_F_block,
                                            kz_jump_F_edge,           kz_jump_F_landing_edge};
    RP_TRY(kz_section_reader_need(&d->reader, OVERALL_SIZE, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    rp_plain_read(&r, &kz_jump_record, NULL, BEFORE_PADDING, ret_jump);
    rp_skip(&r, 2, "padding");
    rp_plain_read(&r, &kz_jump_record, after_padding, RP_COUNT(after_padding), ret_jump);
    ret_jump->invalid_reason = kz_read_text(&r, REASON_SIZE, &d->scratch, "reason");
    rp_window_skip(&d->reader.window, OVERALL_SIZE);
    return error->status;
}

static void read_strafe(rp_reader *r, kz_strafe *to)
{
    enum { BEFORE_PADDING = kz_strafe_F_ratio_max };
    static const uint8_t ratios[] = {kz_strafe_F_ratio_max, kz_strafe_F_ratio_median,
                                     kz_strafe_F_ratio_average};
    rp_plain_read(r, &kz_strafe_record, NULL, BEFORE_PADDING, to);
    rp_skip(r, 3, "padding");
    rp_plain_read(r, &kz_strafe_record, ratios, RP_COUNT(ratios), to);
}

static reprise_status next_strafes(kz_decoder *d, uint32_t tick, size_t count, reprise_error *error)
{
    kz_strafe_row *rows = rp_arena_array(&d->scratch, count, sizeof *rows, error);
    if (!rows)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        RP_TRY(kz_section_reader_need(&d->reader, STRAFE_SIZE, error));
        rp_reader r = rp_window_reader(&d->reader.window, error);
        rows[i].place.strafe = (uint32_t)i;
        read_strafe(&r, &rows[i].strafe);
        rp_window_skip(&d->reader.window, STRAFE_SIZE);
        rp_row row = row_at(KZ_STRAFES, tick, &rows[i]);
        row.object = d->reader.next;
        RP_TRY(emit_if(d, row, error));
    }
    return REPRISE_OK;
}

/* Calls before B5 cover the complete tick. */
static void read_call(rp_reader *r, bool fractions, kz_aircall *to)
{
    static const uint8_t without[] = {
        kz_aircall_F_strafe,          kz_aircall_F_external_speed_diff,
        kz_aircall_F_prev_yaw,        kz_aircall_F_current_yaw,
        kz_aircall_F_wish_dir,        kz_aircall_F_wish_speed,
        kz_aircall_F_acceleration,    kz_aircall_F_surface_friction,
        kz_aircall_F_duration,        kz_aircall_F_buttons0,
        kz_aircall_F_buttons1,        kz_aircall_F_buttons2,
        kz_aircall_F_velocity_before, kz_aircall_F_velocity_after,
        kz_aircall_F_ducking};
    to->end_fraction = 1;
    if (fractions)
        rp_plain_read(r, &kz_aircall_record, NULL, kz_aircall_record.count, to);
    else
        rp_plain_read(r, &kz_aircall_record, without, RP_COUNT(without), to);
}

static reprise_status next_calls(kz_decoder *d, uint32_t tick, size_t count, reprise_error *error)
{
    size_t size = d->wire->call_size;
    bool fractions = size == 92;
    kz_aircall *calls = rp_arena_array(&d->scratch, count, sizeof *calls, error);
    if (!calls)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        RP_TRY(kz_section_reader_need(&d->reader, size, error));
        rp_reader r = rp_window_reader(&d->reader.window, error);
        read_call(&r, fractions, &calls[i]);
        rp_window_skip(&d->reader.window, size);
        rp_row row = row_at(KZ_AIRCALLS, tick, &calls[i]);
        row.object = d->reader.next;
        RP_TRY(emit_if(d, row, error));
    }
    return REPRISE_OK;
}

static reprise_status next_jump(kz_decoder *d, reprise_error *error)
{
    kz_jump *jump = rp_arena_alloc(&d->scratch, sizeof *jump, error);
    if (!jump)
        return error->status;
    RP_TRY(read_overall(d, jump, error));
    rp_row row = row_at(KZ_JUMPS, jump->server_tick, jump);
    row.object = d->reader.next;
    RP_TRY(emit_if(d, row, error));
    size_t count = 0;
    RP_TRY(read_list_count(d, STRAFE_SIZE, "strafes", &count, error));
    RP_TRY(next_strafes(d, jump->server_tick, count, error));
    RP_TRY(read_list_count(d, d->wire->call_size, "calls", &count, error));
    RP_TRY(next_calls(d, jump->server_tick, count, error));
    d->reader.next++;
    return REPRISE_OK;
}

reprise_status kz_step_jumps(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    RP_TRY(begin(d, KZ_SECTION_JUMPS, error));
    if (!d->open)
        RP_TRY(read_inner_count(d, error));
    if (d->reader.next < d->reader.section->count)
        return next_jump(d, error);
    *ret_done = true;
    return kz_section_reader_finish(&d->reader, error);
}

/* ---- events ---- */

static reprise_status next_event(kz_decoder *d, reprise_error *error)
{
    kz_event *event = rp_arena_alloc(&d->scratch, sizeof *event, error);
    if (!event)
        return error->status;
    RP_TRY(kz_section_reader_need(&d->reader, KZ_EVENT_SIZE, error));
    rp_reader r = rp_window_reader(&d->reader.window, error);
    uint64_t present = kz_read_event(&r, &d->scratch, event);
    if (event->type >= KZ_EVENT_COUNT)
        rp_note(&d->base.replay->findings, KZ_FINDING(UNKNOWN_EVENT), d->reader.window.name,
                d->reader.window.offset, "events", "type %u", event->type);
    rp_window_skip(&d->reader.window, KZ_EVENT_SIZE);
    d->reader.next++;
    rp_row row = row_at(KZ_EVENTS, event->server_tick, event);
    row.present = present;
    RP_TRY(error->status);
    return emit_if(d, row, error);
}

reprise_status kz_step_events(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    RP_TRY(begin(d, KZ_SECTION_EVENTS, error));
    d->open = true;
    for (unsigned i = 0; i < AT_ONCE && d->reader.next < d->reader.section->count; i++)
        RP_TRY(next_event(d, error));
    if (d->reader.next < d->reader.section->count)
        return REPRISE_OK;
    *ret_done = true;
    return kz_section_reader_finish(&d->reader, error);
}
