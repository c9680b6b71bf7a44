/*
 * voice.c - loads and checks voice, joins the pieces of live files (specification, 7.5 and 7.9),
 * and makes Ogg Opus files.
 */
#include "ironcurtain/edit/write.h"
#include "opus.h"
#include "schema_unknown.h"
#include "whole.h"

void ic_voice_check(rp_reader *r, const ic_voice *voice)
{
    const ic_voice_track *tracks = voice->tracks.items;
    for (size_t i = 0; i < voice->tracks.count; i++) {
        const ic_voice_frame *frames = tracks[i].frames.items;
        if (!tracks[i].consented && tracks[i].frames.count)
            rp_fail(r, REPRISE_E_CORRUPT, "tracks", "voice frames without consent of player %u",
                    tracks[i].player);
        for (size_t k = 0; k < tracks[i].frames.count; k++) {
            if (k && frames[k].tick < frames[k - 1].tick)
                rp_fail(r, REPRISE_E_CORRUPT, "frames", "voice ticks decrease at %llu",
                        (unsigned long long)frames[k].tick);
            if (frames[k].opus_data.size > IC_OPUS_MAX)
                rp_fail(r, REPRISE_E_LIMIT, "opus_data", "voice frame of %zu bytes, at most %d",
                        frames[k].opus_data.size, IC_OPUS_MAX);
        }
    }
}

reprise_status ic_voice_load(ic_replay *replay, rp_arena *arena, ic_voice **ret_voices,
                             size_t *ret_count, reprise_error *error)
{
    const ic_pieces *pieces = &replay->pieces[IC_VOICE];
    rp_writer bytes;
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX + 1, error);
    ic_voice *voices = rp_arena_array(arena, pieces->count, sizeof *voices, error);
    for (size_t i = 0; voices && i < pieces->count && error->status == REPRISE_OK; i++) {
        if (ic_piece_decode(replay, &pieces->items[i], "voice", &bytes, error) != REPRISE_OK)
            break;
        const char *copy = rp_arena_text(arena, bytes.data, bytes.size, error);
        rp_reader r = rp_reader_of(copy, copy ? bytes.size : 0, "voice", error);
        rp_bincode_read(&r, arena, &ic_voice_record, &voices[i]);
        if (rp_ok(&r))
            ic_voice_check(&r, &voices[i]);
        else if (!replay->base.salvage)
            (void)ic_schema_unknown(error, "voice", "bounds and LZ4 hold");
    }
    rp_writer_free(&bytes);
    RP_TRY(error->status);
    *ret_voices = voices;
    *ret_count = pieces->count;
    return REPRISE_OK;
}

/* ---- one stream from all pieces ---- */

typedef struct joint {
    ic_voice *pieces;
    size_t count;
    uint64_t tick_min, tick_max;
} joint;

static uint64_t put_frames(rp_writer *out, const joint *v, uint32_t player)
{
    uint64_t count = 0;
    for (size_t i = 0; i < v->count; i++) {
        const ic_voice_track *tracks = v->pieces[i].tracks.items;
        for (size_t k = 0; k < v->pieces[i].tracks.count; k++) {
            const ic_voice_frame *frames = tracks[k].frames.items;
            if (tracks[k].player != player)
                continue;
            for (size_t n = 0; n < tracks[k].frames.count && frames[n].tick <= v->tick_max; n++) {
                if (frames[n].tick < v->tick_min)
                    continue;
                rp_bincode_write(out, &ic_voice_frame_record, &frames[n]);
                count++;
            }
        }
    }
    return count;
}

static bool came_before(const joint *v, size_t piece, size_t track)
{
    uint32_t player = ((const ic_voice_track *)v->pieces[piece].tracks.items)[track].player;
    for (size_t i = 0; i <= piece; i++) {
        const ic_voice_track *tracks = v->pieces[i].tracks.items;
        size_t end = i < piece ? v->pieces[i].tracks.count : track;
        for (size_t k = 0; k < end; k++) {
            if (tracks[k].player == player)
                return true;
        }
    }
    return false;
}

/* One track per player, in the order in which they first appear. */
static void put_tracks(rp_writer *out, const joint *v)
{
    size_t slot = out->size;
    uint64_t players = 0;
    rp_put_u64(out, 0);
    for (size_t i = 0; i < v->count; i++) {
        const ic_voice_track *tracks = v->pieces[i].tracks.items;
        for (size_t k = 0; k < v->pieces[i].tracks.count; k++) {
            if (came_before(v, i, k))
                continue;
            rp_put_u32(out, tracks[k].player);
            rp_put_u8(out, tracks[k].consented);
            size_t count_slot = out->size;
            rp_put_u64(out, 0);
            uint64_t count = put_frames(out, v, tracks[k].player);
            if (rp_writer_ok(out))
                rp_store64(out->data + count_slot, count);
            players++;
        }
    }
    if (rp_writer_ok(out))
        rp_store64(out->data + slot, players);
}

reprise_status ic_voice_join(ic_replay *replay, uint64_t tick_min, uint64_t tick_max,
                             rp_writer *out, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, replay->base.context);
    joint v = {.tick_min = tick_min, .tick_max = tick_max};
    out->error = error;
    if (ic_voice_load(replay, &arena, &v.pieces, &v.count, error) == REPRISE_OK)
        put_tracks(out, &v);
    rp_arena_free(&arena);
    return error->status;
}

/* ---- Ogg ---- */

typedef struct speech {
    rp_opus *opus;
    rp_writer *to;
    double tick_samples;
    bool begun;
} speech;

/*
 * Packets of one tick are consecutive, and a tick is not a multiple of a packet's length. So a
 * packet that is slightly late continues the speech; a longer delay is a pause.
 */
static void put_packet(speech *s, uint32_t player, uint64_t tick, const rp_text *packet)
{
    const uint64_t silence_max = (uint64_t)RP_OPUS_RATE * 3600 * 24;
    if (!rp_opus_packet_samples(packet->data, packet->size))
        return;
    if (!s->begun)
        rp_opus_begin(s->opus, s->to, player + 1, (uint8_t)packet->data[0] & 4);
    s->begun = true;
    double due = (double)tick * s->tick_samples;
    double now = (double)rp_opus_position(s->opus);
    if (due > now + s->tick_samples + RP_OPUS_PACKET_MAX / 2.0 && due < (double)silence_max)
        rp_opus_skip(s->opus, rp_whole_u64(due - now));
    rp_opus_put(s->opus, packet->data, packet->size);
}

bool ic_voice_ogg(const ic_voice *voices, size_t count, uint32_t player, double tick_seconds,
                  rp_writer *to)
{
    rp_opus *opus = rp_alloc(to->context, sizeof *opus, to->error);
    if (!opus)
        return false;
    speech s = {.opus = opus, .to = to, .tick_samples = tick_seconds * RP_OPUS_RATE};
    for (size_t i = 0; i < count; i++) {
        const ic_voice_track *tracks = voices[i].tracks.items;
        for (size_t k = 0; k < voices[i].tracks.count; k++) {
            const ic_voice_frame *frames = tracks[k].frames.items;
            for (size_t n = 0; tracks[k].player == player && n < tracks[k].frames.count; n++)
                put_packet(&s, player, frames[n].tick, &frames[n].opus_data);
        }
    }
    if (s.begun)
        rp_opus_end(opus);
    rp_free(to->context, opus, sizeof *opus);
    return s.begun;
}
