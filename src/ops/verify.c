/* verify.c - see verify.h. */
#include "verify.h"

/* Decodes everything and counts the rows of each track. */
static reprise_status decode_all(rp_replay *replay, uint64_t *rows, reprise_error *error)
{
    const rp_format *format = replay->format;
    bool watches = format->verify && format->verify->begin;
    if (watches)
        RP_TRY(format->verify->begin(replay, error));
    rp_selection selection = {
        .tracks = (UINT64_C(1) << format->track_count) - 1,
        .hashes = !replay->context->no_digests,
    };
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(replay, selection, &decoder, error));
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++)
            rows[decoder->batch.rows[i].track]++;
        if (watches)
            format->verify->batch(replay, &decoder->batch);
    }
    if (watches && status == REPRISE_END)
        format->verify->batch(replay, NULL);
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Turns damage into a finding; returns other failures. */
static reprise_status note_damage(rp_replay *replay, const reprise_error *damage,
                                  reprise_error *error)
{
    if (rp_is_own_failure(replay->context, damage->status)) {
        *error = *damage;
        return damage->status;
    }
    rp_note_error(&replay->findings, replay->format->name, damage);
    return REPRISE_OK;
}

reprise_status rp_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error)
{
    const rp_format *format = replay->format;
    uint64_t rows[RP_TRACKS_MAX] = {0};
    reprise_error damage = REPRISE_ERROR_INIT;
    bool whole = decode_all(replay, rows, &damage) == REPRISE_OK;
    if (!whole)
        RP_TRY(note_damage(replay, &damage, error));
    rp_set_text(doc, summary, "layout", replay->layout);
    reprise_value *counts = rp_set_object(doc, summary, "rows");
    for (size_t i = 0; i < format->track_count; i++)
        rp_set_uint(doc, counts, format->tracks[i].name, rows[i]);
    rp_error_clear(&damage);
    if (format->verify && format->verify->check(replay, doc, summary, &damage) != REPRISE_OK &&
        whole)
        RP_TRY(note_damage(replay, &damage, error));
    return doc->error->status;
}

/* ---- for other operations ---- */

static reprise_status check_parts(rp_replay *replay, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, replay->context);
    reprise_error damage = REPRISE_ERROR_INIT, trouble = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &arena, .error = &trouble};
    reprise_simulating simulate = replay->context->simulate;
    replay->context->simulate =
        REPRISE_SIMULATE_NEVER; /* the states of orders are not damage of bytes */
    (void)replay->format->verify->check(replay, &doc, rp_new_object(&doc), &damage);
    replay->context->simulate = simulate;
    rp_arena_free(&arena);
    return rp_skip_damage(replay, trouble.status != REPRISE_OK ? &trouble : &damage, error);
}

static reprise_status check(rp_replay *replay, bool signatures, reprise_error *error)
{
    bool done = signatures ? replay->checked_all : replay->checked;
    if (done || replay->salvage || !replay->format->verify || !replay->format->verify->finds_more)
        return REPRISE_OK;
    replay->checked = true;
    replay->checked_all |= signatures;
    replay->trusts_signatures = !signatures;
    /* Notes and warnings are for verify; only damage is kept here. */
    rp_findings before = replay->findings;
    rp_findings_init(&replay->findings, &replay->arena);
    reprise_status status = check_parts(replay, error);
    replay->trusts_signatures = false;
    rp_findings found = replay->findings;
    replay->findings = before;
    rp_findings_take_damage(&replay->findings, &found);
    return status;
}

reprise_status rp_check(rp_replay *replay, reprise_error *error)
{
    return check(replay, true, error);
}

reprise_status rp_check_both(rp_replay *a, rp_replay *b, reprise_error *error)
{
    RP_TRY(rp_check(a, error));
    b->twin = a;
    reprise_status status = rp_check(b, error);
    b->twin = NULL;
    return status;
}

reprise_status rp_check_tracks(rp_replay *replay, uint64_t tracks, reprise_error *error)
{
    const rp_format *format = replay->format;
    bool signatures = !rp_vouching_tracks(format) || tracks & rp_vouching_tracks(format);
    return tracks & rp_checked_tracks(format) ? check(replay, signatures, error) : REPRISE_OK;
}

reprise_status rp_check_states(rp_replay *replay, reprise_error *error)
{
    return rp_check_tracks(replay, ~rp_vouching_tracks(replay->format), error);
}
