/*
 * test_threads.c - what is said, shown and written of a file does not depend on the number of
 * threads: for the samples of the families that divide work of their own, as they are and damaged,
 * and for an archive whose entities are long enough to be read ahead.
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
#include "options.h"
#include "samples.h"
#include "stored_archive.h"

enum { THREADS = 3 };

static size_t compared, with_findings, replayed, diverged, scenes, recompressed;

/* All that is said and shown, as text, and scenes and rows as numbers. */
typedef struct answers {
    char text[1 << 17];
    size_t size;
} answers;

static int keep(void *ctx, const void *data, size_t size)
{
    answers *a = ctx;
    assert_true(size < sizeof a->text - a->size);
    memcpy(a->text + a->size, data, size);
    a->size += size;
    a->text[a->size] = '\0';
    return 0;
}

static void keep_number(answers *a, const char *name, uint64_t number, reprise_status status,
                        const reprise_error *error)
{
    char line[1024];
    int size = snprintf(line, sizeof line, "%s %016llx %s %s\n", name, (unsigned long long)number,
                        reprise_status_name(status), error->message);
    keep(a, line, (size_t)size);
}

static void keep_document(answers *a, const reprise_value *document)
{
    reprise_sink sink = {.ctx = a, .write = keep};
    assert_int_equal(reprise_value_write(document, REPRISE_JSON_COMPACT, &sink, NULL), REPRISE_OK);
    keep(a, "\n", 1);
}

static void keep_finding(void *ctx, const reprise_finding *f)
{
    char line[1024];
    int size = snprintf(line, sizeof line, "%d %s %s %llu %s %s %llu %d\n", f->severity, f->id,
                        f->stream, (unsigned long long)f->offset, f->path, f->message,
                        (unsigned long long)f->count, f->status);
    keep(ctx, line, (size_t)size);
}

static void ask_verify(reprise_replay *replay, answers *a)
{
    reprise_verify_summary summary = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_verify(replay, keep_finding, a, &summary, &error);
    keep_number(a, "verify", summary.faults, status, &error);
    if (status == REPRISE_OK)
        keep_document(a, summary.document);
}

static void ask_scene(reprise_replay *replay, answers *a)
{
    exercise e = {0};
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_scene *scene = NULL;
    reprise_status status = reprise_scene_open(replay, NULL, &scene, &error);
    if (status == REPRISE_OK)
        status = reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error);
    keep_number(a, "scene", e.digest, status, &error);
    reprise_scene_close(scene);
}

static void ask_stats(reprise_replay *replay, answers *a)
{
    const reprise_value *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_stats(replay, &document, &error);
    keep_number(a, "stats", 0, status, &error);
    if (status == REPRISE_OK)
        keep_document(a, document);
    error = (reprise_error)REPRISE_ERROR_INIT;
    status = reprise_info(replay, &document, &error);
    keep_number(a, "info", 0, status, &error);
    if (status == REPRISE_OK)
        keep_document(a, document);
}

static void ask_rows(reprise_replay *replay, answers *a)
{
    exercise e = {0};
    reprise_error none = REPRISE_ERROR_INIT;
    exercise_rows(&e, replay, false);
    keep_number(a, "rows", e.digest, e.read, &none);
}

static void ask_moments(reprise_replay *replay, answers *a)
{
    exercise e = {0};
    reprise_error none = REPRISE_ERROR_INIT;
    exercise_moments(&e, replay);
    keep_number(a, "moments", e.digest, REPRISE_OK, &none);
}

static void ask_recompressed(reprise_replay *replay, answers *a)
{
    exercise e = {0};
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_error error = REPRISE_ERROR_INIT;
    options.sink = &sink;
    options.level = 3;
    reprise_status status = reprise_recompress(replay, &options, NULL, &error);
    keep_number(a, "recompressed", e.digest, status, &error);
}

/* One handle for each question, as commands do. */
static void ask_all(const void *data, size_t size, unsigned threads, answers *ret_answers)
{
    static void (*const questions[])(reprise_replay * replay, answers * a) = {
        ask_verify, ask_scene, ask_stats, ask_rows, ask_moments, ask_recompressed};
    TEST_OPTIONS(options);
    reprise_options_set_threads(options, threads, NULL);
    reprise_options_set_simulate(options, REPRISE_SIMULATE_ALL, NULL);
    ret_answers->size = 0;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = reprise_open_memory(data, size, options, &replay, &error);
        keep_number(ret_answers, "open", i, status, &error);
        if (status != REPRISE_OK)
            return;
        questions[i](replay, ret_answers);
        reprise_close(replay);
    }
}

static void expect_same(const char *path, const char *how, const void *data, size_t size)
{
    static answers alone, other;
    ask_all(data, size, 1, &alone);
    for (unsigned threads = 2; threads <= THREADS; threads++) {
        ask_all(data, size, threads, &other);
        if (strcmp(alone.text, other.text) != 0)
            fail_msg("%s, %s: with %u threads\n%s\ninstead of\n%s", path, how, threads, other.text,
                     alone.text);
    }
    compared++;
    with_findings += strstr(alone.text, "\"findings\":[]") == NULL;
    replayed += strstr(alone.text, "\"orders\":\"replayed\"") != NULL;
    diverged += strstr(alone.text, "\"orders\":\"diverged\"") != NULL;
    recompressed += strstr(alone.text, "recompressed ") &&
                    !strstr(alone.text, "recompressed 0000000000000000");
    scenes += strstr(alone.text, "scene ") && !strstr(alone.text, "scene 0000000000000000");
}

