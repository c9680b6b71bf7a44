/*
 * stats.c - the analysis of a recording as a document: what the file says, and what follows from
 * it.
 */
#include "analyse.h"

static reprise_value *begin_house(const cnc_analysis *a, rp_doc *doc, reprise_value *list,
                                  size_t number)
{
    const cnc_game *game = a->replay->layout->game;
    reprise_value *entry = rp_push_object(doc, list);
    const char *name = cnc_house_name(game, (int32_t)number);
    rp_set_int(doc, entry, "house", (int64_t)number);
    if (name)
        rp_set_text(doc, entry, "house_name", name);
    const cnc_header *header = &a->replay->header;
    for (int32_t i = 0; !game->td && i < header->session.player_nodes; i++) {
        if (header->nodes[i].id != (int8_t)number)
            continue;
        rp_text text = cnc_text(header->nodes[i].name, sizeof header->nodes[i].name);
        rp_set(doc, entry, "name", rp_new_text_n(doc, text.data, text.size));
    }
    return entry;
}

static void set_text(rp_doc *doc, reprise_value *to, const char *key, const rp_text *text)
{
    rp_set(doc, to, key, rp_new_text_n(doc, text->data, text->size));
}

static void set_cell(rp_doc *doc, reprise_value *to, const rp_order_log_entry *from)
{
    rp_set_int(doc, to, "x", from->x);
    rp_set_int(doc, to, "y", from->y);
}

static void set_builds(rp_doc *doc, reprise_value *to, const rp_order_player *p)
{
    reprise_value *list = rp_set_array(doc, to, "build_order");
    const rp_order_log_entry *entries = p->builds.items;
    for (size_t i = 0; i < p->builds.count; i++) {
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", entries[i].time);
        set_text(doc, entry, "event", &entries[i].order);
        if (entries[i].item.data)
            set_text(doc, entry, "item", &entries[i].item);
        if (entries[i].has_cell)
            set_cell(doc, entry, &entries[i]);
    }
}

/* Powers without a name are shown by their number. */
static void set_powers(rp_doc *doc, reprise_value *to, const rp_order_player *p)
{
    reprise_value *list = rp_set_array(doc, to, "support_powers");
    const rp_order_log_entry *entries = p->powers.items;
    for (size_t i = 0; i < p->powers.count; i++) {
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", entries[i].time);
        if (entries[i].order.data)
            set_text(doc, entry, "power", &entries[i].order);
        else
            rp_set_int(doc, entry, "power", (int32_t)entries[i].count);
        set_cell(doc, entry, &entries[i]);
    }
}

static void record_house(const cnc_analysis *a, rp_doc *doc, reprise_value *list, size_t number)
{
    const cnc_house *house = &a->houses[number];
    const rp_order_player *p = house->orders;
    reprise_value *entry = begin_house(a, doc, list, number);
    rp_set_uint(doc, entry, "orders", p->actions);
    reprise_value *kinds = rp_set_object(doc, entry, "event_kinds");
    for (size_t i = 0; i < CNC_EVENT_COUNT; i++) {
        if (house->events[i])
            rp_set_int(doc, kinds, cnc_event_types[i].name, house->events[i]);
    }
    set_builds(doc, entry, p);
    rp_set_name_counts(doc, entry, "produced", p->produced);
    set_powers(doc, entry, p);
    if (house->left >= 0)
        rp_set_f64(doc, entry, "left", house->left);
    if (p->unlogged)
        rp_set_uint(doc, entry, "not_logged", p->unlogged);
}

static void record(const cnc_analysis *a, rp_doc *doc, reprise_value *recorded)
{
    rp_set_int(doc, recorded, "frames", a->records ? a->last_frame + 1 : 0);
    rp_set_uint(doc, recorded, "records", a->records);
    rp_set_uint(doc, recorded, "selection_changes", a->selections);
    reprise_value *list = rp_set_array(doc, recorded, "speed_changes");
    const cnc_speed_change *changes = a->speed_changes.items;
    for (size_t i = 0; i < a->speed_changes.count; i++) {
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", changes[i].time);
        rp_set_int(doc, entry, "speed", changes[i].speed);
    }
    rp_set_uint(doc, recorded, "sums", a->desync.result.hashes);
    cnc_set_desync(doc, recorded, &a->desync.result);
    list = rp_set_array(doc, recorded, "players");
    for (size_t i = 0; i < CNC_HOUSES; i++) {
        if (a->houses[i].orders)
            record_house(a, doc, list, i);
    }
}

static void derive(const cnc_analysis *a, rp_doc *doc, reprise_value *derived)
{
    if (a->orders.first_contact >= 0) {
        reprise_value *contact = rp_set_object(doc, derived, "first_contact");
        rp_set_f64(doc, contact, "time", a->orders.first_contact);
        rp_set_int(doc, contact, "house", a->orders.first_attacker);
    }
    reprise_value *list = rp_set_array(doc, derived, "players");
    for (size_t i = 0; i < CNC_HOUSES; i++) {
        if (!a->houses[i].orders)
            continue;
        reprise_value *entry = begin_house(a, doc, list, i);
        rp_set_order_metrics(doc, entry, a->houses[i].orders, a->last_time / 60);
        rp_set_army_heat(doc, entry, a->houses[i].orders, false);
    }
}

reprise_status cnc_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error)
{
    cnc_analysis *a = NULL;
    reprise_status status = cnc_analyse((cnc_replay *)base, &a, error);
    if (status == REPRISE_OK) {
        record(a, doc, recorded);
        derive(a, doc, derived);
        status = error->status;
    }
    cnc_analysis_free(a);
    return status;
}
