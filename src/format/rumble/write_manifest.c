/*
 * write_manifest.c - metadata of every layout we write, from one document; the mirror of
 * read_header.c.
 *
 * Each layout has its members in the order its builds wrote them, because the mod's own importers
 * want exactly these. Members that no build knows are kept after them.
 */
#include <stdlib.h>

#include "edit.h"
#include "hash.h"
#include "json.h"

/* Layouts as bits. */
enum {
    IN_L1 = 1 << 0,
    IN_Z4 = 1 << 1,
    IN_Z4P = 1 << 2,
    IN_Z5 = 1 << 3,
    IN_Z6 = 1 << 4,
    IN_ZIP = IN_Z4 | IN_Z4P | IN_Z5 | IN_Z6,
};

/* The default of a member; NONE: left out. */
typedef enum filler { NONE, TEXT, NUMBER, FALSE, LIST } filler;

typedef struct member {
    const char *name;
    unsigned layouts; /* that have it */
    filler filler;
    const char *text; /* or number, of the filler */
} member;

static const member members[] = {
    {"Title", IN_ZIP, TEXT, ""},
    {"CustomMap", IN_ZIP, NONE, ""},
    {"Version", IN_ZIP | IN_L1, TEXT, "1.2.4"},
    {"Scene", IN_ZIP | IN_L1, TEXT, ""},
    {"Date", IN_ZIP, TEXT, ""},
    {"DateUTC", IN_L1, TEXT, ""},
    {"Duration", IN_ZIP, NONE, ""},
    {"FrameCount", IN_ZIP | IN_L1, NUMBER, "0"},
    {"PedestalCount", IN_ZIP, NUMBER, "0"},
    {"ScenePropCount", IN_Z6, NUMBER, "0"},
    {"MarkerCount", IN_ZIP, NUMBER, "0"},
    {"AvgPing", IN_ZIP, NUMBER, "-1"},
    {"MaxPing", IN_ZIP, NUMBER, "0"},
    {"MinPing", IN_ZIP, NUMBER, "2147483647"},
    {"TargetFPS", IN_ZIP, NUMBER, "50"},
    {"StructureCount", IN_L1, NONE, ""},
    {"FPS", IN_L1, NUMBER, "50"},
    {"isFavorited", IN_Z6, FALSE, ""},
    {"Players", IN_ZIP | IN_L1, LIST, ""},
    {"Structures", IN_ZIP | IN_L1, LIST, ""},
    {"SceneProps", IN_Z6, LIST, ""},
    {"Markers", IN_ZIP, LIST, ""},
    {"Voices", 0, NONE, ""},
    {"Guid", IN_ZIP, NONE, ""},
};

static const member *find_member(const char *name)
{
    for (size_t i = 0; i < RP_COUNT(members); i++) {
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    }
    return NULL;
}

bool rumble_is_member(const char *name)
{
    return find_member(name) != NULL;
}

static unsigned layout_bit(const char *layout)
{
    static const struct {
        const char *name;
        unsigned bit;
    } bits[] = {{"l1", IN_L1}, {"z4", IN_Z4}, {"z4p", IN_Z4P}, {"z5", IN_Z5}, {"z6", IN_Z6}};
    for (size_t i = 0; i < RP_COUNT(bits); i++) {
        if (strcmp(bits[i].name, layout) == 0)
            return bits[i].bit;
    }
    return 0;
}

/* ---- from one layout to another ---- */

/* The same thing under another name. */
static const reprise_value *find_value(const reprise_value *header, const char *name)
{
    static const char *const twins[][2] = {
        {"Date", "DateUTC"}, {"DateUTC", "Date"}, {"TargetFPS", "FPS"}, {"FPS", "TargetFPS"}};
    const reprise_value *value = rp_get(header, name);
    for (size_t i = 0; !value && i < RP_COUNT(twins); i++) {
        if (strcmp(twins[i][0], name) == 0)
            value = rp_get(header, twins[i][1]);
    }
    return value;
}

