/*
 * mc_builder.h - assembles Minecraft scenes and worlds, which may be malformed, and inspects what
 * is read from them.
 */
#ifndef MC_BUILDER_H
#define MC_BUILDER_H

#include <math.h>
#include <stdio.h>

#include "exercise.h"
#include "nbt.h"
#include "zip_builder.h"

#define META        "{\"version\":\"0.3.0\",\"encoder\":\"test\",\"offset\":[1,2,3]}"
#define HEAD        "<entity name='n' class='c'><model rig-type='multipart'>"
#define PARTS       "<part name='a'><part name='b'/></part>"
#define SCENE(anim) HEAD PARTS "</model><anim fps='10'>" anim "</anim></entity>"

enum { ITEMS_MAX = 16 };

/* ---- making files ---- */

typedef struct scene {
    item items[ITEMS_MAX];
    size_t count;
    blob file;
    reprise_replay *replay;
    reprise_error error;
    reprise_verify_summary summary;
} scene;

static inline blob bytes_of(const char *words)
{
    return (blob){(uint8_t *)(uintptr_t)words, strlen(words)};
}

static inline item *add(scene *s, const char *name, blob content)
{
    assert_true(s->count < ITEMS_MAX);
    s->items[s->count] = (item){.name = name, .content = content, .method = 8};
    return &s->items[s->count++];
}

static inline void open_scene(scene *s)
{
    archive a = {.items = s->items, .count = s->count};
    s->file = make_archive(&a);
    s->error = (reprise_error)REPRISE_ERROR_INIT;
    (void)!reprise_open_memory(s->file.data, s->file.size, NULL, &s->replay, &s->error);
    if (s->replay)
        assert_int_equal(reprise_verify(s->replay, NULL, NULL, &s->summary, &s->error), REPRISE_OK);
}

static inline void close_scene(scene *s)
{
    reprise_close(s->replay);
    free(s->file.data);
}

/* A scene of one entity. */
static inline scene one_entity(const char *xml)
{
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/e.xml", bytes_of(xml));
    open_scene(&s);
    assert_non_null(s.replay);
    return s;
}

static inline const reprise_value *finding(const scene *s, const char *id)
{
    const reprise_value *findings = reprise_value_get(s->summary.document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_at(findings, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "id"), NULL), id) == 0)
            return one;
    }
    return NULL;
}

static inline int64_t rows_of(const scene *s, const char *track)
{
    return reprise_value_int(
        reprise_value_get(reprise_value_get(s->summary.document, "rows"), track), -1);
}

static inline bool skipped(const scene *s)
{
    return finding(s, "mcreplay.entity") != NULL;
}

/* ---- looking at rows ---- */

static inline size_t column_of(const reprise_replay *replay, size_t track, const char *name)
{
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        if (strcmp(reprise_column_at(replay, track, i)->name, name) == 0)
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

/* A number of the nth row of a track, every part in every frame; NAN past the last. */
static inline double number_at(const scene *s, const char *track_name, size_t row,
                               const char *column)
{
    size_t track = (size_t)reprise_track_find(s->replay, track_name);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    options.every_frame = true;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_rows_open(s->replay, &options, &rows, &error), REPRISE_OK);
    double found = NAN;
    size_t number = column_of(s->replay, track, column);
    for (size_t i = 0; reprise_rows_next(rows, &error) == REPRISE_OK; i++) {
        if (i == row)
            found = reprise_row_double(rows, number);
    }
    reprise_rows_close(rows);
    return found;
}

static inline bool text_is(const scene *s, const char *track_name, size_t row, const char *column,
                           const char *expected)
{
    size_t track = (size_t)reprise_track_find(s->replay, track_name);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_rows_open(s->replay, &options, &rows, &error), REPRISE_OK);
    bool same = false;
    size_t number = column_of(s->replay, track, column);
    for (size_t i = 0; reprise_rows_next(rows, &error) == REPRISE_OK; i++) {
        size_t size = 0;
        const char *words = reprise_row_text(rows, number, &size);
        if (i == row)
            same = words && size == strlen(expected) && memcmp(words, expected, size) == 0;
    }
    reprise_rows_close(rows);
    return same;
}

/* ---- worlds ---- */

typedef struct nbt_maker {
    rp_context context;
    reprise_error error;
    rp_writer w;
} nbt_maker;

static inline void nbt_init(nbt_maker *m)
{
    rp_context_init(&m->context, NULL);
    m->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&m->w, &m->context, SIZE_MAX / 2, &m->error);
    rp_nbt_put_head(&m->w, RP_NBT_COMPOUND, "");
}

static inline void put_names(rp_writer *w, const char *key, const char *const *names, size_t count)
{
    rp_nbt_put_head(w, RP_NBT_LIST, key);
    rp_nbt_put_list(w, RP_NBT_STRING, count);
    for (size_t i = 0; i < count; i++)
        rp_nbt_put_string(w, names[i], strlen(names[i]));
}

