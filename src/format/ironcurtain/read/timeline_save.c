/*
 * timeline_save.c - a save is one moment, so curves over time say nothing about it. Its tables list
 * what every player has: money and power, each unit and building with its place and health, and
 * what is being built.
 */
#include <inttypes.h>
#include <stdio.h>

#include "scene_builder.h"

static const rp_table_column side_columns[] = {
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"faction", "Faction", NULL, RP_CELL_TEXT},
    {"credits", "Credits", NULL, RP_CELL_F32},
    {"power_produced", "Power made", NULL, RP_CELL_F32},
    {"power_drained", "Power used", NULL, RP_CELL_F32},
    {"units", "Units", NULL, RP_CELL_I32},
    {"buildings", "Buildings", NULL, RP_CELL_I32},
    {"health", "Health of all", NULL, RP_CELL_F32},
    {"state", "State", NULL, RP_CELL_TEXT},
};
static const rp_table_column thing_columns[] = {
    {"type", "What", NULL, RP_CELL_TEXT},    {"kind", "Kind", NULL, RP_CELL_TEXT},
    {"player", "Owner", NULL, RP_CELL_TEXT}, {"x", "x", "cells", RP_CELL_F32},
    {"y", "y", "cells", RP_CELL_F32},        {"health", "Health", NULL, RP_CELL_I32},
    {"health_max", "of", NULL, RP_CELL_I32},
};
static const rp_table_column queue_columns[] = {
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"building", "Building", NULL, RP_CELL_TEXT},
    {"place", "Place", NULL, RP_CELL_I32},
    {"item", "What", NULL, RP_CELL_TEXT},
    {"remaining_cost", "Cost left", NULL, RP_CELL_I32},
    {"paused", "Paused", NULL, RP_CELL_TEXT},
};

/* What a player has, counted while things are read. */
typedef struct side {
    ic_player stored;
    const char *faction;
    bool listed;
    uint32_t units, buildings;
    int64_t health;
} side;

struct ic_saved_state {
    side sides[IC_SCENE_PLAYERS];
    rp_table *players, *things, *queues;
    const char *type; /* of the last thing, whose queue comes next; interned names come later */
    ic_tag tag;
};

void ic_save_begin(ic_scene_builder *s)
{
    rp_timeline *t = s->timeline;
    s->saved = rp_arena_alloc(s->arena, sizeof *s->saved, s->scene->error);
    if (!s->saved)
        return;
    s->saved->players = rp_timeline_table(t, "players", "Players", NULL, side_columns,
                                          RP_COUNT(side_columns));
    s->saved->things = rp_timeline_table(t, "things", "Units and buildings", NULL, thing_columns,
                                         RP_COUNT(thing_columns));
    s->saved->queues = rp_timeline_table(t, "queues", "Being built", NULL, queue_columns,
                                         RP_COUNT(queue_columns));
}

static const char *plain(ic_scene_builder *s, const rp_text *text)
{
    return text->data ? rp_timeline_plain(s->timeline, text->data, text->size) : "";
}

static const char *owner_name(ic_scene_builder *s, uint64_t player)
{
    const ic_owner *owner = ic_owner_of(s, player);
    return owner ? owner->name : "";
}

static void see_thing(ic_scene_builder *s, const ic_entity_data *row)
{
    const ic_entity_row *e = &row->stored;
    if (e->removed)
        return;
    const char *type = plain(s, &row->derived.type);
    const rp_cell cells[RP_COUNT(thing_columns)] = {
        {.text = *type ? type : "unknown"},  {.text = e->building ? "building" : "unit"},
        {.text = owner_name(s, e->owner)},   {.number = (double)e->pos_x / 1024},
        {.number = (double)e->pos_y / 1024}, {.number = e->health},
        {.number = e->health_max},
    };
    rp_table_row(s->timeline, s->saved->things, cells);
    s->saved->type = type;
    s->saved->tag = (ic_tag){e->index, e->generation};
    if (!ic_owner_of(s, e->owner))
        return;
    side *own = &s->saved->sides[e->owner];
    own->units += !e->building;
    own->buildings += e->building != NULL;
    own->health += e->health;
}

static void see_queue(ic_scene_builder *s, const ic_queue_data *row)
{
    const ic_thing *building = ic_thing_of(s, &(ic_tag){row->place.index, row->place.generation});
    bool known = s->saved->type && s->saved->tag.index == row->place.index &&
                 s->saved->tag.generation == row->place.generation;
    const rp_cell cells[RP_COUNT(queue_columns)] = {
        {.text = building ? owner_name(s, building->owner) : ""},
        {.text = known ? s->saved->type : ""},
        {.number = row->place.place},
        {.text = plain(s, &row->derived.item)},
        {.number = row->item.remaining_cost},
        {.text = row->place.paused ? "yes" : ""},
    };
    rp_table_row(s->timeline, s->saved->queues, cells);
}

static void see_player(ic_scene_builder *s, const ic_player_data *row)
{
    if (!ic_owner_of(s, row->stored.player))
        return;
    side *own = &s->saved->sides[row->stored.player];
    own->stored = row->stored;
    own->faction = plain(s, &row->derived.faction_name);
    own->listed = true;
}

void ic_save_row(ic_scene_builder *s, const rp_row *row)
{
    if (!s->saved)
        return;
    if (row->track == IC_T_ENTITIES)
        see_thing(s, row->data);
    else if (row->track == IC_T_QUEUES)
        see_queue(s, row->data);
    else if (row->track == IC_T_PLAYERS)
        see_player(s, row->data);
}

static void finish_side(ic_scene_builder *s, size_t player)
{
    const side *own = &s->saved->sides[player];
    const ic_player *p = &own->stored;
    rp_timeline *t = s->timeline;
    reprise_value *about = s->owners[player].about;
    double left = (double)p->power_produced - (double)p->power_drained;
    const rp_cell cells[RP_COUNT(side_columns)] = {
        {.text = s->owners[player].name},
        {.text = own->faction},
        {.number = (double)p->credits},
        {.number = (double)p->power_produced},
        {.number = (double)p->power_drained},
        {.number = own->units},
        {.number = own->buildings},
        {.number = (double)own->health},
        {.text = p->defeated ? "defeated" : "playing"},
    };
    rp_table_row(t, s->saved->players, cells);
    rp_timeline_total(t, about, "Credits", "%" PRId64, (int64_t)p->credits);
    rp_timeline_total(t, about, "Power left", "%.0f", left);
    rp_timeline_total(t, about, "Units", "%" PRIu32, own->units);
    rp_timeline_total(t, about, "Buildings", "%" PRIu32, own->buildings);
    char money[48], rest[96];
    snprintf(money, sizeof money, "%" PRId64 " credits", (int64_t)p->credits);
    snprintf(rest, sizeof rest, "power %.0f, units %" PRIu32 ", buildings %" PRIu32, left,
             own->units, own->buildings);
    rp_caption_set(t, rp_timeline_caption(t, (int32_t)player), 0, money);
    rp_caption_set(t, rp_timeline_caption(t, (int32_t)player), 0, rest);
}

void ic_save_end(ic_scene_builder *s)
{
    for (size_t i = 0; s->saved && i < s->owner_count; i++) {
        if (s->saved->sides[i].listed)
            finish_side(s, i);
    }
    rp_timeline_drop_plots(s->timeline); /* they have one point each */
}
