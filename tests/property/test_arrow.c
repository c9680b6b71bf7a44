/*
 * test_arrow.c - Arrow streams: ownership in every order of release, the schema, damage
 * and cancellation. tests/tables checks the values with programs that read Arrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <reprise/arrow.h>

#include "samples.h"

static const char match[] = "tests/data/rumble/z6_match_like_1.2.4.replay";
static const char orders[] = "tests/data/ironcurtain/all-orders.icrep";

static reprise_replay *open_replay(const char *path, const reprise_options *options)
{
    reprise_replay *replay = NULL;
    reprise_error error;
    if (reprise_open_file(path, options, &replay, &error) != REPRISE_OK)
        fail_msg("%s: %s", path, error.message);
    return replay;
}

static struct ArrowArrayStream open_stream(reprise_replay *replay, const char *track,
                                           const reprise_batch_options *options)
{
    struct ArrowArrayStream stream;
    reprise_error error;
    int number = reprise_track_find(replay, track);
    assert_true(number >= 0);
    if (reprise_arrow_stream(replay, (size_t)number, options, &stream, &error) != REPRISE_OK)
        fail_msg("%s: %s", track, error.message);
    return stream;
}

/* ---- ownership ---- */

/* Reads every byte that an array says it has, so that ASan sees memory that is gone. */
static uint64_t touch(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    uint64_t sum = strlen(schema->format) + strlen(schema->name);
    size_t length = (size_t)array->length;
    if (array->n_buffers > 0 && array->buffers[0]) {
        for (size_t i = 0; i < (length + 7) / 8; i++)
            sum += ((const uint8_t *)array->buffers[0])[i];
    }
    if (array->dictionary) {
        for (size_t i = 0; i < length; i++) {
            int32_t index = ((const int32_t *)array->buffers[1])[i];
            assert_true(index >= 0 && (index == 0 || index < array->dictionary->length));
            sum += (uint64_t)index;
        }
        sum += touch(schema->dictionary, array->dictionary);
    } else if (strcmp(schema->format, "u") == 0 || strcmp(schema->format, "z") == 0) {
        const int32_t *offsets = array->buffers[1];
        for (int32_t i = 0; i < offsets[length]; i++)
            sum += ((const uint8_t *)array->buffers[2])[i];
    }
    assert_int_equal(schema->n_children, array->n_children);
    for (int64_t i = 0; i < array->n_children; i++)
        sum += touch(schema->children[i], array->children[i]);
    return sum;
}

enum { REPLAY, STREAM, SCHEMA, BATCH, CHILD, PIECES };

typedef struct pieces {
    reprise_replay *replay;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch, child;
} pieces;

static void release_piece(pieces *p, int piece)
{
    switch (piece) {
    case REPLAY:
        reprise_close(p->replay);
        break;
    case STREAM:
        p->stream.release(&p->stream);
        break;
    case SCHEMA:
        p->schema.release(&p->schema);
        break;
    case BATCH:
        p->batch.release(&p->batch);
        break;
    default:
        p->child.release(&p->child);
    }
}

/* Takes a stream apart and releases its pieces in one order, using those that are left. */
static void release_in_order(const char *path, const char *track, const int *order)
{
    pieces p = {.replay = open_replay(path, NULL)};
    p.stream = open_stream(p.replay, track, NULL);
    assert_int_equal(p.stream.get_schema(&p.stream, &p.schema), 0);
    assert_int_equal(p.stream.get_next(&p.stream, &p.batch), 0);
    assert_non_null(p.batch.release);
    (void)touch(&p.schema, &p.batch);
    /* A child may be moved out of its batch. */
    int64_t last = p.batch.n_children - 1;
    p.child = *p.batch.children[last];
    p.batch.children[last]->release = NULL;
    bool released[PIECES] = {false};
    for (size_t i = 0; i < PIECES; i++) {
        release_piece(&p, order[i]);
        released[order[i]] = true;
        if (!released[SCHEMA] && !released[CHILD])
            (void)touch(p.schema.children[last], &p.child);
        for (int64_t c = 0; !released[SCHEMA] && !released[BATCH] && c < last; c++)
            (void)touch(p.schema.children[c], p.batch.children[c]);
        if (!released[STREAM]) {
            struct ArrowArray more;
            assert_int_equal(p.stream.get_next(&p.stream, &more), 0);
            if (more.release)
                more.release(&more);
        }
    }
}

