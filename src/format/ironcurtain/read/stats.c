/*
 * stats.c - the numbers people ask for: who did how much, what was built when, how the money went,
 * what was worth watching. Recorded ones come from analysis events, derived ones from orders.
 */
#include "hashes.h"
#include "read.h"

enum { LIST_MAX = 100000, PLAYERS_COUNTED = IC_PLAYERS_MAX, CELL = 1024 };

typedef struct tally {
    uint32_t player;
    uint64_t orders, actions; /* actions: what changes the game, without chat and pings */
    uint64_t by_kind[ic_player_order_V_COUNT];
    uint64_t selections, selected_units, groups[3];
} tally;

typedef struct view {
    uint32_t player;
    int32_t x, y;
} view;

typedef struct stats {
    ic_replay *replay;
    rp_doc *doc;
    rp_arena arena;
    tally tallies[PLAYERS_COUNTED];
    size_t tally_count;
    view *views;
    size_t view_count, view_capacity;
    const ic_core *core; /* of the last keyframe, for names */
    reprise_value *curves, *production, *engagements, *highlights, *votes, *pauses;
    reprise_value *outcomes;
    uint64_t ticks, missing; /* frames that are there, and that are not between them */
    ic_hashes hashes;
    reprise_error *error;
} stats;

static tally *tally_of(stats *s, uint32_t player)
{
    for (size_t i = 0; i < s->tally_count; i++) {
        if (s->tallies[i].player == player)
            return &s->tallies[i];
    }
    if (s->tally_count == PLAYERS_COUNTED)
        return NULL;
    s->tallies[s->tally_count] = (tally){.player = player};
    return &s->tallies[s->tally_count++];
}

/* A new object of a list, or NULL when the list is long enough. */
static reprise_value *entry(stats *s, reprise_value *list, uint64_t tick)
{
    if (reprise_value_count(list) >= LIST_MAX)
        return NULL;
    reprise_value *one = rp_push_object(s->doc, list);
    rp_set_uint(s->doc, one, "tick", tick);
    rp_set_f64(s->doc, one, "time", (double)tick * s->replay->tick_seconds);
    return one;
}

static void set_name(stats *s, reprise_value *to, const char *key, uint32_t id)
{
    rp_text name = s->core ? ic_name(s->core, id) : (rp_text){0};
    rp_set(s->doc, to, key,
           name.data ? rp_new_text_n(s->doc, name.data, name.size) : rp_new_uint(s->doc, id));
}

static void set_pos(stats *s, reprise_value *to, const ic_pos *pos)
{
    reprise_value *at = rp_set_array(s->doc, to, "pos");
    rp_push(s->doc, at, rp_new_int(s->doc, pos->x));
    rp_push(s->doc, at, rp_new_int(s->doc, pos->y));
    rp_push(s->doc, at, rp_new_int(s->doc, pos->z));
}

/* ---- orders ---- */

static bool is_action(uint32_t kind)
{
    switch (kind) {
    case ic_player_order_V_Move:
    case ic_player_order_V_Attack:
    case ic_player_order_V_Stop:
    case ic_player_order_V_GameOrder:
        return true;
    default:
        return false;
    }
}

static void count_order(stats *s, const ic_order *order)
{
    tally *t = tally_of(s, order->player);
    if (!t)
        return;
    t->orders++;
    t->by_kind[order->order.variant]++;
    t->actions += is_action(order->order.variant);
}

/* ---- events ---- */

static void add_curve(stats *s, const ic_stat_snapshot *e)
{
    reprise_value *one = entry(s, s->curves, e->tick);
    rp_set_uint(s->doc, one, "player", e->player);
    rp_set(
        s->doc, one, "stats",
        one ? ic_record_value(s->doc, s->replay->base.context, &ic_player_stats_record, &e->stats)
            : NULL);
}

static void add_production(stats *s, const ic_unit_created *e, const char *what)
{
    reprise_value *one = entry(s, s->production, e->tick);
    rp_set_text(s->doc, one, "what", what);
    rp_set_uint(s->doc, one, "player", e->owner);
    set_name(s, one, "type", e->unit_type);
}

/* What is worth watching, by the values the event documentation gives. */
static reprise_value *add_highlight(stats *s, uint64_t tick, const char *what, double score,
                                    uint32_t player)
{
    reprise_value *one = entry(s, s->highlights, tick);
    rp_set_text(s->doc, one, "what", what);
    rp_set_f64(s->doc, one, "score", score);
    rp_set_uint(s->doc, one, "player", player);
    return one;
}

static void add_event(stats *s, const rp_choice *event, reprise_value *list)
{
    reprise_value *one = entry(s, list, *(const uint64_t *)event->value);
    if (!one)
        return;
    rp_set_text(s->doc, one, "what", ic_event.names[event->variant]);
    rp_set(s->doc, one, "details",
           ic_record_value(s->doc, s->replay->base.context, ic_event.variants[event->variant],
                           event->value));
}

