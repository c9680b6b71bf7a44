/*
 * redact.c - taking out who and when: names, ids, looks, titles, dates, and what other mods and
 * custom maps say. Everything that is replaced is noted, so that the result can be searched for it.
 */
#include "edit.h"

#include <stdio.h>

#include "hash.h"
#include "private.h"

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* Notes that a text is gone; `to` replaces it, or is NULL. */
static void note_gone(rp_plan *plan, const char *what, const char *from, size_t size,
                      const char *to)
{
    if (!from || !size || (to && strlen(to) == size && memcmp(to, from, size) == 0))
        return;
    rp_doc *doc = &plan->doc;
    reprise_value *one = rp_push_object(doc, plan->substitutions);
    rp_set_text(doc, one, "what", what);
    rp_set(doc, one, "from", rp_new_text_n(doc, from, size));
    rp_set(doc, one, "to", to ? rp_new_text(doc, to) : rp_new_null(doc));
}

/* Replaces a text member that is there and not empty. */
static void replace_text(rp_plan *plan, reprise_value *object, const char *name, const char *what,
                         const char *to)
{
    size_t size = 0;
    const char *from = reprise_value_text(rp_get(object, name), &size);
    if (!size)
        return;
    note_gone(plan, what, from, size, to);
    rp_replace(&plan->doc, object, name, rp_new_text(&plan->doc, to));
}

/* ---- people ---- */

#define NO_ACCOUNT "0000000000000000"

static const char *new_id(const rumble_plan_data *own, const char *id)
{
    return rp_get_text(own->ids, id);
}

/* A name without its colours: <#FFF>Ann<#FFF> is also Ann. */
static size_t plain_name(const char *name, size_t size, char *to, size_t room)
{
    size_t n = 0;
    bool tag = false;
    for (size_t i = 0; i < size && n + 1 < room; i++) {
        if (name[i] == '<')
            tag = true;
        else if (name[i] == '>' && tag)
            tag = false;
        else if (!tag)
            to[n++] = name[i];
    }
    to[n] = '\0';
    return n;
}

static bool is_text_of_other(const reprise_value *players, size_t self, const char *member,
                             const char *text)
{
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const char *other = reprise_value_text(rp_get(reprise_value_at(players, i), member), NULL);
        if (i != self && other && strcmp(other, text) == 0)
            return true;
    }
    return false;
}

/* "Player 3", or another number if another player really has that name. */
static void substitute(const reprise_value *players, size_t self, const char *member, char *to,
                       size_t size)
{
    size_t number = self + 1, count = reprise_value_count(players);
    do {
        if (strcmp(member, "Name") == 0)
            snprintf(to, size, "Player %zu", number);
        else
            snprintf(to, size, "%016zX", number);
        number += count;
    } while (is_text_of_other(players, self, member, to));
}

static void anonymize_name(rp_plan *plan, const reprise_value *originals, size_t index,
                           reprise_value *player)
{
    char to[32], plain[256];
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(player, "Name"), &size);
    substitute(originals, index, "Name", to, sizeof to);
    size_t plain_size = name ? plain_name(name, size, plain, sizeof plain) : 0;
    if (plain_size && plain_size != size)
        note_gone(plan, "name", plain, plain_size, to);
    replace_text(plan, player, "Name", "name", to);
}

static void anonymize_id(rp_plan *plan, const reprise_value *originals, size_t index,
                         reprise_value *player)
{
    rumble_plan_data *own = plan->own;
    char to[32];
    const char *id = rp_get_text(player, "MasterId");
    substitute(originals, index, "MasterId", to, sizeof to);
    if (id)
        rp_set_text(&plan->doc, own->ids, id, to);
    replace_text(plan, player, "MasterId", "account id", to);
}

/* Events may name accounts that are not in the list of players. */
static void anonymize_events(rp_plan *plan)
{
    const rumble_plan_data *own = plan->own;
    for (size_t i = 0; i < own->survey.ids.count; i++) {
        const rp_text *id = &own->survey.ids.items[i];
        if (!new_id(own, id->data))
            note_gone(plan, "account id", id->data, id->size, NO_ACCOUNT);
    }
}

