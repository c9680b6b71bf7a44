/*
 * edit.c - what becomes of a RUMBLE replay that is written again: the header of the result, the
 * members that come along, and what the target layout cannot hold.
 */
#include "edit.h"

#include <stdarg.h>
#include <stdio.h>

#include "json.h"

/* ---- words ---- */

static void REPRISE_PRINTF(3, 0)
    add_text(rp_plan *plan, reprise_value *list, const char *format, va_list args)
{
    char text[256];
    vsnprintf(text, sizeof text, format, args);
    rp_push(&plan->doc, list, rp_new_text(&plan->doc, text));
}

void rumble_report_loss(rp_plan *plan, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(plan, plan->losses, format, args);
    va_end(args);
}

void rumble_report(rp_plan *plan, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(plan, plan->notes, format, args);
    va_end(args);
}

/* ---- survey ---- */

static const void *default_row(uint32_t track)
{
    static const rumble_player player;
    static const rumble_structure structure;
    static const rumble_pedestal pedestal;
    static const rumble_prop prop;
    static const rumble_event event = {.player = -1, .structure_id = -1};
    switch (track) {
    case RUMBLE_PLAYERS:
        return &player;
    case RUMBLE_STRUCTURES:
        return &structure;
    case RUMBLE_PEDESTALS:
        return &pedestal;
    case RUMBLE_PROPS:
        return &prop;
    case RUMBLE_EVENTS:
        return &event;
    default:
        return NULL;
    }
}

/* Copies a removed text; the result is searched for every one of them. */
static const rp_text *add_word(rp_plan *plan, rumble_words *words, const rp_text *text)
{
    reprise_error *error = plan->doc.error;
    for (size_t i = 0; i < words->count; i++) {
        if (rp_text_equal(&words->items[i], text))
            return &words->items[i];
    }
    if (words->count == words->capacity) {
        size_t capacity = RP_MAX(2 * words->capacity, (size_t)16);
        rp_text *items = rp_arena_array(&plan->arena, capacity, sizeof *items, error);
        if (!items || rp_limit(words->count, RUMBLE_WORDS_MAX, "different texts", "4096", error) !=
                          REPRISE_OK)
            return NULL;
        if (words->count)
            memcpy(items, words->items, words->count * sizeof *items);
        words->items = items;
        words->capacity = capacity;
    }
    char *copy = rp_arena_text(&plan->arena, text->data, text->size, error);
    if (!copy)
        return NULL;
    words->items[words->count] = (rp_text){copy, text->size};
    return &words->items[words->count++];
}

static void survey_look(rp_plan *plan, rumble_survey *survey, const rp_row *row)
{
    const rp_text *look = &((const rumble_player *)row->data)->visual_data;
    if (!(row->present >> rumble_player_F_visual_data & 1) || !look->data)
        return;
    const rp_text *kept = add_word(plan, &survey->looks, look);
    rp_text *first = &survey->first_looks[row->object];
    if (kept && !first->data)
        *first = *kept;
    else if (kept && !rp_text_equal(first, kept))
        survey->look_changes++;
}

/* Whether storing a rotation of a row in 7 bytes changes it. */
static bool is_rounded(const rp_record *record, const rp_row *row)
{
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].kind != RP_ROT || !(row->present >> i & 1))
            continue;
        const rp_rot *rotation = rp_at_const(&record->fields[i], row->data);
        if (rotation->size != 16)
            continue;
        rp_quat value = rp_rot_value(rotation);
        rp_rot packed = rp_rot_packed(value);
        rp_quat back = rp_rot_value(&packed);
        if (memcmp(&value, &back, sizeof value) != 0)
            return true;
    }
    return false;
}

typedef struct surveyor {
    rp_plan *plan;
    rumble_survey *survey;
} surveyor;

