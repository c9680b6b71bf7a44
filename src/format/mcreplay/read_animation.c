/*
 * read_animation.c - the text of an animation, frame by frame.
 *
 * A line is a frame, an entry ends with ';', and omitted values keep their last value. Text comes
 * in pieces; only an entry that crosses the end of a piece is copied. Files consist mostly of
 * numbers, so only the loop over them is written for speed.
 */
#include <math.h>
#include <stdio.h>

#include "floattext.h"
#include "mcreplay.h"

enum {
    VALUES_MAX = 12, /* one more than an entry may have, to notice excess */
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
    const char *at, *end; /* text that was fed and not yet read */
    rp_writer carry;      /* the start of an entry whose end has not been fed yet */
    bool ended, done;
    bool after_cr;
    line_state line;
    uint64_t line_number, frames;
    uint32_t entry; /* of the line */
};

/* How reading an entry ended. */
typedef enum stop {
    STOP_SHORT,  /* the text ends first */
    STOP_ENTRY,  /* at its ';' */
    STOP_LINE,   /* at a line end */
    STOP_FAILED, /* at something that is not a number */
} stop;

reprise_status mc_anim_open(mc_replay *replay, mc_entity *entity, mc_anim **ret_anim,
                            reprise_error *error)
{
    rp_context *context = replay->base.context;
    mc_anim *anim = rp_alloc_zero(context, 1, sizeof *anim, error);
    if (!anim)
        return error->status;
    anim->replay = replay;
    anim->entity = entity;
    rp_writer_init(&anim->carry, context, (size_t)context->limits.record_bytes_max, error);
    *ret_anim = anim;
    return REPRISE_OK;
}

void mc_anim_close(mc_anim *anim)
{
    if (!anim)
        return;
    rp_context *context = anim->replay->base.context;
    rp_writer_free(&anim->carry);
    rp_free(context, anim, sizeof *anim);
}

uint64_t mc_anim_frames(const mc_anim *anim)
{
    return anim->frames;
}

void mc_anim_feed(mc_anim *anim, const char *text, size_t size)
{
    anim->at = text;
    anim->end = text ? text + size : NULL;
    anim->ended = !text;
}

/* ---- numbers ---- */

static inline bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t';
}

static inline bool ends_word(char c)
{
    return is_separator(c) || c == ';' || c == '\n' || c == '\r';
}

