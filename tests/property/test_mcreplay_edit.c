/*
 * test_mcreplay_edit.c - Minecraft scenes anonymized, recompressed, compared, cut and recovered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mc_builder.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "share.h"
#include "written.h"

static bool is_bad(const sample *s)
{
    return strstr(s->path, "/bad/") != NULL;
}

static bytes bytes_of_sample(const sample *s)
{
    return (bytes){.data = s->data, .size = s->size};
}

/* ---- looking into files ---- */

/* All members, including those of the world inside. */
static bytes everything_in(const bytes *file)
{
    bytes all = {0};
    reprise_sink sink = {.ctx = &all, .write = bytes_write};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const char *name = reprise_blob_at(replay, i)->name;
        bytes_write(&all, name, strlen(name));
        bytes member = {0};
        reprise_sink to = {.ctx = &member, .write = bytes_write};
        expect_ok(reprise_blob_read(replay, i, &to, &error), &error, name);
        bytes_write(&all, member.data, member.size);
        if (strcmp(name, "world.vcap") == 0) {
            bytes inner = everything_in(&member);
            bytes_write(&all, inner.data, inner.size);
            bytes_free(&inner);
        }
        bytes_free(&member);
    }
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    expect_ok(reprise_value_write(info, REPRISE_JSON_COMPACT, &sink, &error), &error, "info");
    reprise_close(replay);
    return all;
}

/* The rows of a track in a range of time as text, every object in every frame. */
static bytes rows_text(const bytes *file, const char *track_name, double from, double to,
                       bool linear)
{
    bytes text = {0};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    int track = reprise_track_find(replay, track_name);
    options.tracks = UINT64_C(1) << track;
    options.every_frame = true;
    options.linear = linear;
    options.time_from = from;
    options.time_to = to;
    reprise_rows *rows = NULL;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track_name);
    size_t columns[256], count = 0;
    for (size_t c = 0; c < reprise_column_count(replay, (size_t)track); c++) {
        const char *name = reprise_column_at(replay, (size_t)track, c)->name;
        /* After a cut, frames and times are counted from its start: the last bit may differ. */
        if (strcmp(name, "frame") != 0 && strcmp(name, "time") != 0)
            columns[count++] = c;
    }
    reprise_row_text_options style = {
        .struct_size = sizeof style, .columns = columns, .column_count = count};
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        const char *line;
        size_t size;
        expect_ok(reprise_row_format(rows, &style, &line, &size, &error), &error, "row");
        bytes_write(&text, line, size);
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    return text;
}

static const reprise_value *compare(reprise_replay *a, reprise_replay *b, bool *ret_equal)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    expect_ok(reprise_diff(a, b, NULL, ret_equal, &report, &error), &error, "diff");
    return reprise_value_get(report, "tracks");
}

static int64_t number(const reprise_value *tracks, const char *track, const char *key)
{
    return reprise_value_int(reprise_value_get(reprise_value_get(tracks, track), key), -1);
}

/* ---- a scene with people in it ---- */

#define MODEL(material)                                                      \
    "<model rig-type='multipart'><part name='head'><mesh>v 0 0 0\nv 1 0 0\n" \
    "v 0 1 0\nusemtl " material "\nf 1 2 3\n</mesh></part></model>"
#define WALK "<anim>1 0 0 0 650.5 70 -90;1 0 0 0 0 1 0;\n;;\n1 0 0 0 652.5 70 -90;;</anim></entity>"

/* An image of twelve bytes that contains a name. */
#define PICTURE(pixels)                                         \
    {                                                           \
        (uint8_t *)(uintptr_t)("\x89PNG\r\n\x1a\n"              \
                               "\0\0\0\x0cIHDR............CRC!" \
                               "\0\0\0\x0cIDAT" pixels "CRC!"   \
                               "\0\0\0\x0atEXtAuthor\0EveCRC!"  \
                               "\0\0\0\0IENDCRC!and more"),     \
            8 + 24 + 24 + 22 + 12 + 8                           \
    }

