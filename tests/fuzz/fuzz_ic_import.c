/*
 * fuzz_ic_import.c - imports orders of other games with arbitrary fields: the result verifies, even
 * if orders were left out, and can be exported.
 */
#include "fuzz_ironcurtain.h"

#include "ironcurtain/import/import.h"
#include "reprise/ironcurtain/live.h"
#include "reprise/write.h"

enum { FRAMES_MAX = 2000 };

enum { OPENRA = 1, LOSSLESS = 2, HAS_TARGET = 1, HAS_CELL = 2, HAS_ITEM = 4, HAS_RAW = 8 };

static int keep(void *ctx, const void *data, size_t size)
{
    rp_put(ctx, data, size);
    return 0;
}

/* The rest of a number of units, texts and raw bytes is taken from the input as it comes. */
static void add_order(bench *b, rp_reader *r, rp_foreign *foreign, int64_t *frame)
{
    reprise_foreign_order order = {.target = REPRISE_FOREIGN_NONE};
    uint32_t units[256];
    char name[17] = "", item[256] = "";
    order.kind = (reprise_foreign_kind)(rp_u8(r, "kind") % REPRISE_FOREIGN_KINDS);
    order.player = rp_u8(r, "player");
    *frame += rp_u8(r, "frames");
    unsigned flags = rp_u8(r, "flags");
    order.count = rp_u32(r, "count");
    order.team = flags & 64 ? REPRISE_FOREIGN_SPECTATORS : flags >> 4 & 3;
    order.has_cell = flags & HAS_CELL;
    order.x = order.has_cell ? rp_i32(r, "x") : 0;
    order.y = order.has_cell ? rp_i32(r, "y") : 0;
    order.target = flags & HAS_TARGET ? rp_u32(r, "target") : REPRISE_FOREIGN_NONE;
    order.unit_count = rp_u8(r, "units");
    for (size_t i = 0; i < order.unit_count; i++)
        units[i] = rp_u32(r, "unit");
    order.units = units;
    size_t size = rp_u8(r, "name") % sizeof name;
    const uint8_t *text = rp_take(r, size, "name");
    if (text)
        memcpy(name, text, size);
    order.name = name;
    size = flags & HAS_ITEM ? rp_u8(r, "item") : 0;
    text = rp_take(r, size, "item");
    if (text)
        memcpy(item, text, size);
    order.item = flags & HAS_ITEM ? item : NULL;
    order.raw_size = flags & HAS_RAW ? rp_u16(r, "raw") : 0;
    order.raw = flags & HAS_RAW ? rp_take(r, order.raw_size, "raw") : NULL;
    if (rp_ok(r) && *frame < FRAMES_MAX)
        must(rp_foreign_add(foreign, *frame, (double)*frame / 15, &order, &b->error) == REPRISE_OK);
}

static void describe(rp_foreign *foreign, rp_doc *doc, unsigned flags, int64_t frames)
{
    static const char *const factions[] = {"allies", "", "soviet"};
    reprise_value *about = rp_new_object(doc);
    reprise_value *source = rp_set_object(doc, about, "source");
    reprise_value *metadata = rp_set_object(doc, about, "metadata");
    rp_set_text(doc, source, "engine", flags & OPENRA ? "openra" : "remastered");
    rp_set_text(doc, source, "game", flags & 4 ? "TiberianDawn" : "RedAlert");
    rp_set_text(doc, source, "mod_id", "ra");
    rp_set_text(doc, source, "mod_version", "release-20250330");
    rp_set_uint(doc, source, "dialect_index", flags >> 3 & 7);
    rp_set_text(doc, metadata, "map_hash", "c0ffee");
    rp_set_text(doc, metadata, "map_name", flags & 64 ? "C:\\maps\\a.oramap" : "Island");
    rp_set_int(doc, metadata, "duration_frames", frames);
    rp_set_f64(doc, metadata, "last_time", (double)frames / 15);
    reprise_value *players = rp_set_array(doc, metadata, "players");
    for (unsigned i = 0; i < 3; i++) {
        reprise_value *player = rp_push_object(doc, players);
        rp_set_text(doc, player, "name", i ? "Bo" : "198.51.100.2");
        rp_set_text(doc, player, "faction", factions[i]);
        rp_set_int(doc, player, "team", (int64_t)i);
        rp_set_text(doc, player, "outcome", i ? "Lost" : "Won");
    }
    foreign->about = about;
}

/* Verifies without faults and without warnings, except for missing signatures; then exports. */
static void check_result(bench *b, bool openra)
{
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    must(reprise_open_memory(b->w.data, b->w.size, NULL, &replay, &b->error) == REPRISE_OK);
    must(reprise_verify(replay, NULL, NULL, &summary, &b->error) == REPRISE_OK);
    must(summary.faults == 0);
    rp_writer back;
    rp_writer_init(&back, &b->context, SIZE_MAX / 2, &b->writing);
    reprise_sink sink = {.ctx = &back, .write = keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    writing.sink = &sink;
    reprise_status status = reprise_ic_export(replay, &writing, &report, &b->error);
    must(openra || status == REPRISE_E_UNSUPPORTED);
    rp_writer_free(&back);
    reprise_close(replay);
}

static void fuzz_import(bench *b, const uint8_t *data, size_t size)
{
    static const uint8_t hash[RP_SHA256_SIZE] = {1, 2, 3};
    rp_foreign foreign;
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    unsigned flags = rp_u8(&r, "flags");
    int64_t frame = 0;
    rp_foreign_init(&foreign, &b->context);
    rp_doc doc = {.arena = &b->arena, .error = &b->writing};
    while (rp_ok(&r) && rp_left(&r) && frame < FRAMES_MAX)
        add_order(b, &r, &foreign, &frame);
    rp_error_clear(&b->error);
    describe(&foreign, &doc, flags, RP_MIN(frame, (int64_t)FRAMES_MAX));
    must(rp_foreign_finish(&foreign, &b->error) == REPRISE_OK);
    rp_sink *sink = NULL;
    ic_import_options options = {.lossless = flags & LOSSLESS,
                                 .date = "2026-01-02T03:04:05Z",
                                 .file = "match.orarep",
                                 .file_hash = hash,
                                 .level = RP_LZ4_FASTEST};
    must(rp_sink_open_memory(&b->context, &b->w, &sink, &b->error) == REPRISE_OK);
    must(ic_import(&b->context, &foreign, &options, sink, &doc, rp_new_object(&doc), &b->error) ==
         REPRISE_OK);
    must(rp_sink_commit(sink, &b->error) == REPRISE_OK);
    rp_sink_close(sink);
    rp_foreign_reset(&foreign);
    check_result(b, flags & OPENRA);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_import, data, size);
}
