/*
 * share.h - sweeps that would take most of the time of `make test`: there, a fixed share of each
 * runs, spread over all samples. `make test-all` sets REPRISE_TEST_ALL and runs all of it.
 */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static inline bool all_cases_run(void)
{
    return getenv("REPRISE_TEST_ALL") != NULL;
}

/* Whether case `n` of a sweep runs: one in `every`, always the same ones. */
static inline bool case_runs(size_t n, size_t every)
{
    return all_cases_run() || n % every == 0;
}

#endif
