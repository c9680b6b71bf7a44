/*
 * test_record.c - a writer that does not keep what it was given is found out before its result
 * appears. The writers are doubles of RUMBLE's: between the rows and the real encoder they change
 * one thing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "options.h"
#include "read.h"
#include "reprise/write.h"
#include "row_writer.h"
#include "samples.h"
#include "written.h"

enum { FRAMES = 20, BROKEN_FRAME = 7 };

/* ---- doubles ---- */

typedef void breaker(rp_batch *batch, rumble_any_state *other);

static breaker *broken;
static const rp_format *real;

static rp_row *first_of(rp_batch *batch, uint32_t track)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->rows[i].track == track)
            return &batch->rows[i];
    }
    fail_msg("no row of track %u", track);
    return NULL;
}

static void remove_row(rp_batch *batch, const rp_row *row)
{
    size_t at = (size_t)(row - batch->rows);
    memmove(&batch->rows[at], &batch->rows[at + 1], (--batch->count - at) * sizeof *row);
}

static rumble_event *other_event(rp_batch *batch, rumble_any_state *other)
{
    rp_row *row = first_of(batch, RUMBLE_EVENTS);
    rumble_event *event = (rumble_event *)(void *)other;
    *event = *(const rumble_event *)row->data;
    row->data = event;
    return event;
}

static void changes_nothing(rp_batch *batch, rumble_any_state *other)
{
    (void)batch;
    (void)other;
}

static void changes_a_float(rp_batch *batch, rumble_any_state *other)
{
    rp_row *row = first_of(batch, RUMBLE_PLAYERS);
    other->player = *(const rumble_player *)row->data;
    other->player.rig_pos.y += 0.001f;
    row->data = other;
}

static void exchanges_players(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    rp_row *row = first_of(batch, RUMBLE_PLAYERS);
    row->object = !row->object;
}

static void drops_a_state(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    remove_row(batch, first_of(batch, RUMBLE_PLAYERS));
}

static void drops_an_event(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    remove_row(batch, first_of(batch, RUMBLE_EVENTS));
}

static void drops_a_column(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    first_of(batch, RUMBLE_EVENTS)->present &= ~(UINT64_C(1) << rumble_event_F_damage);
}

static void changes_an_event(rp_batch *batch, rumble_any_state *other)
{
    other_event(batch, other)->damage++;
}

static void changes_a_text(rp_batch *batch, rumble_any_state *other)
{
    other_event(batch, other)->master_id = (rp_text){"someone", 7};
}

static void exchanges_events(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    rp_row *row = first_of(batch, RUMBLE_EVENTS);
    rp_row first = row[0];
    assert_int_equal(row[1].track, RUMBLE_EVENTS);
    row[0] = row[1];
    row[1] = first;
}

static void moves_the_time(rp_batch *batch, rumble_any_state *other)
{
    (void)other;
    first_of(batch, RUMBLE_FRAMES)->time += 0.001;
}

static reprise_status encode_broken(rp_encoder *encoder, const rp_batch *batch,
                                    reprise_error *error)
{
    rp_row rows[8];
    rumble_any_state other;
    rp_batch copy = {.rows = rows, .count = batch->count};
    assert_true(batch->count <= sizeof rows / sizeof rows[0]);
    memcpy(rows, batch->rows, batch->count * sizeof *rows);
    if (batch->rows[0].index == BROKEN_FRAME)
        broken(&copy, &other);
    return real->write->rows(encoder, &copy, error);
}

/* ---- a recording ---- */

static int column_of(const rp_row_writer *r, size_t track, const char *name)
{
    for (size_t i = 0; i < r->columns.count[track]; i++) {
        if (strcmp(r->columns.of[track][i].about.name, name) == 0)
            return (int)i;
    }
    fail_msg("no column %s", name);
    return -1;
}

static void give_frame(rp_row_writer *r, unsigned frame)
{
    reprise_error error = REPRISE_ERROR_INIT;
    double time = frame * 0.5;
    expect_ok(rp_row_writer_row(r, RUMBLE_FRAMES, 0, time, &error), &error, "frame");
    for (uint32_t i = 0; i < 2; i++) {
        expect_ok(rp_row_writer_row(r, RUMBLE_PLAYERS, i, time, &error), &error, "player");
        expect_ok(rp_row_writer_set_double(r, column_of(r, RUMBLE_PLAYERS, "rig_pos_y"),
                                           frame + 10.0 * i, &error),
                  &error, "rig_pos_y");
    }
    for (int i = 0; i < 2; i++) {
        expect_ok(rp_row_writer_row(r, RUMBLE_EVENTS, 0, time, &error), &error, "event");
        expect_ok(rp_row_writer_set_int(r, column_of(r, RUMBLE_EVENTS, "damage"), 1 + i, &error),
                  &error, "damage");
        expect_ok(rp_row_writer_set_text(r, column_of(r, RUMBLE_EVENTS, "master_id"), "somebody", 8,
                                         &error),
                  &error, "master_id");
    }
    expect_ok(rp_row_writer_step(r, &error), &error, "step");
}

