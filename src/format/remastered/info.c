/* info.c - describes a recording by its header. */
#include "info.h"
#include "remastered.h"

static void set_map(rp_doc *doc, reprise_value *info, const cnc_header *h)
{
    reprise_value *map = rp_set_object(doc, info, "map");
    if (h->game->td) {
        char name[32];
        cnc_td_scenario(&h->td, name, sizeof name);
        rp_set_text(doc, map, "name", name);
        rp_set_uint(doc, map, "scenario", h->td.scenario);
        return;
    }
    rp_text name = cnc_text(h->scenario.scenario_name, sizeof h->scenario.scenario_name);
    rp_set(doc, map, "name", rp_new_text_n(doc, name.data, name.size));
    rp_set_int(doc, map, "scenario", h->scenario.scenario);
}

static void add_person(rp_doc *doc, reprise_value *people, const cnc_game *game, rp_text name,
                       int32_t id, int32_t house)
{
    reprise_value *person = rp_push_object(doc, people);
    if (name.data)
        rp_set(doc, person, "name", rp_new_text_n(doc, name.data, name.size));
    rp_set_int(doc, person, "id", id);
    const char *word = cnc_house_name(game, house);
    if (word)
        rp_set_text(doc, person, "house", word);
}

static void set_people(rp_doc *doc, reprise_value *info, const cnc_header *h)
{
    reprise_value *people = rp_set_array(doc, info, "people");
    for (int32_t i = 0; !h->game->td && i < h->session.player_nodes; i++)
        add_person(doc, people, h->game, cnc_text(h->nodes[i].name, sizeof h->nodes[i].name),
                   h->nodes[i].id, h->nodes[i].house);
    if (!h->game->td)
        return;
    rp_text local = cnc_text(h->td.player_name, sizeof h->td.player_name);
    for (int32_t i = 0; i < h->td.num_players && i < CNC_TD_PLAYERS; i++) {
        uint8_t id = h->td.player_ids[i];
        bool is_local = id == h->td.local_id || h->td.num_players == 1;
        add_person(doc, people, h->game, is_local ? local : (rp_text){0}, id,
                   (int8_t)h->td.player_houses[i]);
    }
}

typedef struct extent {
    double time; /* of the last record */
    uint64_t frames, records, events;
} extent;

/* Skips records without decoding them. */
static reprise_status survey(const cnc_replay *replay, extent *ret_extent, reprise_error *error)
{
    cnc_cursor cursor;
    cnc_record record = {0};
    extent e = {0};
    reprise_status status = cnc_cursor_open(&cursor, replay, error);
    while (status == REPRISE_OK) {
        status = cnc_cursor_next(&cursor, &record, error);
        if (status != REPRISE_OK)
            break;
        e.records++;
        e.events += (uint64_t)record.event_count;
        e.records += cnc_cursor_skip_empty(&cursor, &record);
        e.time = record.time;
        e.frames = (uint64_t)record.frame + 1;
    }
    rp_window_free(&cursor.window);
    *ret_extent = e;
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* From the start of the match to the last record, even if that is empty. */
reprise_status cnc_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    extent e;
    reprise_status status = survey((const cnc_replay *)base, &e, error);
    *ret_seconds = e.time;
    return status;
}

static reprise_status set_counts(rp_doc *doc, reprise_value *info, const cnc_replay *replay,
                                 reprise_error *error)
{
    extent e;
    RP_TRY(survey(replay, &e, error));
    rp_set_uint(doc, info, "frames", e.frames);
    rp_set_uint(doc, info, "records", e.records);
    rp_set_uint(doc, info, "events", e.events);
    return REPRISE_OK;
}

reprise_status cnc_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    const cnc_replay *replay = (const cnc_replay *)base;
    const cnc_header *h = &replay->header;
    rp_set_text(doc, info, "game", h->game->name);
    rp_set_text(doc, info, "game_title", h->game->title);
    rp_set_text(doc, info, "profile", replay->layout->full ? "full" : "events");
    rp_set_int(doc, info, "confidence", replay->confidence);
    rp_set_text(doc, info, "version", "source-2020");
    rp_set_text(doc, info, "session", cnc_session_name(h->game, h->type));
    set_map(doc, info, h);
    rp_set_uint(doc, info, "game_speed", h->game_speed);
    rp_set_f64(doc, info, "frames_per_second", (double)CNC_CLOCK_HZ / RP_MAX(h->game_speed, 1));
    RP_TRY(set_counts(doc, info, replay, error));
    set_people(doc, info, h);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set_uint(doc, info, "header_size", h->size);
    rp_set(doc, info, "header", cnc_header_document(doc, h));
    return error->status;
}
