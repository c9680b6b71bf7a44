/*
 * stats.c - the analysis as a document.
 *
 * What the file says (moves, health, hits, markers, pings) is kept apart from what follows from it
 * (damage from falling health, distances, speeds, structures made and broken).
 */
#include "analyse.h"

/* A log that a person would read; longer ones are cut and say so. */
enum { LOG_MAX = 20000 };

typedef struct player_log {
    reprise_value *moves, *health;
    uint32_t cut;
} player_log;

typedef struct report {
    rumble_replay *replay;
    rp_doc *doc;
    rumble_analysis analysis;
    player_log *logs;
    reprise_value *hits, *markers;
    rp_vector round_ends; /* float */
} report;

/* ---- logs ---- */

static reprise_value *log_entry(report *r, player_log *log, reprise_value *list, double time)
{
    if (reprise_value_count(list) >= LOG_MAX) {
        log->cut++;
        return NULL;
    }
    reprise_value *entry = rp_push_object(r->doc, list);
    rp_set_f32(r->doc, entry, "time", (float)time);
    return entry;
}

static void log_player(report *r, const rp_row *row)
{
    const rumble_player_metrics *m = &r->analysis.players[row->object];
    player_log *log = &r->logs[row->object];
    if (m->begins_move) {
        reprise_value *entry = log_entry(r, log, log->moves, row->time);
        const char *name = rp_enum_name(&rumble_stack_names, m->now->stack);
        rp_set(r->doc, entry, "move",
               name ? rp_new_text(r->doc, name) : rp_new_int(r->doc, m->now->stack));
    }
    if (m->changes_health) {
        reprise_value *entry = log_entry(r, log, log->health, row->time);
        rp_set_int(r->doc, entry, "health", m->now->health);
    }
}

static void log_hit(report *r, const rp_row *row)
{
    const rumble_event *event = row->data;
    if (!event->damage || reprise_value_count(r->hits) >= LOG_MAX)
        return;
    reprise_value *hit = rp_push_object(r->doc, r->hits);
    rp_set_f32(r->doc, hit, "time", (float)row->time);
    rp_set_int(r->doc, hit, "damage", event->damage);
    if (event->player >= 0)
        rp_set_int(r->doc, hit, "player", event->player);
    const char *fx = rp_enum_name(&rumble_fx_names, event->fx);
    if (fx && event->fx)
        rp_set_text(r->doc, hit, "effect", fx);
}

static void log_marker(report *r, const rp_row *row, reprise_error *error)
{
    const rumble_marker *marker = row->data;
    if (reprise_value_count(r->markers) >= LOG_MAX)
        return;
    reprise_value *entry = rp_push_object(r->doc, r->markers);
    rp_set_f32(r->doc, entry, "time", (float)row->time);
    if (marker->name.data)
        rp_set(r->doc, entry, "name", rp_new_text_n(r->doc, marker->name.data, marker->name.size));
    float *end = rumble_ends_round(marker->name)
                     ? rp_vector_add(r->replay->base.context, &r->round_ends, sizeof *end, error)
                     : NULL;
    if (end)
        *end = (float)row->time;
}

static bool is_logged(const report *r, const rp_row *row)
{
    const rumble_player_metrics *m = &r->analysis.players[row->object];
    if (row->track == RUMBLE_PLAYERS)
        return m->begins_move || m->changes_health;
    return row->track == RUMBLE_EVENTS || row->track == RUMBLE_MARKERS;
}

/* Apart from add_row, which then needs few registers for the many rows that are not logged. */
__attribute__((noinline)) static void log_row(report *r, const rp_row *row, reprise_error *error)
{
    if (row->track == RUMBLE_PLAYERS)
        log_player(r, row);
    else if (row->track == RUMBLE_EVENTS)
        log_hit(r, row);
    else
        log_marker(r, row, error);
}

static reprise_status add_row(void *ctx, const rp_row *row, reprise_error *error)
{
    report *r = ctx;
    rumble_analyse_row(&r->analysis, row, row->time);
    if (is_logged(r, row))
        log_row(r, row, error);
    return error->status;
}

/* ---- results ---- */

static const char *player_name(const report *r, size_t index)
{
    const reprise_value *player = reprise_value_at(rp_get(r->replay->header, "Players"), index);
    return rp_get_text(player, "Name");
}

static void name_player(report *r, reprise_value *entry, size_t index)
{
    rp_set_int(r->doc, entry, "player", (int64_t)index);
    if (player_name(r, index))
        rp_set_text(r->doc, entry, "name", player_name(r, index));
}