static reprise_status record(const rp_format *format, bytes *to, reprise_error *error)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_sink sink = {.ctx = to, .write = bytes_write};
    rp_target target = {.callback = &sink};
    rp_write_options how = {.layout = "z6"};
    rp_row_writer r;
    static const char json[] = "{\"Players\":[{\"Name\":\"A\"},{\"Name\":\"B\"}]}";
    reprise_document *document = NULL;
    reprise_value *metadata = NULL;
    expect_ok(reprise_document_new(&document, error), error, "document");
    expect_ok(reprise_value_parse(document, json, sizeof json - 1, &metadata, error), error, json);
    reprise_status status = rp_row_writer_begin(&r, &context, format, metadata, &how, &target,
                                                error);
    expect_ok(status, error, "begin");
    reprise_document_free(document);
    for (unsigned frame = 0; frame < FRAMES; frame++)
        give_frame(&r, frame);
    status = rp_row_writer_end(&r, error);
    rp_row_writer_free(&r);
    return status;
}

/* ---- tests ---- */

static const struct {
    const char *name;
    breaker *how;
    const char *loss; /* NULL: none */
} breakers[] = {
    {"nothing", changes_nothing, NULL},
    {"a float", changes_a_float, "players.rig_pos as given"},
    {"players exchanged", exchanges_players, "players.rig_pos as given"},
    {"a state dropped", drops_a_state, "players.rig_pos as given"},
    {"an event dropped", drops_an_event, "events (39 of 40 rows)"},
    {"a column dropped", drops_a_column, "events.damage as given"},
    {"a value of an event", changes_an_event, "events.damage as given"},
    {"a text", changes_a_text, "events.master_id as given"},
    {"events exchanged", exchanges_events, "events.damage as given"},
    {"the time", moves_the_time, "frames.time as given"},
};

static void record__a_broken_writer_is_caught_before_its_result_appears(void **state)
{
    (void)state;
    real = rp_format_find("rumble");
    rp_format format = *real;
    rp_format_write write = *real->write;
    write.rows = encode_broken;
    format.write = &write;
    for (size_t i = 0; i < sizeof breakers / sizeof breakers[0]; i++) {
        bytes to = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        broken = breakers[i].how;
        reprise_status status = record(&format, &to, &error);
        print_message("# %s: %s\n", breakers[i].name, error.message);
        if (breakers[i].loss) {
            assert_int_equal(status, REPRISE_E_LOSSY);
            assert_non_null(strstr(error.message, breakers[i].loss));
            assert_int_equal(to.size, 0);
        } else {
            expect_ok(status, &error, breakers[i].name);
            assert_true(to.size > 0);
        }
        bytes_free(&to);
    }
}

/* Formats that keep all rows until the end stop at the memory limit, and nothing appears. */
static void record__kept_rows_end_with_the_memory_limit(void **state)
{
    (void)state;
    static const char *const kept[][2] = {
        {"cs2kz", "ticks"}, {"openra", "packets"}, {"mcreplay", "blocks"}};
    enum { MEMORY = 16 << 20, ROWS_MAX = 1 << 20 };
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        bytes to = {0};
        reprise_sink sink = {.ctx = &to, .write = bytes_write};
        reprise_write_options options = REPRISE_WRITE_INIT;
        options.sink = &sink;
        TEST_OPTIONS(limits);
        options_limit(limits, "memory_bytes", MEMORY);
        reprise_writer *writer = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        expect_ok(writer_begin_json(kept[i][0], "{}", &options, limits, &writer, &error), &error,
                  kept[i][0]);
        int track = reprise_writer_track(writer, kept[i][1]);
        reprise_status status = REPRISE_OK;
        size_t rows = 0;
        for (; rows < ROWS_MAX && status == REPRISE_OK; rows++) {
            status = reprise_writer_row(writer, track, 0, 0, &error);
            if (status == REPRISE_OK)
                status = reprise_writer_step(writer, &error);
        }
        print_message("# %s: %zu rows in %d MiB: %s\n", kept[i][0], rows, MEMORY >> 20,
                      error.message);
        assert_int_equal(status, REPRISE_E_LIMIT);
        assert_true(rows > 10000); /* what is kept is in proportion to what was given */
        reprise_writer_close(writer);
        assert_int_equal(to.size, 0);
        bytes_free(&to);
    }
}

