/* registry.c - the list of formats; recognises a format by content and opens it. */
#include "registry.h"

#include <stdio.h>
#include <string.h>

/* The last one has no magic, so it is probed last. */
const rp_format *const rp_formats[] = {
    &rumble_format, &mcreplay_format, &openra_format,   &cs2kz_format,      &icrep_format,
    &icsave_format, &icproof_format,  &mccamera_format, &remastered_format,
};
const size_t rp_format_count = RP_COUNT(rp_formats);

const rp_format *rp_format_find(const char *name)
{
    for (size_t i = 0; i < rp_format_count; i++) {
        if (strcmp(rp_formats[i]->name, name) == 0)
            return rp_formats[i];
    }
    return NULL;
}

/* ---- probing ---- */

/* An archive is opened once for all probes. A broken one can still be recognised by its head. */
static reprise_status open_archive(rp_context *context, rp_probe *probe, reprise_error *error)
{
    static const uint8_t magics[][4] = {
        {'P', 'K', 3, 4},
        {'P', 'K', 5, 6},
    };
    for (size_t i = 0; i < RP_COUNT(magics); i++) {
        if (probe->head_size >= 4 && memcmp(probe->head, magics[i], 4) == 0)
            return rp_zip_open(context, probe->source, &probe->zip, error);
    }
    return REPRISE_OK;
}

static void list_candidates(const unsigned *bits, unsigned best, char *to, size_t size)
{
    size_t used = 0;
    to[0] = '\0';
    for (size_t i = 0; i < rp_format_count && used < size; i++) {
        if (bits[i] == best)
            used += (size_t)snprintf(to + used, size - used, "%s%s", used ? ", " : "",
                                     rp_formats[i]->name);
    }
}

static const char *what_else(const rp_probe *probe)
{
    const char *what = NULL;
    for (size_t i = 0; i < rp_format_count && !what; i++)
        what = rp_formats[i]->read->mistaken ? rp_formats[i]->read->mistaken(probe) : NULL;
    return what;
}

static reprise_status nothing_fits(const rp_probe *probe, reprise_error *error)
{
    const char *what = what_else(probe);
    if (what) {
        rp_error_set(error, REPRISE_E_UNRECOGNIZED, "%s", what);
    } else if (probe->size == 0) {
        rp_error_set(error, REPRISE_E_UNRECOGNIZED, "the file is empty");
    } else {
        char bytes[3 * 8 + 1];
        size_t shown = RP_MIN(probe->head_size, 8);
        for (size_t i = 0; i < shown; i++)
            snprintf(bytes + 3 * i, sizeof bytes - 3 * i, "%02x ", probe->head[i]);
        bytes[shown ? 3 * shown - 1 : 0] = '\0';
        rp_error_set(error, REPRISE_E_UNRECOGNIZED, "no known replay begins with %s", bytes);
    }
    rp_error_place(error, "file", 0, "");
    rp_error_advise(error, REPRISE_HINT_FORMATS);
    return error->status;
}

static reprise_status recognise(const rp_probe *probe, const rp_format **ret_format,
                                reprise_error *error)
{
    unsigned bits[RP_COUNT(rp_formats)], best = 0;
    size_t winners = 0, winner = 0;
    for (size_t i = 0; i < rp_format_count; i++) {
        bits[i] = rp_formats[i]->read->probe(probe);
        if (bits[i] > best) {
            best = bits[i];
            winners = 1;
            winner = i;
        } else if (bits[i] && bits[i] == best) {
            winners++;
        }
    }
    if (!best)
        return nothing_fits(probe, error);
    if (winners > 1) {
        char names[128];
        list_candidates(bits, best, names, sizeof names);
        rp_error_set(error, REPRISE_E_AMBIGUOUS, "equally likely: %s", names);
        rp_error_place(error, "file", 0, "");
        rp_error_advise(error, REPRISE_HINT_FORMAT);
        return error->status;
    }
    *ret_format = rp_formats[winner];
    return REPRISE_OK;
}

