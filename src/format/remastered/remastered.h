/*
 * remastered.h - types and functions shared in this directory: an open recording of Red Alert or
 * Tiberian Dawn.
 *
 * There is no magic and no checksum: read_header.c checks whether a header is plausible,
 * format_probe.c reads the first frames as each of the four layouts, read.c decodes, and
 * grammar_names.c names the games' numbers.
 */
#ifndef REMASTERED_H
#define REMASTERED_H

#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "window.h"

/* What differs between the two games. */
typedef struct cnc_game {
    const char *name;  /* "ra" */
    const char *title; /* "Red Alert" */
    bool td;
    uint8_t target_size;
    uint8_t event_size, data_offset;
    uint8_t frame_bits, house_bits;
    uint8_t special_size, special_used;
    int8_t houses, session_types;
    int8_t skirmish; /* session type, or -1 */
    uint8_t cell_bits;
    size_t header_size; /* without player nodes */
} cnc_game;
extern const cnc_game cnc_ra, cnc_td;

enum {
    CNC_NODES_MAX = 64,
    CNC_SELECTED_MAX = 4096,
    CNC_EVENTS_MAX = 16384,
    CNC_SESSION_NORMAL = 0,
    CNC_MULTI_FRAME = 2,
    CNC_CLOCK_HZ = 60,
    CNC_TEAM_DATA = CNC_TEAM_HOUSES * 2 * CNC_TEAMS,
};

/* Both headers, after the values that the reader needs of either. */
typedef struct cnc_header {
    const cnc_game *game;
    size_t size;
    int32_t type;
    uint32_t frame_send_rate;
    int32_t comm_protocol;
    uint32_t game_speed;
    cnc_ra_session session; /* Red Alert */
    cnc_ra_node nodes[CNC_NODES_MAX];
    cnc_ra_scenario scenario;
    cnc_td_header td; /* Tiberian Dawn */
} cnc_header;

/* The sequence of frames. */
typedef struct cnc_layout {
    const char *name;
    const cnc_game *game;
    bool full; /* every frame has a view record */
} cnc_layout;
enum { CNC_LAYOUT_COUNT = 4 };
extern const cnc_layout cnc_layouts[CNC_LAYOUT_COUNT];

typedef struct cnc_replay {
    rp_replay base;
    cnc_header header;
    const cnc_layout *layout;
    bool skirmish_gap;    /* the skirmish rule: frame 0 has no record of events */
    unsigned confidence;  /* 0 to 100 */
    uint32_t frame_count; /* known after everything was read */
    uint32_t frame_last;
    struct cnc_checker *checker;         /* see verify.c; NULL before the first check */
    struct cnc_checkpoints *checkpoints; /* see read_seek.c; NULL before the first seek */
} cnc_replay;

/* ---- read_header.c ---- */

/* Parses a header; fails if it is cut or has too many player nodes. */
void cnc_header_read(rp_reader *r, const cnc_game *game, cnc_header *header);
/* Whether the game would write such values. */
bool cnc_header_plausible(const cnc_header *header, const uint8_t *bytes);
/* The header as a document. */
reprise_value *cnc_header_document(rp_doc *doc, const cnc_header *header);
/* Text up to its NUL. */
rp_text cnc_text(const uint8_t *bytes, size_t size);

/* ---- read_frames.c ---- */

typedef enum cnc_damage {
    CNC_SOUND,
    CNC_CUT,
    CNC_SELECTION_COUNT,
    CNC_SELECTION_SUM,
    CNC_EVENT_COUNT_WRONG,
    CNC_EVENT_TYPE,
    CNC_EVENT_FRAME,
} cnc_damage;

/* Iterates over frame records. */
typedef struct cnc_cursor {
    const cnc_header *header;
    bool full, skirmish_gap;
    rp_window window;
    uint32_t frame; /* of the next record */
    uint64_t clock; /* its time in 1/60 s */
    uint32_t speed; /* 1/60 s per frame */
    cnc_damage damage;
    int64_t damage_value;
    uint64_t damage_offset;
} cnc_cursor;

/* One frame record: readers on its parts, checked. */
typedef struct cnc_record {
    uint32_t frame;
    double time;
    uint64_t offset;
    uint32_t size;
    bool has_view, has_events;
    cnc_frame about;
    uint64_t about_present;
    rp_reader selection; /* the targets */
    rp_reader teams;     /* Red Alert: team data */
    int32_t event_count;
    rp_reader events;
} cnc_record;

/* Seconds. */
static inline double cnc_clock_time(uint64_t clock)
{
    return (double)clock / CNC_CLOCK_HZ;
}

