/* format.c - Iron Curtain's three descriptors: replays, saves and proofs. */
#include "ironcurtain/edit/write.h"
#include "registry.h"

/* Four bytes of magic are enough evidence. */
static unsigned probe_magic(const rp_probe *probe, const char magic[4])
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader head = rp_probe_head(probe, &ignored);
    return rp_match(&head, magic, 4) ? 32 : 0;
}

static unsigned probe_replay(const rp_probe *probe)
{
    return probe_magic(probe, "ICRP");
}

static unsigned probe_save(const rp_probe *probe)
{
    return probe_magic(probe, "ICSV");
}

static unsigned probe_proof(const rp_probe *probe)
{
    return probe_magic(probe, "ICPF");
}

static const rp_layout replay_layouts[] = {
    {"final", "sections named by the header", true, true},
    {"live", "records one after the other, as a recorder appends them", true, false},
};

static const rp_layout save_layouts[] = {
    {"profile1", "the only one there is", true, true},
};

/* Proofs cannot be written from other proofs. */
static const rp_layout proof_layouts[] = {
    {"profile1", "the only one there is", true, false},
};

static const rp_format_read replay_reading = {
    .replay_size = sizeof(ic_replay),
    .decoder_size = sizeof(ic_decoder),
    .probe = probe_replay,
    .open = ic_replay_open,
    .close = ic_replay_close,
    .info = ic_replay_info,
    .length = ic_replay_length,
    .begin = ic_decode_begin,
    .next = ic_decode_next,
    .seek = ic_decode_seek,
    .end = ic_decode_end,
    .at = ic_replay_at,
    .list_blobs = ic_list_blobs,
    .blob_open = ic_blob_open,
    .stream_open = ic_stream_open,
    .salvages = true,
};

static const rp_format_verify replay_verifying = {
    .check = ic_replay_verify,
    .finds_more = true,
    /* Nothing in the file authenticates orders, events, voice and resources. */
    .checked_tracks = ~(UINT64_C(1) << IC_T_ORDERS | UINT64_C(1) << IC_T_EVENTS |
                        UINT64_C(1) << IC_T_VOICE | UINT64_C(1) << IC_T_RESOURCES),
    .vouching_tracks = UINT64_C(1) << IC_T_SIGNATURES,
};

static const rp_format_privacy replay_privacy = {
    .header = ic_private_header,
    .row = ic_private_row,
    .tracks = IC_PRIVATE_TRACKS,
    .doubt_tracks = IC_DOUBT_TRACKS,
};

static const rp_format_write replay_writing = {
    .default_layout = "final",
    .encoder_size = sizeof(ic_encoder),
    .begin = ic_encode_begin,
    .rows = ic_encode_rows,
    .end = ic_encode_end,
    .free = ic_encode_free,
};

static const rp_format_edit replay_editing = {
    .plan = ic_plan,
    .rows = ic_edit_rows,
    .recompress = ic_replay_recompress,
    .cuts = true,
};

static const rp_format_analyse replay_analysis = {
    .stats = ic_replay_stats,
};

const rp_finding_kind ic_findings[] = {IC_FINDINGS(RP_FINDING_ROW)};

const rp_format icrep_format = {
    .name = "icrep",
    .title = "Iron Curtain replay",
    .extensions = "icrep",
    .layouts = replay_layouts,
    .layout_count = RP_COUNT(replay_layouts),
    .tracks = ic_tracks,
    .track_count = IC_TRACK_COUNT,
    .records = ic_wire_records,
    .record_count = IC_WIRE_RECORD_COUNT,
    .findings = ic_findings,
    .finding_count = IC_FINDING_COUNT,
    .read = &replay_reading,
    .verify = &replay_verifying,
    .privacy = &replay_privacy,
    .write = &replay_writing,
    .edit = &replay_editing,
    .analyse = &replay_analysis,
    .summary = &ic_replay_summary,
    .scene = ic_replay_scene,
};

static const rp_format_read save_reading = {
    .replay_size = sizeof(ic_save),
    .decoder_size = sizeof(ic_decoder),
    .probe = probe_save,
    .open = ic_save_open,
    .info = ic_save_info,
    .length = ic_save_length,
    .begin = ic_decode_begin,
    .next = ic_decode_next,
    .end = ic_decode_end,
    .list_blobs = ic_save_blobs,
    .blob_open = ic_save_blob_open,
    .stream_open = ic_save_stream_open,
};

static const rp_format_verify save_verifying = {
    .check = ic_save_verify,
};

static const rp_format_privacy save_privacy = {
    .header = ic_save_private_header,
    .row = ic_private_row,
    .doubt_tracks = IC_DOUBT_TRACKS,
};

static const rp_format_write save_writing = {
    .default_layout = "profile1",
    .encoder_size = sizeof(rp_encoder),
    .begin = ic_save_encode_begin,
    .rows = ic_save_encode_rows,
    .end = ic_save_encode_end,
    .free = ic_save_encode_free,
};

static const rp_format_edit save_editing = {
    .plan = ic_save_plan,
    .recompress = ic_save_recompress,
};

const rp_finding_kind ic_save_findings[] = {IC_SAVE_FINDINGS(RP_FINDING_ROW)};

const rp_format icsave_format = {
    .name = "icsave",
    .title = "Iron Curtain save game",
    .extensions = "icsave",
    .layouts = save_layouts,
    .layout_count = RP_COUNT(save_layouts),
    .tracks = ic_tracks,
    .track_count = IC_TRACK_COUNT,
    .records = ic_wire_records,
    .record_count = IC_WIRE_RECORD_COUNT,
    .findings = ic_save_findings,
    .finding_count = IC_SAVE_FINDING_COUNT,
    .read = &save_reading,
    .verify = &save_verifying,
    .privacy = &save_privacy,
    .write = &save_writing,
    .edit = &save_editing,
    .summary = &ic_save_summary,
    .scene = ic_save_scene,
};

static const rp_format_read proof_reading = {
    .replay_size = sizeof(ic_proof_file),
    .decoder_size = sizeof(ic_decoder),
    .probe = probe_proof,
    .open = ic_proof_open,
    .info = ic_proof_info,
    .begin = ic_proof_decode_begin,
    .next = ic_proof_decode_next,
    .end = ic_proof_decode_end,
};

static const rp_format_verify proof_verifying = {
    .check = ic_proof_verify,
    .finds_more = true,
    .checked_tracks = UINT64_MAX,
};

const rp_finding_kind ic_proof_findings[] = {IC_PROOF_FINDINGS(RP_FINDING_ROW)};

const rp_format icproof_format = {
    .name = "icproof",
    .title = "Iron Curtain proof about a part of a state",
    .extensions = "icproof",
    .layouts = proof_layouts,
    .layout_count = RP_COUNT(proof_layouts),
    .tracks = ic_proof_tracks,
    .track_count = 1,
    .records = ic_wire_records,
    .record_count = IC_WIRE_RECORD_COUNT,
    .findings = ic_proof_findings,
    .finding_count = IC_PROOF_FINDING_COUNT,
    .read = &proof_reading,
    .verify = &proof_verifying,
    .summary = &ic_proof_summary,
};
