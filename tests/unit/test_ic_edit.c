/*
 * test_ic_edit.c - rewriting Iron Curtain replays: redacted, trimmed to a keyframe, compared with
 * each other; and live files that another process is still writing. Numbers in test names are items
 * of the checklist in docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ironcurtain/edit/write.h"

#include "icdata.h"
#include "reprise/write.h"

/* ---- anonymize ---- */

static bytes anonymize(const bytes *file, uint32_t what)
{
    bytes out = {0};
    bool save = memcmp(file->data, "ICSV", 4) == 0;
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_write_options options = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    reprise_sink sink = {.ctx = &out, .write = bytes_write};
    options.sink = &sink;
    expect_ok(reprise_anonymize(replay, what, &options, &report, &error), &error, "anonymize");
    const reprise_value *proof = reprise_value_get(report, "proof");
    assert_non_null(proof);
    assert_true(save || reprise_value_uint(reprise_value_get(proof, "rows"), 0) > 0);
    reprise_close(replay);
    return out;
}

static void checklist_30__pings_and_drawings_go_when_asked(void **state)
{
    (void)state;
    bytes file = ic_load("all-orders.icrep");
    size_t all = ic_count_rows(&file, "orders", NULL, NULL);
    size_t pings = ic_count_rows(&file, "orders", "kind", "TacticalPing");
    size_t drawings = ic_count_rows(&file, "orders", "kind", "MinimapDraw");
    assert_true(pings > 0 && drawings > 0);
    bytes out = anonymize(&file, REPRISE_PRIVATE_MARKS);
    assert_int_equal(ic_count_rows(&out, "orders", "kind", "TacticalPing"), 0);
    assert_int_equal(ic_count_rows(&out, "orders", "kind", "MinimapDraw"), 0);
    assert_int_equal(ic_count_rows(&out, "orders", NULL, NULL), all - pings - drawings);
    assert_int_equal(ic_faults(&out), 0);
    bytes_free(&out);
    /* Pings and drawings are not private by the specification and are kept. */
    out = anonymize(&file, REPRISE_PRIVATE_ALL);
    assert_int_equal(ic_count_rows(&out, "orders", "kind", "TacticalPing"), pings);
    assert_int_equal(ic_count_rows(&out, "orders", "kind", "ChatMessage"), 0);
    bytes_free(&out);
    bytes_free(&file);
}

/* Files prepared for sharing lose whispers and keep public chat. */
static void checklist_30__sharing_drops_whispers_only(void **state)
{
    (void)state;
    bytes file = ic_load("all-orders.icrep");
    size_t all = ic_count_rows(&file, "orders", NULL, NULL);
    size_t chat = ic_count_rows(&file, "orders", "kind", "ChatMessage");
    size_t commands = ic_count_rows(&file, "orders", "kind", "ChatCommand");
    bytes out = anonymize(&file, REPRISE_PRIVATE_CHAT | REPRISE_PRIVATE_WHISPERS);
    size_t left = ic_count_rows(&out, "orders", "kind", "ChatMessage");
    assert_true(left > 0 && left < chat);
    assert_int_equal(ic_count_rows(&out, "orders", "kind", "ChatCommand"), commands);
    assert_int_equal(ic_count_rows(&out, "orders", NULL, NULL), all - (chat - left));
    assert_int_equal(ic_faults(&out), 0);
    bytes_free(&out);
    bytes_free(&file);
}

/* Only files of other writers have unlisted keys, directories and addresses. */
static void checklist_30__nothing_stays_that_metadata_must_not_have(void **state)
{
    (void)state;
    static const char *const secrets[] = {"198.51.100.2", "203.0.113.7", "Users", "X9000"};
    const uint32_t kinds[] = {REPRISE_PRIVATE_ALL, REPRISE_PRIVATE_CHAT | REPRISE_PRIVATE_WHISPERS |
                                                       REPRISE_PRIVATE_IDS |
                                                       REPRISE_PRIVATE_ADDRESSES};
    bytes file = ic_load("bad/privacy.icrep");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bytes out = anonymize(&file, kinds[k]);
        for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
            assert_true(bytes_contain(&file, secrets[i]));
            assert_false(bytes_contain(&out, secrets[i]));
        }
        assert_true(bytes_contain(&out, "\"map.oramap\""));
        reprise_replay *replay = open_bytes(&out, false);
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_verify_summary summary = {0};
        expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
        assert_int_equal(summary.faults + summary.warnings, 0);
        reprise_close(replay);
        bytes_free(&out);
    }
    /* A narrower request removes only what it names. */
    bytes out = anonymize(&file, REPRISE_PRIVATE_VOICE);
    assert_true(bytes_contain(&out, "X9000"));
    bytes_free(&out);
    bytes_free(&file);
}