static reprise_status survey_row(void *ctx, const rp_row *row, reprise_error *error)
{
    rp_plan *plan = ((surveyor *)ctx)->plan;
    rumble_survey *survey = ((surveyor *)ctx)->survey;
    const void *nothing = default_row(row->track);
    survey->rows[row->track]++;
    if (row->track == RUMBLE_EXTENSIONS)
        survey->sub_indexed += ((const rumble_extension *)row->data)->sub_index != 0;
    if (!nothing)
        return REPRISE_OK;
    const rp_record *record = rumble_tracks[row->track].parts[0].record;
    for (size_t i = 0; i < record->count; i++) {
        if ((row->present >> i & 1) && !rp_field_equal(&record->fields[i], row->data, nothing))
            survey->used[row->track][i]++;
    }
    survey->rounded += is_rounded(record, row);
    if (row->track == RUMBLE_PLAYERS)
        survey_look(plan, survey, row);
    if (row->track == RUMBLE_EVENTS) {
        bool z4p = strcmp(plan->source->layout, "z4p") == 0;
        bool z3 = strcmp(plan->source->layout, "z3") == 0;
        const rp_text *id = &((const rumble_event *)row->data)->master_id;
        if ((row->present >> rumble_event_F_master_id & 1) && id->size)
            (void)add_word(plan, &survey->ids, id);
        survey->effects += !z3 && ((const rumble_event *)row->data)->type == (z4p ? 0 : 1);
    }
    return error->status;
}

static reprise_status take_survey(rp_plan *plan, rumble_survey *survey, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)plan->source;
    survey->first_looks = rp_arena_array(&plan->arena, replay->player_count, sizeof(rp_text),
                                         error);
    if (!survey->first_looks)
        return error->status;
    rp_selection selection = {.tracks = (UINT64_C(1) << RUMBLE_TRACK_COUNT) - 1};
    return rp_each_row(plan->source, selection, survey_row, &(surveyor){plan, survey}, error);
}

/* ---- losses ---- */

static uint64_t bit(unsigned field)
{
    return UINT64_C(1) << field;
}

/* Fields of the source that the target knows under another name. */
static uint64_t kept_fields(uint32_t track, const rumble_wire *wire)
{
    switch (track) {
    case RUMBLE_PLAYERS:
        return rumble_mapped_fields(&wire->player);
    case RUMBLE_STRUCTURES: {
        uint64_t fields = rumble_mapped_fields(&wire->structure);
        uint64_t state = bit(rumble_structure_F_state) | bit(rumble_structure_F_game_state);
        if (fields & state)
            fields |= state;
        if (fields & bit(rumble_structure_F_left_held))
            fields |= bit(rumble_structure_F_held);
        return fields;
    }
    case RUMBLE_PEDESTALS:
        return wire->zip ? UINT64_MAX : 0;
    case RUMBLE_PROPS:
        return wire->props ? UINT64_MAX : 0;
    default:
        return UINT64_MAX;
    }
}

static void lose_fields(rp_plan *plan, const rumble_survey *survey, const rumble_wire *wire)
{
    for (uint32_t track = RUMBLE_PLAYERS; track <= RUMBLE_PROPS; track++) {
        const rp_record *record = rumble_tracks[track].parts[0].record;
        uint64_t kept = kept_fields(track, wire);
        for (size_t i = 0; i < record->count; i++) {
            bool looks = track == RUMBLE_PLAYERS && i == rumble_player_F_visual_data;
            uint64_t rows = looks ? survey->look_changes : survey->used[track][i];
            if (rows && !(kept >> i & 1))
                rumble_report_loss(plan, "%s.%s: %llu rows", rumble_tracks[track].name,
                                   record->fields[i].name, (unsigned long long)rows);
        }
    }
}

static void lose_events(rp_plan *plan, const rumble_survey *survey, const rumble_wire *wire)
{
    uint64_t events = survey->rows[RUMBLE_EVENTS], extensions = survey->rows[RUMBLE_EXTENSIONS];
    const uint64_t *used = survey->used[RUMBLE_EVENTS];
    if (!wire->zip && events)
        rumble_report_loss(plan, "events: %llu", (unsigned long long)events);
    if (!wire->zip && extensions)
        rumble_report_loss(plan, "extensions: %llu", (unsigned long long)extensions);
    if (wire->zip && !wire->props && used[rumble_event_F_structure_id])
        rumble_report_loss(plan, "events.structure_id: %llu rows",
                           (unsigned long long)used[rumble_event_F_structure_id]);
    if (!wire->player.strict)
        return;
    if (events > survey->effects)
        rumble_report_loss(plan, "events that are no effects: %llu",
                           (unsigned long long)(events - survey->effects));
    if (used[rumble_event_F_damage] && survey->effects)
        rumble_report_loss(plan, "events.damage: %llu rows",
                           (unsigned long long)used[rumble_event_F_damage]);
    if (survey->sub_indexed)
        rumble_report_loss(plan, "extensions.sub_index: %llu rows",
                           (unsigned long long)survey->sub_indexed);
}

