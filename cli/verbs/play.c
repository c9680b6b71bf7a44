/* play.c - reprise play: plays recorded orders on the terminal, or tick by tick for scripts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batch/batch.h"
#include "command.h"
#include "ui/player_screen.h"
#include "ui/terminal.h"

enum { HEIGHT_DEFAULT = 30, FRAME_MS = 33, CTRL_B = 2, CTRL_C = 3 };

typedef struct settings {
    cli_common common;
    bool headless, screen, strict, orders_only, spoiler_free;
    cli_number from, to, speed, height;
} settings;

typedef struct play {
    cli_run *run;
    const settings *s;
    cli_screen screen;
    reprise_ic_playback_callbacks calls;
    cli_strbuf line;
    reprise_error *error;
} play;

/* ---- for scripts ---- */

static cli_json begin_line(play *p)
{
    cli_json json = {.to = &p->line};
    cli_json_object(&json, NULL);
    return json;
}

static cli_json begin_event(play *p, const char *type, uint64_t tick)
{
    cli_json json = begin_line(p);
    cli_json_text(&json, "type", type);
    cli_json_uint(&json, "tick", tick);
    return json;
}

static void end_line(play *p, cli_json *json)
{
    cli_json_close(json);
    cli_putc(&p->line, '\n');
    if (p->run->common->json)
        cli_out_put(&p->run->out, p->line.data, p->line.size);
    cli_strbuf_clear(&p->line);
}

static void put_hash(cli_json *json, const char *key, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cli_json_text(json, key, text);
}

static void report_desync(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded)
{
    play *p = ctx;
    cli_screen_note_desync(&p->screen, tick, ours, recorded);
    cli_json json = begin_event(p, "desync", tick);
    put_hash(&json, "ours", ours);
    put_hash(&json, "recorded", recorded);
    end_line(p, &json);
}

static void report_parts(void *ctx, const reprise_ic_desync_parts *found)
{
    play *p = ctx;
    cli_screen_note_parts(&p->screen, found);
    cli_json json = begin_event(p, "desync_parts", found->tick);
    cli_json_uint(&json, "keyframe", found->keyframe);
    cli_json_array(&json, "parts");
    for (size_t i = 0; i < found->part_count; i++)
        cli_json_text(&json, NULL, found->parts[i]);
    cli_json_close(&json);
    end_line(p, &json);
}

static void report_gap(void *ctx, uint64_t from, uint64_t to, uint64_t until)
{
    play *p = ctx;
    cli_screen_note_gap(&p->screen, from, to, until);
    cli_json json = begin_line(p);
    cli_json_text(&json, "type", "gap");
    cli_json_uint(&json, "from", from);
    cli_json_uint(&json, "to", to);
    cli_json_uint(&json, "until", until);
    end_line(p, &json);
}

static void report_event(void *ctx, const reprise_ic_event *event)
{
    play *p = ctx;
    cli_screen_note_event(&p->screen, event);
    cli_json json = begin_event(p, "event", reprise_ic_event_tick(event));
    cli_json_text(&json, "event", reprise_ic_event_name(event->variant));
    end_line(p, &json);
}

static const char *level_name(reprise_ic_divergence_level level)
{
    static const char *const names[] = {"plausible", "minor drift", "diverged"};
    return names[level];
}

static void report_divergence(void *ctx, const reprise_ic_divergence *d)
{
    play *p = ctx;
    cli_json json = begin_event(p, "divergence", d->tick);
    cli_json_text(&json, "level", level_name(d->level));
    cli_json_text(&json, "reason", d->reason);
    end_line(p, &json);
}

static void put_tick(play *p, const reprise_ic_frame *frame)
{
    const reprise_ic_order *orders = frame->orders.items;
    cli_json json = begin_event(p, "tick", frame->tick);
    put_hash(&json, "hash", frame->state_hash);
    cli_json_array(&json, "orders");
    for (size_t i = 0; i < frame->orders.count; i++) {
        cli_json_object(&json, NULL);
        cli_json_uint(&json, "player", orders[i].player);
        cli_json_text(&json, "order", reprise_ic_player_order_name(orders[i].order.variant));
        cli_json_close(&json);
    }
    cli_json_close(&json);
    end_line(p, &json);
}