static bool same(const bytes *a, const bytes *b, bytes *ret_report)
{
    reprise_replay *first = open_bytes(a, false), *second = open_bytes(b, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    bool equal = false;
    reprise_sink sink = {.ctx = ret_report, .write = bytes_write};
    expect_ok(reprise_diff(first, second, NULL, &equal, &report, &error), &error, "diff");
    expect_ok(reprise_value_write(report, REPRISE_JSON_COMPACT, &sink, &error), &error, "report");
    bytes_write(ret_report, "", 1);
    reprise_close(first);
    reprise_close(second);
    return equal;
}

/* ---- saves written again ---- */

static void checklist_30__a_save_loses_names_title_and_picture(void **state)
{
    (void)state;
    bytes file = ic_load("everything.icsave");
    bytes out = anonymize(&file, REPRISE_PRIVATE_ALL);
    assert_true(bytes_contain(&file, "Alice") && bytes_contain(&file, "PNG"));
    assert_false(bytes_contain(&out, "Alice") || bytes_contain(&out, "everything") ||
                 bytes_contain(&out, "PNG"));
    assert_true(bytes_contain(&out, "Player 3") && bytes_contain(&out, "\"Tick 90\""));
    assert_int_equal(ic_faults(&out), 0);
    /* The state is unchanged, byte for byte. */
    uint32_t size = rp_load32(file.data + 20);
    assert_memory_equal(out.data + 20, file.data + 20, 48);
    assert_memory_equal(out.data + rp_load32(out.data + 16), file.data + rp_load32(file.data + 16),
                        size);
    bytes_free(&out);
    out = anonymize(&file, REPRISE_PRIVATE_NAMES);
    assert_false(bytes_contain(&out, "Alice"));
    assert_true(bytes_contain(&out, "PNG"));
    bytes_free(&out);
    bytes_free(&file);
}

/* A name that is also in the state cannot be removed, so there is no result. */
static void checklist_30__a_save_is_not_kept_when_its_state_has_the_name(void **state)
{
    (void)state;
    bytes file = ic_load("everything.icsave"), out = {0};
    size_t at = 0;
    while (memcmp(file.data + at, "Alice", 5) != 0)
        at++;
    memcpy(file.data + at, "3tnk\",", 6); /* interned in the state; the quote ends the name */
    memcpy(file.data + at + 6, " ", 1);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = open_bytes(&file, false);
    reprise_write_options options = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    reprise_sink sink = {.ctx = &out, .write = bytes_write};
    options.sink = &sink;
    assert_int_equal(reprise_anonymize(replay, REPRISE_PRIVATE_ALL, &options, &report, &error),
                     REPRISE_E_CORRUPT);
    assert_non_null(strstr(error.message, "3tnk"));
    assert_int_equal(out.size, 0);
    reprise_close(replay);
    bytes_free(&file);
}

static void save__written_again_is_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"everything.icsave", "skirmish.icsave",
                                        "checkpoint.icsave"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bytes file = ic_load(names[i]);
        bytes out = changed(&file, (change){0});
        assert_int_equal(out.size, file.size);
        assert_memory_equal(out.data, file.data, file.size);
        bytes_free(&out);
        /* Another level gives another payload of the same state. */
        bytes report = {0};
        out = changed(&file, (change){.level = REPRISE_LEVEL_COMPACT});
        bytes again = changed(&out, (change){.level = REPRISE_LEVEL_COMPACT});
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        assert_true(same(&file, &out, &report));
        bytes_free(&report);
        bytes_free(&again);
        bytes_free(&out);
        bytes_free(&file);
    }
}

/* ---- trim ---- */

static bytes trim(const bytes *file, int64_t from, int64_t to)
{
    return changed(file, (change){.trim = true, .from = from, .to = to});
}

