/*
 * rumble_model.h - generated RUMBLE replays, and two ways to make a file of one.
 *
 * The values come from choices, which are random numbers or the bytes of a fuzzer, and the tables
 * of fields say what there is to choose, so that a new field is tested without new code. Layouts
 * that are written are recorded through the public writer; the older ones are put together byte by
 * byte.
 */
#ifndef RUMBLE_MODEL_H
#define RUMBLE_MODEL_H

#include <math.h>
#include <reprise/reprise.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rumble.h"

/* ---- choices ---- */

typedef struct choices {
    const uint8_t *data; /* NULL: random numbers */
    size_t size, at;
    uint64_t state; /* of the random numbers: the seed */
} choices;

static inline uint32_t choose_u32(choices *c)
{
    if (c->data) {
        uint32_t value = 0;
        for (unsigned i = 0; i < 4; i++)
            value |= c->at < c->size ? (uint32_t)c->data[c->at++] << (8 * i) : 0;
        return value;
    }
    c->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = c->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(z >> 32);
}

/* A number from 0 to below - 1. Small ones cost a fuzzer one byte. */
static inline uint32_t choose(choices *c, uint32_t below)
{
    if (c->data && below <= 256)
        return c->at < c->size ? c->data[c->at++] % below : 0;
    return choose_u32(c) % below;
}

/* ---- the model ---- */

enum {
    MODEL_PLAYERS = 3,
    MODEL_STRUCTURES = 4,
    MODEL_PEDESTALS = 2,
    MODEL_PROPS = 2,
    MODEL_FRAMES = 12,
    MODEL_EVENTS = 3,
    MODEL_EXTENSIONS = 2,
    MODEL_MARKERS = 3,
    MODEL_TEXTS = 1 << 15,
};

typedef struct model_frame {
    float time;
    rumble_player players[MODEL_PLAYERS];
    rumble_structure structures[MODEL_STRUCTURES];
    rumble_pedestal pedestals[MODEL_PEDESTALS];
    rumble_prop props[MODEL_PROPS];
    rumble_event events[MODEL_EVENTS];
    uint64_t event_present[MODEL_EVENTS];
    size_t event_count;
    rumble_extension extensions[MODEL_EXTENSIONS];
    size_t extension_count;
} model_frame;

typedef struct model {
    const char *layout;
    rumble_wire wire;
    uint32_t players, structures, pedestals, props;
    size_t frames;
    model_frame frame[MODEL_FRAMES];
    rumble_marker markers[MODEL_MARKERS]; /* given as rows; others are in the header */
    float marker_times[MODEL_MARKERS];
    size_t marker_count;
    bool has_voice, has_extension, has_member;
    rp_text looks[MODEL_PLAYERS]; /* in the header */
    char header[8192];            /* as JSON */
    char texts[MODEL_TEXTS];      /* all texts of rows */
    size_t texts_size;
} model;

/* The kinds of objects that keep a state, and where they are in a frame. */
typedef struct model_kind {
    const char *track;
    const rp_record *record;
    size_t offset; /* in model_frame */
    uint8_t chunk;
} model_kind;

enum { MODEL_KINDS = 4 };
static const model_kind model_kinds[MODEL_KINDS] = {
    {"structures", &rumble_structure_record, offsetof(model_frame, structures),
     RUMBLE_CHUNK_STRUCTURE},
    {"players", &rumble_player_record, offsetof(model_frame, players), RUMBLE_CHUNK_PLAYER},
    {"pedestals", &rumble_pedestal_record, offsetof(model_frame, pedestals), RUMBLE_CHUNK_PEDESTAL},
    {"props", &rumble_prop_record, offsetof(model_frame, props), RUMBLE_CHUNK_PROP},
};

static inline const rp_tag_map *model_map(const model *m, size_t kind)
{
    const rp_tag_map *const maps[MODEL_KINDS] = {&m->wire.structure, &m->wire.player,
                                                 &m->wire.pedestal, &m->wire.prop};
    return maps[kind];
}

static inline uint32_t model_count(const model *m, size_t kind)
{
    const uint32_t counts[MODEL_KINDS] = {m->structures, m->players, m->pedestals, m->props};
    return counts[kind];
}

static inline void *model_object(model_frame *frame, size_t kind, uint32_t object)
{
    return (char *)frame + model_kinds[kind].offset + object * model_kinds[kind].record->size;
}

static inline bool model_is(const model *m, const char *layout)
{
    return strcmp(m->layout, layout) == 0;
}

