/*
 * test_recorder_kill.c - the recorder is killed at random moments, again and again: every record
 * that was wholly written is there afterwards, recovered, and plays (checklist item 24).
 *
 * REPRISE_KILLS says how often; `make soak` asks for ten thousand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "checked.h"
#include "recording.h"
#include "thread.h"

enum { KILLS = 300, TICKS = 260 };

static char directory[] = "/tmp/reprise-kill-XXXXXX";

/* ---- who is killed ---- */

static void record_match(const char *path)
{
    match m;
    reprise_recorder_options options = REPRISE_RECORDER_INIT;
    options.path = path;
    options.replace = true;
    options.flush_ms = 1;
    options.keyframe_ticks = 40;
    options.full_ticks = 160;
    options.sync_ms = UINT32_MAX; /* a process is killed, not the machine */
    match_begin(&m, &options, 4);
    for (unsigned i = 0; i < TICKS; i++) {
        match_events(&m);
        match_tick(&m);
    }
    match_end(&m);
    match_free(&m);
}

/* The child does not come back: no clean-up, no report. */
static pid_t start(const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        record_match(path);
        _exit(0);
    }
    return child;
}

/* ---- what is left ---- */

typedef struct tally {
    unsigned absent, empty, live, whole;
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
        assert_int_equal(j.keyframes, c.keyframes);
        assert_int_equal(j.mismatches, 0);
        t->live++;
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

/* How long a match takes here and now: kills shall fall all over it. */
static unsigned measure(const char *path)
{
    uint64_t begin = rp_now_ns();
    pid_t child = start(path);
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return (unsigned)((rp_now_ns() - begin) / 1000) + 1;
}

static void checklist_24__killed_at_any_moment_all_records_survive(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/killed.icrep", directory);
    tally t = {0};
    uint64_t dice = 12345;
    unsigned kills = kills_wanted(), longest_us = measure(path);
    for (unsigned i = 0; i < kills; i++) {
        remove(path);
        pid_t child = start(path);
        dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
        unsigned us = (unsigned)(dice >> 33) % longest_us;
        nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000 % 1000000000}, NULL);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        check_survivor(path, &t);
    }
    remove(path);
    print_message("# %u kills: %u before the file, %u before its first keyframe, %u while "
                  "recording (%llu frames recovered), %u after the end\n",
                  kills, t.absent, t.empty, t.live, (unsigned long long)t.frames, t.whole);
    assert_true(t.live > kills / 10);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

/*
 * Who is killed between giving the finished file a name and putting it in place leaves that name
 * behind: nobody is there any more to remove it.
 */
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
