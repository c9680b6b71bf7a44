/*
 * timeline.c - the metrics of a match over time: curves as plots, orders and events as tables,
 * markers and bands.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checked.h"
#include "highlights.h"
#include "scene_builder.h"
#include "whole.h"

static const rp_table_column order_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT},
};
static const rp_table_column chat_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"text", "Text", NULL, RP_CELL_TEXT},
};
static const rp_table_column build_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT},
};
static const rp_table_column event_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"event", "Event", NULL, RP_CELL_TEXT},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"what", "What", NULL, RP_CELL_TEXT},
};

enum { PLOTS = 8 };

static void set_hud(rp_timeline *t, size_t player, const char *plot, const char *suffix)
{
    reprise_value *hud = rp_push_object(&t->doc, t->hud);
    rp_set_int(&t->doc, hud, "player", (int64_t)player);
    rp_set_text(&t->doc, hud, "plot", plot);
    rp_set_int(&t->doc, hud, "series", (int64_t)player);
    rp_set_text(&t->doc, hud, "suffix", suffix);
}

static void meet(ic_scene_builder *s, size_t index, const reprise_value *player,
                 rp_plot *const plots[PLOTS])
{
    rp_timeline *t = s->timeline;
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(player, "name"), &size);
    char number[32];
    snprintf(number, sizeof number, "Player %zu", index + 1);
    ic_owner *o = &s->owners[index];
    o->name = name && size ? rp_timeline_plain(t, name, size)
                           : rp_timeline_plain(t, number, strlen(number));
    rp_series **c = o->curves;
    rp_series **series[PLOTS] = {&c[IC_CREDITS],    &c[IC_POWER], &o->actions, &c[IC_ARMY_VALUE],
                                 &c[IC_HARVESTERS], &c[IC_KILLS], &o->health,  &c[IC_INCOME]};
    for (size_t i = 0; i < RP_COUNT(series); i++)
        *series[i] = rp_plot_series(t, plots[i], o->name, (int32_t)index);
    o->about = rp_topdown_map_add_player(&s->over, o->name, NULL);
    rp_set_text_if(&t->doc, o->about, "faction", rp_get_text(player, "faction"));
    rp_timeline_outcome(t, o->about, rp_get_text(player, "outcome"));
    if (s->is_save)
        return;
    set_hud(t, index, "economy", " credits");
    set_hud(t, index, "army", " army");
    set_hud(t, index, "power", " power");
}

void ic_timeline_begin(ic_scene_builder *s)
{
    rp_timeline *t = s->timeline;
    t->clock_unit = "tick";
    rp_plot *const plots[PLOTS] = {
        rp_timeline_plot(t, "economy", "Credits", "credits", "line", 0, 0),
        rp_timeline_plot(t, "power", "Power left", "units", "step", 0, 0),
        rp_timeline_plot(t, "apm", "Actions per minute", "1/min", "line", 0, 0),
        rp_timeline_plot(t, "army", "Army value", "credits", "line", 0, 0),
        rp_timeline_plot(t, "harvesters", "Harvesters", "units", "step", 0, 0),
        rp_timeline_plot(t, "kills", "Units and buildings destroyed", "in all", "step", 0, 0),
        rp_timeline_plot(t, "health", "Health of everything owned", "points", "line", 0, 0),
        rp_timeline_plot(t, "income", "Income", "credits/min", "line", 0, 0),
    };
    const reprise_value *players = rp_get(s->metadata, "players");
    s->owner_count = RP_MIN(reprise_value_count(players), IC_SCENE_PLAYERS);
    for (size_t i = 0; i < s->owner_count; i++)
        meet(s, i, reprise_value_at(players, i), plots);
    s->fighting_since = -1;
    if (s->is_save) {
        ic_save_begin(s);
        return;
    }
    s->orders = rp_timeline_table(t, "orders", "Orders", "t", order_columns,
                                  RP_COUNT(order_columns));
    s->builds = rp_timeline_table(t, "builds", "Build order", "t", build_columns,
                                  RP_COUNT(build_columns));
    s->chat = rp_timeline_table(t, "chat", "Chat", "t", chat_columns, RP_COUNT(chat_columns));
    s->events = rp_timeline_table(t, "events", "Events", "t", event_columns,
                                  RP_COUNT(event_columns));
    s->deaths = rp_timeline_heat(t, "deaths", "Where things were destroyed", RP_MAP_HEAT_M);
    s->views = rp_timeline_heat(t, "views", "Where players looked", RP_MAP_HEAT_M);
    s->combat = rp_timeline_heat(t, "combat", "Where there was fighting", RP_MAP_HEAT_M);
    s->harvest = rp_timeline_heat(t, "harvest", "Where resources were taken", RP_MAP_HEAT_M);
}

/* ---- states ---- */

