/* order_analysis.c - see order_analysis.h. */
#include "order_analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "whole.h"

enum { NAME_MAX_BYTES = 127, CELL_SLOTS_LEAST = 64, CELL_SLOTS_MAX = 1 << 15 };

/* ---- groups ---- */

const char *rp_order_group_name(rp_order_group group)
{
    static const char *const names[RP_ORDER_GROUPS] = {
        [RP_ORDERS_MOVE] = "move",
        [RP_ORDERS_ATTACK] = "attack",
        [RP_ORDERS_BUILD] = "build",
        [RP_ORDERS_ECONOMY] = "economy",
        [RP_ORDERS_POWER] = "support powers",
        [RP_ORDERS_OTHER] = "other",
    };
    return names[group];
}

static const struct {
    uint8_t group;
    bool is_economy; /* in the split of actions into economy and military */
} kinds[REPRISE_FOREIGN_KINDS] = {
    [REPRISE_FOREIGN_UNKNOWN] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_MOVE] = {RP_ORDERS_MOVE, false},
    [REPRISE_FOREIGN_ATTACK] = {RP_ORDERS_ATTACK, false},
    [REPRISE_FOREIGN_DEPLOY] = {RP_ORDERS_BUILD, false},
    [REPRISE_FOREIGN_PRODUCE] = {RP_ORDERS_BUILD, true},
    [REPRISE_FOREIGN_SELL] = {RP_ORDERS_ECONOMY, true},
    [REPRISE_FOREIGN_PLACE_BUILDING] = {RP_ORDERS_BUILD, true},
    [REPRISE_FOREIGN_SET_RALLY_POINT] = {RP_ORDERS_ECONOMY, true},
    [REPRISE_FOREIGN_STOP] = {RP_ORDERS_MOVE, false},
    [REPRISE_FOREIGN_CHAT] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_SURRENDER] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_STANCE] = {RP_ORDERS_ATTACK, false},
    [REPRISE_FOREIGN_REPAIR] = {RP_ORDERS_ECONOMY, true},
    [REPRISE_FOREIGN_POWER_TOGGLE] = {RP_ORDERS_ECONOMY, false},
    [REPRISE_FOREIGN_SUPPORT_POWER] = {RP_ORDERS_POWER, false},
    [REPRISE_FOREIGN_CANCEL_PRODUCTION] = {RP_ORDERS_BUILD, true},
    [REPRISE_FOREIGN_PAUSE_PRODUCTION] = {RP_ORDERS_BUILD, true},
    [REPRISE_FOREIGN_GUARD] = {RP_ORDERS_MOVE, false},
    [REPRISE_FOREIGN_ENTER] = {RP_ORDERS_MOVE, false},
    [REPRISE_FOREIGN_HARVEST] = {RP_ORDERS_ECONOMY, true},
    [REPRISE_FOREIGN_GROUP] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_BEACON] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_PAUSE] = {RP_ORDERS_OTHER, false},
    [REPRISE_FOREIGN_PRIMARY_BUILDING] = {RP_ORDERS_BUILD, false},
    [REPRISE_FOREIGN_DISCONNECT] = {RP_ORDERS_OTHER, false},
};

rp_order_group rp_order_group_of(reprise_foreign_kind kind)
{
    return (rp_order_group)kinds[kind].group;
}

/* ---- names ---- */

reprise_status rp_name_counts_add(rp_order_analysis *a, rp_name_counts **counts,
                                  const rp_text *name, int64_t by, reprise_error *error)
{
    if (!*counts)
        *counts = rp_arena_alloc(&a->arena, sizeof **counts, error);
    RP_TRY(error->status);
    /* A name is a key of a document, which ends at a NUL. */
    const char *text = name->size ? name->data : "";
    size_t size = strnlen(text, RP_MIN(name->size, NAME_MAX_BYTES));
    int64_t number = rp_dictionary_find(&(*counts)->names, text, size);
    if (number < 0 && (*counts)->names.texts.count == RP_ORDER_NAMES_MAX)
        return REPRISE_OK;
    if (number < 0)
        number = rp_dictionary_add(&(*counts)->names, &a->arena, text, size, error);
    RP_TRY(error->status);
    (*counts)->counts[number] += by;
    return REPRISE_OK;
}

