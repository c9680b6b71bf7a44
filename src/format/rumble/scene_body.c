/*
 * scene_body.c - a player's body: a skeleton from what is recorded of head, hands and fingers, and
 * one mesh that follows it.
 *
 * Head and hands are where they were recorded, under the rig. The spine hangs below the head and
 * leans with it. Arms reach from the shoulders to the recorded hands and legs down to the floor of
 * the rig, each as two bones that bend in one plane; nothing of that is recorded. An arm that is
 * too short for a recorded hand grows, so that they always meet. Fingers bend as the grips were
 * pressed: index and thumb have their own, the other three share one.
 *
 * All in the axes of the scene: what looks ahead looks along -z, left is -x.
 */
#include <math.h>
#include <stdio.h>

#include "scene_builder.h"
#include "two_bones.h"

enum { FINGERS = 5, FINGER_JOINTS = 2 };

/* Joints in the order of the skin; those of the left come first. */
enum {
    RIG,
    PELVIS,
    SPINE,
    HEAD,
    SKULL,
    UPPER_ARM,
    FOREARM = UPPER_ARM + 2,
    HAND = FOREARM + 2,
    THIGH = HAND + 2,
    SHIN = THIGH + 2,
    FINGER = SHIN + 2,
    JOINTS = FINGER + 2 * FINGERS * FINGER_JOINTS
};

/* A body of length 1; arms and shoulders come from the span as well. */
static const float neck_back = 0.035f, neck_down = 0.06f, torso = 0.31f, shoulder_up = 0.12f,
                   shoulder_out = 0.105f, hip_out = 0.055f, thigh = 0.25f, shin = 0.25f,
                   ankle = 0.02f, palm = 0.055f, lean = 0.35f;
static const double curl_rad =
    1.3; /* of each of the two joints when a grip is pressed completely */

/* A finger as it was bent last. */
typedef struct rumble_finger {
    bool bent;
    float curl;
    rp_quat rotations[FINGER_JOINTS];
} rumble_finger;

typedef struct rumble_body {
    int32_t joints[JOINTS];
    float length, upper_arm, forearm;
    rumble_finger fingers[2][FINGERS];
} rumble_body;

/* ---- a pose ---- */

typedef struct limbs_at {
    rp_vec3 head, hands[2];
    rp_quat head_rotation, hand_rotations[2];
    float curls[2][FINGERS]; /* thumb, index and the rest, 0 to 1 */
} limbs_at;

/* The parent of a joint. Poses are relative to it. */
static int above(int joint)
{
    if (joint >= FINGER) {
        int side = (joint - FINGER) / (FINGERS * FINGER_JOINTS);
        return (joint - FINGER) % FINGER_JOINTS ? joint - 1 : HAND + side;
    }
    static const int8_t parents[FINGER] = {-1,    RIG,    PELVIS,    RIG,           HEAD,
                                           SPINE, SPINE,  UPPER_ARM, UPPER_ARM + 1, RIG,
                                           RIG,   PELVIS, PELVIS,    THIGH,         THIGH + 1};
    return parents[joint];
}

/* Grips change rarely, and three fingers share one, so a finger that bends as before is kept. */
static void bend_finger(rumble_finger *f, float curl, int finger, float out)
{
    if (f->bent && f->curl == curl)
        return;
    double angle = curl_rad * (double)fminf(fmaxf(curl, 0), 1);
    bool is_thumb = finger == 0;
    rp_quat bend = rp_rotation_about((rp_vec3){1, 0, 0}, is_thumb ? -angle / 2 : -angle);
    rp_quat spread = rp_rotation_about((rp_vec3){0, 1, 0}, is_thumb ? (double)out * 0.7 : 0);
    *f = (rumble_finger){true, curl, {rp_rotation_then(bend, spread), bend}};
}

static void pose_fingers(rumble_body *b, const limbs_at *at, int side, rp_pose *to)
{
    float l = b->length, out = side ? 1.0f : -1.0f;
    for (int finger = 0; finger < FINGERS; finger++) {
        rp_pose *p = &to[FINGER + (side * FINGERS + finger) * FINGER_JOINTS];
        rumble_finger *f = &b->fingers[side][finger];
        bend_finger(f, at->curls[side][finger], finger, out);
        float across = ((float)finger - 2.5f) * 0.012f * l * out;
        p[0].position = finger == 0 ? (rp_vec3){-0.022f * l * out, 0, -0.012f * l}
                                    : (rp_vec3){across, 0, -palm * l};
        p[0].rotation = f->rotations[0];
        p[1].position = (rp_vec3){0, 0, -0.024f * l};
        p[1].rotation = f->rotations[1];
    }
}

