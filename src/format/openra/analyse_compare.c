/*
 * analyse_compare.c - compares two recordings of one match.
 *
 * Every player's game writes its own file. Lobby, chat and the order of packets differ between
 * them, but what each client did in a frame and the sums over the world must not. Files are
 * compared frame by frame and client by client; analyse_compare_list.c lists the orders that
 * differ.
 */
#include "analyse_compare.h"

#include <stdlib.h>

/* Equal for orders of the same meaning, whichever dialect stores them. */
static uint64_t digest_fields(const ora_order *order, rp_writer *text)
{
    const rp_record *record = ora_tracks[ORA_ORDERS].parts[0].record;
    rp_writer_clear(text);
    for (size_t i = 0; i < record->count; i++) {
        if (i == ora_order_F_packet || i == ora_order_F_raw || i == ora_order_F_type)
            continue;
        rp_field_json(text, &record->fields[i], order);
        rp_put_u8(text, ',');
    }
    return ora_digest(ORA_DIGEST_START, text->data, text->size);
}

uint64_t ora_order_digest(ora_recording *r, const ora_order *order)
{
    return r->same_dialect ? ora_digest(ORA_DIGEST_START, order->raw.data, order->raw.size)
                           : digest_fields(order, &r->text);
}

/* ---- reading ---- */

static void add_turn(ora_turns *to, ora_turn turn)
{
    if (to->count < to->capacity)
        to->items[to->count++] = turn;
}

static void note_packet(ora_recording *r, const ora_packet *packet)
{
    if (packet->kind == ORA_KIND_ORDERS && packet->frame > 0) {
        r->open.frame = packet->frame;
        r->open.client = packet->client;
        r->open.packet = packet->packet;
        if (packet->damaged)
            r->open.sum = ora_digest(r->open.sum, packet->raw.data, packet->raw.size);
        add_turn(&r->turns, r->open);
    }
    r->open = (ora_turn){.sum = ORA_DIGEST_START};
}

/* Sums of an archive's list belong to no client and say less than those of packets. */
static void note_sync(ora_recording *r, const ora_sync *sync)
{
    if (ora_has_list(r->replay))
        return;
    uint64_t sum = (uint32_t)sync->hash;
    if (r->same_dialect) /* older dialects do not store who has lost */
        sum = ora_digest(sum, &sync->defeat, sizeof sync->defeat);
    add_turn(&r->sums,
             (ora_turn){
                 .frame = sync->frame, .client = sync->client, .packet = sync->packet, .sum = sum});
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    ora_recording *r = ctx;
    if (row->track == ORA_PACKETS) {
        note_packet(r, row->data);
    } else if (row->track == ORA_SYNCS) {
        note_sync(r, row->data);
    } else if (((const ora_order *)row->data)->frame > 0) {
        uint64_t sum = ora_order_digest(r, row->data);
        r->open.sum = ora_digest(r->open.sum, &sum, sizeof sum);
        r->open.orders++;
    } else {
        ora_note_immediate(r, row);
    }
    return error->status;
}

static int by_frame(const void *left, const void *right)
{
    const ora_turn *a = left, *b = right;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    if (a->client != b->client)
        return a->client < b->client ? -1 : 1;
    return (a->packet > b->packet) - (a->packet < b->packet);
}

/* One entry per client and frame: a second packet is added to the first. */
static void settle(ora_turns *turns)
{
    size_t kept = 0;
    if (turns->count)
        qsort(turns->items, turns->count, sizeof *turns->items, by_frame);
    for (size_t i = 0; i < turns->count; i++) {
        ora_turn *last = kept ? &turns->items[kept - 1] : NULL;
        const ora_turn *one = &turns->items[i];
        if (last && last->frame == one->frame && last->client == one->client) {
            last->sum = ora_digest(last->sum, &one->sum, sizeof one->sum);
            last->orders += one->orders;
        } else {
            turns->items[kept++] = *one;
        }
    }
    turns->count = kept;
}