static bytes scene_with_people(void)
{
    static const char *const palette[] = {"stone"};
    static const uint8_t states[4096];
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 2);
    section one = {.at = {40, 4, -6}, .palette = palette, .palette_count = 1, .states = states};
    put_sections(&m.w, 0, &one, 1);
    put_block(&m.w, 1, (const int32_t[3]){650, 70, -90}, "stone");
    rp_put_u8(&m.w, 0);
    item inner[] = {
        {.name = "world.dat", .content = {m.w.data, m.w.size}},
        {.name = "mesh/stone.obj",
         .content = bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl minecraft/skins/head99\nf 1 2 3\n"
                             "usemtl world\nf 1 2 3\nusemtl hat\nf 1 2 3\n")},
        {.name = "mat/minecraft/skins/head99.json",
         .content = bytes_of("{\"color\":\"minecraft/skins/head99\"}")},
        {.name = "mat/hat.json", .content = bytes_of("{\"color\":\"minecraft/skins/hat55\"}")},
        {.name = "mat/world.json", .content = bytes_of("{\"color\":\"world\"}")},
        {.name = "tex/minecraft/skins/head99.png", .content = bytes_of("HEADPIXELS")},
        {.name = "tex/minecraft/skins/hat55.json", .content = bytes_of("{\"frame_count\":2}")},
        {.name = "tex/minecraft/skins/hat55_spritesheet.png", .content = bytes_of("HATPIXELS")},
        {.name = "tex/world.png", .content = PICTURE("WORLD_PIXELS")},
    };
    for (size_t i = 0; i < RP_COUNT(inner); i++)
        inner[i].method = 8;
    blob world = make_archive(&(archive){.items = inner, .count = RP_COUNT(inner)});
    item items[] = {
        {.name = "meta.json",
         .content = bytes_of("{\"version\":\"0.3.0\",\"encoder\":\"Igriums Replay Exporter 0.9.1\","
                             "\"offset\":[-640,-72,95],\"server\":\"play.example.org\"}")},
        {.name = "world.vcap", .content = world},
        {.name = "entities/Herobrine77.xml",
         .content = bytes_of("<entity class='minecraft:player' name='Herobrine77'>" MODEL(
             "minecraft/skins/abc123") WALK)},
        {.name = "entities/Zombie.1.xml",
         .content = bytes_of("<entity class='minecraft:zombie' name='Zombie.1'>" MODEL(
             "minecraft/textures/entity/zombie") WALK)},
        {.name = "entities/Dog of Herobrine77.xml",
         .content = bytes_of("<entity class='minecraft:wolf' name='Dog of Herobrine77'>" MODEL(
             "minecraft/textures/entity/wolf") WALK)},
        {.name = "mat/minecraft/skins/abc123.json",
         .content = bytes_of("{\"color\":\"minecraft/skins/abc123\",\"roughness\":1.0}")},
        {.name = "mat/minecraft/textures/entity/zombie.json",
         .content = bytes_of("{\"color\":\"minecraft/textures/entity/zombie\"}")},
        {.name = "tex/minecraft/skins/abc123.png", .content = bytes_of("SKINPIXELS")},
        {.name = "tex/minecraft/capes/nobodys.png", .content = bytes_of("CAPEPIXELS")},
        {.name = "tex/minecraft/textures/entity/zombie.png", .content = PICTURE("ZOMBIEPIXELS")},
    };
    for (size_t i = 0; i < RP_COUNT(items); i++)
        items[i].method = 8;
    blob made = make_archive(&(archive){.items = items, .count = RP_COUNT(items)});
    bytes file = {0};
    bytes_write(&file, made.data, made.size);
    free(made.data);
    free(world.data);
    rp_writer_free(&m.w);
    return file;
}

static void mcreplay_2__the_world_inside_is_read(void **state)
{
    (void)state;
    bytes file = scene_with_people();
    scene s = {.replay = open_bytes(&file, false)};
    assert_true(number_at(&s, "blocks", 4096, "x") == 650);
    assert_true(text_is(&s, "meshes", 3, "model", "stone"));
    assert_true(text_is(&s, "world_frames", 1, "type", "predicted"));
    reprise_close(s.replay);
    bytes_free(&file);
}

