/*
 * mcreplay.h - types and functions shared in this folder: an open archive of entities or of a
 * world.
 *
 * A .replay is an archive of entities, materials, textures and one .vcap; a .vcap is an archive of
 * a block world. read_archive.c finds the members of both, read_entity.c, read_numbers.c and
 * read_animation.c read entities, read_world.c reads worlds, read_materials.c materials and
 * textures; read.c gives all of them as rows.
 */
#ifndef MCREPLAY_H
#define MCREPLAY_H

#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "obj.h"
#include "xml.h"

/* A member that is used: its entry, and its name without folder and suffix. */
typedef struct mc_member {
    size_t entry;
    const char *id;
} mc_member;

typedef struct mc_members {
    mc_member *items;
    size_t count;
} mc_members;

/* An archive of either kind. */
typedef struct mc_archive {
    rp_zip *zip;
    mc_scope scope;
    int64_t meta, world; /* entries, -1: none; `world` is world.vcap or world.dat */
    mc_members entities, meshes, materials, textures;
    reprise_value *about; /* meta.json, or NULL */
    size_t duplicates;    /* members hidden by a later one of the same name */
    const char *duplicate;
} mc_archive;

/* When an entity disappears; without an animation it never does. */
typedef struct mc_end {
    bool known, any;
    double time;
} mc_end;

typedef struct mc_replay {
    rp_replay base;
    bool alone;       /* a .vcap, not a .replay */
    mc_archive outer; /* of the .replay; empty for a .vcap */
    mc_archive inner; /* of the world */
    bool has_world;
    bool world_tried; /* opening the world's archive was tried */
    reprise_error world_error;
    uint8_t *world_data; /* the .vcap inside, inflated */
    size_t world_size;
    reprise_error world_cut; /* salvaging: the damage that ends the complete frames of the world */
    uint32_t world_whole;    /* number of complete frames */
    rp_source *world_source;
    double offset[3]; /* to add to every position */
    mc_end *ends;     /* per entity */
    rp_stream *ahead; /* the document of entity `ahead_index`, opened before its turn, or NULL */
    size_t ahead_index;
} mc_replay;

/* ---- read_archive.c ---- */

reprise_status mc_open(rp_replay *replay, reprise_error *error);
/* Whether a failure is damage in the file that leaves everything before it readable. */
bool mc_is_damage(reprise_status status);
void mc_close(rp_replay *replay);
/* Opens the world's archive on first use. A failure is returned each time. */
reprise_status mc_open_world(mc_replay *replay, reprise_error *error);
/* Reports findings about the world's archive each time its tracks are read. */
void mc_note_world(mc_replay *replay);
/* Opens a member as a stream. `name` is used in errors and must outlive the stream. */
reprise_status mc_open_member(const mc_archive *archive, size_t entry, const char *name,
                              rp_stream **ret_stream, reprise_error *error);
/* The same for a member that is read in part: it is inflated only as far as it is read. */
reprise_status mc_open_member_head(const mc_archive *archive, size_t entry, const char *name,
                                   rp_stream **ret_stream, reprise_error *error);
/* Reads a complete member of at most `max` bytes into the arena, terminated. */
reprise_status mc_read_member(const mc_archive *archive, size_t entry, rp_arena *arena,
                              uint64_t max, const char *limit, const char **ret_text,
                              size_t *ret_size, reprise_error *error);
/* Whether a member can be read to its end. */
bool mc_member_is_complete(const mc_archive *archive, size_t entry);
/* The entry of folder + id + suffix, or -1; the last one of several. */
int64_t mc_find_member(const mc_archive *archive, const char *folder, const char *id,
                       size_t id_size, const char *suffix);

/* ---- read_entity.c: one entity, its model first, then frame after frame ---- */

/* The state of a part. The two records are those of a row of the parts track. */
typedef struct mc_part_state {
    mc_pose pose;
    mc_transform transform;
    const struct mc_entity *entity;
    uint64_t present; /* fields stored in this frame */
} mc_part_state;

/* The state of an override channel. */
typedef struct mc_channel_state {
    mc_override value;
    uint64_t present;
} mc_channel_state;

