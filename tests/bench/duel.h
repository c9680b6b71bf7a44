/*
 * duel.h - two ways of doing the same work, timed against each other.
 *
 * Both sides work in turn, round after round, and the fastest round of each counts: whatever else
 * the machine does falls on both alike, and only the ratio means anything. Above 1 we are faster.
 *
 * What counts is the work of the programs, not of the kernel that hands them fresh pages. Its share
 * of processor time is measured too roughly to be subtracted, so there is none: memory that a side
 * gives back stays with the process, and after the first round both sides find theirs warm.
 *
 * A duel program prints one JSON object per line, which tests/bench/run collects.
 */
#ifndef DUEL_H
#define DUEL_H

#include <limits.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* At least so many rounds, and for short work more: one that is undisturbed is among them. */
enum { DUEL_ROUNDS = 15, DUEL_MS = 250 };

/* What a side does: returns how much it made, which must be the same each time; 0 is a failure. */
typedef size_t duel_work(void *ctx);

/* Of processors, all threads together, and by the clock; both in milliseconds. */
typedef struct duel_time {
    double cpu, clock;
} duel_time;

static inline double duel_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline duel_time duel_now(void)
{
    return (duel_time){duel_ms(CLOCK_PROCESS_CPUTIME_ID), duel_ms(CLOCK_MONOTONIC)};
}

/* One round of one side, kept in `best` where it is; ends the program if the work fails. */
static inline void duel_round(const char *name, duel_work *work, void *ctx, duel_time *best)
{
    duel_time start = duel_now();
    size_t made = work(ctx);
    duel_time now = duel_now();
    duel_time took = {now.cpu - start.cpu, now.clock - start.clock};
    if (!made) {
        fprintf(stderr, "%s: nothing was done\n", name);
        exit(1);
    }
    best->cpu = best->cpu <= 0 || took.cpu < best->cpu ? took.cpu : best->cpu;
    best->clock = best->clock <= 0 || took.clock < best->clock ? took.clock : best->clock;
}

/* Memory that was given back stays with the process. */
static inline void duel_keep_memory(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

/* Runs one duel and prints its line. `name` is plain text: it goes into the JSON as it is. */
static inline void duel(const char *name, duel_work *ours, duel_work *theirs, void *ctx)
{
    duel_keep_memory();
    duel_time best_ours = {0}, best_theirs = {0};
    double start = duel_ms(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < DUEL_ROUNDS || duel_ms(CLOCK_PROCESS_CPUTIME_ID) - start < DUEL_MS; i++) {
        duel_round(name, ours, ctx, &best_ours);
        duel_round(name, theirs, ctx, &best_theirs);
    }
    printf("{\"duel\":\"%s\",\"ours_ms\":%.3f,\"theirs_ms\":%.3f,\"ratio\":%.3f,"
           "\"ours_clock_ms\":%.3f,\"theirs_clock_ms\":%.3f}\n",
           name, best_ours.cpu, best_theirs.cpu, best_theirs.cpu / best_ours.cpu, best_ours.clock,
           best_theirs.clock);
}

/* A whole file in memory; ends the program if it cannot be read. */
static inline uint8_t *duel_read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *data = size > 0 ? malloc((size_t)size) : NULL;
    if (!data || fseek(file, 0, SEEK_SET) != 0 ||
        fread(data, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    *ret_size = (size_t)size;
    return data;
}

#endif
