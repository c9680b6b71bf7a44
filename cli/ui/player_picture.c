/*
 * player_picture.c - draws a tick of a replay in characters: the map from above, readable without
 * colours. Players are letters, lower case for units and upper case for buildings; '$' is a
 * resource and '+' the target of an order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "player_screen.h"

enum { BELOW = 4 + CLI_SCREEN_TICKER, MAP_ROWS_MIN = 4 };

typedef struct canvas {
    char *cells;
    uint8_t *owners; /* player + 1 */
    size_t width, height;
    uint32_t map_width, map_height;
} canvas;

static char *cell_at(canvas *c, int64_t x, int64_t y, uint8_t **ret_owner)
{
    if (x < 0 || y < 0 || x >= c->map_width || y >= c->map_height)
        return NULL;
    size_t column = (size_t)x * c->width / c->map_width;
    size_t row = (size_t)y * c->height / c->map_height;
    *ret_owner = &c->owners[row * c->width + column];
    return &c->cells[row * c->width + column];
}

static void draw(canvas *c, int64_t x, int64_t y, char what, uint32_t owner)
{
    uint8_t *whose = NULL;
    char *cell = cell_at(c, x, y, &whose);
    if (!cell)
        return;
    *cell = what;
    *whose = (uint8_t)(owner < 254 ? owner + 1 : 255);
}

static void draw_map(canvas *c, const reprise_ic_map *map)
{
    const reprise_ic_map_cell *cells = map->cells.items;
    for (size_t i = 0; i < map->cells.count; i++) {
        uint8_t *whose = NULL;
        char *cell = cell_at(c, cells[i].cell.x, cells[i].cell.y, &whose);
        if (cell && cells[i].state.resource)
            *cell = '$';
    }
}

static void draw_units(cli_screen *s, canvas *c, const reprise_ic_core *core, bool buildings)
{
    const reprise_ic_entity *entities = core->entities.items;
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < core->entities.count; i++) {
        reprise_ic_components parts = {0};
        if (reprise_ic_decode_components(s->ic, &entities[i], &parts, &error) != REPRISE_OK)
            return;
        bool is_building = (parts.mask & REPRISE_IC_COMPONENT_BUILDING) != 0;
        if (is_building != buildings)
            continue;
        uint32_t owner = parts.identity.owner;
        char letter = (char)((is_building ? 'A' : 'a') + (owner < 26 ? (int)owner : 25));
        draw(c, parts.position.pos.x / 1024, parts.position.pos.y / 1024, letter, owner);
    }
}

static void draw_pings(cli_screen *s, canvas *c)
{
    enum { SEEN_TICKS = 45 };
    uint64_t now = reprise_ic_playback_tick(s->player);
    for (size_t i = 0; i < CLI_SCREEN_PINGS; i++) {
        const cli_screen_place *p = &s->pings[i];
        if (p->tick && p->tick + SEEN_TICKS > now)
            draw(c, p->x, p->y, '+', p->player);
    }
}

static void put_canvas(const canvas *c, cli_strbuf *to, bool colour)
{
    static const char *const paints[] = {"\033[36m", "\033[33m", "\033[32m", "\033[31m",
                                         "\033[35m", "\033[34m", "\033[37m", "\033[90m"};
    for (size_t row = 0; row < c->height; row++) {
        size_t used = c->width; /* without trailing blanks */
        while (used && c->cells[row * c->width + used - 1] == ' ')
            used--;
        for (size_t i = 0; i < used; i++) {
            uint8_t owner = c->owners[row * c->width + i];
            if (colour && owner)
                cli_puts(to, paints[(owner - 1u) % CLI_COUNT(paints)]);
            cli_putc(to, c->cells[row * c->width + i]);
            if (colour && owner)
                cli_puts(to, "\033[0m");
        }
        cli_putc(to, '\n');
    }
}

static void put_map(cli_screen *s, cli_strbuf *to, size_t width, size_t height, bool colour)
{
    canvas c = {
        .width = width, .height = height, .map_width = s->map_width, .map_height = s->map_height};
    /* A character is twice as high as wide, and a square map should look square. */
    if (c.width > 2 * height * c.map_width / c.map_height)
        c.width = 2 * height * c.map_width / c.map_height;
    c.width = c.width ? c.width : 1;
    c.cells = cli_memory(NULL, c.width * c.height);
    c.owners = cli_memory(NULL, c.width * c.height);
    memset(c.cells, ' ', c.width * c.height);
    memset(c.owners, 0, c.width * c.height);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_snapshot snapshot;
    reprise_ic_codec_reset(s->ic);
    if (reprise_ic_playback_has_state(s->player) &&
        reprise_ic_playback_state(s->player, &snapshot, &error) == REPRISE_OK) {
        draw_map(&c, &snapshot.core.map_state);
        draw_units(s, &c, &snapshot.core, true);
        draw_units(s, &c, &snapshot.core, false);
    }
    draw_pings(s, &c);
    put_canvas(&c, to, colour);
    free(c.cells);
    free(c.owners);
}

