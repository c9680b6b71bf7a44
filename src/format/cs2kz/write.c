/*
 * write.c - rows into any of the nine layouts.
 *
 * Ticks and commands are compressed as they come, each section into a spool, because sizes and
 * counts are stored before them; memory stays bounded. Weapons come first, so that a layout with
 * the weapon in every tick can be made from one with weapon events, and back.
 */
#include "write.h"

#include "document.h"
#include "read.h"

#define SECTION_SIZE_MAX UINT32_MAX

const rp_levels kz_levels = {.fastest = 1, .balanced = 3, .compact = 19, .max = RP_ZSTD_LEVEL_MAX};

/* ---- sections ---- */

/* Opened when first needed, because an encoder takes some megabytes. */
static reprise_status out_open(kz_encoder *e, kz_section_kind kind, reprise_error *error)
{
    kz_out *out = &e->out[kind];
    if (out->packer)
        return REPRISE_OK;
    RP_TRY(rp_sink_open_spool(e->base.context, e->base.sink, &out->spool, error));
    return rp_packer_open_zstd(e->base.context, out->spool, e->base.options.level,
                               e->base.options.long_range, &out->packer, error);
}

static void out_close(kz_out *out)
{
    rp_packer_close(out->packer);
    rp_sink_close(out->spool);
    *out = (kz_out){0};
}

/* Moves the bytes collected so far into a section. */
static reprise_status flush(kz_encoder *e, kz_section_kind kind, uint32_t count,
                            reprise_error *error)
{
    kz_out *out = &e->out[kind];
    RP_TRY(error->status);
    out->size += e->bytes.size;
    out->count += count;
    if (out->size > SECTION_SIZE_MAX)
        return rp_error_set(error, REPRISE_E_LOSSY, "section %s would be over 4 GiB",
                            kz_section_names[kind]);
    RP_TRY(out_open(e, kind, error));
    reprise_status status = rp_packer_write(out->packer, e->bytes.data, e->bytes.size, error);
    rp_writer_clear(&e->bytes);
    return status;
}

/* Ends the compressed data of a section, which may have none. */
static reprise_status out_finish(kz_encoder *e, kz_section_kind kind, reprise_error *error)
{
    kz_out *out = &e->out[kind];
    if (out->finished)
        return REPRISE_OK;
    RP_TRY(out_open(e, kind, error));
    RP_TRY(rp_packer_finish(out->packer, error));
    rp_packer_close(out->packer);
    out->packer = NULL;
    out->finished = true;
    return REPRISE_OK;
}

reprise_status kz_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    kz_encoder *e = (kz_encoder *)encoder;
    e->wire = kz_wire_find(encoder->options.layout);
    rp_arena_init(&e->arena, encoder->context);
    rp_writer_init(&e->bytes, encoder->context, SIZE_MAX / 2, error);
    rp_writer_init(&e->jumps, encoder->context, SIZE_MAX / 2, error);
    int level = 0;
    RP_TRY(rp_packer_level(&kz_levels, encoder->options.level, &level, error));
    encoder->options.level = level;
    rp_document_read(&e->arena, encoder->header, &kz_header_record, &e->header, &e->header_present,
                     error);
    e->header.version = e->wire->version;
    e->header_present |= UINT64_C(1) << kz_header_F_version;
    kz_first_tick(e->wire, &e->last_tick);
    kz_first_command(&e->last_command);
    const kz_replay *source = (const kz_replay *)encoder->source;
    e->events_given = source && !source->wire->weapon_bit;
    e->held = -1;
    return error->status;
}

void kz_encode_free(rp_encoder *encoder)
{
    kz_encoder *e = (kz_encoder *)encoder;
    for (size_t i = 0; i < KZ_SECTION_COUNT; i++)
        out_close(&e->out[i]);
    rp_writer_free(&e->bytes);
    rp_writer_free(&e->jumps);
    rp_free(encoder->context, e->weapons, e->weapon_capacity * sizeof *e->weapons);
    rp_free(encoder->context, e->events, e->event_capacity * sizeof *e->events);
    rp_arena_free(&e->arena);
}