/* ---- values ---- */

static inline rp_text choose_text(choices *c, model *m, size_t size_max)
{
    static const char *const pieces[] = {"Ann", "rock", " ", "\xC5\xBC", "\xE7\x8E\x8B", "7", "|"};
    char *to = m->texts + m->texts_size;
    size_t size = 0, count = choose(c, 6);
    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[choose(c, sizeof pieces / sizeof *pieces)];
        size_t n = strlen(piece);
        if (size + n > size_max || m->texts_size + size + n >= sizeof m->texts)
            break;
        memcpy(to + size, piece, n);
        size += n;
    }
    m->texts_size += size;
    return (rp_text){to, size};
}

static inline rp_text choose_bytes(choices *c, model *m)
{
    char *to = m->texts + m->texts_size;
    size_t size = 1 + choose(c, 24);
    if (m->texts_size + size > sizeof m->texts)
        return (rp_text){"x", 1};
    for (size_t i = 0; i < size; i++)
        to[i] = (char)choose(c, 256);
    m->texts_size += size;
    return (rp_text){to, size};
}

/* Usual numbers, the special ones, and any bits; of what is no number only the usual one. */
static inline float choose_float(choices *c)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, 1e-40f, 3.4e38f, INFINITY, NAN};
    switch (choose(c, 4)) {
    case 0:
        return special[choose(c, sizeof special / sizeof *special)];
    case 1: {
        uint32_t bits = choose_u32(c);
        float value;
        memcpy(&value, &bits, sizeof value);
        return isnan(value) ? NAN : value;
    }
    default:
        return (float)((int32_t)choose(c, 20001) - 10000) / 512;
    }
}

static inline rp_rot choose_rotation(choices *c, bool packed)
{
    float v[4];
    double sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        v[i] = (float)((int32_t)choose(c, 2001) - 1000) / 1000;
        sum += (double)(v[i] * v[i]);
    }
    for (unsigned i = 0; i < 4 && sum > 0; i++)
        v[i] = (float)((double)v[i] / sqrt(sum));
    rp_quat q = {v[0], v[1], v[2], v[3]};
    rp_rot rotation = packed ? rp_rot_packed(q) : rp_rot_full(q);
    /* Where two components are nearly the largest, packing again may take the other one. */
    rp_rot again = packed ? rp_rot_packed(rp_rot_value(&rotation)) : rotation;
    bool stays = memcmp(again.bytes, rotation.bytes, sizeof again.bytes) == 0;
    return stays ? rotation : rp_rot_packed((rp_quat){0, 0, 0, 1});
}

static inline bool model_packs(const model *m)
{
    return m->wire.zip && !m->wire.player.strict && !model_is(m, "z2") && !model_is(m, "z3");
}

static inline void choose_value(choices *c, model *m, const rp_field *field, void *row)
{
    void *at = rp_at(field, row);
    switch (field->kind) {
    case RP_VEC3:
        for (unsigned i = 0; i < 3; i++)
            ((float *)at)[i] = choose_float(c);
        return;
    case RP_F32:
        *(float *)at = choose_float(c);
        return;
    case RP_ROT:
        *(rp_rot *)at = choose_rotation(c, model_packs(m));
        return;
    case RP_TEXT:
        *(rp_text *)at = choose_text(c, m, 100);
        return;
    case RP_BOOL:
        *(bool *)at = choose(c, 2);
        return;
    case RP_INT: /* old layouts have the numbers of players as floats */
        rp_field_set_int(field, row,
                         field->tag == rumble_event_F_player ? (int64_t)choose(c, 200) - 1
                                                             : (int32_t)choose_u32(c));
        return;
    default:
        rp_field_set_int(field, row, (int16_t)choose(c, 0x10000));
        return;
    }
}

/* ---- frames ---- */

/* Some fields of some objects change. Only in the first frame everything may, and one player must,
   because layouts are told apart by what they store. */
static inline void choose_states(choices *c, model *m, size_t at)
{
    model_frame *frame = &m->frame[at];
    for (size_t kind = 0; kind < MODEL_KINDS; kind++) {
        const rp_record *record = model_kinds[kind].record;
        uint64_t fields = rumble_mapped_fields(model_map(m, kind));
        for (uint32_t object = 0; object < model_count(m, kind); object++) {
            bool shown = at == 0 && object == 0 && model_kinds[kind].chunk == RUMBLE_CHUNK_PLAYER;
            if (!shown && choose(c, 2))
                continue;
            for (size_t i = 0; i < record->count; i++) {
                if ((fields >> i & 1) && (shown || choose(c, 3) == 0))
                    choose_value(c, m, &record->fields[i], model_object(frame, kind, object));
            }
            if (!shown)
                continue;
            frame->players[0].active = true;
            if (fields >> rumble_player_F_stone_fx & 1) /* Z4a shows in the width of such a byte */
                frame->players[0].stone_fx |= 1;
        }
    }
}

