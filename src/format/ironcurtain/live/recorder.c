/* recorder.c - the game's side of a recorder: see recorder.h. */
#include "recorder.h"

#include "entry.h"
#include "json.h"
#include "whole.h"

enum {
    TICK_US = 66667,
    QUEUE_US = 10000000,
    KEYFRAME_TICKS = 300,
    FULL_TICKS = 3000,
    FLUSH_MS = 2000,
    SIGN_TICKS = 30,
    /* A call may take 5 ms; the rest allows for copying and late wake-ups. */
    WAIT_NS = 2000000,
    SLOT_BYTES = 512,
    EVENTS_MAX = 8 << 20, /* bytes of events waiting for the disk */
    VOICE_MAX = 1 << 20,  /* of each player's voice */
};

/* ---- making one ---- */

static void complete_options(reprise_ic_recorder_options *o)
{
    o->tick_us = o->tick_us ? o->tick_us : TICK_US;
    o->queue_ticks = o->queue_ticks ? o->queue_ticks : QUEUE_US / o->tick_us + 1;
    o->keyframe_ticks = o->keyframe_ticks ? o->keyframe_ticks : KEYFRAME_TICKS;
    o->full_ticks = o->full_ticks ? o->full_ticks : FULL_TICKS;
    o->flush_ms = o->flush_ms ? o->flush_ms : FLUSH_MS;
    o->sync_ms = o->sync_ms ? o->sync_ms : FLUSH_MS;
    o->sign_ticks = o->sign_ticks ? o->sign_ticks : SIGN_TICKS;
}

static reprise_status take_options(ic_recorder *r, const reprise_ic_recorder_options *given,
                                   reprise_error *error)
{
    reprise_ic_recorder_options *o = &r->options;
    *o = (reprise_ic_recorder_options)REPRISE_IC_RECORDER_INIT;
    RP_TRY(rp_take_options(o, sizeof *o, given, error));
    RP_TRY(ic_simulation_check(o->simulation, error));
    complete_options(o);
    r->level = ic_level(o->level, RP_LZ4_FASTEST);
    if (!o->path == !o->storage || (o->storage && !o->storage->write))
        return rp_error_set(error, REPRISE_E_USAGE, "a recorder needs a path or storage callbacks");
    if (o->full_ticks % o->keyframe_ticks)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "full keyframes every %u ticks, keyframes every %u: the first must be "
                            "a multiple of the second",
                            o->full_ticks, o->keyframe_ticks);
    if (o->consenting_count > IC_PLAYERS_MAX)
        return rp_error_set(error, REPRISE_E_USAGE, "more than %d players with voice",
                            IC_PLAYERS_MAX);
    r->path = o->path ? rp_arena_text(&r->arena, o->path, strlen(o->path), error) : NULL;
    r->speakers = rp_arena_array(&r->arena, o->consenting_count, sizeof *r->speakers, error);
    RP_TRY(error->status);
    for (size_t i = 0; i < o->consenting_count; i++) {
        r->speakers[i].player = o->consenting[i];
        rp_writer_init(&r->speakers[i].frames, r->context, VOICE_MAX, error);
        rp_writer_init(&r->speakers[i].taken, r->context, VOICE_MAX, error);
    }
    if (o->signer) {
        reprise_ic_signer *copy = rp_arena_alloc(&r->arena, sizeof *copy, error);
        if (copy)
            RP_TRY(rp_take_options(copy, sizeof *copy, o->signer, error));
        if (copy && !copy->sign)
            return rp_error_set(error, REPRISE_E_USAGE, "a signer needs a sign callback");
        o->signer = copy;
    }
    return error->status;
}

static reprise_status make_queue(ic_recorder *r, reprise_error *error)
{
    r->capacity = r->options.queue_ticks;
    r->items = rp_arena_array(&r->arena, r->capacity, sizeof *r->items, error);
    for (size_t i = 0; r->items && i < r->capacity; i++) {
        rp_writer_init(&r->items[i].bytes, r->context, IC_UNIT_MAX, error);
        (void)rp_reserve(&r->items[i].bytes, SLOT_BYTES);
    }
    rp_writer *const writers[] = {&r->scratch, &r->embedded,     &r->events, &r->block, &r->record,
                                  &r->raw,     &r->taken_events, &r->chain,  &r->first};
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], r->context, UINT32_MAX, error);
    RP_TRY(ic_hasher_init(&r->hasher, r->context, error));
    RP_TRY(rp_lock_init(&r->lock, error));
    RP_TRY(rp_bell_init(&r->work, error));
    RP_TRY(rp_bell_init(&r->space, error));
    r->ready = true;
    return error->status;
}

