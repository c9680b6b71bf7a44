/*
 * format.h - what a format must say about itself. One folder per family fills in one rp_format.
 *
 * A family's replay struct begins with an rp_replay and its decoder struct with an rp_decoder; the
 * sizes are in the descriptor and the memory comes zeroed. Opening reads metadata only. Decoding
 * goes step by step, each giving a batch of rows, and never holds a whole match. Reading twice
 * means two decoders. docs/adding-a-format.md walks through all of it.
 */
#ifndef RP_FORMAT_H
#define RP_FORMAT_H

#include "archive.h"
#include "findings.h"
#include "foreign.h"
#include "reprise/write.h"
#include "sink.h"
#include "timeline.h"
#include "track.h"

typedef struct rp_format rp_format;
typedef struct rp_private rp_private; /* private.h */

typedef struct rp_layout {
    const char *name; /* "z6" */
    const char *doc;
    bool reads, writes;
} rp_layout;

/* What a probe may look at. */
typedef struct rp_probe {
    rp_context *context; /* for those who must read more than the head */
    rp_source *source;
    rp_zip *zip; /* NULL if it is not an archive */
    uint64_t size;
    const uint8_t *head; /* the first bytes; use rp_probe_head */
    size_t head_size;
} rp_probe;

enum { RP_PROBE_HEAD_MAX = 4096 };

/* A reader on the first bytes; errors go to `error`, which a probe may throw away. */
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
    rp_zip *zip;                    /* NULL if it is not an archive */
    rp_arena arena;                 /* everything that lives as long as the replay */
    rp_findings findings;           /* noticed while opening and decoding */
    rp_findings unlisted;           /* damage that cut the list of private data short */
    bool read_to_end;               /* a decoder or player has given everything there is */
    bool checked, checked_all;      /* see rp_check */
    bool trusts_signatures;         /* `verify` need not check them: nobody will see them */
    const char *forced_layout;      /* what the caller insists on, or NULL */
    bool salvage;                   /* damaged: give what is whole, note what is not, do not fail */
    uint64_t fields[RP_TRACKS_MAX]; /* per track: stored fields this layout has */
    reprise_blob *blobs;            /* see rp_replay_blobs */
    size_t blob_count;
    bool blobs_listed;
    bool measured; /* the length is known; see rp_replay_length */
    double length;
    reprise_error length_damage;
} rp_replay;

/* Which rows a decoder shall give. */
typedef struct rp_selection {
    uint64_t tracks; /* bit per track */
    bool dense;      /* rows of all objects in every frame, changed or not */
    bool linear;     /* with `dense`: what a frame leaves out lies between its neighbours */
} rp_selection;

typedef struct rp_decoder {
    rp_replay *replay;
    rp_selection selection;
    rp_batch batch; /* what the last step gave */
    uint64_t steps; /* so far, for whoever watches the progress */
} rp_decoder;

typedef reprise_status rp_row_visitor(void *ctx, const rp_row *row, reprise_error *error);

/* ---- writing ---- */

struct rp_edit;

/* What a writer is asked for. */
typedef struct rp_write_options {
    const char *layout; /* one that the format writes */
    /* For formats that cut by themselves: the range to keep, of all rows that are given; or NULL */
    const struct rp_edit *cut;
    int level; /* of compression: the codec's own number, or a REPRISE_LEVEL_... name */
    bool long_range;
    bool smallest;    /* no level was asked for: as small as the codec can, within its memory */
    uint32_t removed; /* RP_PRIVATE_... of which the rows were freed */
} rp_write_options;

/*
 * Writing mirrors decoding: begin with metadata, then batches of rows as a decoder gives them (all
 * tracks, in order, one batch per frame or tick), then the blobs, then the end. What depends on all
 * rows, such as a count in the header, is the encoder's to fill in. A family's encoder struct
 * begins with this. Memory stays bounded; nothing but the sink is touched, which is only appended
 * to and which the caller commits.
 */
typedef struct rp_encoder {
    const rp_format *format;
    rp_context *context;
    rp_sink *sink;
    rp_write_options options;
    const reprise_value *header; /* metadata in the shape of the info document's "header" */
    const rp_replay *source;     /* where the rows come from, or NULL: recorded anew */
} rp_encoder;

/* ---- editing ---- */

