/*
 * test_mcreplay_world.c - worlds that are assembled here: NBT, blocks, colours, and their scenes.
 * Numbers in the names are items of the checklist in docs/spec/mcreplay.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json.h"
#include "mc_builder.h"
#include "reprise/scene.h"

/* ---- reading ---- */

static void mcreplay_16__any_key_order_and_unknown_tags(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    static const uint8_t sizes[] = {0, 1, 2, 4, 8, 4, 8};
    for (rp_nbt_id id = RP_NBT_BYTE; id <= RP_NBT_DOUBLE; id++) {
        rp_nbt_put_head(&m.w, id, "unknown");
        for (uint8_t i = 0; i < sizes[id]; i++)
            rp_put_u8(&m.w, i);
    }
    rp_nbt_put_head(&m.w, RP_NBT_LONG_ARRAY, "longs");
    rp_nbt_put_i32(&m.w, 1);
    rp_nbt_put_f64(&m.w, 1);
    rp_nbt_put_head(&m.w, RP_NBT_LIST, "lists");
    rp_nbt_put_list(&m.w, RP_NBT_LIST, 2);
    rp_nbt_put_list(&m.w, RP_NBT_END, 0);
    rp_nbt_put_list(&m.w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(&m.w, RP_NBT_STRING, "inner");
    rp_nbt_put_string(&m.w, "text", 4);
    rp_put_u8(&m.w, 0);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    assert_int_equal(rows_of(&s, "blocks"), 4096);
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_16__lying_lengths_and_depth_fail(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 6; way++) {
        nbt_maker m;
        nbt_init(&m);
        switch (way) {
        case 0:
            rp_nbt_put_head(&m.w, RP_NBT_INT_ARRAY, "a");
            rp_nbt_put_i32(&m.w, INT32_MAX);
            break;
        case 1:
            rp_nbt_put_head(&m.w, RP_NBT_BYTE_ARRAY, "a");
            rp_nbt_put_i32(&m.w, -1);
            break;
        case 2:
            rp_nbt_put_head(&m.w, RP_NBT_LIST, "a");
            rp_put_u8(&m.w, RP_NBT_END);
            rp_nbt_put_i32(&m.w, 5);
            break;
        case 3:
            rp_put_u8(&m.w, 13);
            rp_nbt_put_string(&m.w, "a", 1);
            break;
        case 4:
            for (int i = 0; i < 2000; i++)
                rp_nbt_put_head(&m.w, RP_NBT_COMPOUND, "a");
            break;
        default:
            rp_nbt_put_head(&m.w, RP_NBT_LIST, "a");
            for (int i = 0; i < 2000; i++)
                rp_nbt_put_list(&m.w, RP_NBT_LIST, 1);
            break;
        }
        scene s = one_world(&m);
        assert_int_equal(s.summary.faults, 1);
        assert_int_equal(rows_of(&s, "blocks"), 0);
        close_scene(&s);
        rp_writer_free(&m.w);
    }
}

static void mcreplay_17__places_in_negative_sections(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    scene s = one_world(&m);
    size_t index = (3 * 16 + 2) * 16 + 1;
    assert_true(number_at(&s, "blocks", index, "x") == -15);
    assert_true(number_at(&s, "blocks", index, "y") == -13);
    assert_true(number_at(&s, "blocks", index, "z") == -14);
    assert_true(number_at(&s, "blocks", index, "red") == 255);
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_18__frames_out_of_order_are_sorted(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 3);
    put_change(&m.w, 2, "late", 0);
    put_whole(&m.w, 0, "stone", 0, true);
    put_change(&m.w, 1, "stone", 0);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    assert_non_null(finding(&s, "mcreplay.world-order"));
    assert_non_null(finding(&s, "mcreplay.model-missing"));
    assert_int_equal(rows_of(&s, "world_frames"), 3);
    assert_true(text_is(&s, "world_frames", 0, "type", "intracoded"));
    assert_true(text_is(&s, "blocks", 4097, "model", "late"));
    const reprise_value *at = NULL;
    assert_int_equal(reprise_at(s.replay, (reprise_moment){.time = 1.5}, &at, &s.error),
                     REPRISE_OK);
    const reprise_value *blocks = reprise_value_get(at, "blocks");
    assert_int_equal(reprise_value_count(blocks), 1);
    assert_string_equal(
        reprise_value_text(reprise_value_get(reprise_value_at(blocks, 0), "model"), NULL), "stone");
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_20__states_in_bytes_and_ints(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        for (int32_t first = 0; first < 2; first++) {
            nbt_maker m;
            nbt_init(&m);
            put_frames(&m.w, 1);
            put_whole(&m.w, 0, "stone", first, wide);
            scene s = one_world(&m);
            assert_int_equal(s.summary.faults, first);
            assert_int_equal(rows_of(&s, "blocks"), first ? 0 : 4096);
            close_scene(&s);
            rp_writer_free(&m.w);
        }
    }
}

static void mcreplay_16__gzip_around_the_world(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    rp_put_u8(&m.w, 0);
    blob packed = pack_gzip((blob){m.w.data, m.w.size});
    scene s = {.count = 0};
    add(&s, "world.dat", packed);
    open_scene(&s);
    assert_non_null(s.replay);
    assert_string_equal(reprise_layout(s.replay), "vcap");
    assert_non_null(finding(&s, "mcreplay.world-gzip"));
    assert_non_null(finding(&s, "mcreplay.no-meta"));
    assert_int_equal(rows_of(&s, "blocks"), 4096);
    close_scene(&s);
    free(packed.data);
    rp_writer_free(&m.w);
}

static uint8_t states[4096], colors[4096], color_palette[3 * 300];
static const char *const air_and_cube[] = {"air", "cube", "glass"};

/* Only the low eight bits of an offset are stored, for 256 colours. */
static void mcreplay_19__colour_offsets_are_unsigned_and_recovered(void **state)
{
    (void)state;
    enum { COLORS = 256 };
    memset(states, 0, sizeof states);
    for (size_t i = 0; i < COLORS; i++) {
        color_palette[3 * i] = (uint8_t)i;
        color_palette[3 * i + 1] = (uint8_t)(255 - i);
        color_palette[3 * i + 2] = 7;
        colors[i] = (uint8_t)(3 * i);
    }
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 1);
    section one = {.palette = air_and_cube,
                   .palette_count = 1,
                   .states = states,
                   .color_palette = color_palette,
                   .color_bytes = 3 * COLORS,
                   .colors = colors};
    put_sections(&m.w, 0, &one, 1);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    static const size_t looked_at[] = {0, 42, 43, 85, 86, 127, 128, 171, 255};
    for (size_t i = 0; i < RP_COUNT(looked_at); i++) {
        size_t n = looked_at[i];
        assert_true(number_at(&s, "blocks", n, "red") == (double)n);
        assert_true(number_at(&s, "blocks", n, "green") == 255 - (double)n);
        assert_true(number_at(&s, "blocks", n, "colored") == 1);
    }
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_19__colours_must_be_complete(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        memset(states, 0, sizeof states);
        memset(colors, 0, sizeof colors);
        colors[4095] = way == 0 ? 3 : 0;
        nbt_maker m;
        nbt_init(&m);
        put_frames(&m.w, 1);
        section one = {.palette = air_and_cube, .palette_count = 1, .states = states};
        one.color_palette = way == 1 ? NULL : color_palette;
        one.color_bytes = 3;
        one.colors = way == 2 ? NULL : colors;
        if (way == 3)
            one.color_palette = one.colors = NULL;
        put_sections(&m.w, 0, &one, 1);
        scene s = one_world(&m);
        /* Out of range, half of the pair missing, and no colours, which is white. */
        assert_int_equal(s.summary.faults, way < 3);
        if (way == 3)
            assert_true(number_at(&s, "blocks", 4095, "green") == 255);
        close_scene(&s);
        rp_writer_free(&m.w);
    }
}

