/*
 * write_rows.c - scenes that are recorded row by row: the order of rows, default values of columns,
 * and what cannot be written.
 *
 * The complete recording is sorted before it is written, because an entity's document holds all of
 * its frames. Parts keep their values, so the current entity has the last state of each.
 */
#include "read.h"
#include "write.h"

/* ---- order ---- */

/* The sort key of a row, compared from the first member to the last. */
typedef struct place {
    int64_t of[5];
} place;

static place place_of(const rp_row *row)
{
    const mc_material *material = row->data;
    const mc_texture *texture = row->data;
    const mc_mesh *mesh = row->data;
    bool of_world = false;
    switch (row->track) {
    case MC_MATERIALS:
        of_world = material->scope == MC_SCOPE_WORLD;
        return (place){{of_world ? MC_STAGE_WORLD_MATERIALS : MC_STAGE_MATERIALS}};
    case MC_TEXTURES:
        of_world = texture->scope == MC_SCOPE_WORLD;
        return (place){{of_world ? MC_STAGE_WORLD_TEXTURES : MC_STAGE_TEXTURES}};
    case MC_MESHES:
        if (mesh->scope == MC_SCOPE_WORLD)
            return (place){{MC_STAGE_WORLD_MESHES}};
        return (place){{MC_STAGE_ENTITIES, mesh->entity, INT64_MIN, 1}};
    case MC_ENTITIES:
        return (place){{MC_STAGE_ENTITIES, row->object, INT64_MIN, 0}};
    case MC_FRAMES:
        return (place){{MC_STAGE_ENTITIES, row->object, row->index, 0}};
    case MC_PARTS:
        return (place){{MC_STAGE_ENTITIES, row->object, row->index, 1,
                        ((const mc_part_state *)row->data)->pose.part}};
    case MC_OVERRIDES:
        return (place){{MC_STAGE_ENTITIES, row->object, row->index, 2,
                        ((const mc_override *)row->data)->channel}};
    default: /* the blocks of a frame, then the frame */
        return (place){{MC_STAGE_WORLD, 0, row->index, row->track == MC_WORLD_FRAMES}};
    }
}

int mc_row_order(const rp_row *a, const rp_row *b)
{
    place left = place_of(a), right = place_of(b);
    for (size_t i = 0; i < RP_COUNT(left.of); i++) {
        if (left.of[i] != right.of[i])
            return left.of[i] < right.of[i] ? -1 : 1;
    }
    return 0;
}

/* A batch is a definition with its meshes, a frame of an entity or of the world, or a table. */
bool mc_batch_begins(const rp_row *before, const rp_row *row)
{
    place left = place_of(before), right = place_of(row);
    return memcmp(left.of, right.of, 3 * sizeof left.of[0]) != 0;
}

/* ---- values ---- */

void mc_row_init(uint32_t track, void *data)
{
    if (track == MC_FRAMES)
        *(mc_transform *)data = mc_identity;
    if (track == MC_PARTS) {
        ((mc_part_state *)data)->transform = mc_identity;
        ((mc_part_state *)data)->pose.visible = true;
    }
    if (track == MC_ENTITIES)
        ((mc_entity_row *)data)->fps = MC_FPS_DEFAULT;
    if (track == MC_MESHES)
        ((mc_mesh *)data)->entity = ((mc_mesh *)data)->part = -1;
}

/* Copies the fields that a row does not set. */
static void keep_unset(const rp_record *record, uint64_t present, const void *from, void *to)
{
    for (size_t i = 0; i < record->count; i++) {
        if (!(present >> i & 1))
            memcpy(rp_at(&record->fields[i], to), rp_at_const(&record->fields[i], from),
                   rp_field_size(&record->fields[i]));
    }
}

/*
 * A rest rotation that was not given is identity, not four zeros; parts of a multipart have no
 * length. The list belongs to the recording.
 */
static void rest_parts(const mc_entity_row *row)
{
    mc_part *parts = (mc_part *)(uintptr_t)row->parts.items;
    for (size_t i = 0; i < row->parts.count; i++) {
        mc_part *p = &parts[i];
        if (p->rest_rot_x == 0 && p->rest_rot_y == 0 && p->rest_rot_z == 0 && p->rest_rot_w == 0)
            p->rest_rot_w = 1;
        if (row->rig == MC_MULTIPART && p->length == 0)
            p->length = MC_LENGTH_DEFAULT;
    }
}

void mc_row_held(const rp_encoder *encoder, const rp_row *row, void *data)
{
    const mc_encoder *e = (const mc_encoder *)encoder;
    bool open = e->document && e->object == row->object;
    mc_part_state *part = data;
    mc_override *channel = data;
    if (row->track == MC_ENTITIES)
        rest_parts(row->data);
    if (open && row->track == MC_PARTS && part->pose.part < e->part_count) {
        const mc_part_state *last = &e->held_parts[part->pose.part];
        keep_unset(&mc_pose_record, row->present | 1, &last->pose, &part->pose);
        keep_unset(&mc_transform_record, row->present >> mc_pose_F_COUNT, &last->transform,
                   &part->transform);
    }
    if (open && row->track == MC_OVERRIDES && channel->channel < e->channel_count)
        keep_unset(&mc_override_record, row->present | 1, &e->held_channels[channel->channel],
                   channel);
}

/* The first field represents a group that is stored together. */
static uint64_t whole_groups(uint64_t bits)
{
    static const uint8_t first[] = {mc_transform_F_rot_x, mc_transform_F_pos_x,
                                    mc_transform_F_scale_x, mc_transform_F_COUNT};
    for (size_t i = 0; i + 1 < RP_COUNT(first); i++) {
        uint64_t group = (UINT64_C(1) << first[i + 1]) - (UINT64_C(1) << first[i]);
        bits |= bits & group ? group : 0;
    }
    return bits;
}

