/*
 * test_openra.c - cases of OpenRA files that no sample covers, and the laws of writing them. Files
 * are assembled here, packet by packet. Items are those of the checklist in docs/spec/openra.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "openra/write.h"
#include "reprise/foreign.h"
#include "reprise/write.h"
#include "samples.h"
#include "skip.h"
#include "written.h"

/* ---- putting files together ---- */

static rp_context default_context(void)
{
    rp_context context;
    rp_context_init(&context, NULL);
    return context;
}

/* Writes a file again without changes. */
static bytes rewritten(const bytes *b)
{
    reprise_replay *replay = open_bytes(b, false);
    char layout[16];
    snprintf(layout, sizeof layout, "%s", reprise_layout(replay));
    reprise_close(replay);
    return changed(b, (change){.convert = layout});
}

static void put(bytes *b, const void *data, size_t size)
{
    if (size)
        bytes_write(b, data, size);
}

static void put32(bytes *b, uint32_t value)
{
    uint8_t raw[4];
    rp_store32(raw, value);
    put(b, raw, sizeof raw);
}

static void put_packet(bytes *b, int32_t client, int32_t frame, const void *payload, size_t size)
{
    put32(b, (uint32_t)client);
    put32(b, (uint32_t)size + 4);
    put32(b, (uint32_t)frame);
    put(b, payload, size);
}

static rp_text text(const char *words)
{
    return (rp_text){words, strlen(words)};
}

/* A packet with one order, stored as in a dialect. */
static void put_order(bytes *b, const char *dialect, int32_t client, int32_t frame,
                      const ora_order *order, uint64_t present)
{
    rp_context context = default_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer w;
    rp_writer_init(&w, &context, 1 << 20, &error);
    ora_order_write(&w, ora_dialect_find(dialect), order, present);
    assert_true(rp_writer_ok(&w));
    put_packet(b, client, frame, w.data, w.size);
    rp_writer_free(&w);
}

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

static void put_text(bytes *b, const char *dialect, const char *name, const char *item)
{
    bool old = ora_dialect_find(dialect)->any_handshake || strncmp(name, "Handshake", 9) == 0;
    ora_order order = {
        .type = old ? ORA_HANDSHAKE : ORA_FIELDS, .order = text(name), .item = text(item)};
    put_order(b, dialect, 1, 0, &order, HAS(item));
}

static void put_start(bytes *b, const char *dialect, const char *protocol)
{
    char response[256];
    snprintf(response, sizeof response,
             "Handshake:\n\tMod: ra\n\tVersion: x\n\tPassword:\n\tOrdersProtocol: %s\n", protocol);
    put_text(b, dialect, "HandshakeRequest", "Handshake:\n\tMod: ra\n\tVersion: x\n");
    put_text(b, dialect, "HandshakeResponse", response);
    put_text(b, dialect, "SyncInfo",
             "Client@1:\n\tIndex: 1\n\tName: Ann\n\tSlot: Multi0\n"
             "GlobalSettings:\n\tMap: abc\n\tRandomSeed: -7\n");
    put_text(b, dialect, "StartGame", "");
}

static void put_trailer(bytes *b, uint32_t version, const char *words)
{
    uint32_t size = (uint32_t)strlen(words);
    put32(b, UINT32_MAX);
    put32(b, version);
    put32(b, size);
    put(b, words, size);
    put32(b, size + 4);
    put32(b, (uint32_t)-2);
}

/* ---- looking at them ---- */

typedef struct found {
    ora_order order; /* texts and lists are no longer valid */
    uint64_t present;
    size_t rows;
    uint32_t positions, group;
} found;

