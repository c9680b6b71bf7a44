/* summary.c - a Command & Conquer recording in one line: game, map, players. */
#include "summary.h"
#include "remastered.h"

static reprise_value *players(rp_doc *doc, const rp_summary_source *from)
{
    return rp_summary_players_with(doc, from, "house");
}

static const rp_summary_column columns[] = {
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "file name of the map"},
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = players,
     .doc = "names of the players with their houses"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the recording"},
    {.name = "game", .type = RP_SUMMARY_TEXT, .path = "game", .doc = "ra or td"},
    {.name = "session", .type = RP_SUMMARY_TEXT, .path = "session", .doc = "kind of the session"},
};

/* All machines of a network game start with the same random seed. */
static reprise_value *identity(rp_doc *doc, const rp_summary_source *from)
{
    static const char *const paths[] = {"header.seed", "game", "map.name"};
    if (reprise_value_count(rp_get(from->info, "people")) < 2)
        return NULL;
    return rp_summary_values(doc, from->info, paths, RP_COUNT(paths));
}

const rp_summary cnc_summary = {
    .columns = columns,
    .count = RP_COUNT(columns),
    .identity = identity,
};
