/*
 * record_thread.c - the writing thread: takes items from the queue and appends records of the live
 * layout (specification, 7.9).
 *
 * The file stays readable whatever happens to the disk: a record is appended completely or not at
 * all, and what cannot be written is counted. Every prefix of the file is a valid recording,
 * because frames precede the keyframes and signatures that refer to them.
 */
#include "recorder.h"

enum {
    IDLE_NS = 100000000, /* polls the queue at this interval, so that few ticks must wake it */
    MS_NS = 1000000,
    CHAIN_MAX = 1 << 20, /* bytes of signatures waiting for the disk */
};

/* ---- records ---- */

static bool append(ic_recorder *r, const char tag[4], unsigned flags, uint64_t tick, uint32_t count,
                   const void *raw, size_t size)
{
    rp_error_clear(&r->writing);
    rp_writer_clear(&r->record);
    r->record.error = &r->writing;
    ic_put_record(&r->record, tag, flags, tick, count, raw, size, r->level);
    bool fits = size <= IC_UNIT_MAX && rp_journal_size(r->journal) + r->record.size < UINT32_MAX;
    bool done = r->writing.status == REPRISE_OK && fits &&
                rp_journal_append(r->journal, r->record.data, r->record.size, &r->writing) ==
                    REPRISE_OK;
    r->bytes = rp_journal_size(r->journal);
    r->failed_writes += !done;
    r->unsynced |= done;
    return done;
}

/* Writes the state of tick 0 if it is not in the file yet. */
static bool put_first(ic_recorder *r)
{
    if (!r->first.size)
        return true;
    if (!append(r, "ICKF", 1, 0, 1, r->first.data, r->first.size))
        return false;
    r->any_full = true;
    r->full_written = 0;
    rp_writer_clear(&r->first);
    return true;
}

/* Other records are useless without the state of tick 0, so it is written first. */
static bool put_record(ic_recorder *r, const char tag[4], unsigned flags, uint64_t tick,
                       uint32_t count, const void *raw, size_t size)
{
    return put_first(r) && append(r, tag, flags, tick, count, raw, size);
}

static void lose(ic_recorder *r, uint64_t frames, uint64_t keyframes)
{
    r->lost_frames += frames;
    r->lost_keyframes += keyframes;
    if (keyframes)
        r->full_needed = true;
}

/* ---- signatures ---- */

static void sign_entry(ic_recorder *r, const ic_to_sign *state, uint64_t written)
{
    const reprise_ic_signer *signer = r->options.signer;
    uint64_t frames = written - r->chain_written;
    ic_tick_signature entry = {.tick = state->tick,
                               .skipped_ticks = (uint32_t)(state->tick - r->chain_tick - frames)};
    uint8_t message[IC_CHAIN_MESSAGE];
    rp_error_clear(&r->writing);
    r->chain.error = &r->writing;
    /* An entry is dropped if memory is short; the next one covers its ticks. */
    if (!rp_reserve(&r->chain, IC_TICK_SIGNATURE_SIZE))
        return;
    memcpy(entry.state_hash, state->hash, IC_HASH_SIZE);
    ic_chain_message(&entry, r->link, message);
    if (r->chain.size > CHAIN_MAX ||
        signer->sign(signer->ctx, message, sizeof message, entry.relay_sig) != 0) {
        r->chain_broken = true;
        return;
    }
    ic_chain_advance(&r->hasher, &entry, r->link);
    r->chain_first = r->chain_count ? r->chain_first : entry.tick;
    rp_bincode_write(&r->chain, &ic_tick_signature_record, &entry);
    r->chain_count++;
    r->chain_tick = entry.tick;
    r->chain_written = written;
}

/* The preceding block is written or lost, so the missing frames before each state are known. */
static void sign_states(ic_recorder *r, uint64_t before, bool block_written)
{
    for (size_t i = 0; i < r->to_sign_count && !r->chain_broken; i++) {
        const ic_to_sign *state = &r->to_sign[i];
        sign_entry(r, state, before + (block_written ? state->block_frames : 0));
    }
    r->to_sign_count = 0;
}

