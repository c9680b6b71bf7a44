/* foreign_frames.c - see foreign_frames.h. */
#include "foreign_frames.h"

#include "whole.h"

enum {
    TAG_OPENRA = 0xF001,
    TAG_RED_ALERT = 0xF002,
    TAG_TIBERIAN_DAWN = 0xF003,
    SKIPPED_NAMES_MAX = 1000,
};

static const char *text(const reprise_value *object, const char *key)
{
    const char *found = rp_get_text(object, key);
    return found ? found : "";
}

static bool is(const reprise_value *object, const char *key, const char *word)
{
    return strcmp(text(object, key), word) == 0;
}

/* ---- ticks ---- */

/* OpenRA counts frames of several ticks, the others seconds in sixtieths. */
static uint64_t tick_of(const ic_foreign_frames *f, int64_t frame, double time)
{
    if (f->translator.openra) {
        if (frame <= 1)
            return 0;
        double ms = (double)(frame - 1) * (double)f->ticks_per_frame * (double)f->tick_ms;
        if (ms * IC_IMPORT_TICKS_PER_SECOND > 1e15)
            return UINT64_MAX;
        uint64_t whole = (uint64_t)(frame - 1) * (uint64_t)f->ticks_per_frame *
                         (uint64_t)f->tick_ms;
        return (whole * IC_IMPORT_TICKS_PER_SECOND + 500) / 1000;
    }
    if (!(time > 0) || time > 1e12)
        return time > 0 ? UINT64_MAX : 0;
    uint64_t sixtieths = rp_whole_u64(time * 60 + 0.5);
    return (sixtieths * IC_IMPORT_TICKS_PER_SECOND + 30) / 60;
}

static reprise_status find_length(ic_foreign_frames *f, reprise_error *error)
{
    int64_t last = reprise_value_int(rp_get(f->metadata, "duration_frames"), 0);
    uint64_t tick = tick_of(f, last, reprise_value_double(rp_get(f->metadata, "last_time"), 0));
    if (!f->translator.openra && !last)
        tick = 0;
    /* Every tick has a frame, also those without orders. */
    f->total_ticks = RP_MIN(tick, UINT64_MAX - 1) + 1;
    return rp_limit(f->total_ticks, f->context->ticks_max, "ticks of the match:", "ticks", error);
}

uint64_t ic_foreign_diverged_at(const ic_foreign_frames *f)
{
    const reprise_value *divergence = rp_get(f->foreign->about, "divergence");
    const reprise_value *frame = rp_get(divergence, "first_frame");
    double time = reprise_value_double(rp_get(divergence, "first_time"), 0);
    if (!frame)
        return UINT64_MAX;
    return RP_MIN(tick_of(f, reprise_value_int(frame, 0), time), f->total_ticks);
}

/* ---- opening ---- */

static void learn_source(ic_foreign_frames *f)
{
    const reprise_value *about = f->foreign->about;
    ic_translator *t = &f->translator;
    f->source = rp_get(about, "source");
    f->metadata = rp_get(about, "metadata");
    t->openra = is(f->source, "engine", "openra");
    t->dialect = (uint8_t)reprise_value_uint(rp_get(f->source, "dialect_index"), 0);
    t->carrier = t->openra                               ? TAG_OPENRA
                 : is(f->source, "game", "TiberianDawn") ? TAG_TIBERIAN_DAWN
                                                         : TAG_RED_ALERT;
    f->tick_ms = RP_MAX(reprise_value_int(rp_get(f->metadata, "tick_ms"), 40), (int64_t)1);
    f->ticks_per_frame = RP_MAX(reprise_value_int(rp_get(f->metadata, "ticks_per_frame"), 3),
                                (int64_t)1);
    size_t players = reprise_value_count(rp_get(f->metadata, "players"));
    /* Campaigns of the classic games name no player, but have one. */
    bool unnamed = !players && !t->openra;
    f->player_count = unnamed ? 1 : RP_MIN(players, (size_t)IC_PLAYERS_MAX);
}

