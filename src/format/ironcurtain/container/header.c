/* header.c - opens replays and saves: reads the header, sections and metadata, nothing else. */
#include "ironcurtain/ironcurtain.h"

const char *const ic_section_names[IC_SECTION_COUNT] = {
    "metadata", "orders", "keyframes", "events", "voice", "signature", "embedded",
};

const uint8_t ic_section_flags[IC_SECTION_COUNT] = {
    [IC_EVENTS] = IC_HAS_EVENTS,
    [IC_VOICE] = IC_HAS_VOICE,
    [IC_SIGNATURE] = IC_SIGNED,
};

enum { VERSION = 1, COMPRESSION_LZ4 = 1, COMPRESSION_ZSTD = 2, SAVE_POSTCARD = 2 };

static reprise_status refuse(reprise_error *error, reprise_status status, uint64_t offset,
                             const char *path)
{
    rp_error_place(error, "file", offset, path);
    return status;
}

#define REFUSE(status, offset, path, ...) \
    refuse(error, rp_error_set(error, status, __VA_ARGS__), offset, path)

/* Reads the header. The magic is present, or probe() would have rejected the file. */
static reprise_status read_header(rp_replay *replay, const char magic[4], size_t size,
                                  const rp_record *record, void *row, reprise_error *error)
{
    uint8_t head[IC_REPLAY_HEADER_SIZE];
    uint64_t there = rp_source_size(replay->source);
    size_t take = (size_t)RP_MIN(there, (uint64_t)size);
    RP_TRY(rp_source_read(replay->source, 0, head, take, error));
    if (take < 4 || memcmp(head, magic, 4) != 0)
        return REFUSE(REPRISE_E_CORRUPT, 0, "magic", "bad magic");
    if (take < size)
        return REFUSE(REPRISE_E_TRUNCATED, take, "header", "truncated header: %zu of %zu bytes",
                      take, size);
    if (there > UINT32_MAX)
        return REFUSE(REPRISE_E_LIMIT, 0, "", "the file is larger than 4 GiB");
    rp_reader r = rp_reader_of(head, size, "file", error);
    rp_bincode_read(&r, &replay->arena, record, row);
    return error->status;
}

static reprise_status check_version(unsigned version, bool save, reprise_error *error)
{
    if (version == VERSION)
        return REPRISE_OK;
    if (save && version == SAVE_POSTCARD)
        return REFUSE(REPRISE_E_UNSUPPORTED, 4, "version",
                      "version 2 (postcard) is reserved and not supported");
    return REFUSE(REPRISE_E_UNSUPPORTED, 4, "version", "unknown version %u", version);
}

static reprise_status check_compression(unsigned algorithm, reprise_error *error)
{
    if (algorithm == COMPRESSION_LZ4)
        return REPRISE_OK;
    if (algorithm == COMPRESSION_ZSTD)
        return REFUSE(REPRISE_E_UNSUPPORTED, 6, "compression_algorithm",
                      "compression 2 (zstd) is reserved and not supported");
    return REFUSE(REPRISE_E_UNSUPPORTED, 6, "compression_algorithm", "unknown compression %u",
                  algorithm);
}

static reprise_status check_metadata_size(uint32_t size, reprise_error *error)
{
    if (size > IC_METADATA_MAX)
        return REFUSE(REPRISE_E_LIMIT, 12, "metadata_length", "metadata larger than 1 MiB");
    return REPRISE_OK;
}

/* ---- replays ---- */

bool ic_flag(const ic_replay *replay, unsigned flag)
{
    return replay->flags & flag;
}

static ic_section flagged(const ic_replay *replay, unsigned flag, uint32_t offset, uint32_t size)
{
    return (ic_section){offset, size, (replay->header.flags & flag) && offset, false};
}

static void locate(ic_replay *replay)
{
    const ic_replay_header *h = &replay->header;
    ic_section *s = replay->sections;
    s[IC_METADATA] = (ic_section){h->metadata_offset, h->metadata_length, true, false};
    s[IC_ORDERS] = (ic_section){h->orders_offset, h->orders_length, true, false};
    s[IC_KEYFRAMES] = (ic_section){h->keyframes_offset, h->keyframes_length, true, false};
    s[IC_EVENTS] = flagged(replay, IC_HAS_EVENTS, h->events_offset, h->events_length);
    s[IC_VOICE] = flagged(replay, IC_HAS_VOICE, h->voice_offset, h->voice_length);
    s[IC_SIGNATURE] = flagged(replay, IC_SIGNED, h->signature_offset, h->signature_length);
    s[IC_EMBEDDED] = (ic_section){h->embedded_offset, h->embedded_length, h->embedded_offset != 0,
                                  false};
}