static void write_chain(ic_recorder *r)
{
    if (!r->chain_count)
        return;
    rp_error_clear(&r->writing);
    rp_writer_clear(&r->raw);
    r->raw.error = &r->writing;
    rp_put_u64(&r->raw, r->chain_count);
    rp_put(&r->raw, r->chain.data, r->chain.size);
    rp_put(&r->raw, r->options.signer->public_key, 32);
    if (r->writing.status != REPRISE_OK ||
        !put_record(r, "ICSG", 0, r->chain_first, r->chain_count, r->raw.data, r->raw.size))
        return; /* entries belong together; retry them next time */
    rp_writer_clear(&r->chain);
    r->chain_count = 0;
}

static void take_sign(ic_recorder *r, const ic_item *item)
{
    rp_error_clear(&r->writing);
    ic_to_sign *list = rp_grow(r->context, r->to_sign, r->to_sign_count + 1, &r->to_sign_capacity,
                               sizeof *list, &r->writing);
    if (!list)
        return;
    r->to_sign = list;
    ic_to_sign *state = &r->to_sign[r->to_sign_count++];
    *state = (ic_to_sign){.tick = item->tick, .block_frames = r->block_frames};
    memcpy(state->hash, item->bytes.data, IC_HASH_SIZE);
}

/* ---- frames and keyframes ---- */

static void end_block(ic_recorder *r)
{
    uint64_t before = r->written;
    bool done = true;
    if (r->block_frames) {
        done = put_record(r, "ICOB", 0, r->block_tick, r->block_frames, r->block.data,
                          r->block.size);
        if (done)
            r->written += r->block_frames;
        else
            lose(r, r->block_frames, 0);
    }
    sign_states(r, before, done);
    rp_writer_clear(&r->block);
    r->block_frames = 0;
}

static void take_frame(ic_recorder *r, const ic_item *item)
{
    uint64_t first = item->tick & ~(uint64_t)(IC_BLOCK_TICKS - 1);
    if (r->block_frames && first != r->block_tick)
        end_block(r);
    rp_error_clear(&r->writing);
    r->block.error = &r->writing;
    rp_put(&r->block, item->bytes.data, item->bytes.size);
    if (r->writing.status != REPRISE_OK) {
        lose(r, 1, 0);
        return;
    }
    r->block_tick = first;
    r->block_frames++;
    if ((item->tick + 1) % IC_BLOCK_TICKS == 0)
        end_block(r);
}

/* The keyframe of tick 0 is kept and retried until it is written. */
static void take_first(ic_recorder *r, ic_item *item)
{
    rp_writer empty = r->first;
    r->first = item->bytes;
    item->bytes = empty;
    (void)put_first(r);
}

static void take_keyframe(ic_recorder *r, ic_item *item)
{
    end_block(r);
    if (item->tick == 0 && item->is_full) {
        take_first(r, item);
        return;
    }
    bool begun = put_first(r) && r->any_full;
    bool orphan = !item->is_full && item->baseline_tick != r->full_written;
    if (!begun || orphan ||
        !put_record(r, "ICKF", item->is_full, item->tick, 1, item->bytes.data, item->bytes.size)) {
        lose(r, 0, 1);
        return;
    }
    if (item->is_full)
        r->full_written = item->tick;
}

/* ---- events and voice ---- */

/* Swaps a buffer of the game for an empty one, under the lock. */
static uint64_t exchange(rp_writer *filled, rp_writer *empty, uint64_t *count)
{
    rp_writer waiting = *filled;
    uint64_t had = *count;
    *filled = *empty;
    *empty = waiting;
    *count = 0;
    return had;
}

static void write_events(ic_recorder *r)
{
    rp_lock_take(&r->lock);
    uint64_t count = exchange(&r->events, &r->taken_events, &r->event_count);
    rp_lock_leave(&r->lock);
    if (!count)
        return;
    rp_error_clear(&r->writing);
    rp_writer_clear(&r->raw);
    r->raw.error = &r->writing;
    rp_put_u64(&r->raw, count);
    rp_put(&r->raw, r->taken_events.data, r->taken_events.size);
    uint64_t tick = rp_load64(r->taken_events.data + 4); /* after the number of its kind */
    if (r->writing.status != REPRISE_OK ||
        !put_record(r, "ICEV", 0, tick, (uint32_t)count, r->raw.data, r->raw.size))
        r->lost_events += count;
    rp_writer_clear(&r->taken_events);
}

