/*
 * read_world.c - the block world: NBT frames, each the whole world or changes to it.
 *
 * Keys of a compound may be in any order, so a first pass over world.dat notes kind, time and place
 * of every frame. The second gives their blocks: a section at a time, or all changes of a frame.
 * Only that much is held in memory, unless frames are out of order, which no known writer does;
 * then world.dat is kept in memory.
 */
#include <math.h>
#include <stdlib.h>

#include "mcreplay.h"
#include "nbt.h"

enum {
    SECTION_SIDE = 16,
    SECTION_BLOCKS = SECTION_SIDE * SECTION_SIDE * SECTION_SIDE,
    MAGIC_GZIP_0 = 0x1F,
    MAGIC_GZIP_1 = 0x8B,
};

static const char stream_name[] = "zip:world.dat";

/* The place of a frame in world.dat. */
typedef struct frame_place {
    uint64_t offset; /* of the first tag in it */
    double time;
    uint32_t number; /* in the file */
    uint8_t type;
} frame_place;

/* A change as stored, because the palette may follow it. */
typedef struct change {
    int32_t pos[3];
    uint32_t state;
    uint8_t color[3];
    bool colored;
} change;

struct mc_world_reader {
    mc_replay *replay;
    rp_window window;
    uint64_t size; /* of world.dat */
    rp_nbt nbt;
    rp_writer places; /* frame_place, in order of time */
    uint32_t frame;   /* the next one */
    bool in_order;
    bool in_frame; /* inside a frame, with `sections_left` to come */
    bool in_sections;
    size_t sections_left;
    rp_arena arena;       /* of the frame: palettes of its row */
    rp_writer sections;   /* mc_section, of the frame's row */
    rp_writer names;      /* texts of the palette being read */
    rp_writer name_sizes; /* size_t each */
    rp_writer changes;
    mc_block *blocks; /* blocks of the last piece */
    size_t block_capacity;
    uint32_t block_total;
    mc_name *palette; /* of the frame or section, in the arena */
    size_t palette_count;
    mc_world_frame about;
};

/* ---- opening ---- */

/* world.dat is not compressed itself, but a tool may have done so. */
static reprise_status open_stream(mc_world_reader *reader, reprise_error *error)
{
    mc_replay *replay = reader->replay;
    const mc_archive *inner = &replay->inner;
    rp_context *context = replay->base.context;
    rp_stream *stream = NULL, *unpacked = NULL;
    RP_TRY(mc_open_member(inner, (size_t)inner->world, stream_name, &stream, error));
    rp_window_free(&reader->window);
    rp_window_init_stream(&reader->window, context, stream, stream_name);
    reader->size = rp_zip_is_damaged(inner->zip) /* then its size is unknown */
                       ? context->limits.decoded_bytes_max
                       : rp_zip_entry_at(inner->zip, (size_t)inner->world)->size;
    RP_TRY(rp_window_fill(&reader->window, 2, error));
    const uint8_t *head = rp_window_at(&reader->window);
    if (rp_window_left(&reader->window) < 2 || head[0] != MAGIC_GZIP_0 || head[1] != MAGIC_GZIP_1)
        return REPRISE_OK;
    rp_note(&replay->base.findings, MC_FINDING(WORLD_GZIP), stream_name, 0, "",
            "world.dat is compressed with gzip");
    rp_window_free(&reader->window);
    RP_TRY(mc_open_member(inner, (size_t)inner->world, stream_name, &stream, error));
    RP_TRY(rp_stream_open_gzip(stream, stream_name, 0, &unpacked, error));
    rp_window_init_stream(&reader->window, context, unpacked, stream_name);
    reader->size = context->limits.decoded_bytes_max;
    return REPRISE_OK;
}

static reprise_status wrong_tag(rp_nbt *nbt, rp_nbt_id id)
{
    rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "tag %d does not belong here", (int)id);
    return nbt->error->status;
}