/* The document of a moment without what depends on the file. */
static bytes at(const bytes *file, int64_t tick)
{
    bytes text = {0};
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *document = NULL;
    reprise_moment moment = {.by_index = true, .index = tick};
    reprise_sink sink = {.ctx = &text, .write = bytes_write};
    expect_ok(reprise_at(replay, moment, &document, &error), &error, "at");
    static const char *const tracks[] = {"entities", "players", "map_cells",
                                         "orders",   "scripts", "campaign"};
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++)
        expect_ok(reprise_value_write(reprise_value_get(document, tracks[i]), REPRISE_JSON_COMPACT,
                                      &sink, &error),
                  &error, tracks[i]);
    reprise_close(replay);
    return text;
}

static void trim__starts_at_a_keyframe_and_keeps_states(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t from, to, first;
    } cases[] = {
        {"full.icrep", 650, 3100, 600},          {"full.icrep", 3000, 3355, 3000},
        {"full.icrep", 300, 1199, 300},          {"full.icrep", 10, 400, 0},
        {"lost-frames.icrep", 300, 600, 300},    {"lost-full-keyframe.icrep", 3299, 3400, 2700},
        {"self-contained.icrep", 301, 308, 300}, {"live-clean.icrep", 301, 500, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = ic_load(cases[i].name);
        bytes out = trim(&file, cases[i].from, cases[i].to);
        assert_int_equal(ic_faults(&out), 0);
        /* A state in the middle and the last one, simulated from the keyframe before. */
        const int64_t ticks[] = {cases[i].from, (cases[i].from + cases[i].to) / 2};
        for (size_t k = 0; k < 2; k++) {
            bytes a = at(&file, ticks[k]), b = at(&out, ticks[k]);
            assert_int_equal(a.size, b.size);
            assert_memory_equal(a.data, b.data, a.size);
            bytes_free(&a);
            bytes_free(&b);
        }
        /* Removed frames are counted as lost, and the result states its length. */
        uint64_t total = rp_load64(out.data + 48);
        uint32_t lost = rp_load32(out.data + 104);
        assert_int_equal(total, cases[i].to + 1);
        if (cases[i].first)
            assert_true(lost >= (uint32_t)cases[i].first && lost <= (uint32_t)cases[i].first + 100);
        assert_true(out.data[7] & IC_INCOMPLETE);
        /* Trimming to the same range again changes nothing. */
        bytes again = trim(&out, cases[i].from, cases[i].to);
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        bytes_free(&again);
        bytes_free(&out);
        bytes_free(&file);
    }
}

/* ---- diff ---- */

static void diff__names_orders_states_and_hashes(void **state)
{
    (void)state;
    bytes file = ic_load("all-orders.icrep"), report = {0};
    assert_true(same(&file, &file, &report));
    bytes_free(&report);
    bytes out = anonymize(&file, REPRISE_PRIVATE_MARKS);
    assert_false(same(&file, &out, &report));
    assert_non_null(strstr((char *)report.data, "orders"));
    assert_non_null(strstr((char *)report.data, "\"entities\":{\"rows_a\":12,\"rows_b\":12,"
                                                "\"only_a\":0,\"only_b\":0,\"differ\":0"));
    bytes_free(&report);
    bytes_free(&out);
    bytes_free(&file);
    file = ic_load("checkpoint.icsave");
    out = ic_load("skirmish.icsave");
    assert_true(same(&file, &file, &report));
    bytes_free(&report);
    assert_false(same(&file, &out, &report));
    /* States of different ticks are compared, entities by slot. */
    assert_null(strstr((char *)report.data, "\"index\":{\"rows\":"));
    assert_non_null(strstr((char *)report.data, "\"pos_x\":{\"rows\":"));
    assert_non_null(strstr((char *)report.data, "\"state_hash\":{\"rows\":1,\"first\""));
    bytes_free(&report);
    bytes_free(&out);
    bytes_free(&file);
}