typedef struct mc_entity {
    rp_arena arena; /* memory of everything below */
    mc_entity_row row;
    mc_part *parts;
    uint32_t part_count;
    size_t part_capacity;
    mc_channel *channels;
    uint32_t channel_count;
    size_t channel_capacity;
    mc_mesh *meshes;
    rp_obj *objs; /* the meshes as read */
    uint32_t mesh_count;
    size_t mesh_capacity;
    mc_transform root;
    uint64_t root_present;
    mc_part_state *part_states;
    mc_channel_state *channel_states;
} mc_entity;

typedef struct mc_entity_reader mc_entity_reader;

/* Reads the model and stops before the animation. For failures see mc_entity_failed. */
reprise_status mc_entity_open(mc_replay *replay, size_t index, mc_entity_reader **ret_reader,
                              reprise_error *error);
/* The same for callers that need the model alone, or frames up to a moment. */
reprise_status mc_entity_open_head(mc_replay *replay, size_t index, mc_entity_reader **ret_reader,
                                   reprise_error *error);
/* Reads the next frame into the states. REPRISE_END after the last. */
reprise_status mc_entity_next(mc_entity_reader *reader, reprise_error *error);
void mc_entity_close(mc_entity_reader *reader);

/* Closes the document and keeps the entity in its current state. */
void mc_entity_rest(mc_entity_reader *reader);

mc_entity *mc_entity_of(mc_entity_reader *reader);
uint64_t mc_entity_frame(const mc_entity_reader *reader); /* frames read so far */
/* Keeps when the entity disappears, for mc_length, which would read it again. After REPRISE_END. */
void mc_entity_keep_end(const mc_entity_reader *reader);

/*
 * Handles the failure of an entity: damage becomes a finding, so that other entities load; failures
 * of memory or of the source are returned.
 */
reprise_status mc_entity_failed(mc_replay *replay, size_t index, const reprise_error *failure,
                                reprise_error *error);

/* Fills a row's lists from a mesh; in the arena. */
reprise_status mc_mesh_row(rp_arena *arena, const rp_obj *obj, mc_mesh *row, reprise_error *error);

/* ---- read_numbers.c: the text of an animation as entries of numbers ---- */

enum {
    MC_VALUES_MAX = 12, /* one more than an entry may have, to notice excess */
    MC_BATCH_ENTRIES = 1 << 10,
    MC_BATCH_VALUES = 1 << 13,
};

typedef enum mc_entry_end { MC_ENDS_ENTRY, MC_ENDS_LINE, MC_ENDS_TEXT } mc_entry_end;

typedef struct mc_entry {
    uint8_t count; /* of values */
    uint8_t end;   /* mc_entry_end */
} mc_entry;

/* Entries in a row. */
typedef struct mc_batch {
    size_t count, value_count;
    size_t at, value_at;  /* what mc_anim_next takes next */
    reprise_error error;  /* after the entries */
    bool failed_in_entry; /* the error is about the next entry */
    mc_entry entries[MC_BATCH_ENTRIES];
    double values[MC_BATCH_VALUES];
} mc_batch;

typedef struct mc_numbers mc_numbers;

reprise_status mc_numbers_open(rp_context *context, mc_numbers **ret_numbers, reprise_error *error);
void mc_numbers_close(mc_numbers *numbers);
/* Adds text, which must stay valid until it is read; NULL ends it. */
void mc_numbers_feed(mc_numbers *numbers, const char *text, size_t size);
/*
 * Adds entries to a batch until it is full, fails or has the end of the text, or with `one_line`
 * that of a line. False if more text is needed.
 */
bool mc_numbers_read(mc_numbers *numbers, bool one_line, mc_batch *batch);
/* Whether all entries were read. */
bool mc_numbers_ended(const mc_numbers *numbers);

/* Reads up to `max` numbers separated by white space or commas; false if there is anything else. */
bool mc_parse_numbers(const char *text, size_t size, double *to, size_t max, size_t *ret_count);

/* ---- read_animation.c: the frames of an animation ---- */

typedef struct mc_anim mc_anim;

reprise_status mc_anim_open(mc_replay *replay, mc_entity *entity, mc_anim **ret_anim,
                            reprise_error *error);