static reprise_value *fill(rp_doc *doc, const member *m)
{
    switch (m->filler) {
    case TEXT:
        return rp_new_text(doc, m->text);
    case NUMBER:
        return rp_new_int(doc, strtoll(m->text, NULL, 10));
    case FALSE:
        return rp_new_bool(doc, false);
    case LIST:
        return rp_new_array(doc);
    default:
        return NULL;
    }
}

/* Layouts without the number have the list. */
static void fit_marker_count(rp_doc *doc, reprise_value *to, const reprise_value *from)
{
    if (rp_get(to, "MarkerCount") && !rp_get(from, "MarkerCount"))
        rp_replace(doc, to, "MarkerCount",
                   rp_new_int(doc, (int64_t)reprise_value_count(rp_get(to, "Markers"))));
}

/* 2026-02-21 18:30:05 with a space; the published document has a T there. */
static reprise_value *date_for(rp_doc *doc, const reprise_value *from, bool iso)
{
    size_t size;
    const char *text = reprise_value_text(from, &size);
    bool date = text && size == 19 && text[4] == '-' && text[7] == '-' &&
                (text[10] == ' ' || text[10] == 'T');
    reprise_value *copy = rp_copy(doc, from);
    char *changed = date && copy ? rp_arena_text(doc->arena, text, size, doc->error) : NULL;
    if (!changed)
        return copy;
    changed[10] = iso ? 'T' : ' ';
    copy->as.string.text = changed;
    return copy;
}

/* None is null before Z6, absent in Z6, and empty text in the published document. */
static void set_custom_map(rp_doc *doc, reprise_value *to, const reprise_value *from, unsigned bit)
{
    size_t size = 0;
    reprise_value_text(from, &size);
    if (size)
        rp_set(doc, to, "CustomMap", rp_copy(doc, from));
    else if (bit == IN_Z4P)
        rp_set_text(doc, to, "CustomMap", "");
    else if (bit != IN_Z6)
        rp_set(doc, to, "CustomMap", rp_new_null(doc));
}

static void drop_inside(reprise_value *list, const char *const *names, size_t count)
{
    for (size_t i = 0; list && i < list->as.list.count; i++) {
        for (size_t k = 0; k < count; k++)
            rp_remove(list->as.list.items[i].value, names[k]);
    }
}

/* Members of players and structures that only some layouts have. */
static void fit_lists(reprise_value *header, unsigned bit)
{
    static const char *const late_player[] = {"IsLocal"};
    static const char *const late_structure[] = {"structureId", "targetDamage"};
    if (bit != IN_Z6) {
        drop_inside(rp_get(header, "Players"), late_player, RP_COUNT(late_player));
        drop_inside(rp_get(header, "Structures"), late_structure, RP_COUNT(late_structure));
    }
}

/* Legacy files may have more structures than types; 255 is an unknown type. */
static void fit_structures(rp_doc *doc, reprise_value *to, const reprise_value *from, unsigned bit)
{
    reprise_value *list = rp_get(to, "Structures");
    int64_t count = reprise_value_int(rp_get(from, "StructureCount"), 0);
    while (bit != IN_L1 && list && list->kind == REPRISE_VALUE_ARRAY &&
           (int64_t)list->as.list.count < count && doc->error->status == REPRISE_OK)
        rp_set_int(doc, rp_push_object(doc, list), "Type", 255);
}

/* Markers had a type before they had a name and a colour. */
static void fit_markers(rp_doc *doc, reprise_value *header, const reprise_value *from)
{
    const rumble_replay view = {.header = (reprise_value *)(uintptr_t)from};
    reprise_value *list = rp_get(header, "Markers");
    rumble_marker marker;
    float time;
    for (size_t i = 0; list && rumble_marker_at(&view, i, &marker, &time); i++) {
        if (rp_get(list->as.list.items[i].value, "name") || !marker.name.data)
            continue;
        reprise_value *now = rp_new_object(doc);
        rp_set_f32(doc, now, "r", marker.r);
        rp_set_f32(doc, now, "g", marker.g);
        rp_set_f32(doc, now, "b", marker.b);
        rp_set(doc, now, "name", rp_new_text_n(doc, marker.name.data, marker.name.size));
        rp_set_f32(doc, now, "time", time);
        if (now)
            list->as.list.items[i].value = now;
    }
}