/* Kinds of private data, as bits: what an edit takes out. */
enum {
    RP_PRIVATE_NAMES = 1 << 0, /* of people, and titles made of them */
    RP_PRIVATE_CHAT = 1 << 1,
    RP_PRIVATE_VOICE = 1 << 2,
    RP_PRIVATE_IDS = 1 << 3, /* of accounts and of the recording */
    RP_PRIVATE_ADDRESSES = 1 << 4,
    RP_PRIVATE_TIMES = 1 << 5,      /* when it was recorded */
    RP_PRIVATE_LOOKS = 1 << 6,      /* cosmetics */
    RP_PRIVATE_CONTENT = 1 << 7,    /* custom maps, texts and members nobody knows */
    RP_PRIVATE_EXTENSIONS = 1 << 8, /* what other mods put in */
    RP_PRIVATE_MARKS = 1 << 9,      /* pings and drawings; not part of everything */
    RP_PRIVATE_WHISPERS = 1 << 10,  /* of chat only this, where it can be told apart */
};

/* What shall become of a replay; zeroed, it is written again as it is. */
typedef struct rp_edit {
    const char *layout; /* to write; NULL: the source's if it is written, else the default */
    bool trims;
    int64_t index_from, index_to; /* frames or ticks that stay, inclusive */
    double time_from, time_to;    /* the times of these two */
    double time_least, time_end;  /* what belongs to them: from the first on, before the second */
    bool keep_times;              /* else the first one moves to 0 */
    uint32_t remove;              /* RP_PRIVATE_... */
} rp_edit;

/* A member of the result beside the rows: a blob of the source, or bytes. */
typedef struct rp_carried {
    const char *name;
    int64_t blob; /* -1: `content` */
    rp_text content;
} rp_carried;

/*
 * How an edit will be done: made by the format before anything is written. The arena belongs to the
 * plan. Losses and notes are texts for people; nothing is written while there are losses, unless
 * the caller agreed to them. Substitutions are objects {what, from, to}: every `from` must be gone
 * from the result, which is proven by searching it. One that is also a word of the format (a player
 * called Stone) has `word` set, and is only searched for as a complete string.
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
    reprise_value *dropped; /* texts: what nobody understands and is gone; no reason to refuse */
    rp_arena scratch;       /* emptied before each batch: for rows that edit_rows changes */
    void *own;              /* the format's, in the arena: for edit_rows */
} rp_plan;

/* ---- what a format can do ---- */

/* Recognising, opening and decoding. Every format has this table. */
typedef struct rp_format_read {
    size_t replay_size, decoder_size; /* of the family's own structs */

    /*
     * Returns the bits of evidence that this is the format: 8 for each byte of magic that matches,
     * and as many as the checks of structure deserve. 0: not this format. Must not fail.
     */
    unsigned (*probe)(const rp_probe *probe);
    /* Names what the file is if it is often mistaken for this format but is none we read. */
    const char *(*mistaken)(const rp_probe *probe);

    reprise_status (*open)(rp_replay *replay, reprise_error *error);
    void (*close)(rp_replay *replay); /* also called after a failed open */
    bool salvages;                    /* can open with `salvage` set */

    /*
     * Adds the family's members to the info document. "header" is the metadata, "end" what the file
     * says about how the recording ended. These two are content, and are compared as such.
     */
    reprise_status (*info)(rp_replay *replay, rp_doc *doc, reprise_value *info,
                           reprise_error *error);
    /*
     * The length of the recording in seconds, as docs/design.md and docs/spec define it for the
     * family. If the file must be read for that, damage is returned with the length of everything
     * before it. NULL: the file has no length.
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
    /* After a seek and its step: adds to the document of the moment what rows do not hold. */
    reprise_status (*at)(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                         reprise_error *error);
    /*
     * Games with timed runs: the time in the recording at which the timer shows `timer` seconds;
     * INFINITY means the end of the run. NULL: the game has no runs.
     */
    reprise_status (*run_moment)(rp_replay *replay, double timer, double *ret_time,
                                 reprise_error *error);

    bool track_by_track; /* gives one track after the other instead of frame by frame */
    bool interpolates;   /* selections with `linear` make sense */
    /*
     * Orders two batches by their first rows: below, at or above 0. NULL: the lower frame or tick
     * comes first.
     */
    int (*order)(const rp_row *a, const rp_row *b);

    /* Fills in the blobs if more than metadata must be read to find them. NULL: open did it. */
    reprise_status (*list_blobs)(rp_replay *replay, reprise_error *error);
    reprise_status (*blob_open)(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                reprise_error *error);
    /* Opens decompressed content that is not a blob, for searching. REPRISE_END: no such index. */
    reprise_status (*stream_open)(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                  reprise_error *error);
    /* Adds objects {name, size} that break the decompressed content down by part. */
    reprise_status (*sizes)(rp_replay *replay, rp_doc *doc, reprise_value *list,
                            reprise_error *error);
} rp_format_read;