/* ---- first pass: where frames are ---- */

static reprise_status place_frame(mc_world_reader *reader, rp_nbt *nbt, uint32_t number)
{
    frame_place place = {.offset = reader->window.offset, .number = number};
    int64_t type = 0;
    bool has_type = false, has_time = false;
    rp_nbt_compound(nbt);
    for (rp_nbt_id id; (id = rp_nbt_next(nbt)) != RP_NBT_END;) {
        if (strcmp(nbt->name, "type") == 0) {
            type = rp_nbt_integer(nbt, id);
            has_type = true;
        } else if (strcmp(nbt->name, "time") == 0 && id == RP_NBT_DOUBLE) {
            place.time = rp_nbt_double(nbt);
            has_time = true;
        } else {
            rp_nbt_skip(nbt, id);
        }
    }
    if (rp_nbt_ok(nbt) && (!has_type || (type != MC_INTRACODED && type != MC_PREDICTED)))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "frame %u has the unknown type %lld", number,
                    (long long)type);
    if (rp_nbt_ok(nbt) && (!has_time || !isfinite(place.time)))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "frame %u has no time", number);
    place.type = (uint8_t)type;
    const frame_place *last = reader->places.size
                                  ? (const frame_place *)(const void *)(reader->places.data +
                                                                        reader->places.size) -
                                        1
                                  : NULL;
    if (rp_nbt_ok(nbt) && last && place.time < last->time)
        reader->in_order = false;
    if (rp_nbt_ok(nbt))
        rp_put(&reader->places, &place, sizeof place);
    return nbt->error->status;
}

static reprise_status place_frames(mc_world_reader *reader, rp_nbt *nbt)
{
    rp_nbt_list list = rp_nbt_list_begin(nbt);
    if (list.count && list.id != RP_NBT_COMPOUND)
        return wrong_tag(nbt, list.id);
    for (size_t i = 0; i < list.count && rp_nbt_ok(nbt); i++)
        RP_TRY(place_frame(reader, nbt, (uint32_t)i));
    rp_nbt_list_end(nbt);
    return nbt->error->status;
}

