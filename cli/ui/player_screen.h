/*
 * player_screen.h - the state of the verb play: what happened so far, the marks to jump to, and a
 * picture of the current tick in characters. Independent of the terminal.
 */
#ifndef CLI_PLAYER_SCREEN_H
#define CLI_PLAYER_SCREEN_H

#include <reprise/ironcurtain/live.h>

#include "render.h"

enum { CLI_SCREEN_TICKER = 4, CLI_SCREEN_PINGS = 24 };

typedef struct cli_screen_place {
    uint64_t tick;
    int32_t x, y; /* cells */
    uint32_t player;
} cli_screen_place;

typedef struct cli_screen {
    reprise_replay *replay;
    reprise_ic_playback *player;
    reprise_ic_codec *ic; /* decodes states */
    const reprise_value *info;
    const char *path;
    bool spoiler_free;
    uint64_t desyncs, gaps, gap_frames;
    uint64_t desync_tick, ours, recorded;     /* the first one */
    bool parts_known;                         /* of the first desync */
    cli_strbuf first_part;                    /* empty: no part differed at the keyframe */
    cli_strbuf parts;                         /* in words */
    cli_strbuf ticker[CLI_SCREEN_TICKER];     /* the newest is the last */
    cli_screen_place pings[CLI_SCREEN_PINGS]; /* targets of orders, for replays without states */
    size_t ping_next;
    uint64_t *marks; /* ticks to jump to, ascending */
    size_t mark_count, mark_capacity;
    bool bookmarked;
    uint64_t bookmark; /* tick of the last bookmark set */
    uint32_t map_width, map_height;
} cli_screen;

/* Opens the player; the callbacks in `options` must outlive the screen. */
reprise_status cli_screen_open(cli_screen *s, reprise_replay *replay, const char *path,
                               const reprise_ic_playback_options *options, reprise_error *error);
void cli_screen_close(cli_screen *s);

/* Callbacks for the player; ctx is the screen. */
void cli_screen_note_desync(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded);
void cli_screen_note_parts(void *ctx, const reprise_ic_desync_parts *found);
void cli_screen_note_gap(void *ctx, uint64_t from, uint64_t to, uint64_t until);
void cli_screen_note_event(void *ctx, const reprise_ic_event *event);

/* Plays one tick; REPRISE_END at the end. */
reprise_status cli_screen_step(cli_screen *s, reprise_error *error);
reprise_status cli_screen_seek(cli_screen *s, uint64_t tick, reprise_error *error);

/* Collects events and chat messages as marks. Reads the complete replay. */
reprise_status cli_screen_find_marks(cli_screen *s, reprise_error *error);
void cli_screen_add_mark(cli_screen *s, uint64_t tick);
/* Adds a bookmark to the marks and to the ticker. */
void cli_screen_note_bookmark(cli_screen *s, uint64_t tick);
/* The mark before or after the current tick; the start or the end if there is none. */
uint64_t cli_screen_mark(const cli_screen *s, bool forward);

/* The picture: a map from above, the progress bar, the ticker and warnings. */
void cli_screen_put(cli_screen *s, cli_strbuf *to, size_t width, size_t height, bool colour);

const char *cli_screen_player_name(const cli_screen *s, uint32_t player);

#endif
