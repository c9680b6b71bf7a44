/* format.c - CS2KZ's descriptor: probe, open, and references to everything else. */
#include "protobuf.h"
#include "read.h"
#include "registry.h"
#include "write.h"

/* ---- recognising ---- */

enum { KNOWN_LEAST = 4, KNOWN_BITS = 4, KNOWN_MAX = 6, SECTION_BITS = 32 };

/*
 * How many fields a message begins with that are ours: ascending from the version on, each with its
 * wire type, as every protobuf library writes them. Anything else ends the count.
 */
static unsigned known_fields(rp_reader r)
{
    /* Wire types of fields 1 to 21. */
    static const uint8_t wire_types[] = {0, 0, 2, 2, 2, 2, 0, 2, 0, 0, 5,
                                         5, 5, 2, 2, 2, 2, 5, 5, 5, 5};
    unsigned known = 0;
    uint64_t last = 0;
    while (rp_ok(&r) && rp_left(&r)) {
        uint64_t key = rp_protobuf_varint(&r), number = key >> 3;
        bool expected = known ? number > last : number == 1;
        if (!rp_ok(&r) || !expected || number > RP_COUNT(wire_types) ||
            wire_types[number - 1] != (key & 7))
            break;
        rp_protobuf_skip(&r, (unsigned)(key & 7));
        known++;
        last = number;
    }
    return known;
}

/* Whether compressed data begins where the first section must have it. */
static bool section_follows(const rp_probe *probe, uint64_t header_end)
{
    uint8_t magic[4];
    reprise_error ignored = REPRISE_ERROR_INIT;
    return rp_source_read(probe->source, header_end + KZ_SECTION_HEADER_SIZE, magic, sizeof magic,
                          &ignored) == REPRISE_OK &&
           rp_zstd_begins(magic);
}

/*
 * The second generation has no magic: a plausible length, then a message. Either the first
 * section is where that length says or, in a file that is cut, the message itself must look right.
 * A length alone fits one file in a hundred, every gzip file among them.
 */
static unsigned message_evidence(const rp_probe *probe, rp_reader head)
{
    uint32_t size = rp_u32(&head, "length");
    if (size == 0 || size > KZ_HEADER_SIZE_MAX)
        return 0;
    unsigned known = known_fields(rp_sub(&head, RP_MIN(size, rp_left(&head)), "header"));
    unsigned bits = KNOWN_BITS * RP_MIN(known, (unsigned)KNOWN_MAX);
    if (section_follows(probe, 4 + (uint64_t)size))
        return SECTION_BITS + bits;
    return known >= KNOWN_LEAST ? bits : 0;
}

static unsigned probe(const rp_probe *probe)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader head = rp_probe_head(probe, &ignored);
    if (rp_match(&head, "s2kz", 4) || rp_match(&head, "S2KZ", 4))
        return 32;
    return probe->zip || rp_left(&head) < 5 ? 0 : message_evidence(probe, head);
}

/* ---- opening ---- */

/* Columns that the layout does not store are not shown. */
static void set_fields(kz_replay *replay)
{
    uint64_t *fields = replay->base.fields;
    uint64_t weapon = UINT64_C(1) << KZ_TICK_F_WEAPON;
    if (!replay->wire->weapon_bit)
        fields[KZ_TICKS] &= ~weapon;
    for (size_t i = 0; i < KZ_GROUP_COUNT; i++) {
        uint64_t group = (UINT64_C(1) << kz_groups[i].record->count) - 1;
        if (!replay->wire->group_bits[i])
            fields[KZ_TICKS] &= ~(group << kz_groups[i].presence);
    }
}

/* The header determines generation and version; only P for A1 and back can be forced. */
static reprise_status take_forced_layout(kz_replay *replay, reprise_error *error)
{
    const char *name = replay->base.forced_layout;
    if (!name)
        return REPRISE_OK;
    const kz_wire *wire = kz_wire_find(name);
    if (wire->structs != replay->wire->structs || wire->version != replay->wire->version)
        return rp_error_set(error, REPRISE_E_USAGE, "the header is that of layout %s, not %s",
                            replay->wire->name, name);
    replay->wire = wire;
    return REPRISE_OK;
}

