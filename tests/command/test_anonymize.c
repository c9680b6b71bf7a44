/* test_anonymize.c - what `anonymize` leaves, reports and writes, and with which permissions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>

#include "hash.h"
#include "run_command.h"
#include "samples.h"

enum { SECONDS = 120, KINDS_MAX = 16, PATH_SIZE = 128 };

static const char OPENRA[] = "tests/data/openra/p21-2p.orarep";
static const char *const SAMPLES[] = {
    OPENRA,
    "tests/data/rumble/z6_voices_extensions.replay",
    "tests/data/cs2kz/a1-run-styles-server.replay",
    "tests/data/ironcurtain/full.icrep",
    "tests/data/mcreplay/names_and_containers.replay",
    "tests/data/remastered/ra-full-skirmish.bin",
};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

/* ---- a folder of its own ---- */

static char folder[64];

static const char *in_folder(char path[PATH_SIZE], const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/reprise-anonymize-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static size_t count_files(bool removes)
{
    size_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        char path[PATH_SIZE + 256];
        if (entry->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (removes)
            unlink(path);
    }
    closedir(list);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)count_files(true);
    return rmdir(folder);
}

static command_result run(const char *const *argv)
{
    command_result r = command_run(argv, SECONDS);
    assert_int_equal(r.signal, 0);
    return r;
}

static char *contents(const char *path)
{
    sample file = load_sample(path);
    char *text = realloc(file.data, file.size + 1);
    assert_non_null(text);
    text[file.size] = 0;
    return text;
}

/* ---- what is private ---- */

typedef struct kind_list {
    char names[KINDS_MAX][16];
    size_t count;
} kind_list;

static bool has_kind(const kind_list *kinds, const char *name)
{
    for (size_t i = 0; i < kinds->count; i++) {
        if (strcmp(kinds->names[i], name) == 0)
            return true;
    }
    return false;
}

/* The kinds in the list of private data that `info` gives. */
static kind_list private_kinds(const char *path)
{
    static const char key[] = "\"kind\":\"";
    kind_list kinds = {.count = 0};
    command_result r = run((const char *[]){"info", "--json", path, NULL});
    char *at = strstr(r.out, "\"private\":[");
    assert_non_null(at);
    char *end = strchr(at, ']');
    assert_non_null(end);
    *end = 0;
    while ((at = strstr(at, key))) {
        at += sizeof key - 1;
        size_t size = strcspn(at, "\"");
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        if (has_kind(&kinds, name))
            continue;
        assert_true(kinds.count < KINDS_MAX);
        memcpy(kinds.names[kinds.count++], name, sizeof name);
    }
    command_free(&r);
    return kinds;
}

static void anonymize__keep_leaves_just_the_kinds_it_names(void **state)
{
    (void)state;
    char result[PATH_SIZE];
    size_t left = 0;
    in_folder(result, "result");
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        kind_list before = private_kinds(SAMPLES[i]);
        assert_true(before.count > 0);
        for (size_t k = 0; k < before.count; k++) {
            command_result r = run((const char *[]){"anonymize", "--lossy", "--force", "--keep",
                                                    before.names[k], SAMPLES[i], result, NULL});
            if (r.code != 0 && r.code != 3)
                fail_msg("%s --keep %s: exit %d: %s", SAMPLES[i], before.names[k], r.code, r.err);
            kind_list after = private_kinds(result);
            char gone[32];
            snprintf(gone, sizeof gone, "removed: %s ", before.names[k]);
            /* Data that no writer keeps, such as stray memory, is removed too, and reported. */
            bool is_left = after.count == 1 && has_kind(&after, before.names[k]);
            bool is_told = after.count == 0 && strstr(r.err, gone) != NULL;
            if (!is_left && !is_told)
                fail_msg("%s --keep %s leaves %zu kinds, '%s' first", SAMPLES[i], before.names[k],
                         after.count, after.names[0]);
            left += is_left;
            command_free(&r);
        }
    }
    assert_true(left > (size_t)3 * SAMPLE_COUNT);
}