static inline void put_moment(rp_writer *w, uint8_t type, double time)
{
    rp_nbt_put_head(w, RP_NBT_DOUBLE, "time");
    rp_nbt_put_f64(w, time);
    rp_nbt_put_head(w, RP_NBT_BYTE, "type");
    rp_put_u8(w, type);
}

/* A whole frame of one section filled with one model, or with `state` in its first block. */
static inline void put_whole(rp_writer *w, double time, const char *model, int32_t state, bool wide)
{
    rp_nbt_put_head(w, RP_NBT_LIST, "sections");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, wide ? RP_NBT_INT_ARRAY : RP_NBT_BYTE_ARRAY, "blocks");
    rp_nbt_put_i32(w, 4096);
    for (int i = 0; i < 4096; i++) {
        if (wide)
            rp_nbt_put_i32(w, i == 0 ? state : 0);
        else
            rp_put_u8(w, (uint8_t)(i == 0 ? state : 0));
    }
    static const char axes[3][2] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        rp_nbt_put_head(w, RP_NBT_INT, axes[i]);
        rp_nbt_put_i32(w, -1);
    }
    put_names(w, "palette", &model, 1);
    rp_put_u8(w, 0);
    put_moment(w, 0, time);
    rp_put_u8(w, 0);
}

static inline void put_change(rp_writer *w, double time, const char *model, int32_t state)
{
    put_moment(w, 1, time);
    rp_nbt_put_head(w, RP_NBT_LIST, "blocks");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, RP_NBT_INT, "state");
    rp_nbt_put_i32(w, state);
    rp_nbt_put_head(w, RP_NBT_LIST, "pos");
    rp_nbt_put_list(w, RP_NBT_INT, 3);
    for (int i = 0; i < 3; i++)
        rp_nbt_put_i32(w, i);
    rp_put_u8(w, 0);
    put_names(w, "palette", &model, 1);
    rp_put_u8(w, 0);
}

static inline void put_frames(rp_writer *w, size_t count)
{
    rp_nbt_put_head(w, RP_NBT_LIST, "frames");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, count);
}

static inline scene one_world(nbt_maker *m)
{
    rp_put_u8(&m->w, 0);
    scene s = {.count = 0};
    add(&s, "world.dat", (blob){m->w.data, m->w.size});
    add(&s, "mesh/stone.obj", bytes_of("v 0 0 0\n"));
    add(&s, "meta.json", bytes_of("{\"version\":\"0.3.0\"}"));
    open_scene(&s);
    assert_non_null(s.replay);
    return s;
}

/* A section of a whole frame; colours are optional. */
typedef struct section {
    int32_t at[3];
    const char *const *palette;
    size_t palette_count;
    const uint8_t *states; /* 4096 */
    const uint8_t *color_palette;
    size_t color_bytes;
    const uint8_t *colors; /* 4096 */
    const uint8_t *exact_palette;
    size_t exact_bytes;
    const uint8_t *exact_colors; /* 4096 */
} section;

static inline void put_bytes(rp_writer *w, const char *key, const uint8_t *data, size_t size)
{
    rp_nbt_put_head(w, RP_NBT_BYTE_ARRAY, key);
    rp_nbt_put_i32(w, (int32_t)size);
    rp_put(w, data, size);
}

static inline void put_sections(rp_writer *w, double time, const section *sections, size_t count)
{
    static const char axes[3][2] = {"x", "y", "z"};
    put_moment(w, 0, time);
    rp_nbt_put_head(w, RP_NBT_LIST, "sections");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, count);
    for (size_t i = 0; i < count; i++) {
        const section *s = &sections[i];
        for (size_t k = 0; k < 3; k++) {
            rp_nbt_put_head(w, RP_NBT_INT, axes[k]);
            rp_nbt_put_i32(w, s->at[k]);
        }
        put_names(w, "palette", s->palette, s->palette_count);
        put_bytes(w, "blocks", s->states, 4096);
        if (s->color_palette)
            put_bytes(w, "colorPalette", s->color_palette, s->color_bytes);
        if (s->colors)
            put_bytes(w, "colors", s->colors, 4096);
        if (s->exact_palette)
            put_bytes(w, "repriseColorPalette", s->exact_palette, s->exact_bytes);
        if (s->exact_colors)
            put_bytes(w, "repriseColors", s->exact_colors, 4096);
        rp_put_u8(w, 0);
    }
    rp_put_u8(w, 0);
}

/* A frame that sets one block. */
static inline void put_block(rp_writer *w, double time, const int32_t at[3], const char *model)
{
    put_moment(w, 1, time);
    put_names(w, "palette", &model, 1);
    rp_nbt_put_head(w, RP_NBT_LIST, "blocks");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, RP_NBT_INT, "state");
    rp_nbt_put_i32(w, 0);
    rp_nbt_put_head(w, RP_NBT_LIST, "pos");
    rp_nbt_put_list(w, RP_NBT_INT, 3);
    for (int i = 0; i < 3; i++)
        rp_nbt_put_i32(w, at[i]);
    rp_put_u8(w, 0);
    rp_put_u8(w, 0);
}

#endif