/* ---- weapons ---- */

static reprise_status keep_weapon(kz_encoder *e, const kz_weapon_row *row, reprise_error *error)
{
    kz_kept_weapon *weapons = rp_grow(e->base.context, e->weapons, e->weapon_count + 1,
                                      &e->weapon_capacity, sizeof *weapons, error);
    if (!weapons)
        return error->status;
    e->weapons = weapons;
    kz_kept_weapon *to = &weapons[e->weapon_count++];
    *to = (kz_kept_weapon){.row = *row};
    to->row.weapon.attribute_count = 0;
    rp_text *names[] = {&to->row.item.custom_name, &to->row.item.custom_name_override};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (names[i]->data)
            names[i]->data = rp_arena_text(&e->arena, names[i]->data, names[i]->size, error);
    }
    return error->status;
}

/* Attributes follow their weapon. */
static void keep_attribute(kz_encoder *e, const kz_attribute_row *row)
{
    kz_kept_weapon *weapon = e->weapon_count ? &e->weapons[e->weapon_count - 1] : NULL;
    if (weapon && weapon->row.weapon.attribute_count < KZ_ATTRIBUTES_MAX)
        weapon->attributes[weapon->row.weapon.attribute_count++] = row->attribute;
}

static reprise_status keep_event(kz_encoder *e, kz_weapon_event event, reprise_error *error)
{
    kz_weapon_event *events = rp_grow(e->base.context, e->events, e->event_count + 1,
                                      &e->event_capacity, sizeof *events, error);
    if (!events)
        return error->status;
    e->events = events;
    e->events[e->event_count++] = event;
    return REPRISE_OK;
}

/* The place of a numbered weapon in the table, or -1. */
static int64_t place_of(const kz_encoder *e, int64_t number)
{
    for (size_t i = 0; i < e->weapon_count; i++) {
        if (e->weapons[i].row.weapon.number == number)
            return (int64_t)i;
    }
    return -1;
}

static bool same_item(const kz_kept_weapon *weapon, const kz_owned *owned)
{
    if (!owned->item || (size_t)weapon->row.weapon.attribute_count != owned->attributes.count)
        return false;
    for (size_t i = 0; i < kz_item_record.count; i++) {
        if (!rp_field_equal(&kz_item_record.fields[i], &weapon->row.item, owned->item))
            return false;
    }
    return memcmp(weapon->attributes, owned->attributes.items,
                  owned->attributes.count * sizeof(kz_attribute)) == 0;
}

/* The weapon in hand before the first event: the header's, looked up in the table. */
static int32_t weapon_at_start(const kz_encoder *e)
{
    const kz_owned *first = e->header.first_weapon;
    for (size_t i = 0; first && i < e->weapon_count; i++) {
        if (same_item(&e->weapons[i], first))
            return e->weapons[i].row.weapon.number;
    }
    return e->weapon_count ? e->weapons[0].row.weapon.number : -1;
}

/* From events to ticks: all events up to this tick have happened. */
static void follow_events(kz_encoder *e, kz_tick *tick)
{
    if (!e->out[KZ_SECTION_TICKS].count && !e->event_next)
        e->held = weapon_at_start(e);
    while (e->event_next < e->event_count &&
           e->events[e->event_next].server_tick <= tick->top.server_tick)
        e->held = (int32_t)e->events[e->event_next++].weapon;
    tick->held.weapon = e->held;
}

/* From ticks to events: one where the weapon changes. "None" has no number and is left out. */
static reprise_status make_event(kz_encoder *e, const kz_tick *tick, reprise_error *error)
{
    if (!e->base.source && !e->out[KZ_SECTION_TICKS].count)
        e->held = weapon_at_start(e); /* a recording begins with the header's */
    if (tick->held.weapon == e->held || place_of(e, tick->held.weapon) < 0)
        return REPRISE_OK;
    bool first = e->event_count == 0;
    e->held = tick->held.weapon;
    return keep_event(e,
                      (kz_weapon_event){.server_tick = first ? 0 : tick->top.server_tick,
                                        .weapon = (uint32_t)tick->held.weapon},
                      error);
}

