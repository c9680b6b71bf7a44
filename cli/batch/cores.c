/* cores.c - see cores.h. */
#define _GNU_SOURCE
#include "cores.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { GROUP_MAX = 4096, THREADS_WORTH_BYTES = 1 << 18 };

static unsigned in_affinity_mask(void)
{
    cpu_set_t mask;
    int count = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
    return count > 1 ? (unsigned)count : 1;
}

/* Reads a small file of one line into a text; false if there is none. */
static bool read_line(const char *path, char *to, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool any = fgets(to, (int)size, file) != NULL;
    fclose(file);
    return any;
}

unsigned cli_cores_of_quota(const char *quota, unsigned cores)
{
    long long time, period;
    if (sscanf(quota, "%lld %lld", &time, &period) != 2 || time <= 0 || period <= 0)
        return cores; /* "max", or nothing that this kernel version should write */
    long long whole = (time + period - 1) / period;
    return whole < (long long)cores ? (unsigned)whole : cores;
}

/* The quota of a group holds for all groups below it, so all of them up to the root count. */
static unsigned within_quota(unsigned cores)
{
    char line[GROUP_MAX], group[GROUP_MAX], path[GROUP_MAX + 64];
    if (!read_line("/proc/self/cgroup", line, sizeof line) || strncmp(line, "0::/", 4) != 0)
        return cores;
    line[strcspn(line, "\n")] = '\0';
    snprintf(group, sizeof group, "%s", line + 3);
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        if (read_line(path, line, sizeof line))
            cores = cli_cores_of_quota(line, cores);
    }
    return cores;
}

unsigned cli_cores(void)
{
    unsigned cores = in_affinity_mask();
    return cores > 1 ? within_quota(cores) : 1;
}

bool cli_is_worth_threads(char *const *paths, size_t count)
{
    struct stat info;
    return count != 1 || stat(paths[0], &info) != 0 || !S_ISREG(info.st_mode) ||
           info.st_size > THREADS_WORTH_BYTES;
}