/* ---- metadata and rows that say the same ---- */

#define LISTED \
    "{\"Markers\":[{\"r\":1.0,\"g\":0.5,\"b\":0.0,\"name\":\"core.manual\",\"time\":0.25}]}"

typedef struct given_marker {
    double time, red; /* red: below 0 is not set */
} given_marker;

static const struct {
    const char *name, *metadata;
    given_marker rows[2];
    size_t row_count;
    bool event; /* with a marker kind, at 0 */
    size_t stored;
} marker_cases[] = {
    {"listed only", LISTED, {{0, -1}}, 0, false, 1},
    {"listed, and a row", LISTED, {{0.25, -1}}, 1, false, 1},
    {"listed, and a row with the same colour", LISTED, {{0.25, 1}}, 1, false, 1},
    {"listed, and a row with another colour", LISTED, {{0.25, 0.5}}, 1, false, 2},
    {"listed, and a row at another time", LISTED, {{0.5, -1}}, 1, false, 2},
    {"listed once, and two rows", LISTED, {{0.25, -1}, {0.25, -1}}, 2, false, 2},
    {"an event only", "{}", {{0, -1}}, 0, true, 1},
    {"an event, and a row", "{}", {{0, -1}}, 1, true, 1},
    {"an event, and two rows", "{}", {{0, -1}, {0, -1}}, 2, true, 2},
    {"an event, a listed one, and both as rows", LISTED, {{0.25, -1}, {0, -1}}, 2, true, 2},
};

static void set_marker(reprise_writer *w, const given_marker *marker)
{
    reprise_error error = REPRISE_ERROR_INIT;
    int track = reprise_writer_track(w, "markers");
    expect_ok(reprise_writer_row(w, track, 0, marker->time, &error), &error, "marker");
    expect_ok(reprise_writer_set_text(w, reprise_writer_column(w, track, "name"), "core.manual", 11,
                                      &error),
              &error, "name");
    if (marker->red >= 0)
        expect_ok(
            reprise_writer_set_double(w, reprise_writer_column(w, track, "r"), marker->red, &error),
            &error, "r");
}

static size_t markers_in(const bytes *file)
{
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_open_memory(file->data, file->size, NULL, &replay, &error), &error, "open");
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, "markers");
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    size_t count = 0;
    reprise_status status;
    while ((status = reprise_rows_next(rows, &error)) == REPRISE_OK)
        count++;
    if (status != REPRISE_END)
        expect_ok(status, &error, "next");
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

static void record__markers_of_metadata_and_events_are_not_stored_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof marker_cases / sizeof marker_cases[0]; i++) {
        bytes to = {0};
        reprise_sink sink = {.ctx = &to, .write = bytes_write};
        reprise_write_options options = REPRISE_WRITE_INIT;
        options.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_writer *w = NULL;
        expect_ok(writer_begin_json("rumble", marker_cases[i].metadata, &options, NULL, &w, &error),
                  &error, marker_cases[i].name);
        expect_ok(reprise_writer_row(w, reprise_writer_track(w, "frames"), 0, 0, &error), &error,
                  "frame");
        int events = reprise_writer_track(w, "events");
        if (marker_cases[i].event) {
            expect_ok(reprise_writer_row(w, events, 0, 0, &error), &error, "event");
            expect_ok(
                reprise_writer_set_int(w, reprise_writer_column(w, events, "marker"), 1, &error),
                &error, "marker kind");
        }
        for (size_t k = 0; k < marker_cases[i].row_count; k++)
            set_marker(w, &marker_cases[i].rows[k]);
        expect_ok(reprise_writer_end(w, &error), &error, marker_cases[i].name);
        reprise_writer_close(w);
        size_t stored = markers_in(&to);
        if (stored != marker_cases[i].stored)
            fail_msg("%s: %zu markers are stored", marker_cases[i].name, stored);
        bytes_free(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record__a_broken_writer_is_caught_before_its_result_appears),
        cmocka_unit_test(record__kept_rows_end_with_the_memory_limit),
        cmocka_unit_test(record__markers_of_metadata_and_events_are_not_stored_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
