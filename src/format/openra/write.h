/* write.h - shared by write.c, write_zip.c, edit.c and edit_order_downgrade.c. */
#ifndef OPENRA_WRITE_H
#define OPENRA_WRITE_H

#include "miniyaml.h"
#include "openra.h"
#include "zip_write.h"

/* What another dialect cannot hold. */
enum {
    ORA_LOSS_EXTRA_ACTORS,
    ORA_LOSS_GENERATION,
    ORA_LOSS_TERRAIN,
    ORA_LOSS_POSITION,
    ORA_LOSS_FROZEN,
    ORA_LOSS_LAYER,
    ORA_LOSS_RANGE,
    ORA_LOSS_IMMEDIATE,
    ORA_LOSS_DAMAGED,
    ORA_LOSS_DEFEAT,
    ORA_LOSS_SYNC_LIST,
    ORA_LOSS_COUNT
};
extern const char *const ora_loss_names[ORA_LOSS_COUNT];

/* Changes an order into what `to` can hold; returns a bit per kind of loss. */
uint32_t ora_downgrade_order(const ora_dialect *from, const ora_dialect *to, ora_order *order,
                             uint64_t *present);
/* Whether an order for a group must become one order per actor, which is equivalent. */
bool ora_splits(const ora_dialect *to, const ora_order *order, uint64_t present);

/* ---- edit_release_text.c ---- */

/*
 * Converts MiniYAML of a handshake or a lobby to the releases of another dialect: protocol,
 * colours, keys. `order` is the name of the order that contains it.
 */
void ora_convert_text(rp_writer *w, const ora_dialect *to, const rp_text *order,
                      const rp_text *text);
/* Converts the colours of metadata in place; returns how many were changed. */
size_t ora_convert_header(rp_doc *doc, const ora_dialect *to, reprise_value *header);

/* ---- recover.c ---- */

/* What is known of a match from its packets; anything may be missing. */
typedef struct ora_match {
    const reprise_value *lobby; /* SyncInfo */
    const char *mod, *version;
    int64_t tick_last;
} ora_match;
/* Makes metadata for a match that has none. */
reprise_value *ora_make_trailer(const ora_match *match, rp_doc *doc, const ora_dialect *to);

/* ---- write.c ---- */

/* The dialect that a layout is written in: its own, or for archives that of the source. */
const ora_dialect *ora_target_dialect(const char *layout, const ora_replay *source);
/* A document as MiniYAML, as the game writes it. */
void ora_yaml_write(rp_writer *w, const reprise_value *document, size_t depth);

typedef struct ora_encoder {
    rp_encoder base;
    const ora_dialect *from, *to;
    bool zip;
    rp_writer out;     /* not yet in the sink; of an archive, all packets */
    rp_writer payload; /* orders of the packet whose row follows */
    size_t orders;     /* how many */
    ora_sync sync;     /* of the packet whose row follows */
    ora_disconnect disconnect;
    int32_t frame_last; /* highest frame with orders so far */
    bool started;       /* StartGame has been written */
    struct {
        int32_t client, frame; /* the last frame with orders of each client */
    } seen[ORA_CLIENTS_SEEN];
    size_t seen_count;
    rp_writer sums; /* archive: u64 per frame */
    rp_zip_writer *archive;
    bool kept; /* the source's archive was copied, since nothing in it has changed */
} ora_encoder;

reprise_status ora_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status ora_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status ora_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                               reprise_error *error);
reprise_status ora_encode_end(rp_encoder *encoder, reprise_error *error);
void ora_encode_free(rp_encoder *encoder);
/* Rows belong to packets by number; the row of the packet itself comes last. */
int ora_row_order(const rp_row *a, const rp_row *b);
bool ora_batch_begins(const rp_row *before, const rp_row *row);
/* Writes the metadata as text; returns whether there is any. */
bool ora_has_metadata(const ora_encoder *e);
void ora_put_metadata(ora_encoder *e, rp_writer *w);

/* ---- write_zip.c ---- */

/* Copies a member that is not part of the match; all packets have been written. */
reprise_status ora_zip_add(ora_encoder *e, const char *name, rp_stream *content,
                           reprise_error *error);
reprise_status ora_zip_end(ora_encoder *e, reprise_error *error);
reprise_status ora_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                              reprise_error *error);

reprise_status ora_from_foreign(rp_context *context, const rp_foreign *foreign, rp_sink *sink,
                                rp_doc *doc, reprise_value *report, reprise_error *error);
/* ---- edit.c ---- */

reprise_status ora_plan(rp_plan *plan, reprise_error *error);

/* ---- redact.c ---- */

enum { ORA_PEOPLE_MAX = 256 };

typedef struct ora_person {
    const char *name, *stand_in;
    size_t name_size;
} ora_person;

/* The format's own part of a plan. */
typedef struct ora_own {
    ora_person people[ORA_PEOPLE_MAX];
    size_t people_count;
    size_t secret_count;
    char match_id[40]; /* of the result; empty until it is needed */
    uint64_t losses[ORA_LOSS_COUNT];
    uint64_t chats, damaged;
    const ora_dialect *to;
} ora_own;

/* The kind of private data (RP_PRIVATE_...) that the value of a MiniYAML key is, or 0. */
uint32_t ora_key_privacy(const rp_yaml_node *node);
/* Collect secrets and names to remove: from a MiniYAML text, from an order. */
void ora_survey_yaml(rp_plan *plan, ora_own *own, const rp_text *text);
void ora_survey_order(rp_plan *plan, ora_own *own, const ora_order *order);
/* Copies MiniYAML with private values replaced. `message`: a text for people. */
void ora_put_yaml(rp_plan *plan, rp_writer *w, ora_own *own, const rp_text *text, bool message);
void ora_clear_times(rp_plan *plan);
/* Whether an order is removed. */
bool ora_is_removed(const rp_plan *plan, const rp_row *row);
reprise_status ora_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);

#endif
