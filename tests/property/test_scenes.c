/*
 * test_scenes.c - scenes of every sample, whole and cut short: the same bytes every time, nothing
 * left allocated, and no damage that breaks anything.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "exercise.h"
#include "reprise/scene.h"
#include "samples.h"

static size_t scenes;

/* A number for everything a scene gives; 0 if there is none. */
static uint64_t digest_scene(const void *data, size_t size)
{
    exercise e = {.digest = UINT64_C(14695981039346656037)};
    reprise_sink sink = {.ctx = &e, .write = exercise_write};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    uint64_t digest = 0;
    if (reprise_open_memory(data, size, NULL, &replay, &error) == REPRISE_OK &&
        reprise_scene_open(replay, NULL, &scene, &error) == REPRISE_OK) {
        assert_int_equal(reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error), REPRISE_OK);
        exercise_document(&e, reprise_scene_timeline(scene));
        digest = e.digest;
    }
    reprise_scene_close(scene);
    reprise_close(replay);
    return digest;
}

static void visit_whole(const sample *s)
{
    uint64_t first = digest_scene(s->data, s->size);
    scenes += first != 0;
    assert_true(digest_scene(s->data, s->size) == first);
}

static void scenes__same_input_same_bytes(void **state)
{
    (void)state;
    walk_samples("tests/data", visit_whole);
    assert_true(scenes > 0);
}

/* What was cut off must not matter to what was there: opening may fail, nothing may break. */
static void visit_cut(const sample *s)
{
    enum { CUTS = 6 };
    for (size_t i = 1; i < CUTS; i++)
        digest_scene(s->data, s->size * i / CUTS);
}

static void scenes__damage_is_survived(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", visit_cut);
    walk_samples("tests/data/cs2kz", visit_cut);
    walk_samples("tests/data/openra", visit_cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes__same_input_same_bytes),
        cmocka_unit_test(scenes__damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
