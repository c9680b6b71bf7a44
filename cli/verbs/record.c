/* record.c - reprise record: records a demonstration match as a game would. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <reprise/ironcurtain/codec.h>
#include <reprise/ironcurtain/live.h>

#include "batch/batch.h"
#include "batch/outfile.h"
#include "installed_rules.h"
#include "pubkey_file.h"
#include "rewrite.h"
#include "ui/clamp.h"
#include "ui/report.h"

enum { TICKS_DEFAULT = 900, PLAYERS_DEFAULT = 2, UNITS_DEFAULT = 12, TICKS_PER_SECOND = 15 };

typedef struct settings {
    cli_rewrite change;
    const char *demo, *branch;
    cli_number seed, ticks, players, units, speed, at, slot;
    cli_keys key;
    cli_number every;
    cli_embedding embedding;
    /* faults for demonstration */
    cli_number crash_at, stall_ms, fail_write;
    bool unfinished;
} settings;

/* ---- a disk with faults ---- */

typedef struct faulty {
    int fd;
    uint64_t writes, fail_write, stall_ms;
} faulty;

static void sleep_ns(uint64_t ns)
{
    struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static int64_t faulty_write(void *ctx, uint64_t offset, const void *data, size_t size)
{
    faulty *f = ctx;
    f->writes++;
    if (f->stall_ms)
        sleep_ns(f->stall_ms * 1000000);
    if (f->writes == f->fail_write)
        return -EIO;
    ssize_t n = pwrite(f->fd, data, size, (off_t)offset);
    return n < 0 ? -errno : n;
}

static int64_t faulty_read(void *ctx, uint64_t offset, void *to, size_t size)
{
    const faulty *f = ctx;
    ssize_t n = pread(f->fd, to, size, (off_t)offset);
    return n < 0 ? -errno : n;
}

static int keep_text(void *ctx, const void *data, size_t size)
{
    cli_put(ctx, data, size);
    return 0;
}

/* ---- the match ---- */

typedef struct demo {
    cli_run *run;
    const settings *s;
    const char *path;
    reprise_ic_skirmish *game;
    const reprise_ic_simulation *calls;
    reprise_ic_recorder *recorder;
    reprise_ic_recorder_options options;
    uint64_t tick, ticks;
    faulty disk;
    reprise_storage storage;
    reprise_sink sink;
    reprise_ic_signer signer;
    cli_strbuf finished;
    cli_strbuf metadata;
    reprise_replay *parent;
    reprise_ic_playback *player;
    reprise_error *error;
    cli_embedded embedded;
} demo;

/* Reproducible builds set the date. */
static void put_time(cli_strbuf *to)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm parts;
    char text[32] = "";
    if (gmtime_r(&now, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cli_puts(to, text);
}

static void put_players(cli_json *json, uint32_t count)
{
    static const char *const names[] = {"Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana"};
    cli_json_array(json, "players");
    for (uint32_t i = 0; i < count; i++) {
        cli_json_object(json, NULL);
        cli_json_uint(json, "slot", i);
        cli_json_text(json, "name", names[i % CLI_COUNT(names)]);
        cli_json_text(json, "faction", i % 2 ? "soviet" : "allies");
        cli_json_text(json, "outcome", "unknown");
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_metadata(demo *d, uint64_t seed, uint32_t players, const reprise_ic_core *core)
{
    static const char data_version[] =
        "sha256:af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc";
    cli_strbuf id = {0}, date = {0}, map_hash = {0};
    cli_printf(&id, "%08x-%04x-4000-8000-%012" PRIx64, (uint32_t)(seed >> 32),
               (unsigned)(seed >> 16 & 0xFFFF), seed & 0xFFFFFFFFFFFF);
    put_time(&date);
    cli_puts(&map_hash, "sha256:");
    for (size_t i = 0; i < 32; i++)
        cli_printf(&map_hash, "%02x", core->map_hash[i]);
    cli_json json = {.to = &d->metadata};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "replay_id", id.data);
    cli_json_text(&json, "timestamp", date.data);
    cli_json_text(&json, "engine_version", reprise_version());
    cli_json_uint(&json, "base_build", 1);
    cli_json_text(&json, "data_version", data_version);
    cli_json_text(&json, "game_module", "skirmish");
    cli_json_array(&json, "active_mods");
    cli_json_close(&json);
    cli_json_text(&json, "map_name", "Demonstration");
    cli_json_text(&json, "map_hash", map_hash.data);
    cli_json_text(&json, "game_speed", "slower");
    cli_json_text(&json, "balance_preset", "");
    put_players(&json, players);
    cli_json_number(&json, "initial_rng_seed", seed);
    cli_json_bool(&json, "signed", false);
    cli_json_close(&json);
    cli_strbuf_free(&id);
    cli_strbuf_free(&date);
    cli_strbuf_free(&map_hash);
}

static reprise_status start_match(demo *d)
{
    const settings *s = d->s;
    uint64_t seed = s->seed.given ? s->seed.count : 1;
    uint64_t players = s->players.given ? s->players.count : PLAYERS_DEFAULT;
    uint64_t units = s->units.given ? s->units.count : UNITS_DEFAULT;
    reprise_ic_snapshot start;
    uint32_t player_count = players > UINT32_MAX ? UINT32_MAX : (uint32_t)players;
    uint32_t unit_count = units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
    if (reprise_ic_skirmish_start(d->game, seed, player_count, unit_count, d->error) != REPRISE_OK)
        return d->error->status;
    if (d->calls->snapshot(d->calls->ctx, &start, d->error) != REPRISE_OK)
        return d->error->status;
    put_metadata(d, seed, player_count, &start.core);
    return REPRISE_OK;
}

/* The branch repeats the parent's orders, so they must lead to the parent's states. */
static reprise_status check_parent(demo *d)
{
    reprise_status status = reprise_ic_playback_seek(d->player, 0, d->error);
    while (status == REPRISE_OK && reprise_ic_playback_tick(d->player) < d->s->at.count)
        status = reprise_ic_playback_poll(d->player, NULL, d->error);
    reprise_ic_divergence found = REPRISE_IC_DIVERGENCE_INIT;
    (void)!reprise_ic_playback_get_divergence(d->player, &found, NULL);
    if (status == REPRISE_OK && found.mismatches)
        return cli_fail(
            d->error, REPRISE_E_CORRUPT,
            "its orders do not lead to the recorded states; 'reprise verify --simulate' "
            "shows where");
    return status == REPRISE_OK ? reprise_ic_playback_seek(d->player, 0, d->error) : status;
}

/* A branch starts with the parent's recording up to the tick. */
static reprise_status start_branch(demo *d)
{
    const settings *s = d->s;
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    options.simulation = d->calls;
    const char *metadata = NULL;
    uint32_t slot = s->slot.given ? (uint32_t)s->slot.count : 0;
    if (cli_open(s->branch, &s->change.common.reading, &d->parent, d->error) != REPRISE_OK ||
        reprise_ic_playback_new(d->parent, &options, &d->player, d->error) != REPRISE_OK ||
        reprise_ic_playback_branch(d->player, s->at.count, slot, &metadata, d->error) != REPRISE_OK)
        return d->error->status;
    cli_puts(&d->metadata, metadata);
    return check_parent(d);
}

static reprise_status record_parent(demo *d)
{
    const reprise_ic_frame *frame = NULL;
    while (d->tick < d->s->at.count) {
        if (reprise_ic_playback_peek(d->player, &frame, d->error) != REPRISE_OK ||
            reprise_ic_recorder_tick(d->recorder, frame, d->error) != REPRISE_OK ||
            reprise_ic_playback_poll(d->player, NULL, d->error) != REPRISE_OK)
            return d->error->status;
        d->tick++;
    }
    d->ticks += d->tick;
    return REPRISE_OK;
}

static reprise_status record_events(demo *d)
{
    const reprise_ic_event *events = NULL;
    size_t count = 0;
    reprise_status status = reprise_ic_skirmish_events(d->game, &events, &count, d->error);
    for (size_t i = 0; i < count && status == REPRISE_OK; i++) {
        status = reprise_ic_recorder_event(d->recorder, &events[i], d->error);
        if (status == REPRISE_E_LIMIT) /* lost and counted */
            status = REPRISE_OK;
    }
    return status;
}

static reprise_status record_tick(demo *d)
{
    const reprise_ic_order *orders = NULL;
    size_t count = 0;
    uint8_t hash[32];
    uint64_t sync = 0;
    reprise_status status = reprise_ic_skirmish_orders(d->game, &orders, &count, d->error);
    if (status == REPRISE_OK)
        status = d->calls->state_hash(d->calls->ctx, hash, d->error);
    if (status != REPRISE_OK)
        return status;
    for (size_t i = 8; i-- > 0;)
        sync = sync << 8 | hash[i];
    reprise_ic_frame frame = {
        .tick = d->tick, .state_hash = sync, .orders = {(void *)(uintptr_t)orders, count}};
    status = reprise_ic_recorder_tick(d->recorder, &frame, d->error);
    if (status != REPRISE_OK && status != REPRISE_E_LIMIT)
        return status;
    *d->error = (reprise_error)REPRISE_ERROR_INIT;
    status = d->calls->apply_tick(d->calls->ctx, d->tick++, orders, count, d->error);
    return status == REPRISE_OK ? record_events(d) : status;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static reprise_status record_match(demo *d)
{
    const settings *s = d->s;
    uint64_t begin = now_ns(), first = d->tick;
    reprise_status status = REPRISE_OK;
    while (d->tick < d->ticks && status == REPRISE_OK) {
        if (s->crash_at.given && d->tick == s->crash_at.count) {
            sleep_ns(300000000); /* the last flush was less than that ago */
            raise(SIGKILL);
        }
        if (s->speed.given && s->speed.real > 0) {
            double at = (double)(d->tick - first) / (TICKS_PER_SECOND * s->speed.real);
            uint64_t due = cli_to_uint(at * 1e9), past = now_ns() - begin;
            if (past < due)
                sleep_ns(due - past);
        }
        status = record_tick(d);
    }
    return status;
}

/* ---- the relay ---- */

/* Called on the recorder's thread; no other thread uses the key. */
static int sign(void *ctx, const void *message, size_t size, uint8_t ret_signature[64])
{
    reprise_error error = REPRISE_ERROR_INIT;
    return reprise_ic_sign_message(ctx, message, size, ret_signature, &error) == REPRISE_OK ? 0
                                                                                            : EIO;
}

static reprise_status open_signer(demo *d)
{
    const settings *s = d->s;
    if (!s->key.count)
        return REPRISE_OK;
    d->signer = (reprise_ic_signer){
        .struct_size = sizeof d->signer, .ctx = s->key.bytes, .sign = sign};
    d->options.signer = &d->signer;
    if (s->every.given)
        d->options.sign_ticks = s->every.count > UINT32_MAX ? UINT32_MAX : (uint32_t)s->every.count;
    return reprise_ic_public_key(s->key.bytes, d->signer.public_key, d->error);
}

/* ---- embedded content ---- */

/* A demonstration match uses the built-in map and no mods. */
static reprise_status open_embedding(demo *d)
{
    const settings *s = d->s;
    if (!s->embedding.mode)
        return REPRISE_OK;
    reprise_status status = cli_embedded_read(&s->embedding, NULL, &d->embedded, d->error);
    reprise_ic_embedding *with = &d->embedded.with;
    if (status != REPRISE_OK || d->embedded.mode == REPRISE_IC_MINIMAL)
        return status;
    if (!with->map && s->demo)
        with->map = reprise_ic_skirmish_map(&with->map_size);
    bool rules = with->manifest && with->manifest->rules.count;
    if (!with->map || (d->embedded.mode == REPRISE_IC_SELF_CONTAINED && !rules))
        return cli_fail(d->error, REPRISE_E_USAGE, "--embed %s: no %s to embed", s->embedding.mode,
                        with->map ? "rules" : "map");
    d->options.embedding = with;
    return REPRISE_OK;
}

/* ---- the recorder ---- */

static reprise_status open_faulty(demo *d)
{
    int flags = O_RDWR | O_CREAT | O_CLOEXEC | (d->s->change.force ? O_TRUNC : O_EXCL);
    d->disk = (faulty){.fd = open(d->path, flags, 0666),
                       .fail_write = d->s->fail_write.count,
                       .stall_ms = d->s->stall_ms.count};
    if (d->disk.fd < 0) {
        *d->error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
        snprintf(d->error->message, sizeof d->error->message, "cannot create: %s", strerror(errno));
        return d->error->status;
    }
    d->storage = (reprise_storage){.ctx = &d->disk, .write = faulty_write, .read = faulty_read};
    d->sink = (reprise_sink){.ctx = &d->finished, .write = keep_text};
    d->options.path = NULL;
    d->options.storage = &d->storage;
    d->options.finished = &d->sink;
    return REPRISE_OK;
}

static reprise_status open_recorder(demo *d)
{
    const settings *s = d->s;
    cli_preferences preferences;
    if (cli_preferences_read(d->run, s->change.settings, &preferences, d->error) != REPRISE_OK)
        return d->error->status;
    reprise_ic_recorder_options *o = &d->options;
    *o = (reprise_ic_recorder_options)REPRISE_IC_RECORDER_INIT;
    o->path = d->path;
    o->replace = s->change.force;
    o->level = s->change.level_given ? s->change.level : preferences.replay_level;
    o->keyframe_ticks = preferences.keyframe_ticks;
    o->full_ticks = preferences.full_keyframe_ticks;
    o->sign_ticks = preferences.signature_ticks;
    o->flush_ms = s->crash_at.given ? 100 : preferences.flush_ms;
    o->simulation = d->calls;
    /* The default queue is sized for real time; a faster match needs a longer one. */
    if (!s->speed.given && !s->stall_ms.given)
        o->queue_ticks = 20000;
    if (open_signer(d) != REPRISE_OK || open_embedding(d) != REPRISE_OK)
        return d->error->status;
    if ((s->stall_ms.given || s->fail_write.given) && open_faulty(d) != REPRISE_OK)
        return d->error->status;
    return reprise_ic_recorder_new(cli_strbuf_string(&d->metadata), o, NULL, &d->recorder,
                                   d->error);
}

static reprise_status finish(demo *d)
{
    if (d->s->unfinished)
        return REPRISE_OK;
    reprise_status status = reprise_ic_recorder_finish(d->recorder, NULL, NULL, d->error);
    if (status == REPRISE_OK && d->finished.size) {
        if (ftruncate(d->disk.fd, 0) != 0 || lseek(d->disk.fd, 0, SEEK_SET) != 0 ||
            cli_write(d->disk.fd, d->finished.data, d->finished.size) != 0) {
            *d->error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
            snprintf(d->error->message, sizeof d->error->message, "cannot write: %s",
                     strerror(errno));
            return d->error->status;
        }
    }
    return status;
}

static void close_demo(demo *d)
{
    cli_embedded_free(&d->embedded);
    reprise_ic_recorder_free(d->recorder);
    reprise_ic_playback_free(d->player);
    reprise_close(d->parent);
    reprise_ic_skirmish_free(d->game);
    if (d->storage.ctx)
        close(d->disk.fd);
    cli_strbuf_free(&d->finished);
    cli_strbuf_free(&d->metadata);
}

/* ---- the report ---- */

static void put_report(cli_strbuf *to, const demo *d, const reprise_ic_recorder_stats *st)
{
    cli_json json = {.to = to};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", d->path);
    cli_json_uint(&json, "ticks", d->tick);
    cli_json_bool(&json, "finished", !d->s->unfinished);
    cli_json_uint(&json, "frames", st->frames);
    cli_json_uint(&json, "keyframes", st->keyframes);
    cli_json_uint(&json, "full_keyframes", st->full_keyframes);
    cli_json_object(&json, "lost");
    cli_json_uint(&json, "frames", st->lost_frames);
    cli_json_uint(&json, "keyframes", st->lost_keyframes);
    cli_json_uint(&json, "events", st->lost_events);
    cli_json_close(&json);
    cli_json_uint(&json, "failed_writes", st->failed_writes);
    cli_json_uint(&json, "failed_syncs", st->failed_syncs);
    cli_json_uint(&json, "calls", st->calls);
    cli_json_object(&json, "wait_us");
    cli_json_uint(&json, "p50", cli_to_uint(st->p50_us + 0.5));
    cli_json_uint(&json, "p99", cli_to_uint(st->p99_us + 0.5));
    cli_json_uint(&json, "p99.9", cli_to_uint(st->p999_us + 0.5));
    cli_json_uint(&json, "longest", cli_to_uint(st->longest_us + 0.5));
    cli_json_close(&json);
    cli_json_close(&json);
    cli_putc(to, '\n');
}

static int tell(demo *d)
{
    reprise_ic_recorder_stats st = REPRISE_IC_RECORDER_STATS_INIT;
    (void)!reprise_ic_recorder_get_stats(d->recorder, &st, NULL);
    uint64_t lost = st.lost_frames + st.lost_keyframes;
    cli_strbuf out = {0};
    if (d->run->common->json) {
        put_report(&out, d, &st);
        cli_out_put(&d->run->out, out.data, out.size);
    } else {
        cli_put_shown(&out, d->path, strlen(d->path));
        cli_printf(&out, ": %" PRIu64 " tick%s, %" PRIu64 " keyframe%s", st.frames,
                   st.frames == 1 ? "" : "s", st.keyframes, st.keyframes == 1 ? "" : "s");
        if (lost)
            cli_printf(&out, ", %" PRIu64 " lost", lost);
        if (st.failed_syncs)
            cli_printf(&out, ", %" PRIu64 " sync%s to disk failed", st.failed_syncs,
                       st.failed_syncs == 1 ? "" : "s");
        cli_printf(&out, "; a tick took the game %.0f us, at p99.9 %.0f us\n", st.p50_us,
                   st.p999_us);
        cli_say(d->run, &out);
    }
    cli_strbuf_free(&out);
    return lost || st.failed_syncs ? CLI_WARNED : CLI_DONE;
}

/* A recording that could not be finished because writes failed has failed to be written. */
static void blame_disk(demo *d)
{
    reprise_ic_recorder_stats st = REPRISE_IC_RECORDER_STATS_INIT;
    if (d->recorder)
        (void)!reprise_ic_recorder_get_stats(d->recorder, &st, NULL);
    if (st.failed_writes && d->error->status != REPRISE_E_IO)
        cli_fail(d->error, REPRISE_E_IO,
                 "cannot write: %" PRIu64 " writes failed, perhaps because the disk is full",
                 st.failed_writes);
}

/*
 * After a failed write nothing is left, as for every incomplete output file. With faults that were
 * asked for, the remains are what the user wants to see.
 */
static void remove_unwritten(const demo *d, bool existed)
{
    bool asked_for = d->s->fail_write.given || d->s->stall_ms.given;
    if (d->error->status == REPRISE_E_IO && !asked_for && (!existed || d->s->change.force))
        unlink(d->path);
}

static int run_record(cli_run *run)
{
    const settings *s = run->settings;
    if (!s->demo == !s->branch || (s->demo && strcmp(s->demo, "skirmish") != 0) ||
        (s->branch && !s->at.given))
        return cli_usage(run, "record", "needs --demo skirmish, or --branch FILE with --at TICK");
    if (s->key.count > 1 || (s->every.given && (!s->key.count || !s->every.count)))
        return cli_usage(run, "record",
                         "--every needs --key with one key, and a value of 1 or more");
    reprise_error error = REPRISE_ERROR_INIT;
    demo d = {.run = run, .s = s, .path = run->operands[0], .error = &error};
    d.ticks = s->ticks.given ? s->ticks.count : TICKS_DEFAULT;
    bool existed = access(d.path, F_OK) == 0;
    reprise_status status = reprise_ic_skirmish_new(NULL, &d.game, &error);
    if (status == REPRISE_OK) {
        d.calls = reprise_ic_skirmish_simulation(d.game);
        status = s->branch ? start_branch(&d) : start_match(&d);
    }
    const char *blamed = s->branch && status != REPRISE_OK ? s->branch : d.path;
    if (status == REPRISE_OK)
        status = cli_outfile_check(d.path, s->change.force, &error);
    if (status == REPRISE_OK)
        status = open_recorder(&d);
    if (status == REPRISE_OK && s->branch)
        status = record_parent(&d);
    if (status == REPRISE_OK)
        status = record_match(&d);
    if (status == REPRISE_OK)
        status = finish(&d);
    if (status != REPRISE_OK)
        blame_disk(&d);
    int code = status == REPRISE_OK ? tell(&d) : cli_report(run, blamed, &error);
    close_demo(&d);
    if (status != REPRISE_OK)
        remove_unwritten(&d, existed);
    return code;
}

static int run_and_forget(cli_run *run)
{
    const settings *s = run->settings;
    int code = run_record(run);
    cli_keys_free(&s->key);
    return code;
}

#define MATCH  "Match"
#define TRUST  "Signatures"
#define FAULTS "Faults for demonstration"

#define NUMBER(option_name, member, heading, words, kind)                  \
    {                                                                      \
        .name = option_name, .value = "N", .group = heading, .doc = words, \
        .offset = offsetof(settings, member), .parse = kind,               \
    }

static const cli_option options[] = {
    {.name = "demo",
     .value = "GAME",
     .choices = "skirmish",
     .group = MATCH,
     .doc = "Record a match of the built-in game, skirmish.",
     .offset = offsetof(settings, demo),
     .parse = cli_parse_text},
    NUMBER("seed", seed, MATCH, "Use seed N; the same seed gives the same match (default: 1)",
           cli_parse_count),
    NUMBER("ticks", ticks, MATCH, "Record N ticks of a fifteenth of a second (default: 900)",
           cli_parse_count),
    NUMBER("players", players, MATCH, "Number of players, 1-8 (default: 2)", cli_parse_count),
    NUMBER("units", units, MATCH, "Start with N units per player (default: 12)", cli_parse_count),
    NUMBER("speed", speed, MATCH, "Run at N times real time (default: as fast as possible)",
           cli_parse_real),
    {.name = "branch",
     .value = "FILE",
     .choices = "<file>",
     .group = MATCH,
     .doc = "Continue from a tick of this replay instead of starting a new match.",
     .offset = offsetof(settings, branch),
     .parse = cli_parse_text},
    NUMBER("at", at, MATCH, "Branch at tick N.", cli_parse_count),
    NUMBER("slot", slot, MATCH, "Take over player slot N in the branch (default: 0)",
           cli_parse_count),
    {.name = "key",
     .value = "FILE",
     .choices = "<file>",
     .group = TRUST,
     .doc = "Sign states while recording, and the last one, with the secret key in FILE, as "
            "written by 'reprise sign --new-key'.",
     .offset = offsetof(settings, key),
     .parse = cli_parse_secret_key},
    NUMBER("every", every, TRUST, "Sign every N ticks (default: 30)", cli_parse_count),
    NUMBER("crash-at", crash_at, FAULTS, "Kill the recorder at tick N.", cli_parse_count),
    NUMBER("stall-ms", stall_ms, FAULTS, "Delay every write by N milliseconds.", cli_parse_count),
    NUMBER("fail-write", fail_write, FAULTS, "Make write number N fail, counted from 1.",
           cli_parse_count),
    {.name = "unfinished",
     .group = FAULTS,
     .doc = "Do not finish the file.",
     .offset = offsetof(settings, unfinished),
     .parse = cli_parse_flag},
    CLI_EMBEDDING_OPTIONS(settings, "Embedded content"),
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_record = {
    .name = "record",
    .summary = "record a demonstration match, or continue from a tick of another",
    .operands = "FILE",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Plays a match of the built-in game and records it as an engine would with the library. "
        "The "
        "file can be read and played while it grows. If the recorder is killed, 'reprise recover' "
        "writes a sound file from it.\n\n"
        "The exit code is 3 if something could not be recorded, which the file counts, or if the "
        "system could not confirm that it is on the disk.",
    .examples = {{"reprise record --demo skirmish --seed 7 match.icrep",
                  "Record one minute, the same each time."},
                 {"reprise record --demo skirmish --embed map archive.icrep",
                  "Record a match with its map inside."},
                 {"reprise record --demo skirmish --crash-at 400 crashed.icrep; reprise recover "
                  "crashed.icrep saved.icrep",
                  "Recover a recording whose recorder was killed."},
                 {"reprise sign --new-key relay.key >trusted.txt; reprise record --demo skirmish "
                  "--key relay.key signed.icrep; reprise verify --trusted-keys trusted.txt "
                  "signed.icrep",
                  "Record and verify a signed match."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .settings_size = sizeof(settings),
    .run = run_and_forget,
};