/* What is left of a sample, by the old spelling of an option and by the new one. */
static void anonymize__old_spellings_do_the_same(void **state)
{
    (void)state;
    static const char *const pairs[][4] = {
        {"--keep-dates", NULL, "--keep", "times"},
        {"--keep-extensions", NULL, "--keep", "extensions"},
    };
    char old[PATH_SIZE], now[PATH_SIZE], plain[PATH_SIZE];
    in_folder(old, "old");
    in_folder(now, "now");
    in_folder(plain, "plain");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const char *const *p = pairs[k];
        size_t different = 0;
        for (size_t i = 0; i < SAMPLE_COUNT; i++) {
            const char *const calls[][8] = {
                {"anonymize", "--lossy", "--force", p[0], SAMPLES[i], old},
                {"anonymize", "--lossy", "--force", p[2], p[3], SAMPLES[i], now},
                {"anonymize", "--lossy", "--force", SAMPLES[i], plain},
            };
            for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
                command_result r = run(calls[c]);
                command_free(&r);
            }
            kind_list left = private_kinds(old), same = private_kinds(now);
            assert_int_equal(left.count, same.count);
            for (size_t n = 0; n < left.count; n++)
                assert_true(has_kind(&same, left.names[n]));
            different += left.count != private_kinds(plain).count;
        }
        assert_true(different > 0); /* the option does something */
    }
}

/* ---- the report ---- */

static void put_digest(const char *path, char hex[2 * RP_SHA256_SIZE + 1])
{
    sample file = load_sample(path);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    uint8_t digest[RP_SHA256_SIZE];
    rp_sha256 *sha = NULL;
    assert_int_equal(rp_sha256_new(&context, &sha, &error), REPRISE_OK);
    rp_sha256_update(sha, file.data, file.size);
    rp_sha256_final(sha, digest);
    rp_sha256_free(sha);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    free(file.data);
}

static void assert_digest(const char *report, const char *member, const char *path)
{
    char hex[2 * RP_SHA256_SIZE + 1];
    put_digest(path, hex);
    const char *at = strstr(report, member);
    assert_non_null(at);
    const char *end = strchr(at, '}'), *found = strstr(at, hex);
    if (!found || found > end)
        fail_msg("the report has another digest of %s", path);
}

static void anonymize__report_has_the_digests_of_input_and_output(void **state)
{
    (void)state;
    char result[PATH_SIZE], report[PATH_SIZE];
    in_folder(result, "result");
    in_folder(report, "report.json");
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        command_result r = run((const char *[]){"anonymize", "--lossy", "--force", "--report",
                                                report, SAMPLES[i], result, NULL});
        assert_true(r.code == 0 || r.code == 3);
        command_free(&r);
        char *text = contents(report);
        assert_digest(text, "\"input\"", SAMPLES[i]);
        assert_digest(text, "\"output\"", result);
        /* The table of who is who is not part of it. */
        assert_null(strstr(text, "\"substitutions\""));
        free(text);
    }
}

static void anonymize__verifies_its_result(void **state)
{
    (void)state;
    char result[PATH_SIZE];
    in_folder(result, "result");
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        command_result r = run((const char *[]){"anonymize", "--lossy", "--force", "--json",
                                                SAMPLES[i], result, NULL});
        assert_non_null(strstr(r.out, "\"verified\":true"));
        command_free(&r);
        r = run((const char *[]){"verify", "--no-simulate", result, NULL});
        assert_true(r.code == 0 || r.code == 3);
        command_free(&r);
    }
}

static void anonymize__copies_of_faults_are_not_called_verified(void **state)
{
    (void)state;
    char result[PATH_SIZE];
    in_folder(result, "result");
    static const char broken[] = "tests/data/ironcurtain/bad/sig-bytes.icrep";
    command_result r = run((const char *[]){"anonymize", "--force", broken, result, NULL});
    assert_int_equal(r.code, 3);
    assert_non_null(strstr(r.err, "the result has the faults of the original"));
    assert_null(strstr(r.err, "the result verifies"));
    command_free(&r);
}

/* ---- dry runs ---- */

