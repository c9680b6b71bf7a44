/* info.c - what a CS2KZ replay says about itself: its header and its sections, nothing decoded. */
#include "info.h"
#include "cs2kz.h"
#include "document.h"

static void set_bytes(rp_doc *doc, reprise_value *to, const char *name, const rp_text *text)
{
    if (text->data && text->size)
        rp_set(doc, to, name, rp_new_text_n(doc, text->data, text->size));
}

static const char *layout_generation(const kz_replay *replay)
{
    return replay->wire->structs ? "struct" : "protobuf";
}

static void set_person(rp_doc *doc, reprise_value *people, const char *role,
                       const kz_person *person)
{
    if (!person)
        return;
    reprise_value *one = rp_push_object(doc, people);
    rp_set_text(doc, one, "role", role);
    set_bytes(doc, one, "name", &person->name);
    if (person->steam_id)
        rp_set_uint(doc, one, "id", person->steam_id);
}

static void set_people(rp_doc *doc, reprise_value *info, const kz_header *header)
{
    reprise_value *people = rp_set_array(doc, info, "people");
    set_person(doc, people, "player", header->player);
    if (header->cheater)
        set_person(doc, people, "reporter", ((const kz_cheater *)header->cheater)->reporter);
    if (header->manual)
        set_person(doc, people, "saved by", ((const kz_manual *)header->manual)->saved_by);
}

static void set_map(rp_doc *doc, reprise_value *info, const kz_map *map)
{
    if (!map)
        return;
    reprise_value *to = rp_set_object(doc, info, "map");
    set_bytes(doc, to, "name", &map->name);
    set_bytes(doc, to, "md5", &map->md5);
}

/*
 * Servers name a file by the record's UUID, which version 7 begins with the time it was made. Any
 * other name is fine.
 */
