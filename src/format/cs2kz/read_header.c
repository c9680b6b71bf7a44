/*
 * read_header.c - both generations of headers into one kz_header.
 *
 * Generation A dumped C structs from memory: padding and everything after a text's NUL is noise
 * and never looked at. Generation B is a protobuf message.
 */
#include "cs2kz.h"
#include "cs2kz.pb-c.h"
#include "protobuf.h"

enum {
    STYLE_SIZE = 161,
    RUN_SIZE = 432,
    RUN_STYLE_COUNT = 420, /* offset in the run header */
    /* The largest header and everything after it that must be looked at. */
    STRUCT_HEAD_MAX = 1816 + RUN_SIZE + KZ_STYLES_MAX * STYLE_SIZE + KZ_SECTION_HEADER_SIZE + 4,
};

#define HAS(name) (UINT64_C(1) << kz_header_F_##name)

static void *new_record(rp_reader *r, rp_arena *arena, size_t size)
{
    void *record = rp_arena_alloc(arena, size, r->error);
    return rp_ok(r) ? record : NULL;
}

/* ---- generation A ---- */

static kz_person *read_person(rp_reader *r, rp_arena *arena)
{
    kz_person person = {.name = kz_read_text(r, 128, arena, "name")};
    person.steam_id = rp_u64(r, "steamid64");
    kz_person *to = new_record(r, arena, sizeof *to);
    if (to)
        *to = person;
    return to;
}

/* Without a person, servers left zeros here, or stray memory. */
static kz_person *read_optional_person(rp_reader *r, rp_arena *arena)
{
    kz_person *person = read_person(r, arena);
    return person && (person->steam_id || person->name.size) ? person : NULL;
}

static kz_mode *read_mode(rp_reader *r, rp_arena *arena, kz_mode *to)
{
    if (!to)
        to = new_record(r, arena, sizeof *to);
    kz_mode mode = {.name = kz_read_text(r, 64, arena, "name"),
                    .short_name = kz_read_text(r, 64, arena, "shortName"),
                    .md5 = kz_read_text(r, 33, arena, "md5")};
    if (to)
        *to = mode;
    return to;
}

/* An item in a header has all 32 attribute slots; those past the count are noise. */
static kz_owned *read_owned(rp_reader *r, rp_arena *arena)
{
    kz_owned *to = new_record(r, arena, sizeof *to);
    kz_item *item = new_record(r, arena, sizeof *item);
    kz_attribute *attributes = rp_arena_array(arena, KZ_ATTRIBUTES_MAX, sizeof *attributes,
                                              r->error);
    if (!to || !item || !attributes)
        return NULL;
    int32_t count = kz_read_item(r, arena, item);
    for (int32_t i = 0; i < KZ_ATTRIBUTES_MAX; i++) {
        kz_attribute attribute = {0};
        kz_read_attribute(r, &attribute);
        if (i < count)
            attributes[i] = attribute;
    }
    *to = (kz_owned){.item = item, .attributes = {.items = attributes, .count = (size_t)count}};
    return to;
}

static void read_general(rp_reader *r, kz_replay *replay)
{
    rp_arena *arena = &replay->base.arena;
    kz_header *h = &replay->header;
    rp_skip(r, 4, "padding");
    h->player = read_person(r, arena);
    kz_map map = {.name = kz_read_text(r, 64, arena, "map name"),
                  .md5 = kz_read_text(r, 33, arena, "map md5")};
    kz_map *to = new_record(r, arena, sizeof *to);
    if (to)
        *to = map;
    h->map = to;
    rp_skip(r, 7, "padding");
    if (replay->wire->first_weapon)
        h->first_weapon = read_owned(r, arena);
    h->gloves = read_owned(r, arena);
    h->model_name = kz_read_text(r, 256, arena, "player model");
    h->timestamp = rp_u64(r, "timestamp");
    h->plugin_version = kz_read_text(r, 32, arena, "plugin version");
    h->server_version = rp_u32(r, "server version");
    h->server_ip = rp_u32(r, "server IP");
    h->sensitivity = rp_f32(r, "sensitivity");
    h->yaw = rp_f32(r, "m_yaw");
    h->pitch = rp_f32(r, "m_pitch");
    rp_skip(r, 4, "padding");
    h->archived_timestamp = rp_u64(r, "archived timestamp");
    replay->header_present = HAS(version) | HAS(type) | HAS(player) | HAS(map) | HAS(gloves) |
                             HAS(model_name) | HAS(timestamp) | HAS(plugin_version) |
                             HAS(server_version) | HAS(server_ip) | HAS(sensitivity) | HAS(yaw) |
                             HAS(pitch) | HAS(archived_timestamp);
    if (replay->wire->first_weapon)
        replay->header_present |= HAS(first_weapon);
}