/* Speakers need not be players; then they get an unused id. */
static void anonymize_speakers(rp_plan *plan)
{
    const rumble_plan_data *own = plan->own;
    reprise_value *tracks = rp_get(own->voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        reprise_value *track = tracks->as.list.items[i].value;
        const char *id = rp_get_text(track, "MasterId");
        if (id)
            replace_text(plan, track, "MasterId", "account id",
                         new_id(own, id) ? new_id(own, id) : NO_ACCOUNT);
    }
}

/* With the voices, speakers and names of recordings are removed. */
static void note_voices(rp_plan *plan)
{
    const rumble_replay *replay = (const rumble_replay *)plan->source;
    const reprise_value *tracks = rp_get(replay->voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        size_t size = 0;
        const char *text = reprise_value_text(rp_get(track, "FileName"), &size);
        note_gone(plan, "voice", text, size, NULL);
        text = reprise_value_text(rp_get(track, "MasterId"), &size);
        if (removes(plan, RP_PRIVATE_IDS) && text && !new_id(plan->own, text))
            note_gone(plan, "account id", text, size, NULL);
    }
}

/* ---- ratings, bodies, connections ---- */

/* The size of an anonymous body, metres. */
static const float neutral_length = 1.7f;

static const char *const measures[] = {"Length", "ArmSpan"};

static bool has_number(const reprise_value *object, const char *key, double neutral)
{
    const reprise_value *value = rp_get(object, key);
    double number = reprise_value_double(value, neutral);
    return value && number != 0 && number != neutral;
}

static bool has_body(const reprise_value *player)
{
    const reprise_value *measurement = rp_get(player, "Measurement");
    for (size_t i = 0; i < RP_COUNT(measures); i++) {
        if (has_number(measurement, measures[i], (double)neutral_length) &&
            (float)reprise_value_double(rp_get(measurement, measures[i]), 0) != neutral_length)
            return true;
    }
    return false;
}

static void clear_body(rp_plan *plan, reprise_value *player)
{
    rp_doc *doc = &plan->doc;
    if (!has_body(player))
        return;
    reprise_value *measurement = rp_new_object(doc);
    for (size_t i = 0; i < RP_COUNT(measures); i++)
        rp_set(doc, measurement, measures[i], rp_new_f32(doc, neutral_length));
    rp_replace(doc, player, "Measurement", measurement);
}

static void clear_rating(rp_plan *plan, reprise_value *player)
{
    if (has_number(player, "BattlePoints", 0))
        rp_replace(&plan->doc, player, "BattlePoints", rp_new_int(&plan->doc, 0));
}

static void anonymize_players(rp_plan *plan)
{
    rumble_plan_data *own = plan->own;
    const rumble_replay *replay = (const rumble_replay *)plan->source;
    const reprise_value *originals = rp_get(replay->header, "Players");
    reprise_value *players = rp_get(plan->header, "Players");
    own->ids = rp_new_object(&plan->doc);
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        reprise_value *player = players->as.list.items[i].value;
        if (reprise_value_kind_of(player) != REPRISE_VALUE_OBJECT)
            continue;
        if (removes(plan, RP_PRIVATE_NAMES))
            anonymize_name(plan, originals, i, player);
        if (removes(plan, RP_PRIVATE_IDS)) {
            anonymize_id(plan, originals, i, player);
            clear_rating(plan, player);
            clear_body(plan, player);
        }
        if (removes(plan, RP_PRIVATE_LOOKS)) {
            size_t size = 0;
            const char *looks = reprise_value_text(rp_get(player, "VisualData"), &size);
            note_gone(plan, "cosmetics", looks, size, NULL);
            if (looks)
                rp_replace(&plan->doc, player, "VisualData", rp_new_text(&plan->doc, ""));
        }
    }
    const rumble_words *looks = &own->survey.looks;
    for (size_t i = 0; removes(plan, RP_PRIVATE_LOOKS) && i < looks->count; i++)
        note_gone(plan, "cosmetics", looks->items[i].data, looks->items[i].size, NULL);
}

/* Pings when nothing was measured. */
static const struct {
    const char *name;
    int64_t value;
} no_pings[] = {{"AvgPing", -1}, {"MaxPing", 0}, {"MinPing", INT32_MAX}};

