/*
 * test_record_syncs.c - `record` on a disk that does not confirm that data is on it. The calls of
 * the library go to the function here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_command.h"

static int cause;

int fdatasync(int fd)
{
    (void)fd;
    errno = cause;
    return cause ? -1 : 0;
}

static command_result record(int failure, const char *option)
{
    char path[] = "/tmp/reprise-syncs-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    cause = failure;
    command_result r = command_run((const char *[]){"record", "--demo", "skirmish", "--ticks", "40",
                                                    "--force", path, option, NULL},
                                   60);
    cause = 0;
    command_result verdict = command_run((const char *[]){"verify", "--quiet", path, NULL}, 60);
    assert_int_equal(verdict.code, 0); /* every record is in the file all the same */
    command_free(&verdict);
    unlink(path);
    return r;
}

static void record__failed_syncs_are_reported(void **state)
{
    (void)state;
    command_result r = record(EIO, NULL);
    assert_int_equal(r.code, 3);
    assert_non_null(strstr(r.err, "to disk failed"));
    command_free(&r);
    r = record(EIO, "--json");
    assert_int_equal(r.code, 3);
    assert_non_null(strstr(r.out, "\"failed_syncs\":"));
    assert_null(strstr(r.out, "\"failed_syncs\":0"));
    assert_non_null(strstr(r.out, "\"failed_writes\":0"));
    command_free(&r);
}

static void record__syncs_that_work_are_not_mentioned(void **state)
{
    (void)state;
    command_result r = record(0, NULL);
    assert_int_equal(r.code, 0);
    assert_null(strstr(r.err, "failed"));
    command_free(&r);
    r = record(0, "--json");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "\"failed_syncs\":0"));
    command_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record__failed_syncs_are_reported),
        cmocka_unit_test(record__syncs_that_work_are_not_mentioned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