/* A cursor on memory that begins with the header. */
void cnc_cursor_init(cnc_cursor *cursor, const cnc_header *header, bool full, bool skirmish_gap);
/* The frame of the first record. */
uint32_t cnc_first_frame(const cnc_replay *replay);
/* The next record; REPRISE_END at the end of the file or where it is damaged (cursor->damage). */
reprise_status cnc_cursor_next(cnc_cursor *cursor, cnc_record *ret_record, reprise_error *error);
/*
 * Skips records without views and events as far as they are in the window: a long session consists
 * mostly of them. Returns how many; *last has frame and time of the last.
 */
uint64_t cnc_cursor_skip_empty(cnc_cursor *cursor, cnc_record *last);
uint32_t cnc_read_target(rp_reader *r, const cnc_game *game);
/* Splits the second word of an event. */
uint32_t cnc_event_frame(const cnc_game *game, uint32_t word);
uint32_t cnc_event_house(const cnc_game *game, uint32_t word);
/* Red Alert's number for a type of this game, or -1. */
int cnc_event_of(const cnc_game *game, uint8_t type);
/* Reads one event of the right size, whose type is known. */
void cnc_event_read(rp_reader *r, const cnc_game *game, cnc_event *event, uint64_t *present);

/* ---- format_probe.c ---- */

typedef struct cnc_guess {
    const cnc_layout *layout; /* NULL: none fits */
    bool skirmish_gap;
    unsigned score;
} cnc_guess;
/* Tries all layouts, or only those of one name. Reads the source only if a header fits. */
cnc_guess cnc_recognise(rp_context *context, rp_source *source, const uint8_t *head,
                        size_t head_size, const char *only);

/* ---- grammar_names.c ---- */

const char *cnc_house_name(const cnc_game *game, int32_t house);
const char *cnc_mission_name(const cnc_game *game, int32_t mission);
const char *cnc_weapon_name(const cnc_game *game, int32_t weapon);
const char *cnc_class_name(const cnc_game *game, uint32_t rtti);
/* What PRODUCE builds, or NULL. */
const char *cnc_type_name(const cnc_game *game, uint32_t rtti, int32_t type_id);
/* Whether a name that orders have is that of a unit or a building; NULL if it is of neither. */
const rp_item *cnc_item(const char *mod, const char *name);
/* "SCG10EA": Tiberian Dawn builds the name of a scenario from its parts. */
void cnc_td_scenario(const cnc_td_header *header, char *to, size_t size);
const char *cnc_session_name(const cnc_game *game, int32_t type);
/* "building type 40", for a type without a name. */
void cnc_number_name(const cnc_game *game, uint32_t rtti, int32_t type_id, char *to, size_t size);
/* Whether a target is a cell, and which. */
bool cnc_target_cell(const cnc_game *game, uint32_t target, int32_t *ret_cell);
void cnc_cell_of(const cnc_game *game, int32_t cell, int32_t *ret_x, int32_t *ret_y);

/* ---- read.c ---- */

reprise_status cnc_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status cnc_decode_next(rp_decoder *decoder, reprise_error *error);
void cnc_decode_end(rp_decoder *decoder);
/* A cursor on the first record, or on one whose offset is known. */
reprise_status cnc_cursor_open(cnc_cursor *cursor, const cnc_replay *replay, reprise_error *error);
reprise_status cnc_cursor_open_at(cnc_cursor *cursor, const cnc_replay *replay, uint64_t offset,
                                  reprise_error *error);

/* ---- read_seek.c ---- */

reprise_status cnc_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);

/* ---- grammar.c ---- */

/* What an event means in the form that all engines share. */
reprise_foreign_kind cnc_order_kind(const cnc_game *game, const cnc_event *event);
/* Whether an event belongs to the match, and whether a player gave it to the game. */
bool cnc_is_order(uint8_t event);
bool cnc_is_action(uint8_t event);
/* The frame whose state a FRAMEINFO row sums up, which is `delay` frames back. */
bool cnc_sync_frame(const rp_row *row, int64_t *ret_frame);

/* ---- info.c, stats.c, foreign.c, scene.c, verify.c ---- */

/* redact.c: finds private data, by value. */
reprise_status cnc_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
void cnc_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);
reprise_status cnc_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status cnc_info(rp_replay *replay, rp_doc *doc, reprise_value *info, reprise_error *error);
extern const rp_summary cnc_summary;
reprise_status cnc_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error);
reprise_status cnc_foreign(rp_replay *replay, rp_foreign *foreign, reprise_error *error);
reprise_status cnc_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error);
reprise_status cnc_verify_begin(rp_replay *replay, reprise_error *error);
void cnc_verify_batch(rp_replay *replay, const rp_batch *batch);
reprise_status cnc_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                          reprise_error *error);

#endif
