/*
 * duel.h - two ways of doing the same work, timed against each other.
 *
 * Both sides work in turn, round after round, and the fastest round of each counts: whatever else
 * the machine does falls on both alike, and only the ratio means anything. Above 1 we are faster.
 *
 * What counts is the work of the programs, not of the kernel that hands them fresh pages. Its share
 * of processor time is told too roughly to be taken off, so there is none: memory that a side gives
 * back stays with the process, and after the first round both sides find theirs warm.
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

enum { DUEL_ROUNDS = 15 };

/* What a side does: returns how much it made, which must be the same each time; 0 is a failure. */
typedef size_t duel_work(void *ctx);

static inline double duel_cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* One round of one side; ends the program if the work fails. */
static inline double duel_round(const char *name, duel_work *work, void *ctx)
{
    double start = duel_cpu_ms();
    size_t made = work(ctx);
    double took = duel_cpu_ms() - start;
    if (!made) {
        fprintf(stderr, "%s: nothing was done\n", name);
        exit(1);
    }
    return took;
}

/* Runs one duel and prints its line. `name` is plain text: it goes into the JSON as it is. */
static inline void duel(const char *name, duel_work *ours, duel_work *theirs, void *ctx)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    double best_ours = 0, best_theirs = 0;
    for (int i = 0; i < DUEL_ROUNDS; i++) {
        double a = duel_round(name, ours, ctx);
        double b = duel_round(name, theirs, ctx);
        best_ours = i == 0 || a < best_ours ? a : best_ours;
        best_theirs = i == 0 || b < best_theirs ? b : best_theirs;
    }
    printf("{\"duel\":\"%s\",\"ours_ms\":%.3f,\"theirs_ms\":%.3f,\"ratio\":%.3f}\n", name,
           best_ours, best_theirs, best_theirs / best_ours);
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
