/*
 * timeline.c - a run over time: speed, height, keys and latency as plots, the timer's events as
 * markers, jumps with their strafes as tables.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "highlights.h"
#include "scene_builder.h"

static const rp_table_column jump_columns[] = {
    {"jump", "Jump", NULL, RP_CELL_I32},        {"t", "Time", "s", RP_CELL_F32},
    {"type", "Kind", NULL, RP_CELL_TEXT},       {"tier", "Tier", NULL, RP_CELL_TEXT},
    {"distance", "Distance", "u", RP_CELL_F32}, {"speed", "Top speed", "u/s", RP_CELL_F32},
    {"height", "Height", "u", RP_CELL_F32},     {"airtime", "In the air", "s", RP_CELL_F32},
};
static const rp_table_column strafe_columns[] = {
    {"jump", "Jump", NULL, RP_CELL_I32},        {"strafe", "Strafe", NULL, RP_CELL_I32},
    {"duration", "Duration", "s", RP_CELL_F32}, {"sync", "Sync", "%", RP_CELL_F32},
    {"width", "Width", "degrees", RP_CELL_F32}, {"gain", "Gain", "u/s", RP_CELL_F32},
    {"loss", "Loss", "u/s", RP_CELL_F32},       {"of", "Number", NULL, RP_CELL_TEXT},
};
/* Calls belong to a strafe of a jump, "3.2". */
static const rp_table_column aircall_columns[] = {
    {"of", "Strafe", NULL, RP_CELL_TEXT},
    {"duration", "Duration", "ms", RP_CELL_F32},
    {"turned", "Turned", "degrees", RP_CELL_F32},
    {"gain", "Gain", "u/s", RP_CELL_F32},
};
static const rp_table_column event_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"event", "Event", NULL, RP_CELL_TEXT},
    {"number", "Number", NULL, RP_CELL_I32},
    {"run_time", "Timer", "s", RP_CELL_F32},
};

static const rp_table_column section_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},          {"event", "Event", NULL, RP_CELL_TEXT},
    {"number", "Number", NULL, RP_CELL_I32},  {"run_time", "Timer", "s", RP_CELL_F32},
    {"section", "Section", "s", RP_CELL_F32},
};

typedef struct key {
    const char *name;
    uint32_t bit;
} key;
static const key keys[KZ_KEYS] = {{"W", 0x8},   {"A", 0x200},  {"S", 0x10},
                                  {"D", 0x400}, {"duck", 0x4}, {"jump", 0x2}};

/* The names of the course; its positions follow tick by tick. */
static void begin_course(kz_scene_builder *s)
{
    const kz_header *header = &s->replay->header;
    const kz_run *run = header->run;
    const kz_map *map = header->map;
    const kz_mode *mode = run ? run->mode : NULL;
    if (!run || !s->replay->run.known)
        return;
    rp_timeline *t = s->timeline;
    const rp_text none = {.data = "", .size = 0};
    const rp_text *names[] = {map ? &map->name : &none, &run->course_name,
                              mode ? &mode->name : &none};
    const char **to[] = {&t->course.map, &t->course.name, &t->course.mode};
    for (size_t i = 0; i < RP_COUNT(names); i++)
        *to[i] = rp_timeline_plain(t, names[i]->data ? names[i]->data : "", names[i]->size);
    t->course.runner = s->name;
    t->course.tick_s = (double)KZ_TICK_SECONDS;
}

