/* format.c - the descriptor, and opening. */
#include "read.h"
#include "registry.h"
#include "write.h"

enum { SCORE_LEAST = 50, SCORE_SURE = 90, HEAD_MAX = 4096 };

static unsigned probe(const rp_probe *probe)
{
    if (probe->zip)
        return 0;
    cnc_guess guess = cnc_recognise(probe->context, probe->source, probe->head, probe->head_size,
                                    NULL);
    return guess.score >= SCORE_LEAST ? guess.score : 0;
}

static reprise_status not_one(reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT,
                 "not a recording: the header or the first frame is implausible");
    rp_error_place(error, "file", 0, "");
    return error->status;
}

static reprise_status open(rp_replay *base, reprise_error *error)
{
    cnc_replay *replay = (cnc_replay *)base;
    uint8_t head[HEAD_MAX];
    size_t size = (size_t)RP_MIN(rp_source_size(base->source), (uint64_t)sizeof head);
    RP_TRY(rp_source_read(base->source, 0, head, size, error));
    cnc_guess guess = cnc_recognise(base->context, base->source, head, size, base->forced_layout);
    if (!guess.layout)
        return not_one(error);
    replay->layout = guess.layout;
    replay->skirmish_gap = guess.skirmish_gap;
    replay->confidence = guess.score;
    base->layout = guess.layout->name;
    rp_reader r = rp_reader_of(head, size, "file", error);
    cnc_header_read(&r, guess.layout->game, &replay->header);
    RP_TRY(error->status);
    if (guess.score < SCORE_SURE)
        rp_note_as(&base->findings, CNC_FINDING(CONFIDENCE),
                   guess.score < SCORE_LEAST ? REPRISE_WARNING : REPRISE_NOTE, "file", 0, "",
                   "probably a recording: %u of 100", guess.score);
    if (guess.skirmish_gap)
        rp_note(&base->findings, CNC_FINDING(SKIRMISH_GAP), "file", replay->header.size, "",
                "frame 0 has no events record");
    return REPRISE_OK;
}

static const rp_layout layouts[CNC_LAYOUT_COUNT] = {
    {"ra-full", "Red Alert, views and events", true, true},
    {"ra-events", "Red Alert, events only", true, true},
    {"td-full", "Tiberian Dawn, views and events", true, true},
    {"td-events", "Tiberian Dawn, events only", true, true},
};

static const rp_format_read reading = {
    .replay_size = sizeof(cnc_replay),
    .decoder_size = sizeof(cnc_decoder),
    .probe = probe,
    .open = open,
    .info = cnc_info,
    .length = cnc_length,
    .begin = cnc_decode_begin,
    .next = cnc_decode_next,
    .seek = cnc_decode_seek,
    .end = cnc_decode_end,
    .salvages = true,
};

static const rp_format_verify verifying = {
    .begin = cnc_verify_begin,
    .batch = cnc_verify_batch,
    .check = cnc_verify,
};

static const rp_format_privacy privacy = {
    .header = cnc_private_header,
    .row = cnc_private_row,
    .tracks = UINT64_C(1) << CNC_EVENT_ROWS,
};

static const rp_format_write writing = {
    .default_layout = "ra-full",
    .encoder_size = sizeof(cnc_encoder),
    .begin = cnc_encode_begin,
    .rows = cnc_encode_rows,
    .end = cnc_encode_end,
    .free = cnc_encode_free,
};

static const rp_format_row_writer row_writing = {.collects = false};

static const rp_format_edit editing = {
    .plan = cnc_plan,
    .rows = cnc_edit_rows,
};

static const rp_format_analyse analysis = {
    .stats = cnc_stats,
};

static const rp_format_foreign foreign_orders = {
    .read = cnc_foreign,
};

const rp_finding_kind cnc_findings[] = {CNC_FINDINGS(RP_FINDING_ROW)};

const rp_format remastered_format = {
    .name = "remastered",
    .title = "Command & Conquer recording (Red Alert, Tiberian Dawn)",
    .extensions = "bin",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = cnc_tracks,
    .track_count = CNC_TRACK_COUNT,
    .records = cnc_records,
    .record_count = CNC_RECORD_COUNT,
    .findings = cnc_findings,
    .finding_count = CNC_FINDING_COUNT,
    .read = &reading,
    .verify = &verifying,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &cnc_summary,
    .foreign = &foreign_orders,
    .scene = cnc_scene,
};
