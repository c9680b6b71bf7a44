/* analyse.c - see analyse.h. */
#include "analyse.h"

#include <math.h>
#include <stdlib.h>

#include "geometry.h"

struct rumble_structure_state {
    rumble_structure last;
    bool seen;
    uint16_t type; /* place in by_type, once seen */
};

reprise_status rumble_analyse_begin(rumble_analysis *a, const rumble_replay *replay,
                                    rp_arena *arena, reprise_error *error)
{
    *a = (rumble_analysis){.replay = replay};
    a->players = rp_arena_array(arena, replay->player_count, sizeof *a->players, error);
    a->structures = rp_arena_array(arena, replay->structure_count, sizeof *a->structures, error);
    return error->status;
}

/* ---- players ---- */

static void add_health(rumble_player_metrics *m)
{
    int change = m->before ? m->now->health - m->before->health : 0;
    m->changes_health = !m->before || change != 0;
    m->damage = change < 0 ? -change : 0;
    m->damage_taken += m->damage;
    m->healed += change > 0 ? change : 0;
}

static void add_move(rumble_player_metrics *m)
{
    int16_t stack = m->now->stack;
    m->begins_move = stack && !(m->before && m->before->stack == stack);
    if (m->begins_move && stack > 0 && stack < RUMBLE_MOVES)
        m->move_count[stack]++;
}

static void add_motion(rumble_player_metrics *m, const rumble_player_derived *last)
{
    m->head_step = rp_distance(last->head_world_pos, m->world.head_world_pos);
    m->hand_step[0] = rp_distance(last->lhand_world_pos, m->world.lhand_world_pos);
    m->hand_step[1] = rp_distance(last->rhand_world_pos, m->world.rhand_world_pos);
    m->head_distance += m->head_step;
    for (size_t i = 0; i < 2; i++) {
        m->hand_distance[i] += m->hand_step[i];
        m->hand_speed_max[i] = fmax(m->hand_speed_max[i], m->hand_step[i] / m->elapsed);
    }
}

static void add_stone_uses(rumble_player_metrics *m)
{
    uint8_t risen = m->now->stone_fx & (uint8_t)~m->before->stone_fx;
    for (size_t bit = 0; bit < RUMBLE_STONE_EFFECTS; bit++)
        m->stone_uses[bit] += risen >> bit & 1;
}

static void add_player(rumble_analysis *a, const rp_row *row)
{
    rumble_player_metrics *m = &a->players[row->object];
    rumble_player *to = m->now == &m->held[0] ? &m->held[1] : &m->held[0];
    rumble_player_derived last = m->world;
    memcpy(to, row->data, sizeof *to);
    m->before = m->now;
    m->now = to;
    rumble_player_to_world(to, &m->world);
    m->elapsed = m->before ? a->elapsed : 0;
    m->frame = a->frames;
    add_move(m);
    add_health(m);
    bool was_active = m->before && m->before->active;
    m->joins = to->active && !was_active;
    m->moves = was_active && to->active && m->elapsed > 0;
    if (was_active && m->elapsed > 0 && rumble_has_shiftstones(a->replay))
        add_stone_uses(m);
    if (m->moves)
        add_motion(m, &last);
}

/* ---- frames ---- */

static void add_stone_time(rumble_player_metrics *m, double elapsed)
{
    const uint8_t stones[2] = {m->now->left_stone, m->now->right_stone};
    for (size_t i = 0; i < 2; i++)
        m->stone_time[RP_MIN(stones[i], RUMBLE_STONES - 1)] += elapsed;
}

/* A player without a row in a frame is as before: time passes for him all the same. */
static void add_frame(rumble_analysis *a, double time)
{
    if (!a->frames)
        a->first_time = time;
    a->elapsed = a->frames ? time - a->now : 0;
    a->now = time;
    a->last_time = fmax(a->last_time, time);
    a->frames++;
    if (!(a->elapsed > 0))
        return;
    for (size_t i = 0; i < a->replay->player_count; i++) {
        rumble_player_metrics *m = &a->players[i];
        if (!m->now || !m->now->active)
            continue;
        m->time_active += a->elapsed;
        if (rumble_has_shiftstones(a->replay))
            add_stone_time(m, a->elapsed);
    }
}

/* ---- structures, events and markers ---- */

/* Types are in the header as text: looked up once per structure, not in each of its rows. */
static rumble_structure_metrics *metrics_of(rumble_analysis *a, size_t structure)
{
    struct rumble_structure_state *state = &a->structures[structure];
    if (!state->seen) {
        int64_t type = rumble_structure_type(a->replay, structure);
        bool known = type >= 0 && type < RUMBLE_STRUCTURE_TYPES;
        state->type = (uint16_t)(known ? type : RUMBLE_STRUCTURE_TYPES);
    }
    return &a->by_type[state->type];
}

static bool is_held(const rumble_structure *s)
{
    return s->left_held || s->right_held || s->held;
}

static void add_structure(rumble_analysis *a, const rp_row *row)
{
    struct rumble_structure_state *state = &a->structures[row->object];
    const rumble_structure *now = row->data, *last = &state->last;
    rumble_structure_metrics *m = metrics_of(a, row->object);
    bool was_active = state->seen && last->active;
    m->made += now->active && !was_active;
    m->broken += !now->active && was_active;
    m->held += is_held(now) && !(state->seen && is_held(last));
    m->flicked += now->flicked && !(state->seen && last->flicked);
    state->last = *now;
    state->seen = true;
}

void rumble_analyse_row(rumble_analysis *a, const rp_row *row, double time)
{
    switch (row->track) {
    case RUMBLE_FRAMES:
        add_frame(a, time);
        break;
    case RUMBLE_PLAYERS:
        add_player(a, row);
        break;
    case RUMBLE_STRUCTURES:
        add_structure(a, row);
        break;
    case RUMBLE_EVENTS:
        a->effects[((const rumble_event *)row->data)->fx]++;
        break;
    case RUMBLE_MARKERS:
        a->marker_count++;
        break;
    default:
        break;
    }
}

/* ---- rounds ---- */

bool rumble_ends_round(rp_text name)
{
    static const char *const ends[] = {"core.roundEnded", "core.matchEnded"};
    for (size_t i = 0; i < RP_COUNT(ends); i++) {
        if (name.size == strlen(ends[i]) && memcmp(name.data, ends[i], name.size) == 0)
            return true;
    }
    return false;
}

static int by_time(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

size_t rumble_sort_rounds(float *ends, size_t count, double from, double to)
{
    size_t kept = 0;
    if (count)
        qsort(ends, count, sizeof *ends, by_time);
    for (size_t i = 0; i < count; i++) {
        if ((double)ends[i] > from && (double)ends[i] <= to) {
            from = (double)ends[i];
            ends[kept++] = ends[i];
        }
    }
    return kept;
}