/* Checks beyond decoding everything. NULL: there are none. */
typedef struct rp_format_verify {
    /* May add to the summary document. */
    reprise_status (*check)(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                            reprise_error *error);
    bool finds_more; /* it can find damage that decoding does not */
    /* Tracks whose rows are wrong if a hash or signature does not match; the latter's own track. */
    uint64_t checked_tracks, vouching_tracks;
} rp_format_verify;

/* Finds private data, by value. NULL: the format holds none. */
typedef struct rp_format_privacy {
    /* In the metadata and what is read with it. */
    reprise_status (*header)(rp_replay *replay, rp_private *found, reprise_error *error);
    /* In one row of `tracks`. */
    void (*row)(const rp_replay *replay, const rp_row *row, rp_private *found);
    uint64_t tracks;       /* a bit for each */
    uint64_t doubt_tracks; /* opaque data that may be private */
} rp_format_privacy;

/* Encoding. NULL: the format is only read. */
typedef struct rp_format_write {
    const char *default_layout;
    size_t encoder_size;
    reprise_status (*begin)(rp_encoder *encoder, reprise_error *error);
    reprise_status (*rows)(rp_encoder *encoder, const rp_batch *batch, reprise_error *error);
    /* After all rows; reads the stream to its end. NULL: the format has no place for blobs. */
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
    bool long_range; /* the codec can search far back for repetitions */
} rp_format_write;

/*
 * Recording row by row, for formats whose encoder needs no source. Rows may come in any order
 * within a step and are sorted into the decoder's order. NULL: the format is not recorded this way.
 */
typedef struct rp_format_row_writer {
    bool collects; /* sorts the complete recording, which is kept until the end, not one step */
    /* Below, at or above 0. NULL: by track number. */
    int (*order)(const rp_row *a, const rp_row *b);
    /* Whether a new batch starts between two rows. NULL: one batch per step. */
    bool (*batch_begins)(const rp_row *before, const rp_row *row);
    /* Sets the values that a row has where nothing was set. NULL: zeros. */
    void (*init)(uint32_t track, void *data);
    /*
     * Changes `data`, a copy of the row, to what a reader of the layout will get: rounded values,
     * other words for the same thing. NULL: exactly what was given.
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
     * what is carried along, what would be lost. REPRISE_E_UNSUPPORTED: not this edit.
     */
    reprise_status (*plan)(rp_plan *plan, reprise_error *error);
    void (*plan_free)(rp_plan *plan); /* frees what is not in the arena; may be NULL */
    /* Changes or drops rows before they are encoded, after trimming. NULL: keeps all rows. */
    reprise_status (*rows)(rp_plan *plan, rp_batch *batch, reprise_error *error);
    /* The same content at another level, byte for byte inside; any layout that is read. */
    reprise_status (*recompress)(rp_replay *replay, const rp_write_options *options, rp_sink *sink,
                                 reprise_error *error);
    /* Whether a row before a cut still applies after it, such as a mode. NULL: none does. */
    bool (*outlasts_cut)(const rp_plan *plan, const rp_row *row);
    bool cuts; /* rows are not in order of time: the encoder gets all of them and cuts by time */
    /*
     * Merges several recordings of one event on the timeline of the first. offsets[i] is added to
     * the times of recording i, and is determined where it is NaN. NULL: the format cannot merge.
     */
    reprise_status (*merge)(rp_replay *const *sources, size_t count, double *offsets,
                            const rp_write_options *options, rp_sink *sink, rp_doc *doc,
                            reprise_value *report, reprise_error *error);
} rp_format_edit;

/* What follows from the content. NULL: nothing is computed. */
typedef struct rp_format_analyse {
    /* Fills in two objects: what the file says, and what follows from it. */
    reprise_status (*stats)(rp_replay *replay, rp_doc *doc, reprise_value *recorded,
                            reprise_value *derived, reprise_error *error);
    /*
     * Compares two recordings of one match made by different people; leaves `match` empty if they
     * are not of one match. NULL: a match is recorded only once.
     */
    reprise_status (*compare)(rp_replay *a, rp_replay *b, rp_doc *doc, reprise_value *match,
                              reprise_error *error);
} rp_format_analyse;

/* Recorded orders in the form that all engines share. NULL: the format holds none. */
typedef struct rp_format_foreign {
    reprise_status (*read)(rp_replay *replay, rp_foreign *foreign, reprise_error *error);
    /*
     * Writes a replay that was imported elsewhere and comes back; the report says what was restored
     * and what was made up. NULL: the format takes none back.
     */
    reprise_status (*write)(rp_context *context, const rp_foreign *foreign, rp_sink *sink,
                            rp_doc *doc, reprise_value *report, reprise_error *error);
} rp_format_foreign;

