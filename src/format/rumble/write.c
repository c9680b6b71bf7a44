/*
 * write.c - states and rows into frames of the layouts we write; the mirror of read.c.
 *
 * The encoder keeps what a reader of the file holds after each frame, and stores a field when it
 * differs from that: so rounding never adds up, and writing a file again gives the same bytes. The
 * stream waits in a spool because the header before it depends on all of it.
 */
#include "write.h"

#include <stdlib.h>

static const struct {
    rumble_section section;
    uint32_t track;
    uint8_t chunk;
} kinds[RUMBLE_OBJECT_KINDS] = {
    [RUMBLE_CHUNK_PLAYER] = {RUMBLE_SECTION_PLAYERS, RUMBLE_PLAYERS, RUMBLE_CHUNK_PLAYER},
    [RUMBLE_CHUNK_STRUCTURE] = {RUMBLE_SECTION_STRUCTURES, RUMBLE_STRUCTURES,
                                RUMBLE_CHUNK_STRUCTURE},
    [RUMBLE_CHUNK_PEDESTAL] = {RUMBLE_SECTION_PEDESTALS, RUMBLE_PEDESTALS, RUMBLE_CHUNK_PEDESTAL},
    [RUMBLE_PROP_OBJECTS] = {RUMBLE_SECTION_PROPS, RUMBLE_PROPS, RUMBLE_CHUNK_PROP},
};

/* ---- levels ---- */

static const rp_levels brotli_levels = {
    .fastest = 1, .balanced = 5, .compact = 9, .max = RP_BROTLI_LEVEL_MAX};
static const rp_levels gzip_levels = {
    .fastest = 1, .balanced = 6, .compact = RP_DEFLATE_LEVEL_MAX, .max = RP_DEFLATE_LEVEL_MAX};

const rp_levels *rumble_levels(bool brotli)
{
    return brotli ? &brotli_levels : &gzip_levels;
}

/* ---- what a reader holds ---- */

static reprise_status init_held(rumble_encoder *e, size_t kind, const rp_record *record,
                                const rp_tag_map *map, uint64_t count, reprise_error *error)
{
    rumble_reader_state *held = &e->held[kind];
    RP_TRY(rp_limit(count, e->base.context->limits.items_max, "number of objects", "items", error));
    held->record = record;
    held->map = map;
    uint64_t mapped = rumble_mapped_fields(map);
    for (size_t i = 0; i < record->count; i++) {
        if (mapped >> i & 1)
            held->fields[held->field_count++] = (uint8_t)i;
    }
    held->states = rp_arena_array(&e->arena, (size_t)count, record->size, error);
    held->changed = rp_arena_array(&e->arena, (size_t)count, sizeof *held->changed, error);
    held->count = (uint32_t)count;
    return error->status;
}

static uint64_t count_of(const reprise_value *header, const char *number, const char *list)
{
    int64_t stated = number ? reprise_value_int(rp_get(header, number), 0) : 0;
    uint64_t listed = list ? reprise_value_count(rp_get(header, list)) : 0;
    return RP_MAX(stated < 0 ? 0 : (uint64_t)stated, listed);
}

/* Legacy headers state how many structures each frame has, whatever their list of types says. */
static uint64_t structure_count(const rumble_encoder *e)
{
    bool stated = !e->wire.zip && rp_get(e->header, "StructureCount");
    return stated ? count_of(e->header, "StructureCount", NULL)
                  : count_of(e->header, NULL, "Structures");
}

static reprise_status init_objects(rumble_encoder *e, reprise_error *error)
{
    const reprise_value *h = e->header;
    const rumble_wire *w = &e->wire;
    RP_TRY(init_held(e, RUMBLE_CHUNK_PLAYER, &rumble_player_record, &w->player,
                     count_of(h, NULL, "Players"), error));
    RP_TRY(init_held(e, RUMBLE_CHUNK_STRUCTURE, &rumble_structure_record, &w->structure,
                     structure_count(e), error));
    RP_TRY(init_held(e, RUMBLE_CHUNK_PEDESTAL, &rumble_pedestal_record, &w->pedestal,
                     w->zip ? count_of(h, "PedestalCount", NULL) : 0, error));
    RP_TRY(init_held(e, RUMBLE_PROP_OBJECTS, &rumble_prop_record, &w->prop,
                     w->props ? count_of(h, "ScenePropCount", "SceneProps") : 0, error));
    size_t players = e->held[RUMBLE_CHUNK_PLAYER].count;
    e->texts = rp_arena_array(&e->arena, players, sizeof *e->texts, error);
    for (size_t i = 0; e->texts && i < players; i++)
        rp_writer_init(&e->texts[i], e->base.context, UINT16_MAX, &e->error);
    return error->status;
}