/* ---- runs and their styles ---- */

/* Whether a section header and the compressed data of a first section follow. */
static bool zstd_follows(rp_reader at)
{
    enum { MAGIC_SIZE = 4 };
    if (rp_left(&at) < KZ_SECTION_HEADER_SIZE + MAGIC_SIZE)
        return false;
    rp_skip(&at, KZ_SECTION_HEADER_SIZE, "section header");
    return rp_zstd_begins(rp_take(&at, MAGIC_SIZE, "magic"));
}

/* Skips bytes if they are there. */
static bool try_skip(rp_reader *r, size_t size)
{
    if (size > rp_left(r))
        return false;
    rp_skip(r, size, "header");
    return true;
}

/* The style count of the run header at the reader; -1 if it does not fit or makes no sense. */
static int32_t peek_style_count(rp_reader at)
{
    if (rp_left(&at) < RUN_SIZE)
        return -1;
    rp_skip(&at, RUN_STYLE_COUNT, "run header");
    int32_t count = rp_i32(&at, "style count");
    return count >= 0 && count <= KZ_STYLES_MAX ? count : -1;
}

static bool styles_after_run(rp_reader at)
{
    int32_t count = peek_style_count(at);
    return count >= 0 && try_skip(&at, RUN_SIZE + (size_t)count * STYLE_SIZE) && zstd_follows(at);
}

/* Real servers wrote the styles before the run header. Returns how many; 0 if there are none. */
static int32_t styles_before_run(rp_reader at)
{
    for (int32_t k = 1; k <= KZ_STYLES_MAX && try_skip(&at, STYLE_SIZE); k++) {
        rp_reader after = at;
        if (peek_style_count(at) == k && try_skip(&after, RUN_SIZE) && zstd_follows(after))
            return k;
    }
    return 0;
}

static void read_styles(rp_reader *r, rp_arena *arena, kz_run *run, int32_t count)
{
    kz_mode *styles = rp_arena_array(arena, (size_t)count, sizeof *styles, r->error);
    for (int32_t i = 0; styles && i < count; i++)
        read_mode(r, arena, &styles[i]);
    run->styles = (rp_list){.items = styles, .count = styles ? (size_t)count : 0};
}

static void read_run(rp_reader *r, kz_replay *replay)
{
    rp_arena *arena = &replay->base.arena;
    kz_run *run = new_record(r, arena, sizeof *run);
    if (!run)
        return;
    replay->header.run = run;
    int32_t styles_first = styles_after_run(*r) ? 0 : styles_before_run(*r);
    if (styles_first) {
        rp_note(&replay->base.findings, KZ_FINDING(STYLE_ORDER), "file", r->offset, "styles",
                "%d styles are before the run header", styles_first);
        read_styles(r, arena, run, styles_first);
    }
    uint64_t start = r->offset;
    run->course_name = kz_read_text(r, 256, arena, "course name");
    run->mode = read_mode(r, arena, NULL);
    rp_skip(r, 3, "padding");
    int32_t count = rp_i32(r, "styles");
    run->time = rp_f32(r, "time");
    run->teleports = rp_i32(r, "teleport count");
    if (rp_ok(r) && (count < 0 || count > KZ_STYLES_MAX)) {
        rp_error_set(r->error, REPRISE_E_CORRUPT, "style count is %d, 0 to 64 were expected",
                     count);
        rp_error_place(r->error, "file", start + RUN_STYLE_COUNT, "styles");
    }
    if (rp_ok(r) && !styles_first)
        read_styles(r, arena, run, count);
}

