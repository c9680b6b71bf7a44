/*
 * recover.c - reconstructs lost metadata from the packets: the lobby at the start and the last
 * frame. No packet says who won, so the outcome is undefined.
 */
#include "write.h"

enum { PROTOCOL_DISPLAY = 11, PROTOCOL_BOT_TYPE = 21 };

static const char no_time[] = "0001-01-01 00-00-00";

static const char *word(bool value)
{
    return value ? "True" : "False";
}

static void set_or(rp_doc *doc, reprise_value *to, const char *key, const reprise_value *from,
                   const char *name, const char *fallback)
{
    const char *text = rp_get_text(from, name);
    rp_set_text(doc, to, key, text ? text : fallback);
}

static bool is_random(const char *faction)
{
    return !faction || strncmp(faction, "Random", strlen("Random")) == 0;
}

static void set_colour(rp_doc *doc, reprise_value *to, const char *colour, const ora_dialect *form)
{
    char converted[ORA_COLOUR_SIZE];
    if (colour && ora_colour_convert(form, colour, converted))
        colour = converted;
    if (!colour)
        colour = ora_colour_form(form) == ORA_COLOUR_HEX ? "FFFFFF" : "0,0,255";
    rp_set_text(doc, to, "Color", colour);
}

/* Keys that newer releases write in addition. */
static void set_display(rp_doc *doc, reprise_value *to, const char *faction)
{
    rp_set_text(doc, to, "DisplayFactionName", faction);
    rp_set_text(doc, to, "DisplayFactionId", faction);
}

static void add_player(rp_doc *doc, reprise_value *to, const reprise_value *client,
                       const ora_dialect *form)
{
    const char *faction = rp_get_text(client, "Faction"), *bot = rp_get_text(client, "Bot");
    const char *spawn = rp_get_text(client, "SpawnPoint");
    faction = faction ? faction : rp_get_text(client, "Race");
    const char *shown = faction ? faction : "Random";
    set_or(doc, to, "ClientIndex", client, "Index", "0");
    set_or(doc, to, "Name", client, "Name", "");
    rp_set_text(doc, to, "IsHuman", word(!bot));
    rp_set_text(doc, to, "IsBot", word(bot != NULL));
    if (form->protocol >= PROTOCOL_BOT_TYPE)
        rp_set_text(doc, to, "BotType", bot ? bot : "");
    rp_set_text(doc, to, "FactionName", shown);
    rp_set_text(doc, to, "FactionId", shown);
    set_colour(doc, to, rp_get_text(client, "Color"), form);
    if (form->protocol >= PROTOCOL_DISPLAY)
        set_display(doc, to, shown);
    set_or(doc, to, "Team", client, "Team", "0");
    rp_set_text(doc, to, "SpawnPoint", spawn ? spawn : "0");
    if (form->protocol >= PROTOCOL_DISPLAY)
        set_or(doc, to, "Handicap", client, "Handicap", "0");
    rp_set_text(doc, to, "IsRandomFaction", word(is_random(faction)));
    rp_set_text(doc, to, "IsRandomSpawnPoint", word(!spawn || strcmp(spawn, "0") == 0));
    if (form->protocol)
        set_or(doc, to, "Fingerprint", client, "Fingerprint", "");
    rp_set_text(doc, to, "Outcome", "Undefined");
    rp_set_text(doc, to, "OutcomeTimestampUtc", no_time);
}

/* In the order of the lobby. A client without a slot is a spectator. */
static void add_players(rp_doc *doc, reprise_value *header, const reprise_value *lobby,
                        const ora_dialect *form)
{
    size_t count = 0;
    for (size_t i = 0; i < reprise_value_count(lobby); i++) {
        const reprise_value *client = reprise_value_at(lobby, i);
        if (strncmp(reprise_value_key(lobby, i), "Client@", strlen("Client@")) != 0 ||
            !rp_get_text(client, "Slot"))
            continue;
        const char *key = rp_arena_format(doc->arena, doc->error, "Player@%zu", count++);
        if (key)
            add_player(doc, rp_set_object(doc, header, key), client, form);
    }
}

reprise_value *ora_make_trailer(const ora_match *match, rp_doc *doc, const ora_dialect *to)
{
    const reprise_value *settings = rp_get(match->lobby, "GlobalSettings");
    reprise_value *header = rp_new_object(doc);
    reprise_value *root = rp_set_object(doc, header, "Root");
    rp_set_text(doc, root, "Mod", match->mod ? match->mod : "");
    rp_set_text(doc, root, "Version", match->version ? match->version : "");
    set_or(doc, root, "MapUid", settings, "Map", "");
    if (to >= ora_dialect_find("c"))
        rp_set(doc, root, "FinalGameTick", rp_new_format(doc, "%lld", (long long)match->tick_last));
    if (to->protocol >= PROTOCOL_DISPLAY)
        set_or(doc, root, "DisabledSpawnPoints", match->lobby, "DisabledSpawnPoints", "");
    add_players(doc, header, match->lobby, to);
    return header;
}
