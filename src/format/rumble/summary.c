/* summary.c - a RUMBLE replay in one line: who, where, how long, and how it ended. */
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>

#include "rumble.h"

enum { PLAYERS_MAX = 8, HEALTH_CHANGES_MIN = 4 };

/* The only player with health left at the end of a round, or -1: it is not decided. */
static int winner_of(const reprise_value *health)
{
    int winner = -1;
    for (size_t i = 0; i < reprise_value_count(health); i++) {
        if (reprise_value_int(reprise_value_at(health, i), 0) <= 0)
            continue;
        if (winner >= 0)
            return -1;
        winner = (int)i;
    }
    return winner;
}

/* Rounds won by each player. Returns the number of players, or 0 if no round was decided. */
static size_t count_wins(const rp_summary_source *from, unsigned wins[PLAYERS_MAX])
{
    const reprise_value *rounds = rp_summary_find(from->stats, "derived.rounds");
    size_t players = 0;
    bool any = false;
    for (size_t i = 0; i < reprise_value_count(rounds); i++) {
        const reprise_value *health = rp_get(reprise_value_at(rounds, i), "health_at_end");
        players = reprise_value_count(health);
        int winner = players > 1 && players <= PLAYERS_MAX ? winner_of(health) : -1;
        if (winner >= 0)
            wins[winner]++;
        any = any || winner >= 0;
    }
    return any ? players : 0;
}

/* "2:1": the rounds that each player won, in the order of the players. */
static reprise_value *result(rp_doc *doc, const rp_summary_source *from)
{
    unsigned wins[PLAYERS_MAX] = {0};
    size_t players = count_wins(from, wins);
    char text[PLAYERS_MAX * 12] = "";
    size_t size = 0;
    for (size_t i = 0; i < players; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%u", i ? ":" : "", wins[i]);
    return players ? rp_new_text_n(doc, text, size) : NULL;
}

static reprise_value *winner(rp_doc *doc, const rp_summary_source *from)
{
    unsigned wins[PLAYERS_MAX] = {0}, most = 0;
    size_t players = count_wins(from, wins), best = 0, leaders = 0;
    for (size_t i = 0; i < players; i++)
        most = wins[i] > most ? wins[i] : most;
    for (size_t i = 0; i < players; i++) {
        best = wins[i] == most ? i : best;
        leaders += wins[i] == most;
    }
    const reprise_value *people = rp_get(from->info, "people");
    const char *name = rp_get_text(reprise_value_at(people, best), "name");
    return name && leaders == 1 ? rp_new_text(doc, name) : NULL;
}

static const rp_summary_column columns[] = {
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_players,
     .doc = "names of the players"},
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "name of the map"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the recording"},
    {.name = "result",
     .type = RP_SUMMARY_TEXT,
     .make = result,
     .analysed = true,
     .doc = "rounds won by each player: those at whose end only this one had health left"},
    {.name = "date",
     .type = RP_SUMMARY_DATE,
     .path = "date",
     .doc = "when it was recorded, by the clock of the recorder"},
    {.name = "winner",
     .type = RP_SUMMARY_TEXT,
     .make = winner,
     .analysed = true,
     .extra = true,
     .doc = "name of the player who won most rounds"},
    {.name = "title", .type = RP_SUMMARY_TEXT, .path = "title", .extra = true, .doc = "title"},
    {.name = "version",
     .type = RP_SUMMARY_TEXT,
     .path = "version",
     .extra = true,
     .doc = "version of the recorder"},
};

/* ---- two recordings of one match ---- */

typedef struct player_health {
    const char *id;
    const reprise_value *log;
} player_health;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const player_health *)a)->id, ((const player_health *)b)->id);
}

static reprise_value *health_values(rp_doc *doc, const reprise_value *log)
{
    reprise_value *values = rp_new_array(doc);
    for (size_t i = 0; i < reprise_value_count(log); i++)
        rp_push(doc, values,
                rp_new_int(doc, reprise_value_int(rp_get(reprise_value_at(log, i), "health"), 0)));
    return values;
}

/*
 * Two people start and stop recording at different times, on clocks of their own, but see the same
 * players lose the same health in the same order.
 */
static reprise_value *identity(rp_doc *doc, const rp_summary_source *from)
{
    const reprise_value *people = rp_get(from->info, "people");
    const reprise_value *recorded = rp_summary_find(from->stats, "recorded.players");
    size_t count = reprise_value_count(people), changes = 0;
    player_health players[PLAYERS_MAX];
    if (count < 2 || count > PLAYERS_MAX || reprise_value_count(recorded) != count)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        players[i].id = rp_get_text(reprise_value_at(people, i), "id");
        players[i].log = rp_get(reprise_value_at(recorded, i), "health");
        changes += reprise_value_count(players[i].log);
        if (!players[i].id || !*players[i].id)
            return NULL;
    }
    if (changes < count + HEALTH_CHANGES_MIN)
        return NULL;
    qsort(players, count, sizeof *players, compare_ids);
    reprise_value *values = rp_new_array(doc);
    for (size_t i = 0; i < count; i++) {
        rp_push(doc, values, rp_new_text(doc, players[i].id));
        rp_push(doc, values, health_values(doc, players[i].log));
    }
    return values;
}

const rp_summary rumble_summary = {
    .columns = columns,
    .count = RP_COUNT(columns),
    .identity = identity,
};
