/*
 * stats.c - the metrics of a match as a document: activity of players, production, curves,
 * highlights. Recorded ones come from analysis events, derived ones from orders and frames.
 */
#include "analyse.h"
#include "document.h"

enum { LIST_MAX = 100000 };

typedef struct view {
    uint32_t player;
    int32_t x, y;
} view;

/* An entry whose type is interned in a later keyframe. */
typedef struct unnamed {
    reprise_value *entry;
    uint32_t type;
} unnamed;

typedef struct stats {
    ic_replay *replay;
    rp_doc *doc;
    rp_arena arena;
    ic_analysis analysis;
    view *views;
    size_t view_count, view_capacity;
    unnamed *unnamed;
    size_t unnamed_count, unnamed_capacity;
    const ic_core *core; /* of the last keyframe, for names */
    reprise_value *curves, *production, *engagements, *highlights, *votes, *pauses;
    reprise_value *outcomes;
    reprise_error *error;
} stats;

/* A new object in a list, or NULL if the list is full. */
static reprise_value *entry(stats *s, reprise_value *list, uint64_t tick)
{
    if (reprise_value_count(list) >= LIST_MAX)
        return NULL;
    reprise_value *one = rp_push_object(s->doc, list);
    rp_set_uint(s->doc, one, "tick", tick);
    rp_set_f64(s->doc, one, "time", (double)tick * s->replay->tick_seconds);
    return one;
}

static void set_type(stats *s, reprise_value *to, uint32_t id)
{
    rp_text name = ic_name(s->core, id);
    rp_set(s->doc, to, "type",
           name.data ? rp_new_text_n(s->doc, name.data, name.size) : rp_new_uint(s->doc, id));
}

/* Strings are only ever appended, so the last keyframe names what the present one cannot. */
static void set_types_at_end(stats *s)
{
    for (size_t i = 0; i < s->unnamed_count; i++)
        set_type(s, s->unnamed[i].entry, s->unnamed[i].type);
}

static void set_type_later(stats *s, reprise_value *to, uint32_t id)
{
    unnamed *list = rp_arena_grow(&s->arena, s->unnamed, s->unnamed_count + 1, &s->unnamed_capacity,
                                  sizeof *list, s->error);
    if (!list)
        return;
    s->unnamed = list;
    s->unnamed[s->unnamed_count++] = (unnamed){to, id};
}

static void set_pos(stats *s, reprise_value *to, const ic_pos *pos)
{
    reprise_value *at = rp_set_array(s->doc, to, "pos");
    rp_push(s->doc, at, rp_new_int(s->doc, pos->x));
    rp_push(s->doc, at, rp_new_int(s->doc, pos->y));
    rp_push(s->doc, at, rp_new_int(s->doc, pos->z));
}

/* ---- events ---- */

static void add_curve(stats *s, const ic_stat_snapshot *e)
{
    reprise_value *one = entry(s, s->curves, e->tick);
    rp_set_uint(s->doc, one, "player", e->player);
    rp_set(s->doc, one, "stats",
           one ? rp_record_value(s->doc, &ic_player_stats_record, &e->stats) : NULL);
}

static void add_production(stats *s, const ic_event_summary *h)
{
    reprise_value *one = entry(s, s->production, h->tick);
    rp_set_text(s->doc, one, "what", h->production);
    rp_set_uint(s->doc, one, "player", (uint64_t)h->player);
    if (ic_name(s->core, h->type).data)
        set_type(s, one, h->type);
    else if (one)
        set_type_later(s, one, h->type);
}

static void add_highlight(stats *s, const ic_event_summary *h)
{
    reprise_value *one = entry(s, s->highlights, h->tick);
    rp_set_text(s->doc, one, "what", h->highlight);
    rp_set_f64(s->doc, one, "score", h->score);
    rp_set_uint(s->doc, one, "player", (uint64_t)h->player);
    if (h->pos)
        set_pos(s, one, h->pos);
    if (h->amount_key)
        rp_set_int(s->doc, one, h->amount_key, h->amount);
}

static void add_event(stats *s, const rp_choice *event, reprise_value *list)
{
    reprise_value *one = entry(s, list, *(const uint64_t *)event->value);
    if (!one)
        return;
    rp_set_text(s->doc, one, "what", ic_event.names[event->variant]);
    rp_set(s->doc, one, "details",
           rp_record_value(s->doc, ic_event.variants[event->variant], event->value));
}

static void add_view(stats *s, const ic_camera_sample *e)
{
    view *views = rp_arena_grow(&s->arena, s->views, s->view_count + 1, &s->view_capacity,
                                sizeof *views, s->error);
    if (!views)
        return;
    s->views = views;
    ic_cell cell = ic_cell_of(&e->viewport_center);
    s->views[s->view_count++] = (view){e->player, cell.x, cell.y};
}

static void add_facts(stats *s, const rp_choice *event)
{
    ic_event_summary h = ic_event_summary_of(event);
    const void *value = event->value;
    if (h.production)
        add_production(s, &h);
    if (h.highlight)
        add_highlight(s, &h);
    ic_analyse_event(&s->analysis, event);
    switch (event->variant) {
    case ic_event_V_PlayerStatSnapshot:
        add_curve(s, value);
        break;
    case ic_event_V_CameraPositionSample:
        add_view(s, value);
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

/* How many camera samples of each player were on each cell. */
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
    double minutes = (double)s->analysis.frames * s->replay->tick_seconds / 60;
    reprise_value *list = rp_set_array(s->doc, derived, "players");
    for (size_t i = 0; i < s->analysis.player_count; i++) {
        const ic_activity *t = &s->analysis.players[i];
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
            rp_set_uint(s->doc, groups, ic_group_action.values[k].name, t->groups[k]);
    }
}

/* Missing frames, and whether keyframes and signatures agree with the hashes of frames. */
static void set_hashes(stats *s, reprise_value *derived)
{
    const ic_hashes *hashes = &s->analysis.hashes;
    reprise_value *to = rp_set_object(s->doc, derived, "state_hashes");
    rp_set_uint(s->doc, derived, "frames_missing", s->analysis.missing_frames);
    rp_set_uint(s->doc, to, "recorded", hashes->frames);
    rp_set_uint(s->doc, to, "compared", hashes->compared);
    rp_set_uint(s->doc, to, "differences", hashes->differences);
    if (hashes->differences)
        rp_set_uint(s->doc, to, "first_difference", hashes->first_tick);
}

/* ---- reading ---- */

static void add_row(stats *s, const rp_row *row)
{
    ic_analysis *a = &s->analysis;
    uint64_t tick = (uint64_t)row->index;
    ic_hashes_found found;
    switch (row->track) {
    case IC_T_ORDERS:
        ic_analyse_order(a, &((const ic_order_data *)row->data)->order, row->time);
        break;
    case IC_T_EVENTS:
        add_facts(s, &((const ic_event_data *)row->data)->stored.event);
        break;
    case IC_T_TICKS:
        (void)ic_analyse_frame(a, tick, ((const ic_tick_row *)row->data)->state_hash, &found);
        break;
    case IC_T_KEYFRAMES:
        (void)ic_analyse_state(a, tick, ((const ic_keyframe_data *)row->data)->state.state_hash);
        break;
    case IC_T_SIGNATURES:
        (void)ic_analyse_state(a, tick, ((const ic_signature_row *)row->data)->state_hash);
        break;
    default:
        break;
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
    while ((status = rp_decoder_next(decoder, s->error)) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++)
            add_row(s, &decoder->batch.rows[i]);
    }
    set_types_at_end(s);
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
