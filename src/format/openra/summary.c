/* summary.c - an OpenRA replay in one line: map, players, winner. */
#include "summary.h"
#include "openra.h"

static reprise_value *players(rp_doc *doc, const rp_summary_source *from)
{
    return rp_summary_players_with(doc, from, "faction");
}

static const rp_summary_column columns[] = {
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "title of the map"},
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = players,
     .doc = "names of the players with their factions"},
    {.name = "winner",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_winners,
     .doc = "names of those who won"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the recording"},
    {.name = "version", .type = RP_SUMMARY_TEXT, .path = "version", .doc = "version of the game"},
    {.name = "date", .type = RP_SUMMARY_DATE, .path = "date", .doc = "when it started (UTC)"},
    {.name = "mod", .type = RP_SUMMARY_TEXT, .path = "mod", .extra = true, .doc = "game module"},
    {.name = "server",
     .type = RP_SUMMARY_TEXT,
     .path = "server",
     .extra = true,
     .doc = "name of the server"},
};

/* The server gives each game an id since protocol 8; else map, start and the order of random
 * numbers. */
static reprise_value *identity(rp_doc *doc, const rp_summary_source *from)
{
    static const char *const by_id[] = {"game_uid"};
    static const char *const by_start[] = {"random_seed", "map.uid", "date"};
    reprise_value *values = rp_summary_values(doc, from->info, by_id, RP_COUNT(by_id));
    return values ? values : rp_summary_values(doc, from->info, by_start, RP_COUNT(by_start));
}

const rp_summary ora_summary = {
    .columns = columns,
    .count = RP_COUNT(columns),
    .identity = identity,
};
