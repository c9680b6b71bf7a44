/* test_cores.c - how many threads the command uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "batch/cores.h"

static void cores__a_quota_is_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(cli_cores_of_quota("max 100000\n", 8), 8);
    assert_int_equal(cli_cores_of_quota("50000 100000\n", 8), 1);
    assert_int_equal(cli_cores_of_quota("100000 100000\n", 8), 1);
    assert_int_equal(cli_cores_of_quota("150000 100000\n", 8), 2);
    assert_int_equal(cli_cores_of_quota("1600000 100000\n", 8), 8);
}

static void cores__a_quota_that_makes_no_sense_is_ignored(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "-1 100000", "0 0", "100000", "5 -5", "words"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(cli_cores_of_quota(texts[i], 4), 4);
}

static void cores__one_small_file_is_not_worth_threads(void **state)
{
    (void)state;
    char edge[] = "tests/data/rumble/z6_edge.replay", empty[] = "tests/data/rumble/z5_empty.replay";
    char all[] = "tests/data";
    char *small[] = {edge, empty}, *directory[] = {all};
    assert_false(cli_is_worth_threads(small, 1));
    assert_true(cli_is_worth_threads(small, 2));
    assert_true(cli_is_worth_threads(directory, 1));
    assert_true(cli_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores__a_quota_is_rounded_up),
        cmocka_unit_test(cores__a_quota_that_makes_no_sense_is_ignored),
        cmocka_unit_test(cores__one_small_file_is_not_worth_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