/* The flag is set but the offset is 0: the section is absent (reading rule 2). */
static void forget_flag(ic_replay *replay, size_t kind)
{
    replay->flags &= (uint8_t)~ic_section_flags[kind];
    ic_show_warning(&replay->base, replay->warnings, "flag set but section %s absent",
                    ic_section_names[kind]);
}

static reprise_status check_presence(ic_replay *replay, reprise_error *error)
{
    for (size_t i = IC_EVENTS; i <= IC_SIGNATURE; i++) {
        const ic_section *s = &replay->sections[i];
        if (s->present && !s->size)
            return REFUSE(REPRISE_E_CORRUPT, 7, ic_section_names[i],
                          "flag set but section %s has no bytes", ic_section_names[i]);
        if (!s->offset && ic_flag(replay, ic_section_flags[i]))
            forget_flag(replay, i);
        if (!s->present && s->offset)
            ic_warn(&replay->base, replay->warnings, IC_FINDING(SECTION_UNFLAGGED), s->offset,
                    "section %s is ignored because its flag is not set", ic_section_names[i]);
    }
    if (!replay->sections[IC_KEYFRAMES].size)
        return REFUSE(REPRISE_E_CORRUPT, 28, "keyframes_length", "keyframe section missing");
    return REPRISE_OK;
}

/* An empty section cannot overlap another, but must not start past the end of the file. */
static reprise_status check_bounds(ic_replay *replay, reprise_error *error)
{
    uint64_t size = rp_source_size(replay->base.source);
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
        const ic_section *a = &replay->sections[i];
        if (!a->present)
            continue;
        if (a->offset < IC_REPLAY_HEADER_SIZE && (a->size || a->offset))
            return REFUSE(REPRISE_E_CORRUPT, a->offset, ic_section_names[i],
                          "section %s starts inside the header", ic_section_names[i]);
        if ((uint64_t)a->offset + a->size > size)
            return REFUSE(REPRISE_E_TRUNCATED, a->offset, ic_section_names[i],
                          "section %s runs past the end of the file", ic_section_names[i]);
        for (size_t k = 0; k < i; k++) {
            const ic_section *b = &replay->sections[k];
            if (b->present && a->size && b->size && a->offset < (uint64_t)b->offset + b->size &&
                b->offset < (uint64_t)a->offset + a->size)
                return REFUSE(REPRISE_E_CORRUPT, a->offset, ic_section_names[i],
                              "sections %s and %s overlap", ic_section_names[k],
                              ic_section_names[i]);
        }
    }
    return REPRISE_OK;
}

/*
 * For recovery of a truncated file: drops incomplete sections, except the orders, whose complete
 * records are kept.
 */
static void clip_sections(ic_replay *replay)
{
    uint64_t size = rp_source_size(replay->base.source);
    for (size_t i = IC_ORDERS; i < IC_SECTION_COUNT; i++) {
        ic_section *s = &replay->sections[i];
        if (!s->present || (uint64_t)s->offset + s->size <= size)
            continue;
        rp_note(&replay->base.findings, IC_FINDING(SECTION_LOST), "file", s->offset,
                ic_section_names[i], "section %s is incomplete", ic_section_names[i]);
        if (i == IC_ORDERS || i == IC_KEYFRAMES)
            s->size = s->offset < size ? (uint32_t)(size - s->offset) : 0;
        else
            s->present = false;
        s->cut = true;
        if (s->offset > size)
            s->offset = (uint32_t)size;
    }
}

static bool is_live(const ic_replay_header *h)
{
    return !h->keyframes_length && !h->orders_length && !h->total_ticks && h->orders_offset;
}

static reprise_status open_live(ic_replay *replay, reprise_error *error)
{
    replay->live = true;
    replay->base.layout = "live";
    ic_section *orders = &replay->sections[IC_ORDERS];
    uint64_t size = rp_source_size(replay->base.source);
    for (size_t i = IC_KEYFRAMES; i < IC_SECTION_COUNT; i++)
        replay->sections[i].present = false;
    if (orders->offset > size)
        return REFUSE(REPRISE_E_TRUNCATED, 16, "orders_offset",
                      "section orders runs past the end of the file");
    orders->size = (uint32_t)(size - orders->offset);
    return check_bounds(replay, error);
}

static void warn_metadata(void *ctx, const rp_finding_kind *kind, const char *message)
{
    ic_replay *replay = ctx;
    ic_warn(&replay->base, replay->warnings, kind, replay->header.metadata_offset, "%s", message);
}