static void mcreplay_private__people_and_place_are_gone(void **state)
{
    (void)state;
    bytes file = scene_with_people();
    bytes result = changed(&file, (change){.anonymize = REPRISE_PRIVATE_ALL});
    bytes all = everything_in(&result);
    static const char *const gone[] = {"Herobrine", "abc123",     "SKINPIXELS",       "Igriums",
                                       "640",       "650.5",      "play.example.org", "server",
                                       "head99",    "hat55",      "HEADPIXELS",       "HATPIXELS",
                                       "nobodys",   "CAPEPIXELS", "Author",           "and more"};
    static const char *const kept[] = {"Player 1", "Zombie.1",     "Entity 3",     "ZOMBIEPIXELS",
                                       "skin/1",   "skin/world_1", "WORLD_PIXELS", "usemtl hat"};
    for (size_t i = 0; i < RP_COUNT(gone); i++) {
        if (bytes_contain(&all, gone[i]))
            fail_msg("%s is still there", gone[i]);
    }
    for (size_t i = 0; i < RP_COUNT(kept); i++) {
        if (!bytes_contain(&all, kept[i]))
            fail_msg("%s is gone", kept[i]);
    }
    bytes_free(&all);
    bytes_free(&result);
    bytes_free(&file);
}

/* Everything moves by the same whole sections, so entities keep their place in the world. */
static void mcreplay_private__the_scene_stays_as_it_was(void **state)
{
    (void)state;
    bytes file = scene_with_people();
    bytes result = changed(&file, (change){.anonymize = REPRISE_PRIVATE_ALL});
    scene s = {.replay = open_bytes(&result, false)};
    assert_true(number_at(&s, "frames", 0, "pos_x") == 650.5 - 640);
    assert_true(number_at(&s, "frames", 2, "pos_x") == 652.5 - 640);
    assert_true(number_at(&s, "frames", 0, "pos_y") == 70 - 80);
    assert_true(number_at(&s, "frames", 0, "pos_z") == -90 + 96);
    assert_true(number_at(&s, "blocks", 0, "x") == 0 && number_at(&s, "blocks", 0, "y") == -16);
    assert_true(number_at(&s, "blocks", 4096, "x") == 10);
    assert_true(number_at(&s, "parts", 0, "pos_y") == 1);
    reprise_replay *before = open_bytes(&file, false);
    bool equal;
    const reprise_value *tracks = compare(before, s.replay, &equal);
    assert_false(equal);
    static const char *const same[] = {"parts", "overrides"};
    for (size_t i = 0; i < RP_COUNT(same); i++)
        assert_int_equal(number(tracks, same[i], "differ"), 0);
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        assert_int_equal(number(tracks, reprise_value_key(tracks, i), "only_a"), 0);
    }
    reprise_close(before);
    reprise_close(s.replay);
    bytes_free(&result);
    bytes_free(&file);
}

static void only_some_is_removed(const sample *s)
{
    bytes original = bytes_of_sample(s);
    if (is_bad(s))
        return;
    bytes base = changed(&original, (change){.convert = "0.3.0"});
    bytes result = changed(&base, (change){.anonymize = REPRISE_PRIVATE_ALL});
    reprise_replay *a = open_bytes(&base, false), *b = open_bytes(&result, false);
    bool equal;
    const reprise_value *tracks = compare(a, b, &equal);
    static const char *const changes[] = {
        "entities.name",         "entities.file",  "frames.pos_x",     "frames.pos_y",
        "frames.pos_z",          "blocks.x",       "blocks.y",         "blocks.z",
        "world_frames.sections", "materials.tags", "materials.source", "textures.size"};
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const char *track = reprise_value_key(tracks, i);
        const reprise_value *fields = reprise_value_get(reprise_value_at(tracks, i), "fields");
        assert_int_equal(number(tracks, track, "only_a"), 0);
        assert_int_equal(number(tracks, track, "only_b"), 0);
        for (size_t k = 0; k < reprise_value_count(fields); k++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", track, reprise_value_key(fields, k));
            bool allowed = false;
            for (size_t n = 0; n < RP_COUNT(changes); n++)
                allowed = allowed || strcmp(changes[n], name) == 0;
            if (!allowed)
                fail_msg("%s: %s was changed", s->path, name);
        }
    }
    reprise_close(a);
    reprise_close(b);
    bytes_free(&base);
    bytes_free(&result);
}

static void mcreplay_private__everything_else_is_kept(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", only_some_is_removed);
}

/* ---- levels ---- */

