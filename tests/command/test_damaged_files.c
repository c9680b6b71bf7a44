/*
 * test_damaged_files.c - the law of sweep.h over all samples.
 *
 * usage: test_damaged_files [FILES [SEED]]
 * With a number, so many damaged files of all samples are tried and counts are printed, which is
 * what `make sweep` does (SIGTERM ends it early, with counts); without, a few of each sample. A
 * message names the seed of its file: SWEEP_SAMPLE=NAME SWEEP_KEEP=FILE test_damaged_files 1 SEED
 * makes it again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "exitcode.h"
#include "sweep.h"

enum { SAMPLES_MAX = 400, SAMPLE_SIZE_MAX = 300000 };
/* About a minute with sanitizers. */
enum { TEST_FILES = 80, TEST_SAMPLE_SIZE_MAX = 40000 };

static sample samples[SAMPLES_MAX];
static size_t sample_count;

static void keep_sample(const sample *s)
{
    bool sound = !strstr(s->path, "/bad/") && !strstr(s->path, "/tiny/");
    if (!sound || s->size > SAMPLE_SIZE_MAX || !s->size || sample_count == SAMPLES_MAX)
        return;
    const char *wanted = getenv("SWEEP_SAMPLE");
    if (wanted && !strstr(s->path, wanted))
        return;
    sample copy = *s;
    copy.data = malloc(s->size);
    assert_non_null(copy.data);
    memcpy(copy.data, s->data, s->size);
    samples[sample_count++] = copy;
}

static bool sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

/*
 * How many of the files are made from a sample. Small samples get more of them: they are read in
 * less time and hold the same parts.
 */
static uint64_t share_of(size_t index, uint64_t files)
{
    enum { SIZE_LEAST = 8192 };
    double all = 0, before = 0, own = 1.0 / (double)(samples[index].size + SIZE_LEAST);
    for (size_t i = 0; i < sample_count; i++) {
        before += i < index ? 1.0 / (double)(samples[i].size + SIZE_LEAST) : 0;
        all += 1.0 / (double)(samples[i].size + SIZE_LEAST);
    }
    return (uint64_t)((double)files * (before + own) / all + 0.5) -
           (uint64_t)((double)files * before / all + 0.5);
}

/* Set by SIGTERM and SIGINT: a long sweep then prints what it has counted. */
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static sweep_counts run(uint64_t files, uint64_t seed, bool test)
{
    static sweep s;
    s = (sweep){.measures_memory = !sanitized(), .tells = true, .only_refused = test};
    sweep_open(&s);
    for (size_t i = 0; i < sample_count && !stopped; i++) {
        if (test && samples[i].size > TEST_SAMPLE_SIZE_MAX)
            continue;
        sweep_take(&s, &samples[i]);
        uint64_t share = share_of(i, files);
        for (uint64_t k = 0; k < share && !stopped; k++)
            sweep_damage(&s, seed + k * sample_count + i);
        sweep_drop(&s);
    }
    sweep_close(&s);
    return s.counts;
}

static void parts__unchanged_ones_give_the_same_replay(void **state)
{
    (void)state;
    static sweep s;
    s = (sweep){.tells = true};
    sweep_open(&s);
    for (size_t i = 0; i < sample_count; i++) {
        sweep_take(&s, &samples[i]);
        bytes whole = {.data = samples[i].data, .size = samples[i].size};
        sweep_put_file(s.damaged, &whole);
        const sweep_answer sound = *sweep_sound(&s, SWEEP_CAT);
        /* The deepest part is wrapped by all the others. */
        const part *deepest = &s.parts->items[s.parts->count - 1];
        bytes again = part_replace(deepest, &deepest->content);
        sweep_put_file(s.damaged, &again);
        sweep_answer wrapped = sweep_ask(&s, &sweep_verbs[SWEEP_CAT], s.damaged);
        if (wrapped.code != sound.code)
            fail_msg("%s: %s: cat exits with %d instead of %d: %s", samples[i].path, deepest->name,
                     wrapped.code, sound.code, wrapped.words);
        bytes_free(&again);
        sweep_drop(&s);
    }
    sweep_close(&s);
}