static void check_promises(ic_replay *replay)
{
    enum { KNOWN_FLAGS = IC_SIGNED | IC_HAS_EVENTS | IC_HAS_VOICE | IC_INCOMPLETE };
    const reprise_value *meta = replay->metadata;
    unsigned unknown = replay->header.flags & (unsigned)~KNOWN_FLAGS;
    if (unknown)
        ic_warn(&replay->base, replay->warnings, IC_FINDING(UNKNOWN_FLAGS), 7,
                "unknown flag bits 0x%02x", unknown);
    const reprise_value *build = rp_get(meta, "base_build");
    if (build && reprise_value_int(build, 0) != replay->header.version)
        ic_warn(&replay->base, replay->warnings, IC_FINDING(BASE_BUILD), 4,
                "base_build %lld differs from the header's version %u",
                (long long)reprise_value_int(build, 0), replay->header.version);
    const reprise_value *is_signed = rp_get(meta, "signed");
    if (is_signed && !replay->live &&
        reprise_value_bool(is_signed, false) != ic_flag(replay, IC_SIGNED))
        ic_warn(&replay->base, replay->warnings, IC_FINDING(SIGNED_FLAG), 7,
                "metadata and header disagree on being signed");
    const reprise_value *ticks = rp_get(meta, "total_ticks");
    if (ticks && !replay->live && reprise_value_uint(ticks, 0) != replay->header.total_ticks)
        ic_warn(&replay->base, replay->warnings, IC_FINDING(TOTAL_TICKS), 48,
                "metadata has %llu ticks, the header %llu",
                (unsigned long long)reprise_value_uint(ticks, 0),
                (unsigned long long)replay->header.total_ticks);
    const reprise_value *duration = rp_get(meta, "duration_seconds");
    double seconds = reprise_value_double(duration, 0);
    if (duration && !replay->live && !ic_duration_fits(meta, replay->header.total_ticks, seconds))
        ic_warn(&replay->base, replay->warnings, IC_FINDING(DURATION),
                replay->header.metadata_offset, "%llu ticks do not take %.15g seconds",
                (unsigned long long)replay->header.total_ticks, seconds);
}

static reprise_status check_counts(ic_replay *replay, reprise_error *error)
{
    enum { TICKS_PER_BYTE_MAX = 11 };
    const ic_replay_header *h = &replay->header;
    uint64_t kept = h->total_ticks - RP_MIN((uint64_t)h->lost_frame_count, h->total_ticks);
    if (kept > (uint64_t)TICKS_PER_BYTE_MAX * h->orders_length)
        return REFUSE(REPRISE_E_CORRUPT, 48, "total_ticks",
                      "%llu ticks cannot be in %u bytes of orders",
                      (unsigned long long)h->total_ticks, h->orders_length);
    if (h->lost_frame_count && !ic_flag(replay, IC_INCOMPLETE))
        ic_warn(&replay->base, replay->warnings, IC_FINDING(LOST_FRAMES), 104,
                "%u frames lost but INCOMPLETE not set", h->lost_frame_count);
    return REPRISE_OK;
}

reprise_status ic_replay_open(rp_replay *base, reprise_error *error)
{
    ic_replay *replay = (ic_replay *)base;
    ic_replay_header *h = &replay->header;
    rp_doc doc = {.arena = &base->arena, .error = error};
    replay->warnings = rp_new_array(&doc);
    base->layout = "final";
    RP_TRY(read_header(base, "ICRP", IC_REPLAY_HEADER_SIZE, &ic_replay_header_record, h, error));
    RP_TRY(check_version(h->version, false, error));
    RP_TRY(check_compression(h->compression_algorithm, error));
    RP_TRY(check_metadata_size(h->metadata_length, error));
    replay->flags = h->flags;
    locate(replay);
    if (is_live(h)) {
        RP_TRY(open_live(replay, error));
    } else {
        RP_TRY(check_presence(replay, error));
        if (base->salvage)
            clip_sections(replay);
        RP_TRY(check_bounds(replay, error));
        RP_TRY(check_counts(replay, error));
    }
    RP_TRY(
        ic_metadata_read(base, h->metadata_offset, h->metadata_length, &replay->metadata, error));
    replay->imported = rp_get(replay->metadata, "converted_from") != NULL;
    (void)ic_metadata_check(replay->metadata, warn_metadata, replay);
    check_promises(replay);
    replay->total_ticks = h->total_ticks;
    if (replay->live)
        RP_TRY(ic_scan(replay, error));
    replay->tick_seconds = ic_tick_seconds(replay->metadata, replay->total_ticks);
    return error->status;
}