static reprise_status make_room(ora_turns *turns, rp_context *context, uint32_t capacity,
                                reprise_error *error)
{
    turns->items = rp_alloc_zero(context, (size_t)capacity + 1, sizeof *turns->items, error);
    turns->capacity = turns->items ? capacity : 0;
    return error->status;
}

static reprise_status read_recording(ora_recording *r, reprise_error *error)
{
    rp_context *context = r->replay->base.context;
    rp_writer_init(&r->text, context, SIZE_MAX / 2, error);
    RP_TRY(make_room(&r->turns, context, r->replay->kinds[ORA_KIND_ORDERS], error));
    RP_TRY(make_room(&r->sums, context, r->replay->kinds[ORA_KIND_SYNC], error));
    r->open = (ora_turn){.sum = ORA_DIGEST_START};
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_PACKETS |
                                        UINT64_C(1) << ORA_SYNCS};
    RP_TRY(rp_each_row(&r->replay->base, selection, note_row, r, error));
    settle(&r->turns);
    settle(&r->sums);
    return error->status;
}

static void free_recording(ora_recording *r)
{
    rp_context *context = r->replay->base.context;
    if (r->turns.items)
        rp_free(context, r->turns.items, (r->turns.capacity + (size_t)1) * sizeof *r->turns.items);
    if (r->sums.items)
        rp_free(context, r->sums.items, (r->sums.capacity + (size_t)1) * sizeof *r->sums.items);
    if (r->text.context)
        rp_writer_free(&r->text);
}

/* ---- comparing ---- */

/* How many turns belong to the frame at `at`. */
static size_t frame_size(const ora_turns *turns, size_t at)
{
    size_t end = at;
    while (end < turns->count && turns->items[end].frame == turns->items[at].frame)
        end++;
    return end - at;
}

typedef struct pair {
    const ora_turn *a, *b;
    size_t a_count, b_count;
} pair;

/* Advances to the next frame that either recording has. */
static bool next_frame(const ora_turns *a, size_t *at_a, const ora_turns *b, size_t *at_b,
                       pair *ret_pair)
{
    bool has_a = *at_a < a->count, has_b = *at_b < b->count;
    if (!has_a && !has_b)
        return false;
    int32_t frame_a = has_a ? a->items[*at_a].frame : INT32_MAX;
    int32_t frame_b = has_b ? b->items[*at_b].frame : INT32_MAX;
    *ret_pair = (pair){.a = a->items + *at_a, .b = b->items + *at_b};
    if (has_a && frame_a <= frame_b)
        ret_pair->a_count = frame_size(a, *at_a);
    if (has_b && frame_b <= frame_a)
        ret_pair->b_count = frame_size(b, *at_b);
    *at_a += ret_pair->a_count;
    *at_b += ret_pair->b_count;
    return true;
}

static void note_turn(ora_verdict *v, const ora_turn *turn)
{
    v->turns_differ++;
    if (v->listed_count < ORA_TURNS_LISTED)
        v->listed[v->listed_count++] = *turn;
}

/* Returns whether all clients did the same in a frame; notes the turns that differ. */
static bool same_turns(ora_verdict *v, const pair *p)
{
    size_t i = 0, k = 0;
    uint64_t before = v->turns_differ;
    while (i < p->a_count || k < p->b_count) {
        const ora_turn *a = i < p->a_count ? &p->a[i] : NULL;
        const ora_turn *b = k < p->b_count ? &p->b[k] : NULL;
        bool step_a = a && (!b || a->client <= b->client);
        bool step_b = b && (!a || b->client <= a->client);
        if (!step_a || !step_b || a->sum != b->sum || a->orders != b->orders)
            note_turn(v, step_a ? a : b);
        i += step_a;
        k += step_b;
    }
    return v->turns_differ == before;
}

