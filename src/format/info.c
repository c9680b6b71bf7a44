/* info.c - see info.h. */
#include "info.h"

#include <time.h>

void rp_info_private(rp_doc *doc, reprise_value *list, const char *what, uint64_t count)
{
    if (!count)
        return;
    reprise_value *item = rp_push_object(doc, list);
    rp_set_text(doc, item, "what", what);
    rp_set_uint(doc, item, "count", count);
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
