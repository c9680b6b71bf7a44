/* player_screen.c - the state of the verb play; player_picture.c draws it. */
#include "player_screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *cli_screen_player_name(const cli_screen *s, uint32_t player)
{
    const reprise_value *people = reprise_value_get(s->info, "people");
    const reprise_value *one = reprise_value_at(people, player);
    const char *name = reprise_value_text(reprise_value_get(one, "name"), NULL);
    return name && *name ? name : "?";
}

/* ---- the ticker ---- */

static cli_strbuf *new_line(cli_screen *s)
{
    cli_strbuf oldest = s->ticker[0];
    memmove(&s->ticker[0], &s->ticker[1], (CLI_SCREEN_TICKER - 1) * sizeof oldest);
    cli_strbuf_clear(&oldest);
    s->ticker[CLI_SCREEN_TICKER - 1] = oldest;
    cli_strbuf *line = &s->ticker[CLI_SCREEN_TICKER - 1];
    cli_printf(line, "%" PRIu64 "  ", reprise_ic_playback_tick(s->player));
    return line;
}

void cli_screen_note_desync(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded)
{
    cli_screen *s = ctx;
    if (s->desyncs++)
        return;
    s->desync_tick = tick;
    s->ours = ours;
    s->recorded = recorded;
}

void cli_screen_note_parts(void *ctx, const reprise_ic_desync_parts *found)
{
    cli_screen *s = ctx;
    if (s->parts_known || found->tick != s->desync_tick)
        return;
    s->parts_known = true;
    if (found->part_count)
        cli_puts(&s->first_part, found->parts[0]);
    cli_printf(&s->parts,
               found->part_count ? "parts that differ at keyframe %" PRIu64 ": "
                                 : "at keyframe %" PRIu64 " no part differs",
               found->keyframe);
    for (size_t i = 0; i < found->part_count; i++) {
        cli_puts(&s->parts, i ? ", " : "");
        cli_put_shown(&s->parts, found->parts[i], strlen(found->parts[i]));
    }
}

void cli_screen_note_gap(void *ctx, uint64_t from, uint64_t to, uint64_t until)
{
    cli_screen *s = ctx;
    s->gaps++;
    s->gap_frames += to - from;
    cli_printf(new_line(s), "frames %" PRIu64 "-%" PRIu64 " are missing; in sync again at %" PRIu64,
               from, to - 1, until);
}

/* Samples of positions and cameras are too frequent for the ticker. */
static bool is_news(uint32_t variant)
{
    const char *name = reprise_ic_event_name(variant);
    return !strstr(name, "Sample") && !strstr(name, "Snapshot") && strcmp(name, "UnitCreated") != 0;
}

void cli_screen_note_event(void *ctx, const reprise_ic_event *event)
{
    cli_screen *s = ctx;
    if (is_news(event->variant))
        cli_puts(new_line(s), reprise_ic_event_name(event->variant));
}

static void note_chat(cli_screen *s, const reprise_ic_order *order)
{
    const reprise_ic_chat *chat = order->order.as.chat_message;
    cli_strbuf *line = new_line(s);
    const char *name = cli_screen_player_name(s, order->player);
    cli_put_shown(line, name, strlen(name));
    cli_puts(line, ": ");
    cli_put_cut(line, chat->text.data ? chat->text.data : "", chat->text.size, 60);
}

/* ---- orders ---- */

static void ping(cli_screen *s, uint32_t player, const reprise_ic_pos *pos)
{
    s->pings[s->ping_next++ % CLI_SCREEN_PINGS] = (cli_screen_place){
        .tick = reprise_ic_playback_tick(s->player),
        .x = pos->x / 1024,
        .y = pos->y / 1024,
        .player = player};
}

static void note_order(cli_screen *s, const reprise_ic_order *order)
{
    switch (order->order.variant) {
    case REPRISE_IC_PLAYER_ORDER_CHAT_MESSAGE:
        note_chat(s, order);
        break;
    case REPRISE_IC_PLAYER_ORDER_MOVE:
        ping(s, order->player, &order->order.as.move->target);
        break;
    case REPRISE_IC_PLAYER_ORDER_TACTICAL_PING:
        ping(s, order->player, &order->order.as.tactical_ping->pos);
        break;
    default:
        break;
    }
}

reprise_status cli_screen_step(cli_screen *s, reprise_error *error)
{
    const reprise_ic_frame *frame = NULL;
    reprise_status status = reprise_ic_playback_poll(s->player, &frame, error);
    if (status != REPRISE_OK)
        return status;
    const reprise_ic_order *orders = frame->orders.items;
    for (size_t i = 0; i < frame->orders.count; i++)
        note_order(s, &orders[i]);
    return REPRISE_OK;
}