/* Text that a reader holds must outlive the row it came in. */
static void hold_text(rumble_encoder *e, uint32_t player, rp_text *text)
{
    rp_writer *copy = &e->texts[player];
    rp_writer_clear(copy);
    if (!text->data || !rp_reserve(copy, RP_MAX(text->size, 1)))
        return;
    rp_put(copy, text->data, text->size);
    text->data = (const char *)copy->data;
}

/* ---- begin ---- */

reprise_status rumble_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    int level = 0;
    rp_arena_init(&e->arena, encoder->context);
    for (size_t i = 0; i < RUMBLE_SECTION_COUNT; i++)
        rp_writer_init(&e->sections[i], encoder->context, INT32_MAX, &e->error);
    rp_writer_init(&e->frame, encoder->context, INT32_MAX, &e->error);
    if (!rumble_wire_init(&e->wire, encoder->options.layout))
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "no layout '%s'",
                            encoder->options.layout);
    RP_TRY(rp_packer_level(rumble_levels(e->wire.zip), encoder->options.level, &level, error));
    encoder->options.level = level;
    e->rotation_size = rumble_rotation_size(&e->wire);
    rp_doc doc = {.arena = &e->arena, .error = error};
    e->header = encoder->source ? rp_copy(&doc, encoder->header)
                                : rumble_header_for(&doc, encoder->header, e->wire.name);
    if (!e->header)
        return error->status;
    if (e->header->kind != REPRISE_VALUE_OBJECT)
        return rp_error_set(error, REPRISE_E_USAGE, "the metadata is not an object");
    RP_TRY(init_objects(e, error));
    RP_TRY(rumble_init_markers(e, error));
    RP_TRY(rp_sink_open_spool(encoder->context, encoder->sink, &e->spool, error));
    if (!e->wire.zip)
        return REPRISE_OK;
    RP_TRY(rp_packer_open_brotli(encoder->context, e->spool, level, RP_BROTLI_WINDOW, &e->packer,
                                 error));
    return rp_packer_write(e->packer, rumble_stream_magic, sizeof rumble_stream_magic, error);
}

void rumble_encode_free(rp_encoder *encoder)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    for (uint32_t i = 0; e->texts && i < e->held[RUMBLE_CHUNK_PLAYER].count; i++)
        rp_writer_free(&e->texts[i]);
    for (size_t i = 0; i < RUMBLE_SECTION_COUNT; i++)
        rp_writer_free(&e->sections[i]);
    rp_writer_free(&e->frame);
    rp_packer_close(e->packer);
    rp_zip_writer_free(e->zip);
    rp_sink_close(e->spool);
    rp_arena_free(&e->arena);
}

/* ---- from one layout to another ---- */

static bool layout_is(const rumble_encoder *e, const char *name)
{
    return strcmp(e->wire.name, name) == 0;
}

static bool source_is(const rumble_encoder *e, const char *name)
{
    return e->base.source && strcmp(e->base.source->layout, name) == 0;
}

/* Layouts store the same fact in different fields. */
static void translate_structure(const rumble_encoder *e, rumble_structure *structure)
{
    if (!e->base.source)
        return;
    if (source_is(e, "z3"))
        structure->left_held = structure->held;
    uint8_t state = source_is(e, "z6") ? structure->game_state : structure->state;
    structure->state = structure->game_state = state;
}

