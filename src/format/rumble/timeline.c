/*
 * timeline.c - a match over time: health, damage, speeds and moves as plots, hits and marks as
 * markers and tables, rounds as chapters.
 */
#include <math.h>
#include <stdio.h>

#include "highlights.h"
#include "scene_builder.h"

enum { MOVE_STRETCH_S = 10, COMEBACK_LEAST = 5, EXCHANGE_S = 5 };

/* A move is recorded in one frame only, which is too short to read. */
static const double move_seen_s = 0.75;

static const rp_table_column hit_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"damage", "Damage", NULL, RP_CELL_I32},
    {"effect", "Effect", NULL, RP_CELL_TEXT},
    {"x", "x", "m", RP_CELL_F32},
    {"y", "y", "m", RP_CELL_F32},
    {"z", "z", "m", RP_CELL_F32},
};
static const rp_table_column move_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"move", "Move", NULL, RP_CELL_TEXT},
};
static const rp_table_column mark_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"mark", "Mark", NULL, RP_CELL_TEXT},
    {"player", "Player", NULL, RP_CELL_TEXT},
};
static const rp_table_column people_columns[] = {
    {"player", "Player", NULL, RP_CELL_TEXT},   {"points", "Battle points", NULL, RP_CELL_I32},
    {"host", "Host", NULL, RP_CELL_TEXT},       {"length", "Height", "m", RP_CELL_F32},
    {"arm_span", "Arm span", "m", RP_CELL_F32},
};
static const rp_table_column voice_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"file", "Recording", NULL, RP_CELL_TEXT},
};

static rp_cell text_cell(const char *text)
{
    return (rp_cell){.text = text};
}

static rp_cell number_cell(double number)
{
    return (rp_cell){.number = number};
}

static const char *name_of(const rumble_scene_builder *s, int64_t player)
{
    return player >= 0 && player < (int64_t)s->replay->player_count ? s->actors[player].name : "";
}

/* ---- beginning ---- */

static void name_players(rumble_scene_builder *s)
{
    const reprise_value *players = rp_get(s->replay->header, "Players");
    for (size_t i = 0; i < s->replay->player_count; i++) {
        size_t size = 0;
        const char *name = reprise_value_text(rp_get(reprise_value_at(players, i), "Name"), &size);
        const char *plain = rp_timeline_plain(s->timeline, name, size);
        char number[32];
        snprintf(number, sizeof number, "Player %zu", i + 1);
        s->actors[i].name = *plain ? plain : rp_timeline_plain(s->timeline, number, strlen(number));
    }
}

static void tabulate_people(rumble_scene_builder *s)
{
    rp_table *table = rp_timeline_table(s->timeline, "players", "Players", NULL, people_columns,
                                        RP_COUNT(people_columns));
    const reprise_value *players = rp_get(s->replay->header, "Players");
    for (size_t i = 0; i < s->replay->player_count; i++) {
        const reprise_value *player = reprise_value_at(players, i);
        const reprise_value *measurement = rp_get(player, "Measurement");
        bool host = reprise_value_bool(rp_get(player, "WasHost"), false);
        const rp_cell cells[RP_COUNT(people_columns)] = {
            text_cell(s->actors[i].name),
            number_cell((double)reprise_value_int(rp_get(player, "BattlePoints"), 0)),
            text_cell(host ? "yes" : ""),
            number_cell(reprise_value_double(rp_get(measurement, "Length"), 0)),
            number_cell(reprise_value_double(rp_get(measurement, "ArmSpan"), 0)),
        };
        rp_table_row(s->timeline, table, cells);
    }
}

/* Who hurt whom is not recorded: it is known only where there is one other player. */
static void plot_dealt(rumble_scene_builder *s)
{
    if (s->replay->player_count != 2)
        return;
    rp_plot *plot = rp_timeline_plot(s->timeline, "damage_dealt", "Damage dealt", "points", "step",
                                     0, 0);
    for (size_t i = 0; i < 2; i++)
        s->actors[i].damage_dealt = rp_plot_series(s->timeline, plot, s->actors[i].name,
                                                   (int32_t)i);
}

