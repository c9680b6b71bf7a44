/* extract.c - see extract.h. */
#include "extract.h"

#include <errno.h>

#include "outdir.h"
#include "verify.h"

typedef struct extraction {
    rp_replay *replay;
    const reprise_extract_options *options;
    rp_doc *doc;
    reprise_value *files, *refused;
    bool *named; /* per blob: a trusted key signed a state that names this very content */
    reprise_error *error;
} extraction;

static bool wanted(const reprise_extract_options *options, const reprise_blob *blob)
{
    bool found = !options->kind_count;
    for (size_t i = 0; i < options->kind_count && !found; i++)
        found = strcmp(options->kinds[i], blob->kind) == 0;
    return found;
}

static reprise_value *describe(rp_doc *doc, reprise_value *list, const reprise_blob *blob)
{
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "name", blob->name);
    rp_set_text(doc, one, "kind", blob->kind);
    rp_set_uint(doc, one, "size", blob->size);
    return one;
}

static void refuse(extraction *x, const reprise_blob *blob, const char *why)
{
    rp_set_text(x->doc, describe(x->doc, x->refused, blob), "reason", why);
}

/* ---- consent ---- */

/*
 * A signature covers states, and of the embedded content only the kinds whose hash the states name.
 */
static void find_named(extraction *x, const reprise_value *kinds)
{
    for (size_t i = 0; i < x->replay->blob_count; i++) {
        for (size_t k = 0; k < reprise_value_count(kinds); k++) {
            const char *kind = reprise_value_text(reprise_value_at(kinds, k), NULL);
            x->named[i] |= kind && strcmp(kind, x->replay->blobs[i].kind) == 0;
        }
    }
}

/* Verifies the complete file to find out whose signature it has. */
static reprise_status find_origin(extraction *x, reprise_value *origin)
{
    reprise_value *summary = rp_new_object(x->doc);
    RP_TRY(rp_verify(x->replay, x->doc, summary, x->error));
    const rp_finding *worst = rp_worst_finding(&x->replay->findings);
    bool sound = !worst || worst->about.severity != REPRISE_FAULT;
    bool trusted = sound && reprise_value_bool(rp_get(summary, "key_trusted"), false);
    reprise_value *key = rp_get(summary, "relay_public_key");
    rp_set_bool(x->doc, origin, "signed", reprise_value_bool(rp_get(summary, "signed"), false));
    rp_set_bool(x->doc, origin, "sound", sound);
    rp_set_bool(x->doc, origin, "trusted", trusted);
    if (key)
        rp_set(x->doc, origin, "key", key);
    if (trusted)
        find_named(x, rp_get(summary, "signed_resources"));
    return x->error->status;
}

/* Selected content that no trusted key has signed. */
static bool needs_consent(const extraction *x, size_t index)
{
    const reprise_blob *blob = &x->replay->blobs[index];
    return blob->guarded && wanted(x->options, blob) && !x->named[index];
}

static bool any_needs_consent(const extraction *x)
{
    for (size_t i = 0; i < x->replay->blob_count; i++) {
        if (needs_consent(x, i))
            return true;
    }
    return false;
}

static reprise_status ask(extraction *x, reprise_value *report, bool *ret_consent)
{
    const reprise_extract_options *options = x->options;
    reprise_value *origin = rp_set_object(x->doc, report, "origin");
    RP_TRY(find_origin(x, origin));
    bool all_named = !any_needs_consent(x);
    if (all_named || options->allow_guarded) {
        rp_set_text(x->doc, report, "consent", all_named ? "trusted" : "allowed");
        *ret_consent = true;
        return REPRISE_OK;
    }
    if (options->consent) {
        reprise_value *about = rp_new_object(x->doc);
        rp_set(x->doc, about, "origin", origin);
        reprise_value *files = rp_set_array(x->doc, about, "files");
        for (size_t i = 0; i < x->replay->blob_count; i++) {
            if (needs_consent(x, i))
                describe(x->doc, files, &x->replay->blobs[i]);
        }
        RP_TRY(x->error->status);
        *ret_consent = options->consent(options->consent_ctx, about);
    }
    rp_set_text(x->doc, report, "consent", *ret_consent ? "given" : "refused");
    return REPRISE_OK;
}

