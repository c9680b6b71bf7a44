/*
 * read_header.c - opens a replay: trailer or archive members, dialect, the lobby at the start, and
 * the length, from the headers of the packets.
 */
#include "miniyaml.h"
#include "openra.h"

enum {
    TRAILER_HEAD = 12,
    TRAILER_TAIL = 8,
    TRAILER_LEAST = TRAILER_HEAD + TRAILER_TAIL,
    METADATA_VERSION = 1,
    METADATA_MAX = 102400, /* the game rejects more */
    LOBBY_TEXT_MAX = 1 << 20,
    TICK_MS_DEFAULT = 40,
    LATENCY_DEFAULT = 3,
    INTERVAL_DEFAULT = 3,
};

/* ---- the trailer ---- */

static reprise_status read_head(rp_source *source, ora_trailer *trailer, uint32_t size,
                                reprise_error *error)
{
    uint8_t bytes[TRAILER_HEAD];
    RP_TRY(rp_source_read(source, trailer->offset, bytes, sizeof bytes, error));
    rp_reader r = rp_reader_of(bytes, sizeof bytes, "file", error);
    int32_t marker = rp_i32(&r, "marker");
    trailer->version = rp_i32(&r, "version");
    int32_t text_size = rp_i32(&r, "length");
    if (marker != ORA_MARKER)
        trailer->why = "metadata start marker missing";
    else if (trailer->version != METADATA_VERSION)
        trailer->newer = true;
    else if (text_size < 0 || (uint32_t)text_size != size || size > METADATA_MAX)
        trailer->why = "metadata text length inconsistent";
    else
        trailer->size = size;
    return REPRISE_OK;
}

reprise_status ora_find_trailer(rp_source *source, ora_trailer *ret_trailer, reprise_error *error)
{
    ora_trailer trailer = {.why = "no metadata trailer"};
    uint64_t file_size = rp_source_size(source);
    *ret_trailer = trailer;
    if (file_size < TRAILER_LEAST)
        return REPRISE_OK;
    uint8_t bytes[TRAILER_TAIL];
    RP_TRY(rp_source_read(source, file_size - sizeof bytes, bytes, sizeof bytes, error));
    rp_reader r = rp_reader_of(bytes, sizeof bytes, "file", error);
    int32_t size = rp_i32(&r, "length");
    if (rp_i32(&r, "marker") != ORA_TRAILER_END)
        return REPRISE_OK;
    if (size < 4 || (uint64_t)size > file_size - TRAILER_LEAST + 4) {
        ret_trailer->why = "metadata length out of range";
        return REPRISE_OK;
    }
    trailer.why = NULL;
    trailer.offset = file_size - TRAILER_LEAST - ((uint64_t)size - 4);
    RP_TRY(read_head(source, &trailer, (uint32_t)size - 4, error));
    *ret_trailer = trailer;
    return REPRISE_OK;
}

static reprise_status open_flat(ora_replay *replay, reprise_error *error)
{
    ora_trailer trailer;
    RP_TRY(ora_find_trailer(replay->base.source, &trailer, error));
    if (trailer.why || trailer.newer) {
        replay->stream_size = rp_source_size(replay->base.source);
        if (trailer.newer)
            rp_note(&replay->base.findings, ORA_FINDING(METADATA), "file", trailer.offset, "",
                    "metadata version %d not supported", trailer.version);
        else
            rp_note(&replay->base.findings, ORA_FINDING(METADATA), "file", trailer.offset, "", "%s",
                    trailer.why);
        return REPRISE_OK;
    }
    replay->stream_size = trailer.offset;
    char *text = rp_arena_alloc(&replay->base.arena, (size_t)trailer.size + 1, error);
    if (!text)
        return error->status;
    replay->metadata = (rp_text){text, trailer.size};
    return rp_source_read(replay->base.source, trailer.offset + TRAILER_HEAD, text, trailer.size,
                          error);
}

/* ---- the archive ---- */

static reprise_status list_members(ora_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    base->blob_count = rp_zip_count(base->zip);
    base->blobs = rp_arena_array(&base->arena, base->blob_count, sizeof *base->blobs, error);
    for (size_t i = 0; base->blobs && i < base->blob_count; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(base->zip, i);
        const char *kind = "other";
        if ((int64_t)i == replay->orders_entry)
            kind = "stream";
        else if ((int64_t)i == replay->metadata_entry)
            kind = "manifest";
        else if ((int64_t)i == replay->sync_entry)
            kind = "sync";
        base->blobs[i] = (reprise_blob){.name = entry->name,
                                        .kind = kind,
                                        .size = entry->size,
                                        .stored_size = entry->stored_size};
    }
    return error->status;
}

