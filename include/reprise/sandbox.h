/*
 * reprise/sandbox.h - giving up rights before hostile files are read.
 *
 * A program that has decided what it will read and write calls reprise_sandbox_enter. From then on
 * it, with all threads it starts later, can open what it named and nothing else, and can neither
 * make a socket nor run another program: a parser that was taken over by a file has nowhere to go.
 * There is no way back. Kernels that lack one half (landlock, seccomp) get the other.
 */
#ifndef REPRISE_SANDBOX_H
#define REPRISE_SANDBOX_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct reprise_sandbox {
    size_t struct_size;
    /* May be read: files, and directories with everything below. What does not exist is skipped. */
    const char *const *readable;
    size_t readable_count;
    /*
     * Files that will be written and appear whole: nothing else in their directories can be opened.
     * The files are opened now, without a name; the library takes them when it needs them.
     */
    const char *const *results;
    size_t result_count;
    bool replace; /* they may exist already */
    /* Directories in which everything may be read, made, written and removed. */
    const char *const *writable;
    size_t writable_count;
    size_t spools; /* temporary files that may be needed */
    bool any_file; /* restrict system calls only */
} reprise_sandbox;

/* Bits of what reprise_sandbox_enter returns. */
#define REPRISE_SANDBOX_FILES    1u /* landlock */
#define REPRISE_SANDBOX_SYSCALLS 2u /* seccomp */

/* What is in force now; 0: nothing, because the kernel has none of it. Call before any threads. */
REPRISE_API unsigned reprise_sandbox_enter(const reprise_sandbox *rules);

/*
 * A file without a name in the directory of `path`, which was among the results: the caller owns
 * the descriptor and gives it its name by linkat. -1 if there is none, as outside a sandbox.
 */
REPRISE_API int reprise_sandbox_file(const char *path);

#ifdef __cplusplus
}
#endif

#endif
