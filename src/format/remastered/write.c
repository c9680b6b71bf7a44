/*
 * write.c - recordings from rows; the mirror of read.c. A frame is its row followed by its events;
 * selection and teams are kept until they change, as the reader gives them.
 */
#include "write.h"

enum { FLUSH_SIZE = 64 << 10 };

/* ---- the header ---- */

static void apply_numbers(const reprise_value *document, const rp_record *record, void *row)
{
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        const reprise_value *value = rp_get(document, field->name);
        if (value && field->kind != RP_RAW)
            rp_field_set_int(field, row, reprise_value_int(value, rp_field_int(field, row)));
    }
}

/* Bytes after the end of a text are kept while the text is the same. */
static void apply_text(const reprise_value *document, const char *key, uint8_t *to, size_t size)
{
    size_t length = 0;
    const char *text = reprise_value_text(rp_get(document, key), &length);
    rp_text now = cnc_text(to, size);
    if (!text || (now.size == length && memcmp(now.data, text, length) == 0))
        return;
    memset(to, 0, size);
    memcpy(to, text, RP_MIN(length, size - 1));
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void apply_hex(const reprise_value *document, const char *key, uint8_t *to, size_t size)
{
    size_t length = 0;
    const char *text = reprise_value_text(rp_get(document, key), &length);
    for (size_t i = 0; text && i < size && 2 * i + 1 < length; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return;
        to[i] = (uint8_t)(high << 4 | low);
    }
}

static void apply_list(const reprise_value *document, const char *key, uint8_t *to, size_t size)
{
    const reprise_value *list = rp_get(document, key);
    for (size_t i = 0; i < size && i < reprise_value_count(list); i++)
        to[i] = (uint8_t)reprise_value_int(reprise_value_at(list, i), to[i]);
}

static void apply_nodes(cnc_header *h, const reprise_value *document)
{
    const reprise_value *players = rp_get(document, "players");
    size_t count = RP_MIN(reprise_value_count(players), (size_t)CNC_NODES_MAX);
    for (size_t i = 0; i < count; i++) {
        const reprise_value *player = reprise_value_at(players, i);
        cnc_ra_node *node = &h->nodes[i];
        apply_numbers(player, &cnc_ra_node_record, node);
        apply_text(player, "name", node->name, sizeof node->name);
        apply_hex(player, "address", node->address, sizeof node->address);
    }
    /* A count that does not match the list is replaced by the list's. */
    if (players || h->session.player_nodes < 0 || h->session.player_nodes > CNC_NODES_MAX)
        h->session.player_nodes = (int32_t)count;
}

void cnc_header_apply(cnc_header *h, const reprise_value *document)
{
    if (h->game->td) {
        cnc_td_header *t = &h->td;
        apply_numbers(document, &cnc_td_header_record, t);
        apply_text(document, "player_name", t->player_name, sizeof t->player_name);
        apply_list(document, "player_ids", t->player_ids, CNC_TD_PLAYERS);
        apply_list(document, "player_houses", t->player_houses, CNC_TD_PLAYERS);
        apply_hex(document, "special", t->special, h->game->special_used);
        return;
    }
    apply_numbers(document, &cnc_ra_session_record, &h->session);
    apply_nodes(h, document);
    cnc_ra_scenario *c = &h->scenario;
    apply_numbers(document, &cnc_ra_scenario_record, c);
    apply_text(document, "scenario_name", c->scenario_name, sizeof c->scenario_name);
    apply_hex(document, "special", c->special, h->game->special_used);
}

static void write_all(rp_writer *w, const rp_record *record, const void *row)
{
    rp_plain_write(w, record, NULL, record->count, row);
}

void cnc_header_write(rp_writer *w, const cnc_header *h)
{
    if (h->game->td) {
        write_all(w, &cnc_td_header_record, &h->td);
        return;
    }
    write_all(w, &cnc_ra_session_record, &h->session);
    for (int32_t i = 0; i < h->session.player_nodes; i++)
        write_all(w, &cnc_ra_node_record, &h->nodes[i]);
    write_all(w, &cnc_ra_scenario_record, &h->scenario);
}

/* ---- events ---- */

static void write_members(rp_writer *w, const cnc_game *game, const cnc_event *event)
{
    const uint8_t *members = cnc_event_types[event->event].members;
    for (size_t i = 0; i < CNC_MEMBERS_MAX && members[i]; i++) {
        const rp_field *field = &cnc_event_record.fields[members[i] - 1];
        const void *value = rp_at_const(field, event);
        if (field->kind == RP_BYTES)
            rp_put(w, event->flags.data, RP_MIN(event->flags.size, game->special_used));
        else if (field->tag == CNC_TARGET && game->td)
            rp_put_u16(w, (uint16_t) * (const uint32_t *)value);
        else
            rp_value_write(w, field, value);
    }
}

void cnc_event_write(rp_writer *w, const cnc_game *game, uint32_t frame, const cnc_event *event)
{
    size_t start = w->size;
    uint32_t house = event->house & ((1u << game->house_bits) - 1);
    rp_put_u8(w, event->type);
    rp_put_u32(w, cnc_event_frame(game, frame) | house << game->frame_bits |
                      (uint32_t)event->executed << 31);
    if (game->td)
        rp_put_u8(w, event->mplayer_id);
    write_members(w, game, event);
    while (rp_writer_ok(w) && w->size - start < game->event_size)
        rp_put_u8(w, 0);
}

/* ---- frames ---- */

reprise_status cnc_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    cnc_encoder *e = (cnc_encoder *)encoder;
    const cnc_replay *source = (const cnc_replay *)encoder->source;
    for (size_t i = 0; i < CNC_LAYOUT_COUNT; i++) {
        if (strcmp(cnc_layouts[i].name, encoder->options.layout) == 0)
            e->layout = &cnc_layouts[i];
    }
    rp_writer *writers[] = {&e->out, &e->events, &e->selected};
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], encoder->context, SIZE_MAX / 2, error);
    if (source)
        e->header = source->header;
    e->header.game = e->layout->game;
    cnc_header_apply(&e->header, encoder->header);
    cnc_scrub_header(&e->header, encoder->options.removed);
    cnc_header_write(&e->out, &e->header);
    return error->status;
}

