/* foreign.c - a recording in the common form of recorded orders. */
#include "analyse.h"

typedef struct importer {
    cnc_replay *replay;
    const cnc_game *game;
    rp_foreign *foreign;
    int32_t houses[CNC_NODES_MAX]; /* of the players, in the order of the header */
    size_t house_count;
    rp_desync_watch desync;
    uint64_t records;
    double last_time, desync_time;  /* of the last frame, and of the first that differs */
    double times[RP_DESYNC_WINDOW]; /* of the last frames, by number */
    int64_t last_frame;
    double frame_s; /* between the last two */
    reprise_error *error;
} importer;

static uint8_t player_of(const importer *in, int32_t house)
{
    for (size_t i = 0; i < in->house_count; i++) {
        if (in->houses[i] == house)
            return (uint8_t)i;
    }
    /* In a game for one, the house of the campaign is the player's, whatever the header says. */
    return in->house_count > 1 ? REPRISE_FOREIGN_NOBODY : 0;
}

/* ---- orders ---- */

static bool has(const rp_row *row, unsigned field)
{
    return row->present >> field & 1;
}

static void set_place(const importer *in, const rp_row *row, reprise_foreign_order *to)
{
    const cnc_event *event = row->data;
    int32_t cell = event->cell;
    bool there = has(row, cnc_event_F_cell);
    if (!there && has(row, cnc_event_F_destination))
        there = cnc_target_cell(in->game, event->destination, &cell);
    if (!there && has(row, cnc_event_F_archive))
        there = cnc_target_cell(in->game, event->archive, &cell);
    to->has_cell = there;
    if (there)
        cnc_cell_of(in->game, cell, &to->x, &to->y);
}

static size_t used_size(const cnc_game *game, const cnc_event *event)
{
    const uint8_t *members = cnc_event_types[event->event].members;
    size_t size = game->data_offset;
    for (size_t i = 0; i < CNC_MEMBERS_MAX && members[i]; i++) {
        const rp_field *field = &cnc_event_record.fields[members[i] - 1];
        if (field->kind == RP_BYTES)
            size += game->special_size;
        else
            size += field->tag == CNC_TARGET ? game->target_size : rp_wire_size[field->kind];
    }
    return RP_MIN(size, game->event_size);
}

/* What is built or used. `room` is for the text of an unnamed type. */
static const char *item_of(const importer *in, const rp_row *row, char *room, size_t size)
{
    const cnc_event *event = row->data;
    if (has(row, cnc_event_F_weapon))
        return cnc_weapon_name(in->game, event->weapon);
    if (!has(row, cnc_event_F_rtti))
        return NULL;
    if (!has(row, cnc_event_F_type_id))
        return cnc_class_name(in->game, event->rtti);
    const char *name = cnc_type_name(in->game, event->rtti, event->type_id);
    if (name)
        return name;
    cnc_number_name(in->game, event->rtti, event->type_id, room, size);
    return room;
}

static void note_time(importer *in, const rp_row *row)
{
    if (row->index > in->last_frame)
        in->frame_s = (row->time - in->last_time) / (double)(row->index - in->last_frame);
    in->last_frame = row->index;
    in->last_time = row->time;
    in->times[row->index % RP_DESYNC_WINDOW] = row->time;
    in->records++;
}

/* Recordings of events alone have no views. */
static reprise_status note_frame(importer *in, const rp_row *row)
{
    uint32_t corner = ((const cnc_frame *)row->data)->coord;
    note_time(in, row);
    if (!in->replay->layout->full)
        return REPRISE_OK;
    rp_foreign_view view = {.time = row->time,
                            .frame = row->index,
                            .x = (float)(corner & 0xFFFF) / 256,
                            .y = (float)(corner >> 16) / 256};
    return rp_foreign_add_view(in->foreign, &view, in->error);
}

static reprise_status note_sum(importer *in, const rp_row *row)
{
    const cnc_event *event = row->data;
    rp_foreign_sum sum = {.time = row->time, .client = event->house, .sum = event->crc};
    if (!cnc_sync_frame(row, &sum.frame))
        return REPRISE_OK;
    uint64_t differed = in->desync.result.frames;
    cnc_watch_sync(&in->desync, row);
    if (in->desync.result.frames > differed && in->desync.result.frame == sum.frame)
        in->desync_time = in->times[sum.frame % RP_DESYNC_WINDOW];
    return rp_foreign_add_sum(in->foreign, &sum, in->error);
}