static size_t count_inside(const reprise_value *list, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *value = rp_get(reprise_value_at(list, i), name);
        count += value && value->kind != REPRISE_VALUE_NULL;
    }
    return count;
}

static void lose_late_members(rp_plan *plan, const reprise_value *header)
{
    static const struct {
        const char *list, *name;
    } late[] = {
        {"Players", "IsLocal"}, {"Structures", "structureId"}, {"Structures", "targetDamage"}};
    if (reprise_value_bool(rp_get(header, "isFavorited"), false))
        rumble_report_loss(plan, "isFavorited");
    for (size_t i = 0; i < RP_COUNT(late); i++) {
        size_t count = count_inside(rp_get(header, late[i].list), late[i].name);
        if (count)
            rumble_report_loss(plan, "%s.%s: %zu", late[i].list, late[i].name, count);
    }
}

/* Members that a legacy header does not have. */
static void lose_legacy(rp_plan *plan, const reprise_value *header)
{
    static const char *const texts[] = {"Title", "CustomMap", "Guid"};
    for (size_t i = 0; i < RP_COUNT(texts); i++) {
        size_t size = 0;
        reprise_value_text(rp_get(header, texts[i]), &size);
        if (size)
            rumble_report_loss(plan, "%s", texts[i]);
    }
    size_t markers = reprise_value_count(rp_get(header, "Markers")), gone = 0;
    if (markers)
        rumble_report_loss(plan, "markers: %zu", markers);
    if (reprise_value_int(rp_get(header, "AvgPing"), -1) >= 0)
        rumble_report_loss(plan, "pings");
    const reprise_value *players = rp_get(header, "Players");
    for (size_t i = 0; i < reprise_value_count(players); i++)
        gone += reprise_value_kind_of(reprise_value_at(players, i)) != REPRISE_VALUE_OBJECT;
    if (gone)
        rumble_report_loss(plan, "that %zu players left", gone);
    const rp_replay *source = plan->source;
    for (size_t i = 0; i < source->blob_count; i++) {
        const char *kind = source->blobs[i].kind;
        if (strcmp(kind, "manifest") != 0 && strcmp(kind, "stream") != 0)
            rumble_report_loss(plan, "%s (%llu bytes)", source->blobs[i].name,
                               (unsigned long long)source->blobs[i].size);
    }
}

static void compare_layouts(rp_plan *plan, const rumble_survey *survey, const rumble_wire *wire)
{
    const rumble_replay *replay = (const rumble_replay *)plan->source;
    const reprise_value *header = replay->header;
    lose_fields(plan, survey, wire);
    lose_events(plan, survey, wire);
    if (!wire->props)
        lose_late_members(plan, header);
    if (!wire->zip)
        lose_legacy(plan, header);
    if (rumble_rotation_size(wire) == 7 && survey->rounded) {
        /* The oldest layouts can only be converted this way, and the change is small: a note. */
        unsigned long long rows = survey->rounded;
        if (strcmp(plan->source->layout, "z4p") == 0)
            rumble_report_loss(plan, "exact rotations: %llu rows", rows);
        else
            rumble_report(plan, "rotations of %llu rows are rounded to 7 bytes", rows);
    }
    if (!rp_get(header, "Date") && rp_get(header, "DateUTC") && wire->zip)
        rumble_report(plan, "Date holds UTC: the source does not know local time");
    if (rp_get(header, "Date") && !wire->zip)
        rumble_report(plan, "DateUTC holds the recorder's local time, as Date did");
    if (survey->used[RUMBLE_STRUCTURES][rumble_structure_F_held] && wire->zip)
        rumble_report(plan, "structures held by a hand the source does not name count as left");
    bool from_game = strcmp(plan->source->layout, "z6") == 0;
    const uint64_t *structures = survey->used[RUMBLE_STRUCTURES];
    if (wire->zip && from_game != wire->props &&
        structures[from_game ? rumble_structure_F_game_state : rumble_structure_F_state])
        rumble_report(plan, "structure states keep their numbers, which mean other things in %s",
                      wire->name);
}