/* Fields an event of this layout can have. Z4p has effects only. */
static inline uint64_t model_event_fields(const model *m)
{
    uint64_t fields = rumble_mapped_fields(&m->wire.event);
    if (!m->wire.props)
        fields &= ~(UINT64_C(1) << rumble_event_F_structure_id);
    if (m->wire.event.strict)
        fields = UINT64_C(1) << rumble_event_F_type | UINT64_C(1) << rumble_event_F_pos |
                 UINT64_C(1) << rumble_event_F_rot | UINT64_C(1) << rumble_event_F_fx;
    return fields;
}

static inline void choose_events(choices *c, model *m, model_frame *frame)
{
    bool has_events = m->wire.zip && m->wire.frame_size;
    uint64_t fields = model_event_fields(m);
    frame->event_count = has_events && choose(c, 3) == 0 ? 1 + choose(c, MODEL_EVENTS) : 0;
    for (size_t i = 0; i < frame->event_count; i++) {
        rumble_event *event = &frame->events[i];
        *event = (rumble_event){.player = -1, .structure_id = -1};
        uint64_t present = UINT64_C(1) << rumble_event_F_type;
        for (size_t k = 0; k < rumble_event_record.count; k++) {
            if (!(fields >> k & 1) || !choose(c, 2))
                continue;
            choose_value(c, m, &rumble_event_record.fields[k], event);
            present |= UINT64_C(1) << k;
        }
        event->type = m->wire.event.strict ? 1 : (uint8_t)choose(c, 3);
        frame->event_present[i] = present;
    }
    frame->extension_count = has_events && choose(c, 4) == 0 ? 1 + choose(c, MODEL_EXTENSIONS) : 0;
    for (size_t i = 0; i < frame->extension_count; i++) {
        rumble_extension *extension = &frame->extensions[i];
        extension->mod_id = (int32_t)choose_u32(c);
        extension->sub_index = m->wire.sub_index ? (int32_t)choose_u32(c) : 0;
        extension->data = choose_bytes(c, m);
    }
}

static inline void choose_frames(choices *c, model *m)
{
    m->frames = 1 + choose(c, MODEL_FRAMES);
    for (size_t i = 0; i < m->frames; i++) {
        model_frame *frame = &m->frame[i];
        if (i)
            *frame = m->frame[i - 1];
        else
            for (uint32_t k = 0; k < m->players; k++)
                frame->players[k].visual_data = m->looks[k];
        /* Real spacing is uneven. */
        frame->time = i ? m->frame[i - 1].time + (float)(1 + choose(c, 1000)) / 16384 : 0;
        choose_states(c, m, i);
        choose_events(c, m, frame);
    }
}

/* ---- the header ---- */

typedef struct header_text {
    char *to;
    size_t size, room;
} header_text;

static inline void REPRISE_PRINTF(2, 3) add_json(header_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->to + t->size, t->room - t->size, format, args);
    va_end(args);
    t->size += n > 0 && (size_t)n < t->room - t->size ? (size_t)n : 0;
}

static inline void choose_people(choices *c, model *m, header_text *t)
{
    static const char *const names[] = {"Emberfist", "Zo\xC3\xAB Quarry", "<#F00>Basalt<#FFF>"};
    bool has_field = rumble_mapped_fields(&m->wire.player) >> rumble_player_F_visual_data & 1;
    add_json(t, "\"Players\":[");
    for (uint32_t i = 0; i < m->players; i++) {
        add_json(t, "%s{\"ActorId\":%u,\"MasterId\":\"%08X%08X\",\"Name\":\"%s\",", i ? "," : "",
                 choose(c, 256), choose_u32(c) | 0x10000000, choose_u32(c) | 0x10000000, names[i]);
        add_json(t, "\"BattlePoints\":%u,", choose(c, 5000));
        if (!has_field || choose(c, 3) == 0) {
            rp_text looks = choose_text(c, m, 60);
            add_json(t, "\"VisualData\":\"%.*s\",", (int)looks.size, looks.data);
            if (has_field && looks.size)
                m->looks[i] = looks;
        }
        add_json(
            t,
            "\"EquippedShiftStones\":[%d,%d],\"Measurement\":{\"Length\":%u.5,\"ArmSpan\":1.25}"
            ",\"WasHost\":%s}",
            (int)choose(c, 8) - 1, (int)choose(c, 8) - 1, choose(c, 3),
            choose(c, 2) ? "true" : "false");
    }
    add_json(t, "],\"Structures\":[");
    for (uint32_t i = 0; i < m->structures; i++) {
        add_json(t, "%s{\"Type\":%u", i ? "," : "", choose(c, 14));
        if (m->wire.props)
            add_json(t, ",\"structureId\":%u", 100 + i);
        add_json(t, "}");
    }
    add_json(t, "]");
}

