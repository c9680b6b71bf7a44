/*
 * merge.c - several recordings of one match on one timeline.
 *
 * The first recording rules: where it has frames, its frames are taken, and the others only add
 * players and structures it does not know. Outside of that the next one rules, and so on. Players
 * are the same if their accounts are, structures if the game's ids are, or else if type and motion
 * are. Unknown offsets are found by laying the paths of shared players over each other.
 */
#include <math.h>

#include "geometry.h"
#include "json.h"
#include "write.h"

enum {
    SOURCES_MAX = 16,
    PLAYER_POINTS = 1 << 16,    /* of a path at most, however long the match */
    STRUCTURE_POINTS = 1 << 12, /* only whether two are the same must be seen */
    ALIGN_POINTS = 400,         /* that are compared for an offset */
};
#define NOBODY        UINT32_MAX
#define SAME_PLACE    0.25 /* metres, on average */
#define SAME_FRAMES   1e-3 /* metres, on average: one recording, not two of one match */
#define ALIGN_COARSE  0.05 /* seconds */
#define ALIGN_OVERLAP 0.5  /* seconds that two recordings must have in common */

/* Where a player was, every `stride` frames. */
typedef struct path {
    rp_vec3 *points;
    uint32_t stride;
} path;

/* One recording. */
typedef struct take {
    rumble_replay *replay;
    rp_decoder *decoder;
    double offset;
    bool found; /* the offset was estimated, so it is not exact */
    float *times;
    uint32_t frame_count, next;
    path *player_paths, *structure_paths;
    uint32_t *players, *structures; /* numbers in the result */
    uint64_t given;                 /* frames taken from it */
    bool begun;
} take;

typedef struct merge {
    rp_context *context;
    rp_arena arena;
    rp_doc doc; /* of the header */
    take takes[SOURCES_MAX];
    size_t count;
    reprise_value *header;
    reprise_value *voices; /* of all, or NULL */
    uint32_t player_count, structure_count;
} merge;

/* ---- looking at a recording ---- */

static reprise_status alloc_paths(merge *m, uint32_t objects, uint32_t frames, uint32_t points_max,
                                  path **ret, reprise_error *error)
{
    path *paths = rp_arena_array(&m->arena, objects, sizeof *paths, error);
    uint32_t stride = frames / points_max + 1;
    for (uint32_t i = 0; paths && i < objects && error->status == REPRISE_OK; i++) {
        paths[i].stride = stride;
        paths[i].points = rp_arena_array(&m->arena, frames / stride + 1, sizeof(rp_vec3), error);
    }
    *ret = paths;
    return error->status;
}

static void note_point(const path *to, uint32_t frame, rp_vec3 pos)
{
    if (frame % to->stride == 0)
        to->points[frame / to->stride] = pos;
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    take *t = ctx;
    if (row->track == RUMBLE_FRAMES)
        t->times[t->frame_count++] = (float)row->time;
    else if (row->track == RUMBLE_PLAYERS)
        note_point(&t->player_paths[row->object], t->frame_count - 1,
                   ((const rumble_player *)row->data)->rig_pos);
    else if (row->track == RUMBLE_STRUCTURES)
        note_point(&t->structure_paths[row->object], t->frame_count - 1,
                   ((const rumble_structure *)row->data)->pos);
    return REPRISE_OK;
}

static reprise_status look(merge *m, take *t, reprise_error *error)
{
    rumble_replay *replay = t->replay;
    uint32_t frames = replay->frame_count;
    t->times = rp_arena_array(&m->arena, frames, sizeof *t->times, error);
    RP_TRY(alloc_paths(m, replay->player_count, frames, PLAYER_POINTS, &t->player_paths, error));
    RP_TRY(alloc_paths(m, replay->structure_count, frames, STRUCTURE_POINTS, &t->structure_paths,
                       error));
    rp_selection selection = {.tracks = 1u << RUMBLE_FRAMES | 1u << RUMBLE_PLAYERS |
                                        1u << RUMBLE_STRUCTURES,
                              .dense = true};
    return rp_each_row(&replay->base, selection, note_row, t, error);
}

