/*
 * read_layout.c - tells the nine layouts apart.
 *
 * The version string does not identify the layout, so structure decides: first how frames can be
 * walked, then which width of field sizes explains every chunk, then which values occur that only
 * one build wrote. The beginning of the stream settles nearly every file; where it cannot, a reader
 * goes through the complete stream once before it decodes.
 */
#include "grammar_entry.h"

/* What opening looks at: enough frames to decide, few enough to be quick. */
enum { PREFIX_FRAMES = 64, PREFIX_BYTES_FIRST = 1 << 15, PREFIX_BYTES_MAX = 1 << 20 };

/* ---- evidence from chunks ---- */

/* Evidence from the chunks so far. */
typedef struct evidence {
    rumble_wire u16, u8, z4p;
    uint32_t misfits_u16, misfits_u8, misfits_z4p; /* chunks that these do not explain */
    bool any_chunk;                                /* a chunk of types 0 to 3 that is not empty */
    bool full_rotation;                            /* 16 bytes */
    bool two_byte_value;                           /* a byte stored in two: Z3 and Z4a */
    bool sign_player;                              /* player field 9 of one byte */
    bool sign_late;  /* structure field 7 or 8, or event field 0, of one byte */
    bool sign_chunk; /* chunk of type 4 without scene props in the manifest */
} evidence;

static void evidence_init(evidence *e)
{
    *e = (evidence){0};
    (void)rumble_wire_init(&e->u16, "z6");
    (void)rumble_wire_init(&e->u8, "z4");
    (void)rumble_wire_init(&e->z4p, "z4p");
    /* The width test knows every id any build ever used. */
    rp_tag_map_set(&e->u8.structure, 7, rumble_structure_F_state);
}

static const rp_tag_map *map_of(const rumble_wire *wire, uint8_t type)
{
    switch (type) {
    case RUMBLE_CHUNK_PLAYER:
        return &wire->player;
    case RUMBLE_CHUNK_STRUCTURE:
        return &wire->structure;
    case RUMBLE_CHUNK_PEDESTAL:
        return &wire->pedestal;
    case RUMBLE_CHUNK_EVENT:
        return &wire->event;
    default:
        return NULL;
    }
}

/* Looks for values in a chunk of u8 sizes that only one build wrote. */
static void look_for_signs(evidence *e, uint8_t type, rp_reader chunk)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    chunk.error = &ignored;
    while (rp_ok(&chunk) && rp_left(&chunk)) {
        uint8_t id = rp_u8(&chunk, "id");
        uint8_t size = rp_u8(&chunk, "size");
        rp_skip(&chunk, size, "value");
        bool rotation = (type == RUMBLE_CHUNK_PLAYER && (id < 8 && id % 2 == 1)) ||
                        (type == RUMBLE_CHUNK_PLAYER && id == 22) ||
                        (type == RUMBLE_CHUNK_STRUCTURE && id == 1) ||
                        (type == RUMBLE_CHUNK_EVENT && id == 2);
        const rp_tag_map *map = map_of(&e->u8, type);
        const rp_field *field = rp_tag_field(map, id);
        if (rotation && size == 16)
            e->full_rotation = true;
        if (field && field->kind == RP_BYTE && size == 2)
            e->two_byte_value = true;
        if (type == RUMBLE_CHUNK_PLAYER && id == 9 && size == 1)
            e->sign_player = true;
        if (size == 1 && ((type == RUMBLE_CHUNK_STRUCTURE && (id == 7 || id == 8)) ||
                          (type == RUMBLE_CHUNK_EVENT && id == 0)))
            e->sign_late = true;
    }
}

/* Damage may leave chunks that no table explains; then the table that explains most is used. */
static uint32_t least_misfits(const evidence *e)
{
    return RP_MIN(e->misfits_u16, RP_MIN(e->misfits_u8, e->misfits_z4p));
}

