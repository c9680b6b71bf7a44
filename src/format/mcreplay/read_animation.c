/*
 * read_animation.c - the entries of an animation, frame by frame.
 *
 * A line is a frame, and values that it omits keep their last value.
 */
#include <stdio.h>

#include "mcreplay.h"

enum {
    VALUES_ROTATION = 4,
    VALUES_TRANSLATION = 7,
    VALUES_SCALE = 10,
    VALUES_VISIBLE = 11,
};

/* Presence bits of the groups, for a record that has the rotation at bit 0. */
#define ROTATION_BITS    UINT64_C(0x00F)
#define TRANSLATION_BITS UINT64_C(0x070)
#define SCALE_BITS       UINT64_C(0x380)
#define PART_SHIFT       mc_pose_F_COUNT

typedef enum line_state { LINE_BLANK, LINE_BEGUN } line_state;

struct mc_anim {
    mc_replay *replay;
    mc_entity *entity;
    line_state line;
    uint64_t line_number, frames;
    uint32_t entry; /* of the line */
};

reprise_status mc_anim_open(mc_replay *replay, mc_entity *entity, mc_anim **ret_anim,
                            reprise_error *error)
{
    mc_anim *anim = rp_alloc_zero(replay->base.context, 1, sizeof *anim, error);
    if (!anim)
        return error->status;
    anim->replay = replay;
    anim->entity = entity;
    *ret_anim = anim;
    return REPRISE_OK;
}

void mc_anim_close(mc_anim *anim)
{
    if (anim)
        rp_free(anim->replay->base.context, anim, sizeof *anim);
}

uint64_t mc_anim_frames(const mc_anim *anim)
{
    return anim->frames;
}

/* ---- entries ---- */

static void warn(mc_anim *anim, const rp_finding_kind *kind, const char *message)
{
    char path[96];
    snprintf(path, sizeof path, "frame %llu entry %u", (unsigned long long)anim->frames,
             anim->entry);
    rp_note(&anim->replay->base.findings, kind, anim->entity->row.file.data, 0, path, "%s",
            message);
}

/* Stores the complete groups and returns their presence bits. */
static uint64_t set_transform(mc_anim *anim, mc_transform *to, const double *v, size_t count)
{
    uint64_t present = 0;
    if (count >= VALUES_ROTATION) {
        to->rot_w = v[0];
        to->rot_x = v[1];
        to->rot_y = v[2];
        to->rot_z = v[3];
        present |= ROTATION_BITS;
        if (v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0)
            warn(anim, MC_FINDING(ZERO_ROTATION),
                 "a rotation of four zeros is read as no rotation");
    }
    if (count >= VALUES_TRANSLATION) {
        to->pos_x = v[4];
        to->pos_y = v[5];
        to->pos_z = v[6];
        present |= TRANSLATION_BITS;
    }
    if (count >= VALUES_SCALE) {
        to->scale_x = v[7];
        to->scale_y = v[8];
        to->scale_z = v[9];
        present |= SCALE_BITS;
    }
    return present;
}

static void set_channel(mc_anim *anim, uint32_t index, const double *v, size_t count)
{
    mc_channel_state *state = &anim->entity->channel_states[index];
    size_t want = anim->entity->channels[index].type == MC_VECTOR ? 3 : 1;
    if (count < want) {
        warn(anim, MC_FINDING(SHORT_OVERRIDE),
             "an override has too few numbers; its last value is kept");
        return;
    }
    state->value.x = v[0];
    state->present = 1 << mc_override_F_channel | 1 << mc_override_F_x;
    if (want == 1)
        return;
    state->value.y = v[1];
    state->value.z = v[2];
    state->present |= 1 << mc_override_F_y | 1 << mc_override_F_z;
}

