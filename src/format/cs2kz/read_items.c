/* read_items.c - the plain records: items with attributes, events, and text in fixed arrays. */
#include "cs2kz.h"

rp_text kz_read_text(rp_reader *r, size_t size, rp_arena *arena, const char *what)
{
    const uint8_t *bytes = rp_take(r, size, what);
    if (!bytes)
        return (rp_text){0};
    const uint8_t *nul = memchr(bytes, 0, size);
    size_t length = nul ? (size_t)(nul - bytes) : size;
    return (rp_text){.data = rp_arena_text(arena, bytes, length, r->error), .size = length};
}

int32_t kz_read_item(rp_reader *r, rp_arena *arena, kz_item *ret_item)
{
    enum { NUMBERS = kz_item_F_custom_name, NAME_SIZE = 161 };
    kz_item item = {0};
    rp_plain_read(r, &kz_item_record, NULL, NUMBERS, &item);
    item.custom_name = kz_read_text(r, NAME_SIZE, arena, "customName");
    item.custom_name_override = kz_read_text(r, NAME_SIZE, arena, "customNameOverride");
    rp_skip(r, 2, "padding");
    int32_t attributes = rp_i32(r, "numAttributes");
    if (rp_ok(r) && (attributes < 0 || attributes > KZ_ATTRIBUTES_MAX))
        rp_fail(r, REPRISE_E_CORRUPT, "weapon", "%d attributes, 0 to 32 were expected", attributes);
    rp_skip(r, 4, "padding");
    *ret_item = item;
    return rp_ok(r) ? attributes : 0;
}

void kz_read_attribute(rp_reader *r, kz_attribute *ret_attribute)
{
    rp_plain_read(r, &kz_attribute_record, NULL, kz_attribute_record.count, ret_attribute);
}

/* ---- events ---- */

#define BIT(name) (UINT64_C(1) << kz_event_F_##name)

static uint64_t read_timer(rp_reader *r, kz_event *to)
{
    to->timer = rp_i32(r, "timer");
    to->number = rp_i32(r, "index");
    to->run_time = rp_f32(r, "time");
    return BIT(timer) | BIT(number) | BIT(run_time);
}

/* The short name between the two was never written and is noise. */
static uint64_t read_mode(rp_reader *r, rp_arena *arena, kz_event *to)
{
    to->name = kz_read_text(r, 64, arena, "name");
    rp_skip(r, 64, "short name");
    to->md5 = kz_read_text(r, 33, arena, "md5");
    return BIT(name) | BIT(md5);
}

static uint64_t read_teleport(rp_reader *r, kz_event *to)
{
    static const uint8_t flags[] = {kz_event_F_has_origin, kz_event_F_has_angles,
                                    kz_event_F_has_velocity};
    static const uint8_t groups[] = {kz_event_F_origin, kz_event_F_angles, kz_event_F_velocity};
    uint64_t present = 0;
    rp_plain_read(r, &kz_event_record, flags, RP_COUNT(flags), to);
    rp_skip(r, 1, "padding");
    for (size_t i = 0; i < RP_COUNT(groups); i++) {
        present |= UINT64_C(1) << flags[i];
        if (*(const bool *)rp_at_const(&kz_event_record.fields[flags[i]], to)) {
            rp_plain_read(r, &kz_event_record, &groups[i], 1, to);
            present |= UINT64_C(1) << groups[i];
        } else {
            rp_skip(r, sizeof(rp_vec3), "noise");
        }
    }
    return present;
}

uint64_t kz_read_event(rp_reader *r, rp_arena *arena, kz_event *ret_event)
{
    enum { PAYLOAD_SIZE = KZ_EVENT_SIZE - 8 };
    kz_event event = {.type = rp_u32(r, "type")};
    event.server_tick = rp_u32(r, "serverTick");
    rp_reader payload = rp_sub(r, PAYLOAD_SIZE, "payload");
    uint64_t present = BIT(type) | BIT(server_tick);
    switch (event.type) {
    case KZ_EVENT_TIMER:
        present |= read_timer(&payload, &event);
        break;
    case KZ_EVENT_STYLE:
        present |= read_mode(&payload, arena, &event) | BIT(clear_styles);
        event.clear_styles = rp_u8(&payload, "clear");
        break;
    case KZ_EVENT_MODE:
        present |= read_mode(&payload, arena, &event);
        break;
    case KZ_EVENT_TELEPORT:
        present |= read_teleport(&payload, &event);
        break;
    default: {
        const uint8_t *bytes = rp_take(&payload, PAYLOAD_SIZE, "payload");
        if (bytes)
            event.data = (rp_text){.data = rp_arena_text(arena, bytes, PAYLOAD_SIZE, r->error),
                                   .size = PAYLOAD_SIZE};
        present |= BIT(data);
    }
    }
    *ret_event = event;
    return present;
}
