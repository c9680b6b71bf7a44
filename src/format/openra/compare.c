/*
 * compare.c - two recordings of one match. Every player's game writes its own file: lobby, chat and
 * the order of packets differ, but what each client did in a frame and the sums over the world must
 * not. Frames are the same moments in both, so they are compared frame by frame.
 */
#include "openra.h"

/* What a file says about one frame. */
typedef struct frame {
    uint64_t orders; /* over the packets of all clients, in whatever order */
    uint64_t sync;   /* of the first client that told one */
    uint32_t clients;
    bool synced;
} frame;

typedef struct recording {
    ora_replay *replay;
    frame *frames; /* by number */
    size_t count;
    const char *game;
} recording;

typedef struct verdict {
    int32_t orders, sync; /* first frames that differ, 0 if none does */
    uint32_t orders_differ, sync_differ, compared, only_a, only_b;
    int32_t same_through;
} verdict;

static uint64_t digest(uint64_t start, rp_reader bytes)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325) ^ start;
    while (rp_left(&bytes))
        sum = (sum ^ rp_u8(&bytes, "byte")) * UINT64_C(0x100000001B3);
    return sum;
}

static void note_packet(recording *r, const ora_wire *packet)
{
    if (packet->frame <= 0 || (size_t)packet->frame >= r->count)
        return;
    frame *at = &r->frames[packet->frame];
    if (packet->kind == ORA_KIND_ORDERS) {
        at->orders += digest((uint64_t)(uint32_t)packet->client << 32, packet->payload);
        at->clients++;
    } else if (packet->kind == ORA_KIND_SYNC && !at->synced) {
        at->sync = digest(0, packet->payload);
        at->synced = true;
    }
}

static reprise_status read_frames(recording *r, reprise_error *error)
{
    /* Frames rise by one, so that there are no more of them than packets, give or take the start.
     */
    r->count = (size_t)r->replay->packet_count + 1024;
    r->frames = rp_alloc_zero(r->replay->base.context, r->count, sizeof *r->frames, error);
    if (!r->frames)
        return error->status;
    ora_cursor cursor;
    ora_wire packet;
    reprise_status status = ora_cursor_open(&cursor, r->replay, error);
    while (status == REPRISE_OK &&
           (status = ora_cursor_next(&cursor, &packet, error)) == REPRISE_OK)
        note_packet(r, &packet);
    ora_cursor_free(&cursor);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static verdict judge(const recording *a, const recording *b)
{
    verdict v = {0};
    for (size_t i = 1; i < a->count || i < b->count; i++) {
        const frame *x = i < a->count ? &a->frames[i] : NULL,
                    *y = i < b->count ? &b->frames[i] : NULL;
        bool in_a = x && x->clients, in_b = y && y->clients;
        v.only_a += in_a && !in_b;
        v.only_b += in_b && !in_a;
        if (!in_a || !in_b)
            continue;
        bool orders = x->orders == y->orders && x->clients == y->clients;
        bool sync = !x->synced || !y->synced || x->sync == y->sync;
        v.compared++;
        v.orders_differ += !orders;
        v.sync_differ += !sync;
        if (!orders && !v.orders)
            v.orders = (int32_t)i;
        if (!sync && !v.sync)
            v.sync = (int32_t)i;
        if (!v.orders && !v.sync)
            v.same_through = (int32_t)i;
    }
    return v;
}

static void tell(rp_doc *doc, reprise_value *match, const recording *a, const verdict *v)
{
    rp_set_text(doc, match, "game_uid", a->game);
    rp_set_uint(doc, match, "frames_compared", v->compared);
    rp_set_uint(doc, match, "frames_only_a", v->only_a);
    rp_set_uint(doc, match, "frames_only_b", v->only_b);
    rp_set_int(doc, match, "same_through_frame", v->same_through);
    rp_set_uint(doc, match, "frames_with_other_orders", v->orders_differ);
    rp_set_uint(doc, match, "frames_with_other_sync", v->sync_differ);
    if (v->orders)
        rp_set_int(doc, match, "first_other_orders", v->orders);
    if (v->sync)
        rp_set_int(doc, match, "first_other_sync", v->sync);
}

static recording recording_of(rp_replay *base)
{
    ora_replay *replay = (ora_replay *)base;
    const reprise_value *settings = rp_get(replay->lobby, "GlobalSettings");
    return (recording){.replay = replay,
                       .game = reprise_value_text(rp_get(settings, "GameUid"), NULL)};
}

reprise_status ora_compare(rp_replay *left, rp_replay *right, rp_doc *doc, reprise_value *match,
                           reprise_error *error)
{
    recording a = recording_of(left), b = recording_of(right);
    if (!a.game || !b.game || strcmp(a.game, b.game) != 0)
        return REPRISE_OK;
    reprise_status status = read_frames(&a, error);
    if (status == REPRISE_OK)
        status = read_frames(&b, error);
    if (status == REPRISE_OK) {
        verdict v = judge(&a, &b);
        tell(doc, match, &a, &v);
    }
    rp_free(left->context, a.frames, a.count * sizeof *a.frames);
    rp_free(right->context, b.frames, b.count * sizeof *b.frames);
    return status;
}