void rumble_timeline_begin(rumble_scene_builder *s)
{
    rp_timeline *t = s->timeline;
    name_players(s);
    rp_plot *health = rp_timeline_plot(t, "health", "Health", "points", "step", 0, 20);
    rp_plot *damage = rp_timeline_plot(t, "damage", "Damage taken", "points", "step", 0, 0);
    plot_dealt(s);
    rp_plot *head = rp_timeline_plot(t, "speed", "Head speed", "m/s", "line", 0, 0);
    rp_plot *hand = rp_timeline_plot(t, "hand_speed", "Hand speed", "m/s", "line", 0, 0);
    rp_plot *moves = rp_timeline_plot(t, "moves", "Moves per 10 s", "moves", "bars", 0, 0);
    rp_plot *height = rp_timeline_plot(t, "height", "Head height", "m", "line", 0, 0);
    rp_plot *interval = rp_timeline_plot(t, "interval", "Frame interval", "ms", "line", 0, 0);
    for (size_t i = 0; i < s->replay->player_count; i++) {
        rumble_actor *a = &s->actors[i];
        int32_t player = (int32_t)i;
        a->health = rp_plot_series(t, health, a->name, player);
        a->damage_taken = rp_plot_series(t, damage, a->name, player);
        a->head_speed = rp_plot_series(t, head, a->name, player);
        a->hand_speed = rp_plot_series(t, hand, a->name, player);
        a->move_rate = rp_plot_series(t, moves, a->name, player);
        a->height = rp_plot_series(t, height, a->name, player);
        a->path = rp_timeline_path(t, a->name, player);
        a->words = rp_timeline_caption(t, player);
    }
    s->damage = rp_timeline_activity(t, "damage", "damage", -1);
    s->interval = rp_plot_series(t, interval, "frames", -1);
    s->heat = rp_timeline_heat(t, "heads", "Where heads were", 0.25);
    s->hits = rp_timeline_table(t, "hits", "Hits", "t", hit_columns, RP_COUNT(hit_columns));
    s->moves = rp_timeline_table(t, "moves", "Moves", "t", move_columns, RP_COUNT(move_columns));
    s->marks = rp_timeline_table(t, "markers", "Markers", "t", mark_columns,
                                 RP_COUNT(mark_columns));
    tabulate_people(s);
}

/* ---- frames ---- */

void rumble_timeline_frame(rumble_scene_builder *s)
{
    double now = (double)s->scene->now;
    rp_timeline_clock(s->timeline, s->scene->now);
    if (s->scene->frames > 1)
        rp_series_add(s->timeline, s->interval, now, (now - (double)s->scene->before) * 1000);
}

static void plot_motion(rumble_scene_builder *s, rumble_actor *a, const rumble_player_metrics *m)
{
    rp_timeline *t = s->timeline;
    double time = (double)s->scene->now;
    const double none = (double)NAN;
    rp_series_add(t, a->height, time, m->now->active ? (double)m->world.head_world_pos.y : none);
    double speed = m->moves ? m->head_step / m->elapsed : none;
    rp_series_add(t, a->head_speed, time, speed);
    rp_series_add(t, a->hand_speed, time,
                  m->moves ? fmax(m->hand_step[0], m->hand_step[1]) / m->elapsed : none);
    if (!m->now->active)
        return;
    rp_vec3 head = rp_position_from_left_handed(m->world.head_world_pos);
    rp_heat_add(s->heat, (double)head.x, (double)head.z);
    bool leap = !m->moves || m->head_step > 5;
    rp_path_add(t, a->path,
                &(rp_path_point){head.x, head.z, m->moves ? (float)speed : 0, leap, head.y});
}

static void count_move(rumble_scene_builder *s, rumble_actor *a, const rumble_player_metrics *m)
{
    double time = (double)s->scene->now;
    if (time >= a->moves_from + MOVE_STRETCH_S) {
        rp_series_add(s->timeline, a->move_rate, a->moves_from, a->moves);
        a->moves = 0;
        a->moves_from = floor(time / MOVE_STRETCH_S) * MOVE_STRETCH_S;
    }
    if (!m->begins_move)
        return;
    a->moves++;
    const char *name = rp_enum_name(&rumble_stack_names, m->now->stack);
    const rp_cell cells[RP_COUNT(move_columns)] = {number_cell(time), text_cell(a->name),
                                                   text_cell(name ? name : "unknown")};
    rp_table_row(s->timeline, s->moves, cells);
}

