/* seek_cache.c - see seek_cache.h. */
#include "seek_cache.h"

ic_seek_cache *ic_seek_cache_of(ic_replay *replay, reprise_error *error)
{
    if (!replay->seek_cache) {
        replay->seek_cache = rp_alloc_zero(replay->base.context, 1, sizeof *replay->seek_cache,
                                           error);
        if (replay->seek_cache)
            rp_writer_init(&replay->seek_cache->events, replay->base.context, IC_UNIT_MAX + 1,
                           error);
    }
    return replay->seek_cache;
}

void ic_seek_cache_free(ic_replay *replay)
{
    ic_seek_cache *cache = replay->seek_cache;
    if (!cache)
        return;
    rp_context *context = replay->base.context;
    rp_vector_free(context, &cache->marks, sizeof(ic_event_mark));
    rp_vector_free(context, &cache->links, IC_HASH_SIZE);
    if (cache->valid)
        rp_free(context, cache->valid, cache->chain.count);
    rp_writer_free(&cache->events);
    ic_chain_free(&cache->chain);
    rp_free(context, cache, sizeof *cache);
    replay->seek_cache = NULL;
}

/* ---- events ---- */

void ic_mark_event(ic_decoder *d)
{
    const ic_cursor *c = &d->events;
    ic_seek_cache *cache = d->replay->seek_cache;
    uint64_t number = d->event_number++;
    if (!cache || number != (uint64_t)cache->marks.count * IC_EVENTS_PER_MARK)
        return;
    /* Without memory for a mark, seeks only take longer. */
    reprise_error ignored = REPRISE_ERROR_INIT;
    ic_event_mark *to = rp_vector_add(d->replay->base.context, &cache->marks, sizeof *to, &ignored);
    if (to)
        *to = (ic_event_mark){.tick = d->event_tick,
                              .piece = c->next - 1,
                              .offset = (size_t)c->reader.offset,
                              .left = c->left};
}

bool ic_find_event_mark(ic_decoder *d, uint64_t tick, ic_event_mark *ret_mark)
{
    const ic_seek_cache *cache = d->replay->seek_cache;
    const ic_event_mark *marks = cache ? cache->marks.items : NULL;
    size_t low = 0, high = cache ? cache->marks.count : 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (marks[middle].tick < tick)
            low = middle;
        else
            high = middle;
    }
    if (!low)
        return false;
    *ret_mark = marks[low];
    d->event_number = (uint64_t)low * IC_EVENTS_PER_MARK;
    return true;
}

/* ---- signatures ---- */

reprise_status ic_cached_chain(ic_replay *replay, const ic_chain **ret_chain, reprise_error *error)
{
    ic_seek_cache *cache = ic_seek_cache_of(replay, error);
    if (!cache)
        return error->status;
    if (!cache->has_chain) {
        ic_chain_free(&cache->chain);
        RP_TRY(ic_chain_load(&cache->chain, replay, error));
        cache->has_chain = true;
    }
    if (!cache->valid && cache->chain.count) {
        cache->valid = rp_alloc_zero(replay->base.context, cache->chain.count, 1, error);
        if (!cache->valid)
            return error->status;
    }
    *ret_chain = &cache->chain;
    return REPRISE_OK;
}

static reprise_status add_links(ic_replay *replay, ic_hasher *hasher, size_t entry,
                                reprise_error *error)
{
    ic_seek_cache *cache = replay->seek_cache;
    while (cache->links.count <= entry) {
        size_t before = cache->links.count;
        uint8_t *to = rp_vector_add(replay->base.context, &cache->links, IC_HASH_SIZE, error);
        if (!to)
            return error->status;
        if (!before)
            continue;
        memcpy(to, to - IC_HASH_SIZE, IC_HASH_SIZE);
        ic_chain_advance(hasher, &cache->chain.entries[before - 1], to);
    }
    return REPRISE_OK;
}

reprise_status ic_cached_link(ic_replay *replay, size_t entry, const uint8_t **ret_link,
                              reprise_error *error)
{
    ic_hasher hasher;
    if (replay->seek_cache->links.count <= entry) {
        RP_TRY(ic_hasher_init(&hasher, replay->base.context, error));
        reprise_status status = add_links(replay, &hasher, entry, error);
        ic_hasher_free(&hasher);
        RP_TRY(status);
    }
    *ret_link = (const uint8_t *)replay->seek_cache->links.items + entry * IC_HASH_SIZE;
    return REPRISE_OK;
}

const ic_chain *ic_only_chain(const ic_replay *replay)
{
    const ic_seek_cache *cache = replay->seek_cache;
    bool only = cache && cache->has_chain && replay->pieces[IC_SIGNATURE].count == 1;
    return only ? &cache->chain : NULL;
}

/* ---- keyframes ---- */

bool ic_known_hash(const ic_replay *replay, size_t keyframe, uint32_t content,
                   uint8_t ret_hash[IC_HASH_SIZE])
{
    if (!replay->seek_cache)
        return false;
    const ic_known_state *known = &replay->seek_cache->states[keyframe % IC_KNOWN_STATES];
    if (known->number != keyframe + 1 || known->content != content)
        return false;
    memcpy(ret_hash, known->hash, IC_HASH_SIZE);
    return true;
}

void ic_keep_hash(ic_replay *replay, size_t keyframe, uint32_t content,
                  const uint8_t hash[IC_HASH_SIZE])
{
    if (!replay->seek_cache)
        return;
    ic_known_state *known = &replay->seek_cache->states[keyframe % IC_KNOWN_STATES];
    *known = (ic_known_state){.number = keyframe + 1, .content = content};
    memcpy(known->hash, hash, IC_HASH_SIZE);
}

bool ic_known_match(const ic_replay *replay, uint64_t *ret_seed, uint8_t ret_map[IC_HASH_SIZE])
{
    const ic_seek_cache *cache = replay->seek_cache;
    if (!cache || !cache->knows_match)
        return false;
    *ret_seed = cache->game_seed;
    memcpy(ret_map, cache->map_hash, IC_HASH_SIZE);
    return true;
}

void ic_keep_match(ic_replay *replay, uint64_t seed, const uint8_t map[IC_HASH_SIZE])
{
    ic_seek_cache *cache = replay->seek_cache;
    if (!cache)
        return;
    cache->knows_match = true;
    cache->game_seed = seed;
    memcpy(cache->map_hash, map, IC_HASH_SIZE);
}