void kz_timeline_begin(kz_scene_builder *s)
{
    rp_timeline *t = s->timeline;
    const kz_person *player = s->replay->header.player;
    s->name = player && player->name.size
                  ? rp_timeline_plain(t, player->name.data, player->name.size)
                  : "Player";
    t->clock_unit = "tick";
    rp_plot *speed = rp_timeline_plot(t, "speed", "Horizontal speed", "u/s", "line", 0, 0);
    rp_plot *height = rp_timeline_plot(t, "height", "Height", "u", "line", 0, 0);
    rp_plot *lanes = rp_timeline_plot(t, "keys", "Keys", "", "lanes", 0, 1);
    rp_plot *latency = rp_timeline_plot(t, "latency", "Latency", "ms", "line", 0, 0);
    rp_plot *sync = rp_timeline_plot(t, "sync", "Sync of each jump", "%", "bars", 0, 100);
    rp_plot *width = rp_timeline_plot(t, "width", "Width of strafes", "degrees", "bars", 0, 0);
    rp_plot *counts = rp_timeline_plot(t, "checkpoints", "Checkpoints and teleports", "", "step", 0,
                                       0);
    rp_plot *timer = rp_timeline_plot(t, "timer", "Timer of the run", "s", "line", 0, 0);
    s->sync = rp_plot_series(t, sync, s->name, 0);
    s->width = rp_plot_series(t, width, s->name, 0);
    s->set = rp_plot_series(t, counts, "checkpoints", -1);
    s->gone = rp_plot_series(t, counts, "teleports", -1);
    s->timer = rp_plot_series(t, timer, s->name, 0);
    s->air_since = s->paused_since = -1;
    s->speed = rp_plot_series(t, speed, s->name, 0);
    s->height = rp_plot_series(t, height, s->name, 0);
    s->latency = rp_plot_series(t, latency, s->name, 0);
    for (size_t i = 0; i < KZ_KEYS; i++)
        s->keys[i] = rp_plot_series(t, lanes, keys[i].name, 0);
    s->heat = rp_timeline_heat(t, "places", "Time spent", 0.25);
    s->falls = rp_timeline_heat(t, "falls", "Where teleports began", 0.25);
    s->path = rp_timeline_path(t, s->name, 0);
    s->jumps = rp_timeline_table(t, "jumps", "Jumps", "t", jump_columns, RP_COUNT(jump_columns));
    s->strafes = rp_timeline_table(t, "strafes", "Strafes", NULL, strafe_columns,
                                   RP_COUNT(strafe_columns));
    s->aircalls = rp_timeline_table(t, "aircalls", "Air calls", NULL, aircall_columns,
                                    RP_COUNT(aircall_columns));
    if (s->jumps && s->strafes) {
        s->jumps->nested = "strafes";
        s->jumps->key = "jump";
        s->strafes->nested = "aircalls";
        s->strafes->key = "of";
    }
    s->events = rp_timeline_table(t, "events", "Events", "t", event_columns,
                                  RP_COUNT(event_columns));
    s->sections = rp_timeline_table(t, "splits", "Splits", "t", section_columns,
                                    RP_COUNT(section_columns));
    (void)kz_find_run(s->replay, s->scene->error);
    kz_analyse_begin(&s->analysis, &s->replay->run);
    s->jump_time = (double)NAN;
    begin_course(s);
}

static void step_on(kz_scene_builder *s, rp_vec3 position, bool leap)
{
    const kz_analysis *a = &s->analysis;
    double timer = a->shown.run_time;
    if (isnan(timer) || !(s->timeline->course.tick_s > 0))
        return;
    rp_course_step step = {.position = position,
                           .time = s->scene->now,
                           .tick = (uint32_t)lround(timer / (double)KZ_TICK_SECONDS),
                           .lands = a->shown.on_ground && !(a->before && a->shown_before.on_ground),
                           .leaps = leap};
    rp_course_add(s->timeline, &step);
}

/* Begins or ends a band; short ones are dropped. */
static void stretch(kz_scene_builder *s, float *since, bool on, const char *kind, float level)
{
    const float least_s = 0.2f;
    float now = s->scene->now;
    if (on && *since < 0)
        *since = now;
    if (on || *since < 0)
        return;
    char text[48];
    snprintf(text, sizeof text,
             strcmp(kind, "air") == 0 ? "%.2f s in the air" : "paused for %.2f s",
             (double)(now - *since));
    if (now - *since >= least_s)
        rp_timeline_band(s->timeline, &(rp_band){*since, now, level, kind, text, -1});
    *since = -1;
}