/* NULL: none, or not stored in this layout. */
static const char *stone_name(const rumble_scene_builder *s, uint8_t stone)
{
    return rumble_has_shiftstones(s->replay) && stone != RUMBLE_NO_STONE
               ? rp_enum_name(&rumble_stone_names, stone)
               : NULL;
}

/* The stones worn, and the move that is being made. */
static void add_words(rumble_scene_builder *s, rumble_actor *a, const rumble_player *now)
{
    double time = (double)s->scene->now;
    const char *parts[3] = {stone_name(s, now->left_stone), stone_name(s, now->right_stone), NULL};
    if (now->stack) {
        a->move = rp_enum_name(&rumble_stack_names, now->stack);
        a->move_until = time + move_seen_s;
    }
    if (time < a->move_until)
        parts[2] = a->move;
    /* Names are constants, so the same pointers are the same words. */
    if (a->captioned && memcmp(parts, a->caption, sizeof parts) == 0)
        return;
    a->captioned = true;
    memcpy(a->caption, parts, sizeof parts);
    char text[96] = "";
    size_t size = 0;
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        int n = parts[i]
                    ? snprintf(text + size, sizeof text - size, "%s%s", size ? ", " : "", parts[i])
                    : 0;
        size = RP_MIN(size + (size_t)RP_MAX(n, 0), sizeof text - 1);
    }
    rp_caption_set(s->timeline, a->words, time, text);
}

static void plot_health(rumble_scene_builder *s, rumble_actor *a, size_t index)
{
    const rumble_player_metrics *m = &s->analysis.players[index];
    rp_timeline *t = s->timeline;
    double time = (double)s->scene->now;
    double damage = m->damage_taken - a->damage_before;
    bool first = !a->damage_taken || !a->damage_taken->count;
    if (first || m->changes_health)
        rp_series_add(t, a->health, time, m->now->health);
    if (!first && !m->damage)
        return;
    rp_series_add(t, a->damage_taken, time, damage);
    if (a->damage_dealt) /* there are two of them */
        rp_series_add(t, s->actors[index ^ 1].damage_dealt, time, damage);
}

/* ---- highlights ---- */

static void highlight(rumble_scene_builder *s, const char *kind, int32_t player, double score,
                      const char *text)
{
    double time = (double)s->scene->now;
    rp_timeline_highlight(s->timeline,
                          &(rp_highlight){time, time - 4, time + 2, score, kind, text, player});
}

/* Whoever was far behind and outlasts the other came back. */
static void note_comeback(rumble_scene_builder *s, size_t winner)
{
    char text[160];
    snprintf(text, sizeof text, "Comeback: %s was %d behind", s->actors[winner].name,
             s->behind[winner]);
    if (s->behind[winner] >= COMEBACK_LEAST)
        highlight(s, "comeback", (int32_t)winner, 0.75, text);
    s->behind[0] = s->behind[1] = 0;
}

static void find_highlights(rumble_scene_builder *s, size_t index)
{
    const rumble_player_metrics *m = &s->analysis.players[index];
    bool duel = s->replay->player_count == 2 && s->analysis.players[0].now &&
                s->analysis.players[1].now;
    if (!rumble_has_health(s->replay) || !m->changes_health)
        return;
    if (duel) {
        int lead = s->analysis.players[0].now->health - s->analysis.players[1].now->health;
        s->behind[0] = RP_MAX(s->behind[0], -lead);
        s->behind[1] = RP_MAX(s->behind[1], lead);
    }
    if (!m->before || m->before->health <= 0 || m->now->health > 0)
        return;
    char text[160];
    snprintf(text, sizeof text, "%s is down", s->actors[index].name);
    highlight(s, "knockout", (int32_t)index, 0.9, text);
    if (duel)
        note_comeback(s, index ^ 1);
}

void rumble_timeline_player(rumble_scene_builder *s, size_t index)
{
    rumble_actor *a = &s->actors[index];
    const rumble_player_metrics *m = &s->analysis.players[index];
    rp_timeline *t = s->timeline;
    double time = (double)s->scene->now;
    plot_health(s, a, index);
    find_highlights(s, index);
    if (s->scene->frames > 1 && m->joins) {
        char text[160];
        snprintf(text, sizeof text, "%s joins", a->name);
        rp_timeline_marker(t, time, "join", (int32_t)index, 1, text);
    }
    if (m->now->rockcam_active && !(m->before && m->before->rockcam_active))
        rp_timeline_marker(t, time, "rockcam", (int32_t)index, 1, "RockCam out");
    count_move(s, a, m);
    add_words(s, a, m->now);
    plot_motion(s, a, m);
}