static void damage__no_verb_says_done_where_verify_refuses(void **state)
{
    (void)state;
    sweep_counts c = run(TEST_FILES, 15, true);
    assert_true(c.refused > c.files / 10);
    assert_int_equal(c.crashes, 0);
    assert_int_equal(c.hangs, 0);
    assert_int_equal(c.wrong_codes, 0);
    assert_int_equal(c.broken_laws, 0);
}

/*
 * What long sweeps have found: each of these was passed over with exit code 0, cost too much or
 * took too long.
 */
static const struct {
    const char *sample, *part;
    size_t at;
    int bit;           /* -1: cut there */
    const char *track; /* that `cat` writes as CSV; NULL: the first */
} found[] = {
    /* A damaged weapon table, of which only the list of private data in the timeline tells. */
    {"cs2kz/a1-run.replay", "section9759", 950, -1, NULL},
    /* Damaged events: the run they tell of is a column of ticks. */
    {"cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay", "section81406", 99, -1, "ticks"},
    /* Records are differences: a wrong bit shows far after the record that it spoils. */
    {"cs2kz/b3-cheater.replay", "section246", 2502, 6, NULL},
    {"cs2kz/b4-manual.replay", "section350", 2132, 3, NULL},
    {"cs2kz/p-run-styles.replay", "file", 11809, 1, NULL},
    /* The tick of a signature: the moment it belonged to seems to have none. */
    {"ironcurtain/live-clean.icrep", "ICSG24559", 9, 4, NULL},
    {"ironcurtain/live-clean.icrep", "ICSG24559", 118, 7, NULL},
    /* The tick of an event, which then hid others of its tick from `at`. */
    {"ironcurtain/live-clean.icrep", "ICEV6168", 816, 3, NULL},
    /* The key of the relay, which is in no row: `diff` called a broken chain equal. */
    {"ironcurtain/variants/everything-odd.icrep", "signature", 1312, 0, NULL},
    /* The tick of the last keyframe, far after the end: `at` took the one before it. */
    {"ironcurtain/variants/lz4-plain.icrep", "keyframes", 54, 2, NULL},
    /* A signature itself, which the timeline lists. */
    {"ironcurtain/cadence-50-end.icrep", "signature", 679, 2, NULL},
    /* The first state: the game does not follow it, and so the rules were blamed. */
    {"ironcurtain/map-embedded.icrep", "keyframes", 49, 7, NULL},
    {"ironcurtain/self-contained.icrep", "keyframes/keyframe0", 1089, 1, NULL},
    /* Embedded rules that cannot be read are not the same as none. */
    {"ironcurtain/self-contained.icrep", "embedded", 3969, -1, NULL},
    {"ironcurtain/self-contained.icrep", "file", 12544, 7, NULL},
    /* A material that no mesh uses: the list of private data in the timeline is incomplete. */
    {"mcreplay/materials_full.replay", "mat/all/texture.json", 141, 2, NULL},
    /* The description of an animated texture counted as a picture with texts. */
    {"mcreplay/materials_full.replay", "tex/anim/lava.json", 0, 2, NULL},
    {"mcreplay/materials_full.replay", "tex/anim/lava.json", 2, -1, NULL},
    /* The list of members gave the size of a damaged one. */
    {"rumble/z6_edge.replay", "replay/brotli", 120, -1, "files"},
    {"rumble/z6_edge.replay", "replay", 40, -1, "files"},
    /* A size in the directory of the archive that the member does not have. */
    {"rumble/z6_voices_extensions.replay", "file", 15489, 2, "files"},
    {"rumble/z6_voices_extensions.replay", "file", 15489, 2, "voices"},
    /* A frame number that makes a match of 15 million ticks out of a few thousand bytes. */
    {"openra/p8-2p.orarep", "file", 3978, 7, NULL},
};

