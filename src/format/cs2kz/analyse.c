/* analyse.c - see analyse.h. */
#include "analyse.h"

#include <math.h>

enum { BUTTON_JUMP = 0x2, BUTTON_LEFT = 0x200, BUTTON_RIGHT = 0x400 };

/* ---- ticks ---- */

static double length_of(rp_vec3 v)
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

double kz_speed(rp_vec3 velocity)
{
    double x = (double)velocity.x, y = (double)velocity.y;
    return sqrt(x * x + y * y);
}

void kz_derive_tick(const kz_run_span *run, const kz_tick *tick, size_t *reading,
                    kz_tick_derived *ret_derived)
{
    *ret_derived = (kz_tick_derived){
        .speed = length_of(tick->post.velocity),
        .horizontal_speed = kz_speed(tick->post.velocity),
        .on_ground = tick->post.entity_flags & KZ_ENTITY_ON_GROUND,
        .ducked = tick->post.replay_flags & KZ_FLAG_DUCKED,
        .run_time = kz_run_time_near(run, tick->top.server_tick, reading),
        .keys = tick->post.buttons0,
    };
}

static void derive_speeds(const rp_tile_floats *restrict velocity, size_t count,
                          double *restrict speed, double *restrict horizontal)
{
    for (size_t i = 0; i < count; i++) {
        rp_vec3 v = {velocity[0].at[i], velocity[1].at[i], velocity[2].at[i]};
        speed[i] = length_of(v);
        horizontal[i] = kz_speed(v);
    }
}

void kz_derive_ticks(const kz_run_span *run, const rp_tile *tile, void *ret_derived)
{
#define COLUMN(member) rp_tile_derived(ret_derived, offsetof(kz_tick_derived, member))
    rp_tile_floats velocity[3];
    rp_tile_read(tile, offsetof(kz_tick, post.velocity), RP_COUNT(velocity), velocity);
    derive_speeds(velocity, tile->count, COLUMN(speed), COLUMN(horizontal_speed));
    bool *on_ground = COLUMN(on_ground), *ducked = COLUMN(ducked);
    uint32_t *keys = COLUMN(keys), ticks[RP_TILE_ROWS];
    for (size_t i = 0; i < tile->count; i++) {
        const kz_tick *tick = (const void *)(tile->data + i * tile->stride);
        on_ground[i] = tick->post.entity_flags & KZ_ENTITY_ON_GROUND;
        ducked[i] = tick->post.replay_flags & KZ_FLAG_DUCKED;
        keys[i] = tick->post.buttons0;
        ticks[i] = tick->top.server_tick;
    }
    kz_run_times(run, ticks, tile->count, COLUMN(run_time));
#undef COLUMN
}

static void add_value(kz_range *r, double value)
{
    if (!isfinite(value))
        return;
    r->least = r->count ? fmin(r->least, value) : value;
    r->most = r->count ? fmax(r->most, value) : value;
    r->sum += value;
    r->count++;
}

static void add_motion(kz_motion *m, const kz_tick_derived *shown, double distance)
{
    bool left = shown->keys & BUTTON_LEFT, right = shown->keys & BUTTON_RIGHT;
    m->ticks++;
    m->ground += shown->on_ground;
    m->air += !shown->on_ground;
    m->ducked += shown->ducked;
    m->overlap += !shown->on_ground && left && right;
    m->dead_air += !shown->on_ground && !left && !right;
    add_value(&m->speed, shown->horizontal_speed);
    m->distance += isfinite(distance) ? distance : 0;
}

/* How far the player got within the tick. */
static double distance_in(const kz_tick *tick)
{
    rp_vec3 from = tick->pre.origin, to = tick->post.origin;
    return length_of((rp_vec3){to.x - from.x, to.y - from.y, to.z - from.z});
}

static void add_tick(kz_analysis *a, const kz_tick *tick)
{
    kz_tick *to = a->now == &a->held[0] ? &a->held[1] : &a->held[0];
    *to = *tick;
    a->before = a->now;
    a->now = to;
    a->shown_before = a->shown;
    kz_derive_tick(a->run, tick, &a->reading, &a->shown);
    double distance = distance_in(tick);
    add_motion(&a->recording, &a->shown, distance);
    if (!isnan(a->shown.run_time))
        add_motion(&a->in_run, &a->shown, distance);
    if (a->before) {
        a->gaps += tick->top.server_tick != a->before->top.server_tick + 1;
        a->jump_presses += (a->shown.keys & ~a->shown_before.keys & BUTTON_JUMP) != 0;
    }
    a->teleports = RP_MAX(a->teleports, tick->checkpoint.teleport_count);
    a->checkpoints = RP_MAX(a->checkpoints, tick->checkpoint.checkpoint_count);
}

/* ---- jumps, events and commands ---- */

static void add_strafe(kz_jump_metrics *jump, const kz_strafe *strafe)
{
    jump->strafes++;
    jump->duration += (double)strafe->duration;
    jump->sync += (double)strafe->sync_duration;
    jump->overlap += (double)strafe->overlap;
    jump->dead_air += (double)strafe->dead_air;
    jump->bad_angles += (double)strafe->bad_angles;
    jump->gain += (double)strafe->air_gain;
    jump->max_gain += (double)strafe->max_gain;
    jump->loss += (double)strafe->air_loss;
    jump->width += (double)strafe->width;
}

static void add_event(kz_analysis *a, const kz_event *event)
{
    a->section = event->type == KZ_EVENT_TIMER ? kz_split_section(&a->splits, event) : (double)NAN;
}

static void add_command(kz_analysis *a, const kz_command *command)
{
    add_value(&a->latency, (double)command->latency);
    add_value(&a->loss, (double)command->average_loss);
    add_value(&a->framerate, (double)command->framerate);
}

void kz_analyse_begin(kz_analysis *a, const kz_run_span *run)
{
    *a = (kz_analysis){.run = run, .section = (double)NAN};
}

void kz_analyse_row(kz_analysis *a, const rp_row *row)
{
    switch (row->track) {
    case KZ_TICKS:
        add_tick(a, row->data);
        break;
    case KZ_EVENTS:
        add_event(a, row->data);
        break;
    case KZ_JUMPS:
        a->jump = (kz_jump_metrics){0};
        break;
    case KZ_STRAFES:
        add_strafe(&a->jump, &((const kz_strafe_row *)row->data)->strafe);
        break;
    case KZ_COMMANDS:
        add_command(a, row->data);
        break;
    case KZ_SUBTICKS:
        a->subticks++;
        break;
    case KZ_COMMAND_SUBTICKS:
        a->command_subticks++;
        break;
    default:
        break;
    }
}
