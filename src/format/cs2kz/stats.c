/*
 * stats.c - what climbers and server owners ask for, from one pass over the recording.
 *
 * What the file says (the run's events, jumps with their distances, checkpoints) is kept apart from
 * what follows from it (speeds, sync, key overlap, latency summaries).
 */
#include <math.h>

#include "cs2kz.h"

/* A list that a person would read; longer ones are cut and say so. */
enum { LIST_MAX = 5000 };
enum { BUTTON_JUMP = 0x2, BUTTON_LEFT = 0x200, BUTTON_RIGHT = 0x400 };

typedef struct range {
    uint64_t count;
    double sum, least, most;
} range;

/* What is counted over the whole recording, and over the run alone. */
typedef struct motion {
    uint64_t ticks, ground, ducked, overlap, dead_air, air;
    range speed;
    double distance;
} motion;

typedef struct tally {
    kz_replay *replay;
    rp_doc *doc;
    motion all, run;
    kz_tick last;
    bool seen;
    uint64_t gaps, jump_presses;
    int32_t teleports, checkpoints;
    range latency, loss, framerate;
    uint64_t subticks, command_subticks, events_cut, jumps_cut;
    reprise_value *events, *jumps, *strafes, *derived_jumps;
    reprise_value *jump; /* the one being looked at, among the derived ones */
    double duration, sync, gain, loss_speed, max_gain, overlap, dead_air, bad_angles, width;
    uint32_t strafe_count;
    kz_splits splits;
    reprise_value *sections;
} tally;

static void note(range *r, double value)
{
    if (!isfinite(value))
        return;
    r->least = r->count ? fmin(r->least, value) : value;
    r->most = r->count ? fmax(r->most, value) : value;
    r->sum += value;
    r->count++;
}

/* ---- ticks ---- */

static double horizontal(rp_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y);
}

static void note_motion(motion *m, const kz_tick *tick)
{
    const kz_movement *post = &tick->post;
    bool ground = post->entity_flags & KZ_ENTITY_ON_GROUND;
    bool left = post->buttons0 & BUTTON_LEFT, right = post->buttons0 & BUTTON_RIGHT;
    m->ticks++;
    m->ground += ground;
    m->air += !ground;
    m->ducked += (post->replay_flags & KZ_FLAG_DUCKED) != 0;
    m->overlap += !ground && left && right;
    m->dead_air += !ground && !left && !right;
    note(&m->speed, horizontal(post->velocity));
    rp_vec3 step = {post->origin.x - tick->pre.origin.x, post->origin.y - tick->pre.origin.y,
                    post->origin.z - tick->pre.origin.z};
    double length = sqrt((double)step.x * (double)step.x + (double)step.y * (double)step.y +
                         (double)step.z * (double)step.z);
    m->distance += isfinite(length) ? length : 0;
}

static void note_tick(tally *t, const kz_tick *tick)
{
    note_motion(&t->all, tick);
    if (!isnan(kz_run_time_at(&t->replay->run, tick->top.server_tick)))
        note_motion(&t->run, tick);
    if (t->seen) {
        t->gaps += tick->top.server_tick != t->last.top.server_tick + 1;
        t->jump_presses += (tick->post.buttons0 & ~t->last.post.buttons0 & BUTTON_JUMP) != 0;
    }
    t->teleports = RP_MAX(t->teleports, tick->checkpoint.teleport_count);
    t->checkpoints = RP_MAX(t->checkpoints, tick->checkpoint.checkpoint_count);
    t->last = *tick;
    t->seen = true;
}

/* ---- events and jumps ---- */

static void set_enum(rp_doc *doc, reprise_value *to, const char *key, const rp_enum *names,
                     int64_t number)
{
    const char *name = rp_enum_name(names, number);
    rp_set(doc, to, key, name ? rp_new_text(doc, name) : rp_new_int(doc, number));
}

static void note_event(tally *t, const rp_row *row)
{
    const kz_event *event = row->data;
    if (event->type != KZ_EVENT_TIMER && event->type != KZ_EVENT_TELEPORT)
        return;
    if (reprise_value_count(t->events) >= LIST_MAX) {
        t->events_cut++;
        return;
    }
    reprise_value *one = rp_push_object(t->doc, t->events);
    rp_set_int(t->doc, one, "tick", row->index);
    if (event->type == KZ_EVENT_TELEPORT) {
        rp_set_text(t->doc, one, "event", "teleport");
        return;
    }
    set_enum(t->doc, one, "event", &kz_timer_names, event->timer);
    rp_set_int(t->doc, one, "number", event->number);
    rp_set_f32(t->doc, one, "run_time", event->run_time);
    double section = kz_split_section(&t->splits, event);
    if (isnan(section))
        return;
    reprise_value *split = rp_push_object(t->doc, t->sections);
    set_enum(t->doc, split, "event", &kz_timer_names, event->timer);
    rp_set_int(t->doc, split, "number", event->number);
    rp_set_f32(t->doc, split, "run_time", event->run_time);
    rp_set_f64(t->doc, split, "section", section);
}