static int compare_places(const void *left, const void *right)
{
    const frame_place *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static reprise_status scan_frames(mc_world_reader *reader, reprise_error *error)
{
    rp_context *context = reader->replay->base.context;
    rp_nbt nbt;
    rp_nbt_init(&nbt, &reader->window, reader->size, (size_t)context->limits.depth_max, error);
    rp_nbt_root(&nbt);
    bool found = false;
    for (rp_nbt_id id; (id = rp_nbt_next(&nbt)) != RP_NBT_END;) {
        if (strcmp(nbt.name, "frames") != 0) {
            rp_nbt_skip(&nbt, id);
            continue;
        }
        if (id != RP_NBT_LIST || found)
            return wrong_tag(&nbt, id);
        found = true;
        RP_TRY(place_frames(reader, &nbt));
    }
    if (rp_nbt_ok(&nbt) && !found)
        rp_nbt_fail(&nbt, REPRISE_E_CORRUPT, "the world has no frames");
    RP_TRY(error->status);
    RP_TRY(rp_window_fill(&reader->window, 1, error));
    if (rp_window_left(&reader->window))
        rp_note(&reader->replay->base.findings, MC_FINDING(WORLD_TRAILING), stream_name,
                reader->window.offset, "", "bytes after the root tag");
    else if (reader->window.failure.status != REPRISE_OK)
        return rp_window_short(&reader->window, 1, "", error);
    return REPRISE_OK;
}

/* When salvaging, keeps the frames before the damage. */
static reprise_status find_frames(mc_world_reader *reader, reprise_error *error)
{
    mc_replay *replay = reader->replay;
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = scan_frames(reader, &damage);
    if (replay->base.salvage && mc_is_damage(status) && reader->places.size) {
        replay->world_cut = damage;
        status = REPRISE_OK;
    }
    /* The lists have errors of their own: `error`. */
    if (status != REPRISE_OK && error->status == REPRISE_OK)
        *error = damage;
    return error->status;
}

/* Frames that go back in time are sorted by time. */
static reprise_status sort_frames(mc_world_reader *reader, reprise_error *error)
{
    if (reader->in_order)
        return REPRISE_OK;
    rp_note(&reader->replay->base.findings, MC_FINDING(WORLD_ORDER), stream_name, 0, "frames",
            "frames are not in order of time and were sorted");
    qsort(reader->places.data, reader->places.size / sizeof(frame_place), sizeof(frame_place),
          compare_places);
    size_t want = 1 << 20;
    while (!reader->window.ended) {
        RP_TRY(rp_window_fill(&reader->window, want, error));
        want *= 2;
    }
    return REPRISE_OK;
}

static reprise_status open_frames(mc_world_reader *reader, reprise_error *error)
{
    RP_TRY(open_stream(reader, error));
    RP_TRY(find_frames(reader, error));
    RP_TRY(open_stream(reader, error));
    RP_TRY(sort_frames(reader, error));
    size_t whole = (size_t)reader->replay->world_whole * sizeof(frame_place);
    if (reader->replay->world_cut.status != REPRISE_OK)
        reader->places.size = RP_MIN(reader->places.size, whole);
    return REPRISE_OK;
}

static reprise_status open_reader(mc_world_reader *reader, reprise_error *error)
{
    RP_TRY(mc_open_world(reader->replay, error));
    mc_note_world(reader->replay);
    reprise_status status = open_frames(reader, error);
    if (status != REPRISE_OK)
        rp_error_at(error, "world.dat");
    return status;
}

reprise_status mc_world_open(mc_replay *replay, mc_world_reader **ret_reader, reprise_error *error)
{
    rp_context *context = replay->base.context;
    mc_world_reader *reader = rp_alloc_zero(context, 1, sizeof *reader, error);
    if (!reader)
        return error->status;
    reader->replay = replay;
    reader->in_order = true;
    rp_arena_init(&reader->arena, context);
    size_t max = (size_t)RP_MIN(context->limits.decoded_bytes_max, (uint64_t)SIZE_MAX / 16);
    rp_writer *const lists[] = {&reader->places, &reader->sections, &reader->names,
                                &reader->name_sizes, &reader->changes};
    for (size_t i = 0; i < RP_COUNT(lists); i++)
        rp_writer_init(lists[i], context, max, error);
    reprise_status status = open_reader(reader, error);
    if (status != REPRISE_OK) {
        mc_world_close(reader);
        return status;
    }
    *ret_reader = reader;
    return REPRISE_OK;
}

void mc_world_close(mc_world_reader *reader)
{
    if (!reader)
        return;
    rp_context *context = reader->replay->base.context;
    rp_window_free(&reader->window);
    rp_writer_free(&reader->places);
    rp_writer_free(&reader->sections);
    rp_writer_free(&reader->names);
    rp_writer_free(&reader->name_sizes);
    rp_writer_free(&reader->changes);
    rp_arena_free(&reader->arena);
    rp_free(context, reader->blocks, reader->block_capacity * sizeof *reader->blocks);
    rp_free(context, reader, sizeof *reader);
}

/* ---- palettes ---- */

static void check_model(mc_world_reader *reader, const mc_name *name)
{
    if (mc_find_member(&reader->replay->inner, "mesh/", name->item.data, name->item.size, ".obj") <
        0)
        rp_note(&reader->replay->base.findings, MC_FINDING(MODEL_MISSING), stream_name, 0,
                name->item.data, "the model has no mesh; it is shown as empty");
}

/* Reads a list of strings into the arena. */
static reprise_status read_palette(mc_world_reader *reader, rp_nbt *nbt, rp_nbt_id id)
{
    rp_nbt_list list = {0};
    if (id != RP_NBT_LIST)
        return wrong_tag(nbt, id);
    list = rp_nbt_list_begin(nbt);
    if (list.count && list.id != RP_NBT_STRING)
        return wrong_tag(nbt, list.id);
    rp_writer_clear(&reader->names);
    rp_writer_clear(&reader->name_sizes);
    reader->names.error = reader->name_sizes.error = nbt->error;
    for (size_t i = 0; i < list.count && rp_nbt_ok(nbt); i++) {
        size_t size = rp_nbt_string(nbt, &reader->names);
        rp_put_u8(&reader->names, 0);
        rp_put(&reader->name_sizes, &size, sizeof size);
    }
    rp_nbt_list_end(nbt);
    RP_TRY(nbt->error->status);
    char *texts = rp_arena_text(&reader->arena, reader->names.data, reader->names.size, nbt->error);
    mc_name *palette = rp_arena_array(&reader->arena, RP_MAX(list.count, 1), sizeof *palette,
                                      nbt->error);
    RP_TRY(nbt->error->status);
    for (size_t i = 0; i < list.count; i++) {
        size_t size;
        memcpy(&size, reader->name_sizes.data + i * sizeof size, sizeof size);
        palette[i].item = (rp_text){texts, size};
        texts += size + 1;
        check_model(reader, &palette[i]);
    }
    reader->palette = palette;
    reader->palette_count = list.count;
    return REPRISE_OK;
}

static mc_block *room_for_blocks(mc_world_reader *reader, size_t count, reprise_error *error)
{
    if (count <= reader->block_capacity)
        return reader->blocks;
    mc_block *blocks = rp_realloc(reader->replay->base.context, reader->blocks,
                                  reader->block_capacity * sizeof *blocks, count * sizeof *blocks,
                                  error);
    if (blocks) {
        reader->blocks = blocks;
        reader->block_capacity = count;
    }
    return blocks;
}

/* ---- sections ---- */

/* Colours of a section: for each block the offset of its three bytes in the palette. */
typedef struct raw_colors {
    uint32_t offsets[SECTION_BLOCKS];
    bool given;
    uint8_t *palette;
    size_t bytes;
} raw_colors;

/* A section as stored; arrays are copied, because the window moves. */
typedef struct raw_section {
    int64_t pos[3];
    bool has_pos[3], has_palette;
    uint32_t states[SECTION_BLOCKS];
    bool has_states;
    raw_colors colors;
    raw_colors exact; /* colours that our writer merged for other readers */
} raw_section;

/* A number for each block of a section, bytes or ints. */
static bool read_numbers(rp_nbt *nbt, rp_nbt_id id, const char *what, uint32_t *to)
{
    size_t count = 0;
    const uint8_t *p = rp_nbt_array(nbt, id, &count);
    if (p && (count != SECTION_BLOCKS || id == RP_NBT_LONG_ARRAY))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "a section has %zu %s instead of %d", count, what,
                    SECTION_BLOCKS);
    if (!p || !rp_nbt_ok(nbt))
        return false;
    for (size_t i = 0; i < count; i++)
        to[i] = id == RP_NBT_INT_ARRAY ? (uint32_t)rp_nbt_load32(p + 4 * i) : p[i];
    return true;
}