static void recompress_sample(const sample *s)
{
    bytes original = bytes_of_sample(s);
    if (is_bad(s))
        return;
    bytes small = changed(&original, (change){.recompress = true, .level = 9});
    bytes large = changed(&original, (change){.recompress = true, .level = 1});
    bytes again = changed(&large, (change){.recompress = true, .level = 9});
    assert_true(small.size <= large.size);
    if (!same_bytes(&small, &again))
        fail_msg("%s: not the same by another way", s->path);
    bool equal;
    reprise_replay *a = open_bytes(&original, false), *b = open_bytes(&small, false);
    (void)compare(a, b, &equal);
    assert_true(equal);
    reprise_close(a);
    reprise_close(b);
    bytes_free(&small);
    bytes_free(&large);
    bytes_free(&again);
}

static void mcreplay_recompress__content_stays(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", recompress_sample);
}

/* ---- differences ---- */

static bytes two_entities(const char *first, const char *second)
{
    item items[] = {{.name = "meta.json", .content = bytes_of(META), .method = 8},
                    {.name = "entities/a.xml", .content = bytes_of(first), .method = 8},
                    {.name = "entities/b.xml", .content = bytes_of(second), .method = 8}};
    blob made = make_archive(&(archive){.items = items, .count = RP_COUNT(items)});
    bytes file = {0};
    bytes_write(&file, made.data, made.size);
    free(made.data);
    return file;
}

static void mcreplay_diff__entities_are_compared_with_themselves(void **state)
{
    (void)state;
    bytes left = two_entities(SCENE("1 0 0 0 1 0 0;;\n1 0 0 0 2 0 0;;\n1 0 0 0 3 0 0;;"),
                              SCENE("1 0 0 0 7 0 0;;\n1 0 0 0 8 0 0;;\n;;"));
    bytes right = two_entities(SCENE("1 0 0 0 1 0 0;;\n1 0 0 0 2 0 0;;"),
                               SCENE("1 0 0 0 7 0 0;;\n1 0 0 0 9 0 0;;\n1 0 0 0 8 0 0;;"));
    reprise_replay *a = open_bytes(&left, false), *b = open_bytes(&right, false);
    bool equal = true;
    const reprise_value *tracks = compare(a, b, &equal);
    assert_false(equal);
    /* The first lacks its last frame; the second differs in one. */
    assert_int_equal(number(tracks, "frames", "only_a"), 1);
    assert_int_equal(number(tracks, "frames", "only_b"), 0);
    assert_int_equal(number(tracks, "frames", "differ"), 1);
    assert_int_equal(number(tracks, "parts", "differ"), 0);
    (void)compare(a, a, &equal);
    assert_true(equal);
    reprise_close(a);
    reprise_close(b);
    bytes_free(&left);
    bytes_free(&right);
}

/* ---- between frames ---- */

static void mcreplay_interpolate__omitted_values_lie_on_a_line(void **state)
{
    (void)state;
    static const char anim[] = SCENE("1 0 0 0 0 0 0;1 0 0 0;\n;;\n;;1 0 0 0 5 5 5;\n"
                                     "1 0 0 0 6 0 3;-1 0 0 0;\n;;");
    bytes file = two_entities(anim, anim);
    static const double held[] = {0, 0, 0, 6, 6}, line[] = {0, 2, 4, 6, 6};
    for (int linear = 0; linear < 2; linear++) {
        reprise_replay *replay = open_bytes(&file, false);
        reprise_rows_options options = REPRISE_ROWS_INIT;
        options.tracks = UINT64_C(1) << reprise_track_find(replay, "frames");
        options.every_frame = true;
        options.linear = linear;
        reprise_rows *rows = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
        size_t column = column_of(replay, (size_t)reprise_track_find(replay, "frames"), "pos_x");
        for (size_t i = 0; i < 10; i++) {
            assert_int_equal(reprise_rows_next(rows, &error), REPRISE_OK);
            double x = reprise_row_double(rows, column);
            assert_true(fabs(x - (linear ? line : held)[i % 5]) < 1e-12);
        }
        reprise_rows_close(rows);
        reprise_close(replay);
    }
    /* Part b is first given in frame 2: before it there is nothing to interpolate from. */
    bytes text = rows_text(&file, "parts", 0, 0, true);
    assert_true(bytes_contain(&text, "\"part\":1") && bytes_contain(&text, "\"pos_x\":5,"));
    bytes_free(&text);
    text = rows_text(&file, "parts", 0, 0, false);
    assert_false(bytes_contain(&text, "\"pos_x\":5,"));
    bytes_free(&text);
    bytes_free(&file);
}