static inline void choose_markers(choices *c, model *m, header_text *t)
{
    size_t listed = choose(c, 3);
    add_json(t, ",\"Markers\":[");
    for (size_t i = 0; i < listed; i++)
        add_json(t, "%s{\"r\":1.0,\"g\":0.5,\"b\":0.0,\"name\":\"%s\",\"time\":0.%u25}",
                 i ? "," : "", choose(c, 2) ? "core.manual" : "won by Emberfist", (unsigned)i);
    add_json(t, "]");
    m->marker_count = m->wire.player.size_width == 2 ? choose(c, MODEL_MARKERS) : 0;
    for (size_t i = 0; i < m->marker_count; i++) {
        m->marker_times[i] = 0.25f + (float)i / 8 + (float)choose(c, 1024) / 16384;
        m->markers[i] = (rumble_marker){.name = {"core.roundEnded", 15},
                                        .r = (float)choose(c, 9) / 8,
                                        .g = (float)choose(c, 9) / 8,
                                        .b = (float)choose(c, 9) / 8,
                                        .player = (int32_t)choose(c, 3) - 1};
        if (choose(c, 2))
            m->markers[i].pos = (rp_vec3){(float)choose(c, 9), 0.5f, -1};
    }
}

static inline void choose_header(choices *c, model *m)
{
    header_text t = {.to = m->header, .room = sizeof m->header};
    bool new_enough = m->wire.zip && !model_is(m, "z2");
    add_json(&t, "{");
    if (new_enough)
        add_json(&t, "\"Title\":\"Emberfist vs all\",");
    if (new_enough && choose(c, 2))
        add_json(&t, "\"CustomMap\":\"1|1|Rock|1|1|1|0|0|0|0|0|0|1|1|1\",");
    add_json(&t, "\"Version\":\"1.2.%u\",\"Scene\":\"Map%u\",", choose(c, 5), choose(c, 2));
    add_json(&t, "\"%s\":\"2026-02-%02u 18:30:05\",", new_enough ? "Date" : "DateUTC",
             1 + choose(c, 28));
    if (m->wire.zip)
        add_json(&t, "\"PedestalCount\":%u,", m->pedestals);
    if (m->wire.props)
        add_json(&t, "\"ScenePropCount\":%u,", m->props);
    add_json(&t, "\"%s\":%u,", new_enough ? "TargetFPS" : "FPS", 10 + choose(c, 100));
    choose_people(c, m, &t);
    if (m->wire.zip && m->wire.frame_size)
        choose_markers(c, m, &t);
    if (new_enough && choose(c, 2))
        add_json(&t, ",\"Nobody knows\":[1,2.5,{\"deep\":\"words\"}],\"A number\":%u",
                 choose(c, 9));
    m->has_voice = new_enough && choose(c, 3) == 0;
    m->has_extension = new_enough && choose(c, 3) == 0;
    m->has_member = new_enough && choose(c, 3) == 0;
}

/* A complete replay in a layout. What the header says about the frames is added when it is written.
 */
static inline void choose_model(choices *c, const char *layout, model *m)
{
    memset(m, 0, sizeof *m);
    m->layout = layout;
    rumble_wire_init(&m->wire, layout);
    m->players = 1 + choose(c, MODEL_PLAYERS);
    m->structures = choose(c, MODEL_STRUCTURES + 1);
    m->pedestals = m->wire.zip && m->wire.frame_size ? choose(c, MODEL_PEDESTALS + 1) : 0;
    m->props = m->wire.props ? choose(c, MODEL_PROPS + 1) : 0;
    choose_header(c, m);
    choose_frames(c, m);
}

#endif
