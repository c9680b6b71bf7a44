/* read_header.c - the two headers: reading, plausibility, and as a document. */
#include "remastered.h"

enum {
    SEND_RATE_MAX = 255,
    PLAYERS_MAX = 8,
    BUILD_LEVEL_MAX = 100,
    GAME_SPEED_MAX = 64,
    SCENARIO_NAME_MAX = 260,
    NON_ZERO_LEAST = 8,
};

rp_text cnc_text(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, 0, size);
    return (rp_text){(const char *)bytes, end ? (size_t)(end - bytes) : size};
}

/* ---- reading ---- */

static void read_all(rp_reader *r, const rp_record *record, void *row)
{
    rp_plain_read(r, record, NULL, record->count, row);
}

static void read_ra(rp_reader *r, cnc_header *h)
{
    read_all(r, &cnc_ra_session_record, &h->session);
    int32_t nodes = h->session.player_nodes;
    if (rp_ok(r) && (nodes < 0 || nodes > CNC_NODES_MAX))
        rp_fail(r, REPRISE_E_CORRUPT, "player_nodes", "player count %d is out of range", nodes);
    for (int32_t i = 0; rp_ok(r) && i < nodes; i++)
        read_all(r, &cnc_ra_node_record, &h->nodes[i]);
    read_all(r, &cnc_ra_scenario_record, &h->scenario);
    h->type = h->session.type;
    h->comm_protocol = h->session.comm_protocol;
    h->frame_send_rate = h->session.frame_send_rate;
    h->game_speed = h->scenario.game_speed;
}

static void read_td(rp_reader *r, cnc_header *h)
{
    read_all(r, &cnc_td_header_record, &h->td);
    h->type = h->td.type;
    h->comm_protocol = h->td.comm_protocol;
    h->frame_send_rate = h->td.frame_send_rate;
    h->game_speed = h->td.game_speed;
}

void cnc_header_read(rp_reader *r, const cnc_game *game, cnc_header *h)
{
    size_t before = rp_left(r);
    h->game = game;
    if (game->td)
        read_td(r, h);
    else
        read_ra(r, h);
    h->size = before - rp_left(r);
}

/* ---- does it make sense ---- */

static bool in(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool printable(rp_text text, uint8_t most)
{
    for (size_t i = 0; i < text.size; i++) {
        if (!in((uint8_t)text.data[i], 32, most))
            return false;
    }
    return true;
}

static bool ra_plausible(const cnc_header *h)
{
    const cnc_ra_session *s = &h->session;
    const cnc_ra_scenario *c = &h->scenario;
    rp_text name = cnc_text(c->scenario_name, sizeof c->scenario_name);
    return in(s->num_players, 0, PLAYERS_MAX) && in(s->house, -1, h->game->houses - 1) &&
           in(c->whom, -1, h->game->houses - 1) && in(s->bases, 0, 1) && in(s->goodies, 0, 1) &&
           in(s->ghosts, 0, 1) && in(c->build_level, 0, BUILD_LEVEL_MAX) &&
           in(c->debug_unshroud, 0, 1) && printable(name, 126) && name.size < SCENARIO_NAME_MAX;
}

static bool td_plausible(const cnc_header *h)
{
    const cnc_td_header *t = &h->td;
    return in(t->num_players, 0, PLAYERS_MAX) && in(t->house, -1, h->game->houses - 1) &&
           in(t->whom, -1, h->game->houses - 1) && in(t->bases, 0, 1) && in(t->goodies, 0, 1) &&
           in(t->ghosts, 0, 1) && in(t->build_level, 0, BUILD_LEVEL_MAX) &&
           printable(cnc_text(t->player_name, sizeof t->player_name), 255) &&
           in(t->scen_player, -1, 4) && in(t->scen_dir, -1, 1);
}

bool cnc_header_plausible(const cnc_header *h, const uint8_t *bytes)
{
    size_t non_zero = 0;
    for (size_t i = 0; i < h->size; i++)
        non_zero += bytes[i] != 0;
    return non_zero >= NON_ZERO_LEAST && in(h->type, 0, h->game->session_types - 1) &&
           in(h->comm_protocol, 0, CNC_MULTI_FRAME) && in(h->frame_send_rate, 0, SEND_RATE_MAX) &&
           in(h->game_speed, 0, GAME_SPEED_MAX) &&
           (h->game->td ? td_plausible(h) : ra_plausible(h));
}

/* ---- as a document ---- */

static void set_bytes(rp_doc *doc, reprise_value *to, const char *key, const uint8_t *bytes,
                      size_t count, bool with_sign)
{
    reprise_value *list = rp_set_array(doc, to, key);
    for (size_t i = 0; i < count; i++)
        rp_push(doc, list, rp_new_int(doc, with_sign ? (int8_t)bytes[i] : bytes[i]));
}

static void set_text(rp_doc *doc, reprise_value *to, const char *key, rp_text text)
{
    rp_set(doc, to, key, rp_new_text_n(doc, text.data, text.size));
}

/* Sets all numbers of a record; bytes are left to callers that know their meaning. */
static void set_numbers(rp_doc *doc, reprise_value *to, const rp_record *record, const void *row)
{
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].kind != RP_RAW)
            rp_set_int(doc, to, record->fields[i].name, rp_field_int(&record->fields[i], row));
    }
}

static void set_nodes(rp_doc *doc, reprise_value *to, const cnc_header *h)
{
    reprise_value *players = rp_set_array(doc, to, "players");
    for (int32_t i = 0; i < h->session.player_nodes; i++) {
        const cnc_ra_node *node = &h->nodes[i];
        reprise_value *player = rp_push_object(doc, players);
        set_text(doc, player, "name", cnc_text(node->name, sizeof node->name));
        rp_set(doc, player, "address", rp_new_hex(doc, node->address, sizeof node->address));
        set_numbers(doc, player, &cnc_ra_node_record, node);
    }
}

reprise_value *cnc_header_document(rp_doc *doc, const cnc_header *h)
{
    reprise_value *to = rp_new_object(doc);
    const uint8_t *special = h->game->td ? h->td.special : h->scenario.special;
    if (h->game->td) {
        const cnc_td_header *t = &h->td;
        set_numbers(doc, to, &cnc_td_header_record, t);
        set_text(doc, to, "player_name", cnc_text(t->player_name, sizeof t->player_name));
        set_bytes(doc, to, "player_ids", t->player_ids, CNC_TD_PLAYERS, false);
        set_bytes(doc, to, "player_houses", t->player_houses, CNC_TD_PLAYERS, true);
    } else {
        set_numbers(doc, to, &cnc_ra_session_record, &h->session);
        set_nodes(doc, to, h);
        set_numbers(doc, to, &cnc_ra_scenario_record, &h->scenario);
        set_text(doc, to, "scenario_name",
                 cnc_text(h->scenario.scenario_name, sizeof h->scenario.scenario_name));
    }
    rp_set(doc, to, "special", rp_new_hex(doc, special, h->game->special_used));
    return to;
}
