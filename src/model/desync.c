/* desync.c - see desync.h. */
#include "desync.h"

const rp_desync_frame *rp_desync_watch_add(rp_desync_watch *watch, int64_t frame, int32_t client,
                                           uint64_t hash)
{
    rp_desync *result = &watch->result;
    rp_desync_frame *first = &watch->frames[(uint64_t)frame % RP_DESYNC_WINDOW];
    result->hashes++;
    if (!first->used || first->frame != frame) {
        *first = (rp_desync_frame){.frame = frame, .hash = hash, .client = client, .used = true};
        return first;
    }
    first->compared |= first->client != client;
    if (first->differs || first->hash == hash || first->client == client)
        return first;
    first->differs = true;
    result->frames++;
    if (result->found && result->frame <= frame)
        return first;
    result->found = true;
    result->frame = frame;
    result->clients[0] = first->client;
    result->clients[1] = client;
    return first;
}