static void damage__what_sweeps_found_stays_fixed(void **state)
{
    (void)state;
    static sweep s;
    s = (sweep){.measures_memory = !sanitized(), .tells = true};
    sweep_open(&s);
    size_t tried = 0;
    for (size_t i = 0; i < sample_count; i++) {
        for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
            if (!strstr(samples[i].path, found[k].sample))
                continue;
            sweep_take(&s, &samples[i]);
            const part *p = sweep_part(&s, found[k].part);
            assert_non_null(p);
            assert_true(found[k].at < p->content.size);
            for (s.track = 0; found[k].track; s.track++) {
                assert_true(s.track < s.track_count);
                if (strcmp(s.tracks[s.track], found[k].track) == 0)
                    break;
            }
            bool cuts = found[k].bit < 0;
            sweep_injury injury = {.part = p,
                                   .cuts = cuts,
                                   .at = found[k].at,
                                   .bit = cuts ? 0 : (unsigned)found[k].bit};
            sweep_injure(&s, &injury, "known");
            sweep_drop(&s);
            tried++;
        }
    }
    sweep_close(&s);
    assert_int_equal(tried, sizeof found / sizeof *found);
    assert_int_equal(s.counts.crashes + s.counts.hangs, 0);
    assert_int_equal(s.counts.over_budget + s.counts.wrong_codes + s.counts.broken_laws, 0);
}

/* A tag that is too long for the reader: the entity is skipped, and no verb says that all is well.
 */
static void damage__an_entity_that_is_skipped_is_told_by_every_verb(void **state)
{
    (void)state;
    enum { TAG_SIZE = 2 << 20 };
    static sweep s;
    s = (sweep){.tells = true};
    sweep_open(&s);
    bytes content = part_copy("<entity name=\"", 14);
    for (size_t i = 0; i < TAG_SIZE; i++)
        bytes_write(&content, "a", 1);
    bytes_write(&content, "\"/>", 3);
    size_t tried = 0;
    for (size_t i = 0; i < sample_count && !tried; i++) {
        if (!strstr(samples[i].path, "mcreplay/multipart_basic.replay"))
            continue;
        sweep_take(&s, &samples[i]);
        for (size_t k = 0; k < s.parts->count && !tried; k++) {
            const part *p = &s.parts->items[k];
            size_t length = strlen(p->name);
            if (length < 4 || strcmp(p->name + length - 4, ".xml") != 0)
                continue;
            bytes file = part_replace(p, &content);
            sweep_file(&s, &file, "long tag");
            bytes_free(&file);
            tried++;
        }
        sweep_drop(&s);
    }
    bytes_free(&content);
    sweep_close(&s);
    assert_int_equal(tried, 1);
    assert_int_equal(s.counts.refused, 1);
    assert_int_equal(s.counts.crashes + s.counts.hangs, 0);
    assert_int_equal(s.counts.wrong_codes + s.counts.broken_laws, 0);
}

/* ---- cut files ---- */

/* What a verb answers to the file of a sweep. */
static sweep_answer ask(sweep *s, const sweep_verb *verb)
{
    return sweep_ask(s, verb, s->damaged);
}

/*
 * One rule in every family. A cut file of which rows can be read is "the same" as itself only as
 * far as it can be read: `cat` and `diff` give 3, and `at` a time after the cut 3 as well, or 5 if
 * no moment is left. Of one that cannot be opened, or of which no row can be read, both give 5.
 * `diff` reads the rows of `cat --track all` with --storage: without, members of archives are not
 * compared.
 *
 * A recording that was never finished, of which verify warns before it is cut, may end anywhere.
 */
