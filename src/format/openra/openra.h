/*
 * openra.h - what the files of this folder share: an open OpenRA replay, its packets and dialects.
 *
 * A recording is a stream of packets (flat file, or the entry "orders" of a ZIP) and a text about
 * the match behind it. stream.c steps from packet to packet, order.c reads and writes orders in
 * eight dialects, dialect.c finds out which one it is, open.c gathers what is known before the
 * match is decoded, lobby.c turns MiniYAML into rows, read.c decodes.
 */
#ifndef OPENRA_H
#define OPENRA_H

#include "format.h"
#include "records.h"
#include "window.h"

/* First bytes of payloads. */
enum {
    OPENRA_ACK = 0x10,
    OPENRA_PING = 0x20,
    OPENRA_SYNC_HASH = 0x65,
    OPENRA_TICK_SCALE = 0x76,
    OPENRA_DISCONNECTED = 0xBF,
    OPENRA_HANDSHAKE = 0xFE,
    OPENRA_FIELDS = 0xFF,
};

typedef enum openra_kind {
    OPENRA_KIND_ORDERS,
    OPENRA_KIND_IMMEDIATE,
    OPENRA_KIND_SYNC,
    OPENRA_KIND_DISCONNECT,
    OPENRA_KIND_TICK_SCALE,
    OPENRA_KIND_PING,
    OPENRA_KIND_ACK,
    OPENRA_KIND_COUNT
} openra_kind;

/* 0, 1 and 3 are the wire's own numbers; its 2 is a position or, by a flag, a cell. */
typedef enum openra_target {
    OPENRA_TARGET_INVALID,
    OPENRA_TARGET_ACTOR,
    OPENRA_TARGET_POS,
    OPENRA_TARGET_FROZEN,
    OPENRA_TARGET_CELL,
} openra_target;

typedef enum openra_channel {
    OPENRA_CHANNEL_ALL,
    OPENRA_CHANNEL_TEAM,
    OPENRA_CHANNEL_SPECTATORS,
    OPENRA_CHANNEL_SERVER,
    OPENRA_CHANNEL_NOTIFICATION,
} openra_channel;

#define OPENRA_NO_ACTOR  UINT32_C(0xFFFFFFFF)
#define OPENRA_FRAME_NOW INT32_MAX
enum { OPENRA_MARKER = -1, OPENRA_TRAILER_END = -2, OPENRA_UNITS_PER_CELL = 1024 };

/* ---- dialect.c, order.c ---- */

typedef enum openra_cell { OPENRA_CELL_XY, OPENRA_CELL_XY_LAYER, OPENRA_CELL_PACKED } openra_cell;

/* How orders are stored: everything the order reader and writer must know. */
typedef struct openra_dialect {
    const char *name;
    int protocol;   /* OrdersProtocol it begins with; 0 before there was one */
    int release;    /* first version date that is later than all of its releases */
    uint16_t known; /* field bits */
    uint8_t flags_size;
    uint8_t subcell_size; /* 0: has none */
    openra_cell cell;
    bool typed_target;   /* else actor and cell by a bit each */
    bool subject_always; /* else by a bit */
    bool any_handshake;  /* all immediate orders are stored as handshakes */
    bool generation;
    bool terrain;
    bool defeat; /* sync packets tell who has lost */
} openra_dialect;

enum { OPENRA_DIALECT_COUNT = 8 };
extern const openra_dialect openra_dialects[OPENRA_DIALECT_COUNT]; /* oldest first */
const openra_dialect *openra_dialect_find(const char *name);

/*
 * Reads one order. Fields that are there are filled in and their bits added to *present; the others
 * are left alone. Lists are copied to the arena; without one they are checked and skipped.
 */
void openra_order_read(rp_reader *r, const openra_dialect *dialect, rp_arena *lists,
                       openra_order *order, uint64_t *present);
/* Writes an order; what the dialect cannot hold must have been taken out before. */
void openra_order_write(rp_writer *w, const openra_dialect *dialect, const openra_order *order,
                        uint64_t present);
/* A text as stored: length as LEB128, then the bytes. */
rp_text openra_text_read(rp_reader *r, const char *what);
void openra_text_write(rp_writer *w, const void *text, size_t size);

uint32_t openra_group_size(const openra_order *order, uint64_t present);
bool openra_is(const rp_text *name, const char *word);

/* ---- an open replay ---- */

typedef struct openra_name {
    int32_t client;
    const char *name;
} openra_name;

/* Why the packets end. */
typedef enum openra_stop {
    OPENRA_STOP_END,
    OPENRA_STOP_MARKER,
    OPENRA_STOP_CUT,
    OPENRA_STOP_LENGTH,
    OPENRA_STOP_PAST_END,
} openra_stop;

typedef struct openra_replay {
    rp_replay base;
    uint64_t stream_size; /* packets end here at the latest: trailer, or end of the entry */
    uint64_t packet_end;  /* where they really end */
    int64_t orders_entry, metadata_entry, sync_entry; /* ZIP; -1 if missing */
    rp_text metadata;                                 /* MiniYAML; data NULL if there is none */
    reprise_value *header; /* the metadata as a document: root, players; or NULL */
    reprise_value *lobby;  /* the last SyncInfo before the start, or NULL */
    const openra_dialect *dialect;
    const char *dialect_by; /* "declared", "version", "trial" or "forced" */
    bool settled;           /* no later packet can change the dialect */
    int64_t protocol;       /* as declared, or 0 */
    const char *mod, *version;
    uint32_t packet_count, kinds[OPENRA_KIND_COUNT];
    int32_t frame_last;   /* highest frame of an orders packet */
    int64_t start_packet; /* the one with StartGame, or -1 */
    int64_t lobby_packet; /* the one with `lobby`, or -1 */
    uint32_t interval;    /* simulation ticks per frame */
    uint32_t tick_ms, latency;
    const char *game_speed;
    openra_name *names;
    size_t name_count;
    uint32_t passwords, tokens, fingerprints; /* in handshakes */
    uint32_t chat_count;
} openra_replay;

