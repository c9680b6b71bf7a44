/*
 * stats.c - what fighters and coaches ask for, from one pass over the match.
 *
 * What the file says (moves, health, hits, markers, pings) is kept apart from what follows from it
 * (damage from falling health, distances, speeds, structures made and broken).
 */
#include <math.h>

#include "rumble.h"

/* A log that a person would read; longer ones are cut and say so. */
enum { LOG_MAX = 20000, MOVES = 12, STONES = 9, STRUCTURE_TYPES = 256 };

typedef struct fighter {
    rumble_player last;
    rumble_player_derived last_world;
    bool seen;
    double last_time;
    double time_active;
    double head_distance, hand_distance[2], hand_speed_max[2];
    double damage_taken, healed;
    uint32_t moves[MOVES];
    double stone_time[STONES];
    uint32_t stone_fx[4];
    reprise_value *move_log, *health_log;
    uint32_t log_cut;
} fighter;

typedef struct thing {
    rumble_structure last;
    bool seen;
} thing;

typedef struct tally {
    uint32_t made, held, flicked, broken;
} tally;

typedef struct match {
    rumble_replay *replay;
    rp_doc *doc;
    fighter *fighters;
    thing *things;
    tally tallies[STRUCTURE_TYPES + 1]; /* the last is for unknown types */
    uint32_t effects[256];
    reprise_value *hits, *markers, *rounds;
    double first_time, last_time;
    bool any_frame;
    size_t marker_count;
} match;

/* ---- fighters ---- */

