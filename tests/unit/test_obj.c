/* test_obj.c - meshes from text in pieces of any size, and their triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "obj.h"

typedef struct fixture {
    rp_context context;
    rp_arena arena;
    reprise_error error;
} fixture;

static void start(fixture *f)
{
    rp_context_init(&f->context, NULL);
    rp_arena_init(&f->arena, &f->context);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
}

static void stop(fixture *f)
{
    rp_arena_free(&f->arena);
    assert_int_equal(f->context.bytes_live, 0);
}

static rp_obj read_obj(fixture *f, const char *text, size_t step)
{
    rp_obj_reader *reader = NULL;
    assert_int_equal(rp_obj_open(&f->context, &reader, &f->error), REPRISE_OK);
    size_t size = strlen(text);
    for (size_t at = 0; at < size; at += step)
        assert_int_equal(
            rp_obj_feed(reader, text + at, size - at < step ? size - at : step, &f->error),
            REPRISE_OK);
    rp_obj obj;
    assert_int_equal(rp_obj_finish(reader, &f->arena, &obj, &f->error), REPRISE_OK);
    rp_obj_close(reader);
    return obj;
}

static const char two_quads[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 \\\n0\r\nv 2 1 0\n"
                                "vt 0 0\nvt 1 1\ng left  side \nusemtl a\nf 1/1 2/1 3/2 4/2\n"
                                "g right\ns 1\nf 2/1 5/1 6/2 3/2";

static void obj__pieces_of_any_size_give_the_same(void **state)
{
    (void)state;
    for (size_t step = 1; step <= sizeof two_quads; step++) {
        fixture f;
        start(&f);
        rp_obj obj = read_obj(&f, two_quads, step);
        assert_int_equal(obj.v_count, 6);
        assert_int_equal(obj.vt_count, 2);
        assert_int_equal(obj.face_count, 2);
        assert_true(obj.v[12] == 2 && obj.v[13] == 0 && obj.v[14] == 0);
        assert_string_equal(obj.names[obj.faces[0].group].text, "left side");
        assert_string_equal(obj.names[obj.faces[1].group].text, "right");
        assert_int_equal(obj.faces[0].material, obj.faces[1].material);
        assert_int_equal(obj.faces[0].smoothing, -1);
        assert_string_equal(obj.names[obj.faces[1].smoothing].text, "1");
        stop(&f);
    }
}

static bool keep_left(const rp_obj *obj, const rp_obj_face *face, void *ctx)
{
    return strcmp(obj->names[face->group].text, ctx) == 0;
}

static void obj__polygons_become_fans(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    rp_obj obj = read_obj(&f, two_quads, 7);
    rp_obj_triangles t;
    assert_int_equal(rp_obj_triangulate(&f.arena, &obj, NULL, NULL, &t, &f.error), REPRISE_OK);
    assert_int_equal(t.index_count, 12);
    /* Without normals of their own, corners of different faces are different vertices. */
    assert_int_equal(t.vertex_count, 8);
    static const uint32_t first[] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(t.indices, first, sizeof first);
    for (uint32_t i = 0; i < t.vertex_count; i++)
        assert_true(fabsf(t.normals[3 * i + 2] - 1) < 1e-6f);
    assert_true(t.uvs[0] == 0 && t.uvs[4] == 1);
    char left[] = "left side";
    assert_int_equal(rp_obj_triangulate(&f.arena, &obj, keep_left, left, &t, &f.error), REPRISE_OK);
    assert_int_equal(t.index_count, 6);
    assert_int_equal(t.vertex_count, 4);
    stop(&f);
}

static void obj__corners_with_normals_are_shared(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    rp_obj obj = read_obj(&f,
                          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 -1\n"
                          "f 1//1 2//1 3//1\nf 2//1 4//1 3//1\n",
                          1000);
    rp_obj_triangles t;
    assert_int_equal(rp_obj_triangulate(&f.arena, &obj, NULL, NULL, &t, &f.error), REPRISE_OK);
    assert_int_equal(t.vertex_count, 4);
    assert_null(t.uvs);
    assert_true(t.normals[2] == -1);
    stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj__pieces_of_any_size_give_the_same),
        cmocka_unit_test(obj__polygons_become_fans),
        cmocka_unit_test(obj__corners_with_normals_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