/* ---- paths ---- */

/* The place on a path at a time; false outside the recording. */
static bool position_at(const take *t, const path *route, double time, rp_vec3 *ret_pos)
{
    double own = time - t->offset;
    if (!t->frame_count || own < (double)t->times[0] - 1e-4 ||
        own > (double)t->times[t->frame_count - 1] + 1e-4)
        return false;
    uint32_t low = 0, high = t->frame_count - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if ((double)t->times[middle] <= own + 1e-6)
            low = middle;
        else
            high = middle - 1;
    }
    /* Interpolates: an offset must be known more exactly than to a frame. */
    uint32_t last = (t->frame_count - 1) / route->stride;
    uint32_t here = RP_MIN(low / route->stride, last), next = RP_MIN(here + 1, last);
    double from = (double)t->times[here * route->stride];
    double span = (double)t->times[next * route->stride] - from;
    float f = span > 0 ? (float)((own - from) / span) : 0;
    f = f < 0 ? 0 : f > 1 ? 1 : f;
    rp_vec3 a = route->points[here], b = route->points[next];
    *ret_pos = (rp_vec3){a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.z + f * (b.z - a.z)};
    return true;
}

/* Mean distance of two paths while both are there, at about so many points; infinite if they never
   are. */
static double path_distance(const take *a, const path *one, const take *b, const path *other,
                            uint32_t points_max, double *ret_overlap)
{
    double sum = 0;
    uint32_t points = 0, step = (b->frame_count / other->stride / points_max + 1) * other->stride;
    double first = 0, last = 0;
    for (uint32_t i = 0; i < b->frame_count; i += step) {
        double time = (double)b->times[i] + b->offset;
        rp_vec3 pos;
        if (!position_at(a, one, time, &pos))
            continue;
        sum += rp_distance(pos, other->points[i / other->stride]);
        if (!points++)
            first = time;
        last = time;
    }
    if (ret_overlap)
        *ret_overlap = last - first;
    return points ? sum / points : INFINITY;
}

/* ---- offsets ---- */

static const char *account_of(const take *t, uint32_t player)
{
    const reprise_value *players = rp_get(t->replay->header, "Players");
    size_t size = 0;
    const char *id = reprise_value_text(rp_get(reprise_value_at(players, player), "MasterId"),
                                        &size);
    return size ? id : NULL;
}

static uint32_t find_account(const take *t, const char *id)
{
    for (uint32_t i = 0; id && i < t->replay->player_count; i++) {
        const char *other = account_of(t, i);
        if (other && strcmp(other, id) == 0)
            return i;
    }
    return NOBODY;
}

/* How badly two recordings fit with the offset b now has, if they have so many seconds in common.
 */
static double misfit(const take *a, const take *b, double least)
{
    double sum = 0;
    uint32_t shared = 0;
    for (uint32_t i = 0; i < b->replay->player_count; i++) {
        uint32_t same = find_account(a, account_of(b, i));
        double overlap = 0;
        if (same == NOBODY)
            continue;
        sum += path_distance(a, &a->player_paths[same], b, &b->player_paths[i], ALIGN_POINTS,
                             &overlap);
        if (overlap < least)
            return INFINITY;
        shared++;
    }
    return shared ? sum / shared : INFINITY;
}

static void try_offsets(const take *a, take *b, double from, double to, double step,
                        double *best_offset, double *best)
{
    for (double offset = from; offset <= to; offset += step) {
        b->offset = offset;
        double now = misfit(a, b, ALIGN_OVERLAP);
        if (now < *best) {
            *best = now;
            *best_offset = offset;
        }
    }
}

/*
 * Parts of one recording that kept its times fit as they are, and two frames are enough to see it.
 * If there is none, every offset is tried.
 */