/* Gives the size of the arm. */
static float pose_side(rumble_body *b, const limbs_at *at, int side, rp_quat chest,
                       rp_vec3 chest_position, rp_pose *to)
{
    float l = b->length, out = side ? 1.0f : -1.0f;
    rp_quat heading = to[PELVIS].rotation;
    rp_pose *arm = &to[UPPER_ARM + side], *leg = &to[THIGH + side];
    arm->position = (rp_vec3){out * shoulder_out * l, shoulder_up * l, 0};
    rp_vec3 wrist = rp_plus(
        at->hands[side], rp_rotation_apply(at->hand_rotations[side], (rp_vec3){0, 0, 0.03f * l}));
    rp_two_bones reach = {.from = rp_plus(chest_position, rp_rotation_apply(chest, arm->position)),
                          .to = wrist,
                          .upper = b->upper_arm,
                          .lower = b->forearm,
                          .bend = rp_rotation_apply(heading, (rp_vec3){0.5f * out, -1, 0.45f})};
    rp_quat upper, lower;
    rp_two_bones_solve(&reach, &upper, &lower);
    arm->rotation = rp_rotation_then(upper, rp_rotation_back(chest));
    to[FOREARM + side] = (rp_pose){{0, -b->upper_arm, 0},
                                   rp_rotation_then(lower, rp_rotation_back(upper))};
    to[HAND + side] = (rp_pose){at->hands[side], at->hand_rotations[side]};
    leg->position = (rp_vec3){out * hip_out * l, -0.03f * l, 0};
    rp_vec3 hip = rp_plus(to[PELVIS].position, rp_rotation_apply(heading, leg->position));
    rp_vec3 foot = rp_plus(hip, rp_rotation_apply(heading, (rp_vec3){out * 0.02f * l, 0, 0}));
    rp_two_bones leg_bones = {.from = hip,
                              .to = {foot.x, ankle * l, foot.z},
                              .upper = thigh * l,
                              .lower = shin * l,
                              .bend = rp_rotation_apply(heading, (rp_vec3){0.2f * out, 0, -1})};
    rp_two_bones_solve(&leg_bones, &upper, &lower);
    leg->rotation = rp_rotation_then(upper, rp_rotation_back(heading));
    to[SHIN + side] = (rp_pose){{0, -thigh * l, 0},
                                rp_rotation_then(lower, rp_rotation_back(upper))};
    pose_fingers(b, at, side, to);
    return rp_two_bones_stretch(&reach);
}

static void find_pose(rumble_body *b, const limbs_at *at, rp_pose to[JOINTS], float ret_arms[2])
{
    static const rp_vec3 up = {0, 1, 0};
    float l = b->length;
    to[RIG] = (rp_pose){{0, 0, 0}, {0, 0, 0, 1}};
    to[HEAD] = (rp_pose){at->head, at->head_rotation};
    to[SKULL] = (rp_pose){{0, 0, 0}, {0, 0, 0, 1}};
    rp_quat heading = rp_rotation_heading(at->head_rotation);
    rp_vec3 neck = rp_plus(
        at->head,
        rp_rotation_apply(at->head_rotation, (rp_vec3){0, -neck_down * l, neck_back * l}));
    rp_vec3 tilted = rp_rotation_apply(at->head_rotation, up);
    rp_vec3 spine = rp_unit(rp_plus(rp_times(up, 1 - lean), rp_times(tilted, lean)), up);
    rp_quat chest = rp_rotation_hang(rp_times(spine, -1),
                                     rp_rotation_apply(heading, (rp_vec3){0, 0, -1}));
    to[PELVIS] = (rp_pose){rp_minus(neck, rp_times(spine, torso * l)), heading};
    rp_vec3 chest_position = rp_plus(to[PELVIS].position, rp_times(spine, torso * l / 2));
    to[SPINE] = (rp_pose){
        rp_rotation_apply(rp_rotation_back(heading), rp_minus(chest_position, to[PELVIS].position)),
        rp_rotation_then(chest, rp_rotation_back(heading))};
    for (int side = 0; side < 2; side++)
        ret_arms[side] = pose_side(b, at, side, chest, chest_position, to);
}

/* Whether a joint moves relative to its parent; others only rotate. */
static bool changes_position(int joint)
{
    return joint <= HEAD || joint == HAND || joint == HAND + 1;
}

