/* verify_hashes.c - see verify_hashes.h. */
#include "verify_hashes.h"

static ic_hashes_found compare(ic_hashes *h, uint64_t hash)
{
    bool differs = hash != h->frame_hash;
    if (!h->frame_hash)
        return (ic_hashes_found){0};
    h->compared++;
    if (differs && !h->differences++)
        h->first_tick = h->frame_tick;
    return (ic_hashes_found){1, differs};
}

ic_hashes_found ic_hashes_frame(ic_hashes *h, uint64_t tick, uint64_t hash)
{
    ic_hashes_found sum = {0};
    h->frames += hash != 0;
    h->frame_tick = tick;
    h->frame_hash = hash;
    h->any_frame = true;
    for (size_t i = 0; h->waiting_tick == tick && i < h->waiting_count; i++) {
        ic_hashes_found one = compare(h, h->waiting[i]);
        sum.compared += one.compared;
        sum.differences += one.differences;
    }
    h->waiting_count = 0;
    return sum;
}

ic_hashes_found ic_hashes_state(ic_hashes *h, uint64_t tick, const uint8_t hash[IC_HASH_SIZE])
{
    if (h->any_frame && h->frame_tick == tick)
        return compare(h, ic_sync_hash(hash));
    if (h->waiting_tick != tick)
        h->waiting_count = 0;
    h->waiting_tick = tick;
    if (h->waiting_count < RP_COUNT(h->waiting))
        h->waiting[h->waiting_count++] = ic_sync_hash(hash);
    return (ic_hashes_found){0};
}