static reprise_status open(rp_replay *base, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    RP_TRY(kz_open_header(replay, error));
    kz_resolve_capital_magic(replay);
    RP_TRY(take_forced_layout(replay, error));
    base->layout = replay->wire->name;
    set_fields(replay);
    kz_find_sections(replay);
    return REPRISE_OK;
}

static void close(rp_replay *base)
{
    kz_seek_free((kz_replay *)base);
    kz_verify_free((kz_replay *)base);
}

static const rp_layout layouts[] = {
    {"a1", "struct header, first weapon and weapon events (plugin 0.0.71 to 0.0.74)", true, true},
    {"a2", "struct header, weapon events (plugin 0.0.75 to 0.0.77)", true, true},
    {"a3", "struct header, weapon in each tick (plugin 0.0.78 to 0.0.80)", true, true},
    {"b1", "protobuf header (plugin 0.0.81 to 0.0.96)", true, true},
    {"b2", "jump presses, one sharing a bit with the weapon (plugin 0.0.97 to 0.0.113)", true,
     true},
    {"b3", "jump presses with bits of their own (plugin 0.0.114 to 0.0.136)", true, true},
    {"b4", "36 moves per subtick entry (plugin 0.0.137 to 0.0.139)", true, true},
    {"b5", "fractions in air-acceleration calls (plugin 0.0.140 to 0.0.164)", true, true},
    {"p", "the published description taken literally; no server wrote it", true, true},
};

static const rp_format_read reading = {
    .replay_size = sizeof(kz_replay),
    .decoder_size = sizeof(kz_decoder),
    .probe = probe,
    .open = open,
    .close = close,
    .info = kz_info,
    .length = kz_length,
    .begin = kz_decode_begin,
    .next = kz_decode_next,
    .seek = kz_decode_seek,
    .end = kz_decode_end,
    .run_moment = kz_run_moment,
    .track_by_track = true,
    .stream_open = kz_stream_open,
    .salvages = true,
};

static const rp_format_verify verifying = {
    .begin = kz_verify_begin,
    .batch = kz_verify_batch,
    .check = kz_verify,
};

static const rp_format_privacy privacy = {
    .header = kz_private_header,
    .row = kz_private_row,
    .tracks = KZ_PRIVATE_TRACKS,
};

static const rp_format_write writing = {
    .default_layout = "b5",
    .encoder_size = sizeof(kz_encoder),
    .begin = kz_encode_begin,
    .rows = kz_encode_rows,
    .end = kz_encode_end,
    .free = kz_encode_free,
    .long_range = true,
};

static const rp_format_row_writer row_writing = {
    .collects = true,
    .header_made = kz_header_made,
    .order = kz_row_order,
    .batch_begins = kz_batch_begins,
};

static const rp_format_edit editing = {
    .plan = kz_plan,
    .rows = kz_edit_rows,
    .outlasts_cut = kz_survives_trim,
    .recompress = kz_recompress,
};

static const rp_format_analyse analysis = {
    .stats = kz_stats,
};

const rp_finding_kind kz_findings[] = {KZ_FINDINGS(RP_FINDING_ROW)};

const rp_format cs2kz_format = {
    .name = "cs2kz",
    .title = "CS2KZ replay (Counter-Strike 2 climbing)",
    .extensions = "replay",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = kz_tracks,
    .track_count = KZ_TRACK_COUNT,
    .records = kz_records,
    .record_count = KZ_RECORD_COUNT,
    .findings = kz_findings,
    .finding_count = KZ_FINDING_COUNT,
    .read = &reading,
    .verify = &verifying,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &kz_summary,
    .scene = kz_scene,
};
