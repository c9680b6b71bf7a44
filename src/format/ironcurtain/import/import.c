/* import.c - see import.h. */
#include "import.h"

#include "json.h"
#include "whole.h"

enum {
    TICKS_PER_SECOND = 15,
    TAG_OPENRA = 0xF001,
    TAG_RED_ALERT = 0xF002,
    TAG_TIBERIAN_DAWN = 0xF003,
};

typedef struct importer {
    rp_context *context;
    const rp_foreign *foreign;
    const ic_import_options *options;
    const reprise_value *source, *metadata; /* of the foreign replay */
    ic_translator translator;
    ic_section_writer parts;
    ic_hasher hasher;
    rp_arena arena;
    rp_doc doc;           /* in the arena */
    reprise_value *names; /* what was left out, by the name of the order */
    uint64_t skipped, carried, translated, written;
    uint64_t orders[IC_PLAYERS_MAX]; /* per player */
    uint64_t total_ticks;
    size_t player_count;
    int64_t tick_ms, ticks_per_frame;
    rp_writer block, frame, one;
    uint64_t frame_tick, frame_orders;
    uint32_t block_frames;
    uint32_t per_player[IC_PLAYERS_MAX]; /* orders in this frame */
    reprise_error *error;
} importer;

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
static uint64_t tick_of(const importer *in, int64_t frame, double time)
{
    if (in->translator.openra) {
        if (frame <= 1)
            return 0;
        double ms = (double)(frame - 1) * (double)in->ticks_per_frame * (double)in->tick_ms;
        if (ms * TICKS_PER_SECOND > 1e15)
            return UINT64_MAX;
        uint64_t whole = (uint64_t)(frame - 1) * (uint64_t)in->ticks_per_frame *
                         (uint64_t)in->tick_ms;
        return (whole * TICKS_PER_SECOND + 500) / 1000;
    }
    if (!(time > 0) || time > 1e12)
        return time > 0 ? UINT64_MAX : 0;
    uint64_t sixtieths = rp_whole_u64(time * 60 + 0.5);
    return (sixtieths * TICKS_PER_SECOND + 30) / 60;
}

static reprise_status find_length(importer *in)
{
    int64_t last = reprise_value_int(rp_get(in->metadata, "duration_frames"), 0);
    uint64_t tick = tick_of(in, last, reprise_value_double(rp_get(in->metadata, "last_time"), 0));
    if (!in->translator.openra && !last)
        tick = 0;
    /* Every tick gets a frame, also those without orders. */
    in->total_ticks = RP_MIN(tick, UINT64_MAX - 1) + 1;
    return rp_limit(in->total_ticks, in->context->ticks_max, "ticks of the match:", "ticks",
                    in->error);
}

/* ---- frames ---- */

static void end_frame(importer *in)
{
    rp_put_u64(&in->block, in->frame_tick);
    rp_put_u64(&in->block, 0);
    rp_put_u64(&in->block, in->frame_orders);
    rp_put(&in->block, in->frame.data, in->frame.size);
    rp_writer_clear(&in->frame);
    in->frame_orders = 0;
    memset(in->per_player, 0, sizeof in->per_player);
    in->block_frames++;
    in->frame_tick++;
    if (in->frame_tick % IC_BLOCK_TICKS && in->frame_tick < in->total_ticks)
        return;
    ic_section_writer_add_block(&in->parts, (in->frame_tick - 1) & ~(uint64_t)(IC_BLOCK_TICKS - 1),
                                in->block_frames, &in->block, in->options->level);
    rp_writer_clear(&in->block);
    in->block_frames = 0;
}

static void left_out(importer *in, const reprise_foreign_order *order)
{
    in->skipped++;
    const reprise_value *before = rp_get(in->names, order->name);
    uint64_t count = reprise_value_uint(before, 0) + 1;
    if (before || reprise_value_count(in->names) < 1000)
        rp_replace(&in->doc, in->names, order->name, rp_new_uint(&in->doc, count));
}