static reprise_status make_embedded(ic_recorder *r, reprise_error *error)
{
    ic_embedded embedded = {0};
    if (!r->options.embedding)
        return REPRISE_OK;
    RP_TRY(
        ic_embedded_fill(&embedded, r->options.embedding, r->metadata, r->level, &r->arena, error));
    r->embedded.error = error;
    if (!ic_embedded_is_empty(&embedded))
        rp_bincode_write(&r->embedded, &ic_embedded_record, &embedded);
    return error->status;
}

/* The header of a live file has only the offsets of metadata and records. */
static reprise_status begin_file(ic_recorder *r, reprise_error *error)
{
    rp_writer *w = &r->raw;
    ic_replay_header h = {.magic = {'I', 'C', 'R', 'P'},
                          .version = 1,
                          .compression_algorithm = 1,
                          .metadata_offset = IC_REPLAY_HEADER_SIZE};
    w->error = error;
    rp_writer_clear(&r->scratch);
    r->scratch.error = error;
    rp_json_write(&r->scratch, r->metadata, &(rp_json_format){.indent = 1, .exact_integers = true});
    h.metadata_length = (uint32_t)r->scratch.size;
    h.orders_offset = h.metadata_offset + h.metadata_length;
    rp_writer_clear(w);
    rp_bincode_write(w, &ic_replay_header_record, &h);
    rp_put(w, r->scratch.data, r->scratch.size);
    RP_TRY(error->status);
    RP_TRY(r->path ? rp_journal_create(r->context, r->path, r->options.replace, &r->journal, error)
                   : rp_journal_open_storage(r->context, r->options.storage, &r->journal, error));
    RP_TRY(rp_journal_append(r->journal, w->data, w->size, error));
    r->bytes = w->size;
    r->unsynced = true;
    return REPRISE_OK;
}

reprise_status ic_recorder_init(ic_recorder *r, rp_context *context, const char *metadata,
                                const reprise_ic_recorder_options *options, reprise_error *error)
{
    *r = (ic_recorder){.context = context};
    rp_arena_init(&r->arena, context);
    RP_TRY(take_options(r, options, error));
    RP_TRY(ic_metadata_accept(&r->arena, metadata, &r->metadata, error));
    RP_TRY(ic_delta_base_init(&r->baseline, context, error));
    RP_TRY(make_queue(r, error));
    RP_TRY(make_embedded(r, error));
    RP_TRY(begin_file(r, error));
    return rp_thread_start(&r->thread, ic_recorder_write, r, error);
}

static void stop(ic_recorder *r)
{
    if (!r->thread.running)
        return;
    r->closing = true;
    rp_bell_ring(&r->work);
    rp_thread_join(&r->thread);
}

void ic_recorder_free(ic_recorder *r)
{
    rp_writer *const writers[] = {&r->scratch, &r->embedded,     &r->events, &r->block, &r->record,
                                  &r->raw,     &r->taken_events, &r->chain,  &r->first};
    stop(r);
    rp_journal_close(r->journal);
    for (size_t i = 0; r->items && i < r->capacity; i++) {
        if (r->items[i].bytes.context)
            rp_writer_free(&r->items[i].bytes);
    }
    for (size_t i = 0; i < RP_COUNT(writers); i++) {
        if (writers[i]->context)
            rp_writer_free(writers[i]);
    }
    for (size_t i = 0; r->speakers && i < r->options.consenting_count; i++) {
        if (r->speakers[i].taken.context) {
            rp_writer_free(&r->speakers[i].frames);
            rp_writer_free(&r->speakers[i].taken);
        }
    }
    rp_free(r->context, r->to_sign, r->to_sign_capacity * sizeof *r->to_sign);
    ic_delta_base_free(&r->baseline);
    ic_hasher_free(&r->hasher);
    if (r->ready) {
        rp_lock_free(&r->lock);
        rp_bell_free(&r->work);
        rp_bell_free(&r->space);
    }
    rp_arena_free(&r->arena);
}

/* ---- the queue ---- */

/* A call has one deadline, counted from here, however many items it queues. */
static void begin_call(ic_recorder *r)
{
    r->call_ns = rp_now_ns();
}

