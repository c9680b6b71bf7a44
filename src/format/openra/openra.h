/*
 * openra.h - types and functions shared in this directory: an open OpenRA replay, its packets and
 * dialects.
 *
 * A recording is a stream of packets (a flat file, or the entry "orders" of a ZIP) followed by a
 * text about the match. read_packets.c iterates over packets, grammar_order.c reads and writes
 * orders in eight dialects, read_dialect.c finds out which one it is, read_header.c opens a file,
 * read_lobby.c turns MiniYAML into rows, and read.c decodes.
 */
#ifndef OPENRA_H
#define OPENRA_H

#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "window.h"

/* First bytes of payloads. */
enum {
    ORA_ACK = 0x10,
    ORA_PING = 0x20,
    ORA_SYNC_HASH = 0x65,
    ORA_TICK_SCALE = 0x76,
    ORA_DISCONNECTED = 0xBF,
    ORA_HANDSHAKE = 0xFE,
    ORA_FIELDS = 0xFF,
};

typedef enum ora_kind {
    ORA_KIND_ORDERS,
    ORA_KIND_IMMEDIATE,
    ORA_KIND_SYNC,
    ORA_KIND_DISCONNECT,
    ORA_KIND_TICK_SCALE,
    ORA_KIND_PING,
    ORA_KIND_ACK,
    ORA_KIND_COUNT
} ora_kind;

/* 0, 1 and 3 are stored as such; a stored 2 is a position or, depending on a flag, a cell. */
typedef enum ora_target {
    ORA_TARGET_INVALID,
    ORA_TARGET_ACTOR,
    ORA_TARGET_POS,
    ORA_TARGET_FROZEN,
    ORA_TARGET_CELL,
} ora_target;

typedef enum ora_channel {
    ORA_CHANNEL_ALL,
    ORA_CHANNEL_TEAM,
    ORA_CHANNEL_SPECTATORS,
    ORA_CHANNEL_SERVER,
    ORA_CHANNEL_NOTIFICATION,
} ora_channel;

#define ORA_NO_ACTOR  UINT32_C(0xFFFFFFFF)
#define ORA_FRAME_NOW INT32_MAX
/* The largest size of an archive's member. */
#define ORA_ZIP_BYTES_MAX ((size_t)1 << 30)
/* Clients whose frames are tracked; a match has far fewer. */
enum { ORA_CLIENTS_SEEN = 64 };
/* Since this protocol a disconnect names the client that left, and is longer. */
enum { PROTOCOL_NEW_DISCONNECT = 13, ORA_OLD_DISCONNECT_LENGTH = 5 };
enum { ORA_MARKER = -1, ORA_TRAILER_END = -2, ORA_UNITS_PER_CELL = 1024 };

/* ---- read_dialect.c, grammar_order.c ---- */

typedef enum ora_cell { ORA_CELL_XY, ORA_CELL_XY_LAYER, ORA_CELL_PACKED } ora_cell;

/* How orders are stored: everything the order reader and writer must know. */
typedef struct ora_dialect {
    const char *name;
    int protocol;   /* the first OrdersProtocol that has it; 0 before there was one */
    int release;    /* the first version date after all of its releases */
    uint16_t known; /* field bits */
    uint8_t flags_size;
    uint8_t subcell_size; /* 0: not stored */
    ora_cell cell;
    bool typed_target;   /* else a bit each for actor and cell */
    bool subject_always; /* else if a bit is set */
    bool any_handshake;  /* all immediate orders are stored as handshakes */
    bool generation;
    bool terrain;
    bool defeat; /* sync packets say who has lost */
} ora_dialect;

enum { ORA_DIALECT_COUNT = 8 };
extern const ora_dialect ora_dialects[ORA_DIALECT_COUNT]; /* oldest first */
const ora_dialect *ora_dialect_find(const char *name);

/*
 * Reads one order. Fields that are present are set and their bits added to *present; the others are
 * left alone. Lists are copied to the arena; without one they are checked and skipped.
 */
