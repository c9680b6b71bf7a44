/*
 * test_usage.c - how the command is called wrongly, and files that cannot be read or written: one
 * exit code for one condition in all verbs, a message that names what it is about, and no output
 * file left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "run_command.h"

#define RUMBLE "tests/data/rumble/z6_edge.replay"
#define TINY   "tests/data/rumble/tiny/z6_tiny.replay"
#define IRON   "tests/data/ironcurtain/basic.icrep"
#define RUN    "tests/data/cs2kz/a3-run.replay"
#define ORDERS "tests/data/openra/p8-2p.orarep"

typedef struct call {
    const char *argv[10];
    int code;
    const char *err; /* part of the message */
} call;

static void check_calls(const call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        command_result r = command_run(calls[i].argv, 60);
        if (r.code != calls[i].code || !strstr(r.err, calls[i].err))
            print_message("%s %s: exit %d, wanted %d: %s\n", calls[i].argv[0],
                          calls[i].argv[1] ? calls[i].argv[1] : "", r.code, calls[i].code, r.err);
        assert_int_equal(r.signal, 0);
        assert_int_equal(r.code, calls[i].code);
        assert_non_null(strstr(r.err, calls[i].err));
        command_free(&r);
    }
}

#define CHECK(calls) check_calls(calls, sizeof(calls) / sizeof *(calls))

static void usage__names_the_option_and_the_value(void **state)
{
    (void)state;
    static const call calls[] = {
        {{"cat", "--track", "players", "--from", "x", RUMBLE}, 2, "'x' for '--from'"},
        {{"cat", "--track", "players", "--from", "1:2:3:4", RUMBLE}, 2, "'1:2:3:4'"},
        {{"cat", "--track", "players", "--from", "1.5:2", RUMBLE}, 2, "'1.5:2'"},
        {{"cat", "--track", "players", "--from", "#", RUMBLE}, 2, "for '--from'"},
        {{"cat", "--from-frame", "99999999999999999999", RUMBLE}, 2, "'--from-frame'"},
        {{"cat", "--interpolate", "cubic", RUMBLE}, 2, "'cubic' for '--interpolate'"},
        {{"cat", "--where", "health", RUMBLE}, 2, "'health' for '--where'"},
        {{"cat", "--where", "=", RUMBLE}, 2, "'=' for '--where'"},
        {{"play", "--from", "-1", IRON}, 2, "'-1' for '--from'"},
        {{"play", "--speed", "fast", IRON}, 2, "'fast' for '--speed'"},
        {{"play", "--speed", "1e999", IRON}, 2, "for '--speed'"},
        {{"play", "--height", "99999999999999999999", IRON}, 2, "'--height'"},
        {{"info", "--limit", "items", RUMBLE}, 2, "'items' for '--limit'"},
        {{"info", "--limit", "items=", RUMBLE}, 2, "for '--limit'"},
        {{"info", "--limit", "items=1X", RUMBLE}, 2, "for '--limit'"},
        {{"info", "--limit", "items=1KB", RUMBLE}, 2, "for '--limit'"},
        {{"info", "--limit", "items=99999999T", RUMBLE}, 2, "for '--limit'"},
        {{"info", "--limit", "items=99999999999999999999", RUMBLE}, 2, "for '--limit'"},
        {{"info", "--limit", "nosuch=1", RUMBLE}, 2, "limit 'nosuch'"},
        {{"diff", "--tolerance", "-1", TINY, TINY}, 2, "'-1' for '--tolerance'"},
        {{"recompress", "--level", "101", TINY, "x"}, 2, "'101' for '--level'"},
        {{"recompress", "--level", "-1", TINY, "x"}, 2, "'-1' for '--level'"},
        {{"recompress", "--level", "best", TINY, "x"}, 2, "'best' for '--level'"},
        {{"trim", "--from", "#x", TINY, "x"}, 2, "for '--from'"},
        {{"export", "--fps", "0", RUMBLE, "x.glb"}, 2, "'0' for '--fps'"},
        {{"export", "--fps", "30s", RUMBLE, "x.glb"}, 2, "'30s' for '--fps'"},
        {{"export", "--tolerance", "a", RUMBLE, "x.glb"}, 2, "'a' for '--tolerance'"},
        {{"export", "--tolerance", "1,91", RUMBLE, "x.glb"}, 2, "'1,91' for '--tolerance'"},
        {{"export", "--scene-max", "0", RUMBLE, "x.html"}, 2, "--scene-max"},
        {{"export", "--offset", "1", RUMBLE, "x.html"}, 2, "--offset"},
        {{"view", "--wait", "soon", RUMBLE}, 2, "--wait"},
        {{"view", "--wait", "-1", RUMBLE}, 2, "--wait"},
        {{"view", "--scene-max", "much", RUMBLE}, 2, "--scene-max"},
        {{"view", "--offset", "inf", RUMBLE, RUMBLE}, 2, "--offset"},
        {{"plot", "--what", "health", "--size", "1", RUMBLE}, 2, "--size"},
        {{"plot", "--what", "health", "--size", "1x1x", RUMBLE}, 2, "--size"},
        {{"plot", "--what", "health", "--players", "0", RUMBLE}, 2, "--players"},
        {{"plot", "--what", "health", "--players", "65", RUMBLE}, 2, "--players"},
        {{"plot", "--what", "health", "--players", "one", RUMBLE}, 2, "--players"},
        {{"anonymize", "--only", "moods", ORDERS, "x"}, 2, "'moods'"},
        {{"anonymize", "--keep", "moods", ORDERS, "x"}, 2, "'moods'"},
        {{"convert", "--embed", "all", IRON, "x"}, 2, "'all' for '--embed'"},
        {{"merge", "--offset", "x", "-o", "x", TINY, TINY}, 2, "--offset"},
        {{"merge", "--offset", "1,2", "-o", "x", TINY, TINY}, 2, "--offset"},
    };
    CHECK(calls);
}

