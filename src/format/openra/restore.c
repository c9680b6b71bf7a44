/*
 * restore.c - an OpenRA replay from the common form of recorded orders, when one that was imported
 * elsewhere comes back. Orders whose bytes were carried go out as they came in; the others are made
 * anew from what they mean, and counted by name.
 */
#include "write.h"

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

typedef struct restorer {
    const rp_foreign *foreign;
    rp_encoder *encoder;
    rp_batch batch;
    rp_arena arena; /* of one order */
    rp_doc *doc;
    reprise_value *names; /* orders that were made anew */
    uint64_t restored, recreated;
    uint32_t packet;
    int64_t frame; /* the next to be begun */
    reprise_error *error;
} restorer;

static rp_text text_of(const char *text)
{
    return (rp_text){text, strlen(text)};
}

/* These are not bound to a frame; they stand where they were said. */
static bool is_immediate(const reprise_foreign_order *order)
{
    static const uint8_t pause[] = {ORA_FIELDS, 9, 'P', 'a', 'u', 's', 'e', 'G', 'a', 'm', 'e'};
    if (order->raw_size)
        return order->raw_size > sizeof pause && memcmp(order->raw, pause, sizeof pause) == 0;
    return order->kind == REPRISE_FOREIGN_CHAT || order->kind == REPRISE_FOREIGN_SURRENDER;
}

static void set_units(restorer *r, ora_order *to, uint64_t *present,
                      const reprise_foreign_order *from)
{
    if (from->unit_count == 1) {
        to->subject = from->units[0];
        *present |= HAS(subject);
    } else if (from->unit_count) {
        ora_actor *actors = rp_arena_array(&r->arena, from->unit_count, sizeof *actors, r->error);
        for (size_t i = 0; actors && i < from->unit_count; i++)
            actors[i].id = from->units[i];
        to->grouped = (rp_list){actors, actors ? from->unit_count : 0};
        *present |= HAS(grouped);
    }
}

static void set_target(ora_order *to, uint64_t *present, const reprise_foreign_order *from)
{
    if (from->target != REPRISE_FOREIGN_NONE) {
        to->target_kind = ORA_TARGET_ACTOR;
        to->target_actor = from->target;
        *present |= HAS(target_kind) | HAS(target_actor) | HAS(target_generation);
    } else if (from->has_cell) {
        to->target_kind = ORA_TARGET_CELL;
        to->target_cell_x = from->x;
        to->target_cell_y = from->y;
        *present |= HAS(target_kind) | HAS(target_cell_x) | HAS(target_cell_y) | HAS(target_layer) |
                    HAS(target_subcell);
    }
}

static void make_order(restorer *r, ora_order *to, uint64_t *present,
                       const reprise_foreign_order *from)
{
    to->order = text_of(from->name);
    set_units(r, to, present, from);
    set_target(to, present, from);
    uint32_t extra = from->kind == REPRISE_FOREIGN_CHAT ? from->team : from->count;
    if (from->kind == REPRISE_FOREIGN_CHAT && extra == REPRISE_FOREIGN_SPECTATORS)
        extra = ORA_NO_ACTOR;
    if (from->item) {
        to->item = text_of(from->item);
        *present |= HAS(item);
    }
    if (extra) {
        to->extra_data = extra;
        *present |= HAS(extra_data);
    }
    r->recreated++;
    uint64_t count = reprise_value_uint(rp_get(r->names, from->name), 0) + 1;
    rp_replace(r->doc, r->names, from->name, rp_new_uint(r->doc, count));
}

static reprise_status put_rows(restorer *r, rp_row *rows, size_t count)
{
    r->batch = (rp_batch){.rows = rows, .count = count};
    return r->encoder->format->encode_rows(r->encoder, &r->batch, r->error);
}

/* A packet of its own for every order: who sent what together is not known any more. */
static reprise_status put_order(restorer *r, const reprise_foreign_order *from, int64_t frame)
{
    bool immediate = is_immediate(from);
    ora_packet packet = {.packet = r->packet++,
                         .client = from->client,
                         .frame = immediate ? 0 : (int32_t)RP_MIN(frame, (int64_t)INT32_MAX),
                         .kind = immediate ? ORA_KIND_IMMEDIATE : ORA_KIND_ORDERS,
                         .length = 5};
    ora_order order = {.packet = packet.packet,
                       .frame = packet.frame,
                       .client = from->client,
                       .type = ORA_FIELDS,
                       .subject = ORA_NO_ACTOR};
    uint64_t present = 0;
    rp_arena_reset(&r->arena);
    if (from->raw_size) {
        order.raw = (rp_text){(const char *)from->raw, from->raw_size};
        r->restored++;
    } else {
        make_order(r, &order, &present, from);
    }
    rp_row rows[] = {{.track = ORA_ORDERS, .data = &order, .present = present},
                     {.track = ORA_PACKETS, .data = &packet}};
    RP_TRY(r->error->status);
    return put_rows(r, rows, RP_COUNT(rows));
}

