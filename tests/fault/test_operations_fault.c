/*
 * test_operations_fault.c - every operation with every kind of failure. The program's own memory,
 * source, sink and progress callback each fail once, at the Nth call, during each operation on
 * small samples of all families. Then:
 *
 * - the status that is returned is that of the error, and a failure has a message;
 * - a failing sink or callback ends the operation with its status, and nothing is asked after it;
 * - without memory or a source, an operation fails with that status, or it has another way and
 *   shows exactly what it shows without the failure.
 *
 * Damaged samples, where operations fail by themselves, obey the first law too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "reprise/foreign.h"
#include "reprise/scene.h"
#include "reprise/tables.h"
#include "samples.h"
#include "share.h"
#include "written.h"

/* What the library asks of its caller. */
typedef enum call { ALLOCATE, READ, WRITE, PROGRESS, CALLS } call;

static const char *const call_names[] = {"allocation", "read", "write", "progress"};
static const reprise_status failures[] = {REPRISE_E_NOMEM, REPRISE_E_IO, REPRISE_E_IO,
                                          REPRISE_E_CANCELLED};

static struct {
    bool counts; /* the operation runs; opening does only where that is the operation */
    bool failed;
    call fails;
    size_t fail_at, made[CALLS], after[CALLS]; /* calls before and after the failure */
    uint64_t shown;                            /* FNV-1a of all answers and output */
} world;

static size_t runs;

static bool ask(call what)
{
    if (!world.counts)
        return true;
    if (world.failed) {
        world.after[what]++;
        return true;
    }
    world.made[what]++;
    world.failed = world.fails == what && world.made[what] == world.fail_at;
    return !world.failed;
}

static void *hook_alloc(void *ctx, size_t size)
{
    (void)ctx;
    return ask(ALLOCATE) ? malloc(size) : NULL;
}

static void *hook_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    (void)ctx, (void)old_size;
    return ask(ALLOCATE) ? realloc(old, size) : NULL;
}

static void hook_free(void *ctx, void *old, size_t size)
{
    (void)ctx, (void)size;
    free(old);
}

static int64_t hook_read(void *ctx, uint64_t offset, void *to, size_t size)
{
    const sample *from = ctx;
    if (!ask(READ))
        return -EIO;
    size_t left = offset < from->size ? from->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    memcpy(to, from->data + offset, n);
    return (int64_t)n;
}

static bool hook_progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    return ask(PROGRESS);
}

static int show(void *ctx, const void *data, size_t size)
{
    const unsigned char *p = data;
    (void)ctx;
    for (size_t i = 0; i < size; i++)
        world.shown = (world.shown ^ p[i]) * UINT64_C(1099511628211);
    return 0;
}

static int hook_write(void *ctx, const void *data, size_t size)
{
    return ask(WRITE) ? show(ctx, data, size) : EIO;
}

static const reprise_sink sink = {.write = hook_write};

/* ---- operations ---- */

/* Folds a document into what was shown, and passes the status on. */
static reprise_status answered(reprise_status status, const reprise_value *document)
{
    const reprise_sink all = {.write = show};
    if (status == REPRISE_OK && document)
        assert_int_equal(reprise_value_write(document, REPRISE_JSON_COMPACT, &all, NULL), 0);
    return status;
}

static reprise_status do_info(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_status status = reprise_info(replay, &answer, error);
    return answered(status, answer);
}

static reprise_status do_stats(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_status status = reprise_stats(replay, &answer, error);
    return answered(status, answer);
}

static reprise_status do_summary(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_status status = reprise_summary(replay, true, &answer, error);
    return answered(status, answer);
}

static reprise_status do_sizes(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_status status = reprise_sizes(replay, &answer, error);
    return answered(status, answer);
}

static reprise_status do_at(reprise_replay *replay, reprise_error *error)
{
    static const double times[] = {0.1, 1e9};
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < 2 && status == REPRISE_OK; i++) {
        const reprise_value *answer = NULL;
        status = reprise_at(replay, (reprise_moment){.time = times[i]}, &answer, error);
        status = answered(status, answer);
    }
    return status;
}