static uint64_t count_pings(const reprise_value *header)
{
    uint64_t count = 0;
    for (size_t i = 0; i < RP_COUNT(no_pings); i++)
        count += has_number(header, no_pings[i].name, (double)no_pings[i].value);
    return count;
}

static void clear_pings(rp_plan *plan)
{
    for (size_t i = 0; i < RP_COUNT(no_pings); i++) {
        if (rp_get(plan->header, no_pings[i].name))
            rp_replace(&plan->doc, plan->header, no_pings[i].name,
                       rp_new_int(&plan->doc, no_pings[i].value));
    }
}

/* ---- members that no build wrote ---- */

/* Objects of the manifest: which members they have, and which of these are texts. */
typedef struct shape {
    const char *list; /* a member of the manifest; NULL: the manifest itself */
    const char *members, *texts, *lists;
} shape;

static const shape shapes[] = {
    {NULL, NULL, " Title CustomMap Version Scene Date DateUTC Guid ",
     " Players Markers Structures SceneProps "},
    {"Players",
     " ActorId MasterId Name BattlePoints VisualData EquippedShiftStones Measurement WasHost "
     "IsLocal ",
     " MasterId Name VisualData ", " "},
    {"Markers", " r g b name time position PlayerIndex type color ", " name ", " "},
    {"Structures", " Type structureId targetDamage ", " Type ", " "},
    {"SceneProps", " type ", " ", " "},
};
static const shape body_shape = {NULL, " Length ArmSpan ", " ", " "};

/* Lists begin and end with a space. A name with a space in it is none of their words. */
static bool is_listed(const char *list, const char *name)
{
    size_t size = strlen(name);
    if (!size || strchr(name, ' '))
        return false;
    for (const char *at = list; (at = strstr(at, name)); at++) {
        if (at[-1] == ' ' && at[size] == ' ')
            return true;
    }
    return false;
}

static bool has_texts(const reprise_value *value)
{
    if (reprise_value_kind_of(value) == REPRISE_VALUE_STRING)
        return true;
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        if (has_texts(reprise_value_at(value, i)))
            return true;
    }
    return false;
}

/* The name is unknown, or a text is where none belongs. */
static bool is_foreign(const shape *s, const char *key, const reprise_value *value)
{
    bool known = s->members ? is_listed(s->members, key) : rumble_is_member(key);
    if (!known)
        return true;
    if (is_listed(s->lists, key))
        return reprise_value_kind_of(value) == REPRISE_VALUE_STRING;
    return is_listed(s->texts, key) ? reprise_value_count(value) > 0 : has_texts(value);
}

static uint64_t count_foreign(const shape *s, const reprise_value *object)
{
    uint64_t count = 0;
    for (size_t i = 0;
         reprise_value_kind_of(object) == REPRISE_VALUE_OBJECT && i < reprise_value_count(object);
         i++) {
        const char *key = reprise_value_key(object, i);
        count += is_foreign(s, key, reprise_value_at(object, i));
        if (strcmp(key, "Measurement") == 0)
            count += count_foreign(&body_shape, reprise_value_at(object, i));
    }
    return count;
}

static uint64_t count_all_foreign(const reprise_value *header)
{
    uint64_t count = count_foreign(&shapes[0], header);
    for (size_t k = 1; k < RP_COUNT(shapes); k++) {
        const reprise_value *list = rp_get(header, shapes[k].list);
        for (size_t i = 0; i < reprise_value_count(list); i++)
            count += count_foreign(&shapes[k], reprise_value_at(list, i));
    }
    return count;
}

static void note_texts(rp_plan *plan, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    note_gone(plan, "unknown member", text, size, NULL);
    for (size_t i = 0; i < reprise_value_count(value); i++)
        note_texts(plan, reprise_value_at(value, i));
}

/* Members that no build wrote may hold anything, even in their names. */
static void drop_foreign(rp_plan *plan, const shape *s, reprise_value *object)
{
    if (reprise_value_kind_of(object) != REPRISE_VALUE_OBJECT)
        return;
    for (size_t i = 0; i < object->as.list.count;) {
        const rp_member *member = &object->as.list.items[i];
        if (strcmp(member->key, "Measurement") == 0)
            drop_foreign(plan, &body_shape, member->value);
        if (!is_foreign(s, member->key, member->value)) {
            i++;
            continue;
        }
        note_texts(plan, member->value);
        rp_remove(object, member->key);
    }
}

