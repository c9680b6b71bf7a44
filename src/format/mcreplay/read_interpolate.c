/*
 * read_interpolate.c - interpolates values that a frame omits, linearly between those before and
 * after, as the Blender add-on shows them. The format itself holds them.
 *
 * A first pass notes which groups of which parts are given again; a second one reads ahead to the
 * next value that is needed and queues the values it passes. Groups that are never given again are
 * not searched for, so the queues stay short.
 */
#include "read.h"
#include "vector.h"

enum { GROUPS = 3, GROUP_VALUES = 4 };

/* One value of one group. */
typedef struct key {
    uint64_t frame;
    double value[GROUP_VALUES];
} key;

/* A group of the root or of a part. */
typedef struct lane {
    uint64_t end; /* after the last frame that gives it */
    key last;     /* the last value passed */
    bool any;
    rp_vector next; /* key, in order of time; the first `taken` are used up */
    size_t taken;
} lane;

struct mc_interpolation {
    mc_replay *replay;
    size_t index;
    mc_entity_reader *scout;
    bool ended;
    lane *lanes; /* root first, then parts */
    size_t lane_count;
    mc_entity shown; /* a second reader of the entity, with its own states */
};

static double *values_of(mc_transform *t, size_t group)
{
    return group == 0 ? &t->rot_x : group == 1 ? &t->pos_x : &t->scale_x;
}

static size_t size_of(size_t group)
{
    return group == 0 ? 4 : 3;
}

static bool gives(uint64_t present, size_t group)
{
    static const unsigned bits[GROUPS] = {mc_transform_F_rot_x, mc_transform_F_pos_x,
                                          mc_transform_F_scale_x};
    return present >> bits[group] & 1;
}

/* The transform of a lane and whether the frame gives it. */
static mc_transform *transform_of(mc_entity *entity, size_t number, bool *ret_given)
{
    size_t part = number / GROUPS, group = number % GROUPS;
    if (!part) {
        *ret_given = gives(entity->root_present, group);
        return &entity->root;
    }
    mc_part_state *state = &entity->part_states[part - 1];
    *ret_given = gives(state->present >> mc_pose_F_COUNT, group);
    return &state->transform;
}

/* ---- opening ---- */

static reprise_status note_ends(mc_interpolation *b, reprise_error *error)
{
    mc_entity_reader *reader = NULL;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = mc_entity_open(b->replay, b->index, &reader, &failure);
    while (status == REPRISE_OK && (status = mc_entity_next(reader, &failure)) == REPRISE_OK) {
        for (size_t i = 0; i < b->lane_count; i++) {
            bool given;
            (void)transform_of(mc_entity_of(reader), i, &given);
            if (given)
                b->lanes[i].end = mc_entity_frame(reader);
        }
    }
    mc_entity_close(reader);
    /* The reader of the rows reports the damage. */
    if (rp_is_own_failure(b->replay->base.context, failure.status))
        *error = failure;
    return error->status;
}

static reprise_status copy_entity(mc_interpolation *b, const mc_entity *entity,
                                  reprise_error *error)
{
    rp_context *context = b->replay->base.context;
    b->shown = *entity;
    b->shown.part_states = rp_alloc_zero(context, RP_MAX(entity->part_count, 1),
                                         sizeof *b->shown.part_states, error);
    b->lane_count = GROUPS * ((size_t)entity->part_count + 1);
    b->lanes = rp_alloc_zero(context, b->lane_count, sizeof *b->lanes, error);
    return error->status;
}

reprise_status mc_interpolation_open(mc_replay *replay, size_t index, const mc_entity *entity,
                                     mc_interpolation **ret_between, reprise_error *error)
{
    mc_interpolation *b = rp_alloc_zero(replay->base.context, 1, sizeof *b, error);
    if (!b)
        return error->status;
    b->replay = replay;
    b->index = index;
    reprise_status status = copy_entity(b, entity, error);
    if (status == REPRISE_OK)
        status = note_ends(b, error);
    if (status == REPRISE_OK)
        status = mc_entity_open(replay, index, &b->scout, error);
    if (status != REPRISE_OK) {
        mc_interpolation_close(b);
        return status;
    }
    *ret_between = b;
    return REPRISE_OK;
}

