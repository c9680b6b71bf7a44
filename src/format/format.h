/*
 * format.h - the descriptor of a format, rp_format, and the functions that open, decode and encode
 * replays through it.
 *
 * A family's replay struct begins with an rp_replay and its decoder struct with an rp_decoder; the
 * descriptor has their sizes, and their memory is zeroed. Opening reads only metadata. A decoder
 * works in steps, each giving a batch of rows, and never holds a complete match. To read twice,
 * open two decoders. docs/changing-things.md explains how to add a family.
 */
#ifndef RP_FORMAT_H
#define RP_FORMAT_H

#include "archive.h"
#include "findings.h"
#include "foreign.h"
#include "reprise/write.h"
#include "sink.h"
#include "summary.h"
#include "timeline.h"
#include "track.h"

typedef struct rp_format rp_format;
typedef struct rp_private rp_private; /* private.h */

typedef struct rp_layout {
    const char *name; /* "z6" */
    const char *doc;
    bool reads, writes;
} rp_layout;

/* What a probe can examine. */
typedef struct rp_probe {
    rp_context *context; /* for probes that read more than the head */
    rp_source *source;
    rp_zip *zip; /* NULL if it is not an archive */
    uint64_t size;
    const uint8_t *head; /* the first bytes; use rp_probe_head */
    size_t head_size;
} rp_probe;

enum { RP_PROBE_HEAD_MAX = 4096 };

/* A reader of the first bytes; a probe may ignore `error`. */
static inline rp_reader rp_probe_head(const rp_probe *probe, reprise_error *error)
{
    return rp_reader_of(probe->head, probe->head_size, "file", error);
}

/* One open file. */
typedef struct rp_replay {
    const rp_format *format;
    const char *layout;
    rp_context *context;
    rp_source *source;
    rp_zip *zip;               /* NULL if it is not an archive */
    rp_arena arena;            /* for everything that lives as long as the replay */
    rp_findings findings;      /* noticed while opening and decoding */
    bool lists_no_private;     /* info leaves out the list of private data, which costs reading */
    rp_findings unlisted;      /* damage that made the list of private data incomplete */
    bool used;                 /* something was asked of it since it was opened */
    bool read_to_end;          /* a decoder or player has reached the end */
    bool checked, checked_all; /* see rp_check */
    bool trusts_signatures;    /* `verify` may skip them: they are not shown */
    struct rp_replay *twin;    /* of the same format, checked: see rp_check_both */
    const char *forced_layout; /* as requested by the caller, or NULL */
    bool salvage; /* recovery: read what is complete and note the rest instead of failing */
    bool cut;     /* salvaging because the file ends early: rows end at damage of any other kind */
    uint64_t fields[RP_TRACKS_MAX]; /* per track: the fields that this layout stores */
    reprise_blob *blobs;            /* see rp_replay_blobs */
    size_t blob_count;
    bool blobs_listed;
    bool measured; /* the length is known; see rp_replay_length */
    double length;
    reprise_error length_damage;
} rp_replay;

/* Which rows a decoder gives. */
typedef struct rp_selection {
    uint64_t tracks; /* bit per track */
    bool dense;      /* rows of all objects in every frame, changed or not */
    bool linear;     /* with `dense`: interpolate what a frame leaves out */
    bool hashes;     /* for `verify`: computes digests of the decoded bytes on the way */
    bool seeks;      /* begins with rp_decoder_seek: nothing needs to be read before it */
} rp_selection;

typedef struct rp_decoder {
    rp_replay *replay;
    rp_selection selection;
    rp_batch batch; /* the rows of the last step */
    uint64_t steps; /* so far, for progress reports */
} rp_decoder;

typedef reprise_status rp_row_visitor(void *ctx, const rp_row *row, reprise_error *error);

/* ---- writing ---- */

struct rp_edit;

