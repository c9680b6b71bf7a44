/* write_header.c - headers of both generations, as read_header.c reads them. */
#include "cs2kz.pb-c.h"
#include "protobuf.h"
#include "write.h"

static const rp_text no_text = {"", 0};

static void put_zeros(rp_writer *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rp_put_u8(w, 0);
}

static void put_person(rp_writer *w, const kz_person *person)
{
    kz_put_text(w, person ? &person->name : &no_text, 128);
    rp_put_u64(w, person ? person->steam_id : 0);
}

static void put_mode(rp_writer *w, const kz_mode *mode)
{
    kz_put_text(w, mode ? &mode->name : &no_text, 64);
    kz_put_text(w, mode ? &mode->short_name : &no_text, 64);
    kz_put_text(w, mode ? &mode->md5 : &no_text, 33);
}

/* An item with all 32 attribute slots; "no item" is zeros. */
static void put_owned(rp_writer *w, const kz_owned *owned)
{
    static const kz_item nothing = {.level = 1};
    size_t count = owned ? RP_MIN(owned->attributes.count, (size_t)KZ_ATTRIBUTES_MAX) : 0;
    kz_put_item(w, owned && owned->item ? owned->item : &nothing, count);
    const kz_attribute *attributes = count ? owned->attributes.items : NULL;
    for (size_t i = 0; i < count; i++)
        kz_put_attribute(w, &attributes[i]);
    put_zeros(w, (KZ_ATTRIBUTES_MAX - count) * 8);
}

static void put_run(rp_writer *w, const kz_run *run)
{
    static const kz_run nothing;
    if (!run)
        run = &nothing;
    kz_put_text(w, &run->course_name, 256);
    put_mode(w, run->mode);
    put_zeros(w, 3);
    rp_put_u32(w, (uint32_t)run->styles.count);
    rp_put_f32(w, run->time);
    rp_put_u32(w, (uint32_t)run->teleports);
    const kz_mode *styles = run->styles.items;
    for (size_t i = 0; i < run->styles.count; i++)
        put_mode(w, &styles[i]);
}

static void put_jump(rp_writer *w, const kz_jump_header *jump)
{
    static const kz_jump_header nothing;
    if (!jump)
        jump = &nothing;
    put_mode(w, jump->mode);
    rp_put_u8(w, (uint8_t)jump->jump_type);
    put_zeros(w, 2);
    rp_put_f32(w, jump->distance);
    rp_put_u32(w, (uint32_t)jump->block_distance);
    rp_put_u32(w, jump->strafes);
    rp_put_f32(w, jump->sync);
    rp_put_f32(w, jump->pre);
    rp_put_f32(w, jump->max);
    rp_put_f32(w, jump->air_time);
}

static void put_details(rp_writer *w, const kz_header *h)
{
    const kz_cheater *cheater = h->cheater;
    const kz_manual *manual = h->manual;
    switch (h->type) {
    case KZ_TYPE_RUN:
        put_run(w, h->run);
        break;
    case KZ_TYPE_JUMP:
        put_jump(w, h->jump);
        break;
    case KZ_TYPE_CHEATER:
        kz_put_text(w, cheater ? &cheater->reason : &no_text, 512);
        put_person(w, cheater ? cheater->reporter : NULL);
        break;
    default:
        put_person(w, manual ? manual->saved_by : NULL);
    }
}

static void put_structs(rp_writer *w, const kz_wire *wire, const kz_header *h)
{
    const kz_map *map = h->map;
    rp_put_text(w, wire->in_place ? "S2KZ" : "s2kz");
    rp_put_u32(w, wire->version);
    rp_put_u32(w, h->type);
    put_zeros(w, 4);
    put_person(w, h->player);
    kz_put_text(w, map ? &map->name : &no_text, 64);
    kz_put_text(w, map ? &map->md5 : &no_text, 33);
    put_zeros(w, 7);
    if (wire->first_weapon)
        put_owned(w, h->first_weapon);
    put_owned(w, h->gloves);
    kz_put_text(w, &h->model_name, 256);
    rp_put_u64(w, h->timestamp);
    kz_put_text(w, &h->plugin_version, 32);
    rp_put_u32(w, h->server_version);
    rp_put_u32(w, h->server_ip);
    rp_put_f32(w, h->sensitivity);
    rp_put_f32(w, h->yaw);
    rp_put_f32(w, h->pitch);
    put_zeros(w, 4);
    rp_put_u64(w, h->archived_timestamp);
    put_details(w, h);
}

void kz_put_header(kz_encoder *e, rp_writer *w)
{
    if (e->wire->structs) {
        put_structs(w, e->wire, &e->header);
        return;
    }
    size_t slot = rp_slot_begin(w);
    rp_protobuf_write(w, &e->arena, &kz_proto__header__descriptor, &kz_header_record, &e->header,
                      e->header_present);
    rp_slot_end(w, slot);
}