void mc_interpolation_close(mc_interpolation *b)
{
    if (!b)
        return;
    rp_context *context = b->replay->base.context;
    mc_entity_close(b->scout);
    for (size_t i = 0; b->lanes && i < b->lane_count; i++)
        rp_vector_free(context, &b->lanes[i].next, sizeof(key));
    if (b->lanes)
        rp_free(context, b->lanes, b->lane_count * sizeof *b->lanes);
    if (b->shown.part_states)
        rp_free(context, b->shown.part_states,
                RP_MAX(b->shown.part_count, 1) * sizeof *b->shown.part_states);
    rp_free(context, b, sizeof *b);
}

/* ---- running ahead ---- */

static reprise_status queue_keys(mc_interpolation *b, reprise_error *error)
{
    mc_entity *entity = mc_entity_of(b->scout);
    for (size_t i = 0; i < b->lane_count; i++) {
        bool given;
        mc_transform *t = transform_of(entity, i, &given);
        lane *l = &b->lanes[i];
        if (!given)
            continue;
        if (l->taken == l->next.count)
            l->taken = l->next.count = 0;
        key *to = rp_vector_add(b->replay->base.context, &l->next, sizeof *to, error);
        if (!to)
            return error->status;
        to->frame = mc_entity_frame(b->scout) - 1;
        memcpy(to->value, values_of(t, i % GROUPS), size_of(i % GROUPS) * sizeof(double));
    }
    return REPRISE_OK;
}

/* The next value of a lane at or after a frame, or NULL. */
static reprise_status next_key(mc_interpolation *b, lane *l, uint64_t frame, const key **ret_key,
                               reprise_error *error)
{
    *ret_key = NULL;
    for (;;) {
        const key *keys = l->next.items;
        while (l->taken < l->next.count && keys[l->taken].frame < frame) {
            l->last = keys[l->taken++];
            l->any = true;
        }
        if (l->taken < l->next.count) {
            *ret_key = &keys[l->taken];
            return REPRISE_OK;
        }
        if (b->ended || l->end <= frame)
            return REPRISE_OK;
        reprise_error failure = REPRISE_ERROR_INIT;
        if (mc_entity_next(b->scout, &failure) != REPRISE_OK)
            b->ended = true;
        else
            RP_TRY(queue_keys(b, error));
    }
}

/* ---- frames ---- */

static void mix(const key *a, const key *b, uint64_t frame, size_t group, double *to)
{
    double share = (double)(frame - a->frame) / (double)(b->frame - a->frame), dot = 0;
    /* The same rotation has two signs. */
    for (size_t i = 0; group == 0 && i < GROUP_VALUES; i++)
        dot += a->value[i] * b->value[i];
    for (size_t i = 0; i < size_of(group); i++) {
        double end = dot < 0 ? -b->value[i] : b->value[i];
        to[i] = a->value[i] + share * (end - a->value[i]);
    }
}

reprise_status mc_interpolation_frame(mc_interpolation *b, const mc_entity *entity, uint64_t frame,
                                      const mc_entity **ret_entity, reprise_error *error)
{
    mc_part_state *states = b->shown.part_states;
    b->shown = *entity;
    b->shown.part_states = states;
    for (uint32_t i = 0; i < entity->part_count; i++) {
        states[i] = entity->part_states[i];
        states[i].entity = &b->shown;
    }
    for (size_t i = 0; i < b->lane_count; i++) {
        bool given;
        mc_transform *t = transform_of(&b->shown, i, &given);
        const key *next = NULL;
        RP_TRY(next_key(b, &b->lanes[i], frame, &next, error));
        double *to = values_of(t, i % GROUPS);
        if (given || !next)
            continue;
        if (b->lanes[i].any)
            mix(&b->lanes[i].last, next, frame, i % GROUPS, to);
        else
            memcpy(to, next->value, size_of(i % GROUPS) * sizeof *to);
    }
    *ret_entity = &b->shown;
    return REPRISE_OK;
}