/* All orders that stand for one, or none of them. */
static bool fits(importer *in, uint8_t player)
{
    const ic_translator *t = &in->translator;
    rp_writer_clear(&in->one);
    if (in->per_player[player] + t->count > IC_ORDERS_MAX)
        return false;
    for (size_t i = 0; i < t->count; i++) {
        size_t before = in->one.size;
        ic_order order = {player, t->orders[i], (uint32_t)(in->frame_orders + i)};
        rp_bincode_write(&in->one, &ic_order_record, &order);
        if (in->one.size - before > IC_ORDER_BYTES_MAX)
            return false;
    }
    return in->error->status == REPRISE_OK;
}

static reprise_status put_order(importer *in, const reprise_foreign_order *order)
{
    ic_translator *t = &in->translator;
    ic_translated how = ic_translate(t, order);
    bool carries = how == IC_NO_COUNTERPART && in->options->lossless;
    if (how == IC_NOT_AN_ORDER)
        return in->error->status;
    bool known = order->player < in->player_count && order->player < IC_PLAYERS_MAX;
    if (!known || (how == IC_NO_COUNTERPART && !(carries && ic_carry_raw(t, order))) ||
        !fits(in, order->player)) {
        left_out(in, order);
        return in->error->status;
    }
    rp_put(&in->frame, in->one.data, in->one.size);
    in->frame_orders += t->count;
    in->per_player[order->player] += (uint32_t)t->count;
    in->orders[order->player] += t->count;
    in->written += t->count;
    in->carried += carries;
    in->translated += !carries;
    return in->error->status;
}

static reprise_status put_frames(importer *in)
{
    const rp_foreign *foreign = in->foreign;
    for (size_t i = 0; i < foreign->frame_count; i++) {
        const reprise_foreign_frame *frame = &foreign->frames[i];
        uint64_t tick = RP_MIN(tick_of(in, frame->number, frame->time), in->total_ticks - 1);
        while (in->frame_tick < tick)
            end_frame(in);
        for (size_t k = 0; k < frame->order_count; k++)
            RP_TRY(put_order(in, &frame->orders[k]));
        RP_TRY(rp_progress(in->context, i + 1, foreign->frame_count, in->error));
    }
    while (in->frame_tick < in->total_ticks && in->error->status == REPRISE_OK)
        end_frame(in);
    return in->error->status;
}

/* ---- the state at the start ---- */

/* The smallest square, in steps of 16, that has all cells that orders name. */
static uint32_t map_size(const importer *in)
{
    enum { STEP = 16, SIZE_MIN = 64, SIZE_MAX_CELLS = 4096, TD = 64, RA = 128 };
    int64_t size = SIZE_MIN;
    if (!in->translator.openra)
        return in->translator.carrier == TAG_TIBERIAN_DAWN ? TD : RA;
    for (size_t i = 0; i < in->foreign->frame_count; i++) {
        const reprise_foreign_frame *frame = &in->foreign->frames[i];
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
        if (names[i].value.size == strlen(name) &&
            memcmp(names[i].value.data, name, strlen(name)) == 0)
            return (uint32_t)i;
    }
    names[*count].value = (rp_text){name, strlen(name)};
    return (uint32_t)(*count)++;
}

static rp_list players_of(importer *in, rp_list *ret_names)
{
    const reprise_value *from = rp_get(in->metadata, "players");
    size_t interned = 0;
    ic_player *players = rp_arena_array(&in->arena, in->player_count, sizeof *players, in->error);
    ic_text *names = rp_arena_array(&in->arena, in->player_count, sizeof *names, in->error);
    for (size_t i = 0; players && names && i < in->player_count; i++) {
        const reprise_value *one = reprise_value_at(from, i);
        players[i].player = (uint32_t)i;
        players[i].team = (uint32_t)reprise_value_int(rp_get(one, "team"), 0);
        players[i].faction = intern(names, &interned, text(one, "faction"));
    }
    *ret_names = (rp_list){names, interned};
    return (rp_list){players, players ? in->player_count : 0};
}

static void seed_rng(ic_rng *rng, uint64_t state)
{
    uint64_t *const out[] = {&rng->s0, &rng->s1, &rng->s2, &rng->s3};
    for (size_t i = 0; i < RP_COUNT(out); i++)
        *out[i] = ic_split_mix(&state);
}