static void set_replay_id(rp_doc *doc, reprise_value *info, const char *name)
{
    enum { UUID_SIZE = 36, VERSION_AT = 14, TIME_DIGITS = 12 };
    uint64_t milliseconds = 0;
    for (unsigned i = 0, digits = 0; i < UUID_SIZE; i++) {
        bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        const char *digit = name && name[i] ? strchr("0123456789abcdef", name[i] | 0x20) : NULL;
        if (!name || (hyphen ? name[i] != '-' : !digit))
            return;
        if (!hyphen && digits++ < TIME_DIGITS)
            milliseconds = milliseconds << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    if (name[UUID_SIZE] != '\0' && name[UUID_SIZE] != '.')
        return;
    rp_set(doc, info, "replay_id", rp_new_text_n(doc, name, UUID_SIZE));
    if (name[VERSION_AT] != '7')
        return;
    rp_set_f64(doc, info, "created", (double)milliseconds / 1000);
    rp_info_date(doc, info, "created_date", milliseconds / 1000);
}

static void set_jump(rp_doc *doc, reprise_value *info, const kz_jump_header *jump)
{
    const char *name = rp_enum_name(&kz_jump_type_names, jump->jump_type);
    if (name)
        rp_set_text(doc, info, "jump", name);
    rp_set_f32(doc, info, "distance", jump->distance);
    if (jump->block_distance >= 0) /* -1: none */
        rp_set_int(doc, info, "block_distance", jump->block_distance);
    rp_set_uint(doc, info, "strafes", jump->strafes);
    rp_set_f32(doc, info, "sync", jump->sync);
    rp_set_f32(doc, info, "pre_speed", jump->pre);
    rp_set_f32(doc, info, "max_speed", jump->max);
    rp_set_f32(doc, info, "air_time", jump->air_time);
}

/* Machine values, and beside each the date it means. */
static void set_dates(rp_doc *doc, reprise_value *info, const kz_header *header)
{
    rp_info_date(doc, info, "date", header->timestamp);
    if (rp_get(info, "date"))
        rp_set_text(doc, info, "date_zone", "UTC");
    if (header->timestamp)
        rp_set_uint(doc, info, "timestamp", header->timestamp);
    rp_info_date(doc, info, "archived_date", header->archived_timestamp);
    if (header->archived_timestamp)
        rp_set_uint(doc, info, "archived_timestamp", header->archived_timestamp);
}

/* What the header says about the run, the jump or the report, in words. */
static void set_result(rp_doc *doc, reprise_value *info, const kz_header *header)
{
    const kz_run *run = header->run;
    const kz_jump_header *jump = header->jump;
    if (run) {
        set_bytes(doc, info, "course", &run->course_name);
        rp_set_f32(doc, info, "run_time", run->time);
        rp_set_int(doc, info, "teleports", run->teleports);
        reprise_value *styles = rp_set_array(doc, info, "styles");
        const kz_mode *style = run->styles.items;
        for (size_t i = 0; i < run->styles.count; i++)
            rp_push(doc, styles,
                    rp_new_text_n(doc, style[i].name.data ? style[i].name.data : "",
                                  style[i].name.size));
    }
    if (jump)
        set_jump(doc, info, jump);
    if (header->cheater)
        set_bytes(doc, info, "reason", &((const kz_cheater *)header->cheater)->reason);
    const kz_mode *mode = run ? run->mode : jump ? jump->mode : NULL;
    if (mode)
        set_bytes(doc, info, "mode", &mode->name);
}

static void set_server(rp_doc *doc, reprise_value *info, const kz_header *header)
{
    reprise_value *server = rp_set_object(doc, info, "server");
    if (header->server_version)
        rp_set_uint(doc, server, "version", header->server_version);
    uint32_t ip = header->server_ip;
    if (ip)
        rp_set(
            doc, server, "address",
            rp_new_format(doc, "%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255));
}

static void set_parts(rp_doc *doc, reprise_value *info, const kz_replay *replay)
{
    reprise_value *parts = rp_set_array(doc, info, "parts");
    for (unsigned i = 0; i < replay->wire->section_count; i++) {
        kz_section_kind kind = replay->wire->sections[i];
        const kz_section *section = &replay->sections[kind];
        if (!section->there)
            continue;
        reprise_value *part = rp_push_object(doc, parts);
        rp_set_text(doc, part, "name", kz_section_names[kind]);
        rp_set_text(doc, part, "kind", "stream");
        rp_set_uint(doc, part, "offset", section->offset);
        rp_set_uint(doc, part, "size", section->size);
        rp_set_uint(doc, part, "stored_size", section->stored_size);
        rp_set_uint(doc, part, "count", section->count);
    }
}

/*
 * From the first tick to the last one on the server's clock. Ticks are recorded only while the
 * player is alive, so their number says less; which ticks they are, only their section does.
 */
reprise_status kz_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    return rp_length_of_track(base, KZ_TICKS, ret_seconds, error);
}

reprise_status kz_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    const kz_header *header = &replay->header;
    rp_set_text(doc, info, "generation", layout_generation(replay));
    rp_set_uint(doc, info, "version", replay->wire->version);
    set_replay_id(doc, info, rp_source_name(base->source));
    const char *type = rp_enum_name(&kz_type_names, header->type);
    rp_set_text(doc, info, "type", type ? type : "unknown");
    set_map(doc, info, header->map);
    set_result(doc, info, header);
    set_people(doc, info, header);
    set_bytes(doc, info, "plugin_version", &header->plugin_version);
    set_dates(doc, info, header);
    set_server(doc, info, header);
    reprise_value *settings = rp_set_object(doc, info, "settings");
    rp_set_f32(doc, settings, "sensitivity", header->sensitivity);
    rp_set_f32(doc, settings, "yaw", header->yaw);
    rp_set_f32(doc, settings, "pitch", header->pitch);
    rp_set_uint(doc, info, "ticks", replay->sections[KZ_SECTION_TICKS].count);
    set_parts(doc, info, replay);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "header",
           rp_document_of(doc, &kz_header_record, header, replay->header_present));
    return error->status;
}