static void usage__names_what_is_missing_or_too_much(void **state)
{
    (void)state;
    static const call calls[] = {
        {{"info"}, 2, "FILE..."},
        {{"convert", TINY}, 2, "NEW"},
        {{"convert", "-o", "x", TINY, "y"}, 2, "NEW"},
        {{"diff", TINY}, 2, "FILE FILE"},
        {{"diff", TINY, TINY, TINY}, 2, "FILE FILE"},
        {{"formats", "rumble"}, 2, "no operands"},
        {{"completion"}, 2, "bash, zsh or fish"},
        {{"man", "nosuch"}, 2, "verb"},
        {{"schema", "nosuch"}, 2, "nosuch"},
        {{"at", TINY}, 2, "--time"},
        {{"at", "--frame", "1", "--time", "1", TINY}, 2, "--time"},
        {{"verify", "--simulate", "--tick", "1", IRON}, 2, "--simulate"},
        {{"prove", "--tick", "1", IRON, "x"}, 2, "--part"},
        {{"sign", IRON, "x"}, 2, "--key"},
        {{"sign", "--new-key", "x", IRON}, 2, "--new-key"},
        {{"record", "x"}, 2, "--demo"},
        {{"record", "--demo", "chess", "x"}, 2, "--demo"},
        {{"record", "--branch", IRON, "x"}, 2, "--at"},
        {{"record", "--demo", "skirmish", "--every", "3", "x"}, 2, "--every"},
        {{"record", "--demo", "skirmish", "--embed", "self-contained", "x"}, 2, "rules"},
        {{"trim", "--run", "--from", "1", RUN, "x"}, 2, "--run"},
        {{"trim", "--lead-in", "1", RUN, "x"}, 2, "--lead-in"},
        {{"import", "--batch", ORDERS}, 2, "-o"},
        {{"import", ORDERS, "x", "y"}, 2, "too many"},
        {{"import", "--include", "*", ORDERS, "x"}, 2, "--output-dir"},
        {{"export", "--output-dir", "x", RUMBLE}, 2, "--as"},
        {{"export", "--as", "glb", RUMBLE, "x.glb"}, 2, "--output-dir"},
        {{"anonymize", "--dry-run", "--output-dir", "x", RUMBLE}, 2, "--dry-run"},
        {{"anonymize", "--report", "x", "--output-dir", "x", RUMBLE}, 2, "--report"},
        {{"convert", "-o", "x", "--output-dir", "x", RUMBLE}, 2, "--output-dir"},
        {{"export", RUMBLE}, 2, "OUTPUT"},
        {{"export", RUMBLE, "x.xyz"}, 2, "'x.xyz'"},
        {{"export", RUMBLE, RUMBLE, "x.glb"}, 2, "'x.glb'"},
        {{"plot", RUMBLE}, 2, "--what"},
        {{"plot", "--what", "health", "--json", RUMBLE}, 2, "--output"},
        {{"merge", TINY, TINY}, 2, "--output"},
        {{"merge", "-o", "-", TINY, TINY}, 2, "--output"},
        {{"cat", "--track", "all", "--format-out", "csv", RUMBLE}, 2, "CSV"},
        {{"cat", "--track", "frames", "--format-out", "csv", "--stored", RUMBLE}, 2, "--stored"},
        {{"anonymize", "--only", "chat", "--keep", "chat", ORDERS, "x"}, 2, "--keep"},
        {{"convert", "--embed", "map", "--to", "final", IRON, "x"}, 2, "--to"},
        {{"cat", "--columns"}, 2, "'--columns' needs a value"},
        {{"cat", "-c"}, 2, "'--columns' needs a value"},
        {{"cat", "-Z", RUMBLE}, 2, "'-Z'"},
        {{"cat", "--quiet=1", RUMBLE}, 2, "takes no value"},
    };
    CHECK(calls);
}

