/*
 * recording.h - records matches for tests: storages that fail like disks, and an independent reader
 * of live files.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hash.h"
#include "options.h"
#include "reader.h"
#include "reprise/ironcurtain/live.h"
#include "reprise/write.h"
#include "writer.h"

static const char test_metadata[] =
    "{\"replay_id\":\"7e57ed00-0000-4000-8000-000000000001\","
    "\"timestamp\":\"2026-01-02T03:04:05Z\",\"engine_version\":\"0.1.0\",\"base_build\":1,"
    "\"data_version\":\"sha256:"
    "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc\","
    "\"game_module\":\"skirmish\",\"active_mods\":[],\"map_name\":\"Demonstration\","
    "\"map_hash\":\"sha256:"
    "ce7db268064497906bf8eca5b458acf5d4793a1becdf73f83d60909a6ff89977\","
    "\"game_speed\":\"slower\",\"balance_preset\":\"\",\"players\":["
    "{\"slot\":0,\"name\":\"Ada\",\"faction\":\"allies\",\"outcome\":\"unknown\"},"
    "{\"slot\":1,\"name\":\"Bo\",\"faction\":\"soviet\",\"outcome\":\"unknown\"}],"
    "\"initial_rng_seed\":7,\"signed\":false}";

/* ---- a disk in memory ---- */

typedef struct disk {
    uint8_t *data;
    size_t size, room;  /* room: capacity in bytes */
    size_t write_max;   /* most bytes per write */
    unsigned writes;    /* so far */
    unsigned fails_at;  /* this write fails; 0: none */
    bool fails_half;    /* after half of it */
    unsigned stalls_at; /* from this write on, writes wait for the gate */
    sem_t *gate;
} disk;

static inline int64_t disk_write(void *ctx, uint64_t offset, const void *data, size_t size)
{
    disk *d = ctx;
    d->writes++;
    if (d->gate && d->writes >= d->stalls_at) {
        sem_wait(d->gate);
        sem_post(d->gate);
    }
    bool fails = d->fails_at && d->writes == d->fails_at;
    if (fails && !d->fails_half)
        return -EIO;
    if (fails)
        size /= 2;
    if (d->write_max && size > d->write_max)
        size = d->write_max;
    if (d->room && offset + size > d->room)
        size = offset < d->room ? d->room - (size_t)offset : 0;
    if (!size)
        return -ENOSPC;
    if (offset + size > d->size) {
        d->data = realloc(d->data, (size_t)offset + size);
        d->size = (size_t)offset + size;
    }
    memcpy(d->data + offset, data, size);
    if (fails)
        d->fails_at++; /* the rest fails too, like a disk that breaks in the middle */
    if (fails)
        d->fails_half = false;
    return (int64_t)size;
}

static inline int64_t disk_read(void *ctx, uint64_t offset, void *to, size_t size)
{
    const disk *d = ctx;
    if (offset >= d->size)
        return 0;
    size_t n = size < d->size - offset ? size : d->size - (size_t)offset;
    memcpy(to, d->data + offset, n);
    return (int64_t)n;
}

static inline int disk_keep(void *ctx, const void *data, size_t size)
{
    disk *d = ctx;
    d->data = realloc(d->data, d->size + size);
    memcpy(d->data + d->size, data, size);
    d->size += size;
    return 0;
}

/* ---- a match ---- */

typedef struct match {
    reprise_ic_skirmish *game;
    const reprise_ic_simulation *calls;
    reprise_ic_recorder *recorder;
    uint64_t tick;
    unsigned refused; /* ticks that were lost */
} match;

