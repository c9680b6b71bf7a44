/*
 * test_files.c - laws about files that cannot be read or written: whatever the verb, one condition
 * has one sentence, which begins with the name of the file it is about, and one exit code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "exitcode.h"
#include "run_command.h"

#define RUMBLE "tests/data/rumble/z6_edge.replay"
#define IRON   "tests/data/ironcurtain/full.icrep"
#define RUN    "tests/data/cs2kz/a3-run.replay"
#define ORDERS "tests/data/openra/p8-2p.orarep"
#define IN     "{in}"
#define OUT    "{out}"

typedef struct call {
    const char *argv[10];
    const char *suffix; /* that the output must have */
} call;

/* Every place at which a verb takes a file to read. */
static const call readers[] = {
    {{"info", IN}, ""},
    {{"verify", IN}, ""},
    {{"tracks", IN}, ""},
    {{"cat", "--track", "players", "--format-out", "csv", IN}, ""},
    {{"at", "--frame", "0", IN}, ""},
    {{"stats", IN}, ""},
    {{"stats", "--against", IN, RUN}, ""},
    {{"recover", IN, OUT}, ""},
    {{"convert", IN, OUT}, ""},
    {{"trim", "--from", "1", IN, OUT}, ""},
    {{"anonymize", IN, OUT}, ""},
    {{"strip-voice", IN, OUT}, ""},
    {{"recompress", IN, OUT}, ""},
    {{"merge", "-o", OUT, IN, RUMBLE}, ""},
    {{"merge", "-o", OUT, RUMBLE, IN}, ""},
    {{"diff", IN, RUMBLE}, ""},
    {{"diff", RUMBLE, IN}, ""},
    {{"extract", IN, OUT}, ""},
    {{"prove", "--tick", "1", "--part", "map", IN, OUT}, ""},
    {{"play", "--headless", IN}, ""},
    {{"record", "--branch", IN, "--at", "1", OUT}, ""},
    {{"import", IN, OUT}, ""},
    {{"export", IN, OUT}, ".glb"},
    {{"export", IN, OUT}, ".html"},
    {{"export", IN, OUT}, ".json"},
    {{"export", "--track", "players", IN, OUT}, ".csv"},
    {{"plot", "--what", "health", IN}, ""},
    {{"plot", "--what", "gap", "--against", IN, RUN}, ""},
    {{"view", "--no-open", IN}, ""},
};

/* Every place at which a verb writes a file. */
static const call writers[] = {
    {{"recover", RUMBLE, OUT}, ""},
    {{"convert", RUMBLE, OUT}, ""},
    {{"convert", "-o", OUT, RUMBLE}, ""},
    {{"trim", "--from", "0", RUMBLE, OUT}, ""},
    {{"anonymize", RUMBLE, OUT}, ""},
    {{"anonymize", "--substitutions", OUT, RUMBLE, "never"}, ""},
    {{"anonymize", "--report", OUT, RUMBLE, "never"}, ""},
    {{"strip-voice", IRON, OUT}, ""},
    {{"recompress", RUMBLE, OUT}, ""},
    {{"merge", "-o", OUT, RUMBLE, RUMBLE}, ""},
    {{"prove", "--tick", "600", "--part", "players", IRON, OUT}, ""},
    {{"record", "--demo", "skirmish", "--ticks", "3", OUT}, ""},
    {{"import", ORDERS, OUT}, ""},
    {{"export", RUMBLE, OUT}, ".glb"},
    {{"export", RUMBLE, OUT}, ".html"},
    {{"export", RUMBLE, OUT}, ".json"},
    {{"export", "--track", "frames", RUMBLE, OUT}, ".csv"},
    {{"plot", "--what", "health", "-o", OUT, RUMBLE}, ""},
    {{"cat", "--track", "frames", "-o", OUT, RUMBLE}, ""},
};

static char folder[] = "/tmp/reprise-files-XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