/* Arms held out, upright: the form that the mesh is given in. */
static void find_poses(rumble_body *b, float span, rp_pose to[JOINTS], rp_pose poses[JOINTS])
{
    float l = b->length, shoulders = (1 - 0.07f - neck_down - torso / 2 + shoulder_up) * l;
    limbs_at at = {.head = {0, 0.93f * l, 0}, .head_rotation = {0, 0, 0, 1}};
    for (int side = 0; side < 2; side++) {
        float out = side ? 1.0f : -1.0f;
        at.hands[side] = (rp_vec3){out * (span / 2 - 0.09f * l), shoulders, neck_back * l};
        at.hand_rotations[side] = rp_rotation_about((rp_vec3){0, 1, 0},
                                                    (double)out * -1.5707963267948966);
    }
    float arms[2];
    find_pose(b, &at, to, arms);
    for (int i = 0; i < JOINTS; i++) {
        const rp_pose *from = i ? &poses[above(i)] : NULL;
        poses[i] = from ? (rp_pose){rp_plus(from->position,
                                            rp_rotation_apply(from->rotation, to[i].position)),
                                    rp_rotation_unit(
                                        rp_rotation_then(to[i].rotation, from->rotation))}
                        : (rp_pose){to[i].position, to[i].rotation};
    }
}

/* ---- the mesh ---- */

/* Materials of a body, by what they are for. */
enum { CLOTH, SKIN, TROUSERS, EYES, PAINTS };

/* A head with a face: without one, it is hard to see where a player looks. */
static size_t add_head(float l, rp_limb *to)
{
    size_t n = 0;
    to[n++] = (rp_limb){SKULL,
                        {0, -0.03f * l, 0.03f * l},
                        {0, 0.03f * l, 0.034f * l},
                        0.056f * l,
                        0.064f * l,
                        1.12f,
                        16,
                        SKIN};
    to[n++] = (rp_limb){
        SKULL, {0, -0.062f * l, 0}, {0, -0.05f * l, 0.015f * l}, 0.026f * l, 0.04f * l, 1, 12,
        SKIN}; /* chin */
    to[n++] = (rp_limb){SKULL,
                        {0, -0.002f * l, -0.04f * l},
                        {0, -0.022f * l, -0.05f * l},
                        0.007f * l,
                        0.012f * l,
                        1,
                        8,
                        SKIN}; /* nose */
    to[n++] = (rp_limb){SKULL,
                        {0, 0.044f * l, 0.035f * l},
                        {0, 0.05f * l, 0.037f * l},
                        0.064f * l,
                        0.062f * l,
                        1.12f,
                        18,
                        CLOTH}; /* cap */
    for (int side = 0; side < 2; side++) {
        float out = side ? 1.0f : -1.0f;
        to[n++] = (rp_limb){SKULL,
                            {out * 0.024f * l, -0.003f * l, -0.033f * l},
                            {out * 0.026f * l, 0.003f * l, -0.033f * l},
                            0.0105f * l,
                            0.0105f * l,
                            1,
                            8,
                            EYES};
        to[n++] = (rp_limb){SKULL,
                            {out * 0.062f * l, -0.012f * l, 0.035f * l},
                            {out * 0.064f * l, 0.008f * l, 0.037f * l},
                            0.012f * l,
                            0.014f * l,
                            1,
                            8,
                            SKIN}; /* ear */
    }
    to[n++] = (rp_limb){SPINE, {0, 0.11f * l, 0}, {0, 0.17f * l, 0}, 0.033f * l, 0.03f * l, 1, 10,
                        SKIN}; /* neck */
    return n;
}

static size_t add_torso(float l, rp_limb *to)
{
    size_t n = 0;
    to[n++] = (rp_limb){
        PELVIS, {0, -0.02f * l, 0}, {0, 0.075f * l, 0}, 0.085f * l, 0.08f * l, 0.7f, 14, TROUSERS};
    to[n++] = (rp_limb){
        SPINE, {0, -0.045f * l, 0}, {0, 0.085f * l, 0}, 0.082f * l, 0.102f * l, 0.64f, 16, CLOTH};
    to[n++] = (rp_limb){SPINE,
                        {-shoulder_out * 0.8f * l, shoulder_up * 0.95f * l, 0},
                        {shoulder_out * 0.8f * l, shoulder_up * 0.95f * l, 0},
                        0.042f * l,
                        0.042f * l,
                        1,
                        12,
                        CLOTH};
    return n;
}

