/*
 * write_world.c - a world's frames as NBT, and the archive around them; the mirror of read_world.c.
 *
 * world.dat begins with the number of its frames, so it is assembled in memory. A cut keeps the
 * last whole frame before it and all changes since, which then take effect at its start.
 */
#include <limits.h>
#include <stdlib.h>

#include "json.h"
#include "nbt.h"
#include "write.h"

enum { SECTION_BLOCKS = 4096, COLORS_MAX = 85 };

reprise_status mc_write_blocks(mc_encoder *e, const mc_block *block, reprise_error *error)
{
    rp_put(&e->blocks, block, sizeof *block);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    return error->status;
}

/* Every model that a frame uses must have a mesh, or the add-on fails. */
static reprise_status note_models(mc_encoder *e, const rp_list *palette, reprise_error *error)
{
    const mc_name *names = palette->items;
    for (size_t i = 0; i < palette->count; i++)
        (void)rp_dictionary_add(&e->models, &e->names, names[i].item.data, names[i].item.size,
                                error);
    return error->status;
}

static void put_palette(rp_writer *w, const rp_list *palette)
{
    const mc_name *names = palette->items;
    rp_nbt_put_head(w, RP_NBT_LIST, "palette");
    rp_nbt_put_list(w, RP_NBT_STRING, palette->count);
    for (size_t i = 0; i < palette->count; i++)
        rp_nbt_put_string(w, names[i].item.data, names[i].item.size);
}

typedef struct tint {
    uint32_t rgb;
    uint32_t count; /* of blocks */
} tint;

/* The colours of a section's blocks. */
typedef struct tints {
    tint colors[SECTION_BLOCKS];
    size_t count;
    uint16_t of[SECTION_BLOCKS]; /* by block */
} tints;

static uint32_t tint_of(const mc_block *block)
{
    return (uint32_t)block->red << 16 | (uint32_t)block->green << 8 | block->blue;
}

static int by_tint(const void *left, const void *right)
{
    const tint *a = left, *b = right;
    return a->rgb < b->rgb ? -1 : a->rgb > b->rgb;
}

static int by_use(const void *left, const void *right)
{
    const tint *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return by_tint(left, right);
}

