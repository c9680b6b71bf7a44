/* info.c - what a RUMBLE replay says about itself, without decoding the match. */
#include "info.h"
#include "rumble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *friendly_scene(const char *scene)
{
    if (scene && strcmp(scene, "Map0") == 0)
        return "Ring";
    if (scene && strcmp(scene, "Map1") == 0)
        return "Pit";
    return scene;
}

/* ---- custom maps: 1|count|name|r|g|b|pos|euler|scale ... ---- */

enum { MAP_OBJECT_PARTS = 13 };

static void set_vector(rp_doc *doc, reprise_value *object, const char *key, const rp_text *parts)
{
    reprise_value *vector = rp_set_array(doc, object, key);
    for (size_t i = 0; i < 3; i++) {
        char number[32] = "";
        size_t size = RP_MIN(parts[i].size, sizeof number - 1);
        memcpy(number, parts[i].data, size);
        rp_push(doc, vector, rp_new_f32(doc, strtof(number, NULL)));
    }
}

/* Splits off the next part of a serialised map. */
static bool next_part(const char **at, const char *end, rp_text *ret_part)
{
    if (*at > end)
        return false;
    const char *bar = memchr(*at, '|', (size_t)(end - *at));
    const char *stop = bar ? bar : end;
    *ret_part = (rp_text){.data = *at, .size = (size_t)(stop - *at)};
    *at = stop + 1;
    return true;
}

static reprise_value *map_objects(rp_doc *doc, const char *at, const char *end)
{
    reprise_value *objects = rp_new_array(doc);
    rp_text parts[MAP_OBJECT_PARTS];
    for (;;) {
        for (size_t i = 0; i < MAP_OBJECT_PARTS; i++) {
            if (!next_part(&at, end, &parts[i]))
                return objects;
        }
        reprise_value *object = rp_push_object(doc, objects);
        rp_set(doc, object, "name", rp_new_text_n(doc, parts[0].data, parts[0].size));
        set_vector(doc, object, "colour", &parts[1]);
        set_vector(doc, object, "pos", &parts[4]);
        set_vector(doc, object, "euler", &parts[7]);
        set_vector(doc, object, "scale", &parts[10]);
    }
}

static void set_map(rp_doc *doc, reprise_value *info, const reprise_value *header)
{
    reprise_value *map = rp_set_object(doc, info, "map");
    const char *scene = rp_get_text(header, "Scene");
    rp_set_text_if(doc, map, "name", friendly_scene(scene));
    rp_set_text_if(doc, map, "scene", scene);
    size_t size = 0;
    const char *custom = reprise_value_text(rp_get(header, "CustomMap"), &size);
    if (!custom || !size)
        return;
    const char *at = custom, *end = custom + size;
    rp_text version, count;
    if (size > 2 && memcmp(custom, "1|", 2) == 0 && next_part(&at, end, &version) &&
        next_part(&at, end, &count)) {
        rp_set_text(doc, map, "custom", "inline");
        rp_set(doc, map, "objects", map_objects(doc, at, end));
    } else {
        rp_set_text(doc, map, "custom",
                    strcmp(custom, "FlatLandSingle") == 0 ? "FlatLand" : custom);
    }
}

/* ---- people and things ---- */

static void set_stones(rp_doc *doc, reprise_value *person, const reprise_value *player)
{
    const reprise_value *stones = rp_get(player, "EquippedShiftStones");
    reprise_value *list = rp_set_array(doc, person, "shiftstones");
    for (size_t i = 0; i < reprise_value_count(stones); i++) {
        int64_t number = reprise_value_int(reprise_value_at(stones, i), -1);
        const char *name = rp_enum_name(&rumble_stone_names, number < 0 ? 255 : number);
        rp_push(doc, list, name ? rp_new_text(doc, name) : rp_new_int(doc, number));
    }
}

static void set_people(rp_doc *doc, reprise_value *info, const reprise_value *header)
{
    const reprise_value *players = rp_get(header, "Players");
    reprise_value *people = rp_set_array(doc, info, "people");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *player = reprise_value_at(players, i);
        reprise_value *person = rp_push_object(doc, people);
        rp_set_int(doc, person, "player", (int64_t)i);
        if (reprise_value_kind_of(player) != REPRISE_VALUE_OBJECT) {
            rp_set_bool(doc, person, "left", true);
            continue;
        }
        rp_set_text_if(doc, person, "name", rp_get_text(player, "Name"));
        rp_set_text_if(doc, person, "id", rp_get_text(player, "MasterId"));
        rp_set_bool(doc, person, "host", reprise_value_bool(rp_get(player, "WasHost"), false));
        const reprise_value *local = rp_get(player, "IsLocal");
        if (local)
            rp_set_bool(doc, person, "local", reprise_value_bool(local, false));
        rp_set_int(doc, person, "battle_points",
                   reprise_value_int(rp_get(player, "BattlePoints"), 0));
        set_stones(doc, person, player);
        const reprise_value *measurement = rp_get(player, "Measurement");
        rp_set_f32(doc, person, "length",
                   (float)reprise_value_double(rp_get(measurement, "Length"), 0));
        rp_set_f32(doc, person, "arm_span",
                   (float)reprise_value_double(rp_get(measurement, "ArmSpan"), 0));
    }
}

