/* write.h - what the files that write scenes and worlds share. */
#ifndef MC_WRITE_H
#define MC_WRITE_H

#include "mcreplay.h"
#include "zip_write.h"

typedef struct mc_encoder {
    rp_encoder base;
    bool alone;          /* a .vcap, not a .replay */
    reprise_error error; /* of the writers */
    rp_zip_writer *zip;  /* the result */
    rp_writer text;      /* being made: a line, a member */

    /* The entity that is open; its document waits in a spool until it is complete. */
    rp_sink *document;
    char *file;
    size_t file_size;
    uint32_t part_count, channel_count;
    bool *vectors; /* per channel */
    bool multipart, animated;
    double fps;
    uint64_t frames;

    /* The world. */
    rp_sink *world_sink; /* of the .vcap inside */
    rp_zip_writer *world_zip;
    rp_writer frames_nbt;
    uint32_t world_frames;
    bool has_world;
    rp_writer blocks; /* mc_block of the frame that is being given */
} mc_encoder;

/* ---- write.c ---- */

reprise_status mc_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status mc_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status mc_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                              reprise_error *error);
reprise_status mc_encode_end(rp_encoder *encoder, reprise_error *error);
void mc_encode_free(rp_encoder *encoder);

/* ---- write_entity.c ---- */

/* Begins an entity; its meshes are among the rows of the batch. */
reprise_status mc_write_definition(mc_encoder *e, const mc_entity_row *row, const rp_batch *batch,
                                   reprise_error *error);
reprise_status mc_write_frame(mc_encoder *e, const rp_batch *batch, reprise_error *error);
/* Puts the document of the entity that is open into the archive. */
reprise_status mc_finish_entity(mc_encoder *e, reprise_error *error);
void mc_write_obj(rp_writer *w, const mc_mesh *mesh);

/* ---- write_world.c ---- */

reprise_status mc_write_blocks(mc_encoder *e, const mc_block *block, reprise_error *error);
reprise_status mc_write_world_frame(mc_encoder *e, const mc_world_frame *frame, double time,
                                    reprise_error *error);
/* world.dat, meta.json and the textures of the source. */
reprise_status mc_finish_world(mc_encoder *e, reprise_error *error);

/* ---- plan.c ---- */

reprise_status mc_plan(rp_plan *plan, reprise_error *error);

/* A cut in time: where a frame of the entity goes, or that it is left out. */
bool mc_cut(const mc_encoder *e, double *time);

#endif
