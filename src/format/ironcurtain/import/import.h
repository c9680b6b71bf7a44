/*
 * import.h - replays of other games as Iron Curtain replays (chapter 14): import_map.c turns their
 * orders into ours, import.c makes the file.
 */
#ifndef IRONCURTAIN_IMPORT_IMPORT_H
#define IRONCURTAIN_IMPORT_IMPORT_H

#include "foreign.h"
#include "ironcurtain/edit/write.h"

typedef enum ic_translated {
    IC_TRANSLATED, /* one order or several of ours */
    IC_NO_COUNTERPART,
    IC_NOT_AN_ORDER, /* neither translated nor counted */
} ic_translated;

typedef struct ic_translator {
    rp_context *context;
    rp_arena arena; /* of the orders of one foreign order */
    rp_choice *orders;
    size_t count, capacity;
    bool openra;      /* its orders go by name, those of the classic games by kind */
    uint8_t dialect;  /* of OpenRA */
    uint16_t carrier; /* tag of the GameOrder that carries raw bytes */
    reprise_error *error;
} ic_translator;

/* Fills in `orders`. */
ic_translated ic_translate(ic_translator *t, const reprise_foreign_order *order);
/* The order as it was stored, in a GameOrder; false if its bytes are not known. */
bool ic_carry_raw(ic_translator *t, const reprise_foreign_order *order);

typedef struct ic_import_options {
    bool lossless;
    const char *date; /* RFC 3339 */
    const char *file; /* bare name of the source, or NULL */
    const uint8_t *file_hash;
    rp_lz4_level level;
} ic_import_options;

/* carried.c: the texts that an import of OpenRA brings along, as openra/foreign_carry.c writes
 * them. */
#define IC_CARRIED_MATCH "openra/match.yaml"
#define IC_CARRIED_SYNC  "openra/sync.yaml"
/* How long a frame of the other game takes; `text` may be NULL. */
uint64_t ic_carried_frame_ms(const rp_text *text, uint64_t fallback);
/* The sums of the other game by tick. Free them with ic_sums_free; none is no error. */
typedef struct ic_sum {
    uint64_t tick; /* the state it belongs to: that before the orders of this tick */
    uint64_t value;
} ic_sum;
reprise_status ic_carried_sums(ic_replay *replay, rp_vector *ret_sums, reprise_error *error);

/* export_map.c: an imported replay, back in the form it came from. */
reprise_status ic_to_foreign(ic_replay *replay, rp_foreign *foreign, reprise_error *error);

/* Writes the file; fills in the report. */
reprise_status ic_import(rp_context *context, const rp_foreign *foreign,
                         const ic_import_options *options, rp_sink *sink, rp_doc *doc,
                         reprise_value *report, reprise_error *error);

#endif
