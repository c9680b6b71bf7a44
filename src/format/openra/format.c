/* format.c - OpenRA's descriptor and probe. */
#include "read.h"
#include "registry.h"
#include "write.h"

enum {
    SCORE_TRAILER = 30,
    SCORE_PACKET = 30,
    SCORE_HANDSHAKE = 40,
    SCORE_LEAST = 50,
    CLIENT_MAX = 1000000,
    LENGTH_MAX = 131072,
};

static const char handshake[] = "\xFE\x10HandshakeRequest";

/* The first packet is immediate, and often a handshake. */
static unsigned score_packets(rp_reader *r, uint64_t size)
{
    unsigned score = 0;
    const uint8_t *bytes = rp_take(r, ORA_HEAD_SIZE, "header");
    if (!bytes)
        return 0;
    ora_head head = ora_head_of(bytes);
    if (head.client >= 0 && head.client <= CLIENT_MAX && head.length >= 4 &&
        head.length <= LENGTH_MAX && (uint64_t)head.length <= size - 8 && head.frame == 0)
        score += SCORE_PACKET;
    if (rp_match(r, handshake, sizeof handshake - 1))
        score += SCORE_HANDSHAKE;
    return score;
}

/* Scores a flat file from 0 to 100, as docs/spec/openra.md says. */
static unsigned score_flat(const rp_probe *probe)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader head = rp_probe_head(probe, &ignored);
    unsigned score = score_packets(&head, probe->size);
    ora_trailer trailer;
    reprise_error failure = REPRISE_ERROR_INIT;
    if (ora_find_trailer(probe->source, &trailer, &failure) == REPRISE_OK && !trailer.why &&
        !trailer.newer)
        score += SCORE_TRAILER;
    return score;
}

/* Scores an archive by the start of its member "orders". */
static unsigned score_zip(const rp_probe *probe)
{
    int64_t orders = rp_zip_find(probe->zip, "orders");
    bool metadata = rp_zip_find(probe->zip, "metadata.yaml") >= 0;
    if (orders < 0)
        return metadata ? 8 : 0; /* enough evidence to report what is missing */
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    uint8_t bytes[12 + sizeof handshake];
    size_t size = 0, got = 1;
    if (rp_zip_open_entry(probe->zip, (size_t)orders, "zip:orders", 0, &stream, &ignored) ==
        REPRISE_OK) {
        while (got && size < sizeof bytes &&
               rp_stream_read(stream, bytes + size, sizeof bytes - size, &got, &ignored) ==
                   REPRISE_OK)
            size += got;
        rp_stream_close(stream);
    }
    rp_error_clear(&ignored);
    rp_reader r = rp_reader_of(bytes, size, "zip:orders", &ignored);
    unsigned score = score_packets(&r, ora_entry_size(probe->zip, orders));
    return score || metadata ? score + SCORE_TRAILER : 0;
}

unsigned ora_score(const rp_probe *probe)
{
    return probe->zip ? score_zip(probe) : score_flat(probe);
}

static unsigned probe(const rp_probe *probe)
{
    unsigned score = ora_score(probe);
    return probe->zip || score >= SCORE_LEAST ? score : 0;
}

static const rp_layout layouts[] = {
    {"a", "orders of all releases up to release-20171014", true, true},
    {"b", "release-20180218 to release-20181215: typed targets", true, true},
    {"c", "release-20190314: packed cells", true, true},
    {"p8", "release-20191117 and release-20200202: subject by flag", true, true},
    {"p9", "release-20200503: extra actors", true, true},
    {"p11", "playtest-20201213 to release-20210321: grouped actors, defeat state", true, true},
    {"p20", "playtest-20221119 to release-20231010: actor generations", true, true},
    {"p21", "after 2023-10: terrain positions", true, true},
    {"zip", "ZIP with orders, metadata.yaml and sync, in any of these dialects", true, true},
};

static const rp_format_read reading = {
    .replay_size = sizeof(ora_replay),
    .decoder_size = sizeof(ora_decoder),
    .probe = probe,
    .open = ora_open,
    .info = ora_info,
    .length = ora_length,
    .begin = ora_decode_begin,
    .next = ora_decode_next,
    .seek = ora_decode_seek,
    .end = ora_decode_end,
    .blob_open = rp_blob_open_member,
    .salvages = true,
};

static const rp_format_verify verifying = {
    .check = ora_verify,
    .finds_more = true,
};

static const rp_format_privacy privacy = {
    .header = ora_private_header,
    .row = ora_private_row,
    .tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_PACKETS,
};

static const rp_format_write writing = {
    .default_layout = "p21",
    .encoder_size = sizeof(ora_encoder),
    .begin = ora_encode_begin,
    .rows = ora_encode_rows,
    .blob = ora_encode_blob,
    .end = ora_encode_end,
    .free = ora_encode_free,
    .playable = ora_playable,
};

static const rp_format_row_writer row_writing = {
    .collects = true,
    .order = ora_row_order,
    .batch_begins = ora_batch_begins,
};

static const rp_format_edit editing = {
    .plan = ora_plan,
    .rows = ora_edit_rows,
    .recompress = ora_recompress,
};

static const rp_format_analyse analysis = {
    .compare = ora_compare,
    .stats = ora_stats,
    .item_name = ora_item_name,
};

static const rp_format_foreign foreign_orders = {
    .read = ora_foreign,
    .write = ora_from_foreign,
};

const rp_finding_kind ora_findings[] = {ORA_FINDINGS(RP_FINDING_ROW)};

const rp_format openra_format = {
    .name = "openra",
    .title = "OpenRA replay",
    .extensions = "orarep rep",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = ora_tracks,
    .track_count = ORA_TRACK_COUNT,
    .records = ora_records,
    .record_count = ORA_RECORD_COUNT,
    .findings = ora_findings,
    .finding_count = ORA_FINDING_COUNT,
    .read = &reading,
    .verify = &verifying,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &ora_summary,
    .foreign = &foreign_orders,
    .scene = ora_scene,
};