void rp_set_name_counts(rp_doc *doc, reprise_value *object, const char *key,
                        const rp_name_counts *counts)
{
    reprise_value *to = rp_set_object(doc, object, key);
    for (size_t i = 0; counts && i < counts->names.texts.count; i++)
        rp_set_int(doc, to, rp_dictionary_text(&counts->names, i), counts->counts[i]);
}

/* ---- players ---- */

void rp_order_analysis_init(rp_order_analysis *a, rp_context *context)
{
    *a = (rp_order_analysis){.context = context, .first_contact = -1};
    rp_arena_init(&a->arena, context);
}

static void free_names(rp_context *context, rp_name_counts *counts)
{
    if (counts)
        rp_dictionary_free(context, &counts->names);
}

void rp_order_analysis_free(rp_order_analysis *a)
{
    for (size_t i = 0; i < a->player_count; i++) {
        rp_order_player *p = a->players[i];
        free_names(a->context, p->order_names);
        free_names(a->context, p->produced);
        free_names(a->context, p->placed);
        rp_vector_free(a->context, &p->builds, sizeof(rp_order_log_entry));
        rp_vector_free(a->context, &p->powers, sizeof(rp_order_log_entry));
        rp_vector_free(a->context, &p->minutes, sizeof(rp_order_minute *));
        rp_free(a->context, p->cells, p->cell_slots * sizeof *p->cells);
    }
    rp_dictionary_free(a->context, &a->texts);
    rp_vector_free(a->context, &a->groups, sizeof(uint32_t[RP_ORDER_GROUPS]));
    rp_arena_free(&a->arena);
}

rp_order_player *rp_order_analysis_player(rp_order_analysis *a, int32_t id, reprise_error *error)
{
    for (size_t i = 0; i < a->player_count; i++) {
        if (a->players[i]->id == id)
            return a->players[i];
    }
    if (a->player_count == RP_ORDER_PLAYERS_MAX) {
        a->orders_of_others++;
        return NULL;
    }
    rp_order_player *p = rp_arena_alloc(&a->arena, sizeof *p, error);
    if (!p)
        return NULL;
    p->id = id;
    p->number = a->player_count;
    p->first_attack = -1;
    a->players[a->player_count++] = p;
    return p;
}

static rp_text keep_text(rp_order_analysis *a, const rp_text *text, reprise_error *error)
{
    if (!text->data)
        return (rp_text){0};
    /* The dictionary ends a text at a NUL. */
    uint32_t number = rp_dictionary_add(&a->texts, &a->arena, text->data, text->size, error);
    if (error->status != REPRISE_OK)
        return (rp_text){0};
    const char *kept = rp_dictionary_text(&a->texts, number);
    return (rp_text){kept, strlen(kept)};
}

reprise_status rp_order_analysis_log(rp_order_analysis *a, rp_order_player *p, rp_vector *log,
                                     const rp_order_log_entry *entry, reprise_error *error)
{
    if (log->count >= RP_ORDER_LOG_MAX) {
        p->unlogged++;
        return REPRISE_OK;
    }
    rp_order_log_entry *to = rp_vector_add(a->context, log, sizeof *to, error);
    if (!to)
        return error->status;
    *to = *entry;
    to->order = keep_text(a, &entry->order, error);
    to->item = keep_text(a, &entry->item, error);
    return error->status;
}

/* ---- actions ---- */

static rp_order_minute *minute_at(const rp_order_player *p, size_t minute)
{
    rp_order_minute *const *minutes = p->minutes.items;
    return minute < p->minutes.count ? minutes[minute] : NULL;
}

static rp_order_minute *make_minute(rp_order_analysis *a, rp_order_player *p, size_t minute,
                                    reprise_error *error)
{
    while (p->minutes.count <= minute) {
        if (!rp_vector_add(a->context, &p->minutes, sizeof(rp_order_minute *), error))
            return NULL;
    }
    rp_order_minute **slot = (rp_order_minute **)p->minutes.items + minute;
    if (!*slot)
        *slot = rp_arena_alloc(&a->arena, sizeof **slot, error);
    return *slot;
}