static void files__that_are_missing_are_named_and_give_one(void **state)
{
    (void)state;
    static const call calls[] = {
        {{"info", "no/such"}, 1, "no/such: "},
        {{"tracks", "no/such"}, 1, "no/such: "},
        {{"cat", "--track", "players", "no/such"}, 1, "no/such: "},
        {{"at", "--frame", "0", "no/such"}, 1, "no/such: "},
        {{"stats", "no/such"}, 1, "no/such: "},
        {{"stats", "--against", "no/such", RUN}, 1, "such: "},
        {{"verify", "no/such"}, 1, "no/such: "},
        {{"recover", "no/such", "x"}, 1, "no/such: "},
        {{"convert", "no/such", "x"}, 1, "no/such: "},
        {{"trim", "--from", "1", "no/such", "x"}, 1, "no/such: "},
        {{"anonymize", "no/such", "x"}, 1, "no/such: "},
        {{"strip-voice", "no/such", "x"}, 1, "no/such: "},
        {{"merge", "-o", "x", TINY, "no/such"}, 1, "no/such: "},
        {{"recompress", "no/such", "x"}, 1, "no/such: "},
        {{"diff", TINY, "no/such"}, 1, "no/such: "},
        {{"extract", "no/such", "x"}, 1, "no/such: "},
        {{"prove", "--tick", "1", "--part", "map", "no/such", "x"}, 1, "no/such: "},
        {{"play", "--headless", "no/such"}, 1, "no/such: "},
        {{"record", "--branch", "no/such", "--at", "1", "x"}, 1, "no/such: "},
        {{"import", "no/such", "x"}, 1, "no/such: "},
        {{"export", "no/such", "x.glb"}, 1, "no/such: "},
        {{"export", "--scenery", "no/such", RUMBLE, "x.html"}, 1, "no/such: "},
        {{"view", "--no-open", "--scenery", "no/such", RUMBLE}, 1, "no/such: "},
        {{"plot", "--what", "health", "no/such"}, 1, "no/such: "},
        {{"plot", "--what", "gap", "--against", "no/such", RUN}, 1, "such: "},
        {{"view", "--no-open", "no/such"}, 1, "no/such: "},
        {{"convert", "--settings", "no/such", TINY, "x"}, 1, "no/such: "},
        {{"convert", "--embed", "map", "--embed-map", "no/such", IRON, "x"}, 1, "no/such: "},
        {{"convert", "--embed", "self-contained", "--installed", "no/such", IRON, "x"},
         1,
         "no/such"},
    };
    CHECK(calls);
}