/* Values that no other row has: random number state, seed, and final state hash. */
static void diff__sees_hidden_state_and_the_end(void **state)
{
    (void)state;
    reprise_ic_codec *ic = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    bytes saves[2] = {{0}}, report = {0};
    expect_ok(reprise_ic_codec_new(NULL, &ic, &error), &error, "handle");
    reprise_ic_snapshot snapshot = {
        .core = {.rng_state = {{1, 2, 3, 4}}, .map_state = {.width = 8, .height = 8}}};
    for (size_t i = 0; i < 2; i++) {
        reprise_write_options options = REPRISE_WRITE_INIT;
        reprise_sink sink = {.ctx = &saves[i], .write = bytes_write};
        options.sink = &sink;
        snapshot.core.rng_state.s.s3 = 4 + i;
        expect_ok(reprise_ic_write_save(ic, "{}", NULL, 0, &snapshot, &options, &error), &error,
                  "save");
    }
    reprise_ic_codec_free(ic);
    assert_false(same(&saves[0], &saves[1], &report));
    assert_non_null(strstr((char *)report.data, "\"rng\":{\"rows\":1"));
    assert_non_null(strstr((char *)report.data, "\"state_hash\":{\"rows\":1"));
    bytes_free(&report);
    bytes_free(&saves[0]);
    bytes_free(&saves[1]);
    bytes file = ic_load("basic.icrep"), other = ic_load("basic.icrep");
    other.data[56] ^= 1;
    assert_false(same(&file, &other, &report));
    assert_non_null(strstr((char *)report.data, "\"end.final_state_hash\""));
    bytes_free(&report);
    bytes_free(&file);
    bytes_free(&other);
}

/* ---- live files ---- */

typedef struct live {
    char directory[64], path[96], final_path[96];
    int paused[2], resume[2]; /* pipes: the writer waits; the reader lets it continue */
} live;

static void append(int fd, const uint8_t *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        if (n <= 0)
            _exit(1);
        done += (size_t)n;
    }
}

/* Waits until the reader has looked at what is written so far. */
static void pause_writing(const live *l)
{
    char byte = 0;
    if (write(l->paused[1], &byte, 1) != 1 || read(l->resume[0], &byte, 1) != 1)
        _exit(1);
}

/*
 * The other process writes header and metadata at once, then records in pieces with a pause after
 * every eighth, then replaces the live file with the final one.
 */
static void record(const live *l, const bytes *file, const bytes *finished)
{
    size_t start = rp_load32(file->data + 16);
    int fd = open(l->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        _exit(1);
    append(fd, file->data, start);
    for (size_t done = start, pieces = 1; done < file->size; pieces++) {
        size_t n = file->size - done;
        n = n < 613 ? n : 613;
        append(fd, file->data + done, n);
        done += n;
        if (pieces % 8 == 0)
            pause_writing(l);
    }
    close(fd);
    fd = open(l->final_path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    append(fd, finished->data, finished->size);
    close(fd);
    _exit(rename(l->final_path, l->path) == 0 ? 0 : 1);
}

typedef struct view {
    uint64_t ticks;
    size_t frames;
    bool final;
} view;

static bool look(const live *l, view *ret)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_open_file(l->path, NULL, &replay, &error) != REPRISE_OK) {
        /* Only before header and metadata are complete. */
        assert_true(ret->ticks == 0);
        return false;
    }
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    view now = {.ticks = reprise_value_uint(reprise_value_get(info, "ticks"), 0),
                .final = strcmp(reprise_layout(replay), "final") == 0};
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *rows = NULL;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, "ticks");
    reprise_status status = reprise_rows_open(replay, &options, &rows, &error);
    /* Nothing can be read before the first keyframe. */
    while (status == REPRISE_OK && (status = reprise_rows_next(rows, &error)) == REPRISE_OK)
        now.frames++;
    /* A record that is being written is torn, which ends the rows after all complete ones. */
    bool torn = reprise_damage(replay, NULL);
    if (now.ticks) {
        assert_int_equal(status, torn ? REPRISE_E_TRUNCATED : REPRISE_END);
        assert_int_equal(now.frames, now.ticks);
        assert_false(torn && now.final);
        const reprise_value *document = NULL;
        reprise_moment moment = {.by_index = true, .index = (int64_t)now.ticks - 1};
        expect_ok(reprise_at(replay, moment, &document, &error), &error, "at");
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    assert_true(now.ticks >= ret->ticks && now.frames >= ret->frames);
    *ret = now;
    return true;
}

/* Whether a look at an unfinished file shows more than the one before. */
static bool grew(const live *l, view *now)
{
    uint64_t before = now->ticks;
    return look(l, now) && now->ticks > before && !now->final;
}