/* ---- ticks ---- */

/*
 * Aim is in analog moves up to B1, in button moves from B2 on. What a move holds in the place
 * of the other side is stale memory, which the game would take for aim: across B2 none of it is
 * kept.
 */
static void drop_aim(kz_move *move)
{
    if (move->button)
        memset(move->data + 1, 0, sizeof move->data - 1); /* all but `pressed` */
    else
        memset(move->data + KZ_MOVE_AIM, 0, sizeof move->data - KZ_MOVE_AIM);
}

static void put_moves(kz_encoder *e, const rp_row *moves, size_t count)
{
    const kz_replay *source = (const kz_replay *)e->base.source;
    bool across = source && source->wire->button_view != e->wire->button_view;
    for (size_t i = 0; i < count; i++) {
        kz_move move = *(const kz_move *)moves[i].data;
        if (across)
            drop_aim(&move);
        rp_put_f32(&e->bytes, move.when);
        rp_put_u32(&e->bytes, move.button);
        rp_put(&e->bytes, move.data, sizeof move.data);
    }
}

/* The moves of one tick or command: after it, or as an entry of their own section. */
static reprise_status put_entry(kz_encoder *e, kz_section_kind kind, const rp_row *moves,
                                size_t count, reprise_error *error)
{
    if (!e->wire->in_place && count > e->wire->slots) {
        e->cut_moves += count - e->wire->slots;
        count = e->wire->slots;
    }
    rp_put_u32(&e->bytes, (uint32_t)count);
    put_moves(e, moves, count);
    if (e->wire->in_place)
        return REPRISE_OK;
    size_t rest = (e->wire->slots - count) * KZ_MOVE_SIZE;
    uint8_t *zeros = rest ? rp_put_raw(&e->bytes, rest) : NULL;
    if (zeros)
        memset(zeros, 0, rest);
    return flush(e, kind, 1, error);
}

/*
 * The first record stores every field that is not predicted. Early games start with
 * vectors they did not initialise, so theirs are stored even where they are zero.
 */
static uint64_t first_bits(const kz_wire *wire)
{
    static const unsigned vectors[] = {kz_movement_F_origin, kz_movement_F_velocity,
                                       kz_movement_F_angles};
    uint64_t predicted = UINT64_C(1) << kz_tick_top_F_server_tick;
    uint64_t moving = rp_masked_bits(&kz_movement_record, KZ_PRE_BIT) |
                      rp_masked_bits(&kz_movement_record, KZ_POST_BIT);
    for (size_t i = 0; wire->forgetful && i < RP_COUNT(vectors); i++)
        moving &= ~(UINT64_C(1) << (KZ_PRE_BIT + vectors[i]));
    return kz_tick_bits(wire) & ~predicted & ~moving;
}

static uint64_t tick_mask(const kz_encoder *e, const kz_tick *tick)
{
    const kz_tick *last = &e->last_tick;
    uint64_t mask = rp_masked_diff(&kz_tick_top_record, 0, &last->top, &tick->top) |
                    rp_masked_diff(&kz_movement_record, KZ_PRE_BIT, &last->post, &tick->pre) |
                    rp_masked_diff(&kz_movement_record, KZ_POST_BIT, &tick->pre, &tick->post) |
                    rp_masked_diff(&kz_checkpoint_record, KZ_CHECKPOINT_BIT, &last->checkpoint,
                                   &tick->checkpoint);
    if (e->wire->weapon_bit)
        mask |= rp_masked_diff(&kz_tick_weapon_record, e->wire->weapon_bit, &last->held,
                               &tick->held);
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        const kz_group *group = &kz_groups[i];
        if (e->wire->group_bits[i])
            mask |= rp_masked_diff(group->record, e->wire->group_bits[i],
                                   (const char *)last + group->offset,
                                   (const char *)tick + group->offset);
    }
    if (e->wire->forgetful)
        mask |= UINT64_C(1) << KZ_CHECKPOINT_BIT;
    return e->out[KZ_SECTION_TICKS].count ? mask : mask | first_bits(e->wire);
}