void ora_order_read(rp_reader *r, const ora_dialect *dialect, rp_arena *lists, ora_order *order,
                    uint64_t *present);
/* Writes an order. What the dialect cannot hold must have been removed. */
void ora_order_write(rp_writer *w, const ora_dialect *dialect, const ora_order *order,
                     uint64_t present);
/* A text as stored: length as LEB128, then the bytes. */
rp_text ora_text_read(rp_reader *r, const char *what);
void ora_text_write(rp_writer *w, const void *text, size_t size);

/* ---- grammar.c ---- */

uint32_t ora_group_size(const ora_order *order, uint64_t present);
/* What an order means in the form that all engines share. */
reprise_foreign_kind ora_order_kind(const rp_text *name);
/* Whether an order is given to the game: immediate ones concern the lobby, chat and pauses. */
bool ora_is_action(const ora_order *order, reprise_foreign_kind kind);
/* The cell an order aims at; false if it aims at none. */
bool ora_order_cell(const ora_order *order, uint64_t present, int32_t *ret_x, int32_t *ret_y);
static inline bool ora_is(const rp_text *name, const char *word)
{
    return name->size == strlen(word) && memcmp(name->data, word, name->size) == 0;
}
/* Whether an order is a support power: by its ending, or one of the powers with names of their own.
 */
bool ora_is_power(const rp_text *name);

/* The cell of a world position, rounded down. */
static inline int32_t ora_cell_of(int32_t pos)
{
    return pos >= 0 ? pos / ORA_UNITS_PER_CELL : -1 - (-1 - pos) / ORA_UNITS_PER_CELL;
}

/* ---- an open replay ---- */

typedef struct ora_name {
    int32_t client;
    const char *name;
} ora_name;

/* Why the packets end. */
typedef enum ora_stop {
    ORA_STOP_END,
    ORA_STOP_MARKER,
    ORA_STOP_CUT,
    ORA_STOP_LENGTH,
    ORA_STOP_PAST_END,
    ORA_STOP_BROKEN, /* the entry of an archive, which is salvaged */
} ora_stop;

typedef struct ora_replay {
    rp_replay base;
    uint64_t stream_size; /* packets end here at the latest: trailer, or end of the entry */
    uint64_t packet_end;  /* where they really end */
    int64_t orders_entry, metadata_entry, sync_entry; /* ZIP; -1 if missing */
    rp_text metadata;                                 /* MiniYAML; data NULL if there is none */
    reprise_value *header; /* the metadata as a document: root, players; or NULL */
    reprise_value *lobby;  /* the last SyncInfo before the start, or NULL */
    const ora_dialect *dialect;
    const char *dialect_by; /* "declared", "version", "trial" or "forced" */
    bool settled;           /* no later packet can change the dialect */
    int64_t protocol;       /* as declared, or 0 */
    const char *mod, *version;
    uint32_t packet_count, kinds[ORA_KIND_COUNT];
    int32_t frame_last;   /* highest frame of an orders packet */
    int64_t start_packet; /* the one with StartGame, or -1 */
    int64_t lobby_packet; /* the one with `lobby`, or -1 */
    uint32_t interval;    /* simulation ticks per frame */
    uint32_t tick_ms, latency;
    const char *game_speed;
    ora_name *names;
    size_t name_count;
    uint32_t passwords; /* in handshakes */
    uint32_t chat_count;
    bool sought;           /* a seek has been made */
    struct ora_seek *seek; /* see read_seek.c; NULL before the second one */
} ora_replay;

const char *ora_client_name(const ora_replay *replay, int32_t client);

/* When a frame is executed. */
static inline int64_t ora_frame_tick(const ora_replay *replay, int32_t frame)
{
    return frame > 0 ? ((int64_t)frame - 1) * replay->interval : 0;
}

static inline double ora_tick_time(const ora_replay *replay, int64_t tick)
{
    return (double)(tick * replay->tick_ms) / 1000.0;
}