/* A broken archive is an error only if no format recognises the file without it. */
static reprise_status choose(rp_context *context, rp_probe *probe, const char *name, bool salvage,
                             const rp_format **ret_format, reprise_error *error)
{
    uint8_t *head = rp_alloc(context, RP_PROBE_HEAD_MAX, error);
    if (!head)
        return error->status;
    reprise_error archive_error = REPRISE_ERROR_INIT;
    probe->head = head;
    probe->head_size = (size_t)RP_MIN(probe->size, (uint64_t)RP_PROBE_HEAD_MAX);
    reprise_status status = rp_source_read(probe->source, 0, head, probe->head_size, error);
    if (status == REPRISE_OK && open_archive(context, probe, &archive_error) != REPRISE_OK) {
        if (salvage)
            status = rp_zip_open_damaged(context, probe->source, &probe->zip, error);
        else
            *error = archive_error, status = archive_error.status;
    }
    if (status == REPRISE_OK && name) {
        *ret_format = rp_format_find(name);
        if (!*ret_format) {
            status = rp_error_set(error, REPRISE_E_USAGE, "there is no format '%s'", name);
            rp_error_advise(error, REPRISE_HINT_FORMATS);
        }
    } else if (status == REPRISE_OK) {
        status = recognise(probe, ret_format, error);
    }
    rp_free(context, head, RP_PROBE_HEAD_MAX);
    probe->head = NULL;
    return status;
}

reprise_status rp_recognise(rp_context *context, rp_source *source, const rp_format **ret_format,
                            reprise_error *error)
{
    rp_probe probe = {.context = context, .source = source, .size = rp_source_size(source)};
    reprise_status status = choose(context, &probe, NULL, false, ret_format, error);
    rp_zip_close(probe.zip);
    return status;
}

/* ---- replays ---- */

static uint64_t all_fields(const rp_track *track)
{
    size_t count = 0;
    for (size_t i = 0; i < track->part_count; i++)
        count += track->parts[i].record->count;
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static reprise_status check_layout(const rp_format *format, const char *layout,
                                   reprise_error *error)
{
    if (!layout)
        return REPRISE_OK;
    for (size_t i = 0; i < format->layout_count; i++) {
        if (strcmp(format->layouts[i].name, layout) == 0 && format->layouts[i].reads)
            return REPRISE_OK;
    }
    return rp_error_set(error, REPRISE_E_USAGE, "%s has no layout '%s'", format->name, layout);
}

/* `like` is another replay of the same file, or NULL. */
static reprise_status open_replay(rp_context *context, rp_source *source, const char *name,
                                  const char *layout, bool salvage, rp_replay *like,
                                  rp_replay **ret_replay, reprise_error *error)
{
    rp_probe probe = {.context = context, .source = source, .size = rp_source_size(source)};
    const rp_format *format = NULL;
    reprise_status status = choose(context, &probe, name, salvage, &format, error);
    if (status == REPRISE_OK)
        status = check_layout(format, layout, error);
    if (status == REPRISE_OK && salvage && !format->read->salvages)
        status = rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s files cannot be recovered",
                              format->name);
    rp_replay *replay = status == REPRISE_OK
                            ? rp_alloc_zero(context, 1, format->read->replay_size, error)
                            : NULL;
    if (!replay) {
        rp_zip_close(probe.zip);
        return error->status;
    }
    replay->format = format;
    replay->context = context;
    replay->source = source;
    replay->zip = probe.zip;
    replay->forced_layout = layout;
    replay->salvage = salvage;
    rp_arena_init(&replay->arena, context);
    rp_findings_init(&replay->findings, &replay->arena);
    rp_findings_init(&replay->unlisted, &replay->arena);
    for (size_t i = 0; i < format->track_count; i++)
        replay->fields[i] = all_fields(&format->tracks[i]);
    if (like && format->read->open_like)
        format->read->open_like(replay, like);
    else
        status = format->read->open(replay, error);
    if (status != REPRISE_OK) {
        rp_replay_close(replay);
        return status;
    }
    *ret_replay = replay;
    return REPRISE_OK;
}

reprise_status rp_replay_open(rp_context *context, rp_source *source, const char *name,
                              const char *layout, rp_replay **ret_replay, reprise_error *error)
{
    return open_replay(context, source, name, layout, false, NULL, ret_replay, error);
}

reprise_status rp_replay_open_damaged(rp_context *context, rp_source *source, const char *name,
                                      const char *layout, rp_replay **ret_replay,
                                      reprise_error *error)
{
    return open_replay(context, source, name, layout, true, NULL, ret_replay, error);
}