/* ---- the bar and the lines ---- */

static void put_clock(const cli_screen *s, cli_strbuf *to, uint64_t tick)
{
    uint64_t seconds = tick * reprise_ic_playback_tick_us(s->player) / 1000000;
    cli_printf(to, "%" PRIu64 ":%02" PRIu64, seconds / 60, seconds % 60);
}

static void put_bar(const cli_screen *s, cli_strbuf *to, size_t width)
{
    uint64_t tick = reprise_ic_playback_tick(s->player),
             length = reprise_ic_playback_length(s->player);
    double speed = reprise_ic_playback_speed(s->player);
    cli_strbuf words = {0};
    cli_puts(&words, reprise_ic_playback_is_paused(s->player) ? " || " : " >  ");
    put_clock(s, &words, tick);
    if (!s->spoiler_free) {
        cli_puts(&words, " / ");
        put_clock(s, &words, length);
    }
    cli_printf(&words, "  tick %" PRIu64, tick);
    if (speed > 0)
        cli_printf(&words, "  %gx", speed);
    else
        cli_puts(&words, "  max");
    size_t room = width > words.size + 4 ? width - words.size - 2 : 2;
    cli_putc(to, '[');
    for (size_t i = 0; i < room; i++) {
        bool done = length && (uint64_t)i * length < tick * room;
        cli_putc(to, s->spoiler_free ? '~' : done ? '=' : '-');
    }
    cli_putc(to, ']');
    cli_put(to, words.data, words.size);
    cli_putc(to, '\n');
    cli_strbuf_free(&words);
}

static void put_title(const cli_screen *s, cli_strbuf *to, size_t width, bool colour)
{
    const reprise_value *people = reprise_value_get(s->info, "people");
    const reprise_value *map = reprise_value_get(s->info, "map");
    const char *name = reprise_value_text(reprise_value_get(map, "name"), NULL);
    cli_strbuf line = {0};
    cli_puts(&line, name ? name : s->path);
    for (size_t i = 0; i < reprise_value_count(people) && i < 8; i++)
        cli_printf(&line, "  %c %s", (char)('a' + (int)i), cli_screen_player_name(s, (uint32_t)i));
    cli_strbuf shown = {0};
    cli_put_cut(&shown, line.data, line.size, width);
    if (colour)
        cli_puts(to, "\033[1m");
    cli_put(to, shown.data, shown.size);
    cli_puts(to, colour ? "\033[0m\n" : "\n");
    cli_strbuf_free(&line);
    cli_strbuf_free(&shown);
}

static void put_warning(const cli_screen *s, cli_strbuf *to, bool colour)
{
    static const char *const levels[] = {"plausible", "minor drift", "diverged"};
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    cli_strbuf words = {0};
    (void)!reprise_ic_playback_get_divergence(s->player, &d, NULL);
    if (s->desyncs)
        cli_printf(&words,
                   "desync at tick %" PRIu64 ": ours %016" PRIx64 ", recorded %016" PRIx64 "%s%s",
                   s->desync_tick, s->ours, s->recorded, s->parts_known ? "; " : "",
                   cli_strbuf_string(&s->parts));
    else if (!reprise_ic_playback_has_state(s->player) || d.level != REPRISE_IC_PLAUSIBLE)
        cli_printf(&words, "another game's replay: %s", levels[d.level]);
    if (!s->desyncs && d.level != REPRISE_IC_PLAUSIBLE)
        cli_printf(&words, " since tick %" PRIu64 ", %s", d.tick, d.reason);
    if (words.size)
        cli_put_painted(to, colour, s->desyncs ? CLI_RED : CLI_YELLOW, cli_strbuf_string(&words));
    cli_putc(to, '\n');
    cli_strbuf_free(&words);
}

void cli_screen_put(cli_screen *s, cli_strbuf *to, size_t width, size_t height, bool colour)
{
    size_t rows = height > BELOW + MAP_ROWS_MIN ? height - BELOW : MAP_ROWS_MIN;
    put_title(s, to, width, colour);
    put_map(s, to, width, rows, colour);
    put_bar(s, to, width);
    for (size_t i = 0; i < CLI_SCREEN_TICKER; i++) {
        const char *line = cli_strbuf_string(&s->ticker[i]);
        cli_put_cut(to, line, strlen(line), width);
        cli_putc(to, '\n');
    }
    put_warning(s, to, colour);
}
