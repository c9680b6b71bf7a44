/*
 * duel_cs2kz.c - a recording of an hour in layout B5, against libzstd on its tick section.
 *
 * The file is made here by our own writer: somebody who runs, turns and jumps, with a move in every
 * third tick. libzstd's side decompresses the tick section in one piece into memory that is there
 * already: the price of getting at the bytes at all. Both sides work in turn, round after round,
 * and the fastest round of each counts. The last line is everything, subticks and commands
 * included, in multiples of that price; the game's own reader takes about 19.
 *
 * usage: duel_cs2kz [--json]
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "cs2kz/records.h"
#include "registry.h"

enum { TICKS = 60 * 60 * 64, BATCH = 256, ROUNDS = 9, MOVES_PER_BATCH = BATCH / 3 + 1 };

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- the file ---- */

typedef struct scene {
    uint32_t seed;
    kz_tick ticks[BATCH];
    kz_command commands[BATCH];
    kz_move moves[MOVES_PER_BATCH];
    kz_tick last;
    rp_row rows[BATCH + MOVES_PER_BATCH];
} scene;

static float chance(scene *s)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return (float)(s->seed >> 8) / 16777216.0f;
}

static void next_tick(scene *s, uint32_t number, kz_tick *tick)
{
    *tick = s->last;
    tick->pre = s->last.post;
    tick->top.server_tick = 1000 + number;
    tick->top.game_time = (float)tick->top.server_tick * KZ_TICK_SECONDS;
    tick->top.real_time = tick->top.game_time + 3;
    tick->top.unix_time = 1763000000 + number / 64;
    tick->top.cmd_number = tick->top.client_tick = number;
    if (chance(s) < 0.85f)
        tick->pre.angles.y += chance(s) * 3 - 1.5f;
    if (chance(s) < 0.1f)
        tick->pre.buttons0 = (uint32_t)(chance(s) * 2048);
    tick->post = tick->pre;
    tick->post.velocity.x += chance(s) * 6 - 3;
    tick->post.velocity.y += chance(s) * 6 - 3;
    tick->post.origin.x += tick->post.velocity.x * KZ_TICK_SECONDS;
    tick->post.origin.y += tick->post.velocity.y * KZ_TICK_SECONDS;
    tick->post.origin.z = fabsf(sinf((float)number * 0.1f)) * 60;
    tick->post.entity_flags = tick->post.origin.z < 5 ? 129 : 128;
    s->last = *tick;
}

/* A batch as the decoder would give it: records, then the moves inside them. */
static rp_batch next_batch(scene *s, uint32_t first, bool commands)
{
    size_t moves = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        const void *data = &s->ticks[i];
        if (commands) {
            s->commands[i] = (kz_command){.server_tick = 1000 + first + i,
                                          .game_time = (float)(first + i) * KZ_TICK_SECONDS,
                                          .cmd_number = first + i,
                                          .latency = 0.02f,
                                          .mouse_dx = (int32_t)(chance(s) * 40)};
            data = &s->commands[i];
        } else {
            next_tick(s, first + i, &s->ticks[i]);
        }
        s->rows[i] = (rp_row){.track = commands ? KZ_COMMANDS : KZ_TICKS,
                              .object = first + i,
                              .index = 1000 + first + i,
                              .data = data};
        if (i % 3)
            continue;
        s->moves[moves] = (kz_move){.when = chance(s), .button = 8, .data = {1}};
        s->rows[BATCH + moves] = (rp_row){.track = commands ? KZ_COMMAND_SUBTICKS : KZ_SUBTICKS,
                                          .object = first + i,
                                          .data = &s->moves[moves]};
        moves++;
    }
    return (rp_batch){.rows = s->rows, .count = BATCH + moves};
}

