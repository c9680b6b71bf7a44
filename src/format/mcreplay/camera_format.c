/* camera_format.c - the descriptor of camera animations, their tables, and the probe. */
#include "camera.h"
#include "registry.h"

RP_TABLE(mc_number, MC_NUMBER, "number");
RP_TABLE(mc_camera_frame, MC_CAMERA_FRAME, "camera frame");

const rp_record *const mc_camera_records[MC_CAMERA_RECORD_COUNT] = {&mc_camera_frame_record,
                                                                    &mc_number_record};

const rp_track mc_camera_tracks[MC_CAMERA_TRACK_COUNT] = {
    [MC_CAMERA_FRAMES] = {.name = "frames",
                          .doc = "where the camera is and looks, frame by frame",
                          .kind = RP_TRACK_STATE,
                          .clock = "frame",
                          .timed = true,
                          .parts = {{NULL, &mc_camera_frame_record, 0}},
                          .part_count = 1},
};

/* The parser finds the first element: comments and declarations may precede it. */
static unsigned probe(const rp_probe *probe)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader head = rp_probe_head(probe, &ignored);
    if (probe->zip || !(rp_match(&head, "<", 1) || rp_match(&head, "\xEF\xBB\xBF<", 4)))
        return 0;
    static const char name[] = "animation";
    rp_xml_event event = {.kind = RP_XML_TEXT};
    rp_xml *xml = NULL;
    reprise_status status = mc_camera_open_xml(probe->context, probe->source, &xml, &ignored);
    while (status == REPRISE_OK && event.kind == RP_XML_TEXT)
        status = rp_xml_next(xml, &event, &ignored);
    bool mine = status == REPRISE_OK && event.kind == RP_XML_START &&
                strcmp(event.name, name) == 0 && rp_xml_attribute(&event, "fps");
    rp_xml_close(xml);
    return mine ? 8 * (unsigned)(sizeof name - 1) : 0;
}

static const rp_layout layouts[] = {
    {"camera", "the only layout", true, true},
};

static const rp_format_read reading = {
    .replay_size = sizeof(mc_camera),
    .decoder_size = sizeof(mc_camera_decoder),
    .probe = probe,
    .open = mc_camera_read_header,
    .info = mc_camera_info,
    .length = mc_camera_length,
    .begin = mc_camera_decode_begin,
    .next = mc_camera_decode_next,
    .seek = mc_camera_decode_seek,
    .end = mc_camera_decode_end,
    .salvages = true,
};

static const rp_format_privacy privacy = {
    .header = mc_camera_private_header,
    .row = mc_camera_private_row,
    .tracks = 1, /* the only one */
};

static const rp_format_write writing = {
    .default_layout = "camera",
    .encoder_size = sizeof(mc_camera_encoder),
    .begin = mc_camera_encode_begin,
    .rows = mc_camera_encode_rows,
    .end = mc_camera_encode_end,
    .free = mc_camera_encode_free,
};

static const rp_format_row_writer row_writing = {.collects = false};

static const rp_format_edit editing = {
    .plan = mc_camera_plan,
    .rows = mc_camera_edit_rows,
};

static const rp_format_analyse analysis = {
    .stats = mc_camera_stats,
};

const rp_finding_kind mc_camera_findings[] = {MC_CAMERA_FINDINGS(RP_FINDING_ROW)};

const rp_format mccamera_format = {
    .name = "mccamera",
    .title = "Minecraft camera animation (mc-world-export)",
    .extensions = "xml",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = mc_camera_tracks,
    .track_count = MC_CAMERA_TRACK_COUNT,
    .records = mc_camera_records,
    .record_count = MC_CAMERA_RECORD_COUNT,
    .findings = mc_camera_findings,
    .finding_count = MC_CAMERA_FINDING_COUNT,
    .read = &reading,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &mc_camera_summary,
    .scene = mc_camera_scene,
};
