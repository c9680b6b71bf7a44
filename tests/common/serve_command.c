/*
 * serve_command.c - the command for tests that run it thousands of times (served.py).
 *
 * A program with sanitizers takes 20 ms to start and to end, whatever it does: libraries are
 * loaded, memory is mapped, tens of thousands of globals are registered, and at the end all of them
 * are searched for pointers. This program does the first part once and forks a child per command
 * line. The search for leaks is left out where a child ends with as much memory as it began with,
 * because then nothing can have leaked.
 *
 * A message is one packet on a socket: the number of arguments, the directory, the arguments and
 * the environment, with a 0 after each, and two descriptors, for standard output and standard
 * error. The answer is the status of wait().
 */
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "end_child.h"
#include "run.h"
#include "sandbox.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITH_ADDRESS_SANITIZER
#endif

#ifdef WITH_ADDRESS_SANITIZER
/* Debian's gcc has these functions without a header for the first one. */
size_t __sanitizer_get_current_allocated_bytes(void);
void __lsan_do_leak_check(void);
#endif

/* Ends the process if it leaked. One that has as much memory as `before` cannot have. */
static void check_leaks(size_t before)
{
#ifdef WITH_ADDRESS_SANITIZER
    if (__sanitizer_get_current_allocated_bytes() != before)
        __lsan_do_leak_check();
#else
    (void)before;
#endif
}

static size_t allocated_bytes(void)
{
#ifdef WITH_ADDRESS_SANITIZER
    return __sanitizer_get_current_allocated_bytes();
#else
    return 0;
#endif
}

enum { MESSAGE_MAX = 128 << 10, WORDS_MAX = 4096 };

extern char **environ;

typedef struct message {
    char text[MESSAGE_MAX + 1];
    char *words[WORDS_MAX];
    size_t count;
    int streams[2];
} message;

/* Waits for the next message; false after the last one. */
static bool receive(int link, message *m)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(m->streams))];
    } control;
    struct iovec part = {m->text, MESSAGE_MAX};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof(control.bytes)};
    ssize_t size = recvmsg(link, &head, 0);
    if (size <= 0)
        return false;
    struct cmsghdr *passed = CMSG_FIRSTHDR(&head);
    if ((head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || !passed ||
        passed->cmsg_len != CMSG_LEN(sizeof(m->streams)))
        abort();
    memcpy(m->streams, CMSG_DATA(passed), sizeof(m->streams));
    m->count = 0;
    for (char *word = m->text; word < m->text + size; word += strlen(word) + 1) {
        if (m->count == WORDS_MAX)
            abort();
        m->words[m->count++] = word;
    }
    return true;
}

/* What the kernel and the shell prepare for a program. */
static void prepare(message *m, char **arguments, int argument_count, char **variables)
{
    int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(m->streams[0], STDOUT_FILENO) < 0 ||
        dup2(m->streams[1], STDERR_FILENO) < 0 || chdir(m->words[1]) != 0)
        abort();
    close(nothing);
    close(m->streams[0]);
    close(m->streams[1]);
    memcpy(arguments, m->words + 2, (size_t)argument_count * sizeof(*arguments));
    size_t variable_count = m->count - 2 - (size_t)argument_count;
    memcpy(variables, m->words + 2 + argument_count, variable_count * sizeof(*variables));
    environ = variables;
}

static _Noreturn void run_child(message *m)
{
    static char *arguments[WORDS_MAX + 1], *variables[WORDS_MAX + 1], buffer[4096];
    int argument_count = (int)strtol(m->words[0], NULL, 10);
    prepare(m, arguments, argument_count, variables);
    /* As large as the one that stdio would allocate and keep. */
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    cli_sandbox_wanted = true;
    size_t before = allocated_bytes();
    int code = cli_main(argument_count, arguments);
    fflush(NULL);
    check_leaks(before);
    end_child(code);
}

/*
 * The first hash makes OpenSSL allocate tables that it keeps, which takes 3 ms and looks like a
 * leak to check_leaks(). Children inherit them.
 */
static void warm_up(void)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (!EVP_Digest("", 0, digest, NULL, EVP_sha256(), NULL))
        abort();
}

int main(int argc, char **argv)
{
    static message m;
    warm_up();
    int link = argc == 2 ? (int)strtol(argv[1], NULL, 10) : -1;
    while (receive(link, &m)) {
        pid_t child = fork();
        if (child == 0) {
            close(link);
            run_child(&m);
        }
        close(m.streams[0]);
        close(m.streams[1]);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (send(link, &status, sizeof(status), MSG_NOSIGNAL) != (ssize_t)sizeof(status))
            return 1;
    }
    return 0;
}
