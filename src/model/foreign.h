/*
 * foreign.h - building the common form of recorded orders, reprise_foreign.
 *
 * A format adds orders in file order; they are copied, and rp_foreign_finish sorts them into
 * frames. The format also fills in the document about the match, whose members are the same for all
 * formats (docs/design.md).
 *
 * A caller who wants each frame once, in order, sets `show`: entries are then dropped after their
 * frame was shown, and memory does not grow with the length of a match.
 */
#ifndef RP_FOREIGN_H
#define RP_FOREIGN_H

#include "reprise/foreign.h"
#include "value.h"
#include "vector.h"

/* What things are ordered for. */
typedef enum rp_item_class {
    RP_ITEMS_ECONOMY,    /* resources, power, construction yards */
    RP_ITEMS_TECHNOLOGY, /* buildings that make or unlock other things */
    RP_ITEMS_DEFENCE,
    RP_ITEMS_ARMY,
    RP_ITEM_CLASSES
} rp_item_class;
/* "economy", "technology", "defence", "army" */
const char *rp_item_class_name(rp_item_class which);

/* A unit or building of a game. */
typedef struct rp_item {
    const char *name; /* as players call it */
    uint8_t which;    /* rp_item_class */
    bool is_building;
    uint16_t cost;         /* 0: unknown */
    uint8_t width, height; /* cells that a building covers; 0: unknown */
} rp_item;

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

/* Receives what was added, frame by frame; see rp_foreign.show. */
typedef struct rp_foreign_show {
    void *ctx;
    /* Shows the entries of one frame, in file order. Returns false if later ones are not wanted. */
    bool (*frame)(void *ctx, const rp_foreign_entry *entries, size_t count);
    void (*sums)(void *ctx, const rp_foreign_sum *sums, size_t count); /* those of one frame */
    /* Called after some frames: takes views and delays that are no longer needed. */
    void (*rest)(void *ctx);
} rp_foreign_show;

typedef struct rp_foreign {
    rp_context *context;
    const rp_foreign_show *show; /* NULL: everything is kept */
    /*
     * With `show`, set by the format before it adds orders: by how many frames an entry may be
     * earlier than one that was added before it. INT64_MAX: nothing is known.
     */
    int64_t disorder;
    bool carries; /* `texts` are requested too */
    /* What is known about an id of a mod, or NULL. NULL: nothing is known about any. */
    const rp_item *(*item)(const char *mod, const char *id);
    const char *mod;
    rp_arena arena;
    reprise_value *about;
    rp_foreign_entry *entries;
    size_t entry_count, entry_capacity;
    size_t enough;      /* with `show`: frames are shown when there are as many entries */
    int64_t frame_most; /* of all entries and sums so far */
    bool hash_added;    /* there was a hash; the last one is that of hash_frame */
    int64_t hash_frame;
    bool unwanted;    /* `show` wants no more frames */
    rp_arena held[2]; /* with `show`: the texts of entries, in the first */
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
/* Sorts by frame, keeping the file order within a frame. With `show`, shows what is left. */
reprise_status rp_foreign_finish(rp_foreign *foreign, reprise_error *error);

/* Returns "Move", "SetRallyPoint" ..., or NULL for an unknown kind. */
const char *rp_foreign_kind_name(reprise_foreign_kind kind);
/* Whether the item of such an order is a unit or a building. */
bool rp_foreign_names_unit(reprise_foreign_kind kind);
/* What is known about the item of an order; NULL if nothing is. */
const rp_item *rp_foreign_item(const rp_foreign *foreign, const reprise_foreign_order *order);
/* The item of an order as players call it; NULL if it has none. */
const char *rp_foreign_item_name(const rp_foreign *foreign, const reprise_foreign_order *order);

#endif
