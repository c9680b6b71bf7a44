/* format.c - RUMBLE's descriptor: probe, open, and references to everything else. */
#include "registry.h"
#include "write.h"

static const char rgzp_magic[4] = {'R', 'G', 'Z', 'P'};
static const char prototype_magic[6] = {'R', 'E', 'P', 'L', 'A', 'Y'};

static unsigned probe(const rp_probe *probe)
{
    if (probe->zip) {
        bool manifest = rp_zip_find(probe->zip, "manifest.json") >= 0;
        bool stream = rp_zip_find(probe->zip, "replay") >= 0;
        if (manifest && stream)
            return 32 + 32;
        /* With one of the two names, opening can say what is missing. */
        return manifest || stream ? 8 : 0;
    }
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader head = rp_probe_head(probe, &ignored);
    if (rp_match(&head, rgzp_magic, sizeof rgzp_magic))
        return 32;
    if (rp_match(&head, prototype_magic, sizeof prototype_magic))
        return 48;
    return 0;
}

static reprise_status refuse_prototype(rp_reader *r, reprise_error *error)
{
    rp_fail(r, REPRISE_E_UNSUPPORTED, "",
            "RumbleAnimator prototype of mid-2025: no released game wrote it, and it is not read");
    return error->status;
}

static reprise_status open_rgzp(rumble_replay *replay, reprise_error *error)
{
    uint8_t head[12];
    size_t size = (size_t)RP_MIN(rp_source_size(replay->base.source), (uint64_t)sizeof head);
    RP_TRY(rp_source_read(replay->base.source, 0, head, size, error));
    rp_reader r = rp_reader_of(head, size, "file", error);
    if (rp_match(&r, prototype_magic, sizeof prototype_magic))
        return refuse_prototype(&r, error);
    if (!rp_match(&r, rgzp_magic, sizeof rgzp_magic))
        rp_fail(&r, REPRISE_E_CORRUPT, "magic", "neither RGZP nor a ZIP archive");
    int32_t inner_size = rp_i32(&r, "inner size");
    int32_t gzip_size = rp_i32(&r, "gzip size");
    if (!rp_ok(&r))
        return error->status;
    uint64_t left = rp_source_size(replay->base.source) - sizeof head;
    if (replay->base.salvage) {
        if (gzip_size < 0 || (uint64_t)gzip_size > left) {
            rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_BYTES), "file", sizeof head + left,
                    "wrapper", "%d bytes of gzip were announced, %llu are there", gzip_size,
                    (unsigned long long)left);
            gzip_size = (int32_t)RP_MIN(left, (uint64_t)INT32_MAX);
        }
        /* Only an upper bound: the most that the data can inflate to. */
        inner_size = (int32_t)RP_MIN((uint64_t)gzip_size * 1032, (uint64_t)INT32_MAX);
    }
    if (inner_size < 0 || gzip_size < 0 || (uint64_t)gzip_size > left) {
        rp_error_set(error,
                     (uint64_t)gzip_size > left && gzip_size >= 0 ? REPRISE_E_TRUNCATED
                                                                  : REPRISE_E_CORRUPT,
                     "wrapper says %d bytes of gzip for %d, the file has %llu", gzip_size,
                     inner_size, (unsigned long long)left);
        rp_error_place(error, "file", 4, "wrapper");
        rp_error_advise(error, REPRISE_HINT_RECOVER);
        return error->status;
    }
    replay->inner_size = (uint32_t)inner_size;
    replay->gzip_size = (uint32_t)gzip_size;
    if (left > (uint64_t)gzip_size)
        rp_note(&replay->base.findings, RUMBLE_FINDING(WRAPPER_TRAILING), "file",
                sizeof head + (uint64_t)gzip_size, "", "%llu bytes after the gzip data",
                (unsigned long long)(left - (uint64_t)gzip_size));
    return REPRISE_OK;
}

static reprise_status open(rp_replay *base, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    RP_TRY(base->zip ? rumble_open_zip_header(replay, error) : open_rgzp(replay, error));
    RP_TRY(rumble_recognise(replay, error));
    replay->opened = base->findings.last;
    return REPRISE_OK;
}