/* The reason may quote the file, so it is made safe for terminals. */
static void put_why(play *p, const char *why, reprise_ic_divergence_level level)
{
    cli_puts(&p->line, "; orders only");
    if (!p->s->orders_only) {
        cli_puts(&p->line, " (cannot be simulated here: ");
        cli_put_shown(&p->line, why, strlen(why));
        cli_putc(&p->line, ')');
    }
    cli_printf(&p->line, ", %s", level_name(level));
}

static void put_desyncs(play *p)
{
    const cli_screen *s = &p->screen;
    cli_printf(&p->line, ", %" PRIu64 " desync%s, the first at tick %" PRIu64 "; %s", s->desyncs,
               s->desyncs > 1 ? "s" : "", s->desync_tick,
               s->parts_known ? cli_strbuf_string(&s->parts)
                              : "no keyframe was reached to find the part");
}

/* The last line of JSON: whether everything was played. */
static void put_status(play *p, reprise_status status, uint64_t ticks,
                       const reprise_ic_divergence *d)
{
    const cli_screen *s = &p->screen;
    const char *why = reprise_ic_playback_no_state_reason(s->player);
    cli_json json = begin_line(p);
    cli_json_text(&json, "status", reprise_status_name(status));
    cli_json_uint(&json, "ticks", ticks);
    cli_json_uint(&json, "desyncs", s->desyncs);
    cli_json_uint(&json, "gaps", s->gaps);
    cli_json_uint(&json, "missing", s->gap_frames);
    cli_json_text(&json, "divergence", level_name(d->level));
    if (s->first_part.size)
        cli_json_bytes(&json, "first_part", s->first_part.data, s->first_part.size);
    if (why) {
        cli_strbuf words = {0};
        cli_printf(&words, "%s%s", p->s->orders_only ? "" : "cannot be simulated here: ", why);
        cli_json_bytes(&json, "not_simulated", words.data, words.size);
        cli_strbuf_free(&words);
    }
    end_line(p, &json);
}

static void put_summary(play *p, uint64_t ticks, const reprise_ic_divergence *d)
{
    const cli_screen *s = &p->screen;
    const char *why = reprise_ic_playback_no_state_reason(s->player);
    cli_put_shown(&p->line, s->path, strlen(s->path));
    cli_printf(&p->line, ": %" PRIu64 " ticks played", ticks);
    if (s->desyncs)
        put_desyncs(p);
    if (s->gaps)
        cli_printf(&p->line, ", %" PRIu64 " frame%s missing in %" PRIu64 " gap%s", s->gap_frames,
                   s->gap_frames > 1 ? "s" : "", s->gaps, s->gaps > 1 ? "s" : "");
    if (why)
        put_why(p, why, d->level);
    if (d->level != REPRISE_IC_PLAUSIBLE)
        cli_printf(&p->line, " since tick %" PRIu64 ", %s", d->tick, d->reason);
    cli_putc(&p->line, '\n');
    cli_out_put(&p->run->out, p->line.data, p->line.size);
}

static int put_end(play *p, reprise_status status, uint64_t ticks)
{
    const cli_screen *s = &p->screen;
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    (void)!reprise_ic_playback_get_divergence(s->player, &d, NULL);
    if (p->run->common->json)
        put_status(p, status, ticks, &d);
    else
        put_summary(p, ticks, &d);
    if (status != REPRISE_OK)
        return cli_exit_of_partial(status);
    return s->desyncs || s->gaps || d.level != REPRISE_IC_PLAUSIBLE ? CLI_WARNED : CLI_DONE;
}

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void sleep_ms(unsigned ms)
{
    struct timespec t = {.tv_nsec = (long)ms * 1000000};
    nanosleep(&t, NULL);
}

