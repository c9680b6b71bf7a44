/*
 * test_recorder_kill.c - the recorder is killed at random moments, again and again: every record
 * that was wholly written is there afterwards, recovered, and plays (checklist item 24 of
 * docs/spec/ironcurtain.md).
 *
 * REPRISE_KILLS says how often; `make soak` asks for ten thousand.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "checked.h"
#include "end_child.h"
#include "recording.h"
#include "thread.h"

enum {
    KILLS = 300,
    TICKS = 260,         /* of a match that is finished */
    TICKS_MAX = 1 << 20, /* of one that is killed before its end */
    KILL_TICKS = 520,    /* ... in one of these */
    START_US = 1500,     /* approximate time to start one */
    LATE_US = 1500,      /* kills fall anywhere between two writes of the recorder's thread */
};

static char directory[] = "/tmp/reprise-kill-XXXXXX";

/* The progress of the process that is killed. */
typedef struct progress {
    _Atomic uint32_t ticks;
    atomic_bool finishing;
} progress;

static progress *shared;

/* ---- who is killed ---- */

static void record_match(const char *path, uint32_t ticks)
{
    match m;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = path;
    options.replace = true;
    options.flush_ms = 1;
    options.keyframe_ticks = 40;
    options.full_ticks = 160;
    options.sync_ms = UINT32_MAX; /* a process is killed, not the machine */
    match_begin(&m, &options, 4);
    for (uint32_t i = 0; i < ticks; i++) {
        match_events(&m);
        match_tick(&m);
        shared->ticks = i + 1;
    }
    shared->finishing = true;
    match_end(&m);
    match_free(&m);
}

/* The child does not return: no clean-up, no report. */
static pid_t start(const char *path, uint32_t ticks)
{
    remove(path);
    *shared = (progress){0};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        record_match(path, ticks);
        end_child(0);
    }
    return child;
}

static void sleep_us(unsigned us)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
}

/* ---- when ---- */

typedef enum moment { AT_START, RECORDING, AT_END } moment;

static unsigned dice(unsigned sides)
{
    static uint64_t state = 12345;
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)((state >> 33) % sides);
}

/* Waits for progress, not time: the speed depends on the load of the machine. */
static moment start_and_wait(const char *path, unsigned finish_us, pid_t *ret_child)
{
    static const uint32_t lengths[] = {TICKS_MAX, TICKS_MAX, TICKS};
    unsigned side = dice(16);
    moment when = side == 0 ? AT_START : side == 1 ? AT_END : RECORDING;
    uint32_t ticks[] = {0, 1 + dice(KILL_TICKS), TICKS - dice(TICKS / 8)};
    unsigned late_us[] = {START_US, LATE_US, finish_us};
    *ret_child = start(path, lengths[when]);
    while (shared->ticks < ticks[when])
        sleep_us(10);
    sleep_us(dice(late_us[when]));
    return when;
}

/* ---- what is left ---- */

typedef struct tally {
    unsigned absent, empty, live, whole, finishing;
    uint64_t frames;
} tally;

static disk load(const char *path)
{
    disk d = {0};
    uint8_t piece[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    while (f && (n = fread(piece, 1, sizeof piece, f)) > 0)
        disk_keep(&d, piece, n);
    if (f)
        fclose(f);
    return d;
}

/* record, kill, recover, play and verify --simulate. */
static void check_survivor(const char *path, tally *t)
{
    disk file = load(path), whole = {0};
    bool live = file.size >= 108 && rp_load32(file.data + 28) == 0;
    contents c = live ? walk_live(file.data, file.size) : (contents){0};
    if (!file.size) {
        t->absent++;
    } else if (!live && file.size >= 108) {
        judged j = judge(file.data, file.size);
        assert_string_equal(j.first, "");
        assert_int_equal(j.total_ticks, TICKS);
        t->whole++;
    } else if (!c.keyframes) {
        assert_int_not_equal(recover(file.data, file.size, &whole), REPRISE_OK);
        t->empty++;
    } else {
        assert_int_equal(recover(file.data, file.size, &whole), REPRISE_OK);
        judged j = judge(whole.data, whole.size);
        assert_string_equal(j.first, "");
        assert_int_equal(j.frames, c.frames);
        assert_int_equal(j.keyframes, keyframes_until(file.data, c.end, j.total_ticks));
        assert_int_equal(j.mismatches, 0);
        t->live++;
        t->finishing += shared->finishing;
        t->frames += c.frames;
    }
    free(file.data);
    free(whole.data);
}

static unsigned kills_wanted(void)
{
    const char *text = getenv("REPRISE_KILLS");
    unsigned long n = text ? strtoul(text, NULL, 10) : 0;
    return n ? (unsigned)n : KILLS;
}

/* Measures how long finishing takes, so that kills are spread over it. */
static unsigned measure(const char *path)
{
    pid_t child = start(path, TICKS);
    int status = 0;
    while (!shared->finishing)
        sleep_us(10);
    uint64_t begin = rp_now_ns();
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    uint64_t us = (rp_now_ns() - begin) / 1000 + 1;
    return (unsigned)RP_MIN(us, (uint64_t)500000);
}

static void checklist_24__killed_at_any_moment_all_records_survive(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/killed.icrep", directory);
    tally t = {0};
    unsigned kills = kills_wanted(), finish_us = measure(path);
    for (unsigned i = 0; i < kills; i++) {
        pid_t child;
        moment when = start_and_wait(path, finish_us, &child);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status) ||
                    (when == AT_END && WIFEXITED(status) && WEXITSTATUS(status) == 0));
        check_survivor(path, &t);
    }
    remove(path);
    print_message("# %u kills: %u before the file, %u before its first keyframe, %u while "
                  "recording, %u while finishing (%llu frames recovered), %u after the end\n",
                  kills, t.absent, t.empty, t.live - t.finishing, t.finishing,
                  (unsigned long long)t.frames, t.whole);
    assert_true(t.live - t.finishing > kills * 3 / 4);
}

static int set_up(void **state)
{
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared != MAP_FAILED && mkdtemp(directory) ? 0 : -1;
}

/* A kill between naming the finalised file and renaming it leaves the temporary file. */
static int tear_down(void **state)
{
    (void)state;
    DIR *entries = opendir(directory);
    if (!entries)
        return -1;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_24__killed_at_any_moment_all_records_survive),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
