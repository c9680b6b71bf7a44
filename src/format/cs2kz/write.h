/* write.h - the state of a recording while it is being written; the mirror of read.h. */
#ifndef CS2KZ_WRITE_H
#define CS2KZ_WRITE_H

#include "cs2kz.h"
#include "packer.h"

/* A section, compressed into a spool until its offset is known. */
typedef struct kz_out {
    rp_sink *spool;
    rp_packer *packer;
    uint64_t size;
    uint32_t count;
    bool finished;
} kz_out;

/* A weapon of the table, with what belongs to it. */
typedef struct kz_kept_weapon {
    kz_weapon_row row;
    kz_attribute attributes[KZ_ATTRIBUTES_MAX];
} kz_kept_weapon;

typedef struct kz_encoder {
    rp_encoder base;
    const kz_wire *wire;
    kz_header header;
    uint64_t header_present;
    rp_arena arena; /* header, weapons and weapon events */
    kz_out out[KZ_SECTION_COUNT];
    rp_writer bytes; /* the record being written */
    kz_tick last_tick;
    kz_command last_command;
    kz_kept_weapon *weapons;
    size_t weapon_count, weapon_capacity;
    kz_weapon_event *events; /* given, or made where the weapon in a tick changes */
    size_t event_count, event_capacity, event_next;
    bool events_given; /* the source has them */
    int32_t held;      /* number of the weapon in hand */
    uint64_t cut_moves, cut_names;
    rp_writer jumps; /* all of them, because their number is stored first */
} kz_encoder;

reprise_status kz_encode_begin(rp_encoder *encoder, reprise_error *error);
int kz_row_order(const rp_row *a, const rp_row *b);
bool kz_header_made(const rp_encoder *encoder, const char *member, const reprise_value *given);
bool kz_batch_begins(const rp_row *before, const rp_row *row);
reprise_status kz_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status kz_encode_end(rp_encoder *encoder, reprise_error *error);
void kz_encode_free(rp_encoder *encoder);
extern const rp_levels kz_levels;
/* The section header and the compressed data of a spool, whose content has `size` bytes. */
reprise_status kz_put_section(rp_sink *sink, rp_sink *spool, uint32_t size, uint32_t count,
                              reprise_error *error);

/* ---- recompress.c ---- */

reprise_status kz_recompress(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                             reprise_error *error);

/* ---- write_header.c ---- */

void kz_put_header(kz_encoder *e, rp_writer *w);

/* ---- write_items.c ---- */

/* A fixed array: cut between characters if it is too long, always terminated, padded with zeros. */
void kz_put_text(rp_writer *w, const rp_text *text, size_t size);
void kz_put_item(rp_writer *w, const kz_item *item, size_t attribute_count);
void kz_put_attribute(rp_writer *w, const kz_attribute *attribute);
void kz_put_event(rp_writer *w, const rp_row *row);
void kz_put_jump(rp_writer *w, const kz_wire *wire, const rp_batch *batch);

/* ---- edit.c ---- */

reprise_status kz_plan(rp_plan *plan, reprise_error *error);
/* redact.c: removes what is private from a header that is the plan's own. */
void kz_scrub_header(rp_plan *plan, kz_header *header);
reprise_status kz_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);
bool kz_survives_trim(const rp_plan *plan, const rp_row *row);

#endif