static void read_jump(rp_reader *r, kz_replay *replay)
{
    kz_jump_header jump = {.mode = read_mode(r, &replay->base.arena, NULL)};
    jump.jump_type = rp_u8(r, "jump type");
    rp_skip(r, 2, "padding");
    static const uint8_t order[] = {kz_jump_header_F_distance, kz_jump_header_F_block_distance,
                                    kz_jump_header_F_strafes,  kz_jump_header_F_sync,
                                    kz_jump_header_F_pre,      kz_jump_header_F_max,
                                    kz_jump_header_F_air_time};
    rp_plain_read(r, &kz_jump_header_record, order, RP_COUNT(order), &jump);
    kz_jump_header *to = new_record(r, &replay->base.arena, sizeof *to);
    if (to)
        *to = jump;
    replay->header.jump = to;
}

static void read_details(rp_reader *r, kz_replay *replay)
{
    rp_arena *arena = &replay->base.arena;
    switch (replay->header.type) {
    case KZ_TYPE_RUN:
        read_run(r, replay);
        replay->header_present |= HAS(run);
        break;
    case KZ_TYPE_JUMP:
        read_jump(r, replay);
        replay->header_present |= HAS(jump);
        break;
    case KZ_TYPE_CHEATER: {
        kz_cheater *cheater = new_record(r, arena, sizeof *cheater);
        replay->header.cheater = cheater;
        replay->header_present |= HAS(cheater);
        if (cheater) {
            cheater->reason = kz_read_text(r, 512, arena, "reason");
            cheater->reporter = read_optional_person(r, arena);
        }
        break;
    }
    default: {
        kz_manual *manual = new_record(r, arena, sizeof *manual);
        replay->header.manual = manual;
        replay->header_present |= HAS(manual);
        if (manual)
            manual->saved_by = read_optional_person(r, arena);
    }
    }
}

static void refuse(rp_reader *r, reprise_status status, const char *what, const char *message,
                   uint32_t number)
{
    rp_fail(r, status, what, "%s %u", message, number);
}

static reprise_status open_structs(kz_replay *replay, rp_reader *r)
{
    replay->header.version = rp_u32(r, "version");
    replay->wire = kz_wire_of(true, replay->header.version);
    if (rp_ok(r) && !replay->wire)
        refuse(r, REPRISE_E_UNSUPPORTED, "version", "no known struct layout has version",
               replay->header.version);
    replay->header.type = rp_u32(r, "type");
    if (rp_ok(r) && replay->header.type >= KZ_TYPE_COUNT)
        refuse(r, REPRISE_E_CORRUPT, "type", "no recording has type", replay->header.type);
    RP_TRY(r->error->status);
    read_general(r, replay);
    if (rp_ok(r))
        read_details(r, replay);
    replay->header_size = r->offset;
    return r->error->status;
}

/* ---- generation B ---- */

/* The field number of the last details; earlier ones do not count. */
static unsigned last_details(const uint8_t *data, size_t size)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(data, size, "header", &ignored);
    unsigned last = 0;
    while (rp_ok(&r) && rp_left(&r)) {
        uint64_t key = rp_protobuf_varint(&r);
        if (key >> 3 >= 14 && key >> 3 <= 17 && (key & 7) == 2)
            last = (unsigned)(key >> 3);
        rp_protobuf_skip(&r, (unsigned)(key & 7));
    }
    return last;
}

static void keep_last_details(kz_replay *replay, unsigned last)
{
    static const uint8_t details[] = {kz_header_F_manual, kz_header_F_cheater, kz_header_F_run,
                                      kz_header_F_jump};
    for (size_t i = 0; i < RP_COUNT(details); i++) {
        const rp_field *field = &kz_header_record.fields[details[i]];
        if (field->tag == last)
            continue;
        *(void **)rp_at(field, &replay->header) = NULL;
        replay->header_present &= ~(UINT64_C(1) << details[i]);
    }
}