/* If no value is omitted, both are equal. */
static void interpolate_sample(const sample *s)
{
    bytes original = bytes_of_sample(s);
    if (is_bad(s) || !strstr(s->path, "multipart_basic"))
        return;
    bytes a = rows_text(&original, "frames", -1e300, 1e300, false);
    bytes b = rows_text(&original, "frames", -1e300, 1e300, true);
    assert_true(a.size > 0 && same_bytes(&a, &b));
    bytes_free(&a);
    bytes_free(&b);
}

static void mcreplay_interpolate__full_frames_stay(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", interpolate_sample);
}

/* ---- cuts ---- */

static void trim_sample(const sample *s)
{
    static const char *const tracks[] = {"frames", "parts", "overrides"};
    bytes original = bytes_of_sample(s);
    if (is_bad(s) || strstr(s->path, "static_15") || strstr(s->path, ".vcap"))
        return;
    const double from = 0.2, to = 0.6;
    bytes cut = {0};
    reprise_sink sink = {.ctx = &cut, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(&original, false);
    reprise_status status = reprise_trim(
        replay, (reprise_bound){.by = REPRISE_BY_TIME, .time = from},
        (reprise_bound){.by = REPRISE_BY_TIME, .time = to}, true, &options, &report, &error);
    if (status == REPRISE_OK) {
        const reprise_value *range = reprise_value_get(report, "range");
        double first = reprise_value_double(reprise_value_get(range, "from"), 0);
        double last = reprise_value_double(reprise_value_get(range, "to"), 0);
        for (size_t i = 0; i < RP_COUNT(tracks); i++) {
            bytes wanted = rows_text(&original, tracks[i], first - 1e-9, last + 1e-9, false);
            bytes given = rows_text(&cut, tracks[i], first - 1e-9, last + 1e-9, false);
            /* Entities without a frame in the range are dropped, so numbers may change. */
            if (strstr(s->path, "multipart_basic") && !same_bytes(&wanted, &given))
                fail_msg("%s: %s differ", s->path, tracks[i]);
            assert_int_equal(wanted.size == 0, given.size == 0);
            bytes_free(&wanted);
            bytes_free(&given);
        }
    }
    reprise_close(replay);
    bytes_free(&cut);
}

static void mcreplay_trim__equals_cat(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", trim_sample);
}

/* ---- damage ---- */

/* Recovering a sound file only rewrites it. */
static void recover_whole(const sample *s)
{
    bytes original = bytes_of_sample(s);
    if (is_bad(s))
        return;
    bytes recovered = changed(&original, (change){.recover = true});
    bytes converted = changed(&original, (change){.convert = "0.3.0"});
    if (!same_bytes(&recovered, &converted))
        fail_msg("%s: recovering changes it", s->path);
    bytes_free(&recovered);
    bytes_free(&converted);
}

static void mcreplay_recover__undamaged_is_the_same(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", recover_whole);
}

static size_t directory_of(const sample *s)
{
    for (size_t i = 0; i + 4 < s->size; i++) {
        if (memcmp(s->data + i, "PK\1\2", 4) == 0)
            return i;
    }
    return s->size;
}

/* In these files sizes follow the data, so unpacking needs the directory. */
static void recover_without_directory(const sample *s)
{
    bytes original = bytes_of_sample(s);
    if (is_bad(s))
        return;
    bytes cut = {0};
    bytes_write(&cut, s->data, directory_of(s));
    bytes recovered = changed(&cut, (change){.recover = true});
    static const char *const tracks[] = {"frames", "parts", "overrides", "world_frames", "blocks"};
    for (size_t i = 0; i < RP_COUNT(tracks); i++) {
        bytes a = rows_text(&original, tracks[i], -1e300, 1e300, false);
        bytes b = rows_text(&recovered, tracks[i], -1e300, 1e300, false);
        if (!same_bytes(&a, &b))
            fail_msg("%s: %s are not all there", s->path, tracks[i]);
        bytes_free(&a);
        bytes_free(&b);
    }
    bytes_free(&cut);
    bytes_free(&recovered);
}

static bool begins_with(const bytes *all, const bytes *some)
{
    return some->size <= all->size && memcmp(all->data, some->data, some->size) == 0;
}

/* Of a world that is cut, the frames before the cut; the first one is most of it. */
static void mcreplay_recover__whole_frames_of_a_cut_world(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/mcreplay/world_frames.vcap");
    bytes original = bytes_of_sample(&s),
          all = rows_text(&original, "blocks", -1e300, 1e300, false);
    size_t steps = 0, most = 0;
    for (size_t size = 64; size < directory_of(&s); size += 64) {
        if (!case_runs(size / 64, 4) && size + 64 < directory_of(&s))
            continue;
        bytes cut = {.data = s.data, .size = size};
        TEST_OPTIONS(options);
        reprise_options_set_salvage(options, true, NULL);
        reprise_replay *damaged = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        if (reprise_open_memory(cut.data, cut.size, options, &damaged, &error) != REPRISE_OK) {
            assert_int_equal(most, 0);
            continue;
        }
        reprise_close(damaged);
        bytes recovered = changed(&cut, (change){.recover = true});
        bytes some = rows_text(&recovered, "blocks", -1e300, 1e300, false);
        assert_true(begins_with(&all, &some));
        assert_true(some.size >= most);
        steps += some.size > most;
        most = some.size;
        bytes_free(&some);
        bytes_free(&recovered);
    }
    assert_true(steps > 2 && most == all.size);
    bytes_free(&all);
    free(s.data);
}

static void mcreplay_recover__without_a_directory(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", recover_without_directory);
}

/* ---- verdicts ---- */

static bool progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return ++*(uint64_t *)ctx < UINT64_C(100000000);
}