/* Effects are 1 in Z4a to Z6 and 0 in Z4p; Z3 numbers the others differently. */
static bool translate_event(const rumble_encoder *e, rumble_event *event, uint64_t *present)
{
    bool effect = source_is(e, "z4p") ? event->type == 0 : event->type == 1;
    if (source_is(e, "z3"))
        effect = false;
    if (layout_is(e, "z4p") && source_is(e, "z4p"))
        return true;
    if (layout_is(e, "z4p") && !e->base.source) { /* recorded anew: by either number */
        effect = event->type <= 1;
        event->type = 0;
        return effect;
    }
    if (layout_is(e, "z4p")) { /* all that the document has */
        *present &= UINT64_C(1) << rumble_event_F_type | UINT64_C(1) << rumble_event_F_pos |
                    UINT64_C(1) << rumble_event_F_rot | UINT64_C(1) << rumble_event_F_fx;
        event->type = 0;
        return effect;
    }
    if (source_is(e, "z4p") || source_is(e, "z3"))
        event->type = effect ? 1 : 0;
    return true;
}

/* ---- objects ---- */

/* Equal bytes, or an identity that was not stored. */
static bool same_rotation(const rp_rot *now, const rp_rot *held)
{
    if (now->size == held->size)
        return memcmp(now->bytes, held->bytes, now->size) == 0;
    if (now->size && held->size)
        return false;
    rp_quat a = rp_rot_value(now), b = rp_rot_value(held);
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Brings a rotation into the form a reader of this layout will hold. */
static void round_rotation(const rumble_encoder *e, rp_rot *rotation)
{
    if (!rotation->size || rotation->size == e->rotation_size)
        return;
    rp_quat value = rp_rot_value(rotation);
    *rotation = e->rotation_size == 7 ? rp_rot_packed(value) : rp_rot_full(value);
}

/* The fields that must be stored. Also rounds the rotations of `now`. */
static uint64_t changed_fields(const rumble_encoder *e, const rumble_reader_state *held, void *now,
                               const void *before)
{
    uint64_t changed = 0;
    for (size_t i = 0; i < held->field_count; i++) {
        const rp_field *field = &held->record->fields[held->fields[i]];
        bool same;
        if (field->kind == RP_ROT) {
            round_rotation(e, rp_at(field, now));
            same = same_rotation(rp_at_const(field, now), rp_at_const(field, before));
        } else if (field->kind == RP_TEXT && !((const rp_text *)rp_at_const(field, now))->data) {
            same = true; /* what was set cannot be unset */
        } else {
            same = rp_field_equal(field, now, before);
        }
        if (!same)
            changed |= UINT64_C(1) << held->fields[i];
    }
    return changed;
}

static void hold(rumble_encoder *e, size_t kind, uint32_t object, const void *now, uint64_t fields)
{
    rumble_reader_state *held = &e->held[kind];
    uint8_t *state = held->states + object * held->record->size;
    for (size_t i = 0; i < held->field_count; i++) {
        const rp_field *field = &held->record->fields[held->fields[i]];
        if (fields >> held->fields[i] & 1)
            memcpy(rp_at(field, state), rp_at_const(field, now), rp_field_size(field));
    }
    if (kind == RUMBLE_CHUNK_PLAYER && fields >> rumble_player_F_visual_data & 1)
        hold_text(e, object, &((rumble_player *)(void *)state)->visual_data);
}

static uint64_t all_fields(const rumble_reader_state *held)
{
    return rumble_mapped_fields(held->map);
}

static void put_entry(rumble_encoder *e, rumble_section section, uint8_t type, int32_t index)
{
    rp_writer *w = &e->sections[section];
    rp_put_u8(w, type);
    rp_put_u32(w, (uint32_t)index);
    e->entries++;
}

rp_text rumble_first_looks(const rumble_encoder *e, uint32_t player)
{
    const reprise_value *one = reprise_value_at(rp_get(e->header, "Players"), player);
    rp_text looks = {0};
    looks.data = reprise_value_text(rp_get(one, "VisualData"), &looks.size);
    bool has_field = rumble_mapped_fields(&e->wire.player) >> rumble_player_F_visual_data & 1;
    return has_field && looks.size ? looks : (rp_text){0};
}

static reprise_status write_object(rumble_encoder *e, size_t kind, const rp_row *row,
                                   reprise_error *error)
{
    rumble_reader_state *held = &e->held[kind];
    if (row->object >= held->count) {
        if (kind == RUMBLE_PROP_OBJECTS || kind == RUMBLE_CHUNK_PEDESTAL)
            return REPRISE_OK; /* a layout without them: listed among the losses */
        return rp_error_set(error, REPRISE_E_CORRUPT, "%s %u, the header has %u",
                            rumble_tracks[kinds[kind].track].object, row->object, held->count);
    }
    rumble_any_state now;
    memcpy(&now, row->data, held->record->size);
    if (kind == RUMBLE_CHUNK_STRUCTURE)
        translate_structure(e, &now.structure);
    if (kind == RUMBLE_CHUNK_PLAYER && e->frame_count == 1 && !now.player.visual_data.data)
        now.player.visual_data = rumble_first_looks(e, row->object);
    const void *before = held->states + row->object * held->record->size;
    uint64_t changed = changed_fields(e, held, &now, before);
    /* The first frame of Z4p stores all fields, which distinguishes it from Z4. */
    if (e->wire.player.strict && e->frame_count == 1 && kind <= RUMBLE_CHUNK_STRUCTURE)
        changed = all_fields(held);
    if (!changed)
        return REPRISE_OK;
    held->changed[row->object] = true;
    hold(e, kind, row->object, &now, e->wire.zip ? changed : all_fields(held));
    if (!e->wire.zip)
        return REPRISE_OK;
    put_entry(e, kinds[kind].section, kinds[kind].chunk, (int32_t)row->object);
    rp_writer *w = &e->sections[kinds[kind].section];
    size_t slot = rp_slot_begin(w);
    rp_tagged_write(w, held->map, e->rotation_size, &now, changed);
    rp_slot_end(w, slot);
    return e->error.status;
}

/* ---- events and extensions ---- */

enum { MASTER_ID_MAX = 127 }; /* its length is stored in one byte */

static reprise_status write_event(rumble_encoder *e, const rp_row *row, reprise_error *error)
{
    rumble_event now = *(const rumble_event *)row->data;
    uint64_t present = row->present & rumble_mapped_fields(&e->wire.event);
    if (!e->wire.props) /* came with Z6 */
        present &= ~(UINT64_C(1) << rumble_event_F_structure_id);
    if (!e->wire.zip || !translate_event(e, &now, &present))
        return REPRISE_OK;
    char master_id[1 + MASTER_ID_MAX];
    if (present >> rumble_event_F_master_id & 1) {
        if (now.master_id.size > MASTER_ID_MAX)
            return rp_error_set(error, REPRISE_E_LOSSY, "master_id of %zu bytes; %d are the most",
                                now.master_id.size, MASTER_ID_MAX);
        master_id[0] = (char)now.master_id.size;
        if (now.master_id.size)
            memcpy(master_id + 1, now.master_id.data, now.master_id.size);
        now.master_id = (rp_text){master_id, now.master_id.size + 1};
    }
    rp_writer *w = &e->sections[RUMBLE_SECTION_EVENTS];
    put_entry(e, RUMBLE_SECTION_EVENTS, RUMBLE_CHUNK_EVENT, (int32_t)row->object);
    size_t slot = rp_slot_begin(w);
    rp_tagged_write(w, &e->wire.event, e->rotation_size, &now, present);
    rp_slot_end(w, slot);
    if (present >> rumble_event_F_marker & 1)
        RP_TRY(rumble_note_event_marker(e, &now, error));
    return e->error.status;
}

static reprise_status write_extension(rumble_encoder *e, const rp_row *row)
{
    const rumble_extension *extension = row->data;
    if (!e->wire.zip)
        return REPRISE_OK;
    rp_writer *w = &e->sections[RUMBLE_SECTION_EXTENSIONS];
    put_entry(e, RUMBLE_SECTION_EXTENSIONS, e->wire.extension, extension->mod_id);
    if (e->wire.sub_index)
        rp_put_u32(w, (uint32_t)extension->sub_index);
    size_t slot = rp_slot_begin(w);
    rp_put(w, extension->data.data, extension->data.size);
    rp_slot_end(w, slot);
    return e->error.status;
}

/* ---- frames ---- */

static int compare_rows(const void *left, const void *right)
{
    const rp_row *const *a = left, *const *b = right;
    if ((*a)->track != (*b)->track)
        return (*a)->track < (*b)->track ? -1 : 1;
    bool states = (*a)->track >= RUMBLE_PLAYERS && (*a)->track <= RUMBLE_PROPS;
    if (states && (*a)->object != (*b)->object)
        return (*a)->object < (*b)->object ? -1 : 1;
    return (*a < *b) ? -1 : *a > *b;
}

static reprise_status write_row(rumble_encoder *e, const rp_batch *batch, const rp_row *row,
                                reprise_error *error)
{
    switch (row->track) {
    case RUMBLE_PLAYERS:
        return write_object(e, RUMBLE_CHUNK_PLAYER, row, error);
    case RUMBLE_STRUCTURES:
        return write_object(e, RUMBLE_CHUNK_STRUCTURE, row, error);
    case RUMBLE_PEDESTALS:
        return write_object(e, RUMBLE_CHUNK_PEDESTAL, row, error);
    case RUMBLE_PROPS:
        return write_object(e, RUMBLE_PROP_OBJECTS, row, error);
    case RUMBLE_EVENTS:
        return write_event(e, row, error);
    case RUMBLE_EXTENSIONS:
        return write_extension(e, row);
    case RUMBLE_MARKERS:
        return rumble_write_marker(e, batch, row, error);
    default:
        return REPRISE_OK;
    }
}

/* Rows in the order of the real recorder: objects ascending. */
static reprise_status write_rows(rumble_encoder *e, const rp_batch *batch, reprise_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < batch->count && sorted; i++) {
        const rp_row *a = &batch->rows[i - 1], *b = &batch->rows[i];
        sorted = compare_rows(&a, &b) < 0;
    }
    if (sorted) {
        for (size_t i = 0; i < batch->count; i++)
            RP_TRY(write_row(e, batch, &batch->rows[i], error));
        return REPRISE_OK;
    }
    rp_context *context = e->base.context;
    const rp_row **order = rp_alloc_zero(context, batch->count, sizeof *order, error);
    for (size_t i = 0; order && i < batch->count; i++)
        order[i] = &batch->rows[i];
    if (order)
        qsort((void *)order, batch->count, sizeof *order, compare_rows);
    for (size_t i = 0; order && i < batch->count && error->status == REPRISE_OK; i++)
        write_row(e, batch, order[i], error);
    rp_free(context, (void *)order, batch->count * sizeof *order);
    return error->status;
}