/* Nothing is known until the next tick. */
static void leave_gap(kz_scene_builder *s)
{
    double from = (double)nextafterf(s->scene->before, INFINITY);
    rp_series_add(s->timeline, s->speed, from, (double)NAN);
    rp_series_add(s->timeline, s->height, from, (double)NAN);
    for (size_t i = 0; i < KZ_KEYS; i++)
        rp_series_add(s->timeline, s->keys[i], from, (double)NAN);
}

/* The timer, what it counts, and stretches in the air or with the timer stopped. */
static void add_run(kz_scene_builder *s, double now)
{
    rp_timeline *t = s->timeline;
    const kz_analysis *a = &s->analysis;
    double timer = a->shown.run_time, before = a->before ? a->shown_before.run_time : (double)NAN;
    if (a->run->known && (!isnan(timer) || !isnan(before)))
        rp_series_add(t, s->timer, now, timer);
    const kz_checkpoint *was = a->before ? &a->before->checkpoint : NULL;
    const kz_checkpoint *is = &a->now->checkpoint;
    if (!was || was->checkpoint_count != is->checkpoint_count)
        rp_series_add(t, s->set, now, is->checkpoint_count);
    if (!was || was->teleport_count != is->teleport_count)
        rp_series_add(t, s->gone, now, is->teleport_count);
    stretch(s, &s->air_since, !a->shown.on_ground, "air", 0.2f);
    stretch(s, &s->paused_since, timer == before && timer > 0, "pause", 0);
}

void kz_timeline_tick(kz_scene_builder *s, bool teleported)
{
    const kz_analysis *a = &s->analysis;
    rp_timeline *t = s->timeline;
    double now = (double)s->scene->now;
    const kz_movement *post = &a->now->post;
    double speed = a->shown.horizontal_speed;
    rp_timeline_clock(t, s->scene->now);
    bool gap = a->before && s->scene->now - s->scene->before > KZ_GAP_S;
    if (gap) {
        leave_gap(s);
        s->air_since = s->paused_since = -1; /* for how long is unknown */
    }
    rp_series_add(t, s->speed, now, speed);
    rp_series_add(t, s->height, now, (double)post->origin.z);
    for (size_t i = 0; i < KZ_KEYS; i++) {
        uint32_t held = a->shown.keys & keys[i].bit, before = a->shown_before.keys & keys[i].bit;
        if (!a->before || gap || held != before || !s->keys[i] || !s->keys[i]->count)
            rp_series_add(t, s->keys[i], now, held != 0);
    }
    rp_vec3 position = rp_position_from_z_up(post->origin, KZ_UNIT_M);
    rp_heat_add(s->heat, (double)position.x, (double)position.z);
    rp_path_add(t, s->path,
                &(rp_path_point){position.x, position.z, (float)speed, teleported, position.y});
    step_on(s, position, teleported);
    add_run(s, now);
    if (teleported) {
        rp_vec3 from = rp_position_from_z_up(a->before->post.origin, KZ_UNIT_M);
        rp_heat_add(s->falls, (double)from.x, (double)from.z);
        rp_timeline_marker(t, now, "teleport", 0, 2, "Teleport");
    }
}

/* ---- rows that come after the ticks ---- */

static const char *name_or(const rp_enum *names, int64_t number)
{
    const char *name = rp_enum_name(names, number);
    return name ? name : "unknown";
}

/* Only the part that is shown is added. */
static bool in_scene(const kz_scene_builder *s, double time)
{
    return rp_scene_contains(s->scene, time);
}

