/*
 * end_child.h - ends a child process without what an ordinary exit does: no clean-up, no search for
 * leaks. A coverage build has none of these, and saves its counters in an ordinary exit only: each
 * shared library has its own.
 */
#ifndef END_CHILD_H
#define END_CHILD_H

#include <stdlib.h>
#include <unistd.h>

static inline _Noreturn void end_child(int code)
{
#ifdef WITH_COVERAGE
    exit(code);
#else
    _exit(code);
#endif
}

#endif
