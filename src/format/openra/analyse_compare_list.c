/*
 * analyse_compare_list.c - lists what differs between two recordings of one match: orders, chat,
 * and the number of orders of each client.
 */
#include "analyse_compare.h"

enum {
    SAID_MAX = 10000,
    SHOWN_MAX = 4096, /* orders of a recording in turns that differ */
    CLIENTS_MAX = 256,
};

static void name_client(rp_doc *doc, reprise_value *entry, const ora_replay *replay, int32_t client)
{
    const char *name = ora_client_name(replay, client);
    rp_set_int(doc, entry, "client", client);
    if (name)
        rp_set_text(doc, entry, "name", name);
}

static void set_text(rp_doc *doc, reprise_value *to, const char *key, const rp_text *text)
{
    rp_set(doc, to, key, rp_new_text_n(doc, text->data, text->size));
}

/* ---- what was said ---- */

void ora_note_immediate(ora_recording *r, const rp_row *row)
{
    const ora_order *order = row->data;
    bool chat = ora_is(&order->order, "Chat") || ora_is(&order->order, "TeamChat");
    if ((!chat && !ora_is(&order->order, "PauseGame")) || reprise_value_count(r->said) >= SAID_MAX)
        return;
    reprise_value *entry = rp_push_object(r->doc, r->said);
    rp_set_f64(r->doc, entry, "time", row->time);
    name_client(r->doc, entry, r->replay, order->client);
    set_text(r->doc, entry, "order", &order->order);
    set_text(r->doc, entry, "text", &order->item);
}

/* The time of arrival depends on the recorder, so only sender and text are compared. */
static bool same_said(const reprise_value *a, const reprise_value *b)
{
    static const char *const texts[] = {"order", "text"};
    if (reprise_value_int(rp_get(a, "client"), 0) != reprise_value_int(rp_get(b, "client"), 0))
        return false;
    for (size_t i = 0; i < RP_COUNT(texts); i++) {
        size_t size = 0, other_size = 0;
        const char *text = reprise_value_text(rp_get(a, texts[i]), &size);
        const char *other = reprise_value_text(rp_get(b, texts[i]), &other_size);
        if (size != other_size || (size && memcmp(text, other, size) != 0))
            return false;
    }
    return true;
}

/* How many entries equal to the one at `index` precede it. */
static size_t count_said(const reprise_value *list, size_t end, const reprise_value *one)
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++)
        count += same_said(reprise_value_at(list, i), one);
    return count;
}

static void add_only(rp_doc *doc, reprise_value *to, const char *in, const reprise_value *from,
                     const reprise_value *other)
{
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const reprise_value *one = reprise_value_at(from, i);
        if (count_said(from, i + 1, one) <= count_said(other, reprise_value_count(other), one))
            continue;
        reprise_value *entry = rp_push_object(doc, to);
        rp_set_text(doc, entry, "in", in);
        for (size_t k = 0; k < reprise_value_count(one); k++)
            rp_set(doc, entry, reprise_value_key(one, k), rp_copy(doc, reprise_value_at(one, k)));
    }
}

const reprise_value *ora_list_immediate(rp_doc *doc, const ora_recording *a, const ora_recording *b)
{
    reprise_value *list = rp_new_array(doc);
    add_only(doc, list, "first", a->said, b->said);
    add_only(doc, list, "second", b->said, a->said);
    return list;
}

/* ---- clients ---- */

typedef struct client {
    int32_t id;
    uint64_t orders[2];
} client;

static void count_orders(client *clients, size_t *count, const ora_turns *turns, size_t side)
{
    for (size_t i = 0; i < turns->count; i++) {
        const ora_turn *turn = &turns->items[i];
        size_t k = 0;
        while (k < *count && clients[k].id != turn->client)
            k++;
        if (k == CLIENTS_MAX)
            continue;
        if (k == *count)
            clients[(*count)++] = (client){.id = turn->client};
        clients[k].orders[side] += turn->orders;
    }
}

void ora_list_clients(rp_doc *doc, reprise_value *match, const ora_recording *a,
                      const ora_recording *b)
{
    client clients[CLIENTS_MAX];
    size_t count = 0;
    count_orders(clients, &count, &a->turns, 0);
    count_orders(clients, &count, &b->turns, 1);
    reprise_value *list = rp_set_array(doc, match, "clients");
    for (size_t i = 0; i < count; i++) {
        reprise_value *entry = rp_push_object(doc, list);
        name_client(doc, entry, a->replay, clients[i].id);
        rp_set_uint(doc, entry, "orders_a", clients[i].orders[0]);
        rp_set_uint(doc, entry, "orders_b", clients[i].orders[1]);
    }
}

/* ---- orders ---- */

/* An order of a turn that differs. */
typedef struct ora_shown {
    size_t turn; /* in the verdict's list */
    uint64_t digest;
    reprise_value *about;
    bool matched;
} ora_shown;