static reprise_status count_group(rp_order_analysis *a, rp_order_group group, size_t second,
                                  reprise_error *error)
{
    size_t slot = second / RP_ORDER_GROUP_S;
    while (a->groups.count <= slot) {
        if (!rp_vector_add(a->context, &a->groups, sizeof(uint32_t[RP_ORDER_GROUPS]), error))
            return error->status;
    }
    ((uint32_t(*)[RP_ORDER_GROUPS])a->groups.items)[slot][group]++;
    return REPRISE_OK;
}

static reprise_status count_action(rp_order_analysis *a, rp_order_player *p,
                                   const rp_order_note *note, reprise_error *error)
{
    size_t second = rp_whole_size(fmin(fmax(note->time, 0), RP_ORDER_SECONDS_MAX - 1));
    bool repeat = p->actions && note->digest == p->last_digest;
    rp_order_minute *minute = make_minute(a, p, second / 60, error);
    if (!minute)
        return error->status;
    p->last_digest = note->digest;
    p->actions++;
    p->repeats += repeat;
    minute->actions[second % 60]++;
    minute->economy[second % 60] += kinds[note->kind].is_economy;
    minute->fresh += !repeat;
    return count_group(a, rp_order_group_of(note->kind), second, error);
}

void rp_order_rate_next(rp_order_rate *rate)
{
    int64_t gone = rate->second - RP_ORDER_RATE_S;
    const rp_order_minute *minute = minute_at(rate->player, (size_t)(rate->second / 60));
    const rp_order_minute *before = gone >= 0 ? minute_at(rate->player, (size_t)(gone / 60)) : NULL;
    if (minute) {
        rate->all += minute->actions[rate->second % 60];
        rate->economy += minute->economy[rate->second % 60];
        rate->so_far += minute->actions[rate->second % 60];
    }
    if (before) {
        rate->all -= before->actions[gone % 60];
        rate->economy -= before->economy[gone % 60];
    }
    rate->military = rate->all - rate->economy;
    rate->second++;
}

uint32_t rp_order_group_count(const rp_order_analysis *a, rp_order_group group, size_t slot)
{
    const uint32_t(*counts)[RP_ORDER_GROUPS] = a->groups.items;
    return slot < a->groups.count ? counts[slot][group] : 0;
}

/* ---- where armies were sent ---- */

static rp_order_cell *cell_slot(rp_order_cell *cells, size_t slots, int32_t x, int32_t y)
{
    size_t at = ((uint32_t)x * 2654435761u ^ (uint32_t)y * 40503u) % slots;
    while (cells[at].count && (cells[at].x != x || cells[at].y != y))
        at = (at + 1) % slots;
    return &cells[at];
}

static reprise_status grow_cells(rp_order_analysis *a, rp_order_player *p, reprise_error *error)
{
    size_t slots = p->cell_slots ? p->cell_slots * 2 : CELL_SLOTS_LEAST;
    rp_order_cell *cells = rp_alloc_zero(a->context, slots, sizeof *cells, error);
    if (!cells)
        return error->status;
    for (size_t i = 0; i < p->cell_slots; i++) {
        const rp_order_cell *from = &p->cells[i];
        if (from->count)
            *cell_slot(cells, slots, from->x, from->y) = *from;
    }
    rp_free(a->context, p->cells, p->cell_slots * sizeof *p->cells);
    p->cells = cells;
    p->cell_slots = slots;
    return REPRISE_OK;
}

static reprise_status count_cell(rp_order_analysis *a, rp_order_player *p, int32_t x, int32_t y,
                                 reprise_error *error)
{
    if (p->cell_count * 2 >= p->cell_slots && p->cell_slots < CELL_SLOTS_MAX)
        RP_TRY(grow_cells(a, p, error));
    rp_order_cell *cell = cell_slot(p->cells, p->cell_slots, x, y);
    if (!cell->count && p->cell_count * 2 >= CELL_SLOTS_MAX) {
        p->uncounted_cells++;
        return REPRISE_OK;
    }
    p->cell_count += !cell->count;
    *cell = (rp_order_cell){x, y, cell->count + 1};
    return REPRISE_OK;
}