/* The last row of a track, through the internal decoder. */
static found last_order(const bytes *b, const char *order_name)
{
    rp_context context = default_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    rp_decoder *decoder = NULL;
    found f = {.rows = 0};
    expect_ok(rp_source_open_memory(&context, b->data, b->size, &source, &error), &error, "memory");
    expect_ok(rp_replay_open(&context, source, NULL, NULL, &replay, &error), &error, "open");
    expect_ok(rp_decoder_open(replay, (rp_selection){.tracks = 1 << ORA_ORDERS}, &decoder, &error),
              &error, "decode");
    while (rp_decoder_next(decoder, &error) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++) {
            const ora_order *order = decoder->batch.rows[i].data;
            if (!ora_is(&order->order, order_name))
                continue;
            f.order = *order;
            f.present = decoder->batch.rows[i].present;
            f.positions = (uint32_t)order->target_terrain.count;
            f.group = (uint32_t)order->grouped.count;
            f.rows++;
        }
    }
    assert_int_equal(error.status, REPRISE_OK);
    rp_decoder_close(decoder);
    rp_replay_close(replay);
    rp_source_close(source);
    return f;
}

static bool has_finding(reprise_replay *replay, const char *id)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    const reprise_value *findings = reprise_value_get(info, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_at(findings, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "id"), NULL), id) == 0)
            return true;
    }
    return false;
}

static const reprise_value *info_member(reprise_replay *replay, const char *key)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return reprise_value_get(info, key);
}

static size_t count_rows(const bytes *b, const char *track)
{
    reprise_replay *replay = open_bytes(b, false);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, track);
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    size_t count = 0;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    while (reprise_rows_next(rows, &error) == REPRISE_OK)
        count++;
    assert_int_equal(error.status, REPRISE_OK);
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

/* ---- the checklist ---- */

static void check_dialect(const sample *s)
{
    const char *name = strrchr(s->path, '/') + 1;
    bytes b = {.data = s->data, .size = s->size};
    reprise_replay *replay = open_bytes(&b, false);
    const char *dialect = reprise_value_text(info_member(replay, "dialect"), NULL);
    if (strncmp(name, "zip-", 4) == 0)
        name += 4;
    assert_true(strncmp(name, dialect, strlen(dialect)) == 0);
    reprise_close(replay);
}

static void each_whole(void (*visit)(const sample *s))
{
    struct dirent **entries;
    int count = scandir("tests/data/openra", &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "tests/data/openra/%s", entries[i]->d_name);
        struct stat about;
        if (is_sample(entries[i]->d_name) && stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            sample s = load_sample(path);
            visit(&s);
            free(s.data);
        }
        free(entries[i]);
    }
    free(entries);
}

static void openra__item_2_dialects_are_detected(void **state)
{
    (void)state;
    each_whole(check_dialect);
}

static void openra__item_2_undeclared_dialects_are_tried(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        const char *name = ora_dialects[i].name;
        bytes b = {0};
        put_text(&b, name, "HandshakeRequest", "Handshake:\n\tMod: fork\n\tVersion: {DEV}\n");
        ora_order order = {.type = ORA_FIELDS,
                           .order = text("Move"),
                           .subject = 77,
                           .target_kind = ORA_TARGET_CELL,
                           .target_cell_x = 5,
                           .target_cell_y = 6,
                           .item = text("some words")};
        uint64_t present = HAS(subject) | HAS(target_kind) | HAS(target_cell_x) |
                           HAS(target_cell_y) | HAS(item);
        put_order(&b, name, 1, 1, &order, present);
        found f = last_order(&b, "Move");
        assert_int_equal(f.rows, 1);
        assert_int_equal(f.order.subject, 77);
        assert_int_equal(f.order.target_cell_y, 6);
        bytes_free(&b);
    }
}