/* The rows of the first frame, and one for every other player whose looks it must store. */
static reprise_status write_first_rows(rumble_encoder *e, const rp_batch *batch,
                                       reprise_error *error)
{
    static const rumble_player nothing;
    rp_batch all = {0};
    uint32_t players = e->held[RUMBLE_CHUNK_PLAYER].count;
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++) {
        rp_row *row = rp_batch_add(e->base.context, &all, error);
        if (row)
            *row = batch->rows[i];
    }
    for (uint32_t i = 0; i < players && error->status == REPRISE_OK; i++) {
        if (!rumble_looks_need_row(e, batch, i))
            continue;
        rp_row *row = rp_batch_add(e->base.context, &all, error);
        if (row)
            *row = (rp_row){.track = RUMBLE_PLAYERS, .object = i, .data = &nothing};
    }
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = write_rows(e, &all, error);
    rp_batch_free(e->base.context, &all);
    return status;
}

static void put_sections(rumble_encoder *e)
{
    rp_writer *w = &e->frame;
    size_t slot = rp_slot_begin(w);
    rp_put_f32(w, e->last_time);
    rp_put_u32(w, e->entries);
    for (size_t i = 0; i < RUMBLE_SECTION_COUNT; i++)
        rp_put(w, e->sections[i].data, e->sections[i].size);
    rp_slot_end(w, slot);
}