static size_t add_arm(const rumble_body *b, uint16_t side, rp_limb *to)
{
    float l = b->length;
    size_t n = 0;
    to[n++] = (rp_limb){(uint16_t)(UPPER_ARM + side),
                        {0, 0, 0},
                        {0, -b->upper_arm, 0},
                        0.038f * l,
                        0.027f * l,
                        1,
                        10,
                        CLOTH};
    to[n++] = (rp_limb){(uint16_t)(FOREARM + side),
                        {0, 0, 0},
                        {0, -b->forearm, 0},
                        0.027f * l,
                        0.019f * l,
                        1,
                        10,
                        SKIN};
    to[n++] = (rp_limb){(uint16_t)(FOREARM + side),
                        {0, -b->forearm * 0.7f, 0},
                        {0, -b->forearm * 0.92f, 0},
                        0.026f * l,
                        0.024f * l,
                        1,
                        10,
                        CLOTH}; /* wristband */
    to[n++] = (rp_limb){(uint16_t)(HAND + side),
                        {0, 0, 0.03f * l},
                        {0, 0, -0.045f * l},
                        0.022f * l,
                        0.027f * l,
                        0.5f,
                        8,
                        SKIN};
    for (int k = 0; k < FINGERS * FINGER_JOINTS; k++) {
        int joint = FINGER + side * FINGERS * FINGER_JOINTS + k;
        to[n++] = (rp_limb){
            (uint16_t)joint, {0, 0, 0}, {0, 0, -0.022f * l}, 0.0085f * l, 0.0075f * l, 1, 6, SKIN};
    }
    return n;
}

static size_t add_leg(float l, uint16_t side, rp_limb *to)
{
    size_t n = 0;
    to[n++] = (rp_limb){(uint16_t)(THIGH + side),
                        {0, 0, 0},
                        {0, -thigh * l, 0},
                        0.052f * l,
                        0.036f * l,
                        1,
                        10,
                        TROUSERS};
    to[n++] = (rp_limb){(uint16_t)(SHIN + side),
                        {0, 0, 0},
                        {0, -shin * l, 0},
                        0.036f * l,
                        0.025f * l,
                        1,
                        10,
                        TROUSERS};
    to[n++] = (rp_limb){(uint16_t)(SHIN + side),
                        {0, -shin * 0.72f * l, 0},
                        {0, -shin * l, 0},
                        0.033f * l,
                        0.031f * l,
                        1,
                        10,
                        CLOTH}; /* boot */
    to[n++] = (rp_limb){(uint16_t)(SHIN + side),
                        {0, -shin * l, 0},
                        {0, -shin * l, -0.09f * l},
                        0.026f * l,
                        0.023f * l,
                        1,
                        8,
                        CLOTH};
    return n;
}

enum { LIMBS_MAX = 9 + 3 + 2 * (4 + FINGERS * FINGER_JOINTS + 4) };

static size_t add_limbs(const rumble_body *b, rp_limb to[LIMBS_MAX])
{
    size_t n = add_head(b->length, to);
    n += add_torso(b->length, to + n);
    for (uint16_t side = 0; side < 2; side++) {
        n += add_arm(b, side, to + n);
        n += add_leg(b->length, side, to + n);
    }
    return n;
}

/* Skin, trousers and eyes are the same for everybody; the rest is in the colour of the player. */
static void find_paints(rumble_scene_builder *s, int32_t cloth, int32_t to[RP_LIMB_PAINTS_MAX])
{
    static const rp_material shared[PAINTS] = {
        [SKIN] = {.name = "skin", .colour = {0.84f, 0.69f, 0.56f, 1}, .rough = 0.8f, .texture = -1},
        [TROUSERS] = {.name = "trousers",
                      .colour = {0.33f, 0.34f, 0.39f, 1},
                      .rough = 0.9f,
                      .texture = -1},
        [EYES] = {.name = "eyes", .colour = {0.06f, 0.06f, 0.08f, 1}, .rough = 0.4f, .texture = -1},
    };
    to[CLOTH] = cloth;
    for (int i = SKIN; i < PAINTS; i++) {
        if (!s->paints[i])
            s->paints[i] = rp_scene_material(s->scene, &shared[i]) + 1;
        to[i] = s->paints[i] - 1;
    }
}

/* ---- nodes ---- */

