/*
 * verify.c - what decoding all records does not check: whether the games of the players, whose
 * checksums travel in FRAMEINFO events, were the same.
 */
#include "remastered.h"

enum { FRAMES_WATCHED = 256 }; /* CRCs of one frame arrive within this many frames */

typedef struct said {
    uint32_t frame, crc;
    uint8_t house;
    bool there;
} said;

typedef struct watcher {
    said frames[FRAMES_WATCHED];
    cnc_desync desync;
} watcher;

static void compare(watcher *w, const rp_row *row)
{
    const cnc_event *event = row->data;
    if (event->event != CNC_FRAMEINFO || row->index < event->delay)
        return;
    uint32_t frame = (uint32_t)row->index - event->delay;
    w->desync.sums++;
    said *first = &w->frames[frame % FRAMES_WATCHED];
    if (!first->there || first->frame != frame) {
        *first = (said){frame, event->crc, event->house, true};
        return;
    }
    if (first->crc == event->crc || first->house == event->house || w->desync.found)
        return;
    w->desync.found = true;
    w->desync.frame = frame;
    w->desync.houses[0] = first->house;
    w->desync.houses[1] = event->house;
}

static reprise_status watch_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    watcher *w = ctx;
    if (row->track == CNC_EVENT_ROWS) {
        compare(w, row);
    } else {
        w->desync.records++;
        w->desync.last_frame = (uint32_t)row->index;
    }
    return REPRISE_OK;
}

static reprise_status watch(rp_replay *replay, watcher *w, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << CNC_EVENT_ROWS | UINT64_C(1) << CNC_FRAMES};
    return rp_each_row(replay, selection, watch_row, w, error);
}

reprise_status cnc_find_desync(rp_replay *base, cnc_desync *ret_desync, reprise_error *error)
{
    watcher w = {0};
    rp_findings told = base->findings; /* what the first reading noticed is not told twice */
    rp_findings_init(&base->findings, &base->arena);
    reprise_status status = watch(base, &w, error);
    base->findings = told;
    RP_TRY(status);
    *ret_desync = w.desync;
    return REPRISE_OK;
}

reprise_status cnc_verify(rp_replay *base, rp_doc *doc, reprise_value *summary,
                          reprise_error *error)
{
    cnc_desync found;
    RP_TRY(cnc_find_desync(base, &found, error));
    rp_set_uint(doc, summary, "frame_records", found.records);
    if (found.records)
        rp_set_uint(doc, summary, "last_frame", found.last_frame);
    if (!found.found)
        return error->status;
    reprise_value *desync = rp_set_object(doc, summary, "desync");
    rp_set_uint(doc, desync, "first_frame", found.frame);
    reprise_value *houses = rp_set_array(doc, desync, "houses");
    for (size_t i = 0; i < RP_COUNT(found.houses); i++)
        rp_push(doc, houses, rp_new_int(doc, found.houses[i]));
    rp_note(&base->findings, REPRISE_NOTE, "remastered.desync", "file", 0, "FRAMEINFO",
            "recorded desync at frame %u between houses %u and %u", found.frame, found.houses[0],
            found.houses[1]);
    return error->status;
}