static void check_details(kz_replay *replay)
{
    static const unsigned numbers[KZ_TYPE_COUNT] = {14, 15, 16, 17};
    const void *details[KZ_TYPE_COUNT] = {replay->header.manual, replay->header.cheater,
                                          replay->header.run, replay->header.jump};
    uint32_t type = replay->header.type;
    bool others = false;
    for (uint32_t i = 0; i < KZ_TYPE_COUNT; i++)
        others = others || (i != type && details[i]);
    /* Servers leave out who saved a recording if no player did. */
    if (others || (!details[type] && type != KZ_TYPE_MANUAL))
        rp_note(&replay->base.findings, KZ_FINDING(TYPE_DETAILS_MISSING), "file", 4, "header",
                "type is %s, but field %u is missing", rp_enum_name(&kz_type_names, type),
                numbers[type]);
}

static void set_defaults(kz_header *header)
{
    *header = (kz_header){.sensitivity = 1.25f,
                          .yaw = 0.022f,
                          .pitch = 0.022f,
                          .viewmodel_offset_x = 1,
                          .viewmodel_offset_y = 1,
                          .viewmodel_offset_z = -1,
                          .viewmodel_fov = 60};
}

static reprise_status read_message(kz_replay *replay, const uint8_t *data, size_t size,
                                   reprise_error *error)
{
    rp_reader r = rp_reader_of(data, size, "file", error);
    r.offset = 4;
    rp_protobuf_read(&r, &replay->base.arena, &kz_proto__header__descriptor, &kz_header_record,
                     &replay->header, &replay->header_present);
    RP_TRY(error->status);
    keep_last_details(replay, last_details(data, size));
    replay->wire = kz_wire_of(false, replay->header.version);
    if (!replay->wire)
        refuse(&r, REPRISE_E_UNSUPPORTED, "version", "no known protobuf layout has version",
               replay->header.version);
    else if (replay->header.type >= KZ_TYPE_COUNT)
        refuse(&r, REPRISE_E_CORRUPT, "type", "no recording has type", replay->header.type);
    else
        check_details(replay);
    return error->status;
}

static reprise_status open_message(kz_replay *replay, rp_reader *r, uint64_t size,
                                   reprise_error *error)
{
    uint32_t length = rp_u32(r, "header length");
    RP_TRY(error->status);
    if (length == 0 || length > KZ_HEADER_SIZE_MAX) {
        rp_error_set(error, REPRISE_E_UNRECOGNIZED,
                     "neither the magic number nor a sensible header length: %u", length);
        rp_error_place(error, "file", 0, "magic");
        return error->status;
    }
    if (length > size - 4) {
        rp_fail(r, REPRISE_E_TRUNCATED, "header", "needs %u bytes, %llu left", length,
                (unsigned long long)(size - 4));
        return error->status;
    }
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(replay->base.source, 4, length, &data, &spare, error));
    set_defaults(&replay->header);
    reprise_status status = read_message(replay, data, length, error);
    rp_free(replay->base.context, spare, length);
    replay->header_size = 4 + (uint64_t)length;
    return status;
}

reprise_status kz_open_header(kz_replay *replay, reprise_error *error)
{
    rp_source *source = replay->base.source;
    uint64_t size = rp_source_size(source);
    size_t head_size = (size_t)RP_MIN(size, (uint64_t)STRUCT_HEAD_MAX);
    const uint8_t *head = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(source, 0, head_size, &head, &spare, error));
    rp_reader r = rp_reader_of(head, head_size, "file", error);
    replay->magic_capital = rp_match(&r, "S2KZ", 4);
    reprise_status status;
    if (replay->magic_capital || rp_match(&r, "s2kz", 4))
        status = open_structs(replay, &r);
    else
        status = open_message(replay, &r, size, error);
    rp_free(replay->base.context, spare, head_size);
    return status;
}
