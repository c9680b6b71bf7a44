/*
 * stats.c - the analysis as a document.
 *
 * What the file says (the run's events, jumps with their distances, checkpoints) is kept apart from
 * what follows from it (speeds, sync, key overlap, latency summaries).
 */
#include <math.h>

#include "analyse.h"

/* A list that a person would read; longer ones are cut and say so. */
enum { LIST_MAX = 5000 };

typedef struct report {
    kz_replay *replay;
    rp_doc *doc;
    kz_analysis analysis;
    uint64_t events_cut, jumps_cut, strafes_cut;
    reprise_value *events, *jumps, *strafes, *derived_jumps, *splits;
    reprise_value *jump; /* the last one, among the derived ones */
    bool any_tick;
    double first_time, last_time; /* of ticks */
} report;

/* ---- lists ---- */

static void set_enum(rp_doc *doc, reprise_value *to, const char *key, const rp_enum *names,
                     int64_t number)
{
    const char *name = rp_enum_name(names, number);
    rp_set(doc, to, key, name ? rp_new_text(doc, name) : rp_new_int(doc, number));
}

static void add_event(report *r, const rp_row *row)
{
    const kz_event *event = row->data;
    if (event->type != KZ_EVENT_TIMER && event->type != KZ_EVENT_TELEPORT)
        return;
    if (reprise_value_count(r->events) >= LIST_MAX) {
        r->events_cut++;
        return;
    }
    reprise_value *one = rp_push_object(r->doc, r->events);
    rp_set_int(r->doc, one, "tick", row->index);
    if (event->type == KZ_EVENT_TELEPORT) {
        rp_set_text(r->doc, one, "event", "teleport");
        return;
    }
    set_enum(r->doc, one, "event", &kz_timer_names, event->timer);
    rp_set_int(r->doc, one, "number", event->number);
    rp_set_f32(r->doc, one, "run_time", event->run_time);
    if (isnan(r->analysis.section))
        return;
    reprise_value *split = rp_push_object(r->doc, r->splits);
    set_enum(r->doc, split, "event", &kz_timer_names, event->timer);
    rp_set_int(r->doc, split, "number", event->number);
    rp_set_f32(r->doc, split, "run_time", event->run_time);
    rp_set_f64(r->doc, split, "section", r->analysis.section);
}

/* Completes the last jump; all of its strafes have been read. */
static void end_jump(report *r)
{
    const kz_jump_metrics *m = &r->analysis.jump;
    rp_doc *doc = r->doc;
    if (!r->jump)
        return;
    rp_set_uint(doc, r->jump, "strafes", m->strafes);
    if (m->duration > 0) {
        rp_set_f64(doc, r->jump, "sync", kz_share(m->sync, m->duration));
        rp_set_f64(doc, r->jump, "overlap", kz_share(m->overlap, m->duration));
        rp_set_f64(doc, r->jump, "dead_air", kz_share(m->dead_air, m->duration));
        rp_set_f64(doc, r->jump, "bad_angles", kz_share(m->bad_angles, m->duration));
    }
    if (m->strafes)
        rp_set_f64(doc, r->jump, "width", m->width / m->strafes);
    rp_set_f64(doc, r->jump, "gain", m->gain);
    rp_set_f64(doc, r->jump, "loss", m->loss);
    if (m->max_gain > 0)
        rp_set_f64(doc, r->jump, "efficiency", m->gain / m->max_gain);
    r->jump = NULL;
}

static void add_jump(report *r, const rp_row *row)
{
    const kz_jump *jump = row->data;
    rp_doc *doc = r->doc;
    if (reprise_value_count(r->jumps) >= LIST_MAX) {
        r->jumps_cut++;
        return;
    }
    reprise_value *one = rp_push_object(doc, r->jumps);
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
    r->jump = rp_push_object(doc, r->derived_jumps);
    rp_set_uint(doc, r->jump, "jump", row->object);
    rp_set_f64(doc, r->jump, "takeoff_speed", kz_speed(jump->takeoff_velocity));
}