static void plot_rest(rumble_scene_builder *s, rumble_actor *a, const rumble_player_metrics *m)
{
    rp_timeline *t = s->timeline;
    double time = (double)s->scene->now;
    double speed = m->now->active && s->analysis.elapsed > 0 ? 0 : (double)NAN;
    rp_series_add(t, a->head_speed, time, speed);
    rp_series_add(t, a->hand_speed, time, speed);
    if (!m->now->active)
        return;
    rp_series_add(t, a->height, time, (double)m->world.head_world_pos.y);
    rp_vec3 head = rp_position_from_left_handed(m->world.head_world_pos);
    rp_heat_add(s->heat, (double)head.x, (double)head.z);
}

/* A recorder leaves out who did not change: his speed is 0, not that of the last row. */
void rumble_timeline_rest(rumble_scene_builder *s)
{
    for (size_t i = 0; i < s->replay->player_count; i++) {
        const rumble_player_metrics *m = &s->analysis.players[i];
        if (!m->now || m->frame == s->analysis.frames)
            continue;
        plot_rest(s, &s->actors[i], m);
        add_words(s, &s->actors[i], m->now);
    }
}

/* ---- events and markers ---- */

void rumble_timeline_event(rumble_scene_builder *s, const rp_row *row)
{
    const rumble_event *event = row->data;
    if (event->damage <= 0)
        return;
    double time = (double)s->scene->now;
    const char *fx = event->fx ? rp_enum_name(&rumble_fx_names, event->fx) : NULL;
    rp_vec3 position = rp_position_from_left_handed(event->pos);
    const rp_cell cells[RP_COUNT(hit_columns)] = {
        number_cell(time),
        text_cell(name_of(s, event->player)),
        number_cell(event->damage),
        text_cell(fx),
        number_cell((double)position.x),
        number_cell((double)position.y),
        number_cell((double)position.z),
    };
    rp_table_row(s->timeline, s->hits, cells);
    rp_activity_add(s->timeline, s->damage, time, event->damage);
    char text[96];
    snprintf(text, sizeof text, "%s, %d damage", fx ? fx : "Hit", event->damage);
    int32_t player = event->player >= 0 && event->player < (int32_t)s->replay->player_count
                         ? event->player
                         : -1;
    rp_timeline_marker(s->timeline, time, "hit", player, event->damage >= 5 ? 3 : 2, text);
}

typedef struct known_mark {
    const char *name, *kind, *text;
    unsigned weight;
} known_mark;
static const known_mark known_marks[] = {
    {"core.manual", "mark", "Marked by hand", 3},
    {"core.roundEnded", "round", "Round ends", 4},
    {"core.matchEnded", "match", "Match ends", 5},
    {"core.largeDamage", "damage", "Large damage", 3},
};

/* Markers of the manifest come before any frame, with times of the recording. */
void rumble_timeline_marker(rumble_scene_builder *s, const rp_row *row)
{
    const rumble_marker *marker = row->data;
    const rp_scene_options *o = &s->scene->options;
    if (!isfinite(row->time) || row->time < 0 || row->time < o->time_from || row->time > o->time_to)
        return;
    const char *name = rp_timeline_plain(s->timeline, marker->name.data, marker->name.size);
    known_mark mark = {name, "mark", name, 2};
    for (size_t i = 0; i < RP_COUNT(known_marks); i++) {
        if (strcmp(name, known_marks[i].name) == 0)
            mark = known_marks[i];
    }
    double start = s->scene->started ? s->scene->offset : o->time_from > -1e300 ? o->time_from : 0;
    double time = row->time - start;
    rp_timeline_marker(s->timeline, time, mark.kind, marker->player, mark.weight, mark.text);
    const rp_cell cells[RP_COUNT(mark_columns)] = {number_cell(time), text_cell(mark.text),
                                                   text_cell(name_of(s, marker->player))};
    rp_table_row(s->timeline, s->marks, cells);
    float *end = rumble_ends_round(marker->name)
                     ? rp_vector_add(s->scene->context, &s->ends, sizeof *end, s->scene->error)
                     : NULL;
    if (end)
        *end = (float)time;
}