static reprise_status align(const take *a, take *b, reprise_error *error)
{
    double best = INFINITY, offset = 0;
    if (misfit(a, b, 1e-4) <= SAME_FRAMES)
        return REPRISE_OK;
    double length_a = a->frame_count ? (double)(a->times[a->frame_count - 1] - a->times[0]) : 0;
    double length_b = b->frame_count ? (double)(b->times[b->frame_count - 1] - b->times[0]) : 0;
    double start = a->frame_count && b->frame_count ? (double)(a->times[0] - b->times[0]) : 0;
    try_offsets(a, b, start - length_b, start + length_a, ALIGN_COARSE, &offset, &best);
    for (double step = ALIGN_COARSE / 5; step > 1e-5 && isfinite(best); step /= 5)
        try_offsets(a, b, offset - 5 * step, offset + 5 * step, step, &offset, &best);
    if (!isfinite(best) || best > SAME_PLACE) {
        rp_error_set(error, REPRISE_E_USAGE,
                     "no moment at which the same players move alike in both recordings");
        rp_error_advise(error, REPRISE_HINT_OFFSET);
        return error->status;
    }
    b->offset = offset;
    b->found = true;
    return REPRISE_OK;
}

/* ---- who is who ---- */

static uint32_t add_item(merge *m, const char *list, const reprise_value *item)
{
    reprise_value *to = rp_get(m->header, list);
    if (!to || to->kind != REPRISE_VALUE_ARRAY)
        to = rp_replace(&m->doc, m->header, list, rp_new_array(&m->doc));
    rp_push(&m->doc, to, rp_copy(&m->doc, item));
    return (uint32_t)(reprise_value_count(to) - 1);
}

static const reprise_value *player_of(const take *t, uint32_t player)
{
    return reprise_value_at(rp_get(t->replay->header, "Players"), player);
}

/* Players of earlier recordings with the same account; without one, the same entry in the list. */
static uint32_t known_player(const merge *m, size_t self, uint32_t player)
{
    const char *id = account_of(&m->takes[self], player);
    for (size_t k = 0; k < self; k++) {
        const take *t = &m->takes[k];
        uint32_t same = find_account(t, id);
        if (!id && player < t->replay->player_count && !account_of(t, player) &&
            rp_value_equal(player_of(t, player), player_of(&m->takes[self], player)))
            same = player;
        if (same != NOBODY)
            return t->players[same];
    }
    return NOBODY;
}

static int64_t game_id(const take *t, uint32_t structure)
{
    const reprise_value *list = rp_get(t->replay->header, "Structures");
    return reprise_value_int(rp_get(reprise_value_at(list, structure), "structureId"), -1);
}

/* Same type, and the same id in the game or the same place all the time. */
static bool same_structure(const take *a, uint32_t i, const take *b, uint32_t k)
{
    if (rumble_structure_type(a->replay, i) != rumble_structure_type(b->replay, k))
        return false;
    int64_t one = game_id(a, i), other = game_id(b, k);
    if (one > 0 && other > 0)
        return one == other;
    double mean = path_distance(a, &a->structure_paths[i], b, &b->structure_paths[k],
                                STRUCTURE_POINTS, NULL);
    return isinf(mean) ? i == k : mean <= SAME_PLACE;
}

static bool is_taken(const take *t, uint32_t until, uint32_t number)
{
    for (uint32_t i = 0; i < until; i++) {
        if (t->structures[i] == number)
            return true;
    }
    return false;
}

static uint32_t known_structure(const merge *m, size_t self, uint32_t structure)
{
    const take *t = &m->takes[self];
    for (size_t k = 0; k < self; k++) {
        const take *a = &m->takes[k];
        for (uint32_t i = 0; i < a->replay->structure_count; i++) {
            if (!is_taken(t, structure, a->structures[i]) && same_structure(a, i, t, structure))
                return a->structures[i];
        }
    }
    return NOBODY;
}