static double distance(rp_vec3 a, rp_vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y,
           z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static reprise_value *log_entry(match *m, fighter *f, reprise_value *log, double time)
{
    if (reprise_value_count(log) >= LOG_MAX) {
        f->log_cut++;
        return NULL;
    }
    reprise_value *entry = rp_push_object(m->doc, log);
    rp_set_f32(m->doc, entry, "time", (float)time);
    return entry;
}

static void note_move(match *m, fighter *f, const rumble_player *now, double time)
{
    if (!now->stack || (f->seen && f->last.stack == now->stack))
        return;
    if (now->stack > 0 && now->stack < MOVES)
        f->moves[now->stack]++;
    reprise_value *entry = log_entry(m, f, f->move_log, time);
    const char *name = rp_enum_name(&rumble_stack_names, now->stack);
    rp_set(m->doc, entry, "move",
           name ? rp_new_text(m->doc, name) : rp_new_int(m->doc, now->stack));
}

static void note_health(match *m, fighter *f, const rumble_player *now, double time)
{
    if (f->seen && f->last.health == now->health)
        return;
    if (f->seen) {
        int change = now->health - f->last.health;
        if (change < 0)
            f->damage_taken -= change;
        else
            f->healed += change;
    }
    reprise_value *entry = log_entry(m, f, f->health_log, time);
    rp_set_int(m->doc, entry, "health", now->health);
}

static void note_motion(fighter *f, const rumble_player_derived *world, double elapsed)
{
    const rumble_player_derived *last = &f->last_world;
    f->head_distance += distance(last->head_world_pos, world->head_world_pos);
    const double hands[2] = {distance(last->lhand_world_pos, world->lhand_world_pos),
                             distance(last->rhand_world_pos, world->rhand_world_pos)};
    for (size_t i = 0; i < 2; i++) {
        f->hand_distance[i] += hands[i];
        if (elapsed > 0)
            f->hand_speed_max[i] = fmax(f->hand_speed_max[i], hands[i] / elapsed);
    }
}

static void note_stones(fighter *f, const rumble_player *now, double elapsed)
{
    const uint8_t stones[2] = {f->last.left_stone, f->last.right_stone};
    for (size_t i = 0; i < 2; i++)
        f->stone_time[RP_MIN(stones[i], STONES - 1)] += elapsed;
    uint8_t risen = now->stone_fx & (uint8_t)~f->last.stone_fx;
    for (size_t bit = 0; bit < RP_COUNT(f->stone_fx); bit++)
        f->stone_fx[bit] += risen >> bit & 1;
}

static void note_player(match *m, const rp_row *row)
{
    fighter *f = &m->fighters[row->object];
    const rumble_player *now = row->data;
    rumble_player_derived world;
    rumble_player_to_world(now, &world);
    note_move(m, f, now, row->time);
    note_health(m, f, now, row->time);
    double elapsed = f->seen ? row->time - f->last_time : 0;
    if (f->seen && elapsed > 0) {
        if (f->last.active) {
            f->time_active += elapsed;
            if (rumble_tells_stones(m->replay))
                note_stones(f, now, elapsed);
            if (now->active)
                note_motion(f, &world, elapsed);
        }
    }
    f->last = *now;
    f->last_world = world;
    f->last_time = row->time;
    f->seen = true;
}

/* ---- structures and events ---- */

static tally *tally_of(match *m, size_t structure)
{
    int64_t type = rumble_structure_type(m->replay, structure);
    return &m->tallies[type >= 0 && type < STRUCTURE_TYPES ? type : STRUCTURE_TYPES];
}

static bool is_held(const rumble_structure *s)
{
    return s->left_held || s->right_held || s->held;
}

static void note_structure(match *m, const rp_row *row)
{
    thing *t = &m->things[row->object];
    const rumble_structure *now = row->data;
    tally *sum = tally_of(m, row->object);
    bool was_active = t->seen && t->last.active;
    sum->made += now->active && !was_active;
    sum->broken += !now->active && was_active;
    sum->held += is_held(now) && !(t->seen && is_held(&t->last));
    sum->flicked += now->flicked && !(t->seen && t->last.flicked);
    t->last = *now;
    t->seen = true;
}

static void note_event(match *m, const rp_row *row)
{
    const rumble_event *event = row->data;
    if (row->present >> rumble_event_F_fx & 1)
        m->effects[event->fx]++;
    if (!event->damage || reprise_value_count(m->hits) >= LOG_MAX)
        return;
    reprise_value *hit = rp_push_object(m->doc, m->hits);
    rp_set_f32(m->doc, hit, "time", (float)row->time);
    rp_set_int(m->doc, hit, "damage", event->damage);
    if (event->player >= 0)
        rp_set_int(m->doc, hit, "player", event->player);
    const char *fx = rp_enum_name(&rumble_fx_names, event->fx);
    if (fx && event->fx)
        rp_set_text(m->doc, hit, "effect", fx);
}

static void note_marker(match *m, const rp_row *row)
{
    const rumble_marker *marker = row->data;
    m->marker_count++;
    if (reprise_value_count(m->markers) >= LOG_MAX)
        return;
    reprise_value *entry = rp_push_object(m->doc, m->markers);
    rp_set_f32(m->doc, entry, "time", (float)row->time);
    if (marker->name.data)
        rp_set(m->doc, entry, "name", rp_new_text_n(m->doc, marker->name.data, marker->name.size));
}

/* ---- one pass ---- */

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    match *m = ctx;
    switch (row->track) {
    case RUMBLE_FRAMES:
        if (!m->any_frame)
            m->first_time = row->time;
        m->any_frame = true;
        m->last_time = fmax(m->last_time, row->time);
        break;
    case RUMBLE_PLAYERS:
        note_player(m, row);
        break;
    case RUMBLE_STRUCTURES:
        note_structure(m, row);
        break;
    case RUMBLE_EVENTS:
        note_event(m, row);
        break;
    case RUMBLE_MARKERS:
        note_marker(m, row);
        break;
    default:
        break;
    }
    return REPRISE_OK;
}

static reprise_status watch(match *m, reprise_error *error)
{
    rp_selection selection = {.tracks = 1u << RUMBLE_FRAMES | 1u << RUMBLE_PLAYERS |
                                        1u << RUMBLE_STRUCTURES | 1u << RUMBLE_EVENTS |
                                        1u << RUMBLE_MARKERS};
    return rp_each_row(&m->replay->base, selection, note_row, m, error);
}

/* ---- results ---- */

static const char *player_name(const match *m, size_t index)
{
    const reprise_value *player = reprise_value_at(rp_get(m->replay->header, "Players"), index);
    return rp_get_text(player, "Name");
}

static void name_player(match *m, reprise_value *entry, size_t index)
{
    rp_set_int(m->doc, entry, "player", (int64_t)index);
    if (player_name(m, index))
        rp_set_text(m->doc, entry, "name", player_name(m, index));
}