/* ---- the end ---- */

static void add_chapter(rumble_scene_builder *s, double from, double to)
{
    rp_doc *doc = &s->timeline->doc;
    reprise_value *chapter = rp_push_object(doc, s->timeline->chapters);
    rp_set_f64(doc, chapter, "t0", from);
    rp_set_f64(doc, chapter, "t1", to);
    rp_set(doc, chapter, "name",
           rp_new_format(doc, "Round %zu", reprise_value_count(s->timeline->chapters)));
}

/* Rounds end where the recorder put its marks; without any there are no chapters. */
static void set_chapters(rumble_scene_builder *s)
{
    double duration = rp_scene_duration(s->scene), from = 0;
    float *ends = s->ends.items;
    size_t count = rumble_sort_rounds(ends, s->ends.count, from, duration);
    for (size_t i = 0; i < count; i++) {
        add_chapter(s, from, (double)ends[i]);
        from = (double)ends[i];
    }
    if (from > 0 && from < duration)
        add_chapter(s, from, duration);
}

static void set_camera(rumble_scene_builder *s, const char *id, const char *kind, int32_t node,
                       reprise_value *when)
{
    rp_doc *doc = &s->timeline->doc;
    reprise_value *camera = rp_push_object(doc, s->timeline->cameras);
    rp_set_text(doc, camera, "id", id);
    rp_set_text(doc, camera, "kind", kind);
    rp_set_int(doc, camera, "node", node);
    if (when)
        rp_set(doc, camera, "when", when);
}

static void set_orbit(rumble_scene_builder *s)
{
    rp_doc *doc = &s->timeline->doc;
    reprise_value *orbit = rp_push_object(doc, s->timeline->cameras);
    rp_set_text(doc, orbit, "id", "orbit");
    rp_set_text(doc, orbit, "kind", "orbit");
    reprise_value *target = rp_set_array(doc, orbit, "target");
    const float middle[3] = {(s->low.x + s->high.x) / 2, s->low.y + 1, (s->low.z + s->high.z) / 2};
    for (size_t i = 0; i < 3; i++)
        rp_push(doc, target, rp_new_f32(doc, middle[i]));
    float size = fmaxf(s->high.x - s->low.x, s->high.z - s->low.z);
    rp_set_f32(doc, orbit, "distance", fminf(fmaxf(size * 1.3f, 6), 40));
}

/* What `stats` says about the complete match. */
static void set_totals(rumble_scene_builder *s, reprise_value *player, size_t index)
{
    rp_timeline *t = s->timeline;
    const rumble_player_metrics *m = &s->analysis.players[index];
    if (!m->now || !rp_scene_is_complete(s->scene))
        return;
    uint32_t moves = 0;
    for (size_t i = 1; i < RUMBLE_MOVES; i++)
        moves += m->move_count[i];
    if (s->replay->player_count == 2)
        rp_timeline_total(t, player, "Damage dealt", "%.0f",
                          s->analysis.players[index ^ 1].damage_taken);
    rp_timeline_total(t, player, "Damage taken", "%.0f", m->damage_taken);
    rp_timeline_total(t, player, "Moves", "%u", moves);
    rp_timeline_total(t, player, "Fastest hand", "%.1f m/s",
                      fmax(m->hand_speed_max[0], m->hand_speed_max[1]));
    rp_timeline_total(t, player, "Way of the head", "%.1f m", m->head_distance);
}