/* A table that explains far fewer chunks than the best one is not tried any more. */
static void try_table(uint32_t *misfits, uint32_t least, const rp_reader *chunk,
                      const rp_tag_map *map)
{
    enum { HOPELESS = 64 };
    if (*misfits < least + HOPELESS)
        *misfits += !rp_tagged_fits(chunk, map);
}

static void weigh_chunk(evidence *e, const rumble_replay *replay, uint8_t type,
                        const rp_reader *chunk)
{
    if (type == RUMBLE_CHUNK_PROP && !replay->has_props)
        e->sign_chunk = true;
    if (!map_of(&e->u8, type) || !rp_left(chunk))
        return;
    e->any_chunk = true;
    uint32_t least = least_misfits(e);
    try_table(&e->misfits_u16, least, chunk, map_of(&e->u16, type));
    try_table(&e->misfits_u8, least, chunk, map_of(&e->u8, type));
    try_table(&e->misfits_z4p, least, chunk, map_of(&e->z4p, type));
    look_for_signs(e, type, *chunk);
}

static bool is_u16(const evidence *e)
{
    return e->any_chunk && e->misfits_u16 == least_misfits(e);
}

static bool is_z4p(const evidence *e)
{
    return e->misfits_z4p == least_misfits(e) &&
           (e->sign_player || (e->full_rotation && e->sign_late) || e->sign_chunk);
}

static const char *choose_layout(const evidence *e, const rumble_replay *replay)
{
    if (is_u16(e))
        return replay->has_props ? "z6" : "z5";
    if (is_z4p(e))
        return "z4p";
    if (!e->any_chunk)
        return replay->has_props ? "z6" : "z5";
    if (e->full_rotation)
        return "z3";
    return e->two_byte_value ? "z4a" : "z4";
}

/* ---- walking frames ---- */

typedef enum walk_mode { WITH_SUB_INDEX, WITHOUT_SUB_INDEX, UNFRAMED, WALK_MODE_COUNT } walk_mode;

/* How many objects a chunk type may name, or -1 if its index is free. */
static int64_t object_count(const rumble_replay *replay, uint8_t type)
{
    switch (type) {
    case RUMBLE_CHUNK_PLAYER:
        return replay->player_count;
    case RUMBLE_CHUNK_STRUCTURE:
        return replay->structure_count;
    case RUMBLE_CHUNK_PEDESTAL:
        return replay->pedestal_count;
    case RUMBLE_CHUNK_PROP:
        return replay->has_props ? (int64_t)replay->prop_count : -1;
    default:
        return -1;
    }
}

/* What a walk finds: entries that make sense, and entries that name objects out of range. */
typedef struct tally {
    size_t good, bad;
    evidence *evidence; /* to collect, or NULL */
} tally;

/* In a layout without frame sizes an entry must be a complete state. */
static bool is_whole_state(const rumble_entry *entry)
{
    rumble_wire z2;
    (void)rumble_wire_init(&z2, "z2");
    return entry->type <= RUMBLE_CHUNK_STRUCTURE &&
           rp_tagged_fits(&entry->chunk, map_of(&z2, entry->type));
}

/* Damage in one place must not rule a walk mode out, so a wrong index is only counted. */
static void walk_entry(rp_reader *frame, const rumble_replay *replay, walk_mode how,
                       const rumble_entry *entry, tally *t)
{
    int64_t count = object_count(replay, entry->type);
    if (count >= 0 && (entry->index < 0 || entry->index >= count)) {
        t->bad++;
        return;
    }
    if (how == UNFRAMED && !is_whole_state(entry)) {
        rp_fail(frame, REPRISE_E_CORRUPT, "chunk", "does not read as complete states");
        return;
    }
    t->good++;
    if (how != UNFRAMED && t->evidence)
        weigh_chunk(t->evidence, replay, entry->type, &entry->chunk);
}

