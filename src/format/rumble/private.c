/*
 * private.c - taking out who and when: names, ids, looks, titles, dates, and what other mods and
 * custom maps say. Everything that is replaced is noted, so that the result can be searched for it.
 */
#include "plan.h"

#include <stdio.h>

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* Notes that a text is gone; `to` is what stands in its place, or NULL. */
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

static const char *new_id(const rumble_own *own, const char *id)
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

/* "Player 3", or another number if somebody else was really called that. */
static void stand_in(const reprise_value *players, size_t self, const char *member, char *to,
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
    stand_in(originals, index, "Name", to, sizeof to);
    size_t plain_size = name ? plain_name(name, size, plain, sizeof plain) : 0;
    if (plain_size && plain_size != size)
        note_gone(plan, "name", plain, plain_size, to);
    replace_text(plan, player, "Name", "name", to);
}

static void anonymize_id(rp_plan *plan, const reprise_value *originals, size_t index,
                         reprise_value *player)
{
    rumble_own *own = plan->own;
    char to[32];
    const char *id = rp_get_text(player, "MasterId");
    stand_in(originals, index, "MasterId", to, sizeof to);
    if (id)
        rp_set_text(&plan->doc, own->ids, id, to);
    replace_text(plan, player, "MasterId", "account id", to);
}

static void anonymize_players(rp_plan *plan)
{
    rumble_own *own = plan->own;
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
        if (removes(plan, RP_PRIVATE_IDS))
            anonymize_id(plan, originals, i, player);
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

/* Events may name accounts of nobody who is in the list. */
static void anonymize_events(rp_plan *plan)
{
    const rumble_own *own = plan->own;
    for (size_t i = 0; i < own->survey.ids.count; i++) {
        const rp_text *id = &own->survey.ids.items[i];
        if (!new_id(own, id->data))
            note_gone(plan, "account id", id->data, id->size, NO_ACCOUNT);
    }
}

/* Speakers need not be players; then they get an id that nobody has. */
static void anonymize_speakers(rp_plan *plan)
{
    const rumble_own *own = plan->own;
    reprise_value *tracks = rp_get(own->voices, "Tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        reprise_value *track = tracks->as.list.items[i].value;
        const char *id = rp_get_text(track, "MasterId");
        if (id)
            replace_text(plan, track, "MasterId", "account id",
                         new_id(own, id) ? new_id(own, id) : NO_ACCOUNT);
    }
}

/* Voices that are left out take along who spoke and what the recordings are called. */
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

/* ---- the recording ---- */

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

static void note_texts(rp_plan *plan, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    note_gone(plan, "unknown member", text, size, NULL);
    for (size_t i = 0; i < reprise_value_count(value); i++)
        note_texts(plan, reprise_value_at(value, i));
}

/* Members no build wrote may say anything. `known` are the others, with a space behind each. */
static void drop_unknown(rp_plan *plan, reprise_value *object, const char *known)
{
    if (reprise_value_kind_of(object) != REPRISE_VALUE_OBJECT)
        return;
    for (size_t i = 0; i < object->as.list.count;) {
        const rp_member *member = &object->as.list.items[i];
        const char *at = strstr(known, member->key);
        bool is_known = at && (at == known || at[-1] == ' ') && at[member->key_size] == ' ';
        if (is_known || !has_texts(member->value)) {
            i++;
            continue;
        }
        note_texts(plan, member->value);
        rumble_tell(plan, "the member %s, which nobody knows, is left out", member->key);
        rp_remove(object, member->key);
    }
}

static void drop_unknown_in(rp_plan *plan, const char *list_name, const char *known)
{
    const reprise_value *list = rp_get(plan->header, list_name);
    for (size_t i = 0; i < reprise_value_count(list); i++)
        drop_unknown(plan, list->as.list.items[i].value, known);
}

static void drop_all_unknown(rp_plan *plan)
{
    drop_unknown(plan, plan->header,
                 "Title CustomMap Version Scene Date DateUTC Players Markers Structures SceneProps "
                 "Guid Voices Duration ");
    drop_unknown_in(plan, "Players", "MasterId Name VisualData ");
    drop_unknown_in(plan, "Markers", "name type ");
    drop_unknown_in(plan, "Structures", "Type ");
    drop_unknown_in(plan, "SceneProps", "type ");
}

static void anonymize_recording(rp_plan *plan)
{
    reprise_value *header = plan->header;
    if (removes(plan, RP_PRIVATE_NAMES))
        replace_text(plan, header, "Title", "title", "Replay");
    if (removes(plan, RP_PRIVATE_TIMES)) {
        replace_text(plan, header, "Date", "date", "2000-01-01 00:00:00");
        replace_text(plan, header, "DateUTC", "date", "2000-01-01 00:00:00");
    }
    if (removes(plan, RP_PRIVATE_IDS)) {
        size_t size = 0;
        const char *guid = reprise_value_text(rp_get(header, "Guid"), &size);
        note_gone(plan, "file id", guid, size, NULL);
        rp_remove(header, "Guid"); /* the encoder makes one from the new content */
    }
    if (removes(plan, RP_PRIVATE_CONTENT)) {
        size_t size = 0;
        const char *map = reprise_value_text(rp_get(header, "CustomMap"), &size);
        note_gone(plan, "custom map", map, size, NULL);
        if (size)
            rp_remove(header, "CustomMap");
        drop_all_unknown(plan);
    }
}

/* ---- texts that stay ---- */

enum { SCRUB_SIZE_MIN = 4 }; /* shorter ones stand inside of words: only whole words go */

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* Where a text stands in another one from `at` on, or NULL. */
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
        size_t size;
        const char *from = reprise_value_text(rp_get(one, "from"), &size);
        const char *to = rp_get_text(one, "to");
        if (size)
            scrub(plan, rp_get(plan->header, "Markers"), from, to ? to : "");
    }
}