static void openra__item_3_sync_and_disconnect_forms(void **state)
{
    (void)state;
    static const uint8_t one[] = {ORA_SYNC_HASH, 1, 0, 0, 0};
    static const uint8_t list[] = {ORA_SYNC_HASH, 1, 0, 0, 0, 2, 0, 0, 0};
    static const uint8_t left_old[] = {ORA_DISCONNECTED},
                         left_new[] = {ORA_DISCONNECTED, 9, 0, 0, 0};
    bytes b = {0};
    put_text(&b, "a", "HandshakeRequest", "Handshake:\n\tVersion: release-20150424\n");
    put_packet(&b, 1, 1, one, sizeof one);
    put_packet(&b, 1, 2, list, sizeof list);
    put_packet(&b, 1, 3, left_old, sizeof left_old);
    put_packet(&b, 0, 4, left_new, sizeof left_new);
    assert_int_equal(count_rows(&b, "sync"), 2);
    assert_int_equal(count_rows(&b, "disconnects"), 2);
    reprise_replay *replay = open_bytes(&b, false);
    assert_false(has_finding(replay, "openra.sync-size"));
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__item_4_flags_of_two_bytes(void **state)
{
    (void)state;
    ora_actor actors[] = {{3}, {4}, {UINT32_MAX}};
    ora_order order = {.type = ORA_FIELDS, .order = text("Stop"), .grouped = {actors, 3}};
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        const ora_dialect *d = &ora_dialects[i];
        char protocol[16];
        snprintf(protocol, sizeof protocol, "%d", d->protocol);
        if (!d->protocol)
            continue;
        bytes b = {0};
        put_start(&b, d->name, protocol);
        put_order(&b, d->name, 1, 1, &order, HAS(grouped));
        found f = last_order(&b, "Stop");
        assert_int_equal(f.rows, 1);
        assert_int_equal(f.group, d->flags_size == 2 ? 3 : 0);
        bytes_free(&b);
    }
}

static void openra__item_5_packed_cells_have_signs_and_layers(void **state)
{
    (void)state;
    ora_order order = {.type = ORA_FIELDS,
                       .order = text("Move"),
                       .target_kind = ORA_TARGET_CELL,
                       .target_cell_x = -1,
                       .target_cell_y = -2048,
                       .target_layer = 7,
                       .target_subcell = 255};
    bytes b = {0};
    put_start(&b, "p8", "8");
    put_order(&b, "p8", 1, 1, &order, HAS(target_kind) | HAS(target_cell_x) | HAS(target_cell_y));
    static const uint8_t packed[] = {0x07, 0x00, 0xF8, 0xFF, 0xFF};
    assert_memory_equal(b.data + b.size - sizeof packed, packed, sizeof packed);
    found f = last_order(&b, "Move");
    assert_int_equal(f.order.target_cell_x, -1);
    assert_int_equal(f.order.target_cell_y, -2048);
    assert_int_equal(f.order.target_layer, 7);
    assert_int_equal(f.order.target_subcell, 255);
    bytes_free(&b);
}

static void openra__item_6_terrain_counts(void **state)
{
    (void)state;
    ora_position positions[] = {{1, 2, 3}, {-4, 5, 6}};
    for (int count = -1; count <= 2; count++) {
        ora_order order = {.type = ORA_FIELDS,
                           .order = text("ForceAttack"),
                           .target_kind = ORA_TARGET_POS,
                           .target_pos_z = -5,
                           .target_terrain = {positions, count > 0 ? (size_t)count : 0}};
        bytes b = {0};
        put_start(&b, "p21", "21");
        put_order(&b, "p21", 1, 1, &order,
                  HAS(target_kind) | HAS(target_pos_x) | (count >= 0 ? HAS(target_terrain) : 0));
        found f = last_order(&b, "ForceAttack");
        assert_int_equal(f.rows, 1);
        assert_int_equal(f.order.target_pos_z, -5);
        assert_int_equal((f.present & HAS(target_terrain)) != 0, count >= 0);
        assert_int_equal(f.positions, count > 0 ? count : 0);
        bytes_free(&b);
    }
}

static void openra__item_7_trailers(void **state)
{
    (void)state;
    bytes b = {0};
    put_start(&b, "p21", "21");
    size_t packets = b.size;
    reprise_replay *replay = open_bytes(&b, false);
    assert_true(has_finding(replay, "openra.metadata"));
    reprise_close(replay);
    put_trailer(&b, 2, "Root:\n\tMod: ra\n");
    replay = open_bytes(&b, false);
    assert_true(has_finding(replay, "openra.metadata"));
    assert_null(info_member(replay, "header"));
    reprise_close(replay);
    b.size = packets;
    put_trailer(&b, 1, "Root:\n\tMod: cnc\n\tMapTitle: Über # alles\n");
    replay = open_bytes(&b, false);
    assert_false(has_finding(replay, "openra.metadata"));
    assert_string_equal(reprise_value_text(info_member(replay, "mod"), NULL), "cnc");
    assert_string_equal(
        reprise_value_text(reprise_value_get(info_member(replay, "map"), "name"), NULL), "Über");
    reprise_close(replay);
    bytes_free(&b);
}