/* ---- what can be written ---- */

reprise_status mc_check_definition(const rp_row *row, reprise_error *error)
{
    const mc_entity_row *entity = row->data;
    const mc_part *parts = entity->parts.items;
    const mc_channel *channels = entity->channels.items;
    if (entity->rig > MC_MULTIPART)
        return rp_error_set(error, REPRISE_E_USAGE, "entity %u: unknown rig %u", row->object,
                            entity->rig);
    if (!(entity->fps > 0))
        return rp_error_set(error, REPRISE_E_USAGE, "entity %u: the rate is %g frames per second",
                            row->object, entity->fps);
    if (!entity->file.size)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "entity %u: set 'file', such as entities/sheep.xml", row->object);
    for (size_t i = 0; i < entity->parts.count; i++) {
        if (parts[i].parent < -1 || parts[i].parent >= (int64_t)i)
            return rp_error_set(
                error, REPRISE_E_USAGE,
                "entity %u: part %zu is in part %d, which does not precede it; -1 is "
                "the entity",
                row->object, i, parts[i].parent);
    }
    for (size_t i = 0; i < entity->channels.count; i++) {
        if (channels[i].type > MC_VECTOR)
            return rp_error_set(error, REPRISE_E_USAGE, "entity %u: unknown channel type %u",
                                row->object, channels[i].type);
    }
    return REPRISE_OK;
}

/* Checks a frame of the current entity: one row each of the entity, its parts and its channels. */
static reprise_status check_frame(const mc_encoder *e, const rp_batch *batch, reprise_error *error)
{
    const rp_row *first = &batch->rows[0];
    int64_t part = -1, channel = -1;
    if (!e->document || e->object != first->object)
        return rp_error_set(error, REPRISE_E_USAGE, "entity %u has no row of entities",
                            first->object);
    if (first->track != MC_FRAMES)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "rows of %s need a row of frames of their entity in the same step",
                            mc_tracks[first->track].name);
    for (size_t i = 1; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        bool is_part = row->track == MC_PARTS;
        int64_t number = is_part ? ((const mc_part_state *)row->data)->pose.part
                                 : ((const mc_override *)row->data)->channel;
        int64_t *last = is_part ? &part : &channel;
        if (row->track == MC_FRAMES || number <= *last)
            return rp_error_set(error, REPRISE_E_USAGE,
                                "entity %u: frame %lld has two rows of the same %s", row->object,
                                (long long)row->index, mc_tracks[row->track].name);
        if (number >= (is_part ? e->part_count : e->channel_count))
            return rp_error_set(error, REPRISE_E_USAGE, "entity %u has no %s %lld", row->object,
                                is_part ? "part" : "channel", (long long)number);
        *last = number;
    }
    return REPRISE_OK;
}

static void hold(mc_encoder *e, const rp_row *row)
{
    if (row->track == MC_PARTS) {
        const mc_part_state *state = row->data;
        e->held_parts[state->pose.part] = *state;
    } else if (row->track == MC_OVERRIDES) {
        const mc_override *value = row->data;
        e->held_channels[value->channel] = *value;
    }
}

reprise_status mc_record_frame(mc_encoder *e, const rp_batch *batch, reprise_error *error)
{
    RP_TRY(check_frame(e, batch, error));
    rp_batch complete = {0};
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++) {
        rp_row row = batch->rows[i];
        size_t size = rp_track_row_size(&mc_tracks[row.track]);
        unsigned shift = row.track == MC_PARTS ? mc_pose_F_COUNT : 0;
        void *data = rp_arena_alloc(&arena, RP_MAX(size, sizeof(mc_part_state)), error);
        rp_row *to = rp_batch_add(e->base.context, &complete, error);
        if (!data || !to)
            break;
        memcpy(data, row.data, size);
        mc_row_held(&e->base, &row, data);
        row.data = data;
        if (row.track != MC_OVERRIDES)
            row.present |= whole_groups(row.present >> shift) << shift;
        *to = row;
        hold(e, &row);
    }
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = mc_write_frame(e, &complete, error);
    rp_batch_free(e->base.context, &complete);
    rp_arena_free(&arena);
    return status;
}

reprise_status mc_hold_states(mc_encoder *e, reprise_error *error)
{
    rp_context *context = e->base.context;
    e->held_parts = rp_alloc_zero(context, RP_MAX(e->part_count, 1), sizeof *e->held_parts, error);
    e->held_channels = rp_alloc_zero(context, RP_MAX(e->channel_count, 1), sizeof *e->held_channels,
                                     error);
    for (uint32_t i = 0; e->held_parts && i < e->part_count; i++) {
        mc_row_init(MC_PARTS, &e->held_parts[i]);
        e->held_parts[i].pose.part = i;
    }
    return error->status;
}

void mc_drop_states(mc_encoder *e)
{
    rp_context *context = e->base.context;
    rp_free(context, e->held_parts, RP_MAX(e->part_count, 1) * sizeof *e->held_parts);
    rp_free(context, e->held_channels, RP_MAX(e->channel_count, 1) * sizeof *e->held_channels);
    e->held_parts = NULL;
    e->held_channels = NULL;
}

/* The version is that of the layout. */
bool mc_header_made(const rp_encoder *encoder, const char *member, const reprise_value *given)
{
    (void)encoder;
    (void)given;
    return strcmp(member, "version") == 0;
}
