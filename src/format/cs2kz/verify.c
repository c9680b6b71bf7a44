/*
 * verify.c - what decoding everything does not check, and digests of the decoded content.
 *
 * Digests are taken over packed little-endian records without padding or noise, the same for every
 * layout, so that two files can be compared whatever they are written in.
 */
#include <math.h>

#include "cs2kz.h"
#include "hash.h"

typedef enum digest_kind {
    DIGEST_TICKS,
    DIGEST_SUBTICKS,
    DIGEST_WEAPONS,
    DIGEST_WEAPON_EVENTS,
    DIGEST_JUMPS,
    DIGEST_EVENTS,
    DIGEST_COMMANDS,
    DIGEST_COMMAND_SUBTICKS,
    DIGEST_COUNT
} digest_kind;

static const char *const digest_names[DIGEST_COUNT] = {
    [DIGEST_TICKS] = "ticks",       [DIGEST_SUBTICKS] = "subticks",
    [DIGEST_WEAPONS] = "weapons",   [DIGEST_WEAPON_EVENTS] = "weapon_events",
    [DIGEST_JUMPS] = "jumps",       [DIGEST_EVENTS] = "events",
    [DIGEST_COMMANDS] = "commands", [DIGEST_COMMAND_SUBTICKS] = "command_subticks",
};

typedef struct digest {
    rp_sha256 *hash;
    uint64_t size, count;
} digest;

typedef struct kz_checker {
    digest digests[DIGEST_COUNT];
    rp_writer packed;
    reprise_error error; /* of the writer */
    bool complete;
} checker;

static void add(checker *c, digest_kind kind, uint64_t count)
{
    rp_sha256_update(c->digests[kind].hash, c->packed.data, c->packed.size);
    c->digests[kind].size += c->packed.size;
    c->digests[kind].count += count;
    rp_writer_clear(&c->packed);
}

static void pack(checker *c, const rp_record *record, const void *row)
{
    rp_plain_write(&c->packed, record, NULL, record->count, row);
}

/* All fields up to the first that is not plain. */
static void pack_first(checker *c, const rp_record *record, size_t count, const void *row)
{
    rp_plain_write(&c->packed, record, NULL, count, row);
}

/* A length of one or two bytes, then the text. */
static void pack_text(checker *c, rp_text text, unsigned width)
{
    if (width == 1)
        rp_put_u8(&c->packed, (uint8_t)text.size);
    else
        rp_put_u16(&c->packed, (uint16_t)text.size);
    rp_put(&c->packed, text.data, text.size);
}

/* ---- records ---- */

static void pack_tick(checker *c, const kz_tick *tick)
{
    const rp_track *track = &kz_tracks[KZ_TICKS];
    for (size_t i = 0; i < track->part_count; i++)
        pack(c, track->parts[i].record, (const char *)tick + track->parts[i].offset);
}

static void pack_move(checker *c, const kz_move *move)
{
    rp_put_f32(&c->packed, move->when);
    rp_put_u32(&c->packed, move->button);
    rp_put(&c->packed, move->data, sizeof move->data);
}

static void pack_weapon(checker *c, const kz_weapon_row *weapon)
{
    rp_put_u32(&c->packed, (uint32_t)weapon->weapon.number);
    pack_first(c, &kz_item_record, kz_item_F_custom_name, &weapon->item);
    pack_text(c, weapon->item.custom_name, 1);
    pack_text(c, weapon->item.custom_name_override, 1);
    rp_put_u32(&c->packed, (uint32_t)weapon->weapon.attribute_count);
}

