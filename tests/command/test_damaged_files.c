/*
 * test_damaged_files.c - the law of sweep.h over all samples.
 *
 * usage: test_damaged_files [FILES [SEED]]
 * With a number, so many damaged files of all samples are tried and counts are printed, which is
 * what `make sweep` does; without, a few of each sample. A message names the seed of its file:
 * SWEEP_SAMPLE=NAME SWEEP_KEEP=FILE test_damaged_files 1 SEED makes it again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static sweep_counts run(uint64_t files, uint64_t seed, bool test)
{
    static sweep s;
    s = (sweep){.measures_memory = !sanitized(), .tells = true, .only_refused = test};
    sweep_open(&s);
    for (size_t i = 0; i < sample_count; i++) {
        if (test && samples[i].size > TEST_SAMPLE_SIZE_MAX)
            continue;
        sweep_take(&s, &samples[i]);
        uint64_t share = files / sample_count + (i < files % sample_count);
        for (uint64_t k = 0; k < share; k++)
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

static int print_sweep(uint64_t files, uint64_t seed)
{
    sweep_counts c = run(files, seed, false);
    printf("files %llu (verify refuses %llu), runs %llu: crashes %llu, hangs over %d s %llu, "
           "over the memory budget %s%llu, wrong exit codes %llu, silent %llu\n",
           (unsigned long long)c.files, (unsigned long long)c.refused, (unsigned long long)c.runs,
           (unsigned long long)c.crashes, SWEEP_SECONDS_MAX, (unsigned long long)c.hangs,
           sanitized() ? "not measured " : "", (unsigned long long)c.over_budget,
           (unsigned long long)c.wrong_codes, (unsigned long long)c.broken_laws);
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
        };
        code = cmocka_run_group_tests(tests, NULL, NULL);
    }
    for (size_t i = 0; i < sample_count; i++)
        free(samples[i].data);
    return code;
}