/* The keyframe of tick 0 may wait without limit and is not counted. */
static void end_call(ic_recorder *r, uint64_t tick)
{
    if (!tick)
        return;
    uint64_t took = rp_now_ns() - r->call_ns;
    r->calls++;
    r->longest_ns = RP_MAX(r->longest_ns, took);
    r->waits[RP_MIN(took / 1000, (uint64_t)IC_WAIT_BUCKETS - 1)]++;
}

static bool is_full(const ic_recorder *r)
{
    return r->given - r->taken == r->capacity;
}

/* Waits for a free slot for the game to fill; NULL if there is none in time. */
static ic_item *free_slot(ic_recorder *r, bool patient)
{
    uint64_t deadline = r->call_ns + WAIT_NS;
    while (is_full(r)) {
        rp_bell_listen(&r->space);
        rp_bell_ring(&r->work);
        bool late = is_full(r) && !rp_bell_wait(&r->space, deadline);
        if (late && !patient)
            break;
        if (late)
            deadline = rp_now_ns() + WAIT_NS;
    }
    return is_full(r) ? NULL : &r->items[r->given % r->capacity];
}

/* Publishes the filled slot. The writing thread polls; waking it would cost the game time. */
static void push(ic_recorder *r)
{
    uint64_t waiting = ++r->given - r->taken;
    if (waiting == r->capacity / 4 + 1)
        rp_bell_ring(&r->work);
}

static reprise_status lost(reprise_error *error, const char *what, uint64_t tick)
{
    return rp_error_set(error, REPRISE_E_LIMIT,
                        "the disk is too slow and the queue full: %s of tick %llu is lost", what,
                        (unsigned long long)tick);
}

/* ---- keyframes ---- */

static reprise_status push_keyframe(ic_recorder *r, uint64_t tick, bool is_full,
                                    reprise_error *error)
{
    ic_item *slot = free_slot(r, tick == 0);
    if (!slot) {
        r->lost_keyframes++;
        if (is_full)
            r->full_needed = true;
        return lost(error, "the keyframe", tick);
    }
    rp_writer empty = slot->bytes;
    slot->kind = IC_ITEM_KEYFRAME;
    slot->tick = tick;
    slot->is_full = is_full;
    slot->baseline_tick = r->baseline_tick;
    slot->bytes = r->scratch;
    r->scratch = empty;
    if (is_full) {
        r->baseline_tick = tick;
        r->full_needed = false; /* before the writing thread can lose this one */
    }
    push(r);
    r->keyframes++;
    r->full_keyframes += is_full;
    return REPRISE_OK;
}

static reprise_status check_keyframe(ic_recorder *r, uint64_t tick, reprise_error *error)
{
    if (r->finished || (r->has_keyframe ? tick < r->next_keyframe : tick != 0) ||
        tick < r->next_tick)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "keyframe %llu is out of order: the first has tick 0, ticks ascend, "
                            "and each precedes the frame of its tick",
                            (unsigned long long)tick);
    r->has_keyframe = true;
    r->next_keyframe = tick + 1;
    return REPRISE_OK;
}

static bool full_due(ic_recorder *r, uint64_t tick)
{
    return r->full_needed || tick % r->options.full_ticks == 0 || !r->baseline.known;
}

static reprise_status add_keyframe(ic_recorder *r, const ic_snapshot *snapshot,
                                   reprise_error *error)
{
    uint64_t tick = snapshot->core.tick;
    RP_TRY(check_keyframe(r, tick, error));
    bool is_full = full_due(r, tick);
    rp_writer_clear(&r->scratch);
    RP_TRY(ic_delta_base_encode(&r->baseline, snapshot, is_full, &r->scratch, error));
    RP_TRY(push_keyframe(r, tick, is_full, error));
    ic_delta_base_accept(&r->baseline);
    return REPRISE_OK;
}

reprise_status ic_recorder_keyframe(ic_recorder *r, const ic_snapshot *snapshot,
                                    reprise_error *error)
{
    begin_call(r);
    reprise_status status = add_keyframe(r, snapshot, error);
    end_call(r, snapshot->core.tick);
    return status;
}

reprise_status ic_recorder_keyframe_bytes(ic_recorder *r, uint64_t tick, bool is_full,
                                          const void *bytes, size_t size, reprise_error *error)
{
    begin_call(r);
    RP_TRY(check_keyframe(r, tick, error));
    rp_writer_clear(&r->scratch);
    r->scratch.error = error;
    rp_put(&r->scratch, bytes, size);
    RP_TRY(error->status);
    reprise_status status = push_keyframe(r, tick, is_full, error);
    end_call(r, tick);
    return status;
}