/* Adds the jump whose strafes have all been read. */
static void end_jump(kz_scene_builder *s)
{
    const kz_jump_metrics *m = &s->analysis.jump;
    if (isnan(s->jump_time) || !m->strafes)
        return;
    double sync = 100 * kz_share(m->sync, m->duration);
    rp_series_add(s->timeline, s->sync, s->jump_time, fmin(sync, 100));
    rp_series_add(s->timeline, s->width, s->jump_time, m->width / m->strafes);
}

/* Jumps by their tier; which one was the longest is known at the end. */
static void highlight_jump(kz_scene_builder *s, const kz_jump *jump, double time, const char *text)
{
    double air = fmin(fmax((double)jump->airtime, 0), 5);
    rp_highlight h = {.time = time,
                      .from = time - air - 0.5,
                      .to = time + 0.5,
                      .score = 0.2 + 0.08 * jump->distance_tier,
                      .kind = "jump",
                      .text = text};
    rp_timeline_highlight(s->timeline, &h);
    if (!(jump->total_distance > s->longest))
        return;
    s->longest = jump->total_distance;
    s->longest_jump = h;
    snprintf(s->longest_text, sizeof s->longest_text, "Longest jump: %s", text);
}

static void set_highlights(kz_scene_builder *s)
{
    const kz_run *run = s->replay->header.run;
    const kz_run_span *span = &s->replay->run;
    double end = rp_scene_time(s->scene, (double)span->end_tick * (double)KZ_TICK_SECONDS);
    if (s->longest > 0) {
        rp_highlight h = s->longest_jump;
        h.kind = "record";
        h.text = s->longest_text;
        h.score = fmax(h.score, 0.6);
        rp_timeline_highlight(s->timeline, &h);
    }
    if (run && span->known && in_scene(s, end)) {
        char text[96];
        snprintf(text, sizeof text, "Finished in %.3f s", (double)run->time);
        rp_timeline_highlight(s->timeline,
                              &(rp_highlight){end, end - 4, end + 1, 0.8, "finish", text, 0});
    }
    rp_timeline_set_highlights(s->timeline, rp_scene_duration(s->scene));
}

static void add_jump(kz_scene_builder *s, const rp_row *row)
{
    const kz_jump *jump = row->data;
    double time = rp_scene_time(s->scene, row->time);
    s->jump_time = in_scene(s, time) ? time : (double)NAN;
    if (!in_scene(s, time))
        return;
    s->jump_count++;
    const char *tier = name_or(&kz_tier_names, jump->distance_tier);
    const char *type = name_or(&kz_jump_type_names, jump->jump_type);
    const rp_cell cells[RP_COUNT(jump_columns)] = {
        {.number = row->object},
        {.number = time},
        {.text = type},
        {.text = tier},
        {.number = (double)jump->total_distance},
        {.number = (double)jump->max_speed},
        {.number = (double)jump->max_height},
        {.number = (double)jump->airtime},
    };
    rp_table_row(s->timeline, s->jumps, cells);
    char text[96];
    snprintf(text, sizeof text, "%s, %.1f units, %s", type, (double)jump->total_distance, tier);
    if (jump->distance_tier >= 5)
        rp_timeline_marker(s->timeline, time, "jump", 0, 3, text);
    highlight_jump(s, jump, time, text);
    if (rp_scene_shows(s->scene, KZ_JUMPS))
        kz_scene_jump(s, jump, row->object, time);
}

static void name_strafe(uint32_t jump, uint32_t strafe, char *to, size_t size)
{
    snprintf(to, size, "%u.%u", jump, strafe);
}

static void add_aircall(kz_scene_builder *s, const rp_row *row)
{
    const kz_aircall *call = row->data;
    if (!in_scene(s, rp_scene_time(s->scene, row->time)))
        return;
    char of[32];
    name_strafe(row->object, call->strafe, of, sizeof of);
    const rp_cell cells[RP_COUNT(aircall_columns)] = {
        {.text = of},
        {.number = 1000 * (double)call->duration},
        {.number = remainder((double)call->current_yaw - (double)call->prev_yaw, 360)},
        {.number = kz_speed(call->velocity_after) - kz_speed(call->velocity_before)},
    };
    rp_table_row(s->timeline, s->aircalls, cells);
}