struct rp_format {
    const char *name;       /* stable: command line, JSON, tests */
    const char *title;      /* for people */
    const char *extensions; /* a hint for messages, never for detection */
    const rp_layout *layouts;
    size_t layout_count;
    const rp_track *tracks;
    size_t track_count;
    const rp_record *const *records; /* every table: documentation and tests walk them */
    size_t record_count;
    const rp_finding_kind *findings; /* besides those that all formats share */
    size_t finding_count;

    const rp_format_read *read;
    const rp_format_verify *verify;
    const rp_format_privacy *privacy;
    const rp_format_write *write;
    const rp_format_row_writer *row_writer;
    const rp_format_edit *edit;
    const rp_format_analyse *analyse;
    const rp_format_foreign *foreign;
    /*
     * Fills in everything visible and everything with a time axis, in one pass. Damage is returned
     * after everything before it was added. NULL: a scene is made of `foreign`, if there is that.
     */
    reprise_status (*scene)(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                            reprise_error *error);
};

/* Questions about tables that a format may lack. */

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

/* Only recognises: whose file it is, whether it can be opened or not. */
reprise_status rp_recognise(rp_context *context, rp_source *source, const rp_format **ret_format,
                            reprise_error *error);

/*
 * Recognises and opens. `name` forces a format (NULL: by content), `layout` a layout. The replay
 * takes over nothing: context and source must outlive it.
 */
reprise_status rp_replay_open(rp_context *context, rp_source *source, const char *name,
                              const char *layout, rp_replay **ret_replay, reprise_error *error);
/*
 * The same for a file that is damaged or unfinished: opens if anything can be had from it, and its
 * decoder gives every frame that is wholly there. What is lost is among the findings.
 */
reprise_status rp_replay_open_damaged(rp_context *context, rp_source *source, const char *name,
                                      const char *layout, rp_replay **ret_replay,
                                      reprise_error *error);
void rp_replay_close(rp_replay *replay);
/*
 * How long a recording is, in seconds. Every verb that names a length shows this one. Damage on the
 * way is no failure: then it is the length of what comes before, and *ret_damage, which may be
 * NULL, says what is wrong. NaN for files that have no length.
 */
reprise_status rp_replay_length(rp_replay *replay, double *ret_seconds, reprise_error *ret_damage,
                                reprise_error *error);
/* For formats: from the first row of a track to its last, in the order of the file. */
reprise_status rp_length_of_track(rp_replay *replay, unsigned track, double *ret_seconds,
                                  reprise_error *error);
/* Sets `duration` to the length, if the format has one. */
reprise_status rp_set_length(rp_doc *doc, reprise_value *object, rp_replay *replay,
                             reprise_error *error);
/* Makes replay->blobs complete; does nothing the second time. */
reprise_status rp_replay_blobs(rp_replay *replay, reprise_error *error);

reprise_status rp_decoder_open(rp_replay *replay, rp_selection selection, rp_decoder **ret_decoder,
                               reprise_error *error);
/* Empties the batch and fills it again. */
reprise_status rp_decoder_next(rp_decoder *decoder, reprise_error *error);
/*
 * Hands every row of a selection to `visit`, which ends the reading early with an error, or with
 * REPRISE_END where it has seen enough.
 */
reprise_status rp_each_row(rp_replay *replay, rp_selection selection, rp_row_visitor *visit,
                           void *ctx, reprise_error *error);
/* Whether reading ended where a cut or damaged file was given up; then *ret_damage says why. */
bool rp_replay_damage(const rp_replay *replay, reprise_error *ret_damage);
/* The same for a file that ends early only: what comes before that is whole. */
bool rp_replay_cut(const rp_replay *replay, reprise_error *ret_damage);

/*
 * For readers that go on without something that they cannot read: whoever uses the result is told.
 * Trouble of our own is no damage and is passed on; REPRISE_OK otherwise, also for no damage at
 * all.
 */
reprise_status rp_pass_over(rp_replay *replay, const reprise_error *damage, reprise_error *error);
/* When the timer of the run shows so many seconds; REPRISE_E_USAGE where there is no run. */
reprise_status rp_run_moment(rp_replay *replay, double timer, double *ret_time,
                             reprise_error *error);
reprise_status rp_decoder_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error);
void rp_decoder_close(rp_decoder *decoder);

/* The layout an edit writes: as asked, else the source's if it is written, else the default. */
const char *rp_layout_to_write(const rp_replay *source, const char *asked);

/* The encoder takes nothing over; header and source must outlive it. */
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