/* Completes the jump before, whose strafes have all been seen. */
static void finish_jump(tally *t)
{
    if (!t->jump)
        return;
    rp_doc *doc = t->doc;
    rp_set_uint(doc, t->jump, "strafes", t->strafe_count);
    if (t->duration > 0) {
        rp_set_f64(doc, t->jump, "sync", t->sync / t->duration);
        rp_set_f64(doc, t->jump, "overlap", t->overlap / t->duration);
        rp_set_f64(doc, t->jump, "dead_air", t->dead_air / t->duration);
        rp_set_f64(doc, t->jump, "bad_angles", t->bad_angles / t->duration);
    }
    if (t->strafe_count)
        rp_set_f64(doc, t->jump, "width", t->width / t->strafe_count);
    rp_set_f64(doc, t->jump, "gain", t->gain);
    rp_set_f64(doc, t->jump, "loss", t->loss_speed);
    if (t->max_gain > 0)
        rp_set_f64(doc, t->jump, "efficiency", t->gain / t->max_gain);
    t->jump = NULL;
    t->duration = t->sync = t->gain = t->loss_speed = t->max_gain = 0;
    t->overlap = t->dead_air = t->bad_angles = t->width = 0;
    t->strafe_count = 0;
}

static void note_jump(tally *t, const rp_row *row)
{
    const kz_jump *jump = row->data;
    rp_doc *doc = t->doc;
    finish_jump(t);
    if (reprise_value_count(t->jumps) >= LIST_MAX) {
        t->jumps_cut++;
        return;
    }
    reprise_value *one = rp_push_object(doc, t->jumps);
    rp_set_uint(doc, one, "jump", row->object);
    rp_set_uint(doc, one, "tick", jump->server_tick);
    set_enum(doc, one, "type", &kz_jump_type_names, jump->jump_type);
    set_enum(doc, one, "tier", &kz_tier_names, jump->distance_tier);
    rp_set_f32(doc, one, "distance", jump->total_distance);
    rp_set_f32(doc, one, "max_speed", jump->max_speed);
    rp_set_f32(doc, one, "max_height", jump->max_height);
    rp_set_f32(doc, one, "airtime", jump->airtime);
    rp_set_f32(doc, one, "edge", jump->edge);
    if (jump->invalid_reason.size)
        rp_set(doc, one, "invalid",
               rp_new_text_n(doc, jump->invalid_reason.data, jump->invalid_reason.size));
    t->jump = rp_push_object(doc, t->derived_jumps);
    rp_set_uint(doc, t->jump, "jump", row->object);
    rp_set_f64(doc, t->jump, "takeoff_speed", horizontal(jump->takeoff_velocity));
}

/* The strafe table of a jump: recorded as it is. */
static void note_strafe(tally *t, const rp_row *row)
{
    const kz_strafe_row *from = row->data;
    const kz_strafe *strafe = &from->strafe;
    t->strafe_count++;
    t->duration += (double)strafe->duration;
    t->sync += (double)strafe->sync_duration;
    t->gain += (double)strafe->air_gain;
    t->max_gain += (double)strafe->max_gain;
    t->loss_speed += (double)strafe->air_loss;
    t->overlap += (double)strafe->overlap;
    t->dead_air += (double)strafe->dead_air;
    t->bad_angles += (double)strafe->bad_angles;
    t->width += (double)strafe->width;
    if (reprise_value_count(t->strafes) >= LIST_MAX)
        return;
    reprise_value *one = rp_push_object(t->doc, t->strafes);
    rp_set_uint(t->doc, one, "jump", row->object);
    rp_set_uint(t->doc, one, "strafe", from->place.strafe);
    rp_set_f32(t->doc, one, "duration", strafe->duration);
    rp_set_f32(t->doc, one, "sync_duration", strafe->sync_duration);
    rp_set_f32(t->doc, one, "gain", strafe->air_gain);
    rp_set_f32(t->doc, one, "loss", strafe->air_loss);
    rp_set_f32(t->doc, one, "max_gain", strafe->max_gain);
    rp_set_f32(t->doc, one, "overlap", strafe->overlap);
    rp_set_f32(t->doc, one, "dead_air", strafe->dead_air);
    rp_set_f32(t->doc, one, "bad_angles", strafe->bad_angles);
    rp_set_f32(t->doc, one, "width", strafe->width);
    rp_set_f32(t->doc, one, "max_speed", strafe->max_speed);
}