/* As other parts of players are called, so that they are found by what they are. */
static void name_of(int joint, char *to, size_t size)
{
    static const char *const names[FINGER] = {"rig",       "pelvis", "spine",   "head", "skull",
                                              "upper arm", "",       "forearm", "",     "hand",
                                              "",          "thigh",  "",        "shin", ""};
    static const char *const fingers[FINGERS] = {"thumb", "index", "middle", "ring", "little"};
    if (joint < UPPER_ARM) {
        snprintf(to, size, "%s", names[joint]);
    } else if (joint < FINGER) {
        int side = (joint - UPPER_ARM) % 2;
        snprintf(to, size, "%s %s", side ? "right" : "left", names[joint - side]);
    } else {
        int k = joint - FINGER, side = k / (FINGERS * FINGER_JOINTS);
        snprintf(to, size, "%s %s %d", side ? "right" : "left",
                 fingers[k / FINGER_JOINTS % FINGERS], k % FINGER_JOINTS + 1);
    }
}

rumble_body *rumble_body_build(rumble_scene_builder *s, size_t index, float length, float span,
                               int32_t material, rp_arena *arena)
{
    rumble_actor *a = &s->actors[index];
    rumble_body *b = rp_arena_alloc(arena, sizeof *b, s->scene->error);
    if (!b)
        return NULL;
    float arm = fmaxf(span / 2 - shoulder_out * length - 0.12f * length, 0.2f * length);
    *b = (rumble_body){.length = length, .upper_arm = arm * 0.54f, .forearm = arm * 0.46f};
    rp_pose poses[JOINTS];
    rp_pose rest[JOINTS];
    find_poses(b, span, rest, poses);
    a->figure = rumble_add_part(s, index, (rumble_part){"figure", -1, -1, -1});
    for (int i = 0; i < JOINTS; i++) {
        char kind[32];
        name_of(i, kind, sizeof kind);
        int32_t parent = i ? b->joints[above(i)] : a->figure;
        b->joints[i] = rumble_add_part(s, index, (rumble_part){kind, parent, -1, -1});
        if (b->joints[i] >= 0 && i)
            rp_scene_nodes(s->scene)[b->joints[i]].position = rest[i].position;
    }
    rp_limb limbs[LIMBS_MAX];
    int32_t paints[RP_LIMB_PAINTS_MAX] = {0};
    find_paints(s, material, paints);
    size_t count = add_limbs(b, limbs);
    int32_t mesh = rp_shape_limbs(s->scene, a->name, limbs, count, poses, paints);
    int32_t drawing = rumble_add_part(s, index, (rumble_part){"mesh", -1, mesh, -1});
    int32_t skin = rp_scene_skin(s->scene, a->name, b->joints, poses, JOINTS);
    if (drawing >= 0)
        rp_scene_nodes(s->scene)[drawing].skin = skin;
    a->rig = b->joints[RIG];
    a->head = b->joints[HEAD];
    a->hands[0] = b->joints[HAND];
    a->hands[1] = b->joints[HAND + 1];
    return b;
}

/* ---- motion ---- */

void rumble_body_update(rumble_scene_builder *s, rumble_body *b, const rumble_player *now,
                        bool jump)
{
    limbs_at at = {
        .head = rp_position_from_left_handed(now->head_pos),
        .head_rotation = rumble_rotation_of(&now->head_rot),
        .hands = {rp_position_from_left_handed(now->lhand_pos),
                  rp_position_from_left_handed(now->rhand_pos)},
        .hand_rotations = {rumble_rotation_of(&now->lhand_rot),
                           rumble_rotation_of(&now->rhand_rot)},
        .curls = {{now->lthumb, now->lindex, now->lgrip, now->lgrip, now->lgrip},
                  {now->rthumb, now->rindex, now->rgrip, now->rgrip, now->rgrip}},
    };
    rp_pose to[JOINTS];
    float arms[2];
    find_pose(b, &at, to, arms);
    to[RIG] = (rp_pose){rp_position_from_left_handed(now->rig_pos),
                        rumble_rotation_of(&now->rig_rot)};
    for (int i = 0; i < JOINTS; i++) {
        if (i == SKULL)
            continue;
        if (changes_position(i))
            rp_scene_move(s->scene, b->joints[i], to[i].position, jump);
        rp_scene_rotate(s->scene, b->joints[i], to[i].rotation, jump);
    }
    for (int side = 0; side < 2; side++)
        rp_scene_resize(s->scene, b->joints[UPPER_ARM + side],
                        (rp_vec3){arms[side], arms[side], arms[side]});
}
