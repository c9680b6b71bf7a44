/* write_items.c - the plain records, as read_items.c and read_tables.c read them; everything unused
 * is zero.
 */
#include "utf8.h"
#include "write.h"

static void put_zeros(rp_writer *w, size_t n)
{
    uint8_t *p = n ? rp_put_raw(w, n) : NULL;
    if (p)
        memset(p, 0, n);
}

/* As much of a text as fits with its terminator, without half characters. */
static size_t fitting(const rp_text *text, size_t room)
{
    if (text->size < room)
        return text->size;
    if (rp_utf8_valid(text->data, text->size) < text->size)
        return room - 1;
    size_t size = room - 1;
    while (size && ((uint8_t)text->data[size] & 0xC0) == 0x80)
        size--;
    return size;
}

void kz_put_text(rp_writer *w, const rp_text *text, size_t size)
{
    /* An array without a terminator is written as it was read. */
    size_t used = text->size == size ? size : fitting(text, size);
    rp_put(w, text->data, used);
    put_zeros(w, size - used);
}

void kz_put_item(rp_writer *w, const kz_item *item, size_t attribute_count)
{
    enum { NUMBERS = kz_item_F_custom_name, NAME_SIZE = 161 };
    rp_plain_write(w, &kz_item_record, NULL, NUMBERS, item);
    kz_put_text(w, &item->custom_name, NAME_SIZE);
    kz_put_text(w, &item->custom_name_override, NAME_SIZE);
    put_zeros(w, 2);
    rp_put_u32(w, (uint32_t)attribute_count);
    put_zeros(w, 4);
}

void kz_put_attribute(rp_writer *w, const kz_attribute *attribute)
{
    rp_plain_write(w, &kz_attribute_record, NULL, kz_attribute_record.count, attribute);
}

/* ---- events ---- */

static void put_teleport(rp_writer *w, const rp_row *row)
{
    static const uint8_t flags[] = {kz_event_F_has_origin, kz_event_F_has_angles,
                                    kz_event_F_has_velocity};
    static const uint8_t groups[] = {kz_event_F_origin, kz_event_F_angles, kz_event_F_velocity};
    rp_plain_write(w, &kz_event_record, flags, RP_COUNT(flags), row->data);
    put_zeros(w, 1);
    for (size_t i = 0; i < RP_COUNT(groups); i++) {
        if (*(const bool *)rp_at_const(&kz_event_record.fields[flags[i]], row->data))
            rp_plain_write(w, &kz_event_record, &groups[i], 1, row->data);
        else
            put_zeros(w, sizeof(rp_vec3));
    }
}

void kz_put_event(rp_writer *w, const rp_row *row)
{
    const kz_event *event = row->data;
    size_t start = w->size;
    rp_put_u32(w, event->type);
    rp_put_u32(w, event->server_tick);
    switch (event->type) {
    case KZ_EVENT_TIMER:
        rp_put_u32(w, (uint32_t)event->timer);
        rp_put_u32(w, (uint32_t)event->number);
        rp_put_f32(w, event->run_time);
        break;
    case KZ_EVENT_MODE:
    case KZ_EVENT_STYLE:
        kz_put_text(w, &event->name, 64);
        put_zeros(w, 64);
        kz_put_text(w, &event->md5, 33);
        if (event->type == KZ_EVENT_STYLE)
            rp_put_u8(w, event->clear_styles);
        break;
    case KZ_EVENT_TELEPORT:
        put_teleport(w, row);
        break;
    default:
        rp_put(w, event->data.data, RP_MIN(event->data.size, (size_t)KZ_EVENT_SIZE - 8));
    }
    if (rp_writer_ok(w))
        put_zeros(w, KZ_EVENT_SIZE - (w->size - start));
}

/* ---- jumps ---- */

static void put_overall(rp_writer *w, const kz_jump *jump)
{
    enum { REASON_SIZE = 256 };
    for (uint8_t i = 0; i < kz_jump_F_invalid_reason; i++) {
        if (i == kz_jump_F_total_distance)
            put_zeros(w, 2);
        rp_plain_write(w, &kz_jump_record, &i, 1, jump);
    }
    kz_put_text(w, &jump->invalid_reason, REASON_SIZE);
}

static void put_strafe(rp_writer *w, const kz_strafe *strafe)
{
    for (uint8_t i = 0; i < kz_strafe_F_COUNT; i++) {
        if (i == kz_strafe_F_ratio_max)
            put_zeros(w, 3);
        rp_plain_write(w, &kz_strafe_record, &i, 1, strafe);
    }
}

static void put_call(rp_writer *w, const kz_aircall *call, bool fractions)
{
    for (uint8_t i = 0; i < kz_aircall_F_COUNT; i++) {
        bool fraction = i == kz_aircall_F_start_fraction || i == kz_aircall_F_end_fraction;
        if (!fraction || fractions)
            rp_plain_write(w, &kz_aircall_record, &i, 1, call);
    }
    put_zeros(w, 3);
}

static uint32_t count_rows(const rp_batch *batch, uint32_t track)
{
    uint32_t count = 0;
    for (size_t i = 0; i < batch->count; i++)
        count += batch->rows[i].track == track;
    return count;
}

void kz_put_jump(rp_writer *w, const kz_wire *wire, const rp_batch *batch)
{
    const rp_row *rows = batch->rows;
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_JUMPS)
            put_overall(w, rows[i].data);
    }
    rp_put_u32(w, count_rows(batch, KZ_STRAFES));
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_STRAFES)
            put_strafe(w, &((const kz_strafe_row *)rows[i].data)->strafe);
    }
    rp_put_u32(w, count_rows(batch, KZ_AIRCALLS));
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].track == KZ_AIRCALLS)
            put_call(w, rows[i].data, wire->call_size == 92);
    }
}