reprise_status rp_replay_open_again(rp_replay *replay, rp_replay **ret_replay, reprise_error *error)
{
    /* What salvage notes while it opens a file is part of what it finds. */
    return open_replay(replay->context, replay->source, replay->format->name, replay->forced_layout,
                       replay->salvage, replay->salvage ? NULL : replay, ret_replay, error);
}

void rp_replay_close(rp_replay *replay)
{
    if (!replay)
        return;
    if (replay->format->read->close)
        replay->format->read->close(replay);
    rp_zip_close(replay->zip);
    rp_arena_free(&replay->arena);
    rp_free(replay->context, replay, replay->format->read->replay_size);
}

reprise_status rp_blob_open_member(rp_replay *replay, size_t index, rp_stream **ret_stream,
                                   reprise_error *error)
{
    return rp_zip_open_entry(replay->zip, index, "zip", replay->context->limits.expansion_ratio_max,
                             ret_stream, error);
}

reprise_status rp_replay_blobs(rp_replay *replay, reprise_error *error)
{
    if (replay->blobs_listed)
        return REPRISE_OK;
    if (replay->format->read->list_blobs)
        RP_TRY(replay->format->read->list_blobs(replay, error));
    replay->blobs_listed = true;
    return REPRISE_OK;
}

/* ---- decoders ---- */

enum { PROGRESS_STEPS = 256 }; /* steps between calls of the progress callback */

reprise_status rp_decoder_open(rp_replay *replay, rp_selection selection, rp_decoder **ret_decoder,
                               reprise_error *error)
{
    rp_decoder *decoder = rp_alloc_zero(replay->context, 1, replay->format->read->decoder_size,
                                        error);
    if (!decoder)
        return error->status;
    decoder->replay = replay;
    decoder->selection = selection;
    reprise_status status = replay->format->read->begin(decoder, error);
    if (status != REPRISE_OK) {
        rp_decoder_close(decoder);
        return status;
    }
    *ret_decoder = decoder;
    return REPRISE_OK;
}

static inline reprise_status decode(rp_decoder *decoder, reprise_error *error)
{
    reprise_status status = decoder->replay->format->read->next(decoder, error);
    if (status == REPRISE_END)
        decoder->replay->read_to_end = true;
    return status;
}

static __attribute__((cold)) reprise_status ask_and_decode(rp_decoder *decoder,
                                                           reprise_error *error)
{
    RP_TRY(rp_progress(decoder->replay->context, decoder->steps - 1, 0, error));
    return decode(decoder, error);
}

reprise_status rp_decoder_next(rp_decoder *decoder, reprise_error *error)
{
    decoder->batch.count = 0;
    if (decoder->steps++ % PROGRESS_STEPS == 0)
        return ask_and_decode(decoder, error);
    return decode(decoder, error);
}

static reprise_status visit_batch(const rp_batch *batch, rp_row_visitor *visit, void *ctx,
                                  reprise_error *error)
{
    for (size_t i = 0; i < batch->count; i++)
        RP_TRY(visit(ctx, &batch->rows[i], error));
    return REPRISE_OK;
}

reprise_status rp_each_row(rp_replay *replay, rp_selection selection, rp_row_visitor *visit,
                           void *ctx, reprise_error *error)
{
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(replay, selection, &decoder, error));
    reprise_status status;
    do {
        status = rp_decoder_next(decoder, error);
        if (status == REPRISE_OK)
            status = visit_batch(&decoder->batch, visit, ctx, error);
    } while (status == REPRISE_OK);
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static bool tell(const rp_finding *lost, reprise_error *ret_damage)
{
    if (!lost)
        return false;
    *ret_damage = (reprise_error)REPRISE_ERROR_INIT;
    (void)rp_error_set(ret_damage, lost->about.status, "%s", lost->about.message);
    rp_error_place(ret_damage, lost->about.stream, lost->about.offset, lost->about.path);
    if (lost->about.status != REPRISE_E_UNSUPPORTED)
        rp_error_advise(ret_damage, REPRISE_HINT_RECOVER);
    return true;
}

bool rp_replay_damage(const rp_replay *replay, reprise_error *ret_damage)
{
    return tell(rp_first_damage(&replay->findings, replay->read_to_end), ret_damage);
}

