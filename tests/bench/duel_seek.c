/*
 * duel_seek.c - how long the state at a random moment takes, in one open replay.
 *
 * usage: duel_seek FILE FROM TO [SEEKS]
 *
 * FROM and TO are seconds. Prints the first seek, the second one, which may make an index, and the
 * median and the 99th percentile of those that follow, in milliseconds of processor time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reprise/reprise.h"

enum { SEEKS = 200, SEEKS_MAX = 10000 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double took[SEEKS_MAX];
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    long count = argc > 4 ? strtol(argv[4], NULL, 10) : SEEKS;
    if (argc < 4 || count < 4 || count > SEEKS_MAX ||
        reprise_open_file(argv[1], NULL, &replay, &error) != REPRISE_OK)
        return 2;
    double from = strtod(argv[2], NULL), to = strtod(argv[3], NULL);
    unsigned random = 12345;
    for (long i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        reprise_moment moment = {.time = from + (to - from) * (random >> 8) / 16777216.0};
        const reprise_value *state = NULL;
        double start = now_ms();
        if (reprise_at(replay, moment, &state, &error) != REPRISE_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        took[i] = now_ms() - start;
    }
    double first = took[0], second = took[1];
    qsort(took + 2, (size_t)count - 2, sizeof *took, by_value);
    printf("{\"first_ms\": %.3f, \"second_ms\": %.3f, \"median_ms\": %.3f, \"p99_ms\": %.3f}\n",
           first, second, took[2 + (count - 2) / 2], took[2 + (count - 2) * 99 / 100]);
    reprise_close(replay);
    return 0;
}