static void drop_all_foreign(rp_plan *plan)
{
    drop_foreign(plan, &shapes[0], plan->header);
    for (size_t k = 1; k < RP_COUNT(shapes); k++) {
        const reprise_value *list = rp_get(plan->header, shapes[k].list);
        for (size_t i = 0; i < reprise_value_count(list); i++)
            drop_foreign(plan, &shapes[k], list->as.list.items[i].value);
    }
}

/* ---- markers ---- */

static bool is_marker_name(const char *name)
{
    static const char *const names[] = {"core.manual", "core.roundEnded", "core.matchEnded",
                                        "core.largeDamage"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return !*name;
}

static uint64_t count_marker_names(const reprise_value *header)
{
    const reprise_value *markers = rp_get(header, "Markers");
    uint64_t count = 0;
    for (size_t i = 0; i < reprise_value_count(markers); i++) {
        const char *name = rp_get_text(reprise_value_at(markers, i), "name");
        count += name && !is_marker_name(name);
    }
    return count;
}

/* Other names were typed by people, or tell which mods are in use. */
static void rename_markers(rp_plan *plan)
{
    const reprise_value *markers = rp_get(plan->header, "Markers");
    for (size_t i = 0; i < reprise_value_count(markers); i++) {
        reprise_value *marker = markers->as.list.items[i].value;
        const char *name = rp_get_text(marker, "name");
        if (name && !is_marker_name(name))
            replace_text(plan, marker, "name", "marker name", "core.manual");
    }
}

/* ---- the recording ---- */

#define NO_DATE  "2000-01-01 00:00:00"
#define NO_TITLE "Replay"

/* An id that is the same whenever the same file is anonymized. */
static reprise_status set_guid(rp_plan *plan, reprise_error *error)
{
    uint8_t digest[RP_SHA256_SIZE];
    char id[RP_NEUTRAL_ID_SIZE];
    size_t size = 0;
    const char *guid = reprise_value_text(rp_get(plan->header, "Guid"), &size);
    RP_TRY(rp_sha256_source(plan->source->context, plan->source->source, digest, error));
    rp_neutral_id(digest, id);
    note_gone(plan, "file id", guid, size, id);
    if (rp_get(plan->header, "Guid"))
        rp_replace(&plan->doc, plan->header, "Guid", rp_new_text(&plan->doc, id));
    else
        rp_set_text(&plan->doc, plan->header, "Guid", id);
    return REPRISE_OK;
}

static reprise_status anonymize_recording(rp_plan *plan, reprise_error *error)
{
    reprise_value *header = plan->header;
    if (removes(plan, RP_PRIVATE_NAMES))
        replace_text(plan, header, "Title", "title", NO_TITLE);
    if (removes(plan, RP_PRIVATE_TIMES)) {
        replace_text(plan, header, "Date", "date", NO_DATE);
        replace_text(plan, header, "DateUTC", "date", NO_DATE);
    }
    if (removes(plan, RP_PRIVATE_ADDRESSES))
        clear_pings(plan);
    if (removes(plan, RP_PRIVATE_CONTENT)) {
        size_t size = 0;
        const char *map = reprise_value_text(rp_get(header, "CustomMap"), &size);
        note_gone(plan, "custom map", map, size, NULL);
        if (size)
            rp_remove(header, "CustomMap");
        drop_all_foreign(plan);
        rename_markers(plan);
    }
    bool zip = strcmp(plan->edit.layout, "l1") != 0;
    return removes(plan, RP_PRIVATE_IDS) && zip ? set_guid(plan, error) : REPRISE_OK;
}

/* ---- texts that stay ---- */

enum {
    SCRUB_SIZE_MIN = 4
}; /* shorter ones occur inside words, so only complete words are removed */

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* Where a text occurs in another one from `at` on, or NULL. */
static const char *find_in(const char *text, const char *at, const char *from)
{
    size_t size = strlen(from);
    while ((at = strstr(at, from))) {
        bool whole = (at == text || !is_letter(at[-1])) && !is_letter(at[size]);
        if (size >= SCRUB_SIZE_MIN || whole)
            return at;
        at++;
    }
    return NULL;
}

static void scrub_text(rp_plan *plan, reprise_value *text, const char *from, const char *to)
{
    const char *at = text->as.string.text;
    if (!*from || strlen(at) != text->as.string.size)
        return;
    while ((at = find_in(text->as.string.text, at, from))) {
        size_t before = (size_t)(at - text->as.string.text);
        char *now = rp_arena_format(&plan->arena, plan->doc.error, "%.*s%s%s", (int)before,
                                    text->as.string.text, to, at + strlen(from));
        if (!now)
            return;
        text->as.string.text = now;
        text->as.string.size = strlen(now);
        at = now + before + strlen(to);
    }
}

/* A marker may be named after a player. */
static void scrub(rp_plan *plan, reprise_value *value, const char *from, const char *to)
{
    if (reprise_value_kind_of(value) == REPRISE_VALUE_STRING)
        scrub_text(plan, value, from, to);
    for (size_t i = 0; i < reprise_value_count(value); i++)
        scrub(plan, value->as.list.items[i].value, from, to);
}

static void scrub_markers(rp_plan *plan)
{
    for (size_t i = 0; i < reprise_value_count(plan->substitutions); i++) {
        const reprise_value *one = reprise_value_at(plan->substitutions, i);
        const char *from = rp_get_text(one, "from");
        const char *to = rp_get_text(one, "to");
        if (from)
            scrub(plan, rp_get(plan->header, "Markers"), from, to ? to : "");
    }
}

/* ---- names of files ---- */

/* A text with everything private replaced. */
static const char *scrubbed(rp_plan *plan, const char *words)
{
    reprise_value *text = rp_new_text(&plan->doc, words);
    for (size_t i = 0; i < reprise_value_count(plan->substitutions); i++) {
        const reprise_value *one = reprise_value_at(plan->substitutions, i);
        const char *from = rp_get_text(one, "from");
        const char *to = rp_get_text(one, "to");
        if (from && to)
            scrub(plan, text, from, to);
    }
    const char *now = reprise_value_text(text, NULL);
    return now ? now : "";
}

static bool is_taken(const rp_plan *plan, const char *name)
{
    const rumble_plan_data *own = plan->own;
    const rp_replay *source = plan->source;
    for (size_t i = 0; i < source->blob_count; i++) {
        if (strcmp(source->blobs[i].kind, "voice") == 0 &&
            strcmp(source->blobs[i].name + strlen(RUMBLE_VOICE_FOLDER), name) == 0)
            return true;
    }
    for (size_t i = 0; i < reprise_value_count(own->files); i++) {
        if (strcmp(reprise_value_text(reprise_value_at(own->files, i), NULL), name) == 0)
            return true;
    }
    return false;
}

/* The game names voices after accounts, so such names are removed with the ids. */
static void rename_voice(rp_plan *plan, const char *name)
{
    rumble_plan_data *own = plan->own;
    const char *base = scrubbed(plan, name), *now = base;
    if (rp_get(own->files, name) || strcmp(base, name) == 0)
        return;
    for (unsigned i = 2; now && is_taken(plan, now); i++)
        now = rp_arena_format(&plan->arena, plan->doc.error, "%u_%s", i, base);
    if (!now)
        return;
    rp_set_text(&plan->doc, own->files, name, now);
    note_gone(plan, "voice file", name, strlen(name), now);
}

static void rename_voices(rp_plan *plan)
{
    rumble_plan_data *own = plan->own;
    const rp_replay *source = plan->source;
    reprise_value *tracks = rp_get(own->voices, "Tracks");
    own->files = rp_new_object(&plan->doc);
    for (size_t i = 0; i < source->blob_count; i++) {
        if (strcmp(source->blobs[i].kind, "voice") == 0)
            rename_voice(plan, source->blobs[i].name + strlen(RUMBLE_VOICE_FOLDER));
    }
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        reprise_value *track = tracks->as.list.items[i].value;
        const char *name = rp_get_text(track, "FileName");
        if (!name)
            continue;
        rename_voice(plan, name);
        const char *now = rp_get_text(own->files, name);
        if (now)
            rp_replace(&plan->doc, track, "FileName", rp_new_text(&plan->doc, now));
    }
}