/* Cosmetics that had a field go to the header of a layout without it. */
static void keep_looks(rp_plan *plan, const rumble_survey *survey, const rumble_wire *wire)
{
    const reprise_value *players = rp_get(plan->header, "Players");
    if (rumble_mapped_fields(&wire->player) & bit(rumble_player_F_visual_data))
        return;
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const rp_text *look = &survey->first_looks[i];
        reprise_value *player = players->as.list.items[i].value;
        if (look->data && reprise_value_kind_of(player) == REPRISE_VALUE_OBJECT)
            rp_replace(&plan->doc, player, "VisualData",
                       rp_new_text_n(&plan->doc, look->data, look->size));
    }
}

/* ---- trimming ---- */

static float moved(const rp_plan *plan, const reprise_value *time)
{
    float t = (float)reprise_value_double(time, 0);
    return plan->edit.keep_times ? t : t - (float)plan->edit.time_from;
}

/* Drops markers and voices outside the range and moves the rest. */
static void trim_list(rp_plan *plan, reprise_value *list, const char *time_name, bool only_before)
{
    if (!list || list->kind != REPRISE_VALUE_ARRAY)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < list->as.list.count; i++) {
        reprise_value *item = list->as.list.items[i].value;
        const reprise_value *time = rp_get(item, time_name);
        double t = reprise_value_double(time, 0);
        if (t >= plan->edit.time_end || (!only_before && t < plan->edit.time_least))
            continue;
        if (time && !plan->edit.keep_times)
            rp_replace(&plan->doc, item, time_name, rp_new_f32(&plan->doc, moved(plan, time)));
        list->as.list.items[kept++] = list->as.list.items[i];
    }
    list->as.list.count = kept;
}

static void trim_header(rp_plan *plan, rumble_plan_data *own)
{
    reprise_value *header = plan->header, *markers = rp_get(header, "Markers");
    trim_list(plan, markers, "time", false);
    if (rp_get(header, "MarkerCount"))
        rp_replace(&plan->doc, header, "MarkerCount",
                   rp_new_int(&plan->doc, (int64_t)reprise_value_count(markers)));
    if (rp_get(header, "Duration")) {
        float duration = (float)plan->edit.time_to - (float)plan->edit.time_from;
        rp_replace(&plan->doc, header, "Duration", rp_new_f32(&plan->doc, duration));
    }
    /* The result is not the recording that the game knows by that id. */
    if (rp_remove(header, "Guid"))
        rumble_report(plan, "the result has a Guid of its own");
    trim_list(plan, rp_get(own->voices, "Tracks"), "StartTime", true);
}

/* ---- members ---- */

static bool has_voice(const reprise_value *voices, const char *file_name)
{
    const reprise_value *tracks = rp_get(voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const char *name = reprise_value_text(rp_get(reprise_value_at(tracks, i), "FileName"),
                                              NULL);
        if (name && strcmp(name, file_name) == 0)
            return true;
    }
    return false;
}

static bool was_voice(const rp_plan *plan, const char *file_name)
{
    return has_voice(((const rumble_replay *)plan->source)->voices, file_name);
}

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* The name of a voice file in the result. */
static const char *voice_name(const rumble_plan_data *own, const reprise_blob *blob)
{
    const char *name = blob->name + strlen(RUMBLE_VOICE_FOLDER);
    const char *now = rp_get_text(own->files, name);
    return now ? now : name;
}

static bool carries(const rp_plan *plan, const rumble_plan_data *own, const reprise_blob *blob)
{
    if (strcmp(blob->kind, "manifest") == 0 || strcmp(blob->kind, "stream") == 0)
        return false;
    if (strcmp(blob->kind, "voices") == 0)
        return own->voices || !removes(plan, (uint32_t)RP_PRIVATE_VOICE | RP_PRIVATE_CONTENT);
    if (strcmp(blob->kind, "voice") == 0) {
        return !removes(plan, RP_PRIVATE_VOICE) &&
               (!was_voice(plan, blob->name + strlen(RUMBLE_VOICE_FOLDER)) ||
                has_voice(own->voices, voice_name(own, blob)));
    }
    if (strcmp(blob->kind, "extension") == 0)
        return !removes(plan, RP_PRIVATE_EXTENSIONS);
    return !removes(plan, RP_PRIVATE_CONTENT);
}