static void set_structures(rp_doc *doc, reprise_value *info, const rumble_replay *replay)
{
    reprise_value *structures = rp_set_object(doc, info, "structures");
    rp_set_int(doc, structures, "count", replay->structure_count);
    reprise_value *types = rp_set_object(doc, structures, "types");
    size_t listed = reprise_value_count(rp_get(replay->header, "Structures"));
    int64_t counts[1 + 256] = {0}; /* unknown types first */
    for (size_t i = 0; i < listed; i++) {
        int64_t type = rumble_structure_type(replay, i);
        if (type >= -1 && type < 256)
            counts[1 + type]++;
    }
    for (int64_t type = -1; type < 256; type++) {
        int64_t count = counts[1 + type];
        if (!count)
            continue;
        const char *name = rp_enum_name(&rumble_structure_names, type);
        char number[24];
        snprintf(number, sizeof number, type < 0 ? "unknown" : "%lld", (long long)type);
        rp_set_int(doc, structures ? types : NULL, name ? name : number, count);
    }
}

static void set_markers(rp_doc *doc, reprise_value *info, const rumble_replay *replay)
{
    reprise_value *list = rp_set_array(doc, info, "markers");
    rumble_marker marker;
    float time;
    for (size_t i = 0; rumble_marker_at(replay, i, &marker, &time); i++) {
        reprise_value *one = rp_push_object(doc, list);
        rp_set_f32(doc, one, "time", time);
        if (marker.name.data)
            rp_set(doc, one, "name", rp_new_text_n(doc, marker.name.data, marker.name.size));
    }
}

static void set_pings(rp_doc *doc, reprise_value *info, const reprise_value *header)
{
    int64_t average = reprise_value_int(rp_get(header, "AvgPing"), -1);
    if (average < 0)
        return;
    reprise_value *ping = rp_set_object(doc, info, "ping_ms");
    rp_set_int(doc, ping, "average", average);
    rp_set_int(doc, ping, "least", reprise_value_int(rp_get(header, "MinPing"), 0));
    rp_set_int(doc, ping, "most", reprise_value_int(rp_get(header, "MaxPing"), 0));
}

/* ---- everything ---- */

static void set_date(rp_doc *doc, reprise_value *info, const reprise_value *header)
{
    const char *local = rp_get_text(header, "Date"), *utc = rp_get_text(header, "DateUTC");
    rp_set_text_if(doc, info, "date", local ? local : utc);
    if (local || utc)
        rp_set_text(doc, info, "date_zone", local ? "local time of the recorder" : "UTC");
}

static void set_parts(rp_doc *doc, reprise_value *info, const rumble_replay *replay)
{
    reprise_value *parts = rp_info_blobs(doc, info, &replay->base);
    if (replay->base.zip)
        return;
    reprise_value *part = rp_push_object(doc, parts);
    rp_set_text(doc, part, "name", "gzip");
    rp_set_text(doc, part, "kind", "stream");
    rp_set_uint(doc, part, "size", replay->inner_size);
    rp_set_uint(doc, part, "stored_size", replay->gzip_size);
}

/*
 * From the first frame to the last. Manifests state it since Z3 and are believed, so that no frame
 * must be decoded; `rumble.duration` is noted if the frames disagree.
 */
reprise_status rumble_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    const reprise_value *stored = rp_get(((rumble_replay *)base)->header, "Duration");
    double seconds = reprise_value_double(stored, -1);
    if (isfinite(seconds) && seconds >= 0) {
        *ret_seconds = (double)(float)seconds;
        return REPRISE_OK;
    }
    reprise_status status = rp_length_of_track(base, RUMBLE_FRAMES, ret_seconds, error);
    *ret_seconds = (double)(float)*ret_seconds; /* as manifests have it */
    return status;
}

reprise_status rumble_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    const reprise_value *header = replay->header;
    rp_set_text_if(doc, info, "title", rp_get_text(header, "Title"));
    rp_set_text_if(doc, info, "version", rp_get_text(header, "Version"));
    set_map(doc, info, header);
    set_date(doc, info, header);
    rp_set_int(doc, info, "frames", replay->frame_count);
    const reprise_value *fps = rp_get(header, "TargetFPS");
    rp_set_int(doc, info, "fps", reprise_value_int(fps ? fps : rp_get(header, "FPS"), 0));
    set_people(doc, info, header);
    set_structures(doc, info, replay);
    rp_set_int(doc, info, "pedestals", replay->pedestal_count);
    if (replay->has_props)
        rp_set_int(doc, info, "props", replay->prop_count);
    set_markers(doc, info, replay);
    set_pings(doc, info, header);
    rp_set_text_if(doc, info, "guid", rp_get_text(header, "Guid"));
    const reprise_value *favourite = rp_get(header, "isFavorited");
    if (favourite)
        rp_set_bool(doc, info, "favourite", reprise_value_bool(favourite, false));
    reprise_value *mods = rp_set_array(doc, info, "mods");
    for (size_t i = 0; i < replay->mod_count; i++)
        rp_push(doc, mods, rp_new_text(doc, replay->mods[i].name));
    set_parts(doc, info, replay);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "header", replay->header);
    return error->status;
}