reprise_status rumble_anonymize_header(rp_plan *plan, reprise_error *error)
{
    anonymize_players(plan);
    if (removes(plan, RP_PRIVATE_IDS)) {
        anonymize_speakers(plan);
        anonymize_events(plan);
    }
    if (removes(plan, RP_PRIVATE_VOICE))
        note_voices(plan);
    else
        rename_voices(plan);
    RP_TRY(anonymize_recording(plan, error));
    scrub_markers(plan);
    return error->status;
}

/* ---- rows ---- */

static reprise_status edit_event(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const rumble_event *from = row->data;
    bool named = (row->present >> rumble_event_F_master_id & 1) && from->master_id.size;
    bool body = from->length != 0 || from->arm_span != 0;
    if (!named && !body)
        return REPRISE_OK;
    rumble_event *event = rp_arena_alloc(&plan->scratch, sizeof *event, error);
    char *id = rp_arena_text(&plan->scratch, from->master_id.data, from->master_id.size, error);
    if (!event || !id)
        return error->status;
    *event = *from;
    if (body)
        event->length = event->arm_span = neutral_length;
    if (named) {
        const char *to = new_id(plan->own, id);
        event->master_id.data = to ? to : NO_ACCOUNT;
        event->master_id.size = strlen(event->master_id.data);
    }
    row->data = event;
    return REPRISE_OK;
}

