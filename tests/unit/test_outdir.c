/* test_outdir.c - hostile names and links cannot write outside an output directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outdir.h"

typedef struct place {
    rp_context context;
    reprise_error error;
    char top[64]; /* private; everything of a test is in it */
    char path[128], outside[128];
} place;

static void set_up(place *p)
{
    rp_context_init(&p->context, NULL);
    p->error = (reprise_error)REPRISE_ERROR_INIT;
    snprintf(p->top, sizeof p->top, "/tmp/reprise-outdir-XXXXXX");
    assert_non_null(mkdtemp(p->top));
    snprintf(p->path, sizeof p->path, "%s/new", p->top);
    snprintf(p->outside, sizeof p->outside, "%s/outside", p->top);
    assert_int_equal(mkdir(p->outside, 0700), 0);
}

static void tear_down(place *p)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->top);
    assert_int_equal(system(command), 0);
    assert_int_equal(p->context.bytes_live, 0);
}

static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static reprise_status put(place *p, rp_outdir *dir, const char *name)
{
    rp_sink *sink = NULL;
    p->error = (reprise_error)REPRISE_ERROR_INIT;
    reprise_status status = rp_outdir_create(dir, name, &sink, &p->error);
    if (status == REPRISE_OK)
        status = rp_sink_write(sink, "text", 4, &p->error);
    if (status == REPRISE_OK)
        status = rp_sink_commit(sink, &p->error);
    rp_sink_close(sink);
    return status;
}

static void name__special_on_some_system_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",           "/",         "/etc/passwd", "a//b",      "a/",   "./a",
        "a/./b",      "..",        "../a",        "a/../../b", "a\\b", "\\\\host\\share",
        "C:",         "c:/a",      "C:\\a",       "a:stream",  "nul",  "NUL.yaml",
        "con",        "a/Con.txt", "aux.c",       "prn",       "COM1", "com0.yaml",
        "LPT9.x.y",   "conin$",    "CONOUT$",     "clock$.x",  "a.",   "a ",
        "a/b./c",     "a\nb",      "a\x7f",       "a?",        "a*",   "a|b",
        "<a>",        "\"a\"",     "~/a",         "~root",     " a",   "nul .yaml",
        "\xC0\xAF..", "a\xff",     "\x1b[2J",
    };
    static const char *const good[] = {"a",     "a/b/c.yaml",   "...a",
                                       "com",   "com10",        "lpt",
                                       "nulla", "console.yaml", "mod-\xC3\xBC/x.yml",
                                       "a b",   ".hidden"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (rp_name_portable(bad[i]))
            fail_msg("'%s' is not portable", bad[i]);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!rp_name_portable(good[i]))
            fail_msg("'%s' is portable", good[i]);
    }
    char deep[200] = "a";
    for (int i = 0; i < 20; i++)
        memcpy(deep + strlen(deep), "/a", 3);
    assert_false(rp_name_portable(deep));
    char wide[300];
    memset(wide, 'a', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    assert_false(rp_name_portable(wide));
}

static void outdir__is_new_and_private(void **state)
{
    (void)state;
    place p;
    rp_outdir *dir = NULL;
    struct stat about;
    set_up(&p);
    mode_t mask = umask(0);
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_OK);
    assert_int_equal(put(&p, dir, "a/b.txt"), REPRISE_OK);
    umask(mask);
    assert_int_equal(stat(p.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(rp_outdir_commit(dir, &p.error), REPRISE_OK);
    rp_outdir_close(dir);
    char file[160];
    snprintf(file, sizeof file, "%s/a/b.txt", p.path);
    assert_int_equal(stat(file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_size, 4);
    /* The name exists the second time. */
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_E_IO);
    assert_int_equal(entries(p.path), 1);
    tear_down(&p);
}

static void outdir__refuses_a_link_in_its_place(void **state)
{
    (void)state;
    place p;
    rp_outdir *dir = NULL;
    set_up(&p);
    assert_int_equal(symlink(p.outside, p.path), 0);
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_E_IO);
    assert_int_equal(unlink(p.path), 0);
    assert_int_equal(symlink("/nowhere/at/all", p.path), 0);
    p.error = (reprise_error)REPRISE_ERROR_INIT;
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_E_IO);
    assert_int_equal(entries(p.outside), 0);
    tear_down(&p);
}