bool rp_replay_cut(const rp_replay *replay, reprise_error *ret_damage)
{
    const rp_finding *f = replay->read_to_end ? replay->findings.first : NULL;
    while (f && !f->ends)
        f = f->next;
    return tell(f, ret_damage);
}

bool rp_replay_corrupt(const rp_replay *replay, reprise_error *ret_damage)
{
    const rp_finding *f = replay->findings.first;
    while (f && (f->about.status == REPRISE_OK || f->about.status == REPRISE_E_TRUNCATED))
        f = f->next;
    return tell(f, ret_damage);
}

reprise_status rp_skip_damage(rp_replay *replay, const reprise_error *damage, reprise_error *error)
{
    reprise_status status = damage->status;
    if (rp_is_own_failure(replay->context, status)) {
        if (error->status == REPRISE_OK)
            *error = *damage;
        return status;
    }
    if (status != REPRISE_OK && status != REPRISE_END)
        rp_note_error(&replay->findings, replay->format->name, damage);
    return REPRISE_OK;
}

reprise_status rp_run_moment(rp_replay *replay, double timer, double *ret_time,
                             reprise_error *error)
{
    const rp_format *format = replay->format;
    if (!format->read->run_moment)
        return rp_error_set(error, REPRISE_E_USAGE, "%s has no runs", format->name);
    return format->read->run_moment(replay, timer, ret_time, error);
}

reprise_status rp_decoder_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    const rp_format *format = decoder->replay->format;
    if (!format->read->seek)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no moments to seek to",
                            format->name);
    if (moment.by_run)
        RP_TRY(rp_run_moment(decoder->replay, moment.time, &moment.time, error));
    reprise_status status = format->read->seek(decoder, moment, error);
    /* A moment that is missing because of damage is not a usage error. */
    reprise_error damage;
    if (status == REPRISE_E_USAGE) {
        decoder->replay->read_to_end = true;
        if (rp_replay_damage(decoder->replay, &damage)) {
            *error = damage;
            status = damage.status;
        }
    }
    return status;
}

void rp_decoder_close(rp_decoder *decoder)
{
    if (!decoder)
        return;
    rp_context *context = decoder->replay->context;
    decoder->replay->format->read->end(decoder);
    rp_batch_free(context, &decoder->batch);
    rp_free(context, decoder, decoder->replay->format->read->decoder_size);
}

/* ---- encoders ---- */

const char *rp_layout_to_write(const rp_replay *source, const char *asked)
{
    const rp_format *format = source->format;
    for (size_t i = 0; !asked && i < format->layout_count; i++) {
        if (strcmp(format->layouts[i].name, source->layout) == 0 && format->layouts[i].writes)
            return format->layouts[i].name;
    }
    return asked ? asked : rp_default_layout(format);
}

static reprise_status check_writes(const rp_format *format, const char *layout,
                                   reprise_error *error)
{
    for (size_t i = 0; format->write && i < format->layout_count; i++) {
        if (strcmp(format->layouts[i].name, layout) == 0 && format->layouts[i].writes)
            return REPRISE_OK;
    }
    rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s cannot be written in layout '%s'", format->name,
                 layout);
    rp_error_advise(error, REPRISE_HINT_FORMATS);
    return error->status;
}

reprise_status rp_encoder_open(rp_context *context, const rp_format *format,
                               const rp_write_options *options, const reprise_value *header,
                               const rp_replay *source, rp_sink *sink, rp_encoder **ret_encoder,
                               reprise_error *error)
{
    rp_write_options all = *options;
    if (!all.layout)
        all.layout = format->write ? format->write->default_layout : "";
    RP_TRY(check_writes(format, all.layout, error));
    rp_encoder *encoder = rp_alloc_zero(context, 1, format->write->encoder_size, error);
    if (!encoder)
        return error->status;
    encoder->format = format;
    encoder->context = context;
    encoder->sink = sink;
    encoder->options = all;
    encoder->header = header;
    encoder->source = source;
    reprise_status status = format->write->begin(encoder, error);
    if (status != REPRISE_OK) {
        rp_encoder_close(encoder);
        return status;
    }
    *ret_encoder = encoder;
    return REPRISE_OK;
}

void rp_encoder_close(rp_encoder *encoder)
{
    if (!encoder)
        return;
    encoder->format->write->free(encoder);
    rp_free(encoder->context, encoder, encoder->format->write->encoder_size);
}