static void permute(int *order, size_t fixed, const char *path, const char *track, size_t *count)
{
    if (fixed == PIECES) {
        release_in_order(path, track, order);
        (*count)++;
        return;
    }
    for (size_t i = fixed; i < PIECES; i++) {
        int first = order[fixed];
        order[fixed] = order[i];
        order[i] = first;
        permute(order, fixed + 1, path, track, count);
        order[i] = order[fixed];
        order[fixed] = first;
    }
}

static void arrow__may_be_released_in_every_order(void **state)
{
    (void)state;
    int order[PIECES] = {REPLAY, STREAM, SCHEMA, BATCH, CHILD};
    size_t count = 0;
    permute(order, 0, match, "players", &count);
    permute(order, 0, orders, "orders", &count);
    assert_int_equal(count, 240);
}

static void arrow__an_unread_stream_may_be_released(void **state)
{
    (void)state;
    reprise_replay *replay = open_replay(match, NULL);
    struct ArrowArrayStream stream = open_stream(replay, "events", NULL);
    reprise_close(replay);
    stream.release(&stream);
    assert_null(stream.release);
}

/* ---- memory ---- */

typedef struct counted {
    size_t live;
} counted;

static void *counted_alloc(void *ctx, size_t size)
{
    ((counted *)ctx)->live += size;
    return malloc(size);
}

static void *counted_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    ((counted *)ctx)->live += size - old_size;
    return realloc(old, size);
}

static void counted_free(void *ctx, void *old, size_t size)
{
    ((counted *)ctx)->live -= size;
    free(old);
}

/* A consumer may collect batches, and everything is freed with its exact size. */
static void arrow__batches_belong_to_the_consumer(void **state)
{
    (void)state;
    enum { BATCHES = 40 };
    counted memory = {0};
    reprise_options *options = NULL;
    assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
    const reprise_allocator allocator = {counted_alloc, counted_realloc, counted_free, &memory};
    assert_int_equal(reprise_options_set_allocator(options, &allocator, NULL), REPRISE_OK);
    reprise_replay *replay = open_replay(match, options);
    struct ArrowArrayStream stream = open_stream(replay, "structures", NULL);
    struct ArrowArray batches[BATCHES];
    size_t before = memory.live, count = 0;
    for (; count < BATCHES; count++) {
        assert_int_equal(stream.get_next(&stream, &batches[count]), 0);
        if (!batches[count].release)
            break;
    }
    assert_true(count > 0);
    assert_true(memory.live > before);
    stream.release(&stream);
    reprise_close(replay);
    reprise_options_free(options);
    for (size_t i = 0; i < count; i++)
        batches[i].release(&batches[i]);
    assert_int_equal(memory.live, 0);
}

/* ---- schemas ---- */

static void expect_same(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
    assert_string_equal(a->format, b->format);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->metadata != NULL, b->metadata != NULL);
    assert_int_equal(a->n_children, b->n_children);
    assert_int_equal(a->dictionary != NULL, b->dictionary != NULL);
    for (int64_t i = 0; i < a->n_children; i++)
        expect_same(a->children[i], b->children[i]);
}

static size_t schemas_compared;

/* A file has exactly the schema that its format promises, whatever its layout. */
static void compare_schemas(const sample *s)
{
    reprise_replay *replay = NULL;
    if (reprise_open_memory(s->data, s->size, NULL, &replay, NULL) != REPRISE_OK)
        return;
    for (size_t i = 0; i < reprise_track_count(replay); i++) {
        reprise_batch_options options = REPRISE_BATCH_INIT;
        options.stored = i % 2;
        struct ArrowArrayStream stream;
        struct ArrowSchema own, known;
        if (reprise_arrow_stream(replay, i, &options, &stream, NULL) != REPRISE_OK)
            continue;
        assert_int_equal(stream.get_schema(&stream, &own), 0);
        assert_int_equal(reprise_arrow_schema(reprise_format(replay), reprise_track_name(replay, i),
                                              &options, &known, NULL),
                         REPRISE_OK);
        expect_same(&own, &known);
        own.release(&own);
        known.release(&known);
        stream.release(&stream);
        schemas_compared++;
    }
    reprise_close(replay);
}

static void arrow__schema_is_known_without_a_file(void **state)
{
    (void)state;
    walk_samples("tests/data", compare_schemas);
    assert_true(schemas_compared > 500);
}

