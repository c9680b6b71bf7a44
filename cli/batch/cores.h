/*
 * cores.h - how many threads are of use. A container may have fewer processors than the machine:
 * the affinity mask and the quota of its control group say how many.
 */
#ifndef CLI_CORES_H
#define CLI_CORES_H

#include <stdbool.h>
#include <stddef.h>

/* Processors that this process may use. Reads files, so it must be asked before the sandbox. */
unsigned cli_cores(void);
/* Applies the text of a cpu.max file, "max 100000" or "150000 100000". */
unsigned cli_cores_of_quota(const char *quota, unsigned cores);
/* Whether more than one thread can pay off: not for one small file. */
bool cli_is_worth_threads(char *const *paths, size_t count);

#endif