/* The entries of a frame from its time on; false if they make no sense. */
static bool walk_entries(rp_reader *frame, const rumble_replay *replay, walk_mode how, tally *t)
{
    float time;
    rumble_entry entry;
    rumble_entries entries = rumble_entries_of(frame, how == WITH_SUB_INDEX, false, &time);
    while (rumble_next_entry(&entries, &entry))
        walk_entry(frame, replay, how, &entry, t);
    return rp_ok(frame);
}

/* Whether the entries make sense, apart from a bad index in fewer than half of them. */
static bool entries_fit(rp_reader *frame, const rumble_replay *replay, walk_mode how)
{
    tally t = {0};
    return walk_entries(frame, replay, how, &t) && t.bad <= t.good;
}

/* Whether a frame begins here that holds just what it says, with the usual stray bytes at most. */
static bool is_frame(rp_reader r, const rumble_replay *replay, walk_mode how)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    r.error = &ignored;
    uint32_t size = rp_u32(&r, "frame size");
    if (!rp_ok(&r) || size < 8 || size > rp_left(&r))
        return false;
    rp_reader frame = rp_sub(&r, size, "frame");
    return entries_fit(&frame, replay, how) &&
           (!rp_left(&frame) || rp_left(&frame) == RUMBLE_STRAY_USUAL);
}

/* A frame with a wrong size, if its entries alone lead to the next one. */
static bool walk_without_size(rp_reader *r, const rumble_replay *replay, walk_mode how, tally *t)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader frame = *r;
    frame.error = &ignored;
    if (!entries_fit(&frame, replay, how) || (rp_left(&frame) && !is_frame(frame, replay, how)))
        return false;
    return walk_entries(r, replay, how, t);
}

/* False, with r's error set, if the frame is cut or cannot be walked in this mode. */
static bool walk_frame(rp_reader *r, const rumble_replay *replay, walk_mode how, tally *t)
{
    if (how == UNFRAMED)
        return walk_entries(r, replay, how, t);
    int32_t size = rp_i32(r, "frame size");
    if (rp_ok(r) && size < 8)
        rp_fail(r, REPRISE_E_CORRUPT, "frame size", "is %d", size);
    rp_reader frame = rp_sub(r, rp_ok(r) ? (size_t)size : 0, "frame");
    bool complete = rp_ok(r);
    walk_entries(&frame, replay, how, t);
    if (complete && r->error->status == REPRISE_E_TRUNCATED)
        r->error->status = REPRISE_E_CORRUPT; /* not cut off: the frame is there, it does not fit */
    return rp_ok(r);
}

/* Skips damage up to the next two frames; false if there are none near. */
static bool find_frames(rp_reader *r, const rumble_replay *replay, walk_mode how)
{
    enum { LOOK_MAX = 1 << 13 };
    for (size_t i = 0; i < LOOK_MAX && rp_left(r) > 8; i++) {
        rp_skip(r, 1, "damage");
        if (!is_frame(*r, replay, how))
            continue;
        rp_reader next = *r;
        rp_skip(&next, rp_u32(&next, "frame size"), "frame");
        if (!rp_left(&next) || is_frame(next, replay, how))
            return true;
    }
    return false;
}

/* The next frame that makes sense: damage must not count as evidence. */
static bool walk_or_find(rp_reader *r, const rumble_replay *replay, walk_mode how, tally *t)
{
    rp_reader inside = *r, start = *r;
    reprise_error ignored = REPRISE_ERROR_INIT;
    inside.error = start.error = &ignored;
    rp_skip(&inside, 4, "frame size");
    if (is_frame(*r, replay, how))
        return walk_frame(r, replay, how, t);
    if (rp_ok(&inside) && walk_without_size(&inside, replay, how, t)) {
        inside.error = r->error;
        *r = inside;
        return true;
    }
    if (find_frames(&start, replay, how)) {
        start.error = r->error;
        *r = start;
        return walk_frame(r, replay, how, t);
    }
    rp_reader odd = *r; /* with more stray bytes than usual */
    odd.error = &ignored;
    ignored = (reprise_error)REPRISE_ERROR_INIT;
    tally blind = {0};
    return walk_frame(r, replay, how, walk_frame(&odd, replay, how, &blind) ? t : &blind);
}