static reprise_status number_objects(merge *m, size_t self, reprise_error *error)
{
    take *t = &m->takes[self];
    const reprise_value *header = t->replay->header;
    t->players = rp_arena_array(&m->arena, t->replay->player_count, sizeof(uint32_t), error);
    t->structures = rp_arena_array(&m->arena, t->replay->structure_count, sizeof(uint32_t), error);
    if (!t->players || !t->structures)
        return error->status;
    for (uint32_t i = 0; i < t->replay->player_count; i++) {
        t->players[i] = self ? known_player(m, self, i) : i;
        if (t->players[i] == NOBODY)
            t->players[i] = add_item(m, "Players", reprise_value_at(rp_get(header, "Players"), i));
    }
    for (uint32_t i = 0; i < t->replay->structure_count; i++) {
        t->structures[i] = self ? known_structure(m, self, i) : i;
        if (t->structures[i] == NOBODY)
            t->structures[i] = add_item(m, "Structures",
                                        reprise_value_at(rp_get(header, "Structures"), i));
    }
    m->player_count = (uint32_t)reprise_value_count(rp_get(m->header, "Players"));
    m->structure_count = (uint32_t)reprise_value_count(rp_get(m->header, "Structures"));
    return error->status;
}

/* ---- the header ---- */

static bool has_marker(const reprise_value *list, const char *name, float time)
{
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *marker = reprise_value_at(list, i);
        const char *other = rp_get_text(marker, "name");
        float when = (float)reprise_value_double(rp_get(marker, "time"), 0);
        if (other && name && strcmp(other, name) == 0 && fabsf(when - time) < 0.05f)
            return true;
    }
    return false;
}

/* Moves a marker before the later ones. */
static void sort_in(reprise_value *list, uint32_t at)
{
    rp_member *items = list->as.list.items;
    double time = reprise_value_double(rp_get(items[at].value, "time"), 0);
    for (; at > 0; at--) {
        if (reprise_value_double(rp_get(items[at - 1].value, "time"), 0) <= time)
            return;
        rp_member later = items[at - 1];
        items[at - 1] = items[at];
        items[at] = later;
    }
}

static void merge_markers(merge *m, const take *t)
{
    const reprise_value *from = rp_get(t->replay->header, "Markers");
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const reprise_value *marker = reprise_value_at(from, i);
        const char *name = rp_get_text(marker, "name");
        double time = reprise_value_double(rp_get(marker, "time"), 0) + t->offset;
        if (has_marker(rp_get(m->header, "Markers"), name, (float)time))
            continue;
        uint32_t at = add_item(m, "Markers", marker);
        reprise_value *list = rp_get(m->header, "Markers");
        if (m->doc.error->status != REPRISE_OK)
            return;
        if (t->offset != 0)
            rp_replace(&m->doc, list->as.list.items[at].value, "time",
                       rp_new_f32(&m->doc, (float)time));
        sort_in(list, at);
    }
}

static void merge_headers(merge *m)
{
    int64_t pedestals = 0;
    for (size_t i = 0; i < m->count; i++) {
        pedestals = RP_MAX(pedestals, (int64_t)m->takes[i].replay->pedestal_count);
        if (i)
            merge_markers(m, &m->takes[i]);
    }
    if (rp_get(m->header, "PedestalCount"))
        rp_replace(&m->doc, m->header, "PedestalCount", rp_new_int(&m->doc, pedestals));
    if (rp_get(m->header, "MarkerCount"))
        rp_replace(&m->doc, m->header, "MarkerCount",
                   rp_new_int(&m->doc, (int64_t)reprise_value_count(rp_get(m->header, "Markers"))));
    rp_remove(m->header, "Guid");
    rp_remove(m->header, "Duration");
}

/* ---- frames ---- */

static double spacing(const take *t)
{
    return t->frame_count > 1
               ? (double)(t->times[t->frame_count - 1] - t->times[0]) / (t->frame_count - 1)
               : 0;
}

/* Whether an earlier recording has frames around this time; half a frame is forgiven to offsets
   that were found. */
static bool is_covered(const merge *m, size_t self, double time)
{
    for (size_t i = 0; i < self; i++) {
        const take *t = &m->takes[i];
        double close = m->takes[self].found || t->found ? spacing(t) / 2 : 1e-6;
        if (t->frame_count && time >= (double)t->times[0] + t->offset - close &&
            time <= (double)t->times[t->frame_count - 1] + t->offset + close)
            return true;
    }
    return false;
}

static size_t earliest(const merge *m)
{
    size_t best = m->count;
    double least = INFINITY;
    for (size_t i = 0; i < m->count; i++) {
        const take *t = &m->takes[i];
        if (t->next < t->frame_count && (double)t->times[t->next] + t->offset < least) {
            least = (double)t->times[t->next] + t->offset;
            best = i;
        }
    }
    return best;
}