/* The forms that the fast parser does not handle: words, ".5", "1.", "1.E5". */
static bool parse_odd(const char *text, size_t size, double *ret_value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {
        {"NaN", NAN}, {"Infinity", INFINITY}, {"+Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    for (size_t i = 0; i < RP_COUNT(words); i++) {
        if (strlen(words[i].word) == size && memcmp(words[i].word, text, size) == 0) {
            *ret_value = words[i].value;
            return true;
        }
    }
    return rp_parse_f64_loose(text, size, ret_value);
}

/* Reads the values of one entry. `whole`: no text follows. */
static inline stop scan_entry(const char **at, const char *end, bool whole, double *values,
                              size_t *ret_count)
{
    const char *p = *at;
    size_t count = 0;
    stop how = STOP_SHORT;
    for (;;) {
        while (p < end && is_separator(*p))
            p++;
        if (p == end)
            break;
        if (*p == ';' || *p == '\n' || *p == '\r') {
            how = *p == ';' ? STOP_ENTRY : STOP_LINE;
            break;
        }
        double value;
        size_t n = rp_parse_f64(p, (size_t)(end - p), &value);
        if (__builtin_expect(p + n == end, 0)) {
            p = end;
            if (!whole)
                break;
        } else if (__builtin_expect(!n || !ends_word(p[n]), 0)) {
            const char *stop_at = p;
            while (stop_at < end && !ends_word(*stop_at))
                stop_at++;
            if (stop_at == end && !whole)
                break;
            if (!parse_odd(p, (size_t)(stop_at - p), &value)) {
                *at = p;
                return STOP_FAILED;
            }
            n = (size_t)(stop_at - p);
            p += n;
        } else {
            p += n;
        }
        values[count < VALUES_MAX ? count : VALUES_MAX - 1] = value;
        count++;
    }
    *at = p;
    *ret_count = count;
    return how;
}

bool mc_parse_numbers(const char *text, size_t size, double *to, size_t max, size_t *ret_count)
{
    double values[VALUES_MAX];
    const char *at = text, *end = text + size;
    size_t count = 0;
    if (scan_entry(&at, end, true, values, &count) != STOP_SHORT || at != end)
        return false;
    memcpy(to, values, RP_MIN(RP_MIN(count, max), (size_t)VALUES_MAX) * sizeof *to);
    *ret_count = count;
    return true;
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
    if (!all_finite(values, RP_MIN(count, (size_t)VALUES_MAX))) {
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

static reprise_status not_a_number(mc_anim *anim, const char *at, const char *end,
                                   reprise_error *error)
{
    const char *stop_at = at;
    while (stop_at < end && !ends_word(*stop_at) && stop_at - at < 32)
        stop_at++;
    rp_error_set(error, REPRISE_E_CORRUPT, "'%.*s' is not a number", (int)(stop_at - at), at);
    rp_error_at(error, "frame %llu entry %u", (unsigned long long)anim->frames, anim->entry);
    return error->status;
}

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

/* Reads entries from a text until a line or the text ends. */
static stop read_entries(mc_anim *anim, const char **at, const char *end, bool whole,
                         reprise_error *error)
{
    for (;;) {
        double values[VALUES_MAX];
        size_t count = 0;
        const char *p = *at;
        stop how = scan_entry(&p, end, whole, values, &count);
        if (how == STOP_FAILED) {
            not_a_number(anim, p, end, error);
            return how;
        }
        if (how == STOP_SHORT && !whole)
            return how;
        if (count || how == STOP_ENTRY)
            anim->line = LINE_BEGUN;
        apply_entry(anim, values, count);
        *at = p + (how != STOP_SHORT);
        if (how != STOP_ENTRY)
            return how;
        anim->entry++;
    }
}

/* Appends text to the carried entry up to its end; false if the end has not been fed yet. */
static bool complete_carry(mc_anim *anim)
{
    const char *p = anim->at;
    while (p < anim->end && *p != ';' && *p != '\n' && *p != '\r')
        p++;
    bool complete = p < anim->end;
    rp_put(&anim->carry, anim->at, (size_t)(p - anim->at) + complete);
    anim->at = p + complete;
    return complete;
}

/* Reads the carried entry, whose last character is its end. */
static stop read_carry(mc_anim *anim, reprise_error *error)
{
    const char *at = (const char *)anim->carry.data, *end = at + anim->carry.size;
    char last = end[-1];
    stop how = read_entries(anim, &at, end, anim->ended, error);
    rp_writer_clear(&anim->carry);
    if (how == STOP_LINE)
        anim->after_cr = last == '\r';
    return how;
}

bool mc_anim_next(mc_anim *anim, reprise_error *error)
{
    anim->carry.error = error;
    if (anim->line == LINE_BLANK && !anim->carry.size)
        begin_frame(anim->entity);
    while (error->status == REPRISE_OK && !anim->done) {
        if (anim->after_cr && anim->at < anim->end) {
            anim->at += *anim->at == '\n';
            anim->after_cr = false;
        }
        stop how;
        if (anim->carry.size && (anim->ended || complete_carry(anim))) {
            how = read_carry(anim, error);
            if (how == STOP_SHORT && !anim->ended)
                continue;
        } else if (anim->ended || anim->carry.size) {
            how = STOP_SHORT;
        } else {
            how = read_entries(anim, &anim->at, anim->end, false, error);
            if (how == STOP_SHORT)
                rp_put(&anim->carry, anim->at, (size_t)(anim->end - anim->at));
            else if (how == STOP_LINE)
                anim->after_cr = anim->at[-1] == '\r';
        }
        if (how == STOP_LINE && end_line(anim))
            return true;
        if (how == STOP_SHORT && !anim->ended)
            return false;
        if (how == STOP_SHORT) {
            /* A blank last line is layout. */
            anim->done = true;
            return anim->line != LINE_BLANK && end_line(anim);
        }
    }
    return false;
}
