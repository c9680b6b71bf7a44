/* summary.c - Iron Curtain replays, saves and proofs in one line. */
#include "summary.h"

#include <string.h>

#include "ironcurtain/ironcurtain.h"

/* "Alice won"; or what all players have in common, such as "abandoned". */
static reprise_value *outcome(rp_doc *doc, const rp_summary_source *from)
{
    const reprise_value *people = rp_get(from->info, "people");
    const reprise_value *winners = rp_summary_winners(doc, from);
    size_t count = reprise_value_count(winners);
    const char *common = NULL;
    const char *first = reprise_value_text(reprise_value_at(winners, 0), NULL);
    if (count == 1)
        return rp_new_format(doc, "%s won", first);
    if (count)
        return rp_new_format(doc, "%s and %zu more won", first, count - 1);
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const char *one = rp_get_text(reprise_value_at(people, i), "outcome");
        if (!one || (common && strcmp(one, common) != 0))
            return NULL;
        common = one;
    }
    return common ? rp_new_text(doc, common) : NULL;
}

static const rp_summary_column columns[] = {
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "name of the map"},
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_players,
     .doc = "names of the players"},
    {.name = "outcome",
     .type = RP_SUMMARY_TEXT,
     .make = outcome,
     .doc = "who won, or what all players have in common"},
    {.name = "signed",
     .type = RP_SUMMARY_BOOL,
     .path = "signed",
     .doc = "has signatures; 'verify' checks them"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the recording"},
    {.name = "date", .type = RP_SUMMARY_DATE, .path = "date", .doc = "when it was recorded (UTC)"},
    {.name = "winner",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_winners,
     .extra = true,
     .doc = "names of those who won"},
    {.name = "version",
     .type = RP_SUMMARY_TEXT,
     .path = "engine_version",
     .extra = true,
     .doc = "version of the engine"},
};

/* All recordings of a match start with the same random number on the same map. */
static reprise_value *identity(rp_doc *doc, const rp_summary_source *from)
{
    static const char *const paths[] = {"header.initial_rng_seed", "map.hash"};
    reprise_value *values = rp_summary_values(doc, from->info, paths, RP_COUNT(paths));
    reprise_value *players = rp_summary_players(doc, from);
    if (values && players)
        rp_push(doc, values, players);
    return players ? values : NULL;
}

const rp_summary ic_replay_summary = {
    .columns = columns,
    .count = RP_COUNT(columns),
    .identity = identity,
};

static const rp_summary_column save_columns[] = {
    {.name = "title", .type = RP_SUMMARY_TEXT, .path = "title", .doc = "name of the save"},
    {.name = "campaign",
     .type = RP_SUMMARY_TEXT,
     .path = "campaign.campaign_id",
     .doc = "id of the campaign"},
    {.name = "date", .type = RP_SUMMARY_DATE, .path = "date", .doc = "when it was saved (UTC)"},
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "name of the map"},
    {.name = "game_time",
     .type = RP_SUMMARY_SECONDS,
     .path = "game_time",
     .doc = "time played up to the save"},
    {.name = "tick", .type = RP_SUMMARY_INT, .path = "tick", .doc = "tick of the state"},
    {.name = "picture", .type = RP_SUMMARY_BOOL, .path = "thumbnail", .doc = "has a thumbnail"},
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_players,
     .doc = "names of the players"},
    {.name = "version",
     .type = RP_SUMMARY_TEXT,
     .path = "engine_version",
     .extra = true,
     .doc = "version of the engine"},
};

const rp_summary ic_save_summary = {.columns = save_columns, .count = RP_COUNT(save_columns)};

static const rp_summary_column proof_columns[] = {
    {.name = "title", .type = RP_SUMMARY_TEXT, .path = "title", .doc = "what it proves"},
};

const rp_summary ic_proof_summary = {.columns = proof_columns, .count = RP_COUNT(proof_columns)};