static void note_command(tally *t, const kz_command *command)
{
    note(&t->latency, (double)command->latency);
    note(&t->loss, (double)command->average_loss);
    note(&t->framerate, (double)command->framerate);
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    tally *t = ctx;
    switch (row->track) {
    case KZ_TICKS:
        note_tick(t, row->data);
        break;
    case KZ_EVENTS:
        note_event(t, row);
        break;
    case KZ_JUMPS:
        note_jump(t, row);
        break;
    case KZ_STRAFES:
        note_strafe(t, row);
        break;
    case KZ_COMMANDS:
        note_command(t, row->data);
        break;
    case KZ_SUBTICKS:
        t->subticks++;
        break;
    case KZ_COMMAND_SUBTICKS:
        t->command_subticks++;
        break;
    default:
        break;
    }
    return REPRISE_OK;
}

/* ---- the documents ---- */

static void set_range(rp_doc *doc, reprise_value *to, const char *key, const range *r)
{
    if (!r->count)
        return;
    reprise_value *one = rp_set_object(doc, to, key);
    rp_set_f64(doc, one, "average", r->sum / (double)r->count);
    rp_set_f64(doc, one, "least", r->least);
    rp_set_f64(doc, one, "most", r->most);
}

static void set_motion(rp_doc *doc, reprise_value *to, const motion *m)
{
    double seconds = (double)KZ_TICK_SECONDS;
    rp_set_uint(doc, to, "ticks", m->ticks);
    rp_set_f64(doc, to, "seconds", (double)m->ticks * seconds);
    if (m->speed.count) {
        rp_set_f64(doc, to, "top_speed", m->speed.most);
        rp_set_f64(doc, to, "average_speed", m->speed.sum / (double)m->speed.count);
    }
    rp_set_f64(doc, to, "distance", m->distance);
    rp_set_f64(doc, to, "seconds_on_ground", (double)m->ground * seconds);
    rp_set_f64(doc, to, "seconds_in_air", (double)m->air * seconds);
    rp_set_f64(doc, to, "seconds_ducked", (double)m->ducked * seconds);
    rp_set_f64(doc, to, "seconds_key_overlap", (double)m->overlap * seconds);
    rp_set_f64(doc, to, "seconds_dead_air", (double)m->dead_air * seconds);
}

static void set_run(tally *t, reprise_value *recorded, reprise_value *derived)
{
    rp_doc *doc = t->doc;
    const kz_run *run = t->replay->header.run;
    const kz_run_span *span = &t->replay->run;
    if (run) {
        rp_set_f32(doc, recorded, "run_time", run->time);
        rp_set_int(doc, recorded, "teleports", run->teleports);
    }
    if (!span->known)
        return;
    reprise_value *one = rp_set_object(doc, derived, "run");
    rp_set_uint(doc, one, "start_tick", span->start_tick);
    rp_set_uint(doc, one, "end_tick", span->end_tick);
    rp_set_f64(doc, one, "timer", kz_run_time_at(span, span->end_tick));
    rp_set_uint(doc, one, "pauses", span->pause_count);
    set_motion(doc, one, &t->run);
}

static void set_all(tally *t, reprise_value *recorded, reprise_value *derived)
{
    rp_doc *doc = t->doc;
    finish_jump(t);
    set_run(t, recorded, derived);
    rp_set_int(doc, recorded, "checkpoints_set", t->checkpoints);
    rp_set_int(doc, recorded, "teleports_counted", t->teleports);
    set_range(doc, derived, "latency_seconds", &t->latency);
    set_range(doc, derived, "loss", &t->loss);
    set_range(doc, derived, "framerate", &t->framerate);
    reprise_value *whole = rp_set_object(doc, derived, "recording");
    set_motion(doc, whole, &t->all);
    rp_set_uint(doc, whole, "gaps", t->gaps);
    rp_set_uint(doc, whole, "jump_presses", t->jump_presses);
    rp_set_uint(doc, whole, "subtick_moves", t->subticks);
    rp_set_uint(doc, whole, "command_subtick_moves", t->command_subticks);
    if (t->events_cut)
        rp_set_uint(doc, recorded, "events_left_out", t->events_cut);
    if (t->jumps_cut)
        rp_set_uint(doc, recorded, "jumps_left_out", t->jumps_cut);
}

reprise_status kz_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error)
{
    tally t = {.replay = (kz_replay *)base, .doc = doc};
    t.events = rp_set_array(doc, recorded, "timer");
    t.jumps = rp_set_array(doc, recorded, "jumps");
    t.strafes = rp_set_array(doc, recorded, "strafes");
    t.sections = rp_set_array(doc, derived, "splits");
    t.derived_jumps = rp_set_array(doc, derived, "jumps");
    rp_selection selection = {.tracks = (UINT64_C(1) << KZ_TRACK_COUNT) - 1};
    RP_TRY(rp_each_row(base, selection, note_row, &t, error));
    set_all(&t, recorded, derived);
    return REPRISE_OK;
}