/* Nothing may be left that a test did not make and remove. */
static int leave(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void in_folder(char *to, size_t size, const char *name, const char *suffix)
{
    snprintf(to, size, "%s/%s%s", folder, name, suffix);
}

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* Runs a call with these files; `about` is named first and then these words follow. */
static void expect(const call *one, const char *in, const char *out, const char *about, int code,
                   const char *words)
{
    const char *argv[COMMAND_ARGUMENTS_MAX] = {NULL};
    for (size_t i = 0; i < 10 && one->argv[i]; i++)
        argv[i] = strcmp(one->argv[i], IN) == 0    ? in
                  : strcmp(one->argv[i], OUT) == 0 ? out
                                                   : one->argv[i];
    char expected[512];
    snprintf(expected, sizeof expected, "reprise: %s: %s\n", about, words);
    command_result r = command_run(argv, 60);
    if (r.code != code || strcmp(r.err, expected) != 0)
        fail_msg("%s %s: exit %d: %s, not %d: %s", argv[0], argv[1], r.code, r.err, code, expected);
    if (r.out_size)
        fail_msg("%s %s printed: %s", argv[0], argv[1], r.out);
    command_free(&r);
}

static void check_readers(const char *in, int code, const char *words)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        char out[128];
        in_folder(out, sizeof out, "out", readers[i].suffix);
        expect(&readers[i], in, out, in, code, words);
    }
}

static void inputs__that_are_missing(void **state)
{
    (void)state;
    check_readers("no/such", CLI_FAILED, "cannot open: No such file or directory");
}

static void inputs__that_cannot_be_opened(void **state)
{
    (void)state;
    check_readers("README.md/file", CLI_FAILED, "cannot open: Not a directory");
}

static void inputs__that_are_empty(void **state)
{
    (void)state;
    char in[128];
    in_folder(in, sizeof in, "empty", "");
    make_file(in);
    check_readers(in, CLI_UNRECOGNIZED,
                  "file+0x0: the file is empty; 'reprise formats' lists all formats and layouts");
    unlink(in);
}

static void inputs__that_are_no_replay(void **state)
{
    (void)state;
    check_readers("README.md", CLI_UNRECOGNIZED,
                  "file+0x0: no known replay begins with 23 20 52 65 70 72 69 73; "
                  "'reprise formats' lists all formats and layouts");
}

/* These look for replays in a directory. */
static bool reads_directories(const call *one)
{
    static const char *const verbs[] = {"info", "verify", "tracks", "stats", "view"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(one->argv[0], verbs[i]) == 0)
            return strcmp(one->argv[1], "--against") != 0;
    }
    return false;
}

static void inputs__that_are_directories(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        char out[128];
        in_folder(out, sizeof out, "out", readers[i].suffix);
        bool looks = reads_directories(&readers[i]);
        expect(&readers[i], folder, out, folder, looks ? CLI_UNRECOGNIZED : CLI_FAILED,
               looks ? "no replay in this directory" : "cannot open: Is a directory");
    }
}

static void outputs__that_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char out[128];
        in_folder(out, sizeof out, "out", writers[i].suffix);
        make_file(out);
        expect(&writers[i], "", out, out, CLI_USAGE, "exists; use --force to replace it");
        struct stat info;
        assert_int_equal(stat(out, &info), 0);
        assert_int_equal(info.st_size, 0);
        unlink(out);
    }
}

/* `export` writes tables into a directory. */
static void outputs__that_are_directories(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char out[128];
        if (strcmp(writers[i].argv[0], "export") == 0)
            continue;
        in_folder(out, sizeof out, "out", writers[i].suffix);
        assert_int_equal(mkdir(out, 0700), 0);
        expect(&writers[i], "", out, out, CLI_FAILED, "cannot create: Is a directory");
        assert_int_equal(rmdir(out), 0);
    }
}

static void outputs__without_a_directory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char out[128];
        in_folder(out, sizeof out, "no/such", writers[i].suffix);
        expect(&writers[i], "", out, out, CLI_FAILED, "cannot create: No such file or directory");
    }
}

/* What is never replaced says so in the same words. */
static void outputs__that_are_never_replaced(void **state)
{
    (void)state;
    static const call extracts = {{"extract", IRON, OUT}, ""};
    static const call signs = {{"sign", "--new-key", OUT}, ""};
    expect(&extracts, "", folder, folder, CLI_USAGE, "exists; the directory must be a new one");
    expect(&extracts, "", "no/such", "no/such", CLI_FAILED,
           "cannot create: No such file or directory");
    expect(&signs, "", "README.md", "README.md", CLI_USAGE,
           "exists; choose another name, because a key is never replaced");
    expect(&signs, "", "no/such", "no/such", CLI_FAILED,
           "cannot create: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs__that_are_missing),
        cmocka_unit_test(inputs__that_cannot_be_opened),
        cmocka_unit_test(inputs__that_are_empty),
        cmocka_unit_test(inputs__that_are_no_replay),
        cmocka_unit_test(inputs__that_are_directories),
        cmocka_unit_test(outputs__that_exist),
        cmocka_unit_test(outputs__that_are_directories),
        cmocka_unit_test(outputs__without_a_directory),
        cmocka_unit_test(outputs__that_are_never_replaced),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