/* The nearest of the first `count` colours; the first of equally near ones. */
static size_t nearest_tint(const tint *colors, size_t count, uint32_t rgb)
{
    size_t best = 0;
    int least = INT_MAX;
    for (size_t i = 0; i < count && least; i++) {
        int distance = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int d = (int)(colors[i].rgb >> shift & 255) - (int)(rgb >> shift & 255);
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* Lists the different colours, the most frequent first. */
static void collect_tints(const mc_block *blocks, tints *to)
{
    for (size_t i = 0; i < SECTION_BLOCKS; i++)
        to->colors[i] = (tint){.rgb = tint_of(&blocks[i]), .count = 1};
    qsort(to->colors, SECTION_BLOCKS, sizeof *to->colors, by_tint);
    to->count = 0;
    for (size_t i = 0; i < SECTION_BLOCKS; i++) {
        tint one = to->colors[i];
        if (to->count && to->colors[to->count - 1].rgb == one.rgb)
            to->colors[to->count - 1].count++;
        else
            to->colors[to->count++] = one;
    }
    qsort(to->colors, to->count, sizeof *to->colors, by_use);
    for (size_t i = 0; i < SECTION_BLOCKS; i++)
        to->of[i] = (uint16_t)nearest_tint(to->colors, to->count, tint_of(&blocks[i]));
}

static void put_tints(rp_writer *w, const char *name, const tints *from, size_t count)
{
    rp_nbt_put_head(w, RP_NBT_BYTE_ARRAY, name);
    rp_nbt_put_i32(w, (int32_t)(3 * count));
    for (size_t i = 0; i < count; i++) {
        for (int shift = 16; shift >= 0; shift -= 8)
            rp_put_u8(w, (uint8_t)(from->colors[i].rgb >> shift));
    }
}

/*
 * Offsets have eight bits, enough for 85 colours. Rarer colours are replaced by the nearest of
 * these, and all of them are kept in an extra tag for our reader. The add-on reads only the first
 * 42 correctly, so the most frequent colours come first.
 */
static void put_colors(rp_writer *w, const mc_block *blocks)
{
    tints t;
    collect_tints(blocks, &t);
    size_t count = RP_MIN(t.count, COLORS_MAX);
    put_tints(w, "colorPalette", &t, count);
    rp_nbt_put_head(w, RP_NBT_BYTE_ARRAY, "colors");
    rp_nbt_put_i32(w, SECTION_BLOCKS);
    for (size_t i = 0; i < SECTION_BLOCKS; i++) {
        size_t number = t.of[i] < count ? t.of[i]
                                        : nearest_tint(t.colors, count, tint_of(&blocks[i]));
        rp_put_u8(w, (uint8_t)(3 * number));
    }
    if (count == t.count)
        return;
    put_tints(w, MC_EXACT_PALETTE, &t, t.count);
    rp_nbt_put_head(w, RP_NBT_INT_ARRAY, MC_EXACT_COLORS);
    rp_nbt_put_i32(w, SECTION_BLOCKS);
    for (size_t i = 0; i < SECTION_BLOCKS; i++)
        rp_nbt_put_i32(w, t.of[i]);
}

static void put_section(rp_writer *w, const mc_section *section, const mc_block *blocks)
{
    const int32_t pos[3] = {section->x, section->y, section->z};
    static const char axes[3][2] = {"x", "y", "z"};
    for (size_t i = 0; i < 3; i++) {
        rp_nbt_put_head(w, RP_NBT_INT, axes[i]);
        rp_nbt_put_i32(w, pos[i]);
    }
    put_palette(w, &section->palette);
    rp_nbt_put_head(w, RP_NBT_INT_ARRAY, "blocks");
    rp_nbt_put_i32(w, SECTION_BLOCKS);
    for (size_t i = 0; i < SECTION_BLOCKS; i++)
        rp_nbt_put_i32(w, (int32_t)blocks[i].state);
    if (section->colored)
        put_colors(w, blocks);
    rp_put_u8(w, RP_NBT_END);
}

static void put_change(rp_writer *w, const mc_block *block)
{
    const int32_t pos[3] = {block->x, block->y, block->z};
    const uint8_t color[3] = {block->red, block->green, block->blue};
    rp_nbt_put_head(w, RP_NBT_LIST, "pos");
    rp_nbt_put_list(w, RP_NBT_INT, 3);
    for (size_t i = 0; i < 3; i++)
        rp_nbt_put_i32(w, pos[i]);
    rp_nbt_put_head(w, RP_NBT_INT, "state");
    rp_nbt_put_i32(w, (int32_t)block->state);
    if (block->colored) {
        rp_nbt_put_head(w, RP_NBT_LIST, "color");
        rp_nbt_put_list(w, RP_NBT_BYTE, 3);
        rp_put(w, color, sizeof color);
    }
    rp_put_u8(w, RP_NBT_END);
}

static void put_frame(rp_writer *w, const mc_world_frame *frame, double time,
                      const mc_block *blocks)
{
    rp_nbt_put_head(w, RP_NBT_BYTE, "type");
    rp_put_u8(w, frame->type);
    rp_nbt_put_head(w, RP_NBT_DOUBLE, "time");
    rp_nbt_put_f64(w, time);
    if (frame->type == MC_INTRACODED) {
        rp_nbt_put_head(w, RP_NBT_LIST, "sections");
        rp_nbt_put_list(w, RP_NBT_COMPOUND, frame->sections.count);
        for (size_t i = 0; i < frame->sections.count; i++)
            put_section(w, (const mc_section *)frame->sections.items + i,
                        blocks + i * SECTION_BLOCKS);
    } else {
        put_palette(w, &frame->palette);
        rp_nbt_put_head(w, RP_NBT_LIST, "blocks");
        rp_nbt_put_list(w, RP_NBT_COMPOUND, frame->blocks);
        for (size_t i = 0; i < frame->blocks; i++)
            put_change(w, &blocks[i]);
    }
    rp_put_u8(w, RP_NBT_END);
}

reprise_status mc_write_world_frame(mc_encoder *e, const mc_world_frame *frame, double time,
                                    reprise_error *error)
{
    const rp_edit *cut = e->base.options.cut;
    size_t count = e->blocks.size / sizeof(mc_block);
    bool complete = frame->blocks == count &&
                    (frame->type != MC_INTRACODED ||
                     count == frame->sections.count * (size_t)SECTION_BLOCKS);
    if (!complete)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "a world frame of %u blocks has %zu rows of blocks", frame->blocks,
                            count);
    RP_TRY(note_models(e, &frame->palette, error));
    for (size_t i = 0; i < frame->sections.count; i++)
        RP_TRY(note_models(e, &((const mc_section *)frame->sections.items)[i].palette, error));
    bool late = cut && time > cut->time_to;
    if (cut && time <= cut->time_from) {
        if (frame->type == MC_INTRACODED) {
            rp_writer_clear(&e->frames_nbt);
            e->world_frames = 0;
        }
        time = cut->time_from;
    }
    if (cut && !cut->keep_times)
        time -= cut->time_from;
    if (!late) {
        put_frame(&e->frames_nbt, frame, time, (const mc_block *)(const void *)e->blocks.data);
        e->world_frames++;
    }
    rp_writer_clear(&e->blocks);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    return error->status;
}

/* ---- the archive ---- */

static reprise_status add_data(mc_encoder *e, reprise_error *error)
{
    rp_writer *w = &e->text;
    rp_writer_clear(w);
    rp_nbt_put_head(w, RP_NBT_COMPOUND, "");
    rp_nbt_put_head(w, RP_NBT_LIST, "frames");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, e->world_frames);
    rp_put(w, e->frames_nbt.data, e->frames_nbt.size);
    rp_put_u8(w, RP_NBT_END);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    RP_TRY(error->status);
    return rp_zip_add_bytes(e->world_zip, "world.dat", w->data, w->size, error);
}

