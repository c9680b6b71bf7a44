/*
 * read_ticks.c - the delta-masked records: ticks, commands, and the moves that follow
 * them in layout P.
 *
 * Records that are wholly in reach go through loops expanded from the lists of grammar.h; the last
 * few of a section, and everything in layout P, through the table engine, which checks every field.
 */
#include "expand.h"
#include "read.h"

RP_EXPAND_MASKED(read_top, kz_tick_top, KZ_TICK_TOP)
RP_EXPAND_MASKED(read_weapon, kz_tick_weapon, KZ_TICK_WEAPON)
RP_EXPAND_MASKED(read_movement, kz_movement, KZ_MOVEMENT)
RP_EXPAND_MASKED_BOTH(read_movements, kz_movement, KZ_MOVEMENT)
RP_EXPAND_MASKED(read_checkpoint, kz_checkpoint, KZ_CHECKPOINT)
#define GROUP_READER(member, T, LIST, label, loss) RP_EXPAND_MASKED(read_##member, T, LIST)
KZ_TICK_GROUPS(GROUP_READER)
RP_EXPAND_MASKED(read_command, kz_command, KZ_COMMAND)

#define GROUP_SIZE(member, T, LIST, label, loss) +RP_EXPAND_SIZE(LIST)
enum {
    TICK_SIZE_MAX = 8 + RP_EXPAND_SIZE(KZ_TICK_TOP) + RP_EXPAND_SIZE(KZ_TICK_WEAPON) +
                    2 * RP_EXPAND_SIZE(KZ_MOVEMENT) +
                    RP_EXPAND_SIZE(KZ_CHECKPOINT) KZ_TICK_GROUPS(GROUP_SIZE),
    COMMAND_SIZE_MAX = 8 + RP_EXPAND_SIZE(KZ_COMMAND),
    P_TICK_SIZE_MAX = 3 * 8 + TICK_SIZE_MAX + 4,
    P_CHECKPOINT_BIT = 10,
};

void kz_first_tick(const kz_wire *wire, kz_tick *ret_tick)
{
    *ret_tick = (kz_tick){.top = {.server_tick = UINT32_MAX}}; /* the first one is 0 if absent */
    ret_tick->post.move_type = KZ_MOVE_WALK;
    if (!wire->weapon_bit)
        ret_tick->held.weapon = -1;
}

void kz_first_command(kz_command *ret_command)
{
    *ret_command = (kz_command){.server_tick = UINT32_MAX, .game_time = -KZ_TICK_SECONDS};
}

uint64_t kz_tick_bits(const kz_wire *wire)
{
    uint64_t bits = rp_masked_bits(&kz_tick_top_record, 0) |
                    rp_masked_bits(&kz_movement_record, KZ_PRE_BIT) |
                    rp_masked_bits(&kz_movement_record, KZ_POST_BIT) |
                    rp_masked_bits(&kz_checkpoint_record, KZ_CHECKPOINT_BIT);
    if (wire->weapon_bit)
        bits |= rp_masked_bits(&kz_tick_weapon_record, wire->weapon_bit);
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        if (wire->group_bits[i])
            bits |= rp_masked_bits(kz_groups[i].record, wire->group_bits[i]);
    }
    return bits;
}

