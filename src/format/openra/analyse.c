/* analyse.c - see analyse.h. */
#include "analyse.h"

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

uint64_t ora_digest(uint64_t start, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t sum = start;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001B3);
    return sum;
}

/* ---- sync ---- */

uint64_t ora_sync_digest(const ora_sync *sync)
{
    const ora_hash *hashes = sync->hashes.items;
    uint64_t sum = ORA_DIGEST_START ^ sync->hashes.count;
    for (size_t i = 0; i < sync->hashes.count; i++)
        sum = (sum ^ (uint32_t)hashes[i].value) * UINT64_C(0x100000001B3);
    return sum ^ sync->defeat;
}

void ora_watch_sync(rp_desync_watch *watch, const ora_sync *sync)
{
    if (sync->hashes.count && sync->frame >= 0)
        rp_desync_watch_add(watch, sync->frame, sync->client, ora_sync_digest(sync));
}

void ora_set_desync(rp_doc *doc, reprise_value *object, const rp_desync *desync)
{
    if (!desync->found)
        return;
    reprise_value *entry = rp_set_object(doc, object, "desync");
    rp_set_int(doc, entry, "first_frame", desync->frame);
    rp_set_uint(doc, entry, "frames", desync->frames);
    reprise_value *clients = rp_set_array(doc, entry, "clients");
    for (size_t i = 0; i < RP_COUNT(desync->clients); i++)
        rp_push(doc, clients, rp_new_int(doc, desync->clients[i]));
}

/* ---- orders ---- */

static void count_group(ora_player_extras *extras, const rp_row *row)
{
    uint32_t size = ora_group_size(row->data, row->present);
    extras->group_orders += size > 1;
    extras->largest_group = RP_MAX(extras->largest_group, size);
}

static reprise_status count_stance(ora_analysis *a, ora_player_extras *extras,
                                   const ora_order *order, reprise_error *error)
{
    static const char *const stances[] = {"hold fire", "return fire", "defend", "attack anything"};
    const char *name = order->extra_data < RP_COUNT(stances) ? stances[order->extra_data]
                                                             : "unknown";
    return rp_name_counts_add(&a->orders, &extras->stances, &(rp_text){name, strlen(name)}, 1,
                              error);
}

static reprise_status log_production(ora_analysis *a, rp_order_player *p, const rp_row *row,
                                     reprise_error *error)
{
    const ora_order *order = row->data;
    RP_TRY(rp_name_counts_add(&a->orders, &p->produced, &order->item,
                              RP_MAX((int64_t)order->extra_data, 1), error));
    return rp_order_analysis_log(&a->orders, p, &p->builds,
                                 &(rp_order_log_entry){.time = row->time,
                                                       .order = order->order,
                                                       .item = order->item,
                                                       .has_count = row->present & HAS(extra_data),
                                                       .count = order->extra_data},
                                 error);
}

static reprise_status log_building(ora_analysis *a, rp_order_player *p, const rp_row *row,
                                   reprise_error *error)
{
    const ora_order *order = row->data;
    RP_TRY(rp_name_counts_add(&a->orders, &p->placed, &order->item, 1, error));
    return rp_order_analysis_log(
        &a->orders, p, &p->builds,
        &(rp_order_log_entry){.time = row->time,
                              .order = order->order,
                              .item = order->item,
                              .has_cell = row->present & HAS(target_cell_x),
                              .x = order->target_cell_x,
                              .y = order->target_cell_y},
        error);
}

static reprise_status note_kind(ora_analysis *a, rp_order_player *p, ora_player_extras *extras,
                                reprise_foreign_kind kind, const rp_row *row, reprise_error *error)
{
    const ora_order *order = row->data;
    switch (kind) {
    case REPRISE_FOREIGN_PRODUCE:
        return log_production(a, p, row, error);
    case REPRISE_FOREIGN_PLACE_BUILDING:
        return log_building(a, p, row, error);
    case REPRISE_FOREIGN_SUPPORT_POWER:
        return rp_order_analysis_log(
            &a->orders, p, &p->powers,
            &(rp_order_log_entry){.time = row->time, .order = order->order}, error);
    case REPRISE_FOREIGN_STANCE:
        return count_stance(a, extras, order, error);
    case REPRISE_FOREIGN_GROUP:
        extras->groups_made++;
        return REPRISE_OK;
    default:
        return REPRISE_OK;
    }
}