/* Compares sums of the same client. Without a common client, the first sums of both. */
static bool same_sums(const pair *p)
{
    bool common = false;
    for (size_t i = 0; i < p->a_count; i++) {
        for (size_t k = 0; k < p->b_count; k++) {
            if (p->a[i].client != p->b[k].client)
                continue;
            common = true;
            if (p->a[i].sum != p->b[k].sum)
                return false;
        }
    }
    return common || p->a[0].sum == p->b[0].sum;
}

static void compare_orders(const ora_recording *a, const ora_recording *b, ora_verdict *v)
{
    pair p;
    for (size_t i = 0, k = 0; next_frame(&a->turns, &i, &b->turns, &k, &p);) {
        v->only_a += !p.b_count;
        v->only_b += !p.a_count;
        if (!p.a_count || !p.b_count)
            continue;
        bool same = same_turns(v, &p);
        v->compared++;
        v->orders_differ += !same;
        if (!same && !v->orders)
            v->orders = p.a->frame;
        if (!v->orders)
            v->same_through = p.a->frame;
    }
}

static void compare_sums(const ora_recording *a, const ora_recording *b, ora_verdict *v)
{
    pair p;
    for (size_t i = 0, k = 0; next_frame(&a->sums, &i, &b->sums, &k, &p);) {
        if (!p.a_count || !p.b_count || same_sums(&p))
            continue;
        v->sync_differ++;
        if (!v->sync)
            v->sync = p.a->frame;
    }
    if (v->sync)
        v->same_through = RP_MIN(v->same_through, v->sync - 1);
}

/* ---- the document ---- */

static void set_numbers(rp_doc *doc, reprise_value *match, const ora_recording *a,
                        const ora_verdict *v)
{
    rp_set_text(doc, match, "game_uid", a->game);
    rp_set_bool(doc, match, "same", v->same);
    rp_set_bool(doc, match, "same_play", v->same_play);
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

static ora_recording recording_of(rp_replay *base, rp_doc *doc)
{
    ora_replay *replay = (ora_replay *)base;
    const reprise_value *settings = rp_get(replay->lobby, "GlobalSettings");
    return (ora_recording){.replay = replay,
                           .doc = doc,
                           .said = rp_new_array(doc),
                           .game = rp_get_text(settings, "GameUid")};
}

static reprise_status compare(ora_recording *a, ora_recording *b, rp_doc *doc, reprise_value *match,
                              reprise_error *error)
{
    RP_TRY(ora_settle_dialect(a->replay, error));
    RP_TRY(ora_settle_dialect(b->replay, error));
    a->same_dialect = b->same_dialect = a->replay->dialect == b->replay->dialect;
    RP_TRY(read_recording(a, error));
    RP_TRY(read_recording(b, error));
    ora_verdict *v = rp_arena_alloc(doc->arena, sizeof *v, error);
    if (!v)
        return error->status;
    compare_orders(a, b, v);
    compare_sums(a, b, v);
    const reprise_value *said = ora_list_immediate(doc, a, b);
    v->same_play = !v->only_a && !v->only_b && !v->orders_differ && !v->sync_differ;
    v->same = v->same_play && !reprise_value_count(said);
    set_numbers(doc, match, a, v);
    ora_list_clients(doc, match, a, b);
    RP_TRY(ora_list_turns(doc, match, a, b, v, error));
    rp_set(doc, match, "said", rp_copy(doc, said));
    return error->status;
}

reprise_status ora_compare(rp_replay *left, rp_replay *right, rp_doc *doc, reprise_value *match,
                           reprise_error *error)
{
    ora_recording a = recording_of(left, doc), b = recording_of(right, doc);
    if (!a.game || !b.game || strcmp(a.game, b.game) != 0)
        return REPRISE_OK;
    reprise_status status = compare(&a, &b, doc, match, error);
    free_recording(&a);
    free_recording(&b);
    return status;
}
