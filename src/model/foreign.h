/*
 * foreign.h - building the common form of recorded orders, reprise_foreign.
 *
 * A format adds orders in the order of its file; they are copied, and rp_foreign_finish sorts them
 * into frames. What stands about the match in the document is the format's to fill in; the names
 * of its members are the same for all (docs/design.md).
 */
#ifndef RP_FOREIGN_H
#define RP_FOREIGN_H

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

/* How long orders of a player wait before they are carried out, as far as the recording shows. */
typedef struct rp_foreign_delay {
    double time;
    uint8_t player;
    float seconds;
} rp_foreign_delay;

/* What the world of a client added up to: equal for all of them as long as worlds are the same. */
typedef struct rp_foreign_sum {
    double time;
    int64_t frame;
    int32_t client;
    uint64_t sum;
} rp_foreign_sum;

/* The upper left corner of what was on the recorder's screen, in cells. */
typedef struct rp_foreign_view {
    double time;
    int64_t frame;
    float x, y;
} rp_foreign_view;

/* A text of the other game that is no order, for the way back: its lobby, its metadata. */
typedef struct rp_foreign_text {
    const char *path; /* relative, "openra/trailer.yaml" */
    reprise_text text;
} rp_foreign_text;

typedef struct rp_foreign {
    rp_context *context;
    bool carries; /* asked for: also give `texts` */
    rp_arena arena;
    reprise_value *about;
    rp_foreign_entry *entries;
    size_t entry_count, entry_capacity;
    reprise_foreign_frame *frames;
    size_t frame_count;
    rp_vector delays; /* rp_foreign_delay, as they came */
    rp_vector sums;   /* rp_foreign_sum, likewise */
    rp_vector views;  /* rp_foreign_view, in order of time */
    rp_vector texts;  /* rp_foreign_text, as they came */
} rp_foreign;

void rp_foreign_init(rp_foreign *foreign, rp_context *context);
void rp_foreign_reset(rp_foreign *foreign);

/* Copies the order with everything it points to. */
reprise_status rp_foreign_add(rp_foreign *foreign, int64_t frame, double time,
                              const reprise_foreign_order *order, reprise_error *error);
/*
 * The same for an order that counts as an action of its player: one that is given to the game, not
 * to the network or to other people.
 */
reprise_status rp_foreign_add_action(rp_foreign *foreign, int64_t frame, double time,
                                     const reprise_foreign_order *order, reprise_error *error);
/* The state hash of a frame; of several the first counts. */
reprise_status rp_foreign_add_hash(rp_foreign *foreign, int64_t frame, double time, uint64_t hash,
                                   reprise_error *error);
/* Of players only; others are left out. */
reprise_status rp_foreign_add_delay(rp_foreign *foreign, double time, uint8_t player,
                                    double seconds, reprise_error *error);
reprise_status rp_foreign_add_sum(rp_foreign *foreign, const rp_foreign_sum *sum,
                                  reprise_error *error);
reprise_status rp_foreign_add_view(rp_foreign *foreign, const rp_foreign_view *view,
                                   reprise_error *error);
/* Copies path and text. */
reprise_status rp_foreign_add_text(rp_foreign *foreign, const char *path, const void *text,
                                   size_t size, reprise_error *error);
/* The text of a path; NULL if there is none. */
const reprise_text *rp_foreign_text_of(const rp_foreign *foreign, const char *path);
/* Sorts by frame and keeps the order of the file inside one. */
reprise_status rp_foreign_finish(rp_foreign *foreign, reprise_error *error);

/* "Move", "SetRallyPoint" ...; NULL for numbers that are none. */
const char *rp_foreign_kind_name(reprise_foreign_kind kind);

#endif