static void expect_cut(sweep *s, const char *how)
{
    static const sweep_verb content = {"diff-itself", {"diff", "@", "@"}, true, 0};
    static const sweep_verb itself = {"diff-itself", {"diff", "--storage", "@", "@"}, true, 0};
    static const sweep_verb later = {"at-end", {"at", "--json", "--time", "999999", "@"}, false, 0};
    sweep_answer rows = ask(s, &sweep_verbs[SWEEP_CAT]);
    if (sweep_same(&rows, sweep_sound(s, SWEEP_CAT)))
        return; /* nothing that is compared was cut off */
    sweep_answer same = ask(s, &itself), end = ask(s, &later);
    /* Of a recording without frames every time is out of range, before and after it is cut. */
    bool no_moments = end.code == CLI_USAGE && sweep_ask(s, &later, s->original).code == CLI_USAGE;
    bool any_row = rows.out_lines > 1; /* the last line is the status record */
    bool right = rows.code == (any_row ? 3 : 5) && same.code == rows.code &&
                 ask(s, &content).code >= 3 && (end.code >= 3 || no_moments);
    if (!right || !*same.words)
        fail_msg("%s: %s: cat %d, diff with itself %d, at the end %d: %s", s->sample->path, how,
                 rows.code, same.code, end.code, same.words);
}

static void cut_samples(sweep *s, void visit(sweep *s, const bytes *file, const char *how))
{
    enum { CUT_SIZE_MAX = 20000 };
    static const unsigned percents[] = {45, 85};
    for (size_t i = 0; i < sample_count; i++) {
        if (samples[i].size > CUT_SIZE_MAX)
            continue;
        sweep_take(s, &samples[i]);
        bytes whole = {.data = samples[i].data, .size = samples[i].size};
        sweep_put_file(s->damaged, &whole);
        bool finished = sweep_sound(s, SWEEP_VERIFY)->code == 0;
        for (size_t k = 0; finished && k < sizeof percents / sizeof *percents; k++) {
            char how[32];
            bytes file = part_copy(samples[i].data, samples[i].size * percents[k] / 100);
            snprintf(how, sizeof how, "file cut at %zu", file.size);
            visit(s, &file, how);
            bytes_free(&file);
        }
        sweep_drop(s);
    }
}

static void visit_cut(sweep *s, const bytes *file, const char *how)
{
    sweep_put_file(s->damaged, file);
    expect_cut(s, how);
}

static void cut__a_file_and_itself_give_one_answer_in_every_family(void **state)
{
    (void)state;
    static sweep s;
    s = (sweep){.tells = true};
    sweep_open(&s);
    cut_samples(&s, visit_cut);
    sweep_close(&s);
}

static void cut__no_verb_is_silent_where_verify_warns_of_lost_rows(void **state)
{
    (void)state;
    static sweep s;
    s = (sweep){.tells = true, .cuts = true};
    sweep_open(&s);
    cut_samples(&s, sweep_file);
    sweep_close(&s);
    assert_int_equal(s.counts.crashes + s.counts.hangs, 0);
    assert_int_equal(s.counts.wrong_codes + s.counts.broken_laws, 0);
}

/*
 * One bit of a compressed entity, in an archive whose directory is right: `verify` once printed
 * "ok ... 1 fault" and exited with 0. Bits that leave the entity as it is are none of this.
 */
