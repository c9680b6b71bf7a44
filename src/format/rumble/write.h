/* write.h - what the files that write RUMBLE replays share. */
#ifndef RUMBLE_WRITE_H
#define RUMBLE_WRITE_H

#include "packer.h"
#include "read.h"
#include "zip_write.h"

/* Chunks of one kind in a frame; the real recorder's order is that of this list. */
typedef enum rumble_section {
    RUMBLE_SECTION_STRUCTURES,
    RUMBLE_SECTION_PLAYERS,
    RUMBLE_SECTION_PEDESTALS,
    RUMBLE_SECTION_PROPS,
    RUMBLE_SECTION_EVENTS,
    RUMBLE_SECTION_EXTENSIONS,
    RUMBLE_SECTION_COUNT
} rumble_section;

/* One kind of object as a reader of the file holds it, rotations rounded and all. */
typedef struct rumble_held {
    uint8_t *states;
    bool *changed; /* in this frame; used by layouts with a flag per object */
    uint32_t count;
    const rp_record *record;
    const rp_tag_map *map;
    uint8_t fields[RP_FIELDS_MAX]; /* those the layout has */
    size_t field_count;
} rumble_held;

typedef struct rumble_encoder {
    rp_encoder base;
    rumble_wire wire;
    unsigned rotation_size;
    rp_arena arena;
    reprise_value *header; /* own copy, completed at the end */
    reprise_error error;   /* of the writers */
    rp_sink *spool;        /* the compressed stream, until its size is known */
    rp_packer *packer;
    rp_zip_writer *zip; /* once the stream is complete */
    uint64_t inner_size;
    uint32_t frame_count;
    float first_time, last_time;
    rumble_held held[RUMBLE_OBJECT_KINDS];
    rp_writer *texts; /* visual data that readers hold, one per player */
    rp_writer sections[RUMBLE_SECTION_COUNT];
    rp_writer frame;
    uint32_t entries;
} rumble_encoder;

/* ---- manifest.c ---- */

/*
 * The header of a layout from that of any other: members the layout has not are gone, those it
 * needs are there. What is lost by that is the caller's to say.
 */
reprise_value *rumble_header_for(rp_doc *doc, const reprise_value *header, const char *to_layout);
/* Sets what follows from the frames, then writes manifest.json. */
void rumble_write_manifest(rumble_encoder *e, rp_writer *w);
/* The legacy header, with what follows from the frames. */
void rumble_write_legacy_header(const rumble_encoder *e, rp_writer *w);

/* ---- write.c ---- */

reprise_status rumble_encode_begin(rp_encoder *encoder, reprise_error *error);
void rumble_row_init(uint32_t track, void *data);
void rumble_row_held(const rp_encoder *encoder, const rp_row *row, void *data);
bool rumble_header_made(const rp_encoder *encoder, const char *member, const reprise_value *given);
reprise_status rumble_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status rumble_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                                  reprise_error *error);
reprise_status rumble_encode_end(rp_encoder *encoder, reprise_error *error);
void rumble_encode_free(rp_encoder *encoder);
/* What the levels with names mean, for archives and for the legacy layout. */
const rp_levels *rumble_levels(bool brotli);
/* The legacy file: its wrapper, then the gzip data, whose content has `inner_size` bytes. */
reprise_status rumble_put_wrapper(rp_sink *sink, uint64_t inner_size, rp_source *gzip,
                                  reprise_error *error);

/* ---- recompress.c ---- */

reprise_status rumble_recompress(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                                 reprise_error *error);

reprise_status rumble_merge(rp_replay *const *sources, size_t count, double *offsets,
                            const rp_write_options *options, rp_sink *sink, rp_doc *doc,
                            reprise_value *report, reprise_error *error);

/* ---- edit.c, redact.c ---- */

reprise_status rumble_plan(rp_plan *plan, reprise_error *error);
reprise_status rumble_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);
/* Takes private data out of the header and notes what it was. */
reprise_status rumble_anonymize_header(rp_plan *plan, reprise_error *error);

#endif