static void anonymize__dry_run_writes_nothing_and_counts_the_same(void **state)
{
    (void)state;
    char result[PATH_SIZE];
    in_folder(result, "result");
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        (void)count_files(true);
        command_result dry = run(
            (const char *[]){"anonymize", "--lossy", "--dry-run", SAMPLES[i], result, NULL});
        assert_int_equal(count_files(false), 0);
        command_result real = run(
            (const char *[]){"anonymize", "--lossy", SAMPLES[i], result, NULL});
        assert_int_equal(count_files(false), 1);
        assert_int_equal(dry.code, real.code);
        /* The first line names the result. */
        assert_non_null(strchr(dry.err, '\n'));
        assert_non_null(strchr(real.err, '\n'));
        assert_non_null(strstr(real.err, "removed: "));
        assert_string_equal(strchr(dry.err, '\n'), strchr(real.err, '\n'));
        command_free(&dry);
        command_free(&real);
    }
}

/* ---- permissions ---- */

static void copy_file(const char *from, const char *to, mode_t mode)
{
    sample file = load_sample(from);
    FILE *copy = fopen(to, "wb");
    assert_non_null(copy);
    assert_int_equal(fwrite(file.data, 1, file.size, copy), file.size);
    assert_int_equal(fclose(copy), 0);
    assert_int_equal(chmod(to, mode), 0);
    free(file.data);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 07777;
}

static void anonymize__results_have_the_mode_of_the_source(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0644};
    char source[PATH_SIZE], result[PATH_SIZE], table[PATH_SIZE], report[PATH_SIZE];
    in_folder(source, "source");
    in_folder(result, "result");
    in_folder(table, "who.json");
    in_folder(report, "report.json");
    mode_t before = umask(0);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        for (int exists = 0; exists < 2; exists++) {
            (void)count_files(true);
            copy_file(OPENRA, source, modes[i]);
            if (exists) {
                copy_file(OPENRA, result, 0666);
                copy_file(OPENRA, table, 0666);
            }
            command_result r = run((const char *[]){"anonymize", "--force", "--substitutions",
                                                    table, "--report", report, source, result,
                                                    NULL});
            assert_int_equal(r.code, 0);
            command_free(&r);
            assert_int_equal(mode_of(result), modes[i]);
            assert_int_equal(mode_of(table), 0600);
            assert_int_equal(mode_of(report) & ~modes[i], 0);
            /* Without a table the result is written another way. */
            unlink(result);
            if (exists)
                copy_file(OPENRA, result, 0666);
            r = run((const char *[]){"anonymize", "--force", source, result, NULL});
            assert_int_equal(r.code, 0);
            command_free(&r);
            assert_int_equal(mode_of(result), modes[i]);
        }
    }
    (void)umask(before);
}

/* ---- short names ---- */

static void anonymize__a_short_name_is_proven_by_comparison(void **state)
{
    (void)state;
    char result[PATH_SIZE];
    in_folder(result, "result");
    command_result r = run((const char *[]){"anonymize", "--force", OPENRA, result, NULL});
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "note: a player name of 3 bytes is too short"));
    assert_non_null(strstr(r.err, "it was compared with complete texts"));
    assert_null(strstr(r.err, "unproven: player name"));
    command_free(&r);
    r = run((const char *[]){"anonymize", "--force", "--json", OPENRA, result, NULL});
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "\"compared\":[{\"what\":\"player name\",\"bytes\":3,"));
    assert_non_null(strstr(r.out, "\"unproven\":[]"));
    command_free(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(anonymize__keep_leaves_just_the_kinds_it_names),
        TEST(anonymize__old_spellings_do_the_same),
        TEST(anonymize__report_has_the_digests_of_input_and_output),
        TEST(anonymize__verifies_its_result),
        TEST(anonymize__copies_of_faults_are_not_called_verified),
        TEST(anonymize__dry_run_writes_nothing_and_counts_the_same),
        TEST(anonymize__results_have_the_mode_of_the_source),
        TEST(anonymize__a_short_name_is_proven_by_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