/* ---- files ---- */

static reprise_status copy(rp_stream *stream, rp_sink *sink, reprise_error *error)
{
    for (;;) {
        uint8_t piece[1 << 14];
        size_t size = 0;
        RP_TRY(rp_stream_read(stream, piece, sizeof piece, &size, error));
        if (!size)
            return rp_sink_commit(sink, error);
        RP_TRY(rp_sink_write(sink, piece, size, error));
    }
}

/* Different names may be the same for the file system; the first file keeps the name. */
static reprise_status skip_second(extraction *x, rp_stream *stream, size_t index)
{
    rp_stream_close(stream);
    rp_error_clear(x->error);
    refuse(x, &x->replay->blobs[index], "the name is already used by another file");
    return REPRISE_OK;
}

static reprise_status write_blob(extraction *x, rp_outdir *dir, size_t index)
{
    rp_stream *stream = NULL;
    rp_sink *sink = NULL;
    RP_TRY(x->replay->format->read->blob_open(x->replay, index, &stream, x->error));
    reprise_status status = rp_outdir_create(dir, x->replay->blobs[index].name, &sink, x->error);
    if (status == REPRISE_OK)
        status = copy(stream, sink, x->error);
    else if (x->error->cause == EEXIST)
        return skip_second(x, stream, index);
    rp_sink_close(sink);
    rp_stream_close(stream);
    if (status == REPRISE_OK)
        describe(x->doc, x->files, &x->replay->blobs[index]);
    return status;
}

/* Chooses the blobs to write; lists the others as refused. */
static size_t choose(extraction *x, bool consent, bool *chosen)
{
    size_t count = 0;
    for (size_t i = 0; i < x->replay->blob_count; i++) {
        const reprise_blob *blob = &x->replay->blobs[i];
        if (!wanted(x->options, blob))
            continue;
        if (blob->barred)
            refuse(x, blob, blob->barred);
        else if (needs_consent(x, i) && !consent)
            refuse(x, blob, "embedded content needs consent");
        else if (!rp_name_portable(blob->name))
            refuse(x, blob, "unsafe name");
        else
            chosen[i] = true;
        count += chosen[i];
    }
    return count;
}

static reprise_status write_all(extraction *x, const bool *chosen)
{
    rp_outdir *dir = NULL;
    RP_TRY(rp_outdir_open(x->replay->context, x->options->directory, &dir, x->error));
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < x->replay->blob_count && status == REPRISE_OK; i++) {
        if (chosen[i])
            status = write_blob(x, dir, i);
    }
    if (status == REPRISE_OK)
        status = rp_outdir_commit(dir, x->error);
    rp_outdir_close(dir);
    return status;
}

static reprise_status nothing(const extraction *x)
{
    if (!reprise_value_count(x->refused))
        return rp_error_set(x->error, REPRISE_E_UNSUPPORTED, "there is nothing to extract");
    rp_error_set(x->error, REPRISE_E_UNSUPPORTED, "nothing is extracted: %s",
                 reprise_value_text(rp_get(reprise_value_at(x->refused, 0), "reason"), NULL));
    rp_error_advise(x->error, REPRISE_HINT_CONSENT);
    return x->error->status;
}

reprise_status rp_extract(rp_replay *replay, const reprise_extract_options *options, rp_doc *doc,
                          reprise_value *report, reprise_error *error)
{
    extraction x = {.replay = replay, .options = options, .doc = doc, .error = error};
    RP_TRY(rp_replay_blobs(replay, error));
    rp_set_text(doc, report, "directory", options->directory);
    x.files = rp_set_array(doc, report, "files");
    x.refused = rp_set_array(doc, report, "refused");
    x.named = rp_arena_array(doc->arena, RP_MAX(replay->blob_count, 1), sizeof *x.named, error);
    RP_TRY(error->status);
    bool consent = false;
    if (any_needs_consent(&x))
        RP_TRY(ask(&x, report, &consent));
    bool *chosen = rp_arena_array(doc->arena, RP_MAX(replay->blob_count, 1), sizeof *chosen, error);
    RP_TRY(error->status);
    if (!choose(&x, consent, chosen))
        return nothing(&x);
    RP_TRY(write_all(&x, chosen));
    return error->status;
}