static void put_tick(kz_encoder *e, const kz_tick *tick, uint64_t mask)
{
    rp_writer *w = &e->bytes;
    rp_put_u64(w, mask);
    rp_masked_write(w, &kz_tick_top_record, mask, 0, &tick->top);
    if (e->wire->weapon_bit)
        rp_masked_write(w, &kz_tick_weapon_record, mask, e->wire->weapon_bit, &tick->held);
    rp_masked_write(w, &kz_movement_record, mask, KZ_PRE_BIT, &tick->pre);
    rp_masked_write(w, &kz_movement_record, mask, KZ_POST_BIT, &tick->post);
    rp_masked_write(w, &kz_checkpoint_record, mask, KZ_CHECKPOINT_BIT, &tick->checkpoint);
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        if (e->wire->group_bits[i])
            rp_masked_write(w, kz_groups[i].record, mask, e->wire->group_bits[i],
                            (const char *)tick + kz_groups[i].offset);
    }
}

/* Layout P: three words, and the checkpoints before the movement. */
static void put_literal_tick(kz_encoder *e, const kz_tick *tick, uint64_t mask)
{
    enum { P_CHECKPOINT_BIT = 10 };
    rp_writer *w = &e->bytes;
    uint64_t move_bits = rp_masked_bits(&kz_movement_record, 0);
    uint64_t checkpoint = mask >> KZ_CHECKPOINT_BIT & 1;
    rp_put_u64(w, (mask & rp_masked_bits(&kz_tick_top_record, 0)) | checkpoint << P_CHECKPOINT_BIT);
    rp_put_u64(w, mask >> KZ_PRE_BIT & move_bits);
    rp_put_u64(w, mask >> KZ_POST_BIT & move_bits);
    rp_masked_write(w, &kz_tick_top_record, mask, 0, &tick->top);
    rp_masked_write(w, &kz_checkpoint_record, mask, KZ_CHECKPOINT_BIT, &tick->checkpoint);
    rp_masked_write(w, &kz_movement_record, mask, KZ_PRE_BIT, &tick->pre);
    rp_masked_write(w, &kz_movement_record, mask, KZ_POST_BIT, &tick->post);
}

static reprise_status write_tick(kz_encoder *e, const rp_row *row, const rp_row *moves,
                                 size_t count, reprise_error *error)
{
    kz_tick tick = *(const kz_tick *)row->data;
    if (!e->wire->weapon_bit) {
        if (!e->events_given)
            RP_TRY(make_event(e, &tick, error));
        tick.held.weapon = -1;
    } else if (e->events_given) {
        follow_events(e, &tick);
    }
    uint64_t mask = tick_mask(e, &tick);
    if (e->wire->in_place) {
        put_literal_tick(e, &tick, mask);
        RP_TRY(put_entry(e, KZ_SECTION_TICKS, moves, count, error));
        RP_TRY(flush(e, KZ_SECTION_TICKS, 1, error));
    } else {
        put_tick(e, &tick, mask);
        RP_TRY(flush(e, KZ_SECTION_TICKS, 1, error));
        RP_TRY(put_entry(e, KZ_SECTION_TICK_MOVES, moves, count, error));
    }
    e->last_tick = tick;
    return REPRISE_OK;
}

static reprise_status write_command(kz_encoder *e, const rp_row *row, const rp_row *moves,
                                    size_t count, reprise_error *error)
{
    const kz_command *command = row->data;
    uint64_t mask = rp_masked_diff(&kz_command_record, 0, &e->last_command, command);
    uint64_t predicted = UINT64_C(1) << kz_command_F_server_tick | UINT64_C(1)
                                                                       << kz_command_F_game_time;
    if (!e->out[KZ_SECTION_COMMANDS].count)
        mask |= rp_masked_bits(&kz_command_record, 0) & ~predicted;
    rp_put_u64(&e->bytes, mask);
    rp_masked_write(&e->bytes, &kz_command_record, mask, 0, command);
    if (!e->wire->in_place)
        RP_TRY(flush(e, KZ_SECTION_COMMANDS, 1, error));
    RP_TRY(put_entry(e, KZ_SECTION_COMMAND_MOVES, moves, count, error));
    if (e->wire->in_place)
        RP_TRY(flush(e, KZ_SECTION_COMMANDS, 1, error));
    e->last_command = *command;
    return REPRISE_OK;
}

