/*
 * rumble.h - what the files of this directory share: an open RUMBLE replay and its layout.
 *
 * Two containers (RGZP: gzip, and ZIP: manifest plus Brotli stream) carry nine layouts of the same
 * records. read_header.c turns both kinds of metadata into one document, read_layout.c tells the
 * layouts apart, read.c decodes frames.
 */
#ifndef RUMBLE_H
#define RUMBLE_H

#include "finding_list.h"
#include "format.h"
#include "grammar.h"
#include "window.h"

#define RUMBLE_VOICE_FOLDER "voices/" /* directory of the archive */

typedef enum rumble_chunk {
    RUMBLE_CHUNK_PLAYER = 0,
    RUMBLE_CHUNK_STRUCTURE = 1,
    RUMBLE_CHUNK_PEDESTAL = 2,
    RUMBLE_CHUNK_EVENT = 3,
    RUMBLE_CHUNK_PROP = 4,
    RUMBLE_CHUNK_EXTENSION = 250,
} rumble_chunk;

/* How a layout is written: everything the frame reader must know. */
typedef struct rumble_wire {
    const char *name;
    bool zip;          /* ZIP with Brotli, else RGZP */
    bool frame_size;   /* frames begin with their size */
    bool sub_index;    /* extension entries have a SubIndex */
    uint8_t extension; /* chunk type of extensions */
    bool props;        /* chunk type 4 is a scene prop */
    rp_tag_map player, structure, pedestal, event, prop;
} rumble_wire;

typedef struct rumble_mod {
    int32_t id;
    const char *name;
} rumble_mod;

typedef struct rumble_replay {
    rp_replay base;
    reprise_value *header; /* the manifest, or the legacy header under the same names */
    reprise_value *voices; /* voices.json, or NULL */
    uint32_t frame_count;
    uint32_t player_count, structure_count, pedestal_count, prop_count;
    bool has_props; /* the manifest speaks of scene props */
    rumble_wire wire;
    bool wire_certain; /* nothing further in the stream can change it */
    rp_window start; /* ZIP, small files: the stream, as far as the layout needed it; see read.c */
    int64_t stream_entry; /* ZIP: the entry named "replay" */
    uint32_t inner_size;  /* RGZP: stated size of the inflated data */
    uint32_t gzip_size;   /* RGZP: size of the gzip member */
    size_t header_size;   /* RGZP: bytes before the first frame */
    rumble_mod *mods;     /* names found under extensions/ */
    size_t mod_count;
    uint64_t trailing; /* bytes after the last frame, once everything was read */
    uint64_t unknown_chunks, unknown_fields;
    bool members_checked;
    bool stream_read; /* to its end, so its size is known */
    bool digested;    /* and its digest */
    uint64_t stream_size;
    uint8_t digest[RP_SHA256_SIZE];
    bool seek_done;           /* there was a seek */
    struct rumble_seek *seek; /* made by the second one */
    bool frames_guessed;      /* salvage: the manifest is made up */
    rp_finding *opened;       /* salvage: the last finding that reading keeps */
} rumble_replay;

/* ---- read_header.c ---- */

reprise_status rumble_open_zip_header(rumble_replay *replay, reprise_error *error);
/* Parses the legacy header; leaves the reader at the first frame. */
void rumble_read_legacy_header(rumble_replay *replay, rp_reader *r);
/* FNV-1a over UTF-16 code units, as the mod hashes mod names. */
int32_t rumble_mod_hash(const char *name, size_t size);
/* The name that has this hash, or NULL. */
const char *rumble_mod_name(const rumble_replay *replay, int32_t id);
/* The type of a structure, or -1. */
int64_t rumble_structure_type(const rumble_replay *replay, size_t index);
/* The markers of the manifest, in all the forms it had. Returns false past the last. */
bool rumble_marker_at(const rumble_replay *replay, size_t index, rumble_marker *ret_marker,
                      float *ret_time);

/* Before markers had a list they were events with a kind (read_rows.c). */
rumble_marker rumble_marker_of_event(const rumble_event *event);

/* The oldest layouts have no shiftstones: every row has the value 0, which is also a stone. */
enum { RUMBLE_NO_STONE = 255 };
static inline bool rumble_has_shiftstones(const rumble_replay *replay)
{
    return replay->base.fields[RUMBLE_PLAYERS] >> rumble_player_F_left_stone & 1;
}
static inline bool rumble_has_health(const rumble_replay *replay)
{
    return replay->base.fields[RUMBLE_PLAYERS] >> rumble_player_F_health & 1;
}

