/*
 * test_verify_again.c - what verify says of a file, and which rows it has, depends on the file
 * alone, for every sample: not on a verify before it, and not on what else was asked of the handle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include <reprise/reprise.h>
#include <reprise/scene.h>
#include <reprise/write.h>

#include "exercise.h"
#include "samples.h"

static size_t verified, with_findings, with_damage, with_digests;

/* All that one verify said, as text. */
typedef struct saying {
    char text[1 << 16];
    size_t size;
    size_t document;      /* where it begins; findings and counts come before it */
    reprise_error damage; /* by reprise_damage, or REPRISE_OK */
} saying;

static int keep(void *ctx, const void *data, size_t size)
{
    saying *s = ctx;
    assert_true(size < sizeof s->text - s->size);
    memcpy(s->text + s->size, data, size);
    s->size += size;
    s->text[s->size] = '\0';
    return 0;
}

static void keep_finding(void *ctx, const reprise_finding *f)
{
    char line[1024];
    int size = snprintf(line, sizeof line, "%d %s %s %llu %s %s %llu %d\n", f->severity, f->id,
                        f->stream, (unsigned long long)f->offset, f->path, f->message,
                        (unsigned long long)f->count, f->status);
    keep(ctx, line, (size_t)size);
}

static void verify(reprise_replay *replay, saying *ret_said)
{
    reprise_verify_summary summary = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    char line[1024];
    ret_said->size = 0;
    ret_said->damage = (reprise_error)REPRISE_ERROR_INIT;
    reprise_status status = reprise_verify(replay, keep_finding, ret_said, &summary, &error);
    bool damaged = reprise_damage(replay, &ret_said->damage);
    assert_int_equal(damaged, ret_said->damage.status != REPRISE_OK);
    int size = snprintf(line, sizeof line, "%s, %llu %llu %llu, %d %d, layout %s\n",
                        reprise_status_name(status), (unsigned long long)summary.notes,
                        (unsigned long long)summary.warnings, (unsigned long long)summary.faults,
                        summary.severity, summary.worst, reprise_layout(replay));
    keep(ret_said, line, (size_t)size);
    ret_said->document = ret_said->size;
    reprise_sink sink = {.ctx = ret_said, .write = keep};
    if (status == REPRISE_OK)
        assert_int_equal(reprise_value_write(summary.document, REPRISE_JSON_COMPACT, &sink, &error),
                         REPRISE_OK);
}

static void expect_same(const sample *s, const char *when, const saying *alone, const saying *other)
{
    if (strcmp(alone->text, other->text) != 0)
        fail_msg("%s: verify %s says\n%s\ninstead of\n%s", s->path, when, other->text, alone->text);
    /* What else was asked may have met more damage, but takes none away. */
    if (alone->damage.status != REPRISE_OK) {
        assert_int_equal(other->damage.status, alone->damage.status);
        assert_string_equal(other->damage.message, alone->damage.message);
    }
}

/* ---- what else can be asked ---- */

/* Some files have no answer; whether they have one is for other tests. */
static void ignore(reprise_status status)
{
    (void)status;
}

static void ask_rows(reprise_replay *replay)
{
    exercise e = {0};
    exercise_rows(&e, replay, false);
}

static void ask_moments(reprise_replay *replay)
{
    exercise e = {0};
    exercise_moments(&e, replay);
}

static void ask_blobs(reprise_replay *replay)
{
    exercise e = {0};
    exercise_blobs(&e, replay);
}

static void ask_info(reprise_replay *replay)
{
    const reprise_value *info = NULL;
    double seconds;
    ignore(reprise_info(replay, &info, NULL));
    ignore(reprise_duration(replay, &seconds, NULL));
    ignore(reprise_sizes(replay, &info, NULL));
}

static void ask_stats(reprise_replay *replay)
{
    const reprise_value *stats = NULL;
    ignore(reprise_stats(replay, &stats, NULL));
}

static void ask_scene(reprise_replay *replay)
{
    reprise_scene *scene = NULL;
    ignore(reprise_scene_open(replay, NULL, &scene, NULL));
    reprise_scene_close(scene);
}

static int forget(void *ctx, const void *data, size_t size)
{
    (void)ctx, (void)data, (void)size;
    return 0;
}

static void ask_writing(reprise_replay *replay)
{
    reprise_sink sink = {.write = forget};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    ignore(reprise_recompress(replay, &options, NULL, NULL));
    ignore(reprise_anonymize(replay, REPRISE_PRIVATE_ALL, &options, NULL, NULL));
}

static const struct {
    const char *when;
    void (*ask)(reprise_replay *replay);
} questions[] = {{"after info", ask_info},       {"after rows", ask_rows},
                 {"after moments", ask_moments}, {"after stats", ask_stats},
                 {"after blobs", ask_blobs},     {"after a scene", ask_scene},
                 {"after writing", ask_writing}};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static reprise_replay *open_as(const sample *s, bool salvage, bool digests)
{
    reprise_options *options = NULL;
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_salvage(options, salvage, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_digests(options, digests, NULL), REPRISE_OK);
    ignore(reprise_open_memory(s->data, s->size, options, &replay, NULL));
    reprise_options_free(options);
    return replay;
}

static reprise_replay *open_sample(const sample *s, bool salvage)
{
    return open_as(s, salvage, true);
}