static reprise_status note_action(ora_analysis *a, const rp_row *row, reprise_error *error)
{
    const ora_order *order = row->data;
    rp_order_player *p = rp_order_analysis_player(&a->orders, order->client, error);
    if (!p)
        return error->status;
    ora_player_extras *extras = &a->extras[p->number];
    rp_order_note note = {.time = row->time,
                          .kind = ora_order_kind(&order->order),
                          .is_action = true,
                          .digest = ora_digest(ORA_DIGEST_START, order->raw.data, order->raw.size)};
    note.is_army = (note.kind == REPRISE_FOREIGN_MOVE || note.kind == REPRISE_FOREIGN_GUARD ||
                    note.kind == REPRISE_FOREIGN_ATTACK) &&
                   ora_order_cell(order, row->present, &note.x, &note.y);
    RP_TRY(rp_order_analysis_add(&a->orders, p, &note, error));
    RP_TRY(rp_name_counts_add(&a->orders, &p->order_names, &order->order, 1, error));
    extras->queued += order->queued;
    count_group(extras, row);
    return note_kind(a, p, extras, note.kind, row, error);
}

/* ---- other rows ---- */

static reprise_status log_moment(ora_analysis *a, rp_vector *log, const ora_moment *moment,
                                 reprise_error *error)
{
    if (log->count >= RP_ORDER_LOG_MAX)
        return REPRISE_OK;
    ora_moment *to = rp_vector_add(a->replay->base.context, log, sizeof *to, error);
    if (!to)
        return error->status;
    *to = *moment;
    if (moment->text.size)
        to->text.data = rp_arena_text(&a->orders.arena, moment->text.data, moment->text.size,
                                      error);
    return error->status;
}

static reprise_status note_order(ora_analysis *a, const rp_row *row, reprise_error *error)
{
    const ora_order *order = row->data;
    if (ora_is_action(order, ora_order_kind(&order->order)))
        return note_action(a, row, error);
    if (!ora_is(&order->order, "PauseGame"))
        return REPRISE_OK;
    return log_moment(a, &a->pauses,
                      &(ora_moment){.time = row->time,
                                    .client = order->client,
                                    .paused = ora_is(&order->item, "Pause")},
                      error);
}

static reprise_status note_chat(ora_analysis *a, const rp_row *row, reprise_error *error)
{
    const ora_chat *chat = row->data;
    return log_moment(a, &a->chat,
                      &(ora_moment){.time = row->time,
                                    .client = chat->client,
                                    .channel = chat->channel,
                                    .text = chat->text},
                      error);
}

static void note_sync(ora_analysis *a, const rp_row *row)
{
    const ora_sync *sync = row->data;
    ora_watch_sync(&a->desync, sync);
    for (unsigned bit = 0; sync->defeat && bit < ORA_DEFEAT_BITS; bit++) {
        if (sync->defeat >> bit & 1 && a->defeated[bit] < 0)
            a->defeated[bit] = row->time;
    }
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    ora_analysis *a = ctx;
    switch (row->track) {
    case ORA_ORDERS:
        return note_order(a, row, error);
    case ORA_CHATS:
        return note_chat(a, row, error);
    case ORA_DISCONNECTS:
        return log_moment(
            a, &a->disconnects,
            &(ora_moment){.time = row->time, .client = ((const ora_disconnect *)row->data)->client},
            error);
    default:
        note_sync(a, row);
        return REPRISE_OK;
    }
}

reprise_status ora_analyse(ora_replay *replay, ora_analysis **ret_analysis, reprise_error *error)
{
    ora_analysis *a = rp_alloc_zero(replay->base.context, 1, sizeof *a, error);
    *ret_analysis = a;
    if (!a)
        return error->status;
    a->replay = replay;
    rp_order_analysis_init(&a->orders, replay->base.context);
    for (size_t i = 0; i < ORA_DEFEAT_BITS; i++)
        a->defeated[i] = -1;
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_CHATS |
                                        UINT64_C(1) << ORA_DISCONNECTS | UINT64_C(1) << ORA_SYNCS};
    return rp_each_row(&replay->base, selection, note_row, a, error);
}

void ora_analysis_free(ora_analysis *a)
{
    if (!a)
        return;
    rp_context *context = a->replay->base.context;
    for (size_t i = 0; i < a->orders.player_count; i++) {
        if (a->extras[i].stances)
            rp_dictionary_free(context, &a->extras[i].stances->names);
    }
    rp_vector_free(context, &a->chat, sizeof(ora_moment));
    rp_vector_free(context, &a->pauses, sizeof(ora_moment));
    rp_vector_free(context, &a->disconnects, sizeof(ora_moment));
    rp_order_analysis_free(&a->orders);
    rp_free(context, a, sizeof *a);
}