static void outdir__leaves_nothing_without_commit(void **state)
{
    (void)state;
    place p;
    rp_outdir *dir = NULL;
    set_up(&p);
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_OK);
    assert_int_equal(put(&p, dir, "a/b/c.txt"), REPRISE_OK);
    assert_int_equal(put(&p, dir, "a/b/d.txt"), REPRISE_OK);
    assert_int_equal(put(&p, dir, "a/b/d.txt"), REPRISE_E_IO);
    assert_int_equal(put(&p, dir, "a/b/d.txt/e"), REPRISE_E_CORRUPT);
    assert_int_equal(put(&p, dir, "../outside/e"), REPRISE_E_CORRUPT);
    rp_outdir_close(dir);
    assert_int_equal(entries(p.outside), 0);
    assert_int_equal(entries(p.top), 1);
    tear_down(&p);
}

/* Another program replaces one of our directories by a link or another directory. */
static void outdir__enters_only_its_own_directories(void **state)
{
    (void)state;
    place p;
    rp_outdir *dir = NULL;
    char sub[160], moved[160], planted[160];
    set_up(&p);
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_OK);
    assert_int_equal(put(&p, dir, "rules/a.yaml"), REPRISE_OK);
    snprintf(sub, sizeof sub, "%s/rules", p.path);
    snprintf(moved, sizeof moved, "%s/moved", p.top);
    snprintf(planted, sizeof planted, "%s/planted", p.path);
    assert_int_equal(rename(sub, moved), 0);
    assert_int_equal(symlink(p.outside, sub), 0);
    assert_int_equal(put(&p, dir, "rules/b.yaml"), REPRISE_E_IO);
    assert_int_equal(unlink(sub), 0);
    assert_int_equal(mkdir(sub, 0700), 0);
    assert_int_equal(put(&p, dir, "rules/c.yaml"), REPRISE_E_IO);
    /* Existing directories and files are not entered or replaced either. */
    assert_int_equal(symlink(p.outside, planted), 0);
    assert_int_equal(put(&p, dir, "planted/d.yaml"), REPRISE_E_IO);
    assert_int_equal(put(&p, dir, "planted"), REPRISE_E_IO);
    rp_outdir_close(dir);
    assert_int_equal(entries(p.outside), 0);
    assert_int_equal(entries(sub), 0);
    assert_int_equal(entries(moved), 1);
    tear_down(&p);
}

typedef struct swapper {
    const place *place;
    atomic_bool stop;
} swapper;

/* Swaps a directory and a link to the outside as fast as it can. */
static void *swap(void *ctx)
{
    swapper *s = ctx;
    char sub[160], aside[160];
    snprintf(sub, sizeof sub, "%s/rules", s->place->path);
    snprintf(aside, sizeof aside, "%s/aside", s->place->top);
    while (!atomic_load(&s->stop)) {
        if (rename(sub, aside) == 0 && symlink(s->place->outside, sub) == 0) {
            unlink(sub);
            if (rename(aside, sub) != 0)
                break;
        }
    }
    return NULL;
}

static void outdir__wins_races(void **state)
{
    (void)state;
    place p;
    rp_outdir *dir = NULL;
    pthread_t thread;
    set_up(&p);
    swapper s = {.place = &p};
    assert_int_equal(rp_outdir_open(&p.context, p.path, &dir, &p.error), REPRISE_OK);
    assert_int_equal(put(&p, dir, "rules/first.yaml"), REPRISE_OK);
    assert_int_equal(pthread_create(&thread, NULL, swap, &s), 0);
    for (int i = 0; i < 5000; i++) {
        char name[32];
        rp_sink *sink = NULL;
        p.error = (reprise_error)REPRISE_ERROR_INIT;
        snprintf(name, sizeof name, "rules/%d.yaml", i);
        (void)!rp_outdir_create(dir, name, &sink, &p.error);
        rp_sink_close(sink);
    }
    atomic_store(&s.stop, true);
    pthread_join(thread, NULL);
    rp_outdir_close(dir);
    assert_int_equal(entries(p.outside), 0);
    tear_down(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name__special_on_some_system_is_refused),
        cmocka_unit_test(outdir__is_new_and_private),
        cmocka_unit_test(outdir__refuses_a_link_in_its_place),
        cmocka_unit_test(outdir__leaves_nothing_without_commit),
        cmocka_unit_test(outdir__enters_only_its_own_directories),
        cmocka_unit_test(outdir__wins_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