/*
 * Offsets of colours are stored in eight bits even if they need more. They are multiples of three,
 * and 256 is one more than such a multiple, so the low bits say how often they wrapped.
 */
static uint32_t color_offset(uint32_t stored)
{
    return stored + 256 * ((3 - stored % 3) % 3);
}

static void read_colors(rp_nbt *nbt, rp_nbt_id id, raw_colors *to)
{
    if (id != RP_NBT_BYTE_ARRAY) {
        wrong_tag(nbt, id);
        return;
    }
    to->given = read_numbers(nbt, id, "colours", to->offsets);
    for (size_t i = 0; to->given && i < SECTION_BLOCKS; i++)
        to->offsets[i] = color_offset(to->offsets[i]);
}

/* Colour numbers instead of offsets, for any number of colours. */
static void read_exact_colors(rp_nbt *nbt, rp_nbt_id id, raw_colors *to)
{
    to->given = read_numbers(nbt, id, "colours", to->offsets);
    for (size_t i = 0; to->given && i < SECTION_BLOCKS; i++)
        to->offsets[i] = RP_MIN(to->offsets[i], (uint32_t)SECTION_BLOCKS) * 3;
}

static void read_color_palette(mc_world_reader *reader, rp_nbt *nbt, rp_nbt_id id, raw_colors *to)
{
    size_t count = 0;
    const uint8_t *p = rp_nbt_array(nbt, id, &count);
    if (p && id != RP_NBT_BYTE_ARRAY)
        wrong_tag(nbt, id);
    if (!p || !rp_nbt_ok(nbt))
        return;
    to->palette = rp_arena_alloc(&reader->arena, RP_MAX(count, 1), nbt->error);
    if (!to->palette)
        return;
    memcpy(to->palette, p, count);
    to->bytes = count;
}

