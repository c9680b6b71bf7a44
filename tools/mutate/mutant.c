/*
 * mutant.c - chooses a mutant and notes which ones are reached. Linked into every program and
 * shared library of the build, each of which has its own copy.
 *
 * REPRISE_MUTANT=N switches mutant N on. REPRISE_MUTANT_REACHED=FILE names a file of MUTANTS_MAX
 * bytes, which all processes map: what was reached is kept, whatever end a process has.
 */
#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char unused[MUTANTS_MAX];
unsigned char *mutant_reached = unused;
int mutant_chosen = -1;

/* Before other constructors, which may have mutants. */
__attribute__((constructor(101))) static void choose_mutant(void)
{
    const char *chosen = getenv("REPRISE_MUTANT"), *path = getenv("REPRISE_MUTANT_REACHED");
    if (chosen)
        mutant_chosen = (int)strtol(chosen, NULL, 10);
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *map = mmap(NULL, MUTANTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED)
        mutant_reached = map;
    close(fd);
}
