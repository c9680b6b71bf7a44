/*
 * measure.c - runs commands in turn and prints what each one takes, a JSON object per command.
 *
 * usage: measure ROUNDS COMMAND ... [ -- COMMAND ... ]
 *
 * The peak of memory of a process includes that of the process it was forked from, so a command
 * must not be started by a large one: this program has about 1 MiB. Output of the commands goes
 * nowhere. Given are the least processor time (user and system) and the least time by the clock of
 * all rounds, the largest peak of memory, and the largest exit code, 127 for a command that does
 * not exist: a round that failed must not count as a fast one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16 };

typedef struct side {
    char **words;
    double cpu_s, clock_s;
    long peak_kib;
    int code;
} side;

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void become(char **words)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nowhere >= 0; fd++)
        dup2(nowhere, fd);
    execvp(words[0], words);
    _exit(127);
}

static void run(side *s)
{
    double start = now();
    pid_t child = fork();
    if (child < 0)
        exit(1);
    if (child == 0)
        become(s->words);
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child)
        exit(1);
    double clock_s = now() - start;
    double cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    s->code = code > s->code ? code : s->code;
    if (s->clock_s == 0 || clock_s < s->clock_s)
        s->clock_s = clock_s;
    if (s->cpu_s == 0 || cpu_s < s->cpu_s)
        s->cpu_s = cpu_s;
    if (usage.ru_maxrss > s->peak_kib)
        s->peak_kib = usage.ru_maxrss;
}

int main(int argc, char **argv)
{
    side sides[COMMANDS_MAX] = {{0}};
    size_t count = 0;
    long rounds = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    if (rounds < 1)
        return 2;
    for (int i = 2, start = 2; i <= argc && count < COMMANDS_MAX; i++) {
        if (i < argc && strcmp(argv[i], "--") != 0)
            continue;
        argv[i] = NULL;
        sides[count++].words = argv + start;
        start = i + 1;
    }
    for (long round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++)
            run(&sides[i]);
    }
    for (size_t i = 0; i < count; i++)
        printf("{\"cpu_s\": %.6f, \"clock_s\": %.6f, \"peak_kib\": %ld, \"code\": %d}\n",
               sides[i].cpu_s, sides[i].clock_s, sides[i].peak_kib, sides[i].code);
    return 0;
}
