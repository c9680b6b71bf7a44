/*
 * run_command.h - the command in a child of this process: no program is started, and whatever it
 * does to itself (crash, hang, memory) is seen from outside.
 */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "end_child.h"
#include "run.h"

enum { COMMAND_ARGUMENTS_MAX = 24 };

typedef struct command_result {
    int code;    /* exit code; -1 after a signal */
    int signal;  /* which one, or 0: SIGXCPU after `seconds` of work, SIGALRM after 20 times that */
    size_t peak; /* bytes of memory at most, with those of the caller */
    char *out, *err; /* what was printed, with a 0 after it; command_free() */
    size_t out_size, err_size;
} command_result;

static inline char *command_read_back(int fd, size_t *ret_size)
{
    off_t end = lseek(fd, 0, SEEK_END);
    size_t size = end > 0 ? (size_t)end : 0;
    char *text = malloc(size + 1);
    if (!text || pread(fd, text, size, 0) != (ssize_t)size)
        abort();
    text[size] = 0;
    *ret_size = size;
    return text;
}

/* An empty file for what is printed: made once, since making files is slow. */
static inline int command_memory_file(int *fd)
{
    FILE *file = *fd < 0 ? tmpfile() : NULL;
    if (file) {
        *fd = dup(fileno(file));
        fclose(file);
    }
    if (*fd < 0 || ftruncate(*fd, 0) != 0 || lseek(*fd, 0, SEEK_SET) != 0)
        abort();
    return *fd;
}

/*
 * Runs `argv`, which ends with NULL and begins with the verb, for so many seconds at most. Standard
 * output goes to the file `to`, or to the result if that is NULL.
 */
static inline command_result command_run_to(const char *to, const char *const *argv,
                                            unsigned seconds)
{
    char *arguments[COMMAND_ARGUMENTS_MAX + 2] = {(char *)(uintptr_t) "reprise"};
    int count = 1;
    for (; argv[count - 1]; count++) {
        /* As for any program, the words are its own to change. */
        if (count > COMMAND_ARGUMENTS_MAX || !(arguments[count] = strdup(argv[count - 1])))
            abort();
    }
    static int files[2] = {-1, -1};
    int out = command_memory_file(&files[0]), err = command_memory_file(&files[1]);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDONLY), target = to ? open(to, O_WRONLY) : out;
        if (dup2(nothing, STDIN_FILENO) < 0 || dup2(target, STDOUT_FILENO) < 0 ||
            dup2(err, STDERR_FILENO) < 0)
            _exit(1);
        struct rlimit work = {seconds, seconds};
        (void)setrlimit(RLIMIT_CPU, &work);
        alarm(20 * seconds);
        end_child(cli_main(count, arguments));
    }
    for (int i = 1; i < count; i++)
        free(arguments[i]);
    int status = 0;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
        continue;
    command_result r = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                        .peak = (size_t)usage.ru_maxrss * 1024};
    r.out = command_read_back(out, &r.out_size);
    r.err = command_read_back(err, &r.err_size);
    return r;
}

static inline command_result command_run(const char *const *argv, unsigned seconds)
{
    return command_run_to(NULL, argv, seconds);
}

static inline void command_free(command_result *r)
{
    free(r->out);
    free(r->err);
}

#endif
