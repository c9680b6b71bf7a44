/*
 * format_probe.c - recognises recordings and their layout.
 *
 * There is no magic, so only the content can tell: a header of plausible values, then frames in
 * which selection sums match and events belong to their frame. Each layout gets a score.
 */
#include "remastered.h"

enum {
    SCORE_HEADER = 40,
    SCORE_FRAME = 2,
    SCORE_FRAMES_MAX = 30,
    SCORE_PROOF = 4,
    SCORE_PROOFS_MAX = 20,
    SCORE_SOUND = 10,
    SCORE_UNPROVEN_MAX = 60,
    SCORE_HEADER_ONLY = 30,
    FRAMES_TRIED = 256,
    PIECE_MAX = 1 << 20,
};

typedef struct trial {
    uint32_t good;  /* frames */
    uint32_t proof; /* events and selections */
    bool sound;
} trial;

/* Reads the first frames. A piece that ends before the file does proves nothing at its end. */
static trial try_frames(const cnc_header *header, const cnc_layout *layout, bool skirmish_gap,
                        const uint8_t *data, size_t size, bool whole)
{
    cnc_cursor cursor;
    cnc_cursor_init(&cursor, header, layout->full, skirmish_gap);
    rp_window_init_memory(&cursor.window, data, size, "file");
    rp_window_skip(&cursor.window, header->size);
    reprise_error ignored = REPRISE_ERROR_INIT;
    trial result = {0};
    cnc_record record;
    while (result.good < FRAMES_TRIED &&
           cnc_cursor_next(&cursor, &record, &ignored) == REPRISE_OK) {
        result.good++;
        result.proof += (uint32_t)record.event_count + (record.about.selected > 0);
    }
    result.sound = cursor.damage == CNC_SOUND || (cursor.damage == CNC_CUT && !whole);
    return result;
}

static unsigned score_of(const trial *t)
{
    unsigned score = SCORE_HEADER + RP_MIN(t->good * SCORE_FRAME, (uint32_t)SCORE_FRAMES_MAX) +
                     RP_MIN(t->proof * SCORE_PROOF, (uint32_t)SCORE_PROOFS_MAX) +
                     (t->sound ? SCORE_SOUND : 0);
    if (t->proof)
        return score;
    /* Zeros after a plausible head are empty frames; only a sound end tells a recording apart. */
    return t->sound ? RP_MIN(score, (unsigned)SCORE_UNPROVEN_MAX) : SCORE_HEADER_ONLY;
}

static bool better(const trial *a, const trial *b)
{
    return a->sound != b->sound ? a->sound : a->good > b->good;
}

static cnc_guess try_layout(const cnc_header *header, const cnc_layout *layout, const uint8_t *data,
                            size_t size, bool whole)
{
    if (whole && size == header->size)
        return (cnc_guess){.layout = layout, .score = SCORE_HEADER_ONLY};
    trial writer = try_frames(header, layout, false, data, size, whole), best = writer;
    bool gap = false;
    if (header->type == header->game->skirmish) {
        trial player = try_frames(header, layout, true, data, size, whole);
        gap = better(&player, &writer);
        best = gap ? player : writer;
    }
    if (!best.good)
        return (cnc_guess){0};
    return (cnc_guess){.layout = layout, .skirmish_gap = gap, .score = score_of(&best)};
}

static bool head_fits(const cnc_game *game, const uint8_t *head, size_t size, cnc_header *header)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(head, size, "file", &ignored);
    cnc_header_read(&r, game, header);
    return rp_ok(&r) && cnc_header_plausible(header, head);
}

static cnc_guess best_of(const cnc_header *header, const uint8_t *data, size_t size, bool whole,
                         const char *only, cnc_guess best)
{
    for (size_t i = 0; i < CNC_LAYOUT_COUNT; i++) {
        const cnc_layout *layout = &cnc_layouts[i];
        if (layout->game != header->game || (only && strcmp(only, layout->name) != 0))
            continue;
        cnc_guess guess = try_layout(header, layout, data, size, whole);
        if (guess.score > best.score)
            best = guess;
    }
    return best;
}

cnc_guess cnc_recognise(rp_context *context, rp_source *source, const uint8_t *head,
                        size_t head_size, const char *only)
{
    static const cnc_game *const games[] = {&cnc_ra, &cnc_td};
    cnc_guess best = {0};
    uint64_t file_size = rp_source_size(source);
    size_t size = (size_t)RP_MIN(file_size, (uint64_t)PIECE_MAX);
    for (size_t i = 0; i < RP_COUNT(games); i++) {
        cnc_header header;
        if (!head_fits(games[i], head, head_size, &header))
            continue;
        reprise_error ignored = REPRISE_ERROR_INIT;
        const uint8_t *data = NULL;
        uint8_t *spare = NULL;
        if (rp_source_piece(source, 0, size, &data, &spare, &ignored) != REPRISE_OK)
            continue;
        best = best_of(&header, data, size, size == file_size, only, best);
        if (spare)
            rp_free(context, spare, size);
    }
    return best;
}