/* Walks the complete frames of a piece of the stream, or those that can be found in it. Returns how
   many there are. */
static size_t walk(const rumble_replay *replay, const rp_reader *piece, bool whole, walk_mode how,
                   bool finds, tally *t, reprise_status *ret_status)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = *piece;
    r.error = &error;
    size_t frames = 0;
    while (frames < PREFIX_FRAMES && frames < replay->frame_count) {
        bool there = finds && how != UNFRAMED ? walk_or_find(&r, replay, how, t)
                                              : walk_frame(&r, replay, how, t);
        if (!there)
            break;
        frames++;
    }
    /* A frame that the piece cuts off is no evidence against this walk mode. */
    bool cut = error.status == REPRISE_E_TRUNCATED && !whole;
    *ret_status = cut ? REPRISE_OK : error.status;
    return frames;
}

/*
 * The first walk mode that reads everything. Where there is damage, the one that explains most
 * entries, and frames after the damage count as well: one bad number must not turn the rest into
 * nonsense.
 */
static walk_mode choose_walk_mode(const rumble_replay *replay, const rp_reader *piece, bool whole)
{
    for (walk_mode how = WITH_SUB_INDEX; how < WALK_MODE_COUNT; how++) {
        reprise_status status;
        tally t = {0};
        walk(replay, piece, whole, how, false, &t, &status);
        if (status == REPRISE_OK && !t.bad)
            return how;
    }
    walk_mode best = WITH_SUB_INDEX;
    size_t most = 0;
    for (walk_mode how = WITH_SUB_INDEX; how < WALK_MODE_COUNT; how++) {
        reprise_status status;
        tally t = {0};
        walk(replay, piece, whole, how, true, &t, &status);
        if (t.good > most) {
            most = t.good;
            best = how;
        }
    }
    return best;
}

/* ---- ZIP ---- */

static void recognise_zip(rumble_replay *replay, rp_reader piece, bool whole)
{
    rp_match(&piece, rumble_stream_magic, sizeof rumble_stream_magic);
    walk_mode how = choose_walk_mode(replay, &piece, whole);
    replay->wire.sub_index = how == WITH_SUB_INDEX;
    replay->wire.name = "";
    if (how == UNFRAMED) {
        rumble_set_layout(replay, "z2");
        replay->wire_certain = true;
        return;
    }
    evidence e;
    evidence_init(&e);
    reprise_status status;
    tally t = {.evidence = &e};
    size_t frames = walk(replay, &piece, whole, how, true, &t, &status);
    rumble_set_layout(replay, choose_layout(&e, replay));
    replay->wire_certain = is_u16(&e) || frames == replay->frame_count;
}

/* ---- RGZP ---- */

/*
 * Readers ignore the type in L2; as evidence it must make sense. It is checked before the length
 * after it: that of an L1 state read as a chunk mostly exceeds the piece, which looks like a cut.
 */
static void walk_legacy_objects(rp_reader *r, bool chunked, bool players, uint32_t count)
{
    rumble_legacy_object object;
    for (uint32_t i = 0; i < count && rumble_take_legacy_head(r, chunked, &object); i++) {
        if (object.type > RUMBLE_CHUNK_STRUCTURE)
            rp_fail(r, REPRISE_E_CORRUPT, "type", "is not 0 or 1");
        else
            rumble_take_legacy_state(r, chunked, players, &object);
    }
}

