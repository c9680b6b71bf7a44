/*
 * read_moves.c - the moves inside ticks and commands: entries of a fixed size, nearly all of it
 * unused.
 *
 * Unpacking them takes longer than everything else in a recording, so they may be read ahead by a
 * thread of their own. Only the moves in use are kept.
 */
#include "read.h"

enum { STEPS_AHEAD = 8 };

/* The entries of one step: as many as the step has ticks. */
typedef struct step {
    kz_moves moves;
    size_t entries;               /* complete ones */
    bool clamped;                 /* some announce more moves than there are slots */
    uint32_t announced[KZ_BATCH]; /* moves of each */
    reprise_error damage;         /* after the last complete one */
} step;

struct kz_entries {
    rp_context *context;
    kz_section_reader reader;
    rp_prefetch *relay;
    step steps[STEPS_AHEAD];
};

static reprise_status room_for_moves(rp_context *context, kz_moves *moves, size_t more,
                                     reprise_error *error)
{
    if (more <= moves->capacity - moves->count)
        return REPRISE_OK;
    kz_move *items = rp_grow(context, moves->items, moves->count + more, &moves->capacity,
                             sizeof *items, error);
    if (!items)
        return error->status;
    moves->items = items;
    return REPRISE_OK;
}

/* Copies moves into the list; the caller has made room for them. */
static inline void copy_moves(kz_moves *moves, const uint8_t *at, size_t count)
{
    if (!moves->items) /* no room was made, so there is nothing to copy */
        return;
    kz_move *to = moves->items + moves->count;
    for (size_t i = 0; i < count; i++, at += KZ_MOVE_SIZE) {
        to[i].when = rp_load_f32(at);
        to[i].button = rp_load32(at + 4);
        memcpy(to[i].data, at + 8, sizeof to[i].data);
    }
    moves->count += count;
}

reprise_status kz_take_moves(rp_context *context, kz_moves *moves, rp_reader *r, size_t count,
                             reprise_error *error)
{
    RP_TRY(room_for_moves(context, moves, count, error));
    const uint8_t *at = rp_take(r, count * KZ_MOVE_SIZE, "moves");
    if (at)
        copy_moves(moves, at, count);
    return error->status;
}

void kz_moves_free(rp_context *context, kz_moves *moves)
{
    rp_free(context, moves->items, moves->capacity * sizeof *moves->items);
}

/* ---- filling a step ---- */

/* Adds an entry and returns how many of its moves are stored. */
static inline uint32_t begin_entry(step *to, uint32_t announced, uint32_t slots)
{
    to->moves.start[to->entries] = to->moves.count;
    to->announced[to->entries] = announced;
    to->clamped = to->clamped || announced > slots;
    return RP_MIN(announced, slots);
}

/* An entry that may span pieces of the stream, or be cut short. */
static reprise_status read_entry(kz_entries *e, step *to, reprise_error *error)
{
    uint32_t slots = e->reader.replay->wire->slots;
    rp_reader r;
    RP_TRY(kz_section_reader_read(&e->reader, 4, &r, error));
    uint32_t count = begin_entry(to, rp_u32(&r, "count"), slots);
    if (count) {
        RP_TRY(kz_section_reader_read(&e->reader, count * KZ_MOVE_SIZE, &r, error));
        RP_TRY(kz_take_moves(e->context, &to->moves, &r, count, error));
    }
    return kz_section_reader_skip(&e->reader, (slots - count) * KZ_MOVE_SIZE, error);
}