static void put_legacy_objects(rumble_encoder *e, size_t kind, const uint8_t *order, size_t count)
{
    rumble_reader_state *held = &e->held[kind];
    for (uint32_t i = 0; i < held->count; i++) {
        rp_put_u8(&e->frame, held->changed[i]);
        if (held->changed[i])
            rp_plain_write(&e->frame, held->record, order, count,
                           held->states + i * held->record->size);
        held->changed[i] = false;
    }
}

static void put_legacy_frame(rumble_encoder *e)
{
    rp_put_f32(&e->frame, e->last_time);
    put_legacy_objects(e, RUMBLE_CHUNK_STRUCTURE, NULL, RUMBLE_L1_STRUCTURE_FIELDS);
    put_legacy_objects(e, RUMBLE_CHUNK_PLAYER, rumble_l1_player_order, RUMBLE_L1_PLAYER_FIELDS);
}

static reprise_status write_frame(rumble_encoder *e, const rp_batch *batch, double time,
                                  reprise_error *error)
{
    for (size_t i = 0; i < RUMBLE_SECTION_COUNT; i++)
        rp_writer_clear(&e->sections[i]);
    rp_writer_clear(&e->frame);
    e->entries = 0;
    e->frame_count++;
    if (e->frame_count > INT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "more frames than the format can count");
    e->last_time = (float)time;
    if (e->frame_count == 1)
        e->first_time = e->last_time;
    RP_TRY(e->frame_count == 1 ? write_first_rows(e, batch, error) : write_rows(e, batch, error));
    if (e->wire.zip)
        put_sections(e);
    else
        put_legacy_frame(e);
    e->inner_size += e->frame.size;
    return e->error.status;
}

