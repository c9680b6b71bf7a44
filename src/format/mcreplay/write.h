/* write.h - shared by the files that write scenes and worlds. */
#ifndef MCREPLAY_WRITE_H
#define MCREPLAY_WRITE_H

#include "mcreplay.h"
#include "vector.h"
#include "zip_write.h"

typedef struct mc_encoder {
    rp_encoder base;
    bool alone;           /* a .vcap, not a .replay */
    reprise_error error;  /* of the writers */
    rp_zip_writer *zip;   /* the result */
    rp_writer text;       /* the current line or member */
    rp_writer colours[2]; /* uint32_t by scope: red, green, blue that must become textures */

    /* The current entity, whose document is spooled until it is complete. */
    rp_sink *document;
    char *file;
    size_t file_size;
    uint32_t part_count, channel_count;
    bool *vectors; /* per channel */
    bool multipart, animated;
    double fps, start_time;
    uint64_t given, frames; /* and of these written */
    /* Recording row by row: the entity, and the last state of its parts and channels. */
    uint32_t object;
    mc_part_state *held_parts;
    mc_override *held_channels;

    /* The world. */
    rp_sink *world_sink; /* of the .vcap inside */
    rp_zip_writer *world_zip;
    rp_writer frames_nbt;
    uint32_t world_frames;
    rp_writer blocks;             /* mc_block of the current frame */
    rp_arena names;               /* of the two below */
    rp_dictionary meshes, models; /* written, and needed by blocks */
} mc_encoder;

/* ---- write.c ---- */

reprise_status mc_encode_begin(rp_encoder *encoder, reprise_error *error);
reprise_status mc_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
reprise_status mc_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                              reprise_error *error);
/* Adds a texture; when content is removed, only its image. */
reprise_status mc_add_texture(mc_encoder *e, rp_zip_writer *zip, const char *name,
                              rp_stream *content, reprise_error *error);
reprise_status mc_encode_end(rp_encoder *encoder, reprise_error *error);
void mc_encode_free(rp_encoder *encoder);

/* ---- write_entity.c ---- */

/* Begins an entity, whose meshes are among the rows of the batch. */
reprise_status mc_write_definition(mc_encoder *e, const mc_entity_row *row, const rp_batch *batch,
                                   reprise_error *error);
reprise_status mc_write_frame(mc_encoder *e, const rp_batch *batch, reprise_error *error);
/* Adds the document of the current entity to the archive. */
reprise_status mc_finish_entity(mc_encoder *e, reprise_error *error);
void mc_write_obj(rp_writer *w, const mc_mesh *mesh);
/*
 * Prints a double as Java does: always with a point, with an exponent below 0.001 and from ten
 * million on.
 */
void mc_put_number(rp_writer *w, double value);
void mc_put_attribute(rp_writer *w, const char *name, rp_text value);

/* ---- write_rows.c ---- */

int mc_row_order(const rp_row *a, const rp_row *b);
bool mc_batch_begins(const rp_row *before, const rp_row *row);
void mc_row_init(uint32_t track, void *data);
void mc_row_held(const rp_encoder *encoder, const rp_row *row, void *data);
bool mc_header_made(const rp_encoder *encoder, const char *member, const reprise_value *given);
reprise_status mc_check_definition(const rp_row *row, reprise_error *error);
/* Adds a frame of the current entity, completed with the last state of its parts. */
reprise_status mc_record_frame(mc_encoder *e, const rp_batch *batch, reprise_error *error);
reprise_status mc_hold_states(mc_encoder *e, reprise_error *error);
void mc_drop_states(mc_encoder *e);

/* ---- write_materials.c ---- */

/* Converts materials so that the add-on loads them. */
typedef struct mc_conversion {
    rp_doc *doc;
    rp_writer *colours; /* uint32_t: colours that must become textures; NULL: only count them */
    size_t made;        /* colours that become textures */
    bool changed;
    bool clipped;         /* a colour is outside the range of a texture */
    reprise_value *exact; /* the colours that became textures, by attribute; or NULL */
} mc_conversion;

reprise_value *mc_convert_material(mc_conversion *conversion, const reprise_value *from);
/* Writes the document of a material into `text`. */
reprise_status mc_write_material(mc_encoder *e, const mc_material *material, reprise_error *error);
/* Adds members for colours that became textures, after all other textures. */
reprise_status mc_write_colours(mc_encoder *e, mc_scope scope, reprise_error *error);

/* ---- write_world.c ---- */

reprise_status mc_write_blocks(mc_encoder *e, const mc_block *block, reprise_error *error);
reprise_status mc_write_world_frame(mc_encoder *e, const mc_world_frame *frame, double time,
                                    reprise_error *error);
/*
 * Writes world.dat, meta.json and the textures of the source. Without a world it writes an empty
 * one, because the add-on does not load a scene without.
 */
reprise_status mc_finish_world(mc_encoder *e, reprise_error *error);

/* ---- edit.c ---- */

reprise_status mc_plan(rp_plan *plan, reprise_error *error);
/* The replacement of a skin. */
#define MC_NEUTRAL 0x808080u

/* A PNG of one pixel. */
void mc_put_pixel(rp_writer *w, uint32_t colour);

/* ---- redact.c ---- */

/* Finds private data and notes it, before anything is written. */
reprise_status mc_plan_private(rp_plan *plan, reprise_error *error);
/* The replacement of a texture that is a skin, or NULL. */
const char *mc_placeholder_texture(rp_plan *plan, const char *id, size_t size);
/* The same for a texture or a material of the world; also the first member of that name, or -1. */
const char *mc_placeholder_world(const mc_members *list, const char *id, size_t size,
                                 rp_arena *arena, int64_t *ret_first, reprise_error *error);
void mc_plan_free(rp_plan *plan);

/* The replacement of a class that a person chose. */
#define MC_NO_CLASS "minecraft:entity"

bool mc_is_player(const mc_entity_row *row);
/* Whether the name of an entity is only that of its kind. */
bool mc_is_kind_name(const mc_entity_row *row);
/* Whether a class does not have the form of the game's classes. */
bool mc_is_typed_class(const rp_text *class);
/* Whether a texture or material was fetched for a person. */
bool mc_is_fetched(const char *id);
bool mc_is_foreign_key(const char *key, const reprise_value *value);
/*
 * Finds skins without changing anything: begin, survey all entities, then query. The plan needs a
 * source, arenas and a document; mc_plan_free frees what was allocated.
 */
reprise_status mc_survey_begin(rp_plan *plan, reprise_error *error);
reprise_status mc_survey_entity(rp_plan *plan, const mc_entity *entity);
reprise_status mc_survey_skins(rp_plan *plan, reprise_error *error);
const char *mc_survey_skin(const rp_plan *plan, size_t index);

/* redact_find.c: the texture, or the description of its frames, without foreign data. */
reprise_status mc_plain_texture(rp_context *context, const char *name, rp_stream *from,
                                rp_stream **ret_stream, reprise_error *error);
/* Whether a member is a texture or describes the frames of one. */
bool mc_is_texture(const char *name);

reprise_status mc_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error);

/* ---- recompress.c ---- */

reprise_status mc_recompress(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                             reprise_error *error);
/* Members of the world inside. */
reprise_status mc_stream_open(rp_replay *replay, size_t index, rp_stream **ret_stream,
                              reprise_error *error);

/* Maps a time through the cut; false if the frame is dropped. */
bool mc_map_time(const mc_encoder *e, double *time);

#endif