/* Bodies are also measured in frames. */
static bool is_body(float metres)
{
    return metres != 0 && metres != neutral_length;
}

static bool has_frame_body(const rp_row *row)
{
    const rumble_player *player = row->data;
    bool length = row->present >> rumble_player_F_length & 1;
    bool span = row->present >> rumble_player_F_arm_span & 1;
    return (length && is_body(player->length)) || (span && is_body(player->arm_span));
}

static reprise_status edit_player(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const rumble_player *from = row->data;
    bool looks = removes(plan, RP_PRIVATE_LOOKS) && from->visual_data.data;
    bool body = removes(plan, RP_PRIVATE_IDS) && (from->length != 0 || from->arm_span != 0);
    if (!looks && !body)
        return REPRISE_OK;
    rumble_player *player = rp_arena_alloc(&plan->scratch, sizeof *player, error);
    if (!player)
        return error->status;
    *player = *from;
    if (looks) {
        player->visual_data = (rp_text){0};
        row->present &= ~(UINT64_C(1) << rumble_player_F_visual_data);
    }
    if (body)
        player->length = player->arm_span = neutral_length;
    row->data = player;
    return REPRISE_OK;
}

reprise_status rumble_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        rp_row *row = &batch->rows[i];
        if (row->track == RUMBLE_EXTENSIONS && removes(plan, RP_PRIVATE_EXTENSIONS))
            continue;
        if (row->track == RUMBLE_EVENTS && removes(plan, RP_PRIVATE_IDS))
            RP_TRY(edit_event(plan, row, error));
        if (row->track == RUMBLE_PLAYERS)
            RP_TRY(edit_player(plan, row, error));
        batch->rows[kept++] = *row;
    }
    batch->count = kept;
    return REPRISE_OK;
}

/* ---- what is private, by value ---- */

/* Replacement accounts are small numbers. */
static bool is_account(const char *id, size_t size)
{
    static const char zeros[] = "00000000000";
    return size && (size < sizeof zeros || memcmp(id, zeros, sizeof zeros - 1) != 0);
}

static uint64_t has_other_text(const reprise_value *object, const char *key, const char *neutral)
{
    const char *text = rp_get_text(object, key);
    return text && *text && strcmp(text, neutral) != 0;
}

static uint64_t count_blobs(const rp_replay *replay, const char *kind)
{
    uint64_t count = 0;
    for (size_t i = 0; i < replay->blob_count; i++)
        count += strcmp(replay->blobs[i].kind, kind) == 0;
    return count;
}

