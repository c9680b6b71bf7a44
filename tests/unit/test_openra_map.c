/* test_openra_map.c - maps of OpenRA: what they say, their ground as a scene, and damaged ones. */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reprise/scene.h"
#include "zip_builder.h"

enum { WIDTH = 4, HEIGHT = 3, TILES_AT = 17, RESOURCES_AT = TILES_AT + 3 * WIDTH * HEIGHT };

static const char map_text[] =
    "MapFormat: 11\n\nRequiresMod: ra\n\nTitle: Own Isle\n\nMapSize: 4,3\n\n"
    "Bounds: 1,1,2,2\n\nActors:\n\tActor0: mpspawn\n\t\tOwner: Neutral\n"
    "\t\tLocation: 1,2\n\tActor1: t01\n\t\tLocation: 2,2\n"
    "\tActor2: mpspawn\n\t\tLocation: far,away\n";

/* Two kinds of tiles, the second in the last column, and ore in one cell. */
static blob make_cells(uint32_t resources_at)
{
    blob b = make_zeros(RESOURCES_AT + 2 * WIDTH * HEIGHT);
    uint8_t *d = b.data;
    d[0] = 2;
    d[1] = WIDTH;
    d[3] = HEIGHT;
    d[5] = TILES_AT;
    d[13] = (uint8_t)resources_at;
    for (int x = 0; x < WIDTH; x++) {
        for (int y = 0; y < HEIGHT; y++)
            d[TILES_AT + 3 * (x * HEIGHT + y)] = x == WIDTH - 1 ? 7 : 255;
    }
    d[RESOURCES_AT + 2 * (1 * HEIGHT + 1)] = 1;
    return b;
}

typedef struct written {
    uint8_t *data;
    size_t size;
} written;

static int collect(void *ctx, const void *data, size_t size)
{
    written *to = ctx;
    to->data = realloc(to->data, to->size + size);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return 0;
}

static reprise_status read_map(const item *items, size_t count, reprise_map_about *about,
                               written *glb)
{
    blob zip = make_archive(&(archive){.items = items, .count = count});
    reprise_sink sink = {glb, collect};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = reprise_map_scenery(zip.data, zip.size, glb ? &sink : NULL, about,
                                                &error);
    assert_int_equal(status, error.status);
    free(zip.data);
    return status;
}

static bool holds(const written *glb, const char *words)
{
    return memmem(glb->data, glb->size, words, strlen(words)) != NULL;
}

static void maps__say_what_they_are(void **state)
{
    (void)state;
    blob cells = make_cells(RESOURCES_AT), yaml = {(uint8_t *)map_text, sizeof map_text - 1};
    blob note = {(uint8_t *)"no part of the map", 18};
    const item items[] = {{.name = "map.bin", .content = cells},
                          {.name = "readme.txt", .content = note},
                          {.name = "map.yaml", .content = yaml, .method = 8}};
    reprise_map_about about;
    assert_int_equal(read_map(items, 3, &about, NULL), REPRISE_OK);
    assert_string_equal(about.title, "Own Isle");
    assert_string_equal(about.mod, "ra");
    assert_int_equal(about.width, 4);
    assert_int_equal(about.height, 3);
    assert_int_equal(about.spawn_points, 1);
    assert_false(about.has_picture);
    /* sha1sum of map.bin and map.yaml, in this order */
    assert_string_equal(about.uid, "016187e869a9ee864922d26702b245e5461c35ae");
    free(cells.data);
}

static void grounds__are_where_the_map_is_played_on(void **state)
{
    (void)state;
    blob cells = make_cells(RESOURCES_AT), yaml = {(uint8_t *)map_text, sizeof map_text - 1};
    const item items[] = {{.name = "map.yaml", .content = yaml},
                          {.name = "map.bin", .content = cells}};
    written glb = {0};
    assert_int_equal(read_map(items, 2, NULL, &glb), REPRISE_OK);
    assert_memory_equal(glb.data, "glTF", 4);
    assert_true(holds(&glb, "\"min\":[1,0,1]") && holds(&glb, "\"max\":[3,0,3]"));
    assert_true(holds(&glb, "\"spawn:0\"") && !holds(&glb, "\"spawn:1\""));
    /* The picture of two by two cells: size, eight bits, colours. */
    assert_non_null(memmem(glb.data, glb.size, "IHDR\0\0\0\2\0\0\0\2\x08\x02\0\0\0", 17));
    free(glb.data);
    free(cells.data);
}

static void damage__is_reported(void **state)
{
    (void)state;
    blob cells = make_cells(RESOURCES_AT), yaml = {(uint8_t *)map_text, sizeof map_text - 1};
    const item whole[] = {{.name = "map.yaml", .content = yaml},
                          {.name = "map.bin", .content = cells}};
    written glb = {0};
    assert_int_equal(read_map(whole, 1, NULL, &glb), REPRISE_E_UNSUPPORTED);
    for (size_t size = 0; size < TILES_AT + 3 * WIDTH * HEIGHT; size++) {
        const item cut[] = {whole[0], {.name = "map.bin", .content = {cells.data, size}}};
        assert_int_not_equal(read_map(cut, 2, NULL, &glb), REPRISE_OK);
    }
    /* A member that is not what its checksum says is damage, even if others could be shown. */
    for (size_t i = 0; i < 3; i++) {
        item items[] = {whole[0], whole[1], {.name = "map.png", .content = yaml}};
        items[i].crc_flip = 1;
        assert_int_equal(read_map(items, 3, NULL, &glb), REPRISE_E_CHECKSUM);
    }
    /* A map without resources, which are said to be after its end. */
    const item bare[] = {whole[0], {.name = "map.bin", .content = {cells.data, RESOURCES_AT}}};
    assert_int_equal(read_map(bare, 2, NULL, &glb), REPRISE_OK);
    cells.data[1] = WIDTH + 1;
    assert_int_equal(read_map(whole, 2, NULL, &glb), REPRISE_E_CORRUPT);
    static const char sizes[][40] = {"MapSize: 0,3\n", "MapSize: 4\n", "MapSize: 99999,3\n",
                                     "MapSize: 4,-3\n", "Title: none\n"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        blob wrong = {(uint8_t *)sizes[i], strlen(sizes[i])};
        const item items[] = {{.name = "map.yaml", .content = wrong}, whole[1]};
        assert_int_equal(read_map(items, 2, NULL, &glb), REPRISE_E_CORRUPT);
    }
    free(glb.data);
    free(cells.data);
}

/* A picture of another size than the map's is not its ground. */
static void pictures__count_only_if_they_fit(void **state)
{
    (void)state;
    static const uint8_t head[] = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\2\0\0\0\2";
    for (uint8_t columns = 1; columns < 4; columns++) {
        uint8_t png[sizeof head - 1];
        memcpy(png, head, sizeof png);
        png[19] = columns;
        blob cells = make_cells(RESOURCES_AT), yaml = {(uint8_t *)map_text, sizeof map_text - 1};
        const item items[] = {{.name = "map.yaml", .content = yaml},
                              {.name = "map.bin", .content = cells},
                              {.name = "map.png", .content = {png, sizeof png}}};
        reprise_map_about about;
        assert_int_equal(read_map(items, 3, &about, NULL), REPRISE_OK);
        assert_true(about.has_picture == (columns == 2));
        free(cells.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps__say_what_they_are),
        cmocka_unit_test(grounds__are_where_the_map_is_played_on),
        cmocka_unit_test(damage__is_reported),
        cmocka_unit_test(pictures__count_only_if_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
