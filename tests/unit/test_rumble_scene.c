/*
 * test_rumble_scene.c - a fight that a person would call a comeback, fought with hands where no arm
 * can be: every key of the scene is a number, and the timeline says what was worth watching.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "options.h"
#include "reprise/scene.h"
#include "reprise/write.h"
#include "written.h"

enum { FRAMES = 6 };
static const int16_t health[2][FRAMES] = {{20, 12, 6, 6, 6, 6}, {20, 20, 20, 8, 0, 0}};

/* At the shoulder, out of reach, behind the back, inside the head; the head itself last. */
static const double hands[FRAMES][3] = {{0.18, 1.48, 0}, {0, 1.4, 50}, {0, 1.2, -0.4},
                                        {0, 1.6, 0},     {1e6, 0, -3}, {0, -40, 0}};

static void set(reprise_writer *w, int track, const char *column, double value)
{
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(
        reprise_writer_set_double(w, reprise_writer_column(w, track, column), value, &error),
        REPRISE_OK);
}

static void set_whole(reprise_writer *w, int track, const char *column, int64_t value)
{
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(
        reprise_writer_set_int(w, reprise_writer_column(w, track, column), value, &error),
        REPRISE_OK);
}

static void put_player(reprise_writer *w, uint32_t player, int frame)
{
    reprise_error error = REPRISE_ERROR_INIT;
    int track = reprise_writer_track(w, "players");
    assert_int_equal(reprise_writer_row(w, track, player, frame, &error), REPRISE_OK);
    set_whole(w, track, "health", health[player][frame]);
    set_whole(w, track, "active", 1);
    set(w, track, "head_pos_y", 1.6);
    set(w, track, "lhand_pos_x", hands[frame][0]);
    set(w, track, "lhand_pos_y", hands[frame][1]);
    set(w, track, "lhand_pos_z", hands[frame][2]);
    set(w, track, "rhand_pos_y", 1.5);
}

static void write_fight(bytes *to)
{
    static const char metadata[] = "{\"Players\":[{\"Name\":\"Ann\"},{\"Name\":\"Ben\"}]}";
    reprise_sink sink = {.ctx = to, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_writer *w = NULL;
    options.sink = &sink;
    assert_int_equal(writer_begin_json("rumble", metadata, &options, NULL, &w, &error), REPRISE_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(reprise_writer_row(w, reprise_writer_track(w, "frames"), 0, frame, &error),
                         REPRISE_OK);
        put_player(w, 0, frame);
        put_player(w, 1, frame);
        assert_int_equal(reprise_writer_step(w, &error), REPRISE_OK);
    }
    assert_int_equal(reprise_writer_end(w, &error), REPRISE_OK);
    reprise_writer_close(w);
}

static const char *text_of(const reprise_value *from, const char *key)
{
    return reprise_value_text(reprise_value_get(from, key), NULL);
}

static int64_t number(const reprise_value *from, const char *key)
{
    return reprise_value_int(reprise_value_get(from, key), 0);
}

/* Every float of the keys is finite; returns how many there are. */
static size_t check_keys(const bytes *glb, const reprise_value *json, size_t binary)
{
    size_t count = 0;
    const reprise_value *animation = reprise_value_at(reprise_value_get(json, "animations"), 0);
    const reprise_value *samplers = reprise_value_get(animation, "samplers");
    for (size_t i = 0; i < reprise_value_count(samplers); i++) {
        size_t index = (size_t)number(reprise_value_at(samplers, i), "output");
        const reprise_value *accessor = reprise_value_at(reprise_value_get(json, "accessors"),
                                                         index);
        const reprise_value *view = reprise_value_at(reprise_value_get(json, "bufferViews"),
                                                     (size_t)number(accessor, "bufferView"));
        size_t at = binary + (size_t)number(view, "byteOffset") +
                    (size_t)number(accessor, "byteOffset");
        const char *type = text_of(accessor, "type");
        size_t width = strcmp(type, "VEC4") == 0 ? 4 : strcmp(type, "VEC3") == 0 ? 3 : 1;
        for (size_t k = 0; k < width * (size_t)number(accessor, "count"); k++, count++) {
            float value;
            assert_true(at + 4 * k + 4 <= glb->size);
            memcpy(&value, (const uint8_t *)glb->data + at + 4 * k, sizeof value);
            assert_true(isfinite(value));
        }
    }
    return count;
}

static void expect_highlight(const reprise_value *list, const char *kind, const char *text,
                             double time, double score)
{
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        if (strcmp(text_of(one, "kind"), kind) != 0)
            continue;
        assert_string_equal(text_of(one, "text"), text);
        assert_true(fabs(reprise_value_double(reprise_value_get(one, "t"), -1) - time) < 1e-3);
        assert_true(reprise_value_double(reprise_value_get(one, "score"), -1) == score);
        return;
    }
    fail_msg("there is no %s", kind);
}

static reprise_replay *open_fight(bytes *file, reprise_scene **ret_scene)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    write_fight(file);
    assert_int_equal(reprise_open_memory(file->data, file->size, NULL, &replay, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_scene_open(replay, NULL, ret_scene, &error), REPRISE_OK);
    return replay;
}

static void rumble_scene__impossible_hands_give_numbers(void **state)
{
    (void)state;
    bytes file = {0}, glb = {0};
    reprise_scene *scene = NULL;
    reprise_replay *replay = open_fight(&file, &scene);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &glb, .write = bytes_write};
    assert_int_equal(reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error), REPRISE_OK);
    uint32_t length;
    memcpy(&length, (const uint8_t *)glb.data + 12, sizeof length);
    reprise_document *document = NULL;
    reprise_value *json = NULL;
    assert_int_equal(reprise_document_new(&document, &error), REPRISE_OK);
    assert_int_equal(
        reprise_value_parse(document, (const char *)glb.data + 20, length, &json, &error),
        REPRISE_OK);
    assert_true(check_keys(&glb, json, 28 + (size_t)length) > 200);
    reprise_document_free(document);
    reprise_scene_close(scene);
    reprise_close(replay);
    bytes_free(&glb);
    bytes_free(&file);
}

static void rumble_scene__a_comeback_is_a_highlight(void **state)
{
    (void)state;
    bytes file = {0};
    reprise_scene *scene = NULL;
    reprise_replay *replay = open_fight(&file, &scene);
    const reprise_value *list = reprise_value_get(reprise_scene_timeline(scene), "highlights");
    assert_int_equal(reprise_value_count(list), 2);
    expect_highlight(list, "knockout", "Ben is down", 4, 0.9);
    expect_highlight(list, "comeback", "Comeback: Ann was 14 behind", 4, 0.75);
    reprise_scene_close(scene);
    reprise_close(replay);
    bytes_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rumble_scene__impossible_hands_give_numbers),
        cmocka_unit_test(rumble_scene__a_comeback_is_a_highlight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