static void add_sample(ic_scene_builder *s, const ic_sample *sample)
{
    const ic_owner *o = ic_owner_of(s, sample->player);
    for (size_t i = 0; o && i < sample->count; i++)
        rp_series_add(s->timeline, o->curves[i], (double)s->scene->now, sample->values[i]);
}

void ic_timeline_player(ic_scene_builder *s, const ic_player *p)
{
    ic_owner *o = ic_owner_of(s, p->player);
    double now = (double)s->scene->now;
    ic_sample sample = ic_sample_state(p);
    if (!o || !s->shown)
        return;
    add_sample(s, &sample);
    if (p->defeated && !o->defeated) {
        char text[160];
        snprintf(text, sizeof text, "%s is out", o->name);
        rp_timeline_marker(s->timeline, now, "elimination", (int32_t)p->player, 5, text);
    }
    o->defeated = p->defeated;
}

void ic_timeline_gathered(ic_scene_builder *s, const ic_cell *cell, int64_t amount)
{
    rp_heat_add_many(s->harvest, cell->x + 0.5, cell->y + 0.5,
                     (uint32_t)RP_MIN(amount, (int64_t)UINT32_MAX));
}

void ic_timeline_label(ic_scene_builder *s, ic_thing *thing, const char *name)
{
    if (thing->labelled || !*name || strcmp(name, ic_unknown) == 0)
        return;
    thing->labelled = true;
    rp_doc *doc = &s->timeline->doc;
    reprise_value *to = rp_push_object(doc, s->timeline->labels);
    rp_set_int(doc, to, "node", thing->node - 1);
    rp_set_text(doc, to, "text", name);
    if (ic_owner_of(s, thing->owner))
        rp_set_int(doc, to, "player", thing->owner);
}

/* Called after the last row of a state. */
void ic_timeline_state(ic_scene_builder *s)
{
    for (size_t i = 0; i < s->owner_count; i++)
        rp_series_add(s->timeline, s->owners[i].health, (double)s->state_now,
                      (double)s->owners[i].health_sum);
}

/* ---- orders ---- */

void ic_timeline_seconds(ic_scene_builder *s, double until)
{
    for (int64_t last = rp_whole(fmin(floor(until), 1e6)); s->second < last; s->second++) {
        for (size_t i = 0; i < s->owner_count; i++) {
            uint64_t apm = ic_actions_per_minute(&s->analysis, (uint32_t)i, s->second);
            rp_series_add(s->timeline, s->owners[i].actions, (double)s->second, (double)apm);
        }
    }
}

static const char *name_of(ic_scene_builder *s, uint64_t player)
{
    const ic_owner *o = ic_owner_of(s, player);
    return o ? o->name : "";
}

static int32_t slot_of(ic_scene_builder *s, uint64_t player)
{
    return ic_owner_of(s, player) ? (int32_t)player : -1;
}

static void add_build(ic_scene_builder *s, const ic_order_data *row, double now)
{
    const ic_game_order_row *game = row->derived.game_order;
    if (!game)
        return;
    const rp_text *item = NULL;
    switch (game->value.variant) {
    case ic_known_order_V_Produce:
        item = &((const ic_produce *)game->value.value)->item;
        break;
    case ic_known_order_V_PlaceBuilding:
        item = &((const ic_place *)game->value.value)->item;
        break;
    default:
        return;
    }
    const rp_cell cells[RP_COUNT(build_columns)] = {
        {.number = now},
        {.text = name_of(s, row->order.player)},
        {.text = rp_timeline_plain(s->timeline, item->data, item->size)},
        {.text = ic_known_order.names[game->value.variant]},
    };
    rp_table_row(s->timeline, s->builds, cells);
}

static void add_chat(ic_scene_builder *s, const ic_order *order, double now)
{
    const ic_chat *chat = order->order.as.chat_message;
    const char *text = rp_timeline_plain(s->timeline, chat->text.data, chat->text.size);
    const rp_cell cells[RP_COUNT(chat_columns)] = {
        {.number = now}, {.text = name_of(s, order->player)}, {.text = text}};
    rp_table_row(s->timeline, s->chat, cells);
    rp_timeline_marker(s->timeline, now, "chat", slot_of(s, order->player), 1, text);
}

void ic_timeline_order(ic_scene_builder *s, const ic_order_data *row)
{
    double now = (double)s->scene->now;
    const ic_order *order = &row->order;
    const rp_text *kind = &row->derived.kind;
    const rp_cell cells[RP_COUNT(order_columns)] = {
        {.number = now},
        {.text = name_of(s, order->player)},
        {.text = kind->data ? rp_timeline_plain(s->timeline, kind->data, kind->size) : ""},
    };
    rp_table_row(s->timeline, s->orders, cells);
    ic_analyse_order(&s->analysis, order, now);
    if (order->order.variant == ic_player_order_V_ChatMessage)
        add_chat(s, order, now);
    else if (order->order.variant == ic_player_order_V_Vote)
        ic_timeline_vote_order(s, order);
    else if (order->order.variant == ic_player_order_V_GameOrder)
        add_build(s, row, now);
}

