/* info.c - describes an OpenRA replay without decoding the match. */
#include "info.h"
#include "openra.h"

static bool is_true(const reprise_value *object, const char *key)
{
    const char *text = rp_get_text(object, key);
    return text && (text[0] == 'T' || text[0] == 't');
}

static const reprise_value *settings_of(const ora_replay *replay)
{
    return rp_get(replay->lobby, "GlobalSettings");
}

/* ---- the match ---- */

/* "2024-02-03 04-05-06" has hyphens in the time, because file names cannot have colons. */
static void set_date(rp_doc *doc, reprise_value *info, const char *name, const char *stored)
{
    if (!stored || strlen(stored) != 19 || strncmp(stored, "0001", 4) == 0)
        return;
    rp_set(
        doc, info, name,
        rp_new_format(doc, "%.10s %.2s:%.2s:%.2s", stored, stored + 11, stored + 14, stored + 17));
}

static void set_match(rp_doc *doc, reprise_value *info, const ora_replay *replay)
{
    const reprise_value *root = rp_get(replay->header, "Root");
    const reprise_value *settings = settings_of(replay);
    rp_set_text_if(doc, info, "version", replay->version);
    rp_set_text_if(doc, info, "mod", replay->mod);
    reprise_value *map = rp_set_object(doc, info, "map");
    rp_set_text_if(doc, map, "name", rp_get_text(root, "MapTitle"));
    const char *uid = rp_get_text(root, "MapUid");
    rp_set_text_if(doc, map, "uid", uid ? uid : rp_get_text(settings, "Map"));
    set_date(doc, info, "date", rp_get_text(root, "StartTimeUtc"));
    if (rp_get(info, "date"))
        rp_set_text(doc, info, "date_zone", "UTC");
    set_date(doc, info, "date_end", rp_get_text(root, "EndTimeUtc"));
    rp_set_int(doc, info, "frames", replay->frame_last);
    rp_set_int(doc, info, "ticks_per_frame", replay->interval);
    rp_set_int(doc, info, "tick_ms", replay->tick_ms);
    rp_set_int(doc, info, "order_latency", replay->latency);
    rp_set_text_if(doc, info, "game_speed", replay->game_speed);
    rp_set_text_if(doc, info, "server", rp_get_text(settings, "ServerName"));
    rp_set_text_if(doc, info, "game_uid", rp_get_text(settings, "GameUid"));
    rp_set_text_if(doc, info, "random_seed", rp_get_text(settings, "RandomSeed"));
    rp_set_bool(doc, info, "started", replay->start_packet >= 0);
}

/* ---- people ---- */

static void set_number(rp_doc *doc, reprise_value *to, const char *name, const reprise_value *from,
                       const char *key)
{
    const char *text = rp_get_text(from, key);
    int64_t number = 0;
    if (!text)
        return;
    for (const char *p = text; *p >= '0' && *p <= '9' && number < INT32_MAX; p++)
        number = number * 10 + (*p - '0');
    rp_set_int(doc, to, name, number);
}

static void add_player(rp_doc *doc, reprise_value *people, const reprise_value *from)
{
    reprise_value *person = rp_push_object(doc, people);
    set_number(doc, person, "client", from, "ClientIndex");
    rp_set_text_if(doc, person, "name", rp_get_text(from, "Name"));
    rp_set_text_if(doc, person, "faction", rp_get_text(from, "FactionName"));
    rp_set_text_if(doc, person, "color", rp_get_text(from, "Color"));
    set_number(doc, person, "team", from, "Team");
    rp_set_bool(doc, person, "bot", is_true(from, "IsBot"));
    rp_set_text_if(doc, person, "outcome", rp_get_text(from, "Outcome"));
}

static void add_client(rp_doc *doc, reprise_value *people, const reprise_value *from)
{
    const char *slot = rp_get_text(from, "Slot"), *faction = rp_get_text(from, "Faction");
    reprise_value *person = rp_push_object(doc, people);
    set_number(doc, person, "client", from, "Index");
    rp_set_text_if(doc, person, "name", rp_get_text(from, "Name"));
    rp_set_text_if(doc, person, "faction", faction ? faction : rp_get_text(from, "Race"));
    rp_set_text_if(doc, person, "color", rp_get_text(from, "Color"));
    set_number(doc, person, "team", from, "Team");
    rp_set_bool(doc, person, "bot", rp_get_text(from, "Bot") != NULL);
    if (!slot)
        rp_set_bool(doc, person, "observer", true);
}