static void read_section_tag(mc_world_reader *reader, rp_nbt *nbt, rp_nbt_id id, raw_section *raw)
{
    const char *name = nbt->name;
    if (strlen(name) == 1 && *name >= 'x' && *name <= 'z') {
        size_t axis = (size_t)(*name - 'x');
        raw->pos[axis] = rp_nbt_integer(nbt, id);
        raw->has_pos[axis] = true;
    } else if (strcmp(name, "palette") == 0) {
        raw->has_palette = read_palette(reader, nbt, id) == REPRISE_OK;
    } else if (strcmp(name, "blocks") == 0) {
        raw->has_states = read_numbers(nbt, id, "blocks", raw->states);
    } else if (strcmp(name, "colors") == 0) {
        read_colors(nbt, id, &raw->colors);
    } else if (strcmp(name, "colorPalette") == 0) {
        read_color_palette(reader, nbt, id, &raw->colors);
    } else if (strcmp(name, MC_EXACT_COLORS) == 0) {
        read_exact_colors(nbt, id, &raw->exact);
    } else if (strcmp(name, MC_EXACT_PALETTE) == 0) {
        read_color_palette(reader, nbt, id, &raw->exact);
    } else {
        rp_nbt_skip(nbt, id);
    }
}

static bool section_fits(rp_nbt *nbt, const raw_section *raw)
{
    bool places = raw->has_pos[0] && raw->has_pos[1] && raw->has_pos[2];
    for (size_t i = 0; i < 3; i++)
        places = places && raw->pos[i] >= INT32_MIN / SECTION_SIDE &&
                 raw->pos[i] <= INT32_MAX / SECTION_SIDE;
    if (!places)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "a section has no place");
    else if (!raw->has_palette || !raw->has_states)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "a section has no blocks or no palette");
    else if (raw->colors.given != (raw->colors.palette != NULL) ||
             raw->exact.given != (raw->exact.palette != NULL))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT,
                    "a section has colours without a palette, or a palette without colours");
    return rp_nbt_ok(nbt);
}

/* The colours to use, or NULL for none. */
static const raw_colors *colors_of(const raw_section *raw)
{
    if (!raw->colors.given)
        return NULL;
    return raw->exact.given ? &raw->exact : &raw->colors;
}

