/*
 * sandbox.h - give up rights before reading hostile files.
 *
 * A program that knows which files it will read and write calls reprise_sandbox_enter. After that,
 * the process and every thread it starts can open only the files it named, and can neither create
 * sockets nor start programs, so a parser that a file has taken over has nowhere to go. There is no
 * way back. The restrictions use landlock and seccomp; a kernel that lacks one applies the other.
 */
#ifndef REPRISE_SANDBOX_H
#define REPRISE_SANDBOX_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stays allowed. Initialise with REPRISE_SANDBOX_INIT. */
typedef struct reprise_sandbox {
    size_t struct_size;
    /* Files to read, and directories to read recursively. Paths that do not exist are skipped. */
    const char *const *readable;
    size_t readable_count;
    /*
     * Files to write. Each is created now, without a name, and reprise_sandbox_file returns it;
     * nothing else in its directory can be opened.
     */
    const char *const *results;
    size_t result_count;
    bool replace; /* results may exist already */
    /* Directories in which everything may be read, created, written and removed. */
    const char *const *writable;
    size_t writable_count;
    size_t spools; /* number of temporary files that may be needed */
    bool any_file; /* restrict system calls only */
} reprise_sandbox;
#define REPRISE_SANDBOX_INIT                                                \
    {                                                                       \
        sizeof(reprise_sandbox), NULL, 0, NULL, 0, false, NULL, 0, 0, false \
    }

/* Bits of the result of reprise_sandbox_enter. */
#define REPRISE_SANDBOX_FILES    1u /* landlock */
#define REPRISE_SANDBOX_SYSCALLS 2u /* seccomp */

/*
 * Enters the sandbox; call it before starting threads. `ret_in_force` gets the restrictions that
 * are in force now: 0 if the kernel supports none, which is not an error. It may be NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_sandbox_enter(const reprise_sandbox *rules,
                                                                  unsigned *ret_in_force,
                                                                  reprise_error *error);

/*
 * Returns the nameless file for `path`, one of the results. The caller owns the descriptor and
 * names the file with linkat. Returns -1 if there is none, or outside a sandbox.
 */
REPRISE_API int reprise_sandbox_file(const char *path);

#ifdef __cplusplus
}
#endif

#endif