/* Colours that were merged for other readers are read as they were, and must be complete. */
static void mcreplay_25__merged_colours_are_read_as_they_were(void **state)
{
    (void)state;
    static const uint8_t merged[3] = {1, 2, 3}, exact[6] = {1, 2, 3, 40, 50, 60};
    static uint8_t which[4096];
    memset(states, 0, sizeof states);
    memset(colors, 0, sizeof colors);
    for (unsigned way = 0; way < 5; way++) {
        which[7] = way == 1 ? 2 : 1;
        nbt_maker m;
        nbt_init(&m);
        put_frames(&m.w, 1);
        section one = {.palette = air_and_cube,
                       .palette_count = 1,
                       .states = states,
                       .color_palette = way == 4 ? NULL : merged,
                       .color_bytes = sizeof merged,
                       .colors = way == 4 ? NULL : colors,
                       .exact_palette = way == 2 ? NULL : exact,
                       .exact_bytes = sizeof exact,
                       .exact_colors = way == 3 ? NULL : which};
        put_sections(&m.w, 0, &one, 1);
        scene s = one_world(&m);
        /* Out of range, half of the pair missing; without other colours they are ignored. */
        assert_int_equal(s.summary.faults, way > 0 && way < 4);
        if (way == 0) {
            assert_true(number_at(&s, "blocks", 7, "green") == 50);
            assert_true(number_at(&s, "blocks", 8, "green") == 2);
        }
        if (way == 4)
            assert_true(number_at(&s, "blocks", 7, "green") == 255);
        close_scene(&s);
        rp_writer_free(&m.w);
    }
}