/*
 * The first frame without orders of a client that left. Until protocol 12 a disconnect names the
 * last frame with orders, later the first one without; ORA_FRAME_NOW stays as it is.
 */
static inline int64_t ora_disconnect_end(int32_t frame, uint32_t length)
{
    bool is_old = length <= ORA_OLD_DISCONNECT_LENGTH;
    return (int64_t)frame + (is_old && frame != ORA_FRAME_NOW);
}

/* ---- grammar_colour.c ---- */

enum { ORA_COLOUR_SIZE = 16 };

typedef enum ora_colour { ORA_COLOUR_NONE, ORA_COLOUR_HSL, ORA_COLOUR_HEX } ora_colour;

/* How the releases of a dialect write colours: digits since protocol 8. */
static inline ora_colour ora_colour_form(const ora_dialect *dialect)
{
    return dialect->protocol ? ORA_COLOUR_HEX : ORA_COLOUR_HSL;
}

/* Which form a text has, and its colour as 0xRRGGBB; an alpha is dropped. */
ora_colour ora_colour_read(const char *text, uint32_t *ret_rgb);
/* The same colour in the form of a dialect; false if it has that form, or is none. */
bool ora_colour_convert(const ora_dialect *to, const char *text, char ret_text[ORA_COLOUR_SIZE]);

/* ---- read_packets.c ---- */

/* One packet in the stream. */
typedef struct ora_wire {
    uint64_t offset;
    uint32_t number;
    int32_t client, frame;
    uint32_t length; /* including the frame */
    ora_kind kind;
    rp_reader payload; /* after the frame */
} ora_wire;

/* The three numbers that every packet begins with. */
enum { ORA_HEAD_SIZE = 12 };
typedef struct ora_head {
    int32_t client, length, frame; /* the length includes the frame */
} ora_head;

/* From ORA_HEAD_SIZE bytes. */
static inline ora_head ora_head_of(const uint8_t *bytes)
{
    return (ora_head){.client = (int32_t)rp_load32(bytes),
                      .length = (int32_t)rp_load32(bytes + 4),
                      .frame = (int32_t)rp_load32(bytes + 8)};
}

typedef struct ora_cursor {
    const ora_replay *replay;
    rp_window window;
    uint32_t number; /* of the next packet */
    bool ended;
    ora_stop stop;
    int32_t stop_length;
} ora_cursor;

/* A cursor before the first packet. Free it, also after a failure. */
reprise_status ora_cursor_open(ora_cursor *cursor, const ora_replay *replay, reprise_error *error);
/* A cursor before another packet of a flat file. */
reprise_status ora_cursor_open_at(ora_cursor *cursor, const ora_replay *replay, uint64_t offset,
                                  uint32_t number, reprise_error *error);
void ora_cursor_free(ora_cursor *cursor);
/*
 * Gives the next packet without advancing. If *ret_there is false, cursor->ended says whether the
 * packets end here. Without `fill` the window does not move, so that rows read from it stay valid,
 * and a packet that is not completely in the window counts as not there yet.
 */
reprise_status ora_cursor_peek(ora_cursor *cursor, bool fill, ora_wire *ret_packet, bool *ret_there,
                               reprise_error *error);
void ora_cursor_skip(ora_cursor *cursor, const ora_wire *packet);
/* Peek and skip. REPRISE_END after the last packet. */
reprise_status ora_cursor_next(ora_cursor *cursor, ora_wire *ret_packet, reprise_error *error);

/* ---- read_header.c, read_dialect.c ---- */