/* The tables before the frames. Rows of a frame come with the row of that frame. */
static reprise_status write_tables(rumble_encoder *e, const rp_batch *batch, reprise_error *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        const rp_track *track = &rumble_tracks[batch->rows[i].track];
        if (!e->base.source && track->clock)
            return rp_error_set(error, REPRISE_E_USAGE,
                                "rows of %s need a row of frames in the same step", track->name);
        if (batch->rows[i].track == RUMBLE_MARKERS)
            RP_TRY(rumble_write_marker(e, batch, &batch->rows[i], error));
    }
    return REPRISE_OK;
}

reprise_status rumble_encode_rows(rp_encoder *encoder, const rp_batch *batch, reprise_error *error)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    const rp_row *frame = NULL;
    for (size_t i = 0; i < batch->count && !frame; i++) {
        if (batch->rows[i].track == RUMBLE_FRAMES)
            frame = &batch->rows[i];
    }
    if (!frame)
        return write_tables(e, batch, error);
    reprise_status status = write_frame(e, batch, frame->time, error);
    if (status == REPRISE_OK)
        status = e->packer ? rp_packer_write(e->packer, e->frame.data, e->frame.size, error)
                           : rp_sink_write(e->spool, e->frame.data, e->frame.size, error);
    if (status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    if (status != REPRISE_OK)
        rp_error_at(error, "frames[%u]", e->frame_count - 1);
    return status;
}

/* ---- recording ---- */

/* The same defaults as the decoder's. */
void rumble_row_init(uint32_t track, void *data)
{
    if (track == RUMBLE_EVENTS)
        *(rumble_event *)data = (rumble_event){.player = -1, .structure_id = -1};
    if (track == RUMBLE_MARKERS)
        ((rumble_marker *)data)->player = -1;
}

void rumble_row_held(const rp_encoder *encoder, const rp_row *row, void *data)
{
    const rumble_encoder *e = (const rumble_encoder *)encoder;
    const rp_record *record = rumble_tracks[row->track].parts[0].record;
    uint64_t present = row->present;
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].kind == RP_ROT)
            round_rotation(e, rp_at(&record->fields[i], data));
    }
    if (row->track == RUMBLE_EVENTS)
        (void)translate_event(e, data, &present);
    if (row->track == RUMBLE_PLAYERS)
        rumble_hold_looks(e, row->object, data);
}

/* ---- end ---- */