/* As fast as possible, unless a speed was given. */
static int play_headless(play *p)
{
    uint64_t end = p->s->to.given ? p->s->to.count : UINT64_MAX, ticks = 0;
    reprise_ic_playback *player = p->screen.player;
    const reprise_ic_frame *frame = NULL;
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && reprise_ic_playback_tick(player) < end) {
        uint64_t due = p->s->speed.given ? reprise_ic_playback_due(player, now_us()) : UINT64_MAX;
        if (!due)
            sleep_ms(5);
        for (; due && status == REPRISE_OK && reprise_ic_playback_tick(player) < end; due--) {
            status = reprise_ic_playback_poll(player, &frame, p->error);
            if (status != REPRISE_OK)
                break;
            ticks++;
            if (p->run->common->json)
                put_tick(p, frame);
        }
    }
    if (status != REPRISE_OK && status != REPRISE_END)
        (void)cli_report(p->run, p->screen.path, p->error);
    return put_end(p, status == REPRISE_END ? REPRISE_OK : status, ticks);
}

/* ---- bookmarks ---- */

static void put_sidecar(cli_strbuf *to, const char *path)
{
    cli_printf(to, "%s.bookmarks", path);
}

static void load_bookmarks(cli_screen *s)
{
    cli_strbuf path = {0};
    put_sidecar(&path, s->path);
    FILE *file = fopen(cli_strbuf_string(&path), "r");
    unsigned long long tick;
    while (file && fscanf(file, "%llu%*[^\n]", &tick) == 1)
        cli_screen_add_mark(s, tick);
    if (file)
        fclose(file);
    cli_strbuf_free(&path);
}

/* One line each: the tick, and the time for people. Holding the key down sets only one. */
static void add_bookmark(cli_screen *s)
{
    cli_strbuf path = {0};
    uint64_t tick = reprise_ic_playback_tick(s->player);
    if (s->bookmarked && s->bookmark == tick)
        return;
    uint64_t seconds = tick * reprise_ic_playback_tick_us(s->player) / 1000000;
    put_sidecar(&path, s->path);
    FILE *file = fopen(cli_strbuf_string(&path), "a");
    if (file) {
        fprintf(file, "%" PRIu64 " %" PRIu64 ":%02" PRIu64 "\n", tick, seconds / 60, seconds % 60);
        fclose(file);
        cli_screen_note_bookmark(s, tick);
    }
    cli_strbuf_free(&path);
}

/* ---- on the terminal ---- */

static void change_speed(reprise_ic_playback *player, bool faster)
{
    static const double speeds[] = {0.25, 0.5, 1, 2, 4, 8, 0};
    reprise_error ignored = REPRISE_ERROR_INIT;
    double now = reprise_ic_playback_speed(player);
    size_t at = 0;
    while (at + 1 < CLI_COUNT(speeds) && speeds[at] != now)
        at++;
    if (faster && at + 1 < CLI_COUNT(speeds))
        at++;
    else if (!faster && at)
        at--;
    (void)!reprise_ic_playback_set_speed(player, speeds[at], &ignored);
}

static reprise_status step_to(play *p, uint64_t tick)
{
    reprise_ic_playback_pause(p->screen.player, true);
    return cli_screen_seek(&p->screen, tick, p->error);
}

/* Returns false to quit. */
static bool press(play *p, int key, reprise_status *status)
{
    reprise_ic_playback *player = p->screen.player;
    uint64_t tick = reprise_ic_playback_tick(player);
    switch (key) {
    case ' ':
        reprise_ic_playback_pause(player, !reprise_ic_playback_is_paused(player));
        break;
    case '.':
        reprise_ic_playback_pause(player, true);
        *status = cli_screen_step(&p->screen, p->error);
        break;
    case ',':
        *status = step_to(p, tick ? tick - 1 : 0);
        break;
    case '[':
    case ']':
        change_speed(player, key == ']');
        break;
    case CLI_KEY_LEFT:
    case CLI_KEY_RIGHT:
        *status = cli_screen_seek(&p->screen, cli_screen_mark(&p->screen, key == CLI_KEY_RIGHT),
                                  p->error);
        break;
    case CLI_KEY_HOME:
        *status = cli_screen_seek(&p->screen, 0, p->error);
        break;
    case CLI_KEY_END:
        *status = cli_screen_seek(&p->screen, reprise_ic_playback_length(player), p->error);
        break;
    case CTRL_B:
        add_bookmark(&p->screen);
        break;
    case 's':
        p->screen.spoiler_free = !p->screen.spoiler_free;
        break;
    case 'q':
    case CTRL_C:
    case '\033':
    case CLI_KEY_CLOSED:
        return false;
    default:
        break;
    }
    *status = *status == REPRISE_END ? REPRISE_OK : *status;
    return *status == REPRISE_OK;
}