static void rewrite(const sample *s)
{
    bytes b = {.data = s->data, .size = s->size};
    if (strstr(s->path, "/bad/"))
        return;
    bytes again = rewritten(&b);
    if (!same_bytes(&b, &again))
        fail_msg("%s: rewritten it is not the same", s->path);
    bytes_free(&again);
}

static void openra__item_9_rewritten_files_are_identical(void **state)
{
    (void)state;
    each_whole(rewrite);
}

static void openra__item_10_desync_is_reported(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/p20-desync.orarep");
    bytes b = {.data = s.data, .size = s.size};
    reprise_replay *replay = open_bytes(&b, false);
    const reprise_value *stats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_stats(replay, &stats, &error), &error, "stats");
    const reprise_value *desync = reprise_value_get(reprise_value_get(stats, "recorded"), "desync");
    assert_int_equal(reprise_value_int(reprise_value_get(desync, "first_frame"), 0), 33);
    reprise_close(replay);
    free(s.data);
}

static void openra__item_11_last_lobby_before_the_start_wins(void **state)
{
    (void)state;
    bytes b = {0};
    put_text(&b, "p21", "HandshakeRequest", "Handshake:\n\tMod: ra\n\tVersion: release-20250330\n");
    put_text(&b, "p21", "SyncInfo", "GlobalSettings:\n\tMap: first\n\tRandomSeed: 1\n");
    put_text(&b, "p21", "SyncInfo",
             "GlobalSettings:\n\tMap: second\n\tRandomSeed: 2\n\tOptions:\n\t\tgamespeed:\n"
             "\t\t\tValue: fastest\n");
    put_text(&b, "p21", "StartGame", "");
    put_text(&b, "p21", "SyncInfo", "GlobalSettings:\n\tMap: third\n\tRandomSeed: 3\n");
    put_packet(&b, 1, 1, NULL, 0);
    reprise_replay *replay = open_bytes(&b, false);
    const reprise_value *map = reprise_value_get(info_member(replay, "map"), "uid");
    assert_string_equal(reprise_value_text(map, NULL), "second");
    assert_string_equal(reprise_value_text(info_member(replay, "random_seed"), NULL), "2");
    assert_int_equal(reprise_value_int(info_member(replay, "tick_ms"), 0), 20);
    assert_int_equal(reprise_value_int(info_member(replay, "order_latency"), 0), 6);
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__items_12_15_length(void **state)
{
    (void)state;
    static const uint8_t left[] = {ORA_DISCONNECTED};
    bytes b = {0};
    put_start(&b, "p8", "8");
    for (int32_t frame = 1; frame <= 26; frame++)
        put_packet(&b, 1, frame, NULL, 0);
    put_packet(&b, 1, INT32_MAX, left, sizeof left);
    reprise_replay *replay = open_bytes(&b, false);
    assert_int_equal(reprise_value_int(info_member(replay, "frames"), 0), 26);
    assert_true(reprise_value_double(info_member(replay, "duration"), 0) == 25 * 3 * 0.04);
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__item_13_archives_hold_the_same(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/p21-2p.orarep");
    bytes flat = {.data = s.data, .size = s.size};
    bytes zip = changed(&flat, (change){.convert = "zip"});
    bytes back = changed(&zip, (change){.convert = "p21"});
    assert_memory_equal(zip.data, "PK\3\4", 4);
    assert_int_equal(count_rows(&flat, "orders"), count_rows(&zip, "orders"));
    assert_true(same_bytes(&flat, &back));
    bytes_free(&zip);
    bytes_free(&back);
    free(s.data);
}

static void openra__item_14_anonymized_files_hold_nothing_private(void **state)
{
    (void)state;
    bytes b = {0};
    put_text(&b, "p21", "HandshakeRequest",
             "Handshake:\n\tMod: ra\n\tVersion: release-20250330\n\tAuthToken: c2VjcmV0\n");
    put_text(&b, "p21", "HandshakeResponse",
             "Handshake:\n\tMod: ra\n\tPassword: hunter22\n\tFingerprint: fingerprint9\n"
             "\tAuthSignature: signature9\n\tOrdersProtocol: 21\nClient:\n\tName: Annabel\n");
    put_text(&b, "p21", "SyncInfo",
             "Client@1:\n\tIndex: 1\n\tName: Annabel\n\tSlot: Multi0\n\tIpAddress: 203.0.113.7\n"
             "\tLocation: Ruritania\n\tFingerprint: fingerprint9\n"
             "Client@2:\n\tIndex: 2\n\tName: Rush AI\n\tBot: rush\n"
             "GlobalSettings:\n\tServerName: House of Annabel\n\tMap: abc\n");
    put_text(&b, "p21", "Message", "Annabel has joined the game.");
    put_text(&b, "p21", "FluentMessage",
             "FluentMessage:\n\tKey: joined\n\tArguments:\n\t\tArgument@0:\n\t\t\tKey: player\n"
             "\t\t\tValue: Annabel\n");
    put_text(&b, "p21", "Chat", "my street is Elm Road");
    put_text(&b, "p21", "StartGame", "");
    ora_order order = {.type = ORA_FIELDS, .order = text("Stop"), .subject = 9};
    put_order(&b, "p21", 1, 1, &order, HAS(subject));
    put_trailer(&b, 1,
                "Root:\n\tMod: ra\n\tStartTimeUtc: 2024-02-03 04-05-06\nPlayer@0:\n"
                "\tClientIndex: 1\n\tName: Annabel\n\tFingerprint: fingerprint9\n");
    reprise_replay *replay = open_bytes(&b, false);
    assert_true(has_finding(replay, "openra.password"));
    reprise_close(replay);
    bytes clean = changed(&b, (change){.anonymize = REPRISE_PRIVATE_ALL});
    static const char *const secrets[] = {"hunter22", "fingerprint9", "signature9",
                                          "c2VjcmV0", "203.0.113.7",  "Ruritania",
                                          "Annabel",  "Elm Road",     "2024-02-03"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        assert_true(bytes_contain(&b, secrets[i]));
        if (bytes_contain(&clean, secrets[i]))
            fail_msg("'%s' is still there", secrets[i]);
    }
    assert_true(bytes_contain(&clean, "Player 1 has joined the game."));
    assert_true(bytes_contain(&clean, "Rush AI"));
    assert_int_equal(last_order(&clean, "Stop").order.subject, 9);
    replay = open_bytes(&clean, false);
    assert_false(has_finding(replay, "openra.password"));
    reprise_close(replay);
    bytes_free(&clean);
    bytes_free(&b);
}

static void count_malformed(void *ctx, const reprise_finding *finding)
{
    *(size_t *)ctx += strcmp(finding->id, "openra.malformed-order") == 0;
}

/* Every order of every packet decodes, and the file is the same when written again. */
static void decode_and_rewrite(const sample *s)
{
    bytes b = {.data = s->data, .size = s->size};
    if (strstr(s->path, "/bad/"))
        return;
    reprise_replay *replay = open_bytes(&b, false);
    size_t malformed = 0;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_verify(replay, count_malformed, &malformed, NULL, &error), &error, s->path);
    if (malformed)
        fail_msg("%s: not every order decodes", s->path);
    reprise_close(replay);
    rewrite(s);
}

static void openra__item_16_real_files(void **state)
{
    (void)state;
    static const char directory[] = "../shared/samples/openra"; /* and real/ in it */
    struct stat about;
    if (stat(directory, &about) != 0)
        SKIP_BECAUSE("real files are not here");
    walk_samples(directory, decode_and_rewrite);
}

/* ---- what no sample covers ---- */

static void openra__files_without_handshake_open_by_their_trailer(void **state)
{
    (void)state;
    bytes b = {0};
    put_text(&b, "p8", "StartGame", "");
    ora_order order = {.type = ORA_FIELDS, .order = text("Stop"), .subject = 9};
    put_order(&b, "p8", 1, 1, &order, HAS(subject));
    put_trailer(&b, 1, "Root:\n\tMod: ra\n\tVersion: release-20200202\n");
    reprise_replay *replay = open_bytes(&b, false);
    assert_string_equal(reprise_layout(replay), "p8");
    assert_int_equal(reprise_value_int(info_member(replay, "confidence"), 0), 60);
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__network_packets_are_skipped(void **state)
{
    (void)state;
    static const uint8_t scale[] = {ORA_TICK_SCALE, 0, 0, 0x80, 0x3F};
    static const uint8_t ping[9] = {ORA_PING}, queued_ping[10] = {ORA_PING};
    static const uint8_t ack[] = {ORA_ACK, 3};
    bytes b = {0};
    put_start(&b, "p21", "21");
    size_t orders = count_rows(&b, "orders");
    put_packet(&b, 0, 0, scale, sizeof scale);
    put_packet(&b, 0, 0, ping, sizeof ping);
    put_packet(&b, 0, 0, queued_ping, sizeof queued_ping);
    put_packet(&b, 0, 0, ack, sizeof ack);
    assert_int_equal(count_rows(&b, "orders"), orders);
    assert_int_equal(count_rows(&b, "packets"), orders + 4);
    bytes other = changed(&b, (change){.convert = "p20"});
    assert_int_equal(count_rows(&other, "packets"), orders);
    bytes_free(&other);
    bytes_free(&b);
}

static void openra__newer_protocols_are_read_as_the_newest(void **state)
{
    (void)state;
    bytes b = {0};
    put_start(&b, "p21", "23");
    reprise_replay *replay = open_bytes(&b, false);
    assert_string_equal(reprise_layout(replay), "p21");
    assert_true(has_finding(replay, "openra.protocol-newer"));
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__order_errors_lose_only_their_packet(void **state)
{
    (void)state;
    static const uint8_t nonsense[] = {0xFF, 4, 'M', 'o', 'v', 'e', 0x01, 0x00, 9};
    bytes b = {0};
    put_start(&b, "p21", "21");
    put_packet(&b, 1, 1, nonsense, sizeof nonsense);
    ora_order order = {.type = ORA_FIELDS, .order = text("Stop"), .subject = 9};
    put_order(&b, "p21", 1, 2, &order, HAS(subject));
    assert_int_equal(last_order(&b, "Stop").rows, 1);
    bytes again = rewritten(&b);
    assert_true(same_bytes(&b, &again));
    bytes_free(&again);
    bytes_free(&b);
}

/* The game puts a pause among the orders of a frame, or sends it on its own. */
static void openra__pauses_are_no_actions(void **state)
{
    (void)state;
    bytes b = {0};
    put_start(&b, "p21", "21");
    ora_order order = {.type = ORA_FIELDS, .order = text("PauseGame"), .item = text("Pause")};
    put_order(&b, "p21", 1, 1, &order, HAS(item));
    reprise_replay *replay = open_bytes(&b, false);
    const reprise_value *stats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_stats(replay, &stats, &error), &error, "stats");
    const reprise_value *recorded = reprise_value_get(stats, "recorded");
    assert_int_equal(reprise_value_count(reprise_value_get(recorded, "pauses")), 1);
    assert_int_equal(reprise_value_count(reprise_value_get(recorded, "players")), 0);
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__lobby_only_files_are_reported(void **state)
{
    (void)state;
    bytes b = {0};
    put_text(&b, "p21", "HandshakeRequest", "Handshake:\n\tMod: ra\n\tVersion: release-20250330\n");
    reprise_replay *replay = open_bytes(&b, false);
    assert_true(has_finding(replay, "openra.lobby-only"));
    reprise_close(replay);
    bytes_free(&b);
}

static void openra__groups_become_single_orders_in_older_dialects(void **state)
{
    (void)state;
    ora_actor actors[] = {{3}, {4}};
    ora_order order = {.type = ORA_FIELDS, .order = text("Stop"), .grouped = {actors, 2}};
    bytes b = {0};
    put_start(&b, "p21", "21");
    put_order(&b, "p21", 1, 1, &order, HAS(grouped));
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        bytes other = changed(&b, (change){.convert = ora_dialects[i].name});
        found f = last_order(&other, "Stop");
        assert_int_equal(f.rows, ora_dialects[i].flags_size == 2 ? 1 : 2);
        bytes_free(&other);
    }
    bytes_free(&b);
}

static void convert_around(const sample *s)
{
    bytes b = {.data = s->data, .size = s->size};
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        bytes other = changed(&b, (change){.convert = ora_dialects[i].name});
        bytes again = rewritten(&other);
        if (!same_bytes(&other, &again))
            fail_msg("%s as %s does not stay the same", s->path, ora_dialects[i].name);
        bytes_free(&again);
        bytes_free(&other);
    }
}

static void openra__files_of_every_dialect_become_any_other(void **state)
{
    (void)state;
    each_whole(convert_around);
}

static void openra__trimmed_files_end_earlier(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/p21-2p.orarep");
    bytes b = {.data = s.data, .size = s.size};
    bytes cut = changed(&b, (change){.trim = true, .from = 0, .to = 57});
    reprise_replay *replay = open_bytes(&cut, false);
    assert_int_equal(reprise_value_int(info_member(replay, "frames"), 0), 20);
    reprise_close(replay);
    bytes_free(&cut);
    free(s.data);
}

static void openra__crashed_files_are_recovered_with_a_trailer(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/bad/truncated-packet.orarep");
    bytes b = {.data = s.data, .size = s.size};
    bytes sound = changed(&b, (change){.recover = true});
    reprise_replay *replay = open_bytes(&sound, false);
    assert_false(has_finding(replay, "openra.metadata"));
    assert_false(has_finding(replay, "openra.packet-cut"));
    assert_int_equal(count_rows(&sound, "packets"), 66);
    reprise_close(replay);
    bytes_free(&sound);
    free(s.data);
}

static void openra__common_form_has_players_and_orders(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/openra/p21-2p.orarep");
    bytes b = {.data = s.data, .size = s.size};
    reprise_replay *replay = open_bytes(&b, false);
    reprise_foreign *foreign = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_foreign_new(replay, &foreign, &error), &error, "foreign");
    const reprise_value *metadata = reprise_value_get(reprise_foreign_about(foreign), "metadata");
    assert_int_equal(reprise_value_count(reprise_value_get(metadata, "players")), 3);
    assert_int_equal(reprise_value_int(reprise_value_get(metadata, "duration_frames"), 0), 61);
    size_t kinds[REPRISE_FOREIGN_KINDS] = {0};
    int64_t before = 0;
    for (size_t i = 0; i < reprise_foreign_count(foreign); i++) {
        const reprise_foreign_frame *frame = reprise_foreign_at(foreign, i);
        assert_true(frame->number > before);
        before = frame->number;
        for (size_t k = 0; k < frame->order_count; k++)
            kinds[frame->orders[k].kind]++;
    }
    /* The sample's expectation counts the orders by name. */
    assert_int_equal(kinds[REPRISE_FOREIGN_MOVE], 26 + 3);
    assert_int_equal(kinds[REPRISE_FOREIGN_ATTACK], 6 + 5);
    assert_int_equal(kinds[REPRISE_FOREIGN_PRODUCE], 12);
    assert_int_equal(kinds[REPRISE_FOREIGN_PLACE_BUILDING], 3 + 3);
    assert_int_equal(kinds[REPRISE_FOREIGN_SUPPORT_POWER], 5);
    assert_int_equal(kinds[REPRISE_FOREIGN_CHAT], 2);
    assert_int_equal(kinds[REPRISE_FOREIGN_PAUSE], 2);
    assert_int_equal(kinds[REPRISE_FOREIGN_DISCONNECT], 1);
    assert_int_equal(kinds[REPRISE_FOREIGN_UNKNOWN], 0);
    reprise_foreign_free(foreign);
    reprise_close(replay);
    free(s.data);
}