static void record_fighter(match *m, reprise_value *list, size_t index)
{
    const fighter *f = &m->fighters[index];
    reprise_value *entry = rp_push_object(m->doc, list);
    name_player(m, entry, index);
    reprise_value *counts = rp_set_object(m->doc, entry, "moves");
    for (int i = 1; i < MOVES; i++) {
        if (f->moves[i])
            rp_set_int(m->doc, counts, rp_enum_name(&rumble_stack_names, i), f->moves[i]);
    }
    rp_set(m->doc, entry, "move_log", f->move_log);
    rp_set(m->doc, entry, "health", f->health_log);
    if (f->log_cut)
        rp_set_int(m->doc, entry, "not_logged", f->log_cut);
}

static void derive_fighter(match *m, reprise_value *list, size_t index)
{
    const fighter *f = &m->fighters[index];
    reprise_value *entry = rp_push_object(m->doc, list);
    name_player(m, entry, index);
    rp_set_f64(m->doc, entry, "time_active", f->time_active);
    rp_set_f64(m->doc, entry, "damage_taken", f->damage_taken);
    /* Who hurt whom is not recorded: it is known where there is only one other. */
    if (m->replay->player_count == 2)
        rp_set_f64(m->doc, entry, "damage_dealt", m->fighters[index ^ 1].damage_taken);
    rp_set_f64(m->doc, entry, "healed", f->healed);
    rp_set_f64(m->doc, entry, "head_distance", f->head_distance);
    static const char *const hands[2] = {"left_hand", "right_hand"};
    for (size_t i = 0; i < 2; i++) {
        reprise_value *hand = rp_set_object(m->doc, entry, hands[i]);
        rp_set_f64(m->doc, hand, "distance", f->hand_distance[i]);
        rp_set_f64(m->doc, hand, "speed_max", f->hand_speed_max[i]);
        rp_set_f64(m->doc, hand, "speed_mean",
                   f->time_active > 0 ? f->hand_distance[i] / f->time_active : 0);
    }
    reprise_value *stones = rp_set_object(m->doc, entry, "shiftstone_seconds");
    for (int i = 0; i < STONES - 1; i++) { /* the last is no stone at all */
        if (f->stone_time[i] > 0)
            rp_set_f64(m->doc, stones, rp_enum_name(&rumble_stone_names, i), f->stone_time[i]);
    }
    reprise_value *fx = rp_set_object(m->doc, entry, "shiftstone_uses");
    for (size_t bit = 0; bit < RP_COUNT(f->stone_fx); bit++) {
        if (f->stone_fx[bit])
            rp_set_int(m->doc, fx, rp_enum_name(&rumble_stone_fx_names, 1 << bit),
                       f->stone_fx[bit]);
    }
}

static void derive_structures(match *m, reprise_value *derived)
{
    reprise_value *list = rp_set_array(m->doc, derived, "structures");
    for (int type = 0; type <= STRUCTURE_TYPES; type++) {
        const tally *t = &m->tallies[type];
        if (!(t->made | t->held | t->flicked | t->broken))
            continue;
        reprise_value *entry = rp_push_object(m->doc, list);
        const char *name = rp_enum_name(&rumble_structure_names, type);
        if (name)
            rp_set_text(m->doc, entry, "type", name);
        else
            rp_set(m->doc, entry, "type",
                   type < STRUCTURE_TYPES ? rp_new_int(m->doc, type)
                                          : rp_new_text(m->doc, "unknown"));
        rp_set_int(m->doc, entry, "made", t->made);
        rp_set_int(m->doc, entry, "held", t->held);
        rp_set_int(m->doc, entry, "flicked", t->flicked);
        rp_set_int(m->doc, entry, "broken", t->broken);
    }
}

/* The health of a player at a time, from the log of changes. */
static int64_t health_at(const fighter *f, double time)
{
    int64_t health = 0;
    for (size_t i = 0; i < reprise_value_count(f->health_log); i++) {
        const reprise_value *entry = reprise_value_at(f->health_log, i);
        if (reprise_value_double(rp_get(entry, "time"), 0) > time)
            break;
        health = reprise_value_int(rp_get(entry, "health"), 0);
    }
    return health;
}