static void files__that_cannot_be_written_are_named_and_give_one(void **state)
{
    (void)state;
    static const call calls[] = {
        {{"cat", "--track", "frames", "-o", "no/such", RUMBLE}, 1, "no/such: "},
        {{"convert", TINY, "no/such"}, 1, "no/such"},
        {{"trim", "--from", "0", TINY, "no/such"}, 1, "no/such"},
        {{"anonymize", TINY, "no/such"}, 1, "no/such"},
        {{"anonymize", "--report", "no/such", TINY, "x"}, 1, "no/such: "},
        {{"anonymize", "--substitutions", "no/such", TINY, "x"}, 1, "no/such: "},
        {{"recompress", TINY, "no/such"}, 1, "no/such"},
        {{"recover", TINY, "no/such"}, 1, "no/such"},
        {{"merge", "--offset", "0", "-o", "no/such", TINY, TINY}, 1, "no/such"},
        {{"extract", "tests/data/ironcurtain/full.icrep", "no/such"}, 1, "No such file"},
        {{"sign", "--new-key", "no/such"}, 1, "no/such: "},
        {{"record", "--demo", "skirmish", "--ticks", "3", "no/such"}, 1, "no/such: "},
        {{"record", "--demo", "skirmish", "--stall-ms", "1", "no/such"}, 1, "no/such: "},
        {{"import", ORDERS, "no/such"}, 1, "no/such"},
        {{"import", "--batch", "-o", "no/such", ORDERS}, 1, "no/such: "},
        {{"export", RUMBLE, "no/such.glb"}, 1, "no/such.glb: "},
        {{"export", RUMBLE, "no/such.html"}, 1, "no/such.html: "},
        {{"export", "--track", "frames", RUMBLE, "no/such.csv"}, 1, "no/such.csv: "},
        {{"plot", "--what", "health", "-o", "no/such", RUMBLE}, 1, "no/such: "},
        {{"cat", "--track", "frames", "-o", "/dev/full", RUMBLE}, 1, "/dev/full: "},
        {{"plot", "--what", "health", "-o", "/dev/full", RUMBLE}, 1, "/dev/full: "},
        {{"cat", "--track", "frames", "-o", "tests", RUMBLE}, 1, "tests: "},
        {{"cat", "--track", "frames", "-o", "README.md", RUMBLE}, 2, "--force"},
    };
    CHECK(calls);
    struct stat info;
    assert_int_not_equal(stat("x", &info), 0);
}

static void files__of_the_wrong_kind_are_refused_by_their_kind(void **state)
{
    (void)state;
    static const call calls[] = {
        {{"play", "--headless", RUMBLE}, 5, "'reprise view FILE'"},
        {{"play", RUMBLE}, 5, "'reprise view FILE'"},
        {{"play", IRON}, 2, "--headless"},
        {{"info", "README.md"}, 4, "README.md: "},
        {{"verify", "README.md"}, 4, "README.md: "},
        {{"sign", "--new-key", "README.md"}, 2, "README.md: "},
        {{"export", "--scenery", "README.md", RUMBLE, "x.html"}, 2, "README.md: "},
        {{"verify", "--trusted-keys", "README.md", IRON}, 2, "README.md"},
        {{"import", IRON, "x"}, 5, IRON ": "},
        {{"prove", "--tick", "1", "--part", "map", RUMBLE, "x"}, 5, RUMBLE ": "},
        {{"convert", "--to", "nosuch", TINY, "x"}, 2, "nosuch"},
        {{"info", "--format", "nosuch", TINY}, 2, "nosuch"},
        {{"info", "--layout", "nosuch", TINY}, 2, "nosuch"},
        {{"export", "--track", "nosuch", RUMBLE, "x.glb"}, 2, "'nosuch'"},
        {{"tracks", "--track", "nosuch", RUMBLE}, 2, "'nosuch'"},
        {{"cat", "--track", "nosuch", RUMBLE}, 2, "'nosuch'"},
        {{"cat", "--track", "frames", "--columns", "nosuch", RUMBLE}, 2, "'nosuch'"},
        {{"cat", "--track", "frames", "--where", "nosuch = 1", RUMBLE}, 2, "'nosuch'"},
        {{"cat", "--track", "frames", "--where", "size = big", RUMBLE}, 2, "'big'"},
        {{"stats", "--against", RUMBLE, RUN}, 5, ""},
        {{"verify", "tests/command"}, 4, "tests/command: "},
        {{"info", "--limit", "input_bytes=10", RUMBLE}, 6, "input_bytes"},
    };
    CHECK(calls);
}

