/* voice.c - the voice of a recording as one stream: live files have it in pieces (7.5, 7.9). */
#include "write.h"

typedef struct voices {
    ic_voice *pieces;
    size_t count;
    uint64_t tick_max;
} voices;

static uint64_t put_frames(rp_writer *out, const voices *v, uint32_t player)
{
    uint64_t count = 0;
    for (size_t i = 0; i < v->count; i++) {
        const ic_voice_track *tracks = v->pieces[i].tracks.items;
        for (size_t k = 0; k < v->pieces[i].tracks.count; k++) {
            const ic_voice_frame *frames = tracks[k].frames.items;
            if (tracks[k].player != player)
                continue;
            for (size_t n = 0; n < tracks[k].frames.count && frames[n].tick <= v->tick_max; n++) {
                rp_bincode_write(out, &ic_voice_frame_record, &frames[n]);
                count++;
            }
        }
    }
    return count;
}

static bool came_before(const voices *v, size_t piece, size_t track)
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
static void put_tracks(rp_writer *out, const voices *v)
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

static reprise_status read_voice(ic_replay *replay, const ic_piece *piece, rp_arena *arena,
                                 rp_writer *bytes, ic_voice *ret_voice, reprise_error *error)
{
    RP_TRY(ic_piece_decode(replay, piece, "voice", bytes, error));
    const char *copy = rp_arena_text(arena, bytes->data, bytes->size, error);
    RP_TRY(error->status);
    rp_reader r = rp_reader_of(copy, bytes->size, "voice", error);
    rp_bincode_read(&r, arena, &ic_voice_record, ret_voice);
    return error->status;
}

reprise_status ic_voice_join(ic_replay *replay, uint64_t tick_max, rp_writer *out,
                             reprise_error *error)
{
    const ic_pieces *list = &replay->pieces[IC_VOICE];
    rp_arena arena;
    rp_writer bytes;
    rp_arena_init(&arena, replay->base.context);
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX + 1, error);
    voices v = {.pieces = rp_arena_array(&arena, list->count, sizeof *v.pieces, error),
                .count = list->count,
                .tick_max = tick_max};
    for (size_t i = 0; v.pieces && i < v.count && error->status == REPRISE_OK; i++)
        (void)read_voice(replay, &list->items[i], &arena, &bytes, &v.pieces[i], error);
    out->error = error;
    if (error->status == REPRISE_OK)
        put_tracks(out, &v);
    rp_writer_free(&bytes);
    rp_arena_free(&arena);
    return error->status;
}