reprise_value *rumble_header_for(rp_doc *doc, const reprise_value *header, const char *to_layout)
{
    if (header && header->kind != REPRISE_VALUE_OBJECT)
        return rp_copy(doc, header);
    unsigned bit = layout_bit(to_layout);
    reprise_value *to = rp_new_object(doc);
    for (size_t i = 0; i < RP_COUNT(members); i++) {
        const member *m = &members[i];
        const reprise_value *value = find_value(header, m->name);
        if (strcmp(m->name, "CustomMap") == 0 && m->layouts & bit)
            set_custom_map(doc, to, value, bit);
        else if (!(m->layouts & bit))
            continue;
        else if (value && strcmp(m->name, "Date") == 0)
            rp_set(doc, to, "Date", date_for(doc, value, bit == IN_Z4P));
        else if (value && strcmp(m->name, "DateUTC") == 0)
            rp_set(doc, to, "DateUTC", date_for(doc, value, false));
        else if (value)
            rp_set(doc, to, m->name, rp_copy(doc, value));
        else if (m->filler != NONE)
            rp_set(doc, to, m->name, fill(doc, m));
    }
    for (size_t i = 0; bit != IN_L1 && i < reprise_value_count(header); i++) {
        const char *name = reprise_value_key(header, i);
        if (!find_member(name))
            rp_set(doc, to, name, rp_copy(doc, reprise_value_at(header, i)));
    }
    if (doc->error->status != REPRISE_OK)
        return NULL;
    fit_lists(to, bit);
    fit_structures(doc, to, header, bit);
    fit_markers(doc, to, header);
    fit_marker_count(doc, to, header);
    return doc->error->status == REPRISE_OK ? to : NULL;
}

/*
 * Counts follow from the rows, dates and rates have two names, cosmetics move into the first frame,
 * and there are three ways to say that there is no custom map.
 */
bool rumble_header_made(const rp_encoder *encoder, const char *name, const reprise_value *given)
{
    static const char *const made[] = {"FrameCount", "StructureCount", "MarkerCount",
                                       "DateUTC",    "Date",           "FPS",
                                       "TargetFPS",  "CustomMap"};
    const member *m = find_member(name);
    for (size_t i = 0; i < RP_COUNT(made); i++) {
        if (strcmp(made[i], name) == 0)
            return true;
    }
    if (strcmp(name, "VisualData") == 0)
        return ((const rumble_encoder *)encoder)->wire.player.size_width == 2;
    return m && m->filler == NUMBER && reprise_value_int(given, 0) == strtoll(m->text, NULL, 10);
}

/* ---- manifest.json ---- */

static void set_number(rp_doc *doc, reprise_value *header, const char *name, int64_t number)
{
    const reprise_value *now = rp_get(header, name);
    if (!now || now->kind != REPRISE_VALUE_INT || now->as.integer != number)
        rp_replace(doc, header, name, rp_new_int(doc, number));
}

/* Inserts a member after another one. */
static void insert_after(rp_doc *doc, reprise_value *header, const char *before, const char *name,
                         reprise_value *value)
{
    rp_set(doc, header, name, value);
    if (doc->error->status != REPRISE_OK)
        return;
    rp_member *items = header->as.list.items;
    size_t last = header->as.list.count - 1, at = last;
    for (size_t i = 0; i < last; i++) {
        if (strcmp(items[i].key, before) == 0)
            at = i + 1;
    }
    rp_member added = items[last];
    memmove(&items[at + 1], &items[at], (last - at) * sizeof *items);
    items[at] = added;
}

/* An id derived from the content. */
static void set_guid(rp_doc *doc, rumble_encoder *e, const rp_writer *text)
{
    rp_sha256 *hash = NULL;
    uint8_t d[RP_SHA256_SIZE];
    if (rp_sha256_new(e->base.context, &hash, doc->error) != REPRISE_OK)
        return;
    rp_sha256_update(hash, text->data, text->size);
    rp_sha256_final(hash, d);
    rp_sha256_free(hash);
    d[6] = (uint8_t)((d[6] & 0x0F) | 0x40);
    d[8] = (uint8_t)((d[8] & 0x3F) | 0x80);
    rp_set(doc, e->header, "Guid",
           rp_new_format(doc,
                         "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                         d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11],
                         d[12], d[13], d[14], d[15]));
}