/* Every frame has a packet, with orders or without: what is said between them is timed by it. */
static reprise_status begin_frame(restorer *r, int64_t frame)
{
    enum { FRAMES_MAX = 1 << 24 };
    if (frame > FRAMES_MAX)
        return rp_error_set(r->error, REPRISE_E_LIMIT, "a match of more than %d frames",
                            FRAMES_MAX);
    for (; r->frame <= frame; r->frame++) {
        ora_packet packet = {.packet = r->packet++,
                             .client = 1,
                             .frame = (int32_t)r->frame,
                             .kind = ORA_KIND_ORDERS,
                             .length = 4};
        rp_row row = {.track = ORA_PACKETS, .data = &packet};
        RP_TRY(put_rows(r, &row, 1));
    }
    return REPRISE_OK;
}

static reprise_status start_game(restorer *r)
{
    ora_packet packet = {.packet = r->packet++, .kind = ORA_KIND_IMMEDIATE, .length = 5};
    ora_order order = {.type = ORA_FIELDS, .order = text_of("StartGame"), .item = text_of("")};
    rp_row rows[] = {{.track = ORA_ORDERS, .data = &order, .present = HAS(item)},
                     {.track = ORA_PACKETS, .data = &packet}};
    r->frame = 1;
    return put_rows(r, rows, RP_COUNT(rows));
}

static reprise_status put_frames(restorer *r)
{
    RP_TRY(start_game(r));
    for (size_t i = 0; i < r->foreign->frame_count; i++) {
        const reprise_foreign_frame *frame = &r->foreign->frames[i];
        RP_TRY(begin_frame(r, frame->number));
        for (size_t k = 0; k < frame->order_count; k++)
            RP_TRY(put_order(r, &frame->orders[k], frame->number));
    }
    return r->encoder->format->encode_end(r->encoder, r->error);
}

static void copy_text(rp_doc *doc, reprise_value *to, const char *key, const reprise_value *from,
                      const char *name)
{
    const char *text = rp_get_text(from, name);
    rp_set_text(doc, to, key, text ? text : "");
}

/* What the game lists in its browser of replays. */
static reprise_value *make_header(rp_doc *doc, const reprise_value *about)
{
    const reprise_value *source = rp_get(about, "source"), *metadata = rp_get(about, "metadata");
    const reprise_value *players = rp_get(metadata, "players");
    reprise_value *header = rp_new_object(doc);
    reprise_value *root = rp_set_object(doc, header, "Root");
    copy_text(doc, root, "Mod", source, "mod_id");
    copy_text(doc, root, "Version", source, "mod_version");
    copy_text(doc, root, "MapTitle", metadata, "map_name");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *one = reprise_value_at(players, i);
        char key[32];
        rp_writer name;
        rp_writer_init(&name, doc->arena->context, sizeof key, doc->error);
        rp_put_format(&name, "Player@%zu", i);
        rp_put_u8(&name, 0);
        if (rp_writer_ok(&name)) {
            reprise_value *player = rp_set_object(doc, header, (const char *)name.data);
            rp_set(doc, player, "ClientIndex", rp_new_format(doc, "%zu", i + 1));
            copy_text(doc, player, "Name", one, "name");
            copy_text(doc, player, "FactionId", one, "faction");
            const char *outcome = rp_get_text(one, "outcome");
            bool won = outcome && strcmp(outcome, "won") == 0;
            bool lost = outcome && strcmp(outcome, "lost") == 0;
            rp_set_text(doc, player, "Outcome", won ? "Won" : lost ? "Lost" : "Undefined");
        }
        rp_writer_free(&name);
    }
    return header;
}

static void fill_report(const restorer *r, reprise_value *report)
{
    rp_doc *doc = r->doc;
    rp_set_uint(doc, report, "restored", r->restored);
    rp_set_uint(doc, report, "recreated", r->recreated);
    reprise_value *notes = rp_set_array(doc, report, "notes");
    rp_push(doc, notes,
            rp_new_text(doc, "chat, pauses and surrender may stand up to three frames earlier: how "
                             "far orders were sent ahead is not known"));
    for (size_t i = 0; i < reprise_value_count(r->names); i++) {
        unsigned long long count = reprise_value_uint(reprise_value_at(r->names, i), 0);
        rp_push(doc, notes,
                rp_new_format(doc, "%llu order%s %s made anew from the translation", count,
                              count > 1 ? "s" : "", reprise_value_key(r->names, i)));
    }
}

reprise_status ora_from_foreign(rp_context *context, const rp_foreign *foreign, rp_sink *sink,
                                rp_doc *doc, reprise_value *report, reprise_error *error)
{
    const reprise_value *source = rp_get(foreign->about, "source");
    uint64_t index = reprise_value_uint(rp_get(source, "dialect_index"), ORA_DIALECT_COUNT - 1);
    if (index >= ORA_DIALECT_COUNT)
        return rp_error_set(error, REPRISE_E_CORRUPT, "carried orders of an unknown dialect");
    rp_write_options options = {.layout = ora_dialects[index].name};
    restorer r = {.foreign = foreign, .doc = doc, .error = error};
    reprise_value *header = make_header(doc, foreign->about);
    r.names = rp_new_object(doc);
    RP_TRY(error->status);
    RP_TRY(rp_encoder_open(context, rp_format_find("openra"), &options, header, NULL, sink,
                           &r.encoder, error));
    rp_arena_init(&r.arena, context);
    reprise_status status = put_frames(&r);
    if (status == REPRISE_OK) {
        rp_set_text(doc, report, "layout", options.layout);
        fill_report(&r, report);
    }
    rp_arena_free(&r.arena);
    rp_encoder_close(r.encoder);
    return status;
}