static void add_view(stats *s, const ic_camera_sample *e)
{
    if (s->view_count == s->view_capacity) {
        size_t capacity = s->view_capacity ? s->view_capacity * 2 : 256;
        view *views = rp_arena_array(&s->arena, capacity, sizeof *views, s->error);
        if (!views)
            return;
        if (s->view_count)
            memcpy(views, s->views, s->view_count * sizeof *views);
        s->views = views;
        s->view_capacity = capacity;
    }
    const ic_pos *at = &e->viewport_center;
    /* Division that rounds down, so that cells left of the map are cells too. */
    int32_t x = at->x / CELL - (at->x % CELL < 0), y = at->y / CELL - (at->y % CELL < 0);
    s->views[s->view_count++] = (view){e->player, x, y};
}

static void count_selection(stats *s, const ic_selection_changed *e)
{
    tally *t = tally_of(s, e->player);
    if (!t)
        return;
    t->selections++;
    t->selected_units += e->added.count;
}

static void count_group(stats *s, const ic_control_group *e)
{
    tally *t = tally_of(s, e->player);
    if (t)
        t->groups[e->action]++;
}

static void highlight(stats *s, const rp_choice *event)
{
    const void *value = event->value;
    switch (event->variant) {
    case ic_event_V_SuperweaponFired: {
        const ic_superweapon_fired *e = value;
        set_pos(s, add_highlight(s, e->tick, "superweapon", 0.9, e->player), &e->target_pos);
        break;
    }
    case ic_event_V_BaseDestroyed: {
        const ic_base_destroyed *e = value;
        set_pos(s, add_highlight(s, e->tick, "base destroyed", 0.85, e->player), &e->pos);
        break;
    }
    case ic_event_V_ArmyWipe: {
        const ic_army_wipe *e = value;
        rp_set_int(s->doc, add_highlight(s, e->tick, "army wipe", 0.8, e->player), "value_lost",
                   e->total_value_lost);
        break;
    }
    case ic_event_V_ComebackMoment: {
        const ic_comeback *e = value;
        rp_set_int(s->doc, add_highlight(s, e->tick, "comeback", 0.75, e->player), "swing",
                   e->swing_value);
        break;
    }
    default:
        break;
    }
}

static void count_event(stats *s, const rp_choice *event)
{
    const void *value = event->value;
    highlight(s, event);
    switch (event->variant) {
    case ic_event_V_UnitCreated:
        add_production(s, value, "unit created");
        break;
    case ic_event_V_ConstructionStarted: {
        const ic_construction_started *e = value;
        ic_unit_created same = {e->tick, e->tag, e->unit_type, e->owner, e->pos};
        add_production(s, &same, "construction started");
        break;
    }
    case ic_event_V_UpgradeCompleted: {
        const ic_upgrade_completed *e = value;
        reprise_value *one = entry(s, s->production, e->tick);
        rp_set_text(s->doc, one, "what", "upgrade completed");
        rp_set_uint(s->doc, one, "player", e->player);
        set_name(s, one, "type", e->upgrade_id);
        break;
    }
    case ic_event_V_PlayerStatSnapshot:
        add_curve(s, value);
        break;
    case ic_event_V_CameraPositionSample:
        add_view(s, value);
        break;
    case ic_event_V_SelectionChanged:
        count_selection(s, value);
        break;
    case ic_event_V_ControlGroupEvent:
        count_group(s, value);
        break;
    case ic_event_V_EngagementStarted:
    case ic_event_V_EngagementEnded:
        add_event(s, event, s->engagements);
        break;
    case ic_event_V_VoteEvent:
        add_event(s, event, s->votes);
        break;
    case ic_event_V_PauseEvent:
        add_event(s, event, s->pauses);
        break;
    case ic_event_V_MatchEnded:
        add_event(s, event, s->outcomes);
        break;
    default:
        break;
    }
}

/* ---- results ---- */

static int compare_views(const view *a, const view *b)
{
    if (a->player != b->player)
        return a->player < b->player ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

static void sift(view *views, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare_views(&views[child], &views[child + 1]) < 0)
            child++;
        if (compare_views(&views[at], &views[child]) >= 0)
            return;
        view swap = views[at];
        views[at] = views[child];
        views[child] = swap;
    }
}

static void sort_views(view *views, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(views, i, count);
    for (size_t end = count; end-- > 1;) {
        view swap = views[0];
        views[0] = views[end];
        views[end] = swap;
        sift(views, 0, end);
    }
}

/* How often the camera of each player rested on each cell. */
static void set_attention(stats *s, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(s->doc, recorded, "camera_cells");
    sort_views(s->views, s->view_count);
    for (size_t i = 0, n; i < s->view_count; i += n) {
        for (n = 1; i + n < s->view_count && compare_views(&s->views[i], &s->views[i + n]) == 0;)
            n++;
        if (reprise_value_count(list) >= LIST_MAX)
            return;
        reprise_value *one = rp_push_object(s->doc, list);
        rp_set_uint(s->doc, one, "player", s->views[i].player);
        rp_set_int(s->doc, one, "x", s->views[i].x);
        rp_set_int(s->doc, one, "y", s->views[i].y);
        rp_set_uint(s->doc, one, "samples", n);
    }
}