static void look_at_player(const reprise_value *player, rp_private *found)
{
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(player, "Name"), &size);
    rp_private_add(found, RP_PRIVATE_NAMES, "player names",
                   size && !rp_is_substitute(name, size, "Player"));
    const char *id = reprise_value_text(rp_get(player, "MasterId"), &size);
    rp_private_add(found, RP_PRIVATE_IDS, "account ids", id && is_account(id, size));
    rp_private_add(found, RP_PRIVATE_IDS, "battle points", has_number(player, "BattlePoints", 0));
    rp_private_add(found, RP_PRIVATE_IDS, "body measurements", has_body(player));
    rp_private_add(found, RP_PRIVATE_LOOKS, "cosmetics", has_other_text(player, "VisualData", ""));
}

static bool is_game_scene(const char *scene)
{
    return is_listed(" Gym Park Map0 Map1 ", scene) || !*scene;
}

reprise_status rumble_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)base;
    const reprise_value *header = replay->header, *players = rp_get(header, "Players");
    for (size_t i = 0; i < reprise_value_count(players); i++)
        look_at_player(reprise_value_at(players, i), found);
    rp_private_add(found, RP_PRIVATE_NAMES, "title", has_other_text(header, "Title", NO_TITLE));
    rp_private_add(found, RP_PRIVATE_TIMES, "date",
                   has_other_text(header, "Date", NO_DATE) +
                       has_other_text(header, "DateUTC", NO_DATE));
    size_t size = 0;
    const char *guid = reprise_value_text(rp_get(header, "Guid"), &size);
    rp_private_add(found, RP_PRIVATE_IDS, "file id", size && !rp_is_neutral_id(guid, size));
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "network latency", count_pings(header));
    rp_private_add(found, RP_PRIVATE_CONTENT, "custom map",
                   has_other_text(header, "CustomMap", ""));
    rp_private_add(found, RP_PRIVATE_CONTENT, "unknown members", count_all_foreign(header));
    rp_private_add(found, RP_PRIVATE_CONTENT, "marker names", count_marker_names(header));
    rp_private_add(found, RP_PRIVATE_CONTENT, "unknown files", count_blobs(base, "other"));
    rp_private_add(found, RP_PRIVATE_VOICE, "voice recordings",
                   count_blobs(base, "voice") + count_blobs(base, "voices"));
    const reprise_value *tracks = rp_get(replay->voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const char *id = reprise_value_text(rp_get(reprise_value_at(tracks, i), "MasterId"), &size);
        rp_private_add(found, RP_PRIVATE_IDS, "account ids of speakers",
                       id && is_account(id, size));
    }
    rp_private_add(found, RP_PRIVATE_EXTENSIONS, "files of other mods",
                   count_blobs(base, "extension"));
    const char *scene = rp_get_text(header, "Scene");
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "name of the scene",
                            "content, not people, as far as a program can tell", false,
                            scene && !is_game_scene(scene));
    return error->status;
}

void rumble_private_row(const rp_replay *replay, const rp_row *row, rp_private *found)
{
    RP_UNUSED(replay);
    const rp_text *text;
    switch (row->track) {
    case RUMBLE_EXTENSIONS:
        rp_private_add(found, RP_PRIVATE_EXTENSIONS, "data of other mods", 1);
        break;
    case RUMBLE_EVENTS:
        text = &((const rumble_event *)row->data)->master_id;
        rp_private_add(found, RP_PRIVATE_IDS, "account ids of events",
                       (row->present >> rumble_event_F_master_id & 1) &&
                           is_account(text->data, text->size));
        rp_private_add(found, RP_PRIVATE_IDS, "body measurements of events",
                       is_body(((const rumble_event *)row->data)->length) ||
                           is_body(((const rumble_event *)row->data)->arm_span));
        break;
    case RUMBLE_PLAYERS:
        text = &((const rumble_player *)row->data)->visual_data;
        rp_private_add(found, RP_PRIVATE_LOOKS, "cosmetics in frames",
                       (row->present >> rumble_player_F_visual_data & 1) && text->size);
        rp_private_add(found, RP_PRIVATE_IDS, "body measurements in frames", has_frame_body(row));
        break;
    default:
        break;
    }
}
