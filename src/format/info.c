/* info.c - see info.h. */
#include "info.h"

#include <time.h>

/*
 * Small files are read completely, larger ones up to this many rows: a few seconds of a match, so
 * that describing a long one costs about as much as describing a short one.
 */
enum { SMALL_BYTES = 1 << 18, LOOK_ROWS = 256 };

reprise_value *rp_info_private_item(rp_doc *doc, reprise_value *list, const rp_private_item *item)
{
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "kind", rp_private_kind(item->kind));
    rp_set_text(doc, one, "what", item->what);
    rp_set_uint(doc, one, "count", item->count);
    return one;
}

reprise_status rp_info_private(rp_doc *doc, reprise_value *info, rp_replay *replay,
                               reprise_error *error)
{
    rp_private found = {.quick = true, .damage = REPRISE_ERROR_INIT};
    if (replay->lists_no_private)
        return error->status;
    bool small = rp_source_size(replay->source) <= SMALL_BYTES;
    RP_TRY(rp_private_find(replay, small ? UINT64_MAX : LOOK_ROWS, &found, error));
    reprise_value *list = rp_set_array(doc, info, "private");
    for (size_t i = 0; i < found.count; i++) {
        /* Pings and drawings are part of the match and removed only on request. */
        if (!found.items[i].reason && found.items[i].kind != RP_PRIVATE_MARKS)
            rp_info_private_item(doc, list, &found.items[i]);
    }
    rp_set_bool(doc, info, "private_complete", !found.incomplete);
    if (found.damage.status != REPRISE_OK)
        rp_note_error(&replay->unlisted, replay->format->name, &found.damage);
    return error->status;
}

void rp_info_date(rp_doc *doc, reprise_value *info, const char *key, uint64_t unix_seconds)
{
    static const uint64_t end = UINT64_C(253402300800); /* of the year 9999 */
    time_t when = (time_t)unix_seconds;
    struct tm parts;
    char text[32];
    if (unix_seconds && unix_seconds < end && gmtime_r(&when, &parts) &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
        rp_set_text(doc, info, key, text);
}

reprise_value *rp_info_blobs(rp_doc *doc, reprise_value *info, const rp_replay *replay)
{
    reprise_value *parts = rp_set_array(doc, info, "parts");
    for (size_t i = 0; i < replay->blob_count; i++) {
        const reprise_blob *blob = &replay->blobs[i];
        reprise_value *part = rp_push_object(doc, parts);
        rp_set_text(doc, part, "name", blob->name);
        rp_set_text(doc, part, "kind", blob->kind);
        rp_set_uint(doc, part, "size", blob->size);
        rp_set_uint(doc, part, "stored_size", blob->stored_size);
    }
    return parts;
}