/* ---- signatures ---- */

static reprise_status add_sign(ic_recorder *r, uint64_t tick, const uint8_t hash[IC_HASH_SIZE],
                               reprise_error *error)
{
    if (!r->options.signer || r->finished || tick <= r->signed_tick || tick < r->next_tick)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "tick %llu cannot be signed: no signer was given, or it is too late",
                            (unsigned long long)tick);
    ic_item *slot = free_slot(r, false);
    if (!slot)
        return lost(error, "the signature", tick);
    r->signed_tick = tick;
    slot->kind = IC_ITEM_SIGN;
    slot->tick = tick;
    slot->bytes.error = error;
    rp_writer_clear(&slot->bytes);
    rp_put(&slot->bytes, hash, IC_HASH_SIZE);
    RP_TRY(error->status);
    push(r);
    return REPRISE_OK;
}

reprise_status ic_recorder_sign(ic_recorder *r, uint64_t tick, const uint8_t hash[IC_HASH_SIZE],
                                reprise_error *error)
{
    begin_call(r);
    reprise_status status = add_sign(r, tick, hash, error);
    end_call(r, tick);
    return status;
}

/* ---- ticks ---- */

/*
 * Queues the keyframe and signature due before the orders of a tick. A lost keyframe is no error.
 */
static reprise_status make_due(ic_recorder *r, uint64_t tick, reprise_error *error)
{
    const ic_simulation host = ic_simulation_of(r->options.simulation, r->context);
    if (!host.calls)
        return REPRISE_OK;
    if (ic_simulation_has_snapshots(&host) && tick % r->options.keyframe_ticks == 0 &&
        (!r->has_keyframe || tick >= r->next_keyframe)) {
        ic_snapshot snapshot;
        RP_TRY(ic_simulation_snapshot(&host, &snapshot, error));
        if (add_keyframe(r, &snapshot, error) == REPRISE_E_LIMIT)
            rp_error_clear(error);
    }
    RP_TRY(error->status);
    if (r->options.signer && tick && tick % r->options.sign_ticks == 0 && tick > r->signed_tick) {
        uint8_t hash[IC_HASH_SIZE];
        RP_TRY(ic_simulation_hash(&host, hash, error));
        if (add_sign(r, tick, hash, error) == REPRISE_E_LIMIT)
            rp_error_clear(error);
    }
    return error->status;
}

/* Orders are written one by one because the size of each is limited. */
static reprise_status encode_frame(rp_writer *w, const ic_frame *frame, reprise_error *error)
{
    const ic_order *orders = frame->orders.items;
    w->error = error;
    rp_writer_clear(w);
    rp_put_u64(w, frame->tick);
    rp_put_u64(w, frame->state_hash);
    rp_put_u64(w, frame->orders.count);
    for (size_t i = 0; i < frame->orders.count; i++) {
        size_t before = w->size;
        rp_bincode_write(w, &ic_order_record, &orders[i]);
        if (w->size - before > IC_ORDER_BYTES_MAX)
            return rp_error_set(error, REPRISE_E_USAGE, "an order of %zu bytes, at most %d",
                                w->size - before, IC_ORDER_BYTES_MAX);
    }
    return error->status;
}

/* The SyncHash of the state that the orders of a frame are applied to, if the caller left it out.
 */
static reprise_status complete_hash(const ic_recorder *r, ic_frame *frame, reprise_error *error)
{
    const ic_simulation host = ic_simulation_of(r->options.simulation, r->context);
    uint8_t hash[IC_HASH_SIZE];
    if (frame->state_hash || !host.calls)
        return REPRISE_OK;
    RP_TRY(ic_simulation_hash(&host, hash, error));
    frame->state_hash = ic_sync_hash(hash);
    return REPRISE_OK;
}

static void count_orders(ic_recorder *r, const ic_frame *frame)
{
    const ic_order *orders = frame->orders.items;
    for (size_t i = 0; i < frame->orders.count; i++) {
        if (orders[i].player < IC_PLAYERS_MAX)
            r->orders[orders[i].player]++;
    }
}