static reprise_status add_row(void *ctx, const rp_row *row, reprise_error *error)
{
    importer *in = ctx;
    if (row->track == CNC_FRAMES)
        return note_frame(in, row);
    const cnc_event *event = row->data;
    RP_TRY(note_sum(in, row));
    static const uint32_t no_unit = REPRISE_FOREIGN_NONE;
    char room[48];
    if (event->event == CNC_FRAMEINFO || event->event == CNC_RESPONSE_TIME)
        return rp_foreign_add_delay(in->foreign, row->time, player_of(in, event->house),
                                    event->delay * in->frame_s, error);
    if (!cnc_is_order(event->event))
        return REPRISE_OK;
    reprise_foreign_order to = {.kind = cnc_order_kind(in->game, event),
                                .player = player_of(in, event->house),
                                .client = event->house,
                                .name = cnc_event_types[event->event].name,
                                .target = REPRISE_FOREIGN_NONE,
                                .raw = (const uint8_t *)event->raw.data,
                                .raw_size = used_size(in->game, event)};
    if (has(row, cnc_event_F_whom)) {
        to.units = &event->whom;
        to.unit_count = 1;
    } else if (event->event == CNC_DEPLOY) {
        to.units = &no_unit;
        to.unit_count = 1;
    }
    if (has(row, cnc_event_F_target) && event->target)
        to.target = event->target;
    to.item = item_of(in, row, room, sizeof room);
    to.count = event->event == CNC_SUSPEND || event->event == CNC_PRODUCE;
    set_place(in, row, &to);
    return (cnc_is_action(event->event) ? rp_foreign_add_action : rp_foreign_add)(
        in->foreign, row->index, row->time, &to, error);
}

static reprise_status add_rows(importer *in)
{
    rp_selection selection = {.tracks = UINT64_C(1) << CNC_EVENT_ROWS | UINT64_C(1) << CNC_FRAMES};
    reprise_status status = rp_each_row(&in->replay->base, selection, add_row, in, in->error);
    in->foreign->last_frame = in->last_frame;
    in->foreign->last_time = in->last_time;
    return status;
}

/* ---- about the match ---- */

static void add_player(importer *in, rp_doc *doc, reprise_value *players, rp_text name,
                       int32_t number, int32_t house, int32_t color)
{
    reprise_value *to = rp_push_object(doc, players);
    const char *word = cnc_house_name(in->game, house);
    in->houses[in->house_count++] = number;
    rp_set(doc, to, "name", rp_new_text_n(doc, name.data ? name.data : "", name.size));
    rp_set_text(doc, to, "faction", word ? word : "");
    rp_set_int(doc, to, "team", 0);
    rp_set(doc, to, "color", rp_new_format(doc, "%d", color));
    rp_set_bool(doc, to, "is_bot", false);
    rp_set_int(doc, to, "client_index", number);
}

static void add_players(importer *in, rp_doc *doc, reprise_value *players)
{
    const cnc_header *h = &in->replay->header;
    for (int32_t i = 0; !in->game->td && i < h->session.player_nodes; i++) {
        const cnc_ra_node *node = &h->nodes[i];
        add_player(in, doc, players, cnc_text(node->name, sizeof node->name), node->id, node->house,
                   node->color);
    }
    rp_text local = cnc_text(h->td.player_name, sizeof h->td.player_name);
    for (int32_t i = 0; in->game->td && i < h->td.num_players && i < CNC_TD_PLAYERS; i++) {
        uint8_t id = h->td.player_ids[i];
        bool is_local = id == h->td.local_id || h->td.num_players == 1;
        add_player(in, doc, players, is_local ? local : (rp_text){0},
                   (int8_t)h->td.player_houses[i], id & 0x0F, id >> 4);
    }
}