static void set_players(stats *s, reprise_value *derived)
{
    double minutes = (double)s->ticks * s->replay->tick_seconds / 60;
    reprise_value *list = rp_set_array(s->doc, derived, "players");
    for (size_t i = 0; i < s->tally_count; i++) {
        const tally *t = &s->tallies[i];
        reprise_value *one = rp_push_object(s->doc, list);
        rp_set_uint(s->doc, one, "player", t->player);
        rp_set_uint(s->doc, one, "orders", t->orders);
        rp_set_uint(s->doc, one, "actions", t->actions);
        if (minutes > 0) {
            rp_set_f64(s->doc, one, "orders_per_minute", (double)t->orders / minutes);
            rp_set_f64(s->doc, one, "actions_per_minute", (double)t->actions / minutes);
        }
        reprise_value *kinds = rp_set_object(s->doc, one, "by_kind");
        for (size_t k = 0; k < ic_player_order_V_COUNT; k++) {
            if (t->by_kind[k])
                rp_set_uint(s->doc, kinds, ic_player_order.names[k], t->by_kind[k]);
        }
        rp_set_uint(s->doc, one, "selections", t->selections);
        rp_set_uint(s->doc, one, "selected_units", t->selected_units);
        reprise_value *groups = rp_set_object(s->doc, one, "control_groups");
        for (size_t k = 0; k < RP_COUNT(t->groups); k++)
            rp_set_uint(s->doc, groups, ic_group_actions.values[k].name, t->groups[k]);
    }
}

/* Frames that are missing, and whether keyframes and signatures fit the hashes of frames. */
static void set_hashes(stats *s, reprise_value *derived)
{
    reprise_value *to = rp_set_object(s->doc, derived, "state_hashes");
    rp_set_uint(s->doc, derived, "frames_missing", s->missing);
    rp_set_uint(s->doc, to, "recorded", s->hashes.frames);
    rp_set_uint(s->doc, to, "compared", s->hashes.compared);
    rp_set_uint(s->doc, to, "differences", s->hashes.differences);
    if (s->hashes.differences)
        rp_set_uint(s->doc, to, "first_difference", s->hashes.first_tick);
}

/* ---- reading ---- */

static void count_tick(stats *s, uint64_t tick, const ic_tick_row *row)
{
    s->ticks++;
    if (s->hashes.any_frame && tick > s->hashes.frame_tick)
        s->missing += tick - s->hashes.frame_tick - 1;
    ic_hashes_frame(&s->hashes, tick, row->state_hash);
}

static void count_rows(stats *s, const rp_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track == IC_T_ORDERS)
            count_order(s, &((const ic_order_data *)row->data)->order);
        else if (row->track == IC_T_EVENTS)
            count_event(s, &((const ic_event_data *)row->data)->stored.event);
        else if (row->track == IC_T_TICKS)
            count_tick(s, (uint64_t)row->index, row->data);
        else if (row->track == IC_T_KEYFRAMES)
            ic_hashes_state(&s->hashes, (uint64_t)row->index,
                            ((const ic_keyframe_data *)row->data)->state.state_hash);
        else if (row->track == IC_T_SIGNATURES)
            ic_hashes_state(&s->hashes, (uint64_t)row->index,
                            ((const ic_signature_row *)row->data)->state_hash);
    }
}

static reprise_status read_all(stats *s)
{
    rp_selection selection = {.tracks = UINT64_C(1) << IC_T_ORDERS | UINT64_C(1) << IC_T_TICKS |
                                        UINT64_C(1) << IC_T_EVENTS | UINT64_C(1) << IC_T_STRINGS |
                                        UINT64_C(1) << IC_T_KEYFRAMES |
                                        UINT64_C(1) << IC_T_SIGNATURES};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&s->replay->base, selection, &decoder, s->error));
    s->core = &((const ic_decoder *)decoder)->loader.now.core;
    reprise_status status;
    while ((status = rp_decoder_next(decoder, s->error)) == REPRISE_OK)
        count_rows(s, &decoder->batch);
    rp_decoder_close(decoder);
    s->core = NULL;
    return status == REPRISE_END ? REPRISE_OK : status;
}

reprise_status ic_replay_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                               reprise_value *derived, reprise_error *error)
{
    stats s = {.replay = (ic_replay *)base, .doc = doc, .error = error};
    rp_arena_init(&s.arena, base->context);
    rp_set(doc, recorded, "players", rp_get(s.replay->metadata, "players"));
    s.outcomes = rp_set_array(doc, recorded, "outcome");
    s.curves = rp_set_array(doc, recorded, "curves");
    s.production = rp_set_array(doc, recorded, "production");
    s.engagements = rp_set_array(doc, recorded, "engagements");
    s.highlights = rp_set_array(doc, recorded, "highlights");
    s.votes = rp_set_array(doc, recorded, "votes");
    s.pauses = rp_set_array(doc, recorded, "pauses");
    reprise_status status = read_all(&s);
    if (status == REPRISE_OK) {
        set_attention(&s, recorded);
        set_players(&s, derived);
        set_hashes(&s, derived);
    }
    rp_arena_free(&s.arena);
    return status;
}