static void add_strafe(report *r, const rp_row *row)
{
    const kz_strafe_row *from = row->data;
    const kz_strafe *strafe = &from->strafe;
    if (reprise_value_count(r->strafes) >= LIST_MAX) {
        r->strafes_cut++;
        return;
    }
    reprise_value *one = rp_push_object(r->doc, r->strafes);
    rp_set_uint(r->doc, one, "jump", row->object);
    rp_set_uint(r->doc, one, "strafe", from->place.strafe);
    rp_set_f32(r->doc, one, "duration", strafe->duration);
    rp_set_f32(r->doc, one, "sync_duration", strafe->sync_duration);
    rp_set_f32(r->doc, one, "gain", strafe->air_gain);
    rp_set_f32(r->doc, one, "loss", strafe->air_loss);
    rp_set_f32(r->doc, one, "max_gain", strafe->max_gain);
    rp_set_f32(r->doc, one, "overlap", strafe->overlap);
    rp_set_f32(r->doc, one, "dead_air", strafe->dead_air);
    rp_set_f32(r->doc, one, "bad_angles", strafe->bad_angles);
    rp_set_f32(r->doc, one, "width", strafe->width);
    rp_set_f32(r->doc, one, "max_speed", strafe->max_speed);
}

static reprise_status add_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    report *r = ctx;
    if (row->track == KZ_JUMPS)
        end_jump(r);
    kz_analyse_row(&r->analysis, row);
    switch (row->track) {
    case KZ_TICKS:
        r->first_time = r->any_tick ? r->first_time : row->time;
        r->last_time = row->time;
        r->any_tick = true;
        break;
    case KZ_EVENTS:
        add_event(r, row);
        break;
    case KZ_JUMPS:
        add_jump(r, row);
        break;
    case KZ_STRAFES:
        add_strafe(r, row);
        break;
    default:
        break;
    }
    return REPRISE_OK;
}

/* ---- the documents ---- */

static void set_range(rp_doc *doc, reprise_value *to, const char *key, const kz_range *range)
{
    if (!range->count)
        return;
    reprise_value *one = rp_set_object(doc, to, key);
    rp_set_f64(doc, one, "average", range->sum / (double)range->count);
    rp_set_f64(doc, one, "least", range->least);
    rp_set_f64(doc, one, "most", range->most);
}

static void set_motion(rp_doc *doc, reprise_value *to, const kz_motion *m)
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

static void set_run(report *r, reprise_value *recorded, reprise_value *derived)
{
    rp_doc *doc = r->doc;
    const kz_run *run = r->replay->header.run;
    const kz_run_span *span = &r->replay->run;
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
    set_motion(doc, one, &r->analysis.in_run);
}

static void set_all(report *r, reprise_value *recorded, reprise_value *derived)
{
    rp_doc *doc = r->doc;
    const kz_analysis *a = &r->analysis;
    end_jump(r);
    set_run(r, recorded, derived);
    rp_set_int(doc, recorded, "checkpoints_set", a->checkpoints);
    rp_set_int(doc, recorded, "teleports_counted", a->teleports);
    set_range(doc, derived, "latency_seconds", &a->latency);
    set_range(doc, derived, "loss", &a->loss);
    set_range(doc, derived, "framerate", &a->framerate);
    reprise_value *whole = rp_set_object(doc, derived, "recording");
    set_motion(doc, whole, &a->recording);
    rp_set_uint(doc, whole, "gaps", a->gaps);
    rp_set_uint(doc, whole, "jump_presses", a->jump_presses);
    rp_set_uint(doc, whole, "subtick_moves", a->subticks);
    rp_set_uint(doc, whole, "command_subtick_moves", a->command_subticks);
    if (r->events_cut)
        rp_set_uint(doc, recorded, "events_left_out", r->events_cut);
    if (r->jumps_cut)
        rp_set_uint(doc, recorded, "jumps_left_out", r->jumps_cut);
    if (r->strafes_cut)
        rp_set_uint(doc, recorded, "strafes_left_out", r->strafes_cut);
}

/* All ticks were read, so their times need not be read again for the length. */
static void note_length(rp_replay *base, const report *r)
{
    double seconds = r->last_time - r->first_time;
    if (base->measured || !isfinite(seconds) || seconds < 0)
        return;
    base->length = seconds;
    base->length_damage = (reprise_error)REPRISE_ERROR_INIT;
    base->measured = true;
}

reprise_status kz_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    report r = {.replay = replay, .doc = doc};
    r.events = rp_set_array(doc, recorded, "timer");
    r.jumps = rp_set_array(doc, recorded, "jumps");
    r.strafes = rp_set_array(doc, recorded, "strafes");
    r.splits = rp_set_array(doc, derived, "splits");
    r.derived_jumps = rp_set_array(doc, derived, "jumps");
    RP_TRY(kz_find_run(replay, error));
    kz_analyse_begin(&r.analysis, &replay->run);
    rp_selection selection = {.tracks = (UINT64_C(1) << KZ_TRACK_COUNT) - 1};
    RP_TRY(rp_each_row(base, selection, add_row, &r, error));
    note_length(base, &r);
    set_all(&r, recorded, derived);
    return REPRISE_OK;
}