static reprise_status advance(take *t, reprise_error *error)
{
    reprise_status status = rp_decoder_next(t->decoder, error);
    if (status == REPRISE_OK && !t->begun) { /* the tables come first */
        t->begun = true;
        status = rp_decoder_next(t->decoder, error);
    }
    t->next++;
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Events name players; everything else that is numbered has its number in the row. */
static reprise_status renumber_event(merge *m, const take *t, rp_arena *scratch, rp_row *row,
                                     reprise_error *error)
{
    RP_UNUSED(m);
    const rumble_event *from = row->data;
    if (from->player < 0 || (uint32_t)from->player >= t->replay->player_count ||
        t->players[from->player] == (uint32_t)from->player)
        return REPRISE_OK;
    rumble_event *event = rp_arena_alloc(scratch, sizeof *event, error);
    if (!event)
        return error->status;
    *event = *from;
    event->player = (int32_t)t->players[from->player];
    row->data = event;
    return REPRISE_OK;
}

/* Adds the rows of a recording; of all but the leading one, only objects that the others lack. */
static reprise_status add_rows(merge *m, const take *t, bool rules, float time, bool *players,
                               bool *structures, rp_arena *scratch, rp_batch *batch,
                               reprise_error *error)
{
    for (size_t i = 0; i < t->decoder->batch.count; i++) {
        rp_row row = t->decoder->batch.rows[i];
        bool *seen = NULL;
        if (row.track == RUMBLE_PLAYERS)
            seen = &players[row.object = t->players[row.object]];
        else if (row.track == RUMBLE_STRUCTURES)
            seen = &structures[row.object = t->structures[row.object]];
        if ((!seen && !rules) || (seen && *seen))
            continue;
        if (seen)
            *seen = true;
        row.time = (double)time;
        if (row.track == RUMBLE_EVENTS)
            RP_TRY(renumber_event(m, t, scratch, &row, error));
        rp_row *to = rp_batch_add(m->context, batch, error);
        if (!to)
            return error->status;
        *to = row;
    }
    return REPRISE_OK;
}

typedef struct output {
    rp_encoder *encoder;
    rp_batch batch;
    rp_arena scratch;
    bool *players, *structures;
} output;

static reprise_status write_frame(merge *m, output *o, size_t self, reprise_error *error)
{
    take *t = &m->takes[self];
    float own = t->times[t->next - 1];
    float time = t->offset != 0 ? (float)((double)own + t->offset) : own;
    rp_arena_reset(&o->scratch);
    o->batch.count = 0;
    memset(o->players, 0, m->player_count * sizeof *o->players);
    memset(o->structures, 0, m->structure_count * sizeof *o->structures);
    RP_TRY(add_rows(m, t, true, time, o->players, o->structures, &o->scratch, &o->batch, error));
    for (size_t i = 0; i < m->count; i++) {
        if (i != self && m->takes[i].begun)
            RP_TRY(add_rows(m, &m->takes[i], false, time, o->players, o->structures, &o->scratch,
                            &o->batch, error));
    }
    t->given++;
    return o->encoder->format->write->rows(o->encoder, &o->batch, error);
}

static reprise_status write_frames(merge *m, output *o, reprise_error *error)
{
    rp_selection selection = {.tracks = (UINT64_C(1) << RUMBLE_TRACK_COUNT) - 1, .dense = true};
    for (size_t i = 0; i < m->count; i++)
        RP_TRY(rp_decoder_open(&m->takes[i].replay->base, selection, &m->takes[i].decoder, error));
    for (;;) {
        size_t i = earliest(m);
        if (i == m->count)
            return REPRISE_OK;
        take *t = &m->takes[i];
        double time = (double)t->times[t->next] + t->offset;
        RP_TRY(advance(t, error));
        if (!is_covered(m, i, time))
            RP_TRY(write_frame(m, o, i, error));
    }
}

/* ---- voices and other members ---- */

static bool has_voice(const reprise_value *voices, const char *name)
{
    const reprise_value *tracks = rp_get(voices, "Tracks");
    for (size_t i = 0; name && i < reprise_value_count(tracks); i++) {
        const char *other = reprise_value_text(rp_get(reprise_value_at(tracks, i), "FileName"),
                                               NULL);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* Recordings of the same name are the same one. */
static void merge_voices(merge *m)
{
    for (size_t i = 0; i < m->count; i++) {
        const take *t = &m->takes[i];
        const reprise_value *from = rp_get(t->replay->voices, "Tracks");
        if (reprise_value_count(from) && !m->voices) {
            m->voices = rp_new_object(&m->doc);
            rp_set_array(&m->doc, m->voices, "Tracks");
        }
        for (size_t k = 0; k < reprise_value_count(from); k++) {
            const reprise_value *track = reprise_value_at(from, k);
            if (has_voice(m->voices, rp_get_text(track, "FileName")))
                continue;
            reprise_value *copy = rp_push(&m->doc, rp_get(m->voices, "Tracks"),
                                          rp_copy(&m->doc, track));
            double start = reprise_value_double(rp_get(track, "StartTime"), 0) + t->offset;
            if (copy && t->offset != 0)
                rp_replace(&m->doc, copy, "StartTime", rp_new_f32(&m->doc, (float)start));
        }
    }
}

static reprise_status write_voices(merge *m, rp_encoder *encoder, reprise_error *error)
{
    static const rp_json_format format = {.exact_integers = true, .dotnet_floats = true};
    rp_writer text;
    rp_source *bytes = NULL;
    rp_stream *stream = NULL;
    rp_writer_init(&text, m->context, SIZE_MAX / 2, error);
    rp_json_write(&text, m->voices, &format);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = rp_source_open_memory(m->context, text.data, text.size, &bytes, error);
    if (status == REPRISE_OK)
        status = rp_stream_open_range(m->context, bytes, 0, text.size, "voices.json", &stream,
                                      error);
    if (status == REPRISE_OK)
        status = encoder->format->write->blob(encoder, "voices.json", stream, error);
    rp_stream_close(stream);
    rp_source_close(bytes);
    rp_writer_free(&text);
    return status;
}

/* A member that an earlier recording has under the same name is there already. */
static bool is_written(const merge *m, size_t self, const char *name)
{
    for (size_t i = 0; i < self; i++) {
        const rp_replay *other = &m->takes[i].replay->base;
        for (size_t k = 0; k < other->blob_count; k++) {
            if (strcmp(other->blobs[k].name, name) == 0)
                return true;
        }
    }
    return false;
}

static reprise_status write_blobs(merge *m, rp_encoder *encoder, size_t self, reprise_error *error)
{
    rp_replay *replay = &m->takes[self].replay->base;
    for (size_t i = 0; replay->zip && i < replay->blob_count; i++) {
        const reprise_blob *blob = &replay->blobs[i];
        bool made = strcmp(blob->kind, "manifest") == 0 || strcmp(blob->kind, "stream") == 0 ||
                    (m->voices && strcmp(blob->kind, "voices") == 0);
        if (made || is_written(m, self, blob->name))
            continue;
        rp_stream *stream = NULL;
        RP_TRY(replay->format->read->blob_open(replay, i, &stream, error));
        reprise_status status = encoder->format->write->blob(encoder, blob->name, stream, error);
        rp_stream_close(stream);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

static reprise_status write_all(merge *m, const rp_write_options *options, rp_sink *sink,
                                reprise_error *error)
{
    rp_replay *first = &m->takes[0].replay->base;
    rp_write_options how = *options;
    how.layout = rp_layout_to_write(first, options->layout);
    output o = {0};
    rp_arena_init(&o.scratch, m->context);
    o.players = rp_arena_array(&m->arena, m->player_count, sizeof(bool), error);
    o.structures = rp_arena_array(&m->arena, m->structure_count, sizeof(bool), error);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = rp_encoder_open(m->context, first->format, &how, m->header, first, sink,
                                 &o.encoder, error);
    if (status == REPRISE_OK)
        status = write_frames(m, &o, error);
    for (size_t i = 0; i < m->count && status == REPRISE_OK; i++)
        status = write_blobs(m, o.encoder, i, error);
    if (status == REPRISE_OK && m->voices)
        status = write_voices(m, o.encoder, error);
    if (status == REPRISE_OK)
        status = first->format->write->end(o.encoder, error);
    rp_encoder_close(o.encoder);
    rp_batch_free(m->context, &o.batch);
    rp_arena_free(&o.scratch);
    return status;
}

/* ---- all of it ---- */

static void tell(const merge *m, rp_doc *doc, reprise_value *report)
{
    rp_set_text(doc, report, "format", "rumble");
    rp_set_text(doc, report, "layout", m->takes[0].replay->base.layout);
    rp_set_uint(doc, report, "players", m->player_count);
    rp_set_uint(doc, report, "structures", m->structure_count);
    reprise_value *list = rp_set_array(doc, report, "recordings");
    for (size_t i = 0; i < m->count; i++) {
        const take *t = &m->takes[i];
        reprise_value *one = rp_push_object(doc, list);
        rp_set_f64(doc, one, "offset", t->offset);
        rp_set_uint(doc, one, "frames", t->frame_count);
        rp_set_uint(doc, one, "frames_used", t->given);
        reprise_value *players = rp_set_array(doc, one, "players");
        for (uint32_t k = 0; k < t->replay->player_count; k++)
            rp_push(doc, players, rp_new_int(doc, t->players[k]));
        reprise_value *structures = rp_set_array(doc, one, "structures");
        for (uint32_t k = 0; k < t->replay->structure_count; k++)
            rp_push(doc, structures, rp_new_int(doc, t->structures[k]));
    }
}

static reprise_status prepare(merge *m, rp_replay *const *sources, const double *offsets,
                              reprise_error *error)
{
    for (size_t i = 0; i < m->count; i++) {
        take *t = &m->takes[i];
        t->replay = (rumble_replay *)sources[i];
        t->offset = i && !isnan(offsets[i]) ? offsets[i] : 0;
        RP_TRY(rumble_settle_layout(t->replay, error));
        if (strcmp(sources[i]->layout, sources[0]->layout) != 0) {
            rp_error_set(error, REPRISE_E_USAGE, "recordings in layouts %s and %s",
                         sources[0]->layout, sources[i]->layout);
            rp_error_advise(error, REPRISE_HINT_CONVERT);
            return error->status;
        }
        RP_TRY(look(m, t, error));
    }
    m->header = rp_copy(&m->doc, m->takes[0].replay->header);
    for (size_t i = 0; i < m->count; i++) {
        if (i && isnan(offsets[i]))
            RP_TRY(align(&m->takes[0], &m->takes[i], error));
        RP_TRY(number_objects(m, i, error));
    }
    merge_headers(m);
    merge_voices(m);
    return m->doc.error->status;
}

reprise_status rumble_merge(rp_replay *const *sources, size_t count, double *offsets,
                            const rp_write_options *options, rp_sink *sink, rp_doc *doc,
                            reprise_value *report, reprise_error *error)
{
    if (count < 2 || count > SOURCES_MAX)
        return rp_error_set(error, REPRISE_E_USAGE, "%zu recordings; 2 to %d can be merged", count,
                            SOURCES_MAX);
    rp_context *context = sources[0]->context;
    merge *m = rp_alloc_zero(context, 1, sizeof *m, error);
    if (!m)
        return error->status;
    m->context = context;
    m->count = count;
    rp_arena_init(&m->arena, context);
    m->doc = (rp_doc){.arena = &m->arena, .error = error};
    reprise_status status = prepare(m, sources, offsets, error);
    if (status == REPRISE_OK)
        status = write_all(m, options, sink, error);
    if (status == REPRISE_OK)
        tell(m, doc, report);
    for (size_t i = 0; i < count; i++) {
        offsets[i] = m->takes[i].offset;
        rp_decoder_close(m->takes[i].decoder);
    }
    rp_arena_free(&m->arena);
    rp_free(context, m, sizeof *m);
    return status;
}