/* Walks complete frames; *ret_left is the number of bytes after the last one. */
static size_t walk_legacy(const rumble_replay *replay, const rp_reader *frames, bool chunked,
                          size_t frames_max, reprise_status *ret_status, size_t *ret_left)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = *frames;
    r.error = &error;
    size_t count = 0;
    for (; count < frames_max && count < replay->frame_count; count++) {
        rp_f32(&r, "time");
        if (rp_ok(&r))
            walk_legacy_objects(&r, chunked, false, replay->structure_count);
        if (rp_ok(&r))
            walk_legacy_objects(&r, chunked, true, replay->player_count);
        if (!rp_ok(&r))
            break;
    }
    *ret_status = error.status;
    *ret_left = rp_left(&r);
    return count;
}

/* Walks both layouts; the one that ends exactly wins, then L1, then the one that gets further. */
static void recognise_legacy(rumble_replay *replay, const rp_reader *frames, bool whole,
                             size_t frames_max)
{
    reprise_status status[2];
    size_t left[2], count[2];
    bool lives[2], exact[2];
    for (int chunked = 0; chunked < 2; chunked++) {
        count[chunked] = walk_legacy(replay, frames, chunked, frames_max, &status[chunked],
                                     &left[chunked]);
        lives[chunked] = status[chunked] == REPRISE_OK ||
                         (status[chunked] == REPRISE_E_TRUNCATED && !whole);
        exact[chunked] = whole && status[chunked] == REPRISE_OK && left[chunked] == 0 &&
                         count[chunked] == replay->frame_count;
    }
    bool chunked;
    if (exact[0] != exact[1])
        chunked = exact[1];
    else if (lives[0] != lives[1])
        chunked = lives[1];
    else
        chunked = !lives[0] && count[1] > count[0];
    rumble_set_layout(replay, chunked ? "l2" : "l1");
    replay->wire_certain = whole || lives[0] != lives[1];
}

/* ---- both ---- */

static bool enough(const rumble_replay *replay, const rp_reader *piece, bool whole)
{
    if (whole || rp_left(piece) >= PREFIX_BYTES_MAX)
        return true;
    reprise_status status;
    size_t left, most = 0, needed = RP_MIN((uint32_t)PREFIX_FRAMES, replay->frame_count);
    if (!replay->base.zip) {
        for (int chunked = 0; chunked < 2 && most < needed; chunked++)
            most = RP_MAX(most, walk_legacy(replay, piece, chunked, PREFIX_FRAMES, &status, &left));
    } else {
        rp_reader frames = *piece;
        rp_match(&frames, rumble_stream_magic, sizeof rumble_stream_magic);
        for (walk_mode how = WITH_SUB_INDEX; how < WALK_MODE_COUNT && most < needed; how++)
            most = RP_MAX(most, walk(replay, &frames, whole, how, false, &(tally){0}, &status));
    }
    return most >= needed;
}

/* The legacy header may be longer than the first piece: then there is more to read. */
static reprise_status legacy_header(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    size_t want = PREFIX_BYTES_FIRST;
    for (;;) {
        RP_TRY(rp_window_fill(window, want, error));
        reprise_error failure = REPRISE_ERROR_INIT;
        rp_reader r = rp_window_reader(window, &failure);
        rumble_read_legacy_header(replay, &r);
        if (rp_ok(&r)) {
            replay->header_size = (size_t)r.offset;
            rp_window_skip(window, replay->header_size);
            return REPRISE_OK;
        }
        uint64_t max = replay->base.context->limits.text_bytes_max;
        bool cut = failure.status == REPRISE_E_TRUNCATED || failure.status == REPRISE_E_CORRUPT;
        if (!cut || window->ended || want >= max) {
            if (window->ended && window->failure.status != REPRISE_OK &&
                failure.status == REPRISE_E_TRUNCATED)
                failure = window->failure;
            *error = failure;
            return error->status;
        }
        want *= 2;
    }
}