/* The entries that are completely in the piece at hand. */
static void read_entries(kz_entries *e, step *to, size_t wanted, reprise_error *error)
{
    uint32_t slots = e->reader.replay->wire->slots;
    size_t size = 4 + (size_t)slots * KZ_MOVE_SIZE, before = to->entries;
    rp_cursor c = rp_skip_reader_cursor(&e->reader.skip_reader);
    for (; to->entries < wanted; to->entries++) {
        const uint8_t *at = rp_cursor_take(&c, size);
        if (!at)
            break;
        uint32_t count = begin_entry(to, rp_load32(at), slots);
        if (count > to->moves.capacity - to->moves.count &&
            room_for_moves(e->context, &to->moves, count, error) != REPRISE_OK)
            break;
        copy_moves(&to->moves, at + 4, count);
    }
    size_t read = to->entries - before;
    e->reader.next += (uint32_t)read;
    (void)rp_skip_reader_skip(&e->reader.skip_reader, read * size, error); /* all of it is there */
}

static bool fill(void *ctx, void *slot)
{
    kz_entries *e = ctx;
    step *to = slot;
    reprise_error *damage = &to->damage;
    rp_error_clear(damage);
    to->moves.count = 0;
    to->clamped = false;
    to->entries = 0;
    size_t wanted = RP_MIN(e->reader.section->count - e->reader.next, (uint32_t)KZ_BATCH);
    while (to->entries < wanted && damage->status == REPRISE_OK) {
        read_entries(e, to, wanted, damage);
        if (to->entries == wanted || damage->status != REPRISE_OK)
            break;
        size_t before = to->moves.count;
        if (read_entry(e, to, damage) != REPRISE_OK) {
            to->moves.count = before;
            break;
        }
        to->entries++;
        e->reader.next++;
    }
    to->moves.start[to->entries] = to->moves.count;
    return damage->status == REPRISE_OK && e->reader.next < e->reader.section->count;
}

/* ---- reading ---- */

reprise_status kz_entries_open(kz_replay *replay, kz_section_kind kind, kz_entries **ret_entries,
                               reprise_error *error)
{
    rp_context *context = replay->base.context;
    kz_entries *e = rp_alloc_zero(context, 1, sizeof *e, error);
    if (!e)
        return error->status;
    e->context = context;
    reprise_status status = kz_section_reader_open(replay, kind, &e->reader, error);
    if (status == REPRISE_OK)
        status = rp_prefetch_open(context, fill, e, e->steps, sizeof *e->steps, STEPS_AHEAD,
                                  &e->relay, error);
    if (status != REPRISE_OK) {
        kz_entries_close(e);
        return status;
    }
    *ret_entries = e;
    return REPRISE_OK;
}

void kz_entries_close(kz_entries *e)
{
    if (!e)
        return;
    rp_prefetch_close(e->relay);
    kz_section_reader_close(&e->reader);
    for (size_t i = 0; i < STEPS_AHEAD; i++)
        kz_moves_free(e->context, &e->steps[i].moves);
    rp_free(e->context, e, sizeof *e);
}

static void note_clamped(const kz_entries *e, rp_findings *findings, const step *from,
                         uint32_t first)
{
    size_t slots = e->reader.replay->wire->slots, size = 4 + slots * KZ_MOVE_SIZE;
    for (size_t i = 0; from->clamped && i < from->entries; i++) {
        if (from->announced[i] > slots)
            rp_note(findings, KZ_FINDING(SUBTICK_CLAMPED), e->reader.skip_reader.name,
                    (first + i) * size, kz_section_names[e->reader.kind],
                    "%u moves announced, %zu are stored", from->announced[i], slots);
    }
}

size_t kz_entries_next(kz_entries *e, rp_findings *findings, uint32_t first, size_t count,
                       const kz_moves **ret_moves, reprise_error *error)
{
    const step *from = rp_prefetch_next(e->relay);
    if (!from)
        return 0;
    note_clamped(e, findings, from, first);
    *ret_moves = &from->moves;
    if (from->entries < count && error->status == REPRISE_OK)
        *error = from->damage;
    return RP_MIN(from->entries, count);
}

reprise_status kz_entries_finish(kz_entries *e, reprise_error *error)
{
    rp_prefetch_close(e->relay);
    e->relay = NULL;
    return kz_section_reader_finish(&e->reader, error);
}
