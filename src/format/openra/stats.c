/* stats.c - the analysis of a match as a document: what the file says, and what follows from it. */
#include "analyse.h"

static void name_client(const ora_analysis *a, rp_doc *doc, reprise_value *entry, int32_t client)
{
    const char *name = ora_client_name(a->replay, client);
    rp_set_int(doc, entry, "client", client);
    if (name)
        rp_set_text(doc, entry, "name", name);
}

static void set_text(rp_doc *doc, reprise_value *to, const char *key, const rp_text *text)
{
    rp_set(doc, to, key, rp_new_text_n(doc, text->data, text->size));
}

/* ---- what the file says ---- */

static void set_builds(rp_doc *doc, reprise_value *to, const rp_order_player *p)
{
    reprise_value *list = rp_set_array(doc, to, "build_order");
    const rp_order_log_entry *entries = p->builds.items;
    for (size_t i = 0; i < p->builds.count; i++) {
        const rp_order_log_entry *from = &entries[i];
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", from->time);
        set_text(doc, entry, "order", &from->order);
        set_text(doc, entry, "item", &from->item);
        if (from->has_count)
            rp_set_uint(doc, entry, "count", from->count);
        if (from->has_cell) {
            rp_set_int(doc, entry, "x", from->x);
            rp_set_int(doc, entry, "y", from->y);
        }
    }
}

static void set_powers(rp_doc *doc, reprise_value *to, const rp_order_player *p)
{
    reprise_value *list = rp_set_array(doc, to, "support_powers");
    const rp_order_log_entry *entries = p->powers.items;
    for (size_t i = 0; i < p->powers.count; i++) {
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", entries[i].time);
        set_text(doc, entry, "power", &entries[i].order);
    }
}

static void record_player(const ora_analysis *a, rp_doc *doc, reprise_value *list, size_t number)
{
    const rp_order_player *p = a->orders.players[number];
    const ora_player_extras *extras = &a->extras[number];
    reprise_value *entry = rp_push_object(doc, list);
    name_client(a, doc, entry, p->id);
    rp_set_uint(doc, entry, "orders", p->actions);
    rp_set_name_counts(doc, entry, "order_kinds", p->order_names);
    set_builds(doc, entry, p);
    rp_set_name_counts(doc, entry, "produced", p->produced);
    rp_set_name_counts(doc, entry, "placed", p->placed);
    set_powers(doc, entry, p);
    rp_set_name_counts(doc, entry, "stances", extras->stances);
    rp_set_uint(doc, entry, "groups_made", extras->groups_made);
    rp_set_uint(doc, entry, "orders_to_groups", extras->group_orders);
    rp_set_uint(doc, entry, "largest_group", extras->largest_group);
    rp_set_uint(doc, entry, "queued_orders", extras->queued);
    if (p->unlogged)
        rp_set_uint(doc, entry, "not_logged", p->unlogged);
}

static void record_outcomes(const ora_analysis *a, rp_doc *doc, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(doc, recorded, "outcomes");
    const reprise_value *header = a->replay->header;
    for (size_t i = 0; i < reprise_value_count(header); i++) {
        const reprise_value *from = reprise_value_at(header, i);
        const char *name = rp_get_text(from, "Name");
        const char *outcome = rp_get_text(from, "Outcome");
        if (!name || !outcome)
            continue;
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_text(doc, entry, "name", name);
        rp_set_text(doc, entry, "outcome", outcome);
    }
}

/* Adds an entry with a time and a client. */
static reprise_value *record_moment(const ora_analysis *a, rp_doc *doc, reprise_value *list,
                                    const ora_moment *moment)
{
    reprise_value *entry = rp_push_object(doc, list);
    rp_set_f64(doc, entry, "time", moment->time);
    name_client(a, doc, entry, moment->client);
    return entry;
}

