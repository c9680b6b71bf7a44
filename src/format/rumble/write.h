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
typedef struct rumble_reader_state {
    uint8_t *states;
    bool *changed; /* in this frame; used by layouts with a flag per object */
    uint32_t count;
    const rp_record *record;
    const rp_tag_map *map;
    uint8_t fields[RP_FIELDS_MAX]; /* those the layout has */
    size_t field_count;
} rumble_reader_state;

/* A marker that readers make of an event. */
typedef struct rumble_event_marker {
    rumble_marker marker;
    float time;
    struct rumble_event_marker *next;
} rumble_event_marker;

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
    rumble_reader_state held[RUMBLE_OBJECT_KINDS];
    rp_writer *texts; /* visual data that readers hold, one per player */
    rp_writer sections[RUMBLE_SECTION_COUNT];
    rp_writer frame;
    uint32_t entries;
    size_t listed_markers; /* of the header that was given */
    bool *repeated,
        *repeated_tally; /* per listed marker: a row gave it again; see write_markers.c */
    rumble_event_marker *event_markers, *last_event_marker; /* recordings only */
    bool tallied;                                           /* the header's rows were visited */
} rumble_encoder;

/* ---- write_manifest.c ---- */

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
/* The cosmetics that the header gives a player, if the layout stores them in the first frame. */
rp_text rumble_first_looks(const rumble_encoder *e, uint32_t player);
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

/* ---- write_markers.c ---- */

reprise_status rumble_init_markers(rumble_encoder *e, reprise_error *error);
/* Adds a recorded marker to the manifest, unless it repeats one. */
reprise_status rumble_write_marker(rumble_encoder *e, const rp_batch *batch, const rp_row *row,
                                   reprise_error *error);
/* Remembers that readers will make a marker of this event. */
reprise_status rumble_note_event_marker(rumble_encoder *e, const rumble_event *event,
                                        reprise_error *error);
/* Whether the first frame needs a row for a player's cosmetics that `batch` does not have. */
bool rumble_looks_need_row(const rumble_encoder *e, const rp_batch *batch, uint32_t player);
/* Sets cosmetics that a row leaves out to those that a reader holds. */
void rumble_hold_looks(const rumble_encoder *e, uint32_t player, rumble_player *row);
reprise_status rumble_implied_rows(rp_encoder *encoder, const rp_batch *batch,
                                   rp_row_visitor *visit, void *ctx, reprise_error *error);
bool rumble_row_repeats(rp_encoder *encoder, const rp_batch *batch, const rp_row *row);

/* ---- recompress.c ---- */

reprise_status rumble_recompress(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                                 reprise_error *error);

reprise_status rumble_merge(rp_replay *const *sources, size_t count, double *offsets,
                            const rp_write_options *options, rp_sink *sink, rp_doc *doc,
                            reprise_value *report, reprise_error *error);

/* ---- edit.c, redact.c ---- */

reprise_status rumble_plan(rp_plan *plan, reprise_error *error);
reprise_status rumble_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);
/* Removes private data from the header and notes what it was. */
reprise_status rumble_anonymize_header(rp_plan *plan, reprise_error *error);

#endif