void ic_replay_close(rp_replay *base)
{
    ic_replay *replay = (ic_replay *)base;
    ic_seek_cache_free(replay);
    for (size_t i = 0; i < IC_SECTION_COUNT; i++)
        rp_free(base->context, replay->pieces[i].items,
                replay->pieces[i].capacity * sizeof(ic_piece));
}

/* ---- saves ---- */

static reprise_status check_save_bounds(ic_save *save, reprise_error *error)
{
    const ic_save_header *h = &save->header;
    uint64_t size = rp_source_size(save->base.source);
    uint64_t metadata_end = (uint64_t)h->metadata_offset + h->metadata_length;
    uint64_t payload_end = (uint64_t)h->payload_offset + h->payload_length;
    if (h->metadata_offset < IC_SAVE_HEADER_SIZE || h->payload_offset < IC_SAVE_HEADER_SIZE)
        return REFUSE(REPRISE_E_CORRUPT, 8, "", "a section starts inside the header");
    if (metadata_end > size)
        return REFUSE(REPRISE_E_TRUNCATED, 8, "metadata",
                      "section metadata runs past the end of the file");
    if (payload_end > size)
        return REFUSE(REPRISE_E_TRUNCATED, 16, "payload",
                      "section payload runs past the end of the file");
    if (h->metadata_offset < payload_end && h->payload_offset < metadata_end)
        return REFUSE(REPRISE_E_CORRUPT, 8, "", "sections metadata and payload overlap");
    if (!(h->flags & IC_HAS_THUMBNAIL))
        return REPRISE_OK;
    if (metadata_end >= h->payload_offset)
        return REFUSE(REPRISE_E_CORRUPT, 7, "thumbnail", "flag set but section thumbnail absent");
    if (h->payload_offset - metadata_end > IC_THUMBNAIL_MAX)
        return REFUSE(REPRISE_E_LIMIT, metadata_end, "thumbnail", "thumbnail larger than 1 MiB");
    save->thumbnail_offset = (uint32_t)metadata_end;
    save->thumbnail_size = (uint32_t)(h->payload_offset - metadata_end);
    return REPRISE_OK;
}

static reprise_status check_thumbnail(ic_save *save, reprise_error *error)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[sizeof png] = {0};
    if (!save->thumbnail_size)
        return REPRISE_OK;
    size_t size = RP_MIN(save->thumbnail_size, sizeof head);
    RP_TRY(rp_source_read(save->base.source, save->thumbnail_offset, head, size, error));
    if (memcmp(head, png, sizeof png) != 0)
        ic_warn(&save->base, save->warnings, IC_SAVE_FINDING(THUMBNAIL), save->thumbnail_offset,
                "the thumbnail is not a PNG image");
    save->base.blobs = rp_arena_array(&save->base.arena, 1, sizeof(reprise_blob), error);
    if (!save->base.blobs)
        return error->status;
    save->base.blobs[0] = (reprise_blob){.name = "thumbnail.png",
                                         .kind = "thumbnail",
                                         .size = save->thumbnail_size,
                                         .stored_size = save->thumbnail_size};
    save->base.blob_count = 1;
    return REPRISE_OK;
}

reprise_status ic_save_open(rp_replay *base, reprise_error *error)
{
    ic_save *save = (ic_save *)base;
    ic_save_header *h = &save->header;
    rp_doc doc = {.arena = &base->arena, .error = error};
    save->warnings = rp_new_array(&doc);
    base->layout = "profile1";
    RP_TRY(read_header(base, "ICSV", IC_SAVE_HEADER_SIZE, &ic_save_header_record, h, error));
    RP_TRY(check_version(h->version, true, error));
    RP_TRY(check_compression(h->compression_algorithm, error));
    RP_TRY(check_metadata_size(h->metadata_length, error));
    if (h->uncompressed_length > IC_UNIT_MAX)
        return REFUSE(REPRISE_E_LIMIT, 24, "uncompressed_length",
                      "declared size %u exceeds the cap of %d", h->uncompressed_length,
                      IC_UNIT_MAX);
    RP_TRY(check_save_bounds(save, error));
    if (h->flags & ~IC_HAS_THUMBNAIL)
        ic_warn(base, save->warnings, IC_SAVE_FINDING(UNKNOWN_FLAGS), 7, "unknown flag bits 0x%02x",
                h->flags & ~IC_HAS_THUMBNAIL);
    RP_TRY(ic_metadata_read(base, h->metadata_offset, h->metadata_length, &save->metadata, error));
    RP_TRY(check_thumbnail(save, error));
    return error->status;
}
