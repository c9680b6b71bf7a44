/* import.c - writes the recorded orders of another game as a replay. */
#include "foreign_frames.h"
#include "json.h"

typedef struct importer {
    const ic_import_options *options;
    ic_foreign_frames frames;
    ic_section_writer parts;
    ic_hasher hasher;
    rp_arena arena;
    rp_doc doc; /* in the arena */
    rp_writer block;
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

/* ---- frames ---- */

static reprise_status put_frames(importer *in)
{
    ic_foreign_frames *f = &in->frames;
    while (f->tick < f->total_ticks) {
        uint64_t first = f->tick;
        uint64_t end = RP_MIN((first / IC_BLOCK_TICKS + 1) * IC_BLOCK_TICKS, f->total_ticks);
        rp_writer_clear(&in->block);
        while (f->tick < end) {
            RP_TRY(ic_foreign_frames_next(f, in->error));
            rp_put(&in->block, f->bytes.data, f->bytes.size);
        }
        ic_section_writer_add_block(&in->parts, first, (uint32_t)(end - first), &in->block,
                                    in->options->level);
        RP_TRY(in->error->status);
    }
    return REPRISE_OK;
}

static reprise_status put_start(importer *in)
{
    ic_snapshot start;
    RP_TRY(ic_foreign_start(&in->frames, &start, in->error));
    rp_writer_clear(&in->block);
    rp_bincode_write(&in->block, &ic_snapshot_record, &start);
    ic_section_writer_add_keyframe(&in->parts, 0, true, in->block.data, in->block.size,
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
    for (const char *p = text(in->frames.metadata, "recorded_at"); *p && count < DIGITS; p++) {
        if (*p >= '0' && *p <= '9')
            d[count++] = *p;
    }
    if (count < DIGITS)
        return rp_new_text(&in->doc, in->options->date);
    return rp_new_format(&in->doc, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", d, d + 4, d + 6, d + 8, d + 10,
                         d + 12);
}

static void add_players(importer *in, reprise_value *all, uint64_t seconds)
{
    const reprise_value *from = rp_get(in->frames.metadata, "players");
    reprise_value *players = rp_set_array(&in->doc, all, "players");
    for (size_t i = 0; i < in->frames.player_count; i++) {
        const reprise_value *one = reprise_value_at(from, i);
        reprise_value *to = rp_push_object(&in->doc, players);
        const char *outcome = is(one, "outcome", "Won")    ? "won"
                              : is(one, "outcome", "Lost") ? "lost"
                                                           : "unknown";
        rp_set_uint(&in->doc, to, "slot", i);
        rp_set_text(&in->doc, to, "name", text(one, "name"));
        rp_set_text(&in->doc, to, "faction", text(one, "faction"));
        rp_set_text(&in->doc, to, "outcome", outcome);
        rp_set_uint(&in->doc, to, "apm_avg", in->frames.orders[i] * 60 / RP_MAX(seconds, 1));
    }
}

static void add_origin(importer *in, reprise_value *all)
{
    reprise_value *from = rp_set_object(&in->doc, all, "converted_from");
    uint64_t diverged_at = ic_foreign_diverged_at(&in->frames);
    rp_set_text(&in->doc, from, "source", text(in->frames.source, "engine"));
    rp_set_text(&in->doc, from, "original_file", in->options->file ? in->options->file : "");
    rp_set_text(&in->doc, from, "original_mod", text(in->frames.source, "mod_id"));
    rp_set_text(&in->doc, from, "original_version", text(in->frames.source, "mod_version"));
    rp_set_text(&in->doc, from, "conversion_date", in->options->date);
    rp_set_uint(&in->doc, from, "translation_warnings", in->frames.skipped);
    rp_set(&in->doc, from, "diverged_at_tick",
           diverged_at == UINT64_MAX ? rp_new_null(&in->doc) : rp_new_uint(&in->doc, diverged_at));
}

/* Derived from the source file, so that importing twice gives the same result. */
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
    rp_doc *doc = &in->doc;
    uint64_t seconds = in->frames.total_ticks / IC_IMPORT_TICKS_PER_SECOND;
    const char *map = text(in->frames.metadata, "map_hash");
    reprise_value *all = rp_new_object(doc);
    rp_set(doc, all, "replay_id", new_id(in));
    rp_set(doc, all, "timestamp", timestamp(in));
    rp_set_text(doc, all, "engine_version", REPRISE_VERSION);
    rp_set_uint(doc, all, "base_build", 1);
    rp_set_text(doc, all, "data_version", IC_NO_RULES);
    rp_set_text(doc, all, "game_module", ic_foreign_module(&in->frames));
    reprise_value *mod = rp_push_object(doc, rp_set_array(doc, all, "active_mods"));
    rp_set_text(doc, mod, "id", text(in->frames.source, "mod_id"));
    rp_set_text(doc, mod, "version", text(in->frames.source, "mod_version"));
    rp_set_text(doc, all, "map_name", keeps_names ? text(in->frames.metadata, "map_name") : "");
    rp_set(doc, all, "map_hash", digest_text(in, map, strlen(map)));
    rp_set_text(doc, all, "game_speed", "slower");
    rp_set_text(doc, all, "balance_preset", "");
    rp_set_uint(doc, all, "total_ticks", in->frames.total_ticks);
    rp_set_uint(doc, all, "duration_seconds", seconds);
    add_players(in, all, seconds);
    rp_set_uint(doc, all, "initial_rng_seed", ic_foreign_seed(&in->frames));
    rp_set_bool(doc, all, "signed", false);
    add_origin(in, all);
    return all;
}

static reprise_status put_metadata(importer *in)
{
    reprise_value *metadata = make_metadata(in, true);
    RP_TRY(in->error->status);
    /* A map name that looks like a path or an address is left out. */
    if (ic_metadata_check(metadata, ignore_problem, NULL))
        metadata = make_metadata(in, false);
    rp_json_write(&in->parts.of[IC_METADATA], metadata,
                  &(rp_json_format){.indent = 1, .exact_integers = true});
    return in->error->status;
}

/* ---- texts of the other game besides orders ---- */

/* Embedded as rules of a mod named after the game: they can be extracted and are never loaded. */
static reprise_status put_texts(importer *in)
{
    const rp_foreign_text *texts = in->frames.foreign->texts.items;
    size_t count = in->frames.foreign->texts.count;
    const char *engine = text(in->frames.source, "engine");
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
    rp_set_uint(doc, report, "ticks", in->frames.total_ticks);
    rp_set_uint(doc, report, "translated", in->frames.translated);
    rp_set_uint(doc, report, "carried", in->frames.carried);
    rp_set_uint(doc, report, "left_out", in->frames.skipped);
    rp_set_uint(doc, report, "orders", in->frames.written);
    reprise_value *list = rp_set_array(doc, report, "warnings");
    reprise_value *dropped = rp_set_array(doc, report, "dropped");
    for (size_t i = 0; i < reprise_value_count(in->frames.skipped_names); i++) {
        const char *name = reprise_value_key(in->frames.skipped_names, i);
        uint64_t count = reprise_value_uint(reprise_value_at(in->frames.skipped_names, i), 0);
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "order", name);
        rp_set_uint(doc, one, "count", count);
        rp_push(doc, dropped,
                rp_new_format(doc, "%llu order%s %s", (unsigned long long)count,
                              count > 1 ? "s" : "", name));
    }
}