static void add_round(match *m, reprise_value *rounds, double from, double to)
{
    reprise_value *round = rp_push_object(m->doc, rounds);
    rp_set_int(m->doc, round, "round", (int64_t)reprise_value_count(rounds));
    rp_set_f32(m->doc, round, "from", (float)from);
    rp_set_f32(m->doc, round, "to", (float)to);
    reprise_value *health = rp_set_array(m->doc, round, "health_at_end");
    for (size_t i = 0; i < m->replay->player_count; i++)
        rp_push(m->doc, health, rp_new_int(m->doc, health_at(&m->fighters[i], to)));
}

/* Rounds end where the recorder put its markers; without any the match is one round. */
static void derive_rounds(match *m, reprise_value *derived)
{
    reprise_value *rounds = rp_set_array(m->doc, derived, "rounds");
    double from = m->first_time;
    for (size_t i = 0; i < reprise_value_count(m->markers); i++) {
        const reprise_value *marker = reprise_value_at(m->markers, i);
        const char *name = rp_get_text(marker, "name");
        double time = reprise_value_double(rp_get(marker, "time"), 0);
        bool ends = name &&
                    (strcmp(name, "core.roundEnded") == 0 || strcmp(name, "core.matchEnded") == 0);
        if (!ends || time <= from || time > m->last_time)
            continue;
        add_round(m, rounds, from, time);
        from = time;
    }
    if (m->any_frame && from < m->last_time)
        add_round(m, rounds, from, m->last_time);
}

static void record_pings(match *m, reprise_value *recorded)
{
    static const char *const names[][2] = {
        {"AvgPing", "average"}, {"MinPing", "least"}, {"MaxPing", "most"}};
    if (reprise_value_int(rp_get(m->replay->header, "AvgPing"), -1) < 0)
        return;
    reprise_value *pings = rp_set_object(m->doc, recorded, "ping_ms");
    for (size_t i = 0; i < RP_COUNT(names); i++)
        rp_set_int(m->doc, pings, names[i][1],
                   reprise_value_int(rp_get(m->replay->header, names[i][0]), 0));
}

static void report(match *m, reprise_value *recorded, reprise_value *derived)
{
    double length = m->last_time - m->first_time;
    rp_set_int(m->doc, recorded, "frames", m->replay->frame_count);
    record_pings(m, recorded);
    reprise_value *players = rp_set_array(m->doc, recorded, "players");
    for (size_t i = 0; i < m->replay->player_count; i++)
        record_fighter(m, players, i);
    rp_set(m->doc, recorded, "hits", m->hits);
    rp_set(m->doc, recorded, "markers", m->markers);
    reprise_value *effects = rp_set_object(m->doc, recorded, "effects");
    for (int i = 0; i < 256; i++) {
        const char *name = rp_enum_name(&rumble_fx_names, i);
        if (m->effects[i])
            rp_set_int(m->doc, effects, name ? name : "unknown", m->effects[i]);
    }
    derive_rounds(m, derived);
    players = rp_set_array(m->doc, derived, "players");
    for (size_t i = 0; i < m->replay->player_count; i++)
        derive_fighter(m, players, i);
    derive_structures(m, derived);
    rp_set_f64(m->doc, derived, "markers_per_minute",
               length > 0 ? (double)m->marker_count * 60 / length : 0);
}

reprise_status rumble_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error)
{
    match *m = rp_arena_alloc(doc->arena, sizeof *m, error);
    if (!m)
        return error->status;
    m->replay = (rumble_replay *)base;
    m->doc = doc;
    m->fighters = rp_arena_array(doc->arena, m->replay->player_count, sizeof(fighter), error);
    m->things = rp_arena_array(doc->arena, m->replay->structure_count, sizeof(thing), error);
    m->hits = rp_new_array(doc);
    m->markers = rp_new_array(doc);
    for (size_t i = 0; m->fighters && i < m->replay->player_count; i++) {
        m->fighters[i].move_log = rp_new_array(doc);
        m->fighters[i].health_log = rp_new_array(doc);
    }
    RP_TRY(error->status);
    RP_TRY(watch(m, error));
    report(m, recorded, derived);
    return error->status;
}
