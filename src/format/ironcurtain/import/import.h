/*
 * import.h - replays of other games (specification, 14): import_map.c translates single orders,
 * foreign_frames.c makes frames of them, import.c writes a replay, foreign_match.c plays them
 * directly, export_map.c goes back.
 */
#ifndef IRONCURTAIN_IMPORT_IMPORT_H
#define IRONCURTAIN_IMPORT_IMPORT_H

#include "foreign.h"
#include "ironcurtain/edit/write.h"
#include "ironcurtain/live/match.h"

typedef enum ic_translated {
    IC_TRANSLATED, /* to one order or several */
    IC_NO_COUNTERPART,
    IC_NOT_AN_ORDER, /* neither translated nor counted */
} ic_translated;

typedef struct ic_translator {
    rp_context *context;
    rp_arena arena; /* of the orders of one foreign order */
    reprise_ic_player_order *orders;
    size_t count, capacity;
    bool openra;      /* orders have names; those of the classic games have kinds */
    uint8_t dialect;  /* of OpenRA */
    uint16_t carrier; /* tag of the GameOrder that carries raw bytes */
    reprise_error *error;
} ic_translator;

/* Fills in `orders`. */
ic_translated ic_translate(ic_translator *t, const reprise_foreign_order *order);
/* Carries the stored bytes of an order in a GameOrder; false if they are not known. */
bool ic_carry_raw(ic_translator *t, const reprise_foreign_order *order);

typedef struct ic_import_options {
    bool lossless;
    const char *date; /* RFC 3339 */
    const char *file; /* bare name of the source, or NULL */
    const uint8_t *file_hash;
    rp_lz4_level level;
} ic_import_options;

/* carried.c: texts carried by an import from OpenRA, as openra/foreign_carry.c writes them. */
#define IC_CARRIED_MATCH "openra/match.yaml"
#define IC_CARRIED_SYNC  "openra/sync.yaml"
/* The duration of a frame of the other game; `text` may be NULL. */
uint64_t ic_carried_frame_ms(const rp_text *text, uint64_t fallback);
/*
 * The checksums of its world that the other game recorded, as ic_foreign_hash by tick; `match` and
 * `sync` may be NULL. Free them with rp_vector_free.
 */
reprise_status ic_foreign_hashes(rp_context *context, const rp_text *match, const rp_text *sync,
                                 uint64_t total_ticks, rp_vector *ret_hashes, reprise_error *error);
/* The same from the texts embedded in an imported replay. */
reprise_status ic_carried_hashes(ic_replay *replay, rp_vector *ret_hashes, reprise_error *error);

/* The data version of a match without rules: the hash of an empty list. */
#define IC_NO_RULES "sha256:af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"

/* foreign_match.c: reads the orders of a replay of another game and offers them for playing. */
reprise_status ic_foreign_match_open(rp_replay *replay, ic_match **ret_match, reprise_error *error);

/* export_map.c: an imported replay in the form it came from. */
reprise_status ic_to_foreign(ic_replay *replay, rp_foreign *foreign, reprise_error *error);

/* Writes the file; fills in the report. */
reprise_status ic_import(rp_context *context, const rp_foreign *foreign,
                         const ic_import_options *options, rp_sink *sink, rp_doc *doc,
                         reprise_value *report, reprise_error *error);

#endif