/* ---- names of files ---- */

/* A text without what goes and has something in its place. */
static const char *scrubbed(rp_plan *plan, const char *words)
{
    reprise_value *text = rp_new_text(&plan->doc, words);
    for (size_t i = 0; i < reprise_value_count(plan->substitutions); i++) {
        const reprise_value *one = reprise_value_at(plan->substitutions, i);
        const char *from = rp_get_text(one, "from");
        const char *to = rp_get_text(one, "to");
        if (to)
            scrub(plan, text, from, to);
    }
    const char *now = reprise_value_text(text, NULL);
    return now ? now : "";
}

static bool is_taken(const rp_plan *plan, const char *name)
{
    const rumble_own *own = plan->own;
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

/* The game names voices after accounts: with the ids, such names go, too. */
static void rename_voice(rp_plan *plan, const char *name)
{
    rumble_own *own = plan->own;
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
    rumble_own *own = plan->own;
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
    anonymize_recording(plan);
    scrub_markers(plan);
    return error->status;
}

/* ---- rows ---- */

static reprise_status edit_event(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const rumble_event *from = row->data;
    if (!(row->present >> rumble_event_F_master_id & 1) || !from->master_id.size)
        return REPRISE_OK;
    rumble_event *event = rp_arena_alloc(&plan->scratch, sizeof *event, error);
    char *id = rp_arena_text(&plan->scratch, from->master_id.data, from->master_id.size, error);
    if (!event || !id)
        return error->status;
    *event = *from;
    const char *to = new_id(plan->own, id);
    event->master_id.data = to ? to : NO_ACCOUNT;
    event->master_id.size = strlen(event->master_id.data);
    row->data = event;
    return REPRISE_OK;
}

static reprise_status edit_player(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const rumble_player *from = row->data;
    if (!from->visual_data.data)
        return REPRISE_OK;
    rumble_player *player = rp_arena_alloc(&plan->scratch, sizeof *player, error);
    if (!player)
        return error->status;
    *player = *from;
    player->visual_data = (rp_text){0};
    row->present &= ~(UINT64_C(1) << rumble_player_F_visual_data);
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
        if (row->track == RUMBLE_PLAYERS && removes(plan, RP_PRIVATE_LOOKS))
            RP_TRY(edit_player(plan, row, error));
        batch->rows[kept++] = *row;
    }
    batch->count = kept;
    return REPRISE_OK;
}