static void pack_event(checker *c, const rp_row *row)
{
    static const uint8_t groups[] = {kz_event_F_origin, kz_event_F_angles, kz_event_F_velocity};
    const kz_event *event = row->data;
    rp_put_u32(&c->packed, event->type);
    rp_put_u32(&c->packed, (uint32_t)row->index);
    switch (event->type) {
    case KZ_EVENT_TIMER:
        rp_put_u32(&c->packed, (uint32_t)event->timer);
        rp_put_u32(&c->packed, (uint32_t)event->number);
        rp_put_f32(&c->packed, event->run_time);
        break;
    case KZ_EVENT_MODE:
    case KZ_EVENT_STYLE:
        pack_text(c, event->name, 1);
        pack_text(c, event->md5, 1);
        if (event->type == KZ_EVENT_STYLE)
            rp_put_u8(&c->packed, event->clear_styles);
        break;
    case KZ_EVENT_TELEPORT:
        rp_put_u8(&c->packed, event->has_origin);
        rp_put_u8(&c->packed, event->has_angles);
        rp_put_u8(&c->packed, event->has_velocity);
        for (size_t i = 0; i < RP_COUNT(groups); i++) {
            if (row->present >> groups[i] & 1)
                rp_plain_write(&c->packed, &kz_event_record, &groups[i], 1, event);
        }
        break;
    default:
        rp_put(&c->packed, event->data.data, event->data.size);
    }
}

/* ---- batches ---- */

static size_t count_rows(const rp_batch *batch, uint32_t track)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++)
        count += batch->rows[i].track == track;
    return count;
}

/* The moves of each tick or command, also of those that have none. */
static void digest_moves(checker *c, const rp_batch *batch, uint32_t records, uint32_t track,
                         digest_kind kind)
{
    size_t count = count_rows(batch, records);
    uint32_t first = (uint32_t)c->digests[kind].count;
    size_t at = 0;
    while (at < batch->count && batch->rows[at].track != track)
        at++;
    for (uint32_t i = 0; i < count; i++) {
        size_t end = at;
        while (end < batch->count && batch->rows[end].object == first + i)
            end++;
        rp_put_u32(&c->packed, (uint32_t)(end - at));
        for (; at < end; at++)
            pack_move(c, batch->rows[at].data);
    }
    add(c, kind, count);
}

/* One jump per batch, with all that belongs to it. */
static void digest_jump(checker *c, const rp_batch *batch)
{
    const rp_row *rows = batch->rows;
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_JUMPS) {
            const kz_jump *jump = rows[i].data;
            pack_first(c, &kz_jump_record, kz_jump_F_invalid_reason, jump);
            pack_text(c, jump->invalid_reason, 2);
        }
    }
    rp_put_u32(&c->packed, (uint32_t)count_rows(batch, KZ_STRAFES));
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_STRAFES)
            pack(c, &kz_strafe_record, &((const kz_strafe_row *)rows[i].data)->strafe);
    }
    rp_put_u32(&c->packed, (uint32_t)count_rows(batch, KZ_AIRCALLS));
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_AIRCALLS)
            pack(c, &kz_aircall_record, rows[i].data);
    }
    add(c, DIGEST_JUMPS, 1);
}

static void digest_row(checker *c, const rp_row *row)
{
    switch (row->track) {
    case KZ_TICKS:
        pack_tick(c, row->data);
        add(c, DIGEST_TICKS, 1);
        break;
    case KZ_WEAPONS:
        pack_weapon(c, row->data);
        add(c, DIGEST_WEAPONS, 1);
        break;
    case KZ_WEAPON_ATTRIBUTES:
        pack(c, &kz_attribute_record, &((const kz_attribute_row *)row->data)->attribute);
        add(c, DIGEST_WEAPONS, 0);
        break;
    case KZ_WEAPON_EVENTS:
        rp_put_u32(&c->packed, (uint32_t)row->index);
        rp_put_u16(&c->packed, (uint16_t)((const kz_weapon_event *)row->data)->weapon);
        add(c, DIGEST_WEAPON_EVENTS, 1);
        break;
    case KZ_EVENTS:
        pack_event(c, row);
        add(c, DIGEST_EVENTS, 1);
        break;
    case KZ_COMMANDS:
        pack(c, &kz_command_record, row->data);
        add(c, DIGEST_COMMANDS, 1);
        break;
    default:
        break;
    }
}