static void record_moments(const ora_analysis *a, rp_doc *doc, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(doc, recorded, "chat");
    const ora_moment *moments = a->chat.items;
    for (size_t i = 0; i < a->chat.count; i++) {
        reprise_value *entry = record_moment(a, doc, list, &moments[i]);
        rp_set_text(doc, entry, "channel", rp_enum_name(&ora_channel_names, moments[i].channel));
        set_text(doc, entry, "text", &moments[i].text);
    }
    list = rp_set_array(doc, recorded, "pauses");
    moments = a->pauses.items;
    for (size_t i = 0; i < a->pauses.count; i++)
        rp_set_bool(doc, record_moment(a, doc, list, &moments[i]), "paused", moments[i].paused);
    list = rp_set_array(doc, recorded, "disconnects");
    moments = a->disconnects.items;
    for (size_t i = 0; i < a->disconnects.count; i++)
        record_moment(a, doc, list, &moments[i]);
}

/* Only the map knows which player a bit belongs to: the world has players that the file lacks. */
static void record_defeats(const ora_analysis *a, rp_doc *doc, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(doc, recorded, "defeats");
    for (int bit = 0; bit < ORA_DEFEAT_BITS; bit++) {
        if (a->defeated[bit] < 0)
            continue;
        reprise_value *entry = rp_push_object(doc, list);
        rp_set_f64(doc, entry, "time", a->defeated[bit]);
        rp_set_int(doc, entry, "world_player", bit);
    }
}

/* ---- what follows ---- */

/* By kind; left out if no price is known. */
static void set_credits(const ora_analysis *a, rp_doc *doc, reprise_value *to,
                        const rp_name_counts *produced)
{
    int64_t credits[RP_ITEM_CLASSES] = {0}, all = 0;
    for (size_t i = 0; a->replay->mod && produced && i < produced->names.texts.count; i++) {
        const rp_item *item = ora_item(a->replay->mod, rp_dictionary_text(&produced->names, i));
        if (item)
            credits[item->which] += item->cost * produced->counts[i];
    }
    for (size_t i = 0; i < RP_ITEM_CLASSES; i++)
        all += credits[i];
    if (!all)
        return;
    reprise_value *by_kind = rp_set_object(doc, to, "credits_ordered");
    for (size_t i = 0; i < RP_ITEM_CLASSES; i++)
        rp_set_int(doc, by_kind, rp_item_class_name((rp_item_class)i), credits[i]);
}

static reprise_status derive(const ora_analysis *a, rp_doc *doc, reprise_value *derived,
                             reprise_error *error)
{
    double length = 0;
    RP_TRY(rp_replay_length(&a->replay->base, &length, NULL, error));
    if (a->orders.first_contact >= 0) {
        reprise_value *contact = rp_set_object(doc, derived, "first_contact");
        rp_set_f64(doc, contact, "time", a->orders.first_contact);
        name_client(a, doc, contact, a->orders.first_attacker);
    }
    reprise_value *players = rp_set_array(doc, derived, "players");
    for (size_t i = 0; i < a->orders.player_count; i++) {
        const rp_order_player *p = a->orders.players[i];
        reprise_value *entry = rp_push_object(doc, players);
        name_client(a, doc, entry, p->id);
        rp_set_order_metrics(doc, entry, p, length / 60);
        set_credits(a, doc, entry, p->produced);
        rp_set_army_heat(doc, entry, p, true);
    }
    if (a->orders.orders_of_others)
        rp_set_uint(doc, derived, "orders_of_further_clients", a->orders.orders_of_others);
    return error->status;
}

reprise_status ora_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error)
{
    ora_analysis *a = NULL;
    reprise_status status = ora_analyse((ora_replay *)base, &a, error);
    if (status == REPRISE_OK) {
        rp_set_int(doc, recorded, "frames", a->replay->frame_last);
        record_outcomes(a, doc, recorded);
        reprise_value *players = rp_set_array(doc, recorded, "players");
        for (size_t i = 0; i < a->orders.player_count; i++)
            record_player(a, doc, players, i);
        record_moments(a, doc, recorded);
        record_defeats(a, doc, recorded);
        ora_set_desync(doc, recorded, &a->desync.result);
        status = derive(a, doc, derived, error);
    }
    ora_analysis_free(a);
    return status;
}