/* ---- grammar_layouts.c ---- */

/* The wire of a named layout; false if there is none of that name. */
bool rumble_wire_init(rumble_wire *wire, const char *name);
/* Bytes of a rotation as a layout writes it: 7, or 16 where nothing is rounded. */
static inline unsigned rumble_rotation_size(const rumble_wire *wire)
{
    return wire->zip && !wire->player.strict ? 7 : 16;
}
/* The fields that have an id in a map, as presence bits. */
uint64_t rumble_mapped_fields(const rp_tag_map *map);
/* Sets the layout: its wire, its name and the fields of its tracks. */
void rumble_set_layout(rumble_replay *replay, const char *name);

/* ---- read_layout.c ---- */

/* Up to this size of a file, the decompressor that opening used is kept for the first reader: half
   of the work on a small file is unpacking its beginning. A large one gains nothing from it. */
enum { RUMBLE_START_KEPT_MAX = 1 << 18 };

/*
 * Detects the layout from the beginning of the stream. Damage is no failure here, reading will find
 * it: then the layout that explains most frames is chosen.
 */
reprise_status rumble_recognise(rumble_replay *replay, reprise_error *error);
/* Reads to the end of the stream if the beginning could not decide it. */
reprise_status rumble_settle_layout(rumble_replay *replay, reprise_error *error);

/* ---- recover.c ---- */

/* Makes a manifest from what the frames name; `why` says how the real one was lost. */
reprise_status rumble_make_up_header(rumble_replay *replay, const reprise_error *why,
                                     reprise_error *error);
/* Whether a member of the archive can be read to its end and is what it was. */
bool rumble_member_is_complete(rumble_replay *replay, size_t index);

/* ---- read.c ---- */

/* A window at the first byte of the decompressed stream. */
reprise_status rumble_open_stream(rumble_replay *replay, rp_window *window, reprise_error *error);

/*
 * Brings the next frame of a layout with frame sizes in reach of the window. *ret_size is its size
 * with the four bytes of the size itself; 0 if it is over `max` or not there completely.
 */
reprise_status rumble_next_sized_frame(rp_window *window, uint64_t max, size_t *ret_size,
                                       reprise_error *error);

extern const char rumble_stream_magic[4];

reprise_status rumble_decode_begin(rp_decoder *decoder, reprise_error *error);
reprise_status rumble_decode_next(rp_decoder *decoder, reprise_error *error);
reprise_status rumble_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
/* After a moment was shown: notes damage that makes it doubtful. */
reprise_status rumble_confirm_moment(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                                     reprise_error *error);
void rumble_decode_end(rp_decoder *decoder);
void rumble_seek_free(rumble_replay *replay);

/* ---- info.c, scene.c, stats.c, verify.c ---- */

reprise_status rumble_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                            reprise_error *error);

reprise_status rumble_length(rp_replay *replay, double *ret_seconds, reprise_error *error);
reprise_status rumble_info(rp_replay *replay, rp_doc *doc, reprise_value *info,
                           reprise_error *error);
/* redact.c: what is private, by value. */
#define RUMBLE_PRIVATE_TRACKS                                          \
    (UINT64_C(1) << RUMBLE_EXTENSIONS | UINT64_C(1) << RUMBLE_EVENTS | \
     UINT64_C(1) << RUMBLE_PLAYERS)
reprise_status rumble_private_header(rp_replay *replay, rp_private *found, reprise_error *error);
void rumble_private_row(const rp_replay *replay, const rp_row *row, rp_private *found);
extern const rp_summary rumble_summary;
reprise_status rumble_stats(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error);
/* Notes each damaged member; does nothing the second time. */
reprise_status rumble_check_members(rumble_replay *replay, reprise_error *error);
reprise_status rumble_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                             reprise_error *error);

/* info_sizes.c: like du, over the decompressed stream and the other members. */
reprise_status rumble_sizes(rp_replay *replay, rp_doc *doc, reprise_value *list,
                            reprise_error *error);

void rumble_player_to_world(const rumble_player *player, rumble_player_derived *ret_world);

#endif