/* The trailer of a flat file, and why it cannot be used. */
typedef struct ora_trailer {
    uint64_t offset;
    uint32_t size;   /* of the text */
    const char *why; /* what is wrong with it, or NULL */
    bool newer;      /* its version is unknown */
    int32_t version;
} ora_trailer;
reprise_status ora_find_trailer(rp_source *source, ora_trailer *ret_trailer, reprise_error *error);
/* The size of an entry as declared, or the maximum if the archive's directory is damaged. */
uint64_t ora_entry_size(const rp_zip *zip, int64_t entry);
/* Checks OpenRA's own limits for archives. */
reprise_status ora_check_entry(const rp_zip_entry *entry, reprise_error *error);
void ora_set_layout(ora_replay *replay);
reprise_status ora_open(rp_replay *base, reprise_error *error);
/* Chooses the declared dialect and checks it on the first packets. */
reprise_status ora_choose_dialect(ora_replay *replay, reprise_error *error);
/* Checks the dialect on all packets, unless that has been done. */
reprise_status ora_settle_dialect(ora_replay *replay, reprise_error *error);

/* ---- read_lobby.c ---- */

/* What MiniYAML an order contains. */
typedef enum ora_yaml {
    ORA_YAML_NONE,
    ORA_YAML_HANDSHAKE,
    ORA_YAML_LOBBY,
    ORA_YAML_OTHER,
} ora_yaml;
ora_yaml ora_yaml_of(const rp_text *order);
/* Adds the rows of clients, slots and settings in a lobby text to the decoder's batch. */
reprise_status ora_emit_lobby(rp_decoder *decoder, rp_arena *arena, const rp_text *text,
                              uint32_t packet, reprise_error *error);
/* Uses the lobby at the start: speed, names, document. */
reprise_status ora_use_lobby(ora_replay *replay, const rp_text *text, reprise_error *error);
/* Uses the metadata: first what it says about the match, then, after the lobby, its names. */
reprise_status ora_use_metadata(ora_replay *replay, reprise_error *error);
reprise_status ora_use_players(ora_replay *replay, reprise_error *error);

/* ---- read.c ---- */

reprise_status ora_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status ora_decode_next(rp_decoder *decoder, reprise_error *error);
void ora_decode_end(rp_decoder *decoder);

/* ---- read_seek.c ---- */

reprise_status ora_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);

/* ---- read_sync_hashes.c ---- */

/* Whether sums are only in a list of the archive. */
bool ora_has_list(const ora_replay *replay);
/*
 * By how many frames a row of a match may be earlier than one before it in the file; of the rows in
 * packets, not of those in the list.
 */
reprise_status ora_disorder(ora_replay *replay, int64_t *ret_frames, reprise_error *error);
/* Reads that list. Empty if it cannot be read in a salvaged file. The caller frees it. */
reprise_status ora_read_list(const ora_replay *replay, uint8_t **ret_data, size_t *ret_size,
                             reprise_error *error);

/* ---- verify_playable.c ---- */

/* Adds a text for every rule of docs/spec/openra.md that keeps the game from playing a file. */
reprise_status ora_playable(rp_replay *replay, rp_doc *doc, reprise_value *broken,
                            reprise_error *error);

/* ---- grammar_names.c ---- */

/* The Advanced Power Plant for "apwr" of the mod "ra"; NULL if it is not known. */
const rp_item *ora_item(const char *mod, const char *id);
/* The name of what an order names; `order` may be NULL. */
const char *ora_item_name(const rp_replay *base, const char *order, const char *item);

/* ---- analyse_compare.c ---- */

/* Leaves `match` empty if the two are not of the same match. */
reprise_status ora_compare(rp_replay *left, rp_replay *right, rp_doc *doc, reprise_value *match,
                           reprise_error *error);

/* ---- format.c, info.c, stats.c, foreign.c, scene.c, verify.c ---- */

/* The probe's score, 0 to 100. */
unsigned ora_score(const rp_probe *probe);

/* redact.c: finds private data, by value. */
reprise_status ora_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
void ora_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);
reprise_status ora_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status ora_info(rp_replay *replay, rp_doc *doc, reprise_value *info, reprise_error *error);
extern const rp_summary ora_summary;
reprise_status ora_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error);
reprise_status ora_foreign(rp_replay *replay, rp_foreign *foreign, reprise_error *error);
reprise_status ora_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error);
reprise_status ora_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                          reprise_error *error);

#endif