static void damage__one_bit_of_a_minecraft_entity_is_never_ok(void **state)
{
    (void)state;
    enum { STEP = 211 };
    sample whole = load_sample("tests/data/mcreplay/multipart_basic.replay");
    char path[] = "/tmp/reprise-bit-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    static const char name[] = "entities/";
    size_t at = 0, refused = 0, tried = 0;
    while (at + 30 < whole.size && (memcmp(whole.data + at, "PK\3\4", 4) != 0 ||
                                    memcmp(whole.data + at + 30, name, strlen(name)) != 0))
        at++;
    assert_true(at + 30 < whole.size);
    size_t from = at + 30 + whole.data[at + 26] + whole.data[at + 28], to = from;
    while (memcmp(whole.data + to, "PK", 2) != 0 || whole.data[to + 2] > 8)
        to++;
    assert_true(to > from + 8 * STEP);
    for (size_t i = from; i < to - 16; i += STEP, tried++) {
        whole.data[i] ^= 1;
        sweep_put_file(path, &(bytes){.data = whole.data, .size = whole.size});
        whole.data[i] ^= 1;
        command_result r = command_run((const char *[]){"verify", path, NULL}, SWEEP_SECONDS_MAX);
        assert_int_equal(r.signal, 0);
        if (r.code == 0 || strstr(r.out, ": ok"))
            fail_msg("byte %zu: verify exits with %d: %s", i, r.code, r.out);
        refused += r.code == 5;
        command_free(&r);
    }
    unlink(path);
    free(whole.data);
    assert_true(tried > 10 && refused > 0); /* others: the entity is skipped, a warning */
}

/* What libraries do once is done before the first child, not in each of 200 000. */
static void warm_up(void)
{
    static const char *const paths[] = {"tests/data/ironcurtain/full.icrep",
                                        "tests/data/rumble/z6_match_like_1.2.4.replay",
                                        "tests/data/cs2kz/b5-edge.replay"};
    int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
    fflush(stdout);
    if (out < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        abort();
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *argv[] = {(char *)(uintptr_t) "reprise",      (char *)(uintptr_t) "verify",
                        (char *)(uintptr_t) "--no-sandbox", (char *)(uintptr_t) "--quiet",
                        (char *)(uintptr_t)paths[i],        NULL};
        (void)cli_main(5, argv);
    }
    if (dup2(out, STDOUT_FILENO) < 0)
        abort();
    close(out);
    close(nothing);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static int print_sweep(uint64_t files, uint64_t seed)
{
    warm_up();
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    double began = now();
    sweep_counts c = run(files, seed, false);
    double seconds = now() - began;
    printf("files %llu (verify refuses %llu), runs %llu: crashes %llu, hangs over %d s %llu, "
           "over the memory budget %s%llu, wrong exit codes %llu, silent %llu; at most %u%% of the "
           "budget, %.0f s, %.0f runs a "
           "second\n",
           (unsigned long long)c.files, (unsigned long long)c.refused, (unsigned long long)c.runs,
           (unsigned long long)c.crashes, SWEEP_SECONDS_MAX, (unsigned long long)c.hangs,
           sanitized() ? "not measured " : "", (unsigned long long)c.over_budget,
           (unsigned long long)c.wrong_codes, (unsigned long long)c.broken_laws, c.memory_percent,
           seconds, seconds > 0 ? (double)c.runs / seconds : 0);
    return c.crashes || c.hangs || c.over_budget || c.wrong_codes || c.broken_laws;
}

int main(int argc, char **argv)
{
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
    walk_samples("tests/data", keep_sample);
    int code;
    if (argc > 1) {
        code = print_sweep(strtoull(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    } else {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test(parts__unchanged_ones_give_the_same_replay),
            cmocka_unit_test(damage__no_verb_says_done_where_verify_refuses),
            cmocka_unit_test(damage__what_sweeps_found_stays_fixed),
            cmocka_unit_test(damage__an_entity_that_is_skipped_is_told_by_every_verb),
            cmocka_unit_test(cut__a_file_and_itself_give_one_answer_in_every_family),
            cmocka_unit_test(cut__no_verb_is_silent_where_verify_warns_of_lost_rows),
            cmocka_unit_test(damage__one_bit_of_a_minecraft_entity_is_never_ok),
        };
        code = cmocka_run_group_tests(tests, NULL, NULL);
    }
    for (size_t i = 0; i < sample_count; i++)
        free(samples[i].data);
    return code;
}