static void mcreplay_18__a_second_whole_frame_replaces_the_world(void **state)
{
    (void)state;
    memset(states, 1, sizeof states);
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 3);
    section one = {.palette = air_and_cube, .palette_count = 2, .states = states};
    put_sections(&m.w, 0, &one, 1);
    put_block(&m.w, 1, (const int32_t[3]){1, 1, 1}, "glass");
    one.at[0] = 5;
    put_sections(&m.w, 2, &one, 1);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    const reprise_value *at = NULL;
    assert_int_equal(reprise_at(s.replay, (reprise_moment){.time = 2}, &at, &s.error), REPRISE_OK);
    assert_int_equal(reprise_value_count(reprise_value_get(at, "blocks")), 0);
    close_scene(&s);
    rp_writer_free(&m.w);
}

/* ---- showing ---- */

#define FACE(a, b, c, d) "f " a " " b " " c " " d "\n"
#define CUBE                                                                       \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"     \
    "g fLayer0\nusemtl solid\n" FACE("1", "2", "6", "5") FACE("4", "8", "7", "3")  \
        FACE("1", "4", "3", "2") FACE("5", "6", "7", "8") FACE("1", "5", "8", "4") \
            FACE("2", "3", "7", "6")
#define PANE "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 1\n"

enum { FACE_INDICES = 6 };

/* A world that is assembled here, and its scene. */
typedef struct shown {
    nbt_maker m;
    scene s;
    reprise_scene *scene;
    blob file;
    rp_arena arena;
    reprise_value *document;
} shown;

