/*
 * read_seek.c - finds the packets of a moment.
 *
 * The packets of a frame are not contiguous: orders precede their frame, sums follow it. So the
 * first seek looks at the headers of all packets. The second one expects more to come: it notes
 * where the packets of each group of frames begin and end, in segments of the file, and what must
 * be known before each segment. The entry of an archive has to be unpacked from its start, so there
 * every seek is like the first.
 */
#include "read.h"
#include "whole.h"

enum { SEGMENTS_MAX = 1024, SEGMENT_BYTES = 16 << 10, GROUPS_MAX = 4096 };

typedef struct segment {
    uint64_t offset;
    uint32_t number; /* of its first packet */
    ora_seen seen;   /* before that packet */
    int32_t closing_frame;
} segment;

/* The segments with packets of a group of frames; none if first is above last. */
typedef struct frame_group {
    uint32_t first, last;
} frame_group;

typedef struct ora_seek {
    uint64_t segment_bytes;
    segment *segments;
    size_t segment_count, segment_max;
    int32_t group_frames;
    frame_group *groups;
    size_t group_count;
} ora_seek;

static ora_seek *new_seek(ora_replay *replay, reprise_error *error)
{
    ora_seek *seek = rp_arena_alloc(&replay->base.arena, sizeof *seek, error);
    if (!seek)
        return NULL;
    int32_t frames = RP_MAX(replay->frame_last, 1);
    *seek = (ora_seek){.group_frames = frames / GROUPS_MAX + 1};
    seek->segment_bytes = RP_MAX(replay->stream_size / SEGMENTS_MAX + 1, (uint64_t)SEGMENT_BYTES);
    seek->segment_max = (size_t)(replay->stream_size / seek->segment_bytes) + 1;
    seek->group_count = (size_t)(frames / seek->group_frames) + 1;
    seek->segments = rp_arena_array(&replay->base.arena, seek->segment_max, sizeof(segment), error);
    seek->groups = rp_arena_array(&replay->base.arena, seek->group_count, sizeof(frame_group),
                                  error);
    if (!seek->segments || !seek->groups)
        return NULL;
    for (size_t i = 0; i < seek->group_count; i++)
        seek->groups[i] = (frame_group){.first = UINT32_MAX};
    return seek;
}

/* The first packet at or after each multiple of the size begins a segment. */
static void note_segment(ora_seek *seek, const ora_decoder *d, const ora_wire *packet,
                         int32_t closing_frame)
{
    if (packet->offset < seek->segment_count * seek->segment_bytes ||
        seek->segment_count == seek->segment_max)
        return;
    seek->segments[seek->segment_count++] = (segment){.offset = packet->offset,
                                                      .number = packet->number,
                                                      .seen = d->seen,
                                                      .closing_frame = closing_frame};
}

static void note_frame(ora_seek *seek, int32_t frame)
{
    size_t group = (size_t)(frame / seek->group_frames);
    if (group >= seek->group_count)
        return;
    uint32_t here = (uint32_t)seek->segment_count - 1;
    frame_group *to = &seek->groups[group];
    to->first = RP_MIN(to->first, here);
    to->last = RP_MAX(to->last, here);
}

static reprise_status make_seek(ora_replay *replay, reprise_error *error)
{
    ora_seek *seek = new_seek(replay, error);
    if (!seek)
        return error->status;
    rp_decoder *base = NULL;
    RP_TRY(rp_decoder_open(&replay->base, (rp_selection){0}, &base, error));
    ora_decoder *d = (ora_decoder *)base;
    int32_t closing_frame = 0;
    ora_wire packet;
    reprise_status status;
    while ((status = ora_cursor_next(&d->cursor, &packet, error)) == REPRISE_OK) {
        int32_t frame;
        note_segment(seek, d, &packet, closing_frame);
        if (ora_closes_chunk(&packet)) {
            ora_see_orders(d, &packet);
            closing_frame = packet.frame;
        }
        status = ora_packet_frame(d, &packet, &frame, error);
        if (status != REPRISE_OK)
            break;
        note_frame(seek, frame);
    }
    rp_decoder_close(base);
    if (status != REPRISE_END)
        return status;
    replay->seek = seek;
    return REPRISE_OK;
}

/* Puts the decoder before the first packet of its frame, and says after which it may stop. */
static reprise_status go_to_frame(ora_decoder *d, const ora_seek *seek, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)d->base.replay;
    const frame_group *group = &seek->groups[d->only_frame / seek->group_frames];
    if (group->first > group->last) {
        d->stop_offset = 0;
        return REPRISE_OK;
    }
    const segment *first = &seek->segments[group->first];
    ora_cursor cursor;
    RP_TRY(ora_cursor_open_at(&cursor, replay, first->offset, first->number, error));
    ora_cursor_free(&d->cursor);
    d->cursor = cursor;
    RP_TRY(ora_cursor_open_at(&cursor, replay, first->offset, first->number, error));
    d->scout = cursor;
    d->scout_open = true;
    d->closing_frame = first->closing_frame;
    d->seen = first->seen;
    if (group->last + 1 < seek->segment_count)
        d->stop_offset = seek->segments[group->last + 1].offset;
    return REPRISE_OK;
}

reprise_status ora_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    ora_decoder *d = (ora_decoder *)decoder;
    ora_replay *replay = (ora_replay *)decoder->replay;
    int64_t tick = moment.index;
    int64_t last = ora_frame_tick(replay, replay->frame_last);
    if (!moment.by_index) {
        double ticks = moment.time * 1000.0 / replay->tick_ms;
        tick = ticks >= (double)last ? last : ticks > 0 ? rp_whole(ticks + 1e-9) : 0;
        decoder->replay->read_to_end |= ticks >= (double)(last + replay->interval);
    }
    int64_t end = last + replay->interval - 1; /* the last tick of the last frame */
    if (tick < 0 || tick > end)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %lld is out of range (0-%lld)",
                            (long long)tick, (long long)end);
    d->only_frame = (int32_t)(tick / replay->interval) + 1;
    bool again = replay->sought && !replay->base.zip;
    replay->sought = true;
    if (again && !replay->seek)
        RP_TRY(make_seek(replay, error));
    return again ? go_to_frame(d, replay->seek, error) : REPRISE_OK;
}