static reprise_status run(importer *in, rp_context *context, const rp_foreign *foreign,
                          rp_sink *sink)
{
    RP_TRY(ic_hasher_init(&in->hasher, context, in->error));
    RP_TRY(ic_foreign_frames_init(&in->frames, context, foreign, in->options->lossless, in->error));
    RP_TRY(put_start(in));
    RP_TRY(put_frames(in));
    RP_TRY(put_metadata(in));
    RP_TRY(put_texts(in));
    in->parts.header.total_ticks = in->frames.total_ticks;
    return ic_section_writer_write(&in->parts, sink, in->error);
}

reprise_status ic_import(rp_context *context, const rp_foreign *foreign,
                         const ic_import_options *options, rp_sink *sink, rp_doc *doc,
                         reprise_value *report, reprise_error *error)
{
    importer in = {.options = options, .error = error};
    in.doc = (rp_doc){.arena = &in.arena, .error = error};
    rp_arena_init(&in.arena, context);
    ic_section_writer_init(&in.parts, context, sink, error);
    rp_writer_init(&in.block, context, UINT32_MAX, error);
    reprise_status status = run(&in, context, foreign, sink);
    if (status == REPRISE_OK)
        fill_report(&in, doc, report);
    rp_writer_free(&in.block);
    ic_section_writer_free(&in.parts);
    ic_hasher_free(&in.hasher);
    ic_foreign_frames_free(&in.frames);
    rp_arena_free(&in.arena);
    return status;
}
