/* write.h - shared by write.c and edit.c. */
#ifndef REMASTERED_WRITE_H
#define REMASTERED_WRITE_H

#include "remastered.h"

typedef struct cnc_encoder {
    rp_encoder base;
    const cnc_layout *layout;
    cnc_header header;
    rp_writer out;
    bool open; /* a frame is being assembled */
    cnc_frame frame;
    uint32_t number; /* of that frame */
    uint64_t present;
    rp_writer events; /* of that frame */
    uint32_t event_count;
    rp_writer selected; /* as stored, until it changes */
    uint32_t selected_count, selected_sum;
    cnc_team teams[CNC_TEAM_HOUSES];
} cnc_encoder;

/* Puts the numbers and texts of a document into a header. */
void cnc_header_apply(cnc_header *header, const reprise_value *document);
void cnc_header_write(rp_writer *w, const cnc_header *header);
/* Writes an event from its fields; unused bytes are zero. */
void cnc_event_write(rp_writer *w, const cnc_game *game, uint32_t frame, const cnc_event *event);

reprise_status cnc_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status cnc_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status cnc_encode_end(rp_encoder *encoder, reprise_error *error);
void cnc_encode_free(rp_encoder *encoder);
reprise_status cnc_plan(rp_plan *plan, reprise_error *error);
/* redact.c: removes private data from the document of a header, and from its other bytes. */
void cnc_clean_document(rp_plan *plan);
void cnc_scrub_header(cnc_header *header, uint32_t removed);
reprise_status cnc_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);

#endif