static size_t find_turn(const ora_verdict *v, const ora_order *order)
{
    size_t low = 0, high = v->listed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ora_turn *turn = &v->listed[middle];
        if (turn->frame < order->frame ||
            (turn->frame == order->frame && turn->client < order->client))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < v->listed_count && v->listed[low].frame == order->frame &&
                 v->listed[low].client == order->client;
    return found ? low : SIZE_MAX;
}

static reprise_value *about_order(ora_recording *r, const rp_row *row)
{
    const ora_order *order = row->data;
    rp_doc *doc = r->doc;
    reprise_value *about = rp_new_object(doc);
    rp_set_f64(doc, about, "time", row->time);
    rp_set_int(doc, about, "frame", order->frame);
    name_client(doc, about, r->replay, order->client);
    set_text(doc, about, "order", &order->order);
    if (order->item.size)
        set_text(doc, about, "item", &order->item);
    if (row->present >> ora_order_F_subject & 1)
        rp_set_uint(doc, about, "subject", order->subject);
    if (row->present >> ora_order_F_target_actor & 1)
        rp_set_uint(doc, about, "target", order->target_actor);
    if (row->present >> ora_order_F_target_cell_x & 1) {
        rp_set_int(doc, about, "x", order->target_cell_x);
        rp_set_int(doc, about, "y", order->target_cell_y);
    } else if (row->present >> ora_order_F_target_pos_x & 1) {
        rp_set_int(doc, about, "x", ora_cell_of(order->target_pos_x));
        rp_set_int(doc, about, "y", ora_cell_of(order->target_pos_y));
    }
    return about;
}

static reprise_status show_row(void *ctx, const rp_row *row, reprise_error *error)
{
    ora_recording *r = ctx;
    const ora_order *order = row->data;
    size_t turn = order->frame > 0 ? find_turn(r->verdict, order) : SIZE_MAX;
    if (turn == SIZE_MAX || r->shown_count == SHOWN_MAX)
        return REPRISE_OK;
    r->shown[r->shown_count++] = (ora_shown){
        .turn = turn, .digest = ora_order_digest(r, order), .about = about_order(r, row)};
    return error->status;
}

static reprise_status show_turns(ora_recording *r, const ora_verdict *v, reprise_error *error)
{
    r->verdict = v;
    r->shown = rp_arena_array(r->doc->arena, SHOWN_MAX, sizeof *r->shown, error);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS};
    return r->shown ? rp_each_row(&r->replay->base, selection, show_row, r, error) : error->status;
}

/* Pairs the orders that both recordings have. */
static void match_shown(ora_recording *a, ora_recording *b)
{
    for (size_t i = 0; i < a->shown_count; i++) {
        ora_shown *one = &a->shown[i];
        for (size_t k = 0; k < b->shown_count && !one->matched; k++) {
            ora_shown *other = &b->shown[k];
            if (!other->matched && other->turn == one->turn && other->digest == one->digest)
                one->matched = other->matched = true;
        }
    }
}

/* Lists the orders of a turn that only one recording has; returns how many. */
static size_t list_turn(rp_doc *doc, reprise_value *to, const ora_recording *r, size_t turn,
                        const char *in)
{
    size_t count = 0;
    for (size_t i = 0; i < r->shown_count; i++) {
        const ora_shown *one = &r->shown[i];
        if (one->turn != turn || one->matched)
            continue;
        reprise_value *entry = rp_push_object(doc, to);
        rp_set_text(doc, entry, "in", in);
        for (size_t k = 0; k < reprise_value_count(one->about); k++)
            rp_set(doc, entry, reprise_value_key(one->about, k),
                   rp_copy(doc, reprise_value_at(one->about, k)));
        count++;
    }
    return count;
}

/* No order is missing: the sequence differs, or the client is absent from one recording. */
static void list_rest(rp_doc *doc, reprise_value *to, const ora_recording *a, const ora_turn *turn)
{
    int64_t tick = ora_frame_tick(a->replay, turn->frame);
    reprise_value *entry = rp_push_object(doc, to);
    rp_set_text(doc, entry, "in", "both");
    rp_set_f64(doc, entry, "time", ora_tick_time(a->replay, tick));
    rp_set_int(doc, entry, "frame", turn->frame);
    name_client(doc, entry, a->replay, turn->client);
    rp_set_text(doc, entry, "order",
                turn->orders ? "the same in another sequence" : "a turn without orders");
}

reprise_status ora_list_turns(rp_doc *doc, reprise_value *match, ora_recording *a, ora_recording *b,
                              const ora_verdict *v, reprise_error *error)
{
    reprise_value *list = rp_set_array(doc, match, "differences");
    if (!v->listed_count)
        return error->status;
    RP_TRY(show_turns(a, v, error));
    RP_TRY(show_turns(b, v, error));
    match_shown(a, b);
    for (size_t i = 0; i < v->listed_count; i++) {
        size_t alone = list_turn(doc, list, a, i, "first") + list_turn(doc, list, b, i, "second");
        if (!alone)
            list_rest(doc, list, a, &v->listed[i]);
    }
    if (v->turns_differ > v->listed_count)
        rp_set_uint(doc, match, "further_turns_that_differ", v->turns_differ - v->listed_count);
    return error->status;
}