/* Every record has a track for every consenting player, even without frames. */
static void write_voice(ic_recorder *r)
{
    uint64_t count = 0;
    rp_error_clear(&r->writing);
    rp_writer_clear(&r->raw);
    r->raw.error = &r->writing;
    rp_put_u64(&r->raw, r->options.consenting_count);
    for (size_t i = 0; i < r->options.consenting_count; i++) {
        ic_voice_queue *speaker = &r->speakers[i];
        rp_lock_take(&r->lock);
        uint64_t frames = exchange(&speaker->frames, &speaker->taken, &speaker->count);
        rp_lock_leave(&r->lock);
        rp_put_u32(&r->raw, speaker->player);
        rp_put_u8(&r->raw, true);
        rp_put_u64(&r->raw, frames);
        rp_put(&r->raw, speaker->taken.data, speaker->taken.size);
        rp_writer_clear(&speaker->taken);
        count += frames;
    }
    if (!count)
        return;
    if (r->writing.status != REPRISE_OK ||
        !put_record(r, "ICVO", 0, 0, (uint32_t)r->options.consenting_count, r->raw.data,
                    r->raw.size))
        r->lost_voice += count;
}

/* ---- the thread ---- */

static void flush(ic_recorder *r)
{
    end_block(r);
    write_events(r);
    write_voice(r);
    write_chain(r);
    r->flushed_ns = rp_now_ns();
}

/* What could not be synced is tried again when the next sync is due, even if nothing is added. */
static void sync_file(ic_recorder *r)
{
    rp_error_clear(&r->writing);
    r->synced_ns = rp_now_ns();
    r->unsynced = rp_journal_sync(r->journal, &r->writing) != REPRISE_OK;
    r->failed_syncs += r->unsynced;
}

/* Frees the memory of a slot that held a keyframe: there are many slots. */
static void empty_slot(ic_recorder *r, ic_item *item)
{
    enum { KEPT_MAX = 16384 };
    if (item->bytes.capacity > KEPT_MAX) {
        rp_writer_free(&item->bytes);
        rp_writer_init(&item->bytes, r->context, IC_UNIT_MAX, &r->writing);
    }
    r->taken++;
    rp_bell_ring(&r->space);
}

static void take(ic_recorder *r, ic_item *item)
{
    switch (item->kind) {
    case IC_ITEM_FRAME:
        take_frame(r, item);
        break;
    case IC_ITEM_KEYFRAME:
        take_keyframe(r, item);
        break;
    case IC_ITEM_SIGN:
        take_sign(r, item);
        break;
    }
    empty_slot(r, item);
}

/* Waits for items; returns how many there are and whether more may come. */
static uint64_t wait_for_items(ic_recorder *r, bool *ret_closing)
{
    rp_bell_listen(&r->work);
    if (r->given == r->taken && !r->closing)
        (void)rp_bell_wait(&r->work, rp_now_ns() + IDLE_NS);
    *ret_closing = r->closing; /* read first: the game adds nothing after setting it */
    return r->given - r->taken;
}

static bool due(uint64_t since_ns, uint32_t interval_ms)
{
    return interval_ms != UINT32_MAX && rp_now_ns() - since_ns >= (uint64_t)interval_ms * MS_NS;
}

void *ic_recorder_write(void *ctx)
{
    ic_recorder *r = ctx;
    bool closing = false;
    r->flushed_ns = r->synced_ns = rp_now_ns();
    while (true) {
        uint64_t count = wait_for_items(r, &closing);
        for (uint64_t i = 0; i < count; i++) {
            take(r, &r->items[r->taken % r->capacity]);
            if (due(r->flushed_ns, r->options.flush_ms))
                flush(r);
        }
        if (!count && closing)
            break;
        if (due(r->flushed_ns, r->options.flush_ms))
            flush(r);
        if (r->unsynced && due(r->synced_ns, r->options.sync_ms))
            sync_file(r);
    }
    flush(r);
    if (!put_first(r))
        lose(r, 0, 1);
    if (r->unsynced && r->options.sync_ms != UINT32_MAX)
        sync_file(r);
    return NULL;
}
