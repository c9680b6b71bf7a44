/* seccomp_filter.h - the system calls that reading, computing and writing need, and no others. */
#ifndef RP_SECCOMP_FILTER_H
#define RP_SECCOMP_FILTER_H

/* Whether this build looks for leaks with another process that traces it: gcc says so in a macro,
 * clang by a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define RP_TRACES_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RP_TRACES_LEAKS 1
#endif
#endif

#include <stdbool.h>

/*
 * From now on all others fail with EPERM, in every thread: sockets, other programs, debugging,
 * memory that becomes code. False where the kernel or the architecture is not known.
 */
bool rp_seccomp_enter(void);

#endif