static int collect(void *ctx, const void *data, size_t size)
{
    blob *b = ctx;
    b->data = realloc(b->data, b->size + size + 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return 0;
}

static void begin_world(shown *w, size_t frames)
{
    *w = (shown){.file = {NULL, 0}};
    nbt_init(&w->m);
    put_frames(&w->m.w, frames);
    memset(states, 0, sizeof states);
}

static void show_world(shown *w)
{
    rp_put_u8(&w->m.w, 0);
    scene *s = &w->s;
    add(s, "world.dat", (blob){w->m.w.data, w->m.w.size});
    add(s, "mesh/cube.obj", bytes_of(CUBE));
    add(s, "mesh/air.obj", bytes_of(""));
    add(s, "mesh/glass.obj", bytes_of(PANE "g glassPane2\nusemtl clear\nf 1 2 3 4\n"));
    add(s, "mesh/grass.obj", bytes_of(PANE "g FLAYER2\nusemtl tinted\nf 1/1 4/2 3 2\n"));
    add(s, "mat/solid.json", bytes_of("{\"color\":[1,0,0]}"));
    add(s, "mat/clear.json", bytes_of("{\"blend_mode\":\"hashed\"}"));
    add(s, "mat/tinted.json",
        bytes_of("{\"color\":\"fire\",\"overrides\":{\"color2\":\"$VERTEX_COLOR\"},"
                 "\"emission\":\"fire\",\"emission_strength\":0.5}"));
    add(s, "tex/fire.json", bytes_of("{\"frame_count\":4}"));
    static const uint8_t png[24] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x10";
    add(s, "tex/fire_spritesheet.png", (blob){(uint8_t *)(uintptr_t)png, sizeof png});
    add(s, "meta.json", bytes_of("{\"version\":\"0.3.0\"}"));
    open_scene(s);
    assert_non_null(s->replay);
    assert_int_equal(s->summary.faults, 0);
    assert_int_equal(reprise_scene_open(s->replay, NULL, &w->scene, &s->error), REPRISE_OK);
    reprise_sink sink = {.ctx = &w->file, .write = collect};
    assert_int_equal(reprise_scene_write(w->scene, REPRISE_SCENE_GLB, &sink, &s->error),
                     REPRISE_OK);
    rp_arena_init(&w->arena, &w->m.context);
    rp_doc doc = {.arena = &w->arena, .error = &w->m.error};
    uint32_t size;
    memcpy(&size, w->file.data + 12, sizeof size);
    assert_int_equal(
        rp_json_parse(&doc, (const char *)w->file.data + 20, size, "glb", &w->document, NULL),
        REPRISE_OK);
}

static void end_world(shown *w)
{
    rp_arena_free(&w->arena);
    reprise_scene_close(w->scene);
    close_scene(&w->s);
    free(w->file.data);
    rp_writer_free(&w->m.w);
}

static const reprise_value *item_of(const shown *w, const char *list, size_t index)
{
    return reprise_value_at(reprise_value_get(w->document, list), index);
}

static int64_t int_of(const reprise_value *object, const char *key)
{
    return reprise_value_int(reprise_value_get(object, key), -1);
}

/* The bytes of an accessor. */
static const void *data_of(const shown *w, int64_t accessor)
{
    uint32_t size;
    memcpy(&size, w->file.data + 12, sizeof size);
    int64_t view = int_of(item_of(w, "accessors", (size_t)accessor), "bufferView");
    return w->file.data + 28 + size + int_of(item_of(w, "bufferViews", (size_t)view), "byteOffset");
}

static const reprise_value *primitive_of(const shown *w, size_t mesh, size_t index)
{
    return reprise_value_at(reprise_value_get(item_of(w, "meshes", mesh), "primitives"), index);
}

/* The number of faces of all meshes. */
static int64_t faces_of(const shown *w)
{
    int64_t indices = 0;
    for (size_t m = 0; m < reprise_value_count(reprise_value_get(w->document, "meshes")); m++) {
        for (size_t p = 0; primitive_of(w, m, p); p++)
            indices += int_of(
                item_of(w, "accessors", (size_t)int_of(primitive_of(w, m, p), "indices")), "count");
    }
    return indices / FACE_INDICES;
}

static void put_cubes(shown *w, size_t count)
{
    section sections[2] = {{.palette = air_and_cube, .palette_count = 3, .states = states},
                           {.palette = air_and_cube, .palette_count = 3, .states = states}};
    sections[1].at[0] = 1;
    put_sections(&w->m.w, 0, sections, count);
}

static void mcreplay_scene__faces_between_opaque_blocks_are_omitted(void **state)
{
    (void)state;
    for (uint8_t neighbour = 0; neighbour < 3; neighbour++) {
        shown w;
        begin_world(&w, 1);
        states[0] = 1;
        states[1] = neighbour; /* nothing, a cube, or glass, which hides nothing */
        put_cubes(&w, 1);
        show_world(&w);
        static const int64_t faces[] = {6, 10, 7};
        assert_int_equal(faces_of(&w), faces[neighbour]);
        end_world(&w);
    }
}

static void mcreplay_scene__sections_hide_one_another(void **state)
{
    (void)state;
    shown w;
    begin_world(&w, 1);
    memset(states, 1, sizeof states);
    put_cubes(&w, 2);
    show_world(&w);
    assert_int_equal(faces_of(&w), 2 * 32 * 16 * 2 + 2 * 16 * 16);
    /* The world, its two sections, and the camera. */
    assert_int_equal(reprise_value_count(reprise_value_get(w.document, "nodes")), 4);
    end_world(&w);
}

/* Times of the keys of the only animated node, and its visibility from then on. */
static size_t keys_of(const shown *w, float *times, bool *seen)
{
    const reprise_value *animation = item_of(w, "animations", 0);
    const reprise_value *sampler = reprise_value_at(reprise_value_get(animation, "samplers"), 0);
    int64_t input = int_of(sampler, "input");
    int64_t count = int_of(item_of(w, "accessors", (size_t)input), "count");
    assert_string_equal(reprise_value_text(reprise_value_get(sampler, "interpolation"), NULL),
                        "STEP");
    const float *sizes = data_of(w, int_of(sampler, "output"));
    memcpy(times, data_of(w, input), (size_t)count * sizeof *times);
    for (int64_t i = 0; i < count; i++)
        seen[i] = sizes[3 * i] > 0;
    return (size_t)count;
}

static void mcreplay_scene__changes_are_keys_and_uncover_neighbours(void **state)
{
    (void)state;
    shown w;
    begin_world(&w, 4);
    states[0] = states[1] = 1;
    put_cubes(&w, 1);
    put_block(&w.m.w, 1, (const int32_t[3]){1, 0, 0}, "air");
    put_block(&w.m.w, 1, (const int32_t[3]){1, 0, 0}, "air");
    put_block(&w.m.w, 2.5, (const int32_t[3]){1, 0, 0}, "cube");
    show_world(&w);
    /* The permanent block hides a side of the temporary one, but not vice versa. */
    assert_int_equal(faces_of(&w), 6 + 5);
    float times[8];
    bool seen[8];
    assert_int_equal(keys_of(&w, times, seen), 3);
    assert_true(seen[0] && !seen[1] && seen[2]);
    assert_true(times[0] == 0 && times[1] == 1 && times[2] == 2.5f);
    end_world(&w);
}

static void mcreplay_scene__blocks_outside_all_sections_show(void **state)
{
    (void)state;
    shown w;
    begin_world(&w, 2);
    put_cubes(&w, 1);
    put_block(&w.m.w, 1, (const int32_t[3]){-17, 40, 3}, "cube");
    show_world(&w);
    assert_int_equal(faces_of(&w), 6);
    const reprise_value *node = item_of(&w, "nodes", 1);
    assert_string_equal(reprise_value_text(reprise_value_get(node, "name"), NULL),
                        "section -2 2 0");
    float times[8];
    bool seen[8];
    assert_int_equal(keys_of(&w, times, seen), 2);
    assert_true(!seen[0] && seen[1] && times[1] == 1);
    end_world(&w);
}

static void mcreplay_scene__a_second_whole_frame_replaces_the_first(void **state)
{
    (void)state;
    shown w;
    begin_world(&w, 2);
    states[7] = 1;
    put_cubes(&w, 1);
    section other = {
        .at = {0, 9, 0}, .palette = air_and_cube, .palette_count = 1, .states = (uint8_t[4096]){0}};
    put_sections(&w.m.w, 3, &other, 1);
    show_world(&w);
    assert_int_equal(faces_of(&w), 6);
    float times[8];
    bool seen[8];
    assert_int_equal(keys_of(&w, times, seen), 2);
    assert_true(seen[0] && !seen[1] && times[1] == 3);
    end_world(&w);
}

static void mcreplay_scene__tints_layers_and_frames_of_textures(void **state)
{
    (void)state;
    static const char *const grass[] = {"grass"};
    shown w;
    begin_world(&w, 1);
    memset(colors, 0, sizeof colors);
    const uint8_t one_color[3] = {255, 128, 0};
    section one = {.palette = grass,
                   .palette_count = 1,
                   .states = states,
                   .color_palette = one_color,
                   .color_bytes = 3,
                   .colors = colors};
    put_sections(&w.m.w, 0, &one, 1);
    show_world(&w);
    const reprise_value *attributes = reprise_value_get(primitive_of(&w, 0, 0), "attributes");
    const uint8_t *tint = data_of(&w, int_of(attributes, "COLOR_0"));
    /* 128 in sRGB is 0.2158 in linear light. */
    assert_true(tint[0] == 255 && tint[1] == 55 && tint[2] == 0 && tint[3] == 255);
    const float *place = data_of(&w, int_of(attributes, "POSITION"));
    assert_true(fabsf(place[1] - 0.001f) < 1e-6f); /* the second layer of an upward face */
    const float *uv = data_of(&w, int_of(attributes, "TEXCOORD_0"));
    assert_true(uv[0] == 0 && uv[1] == 0.25f && uv[2] == 1 && uv[3] == 0);
    const reprise_value *material = item_of(&w, "materials", 0);
    assert_non_null(reprise_value_get(material, "emissiveTexture"));
    assert_int_equal(reprise_value_count(reprise_value_get(w.document, "images")), 1);
    end_world(&w);
}

/* Only "flayer" and a number name a layer; other groups, however long, are where the mesh says. */
static void mcreplay_scene__other_groups_are_no_layers(void **state)
{
    (void)state;
    static const char *const glass[] = {"glass"};
    shown w;
    begin_world(&w, 1);
    section one = {.palette = glass, .palette_count = 1, .states = states};
    put_sections(&w.m.w, 0, &one, 1);
    show_world(&w);
    const reprise_value *attributes = reprise_value_get(primitive_of(&w, 0, 0), "attributes");
    const float *place = data_of(&w, int_of(attributes, "POSITION"));
    for (size_t i = 0; i < 4; i++)
        assert_true(place[3 * i + 1] == 0);
    end_world(&w);
}

/* A picture that was cut off is one that no program shows. */
static void textures__must_have_an_end(void **state)
{
    (void)state;
    static const uint8_t png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x10\x08\6\0\0\0CRCC"
                                 "\0\0\0\0IENDCRCC";
    static const size_t sizes[] = {sizeof png - 1, sizeof png - 2, sizeof png - 13, 24};
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(META));
        add(&s, "tex/t.png", (blob){(uint8_t *)(uintptr_t)png, sizes[i]});
        add(&s, "entities/e.xml", bytes_of(SCENE("")));
        open_scene(&s);
        assert_non_null(s.replay);
        assert_true(number_at(&s, "textures", 0, "height") == 16);
        assert_true((finding(&s, "mcreplay.texture-png") != NULL) == (i > 0));
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcreplay_16__any_key_order_and_unknown_tags),
        cmocka_unit_test(mcreplay_16__lying_lengths_and_depth_fail),
        cmocka_unit_test(mcreplay_17__places_in_negative_sections),
        cmocka_unit_test(mcreplay_18__frames_out_of_order_are_sorted),
        cmocka_unit_test(mcreplay_20__states_in_bytes_and_ints),
        cmocka_unit_test(mcreplay_16__gzip_around_the_world),
        cmocka_unit_test(mcreplay_19__colour_offsets_are_unsigned_and_recovered),
        cmocka_unit_test(mcreplay_19__colours_must_be_complete),
        cmocka_unit_test(mcreplay_25__merged_colours_are_read_as_they_were),
        cmocka_unit_test(mcreplay_18__a_second_whole_frame_replaces_the_world),
        cmocka_unit_test(mcreplay_scene__faces_between_opaque_blocks_are_omitted),
        cmocka_unit_test(mcreplay_scene__sections_hide_one_another),
        cmocka_unit_test(mcreplay_scene__changes_are_keys_and_uncover_neighbours),
        cmocka_unit_test(mcreplay_scene__blocks_outside_all_sections_show),
        cmocka_unit_test(mcreplay_scene__a_second_whole_frame_replaces_the_first),
        cmocka_unit_test(mcreplay_scene__tints_layers_and_frames_of_textures),
        cmocka_unit_test(mcreplay_scene__other_groups_are_no_layers),
        cmocka_unit_test(textures__must_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