static reprise_status add_frame(ic_recorder *r, const ic_frame *given, reprise_error *error)
{
    ic_frame completed = *given, *frame = &completed;
    if (r->finished || frame->tick < r->next_tick || frame->tick == UINT64_MAX)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "frame %llu is out of order; the next tick is %llu",
                            (unsigned long long)frame->tick, (unsigned long long)r->next_tick);
    RP_TRY(make_due(r, frame->tick, error));
    if (!r->has_keyframe)
        return rp_error_set(error, REPRISE_E_USAGE, "the keyframe of tick 0 must come first");
    RP_TRY(ic_frame_count_check(frame, r->context, error));
    RP_TRY(complete_hash(r, frame, error));
    ic_item *slot = free_slot(r, false);
    uint64_t left_out = frame->tick - r->next_tick;
    if (slot)
        RP_TRY(encode_frame(&slot->bytes, frame, error));
    r->next_tick = frame->tick + 1;
    if (left_out || !slot)
        r->lost_frames += left_out + !slot;
    if (!slot)
        return lost(error, "the frame", frame->tick);
    count_orders(r, frame);
    slot->kind = IC_ITEM_FRAME;
    slot->tick = frame->tick;
    push(r);
    r->frames++;
    return REPRISE_OK;
}

reprise_status ic_recorder_tick(ic_recorder *r, const ic_frame *frame, reprise_error *error)
{
    begin_call(r);
    reprise_status status = add_frame(r, frame, error);
    end_call(r, frame->tick);
    return status;
}

/* ---- events and voice ---- */

/* Appends the scratch content to a buffer that waits for the disk. */
static reprise_status push_bytes(ic_recorder *r, rp_writer *buffer, size_t max, uint64_t *count,
                                 reprise_error *error)
{
    if (!rp_lock_take_until(&r->lock, r->call_ns + WAIT_NS))
        return REPRISE_E_LIMIT;
    bool room = buffer->size + r->scratch.size <= max;
    buffer->error = error;
    if (room)
        rp_put(buffer, r->scratch.data, r->scratch.size);
    if (room && error->status == REPRISE_OK)
        ++*count;
    rp_lock_leave(&r->lock);
    return room ? error->status : REPRISE_E_LIMIT;
}

reprise_status ic_recorder_event(ic_recorder *r, const reprise_ic_event *event,
                                 reprise_error *error)
{
    begin_call(r);
    const rp_choice *choice = (const rp_choice *)event;
    if (choice->variant >= ic_event.count || !choice->value)
        return rp_error_set(error, REPRISE_E_USAGE, "event %u does not exist or has no content",
                            choice->variant);
    uint64_t tick = *(const uint64_t *)choice->value; /* every event begins with its tick */
    if (r->finished || tick < r->event_tick)
        return rp_error_set(error, REPRISE_E_USAGE, "event of tick %llu after one of tick %llu",
                            (unsigned long long)tick, (unsigned long long)r->event_tick);
    r->scratch.error = error;
    rp_writer_clear(&r->scratch);
    rp_bincode_write_sum(&r->scratch, &ic_event, choice);
    RP_TRY(error->status);
    r->event_tick = tick;
    reprise_status status = push_bytes(r, &r->events, EVENTS_MAX, &r->event_count, error);
    r->lost_events += status != REPRISE_OK;
    end_call(r, tick);
    return status == REPRISE_E_LIMIT ? lost(error, "an event", tick) : status;
}

static ic_voice_queue *speaker_of(ic_recorder *r, uint32_t player)
{
    for (size_t i = 0; i < r->options.consenting_count; i++) {
        if (r->speakers[i].player == player)
            return &r->speakers[i];
    }
    return NULL;
}

reprise_status ic_recorder_voice(ic_recorder *r, uint32_t player, const ic_voice_frame *frame,
                                 reprise_error *error)
{
    ic_voice_queue *speaker = speaker_of(r, player);
    begin_call(r);
    if (!speaker)
        return rp_error_set(error, REPRISE_E_USAGE, "player %u did not consent to voice recording",
                            player);
    if (r->finished || frame->opus_data.size > IC_VOICE_MAX || frame->tick < speaker->tick)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "a voice frame of more than %d bytes, or of an earlier tick",
                            IC_VOICE_MAX);
    r->scratch.error = error;
    rp_writer_clear(&r->scratch);
    rp_bincode_write(&r->scratch, &ic_voice_frame_record, frame);
    RP_TRY(error->status);
    speaker->tick = frame->tick;
    reprise_status status = push_bytes(r, &speaker->frames, VOICE_MAX, &speaker->count, error);
    r->lost_voice += status != REPRISE_OK;
    end_call(r, frame->tick);
    return status == REPRISE_E_LIMIT ? lost(error, "voice", frame->tick) : status;
}