/* What to write, and how. */
typedef struct rp_write_options {
    const char *layout; /* one that the format writes */
    /* For formats that trim in the encoder: the range to keep of all given rows, or NULL. */
    const struct rp_edit *cut;
    int level; /* of compression: the codec's own number, or a REPRISE_LEVEL_... name */
    bool long_range;
    bool smallest;    /* no level was given: the smallest result within the codec's memory */
    uint32_t removed; /* RP_PRIVATE_... that were removed from the rows */
} rp_write_options;

/*
 * Writing mirrors decoding: begin with metadata, then batches of rows as a decoder gives them (all
 * tracks, in order, one batch per frame or tick), then the blobs, then the end. The encoder fills
 * in values that depend on all rows, such as counts in the header. A family's encoder struct begins
 * with an rp_encoder. Memory stays bounded. The encoder only appends to the sink; the caller
 * commits it.
 */
typedef struct rp_encoder {
    const rp_format *format;
    rp_context *context;
    rp_sink *sink;
    rp_write_options options;
    const reprise_value *header; /* metadata, like "header" of the info document */
    const rp_replay *source;     /* where the rows come from, or NULL for a new recording */
} rp_encoder;

/* ---- editing ---- */

/* Kinds of private data, as bits. */
enum {
    RP_PRIVATE_NAMES = 1 << 0, /* of people, and titles that contain them */
    RP_PRIVATE_CHAT = 1 << 1,
    RP_PRIVATE_VOICE = 1 << 2,
    RP_PRIVATE_IDS = 1 << 3, /* of accounts and of the recording */
    RP_PRIVATE_ADDRESSES = 1 << 4,
    RP_PRIVATE_TIMES = 1 << 5,      /* when it was recorded */
    RP_PRIVATE_LOOKS = 1 << 6,      /* cosmetics */
    RP_PRIVATE_CONTENT = 1 << 7,    /* custom maps, and texts and members of unknown meaning */
    RP_PRIVATE_EXTENSIONS = 1 << 8, /* data of other mods */
    RP_PRIVATE_MARKS = 1 << 9,      /* pings and drawings; not removed by default */
    RP_PRIVATE_WHISPERS = 1 << 10,  /* only this part of the chat, if it can be distinguished */
};

/* How to change a replay; all zeros: rewrite it unchanged. */
typedef struct rp_edit {
    const char
        *layout; /* to write; NULL: that of the source if it can be written, else the default */
    bool trims;
    int64_t index_from, index_to; /* frames or ticks to keep, inclusive */
    double time_from, time_to;    /* the times of these two */
    double time_least, time_end;  /* the span they cover: from the first, before the second */
    bool keep_times;              /* otherwise times start at 0 */
    uint32_t remove;              /* RP_PRIVATE_... */
} rp_edit;

/* A member of the result besides the rows: a blob of the source, or bytes. */
typedef struct rp_carried {
    const char *name;
    int64_t blob; /* -1: `content` */
    rp_text content;
} rp_carried;

/*
 * The plan of an edit, made by the format before anything is written. The plan owns the arena.
 * Losses and notes are texts for people. If there are losses, nothing is written unless the caller
 * accepts them. Substitutions are objects {what, from, to}: no `from` may be left in the result,
 * which is searched for them. A `from` that is also a word of the format (a player called Stone)
 * has `word` set and is only searched for as a complete string.
 */
typedef struct rp_plan {
    rp_replay *source;
    rp_edit edit;
    rp_arena arena;
    rp_doc doc;
    reprise_value *header; /* for the encoder */
    rp_carried *carried;
    size_t carried_count;
    reprise_value *losses, *notes, *substitutions;
    reprise_value *dropped; /* texts: unknown data that was dropped; not a reason to refuse */
    rp_arena scratch;       /* for rows that edit_rows changes; emptied before each batch */
    void *own;              /* the format's, in the arena: for edit_rows */
} rp_plan;

/* ---- what a format can do ---- */

