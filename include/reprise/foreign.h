/*
 * foreign.h - the orders that recordings of other engines hold, in one form.
 *
 * Recordings of OpenRA and of the classic Command & Conquer games hold orders, not states. This is
 * their common form: who played what, and the orders of every frame, with the source's own name for
 * each. An import into another engine starts from it.
 *
 * The rules of reprise.h hold here too.
 */
#ifndef REPRISE_FOREIGN_H
#define REPRISE_FOREIGN_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum reprise_foreign_kind {
    REPRISE_FOREIGN_UNKNOWN = 0, /* see name and raw */
    REPRISE_FOREIGN_MOVE = 1,
    REPRISE_FOREIGN_ATTACK = 2, /* target is REPRISE_FOREIGN_NONE for an attack on the ground */
    REPRISE_FOREIGN_DEPLOY = 3,
    REPRISE_FOREIGN_PRODUCE = 4,
    REPRISE_FOREIGN_SELL = 5,
    REPRISE_FOREIGN_PLACE_BUILDING = 6,
    REPRISE_FOREIGN_SET_RALLY_POINT = 7,
    REPRISE_FOREIGN_STOP = 8,
    REPRISE_FOREIGN_CHAT = 9,
    REPRISE_FOREIGN_SURRENDER = 10,
    REPRISE_FOREIGN_STANCE = 11, /* count: the stance */
    REPRISE_FOREIGN_REPAIR = 12,
    REPRISE_FOREIGN_POWER_TOGGLE = 13,
    REPRISE_FOREIGN_SUPPORT_POWER = 14,
    REPRISE_FOREIGN_CANCEL_PRODUCTION = 15,
    REPRISE_FOREIGN_PAUSE_PRODUCTION = 16, /* count: 1 pause, 0 resume */
    REPRISE_FOREIGN_GUARD = 17,
    REPRISE_FOREIGN_ENTER = 18,
    REPRISE_FOREIGN_HARVEST = 19,
    REPRISE_FOREIGN_GROUP = 20,
    REPRISE_FOREIGN_BEACON = 21,
    REPRISE_FOREIGN_PAUSE = 22, /* count: 1 pause, 0 resume */
    REPRISE_FOREIGN_PRIMARY_BUILDING = 23,
    REPRISE_FOREIGN_DISCONNECT = 24,
    REPRISE_FOREIGN_KINDS
} reprise_foreign_kind;

#define REPRISE_FOREIGN_NONE UINT32_C(0xFFFFFFFF) /* no target, no unit */
enum {
    REPRISE_FOREIGN_NOBODY = 255,           /* player: spectator or server */
    REPRISE_FOREIGN_SPECTATORS = 0x7FFFFFFF /* team of a chat */
};

typedef struct reprise_foreign_order {
    reprise_foreign_kind kind;
    uint8_t player;        /* index in the list of players, or REPRISE_FOREIGN_NOBODY */
    int32_t client;        /* the source's own number: client id, or house */
    const char *name;      /* the source's own name for the order */
    const uint32_t *units; /* commanded units; buildings for what concerns one */
    size_t unit_count;
    uint32_t target; /* actor, or REPRISE_FOREIGN_NONE */
    bool has_cell;
    int32_t x, y;     /* cell */
    const char *item; /* what is built, the power, the text; or NULL */
    uint32_t count;   /* how many, or the value of the order */
    uint32_t team;    /* chat: 0 all, a team, or REPRISE_FOREIGN_SPECTATORS */
    bool queued;
    const uint8_t *raw; /* the order as stored, without unused bytes */
    size_t raw_size;
} reprise_foreign_order;

typedef struct reprise_foreign_frame {
    int64_t number; /* the source's frame */
    double time;    /* seconds */
    const reprise_foreign_order *orders;
    size_t order_count;
    bool has_hash; /* the source engine's own state hash; meaningless to other engines */
    uint64_t hash;
} reprise_foreign_frame;

typedef struct reprise_foreign reprise_foreign;

/* Reads the complete replay. REPRISE_E_UNSUPPORTED for other formats. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_foreign_new(reprise_replay *replay,
                                                                reprise_foreign **ret_foreign,
                                                                reprise_error *error);
REPRISE_API void reprise_foreign_free(reprise_foreign *foreign);
/* An object with source, metadata, initial_state and divergence. */
REPRISE_API const reprise_value *reprise_foreign_about(const reprise_foreign *foreign);
/* Frames that have orders or a hash, in order of their number. */
REPRISE_API size_t reprise_foreign_count(const reprise_foreign *foreign);
REPRISE_API const reprise_foreign_frame *reprise_foreign_at(const reprise_foreign *foreign,
                                                            size_t index);
/* "Move", "SetRallyPoint" ...; stable. */
REPRISE_API const char *reprise_foreign_kind_name(reprise_foreign_kind kind);

#ifdef __cplusplus
}
#endif
#endif
