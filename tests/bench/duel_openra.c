/*
 * duel_openra.c - all orders of a one-hour OpenRA match against memcpy of the same bytes.
 *
 * Copying is the least that anybody can do with a file; the ratio says how much dearer decoding is.
 * Both sides work in turn, round after round, and the fastest round of each counts.
 *
 * usage: duel_openra [--json]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reprise/reprise.h"
#include "writer.h"

enum { FRAMES = 30000, CLIENTS = 4, ROUNDS = 15 };

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- the file ---- */

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void put_name(rp_writer *w, const char *name)
{
    rp_put_leb32(w, (uint32_t)strlen(name));
    rp_put_text(w, name);
}

/* A group sent to a cell, or something built: what most orders are. */
static void put_order(rp_writer *w, uint32_t *seed)
{
    rp_put_u8(w, 0xFF);
    if (next_random(seed) % 2) {
        uint32_t units = 1 + next_random(seed) % 7;
        put_name(w, "Move");
        rp_put_u16(w, 0x0141);
        rp_put_u8(w, 2);
        rp_put_u32(w, next_random(seed) << 8);
        rp_put_u8(w, 0);
        rp_put_u32(w, units);
        for (uint32_t i = 0; i < units; i++)
            rp_put_u32(w, 100 + next_random(seed) % 1000);
    } else {
        put_name(w, "StartProduction");
        rp_put_u16(w, 0x00A4);
        rp_put_u32(w, 2);
        put_name(w, "2tnk");
        rp_put_u32(w, 1);
    }
}

static void put_frame(rp_writer *w, uint32_t frame, uint32_t client, uint32_t *seed)
{
    static const uint8_t counts[] = {0, 0, 0, 0, 1, 1, 2, 3};
    rp_put_u32(w, client);
    size_t slot = rp_slot_begin(w);
    rp_put_u32(w, frame);
    for (uint8_t n = counts[next_random(seed) % sizeof counts]; n > 0; n--)
        put_order(w, seed);
    rp_slot_end(w, slot);
    rp_put_u32(w, client);
    rp_put_u32(w, 17);
    rp_put_u32(w, frame);
    rp_put_u8(w, 0x65);
    rp_put_u32(w, frame * 2654435761u);
    rp_put_u64(w, 0);
}

static void put_handshake(rp_writer *w, const char *name, const char *text)
{
    rp_put_u32(w, 0);
    size_t slot = rp_slot_begin(w);
    rp_put_u32(w, 0);
    rp_put_u8(w, 0xFE);
    put_name(w, name);
    put_name(w, text);
    rp_slot_end(w, slot);
}

static void put_match(rp_writer *w)
{
    uint32_t seed = 1;
    put_handshake(w, "HandshakeRequest", "Handshake:\n\tMod: ra\n");
    put_handshake(w, "HandshakeResponse", "Handshake:\n\tMod: ra\n\tOrdersProtocol: 21\n");
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        for (uint32_t client = 1; client <= CLIENTS; client++)
            put_frame(w, frame, client, &seed);
    }
}

/* ---- the two sides ---- */

static uint64_t decode(const rp_writer *file, double *ret_seconds)
{
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    uint64_t count = 0;
    double start = cpu_seconds();
    if (reprise_open_memory(file->data, file->size, NULL, &replay, &error) != REPRISE_OK)
        exit(1);
    options.tracks = UINT64_C(1) << reprise_track_find(replay, "orders");
    if (reprise_rows_open(replay, &options, &rows, &error) != REPRISE_OK)
        exit(1);
    while (reprise_rows_next(rows, &error) == REPRISE_OK)
        count++;
    reprise_rows_close(rows);
    reprise_close(replay);
    *ret_seconds = cpu_seconds() - start;
    return count;
}

/* Comparing afterwards keeps the compiler from leaving the copy out. */
static bool copy(const rp_writer *file, uint8_t *to, double *ret_seconds)
{
    double start = cpu_seconds();
    memcpy(to, file->data, file->size);
    *ret_seconds = cpu_seconds() - start;
    return memcmp(to, file->data, file->size) == 0;
}

int main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    reprise_options options;
    reprise_options_init(&options);
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_writer_init(&file, &context, (size_t)64 << 20, &error);
    put_match(&file);
    uint8_t *room = malloc(file.size);
    if (!room || !rp_writer_ok(&file))
        return 1;
    memset(room, 1, file.size);
    double ours = 1e9, theirs = 1e9;
    uint64_t orders = 0;
    bool check = true;
    for (int i = 0; i < ROUNDS; i++) {
        double seconds;
        orders = decode(&file, &seconds);
        ours = seconds < ours ? seconds : ours;
        check = copy(&file, room, &seconds) && check;
        theirs = seconds < theirs ? seconds : theirs;
    }
    double size = (double)file.size / 1e6;
    if (!orders || !check)
        fputs("openra orders: a side did not read everything\n", stderr);
    else if (json)
        printf("{\"duel\":\"openra orders\",\"ours_mb_s\":%.1f,\"theirs_mb_s\":%.1f,"
               "\"ratio\":%.4f,\"orders_per_s\":%.0f}\n",
               size / ours, size / theirs, theirs / ours, (double)orders / ours);
    else
        printf("%-28s ours %8.1f MB/s   memcpy %8.1f MB/s   ratio %6.4f   %.1f million orders/s\n",
               "openra orders", size / ours, size / theirs, theirs / ours,
               (double)orders / ours / 1e6);
    rp_writer_free(&file);
    free(room);
    return orders && check ? 0 : 1;
}