void cnc_encode_free(rp_encoder *encoder)
{
    cnc_encoder *e = (cnc_encoder *)encoder;
    rp_writer_free(&e->out);
    rp_writer_free(&e->events);
    rp_writer_free(&e->selected);
}

static void write_view(cnc_encoder *e)
{
    const cnc_frame *f = &e->frame;
    rp_put_u32(&e->out, f->coord);
    rp_put_u32(&e->out, e->selected_count);
    rp_put_u32(&e->out, e->selected_sum);
    rp_put(&e->out, e->selected.data, e->selected.size);
    if (e->layout->game->td)
        return;
    rp_put_u8(&e->out, (uint8_t)f->team_event);
    rp_put_u8(&e->out, (uint8_t)f->team_number);
    rp_put_u8(&e->out, (uint8_t)f->formation_event);
    for (size_t i = 0; i < CNC_TEAM_HOUSES; i++)
        write_all(&e->out, &cnc_team_record, &e->teams[i]);
    rp_put_u8(&e->out, f->form_move);
    rp_put_u8(&e->out, (uint8_t)f->form_speed);
    rp_put_u8(&e->out, f->form_max_speed);
}

static void finish_frame(cnc_encoder *e)
{
    bool has_events = e->present >> cnc_frame_F_events & 1;
    if (!e->open)
        return;
    e->open = false;
    if (e->layout->full)
        write_view(e);
    if (has_events) {
        rp_put_u32(&e->out, e->event_count);
        rp_put(&e->out, e->events.data, e->events.size);
    }
    rp_writer_clear(&e->events);
    e->event_count = 0;
}

static void take_selection(cnc_encoder *e, const cnc_selection *selection)
{
    const cnc_object *objects = selection->objects.items;
    rp_writer_clear(&e->selected);
    e->selected_count = (uint32_t)selection->objects.count;
    e->selected_sum = 0;
    for (size_t i = 0; i < selection->objects.count; i++) {
        e->selected_sum += objects[i].target;
        if (e->layout->game->td)
            rp_put_u16(&e->selected, (uint16_t)objects[i].target);
        else
            rp_put_u32(&e->selected, objects[i].target);
    }
}

static void take_row(cnc_encoder *e, const rp_row *row, reprise_error *error)
{
    const cnc_event *event = row->data;
    switch (row->track) {
    case CNC_FRAMES:
        finish_frame(e);
        e->frame = *(const cnc_frame *)row->data;
        e->number = (uint32_t)row->index;
        e->present = row->present;
        e->open = true;
        break;
    case CNC_EVENT_ROWS:
        if (event->event >= CNC_EVENT_COUNT) {
            rp_error_set(error, REPRISE_E_USAGE, "unknown event %u", event->event);
            break;
        }
        e->event_count++;
        if (event->raw.data && event->raw.size == e->layout->game->event_size)
            rp_put(&e->events, event->raw.data, event->raw.size);
        else
            cnc_event_write(&e->events, e->layout->game, e->number, event);
        break;
    case CNC_SELECTIONS:
        take_selection(e, row->data);
        break;
    case CNC_TEAM_ROWS:
        if (row->object < CNC_TEAM_HOUSES)
            e->teams[row->object] = *(const cnc_team *)row->data;
        break;
    default:
        break;
    }
}

static reprise_status flush(cnc_encoder *e, reprise_error *error)
{
    RP_TRY(error->status);
    RP_TRY(rp_sink_write(e->base.sink, e->out.data, e->out.size, error));
    rp_writer_clear(&e->out);
    return REPRISE_OK;
}

static void use_error(cnc_encoder *e, reprise_error *error)
{
    e->out.error = e->events.error = e->selected.error = error;
}

reprise_status cnc_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    cnc_encoder *e = (cnc_encoder *)encoder;
    use_error(e, error);
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++)
        take_row(e, &batch->rows[i], error);
    finish_frame(e); /* a batch holds complete frames */
    return e->out.size >= FLUSH_SIZE ? flush(e, error) : error->status;
}

reprise_status cnc_encode_end(rp_encoder *encoder, reprise_error *error)
{
    cnc_encoder *e = (cnc_encoder *)encoder;
    use_error(e, error);
    return flush(e, error);
}