static reprise_status check_stream_magic(rp_window *window, reprise_error *error)
{
    rp_reader r = rp_window_reader(window, error);
    if (rp_left(&r) < sizeof rumble_stream_magic)
        return rp_window_short(window, sizeof rumble_stream_magic, "magic", error);
    if (!rp_match(&r, rumble_stream_magic, sizeof rumble_stream_magic))
        rp_fail(&r, REPRISE_E_CORRUPT, "magic", "the stream does not begin with RPLY");
    return error->status;
}

reprise_status rumble_recognise(rumble_replay *replay, reprise_error *error)
{
    rp_window window;
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = replay->base.zip ? rp_window_fill(&window, PREFIX_BYTES_FIRST, error)
                                             : legacy_header(replay, &window, error);
    if (status == REPRISE_OK && replay->base.zip)
        status = check_stream_magic(&window, error);
    for (size_t want = PREFIX_BYTES_FIRST; status == REPRISE_OK; want *= 2) {
        reprise_error ignored = REPRISE_ERROR_INIT;
        rp_reader piece = rp_window_reader(&window, &ignored);
        if (enough(replay, &piece, window.ended)) {
            if (replay->base.zip)
                recognise_zip(replay, piece, window.ended);
            else
                recognise_legacy(replay, &piece, window.ended, PREFIX_FRAMES);
            break;
        }
        status = rp_window_fill(&window, want * 2, error);
    }
    if (status == REPRISE_OK && replay->base.zip &&
        rp_source_size(replay->base.source) <= RUMBLE_START_KEPT_MAX)
        replay->start = window;
    else
        rp_window_free(&window);
    if (status == REPRISE_OK && replay->base.forced_layout) {
        rumble_set_layout(replay, replay->base.forced_layout);
        replay->wire_certain = true;
    }
    return status;
}

/* ---- settling it ---- */

static reprise_status settle_zip(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    evidence e;
    evidence_init(&e);
    tally t = {.evidence = &e};
    walk_mode how = replay->wire.sub_index ? WITH_SUB_INDEX : WITHOUT_SUB_INDEX;
    rp_window_skip(window, sizeof rumble_stream_magic);
    uint32_t frames = 0;
    for (; frames < replay->frame_count; frames++) {
        size_t size;
        RP_TRY(rumble_next_sized_frame(window, INT32_MAX, &size, error));
        reprise_error ignored = REPRISE_ERROR_INIT;
        rp_reader r = rp_window_reader(window, &ignored);
        size_t before = rp_left(&r);
        if (!walk_frame(&r, replay, how, &t))
            break;
        rp_window_skip(window, before - rp_left(&r));
    }
    /* Damage at the start leaves no evidence; then the layout found when opening stays. */
    if (e.any_chunk || frames == replay->frame_count)
        rumble_set_layout(replay, choose_layout(&e, replay));
    return REPRISE_OK;
}

static reprise_status settle_legacy(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    /* Data that reads as both layouts this far is so rare that holding it in memory is fine. */
    RP_TRY(rp_window_fill(
        window,
        (size_t)RP_MIN(replay->base.context->limits.decoded_bytes_max, (uint64_t)SIZE_MAX / 4),
        error));
    rp_window_skip(window, RP_MIN(replay->header_size, rp_window_left(window)));
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader frames = rp_window_reader(window, &ignored);
    recognise_legacy(replay, &frames, true, SIZE_MAX);
    return REPRISE_OK;
}

reprise_status rumble_settle_layout(rumble_replay *replay, reprise_error *error)
{
    if (replay->wire_certain)
        return REPRISE_OK;
    rp_window window;
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_window_fill(&window, PREFIX_BYTES_FIRST, error);
    if (status == REPRISE_OK)
        status = replay->base.zip ? settle_zip(replay, &window, error)
                                  : settle_legacy(replay, &window, error);
    rp_window_free(&window);
    replay->wire_certain = status == REPRISE_OK;
    return status;
}