/* voices.json as the mod writes it: on one line. */
static rp_text voices_text(rp_plan *plan, const reprise_value *voices, reprise_error *error)
{
    static const rp_json_format format = {.exact_integers = true, .dotnet_floats = true};
    rp_writer w;
    rp_text text = {0};
    rp_writer_init(&w, plan->source->context, SIZE_MAX / 2, error);
    rp_json_write(&w, voices, &format);
    if (rp_writer_ok(&w))
        text = (rp_text){rp_arena_text(&plan->arena, w.data, w.size, error), w.size};
    rp_writer_free(&w);
    return text;
}

/* Reading drops the findings since opening because it makes them again, but not this one. */
static void note_lost_member(rumble_replay *replay, const char *name)
{
    rp_findings *findings = &replay->base.findings;
    rp_findings_rewind(findings, replay->opened);
    rp_note(findings, RUMBLE_FINDING(LOST_MEMBER), "zip", 0, name,
            "the member is damaged and left out");
    replay->opened = findings->last;
}

static reprise_status carry_members(rp_plan *plan, const rumble_plan_data *own,
                                    const rumble_wire *wire, reprise_error *error)
{
    const rp_replay *source = plan->source;
    plan->carried = rp_arena_array(&plan->arena, source->blob_count, sizeof *plan->carried, error);
    if (!plan->carried || !wire->zip)
        return error->status;
    size_t left_out = 0;
    for (size_t i = 0; i < source->blob_count; i++) {
        const reprise_blob *blob = &source->blobs[i];
        if (source->salvage && carries(plan, own, blob) &&
            !rumble_member_is_complete((rumble_replay *)plan->source, i)) {
            note_lost_member((rumble_replay *)plan->source, blob->name);
            continue;
        }
        if (!carries(plan, own, blob)) {
            bool replaced = strcmp(blob->kind, "manifest") == 0 ||
                            strcmp(blob->kind, "stream") == 0;
            left_out += !replaced;
            continue;
        }
        rp_carried *carried = &plan->carried[plan->carried_count++];
        *carried = (rp_carried){.name = blob->name, .blob = (int64_t)i};
        if (strcmp(blob->kind, "voice") == 0 && own->files)
            carried->name = rp_arena_format(&plan->arena, error, RUMBLE_VOICE_FOLDER "%s",
                                            voice_name(own, blob));
        if (strcmp(blob->kind, "voices") == 0 && own->voices &&
            (plan->edit.trims || plan->edit.remove)) {
            carried->blob = -1;
            carried->content = voices_text(plan, own->voices, error);
        }
    }
    /* Without their names, which may reveal who spoke. */
    if (left_out)
        rumble_report(plan, "members of the archive left out: %zu", left_out);
    return error->status;
}

/* ---- all of it ---- */

reprise_status rumble_plan(rp_plan *plan, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)plan->source;
    RP_TRY(rumble_settle_layout(replay, error));
    rumble_plan_data *own = rp_arena_alloc(&plan->arena, sizeof *own, error);
    if (!own)
        return error->status;
    plan->own = own;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    rumble_wire wire;
    if (!rumble_wire_init(&wire, plan->edit.layout))
        return rp_error_set(error, REPRISE_E_USAGE, "rumble has no layout '%s'", plan->edit.layout);
    RP_TRY(take_survey(plan, &own->survey, error));
    bool same = strcmp(plan->edit.layout, plan->source->layout) == 0;
    plan->header = same ? rp_copy(&plan->doc, replay->header)
                        : rumble_header_for(&plan->doc, replay->header, plan->edit.layout);
    if (replay->voices && !removes(plan, RP_PRIVATE_VOICE))
        own->voices = rp_copy(&plan->doc, replay->voices);
    if (!plan->header)
        return error->status;
    if (!same) {
        compare_layouts(plan, &own->survey, &wire);
        keep_looks(plan, &own->survey, &wire);
    }
    if (replay->unknown_chunks || replay->unknown_fields)
        rp_push(&plan->doc, plan->dropped,
                rp_new_format(&plan->doc, "%llu chunks and %llu fields that no known build wrote",
                              (unsigned long long)replay->unknown_chunks,
                              (unsigned long long)replay->unknown_fields));
    if (plan->source->salvage && own->survey.rows[RUMBLE_FRAMES] != replay->frame_count)
        rp_remove(plan->header, "Duration"); /* another one now */
    if (plan->edit.trims)
        trim_header(plan, own);
    if (plan->edit.remove)
        RP_TRY(rumble_anonymize_header(plan, error));
    return carry_members(plan, own, &wire, error);
}