reprise_status ic_foreign_frames_init(ic_foreign_frames *f, rp_context *context,
                                      const rp_foreign *foreign, bool lossless,
                                      reprise_error *error)
{
    *f = (ic_foreign_frames){.context = context, .foreign = foreign, .lossless = lossless};
    f->translator = (ic_translator){.context = context};
    rp_arena_init(&f->translator.arena, context);
    rp_arena_init(&f->arena, context);
    rp_writer_init(&f->bytes, context, UINT32_MAX, error);
    rp_writer_init(&f->one, context, UINT32_MAX, error);
    f->doc = (rp_doc){.arena = &f->arena, .error = error};
    f->skipped_names = rp_new_object(&f->doc);
    learn_source(f);
    RP_TRY(error->status);
    return find_length(f, error);
}

void ic_foreign_frames_free(ic_foreign_frames *f)
{
    if (!f->context)
        return;
    rp_writer_free(&f->bytes);
    rp_writer_free(&f->one);
    rp_arena_free(&f->translator.arena);
    rp_arena_free(&f->arena);
    *f = (ic_foreign_frames){0};
}

void ic_foreign_frames_rewind(ic_foreign_frames *f)
{
    f->tick = f->next = 0;
    f->skipped = f->carried = f->translated = f->written = 0;
    memset(f->orders, 0, sizeof f->orders);
}

/* ---- frames ---- */

static void skip(ic_foreign_frames *f, const reprise_foreign_order *order)
{
    f->skipped++;
    const reprise_value *before = rp_get(f->skipped_names, order->name);
    uint64_t count = reprise_value_uint(before, 0) + 1;
    if (before || reprise_value_count(f->skipped_names) < SKIPPED_NAMES_MAX)
        rp_replace(&f->doc, f->skipped_names, order->name, rp_new_uint(&f->doc, count));
}

/* Encodes all orders that represent one foreign order, or none of them. */
static bool encode(ic_foreign_frames *f, uint8_t player)
{
    const ic_translator *t = &f->translator;
    rp_writer_clear(&f->one);
    if (f->per_player[player] + t->count > IC_ORDERS_MAX)
        return false;
    for (size_t i = 0; i < t->count; i++) {
        size_t before = f->one.size;
        ic_order order = {player, t->orders[i], (uint32_t)(f->frame_orders + i)};
        rp_bincode_write(&f->one, &ic_order_record, &order);
        if (f->one.size - before > IC_ORDER_BYTES_MAX)
            return false;
    }
    return f->one.error->status == REPRISE_OK;
}

static void put_order(ic_foreign_frames *f, const reprise_foreign_order *order)
{
    ic_translator *t = &f->translator;
    ic_translated how = ic_translate(t, order);
    bool carries = how == IC_NO_COUNTERPART && f->lossless;
    if (how == IC_NOT_AN_ORDER)
        return;
    bool known = order->player < f->player_count && order->player < IC_PLAYERS_MAX;
    if (!known || (how == IC_NO_COUNTERPART && !(carries && ic_carry_raw(t, order))) ||
        !encode(f, order->player)) {
        skip(f, order);
        return;
    }
    rp_put(&f->bytes, f->one.data, f->one.size);
    f->frame_orders += t->count;
    f->per_player[order->player] += (uint32_t)t->count;
    f->orders[order->player] += t->count;
    f->written += t->count;
    f->carried += carries;
    f->translated += !carries;
}

static uint64_t next_tick(const ic_foreign_frames *f)
{
    if (f->next == f->foreign->frame_count)
        return UINT64_MAX;
    const reprise_foreign_frame *frame = &f->foreign->frames[f->next];
    return RP_MIN(tick_of(f, frame->number, frame->time), f->total_ticks - 1);
}

reprise_status ic_foreign_frames_next(ic_foreign_frames *f, reprise_error *error)
{
    enum { COUNT_OFFSET = 16 };
    f->bytes.error = f->one.error = f->doc.error = f->translator.error = error;
    rp_writer_clear(&f->bytes);
    rp_put_u64(&f->bytes, f->tick);
    rp_put_u64(&f->bytes, 0); /* the other game has no state hash of ours */
    rp_put_u64(&f->bytes, 0);
    f->frame_orders = 0;
    memset(f->per_player, 0, sizeof f->per_player);
    for (; next_tick(f) <= f->tick; f->next++) {
        const reprise_foreign_frame *frame = &f->foreign->frames[f->next];
        for (size_t i = 0; i < frame->order_count && error->status == REPRISE_OK; i++)
            put_order(f, &frame->orders[i]);
        RP_TRY(rp_progress(f->context, f->next + 1, f->foreign->frame_count, error));
        RP_TRY(error->status);
    }
    RP_TRY(error->status);
    rp_store64(f->bytes.data + COUNT_OFFSET, f->frame_orders);
    f->tick++;
    return error->status;
}