static reprise_status read_metadata_entry(ora_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(base->zip, (size_t)replay->metadata_entry, "zip:metadata.yaml", 0,
                             &stream, error));
    uint8_t *data = NULL;
    size_t size = 0;
    reprise_status status = rp_stream_read_all(stream, base->context->limits.text_bytes_max,
                                               "text_bytes", &data, &size, error);
    rp_stream_close(stream);
    RP_TRY(status);
    char *text = rp_arena_text(&base->arena, data, size, error);
    rp_free(base->context, data, size);
    replay->metadata = (rp_text){text, size};
    return error->status;
}

static reprise_status open_zip(ora_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    replay->orders_entry = rp_zip_find(base->zip, "orders");
    replay->metadata_entry = rp_zip_find(base->zip, "metadata.yaml");
    replay->sync_entry = rp_zip_find(base->zip, "sync");
    if (replay->sync_entry < 0)
        replay->sync_entry = rp_zip_find(base->zip, "sync.bin");
    if (replay->orders_entry < 0) {
        rp_error_set(error, REPRISE_E_CORRUPT, "zip replay has no orders entry");
        rp_error_place(error, "zip", 0, "orders");
        return error->status;
    }
    const int64_t entries[] = {replay->orders_entry, replay->metadata_entry, replay->sync_entry};
    for (size_t i = 0; i < RP_COUNT(entries); i++) {
        if (entries[i] >= 0)
            RP_TRY(ora_check_entry(rp_zip_entry_at(base->zip, (size_t)entries[i]), error));
    }
    replay->stream_size = ora_entry_size(base->zip, replay->orders_entry);
    RP_TRY(list_members(replay, error));
    if (rp_zip_is_damaged(base->zip))
        rp_note(&base->findings, ORA_FINDING(ARCHIVE), "zip", 0, "",
                "the archive has no directory; its members were found by searching the file");
    if (replay->metadata_entry >= 0) {
        reprise_status status = read_metadata_entry(replay, error);
        if (!base->salvage || status == REPRISE_OK || rp_is_own_failure(base->context, status))
            return status;
        rp_note(&base->findings, ORA_FINDING(METADATA), "zip:metadata.yaml", 0, "",
                "metadata cannot be read: %s", error->message);
        rp_error_clear(error);
        return REPRISE_OK;
    }
    rp_note(&base->findings, ORA_FINDING(METADATA), "zip", 0, "metadata.yaml",
            "no metadata trailer");
    return REPRISE_OK;
}

/* ---- the packets, by their headers ---- */

typedef struct survey {
    ora_replay *replay;
    ora_cursor cursor;
    rp_writer lobby; /* text of the latest SyncInfo */
    bool lobby_cut;
} survey;

/* Searches an immediate packet for orders that describe the match. */
static void look_inside(survey *s, ora_wire *packet)
{
    ora_replay *replay = s->replay;
    reprise_error ignored = REPRISE_ERROR_INIT;
    packet->payload.error = &ignored;
    while (rp_left(&packet->payload)) {
        ora_order order = {0};
        uint64_t present = 0;
        ora_order_read(&packet->payload, replay->dialect, NULL, &order, &present);
        if (ignored.status != REPRISE_OK)
            return;
        replay->chat_count += ora_is(&order.order, "Chat") || ora_is(&order.order, "TeamChat");
        if (ora_is(&order.order, "StartGame") && replay->start_packet < 0)
            replay->start_packet = packet->number;
        if (!ora_is(&order.order, "SyncInfo") || replay->start_packet >= 0)
            continue;
        replay->lobby_packet = packet->number;
        s->lobby_cut = order.item.size > LOBBY_TEXT_MAX;
        rp_writer_clear(&s->lobby);
        rp_put(&s->lobby, order.item.data, s->lobby_cut ? 0 : order.item.size);
    }
}

static reprise_status walk(survey *s, reprise_error *error)
{
    ora_replay *replay = s->replay;
    ora_wire packet;
    reprise_status status;
    while ((status = ora_cursor_next(&s->cursor, &packet, error)) == REPRISE_OK) {
        replay->kinds[packet.kind]++;
        if (packet.kind == ORA_KIND_ORDERS)
            replay->frame_last = RP_MAX(replay->frame_last, packet.frame);
        else if (packet.kind == ORA_KIND_IMMEDIATE)
            look_inside(s, &packet);
        RP_TRY(error->status);
    }
    if (status != REPRISE_END)
        return status;
    replay->packet_count = s->cursor.number;
    replay->packet_end = s->cursor.window.offset;
    return REPRISE_OK;
}