/* Lists players of the metadata, then clients of the lobby that are not among them. */
static void set_people(rp_doc *doc, reprise_value *info, const ora_replay *replay)
{
    reprise_value *people = rp_set_array(doc, info, "people");
    for (size_t i = 0; i < reprise_value_count(replay->header); i++) {
        if (strncmp(reprise_value_key(replay->header, i), "Player@", 7) == 0)
            add_player(doc, people, reprise_value_at(replay->header, i));
    }
    bool players = reprise_value_count(people) > 0;
    for (size_t i = 0; i < reprise_value_count(replay->lobby); i++) {
        const reprise_value *client = reprise_value_at(replay->lobby, i);
        if (strncmp(reprise_value_key(replay->lobby, i), "Client@", 7) == 0 &&
            !(players && rp_get_text(client, "Slot")))
            add_client(doc, people, client);
    }
}

static void set_options(rp_doc *doc, reprise_value *info, const ora_replay *replay)
{
    const reprise_value *options = rp_get(settings_of(replay), "Options");
    reprise_value *to = rp_set_object(doc, info, "options");
    for (size_t i = 0; i < reprise_value_count(options); i++)
        rp_set_text_if(doc, to, reprise_value_key(options, i),
                       rp_get_text(reprise_value_at(options, i), "Value"));
}

/* ---- the file ---- */

static void set_parts(rp_doc *doc, reprise_value *info, const ora_replay *replay)
{
    reprise_value *parts = rp_info_blobs(doc, info, &replay->base);
    if (replay->base.zip)
        return;
    reprise_value *packets = rp_push_object(doc, parts);
    rp_set_text(doc, packets, "name", "packets");
    rp_set_text(doc, packets, "kind", "stream");
    rp_set_uint(doc, packets, "size", replay->packet_end);
    reprise_value *trailer = rp_push_object(doc, parts);
    rp_set_text(doc, trailer, "name", "metadata");
    rp_set_text(doc, trailer, "kind", "manifest");
    rp_set_uint(doc, trailer, "size", rp_source_size(replay->base.source) - replay->stream_size);
}

static void set_packets(rp_doc *doc, reprise_value *info, const ora_replay *replay)
{
    reprise_value *packets = rp_set_object(doc, info, "packets");
    rp_set_int(doc, packets, "count", replay->packet_count);
    for (int i = 0; i < ORA_KIND_COUNT; i++) {
        if (replay->kinds[i])
            rp_set_int(doc, packets, rp_enum_name(&ora_packet_names, i), replay->kinds[i]);
    }
}

static reprise_status set_confidence(rp_doc *doc, reprise_value *info, const ora_replay *replay,
                                     reprise_error *error)
{
    uint8_t head[64];
    rp_probe probe = {.source = replay->base.source,
                      .zip = replay->base.zip,
                      .size = rp_source_size(replay->base.source),
                      .head = head};
    probe.head_size = (size_t)RP_MIN(probe.size, (uint64_t)sizeof head);
    RP_TRY(rp_source_read(probe.source, 0, head, probe.head_size, error));
    rp_set_int(doc, info, "confidence", ora_score(&probe));
    return REPRISE_OK;
}

/* The time between the first and the last frame with orders. */
reprise_status ora_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    (void)error;
    const ora_replay *replay = (const ora_replay *)base;
    *ret_seconds = ora_tick_time(replay, ora_frame_tick(replay, replay->frame_last));
    return REPRISE_OK;
}

reprise_status ora_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    ora_replay *replay = (ora_replay *)base;
    rp_set_text(doc, info, "container", base->zip ? "zip" : "stream");
    rp_set_text(doc, info, "dialect", replay->dialect->name);
    rp_set_text(doc, info, "dialect_by", replay->dialect_by);
    if (replay->protocol)
        rp_set_int(doc, info, "protocol", replay->protocol);
    RP_TRY(set_confidence(doc, info, replay, error));
    set_match(doc, info, replay);
    set_people(doc, info, replay);
    set_options(doc, info, replay);
    set_packets(doc, info, replay);
    set_parts(doc, info, replay);
    RP_TRY(rp_info_private(doc, info, base, error));
    if (replay->metadata.data)
        rp_set(doc, info, "metadata_text",
               rp_new_text_n(doc, replay->metadata.data, replay->metadata.size));
    if (replay->header)
        rp_set(doc, info, "header", replay->header);
    if (replay->lobby)
        rp_set(doc, info, "lobby", replay->lobby);
    return error->status;
}
