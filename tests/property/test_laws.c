/*
 * test_laws.c - the laws of writing, over replays made from a seed in every layout. REPRISE_ROUNDS
 * in the environment sets how many of each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rumble_files.h"

#include "laws.h"

static const char *const layouts[] = {"l1", "l2", "z2", "z3", "z4a", "z4", "z4p", "z5", "z6"};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], ROUNDS = 4 };

static unsigned rounds(void)
{
    const char *text = getenv("REPRISE_ROUNDS");
    unsigned long given = text ? strtoul(text, NULL, 10) : 0;
    return given ? (unsigned)given : ROUNDS;
}

/* One made-up replay and its file. */
typedef struct made {
    model model;
    bytes file;
    char name[64]; /* enough to make it again */
} made;

static bytes file_of(model *m, const char *name)
{
    bytes file = {0};
    reprise_sink sink = {.ctx = &file, .write = bytes_write};
    const char *problem = is_written(m->layout) ? model_record(m, &sink) : model_build(m, &sink);
    if (problem)
        fail_msg("%s: %s", name, problem);
    return file;
}

static void make(const char *layout, unsigned seed, made *to)
{
    choices c = {.state = seed * UINT64_C(1000003)};
    snprintf(to->name, sizeof to->name, "%s, seed %u", layout, seed);
    choose_model(&c, layout, &to->model);
    to->file = file_of(&to->model, to->name);
}

static void for_all(void (*law)(made *m, choices *c))
{
    static made m;
    for (size_t i = 0; i < LAYOUTS; i++) {
        for (unsigned seed = 1; seed <= rounds(); seed++) {
            choices c = {.state = seed};
            make(layouts[i], seed, &m);
            law(&m, &c);
            bytes_free(&m.file);
        }
    }
}

static void expect_model(made *m, const char *what, const bytes *file)
{
    const char *problem = model_compare(&m->model, file->data, file->size);
    if (problem)
        fail_msg("%s, %s: %s", m->name, what, problem);
}

static void reads_back(made *m, choices *c)
{
    (void)c;
    expect_model(m, "as made", &m->file);
    if (!is_written(m->model.layout))
        return;
    bytes again = changed(&m->file, (change){.convert = m->model.layout});
    expect_model(m, "written again", &again);
    bytes_free(&again);
    law_reads_back(m->name, &m->file);
}

static void laws__what_was_written_reads_back(void **state)
{
    (void)state;
    for_all(reads_back);
}

static void writes_the_same(made *m, choices *c)
{
    (void)c;
    bytes second = file_of(&m->model, m->name);
    if (!same_bytes(&m->file, &second))
        fail_msg("%s: made twice, it has other bytes", m->name);
    bytes_free(&second);
    for (size_t i = 0; i < WRITTEN_LAYOUTS; i++)
        law_writes_the_same(m->name, &m->file, written_layouts[i], true);
}

static void laws__writing_is_deterministic(void **state)
{
    (void)state;
    for_all(writes_the_same);
}

static void rewrites(made *m, choices *c)
{
    (void)c;
    if (!is_written(m->model.layout))
        return;
    bytes again = changed(&m->file, (change){.convert = m->model.layout});
    if (!same_bytes(&m->file, &again))
        fail_msg("%s: a recording of ours is not written again byte by byte", m->name);
    bytes_free(&again);
}

static void laws__own_files_are_rewritten_byte_by_byte(void **state)
{
    (void)state;
    for_all(rewrites);
}

static void keeps_in_z6(made *m, choices *c)
{
    (void)c;
    law_fits_z6(m->name, &m->file);
    law_recompresses(m->name, &m->file);
}

static void laws__converting_and_recompressing_keep_every_row(void **state)
{
    (void)state;
    for_all(keeps_in_z6);
}

static void trims(made *m, choices *c)
{
    uint32_t frames = (uint32_t)m->model.frames;
    uint32_t from = choose(c, frames), to = from + choose(c, frames - from);
    law_trims(m->name, &m->file, from, to);
}

static void laws__trimming_equals_reading_the_range(void **state)
{
    (void)state;
    for_all(trims);
}

static void merges(made *m, choices *c)
{
    if (m->model.frames >= 2)
        law_merges(m->name, &m->file, 1 + choose(c, (uint32_t)m->model.frames - 1));
}

static void laws__halves_merge_into_the_whole(void **state)
{
    (void)state;
    for_all(merges);
}

static void anonymizes(made *m, choices *c)
{
    (void)c;
    law_keeps_what_is_not_private(m->name, &m->file);
}

static void laws__anonymizing_keeps_what_is_not_private(void **state)
{
    (void)state;
    for_all(anonymizes);
}

static void recovers(made *m, choices *c)
{
    (void)c;
    law_recovers_whole_files(m->name, &m->file);
}

static void laws__recovering_a_whole_file_is_identity(void **state)
{
    (void)state;
    for_all(recovers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws__what_was_written_reads_back),
        cmocka_unit_test(laws__writing_is_deterministic),
        cmocka_unit_test(laws__own_files_are_rewritten_byte_by_byte),
        cmocka_unit_test(laws__converting_and_recompressing_keep_every_row),
        cmocka_unit_test(laws__trimming_equals_reading_the_range),
        cmocka_unit_test(laws__halves_merge_into_the_whole),
        cmocka_unit_test(laws__anonymizing_keeps_what_is_not_private),
        cmocka_unit_test(laws__recovering_a_whole_file_is_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
