/* test_command.c - the command as a function: it can be called again, and in a child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_command.h"

static const char SOUND[] = "tests/data/rumble/z6_match_like_1.2.4.replay";

static void command__gives_the_exit_code_and_the_words(void **state)
{
    (void)state;
    static const struct {
        const char *argv[4];
        int code;
        const char *out, *err;
    } cases[] = {{{"verify", SOUND, NULL}, 0, "ok", ""},
                 {{"verify", "tests/data/rumble/bad/verdicts.tsv", NULL}, 4, "", "reprise: "},
                 {{"verify", "tests/no-such-file", NULL}, 1, "", "No such file"},
                 {{"verfy", SOUND, NULL}, 2, "", "verify"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_result r = command_run(cases[i].argv, 60);
        assert_int_equal(r.signal, 0);
        assert_int_equal(r.code, cases[i].code);
        assert_non_null(strstr(r.out, cases[i].out));
        assert_non_null(strstr(r.err, cases[i].err));
        command_free(&r);
    }
}

static void command__can_be_called_again(void **state)
{
    (void)state;
    char *argv[] = {(char *)(uintptr_t) "reprise", (char *)(uintptr_t) "verify",
                    (char *)(uintptr_t) "--quiet", (char *)(uintptr_t)SOUND, NULL};
    int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
    fflush(stdout);
    assert_true(dup2(nothing, STDOUT_FILENO) >= 0);
    int first = cli_main(4, argv), second = cli_main(4, argv);
    assert_true(dup2(out, STDOUT_FILENO) >= 0);
    close(nothing);
    close(out);
    assert_int_equal(first, 0);
    assert_int_equal(second, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command__gives_the_exit_code_and_the_words),
        cmocka_unit_test(command__can_be_called_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