void rumble_write_manifest(rumble_encoder *e, rp_writer *w)
{
    static const rp_json_format format = {
        .indent = 2, .crlf = true, .exact_integers = true, .dotnet_floats = true};
    rp_doc doc = {.arena = &e->arena, .error = w->error};
    reprise_value *header = e->header;
    set_number(&doc, header, "FrameCount", e->frame_count);
    if (!e->base.source && rp_get(header, "MarkerCount"))
        set_number(&doc, header, "MarkerCount",
                   (int64_t)reprise_value_count(rp_get(header, "Markers")));
    if (!rp_get(header, "Duration")) {
        float length = e->frame_count ? e->last_time - e->first_time : 0;
        insert_after(&doc, header, "Date", "Duration", rp_new_f32(&doc, length));
    }
    static const char *const looks[] = {"VisualData"};
    if (e->wire.player.size_width == 2) /* a field of the first frame now */
        drop_inside(rp_get(header, "Players"), looks, 1);
    rp_json_write(w, header, &format);
    if (!rp_get(header, "Guid") && rp_writer_ok(w)) {
        set_guid(&doc, e, w);
        rp_writer_clear(w);
        rp_json_write(w, header, &format);
    }
}

/* ---- the legacy header ---- */

static void put_string(rp_writer *w, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    rp_put_leb32(w, (uint32_t)size);
    rp_put(w, text ? text : "", size);
}

static void put_int(rp_writer *w, const reprise_value *object, const char *name)
{
    rp_put_u32(w, (uint32_t)reprise_value_int(rp_get(object, name), 0));
}

static void put_float(rp_writer *w, const reprise_value *object, const char *name)
{
    rp_put_f32(w, (float)reprise_value_double(rp_get(object, name), 0));
}

static void put_player(rp_writer *w, const reprise_value *player)
{
    const reprise_value *stones = rp_get(player, "EquippedShiftStones");
    const reprise_value *measurement = rp_get(player, "Measurement");
    rp_put_u8(w, (uint8_t)reprise_value_int(rp_get(player, "ActorId"), 0));
    put_string(w, rp_get(player, "MasterId"));
    put_string(w, rp_get(player, "Name"));
    put_int(w, player, "BattlePoints");
    put_string(w, rp_get(player, "VisualData"));
    for (size_t i = 0; i < 2; i++)
        rp_put_u16(w, (uint16_t)reprise_value_int(reprise_value_at(stones, i), -1));
    put_float(w, measurement, "Length");
    put_float(w, measurement, "ArmSpan");
    rp_put_u8(w, reprise_value_bool(rp_get(player, "WasHost"), false));
}

void rumble_write_legacy_header(const rumble_encoder *e, rp_writer *w)
{
    const reprise_value *header = e->header;
    const rumble_replay view = {.header = e->header};
    rp_put(w, "REPLAY", 6);
    put_string(w, rp_get(header, "Version"));
    put_string(w, rp_get(header, "Scene"));
    put_string(w, rp_get(header, "DateUTC"));
    rp_put_u32(w, e->frame_count);
    rp_put_u32(w, e->held[RUMBLE_CHUNK_STRUCTURE].count);
    put_int(w, header, "FPS");
    rp_put_u32(w, e->held[RUMBLE_CHUNK_PLAYER].count);
    const reprise_value *players = rp_get(header, "Players");
    for (size_t i = 0; i < reprise_value_count(players); i++)
        put_player(w, reprise_value_at(players, i));
    size_t types = reprise_value_count(rp_get(header, "Structures"));
    rp_put_u32(w, (uint32_t)types);
    for (size_t i = 0; i < types; i++)
        rp_put_u8(w, (uint8_t)rumble_structure_type(&view, i));
}