static bool set_block(mc_world_reader *reader, rp_nbt *nbt, const raw_section *raw, size_t i)
{
    uint32_t state = raw->states[i];
    if (state >= reader->palette_count) {
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "block %zu: entry %d is out of range (palette of %zu)",
                    i, (int32_t)state, reader->palette_count);
        return false;
    }
    static const uint8_t white[3] = {255, 255, 255};
    const raw_colors *colors = colors_of(raw);
    const uint8_t *color = white;
    if (colors) {
        size_t offset = colors->offsets[i];
        if (offset + 3 > colors->bytes) {
            rp_nbt_fail(nbt, REPRISE_E_CORRUPT,
                        "colour offset %zu is out of range (palette of %zu bytes)", offset,
                        colors->bytes);
            return false;
        }
        color = colors->palette + offset;
    }
    reader->blocks[i] = (mc_block){
        .x = (int32_t)(raw->pos[0] * SECTION_SIDE) + (int32_t)(i % SECTION_SIDE),
        .y = (int32_t)(raw->pos[1] * SECTION_SIDE) + (int32_t)(i / 256),
        .z = (int32_t)(raw->pos[2] * SECTION_SIDE) + (int32_t)(i / SECTION_SIDE % SECTION_SIDE),
        .state = state,
        .model = reader->palette[state].item,
        .red = color[0],
        .green = color[1],
        .blue = color[2],
        .colored = colors != NULL,
    };
    return true;
}

static reprise_status read_section(mc_world_reader *reader, raw_section *raw)
{
    rp_nbt *nbt = &reader->nbt;
    rp_nbt_compound(nbt);
    for (rp_nbt_id id; (id = rp_nbt_next(nbt)) != RP_NBT_END;)
        read_section_tag(reader, nbt, id, raw);
    if (!rp_nbt_ok(nbt) || !section_fits(nbt, raw) ||
        !room_for_blocks(reader, SECTION_BLOCKS, nbt->error))
        return nbt->error->status;
    for (size_t i = 0; i < SECTION_BLOCKS; i++) {
        if (!set_block(reader, nbt, raw, i))
            return nbt->error->status;
    }
    const raw_colors *colors = colors_of(raw);
    mc_section section = {
        .x = (int32_t)raw->pos[0],
        .y = (int32_t)raw->pos[1],
        .z = (int32_t)raw->pos[2],
        .palette = {reader->palette, reader->palette_count},
        .colors = colors ? (uint32_t)(colors->bytes / 3) : 0,
        .colored = colors != NULL,
    };
    reader->sections.error = nbt->error;
    rp_put(&reader->sections, &section, sizeof section);
    reader->block_total += SECTION_BLOCKS;
    return nbt->error->status;
}

static reprise_status next_section(mc_world_reader *reader, reprise_error *error)
{
    raw_section *raw = rp_alloc_zero(reader->replay->base.context, 1, sizeof *raw, error);
    if (!raw)
        return error->status;
    reprise_status status = read_section(reader, raw);
    rp_free(reader->replay->base.context, raw, sizeof *raw);
    reader->sections_left--;
    return status;
}

/* ---- changes ---- */

static void read_triple(rp_nbt *nbt, rp_nbt_id id, int64_t *to)
{
    if (id != RP_NBT_LIST) {
        wrong_tag(nbt, id);
        return;
    }
    rp_nbt_list list = rp_nbt_list_begin(nbt);
    if (list.count != 3)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "a list has %zu numbers instead of 3", list.count);
    for (size_t i = 0; i < 3 && rp_nbt_ok(nbt); i++)
        to[i] = rp_nbt_integer(nbt, list.id);
    rp_nbt_list_end(nbt);
}

