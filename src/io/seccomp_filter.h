/* seccomp_filter.h - the system calls that reading, computing and writing need, and no others. */
#ifndef RP_SECCOMP_FILTER_H
#define RP_SECCOMP_FILTER_H

#include <stdbool.h>

/*
 * From now on all others fail with EPERM, in every thread: sockets, other programs, debugging,
 * memory that becomes code. False where the kernel or the architecture is not known.
 */
bool rp_seccomp_enter(void);

#endif