static reprise_status do_verify(reprise_replay *replay, reprise_error *error)
{
    reprise_verify_summary summary = {0};
    reprise_status status = reprise_verify(replay, NULL, NULL, &summary, error);
    return answered(status, summary.document);
}

static reprise_status do_rows(reprise_replay *replay, reprise_error *error)
{
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_row_text_options text = {.struct_size = sizeof text, .with_stored = true};
    options.every_frame = true;
    reprise_rows *rows = NULL;
    reprise_status status = reprise_rows_open(replay, &options, &rows, error);
    while (status == REPRISE_OK && (status = reprise_rows_next(rows, error)) == REPRISE_OK) {
        const char *line;
        size_t size;
        status = reprise_row_format(rows, &text, &line, &size, error);
        if (status == REPRISE_OK)
            show(NULL, line, size);
    }
    reprise_rows_close(rows);
    return status;
}

static reprise_status do_batches(reprise_replay *replay, reprise_error *error)
{
    reprise_status status = REPRISE_END;
    for (size_t i = 0; i < reprise_track_count(replay) && status == REPRISE_END; i++) {
        reprise_batches *batches = NULL;
        const reprise_batch *batch;
        status = reprise_batches_open(replay, i, NULL, &batches, error);
        while (status == REPRISE_OK)
            status = reprise_batches_next(batches, &batch, error);
        reprise_batches_close(batches);
    }
    return status;
}

static reprise_status do_tables(reprise_replay *replay, reprise_error *error)
{
    static const reprise_table_form forms[] = {REPRISE_TABLE_PARQUET, REPRISE_TABLE_ARROW};
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < reprise_track_count(replay) && status == REPRISE_OK; i++)
        status = reprise_table_write(replay, i, forms[i % 2], NULL, &sink, NULL, error);
    return status;
}

static reprise_status do_blobs(reprise_replay *replay, reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < reprise_blob_count(replay) && status == REPRISE_OK; i++)
        status = reprise_blob_read(replay, i, &sink, error);
    return status;
}

static reprise_status do_scene(reprise_replay *replay, reprise_error *error)
{
    reprise_scene *scene = NULL;
    reprise_plot_options options = REPRISE_PLOT_INIT;
    bool empty;
    options.plots = (const char *const[]){"timeline"};
    options.plot_count = 1;
    reprise_status status = reprise_scene_open(replay, NULL, &scene, error);
    if (status == REPRISE_OK)
        status = reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, error);
    if (status == REPRISE_OK)
        status = reprise_scene_write(scene, REPRISE_SCENE_TIMELINE, &sink, error);
    if (status == REPRISE_OK)
        status = reprise_scene_plot(scene, &options, &sink, &empty, error);
    reprise_scene_close(scene);
    return status;
}

static reprise_status do_foreign(reprise_replay *replay, reprise_error *error)
{
    reprise_foreign *foreign = NULL;
    reprise_status status = reprise_foreign_new(replay, &foreign, error);
    status = answered(status, reprise_foreign_about(foreign));
    reprise_foreign_free(foreign);
    return status;
}

static reprise_status do_database(reprise_replay *replay, reprise_error *error)
{
    reprise_database *database = NULL;
    reprise_status status = reprise_database_new(&database, error);
    if (status == REPRISE_OK)
        status = reprise_database_add(database, replay, "name", NULL, error);
    if (status == REPRISE_OK)
        status = reprise_database_write(database, &sink, error);
    reprise_database_free(database);
    return status;
}

static reprise_status do_diff(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    bool equal = false;
    reprise_status status = reprise_diff(replay, replay, NULL, &equal, &answer, error);
    assert_true(status != REPRISE_OK || equal);
    return answered(status, answer);
}

static reprise_status do_merge(reprise_replay *replay, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    double offsets[] = {0, 1};
    reprise_replay *both[] = {replay, replay};
    reprise_status status = reprise_merge(both, 2, offsets, &options, &answer, error);
    return answered(status, answer);
}

static reprise_status change_with(reprise_replay *replay, change how, reprise_error *error)
{
    const reprise_value *answer = NULL;
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    reprise_status status = apply(replay, &how, &options, &answer, error);
    return answered(status, answer);
}

static reprise_status do_convert(reprise_replay *replay, reprise_error *error)
{
    return change_with(replay, (change){0}, error);
}