static void note_stop(ora_replay *replay, const ora_cursor *cursor)
{
    rp_findings *findings = &replay->base.findings;
    const char *stream = cursor->window.name;
    uint64_t offset = cursor->window.offset;
    switch (cursor->stop) {
    case ORA_STOP_END:
        break;
    case ORA_STOP_MARKER:
        if (!replay->metadata.data)
            break; /* the start of a trailer that was already reported */
        rp_note(findings, ORA_FINDING(STRAY_MARKER), stream, offset, "client",
                "stray metadata marker before the trailer; the packets after it are not part of "
                "the match");
        break;
    case ORA_STOP_LENGTH:
        rp_note_lost(findings, ORA_FINDING(PACKET_LENGTH), REPRISE_E_CORRUPT, stream, offset,
                     "length", "bad packet length %d; %u packets before it are kept",
                     cursor->stop_length, cursor->number);
        break;
    case ORA_STOP_BROKEN:
        rp_note_lost(findings, ORA_FINDING(ENTRY_CUT), cursor->window.failure.status, stream,
                     offset, "packet", "%s; the %u packets before that are kept",
                     cursor->window.failure.message, cursor->number);
        break;
    case ORA_STOP_CUT:
    case ORA_STOP_PAST_END:
        rp_note_lost(findings, ORA_FINDING(PACKET_CUT), REPRISE_E_TRUNCATED, stream, offset,
                     "packet",
                     "packet runs past the end of the packet area; %u packets before it are kept",
                     cursor->number);
        break;
    }
}

static reprise_status use_survey(survey *s, reprise_error *error)
{
    ora_replay *replay = s->replay;
    if (replay->packet_count == 0) {
        rp_error_set(error, REPRISE_E_CORRUPT, "not an OpenRA replay: no complete packet");
        rp_error_place(error, s->cursor.window.name, 0, "");
        return error->status;
    }
    note_stop(replay, &s->cursor);
    if (replay->start_packet < 0)
        rp_note(&replay->base.findings, ORA_FINDING(LOBBY_ONLY), s->cursor.window.name, 0,
                "StartGame", "lobby only: the match never starts");
    if (s->lobby_cut)
        rp_note(&replay->base.findings, ORA_FINDING(LOBBY_SIZE), s->cursor.window.name, 0,
                "SyncInfo", "the lobby text is longer than %d bytes", LOBBY_TEXT_MAX);
    else if (replay->lobby_packet >= 0)
        RP_TRY(
            ora_use_lobby(replay, &(rp_text){(const char *)s->lobby.data, s->lobby.size}, error));
    return REPRISE_OK;
}

static reprise_status survey_packets(ora_replay *replay, reprise_error *error)
{
    survey s = {.replay = replay};
    replay->start_packet = replay->lobby_packet = -1;
    rp_writer_init(&s.lobby, replay->base.context, LOBBY_TEXT_MAX, error);
    reprise_status status = ora_cursor_open(&s.cursor, replay, error);
    if (status == REPRISE_OK)
        status = walk(&s, error);
    if (status == REPRISE_OK)
        status = use_survey(&s, error);
    ora_cursor_free(&s.cursor);
    rp_writer_free(&s.lobby);
    return status;
}

/* ---- everything ---- */

void ora_set_layout(ora_replay *replay)
{
    replay->base.layout = replay->base.zip ? "zip" : replay->dialect->name;
}

reprise_status ora_open(rp_replay *base, reprise_error *error)
{
    ora_replay *replay = (ora_replay *)base;
    replay->interval = INTERVAL_DEFAULT;
    replay->tick_ms = TICK_MS_DEFAULT;
    replay->latency = LATENCY_DEFAULT;
    replay->orders_entry = replay->metadata_entry = replay->sync_entry = -1;
    RP_TRY(base->zip ? open_zip(replay, error) : open_flat(replay, error));
    RP_TRY(ora_use_metadata(replay, error));
    RP_TRY(ora_choose_dialect(replay, error));
    ora_set_layout(replay);
    RP_TRY(survey_packets(replay, error));
    RP_TRY(ora_use_players(replay, error));
    if (replay->passwords)
        rp_note(&base->findings, ORA_FINDING(PASSWORD), "file", 0, "Handshake",
                "holds the server password in clear text; anonymizing removes it");
    return REPRISE_OK;
}