static uint64_t seed_of(const importer *in)
{
    return reprise_value_uint(rp_get(rp_get(in->foreign->about, "initial_state"), "random_seed"),
                              0);
}

static reprise_status put_start(importer *in)
{
    const char *map = text(in->metadata, "map_hash");
    ic_snapshot start = {.core = {.game_seed = seed_of(in)}};
    ic_core *core = &start.core;
    seed_rng(&core->rng_state.s, core->game_seed);
    ic_digest(&in->hasher, map, strlen(map), core->map_hash);
    core->map_state.width = core->map_state.height = map_size(in);
    core->player_states = players_of(in, &core->intern_table.entries);
    RP_TRY(in->error->status);
    RP_TRY(ic_core_check(core, &in->arena, in->error));
    rp_writer_clear(&in->one);
    rp_bincode_write(&in->one, &ic_snapshot_record, &start);
    ic_section_writer_add_keyframe(&in->parts, 0, true, in->one.data, in->one.size,
                                   in->options->level);
    return in->error->status;
}

/* ---- metadata ---- */

static reprise_value *digest_text(importer *in, const void *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[IC_HASH_SIZE];
    char hex[2 * IC_HASH_SIZE + 1];
    ic_digest(&in->hasher, data, size, digest);
    for (size_t i = 0; i < IC_HASH_SIZE; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[sizeof hex - 1] = '\0';
    return rp_new_format(&in->doc, "sha256:%s", hex);
}

/* When it was recorded, from any text with fourteen digits; else when it was converted. */
static reprise_value *timestamp(importer *in)
{
    enum { DIGITS = 14 };
    char d[DIGITS + 1] = "";
    size_t count = 0;
    for (const char *p = text(in->metadata, "recorded_at"); *p && count < DIGITS; p++) {
        if (*p >= '0' && *p <= '9')
            d[count++] = *p;
    }
    if (count < DIGITS)
        return rp_new_text(&in->doc, in->options->date);
    return rp_new_format(&in->doc, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", d, d + 4, d + 6, d + 8, d + 10,
                         d + 12);
}

static const char *module_of(const importer *in)
{
    const char *mod = text(in->source, "mod_id");
    return strcmp(mod, "ra") == 0 ? "ra1" : mod;
}

static void add_players(importer *in, reprise_value *all, uint64_t seconds)
{
    const reprise_value *from = rp_get(in->metadata, "players");
    reprise_value *players = rp_set_array(&in->doc, all, "players");
    for (size_t i = 0; i < in->player_count; i++) {
        const reprise_value *one = reprise_value_at(from, i);
        reprise_value *to = rp_push_object(&in->doc, players);
        const char *outcome = is(one, "outcome", "Won")    ? "won"
                              : is(one, "outcome", "Lost") ? "lost"
                                                           : "unknown";
        rp_set_uint(&in->doc, to, "slot", i);
        rp_set_text(&in->doc, to, "name", text(one, "name"));
        rp_set_text(&in->doc, to, "faction", text(one, "faction"));
        rp_set_text(&in->doc, to, "outcome", outcome);
        rp_set_uint(&in->doc, to, "apm_avg", in->orders[i] * 60 / RP_MAX(seconds, 1));
    }
}

static void add_origin(importer *in, reprise_value *all)
{
    reprise_value *from = rp_set_object(&in->doc, all, "converted_from");
    const reprise_value *divergence = rp_get(in->foreign->about, "divergence");
    const reprise_value *frame = rp_get(divergence, "first_frame");
    rp_set_text(&in->doc, from, "source", text(in->source, "engine"));
    rp_set_text(&in->doc, from, "original_file", in->options->file ? in->options->file : "");
    rp_set_text(&in->doc, from, "original_mod", text(in->source, "mod_id"));
    rp_set_text(&in->doc, from, "original_version", text(in->source, "mod_version"));
    rp_set_text(&in->doc, from, "conversion_date", in->options->date);
    rp_set_uint(&in->doc, from, "translation_warnings", in->skipped);
    if (!frame) {
        rp_set(&in->doc, from, "diverged_at_tick", rp_new_null(&in->doc));
        return;
    }
    double time = reprise_value_double(rp_get(divergence, "first_time"), 0);
    uint64_t tick = tick_of(in, reprise_value_int(frame, 0), time);
    rp_set_uint(&in->doc, from, "diverged_at_tick", RP_MIN(tick, in->total_ticks));
}

/* Named after the file it comes from, so that importing twice gives the same. */
static reprise_value *new_id(importer *in)
{
    const uint8_t *h = in->options->file_hash;
    return rp_new_format(&in->doc,
                         "%02x%02x%02x%02x-%02x%02x-4%x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                         h[0], h[1], h[2], h[3], h[4], h[5], h[6] & 15u, h[7],
                         (h[8] & 0x3Fu) | 0x80u, h[9], h[10], h[11], h[12], h[13], h[14], h[15]);
}

static void ignore_problem(void *ctx, const rp_finding_kind *kind, const char *message)
{
    RP_UNUSED(ctx);
    RP_UNUSED(kind);
    RP_UNUSED(message);
}

static reprise_value *make_metadata(importer *in, bool keeps_names)
{
    static const uint8_t no_rules[8];
    rp_doc *doc = &in->doc;
    uint64_t seconds = in->total_ticks / TICKS_PER_SECOND;
    const char *map = text(in->metadata, "map_hash");
    reprise_value *all = rp_new_object(doc);
    rp_set(doc, all, "replay_id", new_id(in));
    rp_set(doc, all, "timestamp", timestamp(in));
    rp_set_text(doc, all, "engine_version", REPRISE_VERSION);
    rp_set_uint(doc, all, "base_build", 1);
    rp_set(doc, all, "data_version", digest_text(in, no_rules, sizeof no_rules));
    rp_set_text(doc, all, "game_module", module_of(in));
    reprise_value *mod = rp_push_object(doc, rp_set_array(doc, all, "active_mods"));
    rp_set_text(doc, mod, "id", text(in->source, "mod_id"));
    rp_set_text(doc, mod, "version", text(in->source, "mod_version"));
    rp_set_text(doc, all, "map_name", keeps_names ? text(in->metadata, "map_name") : "");
    rp_set(doc, all, "map_hash", digest_text(in, map, strlen(map)));
    rp_set_text(doc, all, "game_speed", "slower");
    rp_set_text(doc, all, "balance_preset", "");
    rp_set_uint(doc, all, "total_ticks", in->total_ticks);
    rp_set_uint(doc, all, "duration_seconds", seconds);
    add_players(in, all, seconds);
    rp_set_uint(doc, all, "initial_rng_seed", seed_of(in));
    rp_set_bool(doc, all, "signed", false);
    add_origin(in, all);
    return all;
}

static reprise_status put_metadata(importer *in)
{
    reprise_value *metadata = make_metadata(in, true);
    RP_TRY(in->error->status);
    /* A map may be named like a path or an address; such names stay out. */
    if (ic_metadata_check(metadata, ignore_problem, NULL))
        metadata = make_metadata(in, false);
    rp_json_write(&in->parts.of[IC_METADATA], metadata,
                  &(rp_json_format){.indent = 1, .exact_integers = true});
    return in->error->status;
}

/* ---- what the other game had besides orders ---- */

/* As rules of a mod that is called like the game: `extract` gives them, nobody loads them. */
static reprise_status put_texts(importer *in)
{
    const rp_foreign_text *texts = in->foreign->texts.items;
    size_t count = in->foreign->texts.count;
    const char *engine = text(in->source, "engine");
    if (!in->options->lossless || !count)
        return REPRISE_OK;
    ic_rule *rules = rp_arena_array(&in->arena, count, sizeof *rules, in->error);
    for (size_t i = 0; rules && i < count; i++) {
        rules[i] = (ic_rule){.mod_id = {engine, strlen(engine)},
                             .path = {texts[i].path, strlen(texts[i].path)},
                             .yaml = texts[i].text};
        RP_TRY(ic_rule_check(&rules[i], i, true, in->error));
    }
    RP_TRY(in->error->status);
    ic_manifest manifest = {.rules = {rules, count}};
    ic_embedded embedded = {.mod_manifest = &manifest};
    rp_bincode_write(&in->parts.of[IC_EMBEDDED], &ic_embedded_record, &embedded);
    return in->error->status;
}

/* ---- everything ---- */

static void fill_report(const importer *in, rp_doc *doc, reprise_value *report)
{
    rp_set_text(doc, report, "format", "icrep");
    rp_set_text(doc, report, "layout", "final");
    rp_set_uint(doc, report, "ticks", in->total_ticks);
    rp_set_uint(doc, report, "translated", in->translated);
    rp_set_uint(doc, report, "carried", in->carried);
    rp_set_uint(doc, report, "left_out", in->skipped);
    rp_set_uint(doc, report, "orders", in->written);
    reprise_value *list = rp_set_array(doc, report, "warnings");
    reprise_value *dropped = rp_set_array(doc, report, "dropped");
    for (size_t i = 0; i < reprise_value_count(in->names); i++) {
        const char *name = reprise_value_key(in->names, i);
        uint64_t count = reprise_value_uint(reprise_value_at(in->names, i), 0);
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "order", name);
        rp_set_uint(doc, one, "count", count);
        rp_push(doc, dropped,
                rp_new_format(doc, "%llu order%s %s", (unsigned long long)count,
                              count > 1 ? "s" : "", name));
    }
}

