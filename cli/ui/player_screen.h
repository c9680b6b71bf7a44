/*
 * player_screen.h - the state of the verb play: what happened so far, the marks to jump to, and a
 * picture of the current tick in characters. Independent of the terminal.
 */
#ifndef CLI_PLAYER_SCREEN_H
#define CLI_PLAYER_SCREEN_H

#include <reprise/ironcurtain/live.h>

#include "render.h"

enum { SCREEN_TICKER = 4, SCREEN_PINGS = 24 };

typedef struct screen_place {
    uint64_t tick;
    int32_t x, y; /* cells */
    uint32_t player;
} screen_place;

typedef struct show {
    reprise_replay *replay;
    reprise_ic_playback *player;
    reprise_ic_codec *ic; /* decodes states */
    const reprise_value *info;
    const char *path;
    bool spoiler_free;
    uint64_t desyncs, gaps, gap_frames;
    uint64_t desync_tick, ours, recorded; /* the first one */
    bool parts_known;                     /* of the first desync */
    cli_strbuf first_part;                /* empty: no part differed at the keyframe */
    cli_strbuf parts;                     /* in words */
    cli_strbuf ticker[SCREEN_TICKER];     /* the newest is the last */
    screen_place pings[SCREEN_PINGS];     /* targets of orders, for replays without states */
    size_t ping_next;
    uint64_t *marks; /* ticks to jump to, ascending */
    size_t mark_count, mark_capacity;
    bool bookmarked;
    uint64_t bookmark; /* tick of the last bookmark set */
    uint32_t map_width, map_height;
} show;

/* Opens the player; the callbacks in `options` must outlive the show. */
reprise_status screen_open(show *s, reprise_replay *replay, const char *path,
                           const reprise_ic_playback_options *options, reprise_error *error);
void screen_close(show *s);

/* Callbacks for the player; ctx is the show. */
void screen_note_desync(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded);
void screen_note_parts(void *ctx, const reprise_ic_desync_parts *found);
void screen_note_gap(void *ctx, uint64_t from, uint64_t to, uint64_t until);
void screen_note_event(void *ctx, const reprise_ic_event *event);

/* Plays one tick; REPRISE_END at the end. */
reprise_status screen_step(show *s, reprise_error *error);
reprise_status screen_seek(show *s, uint64_t tick, reprise_error *error);

/* Collects events and chat messages as marks. Reads the complete replay. */
reprise_status screen_find_marks(show *s, reprise_error *error);
void screen_add_mark(show *s, uint64_t tick);
/* Adds a bookmark to the marks and to the ticker. */
void screen_note_bookmark(show *s, uint64_t tick);
/* The mark before or after the current tick; the start or the end if there is none. */
uint64_t screen_mark(const show *s, bool forward);

/* The picture: a map from above, the progress bar, the ticker and warnings. */
void screen_put(show *s, cli_strbuf *to, size_t width, size_t height, bool colour);

const char *screen_player_name(const show *s, uint32_t player);

#endif