static void quiet__prints_nothing_to_standard_error(void **state)
{
    (void)state;
    static const char *const calls[][6] = {
        {"info", "-q", "no/such"},     {"verify", "-q", "README.md"},
        {"convert", "-q", "no/such"},  {"export", "-q", RUMBLE, "x.xyz"},
        {"cat", "-q", "nosuch", "-c"}, {"verify", "--quiet", "tests/data/openra"},
        {"man", "-q", "nosuch"},       {"at", "--json", "-q", TINY},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        command_result r = command_run(calls[i], 60);
        assert_int_not_equal(r.code, 0);
        assert_int_equal(r.err_size, 0);
        command_free(&r);
    }
}

/* With --json every error is a document on standard output, usage errors included. */
static void json__has_every_error_as_a_document(void **state)
{
    (void)state;
    static const char *const calls[][6] = {
        {"info", "--json", "no/such"},
        {"convert", "--json", TINY},
        {"export", "--json", RUMBLE, "x.xyz"},
        {"nosuch", "--json"},
        {"cat", "--nosuch", "--json", RUMBLE},
        {"merge", "--json", TINY, TINY},
        {"record", "--json", "x"},
        {"view", "--json", "--wait", "x", RUMBLE},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        command_result r = command_run(calls[i], 60);
        assert_int_not_equal(r.code, 0);
        assert_int_equal(r.out[0], '{');
        assert_non_null(strstr(r.out, "\"error\":{\"status\":"));
        assert_string_equal(r.out + r.out_size - 2, "}\n");
        command_free(&r);
    }
}

static void settings__name_the_line_that_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int code;
        const char *err;
    } cases[] = {
        {"[compression]\nreplay_level = \"best\"\n", 2, ":2:"},
        {"[recording]\n\nkeyframe_ticks = 0\n", 2, ":3:"},
        {"[recording]\nflush_ms = 12x\n", 2, ":2:"},
        {"[recording]\nflush_ms = 99999999999\n", 2, ":2:"},
        {"nonsense\n", 2, ":1:"},
        {"[colours]\nsky = \"blue\"\n", 0, "colours"},
        {"top = 1\n", 0, "top"},
        {"[recording]\nsky = 1 # blue\n", 0, "sky"},
        {"# nothing\n[compression]\nsave_level = \"compact\" # \"#\"\n", 0, ""},
    };
    char path[] = "/tmp/reprise-settings-XXXXXX", out[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(out, sizeof out, "%s.replay", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].text);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, cases[i].text, size, 0), size);
        command_result r = command_run(
            (const char *const[]){"convert", "--settings", path, TINY, out, NULL}, 60);
        assert_int_equal(r.code, cases[i].code);
        assert_non_null(strstr(r.err, cases[i].err));
        command_free(&r);
        unlink(out);
    }
    close(fd);
    unlink(path);
}

static void keys__are_checked_before_they_are_used(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mode_t mode;
        const char *option, *err;
    } cases[] = {
        {"xyz\n", 0600, "--trusted-keys", "line 1"},
        {"# comment\n0123456789abcdef\n", 0600, "--trusted-keys", "line 2"},
        {"# secret key of a relay\n", 0600, "--trusted-keys", "secret"},
        {"", 0602, "--trusted-keys", "chmod o-w"},
    };
    char path[] = "/tmp/reprise-keys-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].text);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, cases[i].text, size, 0), size);
        assert_int_equal(fchmod(fd, cases[i].mode), 0);
        command_result r = command_run(
            (const char *const[]){"verify", cases[i].option, path, IRON, NULL}, 60);
        assert_int_equal(r.code, 2);
        assert_non_null(strstr(r.err, cases[i].err));
        command_free(&r);
    }
    assert_int_equal(fchmod(fd, 0640), 0);
    command_result r = command_run((const char *const[]){"sign", "--key", path, IRON, "x", NULL},
                                   60);
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "chmod 600"));
    command_free(&r);
    close(fd);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage__names_the_option_and_the_value),
        cmocka_unit_test(usage__names_what_is_missing_or_too_much),
        cmocka_unit_test(files__that_are_missing_are_named_and_give_one),
        cmocka_unit_test(files__that_cannot_be_written_are_named_and_give_one),
        cmocka_unit_test(files__of_the_wrong_kind_are_refused_by_their_kind),
        cmocka_unit_test(quiet__prints_nothing_to_standard_error),
        cmocka_unit_test(json__has_every_error_as_a_document),
        cmocka_unit_test(settings__name_the_line_that_is_wrong),
        cmocka_unit_test(keys__are_checked_before_they_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