static void redraw(play *p)
{
    static const char keys[] =
        "space pause  , . step  [ ] speed  arrows marks  ^B bookmark  s spoilers  q quit";
    size_t width = 0, height = 0;
    cli_strbuf picture = {0};
    cli_terminal_size(&width, &height);
    cli_screen_put(&p->screen, &picture, width, height > 1 ? height - 1 : height,
                   p->run->out_colour);
    cli_put_cut(&picture, keys, sizeof keys - 1, width);
    cli_terminal_draw(&picture);
    cli_strbuf_free(&picture);
}

/* Plays the ticks that are due, but not so many that keys have to wait. */
static reprise_status play_due(play *p)
{
    uint64_t begin = now_us(), due = reprise_ic_playback_due(p->screen.player, begin);
    reprise_status status = REPRISE_OK;
    while (due-- && status == REPRISE_OK && now_us() - begin < 1000 * FRAME_MS)
        status = cli_screen_step(&p->screen, p->error);
    if (status == REPRISE_END)
        reprise_ic_playback_pause(p->screen.player, true);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static int play_terminal(play *p)
{
    reprise_status status = cli_screen_find_marks(&p->screen, p->error);
    load_bookmarks(&p->screen);
    if (status == REPRISE_OK && !cli_terminal_begin())
        return cli_usage(p->run, "play",
                         "needs a terminal; without one use --headless or --screen");
    bool running = status == REPRISE_OK;
    while (running && status == REPRISE_OK) {
        status = play_due(p);
        redraw(p);
        running = press(p, cli_terminal_key(FRAME_MS), &status);
    }
    cli_terminal_end();
    if (status != REPRISE_OK)
        return cli_report(p->run, p->screen.path, p->error);
    return p->screen.desyncs || p->screen.gaps ? CLI_WARNED : CLI_DONE;
}

static int play_screen(play *p)
{
    cli_strbuf picture = {0};
    size_t height = p->s->height.given ? (size_t)p->s->height.count : HEIGHT_DEFAULT;
    reprise_ic_playback_pause(p->screen.player, true);
    cli_screen_put(&p->screen, &picture, p->run->width, height, p->run->out_colour);
    cli_out_put(&p->run->out, picture.data, picture.size);
    cli_strbuf_free(&picture);
    return CLI_DONE;
}

/* ---- the verb ---- */

/* Seeks to --from. For a picture, the ticks before it are played to fill the ticker. */
static reprise_status go_to_start(play *p)
{
    enum { BEFORE = 60 };
    uint64_t from = p->s->from.count;
    if (!p->s->from.given)
        return REPRISE_OK;
    reprise_status status = cli_screen_seek(&p->screen,
                                            p->s->screen && from > BEFORE ? from - BEFORE
                                            : p->s->screen                ? 0
                                                                          : from,
                                            p->error);
    while (status == REPRISE_OK && reprise_ic_playback_tick(p->screen.player) < from)
        status = cli_screen_step(&p->screen, p->error);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static int run_open(play *p)
{
    const settings *s = p->s;
    reprise_status status = go_to_start(p);
    if (status == REPRISE_OK && s->speed.given)
        status = reprise_ic_playback_set_speed(p->screen.player, s->speed.real, p->error);
    if (status != REPRISE_OK)
        return cli_report(p->run, p->screen.path, p->error);
    if (s->screen)
        return play_screen(p);
    return s->headless || p->run->common->json ? play_headless(p) : play_terminal(p);
}

static int run_play(cli_run *run)
{
    const settings *s = run->settings;
    reprise_error error = REPRISE_ERROR_INIT;
    play p = {.run = run, .s = s, .error = &error};
    bool quiet = !(s->headless || run->common->json);
    p.calls = (reprise_ic_playback_callbacks){
        .struct_size = sizeof p.calls,
        .ctx = quiet ? (void *)&p.screen : (void *)&p,
        .event = quiet ? cli_screen_note_event : report_event,
        .desync = quiet ? cli_screen_note_desync : report_desync,
        .gap = quiet ? cli_screen_note_gap : report_gap,
        .divergence = quiet ? NULL : report_divergence,
        .desync_parts = quiet ? cli_screen_note_parts : report_parts};
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    options.callbacks = &p.calls;
    options.strict = s->strict;
    options.orders_only = s->orders_only;
    p.screen.spoiler_free = s->spoiler_free;
    reprise_replay *replay = NULL;
    reprise_status status = cli_open(run->operands[0], &run->common->reading, &replay, &error);
    if (status == REPRISE_OK)
        status = cli_screen_open(&p.screen, replay, run->operands[0], &options, &error);
    /* Replays of states are watched, not played. */
    if (status == REPRISE_E_UNSUPPORTED && replay && !error.hint[0])
        snprintf(error.hint, sizeof error.hint, "watch this file with 'reprise view FILE'");
    int code = status == REPRISE_OK ? run_open(&p) : cli_report(run, run->operands[0], &error);
    reprise_error damage;
    if (status == REPRISE_OK && reprise_damage(replay, &damage))
        code = cli_exit_worse(code, cli_report_damage(run, run->operands[0], &damage));
    cli_screen_close(&p.screen);
    cli_strbuf_free(&p.line);
    reprise_close(replay);
    return code;
}

#define HOW  "Playback"
#define WHAT "Range"

static const cli_option options[] = {
    {.name = "headless",
     .group = HOW,
     .doc =
         "Play without a terminal and print a summary. With --json, print a line for every tick, "
         "event, gap and desync.",
     .offset = offsetof(settings, headless),
     .parse = cli_parse_flag},
    {.name = "screen",
     .group = HOW,
     .doc = "Print one picture of the tick given by --from.",
     .offset = offsetof(settings, screen),
     .parse = cli_parse_flag},
    {.name = "height",
     .value = "LINES",
     .group = HOW,
     .doc = "Make that picture LINES lines high (default: 30)",
     .offset = offsetof(settings, height),
     .parse = cli_parse_count},
    {.name = "speed",
     .value = "N",
     .group = HOW,
     .doc = "Play at N times the normal speed: a multiple of 0.25 up to 8, or 0 for as fast as "
            "possible (default: 1)",
     .offset = offsetof(settings, speed),
     .parse = cli_parse_real},
    {.name = "spoiler-free",
     .group = HOW,
     .doc = "Hide the length of the replay.",
     .offset = offsetof(settings, spoiler_free),
     .parse = cli_parse_flag},
    {.name = "from",
     .value = "TICK",
     .group = WHAT,
     .doc = "Start at tick TICK.",
     .offset = offsetof(settings, from),
     .parse = cli_parse_count},
    {.name = "to",
     .value = "TICK",
     .group = WHAT,
     .doc = "With --headless, stop at tick TICK.",
     .offset = offsetof(settings, to),
     .parse = cli_parse_count},
    {.name = "strict",
     .group = WHAT,
     .doc = "Stop where frames are missing instead of continuing without them.",
     .offset = offsetof(settings, strict),
     .parse = cli_parse_flag},
    {.name = "orders-only",
     .group = WHAT,
     .doc = "Play the orders without simulating the game.",
     .offset = offsetof(settings, orders_only),
     .parse = cli_parse_flag},
};

const cli_command cli_play = {
    .name = "play",
    .summary = "play recorded orders on the terminal, or tick by tick for scripts",
    .operands = "FILE",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Shows the map from above. Each player is a letter, lower case for units and upper case "
        "for "
        "buildings. Space pauses, comma and period step, brackets change the speed, left and right "
        "go to the previous and next event, Home and End go to the start and the end, Ctrl-B sets "
        "a "
        "bookmark in FILE.bookmarks, s hides the length and q quits.\n\n"
        "Iron Curtain replays of the built-in game are re-simulated and compared tick by tick; a "
        "difference is shown and playback continues. OpenRA and classic Command & Conquer "
        "recordings play without conversion: orders, chat and time, with an estimate of how far "
        "they have diverged.\n\n"
        "The exit code is 3 if states differed or frames were missing.",
    .examples = {{"reprise play match.icrep", "Watch a replay."},
                 {"reprise play --headless --json match.icrep | grep '\"type\":\"desync\"'",
                  "List the ticks at which a replay does not play as recorded."},
                 {"reprise play --screen --from 600 match.icrep", "Print one picture."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_play,
};
