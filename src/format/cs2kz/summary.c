/* summary.c - a CS2KZ replay in one line: where, how fast, by whom. */
#include "summary.h"
#include "cs2kz.h"

static const reprise_value *player_of(const rp_summary_source *from)
{
    const reprise_value *person = reprise_value_at(rp_get(from->info, "people"), 0);
    const char *role = rp_get_text(person, "role");
    return role && strcmp(role, "player") == 0 ? person : NULL;
}

static reprise_value *player(rp_doc *doc, const rp_summary_source *from)
{
    const char *name = rp_get_text(player_of(from), "name");
    return name ? rp_new_text(doc, name) : NULL;
}

/* As text, like in JSON: most readers of tables round numbers of this size. */
static reprise_value *player_id(rp_doc *doc, const rp_summary_source *from)
{
    uint64_t id = reprise_value_uint(rp_get(player_of(from), "id"), 0);
    return id ? rp_new_format(doc, "%llu", (unsigned long long)id) : NULL;
}

static const rp_summary_column columns[] = {
    {.name = "map", .type = RP_SUMMARY_TEXT, .path = "map.name", .doc = "name of the map"},
    {.name = "course", .type = RP_SUMMARY_TEXT, .path = "course", .doc = "name of the course"},
    {.name = "mode", .type = RP_SUMMARY_TEXT, .path = "mode", .doc = "movement mode"},
    {.name = "time",
     .type = RP_SUMMARY_SECONDS,
     .path = "run_time",
     .doc = "time of the run; none for other kinds of replays"},
    {.name = "teleports",
     .type = RP_SUMMARY_INT,
     .path = "teleports",
     .doc = "teleports used; a run without any is a pro run"},
    {.name = "player", .type = RP_SUMMARY_TEXT, .make = player, .doc = "name of the player"},
    {.name = "date", .type = RP_SUMMARY_DATE, .path = "date", .doc = "when it was recorded (UTC)"},
    {.name = "styles",
     .type = RP_SUMMARY_LIST,
     .path = "styles",
     .extra = true,
     .doc = "styles of the run"},
    {.name = "type",
     .type = RP_SUMMARY_TEXT,
     .path = "type",
     .extra = true,
     .doc = "kind of the replay: run, jump, cheater or manual"},
    {.name = "jump",
     .type = RP_SUMMARY_TEXT,
     .path = "jump",
     .extra = true,
     .doc = "kind of the jump, for replays of one jump"},
    {.name = "distance",
     .type = RP_SUMMARY_REAL,
     .path = "distance",
     .extra = true,
     .doc = "distance of the jump in units"},
    {.name = "player_id",
     .type = RP_SUMMARY_TEXT,
     .make = player_id,
     .extra = true,
     .doc = "Steam id of the player"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .extra = true,
     .doc = "length of the recording"},
};

/* A run is stored with the second in which it ended and a time in milliseconds. */
static reprise_value *identity(rp_doc *doc, const rp_summary_source *from)
{
    static const char *const paths[] = {"timestamp", "map.name",  "course", "mode",
                                        "run_time",  "teleports", "jump",   "distance"};
    const reprise_value *person = player_of(from);
    reprise_value *values = rp_summary_values(doc, from->info, paths, RP_COUNT(paths));
    if (!values || !person)
        return NULL;
    rp_push(doc, values, rp_copy(doc, person));
    return values;
}

const rp_summary kz_summary = {
    .columns = columns,
    .count = RP_COUNT(columns),
    .identity = identity,
};