/* ---- events ---- */

/* Adds a row to the table, and a marker if it has a weight. */
static void note(ic_scene_builder *s, const rp_choice *event, int64_t player, unsigned weight,
                 const char *what)
{
    double now = (double)s->scene->now;
    uint64_t whose = player < 0 ? UINT64_MAX : (uint64_t)player;
    const char *kind = ic_event.names[event->variant];
    const rp_cell cells[RP_COUNT(event_columns)] = {
        {.number = now}, {.text = kind}, {.text = name_of(s, whose)}, {.text = what}};
    rp_table_row(s->timeline, s->events, cells);
    if (!weight)
        return;
    char text[160];
    const char *name = name_of(s, whose);
    snprintf(text, sizeof text, "%s%s%s", name, *name && *what ? ": " : "", what);
    rp_timeline_marker(s->timeline, now, kind, slot_of(s, whose), weight, *text ? text : kind);
}

static void note_destroyed(ic_scene_builder *s, const rp_choice *event)
{
    const ic_unit_destroyed *e = event->value;
    const ic_thing *thing = ic_thing_of(s, &e->tag);
    char what[96];
    snprintf(what, sizeof what, "%s lost",
             thing ? ic_scene_builder_name(s, thing->type) : "something");
    note(s, event, thing ? (int64_t)thing->owner : -1,
         thing && thing->look == IC_LOOK_BUILDING ? 4 : 2, what);
    if (!thing)
        return;
    rp_heat_add(s->deaths, (double)thing->position.x, (double)thing->position.z);
    if (e->killer_tag || e->killer_owner)
        rp_heat_add(s->combat, (double)thing->position.x, (double)thing->position.z);
}

/* A stretch of fighting; `share` of those in it were lost. */
static void add_fight(ic_scene_builder *s, double from, double to, double share, const char *text)
{
    rp_timeline_band(s->timeline, &(rp_band){.from = (float)fmax(from, 0),
                                             .to = (float)to,
                                             .level = (float)fmin(fmax(share, 0.2), 1),
                                             .kind = "fight",
                                             .text = text,
                                             .player = -1});
}

static void note_fight(ic_scene_builder *s, const ic_pos *pos)
{
    rp_vec3 at = ic_scene_builder_position(pos, 0);
    rp_heat_add(s->combat, (double)at.x, (double)at.z);
}

static void note_engagement_end(ic_scene_builder *s, const rp_choice *event)
{
    const ic_engagement_ended *e = event->value;
    double now = (double)s->scene->now;
    char text[64];
    snprintf(text, sizeof text, "%u and %u lost", e->friendly_losses, e->enemy_losses);
    note(s, event, -1, 0, text);
    note_fight(s, &e->center_pos);
    double from = now - (double)e->duration_ticks * s->tick_s;
    add_fight(s, from, now, ic_loss_share(e), text);
    char words[96];
    snprintf(words, sizeof words, "Engagement: %s", text);
    rp_timeline_highlight(s->timeline, &(rp_highlight){fmax(from, 0), from, now,
                                                       0.7 * ic_loss_share(e), "fight", words, -1});
    s->fighting_since = -1;
}

static void mark_desync(ic_scene_builder *s, uint64_t tick)
{
    double time = rp_scene_time(s->scene, (double)tick * s->tick_s);
    if (rp_scene_contains(s->scene, time))
        rp_timeline_marker(s->timeline, time, "desync", -1, 5, "Worlds differ from here on");
}

/* A match that a desync ended names the tick from which the worlds differed. */
static void note_end(ic_scene_builder *s, const ic_match_ended *e)
{
    const reprise_ic_match_outcome *outcome = &e->outcome;
    if (outcome->variant == ic_match_outcome_V_DesyncTerminated)
        mark_desync(s, outcome->as.desync_terminated->first_divergence_tick);
}

static void note_completed(ic_scene_builder *s, const rp_choice *event)
{
    const ic_construction_completed *e = event->value;
    const ic_thing *thing = ic_thing_of(s, &e->tag);
    note(s, event, thing ? (int64_t)thing->owner : -1, 2,
         thing ? ic_scene_builder_name(s, thing->type) : "building");
}

static void note_view(ic_scene_builder *s, const ic_camera_sample *e)
{
    rp_vec3 at = ic_scene_builder_position(&e->viewport_center, 0);
    rp_heat_add(s->views, (double)at.x, (double)at.z);
}