void mc_anim_close(mc_anim *anim);
/* Takes entries up to the end of a frame. False if the batch ends first. */
bool mc_anim_next(mc_anim *anim, mc_batch *batch, reprise_error *error);
uint64_t mc_anim_frames(const mc_anim *anim);

/* ---- read_pose.c ---- */

#define MC_FPS_DEFAULT    20   /* of entities */
#define MC_LENGTH_DEFAULT 0.16 /* of bones, where none is stored */
extern const mc_transform mc_identity;
void mc_pose_derive(const rp_replay *replay, const rp_row *row, void *ret_derived);
rp_mat34 mc_matrix(const mc_transform *transform);
rp_mat34 mc_matrix_multiply(const rp_mat34 *a, const rp_mat34 *b);

/* ---- read_world.c ---- */

typedef struct mc_world_reader mc_world_reader;

/* One piece of the world: a section of a whole frame, all changes of a frame, or its end. */
typedef struct mc_world_piece {
    uint32_t frame;
    double time;
    const mc_block *blocks;
    size_t block_count;
    const mc_world_frame *about; /* with the last piece of a frame, else NULL */
} mc_world_piece;

reprise_status mc_world_open(mc_replay *replay, mc_world_reader **ret_reader, reprise_error *error);
reprise_status mc_world_next(mc_world_reader *reader, mc_world_piece *ret_piece,
                             reprise_error *error);
/*
 * Seeks to the last whole frame at or before a time; returns how many frames from there on are not
 * later.
 */
uint32_t mc_world_seek(mc_world_reader *reader, double time);
void mc_world_close(mc_world_reader *reader);

/* Reads a block's mesh into the arena. */
reprise_status mc_read_obj(const mc_archive *archive, size_t entry, rp_obj_reader *reader,
                           rp_arena *arena, rp_obj *ret_obj, reprise_error *error);

/*
 * Tags that our writer adds to a section with more colours than other readers can use: all colours,
 * and the number of each block's colour.
 */
#define MC_EXACT_PALETTE "repriseColorPalette"
#define MC_EXACT_COLORS  "repriseColors"

/* ---- read_materials.c ---- */

/*
 * Our writer replaces a colour by a texture of one pixel with this prefix, and keeps the colour
 * under this key of the material for our reader.
 */
#define MC_COLOUR_TEXTURE "reprise/rgb_%06x"
#define MC_COLOURS_KEY    "reprise"

/* The largest size of a material's printed document. */
size_t mc_material_room(const rp_context *context);
/* Reads a number or three of them; false for anything else. */
bool mc_read_triple(const reprise_value *value, double *to);
/* The pixel of a colour, with each component clamped to 0..1. */
uint32_t mc_pixel_of(const double *triple);

reprise_status mc_material_read(mc_replay *replay, const mc_archive *archive, size_t index,
                                rp_arena *arena, mc_material *ret_material, reprise_error *error);
reprise_status mc_material_document(const mc_archive *archive, size_t index, rp_arena *arena,
                                    reprise_value **ret_document, reprise_error *error);
/* The length of a texture's id in the name of a member under tex/. */
size_t mc_texture_id_size(const char *file);
/* Members that are textures of their own. */
size_t mc_texture_count(const mc_archive *archive);
/* REPRISE_END for a member that belongs to another texture. */
reprise_status mc_texture_read(mc_replay *replay, const mc_archive *archive, size_t index,
                               rp_arena *arena, mc_texture *ret_texture, reprise_error *error);

/* ---- read.c ---- */

reprise_status mc_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status mc_decode_next(rp_decoder *decoder, reprise_error *error);
reprise_status mc_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void mc_decode_end(rp_decoder *decoder);
/*
 * The rate at which frames of the complete scene are counted: that of the first entity that can be
 * read.
 */
reprise_status mc_scene_rate(mc_replay *replay, double *ret_rate, reprise_error *error);

/* ---- info.c, scene.c, stats.c, verify.c ---- */

reprise_status mc_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                        reprise_error *error);

/* redact_find.c: finds private data, by value. */
reprise_status mc_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
reprise_status mc_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status mc_info(rp_replay *replay, rp_doc *doc, reprise_value *info, reprise_error *error);
extern const rp_summary mc_summary;
reprise_status mc_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error);
reprise_status mc_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error);

#endif