reprise_status rp_order_analysis_add(rp_order_analysis *a, rp_order_player *p,
                                     const rp_order_note *note, reprise_error *error)
{
    if (note->is_action)
        RP_TRY(count_action(a, p, note, error));
    if (note->is_army)
        RP_TRY(count_cell(a, p, note->x, note->y, error));
    if (note->kind != REPRISE_FOREIGN_ATTACK)
        return REPRISE_OK;
    if (p->first_attack < 0)
        p->first_attack = note->time;
    if (a->first_contact < 0) {
        a->first_contact = note->time;
        a->first_attacker = p->id;
    }
    return REPRISE_OK;
}

/* ---- documents ---- */

/* Minutes after the last that is listed count for that. */
static void set_minutes(rp_doc *doc, reprise_value *object, const rp_order_player *p)
{
    size_t count = RP_MIN(p->minutes.count, RP_ORDER_MINUTES_LISTED);
    uint32_t *all = rp_arena_array(doc->arena, RP_MAX(count, 1), sizeof *all, doc->error);
    uint32_t *fresh = rp_arena_array(doc->arena, RP_MAX(count, 1), sizeof *fresh, doc->error);
    for (size_t i = 0; all && fresh && i < p->minutes.count; i++) {
        const rp_order_minute *minute = minute_at(p, i);
        size_t to = RP_MIN(i, RP_ORDER_MINUTES_LISTED - 1);
        for (size_t s = 0; minute && s < 60; s++)
            all[to] += minute->actions[s];
        fresh[to] += minute ? minute->fresh : 0;
    }
    rp_set_counts(doc, object, "actions_by_minute", all, count);
    rp_set_counts(doc, object, "actions_by_minute_without_repeats", fresh, count);
}

void rp_set_order_metrics(rp_doc *doc, reprise_value *object, const rp_order_player *p,
                          double minutes)
{
    double fresh = (double)(p->actions - p->repeats);
    rp_set_f64(doc, object, "actions_per_minute", minutes > 0 ? (double)p->actions / minutes : 0);
    rp_set_f64(doc, object, "actions_per_minute_without_repeats",
               minutes > 0 ? fresh / minutes : 0);
    set_minutes(doc, object, p);
    if (p->first_attack >= 0)
        rp_set_f64(doc, object, "first_attack", p->first_attack);
}

static int by_place(const void *left, const void *right)
{
    const rp_order_cell *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static int by_count(const void *left, const void *right)
{
    const rp_order_cell *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return by_place(left, right);
}

void rp_set_army_heat(rp_doc *doc, reprise_value *object, const rp_order_player *p,
                      bool busiest_first)
{
    reprise_value *list = rp_set_array(doc, object, "army_heat");
    rp_order_cell *cells = rp_arena_array(doc->arena, RP_MAX(p->cell_count, 1), sizeof *cells,
                                          doc->error);
    size_t count = 0;
    for (size_t i = 0; cells && i < p->cell_slots; i++) {
        if (p->cells[i].count)
            cells[count++] = p->cells[i];
    }
    size_t listed = RP_MIN(count, RP_ORDER_CELLS_LISTED);
    uint64_t left_out = p->uncounted_cells;
    if (count && (busiest_first || listed < count))
        qsort(cells, count, sizeof *cells, by_count);
    for (size_t i = listed; i < count; i++)
        left_out += cells[i].count;
    if (!busiest_first && listed)
        qsort(cells, listed, sizeof *cells, by_place);
    for (size_t i = 0; i < listed; i++) {
        reprise_value *cell = rp_push_object(doc, list);
        rp_set_int(doc, cell, "x", cells[i].x);
        rp_set_int(doc, cell, "y", cells[i].y);
        rp_set_int(doc, cell, "count", cells[i].count);
    }
    if (left_out)
        rp_set_uint(doc, object, "army_heat_not_listed", left_out);
}