/* ---- the state at the start ---- */

/* The smallest square, in steps of 16, that contains all cells named by orders. */
static uint32_t map_size(const ic_foreign_frames *f)
{
    enum { STEP = 16, SIZE_MIN = 64, SIZE_MAX_CELLS = 4096, TD = 64, RA = 128 };
    int64_t size = SIZE_MIN;
    if (!f->translator.openra)
        return f->translator.carrier == TAG_TIBERIAN_DAWN ? TD : RA;
    for (size_t i = 0; i < f->foreign->frame_count; i++) {
        const reprise_foreign_frame *frame = &f->foreign->frames[i];
        for (size_t k = 0; k < frame->order_count; k++) {
            const reprise_foreign_order *order = &frame->orders[k];
            int64_t most = order->has_cell ? RP_MAX((int64_t)order->x, (int64_t)order->y) + 1 : 0;
            size = RP_MAX(size, (most + STEP - 1) / STEP * STEP);
        }
    }
    return (uint32_t)RP_MIN(size, (int64_t)SIZE_MAX_CELLS);
}

static uint32_t intern(ic_text *names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (names[i].size == strlen(name) && memcmp(names[i].data, name, strlen(name)) == 0)
            return (uint32_t)i;
    }
    names[*count] = (rp_text){name, strlen(name)};
    return (uint32_t)(*count)++;
}

static reprise_ic_player_list players_of(ic_foreign_frames *f, reprise_ic_text_list *ret_names,
                                         reprise_error *error)
{
    const reprise_value *from = rp_get(f->metadata, "players");
    size_t interned = 0;
    ic_player *players = rp_arena_array(&f->arena, f->player_count, sizeof *players, error);
    ic_text *names = rp_arena_array(&f->arena, f->player_count, sizeof *names, error);
    for (size_t i = 0; players && names && i < f->player_count; i++) {
        const reprise_value *one = reprise_value_at(from, i);
        players[i].player = (uint32_t)i;
        players[i].team = (uint32_t)reprise_value_int(rp_get(one, "team"), 0);
        players[i].faction = intern(names, &interned, text(one, "faction"));
    }
    *ret_names = (reprise_ic_text_list){names, interned};
    return (reprise_ic_player_list){players, players ? f->player_count : 0};
}

static void seed_rng(ic_rng *rng, uint64_t state)
{
    uint64_t *const out[] = {&rng->s0, &rng->s1, &rng->s2, &rng->s3};
    for (size_t i = 0; i < RP_COUNT(out); i++)
        *out[i] = ic_split_mix(&state);
}

const char *ic_foreign_module(const ic_foreign_frames *f)
{
    const char *mod = text(f->source, "mod_id");
    return strcmp(mod, "ra") == 0 ? "ra1" : mod;
}

uint64_t ic_foreign_seed(const ic_foreign_frames *f)
{
    return reprise_value_uint(rp_get(rp_get(f->foreign->about, "initial_state"), "random_seed"), 0);
}

reprise_status ic_foreign_start(ic_foreign_frames *f, ic_snapshot *ret_start, reprise_error *error)
{
    const char *map = text(f->metadata, "map_hash");
    ic_snapshot start = {.core = {.game_seed = ic_foreign_seed(f)}};
    ic_core *core = &start.core;
    ic_hasher hasher;
    RP_TRY(ic_hasher_init(&hasher, f->context, error));
    ic_digest(&hasher, map, strlen(map), core->map_hash);
    ic_hasher_free(&hasher);
    seed_rng(&core->rng_state.s, core->game_seed);
    core->map_state.width = core->map_state.height = map_size(f);
    core->player_states = players_of(f, &core->intern_table.entries, error);
    RP_TRY(error->status);
    RP_TRY(ic_core_check(core, &f->arena, error));
    *ret_start = start;
    return REPRISE_OK;
}