static void add_strafe(kz_scene_builder *s, const rp_row *row)
{
    const kz_strafe_row *from = row->data;
    const kz_strafe *strafe = &from->strafe;
    if (!in_scene(s, rp_scene_time(s->scene, row->time)))
        return;
    double sync = 100 * kz_share((double)strafe->sync_duration, (double)strafe->duration);
    char of[32];
    name_strafe(row->object, from->place.strafe, of, sizeof of);
    const rp_cell cells[RP_COUNT(strafe_columns)] = {
        {.number = row->object},
        {.number = from->place.strafe},
        {.number = (double)strafe->duration},
        {.number = sync},
        {.number = (double)strafe->width},
        {.number = (double)strafe->air_gain},
        {.number = (double)strafe->air_loss},
        {.text = of},
    };
    rp_table_row(s->timeline, s->strafes, cells);
}

static void add_event(kz_scene_builder *s, const rp_row *row)
{
    const kz_event *event = row->data;
    double time = rp_scene_time(s->scene, row->time);
    if (event->type != KZ_EVENT_TIMER)
        return;
    double section = s->analysis.section;
    if (!in_scene(s, time))
        return;
    const char *what = name_or(&kz_timer_names, event->timer);
    const rp_cell cells[RP_COUNT(event_columns)] = {{.number = time},
                                                    {.text = what},
                                                    {.number = event->number},
                                                    {.number = (double)event->run_time}};
    rp_table_row(s->timeline, s->events, cells);
    const rp_cell split[RP_COUNT(section_columns)] = {
        cells[0], cells[1], cells[2], cells[3], {.number = section}};
    if (!isnan(section))
        rp_table_row(s->timeline, s->sections, split);
    bool ends = event->timer == KZ_TIMER_START || event->timer == KZ_TIMER_END;
    char text[96];
    snprintf(text, sizeof text, ends ? "Timer %s" : "Timer %s %d", what, event->number);
    rp_timeline_marker(s->timeline, time, what, 0, ends ? 5 : 3, text);
}

static void add_command(kz_scene_builder *s, const rp_row *row)
{
    const kz_command *command = row->data;
    double time = rp_scene_time(s->scene, row->time);
    if (in_scene(s, time))
        rp_series_add(s->timeline, s->latency, time, (double)command->latency * 1000);
}

void kz_timeline_row(kz_scene_builder *s, const rp_row *row)
{
    if (row->track == KZ_JUMPS)
        end_jump(s);
    kz_analyse_row(&s->analysis, row);
    switch (row->track) {
    case KZ_JUMPS:
        add_jump(s, row);
        break;
    case KZ_STRAFES:
        add_strafe(s, row);
        break;
    case KZ_AIRCALLS:
        add_aircall(s, row);
        break;
    case KZ_EVENTS:
        add_event(s, row);
        break;
    case KZ_COMMANDS:
        add_command(s, row);
        break;
    default:
        break;
    }
}

static void set_camera(kz_scene_builder *s, const char *id, const char *kind, int32_t node)
{
    rp_doc *doc = &s->timeline->doc;
    reprise_value *camera = rp_push_object(doc, s->timeline->cameras);
    rp_set_text(doc, camera, "id", id);
    rp_set_text(doc, camera, "kind", kind);
    rp_set_int(doc, camera, "node", node);
}

/* Without a series: all lanes that are on. */
static void set_hud(rp_doc *doc, reprise_value *list, const char *plot, int64_t series,
                    const char *suffix)
{
    reprise_value *hud = rp_push_object(doc, list);
    rp_set_int(doc, hud, "player", 0);
    rp_set_text(doc, hud, "plot", plot);
    if (series >= 0)
        rp_set_int(doc, hud, "series", series);
    rp_set_text(doc, hud, "suffix", suffix);
}