static void set_recorded_player(report *r, reprise_value *list, size_t index)
{
    const rumble_player_metrics *m = &r->analysis.players[index];
    const player_log *log = &r->logs[index];
    reprise_value *entry = rp_push_object(r->doc, list);
    name_player(r, entry, index);
    reprise_value *counts = rp_set_object(r->doc, entry, "moves");
    for (int i = 1; i < RUMBLE_MOVES; i++) {
        if (m->move_count[i])
            rp_set_int(r->doc, counts, rp_enum_name(&rumble_stack_names, i), m->move_count[i]);
    }
    rp_set(r->doc, entry, "move_log", log->moves);
    rp_set(r->doc, entry, "health", log->health);
    if (log->cut)
        rp_set_int(r->doc, entry, "not_logged", log->cut);
}

static void set_derived_player(report *r, reprise_value *list, size_t index)
{
    const rumble_player_metrics *m = &r->analysis.players[index];
    reprise_value *entry = rp_push_object(r->doc, list);
    name_player(r, entry, index);
    rp_set_f64(r->doc, entry, "time_active", m->time_active);
    rp_set_f64(r->doc, entry, "damage_taken", m->damage_taken);
    /* Who hurt whom is not recorded: it is known only where there is one other player. */
    if (r->replay->player_count == 2)
        rp_set_f64(r->doc, entry, "damage_dealt", r->analysis.players[index ^ 1].damage_taken);
    rp_set_f64(r->doc, entry, "healed", m->healed);
    rp_set_f64(r->doc, entry, "head_distance", m->head_distance);
    static const char *const hands[2] = {"left_hand", "right_hand"};
    for (size_t i = 0; i < 2; i++) {
        reprise_value *hand = rp_set_object(r->doc, entry, hands[i]);
        rp_set_f64(r->doc, hand, "distance", m->hand_distance[i]);
        rp_set_f64(r->doc, hand, "speed_max", m->hand_speed_max[i]);
        rp_set_f64(r->doc, hand, "speed_mean",
                   m->time_active > 0 ? m->hand_distance[i] / m->time_active : 0);
    }
    reprise_value *stones = rp_set_object(r->doc, entry, "shiftstone_seconds");
    for (int i = 0; i < RUMBLE_STONES - 1; i++) {
        if (m->stone_time[i] > 0)
            rp_set_f64(r->doc, stones, rp_enum_name(&rumble_stone_names, i), m->stone_time[i]);
    }
    reprise_value *uses = rp_set_object(r->doc, entry, "shiftstone_uses");
    for (size_t bit = 0; bit < RUMBLE_STONE_EFFECTS; bit++) {
        if (m->stone_uses[bit])
            rp_set_int(r->doc, uses, rp_enum_name(&rumble_stone_fx_names, 1 << bit),
                       m->stone_uses[bit]);
    }
}

static void set_structures(report *r, reprise_value *derived)
{
    reprise_value *list = rp_set_array(r->doc, derived, "structures");
    for (int type = 0; type <= RUMBLE_STRUCTURE_TYPES; type++) {
        const rumble_structure_metrics *m = &r->analysis.by_type[type];
        if (!(m->made | m->held | m->flicked | m->broken))
            continue;
        reprise_value *entry = rp_push_object(r->doc, list);
        const char *name = rp_enum_name(&rumble_structure_names, type);
        if (name)
            rp_set_text(r->doc, entry, "type", name);
        else
            rp_set(r->doc, entry, "type",
                   type < RUMBLE_STRUCTURE_TYPES ? rp_new_int(r->doc, type)
                                                 : rp_new_text(r->doc, "unknown"));
        rp_set_int(r->doc, entry, "made", m->made);
        rp_set_int(r->doc, entry, "held", m->held);
        rp_set_int(r->doc, entry, "flicked", m->flicked);
        rp_set_int(r->doc, entry, "broken", m->broken);
    }
}

/* The health of a player at a time, from the log of changes. */
static int64_t health_at(const player_log *log, double time)
{
    int64_t health = 0;
    for (size_t i = 0; i < reprise_value_count(log->health); i++) {
        const reprise_value *entry = reprise_value_at(log->health, i);
        if (reprise_value_double(rp_get(entry, "time"), 0) > time)
            break;
        health = reprise_value_int(rp_get(entry, "health"), 0);
    }
    return health;
}