static inline void match_begin(match *m, const reprise_ic_recorder_options *options, uint32_t units)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_recorder_options all = *options;
    *m = (match){0};
    assert_int_equal(reprise_ic_skirmish_new(NULL, &m->game, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_skirmish_start(m->game, 7, 2, units, &error), REPRISE_OK);
    m->calls = reprise_ic_skirmish_simulation(m->game);
    all.simulation = m->calls;
    if (reprise_ic_recorder_new(test_metadata, &all, NULL, &m->recorder, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
}

static inline void match_events(match *m)
{
    const reprise_ic_event *events = NULL;
    size_t count = 0;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_skirmish_events(m->game, &events, &count, &error), REPRISE_OK);
    for (size_t i = 0; i < count; i++)
        (void)!reprise_ic_recorder_event(m->recorder, &events[i], &error);
}

/* One tick: recorded, then applied. */
static inline void match_tick(match *m)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_ic_order *orders = NULL;
    size_t count = 0;
    uint8_t hash[32];
    assert_int_equal(m->calls->state_hash(m->calls->ctx, hash, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_skirmish_orders(m->game, &orders, &count, &error), REPRISE_OK);
    reprise_ic_frame frame = {.tick = m->tick,
                              .state_hash = rp_load64(hash),
                              .orders = {(void *)(uintptr_t)orders, count}};
    reprise_status status = reprise_ic_recorder_tick(m->recorder, &frame, &error);
    if (status != REPRISE_OK && status != REPRISE_E_LIMIT)
        fail_msg("tick %llu: %s", (unsigned long long)m->tick, error.message);
    m->refused += status == REPRISE_E_LIMIT;
    rp_error_clear(&error);
    assert_int_equal(m->calls->apply_tick(m->calls->ctx, m->tick, orders, count, &error),
                     REPRISE_OK);
    m->tick++;
}

static inline void match_run(match *m, uint64_t ticks)
{
    for (uint64_t i = 0; i < ticks; i++)
        match_tick(m);
}

static inline void match_end(match *m)
{
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_ic_recorder_finish(m->recorder, NULL, NULL, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
}

static inline void match_free(match *m)
{
    reprise_ic_recorder_free(m->recorder);
    reprise_ic_skirmish_free(m->game);
}

/* ---- the content of a file ---- */

typedef struct contents {
    uint64_t frames, keyframes, records;
    size_t end;        /* end of the last complete record */
    size_t last_start; /* its start */
    size_t first_end;
} contents;

/* Walks the records of a live file without the library's reader. */
static inline contents walk_live(const uint8_t *data, size_t size)
{
    enum { HEADER = 108, RECORD = 32 };
    contents c = {0};
    if (size < HEADER)
        return c;
    size_t at = rp_load32(data + 16);
    while (at <= size && size - at >= RECORD) {
        size_t stored = rp_load32(data + at + 20);
        if (stored > size - at - RECORD)
            break;
        uint32_t crc = rp_crc32(rp_crc32(0, data + at, 28), data + at + RECORD, stored);
        if (crc != rp_load32(data + at + 28))
            break;
        c.frames += memcmp(data + at, "ICOB", 4) == 0 ? rp_load32(data + at + 16) : 0;
        c.keyframes += memcmp(data + at, "ICKF", 4) == 0;
        c.last_start = at;
        at += RECORD + stored;
        c.end = at;
        c.first_end = c.first_end ? c.first_end : at;
        c.records++;
    }
    return c;
}

/* Keyframes up to a tick: states after lost frames at the end do not count. */
static inline uint64_t keyframes_until(const uint8_t *data, size_t end, uint64_t tick)
{
    enum { RECORD = 32 };
    uint64_t count = 0;
    for (size_t at = rp_load32(data + 16); at < end; at += RECORD + rp_load32(data + at + 20))
        count += memcmp(data + at, "ICKF", 4) == 0 && rp_load64(data + at + 8) <= tick;
    return count;
}

typedef struct judged {
    reprise_status opened;
    uint64_t faults, warnings, mismatches, frames, keyframes, total_ticks, lost;
    bool ranked, incomplete;
    char first[256]; /* the first fault */
} judged;

static inline void keep_first(void *ctx, const reprise_finding *finding)
{
    judged *j = ctx;
    if (finding->severity == REPRISE_FAULT && !j->first[0])
        snprintf(j->first, sizeof j->first, "%s: %s", finding->id, finding->message);
}

/* Verifies the file and plays it. */
static inline judged judge(const void *data, size_t size)
{
    judged j = {0};
    TEST_OPTIONS(options);
    reprise_options_set_simulate(options, REPRISE_SIMULATE_ALL, NULL);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    const reprise_value *info = NULL;
    j.opened = reprise_open_memory(data, size, options, &replay, &error);
    if (j.opened != REPRISE_OK) {
        snprintf(j.first, sizeof j.first, "%s", error.message);
        return j;
    }
    assert_int_equal(reprise_verify(replay, keep_first, &j, &summary, &error), REPRISE_OK);
    j.faults = summary.faults;
    j.warnings = summary.warnings;
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    const reprise_value *played = reprise_value_get(summary.document, "simulation");
    j.frames = reprise_value_uint(reprise_value_get(rows, "ticks"), 0);
    j.keyframes = reprise_value_uint(reprise_value_get(rows, "keyframes"), 0);
    j.mismatches = reprise_value_uint(reprise_value_get(played, "mismatches"), 999);
    j.ranked = reprise_value_bool(reprise_value_get(summary.document, "ranked_verifiable"), false);
    assert_int_equal(reprise_info(replay, &info, &error), REPRISE_OK);
    const reprise_value *header = reprise_value_get(info, "header");
    RP_UNUSED(header);
    if (size >= 108) {
        j.total_ticks = rp_load64((const uint8_t *)data + 48);
        j.incomplete = ((const uint8_t *)data)[7] & 16;
        j.lost = rp_load32((const uint8_t *)data + 104);
    }
    reprise_close(replay);
    return j;
}

/* Recovers an unfinished recording; REPRISE_OK with the bytes, which the caller frees. */
static inline reprise_status recover(const void *data, size_t size, disk *ret_whole)
{
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, true, NULL);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_status status = reprise_open_memory(data, size, options, &replay, &error);
    if (status != REPRISE_OK)
        return status;
    *ret_whole = (disk){0};
    reprise_sink sink = {.ctx = ret_whole, .write = disk_keep};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    status = reprise_recover(replay, &writing, &report, &error);
    if (status != REPRISE_OK)
        fail_msg("recover: %s", error.message);
    reprise_close(replay);
    return status;
}

#endif