static reprise_status do_recompress(reprise_replay *replay, reprise_error *error)
{
    return change_with(replay, (change){.recompress = true}, error);
}

static reprise_status do_recover(reprise_replay *replay, reprise_error *error)
{
    return change_with(replay, (change){.recover = true}, error);
}

static reprise_status do_anonymize(reprise_replay *replay, reprise_error *error)
{
    return change_with(replay, (change){.anonymize = REPRISE_PRIVATE_ALL}, error);
}

static reprise_status do_trim(reprise_replay *replay, reprise_error *error)
{
    return change_with(replay, (change){.trim = true, .to = 1}, error);
}

enum { NO_MEMORY = 1 << ALLOCATE, NO_READING = 1 << READ, CANCELLED = 1 << PROGRESS };

/*
 * `leaves_out`: after these failures an answer may have less in it. `goes_on`: after these, what is
 * complete is still written, or everything is built before anyone looks.
 */
static const struct operation {
    const char *name;
    reprise_status (*run)(reprise_replay *replay, reprise_error *error); /* NULL: opening */
    unsigned leaves_out, goes_on;
} operations[] = {
    {"open", NULL, NO_MEMORY | NO_READING, 0},    /* not recognised, or as another layout */
    {"info", do_info, NO_MEMORY | NO_READING, 0}, /* shows what there is */
    {"stats", do_stats, 0, 0},
    {"summary", do_summary, 0, 0},
    {"sizes", do_sizes, 0, 0},
    {"at", do_at, 0, 0},
    {"verify", do_verify, NO_MEMORY, 0}, /* checks that were not possible */
    {"rows", do_rows, 0, 0},
    {"batches", do_batches, 0, CANCELLED},
    {"tables", do_tables, 0, CANCELLED | NO_READING},
    {"blobs", do_blobs, NO_MEMORY | NO_READING, 0}, /* counts those that it finds */
    {"scene", do_scene, NO_MEMORY | NO_READING, CANCELLED},
    {"foreign", do_foreign, 0, 0},
    {"database", do_database, NO_MEMORY | NO_READING | CANCELLED, CANCELLED}, /* no info */
    {"diff", do_diff, 0, 0},
    {"convert", do_convert, 0, 0},
    {"recompress", do_recompress, NO_MEMORY, 0},        /* opens the result, as above */
    {"recover", do_recover, NO_MEMORY | NO_READING, 0}, /* takes what can be read */
    {"anonymize", do_anonymize, NO_MEMORY | NO_READING, 0},
    {"trim", do_trim, 0, 0},
    {"merge", do_merge, 0, 0},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* The first call of an operation that fails ends it, so its status is that of the error. */
static void expect_agreement(const sample *s, const struct operation *operation,
                             reprise_status status, const reprise_error *error)
{
    reprise_status of_error = status == REPRISE_END ? REPRISE_OK : status;
    if (error->status != of_error)
        fail_msg("%s, %s: status %s, error %s '%s'", s->path, operation->name,
                 reprise_status_name(status), reprise_status_name(error->status), error->message);
    if ((error->status != REPRISE_OK) != (error->message[0] != 0))
        fail_msg("%s, %s: %s, but the message is '%s'", s->path, operation->name,
                 reprise_status_name(status), error->message);
}

static reprise_status run(const sample *s, const struct operation *operation, reprise_error *error)
{
    reprise_allocator hooks = {hook_alloc, hook_realloc, hook_free, NULL};
    reprise_source source = {.ctx = (void *)s, .size = s->size, .read = hook_read};
    TEST_OPTIONS(options);
    options_check(reprise_options_set_allocator(options, &hooks, error), error);
    options_check(reprise_options_set_progress(options, hook_progress, NULL, error), error);
    options_check(reprise_options_set_threads(options, 1, error), error);
    options_check(reprise_options_set_simulate(options, REPRISE_SIMULATE_NEVER, error), error);
    options_check(reprise_options_set_salvage(options, operation->run == do_recover, error), error);
    reprise_replay *replay = NULL;
    world.counts = !operation->run;
    world.shown = UINT64_C(14695981039346656037);
    reprise_status status = reprise_open_source(&source, options, &replay, error);
    assert_true((status == REPRISE_OK) == (replay != NULL));
    if (status == REPRISE_OK && operation->run) {
        world.counts = true;
        status = operation->run(replay, error);
    }
    world.counts = false;
    reprise_close(replay);
    expect_agreement(s, operation, status, error);
    runs++;
    return status;
}

/* ---- failures ---- */

static void expect_end(const sample *s, const struct operation *operation, reprise_status status,
                       uint64_t undisturbed)
{
    call fails = world.fails;
    unsigned bit = 1u << fails;
    bool done = status == REPRISE_OK || status == REPRISE_END;
    bool good = status == failures[fails] ||
                (done && (fails == ALLOCATE || fails == READ || fails == PROGRESS) &&
                 world.shown == undisturbed);
    if (!good && !(operation->leaves_out & bit))
        fail_msg("%s, %s: %s %zu fails and it ends with %s", s->path, operation->name,
                 call_names[fails], world.fail_at, reprise_status_name(status));
    bool asks_nothing = fails == WRITE || (fails == PROGRESS && !done);
    for (size_t i = 0; i < CALLS && asks_nothing && !(operation->goes_on & bit); i++) {
        if (world.after[i])
            fail_msg("%s, %s: %zu times %s after the failure of %s %zu", s->path, operation->name,
                     world.after[i], call_names[i], call_names[fails], world.fail_at);
    }
    if (fails == READ && status == REPRISE_E_IO && world.after[WRITE] &&
        !(operation->goes_on & bit))
        fail_msg("%s, %s: output after the failure of read %zu", s->path, operation->name,
                 world.fail_at);
}

enum { SMALL = 5000, EVERY_CALL = 14 };

/* All of the first calls fail and a share of the others: later ones are much the same. */
static void fail_calls(const sample *s, const struct operation *operation)
{
    reprise_error error = REPRISE_ERROR_INIT;
    memset(&world, 0, sizeof world);
    reprise_status whole = run(s, operation, &error);
    if (whole != REPRISE_OK && whole != REPRISE_END)
        return;
    uint64_t undisturbed = world.shown;
    size_t made[CALLS];
    memcpy(made, world.made, sizeof made);
    for (call fails = 0; fails < CALLS; fails++) {
        size_t step = all_cases_run() ? 1 : made[fails] / EVERY_CALL + 1;
        for (size_t n = 1; n <= made[fails]; n += n < EVERY_CALL ? 1 : step) {
            memset(&world, 0, sizeof world);
            world.fails = fails;
            world.fail_at = n;
            error = (reprise_error)REPRISE_ERROR_INIT;
            reprise_status status = run(s, operation, &error);
            expect_end(s, operation, status, undisturbed);
        }
    }
}

/* All small samples, and of families that have hardly any, some that are larger. */
static bool is_chosen(const sample *s)
{
    static const char *const larger[] = {"b-2018.orarep", "world_many_colors.vcap",
                                         "z6_voices_extensions.replay", "td-events-modem.bin"};
    bool chosen = s->size <= SMALL;
    for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++)
        chosen |= strstr(s->path, larger[i]) != NULL;
    return chosen && !strstr(s->path, "/bad/");
}

static void fail_everywhere(const sample *s)
{
    for (size_t i = 0; i < OPERATIONS && is_chosen(s); i++)
        fail_calls(s, &operations[i]);
}

static void operations_fault__every_failure_ends_as_itself(void **state)
{
    (void)state;
    walk_samples("tests/data", fail_everywhere);
    assert_true(runs > 10000);
}

/* ---- damage ---- */

enum { DAMAGED_MAX = 20000 };

static void read_damaged(const sample *s)
{
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < OPERATIONS && s->size <= DAMAGED_MAX && strstr(s->path, "/bad/"); i++) {
        memset(&world, 0, sizeof world);
        (void)run(s, &operations[i], &error);
    }
}

static void operations_fault__damage_has_one_status(void **state)
{
    (void)state;
    size_t before = runs;
    walk_samples("tests/data", read_damaged);
    assert_true(runs > before + 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_fault__every_failure_ends_as_itself),
        cmocka_unit_test(operations_fault__damage_has_one_status),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("# %zu runs\n", runs);
    return failed;
}