static void read_change(mc_world_reader *reader, rp_nbt *nbt)
{
    change c = {.color = {255, 255, 255}};
    int64_t pos[3] = {0}, color[3] = {0}, state = -1;
    bool has_pos = false;
    rp_nbt_compound(nbt);
    for (rp_nbt_id id; (id = rp_nbt_next(nbt)) != RP_NBT_END;) {
        if (strcmp(nbt->name, "pos") == 0) {
            read_triple(nbt, id, pos);
            has_pos = true;
        } else if (strcmp(nbt->name, "state") == 0) {
            state = rp_nbt_integer(nbt, id);
        } else if (strcmp(nbt->name, "color") == 0) {
            read_triple(nbt, id, color);
            c.colored = true;
        } else {
            rp_nbt_skip(nbt, id);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        has_pos = has_pos && pos[i] >= INT32_MIN && pos[i] <= INT32_MAX;
        c.pos[i] = (int32_t)pos[i];
        if (c.colored)
            c.color[i] = (uint8_t)color[i];
    }
    if (rp_nbt_ok(nbt) && (!has_pos || state < 0 || state > UINT32_MAX))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "a block has no place or no state");
    c.state = (uint32_t)state;
    rp_put(&reader->changes, &c, sizeof c);
}

static reprise_status read_changes(mc_world_reader *reader, rp_nbt *nbt, rp_nbt_id id)
{
    if (id != RP_NBT_LIST)
        return wrong_tag(nbt, id);
    rp_nbt_list list = rp_nbt_list_begin(nbt);
    if (list.count && list.id != RP_NBT_COMPOUND)
        return wrong_tag(nbt, list.id);
    reader->changes.error = nbt->error;
    for (size_t i = 0; i < list.count && rp_nbt_ok(nbt); i++)
        read_change(reader, nbt);
    rp_nbt_list_end(nbt);
    return nbt->error->status;
}

static reprise_status resolve_changes(mc_world_reader *reader, reprise_error *error)
{
    const change *changes = (const change *)(const void *)reader->changes.data;
    size_t count = reader->changes.size / sizeof *changes;
    mc_block *blocks = room_for_blocks(reader, RP_MAX(count, 1), error);
    for (size_t i = 0; blocks && i < count; i++) {
        const change *c = &changes[i];
        if (c->state >= reader->palette_count) {
            rp_nbt_fail(&reader->nbt, REPRISE_E_CORRUPT,
                        "block %zu: entry %u is out of range (palette of %zu)", i, c->state,
                        reader->palette_count);
            return error->status;
        }
        blocks[i] = (mc_block){.x = c->pos[0],
                               .y = c->pos[1],
                               .z = c->pos[2],
                               .state = c->state,
                               .model = reader->palette[c->state].item,
                               .red = c->color[0],
                               .green = c->color[1],
                               .blue = c->color[2],
                               .colored = c->colored};
    }
    reader->block_total = (uint32_t)count;
    return error->status;
}

/* ---- frames ---- */

static const frame_place *place_at(const mc_world_reader *reader, size_t index)
{
    return (const frame_place *)(const void *)reader->places.data + index;
}

static size_t frame_count(const mc_world_reader *reader)
{
    return reader->places.size / sizeof(frame_place);
}

/* Moves the window to a place: forward while streaming, anywhere in memory. */
static reprise_status go_to(mc_world_reader *reader, uint64_t offset, reprise_error *error)
{
    rp_window *window = &reader->window;
    if (!reader->in_order || offset < window->offset) {
        /* Makes everything available from a start that does not move. */
        uint64_t base = window->offset - window->start;
        window->start = (size_t)(offset - base);
        window->offset = offset;
        return REPRISE_OK;
    }
    while (window->offset < offset) {
        RP_TRY(rp_window_fill(window, 1, error));
        size_t step = (size_t)RP_MIN(offset - window->offset, (uint64_t)rp_window_left(window));
        if (!step)
            return rp_window_short(window, 1, "frames", error);
        rp_window_skip(window, step);
    }
    return REPRISE_OK;
}

static reprise_status begin_frame(mc_world_reader *reader, reprise_error *error)
{
    const frame_place *place = place_at(reader, reader->frame);
    RP_TRY(go_to(reader, place->offset, error));
    rp_context *context = reader->replay->base.context;
    rp_nbt_init(&reader->nbt, &reader->window, reader->size - RP_MIN(place->offset, reader->size),
                (size_t)context->limits.depth_max, error);
    rp_nbt_compound(&reader->nbt);
    rp_arena_reset(&reader->arena);
    rp_writer_clear(&reader->sections);
    rp_writer_clear(&reader->changes);
    reader->palette = NULL;
    reader->palette_count = 0;
    reader->block_total = 0;
    reader->in_frame = true;
    return REPRISE_OK;
}