/* The first player's colour as the common form has it, with a part of the file replaced. */
static void assert_color(const char *from, const char *to, const char *expected)
{
    sample s = load_sample("tests/data/openra/p21-2p.orarep");
    size_t size = strlen(from);
    assert_int_equal(size, strlen(to));
    for (size_t i = 0; i + size <= s.size; i++) {
        if (memcmp(s.data + i, from, size) == 0)
            memcpy(s.data + i, to, size);
    }
    bytes b = {.data = s.data, .size = s.size};
    reprise_replay *replay = open_bytes(&b, false);
    reprise_foreign *foreign = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_foreign_new(replay, &foreign, &error), &error, "foreign");
    const reprise_value *metadata = reprise_value_get(reprise_foreign_about(foreign), "metadata");
    const reprise_value *one = reprise_value_at(reprise_value_get(metadata, "players"), 0);
    const char *color = reprise_value_text(reprise_value_get(one, "color_rgb"), NULL);
    assert_string_equal(color ? color : "none", expected);
    reprise_foreign_free(foreign);
    reprise_close(replay);
    free(s.data);
}

static void openra__colours_in_every_notation(void **state)
{
    (void)state;
    assert_color("Color: 10F0C0", "Color: 10F0C0", "#10f0c0");
    assert_color("allies\n\tColor: 10F0C0", "alli\n\tColor: 10F0C080", "#10f0c0");
    assert_color("allies\n\tColor: 10F0C0", "al\n\tColor: 85,200,099", "#15b015");
    assert_color("allies\n\tColor: 10F0C0", "alli\n\tColor: 0,9,0099", "#665f5f");
    assert_color("Color: 10F0C0", "Color: 0,0,00", "#000000");
    const char *const wrong[] = {"10F0CG", "0,0,-1", "0,0,0,", "1,2,  ", "0,,999", "0,0, 9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char to[16];
        snprintf(to, sizeof to, "Color: %s", wrong[i]);
        assert_color("Color: 10F0C0", to, "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openra__item_2_dialects_are_detected),
        cmocka_unit_test(openra__item_2_undeclared_dialects_are_tried),
        cmocka_unit_test(openra__item_3_sync_and_disconnect_forms),
        cmocka_unit_test(openra__item_4_flags_of_two_bytes),
        cmocka_unit_test(openra__item_5_packed_cells_have_signs_and_layers),
        cmocka_unit_test(openra__item_6_terrain_counts),
        cmocka_unit_test(openra__item_7_trailers),
        cmocka_unit_test(openra__item_9_rewritten_files_are_identical),
        cmocka_unit_test(openra__item_10_desync_is_reported),
        cmocka_unit_test(openra__item_11_last_lobby_before_the_start_wins),
        cmocka_unit_test(openra__items_12_15_length),
        cmocka_unit_test(openra__item_13_archives_hold_the_same),
        cmocka_unit_test(openra__item_14_anonymized_files_hold_nothing_private),
        cmocka_unit_test(openra__item_16_real_files),
        cmocka_unit_test(openra__files_without_handshake_open_by_their_trailer),
        cmocka_unit_test(openra__network_packets_are_skipped),
        cmocka_unit_test(openra__newer_protocols_are_read_as_the_newest),
        cmocka_unit_test(openra__order_errors_lose_only_their_packet),
        cmocka_unit_test(openra__pauses_are_no_actions),
        cmocka_unit_test(openra__lobby_only_files_are_reported),
        cmocka_unit_test(openra__groups_become_single_orders_in_older_dialects),
        cmocka_unit_test(openra__files_of_every_dialect_become_any_other),
        cmocka_unit_test(openra__trimmed_files_end_earlier),
        cmocka_unit_test(openra__crashed_files_are_recovered_with_a_trailer),
        cmocka_unit_test(openra__common_form_has_players_and_orders),
        cmocka_unit_test(openra__colours_in_every_notation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