static reprise_status make_file(rp_context *context, scene *s, rp_writer *to, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_value *header = rp_new_object(&doc);
    rp_set_text(&doc, header, "type", "manual");
    rp_write_options options = {.layout = "b5", .level = REPRISE_LEVEL_DEFAULT};
    rp_sink *sink = NULL;
    rp_encoder *encoder = NULL;
    reprise_status status = rp_sink_open_memory(context, to, &sink, error);
    if (status == REPRISE_OK)
        status = rp_encoder_open(context, &cs2kz_format, &options, header, NULL, sink, &encoder,
                                 error);
    for (uint32_t i = 0; i < 2 * TICKS && status == REPRISE_OK; i += BATCH) {
        rp_batch batch = next_batch(s, i % TICKS, i >= TICKS);
        status = cs2kz_format.encode_rows(encoder, &batch, error);
    }
    if (status == REPRISE_OK)
        status = cs2kz_format.encode_end(encoder, error);
    rp_encoder_close(encoder);
    rp_sink_close(sink);
    rp_arena_free(&arena);
    return status;
}

/* ---- the duel ---- */

static double read_tracks(rp_replay *replay, uint64_t tracks, reprise_error *error)
{
    double start = cpu_ns();
    rp_decoder *decoder = NULL;
    if (rp_decoder_open(replay, (rp_selection){.tracks = tracks}, &decoder, error) != REPRISE_OK)
        return INFINITY;
    while (rp_decoder_next(decoder, error) == REPRISE_OK)
        continue;
    rp_decoder_close(decoder);
    return cpu_ns() - start;
}

static double unpack_ticks(const rp_writer *file, uint8_t *room, size_t size)
{
    size_t at = 4 + rp_load32(file->data);
    double start = cpu_ns();
    size_t got = ZSTD_decompress(room, size, file->data + at + 12, rp_load32(file->data + at));
    return got == size ? cpu_ns() - start : INFINITY;
}

static void duel(rp_replay *replay, const rp_writer *file, bool json, reprise_error *error)
{
    size_t size = rp_load32(file->data + 4 + rp_load32(file->data) + 4);
    uint8_t *room = rp_alloc(replay->context, size, error);
    double theirs = INFINITY, ticks = INFINITY, all = INFINITY;
    for (int i = 0; room && i < ROUNDS; i++) {
        theirs = fmin(theirs, unpack_ticks(file, room, size));
        ticks = fmin(ticks, read_tracks(replay, UINT64_C(1) << KZ_TICKS, error));
        all = fmin(all, read_tracks(replay, (UINT64_C(1) << KZ_TRACK_COUNT) - 1, error));
    }
    rp_free(replay->context, room, size);
    if (json) {
        printf("{\"duel\":\"cs2kz ticks\",\"ours_ns\":%.2f,\"theirs_ns\":%.2f,\"ratio\":%.3f}\n",
               ticks / TICKS, theirs / TICKS, theirs / ticks);
        printf("{\"duel\":\"cs2kz everything\",\"ours_ns\":%.2f,\"times_zstd\":%.3f}\n",
               all / TICKS, all / theirs);
    } else {
        printf("%-30s %6.1f ns, theirs %6.1f ns, ratio %.2f\n", "cs2kz ticks", ticks / TICKS,
               theirs / TICKS, theirs / ticks);
        printf("%-30s %6.1f ns, %.2f times zstd of the ticks\n", "cs2kz everything", all / TICKS,
               all / theirs);
    }
}

int main(int argc, char **argv)
{
    static scene s = {.seed = 7};
    reprise_options options;
    reprise_options_init(&options);
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    rp_writer_init(&file, &context, SIZE_MAX / 2, &error);
    reprise_status status = make_file(&context, &s, &file, &error);
    if (status == REPRISE_OK)
        status = rp_source_open_memory(&context, file.data, file.size, &source, &error);
    if (status == REPRISE_OK)
        status = rp_replay_open(&context, source, "cs2kz", NULL, &replay, &error);
    if (status == REPRISE_OK)
        duel(replay, &file, argc > 1 && strcmp(argv[1], "--json") == 0, &error);
    if (status != REPRISE_OK || error.status != REPRISE_OK)
        fprintf(stderr, "duel_cs2kz: %s: %s\n", error.path, error.message);
    rp_replay_close(replay);
    rp_source_close(source);
    rp_writer_free(&file);
    return status != REPRISE_OK;
}
