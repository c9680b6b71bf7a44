/*
 * seek_cache.h - what earlier seeks have learned about a replay, so that the next one reads less.
 *
 * Events and signatures have no index in the file. The first seek reads them from the start and
 * leaves marks in the events and links in the chain; later ones begin at the last mark before their
 * tick. Nothing is skipped that was not read and checked once.
 */
#ifndef IRONCURTAIN_READ_SEEK_CACHE_H
#define IRONCURTAIN_READ_SEEK_CACHE_H

#include "ironcurtain/container/chain.h"
#include "read.h"

/* The start of an event. */
typedef struct ic_event_mark {
    uint64_t tick; /* of the event before it */
    size_t piece;  /* that it is in */
    size_t offset; /* in the decoded piece */
    uint64_t left; /* events from here to the end of the piece */
} ic_event_mark;

typedef struct ic_seek_cache {
    rp_vector marks;  /* ic_event_mark, one for IC_EVENTS_PER_MARK events */
    rp_writer events; /* the decoded events, if they are in one piece that is not too large */
    bool has_events;
    ic_chain chain;
    bool has_chain;
    rp_vector links; /* [IC_HASH_SIZE]: before each entry of the chain, as far as computed */
} ic_seek_cache;

enum { IC_EVENTS_PER_MARK = 32 };

/* NULL with the error set on failure. */
ic_seek_cache *ic_seek_cache_of(ic_replay *replay, reprise_error *error);

/* Before an event of a decoder that seeks is read: adds a mark where one is due. */
void ic_mark_event(ic_decoder *d);
/* Moves the events to the last mark before a tick. False: there is none. */
bool ic_find_event_mark(ic_decoder *d, uint64_t tick, ic_event_mark *ret_mark);

/* Loads the signature chain, which the cache owns. */
reprise_status ic_cached_chain(ic_replay *replay, const ic_chain **ret_chain, reprise_error *error);
/* Gives the link that precedes an entry of the chain. */
reprise_status ic_cached_link(ic_replay *replay, size_t entry, const uint8_t **ret_link,
                              reprise_error *error);

#endif