/* Recognising, opening and decoding. Every format has this table. */
typedef struct rp_format_read {
    size_t replay_size, decoder_size; /* of the family's own structs */

    /*
     * Returns the bits of evidence that the file is of this format: 8 for each matching byte of
     * magic, and as many as the structural checks deserve. 0: not this format. Must not fail.
     */
    unsigned (*probe)(const rp_probe *probe);
    /* Names a file that is often mistaken for this format. */
    const char *(*mistaken)(const rp_probe *probe);

    reprise_status (*open)(rp_replay *replay, reprise_error *error);
    /* Opens as another replay of the same file was, which outlives this one; NULL: as `open` does.
       What comes only from reading rows is not copied. */
    void (*open_like)(rp_replay *replay, rp_replay *like);
    void (*close)(rp_replay *replay); /* also called after a failed open */
    bool salvages;                    /* can open with `salvage` set */

    /*
     * Adds the family's members to the info document. "header" is the metadata, "end" is how the
     * recording ended; these two are content and are compared as such.
     */
    reprise_status (*info)(rp_replay *replay, rp_doc *doc, reprise_value *info,
                           reprise_error *error);
    /*
     * The length of the recording in seconds, as docs/spec defines it for the family. If the file
     * must be read for it, damage is returned with the length of everything before it. NULL: the
     * file has no length.
     */
    reprise_status (*length)(rp_replay *replay, double *ret_seconds, reprise_error *error);

    reprise_status (*begin)(rp_decoder *decoder, reprise_error *error);
    /* Fills the empty batch. REPRISE_END after the last step. */
    reprise_status (*next)(rp_decoder *decoder, reprise_error *error);
    /*
     * Makes the next step give the frame at a moment: exactly that index, or the last one at or
     * before a time. NULL: the format has no moments.
     */
    reprise_status (*seek)(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
    void (*end)(rp_decoder *decoder); /* also called after a failed begin */
    /* After a seek and its step: adds what rows do not hold to the document of the moment. */
    reprise_status (*at)(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                         reprise_error *error);
    /*
     * Games with timed runs: the time in the recording at which the timer shows `timer` seconds;
     * INFINITY means the end of the run. NULL: the game has no runs.
     */
    reprise_status (*run_moment)(rp_replay *replay, double timer, double *ret_time,
                                 reprise_error *error);

    bool track_by_track; /* gives one track after the other instead of frame by frame */
    bool interpolates;   /* supports selections with `linear` */
    /*
     * Orders two batches by their first rows: below, at or above 0. NULL: the lower frame or tick
     * comes first.
     */
    int (*order)(const rp_row *a, const rp_row *b);

    /* Fills in the blobs if finding them takes more than metadata. NULL: open does it. */
    reprise_status (*list_blobs)(rp_replay *replay, reprise_error *error);
    reprise_status (*blob_open)(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                reprise_error *error);
    /* Opens decompressed content that is not a blob, for searching. REPRISE_END: no such index. */
    reprise_status (*stream_open)(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                  reprise_error *error);
    /* Adds objects {name, size}: the decompressed size of each part of the content. */
    reprise_status (*sizes)(rp_replay *replay, rp_doc *doc, reprise_value *list,
                            reprise_error *error);
} rp_format_read;

/* Checks beyond decoding everything. NULL: there are none. */
typedef struct rp_format_verify {
    /*
     * For digests of rows. `begin` comes before decoding, `batch` gets every batch, and NULL after
     * the last one of a replay that was read to its end. NULL: there are none.
     */
    reprise_status (*begin)(rp_replay *replay, reprise_error *error);
    void (*batch)(rp_replay *replay, const rp_batch *batch);
    /* May add to the summary document. */
    reprise_status (*check)(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                            reprise_error *error);
    bool finds_more; /* can find damage that decoding does not */
    /*
     * Tracks whose rows are wrong if a hash or signature does not match, and tracks of signatures.
     */
    uint64_t checked_tracks, vouching_tracks;
} rp_format_verify;

/* Finds private data, by value. NULL: the format holds none. */
typedef struct rp_format_privacy {
    /* In the metadata and everything that is read with it. */
    reprise_status (*header)(rp_replay *replay, rp_private *found, reprise_error *error);
    /* In one row of `tracks`. */
    void (*row)(const rp_replay *replay, const rp_row *row, rp_private *found);
    uint64_t tracks;       /* one bit per track */
    uint64_t doubt_tracks; /* opaque data that may be private */
} rp_format_privacy;

/* Encoding. NULL: the format is only read. */
typedef struct rp_format_write {
    const char *default_layout;
    size_t encoder_size;
    reprise_status (*begin)(rp_encoder *encoder, reprise_error *error);
    reprise_status (*rows)(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
    /* Called after all rows; reads the stream to its end. NULL: the format stores no blobs. */
    reprise_status (*blob)(rp_encoder *encoder, const char *name, rp_stream *content,
                           reprise_error *error);
    reprise_status (*end)(rp_encoder *encoder, reprise_error *error);
    void (*free)(rp_encoder *encoder); /* also called after a failed begin */
    /*
     * Adds a text for each reason why the game would not play a file: "rule P3: ...". Every result
     * is checked. NULL: the game plays every file that can be read.
     */
    reprise_status (*playable)(rp_replay *replay, rp_doc *doc, reprise_value *broken,
                               reprise_error *error);
    bool long_range; /* the codec supports long-range matching */
} rp_format_write;

/*
 * Writing row by row, for formats whose encoder needs no source. Rows may come in any order within
 * a step; they are sorted into the decoder's order. NULL: not supported.
 */
typedef struct rp_format_row_writer {
    bool collects; /* collects and sorts the complete recording instead of single steps */
    /* Below, at or above 0. NULL: by track number. */
    int (*order)(const rp_row *a, const rp_row *b);
    /* Whether a new batch starts between two rows. NULL: one batch per step. */
    bool (*batch_begins)(const rp_row *before, const rp_row *row);
    /* Sets the default values of a row. NULL: zeros. */
    void (*init)(uint32_t track, void *data);
    /*
     * Changes `data`, a copy of the row, to what a reader of the layout gets, such as rounded
     * values. NULL: exactly the given row.
     */
    void (*held)(const rp_encoder *encoder, const rp_row *row, void *data);
    /*
     * Visits the rows that a reader of the result gets although no row was given for them: from the
     * metadata, or from rows of another track. Called before `batch` is written, and with NULL
     * after the last one; rows of a track are visited in the order in which they are read. NULL:
     * none.
     */
    reprise_status (*implied)(rp_encoder *encoder, const rp_batch *batch, rp_row_visitor *visit,
                              void *ctx, reprise_error *error);
    /*
     * Whether a row of `batch`, which is about to be written, only repeats an implied row. Called
     * once for each row. NULL: none does.
     */
    bool (*repeats)(rp_encoder *encoder, const rp_batch *batch, const rp_row *row);
    /*
     * Whether a member of the metadata may differ in the result: the writer fills it in, the layout
     * keeps it elsewhere, or its value carries no information. NULL: none may.
     */
    bool (*header_made)(const rp_encoder *encoder, const char *member, const reprise_value *given);
} rp_format_row_writer;

/* Changing a replay. NULL: the format cannot be changed. */
typedef struct rp_format_edit {
    /*
     * Fills in everything after `edit` in the plan, whose doc is ready: the header of the result,
     * the members to carry, the losses. REPRISE_E_UNSUPPORTED: this edit is not possible.
     */
    reprise_status (*plan)(rp_plan *plan, reprise_error *error);
    void (*plan_free)(rp_plan *plan); /* frees what is not in the arena; may be NULL */
    /* Changes or drops rows before they are encoded, after trimming. NULL: keeps all rows. */
    reprise_status (*rows)(rp_plan *plan, rp_batch *batch, reprise_error *error);
    /*
     * Writes the same content at another level, decompressed byte for byte equal; any readable
     * layout.
     */
    reprise_status (*recompress)(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                                 reprise_error *error);
    /* Whether a row before a cut still applies after it, such as a mode. NULL: none does. */
    bool (*outlasts_cut)(const rp_plan *plan, const rp_row *row);
    bool
        cuts; /* rows are not in order of time, so the encoder gets all of them and trims by time */
    /*
     * Merges several recordings of one event on the timeline of the first. offsets[i] is added to
     * the times of recording i, and is determined where it is NaN. NULL: the format cannot merge.
     */
    reprise_status (*merge)(rp_replay *const *sources, size_t count, double *offsets,
                            const rp_write_options *options, rp_sink *sink, rp_doc *doc,
                            reprise_value *report, reprise_error *error);
} rp_format_edit;

/* Metrics computed from the content. NULL: none. */
typedef struct rp_format_analyse {
    /* Fills in two objects: recorded values and computed ones. */
    reprise_status (*stats)(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error);
    /*
     * Compares two recordings of one match made by different people; leaves `match` empty if they
     * are not of one match. NULL: a match is recorded only once.
     */
    reprise_status (*compare)(rp_replay *a, rp_replay *b, rp_doc *doc, reprise_value *match,
                              reprise_error *error);
    /*
     * What players call the unit or building that an order names by an id; NULL if it is not known.
     * Without an order, the id is that of a unit or building. NULL: the format stores no ids.
     */
    const char *(*item_name)(const rp_replay *replay, const char *order, const char *item);
} rp_format_analyse;

/* Recorded orders in a form that all engines share. NULL: the format has none. */
typedef struct rp_format_foreign {
    reprise_status (*read)(rp_replay *replay, rp_foreign *foreign, reprise_error *error);
    /*
     * Writes a replay that was once imported from this format; the report says what was restored
     * and what was made up. NULL: not supported.
     */
    reprise_status (*write)(rp_context *context, const rp_foreign *foreign, rp_sink *sink,
                            rp_doc *doc, reprise_value *report, reprise_error *error);
} rp_format_foreign;

struct rp_format {
    const char *name;       /* stable: command line, JSON, tests */
    const char *title;      /* for people */
    const char *extensions; /* for messages, never for detection */
    const rp_layout *layouts;
    size_t layout_count;
    const rp_track *tracks;
    size_t track_count;
    const rp_record *const *records; /* every record, for documentation and tests */
    size_t record_count;
    const rp_finding_kind *findings; /* besides the shared ones */
    size_t finding_count;

    const rp_format_read *read;
    const rp_format_verify *verify;
    const rp_format_privacy *privacy;
    const rp_format_write *write;
    const rp_format_row_writer *row_writer;
    const rp_format_edit *edit;
    const rp_format_analyse *analyse;
    const rp_format_foreign *foreign;
    const rp_summary *summary; /* every format has one */
    /*
     * Fills in scene and timeline in one pass. Damage is returned after everything before it was
     * added. NULL: there is nothing to show.
     */
    reprise_status (*scene)(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                            reprise_error *error);
};

/* Queries that are valid even if a format lacks the table. */

static inline bool rp_format_cuts(const rp_format *format)
{
    return format->edit && format->edit->cuts;
}

static inline uint64_t rp_checked_tracks(const rp_format *format)
{
    return format->verify ? format->verify->checked_tracks : 0;
}

static inline uint64_t rp_vouching_tracks(const rp_format *format)
{
    return format->verify ? format->verify->vouching_tracks : 0;
}

/* NULL for a format that is only read. */
static inline const char *rp_default_layout(const rp_format *format)
{
    return format->write ? format->write->default_layout : NULL;
}

/* All formats, in order of cost of probing. */
extern const rp_format *const rp_formats[];
extern const size_t rp_format_count;

const rp_format *rp_format_find(const char *name);

/* Only recognises the format, whether or not the file can be opened. */
reprise_status rp_recognise(rp_context *context, rp_source *source, const rp_format **ret_format,
                            reprise_error *error);

/*
 * Recognises and opens. `name` forces a format (NULL: by content), `layout` a layout. Context and
 * source are borrowed and must outlive the replay.
 */
reprise_status rp_replay_open(rp_context *context, rp_source *source, const char *name,
                              const char *layout, rp_replay **ret_replay, reprise_error *error);
/*
 * The same for a damaged or unfinished file: opens it if anything can be read, and its decoder
 * gives every complete frame. Losses are among the findings.
 */
reprise_status rp_replay_open_damaged(rp_context *context, rp_source *source, const char *name,
                                      const char *layout, rp_replay **ret_replay,
                                      reprise_error *error);
/*
 * Opens the file of a replay once more, so that reading leaves no trace in `replay`, which must
 * outlive the result. What opening it has found is not searched for again.
 */
reprise_status rp_replay_open_again(rp_replay *replay, rp_replay **ret_replay,
                                    reprise_error *error);
void rp_replay_close(rp_replay *replay);
/*
 * The length of a recording in seconds, the same for every verb. Damage is not a failure: then the
 * result is the length of everything before it, and *ret_damage, which may be NULL, says what is
 * wrong. NaN for files without a length.
 */
reprise_status rp_replay_length(rp_replay *replay, double *ret_seconds, reprise_error *ret_damage,
                                reprise_error *error);
/* For formats: the time from the first row of a track to its last, in file order. */
reprise_status rp_length_of_track(rp_replay *replay, unsigned track, double *ret_seconds,
                                  reprise_error *error);
/* Sets `duration` to the length, if the format has one. */
reprise_status rp_set_length(rp_doc *doc, reprise_value *object, rp_replay *replay,
                             reprise_error *error);
/* A `blob_open` for formats whose blobs are the entries of their archive, in order. */
reprise_status rp_blob_open_member(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                   reprise_error *error);
/* Completes replay->blobs; does nothing the second time. */
reprise_status rp_replay_blobs(rp_replay *replay, reprise_error *error);

reprise_status rp_decoder_open(rp_replay *replay, rp_selection selection, rp_decoder **ret_decoder,
                               reprise_error *error);
/* Empties the batch and fills it again. */
reprise_status rp_decoder_next(rp_decoder *decoder, reprise_error *error);
/* Passes every row of a selection to `visit`, which stops with an error, or with REPRISE_END. */
reprise_status rp_each_row(rp_replay *replay, rp_selection selection, rp_row_visitor *visit,
                           void *ctx, reprise_error *error);
/* Whether reading stopped at a cut or damage; *ret_damage says why. */
bool rp_replay_damage(const rp_replay *replay, reprise_error *ret_damage);
/* The same only for a file that ends early and is undamaged before that. */
bool rp_replay_cut(const rp_replay *replay, reprise_error *ret_damage);
/* Whether anything is missing for another reason than the early end of the file. */
bool rp_replay_corrupt(const rp_replay *replay, reprise_error *ret_damage);

/*
 * For readers that skip damage: notes it as a finding and returns REPRISE_OK. Failures that are not
 * damage (memory, cancellation) are returned. REPRISE_OK as `damage` is allowed.
 */
reprise_status rp_skip_damage(rp_replay *replay, const reprise_error *damage, reprise_error *error);
/* The time at which the timer of the run shows `timer` seconds; REPRISE_E_USAGE without a run. */
reprise_status rp_run_moment(rp_replay *replay, double timer, double *ret_time,
                             reprise_error *error);
reprise_status rp_decoder_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void rp_decoder_close(rp_decoder *decoder);

/*
 * The layout to write: as requested, else that of the source if it can be written, else the
 * default.
 */
const char *rp_layout_to_write(const rp_replay *source, const char *asked);

/* Header and source are borrowed and must outlive the encoder. */
reprise_status rp_encoder_open(rp_context *context, const rp_format *format,
                               const rp_write_options *options, const reprise_value *header,
                               const rp_replay *source, rp_sink *sink, rp_encoder **ret_encoder,
                               reprise_error *error);
void rp_encoder_close(rp_encoder *encoder);

static inline bool rp_selected(const rp_decoder *decoder, unsigned track)
{
    return decoder->selection.tracks >> track & 1;
}

/* Adds a row to the decoder's batch. */
static inline reprise_status rp_emit(rp_decoder *decoder, rp_row row, reprise_error *error)
{
    rp_row *to = rp_batch_add(decoder->replay->context, &decoder->batch, error);
    if (!to)
        return error->status;
    rp_row_set(to, row);
    return REPRISE_OK;
}

#endif
