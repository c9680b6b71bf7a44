/* seccomp_filter.h - allows only the system calls that reading, computing and writing need. */
#ifndef RP_SECCOMP_FILTER_H
#define RP_SECCOMP_FILTER_H

/* Whether this build detects leaks, which needs ptrace. */
#if defined(__SANITIZE_ADDRESS__)
#define RP_TRACES_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RP_TRACES_LEAKS 1
#endif
#endif

#include <stdbool.h>

/*
 * From now on all other system calls fail with EPERM in every thread: sockets, executing programs,
 * debugging, making memory executable. Returns false if the kernel or architecture is not
 * supported.
 */
bool rp_seccomp_enter(void);

#endif