/* The presence bits of one group, whose fields may share change bits. */
#define FIELD_PRESENT(T, name, kind, tag, sub, doc) | (changed >> (tag)&1) << T##_F_##name
#define GROUP_PRESENT(member, T, LIST, label, loss)                                   \
    if (wire->group_bits[KZ_GROUP_##member]) {                                        \
        uint64_t changed = mask >> wire->group_bits[KZ_GROUP_##member] & T##_changes; \
        if (changed)                                                                  \
            present |= (0 LIST(FIELD_PRESENT, T)) << KZ_TICK_F_##member;              \
    }
#define FIELD_CHANGE(T, name, kind, tag, sub, doc) | UINT64_C(1) << (tag)
#define GROUP_CHANGES(member, T, LIST, label, loss) \
    static const uint64_t T##_changes = 0 LIST(FIELD_CHANGE, T);
KZ_TICK_GROUPS(GROUP_CHANGES)

/* Neighbouring bits that are neighbours on both sides are moved together. */
uint64_t kz_tick_present(const kz_wire *wire, uint64_t mask)
{
    enum { TOP = kz_tick_top_F_COUNT, BOTH = 2 * kz_movement_F_COUNT };
    uint64_t present = mask & ((UINT64_C(1) << TOP) - 1);
    present |= (mask >> KZ_PRE_BIT & ((UINT64_C(1) << BOTH) - 1)) << KZ_TICK_F_PRE;
    present |= (mask >> KZ_CHECKPOINT_BIT & 1) * 7 << KZ_TICK_F_CHECKPOINT;
    if (wire->weapon_bit)
        present |= (mask >> wire->weapon_bit & 1) << KZ_TICK_F_WEAPON;
    KZ_TICK_GROUPS(GROUP_PRESENT)
    return present;
}

/* ---- expanded ---- */

#define GROUP_COPY(member, T, LIST, label, loss) to->member = last->member;
#define GROUP_READ(member, T, LIST, label, loss) \
    if (wire->group_bits[KZ_GROUP_##member])     \
        at = read_##member(at, mask >> wire->group_bits[KZ_GROUP_##member], &to->member);

/* Reads one tick whose bytes are all in reach and gives where the next one begins. */
static inline const uint8_t *expand_tick(const uint8_t *at, const kz_wire *wire,
                                         const kz_tick *last, kz_tick *to, uint64_t *ret_mask)
{
    uint64_t mask = rp_load64(at);
    *ret_mask = mask;
    at += 8;
    to->top = last->top;
    to->held = last->held;
    to->checkpoint = last->checkpoint;
    KZ_TICK_GROUPS(GROUP_COPY)
    at = read_top(at, mask, &to->top);
    if (wire->weapon_bit)
        at = read_weapon(at, mask >> KZ_WEAPON_BIT, &to->held);
    to->pre = last->post;
    to->post = last->post;
    at = read_movements(at, mask >> KZ_PRE_BIT, &to->pre, &to->post);
    at = read_movement(at, mask >> KZ_POST_BIT, &to->post);
    at = read_checkpoint(at, mask >> KZ_CHECKPOINT_BIT, &to->checkpoint);
    KZ_TICK_GROUPS(GROUP_READ)
    return at;
}

/* The records at hand that are there for sure, whatever their masks: at most `max` of them. */
static size_t expand_ticks(kz_decoder *d, size_t max)
{
    rp_cursor c = rp_window_cursor(&d->reader.window);
    size_t before = c.left, count = 0;
    uint64_t bits = 0;
    kz_tick *tick = &d->ticks[d->count];
    uint64_t *mask = &d->masks[d->count];
    for (; count < max && c.left >= TICK_SIZE_MAX; count++, tick++) {
        const uint8_t *at = rp_cursor_past(&c, 0);
        const uint8_t *next = expand_tick(at, d->wire, tick, tick + 1, ++mask);
        bits |= *mask;
        rp_cursor_skip(&c, (size_t)(next - at));
    }
    d->unknown_bits |= bits;
    rp_window_skip(&d->reader.window, before - c.left);
    return count;
}

static size_t expand_commands(kz_decoder *d, size_t max)
{
    rp_cursor c = rp_window_cursor(&d->reader.window);
    size_t before = c.left, count = 0;
    uint64_t bits = 0;
    kz_command *command = &d->commands[d->count];
    uint64_t *mask = &d->masks[d->count];
    for (; count < max && c.left >= COMMAND_SIZE_MAX; count++, command++) {
        const uint8_t *at = rp_cursor_past(&c, 0);
        *++mask = rp_load64(at);
        command[1] = command[0];
        const uint8_t *next = read_command(at + 8, *mask, command + 1);
        bits |= *mask;
        rp_cursor_skip(&c, (size_t)(next - at));
    }
    d->unknown_bits |= bits;
    rp_window_skip(&d->reader.window, before - c.left);
    return count;
}

/* ---- by the table, field by field ---- */

static void read_tick(rp_reader *r, const kz_wire *wire, const kz_tick *last, kz_tick *to,
                      uint64_t *ret_mask)
{
    uint64_t mask = rp_u64(r, "flags");
    *to = *last;
    rp_masked_read(r, &kz_tick_top_record, mask, 0, &to->top);
    if (wire->weapon_bit)
        rp_masked_read(r, &kz_tick_weapon_record, mask, wire->weapon_bit, &to->held);
    to->pre = last->post;
    rp_masked_read(r, &kz_movement_record, mask, KZ_PRE_BIT, &to->pre);
    to->post = to->pre;
    rp_masked_read(r, &kz_movement_record, mask, KZ_POST_BIT, &to->post);
    rp_masked_read(r, &kz_checkpoint_record, mask, KZ_CHECKPOINT_BIT, &to->checkpoint);
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        if (wire->group_bits[i])
            rp_masked_read(r, kz_groups[i].record, mask, wire->group_bits[i],
                           (char *)to + kz_groups[i].offset);
    }
    *ret_mask = mask;
}

/* Layout P has three words of change bits, and the checkpoints before the movement. */
static void read_literal_tick(rp_reader *r, const kz_tick *last, kz_tick *to, uint64_t *ret_mask,
                              uint64_t *ret_unknown)
{
    uint64_t top = rp_u64(r, "topFlags"), pre = rp_u64(r, "preFlags"),
             post = rp_u64(r, "postFlags");
    uint64_t top_bits = rp_masked_bits(&kz_tick_top_record, 0);
    uint64_t move_bits = rp_masked_bits(&kz_movement_record, 0);
    *to = *last;
    rp_masked_read(r, &kz_tick_top_record, top, 0, &to->top);
    rp_masked_read(r, &kz_checkpoint_record, top, P_CHECKPOINT_BIT, &to->checkpoint);
    to->pre = last->post;
    rp_masked_read(r, &kz_movement_record, pre, 0, &to->pre);
    to->post = to->pre;
    rp_masked_read(r, &kz_movement_record, post, 0, &to->post);
    *ret_mask = (top & top_bits) | (pre & move_bits) << KZ_PRE_BIT |
                (post & move_bits) << KZ_POST_BIT |
                (top >> P_CHECKPOINT_BIT & 1) << KZ_CHECKPOINT_BIT;
    *ret_unknown = (top & ~top_bits & ~(UINT64_C(1) << P_CHECKPOINT_BIT)) |
                   ((pre | post) & ~move_bits);
}

static void read_table_command(rp_reader *r, const kz_command *last, kz_command *to,
                               uint64_t *ret_mask)
{
    *ret_mask = rp_u64(r, "flags");
    *to = *last;
    rp_masked_read(r, &kz_command_record, *ret_mask, 0, to);
}

/* ---- moves after their tick or command ---- */

/* Any number of them, bounded by the bytes that are really there. */
static reprise_status read_literal_moves(kz_decoder *d, reprise_error *error)
{
    enum { AT_ONCE = 1024 };
    RP_TRY(kz_section_reader_need(&d->reader, 4, error));
    rp_reader head = rp_window_reader(&d->reader.window, error);
    uint64_t left = rp_u32(&head, "move count");
    rp_window_skip(&d->reader.window, 4);
    if (left > kz_section_reader_left(&d->reader) / KZ_MOVE_SIZE)
        return kz_refuse(&d->reader, REPRISE_E_TRUNCATED, "truncated", error,
                         "%llu moves, %llu bytes left", (unsigned long long)left,
                         (unsigned long long)kz_section_reader_left(&d->reader));
    while (left) {
        size_t count = (size_t)RP_MIN(left, AT_ONCE);
        RP_TRY(kz_section_reader_need(&d->reader, count * KZ_MOVE_SIZE, error));
        rp_reader r = rp_window_reader(&d->reader.window, error);
        RP_TRY(kz_take_moves(d->base.replay->context, &d->literal, &r, count, error));
        rp_window_skip(&d->reader.window, count * KZ_MOVE_SIZE);
        left -= count;
    }
    return REPRISE_OK;
}

/* ---- one after the other ---- */

/* Reads one record field by field; running out of bytes is explained by the section. */
static reprise_status read_slowly(kz_decoder *d, size_t size_max, reprise_error *error)
{
    rp_window *window = &d->reader.window;
    RP_TRY(rp_window_fill(window, size_max, error));
    reprise_error failure = REPRISE_ERROR_INIT;
    rp_reader r = rp_window_reader(window, &failure);
    size_t before = rp_left(&r), slot = d->count + 1;
    uint64_t unknown = 0;
    if (d->reader.kind == KZ_SECTION_COMMANDS)
        read_table_command(&r, &d->commands[d->count], &d->commands[slot], &d->masks[slot]);
    else if (d->wire->in_place)
        read_literal_tick(&r, &d->ticks[d->count], &d->ticks[slot], &d->masks[slot], &unknown);
    else
        read_tick(&r, d->wire, &d->ticks[d->count], &d->ticks[slot], &d->masks[slot]);
    if (failure.status != REPRISE_OK)
        return kz_section_reader_need(&d->reader, before + 1, error);
    d->unknown_bits |= d->masks[slot];
    d->unknown_literal |= unknown;
    rp_window_skip(window, before - rp_left(&r));
    if (d->wire->in_place) {
        d->literal.start[d->count] = d->literal.count;
        RP_TRY(read_literal_moves(d, error));
    }
    d->count++;
    d->reader.next++;
    return REPRISE_OK;
}

/* The next record or records; at least one, unless something is wrong. */
static reprise_status read_some(kz_decoder *d, size_t max, reprise_error *error)
{
    bool commands = d->reader.kind == KZ_SECTION_COMMANDS;
    size_t size_max = commands ? COMMAND_SIZE_MAX : TICK_SIZE_MAX;
    if (d->wire->in_place)
        return read_slowly(d, commands ? COMMAND_SIZE_MAX : P_TICK_SIZE_MAX, error);
    RP_TRY(rp_window_fill(&d->reader.window, size_max, error));
    size_t count = commands ? expand_commands(d, max) : expand_ticks(d, max);
    d->count += count;
    d->reader.next += (uint32_t)count;
    return count ? REPRISE_OK : read_slowly(d, size_max, error);
}

reprise_status kz_read_records(kz_decoder *d, size_t max, reprise_error *error)
{
    enum { MOVES_AT_ONCE = 1 << 16 };
    d->count = 0;
    d->literal.count = 0;
    while (d->count < max && d->literal.count < MOVES_AT_ONCE && error->status == REPRISE_OK) {
        size_t moves = d->literal.count;
        if (read_some(d, max - d->count, error) != REPRISE_OK)
            d->literal.count = moves; /* an incomplete record has none */
    }
    d->literal.start[d->count] = d->literal.count;
    return error->status;
}