/* Ticks or commands of a batch, each with the moves that have its number. */
static reprise_status write_records(kz_encoder *e, const rp_batch *batch, uint32_t records,
                                    uint32_t moves, reprise_error *error)
{
    size_t at = 0;
    while (at < batch->count && batch->rows[at].track != moves)
        at++;
    for (size_t i = 0; i < batch->count && batch->rows[i].track == records; i++) {
        const rp_row *row = &batch->rows[i];
        size_t end = at;
        while (end < batch->count && batch->rows[end].object == row->object)
            end++;
        const rp_row *its = batch->rows + at;
        RP_TRY(records == KZ_TICKS ? write_tick(e, row, its, end - at, error)
                                   : write_command(e, row, its, end - at, error));
        at = end;
    }
    return REPRISE_OK;
}

/* ---- rows ---- */

static reprise_status write_row(kz_encoder *e, const rp_row *row, reprise_error *error)
{
    switch (row->track) {
    case KZ_WEAPONS:
        return keep_weapon(e, row->data, error);
    case KZ_WEAPON_ATTRIBUTES:
        keep_attribute(e, row->data);
        return REPRISE_OK;
    case KZ_WEAPON_EVENTS:
        e->events_given |= !e->base.source;
        return keep_event(e, *(const kz_weapon_event *)row->data, error);
    case KZ_EVENTS:
        kz_put_event(&e->bytes, row);
        return flush(e, KZ_SECTION_EVENTS, 1, error);
    default:
        return REPRISE_OK;
    }
}

/* Every call has an error of its own. */
static void use_error(kz_encoder *e, reprise_error *error)
{
    e->bytes.error = e->jumps.error = error;
}

reprise_status kz_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    kz_encoder *e = (kz_encoder *)encoder;
    use_error(e, error);
    if (!batch->count)
        return REPRISE_OK;
    /* After the ticks nothing more is added to their sections. */
    if (batch->rows[0].track > KZ_SUBTICKS && e->out[KZ_SECTION_TICKS].count) {
        RP_TRY(out_finish(e, KZ_SECTION_TICKS, error));
        if (!e->wire->in_place)
            RP_TRY(out_finish(e, KZ_SECTION_TICK_MOVES, error));
    }
    switch (batch->rows[0].track) {
    case KZ_TICKS:
        return write_records(e, batch, KZ_TICKS, KZ_SUBTICKS, error);
    case KZ_COMMANDS:
        return write_records(e, batch, KZ_COMMANDS, KZ_COMMAND_SUBTICKS, error);
    case KZ_JUMPS:
        kz_put_jump(&e->jumps, e->wire, batch);
        e->out[KZ_SECTION_JUMPS].count++;
        return error->status;
    default:
        for (size_t i = 0; i < batch->count; i++)
            RP_TRY(write_row(e, &batch->rows[i], error));
        return REPRISE_OK;
    }
}

/* ---- recording ---- */

/* Sections follow one another; what belongs to a record of one follows that record. */
static unsigned section_of(uint32_t track)
{
    switch (track) {
    case KZ_WEAPONS:
    case KZ_WEAPON_ATTRIBUTES:
        return 0;
    case KZ_WEAPON_EVENTS:
        return 1;
    case KZ_TICKS:
    case KZ_SUBTICKS:
        return 2;
    case KZ_JUMPS:
    case KZ_STRAFES:
    case KZ_AIRCALLS:
        return 3;
    case KZ_EVENTS:
        return 4;
    case KZ_COMMANDS:
    case KZ_COMMAND_SUBTICKS:
        return 5;
    default:
        return 6;
    }
}