static reprise_status finish_zip(rumble_encoder *e, reprise_error *error)
{
    rp_context *context = e->base.context;
    RP_TRY(rp_packer_finish(e->packer, error));
    RP_TRY(rp_zip_writer_new(context, e->base.sink, &e->zip, error));
    rp_writer text;
    rp_writer_init(&text, context, SIZE_MAX / 2, &e->error);
    rumble_write_manifest(e, &text);
    reprise_status status = e->error.status;
    if (status == REPRISE_OK)
        status = rp_zip_add_bytes(e->zip, "manifest.json", text.data, text.size, error);
    else
        *error = e->error;
    rp_writer_free(&text);
    rp_source *stream = NULL;
    if (status == REPRISE_OK)
        status = rp_sink_reopen(e->spool, &stream, error);
    if (status == REPRISE_OK)
        status = rp_zip_add_stored(e->zip, "replay", stream, error);
    rp_source_close(stream);
    return status;
}

/* Everything after the wrapper: the header and all frames, as gzip data. */
static reprise_status pack_legacy(rumble_encoder *e, rp_sink *to, reprise_error *error)
{
    rp_writer header;
    rp_writer_init(&header, e->base.context, SIZE_MAX / 2, error);
    rumble_write_legacy_header(e, &header);
    rp_packer *packer = NULL;
    rp_source *frames = NULL;
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = rp_packer_open_gzip(e->base.context, to, e->base.options.level, &packer, error);
    if (status == REPRISE_OK)
        status = rp_packer_write(packer, header.data, header.size, error);
    if (status == REPRISE_OK)
        status = rp_sink_reopen(e->spool, &frames, error);
    uint8_t piece[1 << 15];
    for (uint64_t at = 0; status == REPRISE_OK && at < rp_source_size(frames);) {
        size_t n = (size_t)RP_MIN((uint64_t)sizeof piece, rp_source_size(frames) - at);
        status = rp_source_read(frames, at, piece, n, error);
        if (status == REPRISE_OK)
            status = rp_packer_write(packer, piece, n, error);
        at += n;
    }
    if (status == REPRISE_OK)
        status = rp_packer_finish(packer, error);
    e->inner_size += header.size;
    rp_writer_free(&header);
    rp_source_close(frames);
    rp_packer_close(packer);
    return status;
}

reprise_status rumble_put_wrapper(rp_sink *sink, uint64_t inner_size, rp_source *gzip,
                                  reprise_error *error)
{
    if (inner_size > INT32_MAX || rp_source_size(gzip) > INT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "%llu bytes do not fit in an RGZP wrapper",
                            (unsigned long long)inner_size);
    uint8_t wrapper[12] = {'R', 'G', 'Z', 'P'};
    rp_store32(wrapper + 4, (uint32_t)inner_size);
    rp_store32(wrapper + 8, (uint32_t)rp_source_size(gzip));
    RP_TRY(rp_sink_write(sink, wrapper, sizeof wrapper, error));
    return rp_sink_copy(sink, gzip, error);
}

static reprise_status finish_legacy(rumble_encoder *e, reprise_error *error)
{
    rp_sink *packed = NULL;
    rp_source *gzip = NULL;
    RP_TRY(rp_sink_open_spool(e->base.context, e->base.sink, &packed, error));
    reprise_status status = pack_legacy(e, packed, error);
    if (status == REPRISE_OK)
        status = rp_sink_reopen(packed, &gzip, error);
    if (status == REPRISE_OK)
        status = rumble_put_wrapper(e->base.sink, e->inner_size, gzip, error);
    rp_source_close(gzip);
    rp_sink_close(packed);
    return status;
}

reprise_status rumble_encode_blob(rp_encoder *encoder, const char *name, rp_stream *content,
                                  reprise_error *error)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    if (!e->wire.zip)
        return rp_error_set(error, REPRISE_E_LOSSY, "layout %s has no place for '%s'", e->wire.name,
                            name);
    if (!e->zip)
        RP_TRY(finish_zip(e, error));
    return rp_zip_add_stream(e->zip, name, content, error);
}

reprise_status rumble_encode_end(rp_encoder *encoder, reprise_error *error)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    if (!e->wire.zip)
        return finish_legacy(e, error);
    if (!e->zip)
        RP_TRY(finish_zip(e, error));
    return rp_zip_finish(e->zip, error);
}