static void expect_same_damaged(const sample *s)
{
    unsigned char *data = malloc(s->size ? s->size : 1);
    assert_non_null(data);
    memcpy(data, s->data, s->size);
    expect_same(s->path, "as it is", data, s->size);
    expect_same(s->path, "cut short", data, s->size - s->size / 5);
    if (s->size > 64) {
        data[s->size / 2] ^= 0x10;
        expect_same(s->path, "changed", data, s->size);
        data[s->size / 3] ^= 0x01;
        expect_same(s->path, "changed and cut short", data, s->size - s->size / 7);
    }
    free(data);
}

static void threads__say_the_same_of_iron_curtain(void **state)
{
    (void)state;
    compared = with_findings = 0;
    walk_samples("tests/data/ironcurtain", expect_same_damaged);
    assert_true(compared > 200);
    assert_true(with_findings > 50);
    assert_true(replayed > 20);
    assert_true(diverged > 3);
}

static void threads__say_and_show_the_same_of_minecraft(void **state)
{
    (void)state;
    compared = with_findings = scenes = 0;
    walk_samples("tests/data/mcreplay", expect_same_damaged);
    assert_true(compared > 100);
    assert_true(with_findings > 50);
    assert_true(scenes > 50);
}

static void threads__say_and_write_the_same_of_cs2kz(void **state)
{
    (void)state;
    compared = with_findings = recompressed = 0;
    walk_samples("tests/data/cs2kz", expect_same_damaged);
    assert_true(compared > 100);
    assert_true(with_findings > 50);
    assert_true(recompressed > 20);
}

/* ---- entities long enough to be read ahead ---- */

enum { ENTITIES = 5, PARTS = 6, FRAMES = 900 };

/* Entity 1 has a word among its numbers, entity 3 ends in the middle. */
static void put_entity(rp_writer *w, unsigned number)
{
    rp_put_format(w, "<entity name='e%u'><model rig-type='multipart'>", number);
    for (unsigned i = 0; i < PARTS; i++)
        rp_put_format(w, "<part name='p%u'/>", i);
    rp_put_format(w, "</model><anim fps='20' start-time='%u'>%s", number, number % 2 ? "\n" : "");
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        for (unsigned i = 0; i <= PARTS; i++) {
            double turn = 0.01 * (double)frame * (double)(i + number);
            bool omitted = (frame + i) % 5 == 0;
            if (!omitted)
                rp_put_format(w, "1 %.6f 0.25 %.4f %u.5 %.3f -2", turn, -turn, frame, turn);
            rp_put_text(w, i == PARTS ? frame % 7 ? "\n" : "\r\n" : ";");
        }
        if (number == 1 && frame == FRAMES - 100)
            rp_put_text(w, "1 0 zero 0;");
        if (number == 2 && frame == 300)
            rp_put_text(w, "0 0 0 0;1 2;NaN 1 1 1\n<!-- nothing -->");
    }
    if (number != 3)
        rp_put_text(w, "</anim></entity>");
}

static void threads__read_long_entities_ahead(void **state)
{
    (void)state;
    static const char meta[] = "{\"version\":\"0.3.0\",\"encoder\":\"test\",\"offset\":[1,2,3]}";
    static const char *const names[ENTITIES] = {
        "entities/a.xml", "entities/b.xml", "entities/c.xml", "entities/d.xml", "entities/e.xml"};
    TEST_OPTIONS(options);
    rp_context context;
    rp_context_init(&context, options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer texts[ENTITIES], zip;
    entry entries[ENTITIES + 1] = {{.name = "meta.json", .data = meta, .size = sizeof meta - 1}};
    rp_writer_init(&zip, &context, SIZE_MAX / 2, &error);
    for (unsigned i = 0; i < ENTITIES; i++) {
        rp_writer_init(&texts[i], &context, SIZE_MAX / 2, &error);
        put_entity(&texts[i], i);
        assert_true(texts[i].size > 1 << 17);
        entries[i + 1] = (entry){.name = names[i], .data = texts[i].data, .size = texts[i].size};
    }
    put_zip(&zip, entries, ENTITIES + 1);
    assert_int_equal(error.status, REPRISE_OK);
    sample s = {.path = "five entities", .data = zip.data, .size = zip.size};
    scenes = with_findings = 0;
    expect_same_damaged(&s);
    assert_true(scenes > 0);
    assert_true(with_findings > 0);
    for (unsigned i = 0; i < ENTITIES; i++)
        rp_writer_free(&texts[i]);
    rp_writer_free(&zip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads__say_the_same_of_iron_curtain),
        cmocka_unit_test(threads__say_and_show_the_same_of_minecraft),
        cmocka_unit_test(threads__say_and_write_the_same_of_cs2kz),
        cmocka_unit_test(threads__read_long_entities_ahead),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