/* Digests check nothing: without them the same is found and counted. */
static void expect_same_without_digests(const sample *s, bool salvage, const saying *alone)
{
    static saying without;
    reprise_replay *replay = open_as(s, salvage, false);
    verify(replay, &without);
    if (without.document != alone->document ||
        memcmp(without.text, alone->text, alone->document) != 0)
        fail_msg("%s: without digests, verify says\n%s\ninstead of\n%s", s->path, without.text,
                 alone->text);
    assert_int_equal(without.damage.status, alone->damage.status);
    assert_null(strstr(without.text + without.document, "\"digests\":"));
    with_digests += strcmp(without.text, alone->text) != 0;
    reprise_close(replay);
}

/* One question per handle, another one for each sample: all of them take minutes. */
static void expect_independent(const sample *s, bool salvage)
{
    static saying alone, again;
    reprise_replay *replay = open_sample(s, salvage);
    if (!replay)
        return;
    verify(replay, &alone);
    with_findings += alone.size > 0 && strstr(alone.text, "\"findings\":[]") == NULL;
    with_damage += alone.damage.status != REPRISE_OK;
    verify(replay, &again);
    expect_same(s, "again", &alone, &again);
    assert_int_equal(again.damage.status, alone.damage.status);
    size_t which = verified++ % QUESTIONS;
    questions[which].ask(replay);
    verify(replay, &again);
    expect_same(s, "a third time", &alone, &again);
    reprise_close(replay);
    expect_same_without_digests(s, salvage, &alone);
    replay = open_sample(s, salvage);
    questions[which].ask(replay);
    verify(replay, &again);
    expect_same(s, questions[which].when, &alone, &again);
    reprise_close(replay);
}

static void visit(const sample *s)
{
    expect_independent(s, false);
    expect_independent(s, true);
}

/* ---- rows ---- */

static size_t rows_compared, rows_ended_early;

/* Rows of a handle that was asked one question before, against those of a new handle. */
static void expect_same_rows(const sample *s, const char *how)
{
    reprise_replay *replay = open_sample(s, false);
    if (!replay)
        return;
    exercise alone = {0}, after = {0};
    exercise_rows(&alone, replay, false);
    reprise_close(replay);
    size_t which = rows_compared++ % QUESTIONS;
    rows_ended_early += alone.read != REPRISE_END;
    replay = open_sample(s, false);
    questions[which].ask(replay);
    exercise_rows(&after, replay, false);
    reprise_close(replay);
    if (after.digest != alone.digest || after.read != alone.read)
        fail_msg("%s, %s: %llu rows and then %s %s, alone %llu and then %s", s->path, how,
                 (unsigned long long)after.rows, reprise_status_name(after.read),
                 questions[which].when, (unsigned long long)alone.rows,
                 reprise_status_name(alone.read));
}

/* The sample, with two bytes changed, cut short, and both. */
static void expect_independent_rows(const sample *s)
{
    if (s->size < 64 || s->size > 1 << 17)
        return;
    sample damaged = *s;
    damaged.data = malloc(s->size);
    assert_non_null(damaged.data);
    memcpy(damaged.data, s->data, s->size);
    expect_same_rows(&damaged, "as it is");
    damaged.size = s->size - s->size / 5;
    expect_same_rows(&damaged, "cut short");
    damaged.data[s->size / 2] ^= 0x10;
    damaged.data[s->size / 3] ^= 0x01;
    expect_same_rows(&damaged, "changed and cut short");
    damaged.size = s->size;
    expect_same_rows(&damaged, "changed");
    free(damaged.data);
}

static void rows_depend_on_the_file_alone(void **state)
{
    (void)state;
    walk_samples("tests/data", expect_independent_rows);
    assert_true(rows_compared > 600);
    assert_true(rows_ended_early > 300);
}

/* Files that fuzzing found, after every question. */
static void rows_of_known_files_after_every_question(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/fuzz/found/replay/rows-after-info-of-cut-scene",
                                        "tests/fuzz/found/rumble/size-or-stream-to-blame"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        sample s = load_sample(paths[i]);
        for (rows_compared = 0; rows_compared < QUESTIONS;)
            expect_same_rows(&s, "as it is");
        free(s.data);
    }
}

static void verify_depends_on_the_file_alone(void **state)
{
    (void)state;
    walk_samples("tests/data", visit);
    assert_true(verified > 300);
    assert_true(with_findings > 100);
    assert_true(with_damage > 50);
    assert_true(with_digests > 50);
}

/* All questions with the files in which findings of one question once appeared in another's. */
static void known_files_after_every_question(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/data/ironcurtain/bad/order-kind.icrep",
                                        "tests/data/ironcurtain/variants/everything-odd.icrep",
                                        "tests/data/cs2kz/bad/b-one-tick-too-many.replay"};
    static saying alone, again;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        sample s = load_sample(paths[i]);
        reprise_replay *replay = open_sample(&s, false);
        verify(replay, &alone);
        reprise_close(replay);
        for (size_t k = 0; k < QUESTIONS; k++) {
            replay = open_sample(&s, false);
            questions[k].ask(replay);
            verify(replay, &again);
            expect_same(&s, questions[k].when, &alone, &again);
            reprise_close(replay);
        }
        free(s.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_depends_on_the_file_alone),
        cmocka_unit_test(known_files_after_every_question),
        cmocka_unit_test(rows_depend_on_the_file_alone),
        cmocka_unit_test(rows_of_known_files_after_every_question),
    };
    return cmocka_run_group_tests_name("verify_again", tests, NULL, NULL);
}