/* The next tag of the frame that is used; false at its end. */
static bool next_tag(mc_world_reader *reader, uint8_t type)
{
    rp_nbt *nbt = &reader->nbt;
    for (rp_nbt_id id; (id = rp_nbt_next(nbt)) != RP_NBT_END;) {
        if (type == MC_INTRACODED && strcmp(nbt->name, "sections") == 0) {
            if (id != RP_NBT_LIST)
                wrong_tag(nbt, id);
            rp_nbt_list list = rp_nbt_list_begin(nbt);
            if (list.count && list.id != RP_NBT_COMPOUND)
                wrong_tag(nbt, list.id);
            reader->sections_left = list.count;
            reader->in_sections = true;
            return true;
        }
        if (type == MC_PREDICTED && strcmp(nbt->name, "palette") == 0)
            (void)read_palette(reader, nbt, id);
        else if (type == MC_PREDICTED && strcmp(nbt->name, "blocks") == 0)
            (void)read_changes(reader, nbt, id);
        else
            rp_nbt_skip(nbt, id);
    }
    return false;
}

static reprise_status end_frame(mc_world_reader *reader, uint8_t type, mc_world_piece *ret_piece,
                                reprise_error *error)
{
    RP_TRY(error->status);
    if (type == MC_PREDICTED) {
        RP_TRY(resolve_changes(reader, error));
        ret_piece->blocks = reader->blocks;
        ret_piece->block_count = reader->block_total;
    }
    bool whole = type == MC_INTRACODED;
    reader->about = (mc_world_frame){
        .type = type,
        .sections = {reader->sections.data, reader->sections.size / sizeof(mc_section)},
        .palette = {reader->palette, whole ? 0 : reader->palette_count},
        .blocks = reader->block_total,
    };
    ret_piece->about = &reader->about;
    reader->in_frame = false;
    reader->frame++;
    return REPRISE_OK;
}

static reprise_status next_piece(mc_world_reader *reader, mc_world_piece *ret_piece,
                                 reprise_error *error)
{
    if (!reader->in_frame) {
        if (reader->frame == frame_count(reader))
            return REPRISE_END;
        RP_TRY(begin_frame(reader, error));
    }
    reader->nbt.error = error;
    const frame_place *place = place_at(reader, reader->frame);
    *ret_piece = (mc_world_piece){.frame = reader->frame, .time = place->time};
    if (!reader->in_sections && !next_tag(reader, place->type))
        return end_frame(reader, place->type, ret_piece, error);
    RP_TRY(error->status);
    if (!reader->sections_left) {
        rp_nbt_list_end(&reader->nbt);
        reader->in_sections = false;
        return REPRISE_OK;
    }
    RP_TRY(next_section(reader, error));
    ret_piece->blocks = reader->blocks;
    ret_piece->block_count = SECTION_BLOCKS;
    return REPRISE_OK;
}

reprise_status mc_world_next(mc_world_reader *reader, mc_world_piece *ret_piece,
                             reprise_error *error)
{
    reprise_status status = next_piece(reader, ret_piece, error);
    if (status != REPRISE_OK && status != REPRISE_END)
        rp_error_at(error, "world.dat frames[%u]", reader->frame);
    return status;
}

uint32_t mc_world_seek(mc_world_reader *reader, double time)
{
    uint32_t start = 0, end = 0;
    for (; end < frame_count(reader) && place_at(reader, end)->time <= time; end++) {
        if (place_at(reader, end)->type == MC_INTRACODED)
            start = end;
    }
    reader->frame = start;
    return end - start;
}