/* The record a row belongs to, within its section. */
static int64_t record_of(const rp_row *row)
{
    switch (row->track) {
    case KZ_WEAPONS:
        return ((const kz_weapon_row *)row->data)->weapon.number;
    case KZ_WEAPON_ATTRIBUTES:
        return ((const kz_attribute_row *)row->data)->of.weapon;
    case KZ_WEAPON_EVENTS:
    case KZ_EVENTS:
        return 0; /* in the order they were given */
    default:
        return row->object;
    }
}

int kz_row_order(const rp_row *a, const rp_row *b)
{
    unsigned left = section_of(a->track), right = section_of(b->track);
    if (left != right)
        return left < right ? -1 : 1;
    int64_t first = record_of(a), second = record_of(b);
    if (first != second)
        return first < second ? -1 : 1;
    return a->track < b->track ? -1 : a->track > b->track;
}

bool kz_batch_begins(const rp_row *before, const rp_row *row)
{
    return section_of(before->track) != section_of(row->track) ||
           record_of(before) != record_of(row);
}

/* The version is the layout's. */
bool kz_header_made(const rp_encoder *encoder, const char *member, const reprise_value *given)
{
    (void)encoder;
    (void)given;
    return strcmp(member, "version") == 0;
}

/* ---- the end ---- */

static void put_weapon(kz_encoder *e, const kz_kept_weapon *weapon)
{
    size_t count = (size_t)weapon->row.weapon.attribute_count;
    kz_put_item(&e->bytes, &weapon->row.item, count);
    for (size_t i = 0; i < count; i++)
        kz_put_attribute(&e->bytes, &weapon->attributes[i]);
}

static reprise_status write_weapons(kz_encoder *e, reprise_error *error)
{
    if (e->wire->inner_counts)
        rp_put_u32(&e->bytes, (uint32_t)e->weapon_count);
    for (size_t i = 0; i < e->weapon_count; i++) {
        if (!e->wire->inner_counts)
            rp_put_u32(&e->bytes, (uint32_t)e->weapons[i].row.weapon.number);
        put_weapon(e, &e->weapons[i]);
    }
    return flush(e, KZ_SECTION_WEAPONS, (uint32_t)e->weapon_count, error);
}

static reprise_status write_weapon_events(kz_encoder *e, reprise_error *error)
{
    rp_put_u32(&e->bytes, (uint32_t)e->event_count);
    for (size_t i = 0; i < e->event_count; i++) {
        int64_t place = e->events_given ? e->events[i].weapon : place_of(e, e->events[i].weapon);
        rp_put_u32(&e->bytes, e->events[i].server_tick);
        rp_put_u16(&e->bytes, (uint16_t)place);
    }
    return flush(e, KZ_SECTION_WEAPON_EVENTS, (uint32_t)e->event_count, error);
}

/* Layout P stores the item itself at every change; one that is not in the table is left out. */
static reprise_status write_changes(kz_encoder *e, reprise_error *error)
{
    uint32_t count = 0;
    for (size_t i = 0; i < e->event_count; i++) {
        int64_t place = place_of(e, e->events[i].weapon);
        if (place < 0)
            continue;
        rp_put_u32(&e->bytes, e->events[i].server_tick);
        put_weapon(e, &e->weapons[place]);
        count++;
    }
    return flush(e, KZ_SECTION_WEAPON_CHANGES, count, error);
}

/* Headers with a first weapon need one; for a source without it, that of its first event. */
static reprise_status find_first_weapon(kz_encoder *e, reprise_error *error)
{
    if (!e->wire->first_weapon || e->header.first_weapon || !e->weapon_count)
        return REPRISE_OK;
    int64_t place = e->event_count ? place_of(e, e->events[0].weapon) : 0;
    const kz_kept_weapon *weapon = &e->weapons[RP_MAX(place, 0)];
    kz_owned *owned = rp_arena_alloc(&e->arena, sizeof *owned, error);
    kz_kept_weapon *copy = rp_arena_alloc(&e->arena, sizeof *copy, error);
    if (!owned || !copy)
        return error->status;
    *copy = *weapon;
    *owned = (kz_owned){.item = &copy->row.item,
                        .attributes = {.items = copy->attributes,
                                       .count = (size_t)copy->row.weapon.attribute_count}};
    e->header.first_weapon = owned;
    return REPRISE_OK;
}