/* Every bad file, in little memory: which are refused and which only reported. */
static void mcreplay_23__bad_files_get_their_verdict(void **state)
{
    (void)state;
    FILE *list = fopen("tests/data/mcreplay/bad/verdicts.tsv", "r");
    assert_non_null(list);
    char line[512];
    size_t count = 0;
    for (; fgets(line, sizeof line, list); count++) {
        char path[256], name[128], verdict[32];
        assert_int_equal(sscanf(line, "%127s %31s", name, verdict), 2);
        snprintf(path, sizeof path, "tests/data/mcreplay/bad/%s", name);
        sample s = load_sample(path);
        TEST_OPTIONS(options);
        uint64_t steps = 0;
        options_limit(options, "memory_bytes", 100 << 20);
        reprise_options_set_progress(options, progress, &steps, NULL);
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = NULL;
        reprise_verify_summary summary = {0};
        bool refused = reprise_open_memory(s.data, s.size, options, &replay, &error) != REPRISE_OK;
        if (!refused) {
            expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, path);
            refused = summary.faults > 0;
        }
        if (refused != (strcmp(verdict, "refuse") == 0))
            fail_msg("%s should get the verdict %s", path, verdict);
        assert_true(refused || summary.warnings > 0);
        reprise_close(replay);
        free(s.data);
    }
    fclose(list);
    assert_true(count >= 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcreplay_2__the_world_inside_is_read),
        cmocka_unit_test(mcreplay_23__bad_files_get_their_verdict),
        cmocka_unit_test(mcreplay_private__people_and_place_are_gone),
        cmocka_unit_test(mcreplay_private__the_scene_stays_as_it_was),
        cmocka_unit_test(mcreplay_private__everything_else_is_kept),
        cmocka_unit_test(mcreplay_recompress__content_stays),
        cmocka_unit_test(mcreplay_diff__entities_are_compared_with_themselves),
        cmocka_unit_test(mcreplay_interpolate__omitted_values_lie_on_a_line),
        cmocka_unit_test(mcreplay_interpolate__full_frames_stay),
        cmocka_unit_test(mcreplay_trim__equals_cat),
        cmocka_unit_test(mcreplay_recover__undamaged_is_the_same),
        cmocka_unit_test(mcreplay_recover__without_a_directory),
        cmocka_unit_test(mcreplay_recover__whole_frames_of_a_cut_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