static void add_round(report *r, reprise_value *rounds, double from, double to)
{
    reprise_value *round = rp_push_object(r->doc, rounds);
    rp_set_int(r->doc, round, "round", (int64_t)reprise_value_count(rounds));
    rp_set_f32(r->doc, round, "from", (float)from);
    rp_set_f32(r->doc, round, "to", (float)to);
    reprise_value *health = rp_set_array(r->doc, round, "health_at_end");
    for (size_t i = 0; i < r->replay->player_count; i++)
        rp_push(r->doc, health, rp_new_int(r->doc, health_at(&r->logs[i], to)));
}

/* Without any end of a round the match is one round. */
static void set_rounds(report *r, reprise_value *derived)
{
    reprise_value *rounds = rp_set_array(r->doc, derived, "rounds");
    const rumble_analysis *a = &r->analysis;
    float *ends = r->round_ends.items;
    size_t count = rumble_sort_rounds(ends, r->round_ends.count, a->first_time, a->last_time);
    double from = a->first_time;
    for (size_t i = 0; i < count; i++) {
        add_round(r, rounds, from, (double)ends[i]);
        from = (double)ends[i];
    }
    if (a->frames && from < a->last_time)
        add_round(r, rounds, from, a->last_time);
}

static void set_pings(report *r, reprise_value *recorded)
{
    static const char *const names[][2] = {
        {"AvgPing", "average"}, {"MinPing", "least"}, {"MaxPing", "most"}};
    if (reprise_value_int(rp_get(r->replay->header, "AvgPing"), -1) < 0)
        return;
    reprise_value *pings = rp_set_object(r->doc, recorded, "ping_ms");
    for (size_t i = 0; i < RP_COUNT(names); i++)
        rp_set_int(r->doc, pings, names[i][1],
                   reprise_value_int(rp_get(r->replay->header, names[i][0]), 0));
}

static void set_all(report *r, reprise_value *recorded, reprise_value *derived)
{
    const rumble_analysis *a = &r->analysis;
    double length = a->last_time - a->first_time;
    rp_set_int(r->doc, recorded, "frames", r->replay->frame_count);
    set_pings(r, recorded);
    reprise_value *players = rp_set_array(r->doc, recorded, "players");
    for (size_t i = 0; i < r->replay->player_count; i++)
        set_recorded_player(r, players, i);
    rp_set(r->doc, recorded, "hits", r->hits);
    rp_set(r->doc, recorded, "markers", r->markers);
    reprise_value *effects = rp_set_object(r->doc, recorded, "effects");
    for (int i = 1; i < 256; i++) { /* 0 is no effect */
        const char *name = rp_enum_name(&rumble_fx_names, i);
        if (a->effects[i])
            rp_set_int(r->doc, effects, name ? name : "unknown", a->effects[i]);
    }
    set_rounds(r, derived);
    players = rp_set_array(r->doc, derived, "players");
    for (size_t i = 0; i < r->replay->player_count; i++)
        set_derived_player(r, players, i);
    set_structures(r, derived);
    rp_set_f64(r->doc, derived, "markers_per_minute",
               length > 0 ? (double)a->marker_count * 60 / length : 0);
}

static reprise_status fill(report *r, reprise_value *recorded, reprise_value *derived,
                           reprise_error *error)
{
    rp_selection selection = {.tracks = 1u << RUMBLE_FRAMES | 1u << RUMBLE_PLAYERS |
                                        1u << RUMBLE_STRUCTURES | 1u << RUMBLE_EVENTS |
                                        1u << RUMBLE_MARKERS};
    RP_TRY(rp_each_row(&r->replay->base, selection, add_row, r, error));
    set_all(r, recorded, derived);
    return error->status;
}

reprise_status rumble_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error)
{
    report *r = rp_arena_alloc(doc->arena, sizeof *r, error);
    if (!r)
        return error->status;
    r->replay = (rumble_replay *)base;
    r->doc = doc;
    RP_TRY(rumble_analyse_begin(&r->analysis, r->replay, doc->arena, error));
    r->logs = rp_arena_array(doc->arena, r->replay->player_count, sizeof *r->logs, error);
    r->hits = rp_new_array(doc);
    r->markers = rp_new_array(doc);
    for (size_t i = 0; r->logs && i < r->replay->player_count; i++) {
        r->logs[i].moves = rp_new_array(doc);
        r->logs[i].health = rp_new_array(doc);
    }
    RP_TRY(error->status);
    reprise_status status = fill(r, recorded, derived, error);
    rp_vector_free(base->context, &r->round_ends, sizeof(float));
    return status;
}