static void checklist_23__read_while_another_process_appends(void **state)
{
    (void)state;
    live l;
    bytes file = ic_load("live-clean.icrep"), finished = {0};
    reprise_replay *replay = open_bytes(&file, true);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_write_options options = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    reprise_sink sink = {.ctx = &finished, .write = bytes_write};
    options.sink = &sink;
    expect_ok(reprise_recover(replay, &options, &report, &error), &error, "recover");
    reprise_close(replay);
    snprintf(l.directory, sizeof l.directory, "/tmp/reprise-live-XXXXXX");
    assert_non_null(mkdtemp(l.directory));
    snprintf(l.path, sizeof l.path, "%s/match.icrep", l.directory);
    snprintf(l.final_path, sizeof l.final_path, "%s/match.tmp", l.directory);
    assert_int_equal(pipe(l.paused) | pipe(l.resume), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        close(l.paused[0]);
        close(l.resume[1]);
        record(&l, &file, &finished);
    }
    close(l.paused[1]);
    close(l.resume[0]);
    view now = {0};
    unsigned growing = 0;
    int status = 0;
    char byte;
    /* One look at a file that is not being written, and one while it is; either may be the first
     * to see what the writer added. */
    while (read(l.paused[0], &byte, 1) == 1) {
        growing += grew(&l, &now);
        assert_int_equal(write(l.resume[1], &byte, 1), 1);
        growing += grew(&l, &now);
    }
    close(l.paused[0]);
    close(l.resume[1]);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(look(&l, &now));
    assert_true(now.final);
    assert_true(growing >= 2); /* it was really read while it grew */
    assert_int_equal(now.ticks, rp_load64(finished.data + 48));
    unlink(l.path);
    rmdir(l.directory);
    bytes_free(&file);
    bytes_free(&finished);
}

/* ---- saves survive crashes ---- */

/* Looks at the file of a sink while the header is still missing. */
static void save__header_is_written_last(void **state)
{
    (void)state;
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    char directory[64] = "/tmp/reprise-save-XXXXXX", path[96];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a.icsave", directory);
    for (int kind = 0; kind < 3; kind++) {
        rp_writer memory;
        rp_sink *sink = NULL;
        rp_source *source = NULL;
        uint8_t seen[8];
        rp_writer_init(&memory, &context, 1000, &error);
        rp_put(&memory, "before", 6);
        if (kind == 0)
            expect_ok(rp_sink_open_file(&context, path, true, 0, &sink, &error), &error, "file");
        else if (kind == 1)
            expect_ok(rp_sink_open_spool(&context, NULL, &sink, &error), &error, "spool");
        else
            expect_ok(rp_sink_open_memory(&context, &memory, &sink, &error), &error, "memory");
        expect_ok(rp_sink_begin_head(sink, 4, &error), &error, "begin");
        expect_ok(rp_sink_write(sink, "body", 4, &error), &error, "write");
        size_t skip = kind == 2 ? 6 : 0;
        expect_ok(rp_sink_reopen(sink, &source, &error), &error, "reopen");
        expect_ok(rp_source_read(source, skip, seen, 8, &error), &error, "read");
        assert_memory_equal(seen, "\0\0\0\0body", 8);
        rp_source_close(source);
        assert_int_not_equal(access(path, F_OK), 0);
        expect_ok(rp_sink_end_head(sink, "head", 4, &error), &error, "end");
        expect_ok(rp_sink_reopen(sink, &source, &error), &error, "reopen");
        expect_ok(rp_source_read(source, skip, seen, 8, &error), &error, "read");
        assert_memory_equal(seen, "headbody", 8);
        rp_source_close(source);
        expect_ok(rp_sink_commit(sink, &error), &error, "commit");
        rp_sink_close(sink);
        assert_int_equal(access(path, F_OK), kind == 0 ? 0 : -1);
        unlink(path);
        rp_writer_free(&memory);
    }
    rmdir(directory);
    assert_int_equal(context.bytes_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_30__pings_and_drawings_go_when_asked),
        cmocka_unit_test(checklist_30__sharing_drops_whispers_only),
        cmocka_unit_test(checklist_30__nothing_stays_that_metadata_must_not_have),
        cmocka_unit_test(checklist_30__a_save_loses_names_title_and_picture),
        cmocka_unit_test(checklist_30__a_save_is_not_kept_when_its_state_has_the_name),
        cmocka_unit_test(save__written_again_is_the_same),
        cmocka_unit_test(trim__starts_at_a_keyframe_and_keeps_states),
        cmocka_unit_test(diff__names_orders_states_and_hashes),
        cmocka_unit_test(diff__sees_hidden_state_and_the_end),
        cmocka_unit_test(checklist_23__read_while_another_process_appends),
        cmocka_unit_test(save__header_is_written_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