static void arrow__columns_are_those_asked_for(void **state)
{
    (void)state;
    static const char *const names[] = {"time", "frame"};
    reprise_batch_options options = REPRISE_BATCH_INIT;
    options.columns = names;
    options.column_count = 2;
    options.stored = true;
    options.rows_max = 3;
    options.index_from = 10;
    options.index_to = 14;
    reprise_replay *replay = open_replay(match, NULL);
    struct ArrowArrayStream stream = open_stream(replay, "frames", &options);
    struct ArrowSchema schema;
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(schema.n_children, 3);
    assert_string_equal(schema.children[0]->name, "time");
    assert_string_equal(schema.children[1]->name, "frame");
    assert_string_equal(schema.children[2]->name, "stored");
    schema.release(&schema);
    int64_t next = 10;
    static const int64_t lengths[] = {3, 2};
    for (size_t b = 0; b < 2; b++) {
        struct ArrowArray batch;
        assert_int_equal(stream.get_next(&stream, &batch), 0);
        assert_int_equal(batch.length, lengths[b]);
        for (int64_t i = 0; i < batch.length; i++)
            assert_int_equal(((const int64_t *)batch.children[1]->buffers[1])[i], next++);
        batch.release(&batch);
    }
    struct ArrowArray end;
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release);
    stream.release(&stream);
    reprise_close(replay);
}

static void arrow__misuse_is_refused(void **state)
{
    (void)state;
    static const char *const unknown[] = {"no_such_column"};
    reprise_batch_options options = REPRISE_BATCH_INIT;
    options.columns = unknown;
    options.column_count = 1;
    reprise_replay *replay = open_replay(match, NULL);
    struct ArrowArrayStream stream = {.private_data = &options};
    struct ArrowSchema schema = {.private_data = &options};
    assert_int_equal(reprise_arrow_stream(replay, 0, &options, &stream, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_arrow_stream(replay, 99, NULL, &stream, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_arrow_schema("rumble", "frames", &options, &schema, NULL),
                     REPRISE_E_USAGE);
    assert_int_equal(reprise_arrow_schema("rumble", "x", NULL, &schema, NULL), REPRISE_E_USAGE);
    assert_int_equal(reprise_arrow_schema("x", "frames", NULL, &schema, NULL), REPRISE_E_USAGE);
    /* Results are written only on success. */
    assert_ptr_equal(stream.private_data, &options);
    assert_ptr_equal(schema.private_data, &options);
    reprise_close(replay);
}

/* ---- failures ---- */

static void arrow__damage_comes_after_all_complete_rows(void **state)
{
    (void)state;
    sample s = load_sample(match);
    reprise_replay *replay = NULL;
    assert_int_equal(reprise_open_memory(s.data, s.size / 10 * 7, NULL, &replay, NULL), REPRISE_OK);
    struct ArrowArrayStream stream = open_stream(replay, "frames", NULL);
    int64_t rows = 0;
    int code;
    for (;;) {
        struct ArrowArray batch;
        code = stream.get_next(&stream, &batch);
        if (code != 0 || !batch.release)
            break;
        rows += batch.length;
        batch.release(&batch);
    }
    assert_true(rows > 0);
    assert_int_equal(code, EINVAL);
    const reprise_error *error = reprise_arrow_error(&stream);
    assert_int_equal(error->status, REPRISE_E_TRUNCATED);
    const char *text = stream.get_last_error(&stream);
    assert_int_equal(strncmp(text, "frames: ", 8), 0);
    assert_non_null(strstr(text, error->message));
    stream.release(&stream);
    reprise_close(replay);
    free(s.data);
}

static bool stop(void *ctx, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return !*(bool *)ctx;
}

static void arrow__can_be_cancelled(void **state)
{
    (void)state;
    bool stopped = false;
    reprise_options *options = NULL;
    assert_int_equal(reprise_options_new(&options, NULL), REPRISE_OK);
    assert_int_equal(reprise_options_set_progress(options, stop, &stopped, NULL), REPRISE_OK);
    reprise_replay *replay = open_replay(match, options);
    struct ArrowArrayStream stream = open_stream(replay, "frames", NULL);
    struct ArrowArray batch;
    stopped = true;
    assert_int_equal(stream.get_next(&stream, &batch), ECANCELED);
    assert_int_equal(reprise_arrow_error(&stream)->status, REPRISE_E_CANCELLED);
    assert_string_equal(stream.get_last_error(&stream), "frames: stopped by the caller");
    stream.release(&stream);
    reprise_close(replay);
    reprise_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow__may_be_released_in_every_order),
        cmocka_unit_test(arrow__an_unread_stream_may_be_released),
        cmocka_unit_test(arrow__batches_belong_to_the_consumer),
        cmocka_unit_test(arrow__schema_is_known_without_a_file),
        cmocka_unit_test(arrow__columns_are_those_asked_for),
        cmocka_unit_test(arrow__misuse_is_refused),
        cmocka_unit_test(arrow__damage_comes_after_all_complete_rows),
        cmocka_unit_test(arrow__can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