static void digest_batch(checker *c, const rp_batch *batch)
{
    if (!batch->count)
        return;
    uint32_t track = batch->rows[0].track;
    if (track == KZ_JUMPS) {
        digest_jump(c, batch);
        return;
    }
    for (size_t i = 0; i < batch->count; i++)
        digest_row(c, &batch->rows[i]);
    if (track == KZ_TICKS)
        digest_moves(c, batch, KZ_TICKS, KZ_SUBTICKS, DIGEST_SUBTICKS);
    if (track == KZ_COMMANDS)
        digest_moves(c, batch, KZ_COMMANDS, KZ_COMMAND_SUBTICKS, DIGEST_COMMAND_SUBTICKS);
}

void kz_verify_free(kz_replay *replay)
{
    checker *c = replay->checker;
    if (!c)
        return;
    for (size_t i = 0; i < DIGEST_COUNT; i++)
        rp_sha256_free(c->digests[i].hash);
    rp_writer_free(&c->packed);
    rp_free(replay->base.context, c, sizeof *c);
    replay->checker = NULL;
}

reprise_status kz_verify_begin(rp_replay *base, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    kz_verify_free(replay);
    checker *c = rp_alloc_zero(base->context, 1, sizeof *c, error);
    if (!c)
        return error->status;
    replay->checker = c;
    c->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&c->packed, base->context, SIZE_MAX / 2, &c->error);
    for (size_t i = 0; i < DIGEST_COUNT && !base->context->no_digests; i++)
        RP_TRY(rp_sha256_new(base->context, &c->digests[i].hash, error));
    return REPRISE_OK;
}

void kz_verify_batch(rp_replay *base, const rp_batch *batch)
{
    checker *c = ((kz_replay *)base)->checker;
    if (!batch)
        c->complete = true;
    else if (!base->context->no_digests)
        digest_batch(c, batch);
}

static void show_digests(checker *c, rp_doc *doc, reprise_value *summary)
{
    reprise_value *digests = rp_set_object(doc, summary, "digests");
    for (size_t i = 0; i < DIGEST_COUNT; i++) {
        uint8_t bytes[RP_SHA256_SIZE];
        rp_sha256_final(c->digests[i].hash, bytes);
        reprise_value *one = rp_set_object(doc, digests, digest_names[i]);
        rp_set_uint(doc, one, "count", c->digests[i].count);
        rp_set_uint(doc, one, "size", c->digests[i].size);
        rp_set(doc, one, "sha256", rp_new_hex(doc, bytes, sizeof bytes));
    }
}

/* The time in the header must agree with the end event and the ticks of the run. */
static reprise_status check_run(kz_replay *replay, reprise_error *error)
{
    const kz_run *run = replay->header.run;
    RP_TRY(kz_find_run(replay, error));
    if (replay->header.type != KZ_TYPE_RUN || !run)
        return REPRISE_OK;
    if (!replay->run.known) {
        rp_note(&replay->base.findings, KZ_FINDING(NO_RUN), "zstd:events", 0, "events",
                "no timer start and end, though the header speaks of a run");
        return REPRISE_OK;
    }
    double ticks = kz_run_time_at(&replay->run, replay->run.end_tick);
    if (!(fabs(ticks - (double)run->time) <= 1.5 * (double)KZ_TICK_SECONDS))
        rp_note(&replay->base.findings, KZ_FINDING(RUN_TIME), "file", 0, "run.time",
                "header says %g seconds, the ticks of the run %g", (double)run->time, ticks);
    return REPRISE_OK;
}

reprise_status kz_verify(rp_replay *base, rp_doc *doc, reprise_value *summary, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    checker *c = replay->checker;
    rp_set_uint(doc, summary, "trailing_bytes", replay->trailing);
    reprise_status status = REPRISE_OK;
    if (c->error.status != REPRISE_OK) {
        *error = c->error;
        status = error->status;
    } else if (c->complete) {
        if (!base->context->no_digests)
            show_digests(c, doc, summary);
        status = check_run(replay, error);
    }
    kz_verify_free(replay);
    return status;
}
