/*
 * foreign.h - building the common form of recorded orders, reprise_foreign.
 *
 * A format adds orders in file order; they are copied, and rp_foreign_finish sorts them into
 * frames. The format also fills in the document about the match, whose members are the same for all
 * formats (docs/design.md).
 */
#ifndef RP_FOREIGN_H
#define RP_FOREIGN_H

#include "reprise/foreign.h"
#include "value.h"
#include "vector.h"

typedef struct rp_foreign_entry {
    int64_t frame;
    double time;
    bool is_hash;
    bool is_action; /* counts as an action of its player */
    uint64_t hash;
    reprise_foreign_order order;
} rp_foreign_entry;

/* The delay between an order and its execution, as far as the recording shows. */
typedef struct rp_foreign_delay {
    double time;
    uint8_t player;
    float seconds;
} rp_foreign_delay;

/* A client's sync hash. The hashes of all clients are equal unless there is a desync. */
typedef struct rp_foreign_sum {
    double time;
    int64_t frame;
    int32_t client;
    uint64_t sum;
} rp_foreign_sum;

/* The upper left corner of the recording player's screen, in cells. */
typedef struct rp_foreign_view {
    double time;
    int64_t frame;
    float x, y;
} rp_foreign_view;

/* A text of the foreign file that is not an order, kept for export: lobby, metadata. */
typedef struct rp_foreign_text {
    const char *path; /* relative, "openra/trailer.yaml" */
    reprise_text text;
} rp_foreign_text;

typedef struct rp_foreign {
    rp_context *context;
    bool carries; /* `texts` are requested too */
    rp_arena arena;
    reprise_value *about;
    rp_foreign_entry *entries;
    size_t entry_count, entry_capacity;
    reprise_foreign_frame *frames;
    size_t frame_count;
    rp_vector delays; /* rp_foreign_delay, in file order */
    rp_vector sums;   /* rp_foreign_sum, in file order */
    rp_vector views;  /* rp_foreign_view, in order of time */
    rp_vector texts;  /* rp_foreign_text, in file order */
    int64_t last_frame;
    double last_time; /* of the last frame, which may be without orders */
} rp_foreign;

void rp_foreign_init(rp_foreign *foreign, rp_context *context);
void rp_foreign_reset(rp_foreign *foreign);

/* Copies the order and everything it points to. */
reprise_status rp_foreign_add(rp_foreign *foreign, int64_t frame, double time,
                              const reprise_foreign_order *order, reprise_error *error);
/*
 * The same for an order that counts as an action of its player: one that controls the game, not the
 * network or the chat.
 */
reprise_status rp_foreign_add_action(rp_foreign *foreign, int64_t frame, double time,
                                     const reprise_foreign_order *order, reprise_error *error);
/* Adds the hash of a frame. If there are several, the first is used. */
reprise_status rp_foreign_add_hash(rp_foreign *foreign, int64_t frame, double time, uint64_t hash,
                                   reprise_error *error);
/* Ignores clients that are not players. */
reprise_status rp_foreign_add_delay(rp_foreign *foreign, double time, uint8_t player,
                                    double seconds, reprise_error *error);
reprise_status rp_foreign_add_sum(rp_foreign *foreign, const rp_foreign_sum *sum,
                                  reprise_error *error);
reprise_status rp_foreign_add_view(rp_foreign *foreign, const rp_foreign_view *view,
                                   reprise_error *error);
/* Copies path and text. */
reprise_status rp_foreign_add_text(rp_foreign *foreign, const char *path, const void *text,
                                   size_t size, reprise_error *error);
/* Returns the text of a path, or NULL. */
const reprise_text *rp_foreign_text_of(const rp_foreign *foreign, const char *path);
/* Sorts by frame, keeping the file order within a frame. */
reprise_status rp_foreign_finish(rp_foreign *foreign, reprise_error *error);

/* Returns "Move", "SetRallyPoint" ..., or NULL for an unknown kind. */
const char *rp_foreign_kind_name(reprise_foreign_kind kind);

#endif