const char *openra_client_name(const openra_replay *replay, int32_t client);

/* When a frame is executed. */
static inline int64_t openra_frame_tick(const openra_replay *replay, int32_t frame)
{
    return frame > 0 ? ((int64_t)frame - 1) * replay->interval : 0;
}

static inline double openra_tick_time(const openra_replay *replay, int64_t tick)
{
    return (double)(tick * replay->tick_ms) / 1000.0;
}

/* ---- stream.c ---- */

/* One packet as it stands in the stream. */
typedef struct openra_wire {
    uint64_t offset;
    uint32_t number;
    int32_t client, frame;
    uint32_t length; /* with the frame */
    openra_kind kind;
    rp_reader payload; /* behind the frame */
} openra_wire;

typedef struct openra_cursor {
    const openra_replay *replay;
    rp_window window;
    uint32_t number; /* of the next packet */
    bool ended;
    openra_stop stop;
    int32_t stop_length;
} openra_cursor;

/* A cursor in front of the first packet. Free it also after a failure. */
reprise_status openra_cursor_open(openra_cursor *cursor, const openra_replay *replay,
                                  reprise_error *error);
void openra_cursor_free(openra_cursor *cursor);
/*
 * The next packet without stepping over it. *ret_there is false when there is none, and then
 * cursor->ended says whether for good; without `fill` the window is left as it is, so that what
 * was read from it before stays valid, and a packet that it does not hold is not there yet.
 */
reprise_status openra_cursor_peek(openra_cursor *cursor, bool fill, openra_wire *ret_packet,
                                  bool *ret_there, reprise_error *error);
void openra_cursor_skip(openra_cursor *cursor, const openra_wire *packet);
/* Peek and skip in one; REPRISE_END behind the last packet. */
reprise_status openra_cursor_next(openra_cursor *cursor, openra_wire *ret_packet,
                                  reprise_error *error);

/* ---- open.c, dialect.c ---- */

/* Finds the trailer of a flat file and says what is wrong with one that cannot be used. */
typedef struct openra_trailer {
    uint64_t offset;
    uint32_t size;   /* of the text */
    const char *why; /* NULL if it can be used */
    int32_t version;
} openra_trailer;
reprise_status openra_find_trailer(rp_source *source, openra_trailer *ret_trailer,
                                   reprise_error *error);
/* The limits that OpenRA's archives have beside ours. */
reprise_status openra_check_entry(const rp_zip_entry *entry, reprise_error *error);
void openra_set_layout(openra_replay *replay);
reprise_status openra_open(rp_replay *base, reprise_error *error);
/* Chooses by what the file declares and checks it on the first packets. */
reprise_status openra_choose_dialect(openra_replay *replay, reprise_error *error);
/* Goes through all packets if that has not been done. */
reprise_status openra_settle_dialect(openra_replay *replay, reprise_error *error);

/* ---- lobby.c ---- */

/* Which MiniYAML an order carries. */
typedef enum openra_yaml {
    OPENRA_YAML_NONE,
    OPENRA_YAML_HANDSHAKE,
    OPENRA_YAML_LOBBY,
    OPENRA_YAML_OTHER,
} openra_yaml;
openra_yaml openra_yaml_of(const rp_text *order);
/* Puts rows of clients, slots and settings that a lobby text holds into the decoder's batch. */
reprise_status openra_emit_lobby(rp_decoder *decoder, rp_arena *arena, const rp_text *text,
                                 uint32_t packet, reprise_error *error);
/* Takes over the lobby at the start: speed, names, document. */
reprise_status openra_use_lobby(openra_replay *replay, const rp_text *text, reprise_error *error);
/* The metadata: first what it says about the match, then, behind the lobby, its names. */
reprise_status openra_use_metadata(openra_replay *replay, reprise_error *error);
reprise_status openra_use_players(openra_replay *replay, reprise_error *error);

/* ---- read.c ---- */

reprise_status openra_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status openra_decode_next(rp_decoder *decoder, reprise_error *error);
reprise_status openra_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void openra_decode_end(rp_decoder *decoder);

/* ---- desync.c ---- */

/* The first frame for which two clients sent different sums. */
typedef struct openra_desync {
    int32_t frame; /* 0: none */
    int32_t clients[2];
    uint32_t frames; /* how many frames differ */
    uint64_t defeat; /* all bits seen */
} openra_desync;
reprise_status openra_find_desync(openra_replay *replay, openra_desync *ret_desync,
                                  reprise_error *error);

/* ---- format.c, info.c, stats.c, verify.c ---- */

/* The probe's score, 0 to 100. */
unsigned openra_score(const rp_probe *probe);

reprise_status openra_info(rp_replay *replay, rp_doc *doc, reprise_value *info,
                           reprise_error *error);
reprise_status openra_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error);
reprise_status openra_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                             reprise_error *error);

#endif