static void learn_source(importer *in)
{
    const reprise_value *about = in->foreign->about;
    ic_translator *t = &in->translator;
    in->source = rp_get(about, "source");
    in->metadata = rp_get(about, "metadata");
    t->openra = is(in->source, "engine", "openra");
    t->dialect = (uint8_t)reprise_value_uint(rp_get(in->source, "dialect_index"), 0);
    t->carrier = t->openra                                ? TAG_OPENRA
                 : is(in->source, "game", "TiberianDawn") ? TAG_TIBERIAN_DAWN
                                                          : TAG_RED_ALERT;
    in->tick_ms = RP_MAX(reprise_value_int(rp_get(in->metadata, "tick_ms"), 40), (int64_t)1);
    in->ticks_per_frame = RP_MAX(reprise_value_int(rp_get(in->metadata, "ticks_per_frame"), 3),
                                 (int64_t)1);
    size_t players = reprise_value_count(rp_get(in->metadata, "players"));
    /* Campaigns of the classic games name nobody, but somebody played. */
    bool somebody = !players && !t->openra;
    in->player_count = somebody ? 1 : RP_MIN(players, (size_t)IC_PLAYERS_MAX);
}

static reprise_status run(importer *in, rp_sink *sink)
{
    learn_source(in);
    RP_TRY(ic_hasher_init(&in->hasher, in->context, in->error));
    in->names = rp_new_object(&in->doc);
    RP_TRY(find_length(in));
    RP_TRY(put_start(in));
    RP_TRY(put_frames(in));
    RP_TRY(put_metadata(in));
    RP_TRY(put_texts(in));
    in->parts.header.total_ticks = in->total_ticks;
    return ic_section_writer_write(&in->parts, sink, in->error);
}

reprise_status ic_import(rp_context *context, const rp_foreign *foreign,
                         const ic_import_options *options, rp_sink *sink, rp_doc *doc,
                         reprise_value *report, reprise_error *error)
{
    importer in = {.context = context, .foreign = foreign, .options = options, .error = error};
    rp_writer *const writers[] = {&in.block, &in.frame, &in.one};
    in.translator = (ic_translator){.context = context, .error = error};
    in.doc = (rp_doc){.arena = &in.arena, .error = error};
    rp_arena_init(&in.arena, context);
    rp_arena_init(&in.translator.arena, context);
    ic_section_writer_init(&in.parts, context, sink, error);
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], context, UINT32_MAX, error);
    reprise_status status = run(&in, sink);
    if (status == REPRISE_OK)
        fill_report(&in, doc, report);
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_free(writers[i]);
    ic_section_writer_free(&in.parts);
    ic_hasher_free(&in.hasher);
    rp_arena_free(&in.translator.arena);
    rp_arena_free(&in.arena);
    return status;
}
