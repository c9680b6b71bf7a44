/* analyse.c - see analyse.h. */
#include "analyse.h"

static bool has(const rp_row *row, unsigned field)
{
    return row->present >> field & 1;
}

/* ---- sync ---- */

void cnc_watch_sync(rp_desync_watch *watch, const rp_row *row)
{
    const cnc_event *event = row->data;
    int64_t frame;
    if (cnc_sync_frame(row, &frame))
        rp_desync_watch_add(watch, frame, event->house, event->crc);
}

void cnc_set_desync(rp_doc *doc, reprise_value *object, const rp_desync *desync)
{
    if (!desync->found)
        return;
    reprise_value *entry = rp_set_object(doc, object, "desync");
    rp_set_int(doc, entry, "first_frame", desync->frame);
    reprise_value *houses = rp_set_array(doc, entry, "houses");
    for (size_t i = 0; i < RP_COUNT(desync->clients); i++)
        rp_push(doc, houses, rp_new_int(doc, desync->clients[i]));
}

/* ---- one event ---- */

/* Only the members of the event count: the bytes after them are noise. */
static uint64_t digest(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * UINT64_C(0x100000001B3);
}

static uint64_t digest_of(const cnc_event *event)
{
    const uint8_t *members = cnc_event_types[event->event].members;
    uint64_t sum = digest(UINT64_C(0xCBF29CE484222325), event->event);
    for (size_t i = 0; i < CNC_MEMBERS_MAX && members[i]; i++) {
        const rp_field *field = &cnc_event_record.fields[members[i] - 1];
        if (field->kind != RP_BYTES) {
            sum = digest(sum, (uint64_t)rp_field_int(field, event));
            continue;
        }
        const rp_text *bytes = rp_at_const(field, event);
        for (size_t k = 0; k < bytes->size; k++)
            sum = digest(sum, (uint8_t)bytes->data[k]);
    }
    return sum;
}

static rp_text text_of(const char *text)
{
    return (rp_text){text, text ? strlen(text) : 0};
}

static reprise_status log_production(cnc_analysis *a, rp_order_player *p, const rp_row *row,
                                     reprise_error *error)
{
    const cnc_event *event = row->data;
    const cnc_game *game = a->replay->layout->game;
    char number[48];
    const char *name = cnc_type_name(game, event->rtti, event->type_id);
    if (!name) {
        cnc_number_name(game, event->rtti, event->type_id, number, sizeof number);
        name = number;
    }
    rp_text item = text_of(name);
    RP_TRY(rp_name_counts_add(&a->orders, &p->produced, &item, 1, error));
    return rp_order_analysis_log(
        &a->orders, p, &p->builds,
        &(rp_order_log_entry){.time = row->time, .order = text_of("PRODUCE"), .item = item}, error);
}

/* A building that is placed, or a support power with its number as count. */
static reprise_status log_place(cnc_analysis *a, rp_order_player *p, const rp_row *row,
                                reprise_error *error)
{
    const cnc_event *event = row->data;
    const cnc_game *game = a->replay->layout->game;
    bool power = event->event == CNC_SPECIAL_PLACE;
    rp_order_log_entry entry = {.time = row->time, .order = text_of("PLACE"), .has_cell = true};
    cnc_cell_of(game, event->cell, &entry.x, &entry.y);
    if (power) {
        entry.order = text_of(cnc_weapon_name(game, event->weapon));
        entry.has_count = true;
        entry.count = (uint32_t)event->weapon;
    }
    return rp_order_analysis_log(&a->orders, p, power ? &p->powers : &p->builds, &entry, error);
}

static reprise_status note_speed(cnc_analysis *a, const rp_row *row, reprise_error *error)
{
    if (a->speed_changes.count >= RP_ORDER_LOG_MAX)
        return REPRISE_OK;
    cnc_speed_change *to = rp_vector_add(a->replay->base.context, &a->speed_changes, sizeof *to,
                                         error);
    if (!to)
        return error->status;
    *to = (cnc_speed_change){row->time, (int32_t)((const cnc_event *)row->data)->value};
    return REPRISE_OK;
}

/* The house of an event; NULL with the error set. */
static cnc_house *house_of(cnc_analysis *a, const cnc_event *event, reprise_error *error)
{
    cnc_house *house = &a->houses[event->house % CNC_HOUSES];
    if (!house->orders) {
        house->orders = rp_order_analysis_player(&a->orders, event->house % CNC_HOUSES, error);
        house->left = -1;
    }
    return house->orders ? house : NULL;
}

static reprise_status note_event(cnc_analysis *a, const rp_row *row, reprise_error *error)
{
    const cnc_event *event = row->data;
    const cnc_game *game = a->replay->layout->game;
    cnc_house *house = house_of(a, event, error);
    if (!house)
        return error->status;
    house->events[event->event]++;
    cnc_watch_sync(&a->desync, row);
    rp_order_note note = {.time = row->time,
                          .kind = cnc_order_kind(game, event),
                          .is_action = cnc_is_action(event->event),
                          .digest = digest_of(event)};
    int32_t cell;
    note.is_army = has(row, cnc_event_F_mission) &&
                   cnc_target_cell(game, event->destination, &cell);
    if (note.is_army)
        cnc_cell_of(game, cell, &note.x, &note.y);
    RP_TRY(rp_order_analysis_add(&a->orders, house->orders, &note, error));
    switch (event->event) {
    case CNC_PRODUCE:
        return log_production(a, house->orders, row, error);
    case CNC_PLACE:
    case CNC_SPECIAL_PLACE:
        return log_place(a, house->orders, row, error);
    case CNC_DESTRUCT:
    case CNC_EXIT:
        house->left = house->left < 0 ? row->time : house->left;
        return REPRISE_OK;
    case CNC_GAMESPEED:
        return note_speed(a, row, error);
    default:
        return REPRISE_OK;
    }
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    cnc_analysis *a = ctx;
    a->last_time = row->time;
    a->last_frame = row->index;
    a->records += row->track == CNC_FRAMES;
    a->selections += row->track == CNC_SELECTIONS;
    return row->track == CNC_EVENT_ROWS ? note_event(a, row, error) : REPRISE_OK;
}

reprise_status cnc_analyse(cnc_replay *replay, cnc_analysis **ret_analysis, reprise_error *error)
{
    cnc_analysis *a = rp_alloc_zero(replay->base.context, 1, sizeof *a, error);
    *ret_analysis = a;
    if (!a)
        return error->status;
    a->replay = replay;
    rp_order_analysis_init(&a->orders, replay->base.context);
    rp_selection selection = {.tracks = UINT64_C(1) << CNC_FRAMES | UINT64_C(1) << CNC_EVENT_ROWS |
                                        UINT64_C(1) << CNC_SELECTIONS};
    return rp_each_row(&replay->base, selection, note_row, a, error);
}

void cnc_analysis_free(cnc_analysis *a)
{
    if (!a)
        return;
    rp_context *context = a->replay->base.context;
    rp_vector_free(context, &a->speed_changes, sizeof(cnc_speed_change));
    rp_order_analysis_free(&a->orders);
    rp_free(context, a, sizeof *a);
}