/* ---- the end ---- */

reprise_status ic_recorder_drain(ic_recorder *r, const uint8_t final_hash[IC_HASH_SIZE],
                                 reprise_error *error)
{
    if (r->finished || !r->has_keyframe)
        return rp_error_set(error, REPRISE_E_USAGE, "nothing was recorded");
    if (r->options.signer && r->next_tick > r->signed_tick) {
        reprise_status status;
        do {
            rp_error_clear(error); /* the thread no longer waits for the game */
            begin_call(r);
            status = add_sign(r, r->next_tick, final_hash, error);
        } while (status == REPRISE_E_LIMIT);
        RP_TRY(status);
    }
    r->finished = true;
    stop(r);
    return REPRISE_OK;
}

/* Adds length, signature and activity of players if the metadata lacks them. */
static reprise_value *complete_metadata(ic_recorder *r, rp_doc *doc, bool is_signed)
{
    uint64_t seconds = rp_whole_u64((double)r->next_tick * ic_tick_seconds(r->metadata, 0));
    reprise_value *all = rp_copy(doc, r->metadata);
    rp_replace(doc, all, "total_ticks", rp_new_uint(doc, r->next_tick));
    rp_replace(doc, all, "duration_seconds", rp_new_uint(doc, seconds));
    rp_replace(doc, all, "signed", rp_new_bool(doc, is_signed));
    reprise_value *players = rp_get(all, "players");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        reprise_value *player = (reprise_value *)(uintptr_t)reprise_value_at(players, i);
        uint64_t slot = reprise_value_uint(rp_get(player, "slot"), UINT64_MAX);
        if (slot < IC_PLAYERS_MAX && !rp_get(player, "apm_avg"))
            rp_set_uint(doc, player, "apm_avg", r->orders[slot] * 60 / RP_MAX(seconds, 1));
    }
    return all;
}

reprise_status ic_recorder_finish(ic_recorder *r, const char *metadata,
                                  const uint8_t final_hash[IC_HASH_SIZE], rp_sink *sink,
                                  reprise_error *error)
{
    rp_source *live = NULL;
    rp_doc doc = {.arena = &r->arena, .error = error};
    if (metadata)
        RP_TRY(ic_metadata_accept(&r->arena, metadata, &r->metadata, error));
    /* The thread has ended, so its chain is complete and in the file, or empty. */
    bool is_signed = r->options.signer && r->next_tick && !r->chain_broken && !r->chain_count &&
                     r->chain_tick == r->next_tick;
    ic_ending ending = {.total_ticks = r->next_tick,
                        .embedded = &r->embedded,
                        .lost = r->lost_frames + r->lost_keyframes,
                        .final_hash = final_hash,
                        .metadata = complete_metadata(r, &doc, is_signed),
                        .keeps_chain = is_signed,
                        .level = r->level};
    RP_TRY(error->status);
    RP_TRY(rp_journal_reopen(r->journal, &live, error));
    reprise_status status = ic_finalise(r->context, live, &ending, sink, error);
    rp_source_close(live);
    return status;
}

static double quantile(const ic_recorder *r, double part)
{
    uint64_t wanted = rp_whole_u64((double)r->calls * part), seen = 0;
    for (size_t i = 0; i < IC_WAIT_BUCKETS; i++) {
        seen += r->waits[i];
        if (seen > wanted)
            return i + 1 == IC_WAIT_BUCKETS ? (double)r->longest_ns / 1000 : (double)(i + 1);
    }
    return (double)r->longest_ns / 1000;
}

void ic_recorder_stats(ic_recorder *r, reprise_ic_recorder_stats *ret_stats)
{
    *ret_stats = (reprise_ic_recorder_stats){
        .struct_size = sizeof *ret_stats,
        .frames = r->frames,
        .keyframes = r->keyframes,
        .full_keyframes = r->full_keyframes,
        .lost_frames = r->lost_frames,
        .lost_keyframes = r->lost_keyframes,
        .lost_events = r->lost_events,
        .lost_voice = r->lost_voice,
        .failed_writes = r->failed_writes,
        .failed_syncs = r->failed_syncs,
        .bytes = r->bytes,
        .calls = r->calls,
        .p50_us = quantile(r, 0.5),
        .p99_us = quantile(r, 0.99),
        .p999_us = quantile(r, 0.999),
        .longest_us = (double)r->longest_ns / 1000,
    };
}