/* Events that the analysis of the game scores. */
static void highlight_event(ic_scene_builder *s, const ic_event_summary *h)
{
    double now = (double)s->scene->now;
    const char *what = h->text ? h->text : ic_scene_builder_name(s, h->type);
    const char *who = name_of(s, h->player < 0 ? UINT64_MAX : (uint64_t)h->player);
    char text[160];
    snprintf(text, sizeof text, "%s%s%s", who, *who ? ": " : "", what);
    rp_timeline_highlight(
        s->timeline, &(rp_highlight){now, now - 5, now + 5, h->score, h->highlight, text,
                                     slot_of(s, h->player < 0 ? UINT64_MAX : (uint64_t)h->player)});
}

static void note_happening(ic_scene_builder *s, const rp_choice *event)
{
    ic_event_summary h = ic_event_summary_of(event);
    if (h.highlight)
        highlight_event(s, &h);
    if (!h.listed)
        return;
    note(s, event, h.player, h.weight, h.text ? h.text : ic_scene_builder_name(s, h.type));
}

void ic_timeline_event(ic_scene_builder *s, const rp_choice *event)
{
    const void *e = event->value;
    ic_sample sample;
    note_happening(s, event);
    switch (event->variant) {
    case ic_event_V_PlayerStatSnapshot:
        sample = ic_sample_event(e);
        add_sample(s, &sample);
        break;
    case ic_event_V_CameraPositionSample:
        note_view(s, e);
        break;
    case ic_event_V_UnitDestroyed:
        note_destroyed(s, event);
        break;
    case ic_event_V_ConstructionCompleted:
        note_completed(s, event);
        break;
    case ic_event_V_MatchEnded:
        note_end(s, e);
        break;
    case ic_event_V_EngagementStarted:
        note_fight(s, &((const ic_engagement_started *)e)->center_pos);
        if (s->fighting_since < 0)
            s->fighting_since = s->scene->now;
        break;
    case ic_event_V_EngagementEnded:
        note_engagement_end(s, event);
        break;
    case ic_event_V_VoteEvent:
        ic_timeline_vote(s, e);
        break;
    case ic_event_V_SuperweaponFired:
        note_fight(s, &((const ic_superweapon_fired *)e)->target_pos);
        break;
    default:
        break;
    }
}

/* ---- voices ---- */

/* The voice of each player is one file that starts with the recording. */
static void set_voices(ic_scene_builder *s)
{
    static const char folder[] = "voice/player-";
    rp_replay *replay = s->replay;
    rp_doc *doc = &s->timeline->doc;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (rp_replay_blobs(replay, &damage) != REPRISE_OK) {
        /* The match can be shown without them. */
        (void)rp_skip_damage(replay, &damage, doc->error);
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < replay->blob_count; i++) {
        const reprise_blob *blob = &replay->blobs[i];
        if (strcmp(blob->kind, "voice") != 0 || strncmp(blob->name, folder, sizeof folder - 1) != 0)
            continue;
        const ic_owner *owner = ic_owner_of(
            s, (uint32_t)strtoul(blob->name + sizeof folder - 1, NULL, 10));
        reprise_value *voice = rp_push_object(doc, s->timeline->voices);
        rp_set_int(doc, voice, "player", owner ? (int64_t)(owner - s->owners) : -1);
        rp_set_f64(doc, voice, "t", rp_scene_time(s->scene, 0));
        rp_set(doc, voice, "src", rp_new_format(doc, "v%zu.ogg", count++));
        rp_set_text(doc, voice, "part", blob->name);
    }
}

/* What `stats` says about the complete match. */
static void set_totals(ic_scene_builder *s)
{
    for (size_t i = 0; i < s->analysis.player_count && rp_scene_is_complete(s->scene); i++) {
        const ic_activity *activity = &s->analysis.players[i];
        const ic_owner *o = ic_owner_of(s, activity->player);
        if (!o)
            continue;
        rp_timeline_total(s->timeline, o->about, "Orders", "%" PRIu64, activity->orders);
        rp_timeline_total(s->timeline, o->about, "Actions", "%" PRIu64, activity->actions);
    }
}

void ic_timeline_end(ic_scene_builder *s)
{
    set_totals(s);
    double end = rp_scene_duration(s->scene);
    ic_timeline_seconds(s, end + 1);
    ic_timeline_states(s);
    const reprise_value *source = rp_get(s->metadata, "converted_from");
    uint64_t diverged = reprise_value_uint(rp_get(source, "diverged_at_tick"), UINT64_MAX);
    if (diverged != UINT64_MAX)
        mark_desync(s, diverged);
    if (s->fighting_since >= 0)
        add_fight(s, (double)s->fighting_since, end, 0, "still fighting at the end");
    set_voices(s);
    rp_timeline_set_highlights(s->timeline, end);
    if (s->is_save)
        ic_save_end(s);
}