static void describe_source(const importer *in, rp_doc *doc, reprise_value *about)
{
    reprise_value *source = rp_set_object(doc, about, "source");
    rp_set_text(doc, source, "engine", "remastered");
    rp_set_text(doc, source, "game", in->game->td ? "TiberianDawn" : "RedAlert");
    rp_set_text(doc, source, "mod_id", in->game->name);
    rp_set_text(doc, source, "mod_version", "source-2020");
}

static void set_option(rp_doc *doc, reprise_value *options, const reprise_value *header,
                       const char *key)
{
    const reprise_value *value = rp_get(header, key);
    if (reprise_value_kind_of(value) == REPRISE_VALUE_STRING)
        rp_set_text(doc, options, key, reprise_value_text(value, NULL));
    else if (value)
        rp_set(doc, options, key,
               rp_new_format(doc, "%lld", (long long)reprise_value_int(value, 0)));
}

static reprise_status describe_match(importer *in, rp_doc *doc, reprise_value *about)
{
    static const char *const options[] = {"bases",  "credits",    "tiberium",   "goodies",
                                          "ghosts", "unit_count", "ai_players", "special"};
    const cnc_header *h = &in->replay->header;
    const reprise_value *header = cnc_header_document(doc, h);
    reprise_value *metadata = rp_set_object(doc, about, "metadata");
    add_players(in, doc, rp_set_array(doc, metadata, "players"));
    char scenario[32];
    rp_text name = cnc_text(h->scenario.scenario_name, sizeof h->scenario.scenario_name);
    if (in->game->td) {
        cnc_td_scenario(&h->td, scenario, sizeof scenario);
        name = (rp_text){scenario, strlen(scenario)};
    }
    rp_set(doc, metadata, "map_name", rp_new_text_n(doc, name.data, name.size));
    rp_set(doc, metadata, "map_hash", rp_new_text_n(doc, name.data, name.size));
    rp_set(doc, metadata, "game_speed", rp_new_format(doc, "%u", h->game_speed));
    rp_set_int(doc, metadata, "first_frame", 0);
    reprise_value *initial = rp_set_object(doc, about, "initial_state");
    rp_set_uint(doc, initial, "random_seed",
                (uint32_t)(in->game->td ? h->td.seed : h->scenario.seed));
    rp_set(doc, initial, "scenario", rp_new_text_n(doc, name.data, name.size));
    rp_set_int(doc, initial, "build_level", reprise_value_int(rp_get(header, "build_level"), 0));
    reprise_value *to = rp_set_object(doc, initial, "options");
    for (size_t i = 0; i < RP_COUNT(options); i++)
        set_option(doc, to, header, options[i]);
    return doc->error->status;
}

static reprise_status describe_length(importer *in, rp_doc *doc, reprise_value *about)
{
    const rp_desync *desync = &in->desync.result;
    reprise_value *metadata = rp_get(about, "metadata");
    rp_set_int(doc, metadata, "duration_frames", in->records ? in->last_frame + 1 : 0);
    rp_set_f64(doc, metadata, "last_time", in->last_time);
    reprise_value *divergence = rp_set_object(doc, about, "divergence");
    rp_set_text(doc, divergence, "confidence", desync->found ? "Diverged" : "Plausible");
    if (desync->found) {
        rp_set_int(doc, divergence, "first_frame", desync->frame);
        rp_set_f64(doc, divergence, "first_time", in->desync_time);
    }
    return doc->error->status;
}

static reprise_status read_match(importer *in)
{
    rp_foreign *foreign = in->foreign;
    rp_doc doc = {.arena = &foreign->arena, .error = in->error};
    foreign->about = rp_new_object(&doc);
    describe_source(in, &doc, foreign->about);
    RP_TRY(describe_match(in, &doc, foreign->about));
    RP_TRY(add_rows(in));
    return describe_length(in, &doc, foreign->about);
}

reprise_status cnc_foreign(rp_replay *base, rp_foreign *foreign, reprise_error *error)
{
    importer *in = rp_alloc_zero(base->context, 1, sizeof *in, error);
    if (!in)
        return error->status;
    in->replay = (cnc_replay *)base;
    in->game = in->replay->layout->game;
    in->foreign = foreign;
    in->error = error;
    foreign->item = cnc_item;
    foreign->mod = in->game->name;
    reprise_status status = read_match(in);
    rp_free(base->context, in, sizeof *in);
    return status;
}