static void set_pose(mc_anim *anim, uint32_t index, const double *v, size_t count)
{
    mc_entity *entity = anim->entity;
    if (index == 0) {
        entity->root_present = set_transform(anim, &entity->root, v, count);
        return;
    }
    mc_part_state *state = &entity->part_states[index - 1];
    state->present = set_transform(anim, &state->transform, v, count) << PART_SHIFT;
    if (count >= VALUES_VISIBLE && entity->row.rig == MC_MULTIPART) {
        state->pose.visible = v[VALUES_VISIBLE - 1] != 0;
        state->present |= 1 << mc_pose_F_visible;
    }
    if (state->present)
        state->present |= 1 << mc_pose_F_part;
}

static inline bool all_finite(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] * 0;
    return sum == 0;
}

static void apply_entry(mc_anim *anim, const double *values, size_t count)
{
    const mc_entity *entity = anim->entity;
    uint32_t index = anim->entry;
    if (!count)
        return;
    if (index > entity->part_count + entity->channel_count) {
        warn(anim, MC_FINDING(EXTRA_ENTRY), "more entries than the entity has parts and channels");
        return;
    }
    if (!all_finite(values, RP_MIN(count, (size_t)MC_VALUES_MAX))) {
        warn(anim, MC_FINDING(NOT_FINITE), "an entry has NaN or infinity; its last value is kept");
        return;
    }
    if (index > entity->part_count) {
        set_channel(anim, index - entity->part_count - 1, values, count);
        return;
    }
    if (count != VALUES_ROTATION && count != VALUES_TRANSLATION && count != VALUES_SCALE &&
        count != VALUES_VISIBLE)
        warn(anim, MC_FINDING(ENTRY_SIZE), "an entry must have 0, 4, 7, 10 or 11 numbers");
    set_pose(anim, index, values, count);
}

/* ---- lines ---- */

/* Ends a line; returns whether it was a frame. A blank first line is layout. */
static bool end_line(mc_anim *anim)
{
    bool blank = anim->line == LINE_BLANK;
    bool first = anim->line_number++ == 0;
    anim->line = LINE_BLANK;
    anim->entry = 0;
    if (blank && first)
        warn(anim, MC_FINDING(BLANK_FIRST_LINE), "a blank first line is not a frame");
    if (blank && first)
        return false;
    anim->frames++;
    return true;
}

/* Starts a frame: no field is stored yet. */
static void begin_frame(mc_entity *entity)
{
    entity->root_present = 0;
    for (uint32_t i = 0; i < entity->part_count; i++)
        entity->part_states[i].present = 0;
    for (uint32_t i = 0; i < entity->channel_count; i++)
        entity->channel_states[i].present = 0;
}

/* Whether the entry ends a frame. */
static inline bool take_entry(mc_anim *anim, mc_entry entry, const double *values)
{
    if (entry.count || entry.end == MC_ENDS_ENTRY)
        anim->line = LINE_BEGUN;
    apply_entry(anim, values, entry.count);
    if (entry.end == MC_ENDS_LINE)
        return end_line(anim);
    anim->entry += entry.end == MC_ENDS_ENTRY;
    /* A blank last line is layout. */
    return entry.end == MC_ENDS_TEXT && anim->line != LINE_BLANK && end_line(anim);
}

bool mc_anim_next(mc_anim *anim, mc_batch *batch, reprise_error *error)
{
    const mc_entry *entry = batch->entries + batch->at, *end = batch->entries + batch->count;
    const double *values = batch->values + batch->value_at;
    bool is_frame = false;
    if (anim->line == LINE_BLANK)
        begin_frame(anim->entity);
    for (; entry < end && !is_frame; entry++) {
        is_frame = take_entry(anim, *entry, values);
        values += entry->count;
    }
    batch->at = (size_t)(entry - batch->entries);
    batch->value_at = (size_t)(values - batch->values);
    if (!is_frame && batch->error.status != REPRISE_OK)
        *error = batch->error;
    if (!is_frame && batch->failed_in_entry)
        rp_error_at(error, "frame %llu entry %u", (unsigned long long)anim->frames, anim->entry);
    return is_frame;
}
