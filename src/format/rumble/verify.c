/*
 * verify.c - what decoding all frames does not check: the other members of the archive, the digest
 * of the stream, and promises of the manifest that the frames must keep.
 */
#include "rumble.h"

/* For a stream whose frames could not be read to the end. */
static reprise_status hash_stream(rumble_replay *replay, reprise_error *error)
{
    rp_window window;
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_sha256_new(replay->base.context, &window.hash, error);
    while (status == REPRISE_OK) {
        status = rp_window_fill(&window, 1, error);
        size_t n = rp_window_left(&window);
        if (!n)
            break;
        rp_window_skip(&window, n);
    }
    if (status == REPRISE_OK) {
        rp_sha256_final(window.hash, replay->digest);
        replay->digested = true;
        replay->stream_size = window.offset;
    }
    rp_sha256_free(window.hash);
    rp_window_free(&window);
    return status;
}

static reprise_status set_stream(rumble_replay *replay, rp_doc *doc, reprise_value *summary,
                                 reprise_error *error)
{
    if (!replay->stream_read)
        RP_TRY(hash_stream(replay, error));
    reprise_value *streams = rp_set_array(doc, summary, "streams");
    reprise_value *stream = rp_push_object(doc, streams);
    rp_set_text(doc, stream, "name", replay->base.zip ? "zip:replay" : "gzip");
    rp_set_uint(doc, stream, "size", replay->stream_size);
    if (replay->digested && !replay->base.context->no_digests)
        rp_set(doc, stream, "sha256", rp_new_hex(doc, replay->digest, sizeof replay->digest));
    if (!replay->base.zip && replay->stream_size != replay->inner_size)
        rp_note(&replay->base.findings, RUMBLE_FINDING(INNER_SIZE), "file", 4, "inner size",
                "says %u, the data inflates to %llu", replay->inner_size,
                (unsigned long long)replay->stream_size);
    return REPRISE_OK;
}

/* Every member is read to its end, which checks its CRC-32. */
static reprise_status check_member(rumble_replay *replay, size_t index, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = replay->base.format->read->blob_open(&replay->base, index, &stream,
                                                                 &damage);
    if (status == REPRISE_OK)
        status = rp_stream_check(stream, &damage);
    rp_stream_close(stream);
    if (rp_is_own_failure(replay->base.context, status))
        return rp_error_set(error, status, "%s", damage.message);
    if (status != REPRISE_OK) {
        rp_error_at(&damage, "%s", replay->base.blobs[index].name);
        rp_note_error(&replay->base.findings, replay->base.format->name, &damage);
    }
    return REPRISE_OK;
}

reprise_status rumble_check_members(rumble_replay *replay, reprise_error *error)
{
    if (replay->members_checked)
        return REPRISE_OK;
    for (size_t i = 0; i < replay->base.blob_count; i++) {
        if ((int64_t)i != replay->stream_entry)
            RP_TRY(check_member(replay, i, error));
    }
    replay->members_checked = true;
    return REPRISE_OK;
}

static void check_names(rumble_replay *replay)
{
    for (size_t i = 0; i < replay->base.blob_count; i++) {
        if (!rp_zip_name_safe(replay->base.blobs[i].name))
            rp_note(&replay->base.findings, RUMBLE_FINDING(UNSAFE_NAME), "zip", 0,
                    replay->base.blobs[i].name, "name would leave the directory when extracted");
    }
}

static void check_voices(rumble_replay *replay)
{
    const reprise_value *tracks = rp_get(replay->voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const char *name = reprise_value_text(rp_get(reprise_value_at(tracks, i), "FileName"),
                                              NULL);
        if (name && !strpbrk(name, "/\\"))
            continue;
        rp_note(&replay->base.findings, RUMBLE_FINDING(VOICE_NAME), "zip:voices.json", 0,
                name ? name : "", "voice file names must be plain names");
    }
}

reprise_status rumble_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                             reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    rp_set_uint(doc, summary, "trailing_bytes", replay->trailing);
    rp_set_uint(doc, summary, "unknown_chunks", replay->unknown_chunks);
    rp_set_uint(doc, summary, "unknown_fields", replay->unknown_fields);
    RP_TRY(set_stream(replay, doc, summary, error));
    if (base->zip) {
        RP_TRY(rumble_check_members(replay, error));
        check_names(replay);
        check_voices(replay);
    }
    return error->status;
}