/* Writes an empty mesh for every model without one, and the one that the exporter always writes. */
static reprise_status add_empty_meshes(mc_encoder *e, reprise_error *error)
{
    static const char usual[] = "empty";
    if (e->base.source) /* a recording has exactly the rows that were given */
        (void)rp_dictionary_add(&e->models, &e->names, usual, sizeof usual - 1, error);
    for (size_t i = 0; i < e->models.texts.count && error->status == REPRISE_OK; i++) {
        const char *id = rp_dictionary_text(&e->models, i);
        if (rp_dictionary_find(&e->meshes, id, strlen(id)) >= 0)
            continue;
        const char *name = rp_arena_format(&e->names, error, "mesh/%s.obj", id);
        if (name)
            (void)rp_zip_add_bytes(e->world_zip, name, "", 0, error);
    }
    return error->status;
}

/* The source's document with the version being written. */
static reprise_status add_about(mc_encoder *e, const reprise_value *about, reprise_error *error)
{
    static const rp_json_format format = {.indent = 2, .exact_integers = true};
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_value *result = rp_new_object(&doc);
    rp_set_text(&doc, result, "version", e->base.options.layout);
    bool unknown = e->base.options.removed & RP_PRIVATE_IDS;
    if (!rp_get(about, "encoder") || unknown)
        rp_set_text(&doc, result, "encoder", "Reprise");
    for (size_t i = 0; i < reprise_value_count(about); i++) {
        const char *key = reprise_value_key(about, i);
        bool ours = strcmp(key, "blockTypes") == 0 || strcmp(key, "faceLayers") == 0;
        if (strcmp(key, "version") == 0 || (unknown && strcmp(key, "encoder") == 0))
            continue;
        if (ours || !(e->base.options.removed & RP_PRIVATE_EXTENSIONS) ||
            strcmp(key, "encoder") == 0)
            rp_set(&doc, result, key, rp_copy(&doc, reprise_value_at(about, i)));
    }
    rp_writer_clear(&e->text);
    rp_json_write(&e->text, result, &format);
    if (error->status == REPRISE_OK)
        rp_zip_add_bytes(e->world_zip, "meta.json", e->text.data, e->text.size, error);
    rp_arena_free(&arena);
    return error->status;
}

/* A grey pixel in place of a skin. */
static reprise_status add_stand_in(mc_encoder *e, const char *to, reprise_error *error)
{
    const char *name = rp_arena_format(&e->names, error, "tex/%s.png", to);
    rp_writer_clear(&e->text);
    mc_put_pixel(&e->text, MC_NEUTRAL);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    RP_TRY(error->status);
    return rp_zip_add_bytes(e->world_zip, name, e->text.data, e->text.size, error);
}

static reprise_status copy_texture(mc_encoder *e, const mc_archive *archive, size_t entry,
                                   reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    rp_stream *stream = NULL;
    if ((e->base.options.removed & RP_PRIVATE_CONTENT) && !mc_is_texture(name))
        return REPRISE_OK;
    RP_TRY(mc_open_member(archive, entry, name, &stream, error));
    reprise_status status = mc_add_texture(e, e->world_zip, name, stream, error);
    rp_stream_close(stream);
    return status;
}

static reprise_status copy_textures(mc_encoder *e, const mc_archive *archive, reprise_error *error)
{
    const mc_members *textures = &archive->textures;
    bool looks = e->base.options.removed & RP_PRIVATE_LOOKS;
    for (size_t i = 0; i < textures->count; i++) {
        const char *file = textures->items[i].id, *to = NULL;
        int64_t first = -1;
        if (e->base.source->salvage && !mc_member_is_complete(archive, textures->items[i].entry))
            continue;
        if (looks)
            to = mc_placeholder_world(textures, file, mc_texture_id_size(file), &e->names, &first,
                                      error);
        if (!to)
            RP_TRY(copy_texture(e, archive, textures->items[i].entry, error));
        else if (first == (int64_t)i) /* an animated one has more members */
            RP_TRY(add_stand_in(e, to, error));
        RP_TRY(error->status);
    }
    return REPRISE_OK;
}

static reprise_status embed(mc_encoder *e, reprise_error *error)
{
    RP_TRY(rp_zip_finish(e->world_zip, error));
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_sink_reopen(e->world_sink, &source, error));
    reprise_status status = rp_stream_open_range(e->base.context, source, 0, rp_source_size(source),
                                                 "world.vcap", &stream, error);
    if (status == REPRISE_OK)
        status = rp_zip_add_stream(e->zip, "world.vcap", stream, error);
    rp_stream_close(stream);
    rp_source_close(source);
    return status;
}

reprise_status mc_finish_world(mc_encoder *e, reprise_error *error)
{
    const mc_replay *source = (const mc_replay *)e->base.source;
    RP_TRY(add_empty_meshes(e, error));
    RP_TRY(add_data(e, error));
    if (source && source->inner.zip)
        RP_TRY(copy_textures(e, &source->inner, error));
    RP_TRY(mc_write_colours(e, MC_SCOPE_WORLD, error));
    RP_TRY(add_about(e, source ? source->inner.about : NULL, error));
    return e->alone ? REPRISE_OK : embed(e, error);
}