static void set_player(rumble_scene_builder *s, size_t index)
{
    static const char *const shapes[] = {"circle", "square",  "triangle", "diamond",
                                         "star",   "hexagon", "cross",    "ring"};
    rp_doc *doc = &s->timeline->doc;
    const rumble_actor *a = &s->actors[index];
    reprise_value *player = rp_push_object(doc, s->timeline->players);
    rp_set_int(doc, player, "id", (int64_t)index);
    rp_set_text(doc, player, "name", a->name);
    rp_set_int(doc, player, "slot", (int64_t)index);
    rp_set_int(doc, player, "team", (int64_t)index);
    rp_set_text(doc, player, "shape", shapes[index % RP_COUNT(shapes)]);
    set_totals(s, player, index);
    reprise_value *hud = rp_push_object(doc, s->timeline->hud);
    rp_set_int(doc, hud, "player", (int64_t)index);
    rp_set_text(doc, hud, "plot", "health");
    rp_set_int(doc, hud, "series", (int64_t)index);
    rp_set_text(doc, hud, "suffix", " HP");
    if (a->rig < 0)
        return;
    rp_set_int(doc, player, "body", a->head);
    rp_set_int(doc, player, "eye", a->eyes);
    reprise_value *label = rp_push_object(doc, s->timeline->labels);
    int32_t top = rumble_gear_top(a->gear);
    rp_set_int(doc, label, "node", top >= 0 ? top : a->head);
    rp_set_text(doc, label, "text", a->name);
    rp_set_int(doc, label, "player", (int64_t)index);
    char id[32];
    snprintf(id, sizeof id, "eyes:%zu", index);
    set_camera(s, id, "node", a->eyes, NULL);
    if (a->rockcam < 0)
        return;
    if (s->analysis.players[index].now && s->analysis.players[index].now->rockcam_active) {
        reprise_value *span = rp_new_array(doc);
        rp_push(doc, span, rp_new_f64(doc, a->rockcam_since));
        rp_push(doc, span, rp_new_f64(doc, rp_scene_duration(s->scene)));
        rp_push(doc, a->rockcam_when, span);
    }
    snprintf(id, sizeof id, "rockcam:%zu", index);
    set_camera(s, id, "node", a->rockcam, a->rockcam_when);
}

static int32_t speaker(const rumble_scene_builder *s, const char *master_id)
{
    const reprise_value *players = rp_get(s->replay->header, "Players");
    for (size_t i = 0; master_id && i < s->replay->player_count; i++) {
        const char *id = reprise_value_text(rp_get(reprise_value_at(players, i), "MasterId"), NULL);
        if (id && strcmp(id, master_id) == 0)
            return (int32_t)i;
    }
    return -1;
}

static void set_voices(rumble_scene_builder *s)
{
    const reprise_value *tracks = rp_get(s->replay->voices, "Tracks");
    if (!reprise_value_count(tracks))
        return;
    rp_doc *doc = &s->timeline->doc;
    rp_table *table = rp_timeline_table(s->timeline, "voices", "Voices", "t", voice_columns,
                                        RP_COUNT(voice_columns));
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *from = reprise_value_at(tracks, i);
        const char *file = rp_get_text(from, "FileName");
        int32_t player = speaker(s, rp_get_text(from, "MasterId"));
        double time = rp_scene_time(s->scene, reprise_value_double(rp_get(from, "StartTime"), 0));
        const rp_cell cells[RP_COUNT(voice_columns)] = {
            number_cell(time), text_cell(name_of(s, player)), text_cell(file)};
        rp_table_row(s->timeline, table, cells);
        reprise_value *voice = rp_push_object(doc, s->timeline->voices);
        rp_set_int(doc, voice, "player", player);
        rp_set_f64(doc, voice, "t", time);
        rp_set(doc, voice, "src", rp_new_format(doc, "v%zu.ogg", i));
        rp_set(doc, voice, "part", rp_new_format(doc, RUMBLE_VOICE_FOLDER "%s", file ? file : ""));
    }
}

void rumble_timeline_end(rumble_scene_builder *s)
{
    for (size_t i = 0; i < s->replay->player_count; i++) {
        rumble_actor *a = &s->actors[i];
        if (s->analysis.players[i].now)
            rp_series_add(s->timeline, a->move_rate, a->moves_from, a->moves);
    }
    set_orbit(s);
    for (size_t i = 0; i < s->replay->player_count; i++)
        set_player(s, i);
    set_chapters(s);
    if (s->damage)
        rp_timeline_highlight_windows(s->timeline,
                                      &(rp_highlight_search){.slots = s->damage->seconds.items,
                                                             .count = s->damage->seconds.count,
                                                             .slot_s = 1,
                                                             .window = EXCHANGE_S,
                                                             .least = 2,
                                                             .full = 15,
                                                             .score_max = 0.7,
                                                             .most = 6,
                                                             .kind = "fight",
                                                             .name = "Exchange",
                                                             .unit = "damage",
                                                             .player = -1});
    rp_timeline_set_highlights(s->timeline, rp_scene_duration(s->scene));
    set_voices(s);
}