static void open_like(rp_replay *base, rp_replay *like_base)
{
    rumble_replay *replay = (rumble_replay *)base, *like = (rumble_replay *)like_base;
    base->layout = like_base->layout;
    memcpy(base->fields, like_base->fields, sizeof base->fields);
    base->blobs = like_base->blobs;
    base->blob_count = like_base->blob_count;
    base->blobs_listed = like_base->blobs_listed;
    replay->header = like->header;
    replay->voices = like->voices;
    replay->frame_count = like->frame_count;
    replay->player_count = like->player_count;
    replay->structure_count = like->structure_count;
    replay->pedestal_count = like->pedestal_count;
    replay->prop_count = like->prop_count;
    replay->has_props = like->has_props;
    replay->wire = like->wire;
    replay->wire_certain = like->wire_certain;
    replay->stream_entry = like->stream_entry;
    replay->inner_size = like->inner_size;
    replay->gzip_size = like->gzip_size;
    replay->header_size = like->header_size;
    replay->mods = like->mods;
    replay->mod_count = like->mod_count;
    replay->start = like->start;
    like->start = (rp_window){0};
}

static void close(rp_replay *base)
{
    rumble_replay *replay = (rumble_replay *)base;
    rumble_seek_free(replay);
    rp_window_free(&replay->start);
}

/* The decompressed stream. */
static reprise_status stream_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                                  reprise_error *error)
{
    if (index > 0)
        return REPRISE_END;
    rp_window window;
    RP_TRY(rumble_open_stream((rumble_replay *)base, &window, error));
    *ret_stream = window.stream;
    return REPRISE_OK;
}

static const rp_layout layouts[] = {
    {"l1", "RGZP, flags and complete states (published legacy document)", true, true},
    {"l2", "RGZP, flags and tagged chunks", true, false},
    {"z2", "ZIP, unframed, complete states", true, false},
    {"z3", "ZIP, framed, rotations of 16 bytes", true, false},
    {"z4a", "ZIP, rotations of 7 bytes, bytes stored in two", true, false},
    {"z4", "ZIP, field sizes of one byte", true, true},
    {"z4p", "ZIP, numbered as the published document has it", true, true},
    {"z5", "ZIP, field sizes of two bytes", true, true},
    {"z6", "ZIP, with scene props, structure ids and voices (releases 1.0.0 to 1.2.4)", true, true},
};

static const rp_format_read reading = {
    .replay_size = sizeof(rumble_replay),
    .decoder_size = sizeof(rumble_decoder),
    .probe = probe,
    .open = open,
    .open_like = open_like,
    .close = close,
    .info = rumble_info,
    .length = rumble_length,
    .begin = rumble_decode_begin,
    .next = rumble_decode_next,
    .seek = rumble_decode_seek,
    .at = rumble_confirm_moment,
    .end = rumble_decode_end,
    .blob_open = rp_blob_open_member,
    .stream_open = stream_open,
    .sizes = rumble_sizes,
    .salvages = true,
};

static const rp_format_verify verifying = {
    .check = rumble_verify,
    .finds_more = true,
};

static const rp_format_privacy privacy = {
    .header = rumble_private_header,
    .row = rumble_private_row,
    .tracks = RUMBLE_PRIVATE_TRACKS,
};

static const rp_format_write writing = {
    .default_layout = "z6",
    .encoder_size = sizeof(rumble_encoder),
    .begin = rumble_encode_begin,
    .rows = rumble_encode_rows,
    .blob = rumble_encode_blob,
    .end = rumble_encode_end,
    .free = rumble_encode_free,
};

static const rp_format_row_writer row_writing = {
    .init = rumble_row_init,
    .held = rumble_row_held,
    .implied = rumble_implied_rows,
    .repeats = rumble_row_repeats,
    .header_made = rumble_header_made,
};

static const rp_format_edit editing = {
    .plan = rumble_plan,
    .rows = rumble_edit_rows,
    .recompress = rumble_recompress,
    .merge = rumble_merge,
};

static const rp_format_analyse analysis = {
    .stats = rumble_stats,
};

const rp_finding_kind rumble_findings[] = {RUMBLE_FINDINGS(RP_FINDING_ROW)};

const rp_format rumble_format = {
    .name = "rumble",
    .title = "RUMBLE replay (RumbleAnimator, ReplayMod)",
    .extensions = "replay",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = rumble_tracks,
    .track_count = RUMBLE_TRACK_COUNT,
    .records = rumble_records,
    .record_count = RUMBLE_RECORD_COUNT,
    .findings = rumble_findings,
    .finding_count = RUMBLE_FINDING_COUNT,
    .read = &reading,
    .verify = &verifying,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &rumble_summary,
    .scene = rumble_scene,
};