/* What `stats` says about the run, or about the complete recording if there is none. */
static void set_totals(kz_scene_builder *s, reprise_value *player)
{
    rp_timeline *t = s->timeline;
    const kz_analysis *a = &s->analysis;
    const kz_run *run = s->replay->header.run;
    const kz_motion *m = s->replay->run.known ? &a->in_run : &a->recording;
    if (!rp_scene_is_complete(s->scene))
        return;
    if (run) {
        rp_timeline_total(t, player, "Run time", "%.3f s", (double)run->time);
        rp_timeline_total(t, player, "Teleports", "%d", run->teleports);
    }
    rp_timeline_total(t, player, "Checkpoints set", "%d", a->checkpoints);
    rp_timeline_total(t, player, "Jumps", "%" PRIu64, s->jump_count);
    if (!m->speed.count)
        return;
    rp_timeline_total(t, player, "Top speed", "%.1f u/s", m->speed.most);
    rp_timeline_total(t, player, "Average speed", "%.1f u/s",
                      m->speed.sum / (double)m->speed.count);
    rp_timeline_total(t, player, "Distance", "%.0f u", m->distance);
}

/* Where the run is in the scene, and which plots and tables show it in large. */
static void set_run(kz_scene_builder *s)
{
    rp_doc *doc = &s->timeline->doc;
    const kz_run_span *span = &s->replay->run;
    reprise_value *run = rp_set_object(doc, s->timeline->root, "run");
    for (int end = 0; end < 2 && span->known; end++) {
        double time = rp_scene_time(s->scene, (double)(end ? span->end_tick : span->start_tick) *
                                                  (double)KZ_TICK_SECONDS);
        if (in_scene(s, time))
            rp_set_f64(doc, run, end ? "t1" : "t0", time);
    }
    static const char *const parts[] = {"timer", "speed", "keys", "sync", "jumps"};
    for (size_t i = 0; i < RP_COUNT(parts); i++)
        rp_set_text(doc, run, parts[i], parts[i]);
    reprise_value *legend = rp_set_object(doc, s->timeline->root, "legend");
    rp_set_text(doc, legend, "title", "Speed");
    rp_set_text(doc, legend, "unit", "u/s");
    rp_set_int(doc, legend, "from", 0);
    rp_set_int(doc, legend, "to", KZ_RAMP_SPEED);
}

void kz_timeline_end(kz_scene_builder *s)
{
    end_jump(s);
    stretch(s, &s->air_since, false, "air", 0.2f);
    stretch(s, &s->paused_since, false, "pause", 0);
    rp_doc *doc = &s->timeline->doc;
    reprise_value *player = rp_push_object(doc, s->timeline->players);
    rp_set_int(doc, player, "id", 0);
    rp_set_text(doc, player, "name", s->name);
    rp_set_int(doc, player, "slot", 0);
    rp_set_text(doc, player, "shape", "circle");
    rp_set_int(doc, player, "body", s->player);
    rp_set_int(doc, player, "eye", s->eyes);
    set_totals(s, player);
    set_run(s);
    set_highlights(s);
    set_hud(doc, s->timeline->hud, "speed", 0, " u/s");
    if (s->replay->run.known)
        set_hud(doc, s->timeline->hud, "timer", 0, " s");
    set_hud(doc, s->timeline->hud, "checkpoints", 0, " cp");
    set_hud(doc, s->timeline->hud, "checkpoints", 1, " tp");
    set_hud(doc, s->timeline->hud, "keys", -1, "");
    reprise_value *label = rp_push_object(doc, s->timeline->labels);
    rp_set_int(doc, label, "node", s->view);
    rp_set_text(doc, label, "text", s->name);
    rp_set_int(doc, label, "player", 0);
    set_camera(s, "follow", "follow", s->player);
    set_camera(s, "eyes:0", "node", s->eyes);
}