static reprise_status write_jumps(kz_encoder *e, reprise_error *error)
{
    kz_out *out = &e->out[KZ_SECTION_JUMPS];
    rp_put_u32(&e->bytes, out->count);
    RP_TRY(flush(e, KZ_SECTION_JUMPS, 0, error));
    out->size += e->jumps.size;
    return rp_packer_write(out->packer, e->jumps.data, e->jumps.size, error);
}

/* Sections that can be written only after the last row. */
static reprise_status finish_section(kz_encoder *e, kz_section_kind kind, reprise_error *error)
{
    switch (kind) {
    case KZ_SECTION_WEAPONS:
        RP_TRY(write_weapons(e, error));
        break;
    case KZ_SECTION_WEAPON_EVENTS:
        RP_TRY(write_weapon_events(e, error));
        break;
    case KZ_SECTION_WEAPON_CHANGES:
        RP_TRY(write_changes(e, error));
        break;
    case KZ_SECTION_JUMPS:
        RP_TRY(write_jumps(e, error));
        break;
    default:
        break;
    }
    return out_finish(e, kind, error);
}

/* The section header and the frame header, which can now state the size. */
static reprise_status put_frame(rp_sink *sink, rp_source *packed, uint32_t size, uint32_t count,
                                reprise_error *error)
{
    uint8_t frame[RP_ZSTD_HEAD_MAX], head[KZ_SECTION_HEADER_SIZE + RP_ZSTD_HEAD_MAX];
    uint64_t packed_size = rp_source_size(packed);
    size_t looked = (size_t)RP_MIN(packed_size, (uint64_t)sizeof frame), head_size = 0;
    RP_TRY(rp_source_read(packed, 0, frame, looked, error));
    size_t replaced = rp_zstd_sized_head(frame, looked, size, head + KZ_SECTION_HEADER_SIZE,
                                         &head_size);
    uint64_t rest = packed_size - replaced;
    if (head_size + rest > SECTION_SIZE_MAX)
        return rp_error_set(error, REPRISE_E_LOSSY, "a section would be over 4 GiB compressed");
    rp_store32(head, (uint32_t)(head_size + rest));
    rp_store32(head + 4, size);
    rp_store32(head + 8, count);
    RP_TRY(rp_sink_write(sink, head, KZ_SECTION_HEADER_SIZE + head_size, error));
    return rp_sink_copy_range(sink, packed, replaced, rest, error);
}

reprise_status kz_put_section(rp_sink *sink, rp_sink *spool, uint32_t size, uint32_t count,
                              reprise_error *error)
{
    rp_source *packed = NULL;
    RP_TRY(rp_sink_reopen(spool, &packed, error));
    reprise_status status = put_frame(sink, packed, size, count, error);
    rp_source_close(packed);
    return status;
}

reprise_status kz_encode_end(rp_encoder *encoder, reprise_error *error)
{
    kz_encoder *e = (kz_encoder *)encoder;
    use_error(e, error);
    RP_TRY(find_first_weapon(e, error));
    for (unsigned i = 0; i < e->wire->section_count; i++)
        RP_TRY(finish_section(e, e->wire->sections[i], error));
    rp_writer_clear(&e->bytes);
    kz_put_header(e, &e->bytes);
    RP_TRY(error->status);
    RP_TRY(rp_sink_write(encoder->sink, e->bytes.data, e->bytes.size, error));
    for (unsigned i = 0; i < e->wire->section_count; i++) {
        kz_out *out = &e->out[e->wire->sections[i]];
        RP_TRY(kz_put_section(encoder->sink, out->spool, (uint32_t)out->size, out->count, error));
    }
    return REPRISE_OK;
}