reprise_status cli_screen_seek(cli_screen *s, uint64_t tick, reprise_error *error)
{
    memset(s->pings, 0, sizeof s->pings);
    for (size_t i = 0; i < CLI_SCREEN_TICKER; i++)
        cli_strbuf_clear(&s->ticker[i]);
    return reprise_ic_playback_seek(s->player, tick, error);
}

/* ---- marks ---- */

void cli_screen_add_mark(cli_screen *s, uint64_t tick)
{
    size_t at = s->mark_count;
    while (at && s->marks[at - 1] > tick)
        at--;
    if (at && s->marks[at - 1] == tick)
        return;
    if (s->mark_count == s->mark_capacity) {
        s->mark_capacity = s->mark_capacity ? s->mark_capacity * 2 : 64;
        s->marks = cli_memory(s->marks, s->mark_capacity * sizeof *s->marks);
    }
    memmove(&s->marks[at + 1], &s->marks[at], (s->mark_count - at) * sizeof *s->marks);
    s->marks[at] = tick;
    s->mark_count++;
}

void cli_screen_note_bookmark(cli_screen *s, uint64_t tick)
{
    s->bookmarked = true;
    s->bookmark = tick;
    cli_puts(new_line(s), "bookmark");
    cli_screen_add_mark(s, tick);
}

static void mark_event(void *ctx, const reprise_ic_event *event)
{
    if (is_news(event->variant))
        cli_screen_add_mark(ctx, reprise_ic_event_tick(event));
}

reprise_status cli_screen_find_marks(cli_screen *s, reprise_error *error)
{
    reprise_ic_playback_callbacks calls = {
        .struct_size = sizeof calls, .ctx = s, .event = mark_event};
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    options.callbacks = &calls;
    options.orders_only = true;
    reprise_ic_playback *reader = NULL;
    const reprise_ic_frame *frame = NULL;
    reprise_status status = reprise_ic_playback_new(s->replay, &options, &reader, error);
    while (status == REPRISE_OK) {
        status = reprise_ic_playback_poll(reader, &frame, error);
        const reprise_ic_order *orders = status == REPRISE_OK ? frame->orders.items : NULL;
        for (size_t i = 0; orders && i < frame->orders.count; i++) {
            if (orders[i].order.variant == REPRISE_IC_PLAYER_ORDER_CHAT_MESSAGE)
                cli_screen_add_mark(s, frame->tick);
        }
    }
    reprise_ic_playback_free(reader);
    return status == REPRISE_END ? REPRISE_OK : status;
}

uint64_t cli_screen_mark(const cli_screen *s, bool forward)
{
    uint64_t now = reprise_ic_playback_tick(s->player);
    uint64_t found = forward ? reprise_ic_playback_length(s->player) : 0;
    for (size_t i = 0; i < s->mark_count; i++) {
        if (forward && s->marks[i] > now)
            return s->marks[i];
        if (!forward && s->marks[i] < now)
            found = s->marks[i];
    }
    return found;
}

/* ---- opening ---- */

/* The size of the map comes from the first state, if there is one. */
static void read_map_size(cli_screen *s)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_snapshot snapshot;
    s->map_width = s->map_height = 128;
    if (reprise_ic_playback_has_state(s->player) &&
        reprise_ic_playback_state(s->player, &snapshot, &error) == REPRISE_OK) {
        s->map_width = snapshot.core.map_state.width;
        s->map_height = snapshot.core.map_state.height;
    }
}

reprise_status cli_screen_open(cli_screen *s, reprise_replay *replay, const char *path,
                               const reprise_ic_playback_options *options, reprise_error *error)
{
    s->replay = replay;
    s->path = path;
    if (reprise_info(replay, &s->info, error) != REPRISE_OK ||
        reprise_ic_codec_new(NULL, &s->ic, error) != REPRISE_OK ||
        reprise_ic_playback_new(replay, options, &s->player, error) != REPRISE_OK)
        return error->status;
    read_map_size(s);
    return REPRISE_OK;
}

void cli_screen_close(cli_screen *s)
{
    reprise_ic_playback_free(s->player);
    reprise_ic_codec_free(s->ic);
    for (size_t i = 0; i < CLI_SCREEN_TICKER; i++)
        cli_strbuf_free(&s->ticker[i]);
    cli_strbuf_free(&s->first_part);
    cli_strbuf_free(&s->parts);
    free(s->marks);
}
