/*
 * fuzz_command.c - any words on the command line. Each line of the input is an argument; the
 * command runs in this process, in a folder of its own that holds a few replays. Slashes become
 * underscores, so that no path leads out of that folder.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "run.h"

enum { ARGUMENTS_MAX = 16, RUNS_UNTIL_CLEANING = 256 };

/* Not there in builds without sanitizers. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static const char *const samples[][2] = {
    {"tests/data/rumble/z6_match_like_1.2.4.replay", "a.replay"},
    {"tests/data/openra/p21-2p.orarep", "b.orarep"},
    {"tests/data/ironcurtain/basic.icrep", "c.icrep"},
    {"tests/data/ironcurtain/checkpoint.icsave", "d.icsave"},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static struct {
    unsigned char *data;
    size_t size;
} contents[SAMPLES];

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void load_samples(void)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        FILE *file = fopen(samples[i][0], "rb");
        must(file != NULL);
        contents[i].data = malloc(1 << 20);
        must(contents[i].data != NULL);
        contents[i].size = fread(contents[i].data, 1, 1 << 20, file);
        fclose(file);
    }
}

static void fill_folder(void)
{
    DIR *folder = opendir(".");
    struct dirent *item;
    must(folder != NULL);
    while ((item = readdir(folder)))
        (void)!remove(item->d_name); /* folders that are not empty stay */
    closedir(folder);
    for (size_t i = 0; i < SAMPLES; i++) {
        FILE *file = fopen(samples[i][1], "wb");
        must(file && fwrite(contents[i].data, 1, contents[i].size, file) == contents[i].size);
        fclose(file);
    }
}

static void prepare(void)
{
    static char folder[] = "/tmp/fuzz-command-XXXXXX";
    load_samples();
    must(mkdtemp(folder) && chdir(folder) == 0);
    setenv("HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    /* What a sanitizer says still reaches the terminal, what the command says does not. */
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)dup(STDERR_FILENO));
}

/* Verbs that wait for people, for a page or for time to pass. */
static bool waits(const char *verb)
{
    return strcmp(verb, "view") == 0 || strcmp(verb, "play") == 0 || strcmp(verb, "record") == 0;
}

/* Arguments are written to while they are parsed. */
static int split(char *text, char **arguments)
{
    static char name[] = "reprise", help[] = "--help", open[] = "--no-sandbox";
    int count = 0;
    arguments[count++] = name;
    for (char *word = text; word && count < ARGUMENTS_MAX; count++) {
        char *end = strchr(word, '\n');
        if (end)
            *end++ = 0;
        arguments[count] = word;
        word = end;
    }
    if (count > 1 && waits(arguments[1]))
        arguments[count++] = help;
    /* A sandbox would outlive this run. */
    else if (count > 1)
        arguments[count++] = open;
    arguments[count] = NULL;
    return count;
}

static void run_quietly(int count, char **arguments)
{
    int nothing = open("/dev/null", O_RDWR);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    must(nothing >= 0 && out >= 0 && err >= 0);
    must(dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
         dup2(nothing, STDERR_FILENO) >= 0);
    int code = cli_main(count, arguments);
    must(dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0);
    close(nothing);
    close(out);
    close(err);
    must(code >= 0 && code <= 6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned runs;
    if (!runs)
        prepare();
    if (runs++ % RUNS_UNTIL_CLEANING == 0)
        fill_folder();
    char *text = malloc(size + 1), *arguments[ARGUMENTS_MAX + 2];
    must(text != NULL);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] == '/' ? '_' : (char)data[i];
    text[size] = 0;
    run_quietly(split(text, arguments), arguments);
    free(text);
    return 0;
}
